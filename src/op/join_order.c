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

/* ---- the binary form: null bits, a slot per value, then the variable part ---------------------
 * row:   8 bits for the kind and a bit per field, in words of 8 bytes; slots of 8 bytes array: the
 * count in 4 bytes, a bit per element in words of 4; slots as wide as the type map:   the size of
 * the key array in 4 bytes, the two arrays What has no fixed size lies in the variable part; its
 * slot says where and how long. */
typedef struct part { /* a row or an array being written */
    uint8_t *p;
    uint32_t nulls, slots; /* bit of value 0; byte of its slot */
    uint32_t width, tail;  /* bytes of a slot; end of the variable part so far */
} part;

static uint32_t
in_words(uint32_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

static uint32_t value_size(const wr_vec *v, uint32_t at);

/* Bytes that entry `row` takes in the variable part. A NULL of a row's own fields (`top`) keeps its
 * room there, inside nested values it takes none. */
static uint32_t
var_bytes(const wr_vec *v, uint32_t row, bool top)
{
    const bool null = wr_vec_is_null(v, row);
    if (null && !top) return 0;
    if (v->phys == WR_PHYS_I128) return 16;
    if (v->phys == WR_PHYS_TS) return 8;
    if (null) return 0;
    const uint32_t at = wr_vec_index(v, row);
    if (v->phys == WR_PHYS_STR) {
        const uint32_t len = ((const wr_strv *)v->data)[at].len;
        return len > 7 ? in_words(len) : 0;
    }
    const bool nested = v->phys == WR_PHYS_ROW || v->phys == WR_PHYS_LIST || v->phys == WR_PHYS_MAP;
    return nested ? in_words(value_size(v, at)) : 0;
}

static uint32_t
slot_width(const wr_vec *elements)
{
    switch ((int)elements->phys) {
    case WR_PHYS_BOOL:
    case WR_PHYS_I8:
    case WR_PHYS_I16:
    case WR_PHYS_I32:
    case WR_PHYS_F32:
        return wr_phys_bytes((wr_phys)elements->phys);
    default:
        return 8;
    }
}

static uint32_t
row_head(uint32_t fields)
{
    return (fields + 63 + 8) / 64 * 8;
}

static uint32_t
array_head(uint32_t count)
{
    return 4 + (count + 31) / 32 * 4;
}

static uint32_t
array_size(const wr_vec *elements, wr_list list)
{
    uint32_t bytes = in_words(array_head(list.len) + slot_width(elements) * list.len);
    for (uint32_t i = 0; i < list.len; i++) bytes += var_bytes(elements, list.off + i, false);
    return bytes;
}

/* Bytes of entry `at` (an index) of a row, list or map vector. */
static uint32_t
value_size(const wr_vec *v, uint32_t at)
{
    if (v->phys == WR_PHYS_ROW) {
        uint32_t bytes = row_head(v->child_count) + 8 * v->child_count;
        for (uint32_t i = 0; i < v->child_count; i++) bytes += var_bytes(&v->child[i], at, false);
        return bytes;
    }
    const wr_list list = ((const wr_list *)v->data)[at];
    if (v->phys == WR_PHYS_LIST) return array_size(&v->child[0], list);
    return 4 + array_size(&v->child[0], list) + array_size(&v->child[1], list);
}

static void
put_place(part *b, uint32_t i, uint32_t size, uint32_t room)
{
    wr_store64(b->p + b->slots + (size_t)b->width * i, (uint64_t)b->tail << 32 | size);
    b->tail += room;
}

static void
put_string(part *b, uint32_t i, const wr_strv *s)
{
    if (s->len <= 7) {
        uint8_t *slot = b->p + b->slots + (size_t)b->width * i;
        memcpy(slot, wr_strv_ptr(s), s->len);
        slot[7] = (uint8_t)(s->len | 0x80);
        return;
    }
    memcpy(b->p + b->tail, wr_strv_ptr(s), s->len);
    put_place(b, i, s->len, in_words(s->len));
}

/* The unscaled value as a big-endian two's complement number in the fewest bytes. */
static void
put_decimal(part *b, uint32_t i, wr_i128 x)
{
    uint8_t be[16];
    for (uint32_t k = 0; k < 16; k++) be[15 - k] = (uint8_t)((wr_u128)x >> (8 * k));
    uint32_t skip = 0;
    while (skip < 15 &&
           ((be[skip] == 0 && be[skip + 1] < 0x80) || (be[skip] == 0xff && be[skip + 1] >= 0x80)))
        skip++;
    memcpy(b->p + b->tail, be + skip, 16 - skip);
    put_place(b, i, 16 - skip, 16);
}

static void put_nested(uint8_t *p, const wr_vec *v, uint32_t at);

static void
put_value(part *b, uint32_t i, const wr_vec *v, uint32_t row, bool top)
{
    const uint32_t at = wr_vec_index(v, row);
    if (wr_vec_is_null(v, row)) {
        b->p[(b->nulls + i) / 8] |= (uint8_t)(1u << ((b->nulls + i) % 8));
        b->tail += var_bytes(v, row, top);
        return;
    }
    switch ((int)v->phys) {
    case WR_PHYS_STR:
        put_string(b, i, (const wr_strv *)v->data + at);
        break;
    case WR_PHYS_I128:
        put_decimal(b, i, ((const wr_i128 *)v->data)[at]);
        break;
    case WR_PHYS_TS: {
        const wr_ts t = ((const wr_ts *)v->data)[at];
        wr_store64(b->p + b->tail, (uint64_t)t.ms);
        put_place(b, i, (uint32_t)t.nano, 8);
        break;
    }
    case WR_PHYS_ROW:
    case WR_PHYS_LIST:
    case WR_PHYS_MAP: {
        const uint32_t size = value_size(v, at);
        put_nested(b->p + b->tail, v, at);
        put_place(b, i, size, in_words(size));
        break;
    }
    default: {
        const uint32_t width = wr_phys_bytes((wr_phys)v->phys);
        memcpy(b->p + b->slots + (size_t)b->width * i,
               (const uint8_t *)v->data + (size_t)at * width, width);
    }
    }
}

static uint32_t
put_array(uint8_t *p, const wr_vec *elements, wr_list list)
{
    part b = {p, 32, array_head(list.len), slot_width(elements), 0};
    b.tail = in_words(b.slots + b.width * list.len);
    wr_store32(p, list.len);
    for (uint32_t i = 0; i < list.len; i++) put_value(&b, i, elements, list.off + i, false);
    return b.tail;
}

/* Depth: that of the type. */
static void
put_nested(uint8_t *p, const wr_vec *v, uint32_t at)
{
    if (v->phys == WR_PHYS_ROW) {
        part b = {p, 8, row_head(v->child_count), 8, 0};
        b.tail = b.slots + 8 * v->child_count;
        for (uint32_t i = 0; i < v->child_count; i++) put_value(&b, i, &v->child[i], at, false);
        return;
    }
    const wr_list list = ((const wr_list *)v->data)[at];
    if (v->phys == WR_PHYS_LIST) {
        put_array(p, &v->child[0], list);
        return;
    }
    const uint32_t keys = put_array(p + 4, &v->child[0], list);
    wr_store32(p, keys);
    put_array(p + 4 + keys, &v->child[1], list);
}

/* Row `row` of the columns as a row of its own. */
static uint32_t
row_bytes(const wr_vec *vecs, const uint32_t *cols, uint32_t n, uint32_t row)
{
    uint32_t bytes = row_head(n) + 8 * n;
    for (uint32_t i = 0; i < n; i++) bytes += var_bytes(&vecs[cols[i]], row, true);
    return bytes;
}

static void
put_row(uint8_t *p, const wr_vec *vecs, const uint32_t *cols, uint32_t n, uint32_t row)
{
    part b = {p, 8, row_head(n), 8, row_head(n) + 8 * n};
    for (uint32_t i = 0; i < n; i++) put_value(&b, i, &vecs[cols[i]], row, true);
}

/* False: out of memory. */
static bool
hash_record(const wri_join_side *s, const wr_vec *vecs, uint32_t row, wr_arena *scratch,
            uint32_t *out)
{
    const uint32_t *cols = s->has_unique ? s->unique.cols : s->all_cols;
    const uint32_t n = s->has_unique ? s->unique.count : s->schema->count;
    const uint32_t own = row_bytes(vecs, cols, n, row);
    const uint32_t head = s->nested ? row_head(2) + 16 : 0;
    const uint32_t key = s->nested ? row_bytes(vecs, s->order_key, s->order_key_count, row) : 0;
    const uint32_t bytes = head + key + own;
    const wr_arena_mark mark = wr_arena_get_mark(scratch);
    uint8_t *p = wr_arena_zalloc(scratch, bytes);
    if (!p) return false;
    if (s->nested) {
        wr_store64(p + row_head(2), (uint64_t)head << 32 | key);
        wr_store64(p + row_head(2) + 8, (uint64_t)(head + key) << 32 | own);
        put_row(p + head, vecs, s->order_key, s->order_key_count, row);
    }
    put_row(p + head + key, vecs, cols, n, row);
    *out = hash_words(p, bytes);
    *out ^= *out >> 16; /* as the hash map spreads it */
    wr_arena_pop(scratch, mark);
    return true;
}

/* ---- sizes ----------------------------------------------------------------------------------- */
static bool
has_binary_form(const wr_type *t)
{
    if (t->phys == WR_PHYS_NONE || t->id == WR_T_RAW || t->id == WR_T_VARIANT ||
        t->id == WR_T_BITMAP)
        return false;
    for (uint32_t i = 0; i < t->field_count; i++)
        if (!has_binary_form(t->fields[i].type)) return false;
    return true;
}

bool
wri_join_can_order(const wri_join_side *s)
{
    for (uint32_t c = 0; c < s->schema->count; c++)
        if (!has_binary_form(s->schema->fields[c].type)) return false;
    return true;
}

void
wri_join_count(uint8_t *table, uint32_t *size, bool gone)
{
    if (gone) {
        if (*size > 0 && --*size == 0) *table = 0;
        return;
    }
    if (*table == 0) *table = 4;
    ++*size;
    if (*size > (3u << *table) / 4 && *table < 30) ++*table;
}

/* ---- ordering -------------------------------------------------------------------------------- */
/* Hashes of the records of pairs list[0..n), decoded together. Records keep theirs, unless keeping
 * would count as a write and put off their end. */
static wr_status
learn(wr_ctx *ctx, const wri_join_lists *l, const uint32_t *list, uint32_t n)
{
    const wri_join_side *s = l->side;
    wr_batch *b = wr_batch_acquire(l->op->env->pool, s->schema->count);
    WR_TRY_ALLOC(ctx, b);
    wr_status status = wr_batch_init_flat(b, s->schema, n) ? WR_OK : WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n && status == WR_OK; i++) {
        wri_join_pair *p = &l->pairs[list[i]];
        status = wr_row_decode(ctx, p->bytes, p->len, b->cols, b->col_count, i, false, b->arena);
        if (status != WR_OK) break;
        if (!hash_record(s, b->cols, i, l->arena, &p->order)) status = WRI_NOMEM(ctx);
        if (!l->keeps) continue;
        s->rows->ops->rec_touch(s->rows, (uint8_t *)p->rec);
        p->rec->order = p->order;
        p->rec->has_order = 1;
    }
    wr_batch_release(b);
    return status;
}

/* Does pair p come behind q in a map whose buckets `mask` numbers? */
static bool
is_behind(const wri_join_pair *p, const wri_join_pair *q, uint32_t mask)
{
    const uint32_t a = p->order & mask, b = q->order & mask;
    return a != b ? a > b : p->seq > q->seq;
}

/* Pairs from..to of one row: stable insertion sort by bucket. */
static void
sort_pairs(const wri_join_lists *l, uint32_t from, uint32_t to)
{
    wri_join_pair *pairs = l->pairs;
    const uint8_t table = wr_state_rec(l->keys, l->slots[pairs[from].row])[l->table_at];
    const uint32_t mask = (1u << WR_MAX(table, 4)) - 1;
    for (uint32_t i = from + 1; i < to; i++) {
        const wri_join_pair p = pairs[i];
        uint32_t at = i;
        for (; at > from && is_behind(&pairs[at - 1], &p, mask); at--) pairs[at] = pairs[at - 1];
        pairs[at] = p;
    }
}

/* End of the pairs that belong to the row of pair `from`. */
static uint32_t
group_end(const wri_join_lists *l, uint32_t from)
{
    uint32_t to = from + 1;
    while (to < l->count && l->pairs[to].row == l->pairs[from].row) to++;
    return to;
}

wr_status
wri_join_order(wr_ctx *ctx, const wri_join_lists *l)
{
    uint32_t *list = wr_arena_alloc(l->arena, sizeof *list * (l->count + 1)), n = 0;
    WR_TRY_ALLOC(ctx, list);
    for (uint32_t from = 0, to; from < l->count; from = to) {
        to = group_end(l, from);
        if (to - from < 2 || to - from > ORDER_MAX) continue;
        for (uint32_t i = from; i < to; i++)
            if (!l->pairs[i].rec->has_order) list[n++] = i;
    }
    for (uint32_t at = 0; at < n; at += WR_BATCH_ROWS)
        WR_TRY(learn(ctx, l, list + at, WR_MIN(n - at, WR_BATCH_ROWS)));
    for (uint32_t from = 0, to; from < l->count; from = to) {
        to = group_end(l, from);
        if (to - from >= 2 && to - from <= ORDER_MAX) sort_pairs(l, from, to);
    }
    return WR_OK;
}
