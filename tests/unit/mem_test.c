/* SPDX-License-Identifier: Apache-2.0 */
/* Budgets, arenas, lists, text, and the failure of every allocation in turn. */
#include "mem/mem.h"
#include "unit/check.h"

TEST(budgets_charge_up_to_the_root_and_refuse_at_any_limit)
{
    wr_memtrack *root = wr_memtrack_create(NULL, "process", 0);
    wr_memtrack *job = wr_memtrack_create(root, "job", 10000);
    wr_memtrack *task = wr_memtrack_create(job, "task", 0);
    CHECK_FATAL(root && job && task);
    size_t base = wr_memtrack_used(root);
    void *p = wr_mem_alloc(task, 6000);
    CHECK(p != NULL && ((uintptr_t)p & 15) == 0);
    CHECK_EQ_UINT(wr_memtrack_used(task), 6000);
    CHECK_EQ_UINT(wr_memtrack_used(root), base + 6000);
    CHECK(wr_mem_alloc(task, 6000) == NULL); /* the job's limit */
    CHECK_EQ_UINT(wr_memtrack_used(root), base + 6000);
    p = wr_mem_realloc(task, p, 6000, 8000);
    CHECK(p != NULL);
    CHECK(wr_mem_realloc(task, p, 8000, 80000) == NULL);
    p = wr_mem_realloc(task, p, 8000, 100);
    CHECK_EQ_UINT(wr_memtrack_used(task), 100);
    CHECK_EQ_UINT(wr_memtrack_peak(task), 8000);
    CHECK(wr_mem_alloc(task, SIZE_MAX) == NULL);
    CHECK(wr_mem_map(task, SIZE_MAX) == NULL);
    wr_mem_free(task, p, 100);
    CHECK_EQ_UINT(wr_memtrack_used(task), 0);
    wr_memtrack_destroy(task);
    wr_memtrack_destroy(job);
    wr_memtrack_destroy(root);
}

TEST(maps_are_zeroed_aligned_and_charged)
{
    wr_memtrack *m = wr_memtrack_create(NULL, "m", 0);
    CHECK_FATAL(m);
    static const size_t sizes[] = {1, 4096, 5000, (2u << 20) - 1, 2u << 20, (5u << 20) + 3};
    for (uint32_t i = 0; i < WR_COUNT(sizes); i++) {
        char *p = wr_mem_map(m, sizes[i]);
        CHECK_FATAL(p);
        CHECK(p[0] == 0 && p[sizes[i] - 1] == 0);
        memset(p, 1, sizes[i]);
        if (sizes[i] >= 2u << 20) CHECK(((uintptr_t)p & ((2u << 20) - 1)) == 0);
        CHECK(wr_memtrack_used(m) >= sizes[i]);
        wr_mem_unmap(m, p, sizes[i]);
        CHECK_EQ_UINT(wr_memtrack_used(m), 0);
    }
    wr_memtrack_destroy(m);
}

TEST(arena_gives_aligned_separate_pieces)
{
    wr_arena *a = wr_arena_create(NULL, 128);
    CHECK_FATAL(a);
    char *pieces[200];
    for (size_t i = 0; i < 200; i++) {
        pieces[i] = wr_arena_alloc(a, i);
        CHECK_FATAL(pieces[i] && ((uintptr_t)pieces[i] & 15) == 0);
        memset(pieces[i], (int)i, i);
    }
    for (size_t i = 1; i < 200; i++) CHECK(pieces[i][0] == (char)i && pieces[i][i - 1] == (char)i);
    char *z = wr_arena_zalloc(a, 1000);
    CHECK(z && z[0] == 0 && z[999] == 0);
    CHECK(wr_arena_alloc(a, SIZE_MAX - 8) == NULL);
    CHECK_EQ_STR(wr_arena_dup(a, "abcdef", 3), "abc");
    CHECK_EQ_WRSTR(wr_arena_str(a, WR_STR("xyz")), "xyz");
    CHECK_EQ_WRSTR(wr_arena_str(a, (wr_str){NULL, 0}), "");
    CHECK_EQ_WRSTR(wr_arena_printf(a, "%d-%s", 7, "seven"), "7-seven");
    wr_arena_destroy(a);
    wr_arena_destroy(NULL);
}

TEST(arena_in_steady_state_asks_the_system_for_nothing)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    CHECK_FATAL(a);
    uint64_t before = 0;
    for (int round = 0; round < 100; round++) {
        if (round == 3) before = wr_mem_malloc_count();
        for (int i = 0; i < 300; i++) CHECK_FATAL(wr_arena_alloc(a, 500));
        CHECK_FATAL(wr_arena_alloc(a, 100000)); /* larger than a block */
        wr_arena_reset(a);
    }
    CHECK_EQ_UINT(wr_mem_malloc_count() - before, 0);
    wr_arena_destroy(a);
}

TEST(arena_gives_back_what_a_peak_left)
{
    wr_arena *a = wr_arena_create(NULL, 1024);
    CHECK_FATAL(a);
    for (int i = 0; i < 1000; i++) CHECK_FATAL(wr_arena_alloc(a, 1000));
    size_t peak = wr_arena_bytes(a);
    for (int round = 0; round < 100; round++) {
        CHECK_FATAL(wr_arena_alloc(a, 100));
        wr_arena_reset(a);
    }
    CHECK(wr_arena_bytes(a) < peak / 10);
    wr_arena_destroy(a);
}

TEST(arena_pop_returns_to_the_mark)
{
    wr_arena *a = wr_arena_create(NULL, 64);
    CHECK_FATAL(a);
    wr_arena_mark start = wr_arena_get_mark(a);
    char *keep = wr_arena_alloc(a, 10);
    wr_arena_mark mark = wr_arena_get_mark(a);
    char *first = wr_arena_alloc(a, 16);
    for (int i = 0; i < 50; i++) CHECK_FATAL(wr_arena_alloc(a, 48));
    memset(keep, 'k', 10);
    wr_arena_pop(a, mark);
    char *again = wr_arena_alloc(a, 16);
    CHECK(again == first);
    CHECK(keep[9] == 'k');
    wr_arena_pop(a, start);
    CHECK(wr_arena_alloc(a, 10) == keep);
    wr_arena_destroy(a);
}

static char order[8];
static void
note_order(void *arg)
{
    size_t len = strlen(order);
    order[len] = *(const char *)arg;
    order[len + 1] = '\0';
}

TEST(defers_run_last_in_first_out_once)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    CHECK_FATAL(a);
    static char letters[] = "abc";
    for (int i = 0; i < 3; i++) wr_arena_defer(a, note_order, letters + i);
    wr_arena_reset(a);
    CHECK_EQ_STR(order, "cba");
    wr_arena_defer(a, note_order, letters);
    wr_arena_destroy(a);
    CHECK_EQ_STR(order, "cbaa");
}

TEST(lists_grow)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    CHECK_FATAL(a);
    WR_LIST(int) list = {0};
    for (int i = 0; i < 1000; i++) CHECK_FATAL(wr_list_push(a, &list, i * 3));
    CHECK_EQ_INT(list.count, 1000);
    for (uint32_t i = 0; i < list.count; i++) CHECK_EQ_INT(list.items[i], i * 3);
    wr_arena_destroy(a);
}

TEST(text_grows_and_remembers_failure)
{
    wr_memtrack *m = wr_memtrack_create(NULL, "m", 20000);
    wr_arena *a = wr_arena_create(m, 256);
    CHECK_FATAL(a);
    wr_text t;
    wr_text_init(&t, a);
    CHECK_EQ_WRSTR(wr_text_str(&t), "");
    wr_text_puts(&t, "SELECT ");
    for (int i = 0; i < 100; i++) wr_text_printf(&t, "%s%d", i ? ", " : "", i);
    wr_text_putc(&t, ';');
    CHECK(!t.failed);
    CHECK_EQ_INT(t.len, 7 + 10 + 180 + 99 * 2 + 1);
    CHECK(memcmp(t.ptr + t.len - 4, " 99;", 4) == 0);
    for (int i = 0; i < 10000; i++) wr_text_puts(&t, "0123456789");
    CHECK(t.failed);
    wr_arena_destroy(a);
    CHECK_EQ_UINT(wr_memtrack_used(m), 0);
    wr_memtrack_destroy(m);
}

TEST(references_and_the_return_list)
{
    wr_ref r;
    wr_ref_init(&r);
    wr_ref_acquire(&r);
    CHECK_EQ_INT(wr_ref_count(&r), 2);
    CHECK(!wr_ref_release(&r));
    CHECK(wr_ref_release(&r));
    wr_free_list l = {NULL};
    wr_free_node n[3];
    for (int i = 0; i < 3; i++) wr_free_list_push(&l, &n[i]);
    wr_free_node *all = wr_free_list_take_all(&l);
    CHECK(all == &n[2] && all->next == &n[1] && all->next->next == &n[0] && !n[0].next);
    CHECK(wr_free_list_take_all(&l) == NULL);
}

/* A little of everything; false when some allocation failed. Clean either way. */
static bool
exercise(wr_memtrack *root)
{
    bool ok = false;
    void *p = NULL, *map = NULL;
    wr_arena *a = NULL;
    wr_memtrack *m = wr_memtrack_create(root, "exercise", 0);
    if (!m) return false;
    WR_LIST(int) list = {0};
    wr_text t;
    a = wr_arena_create(m, 128);
    if (!a) goto done;
    p = wr_mem_alloc(m, 10);
    if (!p) goto done;
    void *q = wr_mem_realloc(m, p, 10, 20);
    if (!q) {
        wr_mem_free(m, p, 10);
        p = NULL;
        goto done;
    }
    p = q;
    map = wr_mem_map(m, 10000);
    if (!map) goto done;
    for (int i = 0; i < 20; i++)
        if (!wr_list_push(a, &list, i)) goto done;
    wr_text_init(&t, a);
    wr_text_printf(&t, "%0200d", 1);
    wr_text_puts(&t, "more");
    if (t.failed || !wr_arena_printf(a, "%d", 3).ptr) goto done;
    ok = true;
done:
    wr_mem_unmap(m, map, 10000);
    wr_mem_free(m, p, 20);
    wr_arena_destroy(a);
    wr_memtrack_destroy(m);
    return ok;
}

TEST(every_allocation_may_fail)
{
    wr_memtrack *root = wr_memtrack_create(NULL, "root", 0);
    CHECK_FATAL(root);
    int failures = 0;
    for (int n = 1;; n++) {
        wr_mem_fail_after(n);
        bool ok = exercise(root);
        bool hit = wr_mem_fail_hit();
        wr_mem_fail_after(0);
        CHECK_EQ_UINT(wr_memtrack_used(root), 0);
        CHECK_EQ_INT(ok, !hit);
        if (!hit || n > 1000) break;
        failures++;
    }
    CHECK(failures >= 9 && failures < 1000);
    wr_memtrack_destroy(root);
}

/* 1 GiB is the most that a value may have; what is refused is not even looked at. */
TEST(text_has_a_greatest_length)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_arena *a = wr_arena_create(NULL, 0);
    CHECK_FATAL(a != NULL);
    wr_text t;
    wr_text_init(&t, a);
    wr_text_puts(&t, "x");
    wr_text_put(&t, "y", WR_STRING_BYTES_MAX);
    CHECK(t.failed && t.too_long);
    CHECK(wr_text_raise(&ctx, &t) == WR_LIMIT);
    wr_text_init(&t, a);
    wr_text_put(&t, "y", SIZE_MAX);
    CHECK(t.failed && t.too_long);
    wr_arena_destroy(a);
}

CHECK_MAIN()
