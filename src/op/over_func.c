/* SPDX-License-Identifier: Apache-2.0 */
/* Calls in batch that need no accumulators: ranks, LAG and LEAD by row numbers; COUNT and sums of
 * integers as differences of running sums; FIRST_VALUE and LAST_VALUE by the next row that is not
 * NULL; MIN and MAX by the rows that may still become extreme. Each takes a constant time per row,
 * however long the frames are; but floating-point sums of frames that slide are added up anew, in
 * order, for a sum that had values taken away would not be the sum of those that are left. */
#include "op/over_batch_int.h"

const wr_vec *
wri_over_arg(const wri_parts *p, const wr_over_call *call, uint32_t i)
{
    const uint32_t c = call->args[i];
    return c < p->width ? &p->rows->cols[c] : &p->constants[c - p->width];
}

static bool
is_call(const wr_over_call *call, const char *name)
{
    return strcmp(call->fn->name, name) == 0;
}

static bool
is_sum(const wr_over_call *call)
{
    return is_call(call, "SUM") || is_call(call, "$SUM0");
}

static bool
is_integer_phys(uint8_t phys)
{
    return phys == WR_PHYS_I8 || phys == WR_PHYS_I16 || phys == WR_PHYS_I32 || phys == WR_PHYS_I64;
}

bool
wri_over_is_direct(const wri_parts *p, const wr_over_window *w, const wr_over_call *call)
{
    if (call->fn->kind == WR_FN_WINDOW) return true;
    if (call->agg.distinct) return false;
    static const char *const names[] = {"COUNT", "FIRST_VALUE", "LAST_VALUE", "MIN", "MAX"};
    for (uint32_t i = 0; i < WR_COUNT(names); i++)
        if (is_call(call, names[i])) return true;
    if (!is_sum(call)) return false;
    const wr_type *t = wri_over_arg(p, call, 0)->type;
    if (wr_type_is(t, WR_T_DECIMAL)) return false;
    return is_integer_phys(t->phys) || w->lower.kind != WR_OVER_UNBOUNDED_PRECEDING;
}

/* ---- ranks ----------------------------------------------------------------------------------- */
static int64_t
ntile(int64_t row, int64_t rows, int64_t buckets)
{
    const int64_t size = rows / buckets, more = rows % buckets, split = more * (size + 1);
    if (row < split) return row / (size + 1) + 1;
    return size ? more + (row - split) / size + 1 : row + 1;
}

static wr_status
buckets_of(wr_ctx *ctx, const wri_parts *p, const wr_over_call *call, int64_t *out)
{
    wr_value v;
    if (!wr_vec_get(wri_over_arg(p, call, 0), 0, p->scratch, &v)) return WRI_NOMEM(ctx);
    if (v.is_null || v.u.i <= 0) return wr_raise_at(ctx, WR_DATA, call->span, "/ by zero");
    *out = v.u.i;
    return WR_OK;
}

static wr_status
rank_numbers(wr_ctx *ctx, const wri_parts *p, const wri_frames *f, const wr_over_call *call,
             wr_vec *out)
{
    const bool number = is_call(call, "ROW_NUMBER"), rank = is_call(call, "RANK"),
               dense = is_call(call, "DENSE_RANK");
    int64_t *to = out->data, buckets = 1;
    if (is_call(call, "NTILE") && p->n) WR_TRY(buckets_of(ctx, p, call, &buckets));
    for (uint32_t k = 0; k < p->count; k++) {
        const uint32_t from = p->starts[k], end = p->starts[k + 1];
        int64_t group = 0;
        for (uint32_t i = from; i < end; i++) {
            group += f->peer_lo[i] == i;
            to[i] = number  ? i - from + 1
                    : rank  ? f->peer_lo[i] - from + 1
                    : dense ? group
                            : ntile(i - from, end - from, buckets);
        }
    }
    return WR_OK;
}

static void
rank_parts(const wri_parts *p, const wri_frames *f, bool percent, wr_vec *out)
{
    double *to = out->data;
    for (uint32_t k = 0; k < p->count; k++) {
        const uint32_t from = p->starts[k], end = p->starts[k + 1];
        const double n = end - from;
        for (uint32_t i = from; i < end; i++) {
            if (percent)
                to[i] = n > 1 ? (double)(f->peer_lo[i] - from) / (n - 1) : 0;
            else
                to[i] = (double)(f->peer_hi[i] - from) / n;
        }
    }
}

/* ---- rows picked ----------------------------------------------------------------------------- */
/* out[i] = v[pick[i]], NULL for WRI_NO_ROW. */
static wr_status
pick_rows(wr_ctx *ctx, const wri_parts *p, const wr_over_call *call, const wr_vec *v,
          const uint32_t *pick, wr_vec *out)
{
    if (!wr_vec_init_flat(out, call->type, p->n, p->rows->arena) ||
        !wri_vec_gather_or_null(out, v, pick, p->n, p->rows->arena))
        return WRI_NOMEM(ctx);
    return WR_OK;
}

static wr_status
lag_lead(wr_ctx *ctx, const wri_parts *p, const wr_over_call *call, bool lead, wr_vec *out)
{
    const wr_vec *v = wri_over_arg(p, call, 0), *other = NULL;
    uint32_t *pick = wr_arena_alloc(p->scratch, sizeof *pick * (p->n + 1));
    int64_t offset = 1;
    WR_TRY_ALLOC(ctx, pick);
    if (call->arg_count > 2) other = wri_over_arg(p, call, 2);
    for (uint32_t k = 0; k < p->count; k++) {
        const int64_t from = p->starts[k], end = p->starts[k + 1];
        for (int64_t i = from; i < end; i++) {
            if (call->arg_count > 1) {
                wr_value x;
                if (!wr_vec_get(wri_over_arg(p, call, 1), (uint32_t)i, p->scratch, &x))
                    return WRI_NOMEM(ctx);
                offset = x.is_null ? 1 : x.u.i;
            }
            const int64_t j = lead ? i + WR_MIN(offset, (int64_t)UINT32_MAX)
                                   : i - WR_MIN(offset, (int64_t)UINT32_MAX);
            pick[i] = j < from || j >= end ? WRI_NO_ROW : (uint32_t)j;
        }
    }
    WR_TRY(pick_rows(ctx, p, call, v, pick, out));
    for (uint32_t i = 0; other && i < p->n; i++)
        if (pick[i] == WRI_NO_ROW && !wr_vec_is_null(other, i) &&
            !wr_vec_copy_entry(out, i, other, i, p->rows->arena))
            return WRI_NOMEM(ctx);
    return WR_OK;
}

/* The first or the last row of the frame whose value is not NULL. */
static wr_status
first_last(wr_ctx *ctx, const wri_parts *p, const wri_frames *f, const wr_over_call *call,
           bool last, wr_vec *out)
{
    const wr_vec *v = wri_over_arg(p, call, 0);
    uint32_t *near = wr_arena_alloc(p->scratch, sizeof *near * (p->n + 2));
    uint32_t *pick = wr_arena_alloc(p->scratch, sizeof *pick * (p->n + 1));
    WR_TRY_ALLOC(ctx, near);
    WR_TRY_ALLOC(ctx, pick);
    if (last) { /* near[i + 1]: the last row up to i that has a value */
        near[0] = WRI_NO_ROW;
        for (uint32_t i = 0; i < p->n; i++) near[i + 1] = wr_vec_is_null(v, i) ? near[i] : i;
    } else { /* near[i]: the first one from i on */
        near[p->n] = WRI_NO_ROW;
        for (uint32_t i = p->n; i-- > 0;) near[i] = wr_vec_is_null(v, i) ? near[i + 1] : i;
    }
    for (uint32_t i = 0; i < p->n; i++) {
        const uint32_t at = near[last ? f->hi[i] : f->lo[i]];
        const bool in = at != WRI_NO_ROW && at >= f->lo[i] && at < f->hi[i];
        pick[i] = in ? at : WRI_NO_ROW;
    }
    return pick_rows(ctx, p, call, v, pick, out);
}

/* Rows that may still become the extreme one: each is better than those behind it in the queue. */
static wr_status
extreme(wr_ctx *ctx, const wri_parts *p, const wri_frames *f, const wr_over_call *call, bool max,
        wr_vec *out)
{
    const wr_vec *v = wri_over_arg(p, call, 0);
    uint32_t *queue = wr_arena_alloc(p->scratch, sizeof *queue * (p->n + 1));
    uint32_t *pick = wr_arena_alloc(p->scratch, sizeof *pick * (p->n + 1));
    WR_TRY_ALLOC(ctx, queue);
    WR_TRY_ALLOC(ctx, pick);
    for (uint32_t k = 0; k < p->count; k++) {
        uint32_t head = 0, tail = 0, in = p->starts[k];
        for (uint32_t i = p->starts[k]; i < p->starts[k + 1]; i++) {
            for (; in < f->hi[i]; in++) {
                if (wr_vec_is_null(v, in)) continue;
                while (tail > head) {
                    const int c = wr_vec_entry_order(v, in, v, queue[tail - 1]);
                    if (max ? c <= 0 : c >= 0) break;
                    tail--;
                }
                queue[tail++] = in;
            }
            while (head < tail && queue[head] < f->lo[i]) head++;
            pick[i] = head < tail ? queue[head] : WRI_NO_ROW;
        }
    }
    return pick_rows(ctx, p, call, v, pick, out);
}

/* ---- sums ------------------------------------------------------------------------------------ */
static int64_t
integer_at(const wr_vec *v, const wr_view *w, uint32_t i)
{
    switch (v->phys) {
    case WR_PHYS_I8:
        return WR_VIEW(w, int8_t, i);
    case WR_PHYS_I16:
        return WR_VIEW(w, int16_t, i);
    case WR_PHYS_I32:
        return WR_VIEW(w, int32_t, i);
    default:
        return WR_VIEW(w, int64_t, i);
    }
}

static void
store_integer(wr_vec *out, uint32_t i, uint64_t x)
{
    switch (out->phys) { /* wraps, as the type does */
    case WR_PHYS_I8:
        ((int8_t *)out->data)[i] = (int8_t)(uint8_t)x;
        break;
    case WR_PHYS_I16:
        ((int16_t *)out->data)[i] = (int16_t)(uint16_t)x;
        break;
    case WR_PHYS_I32:
        ((int32_t *)out->data)[i] = (int32_t)(uint32_t)x;
        break;
    default:
        ((int64_t *)out->data)[i] = (int64_t)x;
        break;
    }
}

/* sums[i]: of the values before row i; counts likewise. */
static wr_status
running(wr_ctx *ctx, const wri_parts *p, const wr_vec *v, bool sum, uint64_t **sums,
        uint32_t **counts)
{
    *sums = wr_arena_alloc(p->scratch, sizeof **sums * (p->n + 1));
    *counts = wr_arena_alloc(p->scratch, sizeof **counts * (p->n + 1));
    WR_TRY_ALLOC(ctx, *sums);
    WR_TRY_ALLOC(ctx, *counts);
    wr_view w = {0};
    if (v) w = wr_vec_view(v);
    (*sums)[0] = (*counts)[0] = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        const bool there = !v || wr_view_valid(&w, i);
        (*counts)[i + 1] = (*counts)[i] + there;
        (*sums)[i + 1] = (*sums)[i] + (sum && there ? (uint64_t)integer_at(v, &w, i) : (uint64_t)0);
    }
    return WR_OK;
}

static wr_status
count_or_sum(wr_ctx *ctx, const wri_parts *p, const wri_frames *f, const wr_over_call *call,
             wr_vec *out)
{
    const bool sum = is_sum(call), zero = !is_call(call, "SUM");
    const wr_vec *v = call->arg_count ? wri_over_arg(p, call, 0) : NULL;
    uint64_t *sums;
    uint32_t *counts;
    WR_TRY(running(ctx, p, v, sum, &sums, &counts));
    for (uint32_t i = 0; i < p->n; i++) {
        const uint32_t lo = f->lo[i], hi = f->hi[i], n = counts[hi] - counts[lo];
        store_integer(out, i, sum ? sums[hi] - sums[lo] : n);
        if (!zero && n == 0 && !wr_vec_set_null(out, i, p->rows->arena)) return WRI_NOMEM(ctx);
    }
    return WR_OK;
}

static wr_status
float_sum(wr_ctx *ctx, const wri_parts *p, const wri_frames *f, const wr_over_call *call,
          wr_vec *out)
{
    const wr_vec *v = wri_over_arg(p, call, 0);
    const wr_view w = wr_vec_view(v);
    const bool zero = !is_call(call, "SUM"), narrow = v->phys == WR_PHYS_F32;
    double sum = 0;
    bool any = false;
    for (uint32_t i = 0; i < p->n; i++) {
        if (i == 0 || f->lo[i] != f->lo[i - 1] || f->hi[i] != f->hi[i - 1]) {
            sum = 0, any = false;
            for (uint32_t j = f->lo[i]; j < f->hi[i]; j++) {
                if (!wr_view_valid(&w, j)) continue;
                sum += narrow ? (double)WR_VIEW(&w, float, j) : WR_VIEW(&w, double, j);
                any = true;
            }
        }
        if (narrow)
            ((float *)out->data)[i] = (float)sum;
        else
            ((double *)out->data)[i] = sum;
        if (!zero && !any && !wr_vec_set_null(out, i, p->rows->arena)) return WRI_NOMEM(ctx);
    }
    return WR_OK;
}

wr_status
wri_over_direct(wr_ctx *ctx, const wri_parts *p, const wri_frames *f, const wr_over_call *call,
                wr_vec *out, bool *done)
{
    *done = wri_over_is_direct(p, f->window, call);
    if (!*done) return WR_OK;
    if (is_call(call, "LAG") || is_call(call, "LEAD"))
        return lag_lead(ctx, p, call, is_call(call, "LEAD"), out);
    if (is_call(call, "FIRST_VALUE") || is_call(call, "LAST_VALUE"))
        return first_last(ctx, p, f, call, is_call(call, "LAST_VALUE"), out);
    if (is_call(call, "MIN") || is_call(call, "MAX"))
        return extreme(ctx, p, f, call, is_call(call, "MAX"), out);
    if (!wr_vec_init_flat(out, call->type, p->n, p->rows->arena)) return WRI_NOMEM(ctx);
    if (is_call(call, "PERCENT_RANK") || is_call(call, "CUME_DIST")) {
        rank_parts(p, f, is_call(call, "PERCENT_RANK"), out);
        return WR_OK;
    }
    if (call->fn->kind == WR_FN_WINDOW) return rank_numbers(ctx, p, f, call, out);
    if (is_sum(call) && !is_integer_phys(out->phys)) return float_sum(ctx, p, f, call, out);
    return count_or_sum(ctx, p, f, call, out);
}
