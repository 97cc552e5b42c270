/* SPDX-License-Identifier: Apache-2.0 */
/* TEMPORAL_JOIN of event time: every left row with the version of the right side that was valid at
 * its time.
 *
 *   value table "keys"      join key -> key_record
 *   ordered table "left"    time (8 bytes, big endian, sign flipped), arrival number (8 bytes, big
 *                           endian) -> the row and its kind, until the watermark passes its time
 *   ordered table "right"   time -> the version that begins then; of a deletion too, and of what a
 *                           condition takes back, at its own time, as in Flink
 *   timers "due"            one per key, when its next rows are due
 *
 * When the watermark passes a key's timer, its left rows up to the watermark come out, in order of
 * arrival, and of its versions up to there all but the last go. The keys that are due are gathered
 * until they make a good batch, the rest of the condition is tested on all their pairs at once.
 * When versions go depends on the timers alone, as in Flink: it decides what late rows find. */
#include <stdlib.h>

#include "op/timers_int.h"
#include "plan/timed_join.h"

#define KEY_BYTES      16u
#define TIMERS_AT_ONCE 1024u
#define NO_MATCH       0x100u /* a left row with a NULL in its key, where NULL equals nothing */

typedef struct key_record {
    int64_t timer;
    uint64_t arrivals;
    uint64_t has_timer;
} key_record;

typedef struct row_record {
    wr_blob row;
    uint64_t kind; /* and NO_MATCH */
} row_record;

typedef struct pair { /* a left row that is due, and its version */
    uint64_t arrival;
    const uint8_t *left, *right; /* right NULL: there is none */
    uint32_t left_len, right_len;
    uint8_t kind;
    bool passes;
} pair;

typedef struct side {
    const wr_schema *schema;
    wri_keyspec key;
    uint32_t time_col;
    uint32_t *all_cols;
    wr_state_table *rows;
} side;

typedef struct temporal_op {
    wr_op op;
    side side[2];
    bool outer;
    wr_state_table *keys;
    wri_timers timers;
    wr_program *cond;
    wr_arena *scratch, *range;
    /* what is coming out */
    int64_t until;
    wri_timer *due;
    uint32_t *due_slots;
    uint32_t due_count;
    pair *pairs;
    uint32_t pair_count, pair_cap, pair_at;
} temporal_op;

/* ---- opening --------------------------------------------------------------------------------- */
static wr_status
open_side(wr_ctx *ctx, temporal_op *j, uint32_t k)
{
    wr_op *op = &j->op;
    const wr_pnode *in = op->node->inputs[k];
    const wr_temporal_spec *spec = op->node->u.join.temporal;
    side *s = &j->side[k];
    wr_state_part parts[] = {WRI_PART(row_record, row, WR_PART_ROW),
                             WRI_PART(row_record, kind, WR_PART_PLAIN)};
    s->schema = &in->schema;
    s->time_col = k ? spec->right_time : spec->left_time;
    return wri_timed_side_open(ctx, op, k, j->keys, parts, WR_COUNT(parts), sizeof(row_record),
                               &s->key, &s->all_cols, &s->rows);
}

static wr_status
open_tables(wr_ctx *ctx, temporal_op *j)
{
    static const wr_state_part parts[] = {WRI_PART(key_record, timer, WR_PART_PLAIN),
                                          WRI_PART(key_record, arrivals, WR_PART_PLAIN),
                                          WRI_PART(key_record, has_timer, WR_PART_PLAIN)};
    wr_op *op = &j->op;
    wri_keyspec key;
    WR_TRY(wri_keyspec_init(ctx, op, op->node->inputs[0], op->node->u.join.left_keys,
                            op->node->u.join.key_count, &key));
    wr_schema *schema = WR_NEW(op->env->arena, wr_schema);
    WR_TRY_ALLOC(ctx, schema);
    *schema = key.schema;
    const wr_state_desc desc = {.shape = WR_STATE_VALUE,
                                .key = schema,
                                .record_bytes = sizeof(key_record),
                                .parts = parts,
                                .part_count = WR_COUNT(parts),
                                .ttl_ms = op->node->u.join.ttl_ms[0]};
    WR_TRY(wri_table_open(ctx, op, "keys", &desc, &j->keys));
    for (uint32_t k = 0; k < 2; k++) WR_TRY(open_side(ctx, j, k));
    return wri_timers_open(ctx, op, "due", false, &j->timers);
}

static wr_status
temporal_open(wr_ctx *ctx, wr_op *op)
{
    temporal_op *j = (temporal_op *)op;
    j->outer = op->node->u.join.type == WR_JOIN_LEFT;
    j->scratch = wr_arena_create(op->env->budget, 0);
    j->range = wr_arena_create(op->env->budget, 0);
    WR_TRY_ALLOC(ctx, j->scratch);
    WR_TRY_ALLOC(ctx, j->range);
    WR_TRY(wri_op_compile_cond(ctx, op, op->node->u.join.cond, &j->cond));
    return open_tables(ctx, j);
}

/* ---- taking rows in -------------------------------------------------------------------------- */
static key_record *
key_rec(const temporal_op *j, uint32_t slot)
{
    return (key_record *)(void *)wr_state_rec(j->keys, slot);
}

static void
put_key(uint8_t *key, int64_t time, uint64_t arrival)
{
    wr_store64(key, __builtin_bswap64((uint64_t)time ^ (uint64_t)1 << 63));
    wr_store64(key + 8, __builtin_bswap64(arrival));
}

static int64_t
time_of(const uint8_t *key)
{
    return (int64_t)(__builtin_bswap64(wr_load64(key)) ^ (uint64_t)1 << 63);
}

/* A NULL counts as zero, as in Flink's rows: a deletion may carry the key alone. */
static int64_t
row_time(const wr_vec *v, const wr_view *view, uint32_t row)
{
    if (wr_vec_is_null(v, row)) return 0;
    return v->phys == WR_PHYS_TS ? WR_VIEW(view, wr_ts, row).ms : WR_VIEW(view, int64_t, row);
}

static bool
has_null_key(const temporal_op *j, const side *s, const wr_batch *in, uint32_t row)
{
    const bool *null_equal = j->op.node->u.join.null_equal;
    for (uint32_t k = 0; k < s->key.count; k++)
        if (!(null_equal && null_equal[k]) && wr_vec_is_null(&in->cols[s->key.cols[k]], row))
            return true;
    return false;
}

/* The key's timer is at its earliest row. */
static wr_status
set_timer(wr_ctx *ctx, temporal_op *j, uint32_t slot, const wri_timer *key, int64_t time)
{
    key_record *k = key_rec(j, slot);
    wri_timer t = *key;
    if (k->has_timer && k->timer <= time) return WR_OK;
    if (k->has_timer) {
        t.time = k->timer;
        WR_TRY(wri_timers_delete(ctx, &j->timers, &t));
    }
    t.time = k->timer = time;
    k->has_timer = 1;
    return wri_timers_set(ctx, &j->timers, &t);
}

static wr_status
take_in(wr_ctx *ctx, temporal_op *j, uint32_t input, const wr_batch *in)
{
    const side *s = &j->side[input];
    const wr_state_ops *ops = s->rows->ops;
    const wr_vec *times = &in->cols[s->time_col];
    const wr_view view = wr_vec_view(times);
    const uint32_t n = wr_batch_live(in);
    wr_keys keys;
    wr_bytes rows;
    wr_arena_reset(j->scratch);
    uint32_t *slots = WR_NEW_N(j->scratch, uint32_t, n + 1);
    WR_TRY_ALLOC(ctx, slots);
    WR_TRY(wri_keys_make(ctx, &s->key, in, j->scratch, &keys));
    WR_TRY(j->keys->ops->resolve(ctx, j->keys, &keys, WR_STATE_UPSERT, slots, NULL));
    if (!wr_row_encode(in, s->all_cols, s->schema->count, j->scratch, &rows)) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = wr_batch_row(in, i);
        const wr_kind kind = wr_batch_kind(in, row);
        const int64_t time = row_time(times, &view, row);
        uint8_t key[KEY_BYTES], *rec;
        put_key(key, time, input == 0 ? key_rec(j, slots[i])->arrivals++ : 0);
        WR_TRY(ops->ord_put(ctx, s->rows, slots[i], key, input == 0 ? KEY_BYTES : 8, &rec, NULL));
        row_record *r = (row_record *)(void *)rec;
        r->kind = kind | (input == 0 && has_null_key(j, s, in, row) ? NO_MATCH : 0u);
        WR_TRY(ops->blob_set(ctx, s->rows, &r->row, rows.data + rows.off[i],
                             rows.off[i + 1] - rows.off[i]));
        wri_timer timer = {.hash = keys.hash[i]};
        timer.key = wri_key_at(&keys, i, &timer.key_len);
        WR_TRY(set_timer(ctx, j, slots[i], &timer, time));
    }
    return WR_OK;
}

static wr_status
temporal_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)emit;
    const wr_status status = take_in(ctx, (temporal_op *)op, input, take_batch);
    wr_batch_release(take_batch);
    return status;
}

/* ---- what is due ----------------------------------------------------------------------------- */
static wr_status
resolve_due(wr_ctx *ctx, temporal_op *j)
{
    const uint32_t n = j->due_count;
    uint64_t *hash = WR_NEW_N(j->scratch, uint64_t, n + 1), bytes = 0;
    uint32_t *off = WR_NEW_N(j->scratch, uint32_t, n + 1);
    j->due_slots = WR_NEW_N(j->scratch, uint32_t, n + 1);
    if (!hash || !off || !j->due_slots) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++) bytes += j->due[i].key_len;
    if (bytes > UINT32_MAX) return WRI_NOMEM(ctx);
    uint8_t *data = wr_arena_alloc(j->scratch, (size_t)bytes + 1);
    WR_TRY_ALLOC(ctx, data);
    for (uint32_t i = 0; i < n; i++) {
        hash[i] = j->due[i].hash;
        off[i + 1] = off[i] + j->due[i].key_len;
        if (j->due[i].key_len) memcpy(data + off[i], j->due[i].key, j->due[i].key_len);
    }
    wr_keys keys = {.n = n, .hash = hash, .data = data, .off = off};
    if (!j->side[0].key.fixed)
        return j->keys->ops->resolve(ctx, j->keys, &keys, WR_STATE_READ, j->due_slots, NULL);
    uint64_t *fixed = WR_NEW_N(j->scratch, uint64_t, n + 1);
    uint64_t *valid = WR_NEW_N(j->scratch, uint64_t, WR_BIT_WORDS(n) + 1);
    if (!fixed || !valid) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++) {
        if (off[i + 1] - off[i] != 8) continue;
        memcpy(&fixed[i], data + off[i], 8);
        wr_bit_set(valid, i);
    }
    keys = (wr_keys){.n = n, .hash = hash, .fixed = fixed, .valid = valid};
    return j->keys->ops->resolve(ctx, j->keys, &keys, WR_STATE_READ, j->due_slots, NULL);
}

static wr_status
add_pair(wr_ctx *ctx, temporal_op *j, const pair *p)
{
    if (j->pair_count == j->pair_cap) {
        const uint32_t cap = j->pair_cap ? j->pair_cap * 2 : 256;
        pair *more = wr_arena_alloc(j->range, sizeof *more * cap);
        WR_TRY_ALLOC(ctx, more);
        if (j->pair_count) memcpy(more, j->pairs, sizeof *more * j->pair_count);
        j->pairs = more;
        j->pair_cap = cap;
    }
    j->pairs[j->pair_count++] = *p;
    return WR_OK;
}

static int
by_arrival(const void *a, const void *b)
{
    const uint64_t x = ((const pair *)a)->arrival, y = ((const pair *)b)->arrival;
    return x < y ? -1 : x > y;
}

/* Where a key's versions are read: left rows come by time, so the versions do, too. */
typedef struct versions {
    wr_state_iter now, next; /* the one that is valid, and the one behind it */
    bool started, has_now, has_next;
} versions;

/* The version at a time, not before the time that was asked for before. */
static const row_record *
find_version(const temporal_op *j, uint32_t slot, int64_t time, versions *v)
{
    wr_state_table *t = j->side[1].rows;
    if (!v->started) {
        uint8_t key[KEY_BYTES];
        put_key(key, time, 0);
        v->started = true;
        v->has_now = t->ops->ord_seek_last(t, slot, key, 8, &v->now);
        v->next = v->now;
        v->has_next =
            v->has_now ? t->ops->ord_next(&v->next) : t->ops->ord_seek(t, slot, NULL, 0, &v->next);
    }
    while (v->has_next && time_of(v->next.key) <= time) {
        v->now = v->next;
        v->has_now = true;
        v->has_next = t->ops->ord_next(&v->next);
    }
    return v->has_now ? (const row_record *)(const void *)v->now.rec : NULL;
}

static void
put_version(const temporal_op *j, uint32_t slot, int64_t time, versions *v, pair *p)
{
    const wr_state_table *t = j->side[1].rows;
    const row_record *r = find_version(j, slot, time, v);
    if (!r || r->kind == WR_DELETE || r->kind == WR_UPDATE_BEFORE) return;
    p->right = t->ops->blob_get(t, &r->row);
    p->right_len = r->row.len;
    p->passes = true;
}

static wr_status
collect_key(wr_ctx *ctx, temporal_op *j, uint32_t slot)
{
    wr_state_table *t = j->side[0].rows;
    const uint32_t from = j->pair_count;
    versions v = {.started = false};
    bool in_order = true;
    wr_state_iter it;
    for (bool ok = t->ops->ord_seek(t, slot, NULL, 0, &it); ok; ok = t->ops->ord_next(&it)) {
        const int64_t time = time_of(it.key);
        if (time > j->until) break;
        const row_record *r = (const row_record *)(const void *)it.rec;
        pair p = {.arrival = __builtin_bswap64(wr_load64(it.key + 8)),
                  .left = t->ops->blob_get(t, &r->row),
                  .left_len = r->row.len,
                  .kind = (uint8_t)(r->kind & 0xff)};
        if (!(r->kind & NO_MATCH)) put_version(j, slot, time, &v, &p);
        if (j->pair_count > from) in_order &= j->pairs[j->pair_count - 1].arrival < p.arrival;
        WR_TRY(add_pair(ctx, j, &p));
    }
    if (!in_order) qsort(j->pairs + from, j->pair_count - from, sizeof *j->pairs, by_arrival);
    return WR_OK;
}

/* ---- the condition --------------------------------------------------------------------------- */
static wr_status
decode_pairs(wr_ctx *ctx, temporal_op *j, const uint32_t *which, uint32_t n, bool copy, wr_batch *b)
{
    const uint32_t lw = j->side[0].schema->count, rw = j->side[1].schema->count;
    for (uint32_t c = 0; c < lw + rw; c++) {
        const wr_schema *s = j->side[c >= lw].schema;
        const wr_type *t = s->fields[c >= lw ? c - lw : c].type;
        if (!wr_vec_init_flat(&b->cols[c], t, n, b->arena)) return WRI_NOMEM(ctx);
    }
    for (uint32_t i = 0; i < n; i++) {
        const pair *p = &j->pairs[which[i]];
        WR_TRY(wr_row_decode(ctx, p->left, p->left_len, b->cols, lw, i, copy, b->arena));
        if (p->passes) {
            WR_TRY(wr_row_decode(ctx, p->right, p->right_len, b->cols + lw, rw, i, copy, b->arena));
            continue;
        }
        for (uint32_t c = lw; c < lw + rw; c++)
            if (!wr_vec_set_null(&b->cols[c], i, b->arena)) return WRI_NOMEM(ctx);
    }
    b->row_count = n;
    return WR_OK;
}

static wr_status
test_some(wr_ctx *ctx, temporal_op *j, const uint32_t *which, uint32_t n, wr_batch *b)
{
    WR_TRY(decode_pairs(ctx, j, which, n, false, b));
    uint32_t *sel = wr_arena_alloc(b->arena, sizeof *sel * (n + 1)), count;
    WR_TRY_ALLOC(ctx, sel);
    WR_TRY(wr_program_filter(ctx, j->cond, b, NULL, n, b->arena, sel, &count));
    for (uint32_t i = 0; i < n; i++) j->pairs[which[i]].passes = false;
    for (uint32_t i = 0; i < count; i++) j->pairs[which[sel[i]]].passes = true;
    return WR_OK;
}

static wr_status
test_pairs(wr_ctx *ctx, temporal_op *j)
{
    uint32_t *which = wr_arena_alloc(j->range, sizeof *which * (j->pair_count + 1)), count = 0;
    WR_TRY_ALLOC(ctx, which);
    for (uint32_t i = 0; i < j->pair_count; i++)
        if (j->pairs[i].passes) which[count++] = i;
    for (uint32_t at = 0; j->cond && at < count; at += WR_BATCH_ROWS) {
        wr_batch *b =
            wr_batch_acquire(j->op.env->pool, j->side[0].schema->count + j->side[1].schema->count);
        WR_TRY_ALLOC(ctx, b);
        const wr_status status =
            test_some(ctx, j, which + at, WR_MIN(count - at, WR_BATCH_ROWS), b);
        wr_batch_release(b);
        WR_TRY(status);
    }
    return WR_OK;
}

/* ---- output ---------------------------------------------------------------------------------- */
static wr_status
fill(wr_ctx *ctx, temporal_op *j, const uint32_t *which, uint32_t n, wr_batch *out)
{
    uint8_t *kinds = wr_batch_kinds(out, n);
    WR_TRY_ALLOC(ctx, kinds);
    for (uint32_t i = 0; i < n; i++) kinds[i] = j->pairs[which[i]].kind;
    return decode_pairs(ctx, j, which, n, true, out);
}

static wr_status
let_out(wr_ctx *ctx, temporal_op *j, wr_emitter *emit)
{
    while (j->pair_at < j->pair_count) {
        if (wr_emit_full(emit)) {
            j->op.pending = true;
            return WR_OK;
        }
        wr_batch *out = wr_batch_acquire(j->op.env->pool, j->op.node->schema.count);
        WR_TRY_ALLOC(ctx, out);
        uint32_t *which = wr_arena_alloc(out->arena, sizeof *which * (WR_BATCH_ROWS + 1)), n = 0;
        for (; which && n < WR_BATCH_ROWS && j->pair_at < j->pair_count; j->pair_at++)
            if (j->outer || j->pairs[j->pair_at].passes) which[n++] = j->pair_at;
        const wr_status status = which ? fill(ctx, j, which, n, out) : WRI_NOMEM(ctx);
        if (status != WR_OK || n == 0) {
            wr_batch_release(out);
            WR_TRY(status);
            continue;
        }
        WR_TRY(wr_emit(ctx, emit, out));
    }
    return WR_OK;
}

/* Left rows that came out go, and the versions that a later one replaced. */
static wr_status
clear_key(wr_ctx *ctx, temporal_op *j, uint32_t slot, const wri_timer *timer)
{
    wr_state_table *l = j->side[0].rows, *r = j->side[1].rows;
    wr_state_iter it;
    uint8_t key[KEY_BYTES], last[KEY_BYTES];
    j->keys->ops->touch(j->keys, slot);
    key_rec(j, slot)->has_timer = 0;
    bool left = false;
    while (l->ops->ord_seek(l, slot, NULL, 0, &it)) {
        left = time_of(it.key) > j->until;
        if (left) break;
        memcpy(key, it.key, KEY_BYTES);
        l->ops->ord_remove(l, slot, key, KEY_BYTES);
    }
    if (left) WR_TRY(set_timer(ctx, j, slot, timer, time_of(it.key)));
    put_key(key, j->until, 0);
    if (r->ops->ord_seek_last(r, slot, key, 8, &it)) {
        memcpy(last, it.key, 8);
        while (r->ops->ord_seek(r, slot, NULL, 0, &it) && memcmp(it.key, last, 8) != 0) {
            memcpy(key, it.key, 8);
            r->ops->ord_remove(r, slot, key, 8);
        }
    }
    if (!left && r->ops->ord_count(r, slot) == 0) j->keys->ops->remove(j->keys, slot);
    return WR_OK;
}

static wr_status
next_keys(wr_ctx *ctx, temporal_op *j)
{
    wr_arena_reset(j->scratch);
    wr_arena_reset(j->range);
    j->pair_count = j->pair_cap = j->pair_at = 0;
    WR_TRY(wri_timers_due(ctx, &j->timers, j->until, TIMERS_AT_ONCE, j->scratch, &j->due,
                          &j->due_count));
    if (j->due_count == 0) return WR_OK;
    WR_TRY(resolve_due(ctx, j));
    for (uint32_t i = 0; i < j->due_count; i++)
        if (j->due_slots[i] != WR_SLOT_NONE) WR_TRY(collect_key(ctx, j, j->due_slots[i]));
    return test_pairs(ctx, j);
}

static wr_status
go_on(wr_ctx *ctx, temporal_op *j, wr_emitter *emit)
{
    for (;;) {
        WR_TRY(let_out(ctx, j, emit));
        if (j->op.pending) return WR_OK;
        for (uint32_t i = 0; i < j->due_count; i++)
            if (j->due_slots[i] != WR_SLOT_NONE)
                WR_TRY(clear_key(ctx, j, j->due_slots[i], &j->due[i]));
        WR_TRY(next_keys(ctx, j));
        if (j->due_count == 0) return WR_OK;
    }
}

static wr_status
temporal_watermark(wr_ctx *ctx, wr_op *op, int64_t watermark, wr_emitter *emit, int64_t *forward)
{
    temporal_op *j = (temporal_op *)op;
    *forward = watermark;
    j->until = watermark;
    j->due_count = j->pair_count = j->pair_at = 0;
    return go_on(ctx, j, emit);
}

static wr_status
temporal_resume(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    return go_on(ctx, (temporal_op *)op, emit);
}

static wr_status
temporal_restore(wr_ctx *ctx, wr_op *op, const wr_opstate *in)
{
    (void)in;
    return wri_timers_restore(ctx, &((temporal_op *)op)->timers);
}

static void
temporal_close(wr_op *op)
{
    temporal_op *j = (temporal_op *)op;
    wr_program_close(j->cond);
    wri_timers_close(&j->timers);
    wr_arena_destroy(j->scratch);
    wr_arena_destroy(j->range);
}

const wr_op_ops wri_temporal_join_ops = {
    .abi = WR_ABI,
    .name = "TemporalJoin",
    .size_bytes = sizeof(temporal_op),
    .open = temporal_open,
    .on_batch = temporal_batch,
    .on_resume = temporal_resume,
    .on_watermark = temporal_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = wr_op_no_end,
    .close = temporal_close,
    .snapshot = wr_op_no_snapshot,
    .restore = temporal_restore,
    .committed = wr_op_no_committed,
};
