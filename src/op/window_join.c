/* SPDX-License-Identifier: Apache-2.0 */
/* WINDOW_JOIN: inner, left, right, full, semi and anti joins of rows with equal keys and windows.
 *
 * Rows of both sides wait, back to back in a blob a side, until their window is over:
 *
 *   [length of the row, 4 bytes] [row] ...
 *
 * Then the groups of the window are read, many at once. Their pairs are made a batch at a time, the
 * rest of the condition is tested on the whole batch, and what has met nothing follows, padded,
 * behind the last pair of its group. */
#include "op/window_rows_int.h"

#define LENGTH_BYTES 4u

typedef struct join_group {
    wr_blob rows[2];
    uint64_t counts[2];
    uint64_t no_match; /* a NULL in the key, where NULL equals nothing */
} join_group;

typedef struct entry {
    const uint8_t *row;
    uint32_t len;
    bool matched;
} entry;

typedef struct pair { /* NULL: NULLs on that side */
    entry *left, *right;
} pair;

typedef struct loaded { /* a group that is coming out */
    entry *rows[2];
    uint32_t counts[2];
    bool no_match;
} loaded;

typedef struct window_join_op {
    wr_op op;
    wri_window_rows rows;
    uint8_t type; /* wr_join_type */
    const wr_schema *schema[2];
    wr_program *cond;
    wr_arena *range; /* of the groups that are coming out */
    /* the groups that were read, and how far their pairs have been made */
    loaded *groups;
    uint32_t group_count, group, left, right;
    uint32_t padded; /* groups whose rows without a match have been listed */
    pair *pairs;     /* to come out: of the batch being made, then without a match */
    uint32_t pair_count, pair_at, pair_cap;
    bool tested; /* `pairs` are the rows without a match */
} window_join_op;

/* ---- opening --------------------------------------------------------------------------------- */
static wr_status
open_state(wr_ctx *ctx, window_join_op *j)
{
    wr_op *op = &j->op;
    const wr_pnode *n = op->node;
    const uint32_t *columns[2] = {n->u.join.left_keys, n->u.join.right_keys};
    wr_state_part parts[] = {
        {.name = "left", .bytes = sizeof(wr_blob), .offset = offsetof(join_group, rows)},
        {.name = "right",
         .bytes = sizeof(wr_blob),
         .offset = offsetof(join_group, rows) + sizeof(wr_blob)},
        WRI_PART(join_group, counts, WR_PART_PLAIN),
        WRI_PART(join_group, no_match, WR_PART_PLAIN)};
    for (uint32_t k = 0; k < 2; k++) {
        WR_TRY(wri_row_schema(ctx, op, n->inputs[k], &parts[k].schema));
        j->schema[k] = &n->inputs[k]->schema;
    }
    wr_state_desc record = {.record_bytes = sizeof(join_group), .part_count = WR_COUNT(parts)};
    record.parts = wri_parts_copy(op, parts, WR_COUNT(parts));
    WR_TRY_ALLOC(ctx, record.parts);
    return wri_window_rows_open(ctx, op, columns, n->u.join.key_count, &record, &j->rows);
}

static wr_status
window_join_open(wr_ctx *ctx, wr_op *op)
{
    window_join_op *j = (window_join_op *)op;
    j->type = op->node->u.join.type;
    j->range = wr_arena_create(op->env->budget, 0);
    WR_TRY_ALLOC(ctx, j->range);
    WR_TRY(wri_op_compile_cond(ctx, op, op->node->u.join.cond, &j->cond));
    return open_state(ctx, j);
}

static join_group *
group_at(const window_join_op *j, uint32_t slot)
{
    return (join_group *)(void *)wr_state_rec(j->rows.groups, slot);
}

/* ---- taking rows in -------------------------------------------------------------------------- */
static bool
has_null_key(const window_join_op *j, uint32_t input, const wr_batch *rows, uint32_t row)
{
    const wri_keyspec *keys = &j->rows.input[input].keys;
    const bool *null_equal = j->op.node->u.join.null_equal;
    for (uint32_t k = 0; k < keys->count; k++)
        if (!(null_equal && null_equal[k]) && wr_vec_is_null(&rows->cols[keys->cols[k]], row))
            return true;
    return false;
}

/* Rows i..to of one group, whose bytes are at `p`. */
static wr_status
append(wr_ctx *ctx, window_join_op *j, uint32_t input, uint32_t slot, const uint8_t *p, size_t len,
       uint32_t count)
{
    join_group *g = group_at(j, slot);
    if (len > UINT32_MAX - g->rows[input].len)
        return wr_raise(ctx, WR_LIMIT, "the rows of one key in a window take more than 4 GB");
    g->counts[input] += count;
    return j->rows.groups->ops->blob_append(ctx, j->rows.groups, &g->rows[input], p, (uint32_t)len);
}

static wr_status
take_in(wr_ctx *ctx, window_join_op *j, uint32_t input, const wr_batch *in)
{
    wr_arena *a = j->rows.scratch;
    const wri_window_input *side = &j->rows.input[input];
    wri_window_taken t;
    wr_bytes rows;
    WR_TRY(wri_window_rows_take(ctx, &j->rows, input, in, &t));
    if (t.n == 0) return WR_OK;
    if (!wr_row_encode(&t.rows, side->all_cols, side->width, a, &rows)) return WRI_NOMEM(ctx);
    uint8_t *bytes = wr_arena_alloc(a, rows.off[t.n] + (size_t)LENGTH_BYTES * t.n + 1);
    WR_TRY_ALLOC(ctx, bytes);
    for (uint32_t i = 0; i < t.n;) { /* neighbours of one group go together */
        const uint32_t from = i, slot = t.slots[i];
        uint8_t *to = bytes;
        if (wr_bit_get(t.fresh, i))
            group_at(j, slot)->no_match =
                has_null_key(j, input, &t.rows, wr_batch_row(&t.rows, i)) ? 1 : 0;
        for (; i < t.n && t.slots[i] == slot; i++) {
            const uint32_t len = rows.off[i + 1] - rows.off[i];
            wr_store32(to, len);
            if (len) memcpy(to + LENGTH_BYTES, rows.data + rows.off[i], len);
            to += LENGTH_BYTES + len;
        }
        WR_TRY(append(ctx, j, input, slot, bytes, (size_t)(to - bytes), i - from));
    }
    return WR_OK;
}

static wr_status
window_join_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)emit;
    const wr_status status = take_in(ctx, (window_join_op *)op, input, take_batch);
    wr_batch_release(take_batch);
    return status;
}

/* ---- groups that are due --------------------------------------------------------------------- */
static wr_status
load_side(wr_ctx *ctx, window_join_op *j, const join_group *g, uint32_t k, loaded *out)
{
    const uint8_t *p = j->rows.groups->ops->blob_get(j->rows.groups, &g->rows[k]);
    const uint32_t bytes = g->rows[k].len;
    const uint64_t count = g->counts[k];
    uint32_t n = 0;
    out->rows[k] = wr_arena_alloc(j->range, sizeof **out->rows * ((size_t)count + 1));
    WR_TRY_ALLOC(ctx, out->rows[k]);
    for (uint32_t at = 0; at < bytes && n < count; n++) {
        const uint32_t left = bytes - at;
        const uint32_t len = left >= LENGTH_BYTES ? wr_load32(p + at) : UINT32_MAX;
        if (left < LENGTH_BYTES || len > left - LENGTH_BYTES)
            return wr_raise(ctx, WR_CORRUPT,
                            "the rows of a window in the state of %.*s make no sense",
                            WR_STR_ARG(j->op.node->label));
        out->rows[k][n] = (entry){.row = p + at + LENGTH_BYTES, .len = len};
        at += LENGTH_BYTES + len;
    }
    out->counts[k] = n;
    return WR_OK;
}

/* The next groups of windows that are over. */
static wr_status
load_groups(wr_ctx *ctx, window_join_op *j)
{
    wr_arena_reset(j->range);
    j->group_count = j->group = j->left = j->right = j->padded = 0;
    WR_TRY(wri_window_rows_more(ctx, &j->rows));
    j->groups = wr_arena_alloc(j->range, sizeof *j->groups * (j->rows.count + 1));
    WR_TRY_ALLOC(ctx, j->groups);
    for (uint32_t i = 0; i < j->rows.count; i++) {
        const uint32_t slot = j->rows.slots[i];
        if (slot == WR_SLOT_NONE) continue;
        const join_group *g = group_at(j, slot);
        loaded *l = &j->groups[j->group_count];
        for (uint32_t k = 0; k < 2; k++) WR_TRY(load_side(ctx, j, g, k, l));
        l->no_match = g->no_match != 0;
        j->group_count++;
    }
    return WR_OK;
}

static bool
is_half(const window_join_op *j)
{
    return j->type == WR_JOIN_SEMI || j->type == WR_JOIN_ANTI;
}

static wr_status
add_pair(wr_ctx *ctx, window_join_op *j, entry *left, entry *right)
{
    if (j->pair_count == j->pair_cap) {
        const uint32_t cap = j->pair_cap ? j->pair_cap * 2 : 256;
        pair *more = wr_arena_alloc(j->range, sizeof *more * cap);
        WR_TRY_ALLOC(ctx, more);
        if (j->pair_count) memcpy(more, j->pairs, sizeof *more * j->pair_count);
        j->pairs = more;
        j->pair_cap = cap;
    }
    j->pairs[j->pair_count++] = (pair){left, right};
    return WR_OK;
}

/* The next pairs, as many as fit into a batch. */
static wr_status
list_pairs(wr_ctx *ctx, window_join_op *j)
{
    j->pair_count = j->pair_at = 0;
    for (; j->group < j->group_count; j->group++, j->left = j->right = 0) {
        loaded *g = &j->groups[j->group];
        const bool once = is_half(j) && !j->cond; /* one match tells everything */
        if (g->no_match || g->counts[1] == 0) continue;
        for (; j->left < g->counts[0]; j->left++, j->right = 0) {
            entry *l = &g->rows[0][j->left];
            if (is_half(j) && l->matched) continue;
            for (; j->right < (once ? 1 : g->counts[1]); j->right++) {
                if (j->pair_count == WR_BATCH_ROWS) return WR_OK;
                WR_TRY(add_pair(ctx, j, l, &g->rows[1][j->right]));
            }
        }
    }
    return WR_OK;
}

/* Rows of the groups whose pairs have all been made that come out for what they have not, or for
 * semi joins have, met. */
static wr_status
list_rest(wr_ctx *ctx, window_join_op *j)
{
    const uint8_t t = j->type;
    const bool left = t == WR_JOIN_LEFT || t == WR_JOIN_FULL || is_half(j);
    const bool right = t == WR_JOIN_RIGHT || t == WR_JOIN_FULL;
    j->pair_count = j->pair_at = 0;
    for (; j->padded < j->group; j->padded++) {
        loaded *g = &j->groups[j->padded];
        for (uint32_t i = 0; left && i < g->counts[0]; i++)
            if (g->rows[0][i].matched == (t == WR_JOIN_SEMI))
                WR_TRY(add_pair(ctx, j, &g->rows[0][i], NULL));
        for (uint32_t i = 0; right && i < g->counts[1]; i++)
            if (!g->rows[1][i].matched) WR_TRY(add_pair(ctx, j, NULL, &g->rows[1][i]));
    }
    return WR_OK;
}

/* ---- output ---------------------------------------------------------------------------------- */
static wr_status
put_side(wr_ctx *ctx, window_join_op *j, uint32_t k, const pair *pairs, uint32_t n, wr_vec *cols,
         wr_arena *arena)
{
    const wr_schema *s = j->schema[k];
    for (uint32_t c = 0; c < s->count; c++)
        if (!wr_vec_init_flat(&cols[c], s->fields[c].type, n, arena)) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++) {
        const entry *e = k ? pairs[i].right : pairs[i].left;
        if (e) {
            WR_TRY(wr_row_decode(ctx, e->row, e->len, cols, s->count, i, true, arena));
            continue;
        }
        for (uint32_t c = 0; c < s->count; c++)
            if (!wr_vec_set_null(&cols[c], i, arena)) return WRI_NOMEM(ctx);
    }
    return WR_OK;
}

/* The pairs that the condition lets pass are marked, and selected in `out`. */
static wr_status
test_pairs(wr_ctx *ctx, window_join_op *j, pair *pairs, uint32_t n, wr_batch *out)
{
    uint32_t *sel = NULL, count = n;
    if (j->cond) {
        sel = wr_arena_alloc(out->arena, sizeof *sel * (n + 1));
        WR_TRY_ALLOC(ctx, sel);
        WR_TRY(wr_program_filter(ctx, j->cond, out, NULL, n, out->arena, sel, &count));
    }
    for (uint32_t i = 0; i < count; i++) {
        pair *p = &pairs[sel ? sel[i] : i];
        p->left->matched = p->right->matched = true;
    }
    if (count < n) {
        out->sel = sel;
        out->sel_count = count;
    }
    return WR_OK;
}

static wr_status
fill(wr_ctx *ctx, window_join_op *j, pair *pairs, uint32_t n, wr_batch *out)
{
    const uint32_t lw = j->schema[0]->count;
    const bool whole = !is_half(j) || !j->tested; /* pairs that are tested have both sides */
    WR_TRY(put_side(ctx, j, 0, pairs, n, out->cols, out->arena));
    if (whole) WR_TRY(put_side(ctx, j, 1, pairs, n, out->cols + lw, out->arena));
    out->row_count = n;
    return j->tested ? WR_OK : test_pairs(ctx, j, pairs, n, out);
}

/* One batch of `pairs` from pair_at on. */
static wr_status
put_batch(wr_ctx *ctx, window_join_op *j, wr_emitter *emit)
{
    const uint32_t n = WR_MIN(j->pair_count - j->pair_at, WR_BATCH_ROWS);
    pair *pairs = j->pairs + j->pair_at;
    const bool shown = j->tested || !is_half(j);
    if (!shown && !j->cond) { /* the pairs alone tell it */
        for (uint32_t i = 0; i < n; i++) pairs[i].left->matched = true;
        j->pair_at += n;
        return WR_OK;
    }
    const uint32_t width =
        j->schema[0]->count + (is_half(j) && j->tested ? 0 : j->schema[1]->count);
    wr_batch *out = wr_batch_acquire(j->op.env->pool, width);
    WR_TRY_ALLOC(ctx, out);
    const wr_status status = fill(ctx, j, pairs, n, out);
    if (status != WR_OK || !shown || wr_batch_live(out) == 0) {
        wr_batch_release(out);
        WR_TRY(status);
        out = NULL;
    }
    j->pair_at += n;
    return out ? wr_emit(ctx, emit, out) : WR_OK;
}

static wr_status
let_out(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    window_join_op *j = (window_join_op *)op;
    for (;;) {
        while (j->pair_at < j->pair_count) {
            if (wr_emit_full(emit)) {
                op->pending = true;
                return WR_OK;
            }
            WR_TRY(put_batch(ctx, j, emit));
        }
        if (!j->tested) {
            j->tested = true;
            WR_TRY(list_rest(ctx, j));
            continue;
        }
        j->tested = false;
        j->pair_count = j->pair_at = 0;
        if (j->group == j->group_count) {
            WR_TRY(load_groups(ctx, j));
            j->pairs = NULL;
            j->pair_cap = 0;
            if (j->rows.count == 0) return WR_OK;
        }
        WR_TRY(list_pairs(ctx, j));
    }
}

/* ---- time ------------------------------------------------------------------------------------ */
static wr_status
until(wr_ctx *ctx, window_join_op *j, int64_t watermark, wr_emitter *emit)
{
    j->rows.watermark = WR_MAX(j->rows.watermark, watermark);
    j->group_count = j->group = j->padded = j->pair_count = j->pair_at = j->pair_cap = 0;
    j->tested = true; /* nothing is left of what was let out before */
    return let_out(ctx, &j->op, emit);
}

static wr_status
window_join_watermark(wr_ctx *ctx, wr_op *op, int64_t watermark, wr_emitter *emit, int64_t *forward)
{
    *forward = watermark;
    return until(ctx, (window_join_op *)op, watermark, emit);
}

static wr_status
window_join_end(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    return until(ctx, (window_join_op *)op, INT64_MAX, emit);
}

/* ---- life ------------------------------------------------------------------------------------ */
static wr_status
window_join_snapshot(wr_ctx *ctx, wr_op *op, uint64_t checkpoint_id, wr_opstate *out)
{
    (void)checkpoint_id;
    return wri_window_rows_snapshot(ctx, &((window_join_op *)op)->rows, out);
}

static wr_status
window_join_restore(wr_ctx *ctx, wr_op *op, const wr_opstate *in)
{
    return wri_window_rows_restore(ctx, &((window_join_op *)op)->rows, in);
}

static void
window_join_close(wr_op *op)
{
    window_join_op *j = (window_join_op *)op;
    wr_program_close(j->cond);
    wri_window_rows_close(&j->rows);
    wr_arena_destroy(j->range);
}

const wr_op_ops wri_window_join_ops = {
    .abi = WR_ABI,
    .name = "WindowJoin",
    .size_bytes = sizeof(window_join_op),
    .open = window_join_open,
    .on_batch = window_join_batch,
    .on_resume = let_out,
    .on_watermark = window_join_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = window_join_end,
    .close = window_join_close,
    .snapshot = window_join_snapshot,
    .restore = window_join_restore,
    .committed = wr_op_no_committed,
};
