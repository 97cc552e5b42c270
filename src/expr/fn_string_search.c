/* SPDX-License-Identifier: Apache-2.0 */
/* String functions that look for strings in strings: finding, replacing, splitting. Byte search is
 * exact on UTF-8; positions are turned into code points at the end. */
#include "expr/fn_int.h"
#include "expr/str_int.h"

static int32_t
position_of(wr_str s, size_t byte)
{
    return (int32_t)(wri_cp_count((wr_str){s.ptr, byte}) + 1);
}

/* ---- finding --------------------------------------------------------------------------------- */

/* POSITION and LOCATE: (sub, s[, from]). The empty string is at 1. */
wr_status
wri_k_locate(wr_fn_call *call)
{
    wr_view sub = wri_view(call, 0), s = wri_view(call, 1), at = {0};
    bool has_from = call->arg_count > 2;
    if (has_from) at = wri_view(call, 2);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str v = wr_view_str(&s, row), w = wr_view_str(&sub, row);
        int64_t from = has_from ? wri_int(&at, call->args[2]->phys, row) : 1;
        int32_t found = 0;
        if (w.len == 0) {
            found = 1;
        } else {
            size_t start = from > 1 ? wri_cp_skip(v, 0, (uint64_t)(from - 1)) : 0;
            size_t hit = wri_find(v, w, start);
            if (hit != SIZE_MAX) found = position_of(v, hit);
        }
        WRI_OUT(call, int32_t)[row] = found;
    }
    return WR_OK;
}

/* The nth occurrence from `from` on, occurrences may overlap. */
static int32_t
instr(wr_str s, wr_str sub, int64_t from, int64_t nth)
{
    if (from == 0) return 0;
    if (from > 0) {
        if (sub.len == 0) return 1;
        size_t at = wri_cp_skip(s, 0, (uint64_t)(from - 1));
        for (;;) {
            at = wri_find(s, sub, at);
            if (at == SIZE_MAX) return 0;
            if (--nth == 0) return position_of(s, at);
            at += wri_cp_bytes(s.ptr + at, s.ptr + s.len);
        }
    }
    const char *limit = s.ptr + s.len;
    for (int64_t i = -1; i > from && limit > s.ptr; i--) limit = wri_cp_prev(s.ptr, limit);
    if (limit == s.ptr && s.len > 0) return 0;
    size_t end = (size_t)(limit - s.ptr);
    for (;;) {
        size_t at = wri_rfind(s, sub, end);
        if (at == SIZE_MAX) return 0;
        if (--nth == 0) return position_of(s, at);
        if (at + sub.len == 0) return 0;
        end = (size_t)(wri_cp_prev(s.ptr, s.ptr + at + sub.len) - s.ptr);
    }
}

wr_status
wri_k_instr(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0), sub = wri_view(call, 1), at = {0}, n = {0};
    if (call->arg_count > 2) at = wri_view(call, 2);
    if (call->arg_count > 3) n = wri_view(call, 3);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        int64_t from = call->arg_count > 2 ? wri_int(&at, call->args[2]->phys, row) : 1;
        int64_t nth = call->arg_count > 3 ? wri_int(&n, call->args[3]->phys, row) : 1;
        if (nth <= 0) {
            wr_row_err(call->errs, row, WR_DATA, "nthAppearance must be positive!");
            wri_null(call, row);
            continue;
        }
        WRI_OUT(call, int32_t)
        [row] = instr(wr_view_str(&s, row), wr_view_str(&sub, row), from, nth);
    }
    return WR_OK;
}

/* Two strings, or two binaries. */
wr_status
wri_r_starts(wr_ctx *ctx, wr_fn_bind *b)
{
    bool strings = true, binaries = true;
    for (uint32_t i = 0; i < 2; i++) {
        bool null = wr_type_is(b->arg_types[i], WR_T_NULL);
        strings = strings && (null || wr_type_is_string(b->arg_types[i]));
        binaries = binaries && (null || wr_type_is_binary(b->arg_types[i]));
    }
    if (!strings && !binaries) return wri_refuse_style(ctx, b);
    return wri_result_id(ctx, b, WR_T_BOOLEAN);
}

static wr_status
at_side(wr_fn_call *call, bool end)
{
    wr_view s = wri_view(call, 0), w = wri_view(call, 1);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str v = wr_view_str(&s, row), part = wr_view_str(&w, row);
        bool hit = part.len <= v.len &&
                   (part.len == 0 ||
                    memcmp(end ? v.ptr + v.len - part.len : v.ptr, part.ptr, part.len) == 0);
        WRI_OUT(call, uint8_t)[row] = hit;
    }
    return WR_OK;
}

wr_status
wri_k_startswith(wr_fn_call *call)
{
    return at_side(call, false);
}

wr_status
wri_k_endswith(wr_fn_call *call)
{
    return at_side(call, true);
}

/* ---- replacing ------------------------------------------------------------------------------- */

/* An empty search string is found before every code point and at the end. */
static void
replace_empty(wr_text *t, wr_str s, wr_str by)
{
    const char *p = s.ptr, *end = s.ptr + s.len;
    wr_text_put(t, by.ptr, by.len);
    while (p < end) {
        size_t n = wri_cp_bytes(p, end);
        wr_text_put(t, p, n);
        wr_text_put(t, by.ptr, by.len);
        p += n;
    }
}

wr_status
wri_k_replace(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0), f = wri_view(call, 1), r = wri_view(call, 2);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str v = wr_view_str(&s, row), from = wr_view_str(&f, row), by = wr_view_str(&r, row);
        size_t hit = from.len ? wri_find(v, from, 0) : 0;
        if (hit == SIZE_MAX) {
            wri_put_ref(call, row, v.ptr, v.len);
            continue;
        }
        wr_text t;
        wr_text_init(&t, call->arena);
        if (from.len == 0) {
            replace_empty(&t, v, by);
        } else {
            size_t at = 0;
            for (; hit != SIZE_MAX; hit = wri_find(v, from, at)) {
                wr_text_put(&t, v.ptr + at, hit - at);
                wr_text_put(&t, by.ptr, by.len);
                at = hit + from.len;
            }
            wr_text_put(&t, v.ptr + at, v.len - at);
        }
        if (t.failed) return wr_text_raise(call->ctx, &t);
        wr_str out = wr_text_str(&t);
        wri_put_ref(call, row, out.ptr, out.len);
    }
    return WR_OK;
}

/* Strings; NULL as second or third counts as empty. */
wr_status
wri_r_translate(wr_ctx *ctx, wr_fn_bind *b)
{
    for (uint32_t i = 0; i < 3; i++)
        if (!wr_type_is_string(b->arg_types[i]) && !wr_type_is(b->arg_types[i], WR_T_NULL))
            return wri_refuse_style(ctx, b);
    return wri_result_null(ctx, b, wr_type_string(true), b->arg_types[0]->nullable);
}

/* The code point that takes the place of `c`: 0 bytes = dropped, SIZE_MAX = not translated. */
static wr_str
translated(wr_str from, wr_str to, wr_str c)
{
    size_t at = 0, n = 0;
    while (at < from.len) {
        size_t k = wri_cp_bytes(from.ptr + at, from.ptr + from.len);
        if (k == c.len && memcmp(from.ptr + at, c.ptr, k) == 0) break;
        at += k;
        n++;
    }
    if (at >= from.len) return (wr_str){NULL, SIZE_MAX};
    size_t pos = wri_cp_skip(to, 0, n);
    if (pos >= to.len) return (wr_str){"", 0};
    return (wr_str){to.ptr + pos, wri_cp_bytes(to.ptr + pos, to.ptr + to.len)};
}

wr_status
wri_k_translate(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0), f = wri_view(call, 1), t = wri_view(call, 2);
    WR_FOR_CALL(call, row)
    {
        if (wri_arg_null(call, 0, row)) {
            wri_null(call, row);
            continue;
        }
        wr_str v = wr_view_str(&s, row), from = {"", 0}, to = {"", 0};
        if (!wri_arg_null(call, 1, row)) from = wr_view_str(&f, row);
        if (!wri_arg_null(call, 2, row)) to = wr_view_str(&t, row);
        if (v.len > UINT32_MAX / 4) {
            wr_row_err(call->errs, row, WR_LIMIT, "the argument of TRANSLATE is too long");
            continue;
        }
        char *p = wri_room(call, 4 * v.len); /* a byte becomes a code point at most */
        if (!p) return call->ctx->err.status;
        size_t len = 0;
        for (size_t at = 0; at < v.len;) {
            wr_str c = {v.ptr + at, wri_cp_bytes(v.ptr + at, v.ptr + v.len)};
            wr_str by = translated(from, to, c);
            if (by.len == SIZE_MAX) by = c;
            if (by.len) memcpy(p + len, by.ptr, by.len);
            len += by.len;
            at += c.len;
        }
        wri_put_ref(call, row, p, len);
    }
    return WR_OK;
}

/* ---- splitting ------------------------------------------------------------------------------- */

/* (s, delimiter string or character number, index) */
wr_status
wri_r_split_index(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *s = b->arg_types[0], *d = b->arg_types[1], *i = b->arg_types[2];
    bool null0 = wr_type_is(s, WR_T_NULL), null1 = wr_type_is(d, WR_T_NULL);
    bool ok = (null0 || wr_type_is_string(s)) &&
              (null1 || wr_type_is_string(d) || wr_type_is_integer(d)) &&
              (wr_type_is(i, WR_T_NULL) || wr_type_is_integer(i));
    if (!ok) return wri_refuse(ctx, b, NULL);
    return wri_result_null(ctx, b, wr_type_string(true), true);
}

/* A bit, the highest of its byte, for each byte of the word that is `c`. */
WR_ALWAYS_INLINE uint64_t
bytes_that_are(uint64_t word, char c)
{
    const uint64_t low = 0x7f7f7f7f7f7f7f7full;
    const uint64_t x = word ^ 0x0101010101010101ull * (uint8_t)c;
    return ~(((x & low) + low) | x | low);
}

/* The place of the n-th (from 0) byte `c` from `at` on; SIZE_MAX: there are not so many. Eight
 * bytes at a time: parts of urls and the like are short, a call for each would cost more. */
static size_t
find_byte(wr_str s, size_t at, char c, uint64_t n)
{
    for (; at < s.len; at += 8) {
        const size_t left = s.len - at;
        uint64_t word = 0;
        if (left >= 8)
            word = wr_load64(s.ptr + at);
        else
            memcpy(&word, s.ptr + at, left);
        uint64_t hits = bytes_that_are(word, c);
        if (left < 8) hits &= ((uint64_t)1 << 8 * left) - 1;
        for (; hits; hits &= hits - 1)
            if (n-- == 0) return at + (size_t)__builtin_ctzll(hits) / 8;
    }
    return SIZE_MAX;
}

static bool
split_by_byte(wr_str s, char c, int64_t index, wr_str *out)
{
    size_t at = 0;
    if (index > 0) {
        at = find_byte(s, 0, c, (uint64_t)index - 1);
        if (at == SIZE_MAX) return false;
        at++;
    }
    const size_t end = find_byte(s, at, c, 0);
    *out = (wr_str){s.ptr + at, (end == SIZE_MAX ? s.len : end) - at};
    return true;
}

/* Without a delimiter, blanks separate and runs of them count as one place each. */
static bool
split_part(wr_str s, wr_str delim, int64_t index, wr_str *out)
{
    if (s.len == 0 || index < 0) return false;
    if (delim.len == 0) delim = WR_STR(" ");
    if (delim.len == 1) return split_by_byte(s, delim.ptr[0], index, out);
    size_t at = 0;
    for (;;) {
        size_t hit = wri_find(s, delim, at);
        if (index == 0) {
            *out = (wr_str){s.ptr + at, (hit == SIZE_MAX ? s.len : hit) - at};
            return true;
        }
        if (hit == SIZE_MAX) return false;
        at = hit + delim.len;
        index--;
    }
}

wr_status
wri_k_split_index(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0), d = wri_view(call, 1), n = wri_view(call, 2);
    bool number = wr_type_is_integer(call->args[1]->type);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        char buf[4];
        wr_str delim, part;
        if (number) {
            int64_t c = wri_int(&d, call->args[1]->phys, row);
            if (c < 1 || c > 255) {
                wri_null(call, row);
                continue;
            }
            delim = (wr_str){buf, wr_utf8_put(buf, (uint32_t)c)};
        } else {
            delim = wr_view_str(&d, row);
        }
        if (split_part(wr_view_str(&s, row), delim, wri_int(&n, call->args[2]->phys, row), &part))
            wri_put_ref(call, row, part.ptr, part.len);
        else
            wri_null(call, row);
    }
    return WR_OK;
}

static uint32_t
split_count(wr_str s, wr_str delim)
{
    if (s.len == 0) return 0; /* no part, not an empty one */
    if (delim.len == 0) return (uint32_t)wri_cp_count(s);
    uint32_t n = 1;
    for (size_t at = 0; (at = wri_find(s, delim, at)) != SIZE_MAX; at += delim.len) n++;
    return n;
}

wr_status
wri_k_split(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0), d = wri_view(call, 1);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str v = wr_view_str(&s, row), delim = wr_view_str(&d, row);
        uint32_t off = 0, n = split_count(v, delim);
        WR_TRY(wri_put_list(call, row, n, &off));
        wr_strv *items = (wr_strv *)call->out->child[0].data + off;
        size_t at = 0;
        for (uint32_t i = 0; i < n; i++) {
            size_t end = v.len;
            if (delim.len == 0 && v.len > 0) {
                end = at + wri_cp_bytes(v.ptr + at, v.ptr + v.len);
            } else if (delim.len > 0) {
                size_t hit = wri_find(v, delim, at);
                if (hit != SIZE_MAX) end = hit;
            }
            items[i] = wr_strv_make(v.ptr + at, (uint32_t)(end - at));
            at = end + delim.len;
        }
    }
    return WR_OK;
}
