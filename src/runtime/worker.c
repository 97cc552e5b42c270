/* SPDX-License-Identifier: Apache-2.0 */
/* Workers run the tasks they own, round after round, and sleep when nothing can move. */
#include "runtime/runtime_int.h"

void
wri_job_set_state(wr_job *job, wr_job_state s)
{
    static const uint8_t allowed[] = {
        [WR_JOB_CREATED] = 1u << WR_JOB_RUNNING | 1u << WR_JOB_CANCELED,
        [WR_JOB_RUNNING] = 1u << WR_JOB_FAILING | 1u << WR_JOB_CANCELLING | 1u << WR_JOB_FINISHED |
                           1u << WR_JOB_RESTARTING,
        [WR_JOB_RESTARTING] = 1u << WR_JOB_FAILING | 1u << WR_JOB_CANCELLING | 1u << WR_JOB_RUNNING,
        [WR_JOB_FAILING] = 1u << WR_JOB_FAILED,
        [WR_JOB_CANCELLING] = 1u << WR_JOB_CANCELED | 1u << WR_JOB_FAILING | 1u << WR_JOB_FINISHED,
    };
    wr_job_state old = wr_job_get_state(job);
    WR_ASSERT(old < WR_COUNT(allowed) && (allowed[old] >> s & 1));
    wr_os_store(&job->state, (int)s);
}

void
wri_job_wake(wr_job *job)
{
    for (uint32_t i = 0; i < job->worker_count; i++) wr_os_event_set(&job->workers[i].event);
}

/* Every task gives up. */
static void
stop_all(wr_job *job)
{
    wr_os_store_seq(&job->stop, 1);
    for (uint32_t i = 0; i < job->region_count; i++) {
        int running = WRI_RUNS;
        (void)wr_os_cas(&job->regions[i].stop, &running, WRI_STOPS_WITH_JOB);
    }
    wri_job_wake(job);
}

void
wri_job_fail(wr_job *job, const wr_err *err)
{
    wr_os_mutex_lock(&job->mutex);
    wr_job_state state = wr_job_get_state(job);
    if (state == WR_JOB_RUNNING || state == WR_JOB_RESTARTING ||
        (state == WR_JOB_CANCELLING && err->status != WR_CANCELLED)) {
        job->error = *err;
        wri_job_set_state(job, WR_JOB_FAILING);
    }
    wr_os_mutex_unlock(&job->mutex);
    stop_all(job);
}

void
wr_job_cancel(wr_job *job)
{
    wr_os_mutex_lock(&job->mutex);
    wr_job_state state = wr_job_get_state(job);
    if (state == WR_JOB_RUNNING || state == WR_JOB_RESTARTING)
        wri_job_set_state(job, WR_JOB_CANCELLING);
    wr_os_mutex_unlock(&job->mutex);
    stop_all(job);
}

/* One round over the tasks. False when the worker has nothing more to do for ever. */
static bool
run_round(wri_worker *w, bool *progress, int64_t *wake_ms)
{
    wr_job *job = w->job;
    bool living = false;
    for (uint32_t i = 0; i < w->task_count; i++) {
        wri_task *t = w->tasks[i];
        if (wr_os_load_seq(&t->region->stop)) {
            living = true;
            continue;
        }
        if (t->done) continue;
        living = true;
        if (wri_task_run(&t->ctx, t, progress, wake_ms) != WR_OK &&
            !wri_coord_trouble(job, t->region, &t->ctx.err))
            return false;
        *progress |= t->done; /* let go: nothing to rest for */
    }
    if (w->index == 0 && living && job->discoveries.count) {
        wr_ctx ctx;
        wr_ctx_init(&ctx);
        if (wri_sources_recheck(&ctx, job, wr_os_wall_ms(), wake_ms) != WR_OK &&
            !wri_coord_trouble(job, NULL, &ctx.err))
            return false;
    }
    return living;
}

void
wri_job_end(wr_job *job)
{
    wr_os_mutex_lock(&job->mutex);
    wr_job_state state = wr_job_get_state(job);
    wr_job_state end = state == WR_JOB_FAILING      ? WR_JOB_FAILED
                       : state == WR_JOB_CANCELLING ? WR_JOB_CANCELED
                                                    : WR_JOB_FINISHED;
    wr_os_mutex_unlock(&job->mutex);
    wri_store_close(job, end);
    wr_os_mutex_lock(&job->mutex);
    if (wr_job_get_state(job) == WR_JOB_FAILING) end = WR_JOB_FAILED;
    wri_job_set_state(job, end); /* FINISHED also where somebody cancels meanwhile: too late */
    wr_os_cond_broadcast(&job->changed);
    wr_os_mutex_unlock(&job->mutex);
}

/* Workers that leave, or never came. The last one ends the job, unless the coordinator does. */
void
wri_job_leave(wr_job *job, uint32_t workers)
{
    wr_os_mutex_lock(&job->mutex);
    job->running_workers -= workers;
    bool last = job->running_workers == 0;
    wr_os_mutex_unlock(&job->mutex);
    if (!last) return;
    wr_os_mutex_lock(&job->coord.mutex);
    bool coordinated = job->coord.running;
    job->coord.workers_gone = true;
    wr_os_cond_broadcast(&job->coord.changed);
    wr_os_mutex_unlock(&job->coord.mutex);
    if (!coordinated) wri_job_end(job);
}

static void
publish_all(wri_worker *w)
{
    for (uint32_t i = 0; i < w->task_count; i++)
        if (wr_os_load_seq(&w->tasks[i]->region->stop) != WRI_STOPS_ALONE &&
            w->tasks[i]->unpublished)
            wri_task_publish(w->tasks[i]);
}

static void
rest(wri_worker *w, int64_t wake_ms)
{
    int64_t wait = WRI_SLEEP_MS_MAX;
    if (wake_ms != INT64_MAX) wait = WR_MIN(WR_MAX(wake_ms - wr_os_wall_ms(), 0), wait);
    if (wait == 0) return;
    publish_all(w);
    (void)wr_os_event_wait(&w->event, wait * 1000000);
}

void
wri_worker_loop(void *arg)
{
    wri_worker *w = arg;
    wr_job *job = w->job;
    while (!wr_os_load(&job->stop)) {
        bool progress = false;
        int64_t wake_ms = INT64_MAX;
        w->again = false;
        wr_os_store_seq(&w->round, w->round + 1);
        if (!run_round(w, &progress, &wake_ms)) break;
        if (job->cancel && wr_os_load_relaxed(job->cancel)) wr_job_cancel(job);
        if (!progress && !w->again) rest(w, wake_ms);
    }
    publish_all(w);
    wr_os_store_seq(&w->round, UINT64_MAX);
    wri_job_leave(job, 1);
}
