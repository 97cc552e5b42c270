/* SPDX-License-Identifier: Apache-2.0 */
/* One statement: parse, make its environment out of the session's options, dispatch. */
#include "engine/engine_int.h"

#include "connector/connector.h"
#include "os/os.h"

/* Options of the session as they are now, copied so that a background job keeps them. */
static wr_status
copy_config(wr_ctx *ctx, wri_stmt *st)
{
    const wr_config *now = wr_catalogs_config(st->session->catalogs);
    wr_config *c = WR_NEW(st->arena, wr_config);
    wr_options *o = WR_NEW(st->arena, wr_options);
    WR_TRY_ALLOC(ctx, c);
    WR_TRY_ALLOC(ctx, o);
    uint32_t n = now->set ? now->set->count : 0;
    o->items = WR_NEW_N(st->arena, wr_option, n + 1);
    WR_TRY_ALLOC(ctx, o->items);
    for (uint32_t i = 0; i < n; i++) {
        o->items[i] = now->set->items[i];
        o->items[i].key = wr_arena_str(st->arena, now->set->items[i].key);
        o->items[i].value = wr_arena_str(st->arena, now->set->items[i].value);
    }
    o->count = n;
    *c = (wr_config){.set = o, .defs = now->defs};
    st->config = c;
    return WR_OK;
}

wr_status
wri_stmt_prepare(wr_ctx *ctx, wri_stmt *st)
{
    WR_TRY(copy_config(ctx, st));
    wr_eval_env *eval = WR_NEW(st->arena, wr_eval_env);
    WR_TRY_ALLOC(ctx, eval);
    wr_str mode = wr_config_str(st->config, "execution.runtime-mode");
    WR_TRY(
        wr_tz_open(ctx, st->arena, wr_config_str(st->config, "table.local-time-zone"), &eval->tz));
    wr_str legacy = wr_config_str(st->config, "table.exec.legacy-cast-behaviour");
    eval->query_time_ms = wr_os_processing_ms();
    eval->batch = wr_str_eq_nocase(mode, WR_STR("BATCH"));
    eval->legacy_cast = wr_str_eq_nocase(legacy, WR_STR("ENABLED"));
    eval->catalog = wr_arena_str(st->arena, wr_catalogs_current_catalog(st->session->catalogs));
    eval->database = wr_arena_str(st->arena, wr_catalogs_current_database(st->session->catalogs));
    st->eval = eval;
    st->env = (wr_plan_env){.arena = st->arena,
                            .catalogs = st->session->catalogs,
                            .config = st->config,
                            .eval = eval,
                            .batch = eval->batch,
                            .file_table = wr_file_table};
    return wri_state_tables(ctx, st);
}

static wr_status
exec_statement_set(wr_ctx *ctx, wri_stmt *st, const wr_ast_statement_set *set)
{
    return wri_exec_inserts(ctx, st, (const wr_ast *const *)set->inserts.items, set->inserts.count);
}

/* BEGIN STATEMENT SET; and END; as statements of their own: inserts between them are kept. */
static wr_status
exec_set_mark(wr_ctx *ctx, wri_stmt *st, const wr_ast_set_mark *mark)
{
    wr_session *s = st->session;
    if (!mark->end) {
        if (s->in_set)
            return wr_raise_at(ctx, WR_SEMANTIC, mark->base.span,
                               "a statement set has begun already");
        s->set_arena = wr_arena_create(s->engine->budget, 0);
        WR_TRY_ALLOC(ctx, s->set_arena);
        s->in_set = true;
        s->set_inserts = (wr_ast_list){0};
        return wri_result_ok(ctx, st);
    }
    if (!s->in_set)
        return wr_raise_at(ctx, WR_SEMANTIC, mark->base.span,
                           "No Statement Set to submit, \"END\" statement should be used when "
                           "\"BEGIN STATEMENT SET\" has been called");
    wr_ast_list inserts = s->set_inserts;
    s->in_set = false;
    wr_status status = WR_OK;
    if (inserts.count == 0)
        wr_notice(ctx, "no statement in the statement set, skipped");
    else
        status = wri_exec_inserts(ctx, st, (const wr_ast *const *)inserts.items, inserts.count);
    if (st->arena_taken) { /* trees live on in the job's arena: hand the set's arena over to it */
        wr_arena_defer(st->arena, (void (*)(void *))wr_arena_destroy, s->set_arena);
    } else {
        wr_arena_destroy(s->set_arena);
    }
    s->set_arena = NULL;
    return status;
}

static wr_status
keep_insert(wr_ctx *ctx, wri_stmt *st, const wr_ast *insert)
{
    wr_session *s = st->session;
    wr_ast *copy = wr_ast_copy(insert, s->set_arena);
    WR_TRY_ALLOC(ctx, copy);
    wr_ast **items = WR_NEW_N(s->set_arena, wr_ast *, s->set_inserts.count + 1);
    WR_TRY_ALLOC(ctx, items);
    if (s->set_inserts.count)
        memcpy(items, s->set_inserts.items, s->set_inserts.count * sizeof *items);
    items[s->set_inserts.count++] = copy;
    s->set_inserts.items = items;
    return wri_result_ok(ctx, st);
}

static wr_status
not_yet(wr_ctx *ctx, const wr_ast *ast, const char *what)
{
    return wr_raise_at(ctx, WR_UNSUPPORTED, ast->span, "not supported yet: %s", what);
}

wr_status
wri_exec(wr_ctx *ctx, wri_stmt *st, const wr_ast *ast)
{
    if (st->session->in_set && ast->kind != WR_AST_INSERT && ast->kind != WR_AST_SET_MARK)
        return wr_raise_at(ctx, WR_SEMANTIC, ast->span,
                           "Only INSERT statement is allowed in Statement Set.");
    if (wr_ast_is_query(ast)) return wri_exec_query(ctx, st, ast);
    switch ((int)ast->kind) {
    case WR_AST_INSERT:
        return st->session->in_set ? keep_insert(ctx, st, ast) : wri_exec_inserts(ctx, st, &ast, 1);
    case WR_AST_STATEMENT_SET:
        return exec_statement_set(ctx, st,
                                  WR_AST_AS(wr_ast_statement_set, WR_AST_STATEMENT_SET, ast));
    case WR_AST_SET_MARK:
        return exec_set_mark(ctx, st, WR_AST_AS(wr_ast_set_mark, WR_AST_SET_MARK, ast));
    case WR_AST_EXECUTE:
        return wri_exec(ctx, st, WR_AST_AS(wr_ast_execute, WR_AST_EXECUTE, ast)->stmt);
    case WR_AST_EXPLAIN:
        return wri_exec_explain(ctx, st, WR_AST_AS(wr_ast_explain, WR_AST_EXPLAIN, ast));
    case WR_AST_CREATE_TABLE: {
        const wr_ast_create_table *create =
            WR_AST_AS(wr_ast_create_table, WR_AST_CREATE_TABLE, ast);
        if (create->materialized) return wri_exec_materialized(ctx, st, create);
        return create->query ? wri_exec_ctas(ctx, st, create) : wri_exec_ddl(ctx, st, ast);
    }
    case WR_AST_ALTER: {
        const wr_ast_alter *alter = WR_AST_AS(wr_ast_alter, WR_AST_ALTER, ast);
        return alter->object == WR_SQL_OBJECT_MATERIALIZED_TABLE
                   ? wri_alter_materialized(ctx, st, alter)
                   : wri_exec_ddl(ctx, st, ast);
    }
    case WR_AST_CREATE_VIEW:
    case WR_AST_CREATE_FUNCTION:
    case WR_AST_CREATE_MODEL:
    case WR_AST_CREATE_OBJECT:
    case WR_AST_DROP:
    case WR_AST_USE:
    case WR_AST_MODULE:
    case WR_AST_SET:
    case WR_AST_JAR:
        return wri_exec_ddl(ctx, st, ast);
    case WR_AST_SHOW:
    case WR_AST_DESCRIBE:
    case WR_AST_STOP_JOB:
    case WR_AST_SAVEPOINT:
        return wri_exec_show(ctx, st, ast);
    case WR_AST_DELETE:
    case WR_AST_UPDATE:
    case WR_AST_TRUNCATE:
    case WR_AST_ANALYZE:
        return wri_exec_row_level(ctx, st, ast);
    case WR_AST_MERGE:
        return wr_raise_at(ctx, WR_UNSUPPORTED, ast->span, "Unsupported query: MERGE INTO");
    case WR_AST_PLAN:
        return not_yet(ctx, ast, "compiled plans");
    case WR_AST_CALL_PROCEDURE:
        return not_yet(ctx, ast, "CALL");
    default:
        return wr_raise_at(ctx, WR_UNSUPPORTED, ast->span, "Unsupported query: %s",
                           wr_ast_kind_name(ast->kind));
    }
}

wr_status
wr_session_execute(wr_ctx *ctx, wr_session *s, wr_str sql, const wr_result_sink *sink)
{
    wri_refresh_tick(ctx, s);
    wr_arena *arena = wr_arena_create(s->engine->budget, 0);
    WR_TRY_ALLOC(ctx, arena);
    if (!ctx->sql.ptr) ctx->sql = sql;
    wri_stmt st = {.session = s, .arena = arena, .text = sql, .sink = sink};
    wr_ast *ast = NULL;
    wr_status status = wr_sql_parse(ctx, sql, arena, &ast);
    if (status == WR_OK) {
        st.ast = ast;
        status = wri_stmt_prepare(ctx, &st);
    }
    if (status == WR_OK) status = wri_exec(ctx, &st, ast);
    if (!st.arena_taken) wr_arena_destroy(arena);
    return status;
}
