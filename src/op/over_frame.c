/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of rows that lie sorted in whole partitions: two pointers that only move forward. */
#include "op/over_batch_int.h"

/* ---- peers ----------------------------------------------------------------------------------- */
static bool
same_order(const wri_parts *p, const wr_over_window *w, uint32_t a, uint32_t b)
{
    for (uint32_t k = 0; k < w->order_count; k++) {
        const wr_vec *v = &p->rows->cols[w->order[k].col];
        if (!wr_vec_entry_peer(v, a, v, b)) return false;
    }
    return true;
}

static void
find_peers(const wri_parts *p, const wr_over_window *w, wri_frames *f)
{
    for (uint32_t s = 0; s < p->count; s++) {
        const uint32_t end = p->starts[s + 1];
        for (uint32_t i = p->starts[s], from = i; i < end; i++) {
            if (i > from && !same_order(p, w, i - 1, i)) from = i;
            f->peer_lo[i] = from;
        }
        for (uint32_t i = end, to = end; i-- > p->starts[s];) {
            if (i + 1 < end && f->peer_lo[i + 1] != f->peer_lo[i]) to = i + 1;
            f->peer_hi[i] = to;
        }
    }
}

/* ---- keys of RANGE with a distance ----------------------------------------------------------- */
typedef struct keys { /* the order column as numbers that rise, whatever its direction */
    wr_i128 *exact;
    double *approx; /* or this */
    bool *null;
} keys;

static wr_i128
exact_of(const wr_vec *v, const wr_view *w, uint32_t i)
{
    switch (v->phys) {
    case WR_PHYS_I8:
        return WR_VIEW(w, int8_t, i);
    case WR_PHYS_I16:
        return WR_VIEW(w, int16_t, i);
    case WR_PHYS_I32:
        return WR_VIEW(w, int32_t, i);
    case WR_PHYS_I128:
        return WR_VIEW(w, wr_i128, i);
    case WR_PHYS_TS: {
        const wr_ts ts = WR_VIEW(w, wr_ts, i);
        return (wr_i128)ts.ms * 1000000 + ts.nano;
    }
    default:
        return WR_VIEW(w, int64_t, i);
    }
}

static bool
is_approx(const wr_vec *v)
{
    return v->phys == WR_PHYS_F32 || v->phys == WR_PHYS_F64;
}

/* Nanoseconds for times, so that distances in milliseconds are exact. */
static wr_i128
unit_of(const wr_type *t)
{
    switch (t->id) {
    case WR_T_DATE:
        return (wr_i128)86400000 * 1000000;
    case WR_T_TIME:
        return 1000000;
    case WR_T_TIMESTAMP:
    case WR_T_TIMESTAMP_LTZ:
        return t->phys == WR_PHYS_TS ? 1 : 1000000;
    default:
        return 1;
    }
}

static wr_status
read_keys(wr_ctx *ctx, const wri_parts *p, const wr_order_key *order, keys *k)
{
    const wr_vec *v = &p->rows->cols[order->col];
    const wr_view w = wr_vec_view(v);
    const wr_i128 unit = unit_of(v->type);
    *k = (keys){0};
    k->null = wr_arena_alloc(p->scratch, p->n + 1);
    WR_TRY_ALLOC(ctx, k->null);
    if (is_approx(v))
        k->approx = wr_arena_alloc(p->scratch, sizeof *k->approx * (p->n + 1));
    else
        k->exact = wr_arena_alloc(p->scratch, sizeof *k->exact * (p->n + 1));
    if (!k->approx && !k->exact) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < p->n; i++) {
        k->null[i] = !wr_view_valid(&w, i);
        if (k->approx) {
            double x = k->null[i]               ? 0
                       : v->phys == WR_PHYS_F32 ? (double)WR_VIEW(&w, float, i)
                                                : WR_VIEW(&w, double, i);
            k->approx[i] = order->desc ? -x : x;
        } else {
            wr_i128 x = k->null[i] ? 0 : exact_of(v, &w, i) * unit;
            k->exact[i] = order->desc ? -x : x;
        }
    }
    return WR_OK;
}

typedef struct distance {  /* of one bound, negative when preceding */
    wr_i128 exact, factor; /* keys count in 1/factor of the distance's unit */
    double approx;
} distance;

static wr_i128
power_of_ten(int n)
{
    wr_i128 x = 1;
    for (; n > 0; n--) x *= 10;
    return x;
}

static distance
distance_of(const wr_over_bound *b, const wr_type *t)
{
    distance d = {.factor = 1};
    const int sign = b->kind == WR_OVER_PRECEDING ? -1 : 1;
    if (!b->range || !wr_type_is_numeric(b->range->type)) {
        d.exact = (wr_i128)b->offset * 1000000 * sign;
        return d;
    }
    const wr_value *v = &b->range->value;
    const wr_type *from = b->range->type;
    const int scale = wr_type_is(from, WR_T_DECIMAL) ? from->scale : 0;
    const int key_scale = wr_type_is(t, WR_T_DECIMAL) ? t->scale : 0;
    if (from->phys == WR_PHYS_F64 || from->phys == WR_PHYS_F32) {
        d.approx = from->phys == WR_PHYS_F64 ? v->u.f64 : (double)v->u.f32;
        d.exact = (wr_i128)d.approx * power_of_ten(key_scale);
    } else {
        d.exact = from->phys == WR_PHYS_I128 ? v->u.i128 : (wr_i128)v->u.i;
        d.approx = (double)d.exact / (double)power_of_ten(scale);
        if (scale < key_scale) d.exact *= power_of_ten(key_scale - scale);
        if (scale > key_scale) d.factor = power_of_ten(scale - key_scale);
    }
    d.exact *= sign;
    d.approx *= sign;
    return d;
}

/* Is row j's key below row i's plus the distance (`or_equal`: or the same)? */
static bool
below(const keys *k, uint32_t j, uint32_t i, const distance *d, bool or_equal)
{
    if (k->approx) {
        const double x = k->approx[j], y = k->approx[i] + d->approx;
        return or_equal ? x <= y : x < y;
    }
    const wr_i128 x = k->exact[j] * d->factor, y = k->exact[i] * d->factor + d->exact;
    return or_equal ? x <= y : x < y;
}

/* One bound of every row of a partition: the first row whose key is not below the distance (lower
 * bounds), or that is beyond it (`upper`). Rows without a key are at an end, at no distance from
 * each other. */
static void
walk_range(const keys *k, const wri_frames *f, const wr_over_bound *b, const wr_type *t,
           uint32_t from, uint32_t to, bool upper, uint32_t *out)
{
    const distance d = distance_of(b, t);
    uint32_t first = from, end = to;
    while (first < to && k->null[first]) first++;
    while (end > first && k->null[end - 1]) end--;
    uint32_t j = first;
    for (uint32_t i = from; i < to; i++) {
        if (k->null[i]) {
            const bool behind = d.exact > 0 || d.approx > 0, before = d.exact < 0 || d.approx < 0;
            out[i] = (upper ? !before : behind) ? f->peer_hi[i] : f->peer_lo[i];
            continue;
        }
        while (j < end && below(k, j, i, &d, upper)) j++;
        out[i] = j;
    }
}

/* ---- bounds ---------------------------------------------------------------------------------- */
static uint32_t
row_bound(const wr_over_bound *b, uint32_t i, uint32_t from, uint32_t to, bool upper)
{
    const int64_t at = (int64_t)i + (upper ? 1 : 0);
    const int64_t off = WR_MIN(b->offset, (int64_t)UINT32_MAX);
    int64_t x = at;
    switch ((wr_over_bound_kind)b->kind) {
    case WR_OVER_UNBOUNDED_PRECEDING:
        return from;
    case WR_OVER_UNBOUNDED_FOLLOWING:
        return to;
    case WR_OVER_CURRENT_ROW:
        break;
    case WR_OVER_PRECEDING:
        x = at - off;
        break;
    case WR_OVER_FOLLOWING:
        x = at + off;
        break;
    }
    return x < from ? from : x > to ? to : (uint32_t)x;
}

static void
find_bound(const wri_parts *p, const wri_frames *f, const keys *k, const wr_over_bound *b,
           bool upper, uint32_t *out)
{
    const wr_over_window *w = f->window;
    const bool far = b->kind == WR_OVER_PRECEDING || b->kind == WR_OVER_FOLLOWING;
    for (uint32_t s = 0; s < p->count; s++) {
        const uint32_t from = p->starts[s], to = p->starts[s + 1];
        if (!w->rows && far) {
            walk_range(k, f, b, p->rows->cols[w->order[0].col].type, from, to, upper, out);
            continue;
        }
        for (uint32_t i = from; i < to; i++)
            out[i] = !w->rows && b->kind == WR_OVER_CURRENT_ROW
                         ? (upper ? f->peer_hi[i] : f->peer_lo[i])
                         : row_bound(b, i, from, to, upper);
    }
}

wr_status
wri_frames_find(wr_ctx *ctx, const wri_parts *p, const wr_over_window *w, const wr_over_spec *spec,
                wri_frames *out)
{
    wri_frames *f = out;
    keys k = {0};
    (void)spec;
    *f = (wri_frames){.window = w};
    uint32_t *all = wr_arena_alloc(p->scratch, sizeof *all * (4 * (size_t)p->n + 4));
    WR_TRY_ALLOC(ctx, all);
    f->lo = all;
    f->hi = all + p->n;
    f->peer_lo = f->hi + p->n;
    f->peer_hi = f->peer_lo + p->n;
    find_peers(p, w, f);
    const bool far = w->lower.kind == WR_OVER_PRECEDING || w->lower.kind == WR_OVER_FOLLOWING ||
                     w->upper.kind == WR_OVER_PRECEDING || w->upper.kind == WR_OVER_FOLLOWING;
    f->grows = w->lower.kind == WR_OVER_UNBOUNDED_PRECEDING;
    f->whole = f->grows && w->upper.kind == WR_OVER_UNBOUNDED_FOLLOWING;
    /* Without an order Flink takes the whole partition, whatever the frame says. */
    if (w->order_count == 0) f->grows = f->whole = true;
    if (f->whole) {
        for (uint32_t s = 0; s < p->count; s++)
            for (uint32_t i = p->starts[s]; i < p->starts[s + 1]; i++)
                f->lo[i] = p->starts[s], f->hi[i] = p->starts[s + 1];
        return WR_OK;
    }
    if (!w->rows && far) WR_TRY(read_keys(ctx, p, &w->order[0], &k));
    find_bound(p, f, &k, &w->lower, false, f->lo);
    find_bound(p, f, &k, &w->upper, true, f->hi);
    for (uint32_t i = 0; i < p->n; i++) f->lo[i] = WR_MIN(f->lo[i], f->hi[i]);
    return WR_OK;
}
