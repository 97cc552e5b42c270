/* SPDX-License-Identifier: Apache-2.0 */
/* RANK, SORT_LIMIT in streaming mode, and LIMIT over input with retractions (no sort key): the
 * first `end` rows of each partition by sort key, earlier arrivals first among equals; ranks before
 * `start` are kept but not shown. SORT_LIMIT and LIMIT have one partition, `end` = offset + fetch.
 *
 * The `top` is ordered state of at most `end` rows, keyed by sort key and arrival number.
 * Strategies: AppendFast  input only inserts: what falls out of the top is forgotten UpdateFast
 * rows are updated by a unique key and only ever rise: a map finds a row's place Retract     rows
 * may go: what is not in the top waits in `rest` and moves up With an offset, rows change ranks,
 * which shows as -U/+U of the ranks between; without one, rows only enter and leave: -D of the one
 * pushed out, +I of the one that came. */
#include "op/op_int.h"

typedef struct rank_op {
    wr_op op;
    uint8_t strategy;
    bool shifts;  /* has an offset, or shows ranks: rows that change theirs show as updates */
    bool number;  /* the rank is the last column of the output */
    bool before;  /* emit -U */
    bool one_row; /* a Top-1 that is never retracted: its row is replaced by an update, as in Flink
                   */
    uint64_t start, end;
    wr_sort_key *keys;
    uint32_t key_count;
    uint32_t *all_cols;
    const wr_pnode *rows; /* whose rows are kept: the output without the rank */
    wri_keyspec row_key, sort_key, partition;
    int32_t end_col; /* of the input: how many rows are shown; -1: `end` */
    wr_state_table *one, *top, *rest, *places;
    uint32_t slot;   /* of the row being taken in */
    uint32_t *slots; /* of the batch's rows; NULL: there is one partition */
    uint32_t serial;
    wr_arena *scratch;
    wr_batch *in; /* being taken in */
    uint32_t in_at;
    wr_bytes in_keys, in_rows;
    uint32_t *row_at; /* of the batch's rows: which of in_rows; WRI_NO_ROW: it was not encoded */
    wr_keys in_row_keys;
    wri_builder out;
} rank_op;

_Static_assert(sizeof(rank_op) <= WRI_SORT_LIMIT_BYTES, "room for SORT_LIMIT");

typedef struct row_record { /* of top, rest; and of places: where the row is */
    wr_blob bytes;
} row_record;

typedef struct partition { /* record of a partition */
    uint64_t arrivals;
    uint64_t end; /* of end_col, by the first row */
    uint32_t has_end;
    uint32_t listed; /* serial of the batch that listed it for removal */
    uint64_t worst;  /* AppendFast: how the sort key of the last row begins, when ... */
    uint64_t full;   /* ... the top is full: what sorts behind it does not come in */
} partition;

typedef struct bytes {
    const uint8_t *p;
    uint32_t len;
} bytes;

static const wr_state_ops *
state_of(const rank_op *r)
{
    return r->one->ops;
}

static wr_status
open_tables(wr_ctx *ctx, rank_op *r)
{
    wr_op *op = &r->op;
    static const wr_state_part counter[] = {WRI_PART(partition, arrivals, WR_PART_PLAIN),
                                            WRI_PART(partition, end, WR_PART_PLAIN),
                                            WRI_PART(partition, has_end, WR_PART_PLAIN),
                                            WRI_PART(partition, listed, WR_PART_TRANSIENT),
                                            WRI_PART(partition, worst, WR_PART_TRANSIENT),
                                            WRI_PART(partition, full, WR_PART_TRANSIENT)};
    wr_state_part row[] = {{.name = "row", .kind = WR_PART_ROW, .bytes = sizeof(wr_blob)}};
    static const wr_state_part place[] = {{.name = "place", .bytes = sizeof(wr_blob)}};
    const bool ranks = op->node->kind == WR_P_RANK;
    wr_state_desc desc = {.shape = WR_STATE_VALUE,
                          .key = r->partition.count ? &r->partition.schema : NULL,
                          .record_bytes = sizeof(partition),
                          .parts = counter,
                          .part_count = WR_COUNT(counter),
                          .ttl_ms = ranks ? op->node->u.rank.ttl_ms : 0};
    WR_TRY(wri_row_schema(ctx, op, r->rows, &row[0].schema));
    WR_TRY(wri_table_open(ctx, op, "arrivals", &desc, &r->one));
    desc = (wr_state_desc){.shape = WR_STATE_ORDERED,
                           .key = &r->sort_key.schema,
                           .record_bytes = sizeof(row_record),
                           .parent = r->one,
                           .part_count = 1};
    desc.parts = wri_parts_copy(op, row, 1);
    WR_TRY_ALLOC(ctx, desc.parts);
    WR_TRY(wri_table_open(ctx, op, "top", &desc, &r->top));
    if (r->strategy == WR_RANK_RETRACT) WR_TRY(wri_table_open(ctx, op, "rest", &desc, &r->rest));
    if (r->strategy == WR_RANK_UPDATE_FAST) {
        desc.shape = WR_STATE_MAP;
        desc.key = &r->row_key.schema;
        desc.parts = place;
        WR_TRY(wri_table_open(ctx, op, "places", &desc, &r->places));
    }
    return WR_OK;
}

/* Keys that order rows: a time of processing does not. */
static wr_status
open_keys(wr_ctx *ctx, rank_op *r, const wr_order_key *keys, uint32_t count)
{
    wr_op *op = &r->op;
    r->keys = WR_NEW_N(op->env->arena, wr_sort_key, count + 1);
    uint32_t *cols = WR_NEW_N(op->env->arena, uint32_t, count + 1);
    WR_TRY_ALLOC(ctx, r->keys);
    WR_TRY_ALLOC(ctx, cols);
    for (uint32_t i = 0; i < count; i++) {
        if (r->rows->schema.fields[keys[i].col].type->attr == WR_ATTR_PROCTIME) continue;
        cols[r->key_count] = keys[i].col;
        r->keys[r->key_count++] = (wr_sort_key){.col = keys[i].col,
                                                .desc = keys[i].desc,
                                                .nulls_last = keys[i].nulls_last,
                                                .one_zero = true};
    }
    return wri_keyspec_init(ctx, op, r->rows, cols, r->key_count, &r->sort_key);
}

static wr_status
open_limit(wr_ctx *ctx, rank_op *r)
{
    const wr_pnode *node = r->op.node;
    const bool limit = node->kind == WR_P_LIMIT;
    const int64_t offset = limit ? node->u.limit.offset : node->u.sort.offset;
    const int64_t fetch = limit ? node->u.limit.fetch : node->u.sort.fetch;
    r->rows = node;
    r->end_col = -1;
    r->strategy = limit ? WR_RANK_RETRACT : node->u.sort.strategy;
    r->shifts = offset > 0;
    r->start = (uint64_t)WR_MAX(offset, 0) + 1;
    r->end = fetch < 0 ? UINT64_MAX : r->start - 1 + (uint64_t)fetch;
    r->before = limit ? (node->changelog & WR_CL_UB) != 0 : node->u.sort.generate_update_before;
    r->one_row = r->strategy != WR_RANK_RETRACT && r->start == 1 && r->end == 1 && r->before;
    WR_TRY(open_keys(ctx, r, node->u.sort.keys, limit ? 0 : node->u.sort.key_count));
    if (r->strategy != WR_RANK_UPDATE_FAST) return WR_OK;
    return wri_keyspec_init(ctx, &r->op, node, node->u.sort.sort_upsert_key,
                            node->u.sort.sort_upsert_key_count, &r->row_key);
}

static wr_status
open_rank(wr_ctx *ctx, rank_op *r)
{
    const wr_pnode *node = r->op.node;
    r->rows = node->inputs[0];
    r->end_col = node->u.rank.last_col;
    r->strategy = node->u.rank.strategy;
    r->number = node->u.rank.number;
    r->shifts = r->number || node->u.rank.first > 1;
    r->start = (uint64_t)WR_MAX(node->u.rank.first, 1);
    r->end = (uint64_t)WR_MAX(node->u.rank.last, 0);
    r->before = node->u.rank.generate_update_before;
    r->one_row = r->strategy != WR_RANK_RETRACT && r->start == 1 && r->end == 1 && r->end_col < 0;
    WR_TRY(open_keys(ctx, r, node->u.rank.order, node->u.rank.order_count));
    WR_TRY(wri_keyspec_init(ctx, &r->op, r->rows, node->u.rank.partition,
                            node->u.rank.partition_count, &r->partition));
    if (r->strategy != WR_RANK_UPDATE_FAST) return WR_OK;
    return wri_keyspec_init(ctx, &r->op, r->rows, node->u.rank.upsert_key,
                            node->u.rank.upsert_key_count, &r->row_key);
}

static wr_status
rank_open(wr_ctx *ctx, wr_op *op)
{
    rank_op *r = (rank_op *)op;
    r->scratch = wr_arena_create(op->env->budget, 0);
    WR_TRY_ALLOC(ctx, r->scratch);
    WR_TRY(op->node->kind == WR_P_RANK ? open_rank(ctx, r) : open_limit(ctx, r));
    r->all_cols = wri_iota(op->env->arena, r->rows->schema.count);
    WR_TRY_ALLOC(ctx, r->all_cols);
    return open_tables(ctx, r);
}

/* ---- entries --------------------------------------------------------------------------------- */
static bytes
row_of(const rank_op *r, const wr_state_table *t, const uint8_t *rec)
{
    const wr_blob *b = &((const row_record *)(const void *)rec)->bytes;
    return (bytes){state_of(r)->blob_get(t, b), b->len};
}

static wr_status
put_entry(wr_ctx *ctx, rank_op *r, wr_state_table *t, bytes key, bytes row)
{
    uint8_t *rec;
    WR_TRY(state_of(r)->ord_put(ctx, t, r->slot, key.p, key.len, &rec, NULL));
    return state_of(r)->blob_set(ctx, t, &((row_record *)(void *)rec)->bytes, row.p, row.len);
}

/* Move an entry to another table. */
static wr_status
move_entry(wr_ctx *ctx, rank_op *r, wr_state_iter *it, wr_state_table *to)
{
    const bytes key = {it->key, it->key_len};
    WR_TRY(put_entry(ctx, r, to, key, row_of(r, it->table, it->rec)));
    state_of(r)->ord_remove(it->table, r->slot, key.p, key.len);
    return WR_OK;
}

static int
compare(bytes a, bytes b)
{
    const int c = memcmp(a.p, b.p, WR_MIN(a.len, b.len));
    return c ? c : (a.len > b.len) - (a.len < b.len);
}

/* ---- output ---------------------------------------------------------------------------------- */
static wr_status
show(wr_ctx *ctx, rank_op *r, wr_kind kind, bytes row, uint64_t rank)
{
    if (rank < r->start || rank > r->end) return WR_OK;
    if (kind == WR_UPDATE_BEFORE && !r->before) {
        if (r->number || !r->shifts) return WR_OK;
        kind = WR_DELETE; /* the row that takes its place has another key */
    }
    if (!r->number) return wri_builder_encoded(ctx, &r->out, kind, row.p, row.len);
    uint32_t at;
    WR_TRY(wri_builder_row(ctx, &r->out, kind, &at));
    wr_batch *out = r->out.out;
    const uint32_t width = out->col_count - 1;
    ((int64_t *)out->cols[width].data)[at] = (int64_t)rank;
    return wr_row_decode(ctx, row.p, row.len, out->cols, width, at, true, out->arena);
}

/* ---- rows that do not come in ---------------------------------------------------------------- */
static uint64_t
begins(bytes key)
{
    uint8_t first[8] = {0};
    memcpy(first, key.p, WR_MIN(key.len, 8u));
    return __builtin_bswap64(wr_load64(first));
}

static partition *
own_of(const rank_op *r, uint32_t slot)
{
    return (partition *)(void *)wr_state_rec(r->one, slot);
}

/* Without a look at the top, which costs a cache miss or two: most rows of a full partition. */
static bool
is_behind(const partition *own, bytes sort_key)
{
    return own->full && begins(sort_key) > own->worst;
}

static bool
knows_worst(const rank_op *r)
{
    return r->strategy == WR_RANK_APPEND_FAST && r->end_col < 0;
}

static void
learn_worst(rank_op *r)
{
    wr_state_iter it;
    if (!knows_worst(r) || state_of(r)->ord_count(r->top, r->slot) < r->end ||
        !state_of(r)->ord_seek_last(r->top, r->slot, NULL, 0, &it))
        return;
    partition *own = own_of(r, r->slot);
    own->worst = begins((bytes){it.key, it.key_len});
    own->full = 1;
}

static bytes
sort_key_at(const rank_op *r, uint32_t i)
{
    return (bytes){r->in_keys.data + r->in_keys.off[i], r->in_keys.off[i + 1] - r->in_keys.off[i]};
}

/* The rows that may come in, encoded. */
static wr_status
encode_rows(wr_ctx *ctx, rank_op *r)
{
    const uint32_t n = wr_batch_live(r->in);
    uint32_t *rows = wr_arena_alloc(r->scratch, sizeof *rows * (n + 1)), count = 0;
    r->row_at = wr_arena_alloc(r->scratch, sizeof *r->row_at * (n + 1));
    if (!rows || !r->row_at) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t slot = r->slots ? r->slots[i] : r->slot;
        const bool out = knows_worst(r) && is_behind(own_of(r, slot), sort_key_at(r, i));
        r->row_at[i] = out ? WRI_NO_ROW : count;
        if (!out) rows[count++] = wr_batch_row(r->in, i);
    }
    wr_batch some = *r->in;
    some.sel = rows;
    some.sel_count = count;
    if (!wr_row_encode(&some, r->all_cols, r->in->col_count, r->scratch, &r->in_rows))
        return WRI_NOMEM(ctx);
    return WR_OK;
}

/* ---- inserting ------------------------------------------------------------------------------- */
/* What is shown of ranks that have moved: at once, or in two passes. For who goes by keys and sees
 * no number, a row which is only elsewhere now must go before it comes. */
typedef enum pass { PASS_BEFORE = 1, PASS_AFTER = 2, PASS_BOTH = 3 } pass;

static wr_status
show_moved(wr_ctx *ctx, rank_op *r, pass what, bytes old, bytes now, uint64_t rank)
{
    if (what & PASS_BEFORE) WR_TRY(show(ctx, r, WR_UPDATE_BEFORE, old, rank));
    return what & PASS_AFTER ? show(ctx, r, WR_UPDATE_AFTER, now, rank) : WR_OK;
}

static wr_status
pass_down(wr_ctx *ctx, rank_op *r, pass what, wr_state_iter it, uint64_t rank)
{
    const wr_state_ops *ops = state_of(r);
    bytes now = row_of(r, r->top, it.rec);
    while (ops->ord_next(&it)) {
        const bytes old = row_of(r, r->top, it.rec);
        WR_TRY(show_moved(ctx, r, what, old, now, rank));
        now = old;
        rank++;
    }
    return what & PASS_AFTER ? show(ctx, r, WR_INSERT, now, rank) : WR_OK;
}

/* The entry at `key` has just come into the top: ranks from its own on have moved down by one. */
static wr_status
show_shift_down(wr_ctx *ctx, rank_op *r, bytes key)
{
    const wr_state_ops *ops = state_of(r);
    const uint64_t count = ops->ord_count(r->top, r->slot);
    wr_state_iter it;
    uint64_t behind = 0;
    for (bool ok = ops->ord_seek_last(r->top, r->slot, NULL, 0, &it);
         ok && compare((bytes){it.key, it.key_len}, key) != 0; ok = ops->ord_prev(&it))
        behind++;
    if (r->number || r->before) return pass_down(ctx, r, PASS_BOTH, it, count - behind);
    WR_TRY(pass_down(ctx, r, PASS_BEFORE, it, count - behind));
    return pass_down(ctx, r, PASS_AFTER, it, count - behind);
}

/* The top holds one too many: its last row leaves. */
static wr_status
push_out_last(wr_ctx *ctx, rank_op *r)
{
    const wr_state_ops *ops = state_of(r);
    wr_state_iter it;
    if (!ops->ord_seek_last(r->top, r->slot, NULL, 0, &it)) return WR_OK;
    const wr_kind kind = r->one_row ? WR_UPDATE_BEFORE : WR_DELETE;
    if (!r->shifts) WR_TRY(show(ctx, r, kind, row_of(r, r->top, it.rec), r->start));
    if (r->strategy == WR_RANK_RETRACT) return move_entry(ctx, r, &it, r->rest);
    ops->ord_remove(r->top, r->slot, it.key, it.key_len);
    return WR_OK;
}

/* Does a row with this full key belong into the top? */
static bool
in_range(rank_op *r, bytes key)
{
    wr_state_iter it;
    if (state_of(r)->ord_count(r->top, r->slot) < r->end) return true;
    if (!state_of(r)->ord_seek_last(r->top, r->slot, NULL, 0, &it)) return false;
    return compare(key, (bytes){it.key, it.key_len}) < 0;
}

static wr_status
insert(wr_ctx *ctx, rank_op *r, bytes key, bytes row)
{
    if (!in_range(r, key))
        return r->strategy == WR_RANK_RETRACT ? put_entry(ctx, r, r->rest, key, row) : WR_OK;
    WR_TRY(put_entry(ctx, r, r->top, key, row));
    const bool over = state_of(r)->ord_count(r->top, r->slot) > r->end;
    if (r->shifts) {
        WR_TRY(show_shift_down(ctx, r, key));
        return over ? push_out_last(ctx, r) : WR_OK;
    }
    if (over) WR_TRY(push_out_last(ctx, r));
    return show(ctx, r, over && r->one_row ? WR_UPDATE_AFTER : WR_INSERT, row, r->start);
}

/* ---- retracting ------------------------------------------------------------------------------ */
/* The first entry of `t` with this sort key (without arrival number) and these row bytes. */
static bool
find_row(rank_op *r, wr_state_table *t, bytes sort_key, bytes row, wr_state_iter *it)
{
    const wr_state_ops *ops = state_of(r);
    for (bool ok = ops->ord_seek(t, r->slot, sort_key.p, sort_key.len, it); ok;
         ok = ops->ord_next(it)) {
        if (it->key_len != sort_key.len + 8 || memcmp(it->key, sort_key.p, sort_key.len) != 0)
            return false;
        if (compare(row_of(r, t, it->rec), row) == 0) return true;
    }
    return false;
}

static bool
first_of_rest(rank_op *r, wr_state_iter *it)
{
    return state_of(r)->ord_seek(r->rest, r->slot, NULL, 0, it);
}

static wr_status
pass_up(wr_ctx *ctx, rank_op *r, pass what, wr_state_iter it, uint64_t rank)
{
    const wr_state_ops *ops = state_of(r);
    wr_state_iter next;
    bytes old = row_of(r, r->top, it.rec);
    while (ops->ord_next(&it)) {
        const bytes now = row_of(r, r->top, it.rec);
        WR_TRY(show_moved(ctx, r, what, old, now, rank));
        old = now;
        rank++;
    }
    if (first_of_rest(r, &next))
        return show_moved(ctx, r, what, old, row_of(r, r->rest, next.rec), rank);
    return what & PASS_BEFORE ? show(ctx, r, WR_DELETE, old, rank) : WR_OK;
}

/* Ranks from that of `it` on move up by one; the first of the rest follows the last of the top. */
static wr_status
show_shift_up(wr_ctx *ctx, rank_op *r, wr_state_iter it)
{
    const wr_state_ops *ops = state_of(r);
    uint64_t rank = ops->ord_count(r->top, r->slot);
    wr_state_iter at = it;
    while (ops->ord_next(&at)) rank--;
    if (r->number || r->before) return pass_up(ctx, r, PASS_BOTH, it, rank);
    WR_TRY(pass_up(ctx, r, PASS_BEFORE, it, rank));
    return pass_up(ctx, r, PASS_AFTER, it, rank);
}

static wr_status
retract(wr_ctx *ctx, rank_op *r, bytes sort_key, bytes row)
{
    wr_state_iter it, next;
    if (!find_row(r, r->top, sort_key, row, &it)) {
        if (find_row(r, r->rest, sort_key, row, &it))
            state_of(r)->ord_remove(r->rest, r->slot, it.key, it.key_len);
        return WR_OK; /* not shown, or unknown: its state is gone */
    }
    if (r->shifts)
        WR_TRY(show_shift_up(ctx, r, it));
    else
        WR_TRY(show(ctx, r, WR_DELETE, row, r->start));
    state_of(r)->ord_remove(r->top, r->slot, it.key, it.key_len);
    if (!first_of_rest(r, &next)) return WR_OK;
    if (!r->shifts) WR_TRY(show(ctx, r, WR_INSERT, row_of(r, r->rest, next.rec), r->start));
    return move_entry(ctx, r, &next, r->top);
}

/* ---- updating -------------------------------------------------------------------------------- */
static uint64_t
rank_of(rank_op *r, bytes key)
{
    const wr_state_ops *ops = state_of(r);
    wr_state_iter it;
    uint64_t behind = 0;
    for (bool ok = ops->ord_seek_last(r->top, r->slot, NULL, 0, &it);
         ok && compare((bytes){it.key, it.key_len}, key) != 0; ok = ops->ord_prev(&it))
        behind++;
    return ops->ord_count(r->top, r->slot) - behind;
}

/* The rows of ranks from..to, as they are now. */
static wr_status
show_range(wr_ctx *ctx, rank_op *r, wr_kind kind, uint64_t from, uint64_t to)
{
    const wr_state_ops *ops = state_of(r);
    wr_state_iter it;
    uint64_t rank = 1;
    for (bool ok = ops->ord_seek(r->top, r->slot, NULL, 0, &it); ok && rank <= to;
         ok = ops->ord_next(&it), rank++)
        if (rank >= from) WR_TRY(show(ctx, r, kind, row_of(r, r->top, it.rec), rank));
    return WR_OK;
}

/* How many rows of the top come before `key` (not in it), plus one. */
static uint64_t
rank_to_be(rank_op *r, bytes key)
{
    const wr_state_ops *ops = state_of(r);
    wr_state_iter it;
    uint64_t behind = 0;
    for (bool ok = ops->ord_seek(r->top, r->slot, key.p, key.len, &it); ok; ok = ops->ord_next(&it))
        behind++;
    return ops->ord_count(r->top, r->slot) - behind + 1;
}

/* A row of the top gets a new version; `old_key` is its place, `key` the new one. */
static wr_status
update(wr_ctx *ctx, rank_op *r, bytes old_key, bytes key, bytes row, uint8_t *place)
{
    const wr_state_ops *ops = state_of(r);
    uint8_t *rec = ops->ord_get(r->top, r->slot, old_key.p, old_key.len);
    WR_ASSERT(rec != NULL);
    const bool stays = old_key.len == key.len && memcmp(old_key.p, key.p, key.len - 8) == 0;
    if (!r->shifts || stays) {
        const uint64_t rank = r->shifts ? rank_of(r, old_key) : r->start;
        WR_TRY(show(ctx, r, WR_UPDATE_BEFORE, row_of(r, r->top, rec), rank));
        WR_TRY(show(ctx, r, WR_UPDATE_AFTER, row, rank));
        if (stays) {
            ops->rec_touch(r->top, rec);
            return ops->blob_set(ctx, r->top, &((row_record *)(void *)rec)->bytes, row.p, row.len);
        }
    }
    uint64_t from = 0, to = 0;
    if (r->shifts) {
        const uint64_t was = rank_of(r, old_key), becomes = rank_to_be(r, key);
        from = WR_MIN(was, becomes);
        to = WR_MAX(was, becomes > was ? becomes - 1 : becomes);
        WR_TRY(show_range(ctx, r, WR_UPDATE_BEFORE, from, to));
    }
    ops->ord_remove(r->top, r->slot, old_key.p, old_key.len);
    WR_TRY(put_entry(ctx, r, r->top, key, row));
    ops->rec_touch(r->places, place);
    WR_TRY(ops->blob_set(ctx, r->places, &((row_record *)(void *)place)->bytes, key.p, key.len));
    return r->shifts ? show_range(ctx, r, WR_UPDATE_AFTER, from, to) : WR_OK;
}

/* The place of the row that leaves the top is forgotten: its key columns are found in the row. */
static wr_status
forget_last(wr_ctx *ctx, rank_op *r)
{
    const wr_state_ops *ops = state_of(r);
    wr_state_iter it;
    if (!ops->ord_seek_last(r->top, r->slot, NULL, 0, &it)) return WR_OK;
    const bytes row = row_of(r, r->top, it.rec);
    wr_batch *b = wr_batch_acquire(r->op.env->pool, r->rows->schema.count);
    WR_TRY_ALLOC(ctx, b);
    wr_keys k = {0};
    wr_status status = WR_OK;
    if (!wr_batch_init_flat(b, &r->rows->schema, 1)) status = WRI_NOMEM(ctx);
    if (status == WR_OK)
        status = wr_row_decode(ctx, row.p, row.len, b->cols, b->col_count, 0, false, b->arena);
    b->row_count = 1;
    if (status == WR_OK) status = wri_keys_make(ctx, &r->row_key, b, b->arena, &k);
    if (status == WR_OK) {
        uint32_t len;
        const uint8_t *key = wri_key_at(&k, 0, &len);
        ops->map_remove(r->places, r->slot, key, len, k.hash[0]);
    }
    wr_batch_release(b);
    return status;
}

static wr_status
upsert(wr_ctx *ctx, rank_op *r, uint32_t i, bytes key, bytes row)
{
    const wr_state_ops *ops = state_of(r);
    const wr_keys one = wri_keys_one(&r->in_row_keys, i);
    uint8_t *place;
    WR_TRY(ops->map_resolve(ctx, r->places, &r->slot, &one, WR_STATE_READ, &place, NULL));
    if (place) {
        const bytes at = row_of(r, r->places, place);
        uint8_t *copy = wr_arena_alloc(r->scratch, at.len + 1);
        WR_TRY_ALLOC(ctx, copy);
        memcpy(copy, at.p, at.len);
        return update(ctx, r, (bytes){copy, at.len}, key, row, place);
    }
    if (!in_range(r, key)) return WR_OK;
    if (ops->ord_count(r->top, r->slot) >= r->end) WR_TRY(forget_last(ctx, r));
    WR_TRY(ops->map_resolve(ctx, r->places, &r->slot, &one, WR_STATE_UPSERT, &place, NULL));
    WR_TRY(ops->blob_set(ctx, r->places, &((row_record *)(void *)place)->bytes, key.p, key.len));
    return insert(ctx, r, key, row);
}

/* ---- input ----------------------------------------------------------------------------------- */
static wr_status
take_row(wr_ctx *ctx, rank_op *r, uint32_t i)
{
    const wr_kind kind = wr_batch_kind(r->in, wr_batch_row(r->in, i));
    const bytes sort_key = sort_key_at(r, i);
    const uint32_t at = r->row_at[i];
    if (at == WRI_NO_ROW) return WR_OK;
    const bytes row = {r->in_rows.data + r->in_rows.off[at],
                       r->in_rows.off[at + 1] - r->in_rows.off[at]};
    if (kind == WR_UPDATE_BEFORE || kind == WR_DELETE)
        return r->strategy == WR_RANK_RETRACT ? retract(ctx, r, sort_key, row) : WR_OK;
    partition *own = own_of(r, r->slot);
    uint8_t *full = wr_arena_alloc(r->scratch, sort_key.len + 8);
    WR_TRY_ALLOC(ctx, full);
    if (sort_key.len) memcpy(full, sort_key.p, sort_key.len);
    wr_store64(full + sort_key.len, __builtin_bswap64(own->arrivals++));
    const bytes key = {full, sort_key.len + 8};
    if (r->strategy == WR_RANK_UPDATE_FAST) return upsert(ctx, r, i, key, row);
    if (knows_worst(r) && is_behind(own, sort_key)) return WR_OK;
    WR_TRY(insert(ctx, r, key, row));
    learn_worst(r);
    return WR_OK;
}

static wr_status
find_end(wr_ctx *ctx, rank_op *r, uint32_t i)
{
    partition *own = own_of(r, r->slot);
    if (!own->has_end) {
        wr_value v;
        if (!wr_vec_get(&r->in->cols[r->end_col], wr_batch_row(r->in, i), r->scratch, &v))
            return WRI_NOMEM(ctx);
        own->end = v.is_null || v.u.i < 0 ? 0 : (uint64_t)v.u.i;
        own->has_end = 1;
    }
    r->end = own->end;
    return WR_OK;
}

/* Partitions without a row go, once each. */
static wr_status
drop_empty(wr_ctx *ctx, rank_op *r, uint32_t n)
{
    const wr_state_ops *ops = state_of(r);
    uint32_t *list = wr_arena_alloc(r->scratch, sizeof *list * (n + 1)), count = 0;
    WR_TRY_ALLOC(ctx, list);
    r->serial++;
    for (uint32_t i = 0; i < n; i++) {
        partition *own = own_of(r, r->slots[i]);
        if (own->listed == r->serial || ops->ord_count(r->top, r->slots[i]) ||
            ops->ord_count(r->rest, r->slots[i]))
            continue;
        own->listed = r->serial;
        list[count++] = r->slots[i];
    }
    for (uint32_t i = 0; i < count; i++) ops->remove(r->one, list[i]);
    return WR_OK;
}

static wr_status
take_rows(wr_ctx *ctx, rank_op *r)
{
    const uint32_t n = wr_batch_live(r->in);
    while (r->in_at < n) {
        if (wri_builder_full(&r->out)) {
            r->op.pending = true;
            return WR_OK;
        }
        if (r->slots) r->slot = r->slots[r->in_at];
        if (r->end_col >= 0) WR_TRY(find_end(ctx, r, r->in_at));
        WR_TRY(take_row(ctx, r, r->in_at++));
    }
    if (r->slots && r->strategy == WR_RANK_RETRACT && r->end_col < 0) WR_TRY(drop_empty(ctx, r, n));
    wr_batch_release(r->in);
    r->in = NULL;
    return wri_builder_flush(ctx, &r->out);
}

static wr_status
find_slots(wr_ctx *ctx, rank_op *r)
{
    wr_keys keys;
    r->slots = NULL;
    if (r->partition.count == 0) /* all rows come to subtask 0 */
        return wri_single_slot(ctx, r->one, &r->slot, NULL);
    WR_TRY(wri_keys_make(ctx, &r->partition, r->in, r->scratch, &keys));
    r->slots = wr_arena_alloc(r->scratch, sizeof *r->slots * (keys.n + 1));
    WR_TRY_ALLOC(ctx, r->slots);
    return state_of(r)->resolve(ctx, r->one, &keys, WR_STATE_UPSERT, r->slots, NULL);
}

static wr_status
rank_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input;
    rank_op *r = (rank_op *)op;
    r->in = take_batch;
    r->in_at = 0;
    wr_arena_reset(r->scratch);
    wri_builder_begin(&r->out, op, emit, 2 * wr_batch_live(r->in));
    WR_TRY(find_slots(ctx, r));
    if (!wr_sortkey_encode(r->in, r->keys, r->key_count, r->scratch, &r->in_keys))
        return WRI_NOMEM(ctx);
    WR_TRY(encode_rows(ctx, r));
    if (r->strategy == WR_RANK_UPDATE_FAST)
        WR_TRY(wri_keys_make(ctx, &r->row_key, r->in, r->scratch, &r->in_row_keys));
    return take_rows(ctx, r);
}

static wr_status
rank_resume(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    rank_op *r = (rank_op *)op;
    r->out.emit = emit;
    return take_rows(ctx, r);
}

static void
rank_close(wr_op *op)
{
    rank_op *r = (rank_op *)op;
    wri_builder_drop(&r->out);
    wr_batch_release(r->in);
    r->in = NULL;
    wr_arena_destroy(r->scratch);
}

const wr_op_ops wri_rank_ops = {
    .abi = WR_ABI,
    .name = "SortLimit",
    .size_bytes = sizeof(rank_op),
    .open = rank_open,
    .on_batch = rank_batch,
    .on_resume = rank_resume,
    .on_watermark = wr_op_pass_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = wr_op_no_end,
    .close = rank_close,
    .snapshot = wr_op_no_snapshot,
    .restore = wr_op_no_restore,
    .committed = wr_op_no_committed,
};

/* ---- SORT_LIMIT: becomes one or the other when it is opened ---------------------------------- */
static wr_status
sort_limit_open(wr_ctx *ctx, wr_op *op)
{
    op->ops = op->env->eval->batch ? &wri_sort_ops : &wri_rank_ops;
    return op->ops->open(ctx, op);
}

const wr_op_ops wri_sort_limit_ops = {
    .abi = WR_ABI,
    .name = "SortLimit",
    .size_bytes = WRI_SORT_LIMIT_BYTES,
    .open = sort_limit_open,
    .on_batch = rank_batch,
    .on_resume = rank_resume,
    .on_watermark = wr_op_pass_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = wr_op_no_end,
    .close = wr_op_close_nothing,
    .snapshot = wr_op_no_snapshot,
    .restore = wr_op_no_restore,
    .committed = wr_op_no_committed,
};
