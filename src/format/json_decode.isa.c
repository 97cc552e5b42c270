/* SPDX-License-Identifier: Apache-2.0 */
/* From the bytes of JSON records into vectors, directed by the schema. Built once per ISA level.
 *
 * Each object predicts which field comes next: the one that followed the present field in the last
 * record. A right guess costs one comparison with the field's key as it is written ("name":); a
 * wrong one falls back to reading the key and looking it up. Everything is validated, also what
 * nobody wants. Strings without escapes are not copied when the input is stable.
 *
 * Columns start as all NULL: a value sets its bit, so NULL and a missing field cost nothing. Below
 * ARRAY and MAP (nodes marked dense) it is the other way round. Reading goes up to WRI_JSON_PAD
 * bytes behind the record, which the caller guarantees. A failure gives NULL and fills j->err. */
#include "format/json_int.h"
#include "format/json_token.h"
#include "types/decimal.h"
#include "types/number.h"

static const char *value(wri_json *j, const char *p, const wri_json_node *n, wr_vec *v,
                         uint32_t row);

/* ---- cells ----------------------------------------------------------------------------------- */

static inline const char *
set_null(wri_json *j, const char *p, wr_vec *v, uint32_t row)
{
    if (v->has_nulls)
        wr_bit_clear(v->validity, row);
    else if (!wr_vec_set_null(v, row, j->fill->arena))
        return wri_json_no_memory(j);
    return p;
}

static inline void
mark(wr_vec *v, uint32_t row)
{
    if (v->has_nulls) wr_bit_set(v->validity, row);
}

/* The value at `p` does not convert: NULL if errors are ignored. */
static const char *
reject(wri_json *j, const char *p, const wri_json_node *n, wr_vec *v, uint32_t row)
{
    const char *q = wri_json_skip(j, p);
    if (!q) return NULL;
    if (j->ignore_errors) return set_null(j, q, v, row);
    j->err = WRI_JE_FIELD;
    j->err_at = p;
    j->field = n->name;
    return NULL;
}

/* ---- scalars --------------------------------------------------------------------------------- */

/* A number token or a string's content, trimmed: what Jackson's getText().trim() gives. False: the
 * value is neither, or broken (then j->err). *next is behind the token. */
static bool
scalar_text(wri_json *j, const char *p, const char **next, wr_str *text, bool *number)
{
    bool whole;
    *number = false;
    if (*p == '"') {
        uint32_t flags;
        const char *close = wri_json_string_end(j, p + 1, &flags);
        if (!close) return false;
        *next = wri_json_string_text(j, p + 1, close, flags, j->scratch, text);
        return *next != NULL;
    }
    if (*p != '-' && (*p < '0' || *p > '9')) return false;
    *next = wri_json_number_end(j, p, &whole);
    if (!*next) return false;
    *number = true;
    *text = (wr_str){p, (size_t)(*next - p)};
    return true;
}

static inline void
store_int(wr_vec *v, uint8_t kind, uint32_t row, int64_t x)
{
    mark(v, row);
    switch (kind) {
    case WRI_K_I8:
        ((int8_t *)v->data)[row] = (int8_t)x;
        break;
    case WRI_K_I16:
        ((int16_t *)v->data)[row] = (int16_t)x;
        break;
    case WRI_K_I64:
        ((int64_t *)v->data)[row] = x;
        break;
    default:
        ((int32_t *)v->data)[row] = (int32_t)x;
        break;
    }
}

static const char *
slow_int(wri_json *j, const char *p, const wri_json_node *n, wr_vec *v, uint32_t row)
{
    static const int64_t least[] = {INT8_MIN, INT16_MIN, INT32_MIN, INT64_MIN};
    static const int64_t most[] = {INT8_MAX, INT16_MAX, INT32_MAX, INT64_MAX};
    const int64_t min = least[n->kind - WRI_K_I8], max = most[n->kind - WRI_K_I8];
    const char *next;
    wr_str text;
    bool number;
    int64_t x = 0;
    double d;
    if (!scalar_text(j, p, &next, &text, &number))
        return j->err == WRI_JE_NONE ? reject(j, p, n, v, row) : NULL;
    bool ok = wri_parse_int(wri_trim(text), min, max, &x);
    bool fraction = number && memchr(text.ptr, '.', text.len) != NULL;
    bool exponent = number && (memchr(text.ptr, 'e', text.len) || memchr(text.ptr, 'E', text.len));
    if (!ok && (fraction || exponent) && n->kind >= WRI_K_I32 &&
        wr_f64_parse_java(text.ptr, text.len, &d)) {
        ok = d >= (double)min && d <= (double)max;
        x = ok ? (d >= 9223372036854775807.0 ? INT64_MAX : (int64_t)d) : 0;
    }
    if (!ok) return reject(j, p, n, v, row);
    store_int(v, n->kind, row, x);
    return next;
}

static inline const char *
int_value(wri_json *j, const char *p, const wri_json_node *n, wr_vec *v, uint32_t row)
{
    const char *q = p;
    bool neg = *q == '-';
    q += neg;
    char first = *q;
    uint64_t u = 0;
    uint32_t count = wri_scan_u64(&q, &u);
    bool simple = count - 1u < 18u && (first != '0' || count == 1) && *q != '.' && (*q | 32) != 'e';
    int64_t x = (int64_t)(neg ? 0 - u : u);
    if (WR_UNLIKELY(!simple)) return slow_int(j, p, n, v, row);
    if (n->kind != WRI_K_I64) {
        int bits = n->kind == WRI_K_I32 ? 32 : n->kind == WRI_K_I16 ? 16 : 8;
        if (x != (int64_t)((uint64_t)x << (64 - bits)) >> (64 - bits))
            return slow_int(j, p, n, v, row);
    }
    store_int(v, n->kind, row, x);
    return q;
}

static const char *
bool_value(wri_json *j, const char *p, const wri_json_node *n, wr_vec *v, uint32_t row)
{
    bool b = false, number;
    const char *next;
    if (wr_load32(p) == 0x65757274u) {
        next = p + 4;
        b = true;
    } else if (*p == 'f' && wr_load32(p + 1) == 0x65736c61u) {
        next = p + 5;
    } else {
        wr_str text;
        if (!scalar_text(j, p, &next, &text, &number))
            return j->err == WRI_JE_NONE ? reject(j, p, n, v, row) : NULL;
        b = wr_str_eq_nocase(wri_trim(text), WR_STR("true"));
    }
    mark(v, row);
    ((uint8_t *)v->data)[row] = b;
    return next;
}

/* Digits, point, digits, small exponent: exact in a double when the mantissa is below 2^53 and the
 * power of ten at most 22. */
static inline bool
fast_double(const char **pp, double *out)
{
    static const double pow10[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *p = *pp;
    bool neg = *p == '-';
    p += neg;
    char first = *p;
    uint64_t whole = 0, frac = 0;
    uint32_t n = wri_scan_u64(&p, &whole), k = 0;
    if (n == 0 || n > 15 || (first == '0' && n > 1)) return false;
    if (*p == '.') {
        p++;
        k = wri_scan_u64(&p, &frac);
        if (k == 0 || n + k > 18) return false;
    }
    if ((*p | 32) == 'e') return false;
    static const uint64_t ten[] = {1,
                                   10,
                                   100,
                                   1000,
                                   10000,
                                   100000,
                                   1000000,
                                   10000000,
                                   100000000,
                                   1000000000,
                                   10000000000,
                                   100000000000,
                                   1000000000000,
                                   10000000000000,
                                   100000000000000,
                                   1000000000000000,
                                   10000000000000000,
                                   100000000000000000};
    uint64_t m = whole * ten[k] + frac;
    if (m >= 1ull << 53) return false;
    double d = (double)m / pow10[k];
    *out = neg ? -d : d;
    *pp = p;
    return true;
}

static const char *
double_value(wri_json *j, const char *p, const wri_json_node *n, wr_vec *v, uint32_t row)
{
    double d;
    const char *next = p;
    const bool single = n->kind == WRI_K_F32;
    float f = 0;
    if (single || !fast_double(&next, &d)) {
        wr_str text;
        bool number;
        if (!scalar_text(j, p, &next, &text, &number))
            return j->err == WRI_JE_NONE ? reject(j, p, n, v, row) : NULL;
        if (!(single ? wr_f32_parse_java(text.ptr, text.len, &f)
                     : wr_f64_parse_java(text.ptr, text.len, &d)))
            return reject(j, p, n, v, row);
    }
    mark(v, row);
    if (single)
        ((float *)v->data)[row] = f;
    else
        ((double *)v->data)[row] = d;
    return next;
}

static const char *
decimal_value(wri_json *j, const char *p, const wri_json_node *n, wr_vec *v, uint32_t row)
{
    const char *next;
    wr_str text;
    bool number;
    wr_i128 x;
    if (!scalar_text(j, p, &next, &text, &number))
        return j->err == WRI_JE_NONE ? reject(j, p, n, v, row) : NULL;
    text = wri_trim(text);
    wr_dec_parse got = wr_dec_from_text(text.ptr, text.len, n->type->precision, n->type->scale, &x);
    if (got == WR_DEC_INVALID) return reject(j, p, n, v, row);
    if (got == WR_DEC_OVERFLOW) return set_null(j, next, v, row);
    mark(v, row);
    if (n->kind == WRI_K_DEC64)
        ((int64_t *)v->data)[row] = (int64_t)x;
    else
        ((wr_i128 *)v->data)[row] = x;
    return next;
}

/* ---- strings --------------------------------------------------------------------------------- */

static inline const char *
store_str(wri_json *j, const char *next, wr_vec *v, uint32_t row, const char *p, size_t len,
          bool stable)
{
    if (len > 12 && !stable) {
        char *copy = wr_arena_alloc(j->fill->arena, len);
        if (!copy) return wri_json_no_memory(j);
        memcpy(copy, p, len);
        p = copy;
    }
    if (len > INT32_MAX) return wri_json_syntax(j, next, "string");
    mark(v, row);
    wri_put_strv(&((wr_strv *)v->data)[row], p, (uint32_t)len);
    return next;
}

/* A STRING column takes the text of anything. */
static const char *
other_text(wri_json *j, const char *p, wr_vec *v, uint32_t row)
{
    wr_str text;
    const char *next;
    if (*p == '{' || *p == '[' || j->tree) {
        next = wri_json_text(j, p, j->fill->arena, &text);
        if (!next) return NULL;
        bool infinite = *p != '{' && *p != '[' && text.len && *text.ptr == '"';
        return infinite ? store_str(j, next, v, row, text.ptr + 1, text.len - 2, true)
                        : store_str(j, next, v, row, text.ptr, text.len, true);
    }
    next = wri_json_skip(j, p);
    if (!next) return NULL;
    return store_str(j, next, v, row, p, (size_t)(next - p), j->stable);
}

static inline const char *
string_value(wri_json *j, const char *p, wr_vec *v, uint32_t row)
{
    if (WR_UNLIKELY(*p != '"')) return other_text(j, p, v, row);
    uint32_t flags;
    const char *close = wri_json_string_end(j, ++p, &flags);
    if (!close) return NULL;
    if (WR_LIKELY(flags == 0))
        return store_str(j, close + 1, v, row, p, (size_t)(close - p), j->stable);
    wr_str text;
    if (!wri_json_string_text(j, p, close, flags, j->fill->arena, &text)) return NULL;
    return store_str(j, close + 1, v, row, text.ptr, text.len,
                     (flags & WRI_JSON_ESCAPED) ? true : j->stable);
}

static const char *
bytes_value(wri_json *j, const char *p, const wri_json_node *n, wr_vec *v, uint32_t row)
{
    wr_str text;
    bool number;
    const char *next;
    if (*p != '"') return reject(j, p, n, v, row);
    if (!scalar_text(j, p, &next, &text, &number)) return NULL;
    size_t len;
    uint8_t *out = wr_arena_alloc(j->fill->arena, text.len / 4 * 3 + 19);
    if (!out) return wri_json_no_memory(j);
    if (!wri_format_base64_decode(text, out, &len)) return reject(j, p, n, v, row);
    return store_str(j, next, v, row, (const char *)out, len, true);
}

/* ---- dates and times ------------------------------------------------------------------------- */

#define HIGH_BITS 0x8080808080808080ull

/* Are the bytes of w what `pattern` says: '0' any digit, else itself? `limit` is 0x76 for digits,
 * 0x7f for others. */
static inline bool
shaped(uint64_t w, uint64_t pattern, uint64_t limit)
{
    uint64_t x = w ^ pattern;
    return ((((x & ~HIGH_BITS) + limit) | x) & HIGH_BITS) == 0;
}

static inline unsigned
two(const char *p)
{
    return (unsigned)(p[0] - '0') * 10 + (unsigned)(p[1] - '0');
}

/* "yyyy-MM-dd" at p, with the day of the last one remembered. */
static inline bool
fast_date(wri_json *j, const char *p, int64_t *days)
{
    uint64_t w = wr_load64(p);
    uint16_t w2;
    memcpy(&w2, p + 8, 2);
    if (w == j->date_key && w2 == j->date_key2) {
        *days = j->date_days;
        return true;
    }
    if (!shaped(w, 0x2d30302d30303030ull, 0x7f76767f76767676ull)) return false;
    if ((unsigned)(p[8] - '0') > 9 || (unsigned)(p[9] - '0') > 9) return false;
    const char *q = p;
    if (!wri_scan_iso_date(&q, p + 10, days)) return false;
    j->date_key = w;
    j->date_key2 = w2;
    j->date_days = *days;
    return true;
}

/* "yyyy-MM-dd?HH:mm:ss[.f]" up to the closing quote. */
static inline bool
fast_timestamp(wri_json *j, const char **pp, bool z, int64_t *ms, int32_t *nano)
{
    const char *p = *pp;
    int64_t days;
    const char sep = j->iso ? 'T' : ' ';
    if (!fast_date(j, p, &days) || p[10] != sep) return false;
    if (!shaped(wr_load64(p + 11), 0x30303a30303a3030ull, 0x76767f76767f7676ull)) return false;
    unsigned h = two(p + 11), m = two(p + 14), s = two(p + 17);
    if (h > 23 || m > 59 || s > 59) return false;
    int64_t t = ((int64_t)h * 3600 + m * 60 + s) * 1000;
    *nano = 0;
    p += 19;
    if (*p == '.') {
        static const uint32_t scale[] = {1000000000, 100000000, 10000000, 1000000, 100000,
                                         10000,      1000,      100,      10,      1};
        uint64_t f = 0;
        const char *q = ++p;
        uint32_t n = wri_scan_u64(&q, &f);
        if (n > 9) return false;
        if (n == 0) f = 0;
        f *= scale[n];
        t += (int64_t)(f / 1000000);
        *nano = (int32_t)(f % 1000000);
        p = q;
    }
    if (z && *p++ != 'Z') return false;
    if (*p != '"') return false;
    *ms = days * 86400000 + t;
    *pp = p + 1;
    return true;
}

static const char *
timestamp_value(wri_json *j, const char *p, const wri_json_node *n, wr_vec *v, uint32_t row)
{
    int64_t ms;
    int32_t nano;
    const char *next = p + 1;
    if (WR_UNLIKELY(*p != '"')) return reject(j, p, n, v, row);
    if (WR_UNLIKELY(!fast_timestamp(j, &next, n->zoned, &ms, &nano))) {
        wr_str text;
        bool number;
        wri_local_time t;
        if (!scalar_text(j, p, &next, &text, &number)) return NULL;
        if (!wri_parse_timestamp(text, j->iso ? 'T' : ' ', !j->iso, n->zoned, &t))
            return reject(j, p, n, v, row);
        ms = t.days * 86400000 + t.ms;
        nano = t.nano;
    }
    mark(v, row);
    if (n->kind == WRI_K_TS_MS) {
        ((int64_t *)v->data)[row] = ms;
    } else {
        wr_ts *ts = &((wr_ts *)v->data)[row];
        ts->ms = ms;
        ts->nano = nano;
        ts->pad = 0;
    }
    return next;
}

static const char *
date_value(wri_json *j, const char *p, const wri_json_node *n, wr_vec *v, uint32_t row)
{
    int64_t days;
    const char *next;
    wr_str text;
    bool number;
    if (*p != '"') return reject(j, p, n, v, row);
    if (!scalar_text(j, p, &next, &text, &number)) return NULL;
    const char *q = text.ptr;
    if (!wri_scan_iso_date(&q, text.ptr + text.len, &days) || q != text.ptr + text.len ||
        days != (int32_t)days)
        return reject(j, p, n, v, row);
    mark(v, row);
    ((int32_t *)v->data)[row] = (int32_t)days;
    return next;
}

static const char *
time_value(wri_json *j, const char *p, const wri_json_node *n, wr_vec *v, uint32_t row)
{
    const char *next;
    wr_str text;
    bool number;
    wri_local_time t;
    if (*p != '"') return reject(j, p, n, v, row);
    if (!scalar_text(j, p, &next, &text, &number)) return NULL;
    const char *q = text.ptr;
    if (!wri_scan_time(&q, text.ptr + text.len, true, &t) || q != text.ptr + text.len)
        return reject(j, p, n, v, row);
    mark(v, row);
    ((int32_t *)v->data)[row] = (int32_t)(t.ms % 86400000);
    return next;
}

/* ---- nested values --------------------------------------------------------------------------- */

static const char *
list_value(wri_json *j, const char *p, const wri_json_node *n, wr_vec *v, uint32_t row)
{
    if (*p != '[') return reject(j, p, n, v, row);
    uint32_t off = v->child[0].len, count = 0, at;
    p = wri_json_blanks(j, p + 1);
    while (*p != ']') {
        if (count > 0) {
            if (*p != ',') return wri_json_syntax(j, p, "array");
            p++;
        }
        if (!wr_vec_child_reserve(v, 1, j->fill->arena, &at)) return wri_json_no_memory(j);
        p = value(j, p, &n->kids[0], &v->child[0], at);
        if (!p) return NULL;
        p = wri_json_blanks(j, p);
        count++;
    }
    mark(v, row);
    ((wr_list *)v->data)[row] = (wr_list){off, count};
    return p + 1;
}

#define FEW_KEYS 32u /* that many are compared one by one */

typedef struct map_index { /* of a large map: entry + 1 by the hash of its key, 0 = free */
    uint32_t *slots;
    uint32_t count; /* a power of two, at least twice as many as entries */
} map_index;

static uint32_t *
map_place(const map_index *x, const wr_strv *keys, const wr_strv *key)
{
    const wr_str s = wr_strv_str(key);
    uint32_t at = (uint32_t)wr_hash_bytes(s.ptr, s.len, 0) & (x->count - 1);
    while (x->slots[at] && !wr_strv_eq(&keys[x->slots[at] - 1], key))
        at = (at + 1) & (x->count - 1);
    return &x->slots[at];
}

static bool
map_index_grow(map_index *x, const wr_strv *keys, uint32_t off, uint32_t end, wr_arena *scratch)
{
    x->count = WR_MAX(x->count * 2, FEW_KEYS * 4);
    x->slots = WR_NEW_N(scratch, uint32_t, x->count);
    for (uint32_t i = off; x->slots && i < end; i++) *map_place(x, keys, &keys[i]) = i + 1;
    return x->slots != NULL;
}

/* The entry of a key in the map that is being read (entries from `off` on), or a new one. */
static bool
map_slot(wri_json *j, wr_vec *v, uint32_t off, map_index *x, const wr_strv *key, uint32_t *slot)
{
    const wr_strv *keys = v->child[0].data;
    const uint32_t end = v->child[0].len;
    if (end - off >= FEW_KEYS && (end - off) * 2 >= x->count &&
        !map_index_grow(x, keys, off, end, j->scratch))
        return false;
    uint32_t *place = x->slots ? map_place(x, keys, key) : NULL;
    if (place && *place) {
        *slot = *place - 1;
        return true;
    }
    for (uint32_t i = off; !place && i < end; i++)
        if (wr_strv_eq(&keys[i], key)) {
            *slot = i;
            return true;
        }
    if (!wr_vec_child_reserve(v, 1, j->fill->arena, slot)) return false;
    ((wr_strv *)v->child[0].data)[*slot] = *key;
    if (place) *place = *slot + 1;
    return true;
}

/* Flink's tree reader asks whatever it is for its fields, and there are none. */
static const char *
no_map(wri_json *j, const char *p, const wri_json_node *n, wr_vec *v, uint32_t row)
{
    if (!j->tree) return reject(j, p, n, v, row);
    p = wri_json_skip(j, p);
    if (!p) return NULL;
    mark(v, row);
    ((wr_list *)v->data)[row] = (wr_list){v->child[0].len, 0};
    return p;
}

static const char *
map_value(wri_json *j, const char *p, const wri_json_node *n, wr_vec *v, uint32_t row)
{
    if (*p != '{') return no_map(j, p, n, v, row);
    uint32_t off = v->child[0].len, flags, slot;
    map_index index = {NULL, 0};
    bool first = true;
    p = wri_json_blanks(j, p + 1);
    while (*p != '}') {
        if (!first) {
            if (*p != ',') return wri_json_syntax(j, p, "object");
            p = wri_json_blanks(j, p + 1);
        }
        first = false;
        if (*p != '"') return wri_json_syntax(j, p, "name");
        const char *close = wri_json_string_end(j, ++p, &flags);
        wr_str text;
        if (!close || !wri_json_string_text(j, p, close, flags, j->fill->arena, &text)) return NULL;
        if (text.len > 12 && !j->stable && !(flags & WRI_JSON_ESCAPED)) {
            text = wr_arena_str(j->fill->arena, text);
            if (!text.ptr) return wri_json_no_memory(j);
        }
        wr_strv key = wr_strv_make(text.ptr, (uint32_t)text.len);
        if (!map_slot(j, v, off, &index, &key, &slot)) return wri_json_no_memory(j);
        p = wri_json_blanks(j, close + 1);
        if (*p != ':') return wri_json_syntax(j, p, "colon");
        p = value(j, p + 1, &n->kids[1], &v->child[1], slot);
        if (!p) return NULL;
        p = wri_json_blanks(j, p);
    }
    mark(v, row);
    ((wr_list *)v->data)[row] = (wr_list){off, v->child[0].len - off};
    return p + 1;
}

static inline wr_vec *
kid_vec(wri_json *j, const wri_json_node *n, wr_vec *v, uint32_t i)
{
    if (v) return &v->child[i];
    return n->kids[i].out >= 0 ? &j->fill->cols[n->kids[i].out] : NULL;
}

/* Fields that did not occur: an error if asked for, else NULL. */
static const char *
check_missing(wri_json *j, const char *p, const wri_json_node *n, wr_vec *v, uint32_t row,
              const uint64_t *seen)
{
    for (uint32_t i = 0; i < n->kid_count; i++) {
        wr_vec *kid = kid_vec(j, n, v, i);
        if (!kid || wr_bit_get(seen, i)) continue;
        if (j->fail_on_missing) {
            j->err = WRI_JE_MISSING;
            j->err_at = p;
            j->field = n->kids[i].name;
            return NULL;
        }
        if (!set_null(j, p, kid, row)) return NULL;
    }
    return p;
}

/* Behind '{'. v NULL: the record itself, into the batch's columns. */
static const char *
object_into(wri_json *j, const char *p, const wri_json_node *n, wr_vec *v, uint32_t row)
{
    uint64_t few = 0, *seen = &few;
    const bool track = n->dense || j->fail_on_missing;
    if (WR_UNLIKELY(track && n->kid_count > 64)) {
        seen = wr_arena_zalloc(j->scratch, 8 * WR_BIT_WORDS(n->kid_count));
        if (!seen) return wri_json_no_memory(j);
    }
    uint32_t prev = n->kid_count;
    p = wri_json_blanks(j, p);
    if (*p == '}') return track ? check_missing(j, p + 1, n, v, row, seen) : p + 1;
    for (;;) {
        uint32_t i = n->after[prev];
        if (WR_LIKELY(i < n->kid_count && wri_json_key_is(p, &n->kids[i]))) {
            p += n->kids[i].literal_len;
        } else {
            p = wri_json_find_key(j, p, n, &i);
            if (!p) return NULL;
            if (i < n->kid_count) n->after[prev] = i;
        }
        wr_vec *kid = i < n->kid_count ? kid_vec(j, n, v, i) : NULL;
        p = kid ? value(j, p, &n->kids[i], kid, row) : wri_json_skip(j, p);
        if (WR_UNLIKELY(!p)) {
            if (!v && i < n->kid_count && j->err == WRI_JE_FIELD) j->field = n->kids[i].name;
            return NULL;
        }
        if (i < n->kid_count) prev = i;
        if (track && i < n->kid_count) wr_bit_set(seen, i);
        p = wri_json_blanks(j, p);
        if (*p == ',') {
            p = wri_json_blanks(j, p + 1);
            continue;
        }
        if (*p != '}') return wri_json_syntax(j, p, "object");
        return track ? check_missing(j, p + 1, n, v, row, seen) : p + 1;
    }
}

static const char *
row_value(wri_json *j, const char *p, const wri_json_node *n, wr_vec *v, uint32_t row)
{
    if (*p != '{') return reject(j, p, n, v, row);
    for (uint32_t i = 0; j->overlay && i < v->child_count; i++)
        if (!wri_nulls_begin(&v->child[i], row, row + 1, j->fill->arena))
            return wri_json_no_memory(j);
    mark(v, row);
    return object_into(j, p + 1, n, v, row);
}

static const char *
value(wri_json *j, const char *p, const wri_json_node *n, wr_vec *v, uint32_t row)
{
    p = wri_json_blanks(j, p);
    if (wr_load32(p) == WRI_JSON_NULL) return set_null(j, p + 4, v, row);
    switch ((wri_kind)n->kind) {
    case WRI_K_I8:
    case WRI_K_I16:
    case WRI_K_I32:
    case WRI_K_I64:
        return int_value(j, p, n, v, row);
    case WRI_K_STR:
        return string_value(j, p, v, row);
    case WRI_K_TS_MS:
    case WRI_K_TS_NS:
        return timestamp_value(j, p, n, v, row);
    case WRI_K_ROW:
        return row_value(j, p, n, v, row);
    case WRI_K_BOOL:
        return bool_value(j, p, n, v, row);
    case WRI_K_F32:
    case WRI_K_F64:
        return double_value(j, p, n, v, row);
    case WRI_K_DEC64:
    case WRI_K_DEC128:
        return decimal_value(j, p, n, v, row);
    case WRI_K_BYTES:
        return bytes_value(j, p, n, v, row);
    case WRI_K_DATE:
        return date_value(j, p, n, v, row);
    case WRI_K_TIME:
        return time_value(j, p, n, v, row);
    case WRI_K_LIST:
        return list_value(j, p, n, v, row);
    case WRI_K_MAP:
        return map_value(j, p, n, v, row);
    }
    return NULL;
}

/* ---- entries --------------------------------------------------------------------------------- */

static const char *
decode_object(wri_json *j, const char *p, uint32_t row)
{
    return object_into(j, p, &j->root, NULL, row);
}

static const char *
decode_positional(wri_json *j, const char *p, uint32_t first, uint32_t row)
{
    uint32_t i = 0;
    p = wri_json_blanks(j, p);
    while (*p != ']') {
        if (i > 0) {
            if (*p != ',') return wri_json_syntax(j, p, "array");
            p++;
        }
        uint32_t field = i++ - first;
        wr_vec *kid =
            i > first && field < j->root.kid_count ? kid_vec(j, &j->root, NULL, field) : NULL;
        p = kid ? value(j, p, &j->root.kids[field], kid, row) : wri_json_skip(j, p);
        if (!p) return NULL;
        p = wri_json_blanks(j, p);
    }
    return p + 1;
}

static const char *
decode_lines(wri_json *j, const char *p, const char *safe, uint32_t *row, uint32_t max_rows)
{
    j->end = safe;
    j->in_line = true;
    j->err = WRI_JE_NONE;
    while (*row < max_rows && p < safe && *p == '{') {
        j->depth = 0;
        const char *q = object_into(j, p + 1, &j->root, NULL, *row);
        if (!q) break;
        if (WR_UNLIKELY(*q == '\r')) q++;
        if (*q != '\n') break;
        p = q + 1;
        ++*row;
    }
    j->in_line = false;
    return p;
}

const char *
WRI_JSON_CAT(wri_json_value, WR_ISA)(wri_json *j, const char *p, const wri_json_node *n,
                                     wr_vec *vec, uint32_t row)
{
    return value(j, p, n, vec, row);
}

const char *
WRI_JSON_CAT(wri_json_object, WR_ISA)(wri_json *j, const char *p, uint32_t row)
{
    return object_into(j, p, &j->root, NULL, row);
}

const wri_json_fns WRI_JSON_CAT(wri_json_fns, WR_ISA) = {decode_lines, decode_object, wri_json_skip,
                                                         decode_positional};
