/* SPDX-License-Identifier: Apache-2.0 */
/* Private half of the runtime. Who owns what: a job owns its graph, workers and tasks (arena of the
 * job); a task owns its operator instances and its batch pool; an instance owns its budget and its
 * state backend; channels belong to the job, written by one task and read by one other. */
#ifndef WR_RUNTIME_RUNTIME_INT_H
#define WR_RUNTIME_RUNTIME_INT_H

#include "os/os.h"
#include "runtime/runtime.h"
#include "spi/registry.h"

struct wri_task;
struct wri_region;
struct wri_inst;
#include "runtime/exchange_int.h"

#include "runtime/checkpoint_int.h"
#include "runtime/clocks_int.h"

#define WRI_TAKE_MAX       16u  /* messages a task takes in one round */
#define WRI_PUBLISH_MS     50   /* metrics are published at least that often */
#define WRI_SLEEP_MS_MAX   50   /* cancellation is noticed at least that often */
#define WRI_LOOK_MS        20   /* a source that does not say when is asked again after that */
#define WRI_LOOK_FD_MS     2    /* one that waits for a descriptor */
#define WRI_EXPIRE_MS      1000 /* expired state is swept that often */
#define WRI_EXPIRE_ENTRIES 4096 /* and so many entries at once */
#define WRI_OVERTAKE_MAX   (WR_CHANNEL_CAPACITY * 64) /* a barrier waits for no room below that */

/* ---- the job graph --------------------------------------------------------------------------- */
typedef struct wri_vertex { /* operators that run in one task, connected by plain calls */
    uint32_t id, parallelism;
    uint32_t first_task;    /* index of subtask 0 among the job's tasks */
    const wr_pnode **nodes; /* inputs first; EXCHANGE nodes are edges, not members */
    uint32_t node_count;
} wri_vertex;

typedef struct wri_edge { /* an exchange from a node's output to an input in another vertex */
    uint32_t from, to;    /* vertices */
    const wr_pnode *from_node, *to_node;
    uint32_t to_input;
    uint8_t dist; /* wr_dist */
    const uint32_t *keys;
    uint32_t key_count;
} wri_edge;

typedef struct wri_graph {
    wri_vertex *vertices;
    uint32_t vertex_count;
    wri_edge *edges;
    uint32_t edge_count;
} wri_graph;
wr_status wri_graph_make(wr_ctx *ctx, const wr_plan *plan, const wr_job_env *env, wr_arena *a,
                         wri_graph *out) WR_MUST_USE;

/* ---- event time ------------------------------------------------------------------------------ */
typedef struct wri_wm_input { /* one input's (or channel's) event-time status */
    int64_t watermark;        /* INT64_MIN at first */
    bool idle, ended;
} wri_wm_input;
/* The watermark of an operator from those of its inputs: the lowest of the living that are not
 * idle, never below `current`. *idle: all the living are idle; then it stays. INT64_MAX when all
 * have ended. */
int64_t wri_watermark_merge(const wri_wm_input *in, uint32_t n, int64_t current, bool *idle);
/* The same for the channels of one input: one that came back from idleness behind `current` does
 * not count until it has caught up; when all become idle the highest goes out. */
int64_t wri_channels_merge(const wri_wm_input *in, uint32_t n, int64_t current, bool *idle);

/* ---- operators inside a task ----------------------------------------------------------------- */
struct wri_router;
typedef struct wri_target { /* one consumer of an operator's output */
    struct wri_inst *inst;  /* in the same task */
    uint32_t input;
    struct wri_router *router; /* or: an exchange */
    uint32_t hops;             /* exchanges to the sink on this way */
} wri_target;

typedef enum wri_inst_state {
    WRI_INST_RUNNING,
    WRI_INST_ENDING,   /* all inputs ended, the last watermark given */
    WRI_INST_FLUSHING, /* on_end called */
    WRI_INST_ENDED
} wri_inst_state;

typedef struct wri_queued {
    wri_msg msg;
    uint32_t input;
} wri_queued;

typedef struct wri_shown { /* what others may read, and the next attempt goes on counting from;
                              lives as long as the job; all atomic but node, metrics.name and
                              .subtask */
    const wr_pnode *node;
    wr_op_metrics metrics;
    int64_t forwarded;
    uint64_t bytes_total;
    uint32_t quiet;         /* a source that ended or had nothing when last asked */
    wr_split_clock *clocks; /* a source's; guarded by job->clocks_mutex */
    uint32_t clock_count, clock_cap;
} wri_shown;

typedef struct wri_inst { /* an operator or source of a task */
    wr_emitter out;       /* first: what the operator emits into */
    struct wri_task *task;
    wr_op *op; /* NULL: a source */
    struct wri_source *source;
    struct wri_source *source_below; /* a WATERMARK: whose splits it times, or NULL */
    const wr_pnode *node;
    wr_memtrack *budget;
    wr_state_backend *backend; /* NULL: keeps no state */
    uint32_t kg_first, kg_last;
    wr_op_env env;
    wr_eval_env eval; /* the job's, with this operator's watermark */
    wr_sink_env sink_env;
    wr_op_metrics metrics; /* the task's own; published to `shown` now and then */
    wri_shown *shown;
    bool start_due; /* an operator without inputs that has not begun */
    bool merge_due; /* an input ended while the operator became pending */
    wri_wm_input *inputs;
    uint32_t input_count;
    int64_t watermark, forwarded; /* merged input watermark; last one sent on */
    int64_t forward_to;           /* to be sent on when the operator is not pending */
    bool idle, idle_sent;         /* merged; what the consumers know */
    bool makes_idle;              /* a WATERMARK that goes idle after a time without rows */
    int64_t active_ms;            /* since when it had no rows though it could have taken some */
    wri_inst_state state;
    wri_target *targets;
    uint32_t target_count;
    wri_queued *queue; /* messages that came while the operator was pending */
    uint32_t queue_head, queue_count, queue_cap;
    int64_t *timers; /* processing time, ascending */
    uint32_t timer_count, timer_cap;
} wri_inst;

typedef struct wri_in_channel { /* a channel and what it feeds */
    wri_channel *channel;
    uint32_t slot;           /* index into task->chan_inputs << 16 | index into its channels */
    uint64_t barrier;        /* the last one that came */
    bool records;            /* what comes belongs to the checkpoint that has overtaken it */
    uint32_t flow, recorded; /* its number there; position in the ring up to which */
} wri_in_channel;

typedef struct wri_chan_input { /* merges the channels of one operator input */
    wri_inst *inst;
    uint32_t input;
    wri_wm_input *channels;
    uint32_t channel_count, ended;
    int64_t watermark;
    bool idle;
} wri_chan_input;

/* ---- sources --------------------------------------------------------------------------------- */
typedef struct wri_source { /* a reader inside a task */
    wri_inst *inst;
    const wr_source_ops *ops;
    const wr_source_spec *spec;
    wr_source_env env;
    wr_reader *reader;
    int64_t wake_at_ms; /* not before, unless woken */
    uint32_t woken;     /* atomic */
    bool ended, quiet;  /* quiet: had nothing when last asked */
    int64_t pending_ms; /* when it last had nothing (processing time) */
    wr_split_clocks clocks;
    WR_LIST(uint32_t) added; /* clock of each split that the reader has been given */
    wri_inst *stamper;       /* the first of the WATERMARKs above it in its task, or NULL */
    WR_LIST(wri_inst *) stampers;
    wri_align align;
    uint64_t bytes_total; /* as its reader tells, 0 = unknown */
    bool mail_ready;
    wr_os_mutex mail_mutex; /* guards the two below */
    WR_LIST(wr_str) mail;   /* splits found while running */
    uint32_t mail_taken;    /* reader's */
    bool drained;           /* ended before its time */
    bool rechecks;          /* splits are looked for again: those read to their ends are kept */
    WR_LIST(wr_str) given;  /* names of its splits, those read to their ends as well */
} wri_source;

typedef struct wri_split { /* the name lives as long as the job, the position as long as the
                              restored checkpoint */
    wr_str name, position;
    uint32_t subtask;
    bool finished;
    int64_t watermark; /* as the checkpoint says; INT64_MIN = nothing */
} wri_split;

typedef struct wri_discovery { /* one scan's splits; guarded by job->splits_mutex after the start */
    const wri_vertex *vertex;
    const wr_pnode *node;
    WR_LIST(wri_split) splits; /* in the order in which they were found */
    uint32_t *index; /* open-addressing table of index_cap (a power of two): number + 1, 0 = none */
    uint32_t index_cap;
    uint32_t next; /* subtask of the next split, modulo the parallelism */
    bool restored; /* the restored checkpoint knew the scan: its splits are all there are */
    int64_t again_at_ms;
    wri_align_group *align; /* or NULL; its subtasks' slots begin at align_slot */
    uint32_t align_slot;
} wri_discovery;

/* ---- tasks, workers, job --------------------------------------------------------------------- */
/* A task's side of checkpoints (barrier.c). */
typedef struct wri_barrier {
    uint64_t done, id; /* the last one that passed; the one in work, 0 = none */
    bool walking;      /* aligned: the operators are told, one after the other */
    bool restoring;    /* `id` came before: behind it in-flight data end */
    bool overtaking;   /* while walking: operators do not wait for room downstream */
    wri_ckpt_flags flags;
    uint32_t at;
    int64_t start_ns, aligned_ns;
    wri_frozen *recording; /* frozen, and `records_left` channels are still recorded */
    uint32_t records_left;
    wri_frozen *frozen; /* what it gave to the coordinator and has not got back; NULL = nothing */
    uint64_t told;      /* atomic; coordinator's: the last committed checkpoint */
    uint64_t committed; /* what its operators know of that */
} wri_barrier;

typedef enum wri_stop {
    WRI_RUNS,
    WRI_STOPS_WITH_JOB, /* for good */
    WRI_STOPS_ALONE     /* the coordinator may take it down and build it again at any time */
} wri_stop;

/* A region: tasks that channels connect. They fail and start again together. The struct lives as
 * long as the job; what is in `arena`, and everything its tasks hold, as long as the attempt. */
typedef struct wri_region {
    wr_job *job;
    wr_arena *arena;
    WR_LIST(wri_channel *) channels;
    volatile int stop;     /* atomic: its tasks rest; wri_stop */
    bool built;            /* coordinator's, or whoever builds */
    bool failed;           /* guarded by coord.mutex, as `error` */
    int64_t restart_at_ns; /* coordinator's; 0: it runs */
    wr_err error;
} wri_region;

typedef struct wri_task {
    wr_job *job; /* down to `shown`: for the job's life, never written again; the rest is an
                    attempt's */
    struct wri_worker *worker;
    wri_vertex *vertex;
    wri_region *region;
    uint32_t index, subtask;
    wri_shown *shown; /* of every instance */
    wr_ctx ctx;
    wr_memtrack *budget;
    wr_arena *arena;
    wr_batch_pool *pool;
    wri_inst **insts; /* inputs first */
    uint32_t inst_count;
    wri_in_channel *channels;
    uint32_t channel_count, next_channel;
    wri_chan_input *chan_inputs;
    uint32_t chan_input_count;
    wri_channel **outs;
    uint32_t out_count;
    wri_router **routers;
    uint32_t router_count;
    uint32_t pending_count; /* operators that are pending or have queued messages */
    uint32_t timer_count;   /* timers of all operators */
    uint32_t idler_count;   /* operators with makes_idle */
    uint32_t source_count, start_count;
    uint32_t ended_count;
    bool blamed;      /* the failing operator is named already */
    int64_t now_ms;   /* of the wall clock, at the begin of the round */
    int64_t proc_ms;  /* processing time: the same, unless it is held (wr_os_processing_hold) */
    uint64_t moves;   /* atomic: so many moves of the held clock have been carried out */
    int64_t clock_ns; /* when its time was last accounted for */
    bool held;        /* at the end of the last round it waited for room downstream */
    bool unpublished;
    int64_t published_ms, expired_ms;
    uint64_t busy_ns, idle_ns, backpressured_ns;
    bool ended; /* all operators have ended; it lives on for checkpoints until the job lets it go */
    bool done;
    wri_barrier barrier;
} wri_task;

typedef struct wri_worker {
    wr_job *job;
    uint32_t index;
    wri_task **tasks;
    uint32_t task_count;
    uint64_t round;    /* atomic: how many it has begun; UINT64_MAX: it has left */
    bool again;        /* its own: something was put into a channel between its tasks */
    wr_os_event event; /* something came for one of its tasks */
    wr_os_thread thread;
    bool started;
} wri_worker;

struct wr_job {
    wr_job_env env;
    const wr_plan *plan;
    wr_memtrack *budget;
    wr_arena *arena;
    wri_graph graph;
    wri_task **tasks;
    uint32_t task_count;
    wri_shown *shown; /* of all tasks, in their order */
    uint32_t shown_count;
    wri_worker *workers;
    uint32_t worker_count;
    wri_region *regions;
    uint32_t region_count;
    wr_str *ids; /* logical id of every node; index = id - 1 */
    wr_sink_env sink_env;
    wr_os_mutex out_mutex;
    /* shared between threads: */
    int state;         /* atomic; wr_job_state; changed under the mutex */
    volatile int stop; /* atomic: every task gives up */
    int64_t inflight;  /* atomic: messages, rows and operators that wait; 0 = quiet */
    uint32_t running_workers;
    wr_os_mutex mutex; /* guards error and waits */
    wr_os_cond changed;
    wr_err error;
    const volatile int *cancel; /* the caller's */
    uint64_t request;           /* atomic: number of the last checkpoint that was begun */
    uint64_t overtake;          /* atomic: the barrier that overtakes rows; 0 = none */
    uint64_t stop_at;           /* atomic: behind this barrier tasks do nothing more; 0 = none */
    int drain, release;         /* atomic: sources end; tasks that have ended may go */
    uint32_t ended_tasks;       /* atomic */
    wri_restored *restored;     /* what it started from; NULL: from the beginning */
    wri_coord coord;
    wr_os_mutex splits_mutex;
    WR_LIST(wri_discovery) discoveries;
    WR_LIST(wri_align_group *) aligns;
    wr_os_mutex clocks_mutex; /* guards the clocks in `shown` */
};

/* inst.c: messages into operators. All return the first error of the operator. */
wr_status wri_inst_deliver(wr_ctx *ctx, wri_inst *inst, uint32_t input, wri_msg m) WR_MUST_USE;
wr_status wri_inst_forward(wr_ctx *ctx, wri_inst *inst, wri_msg m) WR_MUST_USE; /* to all targets */
void wri_inst_emitter_init(wri_inst *inst);
bool wri_inst_busy(const wri_inst *inst); /* pending, or messages wait for it */
bool wri_inst_full(wri_inst *inst);       /* is anything downstream not ready to take more? */
/* For a later round, as though it had come while the operator was pending. */
wr_status wri_inst_enqueue(wr_ctx *ctx, wri_inst *inst, uint32_t input, wri_msg m) WR_MUST_USE;
wr_status wri_inst_resume(wr_ctx *ctx, wri_inst *inst) WR_MUST_USE;
wr_status wri_inst_start(wr_ctx *ctx, wri_inst *inst) WR_MUST_USE; /* an operator without inputs */
wr_status wri_inst_timer(wr_ctx *ctx, wri_inst *inst, int64_t due_ms) WR_MUST_USE;
wr_status wri_inst_barrier(wr_ctx *ctx, wri_inst *inst, uint64_t id) WR_MUST_USE;
wr_status wri_inst_tell_idle(wr_ctx *ctx, wri_inst *inst) WR_MUST_USE;
/* Name the operator in ctx's error record, unless one was. Returns status. */
wr_status wri_inst_blame(wr_ctx *ctx, wri_inst *inst, wr_status status) WR_MUST_USE;

/* task.c */
bool wri_task_full(wri_task *t);
bool wri_lane_full(wri_task *t, wri_channel *c); /* for what its operators emit */
/* One round: resume what is pending, take messages, poll sources. *progress when anything happened;
 * *wake_ms lowered to the next moment this task wants to run. */
wr_status wri_task_run(wr_ctx *ctx, wri_task *t, bool *progress, int64_t *wake_ms) WR_MUST_USE;

/* metrics.c */
void wri_task_publish(wri_task *t);

/* source.c */
wr_status wri_source_open(wr_ctx *ctx, wri_task *t, wri_inst *inst) WR_MUST_USE;
wr_status wri_source_give(wr_ctx *ctx, wri_source *s, const wri_split *split) WR_MUST_USE;
wr_status wri_source_poll(wr_ctx *ctx, wri_source *s, bool *progress, int64_t *wake_ms) WR_MUST_USE;
/* Its splits and the names of those read to their ends. */
wr_status wri_source_snapshot(wr_ctx *ctx, wri_source *s, uint64_t id, wr_opstate *out) WR_MUST_USE;
void wri_source_wake(void *source); /* thread: any */
void wri_source_close(wri_source *s);

/* discover.c: first assignment of splits; later ones, by worker 0. */
wr_status wri_sources_discover(wr_ctx *ctx, wr_job *job) WR_MUST_USE; /* once, nothing is given */
wr_status wri_sources_reset(wr_ctx *ctx, wr_job *job) WR_MUST_USE;    /* to what was restored */
wr_status wri_sources_give(wr_ctx *ctx, wr_job *job, const wri_region *region) WR_MUST_USE;
wr_status wri_sources_recheck(wr_ctx *ctx, wr_job *job, int64_t now_ms,
                              int64_t *wake_ms) WR_MUST_USE;

/* layout.c */
wr_status wri_job_lay_out(wr_ctx *ctx, wr_job *job) WR_MUST_USE; /* once: tasks and regions */

/* build.c */
wr_status wri_region_build(wr_ctx *ctx, wri_region *region) WR_MUST_USE;
void wri_region_tear_down(wri_region *region); /* built or half built */

/* worker.c */
void wri_worker_loop(void *worker); /* until every task of it is done or the job stops */
void wri_job_fail(wr_job *job, const wr_err *err);
void wri_job_set_state(wr_job *job, wr_job_state s);
void wri_job_wake(wr_job *job);
void wri_job_end(wr_job *job); /* the last state, and tell who waits */
void wri_job_leave(wr_job *job, uint32_t workers);

#endif
