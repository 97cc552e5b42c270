/* SPDX-License-Identifier: Apache-2.0 */
/* The matches of a partition as bytes, little endian:
 *
 *   4  version (1)            4  rows        4  nodes       4  partial matches   4  complete ones
 *   8  time of the last row   4  its number among the rows of that time          4  zero
 *   per row:      8 time, 4 number, 4 length of its kept columns; the lengths are followed by the
 *                 rows in the row encoding of vec/, back to back
 *   per node:     4 row, 4 node before it + 1 (0: none), 4 element
 *   per match:    4 state, 4 node + 1 (0: nothing matched yet), 4 number and 8 time of the first
 * row
 *
 * Partial matches first, in the order of the queue's array. What no match leads to any more is left
 * out; a partition in which nothing has begun has no bytes. */
#include "op/match_int.h"

#include <stdlib.h>

#define VERSION     1u
#define HEAD_BYTES  36u
#define ROW_BYTES   16u
#define NODE_BYTES  12u
#define MATCH_BYTES 20u

typedef struct head {
    uint32_t rows, nodes, partial, done, last_id;
    int64_t last_time;
    uint64_t tail; /* where the encoded rows begin */
} head;

static wr_status
corrupt(wr_ctx *ctx)
{
    return wr_raise(ctx, WR_CORRUPT, "the state of a MATCH_RECOGNIZE partition is damaged");
}

/* ---- loading --------------------------------------------------------------------------------- */
static wr_status
read_head(wr_ctx *ctx, const uint8_t *p, uint32_t len, head *h)
{
    if (len < HEAD_BYTES || wr_load32(p) != VERSION) return corrupt(ctx);
    *h = (head){.rows = wr_load32(p + 4),
                .nodes = wr_load32(p + 8),
                .partial = wr_load32(p + 12),
                .done = wr_load32(p + 16),
                .last_time = (int64_t)wr_load64(p + 20),
                .last_id = wr_load32(p + 28)};
    h->tail = HEAD_BYTES + (uint64_t)h->rows * ROW_BYTES + (uint64_t)h->nodes * NODE_BYTES +
              ((uint64_t)h->partial + h->done) * MATCH_BYTES;
    return h->tail <= len ? WR_OK : corrupt(ctx);
}

static wr_status
load_rows(wr_ctx *ctx, wri_match_op *m, const head *h, const uint8_t *p, uint32_t len,
          uint32_t first)
{
    wri_match_run *run = &m->run;
    uint64_t at = h->tail;
    for (uint32_t i = 0; i < h->rows; i++) {
        const uint8_t *r = p + HEAD_BYTES + (size_t)i * ROW_BYTES;
        const uint32_t bytes = wr_load32(r + 12);
        if (bytes > len - at) return corrupt(ctx);
        run->row_time[first + i] = (int64_t)wr_load64(r);
        run->row_id[first + i] = wr_load32(r + 8);
        WR_TRY(wr_row_decode(ctx, p + at, bytes, run->rows->cols, run->rows->col_count, first + i,
                             true, run->rows->arena));
        at += bytes;
    }
    return at == len ? WR_OK : corrupt(ctx);
}

static wr_status
load_nodes(wr_ctx *ctx, wri_match_op *m, const head *h, const uint8_t *p, uint32_t first_row)
{
    wri_match_run *run = &m->run;
    const uint32_t first = run->node_count;
    p += HEAD_BYTES + (size_t)h->rows * ROW_BYTES;
    for (uint32_t i = 0; i < h->nodes; i++, p += NODE_BYTES) {
        const uint32_t row = wr_load32(p), prev = wr_load32(p + 4), elem = wr_load32(p + 8);
        if (row >= h->rows || prev > i || elem >= m->spec->elem_count) return corrupt(ctx);
        run->nodes[run->node_count++] =
            (wri_match_node){first_row + row, prev ? first + prev - 1 : WRI_MATCH_NONE, elem};
    }
    return WR_OK;
}

static wr_status
load_matches(wr_ctx *ctx, wri_match_op *m, wri_match_key *k, const head *h, const uint8_t *p,
             uint32_t first_node)
{
    p += HEAD_BYTES + (size_t)h->rows * ROW_BYTES + (size_t)h->nodes * NODE_BYTES;
    for (uint32_t i = 0; i < h->partial + h->done; i++, p += MATCH_BYTES) {
        const uint32_t node = wr_load32(p + 4);
        const wri_match_partial x = {.state = wr_load32(p),
                                     .node = node ? first_node + node - 1 : WRI_MATCH_NONE,
                                     .start_id = wr_load32(p + 8),
                                     .start_time = (int64_t)wr_load64(p + 12)};
        if (x.state >= m->nfa.count || node > h->nodes) return corrupt(ctx);
        if (!wri_match_add(m->run.arena, i < h->partial ? &k->partial : &k->done, &x))
            return WRI_NOMEM(ctx);
    }
    return WR_OK;
}

static wr_status
begin(wr_ctx *ctx, wri_match_op *m, wri_match_key *k)
{
    const wri_match_partial start = {.state = m->nfa.start, .node = WRI_MATCH_NONE};
    k->last_time = INT64_MIN;
    return wri_match_add(m->run.arena, &k->partial, &start) ? WR_OK : WRI_NOMEM(ctx);
}

static wr_status
load_key(wr_ctx *ctx, wri_match_op *m, wri_match_key *k, uint32_t *row)
{
    const wr_blob *blob = &wri_match_record_of(m, k->slot)->matches;
    const uint32_t first_node = m->run.node_count;
    head h;
    if (blob->len == 0) return begin(ctx, m, k);
    const uint8_t *p = m->table->ops->blob_get(m->table, blob);
    WR_TRY(read_head(ctx, p, blob->len, &h));
    k->last_time = h.last_time;
    k->last_id = h.last_id;
    WR_TRY(load_rows(ctx, m, &h, p, blob->len, *row));
    WR_TRY(load_nodes(ctx, m, &h, p, *row));
    WR_TRY(load_matches(ctx, m, k, &h, p, first_node));
    *row += h.rows;
    return WR_OK;
}

static wr_status
count_loads(wr_ctx *ctx, wri_match_op *m, uint64_t *rows, uint64_t *nodes)
{
    for (uint32_t i = 0; i < m->run.key_count; i++) {
        const wr_blob *blob = &wri_match_record_of(m, m->run.keys[i].slot)->matches;
        head h;
        if (blob->len == 0) continue;
        WR_TRY(read_head(ctx, m->table->ops->blob_get(m->table, blob), blob->len, &h));
        *rows += h.rows;
        *nodes += h.nodes;
    }
    if (*rows >= UINT32_MAX / 2 || *nodes >= UINT32_MAX / 2)
        return wr_raise(ctx, WR_LIMIT, "too many rows in partial matches of MATCH_RECOGNIZE");
    return WR_OK;
}

/* The kept columns of the events, behind the rows that were loaded. */
static wr_status
keep_events(wr_ctx *ctx, wri_match_op *m)
{
    wri_match_run *run = &m->run;
    wr_batch *rows = run->rows;
    const uint32_t n = run->event_count;
    wr_vec *kept = wr_arena_zalloc(run->arena, sizeof *kept * (rows->col_count + 1));
    WR_TRY_ALLOC(ctx, kept);
    if (n == 0) return WR_OK;
    if (!wr_batch_keep(rows, run->events)) return WRI_NOMEM(ctx);
    WR_TRY(wr_program_run(ctx, m->kept, run->events, NULL, n, rows->arena, kept));
    for (uint32_t c = 0; c < rows->col_count; c++)
        if (!wri_vec_copy_rows(&rows->cols[c], run->loaded, 1, &kept[c], NULL, n, rows->arena))
            return WRI_NOMEM(ctx);
    return WR_OK;
}

/* Their times, and their numbers among rows of one time. */
static void
number_events(wri_match_run *run)
{
    for (uint32_t i = 0; i < run->event_count; i++) {
        wri_match_key *k = &run->keys[run->event_key[i]];
        const int64_t time = run->event_time[i];
        k->last_id = time == k->last_time ? k->last_id + 1 : 0;
        k->last_time = time;
        run->row_time[run->loaded + i] = time;
        run->row_id[run->loaded + i] = k->last_id;
    }
}

wr_status
wri_match_load(wr_ctx *ctx, wri_match_op *m)
{
    wri_match_run *run = &m->run;
    uint64_t rows = 0, nodes = 0;
    uint32_t row = 0;
    WR_TRY(count_loads(ctx, m, &rows, &nodes));
    run->loaded = (uint32_t)rows;
    run->row_count = run->loaded + run->event_count;
    run->node_cap = (uint32_t)nodes + run->event_count + 16;
    run->nodes = wr_arena_alloc(run->arena, sizeof *run->nodes * run->node_cap);
    run->row_time = wr_arena_alloc(run->arena, sizeof *run->row_time * (run->row_count + 1));
    run->row_id = wr_arena_alloc(run->arena, sizeof *run->row_id * (run->row_count + 1));
    run->rows = wr_batch_acquire(m->op.env->pool, m->kept_schema.count);
    if (!run->nodes || !run->row_time || !run->row_id || !run->rows) return WRI_NOMEM(ctx);
    if (!wr_batch_init_flat(run->rows, &m->kept_schema, run->row_count + 1)) return WRI_NOMEM(ctx);
    run->rows->row_count = run->row_count;
    for (uint32_t i = 0; i < run->key_count; i++) WR_TRY(load_key(ctx, m, &run->keys[i], &row));
    number_events(run);
    return keep_events(ctx, m);
}

/* ---- saving ---------------------------------------------------------------------------------- */
typedef struct saving {
    wr_ctx *ctx;
    wri_match_op *m;
    uint32_t *node_to, *row_to; /* number among those of its partition + 1; 0: not wanted */
    uint32_t *enc;              /* row -> its place in `bytes` */
    wr_bytes bytes;
    uint32_t *nodes, *rows; /* of the partition at hand, ascending */
    uint32_t node_count, row_count;
} saving;

static int
by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* What the matches of a queue lead to. */
static void
mark(saving *s, const wri_match_queue *q)
{
    const wri_match_run *run = &s->m->run;
    for (uint32_t i = 0; i < q->count; i++)
        for (uint32_t at = q->items[i].node; at != WRI_MATCH_NONE && !s->node_to[at];
             at = run->nodes[at].prev) {
            const uint32_t row = run->nodes[at].row;
            s->node_to[at] = 1;
            s->nodes[s->node_count++] = at;
            if (s->row_to[row]) continue;
            s->row_to[row] = 1;
            s->rows[s->row_count++] = row;
        }
}

static bool
has_begun(const wri_match_key *k)
{
    return k->done.count || k->partial.count != 1 || k->partial.items[0].node != WRI_MATCH_NONE;
}

static void
put_matches(const saving *s, const wri_match_queue *q, uint8_t **p)
{
    for (uint32_t i = 0; i < q->count; i++, *p += MATCH_BYTES) {
        const wri_match_partial *x = &q->items[i];
        wr_store32(*p, x->state);
        wr_store32(*p + 4, x->node == WRI_MATCH_NONE ? 0 : s->node_to[x->node]);
        wr_store32(*p + 8, x->start_id);
        wr_store64(*p + 12, (uint64_t)x->start_time);
    }
}

static void
put_nodes(saving *s, uint8_t **p)
{
    const wri_match_run *run = &s->m->run;
    for (uint32_t i = 0; i < s->node_count; i++, *p += NODE_BYTES) {
        const wri_match_node *n = &run->nodes[s->nodes[i]];
        s->node_to[s->nodes[i]] = i + 1;
        wr_store32(*p, s->row_to[n->row] - 1);
        wr_store32(*p + 4, n->prev == WRI_MATCH_NONE ? 0 : s->node_to[n->prev]);
        wr_store32(*p + 8, n->elem);
    }
}

static void
put_rows(saving *s, uint8_t **p)
{
    const wri_match_run *run = &s->m->run;
    for (uint32_t i = 0; i < s->row_count; i++, *p += ROW_BYTES) {
        const uint32_t row = s->rows[i], at = s->enc[row];
        s->row_to[row] = i + 1;
        wr_store64(*p, (uint64_t)run->row_time[row]);
        wr_store32(*p + 8, run->row_id[row]);
        wr_store32(*p + 12, s->bytes.off[at + 1] - s->bytes.off[at]);
    }
}

static wr_status
write_key(saving *s, wri_match_key *k, wri_match_record *rec)
{
    wri_match_op *m = s->m;
    uint64_t total = HEAD_BYTES + (uint64_t)s->row_count * ROW_BYTES +
                     (uint64_t)s->node_count * NODE_BYTES +
                     ((uint64_t)k->partial.count + k->done.count) * MATCH_BYTES;
    for (uint32_t i = 0; i < s->row_count; i++) {
        const uint32_t at = s->enc[s->rows[i]];
        total += s->bytes.off[at + 1] - s->bytes.off[at];
    }
    if (total > UINT32_MAX)
        return wr_raise(
            s->ctx, WR_LIMIT,
            "the partial matches of a partition of MATCH_RECOGNIZE need more than 4 GB");
    uint8_t *bytes = wr_arena_alloc(m->run.arena, total), *p = bytes;
    WR_TRY_ALLOC(s->ctx, bytes);
    const uint32_t numbers[] = {VERSION, s->row_count, s->node_count, k->partial.count,
                                k->done.count};
    for (uint32_t i = 0; i < WR_COUNT(numbers); i++) wr_store32(p + 4 * i, numbers[i]);
    wr_store64(p + 20, (uint64_t)k->last_time);
    wr_store32(p + 28, k->last_id);
    wr_store32(p + 32, 0);
    p += HEAD_BYTES;
    put_rows(s, &p);
    put_nodes(s, &p);
    put_matches(s, &k->partial, &p);
    put_matches(s, &k->done, &p);
    for (uint32_t i = 0; i < s->row_count; i++) {
        const uint32_t at = s->enc[s->rows[i]];
        const uint32_t len = s->bytes.off[at + 1] - s->bytes.off[at];
        memcpy(p, s->bytes.data + s->bytes.off[at], len);
        p += len;
    }
    return m->table->ops->blob_set(s->ctx, m->table, &rec->matches, bytes, (uint32_t)total);
}

/* All rows that any match wants, encoded in one go. */
static wr_status
encode_rows(saving *s)
{
    wri_match_run *run = &s->m->run;
    uint32_t n = 0;
    for (uint32_t row = 0; row < run->row_count; row++)
        if (s->row_to[row]) {
            s->enc[row] = n;
            s->rows[n++] = row;
        }
    wr_batch wanted = *run->rows;
    wanted.sel = s->rows;
    wanted.sel_count = n;
    if (!wr_row_encode(&wanted, s->m->kept_cols, wanted.col_count, run->arena, &s->bytes))
        return WRI_NOMEM(s->ctx);
    memset(s->row_to, 0, sizeof *s->row_to * run->row_count);
    memset(s->node_to, 0, sizeof *s->node_to * run->node_count);
    return WR_OK;
}

static wr_status
save_key(saving *s, wri_match_key *k)
{
    const wr_state_ops *ops = s->m->table->ops;
    wri_match_record *rec = wri_match_record_of(s->m, k->slot);
    if (!k->changed) return WR_OK;
    ops->touch(s->m->table, k->slot);
    if (!has_begun(k)) {
        ops->blob_free(s->m->table, &rec->matches);
        return WR_OK;
    }
    s->node_count = s->row_count = 0;
    mark(s, &k->partial);
    mark(s, &k->done);
    qsort(s->nodes, s->node_count, sizeof *s->nodes, by_number);
    qsort(s->rows, s->row_count, sizeof *s->rows, by_number);
    return write_key(s, k, rec);
}

wr_status
wri_match_save(wr_ctx *ctx, wri_match_op *m)
{
    wri_match_run *run = &m->run;
    wr_arena *a = run->arena;
    saving s = {.ctx = ctx, .m = m};
    s.node_to = wr_arena_zalloc(a, sizeof *s.node_to * (run->node_count + 1));
    s.nodes = wr_arena_alloc(a, sizeof *s.nodes * (run->node_count + 1));
    s.row_to = wr_arena_zalloc(a, sizeof *s.row_to * (run->row_count + 1));
    s.rows = wr_arena_alloc(a, sizeof *s.rows * (run->row_count + 1));
    s.enc = wr_arena_alloc(a, sizeof *s.enc * (run->row_count + 1));
    if (!s.node_to || !s.nodes || !s.row_to || !s.rows || !s.enc) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < run->key_count; i++) {
        if (!run->keys[i].changed) continue;
        mark(&s, &run->keys[i].partial);
        mark(&s, &run->keys[i].done);
    }
    WR_TRY(encode_rows(&s));
    for (uint32_t i = 0; i < run->key_count; i++) WR_TRY(save_key(&s, &run->keys[i]));
    return WR_OK;
}
