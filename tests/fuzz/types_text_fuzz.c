/* SPDX-License-Identifier: Apache-2.0 */
/* Arbitrary text and bytes to the readers of this room: numbers (against the C library), decimals,
 * dates, intervals, JSON to VARIANT, VARIANT bytes, bitmaps, time zone files. */
#include "types/bitmap.h"
#include "types/datetime.h"
#include "types/decimal.h"
#include "types/number.h"
#include "types/tz_int.h"
#include "types/variant.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
numbers(wr_str s)
{
    char z[256], why[512];
    double d, want;
    float f;
    wr_i128 v;
    int p, scale;
    if (s.len < sizeof z && wr_f64_parse(s.ptr, s.len, &d)) {
        memcpy(z, s.ptr, s.len);
        z[s.len] = 0;
        want = strtod(z, NULL);
        WR_ASSERT(memcmp(&d, &want, 8) == 0);
        const float fwant = strtof(z, NULL);
        WR_ASSERT(wr_f32_parse(s.ptr, s.len, &f) && memcmp(&f, &fwant, 4) == 0);
        char out[WR_F64_TEXT_MAX];
        const uint32_t n = wr_f64_print(d, out);
        double back;
        WR_ASSERT(wr_f64_parse_java(out, n, &back) && memcmp(&back, &d, 8) == 0);
    }
    (void)wr_f64_parse_java(s.ptr, s.len, &d);
    (void)wr_f32_parse_java(s.ptr, s.len, &f);
    (void)wr_dec_from_text(s.ptr, s.len, 38, 10, &v);
    (void)wr_dec_cast_text(s, 9, 2, &v, why);
    (void)wr_dec_cast_text(s, 20, 2, &v, why);
    (void)wr_dec_literal(s.ptr, s.len, &v, &p, &scale);
}

static void
times(wr_str s)
{
    char why[WR_WHY_MAX], out[WR_DT_TEXT_MAX];
    int32_t i;
    int p;
    int64_t v, big;
    wr_ts t;
    if (wr_date_parse(s, &i, why)) (void)wr_date_print(i, out);
    if (wr_time_parse(s, &i, why)) (void)wr_time_print(i, 3, out);
    if (wr_ts_parse(s, &t, why)) (void)wr_ts_print(t, 9, out);
    (void)wr_date_literal(s, &i);
    (void)wr_time_literal(s, &i, &p);
    (void)wr_ts_literal(s, &t, &p);
    (void)wr_interval_literal(s, WR_UNIT_DAY, WR_UNIT_SECOND, 2, 6, &v, &big);
    (void)wr_interval_literal(s, WR_UNIT_YEAR, WR_UNIT_MONTH, 4, 0, &v, &big);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > 1u << 16) return 0;
    wr_arena *a = wr_arena_create(NULL, 0);
    const wr_str s = {(const char *)data + 1, size - 1};
    wr_text out, json;
    char why[WR_VARIANT_WHY_MAX];
    wr_text_init(&out, a);
    wr_text_init(&json, a);
    switch (data[0] % 6) {
    case 0:
        numbers(s);
        break;
    case 1:
        times(s);
        break;
    case 2:
        if (wr_variant_from_json(s, data[0] & 0x80, &out, why)) {
            WR_ASSERT(wr_variant_valid(wr_text_str(&out)));
            wr_variant_to_json(wr_text_str(&out), &json);
        }
        break;
    case 3:
        if (wr_variant_valid(s)) wr_variant_to_json(s, &json);
        break;
    case 4:
        (void)wr_bitmap_print_bytes(s, &out);
        break;
    default: {
        wr_tz tz;
        memset(&tz, 0, sizeof tz);
        if (wri_tz_parse_file(a, (const uint8_t *)s.ptr, s.len, &tz)) {
            (void)wr_tz_to_utc(&tz, 1700000000000);
            (void)wr_tz_offset_at(&tz, INT64_MAX);
            (void)wr_tz_offset_at(&tz, INT64_MIN);
        }
        break;
    }
    }
    wr_arena_destroy(a);
    return 0;
}
