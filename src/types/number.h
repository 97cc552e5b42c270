/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as text, both ways. Printing gives exactly the digits of Java's Double.toString and
 * Float.toString (as of Java 17: not always the shortest); parsing is correctly rounded. No locale,
 * no allocation. */
#ifndef WR_TYPES_NUMBER_H
#define WR_TYPES_NUMBER_H

#include "base/base.h"

#define WR_F64_TEXT_MAX 32
#define WR_I64_TEXT_MAX 24
uint32_t wr_f64_print(double v, char out[WR_F64_TEXT_MAX]); /* "1.0E10", "NaN", "-Infinity" */
uint32_t wr_f32_print(float v, char out[WR_F64_TEXT_MAX]);
uint32_t wr_i64_print(int64_t v, char out[WR_I64_TEXT_MAX]);

/* [+-]digits[.digits][(e|E)[+-]digits], all of it; false when it is no such number. Out of range
 * gives an infinity or zero. */
bool wr_f64_parse(const char *p, size_t len, double *out);
bool wr_f32_parse(const char *p, size_t len, float *out);
/* Java's Double.parseDouble: white space around, NaN, Infinity, hexadecimal, a suffix d or f. */
bool wr_f64_parse_java(const char *p, size_t len, double *out);
bool wr_f32_parse_java(const char *p, size_t len, float *out);

/* [+-]digits, all of it, within 64 bits. */
bool wr_i64_parse(const char *p, size_t len, int64_t *out);

#endif
