/* SPDX-License-Identifier: Apache-2.0 */
/* Private half of the engine: the structs of engine and session, and one statement on its way. */
#ifndef WR_ENGINE_ENGINE_INT_H
#define WR_ENGINE_ENGINE_INT_H

#include "catalog/catalog.h"
#include "engine/engine.h"
#include "types/datetime.h"

struct wr_engine {
    wr_engine_config config;
    wr_memtrack *budget;
    wr_arena *arena;
};

typedef struct wri_job_entry { /* a job of a session, with everything it needs to live on */
    uint32_t id;
    wr_job *job;     /* NULL once collected */
    wr_arena *arena; /* of the statement that started it */
    wr_str name;
    int64_t started_ms;
    wr_str final_state; /* once collected */
    bool stopped;       /* by STOP JOB: that it was cancelled is no error */
} wri_job_entry;

struct wr_session {
    wr_engine *engine;
    wr_arena *arena; /* session lifetime */
    wr_catalogs *catalogs;
    wri_job_entry *jobs;
    uint32_t job_count, job_cap, next_job_id;
    wr_status (*out)(void *arg, wr_str text);
    wr_status (*err)(void *arg, wr_str text);
    void *out_arg;
    wr_str modules;          /* USE MODULES list; "core" */
    WR_LIST(wr_str) jars;    /* ADD JAR */
    wr_ast_list set_inserts; /* between BEGIN STATEMENT SET and END (old form) */
    wr_arena *set_arena;
    bool in_set;
};

typedef struct wri_stmt { /* one statement being carried out */
    wr_session *session;
    wr_arena *arena; /* statement; moves to the job when that goes on in the background */
    const wr_ast *ast;
    wr_str text; /* as written */
    const wr_result_sink *sink;
    wr_eval_env *eval;
    wr_config *config; /* copy of the session's, so that a job keeps it */
    wr_plan_env env;
    bool arena_taken;
} wri_stmt;

/* exec.c: environment of a statement out of the session's options */
wr_status wri_stmt_prepare(wr_ctx *ctx, wri_stmt *st) WR_MUST_USE;
wr_status wri_exec(wr_ctx *ctx, wri_stmt *st, const wr_ast *ast) WR_MUST_USE;

/* exec_query.c */
wr_status wri_exec_query(wr_ctx *ctx, wri_stmt *st, const wr_ast *query) WR_MUST_USE;
wr_status wri_exec_inserts(wr_ctx *ctx, wri_stmt *st, const wr_ast *const *inserts,
                           uint32_t count) WR_MUST_USE;
wr_status wri_exec_explain(wr_ctx *ctx, wri_stmt *st, const wr_ast_explain *explain) WR_MUST_USE;
wr_status wri_exec_ctas(wr_ctx *ctx, wri_stmt *st, const wr_ast_create_table *create) WR_MUST_USE;

/* exec_row_level.c: DELETE, UPDATE, TRUNCATE, ANALYZE TABLE */
wr_status wri_exec_row_level(wr_ctx *ctx, wri_stmt *st, const wr_ast *ast) WR_MUST_USE;

/* exec_ddl.c: CREATE, ALTER, DROP, USE, SET, RESET, modules, jars */
wr_status wri_exec_ddl(wr_ctx *ctx, wri_stmt *st, const wr_ast *ast) WR_MUST_USE;
/* exec_show.c: SHOW, DESCRIBE, STOP JOB */
wr_status wri_exec_show(wr_ctx *ctx, wri_stmt *st, const wr_ast *ast) WR_MUST_USE;

/* result.c: small results */
wr_status wri_result_ok(wr_ctx *ctx, wri_stmt *st) WR_MUST_USE;
wr_status wri_result_text(wr_ctx *ctx, wri_stmt *st, wr_str text) WR_MUST_USE;
typedef struct wri_table { /* rows of strings (and BOOLEANs) for SHOW and DESCRIBE */
    wr_arena *arena;
    wr_field *fields;
    uint32_t col_count;
    WR_LIST(wr_value *) rows; /* each col_count values */
} wri_table;
/* names: column names; types NULL = all STRING. */
wr_status wri_table_init(wr_ctx *ctx, wri_table *t, wr_arena *a, const char *const *names,
                         const wr_type *const *types, uint32_t count) WR_MUST_USE;
wr_value *wri_table_row(wri_table *t) WR_MUST_USE; /* NULL values; NULL pointer = out of memory */
void wri_table_set(wri_table *t, wr_value *row, uint32_t col, wr_str text);
wr_status wri_result_table(wr_ctx *ctx, wri_stmt *st, const wri_table *t) WR_MUST_USE;

/* jobs.c */
wr_status wri_session_add_job(wr_ctx *ctx, wr_session *s, wr_job *job, wr_arena *take_arena,
                              wr_str name, uint32_t *id_out) WR_MUST_USE;

#endif
