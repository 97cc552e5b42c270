/* SPDX-License-Identifier: Apache-2.0 */
/* The connectors that come with weir. Everything else about them goes through spi/connector.h. */
#ifndef WR_CONNECTOR_CONNECTOR_H
#define WR_CONNECTOR_CONNECTOR_H

#include "spi/registry.h"

/* Put every connector of this room into the registry; once, at start. False: out of room. */
bool wr_connectors_register(void) WR_MUST_USE;

/* ---- what 'record' sinks have kept: lines as 'print' writes them, per table --------------------
 * The table's name is its object name alone. thread: any */
void wr_record_reset(void); /* forget everything */
/* Names of the tables that have recorded something, in order of their first row. */
wr_status wr_record_tables(wr_ctx *ctx, wr_arena *arena, wr_str **names,
                           uint32_t *count) WR_MUST_USE;
/* The lines of a table, in order of arrival, copied; an unknown table has none. */
wr_status wr_record_lines(wr_ctx *ctx, wr_str table, wr_arena *arena, wr_str **lines,
                          uint32_t *count) WR_MUST_USE;

/* ---- materialized tables that name no connector: 'connector' = 'materialized', 'id' = <any> -----
 * Forget the content of one; unknown ids are fine. thread: any */
void wr_materialized_drop(wr_str id);
/* Without rows, unless it is there. False: out of memory. */
bool wr_materialized_make(wr_str id) WR_MUST_USE;

/* ---- files as tables ---------------------------------------------------------------------------
 * SELECT ... FROM 'data/x.csv': the table that a file, folder or glob stands for. The format comes
 * from the extension (csv, tsv, json, jsonl, ndjson, txt, each perhaps with .gz or .zst), columns
 * and options from a sample of the first file. Everything lies in the arena; the id is left empty.
 */
wr_status wr_file_table(wr_ctx *ctx, wr_str path, wr_arena *arena, wr_table_desc *out) WR_MUST_USE;

/* ---- state as tables ---------------------------------------------------------------------------
 * The table of a savepoint's operators, as savepoint_metadata('path') shows them; and the table of
 * one operator's keyed state, which has the columns that the checkpoint tells: `op` as option
 * 'operator.uid' of 'savepoint', `state_table` as 'state.table' (may be empty). Everything lies in
 * the arena; the id is left empty. */
wr_status wr_savepoint_metadata_table(wr_ctx *ctx, wr_str path, wr_arena *arena,
                                      wr_table_desc *out) WR_MUST_USE;
wr_status wr_savepoint_table(wr_ctx *ctx, wr_str path, wr_str op, wr_str state_table,
                             wr_arena *arena, wr_table_desc *out) WR_MUST_USE;

/* One row as 'print' writes it: "+I[1, abc, null]", appended to `out`. */
void wr_print_row(const wr_batch *batch, uint32_t row, const wr_eval_env *eval, wr_text *out);

#endif
