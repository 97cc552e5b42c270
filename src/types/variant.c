/* SPDX-License-Identifier: Apache-2.0 */
/* Reading VARIANT bytes (README.md) in place, and as JSON. Readers of fields and items trust the
 * bytes; wr_variant_valid is for bytes that come from outside. */
#include "types/variant.h"

#include "types/datetime.h"
#include "types/decimal.h"
#include "types/number.h"
#include "types/variant_int.h"

wr_variant_kind
wr_variant_kind_of(wr_str v)
{
    return v.len ? (wr_variant_kind)(uint8_t)v.ptr[0] : WR_VARIANT_NULL;
}

static bool
is_container(wr_str v)
{
    const wr_variant_kind k = wr_variant_kind_of(v);
    return k == WR_VARIANT_ARRAY || k == WR_VARIANT_OBJECT;
}

uint32_t
wr_variant_count(wr_str v)
{
    return is_container(v) ? wr_load32(v.ptr + 1) : 0;
}

/* The i-th item or entry of a container. */
static wr_str
slot(wr_str v, uint32_t i)
{
    const uint32_t count = wr_load32(v.ptr + 1);
    const char *offsets = v.ptr + 5, *body = offsets + 4 * ((size_t)count + 1);
    const uint32_t from = wr_load32(offsets + 4 * (size_t)i);
    const uint32_t to = wr_load32(offsets + 4 * ((size_t)i + 1));
    return (wr_str){body + from, to - from};
}

static void
split_entry(wr_str entry, wr_str *key, wr_str *value)
{
    const uint32_t n = wr_load32(entry.ptr);
    *key = (wr_str){entry.ptr + 4, n};
    *value = (wr_str){entry.ptr + 4 + n, entry.len - 4 - n};
}

bool
wr_variant_entry(wr_str v, uint32_t i, wr_str *key, wr_str *value)
{
    if (wr_variant_kind_of(v) != WR_VARIANT_OBJECT || i >= wr_variant_count(v)) return false;
    split_entry(slot(v, i), key, value);
    return true;
}

bool
wr_variant_item(wr_str v, int64_t index, wr_str *out)
{
    if (wr_variant_kind_of(v) != WR_VARIANT_ARRAY) return false;
    if (index < 1 || index > wr_variant_count(v)) return false;
    *out = slot(v, (uint32_t)(index - 1));
    return true;
}

bool
wr_variant_field(wr_str v, wr_str key, wr_str *out)
{
    if (wr_variant_kind_of(v) != WR_VARIANT_OBJECT) return false;
    uint32_t lo = 0, hi = wr_variant_count(v);
    while (lo < hi) {
        const uint32_t mid = lo + (hi - lo) / 2;
        wr_str k;
        split_entry(slot(v, mid), &k, out);
        const int c = wri_variant_key_cmp(k, key);
        if (c == 0) return true;
        if (c < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return false;
}

int
wri_variant_key_cmp(wr_str a, wr_str b)
{
    const size_t n = WR_MIN(a.len, b.len);
    const int c = n ? memcmp(a.ptr, b.ptr, n) : 0;
    return c ? c : (a.len > b.len) - (a.len < b.len);
}

/* ---- validity -------------------------------------------------------------------------------- */
static bool valid_at(wr_str v, uint32_t depth);

static bool
valid_container(wr_str v, uint32_t depth, bool object)
{
    if (v.len < 5) return false;
    const uint64_t count = wr_load32(v.ptr + 1);
    const uint64_t head = 5 + 4 * (count + 1);
    if (head > v.len || wr_load32(v.ptr + 5) != 0) return false;
    wr_str before = {NULL, 0};
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t from = wr_load32(v.ptr + 5 + 4 * (size_t)i);
        const uint32_t to = wr_load32(v.ptr + 9 + 4 * (size_t)i);
        if (to < from || to > v.len - head) return false;
        wr_str item = slot(v, i), key;
        if (object) {
            if (item.len < 4 || wr_load32(item.ptr) > item.len - 4) return false;
            split_entry(item, &key, &item);
            if (i && wri_variant_key_cmp(before, key) >= 0) return false;
            before = key;
        }
        if (!valid_at(item, depth + 1)) return false;
    }
    return head + wr_load32(v.ptr + 5 + 4 * (size_t)count) == v.len;
}

static bool
valid_at(wr_str v, uint32_t depth)
{
    static const uint8_t fixed[] = {1, 1, 1, 2, 3, 5, 9, 5, 9, 18, 0, 5, 9, 9};
    if (v.len == 0 || depth > WR_SQL_DEPTH_MAX) return false;
    const uint8_t kind = (uint8_t)v.ptr[0];
    if (kind > WR_VARIANT_OBJECT) return false;
    if (kind == WR_VARIANT_STRING || kind == WR_VARIANT_BYTES) return true;
    if (kind == WR_VARIANT_ARRAY || kind == WR_VARIANT_OBJECT)
        return valid_container(v, depth, kind == WR_VARIANT_OBJECT);
    return v.len == fixed[kind] && (kind != WR_VARIANT_DECIMAL || (uint8_t)v.ptr[1] <= 38);
}

bool
wr_variant_valid(wr_str v)
{
    return valid_at(v, 0);
}

/* ---- JSON ------------------------------------------------------------------------------------ */
static void
put_json_string(wr_text *out, wr_str s)
{
    static const char hex[] = "0123456789ABCDEF";
    wr_text_putc(out, '"');
    size_t from = 0;
    for (size_t i = 0; i < s.len; i++) {
        const unsigned char c = (unsigned char)s.ptr[i];
        if (c >= 0x20 && c != '"' && c != '\\') continue;
        static const char names[] = "\b\f\n\r\t\"\\", letters[] = "bfnrt\"\\";
        const char *at = c ? strchr(names, c) : NULL;
        wr_text_put(out, s.ptr + from, i - from);
        from = i + 1;
        if (at) {
            const char escape[2] = {'\\', letters[at - names]};
            wr_text_put(out, escape, 2);
        } else {
            const char escape[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
            wr_text_put(out, escape, 6);
        }
    }
    wr_text_put(out, s.ptr + from, s.len - from);
    wr_text_putc(out, '"');
}

static int64_t
load_int(const char *p, size_t n)
{
    uint64_t u = 0;
    memcpy(&u, p, n);
    const unsigned unused = (unsigned)(64 - 8 * n);
    return (int64_t)(u << unused) >> unused;
}

static void
put_base64(wr_text *out, wr_str s)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    wr_text_putc(out, '"');
    for (size_t i = 0; i < s.len; i += 3) {
        const size_t left = s.len - i;
        uint32_t u = (uint32_t)(unsigned char)s.ptr[i] << 16;
        if (left > 1) u |= (uint32_t)(unsigned char)s.ptr[i + 1] << 8;
        if (left > 2) u |= (unsigned char)s.ptr[i + 2];
        const char quad[4] = {digits[u >> 18], digits[u >> 12 & 63],
                              left > 1 ? digits[u >> 6 & 63] : '=',
                              left > 2 ? digits[u & 63] : '='};
        wr_text_put(out, quad, 4);
    }
    wr_text_putc(out, '"');
}

static void
put_time(wr_text *out, wr_str v)
{
    char buf[WR_DT_TEXT_MAX];
    uint32_t n;
    if (wr_variant_kind_of(v) == WR_VARIANT_DATE) {
        n = wr_date_print(load_int(v.ptr + 1, 4), buf);
    } else {
        const int64_t us = load_int(v.ptr + 1, 8), ms = wr_floor_div(us, 1000);
        n = wr_ts_print(wr_ts_of(ms, (int32_t)(us - ms * 1000) * 1000), 6, buf);
    }
    wr_text_putc(out, '"');
    wr_text_put(out, buf, n);
    wr_text_putc(out, '"');
}

static void
put_number(wr_text *out, wr_str v)
{
    char buf[WR_DEC_TEXT_MAX];
    uint32_t n = 0;
    switch (wr_variant_kind_of(v)) {
    case WR_VARIANT_F32: {
        float f;
        memcpy(&f, v.ptr + 1, 4);
        n = wr_f32_print(f, buf);
        break;
    }
    case WR_VARIANT_F64: {
        double d;
        memcpy(&d, v.ptr + 1, 8);
        n = wr_f64_print(d, buf);
        break;
    }
    case WR_VARIANT_DECIMAL: {
        wr_i128 d;
        memcpy(&d, v.ptr + 2, 16);
        n = wr_dec_print(d, (uint8_t)v.ptr[1], buf);
        break;
    }
    case WR_VARIANT_NULL:
    case WR_VARIANT_FALSE:
    case WR_VARIANT_TRUE:
    case WR_VARIANT_I8:
    case WR_VARIANT_I16:
    case WR_VARIANT_I32:
    case WR_VARIANT_I64:
    case WR_VARIANT_STRING:
    case WR_VARIANT_DATE:
    case WR_VARIANT_TIMESTAMP:
    case WR_VARIANT_TIMESTAMP_LTZ:
    case WR_VARIANT_BYTES:
    case WR_VARIANT_ARRAY:
    case WR_VARIANT_OBJECT:
        n = wr_i64_print(load_int(v.ptr + 1, v.len - 1), buf);
        break;
    }
    wr_text_put(out, buf, n);
}

static void
put_container(wr_text *out, wr_str v)
{
    const bool object = wr_variant_kind_of(v) == WR_VARIANT_OBJECT;
    const uint32_t count = wr_variant_count(v);
    wr_text_putc(out, object ? '{' : '[');
    for (uint32_t i = 0; i < count; i++) {
        wr_str item = slot(v, i);
        if (i) wr_text_putc(out, ',');
        if (object) {
            wr_str key;
            split_entry(item, &key, &item);
            put_json_string(out, key);
            wr_text_putc(out, ':');
        }
        wr_variant_to_json(item, out);
    }
    wr_text_putc(out, object ? '}' : ']');
}

void
wr_variant_to_json(wr_str v, wr_text *out)
{
    switch (wr_variant_kind_of(v)) {
    case WR_VARIANT_NULL:
        wr_text_puts(out, "null");
        return;
    case WR_VARIANT_FALSE:
        wr_text_puts(out, "false");
        return;
    case WR_VARIANT_TRUE:
        wr_text_puts(out, "true");
        return;
    case WR_VARIANT_STRING:
        put_json_string(out, (wr_str){v.ptr + 1, v.len - 1});
        return;
    case WR_VARIANT_BYTES:
        put_base64(out, (wr_str){v.ptr + 1, v.len - 1});
        return;
    case WR_VARIANT_DATE:
    case WR_VARIANT_TIMESTAMP:
    case WR_VARIANT_TIMESTAMP_LTZ:
        put_time(out, v);
        return;
    case WR_VARIANT_ARRAY:
    case WR_VARIANT_OBJECT:
        put_container(out, v);
        return;
    case WR_VARIANT_I8:
    case WR_VARIANT_I16:
    case WR_VARIANT_I32:
    case WR_VARIANT_I64:
    case WR_VARIANT_F32:
    case WR_VARIANT_F64:
    case WR_VARIANT_DECIMAL:
        put_number(out, v);
        return;
    }
}
