/* SPDX-License-Identifier: Apache-2.0 */
/* Set operations in terms of simpler nodes, as Flink plans them:
 *   UNION            distinct over UNION ALL
 *   INTERSECT        distinct over a semi join on IS NOT DISTINCT FROM; EXCEPT: an anti join
 *   INTERSECT ALL    UNION ALL with a marker for each side, counted per row; the smaller count says
 *                    how often $REPLICATE_ROWS$1 repeats the row
 *   EXCEPT ALL       UNION ALL with +1 and -1, summed up per row; repeated while positive */
#include "plan/rule_int.h"

#define REPLICATE       "$REPLICATE_ROWS$1"
#define UNION_DEPTH_MAX 40u /* deeper chains become one node with many inputs */

static wr_status
nomem(wri_rules *r)
{
    return wr_raise(r->ctx, WR_NOMEM, "out of memory");
}

/* ---- UNION ----------------------------------------------------------------------------------- */
static bool
same_types(const wr_schema *x, const wr_schema *y)
{
    for (uint32_t i = 0; i < x->count; i++)
        if (!wr_type_eq_ignoring_null(x->fields[i].type, y->fields[i].type)) return false;
    return x->count == y->count;
}

/* An input of a union: without its own DISTINCT where this one is distinct. */
static wr_rel *
union_input(wr_rel *rel, const wr_schema *schema, bool distinct)
{
    bool inner = distinct && rel->kind == WR_REL_AGGREGATE && rel->u.agg.agg_count == 0 &&
                 rel->u.agg.key_count == rel->inputs[0]->schema.count &&
                 rel->inputs[0]->kind == WR_REL_SETOP &&
                 same_types(&rel->inputs[0]->schema, schema);
    return inner ? rel->inputs[0] : rel;
}

static uint32_t
union_depth(const wr_rel *rel)
{
    uint32_t n = 0;
    for (; rel->kind == WR_REL_SETOP; rel = rel->inputs[0]) n++;
    return n;
}

/* Columns that may be NULL in the union may be in every input. */
static wr_status
widen(wri_rules *r, const wr_schema *schema, wr_rel **in)
{
    uint32_t n = schema->count;
    bool same = true;
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, n + 1);
    WR_TRY_ALLOC(r->ctx, exprs);
    for (uint32_t i = 0; i < n; i++) {
        exprs[i] = wri_rex_col(r->a, *in, i);
        WR_TRY_ALLOC(r->ctx, exprs[i]);
        if (exprs[i]->type->nullable || !schema->fields[i].type->nullable) continue;
        const wr_type *t = wr_type_nullable(r->a, exprs[i]->type, true);
        WR_TRY_ALLOC(r->ctx, t);
        exprs[i] = wr_expr_cast(r->a, exprs[i], t, false, WR_NO_SPAN);
        WR_TRY_ALLOC(r->ctx, exprs[i]);
        same = false;
    }
    if (same) return WR_OK;
    wr_str *names = WR_NEW_N(r->a, wr_str, n + 1);
    WR_TRY_ALLOC(r->ctx, names);
    for (uint32_t i = 0; i < n; i++) names[i] = (*in)->schema.fields[i].name;
    *in = wri_rel_project(r->a, *in, exprs, names, n);
    WR_TRY_ALLOC(r->ctx, *in);
    return WR_OK;
}

static wr_status
union_node(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    bool distinct = !rel->u.setop.all;
    WR_LIST(wr_rel *) in = {0};
    for (uint32_t i = 0; i < rel->input_count; i++) {
        wr_rel *x = union_input(rel->inputs[i], &rel->schema, distinct);
        WR_TRY(widen(r, &rel->schema, &x));
        bool flat = x->kind == WR_REL_SETOP && union_depth(x) >= UNION_DEPTH_MAX;
        for (uint32_t k = 0; k < (flat ? x->input_count : 1); k++)
            if (!wr_list_push(r->a, &in, flat ? x->inputs[k] : x)) return nomem(r);
    }
    wr_rel *all = wri_rel_union_all(r->a, in.items, in.count);
    WR_TRY_ALLOC(r->ctx, all);
    all->schema = rel->schema;
    all->span = rel->span;
    *out = all;
    if (!distinct) return WR_OK;
    *out = wri_rel_distinct(r->a, all);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

/* ---- INTERSECT, EXCEPT ----------------------------------------------------------------------- */
static wr_status
distinct_node(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    bool except = rel->u.setop.op == WR_SETOP_EXCEPT;
    wr_rel *l = rel->inputs[0], *rr = rel->inputs[1];
    wr_expr *cond = NULL;
    for (uint32_t i = 0; i < l->schema.count; i++) {
        wr_expr *x = wri_rex_col(r->a, l, i), *eq = NULL;
        wr_expr *y =
            wr_expr_column(r->a, l->schema.count + i, rr->schema.fields[i].type, WR_NO_SPAN);
        WR_TRY_ALLOC(r->ctx, x);
        WR_TRY_ALLOC(r->ctx, y);
        bool nullable = x->type->nullable || y->type->nullable;
        WR_TRY(wri_rex_call2(r, nullable ? "IS NOT DISTINCT FROM" : "=", x, y, &eq));
        WR_TRY(wri_rex_and2(r, cond, eq, &cond));
    }
    wr_rel *join = wri_rel_join(r->a, except ? WR_JOIN_ANTI : WR_JOIN_SEMI, l, rr, cond);
    WR_TRY_ALLOC(r->ctx, join);
    *out = wri_rel_distinct(r->a, join);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

/* ---- INTERSECT ALL, EXCEPT ALL --------------------------------------------------------------- */
/* The side's columns and its markers: INTERSECT TRUE/NULL for each side, EXCEPT +1 or -1. */
static wr_status
marked(wri_rules *r, wr_rel *in, const wr_rel *rel, uint32_t side, wr_rel **out)
{
    bool except = rel->u.setop.op == WR_SETOP_EXCEPT;
    uint32_t n = in->schema.count, markers = except ? 1 : 2;
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, n + markers + 1);
    wr_str *names = WR_NEW_N(r->a, wr_str, n + markers + 1);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, names);
    for (uint32_t i = 0; i < n; i++) {
        exprs[i] = wri_rex_col(r->a, in, i);
        names[i] = in->schema.fields[i].name;
        WR_TRY_ALLOC(r->ctx, exprs[i]);
    }
    for (uint32_t m = 0; m < markers; m++) {
        if (except)
            exprs[n] = wri_rex_int(r->a, WR_T_BIGINT, side ? -1 : 1);
        else if (m == side)
            exprs[n + m] = wri_rex_bool(r->a, true);
        else
            exprs[n + m] = wri_rex_null(r->a, wr_type_of(WR_T_BOOLEAN, true));
        WR_TRY_ALLOC(r->ctx, exprs[n + m]);
        names[n + m] = except   ? WR_STR("vcol_marker")
                       : m == 0 ? WR_STR("vcol_left_marker")
                                : WR_STR("vcol_right_marker");
    }
    *out = wri_rel_project(r->a, in, exprs, names, n + markers);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

static wr_status
counted(wri_rules *r, const wr_rel *rel, wr_rel **out)
{
    bool except = rel->u.setop.op == WR_SETOP_EXCEPT;
    uint32_t n = rel->schema.count, *keys = WR_NEW_N(r->a, uint32_t, n + 1);
    wr_rel *in[2], *all;
    wr_agg_bound aggs[2];
    WR_TRY_ALLOC(r->ctx, keys);
    for (uint32_t i = 0; i < 2; i++) WR_TRY(marked(r, rel->inputs[i], rel, i, &in[i]));
    for (uint32_t i = 0; i < n; i++) keys[i] = i;
    all = wri_rel_union_all(r->a, in, 2);
    WR_TRY_ALLOC(r->ctx, all);
    if (except) {
        WR_TRY(wri_rule_agg(r, "SUM", all, (int32_t)n, "sum_vcol_marker", &aggs[0]));
    } else {
        WR_TRY(wri_rule_agg(r, "COUNT", all, (int32_t)n, "vcol_left_cnt", &aggs[0]));
        WR_TRY(wri_rule_agg(r, "COUNT", all, (int32_t)n + 1, "vcol_right_cnt", &aggs[1]));
    }
    *out = wri_rel_aggregate(r->a, all, keys, n, aggs, except ? 1 : 2);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

/* Project (count, columns), filtered to the rows that are there. */
static wr_status
times(wri_rules *r, const wr_rel *rel, wr_rel *agg, wr_rel **out)
{
    bool except = rel->u.setop.op == WR_SETOP_EXCEPT;
    uint32_t n = rel->schema.count;
    wr_expr *a = wri_rex_col(r->a, agg, n), *b = NULL, *cond = NULL, *count = a, *test = NULL;
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, n + 1);
    wr_str *names = WR_NEW_N(r->a, wr_str, n + 1);
    WR_TRY_ALLOC(r->ctx, a);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, names);
    names[0] = WR_STR("$f0");
    if (except) {
        names[0] = WR_STR("sum_vcol_marker");
        WR_TRY(wri_rex_call2(r, ">", a, wri_rex_int(r->a, WR_T_INT, 0), &cond));
    } else {
        wr_expr **args = WR_NEW_N(r->a, wr_expr *, 3);
        WR_TRY_ALLOC(r->ctx, args);
        b = wri_rex_col(r->a, agg, n + 1);
        WR_TRY_ALLOC(r->ctx, b);
        WR_TRY(wri_rex_call2(r, ">=", a, wri_rex_int(r->a, WR_T_INT, 1), &cond));
        WR_TRY(wri_rex_call2(r, ">=", b, wri_rex_int(r->a, WR_T_INT, 1), &test));
        WR_TRY(wri_rex_and2(r, cond, test, &cond));
        WR_TRY(wri_rex_call2(r, ">", a, b, &args[0]));
        args[1] = b;
        args[2] = a;
        WR_TRY(wri_rex_call(r, "IF", args, 3, &count));
    }
    exprs[0] = count;
    for (uint32_t i = 0; i < n; i++) {
        exprs[i + 1] = wri_rex_col(r->a, agg, i);
        names[i + 1] = rel->schema.fields[i].name;
        WR_TRY_ALLOC(r->ctx, exprs[i + 1]);
    }
    agg = wri_rel_filter(r->a, agg, cond);
    WR_TRY_ALLOC(r->ctx, agg);
    *out = wri_rel_project(r->a, agg, exprs, names, n + 1);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

static wr_status
all_node(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    uint32_t n = rel->schema.count;
    wr_rel *in = NULL;
    WR_TRY(counted(r, rel, &in));
    WR_TRY(times(r, rel, in, &in));
    wr_expr **args = WR_NEW_N(r->a, wr_expr *, n + 1), *call = NULL;
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, n + 1);
    wr_str *names = WR_NEW_N(r->a, wr_str, n + 1);
    WR_TRY_ALLOC(r->ctx, args);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, names);
    for (uint32_t i = 0; i <= n; i++) {
        args[i] = wri_rex_col(r->a, in, i);
        WR_TRY_ALLOC(r->ctx, args[i]);
    }
    WR_TRY(wri_rex_call(r, REPLICATE, args, n + 1, &call));
    wr_schema columns = {in->schema.fields + 1, n};
    wr_rel *rows = wri_rel_correlate(r->a, WR_JOIN_INNER, in, call, &columns, NULL);
    WR_TRY_ALLOC(r->ctx, rows);
    for (uint32_t i = 0; i < n; i++) {
        exprs[i] = wri_rex_col(r->a, rows, n + 1 + i);
        names[i] = rel->schema.fields[i].name;
        WR_TRY_ALLOC(r->ctx, exprs[i]);
    }
    *out = wri_rel_project(r->a, rows, exprs, names, n);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

wr_status
wri_rule_setops(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    wr_rel *copy = wri_rel_copy(r->a, rel);
    WR_TRY_ALLOC(r->ctx, copy);
    for (uint32_t i = 0; i < copy->input_count; i++)
        WR_TRY(wri_rule_setops(r, rel->inputs[i], &copy->inputs[i]));
    *out = copy;
    if (copy->kind != WR_REL_SETOP) return WR_OK;
    if (copy->u.setop.op == WR_SETOP_UNION) return union_node(r, copy, out);
    return copy->u.setop.all ? all_node(r, copy, out) : distinct_node(r, copy, out);
}
