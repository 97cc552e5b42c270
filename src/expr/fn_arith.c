/* SPDX-License-Identifier: Apache-2.0 */
/* The arithmetic operators: + - * / % over numbers of every type, and intervals among themselves.
 * Times moved by intervals are in fn_interval.c.
 *
 * Integers and floats are cast to the result type and go to the kernels of vec/. Decimals and
 * integers mix without casts: the kernels know the scales. */
#include "expr/program_int.h"
#include "expr/time_int.h"
#include "vec/kernel.h"

/* ---- typing ---------------------------------------------------------------------------------- */
static bool
is_interval(const wr_type *t)
{
    return wr_type_family(t) == WR_FAM_INTERVAL;
}

static bool
is_datetime(const wr_type *t)
{
    return wr_type_family(t) == WR_FAM_DATETIME;
}

static bool
is_approx(const wr_type *t)
{
    return wr_type_family(t) == WR_FAM_APPROX;
}

/* FLOAT with DOUBLE has the left one's type and is computed in DOUBLE. */
static wr_status
cast_numbers(wr_ctx *ctx, wr_fn_bind *b, const wr_type *t)
{
    const wr_type *l = b->arg_types[0], *r = b->arg_types[1];
    if (t->id == WR_T_DECIMAL) return WR_OK;
    if (is_approx(l) && is_approx(r) && l->id != r->id) t = wr_type_of(WR_T_DOUBLE, true);
    WR_TRY(wri_cast_arg(ctx, b, 0, t));
    return wri_cast_arg(ctx, b, 1, t);
}

/* A literal NULL takes the other side's type. */
static wr_status
type_nulls(wr_ctx *ctx, wr_fn_bind *b)
{
    for (uint32_t i = 0; i < 2; i++)
        if (b->arg_types[i]->id == WR_T_NULL) {
            const wr_type *other = b->arg_types[1 - i];
            if (other->id == WR_T_NULL) other = wr_type_of(WR_T_INT, true);
            if (is_datetime(other)) return wri_refuse(ctx, b, NULL);
            WR_TRY(wri_cast_arg(ctx, b, i, other));
        }
    return WR_OK;
}

/* Intervals are multiplied by integers only. */
static wr_status
refuse_factor(wr_ctx *ctx, wr_fn_bind *b, const wr_type *factor, const wr_type *interval)
{
    const wr_str f = wr_type_str(factor, WR_TYPE_SUMMARY, b->arena);
    const wr_str i = wr_type_str(interval, WR_TYPE_SUMMARY, b->arena);
    return wr_raise_at(ctx, WR_UNSUPPORTED, b->span, "Unsupported casting from %.*s to %.*s.",
                       WR_STR_ARG(f), WR_STR_ARG(i));
}

wr_status
wri_r_arith(wr_ctx *ctx, wr_fn_bind *b)
{
    const char op = b->fn->name[0];
    WR_TRY(type_nulls(ctx, b));
    const wr_type *l = b->arg_types[0], *r = b->arg_types[1];
    const bool numbers = wr_type_is_numeric(l) && wr_type_is_numeric(r);
    if (!numbers && !is_interval(l) && !is_interval(r)) return wri_refuse(ctx, b, NULL);
    const wr_type *t;
    WR_TRY(wr_type_arith(ctx, b->arena, op, l, r, &t));
    if (!t && op == '/' && is_interval(l) && wr_type_is_numeric(r))
        return wri_unsupported_call(ctx, b);
    if (!t && op == '*' && (wr_type_is_numeric(l) || wr_type_is_numeric(r)))
        return refuse_factor(ctx, b, is_interval(l) ? r : l, is_interval(l) ? l : r);
    if (!t) return wri_refuse(ctx, b, NULL);
    if (numbers) WR_TRY(cast_numbers(ctx, b, t));
    if (!numbers && op == '*') { /* the factor as BIGINT */
        WR_TRY(wri_cast_arg_id(ctx, b, is_interval(l) ? 1 : 0, WR_T_BIGINT));
        b->kernel = wri_k_interval_times;
    } else if (is_datetime(l) || is_datetime(r)) {
        b->kernel = wri_k_time_plus;
    }
    return wri_result(ctx, b, t);
}

/* Without digits after the point the result has the divisor's type, and a wider dividend is
 * divided in its own. */
wr_status
wri_r_mod(wr_ctx *ctx, wr_fn_bind *b)
{
    WR_TRY(type_nulls(ctx, b));
    const wr_type *l = b->arg_types[0], *r = b->arg_types[1];
    if (wr_type_family(l) != WR_FAM_EXACT || wr_type_family(r) != WR_FAM_EXACT)
        return wri_refuse(ctx, b, NULL);
    const wr_type *t;
    WR_TRY(wr_type_arith(ctx, b->arena, '%', l, r, &t));
    if (!t) return wri_refuse(ctx, b, NULL);
    if (t->id != WR_T_DECIMAL) {
        if (l->id == WR_T_DECIMAL) {
            /* as it is: the kernel takes unscaled values */
        } else if (l->id > r->id) {
            WR_TRY(wri_cast_arg_id(ctx, b, 0, WR_T_BIGINT));
            WR_TRY(wri_cast_arg_id(ctx, b, 1, WR_T_BIGINT));
        } else {
            WR_TRY(cast_numbers(ctx, b, t));
        }
        b->kernel = wri_k_mod_int;
    }
    return wri_result(ctx, b, t);
}

wr_status
wri_r_negate(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    if (t->id == WR_T_NULL) WR_TRY(wri_cast_arg_id(ctx, b, 0, WR_T_INT));
    t = b->arg_types[0];
    if (!wr_type_is_numeric(t) && !is_interval(t)) return wri_refuse(ctx, b, NULL);
    return wri_result(ctx, b, t);
}

/* ---- kernels --------------------------------------------------------------------------------- */
static wr_binop
op_of(const wr_expr *e)
{
    switch (e->fn->name[0]) {
    case '+':
        return WR_OP_ADD;
    case '-':
        return WR_OP_SUB;
    case '*':
        return WR_OP_MUL;
    case '/':
        return WR_OP_DIV;
    default:
        return WR_OP_MOD;
    }
}

/* result rows of an own-out kernel */
static uint32_t
rows_of(const wr_fn_call *call)
{
    return call->sel && call->n ? call->sel[call->n - 1] + 1 : call->n;
}

/* Make out with the NULLs of both arguments. */
wr_status
wri_own_out(wr_fn_call *call)
{
    if (!wri_reg_init(call->out, call->expr->type, call->row_count, call->arena))
        return WRI_NOMEM(call);
    for (uint32_t i = 0; i < call->arg_count; i++) {
        const wr_vec *v = call->args[i];
        if (v->type->id != WR_T_SYMBOL) wri_merge_nulls(call->out, v, call->row_count);
    }
    return WR_OK;
}

/* DECIMAL products of 64-bit factors that need no rounding: the exact 128-bit product. */
static bool
product_fast(wr_fn_call *call)
{
    const wr_vec *a = call->args[0], *b = call->args[1];
    const wr_type *t = call->expr->type, *ta = call->expr->args[0]->type,
                  *tb = call->expr->args[1]->type;
    const int sa = ta->id == WR_T_DECIMAL ? ta->scale : 0;
    const int sb = tb->id == WR_T_DECIMAL ? tb->scale : 0;
    if (t->phys != WR_PHYS_I128 || t->scale != sa + sb || t->precision >= WR_DECIMAL_MAX)
        return false;
    return a->phys == WR_PHYS_I64 && b->phys == WR_PHYS_I64 && a->form != WR_FORM_DICT &&
           b->form != WR_FORM_DICT;
}

static wr_status
multiply_wide(wr_fn_call *call)
{
    WR_TRY(wri_own_out(call));
    const wr_vec *a = call->args[0], *b = call->args[1];
    wr_i128 *restrict out = call->out->data;
    const int64_t *x = a->data, *y = b->data;
    const uint32_t n = rows_of(call);
    if (a->form == WR_FORM_CONST) { /* the constant to the right */
        const wr_vec *v = a;
        a = b;
        b = v;
        x = a->data;
        y = b->data;
    }
    if (b->form == WR_FORM_CONST) {
        const int64_t k = y[0];
        const uint32_t step = a->form == WR_FORM_FLAT;
        for (uint32_t i = 0; i < n; i++) out[i] = (wr_i128)x[i * step] * k;
    } else {
        for (uint32_t i = 0; i < n; i++) out[i] = (wr_i128)x[i] * y[i];
    }
    return WR_OK;
}

/* FLOAT and DOUBLE: computed in DOUBLE, the result narrowed. */
static wr_status
narrow_result(wr_fn_call *call)
{
    wr_vec wide;
    memset(&wide, 0, sizeof wide);
    wide.type = wr_type_of(WR_T_DOUBLE, true);
    WR_TRY(wr_kernel_arith(call->ctx, op_of(call->expr), call->args[0], call->args[1], call->sel,
                           call->n, &wide, call->arena, call->errs));
    const uint32_t n = rows_of(call);
    if (!wri_reg_init(call->out, call->expr->type, n, call->arena)) return WRI_NOMEM(call);
    const double *in = wide.data;
    float *out = call->out->data;
    for (uint32_t i = 0; i < n; i++) out[i] = (float)in[i];
    if (wide.has_nulls) {
        call->out->has_nulls = true;
        call->out->validity = wide.validity;
    }
    return WR_OK;
}

wr_status
wri_k_arith(wr_fn_call *call)
{
    const wr_type *t = call->expr->type;
    if (t->phys == WR_PHYS_F32 && call->args[0]->phys == WR_PHYS_F64) return narrow_result(call);
    if (t->id == WR_T_DECIMAL && call->expr->fn->name[0] == '*' && product_fast(call))
        return multiply_wide(call);
    return wr_kernel_arith(call->ctx, op_of(call->expr), call->args[0], call->args[1], call->sel,
                           call->n, call->out, call->arena, call->errs);
}

/* ---- integer remainder ----------------------------------------------------------------------- */
/* a % d for a constant d: a multiplication where both fit 32 bits (the exact reciprocal of
 * Lemire, Kaser, Kurz), a division otherwise. d is not 0 or -1. */
typedef struct fast_mod {
    uint64_t magic;
    uint32_t d32; /* 0: no fast way */
    int64_t d;
} fast_mod;

static fast_mod
fast_mod_of(int64_t d)
{
    fast_mod m = {0, 0, d};
    const uint64_t u = d < 0 ? 0 - (uint64_t)d : (uint64_t)d;
    if (u > 1 && u <= UINT32_MAX) {
        m.d32 = (uint32_t)u;
        m.magic = UINT64_MAX / u + 1;
    }
    return m;
}

WR_ALWAYS_INLINE int64_t
mod_by(const fast_mod *m, int64_t a)
{
    const uint64_t u = a < 0 ? 0 - (uint64_t)a : (uint64_t)a;
    if (WR_LIKELY(m->d32 && u <= UINT32_MAX)) {
        const uint64_t low = m->magic * u;
        const uint64_t r = (uint64_t)(((wr_u128)low * m->d32) >> 64);
        return a < 0 ? -(int64_t)r : (int64_t)r;
    }
    return a % m->d;
}

static void
mod_constant(wr_fn_call *call, int64_t d)
{
    const wr_vec *a = call->args[0];
    const wr_view w = wr_vec_view(a);
    const uint32_t n = rows_of(call);
    const fast_mod m = fast_mod_of(d);
    if (a->form == WR_FORM_FLAT && a->phys == WR_PHYS_I64 && call->out->phys == WR_PHYS_I32) {
        const int64_t *x = a->data;
        int32_t *restrict out = call->out->data;
        for (uint32_t i = 0; i < n; i++) out[i] = (int32_t)mod_by(&m, x[i]);
        return;
    }
    if (a->form == WR_FORM_FLAT && a->phys == WR_PHYS_I64 && call->out->phys == WR_PHYS_I64) {
        const int64_t *x = a->data;
        int64_t *restrict out = call->out->data;
        for (uint32_t i = 0; i < n; i++) out[i] = mod_by(&m, x[i]);
        return;
    }
    if (a->form == WR_FORM_FLAT && a->phys == WR_PHYS_I32 && call->out->phys == WR_PHYS_I32) {
        const int32_t *x = a->data;
        int32_t *restrict out = call->out->data;
        for (uint32_t i = 0; i < n; i++) out[i] = (int32_t)mod_by(&m, x[i]);
        return;
    }
    WR_FOR_CALL(call, row)
    wri_put_int(call, row, mod_by(&m, wri_int(&w, a->phys, row)));
}

wr_status
wri_k_mod_int(wr_fn_call *call)
{
    WR_TRY(wri_own_out(call));
    const wr_vec *a = call->args[0], *b = call->args[1];
    const wr_view va = wr_vec_view(a), vb = wr_vec_view(b);
    if (b->form == WR_FORM_CONST && !wr_vec_is_null(b, 0)) {
        const int64_t d = wri_int(&vb, b->phys, 0);
        if (d != 0 && d != -1 && a->phys != WR_PHYS_NONE && a->phys != WR_PHYS_I128) {
            mod_constant(call, d);
            return WR_OK;
        }
    }
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        const int64_t d = wri_int(&vb, b->phys, row);
        if (d == 0) {
            wr_row_err(call->errs, row, WR_DATA, "/ by zero");
            wri_null(call, row);
            continue;
        }
        const int64_t v = d == -1                   ? 0
                          : a->phys == WR_PHYS_I128 ? (int64_t)(WR_VIEW(&va, wr_i128, row) % d)
                                                    : wri_int(&va, a->phys, row) % d;
        wri_put_int(call, row, v);
    }
    return WR_OK;
}

wr_status
wri_k_negate(wr_fn_call *call)
{
    return wr_kernel_negate(call->ctx, call->args[0], call->sel, call->n, call->out, call->arena);
}
