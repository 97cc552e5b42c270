/* SPDX-License-Identifier: Apache-2.0 */
/* The order of several matches of one row. Flink keeps a side's records of a join key in a hash map
 * and shows matches in the map's order, which users see in every changelog; so it is reproduced: by
 * bucket, then by arrival. The bucket comes from the hash of the record's key (its unique key, or
 * the whole row) in Flink's binary row layout and from the size that the map has grown to. Records
 * learn their hash when they first meet company; beyond ORDER_MAX matches arrival alone decides. */
#include "op/join_int.h"

#define ORDER_MAX 256u

/* ---- the hash: 32-bit Murmur3 over the binary row, word by word ------------------------------ */
static uint32_t
rotate(uint32_t x, uint32_t by)
{
    return x << by | x >> (32 - by);
}

static uint32_t
hash_words(const uint8_t *p, uint32_t bytes)
{
    uint32_t h = 42;
    for (uint32_t i = 0; i < bytes; i += 4) {
        const uint32_t k = rotate(wr_load32(p + i) * 0xcc9e2d51u, 15) * 0x1b873593u;
        h = rotate(h ^ k, 13) * 5 + 0xe6546b64u;
    }
    h ^= bytes;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

/* ---- the binary row: null bits (after 8 bits for the kind), 8 bytes a field, variable part --- */
typedef struct binary_row {
    uint8_t *p;
    uint32_t head, tail; /* bytes of the null bits; end of the variable part so far */
} binary_row;

static uint32_t
var_bytes(const wr_vec *v, uint32_t row)
{
    const uint32_t at = wr_vec_index(v, row);
    if (v->phys == WR_PHYS_I128) return 16; /* also when NULL */
    if (v->phys == WR_PHYS_TS) return 8;
    if (v->phys != WR_PHYS_STR || wr_vec_is_null(v, row)) return 0;
    const uint32_t len = ((const wr_strv *)v->data)[at].len;
    return len > 7 ? (len + 7) / 8 * 8 : 0;
}

static void
put_place(binary_row *b, uint32_t field, uint32_t size, uint32_t room)
{
    wr_store64(b->p + b->head + 8 * (size_t)field, (uint64_t)b->tail << 32 | size);
    b->tail += room;
}

static void
put_string(binary_row *b, uint32_t field, const wr_strv *s)
{
    if (s->len <= 7) {
        uint8_t *slot = b->p + b->head + 8 * (size_t)field;
        memcpy(slot, wr_strv_ptr(s), s->len);
        slot[7] = (uint8_t)(s->len | 0x80);
        return;
    }
    memcpy(b->p + b->tail, wr_strv_ptr(s), s->len);
    put_place(b, field, s->len, (s->len + 7) / 8 * 8);
}

/* The unscaled value as a big-endian two's complement number in the fewest bytes. */
static void
put_decimal(binary_row *b, uint32_t field, wr_i128 x)
{
    uint8_t be[16];
    for (uint32_t i = 0; i < 16; i++) be[15 - i] = (uint8_t)((wr_u128)x >> (8 * i));
    uint32_t skip = 0;
    while (skip < 15 &&
           ((be[skip] == 0 && be[skip + 1] < 0x80) || (be[skip] == 0xff && be[skip + 1] >= 0x80)))
        skip++;
    memcpy(b->p + b->tail, be + skip, 16 - skip);
    put_place(b, field, 16 - skip, 16);
}

static void
put_field(binary_row *b, uint32_t field, const wr_vec *v, uint32_t row)
{
    const uint32_t at = wr_vec_index(v, row), width = wr_phys_bytes((wr_phys)v->phys);
    if (wr_vec_is_null(v, row)) {
        b->p[(field + 8) / 8] |= (uint8_t)(1u << ((field + 8) % 8));
        b->tail += var_bytes(v, row);
    } else if (v->phys == WR_PHYS_STR) {
        put_string(b, field, (const wr_strv *)v->data + at);
    } else if (v->phys == WR_PHYS_I128) {
        put_decimal(b, field, ((const wr_i128 *)v->data)[at]);
    } else if (v->phys == WR_PHYS_TS) {
        const wr_ts t = ((const wr_ts *)v->data)[at];
        wr_store64(b->p + b->tail, (uint64_t)t.ms);
        put_place(b, field, (uint32_t)t.nano, 8);
    } else {
        memcpy(b->p + b->head + 8 * (size_t)field, (const uint8_t *)v->data + (size_t)at * width,
               width);
    }
}

/* False: out of memory. */
static bool
hash_row(const wr_vec *vecs, const uint32_t *cols, uint32_t n, uint32_t row, wr_arena *scratch,
         uint32_t *out)
{
    binary_row b = {.head = (n + 63 + 8) / 64 * 8};
    uint32_t bytes = b.head + 8 * n;
    b.tail = bytes;
    for (uint32_t i = 0; i < n; i++) bytes += var_bytes(&vecs[cols[i]], row);
    const wr_arena_mark mark = wr_arena_get_mark(scratch);
    b.p = wr_arena_zalloc(scratch, bytes);
    if (!b.p) return false;
    for (uint32_t i = 0; i < n; i++) put_field(&b, i, &vecs[cols[i]], row);
    *out = hash_words(b.p, bytes);
    *out ^= *out >> 16; /* as the hash map spreads it */
    wr_arena_pop(scratch, mark);
    return true;
}

/* ---- sizes ----------------------------------------------------------------------------------- */
bool
wri_join_can_order(const wri_join_side *s)
{
    for (uint32_t c = 0; c < s->schema->count; c++) {
        const wr_type *t = s->schema->fields[c].type;
        if (t->field_count > 0 || t->phys == WR_PHYS_NONE || t->id == WR_T_RAW ||
            t->id == WR_T_VARIANT || t->id == WR_T_BITMAP)
            return false;
    }
    return true;
}

void
wri_join_count(wri_join_key *k, uint32_t side, bool gone)
{
    if (gone) {
        if (k->size[side] > 0 && --k->size[side] == 0) k->table[side] = 0;
        return;
    }
    if (k->table[side] == 0) k->table[side] = 4;
    k->size[side]++;
    if (k->size[side] > (3u << k->table[side]) / 4 && k->table[side] < 30) k->table[side]++;
}

/* ---- ordering -------------------------------------------------------------------------------- */
/* Hashes of the records of pairs list[0..n), decoded together. */
static wr_status
learn(wr_ctx *ctx, wri_join_op *j, const wri_join_side *s, const uint32_t *list, uint32_t n)
{
    wr_batch *b = wr_batch_acquire(j->op.env->pool, s->schema->count);
    WR_TRY_ALLOC(ctx, b);
    wr_status status = wr_batch_init_flat(b, s->schema, n) ? WR_OK : WRI_NOMEM(ctx);
    const uint32_t *cols = s->has_unique ? s->unique.cols : s->all_cols;
    const uint32_t count = s->has_unique ? s->unique.count : s->schema->count;
    for (uint32_t i = 0; i < n && status == WR_OK; i++) {
        const wri_join_pair *p = &j->pairs[list[i]];
        status = wr_row_decode(ctx, p->bytes, p->len, b->cols, b->col_count, i, false, b->arena);
        if (status != WR_OK) break;
        if (!hash_row(b->cols, cols, count, i, j->range, &p->rec->order)) status = WRI_NOMEM(ctx);
        p->rec->has_order = 1;
    }
    wr_batch_release(b);
    return status;
}

/* Pairs from..to of one row: stable insertion sort by bucket. */
static void
sort_pairs(wri_join_op *j, uint32_t from, uint32_t to)
{
    const uint32_t slot = j->slots[j->pairs[from].row];
    const wri_join_key *k = (const wri_join_key *)(const void *)wr_state_rec(j->keys, slot);
    const uint32_t mask = (1u << WR_MAX(k->table[1 - j->from], 4)) - 1;
    for (uint32_t i = from + 1; i < to; i++) {
        const wri_join_pair p = j->pairs[i];
        uint32_t at = i;
        for (; at > from && (j->pairs[at - 1].rec->order & mask) > (p.rec->order & mask); at--)
            j->pairs[at] = j->pairs[at - 1];
        j->pairs[at] = p;
    }
}

/* End of the pairs that belong to the row of pair `from`. */
static uint32_t
group_end(const wri_join_op *j, uint32_t from)
{
    uint32_t to = from + 1;
    while (to < j->pair_count && j->pairs[to].row == j->pairs[from].row) to++;
    return to;
}

wr_status
wri_join_order(wr_ctx *ctx, wri_join_op *j)
{
    const wri_join_side *s = &j->side[1 - j->from];
    uint32_t *list = wr_arena_alloc(j->range, sizeof *list * (j->pair_count + 1)), n = 0;
    WR_TRY_ALLOC(ctx, list);
    for (uint32_t from = 0, to; from < j->pair_count; from = to) {
        to = group_end(j, from);
        if (to - from < 2 || to - from > ORDER_MAX) continue;
        for (uint32_t i = from; i < to; i++)
            if (!j->pairs[i].rec->has_order) list[n++] = i;
    }
    for (uint32_t at = 0; at < n; at += WR_BATCH_ROWS)
        WR_TRY(learn(ctx, j, s, list + at, WR_MIN(n - at, WR_BATCH_ROWS)));
    for (uint32_t from = 0, to; from < j->pair_count; from = to) {
        to = group_end(j, from);
        if (to - from >= 2 && to - from <= ORDER_MAX) sort_pairs(j, from, to);
    }
    return WR_OK;
}
