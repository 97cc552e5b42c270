/* SPDX-License-Identifier: Apache-2.0 */
/* Memory with an owner: budgets, arenas, refcounts and a thread-safe free list. Only this room
 * calls malloc.
 *
 * Budgets form a tree process > job > task > operator (wr_memtrack). Past its limit an allocation
 * gives NULL, which callers turn into WR_NOMEM. Arenas carry a lifetime: statement, task, batch.
 * `wr_mem_fail_after(n)` makes the n-th allocation from now fail, for fault tests;
 * `wr_mem_malloc_count()` counts calls of the system allocator, for the "no malloc per batch" test.
 */
#ifndef WR_MEM_MEM_H
#define WR_MEM_MEM_H

#include "base/base.h"

/* ---- raw allocation, charged to a budget ----------------------------------------------------- */
typedef struct wr_memtrack wr_memtrack;

/* A new node below `parent` (NULL: a root). `limit_bytes` 0 = only the parents' limits hold. Yours;
 * NULL past budget. */
wr_memtrack *wr_memtrack_create(wr_memtrack *parent, const char *name,
                                size_t limit_bytes) WR_MUST_USE;
void wr_memtrack_destroy(wr_memtrack *m); /* asserts that nothing is charged any more */
size_t wr_memtrack_used(const wr_memtrack *m);
size_t wr_memtrack_peak(const wr_memtrack *m);

void *wr_mem_alloc(wr_memtrack *m,
                   size_t bytes) WR_MUST_USE; /* 16-byte aligned, not zeroed; m may be NULL */
void *wr_mem_zalloc(wr_memtrack *m, size_t bytes) WR_MUST_USE; /* zeroed */
void *wr_mem_realloc(wr_memtrack *m, void *p, size_t old_bytes, size_t new_bytes) WR_MUST_USE;
void wr_mem_free(wr_memtrack *m, void *p, size_t bytes); /* bytes as allocated; p may be NULL */
/* Big, huge-page-backed, zeroed memory for state and hash tables. */
void *wr_mem_map(wr_memtrack *m, size_t bytes) WR_MUST_USE;
void wr_mem_unmap(wr_memtrack *m, void *p, size_t bytes);

uint64_t wr_mem_malloc_count(void); /* system allocator calls of this process so far; thread: any */
void
wr_mem_fail_after(int64_t n); /* fail the n-th allocation from now (1 = next); <= 0 switches off */
bool wr_mem_fail_hit(void);   /* did the planned failure happen? */

/* ---- arenas ---------------------------------------------------------------------------------- */
typedef struct wr_arena wr_arena;
typedef struct wr_arena_mark {
    void *block;
    size_t used;
} wr_arena_mark;

wr_arena *wr_arena_create(wr_memtrack *budget,
                          size_t block_bytes) WR_MUST_USE; /* block_bytes 0 = default */
void *wr_arena_alloc(wr_arena *a, size_t bytes)
    WR_MUST_USE; /* 16-byte aligned, not zeroed; NULL past the budget */
void *wr_arena_zalloc(wr_arena *a, size_t bytes) WR_MUST_USE;
char *wr_arena_dup(wr_arena *a, const char *p, size_t len) WR_MUST_USE; /* zero-terminated copy */
wr_str wr_arena_str(wr_arena *a, wr_str s); /* copy; ptr NULL when out of memory */
wr_str wr_arena_printf(wr_arena *a, const char *fmt, ...)
    WR_PRINTF(2, 3); /* ptr NULL when out of memory */
void wr_arena_defer(wr_arena *a, void (*fn)(void *),
                    void *arg); /* run at reset/destroy, last in first out */
void wr_arena_reset(
    wr_arena *a); /* frees nothing to the system in steady state: blocks are kept for reuse */
void wr_arena_destroy(wr_arena *a); /* NULL is fine */
size_t wr_arena_bytes(const wr_arena *a);
wr_arena_mark wr_arena_get_mark(wr_arena *a);
void
wr_arena_pop(wr_arena *a,
             wr_arena_mark mark); /* forget what was allocated after the mark (no defers inside) */

#define WR_NEW(arena, type)      ((type *)wr_arena_zalloc((arena), sizeof(type)))
#define WR_NEW_N(arena, type, n) ((type *)wr_arena_zalloc((arena), sizeof(type) * (size_t)(n)))

/* ---- growing lists in an arena: WR_LIST(type) name; wr_list_push(arena, &name, item) --------- */
#define WR_LIST(T)                                                                                 \
    struct {                                                                                       \
        T *items;                                                                                  \
        uint32_t count, cap;                                                                       \
    }
/* true on success; the old array stays in the arena until it is reset. */
#define wr_list_push(arena, list, item)                                                            \
    (((list)->count < (list)->cap ||                                                               \
      wr_list_grow_((arena), (void **)&(list)->items, &(list)->cap, sizeof(*(list)->items)))       \
         ? ((list)->items[(list)->count++] = (item), true)                                         \
         : false)
bool wr_list_grow_(wr_arena *a, void **items, uint32_t *cap, size_t item_bytes) WR_MUST_USE;

/* ---- growing text ---------------------------------------------------------------------------- */
typedef struct wr_text {
    wr_arena *arena;
    char *ptr;
    size_t len, cap;
    bool failed;   /* out of memory: later puts do nothing; check once at the end */
    bool too_long; /* failed for being longer than WR_STRING_BYTES_MAX */
} wr_text;
void wr_text_init(wr_text *t, wr_arena *a);
void wr_text_put(wr_text *t, const char *p, size_t len);
void wr_text_puts(wr_text *t, const char *c);
void wr_text_putc(wr_text *t, char c);
void wr_text_printf(wr_text *t, const char *fmt, ...) WR_PRINTF(2, 3);
/* The error of a text that has failed: its length, or out of memory. */
wr_status wr_text_raise(wr_ctx *ctx, const wr_text *t);
WR_ALWAYS_INLINE wr_str
wr_text_str(const wr_text *t)
{
    return (wr_str){t->ptr ? t->ptr : "", t->len};
}

/* ---- refcounts and a lock-free return list (thread: any) ------------------------------------- */
typedef struct wr_ref {
    int32_t count;
} wr_ref;
void wr_ref_init(wr_ref *r);
void wr_ref_acquire(wr_ref *r);
bool wr_ref_release(wr_ref *r) WR_MUST_USE; /* true: that was the last one */
int32_t wr_ref_count(const wr_ref *r);

typedef struct wr_free_node {
    struct wr_free_node *next;
} wr_free_node;
typedef struct wr_free_list { /* many threads push, one thread takes all */
    wr_free_node *head;
} wr_free_list;
void wr_free_list_push(wr_free_list *l, wr_free_node *n);
wr_free_node *wr_free_list_take_all(wr_free_list *l);

#endif
