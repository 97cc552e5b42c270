/* SPDX-License-Identifier: Apache-2.0 */
/* Private half of the engine: the structs of engine and session, and one statement on its way. */
#ifndef WR_ENGINE_ENGINE_INT_H
#define WR_ENGINE_ENGINE_INT_H

#include <stdio.h>

#include "catalog/catalog.h"
#include "engine/engine.h"
#include "os/os.h"
#include "types/datetime.h"

#define WRI_JOB_ID_LEN 32u /* hex digits */

struct wr_engine {
    wr_engine_config config;
    wr_memtrack *budget;
    wr_arena *arena;
};

typedef struct wri_state_dir { /* the folder that lets a script go on: state_dir.c */
    wr_str path, jobs, checkpoints, savepoints;
    wr_os_file lock;
} wri_state_dir;

typedef struct wri_job_record { /* what the folder says of one job */
    wr_str name;
    wr_str from;     /* the savepoint that it was started from; empty: none */
    uint64_t behind; /* `from` counts until there is a checkpoint with a higher number */
    bool finished;   /* it ran to its end: nothing of it is to be done again */
} wri_job_record;

typedef struct wri_job_run { /* one INSERT's job, from its name to its end */
    const wr_plan *plan;
    wr_job *job;
    wr_str name;
    char id[WRI_JOB_ID_LEN + 1];
    wri_job_record record; /* with a state folder */
    bool stoppable;        /* it is stopped in good order rather than cancelled */
    bool watched;          /* somebody listens to its remarks */
    uint32_t remarks;      /* that were told */
    bool told;             /* where it goes on was said */
    bool scheduled;        /* see wri_job_entry */
} wri_job_run;

#define WRI_KEPT_CHECKPOINTS 10u /* of a job that has ended */

typedef struct wri_job_entry { /* a job of a session, with everything it needs to live on */
    uint32_t id;
    char hex[WRI_JOB_ID_LEN + 1]; /* as SHOW JOBS and checkpoints name it */
    wr_job *job;                  /* NULL once collected */
    wr_arena *arena;              /* of the statement that started it */
    wr_str name;
    int64_t started_ms;
    wr_str final_state;       /* once collected */
    bool stopped;             /* by STOP JOB: that it was cancelled is no error */
    bool stoppable;           /* see wri_job_run */
    bool scheduled;           /* a refresh of many: the next one takes this entry */
    uint32_t remarks;         /* that were told */
    wri_job_record record;    /* with a state folder */
    wr_checkpoint_stat *kept; /* once collected: the last checkpoints, newest first */
    uint32_t kept_count;
} wri_job_entry;

typedef struct wri_schedule { /* of a materialized table in mode FULL; the session's arena */
    wr_table_id id;
    const struct wr_tz *tz;
    int64_t every_ms, due_ms; /* due: by the wall clock */
    wr_options options;       /* RESUME WITH: the table's while it is refreshed; count 0: none */
} wri_schedule;

#define WRI_MODULES 2u
typedef struct wri_module {
    const char *name;
    bool used;
} wri_module;

struct wr_session {
    wr_engine *engine;
    wr_arena *arena; /* session lifetime */
    wr_catalogs *catalogs;
    wri_job_entry *jobs;
    uint32_t job_count, job_cap, next_job_id;
    wr_status (*out)(void *arg, wr_str text);
    wr_status (*err)(void *arg, wr_str text);
    void *out_arg;
    wri_module modules[WRI_MODULES]; /* loaded; used ones first, in their order */
    uint32_t module_count;
    WR_LIST(wr_str) jars;    /* ADD JAR */
    wr_ast_list set_inserts; /* between BEGIN STATEMENT SET and END (old form) */
    wr_arena *set_arena;
    bool in_set;
    wri_state_dir *state;         /* NULL: none */
    WR_LIST(wr_str) materialized; /* ids of contents that are in memory */
    WR_LIST(wri_schedule) schedules;
    WR_LIST(wr_str) job_names;     /* of every job so far, to tell those of one name apart */
    const volatile int *stop_flag; /* see wr_session_set_stop(); NULL: none */
    int64_t stop_timeout_ms, stop_until_ms;
    uint8_t stop_state; /* wr_session_stop */
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
/* exec_upgrade.c: EXPLAIN UPGRADE 'path' FOR what is planned */
wr_status wri_explain_upgrade(wr_ctx *ctx, wri_stmt *st, const wr_plan *plan,
                              wr_str path) WR_MUST_USE;
wr_status wri_exec_ctas(wr_ctx *ctx, wri_stmt *st, const wr_ast_create_table *create) WR_MUST_USE;

/* exec_materialized.c: MATERIALIZED TABLE */
wr_status wri_exec_materialized(wr_ctx *ctx, wri_stmt *st,
                                const wr_ast_create_table *create) WR_MUST_USE;
wr_status wri_alter_materialized(wr_ctx *ctx, wri_stmt *st, const wr_ast_alter *alter) WR_MUST_USE;
wr_status wri_drop_materialized(wr_ctx *ctx, wri_stmt *st, const wr_ast_drop *drop) WR_MUST_USE;
void wri_forget_materialized(wr_session *s); /* the content of all tables of the session */

/* exec_refresh.c: tables that are refreshed by a job now and then (mode FULL) */
/* Flink's name for a job of the table; kind: its word in it. ptr NULL: out of memory. */
wr_str wri_refresh_job_name(wr_arena *a, const wr_table_id *id, const char *kind);
/* From now on, at the times of its FRESHNESS. `with` (may be NULL): options of these runs. */
wr_status wri_refresh_schedule(wr_ctx *ctx, wri_stmt *st, const wr_table_desc *t,
                               const wr_options *with) WR_MUST_USE;
void wri_refresh_unschedule(wr_session *s, const wr_table_id *id);
/* Overwrites the table, or its partitions `only`, and waits for it. */
wr_status wri_refresh_now(wr_ctx *ctx, wri_stmt *st, const wr_table_desc *t,
                          const wr_options *only) WR_MUST_USE;
/* ALTER MATERIALIZED TABLE t REFRESH [PARTITION (...)] */
wr_status wri_alter_refresh(wr_ctx *ctx, wri_stmt *st, const wr_table_desc *t,
                            const wr_ast_alter *alter) WR_MUST_USE;
/* Starts what is due. Called between statements and wherever the session waits. */
void wri_refresh_tick(wr_ctx *ctx, wr_session *s);
/* ...of a job that keeps a table up to date: parses and runs its INSERT. */
wr_status wri_refresh_run(wr_ctx *ctx, wri_stmt *st, const wr_table_desc *t,
                          const wr_options *only) WR_MUST_USE;

/* exec_row_level.c: DELETE, UPDATE, TRUNCATE, ANALYZE TABLE */
wr_status wri_exec_row_level(wr_ctx *ctx, wri_stmt *st, const wr_ast *ast) WR_MUST_USE;

/* exec_ddl.c: CREATE, ALTER, DROP, USE, SET, RESET, modules, jars */
wr_status wri_exec_ddl(wr_ctx *ctx, wri_stmt *st, const wr_ast *ast) WR_MUST_USE;
/* What the list says over `old` (may be NULL): a key that is there gets the new value. */
wr_status wri_read_options(wr_ctx *ctx, wri_stmt *st, const wr_ast_list *list,
                           const wr_options *old, wr_options *out) WR_MUST_USE;
/* The refusal of a statement that Flink parses and refuses, too. */
wr_status wri_unsupported_query(wr_ctx *ctx, wri_stmt *st, const wr_ast *ast) WR_MUST_USE;
/* state_tables.c: savepoint_metadata and STATE in FROM */
wr_status wri_state_tables(wr_ctx *ctx, wri_stmt *st) WR_MUST_USE;

/* modules.c */
void wri_modules_init(wr_session *s);
bool wri_module_used(const wr_session *s, const char *name);
wr_status wri_use_modules(wr_ctx *ctx, wri_stmt *st, const wr_ast_use *use) WR_MUST_USE;
wr_status wri_exec_module(wr_ctx *ctx, wri_stmt *st, const wr_ast_module *m) WR_MUST_USE;
wr_status wri_show_modules(wr_ctx *ctx, wri_stmt *st, const wr_ast_show *show) WR_MUST_USE;

/* exec_show.c: SHOW, DESCRIBE, STOP JOB */
const char *wri_table_kind_name(uint8_t kind); /* of a wr_table_kind: "materialized table" */
wr_status wri_exec_show(wr_ctx *ctx, wri_stmt *st, const wr_ast *ast) WR_MUST_USE;

/* state_dir.c */
wr_status wri_state_dir_open(wr_ctx *ctx, wr_arena *a, wr_str path,
                             wri_state_dir **out) WR_MUST_USE;
void wri_state_dir_close(wri_state_dir *d); /* NULL is fine */
wr_status wri_job_record_write(wr_ctx *ctx, const wri_state_dir *d, wr_str id,
                               const wri_job_record *r) WR_MUST_USE;
wr_status wri_job_record_read(wr_ctx *ctx, const wri_state_dir *d, wr_str id, wr_arena *a,
                              wri_job_record *out, bool *found) WR_MUST_USE;

/* job_options.c */
/* What a state folder gives to the options of an INSERT that does not set it itself. */
wr_status wri_job_defaults(wr_ctx *ctx, wri_stmt *st) WR_MUST_USE;
/* Options that exclude each other, in Flink's words. */
wr_status wri_job_check_options(wr_ctx *ctx, const wr_config *config) WR_MUST_USE;
/* Set (or with value.ptr NULL remove) one option in the statement's copy. */
wr_status wri_stmt_set_option(wr_ctx *ctx, wri_stmt *st, const char *key, wr_str value) WR_MUST_USE;

/* job_run.c */
wr_status wri_job_create(wr_ctx *ctx, wri_stmt *st, const wr_plan *plan,
                         const wr_collect_target *collect, wri_job_run *run) WR_MUST_USE;
/* Does the state folder know the next job of this name? */
wr_status wri_job_begun(wr_ctx *ctx, wri_stmt *st, wr_str name, bool *out) WR_MUST_USE;
/* From now on it does, without such a job: the next one of this name is another. */
wr_status wri_job_note_begun(wr_ctx *ctx, wri_stmt *st, wr_str name) WR_MUST_USE;
wr_status wri_run_in_foreground(wr_ctx *ctx, wri_stmt *st, wri_job_run *run) WR_MUST_USE;
/* Carry out the job of an INSERT: in the foreground, beside, or not at all when the state folder
 * says that it has finished. */
wr_status wri_run_inserts(wr_ctx *ctx, wri_stmt *st, const wr_plan *plan, wr_str name) WR_MUST_USE;

/* exec_job.c: SHOW JOBS, DESCRIBE JOB, STOP JOB, SHOW CHECKPOINTS, SHOW METRICS, CREATE SAVEPOINT
 */
wr_status wri_show_job_table(wr_ctx *ctx, wri_stmt *st, wr_str only) WR_MUST_USE; /* NULL: all */
/* By id, by number in the session, or by a name that one job alone has. */
wr_status wri_find_job(wr_ctx *ctx, wri_stmt *st, wr_str name, wr_span span,
                       wri_job_entry **out) WR_MUST_USE;
wr_status wri_exec_stop_job(wr_ctx *ctx, wri_stmt *st, const wr_ast_stop_job *stop) WR_MUST_USE;
wr_status wri_exec_savepoint(wr_ctx *ctx, wri_stmt *st, const wr_ast_savepoint *n) WR_MUST_USE;
/* At the end of a job: which operators have dropped late rows. */
void wri_tell_late(wr_ctx *ctx, const wr_job *job);
wr_status wri_show_metrics(wr_ctx *ctx, wri_stmt *st, const wr_ast *job) WR_MUST_USE;
wr_status wri_show_checkpoints(wr_ctx *ctx, wri_stmt *st, const wr_ast *job) WR_MUST_USE;
/* show_watermarks.c; job NULL: of all that run */
wr_status wri_show_watermarks(wr_ctx *ctx, wri_stmt *st, const wr_ast *job) WR_MUST_USE;

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
wr_status wri_session_add_job(wr_ctx *ctx, wr_session *s, const wri_job_run *run,
                              wr_arena *take_arena) WR_MUST_USE;
/* A job of the session has ended. */
void wri_session_note_end(wr_session *s, const wr_job *job, bool stoppable);
/* One that has ended: its result is raised, its entry stays. */
wr_status wri_session_collect(wr_ctx *ctx, wr_session *s, wri_job_entry *e) WR_MUST_USE;
void wri_session_note_finished(wr_session *s); /* the records of jobs nobody has collected */
/* What the job has to say since *told. */
void wri_tell_remarks(wr_ctx *ctx, wr_str name, const wr_job *job, uint32_t *told);
/* Has a stop been asked for? Then `foreground` (may be NULL) and the session's jobs are told, once
 * to stop, and when it is asked again or takes too long to give up. */
void wri_session_watch_stop(wr_ctx *ctx, wr_session *s, wr_job *foreground);

#endif
