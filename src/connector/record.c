/* SPDX-License-Identifier: Apache-2.0 */
/* 'record' keeps what it gets, as print's lines, per table, for tests: the engine shows it through
 * wr_record_* of connector.h. The store is one object of the process (wr_shared_enter). With 'path'
 * the lines go to files instead, exactly once: record_file.c. */
#include "connector/record_int.h"

typedef struct recorded { /* one table */
    wr_str name;
    WR_LIST(wr_str) lines;
} recorded;

typedef struct record_store {
    wr_arena *arena; /* NULL until something is recorded */
    WR_LIST(recorded) tables;
} record_store;

/* Takes the lock; NULL = out of memory. */
static record_store *
enter(void)
{
    return wr_shared_enter("record", sizeof(record_store));
}

static const wr_option_def record_options[] = {
    {"changelog-mode", WR_OPT_STRING, "all", NULL, 0,
     "Which changes it asks for: all, upsert (no -U), insert, or a list such as I,UA,D."},
    {"single", WR_OPT_BOOL, "true", NULL, 0,
     "In memory: one task writes, as with sink.parallelism = 1; false: as many as the query has."},
    {"path", WR_OPT_STRING, NULL, NULL, 0,
     "A folder for the lines, instead of memory: a file for each checkpoint, exactly once."},
    {"log.memory-size", WR_OPT_MEMORY, "64 kb", NULL, 0,
     "With path: lines that wait for a checkpoint are kept in memory and in the checkpoint up to "
     "this size, and in a file beside the checkpoints beyond it."},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

static wr_status
record_describe(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
                const wr_config *config, wr_clmode requested, wr_arena *arena, wr_sink_info *out)
{
    (void)table;
    (void)config;
    (void)arena;
    wr_str mode;
    WR_TRY(wri_option_str(ctx, options, record_options, "changelog-mode", &mode));
    out->changelog = requested;
    const bool files = wr_options_find(options, "path") != NULL;
    bool single;
    WR_TRY(wri_option_bool(ctx, options, record_options, "single", &single));
    out->parallelism = files || !single ? 0 : 1;
    out->guarantee = files
                         ? "exactly-once: the lines of a checkpoint become a file when it completes"
                         : "none: kept in memory";
    out->key_deletes = wr_str_eq_c(mode, "upsert");
    if (wr_str_eq_c(mode, "all")) return WR_OK;
    return wri_changelog_mode(ctx, mode, wr_options_find(options, "changelog-mode"),
                              &out->changelog);
}

typedef struct record_writer { /* wr_writer */
    wr_str table;
    const wr_eval_env *eval;
    wri_record_files *files; /* with 'path' */
} record_writer;

/* Empty when there is none. */
static wr_str
path_of(const wr_sink_spec *spec)
{
    const wr_option *path = wr_options_find(&spec->options, "path");
    return path ? path->value : WR_STR("");
}

static wr_status
record_open(wr_ctx *ctx, const wr_sink_spec *spec, const wr_sink_env *env, wr_writer **out)
{
    record_writer *w = WR_NEW(env->arena, record_writer);
    WR_TRY_ALLOC(ctx, w);
    w->table = spec->table->id.name;
    w->eval = env->eval;
    const wr_str dir = path_of(spec);
    int64_t memory;
    WR_TRY(wri_option_int(ctx, &spec->options, record_options, "log.memory-size", &memory));
    if (dir.len) WR_TRY(wri_record_files_open(ctx, dir, env, (uint64_t)memory, &w->files));
    *out = (wr_writer *)w;
    return WR_OK;
}

/* The table's entry, made if needed; under the lock. */
static recorded *
entry(record_store *s, wr_str name)
{
    for (uint32_t i = 0; i < s->tables.count; i++)
        if (wr_str_eq(s->tables.items[i].name, name)) return &s->tables.items[i];
    recorded fresh = {.name = wr_arena_str(s->arena, name)};
    if (!fresh.name.ptr || !wr_list_push(s->arena, &s->tables, fresh)) return NULL;
    return &s->tables.items[s->tables.count - 1];
}

static bool
keep(const record_writer *w, record_store *s, const wr_batch *batch)
{
    if (!s->arena) s->arena = wr_arena_create(NULL, 0);
    recorded *r = s->arena ? entry(s, w->table) : NULL;
    if (!r) return false;
    WR_FOR_ROWS (batch, row) {
        wr_text t;
        wr_text_init(&t, s->arena);
        wr_print_row(batch, row, w->eval, &t);
        if (t.failed || !wr_list_push(s->arena, &r->lines, wr_text_str(&t))) return false;
    }
    return true;
}

static wr_status
record_write(wr_ctx *ctx, wr_writer *writer, const wr_batch *batch)
{
    record_writer *w = (record_writer *)writer;
    if (wr_batch_live(batch) == 0) return WR_OK;
    if (w->files) return wri_record_files_write(ctx, w->files, batch);
    record_store *s = enter();
    WR_TRY_ALLOC(ctx, s);
    bool ok = keep(w, s, batch);
    wr_shared_leave();
    return ok ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
}

static wr_status
record_prepare(wr_ctx *ctx, wr_writer *writer, uint64_t checkpoint_id, wr_arena *a,
               wr_str *committable)
{
    wri_record_files *f = ((record_writer *)writer)->files;
    *committable = WR_STR("");
    return f ? wri_record_files_prepare(ctx, f, checkpoint_id, a, committable) : WR_OK;
}

static wr_status
record_snapshot(wr_ctx *ctx, wr_writer *writer, uint64_t checkpoint_id, wr_opstate *out)
{
    wri_record_files *f = ((record_writer *)writer)->files;
    return f ? wri_record_files_snapshot(ctx, f, checkpoint_id, out) : WR_OK;
}

static wr_status
record_restore(wr_ctx *ctx, wr_writer *writer, const wr_opstate *in)
{
    wri_record_files *f = ((record_writer *)writer)->files;
    return f ? wri_record_files_restore(ctx, f, in) : WR_OK;
}

static wr_status
record_commit(wr_ctx *ctx, const wr_sink_spec *spec, const wr_commit *c)
{
    const wr_str dir = path_of(spec);
    return dir.len ? wri_record_files_commit(ctx, dir, c) : WR_OK;
}

static wr_status
record_finish(wr_ctx *ctx, wr_writer *writer)
{
    wri_record_files *f = ((record_writer *)writer)->files;
    return f ? wri_record_files_finish(ctx, f) : WR_OK;
}

static void
record_close(wr_writer *writer)
{
    if (writer) wri_record_files_close(((record_writer *)writer)->files);
}

void
wr_record_reset(void)
{
    record_store *s = enter();
    if (!s) return;
    wr_arena_destroy(s->arena);
    s->arena = NULL;
    memset(&s->tables, 0, sizeof s->tables);
    wr_shared_leave();
}

wr_status
wr_record_tables(wr_ctx *ctx, wr_arena *arena, wr_str **names, uint32_t *count)
{
    record_store *s = enter();
    WR_TRY_ALLOC(ctx, s);
    uint32_t n = s->tables.count;
    wr_str *out = WR_NEW_N(arena, wr_str, n ? n : 1);
    bool ok = out != NULL;
    for (uint32_t i = 0; i < n && ok; i++) {
        out[i] = wr_arena_str(arena, s->tables.items[i].name);
        ok = out[i].ptr != NULL;
    }
    wr_shared_leave();
    *names = out;
    *count = n;
    return ok ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
}

wr_status
wr_record_lines(wr_ctx *ctx, wr_str table, wr_arena *arena, wr_str **lines, uint32_t *count)
{
    bool ok = true;
    *lines = NULL;
    *count = 0;
    record_store *s = enter();
    WR_TRY_ALLOC(ctx, s);
    for (uint32_t t = 0; t < s->tables.count && ok; t++) {
        const recorded *r = &s->tables.items[t];
        if (!wr_str_eq(r->name, table)) continue;
        *lines = WR_NEW_N(arena, wr_str, r->lines.count ? r->lines.count : 1);
        ok = *lines != NULL;
        for (uint32_t i = 0; i < r->lines.count && ok; i++) {
            (*lines)[i] = wr_arena_str(arena, r->lines.items[i]);
            ok = (*lines)[i].ptr != NULL;
        }
        *count = r->lines.count;
    }
    wr_shared_leave();
    return ok ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
}

const wr_sink_ops wri_record_sink = {
    .abi = WR_ABI,
    .name = "record",
    .options = record_options,
    .describe = record_describe,
    .open = record_open,
    .write = record_write,
    .watermark = wri_sink_watermark_nothing,
    .tick = wri_sink_tick_nothing,
    .flush = wri_sink_flush_nothing,
    .prepare = record_prepare,
    .snapshot = record_snapshot,
    .restore = record_restore,
    .commit = record_commit,
    .finish = record_finish,
    .close = record_close,
};
