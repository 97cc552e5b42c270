/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as digits of another kind: BIN, HEX, UNHEX, INET_ATON, INET_NTOA. */
#include "expr/fn_int.h"
#include "types/number.h"

static const char hex_digits[] = "0123456789ABCDEF";

wr_status
wri_k_bin(wr_fn_call *call)
{
    const wr_view v = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        const uint64_t u = (uint64_t)WR_VIEW(&v, int64_t, row);
        const uint32_t n = u ? 64u - (uint32_t)__builtin_clzll(u) : 1;
        char *p = wri_room(call, n);
        if (!p) return call->ctx->err.status;
        for (uint32_t i = 0; i < n; i++) p[i] = (char)('0' + ((u >> (n - 1 - i)) & 1));
        wri_put_ref(call, row, p, n);
    }
    return WR_OK;
}

wr_status
wri_r_hex(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    if (t->id == WR_T_NULL)
        WR_TRY(wri_cast_arg_id(ctx, b, 0, WR_T_VARCHAR));
    else if (wr_type_is_integer(t))
        WR_TRY(wri_cast_arg_id(ctx, b, 0, WR_T_BIGINT));
    else if (!wr_type_is_string(t))
        return wri_refuse(ctx, b, NULL);
    return wri_result_id(ctx, b, WR_T_VARCHAR);
}

static wr_status
hex_number(wr_fn_call *call)
{
    const wr_view v = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        const uint64_t u = (uint64_t)WR_VIEW(&v, int64_t, row);
        const uint32_t n = u ? (67u - (uint32_t)__builtin_clzll(u)) / 4 : 1;
        char p[16];
        for (uint32_t i = 0; i < n; i++) p[i] = hex_digits[(u >> (4 * (n - 1 - i))) & 15];
        WR_TRY(wri_put_str(call, row, p, n));
    }
    return WR_OK;
}

wr_status
wri_k_hex(wr_fn_call *call)
{
    if (call->args[0]->phys != WR_PHYS_STR) return hex_number(call);
    const wr_view v = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        const wr_str s = wr_view_str(&v, row);
        char *p = wri_room(call, s.len * 2);
        if (!p) return call->ctx->err.status;
        for (size_t i = 0; i < s.len; i++) {
            p[2 * i] = hex_digits[(uint8_t)s.ptr[i] >> 4];
            p[2 * i + 1] = hex_digits[(uint8_t)s.ptr[i] & 15];
        }
        wri_put_ref(call, row, p, s.len * 2);
    }
    return WR_OK;
}

static int
hex_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* An odd first digit is dropped for a zero byte, as documented. */
wr_status
wri_k_unhex(wr_fn_call *call)
{
    const wr_view v = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        const wr_str s = wr_view_str(&v, row);
        const size_t odd = s.len & 1, n = s.len / 2 + odd;
        char *p = wri_room(call, n);
        if (!p) return call->ctx->err.status;
        bool ok = !odd || hex_value(s.ptr[0]) >= 0;
        if (odd) p[0] = 0;
        for (size_t i = odd; i < s.len && ok; i += 2) {
            const int h = hex_value(s.ptr[i]), l = hex_value(s.ptr[i + 1]);
            ok = h >= 0 && l >= 0;
            p[odd + i / 2] = (char)(h * 16 + l);
        }
        if (ok)
            wri_put_ref(call, row, p, n);
        else
            wri_null(call, row);
    }
    return WR_OK;
}

/* a.b.c.d, or fewer parts: the missing ones are zeros before the last. */
static bool
inet_parse(wr_str s, int64_t *out)
{
    int64_t part = 0, parts[4];
    uint32_t count = 0, digits = 0;
    for (size_t i = 0; i <= s.len; i++) {
        const char c = i < s.len ? s.ptr[i] : '.';
        if (c >= '0' && c <= '9') {
            part = part * 10 + (c - '0');
            if (++digits > 9 || part > 255) return false;
            continue;
        }
        if (c != '.' || digits == 0 || count == 4) return false;
        parts[count++] = part;
        part = digits = 0;
    }
    int64_t r = 0;
    for (uint32_t i = 0; i + 1 < count; i++) r |= parts[i] << (8 * (3 - i));
    *out = r | parts[count - 1];
    return true;
}

wr_status
wri_k_inet_aton(wr_fn_call *call)
{
    const wr_view v = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        if (!inet_parse(wr_view_str(&v, row), &WRI_OUT(call, int64_t)[row])) wri_null(call, row);
    }
    return WR_OK;
}

wr_status
wri_k_inet_ntoa(wr_fn_call *call)
{
    const wr_view v = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        const int64_t x = WR_VIEW(&v, int64_t, row);
        if (x < 0 || x > UINT32_MAX) {
            wri_null(call, row);
            continue;
        }
        char text[4 * WR_I64_TEXT_MAX];
        uint32_t n = 0;
        for (int shift = 24; shift >= 0; shift -= 8) {
            n += wr_i64_print((x >> shift) & 255, text + n);
            if (shift) text[n++] = '.';
        }
        WR_TRY(wri_put_str(call, row, text, n));
    }
    return WR_OK;
}
