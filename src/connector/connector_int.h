/* SPDX-License-Identifier: Apache-2.0 */
/* Private to connector/: what the connectors share. */
#ifndef WR_CONNECTOR_CONNECTOR_INT_H
#define WR_CONNECTOR_CONNECTOR_INT_H

#include "connector/connector.h"
#include "spi/factory.h"

extern const wr_sink_ops wri_print_sink, wri_blackhole_sink, wri_record_sink, wri_stdout_sink,
    wri_filesystem_sink, wri_savepoint_sink, wri_materialized_sink;
extern const wr_source_ops wri_script_source, wri_stdin_source, wri_socket_source,
    wri_datagen_source, wri_nexmark_source, wri_filesystem_source, wri_savepoint_source,
    wri_savepoint_metadata_source, wri_materialized_source, wri_lookup_source;

/* ---- methods that several connectors have in common ------------------------------------------ */
void wri_committed_nothing(wr_reader *r, uint64_t checkpoint_id);
/* A source whose splits are all there before the first poll. */
wr_status wri_no_more_nothing(wr_ctx *ctx, wr_reader *r);
/* A source with the one split "". */
wr_status wri_discover_single(wr_ctx *ctx, const wr_source_spec *spec, uint32_t parallelism,
                              wr_arena *arena, wr_str **splits_out, uint32_t *count_out,
                              int64_t *recheck_ms);
/* Selects the rows of a filled batch that the pushed filters leave. */
wr_status wri_filters_apply(wr_ctx *ctx, const wr_source_spec *spec, wr_batch *fill) WR_MUST_USE;
/* Sinks that write at once: nothing to commit. */
wr_status wri_sink_watermark_nothing(wr_ctx *ctx, wr_writer *w, int64_t watermark);
wr_status wri_sink_tick_nothing(wr_ctx *ctx, wr_writer *w, int64_t now_ms, int64_t *next_ms);
wr_status wri_sink_flush_nothing(wr_ctx *ctx, wr_writer *w);
wr_status wri_sink_prepare_nothing(wr_ctx *ctx, wr_writer *w, uint64_t checkpoint_id, wr_arena *a,
                                   wr_str *committable);
wr_status wri_sink_snapshot_nothing(wr_ctx *ctx, wr_writer *w, uint64_t checkpoint_id,
                                    wr_opstate *out) WR_MUST_USE;
wr_status wri_sink_restore_nothing(wr_ctx *ctx, wr_writer *w, const wr_opstate *in) WR_MUST_USE;
wr_status wri_sink_commit_nothing(wr_ctx *ctx, const wr_sink_spec *spec,
                                  const wr_commit *c) WR_MUST_USE;
wr_status wri_sink_finish_nothing(wr_ctx *ctx, wr_writer *w);

/* ---- positions of splits (position.c) -------------------------------------------------------- */
#define WRI_POSITION_MAX 32u /* numbers in a position */
wr_status wri_position_put(wr_ctx *ctx, wr_opstate *s, wr_str split, const int64_t *numbers,
                           uint32_t count) WR_MUST_USE;
/* The numbers of a position, at most `count`; *got 0: the split's beginning. WR_CORRUPT when it is
 * something else. */
wr_status wri_position_get(wr_ctx *ctx, wr_str split, wr_str position, int64_t *numbers,
                           uint32_t count, uint32_t *got) WR_MUST_USE;
/* Splits "index/count": one per subtask of the job's first parallelism. */
wr_status wri_discover_shares(wr_ctx *ctx, const wr_source_spec *spec, uint32_t parallelism,
                              wr_arena *arena, wr_str **splits_out, uint32_t *count_out,
                              int64_t *recheck_ms) WR_MUST_USE;
bool wri_split_of(wr_str split, uint32_t *index, uint32_t *count) WR_MUST_USE;
wr_status wri_share_put(wr_ctx *ctx, wr_opstate *s, uint32_t index, uint32_t count,
                        const int64_t *numbers, uint32_t number_count) WR_MUST_USE;

/* ---- options --------------------------------------------------------------------------------- */
wr_status wri_option_int(wr_ctx *ctx, const wr_options *o, const wr_option_def *defs,
                         const char *key, int64_t *out) WR_MUST_USE; /* 0 when unset */
wr_status wri_option_bool(wr_ctx *ctx, const wr_options *o, const wr_option_def *defs,
                          const char *key, bool *out) WR_MUST_USE;
wr_status wri_option_str(wr_ctx *ctx, const wr_options *o, const wr_option_def *defs,
                         const char *key, wr_str *out) WR_MUST_USE; /* ptr NULL when unset */
/* 'lookup.cache' = 'FULL' (full_cache.def): may lookup joins keep the table, and how long? */
wr_status wri_full_cache(wr_ctx *ctx, const wr_options *options, const wr_option_def *defs,
                         wr_source_info *out) WR_MUST_USE;
/* sink.parallelism and scan.parallelism: 0 when unset, an error when not positive. */
wr_status wri_option_parallelism(wr_ctx *ctx, const wr_table_desc *table, const wr_options *o,
                                 const wr_option_def *defs, const char *key,
                                 uint32_t *out) WR_MUST_USE;

/* ---- formats --------------------------------------------------------------------------------- */
/* The table's physical columns, less those of `but` (partition keys): what a format sees. */
wr_status wri_format_schema(wr_ctx *ctx, const wr_table_desc *table, const wr_str *but,
                            uint32_t but_count, wr_arena *a, wr_schema *out) WR_MUST_USE;
/* Finds the format and checks its options against the schema. */
wr_status wri_format_check(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
                           bool encode, wr_arena *a, const wr_format_ops **out) WR_MUST_USE;
/* A decoder for a scan: physical columns go to the batch columns that want them. */
wr_status wri_decoder_open(wr_ctx *ctx, const wr_source_spec *spec, const wr_source_env *env,
                           wr_str source_name, const wr_format_ops **format,
                           wr_decoder **out) WR_MUST_USE;

/* "all", "upsert", "insert" or a list "I,UB,UA,D"; item gives the position. */
wr_status wri_changelog_mode(wr_ctx *ctx, wr_str text, const wr_option *item,
                             wr_clmode *out) WR_MUST_USE;

/* Does the table take its watermarks from the source? */
bool wri_is_source_watermark(const wr_table_desc *table);

/* ---- script turns ---------------------------------------------------------------------------- */
typedef struct wri_turn wri_turn; /* one script reader of a job */
/* Joins the job's turns; yours until left. */
wr_status wri_turn_join(wr_ctx *ctx, const wr_source_env *env, wri_turn **out) WR_MUST_USE;
/* True when step `step` may begin: everyone of the job waits for it or a later one, and nothing is
 * left to do. Until then the caller counts as waiting. */
bool wri_turn_await(wri_turn *t, int64_t step);
/* The last step that began; and after a restore: steps up to this one began already. */
int64_t wri_turn_now(wri_turn *t);
void wri_turn_resume(wri_turn *t, int64_t step);
void wri_turn_leave(wri_turn *t);

#endif
