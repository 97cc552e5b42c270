/* SPDX-License-Identifier: Apache-2.0 */
/* Decimals as text. */
#include "types/decimal.h"

/* Digits of |v| into out, without leading zeros ("0" for 0). */
static uint32_t
put_digits(wr_i128 v, char out[40])
{
    char rev[40];
    uint32_t n = 0;
    wr_u128 m = v < 0 ? (wr_u128)0 - (wr_u128)v : (wr_u128)v;
    while (m >> 64) {
        rev[n++] = (char)('0' + (int)(m % 10));
        m /= 10;
    }
    uint64_t low = (uint64_t)m;
    do {
        rev[n++] = (char)('0' + (int)(low % 10));
        low /= 10;
    } while (low);
    for (uint32_t i = 0; i < n; i++) out[i] = rev[n - 1 - i];
    return n;
}

uint32_t
wr_dec_print(wr_i128 v, int s, char out[WR_DEC_TEXT_MAX])
{
    char digits[40];
    const uint32_t n = put_digits(v, digits), scale = (uint32_t)s;
    uint32_t at = 0;
    if (v < 0) out[at++] = '-';
    if (n <= scale) {
        out[at++] = '0';
        out[at++] = '.';
        for (uint32_t i = n; i < scale; i++) out[at++] = '0';
        memcpy(out + at, digits, n);
        return at + n;
    }
    memcpy(out + at, digits, n - scale);
    at += n - scale;
    if (scale) {
        out[at++] = '.';
        memcpy(out + at, digits + n - scale, scale);
        at += scale;
    }
    return at;
}

uint32_t
wr_dec_print_java(wr_i128 v, int s, char out[WR_DEC_TEXT_MAX])
{
    char digits[40];
    const uint32_t n = put_digits(v, digits);
    const int adjusted = (int)n - 1 - s;
    if (adjusted >= -6) return wr_dec_print(v, s, out);
    uint32_t at = 0;
    if (v < 0) out[at++] = '-';
    out[at++] = digits[0];
    if (n > 1) {
        out[at++] = '.';
        memcpy(out + at, digits + 1, n - 1);
        at += n - 1;
    }
    out[at++] = 'E';
    out[at++] = '-';
    const int e = -adjusted; /* 7..38 */
    if (e >= 10) out[at++] = (char)('0' + e / 10);
    out[at++] = (char)('0' + e % 10);
    return at;
}

/* ---- parsing --------------------------------------------------------------------------------- */
/* A number as significant digits and the power of ten of the last one; digits beyond 76 are dropped
 * and only remembered as "something". */
typedef struct scan {
    char digits[76];
    int count;   /* significant digits kept */
    int64_t exp; /* value = digits * 10^exp */
    bool negative, sticky, any;
} scan;

static void
scan_digit(scan *n, char c, bool fraction)
{
    n->any = true;
    if (n->count == 0 && c == '0') { /* leading zero */
        if (fraction) n->exp--;
        return;
    }
    if (n->count < (int)sizeof n->digits) {
        n->digits[n->count++] = c;
        if (fraction) n->exp--;
        return;
    }
    n->sticky = n->sticky || c != '0';
    if (!fraction) n->exp++;
}

static const char *
scan_exponent(scan *n, const char *p, const char *end)
{
    bool negative = false;
    int64_t e = 0;
    p++;
    if (p < end && (*p == '+' || *p == '-')) negative = *p++ == '-';
    if (p == end) return NULL;
    for (; p < end && *p >= '0' && *p <= '9'; p++)
        if (e < 1000000000000) e = e * 10 + (*p - '0');
    n->exp += negative ? -e : e;
    return p;
}

static bool
scan_number(scan *n, const char *p, size_t len)
{
    const char *end = p + len;
    memset(n, 0, sizeof *n);
    if (p < end && (*p == '+' || *p == '-')) n->negative = *p++ == '-';
    for (; p < end && *p >= '0' && *p <= '9'; p++) scan_digit(n, *p, false);
    if (p < end && *p == '.')
        for (p++; p < end && *p >= '0' && *p <= '9'; p++) scan_digit(n, *p, true);
    if (!n->any) return false;
    if (p < end && (*p == 'e' || *p == 'E')) {
        p = scan_exponent(n, p, end);
        if (!p) return false;
    }
    return p == end;
}

/* The scanned number at scale s, rounded HALF_UP, if it has at most p digits. */
static wr_dec_parse
scan_finish(const scan *n, int p, int s, wr_i128 *out)
{
    *out = 0;
    if (n->count == 0) return WR_DEC_OK;
    const int64_t shift = n->exp + s;       /* result = digits * 10^shift */
    const int64_t whole = n->count + shift; /* digits of the result before rounding */
    if (whole > p + 1 || whole > 39) return WR_DEC_OVERFLOW;
    if (whole < 0) return WR_DEC_OK; /* below a tenth of the last digit */
    wr_u128 v = 0;
    for (int64_t i = 0; i < whole; i++) {
        const char c = i < n->count ? n->digits[i] : '0';
        if (v > ((wr_u128)-1 - 9) / 10) return WR_DEC_OVERFLOW;
        v = v * 10 + (unsigned)(c - '0');
    }
    if (whole < n->count && n->digits[whole] >= '5') v++;
    if (v >= (wr_u128)wr_dec_pow10(p)) return WR_DEC_OVERFLOW;
    *out = n->negative ? -(wr_i128)v : (wr_i128)v;
    return WR_DEC_OK;
}

wr_dec_parse
wr_dec_from_text(const char *text, size_t len, int p, int s, wr_i128 *out)
{
    scan n;
    *out = 0;
    if (!scan_number(&n, text, len)) return WR_DEC_INVALID;
    return scan_finish(&n, p, s, out);
}

wr_dec_parse
wr_dec_literal(const char *text, size_t len, wr_i128 *out, int *p, int *s)
{
    wr_u128 v = 0;
    int digits = 0, scale = 0;
    bool point = false;
    for (size_t i = 0; i < len; i++) {
        const char c = text[i];
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (c < '0' || c > '9') return WR_DEC_INVALID;
        digits++;
        if (point) scale++;
        if (digits > WR_DECIMAL_MAX || scale > WR_DECIMAL_MAX) return WR_DEC_OVERFLOW;
        v = v * 10 + (unsigned)(c - '0');
    }
    *out = (wr_i128)v;
    *s = scale;
    *p = WR_MAX(digits, 1);
    return len == 0 || (point && len == 1) ? WR_DEC_INVALID : WR_DEC_OK;
}
