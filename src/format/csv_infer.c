/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of a CSV file out of its first lines: how many, their types, and whether the first line
 * is a header. Types are BIGINT, DOUBLE, BOOLEAN, DATE, TIMESTAMP(3), STRING; an empty field says
 * nothing. The first line is a header when none of its fields is empty, a number or a date while
 * some column below has such a type, or when all columns are text and its fields look like names
 * that do not occur below. */
#include "format/csv_int.h"
#include "types/number.h"

#define LINES_MAX 1000u

typedef enum guess {
    GUESS_NOTHING,
    GUESS_BOOL,
    GUESS_LONG,
    GUESS_DOUBLE,
    GUESS_DATE,
    GUESS_TIMESTAMP,
    GUESS_STRING
} guess;

typedef struct line { /* fields of a record */
    wr_str *fields;
    uint32_t count;
} line;

typedef WR_LIST(wr_str) field_list;

static guess
guess_of(wr_str s)
{
    int64_t i;
    double d;
    wri_local_time t;
    s = wri_trim(s);
    if (s.len == 0) return GUESS_NOTHING;
    if (wr_str_eq_nocase(s, WR_STR("true")) || wr_str_eq_nocase(s, WR_STR("false")))
        return GUESS_BOOL;
    bool zeroes = s.len > 1 && s.ptr[0] == '0' && s.ptr[1] >= '0' && s.ptr[1] <= '9';
    if (!zeroes && wr_i64_parse(s.ptr, s.len, &i)) return GUESS_LONG;
    if (!zeroes && wr_f64_parse(s.ptr, s.len, &d)) return GUESS_DOUBLE;
    if (wri_parse_sql_date(s, &i)) return GUESS_DATE;
    if (wri_parse_timestamp(s, ' ', true, false, &t)) return GUESS_TIMESTAMP;
    return GUESS_STRING;
}

static guess
merge(guess a, guess b)
{
    if (a == GUESS_NOTHING || a == b) return b;
    if (b == GUESS_NOTHING) return a;
    bool numbers = (a == GUESS_LONG || a == GUESS_DOUBLE) && (b == GUESS_LONG || b == GUESS_DOUBLE);
    return numbers ? GUESS_DOUBLE : GUESS_STRING;
}

/* The text of the quoted field at *at, which moves to its closing quote. */
static bool
unquoted(const char **at, const char *end, char quote, wr_arena *a, wr_str *out)
{
    const char *from = *at + 1, *p = from;
    while (p < end && (*p != quote || (p + 1 < end && p[1] == quote))) p += *p == quote ? 2 : 1;
    char *copy = wr_arena_alloc(a, (size_t)(p - from) + 1), *o = copy;
    if (!copy) return false;
    for (; from < p; from++) {
        if (*from == quote) from++;
        *o++ = *from;
    }
    *out = (wr_str){copy, (size_t)(o - copy)};
    *at = p;
    return true;
}

/* Splits the record at *rest; quotes as the decoder does, doubled ones resolved. */
static bool
split_record(wr_str *rest, char delim, char quote, wr_arena *a, line *out)
{
    field_list list = {0};
    const char *p = rest->ptr, *end = p + rest->len;
    for (;;) {
        wr_str f;
        if (quote && p < end && *p == quote) {
            if (!unquoted(&p, end, quote, a, &f)) return false;
            while (p < end && *p != delim && *p != '\n' && *p != '\r') p++;
        } else {
            const char *from = p;
            while (p < end && *p != delim && *p != '\n' && *p != '\r') p++;
            f = (wr_str){from, (size_t)(p - from)};
        }
        if (!wr_list_push(a, &list, f)) return false;
        if (p == end || *p != delim) break;
        p++;
    }
    if (p < end && *p == '\r') p++;
    if (p < end && *p == '\n') p++;
    *rest = (wr_str){p, (size_t)(end - p)};
    *out = (line){list.items, list.count};
    return true;
}

char
wr_csv_guess_delimiter(wr_str sample, char quote)
{
    static const char tries[] = ",\t;|";
    char best = ',';
    uint32_t most = 1;
    wr_arena *a = wr_arena_create(NULL, 0);
    for (const char *d = tries; a && *d; d++) {
        wr_str rest = sample;
        line first = {0}, next = {0};
        bool same = true;
        for (uint32_t i = 0; i < 20 && rest.len && same; i++) {
            same = split_record(&rest, *d, quote, a, &next);
            if (i == 0) first = next;
            same = same && next.count == first.count;
        }
        if (same && first.count > most) {
            most = first.count;
            best = *d;
        }
        wr_arena_reset(a);
    }
    wr_arena_destroy(a);
    return best;
}

static const wr_type *
type_of_guess(guess g, wr_arena *a)
{
    switch (g) {
    case GUESS_BOOL:
        return wr_type_of(WR_T_BOOLEAN, true);
    case GUESS_LONG:
        return wr_type_of(WR_T_BIGINT, true);
    case GUESS_DOUBLE:
        return wr_type_of(WR_T_DOUBLE, true);
    case GUESS_DATE:
        return wr_type_of(WR_T_DATE, true);
    case GUESS_TIMESTAMP:
        return wr_type_time(a, WR_T_TIMESTAMP, 3, true);
    case GUESS_NOTHING:
    case GUESS_STRING:
        break;
    }
    return wr_type_string(true);
}

static bool
looks_like_name(wr_str s)
{
    s = wri_trim(s);
    if (s.len == 0 || s.len > 64) return false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        bool ok = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (i && c >= '0' && c <= '9') ||
                  (unsigned char)c >= 0x80 || strchr("_ -.", c);
        if (!ok) return false;
    }
    return true;
}

static bool
is_header(const line *first, const guess *below, const line *lines, uint32_t line_count)
{
    bool typed = false, names = true;
    for (uint32_t i = 0; i < first->count; i++) {
        guess g = guess_of(first->fields[i]);
        if (g != GUESS_STRING) return false;
        names = names && looks_like_name(first->fields[i]);
        typed = typed || (below[i] != GUESS_STRING && below[i] != GUESS_NOTHING);
        for (uint32_t k = 0; k < i; k++)
            if (wr_str_eq(first->fields[i], first->fields[k])) return false;
    }
    if (typed) return true;
    if (!names || line_count < 2) return false;
    for (uint32_t n = 1; n < line_count; n++)
        for (uint32_t i = 0; i < first->count && i < lines[n].count; i++)
            if (wr_str_eq(first->fields[i], lines[n].fields[i])) return false;
    return true;
}

wr_status
wri_csv_infer(wr_ctx *ctx, wr_str sample, const wr_options *options, wr_arena *a, wr_schema *out,
              bool *has_header)
{
    char delim, quote;
    WR_TRY(wri_csv_char(ctx, options, "field-delimiter", &delim));
    WR_TRY(wri_csv_char(ctx, options, "quote-character", &quote));
    if (sample.len >= 3 && memcmp(sample.ptr, "\xef\xbb\xbf", 3) == 0)
        sample = (wr_str){sample.ptr + 3, sample.len - 3};
    if (!wr_options_find(options, "field-delimiter")) delim = wr_csv_guess_delimiter(sample, quote);
    line *lines = WR_NEW_N(a, line, LINES_MAX);
    WR_TRY_ALLOC(ctx, lines);
    uint32_t n = 0;
    while (sample.len && n < LINES_MAX)
        if (!split_record(&sample, delim, quote, a, &lines[n++]))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
    if (n == 0) return wr_raise(ctx, WR_DATA, "the file is empty: its columns cannot be guessed");
    uint32_t count = lines[0].count;
    if (count > WR_COLUMNS_MAX)
        return wr_raise(ctx, WR_LIMIT, "the first line has %u fields, a table at most %u columns",
                        count, WR_COLUMNS_MAX);
    guess *below = WR_NEW_N(a, guess, count);
    wr_field *fields = WR_NEW_N(a, wr_field, count);
    if (!below || !fields) return wr_raise(ctx, WR_NOMEM, "out of memory");
    for (uint32_t k = 1; k < n; k++)
        for (uint32_t i = 0; i < count && i < lines[k].count; i++)
            below[i] = merge(below[i], guess_of(lines[k].fields[i]));
    *has_header = is_header(&lines[0], below, lines, n);
    for (uint32_t i = 0; i < count; i++) {
        guess g = *has_header ? below[i] : merge(below[i], guess_of(lines[0].fields[i]));
        wr_str name = *has_header ? wri_trim(lines[0].fields[i]) : wr_arena_printf(a, "c%u", i);
        fields[i] = (wr_field){wr_arena_str(a, name), type_of_guess(g, a), WR_STR("")};
        WR_TRY_ALLOC(ctx, fields[i].name.ptr);
        WR_TRY_ALLOC(ctx, fields[i].type);
    }
    *out = (wr_schema){fields, count};
    return WR_OK;
}
