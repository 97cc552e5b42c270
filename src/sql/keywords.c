/* SPDX-License-Identifier: Apache-2.0 */
/* The keyword table and time units. Search is binary over the sorted list of keywords.def. */
#include "sql/lex_int.h"

static const wri_kw_info keywords[WRI_KW_count] = {
    {"", 0, false, WRI_USE_WORD},
#define X(name, reserved, use) {#name, sizeof(#name) - 1, (reserved) != 0, WRI_USE_##use},
#include "sql/keywords.def"
};

const wri_kw_info *
wri_kw_get(wri_kw kw)
{
    WR_ASSERT((uint32_t)kw < WRI_KW_count);
    return &keywords[kw];
}

static char
upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* Compare `word` in upper case with a keyword, bytewise, over at most `len` bytes of the keyword.
 */
static int
compare(wr_str word, const char *name, size_t len)
{
    size_t n = WR_MIN(word.len, len);
    for (size_t i = 0; i < n; i++) {
        int d = (int)(unsigned char)upper(word.ptr[i]) - (int)(unsigned char)name[i];
        if (d != 0) return d;
    }
    return word.len < len ? -1 : word.len > len ? 1 : 0;
}

wri_kw
wri_kw_find(wr_str word)
{
    uint32_t low = 1, high = WRI_KW_count;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        int d = compare(word, keywords[mid].name, keywords[mid].len);
        if (d == 0) return (wri_kw)mid;
        if (d < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return WRI_KW_none;
}

bool
wr_sql_is_keyword(wr_str word)
{
    return wri_kw_find(word) != WRI_KW_none;
}

bool
wr_sql_is_reserved(wr_str word)
{
    return keywords[wri_kw_find(word)].reserved;
}

bool
wr_sql_needs_quotes(wr_str name)
{
    wri_lexer lexer = {.text = name};
    wri_token t = wri_lex(&lexer);
    return t.kind != WRI_T_WORD || t.start != 0 || t.end != name.len || keywords[t.kw].reserved;
}

uint32_t
wr_sql_keyword_count(void)
{
    return WRI_KW_count - 1;
}

const char *
wr_sql_keyword(uint32_t index, bool *reserved_out)
{
    WR_ASSERT(index < WRI_KW_count - 1);
    if (reserved_out) *reserved_out = keywords[index + 1].reserved;
    return keywords[index + 1].name;
}

uint32_t
wr_sql_keyword_range(wr_str prefix, uint32_t *first_out)
{
    uint32_t low = 1, high = WRI_KW_count;
    while (low < high) { /* the first keyword that is not below the prefix */
        uint32_t mid = (low + high) / 2;
        if (compare(prefix, keywords[mid].name, keywords[mid].len) > 0)
            low = mid + 1;
        else
            high = mid;
    }
    uint32_t end = low;
    while (end < WRI_KW_count && keywords[end].len >= prefix.len &&
           compare(prefix, keywords[end].name, prefix.len) == 0)
        end++;
    *first_out = low - 1;
    return end - low;
}

/* ---- time units ------------------------------------------------------------------------------ */
static const char *const unit_names[WR_SQL_UNIT_COUNT] = {
#define X(name) #name,
    WR_SQL_UNIT_MAP(X)
#undef X
};

const char *
wr_sql_unit_name(wr_sql_unit unit)
{
    WR_ASSERT((uint32_t)unit < WR_SQL_UNIT_COUNT);
    return unit_names[unit];
}

wr_sql_unit
wri_unit_find(wr_str word)
{
    static const char tsi[] = "SQL_TSI_";
    if (word.len > 8 && compare((wr_str){word.ptr, 8}, tsi, 8) == 0) {
        word.ptr += 8;
        word.len -= 8;
        if (wr_str_eq_nocase(word, WR_STR("FRAC_SECOND"))) return WR_SQL_UNIT_NANOSECOND;
    }
    for (uint32_t u = 1; u < WR_SQL_UNIT_COUNT; u++)
        if (wr_str_eq_nocase(word, wr_str_c(unit_names[u]))) return (wr_sql_unit)u;
    return WR_SQL_UNIT_NONE;
}
