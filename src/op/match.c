/* SPDX-License-Identifier: Apache-2.0 */
/* MATCH. Rows of event time wait in ordered state, by partition, time, further order and arrival,
 * until the watermark has passed them; so do rows of processing time that have a further order,
 * until the millisecond is over. Others are looked at as they come.
 *
 * One timer per partition says when there is something to do: at its first waiting row, or when its
 * oldest partial match has lasted as long as WITHIN allows. Due partitions are taken in the order
 * of their timers, some at a time (match_int.h: a run). */
#include "op/match_int.h"

#ifdef WR_TINY
#define RUN_EVENTS 5u
#define RUN_KEYS   3u
#else
#define RUN_EVENTS 4096u
#define RUN_KEYS   512u
#endif

typedef struct waiting { /* record of a row that waits */
    int64_t time;
    wr_blob row;
} waiting;

/* ---- opening --------------------------------------------------------------------------------- */
static wr_status
open_partitions(wr_ctx *ctx, wri_match_op *m)
{
    wr_state_part parts[] = {WRI_PART(wri_match_record, timer, WR_PART_PLAIN),
                             WRI_PART(wri_match_record, next_seq, WR_PART_PLAIN),
                             WRI_PART(wri_match_record, matches, WR_PART_PLAIN)};
    parts[2].schema = &m->kept_schema;
    wr_state_desc desc = {.shape = WR_STATE_VALUE,
                          .key = &m->key.schema,
                          .record_bytes = sizeof(wri_match_record),
                          .part_count = WR_COUNT(parts)};
    desc.parts = wri_parts_copy(&m->op, parts, WR_COUNT(parts));
    WR_TRY_ALLOC(ctx, desc.parts);
    return wri_table_open(ctx, &m->op, "partitions", &desc, &m->table);
}

static wr_status
open_waiting(wr_ctx *ctx, wri_match_op *m)
{
    const wr_match_spec *spec = m->spec;
    const wr_pnode *in = m->op.node->inputs[0];
    wr_state_part parts[] = {WRI_PART(waiting, time, WR_PART_PLAIN),
                             WRI_PART(waiting, row, WR_PART_ROW)};
    uint32_t *cols = WR_NEW_N(m->op.env->arena, uint32_t, spec->order_count + 1);
    wri_keyspec order;
    WR_TRY_ALLOC(ctx, cols);
    for (uint32_t i = 0; i < spec->order_count; i++) cols[i] = spec->order[i].col;
    WR_TRY(wri_keyspec_init(ctx, &m->op, in, cols, spec->order_count, &order));
    wr_schema *key = WR_NEW(m->op.env->arena, wr_schema);
    WR_TRY_ALLOC(ctx, key);
    *key = order.schema;
    WR_TRY(wri_row_schema(ctx, &m->op, in, &parts[1].schema));
    wr_state_desc desc = {.shape = WR_STATE_ORDERED,
                          .key = key,
                          .record_bytes = sizeof(waiting),
                          .parent = m->table,
                          .part_count = WR_COUNT(parts)};
    desc.parts = wri_parts_copy(&m->op, parts, WR_COUNT(parts));
    WR_TRY_ALLOC(ctx, desc.parts);
    return wri_table_open(ctx, &m->op, "rows", &desc, &m->rows);
}

static wr_status
open_schemas(wr_ctx *ctx, wri_match_op *m)
{
    const wr_match_spec *spec = m->spec;
    wr_arena *a = m->op.env->arena;
    wr_field *kept = WR_NEW_N(a, wr_field, spec->kept_count + 1);
    m->order = WR_NEW_N(a, wr_sort_key, spec->order_count + 1);
    m->input_schema = m->op.node->inputs[0]->schema;
    m->kept_cols = wri_iota(a, spec->kept_count);
    m->all_cols = wri_iota(a, m->input_schema.count);
    if (!kept || !m->order || !m->kept_cols || !m->all_cols) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < spec->kept_count; i++) {
        kept[i].type = spec->kept[i]->type;
        kept[i].name = wr_arena_printf(a, "c%u", i);
        WR_TRY_ALLOC(ctx, kept[i].name.ptr);
    }
    m->kept_schema = (wr_schema){kept, spec->kept_count};
    for (uint32_t i = 1; i < spec->order_count; i++)
        m->order[i - 1] = (wr_sort_key){.col = spec->order[i].col,
                                        .desc = spec->order[i].desc,
                                        .nulls_last = spec->order[i].nulls_last};
    return wri_keyspec_init(ctx, &m->op, m->op.node->inputs[0], spec->partition,
                            spec->partition_count, &m->key);
}

static wr_status
match_open(wr_ctx *ctx, wr_op *op)
{
    wri_match_op *m = (wri_match_op *)op;
    m->spec = op->node->u.match;
    m->processing = m->spec->time == WR_ATTR_PROCTIME;
    m->waits = !m->processing || m->spec->order_count > 1;
    m->watermark = INT64_MIN;
    m->scratch = wr_arena_create(op->env->budget, 0);
    m->run.arena = wr_arena_create(op->env->budget, 0);
    m->event_arena = wr_arena_create(op->env->budget, 0);
    if (!m->scratch || !m->run.arena || !m->event_arena) return WRI_NOMEM(ctx);
    WR_TRY(open_schemas(ctx, m));
    WR_TRY(wri_match_nfa_make(ctx, op->env->arena, m->spec, &m->nfa));
    WR_TRY(open_partitions(ctx, m));
    if (m->waits) WR_TRY(open_waiting(ctx, m));
    WR_TRY(wri_timers_open(ctx, op, "timers", m->processing, &m->timers));
    return wri_match_values_open(ctx, m);
}

/* ---- timers ---------------------------------------------------------------------------------- */
typedef struct bytes {
    const uint8_t *p;
    uint32_t len;
} bytes;

/* The timer of a partition is the one for `time` (INT64_MAX: none) and no other. */
static wr_status
set_timer(wr_ctx *ctx, wri_match_op *m, uint32_t slot, bytes key, uint64_t hash, int64_t time)
{
    wri_match_record *rec = wri_match_record_of(m, slot);
    wri_timer t = {.time = rec->timer, .hash = hash, .key = key.p, .key_len = key.len};
    t.space = (const uint8_t *)"";
    if (rec->timer == time) return WR_OK;
    if (rec->timer != INT64_MAX) WR_TRY(wri_timers_delete(ctx, &m->timers, &t));
    m->table->ops->touch(m->table, slot);
    rec->timer = time;
    t.time = time;
    return time == INT64_MAX ? WR_OK : wri_timers_set(ctx, &m->timers, &t);
}

/* Processing time: when the millisecond is over. */
static int64_t
due_time(const wri_match_op *m, int64_t time)
{
    return m->processing && time < INT64_MAX - 1 ? time + 1 : time;
}

/* When the oldest partial match has lasted too long; INT64_MAX: never. */
static int64_t
time_out(const wri_match_op *m, const wri_match_key *k)
{
    const wri_match_partial *p = &k->partial.items[0];
    const int64_t within = m->spec->within_ms;
    if (within <= 0 || k->partial.count == 0 || p->node == WRI_MATCH_NONE) return INT64_MAX;
    if (p->start_time <= 0 || p->start_time > INT64_MAX - 2 - within) return INT64_MAX;
    return due_time(m, p->start_time + within);
}

/* ---- rows that wait -------------------------------------------------------------------------- */
static int64_t
time_of(const wr_batch *b, uint32_t col, uint32_t row)
{
    const wr_view v = wr_vec_view(&b->cols[col]);
    return b->cols[col].phys == WR_PHYS_TS ? WR_VIEW(&v, wr_ts, row).ms : WR_VIEW(&v, int64_t, row);
}

/* The times of the live rows; *out is narrowed to those that are not late. */
static wr_status
on_time(wr_ctx *ctx, wri_match_op *m, const wr_batch *b, wr_batch *out, int64_t **times)
{
    const uint32_t col = m->spec->order[0].col, n = wr_batch_live(b);
    uint32_t *sel = wr_arena_alloc(m->scratch, sizeof *sel * (n + 1));
    *times = wr_arena_alloc(m->scratch, sizeof **times * (n + 1));
    WR_TRY_ALLOC(ctx, sel);
    WR_TRY_ALLOC(ctx, *times);
    *out = *b;
    out->sel = sel;
    out->sel_count = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = wr_batch_row(b, i);
        int64_t time = *m->op.env->now_ms;
        if (!m->processing && wr_vec_is_null(&b->cols[col], row))
            return wr_raise(ctx, WR_DATA,
                            "RowTime field should not be null, please convert it to a non-null "
                            "long value.");
        if (!m->processing) time = time_of(b, col, row);
        if (!m->processing && time <= m->watermark) {
            if (m->op.env->metrics) m->op.env->metrics->late_dropped++;
            continue;
        }
        (*times)[out->sel_count] = time;
        sel[out->sel_count++] = row;
    }
    return WR_OK;
}

/* time (8 bytes, big endian, sign flipped), further order, arrival (8, big endian) */
static wr_status
put_waiting(wr_ctx *ctx, wri_match_op *m, uint32_t slot, int64_t time, bytes order, bytes row)
{
    const wr_state_ops *ops = m->rows->ops;
    wri_match_record *rec = wri_match_record_of(m, slot);
    uint8_t *key = wr_arena_alloc(m->scratch, order.len + 16), *at;
    WR_TRY_ALLOC(ctx, key);
    wr_store64(key, __builtin_bswap64((uint64_t)time ^ (uint64_t)1 << 63));
    if (order.len) memcpy(key + 8, order.p, order.len);
    wr_store64(key + 8 + order.len, __builtin_bswap64(rec->next_seq++));
    WR_TRY(ops->ord_put(ctx, m->rows, slot, key, order.len + 16, &at, NULL));
    waiting *w = (waiting *)(void *)at;
    w->time = time;
    return ops->blob_set(ctx, m->rows, &w->row, row.p, row.len);
}

static wr_status
resolve(wr_ctx *ctx, wri_match_op *m, const wr_batch *b, wr_arena *a, wr_keys *keys,
        uint32_t **slots)
{
    const uint32_t n = wr_batch_live(b);
    uint64_t *fresh = wr_arena_zalloc(a, sizeof *fresh * (WR_BIT_WORDS(n) + 1));
    *slots = wr_arena_alloc(a, sizeof **slots * (n + 1));
    WR_TRY_ALLOC(ctx, fresh);
    WR_TRY_ALLOC(ctx, *slots);
    WR_TRY(wri_keys_make(ctx, &m->key, b, a, keys));
    WR_TRY(m->table->ops->resolve(ctx, m->table, keys, WR_STATE_UPSERT, *slots, fresh));
    for (uint32_t i = 0; i < n; i++)
        if (wr_bit_get(fresh, i)) wri_match_record_of(m, (*slots)[i])->timer = INT64_MAX;
    return WR_OK;
}

static wr_status
keep_waiting(wr_ctx *ctx, wri_match_op *m, const wr_batch *in)
{
    wr_batch b;
    wr_keys keys;
    wr_bytes order = {0}, rows;
    uint32_t *slots;
    int64_t *times;
    wr_arena_reset(m->scratch);
    WR_TRY(on_time(ctx, m, in, &b, &times));
    if (b.sel_count == 0) return WR_OK;
    WR_TRY(resolve(ctx, m, &b, m->scratch, &keys, &slots));
    const uint32_t extra = m->spec->order_count - 1;
    if ((extra && !wr_sortkey_encode(&b, m->order, extra, m->scratch, &order)) ||
        !wr_row_encode(&b, m->all_cols, b.col_count, m->scratch, &rows))
        return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < b.sel_count; i++) {
        bytes o = {0}, key;
        if (extra) o = (bytes){order.data + order.off[i], order.off[i + 1] - order.off[i]};
        const bytes row = {rows.data + rows.off[i], rows.off[i + 1] - rows.off[i]};
        key.p = wri_key_at(&keys, i, &key.len);
        WR_TRY(put_waiting(ctx, m, slots[i], times[i], o, row));
        const int64_t due = due_time(m, times[i]);
        if (due < wri_match_record_of(m, slots[i])->timer)
            WR_TRY(set_timer(ctx, m, slots[i], key, keys.hash[i], due));
    }
    return WR_OK;
}

/* ---- runs ------------------------------------------------------------------------------------ */
static void
run_reset(wri_match_run *run)
{
    wr_arena *arena = run->arena;
    wr_batch_release(run->rows);
    wr_batch_release(run->events);
    if (arena) wr_arena_reset(arena);
    *run = (wri_match_run){.arena = arena};
}

/* Room for `keys` partitions and `events` rows. */
static wr_status
run_begin(wr_ctx *ctx, wri_match_run *run, uint32_t keys, uint32_t events)
{
    run->keys = wr_arena_zalloc(run->arena, sizeof *run->keys * (keys + 1));
    run->event_key = wr_arena_alloc(run->arena, sizeof *run->event_key * (events + 1));
    run->event_time = wr_arena_alloc(run->arena, sizeof *run->event_time * (events + 1));
    return run->keys && run->event_key && run->event_time ? WR_OK : WRI_NOMEM(ctx);
}

static wr_status
run_prepare(wr_ctx *ctx, wri_match_op *m)
{
    WR_TRY(wri_match_load(ctx, m));
    return wri_match_test_events(ctx, m);
}

static int64_t
first_waiting(const wri_match_op *m, uint32_t slot)
{
    wr_state_iter it;
    if (!m->waits || !m->rows->ops->ord_seek(m->rows, slot, NULL, 0, &it)) return INT64_MAX;
    return due_time(m, ((const waiting *)(const void *)it.rec)->time);
}

/* Nothing waits and nothing has begun: the partition is forgotten. */
static wr_status
settle(wr_ctx *ctx, wri_match_op *m, const wri_match_key *k, bytes key, uint64_t hash)
{
    const int64_t waits = first_waiting(m, k->slot), over = time_out(m, k);
    WR_TRY(set_timer(ctx, m, k->slot, key, hash, WR_MIN(waits, over)));
    if (waits == INT64_MAX && wri_match_record_of(m, k->slot)->matches.len == 0)
        m->table->ops->remove(m->table, k->slot);
    return WR_OK;
}

/* ---- rows as they come ----------------------------------------------------------------------- */
/* Partitions of the rows, each once: key_of[i] is that of row i. */
static wr_status
number_keys(wr_ctx *ctx, wri_match_op *m, const uint32_t *slots, uint32_t n, uint32_t *first)
{
    wri_match_run *run = &m->run;
    uint32_t size = 8;
    while (size < 2 * n) size *= 2;
    uint32_t *table = wr_arena_zalloc(run->arena, sizeof *table * size);
    WR_TRY_ALLOC(ctx, table);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = (slots[i] * 2654435761u) & (size - 1);
        while (table[at] && run->keys[table[at] - 1].slot != slots[i]) at = (at + 1) & (size - 1);
        if (!table[at]) {
            first[run->key_count] = i;
            run->keys[run->key_count++].slot = slots[i];
            table[at] = run->key_count;
        }
        run->event_key[i] = table[at] - 1;
    }
    return WR_OK;
}

static wr_status
take_rows(wr_ctx *ctx, wri_match_op *m)
{
    wri_match_run *run = &m->run;
    const uint32_t n = run->event_count = wr_batch_live(run->events);
    const int64_t now = *m->op.env->now_ms;
    wr_keys keys;
    uint32_t *slots, *first = wr_arena_alloc(run->arena, sizeof *first * (n + 1));
    WR_TRY_ALLOC(ctx, first);
    WR_TRY(run_begin(ctx, run, n, n));
    WR_TRY(resolve(ctx, m, run->events, run->arena, &keys, &slots));
    WR_TRY(number_keys(ctx, m, slots, n, first));
    for (uint32_t i = 0; i < n; i++) run->event_time[i] = now;
    WR_TRY(run_prepare(ctx, m));
    for (uint32_t i = 0; i < n; i++) {
        WR_TRY(wri_match_advance(ctx, m, &run->keys[run->event_key[i]], now));
        WR_TRY(wri_match_event(ctx, m, i));
    }
    WR_TRY(wri_match_save(ctx, m));
    for (uint32_t i = 0; i < run->key_count; i++) {
        bytes key;
        key.p = wri_key_at(&keys, first[i], &key.len);
        WR_TRY(settle(ctx, m, &run->keys[i], key, keys.hash[first[i]]));
    }
    return WR_OK;
}

/* ---- rows that are due ----------------------------------------------------------------------- */
typedef struct due {
    wri_timer *timers; /* per partition of the run */
    bool *cut;         /* more of its rows are due than the run has room for */
    uint32_t *rows;    /* how many of its rows are in the run */
    uint32_t count;
} due;

static uint32_t
count_due(const wri_match_op *m, uint32_t slot, uint32_t room, bool *cut)
{
    wr_state_iter it;
    uint32_t n = 0;
    *cut = false;
    if (!m->waits) return 0;
    for (bool ok = m->rows->ops->ord_seek(m->rows, slot, NULL, 0, &it); ok;
         ok = m->rows->ops->ord_next(&it)) {
        if (((const waiting *)(const void *)it.rec)->time > m->limit) break;
        if (n == room) {
            *cut = true;
            break;
        }
        n++;
    }
    return n;
}

static wr_status
find_slot(wr_ctx *ctx, wri_match_op *m, const wri_timer *t, uint32_t *slot)
{
    const uint32_t off[2] = {0, t->key_len};
    uint64_t fixed = 0;
    wr_keys one = {.n = 1, .hash = &t->hash, .data = t->key, .off = off};
    if (m->key.fixed && t->key_len == 8) {
        fixed = wr_load64(t->key);
        one = (wr_keys){.n = 1, .hash = &t->hash, .fixed = &fixed};
    }
    return m->table->ops->resolve(ctx, m->table, &one, WR_STATE_READ, slot, NULL);
}

/* Partitions that are due, and how many rows of each. What finds no room keeps its timer. */
static wr_status
find_due(wr_ctx *ctx, wri_match_op *m, due *d)
{
    wri_match_run *run = &m->run;
    wri_timer *timers;
    uint32_t n, room = RUN_EVENTS;
    WR_TRY(wri_timers_due(ctx, &m->timers, m->limit, RUN_KEYS, run->arena, &timers, &n));
    m->draining = n > 0;
    WR_TRY(run_begin(ctx, run, n, RUN_EVENTS));
    d->timers = wr_arena_alloc(run->arena, sizeof *d->timers * (n + 1));
    d->cut = wr_arena_zalloc(run->arena, n + 1);
    d->rows = wr_arena_zalloc(run->arena, sizeof *d->rows * (n + 1));
    if (!d->timers || !d->cut || !d->rows) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t slot;
        WR_TRY(find_slot(ctx, m, &timers[i], &slot));
        if (slot == WR_SLOT_NONE) continue;
        if (room == 0) {
            WR_TRY(wri_timers_set(ctx, &m->timers, &timers[i]));
            continue;
        }
        m->table->ops->touch(m->table, slot);
        wri_match_record_of(m, slot)->timer = INT64_MAX;
        const uint32_t k = run->key_count++;
        run->keys[k].slot = slot;
        d->timers[k] = timers[i];
        d->rows[k] = count_due(m, slot, room, &d->cut[k]);
        room -= d->rows[k];
        run->event_count += d->rows[k];
    }
    return WR_OK;
}

/* Takes the rows out of the state, in the order in which they are looked at. */
static wr_status
take_due(wr_ctx *ctx, wri_match_op *m, const due *d)
{
    wri_match_run *run = &m->run;
    const wr_state_ops *ops = m->rows ? m->rows->ops : NULL;
    uint32_t row = 0;
    run->events = wr_batch_acquire(m->op.env->pool, m->input_schema.count);
    WR_TRY_ALLOC(ctx, run->events);
    if (!wr_batch_init_flat(run->events, &m->input_schema, run->event_count + 1))
        return WRI_NOMEM(ctx);
    run->events->row_count = run->event_count;
    for (uint32_t k = 0; k < run->key_count; k++)
        for (uint32_t i = 0; i < d->rows[k]; i++, row++) {
            wr_state_iter it;
            if (!ops->ord_seek(m->rows, run->keys[k].slot, NULL, 0, &it)) WR_UNREACHABLE();
            const waiting *w = (const waiting *)(const void *)it.rec;
            run->event_key[row] = k;
            run->event_time[row] = w->time;
            WR_TRY(wr_row_decode(ctx, ops->blob_get(m->rows, &w->row), w->row.len,
                                 run->events->cols, run->events->col_count, row, true,
                                 run->events->arena));
            ops->ord_remove(m->rows, run->keys[k].slot, it.key, it.key_len);
        }
    return WR_OK;
}

static wr_status
run_partition(wr_ctx *ctx, wri_match_op *m, const due *d, uint32_t k, uint32_t *event)
{
    wri_match_run *run = &m->run;
    for (uint32_t i = 0; i < d->rows[k]; i++, ++*event) {
        WR_TRY(wri_match_advance(ctx, m, &run->keys[k], run->event_time[*event]));
        WR_TRY(wri_match_event(ctx, m, *event));
    }
    if (d->cut[k]) return WR_OK;
    if (m->processing && m->limit == INT64_MAX) return WR_OK; /* the end, not a time */
    return wri_match_advance(ctx, m, &run->keys[k], m->limit);
}

static wr_status
next_run(wr_ctx *ctx, wri_match_op *m)
{
    wri_match_run *run = &m->run;
    due d = {0};
    uint32_t event = 0;
    run_reset(run);
    WR_TRY(find_due(ctx, m, &d));
    if (run->key_count == 0) return WR_OK;
    WR_TRY(take_due(ctx, m, &d));
    WR_TRY(run_prepare(ctx, m));
    for (uint32_t k = 0; k < run->key_count; k++) WR_TRY(run_partition(ctx, m, &d, k, &event));
    WR_TRY(wri_match_save(ctx, m));
    for (uint32_t k = 0; k < run->key_count; k++) {
        const wri_timer *t = &d.timers[k];
        const bytes key = {t->key, t->key_len};
        if (d.cut[k]) /* goes on where it was, before partitions with later timers */
            WR_TRY(set_timer(ctx, m, run->keys[k].slot, key, t->hash, t->time));
        else
            WR_TRY(settle(ctx, m, &run->keys[k], key, t->hash));
    }
    return WR_OK;
}

/* ---- output ---------------------------------------------------------------------------------- */
static wr_status
drive(wr_ctx *ctx, wri_match_op *m, wr_emitter *emit)
{
    wri_match_run *run = &m->run;
    for (;;) {
        while (run->shown < run->results.count) {
            wr_batch *out;
            if (wr_emit_full(emit)) {
                m->op.pending = true;
                return WR_OK;
            }
            const uint32_t n = WR_MIN(run->results.count - run->shown, (uint32_t)WR_BATCH_ROWS);
            WR_TRY(wri_match_measure(ctx, m, run->shown, n, &out));
            run->shown += n;
            WR_TRY(wr_emit(ctx, emit, out));
        }
        run_reset(run);
        if (!m->draining) return WR_OK;
        WR_TRY(next_run(ctx, m));
    }
}

/* ---- the operator's methods ------------------------------------------------------------------ */
static wr_status
match_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input;
    wri_match_op *m = (wri_match_op *)op;
    if (m->waits) {
        const wr_status status = keep_waiting(ctx, m, take_batch);
        wr_batch_release(take_batch);
        return status;
    }
    run_reset(&m->run);
    WR_TRY(wri_batch_dense(ctx, op, take_batch, &m->run.events));
    m->draining = false;
    if (m->run.events->row_count == 0) return WR_OK;
    WR_TRY(take_rows(ctx, m));
    return drive(ctx, m, emit);
}

static wr_status
let_out(wr_ctx *ctx, wri_match_op *m, int64_t limit, wr_emitter *emit)
{
    m->limit = limit;
    m->draining = true;
    return drive(ctx, m, emit);
}

static wr_status
match_watermark(wr_ctx *ctx, wr_op *op, int64_t watermark, wr_emitter *emit, int64_t *forward)
{
    wri_match_op *m = (wri_match_op *)op;
    *forward = watermark;
    if (m->processing) return WR_OK;
    m->watermark = WR_MAX(m->watermark, watermark);
    return let_out(ctx, m, watermark, emit);
}

static wr_status
match_timer(wr_ctx *ctx, wr_op *op, int64_t time_ms, wr_emitter *emit)
{
    return let_out(ctx, (wri_match_op *)op, time_ms, emit);
}

static wr_status
match_resume(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    return drive(ctx, (wri_match_op *)op, emit);
}

/* What waits for a watermark that does not come any more. */
static wr_status
match_end(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    wri_match_op *m = (wri_match_op *)op;
    return m->waits ? let_out(ctx, m, INT64_MAX, emit) : WR_OK;
}

static void
match_close(wr_op *op)
{
    wri_match_op *m = (wri_match_op *)op;
    run_reset(&m->run);
    wri_match_values_close(m);
    wri_timers_close(&m->timers);
    wr_arena_destroy(m->run.arena);
    wr_arena_destroy(m->event_arena);
    wr_arena_destroy(m->scratch);
}

static wr_status
match_snapshot(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id, wr_opstate *out)
{
    (void)checkpoint_id;
    const wri_match_op *m = (const wri_match_op *)op;
    if (m->watermark == INT64_MIN) return WR_OK;
    return wri_number_keep(ctx, out, "watermark", WR_OPSTATE_UNION, m->watermark);
}

/* What was late stays late: the lowest of all subtasks that there were. */
static wr_status
match_restore(wr_ctx *ctx, wr_op *op, const wr_opstate *in)
{
    wri_match_op *m = (wri_match_op *)op;
    const wr_opstate_list *list = wr_opstate_find(in, "watermark");
    for (uint32_t i = 0; list && i < list->items.count; i++) {
        int64_t w;
        WR_TRY(wri_number_item(ctx, list, i, &w));
        m->watermark = i ? WR_MIN(m->watermark, w) : w;
    }
    return wri_timers_restore(ctx, &m->timers);
}

const wr_op_ops wri_match_ops = {
    .abi = WR_ABI,
    .name = "Match",
    .size_bytes = sizeof(wri_match_op),
    .open = match_open,
    .on_batch = match_batch,
    .on_resume = match_resume,
    .on_watermark = match_watermark,
    .on_timer = match_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = match_end,
    .close = match_close,
    .snapshot = match_snapshot,
    .restore = match_restore,
    .committed = wr_op_no_committed,
};
