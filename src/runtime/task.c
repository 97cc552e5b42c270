/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks: messages into operators, event time, ends, resumption.
 *
 * Within a task an operator's emission is a call of the next operator's on_batch. An operator that
 * is pending takes no input: what comes for it waits in its queue, and everybody upstream sees
 * wri_task_full(). The watermark of an operator is the lowest of its inputs that are neither idle
 * nor ended. When all inputs have ended, the operator gets the highest watermark, then on_end, and
 * then its consumers' inputs end. */
#include "runtime/runtime_int.h"

static wr_status settle(wr_ctx *ctx, wri_inst *inst);

bool
wri_task_full(const wri_task *t)
{
    if (t->pending_count > 0) return true;
    for (uint32_t i = 0; i < t->out_count; i++)
        if (wri_channel_full(t->outs[i])) return true;
    return false;
}

/* ---- emitting
 * ----------------------------------------------------------------------------------------------------
 */

wr_status
wri_inst_forward(wr_ctx *ctx, wri_inst *inst, wri_msg m)
{
    wr_status status = WR_OK;
    for (uint32_t i = 0; i < inst->target_count; i++) {
        const wri_target *t = &inst->targets[i];
        if (m.kind == WRI_MSG_BATCH && i + 1 < inst->target_count) wr_batch_ref(m.batch);
        if (t->router && m.kind == WRI_MSG_BATCH)
            status = wri_router_push(ctx, t->router, m.batch);
        else if (t->router)
            status = wri_router_control(ctx, t->router, m);
        else
            status = wri_inst_deliver(ctx, t->inst, t->input, m);
        if (status != WR_OK) {
            if (m.kind == WRI_MSG_BATCH && i + 1 < inst->target_count) wr_batch_release(m.batch);
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

static wr_status
emit_batch(wr_ctx *ctx, wr_emitter *e, wr_batch *take_batch)
{
    wri_inst *inst = (wri_inst *)(void *)e;
    uint32_t n = wr_batch_live(take_batch);
    if (n == 0) {
        wr_batch_release(take_batch);
        return WR_OK;
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

static bool
is_busy(const wri_inst *inst)
{
    return inst->op->pending || inst->queue_count > 0;
}

/* Is anything downstream of this operator, up to the channels, not ready to take more? */
static bool
inst_full(const wri_inst *inst)
{
    for (uint32_t i = 0; i < inst->target_count; i++) {
        const wri_target *t = &inst->targets[i];
        if (!t->router) {
            if (is_busy(t->inst) || inst_full(t->inst)) return true;
            continue;
        }
        for (uint32_t k = 0; k < t->router->channel_count; k++)
            if (wri_channel_full(t->router->channels[k])) return true;
    }
    return false;
}

static bool
emit_full(const wr_emitter *e)
{
    return inst_full((const wri_inst *)(const void *)e);
}

void
wri_inst_emitter_init(wri_inst *inst)
{
    inst->out = (wr_emitter){.push = emit_batch, .watermark = emit_watermark, .full = emit_full};
}

/* ---- event time
 * ----------------------------------------------------------------------------------------------------
 */

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
    if (active == 0)
        return current; /* an idle input may come back: it must not be overtaken by the end of
                           others */
    return WR_MAX(low, current);
}

static wr_status
advance_watermark(wr_ctx *ctx, wri_inst *inst)
{
    bool idle;
    int64_t merged = wri_watermark_merge(inst->inputs, inst->input_count, inst->watermark, &idle);
    bool ending = inst->state != WRI_INST_RUNNING;
    if (merged > inst->watermark && (merged != INT64_MAX || ending)) {
        int64_t forward = merged;
        inst->watermark = merged;
        inst->metrics.watermark = merged;
        WR_TRY(inst->op->ops->on_watermark(ctx, inst->op, merged, &inst->out, &forward));
        inst->forward_to = forward;
    }
    if (idle != inst->idle && !ending) {
        inst->idle = idle;
        WR_TRY(
            wri_inst_forward(ctx, inst, (wri_msg){.kind = idle ? WRI_MSG_IDLE : WRI_MSG_ACTIVE}));
    }
    return WR_OK;
}

/* ---- delivering
 * ------------------------------------------------------------------------------------------------------
 */

static wr_status
with_frame(wr_ctx *ctx, const wri_inst *inst, wr_status status)
{
    if (status != WR_OK && inst->op)
        wr_frame(ctx, "%s subtask %u/%u", inst->metrics.name, inst->task->subtask + 1,
                 inst->task->vertex->parallelism);
    return status;
}

static wr_status
process(wr_ctx *ctx, wri_inst *inst, uint32_t input, wri_msg m)
{
    wri_wm_input *in = &inst->inputs[input];
    switch (m.kind) {
    case WRI_MSG_BATCH:
        inst->metrics.records_in += wr_batch_live(m.batch);
        inst->metrics.batches_in++;
        return with_frame(ctx, inst,
                          inst->op->ops->on_batch(ctx, inst->op, input, m.batch, &inst->out));
    case WRI_MSG_WATERMARK:
        in->watermark = WR_MAX(in->watermark, m.watermark);
        return advance_watermark(ctx, inst);
    case WRI_MSG_IDLE:
        in->idle = true;
        return advance_watermark(ctx, inst);
    case WRI_MSG_ACTIVE:
        in->idle = false;
        return advance_watermark(ctx, inst);
    case WRI_MSG_END:
        if (in->ended) return WR_OK;
        in->ended = true;
        WR_TRY(
            with_frame(ctx, inst, inst->op->ops->on_end_input(ctx, inst->op, input, &inst->out)));
        return inst->op->pending ? WR_OK : advance_watermark(ctx, inst);
    }
    WR_UNREACHABLE();
}

static void
mark_busy(wri_inst *inst, bool was)
{
    bool is = is_busy(inst);
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
    bool was = is_busy(inst);
    wr_status status = was ? enqueue(ctx, inst, input, m) : process(ctx, inst, input, m);
    if (status == WR_OK && !was) status = settle(ctx, inst);
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

/* What follows when the operator is not pending: send the watermark it has made due, and go on with
 * ending. */
static wr_status
settle(wr_ctx *ctx, wri_inst *inst)
{
    for (;;) {
        if (inst->op->pending) return WR_OK;
        if (inst->forward_to > inst->forwarded)
            WR_TRY(emit_watermark(ctx, &inst->out, inst->forward_to));
        switch (inst->state) {
        case WRI_INST_RUNNING:
            if (!all_ended(inst)) return WR_OK;
            inst->state = WRI_INST_ENDING;
            WR_TRY(with_frame(ctx, inst, advance_watermark(ctx, inst)));
            break;
        case WRI_INST_ENDING:
            inst->state = WRI_INST_FLUSHING;
            WR_TRY(with_frame(ctx, inst, inst->op->ops->on_end(ctx, inst->op, &inst->out)));
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
    bool was = is_busy(inst);
    wr_status status = WR_OK;
    if (inst->op->pending) {
        inst->op->pending = false;
        status = with_frame(ctx, inst, inst->op->ops->on_resume(ctx, inst->op, &inst->out));
        if (status == WR_OK) status = settle(ctx, inst);
    }
    while (status == WR_OK && !inst->op->pending && inst->queue_count && !inst_full(inst)) {
        wri_queued q = inst->queue[inst->queue_head];
        inst->queue_head = (inst->queue_head + 1) & (inst->queue_cap - 1);
        inst->queue_count--;
        status = process(ctx, inst, q.input, q.msg);
        if (status == WR_OK) status = settle(ctx, inst);
    }
    mark_busy(inst, was);
    return status;
}

wr_status
wri_inst_start(wr_ctx *ctx, wri_inst *inst)
{
    inst->start_due = false;
    wr_status status = settle(ctx, inst);
    mark_busy(inst, false);
    wr_os_add(&inst->task->job->inflight, -1);
    return status;
}

/* ---- a task's round
 * ---------------------------------------------------------------------------------------------------
 */

static wr_status
fire_timers(wr_ctx *ctx, wri_task *t, bool *progress, int64_t *wake_ms)
{
    for (uint32_t i = 0; i < t->inst_count; i++) {
        wri_inst *inst = t->insts[i];
        while (inst->timer_count && inst->timers[0] <= t->now_ms && !is_busy(inst)) {
            int64_t due = inst->timers[0];
            memmove(inst->timers, inst->timers + 1, --inst->timer_count * sizeof(int64_t));
            if (inst->state == WRI_INST_ENDED) continue;
            WR_TRY(with_frame(ctx, inst, inst->op->ops->on_timer(ctx, inst->op, due, &inst->out)));
            mark_busy(inst, false);
            *progress = true;
        }
        if (inst->timer_count) *wake_ms = WR_MIN(*wake_ms, inst->timers[0]);
    }
    return WR_OK;
}

static wr_status
take_message(wr_ctx *ctx, wri_task *t, wri_in_channel *ic, wri_msg m)
{
    wri_chan_input *ci = &t->chan_inputs[ic->slot >> 16];
    wri_wm_input *ch = &ci->channels[ic->slot & 0xffff];
    if (m.kind == WRI_MSG_BATCH) return wri_inst_deliver(ctx, ci->inst, ci->input, m);
    switch (m.kind) {
    case WRI_MSG_WATERMARK:
        ch->watermark = WR_MAX(ch->watermark, m.watermark);
        break;
    case WRI_MSG_IDLE:
        ch->idle = true;
        break;
    case WRI_MSG_ACTIVE:
        ch->idle = false;
        break;
    case WRI_MSG_END:
        ch->ended = true;
        break;
    case WRI_MSG_BATCH:
        break;
    }
    bool idle;
    int64_t merged = wri_watermark_merge(ci->channels, ci->channel_count, ci->watermark, &idle);
    if (m.kind == WRI_MSG_END && ++ci->ended == ci->channel_count)
        return wri_inst_deliver(ctx, ci->inst, ci->input, m);
    if (merged > ci->watermark && merged != INT64_MAX) {
        ci->watermark = merged;
        WR_TRY(wri_inst_deliver(ctx, ci->inst, ci->input,
                                (wri_msg){.kind = WRI_MSG_WATERMARK, .watermark = merged}));
    }
    if (idle != ci->idle) {
        ci->idle = idle;
        return wri_inst_deliver(ctx, ci->inst, ci->input,
                                (wri_msg){.kind = idle ? WRI_MSG_IDLE : WRI_MSG_ACTIVE});
    }
    return WR_OK;
}

static wr_status
take_inputs(wr_ctx *ctx, wri_task *t, bool *progress)
{
    for (uint32_t i = 0; i < t->channel_count && !wri_task_full(t); i++) {
        wri_in_channel *ic = &t->channels[t->next_channel];
        t->next_channel = (t->next_channel + 1) % t->channel_count;
        wri_msg m;
        if (!wri_channel_pop(ic->channel, &m)) continue;
        *progress = true;
        WR_TRY(take_message(ctx, t, ic, m));
        wr_os_add(&t->job->inflight, -1);
    }
    return WR_OK;
}

wr_status
wri_task_run(wr_ctx *ctx, wri_task *t, bool *progress, int64_t *wake_ms)
{
    t->now_ms = wr_os_wall_ms();
    if (t->state) t->state->now_ms = t->now_ms;
    for (uint32_t i = 0; i < t->out_count; i++)
        if (t->outs[i]->over.count && wri_channel_flush(t->outs[i])) *progress = true;
    for (uint32_t i = t->inst_count; i-- > 0;) { /* the most downstream first */
        wri_inst *inst = t->insts[i];
        if (!inst->op || !is_busy(inst) || inst_full(inst)) continue;
        *progress = true;
        return wri_inst_resume(ctx, inst);
    }
    WR_TRY(fire_timers(ctx, t, progress, wake_ms));
    WR_TRY(take_inputs(ctx, t, progress));
    for (uint32_t i = 0; i < t->inst_count && !wri_task_full(t); i++) {
        wri_inst *inst = t->insts[i];
        if (inst->source && !inst->source->ended)
            WR_TRY(wri_source_poll(ctx, inst->source, progress, wake_ms));
        if (inst->start_due) {
            *progress = true;
            WR_TRY(wri_inst_start(ctx, inst));
        }
    }
    if (t->ended_count == t->inst_count && !t->pending_count) {
        t->done = true;
        for (uint32_t i = 0; i < t->out_count; i++) t->done &= t->outs[i]->over.count == 0;
    }
    return WR_OK;
}
