/* SPDX-License-Identifier: Apache-2.0 */
/* Values as text. Two families: SQL (CAST AS STRING, and the client's display, which shows bytes as
 * x'..') and Java (what the print connector writes). */
#include "types/bitmap.h"
#include "types/datetime.h"
#include "types/decimal.h"
#include "types/number.h"
#include "types/variant.h"
#include "vec/cast.h"
#include "vec/cast_int.h"

#define AT(v, T, i) (((const T *)(v)->data)[i])

static void
put_hex(wr_text *out, wr_str s)
{
    static const char hex[] = "0123456789abcdef";
    wr_text_puts(out, "x'");
    for (size_t i = 0; i < s.len; i++) {
        const unsigned char c = (unsigned char)s.ptr[i];
        const char pair[2] = {hex[c >> 4], hex[c & 15]};
        wr_text_put(out, pair, 2);
    }
    wr_text_putc(out, '\'');
}

/* Java's Arrays.toString of a byte[]: [1, -2] */
static void
put_byte_list(wr_text *out, wr_str s)
{
    char number[WR_I64_TEXT_MAX];
    wr_text_putc(out, '[');
    for (size_t i = 0; i < s.len; i++) {
        if (i) wr_text_puts(out, ", ");
        wr_text_put(out, number, wr_i64_print((signed char)s.ptr[i], number));
    }
    wr_text_putc(out, ']');
}

static void
put_str(wri_text_style style, const wr_type *t, wr_str s, wr_text *out)
{
    switch (t->id) {
    case WR_T_VARIANT:
        wr_variant_to_json(s, out);
        return;
    case WR_T_BITMAP:
        if (!wr_bitmap_print_bytes(s, out)) wr_text_puts(out, "{?}");
        return;
    case WR_T_BINARY:
    case WR_T_VARBINARY:
    case WR_T_RAW:
        if (style == WRI_TEXT_DISPLAY)
            put_hex(out, s);
        else if (style == WRI_TEXT_JAVA)
            put_byte_list(out, s);
        else
            wri_put_utf8(out, s);
        return;
    default:
        wr_text_put(out, s.ptr, s.len);
        return;
    }
}

wr_ts
wri_ts_get(const wr_vec *v, uint32_t entry)
{
    if (v->phys == WR_PHYS_TS) return AT(v, wr_ts, entry);
    return wr_ts_of(AT(v, int64_t, entry), 0);
}

static uint32_t
print_timestamp(wri_text_style style, const wr_vec *v, uint32_t entry, const wr_tz *tz, char *buf)
{
    wr_ts t = wri_ts_get(v, entry);
    const bool ltz = v->type->id == WR_T_TIMESTAMP_LTZ;
    if (style == WRI_TEXT_JAVA)
        return ltz ? wr_instant_print_java(t, buf) : wr_ts_print_java(t, buf);
    if (ltz) t.ms = wr_tz_to_local(tz, t.ms);
    return wr_ts_print(t, v->type->precision, buf);
}

static int64_t
interval_get(const wr_vec *v, uint32_t entry)
{
    return v->phys == WR_PHYS_I32 ? AT(v, int32_t, entry) : AT(v, int64_t, entry);
}

static uint32_t
print_decimal(wri_text_style style, const wr_vec *v, uint32_t entry, char *buf)
{
    const wr_i128 x = wri_exact_get(v, entry);
    const int s = v->type->scale;
    return style == WRI_TEXT_JAVA ? wr_dec_print_java(x, s, buf) : wr_dec_print(x, s, buf);
}

static uint32_t
copy_c(char *buf, const char *text)
{
    const size_t n = strlen(text);
    memcpy(buf, text, n);
    return (uint32_t)n;
}

uint32_t
wri_scalar_print(wri_text_style style, const wr_vec *v, uint32_t entry, const wr_tz *tz, char *buf)
{
    const bool java = style == WRI_TEXT_JAVA;
    switch (v->type->id) {
    case WR_T_BOOLEAN:
        if (java) return copy_c(buf, AT(v, uint8_t, entry) ? "true" : "false");
        return copy_c(buf, AT(v, uint8_t, entry) ? "TRUE" : "FALSE");
    case WR_T_TINYINT:
        return wr_i64_print(AT(v, int8_t, entry), buf);
    case WR_T_SMALLINT:
        return wr_i64_print(AT(v, int16_t, entry), buf);
    case WR_T_INT:
        return wr_i64_print(AT(v, int32_t, entry), buf);
    case WR_T_BIGINT:
        return wr_i64_print(AT(v, int64_t, entry), buf);
    case WR_T_FLOAT:
        return wr_f32_print(AT(v, float, entry), buf);
    case WR_T_DOUBLE:
        return wr_f64_print(AT(v, double, entry), buf);
    case WR_T_DECIMAL:
        return print_decimal(style, v, entry, buf);
    case WR_T_DATE: {
        const int32_t d = AT(v, int32_t, entry);
        return java ? wr_date_print_java(d, buf) : wr_date_print(d, buf);
    }
    case WR_T_TIME: {
        const int32_t t = AT(v, int32_t, entry);
        return java ? wr_time_print_java(t, buf) : wr_time_print(t, v->type->precision, buf);
    }
    case WR_T_TIMESTAMP:
    case WR_T_TIMESTAMP_LTZ:
        return print_timestamp(style, v, entry, tz, buf);
    case WR_T_INTERVAL_YM:
    case WR_T_INTERVAL_DT: {
        const int64_t i = interval_get(v, entry);
        return java ? wr_interval_print_java(v->type, i, buf) : wr_interval_print(v->type, i, buf);
    }
    default:
        return 0;
    }
}

static void
put_row(wri_text_style style, const wr_vec *v, uint32_t entry, const wr_tz *tz, wr_text *out)
{
    const bool java = style == WRI_TEXT_JAVA;
    const bool named = v->type->id == WR_T_STRUCTURED && !java;
    wr_text_puts(out, java ? "+I[" : "(");
    for (uint32_t c = 0; c < v->child_count; c++) {
        if (c) wr_text_puts(out, ", ");
        if (named) {
            const wr_str name = v->type->fields[c].name;
            wr_text_put(out, name.ptr, name.len);
            wr_text_putc(out, '=');
        }
        wri_put_value(style, &v->child[c], entry, tz, out);
    }
    wr_text_puts(out, java ? "]" : ")");
}

/* [a, b] or {k=v, k=v} */
static void
put_list(wri_text_style style, const wr_vec *v, wr_list l, const wr_tz *tz, wr_text *out)
{
    const bool map = v->phys == WR_PHYS_MAP;
    const uint64_t *order = NULL;
    if (map && style == WRI_TEXT_JAVA && l.len > 1) {
        order = wri_map_order(&v->child[0], l, false, out->arena);
        if (!order) out->failed = true;
    }
    wr_text_putc(out, map ? '{' : '[');
    for (uint32_t i = 0; i < l.len; i++) {
        const uint32_t k = order ? (uint32_t)order[i] : i;
        if (i) wr_text_puts(out, ", ");
        wri_put_value(style, &v->child[0], l.off + k, tz, out);
        if (!map) continue;
        wr_text_putc(out, '=');
        wri_put_value(style, &v->child[1], l.off + k, tz, out);
    }
    wr_text_putc(out, map ? '}' : ']');
}

void
wri_put_value(wri_text_style style, const wr_vec *v, uint32_t row, const wr_tz *tz, wr_text *out)
{
    char buf[WRI_SCALAR_TEXT_MAX];
    if (wr_vec_is_null(v, row)) {
        wr_text_puts(out, style == WRI_TEXT_JAVA ? "null" : "NULL");
        return;
    }
    const uint32_t entry = wr_vec_index(v, row);
    switch (v->phys) {
    case WR_PHYS_STR:
        put_str(style, v->type, wr_strv_str(&AT(v, wr_strv, entry)), out);
        return;
    case WR_PHYS_LIST:
    case WR_PHYS_MAP:
        put_list(style, v, AT(v, wr_list, entry), tz, out);
        return;
    case WR_PHYS_ROW:
        put_row(style, v, entry, tz, out);
        return;
    default:
        wr_text_put(out, buf, wri_scalar_print(style, v, entry, tz, buf));
        return;
    }
}

void
wr_value_display(const wr_vec *v, uint32_t row, const wr_tz *tz, wr_text *out)
{
    wri_put_value(WRI_TEXT_DISPLAY, v, row, tz, out);
}

void
wr_value_print_java(const wr_vec *v, uint32_t row, const wr_tz *tz, wr_text *out)
{
    wri_put_value(WRI_TEXT_JAVA, v, row, tz, out);
}

void
wr_boxed_display(const wr_value *v, const wr_tz *tz, wr_text *out)
{
    wr_vec one;
    if (wr_vec_init_const(&one, v, out->arena))
        wr_value_display(&one, 0, tz, out);
    else
        out->failed = true;
}

/* ---- bytes as text --------------------------------------------------------------------------- */
/* How many bytes of a broken sequence at p count as one bad character, as Java's decoder counts. */
static size_t
bad_bytes(const unsigned char *p, size_t left)
{
#define CONT(i) ((p[i] & 0xc0) == 0x80)
    if (p[0] >= 0xe0 && p[0] <= 0xef) {
        if (left < 2) return 1;
        const bool low = p[0] == 0xe0 && p[1] < 0xa0;
        if (!CONT(1) || low) return 1;
        return left < 3 || !CONT(2) ? 2 : 3; /* cut short, or a surrogate */
    }
    if (p[0] >= 0xf0 && p[0] <= 0xf4) {
        if (left < 2) return 1;
        const bool off = (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f);
        if (!CONT(1) || off) return 1;
        return left < 3 || !CONT(2) ? 2 : 3;
    }
#undef CONT
    return 1;
}

void
wri_put_utf8(wr_text *out, wr_str s)
{
    if (wr_utf8_valid(s.ptr, s.len)) {
        wr_text_put(out, s.ptr, s.len);
        return;
    }
    const char *p = s.ptr, *end = p + s.len;
    while (p < end) {
        const char *from = p;
        const unsigned char lead = (unsigned char)*p;
        const size_t want = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
        const size_t n = WR_MIN(want, (size_t)(end - p));
        if (n == want && wr_utf8_valid(from, n)) {
            wr_text_put(out, from, n);
            p += n;
        } else {
            wr_text_puts(out, "\xef\xbf\xbd");
            p += bad_bytes((const unsigned char *)p, (size_t)(end - p));
        }
    }
}
