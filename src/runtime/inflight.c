/* SPDX-License-Identifier: Apache-2.0 */
/* In-flight data of a checkpoint whose barriers overtook rows: batches and watermarks. Batches are
 * immutable and counted, so a task takes references and the snapshot thread encodes them, into one
 * file a task (docs/reference/checkpoint-format.md). */
#include "runtime/inflight_int.h"

/* ---- recording ------------------------------------------------------------------------------- */

wr_status
wri_inflight_flow(wr_ctx *ctx, wri_frozen *f, wri_flow flow, uint32_t *number)
{
    *number = f->flows.count;
    if (!wr_list_push(f->arena, &f->flows, flow)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

wr_status
wri_inflight_keep(wr_ctx *ctx, wri_frozen *f, uint32_t flow, const wri_msg *m)
{
    wri_caught x = {.flow = flow, .watermark = m->watermark};
    if (m->kind != WRI_MSG_BATCH && m->kind != WRI_MSG_WATERMARK) return WR_OK;
    if (m->kind == WRI_MSG_BATCH) x.batch = m->batch;
    if (!wr_list_push(f->arena, &f->caught, x)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    if (x.batch) wr_batch_ref(x.batch);
    return WR_OK;
}

void
wri_inflight_drop(wri_frozen *f)
{
    for (uint32_t i = 0; i < f->caught.count; i++) wr_batch_release(f->caught.items[i].batch);
    f->caught.count = 0;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void
put(wr_text *t, uint64_t v, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) wr_text_putc(t, (char)(v >> (8 * i) & 0xff));
}

static void
put_str(wr_text *t, wr_str s)
{
    put(t, s.len, 4);
    wr_text_put(t, s.ptr, s.len);
}

void
wri_inflight_types(const wr_schema *schema, wr_text *out)
{
    for (uint32_t i = 0; i < schema->count; i++) {
        if (i) wr_text_puts(out, ", ");
        wr_type_print(schema->fields[i].type, WR_TYPE_SERIALIZABLE, out);
    }
}

static wr_status
append(wr_ctx *ctx, wr_state_writer *w, const wr_text *t)
{
    return t->failed ? wr_text_raise(ctx, t) : w->append(ctx, w, t->ptr, t->len);
}

static wr_status
put_flow(wr_ctx *ctx, const wr_job *job, const wri_flow *flow, wr_arena *a, wr_state_writer *w)
{
    const wri_edge *e = flow->edge;
    wr_text t, types;
    wr_text_init(&t, a);
    wr_text_init(&types, a);
    wri_inflight_types(&e->from_node->schema, &types);
    if (types.failed) return wr_text_raise(ctx, &types);
    put_str(&t, job->ids[e->to_node->id - 1]);
    put(&t, e->to_input, 4);
    put(&t, flow->sender, 4);
    put(&t, job->graph.vertices[e->from].parallelism, 4);
    put(&t, flow->receiver, 4);
    put(&t, job->graph.vertices[e->to].parallelism, 4);
    put(&t, flow->held, 1);
    put(&t, (uint64_t)flow->watermark, 8);
    put_str(&t, wr_text_str(&types));
    return append(ctx, w, &t);
}

static wr_status
put_rows(wr_ctx *ctx, const wri_caught *x, const wr_schema *schema, wr_arena *a, wr_state_writer *w)
{
    wr_text t;
    wr_bytes rows;
    uint32_t *cols = WR_NEW_N(a, uint32_t, schema->count + 1);
    WR_TRY_ALLOC(ctx, cols);
    for (uint32_t i = 0; i < schema->count; i++) cols[i] = i;
    if (!wr_row_encode(x->batch, cols, schema->count, a, &rows))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    uint64_t bytes = 4 + (uint64_t)rows.n * 5 + rows.off[rows.n];
    if (bytes > UINT32_MAX) return wr_raise(ctx, WR_LIMIT, "a batch of rows is longer than 4 GB");
    wr_text_init(&t, a);
    put(&t, x->flow, 4);
    put(&t, WRI_ITEM_ROWS, 1);
    put(&t, bytes, 4);
    put(&t, rows.n, 4);
    for (uint32_t i = 0; i < rows.n; i++)
        put(&t, wr_batch_kind(x->batch, wr_batch_row(x->batch, i)), 1);
    for (uint32_t i = 0; i < rows.n; i++) put(&t, rows.off[i + 1] - rows.off[i], 4);
    WR_TRY(append(ctx, w, &t));
    return w->append(ctx, w, rows.data, rows.off[rows.n]);
}

static wr_status
put_item(wr_ctx *ctx, const wri_frozen *f, const wri_caught *x, wr_arena *a, wr_state_writer *w)
{
    wr_text t;
    if (x->batch) return put_rows(ctx, x, &f->flows.items[x->flow].edge->from_node->schema, a, w);
    wr_text_init(&t, a);
    put(&t, x->flow, 4);
    put(&t, WRI_ITEM_WATERMARK, 1);
    put(&t, 8, 4);
    put(&t, (uint64_t)x->watermark, 8);
    return append(ctx, w, &t);
}

static wr_status
put_all(wr_ctx *ctx, const wri_frozen *f, wr_arena *a, wr_state_writer *w)
{
    wr_text head;
    wr_text_init(&head, a);
    wr_text_puts(&head, WRI_INFLIGHT_MAGIC);
    put(&head, WRI_INFLIGHT_VERSION, 4);
    put(&head, f->flows.count, 4);
    put(&head, f->caught.count, 4);
    WR_TRY(append(ctx, w, &head));
    for (uint32_t i = 0; i < f->flows.count; i++) {
        WR_TRY(put_flow(ctx, f->task->job, &f->flows.items[i], a, w));
        wr_arena_reset(a);
    }
    for (uint32_t i = 0; i < f->caught.count; i++) {
        WR_TRY(put_item(ctx, f, &f->caught.items[i], a, w));
        wr_arena_reset(a);
    }
    return WR_OK;
}

wr_status
wri_inflight_write(wr_ctx *ctx, wri_frozen *f, wr_state_writer *w, wr_state_file *out)
{
    wr_arena *a = wr_arena_create(f->task->job->budget, 0);
    WR_TRY_ALLOC(ctx, a);
    wr_status status = w->create(ctx, w, false);
    if (status == WR_OK) status = put_all(ctx, f, a, w);
    if (status == WR_OK) status = w->close(ctx, w, out);
    wr_arena_destroy(a);
    return status;
}
