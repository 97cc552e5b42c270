/* SPDX-License-Identifier: Apache-2.0 */
/* The snapshot thread: what tasks froze is written while they work on. */
#include <stdio.h>

#include "runtime/runtime_int.h"

void
wri_frozen_release(wri_frozen *take_f, bool kept)
{
    for (uint32_t i = 0; i < take_f->part_count; i++) {
        wri_part *part = &take_f->parts[i];
        if (part->snapshot) part->backend->ops->snapshot_release(part->snapshot, kept);
    }
    wri_inflight_drop(take_f);
    wr_arena_destroy(take_f->arena);
}

static wr_status
write_part(wr_ctx *ctx, wr_ckpt *ckpt, wri_frozen *f, wri_part *part)
{
    wr_state_writer *w = NULL;
    WR_TRY(wr_ckpt_writer_open(ctx, ckpt, &w));
    /* The handle lies in the writer's arena, which lives as long as the checkpoint is in work. */
    part->keyed = WR_NEW(f->arena, wr_state_handle);
    wr_status status = part->keyed
                           ? part->backend->ops->snapshot_write(ctx, part->snapshot, w, part->keyed)
                           : wr_raise(ctx, WR_NOMEM, "out of memory");
    wr_ckpt_writer_close(w);
    return status;
}

/* Nothing was on its way, and no watermark is known: then there is no file. */
static bool
has_inflight(const wri_frozen *f)
{
    bool any = f->caught.count > 0;
    for (uint32_t i = 0; !any && i < f->flows.count; i++)
        any = f->flows.items[i].watermark != INT64_MIN && f->flows.items[i].watermark != INT64_MAX;
    return any;
}

static wr_status
write_inflight(wr_ctx *ctx, wr_ckpt *ckpt, wri_frozen *f)
{
    wr_state_writer *w = NULL;
    wr_state_file *file = WR_NEW(f->arena, wr_state_file);
    WR_TRY_ALLOC(ctx, file);
    WR_TRY(wr_ckpt_writer_open(ctx, ckpt, &w));
    wr_status status = wri_inflight_write(ctx, f, w, file);
    wr_ckpt_writer_close(w);
    wri_inflight_drop(f);
    WR_TRY(status);
    f->parts[0].inflight = file;
    return WR_OK;
}

static wr_status
write_frozen(wr_ctx *ctx, wr_ckpt *ckpt, wri_frozen *f)
{
    int64_t begin = wr_os_now_ns();
    for (uint32_t i = 0; i < f->part_count; i++)
        if (f->parts[i].snapshot) WR_TRY(write_part(ctx, ckpt, f, &f->parts[i]));
    if (has_inflight(f)) WR_TRY(write_inflight(ctx, ckpt, f));
    f->async_ms = (wr_os_now_ns() - begin) / 1000000;
    wr_os_crash_point("snapshot-write");
    return WR_OK;
}

static void
add_stat(wri_coord *c, const wri_frozen *f)
{
    wr_checkpoint_stat *s = &c->history[f->id % WRI_HISTORY];
    if (s->id != f->id) return;
    s->acknowledged++;
    s->start_delay_ms = WR_MAX(s->start_delay_ms, f->start_delay_ms);
    s->alignment_ms = WR_MAX(s->alignment_ms, f->alignment_ms);
    s->sync_us = WR_MAX(s->sync_us, f->sync_us);
    s->async_ms = WR_MAX(s->async_ms, f->async_ms);
    s->unaligned |= f->overtook;
    if (f->part_count && f->parts[0].inflight) s->inflight_bytes += f->parts[0].inflight->bytes;
}

/* The task's part has arrived, or the checkpoint cannot be. Called with the mutex. */
static void
acknowledge(wri_coord *c, wri_pending *p, wri_frozen *f, const wr_ctx *ctx, bool ok)
{
    p->parts[f->task->index] = f;
    if (ok) {
        p->acknowledged++;
        add_stat(c, f);
    } else if (!p->failed) {
        p->failed = true;
        (void)snprintf(p->reason, sizeof p->reason,
                       "the state of a task could not be written: %.200s", ctx->err.message);
    }
}

static wri_frozen *
next_frozen(wri_coord *c)
{
    while (!c->to_write && !c->writer_quits) wr_os_cond_wait(&c->to_write_changed, &c->mutex);
    wri_frozen *f = c->to_write;
    if (!f) return NULL;
    c->to_write = f->next;
    if (!c->to_write) c->last_to_write = NULL;
    c->writing = f->task;
    return f;
}

static wri_pending *
living(wri_coord *c, uint64_t id)
{
    for (wri_pending *p = c->pending; p; p = p->next)
        if (p->id == id) return p->failed ? NULL : p;
    return NULL;
}

void
wri_snapshot_loop(void *arg)
{
    wr_job *job = arg;
    wri_coord *c = &job->coord;
    wr_os_mutex_lock(&c->mutex);
    for (wri_frozen *f = next_frozen(c); f; f = next_frozen(c)) {
        wri_pending *p = living(c, f->id);
        if (p) {
            p->writing++;
            wr_os_mutex_unlock(&c->mutex);
            wr_ctx ctx;
            wr_ctx_init(&ctx);
            bool ok = write_frozen(&ctx, p->ckpt, f) == WR_OK;
            wr_os_mutex_lock(&c->mutex);
            p->writing--;
            acknowledge(c, p, f, &ctx, ok);
        } else {
            const wri_task *task = f->task; /* with its verdict f is the task's, who frees it */
            wr_os_store(&f->verdict, (int)WRI_LOST);
            wr_os_event_set(&task->worker->event);
        }
        c->writing = NULL;
        wr_os_cond_broadcast(&c->changed);
    }
    wr_os_mutex_unlock(&c->mutex);
}

void
wri_snapshot_forget(wr_job *job, const wri_task *t)
{
    wri_coord *c = &job->coord;
    wr_os_mutex_lock(&c->mutex);
    while (c->writing == t) wr_os_cond_wait(&c->changed, &c->mutex);
    wri_frozen *last = NULL;
    for (wri_frozen **at = &c->to_write; *at;) {
        if ((*at)->task == t) {
            *at = (*at)->next;
        } else {
            last = *at;
            at = &last->next;
        }
    }
    c->last_to_write = last;
    wr_os_mutex_unlock(&c->mutex);
}
