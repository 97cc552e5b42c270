/* SPDX-License-Identifier: Apache-2.0 */
/* Message queues: a growing ring for one thread, and the bounded ring between two tasks.
 *
 * The bounded ring has one writer and one reader. A writer that finds it full puts the message
 * behind it (`over`), so that pushing never blocks and never loses order; wri_channel_full() tells
 * the writer's task to stop producing, and wri_channel_flush() moves the rest when there is room.
 *
 * Waking. A push sets the event of the reader's worker. A writer that must stop raises `waits` and
 * looks once more; the reader, having moved `head`, looks at `waits`: in the one order of the
 * sequentially consistent accesses, one of the two sees the other. The reader wakes only when half
 * of the ring is free, so that the two do not take turns batch by batch. */
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
ring_put(wri_channel *c, const wri_msg *m, uint32_t room)
{
    if (c->tail - c->head_seen >= room) {
        c->head_seen = wr_os_load(&c->head);
        if (c->tail - c->head_seen >= room) return false;
    }
    c->ring[c->tail % WRI_SLOTS] = *m;
    wr_os_store(&c->tail, c->tail + 1);
    return true;
}

static void
wake_reader(wri_channel *c)
{
    if (c->local)
        c->from->worker->again = true;
    else
        wr_os_event_set(&c->to->worker->event);
}

wr_status
wri_channel_push(wr_ctx *ctx, wri_channel *c, wri_msg m)
{
    wr_job *job = c->from->job;
    wr_os_add(&job->inflight, 1);
    if (c->over.count == 0 && ring_put(c, &m, WRI_RING)) {
        wake_reader(c);
        return WR_OK;
    }
    wr_status status = wri_queue_push(ctx, &c->over, c->from->budget, m);
    if (status != WR_OK) wr_os_add(&job->inflight, -1);
    return status;
}

static wri_msg *
over_at(const wri_channel *c, uint32_t i)
{
    return &c->over.items[(c->over.head + i) & (c->over.cap - 1)];
}

wr_status
wri_channel_overtake(wr_ctx *ctx, wri_channel *c, wri_msg m, uint32_t *passed)
{
    wr_job *job = c->from->job;
    uint32_t n = 0;
    while (n < c->over.count && over_at(c, c->over.count - 1 - n)->kind != WRI_MSG_BARRIER) n++;
    *passed = n;
    wr_os_add(&job->inflight, 1);
    if (n == c->over.count && ring_put(c, &m, WRI_SLOTS)) {
        wake_reader(c);
        return WR_OK;
    }
    wr_status status = wri_queue_push(ctx, &c->over, c->from->budget, m);
    if (status != WR_OK) {
        wr_os_add(&job->inflight, -1);
        return status;
    }
    for (uint32_t i = c->over.count - 1; n > 0; i--, n--) *over_at(c, i) = *over_at(c, i - 1);
    *over_at(c, c->over.count - 1 - *passed) = m;
    return WR_OK;
}

bool
wri_channel_holds(const wri_channel *c, uint64_t id, uint32_t *before)
{
    for (*before = 0; *before < c->over.count; ++*before) {
        const wri_msg *m = over_at(c, *before);
        if (m->kind == WRI_MSG_BARRIER && (uint64_t)m->watermark == id) return true;
    }
    return false;
}

bool
wri_channel_pull(wri_channel *c, uint32_t before)
{
    for (uint32_t i = 0; i < before; i++)
        if (over_at(c, i)->kind == WRI_MSG_BARRIER) return false;
    if (!ring_put(c, over_at(c, before), WRI_SLOTS)) return false;
    for (uint32_t i = before; i > 0; i--) *over_at(c, i) = *over_at(c, i - 1);
    (void)wri_queue_pop(&c->over);
    wake_reader(c);
    return true;
}

bool
wri_channel_flush(wri_channel *c)
{
    bool moved = false;
    while (c->over.count && ring_put(c, &c->over.items[c->over.head], WRI_RING)) {
        (void)wri_queue_pop(&c->over);
        moved = true;
    }
    if (moved) wake_reader(c);
    return moved;
}

static bool
has_room(wri_channel *c)
{
    if (c->over.count) (void)wri_channel_flush(c);
    return c->over.count == 0 && c->tail - c->head_seen < WR_CHANNEL_CAPACITY;
}

bool
wri_channel_full(wri_channel *c)
{
    if (WR_LIKELY(has_room(c))) return false;
    if (!c->local) wr_os_store_seq(&c->waits, 1u);
    c->head_seen = wr_os_load_seq(&c->head);
    return !has_room(c);
}

bool
wri_channel_pop(wri_channel *c, wri_msg *out)
{
    uint32_t head = c->head;
    if (head == c->tail_seen) {
        c->tail_seen = wr_os_load(&c->tail);
        if (head == c->tail_seen) return false;
    }
    *out = c->ring[head % WRI_SLOTS];
    if (c->local) { /* the writer's task runs in the next round anyway */
        c->head = head + 1;
        return true;
    }
    wr_os_store_seq(&c->head, head + 1);
    if (wr_os_load_seq(&c->waits) &&
        wr_os_load_relaxed(&c->tail) - (head + 1) <= WR_CHANNEL_CAPACITY / 2) {
        wr_os_store_relaxed(&c->waits, 0u);
        wr_os_event_set(&c->from->worker->event);
    }
    return true;
}

void
wri_channel_deinit(wri_channel *c, wr_memtrack *budget)
{
    for (; c->head != c->tail; c->head++) wr_batch_release(c->ring[c->head % WRI_SLOTS].batch);
    wri_queue_deinit(&c->over, budget);
}
