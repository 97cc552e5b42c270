/* SPDX-License-Identifier: Apache-2.0 */
/* Values to text as Flink's csv and json formats write them. Private to format/. */
#ifndef WR_FORMAT_PRINT_H
#define WR_FORMAT_PRINT_H

#include "vec/vec.h"

#define WRI_TIME_TEXT_MAX 48u

/* Each writes at most WRI_TIME_TEXT_MAX bytes and returns how many. */
uint32_t wri_print_date(int64_t days, char *out);             /* 2024-01-02, +12024-01-02 */
uint32_t wri_print_time(int64_t ms, int32_t nano, char *out); /* 10:00:00[.f] without zeros */
uint32_t wri_print_timestamp(int64_t ms, int32_t nano, char sep, bool z, char *out);
/* BigDecimal of the value with trailing zeros stripped: toString (1E+3) or toPlainString. */
uint32_t wri_print_stripped(wr_i128 v, int scale, bool plain, char *out);
/* Milliseconds and nanoseconds within them of a TIMESTAMP or TIMESTAMP_LTZ entry. */
void wri_ts_parts(const wr_vec *v, uint32_t i, int64_t *ms, int32_t *nano);
/* Unscaled value of a DECIMAL entry. */
wr_i128 wri_decimal_at(const wr_vec *v, uint32_t i);
int64_t wri_integer_at(const wr_vec *v, uint32_t i); /* BOOL, I8..I64 */

#endif
