/* SPDX-License-Identifier: Apache-2.0 */
/* The RocksDB backend's insides.
 *
 * The tables of the memory backend are a write-back cache (kept_int.h) over one RocksDB database a
 * backend. The database is opened when the first entry has to go to it: at the first barrier, or
 * when the cache is over its budget; state that fits costs what it costs in memory.
 *
 * Stored keys, integers big-endian: key group (2), table (2), then
 *   VALUE          the key
 *   MAP, ORDERED   length of the parent's key (4), the parent's key, the sub-key
 * so a range of key groups is contiguous, the entries of a slot are contiguous, and sort keys keep
 * their order. Stored values, integers little-endian:
 *   time of the last write (8), where the table has a TTL
 *   VALUE   hash of the key (8), number of children (2), of each its table (2), the number of its
 *           entries (4), the newest sequence number (4): children without entries are left out
 *   MAP     hash of the sub-key (8), sequence number (4)
 *   the record, TRANSIENT parts and blobs zeroed; of each blob its offset (4), length (4), bytes
 *
 * Thread: the owning task's, but for the upload of a snapshot. */
#ifndef WR_STATE_ROCKSDB_INT_H
#define WR_STATE_ROCKSDB_INT_H

#include "os/os.h"
#include "state/kept_int.h"

#ifdef WR_HAVE_ROCKSDB
#include <rocksdb/c.h>

/* ---- the library (rocksdb_lib.c) ------------------------------------------------------------- */
typedef struct wri_rocks_fns {
#define FN(name) __typeof__(&rocksdb_##name) name;
#include "state/rocksdb_fns.def"
#undef FN
} wri_rocks_fns;

/* What the backends of the process share. Guarded by wr_shared_enter. */
typedef struct wri_rocks_process {
    wri_rocks_fns fns;
    bool loaded;
    uint32_t backends;      /* open */
    rocksdb_cache_t *cache; /* blocks of all databases under managed memory */
    uint32_t databases;     /* that use the cache */
} wri_rocks_process;
/* Loads the library if need be. *out stays valid until the process ends. */
wr_status wri_rocks_library(wr_ctx *ctx, const wri_rocks_fns **out) WR_MUST_USE;
void wri_rocks_count(int32_t backends);
uint32_t wri_rocks_backends(void); /* at least 1 */
/* The shared cache, made with `bytes` by the first; NULL: out of memory. */
rocksdb_cache_t *wri_rocks_cache_acquire(size_t bytes);
void wri_rocks_cache_release(void);
/* A text that the library made, into the error record; frees it. */
wr_status wri_rocks_raise(wr_ctx *ctx, const wri_rocks_fns *f, const char *doing, char *take_text);

/* ---- options (rocksdb_options.c) ------------------------------------------------------------- */
typedef struct wri_rocks_options { /* as the session says */
    size_t cache_bytes;            /* of entries in memory; SIZE_MAX: from the managed memory */
    size_t dirty_bytes;            /* entries changed and not yet written, at most */
    bool managed;
    size_t total_bytes; /* managed memory of all backends */
    double write_buffer_ratio, bloom_bits;
    size_t block_bytes, metadata_block_bytes, block_cache_bytes;
    size_t write_buffer_bytes, write_batch_bytes, target_file_bytes, level_base_bytes;
    int write_buffers, merge_buffers, open_files, threads, style, log_level;
    size_t log_file_bytes, log_files;
    bool bloom, partitioned, dynamic_levels;
    int compression[8];
    uint32_t compression_count;
    wr_str local_dir, log_dir; /* borrowed from the configuration; empty: not said */
} wri_rocks_options;
/* config NULL: the defaults. */
wr_status wri_rocks_options_read(wr_ctx *ctx, const wr_config *config,
                                 wri_rocks_options *out) WR_MUST_USE;
/* Memory of one of `backends` backends: for entries, for its write buffers; of all: for blocks. */
size_t wri_rocks_entry_bytes(const wri_rocks_options *o, uint32_t backends);
size_t wri_rocks_buffer_bytes(const wri_rocks_options *o, uint32_t backends);
size_t wri_rocks_block_bytes(const wri_rocks_options *o);

/* ---- one database (rocksdb_db.c) ------------------------------------------------------------- */
typedef struct wri_rocks_db {
    const wri_rocks_fns *f;
    rocksdb_t *db; /* NULL: closed */
    rocksdb_column_family_handle_t *family;
    rocksdb_readoptions_t *read;
    rocksdb_writeoptions_t *write;
    bool shares_cache;
    size_t write_buffer_bytes;
} wri_rocks_db;
/* `share`: of how many backends this is one. */
wr_status wri_rocks_db_open(wr_ctx *ctx, const wri_rocks_fns *f, const wri_rocks_options *o,
                            uint32_t share, const char *path, wri_rocks_db *out) WR_MUST_USE;
wr_status wri_rocks_db_open_old(wr_ctx *ctx, const wri_rocks_fns *f, const char *path,
                                wri_rocks_db *out) WR_MUST_USE; /* only to read */
void wri_rocks_db_close(wri_rocks_db *d);

/* The folder of one backend, locked as long as it is open. Those of processes that have died are
 * removed on the way. */
typedef struct wri_rocks_dir {
    char path[WR_OS_PATH_MAX]; /* empty: none */
    wr_os_file lock;
} wri_rocks_dir;
wr_status wri_rocks_dir_open(wr_ctx *ctx, const char *base, wri_rocks_dir *out) WR_MUST_USE;
void wri_rocks_dir_close(wri_rocks_dir *d);

/* ---- backend --------------------------------------------------------------------------------- */
typedef struct wri_bytes { /* grows; kept for the next use */
    uint8_t *p;
    size_t len, cap;
} wri_bytes;

typedef struct wri_rocks_upload { /* a file of the last kept incremental snapshot */
    uint64_t number;
    wr_state_file file;
} wri_rocks_upload;

typedef struct wri_rocks {
    wri_backend mem; /* first */
    const wri_rocks_fns *f;
    wri_rocks_options options;
    wri_rocks_dir dir;
    wri_rocks_db db;
    rocksdb_writebatch_t *batch;   /* what is to be written before anything is read */
    struct wri_rocks_fetch *fetch; /* keys to ask for; NULL: none were yet */
    struct wri_rocks_list *list;   /* entries to be stored together; NULL: none were yet */
    wri_bytes key, value, probe, seek, edge; /* scratch */
    wr_ctx own;                              /* tells why mem.base.failed */
    size_t cache_bytes;                      /* budget of entries in memory */
    wri_bytes sweep_at;       /* where expiry looks on in the database; empty: at the start */
    rocksdb_iterator_t *walk; /* of next_slot */
    wri_table *walk_table;
    uint64_t walk_pos;
    wri_rocks_upload *uploads; /* by ascending number */
    uint32_t upload_count;
    wr_arena *upload_arena;
    uint32_t linking;    /* atomic; a snapshot's thread links files: */
    size_t linking_left; /* no more than so many bytes may go to the database. The task's, too: */
    int64_t nudge_ns;    /* when the linking thread is to be woken */
} wri_rocks;

WR_ALWAYS_INLINE wri_rocks *
wri_rocks_of(const wri_table *t)
{
    return (wri_rocks *)(void *)t->base.backend;
}
/* Remember the failure in b->own for the next call that can tell it. */
void wri_rocks_fail(wri_rocks *b);
wr_status wri_rocks_check(wr_ctx *ctx, wri_rocks *b) WR_MUST_USE; /* tell it */

/* ---- stored keys and values (rocksdb_codec.c) ------------------------------------------------ */
#define WRI_ROCKS_KEY_HEAD 4u
#define WRI_ROCKS_TABLES   0x7fffu /* of one operator; numbers are below */
bool wri_bytes_room(wri_rocks *b, wri_bytes *k, size_t len) WR_MUST_USE; /* false: no memory */
void wri_bytes_free(wri_rocks *b, wri_bytes *k);
/* What stored keys begin with. */
void wri_rocks_key_head(uint8_t *p, uint32_t kg, uint32_t table);
/* The stored key of: a key of a value table, an entry, an entry that may not be here. What is in
 * front of all entries of a slot. False: no memory. */
bool wri_rocks_key(wri_rocks *b, const wri_table *t, uint64_t hash, const uint8_t *key,
                   uint32_t len, wri_bytes *out) WR_MUST_USE;
bool wri_rocks_entry_key(wri_rocks *b, const wri_table *t, uint32_t entry,
                         wri_bytes *out) WR_MUST_USE;
bool wri_rocks_child_key(wri_rocks *b, const wri_table *t, uint32_t slot, const uint8_t *key,
                         uint32_t len, wri_bytes *out) WR_MUST_USE;

typedef struct wri_rocks_parts { /* a stored key, taken apart */
    uint32_t kg, table;
    const uint8_t *parent, *key;
    uint32_t parent_len, key_len;
} wri_rocks_parts;
/* `child`: of a MAP or ORDERED table. False: it makes no sense. */
bool wri_rocks_key_parts(const uint8_t *p, size_t len, bool child,
                         wri_rocks_parts *out) WR_MUST_USE;

typedef struct wri_rocks_child {
    uint32_t table, count, seq;
} wri_rocks_child;
typedef struct wri_rocks_value { /* a stored value, taken apart; points into it */
    int64_t time;
    uint64_t hash;
    uint32_t seq, children;
    const uint8_t *child; /* children times table (2), count (4), seq (4) */
    const uint8_t *rec, *blobs, *end;
} wri_rocks_value;
/* By the description of its table. Every blob is checked as well. */
bool wri_rocks_value_parts(const wr_state_table_info *info, const uint8_t *p, size_t len,
                           wri_rocks_value *out) WR_MUST_USE;
wri_rocks_child wri_rocks_child_at(const wri_rocks_value *v, uint32_t i);
/* The next blob of a value; false at the end. `at` starts as v->blobs. */
bool wri_rocks_blob_next(const wri_rocks_value *v, const uint8_t **at, uint32_t *offset,
                         const uint8_t **data, uint32_t *len);
bool wri_rocks_entry_value(wri_rocks *b, const wri_table *t, uint32_t entry,
                           wri_bytes *out) WR_MUST_USE;

/* ---- reading and writing (rocksdb_io.c) ------------------------------------------------------ */
/* The backend's folder, and the database, made or opened when that has not been done yet. */
wr_status wri_rocks_need_dir(wr_ctx *ctx, wri_rocks *b) WR_MUST_USE;
wr_status wri_rocks_need_db(wr_ctx *ctx, wri_rocks *b) WR_MUST_USE;
/* Everything that waits is in the database. */
wr_status wri_rocks_flush_batch(wr_ctx *ctx, wri_rocks *b) WR_MUST_USE;
/* An entry's present state goes to what waits; it is clean then. */
wr_status wri_rocks_store(wr_ctx *ctx, wri_rocks *b, wri_table *t, uint32_t entry) WR_MUST_USE;
/* Fill a new entry of t from a stored value of the same layout. */
wr_status wri_rocks_load(wr_ctx *ctx, wri_table *t, uint32_t entry,
                         const wri_rocks_value *v) WR_MUST_USE;
wr_status wri_rocks_corrupt(wr_ctx *ctx, const wr_state_table_info *t);
/* Ask for one key in its stored form. found is called when it is there. */
typedef wr_status (*wri_rocks_found)(wr_ctx *ctx, void *arg, const uint8_t *value, size_t len);
wr_status wri_rocks_get(wr_ctx *ctx, wri_rocks *b, const uint8_t *key, size_t len,
                        wri_rocks_found found, void *arg) WR_MUST_USE;
/* Keys of one table to ask for together, as many as a batch has: neighbours in a file cost less
 * than strangers. Those that are stored are in the cache after `now`. */
#define WRI_ROCKS_BATCH 2048u
typedef struct wri_rocks_fetch {
    wri_rocks *b;
    wri_table *t;
    uint32_t n;
    size_t off[WRI_ROCKS_BATCH + 1];  /* of stored keys in b->probe */
    uint32_t slot[WRI_ROCKS_BATCH];   /* MAP, ORDERED: of the parent */
    const char *key[WRI_ROCKS_BATCH]; /* what the library is called with */
    size_t len[WRI_ROCKS_BATCH];
    rocksdb_pinnableslice_t *slices[WRI_ROCKS_BATCH];
    char *errors[WRI_ROCKS_BATCH];
} wri_rocks_fetch;
/* *out: the backend's, one at a time. */
wr_status wri_rocks_fetch_begin(wr_ctx *ctx, wri_rocks *b, wri_table *t,
                                wri_rocks_fetch **out) WR_MUST_USE;
/* `slot`: of the parent, where the table has one; else `hash`. */
wr_status wri_rocks_fetch_add(wr_ctx *ctx, wri_rocks_fetch *f, uint32_t slot, uint64_t hash,
                              const uint8_t *key, uint32_t len) WR_MUST_USE;
wr_status wri_rocks_fetch_now(wr_ctx *ctx, wri_rocks_fetch *f) WR_MUST_USE;
wr_status wri_rocks_fetch_child(wr_ctx *ctx, wri_rocks *b, wri_table *t, uint32_t slot,
                                const uint8_t *key, uint32_t len) WR_MUST_USE; /* just one */
/* The hash of a value table's key, as it is stored in `db`. `key`: key group, table, key. */
wr_status wri_rocks_hash_of(wr_ctx *ctx, const wri_rocks_fns *f, rocksdb_t *db,
                            rocksdb_readoptions_t *read, const wr_state_table_info *info,
                            const uint8_t *key, size_t len, uint64_t *hash) WR_MUST_USE;
rocksdb_iterator_t *wri_rocks_scan(wri_rocks *b);
/* `status`: of what was done on the way; if that was good, the iterator's. */
wr_status wri_rocks_scan_end(wr_ctx *ctx, const wri_rocks_fns *f, rocksdb_iterator_t *take_it,
                             wr_status status) WR_MUST_USE;
/* A stored entry comes into the cache. *entry: where; WRI_NIL when it was here already. */
wr_status wri_rocks_take_value(wr_ctx *ctx, wri_rocks *b, wri_table *t, const wri_rocks_parts *k,
                               const uint8_t *value, size_t len, uint32_t *entry) WR_MUST_USE;
wr_status wri_rocks_take_child(wr_ctx *ctx, wri_table *t, uint32_t slot, const uint8_t *key,
                               uint32_t key_len, const uint8_t *value, size_t len,
                               uint32_t *entry) WR_MUST_USE;

/* ---- the cache (rocksdb_cache.c) ------------------------------------------------------------- */
wr_status wri_rocks_trim(wr_ctx *ctx, wr_state_backend *b) WR_MUST_USE;
wr_status wri_rocks_write_back(wr_ctx *ctx, wri_rocks *b, uint32_t keep) WR_MUST_USE;
/* Entries of one table that are stored or leave together, so that they go in the order of their
 * keys: in the memtable the next one's place is near the last one's. */
#define WRI_ROCKS_LIST 4096u
typedef struct wri_rocks_list {
    uint32_t n;
    struct wri_rocks_listed {
        uint64_t order; /* what stored keys begin with, but for the table */
        uint32_t entry;
    } items[WRI_ROCKS_LIST];
} wri_rocks_list;
void wri_rocks_forget(wri_table *t, uint32_t entry);
void wri_rocks_forget_absent(wri_table *t, uint32_t slot);

/* ---- the shapes ------------------------------------------------------------------------------ */
wr_status wri_rocks_resolve(wr_ctx *ctx, wr_state_table *t, const wr_keys *keys, wr_intent intent,
                            uint32_t *slots, uint64_t *fresh);
uint64_t wri_rocks_value_count(const wr_state_table *t);
bool wri_rocks_next_slot(wr_state_table *t, uint64_t *pos, uint32_t *slot);
void wri_rocks_walk_end(wri_rocks *b);

wr_status wri_rocks_map_resolve(wr_ctx *ctx, wr_state_table *t, const uint32_t *slots,
                                const wr_keys *subkeys, wr_intent intent, uint8_t **recs,
                                uint64_t *fresh);
void wri_rocks_map_remove(wr_state_table *t, uint32_t slot, const uint8_t *key, uint32_t len,
                          uint64_t hash);
uint32_t wri_rocks_child_count(const wr_state_table *t, uint32_t slot);
bool wri_rocks_map_first(wr_state_table *t, uint32_t slot, wr_state_iter *it);
void wri_rocks_map_clear(wr_state_table *t, uint32_t slot);

wr_status wri_rocks_ord_put(wr_ctx *ctx, wr_state_table *t, uint32_t slot, const uint8_t *key,
                            uint32_t len, uint8_t **rec_out, bool *fresh);
uint8_t *wri_rocks_ord_get(wr_state_table *t, uint32_t slot, const uint8_t *key, uint32_t len);
void wri_rocks_ord_remove(wr_state_table *t, uint32_t slot, const uint8_t *key, uint32_t len);
bool wri_rocks_ord_seek(wr_state_table *t, uint32_t slot, const uint8_t *key, uint32_t len,
                        wr_state_iter *it);
bool wri_rocks_ord_seek_last(wr_state_table *t, uint32_t slot, const uint8_t *key, uint32_t len,
                             wr_state_iter *it);
bool wri_rocks_ord_next(wr_state_iter *it);
bool wri_rocks_ord_prev(wr_state_iter *it);
void wri_rocks_ord_clear(wr_state_table *t, uint32_t slot);

void wri_rocks_expire(wr_state_table *t, int64_t now_ms, uint32_t budget);
void wri_rocks_sweep(wr_state_backend *b, int64_t now_ms, uint32_t budget);

/* ---- snapshots (rocksdb_snapshot.c, rocksdb_restore.c) --------------------------------------- */
void wri_rocks_nudge(wri_rocks *b); /* the task's, now and then: wakes a linking that hangs */
wr_status wri_rocks_snapshot(wr_ctx *ctx, wr_state_backend *b, uint64_t checkpoint_id,
                             wr_snapshot_kind kind, wr_state_snapshot **out);
wr_status wri_rocks_snapshot_write(wr_ctx *ctx, wr_state_snapshot *s, wr_state_writer *w,
                                   wr_state_handle *out);
void wri_rocks_snapshot_release(wr_state_snapshot *s, bool kept);
uint64_t wri_rocks_file_number(wr_str name); /* 0: no file of entries */
wr_status wri_rocks_restore(wr_ctx *ctx, wr_state_backend *b, const wr_state_handle *const *handles,
                            uint32_t count, wr_state_reader *r, bool allow_dropped);

/* Native snapshots read back (rocksdb_native.c). */
typedef struct wri_rocks_meta { /* what a handle's meta says; points into it */
    const char *ids, *names;
} wri_rocks_meta;
wr_status wri_rocks_meta_read(wr_ctx *ctx, const wr_state_handle *h,
                              wri_rocks_meta *out) WR_MUST_USE;
WR_ALWAYS_INLINE uint32_t
wri_rocks_meta_id(const wri_rocks_meta *m, uint32_t table) /* its number in stored keys */
{
    return wr_load32(m->ids + (size_t)table * 4);
}
/* Its files in the folder `to`, which is made; WR_CORRUPT names one that is damaged. */
wr_status wri_rocks_make_folder(wr_ctx *ctx, wr_memtrack *budget, wr_state_reader *r,
                                const wr_state_handle *h, const wri_rocks_meta *m,
                                const char *to) WR_MUST_USE;

typedef struct wri_rocks_view { /* stored entries as canonical ones */
    const wri_rocks_fns *f;
    rocksdb_t *db;
    rocksdb_readoptions_t *read;
    wr_memtrack *budget;
    const wr_state_table_info *tables;
    const char *ids; /* of the tables, 4 bytes each */
    uint32_t count;
    /* The last child's parent: key group, table, its key; its hash. */
    uint8_t *parent;
    size_t cap;
    uint64_t parent_hash;
    uint32_t parent_len; /* 0: none */
    bool same_parent;    /* as that of the child before */
} wri_rocks_view;
typedef struct wri_rocks_stored {
    const uint8_t *key, *value;
    size_t key_len, len;
} wri_rocks_stored;
struct wri_canon_entry;
/* *table: UINT32_MAX when it is none of the view's. *e is borrowed from `s` and the view;
 * *blob_bytes: how long its blobs are. */
wr_status wri_rocks_view_entry(wr_ctx *ctx, wri_rocks_view *v, const wri_rocks_stored *s,
                               uint32_t *table, struct wri_canon_entry *e,
                               size_t *blob_bytes) WR_MUST_USE;
void wri_rocks_view_deinit(wri_rocks_view *v);

/* Walk over a frozen view (rocksdb_canonical.c). `out` has its tables: by ascending number in
 * stored keys, which are `ids`. thread: the snapshot's */
wr_status wri_rocks_canonical_write(wr_ctx *ctx, wri_rocks *b, const rocksdb_snapshot_t *view,
                                    const char *ids, wr_state_writer *w,
                                    wr_state_handle *out) WR_MUST_USE;

/* Entries of a snapshot come one after the other (rocksdb_fill.c). */
typedef struct wri_rocks_target { /* a table of a handle */
    const wr_state_table_info *info;
    wri_table *t; /* what it is here; NULL: left out */
    const struct wri_rocks_target *parent;
    wri_layout layout;
} wri_rocks_target;
typedef struct wri_rocks_item {
    uint64_t hash, parent_hash; /* parent_hash: unless wri_rocks_same_parent */
    int64_t time;
    const uint8_t *key, *parent, *rec, *blobs, *end; /* blobs up to `end`: offset, length, bytes */
    uint32_t key_len, parent_len, seq;
} wri_rocks_item;
typedef struct wri_rocks_filler {
    wri_rocks *b;
    wri_bytes parent;            /* key of the last child's parent, which is now at: */
    const wri_table *slot_table; /* NULL: not known */
    uint32_t slot;
    uint32_t put; /* entries since the cache was looked at */
} wri_rocks_filler;
wr_status wri_rocks_targets(wr_ctx *ctx, wri_rocks *b, const wr_state_handle *h, bool allow_dropped,
                            wr_arena *a, wri_rocks_target **out) WR_MUST_USE;
bool wri_rocks_same_parent(const wri_rocks_filler *f, const wri_table *parent, const uint8_t *key,
                           uint32_t len);
/* Table number i of the handle is targets[i]. */
wr_status wri_rocks_canonical_restore(wr_ctx *ctx, wri_rocks *b, const wr_state_handle *h,
                                      const wri_rocks_target *targets, wr_state_reader *r,
                                      wr_arena *a) WR_MUST_USE;
wr_status wri_rocks_fill(wr_ctx *ctx, wri_rocks_filler *f, const wri_rocks_target *o,
                         wri_rocks_item *e, bool *twice) WR_MUST_USE;

#endif
#endif
