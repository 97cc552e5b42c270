/* SPDX-License-Identifier: Apache-2.0 */
/* DECIMAL arithmetic and comparison over vectors: integers and decimals of any precision mix, the
 * scales come from the types. The common case, all within 18 digits, stays in 64 bits. */
#include "types/decimal.h"
#include "vec/vec_int.h"

wr_i128
wri_exact_get(const wr_vec *v, uint32_t entry)
{
    switch (v->phys) {
    case WR_PHYS_I8:
        return ((const int8_t *)v->data)[entry];
    case WR_PHYS_I16:
        return ((const int16_t *)v->data)[entry];
    case WR_PHYS_I32:
        return ((const int32_t *)v->data)[entry];
    case WR_PHYS_I64:
        return ((const int64_t *)v->data)[entry];
    default:
        return ((const wr_i128 *)v->data)[entry];
    }
}

int
wri_exact_scale(const wr_type *t)
{
    return wr_type_is(t, WR_T_DECIMAL) ? t->scale : 0;
}

/* Digits that a value of the type can have. */
static int
precision_of(const wr_type *t)
{
    switch (t->id) {
    case WR_T_TINYINT:
        return 3;
    case WR_T_SMALLINT:
        return 5;
    case WR_T_INT:
        return 10;
    case WR_T_BIGINT:
        return 19;
    default:
        return t->precision;
    }
}

typedef struct dec_op {
    wr_binop op;
    const wr_vec *a, *b;
    int sa, sb, p, s;
} dec_op;

/* false: NULL (overflow) */
static bool
apply(const dec_op *d, wr_i128 x, wr_i128 y, wr_i128 *out)
{
    switch (d->op) {
    case WR_OP_ADD:
        return wr_dec_add(x, d->sa, y, d->sb, d->p, d->s, out);
    case WR_OP_SUB:
        return wr_dec_sub(x, d->sa, y, d->sb, d->p, d->s, out);
    case WR_OP_MUL:
        return wr_dec_mul(x, d->sa, y, d->sb, d->p, d->s, out);
    case WR_OP_DIV:
        return wr_dec_div(x, d->sa, y, d->sb, d->p, d->s, out);
    case WR_OP_MOD:
        return wr_dec_mod(x, d->sa, y, d->sb, d->p, d->s, out);
    }
    return false;
}

/* + - * whose operands and result stay within 18 digits, both I64, and need no rounding. */
static bool
add_fast(const dec_op *d, uint32_t rows, wr_vec *out)
{
    const wr_vec *a = d->a, *b = d->b;
    const bool plain = a->phys == WR_PHYS_I64 && b->phys == WR_PHYS_I64 &&
                       out->phys == WR_PHYS_I64 && a->form != WR_FORM_DICT &&
                       b->form != WR_FORM_DICT;
    const bool mul = d->op == WR_OP_MUL;
    if (!plain || (!mul && d->op != WR_OP_ADD && d->op != WR_OP_SUB)) return false;
    if (precision_of(a->type) > 18 || precision_of(b->type) > 18) return false;
    if (mul ? d->s != d->sa + d->sb : d->s != WR_MAX(d->sa, d->sb)) return false;
    const int64_t fa = mul ? 1 : (int64_t)wr_dec_pow10(d->s - d->sa);
    const int64_t fb = mul ? 1 : (int64_t)wr_dec_pow10(d->s - d->sb);
    const int64_t *x = a->data, *y = b->data;
    int64_t *r = out->data;
    const uint32_t as = a->form == WR_FORM_FLAT, bs = b->form == WR_FORM_FLAT;
    /* unsigned: rows under a NULL may hold anything */
    if (d->op == WR_OP_ADD)
        for (uint32_t i = 0; i < rows; i++)
            r[i] =
                (int64_t)((uint64_t)x[i * as] * (uint64_t)fa + (uint64_t)y[i * bs] * (uint64_t)fb);
    else if (d->op == WR_OP_SUB)
        for (uint32_t i = 0; i < rows; i++)
            r[i] =
                (int64_t)((uint64_t)x[i * as] * (uint64_t)fa - (uint64_t)y[i * bs] * (uint64_t)fb);
    else
        for (uint32_t i = 0; i < rows; i++)
            r[i] = (int64_t)((uint64_t)x[i * as] * (uint64_t)y[i * bs]);
    return true;
}

static void
store(wr_vec *out, uint32_t row, wr_i128 v)
{
    if (out->phys == WR_PHYS_I64)
        ((int64_t *)out->data)[row] = (int64_t)v;
    else
        ((wr_i128 *)out->data)[row] = v;
}

wr_status
wri_decimal_arith(wr_ctx *ctx, wr_binop op, const wr_vec *a, const wr_vec *b, const uint32_t *sel,
                  uint32_t n, wr_vec *out, wr_arena *arena, wr_row_errs *errs)
{
    const wr_type *t = out->type;
    const dec_op d = {op,           a,       b, wri_exact_scale(a->type), wri_exact_scale(b->type),
                      t->precision, t->scale};
    const uint32_t rows = wri_rows(sel, n);
    const bool ok =
        wri_vec_init_out(out, t, rows, arena) && wri_validity_and(a, b, rows, out, arena);
    if (!ok) return wr_raise(ctx, WR_NOMEM, "out of memory");
    /* the result type of + - * holds every result unless it was cut at 38 digits */
    if (add_fast(&d, rows, out)) return WR_OK;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = sel ? sel[i] : i;
        if (out->has_nulls && !wr_bit_get(out->validity, row)) continue;
        const wr_i128 x = wri_exact_get(a, wr_vec_index(a, row));
        const wr_i128 y = wri_exact_get(b, wr_vec_index(b, row));
        wr_i128 r = 0;
        bool good = true;
        if (y == 0 && (op == WR_OP_DIV || op == WR_OP_MOD)) {
            if (errs) wr_row_err(errs, row, WR_DATA, "Division by zero");
            good = false;
        } else {
            good = apply(&d, x, y, &r);
        }
        if (good)
            store(out, row, r);
        else if (!wr_vec_set_null(out, row, arena))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    return WR_OK;
}

static uint8_t
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
    return 0;
}

void
wri_decimal_compare(wr_cmpop op, const wr_vec *a, const wr_vec *b, const uint32_t *sel, uint32_t n,
                    uint8_t *out)
{
    const int sa = wri_exact_scale(a->type), sb = wri_exact_scale(b->type);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = sel ? sel[i] : i;
        const wr_i128 x = wri_exact_get(a, wr_vec_index(a, row));
        const wr_i128 y = wri_exact_get(b, wr_vec_index(b, row));
        out[row] = holds(op, wr_dec_cmp(x, sa, y, sb));
    }
}
