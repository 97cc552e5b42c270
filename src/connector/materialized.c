/* SPDX-License-Identifier: Apache-2.0 */
/* 'materialized': the content of materialized tables that name no connector, in the memory of the
 * process. CREATE MATERIALIZED TABLE gives each table an 'id' of its own; the content lives until
 * the table is dropped, whatever becomes of the job that keeps it up to date.
 *
 * What the job writes becomes visible when the checkpoint that covers it is complete, all at once:
 * readers see the answer to the query over some prefix of its input, never half a change. The whole
 * content goes into every checkpoint, so that a job that is restored finds it again. */
#include "connector/materialized_int.h"

typedef struct materialized_store {
    wr_arena *arena; /* NULL until there is a table */
    WR_LIST(wri_content *) tables;
} materialized_store;

static const wr_option_def materialized_options[] = {
    {"id", WR_OPT_STRING, NULL, NULL, WR_OPTF_REQUIRED, "Given by CREATE MATERIALIZED TABLE."},
    {"lookup.cache", WR_OPT_ENUM, "NONE", "NONE|FULL", 0,
     "FULL: lookup joins keep a copy of the content; they need it."},
#include "connector/full_cache.def"
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

/* Takes the lock; NULL = out of memory. */
static materialized_store *
enter(void)
{
    return wr_shared_enter("materialized", sizeof(materialized_store));
}

static wr_status
no_memory(wr_ctx *ctx)
{
    return wr_raise(ctx, WR_NOMEM, "out of memory");
}

/* Under the lock; NULL: none. */
static wri_content *
find(const materialized_store *s, wr_str id, uint32_t part)
{
    for (uint32_t i = 0; i < s->tables.count; i++)
        if (wri_content_part(s->tables.items[i]) == part &&
            wr_str_eq(wri_content_id(s->tables.items[i]), id))
            return s->tables.items[i];
    return NULL;
}

/* Under the lock: made if needed. */
static wri_content *
entry(materialized_store *s, wr_str id, uint32_t part)
{
    wri_content *c = find(s, id, part);
    if (c) return c;
    if (!s->arena) s->arena = wr_arena_create(NULL, 0);
    c = s->arena ? wri_content_create(id, part) : NULL;
    if (c && !wr_list_push(s->arena, &s->tables, c)) {
        wri_content_destroy(c);
        return NULL;
    }
    return c;
}

/* Under the lock: forgets the parts from `part` on. */
static void
drop_parts(materialized_store *s, wr_str id, uint32_t part)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->tables.count; i++) {
        wri_content *c = s->tables.items[i];
        if (wri_content_part(c) >= part && wr_str_eq(wri_content_id(c), id))
            wri_content_destroy(c);
        else
            s->tables.items[n++] = c;
    }
    s->tables.count = n;
}

void
wr_materialized_drop(wr_str id)
{
    materialized_store *s = enter();
    if (!s) return;
    drop_parts(s, id, 0);
    if (!s->tables.count) {
        wr_arena_destroy(s->arena);
        memset(s, 0, sizeof *s);
    }
    wr_shared_leave();
}

bool
wr_materialized_make(wr_str id)
{
    materialized_store *s = enter();
    const bool ok = s && entry(s, id, 0);
    if (s) wr_shared_leave();
    return ok;
}

/* What both sides ask for first. */
static wr_status
table_id(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options, wr_str *out)
{
    if (table->kind != WR_TABLE_MATERIALIZED)
        return wr_raise(ctx, WR_OPTION,
                        "'materialized' holds the content of materialized tables: use CREATE "
                        "MATERIALIZED TABLE");
    return wri_option_str(ctx, options, materialized_options, "id", out);
}

/* ---- the sink -------------------------------------------------------------------------------- */

typedef struct materialized_writer { /* wr_writer */
    const wr_sink_spec *spec;
    const wr_sink_env *env;
    wr_str id;
    wri_changes *pending; /* since the last barrier */
    wr_arena *scratch;
    uint32_t *columns; /* 0, 1, ... */
    /* OVERWRITE of a table with partitions: those that rows came for, as row encodings */
    WR_LIST(wr_str) partitions;
    wr_batch_pool *pool;
    wr_status failed; /* a row that is there could not be read */
} materialized_writer;

static wr_status
sink_describe(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
              const wr_config *config, wr_clmode requested, wr_arena *arena, wr_sink_info *out)
{
    (void)arena;
    wr_str id;
    WR_TRY(table_id(ctx, table, options, &id));
    const bool batch =
        wr_str_eq_nocase(wr_config_str(config, "execution.runtime-mode"), WR_STR("BATCH"));
    const bool keyed = table->primary_key_count > 0;
    out->changelog = keyed ? (requested & WR_CL_UPSERT) : requested;
    out->key_deletes = out->keyed = keyed;
    /* without a key every subtask has a part of its own; one alone overwrites at once */
    out->parallelism = keyed || batch;
    out->overwrite = out->partitions = true;
    out->guarantee = "exactly-once: what a checkpoint covers becomes visible when it completes";
    return WR_OK;
}

static void
close_writer(wr_writer *writer)
{
    materialized_writer *w = (materialized_writer *)writer;
    if (!w) return;
    wri_changes_destroy(w->pending);
    wr_batch_pool_destroy(w->pool);
    wr_arena_destroy(w->scratch);
}

/* The job begins with nothing; a restore puts back what there was. */
static wr_status
sink_open(wr_ctx *ctx, const wr_sink_spec *spec, const wr_sink_env *env, wr_writer **out)
{
    materialized_writer *w = WR_NEW(env->arena, materialized_writer);
    WR_TRY_ALLOC(ctx, w);
    w->spec = spec;
    w->env = env;
    WR_TRY(table_id(ctx, spec->table, &spec->options, &w->id));
    w->columns = WR_NEW_N(env->arena, uint32_t, spec->columns.count + 1);
    WR_TRY_ALLOC(ctx, w->columns);
    for (uint32_t i = 0; i < spec->columns.count; i++) w->columns[i] = i;
    w->scratch = wr_arena_create(env->budget, 0);
    w->pending = wri_changes_create();
    materialized_store *s = w->scratch && w->pending ? enter() : NULL;
    const bool fresh = !spec->overwrite;
    if (s && fresh && env->subtask == 0) drop_parts(s, w->id, env->parallelism);
    wri_content *c = s ? entry(s, w->id, env->subtask) : NULL;
    if (c && fresh && !env->restoring) wri_content_clear(c);
    if (s) wr_shared_leave();
    if (!c) {
        close_writer((wr_writer *)w);
        return no_memory(ctx);
    }
    *out = (wr_writer *)w;
    return WR_OK;
}

static bool
has_partition(const materialized_writer *w, wr_str key)
{
    for (uint32_t i = w->partitions.count; i-- > 0;)
        if (wr_str_eq(w->partitions.items[i], key)) return true;
    return false;
}

/* Which partitions are overwritten: those that rows come for. */
static wr_status
note_partitions(wr_ctx *ctx, materialized_writer *w, const wr_batch *batch)
{
    const wr_sink_spec *spec = w->spec;
    wr_bytes keys;
    if (!spec->overwrite || !spec->partition_count) return WR_OK;
    if (!wr_row_encode(batch, spec->partition, spec->partition_count, w->scratch, &keys))
        return no_memory(ctx);
    for (uint32_t i = 0; i < wr_batch_live(batch); i++) {
        wr_str key = {(const char *)keys.data + keys.off[i], keys.off[i + 1] - keys.off[i]};
        if (has_partition(w, key)) continue;
        key = wr_arena_str(w->env->arena, key);
        if (!key.ptr || !wr_list_push(w->env->arena, &w->partitions, key)) return no_memory(ctx);
    }
    return WR_OK;
}

static wr_status
sink_write(wr_ctx *ctx, wr_writer *writer, const wr_batch *batch)
{
    materialized_writer *w = (materialized_writer *)writer;
    const wr_sink_spec *spec = w->spec;
    wr_bytes rows, keys;
    wr_arena_reset(w->scratch);
    WR_TRY(note_partitions(ctx, w, batch));
    bool ok = wr_row_encode(batch, w->columns, spec->columns.count, w->scratch, &rows);
    keys = rows;
    if (ok && spec->primary_key_count)
        ok = wr_row_encode(batch, spec->primary_key, spec->primary_key_count, w->scratch, &keys);
    uint32_t n = 0;
    WR_FOR_ROWS (batch, row) {
        if (!ok) break;
        const wr_kind kind = wr_batch_kind(batch, row);
        const bool gone = kind == WR_DELETE || kind == WR_UPDATE_BEFORE;
        const wr_str key = {(const char *)keys.data + keys.off[n], keys.off[n + 1] - keys.off[n]};
        const wr_str all = {(const char *)rows.data + rows.off[n], rows.off[n + 1] - rows.off[n]};
        ok = wri_changes_add(w->pending, gone, key, spec->primary_key_count ? all : WR_STR(""));
        n++;
    }
    return ok ? WR_OK : no_memory(ctx);
}

static wr_status
sink_prepare(wr_ctx *ctx, wr_writer *writer, uint64_t checkpoint_id, wr_arena *a,
             wr_str *committable)
{
    materialized_writer *w = (materialized_writer *)writer;
    *committable = WR_STR("");
    if (wri_changes_empty(w->pending)) return WR_OK;
    wri_changes *next = wri_changes_create();
    WR_TRY_ALLOC(ctx, next);
    materialized_store *s = enter();
    wri_content *c = s ? entry(s, w->id, w->env->subtask) : NULL;
    if (c) wri_content_prepare(c, checkpoint_id, w->pending);
    if (s) wr_shared_leave();
    if (!c) {
        wri_changes_destroy(next);
        return no_memory(ctx);
    }
    w->pending = next;
    *committable = wr_arena_str(a, w->id);
    WR_TRY_ALLOC(ctx, committable->ptr);
    return WR_OK;
}

static wr_status
sink_snapshot(wr_ctx *ctx, wr_writer *writer, uint64_t checkpoint_id, wr_opstate *out)
{
    (void)checkpoint_id;
    materialized_writer *w = (materialized_writer *)writer;
    materialized_store *s = enter();
    WR_TRY_ALLOC(ctx, s);
    const wri_content *c = find(s, w->id, w->env->subtask);
    const wr_status status = c ? wri_content_save(ctx, c, out) : WR_OK;
    wr_shared_leave();
    return status;
}

static wr_status
sink_restore(wr_ctx *ctx, wr_writer *writer, const wr_opstate *in)
{
    materialized_writer *w = (materialized_writer *)writer;
    materialized_store *s = enter();
    WR_TRY_ALLOC(ctx, s);
    wri_content *c = entry(s, w->id, w->env->subtask);
    const wr_status status = c ? wri_content_load(ctx, c, in) : no_memory(ctx);
    wr_shared_leave();
    return status;
}

static wr_status
publish(wr_ctx *ctx, wr_str id, uint64_t checkpoint_id)
{
    materialized_store *s = enter();
    WR_TRY_ALLOC(ctx, s);
    bool ok = true; /* no part: the table was dropped meanwhile */
    for (uint32_t i = 0; ok && i < s->tables.count; i++)
        if (wr_str_eq(wri_content_id(s->tables.items[i]), id))
            ok = wri_content_publish(s->tables.items[i], checkpoint_id);
    wr_shared_leave();
    return ok ? WR_OK : no_memory(ctx);
}

static wr_status
sink_commit(wr_ctx *ctx, const wr_sink_spec *spec, const wr_commit *c)
{
    wr_str id;
    WR_TRY(table_id(ctx, spec->table, &spec->options, &id));
    return publish(ctx, id, c->checkpoint_id);
}

/* Is a row that is there of a partition that is overwritten? */
static bool
is_overwritten(void *arg, wr_str row)
{
    materialized_writer *w = arg;
    const wr_sink_spec *spec = w->spec;
    wr_ctx own;
    wr_text key;
    wr_ctx_init(&own);
    wr_batch *b = wr_batch_acquire(w->pool, spec->columns.count);
    wr_arena_reset(w->scratch);
    wr_text_init(&key, w->scratch);
    bool ok = b && wr_batch_init_flat(b, &spec->columns, 1);
    ok = ok && wr_row_decode(&own, (const uint8_t *)row.ptr, row.len, b->cols, b->col_count, 0,
                             false, b->arena) == WR_OK;
    if (ok) b->row_count = 1;
    ok = ok && wr_row_encode_one(b, spec->partition, spec->partition_count, 0, &key);
    if (b) wr_batch_release(b);
    if (!ok) w->failed = WR_NOMEM;
    return ok && has_partition(w, wr_text_str(&key));
}

/* What there was, or that of the partitions that rows came for, gives way to the new rows at once.
 */
static wr_status
overwrite(wr_ctx *ctx, materialized_writer *w)
{
    const bool some = w->spec->partition_count > 0;
    w->pool = some ? wr_batch_pool_create(w->env->budget) : NULL;
    WR_TRY_ALLOC(ctx, some ? (void *)w->pool : w);
    materialized_store *s = enter();
    WR_TRY_ALLOC(ctx, s);
    wri_content **parts = WR_NEW_N(w->env->arena, wri_content *, s->tables.count + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; parts && i < s->tables.count; i++)
        if (wr_str_eq(wri_content_id(s->tables.items[i]), w->id)) parts[n++] = s->tables.items[i];
    bool ok =
        parts && (!n || wri_content_replace(parts, n, w->pending, some ? is_overwritten : NULL, w));
    wr_shared_leave();
    return ok && w->failed == WR_OK ? WR_OK : no_memory(ctx);
}

static wr_status
sink_finish(wr_ctx *ctx, wr_writer *writer)
{
    materialized_writer *w = (materialized_writer *)writer;
    wr_str unused;
    if (w->spec->overwrite) return overwrite(ctx, w);
    if (w->env->checkpointing) return WR_OK;
    WR_TRY(sink_prepare(ctx, writer, 0, w->env->arena, &unused));
    return publish(ctx, w->id, 0);
}

const wr_sink_ops wri_materialized_sink = {
    .abi = WR_ABI,
    .name = "materialized",
    .options = materialized_options,
    .describe = sink_describe,
    .open = sink_open,
    .write = sink_write,
    .watermark = wri_sink_watermark_nothing,
    .tick = wri_sink_tick_nothing,
    .flush = wri_sink_flush_nothing,
    .prepare = sink_prepare,
    .snapshot = sink_snapshot,
    .restore = sink_restore,
    .commit = sink_commit,
    .finish = sink_finish,
    .close = close_writer,
};

/* ---- the source: the content as it was when the reader was opened ---------------------------- */

typedef struct materialized_reader { /* wr_reader */
    const wr_source_spec *spec;
    wri_rows rows;
    uint64_t next; /* row */
    bool given;    /* the split */
} materialized_reader;

static wr_status
source_describe(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
                const wr_config *config, wr_arena *arena, wr_source_info *out)
{
    (void)config;
    (void)arena;
    wr_str id;
    WR_TRY(table_id(ctx, table, options, &id));
    out->bounded = out->replayable = true;
    out->changelog = WR_CL_INSERT_ONLY;
    out->parallelism_max = 1;
    out->row_count = -1;
    return wri_full_cache(ctx, options, materialized_options, out);
}

static wr_status
raise_absent(wr_ctx *ctx, const wr_table_id *t)
{
    wr_hint(ctx, "ALTER MATERIALIZED TABLE `%.*s`.`%.*s`.`%.*s` RESUME starts its job",
            WR_STR_ARG(t->catalog), WR_STR_ARG(t->database), WR_STR_ARG(t->name));
    return wr_raise(ctx, WR_SEMANTIC,
                    "the content of materialized table '%.*s' is not in this process: its job has "
                    "not run here",
                    WR_STR_ARG(t->name));
}

static wr_status
source_open(wr_ctx *ctx, const wr_source_spec *spec, const wr_source_env *env, wr_reader **out)
{
    materialized_reader *r = WR_NEW(env->arena, materialized_reader);
    wr_str id;
    WR_TRY_ALLOC(ctx, r);
    WR_TRY(table_id(ctx, spec->table, &spec->options, &id));
    materialized_store *s = enter();
    WR_TRY_ALLOC(ctx, s);
    wri_content **parts = WR_NEW_N(env->arena, wri_content *, s->tables.count + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; parts && i < s->tables.count; i++)
        if (wr_str_eq(wri_content_id(s->tables.items[i]), id)) parts[n++] = s->tables.items[i];
    const bool ok = parts && (!n || wri_content_read(parts, n, env->arena, &r->rows));
    wr_shared_leave();
    if (!ok) return no_memory(ctx);
    if (!n) return raise_absent(ctx, &spec->table->id);
    r->spec = spec;
    *out = (wr_reader *)r;
    return WR_OK;
}

static wr_status
source_add_split(wr_ctx *ctx, wr_reader *reader, wr_str split, wr_str position)
{
    materialized_reader *r = (materialized_reader *)reader;
    int64_t at = 0;
    uint32_t got;
    WR_TRY(wri_position_get(ctx, split, position, &at, 1, &got));
    r->given = true;
    r->next = at < 0 ? 0 : (uint64_t)at;
    return WR_OK;
}

static wr_status
source_poll(wr_ctx *ctx, wr_reader *reader, wr_batch *fill, uint32_t max_rows, wr_poll *out)
{
    materialized_reader *r = (materialized_reader *)reader;
    const uint64_t left = r->given ? r->rows.count - WR_MIN(r->next, r->rows.count) : 0;
    const uint32_t n = (uint32_t)WR_MIN(left, (uint64_t)max_rows);
    fill->row_count = 0;
    out->kind = n ? WR_POLL_READY : WR_POLL_END;
    if (!n) return WR_OK;
    if (!wr_batch_init_flat(fill, &r->spec->columns, n)) return no_memory(ctx);
    for (uint32_t i = 0; i < n; i++) {
        const wr_str row = r->rows.items[r->next++];
        WR_TRY(wr_row_decode(ctx, (const uint8_t *)row.ptr, row.len, fill->cols, fill->col_count, i,
                             true, fill->arena));
    }
    fill->row_count = n;
    return WR_OK;
}

static wr_status
source_snapshot(wr_ctx *ctx, wr_reader *reader, uint64_t checkpoint_id, wr_opstate *out)
{
    (void)checkpoint_id;
    const materialized_reader *r = (const materialized_reader *)reader;
    const int64_t at = (int64_t)r->next;
    return r->given && r->next < r->rows.count ? wri_position_put(ctx, out, WR_STR(""), &at, 1)
                                               : WR_OK;
}

static void
source_close(wr_reader *reader)
{
    (void)reader;
}

const wr_source_ops wri_materialized_source = {
    .abi = WR_ABI,
    .name = "materialized",
    .options = materialized_options,
    .describe = source_describe,
    .discover = wri_discover_single,
    .open = source_open,
    .add_split = source_add_split,
    .no_more_splits = wri_no_more_nothing,
    .poll = source_poll,
    .snapshot = source_snapshot,
    .committed = wri_committed_nothing,
    .close = source_close,
};
