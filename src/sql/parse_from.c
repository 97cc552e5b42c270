/* SPDX-License-Identifier: Apache-2.0 */
/* FROM: tables, joins, derived tables, table functions, UNNEST, PIVOT and UNPIVOT, samples,
 * aliases. */
#include "sql/sql_int.h"

/* [[AS] name [(columns)]] */
bool
wri_alias(wri_parser *p, wr_ast_as *out)
{
    bool as = wri_accept_kw(p, WRI_KW_AS);
    if (!as && !wri_is_name(p, 0)) {
        wri_want_add(p, WRI_WANT_NAME);
        return true;
    }
    out->name = wri_part(p);
    if (!as) p->alias_at = p->at;
    if (wri_is(p, WRI_T_LPAREN)) return wri_parts(p, &out->columns);
    return !p->failed;
}

/* [TABLESAMPLE {BERNOULLI | SYSTEM} (p) [REPEATABLE (n)] | TABLESAMPLE SUBSTITUTE ('x')] */
static bool
sample(wri_parser *p, wr_ast_tablesample *out)
{
    if (!wri_accept_kw(p, WRI_KW_TABLESAMPLE)) return true;
    if (wri_accept_kw(p, WRI_KW_SUBSTITUTE)) {
        out->method = WR_SQL_SAMPLE_SUBSTITUTE;
        if (!wri_expect(p, WRI_T_LPAREN)) return false;
        out->amount = wri_string(p);
        return wri_expect(p, WRI_T_RPAREN);
    }
    out->method = WR_SQL_SAMPLE_BERNOULLI;
    if (!wri_accept_kw(p, WRI_KW_BERNOULLI)) {
        if (!wri_expect_kw(p, WRI_KW_SYSTEM)) return false;
        out->method = WR_SQL_SAMPLE_SYSTEM;
    }
    if (!wri_expect(p, WRI_T_LPAREN)) return false;
    out->amount = wri_number(p);
    if (!wri_expect(p, WRI_T_RPAREN)) return false;
    if (!wri_accept_kw(p, WRI_KW_REPEATABLE)) return true;
    if (!wri_expect(p, WRI_T_LPAREN)) return false;
    out->seed = wri_signed_literal(p);
    return wri_expect(p, WRI_T_RPAREN);
}

/* ---- PIVOT, UNPIVOT -------------------------------------------------------------------------- */
/* a, or (a, b) */
static bool
axes(wri_parser *p, wr_ast_parts *out)
{
    if (wri_is(p, WRI_T_LPAREN)) return wri_parts(p, out);
    out->items = WR_NEW(p->arena, wr_ast_part);
    if (!out->items) return wri_nomem(p) != NULL;
    out->items[0] = wri_part(p);
    out->count = 1;
    return !p->failed;
}

static wr_ast *
aliased(wri_parser *p, wr_ast *expr)
{
    if (!expr || (!wri_accept_kw(p, WRI_KW_AS) && !wri_is_name(p, 0))) return expr;
    wr_ast_alias *n = wri_node(p, WR_AST_ALIAS, expr->span.start);
    n->expr = expr;
    n->name = wri_part(p);
    return wri_done(p, n);
}

static wr_ast *
pivot(wri_parser *p, wr_ast *input)
{
    wr_ast_pivot *n = wri_node(p, WR_AST_PIVOT, input->span.start);
    uint32_t agg_cap = 0, value_cap = 0;
    n->input = input;
    wri_advance(p);
    if (!wri_expect(p, WRI_T_LPAREN)) return NULL;
    do {
        if (!wri_push(p, &n->aggs, &agg_cap, aliased(p, wri_primary(p)))) return NULL;
    } while (wri_accept(p, WRI_T_COMMA));
    if (!wri_expect_kw(p, WRI_KW_FOR) || !axes(p, &n->axes)) return NULL;
    if (!wri_expect_kw(p, WRI_KW_IN) || !wri_expect(p, WRI_T_LPAREN)) return NULL;
    do {
        if (!wri_push(p, &n->values, &value_cap, aliased(p, wri_expr(p)))) return NULL;
    } while (wri_accept(p, WRI_T_COMMA));
    if (!wri_expect(p, WRI_T_RPAREN) || !wri_expect(p, WRI_T_RPAREN) || !wri_alias(p, &n->as))
        return NULL;
    return wri_done(p, n);
}

/* x, or (x, y): a ROW in any case */
static wr_ast *
row_of(wri_parser *p, wr_ast *(*item)(wri_parser *))
{
    wr_ast_constructor *n = wri_node(p, WR_AST_CONSTRUCTOR, wri_start(p));
    uint32_t cap = 0;
    n->what = WR_SQL_CONSTRUCT_ROW;
    n->implicit = true;
    bool paren = wri_accept(p, WRI_T_LPAREN);
    do {
        if (!wri_push(p, &n->items, &cap, item(p))) return NULL;
    } while (paren && wri_accept(p, WRI_T_COMMA));
    if (paren && !wri_expect(p, WRI_T_RPAREN)) return NULL;
    return wri_done(p, n);
}

static wr_ast *
simple_name(wri_parser *p)
{
    return (wr_ast *)wri_ident_simple(p);
}

static wr_ast *
unpivot(wri_parser *p, wr_ast *input)
{
    wr_ast_unpivot *n = wri_node(p, WR_AST_UNPIVOT, input->span.start);
    uint32_t column_cap = 0, value_cap = 0;
    n->input = input;
    wri_advance(p);
    n->include_nulls = wri_accept_kw(p, WRI_KW_INCLUDE);
    if ((n->include_nulls || wri_accept_kw(p, WRI_KW_EXCLUDE)) && !wri_expect_kw(p, WRI_KW_NULLS))
        return NULL;
    if (!wri_expect(p, WRI_T_LPAREN) || !axes(p, &n->measures)) return NULL;
    if (!wri_expect_kw(p, WRI_KW_FOR) || !axes(p, &n->axes)) return NULL;
    if (!wri_expect_kw(p, WRI_KW_IN) || !wri_expect(p, WRI_T_LPAREN)) return NULL;
    do {
        if (!wri_push(p, &n->columns, &column_cap, row_of(p, simple_name))) return NULL;
        wr_ast *values = wri_accept_kw(p, WRI_KW_AS) ? row_of(p, wri_signed_literal) : NULL;
        if (!wri_push(p, &n->values, &value_cap, values)) return NULL;
    } while (wri_accept(p, WRI_T_COMMA));
    if (!wri_expect(p, WRI_T_RPAREN) || !wri_expect(p, WRI_T_RPAREN) || !wri_alias(p, &n->as))
        return NULL;
    return wri_done(p, n);
}

/* PIVOT, UNPIVOT and MATCH_RECOGNIZE behind a table */
static bool
is_wrapper(wri_parser *p)
{
    return wri_is_kw(p, WRI_KW_MATCH_RECOGNIZE) || wri_is_kw(p, WRI_KW_PIVOT) ||
           wri_is_kw(p, WRI_KW_UNPIVOT);
}

static wr_ast *
wrap(wri_parser *p, wr_ast *table)
{
    if (wri_tok(p)->kw == WRI_KW_PIVOT) return pivot(p, table);
    if (wri_tok(p)->kw == WRI_KW_UNPIVOT) return unpivot(p, table);
    return wri_match(p, table, table->span.start);
}

/* The end of every table but a join: alias, MATCH_RECOGNIZE, sample. */
static wr_ast *
finish(wri_parser *p, void *node, wr_ast_as *as, wr_ast_tablesample *s)
{
    if (is_wrapper(p)) {
        wr_ast *table = wri_done(p, node);
        return table ? wrap(p, table) : NULL;
    }
    if (!wri_alias(p, as)) return NULL;
    if (wri_is_kw(p, WRI_KW_MATCH_RECOGNIZE)) {
        wr_ast *table = wri_done(p, node);
        return table ? wrap(p, table) : NULL;
    }
    if (!sample(p, s)) return NULL;
    return wri_done(p, node);
}

/* ---- table factors --------------------------------------------------------------------------- */
/* (c type, ...) of EXTEND */
static bool
extend(wri_parser *p, wr_ast_list *out)
{
    uint32_t cap = 0;
    if (!wri_expect(p, WRI_T_LPAREN)) return false;
    do {
        wr_ast_column *n = wri_node(p, WR_AST_COLUMN, wri_start(p));
        n->column = WR_SQL_COLUMN_PHYSICAL;
        n->path = wri_ident(p);
        n->type = wri_type(p, true);
        if (!wri_push(p, out, &cap, wri_done(p, n))) return false;
    } while (wri_accept(p, WRI_T_COMMA));
    return wri_expect(p, WRI_T_RPAREN);
}

/* Is the "(" at hand, behind a table's name, EXTEND without the word: (name TYPE ...? */
static bool
is_extend(const wri_parser *p)
{
    return wri_is_name(p, 1) && wri_is_type_word(p, 2);
}

static wr_ast *
table_ref(wri_parser *p, wr_ast_ident *name, wr_ast *file, uint32_t start)
{
    wr_ast_table_ref *n = wri_node(p, WR_AST_TABLE_REF, start);
    n->name = name;
    n->file = file;
    if (!wri_hints(p, &n->hints)) return NULL;
    if (wri_accept_kw(p, WRI_KW_EXTEND) || wri_at_tok(p, 0, WRI_T_LPAREN))
        if (!extend(p, &n->extend)) return NULL;
    if (wri_accept_kw(p, WRI_KW_FOR)) {
        if (!wri_expect_kw(p, WRI_KW_SYSTEM_TIME) || !wri_expect_kw(p, WRI_KW_AS) ||
            !wri_expect_kw(p, WRI_KW_OF))
            return NULL;
        n->system_time = wri_expr(p);
    }
    return finish(p, n, &n->as, &n->sample);
}

static wr_ast *
table_func(wri_parser *p, wr_ast *call, bool lateral, uint32_t start)
{
    wr_ast_table_func *n = wri_node(p, WR_AST_TABLE_FUNC, start);
    n->lateral = lateral;
    n->call = call;
    return finish(p, n, &n->as, &n->sample);
}

/* A name: a table, or a function when "(" follows */
static wr_ast *
named_table(wri_parser *p)
{
    uint32_t start = wri_start(p);
    wr_ast_ident *name = wri_ident(p);
    if (!name) return NULL;
    if (!wri_is(p, WRI_T_LPAREN) || is_extend(p)) return table_ref(p, name, NULL, start);
    return table_func(p, wri_call(p, name), false, start);
}

/* TABLE (f(...)) */
static wr_ast *
table_call(wri_parser *p, bool lateral, uint32_t start)
{
    wri_advance(p);
    if (!wri_expect(p, WRI_T_LPAREN)) return NULL;
    bool specific = wri_accept_kw(p, WRI_KW_SPECIFIC);
    wr_ast_ident *name = wri_ident(p);
    if (!wri_is(p, WRI_T_LPAREN)) return wri_unexpected(p);
    wr_ast *call = wri_call(p, name);
    if (call && specific) ((wr_ast_call *)call)->syntax = WR_SQL_CALL_SPECIFIC;
    if (!wri_expect(p, WRI_T_RPAREN)) return NULL;
    return table_func(p, call, lateral, start);
}

static wr_ast *
unnest(wri_parser *p, uint32_t start)
{
    wr_ast_unnest *n = wri_node(p, WR_AST_UNNEST, start);
    wri_advance(p);
    if (!wri_expect(p, WRI_T_LPAREN) || !wri_expr_list(p, &n->args) || !wri_expect(p, WRI_T_RPAREN))
        return NULL;
    n->with_ordinality = wri_accept_kw2(p, WRI_KW_WITH, WRI_KW_ORDINALITY);
    return finish(p, n, &n->as, &n->sample);
}

static wr_ast *
derived(wri_parser *p, bool lateral, uint32_t start)
{
    wr_ast_derived *n = wri_node(p, WR_AST_DERIVED, start);
    n->lateral = lateral;
    n->query = wri_query_in_parens(p);
    return finish(p, n, &n->as, &n->sample);
}

static wr_ast *joins(wri_parser *p);

/* (a JOIN b ON ...) */
static wr_ast *
joined_in_parens(wri_parser *p)
{
    uint32_t start = wri_start(p);
    wri_advance(p);
    if (!wri_enter(p)) return NULL;
    wr_ast *table = joins(p);
    wri_leave(p);
    if (!table || !wri_expect(p, WRI_T_RPAREN)) return NULL;
    if (table->kind != WR_AST_JOIN)
        return wri_fail_at(p, table->span, "SQL parse failed. Expected query or join");
    table->span = (wr_span){start, wri_prev_end(p)};
    if (wri_is_kw(p, WRI_KW_AS) || wri_is_name(p, 0)) {
        (void)wri_fail_at(p, table->span,
                          "SQL parse failed. Join expression encountered in illegal context");
        WRI_HINT(p,
                 "a join in parentheses has no name of its own: write (SELECT * FROM ...) AS name");
        return NULL;
    }
    return table;
}

wr_ast *
wri_table_factor(wri_parser *p)
{
    uint32_t start = wri_start(p);
    bool lateral = wri_accept_kw(p, WRI_KW_LATERAL);
    if (wri_is_kw(p, WRI_KW_UNNEST)) return unnest(p, start);
    if (wri_is_kw(p, WRI_KW_TABLE)) return table_call(p, lateral, start);
    if (wri_is(p, WRI_T_LPAREN)) {
        if (lateral || wri_paren_is_query(p, 0)) return derived(p, lateral, start);
        return joined_in_parens(p);
    }
    if (lateral) return wri_unexpected(p);
    if (wri_at_tok(p, 0, WRI_T_STRING)) return table_ref(p, NULL, wri_string(p), start);
    if (!wri_is_name(p, 0)) {
        wri_want_add(p, WRI_WANT_TABLE);
        wri_want_add(p, WRI_WANT_NAME);
        return wri_unexpected(p);
    }
    return named_table(p);
}

/* Can a table begin at the current token? */
static bool
starts_table(const wri_parser *p)
{
    return wri_is_name(p, 0) || wri_at_tok(p, 0, WRI_T_LPAREN) || wri_at_tok(p, 0, WRI_T_STRING) ||
           wri_at_word(p, 0, WRI_KW_LATERAL) || wri_at_word(p, 0, WRI_KW_UNNEST) ||
           wri_at_word(p, 0, WRI_KW_TABLE);
}

/* ---- joins ----------------------------------------------------------------------------------- */
/* [NATURAL] [INNER | {LEFT | RIGHT | FULL} [OUTER] | CROSS] JOIN; false: none here, or an error */
static bool
join_type(wri_parser *p, wr_ast_join *n)
{
    static const struct {
        wri_kw kw;
        wr_sql_join type;
    } outer[] = {{WRI_KW_LEFT, WR_SQL_JOIN_LEFT},
                 {WRI_KW_RIGHT, WR_SQL_JOIN_RIGHT},
                 {WRI_KW_FULL, WR_SQL_JOIN_FULL}};
    uint32_t start = wri_start(p), first = p->at;
    bool apply = wri_at_word(p, 0, WRI_KW_CROSS) || wri_at_word(p, 0, WRI_KW_OUTER);
    if (apply && wri_at_word(p, 1, WRI_KW_APPLY))
        return wri_fail_at(p, (wr_span){start, wri_token_span(p, wri_peek(p, 1)).end},
                           "SQL parse failed. APPLY operator is not allowed under the current SQL "
                           "conformance level") != NULL;
    n->natural = wri_accept_kw(p, WRI_KW_NATURAL);
    n->type = WR_SQL_JOIN_INNER;
    bool more = n->natural;
    for (uint32_t i = 0; i < WR_COUNT(outer); i++) {
        if (!wri_accept_kw(p, outer[i].kw)) continue;
        n->type = outer[i].type;
        (void)wri_accept_kw(p, WRI_KW_OUTER);
        more = true;
        break;
    }
    if (n->type == WR_SQL_JOIN_INNER) {
        if (wri_accept_kw(p, WRI_KW_INNER)) {
            more = true;
        } else if (wri_accept_kw(p, WRI_KW_CROSS)) {
            n->type = WR_SQL_JOIN_CROSS;
            more = true;
        }
    }
    if (wri_accept_kw(p, WRI_KW_JOIN)) {
        n->type_span = (wr_span){start, wri_prev_end(p)};
        if (starts_table(p)) return true;
        wri_want_add(p, WRI_WANT_TABLE);
        return wri_unexpected_pair(p, p->at - first, true) != NULL;
    }
    if (more) (void)wri_unexpected_pair(p, p->at - first, true);
    return false;
}

/* {JOIN table ...} behind a table */
static wr_ast *
join_tail(wri_parser *p, wr_ast *left)
{
    while (left) {
        wr_ast_join probe = {0};
        if (!join_type(p, &probe)) break;
        wr_ast_join *n = wri_node(p, WR_AST_JOIN, left->span.start);
        n->type = probe.type;
        n->natural = probe.natural;
        n->type_span = probe.type_span;
        n->left = left;
        n->right = wri_table_factor(p);
        if (wri_accept_kw(p, WRI_KW_ON)) {
            n->on = wri_expr(p);
        } else if (wri_accept_kw(p, WRI_KW_USING)) {
            n->has_using = true;
            if (!wri_parts(p, &n->using_columns)) return NULL;
        }
        left = wri_done(p, n);
    }
    return p->failed ? NULL : left;
}

static wr_ast *
joins(wri_parser *p)
{
    return join_tail(p, wri_table_factor(p));
}

/* The comma binds as JOIN does, from the left: in `a, b JOIN c ON ...` the condition sees a. */
wr_ast *
wri_from(wri_parser *p)
{
    wr_ast *left = joins(p);
    while (left && wri_is(p, WRI_T_COMMA)) {
        wr_ast_join *n = wri_node(p, WR_AST_JOIN, left->span.start);
        n->type = WR_SQL_JOIN_COMMA;
        n->type_span = wri_token_span(p, wri_tok(p));
        wri_advance(p);
        if (!starts_table(p)) {
            wri_want_add(p, WRI_WANT_TABLE);
            return wri_unexpected_pair(p, 1, false);
        }
        n->left = left;
        n->right = wri_table_factor(p);
        left = join_tail(p, wri_done(p, n));
    }
    return left;
}

wr_ast_table_ref *
wri_target(wri_parser *p, bool with_alias)
{
    wr_ast_table_ref *n = wri_node(p, WR_AST_TABLE_REF, wri_start(p));
    n->name = wri_ident(p);
    if (!wri_hints(p, &n->hints)) return NULL;
    if (wri_accept_kw(p, WRI_KW_EXTEND) || (wri_at_tok(p, 0, WRI_T_LPAREN) && is_extend(p)))
        if (!extend(p, &n->extend)) return NULL;
    if (with_alias && (wri_accept_kw(p, WRI_KW_AS) || wri_is_name(p, 0))) n->as.name = wri_part(p);
    return wri_done(p, n);
}
