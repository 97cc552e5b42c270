/* SPDX-License-Identifier: Apache-2.0 */
/* The batch join: what its files share. The build side is collected into a store and hashed by its
 * key; the probe side streams by. Without key every build row is a candidate (nested loop). */
#ifndef WR_OP_HASH_JOIN_INT_H
#define WR_OP_HASH_JOIN_INT_H

#include "op/op_int.h"

typedef struct wri_build { /* the build side */
    wri_store store;
    wri_keyspec key;
    const bool *null_equal;
    uint32_t *heads, *next; /* row + 1; 0 = none */
    uint32_t *tags;         /* upper hash half per row */
    uint64_t *fixed;        /* per row: the key, when it is one integer */
    uint32_t mask;
    uint64_t *matched; /* per row, when the build side asks for it */
    bool has_null_key;
    size_t heads_bytes, row_bytes, fixed_bytes, matched_bytes;
} wri_build;

wr_status wri_build_open(wr_ctx *ctx, wri_build *b, wr_op *op, uint32_t side) WR_MUST_USE;
/* The build side has ended: hash it. `track`: keep the matched bitmap. */
wr_status wri_build_finish(wr_ctx *ctx, wri_build *b, bool track) WR_MUST_USE;
void wri_build_close(wri_build *b);

#endif
