/* SPDX-License-Identifier: Apache-2.0 */
/* A task's round: what is pending goes on first, then timers, then messages, then sources. A task
 * that waits for room downstream takes nothing in. */
#include "runtime/runtime_int.h"

bool
wri_task_full(wri_task *t)
{
    if (t->pending_count > 0) return true;
    for (uint32_t i = 0; i < t->out_count; i++)
        if (wri_channel_full(t->outs[i])) return true;
    return false;
}

/* While a barrier overtakes what waits downstream, operators finish what they are at. */
bool
wri_lane_full(wri_task *t, wri_channel *c)
{
    if (WR_LIKELY(!wri_channel_full(c))) return false;
    return !t->barrier.overtaking || c->over.count >= WRI_OVERTAKE_MAX;
}

/* ---- processing time ------------------------------------------------------------------------- */

/* The task wants to run when processing time reaches `due`: a held clock tells it by itself. */
static void
due_at(const wri_task *t, int64_t due, int64_t *wake_ms)
{
    if (!wr_os_processing_moves()) *wake_ms = WR_MIN(*wake_ms, t->now_ms + (due - t->proc_ms));
}

/* All that a held clock made due up to its move number `moves` has been done. */
static void
note_moves(wri_task *t, uint64_t moves)
{
    for (uint32_t i = 0; i < t->inst_count; i++)
        if (t->insts[i]->timer_count && t->insts[i]->timers[0] <= t->proc_ms) return;
    wr_os_store(&t->moves, moves);
}

static wr_status
fire_timers(wr_ctx *ctx, wri_task *t, bool *progress, int64_t *wake_ms)
{
    for (uint32_t i = 0; i < t->inst_count; i++) {
        wri_inst *inst = t->insts[i];
        while (inst->timer_count && inst->timers[0] <= t->proc_ms && !wri_inst_busy(inst)) {
            int64_t due = inst->timers[0];
            memmove(inst->timers, inst->timers + 1, --inst->timer_count * sizeof(int64_t));
            t->timer_count--;
            *progress = true;
            WR_TRY(wri_inst_timer(ctx, inst, due));
        }
        if (inst->timer_count) due_at(t, inst->timers[0], wake_ms);
    }
    return WR_OK;
}

/* Time in which rows wait for room downstream does not count as time without rows. */
static wr_status
look_for_idle(wr_ctx *ctx, wri_task *t, bool *progress, int64_t *wake_ms)
{
    for (uint32_t i = 0; i < t->inst_count; i++) {
        wri_inst *inst = t->insts[i];
        if (!inst->makes_idle || inst->idle_sent || inst->state != WRI_INST_RUNNING) continue;
        int64_t split_due = INT64_MAX;
        WR_TRY(wri_clocks_look_for_idle(ctx, inst, &split_due));
        if (split_due != INT64_MAX) due_at(t, split_due, wake_ms);
        if (t->held) inst->active_ms = t->proc_ms;
        int64_t due = inst->active_ms + inst->node->u.watermark.idle_ms;
        if (due <= t->proc_ms) {
            *progress = t->unpublished = true;
            WR_TRY(wri_inst_tell_idle(ctx, inst));
        } else {
            due_at(t, due, wake_ms);
        }
    }
    return WR_OK;
}

/* Sources are not asked while an operator works on. */
static void
stay_active(wri_task *t)
{
    for (uint32_t i = 0; t->idler_count && i < t->inst_count; i++)
        t->insts[i]->active_ms = t->proc_ms;
}

/* Expired state goes, and what the backend wants to write or move out of memory. Not while an
 * operator is pending: it remembers slots of its batch. */
static wr_status
tend_state(wr_ctx *ctx, wri_task *t)
{
    const bool expire = t->now_ms - t->expired_ms >= WRI_EXPIRE_MS;
    if (expire) t->expired_ms = t->now_ms;
    for (uint32_t i = 0; i < t->inst_count; i++) {
        wr_state_backend *s = t->insts[i]->backend;
        if (!s || (t->insts[i]->op && t->insts[i]->op->holds_slots)) continue;
        if (expire) s->ops->sweep(s, t->proc_ms, WRI_EXPIRE_ENTRIES);
        WR_TRY(s->ops->trim(ctx, s));
    }
    return WR_OK;
}

/* ---- messages -------------------------------------------------------------------------------- */

static wr_status
take_control(wr_ctx *ctx, wri_chan_input *ci, wri_wm_input *ch, wri_msg m)
{
    if (m.kind == WRI_MSG_WATERMARK) ch->watermark = WR_MAX(ch->watermark, m.watermark);
    if (m.kind == WRI_MSG_IDLE || m.kind == WRI_MSG_ACTIVE) ch->idle = m.kind == WRI_MSG_IDLE;
    if (m.kind == WRI_MSG_END) ch->ended = true;
    if (m.kind == WRI_MSG_END && ++ci->ended == ci->channel_count)
        return wri_inst_deliver(ctx, ci->inst, ci->input, m);
    bool idle;
    int64_t merged = wri_channels_merge(ci->channels, ci->channel_count, ci->watermark, &idle);
    if (merged > ci->watermark && merged != INT64_MAX) {
        ci->watermark = merged;
        WR_TRY(wri_inst_deliver(ctx, ci->inst, ci->input,
                                (wri_msg){.kind = WRI_MSG_WATERMARK, .watermark = merged}));
    }
    if (idle == ci->idle) return WR_OK;
    ci->idle = idle;
    return wri_inst_deliver(ctx, ci->inst, ci->input,
                            (wri_msg){.kind = idle ? WRI_MSG_IDLE : WRI_MSG_ACTIVE});
}

static wr_status
take_message(wr_ctx *ctx, wri_task *t, wri_in_channel *ic, wri_msg m)
{
    wri_chan_input *ci = &t->chan_inputs[ic->slot >> 16];
    if (m.kind == WRI_MSG_BATCH) return wri_inst_deliver(ctx, ci->inst, ci->input, m);
    if (m.kind == WRI_MSG_BARRIER) {
        ic->barrier = WR_MAX(ic->barrier, (uint64_t)m.watermark);
        return WR_OK;
    }
    return take_control(ctx, ci, &ci->channels[ic->slot & 0xffff], m);
}

/* A barrier that overtakes does not wait for the messages of a whole round: neither here nor in the
 * other tasks of this worker. */
static bool
is_overtaken(const wri_task *t)
{
    return t->job->coord.options.unaligned && wr_os_load(&t->job->overtake);
}

static wr_status
take_inputs(wr_ctx *ctx, wri_task *t, bool *progress)
{
    uint32_t empty = 0, taken = 0; /* channels in a row that had nothing; messages */
    /* What comes behind a barrier has to wait for the other channels, when it must not count twice;
     * else it waits behind a second one. */
    uint64_t blocked = t->barrier.done;
    if (t->job->coord.options.at_least_once && !t->barrier.restoring) blocked++;
    while (empty < t->channel_count && taken < WRI_TAKE_MAX && !wri_task_full(t)) {
        wri_in_channel *ic = &t->channels[t->next_channel];
        t->next_channel = (t->next_channel + 1) % t->channel_count;
        wri_msg m;
        if (ic->barrier > blocked || (ic->records && !wri_overtake_may_take(t, ic)) ||
            !wri_channel_pop(ic->channel, &m)) {
            empty++;
            continue;
        }
        empty = 0;
        taken++;
        *progress = true;
        wr_status status = take_message(ctx, t, ic, m);
        wr_os_add(&t->job->inflight, -1);
        WR_TRY(status);
        if (is_overtaken(t)) break;
    }
    return WR_OK;
}

/* ---- a round --------------------------------------------------------------------------------- */

/* So many ms before it wants to be resumed. */
static int64_t
waits_for(const wri_inst *inst)
{
    const wr_op *op = inst->op;
    return op->pending && op->again_ms ? op->again_ms - wr_os_now_ns() / 1000000 : 0;
}

static wr_status
resume_pending(wr_ctx *ctx, wri_task *t, bool *progress, int64_t *wake_ms)
{
    for (uint32_t i = t->inst_count; i-- > 0;) { /* the most downstream first */
        wri_inst *inst = t->insts[i];
        if (!inst->op || !wri_inst_busy(inst) || wri_inst_full(inst)) continue;
        const int64_t wait = waits_for(inst);
        if (wait > 0) {
            *wake_ms = WR_MIN(*wake_ms, t->now_ms + wait);
            continue;
        }
        *progress = true;
        return wri_inst_resume(ctx, inst);
    }
    return WR_OK;
}

static wr_status
poll_sources(wr_ctx *ctx, wri_task *t, bool *progress, int64_t *wake_ms)
{
    for (uint32_t i = 0; i < t->inst_count && !wri_task_full(t); i++) {
        wri_inst *inst = t->insts[i];
        if (inst->source && !inst->source->ended)
            WR_TRY(wri_source_poll(ctx, inst->source, progress, wake_ms));
        if (inst->start_due) {
            *progress = true;
            WR_TRY(wri_inst_start(ctx, inst));
        }
    }
    return WR_OK;
}

static wr_status
work(wr_ctx *ctx, wri_task *t, bool *progress, int64_t *wake_ms)
{
    if (t->pending_count) {
        WR_TRY(resume_pending(ctx, t, progress, wake_ms));
        if (*progress) return stay_active(t), WR_OK;
    }
    WR_TRY(wri_barrier_look(ctx, t, progress));
    if (t->barrier.id) {
        WR_TRY(wri_barrier_step(ctx, t, progress));
        if (t->barrier.walking) return WR_OK;
    }
    if (t->timer_count) WR_TRY(fire_timers(ctx, t, progress, wake_ms));
    if (t->channel_count) WR_TRY(take_inputs(ctx, t, progress));
    bool holds = t->barrier.id && !t->job->coord.options.at_least_once;
    if (!holds && (t->source_count || t->start_count))
        WR_TRY(poll_sources(ctx, t, progress, wake_ms));
    if (t->idler_count) WR_TRY(look_for_idle(ctx, t, progress, wake_ms));
    return WR_OK;
}

/* Rows that wait for more in an exchange go when the task has nothing else to do, or have waited
 * long enough. */
static wr_status
flush_routers(wr_ctx *ctx, wri_task *t, bool *progress, int64_t *wake_ms)
{
    int64_t until = *progress ? t->now_ms - t->job->env.flush_after_ms : INT64_MAX;
    for (uint32_t i = 0; i < t->router_count; i++) {
        wri_router *r = t->routers[i];
        if (r->filling_count) WR_TRY(wri_router_flush(ctx, r, until, progress));
        if (r->filling_count) *wake_ms = WR_MIN(*wake_ms, t->now_ms + t->job->env.flush_after_ms);
    }
    return WR_OK;
}

static void
account(wri_task *t, int64_t start_ns, bool progress)
{
    int64_t now = wr_os_now_ns();
    uint64_t gap = t->clock_ns ? (uint64_t)(start_ns - t->clock_ns) : 0,
             spent = (uint64_t)(now - start_ns);
    *(t->held ? &t->backpressured_ns : &t->idle_ns) += gap;
    t->held = !progress && wri_task_full(t);
    *(progress ? &t->busy_ns : t->held ? &t->backpressured_ns : &t->idle_ns) += spent;
    t->clock_ns = now;
}

static bool
has_ended(const wri_task *t)
{
    if (t->ended_count < t->inst_count || t->pending_count) return false;
    for (uint32_t i = 0; i < t->out_count; i++)
        if (t->outs[i]->over.count) return false;
    return true;
}

/* Behind the barrier of a stop nothing happens any more. */
static bool
is_stopped(const wri_task *t)
{
    uint64_t at = wr_os_load(&t->job->stop_at);
    return at && t->barrier.done >= at;
}

wr_status
wri_task_run(wr_ctx *ctx, wri_task *t, bool *progress, int64_t *wake_ms)
{
    int64_t start = wr_os_now_ns();
    bool mine = false;
    const uint64_t moves = wr_os_processing_moves();
    t->now_ms = wr_os_wall_ms();
    t->proc_ms = moves ? wr_os_processing_ms() : t->now_ms;
    for (uint32_t i = 0; i < t->inst_count; i++)
        if (t->insts[i]->backend) t->insts[i]->backend->now_ms = t->proc_ms;
    for (uint32_t i = 0; i < t->out_count; i++)
        if (t->outs[i]->over.count && wri_channel_flush(t->outs[i])) mine = true;
    wr_status status =
        is_stopped(t) ? wri_barrier_look(ctx, t, &mine) : work(ctx, t, &mine, wake_ms);
    if (status == WR_OK) status = flush_routers(ctx, t, &mine, wake_ms);
    if (status != WR_OK) return status;
    if (!t->pending_count) WR_TRY(tend_state(ctx, t));
    account(t, start, mine);
    t->unpublished |= mine;
    if (!t->ended && has_ended(t)) wri_coord_task_ended(t);
    t->done = wr_os_load(&t->job->release) && (t->ended || is_stopped(t));
    if (moves) note_moves(t, t->done ? UINT64_MAX : moves);
    if (t->done || (mine && t->now_ms - t->published_ms >= WRI_PUBLISH_MS)) wri_task_publish(t);
    *progress |= mine;
    return WR_OK;
}
