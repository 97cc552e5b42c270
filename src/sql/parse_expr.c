/* SPDX-License-Identifier: Apache-2.0 */
/* Operators: precedence climbing with Calcite's binding powers.
 *
 * Long chains of AND or OR are built as balanced trees, so that a condition of ten thousand terms
 * stays far below the depth limit; short ones lean to the left as everywhere else. The printer
 * knows (wr_ast_binary.chained).
 */
#include "sql/sql_int.h"

#define POWER_NOT     26u
#define POWER_IS      28u
#define POWER_COMPARE 30u
#define POWER_BETWEEN 32u /* also IN, LIKE, SIMILAR TO */
#define POWER_SIGN    80u
#define CHAIN_MAX     32u /* terms of an AND or OR chain that still leans left */

static const uint8_t powers[WR_SQL_BINOP_COUNT] = {
#define X(name, sql, power) power,
    WR_SQL_BINOP_MAP(X)
#undef X
};

/* ---- which operator is at hand? -------------------------------------------------------------- */
typedef struct infix {
    enum { NO_INFIX, BINARY, IS, BETWEEN, LIKE, IN, BANG } what;
    wr_sql_binop op;
    wr_sql_like like;
    bool negated;
    uint32_t words; /* tokens of the operator */
    uint32_t power;
} infix;

static infix
binary_infix(wr_sql_binop op, uint32_t words)
{
    return (infix){.what = BINARY, .op = op, .words = words, .power = powers[op]};
}

static infix
multiset_infix(const wri_parser *p)
{
    bool distinct = wri_at_word(p, 2, WRI_KW_DISTINCT);
    uint32_t words = distinct || wri_at_word(p, 2, WRI_KW_ALL) ? 3 : 2;
    switch ((unsigned)wri_peek(p, 1)->kw) {
    case WRI_KW_UNION:
        return binary_infix(distinct ? WR_SQL_BINOP_MULTISET_UNION_DISTINCT
                                     : WR_SQL_BINOP_MULTISET_UNION_ALL,
                            words);
    case WRI_KW_EXCEPT:
        return binary_infix(distinct ? WR_SQL_BINOP_MULTISET_EXCEPT_DISTINCT
                                     : WR_SQL_BINOP_MULTISET_EXCEPT_ALL,
                            words);
    case WRI_KW_INTERSECT:
        return binary_infix(distinct ? WR_SQL_BINOP_MULTISET_INTERSECT_DISTINCT
                                     : WR_SQL_BINOP_MULTISET_INTERSECT_ALL,
                            words);
    default:
        return (infix){0};
    }
}

/* [NOT] BETWEEN, IN, LIKE, ...: n is 1 behind a NOT */
static infix
negatable_infix(const wri_parser *p, uint32_t n)
{
    infix x = {.negated = n == 1, .words = n + 1, .power = POWER_BETWEEN};
    switch ((unsigned)wri_peek(p, n)->kw) {
    case WRI_KW_BETWEEN:
        x.what = BETWEEN;
        break;
    case WRI_KW_IN:
        x.what = IN;
        break;
    case WRI_KW_LIKE:
        x.what = LIKE;
        break;
    case WRI_KW_ILIKE:
        x.what = LIKE, x.like = WR_SQL_LIKE_ILIKE;
        break;
    case WRI_KW_RLIKE:
        x.what = LIKE, x.like = WR_SQL_LIKE_RLIKE;
        break;
    case WRI_KW_SIMILAR:
        if (!wri_at_word(p, n + 1, WRI_KW_TO)) break;
        x.what = LIKE, x.like = WR_SQL_LIKE_SIMILAR;
        x.words++;
        break;
    case WRI_KW_SUBMULTISET:
        if (!wri_at_word(p, n + 1, WRI_KW_OF)) break;
        return binary_infix(n == 1 ? WR_SQL_BINOP_NOT_SUBMULTISET_OF : WR_SQL_BINOP_SUBMULTISET_OF,
                            n + 2);
    default:
        break;
    }
    return x;
}

static infix
word_infix(const wri_parser *p)
{
    switch ((unsigned)wri_tok(p)->kw) {
    case WRI_KW_OR:
        return binary_infix(WR_SQL_BINOP_OR, 1);
    case WRI_KW_AND:
        return binary_infix(WR_SQL_BINOP_AND, 1);
    case WRI_KW_OVERLAPS:
        return binary_infix(WR_SQL_BINOP_OVERLAPS, 1);
    case WRI_KW_CONTAINS:
        return binary_infix(WR_SQL_BINOP_CONTAINS, 1);
    case WRI_KW_PRECEDES:
        return binary_infix(WR_SQL_BINOP_PRECEDES, 1);
    case WRI_KW_SUCCEEDS:
        return binary_infix(WR_SQL_BINOP_SUCCEEDS, 1);
    case WRI_KW_EQUALS:
        return binary_infix(WR_SQL_BINOP_EQUALS, 1);
    case WRI_KW_IMMEDIATELY:
        if (wri_at_word(p, 1, WRI_KW_PRECEDES))
            return binary_infix(WR_SQL_BINOP_IMMEDIATELY_PRECEDES, 2);
        if (wri_at_word(p, 1, WRI_KW_SUCCEEDS))
            return binary_infix(WR_SQL_BINOP_IMMEDIATELY_SUCCEEDS, 2);
        return (infix){0};
    case WRI_KW_MEMBER:
        return wri_at_word(p, 1, WRI_KW_OF) ? binary_infix(WR_SQL_BINOP_MEMBER_OF, 2) : (infix){0};
    case WRI_KW_MULTISET:
        return multiset_infix(p);
    case WRI_KW_IS:
        return (infix){.what = IS, .words = 1, .power = POWER_IS};
    case WRI_KW_NOT:
        return negatable_infix(p, 1);
    default:
        return negatable_infix(p, 0);
    }
}

static infix
infix_at(const wri_parser *p)
{
    switch ((unsigned)wri_tok(p)->kind) {
    case WRI_T_EQ:
        return binary_infix(WR_SQL_BINOP_EQ, 1);
    case WRI_T_NE:
        return binary_infix(WR_SQL_BINOP_NE, 1);
    case WRI_T_LT:
        return binary_infix(WR_SQL_BINOP_LT, 1);
    case WRI_T_LE:
        return binary_infix(WR_SQL_BINOP_LE, 1);
    case WRI_T_GT:
        return binary_infix(WR_SQL_BINOP_GT, 1);
    case WRI_T_GE:
        return binary_infix(WR_SQL_BINOP_GE, 1);
    case WRI_T_PLUS:
        return binary_infix(WR_SQL_BINOP_ADD, 1);
    case WRI_T_MINUS:
        return binary_infix(WR_SQL_BINOP_SUB, 1);
    case WRI_T_STAR:
        return binary_infix(WR_SQL_BINOP_MUL, 1);
    case WRI_T_SLASH:
        return binary_infix(WR_SQL_BINOP_DIV, 1);
    case WRI_T_PERCENT:
        return binary_infix(WR_SQL_BINOP_MOD, 1);
    case WRI_T_CONCAT:
        return binary_infix(WR_SQL_BINOP_CONCAT, 1);
    case WRI_T_BANG_EQ:
        return (infix){.what = BANG};
    case WRI_T_WORD:
        return word_infix(p);
    default:
        return (infix){0};
    }
}

/* ---- building -------------------------------------------------------------------------------- */
static wr_span
skip(wri_parser *p, uint32_t words)
{
    wr_span span = wri_token_span(p, wri_tok(p));
    for (; words > 0; words--) {
        span.end = p->base + wri_tok(p)->end;
        wri_advance(p);
    }
    return span;
}

static wr_ast *
binary_node(wri_parser *p, wr_sql_binop op, wr_span op_span, wr_ast *left, wr_ast *right)
{
    wr_ast_binary *n = wri_node(p, WR_AST_BINARY, wri_start_of(p, left));
    n->op = op;
    n->op_span = op_span;
    n->left = left;
    n->right = right;
    if (!wri_done(p, n)) return NULL;
    n->base.span.end = right->span.end;
    return &n->base;
}

/* terms[0..count) joined by op, balanced; spans[i] is the operator before terms[i]. */
static wr_ast *
balance(wri_parser *p, wr_sql_binop op, wr_ast **terms, const wr_span *spans, uint32_t count,
        bool root)
{
    if (count == 1) return terms[0];
    uint32_t half = count / 2;
    wr_ast *left = balance(p, op, terms, spans, half, false);
    wr_ast *right = balance(p, op, terms + half, spans + half, count - half, false);
    wr_ast_binary *n = (wr_ast_binary *)binary_node(p, op, spans[half], left, right);
    if (n) n->chained = !root;
    return (wr_ast *)n;
}

/* Behind an operator of so many tokens: can an operand follow? */
static bool
needs_operand(wri_parser *p, uint32_t words)
{
    if (wri_starts_expr(p, 0)) return true;
    wri_want_add(p, WRI_WANT_EXPR);
    return wri_unexpected_pair(p, words, true) != NULL;
}

typedef struct terms { /* of a chain; spans[i] is the operator before items[i] */
    wr_ast_list list;
    uint32_t cap;
    WR_LIST(wr_span) spans;
} terms;

static bool
add_term(wri_parser *p, terms *t, wr_span span, wr_ast *term)
{
    if (!wri_push(p, &t->list, &t->cap, term)) return false;
    return wr_list_push(p->arena, &t->spans, span) || wri_nomem(p) != NULL;
}

/* The terms of a short chain that stood in parentheses on the left, where they mean nothing: (a AND
 * b) AND c. */
static bool
add_left(wri_parser *p, terms *t, wr_sql_binop op, wr_ast *left)
{
    wr_ast_binary *n = (wr_ast_binary *)left;
    if (left->kind != WR_AST_BINARY || n->op != op) return add_term(p, t, WR_NO_SPAN, left);
    if (n->right->kind == WR_AST_BINARY && ((wr_ast_binary *)n->right)->chained)
        return add_term(p, t, WR_NO_SPAN, left); /* a balanced tree stays what it is */
    return add_left(p, t, op, n->left) && add_term(p, t, n->op_span, n->right);
}

/* left AND b AND c ...; at the first operator */
static wr_ast *
chain(wri_parser *p, wr_sql_binop op, wr_ast *left, bool stop_at_and)
{
    wri_kw kw = op == WR_SQL_BINOP_AND ? WRI_KW_AND : WRI_KW_OR;
    terms t = {0};
    if (!add_left(p, &t, op, left)) return NULL;
    uint32_t start = left->span.start;
    while (wri_tok(p)->kw == kw) {
        wr_span span = skip(p, 1);
        if (!needs_operand(p, 1)) return NULL;
        if (!add_term(p, &t, span, wri_expr_prec(p, powers[op] + 1u, stop_at_and))) return NULL;
    }
    wr_ast **items = t.list.items;
    if (t.list.count > CHAIN_MAX) {
        left = balance(p, op, items, t.spans.items, t.list.count, true);
    } else {
        left = items[0];
        for (uint32_t i = 1; i < t.list.count; i++)
            left = binary_node(p, op, t.spans.items[i], left, items[i]);
    }
    if (left) left->span.start = start;
    return left;
}

bool
wri_query_or_list(wri_parser *p, wr_ast **query, wr_ast_list *list)
{
    if (!wri_is(p, WRI_T_LPAREN)) return wri_unexpected(p) != NULL;
    if (wri_paren_is_query(p, 0)) {
        *query = wri_query_in_parens(p);
        return *query != NULL;
    }
    wri_advance(p);
    return wri_expr_list(p, list) && wri_expect(p, WRI_T_RPAREN);
}

static wr_ast *
quantified(wri_parser *p, wr_sql_binop op, wr_ast *left)
{
    wr_ast_quantified *n = wri_node(p, WR_AST_QUANTIFIED, wri_start_of(p, left));
    n->op = op;
    n->all = wri_tok(p)->kw == WRI_KW_ALL;
    n->arg = left;
    wri_advance(p);
    if (!wri_query_or_list(p, &n->query, &n->list)) return NULL;
    return wri_done(p, n);
}

static bool
is_quantifier(const wri_parser *p)
{
    uint16_t kw = wri_tok(p)->kw;
    return (kw == WRI_KW_SOME || kw == WRI_KW_ANY || kw == WRI_KW_ALL) &&
           wri_at_tok(p, 1, WRI_T_LPAREN);
}

static wr_ast *
binary(wri_parser *p, infix x, wr_ast *left, bool stop_at_and)
{
    if (x.op == WR_SQL_BINOP_AND || x.op == WR_SQL_BINOP_OR)
        return chain(p, x.op, left, stop_at_and);
    wr_span span = skip(p, x.words);
    if (x.op >= WR_SQL_BINOP_EQ && x.op <= WR_SQL_BINOP_GE && is_quantifier(p))
        return quantified(p, x.op, left);
    if (!needs_operand(p, x.words)) return NULL;
    wr_ast *right = wri_expr_prec(p, x.power + 1u, stop_at_and);
    return right ? binary_node(p, x.op, span, left, right) : NULL;
}

/* IS [NOT] JSON [VALUE | SCALAR | ARRAY | OBJECT], behind JSON */
static wr_sql_is
json_kind(wri_parser *p)
{
    if (wri_accept_kw(p, WRI_KW_VALUE)) return WR_SQL_IS_JSON_VALUE;
    if (wri_accept_kw(p, WRI_KW_SCALAR)) return WR_SQL_IS_JSON_SCALAR;
    if (wri_accept_kw(p, WRI_KW_ARRAY)) return WR_SQL_IS_JSON_ARRAY;
    if (wri_accept_kw(p, WRI_KW_OBJECT)) return WR_SQL_IS_JSON_OBJECT;
    return WR_SQL_IS_JSON_VALUE;
}

static wr_ast *
is_predicate(wri_parser *p, wr_ast *left, bool stop_at_and)
{
    wr_span span = skip(p, 1);
    bool negated = wri_accept_kw(p, WRI_KW_NOT);
    if (wri_accept_kw(p, WRI_KW_DISTINCT)) {
        if (!wri_expect_kw(p, WRI_KW_FROM)) return NULL;
        span.end = wri_prev_end(p);
        wr_ast *right = wri_expr_prec(p, POWER_COMPARE + 1, stop_at_and);
        wr_sql_binop op = negated ? WR_SQL_BINOP_IS_NOT_DISTINCT : WR_SQL_BINOP_IS_DISTINCT;
        return right ? binary_node(p, op, span, left, right) : NULL;
    }
    wr_ast_is *n = wri_node(p, WR_AST_IS, wri_start_of(p, left));
    n->negated = negated;
    n->arg = left;
    if (wri_accept_kw(p, WRI_KW_NULL))
        n->what = WR_SQL_IS_NULL;
    else if (wri_accept_kw(p, WRI_KW_TRUE))
        n->what = WR_SQL_IS_TRUE;
    else if (wri_accept_kw(p, WRI_KW_FALSE))
        n->what = WR_SQL_IS_FALSE;
    else if (wri_accept_kw(p, WRI_KW_UNKNOWN))
        n->what = WR_SQL_IS_UNKNOWN;
    else if (wri_accept_kw(p, WRI_KW_JSON))
        n->what = json_kind(p);
    else if (wri_accept_kw2(p, WRI_KW_A, WRI_KW_SET))
        n->what = WR_SQL_IS_A_SET;
    else if (wri_accept_kw(p, WRI_KW_EMPTY))
        n->what = WR_SQL_IS_EMPTY;
    else
        return negated ? wri_unexpected(p) : wri_unexpected_pair(p, 1, false);
    return wri_done(p, n);
}

static wr_ast *
between(wri_parser *p, infix x, wr_ast *left, bool stop_at_and)
{
    wr_ast_between *n = wri_node(p, WR_AST_BETWEEN, wri_start_of(p, left));
    (void)skip(p, x.words);
    n->negated = x.negated;
    n->symmetric = wri_accept_kw(p, WRI_KW_SYMMETRIC);
    if (!n->symmetric) (void)wri_accept_kw(p, WRI_KW_ASYMMETRIC);
    n->arg = left;
    if (!needs_operand(p, 1)) return NULL;
    n->low = wri_expr_prec(p, 0, true);
    if (n->low && (!wri_is_kw(p, WRI_KW_AND) || !wri_starts_expr(p, 1)))
        return wri_fail_at(p, n->low->span,
                           "SQL parse failed. BETWEEN operator has no terminating AND");
    wri_advance(p);
    n->high = wri_expr_prec(p, POWER_BETWEEN + 1, stop_at_and);
    return wri_done(p, n);
}

static wr_ast *
like(wri_parser *p, infix x, wr_ast *left, bool stop_at_and)
{
    wr_ast_like *n = wri_node(p, WR_AST_LIKE, wri_start_of(p, left));
    (void)skip(p, x.words);
    n->what = x.like;
    n->negated = x.negated;
    n->arg = left;
    if (!needs_operand(p, x.words)) return NULL;
    n->pattern = wri_expr_prec(p, POWER_BETWEEN, stop_at_and);
    if (wri_accept_kw(p, WRI_KW_ESCAPE)) n->escape = wri_primary(p);
    return wri_done(p, n);
}

static wr_ast *
in(wri_parser *p, infix x, wr_ast *left)
{
    wr_ast_in *n = wri_node(p, WR_AST_IN, wri_start_of(p, left));
    (void)skip(p, x.words);
    n->negated = x.negated;
    n->arg = left;
    if (!wri_is(p, WRI_T_LPAREN)) return wri_unexpected_pair(p, 1, false);
    if (!wri_query_or_list(p, &n->query, &n->list)) return NULL;
    return wri_done(p, n);
}

static bool
is_number(const wr_ast *node)
{
    if (!node || node->kind != WR_AST_LITERAL) return false;
    wr_sql_lit lit = ((const wr_ast_literal *)node)->lit;
    return lit == WR_SQL_LIT_INTEGER || lit == WR_SQL_LIT_DECIMAL || lit == WR_SQL_LIT_DOUBLE;
}

static bool
is_zero(const wr_ast *node)
{
    wr_str text = ((const wr_ast_literal *)node)->text;
    for (size_t i = 0; i < text.len && text.ptr[i] != 'E'; i++)
        if (text.ptr[i] != '0' && text.ptr[i] != '.') return false;
    return true;
}

/* Signs of numbers are folded as Flink does: +5 is 5, -(-5) is 5, -0e0 is 0e0. NULL: nothing to
 * fold. */
static wr_ast *
folded(wri_parser *p, const wr_ast_unary *n)
{
    if (p->failed || n->op == WR_SQL_UNOP_NOT) return NULL;
    bool minus = n->op == WR_SQL_UNOP_MINUS;
    wr_ast *arg = n->arg, *result = NULL;
    if (is_number(arg) && (!minus || is_zero(arg))) result = arg;
    if (arg->kind == WR_AST_UNARY && ((wr_ast_unary *)arg)->op == WR_SQL_UNOP_MINUS &&
        is_number(((wr_ast_unary *)arg)->arg))
        result = minus ? ((wr_ast_unary *)arg)->arg : arg;
    if (result) result->span = (wr_span){n->base.span.start, arg->span.end};
    return result;
}

static wr_ast *
unary(wri_parser *p, wr_sql_unop op, uint32_t power, bool stop_at_and)
{
    const bool in_parentheses = p->at > 0 && wri_tok(p)[-1].kind == WRI_T_LPAREN;
    wr_ast_unary *n = wri_node(p, WR_AST_UNARY, wri_start(p));
    n->op = op;
    n->op_span = skip(p, 1);
    /* The printer may put it in parentheses; with them it must not be too deep if it is not without
     * them. */
    const bool deeper = !in_parentheses;
    if (deeper && !wri_enter(p)) return NULL;
    n->arg = wri_expr_prec(p, power, stop_at_and);
    if (deeper) wri_leave(p);
    wr_ast *result = folded(p, n);
    return result ? result : wri_done(p, n);
}

static wr_ast *
operand(wri_parser *p, bool stop_at_and)
{
    const wri_token *t = wri_tok(p);
    if (t->kind == WRI_T_MINUS) return unary(p, WR_SQL_UNOP_MINUS, POWER_SIGN, stop_at_and);
    if (t->kind == WRI_T_PLUS) return unary(p, WR_SQL_UNOP_PLUS, POWER_SIGN, stop_at_and);
    if (t->kw == WRI_KW_NOT) return unary(p, WR_SQL_UNOP_NOT, POWER_NOT, stop_at_and);
    return wri_primary(p);
}

wr_ast *
wri_expr_prec(wri_parser *p, uint32_t power, bool stop_at_and)
{
    if (!wri_enter(p)) return NULL;
    wr_ast *left = operand(p, stop_at_and);
    while (left) {
        infix x = infix_at(p);
        if (x.what == BANG) left = wri_unexpected(p);
        if (x.what == NO_INFIX || x.what == BANG) break;
        if (x.what == IS) {
            bool not = wri_at_word(p, 1, WRI_KW_NOT);
            if (wri_at_word(p, not ? 2 : 1, WRI_KW_DISTINCT)) x.power = POWER_COMPARE;
        }
        if (x.power < power || (stop_at_and && x.what == BINARY && x.op == WR_SQL_BINOP_AND)) break;
        switch (x.what) {
        case BINARY:
            left = binary(p, x, left, stop_at_and);
            break;
        case IS:
            left = is_predicate(p, left, stop_at_and);
            break;
        case BETWEEN:
            left = between(p, x, left, stop_at_and);
            break;
        case LIKE:
            left = like(p, x, left, stop_at_and);
            break;
        case IN:
            left = in(p, x, left);
            break;
        case NO_INFIX:
        case BANG:
            break;
        }
    }
    wri_leave(p);
    return left;
}

wr_ast *
wri_expr(wri_parser *p)
{
    return wri_expr_prec(p, 0, false);
}

bool
wri_expr_list(wri_parser *p, wr_ast_list *out)
{
    uint32_t cap = 0;
    do {
        if (!wri_push(p, out, &cap, wri_expr(p))) return false;
    } while (wri_accept(p, WRI_T_COMMA));
    return true;
}
