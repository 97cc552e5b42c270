/* SPDX-License-Identifier: Apache-2.0 */
/* The merged groups of windows that slide, in memory of their own: see window_agg_int.h. A window
 * that comes out is a pass over dense records, whose keys lie beside the accumulators. */
#include "op/window_agg_int.h"

#define CELLS_MIN 64u
#define BLOCK     64u /* keys resolved together: their cells and records fit the first cache */
#define NEAR      24u /* bytes of a key that fit in a record */

typedef struct kept_key { /* behind the accumulators */
    uint64_t hash;        /* of the key without the window */
    union {
        uint8_t near[NEAR];
        uint8_t *far;
    } u;
} kept_key;

static uint32_t
page_bytes(const wri_kept_groups *k)
{
    return k->stride << WRI_KEPT_SHIFT;
}

WR_ALWAYS_INLINE wri_group *
head_of(const wri_window_agg *g, uint32_t group)
{
    return (wri_group *)(void *)wri_kept_at(g, group);
}
WR_ALWAYS_INLINE kept_key *
key_of(const wri_window_agg *g, uint32_t group)
{
    return (kept_key *)(void *)(wri_kept_at(g, group) + g->groups.key_at);
}
WR_ALWAYS_INLINE const uint8_t *
bytes_of(const kept_key *key, uint32_t len)
{
    return len <= NEAR ? key->u.near : key->u.far;
}

/* ---- life ------------------------------------------------------------------------------------ */
wr_status
wri_kept_open(wr_ctx *ctx, wri_window_agg *g)
{
    wri_kept_groups *k = &g->groups;
    *k = (wri_kept_groups){.budget = g->op.env->budget};
    k->key_at = (g->aggs.record_bytes + 7) / 8 * 8;
    k->stride = (k->key_at + (uint32_t)sizeof(kept_key) + 15) / 16 * 16; /* sums of DECIMAL */
    k->far_keys = wr_arena_create(k->budget, 0);
    WR_TRY_ALLOC(ctx, k->far_keys);
    return WR_OK;
}

void
wri_kept_close(wri_window_agg *g)
{
    wri_kept_groups *k = &g->groups;
    for (uint32_t i = 0; i < k->page_count; i++) wr_mem_free(k->budget, k->pages[i], page_bytes(k));
    wr_mem_free(k->budget, k->pages, sizeof *k->pages * k->page_cap);
    wr_mem_free(k->budget, k->cells, sizeof *k->cells * k->cell_count);
    wr_arena_destroy(k->far_keys);
    *k = (wri_kept_groups){0};
}

void
wri_kept_forget(wri_window_agg *g)
{
    wri_kept_groups *k = &g->groups;
    if (k->cells) memset(k->cells, 0, sizeof *k->cells * k->cell_count);
    wr_arena_reset(k->far_keys);
    memset(k->far_free, 0, sizeof k->far_free);
    k->used = k->live = k->free = 0;
}

/* ---- keys that do not fit -------------------------------------------------------------------- */
static uint32_t
class_of(uint32_t len)
{
    uint32_t c = 0;
    while (c + 1 < WRI_KEPT_CLASSES && (32u << c) < len) c++;
    return c;
}

static uint8_t *
take_far(wri_kept_groups *k, uint32_t len)
{
    const uint32_t c = class_of(len);
    void *p = k->far_free[c];
    if (!p) return wr_arena_alloc(k->far_keys, WR_MAX((size_t)32 << c, len));
    memcpy(&k->far_free[c], p, sizeof p); /* a free one begins with the next */
    return p;
}

static void
give_far(wri_kept_groups *k, uint8_t *p, uint32_t len)
{
    const uint32_t c = class_of(len);
    memcpy(p, &k->far_free[c], sizeof(void *));
    k->far_free[c] = p;
}

/* ---- the index ------------------------------------------------------------------------------- */
static wr_status
reserve(wr_ctx *ctx, wri_kept_groups *k, uint32_t more)
{
    const uint64_t want = ((uint64_t)k->live + more) * 2;
    if (want >= (uint64_t)1 << 31) return wr_raise(ctx, WR_LIMIT, "too many groups in one window");
    if (want <= k->cell_count) return WR_OK;
    uint32_t count = WR_MAX(k->cell_count, CELLS_MIN);
    while (count < want) count *= 2;
    uint64_t *cells = wr_mem_zalloc(k->budget, sizeof *cells * count);
    WR_TRY_ALLOC(ctx, cells);
    for (uint32_t i = 0; i < k->cell_count; i++) {
        uint32_t at = (uint32_t)(k->cells[i] >> 32) & (count - 1);
        if (!k->cells[i]) continue;
        while (cells[at]) at = (at + 1) & (count - 1);
        cells[at] = k->cells[i];
    }
    wr_mem_free(k->budget, k->cells, sizeof *cells * k->cell_count);
    k->cells = cells;
    k->cell_count = count;
    k->mask = count - 1;
    return WR_OK;
}

/* Cells behind it whose home is not behind it move up, so that nothing marks where it was. */
static void
remove_cell(wri_kept_groups *k, uint64_t cell)
{
    uint32_t at = (uint32_t)(cell >> 32) & k->mask;
    while (k->cells[at] != cell) at = (at + 1) & k->mask;
    for (uint32_t next = (at + 1) & k->mask; k->cells[next]; next = (next + 1) & k->mask) {
        const uint32_t home = (uint32_t)(k->cells[next] >> 32) & k->mask;
        if (((next - home) & k->mask) < ((next - at) & k->mask)) continue;
        k->cells[at] = k->cells[next];
        at = next;
    }
    k->cells[at] = 0;
}

/* ---- groups ---------------------------------------------------------------------------------- */
static wr_status
add_page(wr_ctx *ctx, wri_kept_groups *k)
{
    if (k->page_count == k->page_cap) {
        const uint32_t cap = k->page_cap ? k->page_cap * 2 : 8;
        uint8_t **more =
            wr_mem_realloc(k->budget, k->pages, sizeof *more * k->page_cap, sizeof *more * cap);
        WR_TRY_ALLOC(ctx, more);
        k->pages = more;
        k->page_cap = cap;
    }
    k->pages[k->page_count] = wr_mem_alloc(k->budget, page_bytes(k));
    WR_TRY_ALLOC(ctx, k->pages[k->page_count]);
    k->page_count++;
    return WR_OK;
}

/* The last eight bytes, the window, are whatever they are: nobody looks at them. */
static wr_status
add_group(wr_ctx *ctx, wri_window_agg *g, uint64_t hash, const uint8_t *key, uint32_t len,
          uint32_t *group)
{
    wri_kept_groups *k = &g->groups;
    uint8_t *far = NULL;
    if (!k->free && k->used == k->page_count << WRI_KEPT_SHIFT) WR_TRY(add_page(ctx, k));
    if (len > NEAR) {
        far = take_far(k, len);
        WR_TRY_ALLOC(ctx, far);
    }
    *group = k->free ? k->free - 1 : k->used++;
    if (k->free) k->free = head_of(g, *group)->note;
    k->live++;
    memset(wri_kept_at(g, *group), 0, k->stride);
    head_of(g, *group)->serial = len;
    kept_key *to = key_of(g, *group);
    to->hash = hash;
    if (far) to->u.far = far;
    memcpy(far ? far : to->u.near, key, len);
    return WR_OK;
}

void
wri_kept_remove(wri_window_agg *g, uint32_t group)
{
    wri_kept_groups *k = &g->groups;
    wri_group *head = head_of(g, group);
    const kept_key *key = key_of(g, group);
    remove_cell(k, key->hash << 32 | (group + 1));
    if (head->serial > NEAR) give_far(k, key->u.far, head->serial);
    head->rows = 0;
    head->note = k->free;
    k->free = group + 1;
    k->live--;
}

static void
prefetch(const wri_window_agg *g, const uint64_t *hash, uint32_t n)
{
    const wri_kept_groups *k = &g->groups;
    for (uint32_t i = 0; i < n; i++) __builtin_prefetch(&k->cells[(uint32_t)hash[i] & k->mask]);
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t cell = k->cells[(uint32_t)hash[i] & k->mask];
        if (!cell) continue;
        const uint8_t *rec = wri_kept_at(g, (uint32_t)cell - 1);
        __builtin_prefetch(rec);
        __builtin_prefetch(rec + k->stride - 1);
    }
}

static wr_status
resolve_one(wr_ctx *ctx, wri_window_agg *g, uint64_t hash, const uint8_t *key, uint32_t len,
            uint32_t *group)
{
    wri_kept_groups *k = &g->groups;
    uint32_t at = (uint32_t)hash & k->mask;
    for (; k->cells[at]; at = (at + 1) & k->mask) {
        if ((uint32_t)(k->cells[at] >> 32) != (uint32_t)hash) continue;
        *group = (uint32_t)k->cells[at] - 1;
        const kept_key *there = key_of(g, *group);
        if (head_of(g, *group)->serial == len && memcmp(bytes_of(there, len), key, len - 8) == 0)
            return WR_OK;
    }
    WR_TRY(add_group(ctx, g, hash, key, len, group));
    k->cells[at] = hash << 32 | (*group + 1);
    return WR_OK;
}

wr_status
wri_kept_resolve(wr_ctx *ctx, wri_window_agg *g, const wri_open_keys *keys, uint32_t *groups)
{
    WR_TRY(reserve(ctx, &g->groups, keys->n));
    for (uint32_t i = 0; i < keys->n; i++) {
        if (i % BLOCK == 0) prefetch(g, keys->hash + i, WR_MIN(BLOCK, keys->n - i));
        const uint32_t from = keys->keys.off[i], len = keys->keys.off[i + 1] - from;
        WR_TRY(resolve_one(ctx, g, keys->hash[i], keys->keys.data + from, len, &groups[i]));
    }
    return WR_OK;
}

wr_status
wri_kept_keys(wr_ctx *ctx, wri_window_agg *g, const uint32_t *groups, uint32_t n, int64_t end,
              wr_keys *out)
{
    uint64_t *hash = wr_arena_alloc(g->scratch, sizeof *hash * (n + 1));
    uint32_t *off = wr_arena_zalloc(g->scratch, sizeof *off * (n + 1));
    if (!hash || !off) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++) {
        hash[i] = wri_window_hash(key_of(g, groups[i])->hash, end);
        off[i + 1] = off[i] + head_of(g, groups[i])->serial;
    }
    uint8_t *data = wr_arena_alloc(g->scratch, off[n] + 1);
    WR_TRY_ALLOC(ctx, data);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t len = off[i + 1] - off[i];
        memcpy(data + off[i], bytes_of(key_of(g, groups[i]), len), len);
        wr_store64(data + off[i + 1] - 8, (uint64_t)end);
    }
    *out = (wr_keys){.n = n, .hash = hash, .data = data, .off = off};
    return WR_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */
wr_status
wri_kept_out(wr_ctx *ctx, wri_window_agg *g, wr_emitter *emit, bool *done)
{
    const wri_kept_groups *k = &g->groups;
    uint32_t n = 0;
    wr_arena_reset(g->scratch);
    uint8_t **recs = wr_arena_alloc(g->scratch, sizeof *recs * WR_BATCH_ROWS);
    wri_group_key *keys = wr_arena_alloc(g->scratch, sizeof *keys * WR_BATCH_ROWS);
    if (!recs || !keys) return WRI_NOMEM(ctx);
    for (; g->out_at < k->used && n < WR_BATCH_ROWS; g->out_at++) {
        const wri_group *head = head_of(g, g->out_at);
        if (head->rows == 0) continue;
        recs[n] = wri_kept_at(g, g->out_at);
        keys[n++] = (wri_group_key){bytes_of(key_of(g, g->out_at), head->serial), head->serial};
    }
    *done = g->out_at == k->used;
    if (n == 0) return WR_OK;
    wr_batch *out = wr_batch_acquire(g->op.env->pool, g->op.node->schema.count);
    WR_TRY_ALLOC(ctx, out);
    wr_status status = wri_held_put_keys(ctx, g, keys, n, out);
    if (status == WR_OK)
        status = wri_aggs_result_at(ctx, &g->aggs, recs, n, g->scratch, out->arena,
                                    out->cols + g->keys.count);
    if (status == WR_OK) return wr_emit(ctx, emit, out);
    wr_batch_release(out);
    return status;
}
