/* SPDX-License-Identifier: Apache-2.0 */
/* The same hash over bytes that come in pieces. Without the library's inlining by force, which gcc
 * refuses in builds for debuggers once there are several callers. */
#include "base/base.h"

#define XXH_INLINE_ALL
#define XXH_NO_INLINE_HINTS 1
#include <xxhash.h>

_Static_assert(sizeof(XXH3_state_t) + 63 <= sizeof(wr_hasher), "a hasher holds an aligned state");

/* The library wants its state at a multiple of 64. */
static XXH3_state_t *
state_of(const wr_hasher *h)
{
    return (XXH3_state_t *)(((uintptr_t)h->opaque + 63) & ~(uintptr_t)63);
}

void
wr_hasher_init(wr_hasher *h, uint64_t seed)
{
    memset(h, 0, sizeof *h);
    (void)XXH3_64bits_reset_withSeed(state_of(h), seed);
}

void
wr_hasher_put(wr_hasher *h, const void *p, size_t len)
{
    if (len) (void)XXH3_64bits_update(state_of(h), p, len);
}

uint64_t
wr_hasher_get(const wr_hasher *h)
{
    return XXH3_64bits_digest(state_of(h));
}
