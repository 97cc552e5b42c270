/* SPDX-License-Identifier: Apache-2.0 */
/* State of the interval join: see interval_join_int.h. */
#include "op/interval_join_int.h"

#define PAIRS_WANTED (2u * WR_BATCH_ROWS)
#define KEY_BYTES    16u /* of an ordered key: time, arrival number */

int64_t
wri_interval_now(const wri_interval_op *j)
{
    if (!j->spec->rowtime) return *j->op.env->now_ms;
    return WR_MAX(j->watermark, 0);
}

int64_t
wri_interval_expired(const wri_interval_op *j, uint32_t side)
{
    const int64_t now = wri_interval_now(j);
    if (now == INT64_MAX) return INT64_MAX; /* the end */
    return wri_time_add(wri_time_add(now, -j->side[side].reach), -1);
}

/* ---- opening --------------------------------------------------------------------------------- */
static wr_status
open_side(wr_ctx *ctx, wri_interval_op *j, uint32_t k)
{
    wr_op *op = &j->op;
    const wr_pnode *in = op->node->inputs[k];
    wri_interval_side *s = &j->side[k];
    wr_state_part parts[] = {WRI_PART(wri_interval_row, row, WR_PART_ROW),
                             WRI_PART(wri_interval_row, matched, WR_PART_PLAIN)};
    s->schema = &in->schema;
    s->expired = 0;
    return wri_timed_side_open(ctx, op, k, j->keys, parts, WR_COUNT(parts),
                               sizeof(wri_interval_row), &s->key, &s->all_cols, &s->rows);
}

wr_status
wri_interval_state_open(wr_ctx *ctx, wri_interval_op *j)
{
    static const wr_state_part parts[] = {WRI_PART(wri_interval_key, listed, WR_PART_TRANSIENT),
                                          WRI_PART(wri_interval_key, timer, WR_PART_PLAIN),
                                          WRI_PART(wri_interval_key, first, WR_PART_PLAIN),
                                          WRI_PART(wri_interval_key, last, WR_PART_PLAIN),
                                          WRI_PART(wri_interval_key, arrivals, WR_PART_PLAIN),
                                          WRI_PART(wri_interval_key, has_timer, WR_PART_PLAIN)};
    wr_op *op = &j->op;
    wri_keyspec key;
    WR_TRY(wri_keyspec_init(ctx, op, op->node->inputs[0], op->node->u.join.left_keys,
                            op->node->u.join.key_count, &key));
    wr_schema *schema = WR_NEW(op->env->arena, wr_schema);
    WR_TRY_ALLOC(ctx, schema);
    *schema = key.schema;
    const wr_state_desc desc = {.shape = WR_STATE_VALUE,
                                .key = schema,
                                .record_bytes = sizeof(wri_interval_key),
                                .parts = parts,
                                .part_count = WR_COUNT(parts)};
    WR_TRY(wri_table_open(ctx, op, "keys", &desc, &j->keys));
    for (uint32_t k = 0; k < 2; k++) WR_TRY(open_side(ctx, j, k));
    return wri_timers_open(ctx, op, "expiry", !j->spec->rowtime, &j->timers);
}

/* ---- ordered keys ---------------------------------------------------------------------------- */
static void
put_key(uint8_t *key, int64_t time, uint64_t arrival)
{
    wr_store64(key, __builtin_bswap64((uint64_t)time ^ (uint64_t)1 << 63));
    wr_store64(key + 8, __builtin_bswap64(arrival));
}

static int64_t
time_of(const uint8_t *key)
{
    return (int64_t)(__builtin_bswap64(wr_load64(key)) ^ (uint64_t)1 << 63);
}

static wri_interval_key *
key_rec(const wri_interval_op *j, uint32_t slot)
{
    return (wri_interval_key *)(void *)wr_state_rec(j->keys, slot);
}

/* ---- the input batch ------------------------------------------------------------------------- */
static bool
has_null_key(const wri_interval_op *j, uint32_t row)
{
    const wri_keyspec *key = &j->side[j->from].key;
    const bool *null_equal = j->op.node->u.join.null_equal;
    for (uint32_t k = 0; k < key->count; k++)
        if (!(null_equal && null_equal[k]) && wr_vec_is_null(&j->in->cols[key->cols[k]], row))
            return true;
    return false;
}

/* A row without a time of its own (of an outer join below) meets nothing. */
static void
note_times(wri_interval_op *j)
{
    const wri_interval_side *s = &j->side[j->from];
    const wr_vec *col = &j->in->cols[s->time_col];
    const wr_view view = wr_vec_view(col);
    const int64_t now = wri_interval_now(j);
    for (uint32_t i = 0; i < j->n; i++) {
        const uint32_t row = wr_batch_row(j->in, i);
        const bool null = j->spec->rowtime && wr_vec_is_null(col, row);
        j->plain[i] = !null && !has_null_key(j, row);
        if (!j->spec->rowtime)
            j->times[i] = now;
        else if (null)
            j->times[i] = INT64_MIN;
        else
            j->times[i] = col->phys == WR_PHYS_TS ? WR_VIEW(&view, wr_ts, row).ms
                                                  : WR_VIEW(&view, int64_t, row);
        j->kept[i] =
            !null && (j->plain[i] || s->outer) && now < wri_time_add(j->times[i], s->reach);
    }
}

wr_status
wri_interval_prepare(wr_ctx *ctx, wri_interval_op *j)
{
    const wri_interval_side *s = &j->side[j->from];
    wr_arena_reset(j->scratch);
    j->n = wr_batch_live(j->in);
    j->at = 0;
    j->slots = WR_NEW_N(j->scratch, uint32_t, j->n + 1);
    j->times = WR_NEW_N(j->scratch, int64_t, j->n + 1);
    j->plain = WR_NEW_N(j->scratch, bool, j->n + 1);
    j->kept = WR_NEW_N(j->scratch, bool, j->n + 1);
    j->matched = WR_NEW_N(j->scratch, uint8_t, j->n + 1);
    if (!j->slots || !j->times || !j->plain || !j->kept || !j->matched) return WRI_NOMEM(ctx);
    if (j->never) return WR_OK;
    note_times(j);
    WR_TRY(wri_keys_make(ctx, &s->key, j->in, j->scratch, &j->row_keys));
    WR_TRY(j->keys->ops->resolve(ctx, j->keys, &j->row_keys, WR_STATE_UPSERT, j->slots, NULL));
    return wr_row_encode(j->in, s->all_cols, s->schema->count, j->scratch, &j->rows)
               ? WR_OK
               : WRI_NOMEM(ctx);
}

/* ---- looking up ------------------------------------------------------------------------------ */
static wr_status
add_pair(wr_ctx *ctx, wri_interval_op *j, uint32_t row, const wr_state_iter *it, bool expires,
         bool meets)
{
    if (j->pair_count == j->pair_cap) {
        const uint32_t cap = j->pair_cap ? j->pair_cap * 2 : 256;
        wri_interval_pair *more = wr_arena_alloc(j->range, sizeof *more * cap);
        WR_TRY_ALLOC(ctx, more);
        if (j->pair_count) memcpy(more, j->pairs, sizeof *more * j->pair_count);
        j->pairs = more;
        j->pair_cap = cap;
    }
    const wr_state_table *t = j->side[1 - j->from].rows;
    wri_interval_row *rec = (wri_interval_row *)(void *)it->rec;
    j->pairs[j->pair_count++] = (wri_interval_pair){.row = row,
                                                    .len = rec->row.len,
                                                    .bytes = t->ops->blob_get(t, &rec->row),
                                                    .rec = rec,
                                                    .passes = meets,
                                                    .expires = expires};
    return WR_OK;
}

typedef struct reach { /* times of the other side that a row meets */
    int64_t from, to;
} reach;

/* The other side's expired rows of a key: they go, but a late row may still meet them. */
static wr_status
collect_expired(wr_ctx *ctx, wri_interval_op *j, uint32_t i, reach r)
{
    const wri_interval_side *o = &j->side[1 - j->from];
    const uint32_t slot = j->slots[i], before = j->pair_count;
    wr_state_iter it;
    bool any = false;
    for (bool ok = o->rows->ops->ord_seek(o->rows, slot, NULL, 0, &it); ok;
         ok = o->rows->ops->ord_next(&it)) {
        const int64_t t = time_of(it.key);
        if (t > o->expired) break;
        const bool meets = j->plain[i] && t >= r.from && t <= r.to;
        const wri_interval_row *rec = (const wri_interval_row *)(const void *)it.rec;
        any = true;
        if (meets || (o->outer && !rec->matched)) WR_TRY(add_pair(ctx, j, i, &it, o->outer, meets));
    }
    if (!any) return WR_OK;
    j->sweep_slot = slot;
    if (j->pair_count == before) wri_interval_sweep(j);
    return WR_OK;
}

static wr_status
collect_row(wr_ctx *ctx, wri_interval_op *j, uint32_t i)
{
    const wri_interval_side *s = &j->side[j->from];
    wri_interval_side *o = &j->side[1 - j->from];
    const reach r = {wri_time_add(j->times[i], -o->reach), wri_time_add(j->times[i], s->reach)};
    const wri_interval_key *key = key_rec(j, j->slots[i]);
    if (j->times[i] == INT64_MIN || o->expired >= r.to) return WR_OK;
    o->expired = wri_interval_expired(j, 1 - j->from);
    if (o->rows->ops->ord_count(o->rows, j->slots[i]) == 0) return WR_OK;
    if (key->first[1 - j->from] <= o->expired) WR_TRY(collect_expired(ctx, j, i, r));
    const int64_t from = WR_MAX(r.from, wri_time_add(o->expired, 1));
    if (!j->plain[i] || key->last[1 - j->from] < from || key->first[1 - j->from] > r.to)
        return WR_OK;
    uint8_t at[KEY_BYTES];
    wr_state_iter it;
    put_key(at, from, 0);
    for (bool ok = o->rows->ops->ord_seek(o->rows, j->slots[i], at, KEY_BYTES, &it);
         ok && time_of(it.key) <= r.to; ok = o->rows->ops->ord_next(&it))
        WR_TRY(add_pair(ctx, j, i, &it, false, true));
    return WR_OK;
}

wr_status
wri_interval_pairs(wr_ctx *ctx, wri_interval_op *j, uint32_t *end)
{
    j->pair_count = j->pair_cap = 0;
    j->sweep_slot = WR_SLOT_NONE;
    uint32_t i = j->at;
    while (i < j->n && j->pair_count < PAIRS_WANTED && j->sweep_slot == WR_SLOT_NONE) {
        if (!j->never) WR_TRY(collect_row(ctx, j, i));
        i++;
    }
    *end = i;
    return WR_OK;
}

/* ---- forgetting ------------------------------------------------------------------------------ */
/* Remove rows up to `until`; false: one is left, at *next. */
static bool
remove_until(wri_interval_op *j, uint32_t side, uint32_t slot, int64_t until, int64_t *next)
{
    wr_state_table *t = j->side[side].rows;
    wr_state_iter it;
    while (t->ops->ord_seek(t, slot, NULL, 0, &it)) {
        *next = time_of(it.key);
        if (*next > until) return false;
        uint8_t key[KEY_BYTES];
        memcpy(key, it.key, KEY_BYTES);
        t->ops->ord_remove(t, slot, key, KEY_BYTES);
    }
    return true;
}

void
wri_interval_sweep(wri_interval_op *j)
{
    const uint32_t side = 1 - j->from;
    int64_t next = 0;
    if (j->sweep_slot == WR_SLOT_NONE) return;
    j->keys->ops->touch(j->keys, j->sweep_slot);
    if (!remove_until(j, side, j->sweep_slot, j->side[side].expired, &next))
        key_rec(j, j->sweep_slot)->first[side] = next;
    j->sweep_slot = WR_SLOT_NONE;
}

void
wri_interval_drop_empty(wri_interval_op *j, uint32_t slot)
{
    const wri_interval_key *k = key_rec(j, slot);
    if (k->has_timer[0] || k->has_timer[1]) return;
    for (uint32_t s = 0; s < 2; s++)
        if (j->side[s].rows->ops->ord_count(j->side[s].rows, slot) > 0) return;
    j->keys->ops->remove(j->keys, slot);
}

static wr_status
set_timer(wr_ctx *ctx, wri_interval_op *j, uint32_t side, uint32_t slot, int64_t time,
          const wri_timer *key)
{
    wri_interval_key *k = key_rec(j, slot);
    wri_timer t = *key;
    t.time = wri_time_add(wri_time_add(time, j->side[side].reach), wri_time_add(j->slack, 1));
    k->timer[side] = t.time;
    k->has_timer[side] = 1;
    return wri_timers_set(ctx, &j->timers, &t);
}

wr_status
wri_interval_expire(wr_ctx *ctx, wri_interval_op *j, uint32_t side, uint32_t slot,
                    const wri_timer *timer, wri_interval_leaving leaving, bool *stop)
{
    wri_interval_side *s = &j->side[side];
    wr_state_iter it;
    s->expired = wri_interval_expired(j, side);
    j->keys->ops->touch(j->keys, slot);
    while (s->rows->ops->ord_seek(s->rows, slot, NULL, 0, &it)) {
        wri_interval_row *r = (wri_interval_row *)(void *)it.rec;
        uint8_t key[KEY_BYTES];
        const int64_t time = time_of(it.key);
        if (time > s->expired) {
            key_rec(j, slot)->first[side] = time;
            return set_timer(ctx, j, side, slot, time, timer);
        }
        if (s->outer && !r->matched) WR_TRY(leaving(ctx, j, side, r, stop));
        if (*stop) return WR_OK;
        memcpy(key, it.key, KEY_BYTES);
        s->rows->ops->ord_remove(s->rows, slot, key, KEY_BYTES);
    }
    key_rec(j, slot)->has_timer[side] = 0;
    return WR_OK;
}

/* ---- remembering ----------------------------------------------------------------------------- */
static wr_status
remember_row(wr_ctx *ctx, wri_interval_op *j, uint32_t i)
{
    wri_interval_side *s = &j->side[j->from];
    const uint32_t slot = j->slots[i], side = j->from;
    wri_interval_key *k = key_rec(j, slot);
    const bool empty = s->rows->ops->ord_count(s->rows, slot) == 0;
    const int64_t t = j->times[i];
    uint8_t key[KEY_BYTES], *rec;
    k->first[side] = empty ? t : WR_MIN(k->first[side], t);
    k->last[side] = empty ? t : WR_MAX(k->last[side], t);
    put_key(key, t, k->arrivals++);
    WR_TRY(s->rows->ops->ord_put(ctx, s->rows, slot, key, KEY_BYTES, &rec, NULL));
    wri_interval_row *r = (wri_interval_row *)(void *)rec;
    r->matched = j->matched[i];
    WR_TRY(s->rows->ops->blob_set(ctx, s->rows, &r->row, j->rows.data + j->rows.off[i],
                                  j->rows.off[i + 1] - j->rows.off[i]));
    if (k->has_timer[side]) return WR_OK;
    wri_timer timer = {.hash = j->row_keys.hash[i]};
    timer.key = wri_key_at(&j->row_keys, i, &timer.key_len);
    return set_timer(ctx, j, side, slot, t, &timer);
}

/* Keys that were made for rows that are not remembered go. */
static wr_status
drop_unused(wr_ctx *ctx, wri_interval_op *j)
{
    uint32_t *list = WR_NEW_N(j->scratch, uint32_t, j->n + 1), count = 0;
    WR_TRY_ALLOC(ctx, list);
    j->serial++;
    for (uint32_t i = 0; i < j->n; i++) {
        wri_interval_key *k = key_rec(j, j->slots[i]);
        if (j->kept[i] || k->listed == j->serial) continue;
        k->listed = j->serial;
        list[count++] = j->slots[i];
    }
    for (uint32_t i = 0; i < count; i++) wri_interval_drop_empty(j, list[i]);
    return WR_OK;
}

wr_status
wri_interval_remember(wr_ctx *ctx, wri_interval_op *j)
{
    bool some_late = false;
    if (j->never) return WR_OK;
    for (uint32_t i = 0; i < j->n; i++) {
        if (j->kept[i]) WR_TRY(remember_row(ctx, j, i));
        some_late |= !j->kept[i];
    }
    return some_late ? drop_unused(ctx, j) : WR_OK;
}
