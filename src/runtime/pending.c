/* SPDX-License-Identifier: Apache-2.0 */
/* The life of one checkpoint: begun, acknowledged by all tasks, published, committed, told; or
 * failed. And where checkpoints are kept. */
#include <stdarg.h>
#include <stdio.h>

#include "runtime/runtime_int.h"
#include "weir_build.h"

/* ---- the store ------------------------------------------------------------------------------- */

/* Without a folder (Flink's "jobmanager" storage) checkpoints live in a private one, as long as the
 * job. */
static wr_status
choose_root(wr_ctx *ctx, wr_job *job)
{
    wri_coord *c = &job->coord;
    wr_str dir = c->options.dir;
    if (c->root[0]) return WR_OK;
    if (!dir.len) {
        c->private_root = true;
        return wri_private_root(ctx, c->root, sizeof c->root);
    }
    if (dir.len >= sizeof c->root)
        return wr_raise(ctx, WR_LIMIT, "execution.checkpointing.dir is too long a path");
    memcpy(c->root, dir.ptr, dir.len);
    c->root[dir.len] = 0;
    return WR_OK;
}

wr_status
wri_log_dir(wr_ctx *ctx, wr_job *job, wr_str *out)
{
    WR_TRY(choose_root(ctx, job));
    *out =
        wr_arena_printf(job->arena, "%s/%.*s/taskowned", job->coord.root, WR_STR_ARG(job->env.id));
    return out->ptr ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
}

wr_status
wri_store_open(wr_ctx *ctx, wr_job *job)
{
    wri_coord *c = &job->coord;
    if (c->store) return WR_OK;
    WR_TRY(choose_root(ctx, job));
    wr_ckpt_store *store;
    WR_TRY(wr_ckpt_store_open(ctx, wr_str_c(c->root), job->env.id, c->options.retained, job->budget,
                              &store));
    wr_ckpt_store_set_buffer(store, c->options.buffer_bytes);
    wr_os_mutex_lock(&c->mutex); /* others may ask for it: wr_job_hold_checkpoint */
    c->store = store;
    wr_os_mutex_unlock(&c->mutex);
    return WR_OK;
}

bool
wri_store_keeps(const wr_job *job, wr_job_state end)
{
    const wri_coord *c = &job->coord;
    if (end == WR_JOB_CREATED) return true; /* it never ran */
    if (c->private_root) return false;
    if (job->env.resume || c->stopped_in_order) return true;
    if (end == WR_JOB_FINISHED) return false;
    if (c->options.retention == WRI_RETAIN_NEVER) return false;
    return end == WR_JOB_FAILED || c->options.retention == WRI_RETAIN_CANCELED;
}

void
wri_store_close(wr_job *job, wr_job_state end)
{
    wri_coord *c = &job->coord;
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_os_mutex_lock(&c->mutex);
    wr_ckpt_store *store = c->store;
    c->store = NULL;
    wr_os_mutex_unlock(&c->mutex);
    if (!store) return;
    bool remove = !wri_store_keeps(job, end);
    if (end == WR_JOB_CREATED && !job->env.resume) remove = wr_ckpt_store_is_empty(store);
    if (remove && wr_ckpt_store_remove_all(&ctx, store) != WR_OK)
        wri_coord_remark(job, "its checkpoints could not be removed: %s", ctx.err.message);
    wr_ckpt_store_close(store);
    if (c->private_root) (void)!wr_os_remove_tree(&ctx, c->root);
}

bool
wr_job_hold_checkpoint(wr_job *job, uint64_t id)
{
    wri_coord *c = &job->coord;
    wr_os_mutex_lock(&c->mutex);
    const bool held = c->store && wr_ckpt_store_hold(c->store, id);
    wr_os_mutex_unlock(&c->mutex);
    return held;
}

void
wr_job_release_checkpoint(wr_job *job, uint64_t id)
{
    wri_coord *c = &job->coord;
    wr_os_mutex_lock(&c->mutex);
    if (c->store) wr_ckpt_store_release(c->store, id);
    wr_os_mutex_unlock(&c->mutex);
}

/* ---- remarks --------------------------------------------------------------------------------- */

void
wri_coord_remark(wr_job *job, const char *fmt, ...)
{
    wri_coord *c = &job->coord;
    va_list args;
    va_start(args, fmt);
    wr_os_mutex_lock(&c->mutex);
    (void)vsnprintf(c->remark, sizeof c->remark, fmt, args);
    c->remark_count++;
    wr_os_mutex_unlock(&c->mutex);
    va_end(args);
}

bool
wr_job_remark(const wr_job *job, uint32_t *seen, char *text, size_t size)
{
    wri_coord *c = (wri_coord *)(uintptr_t)&job->coord;
    wr_os_mutex_lock(&c->mutex);
    const bool is_new = c->remark_count != *seen;
    if (is_new) (void)snprintf(text, size, "%s", c->remark);
    *seen = c->remark_count;
    wr_os_mutex_unlock(&c->mutex);
    return is_new;
}

/* ---- statistics ------------------------------------------------------------------------------ */

static wr_checkpoint_stat *
stat_of(wri_coord *c, uint64_t id)
{
    return &c->history[id % WRI_HISTORY];
}

static void
stat_begin(wr_job *job, const wri_pending *p)
{
    wri_coord *c = &job->coord;
    *stat_of(c, p->id) = (wr_checkpoint_stat){.id = p->id,
                                              .kind = p->flags.kind,
                                              .status = WR_CHECKPOINT_IN_PROGRESS,
                                              .trigger_ms = p->trigger_ms,
                                              .tasks = job->task_count};
    c->newest = p->id;
    c->counts.in_progress++;
}

static void
stat_end(wri_coord *c, const wri_pending *p, wr_checkpoint_status status, const char *reason)
{
    wr_checkpoint_stat *s = stat_of(c, p->id);
    c->counts.in_progress--;
    *(status == WR_CHECKPOINT_COMPLETED ? &c->counts.completed : &c->counts.failed) += 1;
    if (s->id != p->id) return;
    s->status = (uint8_t)status;
    s->duration_ms = (wr_os_now_ns() - p->trigger_ns) / 1000000;
    (void)snprintf(s->reason, sizeof s->reason, "%s", reason);
}

void
wr_job_checkpoint_counts(const wr_job *job, wr_checkpoint_counts *out)
{
    wri_coord *c = (wri_coord *)(uintptr_t)&job->coord;
    wr_os_mutex_lock(&c->mutex);
    *out = c->counts;
    wr_os_mutex_unlock(&c->mutex);
}

bool
wr_job_get_checkpoint(const wr_job *job, uint32_t index, wr_checkpoint_stat *out)
{
    wri_coord *c = (wri_coord *)(uintptr_t)&job->coord;
    wr_os_mutex_lock(&c->mutex);
    bool there = index < WRI_HISTORY && c->newest > index;
    if (there) {
        *out = *stat_of(c, c->newest - index);
        there = out->id == c->newest - index;
    }
    wr_os_mutex_unlock(&c->mutex);
    return there;
}

/* ---- begin ----------------------------------------------------------------------------------- */

wr_status
wri_savepoint_dir(wr_ctx *ctx, const wri_coord *c, const wr_savepoint_request *s, wr_str *out)
{
    *out = s->dir.len ? s->dir : c->options.savepoint_dir;
    if (out->len) return WR_OK;
    return wr_raise(ctx, WR_OPTION,
                    "Savepoint path is not configured: neither a directory was given nor is "
                    "execution.checkpointing.savepoint-dir set");
}

static wr_status
fill_pending(wr_ctx *ctx, wr_job *job, wri_pending *p)
{
    wri_coord *c = &job->coord;
    const wr_savepoint_request *s = p->request ? p->request->savepoint : NULL;
    int64_t timeout = c->options.timeout_ms;
    if (s && s->timeout_ms > 0) timeout = WR_MIN(s->timeout_ms, WRI_LONGEST_MS);
    p->id = c->next_id;
    p->savepoint = s != NULL;
    p->trigger_ms = wr_os_wall_ms();
    p->trigger_ns = wr_os_now_ns();
    p->deadline_ns = p->trigger_ns + timeout * 1000000;
    if (p->flags.may_overtake) p->overtake_ns = p->trigger_ns + c->options.aligned_ms * 1000000;
    p->parts = WR_NEW_N(p->arena, wri_frozen *, job->task_count);
    WR_TRY_ALLOC(ctx, p->parts);
    if (!p->flags.stored) return WR_OK;
    WR_TRY(wri_store_open(ctx, job));
    wr_str dir = {"", 0};
    if (s) WR_TRY(wri_savepoint_dir(ctx, c, s, &dir));
    return wr_ckpt_begin(ctx, c->store, p->id, (wr_checkpoint_kind)p->flags.kind, dir, &p->ckpt);
}

wr_status
wri_pending_begin(wr_ctx *ctx, wr_job *job, wri_ckpt_flags flags, wri_request *request)
{
    wri_coord *c = &job->coord;
    wr_arena *a = wr_arena_create(job->budget, 0);
    wri_pending *p = a ? WR_NEW(a, wri_pending) : NULL;
    if (!p) {
        wr_arena_destroy(a);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    *p = (wri_pending){.arena = a, .flags = flags, .request = request};
    wr_status status = fill_pending(ctx, job, p);
    wr_os_mutex_lock(&c->mutex);
    if (status == WR_OK) {
        wri_pending **end = &c->pending;
        while (*end) end = &(*end)->next;
        *end = p;
        c->next_id++;
        stat_begin(job, p);
    } else {
        c->counts.failed++;
    }
    wr_os_mutex_unlock(&c->mutex);
    if (status != WR_OK) {
        wr_arena_destroy(a);
        return status;
    }
    int64_t next = INT64_MAX;
    if (flags.stop) wr_os_store(&job->stop_at, p->id);
    wri_pending_overtake(job, p, p->trigger_ns, &next);
    wr_os_store(&job->request, p->id);
    wri_job_wake(job);
    return WR_OK;
}

void
wri_pending_overtake(wr_job *job, wri_pending *p, int64_t now_ns, int64_t *next_ns)
{
    if (!p->overtake_ns) return;
    if (now_ns < p->overtake_ns) {
        *next_ns = WR_MIN(*next_ns, p->overtake_ns);
        return;
    }
    p->overtake_ns = 0;
    wr_os_store(&job->overtake, p->id);
    wri_job_wake(job);
}

/* ---- end ------------------------------------------------------------------------------------- */

/* Nobody finds it any more, and the snapshot thread is done with it. */
static void
unlink_pending(wr_job *job, wri_pending *p)
{
    wri_coord *c = &job->coord;
    wr_os_mutex_lock(&c->mutex);
    p->failed = true;
    while (p->writing) wr_os_cond_wait(&c->changed, &c->mutex);
    wri_pending **at = &c->pending;
    while (*at != p) at = &(*at)->next;
    *at = p->next;
    wr_os_mutex_unlock(&c->mutex);
    if (wr_os_load(&job->overtake) == p->id) wr_os_store(&job->overtake, 0);
}

static void
give_back(wr_job *job, wri_pending *p, wri_verdict verdict)
{
    for (uint32_t i = 0; i < job->task_count; i++)
        if (p->parts[i]) wr_os_store(&p->parts[i]->verdict, (int)verdict);
    wri_job_wake(job);
}

void
wri_pending_fail(wr_job *job, wri_pending *p, const wr_err *err, const char *reason)
{
    wri_coord *c = &job->coord;
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    if (!err)
        (void)wr_raise(&ctx, WR_IO, "%s %llu failed: %s",
                       wr_checkpoint_kind_name((wr_checkpoint_kind)p->flags.kind),
                       (unsigned long long)p->id, reason);
    unlink_pending(job, p);
    if (p->ckpt) wr_ckpt_discard(p->ckpt);
    wr_os_mutex_lock(&c->mutex);
    stat_end(c, p, WR_CHECKPOINT_FAILED, reason);
    wr_os_mutex_unlock(&c->mutex);
    if (p->flags.stop) wr_os_store(&job->stop_at, 0);
    give_back(job, p, WRI_LOST);
    if (p->request) wri_coord_answer(c, p->request, err ? err : &ctx.err);
    wr_arena_destroy(p->arena);
}

/* ---- metadata -------------------------------------------------------------------------------- */

static wr_status
fill_operator(wr_ctx *ctx, wr_job *job, const wri_pending *p, const wri_vertex *v, uint32_t node,
              wr_arena *a, wr_ckpt_operator *out)
{
    const wr_pnode *n = v->nodes[node];
    *out = (wr_ckpt_operator){.logical_id = job->ids[n->id - 1],
                              .name = n->label,
                              .parallelism = v->parallelism,
                              .max_parallelism = job->env.max_parallelism,
                              .subtask_count = v->parallelism};
    out->subtasks = WR_NEW_N(a, wr_ckpt_subtask, v->parallelism);
    WR_TRY_ALLOC(ctx, out->subtasks);
    for (uint32_t i = 0; i < v->parallelism; i++) {
        const wri_part *part = &p->parts[v->first_task + i]->parts[node];
        out->subtasks[i] = (wr_ckpt_subtask){.subtask = i,
                                             .finished = part->finished,
                                             .ops = part->ops,
                                             .keyed = part->keyed,
                                             .inflight = part->inflight};
    }
    return WR_OK;
}

static wr_status
fill_meta(wr_ctx *ctx, wr_job *job, const wri_pending *p, wr_arena *a, wr_ckpt_meta *m)
{
    *m = (wr_ckpt_meta){.version = 1,
                        .kind = p->flags.kind,
                        .id = p->id,
                        .time_ms = p->trigger_ms,
                        .job_id = job->env.id,
                        .job_name = job->env.name,
                        .weir_version = WR_STR(WR_BUILD_VERSION),
                        .sql = job->env.sql};
    m->operators = WR_NEW_N(a, wr_ckpt_operator, job->plan->node_count);
    WR_TRY_ALLOC(ctx, m->operators);
    for (uint32_t v = 0; v < job->graph.vertex_count; v++)
        for (uint32_t k = 0; k < job->graph.vertices[v].node_count; k++)
            WR_TRY(fill_operator(ctx, job, p, &job->graph.vertices[v], k, a,
                                 &m->operators[m->operator_count++]));
    return WR_OK;
}

static void
stat_parts(wr_job *job, const wri_pending *p, const wr_ckpt_meta *m)
{
    wr_checkpoint_stat *s = stat_of(&job->coord, p->id);
    s->bytes = wr_ckpt_bytes(m);
    for (uint32_t i = 0; i < job->task_count; i++)
        for (uint32_t k = 0; k < p->parts[i]->part_count; k++) {
            const wri_part *part = &p->parts[i]->parts[k];
            s->bytes_written += wr_opstate_bytes(&part->ops);
            if (part->keyed) s->bytes_written += part->keyed->bytes_written;
        }
}

/* What is committed when: a savepoint that does not stop the job is only for others. */
static bool
commits(const wri_pending *p)
{
    return !p->savepoint || p->flags.stop || p->flags.final;
}

static wr_status
publish(wr_ctx *ctx, wr_job *job, wri_pending *p, wr_ckpt_meta *m)
{
    wri_coord *c = &job->coord;
    WR_TRY(fill_meta(ctx, job, p, p->arena, m));
    wr_str path = wr_ckpt_path(p->ckpt);
    wr_os_mutex_lock(&c->mutex);
    stat_parts(job, p, m);
    (void)snprintf(stat_of(c, p->id)->path, sizeof stat_of(c, p->id)->path, "%.*s",
                   WR_STR_ARG(path));
    if (p->request)
        (void)snprintf(p->request->path, sizeof p->request->path, "%.*s", WR_STR_ARG(path));
    wr_os_mutex_unlock(&c->mutex);
    wr_os_crash_point("before-publish");
    wr_ckpt *ckpt = p->ckpt;
    p->ckpt = NULL;
    WR_TRY(wr_ckpt_publish(ctx, ckpt, m));
    wr_os_crash_point("after-publish");
    return WR_OK;
}

static void
tell_tasks(wr_job *job, uint64_t id)
{
    for (uint32_t i = 0; i < job->task_count; i++) wr_os_store(&job->tasks[i]->barrier.told, id);
}

wr_status
wri_pending_complete(wr_ctx *ctx, wr_job *job, wri_pending *p, bool *published)
{
    wri_coord *c = &job->coord;
    wr_ckpt_meta m;
    if (p->flags.stored) WR_TRY(publish(ctx, job, p, &m));
    *published = true;
    wr_status status = WR_OK;
    if (p->flags.stored && commits(p)) {
        c->last_completed = p->savepoint ? c->last_completed : p->id;
        c->full_next = false;
        status = wri_commit_sinks(ctx, job, &m, p->id, p->flags.final);
        if (status == WR_OK) tell_tasks(job, p->id);
    }
    unlink_pending(job, p);
    wr_os_mutex_lock(&c->mutex);
    stat_end(c, p, WR_CHECKPOINT_COMPLETED, "");
    wr_os_mutex_unlock(&c->mutex);
    c->last_end_ns = wr_os_now_ns();
    if (status == WR_OK && p->flags.stop) c->stopped_in_order = true;
    give_back(job, p, p->savepoint ? WRI_LOST : WRI_KEPT);
    if (p->request) wri_coord_answer(c, p->request, &ctx->err);
    wr_arena_destroy(p->arena);
    return status;
}
