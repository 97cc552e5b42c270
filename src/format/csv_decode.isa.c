/* SPDX-License-Identifier: Apache-2.0 */
/* From the bytes of CSV into vectors. Built once per ISA level.
 *
 * Sixty-four bytes at a time are compared with the characters that mean something (delimiter, line
 * ends, quote, escape); the loop walks the set bits, so the bytes in between are touched only when
 * their value is converted. A quote means something only where a field begins, as in Jackson's
 * parser, so no parity trick: the walk itself knows. Columns that nobody wants are walked over.
 *
 * Rows start as all NULL (wri_nulls_begin); values set their bit. */
#include "format/csv_int.h"
#include "format/simd.h"
#include "types/decimal.h"
#include "types/number.h"

#define CAT_(a, b) a##_##b
#define CAT(a, b)  CAT_(a, b)

typedef struct scan {
    const char *block, *end, *min; /* specials before `min` are over */
    uint64_t mask, high;           /* of the block; high: non-ASCII since the record began */
    wri_bytes delim, quote, escape, nl, cr;
    bool has_quote, has_escape;
} scan;

static inline void
load_block(scan *s)
{
    char tail[64];
    const char *p = s->block;
    if (WR_UNLIKELY(s->end - p < 64)) {
        size_t n = (size_t)(s->end - p);
        memset(tail, 0, sizeof tail);
        memcpy(tail, p, n);
        p = tail;
    }
    uint64_t m = 0, high = 0;
    for (int i = 0; i < 64; i += WRI_LANE) {
        wri_bytes b = wri_load(p + i);
        uint64_t x = wri_eq(b, s->delim) | wri_eq(b, s->nl) | wri_eq(b, s->cr);
        if (s->has_quote) x |= wri_eq(b, s->quote);
        if (s->has_escape) x |= wri_eq(b, s->escape);
        m |= x << i;
        high |= wri_high(b) << i;
    }
    s->mask = s->end - s->block < 64 ? m & ~(~0ull << (s->end - s->block)) : m;
    s->high |= high;
}

/* The next special at or behind `min`; the end when there is none. */
static inline const char *
next_special(scan *s)
{
    for (;;) {
        while (WR_UNLIKELY(!s->mask)) {
            if (s->end - s->block <= 64) return s->end;
            s->block += 64;
            load_block(s);
        }
        const char *q = s->block + __builtin_ctzll(s->mask);
        s->mask &= s->mask - 1;
        if (WR_LIKELY(q >= s->min)) return q;
    }
}

typedef struct field {
    const char *p, *stop; /* content */
    const char *sep;      /* what ends it: delimiter, line end, or the end of data */
    bool quoted, escaped;
} field;

/* Outcome of reading a field. */
typedef enum got { GOT_FIELD, GOT_PARTIAL, GOT_ERROR } got;

static got
fail(wri_csv *c, wri_csv_err err, const char *at)
{
    c->err = err;
    c->err_at = c->resume_at = at;
    return GOT_ERROR;
}

static got
quoted_field(wri_csv *c, scan *s, const char *p, bool last, uint64_t *lines, field *f)
{
    s->min = p + 1; /* the opening quote itself */
    f->p = p + 1;
    f->quoted = true;
    f->escaped = false;
    for (;;) {
        const char *q = next_special(s);
        if (q == s->end) {
            (void)fail(c, WRI_CE_OPEN, p);
            c->resume_at = s->end;
            return last ? GOT_ERROR : GOT_PARTIAL;
        }
        if (*q == c->quote) {
            if (q + 1 == s->end && !last) return GOT_PARTIAL;
            if (q + 1 == s->end || q[1] != c->quote) {
                f->stop = q;
                break;
            }
            f->escaped = true;
            s->min = q + 2;
        } else if (s->has_escape && *q == c->escape) {
            f->escaped = true;
            s->min = q + 2;
        } else if (*q == '\n') {
            ++*lines;
        }
    }
    const char *q = f->stop + 1;
    while (q < s->end && (unsigned char)*q <= ' ' && *q != '\n' && *q != '\r' && *q != c->delim)
        q++;
    if (q < s->end && *q != '\n' && *q != '\r' && *q != c->delim) return fail(c, WRI_CE_QUOTE, q);
    if (q == s->end && !last) return GOT_PARTIAL;
    f->sep = q;
    s->min = q + 1;
    return GOT_FIELD;
}

static inline got
next_field(wri_csv *c, scan *s, const char *p, bool last, uint64_t *lines, field *f)
{
    if (WR_UNLIKELY(c->trim))
        while (p < s->end && (unsigned char)*p <= ' ' && *p != '\n' && *p != '\r' && *p != c->delim)
            p++;
    if (s->has_quote && p < s->end && *p == c->quote) return quoted_field(c, s, p, last, lines, f);
    f->p = p;
    f->quoted = f->escaped = false;
    for (;;) {
        const char *q = next_special(s);
        if (WR_UNLIKELY(q == s->end)) {
            if (!last) return GOT_PARTIAL;
        } else if (WR_UNLIKELY(*q != c->delim && *q != '\n' && *q != '\r')) {
            if (s->has_escape && *q == c->escape) {
                f->escaped = true;
                s->min = q + 2;
            }
            continue; /* a quote within an unquoted field is a character */
        }
        f->stop = f->sep = q;
        break;
    }
    if (WR_UNLIKELY(c->trim))
        while (f->stop > f->p && (unsigned char)f->stop[-1] <= ' ') f->stop--;
    return GOT_FIELD;
}

/* ---- fast conversions: plain texts with room behind them ------------------------------------- */

static inline void
mark(wr_vec *v, uint32_t row)
{
    wr_bit_set(v->validity, row);
}

static inline bool
fast_int(const char *p, const char *stop, int64_t *out)
{
    bool neg = *p == '-';
    p += neg;
    uint64_t u = 0;
    uint32_t n = wri_scan_u64(&p, &u);
    if (n - 1u >= 18u || p != stop) return false;
    *out = neg ? -(int64_t)u : (int64_t)u;
    return true;
}

static const uint64_t pow10_u64[] = {1ull,
                                     10ull,
                                     100ull,
                                     1000ull,
                                     10000ull,
                                     100000ull,
                                     1000000ull,
                                     10000000ull,
                                     100000000ull,
                                     1000000000ull,
                                     10000000000ull,
                                     100000000000ull,
                                     1000000000000ull,
                                     10000000000000ull,
                                     100000000000000ull,
                                     1000000000000000ull,
                                     10000000000000000ull,
                                     100000000000000000ull,
                                     1000000000000000000ull};

/* [-]digits[.digits]: unscaled value and digits behind the point, at most 18 digits. */
static inline bool
fast_fixed(const char *p, const char *stop, bool *neg, uint64_t *unscaled, uint32_t *scale)
{
    uint64_t whole = 0, frac = 0;
    *neg = *p == '-';
    p += *neg;
    uint32_t n = wri_scan_u64(&p, &whole), k = 0;
    if (n == 0) return false;
    if (p < stop && *p == '.') {
        p++;
        k = wri_scan_u64(&p, &frac);
        if (k == 0) return false;
    }
    if (n + k > 18 || p != stop) return false;
    *unscaled = whole * pow10_u64[k] + frac;
    *scale = k;
    return true;
}

static inline bool
fast_decimal(const wri_csv_column *col, const char *p, const char *stop, int64_t *out)
{
    bool neg;
    uint64_t u = 0;
    uint32_t k, s = (uint32_t)col->type->scale;
    if (!fast_fixed(p, stop, &neg, &u, &k) || k > s || s - k > 18) return false;
    if (__builtin_mul_overflow(u, pow10_u64[s - k], &u)) return false;
    if (col->type->precision > 18 || u >= pow10_u64[col->type->precision]) return false;
    *out = neg ? -(int64_t)u : (int64_t)u;
    return true;
}

static inline bool
fast_double(const char *p, const char *stop, double *out)
{
    bool neg;
    uint64_t u = 0;
    uint32_t k;
    if (!fast_fixed(p, stop, &neg, &u, &k) || u >= 1ull << 53) return false;
    double d = (double)u / (double)pow10_u64[k]; /* both exact: correctly rounded */
    *out = neg ? -d : d;
    return true;
}

#define HIGH_BITS 0x8080808080808080ull

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

static inline bool
fast_date(wri_csv *c, const char *p, int64_t *days)
{
    uint64_t w = wr_load64(p);
    uint16_t w2;
    memcpy(&w2, p + 8, 2);
    if (w == c->date_key && w2 == c->date_key2) {
        *days = c->date_days;
        return true;
    }
    const char *q = p;
    if (!shaped(w, 0x2d30302d30303030ull, 0x7f76767f76767676ull)) return false;
    if (!wri_scan_iso_date(&q, p + 10, days) || q != p + 10) return false;
    c->date_key = w;
    c->date_key2 = w2;
    c->date_days = *days;
    return true;
}

static inline bool
fast_timestamp(wri_csv *c, const char *p, const char *stop, bool z, int64_t *ms, int32_t *nano)
{
    static const uint32_t scale[] = {1000000000, 100000000, 10000000, 1000000, 100000,
                                     10000,      1000,      100,      10,      1};
    int64_t days;
    if (stop - p < 19 || !fast_date(c, p, &days) || p[10] != ' ') return false;
    if (!shaped(wr_load64(p + 11), 0x30303a30303a3030ull, 0x76767f76767f7676ull)) return false;
    unsigned h = two(p + 11), m = two(p + 14), s = two(p + 17);
    if (h > 23 || m > 59 || s > 59) return false;
    int64_t t = ((int64_t)h * 3600 + m * 60 + s) * 1000;
    *nano = 0;
    p += 19;
    if (p < stop && *p == '.') {
        uint64_t f = 0;
        p++;
        uint32_t n = wri_scan_u64(&p, &f);
        if (n == 0 || n > 9) return false;
        f *= scale[n];
        t += (int64_t)(f / 1000000);
        *nano = (int32_t)(f % 1000000);
    }
    if (z && (p >= stop || *p++ != 'Z')) return false;
    *ms = days * 86400000 + t;
    return p == stop;
}

/* True: stored. False: take the long way. */
static inline bool
fast_store(wri_csv *c, const wri_csv_column *col, const char *p, const char *stop, wr_vec *v,
           uint32_t row)
{
    int64_t x;
    int32_t nano;
    double d;
    switch ((wri_kind)col->kind) {
    case WRI_K_I32:
        if (!fast_int(p, stop, &x) || x != (int32_t)x) return false;
        ((int32_t *)v->data)[row] = (int32_t)x;
        return true;
    case WRI_K_I64:
        if (!fast_int(p, stop, &x)) return false;
        ((int64_t *)v->data)[row] = x;
        return true;
    case WRI_K_DEC64:
        if (!fast_decimal(col, p, stop, &x)) return false;
        ((int64_t *)v->data)[row] = x;
        return true;
    case WRI_K_F64:
        if (!fast_double(p, stop, &d)) return false;
        ((double *)v->data)[row] = d;
        return true;
    case WRI_K_DATE:
        if (stop - p != 10 || !fast_date(c, p, &x)) return false;
        ((int32_t *)v->data)[row] = (int32_t)x;
        return true;
    case WRI_K_TS_MS:
        if (!fast_timestamp(c, p, stop, col->zoned, &x, &nano)) return false;
        ((int64_t *)v->data)[row] = x;
        return true;
    case WRI_K_TS_NS:
        if (!fast_timestamp(c, p, stop, col->zoned, &x, &nano)) return false;
        ((wr_ts *)v->data)[row] = (wr_ts){x, nano, 0};
        return true;
    case WRI_K_BOOL:
    case WRI_K_I8:
    case WRI_K_I16:
    case WRI_K_F32:
    case WRI_K_DEC128:
    case WRI_K_STR:
    case WRI_K_BYTES:
    case WRI_K_TIME:
    case WRI_K_LIST:
    case WRI_K_MAP:
    case WRI_K_ROW:
        break;
    }
    return false;
}

/* ---- records --------------------------------------------------------------------------------- */

static bool
reject(wri_csv *c, uint32_t i, wr_str text)
{
    if (c->err == WRI_CE_NOMEM || c->err == WRI_CE_UTF8) return false;
    if (c->ignore_errors) return true; /* stays NULL */
    c->err = WRI_CE_FIELD;
    c->err_column = i;
    c->err_text = text;
    return false;
}

static bool
slow_cell(wri_csv *c, uint32_t i, const field *f, wr_vec *v, uint32_t row)
{
    wr_str text = {f->p, (size_t)(f->stop - f->p)};
    bool stable = c->stable;
    if (f->escaped) {
        text.ptr = wri_csv_unescape(c, text, f->quoted, c->fill->arena, &text.len);
        stable = true;
        if (!text.ptr) {
            c->err = WRI_CE_NOMEM;
            return false;
        }
    }
    if (c->has_null && wr_str_eq(text, c->null_literal)) return true;
    if (c->empty_null && text.len == 0) return true;
    return wri_csv_store(c, &c->columns[i], text, stable, v, row) || reject(c, i, text);
}

static inline bool
cell(wri_csv *c, const scan *s, uint32_t i, const field *f, uint32_t row)
{
    const wri_csv_column *col = &c->columns[i];
    if (col->out < 0) return true;
    wr_vec *v = &c->fill->cols[col->out];
    const bool plain = !f->escaped && !c->has_null && s->end - f->stop >= 64;
    if (WR_LIKELY(plain && f->stop > f->p)) {
        if (col->kind == WRI_K_STR) {
            size_t len = (size_t)(f->stop - f->p);
            if ((len <= 12 || c->stable) && len <= INT32_MAX && !s->high) {
                wri_put_strv(&((wr_strv *)v->data)[row], f->p, (uint32_t)len);
                mark(v, row);
                return true;
            }
        } else if (fast_store(c, col, f->p, f->stop, v, row)) {
            mark(v, row);
            return true;
        }
    }
    return slow_cell(c, i, f, v, row);
}

/* A field beyond the last column: may it be there? */
static bool
surplus(wri_csv *c, const field *f, uint32_t i, bool at_end)
{
    if (c->unmappable) return true;
    bool blank = !f->quoted;
    for (const char *p = f->p; p < f->stop && blank; p++) blank = (unsigned char)*p <= ' ';
    if (c->trailing_comma && i == c->column_count && blank && at_end) return true;
    c->err = WRI_CE_MANY;
    c->err_at = f->p;
    c->resume_at = f->sep;
    c->err_column = i;
    c->err_text = (wr_str){f->p, (size_t)(f->stop - f->p)};
    return false;
}

static bool
enough(wri_csv *c, uint32_t count)
{
    uint32_t need = c->fail_on_missing ? c->column_count : c->wanted_count;
    if (WR_LIKELY(count >= need)) return true;
    if (c->ignore_errors && !c->fail_on_missing) return true;
    c->err = WRI_CE_FEW;
    c->err_column = count;
    return false;
}

/* Field i, `f`, did not convert. A record of the wrong length is reported as that, so the rest of
 * it is read first. */
static got
unconverted(wri_csv *c, scan *s, field f, uint32_t i, bool last, uint64_t *lines)
{
    c->err_at = f.p;
    c->resume_at = f.sep;
    if (c->err != WRI_CE_FIELD) return GOT_ERROR;
    while (f.sep < s->end && *f.sep == c->delim) {
        const got g = next_field(c, s, f.sep + 1, last, lines, &f);
        if (g != GOT_FIELD) return g;
        i++;
        const bool more = f.sep < s->end && *f.sep == c->delim;
        if (i >= c->column_count && !surplus(c, &f, i, !more)) return GOT_ERROR;
    }
    (void)enough(c, i + 1);
    return GOT_ERROR;
}

/* One record from *pp on. */
static inline got
read_record(wri_csv *c, scan *s, const char **pp, bool last, uint32_t row, uint64_t *lines)
{
    const char *p = *pp;
    uint32_t i = 0;
    for (;; i++) {
        field f;
        got g = next_field(c, s, p, last, lines, &f);
        if (WR_UNLIKELY(g != GOT_FIELD)) return g;
        const bool more = f.sep < s->end && *f.sep == c->delim;
        if (WR_LIKELY(i < c->column_count)) {
            if (WR_UNLIKELY(!cell(c, s, i, &f, row))) return unconverted(c, s, f, i, last, lines);
        } else if (!surplus(c, &f, i, !more)) {
            return GOT_ERROR;
        }
        if (more) {
            p = f.sep + 1;
            continue;
        }
        if (f.sep == s->end) {
            *pp = f.sep;
        } else if (*f.sep == '\n') {
            *pp = f.sep + 1;
            ++*lines;
        } else { /* '\r', perhaps with its '\n' */
            if (f.sep + 1 == s->end && !last) return GOT_PARTIAL;
            *pp = f.sep + 1;
            if (*pp < s->end && **pp == '\n') s->min = ++*pp;
            ++*lines;
        }
        break;
    }
    return enough(c, i + 1) ? GOT_FIELD : GOT_ERROR;
}

/* Blanks and comment lines before a record. True: there is a record at *pp. */
static bool
skip_comments(wri_csv *c, scan *s, wri_csv_run *run)
{
    if (!c->comments) return true;
    for (;;) {
        const char *p = run->p;
        while (p < s->end && *p == ' ') p++;
        if (p == s->end && !run->last) return false;
        if (p < s->end && *p == '\r' && p + 1 == s->end && !run->last) return false;
        if (p < s->end && (*p == '\n' || *p == '\r')) { /* empty lines, too */
            p += *p == '\r' && p + 1 < s->end && p[1] == '\n' ? 2 : 1;
            run->p = s->min = p;
            run->lines++;
            continue;
        }
        if (p == s->end || *p != '#') {
            run->p = s->min = p;
            return p < s->end;
        }
        const char *nl = memchr(p, '\n', (size_t)(s->end - p));
        if (!nl && !run->last) return false;
        run->p = s->min = nl ? nl + 1 : s->end;
        run->lines++;
    }
}

/* Behind the line that the broken record ends in. */
static bool
skip_record(wri_csv *c, scan *s, wri_csv_run *run, const char *from)
{
    const char *at = c->resume_at && c->resume_at > from ? c->resume_at : from;
    const char *nl = at < s->end ? memchr(at, '\n', (size_t)(s->end - at)) : NULL;
    if (!nl && !run->last) return false;
    run->p = s->min = nl ? nl + 1 : s->end;
    run->lines++;
    c->skipped++;
    return true;
}

static bool
forget_row(wri_csv *c, uint32_t row)
{
    for (uint32_t i = 0; i < c->column_count; i++)
        if (c->columns[i].out >= 0 &&
            !wri_nulls_begin(&c->fill->cols[c->columns[i].out], row, row + 1, c->fill->arena))
            return false;
    return true;
}

bool
CAT(wri_csv_rows, WR_ISA)(wri_csv *c, wri_csv_run *run)
{
    scan s = {.block = run->p,
              .end = run->end,
              .min = run->p,
              .delim = wri_splat(c->delim),
              .quote = wri_splat(c->quote),
              .escape = wri_splat(c->escape),
              .nl = wri_splat('\n'),
              .cr = wri_splat('\r'),
              .has_quote = c->quote != '\0',
              .has_escape = c->escape != '\0'};
    run->partial = false;
    if (run->p < run->end) load_block(&s);
    while (run->rows < run->max_rows && run->p < run->end) {
        if (!skip_comments(c, &s, run)) {
            run->partial = run->p < run->end;
            break;
        }
        const char *p = run->p;
        uint64_t lines = 0;
        c->err = WRI_CE_NONE;
        c->err_at = c->resume_at = NULL;
        if (WR_UNLIKELY(s.high != 0)) { /* once more for this record's first block */
            s.high = 0;
            for (int i = 0; i < 64 && s.block + i < s.end; i++)
                s.high |= (uint64_t)((unsigned char)s.block[i] >> 7) << i;
        }
        got g = read_record(c, &s, &p, run->last, run->rows, &lines);
        if (WR_LIKELY(g == GOT_FIELD)) {
            run->p = p;
            run->lines += lines;
            run->rows++;
            continue;
        }
        bool skip = g == GOT_ERROR && c->ignore_errors && c->err != WRI_CE_NOMEM;
        if (g == GOT_ERROR && !skip) return false;
        if (!forget_row(c, run->rows)) {
            c->err = WRI_CE_NOMEM;
            return false;
        }
        if (skip && c->err == WRI_CE_FEW) { /* read to its end already */
            run->p = p;
            run->lines += lines;
            c->skipped++;
            continue;
        }
        if (g == GOT_PARTIAL || !skip_record(c, &s, run, run->p)) {
            run->partial = true;
            break;
        }
    }
    return true;
}
