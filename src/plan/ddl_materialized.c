/* SPDX-License-Identifier: Apache-2.0 */
/* CREATE MATERIALIZED TABLE and ALTER MATERIALIZED TABLE ... AS: a table whose columns come from
 * its query, as in CREATE TABLE ... AS, with the query kept as a view's is. Freshness and refresh
 * mode as in Flink 2.3 (its sentences). */
#include "plan/ddl_int.h"

#include "sql/sql.h"

typedef struct freshness_unit {
    wr_sql_unit unit;
    const char *name;
    int64_t ms;
    int64_t full; /* in mode FULL the number has to divide this */
} freshness_unit;

static const freshness_unit freshness_units[] = {
    {WR_SQL_UNIT_SECOND, "SECOND", 1000, 60}, {WR_SQL_UNIT_MINUTE, "MINUTE", 60000, 60},
    {WR_SQL_UNIT_HOUR, "HOUR", 3600000, 24},  {WR_SQL_UNIT_DAY, "DAY", 86400000, 1},
    {WR_SQL_UNIT_WEEK, "WEEK", 604800000, 1},
};

#define FRESHNESS_MAX 1000000000 /* of any unit: 19,000 years of weeks are still a BIGINT of ms */

static bool
positive(wr_str text, int64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9' || *out > FRESHNESS_MAX / 10) return false;
        *out = *out * 10 + (text.ptr[i] - '0');
    }
    return *out > 0;
}

/* FULL runs by a clock whose ticks are those of cron. */
static wr_status
check_full(wr_ctx *ctx, const freshness_unit *u, int64_t n, wr_span span)
{
    if (u->full == 1 && n != 1)
        return wr_raise_at(ctx, WR_SEMANTIC, span,
                           "In full refresh mode, freshness must be 1 when the time unit is %s.",
                           u->name);
    if (u->full % n)
        return wr_raise_at(ctx, WR_SEMANTIC, span,
                           "In full refresh mode, only freshness that are factors of %lld are "
                           "currently supported when the time unit is %s.",
                           (long long)u->full, u->name);
    return WR_OK;
}

/* Without REFRESH_MODE a table that may be old enough is refreshed now and then. */
static bool
is_full(wr_sql_refresh mode, int64_t freshness_ms, int64_t threshold_ms)
{
    return mode == WR_SQL_REFRESH_FULL ||
           (mode == WR_SQL_REFRESH_UNSET && freshness_ms >= threshold_ms);
}

static wr_status
read_freshness(wr_ctx *ctx, const wr_ast *ast, wr_sql_refresh mode, int64_t threshold_ms,
               wr_arena *a, wr_refresh *out)
{
    const wr_ast_literal *l = WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, ast);
    const freshness_unit *u = NULL;
    int64_t n = 0;
    for (uint32_t i = 0; i < WR_COUNT(freshness_units); i++)
        if (l->qual.from == freshness_units[i].unit) u = &freshness_units[i];
    if (!u || (l->qual.to != WR_SQL_UNIT_NONE && l->qual.to != l->qual.from))
        return wr_raise_at(ctx, WR_SEMANTIC, ast->span,
                           "Materialized table freshness only supports SECOND, MINUTE, HOUR, DAY, "
                           "WEEK as the time unit.");
    if (l->negative || !positive(l->text, &n))
        return wr_raise_at(ctx, WR_SEMANTIC, ast->span,
                           "The freshness interval currently only supports positive integer type "
                           "values. But was: %s%.*s",
                           l->negative ? "-" : "", WR_STR_ARG(l->text));
    out->freshness_ms = n * u->ms;
    out->freshness = wr_arena_printf(a, "INTERVAL '%lld' %s", (long long)n, u->name);
    WR_TRY_ALLOC(ctx, out->freshness.ptr);
    out->full = is_full(mode, out->freshness_ms, threshold_ms);
    return out->full ? check_full(ctx, u, n, ast->span) : WR_OK;
}

/* Without FRESHNESS: what the session says of the mode. */
static wr_status
default_freshness(wr_ctx *ctx, const wr_plan_env *env, const wr_ast_create_table *create,
                  int64_t threshold_ms, wr_refresh *out)
{
    const char *key = create->refresh == WR_SQL_REFRESH_FULL
                          ? "materialized-table.default-freshness.full"
                          : "materialized-table.default-freshness.continuous";
    out->freshness_ms = wr_config_int(env->config, key);
    uint32_t u = WR_COUNT(freshness_units) - 1;
    while (u && out->freshness_ms % freshness_units[u].ms) u--;
    if (out->freshness_ms <= 0 || out->freshness_ms % freshness_units[u].ms)
        return wr_raise_at(ctx, WR_OPTION, create->base.span,
                           "'%s' has to be a whole number of seconds", key);
    const int64_t n = out->freshness_ms / freshness_units[u].ms;
    out->freshness =
        wr_arena_printf(env->arena, "INTERVAL '%lld' %s", (long long)n, freshness_units[u].name);
    WR_TRY_ALLOC(ctx, out->freshness.ptr);
    out->full = is_full(create->refresh, out->freshness_ms, threshold_ms);
    return out->full ? check_full(ctx, &freshness_units[u], n, create->base.span) : WR_OK;
}

wr_status
wr_ddl_materialized(wr_ctx *ctx, const wr_plan_env *env, const wr_ast_create_table *create,
                    wr_table_desc **out)
{
    wr_table_desc *t = NULL;
    WR_TRY(wr_ddl_table(ctx, env, &create->base, &t));
    t->view_original = wri_ddl_query_text(ctx, create->query);
    WR_TRY(wri_ddl_expand(ctx, env, create->query, &t->view_expanded));
    t->refresh = (wr_refresh){.status = WR_REFRESH_INITIALIZING, .savepoint = WR_STR("")};
    const int64_t threshold =
        wr_config_int(env->config, "materialized-table.refresh-mode.freshness-threshold");
    if (create->freshness)
        WR_TRY(read_freshness(ctx, create->freshness, create->refresh, threshold, env->arena,
                              &t->refresh));
    else
        WR_TRY(default_freshness(ctx, env, create, threshold, &t->refresh));
    if (create->start_mode && create->start_mode->what != WR_SQL_START_FROM_BEGINNING &&
        create->start_mode->what != WR_SQL_START_RESUME_OR_FROM_BEGINNING)
        wr_notice(ctx, "START_MODE is not looked at: each source begins where its options say");
    *out = t;
    return WR_OK;
}

/* ---- another query --------------------------------------------------------------------------- */

static wr_status
check_kept(wr_ctx *ctx, const wr_ast *query, const wr_table_desc *old, const wr_schema *now)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < old->column_count; i++) n += old->columns[i].kind == WR_COL_PHYSICAL;
    if (now->count < n)
        return wr_raise_at(ctx, WR_SEMANTIC, query->span,
                           "Failed to modify query because drop column is unsupported. When "
                           "modifying a query, you can only append new columns at the end of "
                           "original schema. The original schema has %u columns, but the newly "
                           "derived schema from the query has %u columns.",
                           n, now->count);
    for (uint32_t i = 0, k = 0; i < old->column_count; i++) {
        const wr_column *c = &old->columns[i];
        if (c->kind != WR_COL_PHYSICAL) continue;
        const wr_field *f = &now->fields[k++];
        if (wr_str_eq(c->name, f->name) && wr_type_eq(c->type, f->type)) continue;
        return wr_raise_at(ctx, WR_SEMANTIC, query->span,
                           "When modifying the query of a materialized table, currently only "
                           "support appending columns at the end of original schema, dropping, "
                           "renaming, and reordering columns are not supported.\n"
                           "Column mismatch at position %u: Original column is [`%.*s`], but new "
                           "column is [`%.*s`].",
                           k - 1, WR_STR_ARG(c->name), WR_STR_ARG(f->name));
    }
    return WR_OK;
}

static bool
plain_schema(wr_arena *a, const wr_schema *from, wr_schema *out)
{
    wr_field *fields = WR_NEW_N(a, wr_field, from->count + 1);
    if (!fields) return false;
    for (uint32_t i = 0; i < from->count; i++) {
        fields[i] = from->fields[i];
        if (fields[i].type->attr != WR_ATTR_NONE)
            fields[i].type = wr_type_attr(a, fields[i].type, WR_ATTR_NONE);
        if (!fields[i].type) return false;
    }
    *out = (wr_schema){.fields = fields, .count = from->count};
    return true;
}

wr_status
wr_ddl_materialized_as(wr_ctx *ctx, const wr_plan_env *env, const wr_ast *query,
                       const wr_table_desc *old, wr_table_desc **out)
{
    wr_rel *rel = NULL;
    wr_schema now;
    WR_TRY(wr_bind_query(ctx, env, query, &rel));
    if (!plain_schema(env->arena, &rel->schema, &now))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    WR_TRY(check_kept(ctx, query, old, &now));
    wr_table_desc *t = wr_table_desc_copy(env->arena, old);
    wr_column *columns = WR_NEW_N(env->arena, wr_column, old->column_count + now.count + 1);
    WR_TRY_ALLOC(ctx, t);
    WR_TRY_ALLOC(ctx, columns);
    memcpy(columns, t->columns, sizeof *columns * t->column_count);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->column_count; i++) kept += t->columns[i].kind == WR_COL_PHYSICAL;
    for (uint32_t i = kept; i < now.count; i++) {
        const wr_type *type = wr_type_nullable(env->arena, now.fields[i].type, true);
        WR_TRY_ALLOC(ctx, type);
        columns[t->column_count++] = (wr_column){.name = now.fields[i].name,
                                                 .type = type,
                                                 .kind = WR_COL_PHYSICAL,
                                                 .metadata_key = WR_STR(""),
                                                 .expr = WR_STR(""),
                                                 .span = WR_NO_SPAN};
    }
    t->columns = columns;
    t->view_original = wri_ddl_query_text(ctx, query);
    WR_TRY(wri_ddl_expand(ctx, env, query, &t->view_expanded));
    *out = t;
    return WR_OK;
}

/* ---- the job's statement --------------------------------------------------------------------- */

wr_status
wr_ddl_refresh_text(wr_ctx *ctx, const wr_plan_env *env, const wr_table_desc *t,
                    const wr_options *only, wr_str *out)
{
    wr_ast *query = NULL;
    wr_rel *rel = NULL;
    WR_TRY(wr_sql_parse(ctx, t->view_expanded, env->arena, &query));
    WR_TRY(wr_bind_query(ctx, env, query, &rel));
    wr_text text;
    wr_text_init(&text, env->arena);
    wr_text_puts(&text, env->batch ? "INSERT OVERWRITE " : "INSERT INTO ");
    wr_sql_ident_print(t->id.catalog, &text);
    wr_text_putc(&text, '.');
    wr_sql_ident_print(t->id.database, &text);
    wr_text_putc(&text, '.');
    wr_sql_ident_print(t->id.name, &text);
    for (uint32_t i = 0; i < rel->schema.count; i++) {
        wr_text_puts(&text, i ? ", " : " (");
        wr_sql_ident_print(rel->schema.fields[i].name, &text);
    }
    wr_text_puts(&text, only->count ? ")\nSELECT * FROM (" : ")\n");
    wr_text_put(&text, t->view_expanded.ptr, t->view_expanded.len);
    for (uint32_t i = 0; i < only->count; i++) {
        wr_text_puts(&text, i ? " AND " : ") WHERE ");
        wr_sql_ident_print(only->items[i].key, &text);
        wr_text_puts(&text, " = ");
        wr_sql_string_print(only->items[i].value, &text);
    }
    if (text.failed) return wr_text_raise(ctx, &text);
    *out = wr_text_str(&text);
    return WR_OK;
}
