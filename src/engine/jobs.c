/* SPDX-License-Identifier: Apache-2.0 */
/* Background jobs of a session: kept until they end, then collected. */
#include "engine/engine_int.h"

#include "os/os.h"

wr_status
wri_session_add_job(wr_ctx *ctx, wr_session *s, wr_job *job, wr_arena *take_arena, wr_str name,
                    uint32_t *id_out)
{
    if (s->job_count == s->job_cap) {
        uint32_t cap = s->job_cap ? s->job_cap * 2 : 8;
        wri_job_entry *jobs = WR_NEW_N(s->arena, wri_job_entry, cap);
        if (!jobs) {
            wr_job_destroy(job);
            wr_arena_destroy(take_arena);
            return wr_raise(ctx, WR_NOMEM, "out of memory");
        }
        if (s->job_count) memcpy(jobs, s->jobs, s->job_count * sizeof *jobs);
        s->jobs = jobs;
        s->job_cap = cap;
    }
    s->jobs[s->job_count++] = (wri_job_entry){.id = s->next_job_id,
                                              .job = job,
                                              .arena = take_arena,
                                              .name = wr_arena_str(s->arena, name),
                                              .started_ms = wr_os_wall_ms()};
    *id_out = s->next_job_id++;
    return WR_OK;
}

uint32_t
wr_session_job_count(const wr_session *s)
{
    return s->job_count;
}

wr_job *
wr_session_job(const wr_session *s, uint32_t index)
{
    return index < s->job_count ? s->jobs[index].job : NULL;
}

static wr_status
collect_job(wr_ctx *ctx, wri_job_entry *e)
{
    wr_ctx own;
    wr_ctx_init(&own);
    wr_status status = e->stopped ? wr_job_result(&own, e->job) : wr_job_result(ctx, e->job);
    if (e->stopped && status != WR_OK)
        status = status == WR_CANCELLED ? WR_OK : wr_raise(ctx, status, "%s", own.err.message);
    e->final_state = wr_str_c(wr_job_state_name(wr_job_get_state(e->job)));
    wr_job_destroy(e->job);
    wr_arena_destroy(e->arena);
    e->job = NULL;
    e->arena = NULL;
    return status;
}

wr_status
wr_session_wait_jobs(wr_ctx *ctx, wr_session *s, const wr_result_sink *sink, int64_t timeout_ms,
                     bool *all_ended)
{
    int64_t until = timeout_ms < 0 ? INT64_MAX : wr_os_now_ns() / 1000000 + timeout_ms;
    wr_status first = WR_OK;
    for (;;) {
        uint32_t running = 0;
        for (uint32_t i = 0; i < s->job_count; i++) {
            wri_job_entry *e = &s->jobs[i];
            if (!e->job) continue;
            if (ctx->cancel && *ctx->cancel) wr_job_cancel(e->job);
            if (wr_job_wait(e->job, 10)) {
                wr_status status = collect_job(ctx, e);
                if (first == WR_OK) first = status;
                continue;
            }
            running++;
            if (sink && sink->progress) sink->progress(sink->arg, e->job);
        }
        *all_ended = running == 0;
        if (running == 0 || wr_os_now_ns() / 1000000 >= until) return first;
    }
}
