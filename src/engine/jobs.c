/* SPDX-License-Identifier: Apache-2.0 */
/* Background jobs of a session: kept until they end, then collected. */
#include "engine/engine_int.h"

#include "os/os.h"

#define SCHEDULE_LOOK_NS 20000000 /* between two looks at what is due */

/* Refreshes come again and again: the next one takes the entry of one that has ended. */
static wri_job_entry *
entry_of(wr_session *s, wr_str name)
{
    for (uint32_t i = 0; i < s->job_count; i++) {
        wri_job_entry *e = &s->jobs[i];
        if (e->scheduled && !e->job && wr_str_eq(e->name, name)) return e;
    }
    return NULL;
}

static void
put_job(wr_session *s, wri_job_entry *e, const wri_job_run *run, wr_arena *take_arena, wr_str name)
{
    *e = (wri_job_entry){.id = s->next_job_id++,
                         .job = run->job,
                         .arena = take_arena,
                         .name = name,
                         .started_ms = wr_os_wall_ms(),
                         .stoppable = run->stoppable,
                         .scheduled = run->scheduled,
                         .record = run->record};
    memcpy(e->hex, run->id, sizeof e->hex);
}

wr_status
wri_session_add_job(wr_ctx *ctx, wr_session *s, const wri_job_run *run, wr_arena *take_arena)
{
    wri_job_entry *again = run->scheduled ? entry_of(s, run->name) : NULL;
    if (again) {
        wr_checkpoint_stat *kept = again->kept;
        put_job(s, again, run, take_arena, again->name);
        again->kept = kept;
        return WR_OK;
    }
    if (s->job_count == s->job_cap) {
        uint32_t cap = s->job_cap ? s->job_cap * 2 : 8;
        wri_job_entry *jobs = WR_NEW_N(s->arena, wri_job_entry, cap);
        if (!jobs) {
            wr_job_destroy(run->job);
            wr_arena_destroy(take_arena);
            return wr_raise(ctx, WR_NOMEM, "out of memory");
        }
        if (s->job_count) memcpy(jobs, s->jobs, s->job_count * sizeof *jobs);
        s->jobs = jobs;
        s->job_cap = cap;
    }
    put_job(s, &s->jobs[s->job_count++], run, take_arena, wr_arena_str(s->arena, run->name));
    return WR_OK;
}

void
wri_tell_remarks(wr_ctx *ctx, wr_str name, const wr_job *job, uint32_t *told)
{
    char text[WR_ERR_MESSAGE_MAX];
    if (wr_job_remark(job, told, text, sizeof text))
        wr_notice(ctx, "job %.*s: %s", WR_STR_ARG(name), text);
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

/* The last checkpoints of a job outlive it, for SHOW CHECKPOINTS. */
static void
keep_checkpoints(wr_session *s, wri_job_entry *e)
{
    wr_checkpoint_stat *kept =
        e->kept ? e->kept : WR_NEW_N(s->arena, wr_checkpoint_stat, WRI_KEPT_CHECKPOINTS);
    if (!kept) return; /* a table that is empty */
    e->kept = kept;
    while (e->kept_count < WRI_KEPT_CHECKPOINTS &&
           wr_job_get_checkpoint(e->job, e->kept_count, &kept[e->kept_count]))
        e->kept_count++;
}

/* A job that ended by itself is not run again by a process that goes on from the state folder. */
static wr_status
record_end(wr_ctx *ctx, wr_session *s, wri_job_entry *e)
{
    if (!s->state || e->scheduled || e->stopped || s->stop_state != WR_SESSION_RUNS) return WR_OK;
    e->record.finished = true;
    return wri_job_record_write(ctx, s->state, wr_str_c(e->hex), &e->record);
}

/* A script that ends with an error waits for none of its jobs; those that had come to their end by
 * themselves must not begin again in the next process all the same. */
void
wri_session_note_finished(wr_session *s)
{
    wr_ctx own;
    wr_ctx_init(&own);
    for (uint32_t i = 0; i < s->job_count; i++) {
        wri_job_entry *e = &s->jobs[i];
        if (!e->job || wr_job_get_state(e->job) != WR_JOB_FINISHED) continue;
        (void)record_end(&own, s, e); /* without its record it goes on from its last checkpoint */
    }
}

/* A job that should have stopped in good order and was cancelled instead. */
void
wri_session_note_end(wr_session *s, const wr_job *job, bool stoppable)
{
    if (stoppable && s->stop_state == WR_SESSION_STOPPING &&
        wr_job_get_state(job) == WR_JOB_CANCELED)
        s->stop_state = WR_SESSION_ABORTED;
}

wr_status
wri_session_collect(wr_ctx *ctx, wr_session *s, wri_job_entry *e)
{
    wri_session_note_end(s, e->job, e->stoppable && !e->stopped);
    wr_ctx own;
    wr_ctx_init(&own);
    wr_status status = e->stopped ? wr_job_result(&own, e->job) : wr_job_result(ctx, e->job);
    if (e->stopped && status != WR_OK)
        status = status == WR_CANCELLED ? WR_OK : wr_raise(ctx, status, "%s", own.err.message);
    else if (status == WR_OK)
        status = record_end(ctx, s, e);
    e->final_state = wr_str_c(wr_job_state_name(wr_job_get_state(e->job)));
    keep_checkpoints(s, e);
    if (status == WR_OK) wri_tell_late(ctx, e->job);
    wr_job_destroy(e->job);
    wr_arena_destroy(e->arena);
    e->job = NULL;
    e->arena = NULL;
    return status;
}

/* ---- stopping on request --------------------------------------------------------------------- */

/* How many were told. */
static uint32_t
tell_all(wr_session *s, wr_job *foreground, void (*what)(wr_job *))
{
    uint32_t told = foreground != NULL;
    if (foreground) what(foreground);
    for (uint32_t i = 0; i < s->job_count; i++) {
        if (!s->jobs[i].job || !s->jobs[i].stoppable) continue;
        what(s->jobs[i].job);
        told++;
    }
    return told;
}

void
wri_session_watch_stop(wr_ctx *ctx, wr_session *s, wr_job *foreground)
{
    if (!s->stop_flag || *s->stop_flag == 0) return;
    int64_t now = wr_os_now_ns() / 1000000;
    if (s->stop_state == WR_SESSION_RUNS) {
        if (tell_all(s, foreground, wr_job_stop) == 0 && s->schedules.count == 0) return;
        s->stop_state = WR_SESSION_STOPPING;
        s->stop_until_ms = now + s->stop_timeout_ms;
        wr_notice(ctx, "stopping: intake ends and output is committed; a second signal gives up");
    }
    if (s->stop_state != WR_SESSION_STOPPING) return;
    if (*s->stop_flag > 1)
        s->stop_state = WR_SESSION_ABORTED;
    else if (now >= s->stop_until_ms)
        s->stop_state = WR_SESSION_LATE;
    if (s->stop_state != WR_SESSION_STOPPING) (void)tell_all(s, foreground, wr_job_cancel);
}

wr_status
wr_session_wait_jobs(wr_ctx *ctx, wr_session *s, const wr_result_sink *sink, int64_t timeout_ms,
                     bool *all_ended)
{
    int64_t until = timeout_ms < 0 ? INT64_MAX : wr_os_now_ns() / 1000000 + timeout_ms;
    wr_status first = WR_OK;
    for (;;) {
        uint32_t running = 0;
        wri_refresh_tick(ctx, s);
        wri_session_watch_stop(ctx, s, NULL);
        for (uint32_t i = 0; i < s->job_count; i++) {
            wri_job_entry *e = &s->jobs[i];
            if (!e->job) continue;
            if (!e->stoppable && ctx->cancel && *ctx->cancel) wr_job_cancel(e->job);
            const bool ended = wr_job_wait(e->job, 10);
            wri_tell_remarks(ctx, e->name, e->job, &e->remarks);
            if (ended) {
                wr_status status = wri_session_collect(ctx, s, e);
                if (first == WR_OK) first = status;
                continue;
            }
            running++;
            if (sink && sink->progress) sink->progress(sink->arg, e->job);
        }
        /* tables that are refreshed now and then have no end */
        const bool goes_on = s->schedules.count && s->stop_state == WR_SESSION_RUNS &&
                             !(ctx->cancel && *ctx->cancel);
        *all_ended = running == 0 && !goes_on;
        if (running == 0 && goes_on && timeout_ms != 0) wr_os_sleep_ns(SCHEDULE_LOOK_NS);
        if (*all_ended || wr_os_now_ns() / 1000000 >= until) return first;
    }
}
