/* SPDX-License-Identifier: Apache-2.0 */
/* Sources of one alignment group keep step: every update interval each says how far it has come and
 * looks how far the slowest is; one that is more than the drift ahead of that is not asked for rows
 * until the others have come up. Where a reader can leave out single splits (wr_source_ops.pause),
 * those of its splits that are too far ahead wait for the others of the reader as well. Nobody
 * waits for sources that are idle or have ended. Groups are of one job, as in Flink. No lock: a
 * slot is written by its own task alone, and an old value only makes others wait a little longer.
 */
#include "runtime/runtime_int.h"
#include "spi/factory.h"

#define KEY(what) "scan.watermark.alignment." what

static wr_str
group_of(const wr_pnode *scan)
{
    const wr_option *o = wr_options_find(&scan->u.scan.spec.options, KEY("group"));
    return o ? o->value : (wr_str){NULL, 0};
}

static wri_align_group *
find(wr_job *job, wr_str name)
{
    for (uint32_t i = 0; i < job->aligns.count; i++)
        if (wr_str_eq(job->aligns.items[i]->name, name)) return job->aligns.items[i];
    return NULL;
}

static wr_status
count_in(wr_ctx *ctx, wr_job *job, wr_str name, uint32_t subtasks)
{
    wri_align_group *g = find(job, name);
    if (!g) {
        g = WR_NEW(job->arena, wri_align_group);
        WR_TRY_ALLOC(ctx, g);
        g->name = name;
        if (!wr_list_push(job->arena, &job->aligns, g))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    g->slot_count += subtasks;
    return WR_OK;
}

wr_status
wri_align_init(wr_ctx *ctx, wr_job *job)
{
    for (uint32_t i = 0; i < job->discoveries.count; i++) {
        const wri_discovery *d = &job->discoveries.items[i];
        const wr_str name = group_of(d->node);
        if (name.ptr) WR_TRY(count_in(ctx, job, name, d->vertex->parallelism));
    }
    for (uint32_t i = 0; i < job->aligns.count; i++) {
        wri_align_group *g = job->aligns.items[i];
        g->slots = WR_NEW_N(job->arena, int64_t, g->slot_count);
        WR_TRY_ALLOC(ctx, g->slots);
        for (uint32_t k = 0; k < g->slot_count; k++) g->slots[k] = INT64_MIN;
        g->slot_count = 0;
    }
    for (uint32_t i = 0; i < job->discoveries.count; i++) {
        wri_discovery *d = &job->discoveries.items[i];
        const wr_str name = group_of(d->node);
        if (!name.ptr) continue;
        d->align = find(job, name);
        d->align_slot = d->align->slot_count;
        d->align->slot_count += d->vertex->parallelism;
    }
    return WR_OK;
}

static wr_status
duration(wr_ctx *ctx, const wri_source *s, const char *key, int64_t *out)
{
    wr_option_value v;
    WR_TRY(wr_options_get(ctx, &s->spec->options, wr_table_options, key, &v));
    *out = v.i;
    return WR_OK;
}

wr_status
wri_align_open(wr_ctx *ctx, wri_source *s)
{
    wr_job *job = s->inst->task->job;
    for (uint32_t i = 0; i < job->discoveries.count; i++) {
        const wri_discovery *d = &job->discoveries.items[i];
        if (d->node != s->inst->node || !d->align) continue;
        s->align.group = d->align;
        s->align.slot = &d->align->slots[d->align_slot + s->inst->task->subtask];
        s->align.allowed = INT64_MAX;
        wr_os_store(s->align.slot, INT64_MIN);
        WR_TRY(duration(ctx, s, KEY("max-drift"), &s->align.drift_ms));
        WR_TRY(duration(ctx, s, KEY("update-interval"), &s->align.update_ms));
    }
    return WR_OK;
}

static int64_t
slowest(const wri_align_group *g)
{
    int64_t low = INT64_MAX;
    for (uint32_t i = 0; i < g->slot_count; i++) low = WR_MIN(low, wr_os_load(&g->slots[i]));
    return low;
}

/* How far a source has come: the lowest of its splits that somebody waits for. */
static int64_t
reached(const wri_source *s)
{
    int64_t low = INT64_MAX;
    if (s->stamper && s->stamper->idle_sent) return INT64_MAX;
    for (uint32_t i = 0; i < s->clocks.count; i++) {
        const wr_split_clock *c = &s->clocks.items[i];
        if (!c->idle && !c->ended) low = WR_MIN(low, c->watermark);
    }
    return low;
}

/* The split of the reader that a clock is of. */
static void
tell_reader(wri_source *s, uint32_t clock, bool paused)
{
    for (uint32_t k = 0; k < s->added.count; k++)
        if (s->added.items[k] == clock) s->ops->pause(s->reader, k, paused);
}

/* all: none of them may go on. */
static bool
set_paused(wri_source *s, bool all)
{
    const bool apart = s->ops->pause && s->clocks.apart;
    bool changed = false, any = false;
    for (uint32_t i = 0; i < s->clocks.count; i++) {
        wr_split_clock *c = &s->clocks.items[i];
        const bool ahead = all || (apart && c->watermark > s->align.allowed);
        const bool now = ahead && !c->idle && !c->ended;
        any |= now;
        if (c->paused == now) continue;
        c->paused = now;
        changed = true;
        if (apart) tell_reader(s, i, now);
    }
    if (all && s->stamper) s->stamper->active_ms = s->inst->task->proc_ms;
    s->inst->task->unpublished |= changed;
    if (changed) s->wake_at_ms = 0; /* it may have rows now */
    return any;
}

bool
wri_align_may_poll(wri_source *s, int64_t *again_ms)
{
    wri_align *a = &s->align;
    const int64_t now = s->inst->task->now_ms, mine = reached(s);
    if (a->due_ms <= now) {
        a->due_ms = now + WR_MAX(a->update_ms, 1);
        wr_os_store(a->slot, mine);
        const int64_t low = slowest(a->group);
        if (__builtin_add_overflow(low, a->drift_ms, &a->allowed)) a->allowed = INT64_MAX;
    }
    const bool ahead = mine != INT64_MAX && mine > a->allowed;
    *again_ms = set_paused(s, ahead) ? a->due_ms : INT64_MAX;
    return !ahead;
}

void
wri_align_leave(wri_source *s)
{
    if (s->align.group) wr_os_store(s->align.slot, INT64_MAX);
}
