/* SPDX-License-Identifier: Apache-2.0 */
/* SHOW WATERMARKS [FOR JOB id]: how far each split of the sources of running jobs has come in event
 * time, and for which of them the job waits. */
#include "engine/engine_int.h"

enum {
    WATERMARK_JOB,
    WATERMARK_TABLE,
    WATERMARK_SUBTASK,
    WATERMARK_SPLIT,
    WATERMARK_VALUE,
    WATERMARK_IDLE,
    WATERMARK_PAUSED,
    WATERMARK_ENDED,
    WATERMARK_HOLDS,
    WATERMARK_COLUMNS
};

static const char *const columns[WATERMARK_COLUMNS] = {
    "job id", "table", "subtask", "split", "watermark", "idle", "paused", "ended", "holds back"};

static wr_status
table_init(wr_ctx *ctx, wri_stmt *st, wri_table *t)
{
    const wr_type *types[WATERMARK_COLUMNS] = {NULL};
    types[WATERMARK_SUBTASK] = wr_type_of(WR_T_INT, true);
    types[WATERMARK_VALUE] = wr_type_time(st->arena, WR_T_TIMESTAMP_LTZ, 3, true);
    WR_TRY_ALLOC(ctx, types[WATERMARK_VALUE]);
    for (uint32_t i = WATERMARK_IDLE; i < WATERMARK_COLUMNS; i++)
        types[i] = wr_type_of(WR_T_BOOLEAN, true);
    return wri_table_init(ctx, t, st->arena, columns, types, WATERMARK_COLUMNS);
}

static wr_status
put_split(wr_ctx *ctx, wri_stmt *st, wri_table *t, const wri_job_entry *e,
          const wr_split_watermark *w)
{
    wr_value *row = wri_table_row(t);
    WR_TRY_ALLOC(ctx, row);
    wri_table_set(t, row, WATERMARK_JOB, wr_str_c(e->hex));
    wri_table_set(t, row, WATERMARK_TABLE,
                  wr_arena_printf(st->arena, "%.*s.%.*s.%.*s", WR_STR_ARG(w->table->catalog),
                                  WR_STR_ARG(w->table->database), WR_STR_ARG(w->table->name)));
    row[WATERMARK_SUBTASK] = wr_value_int(t->fields[WATERMARK_SUBTASK].type, w->subtask);
    if (w->split.len) wri_table_set(t, row, WATERMARK_SPLIT, w->split);
    if (w->watermark != INT64_MIN)
        row[WATERMARK_VALUE] = wr_value_int(t->fields[WATERMARK_VALUE].type, w->watermark);
    row[WATERMARK_IDLE] = wr_value_bool(w->idle);
    row[WATERMARK_PAUSED] = wr_value_bool(w->paused);
    row[WATERMARK_ENDED] = wr_value_bool(w->ended);
    row[WATERMARK_HOLDS] = wr_value_bool(w->holds_back);
    return WR_OK;
}

static wr_status
put_job(wr_ctx *ctx, wri_stmt *st, wri_table *t, const wri_job_entry *e)
{
    wr_split_watermark *list = NULL;
    uint32_t count = 0;
    if (!e->job || wr_job_get_state(e->job) != WR_JOB_RUNNING) return WR_OK;
    WR_TRY(wr_job_get_watermarks(ctx, e->job, st->arena, &list, &count));
    for (uint32_t i = 0; i < count; i++) WR_TRY(put_split(ctx, st, t, e, &list[i]));
    return WR_OK;
}

wr_status
wri_show_watermarks(wr_ctx *ctx, wri_stmt *st, const wr_ast *job)
{
    wri_table t;
    wri_job_entry *one = NULL;
    WR_TRY(table_init(ctx, st, &t));
    if (job) {
        const wr_str name = WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, job)->text;
        WR_TRY(wri_find_job(ctx, st, name, job->span, &one));
        WR_TRY(put_job(ctx, st, &t, one));
    }
    for (uint32_t i = 0; !job && i < st->session->job_count; i++)
        WR_TRY(put_job(ctx, st, &t, &st->session->jobs[i]));
    return wri_result_table(ctx, st, &t);
}
