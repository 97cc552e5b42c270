/* SPDX-License-Identifier: Apache-2.0 */
/* The engine: the composition root. It knows every concrete room, keeps sessions and jobs, and
 * carries out statements.
 *
 * A session has catalogs, options and background jobs. wr_session_execute() carries out one
 * statement: DDL and SHOW at once; a query runs to its end in the calling thread, its rows going to
 * the caller's wr_result_sink batch by batch; an INSERT over bounded input runs to its end, one
 * over unbounded input goes on in the background (table.dml-sync overrides).
 *
 * Threads: a session is used by one thread at a time; distinct sessions of one engine are
 * independent. */
#ifndef WR_ENGINE_ENGINE_H
#define WR_ENGINE_ENGINE_H

#include "runtime/runtime.h"

typedef struct wr_engine wr_engine;
typedef struct wr_session wr_session;

typedef struct wr_engine_config {
    wr_str data_dir;     /* empty: catalogs in memory */
    size_t memory_bytes; /* limit of everything; 0 = none */
} wr_engine_config;
wr_status wr_engine_create(wr_ctx *ctx, const wr_engine_config *config,
                           wr_engine **out) WR_MUST_USE;
void wr_engine_destroy(wr_engine *e); /* no sessions left */

wr_status wr_session_create(wr_ctx *ctx, wr_engine *e, wr_session **out) WR_MUST_USE;
void wr_session_destroy(wr_session *s); /* cancels its jobs */
wr_catalogs *wr_session_catalogs(wr_session *s);
/* Where print writes, and notices; standard output and error by default. */
void wr_session_set_output(wr_session *s, wr_status (*out)(void *arg, wr_str text),
                           wr_status (*err)(void *arg, wr_str text), void *arg);

/* Keep what INSERT jobs need to go on in folder `dir`: checkpoints are taken and a session that
 * runs the same statements again goes on where this one was. Jobs that have finished are not run
 * again. The folder is locked against other processes. Call it before any statement. */
wr_status wr_session_set_state(wr_ctx *ctx, wr_session *s, wr_str dir) WR_MUST_USE;

/* How a session ends on request: once *flag is not 0 its INSERT jobs stop in good order (intake
 * ends, a last checkpoint is taken, output is committed) instead of being cancelled; when *flag
 * rises above 1, or after timeout_ms, they are cancelled. INSERTs over bounded input without
 * checkpoints are cancelled at once: half of their answer is none. */
typedef enum wr_session_stop {
    WR_SESSION_RUNS,
    WR_SESSION_STOPPING,
    WR_SESSION_ABORTED, /* the flag rose again */
    WR_SESSION_LATE     /* the time was over */
} wr_session_stop;
void wr_session_set_stop(wr_session *s, const volatile int *flag, int64_t timeout_ms);
wr_session_stop wr_session_stop_state(const wr_session *s);

/* ---- results --------------------------------------------------------------------------------- */
typedef enum wr_result_kind {
    WR_RESULT_OK,    /* nothing to show but success */
    WR_RESULT_QUERY, /* rows of a SELECT: with kinds in streaming mode */
    WR_RESULT_INFO,  /* rows of SHOW, DESCRIBE: NULL shows as blank */
    WR_RESULT_TEXT,  /* one text without frame: EXPLAIN, SHOW CREATE */
    WR_RESULT_JOB    /* INSERT: a job ran, or goes on */
} wr_result_kind;

typedef struct wr_result_head {
    wr_result_kind kind;
    wr_schema schema; /* QUERY, INFO, TEXT (one column `result`) */
    bool streaming;   /* QUERY: changelog (streaming mode) rather than final rows */
    bool bounded;
    const wr_eval_env *eval; /* to render values; valid during the statement */
    uint32_t job_id;         /* JOB: number of the job */
    const char *job_hex;     /* JOB: its id, 32 hex digits */
    bool background;         /* JOB: it goes on after this call */
} wr_result_head;

typedef struct wr_result_sink { /* thread: the one that executes */
    wr_status (*begin)(wr_ctx *ctx, void *arg, const wr_result_head *head);
    wr_status (*rows)(wr_ctx *ctx, void *arg, const wr_batch *batch);
    wr_status (*end)(wr_ctx *ctx, void *arg);
    /* Called now and then while a statement runs, to show progress; may be NULL. When it is given,
     * or a materialized table is refreshed by the clock, `rows` may come from another thread
     * meanwhile (begin and end never do). */
    void (*progress)(void *arg, const wr_job *job);
    void *arg;
} wr_result_sink;

/* Carry out one statement. ctx->sql is set to the text that spans refer to (a whole script, when
 * `sql` is part of it). ctx->cancel stops a running query with WR_CANCELLED. */
wr_status wr_session_execute(wr_ctx *ctx, wr_session *s, wr_str sql,
                             const wr_result_sink *sink) WR_MUST_USE;
/* The background jobs: wait until all have ended (timeout_ms < 0: for ever). The first failure is
 * raised. */
wr_status wr_session_wait_jobs(wr_ctx *ctx, wr_session *s, const wr_result_sink *sink,
                               int64_t timeout_ms, bool *all_ended) WR_MUST_USE;
uint32_t wr_session_job_count(const wr_session *s);
wr_job *wr_session_job(const wr_session *s,
                       uint32_t index); /* NULL once it has ended and was collected */

/* What `record` sinks of this process have received since the last reset: "+I[1, a]" lines per
 * table. */
const char *wr_version(void); /* "0.1.0" */
void wr_version_libraries(wr_text *out);

#endif
