/* SPDX-License-Identifier: Apache-2.0 */
/* Reference counts and the return list of pooled objects. Thread: any. */
#include "mem/mem.h"

void
wr_ref_init(wr_ref *r)
{
    __atomic_store_n(&r->count, 1, __ATOMIC_RELAXED);
}

void
wr_ref_acquire(wr_ref *r)
{
    int32_t before = __atomic_fetch_add(&r->count, 1, __ATOMIC_RELAXED);
    WR_ASSERT(before > 0);
}

bool
wr_ref_release(wr_ref *r)
{
    int32_t before = __atomic_fetch_sub(&r->count, 1, __ATOMIC_ACQ_REL);
    WR_ASSERT(before > 0);
    return before == 1;
}

int32_t
wr_ref_count(const wr_ref *r)
{
    return __atomic_load_n(&r->count, __ATOMIC_ACQUIRE);
}

void
wr_free_list_push(wr_free_list *l, wr_free_node *n)
{
    wr_free_node *head = __atomic_load_n(&l->head, __ATOMIC_RELAXED);
    do {
        n->next = head;
    } while (
        !__atomic_compare_exchange_n(&l->head, &head, n, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

wr_free_node *
wr_free_list_take_all(wr_free_list *l)
{
    return __atomic_exchange_n(&l->head, NULL, __ATOMIC_ACQUIRE);
}
