/* SPDX-License-Identifier: Apache-2.0 */
/* Private to state/: the numbers of _metadata, and what the files of checkpoints share.
 *
 * _metadata, all numbers little endian (docs/reference/checkpoint-format.md):
 *
 *   offset  bytes
 *   0       8      magic "WEIRCKPT"
 *   8       2      major version      another one is refused
 *   10      2      minor version      newer ones may have more sections and longer ones
 *   12      4      number of sections
 *   16      8      bytes of the whole file
 *   24      8      XXH3-64 of bytes 0 to 23
 *   32      ...    sections: kind u32, flags u32, bytes u64, payload, XXH3-64 of all that
 *   -8      8      XXH3-64 of all before
 */
#ifndef WR_STATE_CKPT_INT_H
#define WR_STATE_CKPT_INT_H

#include "os/os.h"
#include "state/state.h"

#define WRI_CKPT_MAGIC         "WEIRCKPT"
#define WRI_CKPT_MAJOR         1u
#define WRI_CKPT_MINOR         0u
#define WRI_CKPT_HEADER_BYTES  32u
#define WRI_CKPT_SECTION_BYTES 16u /* before the payload; 8 more behind it */
#define WRI_CKPT_SUM_BYTES     8u
#define WRI_CKPT_SEED          0u /* of every XXH3-64 */

typedef enum wri_ckpt_section {
    WRI_CKPT_JOB = 1,     /* exactly one, first */
    WRI_CKPT_OPERATOR = 2 /* one an operator */
} wri_ckpt_section;
/* Flag of a section: who does not know the section must refuse the file. */
#define WRI_CKPT_CRITICAL 1u

enum { WRI_CKPT_FINISHED = 1, WRI_CKPT_KEYED = 2, WRI_CKPT_INFLIGHT = 4 }; /* of a subtask */
enum { WRI_CKPT_SHARED = 1 };                                              /* of a file */

#define WRI_METADATA      "_metadata"
#define WRI_METADATA_PART "_metadata.inprogress"

/* Is `name` a plain relative path: no "..", no "/" at its start, no empty step, no zero byte? A
 * shared file's name has one step only. */
bool wri_ckpt_name_ok(wr_str name, bool shared) WR_MUST_USE;

/* ---- files ----------------------------------------------------------------------------------- */
/* `dir`/`name` in the arena; ptr NULL: out of memory. */
wr_str wri_ckpt_path_join(wr_arena *a, wr_str dir, wr_str name);
/* The folder a path lies in: "a/b" of "a/b/c", "." of "c"; ptr NULL: out of memory. */
wr_str wri_ckpt_path_parent(wr_arena *a, wr_str path);
wr_str wri_ckpt_path_last(wr_str path); /* "c" of "a/b/c" */
wr_status wri_ckpt_fs(wr_ctx *ctx, wr_str path, wr_fs **out) WR_MUST_USE;

typedef struct wri_out { /* one file being written: buffered, checksummed on the way */
    wr_fs *fs;
    wr_file *file; /* NULL: none is open */
    char *buffer;
    uint32_t len, cap;
    uint64_t bytes;
    wr_hasher sum;
} wri_out;
wr_status wri_ckpt_out_create(wr_ctx *ctx, wri_out *o, wr_fs *fs, wr_str path, char *buffer,
                              uint32_t cap) WR_MUST_USE;
wr_status wri_ckpt_out_put(wr_ctx *ctx, wri_out *o, const void *p, size_t len) WR_MUST_USE;
/* Flush, sync, close: on disk when this returns. Whatever it returns, the file is closed. */
wr_status wri_ckpt_out_finish(wr_ctx *ctx, wri_out *o, uint64_t *bytes,
                              uint64_t *checksum) WR_MUST_USE;
void wri_ckpt_out_abandon(wri_out *o); /* close, forget errors */
/* A new file of these bytes, on disk when this returns. */
wr_status wri_ckpt_file_write(wr_ctx *ctx, wr_fs *fs, wr_str path, wr_str bytes) WR_MUST_USE;
/* Append all of a file. */
wr_status wri_ckpt_out_copy(wr_ctx *ctx, wri_out *o, wr_fs *from, wr_str path) WR_MUST_USE;

/* Read a file from end to end. */
wr_status wri_ckpt_file_checksum(wr_ctx *ctx, wr_fs *fs, wr_str path, uint64_t *bytes,
                                 uint64_t *checksum) WR_MUST_USE;
/* All of a file, in `a`. WR_LIMIT when longer than `max`. */
wr_status wri_ckpt_file_read(wr_ctx *ctx, wr_fs *fs, wr_str path, uint64_t max, wr_arena *a,
                             wr_str *out) WR_MUST_USE;

/* ---- what a checkpoint consists of ----------------------------------------------------------- */
typedef wr_status (*wri_file_fn)(wr_ctx *ctx, void *arg, const wr_state_file *f);
wr_status wri_ckpt_each_file(wr_ctx *ctx, const wr_ckpt_meta *m, wri_file_fn fn,
                             void *arg) WR_MUST_USE;
/* Where a file of a loaded checkpoint is. */
wr_status wri_ckpt_file_path(wr_ctx *ctx, const wr_ckpt_meta *m, const wr_state_file *f,
                             wr_arena *a, wr_str *out) WR_MUST_USE;

/* Tables in a backend, filled from a checkpoint (ckpt_tables.c). */
typedef struct wri_ckpt_filled {
    wr_state_backend *backend;
    wr_state_table **tables; /* in the order of the handle's */
    wr_state_handle handle;  /* its tables and key groups; borrowed */
    wr_arena *arena;
} wri_ckpt_filled;
/* The number of a table; -1: there is none. */
int32_t wri_ckpt_table_named(const wr_state_handle *h, wr_str logical_id);
/* `shape` tells tables and key groups, the handles what is in them. Nothing is left when it fails.
 */
wr_status wri_ckpt_fill(wr_ctx *ctx, const wr_state_ops *ops, const wr_state_handle *shape,
                        const wr_state_handle *const *handles, uint32_t count, wr_state_reader *r,
                        const struct wr_config *config, wr_memtrack *budget,
                        wri_ckpt_filled *out) WR_MUST_USE;
void wri_ckpt_empty(wri_ckpt_filled *t);
/* All of a backend, at once. */
wr_status wri_ckpt_snapshot(wr_ctx *ctx, wr_state_backend *b, uint64_t id, wr_snapshot_kind kind,
                            wr_state_writer *w, wr_state_handle *out) WR_MUST_USE;
/* wr_ckpt_rewrite(), with the keyed state of one operator taken from elsewhere (may be NULL). */
typedef struct wri_ckpt_swap {
    wr_str logical_id;
    wr_state_backend *backend;
} wri_ckpt_swap;
wr_status wri_ckpt_rewrite(wr_ctx *ctx, const wr_ckpt_meta *in, wr_str dir,
                           const wr_ckpt_changes *changes, const wri_ckpt_swap *swap) WR_MUST_USE;
/* Keyed state of a handle written again, in another format: through a backend. */
wr_status wri_ckpt_convert(wr_ctx *ctx, const wr_state_handle *h, wr_state_reader *r,
                           const struct wr_config *config, wr_memtrack *budget, uint64_t id,
                           wr_snapshot_kind kind, wr_state_writer *w,
                           wr_state_handle *out) WR_MUST_USE;

/* ---- the store ------------------------------------------------------------------------------- */
typedef WR_LIST(wr_str) wri_names; /* sorted, each once */
/* Adds a copy of `name` unless it is there; false: out of memory. */
bool wri_ckpt_names_add(wr_arena *a, wri_names *names, wr_str name) WR_MUST_USE;
bool wri_ckpt_names_has(const wri_names *names, wr_str name);

/* A checkpoint on disk as far as cleaning up needs it: first in work, then published, in the end
 * garbage; or in work and garbage at once. Made when the checkpoint begins, so that nothing has to
 * be allocated after it was published. */
typedef struct wri_kept {
    struct wri_kept *next;
    wr_arena *arena; /* it lies in it */
    uint64_t id;
    uint64_t seq;  /* garbage: shared files go when nothing begun before that is in work */
    bool claimed;  /* of another job's folder, taken over */
    bool readable; /* its metadata was read: `names` are all it has */
    bool folder_gone;
    uint32_t holds; /* under the store's mutex */
    wr_str folder;
    wr_str shared_dir; /* claimed: where its shared files are */
    wri_names names;   /* shared files */
} wri_kept;

typedef struct wri_writer wri_writer;

struct wr_ckpt {
    wr_ckpt *next; /* among those in work */
    wr_ckpt_store *store;
    wr_arena *arena;
    wr_fs *fs;
    uint64_t id, seq;
    uint8_t kind;
    bool savepoint;
    wri_kept *kept;
    wri_writer *writers; /* under the store's mutex */
    wri_names created;   /* shared files made by it, in kept->arena; under the store's mutex */
};

struct wr_ckpt_store {
    wr_memtrack *budget;
    wr_arena *arena;
    wr_fs *fs;
    wr_file *lock;
    wr_str job_id, dir, shared_dir, taskowned_dir;
    uint32_t retain, buffer_bytes;
    bool unswept;        /* opening could not remove everything */
    bool unread;         /* nor read every checkpoint, so that nothing was removed */
    bool open;           /* what is in the folder is known */
    bool alone;          /* of one savepoint only: no folder, no lock; ends with it */
    uint64_t run;        /* random: the first half of every file's name */
    uint64_t counter;    /* the second; atomic */
    uint64_t seq;        /* of the last checkpoint begun */
    wri_kept *published; /* newest first; claimed ones last */
    wri_kept *garbage;
    wr_ckpt *making;
    wr_os_mutex mutex;
};

/* An entry for the checkpoint in `folder`; NULL: out of memory. */
wri_kept *wri_ckpt_kept_create(wr_ckpt_store *s, wr_str folder, uint64_t id) WR_MUST_USE;
/* The shared files that `m` names. */
wr_status wri_ckpt_kept_take_names(wr_ctx *ctx, wri_kept *k, const wr_ckpt_meta *m) WR_MUST_USE;
/* Reads the metadata in its folder; a damaged one is no error, only not readable. */
wr_status wri_ckpt_kept_read(wr_ctx *ctx, wri_kept *k) WR_MUST_USE;
void wri_ckpt_keep(wr_ckpt_store *s, wri_kept *take_k);
bool wri_ckpt_is_named(const wr_ckpt_store *s, wr_str name); /* by a published checkpoint */
/* It goes: now, as far as that works; what does not is tried again with every call. */
void wri_ckpt_drop(wr_ckpt_store *s, wri_kept *take_k);
void wri_ckpt_collect(wr_ckpt_store *s);
/* What is published beyond `retain` goes. */
void wri_ckpt_retain(wr_ckpt_store *s);
/* Files in shared/ that no published checkpoint names. */
wr_status wri_ckpt_sweep(wr_ctx *ctx, wr_ckpt_store *s) WR_MUST_USE;
/* What could not be removed until now, once more; no checkpoint is in work. */
void wri_ckpt_clean_last(wr_ckpt_store *s);
void wri_writers_destroy(wr_ckpt *c);

/* ---- claims ---------------------------------------------------------------------------------- */
/* The folder that the job in `dir` has claimed, in `a`; empty: none. */
wr_status wri_ckpt_claim_of(wr_ctx *ctx, wr_fs *fs, wr_str dir, wr_arena *a,
                            wr_str *out) WR_MUST_USE;
/* taskowned/claimed holds the folder of a claimed checkpoint: bring it back after a restart. */
wr_status wri_ckpt_claim_reopen(wr_ctx *ctx, wr_ckpt_store *s) WR_MUST_USE;
/* Its shared files in its own job's folder, as far as no neighbour needs them; then the note that
 * it is ours. False: try again later. */
bool wri_ckpt_claim_forget(wr_ckpt_store *s, wri_kept *k) WR_MUST_USE;

#endif
