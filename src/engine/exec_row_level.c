/* SPDX-License-Identifier: Apache-2.0 */
/* Statements that Flink accepts only for connectors with special abilities, which none of ours has:
 * DELETE, UPDATE, TRUNCATE. Everything that can be wrong with them before is told first, in Flink's
 * order. ANALYZE TABLE checks its names; statistics are not kept, because plans take none. */
#include "engine/engine_int.h"
#include "spi/factory.h"

static wr_status
find(wr_ctx *ctx, wri_stmt *st, const wr_ast_ident *name, wr_table_id *id,
     const wr_table_desc **out)
{
    wr_str parts[3];
    for (uint32_t i = 0; i < name->part_count && i < 3; i++) parts[i] = name->parts[i].name;
    WR_TRY(wr_catalogs_qualify(ctx, st->session->catalogs, parts, name->part_count, name->base.span,
                               id));
    return wr_catalogs_find_table(ctx, st->session->catalogs, id, out);
}

#define ID_FMT     "%.*s.%.*s.%.*s"
#define ID_ARG(id) WR_STR_ARG((id).catalog), WR_STR_ARG((id).database), WR_STR_ARG((id).name)

/* The query that would look for the rows: binding it checks names, types and the source. */
static wr_status
check_query(wr_ctx *ctx, wri_stmt *st, wr_ast_table_ref *target, const wr_ast_list *assigns,
            wr_ast *where)
{
    uint32_t n = assigns ? assigns->count : 1;
    wr_ast_select *select = WR_NEW(st->arena, wr_ast_select);
    wr_ast_ident *star = WR_NEW(st->arena, wr_ast_ident);
    wr_ast **items = WR_NEW_N(st->arena, wr_ast *, n + 1);
    wr_rel *rel = NULL;
    WR_TRY_ALLOC(ctx, select);
    WR_TRY_ALLOC(ctx, star);
    WR_TRY_ALLOC(ctx, items);
    *star = (wr_ast_ident){.base = {.kind = WR_AST_IDENT, .span = target->base.span}, .star = true};
    items[0] = &star->base;
    for (uint32_t i = 0; assigns && i < n; i++)
        items[i] = WR_AST_AS(wr_ast_assign, WR_AST_ASSIGN, assigns->items[i])->expr;
    *select = (wr_ast_select){.base = {.kind = WR_AST_SELECT, .span = target->base.span},
                              .items = {.items = items, .count = n},
                              .from = &target->base,
                              .where = where};
    return wr_bind_query(ctx, &st->env, &select->base, &rel);
}

static wr_status
check_assigned(wr_ctx *ctx, const wr_table_desc *table, const wr_ast_list *assigns)
{
    for (uint32_t i = 0; assigns && i < assigns->count; i++) {
        const wr_ast_part *p = &WR_AST_AS(wr_ast_assign, WR_AST_ASSIGN, assigns->items[i])->column;
        uint32_t c = 0;
        while (c < table->column_count && !wr_str_eq(table->columns[c].name, p->name)) c++;
        if (c < table->column_count) continue;
        for (c = 0; c < table->column_count; c++)
            wr_candidate(ctx, p->name, table->columns[c].name);
        return wr_raise_at(ctx, WR_NAME, p->span, "Unknown target column '%.*s'",
                           WR_STR_ARG(p->name));
    }
    return WR_OK;
}

/* assigns NULL: DELETE */
static wr_status
refuse_rows(wr_ctx *ctx, wri_stmt *st, wr_ast_table_ref *target, const wr_ast_list *assigns,
            wr_ast *where)
{
    const char *word = assigns ? "UPDATE" : "DELETE";
    wr_span span = target->base.span;
    const wr_table_desc *table = NULL;
    const wr_sink_ops *sink = NULL;
    wr_table_id id;
    if (!target->name)
        return wr_raise_at(ctx, WR_UNSUPPORTED, span, "not supported yet: %s of a file", word);
    WR_TRY(find(ctx, st, target->name, &id, &table));
    if (table) WR_TRY(check_assigned(ctx, table, assigns));
    WR_TRY(check_query(ctx, st, target, assigns, where)); /* also tells what does not exist */
    bool base = table && table->kind == WR_TABLE_BASE;
    wr_status status = base ? wr_sink_find_checked(ctx, table, &table->options, &sink) : WR_OK;
    if (status != WR_OK) {
        ctx->err.span = span;
        return status;
    }
    if (!st->eval->batch)
        return wr_raise_at(ctx, WR_UNSUPPORTED, span,
                           "%s statement is not supported for streaming mode now.", word);
    if (!base)
        return wr_raise_at(ctx, WR_SEMANTIC, span, "Sink '" ID_FMT "' does not exists", ID_ARG(id));
    return wr_raise_at(ctx, WR_UNSUPPORTED, span,
                       "Can't perform %s operation of the table " ID_FMT
                       " because the corresponding dynamic "
                       "table sink has not yet implemented "
                       "org.apache.flink.table.connector.sink.abilities.SupportsRowLevel%s.",
                       assigns ? "update" : "delete", ID_ARG(id), assigns ? "Update" : "Delete");
}

static wr_status
refuse_truncate(wr_ctx *ctx, wri_stmt *st, const wr_ast_truncate *truncate)
{
    wr_span span = truncate->name->base.span;
    const wr_table_desc *table = NULL;
    const wr_sink_ops *sink = NULL;
    wr_table_id id;
    WR_TRY(find(ctx, st, truncate->name, &id, &table));
    if (!table) {
        wr_status status =
            wr_raise_at(ctx, WR_NAME, span,
                        "Cannot find table '`%.*s`.`%.*s`.`%.*s`' in any of the "
                        "catalogs [%.*s], nor as a temporary table.",
                        ID_ARG(id), WR_STR_ARG(wr_catalogs_current_catalog(st->session->catalogs)));
        wr_catalogs_candidates(ctx, st->session->catalogs, &id);
        return status;
    }
    if (table->kind != WR_TABLE_BASE)
        return wr_raise_at(ctx, WR_SEMANTIC, span, "TRUNCATE TABLE for a %s is not allowed",
                           wri_table_kind_name(table->kind));
    if (!st->eval->batch)
        return wr_raise_at(ctx, WR_UNSUPPORTED, truncate->base.span,
                           "TRUNCATE TABLE statement is not supported in streaming mode.");
    wr_status status = wr_sink_find_checked(ctx, table, &table->options, &sink);
    if (status != WR_OK) {
        ctx->err.span = span;
        return status;
    }
    return wr_raise_at(ctx, WR_UNSUPPORTED, span,
                       "TRUNCATE TABLE statement is not supported for the table " ID_FMT
                       " since the table hasn't implemented the interface "
                       "org.apache.flink.table.connector.sink.abilities.SupportsTruncate.",
                       ID_ARG(id));
}

static wr_status
analyze(wr_ctx *ctx, wri_stmt *st, const wr_ast_analyze *ast)
{
    wr_span span = ast->name->base.span;
    const wr_table_desc *table = NULL;
    wr_table_id id;
    WR_TRY(find(ctx, st, ast->name, &id, &table));
    if (!table || table->temporary) {
        wr_status status = wr_raise_at(
            ctx, WR_NAME, span, "Table `%.*s`.`%.*s`.`%.*s` doesn't exist or is a temporary table.",
            ID_ARG(id));
        if (!table) wr_catalogs_candidates(ctx, st->session->catalogs, &id);
        return status;
    }
    if (table->kind != WR_TABLE_BASE)
        return wr_raise_at(ctx, WR_SEMANTIC, span, "ANALYZE TABLE for a %s is not allowed",
                           wri_table_kind_name(table->kind));
    for (uint32_t i = 0; i < ast->columns.count; i++) {
        const wr_ast_part *p = &ast->columns.items[i];
        uint32_t c = 0;
        while (c < table->column_count && !wr_str_eq(table->columns[c].name, p->name)) c++;
        if (c < table->column_count) continue;
        for (c = 0; c < table->column_count; c++)
            wr_candidate(ctx, p->name, table->columns[c].name);
        return wr_raise_at(ctx, WR_NAME, p->span,
                           "Column: %.*s does not exist in the table: `%.*s`.`%.*s`.`%.*s`.",
                           WR_STR_ARG(p->name), ID_ARG(id));
    }
    if (!st->eval->batch)
        return wr_raise_at(ctx, WR_UNSUPPORTED, ast->base.span,
                           "ANALYZE TABLE is not supported for streaming mode now");
    wr_notice(ctx, "ANALYZE TABLE: weir plans without statistics; nothing was computed");
    return wri_result_ok(ctx, st);
}

wr_status
wri_exec_row_level(wr_ctx *ctx, wri_stmt *st, const wr_ast *ast)
{
    switch ((int)ast->kind) {
    case WR_AST_DELETE: {
        const wr_ast_delete *d = WR_AST_AS(wr_ast_delete, WR_AST_DELETE, ast);
        return refuse_rows(ctx, st, d->target, NULL, d->where);
    }
    case WR_AST_UPDATE: {
        const wr_ast_update *u = WR_AST_AS(wr_ast_update, WR_AST_UPDATE, ast);
        return refuse_rows(ctx, st, u->target, &u->assigns, u->where);
    }
    case WR_AST_TRUNCATE:
        return refuse_truncate(ctx, st, WR_AST_AS(wr_ast_truncate, WR_AST_TRUNCATE, ast));
    default:
        return analyze(ctx, st, WR_AST_AS(wr_ast_analyze, WR_AST_ANALYZE, ast));
    }
}
