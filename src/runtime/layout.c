/* SPDX-License-Identifier: Apache-2.0 */
/* What a job is made of for its whole life: tasks without content, who runs them, which of them
 * fail together, what is shown of their operators. build.c fills them, once per attempt. */
#include "runtime/runtime_int.h"

/* "GroupAggregate[3]": the node's name and number, for metrics and error frames. */
static wr_status
make_shown(wr_ctx *ctx, wr_job *job, const wri_task *t)
{
    for (uint32_t i = 0; i < t->vertex->node_count; i++) {
        const wr_pnode *n = t->vertex->nodes[i];
        wr_str name =
            wr_arena_printf(job->arena, "%s[%u]", wr_pkind_name((wr_pkind)n->kind), n->id);
        WR_TRY_ALLOC(ctx, name.ptr);
        t->shown[i] = (wri_shown){.node = n, .forwarded = INT64_MIN};
        t->shown[i].metrics =
            (wr_op_metrics){.name = name.ptr, .subtask = t->subtask, .watermark = INT64_MIN};
    }
    return WR_OK;
}

static wr_status
make_tasks(wr_ctx *ctx, wr_job *job)
{
    uint32_t total = 0, shown = 0;
    for (uint32_t v = 0; v < job->graph.vertex_count; v++) {
        job->graph.vertices[v].first_task = total;
        total += job->graph.vertices[v].parallelism;
        shown += job->graph.vertices[v].parallelism * job->graph.vertices[v].node_count;
    }
    job->tasks = WR_NEW_N(job->arena, wri_task *, total);
    wri_task *tasks = WR_NEW_N(job->arena, wri_task, total);
    job->shown = WR_NEW_N(job->arena, wri_shown, shown + 1);
    WR_TRY_ALLOC(ctx, job->tasks);
    WR_TRY_ALLOC(ctx, tasks);
    WR_TRY_ALLOC(ctx, job->shown);
    for (uint32_t v = 0; v < job->graph.vertex_count; v++)
        for (uint32_t i = 0; i < job->graph.vertices[v].parallelism; i++) {
            wri_task *t = &tasks[job->task_count];
            *t = (wri_task){.job = job,
                            .worker = &job->workers[i % job->worker_count],
                            .vertex = &job->graph.vertices[v],
                            .index = job->task_count,
                            .subtask = i,
                            .shown = job->shown + job->shown_count};
            job->tasks[job->task_count++] = t;
            job->shown_count += t->vertex->node_count;
            WR_TRY(make_shown(ctx, job, t));
        }
    return WR_OK;
}

static wr_status
assign_tasks(wr_ctx *ctx, wr_job *job)
{
    for (uint32_t w = 0; w < job->worker_count; w++) {
        wri_worker *worker = &job->workers[w];
        worker->tasks = WR_NEW_N(job->arena, wri_task *, job->task_count);
        WR_TRY_ALLOC(ctx, worker->tasks);
        for (uint32_t i = 0; i < job->task_count; i++)
            if (job->tasks[i]->worker == worker)
                worker->tasks[worker->task_count++] = job->tasks[i];
    }
    return WR_OK;
}

/* ---- regions --------------------------------------------------------------------------------- */

static uint32_t
root_of(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static void
join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = root_of(parent, a);
    b = root_of(parent, b);
    parent[WR_MAX(a, b)] = WR_MIN(a, b);
}

/* Sources whose rows are events of their own wait for the whole job to be quiet: it is one. */
static bool
is_one(const wr_job *job)
{
    for (uint32_t i = 0; i < job->plan->node_count; i++) {
        const wr_pnode *n = job->plan->nodes[i];
        if (n->kind == WR_P_SCAN && n->u.scan.info.row_events) return true;
    }
    return false;
}

static void
join_all(const wr_job *job, uint32_t *parent)
{
    bool one = is_one(job);
    for (uint32_t i = 1; one && i < job->task_count; i++) join(parent, 0, i);
    for (uint32_t k = 0; k < job->graph.edge_count; k++) {
        const wri_edge *e = &job->graph.edges[k];
        const wri_vertex *from = &job->graph.vertices[e->from], *to = &job->graph.vertices[e->to];
        if (e->dist == WR_DIST_FORWARD) {
            for (uint32_t i = 0; i < from->parallelism; i++)
                join(parent, from->first_task + i, to->first_task + i);
            continue;
        }
        for (uint32_t i = 0; i < from->parallelism; i++)
            join(parent, from->first_task, from->first_task + i);
        for (uint32_t i = 0; i < to->parallelism; i++)
            join(parent, from->first_task, to->first_task + i);
    }
}

static wr_status
make_regions(wr_ctx *ctx, wr_job *job)
{
    uint32_t *parent = WR_NEW_N(job->arena, uint32_t, job->task_count + 1);
    job->regions = WR_NEW_N(job->arena, wri_region, job->task_count + 1);
    WR_TRY_ALLOC(ctx, parent);
    WR_TRY_ALLOC(ctx, job->regions);
    for (uint32_t i = 0; i < job->task_count; i++) parent[i] = i;
    join_all(job, parent);
    for (uint32_t i = 0; i < job->task_count; i++) { /* a root comes before those it stands for */
        uint32_t root = root_of(parent, i);
        if (root == i) {
            job->regions[job->region_count].job = job;
            job->tasks[i]->region = &job->regions[job->region_count++];
        } else {
            job->tasks[i]->region = job->tasks[root]->region;
        }
    }
    return WR_OK;
}

wr_status
wri_job_lay_out(wr_ctx *ctx, wr_job *job)
{
    WR_TRY(make_tasks(ctx, job));
    WR_TRY(assign_tasks(ctx, job));
    return make_regions(ctx, job);
}
