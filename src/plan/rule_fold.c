/* SPDX-License-Identifier: Apache-2.0 */
/* Constant folding with the runtime's kernels, and what follows from constant conditions: a filter
 * that always holds goes away, one that never holds makes the relation empty, and emptiness moves
 * up through nodes that give nothing for nothing. */
#include "plan/rule_int.h"

typedef struct folding {
    wri_rules *r;
    wr_status status;
} folding;

static wr_expr *
fold_node(wri_map *m, const wr_expr *e, uint32_t depth)
{
    folding *f = m->arg;
    wr_expr *out = NULL;
    (void)depth;
    if (f->status == WR_OK)
        f->status = wr_expr_fold(f->r->ctx, m->a, f->r->env->eval, (wr_expr *)(uintptr_t)e, &out);
    if (!out) m->failed = true;
    return out;
}

static bool
is_empty(const wr_rel *rel)
{
    return rel->kind == WR_REL_VALUES && rel->u.values.row_count == 0;
}

static wr_status
make_empty(wri_rules *r, const wr_rel *rel, wr_rel **out)
{
    *out = wri_rel_empty(r->a, &rel->schema);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

/* The kept side of an outer join without partners: its columns, NULL for the other's. */
static wr_status
pad(wri_rules *r, const wr_rel *rel, uint32_t side, wr_rel **out)
{
    uint32_t lw = rel->inputs[0]->schema.count, n = rel->schema.count;
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, n + 1);
    wr_str *names = WR_NEW_N(r->a, wr_str, n + 1);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, names);
    for (uint32_t c = 0; c < n; c++) {
        bool mine = (c >= lw) == (side == 1);
        names[c] = rel->schema.fields[c].name;
        exprs[c] = mine ? wri_rex_col(r->a, rel->inputs[side], side ? c - lw : c)
                        : wri_rex_null(r->a, rel->schema.fields[c].type);
        WR_TRY_ALLOC(r->ctx, exprs[c]);
    }
    *out = wri_rel_project(r->a, rel->inputs[side], exprs, names, n);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

static wr_status
fold_join(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    bool never = rel->u.join.cond && wri_rex_is_false_or_null(rel->u.join.cond);
    bool l = is_empty(rel->inputs[0]), rr = is_empty(rel->inputs[1]);
    wri_expr_list all = {0};
    WR_TRY(wri_rex_factors(r, rel->u.join.cond, &all));
    for (uint32_t i = 0; i < all.count; i++) WR_TRY(wri_rex_null_equal(r, &all.items[i]));
    WR_TRY(wri_rex_and_all(r, &all, &rel->u.join.cond));
    *out = rel;
    switch ((wr_join_type)rel->u.join.type) {
    case WR_JOIN_INNER:
    case WR_JOIN_SEMI:
        return never || l || rr ? make_empty(r, rel, out) : WR_OK;
    case WR_JOIN_ANTI:
        if (l) return make_empty(r, rel, out);
        if (never || rr) *out = rel->inputs[0];
        return WR_OK;
    case WR_JOIN_LEFT:
        if (l) return make_empty(r, rel, out);
        return never || rr ? pad(r, rel, 0, out) : WR_OK;
    case WR_JOIN_RIGHT:
        if (rr) return make_empty(r, rel, out);
        return never || l ? pad(r, rel, 1, out) : WR_OK;
    case WR_JOIN_FULL:
        if (l && rr) return make_empty(r, rel, out);
        return l ? pad(r, rel, 1, out) : rr ? pad(r, rel, 0, out) : WR_OK;
    }
    return WR_OK;
}

static wr_status
fold_filter(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    wri_expr_list all = {0}, stay = {0};
    wr_expr_set seen = {0};
    wr_expr *cond = wr_expr_simplify(r->a, rel->u.filter.cond, true);
    *out = rel;
    WR_TRY_ALLOC(r->ctx, cond);
    if (is_empty(rel->inputs[0]) || wri_rex_is_false_or_null(cond)) return make_empty(r, rel, out);
    if (wri_rex_is_true(cond)) {
        *out = rel->inputs[0];
        return WR_OK;
    }
    WR_TRY(wri_rex_factors(r, rel->u.filter.cond, &all));
    for (uint32_t i = 0; i < all.count; i++) {
        bool fresh;
        if (wri_rex_is_false_or_null(all.items[i])) return make_empty(r, rel, out);
        WR_TRY(wr_expr_set_add(r->ctx, r->a, &seen, all.items[i], &fresh));
        if (fresh && !wr_list_push(r->a, &stay, all.items[i]))
            return wr_raise(r->ctx, WR_NOMEM, "out of memory");
    }
    WR_TRY(wri_rex_and_all(r, &stay, &cond));
    *out = wri_rel_filter(r->a, rel->inputs[0], cond);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

static wr_status
fold_union(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    uint32_t kept = 0;
    wr_rel **in = WR_NEW_N(r->a, wr_rel *, rel->input_count + 1);
    WR_TRY_ALLOC(r->ctx, in);
    *out = rel;
    if (rel->u.setop.op != WR_SETOP_UNION) return WR_OK;
    for (uint32_t i = 0; i < rel->input_count; i++)
        if (!is_empty(rel->inputs[i])) in[kept++] = rel->inputs[i];
    if (kept == rel->input_count) return WR_OK;
    if (kept == 0) return make_empty(r, rel, out);
    if (kept == 1) {
        wr_str *names = WR_NEW_N(r->a, wr_str, rel->schema.count + 1);
        WR_TRY_ALLOC(r->ctx, names);
        for (uint32_t i = 0; i < rel->schema.count; i++) names[i] = rel->schema.fields[i].name;
        *out = wri_rel_rename(r->a, in[0], names);
        WR_TRY_ALLOC(r->ctx, *out);
        return WR_OK;
    }
    rel->inputs = in;
    rel->input_count = kept;
    return WR_OK;
}

/* What an aggregate without keys gives for no rows, when that is certain at planning. */
static wr_status
fold_aggregate(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    static const char *const nulls[] = {"MIN", "MAX", "SUM"};
    uint32_t n = rel->u.agg.agg_count;
    *out = rel;
    if (!is_empty(rel->inputs[0])) return WR_OK;
    if (rel->u.agg.key_count) return make_empty(r, rel, out);
    wr_expr ***rows = WR_NEW_N(r->a, wr_expr **, 1), **row = WR_NEW_N(r->a, wr_expr *, n + 1);
    WR_TRY_ALLOC(r->ctx, rows);
    WR_TRY_ALLOC(r->ctx, row);
    for (uint32_t i = 0; i < n; i++) {
        const wr_agg_bound *agg = &rel->u.agg.aggs[i];
        bool null = false;
        for (uint32_t k = 0; k < WR_COUNT(nulls); k++)
            null = null || strcmp(agg->fn->name, nulls[k]) == 0;
        if (!null && strcmp(agg->fn->name, "COUNT") != 0) return WR_OK;
        row[i] = null ? wri_rex_null(r->a, agg->type) : wri_rex_int(r->a, WR_T_BIGINT, 0);
        WR_TRY_ALLOC(r->ctx, row[i]);
    }
    rows[0] = row;
    *out = wri_rel_values(r->a, &rel->schema, rows, 1);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

wr_status
wri_rule_fold(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    folding f = {r, WR_OK};
    wri_map m = {r->a, fold_node, &f, false};
    wr_rel *copy = wri_rel_map_node(&m, rel, 0);
    if (f.status != WR_OK) return f.status;
    WR_TRY_ALLOC(r->ctx, copy);
    for (uint32_t i = 0; i < copy->input_count; i++)
        WR_TRY(wri_rule_fold(r, rel->inputs[i], &copy->inputs[i]));
    *out = copy;
    switch ((int)copy->kind) {
    case WR_REL_FILTER:
        return fold_filter(r, copy, out);
    case WR_REL_JOIN:
        return fold_join(r, copy, out);
    case WR_REL_SETOP:
        return fold_union(r, copy, out);
    case WR_REL_AGGREGATE:
        return fold_aggregate(r, copy, out);
    case WR_REL_SORT:
        return is_empty(copy->inputs[0]) || copy->u.sort.fetch == 0 ? make_empty(r, copy, out)
                                                                    : WR_OK;
    case WR_REL_PROJECT:
    case WR_REL_CORRELATE:
    case WR_REL_EXPAND:
    case WR_REL_WINDOW_TVF:
        return is_empty(copy->inputs[0]) ? make_empty(r, copy, out) : WR_OK;
    default:
        return WR_OK;
    }
}
