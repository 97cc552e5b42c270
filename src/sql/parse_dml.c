/* SPDX-License-Identifier: Apache-2.0 */
/* INSERT, statement sets, plans, EXPLAIN, DELETE, UPDATE, MERGE, TRUNCATE, CALL, ANALYZE. */
#include "sql/sql_int.h"

/* ---- INSERT ---------------------------------------------------------------------------------- */
/* [ON CONFLICT DO {NOTHING | ERROR | DEDUPLICATE}] */
static bool
conflict(wri_parser *p, wr_ast_insert *n)
{
    uint32_t start = wri_start(p);
    if (!wri_accept_kw(p, WRI_KW_ON)) return true;
    if (!wri_expect_kw(p, WRI_KW_CONFLICT) || !wri_expect_kw(p, WRI_KW_DO)) return false;
    if (wri_accept_kw(p, WRI_KW_NOTHING))
        n->conflict = WR_SQL_CONFLICT_NOTHING;
    else if (wri_accept_kw(p, WRI_KW_ERROR))
        n->conflict = WR_SQL_CONFLICT_ERROR;
    else if (wri_expect_kw(p, WRI_KW_DEDUPLICATE))
        n->conflict = WR_SQL_CONFLICT_DEDUPLICATE;
    n->conflict_span = (wr_span){start, wri_prev_end(p)};
    return !p->failed;
}

wr_ast *
wri_insert(wri_parser *p)
{
    wr_ast_insert *n = wri_node(p, WR_AST_INSERT, wri_start(p));
    n->conflict_span = WR_NO_SPAN;
    n->upsert = wri_tok(p)->kw == WRI_KW_UPSERT;
    wri_advance(p);
    n->overwrite = !n->upsert && wri_accept_kw(p, WRI_KW_OVERWRITE);
    if (!n->overwrite && !wri_expect_kw(p, WRI_KW_INTO)) return NULL;
    n->target = wri_target(p, false);
    if (wri_is_kw(p, WRI_KW_PARTITION)) n->partition = wri_partition(p, true);
    if (wri_is(p, WRI_T_LPAREN) && !wri_paren_is_query(p, 0)) {
        n->has_columns = true;
        if (!wri_ident_list(p, &n->columns)) return NULL;
    }
    if (!p->failed && !wri_is_query_start(p, 0)) return wri_not_a_query(p);
    n->query = wri_query(p);
    if (!conflict(p, n)) return NULL;
    return wri_done(p, n);
}

/* STATEMENT SET BEGIN insert; ... END, at STATEMENT */
wr_ast *
wri_statement_set(wri_parser *p)
{
    wr_ast_statement_set *n = wri_node(p, WR_AST_STATEMENT_SET, wri_start(p));
    uint32_t cap = 0;
    wri_advance(p);
    if (!wri_expect_kw(p, WRI_KW_SET) || !wri_expect_kw(p, WRI_KW_BEGIN)) return NULL;
    do {
        if (!wri_is_kw(p, WRI_KW_INSERT) && !wri_is_kw(p, WRI_KW_UPSERT)) return wri_unexpected(p);
        if (!wri_push(p, &n->inserts, &cap, wri_insert(p)) || !wri_expect(p, WRI_T_SEMICOLON))
            return NULL;
    } while (!wri_accept_kw(p, WRI_KW_END));
    return wri_done(p, n);
}

static bool
at_insert(wri_parser *p)
{
    return wri_is_kw(p, WRI_KW_INSERT) || wri_is_kw(p, WRI_KW_UPSERT);
}

/* ---- EXECUTE, COMPILE ------------------------------------------------------------------------ */
wr_ast *
wri_execute(wri_parser *p)
{
    uint32_t start = wri_start(p);
    wri_advance(p);
    if (wri_accept_kw(p, WRI_KW_PLAN)) {
        wr_ast_plan *n = wri_node(p, WR_AST_PLAN, start);
        n->execute = true;
        n->path = wri_string(p);
        return wri_done(p, n);
    }
    wr_ast_execute *n = wri_node(p, WR_AST_EXECUTE, start);
    if (wri_is_kw(p, WRI_KW_STATEMENT)) {
        n->stmt = wri_statement_set(p);
    } else if (at_insert(p)) {
        n->stmt = wri_insert(p);
    } else if (wri_is_query_start(p, 0)) {
        n->stmt = wri_query(p);
    } else {
        wri_want_add(p, WRI_WANT_QUERY);
        return wri_unexpected(p);
    }
    return wri_done(p, n);
}

wr_ast *
wri_compile(wri_parser *p)
{
    wr_ast_plan *n = wri_node(p, WR_AST_PLAN, wri_start(p));
    wri_advance(p);
    n->compile = true;
    if (wri_accept_kw(p, WRI_KW_AND)) {
        n->execute = true;
        if (!wri_expect_kw(p, WRI_KW_EXECUTE)) return NULL;
    }
    if (!wri_expect_kw(p, WRI_KW_PLAN)) return NULL;
    n->path = wri_string(p);
    if (!n->execute) n->if_not_exists = wri_accept_if_not_exists(p);
    if (!wri_expect_kw(p, WRI_KW_FOR)) return NULL;
    if (wri_is_kw(p, WRI_KW_STATEMENT))
        n->stmt = wri_statement_set(p);
    else if (at_insert(p))
        n->stmt = wri_insert(p);
    else
        return wri_unexpected(p);
    return wri_done(p, n);
}

/* ---- EXPLAIN --------------------------------------------------------------------------------- */
static bool
explain_details(wri_parser *p, uint32_t *out)
{
    static const struct {
        wri_kw kw;
        uint32_t bit;
    } details[] = {{WRI_KW_ESTIMATED_COST, WR_SQL_EXPLAIN_ESTIMATED_COST},
                   {WRI_KW_CHANGELOG_MODE, WR_SQL_EXPLAIN_CHANGELOG_MODE},
                   {WRI_KW_JSON_EXECUTION_PLAN, WR_SQL_EXPLAIN_JSON_EXECUTION_PLAN},
                   {WRI_KW_PLAN_ADVICE, WR_SQL_EXPLAIN_PLAN_ADVICE}};
    bool first = true;
    do {
        wr_span span = wri_token_span(p, wri_tok(p));
        uint32_t i = 0;
        while (i < WR_COUNT(details) && !wri_accept_kw(p, details[i].kw)) i++;
        if (i == WR_COUNT(details)) return first || wri_unexpected(p) != NULL;
        if (*out & details[i].bit)
            return wri_fail_at(p, span,
                               "SQL parse failed. Duplicate EXPLAIN DETAIL is not allowed.") !=
                   NULL;
        *out |= details[i].bit;
        first = false;
    } while (wri_accept(p, WRI_T_COMMA));
    return true;
}

static wr_ast *
explained_create(wri_parser *p)
{
    wr_ast *stmt = wri_create(p);
    if (!stmt) return NULL;
    const wr_ast_create_table *table =
        stmt->kind == WR_AST_CREATE_TABLE
            ? WR_AST_AS(wr_ast_create_table, WR_AST_CREATE_TABLE, stmt)
            : NULL;
    if (table && table->query && !table->materialized) return stmt;
    return wri_fail_at(p, stmt->span,
                       "SQL parse failed. Unsupported CREATE OR REPLACE statement for EXPLAIN. The "
                       "statement must define a query using the AS clause (i.e. CTAS/RTAS "
                       "statements).");
}

wr_ast *
wri_explain(wri_parser *p)
{
    wr_ast_explain *n = wri_node(p, WR_AST_EXPLAIN, wri_start(p));
    wri_advance(p);
    if (wri_accept_kw(p, WRI_KW_UPGRADE)) {
        n->upgrade = wri_string(p);
        if (!n->upgrade || !wri_expect_kw(p, WRI_KW_FOR)) return NULL;
    } else if (wri_accept_kw2(p, WRI_KW_PLAN, WRI_KW_FOR)) {
    } else if (!explain_details(p, &n->details)) {
        return NULL;
    }
    if (wri_is_kw(p, WRI_KW_STATEMENT)) {
        n->stmt = wri_statement_set(p);
    } else if (wri_is_kw(p, WRI_KW_EXECUTE)) {
        n->stmt = wri_execute(p);
    } else if (at_insert(p)) {
        n->stmt = wri_insert(p);
    } else if (wri_is_kw(p, WRI_KW_CREATE)) {
        n->stmt = explained_create(p);
    } else if (wri_is_kw(p, WRI_KW_REPLACE)) {
        n->stmt = wri_replace_table(p);
    } else if (wri_is_query_start(p, 0)) {
        n->stmt = wri_query(p);
    } else {
        return wri_not_a_query(p);
    }
    return wri_done(p, n);
}

/* ---- DELETE, UPDATE, MERGE ------------------------------------------------------------------- */
static wr_ast *
delete_from(wri_parser *p)
{
    wr_ast_delete *n = wri_node(p, WR_AST_DELETE, wri_start(p));
    wri_advance(p);
    if (!wri_expect_kw(p, WRI_KW_FROM)) return NULL;
    n->target = wri_target(p, true);
    if (wri_accept_kw(p, WRI_KW_WHERE)) n->where = wri_expr(p);
    return wri_done(p, n);
}

/* SET a = x, b = y */
static bool
assignments(wri_parser *p, wr_ast_list *out)
{
    uint32_t cap = 0;
    if (!wri_expect_kw(p, WRI_KW_SET)) return false;
    do {
        wr_ast_assign *n = wri_node(p, WR_AST_ASSIGN, wri_start(p));
        n->column = wri_part(p);
        if (!wri_expect(p, WRI_T_EQ)) return false;
        n->expr = wri_expr(p);
        if (!wri_push(p, out, &cap, wri_done(p, n))) return false;
    } while (wri_accept(p, WRI_T_COMMA));
    return true;
}

static wr_ast *
update(wri_parser *p)
{
    wr_ast_update *n = wri_node(p, WR_AST_UPDATE, wri_start(p));
    wri_advance(p);
    n->target = wri_target(p, true);
    if (!assignments(p, &n->assigns)) return NULL;
    if (wri_accept_kw(p, WRI_KW_WHERE)) n->where = wri_expr(p);
    return wri_done(p, n);
}

/* INSERT [(columns)] VALUES (...), behind THEN */
static bool
merge_insert(wri_parser *p, wr_ast_merge *n)
{
    if (!wri_expect_kw(p, WRI_KW_INSERT)) return false;
    if (wri_is(p, WRI_T_LPAREN) && !wri_ident_list(p, &n->insert_columns)) return false;
    n->insert_values = wri_values(p);
    return !p->failed;
}

static wr_ast *
merge(wri_parser *p)
{
    wr_ast_merge *n = wri_node(p, WR_AST_MERGE, wri_start(p));
    wri_advance(p);
    if (!wri_expect_kw(p, WRI_KW_INTO)) return NULL;
    n->target = wri_target(p, true);
    if (!wri_expect_kw(p, WRI_KW_USING)) return NULL;
    n->source = wri_table_factor(p);
    if (!wri_expect_kw(p, WRI_KW_ON)) return NULL;
    n->on = wri_expr(p);
    if (!wri_is_kw(p, WRI_KW_WHEN)) return wri_unexpected(p);
    if (wri_accept_kw2(p, WRI_KW_WHEN, WRI_KW_MATCHED)) {
        if (!wri_expect_kw(p, WRI_KW_THEN) || !wri_expect_kw(p, WRI_KW_UPDATE) ||
            !assignments(p, &n->assigns))
            return NULL;
        if (!wri_is_kw(p, WRI_KW_WHEN)) return wri_done(p, n);
    }
    wri_advance(p); /* WHEN */
    if (!wri_expect_kw(p, WRI_KW_NOT) || !wri_expect_kw(p, WRI_KW_MATCHED) ||
        !wri_expect_kw(p, WRI_KW_THEN) || !merge_insert(p, n))
        return NULL;
    return wri_done(p, n);
}

/* ---- the rest -------------------------------------------------------------------------------- */
static wr_ast *
truncate_table(wri_parser *p)
{
    wr_ast_truncate *n = wri_node(p, WR_AST_TRUNCATE, wri_start(p));
    wri_advance(p);
    if (!wri_expect_kw(p, WRI_KW_TABLE)) return NULL;
    n->name = wri_ident(p);
    return wri_done(p, n);
}

static wr_ast *
call_procedure(wri_parser *p)
{
    wr_ast_call_procedure *n = wri_node(p, WR_AST_CALL_PROCEDURE, wri_start(p));
    wri_advance(p);
    wr_ast_ident *name = wri_ident(p);
    if (!wri_is(p, WRI_T_LPAREN)) return wri_unexpected(p);
    n->call = wri_call(p, name);
    return wri_done(p, n);
}

static wr_ast *
analyze(wri_parser *p)
{
    wr_ast_analyze *n = wri_node(p, WR_AST_ANALYZE, wri_start(p));
    wri_advance(p);
    if (!wri_expect_kw(p, WRI_KW_TABLE)) return NULL;
    n->name = wri_ident(p);
    if (wri_is_kw(p, WRI_KW_PARTITION)) n->partition = wri_partition(p, false);
    if (!wri_expect_kw(p, WRI_KW_COMPUTE) || !wri_expect_kw(p, WRI_KW_STATISTICS)) return NULL;
    if (wri_accept_kw(p, WRI_KW_FOR)) {
        n->all_columns = wri_accept_kw(p, WRI_KW_ALL);
        if (!wri_expect_kw(p, WRI_KW_COLUMNS)) return NULL;
        if (!n->all_columns && !wri_part_list(p, &n->columns)) return NULL;
    }
    return wri_done(p, n);
}

wr_ast *
wri_dml(wri_parser *p)
{
    switch ((unsigned)wri_tok(p)->kw) {
    case WRI_KW_INSERT:
    case WRI_KW_UPSERT:
        return wri_insert(p);
    case WRI_KW_DELETE:
        return delete_from(p);
    case WRI_KW_UPDATE:
        return update(p);
    case WRI_KW_MERGE:
        return merge(p);
    case WRI_KW_TRUNCATE:
        return truncate_table(p);
    case WRI_KW_CALL:
        return call_procedure(p);
    case WRI_KW_ANALYZE:
        return analyze(p);
    default:
        WR_UNREACHABLE();
    }
}
