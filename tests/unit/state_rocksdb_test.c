/* SPDX-License-Identifier: Apache-2.0 */
/* The RocksDB backend against the memory backend: the same random operations, the same answers,
 * with a cache that keeps nothing, through snapshots, restores and changes of parallelism.
 * links: state catalog */
#include "state/rocksdb_int.h"

#include "catalog/catalog.h"
#include "unit/check.h"
#include "unit/state_rig.h"

#ifdef WR_HAVE_ROCKSDB

#define MAX_P  16u
#define KEYS   60u
#define SUBS   90u /* more than come from the database at once */
#define RANGES 3u

static uint64_t seed;
static uint32_t
rnd(uint32_t n)
{
    seed = wr_hash_u64(seed + 0x9e3779b97f4a7c15ull);
    return (uint32_t)(seed >> 33) % n;
}

typedef struct record {
    uint64_t number;
    uint64_t scratch; /* TRANSIENT */
    wr_blob text;
} record;
static const wr_state_part parts[] = {{"number", WR_PART_PLAIN, 0, 8, NULL},
                                      {"scratch", WR_PART_TRANSIENT, 8, 8, NULL},
                                      {"text", WR_PART_PLAIN, 16, 16, NULL}};

typedef struct store { /* a backend with a table of each shape */
    const wr_state_ops *ops;
    wr_state_backend *b;
    wr_state_table *keys, *map, *ord;
    uint32_t kg_first, kg_last;
} store;

typedef struct rig {
    wr_ctx ctx;
    wr_memtrack *budget;
    wr_arena *arena;
    rig_disk *disk;
    wr_config config;
    wr_options set;
    wr_option items[4];
    int64_t ttl_ms, now_ms;
    store mem, rocks[RANGES]; /* rocks: mostly; now and then its state goes on in memory */
    const wr_state_ops *ops;  /* theirs */
    uint32_t ranges;
    uint64_t next_id;
} rig;

static void
rig_open_all(rig *r, const char *cache_bytes, int64_t ttl_ms)
{
    memset(r, 0, sizeof *r);
    wr_ctx_init(&r->ctx);
    r->budget = wr_memtrack_create(NULL, "test", 0);
    r->arena = wr_arena_create(r->budget, 0);
    r->disk = rig_disk_create(r->budget);
    r->items[0] =
        (wr_option){WR_STR("weir.state.rocksdb.cache-size"), wr_str_c(cache_bytes), WR_NO_SPAN};
    r->set = (wr_options){r->items, 1};
    r->config = (wr_config){&r->set, wr_session_option_defs()};
    r->ttl_ms = ttl_ms;
    r->now_ms = 1000;
    r->ops = &wr_state_rocksdb_ops;
}

static void
rig_close_all(rig *r)
{
    rig_disk_destroy(r->disk);
    wr_arena_destroy(r->arena);
    wr_memtrack_destroy(r->budget); /* asserts that nothing is left */
}

static wr_state_table *
add_table(rig *r, store *s, const char *id, wr_state_shape shape, wr_state_table *parent)
{
    wr_state_table *t = NULL;
    const wr_state_desc d = {.logical_id = wr_str_c(id),
                             .shape = shape,
                             .record_bytes = sizeof(record),
                             .record_version = 1,
                             .ttl_ms = r->ttl_ms,
                             .parent = parent,
                             .parts = parts,
                             .part_count = 3};
    CHECK_OK(&r->ctx, s->ops->table_open(&r->ctx, s->b, &d, &t));
    return t;
}

static store
store_open(rig *r, const wr_state_ops *ops, uint32_t kg_first, uint32_t kg_last)
{
    store s = {.ops = ops, .kg_first = kg_first, .kg_last = kg_last};
    CHECK_OK(&r->ctx, ops->open(&r->ctx, &r->config, r->budget, kg_first, kg_last, MAX_P, &s.b));
    s.b->now_ms = r->now_ms;
    s.keys = add_table(r, &s, "keys", WR_STATE_VALUE, NULL);
    s.map = add_table(r, &s, "map", WR_STATE_MAP, s.keys);
    s.ord = add_table(r, &s, "ord", WR_STATE_ORDERED, s.keys);
    return s;
}

static void
open_rocks(rig *r, uint32_t ranges)
{
    r->ranges = ranges;
    for (uint32_t i = 0; i < ranges; i++)
        r->rocks[i] = store_open(r, r->ops, i * MAX_P / ranges, (i + 1) * MAX_P / ranges - 1);
}

static void
close_rocks(rig *r)
{
    for (uint32_t i = 0; i < r->ranges; i++) r->rocks[i].ops->close(r->rocks[i].b);
}

/* ---- keys ------------------------------------------------------------------------------------ */

static uint32_t
key_text(char *buf, size_t n, const char *what, uint32_t i)
{
    return (uint32_t)snprintf(buf, n, i % 3 ? "%s%02u" : "%s%02u with a longer tail", what, i);
}

static wr_keys
one_key(const char *text, uint32_t len)
{
    static uint64_t hash[1];
    static uint32_t off[2];
    hash[0] = wr_hash_bytes(text, len, 7);
    off[1] = len;
    return (wr_keys){.n = 1, .hash = hash, .data = (const uint8_t *)text, .off = off};
}

static store *
owner(rig *r, uint64_t hash)
{
    const uint32_t kg = wr_key_group(hash, MAX_P);
    for (uint32_t i = 0; i < r->ranges; i++)
        if (kg >= r->rocks[i].kg_first && kg <= r->rocks[i].kg_last) return &r->rocks[i];
    return NULL;
}

static uint32_t
slot_of(rig *r, store *s, uint32_t key, wr_intent intent)
{
    char buf[64];
    const wr_keys k = one_key(buf, key_text(buf, sizeof buf, "key", key));
    uint32_t slot = 0;
    CHECK_OK(&r->ctx, s->ops->resolve(&r->ctx, s->keys, &k, intent, &slot, NULL));
    return slot;
}

/* ---- what a store holds, as text ------------------------------------------------------------- */

typedef struct text {
    char p[65536];
    size_t len;
} text;

static void
say(text *out, const store *s, const wr_state_table *t, const uint8_t *key, uint32_t len,
    const uint8_t *rec)
{
    const record *x = (const record *)(const void *)rec;
    const int n = snprintf(out->p + out->len, sizeof out->p - out->len, " %.*s=%" PRIu64 "'%.*s'",
                           (int)len, (const char *)key, x->number, (int)x->text.len,
                           (const char *)s->ops->blob_get(t, &x->text));
    WR_ASSERT(n > 0 && (size_t)n < sizeof out->p - out->len);
    out->len += (size_t)n;
}

static void
tell(rig *r, store *s, uint32_t key, text *out)
{
    const uint32_t slot = slot_of(r, s, key, WR_STATE_READ);
    out->len = 0;
    out->p[0] = 0;
    if (slot == WR_SLOT_NONE) return;
    uint32_t len;
    const uint8_t *p = s->ops->key_of(s->keys, slot, &len);
    say(out, s, s->keys, p, len, wr_state_rec(s->keys, slot));
    wr_state_iter it;
    for (bool ok = s->ops->map_first(s->map, slot, &it); ok; ok = s->ops->map_next(&it))
        say(out, s, s->map, it.key, it.key_len, it.rec);
    for (bool ok = s->ops->ord_seek(s->ord, slot, NULL, 0, &it); ok; ok = s->ops->ord_next(&it))
        say(out, s, s->ord, it.key, it.key_len, it.rec);
    if (r->ttl_ms) return; /* how many expired ones are still counted is nobody's business */
    out->len += (size_t)snprintf(out->p + out->len, 64, " %u %u", s->ops->map_count(s->map, slot),
                                 s->ops->ord_count(s->ord, slot));
}

static text told[2];

static void
compare_key(rig *r, uint32_t key)
{
    char buf[64];
    const uint64_t hash = *one_key(buf, key_text(buf, sizeof buf, "key", key)).hash;
    tell(r, &r->mem, key, &told[0]);
    tell(r, owner(r, hash), key, &told[1]);
    CHECK_EQ_STR(told[1].p, told[0].p);
}

static void
compare_all(rig *r)
{
    for (uint32_t i = 0; i < KEYS; i++) compare_key(r, i);
    if (r->ttl_ms) return;
    uint64_t count = 0;
    for (uint32_t i = 0; i < r->ranges; i++) count += r->rocks[i].ops->count(r->rocks[i].keys);
    CHECK_EQ_UINT(count, r->mem.ops->count(r->mem.keys));
}

/* ---- the same on both ------------------------------------------------------------------------ */

static void
fill(rig *r, store *s, wr_state_table *t, uint8_t *rec, uint64_t value)
{
    record *x = (record *)(void *)rec;
    x->number = value;
    x->scratch = 77;
    char buf[400];
    memset(buf, 'a' + (int)(value % 26), sizeof buf);
    CHECK_OK(&r->ctx, s->ops->blob_set(&r->ctx, t, &x->text, buf, (uint32_t)(value % 5 * 80)));
    if (value % 7 == 0) CHECK_OK(&r->ctx, s->ops->blob_append(&r->ctx, t, &x->text, "more", 4));
}

typedef struct step { /* what to do, drawn once for both */
    uint32_t what, key, sub, n;
    uint64_t value;
} step;

static void
walk(store *s, uint32_t slot, const step *st, const uint8_t *key, uint32_t len, text *out)
{
    wr_state_iter it;
    const bool back = st->value % 2;
    bool ok = back ? s->ops->ord_seek_last(s->ord, slot, st->sub ? key : NULL, len, &it)
                   : s->ops->ord_seek(s->ord, slot, key, st->sub ? len : 0, &it);
    for (uint32_t i = 0; ok && i < st->n; i++) {
        say(out, s, s->ord, it.key, it.key_len, it.rec);
        const bool turn = st->value % 5 == 0 && i == st->n / 2; /* one step the other way */
        ok = back != turn ? s->ops->ord_prev(&it) : s->ops->ord_next(&it);
    }
}

static void
walk_map(store *s, uint32_t slot, const step *st, text *out)
{
    wr_state_iter it;
    uint32_t i = 0;
    for (bool ok = s->ops->map_first(s->map, slot, &it); ok; ok = s->ops->map_next(&it)) {
        say(out, s, s->map, it.key, it.key_len, it.rec);
        if (++i % 5 == st->n % 5) { /* the current one may be removed */
            char copy[64];
            const uint32_t len = it.key_len;
            memcpy(copy, it.key, len);
            s->ops->map_remove(s->map, slot, (const uint8_t *)copy, len,
                               wr_hash_bytes(copy, len, 7));
        }
    }
}

static void
on_map(rig *r, store *s, const step *st, uint32_t slot, text *out)
{
    char buf[64];
    const wr_keys k = one_key(buf, key_text(buf, sizeof buf, "sub", st->sub));
    uint8_t *rec = NULL;
    uint64_t fresh = 0;
    if (st->what < 40) {
        CHECK_OK(&r->ctx,
                 s->ops->map_resolve(&r->ctx, s->map, &slot, &k, WR_STATE_UPSERT, &rec, &fresh));
        out->len += (size_t)snprintf(out->p + out->len, 16, "%u", (unsigned)(fresh & 1));
        fill(r, s, s->map, rec, st->value);
    } else if (st->what < 44) {
        s->ops->map_remove(s->map, slot, k.data, k.off[1], k.hash[0]);
    } else if (st->what < 48) {
        CHECK_OK(&r->ctx,
                 s->ops->map_resolve(&r->ctx, s->map, &slot, &k, WR_STATE_READ, &rec, NULL));
        if (rec) {
            s->ops->rec_touch(s->map, rec);
            say(out, s, s->map, (const uint8_t *)"", 0, rec);
            ((record *)(void *)rec)->number++;
        }
    } else if (st->what < 52) {
        walk_map(s, slot, st, out);
    } else {
        s->ops->map_clear(s->map, slot);
    }
}

static void
on_ord(rig *r, store *s, const step *st, uint32_t slot, text *out)
{
    char buf[64];
    const uint32_t len = key_text(buf, sizeof buf, "ord", st->sub);
    const uint8_t *key = (const uint8_t *)buf;
    if (st->what < 78) {
        uint8_t *rec = NULL;
        bool fresh = false;
        CHECK_OK(&r->ctx, s->ops->ord_put(&r->ctx, s->ord, slot, key, len, &rec, &fresh));
        out->len += (size_t)snprintf(out->p + out->len, 16, "%u", (unsigned)fresh);
        fill(r, s, s->ord, rec, st->value);
    } else if (st->what < 82) {
        s->ops->ord_remove(s->ord, slot, key, len);
    } else if (st->what < 85) {
        uint8_t *rec = s->ops->ord_get(s->ord, slot, key, len);
        if (rec) say(out, s, s->ord, key, len, rec);
    } else if (st->what < 98) {
        walk(s, slot, st, key, len, out);
    } else {
        s->ops->ord_clear(s->ord, slot);
    }
}

static void
do_step(rig *r, store *s, const step *st, text *out)
{
    out->len = 0;
    out->p[0] = 0;
    if (st->what < 3) {
        const uint32_t slot = slot_of(r, s, st->key, WR_STATE_READ);
        if (slot != WR_SLOT_NONE) s->ops->remove(s->keys, slot);
        return;
    }
    const uint32_t slot = slot_of(r, s, st->key, WR_STATE_UPSERT);
    if (st->what < 15)
        fill(r, s, s->keys, wr_state_rec(s->keys, slot), st->value);
    else if (st->what < 53)
        on_map(r, s, st, slot, out);
    else
        on_ord(r, s, st, slot, out);
}

static void
step_both(rig *r)
{
    const step st = {rnd(100), rnd(KEYS), rnd(SUBS), rnd(200), rnd(1000000)};
    char buf[64];
    const uint64_t hash = *one_key(buf, key_text(buf, sizeof buf, "key", st.key)).hash;
    store *s = owner(r, hash);
    do_step(r, &r->mem, &st, &told[0]);
    do_step(r, s, &st, &told[1]);
    CHECK_EQ_STR(told[1].p, told[0].p);
    if (rnd(3) == 0) CHECK_OK(&r->ctx, s->ops->trim(&r->ctx, s->b));
    CHECK_EQ_INT(s->b->failed, WR_OK);
}

/* ---- snapshots ------------------------------------------------------------------------------- */

static void
take(rig *r, store *s, wr_snapshot_kind kind, bool kept, wr_state_handle *out)
{
    wr_state_snapshot *snap = NULL;
    CHECK_OK(&r->ctx, s->ops->snapshot(&r->ctx, s->b, ++r->next_id, kind, &snap));
    CHECK_OK(&r->ctx, s->ops->snapshot_write(&r->ctx, snap, &r->disk->writer, out));
    s->ops->snapshot_release(snap, kept);
}

/* All state moves into new backends, of as many ranges, of either kind. In memory native snapshots
 * are not mixed with others. */
static void
move_to(rig *r, uint32_t ranges)
{
    wr_state_handle handles[RANGES];
    const wr_state_handle *list[RANGES];
    const uint32_t count = r->ranges, all = rnd(WR_SNAPSHOT_CANONICAL + 1);
    for (uint32_t i = 0; i < count; i++) {
        const bool mix = r->ops == &wr_state_rocksdb_ops;
        const uint32_t kind = mix ? rnd(WR_SNAPSHOT_CANONICAL + 1) : all;
        take(r, &r->rocks[i], (wr_snapshot_kind)kind, true, &handles[i]);
        list[i] = &handles[i];
    }
    const bool same = ranges == count;
    close_rocks(r);
    r->ops = rnd(3) ? &wr_state_rocksdb_ops : &wr_state_hashmap_ops;
    open_rocks(r, ranges);
    for (uint32_t i = 0; i < ranges; i++) {
        store *s = &r->rocks[i];
        s->b->now_ms = r->now_ms;
        if (same)
            CHECK_OK(&r->ctx, s->ops->restore(&r->ctx, s->b, list + i, 1, &r->disk->reader, false));
        else
            CHECK_OK(&r->ctx, s->ops->restore(&r->ctx, s->b, list, count, &r->disk->reader, false));
    }
}

/* The state of either backend moves into the other one, which holds the same
 * then. */
static void
swap_backends(rig *r, uint32_t ranges)
{
    wr_state_handle handles[RANGES], mine;
    const wr_state_handle *list[RANGES], *only = &mine;
    for (uint32_t i = 0; i < r->ranges; i++) {
        take(r, &r->rocks[i], rnd(2) ? WR_SNAPSHOT_CANONICAL : WR_SNAPSHOT_FULL, true, &handles[i]);
        list[i] = &handles[i];
    }
    take(r, &r->mem, rnd(2) ? WR_SNAPSHOT_CANONICAL : WR_SNAPSHOT_FULL, true, &mine);
    const uint32_t count = r->ranges;
    close_rocks(r);
    r->mem.ops->close(r->mem.b);
    r->mem = store_open(r, &wr_state_hashmap_ops, 0, MAX_P - 1);
    CHECK_OK(&r->ctx, r->mem.ops->restore(&r->ctx, r->mem.b, list, count, &r->disk->reader, false));
    open_rocks(r, ranges);
    for (uint32_t i = 0; i < ranges; i++)
        CHECK_OK(&r->ctx, r->rocks[i].ops->restore(&r->ctx, r->rocks[i].b, &only, 1,
                                                   &r->disk->reader, false));
}

static void
run(uint64_t with_seed, const char *cache, int64_t ttl_ms, int steps)
{
    rig *r = wr_mem_zalloc(NULL, sizeof *r);
    rig_open_all(r, cache, ttl_ms);
    seed = with_seed;
    r->mem = store_open(r, &wr_state_hashmap_ops, 0, MAX_P - 1);
    open_rocks(r, 1);
    for (int i = 0; i < steps && !check_failures; i++) {
        step_both(r);
        if (i % 8 == 0) wr_arena_reset(r->arena);
        if (ttl_ms && rnd(10) == 0) {
            r->now_ms += rnd((uint32_t)ttl_ms / 20);
            r->mem.b->now_ms = r->now_ms;
            for (uint32_t k = 0; k < r->ranges; k++) {
                r->rocks[k].b->now_ms = r->now_ms;
                if (rnd(2)) r->rocks[k].ops->sweep(r->rocks[k].b, r->now_ms, rnd(500));
            }
        }
        if (i % 400 == 399) compare_all(r);
        if (rnd(200) == 0) {
            wr_state_handle h;
            take(r, &r->rocks[rnd(r->ranges)], WR_SNAPSHOT_INCREMENTAL, rnd(2), &h);
        }
        if (rnd(700) == 0) move_to(r, 1 + rnd(RANGES));
        if (rnd(1500) == 0) swap_backends(r, 1 + rnd(RANGES));
        if (r->disk->count > RIG_FILES / 2) {
            rig_disk_destroy(r->disk);
            r->disk = rig_disk_create(r->budget);
        }
    }
    compare_all(r);
    close_rocks(r);
    r->mem.ops->close(r->mem.b);
    rig_close_all(r);
    wr_mem_free(NULL, r, sizeof *r);
}

TEST(random_operations_answer_as_in_memory)
{
    run(1, "1 b", 0, 4000);
    run(2, "20 kb", 0, 4000);
    run(3, "60 kb", 0, 4000);
}

TEST(random_operations_with_expiry)
{
    run(4, "1 b", 5000, 3000);
    run(5, "20 kb", 1000, 3000);
}

/* ---- folders --------------------------------------------------------------------------------- */

#define MAKERS 4
#define ROUNDS 150

TEST(compression_is_the_level_s_own_unless_something_is_said)
{
    rig r;
    wri_rocks_options o;
    rig_open_all(&r, "1 mb", 0); /* the session's defaults are Flink's names and values */
    CHECK_OK(&r.ctx, wri_rocks_options_read(&r.ctx, &r.config, &o));
    CHECK_EQ_UINT(o.compression_count, 3);
    CHECK_EQ_INT(o.compression[0], rocksdb_no_compression);
    CHECK_EQ_INT(o.compression[2], rocksdb_lz4_compression);
    r.items[r.set.count++] = (wr_option){WR_STR("state.backend.rocksdb.compression.per.level"),
                                         WR_STR("SNAPPY_COMPRESSION"), WR_NO_SPAN};
    CHECK_OK(&r.ctx, wri_rocks_options_read(&r.ctx, &r.config, &o));
    CHECK_EQ_UINT(o.compression_count, 1);
    CHECK_EQ_INT(o.compression[0], rocksdb_snappy_compression);
    rig_close_all(&r);
}

/* More keys in a batch, and more entries that leave at once, than go together: record k is k plus
 * the number of rounds. */
TEST(many_keys_come_and_leave_together)
{
    enum { MANY = 3 * WRI_ROCKS_LIST + 100 };
    static uint64_t fixed[MANY], hash[MANY];
    static uint32_t slots[MANY];
    static uint64_t fresh[MANY / 64 + 1];
    rig r;
    rig_open_all(&r, "1 b", 0);
    store s = store_open(&r, &wr_state_rocksdb_ops, 0, MAX_P - 1);
    for (uint32_t i = 0; i < MANY; i++) {
        fixed[i] = wr_hash_u64(i);
        hash[i] = wr_hash_u64(fixed[i] + 1);
    }
    const wr_keys k = {.n = MANY, .hash = hash, .fixed = fixed};
    uint32_t wrong = 0;
    for (uint32_t round = 0; round < 4; round++) {
        CHECK_OK(&r.ctx, s.ops->resolve(&r.ctx, s.keys, &k, WR_STATE_UPSERT, slots, fresh));
        for (uint32_t i = 0; i < MANY; i++) {
            record *rec = (record *)(void *)wr_state_rec(s.keys, slots[i]);
            wrong += wr_bit_get(fresh, i) != (round == 0);
            wrong += rec->number != (round ? i + round : 0);
            rec->number = i + round + 1;
        }
        CHECK_EQ_UINT(wrong, 0);
        for (int i = 0; i < 3; i++) CHECK_OK(&r.ctx, s.ops->trim(&r.ctx, s.b));
        CHECK_EQ_UINT(s.ops->count(s.keys), MANY);
        CHECK(((const wri_table *)(const void *)s.keys)->live < MANY / 2);
    }
    s.ops->close(s.b);
    rig_close_all(&r);
}

/* How many bytes an incremental snapshot of a restored backend writes, in which one of many entries
 * has changed; `owned`: it may name the files that it was restored from. */
static uint64_t
bytes_after_restore(bool owned)
{
    enum { MANY = 5000 };
    static uint64_t fixed[MANY], hash[MANY];
    static uint32_t slots[MANY];
    rig r;
    wr_state_handle first, second;
    rig_open_all(&r, "1 b", 0);
    store s = store_open(&r, &wr_state_rocksdb_ops, 0, MAX_P - 1);
    for (uint32_t i = 0; i < MANY; i++) {
        fixed[i] = wr_hash_u64(i);
        hash[i] = wr_hash_u64(fixed[i] + 1);
    }
    wr_keys k = {.n = MANY, .hash = hash, .fixed = fixed};
    CHECK_OK(&r.ctx, s.ops->resolve(&r.ctx, s.keys, &k, WR_STATE_UPSERT, slots, NULL));
    take(&r, &s, WR_SNAPSHOT_INCREMENTAL, true, &first);
    s.ops->close(s.b);
    s = store_open(&r, &wr_state_rocksdb_ops, 0, MAX_P - 1);
    const wr_state_handle *from = &first;
    r.disk->reader.owned = owned;
    CHECK_OK(&r.ctx, s.ops->restore(&r.ctx, s.b, &from, 1, &r.disk->reader, false));
    k.n = 1;
    CHECK_OK(&r.ctx, s.ops->resolve(&r.ctx, s.keys, &k, WR_STATE_UPSERT, slots, NULL));
    take(&r, &s, WR_SNAPSHOT_INCREMENTAL, true, &second);
    s.ops->close(s.b);
    s = store_open(&r, &wr_state_rocksdb_ops, 0, MAX_P - 1); /* from the old and new files */
    from = &second;
    CHECK_OK(&r.ctx, s.ops->restore(&r.ctx, s.b, &from, 1, &r.disk->reader, false));
    CHECK_EQ_UINT(s.ops->count(s.keys), MANY);
    k.n = MANY;
    CHECK_OK(&r.ctx, s.ops->resolve(&r.ctx, s.keys, &k, WR_STATE_READ, slots, NULL));
    for (uint32_t i = 0; i < MANY; i++) CHECK(slots[i] != WR_SLOT_NONE);
    s.ops->close(s.b);
    const uint64_t bytes = second.bytes_written;
    CHECK(first.bytes_written > MANY * 8); /* numbers do not compress */
    rig_close_all(&r);
    return bytes;
}

TEST(increments_go_on_behind_a_restore_where_the_files_are_the_job_s_own)
{
    CHECK(bytes_after_restore(true) < 5000u * 8);
    CHECK(bytes_after_restore(false) > 5000u * 8);
}

typedef struct maker {
    wr_os_thread thread;
    const char *base;
    uint32_t lost, failed;
} maker;

/* Every opening looks for folders of dead processes, while the others are making theirs. */
static void
make_folders(void *arg)
{
    maker *m = arg;
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    for (int i = 0; i < ROUNDS; i++) {
        wri_rocks_dir d;
        wr_os_stat st;
        if (wri_rocks_dir_open(&ctx, m->base, &d) != WR_OK) {
            m->failed++;
            continue;
        }
        m->failed += ctx.err.status != WR_OK; /* nothing that a later failure would be hidden by */
        wr_os_thread_yield();
        m->lost += wr_os_stat_path(&ctx, d.path, &st) != WR_OK || st.kind != WR_OS_DIR;
        wri_rocks_dir_close(&d);
    }
}

static uint32_t
count_entries(wr_ctx *ctx, const char *base)
{
    wr_os_dir dir;
    const char *name;
    uint32_t n = 0;
    CHECK_OK(ctx, wr_os_dir_open(ctx, base, &dir));
    while (wr_os_dir_next(ctx, &dir, &name) == WR_OK && name) n++;
    wr_os_dir_close(&dir);
    return n;
}

TEST(nobody_removes_the_folder_of_another)
{
    wr_ctx ctx;
    char base[WR_OS_PATH_MAX], path[WR_OS_PATH_MAX];
    maker m[MAKERS];
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_os_temp_name(&ctx, NULL, "weir-test-", base, sizeof base - 64));
    /* what a dead process has left: with a lock that nobody holds */
    (void)snprintf(path, sizeof path, "%.200s/weir-rocksdb-2/db", base);
    CHECK_OK(&ctx, wr_os_make_dirs(&ctx, path));
    (void)snprintf(path, sizeof path, "%.200s/weir-rocksdb-2/owner", base);
    wr_os_file owner;
    CHECK_OK(&ctx, wr_os_file_open(&ctx, path, WR_OS_WRITE_NEW, &owner));
    wr_os_file_close(&owner);
    for (int i = 0; i < MAKERS; i++) {
        m[i] = (maker){.base = base};
        CHECK_OK(&ctx, wr_os_thread_start(&ctx, &m[i].thread, "maker", make_folders, &m[i]));
    }
    for (int i = 0; i < MAKERS; i++) {
        wr_os_thread_join(&m[i].thread);
        CHECK_EQ_UINT(m[i].lost, 0);
        CHECK_EQ_UINT(m[i].failed, 0);
    }
    CHECK_EQ_UINT(count_entries(&ctx, base), 0);
    CHECK_OK(&ctx, wr_os_remove_tree(&ctx, base));
}

/* Flink 2.3 says the first sentence; RocksDB has no database of the others. */
TEST(options_that_cannot_be_are_told)
{
    static const struct {
        const char *key, *value, *words;
    } cases[] = {{"state.backend.rocksdb.memory.write-buffer-ratio", "0.95",
                  "Invalid configuration: writeBufferRatio 0.95 with highPriPoolRatio 0.1"},
                 {"state.backend.rocksdb.memory.write-buffer-ratio", "0.9", NULL},
                 {"state.backend.rocksdb.compaction.style", "NONE",
                  "'state.backend.rocksdb.compaction.style' = 'NONE' is not supported"},
                 {"state.backend.rocksdb.compaction.style", "UNIVERSAL", NULL},
                 {"state.backend.rocksdb.log.level", "NUM_INFO_LOG_LEVELS",
                  "'state.backend.rocksdb.log.level' = 'NUM_INFO_LOG_LEVELS' is not supported"}};
    for (uint32_t i = 0; i < WR_COUNT(cases); i++) {
        wr_ctx ctx;
        wri_rocks_options o;
        wr_option item = {wr_str_c(cases[i].key), wr_str_c(cases[i].value), WR_NO_SPAN};
        const wr_options set = {&item, 1};
        const wr_config config = {&set, wr_session_option_defs()};
        wr_ctx_init(&ctx);
        const wr_status status = wri_rocks_options_read(&ctx, &config, &o);
        const char *got = status == WR_OK ? "(fine)" : ctx.err.message;
        const char *want = cases[i].words ? cases[i].words : "(fine)";
        CHECK_MSG(strcmp(got, want) == 0, "%s = %s: %s", cases[i].key, cases[i].value, got);
    }
}

TEST(memory_per_slot_does_not_overflow)
{
    wr_ctx ctx;
    wri_rocks_options o;
    wr_option items[] = {
        {WR_STR("state.backend.rocksdb.memory.fixed-per-slot"), WR_STR("4000000 tb"), WR_NO_SPAN},
        {WR_STR("parallelism.default"), WR_STR("16"), WR_NO_SPAN}};
    const wr_options set = {items, 2};
    const wr_config config = {&set, wr_session_option_defs()};
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wri_rocks_options_read(&ctx, &config, &o));
    CHECK(o.total_bytes == SIZE_MAX);
}

#endif

CHECK_MAIN()
