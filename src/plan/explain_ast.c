/* SPDX-License-Identifier: Apache-2.0 */
/* "Abstract Syntax Tree": the query as bound, in Calcite's words. Columns are $n; sub-queries stand
 * in braces inside the expression that holds them, with columns of the row around as $cor0.name. */
#include "plan/changelog_fn.h"
#include "plan/explain_int.h"
#include "plan/temporal_int.h"
#include "plan/timed_join.h"

#define SUBQUERY "$SUBQUERY"

typedef struct outer { /* a row around a sub-query */
    const wr_schema *row;
    uint32_t number; /* $cor<number>; UINT32_MAX until it is referred to */
    struct outer *up;
} outer;

typedef struct ast {
    wr_ctx *ctx;
    const wr_plan_env *env;
    wri_branches at;
    outer *around;
    uint32_t *next_number;
    uint32_t indent; /* inside braces: plain indentation instead of branches */
    bool plain;
    wri_hinted *hinted; /* what hints reach this node */
} ast;

static wr_status put_rel(ast *t, const wr_rel *rel, const char *branch);
static wr_status put_expr(ast *t, const wr_expr *e, const wr_schema *row, outer *own);

/* ---- expressions ----------------------------------------------------------------------------- */

typedef WR_LIST(const wr_expr *) expr_list;

static bool
find_subqueries(ast *t, const wr_expr *e, expr_list *out)
{
    if (e->kind == WR_EX_SUBQUERY || e->kind == WR_EX_AGG)
        return wr_list_push(t->env->arena, out, e);
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (!find_subqueries(t, e->args[i], out)) return false;
    return true;
}

/* $cor<level - 1>.$<column>, as the expression printer writes it, by number and name. */
static const char *
put_outer(ast *t, const char *s, const char *end, outer *own)
{
    int64_t level = 0, col = 0;
    const char *p = s + 4, *q = p;
    while (q < end && *q >= '0' && *q <= '9') level = level * 10 + (*q++ - '0');
    if (q + 2 >= end || q[0] != '.' || q[1] != '$') return NULL;
    for (q += 2; q < end && *q >= '0' && *q <= '9'; q++) col = col * 10 + (*q - '0');
    outer *o = own;
    while (o && level-- > 0) o = o->up;
    if (!o || (uint64_t)col >= o->row->count) return NULL;
    if (o->number == UINT32_MAX) o->number = (*t->next_number)++;
    wr_text_printf(t->at.out, "$cor%u.%.*s", o->number, WR_STR_ARG(o->row->fields[col].name));
    return q;
}

static const char *
subquery_word(const wr_expr *e)
{
    switch ((wr_subquery_kind)e->sub) {
    case WR_SUBQ_SCALAR:
        return "$SCALAR_QUERY";
    case WR_SUBQ_EXISTS:
        return "EXISTS";
    case WR_SUBQ_IN:
        return "IN";
    case WR_SUBQ_ANY:
        return " SOME";
    case WR_SUBQ_ALL:
        return " ALL";
    case WR_SUBQ_ARRAY:
        return "ARRAY";
    case WR_SUBQ_MULTISET:
        return "MULTISET";
    case WR_SUBQ_MAP:
        return "MAP";
    }
    WR_UNREACHABLE();
}

static wr_status
put_subquery(ast *t, const wr_expr *e, const wr_schema *row, outer *own)
{
    bool quantified = e->sub == WR_SUBQ_ANY || e->sub == WR_SUBQ_ALL;
    wr_text_printf(t->at.out, "%s%s(", quantified && e->fn ? e->fn->name : "", subquery_word(e));
    for (uint32_t i = 0; i < e->arg_count; i++) {
        const wr_expr *a = e->args[i];
        bool is_row = a->kind == WR_EX_CALL && strcmp(a->fn->name, "ROW") == 0;
        for (uint32_t k = 0; is_row && k < a->arg_count; k++) {
            WR_TRY(put_expr(t, a->args[k], row, own));
            wr_text_puts(t->at.out, ", ");
        }
        if (is_row) continue;
        WR_TRY(put_expr(t, a, row, own));
        wr_text_puts(t->at.out, ", ");
    }
    wr_text_puts(t->at.out, "{\n");
    ast below = *t;
    below.plain = true;
    below.indent = 0;
    below.around = own;
    wri_hinted none = {.named = t->hinted->named, .muted = true};
    below.hinted = &none;
    WR_TRY(put_rel(&below, e->rel, ""));
    wr_text_puts(t->at.out, "})");
    return WR_OK;
}

typedef struct over_part {
    ast *t;
    const wr_schema *row;
    outer *own;
    wr_status status;
} over_part;

static wr_str
put_over_part(void *arg, const wr_expr *e)
{
    over_part *p = arg;
    wr_text text;
    ast inner = *p->t;
    wr_text_init(&text, p->t->env->arena);
    inner.at.out = &text;
    const wr_status status = put_expr(&inner, e, p->row, p->own);
    if (p->status == WR_OK) p->status = status;
    return wr_text_str(&text);
}

/* Printed without sub-queries and outer columns first; those are put in while the text is copied.
 * `own`: the row of this node, which sub-queries may refer to. */
static wr_status
put_expr(ast *t, const wr_expr *e, const wr_schema *row, outer *own)
{
    wr_text text;
    expr_list subs = {0};
    uint32_t next = 0;
    if (!find_subqueries(t, e, &subs)) return wr_raise(t->ctx, WR_NOMEM, "out of memory");
    wr_text_init(&text, t->env->arena);
    wr_expr_print(e, WR_EXPR_AST, NULL, &text);
    const char *s = text.ptr, *end = text.ptr + text.len;
    while (s < end) {
        size_t left = (size_t)(end - s);
        if (left > 4 && next < subs.count && memcmp(s, "$agg", 4) == 0) { /* $agg0 */
            over_part p = {t, row, own, WR_OK};
            wri_put_over(t->at.out, subs.items[next++], put_over_part, &p);
            WR_TRY(p.status);
            for (s += 4; s < end && *s >= '0' && *s <= '9';) s++;
            continue;
        }
        bool sub = left >= sizeof SUBQUERY - 1 && memcmp(s, SUBQUERY, sizeof SUBQUERY - 1) == 0;
        if (sub && next < subs.count) {
            WR_TRY(put_subquery(t, subs.items[next++], row, own));
            s += sizeof SUBQUERY - 1;
            continue;
        }
        const char *after = NULL;
        if (left > 6 && memcmp(s, "$cor", 4) == 0) after = put_outer(t, s, end, t->around);
        if (after)
            s = after;
        else
            wr_text_putc(t->at.out, *s++);
    }
    return text.failed ? wr_raise(t->ctx, WR_NOMEM, "out of memory") : WR_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static wr_status
put_columns(ast *t, const wr_rel *rel, outer *own)
{
    for (uint32_t i = 0; i < rel->schema.count; i++) {
        wr_text_printf(t->at.out, "%s%.*s=[", i ? ", " : "",
                       WR_STR_ARG(rel->schema.fields[i].name));
        WR_TRY(put_expr(t, rel->u.project.exprs[i], &rel->inputs[0]->schema, own));
        wr_text_putc(t->at.out, ']');
    }
    return WR_OK;
}

static wr_status
put_project(ast *t, const wr_rel *rel, outer *own)
{
    wr_text body;
    ast inner = *t;
    wr_text_init(&body, t->env->arena);
    inner.at.out = &body;
    WR_TRY(put_columns(&inner, rel, own));
    wr_text_puts(t->at.out, "LogicalProject(");
    if (own->number != UINT32_MAX)
        wr_text_printf(t->at.out, "variablesSet=[[$cor%u]], ", own->number);
    wr_text_put(t->at.out, body.ptr, body.len);
    wr_text_putc(t->at.out, ')');
    return body.failed ? wr_raise(t->ctx, WR_NOMEM, "out of memory") : WR_OK;
}

static wr_status
put_filter(ast *t, const wr_rel *rel, outer *own)
{
    wr_text_puts(t->at.out, "LogicalFilter(condition=[");
    WR_TRY(put_expr(t, rel->u.filter.cond, &rel->inputs[0]->schema, own));
    wr_text_putc(t->at.out, ']');
    if (own->number != UINT32_MAX)
        wr_text_printf(t->at.out, ", variablesSet=[[$cor%u]]", own->number);
    wr_text_putc(t->at.out, ')');
    return WR_OK;
}

static void
put_agg_call(wr_text *out, const wr_agg_bound *a)
{
    bool approx = strcmp(a->fn->name, "APPROX_COUNT_DISTINCT") == 0;
    wr_text_printf(out, "%s(%s", approx ? "COUNT" : a->fn->name,
                   approx        ? "APPROXIMATE DISTINCT "
                   : a->distinct ? "DISTINCT "
                                 : "");
    for (uint32_t i = 0; i < a->arg_count; i++)
        wr_text_printf(out, "%s$%u", i ? ", " : "", a->args[i]);
    wr_text_putc(out, ')');
    if (a->filter >= 0) wr_text_printf(out, " FILTER $%d", a->filter);
}

/* groups=[[{0, 1}, {0}, {}]]: the keys that each copy of the row keeps */
static void
put_sets(wr_text *out, const wr_rel *expand, uint32_t key_count)
{
    wr_text_puts(out, ", groups=[[");
    for (uint32_t s = 0; s < expand->u.expand.set_count; s++) {
        bool any = false;
        wr_text_puts(out, s ? ", {" : "{");
        for (uint32_t k = 0; k < key_count; k++) {
            if (expand->u.expand.rows[s][k]->kind != WR_EX_COLUMN) continue;
            wr_text_printf(out, "%s%u", any ? ", " : "", k);
            any = true;
        }
        wr_text_putc(out, '}');
    }
    wr_text_puts(out, "]]");
}

static void
put_aggregate(wr_text *out, const wr_rel *rel, const wri_hinted *hinted)
{
    const wr_rel *sets = wri_view_sets(rel);
    wr_text_puts(out, "LogicalAggregate(group=[{");
    for (uint32_t i = 0; i < rel->u.agg.key_count; i++)
        wr_text_printf(out, "%s%u", i ? ", " : "", rel->u.agg.keys[i]);
    wr_text_puts(out, "}]");
    if (sets) put_sets(out, sets, rel->u.agg.key_count);
    for (uint32_t i = 0; i < rel->u.agg.agg_count; i++) {
        wr_str name = rel->schema.fields[rel->u.agg.key_count + i].name;
        if (name.len > 2 && memcmp(name.ptr, "$f", 2) == 0)
            wr_text_printf(out, ", agg#%u=[", i);
        else
            wr_text_printf(out, ", %.*s=[", WR_STR_ARG(name));
        put_agg_call(out, &rel->u.agg.aggs[i]);
        wr_text_putc(out, ']');
    }
    wri_put_ttl_hints(out, hinted);
    wr_text_putc(out, ')');
}

/* In a join IS NOT DISTINCT FROM stays an operator. */
static wr_status
put_join_cond(ast *t, const wr_expr *e, outer *own)
{
    if (e->kind != WR_EX_CALL || strcmp(e->fn->name, "IS NOT DISTINCT FROM") != 0)
        return put_expr(t, e, NULL, own);
    wr_text_puts(t->at.out, "IS NOT DISTINCT FROM(");
    WR_TRY(put_expr(t, e->args[0], NULL, own));
    wr_text_puts(t->at.out, ", ");
    WR_TRY(put_expr(t, e->args[1], NULL, own));
    wr_text_putc(t->at.out, ')');
    return WR_OK;
}

static wr_status
put_join(ast *t, const wr_rel *rel, outer *own)
{
    static const char *const types[] = {"inner", "left", "right", "full", "semi", "anti"};
    wr_text_puts(t->at.out, "LogicalJoin(condition=[");
    const wr_expr *e = rel->u.join.cond;
    uint32_t n = e && e->kind == WR_EX_AND ? e->arg_count : 0;
    if (n) wr_text_puts(t->at.out, "AND(");
    for (uint32_t i = 0; i < n; i++) {
        if (i) wr_text_puts(t->at.out, ", ");
        WR_TRY(put_join_cond(t, e->args[i], own));
    }
    if (n) wr_text_putc(t->at.out, ')');
    if (!e) wr_text_puts(t->at.out, "true");
    if (e && !n) WR_TRY(put_join_cond(t, e, own));
    wr_text_printf(t->at.out, "], joinType=[%s]", types[rel->u.join.type]);
    wri_put_join_hints(t->at.out, t->hinted);
    wri_put_ttl_hints(t->at.out, t->hinted);
    wr_text_putc(t->at.out, ')');
    return WR_OK;
}

/* The planner's own place of NULLs goes without saying: last when values rise, first when they
 * fall. Which is not where Flink has them by default. */
const char *
wri_direction(const wr_order_key *k)
{
    if (k->desc) return k->nulls_last ? "DESC-nulls-last" : "DESC";
    return k->nulls_last ? "ASC" : "ASC-nulls-first";
}

static void
put_sort(wr_text *out, const wr_rel *rel)
{
    bool any = false;
    wr_text_puts(out, "LogicalSort(");
    for (uint32_t i = 0; i < rel->u.sort.key_count; i++, any = true)
        wr_text_printf(out, "%ssort%u=[$%u]", any ? ", " : "", i, rel->u.sort.keys[i].col);
    for (uint32_t i = 0; i < rel->u.sort.key_count; i++)
        wr_text_printf(out, ", dir%u=[%s]", i, wri_direction(&rel->u.sort.keys[i]));
    if (rel->u.sort.offset > 0) {
        wr_text_printf(out, "%soffset=[%lld]", any ? ", " : "", (long long)rel->u.sort.offset);
        any = true;
    }
    if (rel->u.sort.fetch >= 0)
        wr_text_printf(out, "%sfetch=[%lld]", any ? ", " : "", (long long)rel->u.sort.fetch);
    wr_text_putc(out, ')');
}

static void
put_values(wr_text *out, const wr_rel *rel)
{
    wr_text_puts(out, "LogicalValues(tuples=[[");
    for (uint32_t r = 0; r < rel->u.values.row_count; r++) {
        wr_text_puts(out, r ? ", { " : "{ ");
        for (uint32_t c = 0; c < rel->schema.count; c++) {
            if (c) wr_text_puts(out, ", ");
            wr_expr_print(rel->u.values.rows[r][c], WR_EXPR_AST, NULL, out);
        }
        wr_text_puts(out, " }");
    }
    wr_text_puts(out, "]])");
}

static void
put_scan(ast *t, const wr_rel *rel)
{
    wr_text_puts(t->at.out, "LogicalTableScan(table=[[");
    wri_put_table(t->at.out, &rel->u.scan.table->id, ", ");
    wr_text_puts(t->at.out, "]]");
    wri_put_scan_hints(t->at.out, rel, t->hinted);
    wr_text_putc(t->at.out, ')');
}

static void
put_sink(ast *t, const wr_rel *rel)
{
    wri_liner l = {.out = t->at.out, .env = t->env, .any = true};
    wr_text_puts(t->at.out, "LogicalSink(table=[");
    wri_put_table(t->at.out, &rel->u.sink.table->id, ".");
    wr_text_putc(t->at.out, ']');
    if (rel->u.sink.target) wri_put_target(&l, rel->u.sink.target, rel->u.sink.target_count);
    wri_attr(&l, "fields");
    wri_put_fields(t->at.out, &rel->schema, ", ");
    wr_text_puts(t->at.out, "])");
}

static wr_status
put_watermark(ast *t, const wr_rel *rel, outer *own)
{
    wr_text_printf(t->at.out, "LogicalWatermarkAssigner(rowtime=[%.*s], watermark=[",
                   WR_STR_ARG(rel->schema.fields[rel->u.watermark.col].name));
    WR_TRY(put_expr(t, rel->u.watermark.expr, &rel->inputs[0]->schema, own));
    wr_text_puts(t->at.out, "])");
    return WR_OK;
}

/* The last columns have their names, also where the input has a column of that name. */
static void
put_window_type(wr_text *out, const wr_schema *s)
{
    static const char *const names[] = {"window_start", "window_end", "window_time"};
    wr_field *f = WR_NEW_N(out->arena, wr_field, s->count + 1);
    if (!f) {
        out->failed = true;
        return;
    }
    memcpy(f, s->fields, s->count * sizeof *f);
    for (uint32_t i = 0; i < WR_COUNT(names) && s->count >= WR_COUNT(names); i++)
        f[s->count - WR_COUNT(names) + i].name = wr_str_c(names[i]);
    const wr_schema shown = {f, s->count};
    wri_put_record_type(out, &shown);
}

/* LogicalTableFunctionScan(invocation=[TUMBLE(TABLE(#0), DESCRIPTOR(_UTF-16LE'ts'), 600000:INTERVAL
 * MINUTE)], rowType=[RecordType(...)]) */
static void
put_window(wr_text *out, const wr_rel *rel)
{
    static const char *const names[] = {"TUMBLE", "HOP", "CUMULATE", "SESSION"};
    const wr_window_spec *s = rel->u.tvf.spec;
    const wr_schema *in = &rel->inputs[0]->schema;
    wr_text_printf(out, "LogicalTableFunctionScan(invocation=[%s(TABLE(#0)", names[s->kind]);
    for (uint32_t i = 0; i < s->key_count; i++)
        wr_text_printf(out, "%s$%u", i ? ", " : " PARTITION BY(", s->keys[i]);
    wr_text_printf(out, "%s, DESCRIPTOR(_UTF-16LE'%.*s')", s->key_count ? ")" : "",
                   WR_STR_ARG(in->fields[rel->u.tvf.time_col].name));
    for (uint32_t i = 0; i < s->length_count; i++) {
        wr_text_puts(out, ", ");
        wr_expr_print(s->lengths[i], WR_EXPR_AST, NULL, out);
    }
    wr_text_puts(out, ")], rowType=[");
    put_window_type(out, &rel->schema);
    wr_text_puts(out, "])");
}

static void put_correlate(ast *t, const wr_rel *rel, outer *own);

static wr_status
put_line(ast *t, const wr_rel *rel, outer *own)
{
    static const char *const setops[] = {"Union", "Intersect", "Minus"};
    wr_text *out = t->at.out;
    switch ((wr_rel_kind)rel->kind) {
    case WR_REL_SCAN:
        put_scan(t, rel);
        return WR_OK;
    case WR_REL_VALUES:
        put_values(out, rel);
        return WR_OK;
    case WR_REL_PROJECT:
        return put_project(t, rel, own);
    case WR_REL_FILTER:
        return put_filter(t, rel, own);
    case WR_REL_JOIN:
        if (!rel->u.join.temporal) return put_join(t, rel, own);
        put_correlate(t, rel, own);
        return WR_OK;
    case WR_REL_AGGREGATE:
        put_aggregate(out, rel, t->hinted);
        return WR_OK;
    case WR_REL_SETOP:
        wr_text_printf(out, "Logical%s(all=[%s])", setops[rel->u.setop.op],
                       rel->u.setop.all ? "true" : "false");
        return WR_OK;
    case WR_REL_SORT:
        put_sort(out, rel);
        return WR_OK;
    case WR_REL_CORRELATE:
        if (own->number == UINT32_MAX) own->number = (*t->next_number)++;
        wr_text_printf(out, "LogicalCorrelate(correlation=[$cor%u], joinType=[%s]", own->number,
                       rel->u.correlate.type == WR_JOIN_LEFT ? "left" : "inner");
        wri_put_required(out, rel);
        wr_text_putc(out, ')');
        return WR_OK;
    case WR_REL_WATERMARK:
        return put_watermark(t, rel, own);
    case WR_REL_MATCH:
        wri_put_logical_match(rel, out);
        return WR_OK;
    case WR_REL_WINDOW_TVF:
        put_window(out, rel);
        return WR_OK;
    case WR_REL_CHANGELOG:
        wr_text_printf(out, "LogicalTableFunctionScan(invocation=[%.*s], rowType=[",
                       WR_STR_ARG(rel->u.changelog->call));
        wri_put_record_type(out, &rel->schema);
        wr_text_puts(out, "])");
        return WR_OK;
    case WR_REL_OVER:
        wr_text_puts(out, "LogicalProject");
        return WR_OK;
    case WR_REL_EXPAND:
        wr_text_puts(out, "LogicalExpand");
        return WR_OK;
    case WR_REL_SINK:
        put_sink(t, rel);
        return WR_OK;
    }
    WR_UNREACHABLE();
}

/* Are the columns called as the fields of the rows in the array? */
static bool
has_row_names(const wr_rel *rel)
{
    const wr_expr *call = rel->u.correlate.call;
    const wr_type *t = call->arg_count ? call->args[0]->type : NULL;
    uint32_t first = rel->inputs[0]->schema.count;
    if (!t || t->id != WR_T_ARRAY || t->fields[0].type->id != WR_T_ROW) return false;
    t = t->fields[0].type;
    if (t->field_count != rel->schema.count - first) return false;
    for (uint32_t i = 0; i < t->field_count; i++)
        if (!wr_str_eq(t->fields[i].name, rel->schema.fields[first + i].name)) return false;
    return true;
}

/* The right side of a correlation: UNNEST of a field of the row, or a table function. */
static wr_status
put_function(ast *t, const wr_rel *rel, const outer *own)
{
    const wr_expr *call = rel->u.correlate.call;
    const wr_schema *in = &rel->inputs[0]->schema;
    uint32_t first = in->count;
    bool unnest = strstr(call->fn->name, "UNNEST") != NULL;
    wr_text *out = t->at.out;
    bool named = unnest && has_row_names(rel);
    if (!named) {
        wri_branch(&t->at, "+- ");
        wr_text_puts(out, "LogicalProject(");
        for (uint32_t i = first; i < rel->schema.count; i++)
            wr_text_printf(out, "%s%.*s=[$%u]", i > first ? ", " : "",
                           WR_STR_ARG(rel->schema.fields[i].name), i - first);
        wr_text_puts(out, ")\n");
        WR_TRY(wri_branch_down(&t->at, "+- "));
    }
    wri_branch(&t->at, "+- ");
    if (unnest && call->arg_count && call->args[0]->kind == WR_EX_COLUMN) {
        wr_str field = in->fields[call->args[0]->index].name;
        bool ordinality = strstr(call->fn->name, "ORDINALITY") != NULL;
        wr_text_printf(out, "Uncollect%s\n", ordinality ? "(withOrdinality=[true])" : "");
        WR_TRY(wri_branch_down(&t->at, "+- "));
        wri_branch(&t->at, "+- ");
        wr_text_printf(out, "LogicalProject(%.*s=[$cor%u.%.*s])\n", WR_STR_ARG(field), own->number,
                       WR_STR_ARG(field));
        WR_TRY(wri_branch_down(&t->at, "+- "));
        wri_branch(&t->at, "+- ");
        wr_text_puts(out, "LogicalValues(tuples=[[{ 0 }]])\n");
        wri_branch_up(&t->at, "+- ");
        wri_branch_up(&t->at, "+- ");
    } else {
        wr_text_puts(out, "LogicalTableFunctionScan(invocation=[");
        wr_expr_print(call, WR_EXPR_AST, in->fields, out);
        wr_text_puts(out, "])\n");
    }
    if (!named) wri_branch_up(&t->at, "+- ");
    return WR_OK;
}

/* requiredColumns=[{3}] */
void
wri_put_required(wr_text *out, const wr_rel *rel)
{
    uint64_t *bits = WR_NEW_N(out->arena, uint64_t, WR_BIT_WORDS(rel->schema.count) + 1);
    bool any = false;
    if (!bits) {
        out->failed = true;
        return;
    }
    wri_phys_mark(rel->u.correlate.call, bits);
    wr_text_puts(out, ", requiredColumns=[{");
    for (uint32_t i = 0; i < rel->schema.count; i++) {
        if (!wr_bit_get(bits, i)) continue;
        wr_text_printf(out, "%s%u", any ? ", " : "", i);
        any = true;
    }
    wr_text_puts(out, "}]");
}

/* TABLE t as an argument is SELECT * FROM t. */
static wr_status
put_all_columns(ast *t, const wr_schema *s)
{
    if (t->plain)
        wr_text_printf(t->at.out, "%*s", (int)(2 * t->indent++), "");
    else
        wri_branch(&t->at, "+- ");
    wr_text_puts(t->at.out, "LogicalProject(");
    for (uint32_t i = 0; i < s->count; i++)
        wr_text_printf(t->at.out, "%s%.*s=[$%u]", i ? ", " : "", WR_STR_ARG(s->fields[i].name), i);
    wr_text_puts(t->at.out, ")\n");
    return t->plain ? WR_OK : wri_branch_down(&t->at, "+- ");
}

/* ---- FOR SYSTEM_TIME AS OF: a correlation with a snapshot of the right side ------------------ */
static bool
is_temporal(const wr_rel *rel)
{
    return rel->kind == WR_REL_JOIN && rel->u.join.temporal;
}

/* Columns of a temporal join's condition, as the right side sees them. */
static wr_expr *
see_from_right(wri_map *m, const wr_expr *e, uint32_t depth)
{
    const uint32_t left = *(const uint32_t *)m->arg;
    if (depth || e->kind != WR_EX_COLUMN) return NULL;
    wr_expr *c = WR_NEW(m->a, wr_expr);
    if (!c) {
        m->failed = true;
        return NULL;
    }
    *c = *e;
    c->kind = e->index < left ? WR_EX_OUTER : WR_EX_COLUMN;
    c->level = e->index < left;
    c->index = e->index < left ? e->index : e->index - left;
    return c;
}

static void
put_correlate(ast *t, const wr_rel *rel, outer *own)
{
    uint64_t *bits =
        WR_NEW_N(t->env->arena, uint64_t, WR_BIT_WORDS(rel->inputs[0]->schema.count) + 1);
    uint64_t *all = WR_NEW_N(t->env->arena, uint64_t, WR_BIT_WORDS(rel->schema.count) + 1);
    bool any = false;
    own->number = (*t->next_number)++;
    wr_text_printf(t->at.out, "LogicalCorrelate(correlation=[$cor%u], joinType=[%s], ", own->number,
                   rel->u.join.type == WR_JOIN_LEFT ? "left" : "inner");
    wr_text_puts(t->at.out, "requiredColumns=[{");
    if (!bits || !all) {
        t->at.out->failed = true;
        return;
    }
    wri_phys_mark(rel->u.join.cond, all);
    for (uint32_t i = 0; i < rel->inputs[0]->schema.count; i++) {
        if (!wr_bit_get(all, i)) continue;
        wr_text_printf(t->at.out, "%s%u", any ? ", " : "", i);
        any = true;
    }
    wr_text_puts(t->at.out, "}]");
    wri_put_join_hints(t->at.out, t->hinted);
    wr_text_puts(t->at.out, ")");
}

static wr_status put_rel(ast *t, const wr_rel *rel, const char *branch);

static wr_status
put_snapshot(ast *t, const wr_rel *rel, outer *own)
{
    const wr_schema *left = &rel->inputs[0]->schema;
    const wr_expr *marker = NULL;
    wr_expr *cond = NULL;
    uint32_t lw = left->count;
    WR_TRY(wri_temporal_take(t->ctx, t->env->arena, rel->u.join.cond, &marker, &cond));
    if (!marker) return WR_OK;
    if (cond) {
        wri_map m = {t->env->arena, see_from_right, &lw, false};
        cond = wri_rex_map(&m, cond, 0);
        WR_TRY_ALLOC(t->ctx, cond);
        wri_branch(&t->at, "+- ");
        wr_text_puts(t->at.out, "LogicalFilter(condition=[");
        outer *around = t->around;
        t->around = own;
        const wr_status status = put_expr(t, cond, &rel->inputs[1]->schema, own);
        t->around = around;
        WR_TRY(status);
        wr_text_puts(t->at.out, "])\n");
        WR_TRY(wri_branch_down(&t->at, "+- "));
    }
    wri_branch(&t->at, "+- ");
    wr_text_printf(t->at.out, "LogicalSnapshot(period=[$cor%u.%.*s])\n", own->number,
                   WR_STR_ARG(left->fields[marker->args[0]->index].name));
    WR_TRY(wri_branch_down(&t->at, "+- "));
    wri_hinted *const hinted = t->hinted;
    wri_hinted none = {.muted = true};
    t->hinted = &none;
    WR_TRY(put_rel(t, rel->inputs[1], "+- "));
    t->hinted = hinted;
    wri_branch_up(&t->at, "+- ");
    if (cond) wri_branch_up(&t->at, "+- ");
    return WR_OK;
}

static wr_status
put_rel(ast *t, const wr_rel *rel, const char *branch)
{
    const uint32_t below = is_temporal(rel) ? 1 : rel->input_count;
    outer own = {.row = rel->input_count ? &rel->inputs[0]->schema : &rel->schema,
                 .number = UINT32_MAX,
                 .up = t->around};
    wri_hinted *const around = t->hinted;
    wri_hinted own_hints = *around;
    if (rel->block && !around->muted)
        own_hints = (wri_hinted){.named = around->named, .select = rel};
    t->hinted = &own_hints;
    if (t->plain)
        wr_text_printf(t->at.out, "%*s", (int)(2 * t->indent), "");
    else
        wri_branch(&t->at, branch);
    WR_TRY(put_line(t, rel, &own));
    wr_text_putc(t->at.out, '\n');
    bool correlate = rel->kind == WR_REL_CORRELATE;
    t->indent++;
    if (!t->plain) WR_TRY(wri_branch_down(&t->at, branch));
    const bool table = (rel->kind == WR_REL_WINDOW_TVF && rel->u.tvf.spec->table) ||
                       (rel->kind == WR_REL_CHANGELOG && rel->u.changelog->table);
    if (table) WR_TRY(put_all_columns(t, &rel->inputs[0]->schema));
    for (uint32_t i = 0; i < below; i++) {
        const wr_rel *sets = rel->kind == WR_REL_AGGREGATE ? wri_view_sets(rel) : NULL;
        bool last = i + 1 == rel->input_count && !correlate; /* not of a temporal join */
        wri_hinted below_hints = own_hints;
        wri_hinted_down(&below_hints, i);
        t->hinted = &below_hints;
        WR_TRY(put_rel(t, sets ? sets->inputs[0] : rel->inputs[i], last ? "+- " : ":- "));
    }
    t->hinted = &own_hints;
    if (table && t->plain) t->indent--;
    if (table && !t->plain) wri_branch_up(&t->at, "+- ");
    if (correlate && !t->plain) WR_TRY(put_function(t, rel, &own));
    if (is_temporal(rel) && !t->plain) WR_TRY(put_snapshot(t, rel, &own));
    if (!t->plain) wri_branch_up(&t->at, branch);
    t->indent--;
    t->hinted = around;
    return WR_OK;
}

wr_status
wri_explain_ast(wr_ctx *ctx, const wr_plan_env *env, const wr_rel *rel, wr_text *out)
{
    uint32_t next = 0;
    wr_rel *view = NULL;
    WR_TRY(wri_explain_view(ctx, env, rel, &view));
    wri_hinted none = {.named = wri_has_hints(rel)};
    ast t = {.ctx = ctx, .env = env, .next_number = &next, .hinted = &none};
    t.at = (wri_branches){.ctx = ctx, .out = out};
    return put_rel(&t, view, "");
}
