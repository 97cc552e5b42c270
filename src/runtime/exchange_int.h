/* SPDX-License-Identifier: Apache-2.0 */
/* Between tasks: messages, the bounded rings that carry them, and the sending side of an exchange.
 * Included by runtime_int.h alone. */
#ifndef WR_RUNTIME_EXCHANGE_INT_H
#define WR_RUNTIME_EXCHANGE_INT_H

#include "op/op.h"
#include "os/os.h"

#define WRI_RING  (WR_CHANNEL_CAPACITY * 2) /* batches and control messages */
#define WRI_SLOTS (WRI_RING * 2)            /* and barriers that overtake: they find room at once */

/* ---- messages: kinds, who -> whom ------------------------------------------------------------ */
typedef enum wri_msg_kind {
    WRI_MSG_BATCH,     /* operator -> operator: rows; the reference moves */
    WRI_MSG_WATERMARK, /* operator -> operator: event time up to here is complete */
    WRI_MSG_IDLE,      /* source -> operators: do not wait for this input's watermark */
    WRI_MSG_ACTIVE,
    WRI_MSG_BARRIER, /* task -> task: what came before belongs to checkpoint `watermark` */
    WRI_MSG_END      /* operator -> operator: this input gives nothing more */
} wri_msg_kind;

typedef struct wri_msg {
    wri_msg_kind kind;
    int64_t watermark;
    wr_batch *batch;
} wri_msg;

typedef struct wri_queue { /* growing ring of messages, one thread */
    wri_msg *items;
    uint32_t head, count, cap; /* cap a power of two */
} wri_queue;
wr_status wri_queue_push(wr_ctx *ctx, wri_queue *q, wr_memtrack *budget, wri_msg m) WR_MUST_USE;
wri_msg wri_queue_pop(wri_queue *q);
void wri_queue_deinit(wri_queue *q, wr_memtrack *budget); /* releases batches */

/* ---- channels: a bounded ring from one task to another --------------------------------------- */
typedef struct wri_channel {
    wri_msg ring[WRI_SLOTS];
    struct wri_task *from, *to;
    const struct wri_edge *edge;
    bool local;                    /* both ends belong to one worker */
    WR_ALIGNED(64) uint32_t head;  /* atomic; reader's */
    uint32_t tail_seen;            /* reader's: `tail` when it last looked */
    WR_ALIGNED(64) uint32_t tail;  /* atomic; writer's */
    uint32_t head_seen;            /* writer's */
    wri_queue over;                /* writer's: what did not fit; keeps the order */
    WR_ALIGNED(64) uint32_t waits; /* atomic: the writer waits for room */
} wri_channel;
/* Never refuses; full() says when the writer should stop, and sees to it that he is woken. */
wr_status wri_channel_push(wr_ctx *ctx, wri_channel *c, wri_msg m) WR_MUST_USE; /* thread: writer */
bool wri_channel_full(wri_channel *c);                                          /* thread: writer */
/* A barrier that goes ahead of what waits behind the ring (but not of other barriers): *passed, how
 * many messages at the end of `over` it has overtaken. */
wr_status wri_channel_overtake(wr_ctx *ctx, wri_channel *c, wri_msg m,
                               uint32_t *passed) WR_MUST_USE; /* thread: writer */
/* Does barrier `id` wait behind the ring? *before: how many messages there do so in front of it. */
bool wri_channel_holds(const wri_channel *c, uint64_t id, uint32_t *before); /* thread: writer */
/* It goes ahead of them. False: no room, or another barrier is among them. */
bool wri_channel_pull(wri_channel *c, uint32_t before); /* thread: writer */
bool wri_channel_flush(wri_channel *c);             /* thread: writer; true when something moved */
bool wri_channel_pop(wri_channel *c, wri_msg *out); /* thread: reader */
void wri_channel_deinit(wri_channel *c, wr_memtrack *budget);

/* ---- exchanges ------------------------------------------------------------------------------- */
typedef struct wri_lane { /* of a router: to one receiving subtask */
    wri_channel *channel;
    wr_batch *filling; /* rows that wait for more; NULL = none */
    uint32_t fill_cap; /* room of `filling` */
    uint32_t next_cap; /* room of the next one: grows while they fill up */
    int64_t since_ms;  /* when its first row came */
} wri_lane;

typedef struct wri_router { /* the sending side of an exchange, in one task */
    struct wri_task *task;
    struct wri_inst *sender;
    const struct wri_edge *edge;
    const wr_schema *schema;
    uint8_t dist;
    const uint32_t *keys;
    uint32_t key_count;
    wri_lane *lanes;
    uint32_t lane_count, next; /* next: rebalance */
    uint32_t filling_count;    /* lanes with rows that wait */
    uint32_t max_parallelism;
    uint32_t rows_max, direct_rows; /* a batch is full with; as many go without being copied */
    uint32_t row_bytes;
    wr_op_metrics *metrics;
    uint64_t *hash;   /* scratch */
    uint32_t *bucket; /* scratch: target of each live row, then rows of one target */
    uint32_t scratch_cap;
} wri_router;
void wri_router_size(wri_router *r); /* after schema and lanes are known */
wr_status wri_router_push(wr_ctx *ctx, wri_router *r, wr_batch *take_batch) WR_MUST_USE;
/* To every lane, behind all rows. */
wr_status wri_router_control(wr_ctx *ctx, wri_router *r, wri_msg m) WR_MUST_USE;
/* Send what waits since `until_ms` or longer. */
wr_status wri_router_flush(wr_ctx *ctx, wri_router *r, int64_t until_ms, bool *moved) WR_MUST_USE;
void wri_router_deinit(wri_router *r);
/* Append rows of `from` behind row `at` of `to` (flat columns with room, of the same types). */
bool wri_rows_append(wr_batch *to, uint32_t at, const wr_batch *from, const uint32_t *rows,
                     uint32_t n) WR_MUST_USE;

#endif
