/* SPDX-License-Identifier: Apache-2.0 */
/* State: the backends of keyed state, and checkpoints as they lie on disk.
 *
 * Layout below the checkpoint directory (docs/reference/checkpoint-format.md has every byte):
 *
 *   <root>/<job-id>/chk-<n>/_metadata   published last, by one rename; without it there is no
 *                                       checkpoint
 *   <root>/<job-id>/chk-<n>/...         files of this checkpoint alone
 *   <root>/<job-id>/shared/...          files that several checkpoints use (incremental)
 *   <root>/<job-id>/taskowned/
 *
 * A savepoint is one folder with _metadata and its files, all names relative, so that it can be
 * moved. */
#ifndef WR_STATE_STATE_H
#define WR_STATE_STATE_H

#include "spi/state.h"

extern const wr_state_ops wr_state_hashmap_ops;
extern const wr_state_ops wr_state_rocksdb_ops; /* its open is refused where RocksDB is missing */

/* ---- what a checkpoint says: plain data in an arena ------------------------------------------ */
typedef enum wr_checkpoint_kind {
    WR_CHECKPOINT,      /* periodic; incremental when the options say so */
    WR_CHECKPOINT_FULL, /* as the first after a restore without claiming */
    WR_SAVEPOINT_CANONICAL,
    WR_SAVEPOINT_NATIVE,
    WR_CHECKPOINT_KINDS
} wr_checkpoint_kind;
const char *wr_checkpoint_kind_name(
    wr_checkpoint_kind k); /* Flink's words: "Checkpoint", "Full Checkpoint", "Savepoint" */

typedef struct wr_ckpt_subtask {
    uint32_t subtask;
    bool finished; /* all its inputs had ended and everything was emitted */
    wr_opstate ops;
    wr_state_handle *keyed; /* NULL: none */
    /* What barriers overtook in the channels of the operator's task (of which it is the first):
     * runtime/inflight.c. */
    wr_state_file *inflight; /* NULL: none */
} wr_ckpt_subtask;

typedef struct wr_ckpt_operator {
    wr_str logical_id, name; /* name as EXPLAIN shows it: for people */
    uint32_t parallelism, max_parallelism;
    wr_ckpt_subtask *subtasks;
    uint32_t subtask_count;
} wr_ckpt_operator;

typedef struct wr_ckpt_meta {
    uint32_t version; /* of the format */
    uint8_t kind;     /* wr_checkpoint_kind */
    uint64_t id;
    int64_t time_ms; /* when it was triggered; wall clock */
    wr_str job_id, job_name, weir_version;
    wr_str sql; /* what the job computes, as written; may be empty */
    wr_ckpt_operator *operators;
    uint32_t operator_count;
    /* Filled by load: */
    wr_str path;       /* its folder */
    wr_str shared_dir; /* where shared files are; empty: all are beside _metadata */
} wr_ckpt_meta;

/* The bytes of _metadata, and back. Decoding takes any bytes: what is wrong is told as WR_CORRUPT
 * ("... is damaged: the checksum does not match in ...") or, a format of another major version, as
 * WR_UNSUPPORTED with both numbers. What is decoded points into `bytes`. */
wr_status wr_ckpt_encode(wr_ctx *ctx, const wr_ckpt_meta *m, wr_arena *a, wr_str *out) WR_MUST_USE;
wr_status wr_ckpt_decode(wr_ctx *ctx, wr_str bytes, wr_arena *a, wr_ckpt_meta *out) WR_MUST_USE;
/* `path`: a folder with _metadata, or the file itself. Relative names are resolved. */
wr_status wr_ckpt_load(wr_ctx *ctx, wr_str path, wr_arena *a, wr_ckpt_meta **out) WR_MUST_USE;
/* Every file of it is there, of the right size, with the right checksum; else WR_CORRUPT naming
 * the first that is not. */
wr_status wr_ckpt_verify(wr_ctx *ctx, const wr_ckpt_meta *m) WR_MUST_USE;
wr_status wr_ckpt_reader(wr_ctx *ctx, const wr_ckpt_meta *m, wr_arena *a,
                         wr_state_reader **out) WR_MUST_USE;
const wr_ckpt_operator *wr_ckpt_find(const wr_ckpt_meta *m, wr_str logical_id); /* NULL: none */
uint64_t wr_ckpt_bytes(const wr_ckpt_meta *m); /* of all its files, and operator state */
uint64_t wr_opstate_bytes(const wr_opstate *s);

/* ---- a changed query ------------------------------------------------------------------------- */
typedef enum wr_state_fate {
    WR_STATE_KEPT,
    WR_STATE_MIGRATED, /* something is kept, something converted, new or dropped */
    WR_STATE_NEW,
    WR_STATE_DROPPED,
    WR_STATE_REFUSED
} wr_state_fate;
/* What restoring tables `old` of one operator into its tables `now` would do; in words, appended to
 * `what`: "new SUM(x); dropped COUNT(y); converted row (amount INT -> BIGINT)". *drops: it is
 * restored only when that is allowed. */
wr_status wr_state_compare(wr_ctx *ctx, wr_arena *a, const wr_state_table_info *old,
                           uint32_t old_count, const wr_state_table_info *now, uint32_t now_count,
                           wr_state_fate *fate, bool *drops, wr_text *what) WR_MUST_USE;
/* What a snapshot would say of a table; `parent`: its number, -1 = none. All in `a`. */
wr_status wr_state_describe(wr_ctx *ctx, wr_arena *a, const wr_state_desc *d, int32_t parent,
                            wr_state_table_info *out) WR_MUST_USE;

/* ---- the checkpoints of one job -------------------------------------------------------------- */
/* thread: the coordinator's, except where said. */
typedef struct wr_ckpt_store wr_ckpt_store;
/* Creates <root>/<job_id>/{shared,taskowned} and locks the job's folder against other processes
 * (WR_EXISTS when another one holds it, with its process id). Removes what earlier processes left
 * unpublished: chk-* folders without _metadata, shared files that no published checkpoint names.
 * `retain`: how many published checkpoints are kept (execution.checkpointing.num-retained). */
wr_status wr_ckpt_store_open(wr_ctx *ctx, wr_str root, wr_str job_id, uint32_t retain,
                             wr_memtrack *budget, wr_ckpt_store **out) WR_MUST_USE;
void wr_ckpt_store_close(wr_ckpt_store *s); /* what is unpublished is removed */
/* Writes of less than that are put together (execution.checkpointing.write-buffer-size). */
void wr_ckpt_store_set_buffer(wr_ckpt_store *s, uint64_t bytes);
/* Ids of the published checkpoints, newest first, in `a`. Damaged ones are in the list as well:
 * load tells. */
wr_status wr_ckpt_store_list(wr_ctx *ctx, wr_ckpt_store *s, wr_arena *a, uint64_t **ids,
                             uint32_t *count) WR_MUST_USE;
/* The n of a folder's name "chk-<n>"; false: another name. thread: any */
bool wr_ckpt_number(wr_str name, uint64_t *id);
wr_str wr_ckpt_store_path(wr_ckpt_store *s, uint64_t id, wr_arena *a); /* of chk-<id> */
/* Published checkpoint `id` stays until it was released as often as it was held; what is then one
 * too many goes with the next publishing. False: it is not there (any more). thread: any, while the
 * store is open */
bool wr_ckpt_store_hold(wr_ckpt_store *s, uint64_t id) WR_MUST_USE;
void wr_ckpt_store_release(wr_ckpt_store *s, uint64_t id);
/* A restored checkpoint from elsewhere becomes this job's (CLAIM): its files are kept as long as
 * its checkpoints use them, then removed. */
wr_status wr_ckpt_store_claim(wr_ctx *ctx, wr_ckpt_store *s, const wr_ckpt_meta *m) WR_MUST_USE;

typedef struct wr_ckpt wr_ckpt; /* one in the making */
/* savepoint_dir empty: checkpoint chk-<id>. Else a savepoint in a new folder
 * <savepoint_dir>/savepoint-<first 6 of the job id>-<12 random hex digits>. */
wr_status wr_ckpt_begin(wr_ctx *ctx, wr_ckpt_store *s, uint64_t id, wr_checkpoint_kind kind,
                        wr_str savepoint_dir, wr_ckpt **out) WR_MUST_USE;
/* A writer for one backend's snapshot or any other files; several may be in use at once.
 * thread: any; the writer itself: one. Close it in any case. */
wr_status wr_ckpt_writer_open(wr_ctx *ctx, wr_ckpt *c, wr_state_writer **out) WR_MUST_USE;
void wr_ckpt_writer_close(wr_state_writer *w);
wr_arena *wr_ckpt_arena(wr_ckpt *c); /* for its meta; thread: the coordinator's */
wr_str wr_ckpt_path(const wr_ckpt *c);
/* Write _metadata, sync, rename it into place, sync the folder: then it exists. Older checkpoints
 * beyond `retain` are removed, then shared files that none names any more. Frees *c. When it
 * fails, nothing is published and everything of it is removed. */
wr_status wr_ckpt_publish(wr_ctx *ctx, wr_ckpt *take_c, const wr_ckpt_meta *m) WR_MUST_USE;
void wr_ckpt_discard(wr_ckpt *take_c);
/* The job has ended for good and nothing is to be kept: all of its checkpoints go, and its
 * folder. */
/* The folder that savepoints go to, and those above it, unless they are there. */
wr_status wr_ckpt_make_folder(wr_ctx *ctx, wr_str dir) WR_MUST_USE;
bool wr_ckpt_store_is_empty(const wr_ckpt_store *s); /* it has no checkpoint, nor one in work */
wr_status wr_ckpt_store_remove_all(wr_ctx *ctx, wr_ckpt_store *s) WR_MUST_USE;

/* ---- for tools ------------------------------------------------------------------------------- */
/* A savepoint in the new folder `dir` (WR_EXISTS when it is there), without the store of a job. */
wr_status wr_ckpt_begin_alone(wr_ctx *ctx, wr_str dir, uint64_t id, wr_checkpoint_kind kind,
                              wr_memtrack *budget, wr_ckpt **out) WR_MUST_USE;

/* Remove a checkpoint or savepoint for good: its files, not those that others share. Refused with
 * WR_EXISTS while a process works with the folder of its job, or when a job beside it has claimed
 * it. A job of another folder that goes on from it is not known here. */
typedef struct wr_ckpt_disposed {
    const wr_ckpt_meta *meta; /* what it was */
    uint32_t files, shared;   /* removed; left because neighbours name them */
    uint64_t bytes;           /* removed */
    uint32_t others;          /* savepoint: what else was in its folder, which stays then */
} wr_ckpt_disposed;
wr_status wr_ckpt_dispose(wr_ctx *ctx, wr_str path, wr_arena *a, wr_ckpt_disposed *out) WR_MUST_USE;

/* All entries of one handle: by ascending key group, within it by table in the handle's order. */
typedef struct wr_ckpt_entry { /* borrowed until the next one */
    uint32_t table, key_group;
    wr_str parent_key, key; /* encoded; parent_key: MAP, ORDERED */
    int64_t time_ms;        /* of the last write, in tables with a time to live */
    const uint8_t *record;  /* blobs and TRANSIENT parts are zero */
    const uint8_t *blobs;
    uint32_t blob_count;
} wr_ckpt_entry;
typedef struct wr_ckpt_scan wr_ckpt_scan;
wr_status wr_ckpt_scan_open(wr_ctx *ctx, const wr_state_handle *h, wr_state_reader *r,
                            const struct wr_config *config, wr_memtrack *budget,
                            wr_ckpt_scan **out) WR_MUST_USE;
wr_status wr_ckpt_scan_next(wr_ctx *ctx, wr_ckpt_scan *s, wr_ckpt_entry *out,
                            bool *end) WR_MUST_USE;
void wr_ckpt_scan_close(wr_ckpt_scan *s); /* NULL is fine */
/* What the blob at byte `offset` of the record holds; false: empty. */
bool wr_ckpt_entry_blob(const wr_ckpt_entry *e, uint32_t offset, wr_str *out);

typedef struct wr_ckpt_changes {
    const wr_str *rename_from, *rename_to; /* operators, by logical id */
    uint32_t rename_count;
    const wr_str *drop;
    uint32_t drop_count;
    wr_checkpoint_kind kind;        /* one of the savepoints */
    const struct wr_config *config; /* may be NULL */
    wr_memtrack *budget;
} wr_ckpt_changes;
/* Write `in` again as a savepoint in the new folder `dir`. In-flight data stays. When it fails,
 * nothing is there. */
wr_status wr_ckpt_rewrite(wr_ctx *ctx, const wr_ckpt_meta *in, wr_str dir,
                          const wr_ckpt_changes *changes) WR_MUST_USE;

/* The keyed state of one operator in memory, to be changed and written again. `m` and `op` are
 * borrowed until close. */
typedef struct wr_ckpt_edit wr_ckpt_edit;
wr_status wr_ckpt_edit_open(wr_ctx *ctx, const wr_ckpt_meta *m, const wr_ckpt_operator *op,
                            const struct wr_config *config, wr_memtrack *budget,
                            wr_ckpt_edit **out) WR_MUST_USE;
wr_state_table *wr_ckpt_edit_table(wr_ckpt_edit *e, wr_str logical_id); /* NULL: none */
/* All of `m` as a canonical savepoint in the new folder `dir`, with the state of this operator as
 * it is now, in one handle. When it fails, nothing is there. Once. */
wr_status wr_ckpt_edit_write(wr_ctx *ctx, wr_ckpt_edit *e, wr_str dir) WR_MUST_USE;
void wr_ckpt_edit_close(wr_ckpt_edit *e); /* NULL is fine */

#endif
