/* SPDX-License-Identifier: Apache-2.0 */
/* Private half of the runtime. Who owns what: a job owns its graph, workers and tasks (arena of the
 * job); a task owns its operator instances, its batch pool and its state backend; channels belong
 * to the job, written by one task and read by one other. */
#ifndef WR_RUNTIME_RUNTIME_INT_H
#define WR_RUNTIME_RUNTIME_INT_H

#include "os/os.h"
#include "runtime/runtime.h"
#include "spi/registry.h"

/* ---- messages: msg kinds, who -> whom
 * --------------------------------------------------------------------------- */
typedef enum wri_msg_kind {
    WRI_MSG_BATCH,     /* operator -> operator: rows; the reference moves */
    WRI_MSG_WATERMARK, /* operator -> operator: event time up to here is complete */
    WRI_MSG_IDLE,      /* source -> operators: do not wait for this input's watermark */
    WRI_MSG_ACTIVE,
    WRI_MSG_END /* operator -> operator: this input gives nothing more */
} wri_msg_kind;

typedef struct wri_msg {
    wri_msg_kind kind;
    int64_t watermark;
    wr_batch *batch;
} wri_msg;

typedef struct wri_queue { /* growing ring of messages, one thread */
    wri_msg *items;
    uint32_t head, count, cap; /* cap a power of two */
} wri_queue;
wr_status wri_queue_push(wr_ctx *ctx, wri_queue *q, wr_memtrack *budget, wri_msg m) WR_MUST_USE;
wri_msg wri_queue_pop(wri_queue *q);
void wri_queue_deinit(wri_queue *q, wr_memtrack *budget); /* releases batches */

/* ---- channels: a bounded ring from one task to another
 * --------------------------------------------------------------- */
typedef struct wri_channel {
    wri_msg ring[WR_CHANNEL_CAPACITY * 2]; /* batches and control messages */
    WR_ALIGNED(64) uint32_t head;          /* reader's */
    WR_ALIGNED(64) uint32_t tail;          /* writer's */
    WR_ALIGNED(64) wri_queue over;         /* writer's: what did not fit; keeps the order */
    struct wri_task *from, *to;
} wri_channel;
#define WRI_RING (WR_CHANNEL_CAPACITY * 2)
/* Never refuses; full() says when the writer should stop. */
wr_status wri_channel_push(wr_ctx *ctx, wri_channel *c, wri_msg m) WR_MUST_USE; /* thread: writer */
bool wri_channel_full(const wri_channel *c);                                    /* thread: writer */
bool wri_channel_flush(wri_channel *c);             /* thread: writer; true when something moved */
bool wri_channel_pop(wri_channel *c, wri_msg *out); /* thread: reader */
bool wri_channel_empty(const wri_channel *c);       /* thread: reader */
void wri_channel_deinit(wri_channel *c, wr_memtrack *budget);

/* ---- the job graph
 * ------------------------------------------------------------------------------------------------------
 */
typedef struct wri_vertex { /* operators that run in one task, connected by plain calls */
    uint32_t id, parallelism;
    const wr_pnode **nodes; /* inputs first; EXCHANGE nodes are edges, not members */
    uint32_t node_count;
} wri_vertex;

typedef struct wri_edge { /* an exchange from the output of a node to an input of a node in another
                             vertex */
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

/* ---- operators inside a task
 * ---------------------------------------------------------------------------------------------- */
typedef struct wri_wm_input { /* one input's (or channel's) event-time status */
    int64_t watermark;        /* INT64_MIN at first */
    bool idle, ended;
} wri_wm_input;
/* The lowest watermark of those that count; *idle when all the living are idle; INT64_MAX when all
 * have ended. */
int64_t wri_watermark_merge(const wri_wm_input *in, uint32_t n, int64_t current, bool *idle);

struct wri_router;
typedef struct wri_target { /* one consumer of an operator's output */
    struct wri_inst *inst;  /* in the same task */
    uint32_t input;
    struct wri_router *router; /* or: an exchange */
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

typedef struct wri_inst { /* an operator or source of a task */
    wr_emitter out;       /* first: what the operator emits into */
    struct wri_task *task;
    wr_op *op; /* NULL: a source */
    struct wri_source *source;
    const wr_pnode *node;
    wr_op_env env;
    wr_eval_env eval; /* the job's, with this operator's watermark */
    wr_sink_env sink_env;
    wr_op_metrics metrics;
    bool start_due; /* an operator without inputs that has not begun */
    wri_wm_input *inputs;
    uint32_t input_count;
    int64_t watermark, forwarded; /* merged input watermark; last one sent on */
    int64_t forward_to;           /* to be sent on when the operator is not pending */
    bool idle;
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
    uint32_t slot; /* index into task->chan_inputs << 16 | index into its channels */
} wri_in_channel;

typedef struct wri_chan_input { /* merges the channels of one operator input */
    wri_inst *inst;
    uint32_t input;
    wri_wm_input *channels;
    uint32_t channel_count, ended;
    int64_t watermark;
    bool idle;
} wri_chan_input;

typedef struct wri_router { /* the sending side of an exchange, in one task */
    struct wri_task *task;
    uint8_t dist;
    const uint32_t *keys;
    uint32_t key_count;
    wri_channel **channels;       /* one per receiving subtask */
    uint32_t channel_count, next; /* next: rebalance */
    uint32_t max_parallelism;
    uint64_t *hash;   /* scratch */
    uint32_t *bucket; /* scratch: target of each live row */
    uint32_t scratch_cap;
} wri_router;
wr_status wri_router_push(wr_ctx *ctx, wri_router *r, wr_batch *take_batch) WR_MUST_USE;
wr_status wri_router_control(wr_ctx *ctx, wri_router *r,
                             wri_msg m) WR_MUST_USE; /* to every channel */

typedef struct wri_source { /* a reader inside a task */
    wri_inst *inst;
    const wr_source_ops *ops;
    const wr_source_spec *spec;
    wr_source_env env;
    wr_reader *reader;
    int64_t wake_at_ms; /* not before, unless woken */
    int fd;
    uint32_t woken; /* atomic */
    bool ended, idle;
    int64_t last_row_ms, idle_after_ms;
    uint64_t bytes_total; /* atomic; as its reader tells, 0 = unknown */
    bool mail_ready;
    wr_os_mutex mail_mutex; /* guards the two below */
    WR_LIST(wr_str) mail;   /* splits found while running */
    uint32_t mail_taken;    /* reader's */
} wri_source;

typedef struct wri_discovery { /* one scan's splits; worker 0 after the start */
    const wri_vertex *vertex;
    const wr_pnode *node;
    WR_LIST(wr_str) known; /* only when asked again */
    uint32_t next;         /* subtask of the next split, modulo the parallelism */
    int64_t again_at_ms;
} wri_discovery;

/* ---- tasks, workers, job
 * -----------------------------------------------------------------------------------------------------
 */
typedef struct wri_task {
    wr_job *job;
    struct wri_worker *worker;
    wri_vertex *vertex;
    uint32_t subtask;
    wr_ctx ctx;
    wr_arena *arena;
    wr_memtrack *budget;
    wr_batch_pool *pool;
    wr_state_backend *state;
    wri_inst **insts; /* inputs first */
    uint32_t inst_count;
    wri_in_channel *channels;
    uint32_t channel_count, next_channel;
    wri_chan_input *chan_inputs;
    uint32_t chan_input_count;
    wri_channel **outs;
    uint32_t out_count;
    wri_router *routers;
    uint32_t router_count;
    uint32_t pending_count; /* operators that are pending or have queued messages */
    uint32_t ended_count;
    int64_t now_ms;
    bool done;
} wri_task;

typedef struct wri_worker {
    wr_job *job;
    uint32_t index;
    wri_task **tasks;
    uint32_t task_count;
    wr_os_event event; /* something came for one of my tasks */
    wr_os_thread thread;
    bool started;
} wri_worker;

struct wr_job {
    wr_job_env env;
    const wr_plan *plan;
    wr_arena *arena;
    wr_memtrack *budget;
    wri_graph graph;
    wri_task **tasks;
    uint32_t task_count;
    wri_worker *workers;
    uint32_t worker_count;
    WR_LIST(wri_channel *) channels;
    wr_sink_env sink_env;
    wr_os_mutex out_mutex;
    /* shared between threads: */
    int state;         /* wr_job_state */
    volatile int stop; /* every task gives up */
    int64_t inflight;  /* messages in channels and pending operators; 0 = quiet */
    uint32_t running_workers;
    wr_os_mutex mutex; /* guards error and waits */
    wr_os_cond changed;
    wr_err error;
    const volatile int *cancel; /* the caller's */
    WR_LIST(wri_discovery) discoveries;
};

/* task.c: messages into operators. All return the first error of the operator. */
wr_status wri_inst_deliver(wr_ctx *ctx, wri_inst *inst, uint32_t input, wri_msg m) WR_MUST_USE;
wr_status wri_inst_forward(wr_ctx *ctx, wri_inst *inst, wri_msg m) WR_MUST_USE; /* to all targets */
void wri_inst_emitter_init(wri_inst *inst);
bool wri_task_full(const wri_task *t);
/* One round: resume what is pending, take messages, poll sources. *progress when anything happened;
 * *wake_ms lowered to the next moment this task wants to run. */
wr_status wri_task_run(wr_ctx *ctx, wri_task *t, bool *progress, int64_t *wake_ms) WR_MUST_USE;
wr_status wri_inst_resume(wr_ctx *ctx, wri_inst *inst) WR_MUST_USE;
wr_status wri_inst_start(wr_ctx *ctx, wri_inst *inst) WR_MUST_USE; /* an operator without inputs */

/* source.c */
wr_status wri_source_open(wr_ctx *ctx, wri_task *t, wri_inst *inst) WR_MUST_USE;
wr_status wri_source_poll(wr_ctx *ctx, wri_source *s, bool *progress, int64_t *wake_ms) WR_MUST_USE;
void wri_source_close(wri_source *s);
/* First assignment of splits; later ones, by worker 0. */
wr_status wri_sources_discover(wr_ctx *ctx, wr_job *job) WR_MUST_USE;
wr_status wri_sources_recheck(wr_ctx *ctx, wr_job *job, int64_t now_ms,
                              int64_t *wake_ms) WR_MUST_USE;

/* build.c */
wr_status wri_job_build(wr_ctx *ctx, wr_job *job) WR_MUST_USE;
void wri_job_tear_down(wr_job *job);

/* worker.c */
void wri_worker_loop(void *worker); /* until every task of it is done or the job stops */
void wri_job_fail(wr_job *job, const wr_err *err);
void wri_job_set_state(wr_job *job, wr_job_state s);

#endif
