/* SPDX-License-Identifier: Apache-2.0 */
/* String functions: joining, measuring, cutting, filling. Positions count code points; strings of
 * ASCII take the short way. Results that are parts of an argument share its bytes. */
#include "expr/fn_int.h"
#include "expr/str_int.h"

/* A length times a count may exceed what a string may hold. */
static wr_status
too_long(wr_fn_call *call, uint32_t row)
{
    wr_row_err(call->errs, row, WR_LIMIT, "the result of %s is longer than 1 GiB",
               call->expr->fn->name);
    wri_null(call, row);
    return WR_OK;
}

/* Room for a result of at most `len` bytes: short ones live in the vector itself, so the caller's
 * own bytes will do. */
static char *
room(wr_fn_call *call, char small[12], size_t len)
{
    return len <= 12 ? small : wri_room(call, len);
}

/* ---- joining --------------------------------------------------------------------------------- */

/* Types of || : the lengths add up; CHAR only of two CHARs. */
wr_status
wri_r_concat_op(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *l = b->arg_types[0], *r = b->arg_types[1];
    bool ln = wr_type_is(l, WR_T_NULL), rn = wr_type_is(r, WR_T_NULL);
    if ((!wr_type_is_string(l) && !ln) || (!wr_type_is_string(r) && !rn))
        return wri_refuse(ctx, b, NULL);
    if (ln || rn) return wri_result(ctx, b, wr_type_string(true));
    int64_t len = (int64_t)l->length + r->length;
    if (len > WR_CHAR_LENGTH_MAX) len = WR_CHAR_LENGTH_MAX;
    wr_type_id id = wr_type_is(l, WR_T_CHAR) && wr_type_is(r, WR_T_CHAR) ? WR_T_CHAR : WR_T_VARCHAR;
    const wr_type *t = wr_type_char(b->arena, id, (int32_t)len, true);
    WR_TRY_ALLOC(ctx, t);
    return wri_result(ctx, b, t);
}

static wr_status
views_of(wr_fn_call *call, wr_view **out)
{
    wr_view *v = WR_NEW_N(call->arena, wr_view, call->arg_count);
    if (!v) return WRI_NOMEM(call);
    for (uint32_t i = 0; i < call->arg_count; i++) v[i] = wri_view(call, i);
    *out = v;
    return WR_OK;
}

wr_status
wri_k_concat(wr_fn_call *call)
{
    wr_view *v = NULL;
    WR_TRY(views_of(call, &v));
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        size_t len = 0;
        for (uint32_t i = 0; i < call->arg_count; i++) len += wr_view_str(&v[i], row).len;
        if (len > WR_STRING_BYTES_MAX) {
            WR_TRY(too_long(call, row));
            continue;
        }
        char small[12], *p = room(call, small, len);
        if (!p) return call->ctx->err.status;
        size_t at = 0;
        for (uint32_t i = 0; i < call->arg_count; i++) {
            wr_str s = wr_view_str(&v[i], row);
            if (s.len) memcpy(p + at, s.ptr, s.len);
            at += s.len;
        }
        wri_put_ref(call, row, p, len);
    }
    return WR_OK;
}

wr_status
wri_k_concat_ws(wr_fn_call *call)
{
    wr_view *v = NULL;
    WR_TRY(views_of(call, &v));
    WR_FOR_CALL(call, row)
    {
        if (wri_arg_null(call, 0, row)) {
            wri_null(call, row);
            continue;
        }
        wr_str sep = wr_view_str(&v[0], row);
        size_t len = 0;
        uint32_t parts = 0;
        for (uint32_t i = 1; i < call->arg_count; i++) {
            if (wri_arg_null(call, i, row)) continue;
            len += wr_view_str(&v[i], row).len + (parts > 0 ? sep.len : 0);
            parts++;
        }
        if (len > WR_STRING_BYTES_MAX) {
            WR_TRY(too_long(call, row));
            continue;
        }
        char small[12], *p = room(call, small, len);
        if (!p) return call->ctx->err.status;
        size_t at = 0;
        parts = 0;
        for (uint32_t i = 1; i < call->arg_count; i++) {
            if (wri_arg_null(call, i, row)) continue;
            if (parts++ > 0 && sep.len) {
                memcpy(p + at, sep.ptr, sep.len);
                at += sep.len;
            }
            wr_str s = wr_view_str(&v[i], row);
            if (s.len) memcpy(p + at, s.ptr, s.len);
            at += s.len;
        }
        wri_put_ref(call, row, p, len);
    }
    return WR_OK;
}

wr_status
wri_k_repeat(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0), n = wri_view(call, 1);
    uint8_t phys = call->args[1]->phys;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str v = wr_view_str(&s, row);
        int64_t times = wri_int(&n, phys, row);
        if (times <= 0 || v.len == 0) {
            wri_put_ref(call, row, "", 0);
            continue;
        }
        if ((uint64_t)times > WR_STRING_BYTES_MAX / v.len) {
            WR_TRY(too_long(call, row));
            continue;
        }
        char small[12], *p = room(call, small, v.len * (size_t)times);
        if (!p) return call->ctx->err.status;
        for (int64_t i = 0; i < times; i++) memcpy(p + v.len * (size_t)i, v.ptr, v.len);
        wri_put_ref(call, row, p, v.len * (size_t)times);
    }
    return WR_OK;
}

/* ---- measuring, single characters ------------------------------------------------------------ */

wr_status
wri_k_char_length(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        WRI_OUT(call, int32_t)[row] = (int32_t)wri_cp_count(wr_view_str(&s, row));
    }
    return WR_OK;
}

wr_status
wri_k_ascii(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str v = wr_view_str(&s, row);
        WRI_OUT(call, int32_t)[row] = v.len ? (signed char)v.ptr[0] : 0;
    }
    return WR_OK;
}

wr_status
wri_k_chr(wr_fn_call *call)
{
    wr_view n = wri_view(call, 0);
    uint8_t phys = call->args[0]->phys;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        int64_t v = wri_int(&n, phys, row);
        char buf[4];
        uint32_t len = v < 0 ? 0 : wr_utf8_put(buf, (uint32_t)(v & 0xff));
        wri_put_ref(call, row, buf, len); /* short: inline, so the buffer is not kept */
    }
    return WR_OK;
}

/* ---- case ------------------------------------------------------------------------------------ */

/* Cut to the declared length: upper case may be longer. */
static size_t
clip(wr_fn_call *call, const char *p, size_t len)
{
    int32_t max = call->expr->type->length;
    if (len <= (size_t)max) return len;
    return wri_cp_skip((wr_str){p, len}, 0, (uint64_t)max);
}

typedef size_t (*case_fn)(char *out, const char *p, size_t len);

/* `ascii` does for strings of ASCII, `any` for all. */
static wr_status
change_case(wr_fn_call *call, case_fn ascii, case_fn any)
{
    wr_view s = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str v = wr_view_str(&s, row);
        if (v.len > WR_STRING_BYTES_MAX / 3) {
            WR_TRY(too_long(call, row));
            continue;
        }
        bool plain = wri_str_ascii(v.ptr, v.len);
        char small[12], *p = room(call, small, plain ? v.len : 3 * v.len);
        if (!p) return call->ctx->err.status;
        size_t len = plain ? ascii(p, v.ptr, v.len) : any(p, v.ptr, v.len);
        wri_put_ref(call, row, p, plain ? len : clip(call, p, len));
    }
    return WR_OK;
}

static size_t
ascii_upper(char *out, const char *p, size_t len)
{
    for (size_t i = 0; i < len; i++) out[i] = (char)(p[i] - ((p[i] >= 'a' && p[i] <= 'z') << 5));
    return len;
}

static size_t
ascii_lower(char *out, const char *p, size_t len)
{
    for (size_t i = 0; i < len; i++) out[i] = (char)(p[i] + ((p[i] >= 'A' && p[i] <= 'Z') << 5));
    return len;
}

wr_status
wri_k_upper(wr_fn_call *call)
{
    return change_case(call, ascii_upper, wri_str_upper);
}

wr_status
wri_k_lower(wr_fn_call *call)
{
    return change_case(call, ascii_lower, wri_str_lower);
}

/* Only ASCII letters and digits make words. */
static size_t
initcap(char *out, const char *p, size_t len)
{
    bool inside = false;
    for (size_t i = 0; i < len; i++) {
        char c = p[i];
        bool lower = c >= 'a' && c <= 'z', upper = c >= 'A' && c <= 'Z';
        if (lower && !inside) c = (char)(c - 32);
        if (upper && inside) c = (char)(c + 32);
        inside = lower || upper || (c >= '0' && c <= '9');
        out[i] = c;
    }
    return len;
}

wr_status
wri_k_initcap(wr_fn_call *call)
{
    return change_case(call, initcap, initcap);
}

/* ---- cutting --------------------------------------------------------------------------------- */

static wr_status
varchar_like(wr_ctx *ctx, wr_fn_bind *b, const wr_type *like, int64_t length, const wr_type **out)
{
    if (length > WR_CHAR_LENGTH_MAX) length = WR_CHAR_LENGTH_MAX;
    if (wr_type_is(like, WR_T_NULL)) length = WR_CHAR_LENGTH_MAX;
    *out = wr_type_char(b->arena, WR_T_VARCHAR, (int32_t)length, true);
    WR_TRY_ALLOC(ctx, *out);
    return WR_OK;
}

static bool
is_string_or_null(const wr_type *t)
{
    return wr_type_is_string(t) || wr_type_is(t, WR_T_NULL);
}

static bool
is_integer_or_null(const wr_type *t)
{
    return wr_type_is_integer(t) || wr_type_is(t, WR_T_NULL);
}

/* s, then integers: VARCHAR of the same length, always nullable. */
wr_status
wri_r_substring(wr_ctx *ctx, wr_fn_bind *b)
{
    bool ok = is_string_or_null(b->arg_types[0]);
    for (uint32_t i = 1; i < b->arg_count; i++) ok = ok && is_integer_or_null(b->arg_types[i]);
    if (!ok) return wri_refuse(ctx, b, NULL);
    const wr_type *t = NULL;
    WR_TRY(varchar_like(ctx, b, b->arg_types[0], b->arg_types[0]->length, &t));
    return wri_result_null(ctx, b, t, true);
}

/* Bytes of the code points [from, from + n) of s; from >= 0. */
static wr_str
cp_slice(wr_str s, int64_t from, int64_t n)
{
    if (wri_str_ascii(s.ptr, s.len)) {
        size_t start = (uint64_t)from < s.len ? (size_t)from : s.len;
        size_t left = s.len - start;
        return (wr_str){s.ptr + start, (uint64_t)n < left ? (size_t)n : left};
    }
    size_t start = wri_cp_skip(s, 0, (uint64_t)from);
    return (wr_str){s.ptr + start, wri_cp_skip(s, start, (uint64_t)n) - start};
}

wr_status
wri_k_substring(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0), at = wri_view(call, 1), n = {0};
    uint8_t at_phys = call->args[1]->phys, n_phys = 0;
    bool has_len = call->arg_count > 2;
    if (has_len) {
        n = wri_view(call, 2);
        n_phys = call->args[2]->phys;
    }
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str v = wr_view_str(&s, row);
        int64_t from = wri_int(&at, at_phys, row);
        int64_t len = has_len ? wri_int(&n, n_phys, row) : INT64_MAX;
        if (len < 0) {
            wri_null(call, row);
            continue;
        }
        if (from > 0) {
            from--;
        } else if (from < 0) {
            from += (int64_t)wri_cp_count(v);
            if (from < 0) len = 0; /* before the start: nothing */
        }
        wr_str part = len == 0 ? (wr_str){"", 0} : cp_slice(v, from, len);
        wri_put_ref(call, row, part.ptr, part.len);
    }
    return WR_OK;
}

wr_status
wri_k_left(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0), n = wri_view(call, 1);
    uint8_t phys = call->args[1]->phys;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        int64_t len = wri_int(&n, phys, row);
        wr_str part = cp_slice(wr_view_str(&s, row), 0, len > 0 ? len : 0);
        wri_put_ref(call, row, part.ptr, part.len);
    }
    return WR_OK;
}

wr_status
wri_k_right(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0), n = wri_view(call, 1);
    uint8_t phys = call->args[1]->phys;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str v = wr_view_str(&s, row);
        int64_t len = wri_int(&n, phys, row);
        int64_t total = (int64_t)wri_cp_count(v);
        wr_str part = {"", 0};
        if (len >= total)
            part = v;
        else if (len > 0)
            part = cp_slice(v, total - len, len);
        wri_put_ref(call, row, part.ptr, part.len);
    }
    return WR_OK;
}

wr_status
wri_k_reverse(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str v = wr_view_str(&s, row);
        char small[12], *p = room(call, small, v.len);
        if (!p) return call->ctx->err.status;
        const char *q = v.ptr, *end = v.ptr + v.len;
        char *o = p + v.len;
        while (q < end) {
            size_t n = wri_cp_bytes(q, end);
            o -= n;
            memcpy(o, q, n);
            q += n;
        }
        wri_put_ref(call, row, p, v.len);
    }
    return WR_OK;
}

/* ---- trimming -------------------------------------------------------------------------------- */

wr_status
wri_r_trim(wr_ctx *ctx, wr_fn_bind *b)
{
    if (!is_string_or_null(b->arg_types[1]) || !is_string_or_null(b->arg_types[2])) {
        const wr_str s = wr_type_str(b->arg_types[1], WR_TYPE_CALCITE, b->arena);
        return wr_raise_at(ctx, WR_TYPE, b->span,
                           "Cannot apply 'TRIM' to arguments of type 'TRIM([BOTH|LEADING|TRAILING] "
                           "<SYMBOL> FROM <%.*s>)'. Supported form(s): "
                           "'TRIM([BOTH|LEADING|TRAILING] <ANY> FROM <STRING>)'",
                           WR_STR_ARG(s));
    }
    const wr_type *t = NULL;
    WR_TRY(varchar_like(ctx, b, b->arg_types[2], b->arg_types[2]->length, &t));
    return wri_result_null(ctx, b, t, b->arg_types[1]->nullable || b->arg_types[2]->nullable);
}

wr_status
wri_r_trim1(wr_ctx *ctx, wr_fn_bind *b)
{
    for (uint32_t i = 0; i < b->arg_count; i++)
        if (!is_string_or_null(b->arg_types[i])) return wri_refuse(ctx, b, NULL);
    const wr_type *t = NULL;
    WR_TRY(varchar_like(ctx, b, b->arg_types[0], b->arg_types[0]->length, &t));
    return wri_result(ctx, b, t);
}

/* Is the code point [p, p + n) one of `set`? */
static bool
in_set(wr_str set, const char *p, size_t n)
{
    if (n == 1) return set.len && memchr(set.ptr, *p, set.len) != NULL;
    return wri_find(set, (wr_str){p, n}, 0) != SIZE_MAX;
}

enum { TRIM_START = 1, TRIM_END = 2 };

static wr_str
trim(wr_str s, wr_str set, int sides)
{
    const char *p = s.ptr, *end = s.ptr + s.len;
    while ((sides & TRIM_START) && p < end) {
        size_t n = wri_cp_bytes(p, end);
        if (!in_set(set, p, n)) break;
        p += n;
    }
    while ((sides & TRIM_END) && end > p) {
        const char *q = wri_cp_prev(p, end);
        if (!in_set(set, q, (size_t)(end - q))) break;
        end = q;
    }
    return (wr_str){p, (size_t)(end - p)};
}

static wr_status
trim_args(wr_fn_call *call, int32_t subject, int32_t chars, int sides)
{
    wr_view s = wri_view(call, (uint32_t)subject), c = {0};
    if (chars >= 0) c = wri_view(call, (uint32_t)chars);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str set = chars >= 0 ? wr_view_str(&c, row) : WR_STR(" ");
        wr_str part = trim(wr_view_str(&s, row), set, sides);
        wri_put_ref(call, row, part.ptr, part.len);
    }
    return WR_OK;
}

wr_status
wri_k_trim(wr_fn_call *call)
{
    wr_str side = {0};
    int sides = TRIM_START | TRIM_END;
    if (wri_const_str(call->expr, 0, &side)) {
        if (wr_str_eq_c(side, "LEADING")) sides = TRIM_START;
        if (wr_str_eq_c(side, "TRAILING")) sides = TRIM_END;
    }
    return trim_args(call, 2, 1, sides);
}

wr_status
wri_k_ltrim(wr_fn_call *call)
{
    return trim_args(call, 0, call->arg_count > 1 ? 1 : -1, TRIM_START);
}

wr_status
wri_k_rtrim(wr_fn_call *call)
{
    return trim_args(call, 0, call->arg_count > 1 ? 1 : -1, TRIM_END);
}

wr_status
wri_k_btrim(wr_fn_call *call)
{
    return trim_args(call, 0, call->arg_count > 1 ? 1 : -1, TRIM_START | TRIM_END);
}

/* ---- filling --------------------------------------------------------------------------------- */

/* Write `n` code points of `pad`, repeated, at out; bytes written. */
static size_t
fill(char *out, wr_str pad, uint64_t n)
{
    char *o = out;
    const char *p = pad.ptr, *end = pad.ptr + pad.len;
    for (uint64_t i = 0; i < n; i++) {
        if (p == end) p = pad.ptr;
        size_t k = wri_cp_bytes(p, end);
        memcpy(o, p, k);
        o += k;
        p += k;
    }
    return (size_t)(o - out);
}

static wr_status
pad_call(wr_fn_call *call, bool left)
{
    wr_view s = wri_view(call, 0), n = wri_view(call, 1), f = wri_view(call, 2);
    uint8_t phys = call->args[1]->phys;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str v = wr_view_str(&s, row), pad = wr_view_str(&f, row);
        int64_t want = wri_int(&n, phys, row), have = (int64_t)wri_cp_count(v);
        if (want < 0 || pad.len == 0) {
            wri_null(call, row);
            continue;
        }
        if (want <= have) {
            wr_str part = cp_slice(v, 0, want);
            wri_put_ref(call, row, part.ptr, part.len);
            continue;
        }
        uint64_t more = (uint64_t)(want - have);
        if (more > WR_STRING_BYTES_MAX / 4 || v.len > WR_STRING_BYTES_MAX / 2) {
            WR_TRY(too_long(call, row));
            continue;
        }
        char *p = wri_room(call, v.len + 4 * more);
        if (!p) return call->ctx->err.status;
        size_t len = left ? fill(p, pad, more) : v.len;
        if (v.len) memcpy(left ? p + len : p, v.ptr, v.len);
        len += left ? v.len : fill(p + len, pad, more);
        wri_put_ref(call, row, p, len);
    }
    return WR_OK;
}

wr_status
wri_k_lpad(wr_fn_call *call)
{
    return pad_call(call, true);
}

wr_status
wri_k_rpad(wr_fn_call *call)
{
    return pad_call(call, false);
}

wr_status
wri_r_overlay(wr_ctx *ctx, wr_fn_bind *b)
{
    bool ok = is_string_or_null(b->arg_types[0]) && is_string_or_null(b->arg_types[1]);
    for (uint32_t i = 2; i < b->arg_count; i++) ok = ok && is_integer_or_null(b->arg_types[i]);
    if (!ok) return wri_refuse(ctx, b, NULL);
    const wr_type *t = NULL;
    int64_t len = (int64_t)b->arg_types[0]->length + b->arg_types[1]->length;
    WR_TRY(varchar_like(ctx, b, b->arg_types[0], len, &t));
    return wri_result(ctx, b, t);
}

/* A start outside the string leaves it alone; a length below 1 drops the rest, as in Flink. */
wr_status
wri_k_overlay(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0), r = wri_view(call, 1), at = wri_view(call, 2), n = {0};
    bool has_len = call->arg_count > 3;
    if (has_len) n = wri_view(call, 3);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str v = wr_view_str(&s, row), by = wr_view_str(&r, row);
        int64_t from = wri_int(&at, call->args[2]->phys, row);
        int64_t len = has_len ? wri_int(&n, call->args[3]->phys, row) : (int64_t)wri_cp_count(by);
        if (from <= 0 || from > (int64_t)wri_cp_count(v)) {
            wri_put_ref(call, row, v.ptr, v.len);
            continue;
        }
        wr_str head = cp_slice(v, 0, from - 1), tail = {"", 0};
        size_t cut = head.len;
        if (len > 0) {
            cut = wri_cp_skip(v, cut, (uint64_t)len);
            tail = (wr_str){v.ptr + cut, v.len - cut};
        }
        char *p = wri_room(call, head.len + by.len + tail.len);
        if (!p) return call->ctx->err.status;
        if (head.len) memcpy(p, head.ptr, head.len);
        if (by.len) memcpy(p + head.len, by.ptr, by.len);
        if (tail.len) memcpy(p + head.len + by.len, tail.ptr, tail.len);
        wri_put_ref(call, row, p, head.len + by.len + tail.len);
    }
    return WR_OK;
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* An index and strings, or an index and binaries, unified; always nullable. */
wr_status
wri_r_elt(wr_ctx *ctx, wr_fn_bind *b)
{
    if (!is_integer_or_null(b->arg_types[0])) return wri_refuse_style(ctx, b);
    bool strings = true, binaries = true;
    for (uint32_t i = 1; i < b->arg_count; i++) {
        strings = strings && is_string_or_null(b->arg_types[i]);
        binaries = binaries &&
                   (wr_type_is_binary(b->arg_types[i]) || wr_type_is(b->arg_types[i], WR_T_NULL));
    }
    if (!strings && !binaries) return wri_refuse_style(ctx, b);
    int64_t lit = 0;
    if (wri_lit_int(b->args[0], &lit) && lit < 0)
        return wr_raise_at(ctx, WR_SEMANTIC, wri_arg_span(b, 0),
                           "Index must be an integer starting from '0', but was '%lld'.",
                           (long long)lit);
    const wr_type *t = NULL;
    WR_TRY(wri_unify(ctx, b, 1, b->arg_count, &t));
    return wri_result_null(ctx, b, t, true);
}

wr_status
wri_k_elt(wr_fn_call *call)
{
    wr_view n = wri_view(call, 0);
    wr_view *v = NULL;
    WR_TRY(views_of(call, &v));
    WR_FOR_CALL(call, row)
    {
        int64_t i = wri_arg_null(call, 0, row) ? 0 : wri_int(&n, call->args[0]->phys, row);
        if (i < 1 || i >= (int64_t)call->arg_count || wri_arg_null(call, (uint32_t)i, row)) {
            wri_null(call, row);
            continue;
        }
        wr_str s = wr_view_str(&v[i], row);
        wri_put_ref(call, row, s.ptr, s.len);
    }
    return WR_OK;
}
