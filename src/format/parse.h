/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of numbers, dates, times and bytes to values, by the rules of the Java classes that Flink's
 * formats call (Integer.parseInt, LocalDate, LocalTime, Base64); floating point and decimals are in
 * types/. Private to format/. Nothing here allocates or raises: false means "does not parse". */
#ifndef WR_FORMAT_PARSE_H
#define WR_FORMAT_PARSE_H

#include "types/types.h"

/* String.trim(): bytes <= ' ' at both ends. */
wr_str wri_trim(wr_str s);

/* [+-]?digits within [min, max]. */
bool wri_parse_int(wr_str s, int64_t min, int64_t max, int64_t *out);
typedef struct wri_local_time {
    int64_t days; /* since 1970-01-01 */
    int64_t ms;   /* of the day */
    int32_t nano; /* within the millisecond */
} wri_local_time;

/* yyyy-MM-dd, a year beyond 9999 with a sign (ISO_LOCAL_DATE). Consumes a prefix of [*p, end). */
bool wri_scan_iso_date(const char **p, const char *end, int64_t *days);
/* HH:mm[:ss[.f{0,9}]]; `seconds`: the seconds may not be missing. Likewise. 24:00:00 is there too,
 * as 86400000 ms. */
bool wri_scan_time(const char **p, const char *end, bool seconds, wri_local_time *t);
/* date, `sep`, time and nothing else; `z`: followed by 'Z'. */
bool wri_parse_timestamp(wr_str s, char sep, bool seconds, bool z, wri_local_time *t);
/* java.sql.Date.valueOf: yyyy-[m]m-[d]d, days up to 31 in every month. */
bool wri_parse_sql_date(wr_str s, int64_t *days);

/* Base64 as Jackson's MIME-NO-LINEFEEDS variant reads it: padding required, white space between
 * units of four. `out` has room for len / 4 * 3 + 3. */
bool wri_format_base64_decode(wr_str s, uint8_t *out, size_t *out_len);
void wri_format_base64_encode(const uint8_t *p, size_t len, wr_text *out);

int64_t wri_days_from_civil(int64_t y, unsigned m, unsigned d);

#endif
