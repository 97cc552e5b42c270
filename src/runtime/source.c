/* SPDX-License-Identifier: Apache-2.0 */
/* Sources inside tasks: readers are opened, get splits, are polled, and say when they idle or end.
 *
 * Splits are discovered once before the job starts (in the controlling thread) and dealt out in
 * turn; unbounded sources are asked again by worker 0 when they wanted that. A split found later
 * reaches its reader through the source's mailbox. */
#include "runtime/runtime_int.h"

static void
wake_task(void *arg)
{
    wri_source *s = arg;
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
    s->fd = -1;
    s->idle_after_ms = wr_config_int(t->job->env.config, "table.exec.source.idle-timeout");
    s->last_row_ms = wr_os_wall_ms();
    wr_os_mutex_init(&s->mail_mutex);
    s->mail_ready = true;
    s->env = (wr_source_env){.arena = t->arena,
                             .budget = t->budget,
                             .eval = t->job->env.eval,
                             .config = t->job->env.config,
                             .subtask = t->subtask,
                             .parallelism = t->vertex->parallelism,
                             .job = t->job,
                             .quiet = job_quiet,
                             .wake = wake_task,
                             .arg = s};
    inst->env.source = &s->env;
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

/* ---- splits
 * -------------------------------------------------------------------------------------------------------
 */

static bool
split_known(const wri_discovery *d, wr_str split)
{
    for (uint32_t i = 0; i < d->known.count; i++)
        if (wr_str_eq(d->known.items[i], split)) return true;
    return false;
}

static wri_source *
source_of(wr_job *job, const wri_discovery *d, uint32_t subtask)
{
    for (uint32_t i = 0; i < job->task_count; i++) {
        wri_task *t = job->tasks[i];
        if (t->vertex != d->vertex || t->subtask != subtask) continue;
        for (uint32_t k = 0; k < t->inst_count; k++)
            if (t->insts[k]->node == d->node) return t->insts[k]->source;
    }
    WR_UNREACHABLE();
}

static wr_status
post_split(wr_ctx *ctx, wr_job *job, wri_source *s, wr_str split)
{
    wr_os_mutex_lock(&s->mail_mutex);
    bool ok = wr_list_push(job->arena, &s->mail, split);
    wr_os_mutex_unlock(&s->mail_mutex);
    WR_TRY_ALLOC(ctx, ok ? s : NULL);
    wake_task(s);
    return WR_OK;
}

static wr_status
discover(wr_ctx *ctx, wr_job *job, wri_discovery *d, bool running)
{
    wr_str *splits = NULL;
    uint32_t count = 0, parts = d->vertex->parallelism;
    int64_t recheck = 0;
    const wr_source_ops *ops = d->node->u.scan.source;
    WR_TRY(ops->discover(ctx, &d->node->u.scan.spec, parts, job->arena, &splits, &count, &recheck));
    for (uint32_t i = 0; i < count; i++) {
        if (running && split_known(d, splits[i])) continue;
        if (recheck && !wr_list_push(job->arena, &d->known, splits[i]))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
        wri_source *s = source_of(job, d, d->next++ % parts);
        if (running)
            WR_TRY(post_split(ctx, job, s, splits[i]));
        else
            WR_TRY(s->ops->add_split(ctx, s->reader, splits[i], WR_STR("")));
    }
    d->again_at_ms = recheck ? wr_os_wall_ms() + recheck : INT64_MAX;
    for (uint32_t i = 0; !recheck && i < parts; i++) {
        wri_source *s = source_of(job, d, i);
        WR_TRY(s->ops->no_more_splits(ctx, s->reader));
    }
    return WR_OK;
}

wr_status
wri_sources_discover(wr_ctx *ctx, wr_job *job)
{
    for (uint32_t v = 0; v < job->graph.vertex_count; v++) {
        wri_vertex *vertex = &job->graph.vertices[v];
        for (uint32_t k = 0; k < vertex->node_count; k++) {
            if (vertex->nodes[k]->kind != WR_P_SCAN) continue;
            wri_discovery d = {
                .vertex = vertex, .node = vertex->nodes[k], .again_at_ms = INT64_MAX};
            if (!wr_list_push(job->arena, &job->discoveries, d))
                return wr_raise(ctx, WR_NOMEM, "out of memory");
            WR_TRY(discover(ctx, job, &job->discoveries.items[job->discoveries.count - 1], false));
        }
    }
    return WR_OK;
}

wr_status
wri_sources_recheck(wr_ctx *ctx, wr_job *job, int64_t now_ms, int64_t *wake_ms)
{
    for (uint32_t i = 0; i < job->discoveries.count; i++) {
        wri_discovery *d = &job->discoveries.items[i];
        if (d->again_at_ms <= now_ms) WR_TRY(discover(ctx, job, d, true));
        *wake_ms = WR_MIN(*wake_ms, d->again_at_ms);
    }
    return WR_OK;
}

/* ---- polling
 * ---------------------------------------------------------------------------------------------------------
 */

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
set_idle(wr_ctx *ctx, wri_source *s, bool idle)
{
    if (s->idle == idle) return WR_OK;
    s->idle = idle;
    return wri_inst_forward(ctx, s->inst, (wri_msg){.kind = idle ? WRI_MSG_IDLE : WRI_MSG_ACTIVE});
}

static wr_status
deliver_polled(wr_ctx *ctx, wri_source *s, wr_batch *batch, const wr_poll *p)
{
    wri_inst *inst = s->inst;
    uint32_t rows = wr_batch_live(batch);
    inst->metrics.bytes_in += p->bytes;
    if (p->bytes_total) wr_os_store_relaxed(&s->bytes_total, p->bytes_total);
    if (rows || p->has_watermark) {
        s->last_row_ms = inst->task->now_ms;
        wr_status status = set_idle(ctx, s, false);
        if (status != WR_OK) {
            wr_batch_release(batch);
            return status;
        }
    }
    inst->metrics.records_in += rows;
    WR_TRY(inst->out.push(ctx, &inst->out, batch));
    if (p->has_watermark) WR_TRY(inst->out.watermark(ctx, &inst->out, p->watermark));
    return WR_OK;
}

wr_status
wri_source_poll(wr_ctx *ctx, wri_source *s, bool *progress, int64_t *wake_ms)
{
    wri_task *t = s->inst->task;
    bool woken = wr_os_load_relaxed(&s->woken) && wr_os_swap(&s->woken, 0u);
    if (woken) WR_TRY(take_mail(ctx, s));
    if (!woken && s->wake_at_ms > t->now_ms) {
        *wake_ms = WR_MIN(*wake_ms, s->wake_at_ms);
        return WR_OK;
    }
    wr_batch *batch = wr_batch_acquire(t->pool, s->spec->columns.count);
    WR_TRY_ALLOC(ctx, batch);
    wr_poll p = {.kind = WR_POLL_PENDING, .fd = -1};
    wr_status status = s->ops->poll(ctx, s->reader, batch, WR_BATCH_ROWS, &p);
    if (status != WR_OK) {
        wr_batch_release(batch);
        wr_frame(ctx, "%s subtask %u/%u", s->inst->metrics.name, t->subtask + 1,
                 t->vertex->parallelism);
        return status;
    }
    bool got = p.kind != WR_POLL_PENDING || wr_batch_live(batch) || p.has_watermark;
    WR_TRY(deliver_polled(ctx, s, batch, &p));
    s->wake_at_ms = 0;
    *progress |= got;
    if (p.kind == WR_POLL_END) {
        s->ended = true;
        t->ended_count++;
        return wri_inst_forward(ctx, s->inst, (wri_msg){.kind = WRI_MSG_END});
    }
    if (p.kind == WR_POLL_PENDING) {
        int64_t limit =
            t->now_ms + (p.fd >= 0 ? 2 : 20); /* the descriptor is looked at again soon */
        s->wake_at_ms =
            p.wake_at_ms
                ? WR_MIN(limit, t->now_ms + WR_MAX(p.wake_at_ms - wr_os_now_ns() / 1000000, 0))
                : limit;
        if (s->idle_after_ms > 0 && t->now_ms - s->last_row_ms >= s->idle_after_ms)
            WR_TRY(set_idle(ctx, s, true));
        *wake_ms = WR_MIN(*wake_ms, s->wake_at_ms);
    }
    return WR_OK;
}
