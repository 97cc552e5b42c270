/* SPDX-License-Identifier: Apache-2.0 */
/* Workers run the tasks they own, round after round, and sleep when nothing can move. */
#include "runtime/runtime_int.h"

void
wri_job_set_state(wr_job *job, wr_job_state s)
{
    static const uint8_t allowed[] = {
        [WR_JOB_CREATED] = 1u << WR_JOB_RUNNING | 1u << WR_JOB_CANCELED,
        [WR_JOB_RUNNING] = 1u << WR_JOB_FAILING | 1u << WR_JOB_CANCELLING | 1u << WR_JOB_FINISHED,
        [WR_JOB_FAILING] = 1u << WR_JOB_FAILED,
        [WR_JOB_CANCELLING] = 1u << WR_JOB_CANCELED | 1u << WR_JOB_FAILING,
    };
    wr_job_state old = wr_job_get_state(job);
    WR_ASSERT(old < WR_COUNT(allowed) && (allowed[old] >> s & 1));
    wr_os_store(&job->state, (int)s);
}

static void
wake_all(wr_job *job)
{
    for (uint32_t i = 0; i < job->worker_count; i++) wr_os_event_set(&job->workers[i].event);
}

void
wri_job_fail(wr_job *job, const wr_err *err)
{
    wr_os_mutex_lock(&job->mutex);
    wr_job_state state = wr_job_get_state(job);
    if (state == WR_JOB_RUNNING || (state == WR_JOB_CANCELLING && err->status != WR_CANCELLED)) {
        job->error = *err;
        wri_job_set_state(job, WR_JOB_FAILING);
    }
    wr_os_mutex_unlock(&job->mutex);
    wr_os_store(&job->stop, 1);
    wake_all(job);
}

void
wr_job_cancel(wr_job *job)
{
    wr_os_mutex_lock(&job->mutex);
    if (wr_job_get_state(job) == WR_JOB_RUNNING) wri_job_set_state(job, WR_JOB_CANCELLING);
    wr_os_mutex_unlock(&job->mutex);
    wr_os_store(&job->stop, 1);
    wake_all(job);
}

/* One round over the tasks. False when the worker has nothing more to do for ever. */
static bool
run_round(wri_worker *w, bool *progress, int64_t *wake_ms)
{
    wr_job *job = w->job;
    bool living = false;
    for (uint32_t i = 0; i < w->task_count; i++) {
        wri_task *t = w->tasks[i];
        if (t->done) continue;
        living = true;
        if (wri_task_run(&t->ctx, t, progress, wake_ms) != WR_OK) {
            wri_job_fail(job, &t->ctx.err);
            return false;
        }
    }
    if (w->index == 0 && living && job->discoveries.count) {
        wr_ctx ctx;
        wr_ctx_init(&ctx);
        if (wri_sources_recheck(&ctx, job, wr_os_wall_ms(), wake_ms) != WR_OK) {
            wri_job_fail(job, &ctx.err);
            return false;
        }
    }
    return living;
}

static void
finish(wr_job *job)
{
    wr_os_mutex_lock(&job->mutex);
    if (--job->running_workers == 0) {
        wr_job_state state = wr_job_get_state(job);
        wri_job_set_state(job, state == WR_JOB_FAILING      ? WR_JOB_FAILED
                               : state == WR_JOB_CANCELLING ? WR_JOB_CANCELED
                                                            : WR_JOB_FINISHED);
        wr_os_cond_broadcast(&job->changed);
    }
    wr_os_mutex_unlock(&job->mutex);
}

static void
publish_all(wri_worker *w)
{
    for (uint32_t i = 0; i < w->task_count; i++)
        if (w->tasks[i]->unpublished) wri_task_publish(w->tasks[i]);
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
        if (!run_round(w, &progress, &wake_ms)) break;
        if (job->cancel && wr_os_load_relaxed(job->cancel)) wr_job_cancel(job);
        if (!progress && !w->again) rest(w, wake_ms);
    }
    publish_all(w);
    finish(job);
}
