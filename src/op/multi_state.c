/* SPDX-License-Identifier: Apache-2.0 */
/* State of the multi-way join: keys of the input batch, rows that enter and leave. */
#include "op/multi_join_int.h"

static wr_status
open_keys(wr_ctx *ctx, wri_multi_op *m)
{
    const wr_multi_spec *spec = m->op.node->u.multi;
    const uint32_t bytes = (uint32_t)sizeof(wri_multi_rows) * m->count;
    const wr_state_part parts[] = {
        WRI_PART(wri_multi_key, listed, WR_PART_TRANSIENT),
        {.name = "rows", .kind = WR_PART_PLAIN, .offset = sizeof(wri_multi_key), .bytes = bytes}};
    int64_t ttl = 0;
    bool bounded = true;
    for (uint32_t i = 0; i < m->count; i++) {
        bounded &= spec->inputs[i].ttl_ms > 0;
        ttl = WR_MAX(ttl, spec->inputs[i].ttl_ms);
    }
    wri_keyspec key;
    WR_TRY(wri_keyspec_init(ctx, &m->op, m->op.node->inputs[0], spec->inputs[0].keys,
                            spec->key_count, &key));
    wr_schema *schema = WR_NEW(m->op.env->arena, wr_schema);
    WR_TRY_ALLOC(ctx, schema);
    *schema = key.schema;
    wr_state_desc desc = {.shape = WR_STATE_VALUE,
                          .key = schema,
                          .record_bytes = ((uint32_t)sizeof(wri_multi_key) + bytes + 7) / 8 * 8,
                          .parts = wri_parts_copy(&m->op, parts, WR_COUNT(parts)),
                          .part_count = WR_COUNT(parts),
                          .ttl_ms = bounded ? ttl : 0};
    WR_TRY_ALLOC(ctx, desc.parts);
    return wri_table_open(ctx, &m->op, "keys", &desc, &m->keys);
}

wr_status
wri_multi_state_open(wr_ctx *ctx, wri_multi_op *m)
{
    const wr_pnode *n = m->op.node;
    WR_TRY(open_keys(ctx, m));
    for (uint32_t i = 0; i < m->count; i++) {
        const wr_multi_input *s = &n->u.multi->inputs[i];
        const char *name = wr_arena_printf(m->op.env->arena, "input %u", i + 1).ptr;
        WR_TRY_ALLOC(ctx, name);
        const wri_join_input in = {.node = n->inputs[i],
                                   .keys = s->keys,
                                   .key_count = n->u.multi->key_count,
                                   .unique = s->unique_key,
                                   .unique_count = s->unique_key_count,
                                   .key_contains_unique = s->key_contains_unique,
                                   .ttl_ms = s->ttl_ms,
                                   .name = name};
        wri_join_side *side = &m->levels[i].side;
        WR_TRY(wri_join_side_open(ctx, &m->op, &in, m->keys, side));
        side->nested = s->equal_count > 0;
        side->order_key = s->equal_own;
        side->order_key_count = s->equal_count;
    }
    return WR_OK;
}

/* ---- the input batch ------------------------------------------------------------------------- */
static void
mark_dead(wri_multi_op *m)
{
    const wri_keyspec *key = &m->levels[m->from].side.key;
    for (uint32_t k = 0; k < key->count; k++) {
        const wr_vec *v = &m->in->cols[key->cols[k]];
        if (!wri_join_has_null(m->in, v)) continue;
        for (uint32_t i = 0; i < m->n; i++) m->dead[i] |= wr_vec_is_null(v, wr_batch_row(m->in, i));
    }
}

wr_status
wri_multi_prepare(wr_ctx *ctx, wri_multi_op *m)
{
    const wri_join_side *s = &m->levels[m->from].side;
    wr_arena_reset(m->scratch);
    m->n = wr_batch_live(m->in);
    m->slots = wr_arena_alloc(m->scratch, sizeof *m->slots * (m->n + 1));
    m->company = wr_arena_zalloc(m->scratch, sizeof *m->company * (m->n + 1));
    m->dead = wr_arena_zalloc(m->scratch, sizeof *m->dead * (m->n + 1));
    m->recs = wr_arena_alloc(m->scratch, sizeof *m->recs * (m->n + 1));
    uint32_t *kept = wr_arena_alloc(m->scratch, sizeof *kept * (m->n + 1));
    if (!m->slots || !m->company || !m->dead || !m->recs || !kept) return WRI_NOMEM(ctx);
    wr_keys keys;
    WR_TRY(wri_keys_make(ctx, &s->key, m->in, m->scratch, &keys));
    WR_TRY(m->keys->ops->resolve(ctx, m->keys, &keys, WR_STATE_UPSERT, m->slots, NULL));
    mark_dead(m);
    if (!wr_row_encode(m->in, s->all_cols, s->schema->count, m->scratch, &m->rows))
        return WRI_NOMEM(ctx);
    WR_TRY(wri_join_subkeys(ctx, s, m->in, &m->rows, m->scratch, &m->subkeys));
    for (uint32_t i = 0; i < m->n; i++) kept[i] = m->dead[i] ? WR_SLOT_NONE : m->slots[i];
    return s->rows->ops->map_resolve(ctx, s->rows, kept, &m->subkeys, WR_STATE_UPSERT, m->recs,
                                     NULL);
}

/* ---- stretches ------------------------------------------------------------------------------- */
static uint32_t
power_above(uint32_t n)
{
    uint32_t cap = 16;
    while (cap < 2 * n) cap *= 2;
    return cap;
}

/* How often the record of row i is there now, the rows of the stretch before it counted in. */
static uint32_t *
copies_of(wri_multi_op *m, uint32_t i)
{
    const uint8_t *rec = m->recs[i];
    uint32_t at = (uint32_t)wr_hash_u64((uint64_t)(uintptr_t)rec) & m->copies_mask;
    while (m->copies[at].rec && m->copies[at].rec != rec) at = (at + 1) & m->copies_mask;
    wri_multi_copies *c = &m->copies[at];
    if (!c->rec || c->serial != m->serial) {
        const wri_join_record *r = (const wri_join_record *)(const void *)rec;
        *c = (wri_multi_copies){rec, r->copies, m->serial};
    }
    return &c->copies;
}

/* Row i joins the stretch, unless it cannot. */
static bool
join_stretch(wri_multi_op *m, uint32_t i)
{
    wri_multi_key *k = (wri_multi_key *)(void *)wr_state_rec(m->keys, m->slots[i]);
    const wr_kind kind = wr_batch_kind(m->in, wr_batch_row(m->in, i));
    const bool adds = kind == WR_INSERT || kind == WR_UPDATE_AFTER;
    const bool seen = k->listed == m->serial, closed = k->listed == m->serial + 1;
    uint32_t *copies = copies_of(m, i);
    const bool replaces = adds && *copies > 0 && m->levels[m->from].side.has_unique;
    if (closed || (replaces && seen)) return false;
    k->listed = m->serial + replaces;
    m->effect[i] = replaces ? 0 : adds ? 1 : *copies > 0 ? -1 : 0;
    if (m->effect[i] > 0) ++*copies;
    if (m->effect[i] < 0) --*copies;
    return true;
}

static wr_status
open_stretch(wr_ctx *ctx, wri_multi_op *m)
{
    if (m->first == 0) {
        const uint32_t cap = power_above(m->n);
        m->copies = wr_arena_zalloc(m->scratch, sizeof *m->copies * cap);
        m->effect = wr_arena_zalloc(m->scratch, sizeof *m->effect * (m->n + 1));
        m->copies_mask = cap - 1;
        if (!m->copies || !m->effect) return WRI_NOMEM(ctx);
    }
    m->serial += 2;
    m->at_row = WRI_NO_ROW;
    wr_arena_reset(m->stretch);
    memset(&m->company_of, 0, sizeof m->company_of);
    return WR_OK;
}

wr_status
wri_multi_stretch(wr_ctx *ctx, wri_multi_op *m)
{
    m->next = m->first;
    m->end = m->n;
    if (!m->by_stretch) return WR_OK;
    WR_TRY(open_stretch(ctx, m));
    for (uint32_t i = m->first; i < m->end; i++)
        if (!m->dead[i] && !join_stretch(m, i)) m->end = i;
    const uint32_t cap = power_above(m->end - m->first);
    m->cells = wr_arena_zalloc(m->stretch, sizeof *m->cells * cap);
    m->cells_mask = cap - 1;
    return m->cells ? WR_OK : WRI_NOMEM(ctx);
}

/* ---- remembering ----------------------------------------------------------------------------- */
static wr_status
remember_row(wr_ctx *ctx, wri_multi_op *m, uint32_t i)
{
    const wri_join_side *s = &m->levels[m->from].side;
    wri_join_record *r = (wri_join_record *)(void *)m->recs[i];
    wri_multi_rows *rows = wri_multi_rows_of(m, m->slots[i], m->from);
    const wr_kind kind = wr_batch_kind(m->in, wr_batch_row(m->in, i));
    m->company[i] = rows->copies;
    if (kind == WR_INSERT || kind == WR_UPDATE_AFTER) {
        if (r->copies == 0) {
            wri_join_count(&rows->table, &rows->size, false);
            r->matches = ++rows->arrivals;
        }
        if (r->copies == 0 || !s->has_unique) rows->copies++;
        r->copies = s->has_unique ? 1 : r->copies + 1;
        if (!s->has_unique) return WR_OK;
        r->has_order = 0; /* of a row that had other values in the columns of the condition */
        return s->rows->ops->blob_set(ctx, s->rows, &r->row, m->rows.data + m->rows.off[i],
                                      m->rows.off[i + 1] - m->rows.off[i]);
    }
    if (r->copies == 0) return WR_OK;
    r->copies--;
    if (rows->copies > 0) rows->copies--;
    if (r->copies == 0) wri_join_count(&rows->table, &rows->size, true);
    return WR_OK;
}

wr_status
wri_multi_remember(wr_ctx *ctx, wri_multi_op *m)
{
    for (uint32_t i = m->first; i < m->end; i++)
        if (!m->dead[i]) WR_TRY(remember_row(ctx, m, i));
    return WR_OK;
}

static bool
is_empty(const wri_multi_op *m, uint32_t slot)
{
    for (uint32_t i = 0; i < m->count; i++) {
        wr_state_table *rows = m->levels[i].side.rows;
        if (rows->ops->map_count(rows, slot) > 0) return false;
    }
    return true;
}

wr_status
wri_multi_sweep(wr_ctx *ctx, wri_multi_op *m)
{
    wr_state_table *rows = m->levels[m->from].side.rows;
    uint32_t *list = wr_arena_alloc(m->scratch, sizeof *list * (m->n + 1)), count = 0;
    WR_TRY_ALLOC(ctx, list);
    for (uint32_t i = 0; i < m->n; i++) { /* all are looked at before any goes */
        m->dead[i] |= ((wri_join_record *)(void *)m->recs[i]) &&
                      ((wri_join_record *)(void *)m->recs[i])->copies == 0;
        count += m->dead[i];
    }
    if (count == 0) return WR_OK;
    count = 0;
    m->serial += 2;
    for (uint32_t i = 0; i < m->n; i++) {
        if (!m->dead[i]) continue;
        uint32_t len;
        const uint8_t *key = wri_key_at(&m->subkeys, i, &len);
        if (m->recs[i]) rows->ops->map_remove(rows, m->slots[i], key, len, m->subkeys.hash[i]);
        wri_multi_key *k = (wri_multi_key *)(void *)wr_state_rec(m->keys, m->slots[i]);
        if (k->listed == m->serial) continue;
        k->listed = m->serial;
        list[count++] = m->slots[i];
    }
    for (uint32_t i = 0; i < count; i++)
        if (is_empty(m, list[i])) m->keys->ops->remove(m->keys, list[i]);
    return WR_OK;
}
