/* SPDX-License-Identifier: Apache-2.0 */
/* CREATE TABLE ... AS query: the schema out of the query's. Columns that only the statement has
 * stand first; those of the query follow in its order, with the statement's type where it gives
 * one. A list of bare names only reorders. */
#include "plan/ddl_int.h"

static wr_status
push(wri_draft *d, const wri_draft_column *c)
{
    return wr_list_push(d->a, &d->columns, *c) ? WR_OK
                                               : wr_raise(d->ctx, WR_NOMEM, "out of memory");
}

static wr_status
query_column(wri_draft *d, const wr_field *f, wri_draft_column *out)
{
    memset(out, 0, sizeof *out);
    out->given = true;
    out->c.name = f->name;
    out->c.metadata_key = out->c.expr = WR_STR("");
    out->c.span = WR_NO_SPAN;
    out->c.type =
        f->type->attr == WR_ATTR_NONE ? f->type : wr_type_attr(d->a, f->type, WR_ATTR_NONE);
    WR_TRY_ALLOC(d->ctx, out->c.type);
    return WR_OK;
}

static int32_t
field_index(const wr_schema *s, wr_str name)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (wr_str_eq(s->fields[i].name, name)) return (int32_t)i;
    return -1;
}

static wr_status
reorder(wri_draft *d, const wr_ast_create_table *create, const wr_schema *query)
{
    if (create->columns.count != query->count)
        return wr_raise_at(d->ctx, WR_SEMANTIC, create->columns.items[0]->span,
                           "The number of columns in the column list must match the number of "
                           "columns in the source schema.");
    for (uint32_t i = 0; i < create->columns.count; i++) {
        const wr_ast_column *ast =
            WR_AST_AS(wr_ast_column, WR_AST_COLUMN, create->columns.items[i]);
        wr_str name = ast->path->parts[0].name;
        int32_t at = field_index(query, name);
        wri_draft_column c;
        if (at < 0) {
            for (uint32_t k = 0; k < query->count; k++)
                wr_candidate(d->ctx, name, query->fields[k].name);
            return wr_raise_at(d->ctx, WR_NAME, ast->base.span,
                               "Column '%.*s' not found in the source schema.", WR_STR_ARG(name));
        }
        if (wri_draft_find(d, name) >= 0)
            return wr_raise_at(d->ctx, WR_SEMANTIC, ast->base.span,
                               "A regular Column named '%.*s' already exists in the table.",
                               WR_STR_ARG(name));
        WR_TRY(query_column(d, &query->fields[at], &c));
        WR_TRY(push(d, &c));
    }
    return WR_OK;
}

/* May the statement's column take the place of the query's? */
static wr_status
check_override(wri_draft *d, const wri_draft_column *c, const wr_schema *query, uint32_t at)
{
    const wr_type *from = query->fields[at].type, *to = c->c.type;
    if (c->c.kind == WR_COL_COMPUTED || (c->c.kind == WR_COL_METADATA && c->c.is_virtual))
        return wr_raise_at(d->ctx, WR_SEMANTIC, c->c.span,
                           "A column named '%.*s' already exists in the source schema. %s columns "
                           "cannot overwrite columns from source.",
                           WR_STR_ARG(c->c.name),
                           c->c.kind == WR_COL_COMPUTED ? "Computed" : "Virtual metadata");
    if (wr_type_can_cast_implicit(from, to) && (to->nullable || !from->nullable)) return WR_OK;
    wr_str a = wr_type_str(from, WR_TYPE_SUMMARY, d->a), b = wr_type_str(to, WR_TYPE_SUMMARY, d->a);
    return wr_raise_at(
        d->ctx, WR_TYPE, c->c.span,
        "Incompatible types for sink column '%.*s' at position %u. The source column "
        "has type '%.*s', while the target column has type '%.*s'.",
        WR_STR_ARG(c->c.name), at + 1, WR_STR_ARG(a), WR_STR_ARG(b));
}

static wr_status
merge(wri_draft *d, const wr_ast_create_table *create, const wr_schema *query)
{
    wri_draft_column *instead = WR_NEW_N(d->a, wri_draft_column, query->count + 1);
    bool *replaced = WR_NEW_N(d->a, bool, query->count + 1);
    WR_TRY_ALLOC(d->ctx, instead);
    WR_TRY_ALLOC(d->ctx, replaced);
    for (uint32_t i = 0; i < create->columns.count; i++) {
        wri_draft_column c;
        WR_TRY(wri_draft_make_column(
            d, WR_AST_AS(wr_ast_column, WR_AST_COLUMN, create->columns.items[i]), &c));
        int32_t at = field_index(query, c.c.name);
        if (wri_draft_find(d, c.c.name) >= 0 || (at >= 0 && replaced[at]))
            return wr_raise_at(d->ctx, WR_SEMANTIC, c.c.span,
                               "A regular Column named '%.*s' already exists in the table.",
                               WR_STR_ARG(c.c.name));
        if (at < 0) {
            WR_TRY(push(d, &c));
            continue;
        }
        WR_TRY(check_override(d, &c, query, (uint32_t)at));
        instead[at] = c;
        replaced[at] = true;
    }
    for (uint32_t i = 0; i < query->count; i++) {
        wri_draft_column c;
        WR_TRY(query_column(d, &query->fields[i], &c));
        WR_TRY(push(d, replaced[i] ? &instead[i] : &c));
    }
    return WR_OK;
}

wr_status
wri_draft_as(wri_draft *d, const wr_ast_create_table *create)
{
    wr_rel *rel = NULL;
    WR_TRY(wr_bind_query(d->ctx, d->env, create->query, &rel));
    bool names = create->columns.count > 0 &&
                 WR_AST_AS(wr_ast_column, WR_AST_COLUMN, create->columns.items[0])->column ==
                     WR_SQL_COLUMN_NAME;
    return names ? reorder(d, create, &rel->schema) : merge(d, create, &rel->schema);
}

/* INSERT INTO t (columns of the query) query: rows go to the columns of their names. */
wr_status
wr_ddl_as_insert(wr_ctx *ctx, const wr_plan_env *env, const wr_ast_create_table *create,
                 const wr_ast **out)
{
    wr_rel *rel = NULL;
    WR_TRY(wr_bind_query(ctx, env, create->query, &rel));
    uint32_t n = rel->schema.count;
    wr_ast_table_ref *target = WR_NEW(env->arena, wr_ast_table_ref);
    wr_ast_insert *insert = WR_NEW(env->arena, wr_ast_insert);
    wr_ast_ident *idents = WR_NEW_N(env->arena, wr_ast_ident, n + 1);
    wr_ast_part *parts = WR_NEW_N(env->arena, wr_ast_part, n + 1);
    wr_ast **items = WR_NEW_N(env->arena, wr_ast *, n + 1);
    WR_TRY_ALLOC(ctx, target);
    WR_TRY_ALLOC(ctx, insert);
    WR_TRY_ALLOC(ctx, idents);
    WR_TRY_ALLOC(ctx, parts);
    WR_TRY_ALLOC(ctx, items);
    wr_span span = create->name->base.span;
    for (uint32_t i = 0; i < n; i++) {
        parts[i] = (wr_ast_part){.name = rel->schema.fields[i].name, .span = span, .quoted = true};
        idents[i].base = (wr_ast){.kind = WR_AST_IDENT, .span = span, .height = 1};
        idents[i].parts = &parts[i];
        idents[i].part_count = 1;
        items[i] = &idents[i].base;
    }
    target->base = (wr_ast){.kind = WR_AST_TABLE_REF, .span = span, .height = 2};
    target->name = create->name;
    insert->base = (wr_ast){
        .kind = WR_AST_INSERT, .span = create->base.span, .height = create->query->height + 1};
    insert->target = target;
    insert->has_columns = true;
    insert->columns = (wr_ast_list){.items = items, .count = n};
    insert->query = create->query;
    *out = &insert->base;
    return WR_OK;
}
