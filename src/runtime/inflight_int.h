/* SPDX-License-Identifier: Apache-2.0 */
/* What the writing and the reading of in-flight data share: docs/reference/checkpoint-format.md. */
#ifndef WR_RUNTIME_INFLIGHT_INT_H
#define WR_RUNTIME_INFLIGHT_INT_H

#include "runtime/runtime_int.h"

#define WRI_INFLIGHT_MAGIC   "weirfly1"
#define WRI_INFLIGHT_VERSION 1u

typedef enum wri_item_kind { WRI_ITEM_ROWS = 1, WRI_ITEM_WATERMARK = 2 } wri_item_kind;

#define WRI_FLOW_BYTES_MIN 37u /* of a channel in the file */

typedef struct wri_stored_item { /* one message; `body` lies in the file's bytes */
    uint8_t kind;
    wr_str body;
} wri_stored_item;

typedef struct wri_stored_flow { /* a wri_flow, as a file has it */
    wr_str id, types;            /* of the receiving operator; of its rows */
    uint32_t input, sender, senders, receiver, receivers;
    bool held, taken; /* taken: the restore's */
    int64_t watermark;
    WR_LIST(wri_stored_item) items;
} wri_stored_flow;

typedef struct wri_stored { /* all of a checkpoint; everything lies in `arena` */
    wr_arena *arena;
    WR_LIST(wri_stored_flow) flows;
} wri_stored;

typedef struct wri_stored_rows { /* those of one item that are left; lie in the file's bytes */
    uint32_t count;
    const uint8_t *kinds, *lengths, *data, *end;
} wri_stored_rows;

/* What a file holds: any bytes are taken, WR_CORRUPT with its name. */
wr_status wri_inflight_parse(wr_ctx *ctx, wr_str bytes, wr_str name, wr_arena *a,
                             wri_stored_flow **flows, uint32_t *count) WR_MUST_USE;
wr_status wri_inflight_load(wr_ctx *ctx, const wr_ckpt_meta *m, wr_state_reader *r,
                            wri_stored *s) WR_MUST_USE;
const wr_schema *wri_inflight_schema(const wr_pnode *n, uint32_t input); /* of rows into it */
/* *why, in `a`: why the rows do not fit today's operator; empty: they do. */
wr_status wri_inflight_compare(wr_ctx *ctx, const wr_pnode *n, const wri_stored_flow *flow,
                               wr_arena *a, wr_str *why) WR_MUST_USE;
int64_t wri_inflight_watermark(const wri_stored_item *item);
wr_status wri_inflight_rows(wr_ctx *ctx, const wri_stored_item *item,
                            wri_stored_rows *out) WR_MUST_USE;
/* The next ones, a batch at most. */
wr_status wri_inflight_decode(wr_ctx *ctx, wri_stored_rows *rows, const wr_schema *schema,
                              wr_batch *b) WR_MUST_USE;

/* Types of a row as text: what was written must be what is read. */
void wri_inflight_types(const wr_schema *schema, wr_text *out);

#endif
