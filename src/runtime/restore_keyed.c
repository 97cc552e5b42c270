/* SPDX-License-Identifier: Apache-2.0 */
/* Keyed state back into the operators of a region: the subtasks side by side, as far as there are
 * processors. What a restore touches is the operator's own (backend, tables, its task's arena) or
 * only read; budgets and RocksDB's library take many threads. */
#include "runtime/runtime_int.h"

#define THREADS_MAX 64u

typedef struct filling { /* one operator of one subtask */
    wri_inst *inst;
    const wr_ckpt_operator *op;
    wr_status status;
    wr_err err;
} filling;

typedef struct fillings {
    wr_job *job;
    const volatile int *cancel;
    bool owned; /* the checkpoint is one of the job's own */
    filling *items;
    uint32_t count;
    uint32_t taken;  /* atomic */
    uint32_t failed; /* atomic: do not begin another one */
} fillings;

static wr_status
fill(wr_ctx *ctx, const fillings *f, const filling *one)
{
    const wr_job *job = f->job;
    const wri_inst *inst = one->inst;
    const wr_ckpt_operator *op = one->op;
    wr_arena *a = inst->task->arena;
    const wr_state_handle **list = WR_NEW_N(a, const wr_state_handle *, op->subtask_count + 1);
    uint32_t count = 0;
    WR_TRY_ALLOC(ctx, list);
    for (uint32_t i = 0; i < op->subtask_count; i++) {
        const wr_state_handle *h = op->subtasks[i].keyed;
        if (h && h->kg_first <= inst->kg_last && h->kg_last >= inst->kg_first) list[count++] = h;
    }
    if (!count) return WR_OK;
    bool drop = wr_config_bool(job->env.config, "execution.state-recovery.ignore-unclaimed-state");
    wr_state_reader *r;
    WR_TRY(wr_ckpt_reader(ctx, job->restored->meta, a, &r));
    r->owned = f->owned;
    return inst->backend->ops->restore(ctx, inst->backend, list, count, r, drop);
}

/* One after the other, each by whoever comes first. thread: any */
static void
work(void *arg)
{
    fillings *f = arg;
    for (;;) {
        const uint32_t at = wr_os_add(&f->taken, 1u) - 1;
        if (at >= f->count || wr_os_load(&f->failed)) return;
        filling *one = &f->items[at];
        wr_ctx ctx;
        wr_ctx_init(&ctx);
        ctx.cancel = f->cancel;
        one->status = f->cancel && *f->cancel ? wr_raise(&ctx, WR_CANCELLED, "cancelled")
                                              : fill(&ctx, f, one);
        if (one->status == WR_OK) continue;
        one->err = ctx.err;
        wr_os_store(&f->failed, 1u);
    }
}

/* The operators that have keyed state; those of one task may not meet (they share its arena), so
 * `round` tells which of every task. */
static uint32_t
collect(const wri_region *region, uint32_t round, filling *items)
{
    wr_job *job = region->job;
    uint32_t count = 0;
    for (uint32_t i = 0; i < job->task_count; i++) {
        wri_task *t = job->tasks[i];
        uint32_t at = 0;
        if (t->region != region) continue;
        for (uint32_t k = 0; k < t->inst_count; k++) {
            wri_inst *inst = t->insts[k];
            const wr_ckpt_operator *op =
                inst->op && inst->backend
                    ? wr_ckpt_find(job->restored->meta, job->ids[inst->node->id - 1])
                    : NULL;
            if (op && at++ == round) items[count++] = (filling){.inst = inst, .op = op};
        }
    }
    return count;
}

/* With the caller's thread; fewer threads than there should be are no harm. */
static void
run(fillings *f)
{
    wr_os_thread threads[THREADS_MAX];
    const uint32_t want = WR_MIN(WR_MIN(f->count, wr_os_cpu_count()), THREADS_MAX);
    uint32_t started = 0;
    wr_ctx probe;
    wr_ctx_init(&probe);
    while (started + 1 < want &&
           wr_os_thread_start(&probe, &threads[started], "weir-restore", work, f) == WR_OK)
        started++;
    work(f);
    while (started) wr_os_thread_join(&threads[--started]);
}

/* The first failure, by the order of tasks. */
static wr_status
tell(wr_ctx *ctx, const fillings *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        const filling *one = &f->items[i];
        if (one->status == WR_OK) continue;
        if (ctx->err.status == WR_OK) ctx->err = one->err;
        return wri_inst_blame(ctx, one->inst, one->status);
    }
    return WR_OK;
}

wr_status
wri_restore_keyed(wr_ctx *ctx, const wri_region *region)
{
    wr_job *job = region->job;
    if (!job->restored) return WR_OK;
    const wr_ckpt_meta *m = job->restored->meta;
    fillings f = {.job = job, .cancel = ctx->cancel};
    if (job->coord.store)
        f.owned = wr_str_eq(m->path, wr_ckpt_store_path(job->coord.store, m->id, region->arena));
    f.items = WR_NEW_N(region->arena, filling, job->task_count + (size_t)1);
    WR_TRY_ALLOC(ctx, f.items);
    for (uint32_t round = 0; (f.count = collect(region, round, f.items)) > 0; round++) {
        f.taken = 0;
        run(&f);
        WR_TRY(tell(ctx, &f));
    }
    return WR_OK;
}
