/* SPDX-License-Identifier: Apache-2.0 */
/* CREATE TABLE: the statement's own columns, behind those of LIKE or before and between those of
 * AS. Options and connector are not looked at: that happens when the table is used. */
#include "plan/ddl_int.h"

static wr_status
add_physical(wri_draft *d, wri_draft_column *c, uint32_t own)
{
    int32_t at = wri_draft_find(d, c->c.name);
    if (at >= 0 && (uint32_t)at < own)
        return wr_raise_at(d->ctx, WR_SEMANTIC, c->c.span,
                           "A column named '%.*s' already exists in the base table.",
                           WR_STR_ARG(c->c.name));
    if (at >= 0 && d->columns.items[at].c.kind == WR_COL_PHYSICAL)
        return wr_raise_at(d->ctx, WR_SEMANTIC, c->c.span,
                           "A regular Column named '%.*s' already exists in the table.",
                           WR_STR_ARG(c->c.name));
    if (at >= 0)
        return wr_raise_at(d->ctx, WR_SEMANTIC, c->c.span,
                           "A column named '%.*s' already exists in the table. Duplicate columns "
                           "exist in the %s column and regular column. ",
                           WR_STR_ARG(c->c.name),
                           d->columns.items[at].c.kind == WR_COL_METADATA ? "metadata" : "compute");
    return wr_list_push(d->a, &d->columns, *c) ? WR_OK
                                               : wr_raise(d->ctx, WR_NOMEM, "out of memory");
}

/* A computed or metadata column replaces one of its kind when LIKE says OVERWRITING. */
static wr_status
add_other(wri_draft *d, wri_draft_column *c, bool overwrite)
{
    bool computed = c->c.kind == WR_COL_COMPUTED;
    int32_t at = wri_draft_find(d, c->c.name);
    if (at < 0)
        return wr_list_push(d->a, &d->columns, *c) ? WR_OK
                                                   : wr_raise(d->ctx, WR_NOMEM, "out of memory");
    wri_draft_column *old = &d->columns.items[at];
    if (old->c.kind == WR_COL_PHYSICAL)
        return wr_raise_at(d->ctx, WR_SEMANTIC, c->c.span,
                           "A column named '%.*s' already exists in the table. Duplicate columns "
                           "exist in the %s column and regular column. ",
                           WR_STR_ARG(c->c.name), computed ? "compute" : "metadata");
    if (old->c.kind != c->c.kind)
        return wr_raise_at(d->ctx, WR_SEMANTIC, c->c.span,
                           "A column named '%.*s' already exists in the base table. %s columns can "
                           "only overwrite other %s columns.",
                           WR_STR_ARG(c->c.name), computed ? "Computed" : "Metadata",
                           computed ? "computed" : "metadata");
    if (!overwrite)
        return wr_raise_at(d->ctx, WR_SEMANTIC, c->c.span,
                           "A %s column named '%.*s' already exists in the base table. You might "
                           "want to specify EXCLUDING %s or OVERWRITING %s.",
                           computed ? "generated" : "metadata", WR_STR_ARG(c->c.name),
                           computed ? "GENERATED" : "METADATA",
                           computed ? "GENERATED" : "METADATA");
    *old = *c;
    return WR_OK;
}

/* What a LIKE clause says of a feature; without one nothing is there to be overwritten. */
static bool
overwrites(const wr_ast_create_table *create, wr_sql_like_feature feature)
{
    for (uint32_t i = 0; create->like && i < create->like->option_count; i++)
        if (create->like->options[i].feature == feature)
            return create->like->options[i].mode == WR_SQL_LIKE_OVERWRITING;
    return false;
}

static wr_status
add_columns(wri_draft *d, const wr_ast_create_table *create)
{
    uint32_t own = d->columns.count;
    for (uint32_t i = 0; i < create->columns.count; i++) {
        wri_draft_column c;
        const wr_ast_column *ast =
            WR_AST_AS(wr_ast_column, WR_AST_COLUMN, create->columns.items[i]);
        if (ast->column == WR_SQL_COLUMN_NAME)
            return wr_raise_at(d->ctx, WR_SYNTAX, ast->base.span,
                               "Columns identifiers without types in the schema are supported on "
                               "CTAS/RTAS statements only.");
        WR_TRY(wri_draft_make_column(d, ast, &c));
        if (c.c.kind == WR_COL_PHYSICAL)
            WR_TRY(add_physical(d, &c, own));
        else
            WR_TRY(
                add_other(d, &c,
                          overwrites(create, c.c.kind == WR_COL_COMPUTED ? WR_SQL_LIKE_GENERATED
                                                                         : WR_SQL_LIKE_METADATA)));
    }
    return WR_OK;
}

static wr_status
check_form(wri_draft *d, const wr_ast_create_table *create)
{
    const char *what = create->replace || create->or_replace ? "REPLACE" : "CREATE";
    if (create->query && create->temporary)
        return wr_raise_at(d->ctx, WR_UNSUPPORTED, create->base.span,
                           "%s TABLE AS SELECT syntax does not support to create temporary table "
                           "yet.",
                           what);
    return WR_OK;
}

static wr_status
set_rest(wri_draft *d, const wr_ast_create_table *create)
{
    d->watermark = create->watermark ? create->watermark : d->watermark;
    if (create->comment) {
        d->t.has_comment = true;
        d->t.comment = wri_ddl_string(create->comment);
    }
    if (create->distribution) WR_TRY(wri_draft_set_distribution(d, create->distribution));
    if (create->partitions.count) {
        d->t.partition_key_count = create->partitions.count;
        WR_TRY(wri_ddl_name_list(d, &create->partitions, &d->t.partition_keys));
    }
    return wri_draft_set_options(d, &create->options);
}

wr_status
wr_ddl_table(wr_ctx *ctx, const wr_plan_env *env, const wr_ast *stmt, wr_table_desc **out)
{
    const wr_ast_create_table *create = WR_AST_AS(wr_ast_create_table, WR_AST_CREATE_TABLE, stmt);
    wri_draft d;
    wri_draft_init(&d, ctx, env, stmt);
    WR_TRY(check_form(&d, create));
    if (create->materialized) d.t.kind = WR_TABLE_MATERIALIZED;
    WR_TRY(wri_draft_find_key(&d, &create->columns, &create->constraints));
    WR_TRY(wri_ddl_qualify(ctx, env, create->name, &d.t.id));
    if (create->like) WR_TRY(wri_draft_like(&d, create));
    if (create->query)
        WR_TRY(wri_draft_as(&d, create));
    else
        WR_TRY(add_columns(&d, create));
    WR_TRY(set_rest(&d, create));
    d.t.temporary = create->temporary;
    return wri_draft_finish(&d, out);
}
