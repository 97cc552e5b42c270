/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of mem/ share: fault injection, and marking bytes as not to be touched. */
#ifndef WR_MEM_MEM_INT_H
#define WR_MEM_MEM_INT_H

#include "mem/mem.h"

#if defined(__SANITIZE_ADDRESS__)
#define WRI_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WRI_ASAN 1
#endif
#endif

#ifdef WRI_ASAN
#include <sanitizer/asan_interface.h>
#define WRI_REDZONE 16u /* untouchable bytes behind every arena allocation */
#else
#define WRI_REDZONE 0u
#endif

/* Forbid or allow access to [p, p + n). Without the address sanitizer, debug builds overwrite
 * forbidden bytes instead, so that a use after reset is seen in the values. */
WR_ALWAYS_INLINE void
wri_poison(void *p, size_t n)
{
#if defined(WRI_ASAN)
    ASAN_POISON_MEMORY_REGION(p, n);
#elif !defined(NDEBUG)
    memset(p, 0xdd, n);
#else
    (void)p, (void)n;
#endif
}
WR_ALWAYS_INLINE void
wri_unpoison(void *p, size_t n)
{
#if defined(WRI_ASAN)
    ASAN_UNPOISON_MEMORY_REGION(p, n);
#else
    (void)p, (void)n;
#endif
}

/* True when the planned failure falls on this allocation. */
bool wri_mem_fail_now(void);

/* A system allocation outside every budget and fault plan, for what must not fail; aborts when it
 * does. */
void *wri_mem_must_alloc(size_t bytes);
void wri_mem_must_free(void *p);

/* Charge a budget and all above it; false past a limit (then nothing is charged). */
bool wri_memtrack_charge(wr_memtrack *m, size_t bytes) WR_MUST_USE;
void wri_memtrack_release(wr_memtrack *m, size_t bytes);

#endif
