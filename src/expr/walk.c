/* SPDX-License-Identifier: Apache-2.0 */
/* Asking and copying bound expressions: equality, hash, constness, rewriting of columns. */
#include "expr/expr_int.h"

/* Calls whose value differs between two evaluations on one row. */
static bool
call_is_stable(const wr_expr *e)
{
    return e->kind != WR_EX_CALL || !(e->fn->flags & WR_FNF_NONDET);
}

static bool
head_equal(const wr_expr *a, const wr_expr *b)
{
    if (a->kind != b->kind || a->arg_count != b->arg_count || !wr_type_eq(a->type, b->type))
        return false;
    switch (a->kind) {
    case WR_EX_LITERAL:
        return wr_value_eq(&a->value, &b->value);
    case WR_EX_COLUMN:
    case WR_EX_FIELD:
    case WR_EX_AGG:
        return a->index == b->index;
    case WR_EX_OUTER:
        return a->index == b->index && a->level == b->level;
    case WR_EX_CALL: /* the typing of equal arguments gives an equal call, but for options */
        return a->fn == b->fn && (a->fn_data == b->fn_data || !a->fn_data == !b->fn_data);
    case WR_EX_CAST:
        return a->flag == b->flag;
    case WR_EX_SUBQUERY:
        return a->rel == b->rel && a->sub == b->sub;
    default:
        return true;
    }
}

bool
wr_expr_equal(const wr_expr *a, const wr_expr *b)
{
    if (!call_is_stable(a) || !call_is_stable(b)) return false;
    if (a == b) return wr_expr_is_deterministic(a);
    if (!head_equal(a, b)) return false;
    for (uint32_t i = 0; i < a->arg_count; i++)
        if (!wr_expr_equal(a->args[i], b->args[i])) return false;
    return true;
}

static uint64_t
literal_hash(const wr_value *v)
{
    if (v->is_null) return 17;
    switch (v->type->phys) {
    case WR_PHYS_BOOL:
        return v->u.b ? 3 : 5;
    case WR_PHYS_I8:
    case WR_PHYS_I16:
    case WR_PHYS_I32:
    case WR_PHYS_I64:
        return wr_hash_u64((uint64_t)v->u.i + 7);
    case WR_PHYS_STR:
        return wr_hash_bytes(v->u.str.ptr, v->u.str.len, 11);
    default: /* rare: told apart by wr_value_eq */
        return v->type->id;
    }
}

uint64_t
wri_expr_hash(const wr_expr *e)
{
    const bool numbered = e->kind == WR_EX_COLUMN || e->kind == WR_EX_OUTER ||
                          e->kind == WR_EX_FIELD || e->kind == WR_EX_AGG;
    const uint64_t index = numbered ? e->index : 0;
    uint64_t h = wr_hash_u64(((uint64_t)e->kind << 40) ^ (index << 8) ^ e->type->id);
    if (e->kind == WR_EX_LITERAL) h ^= literal_hash(&e->value);
    if (e->kind == WR_EX_CALL) h ^= wr_hash_u64((uint64_t)(uintptr_t)e->fn);
    for (uint32_t i = 0; i < e->arg_count; i++) h = wr_hash_u64(h * 31 + wri_expr_hash(e->args[i]));
    return h;
}

static wr_status
set_grow(wr_ctx *ctx, wr_arena *a, wr_expr_set *s)
{
    const uint32_t cap = s->cap ? s->cap * 2 : 32;
    wr_expr_cell *cells = wr_arena_zalloc(a, sizeof *cells * cap);
    WR_TRY_ALLOC(ctx, cells);
    for (uint32_t i = 0; i < s->cap; i++) {
        if (!s->cells[i].expr) continue;
        uint32_t at = (uint32_t)s->cells[i].hash & (cap - 1);
        while (cells[at].expr) at = (at + 1) & (cap - 1);
        cells[at] = s->cells[i];
    }
    s->cells = cells;
    s->cap = cap;
    return WR_OK;
}

wr_status
wr_expr_set_add(wr_ctx *ctx, wr_arena *a, wr_expr_set *s, const wr_expr *e, bool *fresh)
{
    if (s->count >= s->cap / 2) WR_TRY(set_grow(ctx, a, s));
    const uint64_t hash = wri_expr_hash(e);
    uint32_t at = (uint32_t)hash & (s->cap - 1);
    *fresh = false;
    for (; s->cells[at].expr; at = (at + 1) & (s->cap - 1))
        if (s->cells[at].hash == hash && wr_expr_equal(s->cells[at].expr, e)) return WR_OK;
    s->cells[at] = (wr_expr_cell){hash, e};
    s->count++;
    *fresh = true;
    return WR_OK;
}

/* UNIX_TIMESTAMP() is the present, UNIX_TIMESTAMP(text) is not. */
static bool
call_varies(const wr_expr *e)
{
    return e->fn->flags & WR_FNF_NONDET || (e->fn->flags & WR_FNF_DYNAMIC && e->arg_count == 0);
}

bool
wr_expr_is_deterministic(const wr_expr *e)
{
    if (e->kind == WR_EX_CALL && call_varies(e)) return false;
    if (e->kind == WR_EX_SUBQUERY) return false;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (!wr_expr_is_deterministic(e->args[i])) return false;
    return true;
}

bool
wr_expr_is_constant(const wr_expr *e)
{
    switch (e->kind) {
    case WR_EX_COLUMN:
    case WR_EX_OUTER:
    case WR_EX_SUBQUERY:
    case WR_EX_AGG:
        return false;
    case WR_EX_CALL:
        if (e->fn->kind != WR_FN_SCALAR || call_varies(e) || e->fn->flags & WR_FNF_NO_FOLD)
            return false;
        break;
    default:
        break;
    }
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (!wr_expr_is_constant(e->args[i])) return false;
    return true;
}

/* Never an error, for any row, and cheaper than narrowing the rows first. */
static bool
total_within(const wr_expr *e, int *budget)
{
    if (--*budget < 0) return false;
    switch (e->kind) {
    case WR_EX_LITERAL:
    case WR_EX_COLUMN:
        return true;
    case WR_EX_CALL:
        if (!(e->fn->flags & WRI_TOTAL)) return false;
        break;
    case WR_EX_CAST:
        if (!wr_type_is_numeric(e->type) || !wr_type_is_numeric(e->args[0]->type) ||
            wr_type_cast_may_fail(e->args[0]->type, e->type))
            return false;
        break;
    case WR_EX_AND:
    case WR_EX_OR:
    case WR_EX_FIELD:
        break;
    default:
        return false;
    }
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (!total_within(e->args[i], budget)) return false;
    return true;
}

bool
wri_expr_is_total(const wr_expr *e)
{
    int budget = 8;
    return total_within(e, &budget);
}

/* ---- copies ---------------------------------------------------------------------------------- */
typedef struct copier {
    wr_arena *arena;
    wr_expr_column_fn fn; /* or */
    void *arg;
    wr_expr *const *subst;
} copier;

static wr_expr *
copy(const copier *c, const wr_expr *e)
{
    if (e->kind == WR_EX_COLUMN && c->subst) {
        const copier plain = {c->arena, NULL, NULL, NULL};
        return copy(&plain, c->subst[e->index]);
    }
    wr_expr *n = wri_expr_clone(c->arena, e);
    if (!n) return NULL;
    if (e->kind == WR_EX_COLUMN && c->fn) c->fn(c->arg, &n->index);
    for (uint32_t i = 0; i < n->arg_count; i++)
        if (!(n->args[i] = copy(c, e->args[i]))) return NULL;
    return n;
}

wr_expr *
wr_expr_map_columns(wr_arena *a, const wr_expr *e, wr_expr_column_fn fn, void *arg)
{
    return copy(&(copier){a, fn, arg, NULL}, e);
}

wr_expr *
wr_expr_substitute(wr_arena *a, const wr_expr *e, wr_expr *const *subst)
{
    return copy(&(copier){a, NULL, NULL, subst}, e);
}
