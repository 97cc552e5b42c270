/* SPDX-License-Identifier: Apache-2.0 */
/* USE, SET, RESET, modules, jars, jobs, statement set marks, SHOW and DESCRIBE. */
#include "sql/sql_int.h"

static wr_ast *
use(wri_parser *p)
{
    wr_ast_use *n = wri_node(p, WR_AST_USE, wri_start(p));
    wri_advance(p);
    if (wri_accept_kw(p, WRI_KW_MODULES)) {
        n->what = WR_SQL_USE_MODULES;
        if (!wri_part_list(p, &n->modules)) return NULL;
        return wri_done(p, n);
    }
    if (wri_accept_kw(p, WRI_KW_CATALOG)) {
        n->what = WR_SQL_USE_CATALOG;
        n->name = wri_ident_simple(p);
    } else {
        n->name = wri_ident(p);
    }
    return wri_done(p, n);
}

static wr_ast *
module(wri_parser *p)
{
    wr_ast_module *n = wri_node(p, WR_AST_MODULE, wri_start(p));
    n->unload = wri_tok(p)->kw == WRI_KW_UNLOAD;
    wri_advance(p);
    if (!wri_expect_kw(p, WRI_KW_MODULE)) return NULL;
    n->name = wri_ident_simple(p);
    n->has_options = !n->unload && wri_accept_kw(p, WRI_KW_WITH);
    if (n->has_options && !wri_options(p, &n->options)) return NULL;
    return wri_done(p, n);
}

/* SET ['k' = 'v'], RESET ['k'] */
static wr_ast *
set(wri_parser *p)
{
    wr_ast_set *n = wri_node(p, WR_AST_SET, wri_start(p));
    n->reset = wri_tok(p)->kw == WRI_KW_RESET;
    wri_advance(p);
    if (wri_at_tok(p, 0, WRI_T_EOF) || wri_at_tok(p, 0, WRI_T_SEMICOLON)) return wri_done(p, n);
    if (!wri_is_string(p, 0)) {
        bool name = wri_is_name(p, 0);
        if (!name) wri_want_add(p, WRI_WANT_STRING);
        (void)wri_unexpected(p);
        if (name) WRI_HINT(p, "keys and values are strings: SET 'key' = 'value'");
        return NULL;
    }
    n->key = wri_string(p);
    if (n->reset) return wri_done(p, n);
    if (!wri_expect(p, WRI_T_EQ)) return NULL;
    n->value = wri_string(p);
    return wri_done(p, n);
}

static wr_ast *
jar(wri_parser *p)
{
    wr_ast_jar *n = wri_node(p, WR_AST_JAR, wri_start(p));
    n->remove = wri_tok(p)->kw == WRI_KW_REMOVE;
    wri_advance(p);
    if (!wri_expect_kw(p, WRI_KW_JAR)) return NULL;
    n->path = wri_string(p);
    return wri_done(p, n);
}

/* 'id' or its number in the session */
static wr_ast *
the_job(wri_parser *p)
{
    return wri_tok(p)->kind == WRI_T_INTEGER ? wri_integer(p) : wri_string(p);
}

static wr_ast *
stop_job(wri_parser *p)
{
    wr_ast_stop_job *n = wri_node(p, WR_AST_STOP_JOB, wri_start(p));
    wri_advance(p);
    if (!wri_expect_kw(p, WRI_KW_JOB)) return NULL;
    n->job = the_job(p);
    uint32_t start = wri_start(p);
    if (wri_accept_kw2(p, WRI_KW_WITH, WRI_KW_SAVEPOINT)) n->with_savepoint = true;
    if (wri_accept_kw(p, WRI_KW_WITH)) {
        if (!wri_expect_kw(p, WRI_KW_DRAIN)) return NULL;
        n->with_drain = true;
        if (!n->with_savepoint)
            return wri_fail_at(
                p, (wr_span){start, wri_prev_end(p)},
                "SQL parse failed. WITH DRAIN could only be used after WITH SAVEPOINT.");
    }
    return wri_done(p, n);
}

static wr_ast *
for_job(wri_parser *p)
{
    if (!wri_expect_kw(p, WRI_KW_FOR) || !wri_expect_kw(p, WRI_KW_JOB)) return NULL;
    return the_job(p);
}

wr_ast *
wri_create_savepoint(wri_parser *p)
{
    wr_ast_savepoint *n = wri_node(p, WR_AST_SAVEPOINT, wri_start(p));
    wri_advance(p);
    wri_advance(p);
    n->job = for_job(p);
    if (wri_accept_kw(p, WRI_KW_IN)) n->dir = wri_string(p);
    return wri_done(p, n);
}

/* BEGIN STATEMENT SET, END */
static wr_ast *
set_mark(wri_parser *p)
{
    wr_ast_set_mark *n = wri_node(p, WR_AST_SET_MARK, wri_start(p));
    n->end = wri_tok(p)->kw == WRI_KW_END;
    wri_advance(p);
    if (!n->end && (!wri_expect_kw(p, WRI_KW_STATEMENT) || !wri_expect_kw(p, WRI_KW_SET)))
        return NULL;
    return wri_done(p, n);
}

wr_ast *
wri_session(wri_parser *p)
{
    switch ((unsigned)wri_tok(p)->kw) {
    case WRI_KW_USE:
        return use(p);
    case WRI_KW_LOAD:
    case WRI_KW_UNLOAD:
        return wri_at_word(p, 1, WRI_KW_MODULE) ? module(p) : NULL;
    case WRI_KW_SET:
    case WRI_KW_RESET:
        return set(p);
    case WRI_KW_ADD:
    case WRI_KW_REMOVE:
        return wri_at_word(p, 1, WRI_KW_JAR) ? jar(p) : NULL;
    case WRI_KW_STOP:
        return wri_at_word(p, 1, WRI_KW_JOB) ? stop_job(p) : NULL;
    case WRI_KW_BEGIN:
    case WRI_KW_END:
        return set_mark(p);
    default:
        return NULL;
    }
}

/* ---- SHOW ------------------------------------------------------------------------------------ */
/* [{FROM | IN} name] */
static bool
from_or_in(wri_parser *p, wr_ast_show *n)
{
    if (wri_accept_kw(p, WRI_KW_FROM))
        n->prep = WR_SQL_PREP_FROM;
    else if (wri_accept_kw(p, WRI_KW_IN))
        n->prep = WR_SQL_PREP_IN;
    else
        return true;
    n->name = wri_ident(p);
    return !p->failed;
}

/* [[NOT] {LIKE | ILIKE} 'pattern'] */
static bool
like(wri_parser *p, wr_ast_show *n, bool ilike)
{
    n->not_like = wri_accept_kw(p, WRI_KW_NOT);
    if (ilike && wri_accept_kw(p, WRI_KW_ILIKE))
        n->ilike = true;
    else if (!wri_accept_kw(p, WRI_KW_LIKE))
        return !n->not_like || wri_unexpected(p) != NULL;
    n->pattern = wri_string(p);
    return !p->failed;
}

/* SHOW CREATE object name */
static bool
show_create(wri_parser *p, wr_ast_show *n)
{
    static const struct {
        wri_kw kw;
        wr_sql_object object;
    } kinds[] = {{WRI_KW_TABLE, WR_SQL_OBJECT_TABLE},
                 {WRI_KW_VIEW, WR_SQL_OBJECT_VIEW},
                 {WRI_KW_CATALOG, WR_SQL_OBJECT_CATALOG},
                 {WRI_KW_MODEL, WR_SQL_OBJECT_MODEL},
                 {WRI_KW_CONNECTION, WR_SQL_OBJECT_CONNECTION}};
    n->what = WR_SQL_SHOW_CREATE;
    if (wri_accept_kw2(p, WRI_KW_OR, WRI_KW_ALTER)) n->or_alter = true;
    if (n->or_alter || wri_is_kw(p, WRI_KW_MATERIALIZED)) {
        n->object = WR_SQL_OBJECT_MATERIALIZED_TABLE;
        if (!wri_expect_kw(p, WRI_KW_MATERIALIZED) || !wri_expect_kw(p, WRI_KW_TABLE)) return false;
    } else {
        uint32_t i = 0;
        while (i < WR_COUNT(kinds) && !wri_accept_kw(p, kinds[i].kw)) i++;
        if (i == WR_COUNT(kinds)) return wri_unexpected(p) != NULL;
        n->object = kinds[i].object;
    }
    n->name = wri_ident(p);
    return !p->failed;
}

/* SHOW forms of one or two words, and what may follow */
typedef struct show_form {
    wri_kw first, second;
    wr_sql_show what;
    bool from, like, ilike;
} show_form;
static const show_form show_forms[] = {
    {WRI_KW_CATALOGS, WRI_KW_none, WR_SQL_SHOW_CATALOGS, false, true, true},
    {WRI_KW_DATABASES, WRI_KW_none, WR_SQL_SHOW_DATABASES, true, true, true},
    {WRI_KW_TABLES, WRI_KW_none, WR_SQL_SHOW_TABLES, true, true, false},
    {WRI_KW_VIEWS, WRI_KW_none, WR_SQL_SHOW_VIEWS, true, true, false},
    {WRI_KW_FUNCTIONS, WRI_KW_none, WR_SQL_SHOW_FUNCTIONS, true, true, true},
    {WRI_KW_PROCEDURES, WRI_KW_none, WR_SQL_SHOW_PROCEDURES, true, true, true},
    {WRI_KW_MODELS, WRI_KW_none, WR_SQL_SHOW_MODELS, true, true, true},
    {WRI_KW_CONNECTIONS, WRI_KW_none, WR_SQL_SHOW_CONNECTIONS, true, true, true},
    {WRI_KW_COLUMNS, WRI_KW_none, WR_SQL_SHOW_COLUMNS, true, true, false},
    {WRI_KW_MODULES, WRI_KW_none, WR_SQL_SHOW_MODULES, false, false, false},
    {WRI_KW_JOBS, WRI_KW_none, WR_SQL_SHOW_JOBS, false, false, false},
    {WRI_KW_JARS, WRI_KW_none, WR_SQL_SHOW_JARS, false, false, false},
    {WRI_KW_CURRENT, WRI_KW_CATALOG, WR_SQL_SHOW_CURRENT_CATALOG, false, false, false},
    {WRI_KW_CURRENT, WRI_KW_DATABASE, WR_SQL_SHOW_CURRENT_DATABASE, false, false, false},
    {WRI_KW_MATERIALIZED, WRI_KW_TABLES, WR_SQL_SHOW_MATERIALIZED_TABLES, true, true, false},
    {WRI_KW_USER, WRI_KW_FUNCTIONS, WR_SQL_SHOW_USER_FUNCTIONS, true, true, true},
    {WRI_KW_FULL, WRI_KW_MODULES, WR_SQL_SHOW_FULL_MODULES, false, false, false},
};

static const show_form *
show_form_at(wri_parser *p)
{
    for (uint32_t i = 0; i < WR_COUNT(show_forms); i++) {
        const show_form *f = &show_forms[i];
        if (!wri_is_kw(p, f->first)) continue;
        if (f->second != WRI_KW_none && !wri_at_word(p, 1, f->second)) continue;
        wri_advance(p);
        if (f->second != WRI_KW_none) wri_advance(p);
        return f;
    }
    return NULL;
}

wr_ast *
wri_show(wri_parser *p)
{
    wr_ast_show *n = wri_node(p, WR_AST_SHOW, wri_start(p));
    wri_advance(p);
    if (wri_accept_kw(p, WRI_KW_CREATE)) return show_create(p, n) ? wri_done(p, n) : NULL;
    if (wri_accept_kw(p, WRI_KW_PARTITIONS)) {
        n->what = WR_SQL_SHOW_PARTITIONS;
        n->name = wri_ident(p);
        if (wri_is_kw(p, WRI_KW_PARTITION)) n->partition = wri_partition(p, true);
        return wri_done(p, n);
    }
    if (wri_is_kw(p, WRI_KW_CHECKPOINTS) || wri_is_kw(p, WRI_KW_METRICS)) {
        n->what = wri_is_kw(p, WRI_KW_METRICS) ? WR_SQL_SHOW_METRICS : WR_SQL_SHOW_CHECKPOINTS;
        wri_advance(p);
        n->job = for_job(p);
        return wri_done(p, n);
    }
    if (wri_accept_kw(p, WRI_KW_WATERMARKS)) {
        n->what = WR_SQL_SHOW_WATERMARKS;
        if (wri_is_kw(p, WRI_KW_FOR)) n->job = for_job(p);
        return wri_done(p, n);
    }
    const show_form *f = show_form_at(p);
    if (!f) return wri_unexpected(p);
    n->what = f->what;
    if (f->from && !from_or_in(p, n)) return NULL;
    if (n->what == WR_SQL_SHOW_COLUMNS && !n->name) return wri_unexpected(p);
    if (f->like && !like(p, n, f->ilike)) return NULL;
    return wri_done(p, n);
}

/* ---- DESCRIBE -------------------------------------------------------------------------------- */
/* An object's kind in front of its name */
static bool
describe_kind(wri_parser *p, wr_ast_describe *n)
{
    static const struct {
        wri_kw kw;
        wr_sql_object object;
    } kinds[] = {{WRI_KW_CATALOG, WR_SQL_OBJECT_CATALOG},
                 {WRI_KW_DATABASE, WR_SQL_OBJECT_DATABASE},
                 {WRI_KW_FUNCTION, WR_SQL_OBJECT_FUNCTION},
                 {WRI_KW_MODEL, WR_SQL_OBJECT_MODEL},
                 {WRI_KW_CONNECTION, WR_SQL_OBJECT_CONNECTION}};
    for (uint32_t i = 0; i < WR_COUNT(kinds); i++) {
        if (!wri_accept_kw(p, kinds[i].kw)) continue;
        n->object = kinds[i].object;
        return true;
    }
    return false;
}

wr_ast *
wri_describe(wri_parser *p)
{
    wr_ast_describe *n = wri_node(p, WR_AST_DESCRIBE, wri_start(p));
    n->object = WR_SQL_OBJECT_TABLE;
    wri_advance(p);
    if (wri_accept_kw(p, WRI_KW_JOB)) {
        n->object = WR_SQL_OBJECT_JOB;
        n->job = the_job(p);
        return wri_done(p, n);
    }
    if (!describe_kind(p, n) && wri_accept_kw(p, WRI_KW_TABLE)) {
        n->name = wri_ident(p);
        return wri_done(p, n);
    }
    n->extended = wri_accept_kw(p, WRI_KW_EXTENDED);
    if (n->object == WR_SQL_OBJECT_TABLE && wri_at_tok(p, 0, WRI_T_STRING))
        n->file = wri_string(p);
    else
        n->name = wri_ident(p);
    return wri_done(p, n);
}
