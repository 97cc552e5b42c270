/* SPDX-License-Identifier: Apache-2.0 */
/* Bound expressions to a flat array of steps, with common sub-expressions shared.
 *
 * The memo remembers which expression lies in which register and under which selection it was
 * computed; it may be used again under that selection and those below. Constant sub-expressions
 * become literals here (unless they fail: then their steps stay, and fail only for the rows that
 * reach them). Task arena. */
#include "expr/program_int.h"

#define MEMO_HEADS 64u /* at first */

typedef struct memo {
    uint64_t hash;
    const wr_expr *expr;
    uint32_t reg, scope;
    const wr_expr *call; /* CALL: with folded arguments */
    void *state;
    uint32_t older; /* number + 1 of the one before it with such a hash; 0: none */
} memo;

typedef struct compiler {
    wr_ctx *ctx;
    wr_arena *arena;
    const wr_eval_env *env;
    wr_program *p;
    bool fold;
    WR_LIST(memo) memo;
    uint32_t *newest, newest_mask; /* by hash: number + 1 */
    WR_LIST(uint32_t) sel_parent;
    uint32_t first_scope; /* memo entries of older scopes belong to the other half of the program */
} compiler;

static wr_status compile(compiler *c, const wr_expr *e, uint32_t sel, uint32_t *reg);

static wr_status
new_reg(compiler *c, uint32_t *reg)
{
    wr_program *p = c->p;
    if (p->reg_count == p->reg_cap &&
        !wr_list_grow_(c->arena, (void **)&p->regs, &p->reg_cap, sizeof(wr_vec *)))
        return wr_raise(c->ctx, WR_NOMEM, "out of memory");
    wr_vec *v = WR_NEW(c->arena, wr_vec);
    WR_TRY_ALLOC(c->ctx, v);
    *reg = p->reg_count;
    p->regs[p->reg_count++] = v;
    return WR_OK;
}

static wr_status
new_sel(compiler *c, uint32_t parent, uint32_t *sel)
{
    *sel = c->sel_parent.count;
    if (!wr_list_push(c->arena, &c->sel_parent, parent))
        return wr_raise(c->ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

static bool
is_below(const compiler *c, uint32_t sel, uint32_t scope)
{
    for (;; sel = c->sel_parent.items[sel]) {
        if (sel == scope) return true;
        if (c->sel_parent.items[sel] == sel) return false; /* a root */
    }
}

static const memo *
memo_find(const compiler *c, const wr_expr *e, uint64_t hash, uint32_t sel)
{
    if (!c->newest) return NULL;
    for (uint32_t i = c->newest[hash & c->newest_mask]; i; i = c->memo.items[i - 1].older) {
        const memo *m = &c->memo.items[i - 1];
        if (m->hash == hash && m->scope >= c->first_scope && is_below(c, sel, m->scope) &&
            wr_expr_equal(m->expr, e))
            return m;
    }
    return NULL;
}

/* The same call anywhere in the program: what was prepared for it serves again. */
static const memo *
memo_prepared(const compiler *c, const wr_expr *e, uint64_t hash)
{
    if (!c->newest) return NULL;
    for (uint32_t i = c->newest[hash & c->newest_mask]; i; i = c->memo.items[i - 1].older) {
        const memo *m = &c->memo.items[i - 1];
        if (m->hash == hash && m->call && wr_expr_equal(m->expr, e)) return m;
    }
    return NULL;
}

static void
memo_link(compiler *c, uint32_t i)
{
    uint32_t *newest = &c->newest[c->memo.items[i].hash & c->newest_mask];
    c->memo.items[i].older = *newest;
    *newest = i + 1;
}

static wr_status
memo_add(compiler *c, memo m)
{
    if (!wr_list_push(c->arena, &c->memo, m)) return wr_raise(c->ctx, WR_NOMEM, "out of memory");
    if (c->newest && c->memo.count <= c->newest_mask) {
        memo_link(c, c->memo.count - 1);
        return WR_OK;
    }
    const uint32_t cap = c->newest ? (c->newest_mask + 1) * 2 : MEMO_HEADS;
    c->newest = wr_arena_zalloc(c->arena, sizeof *c->newest * cap);
    WR_TRY_ALLOC(c->ctx, c->newest);
    c->newest_mask = cap - 1;
    for (uint32_t i = 0; i < c->memo.count; i++) memo_link(c, i);
    return WR_OK;
}

static wr_status
emit(compiler *c, wri_step s, const uint32_t *args, uint32_t n, uint32_t *index)
{
    s.args = WR_NEW_N(c->arena, const wr_vec *, n ? n : 1);
    WR_TRY_ALLOC(c->ctx, s.args);
    s.arg_count = n;
    for (uint32_t i = 0; i < n; i++) s.args[i] = c->p->regs[args[i]];
    if (index) *index = c->p->steps.count;
    if (!wr_list_push(c->arena, &c->p->steps, s))
        return wr_raise(c->ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

static wr_status
emit_narrow(compiler *c, uint32_t sel, uint32_t cond, wri_narrow mode, uint32_t *sel_out,
            uint32_t *index)
{
    WR_TRY(new_sel(c, sel, sel_out));
    const wri_step s = {
        .op = WRI_STEP_NARROW, .mode = (uint8_t)mode, .sel = sel, .sel_out = *sel_out};
    return emit(c, s, &cond, 1, index);
}

/* The jump of step `index` leads to the next step. */
static void
land(compiler *c, uint32_t index)
{
    c->p->steps.items[index].jump = c->p->steps.count;
}

/* ---- leaves ---------------------------------------------------------------------------------- */
static wr_status
compile_literal(compiler *c, const wr_expr *e, uint32_t *reg)
{
    WR_TRY(new_reg(c, reg));
    wr_vec *v = c->p->regs[*reg];
    if (e->type->id == WR_T_SYMBOL) {
        v->type = e->type;
        v->form = WR_FORM_CONST;
        v->phys = WR_PHYS_NONE;
        v->len = v->cap = 1;
        return WR_OK;
    }
    wr_value value = e->value;
    value.type = e->type;
    if (!wr_vec_init_const(v, &value, c->arena)) return wr_raise(c->ctx, WR_NOMEM, "out of memory");
    /* the bytes live in the plan, which outlives every batch */
    if (v->phys == WR_PHYS_STR && !value.is_null)
        *(wr_strv *)v->data = wr_strv_make(value.u.str.ptr, (uint32_t)value.u.str.len);
    return WR_OK;
}

static wr_status
compile_column(compiler *c, const wr_expr *e, uint32_t *reg)
{
    for (uint32_t i = 0; i < c->p->loads.count; i++)
        if (c->p->loads.items[i].column == e->index) {
            *reg = c->p->loads.items[i].reg;
            return WR_OK;
        }
    WR_TRY(new_reg(c, reg));
    const wri_load load = {*reg, e->index};
    if (!wr_list_push(c->arena, &c->p->loads, load))
        return wr_raise(c->ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

/* The literal that a constant sub-expression is, or the expression itself. */
static wr_status
folded(compiler *c, const wr_expr *e, const wr_expr **out)
{
    *out = e;
    if (!c->fold || e->kind == WR_EX_LITERAL || !wr_expr_is_constant(e)) return WR_OK;
    wr_value v;
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    const wr_status st = wri_eval_const(&quiet, c->arena, c->env, e, &v);
    if (st == WR_NOMEM) return wr_raise(c->ctx, WR_NOMEM, "out of memory");
    if (st != WR_OK) return WR_OK; /* fails when a row gets there */
    v.type = e->type;
    wr_expr *l = wr_expr_literal(c->arena, &v, e->span);
    WR_TRY_ALLOC(c->ctx, l);
    l->type = l->value.type = e->type; /* the declared type, NULL or not */
    *out = l;
    return WR_OK;
}

/* ---- calls ----------------------------------------------------------------------------------- */
static bool
call_is_foldable(const wr_expr *e)
{
    return e->kind == WR_EX_CAST || !(e->fn->flags & (WR_FNF_NONDET | WRI_NO_DICT));
}

static wr_status
prepare_call(compiler *c, const wr_expr *e, uint64_t hash, const wr_expr **call, void **state)
{
    const memo *m = memo_prepared(c, e, hash);
    if (m) {
        *call = m->call;
        *state = m->state;
        return WR_OK;
    }
    wr_expr *copy = wri_expr_clone(c->arena, e);
    WR_TRY_ALLOC(c->ctx, copy);
    for (uint32_t i = 0; i < e->arg_count; i++) {
        const wr_expr *f;
        WR_TRY(folded(c, e->args[i], &f));
        copy->args[i] = (wr_expr *)f;
    }
    *call = copy;
    *state = NULL;
    if (e->fn->prepare) return e->fn->prepare(c->ctx, copy, c->env, c->arena, state);
    return WR_OK;
}

static wr_status
compile_args(compiler *c, const wr_expr *e, uint32_t sel, uint32_t **regs)
{
    *regs = WR_NEW_N(c->arena, uint32_t, e->arg_count ? e->arg_count : 1);
    WR_TRY_ALLOC(c->ctx, *regs);
    for (uint32_t i = 0; i < e->arg_count; i++) WR_TRY(compile(c, e->args[i], sel, &(*regs)[i]));
    return WR_OK;
}

static wr_status
compile_call(compiler *c, const wr_expr *e, uint64_t hash, uint32_t sel, uint32_t *reg)
{
    memo m = {.hash = hash, .expr = e, .scope = sel};
    WR_TRY(prepare_call(c, e, hash, &m.call, &m.state));
    uint32_t *args;
    WR_TRY(compile_args(c, m.call, sel, &args));
    WR_TRY(new_reg(c, reg));
    const wri_step s = {.op = WRI_STEP_CALL,
                        .foldable = call_is_foldable(e),
                        .out = *reg,
                        .sel = wri_expr_is_total(e) ? c->first_scope : sel,
                        .expr = m.call,
                        .state = m.state};
    WR_TRY(emit(c, s, args, e->arg_count, NULL));
    m.reg = *reg;
    return memo_add(c, m);
}

static wr_status
compile_unary(compiler *c, const wr_expr *e, uint64_t hash, uint32_t sel, uint32_t *reg)
{
    uint32_t arg;
    WR_TRY(compile(c, e->args[0], sel, &arg));
    WR_TRY(new_reg(c, reg));
    const wri_step s = {.op = e->kind == WR_EX_CAST ? WRI_STEP_CAST : WRI_STEP_FIELD,
                        .foldable = true,
                        .out = *reg,
                        .sel = wri_expr_is_total(e) ? c->first_scope : sel,
                        .expr = e};
    WR_TRY(emit(c, s, &arg, 1, NULL));
    return memo_add(c, (memo){.hash = hash, .expr = e, .reg = *reg, .scope = sel});
}

/* ---- AND, OR --------------------------------------------------------------------------------- */
static wr_status
compile_logic(compiler *c, const wr_expr *e, uint32_t sel, uint32_t *reg)
{
    const bool conj = e->kind == WR_EX_AND;
    uint32_t first, *jumps = WR_NEW_N(c->arena, uint32_t, e->arg_count), jump_count = 0;
    WR_TRY_ALLOC(c->ctx, jumps);
    WR_TRY(compile(c, e->args[0], sel, &first));
    WR_TRY(new_reg(c, reg));
    WR_TRY(emit(c, (wri_step){.op = WRI_STEP_LOGIC_BEGIN, .out = *reg, .sel = sel, .expr = e},
                &first, 1, NULL));
    uint32_t current = sel;
    for (uint32_t i = 1; i < e->arg_count; i++) {
        if (!wri_expr_is_total(e->args[i])) {
            uint32_t next;
            WR_TRY(emit_narrow(c, current, *reg, conj ? WRI_IF_NOT_FALSE : WRI_IF_NOT_TRUE, &next,
                               &jumps[jump_count++]));
            current = next;
        }
        uint32_t arg;
        WR_TRY(compile(c, e->args[i], current, &arg));
        WR_TRY(emit(
            c,
            (wri_step){.op = WRI_STEP_LOGIC, .mode = conj, .out = *reg, .sel = current, .expr = e},
            &arg, 1, NULL));
    }
    for (uint32_t i = 0; i < jump_count; i++) land(c, jumps[i]);
    return WR_OK;
}

/* ---- CASE, IF -------------------------------------------------------------------------------- */
static wr_status
emit_merge(compiler *c, const wr_expr *value, uint32_t sel, uint32_t reg)
{
    uint32_t v;
    WR_TRY(compile(c, value, sel, &v));
    return emit(c, (wri_step){.op = WRI_STEP_MERGE, .out = reg, .sel = sel, .expr = value}, &v, 1,
                NULL);
}

static wr_status
compile_case(compiler *c, const wr_expr *e, uint32_t sel, uint32_t *reg)
{
    const uint32_t branches = e->arg_count / 2;
    uint32_t *jumps = WR_NEW_N(c->arena, uint32_t, branches + 1), jump_count = 0;
    WR_TRY_ALLOC(c->ctx, jumps);
    WR_TRY(new_reg(c, reg));
    WR_TRY(emit(c, (wri_step){.op = WRI_STEP_MERGE_BEGIN, .out = *reg, .sel = sel, .expr = e}, NULL,
                0, NULL));
    uint32_t current = sel;
    for (uint32_t i = 0; i < branches; i++) {
        uint32_t cond, then, skip;
        WR_TRY(compile(c, e->args[2 * i], current, &cond));
        WR_TRY(emit_narrow(c, current, cond, WRI_IF_TRUE, &then, &skip));
        WR_TRY(emit_merge(c, e->args[2 * i + 1], then, *reg));
        land(c, skip);
        uint32_t rest;
        WR_TRY(emit_narrow(c, current, cond, WRI_IF_NOT_TRUE, &rest, &jumps[jump_count++]));
        current = rest;
    }
    WR_TRY(emit_merge(c, e->args[e->arg_count - 1], current, *reg));
    for (uint32_t i = 0; i < jump_count; i++) land(c, jumps[i]);
    return WR_OK;
}

/* ---- COALESCE, IFNULL ------------------------------------------------------------------------ */
static wr_status
compile_coalesce(compiler *c, const wr_expr *e, uint32_t sel, uint32_t *reg)
{
    uint32_t *jumps = WR_NEW_N(c->arena, uint32_t, e->arg_count + 1), jump_count = 0;
    WR_TRY_ALLOC(c->ctx, jumps);
    uint32_t value;
    WR_TRY(compile(c, e->args[0], sel, &value));
    *reg = value;
    if (e->arg_count == 1 || !e->args[0]->type->nullable) return WR_OK;
    WR_TRY(new_reg(c, reg));
    WR_TRY(emit(c, (wri_step){.op = WRI_STEP_UNLESS_NULL, .out = *reg, .sel = sel, .expr = e},
                &value, 1, &jumps[jump_count++]));
    WR_TRY(emit(c, (wri_step){.op = WRI_STEP_MERGE_BEGIN, .out = *reg, .sel = sel, .expr = e}, NULL,
                0, NULL));
    WR_TRY(emit(c, (wri_step){.op = WRI_STEP_MERGE, .out = *reg, .sel = sel, .expr = e->args[0]},
                &value, 1, NULL));
    uint32_t current = sel;
    for (uint32_t i = 1; i < e->arg_count; i++) {
        uint32_t rest;
        WR_TRY(emit_narrow(c, current, value, WRI_IF_NULL, &rest, &jumps[jump_count++]));
        current = rest;
        WR_TRY(compile(c, e->args[i], current, &value));
        WR_TRY(emit(
            c, (wri_step){.op = WRI_STEP_MERGE, .out = *reg, .sel = current, .expr = e->args[i]},
            &value, 1, NULL));
        if (!e->args[i]->type->nullable) break;
    }
    for (uint32_t i = 0; i < jump_count; i++) land(c, jumps[i]);
    return WR_OK;
}

static wr_status
compile_node(compiler *c, const wr_expr *e, uint64_t hash, uint32_t sel, uint32_t *reg)
{
    switch (e->kind) {
    case WR_EX_CALL:
        if (wri_is_fn(e, "SEARCH")) return compile(c, e->args[1], sel, reg);
        if (wri_is_fn(e, "IF")) break;
        if (wri_is_fn(e, "IFNULL")) {
            WR_TRY(compile_coalesce(c, e, sel, reg));
            return memo_add(c, (memo){.hash = hash, .expr = e, .reg = *reg, .scope = sel});
        }
        return compile_call(c, e, hash, sel, reg);
    case WR_EX_CAST:
    case WR_EX_FIELD:
        return compile_unary(c, e, hash, sel, reg);
    case WR_EX_AND:
    case WR_EX_OR:
        WR_TRY(compile_logic(c, e, sel, reg));
        return memo_add(c, (memo){.hash = hash, .expr = e, .reg = *reg, .scope = sel});
    case WR_EX_COALESCE:
        WR_TRY(compile_coalesce(c, e, sel, reg));
        return memo_add(c, (memo){.hash = hash, .expr = e, .reg = *reg, .scope = sel});
    case WR_EX_CASE:
        break;
    default:
        return wr_raise_at(c->ctx, WR_INTERNAL, e->span, "an expression of kind %d can't be run",
                           e->kind);
    }
    WR_TRY(compile_case(c, e, sel, reg));
    return memo_add(c, (memo){.hash = hash, .expr = e, .reg = *reg, .scope = sel});
}

static wr_status
compile(compiler *c, const wr_expr *e, uint32_t sel, uint32_t *reg)
{
    WR_TRY(folded(c, e, &e));
    if (e->kind == WR_EX_COLUMN) return compile_column(c, e, reg);
    const uint64_t hash = wri_expr_hash(e);
    const memo *m = memo_find(c, e, hash, sel);
    if (m) {
        *reg = m->reg;
        return WR_OK;
    }
    if (e->kind != WR_EX_LITERAL) return compile_node(c, e, hash, sel, reg);
    WR_TRY(compile_literal(c, e, reg));
    return memo_add(c, (memo){.hash = hash, .expr = e, .reg = *reg, .scope = sel});
}

/* A condition that is an AND: every conjunct narrows the selection for the next. */
static wr_status
compile_filter(compiler *c, const wr_expr *e)
{
    wr_program *p = c->p;
    uint32_t current, *jumps = WR_NEW_N(c->arena, uint32_t, e->arg_count), sel;
    WR_TRY_ALLOC(c->ctx, jumps);
    WR_TRY(new_sel(c, c->sel_parent.count, &current)); /* a root of its own */
    c->first_scope = p->filter_root = current;
    for (uint32_t i = 0; i < e->arg_count; i++) {
        uint32_t cond;
        WR_TRY(compile(c, e->args[i], current, &cond));
        WR_TRY(emit_narrow(c, current, cond, WRI_IF_TRUE, &sel, &jumps[i]));
        current = sel;
    }
    for (uint32_t i = 0; i < e->arg_count; i++) land(c, jumps[i]);
    p->filter_sel = current;
    return WR_OK;
}

wr_status
wri_program_build(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, wr_expr *const *exprs,
                  uint32_t n, bool fold, wr_program **out)
{
    wr_program *p = WR_NEW(a, wr_program);
    WR_TRY_ALLOC(ctx, p);
    p->arena = a;
    p->env = env;
    p->out_count = n;
    p->outs = WR_NEW_N(a, uint32_t, n ? n : 1);
    WR_TRY_ALLOC(ctx, p->outs);
    compiler c = {.ctx = ctx, .arena = a, .env = env, .p = p, .fold = fold};
    uint32_t root;
    WR_TRY(new_sel(&c, c.sel_parent.count, &root));
    for (uint32_t i = 0; i < n; i++) WR_TRY(compile(&c, exprs[i], root, &p->outs[i]));
    p->main_end = p->filter_end = p->steps.count;
    if (n == 1 && exprs[0]->kind == WR_EX_AND) {
        WR_TRY(compile_filter(&c, exprs[0]));
        p->filter_end = p->steps.count;
    }
    p->sel_count = c.sel_parent.count;
    p->sels = WR_NEW_N(a, wri_sel, p->sel_count);
    WR_TRY_ALLOC(ctx, p->sels);
    *out = p;
    return WR_OK;
}

wr_status
wr_program_compile(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, wr_expr *const *exprs,
                   uint32_t n, wr_program **out)
{
    return wri_program_build(ctx, a, env, exprs, n, true, out);
}
