/* SPDX-License-Identifier: Apache-2.0 */
/* Regions fail, wait, and run again.
 *
 * A region that fails is stopped at once (its flag, by whoever noticed); its tasks belong to the
 * coordinator when every worker has begun another round since. It is torn down, waits as long as
 * the restart strategy says, and is built again from the last completed checkpoint; others go on.
 * What concerns the whole job, and the failover strategy "full", stop every region. */
#include <stdio.h>

#include "runtime/runtime_int.h"

#define WRI_LOOK_NS 200000 /* how often it looks whether the workers have left */

static void
wait_for_workers(wr_job *job)
{
    for (uint32_t i = 0; i < job->worker_count; i++) {
        const uint64_t *at = &job->workers[i].round;
        uint64_t seen = wr_os_load_seq(at);
        while (seen != UINT64_MAX && wr_os_load_seq(at) == seen) {
            wri_job_wake(job);
            wr_os_sleep_ns(WRI_LOOK_NS);
        }
    }
}

/* *undrained: the savepoint that the job was drained for is among them, so its sources go on. */
static void
fail_all_pending(wr_job *job, const wr_err *err, bool *undrained)
{
    wri_coord *c = &job->coord;
    while (c->pending) {
        bool stop = c->pending->flags.stop || c->pending->flags.final;
        *undrained |= c->pending->flags.final && c->pending->request;
        wri_pending_fail(job, c->pending, err, "The job has failed.");
        if (stop) c->stopping = false;
    }
    if (*undrained) wr_os_store(&job->drain, 0);
}

/* The tasks have stopped: what they froze is released here. */
void
wri_region_release(wri_region *region)
{
    wr_job *job = region->job;
    for (uint32_t i = 0; i < job->task_count; i++) {
        wri_task *t = job->tasks[i];
        if (t->region != region) continue;
        wri_snapshot_forget(job, t);
        wri_frozen *f = t->barrier.frozen;
        if (f) wri_frozen_release(f, wr_os_load(&f->verdict) == WRI_KEPT);
        t->barrier.frozen = NULL;
        if (t->barrier.recording) wri_frozen_release(t->barrier.recording, false);
        t->barrier.recording = NULL;
        if (t->ended) wr_os_add(&job->ended_tasks, UINT32_MAX);
        t->ended = false;
    }
    wri_region_tear_down(region);
}

bool
wri_failover_all_up(const wr_job *job)
{
    for (uint32_t i = 0; i < job->region_count; i++)
        if (job->regions[i].restart_at_ns) return false;
    return true;
}

static void
set_state(wr_job *job, wr_job_state from, wr_job_state to)
{
    wr_os_mutex_lock(&job->mutex);
    if (wr_job_get_state(job) == from) wri_job_set_state(job, to);
    wr_os_cond_broadcast(&job->changed);
    wr_os_mutex_unlock(&job->mutex);
}

/* Has anything failed? Then `err` is the first; *everything: it concerns the whole job. */
static bool
take_failures(wr_job *job, wr_err *err, bool *everything)
{
    wri_coord *c = &job->coord;
    bool any = false;
    wr_os_mutex_lock(&c->mutex);
    *everything = c->trouble;
    if (c->trouble) *err = c->error;
    any = c->trouble;
    c->trouble = false;
    for (uint32_t i = 0; i < job->region_count; i++) {
        wri_region *r = &job->regions[i];
        if (!r->failed) continue;
        if (!any) *err = r->error;
        any = true;
    }
    wr_os_mutex_unlock(&c->mutex);
    return any;
}

static void
stop_regions(wr_job *job, bool everything)
{
    wri_coord *c = &job->coord;
    wr_os_mutex_lock(&c->mutex);
    for (uint32_t i = 0; everything && i < job->region_count; i++)
        wr_os_store_seq(&job->regions[i].stop, WRI_STOPS_ALONE);
    wr_os_mutex_unlock(&c->mutex);
    wait_for_workers(job);
}

static void
give_up(wr_job *job, const wr_err *err)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    ctx.err = *err;
    wr_frame(&ctx, "Recovery is suppressed by %s", job->coord.restart.text);
    wri_job_fail(job, &ctx.err);
}

void
wri_failover_take(wr_job *job)
{
    wri_coord *c = &job->coord;
    wr_err err;
    bool everything = false;
    if (!take_failures(job, &err, &everything)) return;
    int64_t delay_ms = 0, now = wr_os_now_ns();
    if (wri_is_poison(c, &err, everything)) {
        wri_job_fail(job, &err);
        return;
    }
    if (!wri_restart_allowed(&c->restart, now / 1000000, &delay_ms)) {
        give_up(job, &err);
        return;
    }
    wri_coord_remark(job, "failed and is run again in %.1f s: %s%s%s%s", (double)delay_ms / 1000.0,
                     err.message, err.frame_count ? " (" : "", err.frame_count ? err.frame[0] : "",
                     err.frame_count ? ")" : "");
    set_state(job, WR_JOB_RUNNING, WR_JOB_RESTARTING);
    fail_all_pending(job, &err, &everything);
    stop_regions(job, everything || !c->options.by_region);
    for (uint32_t i = 0; i < job->region_count; i++) {
        wri_region *r = &job->regions[i];
        if (!wr_os_load_seq(&r->stop) || (r->restart_at_ns && !everything)) continue;
        if (r->built) wri_region_release(r);
        r->restart_at_ns = now + delay_ms * 1000000;
        wr_os_mutex_lock(&c->mutex);
        r->failed = false;
        wr_os_mutex_unlock(&c->mutex);
    }
}

/* Everything that waits and is due, from the last checkpoint. */
static wr_status
build(wr_ctx *ctx, wr_job *job, int64_t now)
{
    int64_t begin = wr_os_now_ns();
    wri_coord *c = &job->coord;
    WR_TRY(wri_restore_latest(ctx, job));
    if (job->restored && job->restored->meta->id > c->committed)
        WR_TRY(wri_commit_sinks(ctx, job, job->restored->meta, job->restored->meta->id, false));
    wr_os_mutex_lock(&job->splits_mutex);
    wr_status status = wri_sources_reset(ctx, job);
    for (uint32_t i = 0; i < job->region_count && status == WR_OK; i++) {
        wri_region *r = &job->regions[i];
        if (r->restart_at_ns && r->restart_at_ns <= now) status = wri_region_build(ctx, r);
    }
    wr_os_mutex_unlock(&job->splits_mutex);
    wr_os_mutex_lock(&c->mutex);
    c->counts.restarts++;
    wri_restore_count(job, begin);
    wr_os_mutex_unlock(&c->mutex);
    return status;
}

void
wri_failover_restart(wr_job *job, int64_t now_ns, int64_t *next_ns)
{
    bool due = false;
    for (uint32_t i = 0; i < job->region_count; i++) {
        int64_t at = job->regions[i].restart_at_ns;
        if (!at) continue;
        due |= at <= now_ns;
        *next_ns = WR_MIN(*next_ns, at);
    }
    if (!due) return;
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    ctx.cancel = &job->stop;
    if (build(&ctx, job, now_ns) != WR_OK) {
        (void)wri_coord_trouble(job, NULL, &ctx.err);
        return;
    }
    for (uint32_t i = 0; i < job->region_count; i++) {
        wri_region *r = &job->regions[i];
        if (!r->restart_at_ns || r->restart_at_ns > now_ns) continue;
        r->restart_at_ns = 0;
        wr_os_store_seq(&r->stop, WRI_RUNS);
        if (wr_os_load_seq(&job->stop)) wr_os_store_seq(&r->stop, WRI_STOPS_WITH_JOB);
    }
    job->coord.next_trigger_ns = wr_os_now_ns() + job->coord.options.interval_ms * 1000000;
    if (wri_failover_all_up(job)) set_state(job, WR_JOB_RESTARTING, WR_JOB_RUNNING);
    wri_job_wake(job);
}
