/* SPDX-License-Identifier: Apache-2.0 */
/* Floating-point numbers as Java prints them (Double.toString up to Java 18).
 *
 * The digits come from free-format generation: value and half an ulp as fractions of one
 * denominator, digits are produced until what is left is below the tolerance or within it of the
 * next digit. Three habits of Java make the result differ from the shortest text now and then, and
 * are kept:
 *  - whole numbers below 2^63 print from the integer, cut only by the digits that are certainly
 *    meaningless;
 *  - a power of two uses the smaller half-gap on both sides;
 *  - in exponent form there are at least two digits, the second one exact.
 * Numbers of at most 15 digits in the plain range, the common ones, are recognised before all that:
 * such a text is the shortest, and unique. */
#include "types/number.h"
#include "types/number_int.h"

typedef struct digits {
    char d[24];
    int n;
    int exp; /* value = 0.d1d2... * 10^exp */
} digits;

typedef struct parts { /* f * 2^e, f odd, and the tolerance 2^half */
    uint64_t f;
    int e, half, bin_exp;
    int sig_bits, f_bits;
} parts;

uint32_t
wr_i64_print(int64_t v, char out[WR_I64_TEXT_MAX])
{
    static const char pairs[] = "0001020304050607080910111213141516171819"
                                "2021222324252627282930313233343536373839"
                                "4041424344454647484950515253545556575859"
                                "6061626364656667686970717273747576777879"
                                "8081828384858687888990919293949596979899";
    char rev[WR_I64_TEXT_MAX];
    uint32_t at = sizeof rev;
    uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    while (u >= 100) {
        at -= 2;
        memcpy(rev + at, pairs + 2 * (u % 100), 2);
        u /= 100;
    }
    if (u >= 10) {
        at -= 2;
        memcpy(rev + at, pairs + 2 * u, 2);
    } else {
        rev[--at] = (char)('0' + (int)u);
    }
    if (v < 0) rev[--at] = '-';
    memcpy(out, rev + at, sizeof rev - at);
    return (uint32_t)(sizeof rev - at);
}

/* One more in the last place. */
static void
round_up(digits *g)
{
    int i = g->n - 1;
    while (i > 0 && g->d[i] == '9') g->d[i--] = '0';
    if (g->d[i] != '9') {
        g->d[i]++;
        return;
    }
    g->d[0] = '1';
    g->exp++;
}

static void
integer_digits(uint64_t v, int meaningless, digits *g)
{
    g->exp = 0;
    if (meaningless) {
        uint64_t p = 1;
        for (int i = 0; i < meaningless; i++) p *= 10;
        const uint64_t rest = v % p;
        v /= p;
        g->exp = meaningless;
        v += rest >= p / 2;
    }
    char text[WR_I64_TEXT_MAX];
    g->n = (int)wr_i64_print((int64_t)v, text);
    g->exp += g->n;
    while (g->n > 1 && text[g->n - 1] == '0') g->n--;
    memcpy(g->d, text, (size_t)g->n);
}

/* Is 10^k <= 2^bits for the largest k: digits that 2^bits units cannot settle. */
static int
digits_within(int bits)
{
    return bits < 1 ? 0 : (int)((int64_t)bits * 30103 / 100000);
}

static int
pow5_bits(int k)
{
    return k == 0 ? 0 : k < 27 ? k * 2322 / 1000 + 1 : k * 3;
}

static uint64_t
power_of_5(int k)
{
    uint64_t p = 1;
    for (; k > 0; k--) p *= 5;
    return p;
}

/* floor(log10(v)) or one more, the way Java estimates it. */
static int
estimate_exponent(uint64_t fraction53, int bin_exp)
{
    double d;
    const uint64_t bits = 1023ull << 52 | (fraction53 & ((1ull << 52) - 1));
    memcpy(&d, &bits, 8);
    const double x = (d - 1.5) * 0.289529654 + 0.176091259 + (double)bin_exp * 0.301029995663981;
    const int t = (int)x;
    return x < t ? t - 1 : t;
}

/* What the next digit decided: stop below, stop above. */
typedef struct stop {
    bool low, high;
} stop;

/* The first digit, shared by both arithmetics: skip a zero, demand a second digit in exponent form.
 */
static stop
after_first(digits *g, int q, stop s, int *d)
{
    if (q == 0 && !s.high)
        (*d)--;
    else
        g->d[g->n++] = (char)('0' + q);
    if (*d < -3 || *d >= 8) s.low = s.high = false;
    return s;
}

static void
settle(digits *g, stop s, int half) /* half: what is left against half a digit */
{
    if (!s.high) return;
    if (!s.low || half > 0 || (half == 0 && (g->d[g->n - 1] & 1))) round_up(g);
}

/* The common exponents of two of numerator, tolerance and denominator for 10^d. */
static void
scale(const parts *v, int d, int *b2, int *m2, int *s2)
{
    *b2 = v->e - d;
    *m2 = v->half - d;
    *s2 = 0;
    if (*m2 < 0) {
        *s2 = -*m2;
        *b2 += *s2;
        *m2 = 0;
    }
}

/* Java's way when all numbers fit 32 or 64 bits: the upper test is strict, and its sum may wrap,
 * which makes it fail. */
static bool
generate_word(const parts *v, int d, digits *g)
{
    const int tiny = WR_MAX(0, v->f_bits - v->bin_exp - 1);
    const int b5 = WR_MAX(0, -d), s5 = WR_MAX(0, d);
    int b2 = b5 + tiny + v->bin_exp, s2 = s5 + tiny, m2 = b2 - v->sig_bits;
    b2 -= v->f_bits - 1;
    const int common = WR_MIN(b2, s2);
    b2 -= common;
    s2 -= common;
    m2 -= common + (v->f_bits == 1);
    if (m2 < 0) {
        b2 -= m2;
        s2 -= m2;
        m2 = 0;
    }
    const int b_bits = v->f_bits + b2 + pow5_bits(b5), s_bits = s2 + 1 + pow5_bits(s5 + 1);
    if (b_bits >= 64 || s_bits >= 64) return false;
    const int unused = b_bits < 32 && s_bits < 32 ? 32 : 0;
#define WRAP(x) ((int64_t)((uint64_t)(x) << unused) >> unused)
    const uint64_t bf = power_of_5(b5);
    int64_t b = (int64_t)(v->f * bf << b2), m = (int64_t)(bf << m2);
    const int64_t s = (int64_t)(power_of_5(s5) << s2), tens = s * 10;
    stop st = {false, false};
    for (bool first = true; first || (!st.low && !st.high); first = false) {
        const int q = (int)(b / s);
        b = b % s * 10;
        m = WRAP((uint64_t)m * 10);
        st.low = m > 0 || first ? b < m : true;
        st.high = m > 0 || first ? WRAP((uint64_t)b + (uint64_t)m) > tens : true;
        if (first)
            st = after_first(g, q, st, &d);
        else
            g->d[g->n++] = (char)('0' + q);
    }
    g->exp = d + 1;
    const int64_t half = WRAP(((uint64_t)b << 1) - (uint64_t)tens);
#undef WRAP
    settle(g, st, (half > 0) - (half < 0));
    return true;
}

static bool
generate_128(const parts *v, int d, digits *g)
{
    int b2, m2, s2;
    scale(v, d, &b2, &m2, &s2);
    const int p5 = d < 0 ? -d : d;
    if (p5 > 27) return false;
    const int bits5 = pow5_bits(p5) + 1;
    if (v->f_bits + b2 + (d < 0 ? bits5 : 0) > 122 || s2 + (d > 0 ? bits5 : 0) > 122) return false;
    if (m2 + (d < 0 ? bits5 : 0) > 122) return false;
    wr_u128 five = 1;
    for (int i = 0; i < p5; i++) five *= 5;
    wr_u128 b = (wr_u128)v->f * (d < 0 ? five : 1) << b2;
    wr_u128 m = (wr_u128)(d < 0 ? five : 1) << m2;
    const wr_u128 s = (d > 0 ? five : 1) << s2;
    stop st = {false, false};
    for (bool first = true; first || (!st.low && !st.high); first = false) {
        int q = 0;
        for (int k = 3; k >= 0; k--)
            if (b >= s << k) {
                b -= s << k;
                q |= 1 << k;
            }
        /* 10 b against 10 m and 10 s: the tens cancel */
        st.low = b < m;
        st.high = b + m >= s;
        if (first)
            st = after_first(g, q, st, &d);
        else
            g->d[g->n++] = (char)('0' + q);
        if (!st.low && !st.high) {
            b *= 10;
            m *= 10;
        }
    }
    g->exp = d + 1;
    settle(g, st, (2 * b > s) - (2 * b < s));
    return true;
}

static void
generate_big(const parts *v, int d, digits *g)
{
    int b2, m2, s2;
    wri_big b, m, s, t;
    scale(v, d, &b2, &m2, &s2);
    wri_big_set(&b, v->f);
    wri_big_set(&m, 1);
    wri_big_set(&s, 1);
    if (d < 0) {
        wri_big_mul_pow5(&b, -d);
        wri_big_mul_pow5(&m, -d);
    } else {
        wri_big_mul_pow5(&s, d);
    }
    wri_big_shl(&b, b2);
    wri_big_shl(&m, m2);
    wri_big_shl(&s, s2);
    stop st = {false, false};
    for (bool first = true; first || (!st.low && !st.high); first = false) {
        int q = 0;
        for (; wri_big_cmp(&b, &s) >= 0; q++) wri_big_sub(&b, &s);
        st.low = wri_big_cmp(&b, &m) < 0;
        t = b;
        wri_big_add(&t, &m);
        st.high = wri_big_cmp(&t, &s) >= 0;
        if (first)
            st = after_first(g, q, st, &d);
        else
            g->d[g->n++] = (char)('0' + q);
        if (!st.low && !st.high) {
            wri_big_mul_add(&b, 10, 0);
            wri_big_mul_add(&m, 10, 0);
        }
    }
    g->exp = d + 1;
    wri_big_shl(&b, 1);
    settle(g, st, wri_big_cmp(&b, &s));
}

/* fraction: the significand with its leading one at bit 52; sig_bits: how many bits count. */
static void
generate(uint64_t fraction, int bin_exp, int sig_bits, digits *g)
{
    parts v = {.bin_exp = bin_exp, .sig_bits = sig_bits};
    const int zeros = __builtin_ctzll(fraction);
    v.f = fraction >> zeros;
    v.f_bits = 53 - zeros;
    v.e = bin_exp - v.f_bits + 1;
    v.half = bin_exp - sig_bits - (v.f_bits == 1);
    g->n = 0;
    if (v.e >= 0 && bin_exp <= 62) { /* a whole number */
        const int extra = bin_exp > sig_bits ? digits_within(bin_exp - sig_bits - 1) : 0;
        integer_digits(v.f << v.e, bin_exp - sig_bits - 1 > 1 ? extra : 0, g);
        return;
    }
    const int d = estimate_exponent(fraction, bin_exp);
    if (generate_word(&v, d, g) || generate_128(&v, d, g)) return;
    generate_big(&v, d, g);
}

static uint32_t
layout(const digits *g, char *out)
{
    char *p = out;
    if (g->exp > 0 && g->exp < 8) { /* ddd.ddd */
        for (int i = 0; i < g->exp; i++) *p++ = i < g->n ? g->d[i] : '0';
        *p++ = '.';
        if (g->n <= g->exp) *p++ = '0';
        for (int i = g->exp; i < g->n; i++) *p++ = g->d[i];
        return (uint32_t)(p - out);
    }
    if (g->exp <= 0 && g->exp > -3) { /* 0.00ddd */
        *p++ = '0';
        *p++ = '.';
        for (int i = g->exp; i < 0; i++) *p++ = '0';
        memcpy(p, g->d, (size_t)g->n);
        return (uint32_t)(p - out) + (uint32_t)g->n;
    }
    *p++ = g->d[0];
    *p++ = '.';
    if (g->n == 1) *p++ = '0';
    for (int i = 1; i < g->n; i++) *p++ = g->d[i];
    *p++ = 'E';
    const uint32_t n = wr_i64_print(g->exp - 1, p);
    return (uint32_t)(p - out) + n;
}

/* v in [1e-3, 1e7): the fewest decimals k such that a whole number / 10^k is v. Both are exact, so
 * the division is correctly rounded and the test is sound. */
static bool
short_decimal(double v, digits *g)
{
    static const double pow10[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    for (int k = 1; k < 10; k++) {
        const double t = v * pow10[k];
        if (t >= 1e15) return false;
        const int64_t m = (int64_t)(t + 0.5);
        if ((double)m / pow10[k] < v || (double)m / pow10[k] > v) continue;
        char text[WR_I64_TEXT_MAX];
        g->n = (int)wr_i64_print(m, text);
        g->exp = g->n - k;
        memcpy(g->d, text, (size_t)g->n);
        return true;
    }
    return false;
}

static uint32_t
special(bool nan, bool negative, char *out)
{
    const char *text = nan ? "NaN" : negative ? "-Infinity" : "Infinity";
    const uint32_t n = (uint32_t)strlen(text);
    memcpy(out, text, n);
    return n;
}

uint32_t
wr_f64_print(double v, char out[WR_F64_TEXT_MAX])
{
    uint64_t bits;
    memcpy(&bits, &v, 8);
    const bool negative = bits >> 63;
    const int field = (int)(bits >> 52 & 0x7ff);
    uint64_t fraction = bits & ((1ull << 52) - 1);
    uint32_t at = 0;
    if (field == 0x7ff) return special(fraction != 0, negative, out);
    if (negative) out[at++] = '-';
    if (field == 0 && fraction == 0) {
        memcpy(out + at, "0.0", 3);
        return at + 3;
    }
    digits g = {.n = 0};
    const double magnitude = negative ? -v : v;
    const bool plain = magnitude >= 1e-3 && magnitude < 1e7 && fraction != 0;
    if (!plain || !short_decimal(magnitude, &g)) {
        int bin_exp = field - 1023, sig_bits = 53;
        if (field == 0) { /* subnormal: move the leading one to bit 52 */
            const int shift = __builtin_clzll(fraction) - 11;
            fraction <<= shift;
            bin_exp = 1 - shift - 1023;
            sig_bits = 53 - shift;
        } else {
            fraction |= 1ull << 52;
        }
        generate(fraction, bin_exp, sig_bits, &g);
    }
    return at + layout(&g, out + at);
}

uint32_t
wr_f32_print(float v, char out[WR_F64_TEXT_MAX])
{
    uint32_t bits;
    memcpy(&bits, &v, 4);
    const bool negative = bits >> 31;
    const int field = (int)(bits >> 23 & 0xff);
    uint64_t fraction = (uint64_t)(bits & ((1u << 23) - 1)) << 29;
    uint32_t at = 0;
    if (field == 0xff) return special(fraction != 0, negative, out);
    if (negative) out[at++] = '-';
    if (field == 0 && fraction == 0) {
        memcpy(out + at, "0.0", 3);
        return at + 3;
    }
    digits g = {.n = 0};
    int bin_exp = field - 127, sig_bits = 24;
    if (field == 0) {
        const int shift = __builtin_clzll(fraction) - 11;
        fraction <<= shift;
        bin_exp = 1 - shift - 127;
        sig_bits = 24 - shift;
    } else {
        fraction |= 1ull << 52;
    }
    generate(fraction, bin_exp, sig_bits, &g);
    return at + layout(&g, out + at);
}
