/* SPDX-License-Identifier: Apache-2.0 */
/* What any state backend must do: run through the vtable alone, first by example, then at random
 * against a model of plain arrays. The backend is what BACKEND_OPS names; another test file may
 * include this one with a backend and a configuration of its own.
 * links: state */
#include "state/state.h"
#include "unit/check.h"

#ifndef BACKEND_OPS
#define BACKEND_OPS    wr_state_hashmap_ops
#define BACKEND_CONFIG NULL
#endif

typedef struct rig {
    wr_ctx ctx;
    wr_memtrack *budget;
    wr_arena *arena;
    wr_state_backend *b;
    const wr_state_ops *ops;
} rig;

static void
rig_open(rig *r)
{
    memset(r, 0, sizeof *r);
    wr_ctx_init(&r->ctx);
    r->budget = wr_memtrack_create(NULL, "test", 0);
    r->arena = wr_arena_create(r->budget, 0);
    r->ops = &BACKEND_OPS;
    CHECK_OK(&r->ctx, r->ops->open(&r->ctx, BACKEND_CONFIG, r->budget, 0, 127, 128, &r->b));
    r->b->now_ms = 1000;
}

static void
rig_close(rig *r)
{
    r->ops->close(r->b);
    wr_arena_destroy(r->arena);
    wr_memtrack_destroy(r->budget); /* asserts that nothing is left */
}

/* Between batches: no slot is held. */
static void
rig_trim(rig *r)
{
    CHECK_OK(&r->ctx, r->ops->trim(&r->ctx, r->b));
}

static wr_state_table *
open_table(rig *r, wr_state_shape shape, uint32_t bytes, int64_t ttl, wr_state_table *parent)
{
    wr_state_table *t = NULL;
    wr_state_desc d = {.logical_id = WR_STR("t"),
                       .shape = shape,
                       .record_bytes = bytes,
                       .ttl_ms = ttl,
                       .parent = parent};
    CHECK_OK(&r->ctx, r->ops->table_open(&r->ctx, r->b, &d, &t));
    return t;
}

/* Keys from a list of strings. */
static wr_keys
keys_of(rig *r, const char *const *texts, uint32_t n)
{
    size_t total = 0;
    for (uint32_t i = 0; i < n; i++) total += strlen(texts[i]);
    uint8_t *data = wr_arena_alloc(r->arena, total + 1);
    uint32_t *off = wr_arena_alloc(r->arena, sizeof *off * (n + 1));
    uint64_t *hash = wr_arena_alloc(r->arena, sizeof *hash * (n + 1));
    off[0] = 0;
    for (uint32_t i = 0; i < n; i++) {
        size_t len = strlen(texts[i]);
        memcpy(data + off[i], texts[i], len);
        off[i + 1] = off[i] + (uint32_t)len;
        hash[i] = wr_hash_bytes(texts[i], len, 7);
    }
    return (wr_keys){.n = n, .hash = hash, .data = data, .off = off};
}

static uint32_t
slot_of(rig *r, wr_state_table *t, const char *key, wr_intent intent)
{
    wr_keys k = keys_of(r, &key, 1);
    uint32_t slot = 12345;
    CHECK_OK(&r->ctx, r->ops->resolve(&r->ctx, t, &k, intent, &slot, NULL));
    return slot;
}

TEST(value_insert_find_remove)
{
    rig r;
    rig_open(&r);
    wr_state_table *t = open_table(&r, WR_STATE_VALUE, 16, 0, NULL);
    const char *texts[] = {"a", "a key of more than eight bytes", "a", ""};
    wr_keys k = keys_of(&r, texts, 4);
    uint32_t slots[4];
    uint64_t fresh = ~0ull;
    CHECK_OK(&r.ctx, r.ops->resolve(&r.ctx, t, &k, WR_STATE_READ, slots, &fresh));
    for (int i = 0; i < 4; i++) CHECK_EQ_UINT(slots[i], WR_SLOT_NONE);
    CHECK_EQ_UINT(fresh & 15, 0);
    CHECK_OK(&r.ctx, r.ops->resolve(&r.ctx, t, &k, WR_STATE_UPSERT, slots, &fresh));
    CHECK_EQ_UINT(fresh & 15, 1 | 2 | 8); /* the second "a" is not fresh again */
    CHECK_EQ_UINT(slots[0], slots[2]);
    CHECK(slots[0] != slots[1] && slots[1] != slots[3] && slots[0] != slots[3]);
    CHECK_EQ_UINT(r.ops->count(t), 3);
    uint8_t *rec = wr_state_rec(t, slots[1]);
    for (int i = 0; i < 16; i++) CHECK_EQ_INT(rec[i], 0);
    CHECK_EQ_UINT((uintptr_t)rec % 16, 0);
    memset(rec, 0xab, 16);
    r.ops->touch(t, slots[1]);
    uint32_t len;
    const uint8_t *key = r.ops->key_of(t, slots[1], &len);
    CHECK_EQ_BYTES((const char *)key, len, texts[1]);
    r.ops->remove(t, slots[1]);
    CHECK_EQ_UINT(slot_of(&r, t, texts[1], WR_STATE_READ), WR_SLOT_NONE);
    CHECK_EQ_UINT(r.ops->count(t), 2);
    uint32_t again = slot_of(&r, t, texts[1], WR_STATE_UPSERT);
    CHECK_EQ_INT(wr_state_rec(t, again)[0], 0); /* nothing of the former record */
    rig_close(&r);
}

TEST(value_fixed_keys_and_null)
{
    rig r;
    rig_open(&r);
    wr_state_table *t = open_table(&r, WR_STATE_VALUE, 8, 0, NULL);
    uint64_t fixed[4] = {0, 7, 0, 7}, hash[4], valid = 0x7; /* 0, 7, 0 and NULL */
    for (int i = 0; i < 3; i++) hash[i] = wr_hash_u64(fixed[i]);
    hash[3] = 99;
    wr_keys k = {.n = 4, .hash = hash, .fixed = fixed, .valid = &valid};
    uint32_t slots[4], len;
    uint64_t fresh;
    CHECK_OK(&r.ctx, r.ops->resolve(&r.ctx, t, &k, WR_STATE_UPSERT, slots, &fresh));
    CHECK_EQ_UINT(fresh & 15, 1 | 2 | 8);
    CHECK_EQ_UINT(slots[0], slots[2]);
    CHECK_EQ_UINT(r.ops->count(t), 3);
    const uint8_t *key = r.ops->key_of(t, slots[1], &len);
    CHECK_EQ_UINT(len, 8);
    CHECK_EQ_UINT(wr_load64(key), 7);
    (void)r.ops->key_of(t, slots[3], &len);
    CHECK_EQ_UINT(len, 0);
    uint64_t pos = 0;
    uint32_t slot, seen = 0;
    while (r.ops->next_slot(t, &pos, &slot)) seen++;
    CHECK_EQ_UINT(seen, 3);
    rig_close(&r);
}

TEST(value_ttl)
{
    rig r;
    rig_open(&r);
    wr_state_table *t = open_table(&r, WR_STATE_VALUE, 8, 500, NULL);
    wr_state_table *m = open_table(&r, WR_STATE_MAP, 8, 0, t);
    uint32_t slot = slot_of(&r, t, "k", WR_STATE_UPSERT);
    const char *sub = "s";
    wr_keys k = keys_of(&r, &sub, 1);
    uint8_t *rec;
    CHECK_OK(&r.ctx, r.ops->map_resolve(&r.ctx, m, &slot, &k, WR_STATE_UPSERT, &rec, NULL));
    r.b->now_ms = 1499;
    CHECK_EQ_UINT(slot_of(&r, t, "k", WR_STATE_READ), slot);
    r.ops->touch(t, slot); /* written at 1499: lives to 1999 */
    r.b->now_ms = 1998;
    CHECK_EQ_UINT(slot_of(&r, t, "k", WR_STATE_READ), slot);
    r.b->now_ms = 1999;
    CHECK_EQ_UINT(slot_of(&r, t, "k", WR_STATE_READ), WR_SLOT_NONE);
    slot = slot_of(&r, t, "k", WR_STATE_UPSERT);
    CHECK_EQ_UINT(r.ops->map_count(m, slot), 0); /* went with its key */
    (void)slot_of(&r, t, "l", WR_STATE_UPSERT);
    CHECK_EQ_UINT(r.ops->count(t), 2);
    r.ops->expire(t, 2498, 100);
    CHECK_EQ_UINT(r.ops->count(t), 2);
    r.ops->expire(t, 2499, 100);
    CHECK_EQ_UINT(r.ops->count(t), 0);
    rig_close(&r);
}

TEST(map_insertion_order_and_clear)
{
    rig r;
    rig_open(&r);
    wr_state_table *t = open_table(&r, WR_STATE_VALUE, 8, 0, NULL);
    wr_state_table *m = open_table(&r, WR_STATE_MAP, 16, 0, t);
    uint32_t p = slot_of(&r, t, "p", WR_STATE_UPSERT), q = slot_of(&r, t, "q", WR_STATE_UPSERT);
    const char *texts[] = {"three long enough for the heap", "one", "two", "one"};
    uint32_t slots[4] = {p, p, p, q};
    wr_keys k = keys_of(&r, texts, 4);
    uint8_t *recs[4];
    uint64_t fresh;
    CHECK_OK(&r.ctx, r.ops->map_resolve(&r.ctx, m, slots, &k, WR_STATE_READ, recs, &fresh));
    for (int i = 0; i < 4; i++) CHECK(recs[i] == NULL);
    CHECK_OK(&r.ctx, r.ops->map_resolve(&r.ctx, m, slots, &k, WR_STATE_UPSERT, recs, &fresh));
    CHECK_EQ_UINT(fresh & 15, 15);
    for (int i = 0; i < 4; i++) recs[i][0] = (uint8_t)(i + 1);
    CHECK_EQ_UINT(r.ops->map_count(m, p), 3);
    CHECK_EQ_UINT(r.ops->map_count(m, q), 1);
    wr_state_iter it;
    int at = 0;
    for (bool ok = r.ops->map_first(m, p, &it); ok; ok = r.ops->map_next(&it)) {
        CHECK_EQ_BYTES((const char *)it.key, it.key_len, texts[at]);
        CHECK_EQ_INT(it.rec[0], ++at);
        if (at == 2) r.ops->map_remove(m, p, it.key, it.key_len, k.hash[1]);
    }
    CHECK_EQ_INT(at, 3);
    CHECK_EQ_UINT(r.ops->map_count(m, p), 2);
    r.ops->map_clear(m, p);
    CHECK(!r.ops->map_first(m, p, &it));
    CHECK_EQ_UINT(r.ops->map_count(m, q), 1);
    r.ops->remove(t, q);
    q = slot_of(&r, t, "q", WR_STATE_UPSERT);
    CHECK_EQ_UINT(r.ops->map_count(m, q), 0);
    rig_close(&r);
}

TEST(blobs_die_with_their_record)
{
    rig r;
    rig_open(&r);
    wr_state_table *t = open_table(&r, WR_STATE_VALUE, 40, 0, NULL);
    char big[100000];
    memset(big, 'x', sizeof big);
    size_t before = 0;
    for (int round = 0; round < 50; round++) {
        uint32_t slot = slot_of(&r, t, "k", WR_STATE_UPSERT);
        wr_blob *blob = (wr_blob *)(void *)(wr_state_rec(t, slot) + 8);
        wr_blob *small = (wr_blob *)(void *)(wr_state_rec(t, slot) + 24);
        CHECK_EQ_UINT(blob->len, 0);
        CHECK_OK(&r.ctx, r.ops->blob_set(&r.ctx, t, blob, big, sizeof big));
        CHECK_OK(&r.ctx, r.ops->blob_set(&r.ctx, t, small, "ab", 2));
        for (int i = 0; i < 20; i++)
            CHECK_OK(&r.ctx, r.ops->blob_append(&r.ctx, t, small, "cd", 2));
        CHECK_EQ_UINT(small->len, 42);
        CHECK_EQ_BYTES((const char *)r.ops->blob_get(t, small), 6, "abcdcd");
        CHECK_EQ_INT(r.ops->blob_get(t, blob)[99999], 'x');
        if (round % 2) r.ops->blob_free(t, blob);
        r.ops->remove(t, slot);
        if (round == 1) before = r.ops->bytes(r.b);
    }
    CHECK_EQ_UINT(r.ops->bytes(r.b), before); /* nothing leaks */
    rig_close(&r);
}

TEST(ordered_seek_and_walk)
{
    rig r;
    rig_open(&r);
    wr_state_table *t = open_table(&r, WR_STATE_VALUE, 8, 0, NULL);
    wr_state_table *o = open_table(&r, WR_STATE_ORDERED, 8, 0, t);
    uint32_t p = slot_of(&r, t, "p", WR_STATE_UPSERT);
    const char *sorted[] = {"a", "ab", "abcdefgh", "abcdefghi", "abcdefghj", "b"};
    const int order[] = {4, 0, 5, 2, 1, 3};
    for (int i = 0; i < 6; i++) {
        const char *key = sorted[order[i]];
        uint8_t *rec;
        bool fresh;
        CHECK_OK(&r.ctx, r.ops->ord_put(&r.ctx, o, p, (const uint8_t *)key, (uint32_t)strlen(key),
                                        &rec, &fresh));
        CHECK(fresh);
        rec[0] = (uint8_t)order[i];
    }
    CHECK_EQ_UINT(r.ops->ord_count(o, p), 6);
    wr_state_iter it;
    int at = 0;
    for (bool ok = r.ops->ord_seek(o, p, NULL, 0, &it); ok; ok = r.ops->ord_next(&it))
        CHECK_EQ_INT(it.rec[0], at++);
    CHECK_EQ_INT(at, 6);
    for (bool ok = r.ops->ord_seek_last(o, p, NULL, 0, &it); ok; ok = r.ops->ord_prev(&it))
        CHECK_EQ_INT(it.rec[0], --at);
    CHECK_EQ_INT(at, 0);
    CHECK(r.ops->ord_seek(o, p, (const uint8_t *)"abc", 3, &it));
    CHECK_EQ_BYTES((const char *)it.key, it.key_len, "abcdefgh");
    CHECK(r.ops->ord_seek_last(o, p, (const uint8_t *)"abc", 3, &it));
    CHECK_EQ_BYTES((const char *)it.key, it.key_len, "ab");
    CHECK(!r.ops->ord_seek(o, p, (const uint8_t *)"c", 1, &it));
    CHECK(!r.ops->ord_seek_last(o, p, (const uint8_t *)"A", 1, &it));
    CHECK(r.ops->ord_get(o, p, (const uint8_t *)"abcdefghi", 9)[0] == 3);
    r.ops->ord_remove(o, p, (const uint8_t *)"abcdefghi", 9);
    CHECK(r.ops->ord_get(o, p, (const uint8_t *)"abcdefghi", 9) == NULL);
    r.ops->ord_clear(o, p);
    CHECK_EQ_UINT(r.ops->ord_count(o, p), 0);
    CHECK(!r.ops->ord_seek(o, p, NULL, 0, &it));
    rig_close(&r);
}

/* ---- at random against a model --------------------------------------------------------------- */
static uint64_t seed;
static uint32_t
rnd(uint32_t n)
{
    seed = wr_hash_u64(seed + 0x9e3779b97f4a7c15ull);
    return (uint32_t)(seed >> 33) % n;
}

#define KEYS 60
#define SUBS 24
static struct {
    bool live;
    int64_t value;
    bool sub[SUBS], ord[SUBS];
    int64_t sub_value[SUBS], ord_value[SUBS];
    int sub_seq[SUBS], next_seq;
} model[KEYS];

static const char *
name_of(char *buf, size_t n, const char *what, uint32_t i)
{
    (void)snprintf(buf, n, i % 3 ? "%s%02u" : "%s%02u with a longer tail", what, i);
    return buf;
}

/* Backwards, and from every key that could be there: names are in the order of their numbers. */
static void
check_seeks(rig *r, wr_state_table *o, uint32_t slot, uint32_t i)
{
    char buf[64], found[64];
    wr_state_iter it;
    uint32_t at = SUBS;
    for (bool ok = r->ops->ord_seek_last(o, slot, NULL, 0, &it); ok; ok = r->ops->ord_prev(&it)) {
        while (at > 0 && !model[i].ord[at - 1]) at--;
        CHECK_FATAL(at > 0);
        CHECK_EQ_BYTES((const char *)it.key, it.key_len, name_of(buf, sizeof buf, "ord", --at));
    }
    for (uint32_t s = 0; s < SUBS; s++) {
        const char *name = name_of(buf, sizeof buf, "ord", s);
        const uint32_t len = (uint32_t)strlen(name);
        int up = (int)s, down = (int)s;
        while (up < SUBS && !model[i].ord[up]) up++;
        while (down >= 0 && !model[i].ord[down]) down--;
        const bool above = r->ops->ord_seek(o, slot, (const uint8_t *)name, len, &it);
        CHECK_EQ_INT(above, up < SUBS);
        if (above)
            CHECK_EQ_BYTES((const char *)it.key, it.key_len,
                           name_of(found, sizeof found, "ord", (uint32_t)up));
        const bool below = r->ops->ord_seek_last(o, slot, (const uint8_t *)name, len, &it);
        CHECK_EQ_INT(below, down >= 0);
        if (below)
            CHECK_EQ_BYTES((const char *)it.key, it.key_len,
                           name_of(found, sizeof found, "ord", (uint32_t)down));
        CHECK_EQ_INT(r->ops->ord_get(o, slot, (const uint8_t *)name, len) != NULL, model[i].ord[s]);
    }
}

static void
check_slot(rig *r, wr_state_table *t, wr_state_table *m, wr_state_table *o, uint32_t i)
{
    char buf[64];
    uint32_t slot = slot_of(r, t, name_of(buf, sizeof buf, "key", i), WR_STATE_READ);
    CHECK_EQ_INT(slot != WR_SLOT_NONE, model[i].live);
    if (slot == WR_SLOT_NONE) return;
    CHECK_EQ_INT(*(int64_t *)(void *)wr_state_rec(t, slot), model[i].value);
    int count = 0, last = -1;
    wr_state_iter it;
    for (bool ok = r->ops->map_first(m, slot, &it); ok; ok = r->ops->map_next(&it)) {
        uint32_t s = (uint32_t)((it.key[3] - '0') * 10 + (it.key[4] - '0'));
        CHECK(model[i].sub[s]);
        CHECK_EQ_INT(*(int64_t *)(void *)it.rec, model[i].sub_value[s]);
        CHECK(model[i].sub_seq[s] > last);
        last = model[i].sub_seq[s];
        count++;
    }
    int want = 0, ordered = 0;
    for (uint32_t s = 0; s < SUBS; s++) want += model[i].sub[s], ordered += model[i].ord[s];
    CHECK_EQ_INT(count, want);
    CHECK_EQ_UINT(r->ops->map_count(m, slot), want);
    CHECK_EQ_UINT(r->ops->ord_count(o, slot), ordered);
    uint32_t at = 0;
    for (bool ok = r->ops->ord_seek(o, slot, NULL, 0, &it); ok; ok = r->ops->ord_next(&it)) {
        while (at < SUBS && !model[i].ord[at]) at++;
        CHECK_FATAL(at < SUBS);
        CHECK_EQ_BYTES((const char *)it.key, it.key_len, name_of(buf, sizeof buf, "ord", at));
        CHECK_EQ_INT(*(int64_t *)(void *)it.rec, model[i].ord_value[at]);
        at++;
    }
    check_seeks(r, o, slot, i);
}

static void
random_step(rig *r, wr_state_table *t, wr_state_table *m, wr_state_table *o)
{
    char buf[64];
    uint32_t i = rnd(KEYS), s = rnd(SUBS), what = rnd(100);
    name_of(buf, sizeof buf, "key", i);
    if (what < 4) {
        uint32_t slot = slot_of(r, t, buf, WR_STATE_READ);
        if (slot != WR_SLOT_NONE) r->ops->remove(t, slot);
        memset(&model[i], 0, sizeof model[i]);
        return;
    }
    uint32_t slot = slot_of(r, t, buf, WR_STATE_UPSERT);
    int64_t value = rnd(1000000);
    model[i].live = true;
    if (what < 20) {
        *(int64_t *)(void *)wr_state_rec(t, slot) = model[i].value = value;
        return;
    }
    const char *sub = name_of(buf, sizeof buf, what < 60 ? "sub" : "ord", s);
    wr_keys k = keys_of(r, &sub, 1);
    uint8_t *rec;
    if (what < 48) {
        CHECK_OK(&r->ctx, r->ops->map_resolve(&r->ctx, m, &slot, &k, WR_STATE_UPSERT, &rec, NULL));
        *(int64_t *)(void *)rec = model[i].sub_value[s] = value;
        if (!model[i].sub[s]) model[i].sub_seq[s] = model[i].next_seq++;
        model[i].sub[s] = true;
    } else if (what < 60) {
        r->ops->map_remove(m, slot, k.data, k.off[1], k.hash[0]);
        model[i].sub[s] = false;
    } else if (what < 88) {
        bool fresh;
        CHECK_OK(&r->ctx, r->ops->ord_put(&r->ctx, o, slot, k.data, k.off[1], &rec, &fresh));
        CHECK_EQ_INT(fresh, !model[i].ord[s]);
        *(int64_t *)(void *)rec = model[i].ord_value[s] = value;
        model[i].ord[s] = true;
    } else {
        r->ops->ord_remove(o, slot, k.data, k.off[1]);
        model[i].ord[s] = false;
    }
}

TEST(random_against_model)
{
    for (uint64_t round = 1; round <= 4; round++) {
        rig r;
        rig_open(&r);
        seed = round;
        memset(model, 0, sizeof model);
        wr_state_table *t = open_table(&r, WR_STATE_VALUE, 8, 0, NULL);
        wr_state_table *m = open_table(&r, WR_STATE_MAP, 8, 0, t);
        wr_state_table *o = open_table(&r, WR_STATE_ORDERED, 8, 0, t);
        for (int step = 0; step < 20000; step++) {
            random_step(&r, t, m, o);
            if (rnd(4) == 0) rig_trim(&r);
            if (step % 16 == 0) wr_arena_reset(r.arena);
            if (step % 500 == 0)
                for (uint32_t i = 0; i < KEYS; i++) check_slot(&r, t, m, o, i);
        }
        rig_close(&r);
    }
}

TEST(many_keys_in_batches)
{
    rig r;
    rig_open(&r);
    wr_state_table *t = open_table(&r, WR_STATE_VALUE, 8, 0, NULL);
    enum { N = 1000 };
    static uint64_t fixed[N], hash[N], fresh[(N + 63) / 64];
    static uint32_t slots[N];
    for (uint64_t base = 0; base < 100 * N; base += N) {
        for (uint64_t i = 0; i < N; i++) {
            fixed[i] = base + i;
            hash[i] = wr_hash_u64(base + i + 1);
        }
        wr_keys k = {.n = N, .hash = hash, .fixed = fixed};
        CHECK_OK(&r.ctx, r.ops->resolve(&r.ctx, t, &k, WR_STATE_UPSERT, slots, fresh));
        for (uint64_t i = 0; i < N; i++) {
            CHECK(wr_bit_get(fresh, i));
            *(uint64_t *)(void *)wr_state_rec(t, slots[i]) = base + i;
        }
        rig_trim(&r);
    }
    CHECK_EQ_UINT(r.ops->count(t), 100 * N);
    for (uint64_t base = 0; base < 100 * N; base += N) {
        for (uint64_t i = 0; i < N; i++) {
            fixed[i] = (base + i) * 7919 % (100 * N);
            hash[i] = wr_hash_u64(fixed[i] + 1);
        }
        wr_keys k = {.n = N, .hash = hash, .fixed = fixed};
        CHECK_OK(&r.ctx, r.ops->resolve(&r.ctx, t, &k, WR_STATE_READ, slots, NULL));
        for (uint64_t i = 0; i < N; i++) {
            CHECK_FATAL(slots[i] != WR_SLOT_NONE);
            CHECK_EQ_UINT(*(uint64_t *)(void *)wr_state_rec(t, slots[i]), fixed[i]);
            if (i % 2) r.ops->remove(t, slots[i]);
        }
        rig_trim(&r);
    }
    CHECK_EQ_UINT(r.ops->count(t), 100 * N / 2);
    rig_close(&r);
}

TEST(every_failing_allocation_is_told)
{
    for (int64_t nth = 1; nth < 60; nth++) {
        rig r;
        rig_open(&r);
        wr_state_table *t = open_table(&r, WR_STATE_VALUE, 24, 0, NULL);
        wr_state_table *m = open_table(&r, WR_STATE_MAP, 24, 0, t);
        wr_state_table *o = open_table(&r, WR_STATE_ORDERED, 24, 0, t);
        const char *texts[] = {"a key that is longer than eight", "b"};
        wr_keys k = keys_of(&r, texts, 2);
        uint32_t slots[2];
        uint8_t *recs[2], *rec = NULL;
        wr_mem_fail_after(nth);
        wr_status s = r.ops->resolve(&r.ctx, t, &k, WR_STATE_UPSERT, slots, NULL);
        if (s == WR_OK) s = r.ops->map_resolve(&r.ctx, m, slots, &k, WR_STATE_UPSERT, recs, NULL);
        if (s == WR_OK) s = r.ops->blob_set(&r.ctx, t, (wr_blob *)(void *)recs[0], "abc", 3);
        if (s == WR_OK) s = r.ops->ord_put(&r.ctx, o, slots[0], k.data, k.off[1], &rec, NULL);
        bool hit = wr_mem_fail_hit();
        wr_mem_fail_after(0);
        CHECK_EQ_INT(s == WR_NOMEM, hit);
        if (s == WR_OK) nth = 60;
        wr_ctx_reset(&r.ctx);
        uint32_t slot = slot_of(&r, t, "later", WR_STATE_UPSERT); /* still usable */
        CHECK_OK(&r.ctx,
                 r.ops->blob_set(&r.ctx, t, (wr_blob *)(void *)wr_state_rec(t, slot), "x", 1));
        rig_close(&r);
    }
}

CHECK_MAIN()
