/* SPDX-License-Identifier: Apache-2.0 */
/* From the job graph to tasks: operator instances, targets, channels, state backends; and their
 * end. */
#include "runtime/runtime_int.h"

static wr_status
set_timer(wr_op_env *env, int64_t time_ms)
{
    wri_inst *inst = env->task;
    uint32_t at = 0;
    while (at < inst->timer_count && inst->timers[at] < time_ms) at++;
    if (at < inst->timer_count && inst->timers[at] == time_ms) return WR_OK;
    if (inst->timer_count == inst->timer_cap) {
        uint32_t cap = inst->timer_cap ? inst->timer_cap * 2 : 8;
        int64_t *timers = wr_arena_alloc(inst->task->arena, cap * sizeof(int64_t));
        if (!timers) return wr_raise(&inst->task->ctx, WR_NOMEM, "out of memory");
        if (inst->timer_count) memcpy(timers, inst->timers, inst->timer_count * sizeof(int64_t));
        inst->timers = timers;
        inst->timer_cap = cap;
    }
    memmove(inst->timers + at + 1, inst->timers + at, (inst->timer_count - at) * sizeof(int64_t));
    inst->timers[at] = time_ms;
    inst->timer_count++;
    inst->task->timer_count++;
    return WR_OK;
}

/* Operators that may keep keyed state get a backend of their own, so that its size is theirs. */
static bool
keeps_state(const wr_pnode *n)
{
    static const bool stateless[WR_P_COUNT] = {
        [WR_P_SCAN] = true,      [WR_P_VALUES] = true,  [WR_P_CALC] = true,
        [WR_P_WATERMARK] = true, [WR_P_UNION] = true,   [WR_P_EXPAND] = true,
        [WR_P_CORRELATE] = true, [WR_P_COLLECT] = true, [WR_P_DROP_UPDATE_BEFORE] = true,
        [WR_P_SINK] = true};
    return !stateless[n->kind];
}

/* state.backend.type. Batch operators keep what they need in memory: nothing of it is restored. */
static wr_status
find_backend(wr_ctx *ctx, const wr_job *job, const wr_state_ops **out)
{
    wr_str name = wr_config_str(job->env.config, "state.backend.type");
    if (!name.len || (job->env.eval && job->env.eval->batch)) name = WR_STR("hashmap");
    *out = wr_find_state(name);
    if (*out) return WR_OK;
    (void)wr_raise(ctx, WR_OPTION, "Cannot find configured state backend factory class: %.*s",
                   WR_STR_ARG(name));
    wr_candidate(ctx, name, WR_STR("hashmap"));
    wr_candidate(ctx, name, WR_STR("rocksdb"));
    wr_hint(ctx, "Set 'state.backend.type' to 'hashmap' or 'rocksdb'.");
    return WR_OPTION;
}

static wr_status
open_state(wr_ctx *ctx, wri_task *t, wri_inst *inst)
{
    const wr_state_ops *ops;
    WR_TRY(find_backend(ctx, t->job, &ops));
    uint32_t max = t->job->env.max_parallelism, p = t->vertex->parallelism;
    uint32_t first = (t->subtask * max + p - 1) / p, next = ((t->subtask + 1) * max + p - 1) / p;
    const wr_pnode *n = inst->node;
    if (n->kind == WR_P_HASH_AGG && n->u.agg.phase == WR_AGG_LOCAL) { /* rows of any key */
        first = 0;
        next = max;
    }
    inst->kg_first = first;
    inst->kg_last = next - 1;
    WR_TRY(ops->open(ctx, t->job->env.config, inst->budget, first, next - 1, max, &inst->backend));
    inst->backend->now_ms = t->proc_ms;
    return WR_OK;
}

static void
fill_env(wri_task *t, wri_inst *inst)
{
    wr_job *job = t->job;
    inst->eval = *job->env.eval;
    inst->eval.watermark = &inst->watermark;
    inst->env = (wr_op_env){.arena = t->arena,
                            .pool = t->pool,
                            .budget = inst->budget,
                            .eval = &inst->eval,
                            .config = job->env.config,
                            .state = inst->backend,
                            .subtask = t->subtask,
                            .parallelism = t->vertex->parallelism,
                            .max_parallelism = job->env.max_parallelism,
                            .metrics = &inst->metrics,
                            .now_ms = &t->proc_ms,
                            .job = job,
                            .sink = &inst->sink_env,
                            .collect = job->env.collect,
                            .timer = set_timer,
                            .task = inst};
    inst->sink_env = job->sink_env;
    inst->sink_env.arena = t->arena;
    inst->sink_env.budget = inst->budget;
    inst->sink_env.subtask = t->subtask;
    inst->sink_env.parallelism = t->vertex->parallelism;
    inst->sink_env.operator_id = job->ids[inst->node->id - 1];
    inst->sink_env.restoring = job->restored != NULL;
}

static wr_status
make_inst(wr_ctx *ctx, wri_task *t, const wr_pnode *n, wri_shown *shown, wri_inst **out)
{
    wri_inst *inst = WR_NEW(t->arena, wri_inst);
    WR_TRY_ALLOC(ctx, inst);
    inst->task = t;
    inst->node = n;
    inst->watermark = inst->forwarded = inst->forward_to = INT64_MIN;
    inst->shown = shown;
    wr_os_store_relaxed(&shown->forwarded, INT64_MIN);
    wr_os_store_relaxed(&shown->metrics.watermark, INT64_MIN);
    inst->input_count = n->input_count;
    inst->inputs = WR_NEW_N(t->arena, wri_wm_input, n->input_count + 1);
    WR_TRY_ALLOC(ctx, inst->inputs);
    for (uint32_t i = 0; i < n->input_count; i++) inst->inputs[i].watermark = INT64_MIN;
    inst->metrics = shown->metrics; /* counted on from there */
    inst->makes_idle = n->kind == WR_P_WATERMARK && n->u.watermark.idle_ms > 0;
    inst->active_ms = t->proc_ms;
    t->idler_count += inst->makes_idle;
    inst->budget = wr_memtrack_create(t->budget, inst->metrics.name, 0);
    WR_TRY_ALLOC(ctx, inst->budget);
    wr_status status = keeps_state(n) ? open_state(ctx, t, inst) : WR_OK;
    if (status != WR_OK) {
        wr_memtrack_destroy(inst->budget);
        return status;
    }
    fill_env(t, inst);
    wri_inst_emitter_init(inst);
    *out = inst;
    return WR_OK;
}

static wr_status
make_task(wr_ctx *ctx, wri_task *t)
{
    wr_job *job = t->job;
    wri_vertex *v = t->vertex;
    t->budget = wr_memtrack_create(job->budget, "task", 0);
    WR_TRY_ALLOC(ctx, t->budget);
    t->now_ms = wr_os_wall_ms();
    t->proc_ms = wr_os_processing_ms();
    wr_ctx_init(&t->ctx);
    t->ctx.cancel = &t->region->stop;
    t->barrier.done = wr_os_load(&job->request);
    t->arena = wr_arena_create(t->budget, 0);
    WR_TRY_ALLOC(ctx, t->arena);
    t->pool = wr_batch_pool_create(t->budget);
    WR_TRY_ALLOC(ctx, t->pool);
    t->insts = WR_NEW_N(t->arena, wri_inst *, v->node_count);
    WR_TRY_ALLOC(ctx, t->insts);
    for (uint32_t i = 0; i < v->node_count; i++) {
        WR_TRY(make_inst(ctx, t, v->nodes[i], &t->shown[i], &t->insts[i]));
        t->inst_count++;
    }
    return WR_OK;
}

static wri_inst *
inst_of(wri_task *t, const wr_pnode *n)
{
    for (uint32_t i = 0; i < t->inst_count; i++)
        if (t->insts[i]->node == n) return t->insts[i];
    return NULL;
}

static wr_status
add_target(wr_ctx *ctx, wri_inst *from, wri_target target)
{
    wri_target *list = WR_NEW_N(from->task->arena, wri_target, from->target_count + 1);
    WR_TRY_ALLOC(ctx, list);
    uint32_t at = from->target_count++;
    if (at) memcpy(list, from->targets, at * sizeof *list);
    for (; from->node->by_row && at > 0 && list[at - 1].hops > target.hops; at--)
        list[at] = list[at - 1];
    list[at] = target;
    from->targets = list;
    return WR_OK;
}

/* Plain calls inside a task. An EXCHANGE between two nodes of one task is a call as well. */
static wr_status
link_calls(wr_ctx *ctx, wri_task *t)
{
    for (uint32_t i = 0; i < t->inst_count; i++) {
        wri_inst *inst = t->insts[i];
        for (uint32_t k = 0; k < inst->node->input_count; k++) {
            bool is_edge = false;
            for (uint32_t e = 0; e < t->job->graph.edge_count; e++) {
                const wri_edge *edge = &t->job->graph.edges[e];
                is_edge |= edge->to_node == inst->node && edge->to_input == k;
            }
            if (is_edge) continue;
            const wr_pnode *in = inst->node->inputs[k];
            uint32_t hops = inst->node->hops;
            for (; in->kind == WR_P_EXCHANGE; in = in->inputs[0]) hops++;
            wri_inst *from = inst_of(t, in);
            WR_ASSERT(from != NULL);
            WR_TRY(add_target(ctx, from, (wri_target){.inst = inst, .input = k, .hops = hops}));
        }
    }
    return WR_OK;
}

static wri_task *
task_of(const wr_job *job, uint32_t vertex, uint32_t subtask)
{
    return job->tasks[job->graph.vertices[vertex].first_task + subtask];
}

static wr_status
add_channel(wr_ctx *ctx, const wri_edge *e, wri_task *from, wri_lane *lane, wri_task *to,
            uint32_t slot)
{
    wri_region *region = from->region;
    uint8_t *room = wr_arena_zalloc(
        region->arena, sizeof(wri_channel) + 64); /* its ends have cache lines of their own */
    WR_TRY_ALLOC(ctx, room);
    wri_channel *c = (wri_channel *)(void *)(room + (64 - ((uintptr_t)room & 63)) % 64);
    c->from = from;
    c->edge = e;
    c->to = to;
    c->local = from->worker == to->worker;
    lane->channel = c;
    from->outs[from->out_count++] = c;
    to->channels[to->channel_count++] = (wri_in_channel){.channel = c, .slot = slot};
    if (!wr_list_push(region->arena, &region->channels, c))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

static wr_status
add_chan_input(wr_ctx *ctx, wri_task *to, const wri_edge *e, uint32_t senders)
{
    wri_chan_input *ci = &to->chan_inputs[to->chan_input_count++];
    ci->inst = inst_of(to, e->to_node);
    ci->input = e->to_input;
    ci->watermark = INT64_MIN;
    ci->channel_count = senders;
    ci->channels = WR_NEW_N(to->arena, wri_wm_input, senders);
    WR_TRY_ALLOC(ctx, ci->channels);
    for (uint32_t i = 0; i < senders; i++) ci->channels[i].watermark = INT64_MIN;
    return WR_OK;
}

static wr_status
add_router(wr_ctx *ctx, wri_task *from, const wri_edge *e, uint32_t lanes, wri_router **out)
{
    wri_inst *sender = inst_of(from, e->from_node);
    wri_router *r = WR_NEW(from->arena, wri_router);
    WR_TRY_ALLOC(ctx, r);
    r->task = from;
    r->sender = sender;
    r->edge = e;
    r->schema = &e->from_node->schema;
    r->dist = e->dist;
    r->keys = e->keys;
    r->key_count = e->key_count;
    r->max_parallelism = from->job->env.max_parallelism;
    r->next = from->subtask % lanes;
    r->metrics = &sender->metrics;
    r->lane_count = lanes;
    r->lanes = WR_NEW_N(from->arena, wri_lane, lanes);
    WR_TRY_ALLOC(ctx, r->lanes);
    wri_router_size(r);
    from->routers[from->router_count++] = r;
    *out = r;
    return add_target(ctx, sender, (wri_target){.router = r});
}

static wr_status
link_edge(wr_ctx *ctx, const wri_region *region, const wri_edge *e)
{
    wr_job *job = region->job;
    uint32_t pf = job->graph.vertices[e->from].parallelism,
             pt = job->graph.vertices[e->to].parallelism;
    bool forward = e->dist == WR_DIST_FORWARD;
    for (uint32_t j = 0; j < pt; j++)
        if (task_of(job, e->to, j)->region == region)
            WR_TRY(add_chan_input(ctx, task_of(job, e->to, j), e, forward ? 1 : pf));
    for (uint32_t i = 0; i < pf; i++) {
        wri_task *from = task_of(job, e->from, i);
        if (from->region != region) continue;
        wri_router *r = NULL;
        WR_TRY(add_router(ctx, from, e, forward ? 1 : pt, &r));
        for (uint32_t j = 0; j < r->lane_count; j++) {
            wri_task *to = task_of(job, e->to, forward ? i : j);
            uint32_t slot = (to->chan_input_count - 1) << 16 | (forward ? 0 : i);
            WR_TRY(add_channel(ctx, e, from, &r->lanes[j], to, slot));
        }
    }
    return WR_OK;
}

/* Room for every channel a task may have: counted before linking. */
static wr_status
reserve_channels(wr_ctx *ctx, const wri_region *region)
{
    const wr_job *job = region->job;
    for (uint32_t i = 0; i < job->task_count; i++) {
        wri_task *t = job->tasks[i];
        if (t->region != region) continue;
        uint32_t in = 0, out = 0, inputs = 0, routers = 0;
        for (uint32_t k = 0; k < job->graph.edge_count; k++) {
            const wri_edge *e = &job->graph.edges[k];
            if (&job->graph.vertices[e->to] == t->vertex) {
                in += job->graph.vertices[e->from].parallelism;
                inputs++;
            }
            if (&job->graph.vertices[e->from] == t->vertex) {
                out += job->graph.vertices[e->to].parallelism;
                routers++;
            }
        }
        t->channels = WR_NEW_N(t->arena, wri_in_channel, in + 1);
        t->chan_inputs = WR_NEW_N(t->arena, wri_chan_input, inputs + 1);
        t->outs = WR_NEW_N(t->arena, wri_channel *, out + 1);
        t->routers = WR_NEW_N(t->arena, wri_router *, routers + 1);
        WR_TRY_ALLOC(ctx, t->channels);
        WR_TRY_ALLOC(ctx, t->chan_inputs);
        WR_TRY_ALLOC(ctx, t->outs);
        WR_TRY_ALLOC(ctx, t->routers);
    }
    return WR_OK;
}

static wr_status
open_inst(wr_ctx *ctx, wri_task *t, wri_inst *inst)
{
    if (inst->node->kind == WR_P_SCAN) return wri_source_open(ctx, t, inst);
    const wr_op_ops *ops = wr_op_ops_of(inst->node);
    wr_op *op = wr_arena_zalloc(t->arena, ops->size_bytes);
    WR_TRY_ALLOC(ctx, op);
    op->ops = ops;
    op->node = inst->node;
    op->env = &inst->env;
    op->input_count = inst->input_count;
    inst->op = op;
    if (inst->node->kind == WR_P_WATERMARK) WR_TRY(wri_clocks_connect(ctx, inst));
    if (inst->input_count == 0) { /* VALUES begins by ending; until then the job is not quiet */
        inst->start_due = true;
        t->start_count++;
        wr_os_add(&t->job->inflight, 1);
    }
    return ops->open(ctx, op);
}

static wr_status
open_task(wr_ctx *ctx, wri_task *t)
{
    for (uint32_t i = 0; i < t->inst_count; i++)
        WR_TRY(wri_inst_blame(ctx, t->insts[i], open_inst(ctx, t, t->insts[i])));
    return WR_OK;
}

static wr_status
restore_task(wr_ctx *ctx, wri_task *t)
{
    for (uint32_t i = 0; i < t->inst_count; i++)
        WR_TRY(wri_inst_blame(ctx, t->insts[i], wri_restore_inst(ctx, t->job, t->insts[i])));
    return WR_OK;
}

/* What had ended is not begun again. */
static void
end_at_once(wri_task *t)
{
    for (uint32_t i = 0; i < t->inst_count; i++) {
        wri_inst *inst = t->insts[i];
        if (inst->source) inst->source->ended = true;
        if (inst->start_due) wr_os_add(&t->job->inflight, -1);
        inst->start_due = false;
        inst->state = WRI_INST_ENDED;
    }
    t->source_count = t->start_count = 0;
    t->ended_count = t->inst_count;
}

static wr_status
build(wr_ctx *ctx, wri_region *region)
{
    wr_job *job = region->job;
    region->arena = wr_arena_create(job->budget, 0);
    WR_TRY_ALLOC(ctx, region->arena);
    for (uint32_t i = 0; i < job->task_count; i++)
        if (job->tasks[i]->region == region) WR_TRY(make_task(ctx, job->tasks[i]));
    WR_TRY(reserve_channels(ctx, region));
    for (uint32_t i = 0; i < job->task_count; i++)
        if (job->tasks[i]->region == region) WR_TRY(link_calls(ctx, job->tasks[i]));
    for (uint32_t i = 0; i < job->graph.edge_count; i++)
        WR_TRY(link_edge(ctx, region, &job->graph.edges[i]));
    for (uint32_t i = 0; i < job->task_count; i++)
        if (job->tasks[i]->region == region) WR_TRY(open_task(ctx, job->tasks[i]));
    WR_TRY(wri_restore_keyed(ctx, region));
    for (uint32_t i = 0; i < job->task_count; i++)
        if (job->tasks[i]->region == region) WR_TRY(restore_task(ctx, job->tasks[i]));
    if (job->restored) WR_TRY(wri_inflight_restore(ctx, job, region));
    WR_TRY(wri_sources_give(ctx, job, region));
    for (uint32_t i = 0; job->restored && job->restored->all_done && i < job->task_count; i++)
        if (job->tasks[i]->region == region) end_at_once(job->tasks[i]);
    return WR_OK;
}

wr_status
wri_region_build(wr_ctx *ctx, wri_region *region)
{
    region->built = true;
    wr_status status = build(ctx, region);
    if (status != WR_OK) wri_region_tear_down(region);
    return status;
}

static void
close_task(wri_task *t)
{
    for (uint32_t i = 0; i < t->router_count; i++) wri_router_deinit(t->routers[i]);
    for (uint32_t i = 0; i < t->inst_count; i++) {
        wri_inst *inst = t->insts[i];
        bool busy = inst->op && wri_inst_busy(inst);
        wr_os_add(&t->job->inflight, -(int64_t)busy - (int64_t)inst->start_due);
        if (inst->source) wri_source_close(inst->source);
        if (inst->op) inst->op->ops->close(inst->op);
        for (; inst->queue_count; inst->queue_count--) {
            wr_batch_release(inst->queue[inst->queue_head].msg.batch);
            inst->queue_head = (inst->queue_head + 1) & (inst->queue_cap - 1);
        }
    }
}

/* Batches may be held by other tasks, so every task is closed before anything is freed. */
static void
free_task(wri_task *t)
{
    for (uint32_t i = 0; i < t->inst_count; i++)
        if (t->insts[i]->backend) t->insts[i]->backend->ops->close(t->insts[i]->backend);
    for (uint32_t i = 0; i < t->inst_count; i++) wr_memtrack_destroy(t->insts[i]->budget);
    wr_batch_pool_destroy(t->pool);
    wr_arena_destroy(t->arena);
    wr_memtrack_destroy(t->budget);
    /* Workers go on reading what comes before. */
    memset(&t->ctx, 0, sizeof *t - offsetof(wri_task, ctx));
}

static void
drain_channel(wri_channel *c)
{
    int64_t left = (int64_t)(c->tail - c->head) + c->over.count;
    wr_os_add(&c->from->job->inflight, -left);
    wri_channel_deinit(c, c->from->budget);
}

void
wri_region_tear_down(wri_region *region)
{
    wr_job *job = region->job;
    if (!region->built) return;
    region->built = false;
    for (uint32_t i = 0; i < job->task_count; i++)
        if (job->tasks[i]->region == region) close_task(job->tasks[i]);
    for (uint32_t i = 0; i < region->channels.count; i++) drain_channel(region->channels.items[i]);
    for (uint32_t i = 0; i < job->task_count; i++)
        if (job->tasks[i]->region == region) free_task(job->tasks[i]);
    memset(&region->channels, 0, sizeof region->channels);
    wr_arena_destroy(region->arena);
    region->arena = NULL;
}
