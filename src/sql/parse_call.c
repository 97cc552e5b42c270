/* SPDX-License-Identifier: Apache-2.0 */
/* Function calls: arguments, what may follow the parentheses, and the forms with words between the
 * arguments. */
#include "sql/sql_int.h"

wr_ast_call *
wri_call_node(wri_parser *p, uint32_t start, wr_sql_call_syntax syntax)
{
    wr_ast_call *n = wri_node(p, WR_AST_CALL, start);
    n->syntax = syntax;
    return n;
}

/* ---- arguments ------------------------------------------------------------------------------- */
static wr_ast *
default_arg(wri_parser *p)
{
    wr_ast_literal *n = wri_node(p, WR_AST_LITERAL, wri_start(p));
    n->lit = WR_SQL_LIT_DEFAULT;
    n->text = n->charset = WR_STR("");
    n->qual.precision = n->qual.fraction = -1;
    wri_advance(p);
    return wri_done(p, n);
}

/* BY k, or BY (k, l): a comma without parentheses goes on with the next argument */
static bool
partition_by(wri_parser *p, wr_ast_list *out)
{
    uint32_t cap = 0;
    if (!wri_expect_kw(p, WRI_KW_BY)) return false;
    if (!wri_accept(p, WRI_T_LPAREN)) return wri_push(p, out, &cap, wri_ident_simple(p));
    return wri_expr_list(p, out) && wri_expect(p, WRI_T_RPAREN);
}

static wr_ast *
order_item(wri_parser *p, bool simple)
{
    wr_ast_order_item *n = wri_node(p, WR_AST_ORDER_ITEM, wri_start(p));
    n->expr = simple ? (wr_ast *)wri_ident_simple(p) : wri_expr(p);
    if (wri_accept_kw(p, WRI_KW_DESC))
        n->direction = WR_SQL_DIR_DESC;
    else
        (void)wri_accept_kw(p, WRI_KW_ASC);
    if (wri_accept_kw2(p, WRI_KW_NULLS, WRI_KW_FIRST))
        n->nulls = WR_SQL_NULLS_FIRST;
    else if (wri_accept_kw2(p, WRI_KW_NULLS, WRI_KW_LAST))
        n->nulls = WR_SQL_NULLS_LAST;
    return wri_done(p, n);
}

bool
wri_order_by(wri_parser *p, wr_ast_list *out)
{
    uint32_t cap = 0;
    if (!wri_expect_kw(p, WRI_KW_BY)) return false;
    do {
        if (out->count > 0 && !wri_starts_expr(p, 0))
            return wri_unexpected_pair(p, 1, false) != NULL;
        if (!wri_push(p, out, &cap, order_item(p, false))) return false;
    } while (wri_accept(p, WRI_T_COMMA));
    return true;
}

/* ORDER BY of a table argument: one name, or a list in parentheses */
static bool
argument_order_by(wri_parser *p, wr_ast_list *out)
{
    uint32_t cap = 0;
    if (!wri_expect_kw(p, WRI_KW_BY)) return false;
    if (!wri_accept(p, WRI_T_LPAREN)) return wri_push(p, out, &cap, order_item(p, true));
    do {
        if (!wri_push(p, out, &cap, order_item(p, false))) return false;
    } while (wri_accept(p, WRI_T_COMMA));
    return wri_expect(p, WRI_T_RPAREN);
}

/* TABLE t, or the query just read, with PARTITION BY and ORDER BY */
static wr_ast *
table_arg(wri_parser *p, wr_ast *query, uint32_t start)
{
    wr_ast_table_arg *n = wri_node(p, WR_AST_TABLE_ARG, start);
    n->table = query;
    if (!query) {
        wr_ast_explicit_table *t = wri_node(p, WR_AST_EXPLICIT_TABLE, start);
        wri_advance(p);
        t->name = wri_ident(p);
        n->table = wri_done(p, t);
    }
    if (wri_accept_kw(p, WRI_KW_PARTITION) && !partition_by(p, &n->partition_by)) return NULL;
    if (wri_accept_kw(p, WRI_KW_ORDER) && !argument_order_by(p, &n->order_by)) return NULL;
    return wri_done(p, n);
}

static wr_ast *
model_arg(wri_parser *p)
{
    wr_ast_model_arg *n = wri_node(p, WR_AST_MODEL_ARG, wri_start(p));
    wri_advance(p);
    n->name = wri_ident(p);
    return wri_done(p, n);
}

static wr_ast *
descriptor(wri_parser *p)
{
    wr_ast_descriptor *n = wri_node(p, WR_AST_DESCRIPTOR, wri_start(p));
    uint32_t cap = 0;
    wri_advance(p);
    if (!wri_expect(p, WRI_T_LPAREN)) return NULL;
    if (!wri_is(p, WRI_T_RPAREN)) {
        do {
            if (!wri_push(p, &n->columns, &cap, wri_ident_simple(p))) return NULL;
        } while (wri_accept(p, WRI_T_COMMA));
    }
    if (!wri_expect(p, WRI_T_RPAREN)) return NULL;
    return wri_done(p, n);
}

static wr_ast *
named_arg(wri_parser *p)
{
    wr_ast_named_arg *n = wri_node(p, WR_AST_NAMED_ARG, wri_start(p));
    n->name = wri_part(p);
    wri_advance(p); /* => */
    n->value = wri_argument(p);
    return wri_done(p, n);
}

wr_ast *
wri_argument(wri_parser *p)
{
    uint32_t start = wri_start(p);
    if (wri_is_name(p, 0) && wri_at_tok(p, 1, WRI_T_ARROW)) return named_arg(p);
    switch ((unsigned)wri_tok(p)->kw) {
    case WRI_KW_DEFAULT:
        return default_arg(p);
    case WRI_KW_TABLE:
        return table_arg(p, NULL, start);
    case WRI_KW_MODEL:
        if (wri_is_name(p, 1)) return model_arg(p);
        break;
    case WRI_KW_DESCRIPTOR:
        if (wri_at_tok(p, 1, WRI_T_LPAREN)) return descriptor(p);
        break;
    default:
        break;
    }
    wr_ast *arg = wri_expr(p);
    if (arg && wr_ast_is_query(arg) &&
        (wri_is_kw(p, WRI_KW_PARTITION) || wri_is_kw(p, WRI_KW_ORDER)))
        return table_arg(p, arg, start);
    return arg;
}

static wr_ast *
star_arg(wri_parser *p)
{
    wr_ast_ident *n = wri_node(p, WR_AST_IDENT, wri_start(p));
    n->star = true;
    wri_advance(p);
    return wri_done(p, n);
}

/* ---- behind the parentheses ------------------------------------------------------------------ */
static wr_sql_treatment
null_treatment(wri_parser *p)
{
    if (wri_accept_kw2(p, WRI_KW_RESPECT, WRI_KW_NULLS)) return WR_SQL_TREAT_RESPECT;
    if (wri_accept_kw2(p, WRI_KW_IGNORE, WRI_KW_NULLS)) return WR_SQL_TREAT_IGNORE;
    return WR_SQL_TREAT_NONE;
}

static bool
within(wri_parser *p, wr_ast_call *n)
{
    if (wri_accept_kw2(p, WRI_KW_WITHIN, WRI_KW_DISTINCT))
        if (!wri_expect(p, WRI_T_LPAREN) || !wri_expr_list(p, &n->within_distinct) ||
            !wri_expect(p, WRI_T_RPAREN))
            return false;
    if (wri_accept_kw2(p, WRI_KW_WITHIN, WRI_KW_GROUP))
        if (!wri_expect(p, WRI_T_LPAREN) || !wri_expect_kw(p, WRI_KW_ORDER) ||
            !wri_order_by(p, &n->within_group) || !wri_expect(p, WRI_T_RPAREN))
            return false;
    return true;
}

wr_ast *
wri_call_suffix(wri_parser *p, wr_ast_call *n)
{
    wr_sql_treatment nulls = null_treatment(p);
    if (nulls != WR_SQL_TREAT_NONE) n->nulls = nulls;
    if (!within(p, n)) return NULL;
    if (wri_accept_kw(p, WRI_KW_FILTER)) {
        if (!wri_expect(p, WRI_T_LPAREN) || !wri_expect_kw(p, WRI_KW_WHERE)) return NULL;
        n->filter = wri_expr(p);
        if (!wri_expect(p, WRI_T_RPAREN)) return NULL;
    }
    if (wri_accept_kw(p, WRI_KW_OVER)) {
        if (wri_is(p, WRI_T_LPAREN))
            n->over = wri_window_spec(p);
        else
            n->over_name = wri_part(p);
    }
    return wri_done(p, n);
}

/* MATCH_RECOGNIZE's navigation functions have their second argument written out. */
static bool
add_offset(wri_parser *p, wr_ast_call *n, uint32_t *cap)
{
    wr_ast_part name = n->name->parts[n->name->part_count - 1];
    if (n->args.count != 1 || n->name->part_count != 1 || name.quoted) return true;
    bool zero =
        wr_str_eq_nocase(name.name, WR_STR("FIRST")) || wr_str_eq_nocase(name.name, WR_STR("LAST"));
    bool one =
        wr_str_eq_nocase(name.name, WR_STR("PREV")) || wr_str_eq_nocase(name.name, WR_STR("NEXT"));
    if (!zero && !one) return true;
    wr_ast_literal *offset = wri_node(p, WR_AST_LITERAL, wri_prev_end(p));
    offset->lit = WR_SQL_LIT_INTEGER;
    offset->text = zero ? WR_STR("0") : WR_STR("1");
    offset->charset = WR_STR("");
    offset->qual.precision = offset->qual.fraction = -1;
    return wri_push(p, &n->args, cap, wri_done(p, offset));
}

/* x [RESPECT NULLS] [ORDER BY y]: inside the parentheses of ARRAY_AGG only */
static bool
array_agg_tail(wri_parser *p, wr_ast_call *n)
{
    wr_ast_part name = n->name->parts[n->name->part_count - 1];
    bool array_agg = !name.quoted && wr_str_eq_nocase(name.name, WR_STR("ARRAY_AGG"));
    if (array_agg) n->nulls = null_treatment(p);
    if (!wri_is_kw(p, WRI_KW_ORDER)) return true;
    if (!array_agg)
        return wri_fail_at(p, wri_token_span(p, wri_tok(p)),
                           "SQL parse failed. ORDER BY unexpected") != NULL;
    wri_advance(p);
    return wri_order_by(p, &n->order_by);
}

wr_ast *
wri_call(wri_parser *p, wr_ast_ident *name)
{
    wr_ast_call *n = wri_call_node(p, name->base.span.start, WR_SQL_CALL_PLAIN);
    uint32_t cap = 0;
    n->name = name;
    wri_advance(p);
    if (!wri_enter(p)) return NULL;
    if (wri_accept_kw(p, WRI_KW_DISTINCT))
        n->quantifier = WR_SQL_QUANT_DISTINCT;
    else if (wri_accept_kw(p, WRI_KW_ALL))
        n->quantifier = WR_SQL_QUANT_ALL;
    if (n->quantifier == WR_SQL_QUANT_NONE && wri_is(p, WRI_T_STAR)) {
        if (!wri_push(p, &n->args, &cap, star_arg(p))) return NULL;
    } else if (n->quantifier != WR_SQL_QUANT_NONE || !wri_is(p, WRI_T_RPAREN)) {
        do {
            bool query =
                n->args.count == 0 && wri_is_query_word(p, 0) && !wri_at_word(p, 0, WRI_KW_TABLE);
            if (!wri_push(p, &n->args, &cap, query ? wri_query(p) : wri_argument(p)))
                return NULL; /* f(SELECT ...) */
        } while (wri_accept(p, WRI_T_COMMA));
        if (!add_offset(p, n, &cap) || !array_agg_tail(p, n)) return NULL;
    }
    wri_leave(p);
    if (!wri_expect(p, WRI_T_RPAREN)) return NULL;
    return wri_call_suffix(p, n);
}
