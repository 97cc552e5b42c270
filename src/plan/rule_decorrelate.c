/* SPDX-License-Identifier: Apache-2.0 */
/* Joins with a right side that refers to the left row, as plain joins: by pulled-out conditions
 * where that is possible (rule_pull.c), else by unnesting (rule_unnest.c). */
#include "plan/rule_int.h"

/* ---- asking ---------------------------------------------------------------------------------- */
bool
wri_rel_is_global(const wr_rel *rel)
{
    while (rel->kind == WR_REL_PROJECT || rel->kind == WR_REL_FILTER) rel = rel->inputs[0];
    if (rel->kind == WR_REL_VALUES) return rel->u.values.row_count == 1;
    return rel->kind == WR_REL_AGGREGATE && rel->u.agg.key_count == 0;
}

bool
wri_rel_one_always(const wr_rel *rel)
{
    if (!wri_rel_is_global(rel)) return false;
    for (; rel->kind == WR_REL_PROJECT || rel->kind == WR_REL_FILTER; rel = rel->inputs[0])
        if (rel->kind == WR_REL_FILTER) return false;
    return true;
}

wr_rel *
wri_rel_first(wr_arena *a, wr_rel *rel, uint32_t count)
{
    if (rel->schema.count == count) return rel;
    wr_expr **exprs = WR_NEW_N(a, wr_expr *, count + 1);
    if (!exprs) return NULL;
    for (uint32_t i = 0; i < count; i++) exprs[i] = wri_rex_col(a, rel, i);
    return wri_rel_project(a, rel, exprs, NULL, count);
}

/* ---- aggregates ------------------------------------------------------------------------------ */
wr_status
wri_rule_agg(wri_rules *r, const char *name, const wr_rel *input, int32_t col, const char *as,
             wr_agg_bound *out)
{
    const wr_fn *fn = wr_fn_find(wr_str_c(name));
    wr_expr *arg = NULL;
    uint32_t *cols = WR_NEW_N(r->a, uint32_t, 1);
    WR_TRY_ALLOC(r->ctx, cols);
    if (!fn) return wr_raise(r->ctx, WR_INTERNAL, "no aggregate %s", name);
    if (col >= 0) {
        arg = wri_rex_col(r->a, input, (uint32_t)col);
        WR_TRY_ALLOC(r->ctx, arg);
        cols[0] = (uint32_t)col;
    }
    memset(out, 0, sizeof *out);
    WR_TRY(wr_agg_resolve(r->ctx, r->a, r->env->eval, fn, wr_str_c(name), &arg, col >= 0, false,
                          false, false, NULL, WR_NO_SPAN, out));
    out->fn = fn;
    out->args = cols;
    out->filter = -1;
    out->name = wr_str_c(as);
    out->span = WR_NO_SPAN;
    return WR_OK;
}

/* COUNT is 0, not NULL, where an outer join found no group. */
wr_status
wri_rule_or_zero(wri_rules *r, const wr_agg_bound *agg, wr_expr *col, wr_expr **out)
{
    *out = col;
    WR_TRY_ALLOC(r->ctx, col);
    if (agg->type->nullable || !wr_type_is(agg->type, WR_T_BIGINT)) return WR_OK;
    wr_expr **args = WR_NEW_N(r->a, wr_expr *, 3);
    WR_TRY_ALLOC(r->ctx, args);
    WR_TRY(wri_rex_call1(r, "IS NULL", col, &args[0]));
    args[1] = wri_rex_int(r->a, WR_T_BIGINT, 0);
    args[2] = col;
    WR_TRY_ALLOC(r->ctx, args[1]);
    WR_TRY(wr_expr_case(r->ctx, r->a, args, 3, WR_NO_SPAN, out));
    (*out)->type = agg->type;
    return WR_OK;
}

/* ---- joins ----------------------------------------------------------------------------------- */
/* What is still correlated further out moves one level in with the join. */
static wr_status
settle(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    *out = rel;
    if (!wri_rel_has_outer(rel)) return WR_OK;
    *out = wri_rel_shift_outer(r->a, rel, -1);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

static wr_status
join_pulled(wri_rules *r, wr_join_type type, wr_rel *left, wr_rel *right, uint32_t right_width,
            const wri_pull *p, wr_expr *cond, wr_rel **out)
{
    uint32_t lw = left->schema.count;
    for (uint32_t i = 0; i < p->conds.count; i++) {
        wr_expr *c = p->conds.items[i];
        bool turn = type == WR_JOIN_INNER || type == WR_JOIN_LEFT; /* outer = inner, as Flink */
        if (turn && wri_rex_is_call(c, "=") && c->args[0]->kind == WR_EX_COLUMN)
            WR_TRY(wri_rex_call2(r, "=", c->args[1], c->args[0], &c));
        WR_TRY(wri_rule_to_join(r, c, lw, &c));
        WR_TRY(wri_rex_and2(r, cond, c, &cond));
    }
    WR_TRY(settle(r, right, &right));
    *out = wri_rel_join(r->a, type, left, right, cond);
    WR_TRY_ALLOC(r->ctx, *out);
    if (type == WR_JOIN_SEMI || type == WR_JOIN_ANTI) return WR_OK;
    *out = wri_rel_first(r->a, *out, lw + right_width);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

/* cond AND column `x` of left IS NOT DISTINCT FROM column `y` of right, over left ++ right. */
static wr_status
and_same(wri_rules *r, const wr_rel *left, uint32_t x, const wr_rel *right, uint32_t y,
         uint32_t left_width, wr_expr **cond)
{
    wr_expr *eq = NULL, *a = wri_rex_col(r->a, left, x);
    const wr_type *t = right->schema.fields[y].type;
    wr_expr *b = wr_expr_column(r->a, left_width + y, t, WR_NO_SPAN);
    WR_TRY_ALLOC(r->ctx, a);
    WR_TRY_ALLOC(r->ctx, b);
    bool nullable = a->type->nullable || t->nullable;
    WR_TRY(wri_rex_call2(r, nullable ? "IS NOT DISTINCT FROM" : "=", a, b, &eq));
    return wri_rex_and2(r, *cond, eq, cond);
}

/* left joined to the unnested right on the domain; D's columns stand behind right's. */
static wr_status
join_unnested(wri_rules *r, wr_join_type type, wr_rel *left, wr_rel *right, wr_expr *cond,
              wr_rel **out)
{
    wr_rel *flat = NULL;
    uint32_t *outer = NULL, n = 0, lw = left->schema.count, rw = right->schema.count;
    WR_TRY(wri_rule_unnest(r, left, right, &flat, &outer, &n));
    WR_TRY(settle(r, flat, &flat));
    for (uint32_t i = 0; i < n; i++) WR_TRY(and_same(r, left, outer[i], flat, rw + i, lw, &cond));
    *out = wri_rel_join(r->a, type, left, flat, cond);
    WR_TRY_ALLOC(r->ctx, *out);
    if (type == WR_JOIN_SEMI || type == WR_JOIN_ANTI) return WR_OK;
    *out = wri_rel_first(r->a, *out, lw + rw);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

wr_status
wri_rule_decorrelate(wri_rules *r, wr_join_type type, wr_rel *left, wr_rel *right, wr_expr *cond,
                     wr_rel **out)
{
    bool half = type == WR_JOIN_SEMI || type == WR_JOIN_ANTI;
    if (!wri_rel_is_correlated(right)) {
        WR_TRY(settle(r, right, &right));
        *out = wri_rel_join(r->a, type, left, right, cond);
        WR_TRY_ALLOC(r->ctx, *out);
        return WR_OK;
    }
    wri_pull p = {.columns = !half || cond, .done = true};
    wr_rel *pulled = NULL;
    WR_TRY(wri_rule_pull(r, &p, right, &pulled));
    if (p.done && !wri_rel_is_correlated(pulled))
        return join_pulled(r, type, left, pulled, right->schema.count, &p, cond, out);
    return join_unnested(r, type, left, right, cond, out);
}

/* ---- aggregates without keys ----------------------------------------------------------------- */
/* `outer = column`, in the order of the outer columns. */
static wr_status
order_conds(wri_rules *r, wri_pull *p)
{
    wr_expr **c = p->conds.items;
    for (uint32_t i = 0; i < p->conds.count; i++) {
        if (c[i]->args[0]->kind == WR_EX_COLUMN)
            WR_TRY(wri_rex_call2(r, "=", c[i]->args[1], c[i]->args[0], &c[i]));
        for (uint32_t k = i; k > 0; k--) {
            const wr_expr *x = c[k - 1]->args[0], *y = c[k]->args[0];
            bool swap = x->kind == WR_EX_OUTER && y->kind == WR_EX_OUTER && x->index > y->index;
            if (!swap) break;
            wr_expr *t = c[k];
            c[k] = c[k - 1];
            c[k - 1] = t;
        }
    }
    return WR_OK;
}

/* Names that say only where a column stands ($f0) are made anew. */
static wr_str
own_name(wr_str name)
{
    bool made = name.len > 2 && name.ptr[0] == '$' && name.ptr[1] == 'f';
    return made ? WR_STR("") : name;
}

/* The keys, then what the aggregates look at; rows whose key is NULL belong to no outer row. */
static wr_status
keys_first(wri_rules *r, wr_rel **input, uint32_t *keys, uint32_t n, wr_agg_bound *aggs,
           uint32_t agg_count)
{
    uint32_t width = (*input)->schema.count, count = 0;
    uint32_t *to = WR_NEW_N(r->a, uint32_t, width + 1);
    uint64_t *used = WR_NEW_N(r->a, uint64_t, WR_BIT_WORDS(width) + 1);
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, width + n + 1), *cond = NULL, *e = NULL;
    WR_TRY_ALLOC(r->ctx, to);
    wr_str *names = WR_NEW_N(r->a, wr_str, width + n + 1);
    WR_TRY_ALLOC(r->ctx, used);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, names);
    for (uint32_t i = 0; i < agg_count; i++) {
        for (uint32_t k = 0; k < aggs[i].arg_count; k++) wr_bit_set(used, aggs[i].args[k]);
        if (aggs[i].filter >= 0) wr_bit_set(used, (uint32_t)aggs[i].filter);
    }
    for (uint32_t i = 0; i < n; i++) {
        names[count] = own_name((*input)->schema.fields[keys[i]].name);
        exprs[count++] = wri_rex_col(r->a, *input, keys[i]);
        WR_TRY_ALLOC(r->ctx, exprs[i]);
        if (!exprs[i]->type->nullable) continue;
        WR_TRY(wri_rex_call1(r, "IS NOT NULL", exprs[i], &e));
        WR_TRY(wri_rex_and2(r, cond, e, &cond));
    }
    for (uint32_t c = 0; c < width; c++) {
        if (!wr_bit_get(used, c)) continue;
        to[c] = count;
        names[count] = own_name((*input)->schema.fields[c].name);
        exprs[count++] = wri_rex_col(r->a, *input, c);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (names[i].len == 0) names[i] = wr_arena_printf(r->a, "$f%u", i);
        WR_TRY_ALLOC(r->ctx, names[i].ptr);
    }
    for (uint32_t i = 0; i < agg_count; i++) {
        aggs[i].name = own_name(aggs[i].name);
        uint32_t *args = WR_NEW_N(r->a, uint32_t, aggs[i].arg_count + 1);
        WR_TRY_ALLOC(r->ctx, args);
        for (uint32_t k = 0; k < aggs[i].arg_count; k++) args[k] = to[aggs[i].args[k]];
        aggs[i].args = args;
        if (aggs[i].filter >= 0) aggs[i].filter = (int32_t)to[aggs[i].filter];
    }
    *input = wri_rel_filter(r->a, *input, cond);
    WR_TRY_ALLOC(r->ctx, *input);
    *input = wri_rel_project(r->a, *input, exprs, names, count);
    WR_TRY_ALLOC(r->ctx, *input);
    for (uint32_t i = 0; i < n; i++) keys[i] = i;
    return WR_OK;
}

static wr_status
group_pulled(wri_rules *r, wri_pull *p, wr_rel *input, const wr_rel *agg, wr_rel **left,
             uint32_t *first)
{
    uint32_t *keys = NULL, n = p->conds.count, lw = (*left)->schema.count;
    uint32_t agg_count = agg->u.agg.agg_count;
    WR_TRY(wri_rule_pull_keys(r, p, 0, &input, &keys));
    if (!p->done) return WR_OK;
    WR_TRY(order_conds(r, p));
    uint32_t *to = WR_NEW_N(r->a, uint32_t, input->schema.count + 1);
    wr_agg_bound *aggs = WR_NEW_N(r->a, wr_agg_bound, agg_count + 1);
    WR_TRY_ALLOC(r->ctx, to);
    WR_TRY_ALLOC(r->ctx, aggs);
    for (uint32_t i = 0; i < agg_count; i++) aggs[i] = agg->u.agg.aggs[i];
    for (uint32_t i = 0; i < n; i++) {
        keys[i] = p->conds.items[i]->args[1]->index;
        to[keys[i]] = i;
    }
    WR_TRY(keys_first(r, &input, keys, n, aggs, agg_count));
    wr_rel *grouped = wri_rel_aggregate(r->a, input, keys, n, aggs, agg_count);
    WR_TRY_ALLOC(r->ctx, grouped);
    wr_expr *cond = NULL;
    for (uint32_t i = 0; i < n; i++) {
        wr_expr *c = wri_rex_map_cols(r->a, p->conds.items[i], to);
        WR_TRY_ALLOC(r->ctx, c);
        WR_TRY(wri_rule_to_join(r, c, lw, &c));
        WR_TRY(wri_rex_and2(r, cond, c, &cond));
    }
    WR_TRY(settle(r, grouped, &grouped));
    *left = wri_rel_join(r->a, WR_JOIN_LEFT, *left, grouped, cond);
    WR_TRY_ALLOC(r->ctx, *left);
    *first = lw + n;
    return WR_OK;
}

/* The groups of every value of the outer columns; a value without rows has none, and the left join
 * says so. */
static wr_status
group_unnested(wri_rules *r, const wr_rel *agg, wr_rel **left, uint32_t *first)
{
    const wr_rel *rel = agg->inputs[0];
    wr_rel *flat = NULL, *grouped = NULL;
    wr_expr *cond = NULL;
    uint32_t *outer = NULL, n = 0, lw = (*left)->schema.count, width = rel->schema.count;
    WR_TRY(wri_rule_unnest(r, *left, agg->inputs[0], &flat, &outer, &n));
    uint32_t *keys = WR_NEW_N(r->a, uint32_t, n + 1);
    WR_TRY_ALLOC(r->ctx, keys);
    for (uint32_t i = 0; i < n; i++) keys[i] = width + i;
    grouped = wri_rel_aggregate(r->a, flat, keys, n, agg->u.agg.aggs, agg->u.agg.agg_count);
    WR_TRY_ALLOC(r->ctx, grouped);
    WR_TRY(settle(r, grouped, &grouped));
    for (uint32_t i = 0; i < n; i++) WR_TRY(and_same(r, *left, outer[i], grouped, i, lw, &cond));
    *left = wri_rel_join(r->a, WR_JOIN_LEFT, *left, grouped, cond);
    WR_TRY_ALLOC(r->ctx, *left);
    *first = lw + n;
    return WR_OK;
}

wr_status
wri_rule_join_global(wri_rules *r, wr_rel **left, wr_rel *agg, wr_expr ***cols)
{
    WR_ASSERT(agg->kind == WR_REL_AGGREGATE && agg->u.agg.key_count == 0);
    uint32_t n = agg->u.agg.agg_count, first = (*left)->schema.count;
    wri_pull p = {.columns = true, .done = false};
    if (wri_rel_is_correlated(agg)) {
        wr_rel *input = NULL;
        p.done = true;
        WR_TRY(wri_rule_pull(r, &p, agg->inputs[0], &input));
        if (p.done && !wri_rel_is_correlated(input))
            WR_TRY(group_pulled(r, &p, input, agg, left, &first));
        else
            p.done = false;
    }
    if (!p.done) {
        if (wri_rel_is_correlated(agg))
            WR_TRY(group_unnested(r, agg, left, &first));
        else
            WR_TRY(wri_rule_decorrelate(r, WR_JOIN_LEFT, *left, agg, NULL, left));
    }
    *cols = WR_NEW_N(r->a, wr_expr *, n + 1);
    WR_TRY_ALLOC(r->ctx, *cols);
    for (uint32_t i = 0; i < n; i++)
        WR_TRY(wri_rule_or_zero(r, &agg->u.agg.aggs[i], wri_rex_col(r->a, *left, first + i),
                                &(*cols)[i]));
    return WR_OK;
}
