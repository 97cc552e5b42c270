/* SPDX-License-Identifier: Apache-2.0 */
/* ORDER BY, LIMIT, OFFSET. */
#include "plan/phys_int.h"

typedef struct sorting { /* what is to be made */
    const wr_rel *rel;
    const wr_order_key *keys;
    uint32_t key_count;
} sorting;

static bool
sorts_by_rowtime(const wr_rel *rel)
{
    const wr_order_key *k = rel->u.sort.keys;
    return k->col < rel->schema.count && rel->schema.fields[k->col].type->attr == WR_ATTR_ROWTIME &&
           !k->desc;
}

static wr_status
check_streaming(wr_ctx *ctx, const wr_rel *rel, bool limited)
{
    if (rel->u.sort.key_count && !limited && !sorts_by_rowtime(rel)) {
        const wr_status status = wr_raise_at(
            ctx, WR_UNSUPPORTED, rel->span, "Sort on a non-time-attribute field is not supported.");
        wr_hint(ctx, "a stream has no last row to wait for: add LIMIT, order by a time attribute "
                     "(ascending) first, or SET 'execution.runtime-mode' = 'batch'");
        return status;
    }
    if (limited && rel->u.sort.fetch < 0)
        return wr_raise_at(ctx, WR_UNSUPPORTED, rel->span,
                           "FETCH is missed, which on streaming table is not supported currently.");
    return WR_OK;
}

/* Do all sort keys only change so that a row moves up? Then what fell out of the top never comes
 * back by itself. */
static bool
only_rises(const wr_pnode *in, const sorting *s)
{
    const uint8_t *mono = wri_node_of(in)->mono;
    if (!mono || s->key_count == 0) return false;
    for (uint32_t i = 0; i < s->key_count; i++) {
        uint8_t m = mono[s->keys[i].col];
        if (m != WRI_MONO_CONSTANT && m != (s->keys[i].desc ? WRI_MONO_RISING : WRI_MONO_FALLING))
            return false;
    }
    return true;
}

/* UpdateFast needs a key of the input rows. A deletion in input that only rises is the first half
 * of an update: the row comes back at once. */
static void
find_row_key(const wr_pnode *in, const sorting *s, wr_pnode *n)
{
    if (wri_insert_only(in) || !only_rises(in, s)) return;
    const wr_key_set *best = NULL;
    for (uint32_t i = 0; i < in->upsert_key_count; i++)
        if (!best || in->upsert_keys[i].count < best->count) best = &in->upsert_keys[i];
    if (!best) return;
    n->u.sort.sort_upsert_key = best->cols;
    n->u.sort.sort_upsert_key_count = best->count;
}

/* The rows that may be among the first of all are among the first at their place. */
static int64_t
local_fetch(const wr_rel *rel)
{
    int64_t offset = WR_MAX(rel->u.sort.offset, 0), fetch = rel->u.sort.fetch;
    return fetch > INT64_MAX - offset ? INT64_MAX : offset + fetch;
}

static wr_status
make_node(wr_ctx *ctx, wri_phys *p, const sorting *s, bool local, wr_pnode **node)
{
    const wr_rel *rel = s->rel;
    wr_pnode *in = *node;
    bool limited = rel->u.sort.fetch >= 0 || rel->u.sort.offset > 0;
    wr_pkind kind = !s->key_count ? WR_P_LIMIT : limited ? WR_P_SORT_LIMIT : WR_P_SORT;
    wr_pnode *n = wri_phys_node(p, kind, in->schema, node, 1);
    WR_TRY_ALLOC(ctx, n);
    if (kind == WR_P_LIMIT) {
        n->u.limit.offset = local ? 0 : rel->u.sort.offset;
        n->u.limit.fetch = local ? local_fetch(rel) : rel->u.sort.fetch;
        n->u.limit.local = local;
        return wri_phys_derive(ctx, p, n, node);
    }
    n->u.sort.keys = s->keys;
    n->u.sort.key_count = s->key_count;
    n->u.sort.offset = local ? 0 : rel->u.sort.offset;
    n->u.sort.fetch = local ? local_fetch(rel) : rel->u.sort.fetch;
    n->u.sort.local = local;
    n->u.sort.temporal = !p->batch && kind == WR_P_SORT;
    n->u.sort.generate_update_before = true;
    n->u.sort.strategy = p->batch ? WR_RANK_APPEND_FAST : WR_RANK_UNDEFINED;
    if (kind == WR_P_SORT_LIMIT) find_row_key(in, s, n);
    return wri_phys_derive(ctx, p, n, node);
}

/* The node that makes the changes: for messages. */
static const wr_pnode *
origin(const wr_pnode *n)
{
    while (n->input_count == 1 &&
           (n->kind == WR_P_CALC || n->kind == WR_P_EXCHANGE || n->kind == WR_P_WATERMARK))
        n = n->inputs[0];
    return n;
}

static wr_status
refuse_changes(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, const wr_pnode *in)
{
    wr_text label;
    wr_text_init(&label, p->arena);
    WR_TRY(wri_label(ctx, p->env, origin(in), WR_EXPR_INFIX, WR_STR(""), WR_STR(""), &label));
    bool deletes = in->changelog & WR_CL_D, updates = wri_has_updates(in);
    return wr_raise_at(ctx, WR_SEMANTIC, rel->span,
                       "StreamPhysicalTemporalSort doesn't support consuming %s changes which is "
                       "produced by node %.*s",
                       deletes && updates ? "update and delete"
                       : deletes          ? "delete"
                                          : "update",
                       (int)label.len, label.ptr);
}

wr_status
wri_phys_sort(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    bool limited = rel->u.sort.fetch >= 0 || rel->u.sort.offset > 0;
    sorting s = {rel, rel->u.sort.keys, rel->u.sort.key_count};
    if (!p->batch) WR_TRY(check_streaming(ctx, rel, limited));
    if (rel->u.sort.key_count == 0 && !limited) return wri_phys_rel(ctx, p, rel->inputs[0], out);
    WR_TRY(wri_phys_rel(ctx, p, rel->inputs[0], out));
    if (!p->batch && !limited && !wri_insert_only(*out)) return refuse_changes(ctx, p, rel, *out);
    if (p->batch && rel->u.sort.fetch >= 0 && (*out)->kind != WR_P_VALUES)
        WR_TRY(make_node(ctx, p, &s, true, out));
    WR_TRY(wri_phys_exchange(ctx, p, out, WR_DIST_SINGLE, NULL, 0));
    return make_node(ctx, p, &s, false, out);
}
