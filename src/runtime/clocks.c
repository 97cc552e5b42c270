/* SPDX-License-Identifier: Apache-2.0 */
/* Event time of the splits of a source. Where they go on by themselves, each has a clock; it is
 * idle when it has had no rows for the idle timeout, and when it is idle or has ended the WATERMARK
 * above leaves it out. What the clocks say goes into checkpoints beside the splits' places, so that
 * a restored job does not forget how far each had come. */
#include "runtime/runtime_int.h"

/* The WATERMARKs look again at which splits count: at the beginning of the next round. */
static wr_status
look_again(wri_source *s)
{
    s->inst->task->unpublished = true;
    for (uint32_t i = 0; i < s->stampers.count; i++) {
        wr_op_env *env = &s->stampers.items[i]->env;
        WR_TRY(env->timer(env, s->inst->task->proc_ms));
    }
    return WR_OK;
}

static wr_status
add(wr_ctx *ctx, wri_source *s, wr_split_clock clock)
{
    wr_split_clocks *c = &s->clocks;
    if (c->count == c->cap) {
        const uint32_t cap = c->cap ? c->cap * 2 : 4;
        wr_split_clock *more = WR_NEW_N(s->inst->task->arena, wr_split_clock, cap);
        WR_TRY_ALLOC(ctx, more);
        if (c->count) memcpy(more, c->items, sizeof *more * c->count);
        c->items = more;
        c->cap = cap;
    }
    clock.active_ms = s->inst->task->proc_ms;
    clock.start = clock.watermark;
    c->items[c->count++] = clock;
    return WR_OK;
}

wr_status
wri_clocks_open(wr_ctx *ctx, wri_source *s)
{
    s->clocks.apart = s->inst->node->u.scan.info.split_watermarks;
    if (s->clocks.apart) return WR_OK;
    return add(ctx, s, (wr_split_clock){.name = WR_STR(""), .watermark = INT64_MIN});
}

wr_status
wri_clocks_add(wr_ctx *ctx, wri_source *s, const wri_split *split)
{
    if (!s->clocks.apart) {
        if (s->given.count == 1) s->clocks.items[0].name = split->name;
        if (s->given.count == 2) s->clocks.items[0].name = WR_STR("");
        return WR_OK;
    }
    if (!split->finished && !wr_list_push(s->inst->task->arena, &s->added, s->clocks.count))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    WR_TRY(add(ctx, s,
               (wr_split_clock){
                   .name = split->name, .watermark = split->watermark, .ended = split->finished}));
    return look_again(s);
}

wr_status
wri_clocks_connect(wr_ctx *ctx, wri_inst *inst)
{
    const wr_pnode *n = inst->node->inputs[0];
    while (n->kind == WR_P_CALC) n = n->inputs[0];
    for (uint32_t i = 0; n->kind == WR_P_SCAN && i < inst->task->inst_count; i++) {
        wri_inst *scan = inst->task->insts[i];
        if (scan->node != n || !scan->source) continue;
        inst->env.clocks = &scan->source->clocks;
        inst->source_below = scan->source;
        if (!scan->source->stamper) scan->source->stamper = inst;
        if (!wr_list_push(inst->task->arena, &scan->source->stampers, inst))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    return WR_OK;
}

wr_status
wri_clocks_begin(wr_ctx *ctx, wri_source *s, const wr_poll *p, uint32_t rows)
{
    wr_split_clocks *c = &s->clocks;
    c->at = 0;
    if (rows == 0 && !p->has_watermark) return WR_OK;
    if (c->apart && p->split >= s->added.count)
        return wr_raise(ctx, WR_INTERNAL, "rows came from split %u of %u", p->split,
                        s->added.count);
    if (c->apart) c->at = s->added.items[p->split];
    c->items[c->at].active_ms = s->inst->task->proc_ms;
    c->items[c->at].idle = false;
    return WR_OK;
}

static int64_t
lowest(const wr_split_clocks *c)
{
    int64_t low = INT64_MAX;
    for (uint32_t i = 0; i < c->count; i++)
        if (!c->items[i].idle && !c->items[i].ended) low = WR_MIN(low, c->items[i].watermark);
    return low;
}

wr_status
wri_clocks_done(wr_ctx *ctx, wri_source *s, const wr_poll *p, int64_t *low)
{
    wr_split_clocks *c = &s->clocks;
    (void)ctx;
    *low = INT64_MIN;
    if (p->has_watermark) {
        wr_split_clock *mine = &c->items[c->at];
        mine->watermark = WR_MAX(mine->watermark, p->watermark);
        *low = lowest(c);
    }
    if (!p->split_ended || !c->apart || p->split >= s->added.count) return WR_OK;
    c->items[s->added.items[p->split]].ended = true;
    return look_again(s);
}

/* A reader that reads one split after the other has nothing only when it says so; a paused split
 * has rows that nobody asks for. */
static bool
may_be_idle(const wri_source *s, wr_split_clock *c, int64_t idle_ms)
{
    const wri_task *t = s->inst->task;
    if (c->ended || c->idle) return false;
    if (t->held || c->paused) c->active_ms = t->proc_ms;
    return !s->inst->node->u.scan.info.in_turn || s->pending_ms - c->active_ms >= idle_ms;
}

wr_status
wri_clocks_look_for_idle(wr_ctx *ctx, wri_inst *inst, int64_t *due_ms)
{
    wri_source *s = inst->source_below;
    const int64_t idle_ms = inst->node->u.watermark.idle_ms, now = inst->task->proc_ms;
    bool any = false;
    (void)ctx;
    for (uint32_t i = 0; s && s->clocks.apart && i < s->clocks.count; i++) {
        wr_split_clock *c = &s->clocks.items[i];
        if (!may_be_idle(s, c, idle_ms)) continue;
        if (c->active_ms + idle_ms > now) {
            *due_ms = WR_MIN(*due_ms, c->active_ms + idle_ms);
            continue;
        }
        c->idle = any = true;
        *due_ms = now;
    }
    return any ? look_again(s) : WR_OK;
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

wr_status
wri_clocks_snapshot(wr_ctx *ctx, const wri_source *s, wr_opstate *out)
{
    for (uint32_t i = 0; s->clocks.apart && i < s->clocks.count; i++) {
        const wr_split_clock *c = &s->clocks.items[i];
        if (c->ended || c->watermark == INT64_MIN) continue;
        char *item = wr_arena_alloc(out->arena, sizeof c->watermark + c->name.len);
        WR_TRY_ALLOC(ctx, item);
        memcpy(item, &c->watermark, sizeof c->watermark);
        if (c->name.len) memcpy(item + sizeof c->watermark, c->name.ptr, c->name.len);
        WR_TRY(wr_opstate_add(ctx, out, WR_STR(WRI_CLOCKS), WR_OPSTATE_UNION,
                              (wr_str){item, sizeof c->watermark + c->name.len}));
    }
    return WR_OK;
}

bool
wri_clocks_get(wr_str item, wr_str *name, int64_t *watermark)
{
    if (item.len < sizeof *watermark) return false;
    memcpy(watermark, item.ptr, sizeof *watermark);
    *name = (wr_str){item.ptr + sizeof *watermark, item.len - sizeof *watermark};
    return true;
}

/* ---- what others see ------------------------------------------------------------------------- */

void
wri_clocks_publish(const wri_source *s)
{
    wri_shown *to = s->inst->shown;
    wr_job *job = s->inst->task->job;
    const wr_split_clocks *c = &s->clocks;
    if (!s->stamper || c->count == 0) return;
    wr_os_mutex_lock(&job->clocks_mutex);
    if (c->count > to->clock_cap) {
        wr_split_clock *more = wr_mem_realloc(job->budget, to->clocks, to->clock_cap * sizeof *more,
                                              (size_t)c->cap * sizeof *more);
        if (more) {
            to->clocks = more;
            to->clock_cap = c->cap;
        }
    }
    to->clock_count = WR_MIN(c->count, to->clock_cap);
    if (to->clock_count) memcpy(to->clocks, c->items, to->clock_count * sizeof *c->items);
    for (uint32_t i = 0; i < to->clock_count; i++) {
        to->clocks[i].ended |= s->ended;
        to->clocks[i].idle |= s->stamper->idle_sent;
    }
    wr_os_mutex_unlock(&job->clocks_mutex);
}

void
wri_clocks_forget(wr_job *job)
{
    for (uint32_t i = 0; i < job->shown_count; i++) {
        wri_shown *s = &job->shown[i];
        wr_mem_free(job->budget, s->clocks, s->clock_cap * sizeof *s->clocks);
        s->clocks = NULL;
        s->clock_count = s->clock_cap = 0;
    }
}

static bool
is_waited_for(const wr_split_watermark *w)
{
    return !w->idle && !w->ended;
}

/* The splits that all others wait for: the lowest that are waited for. */
static void
mark_lowest(wr_split_watermark *items, uint32_t count)
{
    int64_t low = INT64_MAX;
    for (uint32_t i = 0; i < count; i++)
        if (is_waited_for(&items[i])) low = WR_MIN(low, items[i].watermark);
    for (uint32_t i = 0; i < count; i++)
        items[i].holds_back = is_waited_for(&items[i]) && items[i].watermark == low;
}

wr_status
wr_job_get_watermarks(wr_ctx *ctx, wr_job *job, wr_arena *a, wr_split_watermark **out,
                      uint32_t *count)
{
    WR_LIST(wr_split_watermark) list = {0};
    bool ok = true;
    wr_os_mutex_lock(&job->clocks_mutex);
    for (uint32_t i = 0; ok && i < job->shown_count; i++) {
        const wri_shown *s = &job->shown[i];
        for (uint32_t k = 0; ok && k < s->clock_count; k++) {
            const wr_split_clock *c = &s->clocks[k];
            const wr_split_watermark w = {.table = &s->node->u.scan.spec.table->id,
                                          .subtask = s->metrics.subtask,
                                          .split = wr_arena_str(a, c->name),
                                          .watermark = c->watermark,
                                          .idle = c->idle,
                                          .paused = c->paused,
                                          .ended = c->ended};
            ok = wr_list_push(a, &list, w);
        }
    }
    wr_os_mutex_unlock(&job->clocks_mutex);
    WR_TRY_ALLOC(ctx, ok ? job : NULL);
    mark_lowest(list.items, list.count);
    *out = list.items;
    *count = list.count;
    return WR_OK;
}
