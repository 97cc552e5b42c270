/* SPDX-License-Identifier: Apache-2.0 */
/* Splits: discovered once before the job starts (in the controlling thread) and dealt out in turn;
 * unbounded sources are asked again by worker 0 when they wanted that. A split found later reaches
 * its reader through the source's mailbox.
 *
 * Every split that was ever found is remembered with its subtask, so that a region that starts
 * again gets its own back. What a checkpoint says about a split (its position, or that it was read
 * to its end) is put beside it at every restore. */
#include "runtime/runtime_int.h"

static wri_source *
source_of(wr_job *job, const wri_discovery *d, uint32_t subtask)
{
    wri_task *t = job->tasks[d->vertex->first_task + subtask];
    for (uint32_t k = 0; k < t->inst_count; k++)
        if (t->insts[k]->node == d->node) return t->insts[k]->source;
    WR_UNREACHABLE();
}

/* ---- the splits that are known --------------------------------------------------------------- */

static uint32_t *
place_of(const wri_discovery *d, wr_str name)
{
    uint32_t mask = d->index_cap - 1, at = (uint32_t)wr_hash_bytes(name.ptr, name.len, 0) & mask;
    while (d->index[at] && !wr_str_eq(d->splits.items[d->index[at] - 1].name, name))
        at = (at + 1) & mask;
    return &d->index[at];
}

static wr_status
grow_index(wr_ctx *ctx, wr_job *job, wri_discovery *d)
{
    d->index_cap = d->index_cap ? d->index_cap * 2 : 64;
    d->index = WR_NEW_N(job->arena, uint32_t, d->index_cap);
    WR_TRY_ALLOC(ctx, d->index);
    for (uint32_t i = 0; i < d->splits.count; i++) *place_of(d, d->splits.items[i].name) = i + 1;
    return WR_OK;
}

/* The split of that name; *fresh: it was not known, and has no subtask yet. */
static wr_status
remember(wr_ctx *ctx, wr_job *job, wri_discovery *d, wr_str name, wri_split **out, bool *fresh)
{
    if (d->splits.count * 2 >= d->index_cap) WR_TRY(grow_index(ctx, job, d));
    uint32_t *place = place_of(d, name);
    *fresh = *place == 0;
    if (*fresh) {
        wri_split s = {.name = name.len ? wr_arena_str(job->arena, name) : WR_STR(""),
                       .position = WR_STR(""),
                       .watermark = INT64_MIN};
        WR_TRY_ALLOC(ctx, s.name.ptr);
        if (!wr_list_push(job->arena, &d->splits, s))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
        *place = d->splits.count;
    }
    *out = &d->splits.items[*place - 1];
    return WR_OK;
}

/* ---- what a checkpoint knows ----------------------------------------------------------------- */

static wr_status
take_item(wr_ctx *ctx, wr_job *job, wri_discovery *d, wr_str item, bool finished, uint32_t subtask)
{
    wr_str name = item, position = WR_STR("");
    if (!finished && !wr_split_get(item, &name, &position))
        return wr_raise(ctx, WR_CORRUPT, "a split in the checkpoint is malformed");
    wri_split *s = NULL;
    bool fresh = false;
    WR_TRY(remember(ctx, job, d, name, &s, &fresh));
    if (fresh) s->subtask = job->restored->own ? subtask : d->next++ % d->vertex->parallelism;
    s->position = position;
    s->finished = finished;
    return WR_OK;
}

/* How far splits had come in event time. */
static wr_status
take_clocks(wr_ctx *ctx, wri_discovery *d, const wr_ckpt_operator *op)
{
    for (uint32_t i = 0; i < op->subtask_count; i++) {
        const wr_opstate_list *l = wr_opstate_find(&op->subtasks[i].ops, WRI_CLOCKS);
        for (uint32_t k = 0; l && k < l->items.count; k++) {
            wr_str name;
            int64_t watermark;
            if (!wri_clocks_get(l->items.items[k], &name, &watermark))
                return wr_raise(ctx, WR_CORRUPT,
                                "a split's watermark in the checkpoint is malformed");
            const uint32_t at = d->index_cap ? *place_of(d, name) : 0;
            if (at) d->splits.items[at - 1].watermark = watermark;
        }
    }
    return WR_OK;
}

static wr_status
take_list(wr_ctx *ctx, wr_job *job, wri_discovery *d, const wr_ckpt_operator *op, const char *name,
          bool finished)
{
    for (uint32_t i = 0; i < op->subtask_count; i++) {
        const wr_opstate_list *l = wr_opstate_find(&op->subtasks[i].ops, name);
        for (uint32_t k = 0; l && k < l->items.count; k++)
            WR_TRY(take_item(ctx, job, d, l->items.items[k], finished, i));
    }
    return WR_OK;
}

static wr_status
reset(wr_ctx *ctx, wr_job *job, wri_discovery *d)
{
    const wr_ckpt_operator *op =
        job->restored ? wr_ckpt_find(job->restored->meta, job->ids[d->node->id - 1]) : NULL;
    d->restored = op != NULL;
    /* A source that does not look again: what the checkpoint does not name was read to its end. */
    bool over = d->restored && d->again_at_ms == INT64_MAX;
    for (uint32_t i = 0; i < d->splits.count; i++) {
        d->splits.items[i].position = WR_STR("");
        d->splits.items[i].finished = over;
        d->splits.items[i].watermark = INT64_MIN;
    }
    if (!op) return WR_OK;
    WR_TRY(take_list(ctx, job, d, op, "splits", false));
    WR_TRY(take_list(ctx, job, d, op, "finished", true));
    return take_clocks(ctx, d, op);
}

wr_status
wri_sources_reset(wr_ctx *ctx, wr_job *job)
{
    for (uint32_t i = 0; i < job->discoveries.count; i++)
        WR_TRY(reset(ctx, job, &job->discoveries.items[i]));
    return WR_OK;
}

/* ---- finding --------------------------------------------------------------------------------- */

static wr_status
post_split(wr_ctx *ctx, wri_source *s, wr_str split)
{
    wr_os_mutex_lock(&s->mail_mutex);
    bool ok = wr_list_push(s->inst->task->region->arena, &s->mail, split);
    wr_os_mutex_unlock(&s->mail_mutex);
    WR_TRY_ALLOC(ctx, ok ? s : NULL);
    wri_source_wake(s);
    return WR_OK;
}

static wr_status
discover(wr_ctx *ctx, wr_job *job, wri_discovery *d, wr_arena *arena, bool running)
{
    wr_str *names = NULL;
    uint32_t count = 0, parts = d->vertex->parallelism;
    int64_t recheck_ms = 0;
    const wr_source_ops *ops = d->node->u.scan.source;
    WR_TRY(ops->discover(ctx, &d->node->u.scan.spec, parts, arena, &names, &count, &recheck_ms));
    d->again_at_ms = recheck_ms > 0 ? wr_os_wall_ms() + recheck_ms : INT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        if (d->restored && recheck_ms <= 0) break;
        wri_split *s = NULL;
        bool fresh = false;
        WR_TRY(remember(ctx, job, d, names[i], &s, &fresh));
        if (!fresh) continue;
        s->subtask = d->next++ % parts;
        const wri_region *r = job->tasks[d->vertex->first_task + s->subtask]->region;
        if (running && r->built) WR_TRY(post_split(ctx, source_of(job, d, s->subtask), s->name));
    }
    return WR_OK;
}

/* The options may have changed since the checkpoint: what it names is read all the same. */
static wr_status
tell_moved(wr_ctx *ctx, const wri_discovery *d)
{
    const wr_source_ops *ops = d->node->u.scan.source;
    const wr_source_spec *spec = &d->node->u.scan.spec;
    for (uint32_t i = 0; ops->covers && i < d->splits.count; i++) {
        bool yes = true;
        wr_str was, now;
        if (d->splits.items[i].finished) continue;
        WR_TRY(ops->covers(ctx, spec, d->splits.items[i].name, &yes, &was, &now));
        if (yes) continue;
        wr_notice(ctx,
                  "input from `%.*s` goes on with what the checkpoint names, %.*s, which is not "
                  "below '%.*s'%s",
                  WR_STR_ARG(spec->table->id.name), WR_STR_ARG(was), WR_STR_ARG(now),
                  d->again_at_ms == INT64_MAX ? "; nothing of the latter is read by this job" : "");
        return WR_OK;
    }
    return WR_OK;
}

wr_status
wri_sources_discover(wr_ctx *ctx, wr_job *job)
{
    for (uint32_t v = 0; v < job->graph.vertex_count; v++) {
        wri_vertex *vertex = &job->graph.vertices[v];
        for (uint32_t k = 0; k < vertex->node_count; k++) {
            if (vertex->nodes[k]->kind != WR_P_SCAN) continue;
            wri_discovery d = {.vertex = vertex, .node = vertex->nodes[k]};
            if (!wr_list_push(job->arena, &job->discoveries, d))
                return wr_raise(ctx, WR_NOMEM, "out of memory");
            wri_discovery *last = &job->discoveries.items[job->discoveries.count - 1];
            WR_TRY(reset(ctx, job, last));
            WR_TRY(discover(ctx, job, last, job->arena, false));
            if (last->restored) WR_TRY(tell_moved(ctx, last));
        }
    }
    return WR_OK;
}

static wr_status
give(wr_ctx *ctx, wr_job *job, const wri_discovery *d, uint32_t subtask)
{
    wri_source *s = source_of(job, d, subtask);
    s->rechecks = d->again_at_ms != INT64_MAX;
    for (uint32_t i = 0; i < d->splits.count; i++)
        if (d->splits.items[i].subtask == subtask)
            WR_TRY(wri_source_give(ctx, s, &d->splits.items[i]));
    return s->rechecks ? WR_OK : s->ops->no_more_splits(ctx, s->reader);
}

wr_status
wri_sources_give(wr_ctx *ctx, wr_job *job, const wri_region *region)
{
    for (uint32_t i = 0; i < job->discoveries.count; i++) {
        const wri_discovery *d = &job->discoveries.items[i];
        for (uint32_t k = 0; k < d->vertex->parallelism; k++)
            if (job->tasks[d->vertex->first_task + k]->region == region)
                WR_TRY(give(ctx, job, d, k));
    }
    return WR_OK;
}

static wr_status
recheck(wr_ctx *ctx, wr_job *job, wri_discovery *d)
{
    wr_arena *scratch = wr_arena_create(job->budget, 0);
    WR_TRY_ALLOC(ctx, scratch);
    wr_os_mutex_lock(&job->splits_mutex);
    wr_status status = discover(ctx, job, d, scratch, true);
    wr_os_mutex_unlock(&job->splits_mutex);
    wr_arena_destroy(scratch);
    return status;
}

wr_status
wri_sources_recheck(wr_ctx *ctx, wr_job *job, int64_t now_ms, int64_t *wake_ms)
{
    for (uint32_t i = 0; i < job->discoveries.count; i++) {
        wri_discovery *d = &job->discoveries.items[i];
        if (d->again_at_ms <= now_ms) WR_TRY(recheck(ctx, job, d));
        *wake_ms = WR_MIN(*wake_ms, d->again_at_ms);
    }
    return WR_OK;
}
