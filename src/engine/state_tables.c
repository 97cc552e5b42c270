/* SPDX-License-Identifier: Apache-2.0 */
/* Calls in FROM that read state: savepoint_metadata('path') of the module `state`, and STATE(job,
 * operator), the state of a job of this session at its last completed checkpoint. */
#include "engine/engine_int.h"

#include "connector/connector.h"

#define HOLD_TRIES    1000u
#define HOLD_PAUSE_NS 1000000

static bool
is_metadata(wr_str name)
{
    return wr_str_eq_nocase(name, WR_STR("savepoint_metadata"));
}

static bool
knows(void *arg, wr_str name)
{
    const wri_stmt *st = arg;
    if (is_metadata(name)) return wri_module_used(st->session, "state");
    return wr_str_eq_nocase(name, WR_STR("STATE"));
}

/* ---- arguments ------------------------------------------------------------------------------- */
static wr_status
wrong_call(wr_ctx *ctx, const wr_table_call *c, wr_arena *a)
{
    wr_text t;
    wr_text_init(&t, a);
    for (uint32_t i = 0; i < c->arg_count; i++)
        wr_text_printf(&t, "%s%.*s", i ? ", " : "",
                       WR_STR_ARG(wr_type_str(c->args[i].type, WR_TYPE_SUMMARY, a)));
    wr_hint(ctx, "%s",
            is_metadata(c->name)
                ? "it is called as savepoint_metadata('path')"
                : "it is called as STATE('job', 'operator') or STATE('job', 'operator', "
                  "'table'); SHOW JOBS lists the jobs");
    return wr_raise_at(ctx, WR_TYPE, c->span, "Invalid function call:\n%.*s(%.*s)",
                       WR_STR_ARG(c->name), WR_STR_ARG(wr_text_str(&t)));
}

/* A string, or (a job's number) an integer. */
static bool
text_arg(const wr_table_call *c, uint32_t i, bool number, wr_arena *a, wr_str *out)
{
    const wr_value *v = &c->args[i];
    if (v->is_null) return false;
    if (wr_type_is_string(v->type)) {
        *out = v->u.str;
        return out->len > 0;
    }
    if (!number || !wr_type_is_integer(v->type)) return false;
    *out = wr_arena_printf(a, "%lld", (long long)v->u.i);
    return out->ptr != NULL;
}

/* ---- STATE ----------------------------------------------------------------------------------- */
static bool
newest(const wri_job_entry *e, wr_checkpoint_stat *out)
{
    for (uint32_t i = 0; e->job && wr_job_get_checkpoint(e->job, i, out); i++)
        if (out->status == WR_CHECKPOINT_COMPLETED && out->path[0]) return true;
    for (uint32_t i = 0; !e->job && i < e->kept_count; i++) {
        *out = e->kept[i];
        if (out->status == WR_CHECKPOINT_COMPLETED && out->path[0]) return true;
    }
    return false;
}

typedef struct hold { /* of a job's checkpoint, as long as the statement's arena */
    wr_session *session;
    uint32_t job; /* among the session's */
    const wr_job *of;
    uint64_t id;
} hold;

static void
let_go(void *arg)
{
    const hold *h = arg;
    wr_job *job = h->session->jobs[h->job].job;
    if (job == h->of) wr_job_release_checkpoint(job, h->id); /* else it has ended meanwhile */
}

/* The newest checkpoint, held: the next one of the job would take it away while it is read. */
static wr_status
take_newest(wr_ctx *ctx, wri_stmt *st, wri_job_entry *e, wr_checkpoint_stat *out, bool *found)
{
    hold *h = WR_NEW(st->arena, hold);
    WR_TRY_ALLOC(ctx, h);
    *found = newest(e, out);
    for (uint32_t tries = 0; *found && e->job && tries < HOLD_TRIES; tries++) {
        if (out->kind == WR_SAVEPOINT_CANONICAL || out->kind == WR_SAVEPOINT_NATIVE) return WR_OK;
        *h = (hold){st->session, (uint32_t)(e - st->session->jobs), e->job, out->id};
        if (wr_job_hold_checkpoint(e->job, out->id)) {
            wr_arena_defer(st->arena, let_go, h);
            return WR_OK;
        }
        if (tries) wr_os_sleep_ns(HOLD_PAUSE_NS);
        *found = newest(e, out); /* it has gone: a newer one is there, or about to be told of */
    }
    return WR_OK;
}

static wr_status
no_checkpoint(wr_ctx *ctx, const wri_job_entry *e, wr_span span)
{
    wr_checkpoint_counts n = {0};
    const wr_str state =
        e->job ? wr_str_c(wr_job_state_name(wr_job_get_state(e->job))) : e->final_state;
    if (e->job) wr_job_checkpoint_counts(e->job, &n);
    if (!e->job)
        wr_hint(ctx, "it has ended; 'execution.checkpointing.externalized-checkpoint-retention' "
                     "says whether a job's checkpoints outlive it");
    else if (!n.enabled)
        wr_hint(ctx,
                "it takes none: SET 'execution.checkpointing.interval' and "
                "'execution.checkpointing.dir' before it is started, or CREATE SAVEPOINT FOR "
                "JOB '%s'",
                e->hex);
    else
        wr_hint(ctx, "ask again later; SHOW CHECKPOINTS FOR JOB '%s' tells how they go", e->hex);
    return wr_raise_at(ctx, WR_SEMANTIC, span, "job %s (%.*s) has no completed checkpoint%s",
                       e->hex, WR_STR_ARG(state), e->job ? " yet" : "");
}

static wr_status
make_state(wr_ctx *ctx, wri_stmt *st, const wr_table_call *c, wr_arena *a, wr_table_desc *out)
{
    wr_str job, op, table = WR_STR("");
    wri_job_entry *e = NULL;
    wr_checkpoint_stat s;
    bool found;
    if (c->arg_count < 2 || c->arg_count > 3 || !text_arg(c, 0, true, a, &job) ||
        !text_arg(c, 1, false, a, &op) || (c->arg_count == 3 && !text_arg(c, 2, false, a, &table)))
        return wrong_call(ctx, c, a);
    WR_TRY(wri_find_job(ctx, st, job, c->arg_spans[0], &e));
    WR_TRY(take_newest(ctx, st, e, &s, &found));
    if (!found) return no_checkpoint(ctx, e, c->arg_spans[0]);
    const wr_status status = wr_savepoint_table(ctx, wr_str_c(s.path), op, table, a, out);
    if (status == WR_OK) return WR_OK;
    if (status == WR_NAME && ctx->err.span.start == UINT32_MAX)
        ctx->err.span = c->arg_spans[c->arg_count == 3 ? 2 : 1];
    wr_frame(ctx, "the last completed checkpoint of job %s, %llu in %s", e->hex,
             (unsigned long long)s.id, s.path);
    return status;
}

static wr_status
make(wr_ctx *ctx, void *arg, const wr_table_call *c, wr_arena *a, wr_table_desc *out)
{
    wri_stmt *st = arg;
    wr_str path;
    if (!is_metadata(c->name)) return make_state(ctx, st, c, a, out);
    if (c->arg_count != 1 || !text_arg(c, 0, false, a, &path)) return wrong_call(ctx, c, a);
    return wr_savepoint_metadata_table(ctx, path, a, out);
}

wr_status
wri_state_tables(wr_ctx *ctx, wri_stmt *st)
{
    wr_call_tables *t = WR_NEW(st->arena, wr_call_tables);
    WR_TRY_ALLOC(ctx, t);
    *t = (wr_call_tables){.knows = knows, .make = make, .arg = st};
    st->env.call_tables = t;
    return WR_OK;
}
