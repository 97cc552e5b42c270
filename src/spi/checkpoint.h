/* SPDX-License-Identifier: Apache-2.0 */
/* What checkpoints and savepoints are made of, as the rooms pass it around: operator state, keyed
 * state handles, and the files behind them. How it lies on disk is state/'s business.
 *
 * A checkpoint of a job holds, per operator (logical id) and subtask: its operator state (lists of
 * byte strings that are redistributed when the parallelism changes) and the handle of its keyed
 * state (which files, which key groups, which tables). */
#ifndef WR_SPI_CHECKPOINT_H
#define WR_SPI_CHECKPOINT_H

#include "spi/fs.h"

/* ---- operator state -------------------------------------------------------------------------- */
typedef enum wr_opstate_mode {                   /* who gets the items after a restore */
                               WR_OPSTATE_LIST,  /* dealt out in turn over the subtasks */
                               WR_OPSTATE_UNION, /* all items of all subtasks to every subtask */
                               WR_OPSTATE_BROADCAST, /* the items of one subtask to every subtask */
                               WR_OPSTATE_MODES
} wr_opstate_mode;

typedef struct wr_opstate_list {
    wr_str name; /* unique in the operator */
    uint8_t mode;
    WR_LIST(wr_str) items;
} wr_opstate_list;

typedef struct wr_opstate { /* everything lies in `arena` */
    wr_arena *arena;
    WR_LIST(wr_opstate_list) lists;
} wr_opstate;

/* Append a copy of `item` to list `name` (made when there is none; the mode must be the same). */
wr_status wr_opstate_add(wr_ctx *ctx, wr_opstate *s, wr_str name, wr_opstate_mode mode,
                         wr_str item) WR_MUST_USE;
const wr_opstate_list *wr_opstate_find(const wr_opstate *s, const char *name); /* NULL: none */
/* What subtask `subtask` of `parallelism` gets of the states of `count` former subtasks, appended
 * to *out (items are shared, not copied). LIST items go to item number modulo parallelism, counted
 * over all former subtasks in order. */
wr_status wr_opstate_redistribute(wr_ctx *ctx, const wr_opstate *const *old, uint32_t count,
                                  uint32_t subtask, uint32_t parallelism,
                                  wr_opstate *out) WR_MUST_USE;

/* ---- keyed state ----------------------------------------------------------------------------- */
typedef struct wr_state_file {
    wr_str name; /* relative to the checkpoint's folder, or to its job's shared folder */
    bool shared; /* may be used by several checkpoints */
    uint64_t bytes;
    uint64_t checksum; /* XXH3-64 of the whole file */
} wr_state_file;

typedef struct wr_state_part_info { /* see wr_state_part */
    wr_str name;
    uint8_t kind;
    uint32_t offset, bytes;
    wr_schema schema; /* ROW */
} wr_state_part_info;

typedef struct wr_state_table_info { /* a table as it was when the snapshot was taken */
    wr_str logical_id;
    uint8_t shape; /* wr_state_shape */
    wr_schema key;
    uint32_t record_bytes, record_version;
    int64_t ttl_ms;
    int32_t parent; /* index among the handle's tables, -1 = none; parents come first */
    wr_state_part_info *parts;
    uint32_t part_count;
    uint64_t entries; /* live entries */
} wr_state_table_info;

typedef struct wr_state_handle { /* a snapshot of one backend: plain data in an arena */
    wr_str format; /* "log" (hashmap), "rocksdb", "canonical"; with its version: "log-1" */
    uint32_t kg_first, kg_last, max_parallelism;
    wr_state_table_info *tables;
    uint32_t table_count;
    wr_state_file *files; /* in the order in which they are to be read */
    uint32_t file_count;
    wr_str meta;            /* the format's own */
    uint64_t bytes_written; /* by this snapshot: what is new in it */
} wr_state_handle;

/* Where a backend puts the files of one snapshot. thread: the snapshot thread. Files are complete
 * and on disk when close returns. */
typedef struct wr_state_writer wr_state_writer;
struct wr_state_writer {
    wr_arena *arena; /* for the handle and its names; lives as long as the checkpoint is in work */
    /* A new file; its name is the writer's choice. */
    wr_status (*create)(wr_ctx *ctx, wr_state_writer *w, bool shared);
    wr_status (*append)(wr_ctx *ctx, wr_state_writer *w, const void *p, size_t len);
    wr_status (*close)(wr_ctx *ctx, wr_state_writer *w, wr_state_file *out);
    /* A file that is there already (RocksDB's): linked, or copied where that is not possible. */
    wr_status (*adopt)(wr_ctx *ctx, wr_state_writer *w, wr_str local_path, bool shared,
                       wr_state_file *out);
    /* A file for what has no room in memory while the snapshot is written: *out takes append, *in
     * what was appended by read_at. It has no name any more and is gone when both are closed. NULL:
     * not offered, so everything stays in memory. */
    wr_status (*scratch)(wr_ctx *ctx, wr_state_writer *w, wr_file **out, wr_file **in);
    /* Bytes that a backend may use to put entries in order before it goes to a scratch file; 0: the
     * backend's choice. */
    size_t sort_bytes;
};

/* Where a backend finds the files of a handle. thread: the restoring task's. */
typedef struct wr_state_reader wr_state_reader;
struct wr_state_reader {
    wr_arena *arena;
    bool owned; /* shared files are the job's own: snapshots to come may name them again */
    /* For read_at and map; close it. Raises WR_CORRUPT with the file's name when its size is not
     * what the handle says. */
    wr_status (*open)(wr_ctx *ctx, wr_state_reader *r, const wr_state_file *file, wr_file **out);
    /* Full path, for linking. */
    wr_status (*path)(wr_ctx *ctx, wr_state_reader *r, const wr_state_file *file, wr_str *out);
};

#endif
