/* SPDX-License-Identifier: Apache-2.0 */
/* 'savepoint' reads the keyed state of one operator out of a savepoint or checkpoint: one row a key
 * (savepoint_int.h). A split is what one subtask had written; its position is the number of rows
 * that came out of it. */
#include "connector/savepoint_int.h"

typedef struct share { /* a split */
    uint32_t subtask;
    int64_t done; /* rows given */
    int64_t skip; /* of them: before this reader began */
    bool over;
} share;

typedef struct savepoint_reader { /* wr_reader */
    const wr_source_spec *spec;
    const wr_source_env *env;
    wri_state_scan scan;
    bool *wanted;      /* per store */
    wr_str only;       /* the one key that is wanted; ptr NULL: all */
    bool wants_key;    /* some column of the key is read */
    int64_t rows_left; /* limit; -1 = none */
    WR_LIST(share) splits;
    uint32_t at; /* the split being read */
    bool open;   /* `groups` is the split's */
    wri_groups groups;
    uint32_t next; /* root of the group */
} savepoint_reader;

static wr_status
savepoint_describe(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
                   const wr_config *config, wr_arena *arena, wr_source_info *out)
{
    (void)config;
    wri_state_scan scan;
    uint64_t rows = 0;
    WR_TRY(wri_state_scan_bind(ctx, table, options, arena, &scan));
    const wri_state_model *m = &scan.model;
    for (uint32_t i = 0; i < m->op->subtask_count; i++) {
        const wr_state_handle *h = m->op->subtasks[i].keyed;
        for (uint32_t t = 0; h && t < h->table_count; t++)
            if (wr_str_eq(h->tables[t].logical_id, m->stores[scan.root].info->logical_id))
                rows += h->tables[t].entries;
    }
    out->bounded = true;
    out->changelog = WR_CL_INSERT_ONLY;
    out->can_skip = out->can_limit = out->can_filter = true;
    out->row_count = (int64_t)WR_MIN(rows, (uint64_t)INT64_MAX);
    out->replayable = true;
    return WR_OK;
}

/* One split a subtask that has keyed state, named by its number. */
static wr_status
savepoint_discover(wr_ctx *ctx, const wr_source_spec *spec, uint32_t parallelism, wr_arena *arena,
                   wr_str **splits_out, uint32_t *count_out, int64_t *recheck_ms)
{
    (void)parallelism;
    wri_state_scan scan;
    WR_TRY(wri_state_scan_bind(ctx, spec->table, &spec->options, arena, &scan));
    const wr_ckpt_operator *op = scan.model.op;
    wr_str *splits = WR_NEW_N(arena, wr_str, op->subtask_count + 1);
    WR_TRY_ALLOC(ctx, splits);
    *count_out = 0;
    for (uint32_t i = 0; i < op->subtask_count; i++) {
        if (!op->subtasks[i].keyed) continue;
        splits[*count_out] = wr_arena_printf(arena, "%u", i);
        WR_TRY_ALLOC(ctx, splits[*count_out].ptr);
        ++*count_out;
    }
    *splits_out = splits;
    *recheck_ms = 0;
    return WR_OK;
}

static wr_status
savepoint_open(wr_ctx *ctx, const wr_source_spec *spec, const wr_source_env *env, wr_reader **out)
{
    savepoint_reader *r = WR_NEW(env->arena, savepoint_reader);
    WR_TRY_ALLOC(ctx, r);
    r->spec = spec;
    r->env = env;
    r->rows_left = spec->limit;
    WR_TRY(wri_state_scan_bind(ctx, spec->table, &spec->options, env->arena, &r->scan));
    r->wanted = WR_NEW_N(env->arena, bool, r->scan.model.store_count + 1);
    WR_TRY_ALLOC(ctx, r->wanted);
    r->wanted[r->scan.root] = true;
    for (uint32_t c = 0; c < spec->columns.count; c++) {
        const wri_state_ref *ref = &r->scan.refs[spec->physical[c]];
        r->wants_key |= ref->key >= 0;
        r->wanted[ref->store] = true;
    }
    WR_TRY(wri_state_only_key(ctx, &r->scan, spec, env->arena, &r->only));
    *out = (wr_reader *)r;
    return WR_OK;
}

static wr_status
savepoint_add_split(wr_ctx *ctx, wr_reader *reader, wr_str split, wr_str position)
{
    savepoint_reader *r = (savepoint_reader *)reader;
    int64_t subtask = -1;
    uint32_t got;
    share s = {0};
    WR_TRY(wri_position_get(ctx, split, position, &s.done, 1, &got));
    WR_TRY(wri_position_get(ctx, split, split, &subtask, 1, &got));
    if (subtask < 0 || subtask >= r->scan.model.op->subtask_count || s.done < 0 ||
        !r->scan.model.op->subtasks[subtask].keyed)
        return wr_raise(ctx, WR_CORRUPT, "malformed split '%.*s'", WR_STR_ARG(split));
    s.subtask = (uint32_t)subtask;
    s.skip = s.done;
    if (!wr_list_push(r->env->arena, &r->splits, s))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

/* Roots that are next, at most `max`, from one group; *n 0: there are none any more. */
static wr_status
next_roots(wr_ctx *ctx, savepoint_reader *r, uint32_t max, wri_entry_root ***roots, uint32_t *n)
{
    *n = 0;
    while (r->at < r->splits.count) {
        share *s = &r->splits.items[r->at];
        bool more = true;
        if (!r->open) {
            const wr_state_handle *h = r->scan.model.op->subtasks[s->subtask].keyed;
            r->open = true;
            r->next = 0;
            WR_TRY(wri_groups_open(ctx, &r->scan, r->wanted, r->only, h, r->env, &r->groups));
        }
        if (r->next == r->groups.roots.count) {
            WR_TRY(wri_groups_next(ctx, &r->groups, &more));
            r->next = 0;
        }
        if (!more) {
            wri_groups_close(&r->groups);
            r->open = false;
            s->over = true;
            r->at++;
            continue;
        }
        const uint32_t there = r->groups.roots.count - r->next;
        if (s->skip > 0) {
            const uint32_t over = (uint32_t)WR_MIN(s->skip, (int64_t)there);
            s->skip -= over;
            r->next += over;
            continue;
        }
        *n = WR_MIN(there, max);
        *roots = r->groups.roots.items + r->next;
        r->next += *n;
        s->done += *n;
        return WR_OK;
    }
    return WR_OK;
}

static wr_status
fill_batch(wr_ctx *ctx, savepoint_reader *r, wri_entry_root *const *roots, uint32_t n,
           wr_batch *fill)
{
    const wri_state_scan *scan = &r->scan;
    const wr_schema *key = &scan->model.stores[scan->root].info->key;
    wr_vec *keys = WR_NEW_N(fill->arena, wr_vec, key->count + 1);
    WR_TRY_ALLOC(ctx, keys);
    if (r->wants_key) WR_TRY(wri_state_fill_keys(ctx, scan, roots, n, keys, fill->arena));
    for (uint32_t c = 0; c < r->spec->columns.count; c++) {
        const wri_state_ref *ref = &scan->refs[r->spec->physical[c]];
        if (ref->key >= 0)
            fill->cols[c] = keys[ref->key];
        else
            WR_TRY(wri_state_fill(ctx, scan, r->env->eval, roots, n, ref, &fill->cols[c],
                                  fill->arena));
        fill->cols[c].type = r->spec->columns.fields[c].type;
    }
    fill->row_count = n;
    return wri_filters_apply(ctx, r->spec, fill);
}

/* At most as many rows as are still wanted. */
static void
apply_limit(savepoint_reader *r, wr_batch *fill)
{
    const uint32_t live = wr_batch_live(fill);
    if (r->rows_left < 0) return;
    const uint32_t keep = (uint32_t)WR_MIN((int64_t)live, r->rows_left);
    r->rows_left -= keep;
    if (fill->sel)
        fill->sel_count = keep;
    else
        fill->row_count = keep;
}

static wr_status
savepoint_poll(wr_ctx *ctx, wr_reader *reader, wr_batch *fill, uint32_t max_rows, wr_poll *out)
{
    savepoint_reader *r = (savepoint_reader *)reader;
    wri_entry_root **roots = NULL;
    uint32_t n = 0;
    *out = (wr_poll){.kind = WR_POLL_END, .fd = -1};
    if (r->rows_left == 0) return WR_OK;
    out->split = r->at;
    wr_status status = next_roots(ctx, r, max_rows, &roots, &n);
    if (status == WR_OK && n == 0) return WR_OK;
    if (status == WR_OK) status = fill_batch(ctx, r, roots, n, fill);
    if (status != WR_OK) {
        wr_frame(ctx, "reading the state of operator '%.*s' in %.*s",
                 WR_STR_ARG(r->scan.model.op->logical_id), WR_STR_ARG(r->scan.meta->path));
        return status;
    }
    apply_limit(r, fill);
    out->kind = WR_POLL_READY;
    return WR_OK;
}

static wr_status
savepoint_snapshot(wr_ctx *ctx, wr_reader *reader, uint64_t checkpoint_id, wr_opstate *out)
{
    (void)checkpoint_id;
    const savepoint_reader *r = (const savepoint_reader *)reader;
    for (uint32_t i = 0; i < r->splits.count; i++) {
        const share *s = &r->splits.items[i];
        if (s->over) continue;
        const wr_str name = wr_arena_printf(out->arena, "%u", s->subtask);
        WR_TRY_ALLOC(ctx, name.ptr);
        WR_TRY(wri_position_put(ctx, out, name, &s->done, 1));
    }
    return WR_OK;
}

static void
savepoint_close(wr_reader *reader)
{
    savepoint_reader *r = (savepoint_reader *)reader;
    if (r->open) wri_groups_close(&r->groups);
}

const wr_source_ops wri_savepoint_source = {
    .abi = WR_ABI,
    .name = "savepoint",
    .options = wri_savepoint_options,
    .describe = savepoint_describe,
    .discover = savepoint_discover,
    .open = savepoint_open,
    .add_split = savepoint_add_split,
    .no_more_splits = wri_no_more_nothing,
    .poll = savepoint_poll,
    .snapshot = savepoint_snapshot,
    .committed = wri_committed_nothing,
    .close = savepoint_close,
};
