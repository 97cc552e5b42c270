/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints and restarts inside the runtime.
 *
 * The coordinator is a thread of the job that exists when checkpoints or restarts are wanted, or a
 * savepoint or a stop in good order is asked for. It numbers checkpoints (job->request), tasks
 * begin them (barrier.c) and give what they froze (wri_frozen) to the snapshot thread, which writes
 * it and puts it into the pending checkpoint. When all tasks have given theirs, the coordinator
 * publishes, commits and tells the tasks. What a task froze goes back to it with a verdict: it
 * alone releases the snapshots, or the coordinator when the task has been stopped.
 *
 * Included by runtime_int.h alone. */
#ifndef WR_RUNTIME_CHECKPOINT_INT_H
#define WR_RUNTIME_CHECKPOINT_INT_H

#include "os/os.h"
#include "runtime/exchange_int.h"
#include "runtime/runtime.h"

struct wri_region;
struct wri_inst;
struct wri_edge;
struct wri_router;
struct wri_in_channel;

#define WRI_HISTORY 100 /* checkpoints that are remembered */

/* ---- what the options say -------------------------------------------------------------------- */
typedef enum wri_strategy {
    WRI_RESTART_NONE,
    WRI_RESTART_FIXED,
    WRI_RESTART_RATE,
    WRI_RESTART_EXPONENTIAL
} wri_strategy;

typedef struct wri_restart { /* restart.c; the coordinator's */
    wri_strategy strategy;
    int64_t limit; /* restarts altogether, within an interval, or before giving up */
    int64_t delay_ms, interval_ms, max_delay_ms, reset_ms;
    double multiplier, jitter;
    /* what happened */
    int64_t failures, current_ms, last_ms;
    int64_t *times; /* RATE: of the last limit + 1 failures */
    char text[160]; /* as Flink shows it */
} wri_restart;
wr_status wri_restart_init(wr_ctx *ctx, wr_job *job, wri_restart *r) WR_MUST_USE;
/* A failure happened at `now_ms` (monotonic): may the job run again, and after which time? */
bool wri_restart_allowed(wri_restart *r, int64_t now_ms, int64_t *delay_ms);

typedef enum wri_retention {
    WRI_RETAIN_NEVER, /* behind the end of the job */
    WRI_RETAIN_FAILED,
    WRI_RETAIN_CANCELED /* and failed ones */
} wri_retention;

/* Durations are cut to 100 years: they become ns of a clock that starts near 0, and two of the
 * longest added to that stay far from the limit of int64. */
#define WRI_LONGEST_MS INT64_C(3155760000000)

typedef struct wri_ckpt_options {
    bool enabled; /* periodic ones */
    bool at_least_once, incremental;
    bool unaligned; /* barriers overtake rows, `aligned_ms` after the trigger */
    bool by_region; /* else everything starts again */
    int64_t interval_ms, timeout_ms, min_pause_ms, aligned_ms;
    uint32_t max_concurrent, tolerable, retained, buffer_bytes;
    wri_retention retention;
    wr_str dir, savepoint_dir; /* empty: not set */
} wri_ckpt_options;
wr_status wri_ckpt_options_read(wr_ctx *ctx, wr_job *job) WR_MUST_USE;

/* ---- one checkpoint -------------------------------------------------------------------------- */
typedef struct wri_ckpt_flags {
    bool wanted;       /* false: it has failed already, the barrier just passes */
    bool stored;       /* false: a stop without checkpoints, for order alone */
    bool stop;         /* nothing is emitted behind it */
    bool end_sinks;    /* with a stop without checkpoints: what is written is finished */
    bool final;        /* all input has ended */
    bool may_overtake; /* rows, if the options say so: a periodic one */
    uint8_t kind;      /* wr_checkpoint_kind */
} wri_ckpt_flags;

typedef enum wri_verdict { WRI_NO_VERDICT, WRI_LOST, WRI_KEPT } wri_verdict;

typedef struct wri_part { /* what one operator instance gave */
    wr_opstate ops;
    wr_state_backend *backend;   /* of `snapshot` */
    wr_state_snapshot *snapshot; /* NULL: no keyed state */
    wr_state_handle *keyed;      /* written */
    wr_state_file *inflight;     /* written; the task's, at its first operator */
    bool finished;
} wri_part;

/* What was on its way through a channel when a barrier overtook it, as one end of it recorded. */
typedef struct wri_flow {
    const struct wri_edge *edge;
    uint32_t sender, receiver; /* subtasks */
    bool held;                 /* by the sender, behind the ring; else the receiver found it */
    int64_t watermark;         /* the channel's, before: not held; INT64_MAX: it does not count */
} wri_flow;

typedef struct wri_caught { /* one message of a flow, in their order */
    uint32_t flow;
    wr_batch *batch; /* referenced; NULL: a watermark */
    int64_t watermark;
} wri_caught;

typedef struct wri_frozen {
    struct wri_task *task;
    uint64_t id;
    uint8_t kind;
    wr_arena *arena; /* charged to the job; this struct is in it */
    wri_part *parts;
    uint32_t part_count;
    bool overtook; /* not aligned */
    bool may_turn; /* aligned, but its barriers may begin to overtake */
    WR_LIST(wri_flow) flows;
    WR_LIST(wri_caught) caught;
    int64_t begin_ms, start_delay_ms, alignment_ms, sync_us, async_ms;
    int verdict; /* atomic; wri_verdict: it is the task's again */
    struct wri_frozen *next;
} wri_frozen;

typedef struct wri_request {               /* lives with the caller, who waits */
    const wr_savepoint_request *savepoint; /* NULL: wr_job_stop, nobody waits */
    bool taken, done;
    wr_err error; /* status WR_OK: it worked */
    char path[WR_OS_PATH_MAX];
    struct wri_request *next;
} wri_request;

typedef struct wri_pending { /* the coordinator's; `parts` and `acknowledged` guarded by its mutex
                              */
    uint64_t id;
    wri_ckpt_flags flags;
    bool savepoint; /* not one to restart from */
    wr_ckpt *ckpt;  /* NULL: nothing is stored */
    wr_arena *arena;
    wri_frozen **parts; /* of every task; NULL = not yet */
    uint32_t acknowledged;
    uint32_t writing; /* the snapshot thread is at it */
    int64_t trigger_ms, trigger_ns, deadline_ns;
    int64_t overtake_ns; /* when its barriers begin to overtake; 0 = never, or they do */
    bool failed;         /* for `reason`; a task or the snapshot thread says so */
    char reason[256];
    wri_request *request;
    struct wri_pending *next;
} wri_pending;

typedef struct wri_coord {
    wri_ckpt_options options;
    wri_restart restart;
    wr_os_mutex mutex; /* guards what follows, down to `store` */
    wr_os_cond changed;
    bool running, workers_gone;
    bool trouble; /* something of the whole job failed, for `error` */
    wr_err error;
    wri_request *requests;
    wri_request stop_request; /* of wr_job_stop */
    bool stop_wanted;
    wri_pending *pending; /* oldest first; linked and unlinked by the coordinator */
    wri_frozen *to_write, *last_to_write;
    bool writer_quits;
    struct wri_task *writing; /* whose parts the snapshot thread has in hand */
    wr_os_cond to_write_changed;
    wr_checkpoint_stat *history; /* WRI_HISTORY; of checkpoint id at id % WRI_HISTORY; NULL before
                                    the thread starts */
    uint64_t newest;             /* id; 0 = none */
    wr_checkpoint_counts counts;
    uint32_t remark_count; /* see wr_job_remark; `remark` is the newest */
    char remark[WR_ERR_MESSAGE_MAX];
    /* the coordinator's thread alone (before the start: the controlling thread): */
    wr_os_thread thread, writer;
    bool writer_running;
    wr_ckpt_store *store;
    char root[WR_OS_PATH_MAX]; /* of `store` */
    bool private_root;         /* of this job alone: goes with it */
    uint64_t next_id, committed, last_completed;
    int64_t next_trigger_ns, last_end_ns;
    uint32_t failures_in_row;
    bool stopped_in_order;    /* by wr_job_stop or with a savepoint: it goes on from there */
    bool stopping;            /* a stop is in work: no more periodic ones */
    bool hurried;             /* an attempt was made early for a stop */
    bool full_next;           /* the first one after a restore without claiming */
    wri_request *end_request; /* drain: who waits for the final checkpoint */
    wr_err last_error;        /* poison.c: what failed, and how often in a row */
    uint32_t same_errors;
} wri_coord;

/* coordinator.c */
wr_status wri_coord_init(wr_ctx *ctx, wr_job *job) WR_MUST_USE;
wr_status wri_coord_start(wr_ctx *ctx, wr_job *job) WR_MUST_USE; /* the thread */
void wri_coord_join(wr_job *job);
/* Something failed: a region (its tasks rest at once), or (NULL) the job as a whole. thread: any.
 * False: the job does not restart; it has been failed. */
bool wri_coord_trouble(wr_job *job, struct wri_region *region, const wr_err *err);
void wri_coord_task_ended(struct wri_task *t); /* thread: task */
/* What checkpoint `id` wants of a task. thread: task */
wri_ckpt_flags wri_coord_flags(wr_job *job, uint64_t id);
void wri_coord_give(wr_job *job, wri_frozen *take_f); /* thread: task */
void wri_coord_decline(wr_job *job, uint64_t id, const char *task, const char *reason);
void wri_coord_answer(wri_coord *c, wri_request *r, const wr_err *err); /* thread: coordinator */

/* pending.c: the life of one checkpoint. thread: coordinator */
wr_status wri_pending_begin(wr_ctx *ctx, wr_job *job, wri_ckpt_flags flags,
                            wri_request *request) WR_MUST_USE;
/* Publish, commit, tell the tasks. *published: it exists, whatever followed; *p is gone then. */
wr_status wri_pending_complete(wr_ctx *ctx, wr_job *job, wri_pending *p,
                               bool *published) WR_MUST_USE;
void wri_pending_fail(wr_job *job, wri_pending *p, const wr_err *err, const char *reason);
/* From now on its barriers overtake, if it is time; *next_ns lowered to when it is. */
void wri_pending_overtake(wr_job *job, wri_pending *p, int64_t now_ns, int64_t *next_ns);
/* Where a savepoint goes; WR_OPTION when nobody says. */
wr_status wri_savepoint_dir(wr_ctx *ctx, const wri_coord *c, const wr_savepoint_request *s,
                            wr_str *out) WR_MUST_USE;
/* For wr_job_remark. thread: coordinator */
void wri_coord_remark(wr_job *job, const char *fmt, ...) WR_PRINTF(2, 3);
wr_status wri_store_open(wr_ctx *ctx, wr_job *job) WR_MUST_USE;
/* private_root.c: a folder for checkpoints that has no name yet; those of dead processes go. */
wr_status wri_private_root(wr_ctx *ctx, char *out, size_t cap) WR_MUST_USE;
/* Where sinks keep what they have not applied yet; in the job's arena. */
wr_status wri_log_dir(wr_ctx *ctx, wr_job *job, wr_str *out) WR_MUST_USE;
void wri_store_close(wr_job *job, wr_job_state end);
/* Are its checkpoints kept when it ends so? */
bool wri_store_keeps(const wr_job *job, wr_job_state end);

/* snapshot.c: writing what tasks froze. */
void wri_snapshot_loop(void *job); /* thread: weir-snapshot */
void wri_frozen_release(wri_frozen *take_f, bool kept);
/* None of this task's snapshots is in hand any more, nor will be. thread: coordinator */
void wri_snapshot_forget(wr_job *job, const struct wri_task *t);

/* commit.c */
wr_status wri_commit_sinks(wr_ctx *ctx, wr_job *job, const wr_ckpt_meta *m, uint64_t id,
                           bool end) WR_MUST_USE;

/* restore.c */
typedef struct wri_restored {
    wr_arena *arena;
    wr_ckpt_meta *meta;
    wr_state_reader *reader;
    bool own;      /* of this job as it runs now: nothing is redistributed */
    bool all_done; /* every operator had ended */
} wri_restored;
wr_status wri_restore_find(wr_ctx *ctx, wr_job *job) WR_MUST_USE;  /* when the job is made */
wr_status wri_restore_check(wr_ctx *ctx, wr_job *job) WR_MUST_USE; /* against the plan */
/* Into the counts: what the job was restored from, since `begin_ns`. Locked when others run. */
void wri_restore_count(wr_job *job, int64_t begin_ns);
wr_status wri_restore_latest(wr_ctx *ctx, wr_job *job) WR_MUST_USE; /* for a restart */
/* What is not keyed state, and what the operator makes of both; behind wri_restore_keyed. */
wr_status wri_restore_inst(wr_ctx *ctx, wr_job *job, struct wri_inst *inst) WR_MUST_USE;
/* restore_keyed.c: keyed state of all operators of a region, which are open. */
wr_status wri_restore_keyed(wr_ctx *ctx, const struct wri_region *region) WR_MUST_USE;
void wri_restored_drop(wr_job *job);

/* poison.c: will this error come again whatever is done? Then `err` says so. `of_job`: it is no
 * task's, so no record's. */
bool wri_is_poison(wri_coord *c, wr_err *err, bool of_job);

/* failover.c: regions fail, wait, run again. thread: coordinator */
void wri_failover_take(wr_job *job); /* what has failed since */
void wri_failover_restart(wr_job *job, int64_t now_ns, int64_t *next_ns);
bool wri_failover_all_up(const wr_job *job);
/* Release what its stopped tasks froze, and tear it down. */
void wri_region_release(struct wri_region *region);

/* overtake.c: barriers that overtake rows. thread: task */
bool wri_may_overtake(const struct wri_edge *e);
/* The task is frozen (t->barrier.recording): what its channels hold is recorded from here on. */
void wri_overtake_begin(struct wri_task *t);
/* `ended`: the sender has; then only channels in which something waits behind the ring get it. */
wr_status wri_overtake_send(wr_ctx *ctx, struct wri_router *r, wri_msg m, bool ended) WR_MUST_USE;
/* Once a round: what has come; what is complete goes to the coordinator. */
void wri_overtake_look(struct wri_task *t);
/* May a message of a channel that is recorded be taken? */
bool wri_overtake_may_take(struct wri_task *t, struct wri_in_channel *ic);

/* inflight.c */
wr_status wri_inflight_flow(wr_ctx *ctx, wri_frozen *f, wri_flow flow,
                            uint32_t *number) WR_MUST_USE;
wr_status wri_inflight_keep(wr_ctx *ctx, wri_frozen *f, uint32_t flow,
                            const wri_msg *m) WR_MUST_USE; /* batches and watermarks */
void wri_inflight_drop(wri_frozen *f);
wr_status wri_inflight_write(wr_ctx *ctx, wri_frozen *f, wr_state_writer *w,
                             wr_state_file *out) WR_MUST_USE; /* thread: snapshot */
/* inflight_restore.c: back into the region's channels, before anything new. */
wr_status wri_inflight_restore(wr_ctx *ctx, wr_job *job,
                               const struct wri_region *region) WR_MUST_USE;

/* barrier.c. thread: task */
wr_status wri_barrier_look(wr_ctx *ctx, struct wri_task *t, bool *progress) WR_MUST_USE;
wr_status wri_barrier_step(wr_ctx *ctx, struct wri_task *t, bool *progress) WR_MUST_USE;

#endif
