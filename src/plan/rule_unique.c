/* SPDX-License-Identifier: Apache-2.0 */
/* What unique columns make superfluous: an aggregate whose groups have one row each is a
 * projection. (An outer join whose other side adds at most one row that nobody looks at goes away
 * when columns are pruned, rule_prune.c.) Besides the work saved, updates pass as they are, where
 * an aggregate would delete and insert. */
#include "plan/rule_int.h"

#define VALUES_MAX 64u /* rows of VALUES that are compared with each other */

static uint64_t *
new_set(wri_rules *r, uint32_t columns)
{
    return WR_NEW_N(r->a, uint64_t, WR_BIT_WORDS(columns) + 1);
}

static bool
scan_unique(const wr_rel *rel, const uint64_t *cols)
{
    const wr_table_desc *t = rel->u.scan.table;
    if (!t || t->primary_key_count == 0) return false;
    for (uint32_t k = 0; k < t->primary_key_count; k++) {
        bool found = false;
        for (uint32_t i = 0; i < rel->schema.count && !found; i++)
            found = wr_bit_get(cols, i) && rel->u.scan.physical[i] >= 0 &&
                    wr_str_eq(rel->schema.fields[i].name, t->primary_key[k]);
        if (!found) return false;
    }
    return true;
}

static bool
same_row(const wr_rel *rel, const uint64_t *cols, uint32_t x, uint32_t y)
{
    for (uint32_t c = 0; c < rel->schema.count; c++) {
        if (!wr_bit_get(cols, c)) continue;
        const wr_expr *a = rel->u.values.rows[x][c], *b = rel->u.values.rows[y][c];
        if (a->kind != WR_EX_LITERAL || b->kind != WR_EX_LITERAL || wr_expr_equal(a, b)) continue;
        if (wr_type_eq_ignoring_null(a->type, b->type)) return false; /* differ for certain */
    }
    return true;
}

static bool
values_unique(const wr_rel *rel, const uint64_t *cols)
{
    uint32_t n = rel->u.values.row_count;
    if (n > VALUES_MAX) return false;
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t k = 0; k < i; k++)
            if (same_row(rel, cols, i, k)) return false;
    return true;
}

static bool
project_unique(wri_rules *r, const wr_rel *rel, const uint64_t *cols)
{
    uint64_t *below = new_set(r, rel->inputs[0]->schema.count);
    if (!below) return false;
    for (uint32_t i = 0; i < rel->schema.count; i++)
        if (wr_bit_get(cols, i) && rel->u.project.exprs[i]->kind == WR_EX_COLUMN)
            wr_bit_set(below, rel->u.project.exprs[i]->index);
    return wri_rel_is_unique(r, rel->inputs[0], below);
}

bool
wri_rel_join_keys(wri_rules *r, const wr_rel *join, uint64_t *left, uint64_t *right)
{
    uint32_t lw = join->inputs[0]->schema.count;
    wri_expr_list all = {0};
    if (!wri_rex_conjuncts(r->a, join->u.join.cond, &all)) return false;
    for (uint32_t i = 0; i < all.count; i++) {
        const wr_expr *e = all.items[i];
        if (!wri_rex_is_call(e, "=")) continue;
        const wr_expr *x = e->args[0], *y = e->args[1];
        if (x->kind != WR_EX_COLUMN || y->kind != WR_EX_COLUMN) continue;
        uint32_t lo = WR_MIN(x->index, y->index), hi = WR_MAX(x->index, y->index);
        if (lo >= lw || hi < lw) continue;
        wr_bit_set(left, lo);
        wr_bit_set(right, hi - lw);
    }
    return true;
}

static bool
join_unique(wri_rules *r, const wr_rel *rel, const uint64_t *cols)
{
    const wr_rel *left = rel->inputs[0], *right = rel->inputs[1];
    uint32_t lw = left->schema.count;
    wr_join_type type = rel->u.join.type;
    uint64_t *mine[2] = {new_set(r, lw), new_set(r, right->schema.count)};
    uint64_t *keys[2] = {new_set(r, lw), new_set(r, right->schema.count)};
    if (!mine[0] || !mine[1] || !keys[0] || !keys[1]) return false;
    for (uint32_t c = 0; c < rel->schema.count; c++)
        if (wr_bit_get(cols, c)) wr_bit_set(mine[c >= lw], c < lw ? c : c - lw);
    bool l = wri_rel_is_unique(r, left, mine[0]);
    if (type == WR_JOIN_SEMI || type == WR_JOIN_ANTI) return l;
    bool rr = wri_rel_is_unique(r, right, mine[1]);
    if (l && rr) return true;
    if (rel->u.join.temporal) return l; /* one version at most */
    if (!wri_rel_join_keys(r, rel, keys[0], keys[1])) return false;
    bool one_right = (type == WR_JOIN_INNER || type == WR_JOIN_LEFT) && l &&
                     wri_rel_is_unique(r, right, keys[1]);
    bool one_left = (type == WR_JOIN_INNER || type == WR_JOIN_RIGHT) && rr &&
                    wri_rel_is_unique(r, left, keys[0]);
    return one_right || one_left;
}

/* Has every row its own values in `cols`? False when that is not known. */
bool
wri_rel_is_unique(wri_rules *r, const wr_rel *rel, const uint64_t *cols)
{
    switch ((int)rel->kind) {
    case WR_REL_SCAN:
        return scan_unique(rel, cols);
    case WR_REL_VALUES:
        return values_unique(rel, cols);
    case WR_REL_FILTER:
    case WR_REL_SORT:
    case WR_REL_WATERMARK:
        return wri_rel_is_unique(r, rel->inputs[0], cols);
    case WR_REL_PROJECT:
        return project_unique(r, rel, cols);
    case WR_REL_JOIN:
        return join_unique(r, rel, cols);
    case WR_REL_AGGREGATE:
        for (uint32_t i = 0; i < rel->u.agg.key_count; i++)
            if (!wr_bit_get(cols, i)) return false;
        return true;
    default:
        return false;
    }
}

/* ---- aggregates ------------------------------------------------------------------------------ */
/* Is the aggregate of one row its argument? */
static bool
picks_row(const wr_agg_bound *agg)
{
    static const char *const names[] = {"MIN", "MAX", "SUM", "SINGLE_VALUE"};
    for (uint32_t i = 0; i < WR_COUNT(names); i++)
        if (strcmp(agg->fn->name, names[i]) == 0) return agg->filter < 0 && agg->arg_count == 1;
    return false;
}

static wr_status
without_aggregate(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    wr_rel *in = rel->inputs[0];
    uint32_t n = rel->schema.count, keys = rel->u.agg.key_count;
    uint64_t *cols = new_set(r, in->schema.count);
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, n + 1);
    wr_str *names = WR_NEW_N(r->a, wr_str, n + 1);
    WR_TRY_ALLOC(r->ctx, cols);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, names);
    for (uint32_t i = 0; i < rel->u.agg.agg_count; i++)
        if (!picks_row(&rel->u.agg.aggs[i])) return WR_OK;
    for (uint32_t i = 0; i < keys; i++) wr_bit_set(cols, rel->u.agg.keys[i]);
    if (!wri_rel_is_unique(r, in, cols)) return WR_OK;
    for (uint32_t i = 0; i < n; i++) {
        const wr_type *t = rel->schema.fields[i].type;
        uint32_t col = i < keys ? rel->u.agg.keys[i] : rel->u.agg.aggs[i - keys].args[0];
        names[i] = in->schema.fields[col].name;
        exprs[i] = wri_rex_col(r->a, in, col);
        WR_TRY_ALLOC(r->ctx, exprs[i]);
        if (!wr_type_eq_ignoring_null(exprs[i]->type, t)) names[i] = rel->schema.fields[i].name;
        if (wr_type_eq_ignoring_null(exprs[i]->type, t)) continue;
        exprs[i] = wr_expr_cast(r->a, exprs[i], t, false, WR_NO_SPAN);
        WR_TRY_ALLOC(r->ctx, exprs[i]);
    }
    *out = wri_rel_project(r->a, in, exprs, names, n);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

wr_status
wri_rule_unique(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    wr_rel *copy = wri_rel_copy(r->a, rel);
    WR_TRY_ALLOC(r->ctx, copy);
    for (uint32_t i = 0; i < copy->input_count; i++)
        WR_TRY(wri_rule_unique(r, rel->inputs[i], &copy->inputs[i]));
    *out = copy;
    if (copy->kind != WR_REL_AGGREGATE || copy->u.agg.key_count == 0) return WR_OK;
    return without_aggregate(r, copy, out);
}
