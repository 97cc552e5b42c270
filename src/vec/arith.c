/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic kernels, the outer half: forms, NULLs, division by zero. */
#include "vec/kernel.h"
#include "vec/kernels/kernels_int.h"
#include "vec/vec_int.h"

static bool
is_zero(const wr_view *w, uint8_t phys, uint32_t row)
{
    switch (phys) {
    case WR_PHYS_I8:
        return WR_VIEW(w, int8_t, row) == 0;
    case WR_PHYS_I16:
        return WR_VIEW(w, int16_t, row) == 0;
    case WR_PHYS_I32:
        return WR_VIEW(w, int32_t, row) == 0;
    default:
        return WR_VIEW(w, int64_t, row) == 0;
    }
}

/* Mark the rows whose divisor is zero and that count. */
static bool
mark_zero_divisors(const wr_vec *b, const uint32_t *sel, uint32_t n, wr_vec *out, wr_arena *arena,
                   wr_row_errs *errs)
{
    const wr_view w = wr_vec_view(b);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = sel ? sel[i] : i;
        if (!is_zero(&w, b->phys, row)) continue;
        if (out->has_nulls && !wr_bit_get(out->validity, row)) continue;
        if (errs) wr_row_err(errs, row, WR_DATA, "/ by zero");
        if (!wr_vec_set_null(out, row, arena)) return false;
    }
    return true;
}

static bool
divides_integers(wr_binop op, const wr_vec *b)
{
    return (op == WR_OP_DIV || op == WR_OP_MOD) && b->phys >= WR_PHYS_I8 && b->phys <= WR_PHYS_I64;
}

wr_status
wr_kernel_arith(wr_ctx *ctx, wr_binop op, const wr_vec *a, const wr_vec *b, const uint32_t *sel,
                uint32_t n, wr_vec *out, wr_arena *arena, wr_row_errs *errs)
{
    const wr_type *type = out->type ? out->type : a->type;
    if (wr_type_is(type, WR_T_DECIMAL)) {
        out->type = type;
        return wri_decimal_arith(ctx, op, a, b, sel, n, out, arena, errs);
    }
    const uint32_t rows = wri_rows(sel, n);
    const wri_kernel_table *k = wri_kernels();
    const wri_binop_fn fn = k->arith[op][a->phys];
    if (!fn || a->phys != b->phys)
        return wr_raise(ctx, WR_INTERNAL, "no arithmetic kernel for layouts %u and %u", a->phys,
                        b->phys);
    uint32_t as, bs;
    const void *x = wri_vec_plain(a, rows, arena, &as), *y = wri_vec_plain(b, rows, arena, &bs);
    const bool ok = x && y && wri_vec_init_out(out, type, rows, arena) &&
                    wri_validity_and(a, b, rows, out, arena);
    if (!ok) return wr_raise(ctx, WR_NOMEM, "out of memory");
    fn(x, as, y, bs, out->data, rows);
    if (divides_integers(op, b) && k->any_zero[b->phys](y, bs ? rows : WR_MIN(rows, 1u)) &&
        !mark_zero_divisors(b, sel, n, out, arena, errs))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

wr_status
wr_kernel_negate(wr_ctx *ctx, const wr_vec *a, const uint32_t *sel, uint32_t n, wr_vec *out,
                 wr_arena *arena)
{
    const uint32_t rows = wri_rows(sel, n);
    uint32_t step;
    const void *x = wri_vec_plain(a, rows, arena, &step);
    const bool ok = x && wri_vec_init_out(out, a->type, rows, arena) &&
                    wri_validity_and(a, a, rows, out, arena);
    if (!ok) return wr_raise(ctx, WR_NOMEM, "out of memory");
    if (a->phys == WR_PHYS_I128) {
        for (uint32_t i = 0; i < rows; i++)
            ((wr_i128 *)out->data)[i] = -((const wr_i128 *)x)[i * step];
        return WR_OK;
    }
    const wri_unop_fn fn = wri_kernels()->negate[a->phys];
    if (!fn) return wr_raise(ctx, WR_INTERNAL, "no negation of layout %u", a->phys);
    if (!step && rows > 1) { /* a constant: once, then repeated by adding nothing */
        fn(x, out->data, 1);
        const size_t width = wr_phys_bytes((wr_phys)a->phys);
        for (uint32_t i = 1; i < rows; i++) memcpy((char *)out->data + width * i, out->data, width);
        return WR_OK;
    }
    fn(x, out->data, rows);
    return WR_OK;
}
