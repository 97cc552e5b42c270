/* SPDX-License-Identifier: Apache-2.0 */
/* Splits: discovered once before the job starts (in the controlling thread) and dealt out in turn;
 * unbounded sources are asked again by worker 0 when they wanted that. A split found later reaches
 * its reader through the source's mailbox. */
#include "runtime/runtime_int.h"

static wri_source *
source_of(wr_job *job, const wri_discovery *d, uint32_t subtask)
{
    wri_task *t = job->tasks[d->vertex->first_task + subtask];
    for (uint32_t k = 0; k < t->inst_count; k++)
        if (t->insts[k]->node == d->node) return t->insts[k]->source;
    WR_UNREACHABLE();
}

static wr_str *
find_known(const wri_discovery *d, wr_str split)
{
    uint32_t mask = d->known_cap - 1, at = (uint32_t)wr_hash_bytes(split.ptr, split.len, 0) & mask;
    while (d->known[at].ptr && !wr_str_eq(d->known[at], split)) at = (at + 1) & mask;
    return &d->known[at];
}

static wr_status
grow_known(wr_ctx *ctx, wr_job *job, wri_discovery *d)
{
    wri_discovery next = *d;
    next.known_cap = d->known_cap ? d->known_cap * 2 : 64;
    next.known = WR_NEW_N(job->arena, wr_str, next.known_cap);
    WR_TRY_ALLOC(ctx, next.known);
    for (uint32_t i = 0; i < d->known_cap; i++)
        if (d->known[i].ptr) *find_known(&next, d->known[i]) = d->known[i];
    *d = next;
    return WR_OK;
}

/* Remember a split (copied); *fresh false when it was known. */
static wr_status
remember(wr_ctx *ctx, wr_job *job, wri_discovery *d, wr_str *split, bool *fresh)
{
    if (d->known_count * 2 >= d->known_cap) WR_TRY(grow_known(ctx, job, d));
    wr_str *place = find_known(d, *split);
    *fresh = !place->ptr;
    if (!*fresh) return WR_OK;
    wr_str copy = wr_arena_str(job->arena, *split);
    WR_TRY_ALLOC(ctx, copy.ptr);
    *place = *split = copy;
    d->known_count++;
    return WR_OK;
}

static wr_status
post_split(wr_ctx *ctx, wr_job *job, wri_source *s, wr_str split)
{
    wr_os_mutex_lock(&s->mail_mutex);
    bool ok = wr_list_push(job->arena, &s->mail, split);
    wr_os_mutex_unlock(&s->mail_mutex);
    WR_TRY_ALLOC(ctx, ok ? s : NULL);
    wri_source_wake(s);
    return WR_OK;
}

/* `splits` live as long as the job, or are copied by remember(). */
static wr_status
deal_out(wr_ctx *ctx, wr_job *job, wri_discovery *d, wr_str *splits, uint32_t count, bool again,
         bool running)
{
    for (uint32_t i = 0; i < count; i++) {
        bool fresh = true;
        if (again) WR_TRY(remember(ctx, job, d, &splits[i], &fresh));
        if (!fresh) continue;
        wri_source *s = source_of(job, d, d->next++ % d->vertex->parallelism);
        if (running)
            WR_TRY(post_split(ctx, job, s, splits[i]));
        else
            WR_TRY(s->ops->add_split(ctx, s->reader, splits[i], WR_STR("")));
    }
    return WR_OK;
}

static wr_status
discover(wr_ctx *ctx, wr_job *job, wri_discovery *d, wr_arena *arena, bool running)
{
    wr_str *splits = NULL;
    uint32_t count = 0, parts = d->vertex->parallelism;
    int64_t recheck_ms = 0;
    const wr_source_ops *ops = d->node->u.scan.source;
    WR_TRY(ops->discover(ctx, &d->node->u.scan.spec, parts, arena, &splits, &count, &recheck_ms));
    WR_TRY(deal_out(ctx, job, d, splits, count, recheck_ms > 0 || running, running));
    d->again_at_ms = recheck_ms > 0 ? wr_os_wall_ms() + recheck_ms : INT64_MAX;
    for (uint32_t i = 0; recheck_ms <= 0 && !running && i < parts; i++) {
        wri_source *s = source_of(job, d, i);
        WR_TRY(s->ops->no_more_splits(ctx, s->reader));
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
            wri_discovery d = {
                .vertex = vertex, .node = vertex->nodes[k], .again_at_ms = INT64_MAX};
            if (!wr_list_push(job->arena, &job->discoveries, d))
                return wr_raise(ctx, WR_NOMEM, "out of memory");
            wri_discovery *last = &job->discoveries.items[job->discoveries.count - 1];
            WR_TRY(discover(ctx, job, last, job->arena, false));
        }
    }
    return WR_OK;
}

wr_status
wri_sources_recheck(wr_ctx *ctx, wr_job *job, int64_t now_ms, int64_t *wake_ms)
{
    for (uint32_t i = 0; i < job->discoveries.count; i++) {
        wri_discovery *d = &job->discoveries.items[i];
        if (d->again_at_ms <= now_ms) {
            wr_arena *scratch = wr_arena_create(job->budget, 0);
            WR_TRY_ALLOC(ctx, scratch);
            wr_status status = discover(ctx, job, d, scratch, true);
            wr_arena_destroy(scratch);
            WR_TRY(status);
        }
        *wake_ms = WR_MIN(*wake_ms, d->again_at_ms);
    }
    return WR_OK;
}
