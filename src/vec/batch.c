/* SPDX-License-Identifier: Apache-2.0 */
/* Pools and batches. A pool is owned by one task; released batches come back over a lock-free list
 * from any thread. The pool counts one reference for its owner and one for every batch that is out,
 * so it outlives the task for as long as a batch does. */
#include "vec/vec_int.h"

/* A batch whose arena has grown beyond this gives its memory back instead of keeping it. */
#define KEEP_BYTES_MAX (8u << 20)

struct wr_batch_pool {
    wr_memtrack *budget;
    wr_ref refs;
    wr_free_list returned; /* thread: any */
    wr_free_node *local;   /* thread: owner */
};

static wr_batch *
of_node(wr_free_node *n)
{
    return (wr_batch *)(void *)((char *)n - offsetof(wr_batch, free_node));
}

wr_batch_pool *
wr_batch_pool_create(wr_memtrack *budget)
{
    wr_batch_pool *p = wr_mem_zalloc(budget, sizeof *p);
    if (!p) return NULL;
    p->budget = budget;
    wr_ref_init(&p->refs);
    return p;
}

static void
free_nodes(wr_batch_pool *p, wr_free_node *n)
{
    while (n) {
        wr_free_node *next = n->next;
        wr_batch *b = of_node(n);
        wr_arena_destroy(b->arena);
        wr_mem_free(p->budget, b, sizeof *b);
        n = next;
    }
}

static void
pool_unref(wr_batch_pool *p)
{
    if (!wr_ref_release(&p->refs)) return;
    free_nodes(p, p->local);
    free_nodes(p, wr_free_list_take_all(&p->returned));
    wr_mem_free(p->budget, p, sizeof *p);
}

void
wr_batch_pool_destroy(wr_batch_pool *p)
{
    if (p) pool_unref(p);
}

static wr_batch *
fresh_batch(wr_batch_pool *p)
{
    if (!p->local) p->local = wr_free_list_take_all(&p->returned);
    if (p->local) {
        wr_batch *b = of_node(p->local);
        p->local = p->local->next;
        return b;
    }
    return wr_mem_zalloc(p->budget, sizeof(wr_batch));
}

wr_batch *
wr_batch_acquire(wr_batch_pool *p, uint32_t col_count)
{
    wr_batch *b = fresh_batch(p);
    if (!b) return NULL;
    wr_arena *arena = b->arena ? b->arena : wr_arena_create(p->budget, 0);
    memset(b, 0, sizeof *b);
    b->arena = arena;
    b->pool = p;
    b->col_count = col_count;
    if (arena) b->cols = WR_NEW_N(arena, wr_vec, col_count ? col_count : 1);
    if (!b->cols) { /* past the budget: the empty batch stays with the pool */
        b->free_node.next = p->local;
        p->local = &b->free_node;
        return NULL;
    }
    wr_ref_init(&b->refs);
    wr_ref_acquire(&p->refs);
    return b;
}

void
wr_batch_ref(wr_batch *b)
{
    wr_ref_acquire(&b->refs);
}

/* The batch is dead: let go of what it keeps and return it to its pool. */
static void
give_back(wr_batch *b)
{
    wr_batch_pool *p = b->pool;
    if (wr_arena_bytes(b->arena) > KEEP_BYTES_MAX) {
        wr_arena_destroy(b->arena);
        b->arena = NULL;
    } else {
        wr_arena_reset(b->arena);
    }
    wr_free_list_push(&p->returned, &b->free_node);
    pool_unref(p);
}

void
wr_batch_release(wr_batch *b)
{
    if (!b || !wr_ref_release(&b->refs)) return;
    /* Chains of kept batches can be long; depth is bounded by the operators of a chain. */
    for (uint32_t i = 0; i < b->kept_count; i++) wr_batch_release(b->kept[i]);
    b->kept_count = 0;
    give_back(b);
}

bool
wr_batch_keep(wr_batch *b, wr_batch *parent)
{
    if (b == parent) return true;
    for (uint32_t i = 0; i < b->kept_count; i++)
        if (b->kept[i] == parent) return true;
    if (b->kept_count == b->kept_cap) {
        const uint32_t cap = b->kept_cap ? b->kept_cap * 2 : 4;
        wr_batch **kept = WR_NEW_N(b->arena, wr_batch *, cap);
        if (!kept) return false;
        if (b->kept_count) memcpy(kept, b->kept, sizeof *kept * b->kept_count);
        b->kept = kept;
        b->kept_cap = cap;
    }
    wr_batch_ref(parent);
    b->kept[b->kept_count++] = parent;
    return true;
}

bool
wr_batch_init_flat(wr_batch *b, const wr_schema *schema, uint32_t rows)
{
    WR_ASSERT(b->col_count == schema->count);
    for (uint32_t c = 0; c < b->col_count; c++)
        if (!wr_vec_init_flat(&b->cols[c], schema->fields[c].type, rows, b->arena)) return false;
    return true;
}

uint8_t *
wr_batch_kinds(wr_batch *b, uint32_t rows)
{
    uint8_t *kind = wr_arena_zalloc(b->arena, rows ? rows : 1); /* 0 is +I */
    if (kind) b->kind = kind;
    return kind;
}

wr_batch *
wr_batch_compact(wr_batch_pool *p, wr_batch *b)
{
    const uint32_t n = wr_batch_live(b);
    wr_batch *out = wr_batch_acquire(p, b->col_count);
    if (!out) return NULL;
    const uint32_t *rows = b->sel;
    if (!rows) {
        uint32_t *all = wr_arena_alloc(out->arena, sizeof *all * (n ? n : 1));
        if (!all) goto fail;
        for (uint32_t i = 0; i < n; i++) all[i] = i;
        rows = all;
    }
    for (uint32_t c = 0; c < b->col_count; c++)
        if (!wr_vec_gather(&out->cols[c], &b->cols[c], rows, n, out->arena)) goto fail;
    if (b->kind) {
        uint8_t *kind = wr_batch_kinds(out, n);
        if (!kind) goto fail;
        for (uint32_t i = 0; i < n; i++) kind[i] = b->kind[rows[i]];
    }
    out->row_count = n;
    if (!wr_batch_keep(out, b)) goto fail;
    return out;
fail:
    wr_batch_release(out);
    return NULL;
}
