/* SPDX-License-Identifier: Apache-2.0 */
/* CAST of text to DECIMAL. Flink has two readers: a lenient one of its own for short texts and
 * precisions up to 18, which forgives one odd character behind the number (and so reads 'T' as 0),
 * and that of Java's BigDecimal for the rest. Both are kept, with their words. */
#include "types/decimal.h"

#include <stdio.h>

#define WHY_MAX     512
#define SHORT_BYTES 18

static bool
is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t';
}

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool
overflow(wr_str text, char *why)
{
    (void)snprintf(why, WHY_MAX, "For input string: '%.*s'. Overflow.", WR_STR_ARG(text));
    return false;
}

/* ---- the short reader ------------------------------------------------------------------------ */
typedef struct short_number {
    int64_t digits;
    int whole, fraction; /* digits before and behind the point, zeros included */
    int exp;
    bool negative;
} short_number;

/* (e|E)[+-]digits, or any other single character. */
static const char *
short_tail(const char *p, const char *end, short_number *n)
{
    if (*p++ != 'e' && p[-1] != 'E') return p;
    bool negative = false;
    if (p < end && (*p == '+' || *p == '-')) {
        negative = *p++ == '-';
        if (p == end) return NULL;
    }
    for (; p < end && is_digit(*p); p++) n->exp = n->exp * 10 + (*p - '0'); /* < 10^17 chars */
    if (negative) n->exp = -n->exp;
    return p < end ? p + 1 : p; /* the odd character */
}

static bool
short_scan(const char *p, const char *end, short_number *n)
{
    memset(n, 0, sizeof *n);
    bool point = false;
    while (p < end && is_blank(*p)) p++;
    if (p == end) return false;
    if (*p == '-' || *p == '+') n->negative = *p++ == '-';
    if (p == end) return false;
    for (; p < end; p++) {
        if (*p == '.') {
            if (point) return false;
            point = true;
        } else if (is_digit(*p)) {
            n->digits = n->digits * 10 + (*p - '0');
            if (point)
                n->fraction++;
            else
                n->whole++;
        } else {
            break;
        }
    }
    if (p < end) {
        if (end - p > 9 && (*p == 'e' || *p == 'E')) return false; /* no such exponent fits */
        p = short_tail(p, end, n);
        if (!p) return false;
    }
    while (p < end && is_blank(*p)) p++;
    return p == end;
}

static bool
short_text(wr_str text, int p, int s, wr_i128 *out, char *why)
{
    short_number n;
    if (!short_scan(text.ptr, text.ptr + text.len, &n)) return overflow(text, why);
    const int drop = n.fraction - n.exp - s; /* digits to round away; negative: zeros to append */
    if (n.whole + n.exp + s > p || drop > SHORT_BYTES) return overflow(text, why);
    const wr_i128 v = n.negative ? -n.digits : n.digits;
    if (!wr_dec_rescale(v, n.fraction - n.exp + 100, 38, s + 100, out) || !wr_dec_fits(*out, p))
        return overflow(text, why);
    return true;
}

/* ---- BigDecimal's reader --------------------------------------------------------------------- */
static bool
say(char *why, const char *what)
{
    (void)snprintf(why, WHY_MAX, "%s", what);
    return false;
}

/* Behind 'e': the checks of BigDecimal, in its order. */
static bool
big_exponent(const char *p, const char *end, char *why)
{
    if (p < end && (*p == '+' || *p == '-')) p++;
    if (p == end) return say(why, "No exponent digits.");
    while (end - p > 10 && *p == '0') p++;
    if (end - p > 10) return say(why, "Too many nonzero exponent digits.");
    for (; p < end; p++)
        if (!is_digit(*p)) return say(why, "Not a digit.");
    return true;
}

static bool
big_check(const char *p, const char *end, char *why)
{
    if (p < end && (*p == '-' || *p == '+')) p++;
    const bool compact = end - p <= SHORT_BYTES;
    bool point = false, any = false;
    for (; p < end; p++) {
        if (is_digit(*p)) {
            any = true;
        } else if (*p == '.') {
            if (point) return say(why, "Character array contains more than one decimal point.");
            point = true;
        } else if (*p == 'e' || *p == 'E') {
            if (!big_exponent(p + 1, end, why)) return false;
            break;
        } else if (compact) {
            const char *next = p;
            (void)wr_utf8_next(&next, end);
            (void)snprintf(why, WHY_MAX,
                           "Character %.*s is neither a decimal digit number, decimal point, nor "
                           "\"e\" notation exponential mark.",
                           (int)(next - p), p);
            return false;
        } else {
            return say(why, "Character array is missing \"e\" notation exponential mark.");
        }
    }
    return any || say(why, "No digits found.");
}

static bool
big_text(wr_str text, int p, int s, wr_i128 *out, char *why)
{
    const char *from = text.ptr, *end = from + text.len;
    while (from < end && is_blank(*from)) from++;
    while (from < end && is_blank(end[-1])) end--;
    if (from == end) { /* all blank: not trimmed */
        from = text.ptr;
        end = from + text.len;
    }
    if (!big_check(from, end, why)) return false;
    if (wr_dec_from_text(from, (size_t)(end - from), p, s, out) != WR_DEC_OK)
        return overflow(text, why);
    return true;
}

bool
wr_dec_cast_text(wr_str text, int p, int s, wr_i128 *out, char *why)
{
    *out = 0;
    if (p > SHORT_BYTES || text.len > SHORT_BYTES) return big_text(text, p, s, out, why);
    return short_text(text, p, s, out, why);
}
