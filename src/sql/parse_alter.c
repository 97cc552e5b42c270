/* SPDX-License-Identifier: Apache-2.0 */
/* ALTER of every object. One node for all; `action` says which fields count. */
#include "sql/sql_int.h"

/* ---- partitions ------------------------------------------------------------------------------ */
/* PARTITION (...) [WITH (...)] ... */
static bool
add_partitions(wri_parser *p, wr_ast_alter *n)
{
    uint32_t cap = 0;
    n->action = WR_SQL_ALTER_ADD_PARTITION;
    do {
        wr_ast_partition *part = wri_partition(p, true);
        if (part && wri_accept_kw(p, WRI_KW_WITH)) {
            part->has_options = true;
            if (!wri_options(p, &part->options)) return false;
            part = wri_done(p, part);
        }
        if (!wri_push(p, &n->partitions, &cap, part)) return false;
    } while (wri_is_kw(p, WRI_KW_PARTITION));
    return true;
}

static bool
drop_partitions(wri_parser *p, wr_ast_alter *n)
{
    uint32_t cap = 0;
    n->action = WR_SQL_ALTER_DROP_PARTITION;
    do {
        if (!wri_push(p, &n->partitions, &cap, wri_partition(p, true))) return false;
    } while (wri_accept(p, WRI_T_COMMA));
    return true;
}

/* ---- ADD, MODIFY, DROP ----------------------------------------------------------------------- */
/* One element, or several in parentheses */
static bool
schema(wri_parser *p, wr_ast_alter *n)
{
    wri_elements all = {.alter = true};
    bool paren = wri_accept(p, WRI_T_LPAREN);
    do {
        if (!wri_table_element(p, &all)) return false;
    } while (paren && wri_accept(p, WRI_T_COMMA));
    n->columns = all.columns;
    n->constraints = all.constraints;
    n->watermark = all.watermark;
    return !paren || wri_expect(p, WRI_T_RPAREN);
}

static bool
add_or_modify(wri_parser *p, wr_ast_alter *n, bool table)
{
    bool add = wri_tok(p)->kw == WRI_KW_ADD;
    n->action = add ? WR_SQL_ALTER_ADD : WR_SQL_ALTER_MODIFY;
    wri_advance(p);
    if (add && table) {
        n->if_not_exists = wri_accept_if_not_exists(p);
        if (n->if_not_exists || wri_is_kw(p, WRI_KW_PARTITION)) return add_partitions(p, n);
    }
    if (wri_accept_kw(p, WRI_KW_DISTRIBUTION)) {
        n->distribution = wri_distribution(p);
        return !p->failed;
    }
    return schema(p, n);
}

static bool
drop(wri_parser *p, wr_ast_alter *n, bool table)
{
    uint32_t cap = 0;
    wri_advance(p);
    if (table) {
        n->part_if_exists = wri_accept_if_exists(p);
        if (n->part_if_exists || wri_is_kw(p, WRI_KW_PARTITION)) return drop_partitions(p, n);
    }
    if (wri_accept_kw(p, WRI_KW_PRIMARY)) {
        n->action = WR_SQL_ALTER_DROP_PRIMARY_KEY;
        return wri_expect_kw(p, WRI_KW_KEY);
    }
    if (wri_accept_kw(p, WRI_KW_CONSTRAINT)) {
        n->action = WR_SQL_ALTER_DROP_CONSTRAINT;
        return wri_push(p, &n->names, &cap, wri_ident_simple(p));
    }
    n->action = WR_SQL_ALTER_DROP_WATERMARK;
    if (wri_accept_kw(p, WRI_KW_WATERMARK)) return true;
    n->action = WR_SQL_ALTER_DROP_DISTRIBUTION;
    if (wri_accept_kw(p, WRI_KW_DISTRIBUTION)) return true;
    n->action = WR_SQL_ALTER_DROP_COLUMNS;
    if (wri_is(p, WRI_T_LPAREN)) return wri_ident_list(p, &n->names);
    return wri_push(p, &n->names, &cap, wri_ident(p));
}

/* ---- RENAME, SET, RESET ---------------------------------------------------------------------- */
static bool
rename_to(wri_parser *p, wr_ast_alter *n)
{
    n->action = WR_SQL_ALTER_RENAME;
    if (!wri_expect_kw(p, WRI_KW_TO)) return false;
    n->new_name = wri_ident(p);
    return !p->failed;
}

static bool
rename_column_or_table(wri_parser *p, wr_ast_alter *n)
{
    uint32_t cap = 0;
    if (wri_is_kw(p, WRI_KW_TO)) return rename_to(p, n);
    n->action = WR_SQL_ALTER_RENAME_COLUMN;
    if (!wri_push(p, &n->names, &cap, wri_ident(p)) || !wri_expect_kw(p, WRI_KW_TO)) return false;
    n->new_name = wri_ident(p);
    return !p->failed;
}

static bool
set_options(wri_parser *p, wr_ast_alter *n)
{
    n->action = WR_SQL_ALTER_SET;
    return wri_options(p, &n->options);
}

static bool
reset_options(wri_parser *p, wr_ast_alter *n)
{
    n->action = WR_SQL_ALTER_RESET;
    return wri_keys(p, &n->keys);
}

static bool
as_query(wri_parser *p, wr_ast_alter *n)
{
    n->action = WR_SQL_ALTER_AS;
    n->query = wri_as_query(p);
    return !p->failed;
}

/* ---- objects --------------------------------------------------------------------------------- */
static bool
alter_table(wri_parser *p, wr_ast_alter *n)
{
    n->if_exists = wri_accept_if_exists(p);
    n->name = wri_ident(p);
    if (wri_accept_kw(p, WRI_KW_RENAME)) return rename_column_or_table(p, n);
    if (wri_accept_kw(p, WRI_KW_SET)) return set_options(p, n);
    if (wri_accept_kw(p, WRI_KW_RESET)) return reset_options(p, n);
    if (wri_is_kw(p, WRI_KW_ADD) || wri_is_kw(p, WRI_KW_MODIFY)) return add_or_modify(p, n, true);
    if (wri_is_kw(p, WRI_KW_DROP)) return drop(p, n, true);
    return wri_unexpected(p) != NULL;
}

static bool
alter_view(wri_parser *p, wr_ast_alter *n)
{
    n->name = wri_ident(p);
    if (wri_accept_kw(p, WRI_KW_RENAME)) return rename_to(p, n);
    return as_query(p, n);
}

static bool
alter_database(wri_parser *p, wr_ast_alter *n)
{
    n->name = wri_ident(p);
    return wri_expect_kw(p, WRI_KW_SET) && set_options(p, n);
}

static bool
alter_catalog(wri_parser *p, wr_ast_alter *n)
{
    n->name = wri_ident_simple(p);
    if (wri_accept_kw(p, WRI_KW_SET)) return set_options(p, n);
    if (wri_accept_kw(p, WRI_KW_RESET)) return reset_options(p, n);
    n->action = WR_SQL_ALTER_COMMENT;
    if (!wri_is_kw(p, WRI_KW_COMMENT)) return wri_unexpected(p) != NULL;
    n->comment = wri_comment(p);
    return !p->failed;
}

static bool
alter_function(wri_parser *p, wr_ast_alter *n)
{
    n->action = WR_SQL_ALTER_CLASS;
    n->if_exists = wri_accept_if_exists(p);
    n->name = wri_ident(p);
    if (!wri_expect_kw(p, WRI_KW_AS)) return false;
    n->class_name = wri_string(p);
    n->language = wri_language(p);
    return !p->failed;
}

/* MODEL, CONNECTION */
static bool
alter_options(wri_parser *p, wr_ast_alter *n)
{
    n->if_exists = wri_accept_if_exists(p);
    n->name = wri_ident(p);
    if (wri_accept_kw(p, WRI_KW_SET)) return set_options(p, n);
    if (wri_accept_kw(p, WRI_KW_RESET)) return reset_options(p, n);
    return wri_expect_kw(p, WRI_KW_RENAME) && rename_to(p, n);
}

static bool
resume(wri_parser *p, wr_ast_alter *n)
{
    n->action = WR_SQL_ALTER_RESUME;
    n->has_options = wri_accept_kw(p, WRI_KW_WITH);
    return !n->has_options || wri_options(p, &n->options);
}

static bool
refresh(wri_parser *p, wr_ast_alter *n)
{
    uint32_t cap = 0;
    n->action = WR_SQL_ALTER_REFRESH;
    if (!wri_is_kw(p, WRI_KW_PARTITION)) return true;
    return wri_push(p, &n->partitions, &cap, wri_partition(p, true));
}

static bool
set_materialized(wri_parser *p, wr_ast_alter *n)
{
    if (wri_accept_kw(p, WRI_KW_FRESHNESS)) {
        n->action = WR_SQL_ALTER_SET_FRESHNESS;
        n->freshness = wri_freshness(p);
        return !p->failed;
    }
    if (!wri_accept_kw(p, WRI_KW_REFRESH_MODE)) return set_options(p, n);
    n->action = WR_SQL_ALTER_SET_REFRESH_MODE;
    return wri_refresh_mode(p, &n->refresh);
}

static bool
alter_materialized(wri_parser *p, wr_ast_alter *n)
{
    if (!wri_expect_kw(p, WRI_KW_TABLE)) return false;
    n->name = wri_ident(p);
    if (wri_accept_kw(p, WRI_KW_SUSPEND)) {
        n->action = WR_SQL_ALTER_SUSPEND;
        return true;
    }
    if (wri_accept_kw(p, WRI_KW_RESUME)) return resume(p, n);
    if (wri_accept_kw(p, WRI_KW_REFRESH)) return refresh(p, n);
    if (wri_accept_kw(p, WRI_KW_SET)) return set_materialized(p, n);
    if (wri_accept_kw(p, WRI_KW_RESET)) return reset_options(p, n);
    if (wri_is_kw(p, WRI_KW_ADD) || wri_is_kw(p, WRI_KW_MODIFY)) return add_or_modify(p, n, false);
    if (wri_is_kw(p, WRI_KW_DROP)) return drop(p, n, false);
    return as_query(p, n);
}

wr_ast *
wri_alter(wri_parser *p)
{
    static const struct {
        wri_kw kw;
        wr_sql_object object;
        bool (*parse)(wri_parser *, wr_ast_alter *);
    } kinds[] = {{WRI_KW_TABLE, WR_SQL_OBJECT_TABLE, alter_table},
                 {WRI_KW_VIEW, WR_SQL_OBJECT_VIEW, alter_view},
                 {WRI_KW_DATABASE, WR_SQL_OBJECT_DATABASE, alter_database},
                 {WRI_KW_CATALOG, WR_SQL_OBJECT_CATALOG, alter_catalog},
                 {WRI_KW_FUNCTION, WR_SQL_OBJECT_FUNCTION, alter_function},
                 {WRI_KW_MODEL, WR_SQL_OBJECT_MODEL, alter_options},
                 {WRI_KW_MATERIALIZED, WR_SQL_OBJECT_MATERIALIZED_TABLE, alter_materialized},
                 {WRI_KW_CONNECTION, WR_SQL_OBJECT_CONNECTION, alter_options}};
    wr_ast_alter *n = wri_node(p, WR_AST_ALTER, wri_start(p));
    n->language = WR_STR("");
    wri_advance(p);
    n->temporary = wri_accept_kw(p, WRI_KW_TEMPORARY);
    if (n->temporary) n->system = wri_accept_kw(p, WRI_KW_SYSTEM);
    for (uint32_t i = 0; i < WR_COUNT(kinds); i++) {
        bool function = kinds[i].object == WR_SQL_OBJECT_FUNCTION;
        if ((n->temporary && !function) || !wri_accept_kw(p, kinds[i].kw)) continue;
        n->object = kinds[i].object;
        return kinds[i].parse(p, n) ? wri_done(p, n) : NULL;
    }
    return wri_unexpected(p);
}
