/* SPDX-License-Identifier: Apache-2.0 */
/* Sorted runs in a scratch file, and their merge (sort_int.h). In front of every entry stand its
 * place, its bytes and a checksum of it: what comes back from the disk is not believed. */
#include "state/sort_int.h"

#define HEAD      24u
#define OUT_BYTES ((size_t)256 << 10)
#define LEAST     ((size_t)4 << 10) /* of a run's buffer */
#define MOST      ((size_t)1 << 20)

/* ---- writing --------------------------------------------------------------------------------- */

wr_status
wri_runs_begin(wr_ctx *ctx, wri_runs *r, wr_state_writer *w)
{
    if (!r->out) WR_TRY(w->scratch(ctx, w, &r->out, &r->in));
    if (!r->buf) r->buf = wr_mem_alloc(r->budget, OUT_BYTES);
    WR_TRY_ALLOC(ctx, r->buf);
    if (r->count == r->cap) {
        const uint32_t cap = r->cap ? r->cap * 2 : 16;
        wri_run *more =
            wr_mem_realloc(r->budget, r->items, r->cap * sizeof *more, (size_t)cap * sizeof *more);
        WR_TRY_ALLOC(ctx, more);
        r->items = more;
        r->cap = cap;
    }
    r->items[r->count++] = (wri_run){.at = r->written, .end = r->written};
    return WR_OK;
}

static wr_status
flush(wr_ctx *ctx, wri_runs *r)
{
    const size_t len = r->len;
    r->len = 0;
    return len ? r->out->ops->append(ctx, r->out, r->buf, len) : WR_OK;
}

static wr_status
put_bytes(wr_ctx *ctx, wri_runs *r, const uint8_t *p, size_t bytes)
{
    r->written += bytes;
    if (bytes > OUT_BYTES - r->len) WR_TRY(flush(ctx, r));
    if (bytes > OUT_BYTES) return r->out->ops->append(ctx, r->out, p, bytes);
    memcpy(r->buf + r->len, p, bytes);
    r->len += bytes;
    return WR_OK;
}

wr_status
wri_runs_put(wr_ctx *ctx, wri_runs *r, uint64_t place, const uint8_t *p, size_t bytes)
{
    uint8_t head[HEAD];
    wr_store64(head, place);
    wr_store64(head + 8, bytes);
    wr_store64(head + 16, wr_hash_bytes(p, bytes, place ^ bytes));
    WR_TRY(put_bytes(ctx, r, head, sizeof head));
    return put_bytes(ctx, r, p, bytes);
}

wr_status
wri_runs_end(wr_ctx *ctx, wri_runs *r)
{
    r->items[r->count - 1].end = r->written;
    return flush(ctx, r);
}

/* ---- merging --------------------------------------------------------------------------------- */

static wr_status
damaged(wr_ctx *ctx)
{
    return wr_raise(ctx, WR_CORRUPT,
                    "what was put into a temporary file of a savepoint came back "
                    "damaged; check the disk, then trigger the savepoint again");
}

/* A buffer for `need` bytes, or the usual one, with what is left in the old one. */
static wr_status
make_room(wr_ctx *ctx, wri_runs *r, wri_run *run, size_t need, size_t usual)
{
    const size_t cap = WR_MAX(need, usual), left = run->to - run->from;
    if (cap == run->cap) {
        if (left) memmove(run->buf, run->buf + run->from, left);
    } else {
        uint8_t *more = wr_mem_alloc(r->budget, cap);
        WR_TRY_ALLOC(ctx, more);
        if (left) memcpy(more, run->buf + run->from, left);
        wr_mem_free(r->budget, run->buf, run->cap);
        run->buf = more;
        run->cap = cap;
    }
    run->from = 0;
    run->to = left;
    return WR_OK;
}

/* At least `need` bytes of the run are in its buffer. */
static wr_status
ensure(wr_ctx *ctx, wri_runs *r, wri_run *run, size_t need)
{
    if (run->to - run->from >= need) return WR_OK;
    if (need - (run->to - run->from) > run->end - run->at) return damaged(ctx);
    WR_TRY(make_room(ctx, r, run, need, r->usual));
    while (run->to < need) {
        size_t got = 0;
        const uint64_t want = WR_MIN(run->cap - run->to, run->end - run->at);
        WR_TRY(r->in->ops->read_at(ctx, r->in, run->at, run->buf + run->to, want, &got));
        if (!got) return damaged(ctx);
        run->to += got;
        run->at += got;
    }
    return WR_OK;
}

/* What the next entry is; place UINT64_MAX: there is none. */
static wr_status
peek(wr_ctx *ctx, wri_runs *r, wri_run *run)
{
    run->place = UINT64_MAX;
    if (run->from == run->to && run->at == run->end) return WR_OK;
    WR_TRY(ensure(ctx, r, run, HEAD));
    run->place = wr_load64(run->buf + run->from);
    run->bytes = wr_load64(run->buf + run->from + 8);
    return run->place == UINT64_MAX ? damaged(ctx) : WR_OK;
}

static bool
before(const wri_runs *r, uint32_t a, uint32_t b)
{
    const uint64_t x = r->items[a].place, y = r->items[b].place;
    return x < y || (x == y && a < b);
}

static void
sift(wri_runs *r, uint32_t at)
{
    const uint32_t moving = r->heap[at];
    for (;;) {
        uint32_t child = at * 2 + 1;
        if (child >= r->heap_count) break;
        if (child + 1 < r->heap_count && before(r, r->heap[child + 1], r->heap[child])) child++;
        if (!before(r, r->heap[child], moving)) break;
        r->heap[at] = r->heap[child];
        at = child;
    }
    r->heap[at] = moving;
}

wr_status
wri_runs_merge(wr_ctx *ctx, wri_runs *r, size_t memory)
{
    wr_mem_free(r->budget, r->buf, OUT_BYTES);
    r->buf = NULL;
    r->usual = WR_MIN(WR_MAX(memory / WR_MAX(r->count, 1u), LEAST), MOST);
    r->heap = wr_mem_alloc(r->budget, r->cap * sizeof *r->heap);
    WR_TRY_ALLOC(ctx, r->heap);
    for (uint32_t i = 0; i < r->count; i++) {
        WR_TRY(peek(ctx, r, &r->items[i]));
        r->heap[r->heap_count++] = i;
    }
    for (uint32_t i = r->heap_count / 2; i-- > 0;) sift(r, i);
    return WR_OK;
}

/* The entry that was given last has been used: what comes next? */
static wr_status
step(wr_ctx *ctx, wri_runs *r)
{
    wri_run *top = &r->items[r->heap[0]];
    WR_TRY(peek(ctx, r, top));
    if (top->place == UINT64_MAX) {
        wr_mem_free(r->budget, top->buf, top->cap);
        top->buf = NULL;
        top->cap = 0;
        r->heap[0] = r->heap[--r->heap_count];
    }
    if (r->heap_count) sift(r, 0);
    return WR_OK;
}

wr_status
wri_runs_next(wr_ctx *ctx, wri_runs *r, uint64_t *place, const uint8_t **p, const uint8_t **end)
{
    *p = NULL;
    if (r->given) WR_TRY(step(ctx, r));
    r->given = false;
    if (!r->heap_count) return WR_OK;
    wri_run *top = &r->items[r->heap[0]];
    size_t whole;
    if (!wr_add_size(HEAD, top->bytes, &whole)) return damaged(ctx);
    WR_TRY(ensure(ctx, r, top, whole));
    const uint8_t *head = top->buf + top->from;
    if (wr_load64(head + 16) != wr_hash_bytes(head + HEAD, top->bytes, top->place ^ top->bytes))
        return damaged(ctx);
    *place = top->place;
    *p = head + HEAD;
    *end = *p + top->bytes;
    top->from += whole;
    r->given = true;
    return WR_OK;
}

static void
close_quietly(wr_file *file)
{
    wr_ctx probe; /* nobody needs it any more */
    wr_ctx_init(&probe);
    if (file) (void)!file->ops->close(&probe, file);
}

void
wri_runs_deinit(wri_runs *r)
{
    close_quietly(r->out);
    close_quietly(r->in);
    if (r->buf) wr_mem_free(r->budget, r->buf, OUT_BYTES);
    for (uint32_t i = 0; i < r->count; i++)
        wr_mem_free(r->budget, r->items[i].buf, r->items[i].cap);
    wr_mem_free(r->budget, r->heap, r->heap ? r->cap * sizeof *r->heap : 0);
    wr_mem_free(r->budget, r->items, r->cap * sizeof *r->items);
    *r = (wri_runs){.budget = r->budget};
}
