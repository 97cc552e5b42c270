/* SPDX-License-Identifier: Apache-2.0 */
/* Constant folding with the runtime's own kernels, and the few simplifications that constants
 * bring (a CASE that is decided, AND and OR with a constant operand).
 *
 * A constant that fails is left in place where rows may never get there (below CASE, AND, OR,
 * COALESCE, IF); elsewhere its error is the statement's. Hidden casts over literals stay, so that
 * plans show the literal as it was written. Statement arena. */
#include "expr/program_int.h"

wr_status
wri_eval_const(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, const wr_expr *e, wr_value *out)
{
    wr_program *p;
    wr_expr *one = (wr_expr *)e;
    WR_TRY(wri_program_build(ctx, a, env, &one, 1, false, &p));
    wr_batch batch = {.row_count = 1};
    wr_vec v;
    WR_TRY(wr_program_run(ctx, p, &batch, NULL, 1, a, &v));
    wr_value value;
    if (!wr_vec_get(&v, 0, a, &value)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    value.type = e->type;
    if (!value.is_null && e->type->phys == WR_PHYS_F64) value.u.f64 += 0.0;  /* literals know no */
    if (!value.is_null && e->type->phys == WR_PHYS_F32) value.u.f32 += 0.0f; /* negative zero */
    *out = wr_value_copy(a, &value);
    if (out->is_null && !value.is_null) return wr_raise(ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

wr_status
wri_cast_value(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, const wr_value *v,
               const wr_type *to, bool try_cast, wr_value *out, bool *ok)
{
    wr_expr *l = wr_expr_literal(a, v, WR_NO_SPAN);
    WR_TRY_ALLOC(ctx, l);
    wr_expr *c = wr_expr_cast(a, l, to, try_cast, WR_NO_SPAN);
    WR_TRY_ALLOC(ctx, c);
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    const wr_status st = wri_eval_const(&quiet, a, env, c, out);
    *ok = st == WR_OK && (!out->is_null || v->is_null);
    if (st == WR_NOMEM) return wr_raise(ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

typedef struct folder {
    wr_ctx *ctx;
    wr_arena *arena;
    const wr_eval_env *env;
} folder;

static bool
is_literal(const wr_expr *e)
{
    while (e->kind == WR_EX_CAST && e->sub == WRI_CAST_HIDDEN) e = e->args[0];
    return e->kind == WR_EX_LITERAL;
}

/* Shown literals: hidden casts over them need no folding. */
static bool
args_are_literals(const wr_expr *e)
{
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (!is_literal(e->args[i])) return false;
    return true;
}

/* A plain literal's truth: 1 TRUE, 0 FALSE, -1 NULL, 2 no literal. */
static int
truth(const wr_expr *e)
{
    if (e->kind != WR_EX_LITERAL) return 2;
    if (e->value.is_null) return -1;
    return e->value.u.b;
}

static bool
literal_is_zero(const wr_expr *e)
{
    while (e->kind == WR_EX_CAST) e = e->args[0];
    if (e->kind != WR_EX_LITERAL || e->value.is_null) return false;
    switch (e->type->phys) {
    case WR_PHYS_F64:
        return !(e->value.u.f64 < 0) && !(e->value.u.f64 > 0) && e->value.u.f64 == e->value.u.f64;
    case WR_PHYS_F32:
        return !(e->value.u.f32 < 0) && !(e->value.u.f32 > 0) && e->value.u.f32 == e->value.u.f32;
    case WR_PHYS_I128:
        return e->value.u.i128 == 0;
    default:
        return wr_type_is_numeric(e->type) && e->value.u.i == 0;
    }
}

/* A node whose operands are literals becomes one. */
static wr_status
fold_node(const folder *f, wr_expr *e, bool lazy, wr_expr **out)
{
    *out = e;
    if (e->kind == WR_EX_CALL && strcmp(e->fn->name, "/") == 0 && literal_is_zero(e->args[1]) &&
        !wri_lit_null(e->args[0])) { /* constants are not divided by zero, even DOUBLE */
        if (lazy) return WR_OK;
        return wr_raise_at(f->ctx, WR_DATA, e->span, "Division by zero");
    }
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    wr_value v;
    const wr_status st = wri_eval_const(&quiet, f->arena, f->env, e, &v);
    if (st == WR_NOMEM) return wr_raise(f->ctx, WR_NOMEM, "out of memory");
    if (st != WR_OK) {
        if (lazy) return WR_OK;
        return wr_raise_at(f->ctx, st, e->span, "%s", quiet.err.message);
    }
    wr_expr *l = wr_expr_literal(f->arena, &v, e->span);
    WR_TRY_ALLOC(f->ctx, l);
    l->type = l->value.type = v.is_null ? e->type : l->type;
    if (e->kind == WR_EX_CAST && e->args[0]->kind == WR_EX_LITERAL && !v.is_null)
        wri_keep_written_scale(l, e->args[0]);
    *out = l;
    return WR_OK;
}

/* Constant operands of AND and OR: the deciding one decides, the neutral one goes. */
static wr_status
simplify_logic(const folder *f, wr_expr *e, wr_expr **out)
{
    const int deciding = e->kind == WR_EX_OR;
    uint32_t n = 0;
    *out = e;
    for (uint32_t i = 0; i < e->arg_count; i++) {
        const int t = truth(e->args[i]);
        if (t == deciding) {
            *out = e->args[i];
            return WR_OK;
        }
        if (t != !deciding) e->args[n++] = e->args[i];
    }
    e->arg_count = n;
    if (n == 1) *out = e->args[0];
    if (n > 0) return WR_OK;
    const wr_value v = wr_value_bool(!deciding);
    *out = wr_expr_literal(f->arena, &v, e->span);
    WR_TRY_ALLOC(f->ctx, *out);
    return WR_OK;
}

/* Branches that are never or always taken. */
static wr_expr *
simplify_case(wr_expr *e)
{
    uint32_t n = 0, i = 0;
    for (; i + 1 < e->arg_count; i += 2) {
        const int t = truth(e->args[i]);
        if (t == 0 || t == -1) continue;
        if (t == 1) {
            e->args[n++] = e->args[i + 1];
            break;
        }
        e->args[n++] = e->args[i];
        e->args[n++] = e->args[i + 1];
    }
    if (i + 1 >= e->arg_count) e->args[n++] = e->args[e->arg_count - 1];
    e->arg_count = n;
    return n == 1 ? e->args[0] : e;
}

static bool
is_lazy(const wr_expr *e)
{
    return e->kind == WR_EX_CASE || e->kind == WR_EX_AND || e->kind == WR_EX_OR ||
           e->kind == WR_EX_COALESCE || wri_is_fn(e, "IF") || wri_is_fn(e, "IFNULL");
}

static wr_status
fold(const folder *f, wr_expr *e, bool lazy, wr_expr **out)
{
    *out = e;
    if (e->kind == WR_EX_LITERAL || e->arg_count == 0) {
        const bool constant_call = e->kind == WR_EX_CALL && wr_expr_is_constant(e);
        return constant_call ? fold_node(f, e, lazy, out) : WR_OK;
    }
    if (e->kind == WR_EX_CAST && e->sub == WRI_CAST_HIDDEN && is_literal(e)) return WR_OK;
    wr_expr *n = wri_expr_clone(f->arena, e);
    WR_TRY_ALLOC(f->ctx, n);
    const bool branches = is_lazy(e);
    for (uint32_t i = 0; i < n->arg_count; i++)
        WR_TRY(fold(f, e->args[i], lazy || (branches && i > 0), &n->args[i]));
    *out = n;
    if (args_are_literals(n) && wr_expr_is_constant(n)) return fold_node(f, n, lazy, out);
    if (n->kind == WR_EX_AND || n->kind == WR_EX_OR) return simplify_logic(f, n, out);
    if (n->kind != WR_EX_CASE) return WR_OK;
    wr_expr *decided = simplify_case(n);
    *out = decided;
    return decided == n ? WR_OK : fold(f, decided, lazy, out);
}

wr_status
wr_expr_fold(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, wr_expr *e, wr_expr **out)
{
    const folder f = {ctx, a, env};
    return fold(&f, e, false, out);
}
