/* SPDX-License-Identifier: Apache-2.0 */
/* The keyed state of one operator taken out of a checkpoint into memory, to be changed there and
 * written again as part of a new canonical savepoint. All of it is in memory at once; the other
 * operators go through a subtask at a time. */
#include "state/ckpt_int.h"

struct wr_ckpt_edit {
    wr_arena *arena; /* it lies in it */
    wr_memtrack *budget;
    const wr_config *config;
    const wr_ckpt_meta *meta;
    wri_ckpt_filled filled;
    wr_str logical_id;
};

/* A handle with every table of all of them: subtasks may have opened different ones. */
static wr_status
unite(wr_ctx *ctx, wr_arena *a, const wr_state_handle *const *handles, uint32_t n,
      wr_state_handle *out)
{
    uint64_t most = 1;
    *out = *handles[0];
    out->kg_first = 0;
    out->kg_last = out->max_parallelism - 1;
    for (uint32_t i = 0; i < n; i++) most += handles[i]->table_count;
    out->tables = WR_NEW_N(a, wr_state_table_info, most);
    WR_TRY_ALLOC(ctx, out->tables);
    out->table_count = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < handles[i]->table_count; k++) {
            const wr_state_table_info *t = &handles[i]->tables[k];
            if (wri_ckpt_table_named(out, t->logical_id) >= 0) continue;
            out->tables[out->table_count] = *t;
            if (t->parent >= 0)
                out->tables[out->table_count].parent =
                    wri_ckpt_table_named(out, handles[i]->tables[t->parent].logical_id);
            out->table_count++;
        }
    return WR_OK;
}

static wr_status
fill(wr_ctx *ctx, wr_ckpt_edit *e, const wr_ckpt_operator *op)
{
    wr_state_handle all;
    wr_state_reader *reader;
    uint32_t n = 0;
    const wr_state_handle **handles =
        WR_NEW_N(e->arena, const wr_state_handle *, op->subtask_count + 1);
    WR_TRY_ALLOC(ctx, handles);
    for (uint32_t i = 0; i < op->subtask_count; i++)
        if (op->subtasks[i].keyed) handles[n++] = op->subtasks[i].keyed;
    if (n == 0)
        return wr_raise(ctx, WR_NAME, "operator '%.*s' has no keyed state in the checkpoint",
                        WR_STR_ARG(op->logical_id));
    WR_TRY(unite(ctx, e->arena, handles, n, &all));
    WR_TRY(wr_ckpt_reader(ctx, e->meta, e->arena, &reader));
    return wri_ckpt_fill(ctx, &wr_state_hashmap_ops, &all, handles, n, reader, e->config, e->budget,
                         &e->filled);
}

wr_status
wr_ckpt_edit_open(wr_ctx *ctx, const wr_ckpt_meta *m, const wr_ckpt_operator *op,
                  const wr_config *config, wr_memtrack *budget, wr_ckpt_edit **out)
{
    wr_arena *a = wr_arena_create(budget, 0);
    wr_ckpt_edit *e = a ? WR_NEW(a, wr_ckpt_edit) : NULL;
    if (!e) {
        wr_arena_destroy(a);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    e->arena = a;
    e->budget = budget;
    e->config = config;
    e->meta = m;
    e->logical_id = op->logical_id;
    const wr_status status = fill(ctx, e, op);
    if (status == WR_OK)
        *out = e;
    else
        wr_ckpt_edit_close(e);
    return status;
}

wr_state_table *
wr_ckpt_edit_table(wr_ckpt_edit *e, wr_str logical_id)
{
    const int32_t at = wri_ckpt_table_named(&e->filled.handle, logical_id);
    return at < 0 ? NULL : e->filled.tables[at];
}

wr_status
wr_ckpt_edit_write(wr_ctx *ctx, wr_ckpt_edit *e, wr_str dir)
{
    const wr_ckpt_changes changes = {
        .kind = WR_SAVEPOINT_CANONICAL, .config = e->config, .budget = e->budget};
    const wri_ckpt_swap swap = {e->logical_id, e->filled.backend};
    return wri_ckpt_rewrite(ctx, e->meta, dir, &changes, &swap);
}

void
wr_ckpt_edit_close(wr_ckpt_edit *e)
{
    if (!e) return;
    wri_ckpt_empty(&e->filled);
    wr_arena_destroy(e->arena);
}
