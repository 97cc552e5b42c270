/* SPDX-License-Identifier: Apache-2.0 */
/* Decorrelation, the simple way: take the conditions that refer to the outer row out of the inner
 * relation, so that they become conditions of a join.
 *
 * wri_rule_pull rewrites `rel` to a relation that does not refer to the row around it: its old
 * columns, then extra ones that the conditions need. Conditions are over those columns, outer
 * columns still WR_EX_OUTER of level 1. Through an aggregation only equalities can pass: their
 * inner side becomes a grouping key. `done` false: some shape was not simple (see rule_unnest.c).
 */
#include "plan/rule_int.h"

static wr_status
nomem(wri_rules *r)
{
    return wr_raise(r->ctx, WR_NOMEM, "out of memory");
}

static wr_status
not_simple(wri_pull *p)
{
    p->done = false;
    return WR_OK;
}

/* Renumber the columns of all conditions from `first` on. */
static wr_status
renumber(wri_rules *r, wri_pull *p, uint32_t first, const uint32_t *to)
{
    for (uint32_t i = first; i < p->conds.count; i++) {
        p->conds.items[i] = wri_rex_map_cols(r->a, p->conds.items[i], to);
        WR_TRY_ALLOC(r->ctx, p->conds.items[i]);
    }
    return WR_OK;
}

static wr_status
pull_filter(wri_rules *r, wri_pull *p, wr_rel *rel, wr_rel **out)
{
    wri_expr_list all = {0}, stay = {0};
    wr_expr *cond = NULL;
    p->columns = true; /* the condition looks at them */
    WR_TRY(wri_rule_pull(r, p, rel->inputs[0], out));
    if (!p->done) return WR_OK;
    if (!wri_rex_conjuncts(r->a, rel->u.filter.cond, &all)) return nomem(r);
    for (uint32_t i = 0; i < all.count; i++) {
        bool moves = wri_rex_is_correlated(all.items[i]);
        if (!(moves ? wr_list_push(r->a, &p->conds, all.items[i])
                    : wr_list_push(r->a, &stay, all.items[i])))
            return nomem(r);
    }
    WR_TRY(wri_rex_and_all(r, &stay, &cond));
    *out = wri_rel_filter(r->a, *out, cond);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

/* Columns that the conditions use are passed on behind the projection's own. */
static wr_status
pull_project(wri_rules *r, wri_pull *p, wr_rel *rel, wr_rel **out)
{
    uint32_t width = rel->schema.count, first = p->conds.count, count = width;
    for (uint32_t i = 0; i < width && p->columns; i++)
        if (wri_rex_is_correlated(rel->u.project.exprs[i])) return not_simple(p);
    p->columns = true;
    WR_TRY(wri_rule_pull(r, p, rel->inputs[0], out));
    if (!p->done) return WR_OK;
    uint32_t inner = (*out)->schema.count, *to = WR_NEW_N(r->a, uint32_t, inner + 1);
    uint64_t *used = WR_NEW_N(r->a, uint64_t, WR_BIT_WORDS(inner) + 1);
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, width + inner + 1);
    wr_str *names = WR_NEW_N(r->a, wr_str, width + inner + 1);
    WR_TRY_ALLOC(r->ctx, to);
    WR_TRY_ALLOC(r->ctx, used);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, names);
    for (uint32_t i = 0; i < width; i++) {
        exprs[i] = rel->u.project.exprs[i];
        names[i] = rel->schema.fields[i].name;
        if (wri_rex_is_correlated(exprs[i])) exprs[i] = wri_rex_null(r->a, exprs[i]->type);
        WR_TRY_ALLOC(r->ctx, exprs[i]);
    }
    for (uint32_t i = first; i < p->conds.count; i++) wri_rex_cols(p->conds.items[i], used);
    for (uint32_t c = 0; c < inner; c++) {
        if (!wr_bit_get(used, c)) continue;
        names[count] = (*out)->schema.fields[c].name;
        to[c] = count;
        exprs[count] = wri_rex_col(r->a, *out, c);
        WR_TRY_ALLOC(r->ctx, exprs[count++]);
    }
    *out = wri_rel_project(r->a, *out, exprs, names, count);
    WR_TRY_ALLOC(r->ctx, *out);
    return renumber(r, p, first, to);
}

/* outer = inner (or the reverse): the inner side, without outer columns. */
static wr_expr *
inner_side(const wr_expr *cond, uint32_t *which)
{
    if (!wri_rex_is_call(cond, "=")) return NULL;
    uint32_t lo, hi;
    for (uint32_t i = 0; i < 2; i++) {
        const wr_expr *in = cond->args[i], *outer = cond->args[1 - i];
        if (wri_rex_is_correlated(in) || wri_rex_col_range(outer, &lo, &hi)) continue;
        *which = i;
        return cond->args[i];
    }
    return NULL;
}

/* Turn every condition from `first` on into `outer = column`, the column being a key of `*rel` (a
 * projection is put below when a side is no plain column). */
wr_status
wri_rule_pull_keys(wri_rules *r, wri_pull *p, uint32_t first, wr_rel **rel, uint32_t **keys)
{
    uint32_t n = p->conds.count - first, width = (*rel)->schema.count, count = width;
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, width + n + 1);
    *keys = WR_NEW_N(r->a, uint32_t, n + 1);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, *keys);
    for (uint32_t i = 0; i < width; i++) {
        exprs[i] = wri_rex_col(r->a, *rel, i);
        WR_TRY_ALLOC(r->ctx, exprs[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t which = 0;
        wr_expr *cond = p->conds.items[first + i], *in = inner_side(cond, &which);
        if (!in) return not_simple(p);
        uint32_t col = in->kind == WR_EX_COLUMN ? in->index : count;
        if (col == count) exprs[count++] = in;
        (*keys)[i] = col;
        wr_expr *pair[2];
        pair[which] = wr_expr_column(r->a, col, in->type, in->span);
        pair[1 - which] = cond->args[1 - which];
        WR_TRY_ALLOC(r->ctx, pair[which]);
        WR_TRY(wri_rex_call2(r, "=", pair[0], pair[1], &p->conds.items[first + i]));
    }
    if (count > width) *rel = wri_rel_project(r->a, *rel, exprs, NULL, count);
    WR_TRY_ALLOC(r->ctx, *rel);
    return WR_OK;
}

static wr_status
pull_aggregate(wri_rules *r, wri_pull *p, wr_rel *rel, wr_rel **out)
{
    uint32_t first = p->conds.count, old = rel->u.agg.key_count, *extra = NULL;
    if (old == 0) return not_simple(p);
    p->columns = true;
    WR_TRY(wri_rule_pull(r, p, rel->inputs[0], out));
    if (!p->done) return WR_OK;
    WR_TRY(wri_rule_pull_keys(r, p, first, out, &extra));
    if (!p->done) return WR_OK;
    uint32_t n = p->conds.count - first, aggs = rel->u.agg.agg_count;
    uint32_t *keys = WR_NEW_N(r->a, uint32_t, old + n + 1);
    uint32_t *to = WR_NEW_N(r->a, uint32_t, (*out)->schema.count + 1);
    WR_TRY_ALLOC(r->ctx, keys);
    WR_TRY_ALLOC(r->ctx, to);
    for (uint32_t i = 0; i < old; i++) keys[i] = rel->u.agg.keys[i];
    for (uint32_t i = 0; i < n; i++) {
        keys[old + i] = extra[i];
        to[extra[i]] = old + aggs + i; /* where it stands after the projection below */
    }
    wr_rel *agg = wri_rel_aggregate(r->a, *out, keys, old + n, rel->u.agg.aggs, aggs);
    WR_TRY_ALLOC(r->ctx, agg);
    agg->u.agg.ttl_ms = rel->u.agg.ttl_ms;
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, old + n + aggs + 1);
    WR_TRY_ALLOC(r->ctx, exprs);
    for (uint32_t i = 0; i < old + n + aggs; i++) {
        uint32_t col = i < old ? i : i < old + aggs ? i + n : i - aggs;
        exprs[i] = wri_rex_col(r->a, agg, col);
        WR_TRY_ALLOC(r->ctx, exprs[i]);
    }
    *out = wri_rel_project(r->a, agg, exprs, NULL, old + n + aggs);
    WR_TRY_ALLOC(r->ctx, *out);
    return renumber(r, p, first, to);
}

/* Old left, old right, extra left, extra right. `lw`, `rw`: old widths. */
static wr_status
arrange_join(wri_rules *r, wr_rel *join, uint32_t lw, uint32_t l_now, uint32_t rw, wr_rel **out,
             uint32_t **to)
{
    uint32_t n = join->schema.count, at = 0;
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, n + 1);
    *to = WR_NEW_N(r->a, uint32_t, n + 1);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, *to);
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t c = 0; c < n; c++) {
            bool extra = c < l_now ? c >= lw : c - l_now >= rw;
            if (extra != (pass == 1)) continue;
            (*to)[c] = at;
            exprs[at++] = wri_rex_col(r->a, join, c);
            WR_TRY_ALLOC(r->ctx, exprs[at - 1]);
        }
    *out = n == lw + rw ? join : wri_rel_project(r->a, join, exprs, NULL, n);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

static wr_status
pull_join(wri_rules *r, wri_pull *p, wr_rel *rel, wr_rel **out)
{
    wr_join_type type = rel->u.join.type;
    bool half = type == WR_JOIN_SEMI || type == WR_JOIN_ANTI;
    uint32_t first = p->conds.count, lw = rel->inputs[0]->schema.count;
    uint32_t rw = half ? 0 : rel->inputs[1]->schema.count;
    bool cond = rel->u.join.cond && wri_rex_is_correlated(rel->u.join.cond);
    if (type == WR_JOIN_RIGHT || type == WR_JOIN_FULL) return not_simple(p);
    if (type != WR_JOIN_INNER && (cond || wri_rel_is_correlated(rel->inputs[1])))
        return not_simple(p);
    wr_rel *l = NULL, *rr = rel->inputs[1];
    p->columns = true;
    WR_TRY(wri_rule_pull(r, p, rel->inputs[0], &l));
    if (!p->done) return WR_OK;
    uint32_t l_now = l->schema.count, after_left = p->conds.count;
    if (type == WR_JOIN_INNER) WR_TRY(wri_rule_pull(r, p, rel->inputs[1], &rr));
    if (!p->done) return WR_OK;
    for (uint32_t i = after_left; i < p->conds.count; i++) {
        p->conds.items[i] = wri_rex_shift_cols(r->a, p->conds.items[i], (int32_t)l_now);
        WR_TRY_ALLOC(r->ctx, p->conds.items[i]);
    }
    wr_expr *on = NULL;
    uint32_t *to = WR_NEW_N(r->a, uint32_t, lw + rel->inputs[1]->schema.count + 1);
    WR_TRY_ALLOC(r->ctx, to);
    for (uint32_t c = 0; c < lw + rel->inputs[1]->schema.count; c++)
        to[c] = c < lw ? c : c - lw + l_now;
    if (rel->u.join.cond) {
        on = wri_rex_map_cols(r->a, rel->u.join.cond, to);
        WR_TRY_ALLOC(r->ctx, on);
    }
    wri_expr_list all = {0}, stay = {0};
    if (!wri_rex_conjuncts(r->a, on, &all)) return nomem(r);
    for (uint32_t i = 0; i < all.count; i++)
        if (!(wri_rex_is_correlated(all.items[i]) ? wr_list_push(r->a, &p->conds, all.items[i])
                                                  : wr_list_push(r->a, &stay, all.items[i])))
            return nomem(r);
    WR_TRY(wri_rex_and_all(r, &stay, &on));
    wr_rel *join = wri_rel_join(r->a, type, l, rr, on);
    WR_TRY_ALLOC(r->ctx, join);
    join->u.join.temporal = rel->u.join.temporal;
    join->u.join.lookup = rel->u.join.lookup;
    join->u.join.null_aware = rel->u.join.null_aware;
    WR_TRY(arrange_join(r, join, lw, l_now, rw, out, &to));
    return renumber(r, p, first, to);
}

static wr_status
pull_correlate(wri_rules *r, wri_pull *p, wr_rel *rel, wr_rel **out)
{
    uint32_t lw = rel->inputs[0]->schema.count, rw = rel->schema.count - lw, *to = NULL;
    uint32_t first = p->conds.count;
    if (wri_rex_is_correlated(rel->u.correlate.call) ||
        (rel->u.correlate.cond && wri_rex_is_correlated(rel->u.correlate.cond)))
        return not_simple(p);
    wr_rel *in = NULL;
    p->columns = true;
    WR_TRY(wri_rule_pull(r, p, rel->inputs[0], &in));
    if (!p->done) return WR_OK;
    uint32_t now = in->schema.count;
    wr_schema columns = {rel->schema.fields + lw, rw};
    wr_expr *cond = rel->u.correlate.cond;
    if (cond && now > lw) {
        to = WR_NEW_N(r->a, uint32_t, lw + rw + 1);
        WR_TRY_ALLOC(r->ctx, to);
        for (uint32_t c = 0; c < lw + rw; c++) to[c] = c < lw ? c : c - lw + now;
        cond = wri_rex_map_cols(r->a, cond, to);
        WR_TRY_ALLOC(r->ctx, cond);
    }
    wr_rel *join =
        wri_rel_correlate(r->a, rel->u.correlate.type, in, rel->u.correlate.call, &columns, cond);
    WR_TRY_ALLOC(r->ctx, join);
    WR_TRY(arrange_join(r, join, lw, now, rw, out, &to));
    return renumber(r, p, first, to);
}

wr_status
wri_rule_pull(wri_rules *r, wri_pull *p, wr_rel *rel, wr_rel **out)
{
    *out = rel;
    if (!p->done || !wri_rel_is_correlated(rel)) return WR_OK;
    switch ((int)rel->kind) {
    case WR_REL_FILTER:
        return pull_filter(r, p, rel, out);
    case WR_REL_PROJECT:
        return pull_project(r, p, rel, out);
    case WR_REL_AGGREGATE:
        return pull_aggregate(r, p, rel, out);
    case WR_REL_JOIN:
        return pull_join(r, p, rel, out);
    case WR_REL_CORRELATE:
        return pull_correlate(r, p, rel, out);
    case WR_REL_SORT:
        if (rel->u.sort.fetch >= 0 || rel->u.sort.offset) return not_simple(p);
        return wri_rule_pull(r, p, rel->inputs[0], out);
    default:
        return not_simple(p);
    }
}

/* ---- pulled conditions as a join condition --------------------------------------------------- */
typedef struct to_join {
    uint32_t left_width;
} to_join;

static wr_expr *
to_join_node(wri_map *m, const wr_expr *e, uint32_t depth)
{
    if (depth) return NULL; /* sub-queries are gone by now */
    bool outer = e->kind == WR_EX_OUTER;
    if (!outer && e->kind != WR_EX_COLUMN) return NULL;
    wr_expr *c = WR_NEW(m->a, wr_expr);
    if (!c) {
        m->failed = true;
        return NULL;
    }
    *c = *e;
    if (!outer) {
        c->index += ((const to_join *)m->arg)->left_width;
    } else if (e->level == 1) {
        c->kind = WR_EX_COLUMN;
        c->level = 0;
    } else {
        c->level--;
    }
    return c;
}

/* Inner columns behind `left_width` left ones, outer columns of level 1 as left columns. */
wr_status
wri_rule_to_join(wri_rules *r, const wr_expr *cond, uint32_t left_width, wr_expr **out)
{
    to_join arg = {left_width};
    wri_map m = {r->a, to_join_node, &arg, false};
    *out = wri_rex_map(&m, cond, 0);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}
