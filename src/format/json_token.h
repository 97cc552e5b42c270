/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens of JSON, keys of objects, and values that nobody wants: what the loops over records and
 * over envelopes share, for the ISA level that the including file is built for. Private to format/.
 *
 * Everything is validated. Reading goes up to WRI_JSON_PAD bytes behind the record, which the
 * caller guarantees. A failure gives NULL and fills j->err. */
#ifndef WR_FORMAT_JSON_TOKEN_H
#define WR_FORMAT_JSON_TOKEN_H

#include "format/json_int.h"
#include "format/simd.h"

#define WRI_JSON_CAT_(a, b) a##_##b
#define WRI_JSON_CAT(a, b)  WRI_JSON_CAT_(a, b)
#define WRI_JSON_NULL       0x6c6c756eu /* "null" */
#define WRI_JSON_ESCAPED    1u          /* a string has escapes */
#define WRI_JSON_HIGH       2u          /* or bytes beyond ASCII */

static inline const char *wri_json_skip(wri_json *j, const char *p);

/* ---- failing --------------------------------------------------------------------------------- */

static inline const char *
wri_json_syntax(wri_json *j, const char *at, const char *what)
{
    if (j->err == WRI_JE_NONE) {
        j->err = WRI_JE_SYNTAX;
        j->err_at = at;
        j->what = what;
    }
    return NULL;
}

static inline const char *
wri_json_no_memory(wri_json *j)
{
    j->err = WRI_JE_NOMEM;
    return NULL;
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static inline const char *
wri_json_skip_blanks(const wri_json *j, const char *p)
{
    const char newline = j->in_line ? ' ' : '\n';
    while (p < j->end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == newline)) p++;
    return p;
}

static inline const char *
wri_json_blanks(const wri_json *j, const char *p)
{
    return WR_LIKELY((unsigned char)*p > ' ') ? p : wri_json_skip_blanks(j, p);
}

/* What stands for a character behind a backslash; 0: not allowed, or 'u'. */
static const char wri_json_escape_of[256] = {
    ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
    ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};

static inline bool
wri_json_four_hex(const char *p)
{
    for (int i = 0; i < 4; i++)
        if (!((p[i] >= '0' && p[i] <= '9') || ((p[i] | 32) >= 'a' && (p[i] | 32) <= 'f')))
            return false;
    return true;
}

/* From behind the opening quote to the closing one; escapes are checked on the way. */
static inline const char *
wri_json_string_end(wri_json *j, const char *p, uint32_t *flags)
{
    const wri_bytes quote = wri_splat('"'), back = wri_splat('\\'), nl = wri_splat('\n');
    uint32_t f = 0;
    for (;;) {
        wri_bytes b = wri_load(p);
        uint64_t m = wri_eq(b, quote) | wri_eq(b, back) | wri_eq(b, nl), high = wri_high(b);
        if (!m) {
            if (high) f |= WRI_JSON_HIGH;
            p += WRI_LANE;
            if (WR_UNLIKELY(p >= j->end)) return wri_json_syntax(j, j->end, "string");
            continue;
        }
        uint32_t i = (uint32_t)__builtin_ctzll(m);
        if (high & ((1ull << i) - 1)) f |= WRI_JSON_HIGH;
        p += i;
        if (*p == '"') break;
        if (WR_UNLIKELY(*p == '\n')) {
            if (j->in_line || ++p >= j->end) return wri_json_syntax(j, WR_MIN(p, j->end), "string");
            continue;
        }
        f |= WRI_JSON_ESCAPED;
        if (WR_UNLIKELY(!wri_json_escape_of[(unsigned char)p[1]])) {
            if (p + 1 >= j->end) return wri_json_syntax(j, j->end, "string");
            if (p[1] != 'u' || !wri_json_four_hex(p + 2)) return wri_json_syntax(j, p, "escape");
        }
        p += 2;
        if (WR_UNLIKELY(p >= j->end)) return wri_json_syntax(j, j->end, "string");
    }
    if (WR_UNLIKELY(p >= j->end)) return wri_json_syntax(j, j->end, "string");
    *flags = f;
    return p;
}

/* A string's content with its escapes (checked by string_end) resolved; `out` has room for the raw
 * length and a lane. */
static inline size_t
wri_json_unescape(const char *p, const char *close, char *out)
{
    const wri_bytes back = wri_splat('\\');
    char *o = out;
    while (p < close) {
        memcpy(o, p, WRI_LANE);
        uint64_t m = wri_eq(wri_load(p), back);
        uint32_t n = m ? (uint32_t)__builtin_ctzll(m) : WRI_LANE;
        p += n;
        o += n;
        if (!m || p >= close) continue;
        if (p[1] == 'u') { /* rare: the careful way */
            size_t rest;
            if (!wri_format_unescape(p, close, o, &rest)) return 0;
            return (size_t)(o - out) + rest;
        }
        *o++ = wri_json_escape_of[(unsigned char)p[1]];
        p += 2;
    }
    return (size_t)(o - out) - (size_t)(p - close);
}

/* The content of a string token: in place, or unescaped into `a`. */
static inline const char *
wri_json_string_text(wri_json *j, const char *p, const char *close, uint32_t flags, wr_arena *a,
                     wr_str *out)
{
    *out = (wr_str){p, (size_t)(close - p)};
    if ((flags & WRI_JSON_HIGH) && !wr_utf8_valid(p, out->len))
        return wri_json_syntax(j, p, "utf8");
    if (flags & WRI_JSON_ESCAPED) {
        char *copy = wr_arena_alloc(a, out->len + WRI_LANE + 16);
        if (!copy) return wri_json_no_memory(j);
        out->len = wri_json_unescape(p, close, copy);
        out->ptr = copy;
    }
    return close + 1;
}

/* End of a number by JSON's grammar; *whole: no fraction, no exponent. */
static inline const char *
wri_json_number_end(wri_json *j, const char *p, bool *whole)
{
    const char *start = p;
    if (*p == '-') p++;
    const char *digits = p;
    while (*p >= '0' && *p <= '9') p++;
    if (p == digits) return wri_json_syntax(j, p, "number");
    if (*digits == '0' && p - digits > 1) return wri_json_syntax(j, start, "zeroes");
    *whole = true;
    if (*p == '.') {
        *whole = false;
        const char *frac = ++p;
        while (*p >= '0' && *p <= '9') p++;
        if (p == frac) return wri_json_syntax(j, p, "number");
    }
    if (*p == 'e' || *p == 'E') {
        *whole = false;
        p++;
        if (*p == '+' || *p == '-') p++;
        const char *exp = p;
        while (*p >= '0' && *p <= '9') p++;
        if (p == exp) return wri_json_syntax(j, p, "number");
    }
    return p;
}

/* ---- skipping -------------------------------------------------------------------------------- */

static inline const char *
wri_json_skip_string(wri_json *j, const char *p) /* behind the opening quote */
{
    uint32_t flags;
    const char *close = wri_json_string_end(j, p, &flags);
    if (!close) return NULL;
    if ((flags & WRI_JSON_HIGH) && !wr_utf8_valid(p, (size_t)(close - p)))
        return wri_json_syntax(j, p, "utf8");
    return close + 1;
}

static inline const char *
wri_json_skip_object(wri_json *j, const char *p)
{
    p = wri_json_blanks(j, p);
    if (*p == '}') return p + 1;
    for (;;) {
        if (*p != '"') return wri_json_syntax(j, p, "name");
        p = wri_json_skip_string(j, p + 1);
        if (!p) return NULL;
        p = wri_json_blanks(j, p);
        if (*p != ':') return wri_json_syntax(j, p, "colon");
        p = wri_json_skip(j, p + 1);
        if (!p) return NULL;
        p = wri_json_blanks(j, p);
        if (*p == '}') return p + 1;
        if (*p != ',') return wri_json_syntax(j, p, "object");
        p = wri_json_blanks(j, p + 1);
    }
}

static inline const char *
wri_json_skip_array(wri_json *j, const char *p)
{
    p = wri_json_blanks(j, p);
    if (*p == ']') return p + 1;
    for (;;) {
        p = wri_json_skip(j, p);
        if (!p) return NULL;
        p = wri_json_blanks(j, p);
        if (*p == ']') return p + 1;
        if (*p != ',') return wri_json_syntax(j, p, "array");
        p++;
    }
}

static inline const char *
wri_json_skip(wri_json *j, const char *p)
{
    bool whole;
    p = wri_json_blanks(j, p);
    if (p >= j->end) return wri_json_syntax(j, j->end, "value");
    switch (*p) {
    case '"':
        return wri_json_skip_string(j, p + 1);
    case '{':
    case '[':
        if (++j->depth > WRI_JSON_DEPTH_MAX) return wri_json_syntax(j, p, "depth");
        p = *p == '{' ? wri_json_skip_object(j, p + 1) : wri_json_skip_array(j, p + 1);
        j->depth--;
        return p;
    case 't':
        return wr_load32(p) == 0x65757274u ? p + 4 : wri_json_syntax(j, p, "token");
    case 'f':
        return wr_load32(p + 1) == 0x65736c61u ? p + 5 : wri_json_syntax(j, p, "token");
    case 'n':
        return wr_load32(p) == WRI_JSON_NULL ? p + 4 : wri_json_syntax(j, p, "token");
    case '-':
    case '0' ... '9':
        return wri_json_number_end(j, p, &whole);
    default:
        return wri_json_syntax(j, p, "token");
    }
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* Does the key at `p` read exactly as this field's? */
static inline bool
wri_json_key_is(const char *p, const wri_json_node *k)
{
    uint32_t i = 0, whole = k->literal_len & ~7u;
    for (; i < whole; i += 8)
        if (wr_load64(p + i) != wr_load64(k->literal + i)) return false;
    return (wr_load64(p + i) & k->literal_mask) == wr_load64(k->literal + i);
}

/* Reads a key the long way; *field = kid_count when the schema has no such field. */
static inline const char *
wri_json_find_key(wri_json *j, const char *p, const wri_json_node *n, uint32_t *field)
{
    uint32_t flags;
    if (*p != '"') return wri_json_syntax(j, p, "name");
    const char *close = wri_json_string_end(j, ++p, &flags);
    wr_str name;
    if (!close || !wri_json_string_text(j, p, close, flags, j->scratch, &name)) return NULL;
    uint32_t i = 0;
    while (i < n->kid_count && !wr_str_eq(n->kids[i].name, name)) i++;
    *field = i;
    p = wri_json_blanks(j, close + 1);
    return *p == ':' ? p + 1 : wri_json_syntax(j, p, "colon");
}

#endif
