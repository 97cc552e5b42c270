/* SPDX-License-Identifier: Apache-2.0 */
/* Materialized tables in mode FULL: now and then, at the times of their FRESHNESS, a batch job
 * overwrites the content with the answer of the query, all at once. Times are those of Flink's cron
 * expressions: whole seconds of a minute, minutes of an hour, hours of a day, in the session's
 * zone.
 *
 * There is no thread for it: the session starts what is due between statements and wherever it
 * waits for a job, so nothing here needs a lock. A table whose last refresh still runs is left out.
 */
#include "connector/connector.h"
#include "engine/engine_int.h"
#include "engine/show_int.h"

#define DAY_MS  86400000LL
#define WEEK_MS (7 * DAY_MS)
#define MONDAY  (4 * DAY_MS) /* 1970-01-05 */

#define NAME_FMT     "`%.*s`.`%.*s`.`%.*s`"
#define NAME_ARG(id) WR_STR_ARG((id).catalog), WR_STR_ARG((id).database), WR_STR_ARG((id).name)

/* ---- the job --------------------------------------------------------------------------------- */

/* What goes wrong is told of the statement, since the job's INSERT is a text that the user has not
 * written. */
wr_status
wri_refresh_run(wr_ctx *ctx, wri_stmt *st, const wr_table_desc *t, const wr_options *only)
{
    wr_str text;
    wr_ast *insert = NULL;
    const wr_str sql = ctx->sql;
    ctx->sql = t->view_expanded;
    wr_status status = wr_ddl_refresh_text(ctx, &st->env, t, only, &text);
    if (status == WR_OK) {
        ctx->sql = text;
        status = wr_sql_parse(ctx, text, st->arena, &insert);
    }
    const wr_ast *one = insert;
    if (status == WR_OK) status = wri_exec_inserts(ctx, st, &one, 1);
    ctx->sql = sql;
    if (status != WR_OK && st->ast) ctx->err.span = st->ast->span;
    return status;
}

/* kind: Flink's word in the job's name. */
wr_str
wri_refresh_job_name(wr_arena *a, const wr_table_id *id, const char *kind)
{
    return wr_arena_printf(a, "Materialized_table_" NAME_FMT "_%s_refresh_job", NAME_ARG(*id),
                           kind);
}

static wr_status
refresh(wr_ctx *ctx, wri_stmt *st, const wr_table_desc *t, const wr_options *only, const char *kind)
{
    const wr_str name = wri_refresh_job_name(st->arena, &t->id, kind);
    WR_TRY_ALLOC(ctx, name.ptr);
    st->eval->batch = st->env.batch = true;
    st->env.refreshing = true;
    WR_TRY(wri_stmt_set_option(ctx, st, "execution.runtime-mode", WR_STR("BATCH")));
    WR_TRY(wri_stmt_set_option(ctx, st, "pipeline.name", name));
    return wri_refresh_run(ctx, st, t, only);
}

wr_status
wri_refresh_now(wr_ctx *ctx, wri_stmt *st, const wr_table_desc *t, const wr_options *only)
{
    WR_TRY(wri_stmt_set_option(ctx, st, "table.dml-sync", WR_STR("true")));
    return refresh(ctx, st, t, only, "one_time");
}

/* ---- REFRESH PARTITION ----------------------------------------------------------------------- */

static void
put_names(wr_text *t, const wr_str *names, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        wr_text_printf(t, "%s%.*s", i ? "\n" : "", WR_STR_ARG(names[i]));
}

/* As Flink asks: of columns that are there, and are texts. */
static wr_status
check_partitions(wr_ctx *ctx, wri_stmt *st, const wr_table_desc *t, const wr_options *only,
                 wr_span span)
{
    wr_text unknown, other, known;
    wr_text_init(&unknown, st->arena);
    wr_text_init(&other, st->arena);
    wr_text_init(&known, st->arena);
    put_names(&known, t->partition_keys, t->partition_key_count);
    for (uint32_t i = 0; i < only->count; i++) {
        const wr_str name = only->items[i].key;
        const wr_column *c = wr_table_column(t, name, NULL);
        wr_text *to = !c                                                        ? &unknown
                      : c->type->id == WR_T_CHAR || c->type->id == WR_T_VARCHAR ? NULL
                                                                                : &other;
        if (to) wr_text_printf(to, "%s%.*s", to->len ? "\n" : "", WR_STR_ARG(name));
    }
    const wr_str unknowns = wr_text_str(&unknown), others = wr_text_str(&other);
    if (unknowns.len)
        return wr_raise_at(ctx, WR_SEMANTIC, span,
                           "The partition spec contains unknown partition keys:\n\n%.*s\n\nAll "
                           "known partition keys are:\n\n%.*s",
                           WR_STR_ARG(unknowns), WR_STR_ARG(wr_text_str(&known)));
    if (others.len)
        return wr_raise_at(ctx, WR_SEMANTIC, span,
                           "Currently, refreshing materialized table only supports referring to "
                           "char, varchar and string type partition keys. All specified partition "
                           "keys in partition specs with unsupported types are:\n\n%.*s",
                           WR_STR_ARG(others));
    return WR_OK;
}

static wr_status
read_partition(wr_ctx *ctx, wri_stmt *st, const wr_ast_partition *p, wr_options *out)
{
    wr_option *items = WR_NEW_N(st->arena, wr_option, p->columns.count + 1);
    WR_TRY_ALLOC(ctx, items);
    for (uint32_t i = 0; i < p->columns.count; i++) {
        const wr_ast *value = p->values.items[i];
        if (!value || value->kind != WR_AST_LITERAL)
            return wr_raise_at(ctx, WR_SEMANTIC, p->base.span,
                               "REFRESH PARTITION needs a value for '%.*s'",
                               WR_STR_ARG(p->columns.items[i].name));
        items[i] = (wr_option){.key = p->columns.items[i].name,
                               .value = WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, value)->text,
                               .span = p->base.span};
    }
    *out = (wr_options){.items = items, .count = p->columns.count};
    return WR_OK;
}

wr_status
wri_alter_refresh(wr_ctx *ctx, wri_stmt *st, const wr_table_desc *t, const wr_ast_alter *alter)
{
    wr_options only = {0};
    for (uint32_t i = 0; i < alter->partitions.count; i++)
        WR_TRY(read_partition(
            ctx, st, WR_AST_AS(wr_ast_partition, WR_AST_PARTITION, alter->partitions.items[i]),
            &only));
    WR_TRY(check_partitions(ctx, st, t, &only, alter->base.span));
    return wri_refresh_now(ctx, st, t, &only);
}

/* ---- by the clock ---------------------------------------------------------------------------- */

/* The next time that is a multiple of `every` on the clock of `tz`. */
static int64_t
next_time(const wr_tz *tz, int64_t every, int64_t now)
{
    const int64_t origin = every == WEEK_MS ? MONDAY : 0;
    const int64_t local = wr_tz_to_local(tz, now) - origin;
    const int64_t next = local - ((local % every) + every) % every + every;
    return WR_MAX(wr_tz_to_utc(tz, next + origin), now + 1);
}

static wri_schedule *
find(wr_session *s, const wr_table_id *id)
{
    for (uint32_t i = 0; i < s->schedules.count; i++) {
        wri_schedule *one = &s->schedules.items[i];
        if (wr_str_eq(one->id.catalog, id->catalog) && wr_str_eq(one->id.database, id->database) &&
            wr_str_eq(one->id.name, id->name))
            return one;
    }
    return NULL;
}

static bool
keep_options(wr_arena *a, const wr_options *from, wr_options *out)
{
    wr_option *items = WR_NEW_N(a, wr_option, from->count + 1);
    for (uint32_t i = 0; items && i < from->count; i++) {
        items[i] = from->items[i];
        items[i].key = wr_arena_str(a, from->items[i].key);
        items[i].value = wr_arena_str(a, from->items[i].value);
        if (!items[i].key.ptr || !items[i].value.ptr) return false;
    }
    *out = (wr_options){.items = items, .count = from->count};
    return items != NULL;
}

wr_status
wri_refresh_schedule(wr_ctx *ctx, wri_stmt *st, const wr_table_desc *t, const wr_options *with)
{
    wr_session *s = st->session;
    wri_schedule one = {.every_ms = t->refresh.freshness_ms};
    wri_refresh_unschedule(s, &t->id);
    one.id = (wr_table_id){.catalog = wr_arena_str(s->arena, t->id.catalog),
                           .database = wr_arena_str(s->arena, t->id.database),
                           .name = wr_arena_str(s->arena, t->id.name)};
    bool ok = one.id.catalog.ptr && one.id.database.ptr && one.id.name.ptr &&
              (!with || keep_options(s->arena, with, &one.options));
    WR_TRY_ALLOC(ctx, ok ? s : NULL);
    WR_TRY(wr_tz_open(ctx, s->arena, wr_config_str(st->config, "table.local-time-zone"), &one.tz));
    one.due_ms = next_time(one.tz, one.every_ms, wr_os_wall_ms());
    return wr_list_push(s->arena, &s->schedules, one) ? WR_OK
                                                      : wr_raise(ctx, WR_NOMEM, "out of memory");
}

void
wri_refresh_unschedule(wr_session *s, const wr_table_id *id)
{
    wri_schedule *one = find(s, id);
    if (one) *one = s->schedules.items[--s->schedules.count];
}

/* ---- 'partition.fields.<column>.date-formatter' ---------------------------------------------- */

/* The time `ms` as yyyy, MM, dd, HH, mm, ss and what stands between them say; false: another
 * letter. */
static bool
put_time(wr_text *t, wr_str pattern, int64_t local_ms)
{
    wr_ts ts = {.ms = local_ms};
    char iso[WR_DT_TEXT_MAX];
    const uint32_t len = wr_ts_print(ts, 0, iso); /* yyyy-MM-dd HH:mm:ss */
    static const struct {
        char letter;
        uint8_t at, count;
    } parts[] = {{'y', 0, 4}, {'M', 5, 2}, {'d', 8, 2}, {'H', 11, 2}, {'m', 14, 2}, {'s', 17, 2}};
    for (size_t i = 0; i < pattern.len;) {
        const char c = pattern.ptr[i];
        size_t n = 1;
        while (i + n < pattern.len && pattern.ptr[i + n] == c) n++;
        i += n;
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        uint32_t k = 0;
        while (k < WR_COUNT(parts) && parts[k].letter != c) k++;
        if (letter && (k == WR_COUNT(parts) || n != parts[k].count || len < 19)) return false;
        if (letter)
            wr_text_put(t, iso + parts[k].at, parts[k].count);
        else
            for (; n; n--) wr_text_putc(t, c);
    }
    return true;
}

/* The partitions that are refreshed at `due_ms`: those of the time one FRESHNESS before. */
static wr_status
partitions_due(wr_ctx *ctx, wri_stmt *st, const wr_table_desc *t, const wri_schedule *s,
               int64_t due_ms, wr_options *out)
{
    static const wr_str head = {"partition.fields.", 17}, tail = {".date-formatter", 15};
    wr_option *items = WR_NEW_N(st->arena, wr_option, t->options.count + 1);
    WR_TRY_ALLOC(ctx, items);
    *out = (wr_options){.items = items};
    for (uint32_t i = 0; i < t->options.count; i++) {
        const wr_option *o = &t->options.items[i];
        if (!wr_str_starts(o->key, head) || o->key.len <= head.len + tail.len) continue;
        wr_text value;
        wr_text_init(&value, st->arena);
        const wr_str column = {o->key.ptr + head.len, o->key.len - head.len - tail.len};
        if (!put_time(&value, o->value, wr_tz_to_local(s->tz, due_ms) - t->refresh.freshness_ms))
            return wr_raise(ctx, WR_OPTION,
                            "'%.*s' = '%.*s': only yyyy, MM, dd, HH, mm and ss are supported",
                            WR_STR_ARG(o->key), WR_STR_ARG(o->value));
        items[out->count++] = (wr_option){column, wr_text_str(&value), WR_NO_SPAN};
    }
    return check_partitions(ctx, st, t, out, WR_NO_SPAN);
}

/* ---- what is due ----------------------------------------------------------------------------- */

static wr_status
silent_begin(wr_ctx *ctx, void *arg, const wr_result_head *head)
{
    (void)ctx;
    (void)arg;
    (void)head;
    return WR_OK;
}

static wr_status
silent_rows(wr_ctx *ctx, void *arg, const wr_batch *batch)
{
    (void)ctx;
    (void)arg;
    (void)batch;
    return WR_OK;
}

static wr_status
silent_end(wr_ctx *ctx, void *arg)
{
    (void)ctx;
    (void)arg;
    return WR_OK;
}

/* Does the last refresh of that name still run? One that has ended is collected here. */
static bool
is_running(wr_ctx *ctx, wr_session *s, wr_str name)
{
    for (uint32_t i = 0; i < s->job_count; i++) {
        wri_job_entry *e = &s->jobs[i];
        if (!e->job || !e->scheduled || !wr_str_eq(e->name, name)) continue;
        if (!wr_job_wait(e->job, 0)) return true;
        wr_ctx own;
        wr_ctx_init(&own);
        if (wri_session_collect(&own, s, e) != WR_OK)
            wr_notice(ctx, "job %.*s: %s", WR_STR_ARG(name), own.err.message);
    }
    return false;
}

static wr_status
start_due(wr_ctx *ctx, wri_stmt *st, const wri_schedule *s, int64_t due_ms)
{
    const wr_table_desc *t = NULL;
    wr_catalogs *cats = st->session->catalogs;
    wr_options only;
    WR_TRY(wri_stmt_prepare(ctx, st));
    WR_TRY(wr_catalogs_find_permanent(ctx, cats, &s->id, &t));
    if (!t || t->kind != WR_TABLE_MATERIALIZED) return WR_OK;
    WR_TRY(partitions_due(ctx, st, t, s, due_ms, &only));
    WR_TRY(wri_stmt_set_option(ctx, st, "table.dml-sync", WR_STR("false")));
    if (!s->options.count) return refresh(ctx, st, t, &only, "periodic");
    wr_table_desc *was = wr_table_desc_copy(st->arena, t), *with = wr_table_desc_copy(st->arena, t);
    WR_TRY_ALLOC(ctx, was);
    WR_TRY_ALLOC(ctx, with);
    with->options = s->options;
    WR_TRY(wr_catalogs_replace_table(ctx, cats, with));
    const wr_status status = refresh(ctx, st, with, &only, "periodic");
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    (void)!wr_catalogs_replace_table(&quiet, cats, was);
    return status;
}

static wr_status
start_in(wr_ctx *ctx, wr_ctx *own, wr_session *s, wri_stmt *st, const wri_schedule *was)
{
    const wr_str name = wri_refresh_job_name(st->arena, &was->id, "periodic");
    WR_TRY_ALLOC(own, name.ptr);
    return is_running(ctx, s, name) ? WR_OK : start_due(own, st, was, was->due_ms);
}

static void
start_one(wr_ctx *ctx, wr_session *s, wri_schedule *one, int64_t now)
{
    static const wr_result_sink silent = {
        .begin = silent_begin, .rows = silent_rows, .end = silent_end};
    const wri_schedule was = *one; /* the list may move */
    one->due_ms = next_time(one->tz, one->every_ms, now);
    wr_ctx own;
    wr_ctx_init(&own);
    wr_arena *arena = wr_arena_create(s->engine->budget, 0);
    wri_stmt st = {.session = s, .arena = arena, .text = WR_STR(""), .sink = &silent};
    const wr_status status =
        arena ? start_in(ctx, &own, s, &st, &was) : wr_raise(&own, WR_NOMEM, "out of memory");
    if (status != WR_OK)
        wr_notice(ctx, "Refreshing the materialized table " NAME_FMT " occur exception. %s",
                  NAME_ARG(was.id), own.err.message);
    if (!st.arena_taken) wr_arena_destroy(arena);
}

void
wri_refresh_tick(wr_ctx *ctx, wr_session *s)
{
    const int64_t now = s->schedules.count ? wr_os_wall_ms() : 0;
    if (s->stop_state != WR_SESSION_RUNS) return;
    for (uint32_t i = 0; i < s->schedules.count; i++)
        if (s->schedules.items[i].due_ms <= now) start_one(ctx, s, &s->schedules.items[i], now);
}
