/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers in a task.
 *
 * A task without living channels begins a checkpoint when the job asks for one, one with channels
 * when the first of them delivers the barrier; from then on its sources are not polled and channels
 * that have delivered are not read (unless at-least-once is enough). When all living channels have
 * delivered, the operators are told, upstream first, each when nothing is pending any more; then
 * all of them are snapshotted, the barrier goes into every exchange, and work goes on. Barriers
 * pass in the order of their numbers; those of checkpoints that have failed meanwhile pass without
 * more. A barrier that overtakes (job->overtake, overtake.c) is begun by all tasks at once and
 * waits for no channel whose rows can be recorded. */
#include <stdio.h>

#include "runtime/runtime_int.h"

static bool
channel_ended(const wri_task *t, const wri_in_channel *ic)
{
    return t->chan_inputs[ic->slot >> 16].channels[ic->slot & 0xffff].ended;
}

static bool
any_living(const wri_task *t)
{
    for (uint32_t i = 0; i < t->channel_count; i++)
        if (!channel_ended(t, &t->channels[i])) return true;
    return false;
}

static bool
is_aligned(const wri_task *t, bool overtaking)
{
    for (uint32_t i = 0; i < t->channel_count; i++) {
        const wri_in_channel *ic = &t->channels[i];
        if (channel_ended(t, ic) || ic->barrier >= t->barrier.id) continue;
        if (!overtaking || !wri_may_overtake(ic->channel->edge)) return false;
    }
    return true;
}

static bool
any_delivered(const wri_task *t)
{
    for (uint32_t i = 0; i < t->channel_count; i++)
        if (t->channels[i].barrier > t->barrier.done) return true;
    return false;
}

/* ---- what the coordinator has decided since -------------------------------------------------- */

static wr_status
tell_committed(wr_ctx *ctx, wri_task *t, uint64_t id)
{
    t->barrier.committed = id;
    for (uint32_t i = 0; i < t->inst_count; i++) {
        wri_inst *inst = t->insts[i];
        if (inst->op)
            WR_TRY(wri_inst_blame(ctx, inst, inst->op->ops->committed(ctx, inst->op, id)));
        else if (inst->source->ops->committed)
            inst->source->ops->committed(inst->source->reader, id);
    }
    return WR_OK;
}

static void
take_back(wri_task *t)
{
    int verdict = wr_os_load(&t->barrier.frozen->verdict);
    if (verdict == WRI_NO_VERDICT) return;
    wri_frozen_release(t->barrier.frozen, verdict == WRI_KEPT);
    t->barrier.frozen = NULL;
}

wr_status
wri_barrier_look(wr_ctx *ctx, wri_task *t, bool *progress)
{
    wri_barrier *b = &t->barrier;
    uint64_t told = wr_os_load(&b->told);
    if (told > b->committed) WR_TRY(tell_committed(ctx, t, told));
    if (b->frozen) take_back(t);
    if (b->recording) wri_overtake_look(t);
    if (b->id || wr_os_load(&t->job->request) == b->done) return WR_OK;
    bool begins = t->source_count > 0 || any_delivered(t) || !any_living(t) ||
                  wr_os_load(&t->job->overtake) > b->done;
    if (!begins) return WR_OK;
    b->id = b->done + 1;
    b->start_ns = wr_os_now_ns();
    *progress = true;
    return WR_OK;
}

/* ---- freezing -------------------------------------------------------------------------------- */

/* The last checkpoint of a job whose input has ended is there to commit what its sinks have
 * written: who starts from it has nothing left to compute. Where it goes as soon as the job has
 * finished, nobody reads state from it either. */
static bool
needs_keyed(const wr_job *job, const wri_ckpt_flags *flags)
{
    return !flags->final || flags->kind != WR_CHECKPOINT || wri_store_keeps(job, WR_JOB_FINISHED);
}

static wr_status
snapshot_inst(wr_ctx *ctx, wri_inst *inst, const wri_ckpt_flags *flags, uint64_t id, wri_part *part)
{
    wr_state_backend *backend = inst->backend;
    part->finished = inst->op ? inst->state == WRI_INST_ENDED : inst->source->ended;
    part->finished &= !wr_os_load_relaxed(&inst->task->job->drain);
    if (inst->source) return wri_source_snapshot(ctx, inst->source, id, &part->ops);
    WR_TRY(inst->op->ops->snapshot(ctx, inst->op, id, &part->ops));
    if (!backend || (part->finished && !needs_keyed(inst->task->job, flags))) return WR_OK;
    const wri_ckpt_options *o = &inst->task->job->coord.options;
    wr_snapshot_kind kind = flags->kind == WR_SAVEPOINT_CANONICAL ? WR_SNAPSHOT_CANONICAL
                            : flags->kind == WR_CHECKPOINT && o->incremental
                                ? WR_SNAPSHOT_INCREMENTAL
                                : WR_SNAPSHOT_FULL;
    part->backend = backend;
    return backend->ops->snapshot(ctx, backend, id, kind, &part->snapshot);
}

static wri_frozen *
new_frozen(wri_task *t, const wri_ckpt_flags *flags, uint64_t id)
{
    wr_arena *a = wr_arena_create(t->job->budget, 0);
    wri_frozen *f = a ? WR_NEW(a, wri_frozen) : NULL;
    wri_part *parts = f ? WR_NEW_N(a, wri_part, t->inst_count + 1) : NULL;
    if (!parts) {
        wr_arena_destroy(a);
        return NULL;
    }
    for (uint32_t i = 0; i < t->inst_count; i++) parts[i].ops.arena = a;
    *f = (wri_frozen){.task = t,
                      .id = id,
                      .kind = flags->kind,
                      .arena = a,
                      .parts = parts,
                      .part_count = t->inst_count};
    return f;
}

/* What cannot be snapshotted fails, and its region with it: a writer or a state that stopped in the
 * middle is not fit to go on. What others do with the snapshot later only fails the checkpoint. */
static wr_status
freeze(wr_ctx *ctx, wri_task *t)
{
    wri_barrier *b = &t->barrier;
    int64_t begin_ns = wr_os_now_ns();
    wri_frozen *f = new_frozen(t, &b->flags, b->id);
    if (!f) return wr_raise(ctx, WR_NOMEM, "out of memory");
    wr_status status = WR_OK;
    for (uint32_t i = 0; b->flags.stored && i < t->inst_count && status == WR_OK; i++) {
        status = snapshot_inst(ctx, t->insts[i], &b->flags, b->id, &f->parts[i]);
        status = wri_inst_blame(ctx, t->insts[i], status);
    }
    wr_os_crash_point("snapshot-sync");
    if (status != WR_OK) {
        wri_frozen_release(f, false);
        return status;
    }
    f->overtook = b->overtaking;
    f->may_turn = !f->overtook && b->flags.may_overtake;
    f->alignment_ms = (b->aligned_ns - b->start_ns) / 1000000;
    f->sync_us = (wr_os_now_ns() - begin_ns) / 1000;
    f->begin_ms = b->start_ns / 1000000;
    f->start_delay_ms = f->begin_ms; /* made relative to the trigger when it arrives */
    b->recording = f;
    b->records_left = 0;
    if (f->overtook) wri_overtake_begin(t);
    return WR_OK;
}

/* ---- passing --------------------------------------------------------------------------------- */

/* Operators are told one after the other; false: one of them has more to emit first. */
static wr_status
walk(wr_ctx *ctx, wri_task *t, bool *through)
{
    wri_barrier *b = &t->barrier;
    *through = false;
    while (b->at < t->inst_count) {
        if (t->pending_count) return WR_OK;
        wri_inst *inst = t->insts[b->at++];
        if (!inst->op || inst->state == WRI_INST_ENDED) continue;
        inst->sink_env.stopping = b->flags.stop;
        WR_TRY(wri_inst_barrier(ctx, inst, b->id));
        if (b->flags.end_sinks && inst->node->kind == WR_P_SINK)
            WR_TRY(wri_inst_blame(ctx, inst, inst->op->ops->on_end(ctx, inst->op, &inst->out)));
    }
    *through = t->pending_count == 0;
    return WR_OK;
}

static wr_status
send_on(wr_ctx *ctx, wri_task *t, uint64_t id)
{
    wri_msg m = {.kind = WRI_MSG_BARRIER, .watermark = (int64_t)id};
    for (uint32_t i = 0; i < t->router_count; i++) {
        const wri_inst *from = t->routers[i]->sender;
        bool ended = from->op ? from->state == WRI_INST_ENDED : from->source->ended;
        if (t->barrier.overtaking)
            WR_TRY(wri_overtake_send(ctx, t->routers[i], m, ended));
        else if (!ended)
            WR_TRY(wri_router_control(ctx, t->routers[i], m));
    }
    return WR_OK;
}

/* Nothing new is taken before all that was in flight. */
static void
end_restoring(wri_task *t, bool *progress)
{
    wri_barrier *b = &t->barrier;
    if (!is_aligned(t, false)) return;
    *progress = true;
    b->restoring = false;
    b->done = b->id;
    b->id = 0;
}

wr_status
wri_barrier_step(wr_ctx *ctx, wri_task *t, bool *progress)
{
    wri_barrier *b = &t->barrier;
    bool through = false;
    if (b->restoring) {
        end_restoring(t, progress);
        return WR_OK;
    }
    /* Only the newest barrier that is wanted overtakes: older ones have failed. */
    bool overtaking = wr_os_load(&t->job->overtake) >= b->id;
    if (!b->walking) {
        if (!is_aligned(t, overtaking)) return WR_OK;
        b->flags = wri_coord_flags(t->job, b->id);
        /* A backend has one snapshot at a time: the last one is waited for. */
        if (b->flags.wanted && (b->frozen || b->recording)) return WR_OK;
        b->walking = true;
        b->at = 0;
        b->aligned_ns = wr_os_now_ns();
    }
    *progress = true;
    b->overtaking = overtaking && b->flags.wanted;
    if (b->flags.wanted) {
        WR_TRY(walk(ctx, t, &through));
        if (!through) return WR_OK;
        WR_TRY(freeze(ctx, t));
    }
    WR_TRY(send_on(ctx, t, b->id));
    b->done = b->id;
    b->id = 0;
    b->walking = b->overtaking = false;
    if (b->recording) wri_overtake_look(t);
    return WR_OK;
}
