/* SPDX-License-Identifier: Apache-2.0 */
/* Keyed timers: see timers_int.h. */
#include "op/timers_int.h"

#define HEAD_BYTES 12u /* of an ordered key: time and length of the key */

/* ---- the heap -------------------------------------------------------------------------------- */
static bool
earlier(const wri_timers *t, uint32_t a, uint32_t b)
{
    const int64_t x = t->groups[a].first, y = t->groups[b].first;
    return x != y ? x < y : a < b;
}

static void
put_at(wri_timers *t, uint32_t place, uint32_t group)
{
    t->heap[place] = group;
    t->groups[group].place = place + 1;
}

static void
rise(wri_timers *t, uint32_t place)
{
    const uint32_t group = t->heap[place];
    for (; place > 0 && earlier(t, group, t->heap[(place - 1) / 2]); place = (place - 1) / 2)
        put_at(t, place, t->heap[(place - 1) / 2]);
    put_at(t, place, group);
}

static void
sink_down(wri_timers *t, uint32_t place)
{
    const uint32_t group = t->heap[place];
    for (uint32_t child; (child = 2 * place + 1) < t->heap_count; place = child) {
        if (child + 1 < t->heap_count && earlier(t, t->heap[child + 1], t->heap[child])) child++;
        if (!earlier(t, t->heap[child], group)) break;
        put_at(t, place, t->heap[child]);
    }
    put_at(t, place, group);
}

static int64_t
time_of(const uint8_t *key)
{
    return (int64_t)(__builtin_bswap64(wr_load64(key)) ^ (uint64_t)1 << 63);
}

/* The group's first timer may have changed: it finds its place anew. */
static void
look_again(wri_timers *t, uint32_t group)
{
    wri_timer_group *g = &t->groups[group];
    wr_state_iter it;
    if (!t->table->ops->ord_seek(t->table, g->slot, NULL, 0, &it)) {
        if (!g->place) return;
        const uint32_t place = g->place - 1, last = t->heap[--t->heap_count];
        g->place = 0;
        if (last == group) return;
        put_at(t, place, last);
        rise(t, place);
        sink_down(t, t->groups[last].place - 1);
        return;
    }
    g->first = time_of(it.key);
    if (!g->place) put_at(t, t->heap_count++, group);
    rise(t, g->place - 1);
    sink_down(t, g->place - 1);
}

/* ---- groups and keys ------------------------------------------------------------------------- */
static uint32_t
group_of(const wri_timers *t, uint64_t hash)
{
    const uint32_t kg = wr_key_group(hash, t->op->env->max_parallelism);
    WR_ASSERT(kg >= t->kg_first && kg - t->kg_first < t->kg_count);
    return kg - t->kg_first;
}

static wr_status
find_slot(wr_ctx *ctx, wri_timers *t, uint32_t group, wr_intent intent)
{
    const uint32_t kg = t->kg_first + group, off[2] = {0, 4};
    const uint64_t max = t->op->env->max_parallelism;
    const uint64_t hash = (((uint64_t)kg << 32) + max - 1) / max << 32; /* the group's lowest */
    uint8_t key[4];
    wr_store32(key, kg);
    const wr_keys one = {.n = 1, .hash = &hash, .data = key, .off = off};
    return t->groups_table->ops->resolve(ctx, t->groups_table, &one, intent, &t->groups[group].slot,
                                         NULL);
}

static uint8_t *
encode(wri_timers *t, const wri_timer *timer, uint32_t *len)
{
    wr_arena_reset(t->scratch);
    *len = HEAD_BYTES + timer->key_len + timer->space_len;
    uint8_t *p = wr_arena_alloc(t->scratch, *len);
    if (!p) return NULL;
    wr_store64(p, __builtin_bswap64((uint64_t)timer->time ^ (uint64_t)1 << 63));
    wr_store32(p + 8, __builtin_bswap32(timer->key_len));
    if (timer->key_len) memcpy(p + HEAD_BYTES, timer->key, timer->key_len);
    if (timer->space_len) memcpy(p + HEAD_BYTES + timer->key_len, timer->space, timer->space_len);
    return p;
}

/* ---- life ------------------------------------------------------------------------------------ */
wr_status
wri_timers_open(wr_ctx *ctx, wr_op *op, const char *name, bool processing, wri_timers *out)
{
    static const wr_state_part hash[] = {{.name = "hash", .bytes = 8}};
    const uint32_t max = op->env->max_parallelism, p = op->env->parallelism;
    const uint32_t first = (op->env->subtask * max + p - 1) / p;
    *out = (wri_timers){.op = op, .processing = processing, .asked = INT64_MAX, .kg_first = first};
    out->kg_count = ((op->env->subtask + 1) * max + p - 1) / p - first;
    out->scratch = wr_arena_create(op->env->budget, 0);
    out->groups = WR_NEW_N(op->env->arena, wri_timer_group, out->kg_count + 1);
    out->heap = WR_NEW_N(op->env->arena, uint32_t, out->kg_count + 1);
    const wr_str groups = wr_arena_printf(op->env->arena, "%s key groups", name);
    WR_TRY_ALLOC(ctx, out->scratch);
    WR_TRY_ALLOC(ctx, out->groups);
    WR_TRY_ALLOC(ctx, out->heap);
    WR_TRY_ALLOC(ctx, groups.ptr);
    for (uint32_t i = 0; i < out->kg_count; i++) out->groups[i].slot = WR_SLOT_NONE;
    wr_state_desc desc = {.shape = WR_STATE_VALUE, .record_bytes = 8, .held = true};
    WR_TRY(wri_table_open(ctx, op, groups.ptr, &desc, &out->groups_table));
    desc = (wr_state_desc){.shape = WR_STATE_ORDERED,
                           .record_bytes = 8,
                           .parent = out->groups_table,
                           .parts = hash,
                           .part_count = 1};
    return wri_table_open(ctx, op, name, &desc, &out->table);
}

void
wri_timers_close(wri_timers *t)
{
    wr_arena_destroy(t->scratch);
    t->scratch = NULL;
}

/* Processing time: be called when the earliest is due. */
static wr_status
ask(wri_timers *t)
{
    const int64_t next = wri_timers_next(t);
    if (!t->processing || next >= t->asked || !t->op->env->timer) return WR_OK;
    t->asked = next;
    return t->op->env->timer(t->op->env, next);
}

wr_status
wri_timers_restore(wr_ctx *ctx, wri_timers *t)
{
    for (uint32_t i = 0; i < t->kg_count; i++) {
        WR_TRY(find_slot(ctx, t, i, WR_STATE_READ));
        if (t->groups[i].slot != WR_SLOT_NONE) look_again(t, i);
    }
    return ask(t);
}

/* ---- use ------------------------------------------------------------------------------------- */
wr_status
wri_timers_set(wr_ctx *ctx, wri_timers *t, const wri_timer *timer)
{
    const uint32_t group = group_of(t, timer->hash);
    wri_timer_group *g = &t->groups[group];
    uint8_t *rec;
    uint32_t len;
    if (g->slot == WR_SLOT_NONE) WR_TRY(find_slot(ctx, t, group, WR_STATE_UPSERT));
    const uint8_t *key = encode(t, timer, &len);
    WR_TRY_ALLOC(ctx, key);
    WR_TRY(t->table->ops->ord_put(ctx, t->table, g->slot, key, len, &rec, NULL));
    wr_store64(rec, timer->hash);
    if (g->place && g->first <= timer->time) return WR_OK;
    look_again(t, group);
    return ask(t);
}

wr_status
wri_timers_delete(wr_ctx *ctx, wri_timers *t, const wri_timer *timer)
{
    const uint32_t group = group_of(t, timer->hash);
    const wri_timer_group *g = &t->groups[group];
    uint32_t len;
    if (!g->place) return WR_OK;
    const uint8_t *key = encode(t, timer, &len);
    WR_TRY_ALLOC(ctx, key);
    if (!t->table->ops->ord_get(t->table, g->slot, key, len)) return WR_OK;
    t->table->ops->ord_remove(t->table, g->slot, key, len);
    if (timer->time == g->first) look_again(t, group);
    return WR_OK;
}

int64_t
wri_timers_next(const wri_timers *t)
{
    return t->heap_count ? t->groups[t->heap[0]].first : INT64_MAX;
}

/* The first timer of a group, copied. */
static wr_status
take_first(wr_ctx *ctx, wri_timers *t, uint32_t group, wr_arena *arena, wri_timer *out)
{
    const wri_timer_group *g = &t->groups[group];
    wr_state_iter it;
    const bool there = t->table->ops->ord_seek(t->table, g->slot, NULL, 0, &it);
    WR_ASSERT(there);
    const uint32_t key_len =
        it.key_len < HEAD_BYTES ? UINT32_MAX : __builtin_bswap32(wr_load32(it.key + 8));
    if (it.key_len < HEAD_BYTES || key_len > it.key_len - HEAD_BYTES)
        return wr_raise(ctx, WR_CORRUPT, "a timer in the state of %.*s makes no sense",
                        WR_STR_ARG(t->op->node->label));
    const uint8_t *key = (const uint8_t *)wr_arena_dup(arena, (const char *)it.key, it.key_len);
    WR_TRY_ALLOC(ctx, key);
    *out = (wri_timer){.time = g->first,
                       .hash = wr_load64(it.rec),
                       .key = key + HEAD_BYTES,
                       .key_len = key_len,
                       .space = key + HEAD_BYTES + key_len,
                       .space_len = it.key_len - HEAD_BYTES - key_len};
    t->table->ops->ord_remove(t->table, g->slot, key, it.key_len);
    look_again(t, group);
    return WR_OK;
}

wr_status
wri_timers_due(wr_ctx *ctx, wri_timers *t, int64_t now, uint32_t max, wr_arena *arena,
               wri_timer **out, uint32_t *count)
{
    uint32_t cap = 0;
    *count = 0;
    *out = NULL;
    if (t->asked <= now) t->asked = INT64_MAX;
    while (*count < max && t->heap_count && wri_timers_next(t) <= now) {
        if (*count == cap) {
            cap = WR_MIN(cap ? cap * 2 : 16, max);
            wri_timer *more = WR_NEW_N(arena, wri_timer, cap);
            WR_TRY_ALLOC(ctx, more);
            if (*count) memcpy(more, *out, sizeof *more * *count);
            *out = more;
        }
        WR_TRY(take_first(ctx, t, t->heap[0], arena, &(*out)[*count]));
        ++*count;
    }
    return ask(t);
}
