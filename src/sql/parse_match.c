/* SPDX-License-Identifier: Apache-2.0 */
/* MATCH_RECOGNIZE with its pattern language. */
#include "sql/sql_int.h"

static wr_ast *alternation(wri_parser *p);

static wr_ast_pattern *
pattern_node(wri_parser *p, wr_sql_pattern what, uint32_t start)
{
    wr_ast_pattern *n = wri_node(p, WR_AST_PATTERN, start);
    n->what = what;
    return n;
}

static wr_ast *
enclosed(wri_parser *p, wr_sql_pattern what)
{
    wr_ast_pattern *n = pattern_node(p, what, wri_start(p));
    uint32_t cap = 0;
    wri_advance(p);
    if (what == WR_SQL_PATTERN_EXCLUDE) wri_advance(p); /* {- */
    if (what == WR_SQL_PATTERN_PERMUTE && !wri_expect(p, WRI_T_LPAREN)) return NULL;
    do {
        if (!wri_push(p, &n->items, &cap, alternation(p))) return NULL;
    } while (what == WR_SQL_PATTERN_PERMUTE && wri_accept(p, WRI_T_COMMA));
    if (what == WR_SQL_PATTERN_EXCLUDE) {
        if (!wri_expect(p, WRI_T_MINUS) || !wri_expect(p, WRI_T_RBRACE)) return NULL;
    } else if (!wri_expect(p, WRI_T_RPAREN)) {
        return NULL;
    }
    return wri_done(p, n);
}

static bool
is_exclusion(const wri_parser *p)
{
    return wri_at_tok(p, 0, WRI_T_LBRACE) && wri_at_tok(p, 1, WRI_T_MINUS);
}

static bool
starts_pattern(const wri_parser *p)
{
    return wri_is_name(p, 0) || wri_at_tok(p, 0, WRI_T_LPAREN) || is_exclusion(p) ||
           wri_at_word(p, 0, WRI_KW_PERMUTE);
}

static wr_ast *
pattern_primary(wri_parser *p)
{
    if (wri_at_word(p, 0, WRI_KW_PERMUTE)) return enclosed(p, WR_SQL_PATTERN_PERMUTE);
    if (wri_at_tok(p, 0, WRI_T_LPAREN)) return enclosed(p, WR_SQL_PATTERN_GROUP);
    if (is_exclusion(p)) return enclosed(p, WR_SQL_PATTERN_EXCLUDE);
    wr_ast_pattern *n = pattern_node(p, WR_SQL_PATTERN_VAR, wri_start(p));
    n->name = wri_part(p);
    return wri_done(p, n);
}

/* Any number is read, but it has to be a whole one. */
static bool
times(wri_parser *p, int32_t *out)
{
    const wri_token *t = wri_tok(p);
    if (t->kind != WRI_T_DECIMAL && t->kind != WRI_T_DOUBLE) return wri_int32(p, out);
    const wr_str image = wri_text_of(p, t);
    return wri_fail_at(p, wri_token_span(p, t), "Numeric literal '%.*s' out of range",
                       (int)WR_MIN(image.len, (size_t)40), image.ptr) != NULL;
}

/* {n}, {n,}, {n,m}, {,m} */
static bool
braces(wri_parser *p, wr_ast_pattern *n)
{
    int32_t min = 0, max = -1;
    bool has_min = !wri_is(p, WRI_T_COMMA);
    if (has_min && !times(p, &min)) return false;
    if (!wri_accept(p, WRI_T_COMMA)) {
        max = min;
    } else if (!has_min || !wri_is(p, WRI_T_RBRACE)) {
        if (!times(p, &max)) return false;
    }
    n->min = min;
    n->max = max;
    return wri_expect(p, WRI_T_RBRACE);
}

static wr_ast *
quantified(wri_parser *p)
{
    wr_ast *item = pattern_primary(p);
    if (!item) return NULL;
    wr_ast_pattern probe = {.min = 0, .max = -1};
    if (wri_accept(p, WRI_T_PLUS)) {
        probe.min = 1;
    } else if (wri_accept(p, WRI_T_QUESTION)) {
        probe.max = 1;
    } else if (wri_at_tok(p, 0, WRI_T_LBRACE) && !is_exclusion(p)) {
        wri_advance(p);
        if (!braces(p, &probe)) return NULL;
    } else if (!wri_accept(p, WRI_T_STAR)) {
        return item;
    }
    wr_ast_pattern *n = pattern_node(p, WR_SQL_PATTERN_REPEAT, item->span.start);
    uint32_t cap = 0;
    n->min = probe.min;
    n->max = probe.max;
    n->reluctant = wri_accept(p, WRI_T_QUESTION);
    if (!wri_push(p, &n->items, &cap, item)) return NULL;
    return wri_done(p, n);
}

static wr_ast *
concatenation(wri_parser *p)
{
    wr_ast *first = quantified(p);
    if (!first || !starts_pattern(p)) return first;
    wr_ast_pattern *n = pattern_node(p, WR_SQL_PATTERN_CONCAT, first->span.start);
    uint32_t cap = 0;
    if (!wri_push(p, &n->items, &cap, first)) return NULL;
    while (starts_pattern(p))
        if (!wri_push(p, &n->items, &cap, quantified(p))) return NULL;
    return wri_done(p, n);
}

static wr_ast *
alternation(wri_parser *p)
{
    if (!wri_enter(p)) return NULL;
    wr_ast *first = concatenation(p);
    if (first && wri_is(p, WRI_T_BAR)) {
        wr_ast_pattern *n = pattern_node(p, WR_SQL_PATTERN_ALTERNATE, first->span.start);
        uint32_t cap = 0;
        if (!wri_push(p, &n->items, &cap, first)) return NULL;
        while (wri_accept(p, WRI_T_BAR))
            if (!wri_push(p, &n->items, &cap, concatenation(p))) return NULL;
        first = wri_done(p, n);
    }
    wri_leave(p);
    return first;
}

/* ---- clauses --------------------------------------------------------------------------------- */
/* expr AS name, or name AS expr */
static bool
named_list(wri_parser *p, wr_ast_list *out, bool name_first)
{
    uint32_t cap = 0;
    do {
        wr_ast_alias *n = wri_node(p, WR_AST_ALIAS, wri_start(p));
        if (name_first) n->name = wri_part(p);
        if (!name_first) n->expr = wri_expr(p);
        if (!wri_expect_kw(p, WRI_KW_AS)) return false;
        if (name_first) n->expr = wri_expr(p);
        if (!name_first) n->name = wri_part(p);
        if (!wri_push(p, out, &cap, wri_done(p, n))) return false;
    } while (wri_accept(p, WRI_T_COMMA));
    return true;
}

/* S = (A, B), ... */
static bool
subsets(wri_parser *p, wr_ast_list *out)
{
    uint32_t cap = 0;
    do {
        wr_ast_named_arg *n = wri_node(p, WR_AST_NAMED_ARG, wri_start(p));
        n->name = wri_part(p);
        if (!wri_expect(p, WRI_T_EQ)) return false;
        wr_ast_constructor *row = wri_node(p, WR_AST_CONSTRUCTOR, wri_start(p));
        row->what = WR_SQL_CONSTRUCT_ROW;
        row->implicit = true;
        if (!wri_ident_list(p, &row->items)) return false;
        n->value = wri_done(p, row);
        if (!wri_push(p, out, &cap, wri_done(p, n))) return false;
    } while (wri_accept(p, WRI_T_COMMA));
    return true;
}

/* AFTER MATCH SKIP {TO NEXT ROW | PAST LAST ROW | TO [FIRST | LAST] v} */
static bool
after_match(wri_parser *p, wr_ast_match *n)
{
    if (!wri_expect_kw(p, WRI_KW_MATCH) || !wri_expect_kw(p, WRI_KW_SKIP)) return false;
    if (wri_accept_kw(p, WRI_KW_PAST)) {
        n->after = WR_SQL_AFTER_PAST_LAST_ROW;
        return wri_expect_kw(p, WRI_KW_LAST) && wri_expect_kw(p, WRI_KW_ROW);
    }
    if (!wri_expect_kw(p, WRI_KW_TO)) return false;
    if (wri_accept_kw(p, WRI_KW_NEXT)) {
        n->after = WR_SQL_AFTER_NEXT_ROW;
        return wri_expect_kw(p, WRI_KW_ROW);
    }
    n->after = WR_SQL_AFTER_LAST;
    if (wri_is_name(p, 1)) {
        if (wri_accept_kw(p, WRI_KW_FIRST))
            n->after = WR_SQL_AFTER_FIRST;
        else
            (void)wri_accept_kw(p, WRI_KW_LAST);
    }
    n->after_var = wri_part(p);
    return !p->failed;
}

static bool
rows_per_match(wri_parser *p, wr_ast_match *n)
{
    if (wri_accept_kw(p, WRI_KW_ONE)) {
        n->rows = WR_SQL_ROWS_ONE;
        return wri_expect_kw(p, WRI_KW_ROW) && wri_expect_kw(p, WRI_KW_PER) &&
               wri_expect_kw(p, WRI_KW_MATCH);
    }
    if (!wri_accept_kw(p, WRI_KW_ALL)) return true;
    n->rows = WR_SQL_ROWS_ALL;
    return wri_expect_kw(p, WRI_KW_ROWS) && wri_expect_kw(p, WRI_KW_PER) &&
           wri_expect_kw(p, WRI_KW_MATCH);
}

static bool
pattern(wri_parser *p, wr_ast_match *n)
{
    if (!wri_expect_kw(p, WRI_KW_PATTERN) || !wri_expect(p, WRI_T_LPAREN)) return false;
    n->strict_start = wri_accept(p, WRI_T_CARET);
    n->pattern = (wr_ast_pattern *)alternation(p);
    n->strict_end = wri_accept(p, WRI_T_DOLLAR);
    if (!wri_expect(p, WRI_T_RPAREN)) return false;
    if (wri_accept_kw(p, WRI_KW_WITHIN)) n->within = wri_interval_literal(p);
    return !p->failed;
}

wr_ast *
wri_match(wri_parser *p, wr_ast *input, uint32_t start)
{
    wr_ast_match *n = wri_node(p, WR_AST_MATCH, start);
    n->input = input;
    wri_advance(p);
    if (!wri_expect(p, WRI_T_LPAREN)) return NULL;
    if (wri_accept_kw(p, WRI_KW_PARTITION) &&
        (!wri_expect_kw(p, WRI_KW_BY) || !wri_plain_list(p, &n->partition_by)))
        return NULL;
    if (wri_accept_kw(p, WRI_KW_ORDER) && !wri_order_by(p, &n->order_by)) return NULL;
    if (wri_accept_kw(p, WRI_KW_MEASURES) && !named_list(p, &n->measures, false)) return NULL;
    if (!rows_per_match(p, n)) return NULL;
    if (wri_accept_kw(p, WRI_KW_AFTER) && !after_match(p, n)) return NULL;
    if (!pattern(p, n)) return NULL;
    if (wri_accept_kw(p, WRI_KW_SUBSET) && !subsets(p, &n->subsets)) return NULL;
    if (!wri_expect_kw(p, WRI_KW_DEFINE) || !named_list(p, &n->define, true)) return NULL;
    if (!wri_expect(p, WRI_T_RPAREN) || !wri_alias(p, &n->as)) return NULL;
    return wri_done(p, n);
}
