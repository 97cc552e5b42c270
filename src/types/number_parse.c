/* SPDX-License-Identifier: Apache-2.0 */
/* Text to numbers, correctly rounded.
 *
 * The digits become w * 10^q. Small w and q need one exact operation. Else w is multiplied by the
 * 128 leading bits of 5^q (after Eisel and Lemire), which settles nearly all; the rest, and numbers
 * of more than 19 digits that it cannot settle, are compared exactly with the midpoints between
 * neighbouring floats. */
#include "types/number.h"
#include "types/number_int.h"

#define Q_MIN      (-342)
#define Q_MAX      308
#define DIGITS_MAX 780 /* more digits never decide but by not being zero */

typedef struct format {   /* of IEEE 754 */
    int bits;             /* stored significand bits */
    int bias;             /* 1023, 127 */
    int inf;              /* exponent field of infinity */
    int tie_min, tie_max; /* q for which w * 10^q can be exactly half way */
} format;

static const format f64 = {52, 1023, 0x7ff, -4, 23};
static const format f32 = {23, 127, 0xff, -17, 10};

static const uint64_t pow5[Q_MAX - Q_MIN + 1][2] = {
#include "types/number_pow5.def"
};

typedef struct scanned {
    const char *first; /* first significant digit (or NULL) */
    const char *end;   /* behind the last digit, the point possibly between */
    uint64_t w;        /* the first 19 significant digits */
    int64_t q;         /* value = w * 10^q, when nothing was dropped */
    int kept;          /* digits in w */
    bool negative, dropped, any;
} scanned;

static void
scan_digit(scanned *n, const char *at, bool fraction)
{
    const unsigned c = (unsigned)(*at - '0');
    n->any = true;
    if (n->kept == 0 && c == 0) {
        n->q -= fraction;
        return;
    }
    if (n->kept == 0) n->first = at;
    if (n->kept < 19) {
        n->w = n->w * 10 + c;
        n->kept++;
        n->q -= fraction;
    } else {
        n->dropped = n->dropped || c != 0;
        n->q += !fraction;
    }
}

WR_ALWAYS_INLINE bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *
scan_exponent(scanned *n, const char *p, const char *end)
{
    bool negative = false;
    int64_t e = 0;
    if (p < end && (*p == '+' || *p == '-')) negative = *p++ == '-';
    if (p == end || !is_digit(*p)) return NULL;
    for (; p < end && is_digit(*p); p++)
        if (e < 100000000) e = e * 10 + (*p - '0');
    n->q += negative ? -e : e;
    return p;
}

/* Behind the number, or NULL. */
static const char *
scan_number(scanned *n, const char *p, const char *end)
{
    memset(n, 0, sizeof *n);
    if (p < end && (*p == '+' || *p == '-')) n->negative = *p++ == '-';
    for (; p < end && is_digit(*p); p++) scan_digit(n, p, false);
    if (p < end && *p == '.')
        for (p++; p < end && is_digit(*p); p++) scan_digit(n, p, true);
    n->end = p;
    if (!n->any) return NULL;
    if (p < end && (*p == 'e' || *p == 'E')) return scan_exponent(n, p + 1, end);
    return p;
}

/* The float w * 10^q as bits without sign. false: only near, by at most one. */
static bool
approximate(uint64_t w, int64_t q, const format *f, uint64_t *out)
{
    const uint64_t inf = (uint64_t)f->inf << f->bits;
    *out = 0;
    if (w == 0 || q < Q_MIN) return true;
    *out = inf;
    if (q > Q_MAX) return true;
    const int lz = __builtin_clzll(w);
    w <<= lz;
    wr_u128 m = (wr_u128)w * pow5[q - Q_MIN][0];
    if (((uint64_t)(m >> 64) & (~0ull >> (f->bits + 3))) == ~0ull >> (f->bits + 3))
        m += ((wr_u128)w * pow5[q - Q_MIN][1]) >> 64;
    const uint64_t hi = (uint64_t)(m >> 64), lo = (uint64_t)m;
    const bool sure = lo != ~0ull || (q >= -27 && q <= 55);
    const int top = (int)(hi >> 63), drop = top + 64 - f->bits - 3;
    uint64_t mant = hi >> drop;
    int64_t e = ((217706 * q) >> 16) + 63 + top - lz + f->bias;
    if (e <= 0) { /* subnormal */
        if (e <= -63) {
            *out = 0;
            return sure;
        }
        mant >>= 1 - e;
        *out = (mant + (mant & 1)) >> 1; /* may become the smallest normal number */
        return sure;
    }
    if (lo <= 1 && q >= f->tie_min && q <= f->tie_max && (mant & 3) == 1 && mant << drop == hi)
        mant &= ~1ull; /* exactly half way: to even */
    mant = (mant + (mant & 1)) >> 1;
    if (mant >> (f->bits + 1)) {
        mant >>= 1;
        e++;
    }
    if (e < f->inf) *out = (uint64_t)e << f->bits | (mant & ~(1ull << f->bits));
    return sure;
}

/* The digits as a natural number; *q is the power of ten of its last digit. */
static void
all_digits(const scanned *n, wri_big *d, int64_t *q)
{
    int taken = 0;
    bool some = false;
    *q = n->q;
    wri_big_set(d, 0);
    for (const char *p = n->first; p < n->end; p++) {
        if (*p == '.') continue;
        const uint32_t c = (uint32_t)(*p - '0');
        if (taken < DIGITS_MAX) {
            if (d->n == 0)
                wri_big_set(d, c);
            else
                wri_big_mul_add(d, 10, c);
            if (taken >= 19) (*q)--;
            taken++;
        } else {
            some = some || c != 0;
        }
    }
    if (some) { /* something more: a last digit that says so */
        wri_big_mul_add(d, 10, 1);
        (*q)--;
    }
}

/* d * 10^q against the midpoint above the float `bits`. */
static int
compare_midpoint(const wri_big *digits, int64_t q, uint64_t bits, const format *f)
{
    uint64_t mant = bits & ((1ull << f->bits) - 1);
    int e = (int)(bits >> f->bits);
    if (e)
        mant |= 1ull << f->bits;
    else
        e = 1;
    wri_big l = *digits, r;
    wri_big_set(&r, 2 * mant + 1);
    const int64_t power = e - f->bias - f->bits - 1; /* midpoint = (2 mant + 1) * 2^power */
    if (q >= 0)
        wri_big_mul_pow5(&l, (int)q);
    else
        wri_big_mul_pow5(&r, (int)-q);
    if (q >= power)
        wri_big_shl(&l, (int)(q - power));
    else
        wri_big_shl(&r, (int)(power - q));
    return wri_big_cmp(&l, &r);
}

/* Walk from a near float to the right one. */
static uint64_t
settle_exactly(const scanned *n, uint64_t bits, const format *f)
{
    wri_big d;
    int64_t q;
    const uint64_t inf = (uint64_t)f->inf << f->bits;
    const int64_t magnitude = n->q + n->kept; /* value < 10^magnitude */
    if (magnitude < -400) return 0;
    if (magnitude > 400) return inf;
    all_digits(n, &d, &q);
    if (bits >= inf) bits = inf - 1;
    for (;;) {
        const int c = compare_midpoint(&d, q, bits, f);
        if (c > 0 || (c == 0 && (bits & 1))) {
            if (++bits == inf) return inf;
            continue;
        }
        if (bits == 0) return 0;
        const int below = compare_midpoint(&d, q, bits - 1, f);
        if (below > 0 || (below == 0 && !(bits & 1))) return bits;
        bits--;
    }
}

static uint64_t
to_bits(const scanned *n, const format *f)
{
    uint64_t bits, more;
    const bool sure = approximate(n->w, n->q, f, &bits);
    if (sure && !n->dropped) return bits;
    if (sure && approximate(n->w + 1, n->q, f, &more) && bits == more) return bits;
    return settle_exactly(n, bits, f);
}

static double
make_f64(const scanned *n)
{
    static const double pow10[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    double d;
    if (!n->dropped && n->w >> 53 == 0 && n->q >= -22 && n->q <= 22) {
        d = (double)(int64_t)n->w;
        d = n->q < 0 ? d / pow10[-n->q] : d * pow10[n->q];
    } else {
        const uint64_t bits = to_bits(n, &f64);
        memcpy(&d, &bits, 8);
    }
    return n->negative ? -d : d;
}

static float
make_f32(const scanned *n)
{
    const uint32_t bits = (uint32_t)to_bits(n, &f32);
    float x;
    memcpy(&x, &bits, 4);
    return n->negative ? -x : x;
}

bool
wr_f64_parse(const char *p, size_t len, double *out)
{
    scanned n;
    if (scan_number(&n, p, p + len) != p + len) return false;
    *out = make_f64(&n);
    return true;
}

bool
wr_f32_parse(const char *p, size_t len, float *out)
{
    scanned n;
    if (scan_number(&n, p, p + len) != p + len) return false;
    *out = make_f32(&n);
    return true;
}

/* ---- Java's grammar -------------------------------------------------------------------------- */
static int
hex_digit(char c)
{
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* m * 2^e (and a bit more when sticky) to the nearest float. */
static uint64_t
round_binary(uint64_t m, int64_t e, bool sticky, const format *f)
{
    if (m == 0) return 0;
    const int lz = __builtin_clzll(m);
    m <<= lz;
    e -= lz; /* the leading one is worth 2^(e + 63) */
    int64_t field = e + 63 + f->bias;
    int64_t drop = 63 - f->bits; /* bits of m below the last place */
    if (field <= 0) {
        drop += 1 - field;
        field = 0;
    }
    if (drop > 64) return 0;
    const uint64_t kept = drop == 64 ? 0 : m >> drop;
    const uint64_t half = 1ull << (drop - 1), low = m & (half | (half - 1));
    uint64_t mant = kept;
    if (low > half || (low == half && (sticky || (kept & 1)))) mant++;
    if (field == 0) return mant; /* a carry makes the smallest normal number */
    if (field >= f->inf) return (uint64_t)f->inf << f->bits;
    return ((uint64_t)field << f->bits) + (mant - (1ull << f->bits)); /* carries into the field */
}

typedef struct hex {
    uint64_t m;
    int64_t e;
    bool sticky, any;
} hex;

static const char *
scan_hex_digits(hex *h, const char *p, const char *end, bool fraction)
{
    for (; p < end && hex_digit(*p) >= 0; p++) {
        const uint64_t c = (uint64_t)hex_digit(*p);
        h->any = true;
        if (h->m >> 60) {
            h->sticky = h->sticky || c;
            h->e += fraction ? 0 : 4;
        } else {
            h->m = h->m << 4 | c;
            h->e -= fraction ? 4 : 0;
        }
    }
    return p;
}

/* 0x1.8p3, the sign already taken; NULL when it is none. */
static const char *
scan_hex(const char *p, const char *end, const format *f, uint64_t *bits)
{
    hex h = {0, 0, false, false};
    if (end - p < 3 || p[0] != '0' || (p[1] != 'x' && p[1] != 'X')) return NULL;
    p = scan_hex_digits(&h, p + 2, end, false);
    if (p < end && *p == '.') p = scan_hex_digits(&h, p + 1, end, true);
    if (!h.any || p == end || (*p != 'p' && *p != 'P')) return NULL;
    scanned n;
    memset(&n, 0, sizeof n);
    p = scan_exponent(&n, p + 1, end);
    if (!p) return NULL;
    *bits = round_binary(h.m, h.e + n.q, h.sticky, f);
    return p;
}

static bool
spells(const char *p, const char *end, const char *word)
{
    return (size_t)(end - p) == strlen(word) && memcmp(p, word, strlen(word)) == 0;
}

/* The text as bits of format `f`. */
static bool
parse_java(const char *p, size_t len, const format *f, uint64_t *bits, bool *negative)
{
    const char *end = p + len;
    while (p < end && (unsigned char)*p <= ' ') p++;
    while (p < end && (unsigned char)end[-1] <= ' ') end--;
    if (p == end) return false;
    const char *body = p;
    if (*body == '+' || *body == '-') body++;
    *negative = *p == '-';
    const uint64_t inf = (uint64_t)f->inf << f->bits;
    if (spells(body, end, "NaN")) {
        *bits = inf | 1ull << (f->bits - 1);
        *negative = false;
        return true;
    }
    if (spells(body, end, "Infinity")) {
        *bits = inf;
        return true;
    }
    scanned n;
    const char *rest = scan_hex(body, end, f, bits);
    if (!rest) {
        rest = scan_number(&n, p, end);
        if (!rest) return false;
        *bits = to_bits(&n, f);
    }
    if (rest < end && strchr("fFdD", *rest) && *rest) rest++;
    return rest == end;
}

bool
wr_f64_parse_java(const char *p, size_t len, double *out)
{
    uint64_t bits;
    bool negative;
    if (wr_f64_parse(p, len, out)) return true;
    if (!parse_java(p, len, &f64, &bits, &negative)) return false;
    bits |= (uint64_t)negative << 63;
    memcpy(out, &bits, 8);
    return true;
}

bool
wr_f32_parse_java(const char *p, size_t len, float *out)
{
    uint64_t bits;
    bool negative;
    if (!parse_java(p, len, &f32, &bits, &negative)) return false;
    const uint32_t w = (uint32_t)bits | (uint32_t)negative << 31;
    memcpy(out, &w, 4);
    return true;
}

bool
wr_i64_parse(const char *p, size_t len, int64_t *out)
{
    const char *end = p + len;
    const bool negative = p < end && *p == '-';
    if (p < end && (*p == '+' || *p == '-')) p++;
    if (p == end) return false;
    uint64_t v = 0;
    for (; p < end; p++) {
        const unsigned c = (unsigned)(*p - '0');
        if (c > 9 || v > (UINT64_MAX - c) / 10) return false;
        v = v * 10 + c;
    }
    if (v > (uint64_t)INT64_MAX + negative) return false;
    *out = negative ? (int64_t)(0 - v) : (int64_t)v;
    return true;
}
