/* SPDX-License-Identifier: Apache-2.0 */
/* Exact decimal arithmetic to 38 digits, with the results of Java's BigDecimal as Flink uses it.
 *
 * A decimal is an unscaled wr_i128 and a scale that the type knows; results come with the precision
 * and scale asked for, rounded HALF_UP (away from zero). Functions return false when the result has
 * more than `p` digits: SQL makes that NULL. Intermediates have 256 bits; nothing allocates. */
#ifndef WR_TYPES_DECIMAL_H
#define WR_TYPES_DECIMAL_H

#include "types/types.h"

wr_i128 wr_dec_pow10(int n);        /* 0..38 */
bool wr_dec_fits(wr_i128 v, int p); /* |v| < 10^p */
int wr_dec_digits(wr_i128 v);       /* decimal digits of |v|; 1 for 0 */

bool wr_dec_rescale(wr_i128 v, int s, int to_p, int to_s, wr_i128 *out);
bool wr_dec_add(wr_i128 a, int sa, wr_i128 b, int sb, int p, int s, wr_i128 *out);
bool wr_dec_sub(wr_i128 a, int sa, wr_i128 b, int sb, int p, int s, wr_i128 *out);
bool wr_dec_mul(wr_i128 a, int sa, wr_i128 b, int sb, int p, int s, wr_i128 *out);
/* Quotient to 38 significant digits, then to `s`. b != 0. */
bool wr_dec_div(wr_i128 a, int sa, wr_i128 b, int sb, int p, int s, wr_i128 *out);
bool wr_dec_mod(wr_i128 a, int sa, wr_i128 b, int sb, int p, int s, wr_i128 *out); /* b != 0 */
int wr_dec_cmp(wr_i128 a, int sa, wr_i128 b, int sb);                              /* <0 0 >0 */

/* ROUND and TRUNCATE to `r` digits behind the point (negative: before it), FLOOR and CEIL; then to
 * (to_p, to_s). */
typedef enum wr_dec_mode { WR_DEC_HALF_UP, WR_DEC_DOWN, WR_DEC_FLOOR, WR_DEC_CEIL } wr_dec_mode;
bool wr_dec_round(wr_i128 v, int s, int r, wr_dec_mode mode, int to_p, int to_s, wr_i128 *out);

/* BigDecimal.longValue: toward zero, low 64 bits. */
int64_t wr_dec_to_i64(wr_i128 v, int s);
double wr_dec_to_f64(wr_i128 v, int s); /* correctly rounded */
/* By way of the shortest text, as Flink does. NaN and infinities: use wr_dec_from_text's messages.
 */
bool wr_dec_from_f64(double d, int p, int s, wr_i128 *out);

#define WR_DEC_TEXT_MAX 48
uint32_t wr_dec_print(wr_i128 v, int s, char out[WR_DEC_TEXT_MAX]);      /* toPlainString */
uint32_t wr_dec_print_java(wr_i128 v, int s, char out[WR_DEC_TEXT_MAX]); /* toString: 0E-9 */

typedef enum wr_dec_parse { WR_DEC_OK, WR_DEC_OVERFLOW, WR_DEC_INVALID } wr_dec_parse;
/* A plain number: [+-]digits[.digits][(e|E)[+-]digits], nothing around it; rounded HALF_UP to (p,
 * s). */
wr_dec_parse wr_dec_from_text(const char *text, size_t len, int p, int s, wr_i128 *out);
/* As CAST from STRING reads, with all its leniency; on failure `why` (512 bytes) holds Flink's
 * message. */
bool wr_dec_cast_text(wr_str text, int p, int s, wr_i128 *out, char *why);
/* A numeric literal without sign or exponent, exactly: its value, precision (all digits as written)
 * and scale. Overflow: more than 38 digits. */
wr_dec_parse wr_dec_literal(const char *text, size_t len, wr_i128 *out, int *p, int *s);

#endif
