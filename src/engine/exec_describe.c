/* SPDX-License-Identifier: Apache-2.0 */
/* DESCRIBE: columns of tables, views and files; catalogs, databases, functions, jobs. */
#include "engine/engine_int.h"
#include "engine/show_int.h"

/* ---- tables and views ------------------------------------------------------------------------ */

static wr_str
key_text(wri_stmt *st, const wr_table_desc *t, wr_str column)
{
    wr_text text;
    bool in_key = false;
    for (uint32_t i = 0; i < t->primary_key_count; i++)
        in_key = in_key || wr_str_eq(t->primary_key[i], column);
    if (!in_key) return (wr_str){NULL, 0};
    wr_text_init(&text, st->arena);
    wr_text_puts(&text, "PRI(");
    for (uint32_t i = 0; i < t->primary_key_count; i++)
        wr_text_printf(&text, "%s%.*s", i ? ", " : "", WR_STR_ARG(t->primary_key[i]));
    wr_text_putc(&text, ')');
    return wr_text_str(&text);
}

static wr_str
extras_text(wri_stmt *st, const wr_column *c)
{
    wr_text text;
    wr_text_init(&text, st->arena);
    if (c->kind == WR_COL_PHYSICAL) return (wr_str){NULL, 0};
    if (c->kind == WR_COL_COMPUTED) {
        wr_text_puts(&text, "AS ");
        wr_text_put(&text, c->expr.ptr, c->expr.len);
        return wr_text_str(&text);
    }
    wr_text_puts(&text, "METADATA");
    if (!wr_str_eq(c->metadata_key, c->name))
        wr_text_printf(&text, " FROM '%.*s'", WR_STR_ARG(c->metadata_key));
    if (c->is_virtual) wr_text_puts(&text, " VIRTUAL");
    return wr_text_str(&text);
}

static void
set_if(wri_table *t, wr_value *row, uint32_t col, wr_str text)
{
    if (text.ptr) wri_table_set(t, row, col, text);
}

static wr_status
column_row(wr_ctx *ctx, wri_stmt *st, wri_table *t, const wr_table_desc *d, const wr_column *c,
           const wr_type *type)
{
    wr_value *row = wri_table_row(t);
    WR_TRY_ALLOC(ctx, row);
    if (st->env.batch && type->attr == WR_ATTR_ROWTIME) { /* there are no watermarks */
        type = wr_type_attr(st->arena, type, WR_ATTR_NONE);
        WR_TRY_ALLOC(ctx, type);
    }
    wr_str text = wr_type_str(type, WR_TYPE_NO_NULL, st->arena);
    WR_TRY_ALLOC(ctx, text.ptr);
    wri_table_set(t, row, 0, c->name);
    wri_table_set(t, row, 1, text);
    row[2] = wr_value_bool(type->nullable);
    set_if(t, row, 3, key_text(st, d, c->name));
    set_if(t, row, 4, extras_text(st, c));
    if (d->watermark_column.len && wr_str_eq(d->watermark_column, c->name))
        set_if(t, row, 5, d->watermark_expr);
    if (t->col_count > 6) set_if(t, row, 6, c->comment);
    return WR_OK;
}

static wr_status
describe_desc(wr_ctx *ctx, wri_stmt *st, const wr_table_desc *d, const wri_column_filter *f)
{
    static const char *const names[] = {"name",   "type",      "null",   "key",
                                        "extras", "watermark", "comment"};
    const wr_type *types[] = {NULL, NULL, wr_type_of(WR_T_BOOLEAN, true), NULL, NULL, NULL, NULL};
    bool comments = false;
    wr_schema schema;
    wri_table t;
    for (uint32_t i = 0; i < d->column_count; i++) comments = comments || d->columns[i].comment.ptr;
    if (!wr_table_schema(d, st->arena, &schema)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    WR_TRY(wri_table_init(ctx, &t, st->arena, names, types, comments ? 7 : 6));
    for (uint32_t i = 0; i < d->column_count; i++) {
        const wr_column *c = &d->columns[i];
        if (f && f->pattern.ptr && wr_like_match(f->pattern, c->name, f->ignore_case) == f->negate)
            continue;
        WR_TRY(column_row(ctx, st, &t, d, c, schema.fields[i].type));
    }
    return wri_result_table(ctx, st, &t);
}

wr_status
wri_describe_table(wr_ctx *ctx, wri_stmt *st, const wr_ast_ident *name,
                   const wri_column_filter *filter)
{
    wr_table_id id;
    const wr_table_desc *d = NULL;
    wr_catalogs *cats = st->session->catalogs;
    WR_TRY(wri_show_qualify(ctx, st, name, &id));
    WR_TRY(wri_show_at(ctx, wr_catalogs_find_table(ctx, cats, &id, &d), name));
    if (d) return describe_desc(ctx, st, d, filter);
    wr_catalogs_candidates(ctx, cats, &id);
    return wr_raise_at(ctx, WR_NAME, name->base.span,
                       "Tables or views with the identifier '%.*s.%.*s.%.*s' doesn't exist.",
                       WR_STR_ARG(id.catalog), WR_STR_ARG(id.database), WR_STR_ARG(id.name));
}

/* DESCRIBE 'file': what SELECT * FROM 'file' gives. */
static wr_status
describe_file(wr_ctx *ctx, wri_stmt *st, const wr_ast_describe *d)
{
    wr_span span = d->file->span;
    wr_ast_table_ref from = {.base = {.kind = WR_AST_TABLE_REF, .span = span, .height = 2},
                             .file = (wr_ast *)(uintptr_t)d->file};
    wr_ast_ident star = {.base = {.kind = WR_AST_IDENT, .span = span, .height = 1}, .star = true};
    wr_ast *items[] = {&star.base};
    wr_ast_select select = {.base = {.kind = WR_AST_SELECT, .span = span, .height = 3},
                            .items = {.items = items, .count = 1},
                            .from = &from.base};
    wr_rel *rel = NULL;
    WR_TRY(wr_bind_query(ctx, &st->env, &select.base, &rel));
    wr_column *columns = WR_NEW_N(st->arena, wr_column, rel->schema.count + 1);
    WR_TRY_ALLOC(ctx, columns);
    for (uint32_t i = 0; i < rel->schema.count; i++)
        columns[i] =
            (wr_column){.name = rel->schema.fields[i].name, .type = rel->schema.fields[i].type};
    wr_table_desc t = {.columns = columns, .column_count = rel->schema.count};
    return describe_desc(ctx, st, &t, NULL);
}

/* ---- name and value -------------------------------------------------------------------------- */

static wr_status
info_init(wr_ctx *ctx, wri_stmt *st, wri_table *t)
{
    static const char *const names[] = {"info name", "info value"};
    return wri_table_init(ctx, t, st->arena, names, NULL, 2);
}

static wr_status
info(wr_ctx *ctx, wri_table *t, const char *name, wr_str value)
{
    wr_value *row = wri_table_row(t);
    WR_TRY_ALLOC(ctx, row);
    wri_table_set(t, row, 0, wr_str_c(name));
    set_if(t, row, 1, value);
    return WR_OK;
}

/* "option:key" rows, sorted by key as they are kept nowhere else in order. */
static wr_status
info_options(wr_ctx *ctx, wri_stmt *st, wri_table *t, const wr_options *o)
{
    const wr_option *last = NULL;
    for (uint32_t n = 0; n < o->count; n++) {
        const wr_option *next = NULL;
        for (uint32_t i = 0; i < o->count; i++) {
            const wr_option *x = &o->items[i];
            if (last && wr_str_cmp(x->key, last->key) <= 0) continue;
            if (!next || wr_str_cmp(x->key, next->key) < 0) next = x;
        }
        if (!next) break;
        last = next;
        if (wr_str_eq_c(next->key, "type")) continue;
        wr_str name = wr_arena_printf(st->arena, "option:%.*s", WR_STR_ARG(next->key));
        WR_TRY_ALLOC(ctx, name.ptr);
        WR_TRY(info(ctx, t, name.ptr, wr_option_shown(next)));
    }
    return WR_OK;
}

static wr_status
describe_catalog(wr_ctx *ctx, wri_stmt *st, const wr_ast_describe *d)
{
    wri_table t;
    wr_catalog_info c;
    wr_str name = d->name->parts[0].name;
    WR_TRY(wri_show_at(ctx, wr_catalogs_get_info(ctx, st->session->catalogs, name, &c), d->name));
    WR_TRY(info_init(ctx, st, &t));
    const wr_option *type = wr_options_find(c.options, "type");
    WR_TRY(info(ctx, &t, "name", name));
    WR_TRY(info(ctx, &t, "type", type ? type->value : (wr_str){NULL, 0}));
    WR_TRY(info(ctx, &t, "comment", c.has_comment ? c.comment : (wr_str){NULL, 0}));
    if (d->extended) WR_TRY(info_options(ctx, st, &t, c.options));
    return wri_result_table(ctx, st, &t);
}

static wr_status
describe_database(wr_ctx *ctx, wri_stmt *st, const wr_ast_describe *d)
{
    wri_table t;
    const wr_database_desc *db = NULL;
    wr_catalogs *cats = st->session->catalogs;
    uint32_t n = d->name->part_count;
    wr_str name = d->name->parts[n - 1].name;
    wr_str catalog = n > 1 ? d->name->parts[0].name : wr_catalogs_current_catalog(cats);
    WR_TRY(wri_show_at(ctx, wr_catalogs_get_database(ctx, cats, catalog, name, &db), d->name));
    if (!db)
        return wr_raise_at(ctx, WR_NAME, d->name->base.span,
                           "Database %.*s does not exist in Catalog %.*s.", WR_STR_ARG(name),
                           WR_STR_ARG(catalog));
    WR_TRY(info_init(ctx, st, &t));
    WR_TRY(info(ctx, &t, "name", db->name));
    WR_TRY(info(ctx, &t, "catalog", catalog));
    WR_TRY(info(ctx, &t, "comment", db->comment.len ? db->comment : (wr_str){NULL, 0}));
    if (d->extended) WR_TRY(info_options(ctx, st, &t, &db->options));
    return wri_result_table(ctx, st, &t);
}

/* ---- functions ------------------------------------------------------------------------------- */

static const char *
function_kind(const wr_fn *f)
{
    switch ((wr_fn_kind)f->kind) {
    case WR_FN_SCALAR:
        return "SCALAR";
    case WR_FN_AGGREGATE:
    case WR_FN_WINDOW:
        return "AGGREGATE";
    case WR_FN_TABLE:
        return "TABLE";
    }
    return "OTHER";
}

/* The signatures with the function's name as the statement wrote it, as Flink shows them. */
static wr_str
signature_text(wri_stmt *st, const wr_fn *f, wr_str shown)
{
    wr_text t;
    wr_text_init(&t, st->arena);
    wr_str name = wr_str_c(f->name);
    const char *line = f->signature ? f->signature : "";
    while (*line) {
        const char *end = strchr(line, '\n');
        size_t n = end ? (size_t)(end - line) : strlen(line);
        if (t.len) wr_text_putc(&t, '\n');
        bool call = wr_str_starts((wr_str){line, n}, name) && n > name.len && line[name.len] == '(';
        if (call) {
            wr_text_put(&t, shown.ptr, shown.len);
            wr_text_put(&t, line + name.len, n - name.len);
        } else {
            wr_text_put(&t, line, n);
        }
        line += n + (end ? 1 : 0);
    }
    return wr_text_str(&t);
}

static wr_str
yes(bool b)
{
    return b ? WR_STR("true") : WR_STR("false");
}

static wr_status
describe_builtin(wr_ctx *ctx, wri_stmt *st, const wr_fn *f, wr_str shown, bool extended)
{
    wri_table t;
    WR_TRY(info_init(ctx, st, &t));
    WR_TRY(info(ctx, &t, "is system function", yes(true)));
    WR_TRY(info(ctx, &t, "is temporary", yes(false)));
    if (extended) {
        WR_TRY(info(ctx, &t, "kind", wr_str_c(function_kind(f))));
        WR_TRY(info(ctx, &t, "requirements", WR_STR("[]")));
        WR_TRY(info(ctx, &t, "is deterministic", yes(!(f->flags & WR_FNF_NONDET))));
        WR_TRY(info(ctx, &t, "supports constant folding", yes(!(f->flags & WR_FNF_NO_FOLD))));
        WR_TRY(info(ctx, &t, "signature", signature_text(st, f, shown)));
    }
    return wri_result_table(ctx, st, &t);
}

static wr_status
describe_user_function(wr_ctx *ctx, wri_stmt *st, const wr_function_desc *f, bool extended)
{
    wri_table t;
    WR_TRY(info_init(ctx, st, &t));
    WR_TRY(info(ctx, &t, "is system function", yes(f->system)));
    WR_TRY(info(ctx, &t, "is temporary", yes(f->temporary)));
    WR_TRY(info(ctx, &t, "class name", f->class_name));
    WR_TRY(info(ctx, &t, "function language", f->language));
    if (extended)
        wr_notice(ctx, "functions in %.*s are listed, but cannot be called yet",
                  WR_STR_ARG(f->language));
    return wri_result_table(ctx, st, &t);
}

static wr_status
describe_function(wr_ctx *ctx, wri_stmt *st, const wr_ast_describe *d)
{
    wr_table_id id;
    const wr_function_desc *user = NULL;
    WR_TRY(wri_show_qualify(ctx, st, d->name, &id));
    wr_function_id fid = {.catalog = id.catalog, .database = id.database, .name = id.name};
    WR_TRY(wri_show_at(ctx, wr_catalogs_find_function(ctx, st->session->catalogs, &fid, &user),
                       d->name));
    bool bare = d->name->part_count == 1;
    const wr_fn *f = bare ? wr_fn_find(id.name) : NULL;
    if (f && (f->flags & WR_FNF_HIDDEN)) f = NULL;
    if (user && (user->system || !f)) return describe_user_function(ctx, st, user, d->extended);
    if (f) return describe_builtin(ctx, st, f, id.name, d->extended);
    wr_fn_candidates(ctx, id.name);
    wr_text path;
    wr_text_init(&path, st->arena);
    for (uint32_t i = 0; i < d->name->part_count; i++) {
        if (i) wr_text_putc(&path, '.');
        wr_sql_ident_print(d->name->parts[i].name, &path);
    }
    return wr_raise_at(ctx, WR_NAME, d->name->base.span,
                       "Function with the identifier '%.*s' doesn't exist.",
                       WR_STR_ARG(wr_text_str(&path)));
}

/* ---- the statement --------------------------------------------------------------------------- */

wr_status
wri_exec_describe(wr_ctx *ctx, wri_stmt *st, const wr_ast_describe *d)
{
    if (d->file) return describe_file(ctx, st, d);
    switch (d->object) {
    case WR_SQL_OBJECT_TABLE:
    case WR_SQL_OBJECT_VIEW:
        return wri_describe_table(ctx, st, d->name, NULL);
    case WR_SQL_OBJECT_CATALOG:
        return describe_catalog(ctx, st, d);
    case WR_SQL_OBJECT_DATABASE:
        return describe_database(ctx, st, d);
    case WR_SQL_OBJECT_FUNCTION:
        return describe_function(ctx, st, d);
    case WR_SQL_OBJECT_JOB: {
        wr_str id = WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, d->job)->text;
        wr_status status = wri_show_job_table(ctx, st, id);
        if (status != WR_OK && ctx->err.span.start == UINT32_MAX) ctx->err.span = d->job->span;
        return status;
    }
    case WR_SQL_OBJECT_MATERIALIZED_TABLE:
    case WR_SQL_OBJECT_MODEL:
    case WR_SQL_OBJECT_CONNECTION:
    case WR_SQL_OBJECT_COUNT:
        break;
    }
    return wr_raise_at(ctx, WR_UNSUPPORTED, d->base.span, "not supported yet: DESCRIBE %s",
                       wr_sql_object_name(d->object));
}
