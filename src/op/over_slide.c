/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that need accumulators, in batch: a frame slides over its partition, rows that enter are
 * added and rows that leave are taken back, so a row costs two steps however long the frame is. The
 * steps of all partitions are listed, then applied at once, a call at a time. */
#include "op/over_batch_int.h"

typedef struct steps {
    uint32_t *rows, *slots, n;
    uint32_t *result; /* per row: the step behind which its result stands; UINT32_MAX: none */
} steps;

/* Row i, and row n + i for taking it back. */
static wr_status
doubled(wr_ctx *ctx, const wri_parts *p, const wr_batch *view, wr_batch *out, uint8_t **kind)
{
    uint32_t *dict = wr_arena_alloc(p->scratch, sizeof *dict * (2 * (size_t)p->n + 1));
    *out = *view;
    out->cols = wr_arena_alloc(p->scratch, sizeof *out->cols * (view->col_count + 1));
    *kind = wr_arena_zalloc(p->scratch, 2 * (size_t)p->n + 1);
    if (!dict || !out->cols || !*kind) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < p->n; i++) dict[i] = dict[p->n + i] = i;
    memset(*kind + p->n, WR_DELETE, p->n);
    for (uint32_t c = 0; c < view->col_count; c++) {
        out->cols[c] = view->cols[c];
        if (out->cols[c].form != WR_FORM_FLAT) continue;
        out->cols[c].form = WR_FORM_DICT;
        out->cols[c].dict = dict;
        out->cols[c].len = p->n;
    }
    out->row_count = 2 * p->n;
    return WR_OK;
}

static void
list_steps(const wri_parts *p, const wri_frames *f, const uint32_t *slots, steps *s)
{
    for (uint32_t k = 0; k < p->count; k++) {
        const uint32_t from = p->starts[k], begin = s->n;
        uint32_t in = from, gone = from;
        for (uint32_t i = from; i < p->starts[k + 1]; i++) {
            for (; in < f->hi[i]; in++) s->rows[s->n] = in, s->slots[s->n++] = slots[k];
            for (; gone < f->lo[i]; gone++)
                s->rows[s->n] = p->n + gone, s->slots[s->n++] = slots[k];
            s->result[i] = s->n == begin ? UINT32_MAX : s->n - 1;
        }
    }
}

static wr_status
slots_of(wr_ctx *ctx, const wri_parts *p, wri_over_calls *c, const wr_batch *view, uint32_t *slots)
{
    wr_state_table *groups = c->aggs.groups;
    wr_batch firsts = *view;
    wr_keys keys;
    firsts.sel = p->starts;
    firsts.sel_count = p->count;
    WR_TRY(wri_keys_make(ctx, &c->aggs.keys, &firsts, p->scratch, &keys));
    return groups->ops->resolve(ctx, groups, &keys, WR_STATE_UPSERT, slots, NULL);
}

/* One result a partition. */
static wr_status
whole(wr_ctx *ctx, const wri_parts *p, wri_over_calls *c, const wr_batch *view,
      const uint32_t *slots, wr_vec *const *outs)
{
    const uint32_t calls = c->aggs.agg_count;
    uint32_t *row_slots = wr_arena_alloc(p->scratch, sizeof *row_slots * (p->n + 1));
    uint32_t *part = wr_arena_alloc(p->scratch, sizeof *part * (p->n + 1));
    wr_vec *results = wr_arena_zalloc(p->scratch, sizeof *results * (calls + 1));
    if (!row_slots || !part || !results) return WRI_NOMEM(ctx);
    for (uint32_t k = 0; k < p->count; k++)
        for (uint32_t i = p->starts[k]; i < p->starts[k + 1]; i++)
            row_slots[i] = slots[k], part[i] = k;
    const wri_agg_rows r = {.batch = view, .slots = row_slots, .n = p->n};
    WR_TRY(wri_aggs_update(ctx, &c->aggs, &r, p->scratch, p->scratch, NULL, NULL));
    WR_TRY(wri_aggs_result(ctx, &c->aggs, slots, p->count, p->scratch, p->rows->arena, results));
    for (uint32_t i = 0; i < calls; i++)
        if (!wr_vec_gather(outs[i], &results[i], part, p->n, p->rows->arena)) return WRI_NOMEM(ctx);
    return WR_OK;
}

static wr_status
sliding(wr_ctx *ctx, const wri_parts *p, const wri_frames *f, wri_over_calls *c,
        const wr_batch *view, const uint32_t *slots, const wr_vec *nothing, wr_vec *const *outs)
{
    const uint32_t calls = c->aggs.agg_count;
    steps s = {0};
    wr_batch rows;
    uint8_t *kind = NULL, *which = wr_arena_alloc(p->scratch, p->n + 1);
    s.rows = wr_arena_alloc(p->scratch, sizeof *s.rows * (2 * (size_t)p->n + 1));
    s.slots = wr_arena_alloc(p->scratch, sizeof *s.slots * (2 * (size_t)p->n + 1));
    s.result = wr_arena_alloc(p->scratch, sizeof *s.result * (p->n + 1));
    wr_vec *before = wr_arena_zalloc(p->scratch, sizeof *before * (calls + 1));
    wr_vec *after = wr_arena_zalloc(p->scratch, sizeof *after * (calls + 1));
    if (!which || !s.rows || !s.slots || !s.result || !before || !after) return WRI_NOMEM(ctx);
    list_steps(p, f, slots, &s);
    WR_TRY(doubled(ctx, p, view, &rows, &kind));
    const wri_agg_rows r = {
        .batch = &rows, .rows = s.rows, .slots = s.slots, .n = s.n, .kind = f->grows ? NULL : kind};
    WR_TRY(wri_aggs_update(ctx, &c->aggs, &r, p->scratch, p->rows->arena, before, after));
    for (uint32_t i = 0; i < p->n; i++) {
        which[i] = s.result[i] != UINT32_MAX;
        if (!which[i]) s.result[i] = 0;
    }
    for (uint32_t i = 0; i < calls; i++) {
        if (s.n == 0 && !wr_vec_init_flat(&after[i], c->aggs.aggs[i].bound->type, 1, p->scratch))
            return WRI_NOMEM(ctx);
        WR_TRY(wri_vec_pick(ctx, outs[i], &nothing[i], &after[i], s.result, which, p->n,
                            p->rows->arena));
    }
    return WR_OK;
}

/* Results of accumulators that nothing was added to. */
static wr_status
results_of_nothing(wr_ctx *ctx, const wri_parts *p, wri_over_calls *c, const uint32_t *slots,
                   wr_vec **out)
{
    *out = wr_arena_zalloc(p->scratch, sizeof **out * (c->aggs.agg_count + 1));
    WR_TRY_ALLOC(ctx, *out);
    return wri_aggs_result(ctx, &c->aggs, slots, 1, p->scratch, p->rows->arena, *out);
}

wr_status
wri_over_slide(wr_ctx *ctx, const wri_parts *p, const wri_frames *f, wri_over_calls *c,
               wr_vec *const *outs)
{
    wr_batch *view = wri_over_view(c, p->rows, p->scratch);
    uint32_t *slots = wr_arena_alloc(p->scratch, sizeof *slots * (p->count + 1));
    wr_vec *nothing = NULL;
    WR_TRY_ALLOC(ctx, view);
    WR_TRY_ALLOC(ctx, slots);
    view->row_count = p->n;
    WR_TRY(slots_of(ctx, p, c, view, slots));
    if (f->whole) {
        WR_TRY(whole(ctx, p, c, view, slots, outs));
    } else {
        WR_TRY(results_of_nothing(ctx, p, c, slots, &nothing));
        WR_TRY(sliding(ctx, p, f, c, view, slots, nothing, outs));
    }
    WR_TRY(wri_aggs_restart(ctx, &c->aggs, slots, p->count, p->scratch));
    for (uint32_t k = 0; k < p->count; k++) c->aggs.groups->ops->remove(c->aggs.groups, slots[k]);
    return WR_OK;
}
