/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics and progress. Operators count with plain stores in structs of their own; now and then the
 * task copies them to where other threads may look. */
#include "runtime/runtime_int.h"

#define PUT(field) wr_os_store_relaxed(&to->field, m->field)

static void
publish_inst(wri_task *t, wri_inst *inst)
{
    wr_op_metrics *m = &inst->metrics, *to = &inst->shown->metrics;
    m->busy_ns = t->busy_ns;
    m->idle_ns = t->idle_ns;
    m->backpressured_ns = t->backpressured_ns;
    m->state_bytes = wr_memtrack_used(inst->budget);
    PUT(records_in);
    PUT(records_out);
    PUT(bytes_in);
    PUT(bytes_out);
    PUT(batches_in);
    PUT(batches_out);
    PUT(late_dropped);
    PUT(records_skipped);
    PUT(busy_ns);
    PUT(idle_ns);
    PUT(backpressured_ns);
    PUT(watermark);
    PUT(state_bytes);
    wr_os_store_relaxed(&inst->shown->forwarded, inst->forwarded);
    const wri_source *s = inst->source;
    if (!s) return;
    wr_os_store_relaxed(&inst->shown->bytes_total, s->bytes_total);
    wr_os_store_relaxed(&inst->shown->quiet, s->quiet ? 1u : 0u);
    wri_clocks_publish(s);
}

void
wri_task_publish(wri_task *t)
{
    for (uint32_t i = 0; i < t->inst_count; i++) publish_inst(t, t->insts[i]);
    t->published_ms = t->now_ms;
    t->unpublished = false;
}

#define GET(field) out->field = wr_os_load_relaxed(&m->field)

bool
wr_job_get_metrics(const wr_job *job, uint32_t index, wr_op_metrics *out)
{
    if (index >= job->shown_count) return false;
    const wr_op_metrics *m = &job->shown[index].metrics;
    *out = (wr_op_metrics){.name = m->name, .subtask = m->subtask};
    GET(records_in);
    GET(records_out);
    GET(bytes_in);
    GET(bytes_out);
    GET(batches_in);
    GET(batches_out);
    GET(late_dropped);
    GET(records_skipped);
    GET(busy_ns);
    GET(idle_ns);
    GET(backpressured_ns);
    GET(watermark);
    GET(state_bytes);
    return true;
}

/* The table below a watermark assigner; zero-terminated. */
static const char *
source_name(const wr_pnode *node)
{
    const wr_pnode *n = node;
    while (n->kind != WR_P_SCAN && n->input_count == 1) n = n->inputs[0];
    bool known = n->kind == WR_P_SCAN && n->u.scan.spec.table && n->u.scan.spec.table->id.name.len;
    return known ? n->u.scan.spec.table->id.name.ptr : node->label.ptr;
}

static void
add_source(wr_job_progress *out, const wri_shown *s)
{
    uint64_t total = wr_os_load_relaxed(&s->bytes_total);
    out->rows_in += wr_os_load_relaxed(&s->metrics.records_out);
    out->bytes_in += wr_os_load_relaxed(&s->metrics.bytes_in);
    out->bytes_total += total;
    if (!wr_os_load_relaxed(&s->quiet)) out->sources_idle = false;
}

/* Totals hold only when every source knows its own. */
static void
add_totals(const wr_job *job, wr_job_progress *out)
{
    bool bytes = true, rows = true;
    for (uint32_t i = 0; i < job->discoveries.count; i++) {
        const wri_discovery *d = &job->discoveries.items[i];
        const wr_source_info *info = &d->node->u.scan.info;
        uint64_t sum = 0;
        for (uint32_t k = 0; k < job->shown_count; k++)
            if (job->shown[k].node == d->node)
                sum += wr_os_load_relaxed(&job->shown[k].bytes_total);
        bytes &= sum > 0;
        rows &= info->bounded && info->row_count >= 0;
        if (info->row_count > 0) out->rows_total += (uint64_t)info->row_count;
    }
    if (!bytes) out->bytes_total = 0;
    if (!rows) out->rows_total = 0;
}

void
wr_job_get_progress(const wr_job *job, wr_job_progress *out)
{
    *out = (wr_job_progress){.watermark = INT64_MAX, .sources_idle = true};
    for (uint32_t i = 0; i < job->shown_count; i++) {
        const wri_shown *s = &job->shown[i];
        if (s->node->kind == WR_P_SCAN) add_source(out, s);
        if (s->node->kind == WR_P_SINK || s->node->kind == WR_P_COLLECT)
            out->rows_out += wr_os_load_relaxed(&s->metrics.records_in);
        if (s->node->kind != WR_P_WATERMARK) continue;
        int64_t wm = wr_os_load_relaxed(&s->forwarded);
        if (wm < out->watermark) {
            out->watermark = wm;
            out->waits_for = source_name(s->node);
        }
    }
    add_totals(job, out);
    if (out->watermark == INT64_MAX) out->watermark = INT64_MIN;
}

uint32_t
wr_job_task_count(const wr_job *job)
{
    return job->task_count;
}

uint32_t
wr_job_worker_count(const wr_job *job)
{
    return job->worker_count;
}
