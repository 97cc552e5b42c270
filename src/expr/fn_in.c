/* SPDX-License-Identifier: Apache-2.0 */
/* x IN (v1, v2, ...): a constant list becomes a hash set when the expression is compiled (task
 * arena); other lists are compared one by one. Three-valued: not found in a list with a NULL is
 * UNKNOWN. */
#include "expr/compare_int.h"

/* ---- typing ---------------------------------------------------------------------------------- */
static wr_status
incompatible(wr_ctx *ctx, const wr_fn_bind *b, bool list)
{
    return wr_raise_at(ctx, WR_TYPE, b->span,
                       list ? "Values in expression list must have compatible types"
                            : "Values passed to IN operator must have compatible types");
}

/* The common type of x and the list, strings giving way to numbers, dates and booleans. */
static wr_status
in_type(wr_ctx *ctx, const wr_fn_bind *b, const wr_type **x, const wr_type **list)
{
    const wr_type *v = wr_type_least_restrictive(b->arena, b->arg_types + 1, b->arg_count - 1);
    if (!v) return incompatible(ctx, b, true);
    wri_cmp_types t;
    const wr_type *l = b->arg_types[0];
    const bool text = wr_type_is_string(l) != wr_type_is_string(v);
    if (wri_compare_types(b->arena, l, v, !text, &t) != WRI_CMP_OK)
        return incompatible(ctx, b, false);
    WR_TRY_ALLOC(ctx, t.l);
    WR_TRY_ALLOC(ctx, t.r);
    if (t.l->id == WR_T_DECIMAL && t.r->id == WR_T_DECIMAL) { /* one layout for the set */
        const wr_type *pair[2] = {t.l, t.r};
        t.l = t.r = wr_type_least_restrictive(b->arena, pair, 2);
        WR_TRY_ALLOC(ctx, t.l);
    }
    const bool texts = wr_type_is_string(l) && wr_type_is_string(v);
    *x = texts ? l : t.l;
    *list = texts ? v : t.r;
    return WR_OK;
}

wr_status
wri_r_in(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *x, *list;
    WR_TRY(in_type(ctx, b, &x, &list));
    bool nullable = b->arg_types[0]->nullable || wri_row_has_nulls(b->arg_types[0]);
    WR_TRY(wri_cast_arg(ctx, b, 0, x));
    if (wri_compare_tries(b->fn, b->args[0], x)) {
        b->arg_types[0] = wr_type_nullable(b->arena, b->arg_types[0], true);
        WR_TRY_ALLOC(ctx, b->arg_types[0]);
        nullable = true;
    }
    for (uint32_t i = 1; i < b->arg_count; i++) {
        nullable |= b->arg_types[i]->nullable || wri_row_has_nulls(b->arg_types[i]);
        if (!wr_type_is_string(list) || !wr_type_is_string(b->arg_types[i]))
            WR_TRY(wri_cast_arg(ctx, b, i, list));
    }
    return wri_result_null(ctx, b, wr_type_of(WR_T_BOOLEAN, true), nullable);
}

/* ---- the set --------------------------------------------------------------------------------- */
typedef struct in_set {
    bool constant; /* every value is a literal */
    bool has_null;
    wr_vec values; /* FLAT, without NULLs */
    uint32_t count, mask;
    uint32_t *slots; /* value + 1; 0 = empty */
} in_set;

static bool
set_has(const in_set *s, const wr_vec *v, uint32_t row)
{
    uint64_t h = wr_vec_entry_hash(v, row, 0);
    for (uint32_t i = (uint32_t)(h >> 32) & s->mask; s->slots[i]; i = (i + 1) & s->mask)
        if (wr_vec_entry_eq(&s->values, s->slots[i] - 1, v, row)) return true;
    return false;
}

static void
set_add(in_set *s, uint32_t value)
{
    uint64_t h = wr_vec_entry_hash(&s->values, value, 0);
    uint32_t i = (uint32_t)(h >> 32) & s->mask;
    while (s->slots[i]) i = (i + 1) & s->mask;
    s->slots[i] = value + 1;
}

static bool
is_nan(const wr_value *v)
{
    if (v->type->phys == WR_PHYS_F64) return v->u.f64 != v->u.f64;
    return v->type->phys == WR_PHYS_F32 && v->u.f32 != v->u.f32;
}

wr_status
wri_p_in(wr_ctx *ctx, const wr_expr *call, const wr_eval_env *env, wr_arena *arena,
         void **state_out)
{
    (void)env;
    in_set *s = WR_NEW(arena, in_set);
    WR_TRY_ALLOC(ctx, s);
    *state_out = s;
    const uint32_t n = call->arg_count - 1;
    for (uint32_t i = 1; i <= n; i++)
        if (call->args[i]->kind != WR_EX_LITERAL) return WR_OK;
    if (wri_row_has_nulls(call->args[0]->type)) return WR_OK;
    for (uint32_t i = 1; i <= n; i++)
        if (wri_row_has_nulls(call->args[i]->type)) return WR_OK;
    s->constant = true;
    if (!wr_vec_init_flat(&s->values, call->args[1]->type, n, arena))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    uint32_t slots = 4;
    while (slots < n * 2) slots *= 2;
    s->mask = slots - 1;
    s->slots = WR_NEW_N(arena, uint32_t, slots);
    WR_TRY_ALLOC(ctx, s->slots);
    for (uint32_t i = 1; i <= n; i++) {
        wr_value v = call->args[i]->value;
        s->has_null |= v.is_null;
        if (v.is_null || is_nan(&v)) continue; /* NaN equals nothing */
        if (!wr_vec_put(&s->values, s->count, &v, arena))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
        if (!set_has(s, &s->values, s->count)) set_add(s, s->count++);
    }
    return WR_OK;
}

/* ---- the kernel ------------------------------------------------------------------------------ */
/* Few integers: a row is compared with all of them, without branches. */
#define IN_FEW 16
#define IN_LOOP(T)                                                                                 \
    for (uint32_t i = 0; i < n; i++) {                                                             \
        uint8_t hit = 0;                                                                           \
        for (uint32_t k = 0; k < count; k++) hit |= ((const T *)v->data)[i] == (T)set[k];          \
        out[i] = hit;                                                                              \
    }

static bool
in_few_integers(wr_fn_call *call, const in_set *s)
{
    const wr_vec *v = call->args[0];
    if (v->form != WR_FORM_FLAT || s->count > IN_FEW || s->count == 0) return false;
    if (v->phys != WR_PHYS_I32 && v->phys != WR_PHYS_I64) return false;
    uint8_t *restrict out = call->out->data;
    const uint32_t n = call->row_count < v->len ? call->row_count : v->len;
    int64_t set[IN_FEW];
    const uint32_t count = (s->count + 3) & ~3u; /* the last one fills up the rest */
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t at = k < s->count ? k : s->count - 1;
        set[k] = v->phys == WR_PHYS_I32 ? ((const int32_t *)s->values.data)[at]
                                        : ((const int64_t *)s->values.data)[at];
    }
    if (v->phys == WR_PHYS_I32)
        IN_LOOP(int32_t)
    else
        IN_LOOP(int64_t)
    return true;
}

static void
in_constant(wr_fn_call *call, const in_set *s)
{
    const wr_vec *v = call->args[0];
    uint8_t *out = call->out->data;
    const bool done = in_few_integers(call, s);
    if (done && !v->has_nulls && !s->has_null) return;
    WR_FOR_CALL(call, row)
    {
        if (wr_vec_is_null(v, row)) {
            wri_null(call, row);
            continue;
        }
        if (!done) out[row] = set_has(s, v, row);
        if (!out[row] && s->has_null) wri_null(call, row);
    }
}

static bool
layouts_equal(const wr_vec *a, const wr_vec *b)
{
    return a->phys == b->phys;
}

wr_status
wri_k_in(wr_fn_call *call)
{
    const in_set *s = call->state;
    if (s->constant && call->args[0]->phys != WR_PHYS_NONE) {
        in_constant(call, s);
        return WR_OK;
    }
    const wr_vec *v = call->args[0];
    uint8_t *out = call->out->data;
    WR_FOR_CALL(call, row)
    {
        bool found = false, unknown = wr_vec_is_null(v, row);
        for (uint32_t i = 1; i < call->arg_count && !found && !wr_vec_is_null(v, row); i++) {
            const wr_vec *w = call->args[i];
            const int r = wr_vec_is_null(w, row) ? 2
                          : !layouts_equal(v, w) ? 0
                                                 : wri_entry_equal(v, row, w, row);
            found = r == 1;
            unknown |= r == 2;
        }
        out[row] = found;
        if (!found && unknown) wri_null(call, row);
    }
    return WR_OK;
}
