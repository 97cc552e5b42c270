/* SPDX-License-Identifier: Apache-2.0 */
/* Queries, INSERT, statement sets, EXPLAIN, CTAS: plan and run. */
#include "engine/engine_int.h"

static wr_status
plan_roots(wr_ctx *ctx, wri_stmt *st, wr_rel **roots, uint32_t count, wr_plan **out)
{
    wr_rel **ready = WR_NEW_N(st->arena, wr_rel *, count);
    WR_TRY_ALLOC(ctx, ready);
    for (uint32_t i = 0; i < count; i++) WR_TRY(wr_rules_apply(ctx, &st->env, roots[i], &ready[i]));
    st->env.bundles = wr_rel_takes_bundles(roots, count);
    WR_TRY(wr_plan_make(ctx, &st->env, ready, count, out));
    (*out)->logical = roots;
    (*out)->logical_count = count;
    return WR_OK;
}

/* ---- SELECT ---------------------------------------------------------------------------------- */

static wr_status
rows_to_sink(wr_ctx *ctx, void *arg, const wr_batch *batch)
{
    wri_stmt *st = arg;
    return st->sink->rows(ctx, st->sink->arg, batch);
}

wr_status
wri_exec_query(wr_ctx *ctx, wri_stmt *st, const wr_ast *query)
{
    wr_rel *rel = NULL;
    wr_plan *plan = NULL;
    wri_job_run run = {0};
    WR_TRY(wr_bind_query(ctx, &st->env, query, &rel));
    WR_TRY(plan_roots(ctx, st, &rel, 1, &plan));
    wr_collect_target collect = {.rows = rows_to_sink, .arg = st};
    WR_TRY(wri_job_create(ctx, st, plan, &collect, &run));
    wr_result_head head = {.kind = WR_RESULT_QUERY,
                           .schema = rel->schema,
                           .streaming = !plan->batch,
                           .bounded = plan->bounded,
                           .eval = st->eval};
    wr_status status = st->sink->begin(ctx, st->sink->arg, &head);
    if (status == WR_OK) status = wri_run_in_foreground(ctx, st, &run);
    if (status == WR_OK) status = st->sink->end(ctx, st->sink->arg);
    if (status == WR_OK) wri_tell_late(ctx, run.job);
    wr_job_destroy(run.job);
    return status;
}

/* ---- INSERT ---------------------------------------------------------------------------------- */

/* Name of the job of an INSERT: as the user says, else after the first table it writes to. */
static wr_str
insert_name(const wri_stmt *st, const wr_table_id *id)
{
    wr_str name = wr_config_str(st->config, "pipeline.name");
    if (name.ptr) return name;
    return wr_arena_printf(st->arena, "insert-into_%.*s.%.*s.%.*s", WR_STR_ARG(id->catalog),
                           WR_STR_ARG(id->database), WR_STR_ARG(id->name));
}

wr_status
wri_exec_inserts(wr_ctx *ctx, wri_stmt *st, const wr_ast *const *inserts, uint32_t count)
{
    wr_rel **rels = WR_NEW_N(st->arena, wr_rel *, count + 1);
    wr_plan *plan = NULL;
    WR_TRY_ALLOC(ctx, rels);
    WR_TRY(wri_job_defaults(ctx, st));
    for (uint32_t i = 0; i < count; i++)
        WR_TRY(wr_bind_insert(ctx, &st->env, inserts[i], &rels[i]));
    WR_TRY(plan_roots(ctx, st, rels, count, &plan));
    return wri_run_inserts(ctx, st, plan, insert_name(st, &rels[0]->u.sink.table->id));
}

/* ---- EXPLAIN --------------------------------------------------------------------------------- */

/* CREATE TABLE AS: the INSERT into a table that is there, as a temporary one, as long as it is
 * explained. */
static wr_status
bind_created(wr_ctx *ctx, wri_stmt *st, const wr_ast_create_table *create, wr_rel **rel,
             wr_table_desc **made)
{
    wr_table_desc *desc = NULL;
    const wr_ast *insert = NULL;
    WR_TRY(wr_ddl_table(ctx, &st->env, &create->base, &desc));
    WR_TRY(wr_ddl_as_insert(ctx, &st->env, create, &insert));
    desc->temporary = true;
    WR_TRY(wr_catalogs_create_table(ctx, st->session->catalogs, desc, false));
    *made = desc;
    WR_TRY(wr_bind_insert(ctx, &st->env, insert, rel));
    (*rel)->u.sink.target = NULL; /* the columns are named by us, not by the statement */
    return WR_OK;
}

static wr_status
bind_explained(wr_ctx *ctx, wri_stmt *st, const wr_ast *ast, wr_rel ***rels_out,
               uint32_t *count_out, wr_table_desc **made)
{
    if (ast->kind == WR_AST_EXECUTE) ast = WR_AST_AS(wr_ast_execute, WR_AST_EXECUTE, ast)->stmt;
    const wr_ast *const *list = &ast;
    uint32_t count = 1;
    if (ast->kind == WR_AST_STATEMENT_SET) {
        const wr_ast_statement_set *set =
            WR_AST_AS(wr_ast_statement_set, WR_AST_STATEMENT_SET, ast);
        list = (const wr_ast *const *)set->inserts.items;
        count = set->inserts.count;
    }
    wr_rel **rels = WR_NEW_N(st->arena, wr_rel *, count + 1);
    WR_TRY_ALLOC(ctx, rels);
    for (uint32_t i = 0; i < count; i++) {
        if (wr_ast_is_query(list[i]))
            WR_TRY(wr_bind_query(ctx, &st->env, list[i], &rels[i]));
        else if (list[i]->kind == WR_AST_INSERT)
            WR_TRY(wr_bind_insert(ctx, &st->env, list[i], &rels[i]));
        else if (list[i]->kind == WR_AST_CREATE_TABLE)
            WR_TRY(bind_created(ctx, st,
                                WR_AST_AS(wr_ast_create_table, WR_AST_CREATE_TABLE, list[i]),
                                &rels[i], made));
        else
            return wr_raise_at(ctx, WR_UNSUPPORTED, list[i]->span,
                               "not supported yet: EXPLAIN of %s", wr_ast_kind_name(list[i]->kind));
    }
    *rels_out = rels;
    *count_out = count;
    return WR_OK;
}

static wr_status
explain_text(wr_ctx *ctx, wri_stmt *st, const wr_ast_explain *explain, wr_text *text,
             wr_table_desc **made)
{
    wr_rel **rels = NULL;
    uint32_t count = 0;
    wr_plan *plan = NULL;
    st->env.explain = !explain->upgrade;
    WR_TRY(bind_explained(ctx, st, explain->stmt, &rels, &count, made));
    WR_TRY(plan_roots(ctx, st, rels, count, &plan));
    if (explain->upgrade) {
        const wr_str path = WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, explain->upgrade)->text;
        const wr_status status = wri_explain_upgrade(ctx, st, plan, path);
        if (status != WR_OK && ctx->err.span.start == UINT32_MAX)
            ctx->err.span = explain->upgrade->span;
        return status;
    }
    uint32_t details = 0;
    if (explain->details & WR_SQL_EXPLAIN_ESTIMATED_COST) details |= WR_EXPLAIN_COST;
    if (explain->details & WR_SQL_EXPLAIN_CHANGELOG_MODE) details |= WR_EXPLAIN_CHANGELOG;
    if (explain->details & WR_SQL_EXPLAIN_JSON_EXECUTION_PLAN) details |= WR_EXPLAIN_JSON;
    if (explain->details & WR_SQL_EXPLAIN_PLAN_ADVICE) details |= WR_EXPLAIN_ADVICE;
    WR_TRY(wr_plan_explain(ctx, &st->env, plan, details, text));
    return text->failed ? wr_raise(ctx, WR_NOMEM, "out of memory") : WR_OK;
}

wr_status
wri_exec_explain(wr_ctx *ctx, wri_stmt *st, const wr_ast_explain *explain)
{
    wr_text text;
    wr_table_desc *made = NULL;
    wr_text_init(&text, st->arena);
    wr_status status = explain_text(ctx, st, explain, &text, &made);
    if (made) {
        wr_ctx quiet;
        wr_ctx_init(&quiet);
        (void)!wr_catalogs_drop_table(&quiet, st->session->catalogs, &made->id, WR_TABLE_BASE, true,
                                      true);
    }
    return status == WR_OK && !explain->upgrade ? wri_result_text(ctx, st, wr_text_str(&text))
                                                : status;
}

/* ---- CREATE TABLE ... AS --------------------------------------------------------------------- */

static wr_status
fill(wr_ctx *ctx, wri_stmt *st, const wr_ast_create_table *create)
{
    const wr_ast *node = NULL;
    WR_TRY(wr_ddl_as_insert(ctx, &st->env, create, &node));
    return wri_exec_inserts(ctx, st, &node, 1);
}

/* The table is created, then filled by INSERT INTO t query; when planning the INSERT fails, the
 * table goes away again. A table that is there because an earlier process began to fill it, as the
 * state folder knows, is filled on. */
wr_status
wri_exec_ctas(wr_ctx *ctx, wri_stmt *st, const wr_ast_create_table *create)
{
    wr_table_desc *desc = NULL;
    wr_catalogs *cats = st->session->catalogs;
    WR_TRY(wr_ddl_table(ctx, &st->env, &create->base, &desc));
    const wr_table_desc *old = NULL;
    WR_TRY(wr_catalogs_find_table(ctx, cats, &desc->id, &old));
    bool begun = false;
    if (old) WR_TRY(wri_job_begun(ctx, st, insert_name(st, &desc->id), &begun));
    if (begun) return fill(ctx, st, create);
    if (old && create->if_not_exists) return wri_result_ok(ctx, st);
    if (old && (create->replace || create->or_replace))
        WR_TRY(wr_catalogs_drop_table(ctx, cats, &desc->id, WR_TABLE_BASE, old->temporary, false));
    else if (!old && create->replace)
        return wr_raise_at(ctx, WR_NAME, create->name->base.span,
                           "The table `%.*s`.`%.*s`.`%.*s` to be replaced doesn't exist. You can "
                           "try to use CREATE TABLE "
                           "AS statement or CREATE OR REPLACE TABLE AS statement.",
                           WR_STR_ARG(desc->id.catalog), WR_STR_ARG(desc->id.database),
                           WR_STR_ARG(desc->id.name));
    const wr_ast *node = NULL;
    WR_TRY(wr_ddl_as_insert(ctx, &st->env, create, &node));
    WR_TRY(wr_catalogs_create_table(ctx, cats, desc, false));
    wr_status status = wri_exec_inserts(ctx, st, &node, 1);
    if (status != WR_OK) {
        wr_ctx quiet;
        wr_ctx_init(&quiet);
        (void)!wr_catalogs_drop_table(&quiet, cats, &desc->id, WR_TABLE_BASE, false, true);
    }
    return status;
}
