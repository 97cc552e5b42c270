/* SPDX-License-Identifier: Apache-2.0 */
/* Operands: parentheses, names, CASE, CAST, constructors, intervals, element and field access. */
#include "sql/sql_int.h"

/* ---- parentheses ----------------------------------------------------------------------------- */
/* The index of the ")" for every "(" token, 0 without one; made once. */
static bool
make_matches(wri_parser *p)
{
    if (p->match) return true;
    p->match = WR_NEW_N(p->arena, uint32_t, p->token_count);
    if (!p->match) return wri_nomem(p) != NULL;
    uint32_t open = UINT32_MAX; /* a stack threaded through match[] itself */
    for (uint32_t i = 0; i < p->token_count; i++) {
        if (p->tokens[i].kind == WRI_T_LPAREN) {
            p->match[i] = open;
            open = i;
        } else if (p->tokens[i].kind == WRI_T_RPAREN && open != UINT32_MAX) {
            uint32_t below = p->match[open];
            p->match[open] = i;
            open = below;
        }
    }
    while (open != UINT32_MAX) { /* unclosed ones */
        uint32_t below = p->match[open];
        p->match[open] = 0;
        open = below;
    }
    return true;
}

/* May token `n` follow a query in parentheses so that both are (part of) a bigger query? */
static bool
continues_query(const wri_token *t)
{
    switch ((unsigned)t->kw) {
    case WRI_KW_UNION:
    case WRI_KW_EXCEPT:
    case WRI_KW_INTERSECT:
    case WRI_KW_MINUS:
    case WRI_KW_ORDER:
    case WRI_KW_LIMIT:
    case WRI_KW_OFFSET:
    case WRI_KW_FETCH:
        return true;
    default:
        return t->kind == WRI_T_RPAREN;
    }
}

bool
wri_paren_is_query(wri_parser *p, uint32_t n)
{
    uint32_t first = p->at + n, i = first;
    while (i + 1 < p->token_count && p->tokens[i + 1].kind == WRI_T_LPAREN &&
           i - first <= WR_SQL_DEPTH_MAX)
        i++;
    if (!wri_is_query_word(p, i + 1 - p->at)) return false;
    if (i == first) return true;
    if (!make_matches(p)) return false;
    for (; i > first; i--) { /* from the inside: what stands behind each closing parenthesis? */
        uint32_t close = p->match[i];
        if (close != 0 && !continues_query(&p->tokens[close + 1])) return false;
    }
    return true;
}

static wr_ast *
scalar_query(wri_parser *p)
{
    uint32_t start = wri_start(p);
    if (p->no_query)
        return wri_fail_at(p, wri_token_span(p, wri_tok(p)),
                           "SQL parse failed. Query expression encountered in illegal context");
    wr_ast *query = wri_query_in_parens(p);
    if (query) query->span = (wr_span){start, wri_prev_end(p)};
    return query;
}

/* (a - b) DAY */
static wr_ast *
interval_diff(wri_parser *p, wr_ast *diff, uint32_t start)
{
    wr_ast_interval_diff *n = wri_node(p, WR_AST_INTERVAL_DIFF, start);
    n->left = ((wr_ast_binary *)diff)->left;
    n->right = ((wr_ast_binary *)diff)->right;
    if (!wri_interval_qual(p, &n->qual)) return NULL;
    return wri_done(p, n);
}

static bool
is_reserved_unit(const wri_parser *p)
{
    return wri_is_interval_unit(p, 0) && wri_kw_get((wri_kw)wri_tok(p)->kw)->reserved;
}

wr_ast *
wri_paren(wri_parser *p)
{
    uint32_t start = wri_start(p);
    if (wri_paren_is_query(p, 0)) return scalar_query(p);
    wri_advance(p);
    wr_ast *first = wri_expr(p);
    if (!first) return NULL;
    if (!wri_is(p, WRI_T_COMMA)) {
        if (!wri_expect(p, WRI_T_RPAREN)) return NULL;
        bool minus =
            first->kind == WR_AST_BINARY && ((wr_ast_binary *)first)->op == WR_SQL_BINOP_SUB;
        if (minus && wri_is_interval_unit(p, 0)) return interval_diff(p, first, start);
        if (is_reserved_unit(p))
            return wri_fail_at(p, (wr_span){start, wri_token_span(p, wri_tok(p)).end},
                               "SQL parse failed. Illegal expression. Was expecting \"(DATETIME - "
                               "DATETIME) INTERVALQUALIFIER\"");
        if (first->kind == WR_AST_BINARY && ((wr_ast_binary *)first)->op == WR_SQL_BINOP_SUB &&
            is_reserved_unit(p))
            return interval_diff(p, first, start);
        first->span = (wr_span){start, wri_prev_end(p)};
        return first;
    }
    wr_ast_constructor *n = wri_node(p, WR_AST_CONSTRUCTOR, start);
    uint32_t cap = 0;
    n->what = WR_SQL_CONSTRUCT_ROW;
    n->implicit = true;
    if (!wri_push(p, &n->items, &cap, first)) return NULL;
    while (wri_accept(p, WRI_T_COMMA))
        if (!wri_push(p, &n->items, &cap, wri_expr(p))) return NULL;
    if (!wri_expect(p, WRI_T_RPAREN)) return NULL;
    return wri_done(p, n);
}

/* ---- intervals ------------------------------------------------------------------------------- */
static wr_sql_unit
interval_unit(const wri_parser *p, uint32_t n)
{
    switch ((unsigned)wri_peek(p, n)->kw) {
    case WRI_KW_YEAR:
    case WRI_KW_YEARS:
        return WR_SQL_UNIT_YEAR;
    case WRI_KW_QUARTER:
    case WRI_KW_QUARTERS:
        return WR_SQL_UNIT_QUARTER;
    case WRI_KW_MONTH:
    case WRI_KW_MONTHS:
        return WR_SQL_UNIT_MONTH;
    case WRI_KW_WEEK:
    case WRI_KW_WEEKS:
        return WR_SQL_UNIT_WEEK;
    case WRI_KW_DAY:
    case WRI_KW_DAYS:
        return WR_SQL_UNIT_DAY;
    case WRI_KW_HOUR:
    case WRI_KW_HOURS:
        return WR_SQL_UNIT_HOUR;
    case WRI_KW_MINUTE:
    case WRI_KW_MINUTES:
        return WR_SQL_UNIT_MINUTE;
    case WRI_KW_SECOND:
    case WRI_KW_SECONDS:
        return WR_SQL_UNIT_SECOND;
    default:
        return WR_SQL_UNIT_NONE;
    }
}

bool
wri_is_interval_unit(const wri_parser *p, uint32_t n)
{
    return interval_unit(p, n) != WR_SQL_UNIT_NONE;
}

/* May an interval go from `from` to `to`? */
static bool
spans_units(wr_sql_unit from, wr_sql_unit to)
{
    if (from == WR_SQL_UNIT_YEAR) return to == WR_SQL_UNIT_MONTH;
    bool times = to == WR_SQL_UNIT_HOUR || to == WR_SQL_UNIT_MINUTE || to == WR_SQL_UNIT_SECOND;
    return (from == WR_SQL_UNIT_DAY || from == WR_SQL_UNIT_HOUR || from == WR_SQL_UNIT_MINUTE) &&
           times && to > from;
}

bool
wri_interval_qual(wri_parser *p, wr_ast_interval *out)
{
    *out = (wr_ast_interval){interval_unit(p, 0), WR_SQL_UNIT_NONE, -1, -1};
    if (out->from == WR_SQL_UNIT_NONE) {
        wri_want_add(p, WRI_WANT_UNIT);
        return wri_unexpected(p) != NULL;
    }
    wri_advance(p);
    if (wri_accept(p, WRI_T_LPAREN)) {
        if (!wri_int32(p, &out->precision)) return false;
        if (out->from == WR_SQL_UNIT_SECOND && wri_accept(p, WRI_T_COMMA) &&
            !wri_int32(p, &out->fraction))
            return false;
        if (!wri_expect(p, WRI_T_RPAREN)) return false;
    }
    if (!wri_is_kw(p, WRI_KW_TO)) return true;
    wr_sql_unit to = interval_unit(p, 1);
    if (!spans_units(out->from, to)) return wri_unexpected(p) != NULL;
    out->to = to;
    wri_advance(p);
    wri_advance(p);
    if (to == WR_SQL_UNIT_SECOND && wri_accept(p, WRI_T_LPAREN))
        return wri_int32(p, &out->fraction) && wri_expect(p, WRI_T_RPAREN);
    return true;
}

/* INTERVAL 'x' DAY; INTERVAL [sign] {(expr) | number | name} DAY */
wr_ast *
wri_interval(wri_parser *p)
{
    if (wri_is_literal(p, 0)) return wri_interval_literal(p);
    wr_ast_interval_expr *n = wri_node(p, WR_AST_INTERVAL_EXPR, wri_start(p));
    wri_advance(p);
    if (wri_accept(p, WRI_T_MINUS))
        n->negative = true;
    else
        (void)wri_accept(p, WRI_T_PLUS);
    uint8_t kind = wri_tok(p)->kind;
    if (kind == WRI_T_LPAREN) {
        wri_advance(p);
        n->arg = wri_expr(p);
        if (!wri_expect(p, WRI_T_RPAREN)) return NULL;
    } else if (kind >= WRI_T_INTEGER && kind <= WRI_T_DOUBLE) {
        n->arg = wri_number(p);
    } else {
        wri_want_add(p, WRI_WANT_STRING);
        n->arg = (wr_ast *)wri_ident(p);
    }
    if (!wri_interval_qual(p, &n->qual)) return NULL;
    return wri_done(p, n);
}

/* ---- CASE, CAST ------------------------------------------------------------------------------ */
/* operand = value, or operand IN (values) */
static wr_ast *
when_condition(wri_parser *p, wr_ast *operand)
{
    if (!operand) return wri_expr(p);
    uint32_t start = wri_start(p);
    wr_ast_list values = {0};
    if (!wri_expr_list(p, &values)) return NULL;
    if (values.count == 1) {
        wr_ast_binary *n = wri_node(p, WR_AST_BINARY, start);
        n->op = WR_SQL_BINOP_EQ;
        n->op_span = WR_NO_SPAN;
        n->left = operand;
        n->right = values.items[0];
        return wri_done(p, n);
    }
    wr_ast_in *n = wri_node(p, WR_AST_IN, start);
    n->arg = operand;
    n->list = values;
    return wri_done(p, n);
}

static wr_ast *
case_expr(wri_parser *p)
{
    wr_ast_case *n = wri_node(p, WR_AST_CASE, wri_start(p));
    wr_ast *operand = NULL;
    uint32_t cap = 0;
    wri_advance(p);
    if (!wri_is_kw(p, WRI_KW_WHEN) && !(operand = wri_expr(p))) return NULL;
    if (!wri_is_kw(p, WRI_KW_WHEN)) return wri_unexpected(p);
    while (wri_is_kw(p, WRI_KW_WHEN)) {
        wr_ast_when *w = wri_node(p, WR_AST_WHEN, wri_start(p));
        wri_advance(p);
        w->condition = when_condition(p, operand);
        if (!wri_expect_kw(p, WRI_KW_THEN)) return NULL;
        w->result = wri_expr(p);
        if (!wri_push(p, &n->whens, &cap, wri_done(p, w))) return NULL;
    }
    if (wri_accept_kw(p, WRI_KW_ELSE)) {
        n->otherwise = wri_expr(p);
    } else {
        wr_ast_literal *null = wri_node(p, WR_AST_LITERAL, wri_start(p));
        null->lit = WR_SQL_LIT_NULL;
        null->text = null->charset = WR_STR("");
        null->qual.precision = null->qual.fraction = -1;
        n->otherwise = wri_done(p, null);
        if (n->otherwise) n->otherwise->span.end = n->otherwise->span.start;
    }
    if (!wri_expect_kw(p, WRI_KW_END)) return NULL;
    return wri_done(p, n);
}

static wr_ast *
cast(wri_parser *p)
{
    wr_ast_cast *n = wri_node(p, WR_AST_CAST, wri_start(p));
    n->is_try = wri_tok(p)->kw == WRI_KW_TRY_CAST;
    n->is_safe = wri_tok(p)->kw == WRI_KW_SAFE_CAST;
    wri_advance(p);
    if (!wri_expect(p, WRI_T_LPAREN)) return NULL;
    n->arg = wri_expr(p);
    if (!wri_expect_kw(p, WRI_KW_AS)) return NULL;
    n->type = wri_type(p, false);
    if (!wri_expect(p, WRI_T_RPAREN)) return NULL;
    return wri_done(p, n);
}

/* ---- constructors ---------------------------------------------------------------------------- */
static wr_ast *
constructor(wri_parser *p, wr_sql_construct what, bool may_be_empty)
{
    wr_ast_constructor *n = wri_node(p, WR_AST_CONSTRUCTOR, wri_start(p));
    n->what = what;
    wri_advance(p);
    if (wri_is(p, WRI_T_LPAREN)) { /* ARRAY(query), ROW(a, b) */
        if (what != WR_SQL_CONSTRUCT_ROW) {
            n->query = wri_query_in_parens(p);
            return wri_done(p, n);
        }
        wri_advance(p);
        if (!wri_expr_list(p, &n->items) || !wri_expect(p, WRI_T_RPAREN)) return NULL;
        return wri_done(p, n);
    }
    if (!wri_expect(p, WRI_T_LBRACKET)) return NULL;
    if (!(may_be_empty && wri_is(p, WRI_T_RBRACKET)) && !wri_expr_list(p, &n->items)) return NULL;
    if (!wri_expect(p, WRI_T_RBRACKET)) return NULL;
    return wri_done(p, n);
}

/* ARRAY or MAP: constructor when "[" or "(query" follows, else a name as usual */
static bool
is_collection(wri_parser *p)
{
    return wri_at_tok(p, 1, WRI_T_LBRACKET) ||
           (wri_at_tok(p, 1, WRI_T_LPAREN) && wri_paren_is_query(p, 1));
}

/* PERIOD (a, b) */
static wr_ast *
period(wri_parser *p)
{
    uint32_t start = wri_start(p);
    wri_advance(p);
    if (!wri_is(p, WRI_T_LPAREN)) return wri_unexpected(p);
    wr_ast *row = wri_paren(p);
    if (!row) return NULL;
    if (row->kind != WR_AST_CONSTRUCTOR || !((wr_ast_constructor *)row)->implicit ||
        ((wr_ast_constructor *)row)->items.count != 2)
        return wri_fail_at(p, row->span,
                           "SQL parse failed. PERIOD needs two expressions in parentheses");
    ((wr_ast_constructor *)row)->implicit = false;
    row->span.start = start;
    return row;
}

static wr_ast *
exists(wri_parser *p)
{
    wr_ast_exists *n = wri_node(p, WR_AST_EXISTS, wri_start(p));
    n->unique = wri_tok(p)->kw == WRI_KW_UNIQUE;
    wri_advance(p);
    n->query = wri_query_in_parens(p);
    return wri_done(p, n);
}

static wr_ast *
next_value(wri_parser *p)
{
    wr_ast_next_value *n = wri_node(p, WR_AST_NEXT_VALUE, wri_start(p));
    n->current = wri_tok(p)->kw == WRI_KW_CURRENT;
    wri_advance(p);
    if (!wri_expect_kw(p, WRI_KW_VALUE) || !wri_expect_kw(p, WRI_KW_FOR)) return NULL;
    n->name = wri_ident(p);
    return wri_done(p, n);
}

static wr_ast *
parameter(wri_parser *p)
{
    wr_ast_param *n = wri_node(p, WR_AST_PARAM, wri_start(p));
    n->index = p->param_count++;
    wri_advance(p);
    return wri_done(p, n);
}

/* {fn f(x)}: the call itself */
static wr_ast *
braced(wri_parser *p)
{
    if (wri_is_literal(p, 0)) return wri_literal(p);
    uint32_t start = wri_start(p);
    wr_str word = wri_text_of(p, wri_peek(p, 1));
    if (!wr_str_eq_nocase(word, WR_STR("fn"))) return wri_unexpected(p);
    wri_advance(p);
    wri_advance(p);
    wr_ast *call = wri_primary(p);
    if (!call) return NULL;
    if (call->kind != WR_AST_CALL)
        return wri_fail_at(p, call->span, "SQL parse failed. {fn ...} needs a function call");
    if (!wri_expect(p, WRI_T_RBRACE)) return NULL;
    call->span = (wr_span){start, wri_prev_end(p)};
    return call;
}

bool
wri_starts_expr(const wri_parser *p, uint32_t n)
{
    const wri_token *t = wri_peek(p, n);
    if (t->kind == WRI_T_WORD) {
        const wri_kw_info *kw = wri_kw_get((wri_kw)t->kw);
        if (!kw->reserved || kw->use != WRI_USE_WORD) return true;
    }
    switch ((unsigned)t->kw) {
    case WRI_KW_CASE:
    case WRI_KW_CAST:
    case WRI_KW_CEIL:
    case WRI_KW_CEILING:
    case WRI_KW_CONVERT:
    case WRI_KW_CURRENT:
    case WRI_KW_CURSOR:
    case WRI_KW_DATETIME_TRUNC:
    case WRI_KW_DATE_TRUNC:
    case WRI_KW_EXISTS:
    case WRI_KW_EXTRACT:
    case WRI_KW_FALSE:
    case WRI_KW_FLOOR:
    case WRI_KW_INTERVAL:
    case WRI_KW_JSON_ARRAY:
    case WRI_KW_JSON_ARRAYAGG:
    case WRI_KW_JSON_EXISTS:
    case WRI_KW_JSON_OBJECT:
    case WRI_KW_JSON_OBJECTAGG:
    case WRI_KW_JSON_QUERY:
    case WRI_KW_JSON_VALUE:
    case WRI_KW_MULTISET:
    case WRI_KW_NEW:
    case WRI_KW_NEXT:
    case WRI_KW_NOT:
    case WRI_KW_NULL:
    case WRI_KW_OVERLAY:
    case WRI_KW_PERIOD:
    case WRI_KW_POSITION:
    case WRI_KW_PREV:
    case WRI_KW_ROW:
    case WRI_KW_RUNNING:
    case WRI_KW_SAFE_CAST:
    case WRI_KW_SPECIFIC:
    case WRI_KW_SUBSTRING:
    case WRI_KW_TIMESTAMP_DIFF:
    case WRI_KW_TIMESTAMP_TRUNC:
    case WRI_KW_TIME_DIFF:
    case WRI_KW_TIME_TRUNC:
    case WRI_KW_TRANSLATE:
    case WRI_KW_TRIM:
    case WRI_KW_TRUE:
    case WRI_KW_TRY_CAST:
    case WRI_KW_UNIQUE:
    case WRI_KW_UNKNOWN:
        return true;
    default:
        break;
    }
    return (t->kind >= WRI_T_QUOTED && t->kind <= WRI_T_LPAREN) || t->kind == WRI_T_LBRACE ||
           t->kind == WRI_T_PLUS || t->kind == WRI_T_MINUS || t->kind == WRI_T_QUESTION;
}

/* ---- names ----------------------------------------------------------------------------------- */
wr_ast *
wri_path(wri_parser *p)
{
    WR_LIST(wr_ast_part) parts = {0};
    wr_ast_ident *n = wri_node(p, WR_AST_IDENT, wri_start(p));
    do {
        if (parts.count > 0 && wri_accept(p, WRI_T_STAR)) {
            n->star = true;
            break;
        }
        if (parts.count > 0 && !wri_name_after_dot(p)) return NULL;
        wr_ast_part part = wri_part(p);
        if (p->failed) return NULL;
        if (!wr_list_push(p->arena, &parts, part)) return wri_nomem(p);
    } while (wri_accept(p, WRI_T_DOT));
    n->parts = parts.items;
    n->part_count = parts.count;
    if (!wri_done(p, n)) return NULL;
    if (!n->star && wri_is(p, WRI_T_LPAREN)) return wri_call(p, n);
    if (n->part_count == 1 && !n->parts[0].quoted &&
        wr_str_eq_nocase(n->parts[0].name, WR_STR("PI"))) {
        wr_ast_call *call = wri_call_node(p, n->base.span.start, WR_SQL_CALL_BARE);
        call->name = n;
        return wri_done(p, call);
    }
    return &n->base;
}

/* A reserved word that is a function: f(...), or alone. NULL without error: it is not. */
static wr_ast *
reserved_function(wri_parser *p)
{
    wri_kw_use use = wri_kw_get((wri_kw)wri_tok(p)->kw)->use;
    bool paren = wri_at_tok(p, 1, WRI_T_LPAREN);
    if (use == WRI_USE_WORD || (use == WRI_USE_CALL && !paren) || (use == WRI_USE_BARE && paren))
        return NULL;
    wr_ast_ident *name = wri_keyword_name(p);
    if (!name) return NULL;
    if (paren) return wri_call(p, name);
    wr_ast_call *call = wri_call_node(p, name->base.span.start, WR_SQL_CALL_BARE);
    call->name = name;
    return wri_done(p, call);
}

wr_ast *
wri_postfix(wri_parser *p, wr_ast *node)
{
    while (node) {
        if (wri_accept(p, WRI_T_LBRACKET)) {
            wr_ast_item *n = wri_node(p, WR_AST_ITEM, node->span.start);
            static const wri_kw modes[] = {WRI_KW_none, WRI_KW_OFFSET, WRI_KW_ORDINAL,
                                           WRI_KW_SAFE_OFFSET, WRI_KW_SAFE_ORDINAL};
            for (uint32_t m = 1; m < WR_COUNT(modes); m++)
                if (wri_at_word(p, 0, modes[m])) n->mode = (wr_sql_item)m;
            if (n->mode != WR_SQL_ITEM_PLAIN) {
                wri_advance(p);
                if (!wri_expect(p, WRI_T_LPAREN)) return NULL;
            }
            n->arg = node;
            n->index = wri_expr(p);
            if (n->mode != WR_SQL_ITEM_PLAIN && !wri_expect(p, WRI_T_RPAREN)) return NULL;
            if (!wri_expect(p, WRI_T_RBRACKET)) return NULL;
            node = wri_done(p, n);
        } else if (wri_is(p, WRI_T_DOT) &&
                   !(node->kind == WR_AST_IDENT && ((wr_ast_ident *)node)->star)) {
            wri_advance(p);
            if (!wri_name_after_dot(p)) return NULL;
            wr_ast_field *n = wri_node(p, WR_AST_FIELD, node->span.start);
            n->arg = node;
            n->name = wri_part(p);
            node = wri_done(p, n);
        } else {
            break;
        }
    }
    return node;
}

/* FINAL f(x), RUNNING A.x */
static wr_ast *
modified_call(wri_parser *p)
{
    wr_ast_unary *n = wri_node(p, WR_AST_UNARY, wri_start(p));
    n->op = wri_tok(p)->kw == WRI_KW_FINAL ? WR_SQL_UNOP_FINAL : WR_SQL_UNOP_RUNNING;
    n->op_span = wri_token_span(p, wri_tok(p));
    wri_advance(p);
    n->arg = wri_primary(p);
    return wri_done(p, n);
}

/* count, date, left: a function's name, reserved, without its arguments */
static wr_ast *
function_without_call(wri_parser *p)
{
    wr_str word = wri_text_of(p, wri_tok(p));
    wri_advance(p);
    (void)wri_unexpected_pair(p, 1, true);
    WRI_HINT(p, "%.*s is a reserved word: as a name, quote it with back-ticks: `%.*s`",
             WR_STR_ARG(word), WR_STR_ARG(word));
    return NULL;
}

/* An operand that starts with a word. */
static wr_ast *
word_operand(wri_parser *p)
{
    switch ((unsigned)wri_tok(p)->kw) {
    case WRI_KW_CASE:
        return case_expr(p);
    case WRI_KW_CAST:
    case WRI_KW_TRY_CAST:
    case WRI_KW_SAFE_CAST:
        if (wri_at_tok(p, 1, WRI_T_LPAREN)) return cast(p);
        break;
    case WRI_KW_CURSOR:
        return wri_fail_at(p, wri_token_span(p, wri_tok(p)),
                           "SQL parse failed. CURSOR expression encountered in illegal context");
    case WRI_KW_ROW:
        return constructor(p, WR_SQL_CONSTRUCT_ROW, false);
    case WRI_KW_ARRAY:
        if (is_collection(p)) return constructor(p, WR_SQL_CONSTRUCT_ARRAY, true);
        break;
    case WRI_KW_MAP:
        if (is_collection(p)) return constructor(p, WR_SQL_CONSTRUCT_MAP, true);
        break;
    case WRI_KW_MULTISET:
        return constructor(p, WR_SQL_CONSTRUCT_MULTISET, false);
    case WRI_KW_EXISTS:
    case WRI_KW_UNIQUE:
        return exists(p);
    case WRI_KW_PERIOD:
        return period(p);
    case WRI_KW_INTERVAL:
        return wri_interval(p);
    case WRI_KW_CURRENT:
        return next_value(p);
    case WRI_KW_RUNNING:
        return modified_call(p);
    case WRI_KW_FINAL:
        if ((wri_peek(p, 1)->kind == WRI_T_WORD || wri_is_name(p, 1)) &&
            (wri_at_tok(p, 2, WRI_T_LPAREN) || wri_at_tok(p, 2, WRI_T_DOT)))
            return modified_call(p);
        break;
    case WRI_KW_NEXT:
        if (wri_at_word(p, 1, WRI_KW_VALUE)) return next_value(p);
        break;
    default:
        break;
    }
    wr_ast *call = wri_call_special(p);
    if (call || p->failed) return call;
    if (wri_is_name(p, 0)) return wri_path(p);
    call = reserved_function(p);
    if (call || p->failed) return call;
    wri_want_add(p, WRI_WANT_EXPR);
    if (!wri_starts_expr(p, 0) || wri_tok(p)->kind == WRI_T_EOF) return wri_unexpected(p);
    return function_without_call(p);
}

wr_ast *
wri_primary(wri_parser *p)
{
    wr_ast *node;
    uint8_t kind = wri_tok(p)->kind;
    if (wri_is_literal(p, 0)) return wri_postfix(p, wri_literal(p));
    if (kind == WRI_T_WORD)
        node = word_operand(p);
    else if (kind == WRI_T_LPAREN)
        node = wri_paren(p);
    else if (kind == WRI_T_QUESTION)
        node = parameter(p);
    else if (kind == WRI_T_LBRACE)
        node = braced(p);
    else if (wri_is_name(p, 0))
        node = wri_path(p);
    else {
        wri_want_add(p, WRI_WANT_EXPR);
        return wri_unexpected(p);
    }
    return wri_postfix(p, node);
}
