/* SPDX-License-Identifier: Apache-2.0 */
/* Drafts of tables: columns from their syntax, and the check of the whole when all columns are
 * known: computed columns, watermark, primary key, partition and bucket keys. Texts are Flink's. */
#include "plan/ddl_int.h"

#define LIST_OF_NAMES_MAX 64u /* in messages */

void
wri_draft_init(wri_draft *d, wr_ctx *ctx, const wr_plan_env *env, const wr_ast *stmt)
{
    memset(d, 0, sizeof *d);
    d->ctx = ctx;
    d->env = env;
    d->a = env->arena;
    d->stmt = stmt->span;
    d->t.bucket_count = -1;
    d->t.distribution_kind = WR_STR("");
    d->t.watermark_column = d->t.watermark_expr = WR_STR("");
    d->t.comment = d->t.primary_key_name = WR_STR("");
}

static wr_status
no_memory(const wri_draft *d)
{
    return wr_raise(d->ctx, WR_NOMEM, "out of memory");
}

int32_t
wri_draft_find(const wri_draft *d, wr_str name)
{
    for (uint32_t i = 0; i < d->columns.count; i++)
        if (wr_str_eq(d->columns.items[i].c.name, name)) return (int32_t)i;
    return -1;
}

wr_str
wri_draft_place(const wri_draft *d, wr_span at)
{
    wr_str sql = d->ctx->sql;
    if (at.start == UINT32_MAX || at.start > sql.len || d->stmt.start > at.start)
        return WR_STR("line 1, column 1");
    wr_str stmt = {sql.ptr + d->stmt.start, sql.len - d->stmt.start};
    wr_linecol lc = wr_linecol_of(stmt, at.start - d->stmt.start);
    return wr_arena_printf(d->a, "line %u, column %u", lc.line, lc.col);
}

wr_status
wri_ddl_qualify(wr_ctx *ctx, const wr_plan_env *env, const wr_ast_ident *name, wr_table_id *out)
{
    wr_str parts[3] = {{0}};
    for (uint32_t i = 0; i < name->part_count && i < 3; i++) parts[i] = name->parts[i].name;
    return wr_catalogs_qualify(ctx, env->catalogs, parts, name->part_count, name->base.span, out);
}

wr_status
wri_ddl_name_list(wri_draft *d, const wr_ast_parts *parts, const wr_str **out)
{
    wr_str *names = WR_NEW_N(d->a, wr_str, parts->count + 1);
    WR_TRY_ALLOC(d->ctx, names);
    for (uint32_t i = 0; i < parts->count; i++) names[i] = parts->items[i].name;
    *out = names;
    return WR_OK;
}

wr_str
wri_ddl_expr_text(wr_arena *a, const wr_ast *expr)
{
    wr_text t;
    wr_text_init(&t, a);
    wr_sql_expr_print(expr, &t);
    return t.failed ? (wr_str){NULL, 0} : wr_text_str(&t);
}

wr_str
wri_ddl_string(const wr_ast *literal)
{
    return literal ? WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, literal)->text : WR_STR("");
}

/* ---- names in expressions -------------------------------------------------------------------- */

typedef struct name_walk {
    wri_ddl_name_fn fn;
    void *arg;
    bool stopped;
} name_walk;

static bool visit_name(void *arg, const wr_ast *node);

static void
visit_list(name_walk *w, const wr_ast_list *list)
{
    for (uint32_t i = 0; i < list->count && !w->stopped; i++)
        if (list->items[i]) wr_ast_walk(list->items[i], visit_name, w);
}

static bool
visit_name(void *arg, const wr_ast *node)
{
    name_walk *w = arg;
    if (w->stopped || node->kind == WR_AST_TYPE) return false;
    if (node->kind == WR_AST_CALL) { /* its name is no column */
        const wr_ast_call *c = WR_AST_AS(wr_ast_call, WR_AST_CALL, node);
        visit_list(w, &c->args);
        if (c->json && !w->stopped) wr_ast_walk(&c->json->base, visit_name, w);
        return false;
    }
    if (node->kind == WR_AST_IDENT) {
        const wr_ast_ident *id = WR_AST_AS(wr_ast_ident, WR_AST_IDENT, node);
        if (id->part_count) w->stopped = !w->fn(w->arg, id);
    }
    return !w->stopped;
}

void
wri_ddl_each_name(const wr_ast *expr, wri_ddl_name_fn fn, void *arg)
{
    name_walk w = {.fn = fn, .arg = arg};
    wr_ast_walk(expr, visit_name, &w);
}

typedef struct name_check {
    wri_draft *d;
    const wr_schema *columns;
    wr_status status;
} name_check;

static bool
check_name(void *arg, const wr_ast_ident *id)
{
    name_check *c = arg;
    wr_str name = id->parts[0].name;
    for (uint32_t i = 0; i < c->columns->count; i++)
        if (wr_str_eq(c->columns->fields[i].name, name)) return true;
    if (id->part_count > 1) return true; /* perhaps with the table's name */
    for (uint32_t i = 0; i < c->columns->count; i++)
        wr_candidate(c->d->ctx, name, c->columns->fields[i].name);
    c->status = wr_raise_at(c->d->ctx, WR_NAME, id->base.span, "Unknown identifier '%.*s'",
                            WR_STR_ARG(name));
    return false;
}

/* Binds an expression of this statement; unknown columns are told in the words of Flink's DDL. */
static wr_status
bind_written(wri_draft *d, const wr_ast *expr, const wr_schema *columns, wr_expr **out)
{
    name_check c = {.d = d, .columns = columns};
    wri_ddl_each_name(expr, check_name, &c);
    WR_TRY(c.status);
    return wr_bind_expr(d->ctx, d->env, expr, columns, out);
}

/* ---- columns --------------------------------------------------------------------------------- */

static wr_status
make_computed(wri_draft *d, const wr_ast_column *ast, wri_draft_column *out)
{
    out->c.kind = WR_COL_COMPUTED;
    out->expr = ast->expr;
    out->c.expr = wri_ddl_expr_text(d->a, ast->expr);
    return out->c.expr.ptr ? WR_OK : no_memory(d);
}

wr_status
wri_draft_make_column(wri_draft *d, const wr_ast_column *ast, wri_draft_column *out)
{
    memset(out, 0, sizeof *out);
    wr_column *c = &out->c;
    c->name = ast->path->parts[0].name;
    c->span = ast->path->base.span;
    c->metadata_key = c->expr = WR_STR("");
    if (ast->comment) c->comment = wri_ddl_string(ast->comment);
    if (c->name.len > WR_NAME_BYTES_MAX)
        return wr_raise_at(d->ctx, WR_LIMIT, c->span, "a name is longer than %u bytes",
                           WR_NAME_BYTES_MAX);
    if (ast->column == WR_SQL_COLUMN_COMPUTED) return make_computed(d, ast, out);
    if (ast->column == WR_SQL_COLUMN_METADATA) {
        c->kind = WR_COL_METADATA;
        c->is_virtual = ast->is_virtual;
        c->metadata_key = ast->metadata_key ? wri_ddl_string(ast->metadata_key) : c->name;
    }
    return wr_bind_type(d->ctx, d->env, ast->type, &c->type);
}

/* Columns that an expression may name: all but the computed ones, or all (for the watermark). */
static wr_status
visible(wri_draft *d, bool computed_too, wr_schema *out)
{
    wr_field *fields = WR_NEW_N(d->a, wr_field, d->columns.count + 1);
    WR_TRY_ALLOC(d->ctx, fields);
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->columns.count; i++) {
        const wr_column *c = &d->columns.items[i].c;
        if (c->kind == WR_COL_COMPUTED && !computed_too) continue;
        fields[n++] = (wr_field){.name = c->name, .type = c->type, .comment = WR_STR("")};
    }
    *out = (wr_schema){.fields = fields, .count = n};
    return WR_OK;
}

/* Binds a text that another statement wrote: errors have no position in this one. */
static wr_status
bind_stored(wri_draft *d, wr_str text, const wr_schema *columns, wr_expr **out)
{
    wr_ast *ast = NULL;
    wr_str sql = d->ctx->sql;
    d->ctx->sql = text;
    wr_status status = wr_sql_parse_expr(d->ctx, text, d->a, &ast);
    if (status == WR_OK) status = wr_bind_expr(d->ctx, d->env, ast, columns, out);
    d->ctx->sql = sql;
    if (status != WR_OK) d->ctx->err.span = d->stmt;
    return status;
}

static wr_status
bind_computed(wri_draft *d)
{
    wr_schema columns;
    WR_TRY(visible(d, false, &columns));
    for (uint32_t i = 0; i < d->columns.count; i++) {
        wri_draft_column *c = &d->columns.items[i];
        wr_expr *e = NULL;
        if (c->c.kind != WR_COL_COMPUTED) continue;
        wr_status status = c->expr ? bind_written(d, c->expr, &columns, &e)
                                   : bind_stored(d, c->c.expr, &columns, &e);
        if (status != WR_OK) {
            wr_frame(d->ctx, "Invalid expression for computed column '%.*s'.",
                     WR_STR_ARG(c->c.name));
            return status;
        }
        c->c.type = e->type;
    }
    return WR_OK;
}

/* ---- watermark ------------------------------------------------------------------------------- */

static wr_str
quoted_list(wri_draft *d, const char *quote, bool physical_only)
{
    wr_text t;
    wr_text_init(&t, d->a);
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->columns.count; i++) {
        const wr_column *c = &d->columns.items[i].c;
        if (physical_only && c->kind != WR_COL_PHYSICAL) continue;
        if (n == LIST_OF_NAMES_MAX) {
            wr_text_puts(&t, ", ...");
            break;
        }
        wr_text_printf(&t, "%s%s%.*s%s", n++ ? ", " : "", quote, WR_STR_ARG(c->name), quote);
    }
    return wr_text_str(&t);
}

static bool
is_watermark_type(const wr_type *t)
{
    return (wr_type_is(t, WR_T_TIMESTAMP) || wr_type_is(t, WR_T_TIMESTAMP_LTZ)) &&
           t->precision <= 3;
}

static wr_status
bad_watermark_type(wri_draft *d, wr_span span, bool of_field, const wr_type *type)
{
    wr_str text = wr_type_str(type, of_field ? WR_TYPE_SUMMARY : WR_TYPE_NO_NULL, d->a);
    return wr_raise_at(
        d->ctx, WR_TYPE, span,
        "Invalid data type of %s for watermark definition. The field must be of type TIMESTAMP(p) "
        "or TIMESTAMP_LTZ(p), the supported precision 'p' is from 0 to 3, but the %s type is %.*s",
        of_field ? "time field" : "expression", of_field ? "time field" : "watermark expression",
        WR_STR_ARG(text));
}

static wr_status
watermark_column(wri_draft *d, wr_str name, wr_span span, const wr_column **out)
{
    int32_t at = wri_draft_find(d, name);
    if (at < 0) {
        for (uint32_t i = 0; i < d->columns.count; i++)
            wr_candidate(d->ctx, name, d->columns.items[i].c.name);
        wr_str place = wri_draft_place(d, span), names = quoted_list(d, "'", false);
        if (d->alter)
            return wr_raise_at(d->ctx, WR_NAME, span,
                               "Invalid column name '%.*s' for rowtime attribute in watermark "
                               "declaration. Available columns are: [%.*s]",
                               WR_STR_ARG(name), WR_STR_ARG(quoted_list(d, "", false)));
        return wr_raise_at(d->ctx, WR_NAME, span,
                           "The rowtime attribute field '%.*s' is not defined in the table schema, "
                           "at %.*s\nAvailable fields: [%.*s]",
                           WR_STR_ARG(name), WR_STR_ARG(place), WR_STR_ARG(names));
    }
    *out = &d->columns.items[at].c;
    if ((*out)->type->attr == WR_ATTR_PROCTIME)
        return wr_raise_at(d->ctx, WR_TYPE, span,
                           "A watermark can not be defined for a processing-time attribute.");
    return is_watermark_type((*out)->type) ? WR_OK
                                           : bad_watermark_type(d, span, true, (*out)->type);
}

static bool
is_source_watermark(const wr_ast *expr)
{
    if (expr->kind != WR_AST_CALL) return false;
    const wr_ast_ident *name = WR_AST_AS(wr_ast_call, WR_AST_CALL, expr)->name;
    return name->part_count == 1 &&
           wr_str_eq_nocase(name->parts[0].name, WR_STR("SOURCE_WATERMARK"));
}

static wr_status
nested_watermark(wri_draft *d)
{
    wr_text path;
    const wr_ast_ident *id = d->watermark->column;
    if (d->alter)
        return wr_raise_at(d->ctx, WR_UNSUPPORTED, id->base.span,
                           "Watermark strategy on nested column is not supported yet.");
    wr_text_init(&path, d->a);
    for (uint32_t i = 0; i < id->part_count; i++)
        wr_text_printf(&path, "%s%.*s", i ? "." : "", WR_STR_ARG(id->parts[i].name));
    return wr_raise_at(d->ctx, WR_NAME, id->base.span,
                       "Invalid column name '%.*s' for rowtime attribute in watermark declaration. "
                       "Available columns are: [%.*s]",
                       WR_STR_ARG(wr_text_str(&path)), WR_STR_ARG(quoted_list(d, "", false)));
}

static wr_status
bind_watermark(wri_draft *d)
{
    const wr_ast_watermark *w = d->watermark;
    const wr_column *column = NULL;
    wr_schema columns;
    wr_expr *e = NULL;
    if (!w && d->t.watermark_column.len == 0) return WR_OK;
    if (w && w->column->part_count != 1) return nested_watermark(d);
    wr_span span = w ? w->column->base.span : d->stmt;
    wr_str name = w ? w->column->parts[0].name : d->t.watermark_column;
    WR_TRY(watermark_column(d, name, span, &column));
    WR_TRY(visible(d, true, &columns));
    if (w) {
        WR_TRY(bind_written(d, w->expr, &columns, &e));
        d->t.watermark_column = name;
        d->t.watermark_expr = wri_ddl_expr_text(d->a, w->expr);
        if (!d->t.watermark_expr.ptr) return no_memory(d);
        if (is_source_watermark(w->expr)) return WR_OK;
    } else {
        WR_TRY(bind_stored(d, d->t.watermark_expr, &columns, &e));
        return WR_OK;
    }
    if (!is_watermark_type(e->type)) return bad_watermark_type(d, w->expr->span, false, e->type);
    if (e->type->id == column->type->id) return WR_OK;
    return wr_raise_at(d->ctx, WR_TYPE, w->expr->span,
                       "The watermark declaration's output data type '%.*s' is different from the "
                       "time field's data type '%.*s'.",
                       WR_STR_ARG(wr_type_str(e->type, WR_TYPE_NO_NULL, d->a)),
                       WR_STR_ARG(wr_type_str(column->type, WR_TYPE_NO_NULL, d->a)));
}

/* ---- primary key ----------------------------------------------------------------------------- */

static wr_status
check_constraint(wri_draft *d, const wr_ast_constraint *c)
{
    if (c->unique)
        return wr_raise_at(d->ctx, WR_UNSUPPORTED, c->base.span,
                           "UNIQUE constraint is not supported yet");
    if (c->enforced != WR_SQL_ENFORCED_NO)
        return wr_raise_at(
            d->ctx, WR_SEMANTIC, c->base.span,
            "Flink doesn't support ENFORCED mode for PRIMARY KEY constraint. ENFORCED/NOT ENFORCED "
            "controls if the constraint checks are performed on the incoming/outgoing data. Flink "
            "does not own the data therefore the only supported mode is the NOT ENFORCED mode");
    return WR_OK;
}

static wr_status
take_key(wri_draft *d, const wr_ast_constraint *c, const wr_ast_parts *columns)
{
    WR_TRY(check_constraint(d, c));
    if (d->key)
        return wr_raise_at(d->ctx, WR_SEMANTIC, c->base.span, "Duplicate primary key definition");
    d->key = c;
    d->key_columns = columns;
    return WR_OK;
}

wr_status
wri_draft_find_key(wri_draft *d, const wr_ast_list *columns, const wr_ast_list *constraints)
{
    for (uint32_t i = 0; i < columns->count; i++) {
        const wr_ast_column *c = WR_AST_AS(wr_ast_column, WR_AST_COLUMN, columns->items[i]);
        if (!c->constraint) continue;
        wr_ast_parts *one = WR_NEW(d->a, wr_ast_parts);
        WR_TRY_ALLOC(d->ctx, one);
        one->items = &c->path->parts[0];
        one->count = 1;
        WR_TRY(take_key(d, c->constraint, one));
    }
    for (uint32_t i = 0; i < constraints->count; i++) {
        const wr_ast_constraint *c =
            WR_AST_AS(wr_ast_constraint, WR_AST_CONSTRAINT, constraints->items[i]);
        WR_TRY(take_key(d, c, &c->columns));
    }
    return WR_OK;
}

static wr_str
key_name(wri_draft *d)
{
    if (d->key->name.name.ptr) return d->key->name.name;
    wr_text t;
    wr_text_init(&t, d->a);
    wr_text_puts(&t, "PK");
    for (uint32_t i = 0; i < d->key_columns->count; i++)
        wr_text_printf(&t, "_%.*s", WR_STR_ARG(d->key_columns->items[i].name));
    return t.failed ? (wr_str){NULL, 0} : wr_text_str(&t);
}

static wr_status
bad_key_column(wri_draft *d, const wr_ast_part *p, bool absent)
{
    wr_str name = key_name(d), place = wri_draft_place(d, p->span);
    for (uint32_t i = 0; absent && i < d->columns.count; i++)
        wr_candidate(d->ctx, p->name, d->columns.items[i].c.name);
    if (d->alter)
        return wr_raise_at(d->ctx, WR_NAME, p->span,
                           "Invalid primary key '%.*s'. Column '%.*s' %s.", WR_STR_ARG(name),
                           WR_STR_ARG(p->name),
                           absent ? "does not exist" : "is not a physical column");
    if (absent)
        return wr_raise_at(d->ctx, WR_NAME, p->span,
                           "Primary key column '%.*s' is not defined in the schema at %.*s",
                           WR_STR_ARG(p->name), WR_STR_ARG(place));
    return wr_raise_at(d->ctx, WR_SEMANTIC, p->span,
                       "Could not create a PRIMARY KEY with column '%.*s' at %.*s.\nA PRIMARY KEY "
                       "constraint must be declared on physical columns.",
                       WR_STR_ARG(p->name), WR_STR_ARG(place));
}

/* Key columns become NOT NULL, but what comes from a query or from the table of LIKE has to be so.
 */
static wr_status
key_column_not_null(wri_draft *d, wri_draft_column *c, wr_span span)
{
    if (!c->c.type->nullable) return WR_OK;
    if (c->given) {
        const wr_status status = wr_raise_at(
            d->ctx, WR_SEMANTIC, span, "Invalid primary key '%.*s'. Column '%.*s' is nullable.",
            WR_STR_ARG(key_name(d)), WR_STR_ARG(c->c.name));
        wr_hint(d->ctx,
                "make it NOT NULL where it comes from: in its table, or COALESCE(%.*s, ...)",
                WR_STR_ARG(c->c.name));
        return status;
    }
    c->c.type = wr_type_nullable(d->a, c->c.type, false);
    return c->c.type ? WR_OK : no_memory(d);
}

/* Computed columns see what the key makes of its columns; whether it is right is told later. */
static wr_status
foresee_key(wri_draft *d)
{
    for (uint32_t i = 0; d->key && i < d->key_columns->count; i++) {
        int32_t at = wri_draft_find(d, d->key_columns->items[i].name);
        wri_draft_column *c = at >= 0 ? &d->columns.items[at] : NULL;
        if (!c || c->given || c->c.kind != WR_COL_PHYSICAL) continue;
        c->c.type = wr_type_nullable(d->a, c->c.type, false);
        if (!c->c.type) return no_memory(d);
    }
    return WR_OK;
}

static wr_status
check_new_key(wri_draft *d)
{
    const wr_ast_parts *cols = d->key_columns;
    for (uint32_t i = 0; i < cols->count; i++) {
        int32_t at = wri_draft_find(d, cols->items[i].name);
        if (at < 0) return bad_key_column(d, &cols->items[i], true);
        wri_draft_column *c = &d->columns.items[at];
        if (c->c.kind != WR_COL_PHYSICAL) return bad_key_column(d, &cols->items[i], false);
        for (uint32_t k = 0; k < i; k++)
            if (wr_str_eq(cols->items[k].name, cols->items[i].name))
                return wr_raise_at(
                    d->ctx, WR_SEMANTIC, cols->items[i].span,
                    "Invalid primary key '%.*s'. A primary key must not contain duplicate columns. "
                    "Found: [%.*s]",
                    WR_STR_ARG(key_name(d)), WR_STR_ARG(cols->items[i].name));
        WR_TRY(key_column_not_null(d, c, cols->items[i].span));
    }
    d->t.primary_key_count = cols->count;
    d->t.primary_key_name = key_name(d);
    if (!d->t.primary_key_name.ptr) return no_memory(d);
    return wri_ddl_name_list(d, cols, &d->t.primary_key);
}

static wr_status
bind_key(wri_draft *d)
{
    if (d->key) return check_new_key(d);
    for (uint32_t i = 0; i < d->t.primary_key_count; i++) {
        int32_t at = wri_draft_find(d, d->t.primary_key[i]);
        wri_draft_column *c = at >= 0 ? &d->columns.items[at] : NULL;
        if (!c || c->c.kind != WR_COL_PHYSICAL)
            return wr_raise_at(d->ctx, WR_SEMANTIC, d->stmt,
                               "Invalid primary key '%.*s'. Column '%.*s' %s.",
                               WR_STR_ARG(d->t.primary_key_name), WR_STR_ARG(d->t.primary_key[i]),
                               c ? "is not a physical column" : "does not exist");
        WR_TRY(key_column_not_null(d, c, d->stmt));
    }
    return WR_OK;
}

/* ---- partitions, buckets, options ------------------------------------------------------------ */

static wr_status
check_partitions(wri_draft *d)
{
    const bool made = d->t.kind == WR_TABLE_MATERIALIZED;
    for (uint32_t i = 0; i < d->t.partition_key_count; i++) {
        wr_str name = d->t.partition_keys[i];
        int32_t at = wri_draft_find(d, name);
        if (at >= 0 && d->columns.items[at].c.kind == WR_COL_PHYSICAL) continue;
        if (at >= 0)
            return wr_raise_at(d->ctx, WR_SEMANTIC, d->stmt,
                               "Invalid partition key '%.*s'. A partition key must reference a "
                               "physical column in the schema. Available columns are: [%.*s]",
                               WR_STR_ARG(name), WR_STR_ARG(quoted_list(d, "", true)));
        for (uint32_t k = 0; k < d->columns.count; k++)
            wr_candidate(d->ctx, name, d->columns.items[k].c.name);
        return wr_raise_at(d->ctx, WR_NAME, d->stmt,
                           "Partition column '%.*s' not defined in the %s schema. Available "
                           "columns: [%.*s]%s",
                           WR_STR_ARG(name), made ? "query's" : "table",
                           WR_STR_ARG(quoted_list(d, "'", false)), made ? "." : "");
    }
    return WR_OK;
}

static wr_status
check_distribution(wri_draft *d)
{
    for (uint32_t i = 0; i < d->t.distribution_column_count; i++) {
        wr_str name = d->t.distribution_columns[i];
        int32_t at = wri_draft_find(d, name);
        if (at >= 0 && d->columns.items[at].c.kind == WR_COL_PHYSICAL) continue;
        return wr_raise_at(d->ctx, WR_NAME, d->stmt,
                           "Invalid bucket key '%.*s'. A bucket key for a distribution must "
                           "reference a physical column in the schema. Available columns are: "
                           "[%.*s]",
                           WR_STR_ARG(name), WR_STR_ARG(quoted_list(d, "", true)));
    }
    return WR_OK;
}

wr_status
wri_draft_set_distribution(wri_draft *d, const wr_ast_distribution *ast)
{
    static const char *const kinds[] = {"UNKNOWN", "HASH", "RANGE"};
    d->t.distribution_kind = wr_str_c(kinds[ast->what]);
    d->t.distribution_column_count = ast->columns.count;
    d->t.bucket_count = -1;
    WR_TRY(wri_ddl_name_list(d, &ast->columns, &d->t.distribution_columns));
    if (!ast->buckets) return WR_OK;
    static const wr_option_def def = {"buckets", WR_OPT_INT, NULL, NULL, 0, NULL};
    wr_option_value v;
    WR_TRY(wr_option_parse(d->ctx, &def, wri_ddl_string(ast->buckets), ast->buckets->span, &v));
    if (v.i < 1)
        return wr_raise_at(d->ctx, WR_SEMANTIC, ast->buckets->span,
                           "Invalid bucket count '%lld'. The number of buckets for a distributed "
                           "table must be at least 1.",
                           (long long)v.i);
    d->t.bucket_count = (int32_t)v.i;
    return WR_OK;
}

wr_status
wri_draft_set_options(wri_draft *d, const wr_ast_list *options)
{
    uint32_t n = d->t.options.count;
    wr_option *items = WR_NEW_N(d->a, wr_option, n + options->count + 1);
    WR_TRY_ALLOC(d->ctx, items);
    if (n) memcpy(items, d->t.options.items, n * sizeof *items);
    for (uint32_t i = 0; i < options->count; i++) {
        const wr_ast_option *o = WR_AST_AS(wr_ast_option, WR_AST_OPTION, options->items[i]);
        uint32_t at = 0;
        while (at < n && !wr_str_eq(items[at].key, o->key)) at++;
        items[at] = (wr_option){.key = o->key, .value = o->value, .span = o->key_span};
        if (at == n) n++;
    }
    d->t.options = (wr_options){.items = items, .count = n};
    return WR_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

wr_status
wri_draft_finish(wri_draft *d, wr_table_desc **out)
{
    if (d->columns.count > WR_COLUMNS_MAX)
        return wr_raise_at(d->ctx, WR_LIMIT, d->stmt, "a table has more than %u columns",
                           WR_COLUMNS_MAX);
    WR_TRY(foresee_key(d));
    WR_TRY(bind_computed(d));
    WR_TRY(bind_watermark(d));
    WR_TRY(bind_key(d));
    WR_TRY(check_partitions(d));
    WR_TRY(check_distribution(d));
    wr_table_desc *t = WR_NEW(d->a, wr_table_desc);
    wr_column *columns = WR_NEW_N(d->a, wr_column, d->columns.count + 1);
    WR_TRY_ALLOC(d->ctx, t);
    WR_TRY_ALLOC(d->ctx, columns);
    for (uint32_t i = 0; i < d->columns.count; i++) columns[i] = d->columns.items[i].c;
    *t = d->t;
    t->kind = d->t.kind == WR_TABLE_MATERIALIZED ? WR_TABLE_MATERIALIZED : WR_TABLE_BASE;
    t->columns = columns;
    t->column_count = d->columns.count;
    *out = t;
    return WR_OK;
}
