/* SPDX-License-Identifier: Apache-2.0 */
/* What `column = literal` in a filter tells about the rows above it: grouping keys with one value
 * go, an inner join compares the other side with the literal, and projections compute with it. */
#include "plan/rule_int.h"

static wr_status
nomem(wri_rules *r)
{
    return wr_raise(r->ctx, WR_NOMEM, "out of memory");
}

/* ---- which columns are constant -------------------------------------------------------------- */
static const wr_expr *
bare(const wr_expr *e)
{
    while (e->kind == WR_EX_CAST) e = e->args[0];
    return e;
}

static bool
may_stand_for(const wr_expr *literal, const wr_expr *col)
{
    if (bare(literal)->kind != WR_EX_LITERAL || bare(literal)->value.is_null) return false;
    if (wr_type_family(col->type) == WR_FAM_APPROX) return false; /* 0.0 = -0.0 */
    if (wr_type_is(col->type, WR_T_BOOLEAN)) return false;        /* the condition is the column */
    return wr_type_eq_ignoring_null(literal->type, col->type);
}

static wr_status
filter_constants(wri_rules *r, const wr_rel *rel, wr_expr **out)
{
    wri_expr_list all = {0};
    if (!wri_rex_conjuncts(r->a, rel->u.filter.cond, &all)) return nomem(r);
    for (uint32_t i = 0; i < all.count; i++) {
        wr_expr *e = all.items[i];
        if (wri_rex_is_call(e, "IS NULL") && e->args[0]->kind == WR_EX_COLUMN &&
            !out[e->args[0]->index]) {
            out[e->args[0]->index] = wri_rex_null(r->a, e->args[0]->type);
            WR_TRY_ALLOC(r->ctx, out[e->args[0]->index]);
        }
        if (!wri_rex_is_call(e, "=")) continue;
        for (uint32_t k = 0; k < 2; k++)
            if (e->args[k]->kind == WR_EX_COLUMN && !out[e->args[k]->index] &&
                may_stand_for(e->args[1 - k], e->args[k]))
                out[e->args[k]->index] = e->args[1 - k];
    }
    return WR_OK;
}

/* Per column of rel: the literal it always is, or NULL. */
static wr_status
constants(wri_rules *r, const wr_rel *rel, wr_expr ***out)
{
    wr_expr **in = NULL, **mine = WR_NEW_N(r->a, wr_expr *, rel->schema.count + 1);
    WR_TRY_ALLOC(r->ctx, mine);
    *out = mine;
    switch ((int)rel->kind) {
    case WR_REL_FILTER:
        WR_TRY(constants(r, rel->inputs[0], out));
        return filter_constants(r, rel, *out);
    case WR_REL_SORT:
    case WR_REL_WATERMARK:
        return constants(r, rel->inputs[0], out);
    case WR_REL_PROJECT:
        WR_TRY(constants(r, rel->inputs[0], &in));
        for (uint32_t i = 0; i < rel->schema.count; i++) {
            wr_expr *e = rel->u.project.exprs[i];
            if (e->kind == WR_EX_COLUMN)
                mine[i] = in[e->index];
            else if (e->kind == WR_EX_LITERAL && !e->value.is_null)
                mine[i] = e;
        }
        return WR_OK;
    case WR_REL_JOIN: {
        uint32_t lw = rel->inputs[0]->schema.count;
        bool left = rel->u.join.type != WR_JOIN_RIGHT && rel->u.join.type != WR_JOIN_FULL;
        bool right = rel->u.join.type == WR_JOIN_INNER || rel->u.join.type == WR_JOIN_RIGHT;
        if (left) WR_TRY(constants(r, rel->inputs[0], &in));
        for (uint32_t i = 0; i < lw && left; i++) mine[i] = in[i];
        if (right) WR_TRY(constants(r, rel->inputs[1], &in));
        for (uint32_t i = lw; i < rel->schema.count && right; i++) mine[i] = in[i - lw];
        return WR_OK;
    }
    case WR_REL_AGGREGATE:
        WR_TRY(constants(r, rel->inputs[0], &in));
        for (uint32_t i = 0; i < rel->u.agg.key_count; i++) mine[i] = in[rel->u.agg.keys[i]];
        return WR_OK;
    default:
        return WR_OK;
    }
}

/* ---- grouping keys --------------------------------------------------------------------------- */
/* Per column: the literal that the query has in its place. */
static wr_status
written(wri_rules *r, const wr_rel *rel, wr_expr ***out)
{
    *out = WR_NEW_N(r->a, wr_expr *, rel->schema.count + 1);
    WR_TRY_ALLOC(r->ctx, *out);
    if (rel->kind != WR_REL_PROJECT) return WR_OK;
    for (uint32_t i = 0; i < rel->schema.count; i++) {
        wr_expr *e = rel->u.project.exprs[i];
        if (e->kind == WR_EX_LITERAL && !e->value.is_null) (*out)[i] = e;
    }
    return WR_OK;
}

static wr_status
drop_keys(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    uint32_t n = rel->schema.count, old = rel->u.agg.key_count, kept = 0;
    wr_expr **in = NULL, **exprs = WR_NEW_N(r->a, wr_expr *, n + 1);
    uint32_t *keys = WR_NEW_N(r->a, uint32_t, old + 1);
    wr_str *names = WR_NEW_N(r->a, wr_str, n + 1);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, keys);
    WR_TRY_ALLOC(r->ctx, names);
    WR_TRY(written(r, rel->inputs[0], &in));
    uint32_t constant = 0;
    for (uint32_t i = 0; i < old; i++) constant += in[rel->u.agg.keys[i]] != NULL;
    if (constant == 0 || old == 1) return WR_OK;
    for (uint32_t i = 0; i < old; i++) { /* one key stays: no row for no rows */
        bool drop = in[rel->u.agg.keys[i]] && (constant < old || i > 0);
        if (!drop) keys[kept++] = rel->u.agg.keys[i];
    }
    wr_rel *agg =
        wri_rel_aggregate(r->a, rel->inputs[0], keys, kept, rel->u.agg.aggs, rel->u.agg.agg_count);
    WR_TRY_ALLOC(r->ctx, agg);
    agg->u.agg.ttl_ms = rel->u.agg.ttl_ms;
    agg->span = rel->span;
    for (uint32_t i = 0, k = 0; i < n; i++) {
        const wr_type *t = rel->schema.fields[i].type;
        bool key = i < old && k < kept && keys[k] == rel->u.agg.keys[i];
        names[i] = rel->schema.fields[i].name;
        if (i >= old)
            exprs[i] = wri_rex_col(r->a, agg, i - old + kept);
        else if (key)
            exprs[i] = wri_rex_col(r->a, agg, k++);
        else
            exprs[i] = in[rel->u.agg.keys[i]];
        WR_TRY_ALLOC(r->ctx, exprs[i]);
        if (!wr_type_eq(exprs[i]->type, t))
            exprs[i] = wr_expr_cast(r->a, exprs[i], t, false, WR_NO_SPAN);
        WR_TRY_ALLOC(r->ctx, exprs[i]);
    }
    *out = wri_rel_project(r->a, agg, exprs, names, n);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

/* ---- joins ----------------------------------------------------------------------------------- */
/* `l = r` where one side's column is a literal: the other side's is compared with it. */
static wr_status
spread(wri_rules *r, wr_rel *rel)
{
    uint32_t lw = rel->inputs[0]->schema.count;
    wr_expr **known[2], *cond = NULL, *side[2] = {NULL, NULL};
    wri_expr_list all = {0};
    for (uint32_t s = 0; s < 2; s++) WR_TRY(constants(r, rel->inputs[s], &known[s]));
    if (!wri_rex_conjuncts(r->a, rel->u.join.cond, &all)) return nomem(r);
    for (uint32_t i = 0; i < all.count; i++) {
        wr_expr *e = all.items[i], *test = NULL;
        bool pair = wri_rex_is_call(e, "=") && e->args[0]->kind == WR_EX_COLUMN &&
                    e->args[1]->kind == WR_EX_COLUMN;
        uint32_t lo = pair ? WR_MIN(e->args[0]->index, e->args[1]->index) : 0;
        uint32_t hi = pair ? WR_MAX(e->args[0]->index, e->args[1]->index) : 0;
        wr_expr *l = pair && lo < lw && hi >= lw ? known[0][lo] : NULL;
        wr_expr *rr = pair && lo < lw && hi >= lw ? known[1][hi - lw] : NULL;
        if (l && bare(l)->value.is_null) l = NULL;
        if (rr && bare(rr)->value.is_null) rr = NULL;
        if (l && rr && wr_expr_equal(bare(l), bare(rr))) continue; /* holds for all pairs */
        if ((!l && !rr) || (l && rr) || rel->u.join.type != WR_JOIN_INNER) {
            WR_TRY(wri_rex_and2(r, cond, e, &cond));
            continue;
        }
        uint32_t other = l ? 1 : 0;
        wr_expr *col = wri_rex_col(r->a, rel->inputs[other], l ? hi - lw : lo);
        WR_TRY(wri_rex_call2(r, "=", col, l ? l : rr, &test));
        WR_TRY(wri_rex_and2(r, side[other], test, &side[other]));
    }
    rel->u.join.cond = cond;
    for (uint32_t s = 0; s < 2; s++) {
        rel->inputs[s] = wri_rel_filter(r->a, rel->inputs[s], side[s]);
        WR_TRY_ALLOC(r->ctx, rel->inputs[s]);
    }
    return WR_OK;
}

static wr_status compute(wri_rules *r, wr_expr **known, wr_expr **e);

/* What a projection takes from a join and is known anyway need not go through the join. */
static wr_status
project_join(wri_rules *r, wr_rel *rel)
{
    wr_expr **known = NULL, **exprs = WR_NEW_N(r->a, wr_expr *, rel->schema.count + 1);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY(constants(r, rel->inputs[0], &known));
    for (uint32_t i = 0; i < rel->schema.count; i++) {
        exprs[i] = rel->u.project.exprs[i];
        WR_TRY(compute(r, known, &exprs[i]));
    }
    rel->u.project.exprs = exprs;
    return WR_OK;
}

wr_status
wri_rule_constants(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    wr_rel *copy = wri_rel_copy(r->a, rel);
    WR_TRY_ALLOC(r->ctx, copy);
    for (uint32_t i = 0; i < copy->input_count; i++)
        WR_TRY(wri_rule_constants(r, rel->inputs[i], &copy->inputs[i]));
    *out = copy;
    if (copy->kind == WR_REL_AGGREGATE) return drop_keys(r, copy, out);
    bool joins =
        copy->kind == WR_REL_JOIN && copy->u.join.type <= WR_JOIN_RIGHT && !copy->u.join.temporal;
    if (joins && copy->u.join.cond) return spread(r, copy);
    if (copy->kind == WR_REL_PROJECT && copy->inputs[0]->kind == WR_REL_JOIN)
        return project_join(r, copy);
    return WR_OK;
}

/* ---- projections ----------------------------------------------------------------------------- */
typedef struct putting {
    wr_expr **known;
    bool any;
} putting;

static wr_expr *
put_literal(wri_map *m, const wr_expr *e, uint32_t depth)
{
    putting *p = m->arg;
    if (depth || e->kind != WR_EX_COLUMN || !p->known[e->index]) return NULL;
    if (!wr_type_eq_ignoring_null(e->type, p->known[e->index]->type)) return NULL;
    p->any = true;
    return p->known[e->index];
}

/* *e with literals for known columns; as it was when computing it now fails: perhaps no row ever
 * gets there. */
static wr_status
compute(wri_rules *r, wr_expr **known, wr_expr **e)
{
    putting p = {known, false};
    wri_map m = {r->a, put_literal, &p, false};
    wr_expr *x = wri_rex_map(&m, *e, 0);
    WR_TRY_ALLOC(r->ctx, x);
    if (!p.any) return WR_OK;
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    wr_status status = wr_expr_fold(&quiet, r->a, r->env->eval, x, &x);
    if (status == WR_NOMEM) return nomem(r);
    if (status != WR_OK) return WR_OK;
    if (!wr_type_eq(x->type, (*e)->type)) x = wr_expr_cast(r->a, x, (*e)->type, false, WR_NO_SPAN);
    WR_TRY_ALLOC(r->ctx, x);
    *e = x;
    return WR_OK;
}

/* Columns that are known stay as they are (a literal would be read no faster), what is computed
 * from them is computed now. */
wr_status
wri_rule_literals(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    wr_rel *copy = wri_rel_copy(r->a, rel);
    WR_TRY_ALLOC(r->ctx, copy);
    for (uint32_t i = 0; i < copy->input_count; i++)
        WR_TRY(wri_rule_literals(r, rel->inputs[i], &copy->inputs[i]));
    *out = copy;
    if (copy->kind != WR_REL_PROJECT || copy->inputs[0]->kind != WR_REL_FILTER) return WR_OK;
    wr_expr **known = NULL, **exprs = WR_NEW_N(r->a, wr_expr *, copy->schema.count + 1);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY(constants(r, copy->inputs[0], &known));
    for (uint32_t i = 0; i < copy->schema.count; i++) {
        exprs[i] = copy->u.project.exprs[i];
        if (exprs[i]->kind != WR_EX_COLUMN) WR_TRY(compute(r, known, &exprs[i]));
    }
    copy->u.project.exprs = exprs;
    return WR_OK;
}
