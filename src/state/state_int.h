/* SPDX-License-Identifier: Apache-2.0 */
/* The memory backend's insides.
 *
 * All three shapes keep *entries*: a record and, behind it, a head (and a link for maps, a tree
 * node for ordered state, a time for TTL), in pages that never move, numbered densely; numbers of
 * removed entries are used again. VALUE and MAP entries are found through open-addressing indexes
 * of 8-byte cells, one per key group (VALUE) or per hash shard (MAP), so that a resize touches
 * little. ORDERED entries form a treap per slot. Keys of more than 8 bytes and blobs come from a
 * heap of size classes. Nothing is returned to the system before the backend closes; steady work
 * allocates nothing. Thread: the owning task's. */
#ifndef WR_STATE_STATE_INT_H
#define WR_STATE_STATE_INT_H

#include "os/os.h"
#include "state/info_int.h"

/* ---- heap: blocks of size classes ------------------------------------------------------------ */
#define WRI_CLASSES 44
typedef struct wri_chunk {
    struct wri_chunk *next;
    size_t bytes; /* with this header */
    bool mapped;
} wri_chunk;

typedef struct wri_heap {
    wr_memtrack *budget;
    void *free[WRI_CLASSES];
    uint8_t *at, *end; /* rest of the newest chunk */
    wri_chunk *chunks;
    size_t chunk_bytes; /* size of the next chunk */
    struct wri_big *bigs;
    size_t live; /* bytes that are in use */
} wri_heap;
void wri_heap_init(wri_heap *h, wr_memtrack *budget);
void wri_heap_deinit(wri_heap *h);
/* 16-byte aligned; NULL past the budget. `size` is also needed to free. */
void *wri_heap_alloc(wri_heap *h, uint32_t size) WR_MUST_USE;
void wri_heap_free(wri_heap *h, void *p, uint32_t size);
uint32_t wri_heap_room(uint32_t size); /* bytes that an allocation of `size` really has */

/* ---- backend and tables ---------------------------------------------------------------------- */
typedef struct wri_block { /* one blob */
    uint8_t *ptr;          /* NULL: free */
    union {
        const wr_blob *owner; /* where the blob lies; finds a dying record's blobs */
        uint64_t next_free;
    } u;
} wri_block;

/* Blocks live in chunks of 64, 128, 256, ...: they never move, so that a snapshot can be written
 * while new ones are made. */
#define WRI_BLOCK_CHUNKS 40u
#define WRI_BLOCKS_FIRST 6u /* the first chunk has 2^6 */

/* Segments of a chain have levels. One of level k holds what has changed since the last one of
 * level k or higher, and so replaces all lower ones behind that. */
#define WRI_LEVELS  3u
#define WRI_FULL    WRI_LEVELS /* level of a segment with everything */
#define WRI_FAN_OUT 8u         /* segments of one level, before one of the next is written */

typedef struct wri_segment {
    wr_state_file file; /* its name is ours */
    uint32_t level;
} wri_segment;

typedef struct wri_table wri_table;
typedef struct wri_backend {
    wr_state_backend base;
    wr_memtrack *budget; /* its own */
    wr_memtrack *parent;
    uint32_t kg_first, kg_last, max_parallelism;
    wri_heap heap;
    wri_block *blocks[WRI_BLOCK_CHUNKS];
    uint64_t block_count, block_cap, block_free, block_live; /* block_free: number, 0 = none */
    wr_arena *arena;                /* what tables are called and made of */
    wri_table *tables, *last_table; /* in the order of opening: parents first */
    uint32_t table_count;
    wr_state_snapshot *snapshot; /* unreleased */
    uint32_t epoch;              /* goes up at every barrier */
    uint32_t kept[WRI_LEVELS];   /* epoch of the last kept segment of this level or a higher one */
    wri_segment *chain;          /* kept segments, oldest first; levels descend */
    uint32_t chain_count, chain_cap;
} wri_backend;

typedef struct wri_shard { /* open addressing; cell = low hash half << 32 | entry + 1, 0 = empty */
    uint64_t *cells;
    uint32_t mask, count; /* mask 0: no cells yet */
} wri_shard;

typedef struct wri_head { /* behind every record */
    uint64_t hash;    /* VALUE: of the key; MAP: of slot and sub-key; ORDERED: first 8 key bytes */
    uint64_t key;     /* up to 8 bytes as they are, zero padded; else a pointer */
    uint32_t key_len; /* WRI_FREE: entry not in use */
    uint32_t self;    /* entry number; in a free entry the next free one */
} wri_head;
#define WRI_FREE UINT32_MAX
#define WRI_NIL  UINT32_MAX

typedef struct wri_link { /* MAP: behind the head; entries of a slot in order of insertion */
    uint32_t slot, next, prev;
    uint32_t seq; /* ascending along the list: the order that snapshots keep */
} wri_link;
typedef struct wri_node { /* ORDERED: behind the head; a treap, priority = hash of the number */
    uint32_t slot, left, right, up;
} wri_node;
typedef struct wri_anchor { /* MAP, ORDERED: what hangs on a slot of the parent */
    uint32_t first, last;   /* numbers + 1, so that zeroes are empty; ORDERED: least, greatest */
    uint32_t count;
    uint32_t top; /* MAP: seq of the newest entry; ORDERED: root, number + 1 */
} wri_anchor;
#define WRI_ANCHORS 1024u /* per page of anchors */

/* What 64 entries of a page have been through: one cache line. They are *turned* together once per
 * epoch, by whoever comes first, the task or the snapshot's writer: what had changed before the
 * barrier becomes what the snapshot waits for. */
typedef struct wri_marks {
    _Alignas(64) uint32_t calm; /* atomic; the table's epoch: turned, and nothing is awaited */
    uint32_t turned;            /* epoch; under `lock` while a snapshot is unreleased */
    uint32_t lock;
    uint64_t now;               /* a bit per entry: changed in the epoch of `turned` */
    uint64_t awaited;           /* atomic; by the snapshot */
    uint64_t since[WRI_LEVELS]; /* changed since the last kept segment of this level or a higher */
} wri_marks;

struct wri_table {
    wr_state_table base;      /* pages of entries */
    wri_table *next;          /* of the backend */
    uint32_t index;           /* in the order of opening */
    wr_state_table_info info; /* but for `entries` */
    wri_table *parent, *first_child, *next_child;
    wr_state_shape shape;
    uint32_t record_bytes, time_offset; /* time_offset 0: no TTL */
    int64_t ttl_ms;
    uint32_t page_count, page_cap, marks_cap;
    wri_marks **marks;          /* per page, per 64 entries */
    uint32_t mark_words, epoch; /* epoch: the backend's */
    uint8_t *fresh_marks, *fresh_marks_end;
    uint64_t *sums; /* debug: of every entry at the last barrier (check.c) */
    uint32_t sum_count;
    uint8_t *fresh_page, *fresh_end; /* rest of the newest chunk of pages */
    wri_chunk *chunks;
    uint32_t used, live, free_entry; /* entries ever used, in use, first free or WRI_NIL */
    wri_shard *shards;
    uint32_t shard_count;
    wri_anchor **anchors;
    uint32_t anchor_pages;
    uint64_t sweep;        /* position of expire */
    struct wri_kept *kept; /* the entries here are a cache (kept_int.h); NULL: they are all */
};

WR_ALWAYS_INLINE wri_table *
wri_table_of(const wr_state_table *t)
{
    return (wri_table *)(uintptr_t)t;
}
WR_ALWAYS_INLINE wri_backend *
wri_backend_of(const wri_table *t)
{
    return (wri_backend *)(void *)t->base.backend;
}
WR_ALWAYS_INLINE wri_head *
wri_head_of(const wri_table *t, uint32_t entry)
{
    return (wri_head *)(void *)(wr_state_rec(&t->base, entry) + t->record_bytes);
}
WR_ALWAYS_INLINE wri_link *
wri_link_of(wri_head *h)
{
    return (wri_link *)(void *)(h + 1);
}
WR_ALWAYS_INLINE wri_node *
wri_node_of(wri_head *h)
{
    return (wri_node *)(void *)(h + 1);
}
WR_ALWAYS_INLINE const uint8_t *
wri_key_of(const wri_head *h)
{
    return h->key_len <= 8 ? (const uint8_t *)&h->key : (const uint8_t *)(uintptr_t)h->key;
}
WR_ALWAYS_INLINE uint64_t
wri_pad8(const uint8_t *key, uint32_t len) /* len <= 8 */
{
    uint64_t k = 0;
    if (len) memcpy(&k, key, len);
    return k;
}
WR_ALWAYS_INLINE bool
wri_key_is(const wri_head *h, const uint8_t *key, uint32_t len, uint64_t padded)
{
    if (h->key_len != len) return false;
    return len <= 8 ? h->key == padded : memcmp((const void *)(uintptr_t)h->key, key, len) == 0;
}
WR_ALWAYS_INLINE int64_t *
wri_time_of(const wri_table *t, uint32_t entry)
{
    return (int64_t *)(void *)(wr_state_rec(&t->base, entry) + t->time_offset);
}
WR_ALWAYS_INLINE bool
wri_expired(const wri_table *t, uint32_t entry)
{
    return t->time_offset && *wri_time_of(t, entry) + t->ttl_ms <= t->base.backend->now_ms;
}
/* Tables that are a cache: an entry will change; is about to be freed; a slot of the parent goes.
 */
void wri_kept_mark(wri_table *t, uint32_t entry);
void wri_kept_dying(wri_table *t, uint32_t entry);
void wri_kept_clear(wri_table *t, uint32_t slot);

WR_ALWAYS_INLINE wri_marks *
wri_marks_of(const wri_table *t, uint32_t entry)
{
    return &t->marks[entry >> t->base.page_shift][(entry & t->base.page_mask) >> 6];
}
/* Its number among those of its marks; a page may have fewer than 64 entries. */
#define wri_mark_bit(t, entry) ((entry) & (t)->base.page_mask & 63)
/* A running snapshot gets what it still awaits of this entry (gate.c). */
void wri_mark_slow(wri_table *t, uint32_t entry);
/* The gate that every change of an entry goes through, before it changes. */
WR_ALWAYS_INLINE void
wri_mark(wri_table *t, uint32_t entry)
{
    if (t->kept) wri_kept_mark(t, entry);
    wri_marks *m = wri_marks_of(t, entry);
    if (WR_UNLIKELY(wr_os_load(&m->calm) != t->epoch)) wri_mark_slow(t, entry);
    m->now |= 1ull << wri_mark_bit(t, entry);
}
WR_ALWAYS_INLINE void
wri_touch(wri_table *t, uint32_t entry)
{
    wri_mark(t, entry);
    if (t->time_offset) *wri_time_of(t, entry) = t->base.backend->now_ms;
}

/* A map's index holds the hash of slot and sub-key. Both ways: snapshots keep the sub-key's. */
#define WRI_SLOT_FACTOR 0x9e3779b97f4a7c15ull
WR_ALWAYS_INLINE uint64_t
wri_combine(uint64_t hash, uint32_t slot)
{
    return wr_hash_u64(hash ^ (uint64_t)slot * WRI_SLOT_FACTOR);
}
WR_ALWAYS_INLINE uint64_t
wri_uncombine(uint64_t combined, uint32_t slot)
{
    const uint64_t inverse = 0xcfee444d8b59a89bull; /* of wr_hash_u64's factor, modulo 2^64 */
    uint64_t x = combined ^ combined >> 32;
    x *= inverse;
    x ^= x >> 32;
    x *= inverse;
    x ^= x >> 32;
    return x ^ (uint64_t)slot * WRI_SLOT_FACTOR;
}

WR_ALWAYS_INLINE wri_block *
wri_block_at(const wri_backend *b, uint64_t number) /* from 1 */
{
    const uint64_t x = number - 1 + (1u << WRI_BLOCKS_FIRST);
    const uint32_t power = 63u - (uint32_t)__builtin_clzll(x);
    return &b->blocks[power - WRI_BLOCKS_FIRST][x - (1ull << power)];
}

/* ---- entries (entries.c) --------------------------------------------------------------------- */
/* A zeroed record with this key; *entry. */
wr_status wri_entry_add(wr_ctx *ctx, wri_table *t, uint64_t hash, const uint8_t *key, uint32_t len,
                        uint32_t *entry) WR_MUST_USE;
/* Free its key and blobs and the entry; the caller has unlinked it. */
void wri_entry_free(wri_table *t, uint32_t entry);
wr_status wri_anchor_make(wr_ctx *ctx, wri_table *t, uint32_t slot, wri_anchor **out) WR_MUST_USE;
WR_ALWAYS_INLINE wri_anchor *
wri_anchor_find(const wri_table *t, uint32_t slot) /* NULL: none made yet */
{
    const uint32_t page = slot / WRI_ANCHORS;
    if (page >= t->anchor_pages || !t->anchors[page]) return NULL;
    return &t->anchors[page][slot % WRI_ANCHORS];
}
void wri_table_free(wri_table *t); /* its memory; not the heap's */
/* Parts of opening and closing (hashmap.c). `kept`: a table that is a cache. */
wr_status wri_backend_init(wr_ctx *ctx, wri_backend *b, const wr_state_ops *ops,
                           wr_memtrack *budget, uint32_t kg_first, uint32_t kg_last,
                           uint32_t max_parallelism) WR_MUST_USE;
void wri_backend_deinit(wri_backend *b);
wr_status wri_table_make(wr_ctx *ctx, wri_backend *b, const wr_state_desc *desc, bool kept,
                         wri_table **out) WR_MUST_USE;
/* WRI_NIL: there is no such entry, or it is not here. */
uint32_t wri_map_find(const wri_table *t, uint32_t slot, uint64_t hash, const uint8_t *key,
                      uint32_t len);
uint32_t wri_ord_find(const wri_table *t, uint32_t slot, const uint8_t *key, uint32_t len);
/* An entry comes into a cache, unless its key is there already (*twice). Those of a map come in any
 * order of `seq`; wri_map_arrange_slot puts them in order. Ordered: wri_ord_restore. */
wr_status wri_value_add(wr_ctx *ctx, wri_table *t, uint64_t hash, const uint8_t *key, uint32_t len,
                        uint32_t *entry, bool *twice) WR_MUST_USE;
wr_status wri_map_add(wr_ctx *ctx, wri_table *t, uint32_t slot, uint64_t hash, uint32_t seq,
                      const uint8_t *key, uint32_t len, uint32_t *entry, bool *twice) WR_MUST_USE;
void wri_map_arrange_slot(wri_table *t, uint32_t slot);
/* The last entry with key < `key`; NULL: the last. */
bool wri_ord_seek_before(wr_state_table *t, uint32_t slot, const uint8_t *key, uint32_t len,
                         wr_state_iter *it);

/* ---- index (index.c) ------------------------------------------------------------------------- */
wr_status wri_shard_insert(wr_ctx *ctx, wri_table *t, wri_shard *s, uint64_t hash,
                           uint32_t entry) WR_MUST_USE;
void wri_shard_remove(wri_shard *s, uint64_t hash, uint32_t entry);
void wri_shard_free(wri_table *t, wri_shard *s);
#define WRI_MAP_SHARDS      64u
#define WRI_MAP_SHARD_SHIFT 58u

/* ---- blobs ----------------------------------------------------------------------------------- */
void wri_blobs_drop(wri_backend *b, const uint8_t *rec, uint32_t bytes);
/* The first blob of a record that lies at *at or behind it and is not empty, and its bytes; *at is
 * then where it lies. NULL: there is none. Blocks above block_count are not looked at. Thread: also
 * a snapshot's writer, for records that the task does not change. */
const wr_blob *wri_blob_next(const wri_backend *b, uint64_t block_count, const uint8_t *rec,
                             uint32_t bytes, uint32_t *at, const uint8_t **data);
wr_status wri_blob_set(wr_ctx *ctx, wr_state_table *t, wr_blob *blob, const void *p, uint32_t len);
wr_status wri_blob_append(wr_ctx *ctx, wr_state_table *t, wr_blob *blob, const void *p,
                          uint32_t len);
const uint8_t *wri_blob_get(const wr_state_table *t, const wr_blob *blob);
void wri_blob_free(wr_state_table *t, wr_blob *blob);

/* ---- the shapes ------------------------------------------------------------------------------ */
wr_status wri_value_resolve(wr_ctx *ctx, wr_state_table *t, const wr_keys *keys, wr_intent intent,
                            uint32_t *slots, uint64_t *fresh);
void wri_value_touch(wr_state_table *t, uint32_t slot);
void wri_value_remove(wr_state_table *t, uint32_t slot);
uint64_t wri_value_count(const wr_state_table *t);
bool wri_value_next_slot(wr_state_table *t, uint64_t *pos, uint32_t *slot);
const uint8_t *wri_value_key_of(wr_state_table *t, uint32_t slot, uint32_t *len);

wr_status wri_map_resolve(wr_ctx *ctx, wr_state_table *t, const uint32_t *slots,
                          const wr_keys *subkeys, wr_intent intent, uint8_t **recs,
                          uint64_t *fresh);
void wri_map_remove(wr_state_table *t, uint32_t slot, const uint8_t *key, uint32_t len,
                    uint64_t hash);
uint32_t wri_map_count(const wr_state_table *t, uint32_t slot);
bool wri_map_first(wr_state_table *t, uint32_t slot, wr_state_iter *it);
bool wri_map_next(wr_state_iter *it);
void wri_map_clear(wr_state_table *t, uint32_t slot);
void wri_map_drop_entry(wri_table *t, uint32_t entry);
void wri_rec_touch(wr_state_table *t, uint8_t *rec);

wr_status wri_ord_put(wr_ctx *ctx, wr_state_table *t, uint32_t slot, const uint8_t *key,
                      uint32_t len, uint8_t **rec_out, bool *fresh);
uint8_t *wri_ord_get(wr_state_table *t, uint32_t slot, const uint8_t *key, uint32_t len);
void wri_ord_remove(wr_state_table *t, uint32_t slot, const uint8_t *key, uint32_t len);
uint32_t wri_ord_count(const wr_state_table *t, uint32_t slot);
bool wri_ord_seek(wr_state_table *t, uint32_t slot, const uint8_t *key, uint32_t len,
                  wr_state_iter *it);
bool wri_ord_seek_last(wr_state_table *t, uint32_t slot, const uint8_t *key, uint32_t len,
                       wr_state_iter *it);
bool wri_ord_next(wr_state_iter *it);
bool wri_ord_prev(wr_state_iter *it);
void wri_ord_clear(wr_state_table *t, uint32_t slot);
void wri_ord_drop_entry(wri_table *t, uint32_t entry);
void wri_child_drop_entry(wri_table *t, uint32_t entry); /* MAP or ORDERED */
/* The i-th key of a batch. */
WR_ALWAYS_INLINE const uint8_t *
wri_keys_at(const wr_keys *k, uint32_t i, uint32_t *len)
{
    if (k->fixed) {
        *len = !k->valid || wr_bit_get(k->valid, i) ? 8 : 0;
        return (const uint8_t *)&k->fixed[i];
    }
    *len = k->off[i + 1] - k->off[i];
    return k->data + k->off[i];
}

void wri_state_expire(wr_state_table *t, int64_t now_ms, uint32_t budget);

/* Entries as a restore makes them. VALUE and MAP are not indexed by it (restore_int.h); entries of
 * a map come in any order of `seq`, wri_map_arrange puts them in order. *twice: the key is there
 * already. */
wr_status wri_map_restore(wr_ctx *ctx, wri_table *t, uint32_t slot, uint64_t hash, uint32_t seq,
                          const uint8_t *key, uint32_t len, uint32_t *entry) WR_MUST_USE;
void wri_map_arrange(wri_table *t, const uint64_t *seqs);
/* The entry of a key, whose key group is the backend's; WRI_NIL: there is none. */
uint32_t wri_value_find(const wri_table *t, uint64_t hash, const uint8_t *key, uint32_t len);
wr_status wri_ord_restore(wr_ctx *ctx, wri_table *t, uint32_t slot, const uint8_t *key,
                          uint32_t len, uint32_t *entry, bool *twice) WR_MUST_USE;

/* ---- snapshots (snapshot.c) and restoring (restore.c) ---------------------------------------- */
wr_status wri_snapshot(wr_ctx *ctx, wr_state_backend *b, uint64_t checkpoint_id,
                       wr_snapshot_kind kind, wr_state_snapshot **out);
wr_status wri_snapshot_write(wr_ctx *ctx, wr_state_snapshot *s, wr_state_writer *w,
                             wr_state_handle *out);
void wri_snapshot_release(wr_state_snapshot *s, bool kept);
wr_status wri_restore(wr_ctx *ctx, wr_state_backend *b, const wr_state_handle *const *handles,
                      uint32_t count, wr_state_reader *r, bool allow_dropped);
wri_table *wri_table_named(const wri_backend *b, wr_str logical_id); /* NULL: none */
/* Of every format: is the snapshot of a job of this maximum parallelism, and does every table of it
 * have one here (unless they may be dropped)? */
wr_status wri_handle_check(wr_ctx *ctx, const wri_backend *b, const wr_state_handle *h,
                           bool allow_dropped) WR_MUST_USE;
/* Memory that the writer may still be reading: freed at once, or when the snapshot is released.
 * False: no memory to remember it; it is not freed. */
bool wri_retire(wri_backend *b, void *p, size_t bytes) WR_MUST_USE;
void wri_chain_drop(wri_backend *b, uint32_t from); /* forget the segments from here on */
void wri_check_free(wri_table *t);
#endif
