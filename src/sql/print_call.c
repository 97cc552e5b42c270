/* SPDX-License-Identifier: Apache-2.0 */
/* Calls and what stands in their argument lists; JSON clauses; windows; hints. */
#include "sql/print_int.h"

/* ---- names ----------------------------------------------------------------------------------- */
static bool
prints_bare(wr_str upper)
{
    static const char *const names[] = {
#define X(name) #name,
#include "sql/bare_functions.def"
    };
    uint32_t low = 0, high = WR_COUNT(names);
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        int d = wr_str_cmp(upper, wr_str_c(names[mid]));
        if (d == 0) return true;
        if (d < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return false;
}

#define NAME_MAX_BYTES 64 /* longer names are no built-in functions */

static bool
has_words(const wr_ast_list *args)
{
    for (uint32_t i = 0; i < args->count; i++)
        if (args->items[i]->kind == WR_AST_SYMBOL || args->items[i]->kind == WR_AST_TYPE)
            return true;
    return false;
}

/* A simple unquoted name in upper case, bare if it is one of Flink's older functions; others as
 * written. */
static void
put_function(wri_printer *o, const wr_ast_call *n)
{
    const wr_ast_part *last = &n->name->parts[n->name->part_count - 1];
    if (n->name->part_count > 1 || last->quoted || last->name.len > NAME_MAX_BYTES) {
        wri_print_expr(o, &n->name->base, 0);
        return;
    }
    char upper[NAME_MAX_BYTES];
    for (size_t i = 0; i < last->name.len; i++) {
        char c = last->name.ptr[i];
        upper[i] = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    }
    wr_str name = {upper, last->name.len};
    bool word = n->syntax != WR_SQL_CALL_PLAIN && n->syntax != WR_SQL_CALL_NEW &&
                n->syntax != WR_SQL_CALL_SPECIFIC;
    if (word || prints_bare(name) || has_words(&n->args))
        wri_put_str(o, name);
    else
        wri_put_name(o, name);
}

/* ---- arguments ------------------------------------------------------------------------------- */
static void
print_table_arg(wri_printer *o, const wr_ast_table_arg *n)
{
    if (n->table->kind == WR_AST_EXPLICIT_TABLE)
        wri_print_query(o, n->table);
    else
        wri_print_query_paren(o, n->table);
    if (n->partition_by.count > 0) {
        bool paren = n->partition_by.count > 1 || n->partition_by.items[0]->kind != WR_AST_IDENT ||
                     ((const wr_ast_ident *)n->partition_by.items[0])->part_count > 1;
        wri_put(o, paren ? " PARTITION BY (" : " PARTITION BY ");
        wri_put_list(o, &n->partition_by, ", ");
        if (paren) wri_put(o, ")");
    }
    if (n->order_by.count > 0) {
        const wr_ast_order_item *first =
            WR_AST_AS(wr_ast_order_item, WR_AST_ORDER_ITEM, n->order_by.items[0]);
        bool paren = n->order_by.count > 1 || first->expr->kind != WR_AST_IDENT ||
                     ((const wr_ast_ident *)first->expr)->part_count > 1;
        wri_put(o, paren ? " ORDER BY (" : " ORDER BY ");
        wri_print_order_by(o, &n->order_by);
        if (paren) wri_put(o, ")");
    }
}

static void
print_named_arg(wri_printer *o, const wr_ast_named_arg *n)
{
    wri_put_name(o, n->name.name);
    wri_put(o, " => ");
    wri_print_expr(o, n->value, 0);
}

/* ---- JSON ------------------------------------------------------------------------------------ */
static void
put_formatted(wri_printer *o, const wr_ast_call *n, uint32_t i)
{
    wri_print_expr(o, n->args.items[i], 0);
    if (i < 64 && (n->json->formatted >> i & 1)) wri_put(o, " FORMAT JSON");
}

static void
put_behaviour(wri_printer *o, wr_sql_json_behaviour what, const wr_ast *value, const char *on)
{
    static const char *const words[] = {"",      "NULL",    "ERROR",       "DEFAULT ",    "TRUE",
                                        "FALSE", "UNKNOWN", "EMPTY ARRAY", "EMPTY OBJECT"};
    if (what == WR_SQL_JSON_NONE) return;
    wri_put(o, " ");
    wri_put(o, words[what]);
    if (value) wri_print_expr(o, value, 0);
    wri_put(o, on);
}

static void
put_nulls(wri_printer *o, const wr_ast_call *n)
{
    if (n->json->nulls == WR_SQL_JSON_NULLS_NONE) return;
    if (n->args.count > 0) wri_put(o, " ");
    wri_put(o, n->json->nulls == WR_SQL_JSON_NULL_ON_NULL ? "NULL ON NULL" : "ABSENT ON NULL");
}

static bool
has_pairs(const wr_ast_call *n)
{
    wr_str name = n->name->parts[0].name;
    return wr_str_eq_nocase(name, WR_STR("JSON_OBJECT")) ||
           wr_str_eq_nocase(name, WR_STR("JSON_OBJECTAGG"));
}

static void
print_json_args(wri_printer *o, const wr_ast_call *n)
{
    static const char *const wrappers[] = {"", " WITHOUT ARRAY WRAPPER",
                                           " WITH CONDITIONAL ARRAY WRAPPER",
                                           " WITH UNCONDITIONAL ARRAY WRAPPER"};
    bool pairs = has_pairs(n);
    for (uint32_t i = 0; i < n->args.count; i++) {
        if (pairs && i % 2 == 0) {
            wri_put(o, i > 0 ? ", KEY " : "KEY ");
        } else if (i > 0) {
            wri_put(o, pairs ? " VALUE " : ", ");
        }
        put_formatted(o, n, i);
    }
    if (n->json->returning) {
        wri_put(o, " RETURNING ");
        wri_print_type(o, n->json->returning);
    }
    wri_put(o, wrappers[n->json->wrapper]);
    put_behaviour(o, n->json->on_empty, n->json->empty_value, " ON EMPTY");
    put_behaviour(o, n->json->on_error, n->json->error_value, " ON ERROR");
    put_nulls(o, n);
}

/* ---- calls ----------------------------------------------------------------------------------- */
/* Between the arguments, instead of ", " */
static const char *
separator(const wr_ast_call *n, uint32_t i)
{
    switch (n->syntax) {
    case WR_SQL_CALL_EXTRACT:
        return " FROM ";
    case WR_SQL_CALL_ROUND_TO:
        return " TO ";
    case WR_SQL_CALL_TRIM:
        return i == 1 ? " " : " FROM ";
    case WR_SQL_CALL_POSITION:
        return i == 1 ? " IN " : " FROM ";
    case WR_SQL_CALL_OVERLAY:
        return i == 1 ? " PLACING " : i == 2 ? " FROM " : " FOR ";
    case WR_SQL_CALL_USING:
        return " USING ";
    case WR_SQL_CALL_PLAIN:
    case WR_SQL_CALL_BARE:
    case WR_SQL_CALL_JSON:
    case WR_SQL_CALL_NEW:
    case WR_SQL_CALL_SPECIFIC:
        break;
    }
    return ", ";
}

static void
print_args(wri_printer *o, const wr_ast_call *n)
{
    if (n->quantifier != WR_SQL_QUANT_NONE)
        wri_put(o, n->quantifier == WR_SQL_QUANT_ALL ? "ALL " : "DISTINCT ");
    for (uint32_t i = 0; i < n->args.count; i++) {
        if (i > 0) wri_put(o, separator(n, i));
        bool tight =
            i == 0 && (n->syntax == WR_SQL_CALL_POSITION || n->syntax == WR_SQL_CALL_ROUND_TO);
        wri_print_expr(o, n->args.items[i], tight ? 100 : 0);
    }
    if (n->order_by.count > 0) {
        wri_put(o, " ORDER BY ");
        wri_print_order_by(o, &n->order_by);
    }
}

static void
print_suffix(wri_printer *o, const wr_ast_call *n)
{
    if (n->nulls != WR_SQL_TREAT_NONE)
        wri_put(o, n->nulls == WR_SQL_TREAT_IGNORE ? " IGNORE NULLS" : " RESPECT NULLS");
    if (n->within_distinct.count > 0) {
        wri_put(o, " WITHIN DISTINCT (");
        wri_put_list(o, &n->within_distinct, ", ");
        wri_put(o, ")");
    }
    if (n->within_group.count > 0) {
        wri_put(o, " WITHIN GROUP (ORDER BY ");
        wri_print_order_by(o, &n->within_group);
        wri_put(o, ")");
    }
    if (n->filter) {
        wri_put(o, " FILTER (WHERE ");
        wri_print_expr(o, n->filter, 0);
        wri_put(o, ")");
    }
    if (n->over) {
        wri_put(o, " OVER ");
        wri_print_window(o, n->over);
    } else if (n->over_name.name.ptr) {
        wri_put(o, " OVER ");
        wri_put_name(o, n->over_name.name);
    }
}

static void
print_call(wri_printer *o, const wr_ast_call *n)
{
    if (n->syntax == WR_SQL_CALL_NEW) wri_put(o, "NEW ");
    if (n->syntax == WR_SQL_CALL_SPECIFIC) wri_put(o, "SPECIFIC ");
    put_function(o, n);
    if (n->syntax == WR_SQL_CALL_BARE) return;
    wri_put(o, "(");
    if (n->json)
        print_json_args(o, n);
    else
        print_args(o, n);
    wri_put(o, ")");
    print_suffix(o, n);
}

static void
print_grouping(wri_printer *o, const wr_ast_grouping *n)
{
    static const char *const words[] = {"GROUPING SETS(", "ROLLUP(", "CUBE("};
    wri_put(o, words[n->what]);
    for (uint32_t i = 0; i < n->items.count; i++) {
        const wr_ast *item = n->items.items[i];
        if (i > 0) wri_put(o, ", ");
        const wr_ast_constructor *row = (const wr_ast_constructor *)item;
        if (item->kind == WR_AST_CONSTRUCTOR && row->what == WR_SQL_CONSTRUCT_ROW &&
            row->items.count > 1) {
            wri_put(o, "(");
            wri_put_list(o, &row->items, ", ");
            wri_put(o, ")");
        } else {
            wri_print_node(o, item);
        }
    }
    wri_put(o, ")");
}

static void
print_order_item(wri_printer *o, const wr_ast_order_item *n)
{
    wri_print_expr(o, n->expr, 0);
    if (n->direction == WR_SQL_DIR_DESC) wri_put(o, " DESC");
    if (n->nulls != WR_SQL_NULLS_NONE)
        wri_put(o, n->nulls == WR_SQL_NULLS_FIRST ? " NULLS FIRST" : " NULLS LAST");
}

void
wri_print_order_by(wri_printer *o, const wr_ast_list *items)
{
    wri_put_list(o, items, ", ");
}

static void
print_hint(wri_printer *o, const wr_ast_hint *n)
{
    wri_put_name(o, n->name.name);
    if (n->args.count == 0) return;
    wri_put(o, "(");
    wri_put_list(o, &n->args, ", ");
    wri_put(o, ")");
}

void
wri_print_hints(wri_printer *o, const wr_ast_list *hints)
{
    wri_put(o, "/*+ ");
    wri_put_list(o, hints, ", ");
    wri_put(o, " */");
}

static void
print_option(wri_printer *o, const wr_ast_option *n)
{
    if (n->key_is_ident)
        wri_put_name(o, n->key);
    else
        wri_put_quoted(o, n->key);
    wri_put(o, " = ");
    wri_put_quoted(o, n->value);
}

/* The nodes of calls, lists and clauses that are no operators. */
void
wri_print_call(wri_printer *o, const wr_ast *node)
{
    switch ((unsigned)node->kind) {
    case WR_AST_CALL:
        print_call(o, (const wr_ast_call *)node);
        break;
    case WR_AST_NAMED_ARG:
        print_named_arg(o, (const wr_ast_named_arg *)node);
        break;
    case WR_AST_TABLE_ARG:
        print_table_arg(o, (const wr_ast_table_arg *)node);
        break;
    case WR_AST_MODEL_ARG:
        wri_put(o, "MODEL ");
        wri_print_expr(o, &((const wr_ast_model_arg *)node)->name->base, 0);
        break;
    case WR_AST_DESCRIPTOR:
        wri_put(o, "DESCRIPTOR(");
        wri_put_list(o, &((const wr_ast_descriptor *)node)->columns, ", ");
        wri_put(o, ")");
        break;
    case WR_AST_GROUPING:
        print_grouping(o, (const wr_ast_grouping *)node);
        break;
    case WR_AST_ORDER_ITEM:
        print_order_item(o, (const wr_ast_order_item *)node);
        break;
    case WR_AST_HINT:
        print_hint(o, (const wr_ast_hint *)node);
        break;
    case WR_AST_OPTION:
        print_option(o, (const wr_ast_option *)node);
        break;
    default:
        WR_UNREACHABLE();
    }
}

/* ---- windows --------------------------------------------------------------------------------- */
static void
put_bound(wri_printer *o, wr_sql_bound what, const wr_ast *expr)
{
    static const char *const words[] = {"",           "UNBOUNDED PRECEDING",
                                        " PRECEDING", "CURRENT ROW",
                                        " FOLLOWING", "UNBOUNDED FOLLOWING"};
    if (expr) wri_print_expr(o, expr, 0);
    wri_put(o, words[what]);
}

void
wri_print_window(wri_printer *o, const wr_ast_window *n)
{
    const char *gap = "";
    wri_put(o, "(");
    if (n->ref.name.ptr) {
        wri_put_name(o, n->ref.name);
        gap = " ";
    }
    if (n->partition_by.count > 0) {
        wri_put(o, gap);
        wri_put(o, "PARTITION BY ");
        wri_put_list(o, &n->partition_by, ", ");
        gap = " ";
    }
    if (n->order_by.count > 0) {
        wri_put(o, gap);
        wri_put(o, "ORDER BY ");
        wri_print_order_by(o, &n->order_by);
        gap = " ";
    }
    if (n->frame != WR_SQL_FRAME_NONE) {
        wri_put(o, gap);
        wri_put(o, n->frame == WR_SQL_FRAME_ROWS ? "ROWS " : "RANGE ");
        if (n->end != WR_SQL_BOUND_NONE) wri_put(o, "BETWEEN ");
        put_bound(o, n->start, n->start_expr);
        if (n->end != WR_SQL_BOUND_NONE) {
            wri_put(o, " AND ");
            put_bound(o, n->end, n->end_expr);
        }
        gap = " ";
    }
    if (n->disallow_partial) {
        wri_put(o, gap);
        wri_put(o, "DISALLOW PARTIAL");
    }
    wri_put(o, ")");
}
