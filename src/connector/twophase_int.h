/* SPDX-License-Identifier: Apache-2.0 */
/* Private to connector/: the base of sinks that commit in two phases (twophase.c). */
#ifndef WR_CONNECTOR_TWOPHASE_INT_H
#define WR_CONNECTOR_TWOPHASE_INT_H

#include "connector/connector_int.h"

/* ---- numbers and texts in items -------------------------------------------------------------- */
void wri_item_put_u64(wr_text *t, uint64_t v);
void wri_item_put_i64(wr_text *t, int64_t v);
void wri_item_put_str(wr_text *t, wr_str s);
typedef struct wri_item_reader { /* what is taken behind the end is 0 and sets bad */
    wr_str rest;
    bool bad;
} wri_item_reader;
uint64_t wri_item_take_u64(wri_item_reader *r);
int64_t wri_item_take_i64(wri_item_reader *r);
wr_str wri_item_take_str(wri_item_reader *r); /* borrowed */

/* ---- a writer's items ------------------------------------------------------------------------ */
typedef struct wri_twophase {
    wr_arena *arena;
    WR_LIST(wr_str) items; /* for the next checkpoint */
    uint64_t epoch;        /* the last checkpoint: what is made now comes behind it; 0: none */
    wr_str owner;          /* job and sink; borrowed */
} wri_twophase;

typedef struct wri_committable { /* head of one */
    uint64_t checkpoint_id;
    uint32_t subtask;
    int64_t watermark; /* INT64_MIN: none; INT64_MAX: the input ended */
} wri_committable;

wr_status wri_twophase_init(wr_ctx *ctx, wri_twophase *t, wr_str owner,
                            wr_memtrack *budget) WR_MUST_USE;
void wri_twophase_deinit(wri_twophase *t);
wr_status wri_twophase_add(wr_ctx *ctx, wri_twophase *t, wr_str item) WR_MUST_USE; /* copied */
void wri_twophase_forget(wri_twophase *t);
/* All items so far as one committable in `a`; they are the checkpoint's from now on. */
wr_status wri_twophase_prepare(wr_ctx *ctx, wri_twophase *t, const wri_committable *head,
                               wr_arena *a, wr_str *out) WR_MUST_USE;
wr_status wri_twophase_snapshot(wr_ctx *ctx, const wri_twophase *t, uint64_t checkpoint_id,
                                wr_opstate *out) WR_MUST_USE;
wr_status wri_twophase_restore(wr_ctx *ctx, wri_twophase *t, const wr_opstate *in) WR_MUST_USE;

/* ---- taking a committable apart -------------------------------------------------------------- */
wr_status wri_committable_open(wr_ctx *ctx, wr_str text, wri_committable *head,
                               wri_item_reader *items) WR_MUST_USE;
bool wri_committable_next(wri_item_reader *items, wr_str *item);
/* Behind the last item: was it whole? */
wr_status wri_committable_check(wr_ctx *ctx, const wri_item_reader *items) WR_MUST_USE;

#endif
