/* SPDX-License-Identifier: Apache-2.0 */
/* Keyed state: three shapes, all reached by batches, named by a logical id, belonging to key
 * groups.
 *
 *   value    key -> a fixed-size record, changed in place, plus blobs of variable length
 *   map      (slot of a value table, sub-key bytes) -> a fixed-size record, hashed
 *   ordered  (slot of a value table, sort-key bytes) -> a fixed-size record, iterated in byte order
 *
 * An operator first resolves a batch's keys in its value table to *slots* (dense numbers), then
 * works on records, maps and ordered entries by slot: one hash lookup a row. Slots and record
 * pointers stay valid until the key is removed, or until the batch is done: between batches the
 * runtime trims, unless the operator is pending or says that it holds slots (wr_op.holds_slots).
 * Slots of the empty key and of a table that says `held` stay valid in any case. Before changing a
 * record found with intent READ, call touch(); UPSERT has touched already (and renewed the TTL). A
 * wr_blob in a record is not moved or copied: it belongs to its place. Tables addressed by fixed
 * keys give 8 bytes (little endian) as the encoded key, none for NULL.
 *
 * The key group of a key is wr_key_group(hash, max_parallelism); exchanges use the same function.
 */
#ifndef WR_SPI_STATE_H
#define WR_SPI_STATE_H

#include "spi/checkpoint.h"
#include "spi/options.h"

#define WR_SLOT_NONE UINT32_MAX

typedef struct wr_state_backend wr_state_backend;
typedef struct wr_state_table wr_state_table;

typedef enum wr_state_shape { WR_STATE_VALUE, WR_STATE_MAP, WR_STATE_ORDERED } wr_state_shape;

/* What a stretch of a record is. Snapshots zero the TRANSIENT ones; a restore into a record of
 * another layout takes over the parts whose name, kind, bytes and types are the same and leaves new
 * ones zero; a row with other columns is converted (found by name, wider types, new ones NULL); a
 * part that is not there any more is refused like a table. Reading state as a table shows them. A
 * record without parts is all or nothing. */
typedef enum wr_part_kind {
    WR_PART_PLAIN,     /* taken over as it is; blobs inside are found and carried along */
    WR_PART_TRANSIENT, /* means something to the living operator only */
    WR_PART_ROW,       /* a wr_blob: a row of `schema` in the row encoding of vec/ */
    WR_PART_KINDS
} wr_part_kind;
typedef struct wr_state_part {
    const char *name; /* unique in the record; of an aggregate: what it computes, "SUM(amount)" */
    wr_part_kind kind;
    uint32_t offset, bytes;
    const wr_schema *schema; /* ROW: its columns; PLAIN: the types that its bytes depend on, or
                                NULL */
} wr_state_part;

typedef struct wr_state_desc {
    wr_str logical_id; /* what it is, in words; unique in the operator, whose own backend this is */
    wr_state_shape shape;
    const wr_schema *key; /* VALUE: key columns; MAP: sub-key columns; ORDERED: columns that the key
                             bytes depend on; may be empty. One integer is stored in 8 bytes (none
                             for NULL) or row encoding, which no other key of 8 bytes or none is */
    uint32_t record_bytes;   /* multiple of 8 */
    uint32_t record_version; /* schema version of the record, for restore */
    int64_t ttl_ms;          /* 0 = never */
    wr_state_table *parent;  /* MAP, ORDERED: the value table whose slots address it */
    bool held;               /* VALUE, of a few keys: their slots stay valid between batches too */
    const wr_state_part *parts; /* borrowed as long as the table; NULL = not told */
    uint32_t part_count;
} wr_state_desc;

/* Keys of a batch: row encodings, or 8-byte integers with an optional null bitmap (single
 * fixed-width key column). */
typedef struct wr_keys {
    uint32_t n;
    const uint64_t *hash;
    const uint8_t *data;   /* encoded keys back to back */
    const uint32_t *off;   /* n + 1 */
    const uint64_t *fixed; /* non-NULL: fixed-width keys, data and off unused */
    const uint64_t *valid; /* with fixed: bitmap, 1 = not NULL; NULL = none is NULL */
} wr_keys;

typedef enum wr_intent { WR_STATE_READ, WR_STATE_UPSERT } wr_intent;

typedef struct wr_state_iter { /* position in a map or ordered state; plain data */
    wr_state_table *table;
    uint32_t slot;
    uint64_t pos[6];
    const uint8_t *key; /* current sub-key; valid until the state changes */
    uint32_t key_len;
    uint8_t *rec;
} wr_state_iter;

typedef struct wr_blob { /* inside a record: 16 bytes, all zero = empty */
    uint64_t handle;
    uint32_t len, cap;
} wr_blob;

typedef enum wr_snapshot_kind {
    WR_SNAPSHOT_INCREMENTAL, /* shares files with earlier ones where that pays */
    WR_SNAPSHOT_FULL,        /* the backend's own format, on its own */
    WR_SNAPSHOT_CANONICAL    /* on its own, read by every backend */
} wr_snapshot_kind;
typedef struct wr_state_snapshot wr_state_snapshot; /* a state frozen at a barrier; opaque */

typedef struct wr_state_ops {
    uint32_t abi;
    const char *name; /* "hashmap", "rocksdb" */
    wr_status (*open)(wr_ctx *ctx, const struct wr_config *config, wr_memtrack *budget,
                      uint32_t kg_first, uint32_t kg_last, uint32_t max_parallelism,
                      wr_state_backend **out);
    void (*close)(wr_state_backend *b);
    wr_status (*table_open)(wr_ctx *ctx, wr_state_backend *b, const wr_state_desc *desc,
                            wr_state_table **out);

    /* value: slots[i] of keys[i]. READ: WR_SLOT_NONE where absent (or expired). UPSERT: inserted
     * with a zeroed record; fresh (bitmap of n, may be NULL) tells which were; a key that repeats
     * within the batch is fresh once. */
    wr_status (*resolve)(wr_ctx *ctx, wr_state_table *t, const wr_keys *keys, wr_intent intent,
                         uint32_t *slots, uint64_t *fresh);
    void (*touch)(wr_state_table *t, uint32_t slot); /* record will change; also renews TTL */
    void (*remove)(wr_state_table *t,
                   uint32_t slot); /* its blobs, map and ordered entries go too */
    uint64_t (*count)(const wr_state_table *t);
    /* All live slots, in no order: start with *pos = 0; false at the end. */
    bool (*next_slot)(wr_state_table *t, uint64_t *pos, uint32_t *slot);
    const uint8_t *(*key_of)(wr_state_table *t, uint32_t slot,
                             uint32_t *len); /* encoded key; valid until removed */

    wr_status (*blob_set)(wr_ctx *ctx, wr_state_table *t, wr_blob *blob, const void *p,
                          uint32_t len);
    /* Append with amortised growth. */
    wr_status (*blob_append)(wr_ctx *ctx, wr_state_table *t, wr_blob *blob, const void *p,
                             uint32_t len);
    const uint8_t *(*blob_get)(const wr_state_table *t,
                               const wr_blob *blob); /* valid until it changes */
    void (*blob_free)(wr_state_table *t, wr_blob *blob);

    /* map: recs[i] of (slots[i], sub-key i); NULL where absent (READ). UPSERT inserts zeroed
     * records. Pointers are valid until the next map_resolve with UPSERT or map_remove on this
     * table. */
    wr_status (*map_resolve)(wr_ctx *ctx, wr_state_table *t, const uint32_t *slots,
                             const wr_keys *subkeys, wr_intent intent, uint8_t **recs,
                             uint64_t *fresh);
    void (*map_remove)(wr_state_table *t, uint32_t slot, const uint8_t *key, uint32_t len,
                       uint64_t hash);
    uint32_t (*map_count)(const wr_state_table *t, uint32_t slot);
    /* Iterate the entries of a slot in insertion order: map_first, then map_next until false. The
     * current entry may be removed while iterating; nothing may be inserted. */
    bool (*map_first)(wr_state_table *t, uint32_t slot, wr_state_iter *it);
    bool (*map_next)(wr_state_iter *it);
    void (*map_clear)(wr_state_table *t, uint32_t slot);

    /* ordered */
    wr_status (*ord_put)(wr_ctx *ctx, wr_state_table *t, uint32_t slot, const uint8_t *key,
                         uint32_t len, uint8_t **rec_out, bool *fresh);
    uint8_t *(*ord_get)(wr_state_table *t, uint32_t slot, const uint8_t *key,
                        uint32_t len); /* NULL = absent */
    void (*ord_remove)(wr_state_table *t, uint32_t slot, const uint8_t *key, uint32_t len);
    uint32_t (*ord_count)(const wr_state_table *t, uint32_t slot);
    /* First entry with key >= `key` (len 0: the first); last entry with key <= `key` (key NULL: the
     * last). */
    bool (*ord_seek)(wr_state_table *t, uint32_t slot, const uint8_t *key, uint32_t len,
                     wr_state_iter *it);
    bool (*ord_seek_last)(wr_state_table *t, uint32_t slot, const uint8_t *key, uint32_t len,
                          wr_state_iter *it);
    bool (*ord_next)(wr_state_iter *it);
    bool (*ord_prev)(wr_state_iter *it);
    void (*ord_clear)(wr_state_table *t, uint32_t slot);

    /* Drop what has expired at `now_ms` (called now and then by the runtime), at most `budget`
     * entries. */
    void (*expire)(wr_state_table *t, int64_t now_ms, uint32_t budget);
    size_t (*bytes)(const wr_state_backend *b);
    /* Freeze the state as it is now. thread: the task's, at a barrier; costs microseconds whatever
     * the size. At most one snapshot of a backend is unreleased at a time. */
    wr_status (*snapshot)(wr_ctx *ctx, wr_state_backend *b, uint64_t checkpoint_id,
                          wr_snapshot_kind kind, wr_state_snapshot **out);
    /* Write it, once, while the task works on; *out lies in w->arena. thread: the snapshot
     * thread's. */
    wr_status (*snapshot_write)(wr_ctx *ctx, wr_state_snapshot *s, wr_state_writer *w,
                                wr_state_handle *out);
    /* After write has returned (or was never called): the task's thread, or any when the task has
     * stopped. kept false: its files will not be used; the next incremental snapshot holds what
     * this one held. */
    void (*snapshot_release)(wr_state_snapshot *s, bool kept);
    /* Fill the empty backend with what lies in its key groups, from snapshots of any number of
     * former subtasks in any format it knows, all of the same operator. After its tables were
     * opened, before anything else. Tables that the handles do not know stay empty; a table that
     * they know and this backend does not have is refused, or left out when allow_dropped. thread:
     * the task's. */
    wr_status (*restore)(wr_ctx *ctx, wr_state_backend *b, const wr_state_handle *const *handles,
                         uint32_t count, wr_state_reader *r, bool allow_dropped);
    /* touch() for the record of a map or ordered entry. */
    void (*rec_touch)(wr_state_table *t, uint8_t *rec);
    /* expire() for every table: about `budget` entries of each are looked at. */
    void (*sweep)(wr_state_backend *b, int64_t now_ms, uint32_t budget);
    /* Called between batches when nothing is pending and nobody holds slots: entries may leave the
     * memory, so slots and record pointers are not good any more, but for the slot of the empty
     * key. Raises what a method without a status could not do. */
    wr_status (*trim)(wr_ctx *ctx, wr_state_backend *b);
} wr_state_ops;

/* First members of every backend's structs, so that records are reached without a call. */
struct wr_state_backend {
    const wr_state_ops *ops;
    int64_t now_ms;   /* refreshed by the runtime; TTL clock */
    wr_status failed; /* a method without a status could not do its work, trim tells why: what the
                         operator emits from here on is not to be believed */
};
struct wr_state_table {
    const wr_state_ops *ops;
    wr_state_backend *backend;
    uint8_t *
        *pages; /* VALUE: record of slot s at pages[s >> page_shift] + (s & page_mask) * stride */
    uint32_t page_shift, page_mask, stride;
};
WR_ALWAYS_INLINE uint8_t *
wr_state_rec(const wr_state_table *t, uint32_t slot)
{
    return t->pages[slot >> t->page_shift] + (size_t)(slot & t->page_mask) * t->stride;
}
WR_ALWAYS_INLINE uint32_t
wr_key_group(uint64_t hash, uint32_t max_parallelism)
{
    return (uint32_t)(((hash >> 32) * max_parallelism) >> 32);
}
WR_ALWAYS_INLINE uint32_t
wr_key_group_subtask(uint32_t key_group, uint32_t parallelism, uint32_t max_parallelism)
{
    return key_group * parallelism / max_parallelism;
}

#endif
