/* SPDX-License-Identifier: Apache-2.0 */
/* WINDOW_TVF for SESSION: the rows of a key wait in sessions, each of which lasts until no row has
 * come for the gap; when it is over its rows come out, in order of arrival, with its bounds. A row
 * that touches several sessions makes them one. A row alone in a session that would be over already
 * is late and dropped.
 *
 * A timer is set when a session begins. When it is due the session may last longer by now: then it
 * is set anew, so that a row which only extends a session touches no timer. */
#include "op/timers_int.h"
#include "op/windows_int.h"

#define DUE_MAX    256u
#define HEAD_BYTES 5u /* of a row in a session: length, kind */

typedef struct session { /* ordered below the key, by start (8 bytes, big endian, sign flipped) */
    int64_t start, end;
    wr_blob rows; /* [length, 4 bytes] [kind] [row] ... */
} session;

typedef struct session_op {
    wr_op op;
    wri_windows w;
    wri_keyspec keys;
    uint32_t *all_cols;
    wr_state_table *keyed, *sessions;
    wri_timers timers;
    int64_t watermark;
    bool dropped;      /* late rows in the batch: their keys may have nothing */
    wr_arena *scratch; /* of a batch */
    /* what is coming out */
    wr_arena *due_arena;
    wri_timer *due;
    uint32_t due_count, due_at;
    int64_t limit;
    bool in_key, in_session;
    uint32_t slot, pos; /* of the key; in the rows of its first session */
    wri_builder out;
} session_op;

static wr_status
open_tables(wr_ctx *ctx, session_op *s)
{
    static const wr_state_part none[] = {{.name = "nothing", .bytes = 8}};
    wr_state_part parts[] = {WRI_PART(session, start, WR_PART_PLAIN),
                             WRI_PART(session, end, WR_PART_PLAIN),
                             WRI_PART(session, rows, WR_PART_PLAIN)};
    WR_TRY(wri_row_schema(ctx, &s->op, s->op.node->inputs[0], &parts[2].schema));
    wr_state_desc desc = {.shape = WR_STATE_VALUE,
                          .key = &s->keys.schema,
                          .record_bytes = 8,
                          .parts = none,
                          .part_count = WR_COUNT(none)};
    WR_TRY(wri_table_open(ctx, &s->op, "keys", &desc, &s->keyed));
    desc = (wr_state_desc){.shape = WR_STATE_ORDERED,
                           .record_bytes = sizeof(session),
                           .parent = s->keyed,
                           .part_count = WR_COUNT(parts)};
    desc.parts = wri_parts_copy(&s->op, parts, WR_COUNT(parts));
    WR_TRY_ALLOC(ctx, desc.parts);
    WR_TRY(wri_table_open(ctx, &s->op, "sessions", &desc, &s->sessions));
    return wri_timers_open(ctx, &s->op, "ends of sessions", !s->w.how->spec.rowtime, &s->timers);
}

static wr_status
session_open(wr_ctx *ctx, wr_op *op)
{
    session_op *s = (session_op *)op;
    const wr_pnode *in = op->node->inputs[0];
    wri_windows_init(&s->w, op, op->node->windows[0]);
    const wr_window_spec *spec = &s->w.how->spec;
    s->watermark = INT64_MIN;
    s->scratch = wr_arena_create(op->env->budget, 0);
    s->due_arena = wr_arena_create(op->env->budget, 0);
    s->all_cols = wri_iota(op->env->arena, in->schema.count);
    WR_TRY_ALLOC(ctx, s->scratch);
    WR_TRY_ALLOC(ctx, s->due_arena);
    WR_TRY_ALLOC(ctx, s->all_cols);
    WR_TRY(wri_keyspec_init(ctx, op, in, spec->keys, spec->key_count, &s->keys));
    return open_tables(ctx, s);
}

static int64_t
now_of(const session_op *s)
{
    return s->w.how->spec.rowtime ? s->watermark : *s->op.env->now_ms;
}

static void
put_start(uint8_t key[8], int64_t start)
{
    wr_store64(key, __builtin_bswap64((uint64_t)start ^ (uint64_t)1 << 63));
}

static session *
session_of(const wr_state_iter *it)
{
    return (session *)(void *)it->rec;
}

/* ---- taking rows in -------------------------------------------------------------------------- */
typedef struct arrival { /* a row and the session that it alone would be */
    uint32_t slot;
    int64_t start, end;
    const uint8_t *row;
    uint32_t len;
    uint8_t kind;
    const wr_keys *keys;
    uint32_t at; /* its key */
} arrival;

static wr_status
append_row(wr_ctx *ctx, session_op *s, session *to, const arrival *a)
{
    uint8_t head[HEAD_BYTES];
    wr_store32(head, a->len);
    head[4] = a->kind;
    WR_TRY(s->sessions->ops->blob_append(ctx, s->sessions, &to->rows, head, HEAD_BYTES));
    return s->sessions->ops->blob_append(ctx, s->sessions, &to->rows, a->row, a->len);
}

static wr_status
set_timer(wr_ctx *ctx, session_op *s, const arrival *a, int64_t end)
{
    wri_timer t = {.time = wri_windows_closes(&s->w, end), .hash = a->keys->hash[a->at]};
    t.key = wri_key_at(a->keys, a->at, &t.key_len);
    return wri_timers_set(ctx, &s->timers, &t);
}

static wr_status
begin_session(wr_ctx *ctx, session_op *s, const arrival *a)
{
    uint8_t key[8], *rec;
    if (now_of(s) >= wri_windows_closes(&s->w, a->end)) {
        if (s->op.env->metrics) s->op.env->metrics->late_dropped++;
        s->dropped = true;
        return WR_OK;
    }
    put_start(key, a->start);
    WR_TRY(s->sessions->ops->ord_put(ctx, s->sessions, a->slot, key, 8, &rec, NULL));
    session *made = (session *)(void *)rec;
    made->start = a->start;
    made->end = a->end;
    WR_TRY(append_row(ctx, s, made, a));
    return set_timer(ctx, s, a, a->end);
}

/* Sessions first..last of the key and the row become one that begins where the earliest does. Rows
 * keep their order within each of them. */
static wr_status
merge_sessions(wr_ctx *ctx, session_op *s, const arrival *a, int64_t first, uint32_t count)
{
    const wr_state_ops *ops = s->sessions->ops;
    int64_t start = WR_MIN(a->start, first), end = a->end;
    uint8_t key[8], *rec;
    wr_text rows;
    wr_state_iter it;
    wr_text_init(&rows, s->scratch);
    put_start(key, first);
    for (uint32_t i = 0; i < count; i++) {
        const bool there = ops->ord_seek(s->sessions, a->slot, key, 8, &it);
        WR_ASSERT(there);
        const session *old = session_of(&it);
        end = WR_MAX(end, old->end);
        wr_text_put(&rows, (const char *)ops->blob_get(s->sessions, &old->rows), old->rows.len);
        uint8_t gone[8];
        put_start(gone, old->start);
        ops->ord_remove(s->sessions, a->slot, gone, 8);
    }
    if (rows.failed) return WRI_NOMEM(ctx);
    put_start(key, start);
    WR_TRY(ops->ord_put(ctx, s->sessions, a->slot, key, 8, &rec, NULL));
    session *made = (session *)(void *)rec;
    made->start = start;
    made->end = end;
    WR_TRY(ops->blob_set(ctx, s->sessions, &made->rows, rows.ptr, (uint32_t)rows.len));
    WR_TRY(append_row(ctx, s, made, a));
    return start < first ? set_timer(ctx, s, a, end) : WR_OK;
}

static wr_status
add_row(wr_ctx *ctx, session_op *s, const arrival *a)
{
    const wr_state_ops *ops = s->sessions->ops;
    uint8_t key[8];
    wr_state_iter it;
    put_start(key, a->end);
    bool there = ops->ord_seek_last(s->sessions, a->slot, key, 8, &it);
    if (!there || session_of(&it)->end < a->start) return begin_session(ctx, s, a);
    session *last = session_of(&it);
    int64_t first = last->start;
    uint32_t count = 1;
    wr_state_iter back = it;
    while (ops->ord_prev(&back) && session_of(&back)->end >= a->start) {
        first = session_of(&back)->start;
        count++;
    }
    if (count > 1 || a->start < first) return merge_sessions(ctx, s, a, first, count);
    ops->rec_touch(s->sessions, it.rec);
    last->end = WR_MAX(last->end, a->end);
    return append_row(ctx, s, last, a);
}

/* Keys that were made for late rows alone go again. */
static wr_status
forget_empty(wr_ctx *ctx, session_op *s, const uint32_t *slots, uint32_t n)
{
    uint32_t *gone = wr_arena_alloc(s->scratch, sizeof *gone * (n + 1)), count = 0;
    WR_TRY_ALLOC(ctx, gone);
    for (uint32_t i = 0; i < n; i++) { /* marked, for a slot may come several times */
        uint8_t *rec = wr_state_rec(s->keyed, slots[i]);
        if (wr_load64(rec) || s->sessions->ops->ord_count(s->sessions, slots[i])) continue;
        wr_store64(rec, 1);
        gone[count++] = slots[i];
    }
    for (uint32_t i = 0; i < count; i++) s->keyed->ops->remove(s->keyed, gone[i]);
    return WR_OK;
}

static wr_status
take_rows(wr_ctx *ctx, session_op *s, const wr_batch *in)
{
    const wr_windowing *how = s->w.how;
    const wr_vec *times = &in->cols[how->time_col];
    const wr_view view = wr_vec_view(times);
    const uint32_t n = wr_batch_live(in);
    wr_arena_reset(s->scratch);
    s->dropped = false;
    wr_keys keys;
    wr_bytes rows;
    uint32_t *slots = wr_arena_alloc(s->scratch, sizeof *slots * (n + 1));
    WR_TRY_ALLOC(ctx, slots);
    WR_TRY(wri_keys_make(ctx, &s->keys, in, s->scratch, &keys));
    if (!wr_row_encode(in, s->all_cols, in->col_count, s->scratch, &rows)) return WRI_NOMEM(ctx);
    WR_TRY(s->keyed->ops->resolve(ctx, s->keyed, &keys, WR_STATE_UPSERT, slots, NULL));
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = wr_batch_row(in, i);
        if (how->spec.rowtime && !wr_view_valid(&view, row)) continue;
        const int64_t time =
            how->spec.rowtime ? wri_time_at(times, &view, row) : *s->op.env->now_ms;
        arrival a = {.slot = slots[i],
                     .start = wri_windows_local(&s->w, time),
                     .row = rows.data + rows.off[i],
                     .len = rows.off[i + 1] - rows.off[i],
                     .kind = (uint8_t)wr_batch_kind(in, row),
                     .keys = &keys,
                     .at = i};
        a.end = a.start + how->spec.size_ms;
        WR_TRY(add_row(ctx, s, &a));
    }
    return s->dropped ? forget_empty(ctx, s, slots, n) : WR_OK;
}

static wr_status
session_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input, (void)emit;
    const wr_status status = take_rows(ctx, (session_op *)op, take_batch);
    wr_batch_release(take_batch);
    return status;
}

/* ---- letting sessions out -------------------------------------------------------------------- */
static wr_status
find_key(wr_ctx *ctx, session_op *s, const wri_timer *t)
{
    const uint32_t off[2] = {0, t->key_len};
    uint64_t fixed = 0;
    wr_keys one = {.n = 1, .hash = &t->hash, .data = t->key, .off = off};
    if (s->keys.fixed && t->key_len == 8) {
        fixed = wr_load64(t->key);
        one = (wr_keys){.n = 1, .hash = &t->hash, .fixed = &fixed};
    }
    return s->keyed->ops->resolve(ctx, s->keyed, &one, WR_STATE_READ, &s->slot, NULL);
}

/* The key's first session, if it is over; else the key is done with: its timer is set anew, or it
 * goes. */
static wr_status
next_session(wr_ctx *ctx, session_op *s, wr_state_iter *it)
{
    const wri_timer *t = &s->due[s->due_at];
    s->in_session = s->sessions->ops->ord_seek(s->sessions, s->slot, NULL, 0, it);
    if (!s->in_session) {
        s->keyed->ops->remove(s->keyed, s->slot);
        s->in_key = false;
        return WR_OK;
    }
    const int64_t closes = wri_windows_closes(&s->w, session_of(it)->end);
    if (closes <= s->limit) return WR_OK;
    const wri_timer again = {.time = closes, .hash = t->hash, .key = t->key, .key_len = t->key_len};
    s->in_session = s->in_key = false;
    return wri_timers_set(ctx, &s->timers, &again);
}

static wr_status
put_row(wr_ctx *ctx, session_op *s, const session *from, const uint8_t *p, uint32_t len)
{
    const uint32_t width = s->op.node->inputs[0]->schema.count;
    uint32_t row;
    if (len < HEAD_BYTES || wr_load32(p) > len - HEAD_BYTES)
        return wr_raise(ctx, WR_CORRUPT, "a session in the state of %.*s makes no sense",
                        WR_STR_ARG(s->op.node->label));
    const uint32_t bytes = wr_load32(p);
    WR_TRY(wri_builder_row(ctx, &s->out, (wr_kind)p[4], &row));
    wr_vec *cols = s->out.out->cols;
    WR_TRY(wr_row_decode(ctx, p + HEAD_BYTES, bytes, cols, width, row, true, s->out.out->arena));
    wri_time_set(&cols[width], row, from->start);
    wri_time_set(&cols[width + 1], row, from->end);
    wri_time_set(&cols[width + 2], row, wri_windows_last(&s->w, from->end));
    s->pos += HEAD_BYTES + bytes;
    return WR_OK;
}

/* The rows of the session; *done: all are out. */
static wr_status
put_session(wr_ctx *ctx, session_op *s, const wr_state_iter *it, bool *done)
{
    const session *from = session_of(it);
    *done = false;
    while (s->pos < from->rows.len) {
        if (wri_builder_full(&s->out)) return WR_OK;
        const uint8_t *p = s->sessions->ops->blob_get(s->sessions, &from->rows);
        WR_TRY(put_row(ctx, s, from, p + s->pos, from->rows.len - s->pos));
        if (s->out.out->row_count == s->out.cap) WR_TRY(wri_builder_flush(ctx, &s->out));
    }
    uint8_t key[8];
    put_start(key, from->start);
    s->sessions->ops->ord_remove(s->sessions, s->slot, key, 8);
    s->in_session = false;
    s->pos = 0;
    *done = true;
    return WR_OK;
}

/* The next timer that is due; *any: there was one. */
static wr_status
next_key(wr_ctx *ctx, session_op *s, bool *any)
{
    *any = true;
    while (!s->in_key) {
        if (s->due && s->due_at + 1 < s->due_count) {
            s->due_at++;
        } else {
            wr_arena_reset(s->due_arena);
            s->due_at = 0;
            WR_TRY(wri_timers_due(ctx, &s->timers, s->limit, DUE_MAX, s->due_arena, &s->due,
                                  &s->due_count));
            *any = s->due_count > 0;
            if (!*any) return WR_OK;
        }
        WR_TRY(find_key(ctx, s, &s->due[s->due_at]));
        s->in_key = s->slot != WR_SLOT_NONE;
    }
    return WR_OK;
}

static wr_status
let_out(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    session_op *s = (session_op *)op;
    bool any, done;
    wri_builder_begin(&s->out, op, emit, WR_BATCH_ROWS);
    for (;;) {
        WR_TRY(next_key(ctx, s, &any));
        if (!any) return wri_builder_flush(ctx, &s->out);
        wr_state_iter it;
        WR_TRY(next_session(ctx, s, &it));
        if (!s->in_session) continue;
        WR_TRY(put_session(ctx, s, &it, &done));
        if (!done) {
            op->pending = true;
            return WR_OK;
        }
    }
}

static wr_status
start(wr_ctx *ctx, session_op *s, int64_t limit, wr_emitter *emit)
{
    s->limit = limit;
    s->due = NULL;
    s->due_count = s->due_at = s->pos = 0;
    return let_out(ctx, &s->op, emit);
}

static wr_status
session_watermark(wr_ctx *ctx, wr_op *op, int64_t watermark, wr_emitter *emit, int64_t *forward)
{
    session_op *s = (session_op *)op;
    *forward = watermark;
    s->watermark = WR_MAX(s->watermark, watermark);
    return s->w.how->spec.rowtime ? start(ctx, s, s->watermark, emit) : WR_OK;
}

static wr_status
session_timer(wr_ctx *ctx, wr_op *op, int64_t time_ms, wr_emitter *emit)
{
    session_op *s = (session_op *)op;
    return s->w.how->spec.rowtime ? WR_OK : start(ctx, s, time_ms, emit);
}

/* Sessions of processing time that are open when the input ends do not come out, as in Flink. */
static wr_status
session_end(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    session_op *s = (session_op *)op;
    return s->w.how->spec.rowtime ? start(ctx, s, INT64_MAX, emit) : WR_OK;
}

/* ---- life ------------------------------------------------------------------------------------ */
static wr_status
session_snapshot(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id, wr_opstate *out)
{
    (void)checkpoint_id;
    const session_op *s = (const session_op *)op;
    return wri_number_keep(ctx, out, "watermark", WR_OPSTATE_UNION, s->watermark);
}

static wr_status
session_restore(wr_ctx *ctx, wr_op *op, const wr_opstate *in)
{
    session_op *s = (session_op *)op;
    WR_TRY(wri_watermark_back(ctx, op, in, "watermark", &s->watermark));
    return wri_timers_restore(ctx, &s->timers);
}

static void
session_close(wr_op *op)
{
    session_op *s = (session_op *)op;
    wri_builder_drop(&s->out);
    wri_timers_close(&s->timers);
    wr_arena_destroy(s->scratch);
    wr_arena_destroy(s->due_arena);
}

const wr_op_ops wri_window_session_ops = {
    .abi = WR_ABI,
    .name = "WindowTableFunction",
    .size_bytes = sizeof(session_op),
    .open = session_open,
    .on_batch = session_batch,
    .on_resume = let_out,
    .on_watermark = session_watermark,
    .on_timer = session_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = session_end,
    .close = session_close,
    .snapshot = session_snapshot,
    .restore = session_restore,
    .committed = wr_op_no_committed,
};
