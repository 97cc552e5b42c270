/* SPDX-License-Identifier: Apache-2.0 */
/* The coordinator's thread: when checkpoints begin, what becomes of them, who is told. It looks at
 * everything in turn and sleeps until something changes or is due. Long work (publishing,
 * committing, building regions again) is done without its mutex. */
#include <stdio.h>

#include "runtime/runtime_int.h"

#define WRI_COORD_SLEEP_NS 1000000000 /* it looks at least that often */

/* ---- what other threads tell ----------------------------------------------------------------- */

bool
wri_coord_trouble(wr_job *job, wri_region *region, const wr_err *err)
{
    wri_coord *c = &job->coord;
    wr_os_mutex_lock(&c->mutex);
    bool restarts = c->running && c->restart.strategy != WRI_RESTART_NONE;
    bool *flag = region ? &region->failed : &c->trouble;
    wr_err *place = region ? &region->error : &c->error;
    if (restarts && !*flag && !(region && wr_os_load_seq(&region->stop))) {
        *flag = true;
        *place = *err;
        if (region) wr_os_store_seq(&region->stop, WRI_STOPS_ALONE);
        wr_os_cond_broadcast(&c->changed);
    }
    wr_os_mutex_unlock(&c->mutex);
    if (!restarts) wri_job_fail(job, err);
    return restarts;
}

/* The last task that ends lets all of them go when there is nobody to take a last checkpoint. */
void
wri_coord_task_ended(wri_task *t)
{
    wr_job *job = t->job;
    wri_coord *c = &job->coord;
    t->ended = true;
    wr_os_mutex_lock(&c->mutex);
    bool all = wr_os_add(&job->ended_tasks, 1u) == job->task_count;
    if (all && !c->running) wr_os_store(&job->release, 1);
    if (all) wr_os_cond_broadcast(&c->changed);
    wr_os_mutex_unlock(&c->mutex);
    if (all) wri_job_wake(job);
}

static wri_pending *
find_pending(wri_coord *c, uint64_t id)
{
    wri_pending *p = c->pending;
    while (p && p->id != id) p = p->next;
    return p;
}

wri_ckpt_flags
wri_coord_flags(wr_job *job, uint64_t id)
{
    wri_ckpt_flags flags = {0};
    wr_os_mutex_lock(&job->coord.mutex);
    const wri_pending *p = find_pending(&job->coord, id);
    if (p && !p->failed) flags = p->flags;
    wr_os_mutex_unlock(&job->coord.mutex);
    return flags;
}

void
wri_coord_give(wr_job *job, wri_frozen *take_f)
{
    wri_coord *c = &job->coord;
    wr_os_mutex_lock(&c->mutex);
    const wri_pending *p = find_pending(c, take_f->id);
    if (p) take_f->start_delay_ms -= p->trigger_ns / 1000000;
    take_f->start_delay_ms = WR_MAX(take_f->start_delay_ms, 0);
    take_f->next = NULL;
    if (c->last_to_write)
        c->last_to_write->next = take_f;
    else
        c->to_write = take_f;
    c->last_to_write = take_f;
    wr_os_cond_broadcast(&c->to_write_changed);
    wr_os_mutex_unlock(&c->mutex);
}

void
wri_coord_decline(wr_job *job, uint64_t id, const char *task, const char *reason)
{
    wri_coord *c = &job->coord;
    wr_os_mutex_lock(&c->mutex);
    wri_pending *p = find_pending(c, id);
    if (p && !p->failed) {
        p->failed = true;
        (void)snprintf(p->reason, sizeof p->reason, "%s declined it: %s", task, reason);
        wr_os_cond_broadcast(&c->changed);
    }
    wr_os_mutex_unlock(&c->mutex);
}

/* ---- its work -------------------------------------------------------------------------------- */

static bool
all_ended(const wr_job *job)
{
    return wr_os_load(&job->ended_tasks) == job->task_count;
}

static void
let_go(wr_job *job)
{
    wr_os_store(&job->release, 1);
    wri_job_wake(job);
}

static uint32_t
pending_count(const wri_coord *c)
{
    uint32_t n = 0;
    for (const wri_pending *p = c->pending; p; p = p->next) n++;
    return n;
}

/* The savepoint that a job was drained for could not be made: it goes on from its last checkpoint,
 * as after a failure, because its sources have been told that they end. */
static void
undrain(wr_job *job, const wr_err *err)
{
    wr_os_store(&job->drain, 0);
    job->coord.stopping = false;
    (void)wri_coord_trouble(job, NULL, err);
}

/* One that did not work. Flink counts the failures of periodic ones in a row; here that of a stop
 * is one of them, for it is tried again as long as failures are tolerated. */
static void
fail_pending(wr_job *job, wri_pending *p, const wr_err *err, const char *reason)
{
    wri_coord *c = &job->coord;
    bool counts = !p->savepoint;
    bool last = p->flags.stop || p->flags.final;
    bool drained = p->flags.final && p->request;
    char why[256];
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    (void)snprintf(why, sizeof why, "%s", reason);
    wri_pending_fail(job, p, err, reason);
    c->next_trigger_ns = WR_MAX(c->next_trigger_ns, wr_os_now_ns());
    if (last) c->stopping = false;
    if (drained) {
        (void)wr_raise(&ctx, WR_IO, "the savepoint of a drained job failed: %s", why);
        undrain(job, &ctx.err);
        return;
    }
    if (!counts) return;
    if (++c->failures_in_row <= c->options.tolerable) {
        wri_coord_remark(job, "a checkpoint failed (%u in a row, %u are tolerated): %s",
                         c->failures_in_row, c->options.tolerable, why);
        return;
    }
    (void)wr_raise(&ctx, WR_IO,
                   "Exceeded checkpoint tolerable failure threshold. The latest checkpoint failed "
                   "due to: %s",
                   why);
    c->failures_in_row = 0;
    (void)wri_coord_trouble(job, NULL, &ctx.err);
}

static void
complete(wr_job *job, wri_pending *p)
{
    wri_coord *c = &job->coord;
    wri_ckpt_flags flags = p->flags;
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    bool published = false;
    wr_status status = wri_pending_complete(&ctx, job, p, &published);
    if (status == WR_OK) {
        c->failures_in_row = 0;
        if (flags.stop || flags.final) let_go(job);
    } else if (published) { /* the commit failed: it runs again after a restart */
        (void)wri_coord_trouble(job, NULL, &ctx.err);
    } else {
        fail_pending(job, p, &ctx.err, ctx.err.message);
    }
}

/* The oldest one that all tasks have acknowledged, or that has failed or is late. */
static bool
settle_one(wr_job *job)
{
    wri_coord *c = &job->coord;
    bool failed = false, whole = false;
    int64_t now = wr_os_now_ns();
    wr_os_mutex_lock(&c->mutex);
    wri_pending *p = c->pending;
    for (; p; p = p->next) {
        failed = p->failed;
        whole = p->acknowledged == job->task_count;
        if (failed || whole || now >= p->deadline_ns) break;
    }
    wr_os_mutex_unlock(&c->mutex);
    if (!p) return false;
    if (failed)
        fail_pending(job, p, NULL, p->reason);
    else if (whole)
        complete(job, p);
    else
        fail_pending(job, p, NULL, "Checkpoint expired before completing.");
    return true;
}

static wri_request *
take_request(wri_coord *c)
{
    wr_os_mutex_lock(&c->mutex);
    wri_request *r = c->requests;
    if (r) c->requests = r->next;
    wr_os_mutex_unlock(&c->mutex);
    return r;
}

void
wri_coord_answer(wri_coord *c, wri_request *r, const wr_err *err)
{
    wr_os_mutex_lock(&c->mutex);
    /* A stop that did not work is still wanted: also of a job that is run again. */
    if (r == &c->stop_request && err->status != WR_OK) c->stop_wanted = true;
    r->error = *err;
    r->done = true;
    wr_os_cond_broadcast(&c->changed);
    wr_os_mutex_unlock(&c->mutex);
}

static wri_ckpt_flags
flags_of(const wri_coord *c, const wri_request *r)
{
    const wr_savepoint_request *s = r->savepoint;
    wri_ckpt_flags flags = {.wanted = true, .stored = s || c->options.enabled};
    flags.stop = !s || s->stop;
    flags.end_sinks = flags.stop && !c->options.enabled;
    flags.kind = s ? (s->native ? WR_SAVEPOINT_NATIVE : WR_SAVEPOINT_CANONICAL) : WR_CHECKPOINT;
    return flags;
}

static void
serve(wr_job *job, wri_request *r)
{
    wri_coord *c = &job->coord;
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_status status = WR_OK;
    wr_str dir;
    bool drain = r->savepoint && r->savepoint->stop && r->savepoint->drain;
    if (all_ended(job) && r->savepoint)
        status = wr_raise(&ctx, WR_SEMANTIC, "the job has ended");
    else if (c->stopping)
        status = wr_raise(&ctx, WR_SEMANTIC, "the job is being stopped already");
    else if (drain) /* the last checkpoint is the savepoint */
        status = wri_savepoint_dir(&ctx, c, r->savepoint, &dir);
    /* Behind the drain there is no way back: what can go wrong with the folder does so before. */
    if (status == WR_OK && drain) status = wr_ckpt_make_folder(&ctx, dir);
    if (status == WR_OK && drain) {
        c->end_request = r;
        c->stopping = true;
        wr_os_store(&job->drain, 1);
        wri_job_wake(job);
    } else if (status == WR_OK && !all_ended(job)) {
        wri_ckpt_flags flags = flags_of(c, r);
        status = wri_pending_begin(&ctx, job, flags, r);
        if (status == WR_OK) c->stopping = flags.stop;
    }
    if (status == WR_OK) return;
    wri_coord_answer(c, r, &ctx.err);
    if (r == &c->stop_request)
        (void)wri_coord_trouble(job, NULL, &ctx.err); /* nobody waits for it */
}

/* All input has ended: the last checkpoint, or nothing more to do. */
static void
end(wr_job *job)
{
    wri_coord *c = &job->coord;
    wri_request *r = c->end_request;
    bool stored = c->options.enabled || r;
    if (!stored || (job->restored && job->restored->all_done)) {
        let_go(job);
        return;
    }
    for (const wri_pending *p = c->pending; p; p = p->next)
        if (p->flags.final || p->flags.stop) return;
    wri_ckpt_flags flags = {.wanted = true, .stored = true, .final = true, .kind = WR_CHECKPOINT};
    if (r) flags.kind = r->savepoint->native ? WR_SAVEPOINT_NATIVE : WR_SAVEPOINT_CANONICAL;
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    c->stopping = true;
    c->end_request = NULL;
    if (wri_pending_begin(&ctx, job, flags, r) == WR_OK) return;
    if (!r) {
        (void)wri_coord_trouble(job, NULL, &ctx.err);
        return;
    }
    wri_coord_answer(c, r, &ctx.err);
    undrain(job, &ctx.err);
}

static void
trigger(wr_job *job, int64_t now, int64_t *next)
{
    wri_coord *c = &job->coord;
    const wri_ckpt_options *o = &c->options;
    if (!o->enabled || c->stopping) return;
    if (pending_count(c) >= o->max_concurrent) return;
    int64_t due = c->next_trigger_ns;
    if (c->last_end_ns) due = WR_MAX(due, c->last_end_ns + o->min_pause_ms * 1000000);
    if (now < due) {
        *next = WR_MIN(*next, due);
        return;
    }
    c->next_trigger_ns = WR_MAX(c->next_trigger_ns + o->interval_ms * 1000000, now);
    wri_ckpt_flags flags = {.wanted = true, .stored = true, .may_overtake = o->unaligned};
    flags.kind = c->full_next ? WR_CHECKPOINT_FULL : WR_CHECKPOINT;
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    if (wri_pending_begin(&ctx, job, flags, NULL) == WR_OK) return;
    if (++c->failures_in_row > o->tolerable)
        (void)wri_coord_trouble(job, NULL, &ctx.err);
    else
        wri_coord_remark(job, "a checkpoint could not begin (%u in a row, %u are tolerated): %s",
                         c->failures_in_row, o->tolerable, ctx.err.message);
}

static bool
stop_is_wanted(wri_coord *c)
{
    wr_os_mutex_lock(&c->mutex);
    bool wanted = c->stop_wanted && !c->stopping;
    if (wanted) c->stop_wanted = false;
    wr_os_mutex_unlock(&c->mutex);
    return wanted;
}

/* A stop does not wait until the next attempt is due: it is made now, once. A job that fails then
 * is given up. */
static void
hurry(wr_job *job, int64_t now)
{
    wri_coord *c = &job->coord;
    wr_os_mutex_lock(&c->mutex);
    const bool wanted = c->stop_wanted;
    wr_os_mutex_unlock(&c->mutex);
    if (!wanted) return;
    if (c->hurried) {
        wri_coord_remark(job, "failed when it was to stop and is given up: what its last "
                              "checkpoint says is safe");
        c->stopped_in_order = true; /* its checkpoints stay */
        wr_job_cancel(job);
        return;
    }
    c->hurried = true;
    for (uint32_t i = 0; i < job->region_count; i++)
        job->regions[i].restart_at_ns = WR_MIN(job->regions[i].restart_at_ns, now);
}

static void
look(wr_job *job, int64_t now, int64_t *next)
{
    wri_coord *c = &job->coord;
    wri_failover_take(job);
    while (settle_one(job)) {
    }
    if (!wri_failover_all_up(job)) hurry(job, now);
    wri_failover_restart(job, now, next);
    if (!wri_failover_all_up(job)) return;
    for (wri_request *r = take_request(c); r; r = take_request(c)) serve(job, r);
    if (stop_is_wanted(c)) serve(job, &c->stop_request);
    if (wr_os_load(&job->release)) return;
    if (all_ended(job))
        end(job);
    else
        trigger(job, now, next);
    for (wri_pending *p = c->pending; p; p = p->next) {
        *next = WR_MIN(*next, p->deadline_ns);
        wri_pending_overtake(job, p, now, next);
    }
}

/* Is there anything that look() would do now? Called with the mutex. */
static bool
has_work(const wr_job *job)
{
    const wri_coord *c = &job->coord;
    if (c->workers_gone) return true;
    if (wr_os_load(&job->stop)) return false;
    if (c->trouble) return true;
    for (uint32_t i = 0; i < job->region_count; i++)
        if (job->regions[i].failed) return true;
    for (const wri_pending *p = c->pending; p; p = p->next)
        if (p->failed || p->acknowledged == job->task_count) return true;
    if (c->stop_wanted && !c->stopping) return true;
    if (!wri_failover_all_up(job)) return false;
    return c->requests || (!wr_os_load(&job->release) && all_ended(job) && !c->pending);
}

static void
give_up_all(wr_job *job)
{
    wri_coord *c = &job->coord;
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    (void)wr_raise(&ctx, WR_CANCELLED, "the job has ended");
    while (c->pending) wri_pending_fail(job, c->pending, &ctx.err, "The job has ended.");
    if (c->end_request) wri_coord_answer(c, c->end_request, &ctx.err);
    for (wri_request *r = take_request(c); r; r = take_request(c)) wri_coord_answer(c, r, &ctx.err);
}

static void
coord_loop(void *arg)
{
    wr_job *job = arg;
    wri_coord *c = &job->coord;
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    c->writer_running =
        wr_os_thread_start(&ctx, &c->writer, "weir-snapshot", wri_snapshot_loop, job) == WR_OK;
    if (!c->writer_running) wri_job_fail(job, &ctx.err);
    for (;;) {
        int64_t now = wr_os_now_ns(), next = now + WRI_COORD_SLEEP_NS;
        wr_os_mutex_lock(&c->mutex);
        bool gone = c->workers_gone;
        wr_os_mutex_unlock(&c->mutex);
        if (gone) break;
        if (!wr_os_load(&job->stop)) look(job, now, &next);
        wr_os_mutex_lock(&c->mutex);
        int64_t left = next - wr_os_now_ns();
        if (!has_work(job) && left > 0) (void)wr_os_cond_wait_for(&c->changed, &c->mutex, left);
        wr_os_mutex_unlock(&c->mutex);
    }
    give_up_all(job);
    wr_os_mutex_lock(&c->mutex);
    c->writer_quits = true;
    wr_os_cond_broadcast(&c->to_write_changed);
    wr_os_mutex_unlock(&c->mutex);
    if (c->writer_running) wr_os_thread_join(&c->writer);
    c->writer_running = false;
    wri_job_end(job);
}

wr_status
wri_coord_start(wr_ctx *ctx, wr_job *job)
{
    wri_coord *c = &job->coord;
    c->next_trigger_ns = wr_os_now_ns() + c->options.interval_ms * 1000000;
    c->history = wr_mem_zalloc(job->budget, WRI_HISTORY * sizeof *c->history);
    WR_TRY_ALLOC(ctx, c->history);
    c->running = true; /* before the thread is there to read it */
    wr_status status = wr_os_thread_start(ctx, &c->thread, "weir-coord", coord_loop, job);
    if (status != WR_OK) c->running = false;
    return status;
}

void
wri_coord_join(wr_job *job)
{
    if (job->coord.running) wr_os_thread_join(&job->coord.thread);
    job->coord.running = false;
}

wr_status
wri_coord_init(wr_ctx *ctx, wr_job *job)
{
    wri_coord *c = &job->coord;
    c->next_id = 1;
    WR_TRY(wri_ckpt_options_read(ctx, job));
    c->counts.enabled = c->options.enabled;
    c->counts.may_restart = c->restart.strategy != WRI_RESTART_NONE;
    WR_TRY(wri_restore_find(ctx, job));
    /* A folder that cannot be written to is told now, not by every checkpoint. */
    return c->options.enabled && c->options.dir.len ? wri_store_open(ctx, job) : WR_OK;
}

/* ---- asked from outside ---------------------------------------------------------------------- */

/* The thread may be started by whoever asks first. *ok false: the job does not run. */
static wr_status
need_thread(wr_ctx *ctx, wr_job *job, bool *ok)
{
    wri_coord *c = &job->coord;
    wr_status status = WR_OK;
    wr_os_mutex_lock(&job->mutex);
    wr_job_state state = wr_job_get_state(job);
    *ok = state == WR_JOB_RUNNING || state == WR_JOB_RESTARTING;
    wr_os_mutex_lock(&c->mutex);
    bool start = *ok && !c->running && !c->workers_gone && !wr_os_load(&job->release);
    *ok &= start || c->running;
    if (start) status = wri_coord_start(ctx, job);
    wr_os_mutex_unlock(&c->mutex);
    wr_os_mutex_unlock(&job->mutex);
    return status;
}

static void
post(wr_job *job, wri_request *r)
{
    wri_coord *c = &job->coord;
    wri_request **end = &c->requests;
    while (*end) end = &(*end)->next;
    *end = r;
    wr_os_cond_broadcast(&c->changed);
}

static wr_status
not_running(wr_ctx *ctx, const wr_job *job)
{
    const wr_job_state state = wr_job_get_state(job);
    if (state == WR_JOB_RUNNING) /* its workers have gone, which it says in a moment */
        return wr_raise(ctx, WR_SEMANTIC, "the job has ended");
    return wr_raise(ctx, WR_SEMANTIC, "the job is not running: it is %s", wr_job_state_name(state));
}

wr_status
wr_job_savepoint(wr_ctx *ctx, wr_job *job, const wr_savepoint_request *req, wr_arena *a,
                 wr_str *path)
{
    wri_coord *c = &job->coord;
    bool ok = false;
    if (job->plan->batch)
        return wr_raise(ctx, WR_UNSUPPORTED, "savepoints are of streaming jobs; this one is batch");
    WR_TRY(need_thread(ctx, job, &ok));
    if (!ok) return not_running(ctx, job);
    wri_request r = {.savepoint = req};
    wr_os_mutex_lock(&c->mutex);
    if (c->workers_gone)
        r.done = true, ok = false;
    else
        post(job, &r);
    while (!r.done) wr_os_cond_wait(&c->changed, &c->mutex);
    wr_os_mutex_unlock(&c->mutex);
    if (!ok) return not_running(ctx, job);
    if (r.error.status != WR_OK) {
        if (ctx->err.status == WR_OK) ctx->err = r.error;
        return r.error.status;
    }
    *path = wr_arena_str(a, wr_str_c(r.path));
    WR_TRY_ALLOC(ctx, path->ptr);
    return WR_OK;
}

void
wr_job_stop(wr_job *job)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    bool ok = false;
    if (job->plan->batch || need_thread(&ctx, job, &ok) != WR_OK) {
        wr_job_cancel(job);
        return;
    }
    if (!ok) return;
    wr_os_mutex_lock(&job->coord.mutex);
    job->coord.stop_wanted = true;
    wr_os_cond_broadcast(&job->coord.changed);
    wr_os_mutex_unlock(&job->coord.mutex);
}
