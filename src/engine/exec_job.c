/* SPDX-License-Identifier: Apache-2.0 */
/* Statements about jobs: SHOW JOBS, DESCRIBE JOB, STOP JOB, SHOW CHECKPOINTS and METRICS FOR
 * JOB, CREATE SAVEPOINT FOR JOB. A job is named by its id; where Flink's syntax leaves room, by its
 * number in the session (the first INSERT is 1) as well. */
#include "engine/engine_int.h"

#include "state/state.h"

#define STOP_WAIT_MS 10000 /* STOP JOB returns when the job has ended, or after that */

#define JOBS_LISTED 5u /* in an error */

static bool
named(const wri_job_entry *e, wr_str name)
{
    char number[16];
    if (wr_str_eq_nocase(wr_str_c(e->hex), name)) return true;
    (void)snprintf(number, sizeof number, "%u", e->id);
    return wr_str_eq_c(name, number);
}

static wr_status
no_job(wr_ctx *ctx, wri_stmt *st, wr_str name, uint32_t found, wr_span span)
{
    const wr_session *s = st->session;
    wr_text t;
    wr_text_init(&t, st->arena);
    for (uint32_t i = 0; i < s->job_count; i++) {
        wr_candidate(ctx, name, wr_str_c(s->jobs[i].hex));
        wr_candidate(ctx, name, s->jobs[i].name);
        if (i < JOBS_LISTED)
            wr_text_printf(&t, "%s'%s' (%u, %.*s)", i ? ", " : "", s->jobs[i].hex, s->jobs[i].id,
                           WR_STR_ARG(s->jobs[i].name));
    }
    if (s->job_count)
        wr_hint(ctx, "there are %.*s%s", WR_STR_ARG(wr_text_str(&t)),
                s->job_count > JOBS_LISTED ? " and more, see SHOW JOBS" : "");
    else
        wr_hint(ctx, "no INSERT of this session has started a job that goes on beside it");
    if (found)
        return wr_raise_at(ctx, WR_NAME, span, "%u jobs of this session are called '%.*s'", found,
                           WR_STR_ARG(name));
    return wr_raise_at(ctx, WR_NAME, span, "there is no job '%.*s' in this session",
                       WR_STR_ARG(name));
}

wr_status
wri_find_job(wr_ctx *ctx, wri_stmt *st, wr_str name, wr_span span, wri_job_entry **out)
{
    wr_session *s = st->session;
    uint32_t found = 0;
    for (uint32_t i = 0; i < s->job_count; i++) {
        if (!named(&s->jobs[i], name)) continue;
        *out = &s->jobs[i];
        return WR_OK;
    }
    for (uint32_t i = 0; i < s->job_count; i++) {
        if (!wr_str_eq(s->jobs[i].name, name)) continue;
        *out = &s->jobs[i];
        found++;
    }
    return found == 1 ? WR_OK : no_job(ctx, st, name, found, span);
}

static wr_status
find_job(wr_ctx *ctx, wri_stmt *st, const wr_ast *job, wri_job_entry **out)
{
    return wri_find_job(ctx, st, WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, job)->text, job->span,
                        out);
}

static wr_status
running_job(wr_ctx *ctx, wri_stmt *st, const wr_ast *job, wri_job_entry **out)
{
    WR_TRY(find_job(ctx, st, job, out));
    if ((*out)->job) return WR_OK;
    return wr_raise_at(ctx, WR_SEMANTIC, job->span, "job %s has ended already (%.*s)", (*out)->hex,
                       WR_STR_ARG((*out)->final_state));
}

/* ---- SHOW JOBS, DESCRIBE JOB ----------------------------------------------------------------- */

wr_status
wri_show_job_table(wr_ctx *ctx, wri_stmt *st, wr_str only)
{
    static const char *const names[] = {"job id", "job name", "status", "start time"};
    const wr_type *time = wr_type_time(st->arena, WR_T_TIMESTAMP_LTZ, 3, true);
    WR_TRY_ALLOC(ctx, time);
    const wr_type *types[] = {NULL, NULL, NULL, time};
    wri_table t;
    bool found = false;
    WR_TRY(wri_table_init(ctx, &t, st->arena, names, types, 4));
    for (uint32_t i = 0; i < st->session->job_count; i++) {
        const wri_job_entry *j = &st->session->jobs[i];
        if (only.ptr && !named(j, only)) continue;
        wr_value *row = wri_table_row(&t);
        WR_TRY_ALLOC(ctx, row);
        wri_table_set(&t, row, 0, wr_str_c(j->hex));
        wri_table_set(&t, row, 1, j->name);
        wri_table_set(&t, row, 2,
                      j->job ? wr_str_c(wr_job_state_name(wr_job_get_state(j->job)))
                             : j->final_state);
        row[3] = wr_value_int(time, j->started_ms);
        found = true;
    }
    if (only.ptr && !found)
        return wr_raise(ctx, WR_NAME, "Described job %.*s does not exist in the session.",
                        WR_STR_ARG(only));
    return wri_result_table(ctx, st, &t);
}

/* ---- savepoints ------------------------------------------------------------------------------ */

static wr_status
path_result(wr_ctx *ctx, wri_stmt *st, wr_str path)
{
    static const char *const names[] = {"savepoint path"};
    wri_table t;
    WR_TRY(wri_table_init(ctx, &t, st->arena, names, NULL, 1));
    wr_value *row = wri_table_row(&t);
    WR_TRY_ALLOC(ctx, row);
    wri_table_set(&t, row, 0, path);
    return wri_result_table(ctx, st, &t);
}

/* Where savepoints go when the statement does not say: what the session says now, else what the job
 * was started with. */
static wr_str
savepoint_dir(const wri_stmt *st)
{
    wr_str dir = wr_config_str(st->config, "execution.checkpointing.savepoint-dir");
    return dir.ptr ? dir : (wr_str){NULL, 0};
}

static wr_status
take_savepoint(wr_ctx *ctx, wri_stmt *st, wri_job_entry *e, const wr_ast *job,
               const wr_savepoint_request *req, wr_str *path)
{
    const wr_status status = wr_job_savepoint(ctx, e->job, req, st->arena, path);
    if (status == WR_OK) return WR_OK;
    if (ctx->err.span.start == UINT32_MAX) ctx->err.span = job->span;
    wr_frame(ctx, "Failed to take a savepoint of job %s.", e->hex);
    return status;
}

wr_status
wri_exec_savepoint(wr_ctx *ctx, wri_stmt *st, const wr_ast_savepoint *n)
{
    wri_job_entry *e = NULL;
    wr_str path = {0};
    WR_TRY(running_job(ctx, st, n->job, &e));
    wr_savepoint_request req = {.dir = savepoint_dir(st)};
    if (n->dir) req.dir = WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, n->dir)->text;
    WR_TRY(take_savepoint(ctx, st, e, n->job, &req, &path));
    return path_result(ctx, st, path);
}

wr_status
wri_exec_stop_job(wr_ctx *ctx, wri_stmt *st, const wr_ast_stop_job *stop)
{
    wri_job_entry *e = NULL;
    wr_str path = {0};
    WR_TRY(find_job(ctx, st, stop->job, &e));
    if (stop->with_savepoint) {
        WR_TRY(running_job(ctx, st, stop->job, &e));
        wr_savepoint_request req = {
            .dir = savepoint_dir(st), .stop = true, .drain = stop->with_drain};
        WR_TRY(take_savepoint(ctx, st, e, stop->job, &req, &path));
        e->stopped = true;
        (void)wr_job_wait(e->job, STOP_WAIT_MS);
        return path_result(ctx, st, path);
    }
    if (e->job) {
        e->stopped = true;
        wr_job_cancel(e->job);
        (void)wr_job_wait(e->job, STOP_WAIT_MS);
    } else {
        wr_notice(ctx, "job %s has ended already (%.*s)", e->hex, WR_STR_ARG(e->final_state));
    }
    return wri_result_ok(ctx, st);
}

/* ---- SHOW CHECKPOINTS FOR JOB ---------------------------------------------------------------- */

enum {
    CHECKPOINT_ID,
    CHECKPOINT_KIND,
    CHECKPOINT_STATUS,
    CHECKPOINT_TRIGGER,
    CHECKPOINT_DURATION,
    CHECKPOINT_START_DELAY,
    CHECKPOINT_ALIGNMENT,
    CHECKPOINT_SYNC,
    CHECKPOINT_ASYNC,
    CHECKPOINT_TASKS,
    CHECKPOINT_SIZE,
    CHECKPOINT_NEW,
    CHECKPOINT_INFLIGHT,
    CHECKPOINT_UNALIGNED,
    CHECKPOINT_PATH,
    CHECKPOINT_REASON,
    CHECKPOINT_COLUMNS
};

static const char *const checkpoint_columns[CHECKPOINT_COLUMNS] = {
    "checkpoint id", "kind",      "status",   "trigger time", "duration ms", "start delay ms",
    "alignment ms",  "sync us",   "async ms", "tasks",        "size",        "new bytes",
    "in-flight",     "unaligned", "path",     "reason"};

static const char *
status_words(uint8_t status)
{
    switch ((wr_checkpoint_status)status) {
    case WR_CHECKPOINT_IN_PROGRESS:
        return "IN_PROGRESS";
    case WR_CHECKPOINT_COMPLETED:
        return "COMPLETED";
    case WR_CHECKPOINT_FAILED:
        return "FAILED";
    }
    return "";
}

static void
put_number(wri_table *t, wr_value *row, uint32_t col, uint64_t n)
{
    row[col] = wr_value_int(t->fields[col].type, (int64_t)WR_MIN(n, (uint64_t)INT64_MAX));
}

static wr_status
put_checkpoint(wr_ctx *ctx, wri_stmt *st, wri_table *t, const wr_checkpoint_stat *c)
{
    wr_value *row = wri_table_row(t);
    WR_TRY_ALLOC(ctx, row);
    put_number(t, row, CHECKPOINT_ID, c->id);
    wri_table_set(t, row, CHECKPOINT_KIND,
                  wr_str_c(wr_checkpoint_kind_name((wr_checkpoint_kind)c->kind)));
    wri_table_set(t, row, CHECKPOINT_STATUS, wr_str_c(status_words(c->status)));
    row[CHECKPOINT_TRIGGER] = wr_value_int(t->fields[CHECKPOINT_TRIGGER].type, c->trigger_ms);
    put_number(t, row, CHECKPOINT_DURATION, (uint64_t)c->duration_ms);
    put_number(t, row, CHECKPOINT_START_DELAY, (uint64_t)c->start_delay_ms);
    put_number(t, row, CHECKPOINT_ALIGNMENT, (uint64_t)c->alignment_ms);
    put_number(t, row, CHECKPOINT_SYNC, (uint64_t)c->sync_us);
    put_number(t, row, CHECKPOINT_ASYNC, (uint64_t)c->async_ms);
    wri_table_set(t, row, CHECKPOINT_TASKS,
                  wr_arena_printf(st->arena, "%u/%u", c->acknowledged, c->tasks));
    put_number(t, row, CHECKPOINT_SIZE, c->bytes);
    put_number(t, row, CHECKPOINT_NEW, c->bytes_written);
    put_number(t, row, CHECKPOINT_INFLIGHT, c->inflight_bytes);
    row[CHECKPOINT_UNALIGNED] = wr_value_bool(c->unaligned);
    if (c->path[0])
        wri_table_set(t, row, CHECKPOINT_PATH, wr_arena_str(st->arena, wr_str_c(c->path)));
    if (c->reason[0])
        wri_table_set(t, row, CHECKPOINT_REASON, wr_arena_str(st->arena, wr_str_c(c->reason)));
    return WR_OK;
}

static wr_status
checkpoint_table(wr_ctx *ctx, wri_stmt *st, wri_table *t)
{
    const wr_type *types[CHECKPOINT_COLUMNS] = {NULL};
    const wr_type *number = wr_type_of(WR_T_BIGINT, true);
    types[CHECKPOINT_TRIGGER] = wr_type_time(st->arena, WR_T_TIMESTAMP_LTZ, 3, true);
    WR_TRY_ALLOC(ctx, types[CHECKPOINT_TRIGGER]);
    types[CHECKPOINT_ID] = number;
    for (uint32_t i = CHECKPOINT_DURATION; i <= CHECKPOINT_INFLIGHT; i++)
        if (i != CHECKPOINT_TASKS) types[i] = number;
    types[CHECKPOINT_UNALIGNED] = wr_type_of(WR_T_BOOLEAN, true);
    return wri_table_init(ctx, t, st->arena, checkpoint_columns, types, CHECKPOINT_COLUMNS);
}

wr_status
wri_show_checkpoints(wr_ctx *ctx, wri_stmt *st, const wr_ast *job)
{
    wri_table t;
    wri_job_entry *e = NULL;
    wr_checkpoint_stat c;
    WR_TRY(find_job(ctx, st, job, &e));
    WR_TRY(checkpoint_table(ctx, st, &t));
    for (uint32_t i = 0; e->job && wr_job_get_checkpoint(e->job, i, &c); i++)
        WR_TRY(put_checkpoint(ctx, st, &t, &c));
    for (uint32_t i = 0; !e->job && i < e->kept_count; i++)
        WR_TRY(put_checkpoint(ctx, st, &t, &e->kept[i]));
    return wri_result_table(ctx, st, &t);
}

/* ---- SHOW METRICS FOR JOB: Flink's names ----------------------------------------------------- */

static wr_status
put_metric(wr_ctx *ctx, wri_stmt *st, wri_table *t, const char *name, int64_t value)
{
    wr_value *row = wri_table_row(t);
    WR_TRY_ALLOC(ctx, row);
    wri_table_set(t, row, 0, wr_str_c(name));
    wri_table_set(t, row, 1, wr_arena_printf(st->arena, "%lld", (long long)value));
    return WR_OK;
}

/* The newest checkpoint that is complete; savepoints count as Flink counts them. */
static bool
last_completed(const wr_job *job, wr_checkpoint_stat *out)
{
    for (uint32_t i = 0; wr_job_get_checkpoint(job, i, out); i++)
        if (out->status == WR_CHECKPOINT_COMPLETED) return true;
    return false;
}

static wr_status
put_last(wr_ctx *ctx, wri_stmt *st, wri_table *t, const wr_job *job)
{
    wr_checkpoint_stat c;
    if (!last_completed(job, &c)) return WR_OK;
    WR_TRY(put_metric(ctx, st, t, "lastCompletedCheckpointId", (int64_t)c.id));
    WR_TRY(put_metric(ctx, st, t, "lastCheckpointDuration", c.duration_ms));
    WR_TRY(put_metric(ctx, st, t, "lastCheckpointSize", (int64_t)c.bytes_written));
    WR_TRY(put_metric(ctx, st, t, "lastCheckpointFullSize", (int64_t)c.bytes));
    WR_TRY(put_metric(ctx, st, t, "lastCheckpointPersistedData", (int64_t)c.inflight_bytes));
    wr_value *row = wri_table_row(t);
    WR_TRY_ALLOC(ctx, row);
    wri_table_set(t, row, 0, WR_STR("lastCheckpointExternalPath"));
    wri_table_set(t, row, 1, c.path[0] ? wr_arena_str(st->arena, wr_str_c(c.path)) : WR_STR("n/a"));
    return WR_OK;
}

/* Where Flink has spans of all tasks ("Max...", "Sum..."), one job is restored as a whole here. */
static wr_status
put_restore(wr_ctx *ctx, wri_stmt *st, wri_table *t, const wr_checkpoint_counts *c)
{
    WR_TRY(put_metric(ctx, st, t, "lastCheckpointRestoreTimestamp", c->restored_at_ms));
    WR_TRY(put_metric(ctx, st, t, "restoredCheckpointId", (int64_t)c->restored_id));
    WR_TRY(put_metric(ctx, st, t, "RestoredStateSizeBytes", (int64_t)c->restored_bytes));
    return put_metric(ctx, st, t, "InitializeStateDurationMs", c->restored_ms);
}

/* Of all subtasks of the operator that `of` names, or of all operators; *first: the index is the
 * lowest of them. */
static uint64_t
late_rows(const wr_job *job, const char *of, uint32_t index, bool *first)
{
    wr_op_metrics m;
    uint64_t sum = 0;
    *first = true;
    for (uint32_t i = 0; wr_job_get_metrics(job, i, &m); i++) {
        if (of && strcmp(m.name, of) != 0) continue;
        *first &= i >= index;
        sum += m.late_dropped;
    }
    return sum;
}

void
wri_tell_late(wr_ctx *ctx, const wr_job *job)
{
    wr_op_metrics m;
    bool first;
    for (uint32_t i = 0; ctx->notice && wr_job_get_metrics(job, i, &m); i++) {
        const uint64_t n = late_rows(job, m.name, i, &first);
        if (n && first)
            wr_notice(ctx,
                      "%s has dropped %llu late row%s: the watermark had passed them. `t$late` has "
                      "the late rows of table t",
                      m.name, (unsigned long long)n, n == 1 ? "" : "s");
    }
}

/* The sum, and each operator that has dropped some. */
static wr_status
put_late(wr_ctx *ctx, wri_stmt *st, wri_table *t, const wr_job *job)
{
    wr_op_metrics m;
    bool first;
    WR_TRY(
        put_metric(ctx, st, t, "numLateRecordsDropped", (int64_t)late_rows(job, NULL, 0, &first)));
    for (uint32_t i = 0; wr_job_get_metrics(job, i, &m); i++) {
        const uint64_t n = late_rows(job, m.name, i, &first);
        if (n == 0 || !first) continue;
        wr_str name = wr_arena_printf(st->arena, "%s.numLateRecordsDropped", m.name);
        WR_TRY_ALLOC(ctx, name.ptr);
        WR_TRY(put_metric(ctx, st, t, name.ptr, (int64_t)n));
    }
    return WR_OK;
}

wr_status
wri_show_metrics(wr_ctx *ctx, wri_stmt *st, const wr_ast *job)
{
    static const char *const names[] = {"metric", "value"};
    wri_table t;
    wri_job_entry *e = NULL;
    wr_checkpoint_counts c;
    wr_job_progress p;
    WR_TRY(running_job(ctx, st, job, &e));
    WR_TRY(wri_table_init(ctx, &t, st->arena, names, NULL, 2));
    wr_job_get_progress(e->job, &p);
    wr_job_checkpoint_counts(e->job, &c);
    WR_TRY(put_metric(ctx, st, &t, "uptime", wr_os_wall_ms() - e->started_ms));
    WR_TRY(put_metric(ctx, st, &t, "numRestarts", c.restarts));
    WR_TRY(put_metric(ctx, st, &t, "numRecordsIn", (int64_t)p.rows_in));
    WR_TRY(put_metric(ctx, st, &t, "numRecordsOut", (int64_t)p.rows_out));
    WR_TRY(put_metric(ctx, st, &t, "numBytesIn", (int64_t)p.bytes_in));
    if (p.watermark != INT64_MIN)
        WR_TRY(put_metric(ctx, st, &t, "currentInputWatermark", p.watermark));
    WR_TRY(put_late(ctx, st, &t, e->job));
    if (c.restored_id) WR_TRY(put_restore(ctx, st, &t, &c));
    if (!c.enabled) return wri_result_table(ctx, st, &t);
    WR_TRY(put_metric(ctx, st, &t, "totalNumberOfCheckpoints",
                      (int64_t)(c.completed + c.failed + c.in_progress)));
    WR_TRY(put_metric(ctx, st, &t, "numberOfCompletedCheckpoints", (int64_t)c.completed));
    WR_TRY(put_metric(ctx, st, &t, "numberOfFailedCheckpoints", (int64_t)c.failed));
    WR_TRY(put_metric(ctx, st, &t, "numberOfInProgressCheckpoints", (int64_t)c.in_progress));
    WR_TRY(put_last(ctx, st, &t, e->job));
    return wri_result_table(ctx, st, &t);
}
