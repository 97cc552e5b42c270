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
    return wr_os_load(&s->inst->task->job->inflight) == 0;
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
        WR_TRY(s->ops->add_split(ctx, s->reader, split, WR_STR("")));
    }
}

static wr_status
deliver_polled(wr_ctx *ctx, wri_source *s, wr_batch *take_batch, const wr_poll *p)
{
    wri_inst *inst = s->inst;
    inst->metrics.bytes_in += p->bytes;
    if (p->bytes_total) s->bytes_total = p->bytes_total;
    WR_TRY(inst->out.push(ctx, &inst->out, take_batch));
    return p->has_watermark ? inst->out.watermark(ctx, &inst->out, p->watermark) : WR_OK;
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

wr_status
wri_source_poll(wr_ctx *ctx, wri_source *s, bool *progress, int64_t *wake_ms)
{
    wri_task *t = s->inst->task;
    bool woken = wr_os_load_relaxed(&s->woken) && wr_os_swap(&s->woken, 0u), got = false;
    wr_poll p;
    if (woken) WR_TRY(wri_inst_blame(ctx, s->inst, take_mail(ctx, s)));
    if (!woken && s->wake_at_ms > t->now_ms) {
        *wake_ms = WR_MIN(*wake_ms, s->wake_at_ms);
        return WR_OK;
    }
    WR_TRY(wri_inst_blame(ctx, s->inst, poll(ctx, s, &p, &got)));
    t->unpublished |= !s->quiet && p.kind == WR_POLL_PENDING;
    s->quiet = p.kind != WR_POLL_READY;
    s->wake_at_ms = 0;
    *progress |= got;
    if (p.kind == WR_POLL_END) {
        s->ended = true;
        t->ended_count++;
        t->source_count--;
        return wri_inst_forward(ctx, s->inst, (wri_msg){.kind = WRI_MSG_END});
    }
    if (p.kind == WR_POLL_PENDING) {
        s->wake_at_ms = next_look(t, &p);
        *wake_ms = WR_MIN(*wake_ms, s->wake_at_ms);
    }
    return WR_OK;
}
