/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime: a plan becomes a job graph (vertices = chains of operators, edges = exchanges), the
 * graph becomes tasks, tasks are run by worker threads.
 *
 * A task is owned by one worker: subtask i of every vertex by worker i mod W. Within a task
 * operators call each other; tasks exchange messages through bounded single-producer rings. The
 * runtime merges watermarks and idleness, ends inputs, fires timers, polls sources, and turns the
 * first failure of any task into the failure of the job.
 *
 * Threads: a job is created, started, waited for and destroyed by one controlling thread; cancel
 * may come from any. */
#ifndef WR_RUNTIME_RUNTIME_H
#define WR_RUNTIME_RUNTIME_H

#include "op/op.h"
#include "plan/plan.h"
#include "state/state.h"

typedef struct wr_job wr_job;

typedef enum wr_job_state {
    WR_JOB_CREATED,
    WR_JOB_RUNNING,
    WR_JOB_FAILING,
    WR_JOB_FAILED,
    WR_JOB_CANCELLING,
    WR_JOB_CANCELED,
    WR_JOB_FINISHED,
    WR_JOB_RESTARTING /* failed, and about to run again from its last checkpoint */
} wr_job_state;
const char *wr_job_state_name(wr_job_state s); /* Flink's words */

/* Checkpoints, restarts and where to start from are read from `config`:
 * execution.checkpointing.*, restart-strategy.*, execution.state-recovery.*, state.backend.*. */
typedef struct wr_job_env { /* copied; what it points to outlives the job */
    wr_str id;              /* 32 hex digits, names its checkpoints; empty: random */
    wr_str name;            /* for people and in checkpoints; may be empty */
    wr_str sql;             /* kept in checkpoints; may be empty */
    bool resume; /* without execution.state-recovery.path: go on from the newest good checkpoint of
                    `id` below execution.checkpointing.dir, if there is one */
    const wr_config *config;
    const wr_eval_env *eval;
    wr_memtrack *budget;      /* parent of the job's own budget */
    size_t memory_bytes;      /* limit behind `budget`, for error messages; 0 = none */
    uint32_t parallelism;     /* parallelism.default */
    uint32_t max_parallelism; /* pipeline.max-parallelism; 0 = from the parallelism, >= 128 */
    uint32_t workers;         /* 0 = as many as cores, at most the parallelism */
    int64_t flush_after_ms;   /* rows wait that long at most for an exchange's batch to fill */
    const wr_collect_target *collect;         /* for plans that end in COLLECT */
    wr_status (*out)(void *arg, wr_str text); /* what print writes; serialised by the job */
    wr_status (*err)(void *arg, wr_str text);
    void *arg;
} wr_job_env;

/* The plan is borrowed and must outlive the job. Sources are discovered and operators opened here,
 * so wrong files and options fail before anything runs. */
wr_status wr_job_create(wr_ctx *ctx, const wr_plan *plan, const wr_job_env *env,
                        wr_job **out) WR_MUST_USE;
/* Run to the end. The first worker is the calling thread, so with one worker everything happens in
 * it. Returns the job's error. `ctx->cancel` is honoured. */
wr_status wr_job_run(wr_ctx *ctx, wr_job *job) WR_MUST_USE;
/* Or: all workers on threads of their own, and wait (timeout_ms < 0: for ever). True when the job
 * has ended. `ctx->cancel` must outlive the job. */
wr_status wr_job_start(wr_ctx *ctx, wr_job *job) WR_MUST_USE;
bool wr_job_wait(wr_job *job, int64_t timeout_ms);
/* After the end: the job's error, raised again in ctx (WR_OK when finished, WR_CANCELLED when
 * cancelled). */
wr_status wr_job_result(wr_ctx *ctx, wr_job *job) WR_MUST_USE;
void wr_job_cancel(wr_job *job);                  /* thread: any */
wr_job_state wr_job_get_state(const wr_job *job); /* thread: any */
void wr_job_destroy(wr_job *job); /* cancels and joins if still running; NULL is fine */

/* Metrics of operator instance `index` as its task last published them (at least every 50 ms while
 * it works, and when it rests or ends). False when index is past the last. Times are the task's.
 * thread: any */
bool wr_job_get_metrics(const wr_job *job, uint32_t index, wr_op_metrics *out);
/* What the job as a whole has read and written, and its lowest watermark. thread: any */
typedef struct wr_job_progress {
    uint64_t rows_in, rows_out, bytes_in;
    uint64_t bytes_total;  /* of everything there is to read; 0 = unknown */
    uint64_t rows_total;   /* likewise, as the sources announce; 0 = unknown */
    int64_t watermark;     /* INT64_MIN = none */
    bool sources_idle;     /* no source had anything when last asked */
    const char *waits_for; /* name of the table that holds the watermark back, or NULL */
} wr_job_progress;
void wr_job_get_progress(const wr_job *job, wr_job_progress *out);

/* Event time at the sources, as their tasks last published it: one for each split that has event
 * time of its own, else for each subtask. The list lies in `a`. thread: any */
typedef struct wr_split_watermark {
    const wr_table_id *table;
    uint32_t subtask;
    wr_str split;      /* empty: all that the subtask reads */
    int64_t watermark; /* INT64_MIN = none yet */
    bool idle, ended;  /* nobody waits for it */
    bool paused;       /* it waits for others of its alignment group */
    bool holds_back;   /* the job waits for it: the lowest of those that are waited for */
} wr_split_watermark;
wr_status wr_job_get_watermarks(wr_ctx *ctx, wr_job *job, wr_arena *a, wr_split_watermark **out,
                                uint32_t *count) WR_MUST_USE;
/* ---- checkpoints ----------------------------------------------------------------------------- */
typedef enum wr_checkpoint_status {
    WR_CHECKPOINT_IN_PROGRESS,
    WR_CHECKPOINT_COMPLETED,
    WR_CHECKPOINT_FAILED
} wr_checkpoint_status;

typedef struct wr_checkpoint_stat { /* times in ms; the largest among the tasks */
    uint64_t id;
    uint8_t kind, status; /* wr_checkpoint_kind, wr_checkpoint_status */
    bool unaligned;
    int64_t trigger_ms; /* wall clock */
    int64_t duration_ms, start_delay_ms, alignment_ms, sync_us, async_ms;
    uint32_t tasks, acknowledged;
    uint64_t bytes, bytes_written, inflight_bytes; /* all of it; new in it; rows in channels */
    char path[256];                                /* once complete and kept */
    char reason[256];                              /* of failure, in words */
} wr_checkpoint_stat;

typedef struct wr_checkpoint_counts {
    uint64_t completed, failed, in_progress, restored_id; /* restored_id 0: none */
    int64_t restored_ms;                                  /* how long the last restore took */
    int64_t restored_at_ms;                               /* its end, wall clock */
    uint64_t restored_bytes;                              /* of what it started from */
    uint32_t restarts;
    bool enabled;
    bool may_restart; /* a failure need not be its end */
} wr_checkpoint_counts;
void wr_job_checkpoint_counts(const wr_job *job, wr_checkpoint_counts *out); /* thread: any */
/* The index-th newest of the last ones (about 100 are remembered). thread: any */
bool wr_job_get_checkpoint(const wr_job *job, uint32_t index, wr_checkpoint_stat *out);
/* What people should hear of a job that goes on: it failed and is run again, a checkpoint failed
 * that may. The newest of these, unless it is the *seen-th already; `text` has its beginning.
 * False: nothing new. thread: any */
bool wr_job_remark(const wr_job *job, uint32_t *seen, char *text, size_t size);

/* Checkpoint `id` of a running job stays on disk until it is released, for who reads it. False: it
 * is not there any more, or a savepoint, or the job has ended. Its end takes it in any case.
 * thread: any */
bool wr_job_hold_checkpoint(wr_job *job, uint64_t id) WR_MUST_USE;
void wr_job_release_checkpoint(wr_job *job, uint64_t id);

typedef struct wr_savepoint_request {
    wr_str dir;  /* empty: execution.checkpointing.savepoint-dir */
    bool native; /* else canonical */
    bool stop;   /* stop the job with it: nothing is emitted behind it, effects are committed */
    bool drain;  /* with stop: event time runs to its end first, everything pending comes out */
    int64_t timeout_ms; /* <= 0: execution.checkpointing.timeout */
} wr_savepoint_request;
/* Blocks until it is complete or failed. *path lies in `a`. thread: any but a worker */
wr_status wr_job_savepoint(wr_ctx *ctx, wr_job *job, const wr_savepoint_request *req, wr_arena *a,
                           wr_str *path) WR_MUST_USE;
/* Stop in good order: sources give nothing more, a last checkpoint is taken and committed (without
 * checkpoints: what is written is finished), the job is then WR_JOB_FINISHED and resumes from
 * there. Returns at once. thread: any */
void wr_job_stop(wr_job *job);

/* Rows in flight in checkpoint `m` (*any): what becomes of them (kept, dropped, refused) when a job
 * of this plan starts from it, and in words (in `a`; empty: kept). */
wr_status wr_job_check_inflight(wr_ctx *ctx, const wr_plan *plan, const wr_ckpt_meta *m,
                                wr_arena *a, bool *any, wr_state_fate *fate,
                                wr_str *why) WR_MUST_USE;

uint32_t wr_job_task_count(const wr_job *job);
uint32_t wr_job_worker_count(const wr_job *job);

#endif
