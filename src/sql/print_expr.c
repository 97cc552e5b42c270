/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions as Calcite writes them: every name in back-ticks, parentheses only where precedence
 * needs them. The powers are those of parse_expr.c; a few forms bind weaker in print than in
 * parsing (OVER, FILTER), as in Calcite. */
#include "sql/print_int.h"

#define POWER_LOOSE   20u /* OVER, FILTER, INTERVAL x DAY: in parentheses below any operator */
#define POWER_NOT     26u
#define POWER_IS      28u
#define POWER_COMPARE 30u
#define POWER_BETWEEN 32u
#define POWER_SIGN    80u
#define POWER_MAX     100u

static const uint8_t powers[] = {
#define X(name, sql, power) power,
    WR_SQL_BINOP_MAP(X)
#undef X
};

static uint32_t
power_of(const wr_ast *node)
{
    switch ((unsigned)node->kind) {
    case WR_AST_BINARY:
        return powers[((const wr_ast_binary *)node)->op];
    case WR_AST_UNARY: {
        wr_sql_unop op = ((const wr_ast_unary *)node)->op;
        return op == WR_SQL_UNOP_NOT                               ? POWER_NOT
               : op == WR_SQL_UNOP_MINUS || op == WR_SQL_UNOP_PLUS ? POWER_SIGN
                                                                   : POWER_MAX;
    }
    case WR_AST_IS:
        return POWER_IS;
    case WR_AST_QUANTIFIED:
        return POWER_COMPARE;
    case WR_AST_BETWEEN:
    case WR_AST_LIKE:
    case WR_AST_IN:
        return POWER_BETWEEN;
    case WR_AST_INTERVAL_EXPR:
        return POWER_LOOSE;
    case WR_AST_CALL: {
        const wr_ast_call *call = (const wr_ast_call *)node;
        bool loose = call->filter || call->over || call->over_name.name.ptr ||
                     call->nulls != WR_SQL_TREAT_NONE;
        return loose ? POWER_LOOSE : POWER_MAX;
    }
    default:
        return POWER_MAX;
    }
}

/* ---- literals -------------------------------------------------------------------------------- */
static void
put_typed(wri_printer *o, const char *type, const wr_ast_literal *n)
{
    wri_put(o, type);
    wri_put_quoted(o, n->text);
}

static void
put_string(wri_printer *o, const wr_ast_literal *n)
{
    if (n->charset.len == 0) {
        wr_sql_string_print(n->text, o->text);
        return;
    }
    wri_put(o, "_");
    wri_put_str(o, n->charset);
    wri_put_quoted(o, n->text);
}

static void
print_literal(wri_printer *o, const wr_ast_literal *n)
{
    switch (n->lit) {
    case WR_SQL_LIT_NULL:
        wri_put(o, "NULL");
        break;
    case WR_SQL_LIT_TRUE:
        wri_put(o, "TRUE");
        break;
    case WR_SQL_LIT_FALSE:
        wri_put(o, "FALSE");
        break;
    case WR_SQL_LIT_UNKNOWN:
        wri_put(o, "UNKNOWN");
        break;
    case WR_SQL_LIT_DEFAULT:
        wri_put(o, "DEFAULT");
        break;
    case WR_SQL_LIT_INTEGER:
    case WR_SQL_LIT_DECIMAL:
    case WR_SQL_LIT_DOUBLE:
        wri_put_str(o, n->text);
        break;
    case WR_SQL_LIT_STRING:
        put_string(o, n);
        break;
    case WR_SQL_LIT_BINARY:
        wri_put(o, "X'");
        for (size_t i = 0; i < n->text.len; i++)
            wr_text_printf(o->text, "%02X", (unsigned char)n->text.ptr[i]);
        wri_put(o, "'");
        break;
    case WR_SQL_LIT_DATE:
        put_typed(o, "DATE ", n);
        break;
    case WR_SQL_LIT_TIME:
        put_typed(o, "TIME ", n);
        break;
    case WR_SQL_LIT_TIMESTAMP:
        put_typed(o, "TIMESTAMP ", n);
        break;
    case WR_SQL_LIT_TIMESTAMP_LTZ:
        put_typed(o, "TIMESTAMP WITH LOCAL TIME ZONE ", n);
        break;
    case WR_SQL_LIT_DATETIME:
        put_typed(o, "DATETIME ", n);
        break;
    case WR_SQL_LIT_INTERVAL:
        put_typed(o, n->negative ? "INTERVAL -" : "INTERVAL ", n);
        wri_put(o, " ");
        wri_put_interval(o, &n->qual);
        break;
    }
}

static void
print_ident(wri_printer *o, const wr_ast_ident *n)
{
    for (uint32_t i = 0; i < n->part_count; i++) {
        if (i > 0) wri_put(o, ".");
        wri_put_name(o, n->parts[i].name);
    }
    if (n->star) wri_put(o, n->part_count > 0 ? ".*" : "*");
}

/* ---- operators ------------------------------------------------------------------------------- */
static bool
is_same_op(const wr_ast *node, wr_sql_binop op)
{
    return node->kind == WR_AST_BINARY && ((const wr_ast_binary *)node)->op == op;
}

/* A long AND or OR chain that is an operand of the same operator, so in parentheses in the text. */
static bool
is_chain_root(const wr_ast *node, wr_sql_binop op)
{
    if (!is_same_op(node, op)) return false;
    const wr_ast_binary *n = (const wr_ast_binary *)node;
    return !n->chained && is_same_op(n->right, op) && ((const wr_ast_binary *)n->right)->chained;
}

static bool
is_chain_part(const wr_ast *node, wr_sql_binop op)
{
    return is_same_op(node, op) && ((const wr_ast_binary *)node)->chained;
}

/* OVERLAPS and its like show pairs as periods */
static void
print_operand(wri_printer *o, const wr_ast *node, wr_sql_binop op, uint32_t power)
{
    bool period = op >= WR_SQL_BINOP_OVERLAPS && op <= WR_SQL_BINOP_EQUALS &&
                  node->kind == WR_AST_CONSTRUCTOR &&
                  ((const wr_ast_constructor *)node)->what == WR_SQL_CONSTRUCT_ROW &&
                  ((const wr_ast_constructor *)node)->items.count == 2;
    if (!period) {
        wri_print_expr(o, node, power);
        return;
    }
    wri_put(o, "PERIOD (");
    wri_put_list(o, &((const wr_ast_constructor *)node)->items, ", ");
    wri_put(o, ")");
}

static void
print_binary(wri_printer *o, const wr_ast_binary *n)
{
    uint32_t power = powers[n->op];
    print_operand(o, n->left, n->op, is_chain_root(n->left, n->op) ? power + 1 : power);
    wri_put(o, " ");
    wri_put(o, wr_sql_binop_text(n->op));
    wri_put(o, " ");
    print_operand(o, n->right, n->op, is_chain_part(n->right, n->op) ? power : power + 1);
}

static bool
is_number(const wr_ast *node)
{
    if (node->kind != WR_AST_LITERAL) return false;
    wr_sql_lit lit = ((const wr_ast_literal *)node)->lit;
    return lit == WR_SQL_LIT_INTEGER || lit == WR_SQL_LIT_DECIMAL || lit == WR_SQL_LIT_DOUBLE;
}

static void
print_unary(wri_printer *o, const wr_ast_unary *n)
{
    switch (n->op) {
    case WR_SQL_UNOP_NOT:
        wri_put(o, "NOT ");
        wri_print_expr(o, n->arg, POWER_NOT + 1);
        break;
    case WR_SQL_UNOP_MINUS:
    case WR_SQL_UNOP_PLUS:
        wri_put(o, n->op == WR_SQL_UNOP_PLUS ? "+ " : is_number(n->arg) ? "-" : "- ");
        wri_print_expr(o, n->arg, POWER_SIGN + 1);
        break;
    case WR_SQL_UNOP_FINAL:
    case WR_SQL_UNOP_RUNNING:
        wri_put(o, n->op == WR_SQL_UNOP_FINAL ? "FINAL " : "RUNNING ");
        wri_print_expr(o, n->arg, 0);
        break;
    }
}

/* behind IN, SOME, ALL: (a, b) or (query) */
static void
print_query_or_list(wri_printer *o, const wr_ast *query, const wr_ast_list *list)
{
    if (query) {
        wri_print_query_paren(o, query);
        return;
    }
    wri_put(o, "(");
    wri_put_list(o, list, ", ");
    wri_put(o, ")");
}

static void
print_between(wri_printer *o, const wr_ast_between *n)
{
    wri_print_expr(o, n->arg, POWER_BETWEEN);
    wri_put(o, n->negated ? " NOT BETWEEN " : " BETWEEN ");
    wri_put(o, n->symmetric ? "SYMMETRIC " : "ASYMMETRIC ");
    wri_print_expr(o, n->low, n->low->kind == WR_AST_BETWEEN ? POWER_BETWEEN + 1 : POWER_NOT);
    wri_put(o, " AND ");
    wri_print_expr(o, n->high, POWER_BETWEEN + 1);
}

static void
print_like(wri_printer *o, const wr_ast_like *n)
{
    static const char *const words[] = {"LIKE ", "ILIKE ", "RLIKE ", "SIMILAR TO "};
    wri_print_expr(o, n->arg, POWER_BETWEEN + 1);
    wri_put(o, n->negated ? " NOT " : " ");
    wri_put(o, words[n->what]);
    wri_print_expr(o, n->pattern, POWER_BETWEEN + 1);
    if (n->escape) {
        wri_put(o, " ESCAPE ");
        wri_print_expr(o, n->escape, POWER_MAX);
    }
}

static void
print_predicate(wri_printer *o, const wr_ast *node)
{
    if (node->kind == WR_AST_IS) {
        const wr_ast_is *n = (const wr_ast_is *)node;
        wri_print_expr(o, n->arg, POWER_IS + 1);
        wri_put(o, n->negated ? " IS NOT " : " IS ");
        wri_put(o, wr_sql_is_text(n->what));
    } else if (node->kind == WR_AST_IN) {
        const wr_ast_in *n = (const wr_ast_in *)node;
        wri_print_expr(o, n->arg, POWER_BETWEEN);
        wri_put(o, n->negated ? " NOT IN " : " IN ");
        print_query_or_list(o, n->query, &n->list);
    } else if (node->kind == WR_AST_QUANTIFIED) {
        const wr_ast_quantified *n = (const wr_ast_quantified *)node;
        wri_print_expr(o, n->arg, POWER_COMPARE);
        wr_text_printf(o->text, " %s %s ", wr_sql_binop_text(n->op), n->all ? "ALL" : "SOME");
        print_query_or_list(o, n->query, &n->list);
    } else {
        const wr_ast_exists *n = WR_AST_AS(wr_ast_exists, WR_AST_EXISTS, node);
        wri_put(o, n->unique ? "UNIQUE " : "EXISTS ");
        wri_print_query_paren(o, n->query);
    }
}

/* ---- the rest -------------------------------------------------------------------------------- */
static void
print_case(wri_printer *o, const wr_ast_case *n)
{
    wri_put(o, "CASE");
    for (uint32_t i = 0; i < n->whens.count; i++) {
        const wr_ast_when *w = WR_AST_AS(wr_ast_when, WR_AST_WHEN, n->whens.items[i]);
        wri_put(o, " WHEN ");
        wri_print_expr(o, w->condition, 0);
        wri_put(o, " THEN ");
        wri_print_expr(o, w->result, 0);
    }
    wri_put(o, " ELSE ");
    wri_print_expr(o, n->otherwise, 0);
    wri_put(o, " END");
}

static void
print_cast(wri_printer *o, const wr_ast_cast *n)
{
    wri_put(o, n->is_try ? "TRY_CAST(" : n->is_safe ? "SAFE_CAST(" : "CAST(");
    wri_print_expr(o, n->arg, 0);
    wri_put(o, " AS ");
    wri_print_type(o, n->type);
    wri_put(o, ")");
}

static void
print_constructor(wri_printer *o, const wr_ast_constructor *n)
{
    static const char *const words[] = {"ROW", "ARRAY", "MAP", "MULTISET", "CURSOR"};
    bool row = n->what == WR_SQL_CONSTRUCT_ROW;
    if (!row || n->items.count > 0) wri_put(o, words[n->what]);
    if (n->query) {
        wri_print_query_paren(o, n->query);
        return;
    }
    wri_put(o, row ? "(" : "[");
    wri_put_list(o, &n->items, ", ");
    wri_put(o, row ? ")" : "]");
}

static void
print_item(wri_printer *o, const wr_ast_item *n)
{
    static const char *const modes[] = {"", "OFFSET(", "ORDINAL(", "SAFE_OFFSET(", "SAFE_ORDINAL("};
    wri_print_expr(o, n->arg, POWER_MAX);
    wri_put(o, "[");
    wri_put(o, modes[n->mode]);
    wri_print_expr(o, n->index, 0);
    wri_put(o, n->mode == WR_SQL_ITEM_PLAIN ? "]" : ")]");
}

static void
print_field(wri_printer *o, const wr_ast_field *n)
{
    bool paren = n->arg->kind == WR_AST_IDENT || n->arg->kind == WR_AST_LITERAL;
    if (paren) wri_put(o, "(");
    wri_print_expr(o, n->arg, paren ? 0 : POWER_MAX);
    wri_put(o, paren ? ")." : ".");
    wri_put_name(o, n->name.name);
}

static void
print_interval_expr(wri_printer *o, const wr_ast_interval_expr *n)
{
    bool bare = n->arg->kind == WR_AST_IDENT || is_number(n->arg);
    wri_put(o, n->negative ? "INTERVAL - " : "INTERVAL ");
    if (!bare) wri_put(o, "(");
    wri_print_expr(o, n->arg, 0);
    wri_put(o, bare ? " " : ") ");
    wri_put_interval(o, &n->qual);
}

static void
print_interval_diff(wri_printer *o, const wr_ast_interval_diff *n)
{
    wri_put(o, "(");
    wri_print_expr(o, n->left, powers[WR_SQL_BINOP_SUB]);
    wri_put(o, " - ");
    wri_print_expr(o, n->right, powers[WR_SQL_BINOP_SUB] + 1u);
    wri_put(o, ") ");
    wri_put_interval(o, &n->qual);
}

static void
print_symbol(wri_printer *o, const wr_ast_symbol *n)
{
    bool word = n->unit != WR_SQL_UNIT_NONE || wr_str_starts(n->text, WR_STR("WEEK(")) ||
                wr_str_eq_c(n->text, "BOTH") || wr_str_eq_c(n->text, "LEADING") ||
                wr_str_eq_c(n->text, "TRAILING");
    if (word)
        wri_put_str(o, n->text);
    else
        wri_put_name(o, n->text);
}

static void
print_next_value(wri_printer *o, const wr_ast_next_value *n)
{
    wri_put(o, n->current ? "CURRENT VALUE FOR " : "NEXT VALUE FOR ");
    print_ident(o, n->name);
}

static void
print_alias(wri_printer *o, const wr_ast_alias *n)
{
    wri_print_expr(o, n->expr, POWER_LOOSE);
    wri_put(o, " AS ");
    wri_put_name(o, n->name.name);
}

static void
print_unparenthesised(wri_printer *o, const wr_ast *node)
{
    switch ((unsigned)node->kind) {
    case WR_AST_LITERAL:
        print_literal(o, (const wr_ast_literal *)node);
        break;
    case WR_AST_IDENT:
        print_ident(o, (const wr_ast_ident *)node);
        break;
    case WR_AST_SYMBOL:
        print_symbol(o, (const wr_ast_symbol *)node);
        break;
    case WR_AST_PARAM:
        wri_put(o, "?");
        break;
    case WR_AST_UNARY:
        print_unary(o, (const wr_ast_unary *)node);
        break;
    case WR_AST_BINARY:
        print_binary(o, (const wr_ast_binary *)node);
        break;
    case WR_AST_BETWEEN:
        print_between(o, (const wr_ast_between *)node);
        break;
    case WR_AST_LIKE:
        print_like(o, (const wr_ast_like *)node);
        break;
    case WR_AST_IS:
    case WR_AST_IN:
    case WR_AST_QUANTIFIED:
    case WR_AST_EXISTS:
        print_predicate(o, node);
        break;
    case WR_AST_CASE:
        print_case(o, (const wr_ast_case *)node);
        break;
    case WR_AST_CAST:
        print_cast(o, (const wr_ast_cast *)node);
        break;
    case WR_AST_CONSTRUCTOR:
        print_constructor(o, (const wr_ast_constructor *)node);
        break;
    case WR_AST_ITEM:
        print_item(o, (const wr_ast_item *)node);
        break;
    case WR_AST_FIELD:
        print_field(o, (const wr_ast_field *)node);
        break;
    case WR_AST_INTERVAL_EXPR:
        print_interval_expr(o, (const wr_ast_interval_expr *)node);
        break;
    case WR_AST_INTERVAL_DIFF:
        print_interval_diff(o, (const wr_ast_interval_diff *)node);
        break;
    case WR_AST_NEXT_VALUE:
        print_next_value(o, (const wr_ast_next_value *)node);
        break;
    case WR_AST_ALIAS:
        print_alias(o, (const wr_ast_alias *)node);
        break;
    case WR_AST_TYPE:
        wri_print_type(o, (const wr_ast_type *)node);
        break;
    default:
        wri_print_call(o, node);
        break;
    }
}

void
wri_print_expr(wri_printer *o, const wr_ast *node, uint32_t power)
{
    if (wr_ast_is_query(node)) {
        wri_print_query_paren(o, node);
        return;
    }
    bool paren = power_of(node) < power;
    if (paren) wri_put(o, "(");
    print_unparenthesised(o, node);
    if (paren) wri_put(o, ")");
}
