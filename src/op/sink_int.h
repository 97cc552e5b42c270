/* SPDX-License-Identifier: Apache-2.0 */
/* What a SINK keeps in checkpoints, for sink.c. */
#ifndef WR_OP_SINK_INT_H
#define WR_OP_SINK_INT_H

#include "op/op_int.h"

typedef struct wri_committable {
    uint64_t checkpoint_id;
    uint8_t *item; /* as it stands in checkpoints */
    size_t bytes;
} wri_committable;

typedef struct wri_sink_state { /* committables that are not known to be committed, oldest first */
    wri_committable *items;
    uint32_t count, cap;
} wri_sink_state;

/* The writer prepares, and everything of the sink goes into `out`. */
wr_status wri_sink_snapshot(wr_ctx *ctx, wr_op *op, wri_sink_state *s, wr_writer *w,
                            uint64_t checkpoint_id, wr_opstate *out) WR_MUST_USE;
/* The writer gets its own lists back. */
wr_status wri_sink_restore(wr_ctx *ctx, wr_op *op, wr_writer *w, const wr_opstate *in) WR_MUST_USE;
/* What was prepared up to this checkpoint is visible. */
void wri_sink_committed(wri_sink_state *s, wr_memtrack *budget, uint64_t checkpoint_id);
void wri_sink_state_free(wri_sink_state *s, wr_memtrack *budget);

#endif
