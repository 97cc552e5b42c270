/* SPDX-License-Identifier: Apache-2.0 */
/* Operators: one input batch in, batches out, single-threaded, never blocking.
 *
 * Push with yield. An operator emits with wr_emit(); when wr_emit_full() it stores its position,
 * sets op->pending and returns; the runtime calls on_resume when there is room. While op->pending,
 * no further input comes. The runtime, not operators, merges watermarks, idleness and barriers. */
#ifndef WR_SPI_OPERATOR_H
#define WR_SPI_OPERATOR_H

#include "spi/connector.h"
#include "spi/metrics.h"
#include "spi/split_clock.h"

typedef struct wr_op wr_op;

/* Where the rows of a SELECT go (operator COLLECT). thread: the one task that ends the plan. */
typedef struct wr_collect_target {
    wr_status (*rows)(wr_ctx *ctx, void *arg, const wr_batch *batch);
    void *arg;
} wr_collect_target;

typedef struct wr_op_env { /* what an operator may use; lives as long as the operator */
    wr_arena *arena;       /* task lifetime */
    wr_batch_pool *pool;   /* output batches */
    wr_memtrack *budget;
    const wr_eval_env *eval;
    const wr_config *config;
    wr_state_backend
        *state; /* this task's; operators open their tables with a prefixed logical id */
    uint32_t subtask, parallelism, max_parallelism;
    wr_op_metrics *metrics;
    const int64_t *now_ms; /* processing time, refreshed by the runtime per batch */
    void *job;
    const wr_sink_env *sink; /* for sink operators */
    const wr_source_env *source;
    const wr_collect_target *collect; /* for COLLECT */
    wr_split_clocks *clocks; /* for WATERMARK: of the source below it; NULL = none to be found */
    /* Call on_timer(op, time) when processing time reaches time_ms (deduplicated by time). */
    wr_status (*timer)(struct wr_op_env *env, int64_t time_ms);
    void *task;
} wr_op_env;

typedef struct wr_emitter { /* where output goes: the next operator of the chain, or a router to
                               channels */
    wr_status (*push)(wr_ctx *ctx, struct wr_emitter *e, wr_batch *take_batch);
    wr_status (*watermark)(wr_ctx *ctx, struct wr_emitter *e, int64_t watermark);
    bool (*full)(const struct wr_emitter *e);
} wr_emitter;

WR_ALWAYS_INLINE wr_status
wr_emit(wr_ctx *ctx, wr_emitter *e,
        wr_batch *take_batch) /* the batch moves; an empty one is dropped by the callee */
{
    return e->push(ctx, e, take_batch);
}
WR_ALWAYS_INLINE bool
wr_emit_full(const wr_emitter *e)
{
    return e->full(e);
}

typedef struct wr_op_ops {
    uint32_t abi;
    const char *name;
    uint32_t size_bytes; /* of the operator's struct; zeroed by the runtime */
    wr_status (*open)(wr_ctx *ctx, wr_op *op);
    wr_status (*on_batch)(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch,
                          wr_emitter *out);
    wr_status (*on_resume)(wr_ctx *ctx, wr_op *op, wr_emitter *out);
    /* The merged watermark rose. The operator first emits what it makes due; the runtime then
     * forwards `*forward` (preset to the watermark; an operator may hold it back). */
    wr_status (*on_watermark)(wr_ctx *ctx, wr_op *op, int64_t watermark, wr_emitter *out,
                              int64_t *forward);
    wr_status (*on_timer)(wr_ctx *ctx, wr_op *op, int64_t time_ms, wr_emitter *out);
    wr_status (*on_barrier)(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id,
                            wr_emitter *out); /* flush bundles */
    wr_status (*on_end_input)(wr_ctx *ctx, wr_op *op, uint32_t input, wr_emitter *out);
    /* All inputs ended: emit what is left (may set pending and continue in on_resume). */
    wr_status (*on_end)(wr_ctx *ctx, wr_op *op, wr_emitter *out);
    void (*close)(wr_op *op); /* also after a failed open */
    /* Behind on_barrier, when nothing is pending: what is not in keyed state goes into `out`. */
    wr_status (*snapshot)(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id, wr_opstate *out);
    /* After open, before any input, when the job starts from a checkpoint; the keyed state is back
     * already. `in` is this subtask's share; empty when the checkpoint does not know the operator.
     * Processing-time timers have to be set anew. */
    wr_status (*restore)(wr_ctx *ctx, wr_op *op, const wr_opstate *in);
    /* The checkpoint is complete and its effects are committed. Not told for every checkpoint: one
     * stands for all before it. */
    wr_status (*committed)(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id);
} wr_op_ops;

struct wr_pnode; /* plan/plan.h: the physical node it carries out */
struct wr_op {   /* first member of every operator's struct */
    const wr_op_ops *ops;
    const struct wr_pnode *node; /* immutable; outlives the operator */
    wr_op_env *env;
    bool pending;
    int64_t again_ms; /* pending for something else than room: not resumed before (monotonic) */
    bool holds_slots; /* of state, for longer than a batch: it is neither swept nor trimmed */
    uint32_t input_count;
};

/* Defaults for methods that an operator does not have. */
wr_status wr_op_open_nothing(wr_ctx *ctx, wr_op *op);
wr_status wr_op_no_resume(wr_ctx *ctx, wr_op *op, wr_emitter *out);
wr_status wr_op_pass_watermark(wr_ctx *ctx, wr_op *op, int64_t watermark, wr_emitter *out,
                               int64_t *forward);
wr_status wr_op_no_timer(wr_ctx *ctx, wr_op *op, int64_t time_ms, wr_emitter *out);
wr_status wr_op_pass_barrier(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id, wr_emitter *out);
wr_status wr_op_no_end_input(wr_ctx *ctx, wr_op *op, uint32_t input, wr_emitter *out);
wr_status wr_op_no_end(wr_ctx *ctx, wr_op *op, wr_emitter *out);
void wr_op_close_nothing(wr_op *op);
wr_status wr_op_no_snapshot(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id, wr_opstate *out);
wr_status wr_op_no_restore(wr_ctx *ctx, wr_op *op, const wr_opstate *in);
wr_status wr_op_no_committed(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id);

#endif
