/* SPDX-License-Identifier: Apache-2.0 */
/* The one line of a physical node, in Flink's words: GroupAggregate(groupBy=[k], select=[k,
 * COUNT(*) AS EXPR$1]). */
#include "plan/phys_int.h"

typedef struct liner { /* a line being written */
    wr_text *out;
    const wr_pnode *n;
    wr_expr_style style;
    bool any; /* an attribute has been written */
} liner;

static wr_str
in_name(const wr_pnode *n, uint32_t col)
{
    return n->inputs[0]->schema.fields[col].name;
}

static void
attr(liner *l, const char *name)
{
    wr_text_printf(l->out, "%s%s=[", l->any ? ", " : "", name);
    l->any = true;
}

static void
put_fields(wr_text *out, const wr_schema *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        wr_text_printf(out, "%s%.*s", i ? ", " : "", WR_STR_ARG(s->fields[i].name));
}

static void
put_cols(wr_text *out, const wr_schema *s, const uint32_t *cols, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        wr_text_printf(out, "%s%.*s", i ? ", " : "", WR_STR_ARG(s->fields[cols[i]].name));
}

static void
put_order(wr_text *out, const wr_schema *s, const wr_order_key *keys, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        wr_text_printf(out, "%s%.*s %s", i ? ", " : "", WR_STR_ARG(s->fields[keys[i].col].name),
                       keys[i].desc ? "DESC" : "ASC");
        if (keys[i].nulls_last != keys[i].desc)
            wr_text_puts(out, keys[i].nulls_last ? " NULLS LAST" : " NULLS FIRST");
    }
}

static void
put_table(wr_text *out, const wr_table_id *id, const char *sep)
{
    wr_text_printf(out, "%.*s%s%.*s%s%.*s", WR_STR_ARG(id->catalog), sep, WR_STR_ARG(id->database),
                   sep, WR_STR_ARG(id->name));
}

static void
label_scan(liner *l)
{
    const wr_source_spec *s = &l->n->u.scan.spec;
    wr_text_puts(l->out, "table=[[");
    put_table(l->out, &s->table->id, ", ");
    static const char *const ops[] = {"=", "<>", "<", "<=", ">", ">="};
    if (s->filter_count) {
        wr_text_puts(l->out, ", filter=[");
        for (uint32_t i = 0; i < s->filter_count; i++) {
            const wr_pushed_filter *f = &s->filters[i];
            wr_expr lit = {.kind = WR_EX_LITERAL, .type = f->value.type, .value = f->value};
            wr_text_printf(l->out, "%s%s(%.*s, ", i ? ", " : "", ops[f->op],
                           WR_STR_ARG(s->columns.fields[f->col].name));
            wr_expr_print(&lit, WR_EXPR_PREFIX, NULL, l->out);
            wr_text_putc(l->out, ')');
        }
        wr_text_putc(l->out, ']');
    }
    bool all = true;
    for (uint32_t i = 0, next = 0; i < s->columns.count; i++)
        all &= s->physical[i] == (int32_t)next++;
    uint32_t physical = 0;
    for (uint32_t i = 0; i < s->table->column_count; i++)
        physical += s->table->columns[i].kind == WR_COL_PHYSICAL;
    if (!all || physical != s->columns.count) {
        wr_text_puts(l->out, ", project=[");
        put_fields(l->out, &s->columns);
        wr_text_putc(l->out, ']');
    }
    if (s->limit >= 0) wr_text_printf(l->out, ", limit=[%lld]", (long long)s->limit);
    wr_text_puts(l->out, "]], fields=[");
    put_fields(l->out, &l->n->schema);
    wr_text_putc(l->out, ']');
}

static void
put_exprs(liner *l, wr_expr *const *exprs, const wr_schema *names)
{
    const wr_field *in = l->n->input_count ? l->n->inputs[0]->schema.fields : NULL;
    for (uint32_t i = 0; i < names->count; i++) {
        if (i) wr_text_puts(l->out, ", ");
        wr_expr_print(wr_expr_simplify(l->out->arena, exprs[i], false), l->style, in, l->out);
        bool same = exprs[i]->kind == WR_EX_COLUMN && in &&
                    wr_str_eq(in[exprs[i]->index].name, names->fields[i].name);
        if (!same) wr_text_printf(l->out, " AS %.*s", WR_STR_ARG(names->fields[i].name));
    }
}

static void
label_calc(liner *l)
{
    attr(l, "select");
    put_exprs(l, l->n->u.calc.exprs, &l->n->schema);
    wr_text_putc(l->out, ']');
    if (l->n->u.calc.cond) {
        attr(l, "where");
        wr_expr_print(wr_expr_simplify(l->out->arena, l->n->u.calc.cond, true), l->style,
                      l->n->inputs[0]->schema.fields, l->out);
        wr_text_putc(l->out, ']');
    }
}

static void
put_agg(liner *l, const wr_agg_bound *a, bool retract)
{
    wr_text_printf(l->out, "%s%s(", a->fn->name, retract ? "_RETRACT" : "");
    if (a->distinct) wr_text_puts(l->out, "DISTINCT ");
    if (a->arg_count == 0) wr_text_putc(l->out, '*');
    for (uint32_t i = 0; i < a->arg_count; i++)
        wr_text_printf(l->out, "%s%.*s", i ? ", " : "", WR_STR_ARG(in_name(l->n, a->args[i])));
    wr_text_putc(l->out, ')');
    if (a->filter >= 0)
        wr_text_printf(l->out, " FILTER %.*s", WR_STR_ARG(in_name(l->n, (uint32_t)a->filter)));
}

static void
label_agg(liner *l)
{
    const wr_pnode *n = l->n;
    if (n->kind == WR_P_HASH_AGG) attr(l, "isMerge"), wr_text_puts(l->out, "false]");
    if (n->u.agg.key_count) {
        attr(l, "groupBy");
        put_cols(l->out, &n->inputs[0]->schema, n->u.agg.keys, n->u.agg.key_count);
        wr_text_putc(l->out, ']');
    }
    attr(l, "select");
    put_cols(l->out, &n->inputs[0]->schema, n->u.agg.keys, n->u.agg.key_count);
    for (uint32_t i = 0; i < n->u.agg.agg_count; i++) {
        if (i || n->u.agg.key_count) wr_text_puts(l->out, ", ");
        put_agg(l, &n->u.agg.aggs[i], n->u.agg.retract);
        wr_text_printf(l->out, " AS %.*s",
                       WR_STR_ARG(n->schema.fields[n->u.agg.key_count + i].name));
    }
    wr_text_putc(l->out, ']');
}

static wr_expr *
equi_expr(const wr_plan_env *env, const wr_pnode *n, uint32_t k)
{
    const wr_schema *ls = &n->inputs[0]->schema, *rs = &n->inputs[1]->schema;
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    uint32_t lc = n->u.join.left_keys[k], rc = n->u.join.right_keys[k];
    wr_expr *args[2] = {
        wr_expr_column(env->arena, lc, ls->fields[lc].type, WR_NO_SPAN),
        wr_expr_column(env->arena, rc + ls->count, rs->fields[rc].type, WR_NO_SPAN)};
    const char *name = n->u.join.null_equal[k] ? "IS NOT DISTINCT FROM" : "=";
    wr_expr *out = NULL;
    const wr_fn *fn = wr_fn_find(wr_str_c(name));
    if (!fn || !args[0] || !args[1] ||
        wr_expr_call(&ctx, env->arena, env->eval, fn, wr_str_c(name), args, 2, NULL, WR_NO_SPAN,
                     &out) != WR_OK)
        return NULL;
    return out;
}

/* The columns of both inputs under unique names, as Flink shows them (id, id0). */
static wr_field *
join_names(const wr_plan_env *env, const wr_pnode *n)
{
    uint32_t lc = n->inputs[0]->schema.count, rc = n->inputs[1]->schema.count;
    wr_field *f = WR_NEW_N(env->arena, wr_field, lc + rc + 1);
    if (!f) return NULL;
    memcpy(f, n->inputs[0]->schema.fields, lc * sizeof *f);
    memcpy(f + lc, n->inputs[1]->schema.fields, rc * sizeof *f);
    if (n->schema.count == lc + rc) {
        for (uint32_t i = 0; i < lc + rc; i++) f[i].name = n->schema.fields[i].name;
        return f;
    }
    for (uint32_t i = lc; i < lc + rc; i++) {
        wr_str base = f[i].name;
        for (uint32_t tries = 0, clash = 1; clash; tries++) {
            clash = 0;
            for (uint32_t k = 0; k < i; k++) clash |= wr_str_eq(f[k].name, f[i].name);
            if (clash) f[i].name = wr_arena_printf(env->arena, "%.*s%u", WR_STR_ARG(base), tries);
        }
    }
    return f;
}

static const char *
side_spec(const wr_pnode *n, uint32_t side)
{
    if (n->u.join.key_contains_unique[side]) return "JoinKeyContainsUniqueKey";
    return n->u.join.unique_key[side] ? "HasUniqueKey" : "NoUniqueKey";
}

static void
label_join(liner *l, const wr_plan_env *env)
{
    static const char *const types[] = {"InnerJoin",     "LeftOuterJoin", "RightOuterJoin",
                                        "FullOuterJoin", "LeftSemiJoin",  "LeftAntiJoin"};
    const wr_pnode *n = l->n;
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    attr(l, "joinType");
    wr_text_printf(l->out, "%s]", types[n->u.join.type]);
    wr_expr **parts = WR_NEW_N(env->arena, wr_expr *, n->u.join.key_count + 1), *all = NULL;
    wr_field *names = join_names(env, n);
    uint32_t count = 0;
    for (uint32_t i = 0; parts && i < n->u.join.key_count; i++) {
        wr_expr *e = equi_expr(env, n, i);
        if (e) parts[count++] = e;
    }
    if (parts && n->u.join.cond) parts[count++] = n->u.join.cond;
    attr(l, "where");
    if (parts && names && wr_expr_and(&ctx, env->arena, parts, count, &all) == WR_OK)
        wr_expr_print(wr_expr_simplify(l->out->arena, count == 1 ? parts[0] : all, true), l->style,
                      names, l->out);
    wr_text_putc(l->out, ']');
    attr(l, "select");
    put_fields(l->out, &n->schema);
    wr_text_putc(l->out, ']');
    if (n->kind == WR_P_JOIN)
        wr_text_printf(l->out, ", leftInputSpec=[%s], rightInputSpec=[%s]", side_spec(n, 0),
                       side_spec(n, 1));
    else
        wr_text_printf(l->out, ", build=[%s]",
                       n->kind == WR_P_HASH_JOIN && n->u.join.build == 0 ? "left" : "right");
}

static void
label_sorted(liner *l)
{
    static const char *const strategies[] = {"AppendFastStrategy", "UpdateFastStrategy[0]",
                                             "RetractStrategy"};
    const wr_pnode *n = l->n;
    attr(l, "orderBy");
    put_order(l->out, &n->schema, n->u.sort.keys, n->u.sort.key_count);
    wr_text_putc(l->out, ']');
    if (n->kind == WR_P_SORT) return;
    wr_text_printf(l->out, ", offset=[%lld], fetch=[%lld]", (long long)n->u.sort.offset,
                   (long long)n->u.sort.fetch);
    if (!n->u.sort.temporal)
        wr_text_printf(l->out, ", strategy=[%s]", strategies[n->u.sort.strategy]);
}

static void
label_exchange(liner *l)
{
    static const char *const names[] = {"any",    "forward",   "hash",
                                        "single", "broadcast", "rebalance"};
    const wr_pnode *n = l->n;
    attr(l, "distribution");
    wr_text_puts(l->out, names[n->u.exchange.dist]);
    if (n->u.exchange.dist == WR_DIST_HASH) {
        wr_text_putc(l->out, '[');
        put_cols(l->out, &n->schema, n->u.exchange.keys, n->u.exchange.key_count);
        wr_text_putc(l->out, ']');
    }
    wr_text_putc(l->out, ']');
}

static void
label_values(liner *l)
{
    const wr_pnode *n = l->n;
    attr(l, "tuples");
    wr_text_putc(l->out, '[');
    for (uint32_t r = 0; r < n->u.values.row_count; r++) {
        wr_text_puts(l->out, r ? ", { " : "{ ");
        for (uint32_t c = 0; c < n->schema.count; c++) {
            if (c) wr_text_puts(l->out, ", ");
            wr_expr_print(n->u.values.rows[r][c], l->style, NULL, l->out);
        }
        wr_text_puts(l->out, " }");
    }
    wr_text_puts(l->out, "]]");
}

static void
label_expand(liner *l)
{
    const wr_pnode *n = l->n;
    attr(l, "projects");
    for (uint32_t s = 0; s < n->u.expand.set_count; s++) {
        wr_text_puts(l->out, s ? ", {" : "{");
        put_exprs(l, n->u.expand.rows[s], &n->schema);
        wr_text_putc(l->out, '}');
    }
    wr_text_putc(l->out, ']');
}

static void
label_sink(liner *l)
{
    static const char *const conflicts[] = {"", "NOTHING", "ERROR", "DEDUPLICATE"};
    const wr_pnode *n = l->n, *in = n->inputs[0];
    attr(l, "table");
    put_table(l->out, &n->u.sink.spec.table->id, ".");
    wr_text_puts(l->out, "], fields=[");
    put_fields(l->out, &n->schema);
    wr_text_putc(l->out, ']');
    if (in->kind != WR_P_SINK_MATERIALIZE) return;
    wr_text_puts(l->out, ", upsertMaterialize=[true]");
    uint8_t c = in->u.materialize.on_conflict;
    if (c == WR_CONFLICT_NOTHING || c == WR_CONFLICT_ERROR)
        wr_text_printf(l->out, ", conflictStrategy=[%s]", conflicts[c]);
}

static void
label_watermark(liner *l)
{
    attr(l, "rowtime");
    wr_text_printf(l->out, "%.*s], watermark=[",
                   WR_STR_ARG(l->n->schema.fields[l->n->u.watermark.col].name));
    wr_expr_print(l->n->u.watermark.expr, l->style, l->n->inputs[0]->schema.fields, l->out);
    wr_text_putc(l->out, ']');
}

static void
label_correlate(liner *l)
{
    const wr_pnode *n = l->n;
    attr(l, "invocation");
    wr_expr_print(n->u.correlate.call, WR_EXPR_PREFIX, n->inputs[0]->schema.fields, l->out);
    wr_text_puts(l->out, "], select=[");
    put_fields(l->out, &n->schema);
    wr_text_printf(l->out, "], joinType=[%s]",
                   n->u.correlate.type == WR_JOIN_LEFT ? "LEFT" : "INNER");
}

wr_status
wri_label(wr_ctx *ctx, const wr_plan_env *env, const wr_pnode *n, wr_expr_style style, wr_text *out)
{
    liner l = {.out = out, .n = n, .style = style};
    (void)ctx;
    bool temporal = n->kind == WR_P_SORT && n->u.sort.temporal;
    wr_text_printf(out, "%s", temporal ? "TemporalSort" : wr_pkind_name((wr_pkind)n->kind));
    if (n->kind == WR_P_DROP_UPDATE_BEFORE || n->kind == WR_P_COLLECT) return WR_OK;
    wr_text_putc(out, '(');
    switch ((wr_pkind)n->kind) {
    case WR_P_SCAN:
        label_scan(&l);
        break;
    case WR_P_VALUES:
        label_values(&l);
        break;
    case WR_P_CALC:
        label_calc(&l);
        break;
    case WR_P_WATERMARK:
        label_watermark(&l);
        break;
    case WR_P_EXCHANGE:
        label_exchange(&l);
        break;
    case WR_P_UNION:
        wr_text_puts(out, "all=[true], union=[");
        put_fields(out, &n->schema);
        wr_text_putc(out, ']');
        break;
    case WR_P_LIMIT:
        wr_text_printf(out, "offset=[%lld], fetch=[%lld]", (long long)n->u.limit.offset,
                       (long long)n->u.limit.fetch);
        break;
    case WR_P_SORT:
    case WR_P_SORT_LIMIT:
        label_sorted(&l);
        break;
    case WR_P_GROUP_AGG:
    case WR_P_HASH_AGG:
        label_agg(&l);
        break;
    case WR_P_JOIN:
    case WR_P_HASH_JOIN:
    case WR_P_NESTED_LOOP_JOIN:
        label_join(&l, env);
        break;
    case WR_P_CORRELATE:
        label_correlate(&l);
        break;
    case WR_P_EXPAND:
        label_expand(&l);
        break;
    case WR_P_CHANGELOG_NORMALIZE:
        attr(&l, "key");
        put_cols(out, &n->schema, n->u.normalize.keys, n->u.normalize.key_count);
        wr_text_putc(out, ']');
        break;
    case WR_P_SINK_MATERIALIZE:
        attr(&l, "key");
        put_cols(out, &n->schema, n->u.materialize.keys, n->u.materialize.key_count);
        wr_text_putc(out, ']');
        break;
    case WR_P_SINK:
        label_sink(&l);
        break;
    case WR_P_DROP_UPDATE_BEFORE:
    case WR_P_COLLECT:
    case WR_P_COUNT:
        break;
    }
    wr_text_putc(out, ')');
    return WR_OK;
}
