/* SPDX-License-Identifier: Apache-2.0 */
/* Arenas: a list of blocks filled from the front. Reset keeps the blocks, so that a steady workload
 * asks the system for nothing; blocks that a decaying high-water mark no longer justifies are given
 * back.
 *
 * Under the address sanitizer everything not handed out is poisoned, with a redzone behind every
 * allocation. One thread at a time per arena. */
#include "mem/mem_int.h"

#include <stdio.h>

#define ALIGN_BYTES      ((size_t)16)
#define FIT_PROBES       8 /* kept blocks looked at before a new one is made */
#define GROWTH_BYTES_MAX ((size_t)1 << 20)

typedef struct block {
    struct block *next;
    size_t size, used; /* of the bytes behind this header */
} block;
_Static_assert(sizeof(block) % 8 == 0, "block header");
#define BLOCK_HEAD ((sizeof(block) + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES)

typedef struct defer {
    struct defer *next;
    void (*fn)(void *);
    void *arg;
} defer;

struct wr_arena {
    wr_memtrack *budget;   /* borrowed */
    block *first, *now;    /* now == NULL: nothing allocated yet; blocks behind `now` are empty */
    defer *defers, *spare; /* spare: nodes kept for the next clean-ups */
    size_t block_bytes, held_bytes, high_bytes;
};

static char *
block_data(block *b)
{
    return (char *)b + BLOCK_HEAD;
}

wr_arena *
wr_arena_create(wr_memtrack *budget, size_t block_bytes)
{
    wr_arena *a = wr_mem_zalloc(budget, sizeof *a);
    if (!a) return NULL;
    a->budget = budget;
    a->block_bytes = block_bytes ? block_bytes : WR_ARENA_BLOCK_BYTES;
    return a;
}

static block *
block_create(wr_arena *a, size_t size)
{
    block *b = wr_mem_alloc(a->budget, BLOCK_HEAD + size);
    if (!b) return NULL;
    b->next = NULL;
    b->size = size;
    b->used = 0;
    wri_poison(block_data(b), size);
    a->held_bytes += BLOCK_HEAD + size;
    return b;
}

static void
block_destroy(wr_arena *a, block *b)
{
    wri_unpoison(block_data(b), b->size);
    a->held_bytes -= BLOCK_HEAD + b->size;
    wr_mem_free(a->budget, b, BLOCK_HEAD + b->size);
}

/* Makes `now` an empty block with room for `need` bytes. */
static bool
next_block(wr_arena *a, size_t need)
{
    block **at = a->now ? &a->now->next : &a->first;
    block **link = at;
    for (int probe = 0; *link && probe < FIT_PROBES; probe++, link = &(*link)->next) {
        if ((*link)->size < need) continue;
        block *fit = *link;
        *link = fit->next;
        fit->next = *at;
        *at = a->now = fit;
        fit->used = 0;
        return true;
    }
    size_t grown = WR_MIN(a->held_bytes / 4, GROWTH_BYTES_MAX);
    block *b = block_create(a, WR_MAX(need, WR_MAX(a->block_bytes, grown)));
    if (!b) return false;
    b->next = *at;
    *at = a->now = b;
    return true;
}

void *
wr_arena_alloc(wr_arena *a, size_t bytes)
{
    if (WR_UNLIKELY(wri_mem_fail_now() || bytes > SIZE_MAX / 4)) return NULL;
    size_t need = (bytes + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES + WRI_REDZONE;
    if (WR_UNLIKELY(!a->now || a->now->size - a->now->used < need)) {
        if (!next_block(a, need)) return NULL;
    }
    char *p = block_data(a->now) + a->now->used;
    a->now->used += need;
    wri_unpoison(p, bytes);
    return p;
}

void *
wr_arena_zalloc(wr_arena *a, size_t bytes)
{
    void *p = wr_arena_alloc(a, bytes);
    if (p) memset(p, 0, bytes);
    return p;
}

char *
wr_arena_dup(wr_arena *a, const char *p, size_t len)
{
    char *copy = wr_arena_alloc(a, len + 1);
    if (!copy) return NULL;
    if (len > 0) memcpy(copy, p, len);
    copy[len] = '\0';
    return copy;
}

wr_str
wr_arena_str(wr_arena *a, wr_str s)
{
    char *copy = wr_arena_dup(a, s.ptr, s.len);
    return (wr_str){copy, copy ? s.len : 0};
}

wr_str
wr_arena_printf(wr_arena *a, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *p = n < 0 ? NULL : wr_arena_alloc(a, (size_t)n + 1);
    va_start(args, fmt);
    if (p) (void)vsnprintf(p, (size_t)n + 1, fmt, args);
    va_end(args);
    return (wr_str){p, p ? (size_t)n : 0};
}

void
wr_arena_defer(wr_arena *a, void (*fn)(void *), void *arg)
{
    defer *d = a->spare;
    if (d)
        a->spare = d->next;
    else /* a clean-up that got lost would be worse than an abort */
        d = wri_mem_must_alloc(sizeof *d);
    *d = (defer){a->defers, fn, arg};
    a->defers = d;
}

static void
run_defers(wr_arena *a)
{
    while (a->defers) {
        defer *d = a->defers;
        a->defers = d->next;
        d->fn(d->arg);
        d->next = a->spare;
        a->spare = d;
    }
}

void
wr_arena_reset(wr_arena *a)
{
    run_defers(a);
    if (!a->now) return;
    size_t used = 0;
    for (block *b = a->first; b; b = b->next) {
        used += b->used;
        wri_poison(block_data(b), b->used);
        b->used = 0;
        if (b == a->now) break;
    }
    a->now = NULL;
    size_t decayed = a->high_bytes - a->high_bytes / 8;
    a->high_bytes = WR_MAX(used, decayed);
    size_t keep = 2 * a->high_bytes + 4 * (a->block_bytes + BLOCK_HEAD);
    for (block **link = &a->first; *link && a->held_bytes > keep;) {
        block *b = *link;
        *link = b->next;
        block_destroy(a, b);
    }
}

void
wr_arena_destroy(wr_arena *a)
{
    if (!a) return;
    run_defers(a);
    while (a->spare) {
        defer *d = a->spare;
        a->spare = d->next;
        wri_mem_must_free(d);
    }
    while (a->first) {
        block *b = a->first;
        a->first = b->next;
        block_destroy(a, b);
    }
    WR_ASSERT(a->held_bytes == 0);
    wr_mem_free(a->budget, a, sizeof *a);
}

size_t
wr_arena_bytes(const wr_arena *a)
{
    return a->held_bytes;
}

wr_arena_mark
wr_arena_get_mark(wr_arena *a)
{
    return (wr_arena_mark){a->now, a->now ? a->now->used : 0};
}

void
wr_arena_pop(wr_arena *a, wr_arena_mark mark)
{
    if (!a->now) return;
    block *from = mark.block ? mark.block : a->first;
    size_t keep = mark.block ? mark.used : 0;
    for (block *b = from; b; b = b->next) {
        wri_poison(block_data(b) + keep, b->used - keep);
        b->used = keep;
        keep = 0;
        if (b == a->now) break;
    }
    a->now = mark.block;
}

/* ---- lists and text -------------------------------------------------------------------------- */

bool
wr_list_grow_(wr_arena *a, void **items, uint32_t *cap, size_t item_bytes)
{
    uint32_t old = *cap;
    if (old > UINT32_MAX / 2) return false;
    uint32_t grown = old ? old * 2 : 8;
    size_t bytes;
    if (!wr_mul_size(grown, item_bytes, &bytes)) return false;
    void *p = wr_arena_alloc(a, bytes);
    if (!p) return false;
    if (old > 0) memcpy(p, *items, old * item_bytes);
    *items = p;
    *cap = grown;
    return true;
}

void
wr_text_init(wr_text *t, wr_arena *a)
{
    *t = (wr_text){.arena = a};
}

/* Room for `more` bytes behind the text, or NULL (then the text has failed). */
static char *
text_room(wr_text *t, size_t more)
{
    if (t->failed) return NULL;
    if (t->cap - t->len >= more) return t->ptr + t->len;
    size_t want;
    if (!wr_add_size(t->len, more, &want) || want > WR_STRING_BYTES_MAX) {
        t->failed = t->too_long = true;
        return NULL;
    }
    size_t cap = WR_MAX(WR_MAX(want, t->cap * 2), (size_t)64);
    char *p = wr_arena_alloc(t->arena, cap);
    if (!p) return t->failed = true, NULL;
    if (t->len > 0) memcpy(p, t->ptr, t->len);
    t->ptr = p;
    t->cap = cap;
    return p + t->len;
}

wr_status
wr_text_raise(wr_ctx *ctx, const wr_text *t)
{
    WR_ASSERT(t->failed);
    if (t->too_long) return wr_raise(ctx, WR_LIMIT, "a text is longer than 1 GiB");
    return wr_raise(ctx, WR_NOMEM, "out of memory");
}

void
wr_text_put(wr_text *t, const char *p, size_t len)
{
    if (len == 0) return;
    char *to = text_room(t, len);
    if (!to) return;
    memcpy(to, p, len);
    t->len += len;
}

void
wr_text_puts(wr_text *t, const char *c)
{
    wr_text_put(t, c, strlen(c));
}

void
wr_text_putc(wr_text *t, char c)
{
    wr_text_put(t, &c, 1);
}

void
wr_text_printf(wr_text *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    size_t room = t->failed ? 0 : t->cap - t->len;
    int n = vsnprintf(room ? t->ptr + t->len : NULL, room, fmt, args);
    va_end(args);
    if (n < 0) t->failed = true;
    if (n >= 0 && (size_t)n >= room) { /* the terminator needs a byte too */
        char *to = text_room(t, (size_t)n + 1);
        va_start(args, fmt);
        if (to) (void)vsnprintf(to, (size_t)n + 1, fmt, args);
        va_end(args);
    }
    if (!t->failed) t->len += (size_t)n;
}
