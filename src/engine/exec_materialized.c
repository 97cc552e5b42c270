/* SPDX-License-Identifier: Apache-2.0 */
/* Materialized tables. In continuous mode: a table, and a streaming job that keeps it up to date,
 * with FRESHNESS as its interval of checkpoints; in mode FULL it is overwritten now and then
 * (exec_refresh.c). Tables that name no connector have their content
 * in memory (connector 'materialized'), under an id of their own.
 *
 * SUSPEND stops the job with a savepoint, RESUME goes on from there; another query begins anew. */
#include "engine/engine_int.h"

#include "connector/connector.h"
#include "engine/show_int.h"

#define STOP_WAIT_MS 10000
#define ID_BYTES     16u

#define NAME_FMT     "`%.*s`.`%.*s`.`%.*s`"
#define NAME_ARG(id) WR_STR_ARG((id).catalog), WR_STR_ARG((id).database), WR_STR_ARG((id).name)

/* Flink's name for the job. ptr NULL: out of memory. */
static wr_str
job_name(wri_stmt *st, const wr_table_desc *t)
{
    return wri_refresh_job_name(st->arena, &t->id, t->refresh.full ? "periodic" : "continuous");
}

/* ---- where the content lies ------------------------------------------------------------------ */

/* The id of content in memory; ptr NULL: the table has a connector of the user's choice. */
static wr_str
content_id(const wr_table_desc *t)
{
    const wr_option *connector = wr_options_find(&t->options, "connector");
    const wr_option *id = wr_options_find(&t->options, "id");
    return connector && id && wr_str_eq_c(connector->value, "materialized") ? id->value
                                                                            : (wr_str){NULL, 0};
}

/* A new place in memory, unless the user has named a connector. */
static wr_status
place_content(wr_ctx *ctx, wri_stmt *st, wr_table_desc *t)
{
    const bool own = content_id(t).ptr != NULL;
    if (wr_options_find(&t->options, "connector") && !own) return WR_OK;
    uint8_t bytes[ID_BYTES];
    wr_text id;
    wr_os_random(bytes, sizeof bytes);
    wr_text_init(&id, st->session->arena);
    for (uint32_t i = 0; i < ID_BYTES; i++) wr_text_printf(&id, "%02x", bytes[i]);
    if (id.failed ||
        !wr_list_push(st->session->arena, &st->session->materialized, wr_text_str(&id)))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    wr_option *items = WR_NEW_N(st->arena, wr_option, t->options.count + 2);
    WR_TRY_ALLOC(ctx, items);
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->options.count; i++) {
        const wr_option *o = &t->options.items[i];
        if (!own || (!wr_str_eq_c(o->key, "connector") && !wr_str_eq_c(o->key, "id")))
            items[n++] = *o;
    }
    items[n++] = (wr_option){
        .key = WR_STR("connector"), .value = WR_STR("materialized"), .span = WR_NO_SPAN};
    items[n++] = (wr_option){.key = WR_STR("id"), .value = wr_text_str(&id), .span = WR_NO_SPAN};
    t->options = (wr_options){.items = items, .count = n};
    return WR_OK;
}

void
wri_forget_materialized(wr_session *s)
{
    for (uint32_t i = 0; i < s->materialized.count; i++)
        wr_materialized_drop(s->materialized.items[i]);
}

/* ---- the job --------------------------------------------------------------------------------- */

/* The job of the table that runs; NULL: none. */
static wri_job_entry *
running_job(wri_stmt *st, const wr_table_desc *t)
{
    wr_session *s = st->session;
    const wr_str name = job_name(st, t);
    for (uint32_t i = s->job_count; name.ptr && i-- > 0;) {
        wri_job_entry *e = &s->jobs[i];
        if (!e->job || !wr_str_eq(e->name, name)) continue;
        const wr_job_state state = wr_job_get_state(e->job);
        if (state != WR_JOB_FINISHED && state != WR_JOB_FAILED && state != WR_JOB_CANCELED)
            return e;
    }
    return NULL;
}

static void
cancel(wri_job_entry *e)
{
    if (!e) return;
    e->stopped = true;
    wr_job_cancel(e->job);
    (void)wr_job_wait(e->job, STOP_WAIT_MS);
}

/* The statement's environment as its job needs it: streaming, a checkpoint every FRESHNESS. */
static wr_status
set_up(wr_ctx *ctx, wri_stmt *st, const wr_table_desc *t)
{
    const wr_str name = job_name(st, t);
    const wr_str interval =
        wr_arena_printf(st->arena, "%lld ms", (long long)t->refresh.freshness_ms);
    WR_TRY_ALLOC(ctx, name.ptr);
    WR_TRY_ALLOC(ctx, interval.ptr);
    st->eval->batch = st->env.batch = false;
    st->env.refreshing = true;
    WR_TRY(wri_stmt_set_option(ctx, st, "execution.runtime-mode", WR_STR("STREAMING")));
    WR_TRY(wri_stmt_set_option(ctx, st, "pipeline.name", name));
    WR_TRY(wri_stmt_set_option(ctx, st, "execution.checkpointing.interval", interval));
    const wr_str path = t->refresh.savepoint;
    return path.len ? wri_stmt_set_option(ctx, st, "execution.state-recovery.path", path) : WR_OK;
}

/* Starts the job of a table that is in the catalog, or makes it be refreshed from now on. */
static wr_status
run(wr_ctx *ctx, wri_stmt *st, const wr_table_desc *t)
{
    static const wr_options all = {0};
    if (!t->refresh.full) {
        WR_TRY(set_up(ctx, st, t));
        return wri_refresh_run(ctx, st, t, &all);
    }
    return wri_refresh_schedule(ctx, st, t, NULL);
}

/* Stores what has become of the table. */
static wr_status
note(wr_ctx *ctx, wri_stmt *st, const wr_table_desc *t, wr_refresh_status status, wr_str savepoint)
{
    wr_table_desc changed = *t;
    changed.refresh.status = (uint8_t)status;
    changed.refresh.savepoint = savepoint;
    return wr_catalogs_replace_table(ctx, st->session->catalogs, &changed);
}

/* ---- CREATE ---------------------------------------------------------------------------------- */

static void
take_back(wri_stmt *st, const wr_table_desc *t)
{
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    (void)!wr_catalogs_drop_table(&quiet, st->session->catalogs, &t->id, WR_TABLE_MATERIALIZED,
                                  false, true);
}

/* The content of a table in memory has the columns of its query: another one begins with a content
 * of its own, which is filled at once in mode FULL. */
static wr_status
run_changed(wr_ctx *ctx, wri_stmt *st, const wr_table_desc *t)
{
    static const wr_options all = {0};
    WR_TRY(run(ctx, st, t));
    if (!t->refresh.full) return WR_OK;
    return content_id(t).ptr ? wri_refresh_now(ctx, st, t, &all) : wri_result_ok(ctx, st);
}

/* A table that is suspended gets its new query when it is resumed, from the beginning. */
static wr_status
change_suspended(wr_ctx *ctx, wri_stmt *st, const wr_table_desc *old, wr_table_desc *t)
{
    const wr_str id = content_id(old);
    const wr_str kept = id.ptr ? wr_arena_str(st->arena, id) : id;
    const bool same = t->column_count == old->column_count;
    if (!same) WR_TRY(place_content(ctx, st, t));
    WR_TRY(wr_catalogs_replace_table(ctx, st->session->catalogs, t));
    if (!same && kept.ptr) wr_materialized_drop(kept);
    return wri_result_ok(ctx, st);
}

static wr_status
change_query(wr_ctx *ctx, wri_stmt *st, const wr_ast *query, const wr_table_desc *old)
{
    wr_table_desc *t = NULL;
    wr_catalogs *cats = st->session->catalogs;
    WR_TRY(wr_ddl_materialized_as(ctx, &st->env, query, old, &t));
    const wr_table_desc *was = wr_table_desc_copy(st->arena, old);
    WR_TRY_ALLOC(ctx, was);
    t->refresh.savepoint = WR_STR("");
    if (old->refresh.status == WR_REFRESH_SUSPENDED) return change_suspended(ctx, st, was, t);
    WR_TRY(place_content(ctx, st, t));
    WR_TRY(wr_catalogs_replace_table(ctx, cats, t));
    wri_job_entry *before = running_job(st, t);
    const uint32_t number = before ? before->id : 0;
    wr_status status = run_changed(ctx, st, t);
    if (status != WR_OK) {
        wr_ctx quiet;
        wr_ctx_init(&quiet);
        (void)!wr_catalogs_replace_table(&quiet, cats, was);
        return status;
    }
    for (uint32_t i = 0; number && i < st->session->job_count; i++)
        if (st->session->jobs[i].id == number) cancel(&st->session->jobs[i]);
    if (content_id(was).ptr) wr_materialized_drop(content_id(was));
    return note(ctx, st, t, WR_REFRESH_ACTIVATED, WR_STR(""));
}

/* Empty until the first refresh; in a process that goes on, content in memory is made anew. */
static wr_status
begin_full(wr_ctx *ctx, wri_stmt *st, const wr_table_desc *t)
{
    static const wr_options all = {0};
    wr_session *s = st->session;
    bool begun = false; /* by an earlier process */
    WR_TRY(wri_job_begun(ctx, st, job_name(st, t), &begun));
    WR_TRY(wri_refresh_schedule(ctx, st, t, NULL));
    if (s->state) WR_TRY(wri_job_note_begun(ctx, st, job_name(st, t)));
    const wr_str id = content_id(t);
    if (id.ptr && !wr_materialized_make(id)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    const wr_status status =
        begun && id.ptr ? wri_refresh_now(ctx, st, t, &all) : wri_result_ok(ctx, st);
    if (status != WR_OK) wri_refresh_unschedule(s, &t->id);
    return status;
}

wr_status
wri_exec_materialized(wr_ctx *ctx, wri_stmt *st, const wr_ast_create_table *create)
{
    wr_table_desc *t = NULL;
    const wr_table_desc *old = NULL;
    wr_catalogs *cats = st->session->catalogs;
    bool begun = false;
    WR_TRY(wr_ddl_materialized(ctx, &st->env, create, &t));
    WR_TRY(wr_catalogs_find_table(ctx, cats, &t->id, &old));
    if (old && old->kind == WR_TABLE_MATERIALIZED) {
        WR_TRY(wri_job_begun(ctx, st, job_name(st, t), &begun));
        if (!begun && create->or_alter) return change_query(ctx, st, create->query, old);
    }
    WR_TRY(place_content(ctx, st, t));
    if (begun) { /* by an earlier process, as the state folder knows */
        WR_TRY(wr_catalogs_replace_table(ctx, cats, t));
    } else {
        const wr_status status = wr_catalogs_create_table(ctx, cats, t, false);
        if (status != WR_OK) {
            ctx->err.span = create->name->base.span;
            return status;
        }
    }
    const wr_status status = t->refresh.full ? begin_full(ctx, st, t) : run(ctx, st, t);
    if (status == WR_OK) return note(ctx, st, t, WR_REFRESH_ACTIVATED, WR_STR(""));
    if (!begun) take_back(st, t);
    return status;
}

/* ---- ALTER, DROP ----------------------------------------------------------------------------- */

static wr_status
find(wr_ctx *ctx, wri_stmt *st, const wr_ast_ident *name, const char *what,
     const wr_table_desc **out)
{
    wr_table_id id;
    const wr_table_desc *t = NULL;
    WR_TRY(wri_show_qualify(ctx, st, name, &id));
    WR_TRY(wr_catalogs_find_permanent(ctx, st->session->catalogs, &id, &t));
    if (!t) {
        wr_catalogs_candidates(ctx, st->session->catalogs, &id);
        return wr_raise_at(ctx, WR_NAME, name->base.span,
                           "Materialized table " NAME_FMT " doesn't exist.", NAME_ARG(id));
    }
    if (t->kind != WR_TABLE_MATERIALIZED)
        return wr_raise_at(ctx, WR_SEMANTIC, name->base.span,
                           "Table " NAME_FMT " is not a materialized table, does not support %s "
                           "operation.",
                           NAME_ARG(id), what);
    *out = t;
    return WR_OK;
}

static wr_status
suspend(wr_ctx *ctx, wri_stmt *st, const wr_ast_alter *alter)
{
    const wr_table_desc *t = NULL;
    wr_str path = WR_STR("");
    WR_TRY(find(ctx, st, alter->name, "suspend", &t));
    if (t->refresh.status == WR_REFRESH_SUSPENDED)
        return wr_raise_at(ctx, WR_SEMANTIC, alter->name->base.span,
                           "Materialized table " NAME_FMT " %s has been suspended%s",
                           NAME_ARG(t->id),
                           t->refresh.full ? "refresh workflow" : "continuous refresh job",
                           t->refresh.full ? "." : "");
    wri_job_entry *e = t->refresh.full ? NULL : running_job(st, t);
    if (t->refresh.full) {
        wri_refresh_unschedule(st->session, &t->id);
    } else if (!e) {
        wr_notice(ctx, "the job of " NAME_FMT " does not run: RESUME will begin anew",
                  NAME_ARG(t->id));
    } else {
        wr_savepoint_request req = {
            .dir = wr_config_str(st->config, "execution.checkpointing.savepoint-dir"),
            .stop = true};
        if (!req.dir.ptr || !req.dir.len) {
            wr_hint(ctx, "SET 'execution.checkpointing.savepoint-dir' = 'file:///...'");
            return wr_raise_at(ctx, WR_OPTION, alter->name->base.span,
                               "Savepoint directory is not configured, can't stop job with "
                               "savepoint.");
        }
        WR_TRY(wr_job_savepoint(ctx, e->job, &req, st->arena, &path));
        e->stopped = true;
        (void)wr_job_wait(e->job, STOP_WAIT_MS);
    }
    WR_TRY(note(ctx, st, t, WR_REFRESH_SUSPENDED, path));
    return wri_result_ok(ctx, st);
}

/* Also where another process made the table: its refreshing begins here then. */
static wr_status
resume_full(wr_ctx *ctx, wri_stmt *st, const wr_ast_alter *alter, const wr_table_desc *old)
{
    wr_session *s = st->session;
    wr_options with;
    bool here = false;
    for (uint32_t i = 0; i < s->schedules.count; i++)
        here |= wr_str_eq(s->schedules.items[i].id.name, old->id.name) &&
                wr_str_eq(s->schedules.items[i].id.database, old->id.database) &&
                wr_str_eq(s->schedules.items[i].id.catalog, old->id.catalog);
    if (here)
        return wr_raise_at(ctx, WR_SEMANTIC, alter->name->base.span,
                           "Materialized table " NAME_FMT " refresh workflow has been resumed.",
                           NAME_ARG(old->id));
    const wr_table_desc *t = wr_table_desc_copy(st->arena, old);
    WR_TRY_ALLOC(ctx, t);
    WR_TRY(wri_read_options(ctx, st, &alter->options, &t->options, &with));
    WR_TRY(wri_refresh_schedule(ctx, st, t, alter->options.count ? &with : NULL));
    const wr_str id = content_id(t);
    const wr_str kept = id.ptr ? wr_arena_str(s->arena, id) : id;
    if (id.ptr && (!kept.ptr || !wr_list_push(s->arena, &s->materialized, kept) ||
                   !wr_materialized_make(kept)))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    WR_TRY(note(ctx, st, t, WR_REFRESH_ACTIVATED, WR_STR("")));
    return wri_result_ok(ctx, st);
}

static wr_status
resume(wr_ctx *ctx, wri_stmt *st, const wr_ast_alter *alter)
{
    const wr_table_desc *old = NULL;
    wr_catalogs *cats = st->session->catalogs;
    WR_TRY(find(ctx, st, alter->name, "resume", &old));
    if (old->refresh.full) return resume_full(ctx, st, alter, old);
    if (running_job(st, old))
        return wr_raise_at(ctx, WR_SEMANTIC, alter->name->base.span,
                           "Materialized table " NAME_FMT
                           " continuous refresh job has been resumed",
                           NAME_ARG(old->id));
    wr_table_desc *was = wr_table_desc_copy(st->arena, old);
    wr_table_desc *t = wr_table_desc_copy(st->arena, old);
    WR_TRY_ALLOC(ctx, was);
    WR_TRY_ALLOC(ctx, t);
    /* WITH: options of this run alone, as OPTIONS hints would give them */
    WR_TRY(wri_read_options(ctx, st, &alter->options, &old->options, &t->options));
    const wr_str id = content_id(t);
    wr_str kept = id.ptr ? wr_arena_str(st->session->arena, id) : id;
    if (id.ptr &&
        (!kept.ptr || !wr_list_push(st->session->arena, &st->session->materialized, kept)))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    WR_TRY(wr_catalogs_replace_table(ctx, cats, t));
    const wr_status status = run(ctx, st, t);
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    if (status == WR_OK) return note(ctx, st, was, WR_REFRESH_ACTIVATED, WR_STR(""));
    (void)!wr_catalogs_replace_table(&quiet, cats, was);
    return status;
}

wr_status
wri_alter_materialized(wr_ctx *ctx, wri_stmt *st, const wr_ast_alter *alter)
{
    const wr_table_desc *t = NULL;
    switch ((int)alter->action) {
    case WR_SQL_ALTER_SUSPEND:
        return suspend(ctx, st, alter);
    case WR_SQL_ALTER_RESUME:
        return resume(ctx, st, alter);
    case WR_SQL_ALTER_AS:
        WR_TRY(find(ctx, st, alter->name, "modify query", &t));
        return change_query(ctx, st, alter->query, t);
    case WR_SQL_ALTER_REFRESH:
        WR_TRY(find(ctx, st, alter->name, "refresh", &t));
        return wri_alter_refresh(ctx, st, wr_table_desc_copy(st->arena, t), alter);
    default:
        return wri_unsupported_query(ctx, st, &alter->base);
    }
}

wr_status
wri_drop_materialized(wr_ctx *ctx, wri_stmt *st, const wr_ast_drop *drop)
{
    wr_table_id id;
    const wr_table_desc *t = NULL;
    wr_catalogs *cats = st->session->catalogs;
    WR_TRY(wri_show_qualify(ctx, st, drop->name, &id));
    WR_TRY(wr_catalogs_find_permanent(ctx, cats, &id, &t));
    const bool found = t && t->kind == WR_TABLE_MATERIALIZED;
    const wr_str content = found ? content_id(t) : (wr_str){NULL, 0};
    const wr_str kept = content.ptr ? wr_arena_str(st->arena, content) : content;
    if (found) wri_refresh_unschedule(st->session, &id);
    if (found) cancel(running_job(st, t));
    WR_TRY(wr_catalogs_drop_table(ctx, cats, &id, WR_TABLE_MATERIALIZED, false, drop->if_exists));
    if (kept.ptr) wr_materialized_drop(kept);
    return WR_OK;
}
