/* SPDX-License-Identifier: Apache-2.0 */
/* Queries: WITH, set operations, SELECT, VALUES, TABLE, ORDER BY and LIMIT, GROUP BY, windows,
 * hints. */
#include "sql/sql_int.h"

/* ---- where does a query start? --------------------------------------------------------------- */
bool
wri_is_query_word(const wri_parser *p, uint32_t n)
{
    switch ((unsigned)wri_peek(p, n)->kw) {
    case WRI_KW_SELECT:
    case WRI_KW_VALUES:
    case WRI_KW_VALUE:
    case WRI_KW_WITH:
        return true;
    case WRI_KW_TABLE:
        return wri_is_name(p, n + 1);
    default:
        return false;
    }
}

bool
wri_is_query_start(wri_parser *p, uint32_t n)
{
    return wri_is_query_word(p, n) || (wri_at_tok(p, n, WRI_T_LPAREN) && wri_paren_is_query(p, n));
}

wr_ast *
wri_query_in_parens(wri_parser *p)
{
    if (!wri_expect(p, WRI_T_LPAREN)) return NULL;
    if (!wri_is_query_start(p, 0)) {
        wri_want_add(p, WRI_WANT_QUERY);
        return wri_unexpected(p);
    }
    wr_ast *query = wri_query(p);
    return wri_expect(p, WRI_T_RPAREN) ? query : NULL;
}

/* ---- hints ----------------------------------------------------------------------------------- */
static wr_ast *
hint_option(wri_parser *p, bool name)
{
    wr_ast_option *n = wri_node(p, WR_AST_OPTION, wri_start(p));
    n->key_is_ident = name;
    if (name) {
        wr_ast_part part = wri_part(p);
        n->key = part.name;
        n->key_span = part.span;
    } else {
        wr_ast *key = wri_string(p);
        if (!key) return NULL;
        n->key = ((wr_ast_literal *)key)->text;
        n->key_span = key->span;
    }
    wri_advance(p); /* = */
    wr_ast *value = wri_string(p);
    if (!value) return NULL;
    n->value = ((wr_ast_literal *)value)->text;
    n->value_span = value->span;
    return wri_done(p, n);
}

static wr_ast *
hint_argument(wri_parser *p)
{
    bool name = wri_is_name(p, 0);
    if ((name || wri_is_string(p, 0)) && wri_at_tok(p, 1, WRI_T_EQ)) return hint_option(p, name);
    if (name) return (wr_ast *)wri_ident_simple(p);
    return wri_signed_literal(p);
}

static wr_ast *
hint(wri_parser *p)
{
    wr_ast_hint *n = wri_node(p, WR_AST_HINT, wri_start(p));
    uint32_t cap = 0;
    n->name = wri_part(p);
    if (wri_accept(p, WRI_T_LPAREN)) {
        n->has_parens = true;
        if (!wri_is(p, WRI_T_RPAREN)) {
            do {
                if (!wri_push(p, &n->args, &cap, hint_argument(p))) return NULL;
            } while (wri_accept(p, WRI_T_COMMA));
        }
        if (!wri_expect(p, WRI_T_RPAREN)) return NULL;
    }
    return wri_done(p, n);
}

bool
wri_hints(wri_parser *p, wr_ast_list *out)
{
    uint32_t cap = 0;
    if (!wri_accept(p, WRI_T_HINT_OPEN)) return true;
    do {
        if (!wri_push(p, out, &cap, hint(p))) return false;
    } while (wri_accept(p, WRI_T_COMMA));
    return wri_expect(p, WRI_T_HINT_CLOSE);
}

/* ---- VALUES, TABLE --------------------------------------------------------------------------- */
static wr_ast *
default_or_expr(wri_parser *p)
{
    return wri_tok(p)->kw == WRI_KW_DEFAULT ? wri_argument(p) : wri_expr(p);
}

/* One row: (a, b), ROW(a, b), or a lone expression */
static wr_ast *
values_row(wri_parser *p)
{
    wr_ast_constructor *n = wri_node(p, WR_AST_CONSTRUCTOR, wri_start(p));
    uint32_t cap = 0;
    n->what = WR_SQL_CONSTRUCT_ROW;
    n->implicit = !wri_at_word(p, 0, WRI_KW_ROW);
    if (!n->implicit) wri_advance(p);
    if (n->implicit && !wri_is(p, WRI_T_LPAREN)) {
        if (!wri_push(p, &n->items, &cap, wri_expr(p))) return NULL;
        return wri_done(p, n);
    }
    if (!wri_expect(p, WRI_T_LPAREN)) return NULL;
    do {
        if (!wri_push(p, &n->items, &cap, default_or_expr(p))) return NULL;
    } while (wri_accept(p, WRI_T_COMMA));
    if (!wri_expect(p, WRI_T_RPAREN)) return NULL;
    return wri_done(p, n);
}

wr_ast *
wri_values(wri_parser *p)
{
    wr_ast_values *n = wri_node(p, WR_AST_VALUES, wri_start(p));
    uint32_t cap = 0;
    if (!wri_accept_kw(p, WRI_KW_VALUE) && !wri_expect_kw(p, WRI_KW_VALUES)) return NULL;
    do {
        if (!wri_push(p, &n->rows, &cap, values_row(p))) return NULL;
    } while (wri_accept(p, WRI_T_COMMA));
    return wri_done(p, n);
}

static wr_ast *
explicit_table(wri_parser *p)
{
    wr_ast_explicit_table *n = wri_node(p, WR_AST_EXPLICIT_TABLE, wri_start(p));
    wri_advance(p);
    n->name = wri_ident(p);
    return wri_done(p, n);
}

/* ---- windows --------------------------------------------------------------------------------- */
static bool
bound(wri_parser *p, wr_sql_bound *what, wr_ast **expr)
{
    if (wri_accept_kw2(p, WRI_KW_CURRENT, WRI_KW_ROW)) {
        *what = WR_SQL_BOUND_CURRENT_ROW;
        return true;
    }
    bool unbounded = wri_at_word(p, 0, WRI_KW_UNBOUNDED) &&
                     (wri_at_word(p, 1, WRI_KW_PRECEDING) || wri_at_word(p, 1, WRI_KW_FOLLOWING));
    if (unbounded)
        wri_advance(p);
    else
        *expr = wri_expr(p);
    if (wri_accept_kw(p, WRI_KW_PRECEDING)) {
        *what = unbounded ? WR_SQL_BOUND_UNBOUNDED_PRECEDING : WR_SQL_BOUND_PRECEDING;
        return true;
    }
    *what = unbounded ? WR_SQL_BOUND_UNBOUNDED_FOLLOWING : WR_SQL_BOUND_FOLLOWING;
    return wri_expect_kw(p, WRI_KW_FOLLOWING);
}

static bool
frame(wri_parser *p, wr_ast_window *n)
{
    if (wri_accept_kw(p, WRI_KW_ROWS))
        n->frame = WR_SQL_FRAME_ROWS;
    else if (wri_accept_kw(p, WRI_KW_RANGE))
        n->frame = WR_SQL_FRAME_RANGE;
    else
        return true;
    if (!wri_accept_kw(p, WRI_KW_BETWEEN)) return bound(p, &n->start, &n->start_expr);
    return bound(p, &n->start, &n->start_expr) && wri_expect_kw(p, WRI_KW_AND) &&
           bound(p, &n->end, &n->end_expr);
}

bool
wri_plain_list(wri_parser *p, wr_ast_list *out)
{
    const bool before = p->no_query;
    p->no_query = true;
    const bool done = wri_expr_list(p, out);
    p->no_query = before;
    return done;
}

wr_ast_window *
wri_window_spec(wri_parser *p)
{
    wr_ast_window *n = wri_node(p, WR_AST_WINDOW, wri_start(p));
    if (!wri_expect(p, WRI_T_LPAREN)) return NULL;
    if (wri_is_name(p, 0)) n->ref = wri_part(p);
    if (wri_accept_kw(p, WRI_KW_PARTITION) &&
        (!wri_expect_kw(p, WRI_KW_BY) || !wri_plain_list(p, &n->partition_by)))
        return NULL;
    if (wri_accept_kw(p, WRI_KW_ORDER) && !wri_order_by(p, &n->order_by)) return NULL;
    if (!frame(p, n)) return NULL;
    if (wri_accept_kw(p, WRI_KW_ALLOW)) {
        if (!wri_expect_kw(p, WRI_KW_PARTIAL)) return NULL;
    } else if (wri_accept_kw(p, WRI_KW_DISALLOW)) {
        if (!wri_expect_kw(p, WRI_KW_PARTIAL)) return NULL;
        n->disallow_partial = true;
    }
    if (!wri_expect(p, WRI_T_RPAREN)) return NULL;
    return wri_done(p, n);
}

static bool
windows(wri_parser *p, wr_ast_list *out)
{
    uint32_t cap = 0;
    do {
        uint32_t start = wri_start(p);
        wr_ast_part name = wri_part(p);
        if (!wri_expect_kw(p, WRI_KW_AS)) return false;
        wr_ast_window *n = wri_window_spec(p);
        if (!n) return false;
        n->name = name;
        n->base.span.start = start;
        if (!wri_push(p, out, &cap, n)) return false;
    } while (wri_accept(p, WRI_T_COMMA));
    return true;
}

/* ---- GROUP BY -------------------------------------------------------------------------------- */
static wr_ast *group_item(wri_parser *p);

static wr_ast *
grouping(wri_parser *p, wr_sql_grouping what, uint32_t words)
{
    wr_ast_grouping *n = wri_node(p, WR_AST_GROUPING, wri_start(p));
    uint32_t cap = 0;
    n->what = what;
    while (words-- > 0) wri_advance(p);
    if (!wri_expect(p, WRI_T_LPAREN)) return NULL;
    do {
        wr_ast *item = what == WR_SQL_GROUPING_SETS ? group_item(p) : wri_expr(p);
        if (!wri_push(p, &n->items, &cap, item)) return NULL;
    } while (wri_accept(p, WRI_T_COMMA));
    if (!wri_expect(p, WRI_T_RPAREN)) return NULL;
    return wri_done(p, n);
}

static wr_ast *
empty_group(wri_parser *p)
{
    wr_ast_constructor *n = wri_node(p, WR_AST_CONSTRUCTOR, wri_start(p));
    n->what = WR_SQL_CONSTRUCT_ROW;
    n->implicit = true;
    wri_advance(p);
    wri_advance(p);
    return wri_done(p, n);
}

static wr_ast *
group_item(wri_parser *p)
{
    wr_ast *item;
    if (!wri_enter(p)) return NULL;
    if (wri_at_word(p, 0, WRI_KW_GROUPING) && wri_at_word(p, 1, WRI_KW_SETS))
        item = grouping(p, WR_SQL_GROUPING_SETS, 2);
    else if (wri_at_word(p, 0, WRI_KW_ROLLUP))
        item = grouping(p, WR_SQL_GROUPING_ROLLUP, 1);
    else if (wri_at_word(p, 0, WRI_KW_CUBE))
        item = grouping(p, WR_SQL_GROUPING_CUBE, 1);
    else if (wri_at_tok(p, 0, WRI_T_LPAREN) && wri_at_tok(p, 1, WRI_T_RPAREN))
        item = empty_group(p);
    else
        item = wri_expr(p);
    wri_leave(p);
    return item;
}

static bool
group_by(wri_parser *p, wr_ast_select *n)
{
    uint32_t cap = 0;
    n->has_group_by = true;
    if (!wri_expect_kw(p, WRI_KW_BY)) return false;
    if (wri_accept_kw(p, WRI_KW_DISTINCT))
        n->group_quantifier = WR_SQL_QUANT_DISTINCT;
    else
        (void)wri_accept_kw(p, WRI_KW_ALL);
    do {
        bool group = wri_starts_expr(p, 0) || wri_at_word(p, 0, WRI_KW_ROLLUP) ||
                     wri_at_word(p, 0, WRI_KW_CUBE);
        if (n->group_by.count > 0 && !group) return wri_unexpected_pair(p, 1, false) != NULL;
        if (!wri_push(p, &n->group_by, &cap, group_item(p))) return false;
    } while (wri_accept(p, WRI_T_COMMA));
    return true;
}

/* ---- SELECT ---------------------------------------------------------------------------------- */
static wr_ast *
alias_of(wri_parser *p, wr_ast *expr)
{
    bool as = wri_accept_kw(p, WRI_KW_AS);
    if (wri_is_string(p, 0)) {
        (void)wri_fail_at(p, wri_token_span(p, wri_tok(p)),
                          "SQL parse failed. Expecting alias, found character literal");
        WRI_HINT(p, "write a name, in back-ticks if need be");
        return NULL;
    }
    if (!as && !wri_is_name(p, 0)) {
        wri_want_add(p, WRI_WANT_NAME);
        return expr;
    }
    wr_ast_alias *n = wri_node(p, WR_AST_ALIAS, wri_start_of(p, expr));
    n->expr = expr;
    n->name = wri_part(p);
    if (!as) p->alias_at = p->at;
    return wri_done(p, n);
}

static wr_ast *
select_item(wri_parser *p)
{
    wr_ast *expr;
    if (wri_is(p, WRI_T_STAR)) {
        wr_ast_ident *n = wri_node(p, WR_AST_IDENT, wri_start(p));
        n->star = true;
        wri_advance(p);
        expr = wri_done(p, n);
    } else {
        expr = wri_expr(p);
    }
    return expr ? alias_of(p, expr) : NULL;
}

/* What may follow FROM */
static bool
clauses(wri_parser *p, wr_ast_select *n)
{
    n->from = wri_from(p);
    if (wri_accept_kw(p, WRI_KW_WHERE)) n->where = wri_expr(p);
    if (wri_accept_kw(p, WRI_KW_GROUP) && !group_by(p, n)) return false;
    if (wri_accept_kw(p, WRI_KW_HAVING)) n->having = wri_expr(p);
    if (wri_accept_kw(p, WRI_KW_WINDOW) && !windows(p, &n->windows)) return false;
    if (wri_accept_kw(p, WRI_KW_QUALIFY)) n->qualify = wri_expr(p);
    return !p->failed;
}

static wr_ast *
select_query(wri_parser *p)
{
    wr_ast_select *n = wri_node(p, WR_AST_SELECT, wri_start(p));
    uint32_t cap = 0;
    bool no_query = p->no_query;
    p->no_query = false;
    wri_advance(p);
    if (!wri_hints(p, &n->hints)) return NULL;
    n->stream = wri_accept_kw(p, WRI_KW_STREAM);
    if (wri_accept_kw(p, WRI_KW_DISTINCT))
        n->quantifier = WR_SQL_QUANT_DISTINCT;
    else if (wri_accept_kw(p, WRI_KW_ALL))
        n->quantifier = WR_SQL_QUANT_ALL;
    do {
        if (!wri_push(p, &n->items, &cap, select_item(p))) return NULL;
    } while (wri_accept(p, WRI_T_COMMA));
    if (wri_accept_kw(p, WRI_KW_FROM) && !clauses(p, n)) return NULL;
    p->no_query = no_query;
    return wri_done(p, n);
}

/* ---- set operations -------------------------------------------------------------------------- */
static wr_ast *
query_term(wri_parser *p)
{
    switch ((unsigned)wri_tok(p)->kw) {
    case WRI_KW_SELECT:
        return select_query(p);
    case WRI_KW_VALUE:
    case WRI_KW_VALUES:
        return wri_values(p);
    case WRI_KW_TABLE:
        return explicit_table(p);
    default:
        break;
    }
    if (wri_at_tok(p, 0, WRI_T_LPAREN)) return wri_query_in_parens(p);
    return wri_not_a_query(p);
}

/* UNION and EXCEPT bind with 1, INTERSECT with 2; 0: no set operator at hand */
static uint32_t
setop_power(wri_parser *p, wr_sql_setop *op)
{
    if (wri_is_kw(p, WRI_KW_UNION)) {
        *op = WR_SQL_SETOP_UNION;
        return 1;
    }
    if (wri_is_kw(p, WRI_KW_EXCEPT)) {
        *op = WR_SQL_SETOP_EXCEPT;
        return 1;
    }
    if (wri_is_kw(p, WRI_KW_INTERSECT)) {
        *op = WR_SQL_SETOP_INTERSECT;
        return 2;
    }
    if (wri_tok(p)->kw != WRI_KW_MINUS) return 0;
    (void)wri_fail_at(
        p, wri_token_span(p, wri_tok(p)),
        "SQL parse failed. MINUS is not allowed under the current SQL conformance level");
    WRI_HINT(p, "write EXCEPT");
    return 0;
}

static wr_ast *
set_expression(wri_parser *p, uint32_t power)
{
    if (!wri_enter(p)) return NULL;
    wr_ast *left = query_term(p);
    wr_sql_setop op = WR_SQL_SETOP_UNION;
    uint32_t found;
    while (left && (found = setop_power(p, &op)) >= power && found > 0) {
        wr_ast_setop *n = wri_node(p, WR_AST_SETOP, wri_start_of(p, left));
        n->op = op;
        n->op_span = wri_token_span(p, wri_tok(p));
        wri_advance(p);
        n->all = wri_accept_kw(p, WRI_KW_ALL);
        if (!n->all) (void)wri_accept_kw(p, WRI_KW_DISTINCT);
        n->left = left;
        n->right = set_expression(p, found + 1);
        left = wri_done(p, n);
    }
    wri_leave(p);
    return p->failed ? NULL : left;
}

/* ---- ORDER BY, LIMIT ------------------------------------------------------------------------- */
static wr_ast *
row_count(wri_parser *p)
{
    if (wri_at_tok(p, 0, WRI_T_QUESTION)) return wri_primary(p);
    return wri_number(p);
}

static bool
offset(wri_parser *p, wr_ast_query *n)
{
    n->offset = row_count(p);
    if (!wri_accept_kw(p, WRI_KW_ROWS)) (void)wri_accept_kw(p, WRI_KW_ROW);
    return !p->failed;
}

static bool
limit(wri_parser *p, wr_ast_query *n, uint32_t start)
{
    if (!wri_accept_kw(p, WRI_KW_ALL)) n->fetch = row_count(p);
    if (wri_accept(p, WRI_T_COMMA)) {
        (void)row_count(p);
        (void)wri_fail_at(p, (wr_span){start, wri_prev_end(p)},
                          "SQL parse failed. 'LIMIT start, count' is not allowed under the current "
                          "SQL conformance level");
        WRI_HINT(p, "write LIMIT count OFFSET start");
        return false;
    }
    return !wri_accept_kw(p, WRI_KW_OFFSET) || offset(p, n);
}

static bool
fetch(wri_parser *p, wr_ast_query *n)
{
    if (!wri_accept_kw(p, WRI_KW_FIRST) && !wri_expect_kw(p, WRI_KW_NEXT)) return false;
    n->fetch = row_count(p);
    if (!wri_accept_kw(p, WRI_KW_ROWS) && !wri_expect_kw(p, WRI_KW_ROW)) return false;
    return wri_expect_kw(p, WRI_KW_ONLY);
}

/* [LIMIT ... [OFFSET ...]] | [OFFSET ... [FETCH ...]] | [FETCH ...] */
static bool
limits(wri_parser *p, wr_ast_query *n)
{
    uint32_t start = wri_start(p);
    if (wri_accept_kw(p, WRI_KW_LIMIT)) return limit(p, n, start);
    if (wri_accept_kw(p, WRI_KW_OFFSET)) {
        if (!offset(p, n)) return false;
        if (wri_accept_kw(p, WRI_KW_LIMIT)) {
            (void)row_count(p);
            (void)wri_fail_at(p, (wr_span){start, wri_prev_end(p)},
                              "SQL parse failed. 'OFFSET start LIMIT count' is not allowed under "
                              "the current SQL conformance level");
            WRI_HINT(p, "write LIMIT before OFFSET");
            return false;
        }
    }
    return !wri_accept_kw(p, WRI_KW_FETCH) || fetch(p, n);
}

static wr_ast *
cte(wri_parser *p)
{
    wr_ast_cte *n = wri_node(p, WR_AST_CTE, wri_start(p));
    n->name = wri_part(p);
    if (wri_is(p, WRI_T_LPAREN) && !wri_parts(p, &n->columns)) return NULL;
    if (!wri_expect_kw(p, WRI_KW_AS)) return NULL;
    n->query = wri_query_in_parens(p);
    return wri_done(p, n);
}

static bool
with(wri_parser *p, wr_ast_query *n)
{
    uint32_t cap = 0;
    n->recursive = wri_accept_kw(p, WRI_KW_RECURSIVE);
    do {
        if (!wri_push(p, &n->with, &cap, cte(p))) return false;
    } while (wri_accept(p, WRI_T_COMMA));
    return true;
}

wr_ast *
wri_query(wri_parser *p)
{
    if (!wri_enter(p)) return NULL;
    wr_ast_query *n = wri_node(p, WR_AST_QUERY, wri_start(p));
    if (wri_accept_kw(p, WRI_KW_WITH) && !with(p, n)) return NULL;
    n->body = set_expression(p, 1);
    uint32_t order_start = wri_start(p);
    if (wri_accept_kw(p, WRI_KW_ORDER)) {
        if (!wri_order_by(p, &n->order_by)) return NULL;
        n->order_span = (wr_span){order_start, wri_prev_end(p)};
    }
    if (p->failed || !limits(p, n)) return NULL;
    wri_leave(p);
    bool plain = n->with.count == 0 && n->order_by.count == 0 && !n->offset && !n->fetch;
    if (plain) return p->failed ? NULL : n->body;
    return wri_done(p, n);
}
