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
        [WR_JOB_FINISHED] = "FINISHED",     [WR_JOB_RESTARTING] = "RESTARTING"};
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
widest(const wr_job *job)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < job->graph.vertex_count; i++)
        most = WR_MAX(most, job->graph.vertices[i].parallelism);
    return most;
}

static uint32_t
choose_workers(const wr_job *job)
{
    uint32_t wanted = job->env.workers ? job->env.workers : wr_os_cpu_count();
    return WR_MIN(wanted, widest(job));
}

/* Flink's rule: half as many again as the parallelism, rounded up to a power of two, 128 at least.
 */
static wr_status
choose_key_groups(wr_ctx *ctx, wr_job *job)
{
    uint32_t most = widest(job), max = job->env.max_parallelism;
    if (max && most > max)
        return wr_raise(ctx, WR_OPTION,
                        "parallelism (%u) is higher than the max parallelism (%u). Please lower "
                        "the parallelism or increase the max parallelism "
                        "(pipeline.max-parallelism).",
                        most, max);
    if (max) return WR_OK;
    if (job->restored && job->restored->meta->operator_count) {
        job->env.max_parallelism = job->restored->meta->operators[0].max_parallelism;
        return most <= job->env.max_parallelism ? WR_OK : choose_key_groups(ctx, job);
    }
    max = WR_KEY_GROUPS_DEFAULT;
    while (max < most + most / 2 && max < WR_KEY_GROUPS_MAX) max *= 2;
    job->env.max_parallelism = max;
    return WR_OK;
}

/* Sinks are named by their job: an id is needed, and logical ids of all nodes. */
static wr_status
choose_ids(wr_ctx *ctx, wr_job *job)
{
    if (!job->env.id.len) {
        uint64_t bits[2];
        wr_os_random(bits, sizeof bits);
        job->env.id = wr_arena_printf(job->arena, "%016llx%016llx", (unsigned long long)bits[0],
                                      (unsigned long long)bits[1]);
        WR_TRY_ALLOC(ctx, job->env.id.ptr);
    }
    job->ids = WR_NEW_N(job->arena, wr_str, job->plan->node_count + 1);
    WR_TRY_ALLOC(ctx, job->ids);
    for (uint32_t i = 0; i < job->plan->node_count; i++) {
        const wr_pnode *n = job->plan->nodes[i];
        job->ids[i] = n->logical_id.len ? n->logical_id
                                        : wr_arena_printf(job->arena, "%s-%u",
                                                          wr_pkind_name((wr_pkind)n->kind), n->id);
        WR_TRY_ALLOC(ctx, job->ids[i].ptr);
    }
    return WR_OK;
}

static wr_status
make_workers(wr_ctx *ctx, wr_job *job)
{
    uint32_t workers = choose_workers(job);
    job->workers = WR_NEW_N(job->arena, wri_worker, workers);
    WR_TRY_ALLOC(ctx, job->workers);
    job->worker_count = workers;
    for (uint32_t i = 0; i < job->worker_count; i++) {
        job->workers[i].job = job;
        job->workers[i].index = i;
        wr_os_event_init(&job->workers[i].event);
    }
    return WR_OK;
}

static wr_status
build_all(wr_ctx *ctx, wr_job *job)
{
    WR_TRY(wri_job_lay_out(ctx, job));
    if (job->restored)
        WR_TRY(wri_commit_sinks(ctx, job, job->restored->meta, job->restored->meta->id,
                                job->restored->all_done));
    WR_TRY(wri_sources_discover(ctx, job));
    WR_TRY(wri_align_init(ctx, job));
    for (uint32_t i = 0; i < job->region_count; i++)
        WR_TRY(wri_region_build(ctx, &job->regions[i]));
    return WR_OK;
}

static wr_status
init_job(wr_ctx *ctx, wr_job *job)
{
    if (job->env.parallelism == 0) job->env.parallelism = 1;
    int64_t begin = wr_os_now_ns();
    WR_TRY(choose_ids(ctx, job));
    WR_TRY(wri_coord_init(ctx, job));
    job->sink_env = (wr_sink_env){.eval = job->env.eval,
                                  .config = job->env.config,
                                  .job_id = job->env.id,
                                  .checkpointing = job->coord.options.enabled,
                                  .job = job,
                                  .out = job_out,
                                  .err = job_err,
                                  .arg = job};
    if (job->sink_env.checkpointing) WR_TRY(wri_log_dir(ctx, job, &job->sink_env.log_dir));
    WR_TRY(wri_graph_make(ctx, job->plan, &job->env, job->arena, &job->graph));
    WR_TRY(choose_key_groups(ctx, job));
    WR_TRY(wri_restore_check(ctx, job));
    WR_TRY(make_workers(ctx, job));
    WR_TRY(build_all(ctx, job));
    wri_restore_count(job, begin);
    return WR_OK;
}

/* The job's own memory: a budget, an arena in it, the struct in that. */
static wr_job *
make_job(const wr_job_env *env)
{
    wr_memtrack *budget = wr_memtrack_create(env->budget, "job", 0);
    wr_arena *arena = budget ? wr_arena_create(budget, 0) : NULL;
    wr_job *job = arena ? WR_NEW(arena, wr_job) : NULL;
    if (!job) {
        wr_arena_destroy(arena);
        wr_memtrack_destroy(budget);
        return NULL;
    }
    job->budget = budget;
    job->arena = arena;
    return job;
}

wr_status
wr_job_create(wr_ctx *ctx, const wr_plan *plan, const wr_job_env *env, wr_job **out)
{
    *out = NULL;
    wr_job *job = make_job(env);
    WR_TRY_ALLOC(ctx, job);
    job->plan = plan;
    job->env = *env;
    wr_os_mutex_init(&job->mutex);
    wr_os_mutex_init(&job->out_mutex);
    wr_os_mutex_init(&job->splits_mutex);
    wr_os_mutex_init(&job->clocks_mutex);
    wr_os_cond_init(&job->changed);
    wr_os_mutex_init(&job->coord.mutex);
    wr_os_cond_init(&job->coord.changed);
    wr_os_cond_init(&job->coord.to_write_changed);
    wr_status status = init_job(ctx, job);
    if (status != WR_OK) {
        wr_job_destroy(job);
        return status;
    }
    *out = job;
    return WR_OK;
}

/* Workers that could not be started count as ended. */
static void
give_up(wr_ctx *ctx, wr_job *job, uint32_t missing)
{
    wri_job_fail(job, &ctx->err);
    wri_job_leave(job, missing);
}

static wr_status
start_threads(wr_ctx *ctx, wr_job *job, uint32_t first)
{
    wr_os_mutex_lock(&job->mutex);
    wri_job_set_state(job, WR_JOB_RUNNING);
    if (wr_os_load(&job->stop)) wri_job_set_state(job, WR_JOB_CANCELLING);
    job->running_workers = job->worker_count;
    wr_os_mutex_unlock(&job->mutex);
    bool coordinated =
        job->coord.options.enabled || job->coord.restart.strategy != WRI_RESTART_NONE;
    wr_status started = coordinated ? wri_coord_start(ctx, job) : WR_OK;
    if (started != WR_OK) {
        give_up(ctx, job, job->worker_count);
        return started;
    }
    for (uint32_t i = first; i < job->worker_count; i++) {
        wri_worker *w = &job->workers[i];
        wr_status status = wr_os_thread_start(ctx, &w->thread, "weir-worker", wri_worker_loop, w);
        if (status != WR_OK) {
            give_up(ctx, job, job->worker_count - i + first);
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
    wri_coord_join(job);
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
    wr_job_state state = wr_job_get_state(job);
    return state == WR_JOB_FAILED || state == WR_JOB_CANCELED || state == WR_JOB_FINISHED;
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
    wr_job_state state = wr_job_get_state(job);
    if (state == WR_JOB_CANCELED) return wr_raise(ctx, WR_CANCELLED, "the job was cancelled");
    if (state == WR_JOB_FAILED) {
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
    if (!has_ended(job) && wr_job_get_state(job) != WR_JOB_CREATED) wr_job_cancel(job);
    join(job);
    for (uint32_t i = 0; i < job->region_count; i++) wri_region_release(&job->regions[i]);
    wri_store_close(job, wr_job_get_state(job));
    wri_restored_drop(job);
    wr_mem_free(job->budget, job->coord.history,
                job->coord.history ? WRI_HISTORY * sizeof *job->coord.history : 0);
    wr_os_cond_deinit(&job->coord.to_write_changed);
    wr_os_cond_deinit(&job->coord.changed);
    wr_os_mutex_deinit(&job->coord.mutex);
    wr_os_mutex_deinit(&job->splits_mutex);
    wri_clocks_forget(job);
    wr_os_mutex_deinit(&job->clocks_mutex);
    for (uint32_t i = 0; i < job->worker_count; i++) wr_os_event_deinit(&job->workers[i].event);
    wr_os_cond_deinit(&job->changed);
    wr_os_mutex_deinit(&job->mutex);
    wr_os_mutex_deinit(&job->out_mutex);
    wr_memtrack *budget = job->budget;
    wr_arena_destroy(job->arena);
    wr_memtrack_destroy(budget);
}
