/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a job: created -> running -> (finished | failing -> failed | cancelling -> canceled).
 */
#include "runtime/runtime_int.h"

const char *
wr_job_state_name(wr_job_state s)
{
    static const char *const names[] = {
        [WR_JOB_CREATED] = "CREATED",       [WR_JOB_RUNNING] = "RUNNING",
        [WR_JOB_FAILING] = "FAILING",       [WR_JOB_FAILED] = "FAILED",
        [WR_JOB_CANCELLING] = "CANCELLING", [WR_JOB_CANCELED] = "CANCELED",
        [WR_JOB_FINISHED] = "FINISHED"};
    return names[s];
}

static wr_status
job_out(void *arg, wr_str text)
{
    wr_job *job = arg;
    wr_os_mutex_lock(&job->out_mutex);
    wr_status status = job->env.out ? job->env.out(job->env.arg, text) : WR_OK;
    wr_os_mutex_unlock(&job->out_mutex);
    return status;
}

static wr_status
job_err(void *arg, wr_str text)
{
    wr_job *job = arg;
    wr_os_mutex_lock(&job->out_mutex);
    wr_status status = job->env.err ? job->env.err(job->env.arg, text) : WR_OK;
    wr_os_mutex_unlock(&job->out_mutex);
    return status;
}

static uint32_t
choose_workers(const wr_job *job)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < job->graph.vertex_count; i++)
        most = WR_MAX(most, job->graph.vertices[i].parallelism);
    uint32_t wanted = job->env.workers ? job->env.workers : wr_os_cpu_count();
    return WR_MIN(wanted, most);
}

static wr_status
init_job(wr_ctx *ctx, wr_job *job)
{
    if (job->env.parallelism == 0) job->env.parallelism = 1;
    if (job->env.max_parallelism == 0) job->env.max_parallelism = WR_KEY_GROUPS_DEFAULT;
    if (job->env.max_parallelism < job->env.parallelism)
        return wr_raise(ctx, WR_OPTION,
                        "pipeline.max-parallelism %u is lower than the parallelism %u",
                        job->env.max_parallelism, job->env.parallelism);
    job->sink_env = (wr_sink_env){.eval = job->env.eval,
                                  .config = job->env.config,
                                  .job = job,
                                  .out = job_out,
                                  .err = job_err,
                                  .arg = job};
    WR_TRY(wri_graph_make(ctx, job->plan, &job->env, job->arena, &job->graph));
    job->worker_count = choose_workers(job);
    job->workers = WR_NEW_N(job->arena, wri_worker, job->worker_count);
    WR_TRY_ALLOC(ctx, job->workers);
    for (uint32_t i = 0; i < job->worker_count; i++) {
        job->workers[i].job = job;
        job->workers[i].index = i;
        wr_os_event_init(&job->workers[i].event);
    }
    return wri_job_build(ctx, job);
}

wr_status
wr_job_create(wr_ctx *ctx, const wr_plan *plan, const wr_job_env *env, wr_job **out)
{
    *out = NULL;
    wr_arena *arena = wr_arena_create(env->budget, 0);
    WR_TRY_ALLOC(ctx, arena);
    wr_job *job = WR_NEW(arena, wr_job);
    if (!job) {
        wr_arena_destroy(arena);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    job->arena = arena;
    job->plan = plan;
    job->env = *env;
    job->budget = env->budget;
    wr_os_mutex_init(&job->mutex);
    wr_os_mutex_init(&job->out_mutex);
    wr_os_cond_init(&job->changed);
    wr_status status = init_job(ctx, job);
    if (status != WR_OK) {
        wr_job_destroy(job);
        return status;
    }
    *out = job;
    return WR_OK;
}

static wr_status
start_threads(wr_ctx *ctx, wr_job *job, uint32_t first)
{
    wri_job_set_state(job, WR_JOB_RUNNING);
    job->running_workers = job->worker_count;
    for (uint32_t i = first; i < job->worker_count; i++) {
        wri_worker *w = &job->workers[i];
        wr_status status = wr_os_thread_start(ctx, &w->thread, "weir-worker", wri_worker_loop, w);
        if (status != WR_OK) { /* those that do not run count as ended */
            wri_job_fail(job, &ctx->err);
            wr_os_mutex_lock(&job->mutex);
            job->running_workers -= job->worker_count - i + (first ? 1 : 0);
            if (job->running_workers == 0) wri_job_set_state(job, WR_JOB_FAILED);
            wr_os_mutex_unlock(&job->mutex);
            return status;
        }
        w->started = true;
    }
    return WR_OK;
}

wr_status
wr_job_start(wr_ctx *ctx, wr_job *job)
{
    job->cancel = ctx->cancel;
    return start_threads(ctx, job, 0);
}

static void
join(wr_job *job)
{
    for (uint32_t i = 0; i < job->worker_count; i++) {
        if (job->workers[i].started) wr_os_thread_join(&job->workers[i].thread);
        job->workers[i].started = false;
    }
}

wr_status
wr_job_run(wr_ctx *ctx, wr_job *job)
{
    job->cancel = ctx->cancel;
    WR_TRY(start_threads(ctx, job, 1));
    wri_worker_loop(&job->workers[0]);
    join(job);
    return wr_job_result(ctx, job);
}

static bool
has_ended(const wr_job *job)
{
    return job->state == WR_JOB_FAILED || job->state == WR_JOB_CANCELED ||
           job->state == WR_JOB_FINISHED;
}

bool
wr_job_wait(wr_job *job, int64_t timeout_ms)
{
    int64_t until = wr_os_now_ns() + timeout_ms * 1000000;
    wr_os_mutex_lock(&job->mutex);
    while (!has_ended(job)) {
        if (timeout_ms < 0) {
            wr_os_cond_wait(&job->changed, &job->mutex);
        } else {
            int64_t left = until - wr_os_now_ns();
            if (left <= 0 || !wr_os_cond_wait_for(&job->changed, &job->mutex, left)) break;
        }
    }
    bool ended = has_ended(job);
    wr_os_mutex_unlock(&job->mutex);
    return ended;
}

wr_status
wr_job_result(wr_ctx *ctx, wr_job *job)
{
    WR_ASSERT(has_ended(job));
    if (job->state == WR_JOB_CANCELED) return wr_raise(ctx, WR_CANCELLED, "the job was cancelled");
    if (job->state == WR_JOB_FAILED) {
        if (ctx->err.status == WR_OK) ctx->err = job->error;
        return job->error.status;
    }
    return WR_OK;
}

wr_job_state
wr_job_get_state(const wr_job *job)
{
    return (wr_job_state)wr_os_load(&job->state);
}

void
wr_job_destroy(wr_job *job)
{
    if (!job) return;
    if (job->state == WR_JOB_RUNNING) wr_job_cancel(job);
    join(job);
    wri_job_tear_down(job);
    for (uint32_t i = 0; i < job->worker_count; i++) wr_os_event_deinit(&job->workers[i].event);
    wr_os_cond_deinit(&job->changed);
    wr_os_mutex_deinit(&job->mutex);
    wr_os_mutex_deinit(&job->out_mutex);
    wr_arena_destroy(job->arena);
}

uint32_t
wr_job_metric_count(const wr_job *job)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < job->task_count; i++) n += job->tasks[i]->inst_count;
    return n;
}

static const wri_inst *
inst_at(const wr_job *job, uint32_t index)
{
    for (uint32_t i = 0; i < job->task_count; i++) {
        if (index < job->tasks[i]->inst_count) return job->tasks[i]->insts[index];
        index -= job->tasks[i]->inst_count;
    }
    return NULL;
}

const wr_op_metrics *
wr_job_metric(const wr_job *job, uint32_t index)
{
    const wri_inst *inst = inst_at(job, index);
    return inst ? &inst->metrics : NULL;
}

/* The table below a watermark assigner; zero-terminated. */
static const char *
source_name(const wr_pnode *node)
{
    const wr_pnode *n = node;
    while (n->kind != WR_P_SCAN && n->input_count == 1) n = n->inputs[0];
    bool known = n->kind == WR_P_SCAN && n->u.scan.spec.table && n->u.scan.spec.table->id.name.len;
    return known ? n->u.scan.spec.table->id.name.ptr : node->label.ptr;
}

void
wr_job_get_progress(const wr_job *job, wr_job_progress *out)
{
    bool unknown = false;
    *out = (wr_job_progress){.watermark = INT64_MAX, .sources_idle = true};
    uint32_t n = wr_job_metric_count(job);
    for (uint32_t i = 0; i < n; i++) {
        const wri_inst *inst = inst_at(job, i);
        if (inst->source) {
            out->rows_in += wr_os_load_relaxed(&inst->metrics.records_in);
            uint64_t total = wr_os_load_relaxed(&inst->source->bytes_total);
            uint64_t bytes = wr_os_load_relaxed(&inst->metrics.bytes_in);
            out->bytes_in += bytes;
            out->bytes_total += total;
            unknown |= total == 0 && !inst->source->ended;
            if (!inst->source->ended && wr_os_load_relaxed(&inst->source->wake_at_ms) == 0)
                out->sources_idle = false;
        }
        if (inst->node->kind == WR_P_WATERMARK) {
            int64_t wm = wr_os_load_relaxed(&inst->forwarded);
            if (wm < out->watermark) {
                out->watermark = wm;
                out->waits_for = source_name(inst->node);
            }
        }
        if (inst->node->kind == WR_P_SINK || inst->node->kind == WR_P_COLLECT)
            out->rows_out += wr_os_load_relaxed(&inst->metrics.records_in);
    }
    if (unknown) out->bytes_total = 0;
    if (out->watermark == INT64_MAX) out->watermark = INT64_MIN;
}

uint32_t
wr_job_task_count(const wr_job *job)
{
    return job->task_count;
}
