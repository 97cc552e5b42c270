/* SPDX-License-Identifier: Apache-2.0 */
/* Private to types/: writing Roaring's portable format. */
#ifndef WR_TYPES_BITMAP_INT_H
#define WR_TYPES_BITMAP_INT_H

#include "types/bitmap.h"

/* Append the set of the n ascending numbers v. */
void wri_bitmap_write(const uint32_t *v, uint64_t n, wr_text *out);

#endif
