/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that nobody declared: the state of an operator with the columns that its checkpoint tells,
 * and the list of a checkpoint's operators, 'savepoint-metadata'. */
#include "connector/savepoint_int.h"

static wr_status
set_options(wr_ctx *ctx, const wr_option *options, uint32_t n, wr_arena *a, wr_table_desc *out)
{
    wr_option *o = WR_NEW_N(a, wr_option, n + 1);
    WR_TRY_ALLOC(ctx, o);
    out->options = (wr_options){o, 0};
    for (uint32_t i = 0; i < n; i++) {
        if (!options[i].value.len) continue;
        wr_option *to = &o[out->options.count++];
        *to = (wr_option){wr_arena_str(a, options[i].key), wr_arena_str(a, options[i].value),
                          WR_NO_SPAN};
        WR_TRY_ALLOC(ctx, to->key.ptr);
        WR_TRY_ALLOC(ctx, to->value.ptr);
    }
    return WR_OK;
}

/* ---- the state of an operator ---------------------------------------------------------------- */

/* A name that no column before it has: "SUM(x)", "SUM(x)0". */
static wr_status
unique_name(wr_ctx *ctx, const wr_column *columns, uint32_t n, wr_str name, wr_arena *a,
            wr_str *out)
{
    *out = name;
    for (uint32_t i = 0, tries = 0; i < n; i++) {
        if (!wr_str_eq(columns[i].name, *out)) continue;
        *out = wr_arena_printf(a, "%.*s%u", WR_STR_ARG(name), tries++);
        WR_TRY_ALLOC(ctx, out->ptr);
        i = UINT32_MAX; /* from the beginning */
    }
    return WR_OK;
}

typedef struct making {
    wr_ctx *ctx;
    wr_arena *arena;
    wr_table_desc *out;
    wr_column *columns;
    wr_str *keys;
    wr_option *options; /* connector's, then one 'state-name' a column that is called otherwise */
    uint32_t option_count;
} making;

static wr_status
add_column(making *m, const wri_state_ref *ref)
{
    wr_column *c = &m->columns[m->out->column_count];
    wr_str name;
    WR_TRY(unique_name(m->ctx, m->columns, m->out->column_count, ref->name, m->arena, &name));
    const wr_type *type = ref->type;
    if (ref->key >= 0) {
        m->keys[m->out->primary_key_count++] = name;
    } else if (!wr_str_eq(name, ref->name)) {
        const wr_str key = wr_arena_printf(m->arena, "fields.%.*s.state-name", WR_STR_ARG(name));
        WR_TRY_ALLOC(m->ctx, key.ptr);
        m->options[m->option_count++] = (wr_option){key, ref->name, WR_NO_SPAN};
    }
    *c = (wr_column){.name = name, .type = type, .kind = WR_COL_PHYSICAL, .span = WR_NO_SPAN};
    m->out->column_count++;
    return WR_OK;
}

wr_status
wr_savepoint_table(wr_ctx *ctx, wr_str path, wr_str op, wr_str state_table, wr_arena *arena,
                   wr_table_desc *out)
{
    wr_ckpt_meta *meta = NULL;
    const wr_ckpt_operator *found = NULL;
    wri_state_model model;
    wri_state_ref *refs = NULL;
    uint32_t root, count;
    memset(out, 0, sizeof *out);
    WR_TRY(wr_ckpt_load(ctx, path, arena, &meta));
    WR_TRY(wri_state_find_operator(ctx, meta, op, arena, &found));
    WR_TRY(wri_state_model_make(ctx, arena, found, &model));
    WR_TRY(wri_state_root(ctx, &model, state_table, arena, &root));
    WR_TRY(wri_state_refs(ctx, &model, root, arena, &refs, &count));
    making m = {.ctx = ctx, .arena = arena, .out = out};
    m.columns = WR_NEW_N(arena, wr_column, count + 1);
    m.keys = WR_NEW_N(arena, wr_str, count + 1);
    m.options = WR_NEW_N(arena, wr_option, count + 5);
    WR_TRY_ALLOC(ctx, m.columns);
    WR_TRY_ALLOC(ctx, m.keys);
    WR_TRY_ALLOC(ctx, m.options);
    const wr_option own[] = {
        {WR_STR("connector"), WR_STR("savepoint"), WR_NO_SPAN},
        {WR_STR("state.path"), meta->path, WR_NO_SPAN},
        {WR_STR("operator.uid"), found->logical_id, WR_NO_SPAN},
        {WR_STR("state.table"), model.stores[root].info->logical_id, WR_NO_SPAN}};
    memcpy(m.options, own, sizeof own);
    m.option_count = WR_COUNT(own);
    out->kind = WR_TABLE_BASE;
    out->temporary = true;
    out->columns = m.columns;
    out->primary_key = m.keys;
    out->primary_key_name = WR_STR("PK_state");
    out->bucket_count = -1;
    for (uint32_t i = 0; i < count; i++) WR_TRY(add_column(&m, &refs[i]));
    if (count == 0)
        return wr_raise(ctx, WR_NAME, "table '%.*s' of operator '%.*s' has no columns to show",
                        WR_STR_ARG(model.stores[root].info->logical_id),
                        WR_STR_ARG(found->logical_id));
    return set_options(ctx, m.options, m.option_count, arena, out);
}

/* ---- savepoint-metadata ---------------------------------------------------------------------- */
enum {
    META_ID,
    META_NAME,
    META_UID,
    META_HASH,
    META_PARALLELISM,
    META_MAX,
    META_SUBTASKS,
    META_COORDINATOR,
    META_TOTAL,
    META_COLUMNS
};

static const struct {
    const char *name;
    uint8_t type; /* wr_type_id; VARCHAR: STRING */
    bool nullable;
} meta_columns[META_COLUMNS] = {
    {"checkpoint-id", WR_T_BIGINT, false},
    {"operator-name", WR_T_VARCHAR, true},
    {"operator-uid", WR_T_VARCHAR, true},
    {"operator-uid-hash", WR_T_VARCHAR, false},
    {"operator-parallelism", WR_T_INT, false},
    {"operator-max-parallelism", WR_T_INT, false},
    {"operator-subtask-state-count", WR_T_INT, false},
    {"operator-coordinator-state-size-in-bytes", WR_T_BIGINT, false},
    {"operator-total-size-in-bytes", WR_T_BIGINT, false},
};

wr_status
wr_savepoint_metadata_table(wr_ctx *ctx, wr_str path, wr_arena *arena, wr_table_desc *out)
{
    wr_column *columns = WR_NEW_N(arena, wr_column, META_COLUMNS);
    const wr_option options[] = {{WR_STR("connector"), WR_STR("savepoint-metadata"), WR_NO_SPAN},
                                 {WR_STR("state.path"), path, WR_NO_SPAN}};
    WR_TRY_ALLOC(ctx, columns);
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < META_COLUMNS; i++) {
        const bool nullable = meta_columns[i].nullable;
        columns[i] =
            (wr_column){.name = wr_str_c(meta_columns[i].name),
                        .type = meta_columns[i].type == WR_T_VARCHAR
                                    ? wr_type_string(nullable)
                                    : wr_type_of((wr_type_id)meta_columns[i].type, nullable),
                        .kind = WR_COL_PHYSICAL,
                        .span = WR_NO_SPAN};
    }
    out->kind = WR_TABLE_BASE;
    out->temporary = true;
    out->columns = columns;
    out->column_count = META_COLUMNS;
    out->bucket_count = -1;
    return set_options(ctx, options, WR_COUNT(options), arena, out);
}

static const wr_option_def metadata_options[] = {
    {"state.path", WR_OPT_STRING, NULL, NULL, WR_OPTF_REQUIRED,
     "Folder of the savepoint or checkpoint, or its _metadata."},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

typedef struct metadata_reader { /* wr_reader */
    const wr_source_spec *spec;
    wr_ckpt_meta *meta;
    uint32_t next;
} metadata_reader;

static wr_status
load_meta(wr_ctx *ctx, const wr_options *options, wr_arena *a, wr_ckpt_meta **out)
{
    return wr_ckpt_load(ctx, wr_options_find(options, "state.path")->value, a, out);
}

static wr_status
metadata_describe(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
                  const wr_config *config, wr_arena *arena, wr_source_info *out)
{
    (void)config;
    wr_ckpt_meta *meta = NULL;
    if (table->column_count != META_COLUMNS)
        return wr_raise(ctx, WR_SEMANTIC,
                        "'savepoint-metadata' has columns of its own: read it by "
                        "savepoint_metadata('path')");
    WR_TRY(load_meta(ctx, options, arena, &meta));
    out->bounded = true;
    out->changelog = WR_CL_INSERT_ONLY;
    out->can_skip = true;
    out->row_count = meta->operator_count;
    out->parallelism_max = 1;
    out->keeps_order = true;
    out->replayable = true;
    return WR_OK;
}

static wr_status
metadata_open(wr_ctx *ctx, const wr_source_spec *spec, const wr_source_env *env, wr_reader **out)
{
    metadata_reader *r = WR_NEW(env->arena, metadata_reader);
    WR_TRY_ALLOC(ctx, r);
    r->spec = spec;
    WR_TRY(load_meta(ctx, &spec->options, env->arena, &r->meta));
    r->next = r->meta->operator_count; /* until it has the split */
    *out = (wr_reader *)r;
    return WR_OK;
}

static wr_status
metadata_add_split(wr_ctx *ctx, wr_reader *reader, wr_str split, wr_str position)
{
    metadata_reader *r = (metadata_reader *)reader;
    int64_t done = 0;
    uint32_t got;
    WR_TRY(wri_position_get(ctx, split, position, &done, 1, &got));
    if (done < 0 || done > r->meta->operator_count)
        return wr_raise(ctx, WR_CORRUPT, "malformed position '%.*s'", WR_STR_ARG(position));
    r->next = (uint32_t)done;
    return WR_OK;
}

static uint64_t
bytes_of(const wr_ckpt_operator *o)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < o->subtask_count; i++) {
        const wr_ckpt_subtask *s = &o->subtasks[i];
        for (uint32_t f = 0; s->keyed && f < s->keyed->file_count; f++)
            n += s->keyed->files[f].bytes;
        if (s->inflight) n += s->inflight->bytes;
        for (uint32_t l = 0; l < s->ops.lists.count; l++)
            for (uint32_t k = 0; k < s->ops.lists.items[l].items.count; k++)
                n += s->ops.lists.items[l].items.items[k].len;
    }
    return n;
}

static bool
put_meta(const metadata_reader *r, const wr_ckpt_operator *o, int32_t col, wr_vec *v, uint32_t row,
         wr_arena *a)
{
    wr_str text;
    switch (col) {
    case META_NAME:
    case META_UID:
    case META_HASH:
        text = col == META_NAME  ? o->name
               : col == META_UID ? o->logical_id
                                 : wri_state_uid_hash(a, o->logical_id);
        return text.ptr && wr_vec_set_str(v, row, text.ptr, (uint32_t)text.len, a);
    case META_PARALLELISM:
        ((uint32_t *)v->data)[row] = o->parallelism;
        return true;
    case META_MAX:
        ((uint32_t *)v->data)[row] = o->max_parallelism;
        return true;
    case META_SUBTASKS:
        ((uint32_t *)v->data)[row] = o->subtask_count;
        return true;
    case META_TOTAL:
        ((uint64_t *)v->data)[row] = bytes_of(o);
        return true;
    case META_ID:
        ((uint64_t *)v->data)[row] = r->meta->id;
        return true;
    default: /* coordinators keep nothing of their own */
        ((uint64_t *)v->data)[row] = 0;
        return true;
    }
}

static wr_status
metadata_poll(wr_ctx *ctx, wr_reader *reader, wr_batch *fill, uint32_t max_rows, wr_poll *out)
{
    metadata_reader *r = (metadata_reader *)reader;
    const wr_schema *columns = &r->spec->columns;
    const uint32_t n = WR_MIN(r->meta->operator_count - r->next, max_rows);
    *out = (wr_poll){.kind = WR_POLL_END, .fd = -1};
    if (n == 0) return WR_OK;
    if (!wr_batch_init_flat(fill, columns, n)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    for (uint32_t c = 0; c < columns->count; c++)
        for (uint32_t i = 0; i < n; i++)
            if (!put_meta(r, &r->meta->operators[r->next + i], r->spec->physical[c], &fill->cols[c],
                          i, fill->arena))
                return wr_raise(ctx, WR_NOMEM, "out of memory");
    fill->row_count = n;
    r->next += n;
    out->kind = WR_POLL_READY;
    return WR_OK;
}

static wr_status
metadata_snapshot(wr_ctx *ctx, wr_reader *reader, uint64_t checkpoint_id, wr_opstate *out)
{
    (void)checkpoint_id;
    const metadata_reader *r = (const metadata_reader *)reader;
    const int64_t done = r->next;
    if (r->next == r->meta->operator_count) return WR_OK;
    return wri_position_put(ctx, out, WR_STR(""), &done, 1);
}

static void
metadata_close(wr_reader *reader)
{
    (void)reader;
}

const wr_source_ops wri_savepoint_metadata_source = {
    .abi = WR_ABI,
    .name = "savepoint-metadata",
    .options = metadata_options,
    .describe = metadata_describe,
    .discover = wri_discover_single,
    .open = metadata_open,
    .add_split = metadata_add_split,
    .no_more_splits = wri_no_more_nothing,
    .poll = metadata_poll,
    .snapshot = metadata_snapshot,
    .committed = wri_committed_nothing,
    .close = metadata_close,
};
