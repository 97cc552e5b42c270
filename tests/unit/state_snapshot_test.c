/* SPDX-License-Identifier: Apache-2.0 */
/* What any state backend must do about snapshots: run through the vtable alone. What a restored
 * backend holds is compared with a model of what was put in, as text: every key with its record,
 * blobs, map entries in their order and ordered entries.
 * links: state */
#include "os/os.h"
#include "unit/check.h"
#include "unit/state_rig.h"

#define MAX_P 128u

typedef struct record { /* of all three tables */
    uint64_t number;
    uint64_t scratch; /* TRANSIENT */
    wr_blob text;
} record;

static const wr_state_part parts[] = {{"number", WR_PART_PLAIN, 0, 8, NULL},
                                      {"scratch", WR_PART_TRANSIENT, 8, 8, NULL},
                                      {"text", WR_PART_PLAIN, 16, 16, NULL}};

typedef struct store { /* a backend with a table of each shape */
    wr_state_backend *b;
    wr_state_table *keys, *map, *ord;
} store;

typedef struct rig {
    wr_ctx ctx;
    wr_memtrack *budget;
    wr_arena *arena;
    const wr_state_ops *ops;
    rig_disk *disk;
    int64_t ttl_ms;
} rig;

static void
rig_open_all(rig *r)
{
    memset(r, 0, sizeof *r);
    wr_ctx_init(&r->ctx);
    r->budget = wr_memtrack_create(NULL, "test", 0);
    r->arena = wr_arena_create(r->budget, 0);
    r->ops = &wr_state_hashmap_ops;
    r->disk = rig_disk_create(r->budget);
}

static void
rig_close_all(rig *r)
{
    rig_disk_destroy(r->disk);
    wr_arena_destroy(r->arena);
    wr_memtrack_destroy(r->budget);
}

static wr_state_table *
add_table(rig *r, store *s, const char *id, wr_state_shape shape, wr_state_table *parent)
{
    wr_state_table *t = NULL;
    const wr_state_desc d = {.logical_id = wr_str_c(id),
                             .shape = shape,
                             .record_bytes = sizeof(record),
                             .ttl_ms = r->ttl_ms,
                             .parent = parent,
                             .parts = parts,
                             .part_count = 3};
    CHECK_OK(&r->ctx, r->ops->table_open(&r->ctx, s->b, &d, &t));
    return t;
}

static store
store_open(rig *r, uint32_t kg_first, uint32_t kg_last)
{
    store s;
    CHECK_OK(&r->ctx, r->ops->open(&r->ctx, NULL, r->budget, kg_first, kg_last, MAX_P, &s.b));
    s.b->now_ms = 1000;
    s.keys = add_table(r, &s, "keys", WR_STATE_VALUE, NULL);
    s.map = add_table(r, &s, "map", WR_STATE_MAP, s.keys);
    s.ord = add_table(r, &s, "ord", WR_STATE_ORDERED, s.keys);
    return s;
}

static void
store_close(rig *r, store *s)
{
    r->ops->close(s->b);
    s->b = NULL;
}

/* The key of 0 is empty, others are short or long. */
static uint32_t
key_text(uint32_t n, char *out)
{
    if (n == 0) return 0;
    const int len = n % 3 == 0 ? snprintf(out, 64, "a key that is longer than eight bytes, %u", n)
                               : snprintf(out, 64, "k%u", n);
    return (uint32_t)len;
}

static uint32_t
slot_of(rig *r, store *s, uint32_t n, wr_intent intent)
{
    char text[64];
    const uint32_t off[2] = {0, key_text(n, text)};
    const uint64_t hash = wr_hash_bytes(text, off[1], 7);
    const wr_keys k = {.n = 1, .hash = &hash, .data = (const uint8_t *)text, .off = off};
    uint32_t slot = WR_SLOT_NONE;
    CHECK_OK(&r->ctx, r->ops->resolve(&r->ctx, s->keys, &k, intent, &slot, NULL));
    return slot;
}

static bool
mine(uint32_t n, uint32_t kg_first, uint32_t kg_last)
{
    char text[64];
    const uint32_t kg = wr_key_group(wr_hash_bytes(text, key_text(n, text), 7), MAX_P);
    return kg >= kg_first && kg <= kg_last;
}

static void
set_record(rig *r, wr_state_table *t, uint8_t *rec, uint64_t number)
{
    record *x = (record *)(void *)rec;
    char text[80];
    x->number = number;
    x->scratch = number + 1;
    const int len = snprintf(text, sizeof text, "text of %" PRIu64 " and some more of it", number);
    CHECK_OK(&r->ctx, r->ops->blob_set(&r->ctx, t, &x->text, text, number % 4 ? (uint32_t)len : 0));
}

static uint8_t *
map_entry(rig *r, store *s, uint32_t slot, uint32_t sub, wr_intent intent)
{
    char text[64];
    const uint32_t off[2] = {0, key_text(sub, text)};
    const uint64_t hash = wr_hash_bytes(text, off[1], 3);
    const wr_keys k = {.n = 1, .hash = &hash, .data = (const uint8_t *)text, .off = off};
    uint8_t *rec = NULL;
    CHECK_OK(&r->ctx, r->ops->map_resolve(&r->ctx, s->map, &slot, &k, intent, &rec, NULL));
    return rec;
}

static void
put_value(rig *r, store *s, uint32_t n, uint64_t number)
{
    set_record(r, s->keys, wr_state_rec(s->keys, slot_of(r, s, n, WR_STATE_UPSERT)), number);
}

static void
put_map(rig *r, store *s, uint32_t n, uint32_t sub, uint64_t number)
{
    const uint32_t slot = slot_of(r, s, n, WR_STATE_UPSERT);
    set_record(r, s->map, map_entry(r, s, slot, sub, WR_STATE_UPSERT), number);
}

static void
put_ord(rig *r, store *s, uint32_t n, uint32_t sub, uint64_t number)
{
    const uint32_t slot = slot_of(r, s, n, WR_STATE_UPSERT);
    char text[64];
    uint8_t *rec = NULL;
    const uint32_t len = key_text(sub, text);
    CHECK_OK(&r->ctx,
             r->ops->ord_put(&r->ctx, s->ord, slot, (const uint8_t *)text, len, &rec, NULL));
    set_record(r, s->ord, rec, number);
}

/* ---- what a store holds, as text ------------------------------------------------------------- */

static void
tell_record(const rig *r, const wr_state_table *t, const uint8_t *rec, wr_text *out)
{
    const record *x = (const record *)(const void *)rec;
    wr_text_printf(out, "=%" PRIu64 "'%.*s'", x->number, (int)x->text.len,
                   (const char *)r->ops->blob_get(t, &x->text));
}

static void
tell_key(rig *r, store *s, uint32_t n, wr_text *out)
{
    const uint32_t slot = slot_of(r, s, n, WR_STATE_READ);
    if (slot == WR_SLOT_NONE) return;
    wr_text_printf(out, "%u", n);
    tell_record(r, s->keys, wr_state_rec(s->keys, slot), out);
    wr_state_iter it;
    wr_text_printf(out, " map %u", r->ops->map_count(s->map, slot));
    for (bool on = r->ops->map_first(s->map, slot, &it); on; on = r->ops->map_next(&it)) {
        wr_text_printf(out, " %.*s", (int)it.key_len, (const char *)it.key);
        tell_record(r, s->map, it.rec, out);
    }
    wr_text_printf(out, " ord %u", r->ops->ord_count(s->ord, slot));
    for (bool on = r->ops->ord_seek(s->ord, slot, NULL, 0, &it); on; on = r->ops->ord_next(&it)) {
        wr_text_printf(out, " %.*s", (int)it.key_len, (const char *)it.key);
        tell_record(r, s->ord, it.rec, out);
    }
    wr_text_puts(out, "\n");
}

/* All of keys 0..keys-1 that lie in the range, from stores that divide the key groups. */
static const char *
tell(rig *r, store *s, uint32_t stores, uint32_t keys)
{
    wr_text out;
    wr_text_init(&out, r->arena);
    for (uint32_t n = 0; n < keys; n++) {
        for (uint32_t i = 0; i < stores; i++) {
            if (!mine(n, i * MAX_P / stores, (i + 1) * MAX_P / stores - 1)) continue;
            tell_key(r, &s[i], n, &out);
        }
    }
    uint64_t count = 0;
    for (uint32_t i = 0; i < stores; i++) count += r->ops->count(s[i].keys);
    wr_text_printf(&out, "%" PRIu64 " keys", count);
    wr_text_putc(&out, '\0');
    return out.ptr;
}

/* Compare without printing pages of text. */
#define CHECK_SAME(got, want)                                                                      \
    do {                                                                                           \
        const char *got_ = (got), *want_ = (want);                                                 \
        size_t at_ = 0;                                                                            \
        while (got_[at_] && got_[at_] == want_[at_]) at_++;                                        \
        CHECK_MSG(got_[at_] == want_[at_], "differ at %zu: '%.60s' want '%.60s'", at_, got_ + at_, \
                  want_ + at_);                                                                    \
    } while (0)

/* ---- snapshots ------------------------------------------------------------------------------- */

static uint64_t last_id;

/* Freeze, write, release; *out in the disk's arena. */
static wr_status
take(rig *r, store *s, wr_snapshot_kind kind, bool kept, wr_state_handle *out)
{
    wr_state_snapshot *snap = NULL;
    r->disk->writer.sort_bytes = last_id % 2; /* a little memory, every other time */
    WR_TRY(r->ops->snapshot(&r->ctx, s->b, ++last_id, kind, &snap));
    const wr_status status = r->ops->snapshot_write(&r->ctx, snap, &r->disk->writer, out);
    r->ops->snapshot_release(snap, kept && status == WR_OK);
    return status;
}

/* Stores 0..stores-1 of a division of the key groups, filled from the handles. */
static void
restore_all(rig *r, store *s, uint32_t stores, const wr_state_handle *handles, uint32_t count)
{
    const wr_state_handle *list[16];
    for (uint32_t i = 0; i < count; i++) list[i] = &handles[i];
    for (uint32_t i = 0; i < stores; i++) {
        s[i] = store_open(r, i * MAX_P / stores, (i + 1) * MAX_P / stores - 1);
        CHECK_OK(&r->ctx, r->ops->restore(&r->ctx, s[i].b, list, count, &r->disk->reader, false));
    }
}

static void
close_all(rig *r, store *s, uint32_t stores)
{
    for (uint32_t i = 0; i < stores; i++) store_close(r, &s[i]);
}

static uint64_t
next_random(uint64_t *state)
{
    *state = wr_hash_u64(*state + 0x9e3779b97f4a7c15ull);
    return *state;
}

/* Any change of any kind. */
static void
change(rig *r, store *s, uint64_t *seed, uint32_t keys)
{
    const uint64_t x = next_random(seed);
    const uint32_t n = (uint32_t)(x % keys), sub = (uint32_t)(x >> 32) % 20;
    const uint32_t slot = slot_of(r, s, n, WR_STATE_READ);
    switch (x >> 56 & 15) {
    case 0:
        if (slot != WR_SLOT_NONE) r->ops->remove(s->keys, slot);
        break;
    case 1:
        if (slot != WR_SLOT_NONE) r->ops->map_clear(s->map, slot);
        break;
    case 2:
        if (slot != WR_SLOT_NONE) r->ops->ord_clear(s->ord, slot);
        break;
    case 3:
    case 4:
        if (slot != WR_SLOT_NONE) {
            char text[64];
            const uint32_t len = key_text(sub, text);
            r->ops->map_remove(s->map, slot, (const uint8_t *)text, len,
                               wr_hash_bytes(text, len, 3));
            r->ops->ord_remove(s->ord, slot, (const uint8_t *)text, len);
        }
        break;
    case 5:
        if (slot != WR_SLOT_NONE) { /* read, then changed behind touch and rec_touch */
            r->ops->touch(s->keys, slot);
            set_record(r, s->keys, wr_state_rec(s->keys, slot), x);
            uint8_t *rec = map_entry(r, s, slot, sub, WR_STATE_READ);
            if (rec) r->ops->rec_touch(s->map, rec);
            if (rec) set_record(r, s->map, rec, x);
        }
        break;
    case 6:
    case 7:
    case 8:
        put_value(r, s, n, x);
        break;
    case 9:
    case 10:
    case 11:
        put_map(r, s, n, sub, x);
        break;
    default:
        put_ord(r, s, n, sub, x);
        break;
    }
}

static void
check_shapes(wr_snapshot_kind kind)
{
    rig r;
    rig_open_all(&r);
    store s = store_open(&r, 0, MAX_P - 1);
    for (uint32_t n = 0; n < 50; n++) {
        put_value(&r, &s, n, n * 1000ull);
        for (uint32_t sub = 0; sub < n % 7; sub++) put_map(&r, &s, n, 6 - sub, sub);
        for (uint32_t sub = 0; sub < n % 5; sub++) put_ord(&r, &s, n, 9 - sub, sub + 100);
    }
    wr_state_handle h;
    CHECK_OK(&r.ctx, take(&r, &s, kind, true, &h));
    CHECK_EQ_UINT(h.table_count, 3);
    CHECK_EQ_UINT(h.tables[0].entries, 50);
    CHECK_EQ_INT(h.tables[1].parent, 0);
    store back;
    restore_all(&r, &back, 1, &h, 1);
    CHECK_SAME(tell(&r, &back, 1, 50), tell(&r, &s, 1, 50));
    const record *x =
        (const record *)(const void *)wr_state_rec(back.keys, slot_of(&r, &back, 7, WR_STATE_READ));
    CHECK_EQ_UINT(x->number, 7000);
    CHECK_EQ_UINT(x->scratch, 0); /* transient */
    close_all(&r, &back, 1);
    store_close(&r, &s);
    rig_close_all(&r);
}

TEST(every_shape_comes_back)
{
    check_shapes(WR_SNAPSHOT_INCREMENTAL);
    check_shapes(WR_SNAPSHOT_FULL);
    check_shapes(WR_SNAPSHOT_CANONICAL);
}

TEST(an_empty_backend_comes_back_empty)
{
    rig r;
    rig_open_all(&r);
    store s = store_open(&r, 0, MAX_P - 1), back;
    wr_state_handle h;
    for (int k = WR_SNAPSHOT_INCREMENTAL; k <= WR_SNAPSHOT_CANONICAL; k++) {
        CHECK_OK(&r.ctx, take(&r, &s, (wr_snapshot_kind)k, true, &h));
        restore_all(&r, &back, 1, &h, 1);
        CHECK_SAME(tell(&r, &back, 1, 50), "0 keys");
        close_all(&r, &back, 1);
    }
    store_close(&r, &s);
    rig_close_all(&r);
}

/* Through files of two kinds, and once of both at a time. */
static void
check_rescaled(wr_snapshot_kind first, wr_snapshot_kind second)
{
    rig r;
    rig_open_all(&r);
    store s = store_open(&r, 0, MAX_P - 1), three[3], two[2];
    uint64_t seed = 1;
    for (uint32_t i = 0; i < 3000; i++) change(&r, &s, &seed, 200);
    const char *want = tell(&r, &s, 1, 200);
    wr_state_handle h, h3[3];
    CHECK_OK(&r.ctx, take(&r, &s, first, true, &h));
    restore_all(&r, three, 3, &h, 1);
    CHECK_SAME(tell(&r, three, 3, 200), want);
    for (int i = 0; i < 3; i++)
        CHECK_OK(&r.ctx, take(&r, &three[i], i ? second : first, true, &h3[i]));
    restore_all(&r, two, 2, h3, 3);
    CHECK_SAME(tell(&r, two, 2, 200), want);
    close_all(&r, two, 2);
    close_all(&r, three, 3);
    store_close(&r, &s);
    rig_close_all(&r);
}

TEST(rescaled_one_three_two)
{
    for (int k = WR_SNAPSHOT_INCREMENTAL; k <= WR_SNAPSHOT_CANONICAL; k++)
        for (int l = WR_SNAPSHOT_INCREMENTAL; l <= WR_SNAPSHOT_CANONICAL; l++)
            check_rescaled((wr_snapshot_kind)k, (wr_snapshot_kind)l);
}

TEST(a_chain_with_failures_in_between)
{
    rig r;
    rig_open_all(&r);
    store s = store_open(&r, 0, MAX_P - 1), back;
    uint64_t seed = 2;
    wr_state_handle h;
    for (uint32_t round = 0; round < 120; round++) {
        const uint32_t changes = round % 10 == 9 ? 0 : (uint32_t)(next_random(&seed) % 60);
        for (uint32_t i = 0; i < changes; i++) change(&r, &s, &seed, 100);
        const uint32_t how = (uint32_t)(next_random(&seed) % 6);
        if (how == 0) { /* the writer fails */
            r.disk->fail_left = 1 + (int64_t)(next_random(&seed) % 5);
            const wr_status status = take(&r, &s, WR_SNAPSHOT_INCREMENTAL, true, &h);
            if (r.disk->fail_left == 0) CHECK_EQ_INT(status, WR_IO);
            wr_ctx_reset(&r.ctx);
            if (r.disk->fail_left == 0) continue;
            r.disk->fail_left = 0;
        } else if (how == 1) { /* never written */
            wr_state_snapshot *snap = NULL;
            CHECK_OK(&r.ctx,
                     r.ops->snapshot(&r.ctx, s.b, ++last_id, WR_SNAPSHOT_INCREMENTAL, &snap));
            r.ops->snapshot_release(snap, false);
            continue;
        } else if (how == 2) { /* written, not kept */
            CHECK_OK(&r.ctx, take(&r, &s, WR_SNAPSHOT_INCREMENTAL, false, &h));
        } else if (how == 3) {
            CHECK_OK(&r.ctx,
                     take(&r, &s, round % 2 ? WR_SNAPSHOT_FULL : WR_SNAPSHOT_CANONICAL, true, &h));
        } else {
            CHECK_OK(&r.ctx, take(&r, &s, WR_SNAPSHOT_INCREMENTAL, true, &h));
        }
        r.disk->map = round % 2 == 0;
        restore_all(&r, &back, 1, &h, 1);
        CHECK_SAME(tell(&r, &back, 1, 100), tell(&r, &s, 1, 100));
        close_all(&r, &back, 1);
    }
    store_close(&r, &s);
    rig_close_all(&r);
}

/* Restored again and again from the job's own files, in between changed and written. */
TEST(a_chain_goes_on_behind_restores)
{
    rig r;
    rig_open_all(&r);
    r.disk->reader.owned = true;
    store s = store_open(&r, 0, MAX_P - 1);
    uint64_t seed = 11;
    wr_state_handle h;
    uint32_t went_on = 0;
    for (uint32_t round = 0; round < 150; round++) {
        const uint32_t changes = (uint32_t)(next_random(&seed) % 40);
        for (uint32_t i = 0; i < changes; i++) change(&r, &s, &seed, round % 50 < 40 ? 300 : 20);
        if (round % 3 == 0) /* the highest numbers go, and must not be missed */
            for (uint32_t n = 250; n < 300; n++) {
                const uint32_t slot = slot_of(&r, &s, n, WR_STATE_READ);
                if (slot != WR_SLOT_NONE) r.ops->remove(s.keys, slot);
            }
        const char *want = tell(&r, &s, 1, 300);
        CHECK_OK(&r.ctx, take(&r, &s, WR_SNAPSHOT_INCREMENTAL, true, &h));
        if (round % 5 == 4) continue;
        went_on += h.file_count > 1;
        store_close(&r, &s);
        restore_all(&r, &s, 1, &h, 1);
        CHECK_SAME(tell(&r, &s, 1, 300), want);
    }
    CHECK_MSG(went_on > 60, "%u of 120", went_on);
    store_close(&r, &s);
    rig_close_all(&r);
}

/* What the first increment behind a restore has written, when one of 5000 keys changed; it is whole
 * in any case. */
static uint64_t
bytes_after_restore(bool owned, uint32_t kg_last)
{
    rig r;
    rig_open_all(&r);
    store s = store_open(&r, 0, MAX_P - 1), back;
    for (uint32_t i = 1; i <= 5000; i++) put_value(&r, &s, i, i);
    wr_state_handle h, next;
    CHECK_OK(&r.ctx, take(&r, &s, WR_SNAPSHOT_INCREMENTAL, true, &h));
    store_close(&r, &s);
    r.disk->reader.owned = owned;
    s = store_open(&r, 0, kg_last);
    const wr_state_handle *list = &h;
    CHECK_OK(&r.ctx, r.ops->restore(&r.ctx, s.b, &list, 1, &r.disk->reader, false));
    uint32_t changed = 1;
    while (!mine(changed, 0, kg_last)) changed++;
    put_value(&r, &s, changed, 77);
    CHECK_OK(&r.ctx, take(&r, &s, WR_SNAPSHOT_INCREMENTAL, true, &next));
    CHECK_EQ_UINT(next.file_count, owned && kg_last == MAX_P - 1 ? 2 : 1);
    back = store_open(&r, 0, kg_last);
    list = &next;
    CHECK_OK(&r.ctx, r.ops->restore(&r.ctx, back.b, &list, 1, &r.disk->reader, false));
    CHECK_EQ_UINT(r.ops->count(back.keys), r.ops->count(s.keys));
    for (uint32_t i = 1; i <= 5000; i++) {
        if (!mine(i, 0, kg_last)) continue;
        const uint32_t slot = slot_of(&r, &back, i, WR_STATE_READ);
        CHECK(slot != WR_SLOT_NONE);
        if (slot == WR_SLOT_NONE) continue;
        const record *x = (const record *)(const void *)wr_state_rec(back.keys, slot);
        CHECK_EQ_UINT(x->number, i == changed ? 77 : i);
    }
    store_close(&r, &back);
    store_close(&r, &s);
    rig_close_all(&r);
    return next.bytes_written;
}

TEST(increments_go_on_behind_a_restore_where_the_files_are_the_job_s_own)
{
    CHECK(bytes_after_restore(true, MAX_P - 1) < 1000);
    CHECK(bytes_after_restore(false, MAX_P - 1) > 5000u * 32);
    CHECK(bytes_after_restore(true, MAX_P / 2) > 2000u * 32);
}

TEST(time_to_live_goes_on)
{
    rig r;
    rig_open_all(&r);
    r.ttl_ms = 500;
    store s = store_open(&r, 0, MAX_P - 1), back;
    put_value(&r, &s, 1, 1);
    s.b->now_ms = 1300;
    put_value(&r, &s, 2, 2);
    wr_state_handle h;
    CHECK_OK(&r.ctx, take(&r, &s, WR_SNAPSHOT_FULL, true, &h));
    restore_all(&r, &back, 1, &h, 1);
    back.b->now_ms = 1499;
    CHECK(slot_of(&r, &back, 1, WR_STATE_READ) != WR_SLOT_NONE);
    back.b->now_ms = 1500;
    CHECK_EQ_UINT(slot_of(&r, &back, 1, WR_STATE_READ), WR_SLOT_NONE);
    CHECK(slot_of(&r, &back, 2, WR_STATE_READ) != WR_SLOT_NONE);
    back.b->now_ms = 1800;
    CHECK_EQ_UINT(slot_of(&r, &back, 2, WR_STATE_READ), WR_SLOT_NONE);
    close_all(&r, &back, 1);
    store_close(&r, &s);
    rig_close_all(&r);
}

TEST(fixed_keys_and_null)
{
    rig r;
    rig_open_all(&r);
    store s = store_open(&r, 0, MAX_P - 1), back;
    const uint64_t fixed[3] = {0, 7, 0}, hash[3] = {wr_hash_u64(0), wr_hash_u64(7), 99}, valid = 3;
    const wr_keys k = {.n = 3, .hash = hash, .fixed = fixed, .valid = &valid};
    uint32_t slots[3];
    CHECK_OK(&r.ctx, r.ops->resolve(&r.ctx, s.keys, &k, WR_STATE_UPSERT, slots, NULL));
    for (uint64_t i = 0; i < 3; i++) set_record(&r, s.keys, wr_state_rec(s.keys, slots[i]), 10 + i);
    wr_state_handle h;
    CHECK_OK(&r.ctx, take(&r, &s, WR_SNAPSHOT_FULL, true, &h));
    restore_all(&r, &back, 1, &h, 1);
    CHECK_EQ_UINT(r.ops->count(back.keys), 3);
    CHECK_OK(&r.ctx, r.ops->resolve(&r.ctx, back.keys, &k, WR_STATE_READ, slots, NULL));
    for (uint64_t i = 0; i < 3; i++) {
        CHECK_FATAL(slots[i] != WR_SLOT_NONE);
        CHECK_EQ_UINT(((record *)(void *)wr_state_rec(back.keys, slots[i]))->number, 10 + i);
    }
    close_all(&r, &back, 1);
    store_close(&r, &s);
    rig_close_all(&r);
}

/* ---- changes while a snapshot is written ----------------------------------------------------- */

static wr_snapshot_kind
kind_of(uint32_t round)
{
    return round % 7 == 3   ? WR_SNAPSHOT_CANONICAL
           : round % 3 == 1 ? WR_SNAPSHOT_FULL
                            : WR_SNAPSHOT_INCREMENTAL;
}

typedef struct changing {
    rig *r;
    store *s;
    uint64_t seed;
    uint32_t keys, count;
} changing;

static void
change_some(void *arg)
{
    changing *c = arg;
    for (uint32_t i = 0; i < c->count; i++) change(c->r, c->s, &c->seed, c->keys);
}

typedef struct written { /* what a snapshot gave, and what it should hold */
    wr_state_snapshot *snap;
    wr_state_handle h;
    wr_status status;
    const char *want;
} written;

static written
freeze(rig *r, store *s, wr_snapshot_kind kind, uint32_t keys)
{
    written x = {.want = tell(r, s, 1, keys)};
    r->disk->writer.sort_bytes = last_id % 2;
    CHECK_OK(&r->ctx, r->ops->snapshot(&r->ctx, s->b, ++last_id, kind, &x.snap));
    return x;
}

static void
check_written(rig *r, written *x, uint32_t keys)
{
    store back;
    CHECK_EQ_INT(x->status, WR_OK);
    r->ops->snapshot_release(x->snap, true);
    restore_all(r, &back, 1, &x->h, 1);
    CHECK_SAME(tell(r, &back, 1, keys), x->want);
    close_all(r, &back, 1);
}

TEST(changes_before_it_is_written)
{
    rig r;
    rig_open_all(&r);
    store s = store_open(&r, 0, MAX_P - 1);
    changing c = {&r, &s, 5, 100, 0};
    for (uint32_t round = 0; round < 60; round++) {
        c.count = round * 20;
        change_some(&c);
        written x = freeze(&r, &s, kind_of(round), 100);
        change_some(&c);
        x.status = r.ops->snapshot_write(&r.ctx, x.snap, &r.disk->writer, &x.h);
        change_some(&c);
        check_written(&r, &x, 100);
    }
    store_close(&r, &s);
    rig_close_all(&r);
}

TEST(changes_between_its_blocks)
{
    rig r;
    rig_open_all(&r);
    store s = store_open(&r, 0, MAX_P - 1);
    changing c = {&r, &s, 6, 400, 3000};
    change_some(&c);
    c.count = 60;
    r.disk->arg = &c;
    for (uint32_t round = 0; round < 40; round++) {
        change_some(&c);
        written x = freeze(&r, &s, kind_of(round), 400);
        r.disk->on_append = change_some;
        x.status = r.ops->snapshot_write(&r.ctx, x.snap, &r.disk->writer, &x.h);
        r.disk->on_append = NULL;
        check_written(&r, &x, 400);
    }
    store_close(&r, &s);
    rig_close_all(&r);
}

typedef struct threaded {
    rig *r;
    written *x;
    uint32_t over; /* atomic */
} threaded;

static void
write_in_thread(void *arg)
{
    threaded *t = arg;
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    t->x->status = t->r->ops->snapshot_write(&ctx, t->x->snap, &t->r->disk->writer, &t->x->h);
    wr_os_store(&t->over, 1u);
}

TEST(changes_in_another_thread_than_the_writer)
{
    rig r;
    rig_open_all(&r);
    store s = store_open(&r, 0, MAX_P - 1);
    changing c = {&r, &s, 7, 1000, 10000};
    change_some(&c);
    c.count = 10;
    for (uint32_t round = 0; round < 30; round++) {
        change_some(&c);
        written x = freeze(&r, &s, kind_of(round), 1000);
        threaded t = {&r, &x, 0};
        wr_os_thread thread;
        CHECK_OK(&r.ctx, wr_os_thread_start(&r.ctx, &thread, "writer", write_in_thread, &t));
        while (!wr_os_load(&t.over)) change_some(&c);
        wr_os_thread_join(&thread);
        check_written(&r, &x, 1000);
    }
    store_close(&r, &s);
    rig_close_all(&r);
}

/* ---- what must be refused -------------------------------------------------------------------- */

static wr_status
try_restore(rig *r, const wr_state_handle *h, const wr_state_desc *d, bool allow_dropped,
            wr_state_backend **b, wr_state_table **t)
{
    wr_ctx_reset(&r->ctx);
    CHECK_OK(&r->ctx, r->ops->open(&r->ctx, NULL, r->budget, 0, MAX_P - 1, MAX_P, b));
    if (d) CHECK_OK(&r->ctx, r->ops->table_open(&r->ctx, *b, d, t));
    return r->ops->restore(&r->ctx, *b, &h, 1, &r->disk->reader, allow_dropped);
}

TEST(what_does_not_fit_is_refused)
{
    rig r;
    rig_open_all(&r);
    store s = store_open(&r, 0, MAX_P - 1);
    put_value(&r, &s, 1, 1);
    wr_state_handle h;
    CHECK_OK(&r.ctx, take(&r, &s, WR_SNAPSHOT_FULL, true, &h));
    wr_state_backend *b;
    wr_state_table *t;
    wr_state_desc d = {.logical_id = WR_STR("keys"), .record_bytes = 32, .record_version = 0};
    CHECK_EQ_INT(try_restore(&r, &h, &d, false, &b, &t), WR_SEMANTIC); /* map, ord are not here */
    CHECK(strstr(r.ctx.err.message, "'map'") != NULL);
    r.ops->close(b);
    CHECK_EQ_INT(try_restore(&r, &h, &d, true, &b, &t), WR_OK); /* same size, no parts told */
    CHECK_EQ_UINT(r.ops->count(t), 1);
    r.ops->close(b);
    d.record_bytes = 40;
    CHECK_EQ_INT(try_restore(&r, &h, &d, true, &b, &t), WR_SEMANTIC);
    CHECK(strstr(r.ctx.err.message, "'keys'") != NULL);
    r.ops->close(b);
    wr_state_handle other = h;
    other.max_parallelism = 64;
    CHECK_EQ_INT(try_restore(&r, &other, &d, true, &b, &t), WR_SEMANTIC);
    CHECK(strstr(r.ctx.err.message, "maximum parallelism") != NULL);
    r.ops->close(b);
    other = h;
    other.format = WR_STR("rocksdb-2");
    CHECK_EQ_INT(try_restore(&r, &other, &d, true, &b, &t), WR_UNSUPPORTED);
    CHECK(strstr(r.ctx.err.message, "rocksdb-2") != NULL);
    r.ops->close(b);
    store_close(&r, &s);
    rig_close_all(&r);
}

TEST(parts_of_the_same_name_are_taken_over)
{
    rig r;
    rig_open_all(&r);
    store s = store_open(&r, 0, MAX_P - 1);
    put_value(&r, &s, 1, 41);
    wr_state_handle h;
    CHECK_OK(&r.ctx, take(&r, &s, WR_SNAPSHOT_FULL, true, &h));
    const wr_state_part now[] = {{"new", WR_PART_PLAIN, 0, 8, NULL},
                                 {"text", WR_PART_PLAIN, 8, 16, NULL},
                                 {"number", WR_PART_PLAIN, 24, 8, NULL},
                                 {"scratch", WR_PART_PLAIN, 32, 8, NULL}};
    const wr_state_desc d = {
        .logical_id = WR_STR("keys"), .record_bytes = 40, .parts = now, .part_count = 4};
    wr_state_backend *b;
    wr_state_table *t;
    CHECK_OK(&r.ctx, try_restore(&r, &h, &d, true, &b, &t));
    uint64_t pos = 0;
    uint32_t slot;
    CHECK_FATAL(r.ops->next_slot(t, &pos, &slot));
    const uint8_t *rec = wr_state_rec(t, slot);
    CHECK_EQ_UINT(wr_load64(rec), 0);
    CHECK_EQ_UINT(wr_load64(rec + 24), 41);
    CHECK_EQ_UINT(wr_load64(rec + 32), 0); /* of another kind */
    wr_blob text;
    memcpy(&text, rec + 8, sizeof text);
    CHECK_EQ_BYTES((const char *)r.ops->blob_get(t, &text), text.len,
                   "text of 41 and some more of it");
    r.ops->remove(t, slot); /* finds the blob where it lies now */
    r.ops->close(b);
    store_close(&r, &s);
    rig_close_all(&r);
}

/* Every k-th byte damaged in turn: told, and nothing worse. */
static void
check_damage(wr_snapshot_kind kind)
{
    rig r;
    rig_open_all(&r);
    store s = store_open(&r, 0, MAX_P - 1);
    uint64_t seed = 3;
    for (uint32_t i = 0; i < 60; i++) change(&r, &s, &seed, 10);
    wr_state_handle h;
    CHECK_OK(&r.ctx, take(&r, &s, kind, true, &h));
    rig_file *f = &r.disk->files[r.disk->count - 1];
    const wr_state_handle *list = &h;
    for (size_t at = 0; at < f->len; at += 7) {
        f->data[at] ^= (uint8_t)(1u << at % 8);
        r.disk->map = at % 2 == 0;
        store back = store_open(&r, 0, MAX_P - 1);
        const wr_status status = r.ops->restore(&r.ctx, back.b, &list, 1, &r.disk->reader, false);
        CHECK_MSG(status == WR_CORRUPT, "byte %zu: status %d", at, (int)status);
        CHECK(strstr(r.ctx.err.message, f->name) != NULL);
        wr_ctx_reset(&r.ctx);
        store_close(&r, &back);
        f->data[at] ^= (uint8_t)(1u << at % 8);
    }
    store_close(&r, &s);
    rig_close_all(&r);
}

TEST(damage_is_told)
{
    check_damage(WR_SNAPSHOT_FULL);
    check_damage(WR_SNAPSHOT_CANONICAL);
}

/* Every allocation fails in turn: told, nothing leaked, and the backend lives. */
static void
check_no_memory(wr_snapshot_kind kind)
{
    rig r;
    rig_open_all(&r);
    store s = store_open(&r, 0, MAX_P - 1);
    uint64_t seed = 4;
    for (uint32_t i = 0; i < 100; i++) change(&r, &s, &seed, 20);
    const char *want = tell(&r, &s, 1, 20);
    wr_state_handle h;
    for (int64_t n = 1;; n++) {
        wr_mem_fail_after(n);
        const wr_status status = take(&r, &s, kind, true, &h);
        const bool hit = wr_mem_fail_hit();
        wr_mem_fail_after(0);
        if (status == WR_OK && !hit) break;
        if (status != WR_OK) CHECK_EQ_INT(status, WR_NOMEM);
        wr_ctx_reset(&r.ctx);
    }
    const wr_state_handle *list = &h;
    for (int64_t n = 1;; n++) {
        store back = store_open(&r, 0, MAX_P - 1);
        wr_mem_fail_after(n);
        const wr_status status = r.ops->restore(&r.ctx, back.b, &list, 1, &r.disk->reader, false);
        const bool hit = wr_mem_fail_hit();
        wr_mem_fail_after(0);
        if (status == WR_OK) CHECK_SAME(tell(&r, &back, 1, 20), want);
        store_close(&r, &back);
        if (status == WR_OK && !hit) break;
        CHECK_EQ_INT(status, WR_NOMEM);
        wr_ctx_reset(&r.ctx);
    }
    store_close(&r, &s);
    rig_close_all(&r);
}

/* ---- savepoints in order --------------------------------------------------------------------- */

static wr_state_handle
take_canonical(rig *r, store *s, size_t sort_bytes)
{
    wr_state_snapshot *snap = NULL;
    wr_state_handle h;
    r->disk->writer.sort_bytes = sort_bytes;
    CHECK_OK(&r->ctx, r->ops->snapshot(&r->ctx, s->b, ++last_id, WR_SNAPSHOT_CANONICAL, &snap));
    CHECK_OK(&r->ctx, r->ops->snapshot_write(&r->ctx, snap, &r->disk->writer, &h));
    r->ops->snapshot_release(snap, false);
    return h;
}

static const rig_file *
file_of(const rig *r, const wr_state_handle *h)
{
    for (uint32_t i = 0; i < r->disk->count; i++)
        if (wr_str_eq_c(h->files[0].name, r->disk->files[i].name)) return &r->disk->files[i];
    return NULL;
}

/* Thirty-five megabytes of state, five of memory to put it in order: the high-water mark tells. */
TEST(a_savepoint_needs_the_same_memory_for_any_state)
{
    enum { KEYS = 60000, BYTES = 5 << 20 };
    rig r;
    rig_open_all(&r);
    wr_memtrack *disk_budget = r.budget, *budget = wr_memtrack_create(NULL, "state", 0);
    r.budget = budget;
    store s = store_open(&r, 0, MAX_P - 1);
    for (uint32_t i = 0; i < KEYS; i++) { /* children in another order than their parents */
        const uint32_t n = (uint32_t)(i * 7919ull % KEYS);
        put_value(&r, &s, i, i);
        put_map(&r, &s, n, i % 5, i);
        put_ord(&r, &s, n / 3, i, i);
    }
    const size_t used = r.ops->bytes(s.b);
    CHECK_MSG(used > 6ull * BYTES, "%zu bytes of state", used);
    wr_state_handle h = take_canonical(&r, &s, BYTES);
    CHECK(r.disk->scratch_made == 1 && r.disk->scratch_open == 0);
    const size_t most = wr_memtrack_peak(budget) - used;
    CHECK_MSG(most <= BYTES, "%zu bytes more than the state has", most);
    wr_state_handle whole = take_canonical(&r, &s, 1u << 30); /* all of it in memory */
    CHECK_EQ_UINT(r.disk->scratch_made, 1);
    CHECK(wr_memtrack_peak(budget) - used > 3ull * BYTES);
    const rig_file *a = file_of(&r, &h), *b = file_of(&r, &whole);
    CHECK(a && b && a != b && a->len == b->len && memcmp(a->data, b->data, a->len) == 0);
    r.ops->close(s.b);
    s = store_open(&r, 0, MAX_P - 1);
    const wr_state_handle *list = &h;
    CHECK_OK(&r.ctx, r.ops->restore(&r.ctx, s.b, &list, 1, &r.disk->reader, false));
    CHECK_EQ_UINT(r.ops->count(s.keys), KEYS);
    for (uint32_t i = 0; i < KEYS; i += 97) {
        wr_text text;
        wr_text_init(&text, r.arena);
        tell_key(&r, &s, i, &text);
        wr_text_putc(&text, '\0');
        CHECK(strstr(text.ptr, " map 1 ") != NULL);
    }
    store_close(&r, &s);
    r.budget = disk_budget;
    wr_memtrack_destroy(budget);
    rig_close_all(&r);
}

/* Every call for a file fails once, those for scratch files too; nothing stays open. */
TEST(a_savepoint_that_cannot_be_written_is_told)
{
    rig r;
    rig_open_all(&r);
    store s = store_open(&r, 0, MAX_P - 1), back;
    for (uint32_t i = 0; i < 3000; i++) {
        put_value(&r, &s, i % 1000, i);
        put_map(&r, &s, i % 300, i, i);
    }
    wr_state_handle h;
    for (int64_t n = 1;; n++) {
        r.disk->fail_left = n;
        last_id |= 1; /* with a little memory */
        const wr_status status = take(&r, &s, WR_SNAPSHOT_CANONICAL, true, &h);
        CHECK_EQ_UINT(r.disk->scratch_open, 0);
        if (r.disk->fail_left > 0) {
            CHECK_EQ_INT(status, WR_OK);
            break;
        }
        CHECK_EQ_INT(status, WR_IO);
        wr_ctx_reset(&r.ctx);
    }
    r.disk->fail_left = 0;
    CHECK(r.disk->scratch_made > 10);
    restore_all(&r, &back, 1, &h, 1);
    CHECK_SAME(tell(&r, &back, 1, 1000), tell(&r, &s, 1, 1000));
    close_all(&r, &back, 1);
    r.disk->damage_scratch = true;
    last_id |= 1;
    CHECK_EQ_INT(take(&r, &s, WR_SNAPSHOT_CANONICAL, true, &h), WR_CORRUPT);
    store_close(&r, &s);
    rig_close_all(&r);
}

TEST(no_memory_is_told)
{
    check_no_memory(WR_SNAPSHOT_INCREMENTAL);
    check_no_memory(WR_SNAPSHOT_FULL);
    check_no_memory(WR_SNAPSHOT_CANONICAL);
}

CHECK_MAIN()
