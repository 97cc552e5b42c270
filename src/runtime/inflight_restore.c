/* SPDX-License-Identifier: Apache-2.0 */
/* In-flight data back into a region that has just been built, before anything new.
 *
 * What was on its way into one input of an operator is read from all files and sent again by the
 * senders of today: their exchanges find the subtask that a row belongs to at today's parallelism.
 * Rows of one former channel stay in order. Where the exchange has become a plain call, they wait
 * in the operator's queue. A key may have another sender than before: so that its new rows come
 * behind those in flight, the barrier of the last checkpoint follows these in every channel, and
 * tasks begin by aligning on it.
 *
 * Watermarks. Splits may belong to other subtasks now, so no channel's watermark may run ahead of
 * what any sender has still to give: everybody gets the lowest of all former channels. The channel
 * that is furthest behind goes first, so that no row comes behind a watermark that it was in time
 * for, as though the channels had been read in that order. Idleness is not restored: a sender that
 * is idle says so again. */
#include "runtime/inflight_int.h"

typedef struct stream { /* a former channel: what the receiver found, then what the sender held */
    const wri_stored_flow *found, *held;
    uint32_t at;
    int64_t watermark;
} stream;

typedef struct target { /* one input of one operator */
    const wri_region *region;
    const wr_pnode *node;
    uint32_t input;
    const wri_edge *edge; /* NULL: a plain call now */
    const wri_vertex *vertex;
    const wr_schema *schema;
    wr_arena *arena;
    stream *streams;
    uint32_t count;
    bool whole; /* every former channel is among them */
    int64_t sent;
} target;

/* ---- where it belongs ------------------------------------------------------------------------ */

static wr_status
gone(wr_ctx *ctx, const wr_job *job, const wri_stored_flow *flow, bool *skip)
{
    *skip = wr_config_bool(job->env.config, "execution.state-recovery.ignore-unclaimed-state");
    if (*skip) return WR_OK;
    (void)wr_raise(ctx, WR_SEMANTIC,
                   "checkpoint %.*s has rows in flight to operator %.*s, which is not available in "
                   "the new program",
                   WR_STR_ARG(job->restored->meta->path), WR_STR_ARG(flow->id));
    wr_hint(ctx, "change a query from a savepoint: it has nothing in flight; or set "
                 "execution.state-recovery.ignore-unclaimed-state to lose these rows");
    return WR_SEMANTIC;
}

static wr_status
check_types(wr_ctx *ctx, const target *t, const wri_stored_flow *flow)
{
    wr_str why;
    WR_TRY(wri_inflight_compare(ctx, t->node, flow, t->arena, &why));
    if (!why.len) return WR_OK;
    (void)wr_raise(ctx, WR_SEMANTIC, "%.*s", WR_STR_ARG(why));
    wr_hint(ctx, "change a query from a savepoint: it has nothing in flight");
    return WR_SEMANTIC;
}

static void
find_place(const wr_job *job, target *t)
{
    t->schema = wri_inflight_schema(t->node, t->input);
    for (uint32_t i = 0; i < job->graph.edge_count; i++) {
        const wri_edge *e = &job->graph.edges[i];
        if (e->to_node == t->node && e->to_input == t->input) t->edge = e;
    }
    for (uint32_t v = 0; v < job->graph.vertex_count; v++)
        for (uint32_t k = 0; k < job->graph.vertices[v].node_count; k++)
            if (job->graph.vertices[v].nodes[k] == t->node) t->vertex = &job->graph.vertices[v];
}

/* *skip: nobody wants them. */
static wr_status
find_target(wr_ctx *ctx, const wr_job *job, const wri_stored_flow *flow, target *t, bool *skip)
{
    *skip = false;
    for (uint32_t i = 0; i < job->plan->node_count; i++)
        if (wr_str_eq(job->ids[i], flow->id)) t->node = job->plan->nodes[i];
    t->input = flow->input;
    if (!t->node || t->input >= t->node->input_count) return gone(ctx, job, flow, skip);
    find_place(job, t);
    return t->vertex ? WR_OK : gone(ctx, job, flow, skip);
}

static bool
same_input(const wri_stored_flow *a, const wri_stored_flow *b)
{
    return a->input == b->input && wr_str_eq(a->id, b->id);
}

static wr_status
collect(wr_ctx *ctx, wri_stored *s, const wri_stored_flow *first, target *t)
{
    uint64_t channels = (uint64_t)first->senders * first->receivers, found = 0;
    t->streams = WR_NEW_N(t->arena, stream, s->flows.count + 1);
    WR_TRY_ALLOC(ctx, t->streams);
    for (uint32_t i = 0; i < s->flows.count; i++) {
        wri_stored_flow *flow = &s->flows.items[i];
        if (!same_input(flow, first)) continue;
        WR_TRY(check_types(ctx, t, flow));
        stream *x = t->streams;
        for (; x < t->streams + t->count; x++) {
            const wri_stored_flow *known = x->found ? x->found : x->held;
            if (known->sender == flow->sender && known->receiver == flow->receiver) break;
        }
        if (x == t->streams + t->count) *x = (stream){.watermark = INT64_MIN}, t->count++;
        *(flow->held ? &x->held : &x->found) = flow;
        if (!flow->held) x->watermark = flow->watermark, found++;
        flow->taken = true;
    }
    t->whole = found == channels;
    return WR_OK;
}

/* ---- sending --------------------------------------------------------------------------------- */

static wri_router *
router_of(const wri_task *t, const wri_edge *e)
{
    for (uint32_t i = 0; i < t->router_count; i++)
        if (t->routers[i]->edge == e) return t->routers[i];
    return NULL;
}

static wri_inst *
inst_of(const wri_task *t, const wr_pnode *n)
{
    for (uint32_t i = 0; i < t->inst_count; i++)
        if (t->insts[i]->node == n) return t->insts[i];
    return NULL;
}

/* The task that sends them today; receives them, without an exchange. */
static wri_task *
task_for(const target *t, const stream *x)
{
    const wri_stored_flow *flow = x->found ? x->found : x->held;
    const wr_job *job = t->region->job;
    const wri_vertex *v = t->edge ? &job->graph.vertices[t->edge->from] : t->vertex;
    uint32_t subtask = t->edge ? flow->sender : flow->receiver;
    return job->tasks[v->first_task + subtask % v->parallelism];
}

static wr_status
send_rows(wr_ctx *ctx, const target *t, wri_task *task, const wri_stored_item *item)
{
    wri_stored_rows rows;
    WR_TRY(wri_inflight_rows(ctx, item, &rows));
    while (rows.count) {
        wr_batch *b = wr_batch_acquire(task->pool, t->schema->count);
        WR_TRY_ALLOC(ctx, b);
        wr_status status = wri_inflight_decode(ctx, &rows, t->schema, b);
        if (status != WR_OK) {
            wr_batch_release(b);
            return status;
        }
        if (t->edge)
            WR_TRY(wri_router_push(ctx, router_of(task, t->edge), b));
        else
            WR_TRY(wri_inst_enqueue(ctx, inst_of(task, t->node), t->input,
                                    (wri_msg){.kind = WRI_MSG_BATCH, .batch = b}));
    }
    return WR_OK;
}

static wr_status
send_watermark(wr_ctx *ctx, const target *t, int64_t watermark)
{
    const wr_job *job = t->region->job;
    const wri_vertex *v = t->edge ? &job->graph.vertices[t->edge->from] : t->vertex;
    const wri_msg m = {.kind = WRI_MSG_WATERMARK, .watermark = watermark};
    for (uint32_t i = 0; i < v->parallelism; i++) {
        wri_task *task = job->tasks[v->first_task + i];
        if (task->region != t->region) continue;
        WR_TRY(t->edge ? wri_router_control(ctx, router_of(task, t->edge), m)
                       : wri_inst_enqueue(ctx, inst_of(task, t->node), t->input, m));
    }
    return WR_OK;
}

static wr_status
raise_watermark(wr_ctx *ctx, target *t)
{
    int64_t low = INT64_MAX;
    for (uint32_t i = 0; t->whole && i < t->count; i++) low = WR_MIN(low, t->streams[i].watermark);
    if (low <= t->sent || low == INT64_MAX) return WR_OK;
    t->sent = low;
    return send_watermark(ctx, t, low);
}

static const wri_stored_item *
item_at(const stream *x)
{
    uint32_t found = x->found ? x->found->items.count : 0;
    if (x->at < found) return &x->found->items.items[x->at];
    if (x->held && x->at - found < x->held->items.count)
        return &x->held->items.items[x->at - found];
    return NULL;
}

static stream *
furthest_behind(const target *t)
{
    stream *low = NULL;
    for (stream *x = t->streams; x < t->streams + t->count; x++)
        if (item_at(x) && (!low || x->watermark < low->watermark)) low = x;
    return low;
}

static wr_status
send_all(wr_ctx *ctx, target *t)
{
    WR_TRY(raise_watermark(ctx, t));
    for (stream *x = furthest_behind(t); x; x = furthest_behind(t)) {
        const wri_stored_item *item = item_at(x);
        wri_task *task = task_for(t, x);
        x->at++;
        if (item->kind == WRI_ITEM_WATERMARK) {
            x->watermark = WR_MAX(x->watermark, wri_inflight_watermark(item));
            WR_TRY(raise_watermark(ctx, t));
        } else if (task->region == t->region) {
            WR_TRY(send_rows(ctx, t, task, item));
        }
    }
    return WR_OK;
}

static wr_status
restore_input(wr_ctx *ctx, wr_job *job, const wri_region *region, wri_stored *s,
              wri_stored_flow *first)
{
    bool skip = false;
    target t = {.region = region, .arena = s->arena, .sent = INT64_MIN};
    first->taken = true;
    WR_TRY(find_target(ctx, job, first, &t, &skip));
    if (skip) return WR_OK;
    WR_TRY(collect(ctx, s, first, &t));
    return send_all(ctx, &t);
}

static wr_status
end_channels(wr_ctx *ctx, const wr_job *job, const wri_region *region)
{
    bool moved = false;
    uint64_t id = wr_os_load(&job->request);
    const wri_msg m = {.kind = WRI_MSG_BARRIER, .watermark = (int64_t)id};
    for (uint32_t i = 0; i < job->task_count; i++) {
        wri_task *t = job->tasks[i];
        if (t->region != region) continue;
        t->barrier.restoring = true;
        t->barrier.id = id;
        t->barrier.done = id - 1;
        for (uint32_t k = 0; k < t->router_count; k++)
            WR_TRY(wri_router_flush(ctx, t->routers[k], INT64_MAX, &moved));
        for (uint32_t k = 0; k < t->out_count; k++) WR_TRY(wri_channel_push(ctx, t->outs[k], m));
    }
    return WR_OK;
}

/* Workers may be at other regions: nothing that they own may be touched, so no channel counts as
 * local for the while. */
static void
set_local(const wri_region *region, bool restoring)
{
    for (uint32_t i = 0; i < region->channels.count; i++) {
        wri_channel *c = region->channels.items[i];
        c->local = !restoring && c->from->worker == c->to->worker;
    }
}

wr_status
wri_inflight_restore(wr_ctx *ctx, wr_job *job, const wri_region *region)
{
    if (job->restored->all_done) return WR_OK;
    wri_stored s = {.arena = wr_arena_create(job->budget, 0)};
    WR_TRY_ALLOC(ctx, s.arena);
    wr_status status = wri_inflight_load(ctx, job->restored->meta, job->restored->reader, &s);
    set_local(region, true);
    for (uint32_t i = 0; i < s.flows.count && status == WR_OK; i++)
        if (!s.flows.items[i].taken)
            status = restore_input(ctx, job, region, &s, &s.flows.items[i]);
    if (status == WR_OK && s.flows.count) status = end_channels(ctx, job, region);
    set_local(region, false);
    wr_arena_destroy(s.arena);
    return status;
}
