/* SPDX-License-Identifier: Apache-2.0 */
/* From a plan to a job that runs: its name and id, where it goes on, what it promises, and the wait
 * for its end.
 *
 * Ids. Without a state folder an id is drawn at random. With one it is made of the job's name and
 * of how many jobs of that name the session has had, so that the same script gives the same ids:
 * statements may come and go around an INSERT without touching what it goes on from. */
#include "engine/engine_int.h"

#include "spi/registry.h"
#include "state/state.h"

#define WATCH_MS 50 /* between two looks at the flag and the progress */

/* ---- identity -------------------------------------------------------------------------------- */

static void
put_hex(char *out, uint64_t hi, uint64_t lo)
{
    (void)snprintf(out, WRI_JOB_ID_LEN + 1, "%016llx%016llx", (unsigned long long)hi,
                   (unsigned long long)lo);
}

static void
stable_id(const wr_session *s, wr_str name, char *out)
{
    uint64_t same = 0;
    for (uint32_t i = 0; i < s->job_names.count; i++)
        same += wr_str_eq(s->job_names.items[i], name);
    put_hex(out, wr_hash_bytes(name.ptr, name.len, same), wr_hash_bytes(name.ptr, name.len, ~same));
}

/* A refresh of a materialized table is run as often as it is asked for: nothing is written down. */
static bool
is_recorded(const wri_stmt *st)
{
    return st->session->state && !(st->env.refreshing && st->eval->batch);
}

static wr_status
make_id(wr_ctx *ctx, const wri_stmt *st, wri_job_run *run)
{
    wr_session *s = st->session;
    uint64_t words[2];
    if (!is_recorded(st)) {
        wr_os_random(words, sizeof words);
        put_hex(run->id, words[0], words[1]);
        return WR_OK;
    }
    stable_id(s, run->name, run->id);
    wr_str name = wr_arena_str(s->arena, run->name);
    if (!name.ptr || !wr_list_push(s->arena, &s->job_names, name))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

wr_status
wri_job_begun(wr_ctx *ctx, wri_stmt *st, wr_str name, bool *out)
{
    char id[WRI_JOB_ID_LEN + 1];
    wri_job_record r;
    *out = false;
    if (!st->session->state) return WR_OK;
    stable_id(st->session, name, id);
    return wri_job_record_read(ctx, st->session->state, wr_str_c(id), st->arena, &r, out);
}

wr_status
wri_job_note_begun(wr_ctx *ctx, wri_stmt *st, wr_str name)
{
    char id[WRI_JOB_ID_LEN + 1];
    const wri_job_record r = {.name = name, .from = WR_STR("")};
    stable_id(st->session, name, id);
    const wr_str kept = wr_arena_str(st->session->arena, name);
    if (!kept.ptr || !wr_list_push(st->session->arena, &st->session->job_names, kept))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    return wri_job_record_write(ctx, st->session->state, wr_str_c(id), &r);
}

/* ---- where it goes on ------------------------------------------------------------------------ */

/* The highest number among the checkpoints <root>/<id>/chk-<n> that are complete; 0 = none. */
static wr_status
newest_checkpoint(wr_ctx *ctx, wr_arena *a, wr_str root, const char *id, uint64_t *out)
{
    wr_fs *fs = wr_find_fs(root);
    wr_file_info info, *list = NULL;
    uint32_t count = 0;
    bool exists = false;
    *out = 0;
    if (!fs) return WR_OK; /* the job tells */
    wr_str dir = wr_arena_printf(a, "%.*s/%s", WR_STR_ARG(root), id);
    WR_TRY_ALLOC(ctx, dir.ptr);
    WR_TRY(fs->ops->stat(ctx, fs, dir, a, &info, &exists));
    if (!exists) return WR_OK;
    WR_TRY(fs->ops->list(ctx, fs, dir, false, a, &list, &count));
    for (uint32_t i = 0; i < count; i++) {
        size_t at = list[i].path.len;
        while (at && list[i].path.ptr[at - 1] != '/') at--;
        uint64_t n;
        if (!wr_ckpt_number((wr_str){list[i].path.ptr + at, list[i].path.len - at}, &n)) continue;
        wr_str meta = wr_arena_printf(a, "%.*s/_metadata", WR_STR_ARG(list[i].path));
        WR_TRY_ALLOC(ctx, meta.ptr);
        WR_TRY(fs->ops->stat(ctx, fs, meta, a, &info, &exists));
        if (exists && n > *out) *out = n;
    }
    return WR_OK;
}

/* A savepoint named by the options is where a job begins, once: started again with the same options
 * it goes on from its own checkpoints. A savepoint with another name is another beginning. */
static wr_status
choose_start(wr_ctx *ctx, wri_stmt *st, wri_job_run *run, bool known)
{
    const wri_state_dir *d = st->session->state;
    uint64_t newest = 0;
    wr_str path = wr_config_str(st->config, "execution.state-recovery.path");
    wri_job_record *r = &run->record;
    WR_TRY(newest_checkpoint(ctx, st->arena,
                             wr_config_str(st->config, "execution.checkpointing.dir"), run->id,
                             &newest));
    if (known && !path.ptr && !newest)
        wr_notice(ctx, "job %.*s was begun before, but has no checkpoint: it begins anew",
                  WR_STR_ARG(run->name));
    if (known && !path.ptr) return WR_OK;
    if (known && path.ptr && wr_str_eq(r->from, path) && newest > r->behind)
        return wri_stmt_set_option(ctx, st, "execution.state-recovery.path", (wr_str){0});
    if (known && wr_str_eq(r->from, path.ptr ? path : WR_STR(""))) return WR_OK;
    *r = (wri_job_record){.name = run->name, .from = path, .behind = newest};
    if (!path.ptr) r->from = WR_STR("");
    return wri_job_record_write(ctx, d, wr_str_c(run->id), r);
}

/* Does the job write to the memory of its process? */
static bool
fills_memory(const wr_plan *plan)
{
    for (uint32_t i = 0; i < plan->node_count; i++) {
        const wr_pnode *n = plan->nodes[i];
        if (n->kind != WR_P_SINK) continue;
        const wr_option *o = wr_options_find(&n->u.sink.spec.options, "connector");
        if (o && wr_str_eq_c(o->value, "materialized")) return true;
    }
    return false;
}

static wr_status
open_record(wr_ctx *ctx, wri_stmt *st, wri_job_run *run)
{
    bool known = false;
    WR_TRY(wri_job_record_read(ctx, st->session->state, wr_str_c(run->id), st->arena, &run->record,
                               &known));
    if (fills_memory(run->plan))
        run->record.finished = false; /* what it made went with its process */
    if (run->record.finished) return WR_OK;
    run->record.name = run->name;
    if (st->eval->batch) return WR_OK;
    return choose_start(ctx, st, run, known);
}

/* ---- creation -------------------------------------------------------------------------------- */

static wr_status
read_parallelism(wr_ctx *ctx, const wr_config *c, wr_job_env *env)
{
    int64_t parallelism = wr_config_int(c, "table.exec.resource.default-parallelism");
    if (parallelism <= 0) parallelism = wr_config_int(c, "parallelism.default");
    int64_t max = wr_config_int(c, "pipeline.max-parallelism");
    if (parallelism < 1 || parallelism > WR_PARALLELISM_MAX)
        return wr_raise(ctx, WR_OPTION, "parallelism must be between 1 and %u, but was %lld",
                        WR_PARALLELISM_MAX, (long long)parallelism);
    if (max > WR_KEY_GROUPS_MAX)
        return wr_raise(ctx, WR_OPTION, "Maximum parallelism must be between 1 and %u. Found: %lld",
                        WR_KEY_GROUPS_MAX, (long long)max);
    if (max < 1 && max != -1) /* -1: not set */
        return wr_raise(ctx, WR_OPTION, "The maximum parallelism must be greater than 0.");
    env->parallelism = (uint32_t)parallelism;
    env->max_parallelism = max > 0 ? (uint32_t)max : 0;
    return WR_OK;
}

wr_status
wri_job_create(wr_ctx *ctx, wri_stmt *st, const wr_plan *plan, const wr_collect_target *collect,
               wri_job_run *run)
{
    wr_session *s = st->session;
    WR_TRY(wri_job_check_options(ctx, st->config));
    /* The texts are the caller's, who may be gone before a job in the background ends. */
    wr_str sql = wr_arena_str(st->arena, st->text);
    wr_str id = wr_arena_str(st->arena, wr_str_c(run->id));
    WR_TRY_ALLOC(ctx, id.ptr);
    WR_TRY_ALLOC(ctx, sql.ptr);
    wr_job_env env = {.id = id,
                      .name = run->name,
                      .sql = sql,
                      .resume = s->state && !collect,
                      .config = st->config,
                      .eval = st->eval,
                      .budget = s->engine->budget,
                      .memory_bytes = s->engine->config.memory_bytes,
                      .collect = collect,
                      .out = s->out,
                      .err = s->err,
                      .arg = s->out_arg};
    WR_TRY(read_parallelism(ctx, st->config, &env));
    run->plan = plan;
    return wr_job_create(ctx, plan, &env, &run->job);
}

/* ---- what is said at the start --------------------------------------------------------------- */

static void
tell_guarantees(wr_ctx *ctx, wri_stmt *st, const wr_plan *plan)
{
    wr_str mode = wr_config_str(st->config, "execution.checkpointing.mode");
    bool once = !wr_str_eq_nocase(mode, WR_STR("AT_LEAST_ONCE"));
    for (uint32_t i = 0; i < plan->node_count; i++) {
        const wr_pnode *n = plan->nodes[i];
        if (n->kind == WR_P_SINK && n->u.sink.info.guarantee) {
            const char *words = n->u.sink.info.guarantee;
            if (!once && strncmp(words, "exactly-once", 12) == 0)
                words = "at-least-once: execution.checkpointing.mode is AT_LEAST_ONCE";
            wr_notice(ctx, "output to `%.*s`: %s", WR_STR_ARG(n->u.sink.spec.table->id.name),
                      words);
        }
        if (n->kind == WR_P_SCAN && !n->u.scan.info.replayable)
            wr_notice(ctx,
                      "input from `%.*s` cannot be read again: rows that came after the last "
                      "checkpoint are lost with the process (at-most-once)",
                      WR_STR_ARG(n->u.scan.spec.table->id.name));
    }
}

/* Once the job knows what it was restored from. */
static void
tell_restored(wr_ctx *ctx, wri_stmt *st, wri_job_run *run)
{
    wr_checkpoint_counts counts;
    if (run->told) return;
    wr_job_checkpoint_counts(run->job, &counts);
    if (!counts.restored_id) return;
    run->told = true;
    wr_str path = wr_config_str(st->config, "execution.state-recovery.path");
    if (path.ptr)
        wr_notice(ctx, "job %.*s starts from %.*s", WR_STR_ARG(run->name), WR_STR_ARG(path));
    else
        wr_notice(ctx, "job %.*s goes on from checkpoint %llu (%.*s/%s/chk-%llu)",
                  WR_STR_ARG(run->name), (unsigned long long)counts.restored_id,
                  WR_STR_ARG(wr_config_str(st->config, "execution.checkpointing.dir")), run->id,
                  (unsigned long long)counts.restored_id);
}

/* ---- running --------------------------------------------------------------------------------- */

/* A job that is stopped by request must not see the flag that would cancel it. */
static wr_status
start(wr_ctx *ctx, wri_job_run *run)
{
    const volatile int *cancel = ctx->cancel;
    if (run->stoppable) ctx->cancel = NULL;
    wr_status status = wr_job_start(ctx, run->job);
    ctx->cancel = cancel;
    return status;
}

/* With progress wanted, the job runs on threads of its own, rows come from one of them, and this
 * thread watches. */
wr_status
wri_run_in_foreground(wr_ctx *ctx, wri_stmt *st, wri_job_run *run)
{
    const wr_result_sink *sink = st->sink;
    if (!sink->progress && !run->stoppable && !run->watched && !st->session->schedules.count)
        return wr_job_run(ctx, run->job);
    WR_TRY(start(ctx, run));
    for (;;) {
        const bool ended = wr_job_wait(run->job, WATCH_MS);
        wri_tell_remarks(ctx, run->name, run->job, &run->remarks);
        if (ended) break;
        wri_refresh_tick(ctx, st->session);
        if (sink->progress) sink->progress(sink->arg, run->job);
        if (run->stoppable) wri_session_watch_stop(ctx, st->session, run->job);
    }
    wri_session_note_end(st->session, run->job, run->stoppable);
    return wr_job_result(ctx, run->job);
}

/* An INSERT whose end is in sight is waited for; 'table.dml-sync' decides when it is set. */
static bool
goes_on_beside(const wri_stmt *st, const wr_plan *plan)
{
    bool set = st->config->set && wr_options_find(st->config->set, "table.dml-sync") != NULL;
    return set ? !wr_config_bool(st->config, "table.dml-sync") : !plan->bounded;
}

static wr_status
skip_finished(wr_ctx *ctx, wri_stmt *st, const wri_job_run *run, const wr_result_head *head)
{
    const wri_state_dir *d = st->session->state;
    wr_notice(ctx, "job %.*s has finished before and is not run again (its record is %.*s/%s)",
              WR_STR_ARG(run->name), WR_STR_ARG(d->jobs), run->id);
    st->session->next_job_id++;
    WR_TRY(st->sink->begin(ctx, st->sink->arg, head));
    return st->sink->end(ctx, st->sink->arg);
}

static wr_status
run_beside(wr_ctx *ctx, wri_stmt *st, wri_job_run *run)
{
    WR_TRY(start(ctx, run));
    tell_restored(ctx, st, run);
    st->arena_taken = true;
    wri_job_run given = *run;
    run->job = NULL;
    given.scheduled = st->env.refreshing && st->eval->batch;
    WR_TRY(wri_session_add_job(ctx, st->session, &given, st->arena));
    return st->sink->end(ctx, st->sink->arg);
}

static wr_status
run_waiting(wr_ctx *ctx, wri_stmt *st, wri_job_run *run)
{
    wr_session *s = st->session;
    s->next_job_id++;
    WR_TRY(wri_run_in_foreground(ctx, st, run));
    if (is_recorded(st) && s->stop_state == WR_SESSION_RUNS) {
        run->record.finished = true;
        WR_TRY(wri_job_record_write(ctx, s->state, wr_str_c(run->id), &run->record));
    }
    WR_TRY(st->sink->end(ctx, st->sink->arg));
    wri_tell_late(ctx, run->job);
    return WR_OK;
}

static wr_status
run_created(wr_ctx *ctx, wri_stmt *st, wri_job_run *run, const wr_result_head *head)
{
    wr_checkpoint_counts counts;
    wr_job_checkpoint_counts(run->job, &counts);
    run->stoppable = st->session->stop_flag && (counts.enabled || !run->plan->bounded);
    run->watched = ctx->notice && counts.may_restart;
    if (counts.enabled) tell_guarantees(ctx, st, run->plan);
    tell_restored(ctx, st, run);
    WR_TRY(st->sink->begin(ctx, st->sink->arg, head));
    return head->background ? run_beside(ctx, st, run) : run_waiting(ctx, st, run);
}

wr_status
wri_run_inserts(wr_ctx *ctx, wri_stmt *st, const wr_plan *plan, wr_str name)
{
    wri_job_run run = {.plan = plan, .name = name};
    WR_TRY(make_id(ctx, st, &run));
    wr_result_head head = {.kind = WR_RESULT_JOB,
                           .bounded = plan->bounded,
                           .eval = st->eval,
                           .background = goes_on_beside(st, plan),
                           .job_id = st->session->next_job_id,
                           .job_hex = run.id};
    if (is_recorded(st)) WR_TRY(open_record(ctx, st, &run));
    if (run.record.finished) {
        head.background = false;
        return skip_finished(ctx, st, &run, &head);
    }
    WR_TRY(wri_job_create(ctx, st, plan, NULL, &run));
    wr_status status = run_created(ctx, st, &run, &head);
    wr_job_destroy(run.job);
    return status;
}
