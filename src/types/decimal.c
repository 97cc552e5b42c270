/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal arithmetic. Fast paths stay in 128 bits; the rest goes through `wide`, 256 bits of
 * magnitude and a sign. */
#include "types/decimal.h"

#include "types/number.h"

typedef struct wide {
    uint32_t w[8]; /* little endian */
    bool negative;
} wide;

#define P19 10000000000000000000ull

wr_i128
wr_dec_pow10(int n)
{
    static const uint64_t small[20] = {1ull,
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
                                       1000000000000000000ull,
                                       P19};
    WR_KASSERT(n >= 0 && n <= 38);
    if (n < 20) return (wr_i128)small[n];
    return (wr_i128)((wr_u128)P19 * small[n - 19]);
}

static wr_u128
magnitude(wr_i128 v)
{
    return v < 0 ? (wr_u128)0 - (wr_u128)v : (wr_u128)v;
}

bool
wr_dec_fits(wr_i128 v, int p)
{
    return magnitude(v) < (wr_u128)wr_dec_pow10(p);
}

int
wr_dec_digits(wr_i128 v)
{
    const wr_u128 m = magnitude(v);
    int lo = 1, hi = 39;
    while (lo < hi) { /* the smallest n with m < 10^n */
        const int mid = (lo + hi) / 2;
        if (mid > 38 || m < (wr_u128)wr_dec_pow10(mid))
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

/* ---- 256 bits -------------------------------------------------------------------------------- */
static wide
wide_of(wr_i128 v)
{
    wide x = {.negative = v < 0};
    wr_u128 m = magnitude(v);
    for (int i = 0; i < 4; i++, m >>= 32) x.w[i] = (uint32_t)m;
    return x;
}

/* x *= m; false when it does not fit. */
static bool
wide_mul(wide *x, wr_u128 m)
{
    uint32_t f[4], r[12] = {0};
    for (int i = 0; i < 4; i++, m >>= 32) f[i] = (uint32_t)m;
    for (int j = 0; j < 4; j++) {
        uint64_t carry = 0;
        for (int i = 0; i < 8; i++) {
            carry += (uint64_t)x->w[i] * f[j] + r[i + j];
            r[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        r[8 + j] = (uint32_t)carry;
    }
    memcpy(x->w, r, sizeof x->w);
    return (r[8] | r[9] | r[10] | r[11]) == 0;
}

static bool
wide_mul_pow10(wide *x, int n)
{
    for (; n > 38; n -= 38)
        if (!wide_mul(x, (wr_u128)wr_dec_pow10(38))) return false;
    return wide_mul(x, (wr_u128)wr_dec_pow10(n));
}

static int
wide_cmp(const wide *a, const wide *b) /* magnitudes */
{
    for (int i = 7; i >= 0; i--)
        if (a->w[i] != b->w[i]) return a->w[i] < b->w[i] ? -1 : 1;
    return 0;
}

/* a += b with signs; magnitudes stay below 2^255. */
static void
wide_add(wide *a, const wide *b)
{
    if (a->negative == b->negative) {
        uint64_t carry = 0;
        for (int i = 0; i < 8; i++) {
            carry += (uint64_t)a->w[i] + b->w[i];
            a->w[i] = (uint32_t)carry;
            carry >>= 32;
        }
        return;
    }
    const bool swap = wide_cmp(a, b) < 0;
    const wide *big = swap ? b : a, *small = swap ? a : b;
    wide r = {.negative = big->negative};
    int64_t borrow = 0;
    for (int i = 0; i < 8; i++) {
        const int64_t d = (int64_t)big->w[i] - small->w[i] + borrow;
        r.w[i] = (uint32_t)d;
        borrow = d < 0 ? -1 : 0;
    }
    *a = r;
}

static int
limbs_of(const uint32_t *w, int n)
{
    while (n > 0 && w[n - 1] == 0) n--;
    return n;
}

/* One step of schoolbook division: the digit of u[j..j+n] by v[0..n), subtracting it from u. */
static uint32_t
divide_step(uint32_t *u, const uint32_t *v, int n)
{
    const uint64_t top = (uint64_t)u[n] << 32 | u[n - 1];
    uint64_t q = top / v[n - 1], r = top % v[n - 1];
    while (q >> 32 || (n > 1 && q * v[n - 2] > (r << 32 | u[n - 2]))) {
        q--;
        r += v[n - 1];
        if (r >> 32) break;
    }
    int64_t borrow = 0;
    uint64_t carry = 0;
    for (int i = 0; i < n; i++) {
        carry += q * v[i];
        const int64_t d = (int64_t)u[i] - (int64_t)(uint32_t)carry + borrow;
        u[i] = (uint32_t)d;
        borrow = d < 0 ? -1 : 0;
        carry >>= 32;
    }
    const int64_t d = (int64_t)u[n] - (int64_t)carry + borrow;
    u[n] = (uint32_t)d;
    if (d >= 0) return (uint32_t)q;
    carry = 0; /* one too many: add back */
    for (int i = 0; i < n; i++) {
        carry += (uint64_t)u[i] + v[i];
        u[i] = (uint32_t)carry;
        carry >>= 32;
    }
    u[n] += (uint32_t)carry;
    return (uint32_t)(q - 1);
}

/* Magnitudes: quotient into *x, remainder returned in *rem (d != 0). */
static void
wide_divmod(wide *x, const wide *by, wide *rem)
{
    uint32_t u[9] = {0}, v[8], q[8] = {0};
    const int n = limbs_of(by->w, 8), m = limbs_of(x->w, 8);
    memset(rem, 0, sizeof *rem);
    if (m < n) {
        memcpy(rem->w, x->w, sizeof x->w);
        memset(x->w, 0, sizeof x->w);
        return;
    }
    const int shift = __builtin_clz(by->w[n - 1]);
    for (int i = n - 1; i >= 0; i--) {
        const uint64_t below = i > 0 && shift ? by->w[i - 1] >> (32 - shift) : 0;
        v[i] = (uint32_t)((uint64_t)by->w[i] << shift | below);
    }
    for (int i = m; i >= 0; i--) {
        const uint64_t here = i < m ? (uint64_t)x->w[i] << shift : 0;
        const uint64_t below = i > 0 && shift ? x->w[i - 1] >> (32 - shift) : 0;
        u[i] = (uint32_t)(here | below);
    }
    for (int j = m - n; j >= 0; j--) q[j] = divide_step(u + j, v, n);
    for (int i = 0; i < n; i++) {
        const uint64_t above = shift ? (uint64_t)u[i + 1] << (32 - shift) : 0;
        rem->w[i] = (uint32_t)(u[i] >> shift | above);
    }
    memcpy(x->w, q, sizeof q);
}

static void
wide_increment(wide *x)
{
    for (int i = 0; i < 8 && ++x->w[i] == 0; i++) {
    }
}

static bool
wide_is_zero(const wide *x)
{
    return limbs_of(x->w, 8) == 0;
}

/* Should a quotient with remainder `rem` by `by` move away from zero? */
static bool
rounds_away(const wide *rem, const wide *by, bool negative, wr_dec_mode mode)
{
    if (wide_is_zero(rem) || mode == WR_DEC_DOWN) return false;
    if (mode == WR_DEC_FLOOR) return negative;
    if (mode == WR_DEC_CEIL) return !negative;
    wide twice = *rem;
    uint32_t carry = 0;
    for (int i = 0; i < 8; i++) {
        const uint32_t w = twice.w[i];
        twice.w[i] = w << 1 | carry;
        carry = w >> 31;
    }
    return carry || wide_cmp(&twice, by) >= 0;
}

/* Divide by 10^n, n >= 0, rounding by `mode`. */
static void
wide_div_pow10(wide *x, int n, wr_dec_mode mode)
{
    if (n == 0) return;
    wide rem, by = wide_of(1);
    if (n > 76) { /* nothing is left but its sign and that it is not zero */
        const bool some = !wide_is_zero(x);
        memset(x->w, 0, sizeof x->w);
        const bool away = some && ((mode == WR_DEC_FLOOR && x->negative) ||
                                   (mode == WR_DEC_CEIL && !x->negative));
        if (away) wide_increment(x);
        return;
    }
    (void)wide_mul_pow10(&by, n); /* 10^76 < 2^253 */
    wide_divmod(x, &by, &rem);
    if (rounds_away(&rem, &by, x->negative, mode)) wide_increment(x);
}

static bool
wide_get(const wide *x, int p, wr_i128 *out)
{
    if (x->w[4] | x->w[5] | x->w[6] | x->w[7]) return false;
    wr_u128 m = 0;
    for (int i = 3; i >= 0; i--) m = m << 32 | x->w[i];
    if (m >= (wr_u128)wr_dec_pow10(p)) return false;
    *out = x->negative ? -(wr_i128)m : (wr_i128)m;
    return true;
}

/* x of scale s to (p, to_s). */
static bool
wide_finish(wide *x, int s, int p, int to_s, wr_dec_mode mode, wr_i128 *out)
{
    if (to_s >= s) {
        if (!wide_mul_pow10(x, to_s - s)) return false;
    } else {
        wide_div_pow10(x, s - to_s, mode);
    }
    return wide_get(x, p, out);
}

/* ---- operations ------------------------------------------------------------------------------ */
/* v / 10^n HALF_UP in 128 bits, 0 <= n <= 38 */
static wr_i128
div_pow10_half_up(wr_i128 v, int n)
{
    if (n == 0) return v;
    const wr_u128 d = (wr_u128)wr_dec_pow10(n), m = magnitude(v);
    wr_u128 q, r;
    if ((uint64_t)(m >> 64) == 0 && (uint64_t)(d >> 64) == 0) {
        q = (uint64_t)m / (uint64_t)d;
        r = (uint64_t)m % (uint64_t)d;
    } else {
        q = m / d;
        r = m % d;
    }
    q += r >= d - r;
    return v < 0 ? -(wr_i128)q : (wr_i128)q;
}

bool
wr_dec_rescale(wr_i128 v, int s, int to_p, int to_s, wr_i128 *out)
{
    if (to_s >= s) {
        wr_i128 r;
        const int up = to_s - s;
        if (up > 38) {
            *out = 0;
            return v == 0;
        }
        if (__builtin_mul_overflow(v, wr_dec_pow10(up), &r)) return false;
        *out = r;
        return wr_dec_fits(r, to_p);
    }
    *out = s - to_s > 38 ? 0 : div_pow10_half_up(v, s - to_s);
    return wr_dec_fits(*out, to_p);
}

static bool
add_wide(wr_i128 a, int sa, wr_i128 b, int sb, int p, int s, wr_i128 *out)
{
    const int smax = WR_MAX(sa, sb);
    wide x = wide_of(a), y = wide_of(b);
    if (!wide_mul_pow10(&x, smax - sa) || !wide_mul_pow10(&y, smax - sb)) return false;
    wide_add(&x, &y);
    return wide_finish(&x, smax, p, s, WR_DEC_HALF_UP, out);
}

bool
wr_dec_add(wr_i128 a, int sa, wr_i128 b, int sb, int p, int s, wr_i128 *out)
{
    wr_i128 x, y, r;
    const int smax = WR_MAX(sa, sb);
    if (__builtin_mul_overflow(a, wr_dec_pow10(smax - sa), &x) ||
        __builtin_mul_overflow(b, wr_dec_pow10(smax - sb), &y) || __builtin_add_overflow(x, y, &r))
        return add_wide(a, sa, b, sb, p, s, out);
    return wr_dec_rescale(r, smax, p, s, out);
}

bool
wr_dec_sub(wr_i128 a, int sa, wr_i128 b, int sb, int p, int s, wr_i128 *out)
{
    return wr_dec_add(a, sa, -b, sb, p, s, out);
}

bool
wr_dec_mul(wr_i128 a, int sa, wr_i128 b, int sb, int p, int s, wr_i128 *out)
{
    wr_i128 r;
    if (!__builtin_mul_overflow(a, b, &r)) return wr_dec_rescale(r, sa + sb, p, s, out);
    wide x = wide_of(a);
    (void)wide_mul(&x, magnitude(b)); /* < 10^76 */
    x.negative = (a < 0) != (b < 0);
    return wide_finish(&x, sa + sb, p, s, WR_DEC_HALF_UP, out);
}

/* The quotient is first rounded to 38 significant digits and then to the scale asked for. The first
 * rounding cannot change the second when numerator < 10^36: then quotient and divisor have at most
 * 38 digits together, so that a remainder below one half stays clear of one half by more than what
 * the first rounding moves. Such quotients need no more than 128 bits. */
static bool
div_fast(wr_i128 a, wr_i128 b, int up, int p, wr_i128 *out, bool *fits)
{
    wr_i128 num;
    if (up < 0 || up > 36) return false;
    if (__builtin_mul_overflow(a, wr_dec_pow10(up), &num)) return false;
    const wr_u128 m = magnitude(num), d = magnitude(b);
    if (m >= (wr_u128)wr_dec_pow10(36)) return false;
    wr_u128 q, r;
    if (m >> 64 == 0 && d >> 64 == 0) {
        q = (uint64_t)m / (uint64_t)d;
        r = (uint64_t)m % (uint64_t)d;
    } else {
        q = m / d;
        r = m - q * d;
    }
    q += r >= d - r;
    *out = (a < 0) != (b < 0) ? -(wr_i128)q : (wr_i128)q;
    *fits = wr_dec_fits(*out, p);
    return true;
}

bool
wr_dec_div(wr_i128 a, int sa, wr_i128 b, int sb, int p, int s, wr_i128 *out)
{
    bool fits;
    if (a == 0) {
        *out = 0;
        return true;
    }
    if (div_fast(a, b, s + sb - sa, p, out, &fits)) return fits;
    /* |a| 10^k / |b| with 38 digits before the point */
    int k = 38 - wr_dec_digits(a) + wr_dec_digits(b);
    wide x = wide_of(a), by = wide_of(b), rem;
    by.negative = false;
    (void)wide_mul_pow10(&x, k); /* < 10^(38 + 38) */
    wide q = x;
    wide_divmod(&q, &by, &rem);
    wide limit = wide_of(wr_dec_pow10(38));
    if (wide_cmp(&q, &limit) >= 0) { /* 39 digits: one less */
        k--;
        q = wide_of(a);
        (void)wide_mul_pow10(&q, k);
        wide_divmod(&q, &by, &rem);
    }
    q.negative = (a < 0) != (b < 0);
    if (rounds_away(&rem, &by, q.negative, WR_DEC_HALF_UP)) wide_increment(&q);
    return wide_finish(&q, k + sa - sb, p, s, WR_DEC_HALF_UP, out);
}

bool
wr_dec_mod(wr_i128 a, int sa, wr_i128 b, int sb, int p, int s, wr_i128 *out)
{
    const int smax = WR_MAX(sa, sb);
    wr_i128 x, y;
    if (!__builtin_mul_overflow(a, wr_dec_pow10(smax - sa), &x) &&
        !__builtin_mul_overflow(b, wr_dec_pow10(smax - sb), &y))
        return wr_dec_rescale(y == -1 ? 0 : x % y, smax, p, s, out);
    wide u = wide_of(a), v = wide_of(b), rem;
    (void)wide_mul_pow10(&u, smax - sa);
    (void)wide_mul_pow10(&v, smax - sb);
    wide_divmod(&u, &v, &rem);
    rem.negative = a < 0;
    return wide_finish(&rem, smax, p, s, WR_DEC_HALF_UP, out);
}

int
wr_dec_cmp(wr_i128 a, int sa, wr_i128 b, int sb)
{
    if (sa == sb) return (a > b) - (a < b);
    if ((a < 0) != (b < 0)) return a < 0 ? -1 : 1;
    const int smax = WR_MAX(sa, sb);
    wr_i128 x, y;
    if (!__builtin_mul_overflow(a, wr_dec_pow10(smax - sa), &x) &&
        !__builtin_mul_overflow(b, wr_dec_pow10(smax - sb), &y))
        return (x > y) - (x < y);
    wide u = wide_of(a), v = wide_of(b);
    (void)wide_mul_pow10(&u, smax - sa);
    (void)wide_mul_pow10(&v, smax - sb);
    const int c = wide_cmp(&u, &v);
    return a < 0 ? -c : c;
}

bool
wr_dec_round(wr_i128 v, int s, int r, wr_dec_mode mode, int to_p, int to_s, wr_i128 *out)
{
    wide x = wide_of(v);
    if (r < s) {
        r = WR_MAX(r, -77);
        wide_div_pow10(&x, s - r, mode);
        s = r;
    }
    if (s < 0) {
        if (!wide_mul_pow10(&x, -s)) return false;
        s = 0;
    }
    return wide_finish(&x, s, to_p, to_s, WR_DEC_HALF_UP, out);
}

/* ---- to and from other types ----------------------------------------------------------------- */
int64_t
wr_dec_to_i64(wr_i128 v, int s)
{
    return (int64_t)(uint64_t)(wr_u128)(v / wr_dec_pow10(s));
}

double
wr_dec_to_f64(wr_i128 v, int s)
{
    static const double pow10[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    /* both exact: one rounding */
    if (magnitude(v) >> 53 == 0 && s < 23) return (double)(int64_t)v / pow10[s];
    char text[WR_DEC_TEXT_MAX];
    const uint32_t n = wr_dec_print(v, s, text);
    double d = 0;
    (void)wr_f64_parse(text, n, &d);
    return d;
}

bool
wr_dec_from_f64(double d, int p, int s, wr_i128 *out)
{
    char text[WR_F64_TEXT_MAX];
    const uint32_t n = wr_f64_print(d, text);
    return wr_dec_from_text(text, n, p, s, out) == WR_DEC_OK;
}
