/* SPDX-License-Identifier: Apache-2.0 */
/* Sub-queries of expressions to joins.
 *
 * As a conjunct of WHERE, EXISTS and IN are semi joins, NOT EXISTS and NOT IN anti joins (NOT IN
 * with the condition "equal or unknown", which is three-valued logic). Anywhere else a sub-query
 * becomes columns of a left join: an aggregate without keys over it, whose value the expression
 * then uses (rule_quantify.c). Inner sub-queries go first, so what is joined here has none. */
#include "plan/rule_int.h"

static wr_status
nomem(wri_rules *r)
{
    return wr_raise(r->ctx, WR_NOMEM, "out of memory");
}

/* ---- scalar sub-queries ---------------------------------------------------------------------- */
typedef struct peel { /* Project and Filter above an aggregate, over what they become */
    wri_rules *r;
    wr_expr **cols; /* of the relation below, over the joined row */
    uint32_t left_width;
} peel;

static wr_expr *
peel_node(wri_map *m, const wr_expr *e, uint32_t depth)
{
    const peel *p = m->arg;
    if (depth) return NULL;
    if (e->kind == WR_EX_COLUMN) return p->cols[e->index];
    if (e->kind != WR_EX_OUTER) return NULL;
    wr_expr *c = WR_NEW(m->a, wr_expr);
    if (!c) {
        m->failed = true;
        return NULL;
    }
    *c = *e;
    if (--c->level == 0) c->kind = WR_EX_COLUMN;
    return c;
}

static wr_status
peel_expr(peel *p, const wr_expr *e, wr_expr **out)
{
    wri_map m = {p->r->a, peel_node, p, false};
    *out = wri_rex_map(&m, e, 0);
    WR_TRY_ALLOC(p->r->ctx, *out);
    return WR_OK;
}

/* Values of the columns of `rel` (see wri_rel_is_global) on the joined row. There is no row where
 * `cond` (NULL: always one) does not hold. */
static wr_status
peel_rel(wri_rules *r, wr_rel **left, wr_rel *rel, wr_expr ***cols, wr_expr **cond)
{
    if (rel->kind == WR_REL_AGGREGATE) return wri_rule_join_global(r, left, rel, cols);
    wr_expr **below = NULL;
    if (rel->kind != WR_REL_VALUES) WR_TRY(peel_rel(r, left, rel->inputs[0], &below, cond));
    peel p = {r, below, (*left)->schema.count};
    uint32_t n = rel->schema.count;
    *cols = WR_NEW_N(r->a, wr_expr *, n + 1);
    WR_TRY_ALLOC(r->ctx, *cols);
    if (rel->kind == WR_REL_VALUES) {
        for (uint32_t i = 0; i < n; i++)
            WR_TRY(peel_expr(&p, rel->u.values.rows[0][i], &(*cols)[i]));
        return WR_OK;
    }
    if (rel->kind == WR_REL_PROJECT) {
        for (uint32_t i = 0; i < n; i++)
            WR_TRY(peel_expr(&p, rel->u.project.exprs[i], &(*cols)[i]));
        return WR_OK;
    }
    wr_expr *mine = NULL;
    WR_TRY(peel_expr(&p, rel->u.filter.cond, &mine));
    WR_TRY(wri_rex_and2(r, *cond, mine, cond));
    *cols = below;
    return WR_OK;
}

/* The same, NULL where there is no row. */
static wr_status
join_peeled(wri_rules *r, wr_rel **left, wr_rel *rel, wr_expr ***cols)
{
    wr_expr *cond = NULL;
    WR_TRY(peel_rel(r, left, rel, cols, &cond));
    for (uint32_t i = 0; cond && i < rel->schema.count; i++) {
        wr_expr **args = WR_NEW_N(r->a, wr_expr *, 3);
        WR_TRY_ALLOC(r->ctx, args);
        args[0] = cond;
        args[1] = (*cols)[i];
        args[2] = wri_rex_null(r->a, args[1]->type);
        WR_TRY_ALLOC(r->ctx, args[2]);
        WR_TRY(wr_expr_case(r->ctx, r->a, args, 3, WR_NO_SPAN, &(*cols)[i]));
    }
    return WR_OK;
}

static wr_status
single_value(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    wr_agg_bound agg;
    WR_TRY(wri_rule_agg(r, "SINGLE_VALUE", rel, 0, "", &agg));
    *out = wri_rel_aggregate(r->a, rel, NULL, 0, &agg, 1);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

/* Is `rel` an aggregate without keys, filtered or sorted at most? Flink's planner knows of these
 * alone that they have one row, and tests all others with SINGLE_VALUE. */
static bool
is_plainly_single(const wr_rel *rel)
{
    while (rel->kind == WR_REL_FILTER || rel->kind == WR_REL_SORT || wri_rel_is_identity(rel))
        rel = rel->inputs[0];
    return rel->kind == WR_REL_AGGREGATE && rel->u.agg.key_count == 0;
}

/* Does it give something else than NULLs over nothing? */
static bool
knows_of_nothing(const wr_rel *agg)
{
    for (uint32_t i = 0; i < agg->u.agg.agg_count; i++)
        if (!agg->u.agg.aggs[i].type->nullable) return true;
    return false;
}

/* A scalar sub-query that does not look at the outer row. Where it aggregates, there is no row
 * before the first one of its input, as everywhere in a stream, but one when the input has ended.
 */
static wr_status
join_uncorrelated(wri_rules *r, wr_rel **left, wr_rel *rel, wr_expr **out)
{
    uint32_t at = (*left)->schema.count;
    wr_rel *below = rel;
    while (below->kind == WR_REL_PROJECT || below->kind == WR_REL_FILTER ||
           below->kind == WR_REL_SORT)
        below = below->inputs[0];
    if (below->kind == WR_REL_AGGREGATE)
        below->u.agg.at_end =
            below->u.agg.key_count == 0 && (!is_plainly_single(rel) || knows_of_nothing(below));
    if (!is_plainly_single(rel)) WR_TRY(single_value(r, rel, &rel));
    WR_TRY(wri_rule_decorrelate(r, WR_JOIN_LEFT, *left, rel, NULL, left));
    *out = wri_rex_col(r->a, *left, at);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

static bool
is_of_values(const wr_rel *rel)
{
    while (rel->kind == WR_REL_PROJECT || rel->kind == WR_REL_FILTER) rel = rel->inputs[0];
    return rel->kind == WR_REL_VALUES;
}

static wr_status
scalar_value(wri_rules *r, wr_rel **left, const wr_expr *e, wr_expr **out)
{
    wr_rel *rel = e->rel;
    wr_expr **cols = NULL;
    if (!wri_rel_is_correlated(rel) && !is_of_values(rel))
        return join_uncorrelated(r, left, rel, out);
    while (rel->kind == WR_REL_SORT && wri_rel_is_global(rel->inputs[0]) &&
           rel->u.sort.fetch != 0 && rel->u.sort.offset == 0)
        rel = rel->inputs[0];
    if (!wri_rel_is_global(rel)) WR_TRY(single_value(r, rel, &rel));
    WR_TRY(join_peeled(r, left, rel, &cols));
    *out = cols[0];
    return WR_OK;
}

/* ---- replacing in expressions ---------------------------------------------------------------- */
typedef struct replace {
    wri_rules *r;
    wr_rel **left;
    wr_status status;
} replace;

static wr_expr *
replace_node(wri_map *m, const wr_expr *e, uint32_t depth)
{
    replace *x = m->arg;
    wr_expr *out = NULL;
    (void)depth; /* sub-queries are replaced, never entered */
    if (e->kind != WR_EX_SUBQUERY) return NULL;
    wr_expr plain = *e;
    if (x->status == WR_OK) x->status = wri_rule_operands(x->r, x->left, e, &plain.args);
    if (x->status == WR_OK)
        x->status = e->sub == WR_SUBQ_SCALAR ? scalar_value(x->r, x->left, &plain, &out)
                                             : wri_rule_quantify(x->r, x->left, &plain, &out);
    if (!out) m->failed = true;
    return out;
}

/* e without sub-queries, over *left, which gets columns at its end. */
wr_status
wri_rule_replace(wri_rules *r, wr_rel **left, const wr_expr *e, wr_expr **out)
{
    replace x = {r, left, WR_OK};
    wri_map m = {r->a, replace_node, &x, false};
    *out = wri_rex_map(&m, e, 0);
    if (x.status != WR_OK) return x.status;
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

/* Left operands of IN and ANY, which may hold sub-queries themselves. */
wr_status
wri_rule_operands(wri_rules *r, wr_rel **left, const wr_expr *e, wr_expr ***out)
{
    *out = WR_NEW_N(r->a, wr_expr *, e->arg_count + 1);
    WR_TRY_ALLOC(r->ctx, *out);
    for (uint32_t i = 0; i < e->arg_count; i++)
        WR_TRY(wri_rule_replace(r, left, e->args[i], &(*out)[i]));
    return WR_OK;
}

/* ---- conjuncts of WHERE ---------------------------------------------------------------------- */
/* What EXISTS asks about: order does not matter, nor do rows after the first. */
wr_rel *
wri_rel_for_exists(wr_rel *rel)
{
    while ((rel->kind == WR_REL_SORT && rel->u.sort.fetch != 0 && rel->u.sort.offset <= 0) ||
           (rel->kind == WR_REL_PROJECT && !wri_rel_has_subquery(rel)))
        rel = rel->inputs[0];
    return rel;
}

/* EXISTS without correlation: one row at most is enough on the right. */
static wr_status
exists_row(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    wr_agg_bound agg;
    wr_expr **one = WR_NEW_N(r->a, wr_expr *, 1), *cond = NULL;
    static const wr_str name = {"i", 1};
    WR_TRY_ALLOC(r->ctx, one);
    one[0] = wri_rex_bool(r->a, true);
    rel = wri_rel_project(r->a, rel, one, &name, 1);
    WR_TRY_ALLOC(r->ctx, rel);
    WR_TRY(wri_rule_agg(r, "MIN", rel, 0, "m", &agg));
    rel = wri_rel_aggregate(r->a, rel, NULL, 0, &agg, 1);
    WR_TRY_ALLOC(r->ctx, rel);
    WR_TRY(wri_rex_call1(r, "IS NOT NULL", wri_rex_col(r->a, rel, 0), &cond));
    *out = wri_rel_filter(r->a, rel, cond);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

/* left = column for each operand; for NOT IN also true when that is unknown. */
static wr_status
in_condition(wri_rules *r, const wr_rel *left, const wr_expr *e, bool unknown_too, wr_expr **out)
{
    uint32_t lw = left->schema.count;
    *out = NULL;
    for (uint32_t i = 0; i < e->arg_count; i++) {
        const wr_type *t = e->rel->schema.fields[i].type;
        wr_expr *x = e->args[i], *y = wr_expr_column(r->a, lw + i, t, WR_NO_SPAN), *any[3];
        uint32_t n = 0;
        WR_TRY_ALLOC(r->ctx, y);
        if (unknown_too && x->type->nullable) WR_TRY(wri_rex_call1(r, "IS NULL", x, &any[n++]));
        if (unknown_too && t->nullable) WR_TRY(wri_rex_call1(r, "IS NULL", y, &any[n++]));
        WR_TRY(wri_rex_call2(r, "=", x, y, &any[n++]));
        wr_expr *one = any[0];
        if (n > 1) WR_TRY(wr_expr_or(r->ctx, r->a, any, n, &one));
        WR_TRY(wri_rex_and2(r, *out, one, out));
    }
    return WR_OK;
}

/* A conjunct that is [NOT] EXISTS or [NOT] IN: a semi or anti join. */
static wr_status
join_conjunct(wri_rules *r, wr_rel **left, const wr_expr *e, bool negated, bool *done)
{
    wr_join_type type = negated ? WR_JOIN_ANTI : WR_JOIN_SEMI;
    uint32_t width = (*left)->schema.count;
    *done = e->sub == WR_SUBQ_EXISTS || e->sub == WR_SUBQ_IN;
    if (!*done) return WR_OK;
    wr_expr plain = *e, *cond = NULL;
    wr_rel *rel = e->rel;
    WR_TRY(wri_rule_operands(r, left, e, &plain.args));
    if (e->sub == WR_SUBQ_EXISTS) {
        rel = wri_rel_for_exists(rel);
        if (wri_rel_one_always(rel)) {
            if (negated) *left = wri_rel_empty(r->a, &(*left)->schema);
            WR_TRY_ALLOC(r->ctx, *left);
            return WR_OK;
        }
        if (!wri_rel_is_correlated(rel)) WR_TRY(exists_row(r, rel, &rel));
    } else {
        WR_TRY(in_condition(r, *left, &plain, negated, &cond));
    }
    WR_TRY(wri_rule_decorrelate(r, type, *left, rel, cond, left));
    *left = wri_rel_first(r->a, *left, width);
    WR_TRY_ALLOC(r->ctx, *left);
    return WR_OK;
}

static wr_status
filter_rest(wri_rules *r, wr_rel **left, const wri_expr_list *rest)
{
    uint32_t width = (*left)->schema.count;
    wri_expr_list done = {0};
    wr_expr *cond = NULL;
    for (uint32_t i = 0; i < rest->count; i++) {
        WR_TRY(wri_rule_replace(r, left, rest->items[i], &cond));
        /* UNKNOWN is FALSE here: less to compute */
        WR_TRY(wr_expr_simplified(r->ctx, r->a, cond, true, &cond));
        if (!wri_rex_conjuncts(r->a, cond, &done)) return nomem(r);
    }
    WR_TRY(wri_rex_and_all(r, &done, &cond));
    *left = wri_rel_filter(r->a, *left, cond);
    WR_TRY_ALLOC(r->ctx, *left);
    *left = wri_rel_first(r->a, *left, width);
    WR_TRY_ALLOC(r->ctx, *left);
    return WR_OK;
}

/* Plain conjuncts first, then semi and anti joins, then the rest. */
wr_status
wri_rule_filter_subqueries(wri_rules *r, wr_rel *input, wr_expr *cond, wr_rel **out)
{
    wri_expr_list all = {0}, plain = {0}, rest = {0};
    wr_rel *left = input;
    if (!wri_rex_conjuncts(r->a, cond, &all)) return nomem(r);
    for (uint32_t i = 0; i < all.count; i++)
        if (!wri_rex_has_subquery(all.items[i]) && !wr_list_push(r->a, &plain, all.items[i]))
            return nomem(r);
    WR_TRY(wri_rex_and_all(r, &plain, &cond));
    left = wri_rel_filter(r->a, left, cond);
    WR_TRY_ALLOC(r->ctx, left);
    for (uint32_t i = 0; i < all.count; i++) {
        wr_expr *e = all.items[i];
        bool negated = wri_rex_is_call(e, "NOT"), done = false;
        if (!wri_rex_has_subquery(e)) continue;
        if (negated) e = e->args[0];
        if (e->kind == WR_EX_SUBQUERY) WR_TRY(join_conjunct(r, &left, e, negated, &done));
        if (!done && !wr_list_push(r->a, &rest, all.items[i])) return nomem(r);
    }
    if (rest.count) WR_TRY(filter_rest(r, &left, &rest));
    *out = left;
    return WR_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */
static wr_status
project_subqueries(wri_rules *r, wr_rel *rel)
{
    wr_rel *left = rel->inputs[0];
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, rel->schema.count + 1);
    WR_TRY_ALLOC(r->ctx, exprs);
    for (uint32_t i = 0; i < rel->schema.count; i++)
        WR_TRY(wri_rule_replace(r, &left, rel->u.project.exprs[i], &exprs[i]));
    rel->u.project.exprs = exprs;
    rel->inputs[0] = left;
    return WR_OK;
}

/* Columns of one side of a join that an expression uses, sub-queries included. */
static void
sides(const wr_expr *e, uint32_t left_width, bool *left, bool *right)
{
    uint32_t lo = 0, hi = 0;
    bool any = wri_rex_col_range(e, &lo, &hi);
    *left = any && lo < left_width;
    *right = any && hi >= left_width;
}

/* A condition of an outer join: its sub-queries are joined to the side whose columns they use. */
static wr_status
outer_condition(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    wr_rel *in[2] = {rel->inputs[0], rel->inputs[1]};
    uint32_t lw = in[0]->schema.count, rw = in[1]->schema.count;
    wri_expr_list all = {0};
    wr_expr *on[2] = {NULL, NULL}, *plain = NULL;
    if (!wri_rex_conjuncts(r->a, rel->u.join.cond, &all)) return nomem(r);
    for (uint32_t i = 0; i < all.count; i++) {
        wr_expr *e = all.items[i];
        bool left = false, right = false;
        if (!wri_rex_has_subquery(e)) {
            WR_TRY(wri_rex_and2(r, plain, e, &plain));
            continue;
        }
        sides(e, lw, &left, &right);
        if (left && right)
            return wr_raise_at(r->ctx, WR_UNSUPPORTED, e->span,
                               "not supported yet: a sub-query over both sides of an outer join");
        if (right) e = wri_rex_shift_cols(r->a, e, -(int32_t)lw);
        WR_TRY_ALLOC(r->ctx, e);
        WR_TRY(wri_rule_replace(r, &in[right], e, &e));
        WR_TRY(wri_rex_and2(r, on[right], e, &on[right]));
    }
    uint32_t l_now = in[0]->schema.count;
    uint32_t *to = WR_NEW_N(r->a, uint32_t, lw + rw + 1);
    WR_TRY_ALLOC(r->ctx, to);
    for (uint32_t c = 0; c < lw + rw; c++) to[c] = c < lw ? c : c - lw + l_now;
    wr_expr *cond = NULL;
    if (plain) {
        cond = wri_rex_map_cols(r->a, plain, to);
        WR_TRY_ALLOC(r->ctx, cond);
    }
    if (on[1]) {
        on[1] = wri_rex_shift_cols(r->a, on[1], (int32_t)l_now);
        WR_TRY_ALLOC(r->ctx, on[1]);
    }
    WR_TRY(wri_rex_and2(r, cond, on[0], &cond));
    WR_TRY(wri_rex_and2(r, cond, on[1], &cond));
    wr_rel *join = wri_rel_join(r->a, rel->u.join.type, in[0], in[1], cond);
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, lw + rw + 1);
    wr_str *names = WR_NEW_N(r->a, wr_str, lw + rw + 1);
    WR_TRY_ALLOC(r->ctx, join);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, names);
    join->u.join.hint = rel->u.join.hint;
    for (uint32_t i = 0; i < 2; i++) join->u.join.ttl_ms[i] = rel->u.join.ttl_ms[i];
    for (uint32_t c = 0; c < lw + rw; c++) {
        exprs[c] = wri_rex_col(r->a, join, to[c]);
        names[c] = rel->schema.fields[c].name;
    }
    *out = wri_rel_project(r->a, join, exprs, names, lw + rw);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

static wr_status
join_subqueries(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    if (rel->u.join.type != WR_JOIN_INNER) return outer_condition(r, rel, out);
    wr_expr *cond = rel->u.join.cond;
    rel->u.join.cond = NULL;
    return wri_rule_filter_subqueries(r, rel, cond, out);
}

static wr_status
correlate_subqueries(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    uint32_t lw = rel->inputs[0]->schema.count, rw = rel->schema.count - lw;
    wr_rel *left = rel->inputs[0];
    wr_expr *call = NULL;
    if (rel->u.correlate.cond && wri_rex_has_subquery(rel->u.correlate.cond))
        return wr_raise_at(r->ctx, WR_UNSUPPORTED, rel->u.correlate.cond->span,
                           "not supported yet: a sub-query in the condition of a lateral table");
    WR_TRY(wri_rule_replace(r, &left, rel->u.correlate.call, &call));
    uint32_t now = left->schema.count;
    wr_schema columns = {rel->schema.fields + lw, rw};
    wr_rel *row = wri_rel_correlate(r->a, rel->u.correlate.type, left, call, &columns, NULL);
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, lw + rw + 1);
    WR_TRY_ALLOC(r->ctx, row);
    WR_TRY_ALLOC(r->ctx, exprs);
    for (uint32_t c = 0; c < lw + rw; c++)
        exprs[c] = wri_rex_col(r->a, row, c < lw ? c : c - lw + now);
    *out = wri_rel_project(r->a, row, exprs, NULL, lw + rw);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

/* ---- LATERAL --------------------------------------------------------------------------------- */
/* LATERAL (SELECT COUNT(*) ...): exactly one row, so its values are computed beside the left row.
 */
static wr_status
lateral_global(wri_rules *r, wr_join_type type, wr_rel *rel, wr_rel **out)
{
    wr_rel *left = rel->inputs[0], *right = rel->inputs[1];
    uint32_t lw = left->schema.count, rw = right->schema.count;
    wr_expr **cols = NULL, **exprs = WR_NEW_N(r->a, wr_expr *, lw + rw + 1), *cond = NULL;
    wr_str *names = WR_NEW_N(r->a, wr_str, lw + rw + 1);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, names);
    WR_TRY(join_peeled(r, &left, right, &cols));
    for (uint32_t c = 0; c < lw + rw; c++) {
        exprs[c] = c < lw ? wri_rex_col(r->a, left, c) : cols[c - lw];
        names[c] = rel->schema.fields[c].name;
        WR_TRY_ALLOC(r->ctx, exprs[c]);
    }
    if (rel->u.join.cond) {
        cond = wr_expr_substitute(r->a, rel->u.join.cond, exprs);
        WR_TRY_ALLOC(r->ctx, cond);
    }
    for (uint32_t c = lw; cond && type == WR_JOIN_LEFT && c < lw + rw; c++) {
        wr_expr **args = WR_NEW_N(r->a, wr_expr *, 3);
        WR_TRY_ALLOC(r->ctx, args);
        args[0] = cond;
        args[1] = exprs[c];
        args[2] = wri_rex_null(r->a, exprs[c]->type);
        WR_TRY(wr_expr_case(r->ctx, r->a, args, 3, WR_NO_SPAN, &exprs[c]));
    }
    if (type == WR_JOIN_INNER) left = wri_rel_filter(r->a, left, cond);
    WR_TRY_ALLOC(r->ctx, left);
    *out = wri_rel_project(r->a, left, exprs, names, lw + rw);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

static wr_status
lateral(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    wr_join_type type = rel->u.join.type;
    wr_expr *cond = rel->u.join.cond, *after = NULL;
    if (cond && wri_rex_has_subquery(cond)) {
        if (type != WR_JOIN_INNER)
            return wr_raise_at(r->ctx, WR_UNSUPPORTED, cond->span,
                               "not supported yet: a sub-query in the condition of a lateral join");
        after = cond;
        rel->u.join.cond = cond = NULL;
    }
    if (wri_rel_one_always(rel->inputs[1]))
        WR_TRY(lateral_global(r, type, rel, out));
    else
        WR_TRY(wri_rule_decorrelate(r, type, rel->inputs[0], rel->inputs[1], cond, out));
    return after ? wri_rule_filter_subqueries(r, *out, after, out) : WR_OK;
}

/* ---- the tree -------------------------------------------------------------------------------- */
static wr_expr *
inner_node(wri_map *m, const wr_expr *e, uint32_t depth)
{
    replace *x = m->arg;
    if (e->kind != WR_EX_SUBQUERY) return NULL;
    wr_expr *c = WR_NEW(m->a, wr_expr);
    wr_expr **args = WR_NEW_N(m->a, wr_expr *, e->arg_count + 1);
    if (!c || !args) {
        m->failed = true;
        return NULL;
    }
    *c = *e;
    c->args = args;
    for (uint32_t i = 0; i < e->arg_count; i++) args[i] = wri_rex_map(m, e->args[i], depth);
    if (x->status == WR_OK) x->status = wri_rule_subqueries(x->r, e->rel, &c->rel);
    if (x->status != WR_OK) m->failed = true;
    return c;
}

wr_status
wri_rule_subqueries(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    replace x = {r, NULL, WR_OK};
    wri_map m = {r->a, inner_node, &x, false};
    wr_rel *copy = wri_rel_map_node(&m, rel, 0);
    if (x.status != WR_OK) return x.status;
    WR_TRY_ALLOC(r->ctx, copy);
    for (uint32_t i = 0; i < copy->input_count; i++)
        WR_TRY(wri_rule_subqueries(r, rel->inputs[i], &copy->inputs[i]));
    *out = copy;
    if (copy->kind == WR_REL_JOIN && copy->u.join.lateral) {
        copy->u.join.lateral = false;
        return lateral(r, copy, out);
    }
    if (!wri_rel_has_subquery(copy)) return WR_OK;
    switch ((int)copy->kind) {
    case WR_REL_FILTER:
        return wri_rule_filter_subqueries(r, copy->inputs[0], copy->u.filter.cond, out);
    case WR_REL_PROJECT:
        return project_subqueries(r, copy);
    case WR_REL_JOIN:
        return join_subqueries(r, copy, out);
    case WR_REL_CORRELATE:
        return correlate_subqueries(r, copy, out);
    default:
        return wr_raise_at(r->ctx, WR_UNSUPPORTED, copy->span,
                           "not supported yet: a sub-query in this place");
    }
}
