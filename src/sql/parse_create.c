/* SPDX-License-Identifier: Apache-2.0 */
/* CREATE of everything but tables: views, catalogs, databases, functions, models, connections; and
 * DROP. */
#include "sql/sql_int.h"

typedef struct modifiers { /* what stands between CREATE or DROP and the kind of object */
    uint32_t start;
    bool or_replace, or_alter, temporary, system;
    wr_span system_span;
} modifiers;

static bool
modifiers_of(wri_parser *p, modifiers *m, bool create)
{
    *m = (modifiers){.start = wri_start(p)};
    wri_advance(p);
    if (create && wri_accept_kw(p, WRI_KW_OR)) {
        if (wri_accept_kw(p, WRI_KW_ALTER))
            m->or_alter = true;
        else if (wri_expect_kw(p, WRI_KW_REPLACE))
            m->or_replace = true;
        else
            return false;
    }
    m->temporary = wri_accept_kw(p, WRI_KW_TEMPORARY);
    m->system_span = wri_token_span(p, wri_tok(p));
    m->system = wri_accept_kw(p, WRI_KW_SYSTEM);
    return true;
}

/* ---- CREATE ---------------------------------------------------------------------------------- */
static wr_ast *
create_view(wri_parser *p, const modifiers *m)
{
    wr_ast_create_view *n = wri_node(p, WR_AST_CREATE_VIEW, m->start);
    n->or_replace = m->or_replace;
    n->temporary = m->temporary;
    wri_advance(p);
    n->if_not_exists = wri_accept_if_not_exists(p);
    n->name = wri_ident(p);
    if (wri_is(p, WRI_T_LPAREN) && !wri_parts(p, &n->columns)) return NULL;
    n->comment = wri_comment(p);
    n->query = wri_as_query(p);
    return wri_done(p, n);
}

/* CATALOG, DATABASE, CONNECTION */
static wr_ast *
create_object(wri_parser *p, const modifiers *m, wr_sql_object object)
{
    wr_ast_create_object *n = wri_node(p, WR_AST_CREATE_OBJECT, m->start);
    bool connection =
        object == WR_SQL_OBJECT_CONNECTION; /* elsewhere TEMPORARY says nothing, in Flink as here */
    n->object = object;
    n->temporary = connection && m->temporary;
    n->system = connection && m->system;
    wri_advance(p);
    n->if_not_exists = wri_accept_if_not_exists(p);
    n->name = object == WR_SQL_OBJECT_CATALOG ? wri_ident_simple(p) : wri_ident(p);
    n->comment = wri_comment(p);
    n->has_options = wri_accept_kw(p, WRI_KW_WITH);
    if (!n->has_options && object == WR_SQL_OBJECT_CONNECTION) return wri_unexpected(p);
    if (n->has_options && !wri_options(p, &n->options)) return NULL;
    return wri_done(p, n);
}

wr_str
wri_language(wri_parser *p)
{
    static const wri_kw known[] = {WRI_KW_JAVA, WRI_KW_SCALA, WRI_KW_PYTHON, WRI_KW_SQL};
    if (!wri_accept_kw(p, WRI_KW_LANGUAGE)) return WR_STR("");
    for (uint32_t i = 0; i < WR_COUNT(known); i++)
        if (wri_accept_kw(p, known[i])) return wr_str_c(wri_kw_get(known[i])->name);
    (void)wri_unexpected(p);
    return WR_STR("");
}

static wr_ast *
resource(wri_parser *p)
{
    wr_ast_resource *n = wri_node(p, WR_AST_RESOURCE, wri_start(p));
    n->what = WR_SQL_RESOURCE_JAR;
    if (!wri_accept_kw(p, WRI_KW_JAR)) {
        n->what = WR_SQL_RESOURCE_ARTIFACT;
        if (!wri_expect_kw(p, WRI_KW_ARTIFACT)) return NULL;
    }
    n->uri = wri_string(p);
    return wri_done(p, n);
}

static wr_ast *
create_function(wri_parser *p, const modifiers *m)
{
    wr_ast_create_function *n = wri_node(p, WR_AST_CREATE_FUNCTION, m->start);
    uint32_t cap = 0;
    n->temporary = m->temporary;
    n->system = m->system;
    if (m->system && !m->temporary)
        return wri_fail_at(p, m->system_span,
                           "SQL parse failed. CREATE SYSTEM FUNCTION is not supported, system "
                           "functions can only be registered as temporary functions, you can use "
                           "CREATE TEMPORARY SYSTEM FUNCTION instead.");
    wri_advance(p);
    n->if_not_exists = wri_accept_if_not_exists(p);
    n->name = wri_ident(p);
    if (!wri_expect_kw(p, WRI_KW_AS)) return NULL;
    n->class_name = wri_string(p);
    wr_span language_span = wri_token_span(p, wri_peek(p, 1));
    n->language = wri_language(p);
    if (wri_accept_kw(p, WRI_KW_USING)) {
        if (wr_str_eq_c(n->language, "PYTHON"))
            return wri_fail_at(p, language_span,
                               "SQL parse failed. CREATE FUNCTION USING JAR/ARTIFACT syntax is not "
                               "applicable to PYTHON language.");
        do {
            if (!wri_push(p, &n->resources, &cap, resource(p))) return NULL;
        } while (wri_accept(p, WRI_T_COMMA));
    }
    n->has_options = wri_accept_kw(p, WRI_KW_WITH);
    if (n->has_options && !wri_options(p, &n->options)) return NULL;
    return wri_done(p, n);
}

/* (c type, ...) of INPUT and OUTPUT */
static bool
model_columns(wri_parser *p, wr_ast_list *out)
{
    wri_elements all = {.typed = true};
    if (!wri_expect(p, WRI_T_LPAREN)) return false;
    do {
        if (!wri_table_element(p, &all)) return false;
    } while (wri_accept(p, WRI_T_COMMA));
    *out = all.columns;
    return wri_expect(p, WRI_T_RPAREN);
}

static wr_ast *
create_model(wri_parser *p, const modifiers *m)
{
    wr_ast_create_model *n = wri_node(p, WR_AST_CREATE_MODEL, m->start);
    n->temporary = m->temporary;
    wri_advance(p);
    n->if_not_exists = wri_accept_if_not_exists(p);
    n->name = wri_ident(p);
    if (wri_accept_kw(p, WRI_KW_INPUT) && !model_columns(p, &n->inputs)) return NULL;
    if (wri_accept_kw(p, WRI_KW_OUTPUT) && !model_columns(p, &n->outputs)) return NULL;
    n->comment = wri_comment(p);
    n->has_options = wri_accept_kw(p, WRI_KW_WITH);
    if (n->has_options && !wri_options(p, &n->options)) return NULL;
    if (wri_is_kw(p, WRI_KW_AS)) n->query = wri_as_query(p);
    return wri_done(p, n);
}

/* Are the words before the object's kind, which is at hand, among those it allows? */
static bool
allows(wri_parser *p, const modifiers *m, bool replace, bool alter, bool temporary, bool system)
{
    bool wrong = (m->or_replace && !replace) || (m->or_alter && !alter) ||
                 (m->temporary && !temporary) || (m->system && !system);
    return !wrong || wri_unexpected(p) != NULL;
}

wr_ast *
wri_create(wri_parser *p)
{
    modifiers m;
    if (!modifiers_of(p, &m, true)) return NULL;
    if (wri_is_kw(p, WRI_KW_TABLE))
        return allows(p, &m, true, false, true, false)
                   ? wri_create_table(p, m.start, m.or_replace, m.temporary)
                   : NULL;
    if (wri_is_kw(p, WRI_KW_VIEW))
        return allows(p, &m, true, false, true, false) ? create_view(p, &m) : NULL;
    if (wri_is_kw(p, WRI_KW_MATERIALIZED)) {
        if (m.or_replace)
            return wri_fail_at(p, wri_token_span(p, wri_tok(p)),
                               "SQL parse failed. REPLACE MATERIALIZED TABLE is not supported.");
        if (m.temporary)
            return wri_fail_at(
                p, wri_token_span(p, wri_tok(p)),
                "SQL parse failed. CREATE TEMPORARY MATERIALIZED TABLE is not supported.");
        return allows(p, &m, false, true, false, false)
                   ? wri_create_materialized(p, m.start, m.or_alter)
                   : NULL;
    }
    if (wri_is_kw(p, WRI_KW_DATABASE))
        return allows(p, &m, false, false, true, false)
                   ? create_object(p, &m, WR_SQL_OBJECT_DATABASE)
                   : NULL;
    if (wri_is_kw(p, WRI_KW_CATALOG))
        return allows(p, &m, false, false, true, false)
                   ? create_object(p, &m, WR_SQL_OBJECT_CATALOG)
                   : NULL;
    if (wri_is_kw(p, WRI_KW_FUNCTION))
        return allows(p, &m, true, false, true, true) ? create_function(p, &m) : NULL;
    if (wri_is_kw(p, WRI_KW_MODEL))
        return allows(p, &m, false, false, true, false) ? create_model(p, &m) : NULL;
    if (wri_is_kw(p, WRI_KW_CONNECTION)) {
        if (m.system && !m.temporary)
            return wri_fail_at(
                p, m.system_span,
                "SQL parse failed. CREATE SYSTEM CONNECTION is not supported, system connections "
                "can only be registered as temporary connections, you can use CREATE TEMPORARY "
                "SYSTEM CONNECTION instead.");
        return allows(p, &m, false, false, true, true)
                   ? create_object(p, &m, WR_SQL_OBJECT_CONNECTION)
                   : NULL;
    }
    return wri_unexpected(p);
}

/* ---- DROP ------------------------------------------------------------------------------------ */
wr_ast *
wri_drop(wri_parser *p)
{
    static const struct {
        wri_kw kw;
        wr_sql_object object;
        bool temporary, system;
    } kinds[] = {{WRI_KW_TABLE, WR_SQL_OBJECT_TABLE, true, false},
                 {WRI_KW_VIEW, WR_SQL_OBJECT_VIEW, true, false},
                 {WRI_KW_DATABASE, WR_SQL_OBJECT_DATABASE, true, false},
                 {WRI_KW_CATALOG, WR_SQL_OBJECT_CATALOG, true, false},
                 {WRI_KW_FUNCTION, WR_SQL_OBJECT_FUNCTION, true, true},
                 {WRI_KW_MODEL, WR_SQL_OBJECT_MODEL, true, false},
                 {WRI_KW_MATERIALIZED, WR_SQL_OBJECT_MATERIALIZED_TABLE, false, false},
                 {WRI_KW_CONNECTION, WR_SQL_OBJECT_CONNECTION, true, true}};
    modifiers m;
    if (!modifiers_of(p, &m, false)) return NULL;
    wr_ast_drop *n = wri_node(p, WR_AST_DROP, m.start);
    uint32_t i = 0;
    while (i < WR_COUNT(kinds) && !wri_is_kw(p, kinds[i].kw)) i++;
    if (i == WR_COUNT(kinds)) return wri_unexpected(p);
    n->object = kinds[i].object;
    if (m.temporary && n->object == WR_SQL_OBJECT_MATERIALIZED_TABLE)
        return wri_fail_at(p, wri_token_span(p, wri_tok(p)),
                           "SQL parse failed. DROP TEMPORARY MATERIALIZED TABLE is not supported.");
    if (m.system && !m.temporary && n->object != WR_SQL_OBJECT_FUNCTION)
        return wri_fail_at(p, m.system_span,
                           "SQL parse failed. DROP SYSTEM CONNECTION is not supported, system "
                           "connections can only be dropped as temporary connections, you can use "
                           "DROP TEMPORARY SYSTEM CONNECTION instead.");
    if (!allows(p, &m, false, false, kinds[i].temporary, kinds[i].system)) return NULL;
    wri_advance(p);
    if (n->object == WR_SQL_OBJECT_MATERIALIZED_TABLE && !wri_expect_kw(p, WRI_KW_TABLE))
        return NULL;
    bool scoped = n->object != WR_SQL_OBJECT_DATABASE && n->object != WR_SQL_OBJECT_CATALOG;
    n->temporary = scoped && m.temporary;
    n->system = m.system;
    n->if_exists = wri_accept_if_exists(p);
    n->name = wri_ident(p);
    if (n->object == WR_SQL_OBJECT_DATABASE) {
        n->behaviour = WR_SQL_DROP_RESTRICT;
        if (wri_accept_kw(p, WRI_KW_CASCADE))
            n->behaviour = WR_SQL_DROP_CASCADE;
        else
            (void)wri_accept_kw(p, WRI_KW_RESTRICT);
    }
    return wri_done(p, n);
}
