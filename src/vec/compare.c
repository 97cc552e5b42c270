/* SPDX-License-Identifier: Apache-2.0 */
/* Comparison kernels, the outer half: forms, NULLs, strings and nested types. */
#include "vec/kernel.h"
#include "vec/kernels/kernels_int.h"
#include "vec/vec_int.h"

static bool
holds(wr_cmpop op, int c)
{
    switch (op) {
    case WR_CMP_EQ:
        return c == 0;
    case WR_CMP_NE:
        return c != 0;
    case WR_CMP_LT:
        return c < 0;
    case WR_CMP_LE:
        return c <= 0;
    case WR_CMP_GT:
        return c > 0;
    case WR_CMP_GE:
        return c >= 0;
    }
    return false;
}

static int
order_strv(const wr_strv *a, const wr_strv *b)
{
    /* the prefix decides most of the time */
    uint32_t pa, pb;
    memcpy(&pa, (const char *)a + 4, 4);
    memcpy(&pb, (const char *)b + 4, 4);
    if (pa != pb) {
        pa = __builtin_bswap32(pa);
        pb = __builtin_bswap32(pb);
        return pa < pb ? -1 : 1; /* padding is zero: shorter sorts first, and equal has a tie */
    }
    const uint32_t n = WR_MIN(a->len, b->len);
    const int c = n > 4 ? memcmp(wr_strv_ptr(a) + 4, wr_strv_ptr(b) + 4, n - 4) : 0;
    return c ? c : (a->len > b->len) - (a->len < b->len);
}

static void
compare_str(wr_cmpop op, const wr_vec *a, const wr_vec *b, const uint32_t *sel, uint32_t n,
            uint8_t *out)
{
    const wr_view x = wr_vec_view(a), y = wr_vec_view(b);
    const wr_strv *p = x.data, *q = y.data;
    if (op == WR_CMP_EQ || op == WR_CMP_NE) {
        const uint8_t flip = op == WR_CMP_NE;
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t row = sel ? sel[i] : i;
            out[row] =
                (uint8_t)(wr_strv_eq(&p[wr_view_at(&x, row)], &q[wr_view_at(&y, row)])) ^ flip;
        }
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = sel ? sel[i] : i;
        out[row] = holds(op, order_strv(&p[wr_view_at(&x, row)], &q[wr_view_at(&y, row)]));
    }
}

/* Timestamps, rows, arrays, maps: entry by entry. NULLs and NaNs inside count as equal values. */
static void
compare_entries(wr_cmpop op, const wr_vec *a, const wr_vec *b, const uint32_t *sel, uint32_t n,
                const wr_vec *result, uint8_t *out)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = sel ? sel[i] : i;
        if (result->has_nulls && !wr_bit_get(result->validity, row)) continue;
        if (op == WR_CMP_EQ || op == WR_CMP_NE)
            out[row] = wr_vec_entry_eq(a, row, b, row) == (op == WR_CMP_EQ);
        else
            out[row] = holds(op, wr_vec_entry_cmp(a, row, b, row));
    }
}

wr_status
wr_kernel_compare(wr_ctx *ctx, wr_cmpop op, const wr_vec *a, const wr_vec *b, const uint32_t *sel,
                  uint32_t n, wr_vec *out, wr_arena *arena)
{
    const uint32_t rows = wri_rows(sel, n);
    const wr_type *type = wr_type_of(WR_T_BOOLEAN, a->type->nullable || b->type->nullable);
    const bool decimal = wr_type_is(a->type, WR_T_DECIMAL) || wr_type_is(b->type, WR_T_DECIMAL);
    const bool same = a->phys == b->phys && wri_exact_scale(a->type) == wri_exact_scale(b->type);
    if (!wri_vec_init_out(out, type, rows, arena) || !wri_validity_and(a, b, rows, out, arena))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    const wri_binop_fn fn = wri_kernels()->compare[op][a->phys];
    if (decimal && !same) {
        memset(out->data, 0, rows);
        wri_decimal_compare(op, a, b, sel, n, out->data);
    } else if (a->phys == WR_PHYS_STR && b->phys == WR_PHYS_STR) {
        memset(out->data, 0, rows);
        compare_str(op, a, b, sel, n, out->data);
    } else if (fn && a->phys == b->phys) {
        uint32_t as, bs;
        const void *x = wri_vec_plain(a, rows, arena, &as);
        const void *y = wri_vec_plain(b, rows, arena, &bs);
        if (!x || !y) return wr_raise(ctx, WR_NOMEM, "out of memory");
        fn(x, as, y, bs, out->data, rows);
    } else {
        memset(out->data, 0, rows);
        compare_entries(op, a, b, sel, n, out, out->data);
    }
    return WR_OK;
}
