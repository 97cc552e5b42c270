/* SPDX-License-Identifier: Apache-2.0 */
/* JSON to VARIANT. Only the first value of the text is read, as Flink does; what follows it is not
 * looked at. Containers are written with a gap for their offsets, which is filled when their end is
 * known; the items of an object are then put into key order. */
#include "types/decimal.h"
#include "types/number.h"
#include "types/variant.h"
#include "types/variant_int.h"

#include <stdio.h>

#define DEPTH_MAX 500u

typedef struct parser {
    const char *p, *end, *start;
    wr_text *out;
    char *why;
    bool duplicates;
    uint32_t depth;
} parser;

static bool parse_value(parser *j);

static void
skip_blanks(parser *j)
{
    while (j->p < j->end && (*j->p == ' ' || *j->p == '\n' || *j->p == '\r' || *j->p == '\t'))
        j->p++;
}

/* "what" at the cursor, with line and column as Jackson counts them. */
static bool
fail(parser *j, const char *what)
{
    uint32_t line = 1, col = 1;
    for (const char *p = j->start; p < j->p && p < j->end; p++) {
        col++;
        if (*p == '\n') line++, col = 1;
    }
    (void)snprintf(j->why, WR_VARIANT_WHY_MAX, "%s\n at [Source: UNKNOWN; line: %u, column: %u]",
                   what, line, col);
    return false;
}

static bool
fail_at_char(parser *j, const char *what)
{
    char text[160];
    if (j->p >= j->end) return fail(j, "Unexpected end-of-input");
    const unsigned c = (unsigned char)*j->p;
    (void)snprintf(text, sizeof text, "Unexpected character ('%c' (code %u)): %s",
                   c >= 0x20 && c < 0x7f ? (int)c : '?', c, what);
    return fail(j, text);
}

static void
put_tag(parser *j, wr_variant_kind kind)
{
    wr_text_putc(j->out, (char)kind);
}

static bool
nomem(parser *j)
{
    j->why[0] = 0;
    return false;
}

/* ---- strings --------------------------------------------------------------------------------- */
static bool
hex4(parser *j, uint32_t *out)
{
    uint32_t v = 0;
    if (j->end - j->p < 4) return fail(j, "Unexpected end-of-input in character escape sequence");
    for (int i = 0; i < 4; i++) {
        const char c = *j->p++;
        const int d = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
        if (d < 0) return fail(j, "expected a hex-digit for character escape sequence");
        v = v << 4 | (uint32_t)d;
    }
    *out = v;
    return true;
}

static bool
unicode_escape(parser *j)
{
    uint32_t cp, low;
    char utf8[4];
    if (!hex4(j, &cp)) return false;
    const bool high = cp >= 0xd800 && cp < 0xdc00;
    if (high && j->end - j->p >= 6 && j->p[0] == '\\' && j->p[1] == 'u') {
        const char *back = j->p;
        j->p += 2;
        if (!hex4(j, &low)) return false;
        if (low >= 0xdc00 && low < 0xe000)
            cp = 0x10000 + ((cp - 0xd800) << 10) + (low - 0xdc00);
        else
            j->p = back;
    }
    const uint32_t n = wr_utf8_put(utf8, cp);
    if (n)
        wr_text_put(j->out, utf8, n);
    else
        wr_text_putc(j->out, '?'); /* half a surrogate pair */
    return true;
}

static bool
escape(parser *j)
{
    static const char letters[] = "bfnrt\"\\/", chars[] = "\b\f\n\r\t\"\\/";
    char text[80];
    if (j->p == j->end) return fail(j, "Unexpected end-of-input in character escape sequence");
    const char c = *j->p++;
    if (c == 'u') return unicode_escape(j);
    const char *at = c ? strchr(letters, c) : NULL;
    if (at) {
        wr_text_putc(j->out, chars[at - letters]);
        return true;
    }
    (void)snprintf(text, sizeof text, "Unrecognized character escape '%c' (code %u)", c,
                   (unsigned)(unsigned char)c);
    return fail(j, text);
}

/* The characters of a string, its quotes aside, to `out`. */
static bool
parse_chars(parser *j)
{
    j->p++;
    for (;;) {
        const char *from = j->p;
        while (j->p < j->end && *j->p != '"' && *j->p != '\\' && (unsigned char)*j->p >= 0x20)
            j->p++;
        wr_text_put(j->out, from, (size_t)(j->p - from));
        if (j->p == j->end) return fail(j, "Unexpected end-of-input: was expecting closing quote");
        const char c = *j->p;
        if (c == '"') {
            j->p++;
            return true;
        }
        if (c != '\\') return fail(j, "Illegal unquoted character");
        j->p++;
        if (!escape(j)) return false;
    }
}

/* ---- numbers --------------------------------------------------------------------------------- */
static void
put_integer(parser *j, int64_t v)
{
    const bool i8 = v == (int8_t)v, i16 = v == (int16_t)v, i32 = v == (int32_t)v;
    put_tag(j, i8 ? WR_VARIANT_I8 : i16 ? WR_VARIANT_I16 : i32 ? WR_VARIANT_I32 : WR_VARIANT_I64);
    wr_text_put(j->out, (const char *)&v, i8 ? 1 : i16 ? 2 : i32 ? 4 : 8);
}

/* A decimal without its trailing zeros, if 38 digits are enough. */
static bool
put_decimal(parser *j, wr_str text)
{
    wr_i128 v;
    int p, s;
    const bool negative = text.ptr[0] == '-';
    if (negative) text.ptr++, text.len--;
    if (text.ptr[0] == '0' && text.len > 1 && text.ptr[1] == '.') text.ptr++, text.len--;
    if (wr_dec_literal(text.ptr, text.len, &v, &p, &s) != WR_DEC_OK) return false;
    for (; s > 0 && v % 10 == 0; s--) v /= 10;
    if (negative) v = -v;
    put_tag(j, WR_VARIANT_DECIMAL);
    wr_text_putc(j->out, (char)s);
    wr_text_put(j->out, (const char *)&v, 16);
    return true;
}

static const char *
digits(parser *j)
{
    const char *from = j->p;
    while (j->p < j->end && *j->p >= '0' && *j->p <= '9') j->p++;
    return j->p > from ? from : NULL;
}

static bool
parse_number(parser *j)
{
    const char *from = j->p;
    bool plain = true, fraction = false;
    if (*j->p == '-') j->p++;
    const char *whole = digits(j);
    if (!whole)
        return fail_at_char(j, "Expected digit (0-9) to follow minus sign, for valid "
                               "numeric value");
    if (*whole == '0' && j->p - whole > 1) {
        j->p = whole + 1;
        return fail(j, "Invalid numeric value: Leading zeroes not allowed");
    }
    if (j->p < j->end && *j->p == '.') {
        j->p++;
        fraction = true;
        if (!digits(j)) return fail_at_char(j, "Decimal point not followed by a digit");
    }
    if (j->p < j->end && (*j->p == 'e' || *j->p == 'E')) {
        plain = false;
        j->p++;
        if (j->p < j->end && (*j->p == '+' || *j->p == '-')) j->p++;
        if (!digits(j)) return fail_at_char(j, "Exponent indicator not followed by a digit");
    }
    if (j->p < j->end && !strchr(" \t\r\n,]}", *j->p) && j->depth == 0)
        return fail_at_char(j, "Expected space separating root-level values");
    const wr_str text = {from, (size_t)(j->p - from)};
    int64_t i;
    if (plain && !fraction && wr_i64_parse(text.ptr, text.len, &i)) {
        put_integer(j, i);
        return true;
    }
    if (plain && put_decimal(j, text)) return true;
    double d = 0;
    (void)wr_f64_parse(text.ptr, text.len, &d);
    put_tag(j, WR_VARIANT_F64);
    wr_text_put(j->out, (const char *)&d, 8);
    return true;
}

/* ---- containers ------------------------------------------------------------------------------ */
/* The finished items lie behind `at` in `out`, item i from offs[i]: put tag, count and offsets
 * before them. */
static bool
close_container(parser *j, wr_variant_kind kind, size_t at, const uint32_t *offs, uint32_t count)
{
    const size_t body = j->out->len - at, head = 5 + 4 * ((size_t)count + 1);
    if (body + head > UINT32_MAX) return fail(j, "the value is too large");
    for (size_t i = 0; i < head; i++) wr_text_putc(j->out, 0); /* room, then move up */
    if (j->out->failed) return nomem(j);
    char *p = j->out->ptr + at;
    memmove(p + head, p, body);
    p[0] = (char)kind;
    wr_store32(p + 1, count);
    for (uint32_t i = 0; i < count; i++) wr_store32(p + 5 + 4 * (size_t)i, offs[i]);
    wr_store32(p + 5 + 4 * (size_t)count, (uint32_t)body);
    return true;
}

typedef struct offset_list {
    uint32_t *items;
    uint32_t count, cap;
} offset_list;

static bool
push_offset(parser *j, offset_list *l, size_t at)
{
    return wr_list_push(j->out->arena, l, (uint32_t)at) || nomem(j);
}

static bool
parse_array(parser *j)
{
    offset_list items = {0};
    const size_t at = j->out->len;
    j->p++;
    skip_blanks(j);
    bool more = !(j->p < j->end && *j->p == ']');
    if (!more) j->p++;
    while (more) {
        if (!push_offset(j, &items, j->out->len - at) || !parse_value(j)) return false;
        skip_blanks(j);
        if (j->p == j->end)
            return fail(j, "Unexpected end-of-input: expected close marker for Array");
        more = *j->p == ',';
        if (!more && *j->p != ']')
            return fail_at_char(j, "was expecting comma to separate Array entries");
        j->p++;
    }
    return close_container(j, WR_VARIANT_ARRAY, at, items.items, items.count);
}

typedef struct entry {
    uint32_t from, to; /* in the unsorted body */
    uint32_t order;    /* of appearance */
    wr_str key;
} entry;

static int
entry_cmp(const entry *a, const entry *b)
{
    const int c = wri_variant_key_cmp(a->key, b->key);
    return c ? c : (a->order > b->order) - (a->order < b->order);
}

/* Bottom-up merge sort. */
static bool
sort_entries(parser *j, entry *e, uint32_t n)
{
    if (n < 2) return true; /* e may be NULL */
    entry *tmp = WR_NEW_N(j->out->arena, entry, n);
    if (!tmp) return nomem(j);
    for (uint32_t width = 1; width < n; width *= 2) {
        for (uint32_t lo = 0; lo < n; lo += 2 * width) {
            const uint32_t mid = WR_MIN(lo + width, n), hi = WR_MIN(lo + 2 * width, n);
            uint32_t a = lo, b = mid;
            for (uint32_t k = lo; k < hi; k++)
                tmp[k] = b >= hi || (a < mid && entry_cmp(&e[a], &e[b]) <= 0) ? e[a++] : e[b++];
        }
        memcpy(e, tmp, sizeof *e * n);
    }
    return true;
}

/* Put the entries of the body behind `at` into key order; of equal keys the last stays. */
static bool
order_object(parser *j, size_t at, entry *e, uint32_t n)
{
    const size_t body = j->out->len - at;
    /* of an empty object, which may be the first text of all, there is nothing to point at */
    char *copy = wr_arena_dup(j->out->arena, body ? j->out->ptr + at : "", body);
    uint32_t *offs = WR_NEW_N(j->out->arena, uint32_t, n ? n : 1);
    if (!copy || !offs) return nomem(j);
    for (uint32_t i = 0; i < n; i++)
        e[i].key = (wr_str){copy + e[i].from + 4, wr_load32(copy + e[i].from)};
    if (!sort_entries(j, e, n)) return false;
    uint32_t kept = 0, size = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (i + 1 < n && wr_str_eq(e[i].key, e[i + 1].key)) {
            if (j->duplicates) continue;
            (void)snprintf(j->why, WR_VARIANT_WHY_MAX, "VARIANT_DUPLICATE_KEY");
            return false;
        }
        offs[kept++] = size;
        memcpy(j->out->ptr + at + size, copy + e[i].from, e[i].to - e[i].from);
        size += e[i].to - e[i].from;
    }
    j->out->len = at + size;
    return close_container(j, WR_VARIANT_OBJECT, at, offs, kept);
}

/* "key": value, as an entry: length of the key, key, value. */
static bool
parse_entry(parser *j)
{
    const size_t at = j->out->len;
    skip_blanks(j);
    if (j->p == j->end || *j->p != '"')
        return fail_at_char(j, "was expecting double-quote to start field name");
    wr_text_put(j->out, "\0\0\0\0", 4);
    if (!parse_chars(j)) return false;
    if (j->out->failed) return nomem(j);
    wr_store32(j->out->ptr + at, (uint32_t)(j->out->len - at - 4));
    skip_blanks(j);
    if (j->p == j->end || *j->p != ':')
        return fail_at_char(j, "was expecting a colon to separate field name and value");
    j->p++;
    return parse_value(j);
}

static bool
parse_object(parser *j)
{
    WR_LIST(entry) entries = {0};
    const size_t at = j->out->len;
    j->p++;
    skip_blanks(j);
    bool more = !(j->p < j->end && *j->p == '}');
    if (!more) j->p++;
    while (more) {
        entry e = {.from = (uint32_t)(j->out->len - at), .order = entries.count};
        if (!parse_entry(j)) return false;
        e.to = (uint32_t)(j->out->len - at);
        if (!wr_list_push(j->out->arena, &entries, e)) return nomem(j);
        skip_blanks(j);
        if (j->p == j->end)
            return fail(j, "Unexpected end-of-input: expected close marker for Object");
        more = *j->p == ',';
        if (!more && *j->p != '}')
            return fail_at_char(j, "was expecting comma to separate Object entries");
        j->p++;
    }
    return order_object(j, at, entries.items, entries.count);
}

static bool
parse_word(parser *j)
{
    static const struct {
        const char *word;
        wr_variant_kind kind;
    } words[] = {{"null", WR_VARIANT_NULL}, {"true", WR_VARIANT_TRUE}, {"false", WR_VARIANT_FALSE}};
    const char *from = j->p;
    while (j->p < j->end && ((*j->p >= 'a' && *j->p <= 'z') || (*j->p >= 'A' && *j->p <= 'Z') ||
                             (*j->p >= '0' && *j->p <= '9') || *j->p == '_'))
        j->p++;
    const wr_str word = {from, (size_t)(j->p - from)};
    for (uint32_t i = 0; i < WR_COUNT(words); i++) {
        if (!wr_str_eq_c(word, words[i].word)) continue;
        put_tag(j, words[i].kind);
        return true;
    }
    if (word.len == 0) return fail_at_char(j, "expected a value");
    char text[200];
    if (wr_str_eq_c(word, "NaN") || wr_str_eq_c(word, "Infinity"))
        (void)snprintf(text, sizeof text,
                       "Non-standard token '%.*s': enable "
                       "`JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow",
                       WR_STR_ARG(word));
    else
        (void)snprintf(text, sizeof text,
                       "Unrecognized token '%.*s': was expecting (JSON String, Number, Array, "
                       "Object or token 'null', 'true' or 'false')",
                       (int)WR_MIN(word.len, 60u), word.ptr);
    return fail(j, text);
}

static bool
parse_value(parser *j)
{
    skip_blanks(j);
    if (j->p == j->end)
        return fail(j, j->depth ? "Unexpected end-of-input" : "Unexpected null token");
    const char c = *j->p;
    if (c == '"') {
        put_tag(j, WR_VARIANT_STRING);
        return parse_chars(j);
    }
    if (c == '-' || (c >= '0' && c <= '9')) return parse_number(j);
    if (c != '[' && c != '{') return parse_word(j);
    if (++j->depth > DEPTH_MAX)
        return fail(j, "Document nesting depth exceeds the maximum allowed");
    const bool ok = c == '[' ? parse_array(j) : parse_object(j);
    j->depth--;
    return ok;
}

bool
wr_variant_from_json(wr_str json, bool allow_duplicates, wr_text *out, char why[WR_VARIANT_WHY_MAX])
{
    parser j = {.p = json.ptr,
                .end = json.ptr + json.len,
                .start = json.ptr,
                .out = out,
                .why = why,
                .duplicates = allow_duplicates};
    const size_t before = out->len;
    why[0] = 0;
    const bool ok = parse_value(&j) && !out->failed;
    if (!ok) out->len = before;
    return ok;
}
