/* SPDX-License-Identifier: Apache-2.0 */
/* The row and sort-key encodings: bytes as README.md says, round trips, order, damaged bytes. */
#include "check.h"
#include "unit/type_parse.h"
#include "unit/vec_random.h"

static const char *const types[] = {"BOOLEAN",
                                    "TINYINT",
                                    "SMALLINT",
                                    "INT",
                                    "BIGINT",
                                    "FLOAT",
                                    "DOUBLE",
                                    "DECIMAL(10, 2)",
                                    "DECIMAL(38, 10)",
                                    "STRING",
                                    "TIMESTAMP(3)",
                                    "TIMESTAMP(9)",
                                    "ARRAY<INT>",
                                    "ARRAY<ARRAY<STRING>>",
                                    "ROW<a INT, b STRING>",
                                    "ARRAY<ROW<a DOUBLE, b ARRAY<TINYINT>>>",
                                    "MAP<STRING, INT>",
                                    "MAP<ROW<a INT, m MAP<INT, STRING>>, ARRAY<STRING>>",
                                    "MULTISET<INT>"};
#define TYPE_COUNT 19u
#define ORDERED    16u /* the first 16 have an order */

static wr_batch *
random_batch(wr_batch_pool *p, rnd *r, wr_arena *a, const wr_type *const *t, uint32_t cols,
             uint32_t rows)
{
    wr_batch *b = wr_batch_acquire(p, cols);
    WR_ASSERT(b != NULL);
    for (uint32_t c = 0; c < cols; c++) b->cols[c] = rnd_vec(r, t[c], rows, a);
    b->row_count = rows;
    b->sel = rnd_sel(r, rows, &b->sel_count, a);
    return b;
}

TEST(rows_come_back)
{
    wr_batch_pool *p = wr_batch_pool_create(NULL);
    wr_arena *a = wr_arena_create(NULL, 0);
    wr_ctx ctx;
    rnd r = {1};
    wr_ctx_init(&ctx);
    for (int round = 0; round < 200; round++) {
        const wr_type *t[10];
        const uint32_t cols[3] = {4, 0, 9}; /* more than eight columns: two bytes of null bits */
        for (uint32_t c = 0; c < 10; c++) t[c] = type_parse(a, types[rnd_below(&r, TYPE_COUNT)]);
        wr_batch *b = random_batch(p, &r, a, t, 10, 40);
        wr_bytes out;
        CHECK_FATAL(wr_row_encode(b, cols, 3, a, &out));
        CHECK_EQ_INT(out.n, wr_batch_live(b));
        wr_vec back[3];
        for (uint32_t c = 0; c < 3; c++) CHECK_FATAL(wr_vec_init_flat(&back[c], t[cols[c]], 40, a));
        for (uint32_t i = 0; i < out.n; i++) {
            const uint32_t row = wr_batch_row(b, i);
            const uint8_t *from = out.data + out.off[i];
            const size_t len = out.off[i + 1] - out.off[i];
            CHECK_OK(&ctx, wr_row_decode(&ctx, from, len, back, 3, i, rnd_below(&r, 2), a));
            for (uint32_t c = 0; c < 3; c++)
                CHECK(wr_vec_entry_eq(&back[c], i, &b->cols[cols[c]], row));
            wr_text one;
            wr_text_init(&one, a);
            CHECK(wr_row_encode_one(b, cols, 3, row, &one));
            CHECK(one.len == len && memcmp(one.ptr, from, len) == 0);
        }
        wr_batch_release(b);
    }
    wr_batch_pool_destroy(p);
    wr_arena_destroy(a);
}

TEST(equal_rows_have_equal_bytes)
{
    wr_batch_pool *p = wr_batch_pool_create(NULL);
    wr_arena *a = wr_arena_create(NULL, 0);
    rnd r = {2};
    for (uint32_t k = 0; k < TYPE_COUNT; k++) {
        const wr_type *t = type_parse(a, types[k]);
        const uint32_t col = 0;
        wr_batch *b = random_batch(p, &r, a, &t, 1, 80);
        wr_bytes out;
        CHECK_FATAL(wr_row_encode(b, &col, 1, a, &out));
        for (uint32_t i = 0; i < out.n; i++)
            for (uint32_t j = 0; j < out.n; j++) {
                const size_t li = out.off[i + 1] - out.off[i], lj = out.off[j + 1] - out.off[j];
                const bool same =
                    li == lj && memcmp(out.data + out.off[i], out.data + out.off[j], li) == 0;
                const bool eq = wr_vec_entry_eq(&b->cols[0], wr_batch_row(b, i), &b->cols[0],
                                                wr_batch_row(b, j));
                CHECK_MSG(same == eq, "%s", types[k]);
            }
        wr_batch_release(b);
    }
    wr_batch_pool_destroy(p);
    wr_arena_destroy(a);
}

static void
check_bytes(wr_arena *a, const wr_type *const *t, const wr_value *v, uint32_t n, const char *want,
            size_t len)
{
    wr_batch_pool *p = wr_batch_pool_create(NULL);
    wr_batch *b = wr_batch_acquire(p, n);
    uint32_t cols[16];
    for (uint32_t c = 0; c < n; c++) {
        cols[c] = c;
        CHECK_FATAL(wr_vec_init_flat(&b->cols[c], t[c], 1, b->arena));
        CHECK_FATAL(wr_vec_put(&b->cols[c], 0, &v[c], b->arena));
    }
    b->row_count = 1;
    wr_bytes out;
    CHECK_FATAL(wr_row_encode(b, cols, n, a, &out));
    CHECK_EQ_INT(out.off[1], len);
    CHECK(out.off[1] == len && memcmp(out.data, want, len) == 0);
    wr_batch_release(b);
    wr_batch_pool_destroy(p);
}

TEST(bytes_are_as_specified)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    const wr_type *t[4] = {wr_type_of(WR_T_INT, true), wr_type_string(true),
                           wr_type_of(WR_T_DOUBLE, true), wr_type_of(WR_T_BOOLEAN, true)};
    wr_value v[4] = {wr_value_int(t[0], -2), wr_value_str(t[1], WR_STR("abc")), wr_value_null(t[2]),
                     wr_value_bool(true)};
    check_bytes(a, t, v, 4,
                "\x04\xfe\xff\xff\xff\x03"
                "abc\x01",
                10);
    char big[300];
    memset(big, 'x', sizeof big);
    v[1] = wr_value_str(t[1], (wr_str){big, 300});
    char want[304] = "\x00\xac\x02";
    memset(want + 3, 'x', 300);
    check_bytes(a, t + 1, v + 1, 1, want, 303);
    v[2].is_null = false;
    v[2].u.f64 = -(double)NAN; /* every NaN is one NaN */
    check_bytes(a, t + 2, v + 2, 1, "\x00\x00\x00\x00\x00\x00\x00\xf8\x7f", 9);
    const wr_type *at = type_parse(a, "ARRAY<TINYINT>");
    wr_value items[3] = {wr_value_int(at->fields[0].type, 1), wr_value_null(at->fields[0].type),
                         wr_value_int(at->fields[0].type, 3)};
    wr_value arr = {.type = at};
    arr.u.list.items = items;
    arr.u.list.count = 3;
    check_bytes(a, &at, &arr, 1, "\x00\x03\x02\x01\x03", 5);
    wr_arena_destroy(a);
}

/* ---- sort keys ------------------------------------------------------------------------------- */
static int
key_cmp(const wr_bytes *k, uint32_t i, uint32_t j)
{
    const size_t li = k->off[i + 1] - k->off[i], lj = k->off[j + 1] - k->off[j];
    const int c = memcmp(k->data + k->off[i], k->data + k->off[j], WR_MIN(li, lj));
    return c ? c : (li > lj) - (li < lj);
}

static int
sign(int c)
{
    return (c > 0) - (c < 0);
}

static int
want_cmp(const wr_batch *b, const wr_sort_key *keys, uint32_t n, uint32_t x, uint32_t y)
{
    for (uint32_t k = 0; k < n; k++) {
        const wr_vec *v = &b->cols[keys[k].col];
        const bool nx = wr_vec_is_null(v, x), ny = wr_vec_is_null(v, y);
        if (nx != ny) return nx == keys[k].nulls_last ? 1 : -1;
        const int c = nx                 ? 0
                      : keys[k].one_zero ? wr_vec_entry_order(v, x, v, y)
                                         : wr_vec_entry_cmp(v, x, v, y);
        if (c) return keys[k].desc ? -c : c;
    }
    return 0;
}

TEST(sort_keys_order_as_entries_do)
{
    wr_batch_pool *p = wr_batch_pool_create(NULL);
    wr_arena *a = wr_arena_create(NULL, 0);
    rnd r = {3};
    for (int round = 0; round < 150; round++) {
        const wr_type *t[2];
        wr_sort_key keys[2];
        for (uint32_t c = 0; c < 2; c++) {
            t[c] = type_parse(a, types[rnd_below(&r, ORDERED)]);
            keys[c] = (wr_sort_key){1 - c, rnd_below(&r, 2), rnd_below(&r, 2), rnd_below(&r, 2)};
        }
        wr_batch *b = random_batch(p, &r, a, t, 2, 50);
        wr_bytes out;
        CHECK_FATAL(wr_sortkey_encode(b, keys, 2, a, &out));
        for (uint32_t i = 0; i < out.n; i++)
            for (uint32_t j = 0; j < out.n; j++) {
                const int want = want_cmp(b, keys, 2, wr_batch_row(b, i), wr_batch_row(b, j));
                CHECK_EQ_INT(sign(key_cmp(&out, i, j)), sign(want));
            }
        wr_batch_release(b);
    }
    wr_batch_pool_destroy(p);
    wr_arena_destroy(a);
}

/* As Flink sorts doubles and strings */
TEST(order_of_odd_values)
{
    static const double d[] = {-HUGE_VAL, -1.5, -0.0, 0.0, 1e-300, 1.0, HUGE_VAL, (double)NAN};
    static const char *const s[] = {"", "a", "aa", "ab", "b", "\xc3\xa9", "\xf0\x9f\x98\x80"};
    wr_arena *a = wr_arena_create(NULL, 0);
    wr_vec v, w;
    CHECK_FATAL(wr_vec_init_flat(&v, wr_type_of(WR_T_DOUBLE, true), 8, a));
    CHECK_FATAL(wr_vec_init_flat(&w, wr_type_string(true), 7, a));
    memcpy(v.data, d, sizeof d);
    for (uint32_t i = 0; i < 7; i++) CHECK(wr_vec_set_str(&w, i, s[i], (uint32_t)strlen(s[i]), a));
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t j = 0; j < 8; j++)
            CHECK_EQ_INT(sign(wr_vec_entry_cmp(&v, i, &v, j)), (i > j) - (i < j));
    for (uint32_t i = 0; i < 7; i++)
        for (uint32_t j = 0; j < 7; j++)
            CHECK_EQ_INT(sign(wr_vec_entry_cmp(&w, i, &w, j)), (i > j) - (i < j));
    wr_arena_destroy(a);
}

/* ---- damage ---------------------------------------------------------------------------------- */
TEST(damaged_rows_are_refused_or_harmless)
{
    wr_batch_pool *p = wr_batch_pool_create(NULL);
    wr_arena *a = wr_arena_create(NULL, 0), *d = wr_arena_create(NULL, 0);
    rnd r = {4};
    for (int round = 0; round < 3000; round++) {
        const wr_type *t[2] = {type_parse(a, types[rnd_below(&r, TYPE_COUNT)]),
                               type_parse(a, types[rnd_below(&r, TYPE_COUNT)])};
        const uint32_t cols[2] = {0, 1};
        wr_batch *b = random_batch(p, &r, a, t, 2, 3);
        wr_text one;
        wr_text_init(&one, a);
        CHECK_FATAL(wr_row_encode_one(b, cols, 2, 0, &one));
        size_t len = one.len;
        for (uint32_t k = rnd_below(&r, 3); k > 0; k--)
            one.ptr[rnd_below(&r, (uint32_t)len)] ^= (char)(1 << rnd_below(&r, 8));
        if (rnd_below(&r, 2)) len -= rnd_below(&r, (uint32_t)len);
        /* an exact copy, so that the sanitizer sees a step beyond the end */
        uint8_t *copy = wr_mem_alloc(NULL, len ? len : 1);
        memcpy(copy, one.ptr, len);
        wr_ctx ctx;
        wr_vec back[2];
        wr_ctx_init(&ctx);
        CHECK_FATAL(wr_vec_init_flat(&back[0], t[0], 1, d) &&
                    wr_vec_init_flat(&back[1], t[1], 1, d));
        const wr_status st = wr_row_decode(&ctx, copy, len, back, 2, 0, true, d);
        CHECK(st == WR_OK || st == WR_CORRUPT);
        if (st == WR_OK) CHECK(wr_vec_entry_hash(&back[0], 0, 1) != 1);
        wr_mem_free(NULL, copy, len ? len : 1);
        wr_arena_reset(d);
        wr_batch_release(b);
        if (round % 100 == 0) wr_arena_reset(a);
    }
    wr_batch_pool_destroy(p);
    wr_arena_destroy(d);
    wr_arena_destroy(a);
}

static wr_status
decode(const char *bytes, size_t len, const wr_type *t)
{
    wr_ctx ctx;
    wr_vec v;
    wr_arena *a = wr_arena_create(NULL, 0);
    wr_ctx_init(&ctx);
    CHECK(wr_vec_init_flat(&v, t, 1, a));
    const wr_status st = wr_row_decode(&ctx, (const uint8_t *)bytes, len, &v, 1, 0, true, a);
    wr_arena_destroy(a);
    return st;
}

TEST(only_one_way_to_write_a_row)
{
    const wr_type *s = wr_type_string(true);
    CHECK_EQ_INT(decode("\x00\x01x", 3, s), WR_OK);
    CHECK_EQ_INT(decode("\x01", 1, s), WR_OK);
    CHECK_EQ_INT(decode("\x00\x81\x00x", 4, s), WR_CORRUPT); /* a longer length than needed */
    CHECK_EQ_INT(decode("\x02\x01x", 3, s), WR_CORRUPT);     /* an unused null bit */
    CHECK_EQ_INT(decode("\x00\x01xy", 4, s), WR_CORRUPT);    /* left over */
    CHECK_EQ_INT(decode("\x00\x02x", 3, s), WR_CORRUPT);     /* too short */
    CHECK_EQ_INT(decode("\x00\xff\xff\xff\xff\x7f", 6, s), WR_CORRUPT);
    CHECK_EQ_INT(decode("\x00\x02", 2, wr_type_of(WR_T_BOOLEAN, true)), WR_CORRUPT);
    CHECK_EQ_INT(decode("", 0, s), WR_CORRUPT);
}

CHECK_MAIN()
