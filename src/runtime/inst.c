/* SPDX-License-Identifier: Apache-2.0 */
/* Operator instances: messages in, event time, ends, resumption.
 *
 * Within a task an operator's emission is a call of the next operator's on_batch. An operator that
 * is pending takes no input: what comes for it waits in its queue, and everybody upstream sees that
 * the task is full. The watermark of an operator is the lowest of its inputs that are neither idle
 * nor ended. When all inputs have ended, the operator gets the highest watermark, then on_end, and
 * then its consumers' inputs end. */
#include <stdio.h>

#include "runtime/runtime_int.h"

static wr_status settle(wr_ctx *ctx, wri_inst *inst);

/* ---- emitting -------------------------------------------------------------------------------- */

wr_status
wri_inst_forward(wr_ctx *ctx, wri_inst *inst, wri_msg m)
{
    for (uint32_t i = 0; i < inst->target_count; i++) {
        const wri_target *t = &inst->targets[i];
        bool more = m.kind == WRI_MSG_BATCH && i + 1 < inst->target_count;
        wr_status status;
        if (more) wr_batch_ref(m.batch);
        if (t->router && m.kind == WRI_MSG_BATCH)
            status = wri_router_push(ctx, t->router, m.batch);
        else if (t->router)
            status = wri_router_control(ctx, t->router, m);
        else
            status = wri_inst_deliver(ctx, t->inst, t->input, m);
        if (status != WR_OK) {
            if (more) wr_batch_release(m.batch);
            return status;
        }
    }
    if (inst->target_count == 0) wr_batch_release(m.batch);
    return WR_OK;
}

/* One row of a batch, as a batch. */
static wr_batch *
row_view(wri_inst *inst, wr_batch *b, uint32_t row)
{
    wr_batch *v = wr_batch_acquire(inst->task->pool, b->col_count);
    if (!v) return NULL;
    for (uint32_t c = 0; c < b->col_count; c++) v->cols[c] = b->cols[c];
    v->row_count = b->row_count;
    v->kind = b->kind;
    v->sel_count = 1;
    uint32_t *sel = wr_arena_alloc(v->arena, sizeof *sel);
    if (!sel || !wr_batch_keep(v, b)) {
        wr_batch_release(v);
        return NULL;
    }
    *sel = row;
    v->sel = sel;
    return v;
}

/* Each row goes to all consumers before the next one does. */
static wr_status
emit_by_row(wr_ctx *ctx, wri_inst *inst, wr_batch *take_batch)
{
    wr_status status = WR_OK;
    WR_FOR_ROWS (take_batch, row) {
        if (status != WR_OK) break;
        wr_batch *v = row_view(inst, take_batch, row);
        status = v ? wri_inst_forward(ctx, inst, (wri_msg){.kind = WRI_MSG_BATCH, .batch = v})
                   : wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    wr_batch_release(take_batch);
    return status;
}

/* Has the job been cancelled or failed? Asked here as well, because one batch may become thousands
 * before its task comes back to its worker. */
static bool
is_given_up(wr_job *job)
{
    if (wr_os_load_relaxed(&job->stop)) return true;
    if (!job->cancel || !wr_os_load_relaxed(job->cancel)) return false;
    wr_job_cancel(job);
    return true;
}

static wr_status
emit_batch(wr_ctx *ctx, wr_emitter *e, wr_batch *take_batch)
{
    wri_inst *inst = (wri_inst *)(void *)e;
    uint32_t n = wr_batch_live(take_batch);
    if (n == 0) {
        wr_batch_release(take_batch);
        return WR_OK;
    }
    if (inst->backend && inst->backend->failed != WR_OK) { /* made from state that is not whole */
        wr_batch_release(take_batch);
        return inst->backend->ops->trim(ctx, inst->backend);
    }
    if (is_given_up(inst->task->job)) {
        wr_batch_release(take_batch);
        return wr_raise(ctx, WR_CANCELLED, "the job was cancelled");
    }
    inst->metrics.records_out += n;
    inst->metrics.batches_out++;
    if (inst->node->by_row && n > 1) return emit_by_row(ctx, inst, take_batch);
    return wri_inst_forward(ctx, inst, (wri_msg){.kind = WRI_MSG_BATCH, .batch = take_batch});
}

static wr_status
emit_watermark(wr_ctx *ctx, wr_emitter *e, int64_t watermark)
{
    wri_inst *inst = (wri_inst *)(void *)e;
    if (watermark <= inst->forwarded) return WR_OK;
    inst->forwarded = watermark;
    return wri_inst_forward(ctx, inst,
                            (wri_msg){.kind = WRI_MSG_WATERMARK, .watermark = watermark});
}

bool
wri_inst_busy(const wri_inst *inst)
{
    return inst->op->pending || inst->queue_count > 0;
}

bool
wri_inst_full(wri_inst *inst)
{
    wri_task *task = inst->task;
    if (task->pending_count == 0 && task->out_count == 0) return false;
    for (uint32_t i = 0; i < inst->target_count; i++) {
        const wri_target *t = &inst->targets[i];
        if (!t->router) {
            if (wri_inst_busy(t->inst) || wri_inst_full(t->inst)) return true;
            continue;
        }
        for (uint32_t k = 0; k < t->router->lane_count; k++)
            if (wri_lane_full(task, t->router->lanes[k].channel)) return true;
    }
    return false;
}

static bool
emit_full(const wr_emitter *e)
{
    return wri_inst_full((wri_inst *)(uintptr_t)e);
}

void
wri_inst_emitter_init(wri_inst *inst)
{
    inst->out = (wr_emitter){.push = emit_batch, .watermark = emit_watermark, .full = emit_full};
}

/* ---- failures -------------------------------------------------------------------------------- */

static void
tell_memory(wr_ctx *ctx, const wri_inst *inst)
{
    const wr_job *job = inst->task->job;
    if (job->env.memory_bytes == 0) return;
    wr_err *e = &ctx->err;
    (void)snprintf(e->message, sizeof e->message,
                   "%s needs more than the limit of %.1f MB leaves; it holds %.1f "
                   "MB, the job %.1f MB",
                   inst->metrics.name, (double)job->env.memory_bytes / 1048576.0,
                   (double)wr_memtrack_used(inst->budget) / 1048576.0,
                   (double)wr_memtrack_used(job->budget) / 1048576.0);
    if (!e->hint[0]) wr_hint(ctx, "raise the limit (--memory), or make the state smaller");
}

wr_status
wri_inst_blame(wr_ctx *ctx, wri_inst *inst, wr_status status)
{
    wri_task *t = inst->task;
    if (status == WR_OK || t->blamed) return status;
    t->blamed = true;
    if (ctx->err.status == WR_OK)
        status = wr_raise(ctx, status, status == WR_NOMEM ? "out of memory" : "%s failed",
                          inst->metrics.name);
    if (status == WR_NOMEM) tell_memory(ctx, inst);
    wr_frame(ctx, "%s subtask %u/%u", inst->metrics.name, t->subtask + 1, t->vertex->parallelism);
    return status;
}

/* ---- event time ------------------------------------------------------------------------------ */

int64_t
wri_watermark_merge(const wri_wm_input *in, uint32_t n, int64_t current, bool *idle)
{
    int64_t low = INT64_MAX;
    uint32_t active = 0, living = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (in[i].ended) continue;
        living++;
        if (in[i].idle) continue;
        active++;
        low = WR_MIN(low, in[i].watermark);
    }
    *idle = living > 0 && active == 0;
    if (living == 0) return INT64_MAX;
    /* An idle input may come back: it must not be overtaken by the end of others. */
    return active == 0 ? current : WR_MAX(low, current);
}

int64_t
wri_channels_merge(const wri_wm_input *in, uint32_t n, int64_t current, bool *idle)
{
    int64_t low = INT64_MAX, high = INT64_MIN;
    uint32_t active = 0, living = 0, aligned = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (in[i].ended) continue;
        living++;
        high = WR_MAX(high, in[i].watermark);
        if (in[i].idle) continue;
        active++;
        if (in[i].watermark < current) continue;
        aligned++;
        low = WR_MIN(low, in[i].watermark);
    }
    *idle = living > 0 && active == 0;
    if (living == 0) return INT64_MAX;
    if (active == 0) return WR_MAX(high, current);
    return aligned ? low : current;
}

static wr_status
advance_watermark(wr_ctx *ctx, wri_inst *inst)
{
    bool ending = inst->state != WRI_INST_RUNNING;
    int64_t merged =
        wri_watermark_merge(inst->inputs, inst->input_count, inst->watermark, &inst->idle);
    inst->merge_due = false;
    if (merged <= inst->watermark || (merged == INT64_MAX && !ending)) return WR_OK;
    int64_t forward = merged;
    inst->watermark = merged;
    inst->metrics.watermark = merged;
    WR_TRY(inst->op->ops->on_watermark(ctx, inst->op, merged, &inst->out, &forward));
    inst->forward_to = forward;
    return WR_OK;
}

/* A WATERMARK with an idle timeout decides about idleness itself. */
static wr_status
send_idle(wr_ctx *ctx, wri_inst *inst, bool idle)
{
    if (inst->idle_sent == idle) return WR_OK;
    inst->idle_sent = idle;
    return wri_inst_forward(ctx, inst, (wri_msg){.kind = idle ? WRI_MSG_IDLE : WRI_MSG_ACTIVE});
}

wr_status
wri_inst_tell_idle(wr_ctx *ctx, wri_inst *inst)
{
    return send_idle(ctx, inst, true);
}

static wr_status
wake_up(wr_ctx *ctx, wri_inst *inst)
{
    inst->active_ms = inst->task->proc_ms;
    return send_idle(ctx, inst, false);
}

/* ---- delivering ------------------------------------------------------------------------------ */

static wr_status
end_input(wr_ctx *ctx, wri_inst *inst, uint32_t input)
{
    wri_wm_input *in = &inst->inputs[input];
    if (in->ended) return WR_OK;
    in->ended = true;
    inst->merge_due = true;
    return inst->op->ops->on_end_input(ctx, inst->op, input, &inst->out);
}

static wr_status
take_batch(wr_ctx *ctx, wri_inst *inst, uint32_t input, wr_batch *batch)
{
    inst->metrics.records_in += wr_batch_live(batch);
    inst->metrics.batches_in++;
    if (inst->makes_idle) {
        wr_status status = wake_up(ctx, inst);
        if (status != WR_OK) {
            wr_batch_release(batch);
            return status;
        }
    }
    return inst->op->ops->on_batch(ctx, inst->op, input, batch, &inst->out);
}

static wr_status
process(wr_ctx *ctx, wri_inst *inst, uint32_t input, wri_msg m)
{
    wri_wm_input *in = &inst->inputs[input];
    switch (m.kind) {
    case WRI_MSG_BATCH:
        return take_batch(ctx, inst, input, m.batch);
    case WRI_MSG_WATERMARK:
        if (inst->makes_idle && inst->node->u.watermark.source_watermark)
            WR_TRY(wake_up(ctx, inst));
        in->watermark = WR_MAX(in->watermark, m.watermark);
        return advance_watermark(ctx, inst);
    case WRI_MSG_IDLE:
    case WRI_MSG_ACTIVE:
        in->idle = m.kind == WRI_MSG_IDLE;
        return advance_watermark(ctx, inst);
    case WRI_MSG_END:
        return end_input(ctx, inst, input);
    case WRI_MSG_BARRIER: /* the task's */
        break;
    }
    WR_UNREACHABLE();
}

static void
mark_busy(wri_inst *inst, bool was)
{
    bool is = wri_inst_busy(inst);
    if (is == was) return;
    inst->task->pending_count += is ? 1u : UINT32_MAX;
    wr_os_add(&inst->task->job->inflight, is ? 1 : -1);
}

static wr_status
enqueue(wr_ctx *ctx, wri_inst *inst, uint32_t input, wri_msg m)
{
    if (inst->queue_count == inst->queue_cap) {
        uint32_t cap = inst->queue_cap ? inst->queue_cap * 2 : 8;
        wri_queued *q = wr_arena_alloc(inst->task->arena, cap * sizeof(wri_queued));
        if (!q) {
            wr_batch_release(m.batch);
            return wr_raise(ctx, WR_NOMEM, "out of memory for queued batches");
        }
        for (uint32_t i = 0; i < inst->queue_count; i++)
            q[i] = inst->queue[(inst->queue_head + i) & (inst->queue_cap - 1)];
        inst->queue = q;
        inst->queue_cap = cap;
        inst->queue_head = 0;
    }
    inst->queue[(inst->queue_head + inst->queue_count++) & (inst->queue_cap - 1)] =
        (wri_queued){.msg = m, .input = input};
    return WR_OK;
}

wr_status
wri_inst_deliver(wr_ctx *ctx, wri_inst *inst, uint32_t input, wri_msg m)
{
    bool was = wri_inst_busy(inst);
    wr_status status = was ? enqueue(ctx, inst, input, m) : process(ctx, inst, input, m);
    if (status == WR_OK && !was) status = settle(ctx, inst);
    mark_busy(inst, was);
    return wri_inst_blame(ctx, inst, status);
}

wr_status
wri_inst_enqueue(wr_ctx *ctx, wri_inst *inst, uint32_t input, wri_msg m)
{
    bool was = wri_inst_busy(inst);
    wr_status status = enqueue(ctx, inst, input, m);
    mark_busy(inst, was);
    return status;
}

static bool
all_ended(const wri_inst *inst)
{
    for (uint32_t i = 0; i < inst->input_count; i++)
        if (!inst->inputs[i].ended) return false;
    return true;
}

/* What follows when the operator is not pending: send the watermark it has made due and the
 * idleness of its inputs, and go on with ending. */
static wr_status
settle(wr_ctx *ctx, wri_inst *inst)
{
    for (;;) {
        if (inst->op->pending) return WR_OK;
        if (inst->forward_to > inst->forwarded)
            WR_TRY(emit_watermark(ctx, &inst->out, inst->forward_to));
        switch (inst->state) {
        case WRI_INST_RUNNING:
            if (all_ended(inst)) {
                inst->state = WRI_INST_ENDING;
                WR_TRY(advance_watermark(ctx, inst));
                break;
            }
            if (inst->merge_due) {
                WR_TRY(advance_watermark(ctx, inst));
                break;
            }
            return inst->makes_idle ? WR_OK : send_idle(ctx, inst, inst->idle);
        case WRI_INST_ENDING:
            inst->state = WRI_INST_FLUSHING;
            WR_TRY(inst->op->ops->on_end(ctx, inst->op, &inst->out));
            break;
        case WRI_INST_FLUSHING:
            inst->state = WRI_INST_ENDED;
            inst->task->ended_count++;
            return wri_inst_forward(ctx, inst, (wri_msg){.kind = WRI_MSG_END});
        case WRI_INST_ENDED:
            return WR_OK;
        }
    }
}

wr_status
wri_inst_resume(wr_ctx *ctx, wri_inst *inst)
{
    bool was = wri_inst_busy(inst);
    wr_status status = WR_OK;
    if (inst->op->pending) {
        inst->op->pending = false;
        inst->op->again_ms = 0;
        status = inst->op->ops->on_resume(ctx, inst->op, &inst->out);
        if (status == WR_OK) status = settle(ctx, inst);
    }
    while (status == WR_OK && !inst->op->pending && inst->queue_count && !wri_inst_full(inst)) {
        wri_queued q = inst->queue[inst->queue_head];
        inst->queue_head = (inst->queue_head + 1) & (inst->queue_cap - 1);
        inst->queue_count--;
        status = process(ctx, inst, q.input, q.msg);
        if (status == WR_OK) status = settle(ctx, inst);
    }
    mark_busy(inst, was);
    return wri_inst_blame(ctx, inst, status);
}

wr_status
wri_inst_start(wr_ctx *ctx, wri_inst *inst)
{
    inst->start_due = false;
    inst->task->start_count--;
    wr_status status = settle(ctx, inst);
    mark_busy(inst, false);
    wr_os_add(&inst->task->job->inflight, -1);
    return wri_inst_blame(ctx, inst, status);
}

wr_status
wri_inst_barrier(wr_ctx *ctx, wri_inst *inst, uint64_t id)
{
    wr_status status = inst->op->ops->on_barrier(ctx, inst->op, id, &inst->out);
    if (status == WR_OK) status = settle(ctx, inst);
    mark_busy(inst, false);
    return wri_inst_blame(ctx, inst, status);
}

wr_status
wri_inst_timer(wr_ctx *ctx, wri_inst *inst, int64_t due_ms)
{
    if (inst->state == WRI_INST_ENDED) return WR_OK;
    wr_status status = inst->op->ops->on_timer(ctx, inst->op, due_ms, &inst->out);
    if (status == WR_OK) status = settle(ctx, inst);
    mark_busy(inst, false);
    return wri_inst_blame(ctx, inst, status);
}
