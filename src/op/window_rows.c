/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that wait for the end of their windows: see window_rows_int.h. */
#include "op/window_rows_int.h"

/* ---- opening --------------------------------------------------------------------------------- */
static wr_status
open_input(wr_ctx *ctx, wri_window_rows *r, uint32_t k, const uint32_t *columns, uint32_t n)
{
    wr_op *op = r->op;
    const wr_pnode *in = op->node->inputs[k];
    const wr_windowing *w = op->node->windows[k];
    wri_window_input *side = &r->input[k];
    uint32_t *cols = WR_NEW_N(op->env->arena, uint32_t, n + 3), count = n;
    wr_field *fields = WR_NEW_N(op->env->arena, wr_field, n + 3);
    const wr_type *time = wr_type_of(WR_T_BIGINT, false);
    WR_TRY_ALLOC(ctx, cols);
    WR_TRY_ALLOC(ctx, fields);
    WR_ASSERT(w->start_col >= 0 && w->end_col >= 0);
    side->width = in->schema.count;
    side->start_col = (uint32_t)w->start_col;
    side->end_col = (uint32_t)w->end_col;
    side->all_cols = wri_iota(op->env->arena, side->width);
    WR_TRY_ALLOC(ctx, side->all_cols);
    WR_TRY(wri_keyspec_init(ctx, op, in, columns, n, &side->keys));
    for (uint32_t i = 0; i < n; i++) {
        cols[i] = columns[i];
        fields[i] = side->keys.schema.fields[i];
    }
    if (r->has_start) {
        cols[count] = side->width + 1;
        fields[count++] = (wr_field){WR_STR("start of the window"), time, WR_STR("")};
    }
    cols[count] = side->width;
    fields[count++] = (wr_field){WR_STR("end of the window"), time, WR_STR("")};
    side->in_window = (wri_keyspec){.cols = cols,
                                    .count = count,
                                    .fixed = count == 1 ? WR_PHYS_I64 : 0,
                                    .schema = {fields, count}};
    return WR_OK;
}

wr_status
wri_window_rows_open(wr_ctx *ctx, wr_op *op, const uint32_t *const *columns, uint32_t column_count,
                     const wr_state_desc *record, wri_window_rows *out)
{
    wri_window_rows *r = out;
    *r = (wri_window_rows){.op = op, .watermark = INT64_MIN};
    wri_windows_init(&r->w, op, op->node->windows[0]);
    r->has_start = r->w.how->spec.kind == WR_WINDOW_SESSION;
    r->scratch = wr_arena_create(op->env->budget, 0);
    WR_TRY_ALLOC(ctx, r->scratch);
    for (uint32_t k = 0; k < op->node->input_count; k++)
        WR_TRY(open_input(ctx, r, k, columns[k], column_count));
    wr_state_desc desc = *record;
    desc.shape = WR_STATE_VALUE;
    desc.key = &r->input[0].in_window.schema;
    WR_TRY(wri_table_open(ctx, op, "groups", &desc, &r->groups));
    return wri_open_init(ctx, op, &r->input[0].in_window, &r->open);
}

void
wri_window_rows_close(wri_window_rows *r)
{
    wri_open_deinit(&r->open);
    wr_arena_destroy(r->scratch);
    r->scratch = NULL;
}

wr_status
wri_window_rows_snapshot(wr_ctx *ctx, const wri_window_rows *r, wr_opstate *out)
{
    return wri_number_keep(ctx, out, "watermark", WR_OPSTATE_UNION, r->watermark);
}

wr_status
wri_window_rows_restore(wr_ctx *ctx, wri_window_rows *r, const wr_opstate *in)
{
    WR_TRY(wri_watermark_back(ctx, r->op, in, "watermark", &r->watermark));
    return wri_open_restore(ctx, &r->open);
}

/* ---- taking rows in -------------------------------------------------------------------------- */
typedef struct ends { /* of the rows that are not late */
    uint32_t *rows;
    int64_t *end;
    uint32_t n;
} ends;

static void
drop_late(wri_window_rows *r)
{
    if (r->op->env->metrics) r->op->env->metrics->late_dropped++;
}

/* Neighbours mostly lie in one window: what is known of it is kept. A row without a window (of an
 * outer join below) is in none. */
static void
find_ends(wri_window_rows *r, const wri_window_input *side, const wr_batch *in, ends *out)
{
    const wr_vec *v = &in->cols[side->end_col];
    const wr_view view = wr_vec_view(v);
    const uint32_t live = wr_batch_live(in);
    int64_t last = 0;
    bool known = false, late = false;
    for (uint32_t i = 0; i < live; i++) {
        const uint32_t row = wr_batch_row(in, i);
        const bool valid = wr_view_valid(&view, row);
        const int64_t end = valid ? wri_time_at(v, &view, row) : INT64_MIN;
        if (valid && (!known || end != last)) {
            known = true;
            last = end;
            late = r->watermark >= wri_windows_closes(&r->w, end);
        }
        if (!valid || late) {
            drop_late(r);
            continue;
        }
        out->rows[out->n] = row;
        out->end[out->n++] = end;
    }
}

/* A column of its own for the end, or the start, of the live rows' windows. */
static wr_status
put_time(wr_ctx *ctx, wri_window_rows *r, const wr_batch *in, const ends *e, int64_t start_col,
         wr_vec *out)
{
    if (!wr_vec_init_flat(out, wr_type_of(WR_T_BIGINT, false), in->row_count, r->scratch))
        return WRI_NOMEM(ctx);
    int64_t *to = out->data;
    if (start_col < 0) {
        for (uint32_t i = 0; i < e->n; i++) to[e->rows[i]] = e->end[i];
        return WR_OK;
    }
    const wr_vec *v = &in->cols[start_col];
    const wr_view view = wr_vec_view(v);
    for (uint32_t i = 0; i < e->n; i++) to[e->rows[i]] = wri_time_at(v, &view, e->rows[i]);
    return WR_OK;
}

static wr_status
make_rows(wr_ctx *ctx, wri_window_rows *r, const wri_window_input *side, const wr_batch *in,
          const ends *e, wr_batch *out)
{
    wr_vec *cols = WR_NEW_N(r->scratch, wr_vec, side->width + 2);
    WR_TRY_ALLOC(ctx, cols);
    memcpy(cols, in->cols, sizeof *cols * side->width);
    *out = (wr_batch){.cols = cols,
                      .col_count = side->width + 1 + r->has_start,
                      .row_count = in->row_count,
                      .kind = in->kind,
                      .arena = r->scratch};
    if (in->sel || e->n < in->row_count) {
        out->sel = e->rows;
        out->sel_count = e->n;
    }
    WR_TRY(put_time(ctx, r, in, e, -1, &cols[side->width]));
    if (!r->has_start) return WR_OK;
    return put_time(ctx, r, in, e, side->start_col, &cols[side->width + 1]);
}

wr_status
wri_window_rows_take(wr_ctx *ctx, wri_window_rows *r, uint32_t input, const wr_batch *in,
                     wri_window_taken *out)
{
    const wri_window_input *side = &r->input[input];
    const uint32_t live = wr_batch_live(in);
    wr_keys keys;
    wr_arena_reset(r->scratch);
    *out = (wri_window_taken){.n = 0};
    ends e = {.rows = wr_arena_alloc(r->scratch, sizeof *e.rows * (live + 1)),
              .end = wr_arena_alloc(r->scratch, sizeof *e.end * (live + 1))};
    uint64_t *hash = wr_arena_zalloc(r->scratch, sizeof *hash * (live + 1));
    uint64_t *in_window = wr_arena_alloc(r->scratch, sizeof *in_window * (live + 1));
    uint64_t *fresh = wr_arena_zalloc(r->scratch, sizeof *fresh * (WR_BIT_WORDS(live) + 1));
    out->slots = wr_arena_alloc(r->scratch, sizeof *out->slots * (live + 1));
    if (!e.rows || !e.end || !hash || !in_window || !fresh || !out->slots) return WRI_NOMEM(ctx);
    find_ends(r, side, in, &e);
    out->n = e.n;
    out->fresh = fresh;
    if (e.n == 0) return WR_OK;
    WR_TRY(make_rows(ctx, r, side, in, &e, &out->rows));
    WR_TRY(wri_keys_make(ctx, &side->in_window, &out->rows, r->scratch, &keys));
    if (side->keys.count) wr_batch_hash(&out->rows, side->keys.cols, side->keys.count, hash);
    for (uint32_t i = 0; i < e.n; i++) in_window[i] = wri_window_hash(hash[i], e.end[i]);
    keys.hash = in_window;
    WR_TRY(r->groups->ops->resolve(ctx, r->groups, &keys, WR_STATE_UPSERT, out->slots, fresh));
    return wri_open_note(ctx, &r->open, &keys, hash, fresh, e.end);
}

/* ---- windows that are over ------------------------------------------------------------------- */
static void
remove_groups(wri_window_rows *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (r->slots[i] != WR_SLOT_NONE) r->groups->ops->remove(r->groups, r->slots[i]);
    r->count = r->at = 0;
}

wr_status
wri_window_rows_more(wr_ctx *ctx, wri_window_rows *r)
{
    remove_groups(r);
    for (;;) {
        wri_open_keys keys;
        if (!r->reading) {
            if (r->open.end_count == 0) return WR_OK;
            const int64_t end = r->open.ends[0];
            if (wri_windows_closes(&r->w, end) > r->watermark) return WR_OK;
            WR_TRY(wri_open_read(ctx, &r->open, end));
            r->reading = true;
        }
        wr_arena_reset(r->scratch);
        WR_TRY(wri_open_next(ctx, &r->open, &r->input[0].in_window, r->scratch, &keys));
        if (keys.n) {
            r->slots = wr_arena_alloc(r->scratch, sizeof *r->slots * (keys.n + 1));
            WR_TRY_ALLOC(ctx, r->slots);
            WR_TRY(
                r->groups->ops->resolve(ctx, r->groups, &keys.keys, WR_STATE_READ, r->slots, NULL));
            r->count = keys.n;
            return WR_OK;
        }
        wri_open_drop(&r->open);
        r->reading = false;
    }
}
