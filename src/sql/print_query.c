/* SPDX-License-Identifier: Apache-2.0 */
/* Queries and FROM in Calcite's layout: a clause a line, a join a line. */
#include "sql/print_int.h"

/* ---- tables ---------------------------------------------------------------------------------- */
static void
put_as(wri_printer *o, const wr_ast_as *as)
{
    if (!as->name.name.ptr) return;
    wri_put(o, " AS ");
    wri_put_name(o, as->name.name);
    if (as->columns.count == 0) return;
    wri_put(o, " (");
    wri_put_parts(o, &as->columns);
    wri_put(o, ")");
}

static void
put_sample(wri_printer *o, const wr_ast_tablesample *s)
{
    static const char *const words[] = {"", " TABLESAMPLE BERNOULLI(", " TABLESAMPLE SYSTEM(",
                                        " TABLESAMPLE SUBSTITUTE("};
    if (s->method == WR_SQL_SAMPLE_NONE) return;
    wri_put(o, words[s->method]);
    wri_print_expr(o, s->amount, 0);
    wri_put(o, ")");
    if (!s->seed) return;
    wri_put(o, " REPEATABLE(");
    wri_print_expr(o, s->seed, 0);
    wri_put(o, ")");
}

static void
print_table_ref(wri_printer *o, const wr_ast_table_ref *n)
{
    if (n->file)
        wri_put_literal_text(o, n->file);
    else
        wri_print_expr(o, &n->name->base, 0);
    if (n->hints.count > 0) {
        wri_newline(o);
        wri_print_hints(o, &n->hints);
    }
    if (n->extend.count > 0) {
        wri_put(o, " EXTEND (");
        wri_put_list(o, &n->extend, ", ");
        wri_put(o, ")");
    }
    if (n->system_time) {
        wri_put(o, " FOR SYSTEM_TIME AS OF ");
        wri_print_expr(o, n->system_time, 0);
    }
    put_as(o, &n->as);
    put_sample(o, &n->sample);
}

/* The other side of a join: another join needs parentheses. */
static void
print_right(wri_printer *o, const wr_ast *table)
{
    if (table->kind != WR_AST_JOIN) {
        wri_print_table(o, table);
        return;
    }
    bool before = o->one_line;
    wri_put(o, "(");
    o->one_line = true;
    wri_print_table(o, table);
    o->one_line = before;
    wri_put(o, ")");
}

static void
print_join(wri_printer *o, const wr_ast_join *n)
{
    static const char *const words[] = {",",          "CROSS JOIN ", "INNER JOIN ",
                                        "LEFT JOIN ", "RIGHT JOIN ", "FULL JOIN "};
    wri_print_table(o, n->left);
    if (n->type == WR_SQL_JOIN_COMMA) {
        wri_put(o, ",");
        wri_newline(o);
        print_right(o, n->right);
        return;
    }
    wri_newline(o);
    if (n->natural) wri_put(o, "NATURAL ");
    wri_put(o, words[n->type]);
    print_right(o, n->right);
    if (n->on) {
        wri_put(o, " ON ");
        wri_print_expr(o, n->on, 0);
    } else if (n->has_using) {
        wri_put(o, " USING (");
        wri_put_parts(o, &n->using_columns);
        wri_put(o, ")");
    }
}

/* `a`, or (`a`, `b`) */
static void
put_axes(wri_printer *o, const wr_ast_parts *parts)
{
    if (parts->count > 1) wri_put(o, "(");
    wri_put_parts(o, parts);
    if (parts->count > 1) wri_put(o, ")");
}

/* (1, 2), where an expression would print ROW(1, 2) */
static void
put_tuple(wri_printer *o, const wr_ast *node, bool always)
{
    const wr_ast_constructor *row = (const wr_ast_constructor *)node;
    if (node->kind != WR_AST_CONSTRUCTOR || row->what != WR_SQL_CONSTRUCT_ROW ||
        (!always && row->items.count == 1)) {
        if (node->kind == WR_AST_CONSTRUCTOR)
            wri_put_list(o, &row->items, ", ");
        else
            wri_print_expr(o, node, 0);
        return;
    }
    wri_put(o, "(");
    wri_put_list(o, &row->items, ", ");
    wri_put(o, ")");
}

static void
print_pivot(wri_printer *o, const wr_ast_pivot *n)
{
    wri_print_table(o, n->input);
    wri_put(o, " PIVOT (");
    wri_put_list(o, &n->aggs, ", ");
    wri_put(o, " FOR ");
    put_axes(o, &n->axes);
    wri_put(o, " IN (");
    for (uint32_t i = 0; i < n->values.count; i++) {
        const wr_ast *value = n->values.items[i];
        const wr_ast_alias *alias =
            value->kind == WR_AST_ALIAS ? (const wr_ast_alias *)value : NULL;
        if (i > 0) wri_put(o, ", ");
        const wr_ast *expr = alias ? alias->expr : value;
        if (expr->kind == WR_AST_CONSTRUCTOR && ((const wr_ast_constructor *)expr)->implicit)
            put_tuple(o, expr, true);
        else
            wri_print_expr(o, expr, 0);
        if (!alias) continue;
        wri_put(o, " AS ");
        wri_put_name(o, alias->name.name);
    }
    wri_put(o, "))");
    put_as(o, &n->as);
}

static void
print_unpivot(wri_printer *o, const wr_ast_unpivot *n)
{
    wri_print_table(o, n->input);
    wri_put(o, n->include_nulls ? " UNPIVOT INCLUDE NULLS (" : " UNPIVOT EXCLUDE NULLS (");
    put_axes(o, &n->measures);
    wri_put(o, " FOR ");
    put_axes(o, &n->axes);
    wri_put(o, " IN (");
    for (uint32_t i = 0; i < n->columns.count; i++) {
        if (i > 0) wri_put(o, ", ");
        put_tuple(o, n->columns.items[i], false);
        if (!n->values.items[i]) continue;
        wri_put(o, " AS ");
        put_tuple(o, n->values.items[i], true);
    }
    wri_put(o, "))");
    put_as(o, &n->as);
}

/* ---- MATCH_RECOGNIZE ------------------------------------------------------------------------- */
static void
put_repeat(wri_printer *o, const wr_ast_pattern *n)
{
    if (n->min == 0 && n->max == -1)
        wri_put(o, " *");
    else if (n->min == 1 && n->max == -1)
        wri_put(o, " +");
    else if (n->min == 0 && n->max == 1)
        wri_put(o, " ?");
    else if (n->max == -1)
        wr_text_printf(o->text, " { %lld, }", (long long)n->min);
    else if (n->min == n->max)
        wr_text_printf(o->text, " { %lld }", (long long)n->min);
    else if (n->min == 0)
        wr_text_printf(o->text, " { , %lld }", (long long)n->max);
    else
        wr_text_printf(o->text, " { %lld, %lld }", (long long)n->min, (long long)n->max);
    if (n->reluctant) wri_put(o, " ?");
}

static void
print_pattern(wri_printer *o, const wr_ast_pattern *n)
{
    static const char *const open[] = {"", "", "", "(", "", "{- ", "PERMUTE ("};
    static const char *const between[] = {"", " ", " | ", "", "", "", ", "};
    static const char *const close[] = {"", "", "", ")", "", " -}", ")"};
    wri_put(o, open[n->what]);
    if (n->what == WR_SQL_PATTERN_VAR) wri_put_name(o, n->name.name);
    for (uint32_t i = 0; i < n->items.count; i++) {
        if (i > 0) wri_put(o, between[n->what]);
        print_pattern(o, WR_AST_AS(wr_ast_pattern, WR_AST_PATTERN, n->items.items[i]));
    }
    if (n->what == WR_SQL_PATTERN_REPEAT) put_repeat(o, n);
    wri_put(o, close[n->what]);
}

static void
put_after(wri_printer *o, const wr_ast_match *n)
{
    static const char *const words[] = {"", "TO NEXT ROW", "PAST LAST ROW", "TO FIRST ",
                                        "TO LAST "};
    if (n->after == WR_SQL_AFTER_NONE) return;
    wri_newline(o);
    wri_put(o, "AFTER MATCH SKIP ");
    wri_put(o, words[n->after]);
    if (n->after_var.name.ptr) wri_put_name(o, n->after_var.name);
}

static void
put_clause(wri_printer *o, const char *words, const wr_ast_list *list)
{
    if (list->count == 0) return;
    wri_newline(o);
    wri_put(o, words);
    wri_put_list(o, list, ", ");
}

static void
put_subsets(wri_printer *o, const wr_ast_list *subsets)
{
    for (uint32_t i = 0; i < subsets->count; i++) {
        const wr_ast_named_arg *s =
            WR_AST_AS(wr_ast_named_arg, WR_AST_NAMED_ARG, subsets->items[i]);
        if (i == 0) wri_newline(o);
        wri_put(o, i == 0 ? "SUBSET " : ", ");
        wri_put_name(o, s->name.name);
        wri_put(o, " = ");
        put_tuple(o, s->value, true);
    }
}

static void
put_define(wri_printer *o, const wr_ast_list *define)
{
    for (uint32_t i = 0; i < define->count; i++) {
        const wr_ast_alias *d = WR_AST_AS(wr_ast_alias, WR_AST_ALIAS, define->items[i]);
        wri_put(o, i == 0 ? "DEFINE " : ", ");
        wri_put_name(o, d->name.name);
        wri_put(o, " AS ");
        wri_print_expr(o, d->expr, 0);
    }
}

static void
print_match(wri_printer *o, const wr_ast_match *n)
{
    wri_print_table(o, n->input);
    wri_put(o, " MATCH_RECOGNIZE(");
    put_clause(o, "PARTITION BY ", &n->partition_by);
    put_clause(o, "ORDER BY ", &n->order_by);
    put_clause(o, "MEASURES ", &n->measures);
    if (n->rows != WR_SQL_ROWS_NONE) {
        wri_newline(o);
        wri_put(o, n->rows == WR_SQL_ROWS_ONE ? "ONE ROW PER MATCH" : "ALL ROWS PER MATCH");
    }
    put_after(o, n);
    wri_newline(o);
    wri_put(o, n->strict_start ? "PATTERN (^ " : "PATTERN (");
    print_pattern(o, n->pattern);
    wri_put(o, n->strict_end ? " $)" : ")");
    if (n->within) {
        wri_put(o, " WITHIN ");
        wri_print_expr(o, n->within, 0);
    }
    put_subsets(o, &n->subsets);
    wri_newline(o);
    put_define(o, &n->define);
    wri_put(o, ")");
    put_as(o, &n->as);
}

static void
print_unnest(wri_printer *o, const wr_ast_unnest *n)
{
    wri_put(o, "UNNEST(");
    wri_put_list(o, &n->args, ", ");
    wri_put(o, n->with_ordinality ? ") WITH ORDINALITY" : ")");
    put_as(o, &n->as);
    put_sample(o, &n->sample);
}

void
wri_print_table(wri_printer *o, const wr_ast *table)
{
    switch ((unsigned)table->kind) {
    case WR_AST_TABLE_REF:
        print_table_ref(o, (const wr_ast_table_ref *)table);
        break;
    case WR_AST_DERIVED: {
        const wr_ast_derived *n = (const wr_ast_derived *)table;
        if (n->lateral) wri_put(o, "LATERAL ");
        wri_print_query_paren(o, n->query);
        put_as(o, &n->as);
        put_sample(o, &n->sample);
        break;
    }
    case WR_AST_TABLE_FUNC: {
        const wr_ast_table_func *n = (const wr_ast_table_func *)table;
        wri_put(o, n->lateral ? "LATERAL TABLE(" : "TABLE(");
        wri_print_expr(o, n->call, 0);
        wri_put(o, ")");
        put_as(o, &n->as);
        put_sample(o, &n->sample);
        break;
    }
    case WR_AST_UNNEST:
        print_unnest(o, (const wr_ast_unnest *)table);
        break;
    case WR_AST_JOIN:
        print_join(o, (const wr_ast_join *)table);
        break;
    case WR_AST_PIVOT:
        print_pivot(o, (const wr_ast_pivot *)table);
        break;
    case WR_AST_UNPIVOT:
        print_unpivot(o, (const wr_ast_unpivot *)table);
        break;
    case WR_AST_MATCH:
        print_match(o, (const wr_ast_match *)table);
        break;
    default:
        WR_UNREACHABLE();
    }
}

/* ---- queries --------------------------------------------------------------------------------- */
static void
put_group_by(wri_printer *o, const wr_ast_select *n)
{
    if (!n->has_group_by) return;
    wri_newline(o);
    wri_put(o, n->group_quantifier == WR_SQL_QUANT_DISTINCT ? "GROUP BY DISTINCT " : "GROUP BY ");
    wri_put_list(o, &n->group_by, ", ");
}

static void
put_windows(wri_printer *o, const wr_ast_list *windows)
{
    for (uint32_t i = 0; i < windows->count; i++) {
        const wr_ast_window *w = WR_AST_AS(wr_ast_window, WR_AST_WINDOW, windows->items[i]);
        if (i > 0) wri_put(o, ",");
        wri_newline(o);
        if (i == 0) wri_put(o, "WINDOW ");
        wri_put_name(o, w->name.name);
        wri_put(o, " AS ");
        wri_print_window(o, w);
    }
}

static void
put_condition(wri_printer *o, const char *word, const wr_ast *condition)
{
    if (!condition) return;
    wri_newline(o);
    wri_put(o, word);
    wri_print_expr(o, condition, 0);
}

static void
print_select(wri_printer *o, const wr_ast_select *n)
{
    wri_put(o, "SELECT");
    if (n->hints.count > 0) {
        wri_newline(o);
        wri_print_hints(o, &n->hints);
        wri_newline(o);
    } else {
        wri_put(o, " ");
    }
    if (n->stream) wri_put(o, "STREAM ");
    if (n->quantifier != WR_SQL_QUANT_NONE)
        wri_put(o, n->quantifier == WR_SQL_QUANT_ALL ? "ALL " : "DISTINCT ");
    wri_put_list(o, &n->items, ", ");
    if (!n->from) return;
    wri_newline(o);
    wri_put(o, "FROM ");
    wri_print_table(o, n->from);
    put_condition(o, "WHERE ", n->where);
    put_group_by(o, n);
    put_condition(o, "HAVING ", n->having);
    put_windows(o, &n->windows);
    put_condition(o, "QUALIFY ", n->qualify);
}

static uint32_t
setop_power(const wr_ast *query)
{
    if (query->kind == WR_AST_SELECT) return 3;
    if (query->kind != WR_AST_SETOP)
        return 0; /* VALUES, TABLE and whatever has ORDER BY or WITH: in parentheses */
    return ((const wr_ast_setop *)query)->op == WR_SQL_SETOP_INTERSECT ? 2 : 1;
}

static void
print_setop_side(wri_printer *o, const wr_ast *query, uint32_t power)
{
    if (setop_power(query) < power)
        wri_print_query_paren(o, query);
    else
        wri_print_query(o, query);
}

static void
print_setop(wri_printer *o, const wr_ast_setop *n)
{
    static const char *const words[] = {"UNION", "INTERSECT", "EXCEPT"};
    uint32_t power = setop_power(&n->base);
    print_setop_side(o, n->left, power);
    wri_newline(o);
    wri_put(o, words[n->op]);
    if (n->all) wri_put(o, " ALL");
    wri_newline(o);
    print_setop_side(o, n->right, power + 1);
}

static void
put_with(wri_printer *o, const wr_ast_query *n)
{
    wri_put(o, n->recursive ? "WITH RECURSIVE " : "WITH ");
    for (uint32_t i = 0; i < n->with.count; i++) {
        const wr_ast_cte *cte = WR_AST_AS(wr_ast_cte, WR_AST_CTE, n->with.items[i]);
        if (i > 0) wri_put(o, ", ");
        wri_put_name(o, cte->name.name);
        if (cte->columns.count > 0) {
            wri_put(o, " (");
            wri_put_parts(o, &cte->columns);
            wri_put(o, ")");
        }
        wri_put(o, " AS ");
        wri_print_query_paren(o, cte->query);
    }
    wri_put(o, " ");
}

static void
print_ordered(wri_printer *o, const wr_ast_query *n)
{
    bool with = n->with.count > 0;
    if (with) put_with(o, n);
    bool paren =
        n->body->kind == WR_AST_QUERY ||
        (with && (n->body->kind == WR_AST_VALUES || n->body->kind == WR_AST_EXPLICIT_TABLE));
    if (paren)
        wri_print_query_paren(o, n->body);
    else
        wri_print_query(o, n->body);
    if (n->order_by.count > 0) {
        wri_newline(o);
        wri_put(o, "ORDER BY ");
        wri_print_order_by(o, &n->order_by);
    }
    if (n->offset) {
        wri_newline(o);
        wri_put(o, "OFFSET ");
        wri_print_expr(o, n->offset, 0);
        wri_put(o, " ROWS");
    }
    if (n->fetch) {
        wri_newline(o);
        wri_put(o, "FETCH NEXT ");
        wri_print_expr(o, n->fetch, 0);
        wri_put(o, " ROWS ONLY");
    }
}

void
wri_print_query(wri_printer *o, const wr_ast *query)
{
    switch ((unsigned)query->kind) {
    case WR_AST_SELECT:
        print_select(o, (const wr_ast_select *)query);
        break;
    case WR_AST_SETOP:
        print_setop(o, (const wr_ast_setop *)query);
        break;
    case WR_AST_QUERY:
        print_ordered(o, (const wr_ast_query *)query);
        break;
    case WR_AST_EXPLICIT_TABLE:
        wri_put(o, "TABLE ");
        wri_print_expr(o, &((const wr_ast_explicit_table *)query)->name->base, 0);
        break;
    case WR_AST_VALUES: {
        const wr_ast_list *rows = &((const wr_ast_values *)query)->rows;
        wri_put(o, "VALUES ");
        for (uint32_t i = 0; i < rows->count; i++) {
            if (i > 0) {
                wri_put(o, ",");
                wri_newline(o);
            }
            wri_print_expr(o, rows->items[i], 0);
        }
        break;
    }
    default:
        WR_UNREACHABLE();
    }
}

void
wri_print_query_paren(wri_printer *o, const wr_ast *query)
{
    wri_put(o, "(");
    wri_print_query(o, query);
    wri_put(o, ")");
}
