/* SPDX-License-Identifier: Apache-2.0 */
/* LOOKUP_JOIN: rows of a table, by key. The connector is asked (lookup_key.c), or the table is read
 * whole and kept (lookup.cache = FULL): when the first row asks, through its connector's own
 * reader, and anew with the first row behind each time of lookup_reload.c. Left rows keep their
 * order and their kinds. The pairs of as many left rows as make a batch are collected, the rest of
 * the condition is tested on all of them, the rows come out. No state: what a row finds depends on
 * when it comes. */
#include "op/hash_join_int.h"
#include "op/lookup_int.h"
#include "os/os.h"

#define READ_ROWS WR_BATCH_ROWS

typedef struct match { /* a left row and a row of the table (WRI_NO_ROW: padded) */
    uint32_t row, found;
} match;

typedef struct lookup_op {
    wr_op op;
    const wr_lookup_spec *spec;
    const wr_pnode *scan;
    wri_build build;
    wri_asker asker;  /* by key */
    wri_store *store; /* where the rows are */
    bool asking;
    wri_keyspec key;
    wr_program *cond;                   /* of the join */
    wr_program *table_cond, *table_map; /* of a calc above the scan */
    bool outer;
    wri_reload reload;
    wr_arena *scratch, *range;
    wr_batch *in;
    uint32_t n, at;
    wr_keys keys;
    bool *no_key;
    match *pairs, *out;
    uint32_t pair_count, pair_cap, out_count, out_at;
} lookup_op;

static wr_status
lookup_open(wr_ctx *ctx, wr_op *op)
{
    lookup_op *j = (lookup_op *)op;
    const wr_pnode *node = op->node;
    j->spec = node->u.join.lookup;
    const wr_pnode *right = j->spec->right;
    const bool calc = right->kind == WR_P_CALC;
    j->scan = calc ? right->inputs[0] : right;
    j->outer = node->u.join.type == WR_JOIN_LEFT;
    j->scratch = wr_arena_create(op->env->budget, 0);
    j->range = wr_arena_create(op->env->budget, 0);
    WR_TRY_ALLOC(ctx, j->scratch);
    WR_TRY_ALLOC(ctx, j->range);
    WR_TRY(wri_op_compile_cond(ctx, op, node->u.join.cond, &j->cond));
    if (calc) {
        WR_TRY(wri_op_compile_cond(ctx, op, right->u.calc.cond, &j->table_cond));
        WR_TRY(wri_op_compile(ctx, op, right->u.calc.exprs, right->schema.count, &j->table_map));
    }
    j->store = &j->build.store;
    WR_TRY(wri_keyspec_init(ctx, op, node->inputs[0], node->u.join.left_keys,
                            node->u.join.key_count, &j->key));
    if (!j->spec->by_key) {
        wri_reload_open(&j->reload, &j->spec->reload, op->env->eval->tz, *op->env->now_ms);
        return WR_OK;
    }
    j->store = &j->asker.store;
    return wri_asker_open(ctx, &j->asker, op, j->spec, j->table_cond, j->table_map);
}

/* ---- reading the table ----------------------------------------------------------------------- */
static bool
never_quiet(void *arg)
{
    (void)arg;
    return false;
}

static void
no_wake(void *arg)
{
    (void)arg;
}

static wr_status
keep_calculated(wr_ctx *ctx, lookup_op *j, wr_batch *in)
{
    wr_batch *b = wr_batch_acquire(j->op.env->pool, j->spec->right->schema.count);
    WR_TRY_ALLOC(ctx, b);
    uint32_t n = wr_batch_live(in);
    wr_status status = WR_OK;
    b->row_count = in->row_count;
    b->sel = in->sel;
    b->sel_count = in->sel_count;
    if (j->table_cond) {
        uint32_t *sel = wr_arena_alloc(b->arena, sizeof *sel * (n + 1));
        status = sel ? wr_program_filter(ctx, j->table_cond, in, in->sel, n, b->arena, sel, &n)
                     : WRI_NOMEM(ctx);
        b->sel = sel;
        b->sel_count = n;
    }
    if (status == WR_OK && n)
        status = wr_program_run(ctx, j->table_map, in, b->sel, n, b->arena, b->cols);
    if (status == WR_OK && n) status = wri_store_append(ctx, &j->build.store, b);
    wr_batch_release(b);
    return status;
}

static wr_status
keep_batch(wr_ctx *ctx, lookup_op *j, wr_batch *b)
{
    if (wr_batch_live(b) == 0) return WR_OK;
    if (j->table_map) return keep_calculated(ctx, j, b);
    return wri_store_append(ctx, &j->build.store, b);
}

static wr_status
read_rows(wr_ctx *ctx, lookup_op *j, wr_reader *r)
{
    const wr_source_ops *ops = j->scan->u.scan.source;
    for (;;) {
        wr_batch *b = wr_batch_acquire(j->op.env->pool, j->scan->schema.count);
        wr_poll poll = {.fd = -1};
        WR_TRY_ALLOC(ctx, b);
        wr_status status = ops->poll(ctx, r, b, READ_ROWS, &poll);
        if (status == WR_OK) status = keep_batch(ctx, j, b);
        wr_batch_release(b);
        WR_TRY(status);
        if (poll.kind == WR_POLL_END) return WR_OK;
        if (poll.kind == WR_POLL_PENDING)
            return wr_raise(ctx, WR_UNSUPPORTED,
                            "table '%.*s' cannot be looked up: it is not read at once",
                            WR_STR_ARG(j->scan->u.scan.spec.table->id.name));
    }
}

static wr_status
read_table(wr_ctx *ctx, lookup_op *j, wr_arena *arena)
{
    const wr_op_env *env = j->op.env;
    const wr_source_ops *ops = j->scan->u.scan.source;
    const wr_source_spec *spec = &j->scan->u.scan.spec;
    const wr_source_env source = {.arena = arena,
                                  .budget = env->budget,
                                  .eval = env->eval,
                                  .config = env->config,
                                  .parallelism = 1,
                                  .job = env->job,
                                  .quiet = never_quiet,
                                  .wake = no_wake};
    wr_str *splits = NULL;
    uint32_t count = 0;
    int64_t recheck = 0;
    wr_reader *r = NULL;
    WR_TRY(ops->discover(ctx, spec, 1, arena, &splits, &count, &recheck));
    wr_status status = ops->open(ctx, spec, &source, &r);
    for (uint32_t i = 0; i < count && status == WR_OK; i++)
        status = ops->add_split(ctx, r, splits[i], WR_STR(""));
    if (status == WR_OK) status = ops->no_more_splits(ctx, r);
    if (status == WR_OK) status = read_rows(ctx, j, r);
    if (r) ops->close(r);
    return status;
}

static wr_status
load(wr_ctx *ctx, lookup_op *j)
{
    const wr_pnode *node = j->op.node;
    const int64_t now = *j->op.env->now_ms, began_ns = wr_os_now_ns();
    if (!wri_reload_due(&j->reload, now)) return WR_OK;
    wri_build_close(&j->build);
    memset(&j->build, 0, sizeof j->build);
    wri_store_init(&j->build.store, &j->op, &j->spec->right->schema);
    j->build.null_equal = node->u.join.null_equal;
    WR_TRY(wri_keyspec_init(ctx, &j->op, j->spec->right, node->u.join.right_keys,
                            node->u.join.key_count, &j->build.key));
    wr_arena *arena = wr_arena_create(j->op.env->budget, 0);
    WR_TRY_ALLOC(ctx, arena);
    wr_status status = read_table(ctx, j, arena);
    if (status == WR_OK) status = wri_build_finish(ctx, &j->build, false);
    wr_arena_destroy(arena);
    WR_TRY(status);
    const int64_t took = wr_os_processing_moves() ? 0 : (wr_os_now_ns() - began_ns) / 1000000;
    wri_reload_done(&j->reload, now, now + took);
    return WR_OK;
}

/* ---- looking up ------------------------------------------------------------------------------ */
static wr_status
start(wr_ctx *ctx, lookup_op *j, wr_batch *take_batch)
{
    j->in = take_batch;
    j->n = wr_batch_live(take_batch);
    j->at = j->out_at = j->out_count = 0;
    wr_arena_reset(j->scratch);
    if (!j->spec->by_key) WR_TRY(load(ctx, j));
    j->no_key = WR_NEW_N(j->scratch, bool, j->n + 1);
    WR_TRY_ALLOC(ctx, j->no_key);
    WR_TRY(wri_keys_hash(ctx, &j->key, j->in, j->scratch, &j->keys));
    for (uint32_t k = 0; k < j->key.count; k++) {
        const wr_vec *v = &j->in->cols[j->key.cols[k]];
        if (j->build.null_equal && j->build.null_equal[k]) continue;
        for (uint32_t i = 0; i < j->n; i++)
            j->no_key[i] |= wr_vec_is_null(v, wr_batch_row(j->in, i));
    }
    j->asking = j->spec->by_key;
    if (j->asking) return wri_asker_begin(ctx, &j->asker, j->in, j->no_key, j->scratch);
    return WR_OK;
}

static bool
has_key(const lookup_op *j, uint32_t i, uint32_t found)
{
    const uint32_t *cols = j->op.node->u.join.right_keys;
    for (uint32_t k = 0; k < j->key.count; k++) {
        uint32_t at;
        const wr_vec *v = wri_store_vec(j->store, found, cols[k], &at);
        if (!wr_vec_entry_eq(&j->in->cols[j->key.cols[k]], wr_batch_row(j->in, i), v, at))
            return false;
    }
    return true;
}

static bool
is_match(const lookup_op *j, uint32_t i, uint32_t found)
{
    if (j->build.tags[found] != (uint32_t)(j->keys.hash[i] >> 32)) return false;
    if (j->build.fixed && j->keys.fixed) return j->build.fixed[found] == j->keys.fixed[i];
    return has_key(j, i, found);
}

static wr_status
add_pair(wr_ctx *ctx, lookup_op *j, uint32_t row, uint32_t found)
{
    if (j->pair_count == j->pair_cap) {
        const uint32_t cap = j->pair_cap ? j->pair_cap * 2 : 1024;
        match *more = wr_arena_alloc(j->range, sizeof *more * cap);
        WR_TRY_ALLOC(ctx, more);
        if (j->pair_count) memcpy(more, j->pairs, sizeof *more * j->pair_count);
        j->pairs = more;
        j->pair_cap = cap;
    }
    j->pairs[j->pair_count++] = (match){row, found};
    return WR_OK;
}

static wr_status
columns(wr_ctx *ctx, lookup_op *j, const match *m, uint32_t n, wr_batch *b)
{
    const wr_schema *left = &j->op.node->inputs[0]->schema;
    uint32_t *rows = wr_arena_alloc(b->arena, sizeof *rows * (n + 1));
    uint32_t *found = wr_arena_alloc(b->arena, sizeof *found * (n + 1));
    if (!rows || !found) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++) {
        rows[i] = wr_batch_row(j->in, m[i].row);
        found[i] = m[i].found;
    }
    for (uint32_t c = 0; c < left->count; c++)
        if (!wr_vec_gather(&b->cols[c], &j->in->cols[c], rows, n, b->arena)) return WRI_NOMEM(ctx);
    WR_TRY(wri_store_gather(ctx, j->store, found, n, b->cols + left->count, b->arena));
    b->row_count = n;
    if (!wr_batch_keep(b, j->in)) return WRI_NOMEM(ctx);
    return !j->store->holder || wr_batch_keep(b, j->store->holder) ? WR_OK : WRI_NOMEM(ctx);
}

/* Pairs that fail the rest of the condition are marked by their row, n. */
static wr_status
test_some(wr_ctx *ctx, lookup_op *j, match *m, uint32_t n, wr_batch *b)
{
    WR_TRY(columns(ctx, j, m, n, b));
    uint32_t *sel = wr_arena_alloc(b->arena, sizeof *sel * (n + 1)), count;
    WR_TRY_ALLOC(ctx, sel);
    WR_TRY(wr_program_filter(ctx, j->cond, b, NULL, n, b->arena, sel, &count));
    for (uint32_t i = 0, k = 0; i < n; i++) {
        if (k < count && sel[k] == i)
            k++;
        else
            m[i].found = WRI_NO_ROW;
    }
    return WR_OK;
}

static wr_status
test_pairs(wr_ctx *ctx, lookup_op *j)
{
    for (uint32_t at = 0; j->cond && at < j->pair_count; at += WR_BATCH_ROWS) {
        wr_batch *b = wr_batch_acquire(j->op.env->pool, j->op.node->schema.count);
        WR_TRY_ALLOC(ctx, b);
        const wr_status status =
            test_some(ctx, j, j->pairs + at, WR_MIN(j->pair_count - at, WR_BATCH_ROWS), b);
        wr_batch_release(b);
        WR_TRY(status);
    }
    return WR_OK;
}

/* The rows of the table that a left row finds. */
static wr_status
find_pairs(wr_ctx *ctx, lookup_op *j, uint32_t i)
{
    if (j->spec->by_key) {
        const wri_found *f = &j->asker.found[j->asker.of_row[i]];
        for (uint32_t k = 0; k < f->count; k++)
            if (has_key(j, i, f->first + k)) WR_TRY(add_pair(ctx, j, i, f->first + k));
        return WR_OK;
    }
    for (uint32_t k = 0; j->key.count == 0 && k < j->store->rows; k++)
        WR_TRY(add_pair(ctx, j, i, k));
    if (j->key.count == 0) return WR_OK;
    uint32_t chain = j->build.heads[(uint32_t)j->keys.hash[i] & j->build.mask];
    for (; chain; chain = j->build.next[chain - 1])
        if (is_match(j, i, chain - 1)) WR_TRY(add_pair(ctx, j, i, chain - 1));
    return WR_OK;
}

/* The next rows: their pairs, then what comes out. */
static wr_status
look_up(wr_ctx *ctx, lookup_op *j)
{
    const uint32_t from = j->at;
    wr_arena_reset(j->range);
    j->pair_count = j->pair_cap = j->out_count = j->out_at = 0;
    for (; j->at < j->n && j->pair_count < WR_BATCH_ROWS; j->at++) {
        if (j->no_key[j->at] || j->store->rows == 0) continue;
        WR_TRY(find_pairs(ctx, j, j->at));
    }
    WR_TRY(test_pairs(ctx, j));
    j->out = wr_arena_alloc(j->range, sizeof *j->out * ((size_t)j->pair_count + j->at - from + 1));
    WR_TRY_ALLOC(ctx, j->out);
    for (uint32_t i = from, k = 0; i < j->at; i++) {
        bool any = false;
        for (; k < j->pair_count && j->pairs[k].row == i; k++) {
            if (j->pairs[k].found == WRI_NO_ROW) continue;
            j->out[j->out_count++] = j->pairs[k];
            any = true;
        }
        if (!any && j->outer) j->out[j->out_count++] = (match){i, WRI_NO_ROW};
    }
    return WR_OK;
}

static wr_status
fill(wr_ctx *ctx, lookup_op *j, const match *m, uint32_t n, wr_batch *out)
{
    uint8_t *kinds = wr_batch_kinds(out, n);
    WR_TRY_ALLOC(ctx, kinds);
    for (uint32_t i = 0; i < n; i++)
        kinds[i] = (uint8_t)wr_batch_kind(j->in, wr_batch_row(j->in, m[i].row));
    return columns(ctx, j, m, n, out);
}

static wr_status
lookup_resume(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    lookup_op *j = (lookup_op *)op;
    if (j->asking) {
        bool done;
        WR_TRY(wri_asker_step(ctx, &j->asker, &done, &op->again_ms));
        op->pending = !done;
        if (!done) return WR_OK;
        op->again_ms = 0;
        j->asking = false;
    }
    for (;;) {
        while (j->out_at < j->out_count) {
            if (wr_emit_full(emit)) {
                op->pending = true;
                return WR_OK;
            }
            const uint32_t n = WR_MIN(j->out_count - j->out_at, WR_BATCH_ROWS);
            wr_batch *out = wr_batch_acquire(op->env->pool, op->node->schema.count);
            WR_TRY_ALLOC(ctx, out);
            const wr_status status = fill(ctx, j, j->out + j->out_at, n, out);
            if (status != WR_OK) {
                wr_batch_release(out);
                return status;
            }
            j->out_at += n;
            WR_TRY(wr_emit(ctx, emit, out));
        }
        if (j->at == j->n) break;
        WR_TRY(look_up(ctx, j));
    }
    wr_batch_release(j->in);
    j->in = NULL;
    return WR_OK;
}

static wr_status
lookup_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input;
    WR_TRY(start(ctx, (lookup_op *)op, take_batch));
    return lookup_resume(ctx, op, emit);
}

static void
lookup_close(wr_op *op)
{
    lookup_op *j = (lookup_op *)op;
    wr_program_close(j->cond);
    wr_program_close(j->table_cond);
    wr_program_close(j->table_map);
    wr_batch_release(j->in);
    j->in = NULL;
    wri_build_close(&j->build);
    wri_asker_close(&j->asker);
    wr_arena_destroy(j->scratch);
    wr_arena_destroy(j->range);
}

const wr_op_ops wri_lookup_join_ops = {
    .abi = WR_ABI,
    .name = "LookupJoin",
    .size_bytes = sizeof(lookup_op),
    .open = lookup_open,
    .on_batch = lookup_batch,
    .on_resume = lookup_resume,
    .on_watermark = wr_op_pass_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = wr_op_no_end,
    .close = lookup_close,
    .snapshot = wr_op_no_snapshot,
    .restore = wr_op_no_restore,
    .committed = wr_op_no_committed,
};
