/* SPDX-License-Identifier: Apache-2.0 */
/* Top-N of each partition, and deduplication: the first or last row by time of rows that are only
 * inserted. */
#include "plan/over.h"
#include "plan/phys_int.h"
#include "plan/window.h"

static wr_timeattr
attr_of(const wr_pnode *in, const wr_order_key *k)
{
    return (wr_timeattr)in->schema.fields[k->col].type->attr;
}

static bool
is_one_by_time(const wr_pnode *in, const wr_over_window *w, const wr_over_rank *k)
{
    return k->first == 1 && k->last == 1 && k->last_col < 0 && !k->number && w->order_count == 1 &&
           attr_of(in, &w->order[0]) != WR_ATTR_NONE;
}

static wr_status
make_dedup(wr_ctx *ctx, wri_phys *p, const wr_over_window *w, wr_pnode **node)
{
    wr_pnode *n = wri_phys_node(p, WR_P_DEDUPLICATE, (*node)->schema, node, 1);
    WR_TRY_ALLOC(ctx, n);
    n->u.dedup.keys = w->partition;
    n->u.dedup.key_count = w->partition_count;
    n->u.dedup.time_col = w->order[0].col;
    n->u.dedup.rowtime = attr_of(*node, &w->order[0]) == WR_ATTR_ROWTIME;
    n->u.dedup.keep_last = w->order[0].desc;
    n->u.dedup.generate_insert = wr_config_bool(
        p->env->config, "table.exec.deduplicate.insert-update-after-sensitive-enabled");
    n->u.dedup.generate_update_before = true;
    n->u.dedup.ttl_ms = wr_config_int(p->env->config, "table.exec.state.ttl");
    return wri_phys_derive(ctx, p, n, node);
}

/* Do rows only rise in their partitions? Then what fell out of the top never comes back by itself.
 * A value that is NULL at first does not, where NULLs come first. */
static bool
only_rises(const wr_pnode *in, const wr_over_window *w)
{
    const uint8_t *mono = wri_node_of(in)->mono;
    if (!mono) return false;
    for (uint32_t i = 0; i < w->partition_count; i++)
        if (mono[w->partition[i]] != WRI_MONO_CONSTANT) return false;
    for (uint32_t i = 0; i < w->order_count; i++) {
        const uint8_t m = mono[w->order[i].col];
        const bool begins =
            !w->order[i].nulls_last && in->schema.fields[w->order[i].col].type->nullable;
        if (m != WRI_MONO_CONSTANT && begins) return false;
        if (m != WRI_MONO_CONSTANT && m != (w->order[i].desc ? WRI_MONO_RISING : WRI_MONO_FALLING))
            return false;
    }
    return true;
}

/* UpdateFast needs a key of the input rows, with the partition in it. */
static void
find_row_key(const wr_pnode *in, const wr_over_window *w, wr_pnode *n)
{
    const wr_key_set *best = NULL;
    if (wri_insert_only(in) || !only_rises(in, w)) return;
    for (uint32_t i = 0; i < in->upsert_key_count; i++) {
        const wr_key_set *k = &in->upsert_keys[i];
        if (!wri_cols_contain(k->cols, k->count, w->partition, w->partition_count)) continue;
        if (!best || k->count < best->count) best = k;
    }
    if (!best) return;
    n->u.rank.upsert_key = best->cols;
    n->u.rank.upsert_key_count = best->count;
}

wr_status
wri_phys_rank(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    const wr_over_spec *spec = rel->u.over;
    const wr_over_window *w = &spec->windows[0];
    const wr_over_rank *k = spec->rank;
    wr_windowing window;
    WR_TRY(wri_phys_rel(ctx, p, rel->inputs[0], out));
    if (wri_phys_ranks_window(p, *out, w, &window))
        return wri_phys_window_rank(ctx, p, rel, &window, is_one_by_time(*out, w, k), out);
    WR_TRY(wri_phys_hash(ctx, p, out, w->partition, w->partition_count));
    if (wri_insert_only(*out) && is_one_by_time(*out, w, k)) return make_dedup(ctx, p, w, out);
    wr_pnode *n = wri_phys_node(p, WR_P_RANK, rel->schema, out, 1);
    WR_TRY_ALLOC(ctx, n);
    n->u.rank.partition = w->partition;
    n->u.rank.partition_count = w->partition_count;
    n->u.rank.order = w->order;
    n->u.rank.order_count = w->order_count;
    n->u.rank.first = k->first;
    n->u.rank.last = k->last;
    n->u.rank.last_col = k->last_col;
    n->u.rank.number = k->number;
    n->u.rank.strategy = WR_RANK_UNDEFINED;
    n->u.rank.generate_update_before = true;
    n->u.rank.ttl_ms = wr_config_int(p->env->config, "table.exec.state.ttl");
    find_row_key(*out, w, n);
    return wri_phys_derive(ctx, p, n, out);
}
