/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that wait for their time, as state:
 *
 *   value table "waiting key groups"  key: the group's number (4 bytes, little endian), its hash
 * the lowest one of the group; record: the next number of arrival ordered table "waiting rows" key:
 * time (8 bytes, big endian, sign flipped), length of the partition's key (4, big endian), key,
 * number of arrival (8, big endian); record: the row
 *
 * So rows move with their key group, and those of one key and time lie together, in order of
 * arrival. Thread: the task's. */
#include "op/over_int.h"

#define HEAD_BYTES 12u
#define SEQ_BYTES  8u

typedef struct waiting { /* record of a row */
    wr_blob row;
} waiting;

static int64_t
time_of(const uint8_t *key)
{
    return (int64_t)(__builtin_bswap64(wr_load64(key)) ^ (uint64_t)1 << 63);
}

static wr_status
find_slot(wr_ctx *ctx, wri_wait *w, uint32_t group, wr_intent intent)
{
    const uint32_t kg = w->kg_first + group, off[2] = {0, 4};
    const uint64_t max = w->op->env->max_parallelism;
    const uint64_t hash = (((uint64_t)kg << 32) + max - 1) / max << 32;
    uint8_t key[4];
    wr_store32(key, kg);
    const wr_keys one = {.n = 1, .hash = &hash, .data = key, .off = off};
    return w->groups_table->ops->resolve(ctx, w->groups_table, &one, intent, &w->groups[group].slot,
                                         NULL);
}

/* ---- the heap of key groups ------------------------------------------------------------------ */
static bool
earlier(const wri_wait *w, uint32_t a, uint32_t b)
{
    const int64_t x = w->groups[a].first, y = w->groups[b].first;
    return x != y ? x < y : a < b;
}

static void
put_at(wri_wait *w, uint32_t place, uint32_t group)
{
    w->heap[place] = group;
    w->groups[group].place = place + 1;
}

static void
rise(wri_wait *w, uint32_t place)
{
    const uint32_t group = w->heap[place];
    for (; place > 0 && earlier(w, group, w->heap[(place - 1) / 2]); place = (place - 1) / 2)
        put_at(w, place, w->heap[(place - 1) / 2]);
    put_at(w, place, group);
}

static void
sink_down(wri_wait *w, uint32_t place)
{
    const uint32_t group = w->heap[place];
    for (uint32_t child; (child = 2 * place + 1) < w->heap_count; place = child) {
        if (child + 1 < w->heap_count && earlier(w, w->heap[child + 1], w->heap[child])) child++;
        if (!earlier(w, w->heap[child], group)) break;
        put_at(w, place, w->heap[child]);
    }
    put_at(w, place, group);
}

/* The group's first row may be another: it finds its place anew. */
static void
look_again(wri_wait *w, uint32_t group)
{
    wri_wait_group *g = &w->groups[group];
    wr_state_iter it;
    if (!w->rows->ops->ord_seek(w->rows, g->slot, NULL, 0, &it)) {
        if (!g->place) return;
        const uint32_t place = g->place - 1, last = w->heap[--w->heap_count];
        g->place = 0;
        if (last == group) return;
        put_at(w, place, last);
        rise(w, place);
        sink_down(w, w->groups[last].place - 1);
        return;
    }
    g->first = time_of(it.key);
    if (!g->place) put_at(w, w->heap_count++, group);
    rise(w, g->place - 1);
    sink_down(w, g->place - 1);
}

/* ---- life ------------------------------------------------------------------------------------ */
static wr_status
open_tables(wr_ctx *ctx, wr_op *op, wri_wait *w)
{
    static const wr_state_part seq[] = {{.name = "next number", .bytes = 8}};
    wr_state_part row[] = {WRI_PART(waiting, row, WR_PART_ROW)};
    WR_TRY(wri_row_schema(ctx, op, op->node->inputs[0], &row[0].schema));
    wr_state_desc desc = {
        .shape = WR_STATE_VALUE, .record_bytes = 8, .held = true, .parts = seq, .part_count = 1};
    WR_TRY(wri_table_open(ctx, op, "waiting key groups", &desc, &w->groups_table));
    desc = (wr_state_desc){.shape = WR_STATE_ORDERED,
                           .record_bytes = sizeof(waiting),
                           .parent = w->groups_table,
                           .part_count = 1};
    desc.parts = wri_parts_copy(op, row, 1);
    WR_TRY_ALLOC(ctx, desc.parts);
    return wri_table_open(ctx, op, "waiting rows", &desc, &w->rows);
}

wr_status
wri_wait_open(wr_ctx *ctx, wr_op *op, wri_wait *out)
{
    const uint32_t max = op->env->max_parallelism, p = op->env->parallelism;
    const uint32_t first = (op->env->subtask * max + p - 1) / p;
    *out = (wri_wait){.op = op, .kg_first = first};
    out->kg_count = ((op->env->subtask + 1) * max + p - 1) / p - first;
    out->width = op->node->inputs[0]->schema.count;
    out->scratch = wr_arena_create(op->env->budget, 0);
    out->groups = WR_NEW_N(op->env->arena, wri_wait_group, out->kg_count + 1);
    out->heap = WR_NEW_N(op->env->arena, uint32_t, out->kg_count + 1);
    out->all_cols = wri_iota(op->env->arena, out->width);
    WR_TRY_ALLOC(ctx, out->heap);
    WR_TRY_ALLOC(ctx, out->scratch);
    WR_TRY_ALLOC(ctx, out->groups);
    WR_TRY_ALLOC(ctx, out->all_cols);
    for (uint32_t i = 0; i < out->kg_count; i++) out->groups[i].slot = WR_SLOT_NONE;
    return open_tables(ctx, op, out);
}

void
wri_wait_close(wri_wait *w)
{
    wr_arena_destroy(w->scratch);
    w->scratch = NULL;
}

wr_status
wri_wait_restore(wr_ctx *ctx, wri_wait *w)
{
    for (uint32_t i = 0; i < w->kg_count; i++) {
        WR_TRY(find_slot(ctx, w, i, WR_STATE_READ));
        if (w->groups[i].slot != WR_SLOT_NONE) look_again(w, i);
    }
    return WR_OK;
}

/* ---- in -------------------------------------------------------------------------------------- */
static wr_status
put_row(wr_ctx *ctx, wri_wait *w, const wr_keys *keys, const wr_bytes *rows, uint32_t i,
        int64_t time)
{
    const wr_state_ops *ops = w->rows->ops;
    const uint32_t kg = wr_key_group(keys->hash[i], w->op->env->max_parallelism) - w->kg_first;
    WR_ASSERT(kg < w->kg_count);
    wri_wait_group *g = &w->groups[kg];
    uint32_t key_len;
    const uint8_t *key = wri_key_at(keys, i, &key_len);
    if (g->slot == WR_SLOT_NONE) WR_TRY(find_slot(ctx, w, kg, WR_STATE_UPSERT));
    uint64_t *seq = (uint64_t *)(void *)wr_state_rec(w->groups_table, g->slot);
    const uint32_t len = HEAD_BYTES + key_len + SEQ_BYTES;
    uint8_t *p = wr_arena_alloc(w->scratch, len), *rec;
    WR_TRY_ALLOC(ctx, p);
    wr_store64(p, __builtin_bswap64((uint64_t)time ^ (uint64_t)1 << 63));
    wr_store32(p + 8, __builtin_bswap32(key_len));
    if (key_len) memcpy(p + HEAD_BYTES, key, key_len);
    w->groups_table->ops->touch(w->groups_table, g->slot);
    wr_store64(p + HEAD_BYTES + key_len, __builtin_bswap64((*seq)++));
    WR_TRY(ops->ord_put(ctx, w->rows, g->slot, p, len, &rec, NULL));
    WR_TRY(ops->blob_set(ctx, w->rows, &((waiting *)(void *)rec)->row, rows->data + rows->off[i],
                         rows->off[i + 1] - rows->off[i]));
    if (!g->place || time < g->first) look_again(w, kg);
    return WR_OK;
}

wr_status
wri_wait_put(wr_ctx *ctx, wri_wait *w, const wr_batch *in, const wr_keys *keys,
             const int64_t *times, const bool *keep)
{
    wr_bytes rows;
    wr_arena_reset(w->scratch);
    if (!wr_row_encode(in, w->all_cols, w->width, w->scratch, &rows)) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < in->row_count; i++)
        if (keep[i]) WR_TRY(put_row(ctx, w, keys, &rows, i, times[i]));
    return WR_OK;
}

/* ---- out ------------------------------------------------------------------------------------- */
/* Rows at the front of a group that are to come: up to `limit`, whole runs, `want` or more. */
static uint32_t
count_due(wri_wait *w, const wri_wait_group *g, int64_t limit, uint32_t want, wr_arena *arena)
{
    const wr_state_ops *ops = w->rows->ops;
    wr_state_iter it;
    uint32_t n = 0, run_len = 0;
    uint8_t *run = NULL;
    for (bool on = ops->ord_seek(w->rows, g->slot, NULL, 0, &it); on; on = ops->ord_next(&it)) {
        if (time_of(it.key) > limit) break;
        const uint32_t head = it.key_len - SEQ_BYTES;
        if (n >= want && (head != run_len || memcmp(run, it.key, head) != 0)) break;
        if (++n == want) { /* from here on only what belongs to this row */
            run = wr_arena_alloc(arena, head);
            if (!run) return UINT32_MAX;
            memcpy(run, it.key, head);
            run_len = head;
        }
    }
    return n;
}

typedef struct taken { /* rows being decoded */
    wr_batch *out;
    wr_arena *arena;
    uint32_t n, cap;
    int64_t *times;
    uint32_t *last;
    uint8_t **keys;
    uint32_t *lens;
} taken;

static wr_status
make_room(wr_ctx *ctx, const wri_wait *w, taken *t, uint32_t more)
{
    const wr_schema *s = &w->op->node->inputs[0]->schema;
    if (t->n + more <= t->cap) return WR_OK;
    const uint32_t cap = WR_MAX(t->n + more, 2 * t->cap);
    const taken old = *t;
    t->times = wr_arena_alloc(t->arena, sizeof *t->times * (cap + 1));
    t->last = wr_arena_alloc(t->arena, sizeof *t->last * (cap + 1));
    t->keys = wr_arena_alloc(t->arena, sizeof *t->keys * (cap + 1));
    t->lens = wr_arena_alloc(t->arena, sizeof *t->lens * (cap + 1));
    if (!t->times || !t->last || !t->keys || !t->lens) return WRI_NOMEM(ctx);
    if (t->n) {
        memcpy(t->times, old.times, sizeof *t->times * t->n);
        memcpy(t->last, old.last, sizeof *t->last * t->n);
    }
    for (uint32_t c = 0; c < w->width; c++) {
        wr_vec *v = &t->out->cols[c], was = *v;
        if (!wr_vec_init_flat(v, s->fields[c].type, cap, t->out->arena)) return WRI_NOMEM(ctx);
        if (t->n && !wri_vec_copy_rows(v, 0, 1, &was, NULL, t->n, t->out->arena))
            return WRI_NOMEM(ctx);
    }
    t->cap = cap;
    return WR_OK;
}

/* The first n rows of a group behind those that were taken. */
static wr_status
take_rows(wr_ctx *ctx, wri_wait *w, const wri_wait_group *g, uint32_t n, taken *t)
{
    const wr_state_ops *ops = w->rows->ops;
    const uint32_t first = t->n, end = t->n + n;
    wr_state_iter it;
    bool on = ops->ord_seek(w->rows, g->slot, NULL, 0, &it);
    for (; t->n < end; t->n++, on = ops->ord_next(&it)) {
        WR_ASSERT(on && it.key_len >= HEAD_BYTES + SEQ_BYTES);
        const waiting *r = (const waiting *)(const void *)it.rec;
        const uint32_t i = t->n;
        t->keys[i] = wr_arena_alloc(t->arena, it.key_len);
        WR_TRY_ALLOC(ctx, t->keys[i]);
        memcpy(t->keys[i], it.key, it.key_len);
        t->lens[i] = it.key_len;
        t->times[i] = time_of(it.key);
        WR_TRY(wr_row_decode(ctx, ops->blob_get(w->rows, &r->row), r->row.len, t->out->cols,
                             w->width, i, true, t->out->arena));
    }
    for (uint32_t i = end; i-- > first;) {
        const bool same = i + 1 < end && t->lens[i + 1] == t->lens[i] &&
                          memcmp(t->keys[i], t->keys[i + 1], t->lens[i] - SEQ_BYTES) == 0;
        t->last[i] = same ? t->last[i + 1] : i;
    }
    for (uint32_t i = first; i < end; i++)
        ops->ord_remove(w->rows, g->slot, t->keys[i], t->lens[i]);
    return WR_OK;
}

/* Time of the group that is next behind the first one. */
static int64_t
second_first(const wri_wait *w)
{
    int64_t t = INT64_MAX;
    for (uint32_t i = 1; i < 3 && i < w->heap_count; i++)
        t = WR_MIN(t, w->groups[w->heap[i]].first);
    return t;
}

wr_status
wri_wait_take(wr_ctx *ctx, wri_wait *w, int64_t limit, uint32_t want, wr_batch *out,
              wr_arena *arena, int64_t **times, uint32_t **last, uint32_t *count)
{
    taken t = {.out = out, .arena = arena};
    *count = 0;
    while (t.n < want && w->heap_count && wri_wait_first(w) <= limit) {
        const uint32_t group = w->heap[0];
        const int64_t until = WR_MIN(limit, second_first(w));
        const uint32_t n = count_due(w, &w->groups[group], until, want - t.n, arena);
        if (n == UINT32_MAX) return WRI_NOMEM(ctx);
        WR_ASSERT(n > 0);
        WR_TRY(make_room(ctx, w, &t, n));
        WR_TRY(take_rows(ctx, w, &w->groups[group], n, &t));
        look_again(w, group);
    }
    *times = t.times;
    *last = t.last;
    *count = out->row_count = t.n;
    return WR_OK;
}
