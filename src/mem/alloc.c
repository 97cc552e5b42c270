/* SPDX-License-Identifier: Apache-2.0 */
/* The only calls of the system allocator. Thread: any.
 *
 * Three process-wide counters live here because an allocation has no context to hang them on: how
 * many system calls were made, after how many requests one shall fail, and whether it did. */
#include "mem/mem_int.h"

#include <stdlib.h>
#include <sys/mman.h>

#define PAGE_BYTES ((size_t)4096)
#define HUGE_BYTES ((size_t)2 << 20)

static uint64_t malloc_count; /* atomic */
static int64_t fail_left;     /* atomic; > 0: so many requests from now, the last of them fails */
static bool fail_hit;         /* atomic */

uint64_t
wr_mem_malloc_count(void)
{
    return __atomic_load_n(&malloc_count, __ATOMIC_RELAXED);
}

void
wr_mem_fail_after(int64_t n)
{
    __atomic_store_n(&fail_hit, false, __ATOMIC_RELAXED);
    __atomic_store_n(&fail_left, n > 0 ? n : 0, __ATOMIC_RELEASE);
}

bool
wr_mem_fail_hit(void)
{
    return __atomic_load_n(&fail_hit, __ATOMIC_RELAXED);
}

bool
wri_mem_fail_now(void)
{
    if (WR_LIKELY(__atomic_load_n(&fail_left, __ATOMIC_RELAXED) <= 0)) return false;
    if (__atomic_fetch_sub(&fail_left, 1, __ATOMIC_ACQ_REL) != 1) return false;
    __atomic_store_n(&fail_hit, true, __ATOMIC_RELAXED);
    return true;
}

static void
count_call(void)
{
    __atomic_fetch_add(&malloc_count, 1, __ATOMIC_RELAXED);
}

void *
wri_mem_must_alloc(size_t bytes)
{
    count_call();
    void *p = malloc(bytes);
    WR_ASSERT(p != NULL);
    return p;
}

void
wri_mem_must_free(void *p)
{
    free(p);
}

static void *
alloc_charged(wr_memtrack *m, size_t bytes, bool zeroed)
{
    if (wri_mem_fail_now() || !wri_memtrack_charge(m, bytes)) return NULL;
    count_call();
    size_t size = bytes ? bytes : 1;
    void *p = zeroed ? calloc(1, size) : malloc(size);
    if (!p) wri_memtrack_release(m, bytes);
    return p;
}

void *
wr_mem_alloc(wr_memtrack *m, size_t bytes)
{
    return alloc_charged(m, bytes, false);
}

void *
wr_mem_zalloc(wr_memtrack *m, size_t bytes)
{
    return alloc_charged(m, bytes, true);
}

void *
wr_mem_realloc(wr_memtrack *m, void *p, size_t old_bytes, size_t new_bytes)
{
    if (!p) return wr_mem_alloc(m, new_bytes);
    if (new_bytes > old_bytes) {
        if (wri_mem_fail_now() || !wri_memtrack_charge(m, new_bytes - old_bytes)) return NULL;
    }
    count_call();
    void *q = realloc(p, new_bytes ? new_bytes : 1);
    if (new_bytes > old_bytes) {
        if (!q) wri_memtrack_release(m, new_bytes - old_bytes);
        return q;
    }
    wri_memtrack_release(m, old_bytes - new_bytes);
    return q ? q : p; /* shrinking cannot fail: the larger piece serves */
}

void
wr_mem_free(wr_memtrack *m, void *p, size_t bytes)
{
    if (!p) return;
    free(p);
    wri_memtrack_release(m, bytes);
}

/* ---- big memory ------------------------------------------------------------------------------ */

static size_t
round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static size_t
map_size(size_t bytes)
{
    return round_up(bytes ? bytes : 1, bytes >= HUGE_BYTES ? HUGE_BYTES : PAGE_BYTES);
}

static void *
map_pages(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* Huge pages want alignment: map one more than needed and give the ends back. */
static void *
map_huge(size_t size)
{
    char *p = map_pages(size + HUGE_BYTES);
    if (!p) return NULL;
    size_t head = round_up((size_t)(uintptr_t)p, HUGE_BYTES) - (size_t)(uintptr_t)p;
    if (head > 0) (void)munmap(p, head);
    if (head < HUGE_BYTES) (void)munmap(p + head + size, HUGE_BYTES - head);
    (void)madvise(p + head, size, MADV_HUGEPAGE); /* advice: without it small pages serve */
    return p + head;
}

void *
wr_mem_map(wr_memtrack *m, size_t bytes)
{
    if (bytes > SIZE_MAX / 4) return NULL;
    size_t size = map_size(bytes);
    if (wri_mem_fail_now() || !wri_memtrack_charge(m, size)) return NULL;
    count_call();
    void *p = size >= HUGE_BYTES ? map_huge(size) : map_pages(size);
    if (!p) wri_memtrack_release(m, size);
    return p;
}

void
wr_mem_unmap(wr_memtrack *m, void *p, size_t bytes)
{
    if (!p) return;
    size_t size = map_size(bytes);
    int rc = munmap(p, size);
    WR_ASSERT(rc == 0);
    wri_memtrack_release(m, size);
}
