/* SPDX-License-Identifier: Apache-2.0 */
/* INSERT INTO a savepoint table (weir's own): a new canonical savepoint in the folder 'sink.path',
 * like the one in 'state.path' but for the keys of one table of one operator. The rows are all the
 * keys that it has from now on: a key that is there keeps what the table does not show, and its
 * maps and lists; a new one begins empty; the others go. Nothing is there before the last row. */
#include "connector/savepoint_int.h"

typedef struct column { /* of the table, beside the key */
    uint32_t col;
    const wri_state_field *field;
} column;

typedef struct savepoint_writer { /* wr_writer */
    const wr_sink_spec *spec;
    const wr_sink_env *env;
    wri_state_scan scan;
    wr_str dir;
    wr_ckpt_edit *edit;
    wr_state_table *root;
    uint32_t *key_cols; /* in the order of the state's key */
    uint32_t key_count;
    column *columns;
    uint32_t column_count;
    uint64_t *seen; /* bitmap of slots that a row has named */
    uint64_t seen_words;
    wr_arena *scratch;
} savepoint_writer;

static wr_status
nomem(wr_ctx *ctx)
{
    return wr_raise(ctx, WR_NOMEM, "out of memory");
}

/* ---- what can be written --------------------------------------------------------------------- */
static wr_status
check_writable(wr_ctx *ctx, const wr_table_desc *table, const wri_state_scan *scan)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < table->column_count; i++) {
        if (table->columns[i].kind != WR_COL_PHYSICAL) continue;
        const wri_state_ref *ref = &scan->refs[n++];
        if (ref->key >= 0) continue;
        const wri_state_field *f =
            ref->field >= 0 ? &scan->model.stores[ref->store].fields[ref->field] : NULL;
        if (f && (f->form == WRI_PART_NUMBER || f->form == WRI_PART_COLUMNS)) continue;
        wr_hint(ctx, "leave the column out of the table: a key that is there keeps what is not "
                     "shown");
        return wr_raise(ctx, WR_UNSUPPORTED, "column '%.*s' shows %s, which cannot be written",
                        WR_STR_ARG(table->columns[i].name),
                        !f                           ? "a map or list"
                        : f->form == WRI_PART_RESULT ? "the result of an aggregate"
                                                     : "bytes of an operator's own");
    }
    return WR_OK;
}

static wr_status
target_dir(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options, wr_str *out)
{
    const wr_option *o = wr_options_find(options, "sink.path");
    if (o && o->value.len) {
        *out = o->value;
        return WR_OK;
    }
    wr_hint(ctx, "'sink.path' is the folder of the savepoint that is written; the one in "
                 "'state.path' is not changed");
    return wr_raise(ctx, WR_OPTION, "table '%.*s' can be written with the option 'sink.path' only",
                    WR_STR_ARG(table->id.name));
}

static wr_status
savepoint_describe(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
                   const wr_config *config, wr_clmode requested, wr_arena *arena, wr_sink_info *out)
{
    (void)config;
    (void)requested;
    wri_state_scan scan;
    wr_str dir;
    WR_TRY(target_dir(ctx, table, options, &dir));
    WR_TRY(wri_state_scan_bind(ctx, table, options, arena, &scan));
    WR_TRY(check_writable(ctx, table, &scan));
    out->changelog = table->primary_key_count ? WR_CL_UPSERT : WR_CL_INSERT_ONLY;
    out->keyed = table->primary_key_count > 0;
    out->key_deletes = true;
    out->parallelism = 1;
    out->guarantee = "exactly-once: the savepoint appears whole, when all rows are there";
    return WR_OK;
}

/* ---- opening --------------------------------------------------------------------------------- */
static wr_status
map_columns(wr_ctx *ctx, savepoint_writer *w)
{
    const wri_state_scan *scan = &w->scan;
    const uint32_t n = w->spec->columns.count;
    w->key_count = scan->model.stores[scan->root].info->key.count;
    w->key_cols = WR_NEW_N(w->env->arena, uint32_t, w->key_count + 1);
    w->columns = WR_NEW_N(w->env->arena, column, n + 1);
    WR_TRY_ALLOC(ctx, w->key_cols);
    WR_TRY_ALLOC(ctx, w->columns);
    for (uint32_t c = 0; c < n; c++) {
        const wri_state_ref *ref = &scan->refs[c];
        if (ref->key >= 0)
            w->key_cols[ref->key] = c;
        else
            w->columns[w->column_count++] =
                (column){c, &scan->model.stores[ref->store].fields[ref->field]};
    }
    return WR_OK;
}

static wr_status
check_free(wr_ctx *ctx, savepoint_writer *w)
{
    wr_file_info info;
    bool exists = false;
    wr_fs *fs = wr_find_fs(w->dir);
    if (!fs)
        return wr_raise(ctx, WR_OPTION, "there is no file system for '%.*s'", WR_STR_ARG(w->dir));
    WR_TRY(fs->ops->stat(ctx, fs, w->dir, w->env->arena, &info, &exists));
    if (!exists) return WR_OK;
    return wr_raise(ctx, WR_EXISTS, "'%.*s' is there already: a savepoint is a new folder",
                    WR_STR_ARG(w->dir));
}

static wr_status
open_state(wr_ctx *ctx, savepoint_writer *w)
{
    const wri_state_scan *scan = &w->scan;
    WR_TRY(target_dir(ctx, w->spec->table, &w->spec->options, &w->dir));
    WR_TRY(wri_state_scan_bind(ctx, w->spec->table, &w->spec->options, w->env->arena, &w->scan));
    WR_TRY(check_free(ctx, w));
    WR_TRY(map_columns(ctx, w));
    WR_TRY(wr_ckpt_edit_open(ctx, scan->meta, scan->model.op, w->env->config, w->env->budget,
                             &w->edit));
    w->root = wr_ckpt_edit_table(w->edit, scan->model.stores[scan->root].info->logical_id);
    WR_ASSERT(w->root);
    w->scratch = wr_arena_create(w->env->budget, 0);
    return w->scratch ? WR_OK : nomem(ctx);
}

static void
savepoint_close(wr_writer *writer)
{
    savepoint_writer *w = (savepoint_writer *)writer;
    wr_ckpt_edit_close(w->edit);
    wr_arena_destroy(w->scratch);
    wr_mem_free(w->env->budget, w->seen, w->seen_words * 8);
}

static wr_status
savepoint_open(wr_ctx *ctx, const wr_sink_spec *spec, const wr_sink_env *env, wr_writer **out)
{
    savepoint_writer *w = WR_NEW(env->arena, savepoint_writer);
    WR_TRY_ALLOC(ctx, w);
    w->spec = spec;
    w->env = env;
    if (env->checkpointing) {
        wr_hint(ctx, "SET 'execution.runtime-mode' = 'batch', or RESET "
                     "'execution.checkpointing.interval'");
        return wr_raise(ctx, WR_UNSUPPORTED,
                        "a job that takes checkpoints cannot write a "
                        "savepoint: its rows are kept in memory until the end");
    }
    const wr_status status = open_state(ctx, w);
    if (status == WR_OK)
        *out = (wr_writer *)w;
    else
        savepoint_close((wr_writer *)w);
    return status;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The keys of the live rows, as operators make them. */
static wr_status
make_keys(wr_ctx *ctx, savepoint_writer *w, const wr_batch *b, wr_keys *out)
{
    const uint32_t n = wr_batch_live(b);
    wr_arena *a = w->scratch;
    uint64_t *hash = wr_arena_zalloc(a, sizeof *hash * ((size_t)n + 1));
    WR_TRY_ALLOC(ctx, hash);
    *out = (wr_keys){.n = n, .hash = hash};
    if (w->key_count == 0) {
        uint32_t *off = wr_arena_zalloc(a, sizeof *off * ((size_t)n + 1));
        WR_TRY_ALLOC(ctx, off);
        out->off = off;
        out->data = (const uint8_t *)"";
        return WR_OK;
    }
    wr_batch_hash(b, w->key_cols, w->key_count, hash);
    const wr_vec *v = &b->cols[w->key_cols[0]];
    if (w->key_count > 1 || v->phys < WR_PHYS_BOOL || v->phys > WR_PHYS_I64) {
        wr_bytes bytes;
        if (!wr_row_encode(b, w->key_cols, w->key_count, a, &bytes)) return nomem(ctx);
        out->data = bytes.data;
        out->off = bytes.off;
        return WR_OK;
    }
    uint64_t *fixed = wr_arena_alloc(a, sizeof *fixed * ((size_t)n + 1));
    uint64_t *valid = wr_arena_zalloc(a, 8 * (WR_BIT_WORDS(n) + 1));
    WR_TRY_ALLOC(ctx, fixed);
    WR_TRY_ALLOC(ctx, valid);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = wr_batch_row(b, i);
        fixed[i] = 0;
        if (wr_vec_is_null(v, row)) continue;
        wr_value value;
        if (!wr_vec_get(v, row, a, &value)) return nomem(ctx);
        fixed[i] = v->phys == WR_PHYS_BOOL ? value.u.b : (uint64_t)value.u.i;
        wr_bit_set(valid, i);
    }
    out->fixed = fixed;
    out->valid = valid;
    return WR_OK;
}

static wr_status
mark(wr_ctx *ctx, savepoint_writer *w, uint32_t slot, bool there)
{
    const uint64_t need = (uint64_t)slot / 64 + 1;
    if (need > w->seen_words) {
        const uint64_t words = WR_MAX(need, WR_MAX(w->seen_words * 2, 64));
        uint64_t *more =
            wr_mem_realloc(w->env->budget, w->seen, w->seen_words * 8, (size_t)words * 8);
        WR_TRY_ALLOC(ctx, more);
        memset(more + w->seen_words, 0, (size_t)(words - w->seen_words) * 8);
        w->seen = more;
        w->seen_words = words;
    }
    if (there)
        wr_bit_set(w->seen, slot);
    else
        wr_bit_clear(w->seen, slot);
    return WR_OK;
}

static wr_status
put_number(wr_ctx *ctx, const wri_state_field *f, const wr_vec *v, uint32_t row, wr_arena *a,
           uint8_t *rec)
{
    wr_value value;
    if (!wr_vec_get(v, row, a, &value)) return nomem(ctx);
    const int64_t most = f->bytes == 8 ? INT64_MAX : (int64_t)((1ull << (8 * f->bytes)) - 1);
    const int64_t least = f->bytes == 8 ? INT64_MIN : 0;
    if (value.is_null)
        return wr_raise(ctx, WR_CONSTRAINT, "state '%.*s' cannot be NULL", WR_STR_ARG(f->name));
    if (value.u.i < least || value.u.i > most)
        return wr_raise(ctx, WR_CONSTRAINT, "%lld does not fit into the %u bytes of state '%.*s'",
                        (long long)value.u.i, f->bytes, WR_STR_ARG(f->name));
    for (uint32_t i = 0; i < f->bytes; i++)
        rec[f->offset + i] = (uint8_t)((uint64_t)value.u.i >> (8 * i));
    return WR_OK;
}

static wr_status
put_columns(wr_ctx *ctx, savepoint_writer *w, const wri_state_field *f, const wr_vec *v,
            uint32_t row, uint8_t *rec)
{
    wr_blob *blob = (wr_blob *)(void *)(rec + f->offset);
    if (wr_vec_is_null(v, row)) {
        w->root->ops->blob_free(w->root, blob);
        return WR_OK;
    }
    const wr_batch fields = {.cols = v->child, .col_count = v->child_count, .row_count = v->len};
    uint32_t *cols = wr_arena_alloc(w->scratch, sizeof *cols * (v->child_count + 1));
    WR_TRY_ALLOC(ctx, cols);
    for (uint32_t i = 0; i < v->child_count; i++) cols[i] = i;
    wr_text t;
    wr_text_init(&t, w->scratch);
    if (!wr_row_encode_one(&fields, cols, v->child_count, wr_vec_index(v, row), &t) ||
        t.len > UINT32_MAX)
        return nomem(ctx);
    return w->root->ops->blob_set(ctx, w->root, blob, t.ptr, (uint32_t)t.len);
}

static wr_status
savepoint_write(wr_ctx *ctx, wr_writer *writer, const wr_batch *b)
{
    savepoint_writer *w = (savepoint_writer *)writer;
    const uint32_t n = wr_batch_live(b);
    wr_keys keys;
    wr_arena_reset(w->scratch);
    uint32_t *slots = wr_arena_alloc(w->scratch, sizeof *slots * ((size_t)n + 1));
    WR_TRY_ALLOC(ctx, slots);
    WR_TRY(make_keys(ctx, w, b, &keys));
    WR_TRY(w->root->ops->resolve(ctx, w->root, &keys, WR_STATE_UPSERT, slots, NULL));
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = wr_batch_row(b, i);
        const wr_kind kind = wr_batch_kind(b, row);
        const bool there = kind == WR_INSERT || kind == WR_UPDATE_AFTER;
        uint8_t *rec = wr_state_rec(w->root, slots[i]);
        WR_TRY(mark(ctx, w, slots[i], there));
        for (uint32_t c = 0; there && c < w->column_count; c++) {
            const column *col = &w->columns[c];
            const wr_vec *v = &b->cols[col->col];
            WR_TRY(col->field->form == WRI_PART_NUMBER
                       ? put_number(ctx, col->field, v, row, w->scratch, rec)
                       : put_columns(ctx, w, col->field, v, row, rec));
        }
    }
    return WR_OK;
}

static wr_status
savepoint_finish(wr_ctx *ctx, wr_writer *writer)
{
    savepoint_writer *w = (savepoint_writer *)writer;
    uint64_t pos = 0;
    uint32_t slot, gone = 0;
    wr_arena_reset(w->scratch);
    uint32_t *out = WR_NEW_N(w->scratch, uint32_t, w->root->ops->count(w->root) + 1);
    WR_TRY_ALLOC(ctx, out);
    while (w->root->ops->next_slot(w->root, &pos, &slot))
        if (slot >= w->seen_words * 64 || !wr_bit_get(w->seen, slot)) out[gone++] = slot;
    for (uint32_t i = 0; i < gone; i++) w->root->ops->remove(w->root, out[i]);
    return wr_ckpt_edit_write(ctx, w->edit, w->dir);
}

const wr_sink_ops wri_savepoint_sink = {
    .abi = WR_ABI,
    .name = "savepoint",
    .options = wri_savepoint_options,
    .describe = savepoint_describe,
    .open = savepoint_open,
    .write = savepoint_write,
    .watermark = wri_sink_watermark_nothing,
    .tick = wri_sink_tick_nothing,
    .flush = wri_sink_flush_nothing,
    .prepare = wri_sink_prepare_nothing,
    .snapshot = wri_sink_snapshot_nothing,
    .restore = wri_sink_restore_nothing,
    .commit = wri_sink_commit_nothing,
    .finish = savepoint_finish,
    .close = savepoint_close,
};
