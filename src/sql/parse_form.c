/* SPDX-License-Identifier: Apache-2.0 */
/* Functions with a grammar of their own: EXTRACT, TRIM, POSITION, FLOOR ... TO, TIMESTAMPADD and
 * the like. Each becomes a CALL with plain arguments; wr_sql_call_syntax tells how to print it. */
#include "sql/sql_int.h"

static wr_ast_call *
begin(wri_parser *p, wr_sql_call_syntax syntax)
{
    wr_ast_call *n = wri_call_node(p, wri_start(p), syntax);
    wr_ast_ident *name = wri_keyword_name(p);
    n->name = name;
    (void)wri_expect(p, WRI_T_LPAREN);
    return n;
}

static wr_ast *
end(wri_parser *p, wr_ast_call *n)
{
    if (!wri_expect(p, WRI_T_RPAREN)) return NULL;
    return wri_call_suffix(p, n);
}

/* DAY, SQL_TSI_DAY, WEEK(MONDAY), or any other name */
static wr_ast *
unit(wri_parser *p)
{
    const wri_token *t = wri_tok(p);
    uint32_t start = wri_start(p);
    if (t->kind != WRI_T_WORD && t->kind != WRI_T_QUOTED) {
        wri_want_add(p, WRI_WANT_UNIT);
        return wri_unexpected(p);
    }
    wr_str text = wri_text_of(p, t);
    wr_sql_unit u = t->kind == WRI_T_WORD ? wri_unit_find(text) : WR_SQL_UNIT_NONE;
    if (u == WR_SQL_UNIT_NONE) {
        wr_ast_part part = wri_part(p); /* a reserved word is no unit */
        return wri_symbol(p, start, part.name, u);
    }
    wri_advance(p);
    if (u == WR_SQL_UNIT_WEEK && wri_accept(p, WRI_T_LPAREN)) {
        wr_str day = wri_upper(p, wri_text_of(p, wri_tok(p)));
        if (wri_tok(p)->kind != WRI_T_WORD) return wri_unexpected(p);
        wri_advance(p);
        text = wr_arena_printf(p->arena, "WEEK(%.*s)", WR_STR_ARG(day));
        if (!text.ptr) return wri_nomem(p);
        if (!wri_expect(p, WRI_T_RPAREN)) return NULL;
        return wri_symbol(p, start, text, WR_SQL_UNIT_NONE);
    }
    return wri_symbol(p, start, wr_str_c(wr_sql_unit_name(u)), u);
}

static wr_ast *
extract(wri_parser *p)
{
    wr_ast_call *n = begin(p, WR_SQL_CALL_EXTRACT);
    uint32_t cap = 0;
    if (!wri_push(p, &n->args, &cap, unit(p))) return NULL;
    if (!wri_expect_kw(p, WRI_KW_FROM) || !wri_push(p, &n->args, &cap, wri_expr(p))) return NULL;
    return end(p, n);
}

/* FLOOR(x), FLOOR(x TO unit) */
static wr_ast *
round_to(wri_parser *p)
{
    bool ceiling = wri_tok(p)->kw == WRI_KW_CEILING;
    wr_ast_call *n = begin(p, WR_SQL_CALL_PLAIN);
    if (ceiling && n->name) n->name->parts[0].name = WR_STR("CEIL");
    uint32_t cap = 0;
    if (!wri_push(p, &n->args, &cap, wri_expr(p))) return NULL;
    if (wri_accept_kw(p, WRI_KW_TO)) {
        n->syntax = WR_SQL_CALL_ROUND_TO;
        if (!wri_push(p, &n->args, &cap, unit(p))) return NULL;
    }
    return end(p, n);
}

static wr_ast *
blank(wri_parser *p)
{
    wr_ast_literal *n = wri_node(p, WR_AST_LITERAL, wri_prev_end(p));
    n->lit = WR_SQL_LIT_STRING;
    n->text = WR_STR(" ");
    n->charset = WR_STR("");
    n->qual.precision = n->qual.fraction = -1;
    return wri_done(p, n);
}

/* TRIM([[BOTH|LEADING|TRAILING] [chars] FROM] x) */
static wr_ast *
trim(wri_parser *p)
{
    wr_ast_call *n = begin(p, WR_SQL_CALL_TRIM);
    uint32_t cap = 0, start = wri_start(p);
    wr_str side = WR_STR("BOTH");
    wr_ast *chars = NULL, *value = NULL;
    bool sided = true;
    if (wri_accept_kw(p, WRI_KW_LEADING))
        side = WR_STR("LEADING");
    else if (wri_accept_kw(p, WRI_KW_TRAILING))
        side = WR_STR("TRAILING");
    else if (!wri_accept_kw(p, WRI_KW_BOTH))
        sided = false;
    if (!sided && wri_is_kw(p, WRI_KW_FROM))
        return wri_fail_at(p, wri_token_span(p, wri_tok(p)),
                           "SQL parse failed. 'FROM' without operands preceding it is illegal");
    wr_ast *symbol = wri_symbol(p, start, side, WR_SQL_UNIT_NONE);
    if (!wri_is_kw(p, WRI_KW_FROM)) value = wri_expr(p);
    if (wri_accept_kw(p, WRI_KW_FROM)) {
        chars = value;
        value = wri_expr(p);
    }
    if (!chars) chars = blank(p);
    if (!wri_push(p, &n->args, &cap, symbol) || !wri_push(p, &n->args, &cap, chars) ||
        !wri_push(p, &n->args, &cap, value))
        return NULL;
    return end(p, n);
}

/* SUBSTRING(x {FROM | ,} a [{FOR | ,} b]) */
static wr_ast *
substring(wri_parser *p)
{
    wr_ast_call *n = begin(p, WR_SQL_CALL_PLAIN);
    uint32_t cap = 0;
    if (!wri_push(p, &n->args, &cap, wri_expr(p))) return NULL;
    if (!wri_accept_kw(p, WRI_KW_FROM) && !wri_expect(p, WRI_T_COMMA)) return NULL;
    if (!wri_push(p, &n->args, &cap, wri_expr(p))) return NULL;
    if ((wri_accept_kw(p, WRI_KW_FOR) || wri_accept(p, WRI_T_COMMA)) &&
        !wri_push(p, &n->args, &cap, wri_expr(p)))
        return NULL;
    return end(p, n);
}

/* POSITION(a IN b [FROM n]): `a` must end before IN, so it is an operand */
static wr_ast *
position(wri_parser *p)
{
    wr_ast_call *n = begin(p, WR_SQL_CALL_POSITION);
    uint32_t cap = 0;
    if (!wri_push(p, &n->args, &cap, wri_primary(p))) return NULL;
    if (!wri_expect_kw(p, WRI_KW_IN) || !wri_push(p, &n->args, &cap, wri_expr(p))) return NULL;
    if (wri_accept_kw(p, WRI_KW_FROM) && !wri_push(p, &n->args, &cap, wri_expr(p))) return NULL;
    return end(p, n);
}

static wr_ast *
overlay(wri_parser *p)
{
    wr_ast_call *n = begin(p, WR_SQL_CALL_OVERLAY);
    uint32_t cap = 0;
    if (!wri_push(p, &n->args, &cap, wri_expr(p))) return NULL;
    if (!wri_expect_kw(p, WRI_KW_PLACING) || !wri_push(p, &n->args, &cap, wri_expr(p))) return NULL;
    if (!wri_expect_kw(p, WRI_KW_FROM) || !wri_push(p, &n->args, &cap, wri_expr(p))) return NULL;
    if (wri_accept_kw(p, WRI_KW_FOR) && !wri_push(p, &n->args, &cap, wri_expr(p))) return NULL;
    return end(p, n);
}

/* f(x USING charset); CONVERT(type, x); CONVERT(x, from, to); TRANSLATE(x, ...) */
static wr_ast *
convert(wri_parser *p)
{
    bool is_convert = wri_tok(p)->kw == WRI_KW_CONVERT;
    wr_ast_call *n = begin(p, WR_SQL_CALL_PLAIN);
    uint32_t cap = 0;
    const wri_kw_info *first = wri_kw_get((wri_kw)wri_tok(p)->kw);
    bool type = is_convert && first->reserved && first->use == WRI_USE_WORD &&
                !wri_is_literal(p, 0) && wri_tok(p)->kw != WRI_KW_CASE &&
                wri_tok(p)->kw != WRI_KW_CAST;
    if (!wri_push(p, &n->args, &cap, type ? (wr_ast *)wri_type(p, false) : wri_expr(p)))
        return NULL;
    if (!type && wri_accept_kw(p, WRI_KW_USING)) {
        n->syntax = WR_SQL_CALL_USING;
        n->name->parts[0].name = WR_STR("TRANSLATE"); /* CONVERT ... USING is the same */
        uint32_t start = wri_start(p);
        wr_ast_part charset = wri_part(p);
        if (!wri_push(p, &n->args, &cap, wri_symbol(p, start, charset.name, WR_SQL_UNIT_NONE)))
            return NULL;
        return end(p, n);
    }
    while (wri_accept(p, WRI_T_COMMA))
        if (!wri_push(p, &n->args, &cap, wri_expr(p))) return NULL;
    return end(p, n);
}

/* TIMESTAMPADD(unit, n, x), TIMESTAMPDIFF(unit, a, b) */
static wr_ast *
unit_first(wri_parser *p)
{
    wr_ast_call *n = begin(p, WR_SQL_CALL_PLAIN);
    uint32_t cap = 0;
    if (!wri_push(p, &n->args, &cap, unit(p))) return NULL;
    for (int i = 0; i < 2; i++)
        if (!wri_expect(p, WRI_T_COMMA) || !wri_push(p, &n->args, &cap, wri_expr(p))) return NULL;
    return end(p, n);
}

/* TIMESTAMP_DIFF(a, b, unit), TIME_TRUNC(a, unit), DATE_TRUNC({'unit', a | a, unit}): the unit is a
 * bare word */
static wr_ast *
unit_last(wri_parser *p, int before)
{
    wr_ast_call *n = begin(p, WR_SQL_CALL_PLAIN);
    uint32_t cap = 0;
    for (int i = 0; i < before; i++)
        if (!wri_push(p, &n->args, &cap, wri_expr(p)) || !wri_expect(p, WRI_T_COMMA)) return NULL;
    bool word = wri_tok(p)->kind == WRI_T_WORD &&
                wri_unit_find(wri_text_of(p, wri_tok(p))) != WR_SQL_UNIT_NONE &&
                (wri_at_tok(p, 1, WRI_T_RPAREN) || wri_at_word(p, 0, WRI_KW_WEEK));
    if (!wri_push(p, &n->args, &cap, word ? unit(p) : wri_expr(p))) return NULL;
    return end(p, n);
}

/* PREV(x), NEXT(x) are reserved words; FIRST and LAST are ordinary names */
static wr_ast *
navigation(wri_parser *p)
{
    wr_ast_ident *name = wri_keyword_name(p);
    if (!name) return NULL;
    return wri_call(p, name);
}

/* NEW t(x), SPECIFIC f(x) */
static wr_ast *
prefixed(wri_parser *p, wr_sql_call_syntax syntax)
{
    uint32_t start = wri_start(p);
    wri_advance(p);
    wr_ast_ident *name = wri_ident(p);
    if (!wri_is(p, WRI_T_LPAREN)) return wri_unexpected(p);
    wr_ast *call = wri_call(p, name);
    if (!call) return NULL;
    ((wr_ast_call *)call)->syntax = syntax;
    call->span.start = start;
    return call;
}

wr_ast *
wri_call_special(wri_parser *p)
{
    wri_kw kw = (wri_kw)wri_tok(p)->kw;
    if (kw == WRI_KW_NEW) return prefixed(p, WR_SQL_CALL_NEW);
    if (kw == WRI_KW_SPECIFIC) return prefixed(p, WR_SQL_CALL_SPECIFIC);
    if (kw == WRI_KW_none || !wri_at_tok(p, 1, WRI_T_LPAREN)) return NULL;
    switch ((unsigned)kw) {
    case WRI_KW_EXTRACT:
        return extract(p);
    case WRI_KW_FLOOR:
    case WRI_KW_CEIL:
    case WRI_KW_CEILING:
        return round_to(p);
    case WRI_KW_TRIM:
        return trim(p);
    case WRI_KW_SUBSTRING:
        return substring(p);
    case WRI_KW_POSITION:
        return position(p);
    case WRI_KW_OVERLAY:
        return overlay(p);
    case WRI_KW_CONVERT:
    case WRI_KW_TRANSLATE:
        return convert(p);
    case WRI_KW_TIMESTAMPADD:
    case WRI_KW_TIMESTAMPDIFF:
        return unit_first(p);
    case WRI_KW_TIMESTAMP_DIFF:
    case WRI_KW_TIME_DIFF:
        return unit_last(p, 2);
    case WRI_KW_DATE_TRUNC:
    case WRI_KW_DATETIME_TRUNC:
    case WRI_KW_TIMESTAMP_TRUNC:
    case WRI_KW_TIME_TRUNC:
        return unit_last(p, 1);
    case WRI_KW_PREV:
    case WRI_KW_NEXT:
        return navigation(p);
    case WRI_KW_JSON_EXISTS:
    case WRI_KW_JSON_VALUE:
    case WRI_KW_JSON_QUERY:
    case WRI_KW_JSON_OBJECT:
    case WRI_KW_JSON_OBJECTAGG:
    case WRI_KW_JSON_ARRAY:
    case WRI_KW_JSON_ARRAYAGG:
        return wri_json_call(p, kw);
    default:
        return NULL;
    }
}
