/* SPDX-License-Identifier: Apache-2.0 */
/* Batches, pools, vectors: ownership, forms, boxed access, gathering and copying. */
#include "check.h"
#include "unit/type_parse.h"
#include "unit/vec_random.h"

static const char *const all_types[] = {"BOOLEAN",
                                        "TINYINT",
                                        "SMALLINT",
                                        "INT",
                                        "BIGINT",
                                        "FLOAT",
                                        "DOUBLE",
                                        "DECIMAL(10, 2)",
                                        "DECIMAL(38, 10)",
                                        "STRING",
                                        "BYTES",
                                        "DATE",
                                        "TIME(3)",
                                        "TIMESTAMP(3)",
                                        "TIMESTAMP(9)",
                                        "TIMESTAMP_LTZ(6)",
                                        "ARRAY<INT>",
                                        "ARRAY<ARRAY<STRING>>",
                                        "MAP<STRING, INT>",
                                        "MULTISET<STRING>",
                                        "ROW<a INT, b STRING>",
                                        "ARRAY<ROW<a INT, m MAP<INT, ARRAY<STRING>>>>",
                                        "INT NOT NULL"};

#define FOR_TYPES(i) for (size_t i = 0; i < sizeof all_types / sizeof *all_types; i++)

TEST(boxed_values_come_back)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    rnd r = {1};
    FOR_TYPES(k)
    {
        const wr_type *t = type_parse(a, all_types[k]);
        wr_vec v;
        wr_value in[40], out;
        CHECK_FATAL(t && wr_vec_init_flat(&v, t, 40, a));
        for (uint32_t i = 0; i < 40; i++) {
            in[i] = rnd_value(&r, t, a);
            CHECK(wr_vec_put(&v, i, &in[i], a));
        }
        for (uint32_t i = 0; i < 40; i++) {
            CHECK(wr_vec_get(&v, i, a, &out));
            CHECK_MSG(wr_value_eq(&in[i], &out), "%s row %u", all_types[k], i);
        }
    }
    wr_arena_destroy(a);
}

TEST(rows_may_be_overwritten)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    rnd r = {2};
    FOR_TYPES(k)
    {
        const wr_type *t = type_parse(a, all_types[k]);
        wr_vec v;
        wr_value want[8], out;
        CHECK_FATAL(wr_vec_init_flat(&v, t, 8, a));
        for (uint32_t i = 0; i < 64; i++) {
            want[i % 8] = rnd_value(&r, t, a);
            CHECK(wr_vec_put(&v, i % 8, &want[i % 8], a));
        }
        for (uint32_t i = 0; i < 8; i++) {
            CHECK(wr_vec_get(&v, i, a, &out));
            CHECK_MSG(wr_value_eq(&want[i], &out), "%s row %u", all_types[k], i);
        }
    }
    wr_arena_destroy(a);
}

TEST(growing_keeps_values_and_nulls)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    rnd r = {3};
    FOR_TYPES(k)
    {
        const wr_type *t = type_parse(a, all_types[k]);
        wr_vec v;
        wr_value want[130], out;
        CHECK_FATAL(wr_vec_init_flat(&v, t, 1, a));
        for (uint32_t i = 0; i < 130; i++) {
            want[i] = rnd_value(&r, t, a);
            if (i == v.cap) CHECK_FATAL(wr_vec_reserve(&v, i + 1 + i / 3, a));
            CHECK(wr_vec_put(&v, i, &want[i], a));
        }
        for (uint32_t i = 0; i < 130; i++) {
            CHECK(wr_vec_get(&v, i, a, &out));
            CHECK_MSG(wr_value_eq(&want[i], &out), "%s row %u", all_types[k], i);
        }
    }
    wr_arena_destroy(a);
}

TEST(gather_equals_row_by_row)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    rnd r = {4};
    for (int round = 0; round < 6; round++) {
        FOR_TYPES(k)
        {
            const wr_type *t = type_parse(a, all_types[k]);
            const wr_vec v = rnd_vec(&r, t, 100, a);
            uint32_t rows[150];
            for (uint32_t i = 0; i < 150; i++) rows[i] = rnd_below(&r, 100);
            wr_vec out;
            CHECK_FATAL(wr_vec_gather(&out, &v, rows, 150, a));
            CHECK_EQ_INT(out.form, WR_FORM_FLAT);
            for (uint32_t i = 0; i < 150; i++) {
                CHECK_MSG(wr_vec_entry_eq(&out, i, &v, rows[i]), "%s row %u", all_types[k], i);
                CHECK(wr_vec_is_null(&out, i) == wr_vec_is_null(&v, rows[i]));
            }
        }
    }
    wr_arena_destroy(a);
}

TEST(copied_entries_own_their_strings)
{
    wr_arena *a = wr_arena_create(NULL, 0), *b = wr_arena_create(NULL, 0);
    rnd r = {5};
    FOR_TYPES(k)
    {
        const wr_type *t = type_parse(a, all_types[k]);
        wr_vec out;
        wr_value want[20], got;
        CHECK_FATAL(wr_vec_init_flat(&out, t, 20, a));
        for (uint32_t i = 0; i < 20; i++) {
            const wr_vec v = rnd_vec(&r, t, 3, b);
            CHECK(wr_vec_get(&v, i % 3, b, &got));
            want[i] = wr_value_copy(a, &got);
            CHECK(wr_vec_copy_entry(&out, i, &v, i % 3, a));
        }
        wr_arena_reset(b);
        for (uint32_t i = 0; i < 20; i++) {
            CHECK(wr_vec_get(&out, i, a, &got));
            CHECK_MSG(wr_value_eq(&want[i], &got), "%s row %u", all_types[k], i);
        }
    }
    wr_arena_destroy(b);
    wr_arena_destroy(a);
}

TEST(equal_entries_hash_alike_in_every_form)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    rnd r = {6};
    FOR_TYPES(k)
    {
        const wr_type *t = type_parse(a, all_types[k]);
        const wr_vec x = rnd_vec(&r, t, 60, a), y = rnd_vec(&r, t, 60, a);
        for (uint32_t i = 0; i < 60; i++)
            for (uint32_t j = 0; j < 60; j++) {
                const bool eq = wr_vec_entry_eq(&x, i, &y, j);
                const bool same = wr_vec_entry_hash(&x, i, 7) == wr_vec_entry_hash(&y, j, 7);
                CHECK_MSG(eq == same, "%s %u %u", all_types[k], i, j);
            }
    }
    wr_arena_destroy(a);
}

TEST(maps_are_unordered)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    const wr_type *t = type_parse(a, "MAP<STRING, INT>");
    const wr_type *s = wr_type_string(true), *n = wr_type_of(WR_T_INT, true);
    wr_value x[4] = {wr_value_str(s, WR_STR("a")), wr_value_int(n, 1), wr_value_str(s, WR_STR("b")),
                     wr_value_int(n, 2)};
    wr_value y[4] = {x[2], x[3], x[0], x[1]};
    wr_value m1 = {.type = t}, m2 = {.type = t};
    m1.u.list.items = x;
    m2.u.list.items = y;
    m1.u.list.count = m2.u.list.count = 4;
    wr_vec v;
    CHECK_FATAL(wr_vec_init_flat(&v, t, 2, a) && wr_vec_put(&v, 0, &m1, a) &&
                wr_vec_put(&v, 1, &m2, a));
    CHECK(wr_vec_entry_eq(&v, 0, &v, 1));
    CHECK(wr_vec_entry_hash(&v, 0, 1) == wr_vec_entry_hash(&v, 1, 1));
    CHECK(wr_value_eq(&m1, &m2));
    wr_arena_destroy(a);
}

TEST(batch_hash_is_the_fold_of_entry_hashes)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    wr_batch_pool *p = wr_batch_pool_create(NULL);
    rnd r = {7};
    for (int round = 0; round < 30; round++) {
        wr_batch *b = wr_batch_acquire(p, 3);
        CHECK_FATAL(b != NULL);
        for (uint32_t c = 0; c < 3; c++)
            b->cols[c] = rnd_vec(&r, type_parse(a, all_types[rnd_below(&r, 20)]), 130, b->arena);
        b->row_count = 130;
        b->sel = rnd_sel(&r, 130, &b->sel_count, b->arena);
        const uint32_t cols[2] = {2, 0};
        uint64_t hash[130];
        wr_batch_hash(b, cols, 2, hash);
        for (uint32_t i = 0; i < wr_batch_live(b); i++) {
            const uint32_t row = wr_batch_row(b, i);
            const uint64_t h = wr_vec_entry_hash(&b->cols[2], row, WR_HASH_SEED);
            CHECK_EQ_UINT(hash[i], wr_vec_entry_hash(&b->cols[0], row, h));
        }
        wr_batch_release(b);
    }
    wr_batch_pool_destroy(p);
    wr_arena_destroy(a);
}

TEST(views_agree_with_entries)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    rnd r = {8};
    for (int round = 0; round < 20; round++) {
        const wr_vec v = rnd_vec(&r, wr_type_of(WR_T_INT, true), 50, a);
        const wr_view w = wr_vec_view(&v);
        for (uint32_t i = 0; i < 50; i++) {
            CHECK(wr_view_valid(&w, i) == !wr_vec_is_null(&v, i));
            wr_value x;
            CHECK(wr_vec_get(&v, i, a, &x));
            if (!x.is_null) CHECK_EQ_INT(WR_VIEW(&w, int32_t, i), x.u.i);
        }
    }
    const wr_vec none = {.type = wr_type_of(WR_T_NULL, true), .phys = WR_PHYS_NONE};
    const wr_view w = wr_vec_view(&none);
    CHECK(!wr_view_valid(&w, 0) && !wr_view_valid(&w, 1000));
    CHECK(wr_vec_is_null(&none, 3));
    wr_arena_destroy(a);
}

/* ---- pools ----------------------------------------------------------------------------------- */
TEST(batches_go_back_to_their_pool)
{
    wr_memtrack *m = wr_memtrack_create(NULL, "test", 0);
    wr_batch_pool *p = wr_batch_pool_create(m);
    const wr_field f[2] = {{WR_STR("a"), wr_type_of(WR_T_INT, true), {0}},
                           {WR_STR("b"), wr_type_string(true), {0}}};
    const wr_schema schema = {f, 2};
    uint64_t before = 0;
    for (int i = 0; i < 100; i++) {
        wr_batch *b = wr_batch_acquire(p, 2);
        CHECK_FATAL(b && wr_batch_init_flat(b, &schema, 64));
        CHECK_EQ_INT(b->row_count, 0);
        CHECK(b->kind == NULL && b->sel == NULL);
        CHECK(wr_vec_set_str(&b->cols[1], 0, "longer than twelve bytes", 24, b->arena));
        wr_batch_release(b);
        if (i == 3) before = wr_mem_malloc_count();
    }
    CHECK_EQ_UINT(wr_mem_malloc_count(), before); /* nothing new in the steady state */
    wr_batch_pool_destroy(p);
    CHECK_EQ_UINT(wr_memtrack_used(m), 0);
    wr_memtrack_destroy(m);
}

TEST(kept_batches_live_as_long_as_their_keeper)
{
    wr_memtrack *m = wr_memtrack_create(NULL, "test", 0);
    wr_batch_pool *p = wr_batch_pool_create(m);
    wr_batch *a = wr_batch_acquire(p, 1), *b = wr_batch_acquire(p, 1);
    CHECK_FATAL(a && b && wr_batch_keep(b, a));
    CHECK(wr_batch_keep(b, a)); /* once is enough */
    CHECK_EQ_INT(wr_ref_count(&a->refs), 2);
    wr_batch_release(a);
    CHECK_EQ_INT(wr_ref_count(&a->refs), 1);
    wr_batch_ref(b);
    wr_batch_release(b);
    CHECK_EQ_INT(wr_ref_count(&a->refs), 1);
    wr_batch_pool_destroy(p); /* b is still out */
    wr_batch_release(b);
    CHECK_EQ_UINT(wr_memtrack_used(m), 0);
    wr_memtrack_destroy(m);
}

TEST(compacting_keeps_live_rows)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    wr_batch_pool *p = wr_batch_pool_create(NULL);
    rnd r = {9};
    for (int round = 0; round < 20; round++) {
        wr_batch *b = wr_batch_acquire(p, 2);
        CHECK_FATAL(b != NULL);
        for (uint32_t c = 0; c < 2; c++)
            b->cols[c] = rnd_vec(&r, type_parse(a, all_types[rnd_below(&r, 22)]), 70, b->arena);
        b->row_count = 70;
        b->sel = rnd_sel(&r, 70, &b->sel_count, b->arena);
        uint8_t *kind = wr_batch_kinds(b, 70);
        CHECK_FATAL(kind != NULL);
        for (uint32_t i = 0; i < 70; i++) kind[i] = (uint8_t)rnd_below(&r, 4);
        wr_batch *d = wr_batch_compact(p, b);
        CHECK_FATAL(d != NULL);
        CHECK_EQ_INT(d->row_count, wr_batch_live(b));
        for (uint32_t i = 0; i < d->row_count; i++) {
            const uint32_t row = wr_batch_row(b, i);
            CHECK_EQ_INT(wr_batch_kind(d, i), wr_batch_kind(b, row));
            for (uint32_t c = 0; c < 2; c++)
                CHECK(wr_vec_entry_eq(&d->cols[c], i, &b->cols[c], row));
        }
        wr_batch_release(b); /* strings are shared: d keeps b */
        uint64_t sum = 0;
        for (uint32_t i = 0; i < d->row_count; i++) sum += wr_vec_entry_hash(&d->cols[0], i, 1);
        CHECK(sum != 1);
        wr_batch_release(d);
    }
    wr_batch_pool_destroy(p);
    wr_arena_destroy(a);
}

TEST(failed_allocations_are_told)
{
    wr_batch_pool *p = wr_batch_pool_create(NULL);
    wr_arena *a = wr_arena_create(NULL, 0);
    const wr_type *t = type_parse(a, "ARRAY<ROW<a INT, s STRING>>");
    rnd r = {10};
    const wr_vec v = rnd_vec(&r, t, 50, a);
    for (int n = 1; n < 40; n++) {
        wr_mem_fail_after(n);
        wr_batch *b = wr_batch_acquire(p, 1);
        bool ok = b != NULL;
        uint32_t rows[50];
        for (uint32_t i = 0; i < 50; i++) rows[i] = i;
        ok = ok && wr_vec_gather(&b->cols[0], &v, rows, 50, b->arena);
        const bool hit = wr_mem_fail_hit();
        wr_mem_fail_after(0);
        if (ok)
            for (uint32_t i = 0; i < 50; i++) CHECK(wr_vec_entry_eq(&b->cols[0], i, &v, i));
        CHECK(ok || hit);
        wr_batch_release(b);
    }
    wr_batch_pool_destroy(p);
    wr_arena_destroy(a);
}

TEST(row_errors_keep_the_lowest_row)
{
    uint64_t bits[2] = {0, 0};
    wr_row_errs e = {.bits = bits};
    wr_row_err(&e, 70, WR_DATA, "bad %d", 70);
    wr_row_err(&e, 3, WR_DATA, "bad %d", 3);
    wr_row_err(&e, 5, WR_DATA, "bad %d", 5);
    CHECK(e.any && e.first_row == 3);
    CHECK_EQ_STR(e.first_message, "bad 3");
    CHECK(wr_bit_get(bits, 70) && wr_bit_get(bits, 5) && !wr_bit_get(bits, 4));
}

CHECK_MAIN()
