/* SPDX-License-Identifier: Apache-2.0 */
/* Connectors: sources and sinks of tables.
 *
 * Coordinator side (planning): `describe` looks at a table and says what it can do; wrong options
 * are reported here. Task side: a reader per source subtask polls splits, never blocking; a writer
 * per sink subtask takes batches. */
#ifndef WR_SPI_CONNECTOR_H
#define WR_SPI_CONNECTOR_H

#include "spi/catalog.h"
#include "spi/checkpoint.h"
#include "spi/function.h"

/* Changelog modes are sets of kinds. */
enum {
    WR_CL_I = 1u << WR_INSERT,
    WR_CL_UB = 1u << WR_UPDATE_BEFORE,
    WR_CL_UA = 1u << WR_UPDATE_AFTER,
    WR_CL_D = 1u << WR_DELETE,
    WR_CL_INSERT_ONLY = WR_CL_I,
    WR_CL_UPSERT = WR_CL_I | WR_CL_UA | WR_CL_D,
    WR_CL_ALL = 15
};
typedef uint8_t wr_clmode;

/* ---- sources --------------------------------------------------------------------------------- */
typedef struct wr_metadata_col { /* a metadata key that a source or sink offers */
    const char *key;
    const wr_type *type;
    bool writable;
} wr_metadata_col;

/* A conjunct pushed into a scan: column op literal. A source that takes it must apply it exactly.
 */
typedef struct wr_pushed_filter {
    uint32_t col; /* index into the table's read columns (wr_source_spec.columns) */
    wr_cmpop op;
    wr_value value;
} wr_pushed_filter;

/* When a table that lookup joins keep is read again. */
typedef enum wr_reload_kind {
    WR_RELOAD_NEVER,
    WR_RELOAD_DELAY, /* every_ms after it was read to its end */
    WR_RELOAD_RATE,  /* every_ms after its reading began */
    WR_RELOAD_TIMED  /* at_ms of a day, every every_ms */
} wr_reload_kind;

typedef struct wr_reload {
    uint8_t kind;     /* wr_reload_kind */
    bool local;       /* TIMED: a time of the session's zone; else of UTC */
    int64_t every_ms; /* TIMED: whole days */
    int64_t at_ms;
} wr_reload;

typedef struct wr_source_info { /* filled by describe */
    bool bounded;
    wr_clmode changelog;
    bool source_watermark;                   /* SOURCE_WATERMARK() is supported */
    bool key_deletes;                        /* -D may carry only the primary key */
    bool can_project, can_limit, can_filter; /* the planner may push */
    bool can_skip; /* columns that nobody needs may be left out of the spec, without a projection in
                      the plan (where Flink's source reads them all) */
    const wr_metadata_col *metadata; /* ends with key NULL; NULL = none */
    bool row_events; /* every row is an event of its own: where rows go several ways and meet again,
                        the plan keeps them in step */
    uint32_t parallelism_max; /* 0 = any; script: 1 */
    uint32_t parallelism;     /* wanted (scan.parallelism); 0 = job's */
    int64_t row_count;        /* estimate, -1 = unknown */
    bool keeps_order;         /* one subtask reads rows in a defined order */
    bool can_lookup;   /* lookup joins may read it whole and keep it (lookup.cache = FULL): it is
                          bounded and only inserts */
    wr_reload reload;  /* and read it again then */
    bool lookup_only;  /* nobody else may read it */
    bool lookup_keys;  /* lookup joins ask it by key; it cannot be read */
    bool lookup_async; /* several questions may be open */
    bool replayable;   /* after a failure it goes on where the checkpoint was: sockets cannot */
    bool split_watermarks; /* its splits go on by themselves in event time: the watermark is the
                              lowest of theirs */
    bool in_turn; /* it reads one split after the other: one without rows is not idle for that */
} wr_source_info;

typedef struct wr_source_spec { /* one scan of a plan; immutable, statement or job lifetime */
    const wr_table_desc *table;
    wr_options options; /* table options merged with hints */
    wr_schema columns;  /* what the reader must produce: projected physical columns, then metadata
                           columns */
    const int32_t
        *physical; /* per column: index among the table's physical columns, or -1 for metadata */
    const char *const *metadata;   /* per column: metadata key, or NULL */
    const uint64_t *const *fields; /* per ROW column: bitmap of its fields that are read, NULL =
                                      all; a reader may leave the others NULL. NULL = all of all */
    const wr_pushed_filter *filters;
    uint32_t filter_count;
    int64_t limit; /* -1 = none; the reader may stop after that many rows */
    wr_clmode changelog;
} wr_source_spec;

typedef struct wr_source_env { /* what a reader may use */
    wr_arena *arena;           /* task lifetime */
    wr_memtrack *budget;
    const wr_eval_env *eval;
    const wr_config *config;
    uint32_t subtask, parallelism;
    void *job; /* identity of the job, for readers that coordinate (script turns) */
    /* True when no other task of the job has anything left to do. */
    bool (*quiet)(void *arg);
    /* Ask the task to poll again soon (thread: any), for readers with their own wake-up. */
    void (*wake)(void *arg);
    void *arg;
} wr_source_env;

typedef enum wr_poll_kind {
    WR_POLL_READY,   /* rows were put into the batch (perhaps with a watermark) */
    WR_POLL_PENDING, /* nothing now */
    WR_POLL_END      /* no more, ever (rows may come with it) */
} wr_poll_kind;

typedef struct wr_poll {
    wr_poll_kind kind;
    uint32_t split;     /* the rows' split, in the order in which they were added */
    bool split_ended;   /* which gives nothing behind these rows */
    bool has_watermark; /* SOURCE_WATERMARK(): holds after the rows of this batch */
    int64_t watermark;
    int64_t wake_at_ms; /* PENDING: poll again at this monotonic ms at the latest; 0 = when woken */
    int fd;             /* PENDING: or when this descriptor is readable; -1 = none */
    uint64_t bytes;     /* bytes read, for metrics */
    uint64_t bytes_total; /* of all splits that this reader has; 0 = unknown */
} wr_poll;

typedef struct wr_reader wr_reader; /* opaque */

/* Questions by key. They are told apart by tickets; answers come in any order, but all rows of one
 * question together, those of one key side by side. */
typedef struct wr_lookup wr_lookup; /* opaque */
typedef struct wr_answer {
    bool have;          /* else there is none yet */
    uint64_t ticket;    /* whose rows these are */
    bool complete;      /* the last of it */
    int64_t wake_at_ms; /* none yet: ask again at this monotonic ms; 0 = soon */
} wr_answer;

typedef struct wr_source_ops {
    uint32_t abi;
    const char *name;             /* 'connector' = name */
    const wr_option_def *options; /* ends with key NULL */
    wr_status (*describe)(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
                          const wr_config *config, wr_arena *arena, wr_source_info *out);
    /* Splits at the start (coordinator). A source without a notion of splits gives one, named "".
     * Unbounded sources may discover more: called again after *recheck_ms (0 = never); known splits
     * are given again. */
    wr_status (*discover)(wr_ctx *ctx, const wr_source_spec *spec, uint32_t parallelism,
                          wr_arena *arena, wr_str **splits_out, uint32_t *count_out,
                          int64_t *recheck_ms);
    /* May be NULL. `split` is one of a checkpoint: is it among what the options stand for now? If
     * not, *was and *now name the two places for people; it is read all the same. */
    wr_status (*covers)(wr_ctx *ctx, const wr_source_spec *spec, wr_str split, bool *yes,
                        wr_str *was, wr_str *now);
    wr_status (*open)(wr_ctx *ctx, const wr_source_spec *spec, const wr_source_env *env,
                      wr_reader **out);
    wr_status (*add_split)(wr_ctx *ctx, wr_reader *r, wr_str split,
                           wr_str position); /* position empty = start */
    wr_status (*no_more_splits)(wr_ctx *ctx, wr_reader *r);
    /* Fill `fill` (columns initialised by the reader, see wr_batch_init_flat) with at most
     * `max_rows`. Never blocks. */
    wr_status (*poll)(wr_ctx *ctx, wr_reader *r, wr_batch *fill, uint32_t max_rows, wr_poll *out);
    /* wr_split_put() for every split that is not read to its end, at the place behind the last row
     * that was polled. The runtime remembers which splits were read to their ends. After a restore
     * add_split gets them back, at any parallelism, perhaps several to one reader. A source that
     * cannot go back puts its split without position, and says so in `describe` (replayable). */
    wr_status (*snapshot)(wr_ctx *ctx, wr_reader *r, uint64_t checkpoint_id, wr_opstate *out);
    void (*committed)(wr_reader *r,
                      uint64_t checkpoint_id); /* offsets may be told to the outside */
    void (*close)(wr_reader *r);
    /* Where `describe` says lookup_keys; else NULL. keys: columns of spec->columns that questions
     * give; spec, keys and env outlive the lookup. */
    wr_status (*lookup_open)(wr_ctx *ctx, const wr_source_spec *spec, const uint32_t *keys,
                             uint32_t key_count, const wr_source_env *env, wr_lookup **out);
    /* take_keys: a row for each key, no two alike, its columns in the order of `keys`. Without
     * lookup_async one question is open at a time. Never blocks. */
    wr_status (*lookup_ask)(wr_ctx *ctx, wr_lookup *l, wr_batch *take_keys, uint64_t ticket);
    /* Fills flat columns of at most max_rows rows, without selection; owner[i]: the key row of
     * row i. Keys without rows are left out. Never blocks. */
    wr_status (*lookup_answer)(wr_ctx *ctx, wr_lookup *l, wr_batch *fill, uint32_t *owner,
                               uint32_t max_rows, wr_answer *out);
    void (*lookup_close)(wr_lookup *l);
    /* May be NULL: then the reader is not polled while one of its splits is too far ahead. Until it
     * is told otherwise the reader gives no rows of `split` (in the order in which they were
     * added), be there others or not. */
    void (*pause)(wr_reader *r, uint32_t split, bool paused);
} wr_source_ops;

/* Splits in operator state (list "splits"). get: borrowed from the item; false: malformed. */
wr_status wr_split_put(wr_ctx *ctx, wr_opstate *s, wr_str split, wr_str position) WR_MUST_USE;
bool wr_split_get(wr_str item, wr_str *split, wr_str *position) WR_MUST_USE;

/* ---- sinks ----------------------------------------------------------------------------------- */
typedef struct wr_sink_info {
    wr_clmode changelog; /* what it accepts, given the requested mode */
    bool key_deletes;    /* -D with the primary key alone is enough */
    bool keyed;          /* upserts by primary key: wants rows of one key in order on one subtask */
    bool overwrite, partitions,
        bucketing; /* abilities: INSERT OVERWRITE, PARTITION(...), DISTRIBUTED */
    const wr_metadata_col *metadata;
    uint32_t parallelism;  /* sink.parallelism; 0 = job's */
    const char *guarantee; /* in words, for EXPLAIN and the log: "at-least-once: ..." */
} wr_sink_info;

typedef struct wr_sink_spec {
    const wr_table_desc *table;
    wr_options options;
    wr_schema columns; /* what write() gets: persisted columns (physical, then writable metadata) in
                          table order */
    const char *const *metadata; /* per column: metadata key or NULL */
    const uint32_t *primary_key; /* columns */
    uint32_t primary_key_count;
    const uint32_t *partition; /* columns */
    uint32_t partition_count;
    wr_clmode changelog; /* kinds that will arrive */
    bool overwrite;
    wr_str static_partition; /* "k=v/..." given by PARTITION (k='v'); empty if none */
} wr_sink_spec;

typedef struct wr_sink_env {
    wr_arena *arena;
    wr_memtrack *budget;
    const wr_eval_env *eval;
    const wr_config *config;
    uint32_t subtask, parallelism;
    wr_str job_id;      /* 32 hex digits: the same in every attempt and after every restore */
    wr_str operator_id; /* logical id: job and operator name a sink for ever */
    wr_str log_dir;     /* where write-ahead logs of sinks may lie: a folder of this job beside its
                           checkpoints, perhaps not there yet; empty: none */
    bool checkpointing; /* output is committed by checkpoints; else by `finish` alone */
    bool restoring;     /* restore() will be called */
    bool stopping;      /* from flush on: the job stops behind this barrier, so what is in progress
                           is to be completed by prepare */
    void *job;
    wr_status (*out)(
        void *arg,
        wr_str text); /* standard output of the session (print), serialised among threads */
    wr_status (*err)(void *arg, wr_str text);
    void *arg;
} wr_sink_env;

typedef struct wr_writer wr_writer;

typedef struct wr_commit { /* what one completed checkpoint commits in one sink */
    uint64_t checkpoint_id;
    const wr_str *committables; /* not empty ones, of all subtasks, oldest first */
    uint32_t count;
    bool end;               /* all input has ended: the last commit of the job */
    const wr_sink_env *env; /* subtask 0's; `out` and `err` work; arena: for this call */
} wr_commit;

typedef struct wr_sink_ops {
    uint32_t abi;
    const char *name;
    const wr_option_def *options;
    wr_status (*describe)(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
                          const wr_config *config, wr_clmode requested, wr_arena *arena,
                          wr_sink_info *out);
    wr_status (*open)(wr_ctx *ctx, const wr_sink_spec *spec, const wr_sink_env *env,
                      wr_writer **out);
    wr_status (*write)(wr_ctx *ctx, wr_writer *w,
                       const wr_batch *batch); /* live rows, kinds as declared */
    wr_status (*watermark)(wr_ctx *ctx, wr_writer *w, int64_t watermark);
    wr_status (*tick)(wr_ctx *ctx, wr_writer *w, int64_t now_ms,
                      int64_t *next_ms); /* timed policies; next_ms 0 = none */
    wr_status (*flush)(wr_ctx *ctx, wr_writer *w);
    /* At a barrier: everything written so far is made safe (flushed to disk, prepared in the other
     * system), and what a commit needs to know is returned (empty: nothing to commit). Committables
     * stay in checkpoints until they are committed, whatever becomes of the one they were made
     * for. */
    wr_status (*prepare)(wr_ctx *ctx, wr_writer *w, uint64_t checkpoint_id, wr_arena *a,
                         wr_str *committable);
    /* Behind prepare: what a new writer needs to go on (files in progress). */
    wr_status (*snapshot)(wr_ctx *ctx, wr_writer *w, uint64_t checkpoint_id, wr_opstate *out);
    /* After open, before any write, when the job starts from a checkpoint: this subtask's share;
     * empty when the checkpoint does not know the sink. Leftovers of attempts that came after the
     * checkpoint are removed. */
    wr_status (*restore)(wr_ctx *ctx, wr_writer *w, const wr_opstate *in);
    /* Make visible what all subtasks prepared. Idempotent: after a failure it runs again with the
     * same committables, perhaps in another process. thread: the coordinator's; no writer may be
     * touched. */
    wr_status (*commit)(wr_ctx *ctx, const wr_sink_spec *spec, const wr_commit *c);
    /* Without checkpoints: the input ended, make everything visible. With checkpoints (env
     * .checkpointing): the input ended, prepare and commit follow. */
    wr_status (*finish)(wr_ctx *ctx, wr_writer *w);
    /* Without finish: uncommitted output is discarded, except what a checkpoint may name. */
    void (*close)(wr_writer *w);
} wr_sink_ops;

#endif
