/* SPDX-License-Identifier: Apache-2.0 */
/* CREATE VIEW and ALTER VIEW ... AS: the query is bound for its columns, and kept twice: as written
 * and with every name in full. */
#include "plan/ddl_int.h"

static wr_status
define(wr_ctx *ctx, const wr_plan_env *env, const wr_ast *query, wr_str text, wr_table_desc *t)
{
    wr_rel *rel = NULL;
    WR_TRY(wr_bind_query(ctx, env, query, &rel));
    uint32_t n = rel->schema.count;
    wr_column *columns = WR_NEW_N(env->arena, wr_column, n + 1);
    WR_TRY_ALLOC(ctx, columns);
    for (uint32_t i = 0; i < n; i++)
        columns[i] = (wr_column){.name = rel->schema.fields[i].name,
                                 .type = rel->schema.fields[i].type,
                                 .kind = WR_COL_PHYSICAL,
                                 .metadata_key = WR_STR(""),
                                 .expr = WR_STR(""),
                                 .span = WR_NO_SPAN};
    t->kind = WR_TABLE_VIEW;
    t->columns = columns;
    t->column_count = n;
    t->view_original = text;
    return wri_ddl_expand(ctx, env, query, &t->view_expanded);
}

/* "[a, b]" */
static wr_str
list_of(wr_arena *a, const wr_ast_parts *parts, const wr_table_desc *t)
{
    wr_text s;
    wr_text_init(&s, a);
    uint32_t n = parts ? parts->count : t->column_count;
    wr_text_putc(&s, '[');
    for (uint32_t i = 0; i < n; i++) {
        wr_str name = parts ? parts->items[i].name : t->columns[i].name;
        wr_text_printf(&s, "%s%.*s", i ? ", " : "", WR_STR_ARG(name));
    }
    wr_text_putc(&s, ']');
    return wr_text_str(&s);
}

static wr_status
rename_columns(wr_ctx *ctx, const wr_plan_env *env, const wr_ast_parts *names, wr_table_desc *t)
{
    if (names->count == 0) return WR_OK;
    if (names->count != t->column_count) {
        wr_str def = list_of(env->arena, names, t), in = list_of(env->arena, NULL, t);
        return wr_raise_at(ctx, WR_SEMANTIC, names->items[0].span,
                           "VIEW definition and input fields not match:\n\tDef fields: %.*s.\n\t"
                           "Input fields: %.*s.",
                           WR_STR_ARG(def), WR_STR_ARG(in));
    }
    wr_column *columns = WR_NEW_N(env->arena, wr_column, t->column_count + 1);
    WR_TRY_ALLOC(ctx, columns);
    for (uint32_t i = 0; i < t->column_count; i++) {
        columns[i] = t->columns[i];
        columns[i].name = names->items[i].name;
    }
    t->columns = columns;
    return WR_OK;
}

/* The items of the query's select list, when it has one of as many items as columns. */
static const wr_ast_list *
select_items(const wr_ast *query)
{
    while (query) {
        if (query->kind == WR_AST_QUERY)
            query = WR_AST_AS(wr_ast_query, WR_AST_QUERY, query)->body;
        else if (query->kind == WR_AST_SETOP)
            query = WR_AST_AS(wr_ast_setop, WR_AST_SETOP, query)->left;
        else
            break;
    }
    return query && query->kind == WR_AST_SELECT
               ? &WR_AST_AS(wr_ast_select, WR_AST_SELECT, query)->items
               : NULL;
}

/* The name that the statement itself gives to item `i`; empty when it is a star or has none. */
static wr_str
written_name(wr_arena *a, const wr_ast *e, uint32_t i)
{
    if (e->kind == WR_AST_ALIAS) return WR_AST_AS(wr_ast_alias, WR_AST_ALIAS, e)->name.name;
    if (e->kind == WR_AST_IDENT) {
        const wr_ast_ident *id = WR_AST_AS(wr_ast_ident, WR_AST_IDENT, e);
        return id->star || id->part_count == 0 ? WR_STR("") : id->parts[id->part_count - 1].name;
    }
    const wr_str bare = wr_ast_bare_call(e);
    return bare.len ? bare : wr_arena_printf(a, "EXPR$%u", i);
}

static wr_status
raise_duplicate(wr_ctx *ctx, const wr_plan_env *env, const wr_ast *stmt, wr_str name, wr_span at)
{
    wri_draft d;
    wri_draft_init(&d, ctx, env, stmt);
    wr_str place = wri_draft_place(&d, at);
    return wr_raise_at(ctx, WR_SEMANTIC, at,
                       "A column with the same name `%.*s` has been defined at %.*s.",
                       WR_STR_ARG(name), WR_STR_ARG(place));
}

/* A view's columns have different names: of the column list, or of the select list as written. */
static wr_status
check_names(wr_ctx *ctx, const wr_plan_env *env, const wr_ast *stmt, const wr_ast *query,
            const wr_ast_parts *names)
{
    const wr_ast_list *items = select_items(query);
    for (uint32_t i = 0; names && i < names->count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (wr_str_eq(names->items[i].name, names->items[k].name))
                return raise_duplicate(ctx, env, stmt, names->items[i].name,
                                       items && k < items->count ? items->items[k]->span
                                                                 : names->items[k].span);
    if ((names && names->count) || !items) return WR_OK;
    for (uint32_t i = 0; i < items->count; i++) {
        wr_str name = written_name(env->arena, items->items[i], i);
        for (uint32_t k = 0; name.len && k < i; k++)
            if (wr_str_eq(name, written_name(env->arena, items->items[k], k)))
                return raise_duplicate(ctx, env, stmt, name, items->items[k]->span);
    }
    return WR_OK;
}

/* The query as it was written. */
wr_str
wri_ddl_query_text(wr_ctx *ctx, const wr_ast *query)
{
    wr_span s = query->span;
    return s.end <= ctx->sql.len && s.start <= s.end
               ? (wr_str){ctx->sql.ptr + s.start, s.end - s.start}
               : WR_STR("");
}

wr_status
wr_ddl_view(wr_ctx *ctx, const wr_plan_env *env, const wr_ast *stmt, wr_table_desc **out)
{
    const wr_ast_create_view *create = WR_AST_AS(wr_ast_create_view, WR_AST_CREATE_VIEW, stmt);
    wr_table_desc *t = WR_NEW(env->arena, wr_table_desc);
    WR_TRY_ALLOC(ctx, t);
    WR_TRY(wri_ddl_qualify(ctx, env, create->name, &t->id));
    t->bucket_count = -1;
    t->temporary = create->temporary;
    t->has_comment = create->comment != NULL;
    t->comment = wri_ddl_string(create->comment);
    WR_TRY(define(ctx, env, create->query, wri_ddl_query_text(ctx, create->query), t));
    WR_TRY(rename_columns(ctx, env, &create->columns, t));
    WR_TRY(check_names(ctx, env, stmt, create->query, &create->columns));
    *out = t;
    return WR_OK;
}

wr_status
wr_ddl_alter_view(wr_ctx *ctx, const wr_plan_env *env, const wr_ast *stmt, const wr_table_desc *old,
                  wr_table_desc **out)
{
    const wr_ast_alter *alter = WR_AST_AS(wr_ast_alter, WR_AST_ALTER, stmt);
    wr_table_desc *t = WR_NEW(env->arena, wr_table_desc);
    WR_TRY_ALLOC(ctx, t);
    *t = *old;
    WR_TRY(define(ctx, env, alter->query, wri_ddl_query_text(ctx, alter->query), t));
    WR_TRY(check_names(ctx, env, stmt, alter->query, NULL));
    *out = t;
    return WR_OK;
}
