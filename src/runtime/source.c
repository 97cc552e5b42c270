/* SPDX-License-Identifier: Apache-2.0 */
/* Sources inside tasks: readers are opened, get splits, are polled, and end. */
#include "runtime/runtime_int.h"

void
wri_source_wake(void *source)
{
    wri_source *s = source;
    wr_os_store(&s->woken, 1u);
    wr_os_event_set(&s->inst->task->worker->event);
}

static bool
job_quiet(void *arg)
{
    const wri_source *s = arg;
    wr_job *job = s->inst->task->job;
    const uint64_t moves = wr_os_processing_moves();
    bool moved = true; /* every task has seen where a held clock is now */
    for (uint32_t i = 0; moves && i < job->task_count; i++) {
        wri_task *t = job->tasks[i];
        if (wr_os_load(&t->moves) >= moves) continue;
        moved = false;
        wr_os_event_set(&t->worker->event);
    }
    return moved && wr_os_load(&job->inflight) == 0;
}

wr_status
wri_source_open(wr_ctx *ctx, wri_task *t, wri_inst *inst)
{
    wri_source *s = WR_NEW(t->arena, wri_source);
    WR_TRY_ALLOC(ctx, s);
    inst->source = s;
    s->inst = inst;
    s->ops = inst->node->u.scan.source;
    s->spec = &inst->node->u.scan.spec;
    wr_os_mutex_init(&s->mail_mutex);
    s->mail_ready = true;
    s->env = (wr_source_env){.arena = t->arena,
                             .budget = inst->budget,
                             .eval = t->job->env.eval,
                             .config = t->job->env.config,
                             .subtask = t->subtask,
                             .parallelism = t->vertex->parallelism,
                             .job = t->job,
                             .quiet = job_quiet,
                             .wake = wri_source_wake,
                             .arg = s};
    inst->env.source = &s->env;
    t->source_count++;
    s->pending_ms = t->proc_ms;
    WR_TRY(wri_clocks_open(ctx, s));
    WR_TRY(wri_align_open(ctx, s));
    return s->ops->open(ctx, s->spec, &s->env, &s->reader);
}

void
wri_source_close(wri_source *s)
{
    if (s->reader) s->ops->close(s->reader);
    s->reader = NULL;
    if (s->mail_ready) wr_os_mutex_deinit(&s->mail_mutex);
    s->mail_ready = false;
}

wr_status
wri_source_give(wr_ctx *ctx, wri_source *s, const wri_split *split)
{
    if (!wr_list_push(s->inst->task->arena, &s->given, split->name))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    WR_TRY(wri_clocks_add(ctx, s, split));
    if (split->finished) return WR_OK;
    return s->ops->add_split(ctx, s->reader, split->name, split->position);
}

static wr_status
take_mail(wr_ctx *ctx, wri_source *s)
{
    for (;;) {
        wr_str split = {0};
        wr_os_mutex_lock(&s->mail_mutex);
        bool have = s->mail_taken < s->mail.count;
        if (have) split = s->mail.items[s->mail_taken++];
        wr_os_mutex_unlock(&s->mail_mutex);
        if (!have) return WR_OK;
        wri_split fresh = {.name = split, .position = WR_STR(""), .watermark = INT64_MIN};
        WR_TRY(wri_source_give(ctx, s, &fresh));
    }
}

/* ---- snapshots ------------------------------------------------------------------------------- */

static uint32_t
slot_of(const wr_str *table, uint32_t cap, wr_str name)
{
    uint32_t at = (uint32_t)wr_hash_bytes(name.ptr, name.len, 0) & (cap - 1);
    while (table[at].ptr && !wr_str_eq(table[at], name)) at = (at + 1) & (cap - 1);
    return at;
}

/* Splits that the reader has not put into its snapshot are read to their ends. */
static wr_status
put_finished(wr_ctx *ctx, const wri_source *s, wr_opstate *out)
{
    const wr_opstate_list *left = wr_opstate_find(out, "splits");
    uint32_t n = left ? left->items.count : 0, cap = 16;
    while (cap < 2 * (uint64_t)n) cap *= 2;
    wr_str *table = WR_NEW_N(out->arena, wr_str, cap), position;
    WR_TRY_ALLOC(ctx, table);
    for (uint32_t i = 0; i < n; i++) {
        wr_str name;
        if (!wr_split_get(left->items.items[i], &name, &position))
            return wr_raise(ctx, WR_INTERNAL, "a source has put a malformed split");
        table[slot_of(table, cap, name)] = name;
    }
    for (uint32_t i = 0; i < s->given.count; i++) {
        wr_str name = s->given.items[i];
        if (table[slot_of(table, cap, name)].ptr) continue;
        WR_TRY(wr_opstate_add(ctx, out, WR_STR("finished"), WR_OPSTATE_UNION, name));
    }
    return WR_OK;
}

wr_status
wri_source_snapshot(wr_ctx *ctx, wri_source *s, uint64_t id, wr_opstate *out)
{
    WR_TRY(take_mail(ctx, s));
    bool over = s->ended && !s->drained;
    WR_TRY(wri_clocks_snapshot(ctx, s, out));
    if (s->ops->snapshot)
        WR_TRY(s->ops->snapshot(ctx, s->reader, id, out));
    else
        for (uint32_t i = 0; !over && i < s->given.count; i++)
            WR_TRY(wr_split_put(ctx, out, s->given.items[i], WR_STR("")));
    return s->rechecks ? put_finished(ctx, s, out) : WR_OK;
}

/* Where the rows came from that an operator of the same task could not take. For jobs that restart:
 * the record may be at fault. */
static wr_status
tell_rows(wr_ctx *ctx, const wri_source *s, const wr_poll *p, uint32_t rows, wr_status status)
{
    const wri_inst *inst = s->inst;
    if (inst->task->job->coord.restart.strategy == WRI_RESTART_NONE) return status;
    wr_str split = p->split < s->given.count ? s->given.items[p->split] : WR_STR("");
    if (s->clocks.apart) split = s->clocks.items[s->clocks.at].name;
    wr_frame(ctx, "rows %llu to %llu of %s subtask %u/%u, split '%.*s'",
             (unsigned long long)(inst->metrics.records_out - rows + 1),
             (unsigned long long)inst->metrics.records_out, inst->metrics.name,
             inst->task->subtask + 1, inst->task->vertex->parallelism, WR_STR_ARG(split));
    return status;
}

static wr_status
deliver_polled(wr_ctx *ctx, wri_source *s, wr_batch *take_batch, const wr_poll *p)
{
    wri_inst *inst = s->inst;
    inst->metrics.bytes_in += p->bytes;
    if (p->bytes_total) s->bytes_total = p->bytes_total;
    uint32_t rows = wr_batch_live(take_batch);
    int64_t low;
    wr_status status = wri_clocks_begin(ctx, s, p, rows);
    if (status != WR_OK) {
        wr_batch_release(take_batch);
        return status;
    }
    status = inst->out.push(ctx, &inst->out, take_batch);
    if (status != WR_OK) return tell_rows(ctx, s, p, rows, status);
    WR_TRY(wri_clocks_done(ctx, s, p, &low));
    return p->has_watermark ? inst->out.watermark(ctx, &inst->out, low) : WR_OK;
}

/* When to ask again: in time for what the reader waits for. Its times are of the monotonic clock,
 * the task's of the wall clock. */
static int64_t
next_look(const wri_task *t, const wr_poll *p)
{
    int64_t limit = t->now_ms + (p->fd >= 0 ? WRI_LOOK_FD_MS : WRI_LOOK_MS);
    if (!p->wake_at_ms) return limit;
    return WR_MIN(limit, t->now_ms + WR_MAX(p->wake_at_ms - wr_os_now_ns() / 1000000, 0));
}

static wr_status
poll(wr_ctx *ctx, wri_source *s, wr_poll *p, bool *got)
{
    wri_task *t = s->inst->task;
    wr_batch *batch = wr_batch_acquire(t->pool, s->spec->columns.count);
    WR_TRY_ALLOC(ctx, batch);
    *p = (wr_poll){.kind = WR_POLL_PENDING, .fd = -1};
    wr_status status = s->ops->poll(ctx, s->reader, batch, WR_BATCH_ROWS, p);
    if (status != WR_OK) {
        wr_batch_release(batch);
        return status;
    }
    *got = p->kind != WR_POLL_PENDING || wr_batch_live(batch) || p->has_watermark;
    return deliver_polled(ctx, s, batch, p);
}

static wr_status
end_source(wr_ctx *ctx, wri_source *s)
{
    wri_task *t = s->inst->task;
    s->ended = true;
    wri_align_leave(s);
    t->unpublished = true;
    t->ended_count++;
    t->source_count--;
    return wri_inst_forward(ctx, s->inst, (wri_msg){.kind = WRI_MSG_END});
}

wr_status
wri_source_poll(wr_ctx *ctx, wri_source *s, bool *progress, int64_t *wake_ms)
{
    wri_task *t = s->inst->task;
    bool woken = wr_os_load_relaxed(&s->woken) && wr_os_swap(&s->woken, 0u), got = false;
    wr_poll p;
    if (woken) WR_TRY(wri_inst_blame(ctx, s->inst, take_mail(ctx, s)));
    if (wr_os_load_relaxed(&t->job->drain)) {
        *progress = s->drained = true;
        return end_source(ctx, s);
    }
    int64_t again_ms = INT64_MAX;
    const bool waits = s->align.group && !wri_align_may_poll(s, &again_ms);
    *wake_ms = WR_MIN(*wake_ms, again_ms);
    if (waits) return WR_OK;
    if (!woken && s->wake_at_ms > t->now_ms) {
        *wake_ms = WR_MIN(*wake_ms, s->wake_at_ms);
        return WR_OK;
    }
    WR_TRY(wri_inst_blame(ctx, s->inst, poll(ctx, s, &p, &got)));
    t->unpublished |= !s->quiet && p.kind == WR_POLL_PENDING;
    s->quiet = p.kind != WR_POLL_READY;
    s->wake_at_ms = 0;
    *progress |= got;
    if (p.kind == WR_POLL_END) return end_source(ctx, s);
    if (p.kind == WR_POLL_PENDING) {
        s->pending_ms = t->proc_ms;
        s->wake_at_ms = next_look(t, &p);
        *wake_ms = WR_MIN(*wake_ms, s->wake_at_ms);
    }
    return WR_OK;
}
