/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers that overtake rows (unaligned checkpoints).
 *
 * When job->overtake says so, every task freezes its operators at once, wherever the barrier is,
 * and records what belongs before the barrier of each input channel: what the ring holds in front
 * of it, and what comes until it does. What waits at the writer behind a full ring is recorded by
 * the writer, whose barrier goes ahead of it, at once or when an aligned one becomes unaligned. So
 * a checkpoint waits for no consumer: the reader looks through the ring for the barrier, it need
 * not have taken what lies before it.
 *
 * No message behind a barrier is taken before the operators are frozen: a channel that delivers the
 * barrier is not read any more, as with aligned ones. */
#include "runtime/runtime_int.h"

/* Rows are recorded where a row can go to any subtask that its key allows. Those of one task for
 * one other, and copies for everybody, would have to stay with their subtask when the parallelism
 * changes: such edges stay aligned, as in Flink. */
bool
wri_may_overtake(const wri_edge *e)
{
    return e->dist != WR_DIST_FORWARD && e->dist != WR_DIST_BROADCAST;
}

static wri_wm_input *
status_of(const wri_task *t, const wri_in_channel *ic)
{
    return &t->chan_inputs[ic->slot >> 16].channels[ic->slot & 0xffff];
}

static void
end_recording(wri_task *t)
{
    for (uint32_t i = 0; i < t->channel_count; i++) t->channels[i].records = false;
    t->barrier.recording = NULL;
    t->barrier.records_left = 0;
}

/* What cannot be recorded declines the checkpoint; the task goes on. */
static void
decline(wri_task *t, const wr_ctx *ctx)
{
    wri_frozen *f = t->barrier.recording;
    wri_coord_decline(t->job, f->id, "a task", ctx->err.message);
    end_recording(t);
    wri_frozen_release(f, false);
}

static void
stop_recording(wri_task *t, wri_in_channel *ic)
{
    ic->records = false;
    t->barrier.records_left--;
}

/* ---- the receiving side ---------------------------------------------------------------------- */

/* What the ring holds and has not been looked at yet, up to the barrier. An input that ends does
 * not hold the watermark back any more. */
static wr_status
scan(wr_ctx *ctx, wri_task *t, wri_in_channel *ic)
{
    wri_frozen *f = t->barrier.recording;
    wri_channel *c = ic->channel;
    c->tail_seen = wr_os_load(&c->tail);
    for (; ic->records && ic->recorded != c->tail_seen; ic->recorded++) {
        wri_msg m = c->ring[ic->recorded % WRI_SLOTS];
        bool ends = m.kind == WRI_MSG_END;
        if (ends || (m.kind == WRI_MSG_BARRIER && (uint64_t)m.watermark >= f->id))
            stop_recording(t, ic);
        if (ends) m = (wri_msg){.kind = WRI_MSG_WATERMARK, .watermark = INT64_MAX};
        WR_TRY(wri_inflight_keep(ctx, f, ic->flow, &m));
    }
    return WR_OK;
}

static wr_status
begin_channel(wr_ctx *ctx, wri_task *t, wri_in_channel *ic)
{
    wri_barrier *b = &t->barrier;
    const wri_channel *c = ic->channel;
    const wri_wm_input *in = status_of(t, ic);
    wri_flow flow = {.edge = c->edge,
                     .sender = c->from->subtask,
                     .receiver = c->to->subtask,
                     .watermark = in->ended || in->idle ? INT64_MAX : in->watermark};
    WR_TRY(wri_inflight_flow(ctx, b->recording, flow, &ic->flow));
    if (in->ended || ic->barrier >= b->id) return WR_OK;
    ic->records = true;
    ic->recorded = c->head;
    b->records_left++;
    return scan(ctx, t, ic);
}

void
wri_overtake_begin(wri_task *t)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    for (uint32_t i = 0; i < t->channel_count; i++) {
        wri_in_channel *ic = &t->channels[i];
        if (!wri_may_overtake(ic->channel->edge)) continue;
        if (begin_channel(&ctx, t, ic) == WR_OK) continue;
        decline(t, &ctx);
        return;
    }
}

/* ---- the sending side ------------------------------------------------------------------------ */

static wr_status
keep_held(wr_ctx *ctx, wri_frozen *f, const wri_channel *c, uint32_t from, uint32_t to)
{
    uint32_t number = 0;
    wri_flow flow = {.edge = c->edge,
                     .sender = c->from->subtask,
                     .receiver = c->to->subtask,
                     .held = true,
                     .watermark = INT64_MIN};
    WR_TRY(wri_inflight_flow(ctx, f, flow, &number));
    for (uint32_t i = from; i < to; i++)
        WR_TRY(wri_inflight_keep(ctx, f, number,
                                 &c->over.items[(c->over.head + i) & (c->over.cap - 1)]));
    return WR_OK;
}

/* An aligned barrier that had to wait behind a full ring: it goes ahead of what waits there as soon
 * as barriers may overtake, and what it passes is recorded. *waits: it is still there. */
static wr_status
turn_channel(wr_ctx *ctx, wri_task *t, wri_channel *c, bool *waits)
{
    wri_frozen *f = t->barrier.recording;
    uint32_t before = 0;
    if (!wri_may_overtake(c->edge) || !wri_channel_holds(c, f->id, &before)) return WR_OK;
    if (wr_os_load(&t->job->overtake) != f->id || !wri_channel_pull(c, before)) {
        *waits = true;
        return WR_OK;
    }
    return keep_held(ctx, f, c, 0, before);
}

static bool
waits_behind_rings(wri_task *t)
{
    wr_ctx ctx;
    bool waits = false;
    wr_ctx_init(&ctx);
    for (uint32_t i = 0; i < t->out_count; i++) {
        if (turn_channel(&ctx, t, t->outs[i], &waits) == WR_OK) continue;
        decline(t, &ctx);
        return true;
    }
    return waits;
}

wr_status
wri_overtake_send(wr_ctx *ctx, wri_router *r, wri_msg m, bool ended)
{
    bool moved = false;
    wri_task *t = r->task;
    if (!wri_may_overtake(r->edge)) return ended ? WR_OK : wri_router_control(ctx, r, m);
    WR_TRY(wri_router_flush(ctx, r, INT64_MAX, &moved));
    for (uint32_t i = 0; i < r->lane_count; i++) {
        wri_channel *c = r->lanes[i].channel;
        uint32_t passed = 0;
        if (ended && !c->over.count) continue;
        WR_TRY(wri_channel_overtake(ctx, c, m, &passed));
        if (!passed || !t->barrier.recording) continue;
        wr_ctx mine;
        wr_ctx_init(&mine);
        if (keep_held(&mine, t->barrier.recording, c, c->over.count - passed, c->over.count) !=
            WR_OK)
            decline(t, &mine);
    }
    return WR_OK;
}

/* ---- both ------------------------------------------------------------------------------------ */

static void
give(wri_task *t)
{
    wri_barrier *b = &t->barrier;
    wri_frozen *f = b->recording;
    if (f->overtook) f->alignment_ms = wr_os_now_ns() / 1000000 - f->begin_ms;
    end_recording(t);
    b->frozen = f;
    wri_coord_give(t->job, f);
}

void
wri_overtake_look(wri_task *t)
{
    wri_frozen *f = t->barrier.recording;
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    if (f->overtook && wr_os_load(&t->job->overtake) != f->id) { /* it has failed */
        end_recording(t);
        wri_frozen_release(f, false);
        return;
    }
    for (uint32_t i = 0; t->barrier.records_left && i < t->channel_count; i++) {
        wri_in_channel *ic = &t->channels[i];
        if (!ic->records || scan(&ctx, t, ic) == WR_OK) continue;
        decline(t, &ctx);
        return;
    }
    if (f->may_turn && waits_behind_rings(t)) return;
    if (!t->barrier.records_left) give(t);
}

bool
wri_overtake_may_take(wri_task *t, wri_in_channel *ic)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    if (scan(&ctx, t, ic) != WR_OK) decline(t, &ctx);
    return !ic->records || ic->channel->head != ic->channel->tail_seen;
}
