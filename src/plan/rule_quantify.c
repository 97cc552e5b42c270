/* SPDX-License-Identifier: Apache-2.0 */
/* EXISTS, IN, ANY and ALL as values: three-valued, in any expression.
 *
 *   EXISTS q           IS NOT NULL(i) of a left join with DISTINCT TRUE AS i over q
 *   x IN q             CASE WHEN COUNT(*) = 0 THEN FALSE WHEN <a row of q equals x> THEN TRUE
 *                      WHEN x IS NULL OR COUNT(y) < COUNT(*) THEN NULL ELSE FALSE END
 *   x < ANY q          the same with x < MAX(y);  >: MIN(y);  <>: there are two values, or one that
 *                      is not x
 *   x op ALL q         NOT (x inverse-op ANY q)
 *
 * Where q does not look at the outer row, its counts are joined plainly (an inner join, as Flink
 * plans it: in a stream there is nothing to say before the counts are there), and their row comes
 * at the end at the latest. Otherwise all aggregates are columns of left joins
 * (wri_rule_join_global). */
#include "plan/rule_int.h"

/* ---- an expression over the left row, as the inner relation sees it -------------------------- */
static wr_expr *
lift_node(wri_map *m, const wr_expr *e, uint32_t depth)
{
    if (depth || (e->kind != WR_EX_COLUMN && e->kind != WR_EX_OUTER)) return NULL;
    wr_expr *c = WR_NEW(m->a, wr_expr);
    if (!c) {
        m->failed = true;
        return NULL;
    }
    *c = *e;
    c->level = e->kind == WR_EX_OUTER ? e->level + 1 : 1;
    c->kind = WR_EX_OUTER;
    return c;
}

static wr_status
lift(wri_rules *r, const wr_expr *e, wr_expr **out)
{
    wri_map m = {r->a, lift_node, NULL, false};
    *out = wri_rex_map(&m, e, 0);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

/* ---- pieces ---------------------------------------------------------------------------------- */
/* Is there a row? Over the new *left. */
static wr_status
exists_value(wri_rules *r, wr_rel **left, wr_rel *rel, wr_expr **out)
{
    wr_agg_bound agg;
    wr_expr **one = WR_NEW_N(r->a, wr_expr *, 1), **cols = NULL;
    static const wr_str name = {"i", 1};
    bool correlated = wri_rel_is_correlated(rel);
    WR_TRY_ALLOC(r->ctx, one);
    one[0] = wri_rex_bool(r->a, true);
    rel = wri_rel_project(r->a, rel, one, correlated ? NULL : &name, 1);
    WR_TRY_ALLOC(r->ctx, rel);
    if (!correlated) {
        uint32_t at = (*left)->schema.count;
        rel = wri_rel_distinct(r->a, rel);
        WR_TRY_ALLOC(r->ctx, rel);
        WR_TRY(wri_rule_decorrelate(r, WR_JOIN_LEFT, *left, rel, NULL, left));
        return wri_rex_call1(r, "IS NOT NULL", wri_rex_col(r->a, *left, at), out);
    }
    WR_TRY(wri_rule_agg(r, "MIN", rel, 0, "", &agg));
    rel = wri_rel_aggregate(r->a, rel, NULL, 0, &agg, 1);
    WR_TRY_ALLOC(r->ctx, rel);
    WR_TRY(wri_rule_join_global(r, left, rel, &cols));
    return wri_rex_call1(r, "IS NOT NULL", cols[0], out);
}

/* x1 op y1 AND ... with x lifted, over the rows of rel. */
static wr_status
comparison(wri_rules *r, const wr_expr *e, const char *op, wr_expr **out)
{
    *out = NULL;
    for (uint32_t i = 0; i < e->arg_count; i++) {
        wr_expr *x = NULL, *y = wri_rex_col(r->a, e->rel, i), *one = NULL;
        WR_TRY_ALLOC(r->ctx, y);
        WR_TRY(lift(r, e->args[i], &x));
        WR_TRY(wri_rex_call2(r, op, x, y, &one));
        WR_TRY(wri_rex_and2(r, *out, one, out));
    }
    return WR_OK;
}

static wr_status
exists_where(wri_rules *r, wr_rel **left, wr_rel *rel, wr_expr *cond, wr_expr **out)
{
    rel = wri_rel_filter(r->a, rel, cond);
    WR_TRY_ALLOC(r->ctx, rel);
    return exists_value(r, left, rel, out);
}

/* CASE WHEN w0 THEN t0 ... ELSE e END; a NULL condition leaves its branch out. -1 stands for NULL,
 * else 0 or 1. */
static wr_status
truth_case(wri_rules *r, wr_expr *const *when, const int *then, uint32_t n, int otherwise,
           wr_expr **out)
{
    wr_expr **args = WR_NEW_N(r->a, wr_expr *, 2 * n + 1);
    uint32_t k = 0;
    WR_TRY_ALLOC(r->ctx, args);
    for (uint32_t i = 0; i <= n; i++) {
        int v = i < n ? then[i] : otherwise;
        if (i < n && !when[i]) continue;
        if (i < n) args[k++] = when[i];
        args[k] =
            v < 0 ? wri_rex_null(r->a, wr_type_of(WR_T_BOOLEAN, true)) : wri_rex_bool(r->a, v == 1);
        WR_TRY_ALLOC(r->ctx, args[k++]);
    }
    return wr_expr_case(r->ctx, r->a, args, k, WR_NO_SPAN, out);
}

/* Three values from "some row is TRUE" and "some row is UNKNOWN". */
static wr_status
by_rows(wri_rules *r, wr_rel **left, const wr_expr *e, wr_expr *cond, wr_expr **out)
{
    wr_expr *when[2] = {NULL, NULL}, *unknown = NULL;
    static const int then[] = {1, -1};
    WR_TRY(wri_rex_call1(r, "IS UNKNOWN", cond, &unknown));
    WR_TRY(exists_where(r, left, e->rel, cond, &when[0]));
    if (e->type->nullable) WR_TRY(exists_where(r, left, e->rel, unknown, &when[1]));
    return truth_case(r, when, then, 2, 0, out);
}

/* Left join with the different rows of an uncorrelated `rel`, on x1 = y1 AND ...: is there one? */
static wr_status
equal_row(wri_rules *r, wr_rel **left, const wr_expr *e, wr_expr **out)
{
    wr_rel *rel = e->rel;
    uint32_t n = rel->schema.count, lw = (*left)->schema.count;
    wr_expr **cols = WR_NEW_N(r->a, wr_expr *, n + 1), *cond = NULL, *one = NULL;
    wr_str *names = WR_NEW_N(r->a, wr_str, n + 1);
    rel = wri_rel_distinct(r->a, rel);
    WR_TRY_ALLOC(r->ctx, cols);
    WR_TRY_ALLOC(r->ctx, names);
    WR_TRY_ALLOC(r->ctx, rel);
    for (uint32_t i = 0; i < n; i++) {
        const wr_type *t = rel->schema.fields[i].type;
        wr_expr *y = wr_expr_column(r->a, lw + i, t, WR_NO_SPAN);
        names[i] = rel->schema.fields[i].name;
        cols[i] = wri_rex_col(r->a, rel, i);
        WR_TRY_ALLOC(r->ctx, y);
        WR_TRY(wri_rex_call2(r, "=", e->args[i], y, &one));
        WR_TRY(wri_rex_and2(r, cond, one, &cond));
    }
    names[n] = WR_STR("i");
    cols[n] = wri_rex_bool(r->a, true);
    rel = wri_rel_project(r->a, rel, cols, names, n + 1);
    WR_TRY_ALLOC(r->ctx, rel);
    WR_TRY(wri_rule_decorrelate(r, WR_JOIN_LEFT, *left, rel, cond, left));
    return wri_rex_call1(r, "IS NOT NULL", wri_rex_col(r->a, *left, lw + n), out);
}

/* Aggregates of an uncorrelated `rel` beside every row of *left. */
static wr_status
join_plainly(wri_rules *r, wr_rel **left, wr_rel *rel, const wr_agg_bound *aggs, uint32_t n,
             wr_expr ***cols)
{
    uint32_t at = (*left)->schema.count;
    *cols = WR_NEW_N(r->a, wr_expr *, n + 1);
    rel = wri_rel_aggregate(r->a, rel, NULL, 0, aggs, n);
    WR_TRY_ALLOC(r->ctx, *cols);
    WR_TRY_ALLOC(r->ctx, rel);
    rel->u.agg.at_end = true;
    WR_TRY(wri_rule_decorrelate(r, WR_JOIN_INNER, *left, rel, NULL, left));
    for (uint32_t i = 0; i < n; i++) {
        (*cols)[i] = wri_rex_col(r->a, *left, at + i);
        WR_TRY_ALLOC(r->ctx, (*cols)[i]);
    }
    return WR_OK;
}

/* COUNT(*), COUNT(y) [, MIN(y), MAX(y)] of the sub-query, joined to *left. */
static wr_status
join_counts(wri_rules *r, wr_rel **left, wr_rel *rel, bool bounds, wr_expr ***cols)
{
    wr_agg_bound aggs[4];
    WR_TRY(wri_rule_agg(r, "COUNT", rel, -1, "c", &aggs[0]));
    WR_TRY(wri_rule_agg(r, "COUNT", rel, 0, "ck", &aggs[1]));
    if (bounds) {
        WR_TRY(wri_rule_agg(r, "MIN", rel, 0, "lo", &aggs[2]));
        WR_TRY(wri_rule_agg(r, "MAX", rel, 0, "hi", &aggs[3]));
    }
    if (!bounds && !wri_rel_is_correlated(rel)) return join_plainly(r, left, rel, aggs, 2, cols);
    rel = wri_rel_aggregate(r->a, rel, NULL, 0, aggs, bounds ? 4 : 2);
    WR_TRY_ALLOC(r->ctx, rel);
    return wri_rule_join_global(r, left, rel, cols);
}

/* x IS NULL OR COUNT(y) < COUNT(*): a comparison that was not TRUE may be UNKNOWN. */
static wr_status
maybe_unknown(wri_rules *r, wr_expr *x, bool y_nullable, wr_expr *const *cols, wr_expr **out)
{
    wr_expr *any[2];
    uint32_t n = 0;
    if (x->type->nullable) WR_TRY(wri_rex_call1(r, "IS NULL", x, &any[n++]));
    if (y_nullable) WR_TRY(wri_rex_call2(r, "<", cols[1], cols[0], &any[n++]));
    *out = NULL;
    return n ? wr_expr_or(r->ctx, r->a, any, n, out) : WR_OK;
}

static wr_status
is_empty(wri_rules *r, wr_expr *const *cols, wr_expr **out)
{
    return wri_rex_call2(r, "=", cols[0], wri_rex_int(r->a, WR_T_BIGINT, 0), out);
}

static wr_status
in_value(wri_rules *r, wr_rel **left, const wr_expr *e, wr_expr **out)
{
    wr_expr *eq = NULL, **cols = NULL, *when[3] = {NULL, NULL, NULL};
    static const int then[] = {0, 1, -1};
    bool correlated = wri_rel_is_correlated(e->rel);
    WR_TRY(comparison(r, e, "=", &eq));
    if (!e->type->nullable)
        return correlated ? exists_where(r, left, e->rel, eq, out) : equal_row(r, left, e, out);
    if (e->arg_count > 1) return by_rows(r, left, e, eq, out);
    WR_TRY(join_counts(r, left, e->rel, false, &cols));
    if (correlated)
        WR_TRY(exists_where(r, left, e->rel, eq, &when[1]));
    else
        WR_TRY(equal_row(r, left, e, &when[1]));
    WR_TRY(is_empty(r, cols, &when[0]));
    WR_TRY(maybe_unknown(r, e->args[0], e->rel->schema.fields[0].type->nullable, cols, &when[2]));
    return truth_case(r, when, then, 3, 0, out);
}

static const char *
inverse(const char *op)
{
    static const char *const pairs[][2] = {{"=", "<>"}, {"<>", "="}, {"<", ">="},
                                           {">=", "<"}, {">", "<="}, {"<=", ">"}};
    for (uint32_t i = 0; i < WR_COUNT(pairs); i++)
        if (strcmp(op, pairs[i][0]) == 0) return pairs[i][1];
    WR_UNREACHABLE();
}

/* x op ANY (MIN and MAX stand for all rows). */
static wr_status
bound_test(wri_rules *r, wr_expr *x, const char *op, wr_expr *const *cols, wr_expr **out)
{
    if (strcmp(op, "<>") == 0) {
        wr_expr *both[2];
        WR_TRY(wri_rex_call2(r, op, x, cols[2], &both[0]));
        WR_TRY(wri_rex_call2(r, op, x, cols[3], &both[1]));
        return wr_expr_or(r->ctx, r->a, both, 2, out);
    }
    return wri_rex_call2(r, op, x, op[0] == '<' ? cols[3] : cols[2], out);
}

/* x op ANY of an uncorrelated sub-query: op <> looks at the different values. */
static wr_status
plain_any(wri_rules *r, wr_rel **left, const wr_expr *e, const char *op, wr_expr **out)
{
    bool differs = strcmp(op, "<>") == 0, max = differs || op[0] == '<';
    wr_rel *rel = e->rel;
    wr_expr *x = e->args[0], **cols = NULL, *when[5] = {NULL, NULL, NULL, NULL, NULL}, *is = NULL;
    static const int then[] = {0, -1, 1, 1, -1};
    const bool nullable = rel->schema.fields[0].type->nullable;
    wr_agg_bound aggs[3];
    if (differs) rel = wri_rel_distinct(r->a, rel);
    WR_TRY_ALLOC(r->ctx, rel);
    const uint32_t m = differs ? 2 : 0, c = differs ? 0 : 1, d = c + 1;
    WR_TRY(wri_rule_agg(r, max ? "MAX" : "MIN", rel, 0, "m", &aggs[m]));
    WR_TRY(wri_rule_agg(r, "COUNT", rel, -1, "c", &aggs[c]));
    WR_TRY(wri_rule_agg(r, "COUNT", rel, 0, "d", &aggs[d]));
    WR_TRY(join_plainly(r, left, rel, aggs, 3, &cols));
    WR_TRY(is_empty(r, cols + c, &when[0]));
    if (differs) {
        wr_expr *one = wri_rex_int(r->a, WR_T_BIGINT, 1);
        WR_TRY_ALLOC(r->ctx, one);
        if (x->type->nullable) WR_TRY(wri_rex_call1(r, "IS NULL", x, &when[1]));
        WR_TRY(wri_rex_call2(r, ">", cols[d], one, &when[2]));
        WR_TRY(wri_rex_call2(r, "=", cols[d], one, &is));
        WR_TRY(wri_rex_call2(r, op, x, cols[m], &when[3]));
        WR_TRY(wri_rex_and2(r, is, when[3], &when[3]));
        if (nullable) WR_TRY(wri_rex_call2(r, "<", cols[d], cols[c], &when[4]));
    } else {
        WR_TRY(wri_rex_call2(r, op, x, cols[m], &when[3]));
        WR_TRY(maybe_unknown(r, x, nullable, (wr_expr *[]){cols[c], cols[d]}, &when[4]));
    }
    return truth_case(r, when, then, 5, 0, out);
}

static wr_status
any_value(wri_rules *r, wr_rel **left, const wr_expr *e, const char *op, wr_expr **out)
{
    const wr_type *t = e->rel->schema.fields[0].type;
    wr_expr *cond = NULL, **cols = NULL, *when[3] = {NULL, NULL, NULL};
    static const int then[] = {0, 1, -1};
    if (strcmp(op, "=") == 0) return in_value(r, left, e, out);
    if (e->arg_count > 1) { /* rows: only <> gets here */
        WR_TRY(comparison(r, e, "=", &cond));
        WR_TRY(wri_rex_call1(r, "NOT", cond, &cond));
        return by_rows(r, left, e, cond, out);
    }
    bool bounds = wr_type_is_orderable(t) && !wr_type_is(t, WR_T_ARRAY) &&
                  wr_type_family(t) != WR_FAM_STRUCT && wr_type_family(t) != WR_FAM_COLLECTION;
    if (!bounds) {
        WR_TRY(comparison(r, e, op, &cond));
        return by_rows(r, left, e, cond, out);
    }
    if (!wri_rel_is_correlated(e->rel)) return plain_any(r, left, e, op, out);
    WR_TRY(join_counts(r, left, e->rel, true, &cols));
    WR_TRY(is_empty(r, cols, &when[0]));
    WR_TRY(bound_test(r, e->args[0], op, cols, &when[1]));
    WR_TRY(maybe_unknown(r, e->args[0], t->nullable, cols, &when[2]));
    return truth_case(r, when, then, 3, 0, out);
}

wr_status
wri_rule_quantify(wri_rules *r, wr_rel **left, const wr_expr *e, wr_expr **out)
{
    wr_rel *rel;
    switch ((wr_subquery_kind)e->sub) {
    case WR_SUBQ_EXISTS:
        rel = wri_rel_for_exists(e->rel);
        if (!wri_rel_one_always(rel)) return exists_value(r, left, rel, out);
        *out = wri_rex_bool(r->a, true);
        WR_TRY_ALLOC(r->ctx, *out);
        return WR_OK;
    case WR_SUBQ_IN:
        return in_value(r, left, e, out);
    case WR_SUBQ_ANY:
        return any_value(r, left, e, e->fn->name, out);
    case WR_SUBQ_ALL:
        WR_TRY(any_value(r, left, e, inverse(e->fn->name), out));
        return wri_rex_call1(r, "NOT", *out, out);
    case WR_SUBQ_SCALAR:
    case WR_SUBQ_ARRAY:
    case WR_SUBQ_MULTISET:
    case WR_SUBQ_MAP:
        break;
    }
    return wr_raise_at(r->ctx, WR_UNSUPPORTED, e->span, "this sub-query is not supported");
}
