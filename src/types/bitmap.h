/* SPDX-License-Identifier: Apache-2.0 */
/* BITMAP: a set of 32-bit numbers, in memory a compressed bitmap, as a value the bytes of Roaring's
 * portable format. Numbers are unsigned inside; INT arguments keep their bits. Objects live outside
 * arenas: close what you open. */
#ifndef WR_TYPES_BITMAP_H
#define WR_TYPES_BITMAP_H

#include "types/types.h"

typedef struct wr_bitmap wr_bitmap;            /* one thread */
wr_bitmap *wr_bitmap_create(void) WR_MUST_USE; /* NULL: out of memory */
void wr_bitmap_destroy(wr_bitmap *b);          /* NULL is fine */
/* From portable bytes; NULL when they are damaged or memory is out. */
wr_bitmap *wr_bitmap_decode(wr_str bytes) WR_MUST_USE;
void wr_bitmap_add(wr_bitmap *b, uint32_t value);
void wr_bitmap_add_many(wr_bitmap *b, const uint32_t *values, uint32_t n);
bool wr_bitmap_has(const wr_bitmap *b, uint32_t value);
uint64_t wr_bitmap_count(const wr_bitmap *b);
typedef enum wr_bitmap_op {
    WR_BITMAP_AND,
    WR_BITMAP_OR,
    WR_BITMAP_XOR,
    WR_BITMAP_ANDNOT
} wr_bitmap_op;
void wr_bitmap_apply(wr_bitmap *b, wr_bitmap_op op, const wr_bitmap *with); /* b = b op with */
/* All numbers ascending as unsigned; room for wr_bitmap_count. */
void wr_bitmap_values(const wr_bitmap *b, uint32_t *out);
/* Append portable bytes, run-optimised as the Java library does. */
void wr_bitmap_encode(const wr_bitmap *b, wr_text *out);
/* Append "{1,2,4294967295}". */
void wr_bitmap_print(const wr_bitmap *b, wr_text *out);
/* The same from the value's bytes; false when they are damaged. */
bool wr_bitmap_print_bytes(wr_str bytes, wr_text *out);

#endif
