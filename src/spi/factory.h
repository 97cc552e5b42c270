/* SPDX-License-Identifier: Apache-2.0 */
/* From a table's options to its connector and format, with every check that needs no knowledge of
 * the connector beyond its option table: is there such a connector, can it be read or written, are
 * the required options there, are there unknown ones, do the values parse. Error texts are Flink's
 * core sentences; near names go to the candidates; the outer sentence ("Unable to create a source
 * for reading table ...") becomes a frame. thread: the session's */
#ifndef WR_SPI_FACTORY_H
#define WR_SPI_FACTORY_H

#include "spi/registry.h"

/* The connector that option 'connector' names, with all options checked against its table. */
wr_status wr_source_find_checked(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
                                 const wr_source_ops **out) WR_MUST_USE;
wr_status wr_sink_find_checked(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
                               const wr_sink_ops **out) WR_MUST_USE;
/* "Could not find any format factory for identifier 'x' in the classpath." */
wr_status wr_format_find_checked(wr_ctx *ctx, wr_str name, wr_span span,
                                 const wr_format_ops **out) WR_MUST_USE;

/* Options that every table may have: 'connector', 'property-version', 'scan.watermark.*'. Ends with
 * key NULL. */
extern const wr_option_def wr_table_options[];

/* Required ones present, no unknown key, every value parses. Keys of formats count as known: for
 * each option of `defs` with WR_OPTF_FORMAT that is set, '<format>.<key>' (or
 * 'key.<format>.<key>', 'value.<format>.<key>'). `factory` names the connector in texts. */
wr_status wr_options_validate(wr_ctx *ctx, const char *factory, const wr_options *options,
                              const wr_option_def *defs) WR_MUST_USE;
/* The text "Unsupported options found for 'x'. ..." for the keys of `bad`; `good` lists what is
 * supported. Both are sorted in place. Candidates are added. */
wr_status wr_options_unsupported(wr_ctx *ctx, const char *factory, wr_str *bad, uint32_t bad_count,
                                 wr_str *good, uint32_t good_count, wr_span span);
/* The options of a format with their prefix removed: prefix "csv." of key 'csv.allow-comments'. The
 * items lie in the arena, their texts are borrowed. */
wr_status wr_options_strip(wr_ctx *ctx, const wr_options *options, wr_str prefix, wr_arena *arena,
                           wr_options *out) WR_MUST_USE;
/* The format that option `key` ('format') names and its options without prefix. */
wr_status wr_format_of(wr_ctx *ctx, const wr_options *options, const char *key, wr_arena *arena,
                       const wr_format_ops **format, wr_options *format_options) WR_MUST_USE;

#endif
