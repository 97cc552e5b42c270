/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of runtime_rig.h: sources that follow steps, sinks that keep what they saw. */
#ifndef WR_TESTS_RUNTIME_RIG_TABLES_H
#define WR_TESTS_RUNTIME_RIG_TABLES_H

#include <stdlib.h>

#include "runtime/runtime.h"
#include "unit/check.h"

/* ---- what a source does ---------------------------------------------------------------------- */
typedef enum rig_what {
    RIG_ROWS,  /* n rows in batches of `batch` rows */
    RIG_MARK,  /* watermark n */
    RIG_PAUSE, /* nothing for n ms */
    RIG_HOLD,  /* nothing until r->gate >= n */
    RIG_OPEN,  /* r->gate = n */
    RIG_FAIL,
    RIG_END
} rig_what;
typedef struct rig_step {
    rig_what what;
    int64_t n;
    uint32_t batch; /* ROWS: 0 = full ones */
} rig_step;

typedef struct rig_seen { /* what a sink saw; guarded by r->mutex */
    uint64_t rows, sum, order_breaks, wrong_subtask, misplaced_strings, late;
    int64_t last_mark[64], low_mark; /* per subtask */
    uint64_t rows_of[64];
    int64_t last_of_key[1024]; /* highest v of a key, for order */
    int32_t subtask_of_key[1024];
    uint32_t finished, stops; /* writers that were told of the end; of a stop */
    int64_t first_row_ms;
    uint64_t committed_rows, committed_sum, commits, commits_at_end; /* what commit was given */
    uint64_t next_commit_fails;
    uint64_t done[4096]; /* what was committed: it is given again after a failure */
    uint32_t done_count;
    bool gate_by_commits; /* every commit opens the gate by one */
    /* how it behaves */
    int64_t sleep_ms, per_mark; /* per_mark, when set: mark n * 1000 comes behind n * per_mark
                                    rows of every split */
    uint64_t fail_after;        /* rows; 0 = never */
    uint32_t fail_times;        /* so often; 0 = each time */
    uint32_t prepare_fails;
} rig_seen;

typedef struct job_rig {
    wr_ctx ctx;
    wr_memtrack *budget;
    wr_arena *arena;
    wr_eval_env eval;
    wr_config config;
    wr_job_env env;
    wr_plan plan;
    wr_pnode *nodes[64], *roots[8];
    wr_field fields[3];
    wr_schema schema;
    wr_job *job;
    wr_os_mutex mutex;
    int64_t gate; /* atomic */
    int64_t keys;
} job_rig;

typedef struct rig_table { /* behind a scan's wr_table_desc */
    wr_table_desc desc;    /* first */
    job_rig *rig;
    const rig_step *steps;
    const rig_step *const *split_steps; /* of each split, instead of `steps`; NULL: the same */
    uint32_t splits;                    /* at the start */
    uint32_t late_splits;               /* atomic; found when asked again */
    int64_t recheck_ms;
    rig_seen *seen; /* of a sink */
} rig_table;

typedef struct rig_split {
    char name[24];
    int64_t next_v;
    uint32_t step, done; /* rows of the step */
    int64_t until_ms;
    bool ended, paused;
} rig_split;
typedef struct rig_reader {
    rig_table *table;
    const wr_source_env *env;
    rig_split splits[64];
    uint32_t count, at;
    bool no_more;
} rig_reader;

static inline wr_status
rig_source_open(wr_ctx *ctx, const wr_source_spec *spec, const wr_source_env *env, wr_reader **out)
{
    rig_reader *r = WR_NEW(env->arena, rig_reader);
    WR_TRY_ALLOC(ctx, r);
    *r = (rig_reader){.table = (rig_table *)(uintptr_t)spec->table, .env = env};
    *out = (wr_reader *)r;
    return WR_OK;
}
static inline wr_status
rig_source_discover(wr_ctx *ctx, const wr_source_spec *spec, uint32_t parallelism, wr_arena *arena,
                    wr_str **splits, uint32_t *count, int64_t *recheck_ms)
{
    (void)parallelism;
    rig_table *t = (rig_table *)(uintptr_t)spec->table;
    *count = t->splits + wr_os_load(&t->late_splits);
    *splits = WR_NEW_N(arena, wr_str, *count + 1);
    WR_TRY_ALLOC(ctx, *splits);
    for (uint32_t i = 0; i < *count; i++) (*splits)[i] = wr_arena_printf(arena, "split %u", i);
    *recheck_ms = t->recheck_ms;
    return WR_OK;
}
static inline wr_status
rig_add_split(wr_ctx *ctx, wr_reader *reader, wr_str split, wr_str position)
{
    rig_reader *r = (rig_reader *)reader;
    rig_split *s = &r->splits[r->count++];
    *s = (rig_split){0};
    if (position.len && position.len != sizeof *s) return wr_raise(ctx, WR_CORRUPT, "position");
    if (position.len) memcpy(s, position.ptr, sizeof *s);
    s->until_ms = s->paused = 0;
    (void)snprintf(s->name, sizeof s->name, "%.*s", WR_STR_ARG(split));
    return WR_OK;
}
static inline wr_status
rig_source_snapshot(wr_ctx *ctx, wr_reader *reader, uint64_t id, wr_opstate *out)
{
    (void)id;
    const rig_reader *r = (const rig_reader *)reader;
    for (uint32_t i = 0; i < r->count; i++) {
        const rig_split *s = &r->splits[i];
        wr_str position = {(const char *)s, sizeof *s};
        if (!s->ended) WR_TRY(wr_split_put(ctx, out, wr_str_c(s->name), position));
    }
    return WR_OK;
}
static inline wr_status
rig_no_more(wr_ctx *ctx, wr_reader *reader)
{
    (void)ctx;
    ((rig_reader *)reader)->no_more = true;
    return WR_OK;
}
static inline wr_status
rig_fill(wr_ctx *ctx, rig_reader *r, rig_split *s, wr_batch *b, uint32_t rows)
{
    job_rig *rig = r->table->rig;
    char text[40];
    if (!wr_batch_init_flat(b, &rig->schema, rows)) return wr_raise(ctx, WR_NOMEM, "rows");
    for (uint32_t i = 0; i < rows; i++, s->next_v++) {
        ((int64_t *)b->cols[0].data)[i] = s->next_v % rig->keys;
        ((int64_t *)b->cols[1].data)[i] = s->next_v;
        int n = snprintf(text, sizeof text, s->next_v % 3 ? "%lld" : "a long string, number %lld",
                         (long long)s->next_v);
        if (s->next_v % 7 == 0)
            (void)wr_vec_set_null(&b->cols[2], i, b->arena);
        else if (!wr_vec_set_str(&b->cols[2], i, text, (uint32_t)n, b->arena))
            return wr_raise(ctx, WR_NOMEM, "text");
    }
    b->row_count = rows;
    return WR_OK;
}
/* One step of one split; *out tells what came. */
static inline wr_status
rig_step_on(wr_ctx *ctx, rig_reader *r, rig_split *s, wr_batch *fill, uint32_t max, wr_poll *out)
{
    const rig_step *step = r->table->split_steps
                               ? &r->table->split_steps[atoi(s->name + 6)][s->step]
                               : &r->table->steps[s->step];
    int64_t now = wr_os_now_ns() / 1000000;
    switch (step->what) {
    case RIG_ROWS: {
        uint32_t n = step->batch ? WR_MIN(step->batch, max) : max;
        n = (uint32_t)WR_MIN((int64_t)n, step->n - (int64_t)s->done);
        WR_TRY(rig_fill(ctx, r, s, fill, n));
        s->done += n;
        out->kind = WR_POLL_READY;
        if ((int64_t)s->done == step->n) s->step++, s->done = 0;
        return WR_OK;
    }
    case RIG_MARK:
        out->kind = WR_POLL_READY;
        out->has_watermark = true;
        out->watermark = step->n;
        s->step++;
        break;
    case RIG_PAUSE:
        if (!s->until_ms) s->until_ms = now + step->n;
        if (now < s->until_ms) {
            out->wake_at_ms = s->until_ms;
        } else {
            s->until_ms = 0;
            s->step++;
            out->kind = WR_POLL_READY;
        }
        return WR_OK;
    case RIG_HOLD:
        out->wake_at_ms = now + 1;
        if (wr_os_load(&r->table->rig->gate) >= step->n) s->step++;
        return WR_OK;
    case RIG_OPEN:
        wr_os_store(&r->table->rig->gate, step->n);
        s->step++;
        out->kind = WR_POLL_READY;
        return WR_OK;
    case RIG_FAIL:
        return wr_raise(ctx, WR_DATA, "the source failed");
    case RIG_END:
        s->ended = out->split_ended = true;
        out->kind = WR_POLL_READY;
        break;
    }
    return WR_OK;
}
static inline wr_status
rig_poll(wr_ctx *ctx, wr_reader *reader, wr_batch *fill, uint32_t max_rows, wr_poll *out)
{
    rig_reader *r = (rig_reader *)reader;
    bool more = !r->no_more;
    *out = (wr_poll){.kind = WR_POLL_PENDING, .fd = -1};
    for (uint32_t i = 0; i < r->count; i++) {
        rig_split *s = &r->splits[r->at];
        out->split = r->at;
        r->at = (r->at + 1) % r->count;
        more |= !s->ended;
        if (!s->ended && !s->paused) return rig_step_on(ctx, r, s, fill, max_rows, out);
    }
    if (!more) out->kind = WR_POLL_END;
    return WR_OK;
}
static inline void
rig_source_close(wr_reader *r)
{
    (void)r;
}
static const wr_source_ops rig_source = {.abi = WR_ABI,
                                         .name = "rig",
                                         .discover = rig_source_discover,
                                         .open = rig_source_open,
                                         .add_split = rig_add_split,
                                         .no_more_splits = rig_no_more,
                                         .poll = rig_poll,
                                         .snapshot = rig_source_snapshot,
                                         .close = rig_source_close};
/* ---- what a sink sees ------------------------------------------------------------------------ */
typedef struct rig_writer {
    rig_table *table;
    const wr_sink_env *env;
    uint64_t rows, sum; /* since the last barrier */
} rig_writer;

static inline wr_status
rig_sink_open(wr_ctx *ctx, const wr_sink_spec *spec, const wr_sink_env *env, wr_writer **out)
{
    rig_writer *w = WR_NEW(env->arena, rig_writer);
    WR_TRY_ALLOC(ctx, w);
    *w = (rig_writer){.table = (rig_table *)(uintptr_t)spec->table, .env = env};
    *out = (wr_writer *)w;
    return WR_OK;
}
static inline void
rig_see_row(rig_seen *seen, const wr_batch *b, uint32_t row, uint32_t subtask)
{
    int64_t k = ((const int64_t *)b->cols[0].data)[row];
    int64_t v = ((const int64_t *)b->cols[1].data)[row];
    seen->rows++;
    seen->rows_of[subtask % 64]++;
    seen->sum += (uint64_t)v;
    seen->late +=
        seen->per_mark && seen->last_mark[subtask % 64] >= (v / seen->per_mark + 1) * 1000;
    if (k >= 0 && k < 1024) {
        if (seen->last_of_key[k] > v) seen->order_breaks++;
        seen->last_of_key[k] = v;
        if (seen->subtask_of_key[k] && seen->subtask_of_key[k] != (int32_t)subtask + 1)
            seen->wrong_subtask++;
        seen->subtask_of_key[k] = (int32_t)subtask + 1;
    }
    char text[40];
    int n =
        snprintf(text, sizeof text, v % 3 ? "%lld" : "a long string, number %lld", (long long)v);
    bool null = wr_vec_is_null(&b->cols[2], row);
    const wr_view strings = wr_vec_view(&b->cols[2]);
    if (null != (v % 7 == 0))
        seen->misplaced_strings++;
    else if (!null && !wr_str_eq(wr_view_str(&strings, row), (wr_str){text, (size_t)n}))
        seen->misplaced_strings++;
}
static inline wr_status
rig_write(wr_ctx *ctx, wr_writer *writer, const wr_batch *b)
{
    rig_writer *w = (rig_writer *)writer;
    rig_seen *seen = w->table->seen;
    if (seen->sleep_ms) wr_os_sleep_ns(seen->sleep_ms * 1000000);
    wr_os_mutex_lock(&w->table->rig->mutex);
    if (!seen->rows) seen->first_row_ms = wr_os_now_ns() / 1000000;
    WR_FOR_ROWS (b, row) {
        rig_see_row(seen, b, row, w->env->subtask);
        w->rows++;
        w->sum += (uint64_t)((const int64_t *)b->cols[1].data)[row];
    }
    bool fail = seen->fail_after && seen->rows >= seen->fail_after;
    if (fail && seen->fail_times && --seen->fail_times == 0) seen->fail_after = 0;
    wr_os_mutex_unlock(&w->table->rig->mutex);
    return fail ? wr_raise(ctx, WR_IO, "the sink failed") : WR_OK;
}
static inline wr_status
rig_sink_mark(wr_ctx *ctx, wr_writer *writer, int64_t watermark)
{
    (void)ctx;
    rig_writer *w = (rig_writer *)writer;
    wr_os_mutex_lock(&w->table->rig->mutex);
    w->table->seen->last_mark[w->env->subtask % 64] = watermark;
    wr_os_mutex_unlock(&w->table->rig->mutex);
    return WR_OK;
}
static inline wr_status
rig_sink_flush(wr_ctx *ctx, wr_writer *w)
{
    (void)ctx, (void)w;
    return WR_OK;
}
static inline wr_status
rig_sink_finish(wr_ctx *ctx, wr_writer *writer)
{
    (void)ctx;
    rig_table *t = ((rig_writer *)writer)->table;
    wr_os_mutex_lock(&t->rig->mutex);
    t->seen->finished++;
    wr_os_mutex_unlock(&t->rig->mutex);
    return WR_OK;
}
static inline wr_status
rig_sink_prepare(wr_ctx *ctx, wr_writer *writer, uint64_t id, wr_arena *a, wr_str *out)
{
    rig_writer *w = (rig_writer *)writer;
    if (w->table->seen->prepare_fails) {
        w->table->seen->prepare_fails--;
        return wr_raise(ctx, WR_IO, "nothing can be prepared");
    }
    if (w->env->stopping) (void)wr_os_add(&w->table->seen->stops, 1u);
    uint64_t all[3] = {id << 8 | w->env->subtask, w->rows, w->sum};
    *out = wr_arena_str(a, (wr_str){(const char *)all, sizeof all});
    WR_TRY_ALLOC(ctx, out->ptr);
    if (!w->rows) *out = WR_STR("");
    w->rows = w->sum = 0;
    return WR_OK;
}
static inline wr_status
rig_sink_snapshot(wr_ctx *ctx, wr_writer *w, uint64_t id, wr_opstate *out)
{
    (void)ctx, (void)w, (void)id, (void)out;
    return WR_OK;
}
static inline wr_status
rig_sink_restore(wr_ctx *ctx, wr_writer *w, const wr_opstate *in)
{
    (void)ctx, (void)w, (void)in;
    return WR_OK;
}
static inline wr_status
rig_sink_commit(wr_ctx *ctx, const wr_sink_spec *spec, const wr_commit *c)
{
    rig_table *t = (rig_table *)(uintptr_t)spec->table;
    rig_seen *seen = t->seen;
    wr_os_mutex_lock(&t->rig->mutex);
    bool fails = seen->next_commit_fails && seen->next_commit_fails-- == 1;
    for (uint32_t i = 0; !fails && i < c->count; i++) {
        uint64_t all[3];
        bool known = false;
        memcpy(all, c->committables[i].ptr, sizeof all);
        for (uint32_t k = 0; k < seen->done_count; k++) known |= seen->done[k] == all[0];
        if (known) continue;
        seen->done[seen->done_count++ % 4096] = all[0];
        seen->committed_rows += all[1];
        seen->committed_sum += all[2];
    }
    seen->commits++;
    seen->commits_at_end += c->end;
    if (seen->gate_by_commits) wr_os_add(&t->rig->gate, 1);
    wr_os_mutex_unlock(&t->rig->mutex);
    return fails ? wr_raise(ctx, WR_IO, "the commit failed") : WR_OK;
}
static inline void
rig_sink_close(wr_writer *w)
{
    (void)w;
}
static const wr_sink_ops rig_sink_ops = {.abi = WR_ABI,
                                         .name = "rig",
                                         .open = rig_sink_open,
                                         .write = rig_write,
                                         .watermark = rig_sink_mark,
                                         .flush = rig_sink_flush,
                                         .finish = rig_sink_finish,
                                         .prepare = rig_sink_prepare,
                                         .snapshot = rig_sink_snapshot,
                                         .restore = rig_sink_restore,
                                         .commit = rig_sink_commit,
                                         .close = rig_sink_close};
#endif
