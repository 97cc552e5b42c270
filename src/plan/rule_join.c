/* SPDX-License-Identifier: Apache-2.0 */
/* Join conditions in the form that keys can be read from: in `a = b` with a side for each input, an
 * expression that is no plain column is computed by a projection below the join, and both sides get
 * one type. So `t.id + 1 = u.id` is an equi join on $f<n> = id. */
#include "plan/rule_int.h"

typedef struct side_exprs { /* columns of one input, then computed ones */
    wri_expr_list exprs;
    WR_LIST(wr_str) names;
    uint32_t width;
} side_exprs;

static wr_status
nomem(wri_rules *r)
{
    return wr_raise(r->ctx, WR_NOMEM, "out of memory");
}

static wr_status
open_side(wri_rules *r, const wr_rel *in, side_exprs *out)
{
    memset(out, 0, sizeof *out);
    out->width = in->schema.count;
    for (uint32_t i = 0; i < out->width; i++) {
        wr_expr *e = wri_rex_col(r->a, in, i);
        WR_TRY_ALLOC(r->ctx, e);
        if (!wr_list_push(r->a, &out->exprs, e) ||
            !wr_list_push(r->a, &out->names, in->schema.fields[i].name))
            return nomem(r);
    }
    return WR_OK;
}

/* The column that holds `e` (over this side's row). */
static wr_status
place(wri_rules *r, side_exprs *s, wr_expr *e, uint32_t name_no, uint32_t *col)
{
    if (e->kind == WR_EX_COLUMN) {
        *col = e->index;
        return WR_OK;
    }
    for (*col = s->width; *col < s->exprs.count; ++*col)
        if (wr_expr_equal(s->exprs.items[*col], e)) return WR_OK;
    wr_str name = e->kind == WR_EX_CAST && e->args[0]->kind == WR_EX_COLUMN
                      ? s->names.items[e->args[0]->index] /* gets a number: id0 */
                      : wr_arena_printf(r->a, "$f%u", name_no);
    WR_TRY_ALLOC(r->ctx, name.ptr);
    return wr_list_push(r->a, &s->exprs, e) && wr_list_push(r->a, &s->names, name) ? WR_OK
                                                                                   : nomem(r);
}

static bool
is_equality(const wr_expr *e)
{
    return wri_rex_is_call(e, "=") || wri_rex_is_call(e, "IS NOT DISTINCT FROM");
}

/* 0: only left columns, 1: only right ones, -1: none or both. */
static int
side_of(const wr_expr *e, uint32_t lw)
{
    uint32_t lo, hi;
    if (!wr_expr_is_deterministic(e) || !wri_rex_col_range(e, &lo, &hi)) return -1;
    return hi < lw ? 0 : lo >= lw ? 1 : -1;
}

static wr_status
same_type(wri_rules *r, wr_expr *pair[2])
{
    const wr_type *types[2] = {pair[0]->type, pair[1]->type}, *t;
    if (wr_type_eq_ignoring_null(types[0], types[1])) return WR_OK;
    t = wr_type_is_string(types[0]) && wr_type_is_string(types[1]) ? wr_type_string(true)
                                                                   : wr_type_common(r->a, types, 2);
    for (uint32_t i = 0; t && i < 2; i++) {
        if (wr_type_eq_ignoring_null(types[i], t)) continue;
        const wr_type *to = wr_type_nullable(r->a, t, types[i]->nullable);
        WR_TRY_ALLOC(r->ctx, to);
        pair[i] = wr_expr_cast(r->a, pair[i], to, false, pair[i]->span);
        WR_TRY_ALLOC(r->ctx, pair[i]);
    }
    return WR_OK;
}

/* Text beside another type: where it is bound it may have looked like a filter. */
static wr_status
check_types(wri_rules *r, const wr_expr *e)
{
    const wr_type *l = wr_expr_written(e->args[0])->type, *t = wr_expr_written(e->args[1])->type;
    if (!wri_rex_is_call(e, "=") || wr_type_is_string(l) == wr_type_is_string(t)) return WR_OK;
    return wri_join_types_refused(r->ctx, r->a, l, t, e->span);
}

/* The conjunct with columns for its sides; what is no equality of two sides stays. */
static wr_status
normalise(wri_rules *r, side_exprs s[2], uint32_t lw, wr_expr *e, wr_expr **out, bool *columns)
{
    *out = e;
    *columns = false;
    if (!is_equality(e)) return WR_OK;
    int a = side_of(e->args[0], lw), b = side_of(e->args[1], lw);
    if (a < 0 || b < 0 || a == b) return WR_OK;
    WR_TRY(check_types(r, e));
    wr_expr *pair[2] = {e->args[0], e->args[1]};
    WR_TRY(same_type(r, pair));
    if (pair[0]->kind == WR_EX_COLUMN && pair[1]->kind == WR_EX_COLUMN) return WR_OK;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t right = (uint32_t)(i ? b : a), col = 0;
        wr_expr *x = pair[i];
        if (right) x = wri_rex_shift_cols(r->a, x, -(int32_t)lw);
        WR_TRY_ALLOC(r->ctx, x);
        WR_TRY(place(r, &s[right], x, s[right].exprs.count, &col));
        /* right columns count from a base that is fixed when all are known */
        pair[i] = wr_expr_column(r->a, col, x->type, x->span);
        WR_TRY_ALLOC(r->ctx, pair[i]);
        pair[i]->level = right;
    }
    *columns = true;
    return wri_rex_call2(r, e->fn->name, pair[0], pair[1], out);
}

static wr_rel *
project_side(wri_rules *r, wr_rel *in, const side_exprs *s)
{
    if (s->exprs.count == s->width) return in;
    wr_rel *p = wri_rel_project(r->a, in, s->exprs.items, s->names.items, s->exprs.count);
    if (p) p->alias = in->alias;
    return p;
}

typedef struct renumbering {
    uint32_t lw, l_now;
} renumbering;

/* Old conditions count the right side from lw; placed columns carry their side in `level`. */
static wr_expr *
renumber(wri_map *m, const wr_expr *e, uint32_t depth)
{
    const renumbering *x = m->arg;
    (void)depth;
    if (e->kind != WR_EX_COLUMN) return NULL;
    wr_expr *c = WR_NEW(m->a, wr_expr);
    if (!c) {
        m->failed = true;
        return NULL;
    }
    *c = *e;
    if (x->lw == UINT32_MAX)
        c->index += e->level ? x->l_now : 0;
    else if (e->index >= x->lw)
        c->index = e->index - x->lw + x->l_now;
    c->level = 0;
    return c;
}

static wr_status
rebuild(wri_rules *r, wr_rel *rel, wr_rel *in[2], wr_expr *cond, wr_rel **out)
{
    uint32_t lw = rel->inputs[0]->schema.count, n = rel->schema.count;
    uint32_t l_now = in[0]->schema.count;
    wr_rel *join = wri_rel_join(r->a, rel->u.join.type, in[0], in[1], cond);
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, n + 1);
    wr_str *names = WR_NEW_N(r->a, wr_str, n + 1);
    WR_TRY_ALLOC(r->ctx, join);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, names);
    join->u.join.hint = rel->u.join.hint;
    join->u.join.temporal = rel->u.join.temporal;
    join->u.join.lookup = rel->u.join.lookup;
    join->u.join.regular = rel->u.join.regular;
    join->u.join.ttl_ms[0] = rel->u.join.ttl_ms[0];
    join->u.join.ttl_ms[1] = rel->u.join.ttl_ms[1];
    join->span = rel->span;
    for (uint32_t c = 0; c < n; c++) {
        names[c] = rel->schema.fields[c].name;
        exprs[c] = wri_rex_col(r->a, join, c < lw ? c : c - lw + l_now);
        WR_TRY_ALLOC(r->ctx, exprs[c]);
    }
    *out = wri_rel_project(r->a, join, exprs, names, n);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

static wr_status
normalise_join(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    uint32_t lw = rel->inputs[0]->schema.count;
    side_exprs s[2];
    wri_expr_list all = {0}, conds = {0};
    bool any = false;
    *out = rel;
    if (!wri_rex_conjuncts(r->a, rel->u.join.cond, &all)) return nomem(r);
    for (uint32_t i = 0; i < 2; i++) WR_TRY(open_side(r, rel->inputs[i], &s[i]));
    bool *placed = WR_NEW_N(r->a, bool, all.count + 1);
    WR_TRY_ALLOC(r->ctx, placed);
    for (uint32_t i = 0; i < all.count; i++) {
        WR_TRY(normalise(r, s, lw, all.items[i], &all.items[i], &placed[i]));
        any = any || placed[i];
    }
    if (!any) return WR_OK;
    wr_rel *in[2];
    for (uint32_t i = 0; i < 2; i++) {
        in[i] = project_side(r, rel->inputs[i], &s[i]);
        WR_TRY_ALLOC(r->ctx, in[i]);
    }
    for (uint32_t i = 0; i < all.count; i++) {
        renumbering x = {placed[i] ? UINT32_MAX : lw, in[0]->schema.count};
        wri_map m = {r->a, renumber, &x, false};
        wr_expr *e = wri_rex_map(&m, all.items[i], 0);
        WR_TRY_ALLOC(r->ctx, e);
        if (!wr_list_push(r->a, &conds, e)) return nomem(r);
    }
    wr_expr *cond = NULL;
    WR_TRY(wri_rex_and_all(r, &conds, &cond));
    return rebuild(r, rel, in, cond, out);
}

wr_status
wri_rule_joins(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    wr_rel *copy = wri_rel_copy(r->a, rel);
    WR_TRY_ALLOC(r->ctx, copy);
    for (uint32_t i = 0; i < copy->input_count; i++)
        WR_TRY(wri_rule_joins(r, rel->inputs[i], &copy->inputs[i]));
    *out = copy;
    if (copy->kind != WR_REL_JOIN || !copy->u.join.cond || copy->u.join.null_aware) return WR_OK;
    return normalise_join(r, copy, out);
}
