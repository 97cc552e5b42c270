/* SPDX-License-Identifier: Apache-2.0 */
/* Message queues: a growing ring for one thread, and the bounded ring between two tasks.
 *
 * The bounded ring has one writer and one reader. A writer that finds it full puts the message
 * behind it (`over`), so that pushing never blocks and never loses order; wri_channel_full() tells
 * the writer's task to stop producing, and wri_channel_flush() moves the rest when there is room.
 */
#include "runtime/runtime_int.h"

wr_status
wri_queue_push(wr_ctx *ctx, wri_queue *q, wr_memtrack *budget, wri_msg m)
{
    if (q->count == q->cap) {
        uint32_t cap = q->cap ? q->cap * 2 : 16;
        wri_msg *items = wr_mem_alloc(budget, cap * sizeof(wri_msg));
        if (!items) {
            wr_batch_release(m.batch);
            return wr_raise(ctx, WR_NOMEM, "out of memory for queued batches");
        }
        for (uint32_t i = 0; i < q->count; i++) items[i] = q->items[(q->head + i) & (q->cap - 1)];
        wr_mem_free(budget, q->items, q->cap * sizeof(wri_msg));
        q->items = items;
        q->cap = cap;
        q->head = 0;
    }
    q->items[(q->head + q->count++) & (q->cap - 1)] = m;
    return WR_OK;
}

wri_msg
wri_queue_pop(wri_queue *q)
{
    WR_ASSERT(q->count > 0);
    wri_msg m = q->items[q->head];
    q->head = (q->head + 1) & (q->cap - 1);
    q->count--;
    return m;
}

void
wri_queue_deinit(wri_queue *q, wr_memtrack *budget)
{
    while (q->count) wr_batch_release(wri_queue_pop(q).batch);
    wr_mem_free(budget, q->items, q->cap * sizeof(wri_msg));
    memset(q, 0, sizeof *q);
}

static bool
ring_put(wri_channel *c, const wri_msg *m)
{
    uint32_t tail = c->tail;
    if (tail - wr_os_load(&c->head) >= WRI_RING) return false;
    c->ring[tail % WRI_RING] = *m;
    wr_os_store(&c->tail, tail + 1);
    return true;
}

wr_status
wri_channel_push(wr_ctx *ctx, wri_channel *c, wri_msg m)
{
    wr_job *job = c->from->job;
    wr_os_add(&job->inflight, 1);
    if (c->over.count == 0 && ring_put(c, &m)) {
        wr_os_event_set(&c->to->worker->event);
        return WR_OK;
    }
    wr_status status = wri_queue_push(ctx, &c->over, c->from->budget, m);
    if (status != WR_OK) wr_os_add(&job->inflight, -1);
    return status;
}

bool
wri_channel_full(const wri_channel *c)
{
    return c->over.count > 0 || c->tail - wr_os_load(&c->head) >= WR_CHANNEL_CAPACITY;
}

bool
wri_channel_flush(wri_channel *c)
{
    bool moved = false;
    while (c->over.count && ring_put(c, &c->over.items[c->over.head])) {
        (void)wri_queue_pop(&c->over);
        moved = true;
    }
    if (moved) wr_os_event_set(&c->to->worker->event);
    return moved;
}

bool
wri_channel_pop(wri_channel *c, wri_msg *out)
{
    uint32_t head = c->head, tail = wr_os_load(&c->tail);
    if (head == tail) return false;
    *out = c->ring[head % WRI_RING];
    wr_os_store(&c->head, head + 1);
    if (tail - head >= WR_CHANNEL_CAPACITY) wr_os_event_set(&c->from->worker->event);
    return true;
}

bool
wri_channel_empty(const wri_channel *c)
{
    return c->head == wr_os_load(&c->tail);
}

void
wri_channel_deinit(wri_channel *c, wr_memtrack *budget)
{
    wri_msg m;
    while (c->head != c->tail) {
        m = c->ring[c->head % WRI_RING];
        c->head++;
        wr_batch_release(m.batch);
    }
    wri_queue_deinit(&c->over, budget);
}
