/* SPDX-License-Identifier: Apache-2.0 */
/* The budget tree. A charge walks up to the root; at a limit on the way it is taken back. Thread:
 * any. A node must outlive its children. */
#include "mem/mem_int.h"

#define NAME_MAX_BYTES 64

struct wr_memtrack {
    wr_memtrack *parent; /* borrowed until destroyed */
    size_t limit;        /* 0: none of its own */
    size_t used, peak;   /* atomic */
    int32_t children;    /* atomic */
    char name[NAME_MAX_BYTES];
};

wr_memtrack *
wr_memtrack_create(wr_memtrack *parent, const char *name, size_t limit_bytes)
{
    wr_memtrack *m = wr_mem_zalloc(parent, sizeof *m);
    if (!m) return NULL;
    m->parent = parent;
    m->limit = limit_bytes;
    size_t len = WR_MIN(strlen(name), (size_t)NAME_MAX_BYTES - 1);
    memcpy(m->name, name, len);
    if (parent) __atomic_fetch_add(&parent->children, 1, __ATOMIC_RELAXED);
    return m;
}

void
wr_memtrack_destroy(wr_memtrack *m)
{
    if (!m) return;
    WR_ASSERT(__atomic_load_n(&m->children, __ATOMIC_ACQUIRE) == 0);
    WR_ASSERT(__atomic_load_n(&m->used, __ATOMIC_ACQUIRE) == 0);
    wr_memtrack *parent = m->parent;
    if (parent) __atomic_fetch_sub(&parent->children, 1, __ATOMIC_RELEASE);
    wr_mem_free(parent, m, sizeof *m);
}

size_t
wr_memtrack_used(const wr_memtrack *m)
{
    return __atomic_load_n(&m->used, __ATOMIC_RELAXED);
}

size_t
wr_memtrack_peak(const wr_memtrack *m)
{
    return __atomic_load_n(&m->peak, __ATOMIC_RELAXED);
}

void
wri_memtrack_release(wr_memtrack *m, size_t bytes)
{
    for (; m; m = m->parent) {
        size_t before = __atomic_fetch_sub(&m->used, bytes, __ATOMIC_RELEASE);
        WR_ASSERT(before >= bytes);
    }
}

static void
raise_peak(wr_memtrack *m, size_t used)
{
    size_t peak = __atomic_load_n(&m->peak, __ATOMIC_RELAXED);
    while (used > peak && !__atomic_compare_exchange_n(&m->peak, &peak, used, true,
                                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

/* Adds to one node unless that passes its limit. */
static bool
charge_node(wr_memtrack *m, size_t bytes)
{
    size_t used = __atomic_load_n(&m->used, __ATOMIC_RELAXED);
    do {
        if (m->limit && (used > m->limit || bytes > m->limit - used)) return false;
    } while (!__atomic_compare_exchange_n(&m->used, &used, used + bytes, true, __ATOMIC_ACQUIRE,
                                          __ATOMIC_RELAXED));
    return true;
}

bool
wri_memtrack_charge(wr_memtrack *m, size_t bytes)
{
    if (bytes > SIZE_MAX / 4) return false;
    for (wr_memtrack *at = m; at; at = at->parent) {
        if (charge_node(at, bytes)) continue;
        for (wr_memtrack *back = m; back != at; back = back->parent)
            __atomic_fetch_sub(&back->used, bytes, __ATOMIC_RELEASE);
        return false;
    }
    for (wr_memtrack *at = m; at; at = at->parent) raise_peak(at, wr_memtrack_used(at));
    return true;
}
