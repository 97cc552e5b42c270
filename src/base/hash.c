/* SPDX-License-Identifier: Apache-2.0 */
/* The hash of byte strings: XXH3, 64 bits. Part of the state format (key groups follow from it):
 * never change it without a new version of that format. */
#include "base/base.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t
wr_hash_bytes(const void *p, size_t len, uint64_t seed)
{
    return XXH3_64bits_withSeed(len ? p : "", len, seed);
}
