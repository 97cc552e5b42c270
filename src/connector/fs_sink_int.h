/* SPDX-License-Identifier: Apache-2.0 */
/* Private to connector/: the parts of the filesystem sink.
 *
 * fs_sink.c the writer: rows to parts, barriers; fs_part.c parts: files while they are written and
 * after a restore; fs_target.c what the options say; fs_pending.c partitions that are not committed
 * yet; fs_commit.c what a checkpoint makes visible; fs_compact.c small files put together. */
#ifndef WR_CONNECTOR_FS_SINK_INT_H
#define WR_CONNECTOR_FS_SINK_INT_H

#include "connector/fs_int.h"
#include "connector/twophase_int.h"
#include "types/datetime.h"

/* ---- where and how (fs_target.c) ------------------------------------------------------------- */
typedef struct wri_target {
    wr_fs *fs;
    wr_str path, default_name, success_name;
    bool success;        /* commit policy success-file, of a partitioned table */
    bool partition_time; /* commit trigger */
    int64_t delay_ms;
    wr_str pattern; /* of a partition's time; ptr NULL: its first value is the time */
    const wr_tz *zone;
    uint64_t compact_bytes; /* auto-compaction: size of merged files; 0: no */
} wri_target;

wr_status wri_target_check(wr_ctx *ctx, const wr_options *o) WR_MUST_USE; /* planning */
wr_status wri_target_open(wr_ctx *ctx, const wr_sink_spec *spec, wr_arena *a,
                          wri_target *out) WR_MUST_USE;
/* "path/dir/name", in `a`; dir may be empty. */
wr_status wri_target_path(wr_ctx *ctx, const wri_target *t, wr_str dir, wr_str name, wr_arena *a,
                          wr_str *out) WR_MUST_USE;
/* Has the watermark passed the instant of a partition "dt=2020-01-01/h=1" and the delay? */
wr_status wri_partition_is_past(wr_ctx *ctx, const wri_target *t, wr_str dir, int64_t watermark,
                                wr_arena *a, bool *out) WR_MUST_USE;

/* ---- items of a committable ------------------------------------------------------------------ */
typedef enum wri_fs_item_kind {
    WRI_FS_FILE = 'F',     /* rename `hidden` to `name` */
    WRI_FS_PARTITION = 'P' /* a partition with uncommitted rows */
} wri_fs_item_kind;

typedef struct wri_fs_item {
    uint8_t kind;
    wr_str dir, hidden, name;
    uint64_t bytes;
    int64_t reported_ms; /* PARTITION: when it was first told with what is in it now */
    bool ready;          /* PARTITION: may be committed, as far as this subtask knows */
} wri_fs_item;
wr_status wri_fs_item_put(wr_ctx *ctx, wri_twophase *t, const wri_fs_item *item) WR_MUST_USE;
wr_status wri_fs_item_get(wr_ctx *ctx, wr_str text, wri_fs_item *out) WR_MUST_USE; /* borrowed */

/* Gives a complete file its name, once: done already is fine. */
wr_status wri_fs_publish(wr_ctx *ctx, const wri_target *t, const wri_fs_item *file,
                         wr_arena *a) WR_MUST_USE;
/* The same for the files of one checkpoint, small ones of a partition put together. */
wr_status wri_fs_compact(wr_ctx *ctx, const wri_target *t, wri_fs_item *files, uint32_t count,
                         wr_arena *a) WR_MUST_USE;
wr_status wri_fs_copy(wr_ctx *ctx, wr_file *from, wr_file *to, uint64_t bytes,
                      wr_arena *a) WR_MUST_USE;
/* An empty success file, made anew. */
wr_status wri_fs_success(wr_ctx *ctx, const wri_target *t, wr_str dir, wr_arena *a) WR_MUST_USE;
/* Is there one that is not older than `reported_ms`? */
wr_status wri_fs_covered(wr_ctx *ctx, const wri_target *t, wr_str dir, int64_t reported_ms,
                         wr_arena *a, bool *out) WR_MUST_USE;
wr_status wri_fs_commit(wr_ctx *ctx, const wr_sink_spec *spec, const wr_commit *c) WR_MUST_USE;

/* ---- parts (fs_part.c) ----------------------------------------------------------------------- */
typedef struct wri_part { /* an open file */
    wr_arena *arena;      /* holds its texts */
    wr_str dir;           /* "dt=a/h=1", empty for a table without partitions */
    wr_str hidden, name;
    wr_file *file;
    uint64_t bytes;
    bool unsynced;
    bool named; /* a checkpoint may name it */
    int64_t opened_ms, written_ms;
} wri_part;

typedef struct wri_parts {
    const wri_target *target;
    const wr_sink_env *env;
    wri_twophase *items; /* complete files go there */
    bool batch;          /* names as in batch jobs */
    bool at_once;        /* complete files become visible at once: no checkpoints */
    char uuid[40];
    wr_str key; /* 32 hex digits: of the job and the sink */
    uint32_t next_part;
    wr_arena *scratch; /* the writer's */
    WR_LIST(wri_part) open;
} wri_parts;

wr_status wri_parts_init(wr_ctx *ctx, wri_parts *p) WR_MUST_USE; /* members above uuid are set */
/* The open part of a partition, made when there is none. */
wr_status wri_part_of(wr_ctx *ctx, wri_parts *p, wr_str dir, wri_part **out) WR_MUST_USE;
/* The part is complete. */
wr_status wri_part_end(wr_ctx *ctx, wri_parts *p, uint32_t index) WR_MUST_USE;
wr_status wri_part_sync(wr_ctx *ctx, wri_part *part) WR_MUST_USE;
wr_status wri_parts_snapshot(wr_ctx *ctx, wri_parts *p, wr_opstate *out) WR_MUST_USE;
/* Goes on with what a checkpoint names. `go_on` false: they are complete as they are. */
wr_status wri_parts_restore(wr_ctx *ctx, wri_parts *p, const wr_opstate *in,
                            bool go_on) WR_MUST_USE;
/* Removes what dead attempts of this job and sink made behind checkpoint `epoch`. */
wr_status wri_parts_clean(wr_ctx *ctx, wri_parts *p, uint64_t epoch) WR_MUST_USE;
/* Forgets everything; what no checkpoint names is removed. */
void wri_parts_close(wri_parts *p);

/* ---- partitions that are not committed yet (fs_pending.c) ------------------------------------ */
typedef struct wri_pending {
    wr_arena *arena;
    wr_str dir;
    int64_t created_ms;  /* first row since it was committed */
    int64_t reported_ms; /* told to commits at that time; 0: not yet */
    int64_t dirty_ms;    /* first row since then; 0: none */
} wri_pending;

typedef struct wri_pendings {
    const wri_target *target;
    wr_memtrack *budget;
    wr_arena *list_arena;
    WR_LIST(wri_pending) items;
    uint32_t last; /* where the last row was noted */
} wri_pendings;

wr_status wri_pending_note(wr_ctx *ctx, wri_pendings *p, wr_str dir, int64_t now_ms) WR_MUST_USE;
/* May the partition be committed, as far as this subtask can know? */
wr_status wri_pending_ready(wr_ctx *ctx, const wri_pendings *p, const wri_pending *item,
                            int64_t now_ms, int64_t watermark, wr_arena *scratch,
                            bool *out) WR_MUST_USE;
wri_pending *wri_pending_find(const wri_pendings *p, wr_str dir); /* NULL: none */
/* Items for all of them; those that were committed meanwhile are forgotten. */
wr_status wri_pending_report(wr_ctx *ctx, wri_pendings *p, int64_t now_ms, int64_t watermark,
                             wr_arena *scratch, wri_twophase *out) WR_MUST_USE;
wr_status wri_pending_snapshot(wr_ctx *ctx, const wri_pendings *p, wr_opstate *out) WR_MUST_USE;
wr_status wri_pending_restore(wr_ctx *ctx, wri_pendings *p, const wr_opstate *in) WR_MUST_USE;
void wri_pending_close(wri_pendings *p);

#endif
