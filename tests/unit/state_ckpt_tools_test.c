/* SPDX-License-Identifier: Apache-2.0 */
/* links: state fs
 * What tools do with checkpoints: reading the entries of keyed state, and writing a checkpoint
 * again with operators renamed or left out, in either format; of either backend. Damage is found by
 * them and by restores, wherever it is. */
#include "unit/state_ckpt_rig.h"

#define KEYS 200u

static wr_ctx ctx;
static const wr_state_ops *writer = &wr_state_hashmap_ops; /* whose checkpoint it is */

typedef struct record {
    uint64_t number;
    wr_blob text;
} record;

typedef struct place {
    wr_arena *a;
    wr_str root, good; /* good: a checkpoint with the state of fill() */
    wr_ckpt_store *store;
} place;

static wr_state_table *
add_table(wr_state_backend *b, const char *id, wr_state_shape shape, wr_state_table *parent)
{
    static const wr_field field = {{"k", 1}, NULL, {"", 0}};
    static wr_field fields[1];
    static const wr_state_part parts[] = {{"number", WR_PART_PLAIN, 0, 8, NULL},
                                          {"text", WR_PART_PLAIN, 8, 16, NULL}};
    static wr_schema key;
    wr_state_table *t = NULL;
    fields[0] = field;
    fields[0].type = wr_type_of(WR_T_BIGINT, false);
    key = (wr_schema){fields, 1};
    const wr_state_desc d = {.logical_id = wr_str_c(id),
                             .shape = shape,
                             .key = &key,
                             .record_bytes = sizeof(record),
                             .parent = parent,
                             .parts = parts,
                             .part_count = 2};
    CHECK_OK(&ctx, writer->table_open(&ctx, b, &d, &t));
    return t;
}

/* Key i holds 3 * i and the text "i" + i; every third key has a map entry i + 7 -> i. */
static void
fill(wr_state_table *keys, wr_state_table *map)
{
    const wr_state_ops *ops = writer;
    for (uint64_t i = 0; i < KEYS; i++) {
        const uint64_t hash = wr_hash_u64(i), sub = i + 7, sub_hash = wr_hash_u64(i + 7);
        const wr_keys k = {.n = 1, .hash = &hash, .fixed = &i};
        const wr_keys sk = {.n = 1, .hash = &sub_hash, .fixed = &sub};
        uint32_t slot;
        uint8_t *rec;
        char text[32];
        CHECK_OK(&ctx, ops->resolve(&ctx, keys, &k, WR_STATE_UPSERT, &slot, NULL));
        record *r = (record *)(void *)wr_state_rec(keys, slot);
        const int len = snprintf(text, sizeof text, "i%llu", (unsigned long long)i);
        r->number = 3 * i;
        CHECK_OK(&ctx, ops->blob_set(&ctx, keys, &r->text, text, (uint32_t)len));
        if (i % 3) continue;
        CHECK_OK(&ctx, ops->map_resolve(&ctx, map, &slot, &sk, WR_STATE_UPSERT, &rec, NULL));
        ((record *)(void *)rec)->number = i;
    }
}

static wr_status
write_state(wr_ckpt *c, wr_state_backend *b, wr_state_handle *out)
{
    const wr_state_ops *ops = writer;
    wr_state_snapshot *s;
    wr_state_writer *w;
    WR_TRY(ops->snapshot(&ctx, b, 1, WR_SNAPSHOT_INCREMENTAL, &s));
    WR_TRY(wr_ckpt_writer_open(&ctx, c, &w));
    const wr_status status = ops->snapshot_write(&ctx, s, w, out);
    ops->snapshot_release(s, status == WR_OK);
    wr_ckpt_writer_close(w);
    return status;
}

static void
make_checkpoint(place *p)
{
    const wr_state_ops *ops = writer;
    wr_state_backend *b = NULL;
    wr_ckpt *c = NULL;
    CHECK_OK(&ctx, ops->open(&ctx, NULL, NULL, 0, 127, 128, &b));
    CHECK_FATAL(b);
    wr_state_table *keys = add_table(b, "keys", WR_STATE_VALUE, NULL);
    fill(keys, add_table(b, "map", WR_STATE_MAP, keys));
    CHECK_OK(&ctx, wr_ckpt_begin(&ctx, p->store, 1, WR_CHECKPOINT, WR_STR(""), &c));
    wr_ckpt_meta *m = rig_meta(&ctx, wr_ckpt_arena(c), 1, WR_CHECKPOINT, NULL, 0);
    CHECK_OK(&ctx, write_state(c, b, m->operators[0].subtasks[1].keyed));
    wr_ckpt_operator *ops2 = WR_NEW_N(wr_ckpt_arena(c), wr_ckpt_operator, 2);
    ops2[0] = m->operators[0];
    ops2[1] = (wr_ckpt_operator){WR_STR("sink"), WR_STR("Sink"), 1, 128, NULL, 0};
    m->operators = ops2;
    m->operator_count = 2;
    p->good = wr_arena_str(p->a, wr_ckpt_path(c));
    CHECK_OK(&ctx, wr_ckpt_publish(&ctx, c, m));
    ops->close(b);
}

static place
place_open(void)
{
    char name[WR_OS_PATH_MAX];
    place p = {.a = wr_arena_create(NULL, 0)};
    wr_ctx_init(&ctx);
    if (!wr_find_fs(WR_STR("/"))) CHECK(wr_fs_register());
    CHECK_OK(&ctx, wr_os_temp_name(&ctx, NULL, "weir-tools-", name, sizeof name));
    p.root = wr_arena_str(p.a, wr_str_c(name));
    CHECK_OK(&ctx, wr_ckpt_store_open(&ctx, p.root, WR_STR("job"), 1, NULL, &p.store));
    make_checkpoint(&p);
    return p;
}

static void
place_close(place *p)
{
    wr_ctx_init(&ctx);
    wr_ckpt_store_close(p->store);
    CHECK_OK(&ctx, wr_os_remove_tree(&ctx, p->root.ptr));
    wr_arena_destroy(p->a);
}

static uint64_t
number_at(const void *p)
{
    return wr_load64(p); /* tests run on little-endian machines */
}

static void
check_entry(const wr_ckpt_entry *e, uint8_t *seen)
{
    char text[32];
    wr_str blob;
    CHECK_FATAL(e->key.len == 8);
    const uint64_t key = number_at(e->key.ptr), number = number_at(e->record);
    if (e->table == 0) {
        const int len = snprintf(text, sizeof text, "i%llu", (unsigned long long)key);
        CHECK_FATAL(key < KEYS);
        CHECK_EQ_UINT(number, 3 * key);
        CHECK(wr_ckpt_entry_blob(e, offsetof(record, text), &blob));
        CHECK(blob.len == (size_t)len && memcmp(blob.ptr, text, blob.len) == 0);
        CHECK_EQ_INT(e->key_group, wr_key_group(wr_hash_u64(key), 128));
        seen[key] |= 1;
    } else {
        CHECK_FATAL(e->parent_key.len == 8 && number_at(e->parent_key.ptr) < KEYS);
        CHECK_EQ_UINT(number_at(e->parent_key.ptr), number);
        CHECK_EQ_UINT(key, number + 7);
        CHECK(!wr_ckpt_entry_blob(e, offsetof(record, text), &blob));
        seen[number] |= 2;
    }
}

/* Everything that fill() made is in the operator, once. */
static void
check_state(wr_str path, const char *op_id, const char *format, wr_arena *a)
{
    wr_ckpt_meta *m = NULL;
    wr_state_reader *r = NULL;
    wr_ckpt_scan *s = NULL;
    wr_ckpt_entry e;
    bool end = false;
    uint8_t seen[KEYS] = {0};
    uint32_t n = 0;
    CHECK_OK(&ctx, wr_ckpt_load(&ctx, path, a, &m));
    CHECK_OK(&ctx, wr_ckpt_verify(&ctx, m));
    const wr_ckpt_operator *op = wr_ckpt_find(m, wr_str_c(op_id));
    CHECK_FATAL(op && op->subtasks[1].keyed);
    CHECK_EQ_WRSTR(op->subtasks[1].keyed->format, format);
    CHECK_OK(&ctx, wr_ckpt_reader(&ctx, m, a, &r));
    CHECK_OK(&ctx, wr_ckpt_scan_open(&ctx, op->subtasks[1].keyed, r, NULL, NULL, &s));
    CHECK_FATAL(s);
    CHECK_OK(&ctx, wr_ckpt_scan_next(&ctx, s, &e, &end));
    for (; !end && !ctx.err.message[0]; n++) {
        check_entry(&e, seen);
        CHECK_OK(&ctx, wr_ckpt_scan_next(&ctx, s, &e, &end));
    }
    wr_ckpt_scan_close(s);
    CHECK_EQ_INT(n, KEYS + (KEYS + 2) / 3);
    for (uint32_t i = 0; i < KEYS; i++) CHECK(seen[i] == (i % 3 ? 1 : 3));
}

/* The backends whose checkpoints are read, and their native format. */
static const struct {
    const wr_state_ops *ops;
    const char *format;
} writers[] = {
    {&wr_state_hashmap_ops, "log-1"},
#ifdef WR_HAVE_ROCKSDB
    {&wr_state_rocksdb_ops, "rocksdb-1"},
#endif
};

TEST(entries_are_read)
{
    for (uint32_t i = 0; i < WR_COUNT(writers); i++) { /* in memory */
        writer = writers[i].ops;
        place p = place_open();
        check_state(p.good, "agg:k", writers[i].format, p.a);
        place_close(&p);
    }
}

static void
convert(const char *format)
{
    place p = place_open();
    wr_ckpt_meta *m = NULL;
    const wr_str canonical = wr_arena_printf(p.a, "%s/canonical", p.root.ptr);
    const wr_str native = wr_arena_printf(p.a, "%s/native", p.root.ptr);
    const wr_str copy = wr_arena_printf(p.a, "%s/copy", p.root.ptr);
    wr_ckpt_changes c = {.kind = WR_SAVEPOINT_CANONICAL};
    CHECK_OK(&ctx, wr_ckpt_load(&ctx, p.good, p.a, &m));
    CHECK_OK(&ctx, wr_ckpt_rewrite(&ctx, m, canonical, &c));
    check_state(canonical, "agg:k", "canonical-1", p.a);
    c.kind = WR_SAVEPOINT_NATIVE; /* native state goes as it is */
    CHECK_OK(&ctx, wr_ckpt_rewrite(&ctx, m, copy, &c));
    check_state(copy, "agg:k", format, p.a);
    CHECK_OK(&ctx, wr_ckpt_load(&ctx, canonical, p.a, &m));
    CHECK_EQ_INT(m->kind, WR_SAVEPOINT_CANONICAL);
    CHECK_EQ_INT(m->operators[0].subtasks[0].ops.lists.count, 2);
    CHECK_OK(&ctx, wr_ckpt_rewrite(&ctx, m, native, &c));
    check_state(native, "agg:k", "log-1", p.a);
    CHECK_OK(&ctx, wr_ckpt_load(&ctx, native, p.a, &m));
    CHECK_OK(&ctx, wr_os_remove_tree(&ctx, copy.ptr));
    CHECK_OK(&ctx, wr_ckpt_rewrite(&ctx, m, copy, &c));
    CHECK_OK(&ctx, wr_os_remove_tree(&ctx, native.ptr));
    check_state(copy, "agg:k", "log-1", p.a);
    place_close(&p);
}

TEST(formats_are_converted_both_ways)
{
    if (!wr_find_state(WR_STR("rocksdb"))) CHECK(wr_register_state(&wr_state_rocksdb_ops));
    for (uint32_t i = 0; i < WR_COUNT(writers); i++) { /* each in itself */
        writer = writers[i].ops;
        convert(writers[i].format);
    }
    writer = &wr_state_hashmap_ops;
}

TEST(operators_are_renamed_and_dropped)
{
    place p = place_open();
    wr_ckpt_meta *m = NULL;
    const wr_str out = wr_arena_printf(p.a, "%s/out", p.root.ptr);
    wr_str from[2] = {WR_STR("agg:k"), WR_STR("sink")}, to[2] = {WR_STR("sums"), WR_STR("sums")};
    wr_str drop[1] = {WR_STR("sink")};
    wr_ckpt_changes c = {.kind = WR_SAVEPOINT_NATIVE,
                         .rename_from = from,
                         .rename_to = to,
                         .rename_count = 1,
                         .drop = drop,
                         .drop_count = 1};
    CHECK_OK(&ctx, wr_ckpt_load(&ctx, p.good, p.a, &m));
    CHECK_OK(&ctx, wr_ckpt_rewrite(&ctx, m, out, &c));
    check_state(out, "sums", "log-1", p.a);
    wr_ckpt_meta *again = NULL;
    CHECK_OK(&ctx, wr_ckpt_load(&ctx, out, p.a, &again));
    CHECK_EQ_INT(again->operator_count, 1);
    /* What is there is not touched. */
    CHECK(wr_ckpt_rewrite(&ctx, m, out, &c) == WR_EXISTS);
    wr_ctx_init(&ctx);
    check_state(out, "sums", "log-1", p.a);
    /* Mistakes leave nothing. */
    const wr_str bad = wr_arena_printf(p.a, "%s/bad", p.root.ptr);
    wr_os_stat st;
    c.drop_count = 0;
    c.rename_count = 2;
    CHECK(wr_ckpt_rewrite(&ctx, m, bad, &c) == WR_OPTION);
    CHECK(strstr(ctx.err.message, "two operators would have the id 'sums'"));
    wr_ctx_init(&ctx);
    from[0] = WR_STR("agg:x");
    CHECK(wr_ckpt_rewrite(&ctx, m, bad, &c) == WR_OPTION);
    CHECK(strstr(ctx.err.candidates, "agg:k"));
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_os_stat_path(&ctx, bad.ptr, &st));
    CHECK(st.kind == WR_OS_NONE);
    place_close(&p);
}

TEST(damaged_state_is_not_written_again)
{
    place p = place_open();
    wr_ckpt_meta *m = NULL;
    wr_state_reader *r = NULL;
    wr_str path;
    wr_os_file f;
    wr_os_stat st;
    const wr_str bad = wr_arena_printf(p.a, "%s/bad", p.root.ptr);
    CHECK_OK(&ctx, wr_ckpt_load(&ctx, p.good, p.a, &m));
    CHECK_OK(&ctx, wr_ckpt_reader(&ctx, m, p.a, &r));
    CHECK_OK(&ctx, r->path(&ctx, r, &m->operators[0].subtasks[1].keyed->files[0], &path));
    CHECK_OK(&ctx, wr_os_file_open(&ctx, path.ptr, WR_OS_READ_WRITE, &f));
    CHECK_OK(&ctx, wr_os_file_write_at(&ctx, &f, 100, "?????", 5));
    wr_os_file_close(&f);
    for (int k = WR_SAVEPOINT_CANONICAL; k <= WR_SAVEPOINT_NATIVE; k++) {
        const wr_ckpt_changes c = {.kind = (wr_checkpoint_kind)k};
        CHECK(wr_ckpt_rewrite(&ctx, m, bad, &c) == WR_CORRUPT);
        CHECK(strstr(ctx.err.message, strrchr(path.ptr, '/') + 1));
        wr_ctx_init(&ctx);
        CHECK_OK(&ctx, wr_os_stat_path(&ctx, bad.ptr, &st));
        CHECK(st.kind == WR_OS_NONE);
    }
    place_close(&p);
}

/* ---- a flipped bit --------------------------------------------------------------------------- */

static wr_status
restore_into(const wr_state_ops *ops, const wr_state_handle *h, wr_state_reader *r)
{
    wr_state_backend *b = NULL;
    CHECK_OK(&ctx, ops->open(&ctx, NULL, NULL, 0, 127, 128, &b));
    writer = ops;
    wr_state_table *keys = add_table(b, "keys", WR_STATE_VALUE, NULL);
    (void)add_table(b, "map", WR_STATE_MAP, keys);
    const wr_status status = ops->restore(&ctx, b, &h, 1, r, false);
    ops->close(b);
    return status;
}

/* One byte of a file is another one: verifying tells, and so does a restore into any backend. Each
 * names the file. */
static void
damage(const wr_ckpt_meta *m, const char *path, uint64_t at)
{
    const char *name = strrchr(path, '/') + 1;
    const wr_state_handle *h = m->operators[0].subtasks[1].keyed;
    wr_arena *a = wr_arena_create(NULL, 0);
    wr_state_reader *r = NULL;
    wr_os_file f;
    uint8_t byte;
    size_t got;
    CHECK_OK(&ctx, wr_os_file_open(&ctx, path, WR_OS_READ_WRITE, &f));
    CHECK_OK(&ctx, wr_os_file_read_at(&ctx, &f, at, &byte, 1, &got));
    const uint8_t other = byte ^ 0x10;
    CHECK_OK(&ctx, wr_os_file_write_at(&ctx, &f, at, &other, 1));
    CHECK_EQ_INT(wr_ckpt_verify(&ctx, m), WR_CORRUPT);
    CHECK_MSG(strstr(ctx.err.message, name) != NULL, "%s: %s", name, ctx.err.message);
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_ckpt_reader(&ctx, m, a, &r));
    for (uint32_t i = 0; i < WR_COUNT(writers); i++) {
        CHECK_EQ_INT(restore_into(writers[i].ops, h, r), WR_CORRUPT);
        CHECK_MSG(strstr(ctx.err.message, name) != NULL, "%s at %u: %s", name, (unsigned)at,
                  ctx.err.message);
        wr_ctx_init(&ctx);
    }
    CHECK_OK(&ctx, wr_os_file_write_at(&ctx, &f, at, &byte, 1));
    wr_os_file_close(&f);
    wr_arena_destroy(a);
}

static void
damage_metadata(const place *p)
{
    const wr_str path = wr_arena_printf(p->a, "%s/_metadata", p->good.ptr);
    wr_ckpt_meta *m = NULL;
    wr_os_file f;
    wr_os_stat st;
    CHECK_OK(&ctx, wr_os_stat_path(&ctx, path.ptr, &st));
    CHECK_OK(&ctx, wr_os_file_open(&ctx, path.ptr, WR_OS_READ_WRITE, &f));
    for (uint64_t at = 0; at < st.size_bytes; at++) {
        uint8_t byte;
        size_t got;
        CHECK_OK(&ctx, wr_os_file_read_at(&ctx, &f, at, &byte, 1, &got));
        const uint8_t other = byte ^ 0x10;
        CHECK_OK(&ctx, wr_os_file_write_at(&ctx, &f, at, &other, 1));
        const wr_status status = wr_ckpt_load(&ctx, p->good, p->a, &m);
        CHECK_MSG(status == WR_CORRUPT || status == WR_UNSUPPORTED, "byte %u", (unsigned)at);
        wr_ctx_init(&ctx);
        CHECK_OK(&ctx, wr_os_file_write_at(&ctx, &f, at, &byte, 1));
    }
    wr_os_file_close(&f);
    CHECK_OK(&ctx, wr_ckpt_load(&ctx, p->good, p->a, &m));
}

TEST(every_damage_is_found_and_named)
{
    for (uint32_t i = 0; i < WR_COUNT(writers); i++) {
        writer = writers[i].ops;
        place p = place_open();
        wr_ckpt_meta *m = NULL;
        wr_state_reader *r = NULL;
        CHECK_OK(&ctx, wr_ckpt_load(&ctx, p.good, p.a, &m));
        CHECK_OK(&ctx, wr_ckpt_reader(&ctx, m, p.a, &r));
        const wr_state_handle *h = m->operators[0].subtasks[1].keyed;
        for (uint32_t k = 0; k < h->file_count; k++) {
            wr_str path;
            CHECK_OK(&ctx, r->path(&ctx, r, &h->files[k], &path));
            const uint64_t bytes = h->files[k].bytes, step = WR_MAX(bytes / 6, 1u);
            for (uint64_t at = 0; at < bytes; at += step) damage(m, path.ptr, at);
            damage(m, path.ptr, bytes - 1);
        }
        damage_metadata(&p);
        for (uint32_t k = 0; k < WR_COUNT(writers); k++)
            CHECK_OK(&ctx, restore_into(writers[k].ops, h, r)); /* it was the damage */
        place_close(&p);
    }
    writer = &wr_state_hashmap_ops;
}

/* Files that version 1 wrote: what later versions must read. */
TEST(version_1_is_read)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    wr_ctx_init(&ctx);
    if (!wr_find_fs(WR_STR("/"))) CHECK(wr_fs_register());
    check_state(WR_STR("tests/data/state/version-1/job/chk-1"), "agg:k", "log-1", a);
    check_state(WR_STR("tests/data/state/version-1/canonical"), "agg:k", "canonical-1", a);
    check_state(WR_STR("tests/data/state/version-1/native"), "agg:k", "log-1", a);
    wr_arena_destroy(a);
}

CHECK_MAIN()
