/* SPDX-License-Identifier: Apache-2.0 */
/* links: state fs
 * The bytes of _metadata: against a file made by hand, there and back, and damaged in every place.
 */
#include "unit/state_ckpt_rig.h"

static wr_ctx ctx;

/* docs/reference/checkpoint-format.md shows this file; checksums by xxhsum -H3. */
static const uint8_t tiny[99] = {
    'W',  'E',  'I',  'R',  'C',  'K',  'P',  'T',  /* magic */
    1,    0,    0,    0,                            /* version 1.0 */
    1,    0,    0,    0,                            /* sections */
    99,   0,    0,    0,    0,    0,    0,    0,    /* bytes */
    0x74, 0x7b, 0x56, 0xd6, 0xfc, 0xff, 0x5d, 0x46, /* checksum of the head */
    1,    0,    0,    0,                            /* section: job */
    1,    0,    0,    0,                            /* critical */
    35,   0,    0,    0,    0,    0,    0,    0,    /* bytes of the payload */
    0,                                              /* kind: checkpoint */
    7,    0,    0,    0,    0,    0,    0,    0,    /* id */
    0xe8, 3,    0,    0,    0,    0,    0,    0,    /* time */
    2,    0,    0,    0,    'a',  'b',              /* job id */
    0,    0,    0,    0,                            /* job name */
    0,    0,    0,    0,                            /* version of weir */
    0,    0,    0,    0,                            /* SQL */
    0x44, 0x9f, 0x92, 0x51, 0xcb, 0xe1, 0x3d, 0x26, /* checksum of the section */
    0x8a, 0x2d, 0x01, 0xdb, 0xf5, 0x0a, 0x9d, 0x7c, /* checksum of the file */
};

TEST(metadata_by_hand)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    wr_ckpt_meta m;
    wr_str bytes;
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_ckpt_decode(&ctx, (wr_str){(const char *)tiny, sizeof tiny}, a, &m));
    CHECK_EQ_INT(m.version, 1);
    CHECK_EQ_INT(m.kind, WR_CHECKPOINT);
    CHECK_EQ_INT(m.id, 7);
    CHECK_EQ_INT(m.time_ms, 1000);
    CHECK_EQ_WRSTR(m.job_id, "ab");
    CHECK_EQ_WRSTR(m.sql, "");
    CHECK_EQ_INT(m.operator_count, 0);
    CHECK_OK(&ctx, wr_ckpt_encode(&ctx, &m, a, &bytes));
    CHECK(bytes.len == sizeof tiny && memcmp(bytes.ptr, tiny, sizeof tiny) == 0);
    wr_arena_destroy(a);
}

static wr_str
full_bytes(wr_arena *a)
{
    static wr_state_file files[2];
    wr_str bytes = {0};
    files[0] = (wr_state_file){WR_STR("one"), false, 5, 6};
    files[1] = (wr_state_file){WR_STR("two"), true, 1ull << 40, UINT64_MAX};
    CHECK_OK(&ctx,
             wr_ckpt_encode(&ctx, rig_meta(&ctx, a, 9, WR_SAVEPOINT_NATIVE, files, 2), a, &bytes));
    return bytes;
}

TEST(everything_comes_back)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    wr_ckpt_meta m;
    wr_str again;
    wr_ctx_init(&ctx);
    const wr_str bytes = full_bytes(a);
    CHECK_OK(&ctx, wr_ckpt_decode(&ctx, bytes, a, &m));
    CHECK_FATAL(m.operator_count == 1 && m.operators[0].subtask_count == 2);
    const wr_ckpt_subtask *t = m.operators[0].subtasks;
    CHECK_EQ_WRSTR(m.sql, "INSERT INTO s SELECT 'ä'");
    CHECK_EQ_INT(t[0].ops.lists.count, 2);
    CHECK_EQ_INT(t[0].ops.lists.items[0].items.count, 2);
    CHECK(wr_str_eq(t[0].ops.lists.items[0].items.items[0], (wr_str){"\0\1", 2}));
    CHECK(!t[0].finished && !t[0].keyed && t[1].finished && t[1].keyed);
    const wr_state_handle *h = t[1].keyed;
    CHECK_EQ_WRSTR(h->format, "log-1");
    CHECK_EQ_INT(h->kg_first, 64);
    CHECK_EQ_INT(h->bytes_written, 99);
    CHECK(h->files[1].shared && h->files[1].bytes == 1ull << 40 &&
          h->files[1].checksum == UINT64_MAX);
    CHECK_EQ_INT(h->tables[0].entries, 12345678901);
    CHECK_EQ_INT(h->tables[0].parent, -1);
    CHECK_EQ_INT(h->tables[1].parent, 0);
    CHECK_EQ_WRSTR(h->tables[0].parts[0].name, "SUM(amount)");
    CHECK_EQ_WRSTR(h->tables[0].parts[1].schema.fields[1].name, "`q`");
    CHECK(wr_type_eq(h->tables[0].key.fields[1].type, wr_type_decimal(a, 12, 3, true)));
    CHECK_EQ_INT(wr_ckpt_bytes(&m), (1ll << 40) + 5 + 3); /* files, items of lists */
    CHECK(wr_ckpt_find(&m, WR_STR("agg:k")) == &m.operators[0]);
    CHECK(!wr_ckpt_find(&m, WR_STR("agg")));
    CHECK_OK(&ctx, wr_ckpt_encode(&ctx, &m, a, &again));
    CHECK(wr_str_eq(again, bytes));
    wr_arena_destroy(a);
}

TEST(every_damaged_byte_is_told)
{
    wr_arena *a = wr_arena_create(NULL, 0), *b = wr_arena_create(NULL, 0);
    wr_ctx_init(&ctx);
    const wr_str bytes = full_bytes(a);
    char *copy = wr_arena_dup(a, bytes.ptr, bytes.len);
    for (size_t i = 0; i < bytes.len; i++) {
        wr_ckpt_meta m;
        copy[i] = (char)(copy[i] ^ (1 << i % 8));
        CHECK_MSG(wr_ckpt_decode(&ctx, (wr_str){copy, bytes.len}, b, &m) == WR_CORRUPT,
                  "byte %zu: %s", i, ctx.err.message);
        copy[i] = bytes.ptr[i];
        wr_ctx_init(&ctx);
        CHECK_MSG(wr_ckpt_decode(&ctx, (wr_str){bytes.ptr, i}, b, &m) == WR_CORRUPT, "cut at %zu",
                  i);
        wr_ctx_init(&ctx);
        wr_arena_reset(b);
    }
    wr_arena_destroy(a);
    wr_arena_destroy(b);
}

CHECK_MAIN()
