/* SPDX-License-Identifier: Apache-2.0 */
/* Names in FROM: common table expressions, views, catalog tables. A table is a SCAN of its physical
 * and metadata columns; metadata casts and computed columns are a PROJECT above it, its watermark a
 * WATERMARK above that (none in batch mode). Views and computed columns are bound from their stored
 * canonical text; errors in them point at the reference. */
#include "plan/bind_int.h"
#include "spi/factory.h"

#define VIEW_DEPTH_MAX 64u

/* ---- finding --------------------------------------------------------------------------------- */
/* The table has that name, but in another database of the catalog. */
static void
hint_elsewhere(wri_binder *b, const wr_table_id *id, const wr_str *databases, uint32_t count)
{
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    for (uint32_t i = 0; i < count; i++) {
        const wr_table_id other = {id->catalog, databases[i], id->name};
        const wr_table_desc *t = NULL;
        if (wr_catalogs_find_permanent(&quiet, b->env->catalogs, &other, &t) != WR_OK || !t)
            continue;
        wr_hint(b->ctx, "there is a %.*s.%.*s", WR_STR_ARG(databases[i]), WR_STR_ARG(id->name));
        return;
    }
}

static wr_status
not_found(wri_binder *b, const wr_ast_ident *name, const wr_table_id *id)
{
    wr_span span = wri_bind_span(b, &name->base);
    const wr_database_desc *db = NULL;
    wr_str *catalogs = NULL, *databases = NULL;
    uint32_t n = 0;
    bool catalog = name->part_count < 3;
    WR_TRY(wr_catalogs_list_catalogs(b->ctx, b->env->catalogs, b->a, &catalogs, &n));
    for (uint32_t i = 0; i < n; i++) catalog = catalog || wr_str_eq(catalogs[i], id->catalog);
    wr_status status;
    if (!catalog) {
        status =
            wr_raise_at(b->ctx, WR_NAME, span, "Object '%.*s' not found", WR_STR_ARG(id->catalog));
        for (uint32_t i = 0; i < n; i++) wr_candidate(b->ctx, id->catalog, catalogs[i]);
        return status;
    }
    WR_TRY(wr_catalogs_get_database(b->ctx, b->env->catalogs, id->catalog, id->database, &db));
    WR_TRY(wr_catalogs_list_databases(b->ctx, b->env->catalogs, id->catalog, b->a, &databases, &n));
    if (!db) {
        for (uint32_t i = 0; i < n; i++) wr_candidate(b->ctx, id->database, databases[i]);
        return wr_raise_at(b->ctx, WR_NAME, span, "Object '%.*s' not found%s%.*s%s",
                           WR_STR_ARG(id->database), name->part_count == 3 ? " within '" : "",
                           WR_STR_ARG(name->part_count == 3 ? id->catalog : WR_STR("")),
                           name->part_count == 3 ? "'" : "");
    }
    if (name->part_count == 1)
        status =
            wr_raise_at(b->ctx, WR_NAME, span, "Object '%.*s' not found", WR_STR_ARG(id->name));
    else
        status =
            wr_raise_at(b->ctx, WR_NAME, span, "Object '%.*s' not found within '%.*s.%.*s'",
                        WR_STR_ARG(id->name), WR_STR_ARG(id->catalog), WR_STR_ARG(id->database));
    wr_catalogs_candidates(b->ctx, b->env->catalogs, id);
    wri_bind_late_name(b, id);
    hint_elsewhere(b, id, databases, n);
    return status;
}

static wr_status
qualify(wri_binder *b, const wr_ast_ident *name, wr_table_id *id)
{
    wr_str parts[3];
    for (uint32_t i = 0; i < name->part_count && i < 3; i++) parts[i] = name->parts[i].name;
    return wr_catalogs_qualify(b->ctx, b->env->catalogs, parts, name->part_count,
                               wri_bind_span(b, &name->base), id);
}

wr_status
wri_bind_find_table(wri_binder *b, const wr_ast_ident *name, wr_table_id *id,
                    const wr_table_desc **out)
{
    WR_TRY(qualify(b, name, id));
    return wr_catalogs_find_table(b->ctx, b->env->catalogs, id, out);
}

/* ---- options --------------------------------------------------------------------------------- */
static wr_status
set_option(wri_binder *b, wr_options *o, const wr_ast_option *x)
{
    for (uint32_t i = 0; i < o->count; i++)
        if (wr_str_eq(o->items[i].key, x->key)) {
            o->items[i].value = x->value;
            o->items[i].span = wri_bind_part_span(b, x->key_span);
            return WR_OK;
        }
    o->items[o->count++] = (wr_option){x->key, x->value, wri_bind_part_span(b, x->key_span)};
    return WR_OK;
}

wr_status
wri_bind_table_options(wri_binder *b, const wr_table_desc *t, const wr_ast_list *hints,
                       wr_options *out)
{
    uint32_t room = t->options.count;
    for (uint32_t h = 0; h < hints->count; h++) {
        const wr_ast_hint *hint = WR_AST_AS(wr_ast_hint, WR_AST_HINT, hints->items[h]);
        wr_span span = wri_bind_span(b, &hint->base);
        if (!wr_str_eq_nocase(hint->name.name, WR_STR("OPTIONS")))
            return wri_bind_no_hint(b, hint, span);
        if (!wr_config_bool(b->env->config, "table.dynamic-table-options.enabled"))
            return wr_raise_at(b->ctx, WR_OPTION, span,
                               "The 'OPTIONS' hint is allowed only when the config option "
                               "'table.dynamic-table-options.enabled' is set to true.");
        room += hint->args.count;
    }
    out->items = WR_NEW_N(b->a, wr_option, room + 1);
    WR_TRY_ALLOC(b->ctx, out->items);
    out->count = t->options.count;
    for (uint32_t i = 0; i < out->count; i++) out->items[i] = t->options.items[i];
    for (uint32_t i = 0; i < out->count; i++) out->items[i].span = WR_NO_SPAN;
    for (uint32_t h = 0; h < hints->count; h++) {
        const wr_ast_hint *hint = WR_AST_AS(wr_ast_hint, WR_AST_HINT, hints->items[h]);
        for (uint32_t i = 0; i < hint->args.count; i++) {
            const wr_ast *arg = hint->args.items[i];
            if (arg->kind != WR_AST_OPTION)
                return wr_raise_at(b->ctx, WR_OPTION, wri_bind_span(b, arg),
                                   "Hint [OPTIONS] only support non empty key value options");
            WR_TRY(set_option(b, out, WR_AST_AS(wr_ast_option, WR_AST_OPTION, arg)));
        }
    }
    return WR_OK;
}

/* ---- stored texts ---------------------------------------------------------------------------- */
/* Run `fn` with positions fixed to `span`: the text it binds is not the statement's. */
wr_status
wri_bind_stored_expr(wri_binder *b, wr_str text, const wr_schema *columns, wr_expr **out)
{
    wr_ast *ast = NULL;
    wr_str sql = b->ctx->sql;
    b->ctx->sql = text;
    wr_status status = wr_sql_parse_expr(b->ctx, text, b->a, &ast);
    b->ctx->sql = sql;
    if (status != WR_OK) {
        b->ctx->err.span = b->fixed_span;
        return status;
    }
    wr_rel rel = {.kind = WR_REL_VALUES, .schema = *columns};
    wri_scope scope;
    WR_TRY(wri_bind_scope_single(b, &rel, WR_STR(""), NULL, b->fixed_span, &scope));
    wri_where w = {.scope = &scope, .clause = "this", .in_ddl = true};
    return wri_bind_expr_as(b, &w, ast, NULL, out);
}

static wr_status
bind_view_query(wri_binder *b, const wr_table_desc *t, wr_rel **out)
{
    wr_ast *ast = NULL;
    wr_str sql = b->ctx->sql;
    b->ctx->sql = t->view_expanded;
    wr_status status = wr_sql_parse(b->ctx, t->view_expanded, b->a, &ast);
    b->ctx->sql = sql;
    if (status != WR_OK) {
        b->ctx->err.span = b->fixed_span;
        return status;
    }
    return wri_bind_any_query(b, ast, NULL, out);
}

wr_status
wri_bind_view(wri_binder *b, const wr_table_desc *t, wr_span span, wr_rel **out)
{
    if (b->view_depth >= VIEW_DEPTH_MAX)
        return wr_raise_at(b->ctx, WR_LIMIT, span, "views are nested more than %u deep",
                           VIEW_DEPTH_MAX);
    wri_binder saved = *b;
    b->view_depth++;
    b->fixed = true;
    b->fixed_span = span;
    b->ctes = NULL;
    b->hints = NULL;
    b->hint_count = 0;
    wr_status status = bind_view_query(b, t, out);
    b->view_depth = saved.view_depth;
    b->fixed = saved.fixed;
    b->fixed_span = saved.fixed_span;
    b->ctes = saved.ctes;
    b->hints = saved.hints;
    b->hint_count = saved.hint_count;
    b->raw_names = NULL;
    if (status != WR_OK) {
        wr_frame(b->ctx, "view %.*s", WR_STR_ARG(t->id.name));
        return status;
    }
    if ((*out)->schema.count != t->column_count)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                           "view '%.*s' has %u columns, but its query now gives %u",
                           WR_STR_ARG(t->id.name), t->column_count, (*out)->schema.count);
    wr_str *names = WR_NEW_N(b->a, wr_str, t->column_count + 1);
    WR_TRY_ALLOC(b->ctx, names);
    for (uint32_t i = 0; i < t->column_count; i++) names[i] = t->columns[i].name;
    *out = wri_rel_rename(b->a, *out, names);
    WR_TRY_ALLOC(b->ctx, *out);
    return WR_OK;
}

/* ---- scans ----------------------------------------------------------------------------------- */
static const wr_metadata_col *
find_metadata(const wr_source_info *info, wr_str key)
{
    for (const wr_metadata_col *m = info->metadata; m && m->key; m++)
        if (wr_str_eq_c(key, m->key)) return m;
    return NULL;
}

static wr_status
no_metadata(wri_binder *b, const wr_table_desc *t, const wr_column *c, const wr_source_info *info,
            wr_span span)
{
    wr_text full, keys;
    wr_text_init(&full, b->a);
    wr_text_init(&keys, b->a);
    wr_text_printf(&full, "%.*s.%.*s.%.*s", WR_STR_ARG(t->id.catalog), WR_STR_ARG(t->id.database),
                   WR_STR_ARG(t->id.name));
    if (!info->metadata || !info->metadata->key)
        return wr_raise_at(b->ctx, WR_OPTION, span,
                           "Table '%.*s' declares metadata columns, but the underlying "
                           "DynamicTableSource doesn't implement the SupportsReadingMetadata "
                           "interface. Therefore, metadata cannot be read from the given source.",
                           WR_STR_ARG(wr_text_str(&full)));
    for (const wr_metadata_col *m = info->metadata; m->key; m++)
        wr_text_printf(&keys, "\n%s", m->key);
    wr_status status = wr_raise_at(
        b->ctx, WR_OPTION, span,
        "Invalid metadata key '%.*s' in column '%.*s' of table '%.*s'. The DynamicTableSource "
        "supports the following metadata keys for reading:%.*s",
        WR_STR_ARG(c->metadata_key), WR_STR_ARG(c->name), WR_STR_ARG(wr_text_str(&full)),
        WR_STR_ARG(wr_text_str(&keys)));
    for (const wr_metadata_col *m = info->metadata; m->key; m++)
        wr_candidate(b->ctx, c->metadata_key, wr_str_c(m->key));
    return status;
}

/* The columns a reader gives: physical ones, then metadata. `at[i]`: of table column i. */
static wr_status
scan_columns(wri_binder *b, const wr_table_desc *t, wr_rel *scan, uint32_t *at, wr_span span)
{
    uint32_t n = t->column_count, count = 0;
    wr_field *fields = WR_NEW_N(b->a, wr_field, n + 1);
    int32_t *physical = WR_NEW_N(b->a, int32_t, n + 1);
    const char **metadata = WR_NEW_N(b->a, const char *, n + 1);
    WR_TRY_ALLOC(b->ctx, fields);
    WR_TRY_ALLOC(b->ctx, physical);
    WR_TRY_ALLOC(b->ctx, metadata);
    for (uint32_t i = 0; i < n; i++) {
        const wr_column *c = &t->columns[i];
        if (c->kind != WR_COL_PHYSICAL) continue;
        fields[count] = (wr_field){c->name, wri_rel_type_plain(b->a, c->type), WR_STR("")};
        WR_TRY_ALLOC(b->ctx, fields[count].type);
        physical[count] = (int32_t)count;
        at[i] = count++;
    }
    for (uint32_t i = 0; i < n; i++) {
        const wr_column *c = &t->columns[i];
        if (c->kind != WR_COL_METADATA) continue;
        const wr_metadata_col *m = find_metadata(&scan->u.scan.info, c->metadata_key);
        if (!m) return no_metadata(b, t, c, &scan->u.scan.info, span);
        const wr_type *type =
            wr_type_nullable(b->a, m->type, m->type->nullable || c->type->nullable);
        WR_TRY_ALLOC(b->ctx, type);
        fields[count] = (wr_field){c->name, type, WR_STR("")};
        physical[count] = -1;
        metadata[count] = m->key;
        at[i] = count++;
    }
    scan->schema = (wr_schema){fields, count};
    scan->u.scan.physical = physical;
    scan->u.scan.metadata = metadata;
    return WR_OK;
}

/* Declared columns in their order: plain references, casts of metadata, computed ones. */
static wr_status
declared_columns(wri_binder *b, const wr_table_desc *t, wr_rel *scan, const uint32_t *at,
                 wr_rel **out)
{
    uint32_t n = t->column_count, base_count = 0;
    bool plain = true;
    wr_expr **exprs = WR_NEW_N(b->a, wr_expr *, n + 1), **base = WR_NEW_N(b->a, wr_expr *, n + 1);
    wr_str *names = WR_NEW_N(b->a, wr_str, n + 1);
    wr_field *fields = WR_NEW_N(b->a, wr_field, n + 1);
    WR_TRY_ALLOC(b->ctx, exprs);
    WR_TRY_ALLOC(b->ctx, base);
    WR_TRY_ALLOC(b->ctx, names);
    WR_TRY_ALLOC(b->ctx, fields);
    for (uint32_t i = 0; i < n; i++) {
        const wr_column *c = &t->columns[i];
        names[i] = c->name;
        plain = plain && c->kind == WR_COL_PHYSICAL;
        if (c->kind == WR_COL_COMPUTED) continue;
        exprs[i] = wri_rex_col(b->a, scan, at[i]);
        WR_TRY_ALLOC(b->ctx, exprs[i]);
        const wr_type *want = wri_rel_type_plain(b->a, c->type);
        WR_TRY_ALLOC(b->ctx, want);
        if (c->kind == WR_COL_METADATA && !wr_type_eq(exprs[i]->type, want)) {
            want = wr_type_nullable(b->a, want, exprs[i]->type->nullable);
            WR_TRY_ALLOC(b->ctx, want);
            exprs[i] = wr_expr_cast(b->a, exprs[i], want, false, WR_NO_SPAN);
            WR_TRY_ALLOC(b->ctx, exprs[i]);
        }
        fields[base_count] = (wr_field){c->name, exprs[i]->type, WR_STR("")};
        base[base_count++] = exprs[i];
    }
    *out = scan;
    if (plain) return WR_OK;
    wr_schema columns = {fields, base_count};
    for (uint32_t i = 0; i < n; i++) {
        if (t->columns[i].kind != WR_COL_COMPUTED) continue;
        wr_expr *e = NULL;
        WR_TRY(wri_bind_stored_expr(b, t->columns[i].expr, &columns, &e));
        exprs[i] = wr_expr_substitute(b->a, e, base);
        WR_TRY_ALLOC(b->ctx, exprs[i]);
    }
    *out = wri_rel_project(b->a, scan, exprs, names, n);
    WR_TRY_ALLOC(b->ctx, *out);
    return WR_OK;
}

/* An event time has milliseconds, whatever its column was declared with. */
static const wr_type *
event_time(wr_arena *a, const wr_type *t)
{
    const wr_type *ms = wr_type_time(a, (wr_type_id)t->id, 3, t->nullable);
    return ms ? wr_type_attr(a, ms, WR_ATTR_ROWTIME) : NULL;
}

static wr_status
watermark(wri_binder *b, const wr_table_desc *t, wr_rel *input, wr_rel **out)
{
    *out = input;
    if (t->watermark_column.len == 0 || b->env->batch) return WR_OK;
    wr_rel *rel = wri_rel_new(b->a, WR_REL_WATERMARK, &input, 1);
    wr_field *fields = WR_NEW_N(b->a, wr_field, input->schema.count + 1);
    WR_TRY_ALLOC(b->ctx, rel);
    WR_TRY_ALLOC(b->ctx, fields);
    WR_TRY(wri_bind_stored_expr(b, t->watermark_expr, &input->schema, &rel->u.watermark.expr));
    for (uint32_t i = 0; i < input->schema.count; i++) {
        fields[i] = input->schema.fields[i];
        if (!wr_str_eq(fields[i].name, t->watermark_column)) continue;
        rel->u.watermark.col = i;
        fields[i].type = event_time(b->a, fields[i].type);
        WR_TRY_ALLOC(b->ctx, fields[i].type);
    }
    rel->schema = (wr_schema){fields, input->schema.count};
    *out = rel;
    return WR_OK;
}

static wr_status
scan_table(wri_binder *b, const wr_table_desc *t, const wr_options *options, wr_span span,
           wr_rel **out)
{
    wr_rel *scan = wri_rel_new(b->a, WR_REL_SCAN, NULL, 0);
    uint32_t *at = WR_NEW_N(b->a, uint32_t, t->column_count + 1);
    WR_TRY_ALLOC(b->ctx, scan);
    WR_TRY_ALLOC(b->ctx, at);
    scan->span = span;
    scan->alias = t->id.name;
    scan->u.scan.table = t;
    scan->u.scan.limit = -1;
    scan->u.scan.options = *options;
    WR_TRY(wr_source_find_checked(b->ctx, t, &scan->u.scan.options, &scan->u.scan.source));
    WR_TRY(scan->u.scan.source->describe(b->ctx, t, &scan->u.scan.options, b->env->config, b->a,
                                         &scan->u.scan.info));
    WR_TRY(scan_columns(b, t, scan, at, span));
    WR_TRY(declared_columns(b, t, scan, at, out));
    return watermark(b, t, *out, out);
}

wr_status
wri_bind_scan(wri_binder *b, const wr_table_desc *t, const wr_ast_list *hints, wr_span span,
              wr_rel **out)
{
    bool fixed = b->fixed;
    wr_span fixed_span = b->fixed_span;
    wr_options options;
    WR_TRY(wri_bind_table_options(b, t, hints, &options));
    b->fixed = true; /* computed columns and the watermark have no place in the statement */
    if (!fixed) b->fixed_span = span;
    wr_status status = scan_table(b, t, &options, b->fixed_span, out);
    b->fixed = fixed;
    b->fixed_span = fixed_span;
    if (status != WR_OK && b->ctx->err.span.start == UINT32_MAX) b->ctx->err.span = span;
    return status;
}

/* ---- common table expressions ---------------------------------------------------------------- */
static wr_status
bind_cte(wri_binder *b, wri_cte *cte, wr_span span)
{
    const wr_ast_cte *ast = cte->ast;
    wri_cte *ctes = b->ctes;
    uint32_t level = b->level;
    wri_hint_use *hints = b->hints;
    uint32_t hint_count = b->hint_count;
    b->ctes = cte->next;
    b->level = cte->level;
    wr_status status = wri_bind_any_query(b, ast->query, cte->outer, &cte->rel);
    b->ctes = ctes;
    b->level = level;
    b->hints = hints;
    b->hint_count = hint_count;
    wr_str *raw = b->raw_names;
    b->raw_names = NULL;
    if (status != WR_OK) return status;
    (void)span;
    if (ast->columns.count == 0) {
        cte->raw_names = raw;
        return WR_OK;
    }
    if (ast->columns.count != cte->rel->schema.count) {
        wr_span columns = {ast->columns.items[0].span.start,
                           ast->columns.items[ast->columns.count - 1].span.end};
        return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_part_span(b, columns),
                           "Number of columns must match number of query columns");
    }
    wr_str *names = WR_NEW_N(b->a, wr_str, ast->columns.count);
    WR_TRY_ALLOC(b->ctx, names);
    for (uint32_t i = 0; i < ast->columns.count; i++) names[i] = ast->columns.items[i].name;
    cte->rel = wri_rel_rename(b->a, cte->rel, names);
    WR_TRY_ALLOC(b->ctx, cte->rel);
    return WR_OK;
}

static wr_status
use_cte(wri_binder *b, wri_cte *cte, const wr_ast_table_ref *t, const wri_scope *outer,
        wri_from *out)
{
    wr_span span = wri_bind_span(b, &t->base);
    if (!cte->rel) WR_TRY(bind_cte(b, cte, span));
    wr_rel *rel = cte->rel;
    if (b->level != cte->level && wri_rel_has_outer(rel)) {
        rel = wri_rel_shift_outer(b->a, rel, (int32_t)b->level - (int32_t)cte->level);
        WR_TRY_ALLOC(b->ctx, rel);
    }
    b->raw_names = cte->raw_names;
    return wri_bind_as(b, &t->as, cte->name, NULL, span, rel, outer, out);
}

/* ---- table references ------------------------------------------------------------------------ */
static wr_status
refuse_clauses(wri_binder *b, const wr_ast_table_ref *t)
{
    wr_span span = wri_bind_span(b, &t->base);
    if (t->system_time) return wri_bind_unsupported(b, span, "FOR SYSTEM_TIME AS OF");
    if (t->sample.method != WR_SQL_SAMPLE_NONE)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span, "TABLESAMPLE is not supported");
    if (t->extend.count)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span, "EXTEND is not supported");
    return WR_OK;
}

/* "data/orders.csv.gz" -> orders, "logs/" -> logs: the name by which columns can be qualified. */
static wr_str
file_name(wr_str path)
{
    while (path.len && path.ptr[path.len - 1] == '/') path.len--;
    size_t from = path.len, n = 0;
    while (from && path.ptr[from - 1] != '/') from--;
    while (from + n < path.len && path.ptr[from + n] != '.') n++;
    return (wr_str){path.ptr + from, n};
}

static wr_status
bind_file(wri_binder *b, const wr_ast_table_ref *t, const wri_scope *outer, wri_from *out)
{
    const wr_ast_literal *path = WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, t->file);
    wr_span span = wri_bind_span(b, t->file);
    if (!b->env->file_table) return wri_bind_unsupported(b, span, "files as tables");
    wr_table_desc *desc = WR_NEW(b->a, wr_table_desc);
    wr_rel *rel = NULL;
    WR_TRY_ALLOC(b->ctx, desc);
    wr_status status = b->env->file_table(b->ctx, path->text, b->a, desc);
    if (status != WR_OK) {
        if (b->ctx->err.span.start == UINT32_MAX) b->ctx->err.span = span;
        return status;
    }
    desc->id.catalog = wr_catalogs_current_catalog(b->env->catalogs);
    desc->id.database = wr_catalogs_current_database(b->env->catalogs);
    desc->id.name = path->text;
    WR_TRY(wri_bind_scan(b, desc, &t->hints, span, &rel));
    b->raw_names = NULL;
    return wri_bind_as(b, &t->as, file_name(path->text), NULL, span, rel, outer, out);
}

/* For EXPLAIN; not below computed columns and watermarks. */
static void
name_scan(const wri_binder *b, const wr_ast_table_ref *t, wr_rel *rel)
{
    if (rel->kind != WR_REL_SCAN || b->view_depth) return;
    rel->u.scan.named =
        t->as.name.name.ptr ? t->as.name.name : t->name->parts[t->name->part_count - 1].name;
}

wr_status
wri_bind_table_ref(wri_binder *b, const wr_ast_table_ref *t, const wri_scope *outer, wri_from *out)
{
    WR_TRY(refuse_clauses(b, t));
    if (t->file) return bind_file(b, t, outer, out);
    wr_span span = wri_bind_span(b, &t->base);
    wr_str last = t->name->parts[t->name->part_count - 1].name;
    for (wri_cte *c = t->name->part_count == 1 ? b->ctes : NULL; c; c = c->next)
        if (wr_str_eq(c->name, last)) return use_cte(b, c, t, outer, out);
    wr_table_id id;
    const wr_table_desc *desc = NULL;
    wr_rel *rel = NULL;
    WR_TRY(wri_bind_find_table(b, t->name, &id, &desc));
    const bool late = !desc;
    if (late) WR_TRY(wri_bind_late_find(b, &id, &desc));
    if (!desc) return not_found(b, t->name, &id);
    if (desc->kind == WR_TABLE_VIEW) {
        if (t->hints.count)
            return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, t->hints.items[0]),
                               "View '`%.*s`.`%.*s`.`%.*s`' cannot be enriched with new options. "
                               "Hints can only be applied to tables.",
                               WR_STR_ARG(id.catalog), WR_STR_ARG(id.database),
                               WR_STR_ARG(id.name));
        WR_TRY(wri_bind_view(b, desc, wri_bind_span(b, &t->name->base), &rel));
    } else {
        WR_TRY(wri_bind_scan(b, desc, &t->hints, wri_bind_span(b, &t->name->base), &rel));
        name_scan(b, t, rel);
        if (late) WR_TRY(wri_bind_late_rows(b, desc, wri_bind_span(b, &t->name->base), &rel));
    }
    b->raw_names = NULL;
    if (late) id.name = last;
    return wri_bind_as(b, &t->as, last, &id, span, rel, outer, out);
}
