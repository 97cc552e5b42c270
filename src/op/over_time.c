/* SPDX-License-Identifier: Apache-2.0 */
/* OVER_AGG, streaming, ordered by a time attribute: inserts only.
 *
 * By event time rows wait (over_wait.c) until the watermark has passed them; by processing time
 * they are taken as they come, but for RANGE with a bound, where the rows of a millisecond belong
 * together and wait for its end. What is due is worked off in chunks: the accumulators take the
 * rows of a chunk a column at a time, and give the result behind each of them; with RANGE rows of
 * one key and time get the result of the last of them.
 *
 * Bounded frames: the arguments of the rows of a frame are kept in ordered state, by time and
 * arrival; what leaves the frame is taken back from the accumulators, never added up anew. A list
 * of steps (take back these, add that one) is made for a chunk and then applied at once. With RANGE
 * a timer clears a key when its last row is out of every frame to come.
 *
 * Late: by event time, a row that the watermark has passed; for bounded frames, as in Flink, one
 * that is not later than the last row of its key that came out. */
#include "op/over_int.h"
#include "op/timers_int.h"

typedef struct over_time_op {
    wr_op op;
    wri_over_calls calls;
    wri_wait wait;
    wri_timers timers; /* RANGE with a bound: clearing */
    wr_state_table *frame;
    uint32_t *arg_cols, arg_count; /* columns that calls look at */
    wr_arena *scratch;
    int64_t watermark, limit;
    int64_t bound; /* rows or ms */
    uint32_t time_col;
    bool event, waits, bounded, rows, clears;
} over_time_op;

typedef struct framed { /* record of a row of a frame */
    wr_blob args;
} framed;
#define FRAME_KEY_BYTES 16u /* time and number of arrival, big endian, sign flipped */

typedef struct steps { /* what a chunk does to the accumulators */
    uint32_t *rows, *slots;
    uint32_t n, cap;
    uint32_t *result; /* per row of the chunk: the step behind which its result stands */
    wr_text gone;     /* encoded arguments of rows that are taken back */
    uint32_t *gone_off, gone_count, gone_cap;
} steps;

/* ---- opening --------------------------------------------------------------------------------- */
static wr_status
open_frame(wr_ctx *ctx, over_time_op *o)
{
    wr_op *op = &o->op;
    const wr_over_window *w = o->calls.window;
    uint64_t *used = WR_NEW_N(op->env->arena, uint64_t, WR_BIT_WORDS(o->calls.width) + 1);
    o->arg_cols = WR_NEW_N(op->env->arena, uint32_t, o->calls.width + 1);
    WR_TRY_ALLOC(ctx, used);
    WR_TRY_ALLOC(ctx, o->arg_cols);
    for (uint32_t i = 0; i < w->call_count; i++)
        for (uint32_t k = 0; k < w->calls[i].arg_count; k++)
            if (w->calls[i].args[k] < o->calls.width) wr_bit_set(used, w->calls[i].args[k]);
    for (uint32_t c = 0; c < o->calls.width; c++)
        if (wr_bit_get(used, c)) o->arg_cols[o->arg_count++] = c;
    wri_keyspec args;
    WR_TRY(wri_keyspec_init(ctx, op, op->node->inputs[0], o->arg_cols, o->arg_count, &args));
    wr_schema *schema = WR_NEW(op->env->arena, wr_schema);
    WR_TRY_ALLOC(ctx, schema);
    *schema = args.schema;
    wr_state_part part[] = {WRI_PART(framed, args, WR_PART_ROW)};
    part[0].schema = schema;
    wr_state_desc desc = {.shape = WR_STATE_ORDERED,
                          .record_bytes = sizeof(framed),
                          .parent = o->calls.aggs.groups,
                          .part_count = 1};
    desc.parts = wri_parts_copy(op, part, 1);
    WR_TRY_ALLOC(ctx, desc.parts);
    return wri_table_open(ctx, op, "frames", &desc, &o->frame);
}

static wr_status
over_time_open(wr_ctx *ctx, wr_op *op)
{
    over_time_op *o = (over_time_op *)op;
    const wr_over_window *w = &op->node->u.over->windows[0];
    o->event = w->time == WR_ATTR_ROWTIME;
    o->bounded = w->lower.kind == WR_OVER_PRECEDING;
    o->rows = w->rows;
    o->clears = o->bounded && !w->rows;
    o->waits = o->event || o->clears;
    o->bound = WR_MIN(w->lower.offset, INT64_MAX / 4) + (w->rows ? 1 : 0);
    o->time_col = w->order[0].col;
    o->watermark = INT64_MIN;
    o->scratch = wr_arena_create(op->env->budget, 0);
    WR_TRY_ALLOC(ctx, o->scratch);
    WR_TRY(wri_over_calls_open(ctx, op, w, o->bounded, !o->clears, 0, &o->calls));
    if (o->waits) WR_TRY(wri_wait_open(ctx, op, &o->wait));
    if (o->bounded) WR_TRY(open_frame(ctx, o));
    return o->clears ? wri_timers_open(ctx, op, "clearing", !o->event, &o->timers) : WR_OK;
}

static void
over_time_close(wr_op *op)
{
    over_time_op *o = (over_time_op *)op;
    wri_wait_close(&o->wait);
    wri_timers_close(&o->timers);
    wr_arena_destroy(o->scratch);
}

static wri_over_head *
head_of(const over_time_op *o, uint32_t slot)
{
    return (wri_over_head *)(void *)wr_state_rec(o->calls.aggs.groups, slot);
}

/* ---- steps ----------------------------------------------------------------------------------- */
static bool
steps_init(over_time_op *o, uint32_t n, steps *s)
{
    *s = (steps){.cap = 2 * n + 16, .gone_cap = n + 16};
    s->rows = wr_arena_alloc(o->scratch, sizeof *s->rows * s->cap);
    s->slots = wr_arena_alloc(o->scratch, sizeof *s->slots * s->cap);
    s->result = wr_arena_alloc(o->scratch, sizeof *s->result * (n + 1));
    s->gone_off = wr_arena_alloc(o->scratch, sizeof *s->gone_off * (s->gone_cap + 1));
    wr_text_init(&s->gone, o->scratch);
    if (!s->rows || !s->slots || !s->result || !s->gone_off) return false;
    s->gone_off[0] = 0;
    return true;
}

static bool
grow(wr_arena *a, uint32_t **list, uint32_t count, uint32_t cap)
{
    uint32_t *more = wr_arena_alloc(a, sizeof *more * (cap + 1));
    if (!more) return false;
    memcpy(more, *list, sizeof *more * count);
    *list = more;
    return true;
}

static wr_status
push_step(wr_ctx *ctx, over_time_op *o, steps *s, uint32_t row, uint32_t slot)
{
    if (s->n == s->cap) {
        s->cap *= 2;
        if (!grow(o->scratch, &s->rows, s->n, s->cap) || !grow(o->scratch, &s->slots, s->n, s->cap))
            return WRI_NOMEM(ctx);
    }
    s->rows[s->n] = row;
    s->slots[s->n++] = slot;
    return WR_OK;
}

/* The first row of the frame leaves it: a step that takes row `base + i` back, i counting these. */
static wr_status
leave(wr_ctx *ctx, over_time_op *o, steps *s, uint32_t base, uint32_t slot, const wr_state_iter *it)
{
    const framed *f = (const framed *)(const void *)it->rec;
    uint8_t key[FRAME_KEY_BYTES];
    if (s->gone_count == s->gone_cap) {
        s->gone_cap *= 2;
        if (!grow(o->scratch, &s->gone_off, s->gone_count + 1, s->gone_cap)) return WRI_NOMEM(ctx);
    }
    if (f->args.len)
        wr_text_put(&s->gone, (const char *)o->frame->ops->blob_get(o->frame, &f->args),
                    f->args.len);
    WR_TRY(push_step(ctx, o, s, base + s->gone_count, slot));
    s->gone_off[++s->gone_count] = (uint32_t)s->gone.len;
    memcpy(key, it->key, sizeof key);
    o->frame->ops->ord_remove(o->frame, slot, key, sizeof key);
    return WR_OK;
}

static wr_status
enter(wr_ctx *ctx, over_time_op *o, const wr_bytes *args, uint32_t row, uint32_t slot, int64_t time)
{
    uint8_t key[FRAME_KEY_BYTES], *rec;
    wr_store64(key, __builtin_bswap64((uint64_t)time ^ (uint64_t)1 << 63));
    wr_store64(key + 8, __builtin_bswap64(head_of(o, slot)->next_seq++));
    WR_TRY(o->frame->ops->ord_put(ctx, o->frame, slot, key, sizeof key, &rec, NULL));
    framed *f = (framed *)(void *)rec;
    const uint32_t len = args->off[row + 1] - args->off[row];
    return o->frame->ops->blob_set(ctx, o->frame, &f->args, args->data + args->off[row], len);
}

/* ROWS: row by row, the oldest one leaves when the frame is full. */
static wr_status
steps_of_rows(wr_ctx *ctx, over_time_op *o, const uint32_t *slots, const int64_t *times, uint32_t n,
              const wr_bytes *args, steps *s)
{
    wr_state_iter it;
    for (uint32_t i = 0; i < n; i++) {
        wri_over_head *h = head_of(o, slots[i]);
        const int64_t time = times ? times[i] : 0;
        if (h->count == o->bound) {
            const bool any = o->frame->ops->ord_seek(o->frame, slots[i], NULL, 0, &it);
            WR_ASSERT(any);
            WR_TRY(leave(ctx, o, s, n, slots[i], &it));
        } else {
            h->count++;
        }
        WR_TRY(enter(ctx, o, args, i, slots[i], time));
        h = head_of(o, slots[i]);
        h->last = time;
        s->result[i] = s->n;
        WR_TRY(push_step(ctx, o, s, i, slots[i]));
    }
    return WR_OK;
}

/* RANGE: what is too old leaves, then all rows of the key and time enter. */
static wr_status
steps_of_range(wr_ctx *ctx, over_time_op *o, const uint32_t *slots, const int64_t *times,
               const uint32_t *last, uint32_t n, const wr_bytes *args, steps *s)
{
    wr_state_iter it;
    for (uint32_t i = 0; i < n;) {
        const uint32_t end = last[i] + 1, slot = slots[i];
        while (o->frame->ops->ord_seek(o->frame, slot, NULL, 0, &it)) {
            const int64_t time =
                (int64_t)(__builtin_bswap64(wr_load64(it.key)) ^ (uint64_t)1 << 63);
            int64_t age;
            if (!__builtin_sub_overflow(times[i], time, &age) && age <= o->bound) break;
            WR_TRY(leave(ctx, o, s, n, slot, &it));
        }
        head_of(o, slot)->last = times[i];
        for (uint32_t k = i; k < end; k++) {
            WR_TRY(enter(ctx, o, args, k, slot, times[i]));
            WR_TRY(push_step(ctx, o, s, k, slot));
        }
        for (uint32_t k = i; k < end; k++) s->result[k] = s->n - 1;
        i = end;
    }
    return WR_OK;
}

/* The rows of the chunk and behind them those that are taken back, with their kinds. */
static wr_status
with_gone(wr_ctx *ctx, over_time_op *o, const wr_batch *view, const steps *s, wr_batch *out,
          uint8_t **kind)
{
    const uint32_t n = view->row_count, all = n + s->gone_count;
    *out = *view;
    out->row_count = all;
    out->cols = wr_arena_zalloc(o->scratch, sizeof *out->cols * (view->col_count + 1));
    *kind = wr_arena_zalloc(o->scratch, all + 1);
    wr_vec *args = wr_arena_zalloc(o->scratch, sizeof *args * (o->arg_count + 1));
    if (!out->cols || !*kind || !args) return WRI_NOMEM(ctx);
    memcpy(out->cols, view->cols, sizeof *out->cols * view->col_count);
    memset(*kind + n, WR_DELETE, s->gone_count);
    for (uint32_t k = 0; k < o->arg_count; k++) {
        const wr_vec *v = &view->cols[o->arg_cols[k]];
        if (!wr_vec_init_flat(&args[k], v->type, all, o->scratch) ||
            !wri_vec_copy_rows(&args[k], 0, 1, v, NULL, n, o->scratch))
            return WRI_NOMEM(ctx);
    }
    for (uint32_t i = 0; i < s->gone_count && o->arg_count; i++)
        WR_TRY(wr_row_decode(ctx, (const uint8_t *)s->gone.ptr + s->gone_off[i],
                             s->gone_off[i + 1] - s->gone_off[i], args, o->arg_count, n + i, false,
                             o->scratch));
    for (uint32_t k = 0; k < o->arg_count; k++) out->cols[o->arg_cols[k]] = args[k];
    return WR_OK;
}

static wr_status
apply_bounded(wr_ctx *ctx, over_time_op *o, const wr_batch *view, const uint32_t *slots,
              const int64_t *times, const uint32_t *last, wr_arena *arena, wr_vec *before,
              wr_vec *after, const uint32_t **result)
{
    const uint32_t n = view->row_count;
    steps s;
    wr_bytes args;
    wr_batch all;
    uint8_t *kind;
    if (!steps_init(o, n, &s)) return WRI_NOMEM(ctx);
    if (!wr_row_encode(view, o->arg_cols, o->arg_count, o->scratch, &args)) return WRI_NOMEM(ctx);
    if (o->rows)
        WR_TRY(steps_of_rows(ctx, o, slots, times, n, &args, &s));
    else
        WR_TRY(steps_of_range(ctx, o, slots, times, last, n, &args, &s));
    if (s.gone.failed) return WRI_NOMEM(ctx);
    WR_TRY(with_gone(ctx, o, view, &s, &all, &kind));
    const wri_agg_rows r = {
        .batch = &all, .rows = s.rows, .slots = s.slots, .n = s.n, .kind = kind};
    *result = s.result;
    return wri_aggs_update(ctx, &o->calls.aggs, &r, o->scratch, arena, before, after);
}

/* ---- a chunk --------------------------------------------------------------------------------- */
/* Rows of `out` in its first columns: the calls' results into the others. */
static wr_status
fill(wr_ctx *ctx, over_time_op *o, wr_batch *out, const int64_t *times, const uint32_t *last)
{
    const uint32_t n = out->row_count, calls = o->calls.window->call_count;
    wr_batch *view = wri_over_view(&o->calls, out, o->scratch);
    uint32_t *slots = wr_arena_alloc(o->scratch, sizeof *slots * (n + 1));
    wr_vec *before = wr_arena_zalloc(o->scratch, sizeof *before * (calls + 1));
    wr_vec *after = wr_arena_zalloc(o->scratch, sizeof *after * (calls + 1));
    const uint32_t *result = o->rows ? NULL : last;
    wr_keys keys;
    if (!view || !slots || !before || !after) return WRI_NOMEM(ctx);
    WR_TRY(wri_keys_make(ctx, &o->calls.aggs.keys, view, o->scratch, &keys));
    wr_state_table *groups = o->calls.aggs.groups;
    WR_TRY(groups->ops->resolve(ctx, groups, &keys, WR_STATE_UPSERT, slots, NULL));
    if (o->bounded) {
        WR_TRY(apply_bounded(ctx, o, view, slots, times, last, out->arena, before, after, &result));
    } else {
        const wri_agg_rows r = {.batch = view, .slots = slots, .n = n};
        WR_TRY(wri_aggs_update(ctx, &o->calls.aggs, &r, o->scratch, out->arena, before, after));
    }
    for (uint32_t i = 0; i < calls; i++) {
        if (!result)
            out->cols[o->calls.width + i] = after[i];
        else if (!wr_vec_gather(&out->cols[o->calls.width + i], &after[i], result, n, out->arena))
            return WRI_NOMEM(ctx);
    }
    return WR_OK;
}

static wr_status
let_out(wr_ctx *ctx, over_time_op *o, wr_emitter *emit)
{
    while (wri_wait_first(&o->wait) <= o->limit) {
        if (wr_emit_full(emit)) {
            o->op.pending = true;
            return WR_OK;
        }
        wr_arena_reset(o->scratch);
        wr_batch *out = wr_batch_acquire(o->op.env->pool, o->op.node->schema.count);
        WR_TRY_ALLOC(ctx, out);
        int64_t *times = NULL;
        uint32_t *last = NULL, n = 0;
        wr_status status = wri_wait_take(ctx, &o->wait, o->limit, WR_BATCH_ROWS, out, o->scratch,
                                         &times, &last, &n);
        if (status == WR_OK && n) status = fill(ctx, o, out, times, last);
        if (status != WR_OK || n == 0) {
            wr_batch_release(out);
            WR_TRY(status);
            continue;
        }
        WR_TRY(wr_emit(ctx, emit, out));
    }
    return WR_OK;
}

/* ---- in -------------------------------------------------------------------------------------- */
static wr_status
take_now(wr_ctx *ctx, over_time_op *o, wr_batch *in, wr_emitter *emit)
{
    wr_batch *out = wr_batch_acquire(o->op.env->pool, o->op.node->schema.count);
    wr_status status = WR_OK;
    wr_arena_reset(o->scratch);
    if (!out || !wr_batch_keep(out, in)) status = WRI_NOMEM(ctx);
    if (status == WR_OK) {
        memcpy(out->cols, in->cols, sizeof *out->cols * o->calls.width);
        out->row_count = in->row_count;
        status = fill(ctx, o, out, NULL, NULL);
    }
    if (status == WR_OK) return wr_emit(ctx, emit, out);
    wr_batch_release(out);
    return status;
}

static wr_status
read_times(wr_ctx *ctx, over_time_op *o, const wr_batch *in, int64_t *times)
{
    const uint32_t n = in->row_count;
    if (!o->event) {
        for (uint32_t i = 0; i < n; i++) times[i] = *o->op.env->now_ms;
        return WR_OK;
    }
    const wr_vec *v = &in->cols[o->time_col];
    const wr_view w = wr_vec_view(v);
    for (uint32_t i = 0; i < n; i++) {
        if (!wr_view_valid(&w, i))
            return wr_raise(ctx, WR_DATA,
                            "RowTime field should not be null, please convert it to a non-null "
                            "long value.");
        times[i] = v->phys == WR_PHYS_TS ? WR_VIEW(&w, wr_ts, i).ms : WR_VIEW(&w, int64_t, i);
    }
    return WR_OK;
}

/* As Flink does it: a key is cleared half a frame after its last row is out of every frame to come,
 * and when a row arrives the timer is moved only if it would come too early for it. */
static wr_status
set_clearing(wr_ctx *ctx, over_time_op *o, const wr_keys *keys, const uint32_t *slots,
             const int64_t *times, const bool *keep, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!keep[i]) continue;
        wri_over_head *h = head_of(o, slots[i]);
        wri_timer t = {.hash = keys->hash[i]};
        int64_t frame = o->bound + 1, soonest;
        if (__builtin_add_overflow(times[i], frame + frame / 2 + 1, &t.time)) continue;
        soonest = times[i] + frame + 1;
        if (h->clean_at && h->clean_at >= soonest) continue;
        h->clean_at = t.time;
        t.key = wri_key_at(keys, i, &t.key_len);
        WR_TRY(wri_timers_set(ctx, &o->timers, &t));
    }
    return WR_OK;
}

static wr_status
drop_late(wr_ctx *ctx, over_time_op *o, const wr_keys *keys, const int64_t *times, uint32_t n,
          bool *keep)
{
    wr_state_table *groups = o->calls.aggs.groups;
    uint32_t *slots = NULL, late = 0;
    if (o->bounded) {
        slots = wr_arena_alloc(o->scratch, sizeof *slots * (n + 1));
        WR_TRY_ALLOC(ctx, slots);
        WR_TRY(groups->ops->resolve(ctx, groups, keys, o->clears ? WR_STATE_UPSERT : WR_STATE_READ,
                                    slots, NULL));
    }
    for (uint32_t i = 0; i < n; i++) {
        int64_t passed = o->watermark;
        if (o->bounded) passed = slots[i] == WR_SLOT_NONE ? 0 : head_of(o, slots[i])->last;
        keep[i] = !o->event || times[i] > passed;
        late += !keep[i];
    }
    if (late && o->op.env->metrics) o->op.env->metrics->late_dropped += late;
    return o->clears ? set_clearing(ctx, o, keys, slots, times, keep, n) : WR_OK;
}

static wr_status
take_waiting(wr_ctx *ctx, over_time_op *o, const wr_batch *in)
{
    const uint32_t n = in->row_count;
    wr_arena_reset(o->scratch);
    int64_t *times = wr_arena_alloc(o->scratch, sizeof *times * (n + 1));
    bool *keep = wr_arena_alloc(o->scratch, n + 1);
    wr_keys keys;
    WR_TRY_ALLOC(ctx, times);
    WR_TRY_ALLOC(ctx, keep);
    WR_TRY(read_times(ctx, o, in, times));
    WR_TRY(wri_keys_make(ctx, &o->calls.aggs.keys, in, o->scratch, &keys));
    WR_TRY(drop_late(ctx, o, &keys, times, n, keep));
    WR_TRY(wri_wait_put(ctx, &o->wait, in, &keys, times, keep));
    if (o->event || !n || !o->op.env->timer) return WR_OK;
    return o->op.env->timer(o->op.env, times[0] + 1);
}

static wr_status
over_time_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    over_time_op *o = (over_time_op *)op;
    wr_batch *in = NULL;
    (void)input;
    WR_TRY(wri_batch_dense(ctx, op, take_batch, &in));
    wr_status status = WR_OK;
    if (in->row_count) status = o->waits ? take_waiting(ctx, o, in) : take_now(ctx, o, in, emit);
    wr_batch_release(in);
    return status;
}

/* ---- time ------------------------------------------------------------------------------------ */
#define CLEARED_AT_ONCE 1024u

/* Keys whose last row is out of every frame to come. */
static wr_status
clear_keys(wr_ctx *ctx, over_time_op *o, int64_t now)
{
    wr_state_table *groups = o->calls.aggs.groups;
    wri_timer *due;
    uint32_t n;
    do {
        wr_arena_reset(o->scratch);
        WR_TRY(wri_timers_due(ctx, &o->timers, now, CLEARED_AT_ONCE, o->scratch, &due, &n));
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t off[2] = {0, due[i].key_len};
            const uint64_t fixed =
                o->calls.aggs.keys.fixed && due[i].key_len == 8 ? wr_load64(due[i].key) : 0;
            wr_keys key = {.n = 1, .hash = &due[i].hash, .data = due[i].key, .off = off};
            if (o->calls.aggs.keys.fixed && due[i].key_len == 8)
                key = (wr_keys){.n = 1, .hash = &due[i].hash, .fixed = &fixed};
            uint32_t slot;
            WR_TRY(groups->ops->resolve(ctx, groups, &key, WR_STATE_READ, &slot, NULL));
            if (slot == WR_SLOT_NONE) continue;
            if (head_of(o, slot)->clean_at > due[i].time) continue; /* it has another one */
            WR_TRY(wri_aggs_restart(ctx, &o->calls.aggs, &slot, 1, o->scratch));
            groups->ops->remove(groups, slot);
        }
    } while (n == CLEARED_AT_ONCE);
    return WR_OK;
}

static wr_status
pass_time(wr_ctx *ctx, over_time_op *o, int64_t now, wr_emitter *emit)
{
    WR_TRY(let_out(ctx, o, emit));
    return o->clears && !o->op.pending ? clear_keys(ctx, o, now) : WR_OK;
}

static wr_status
over_time_watermark(wr_ctx *ctx, wr_op *op, int64_t watermark, wr_emitter *emit, int64_t *forward)
{
    over_time_op *o = (over_time_op *)op;
    *forward = watermark;
    o->watermark = watermark;
    if (!o->event) return WR_OK;
    o->limit = WR_MIN(watermark, INT64_MAX - 1); /* the end of time: nothing waits for it */
    return pass_time(ctx, o, watermark, emit);
}

static wr_status
over_time_timer(wr_ctx *ctx, wr_op *op, int64_t time_ms, wr_emitter *emit)
{
    over_time_op *o = (over_time_op *)op;
    o->limit = time_ms - 1;
    return pass_time(ctx, o, time_ms, emit);
}

static wr_status
over_time_resume(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    over_time_op *o = (over_time_op *)op;
    return pass_time(ctx, o, o->limit, emit);
}

static wr_status
over_time_end(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    over_time_op *o = (over_time_op *)op;
    o->limit = INT64_MAX - 1;
    return o->waits ? let_out(ctx, o, emit) : WR_OK;
}

static wr_status
over_time_restore(wr_ctx *ctx, wr_op *op, const wr_opstate *in)
{
    over_time_op *o = (over_time_op *)op;
    (void)in;
    if (o->waits) WR_TRY(wri_wait_restore(ctx, &o->wait));
    if (o->clears) WR_TRY(wri_timers_restore(ctx, &o->timers));
    if (o->event || !o->waits || wri_wait_first(&o->wait) == INT64_MAX || !op->env->timer)
        return WR_OK;
    return op->env->timer(op->env, wri_wait_first(&o->wait) + 1);
}

const wr_op_ops wri_over_time_ops = {
    .abi = WR_ABI,
    .name = "OverAggregate",
    .size_bytes = sizeof(over_time_op),
    .open = over_time_open,
    .on_batch = over_time_batch,
    .on_resume = over_time_resume,
    .on_watermark = over_time_watermark,
    .on_timer = over_time_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = over_time_end,
    .close = over_time_close,
    .snapshot = wr_op_no_snapshot,
    .restore = over_time_restore,
    .committed = wr_op_no_committed,
};
