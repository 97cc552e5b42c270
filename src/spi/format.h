/* SPDX-License-Identifier: Apache-2.0 */
/* Formats: records of bytes to rows and back. Decoders are schema-directed and write straight into
 * vectors. */
#ifndef WR_SPI_FORMAT_H
#define WR_SPI_FORMAT_H

#include "spi/connector.h"

typedef struct wr_decoder wr_decoder;
typedef struct wr_encoder wr_encoder;

typedef struct wr_decode_spec {
    wr_options options; /* with the format's prefix removed: 'ignore-parse-errors' */
    wr_schema schema;   /* all physical columns of the record, in table order (CSV is positional) */
    const int32_t *out; /* per schema column: column of the batch to fill, -1 = not wanted */
    const char *const *metadata; /* keys of the format's metadata that are wanted, */
    const int32_t *metadata_out; /* and for each the column of the batch to fill */
    uint32_t metadata_count;
    wr_str source_name; /* file or topic, for messages */
    const wr_eval_env *eval;
    wr_arena *arena; /* task lifetime */
} wr_decode_spec;

typedef struct wr_decode_pos { /* where in the input, for messages: "file x, line 3, byte 812" */
    wr_str file;
    uint64_t line, byte; /* line 1-based; byte offset of the record */
} wr_decode_pos;

typedef struct wr_format_ops {
    uint32_t abi;
    const char *name;             /* 'format' = name */
    const wr_option_def *options; /* without prefix */
    wr_clmode changelog;          /* kinds that decoded rows may carry */
    bool line_delimited;          /* records end at '\n'; the file splitter may cut there */
    bool can_encode;
    /* What else a record tells, in `a`; ends with key NULL. NULL = nothing. */
    wr_status (*metadata)(wr_ctx *ctx, wr_arena *a, const wr_metadata_col **out);
    /* Check options against the schema at planning. */
    wr_status (*validate)(wr_ctx *ctx, const wr_schema *schema, const wr_options *options,
                          bool encode);
    wr_status (*decoder_open)(wr_ctx *ctx, const wr_decode_spec *spec, wr_decoder **out);
    /* Decode records out of data[0..len): whole records only unless `last`. Appends rows to `fill`
     * from row *rows on, up to max_rows; sets *used to the bytes consumed (0 with *rows unchanged:
     * needs more data). `data` stays valid and unchanged until `fill` dies (strings may point into
     * it) when `stable`; else the decoder copies. Kinds go to fill->kind. pos is advanced. Errors
     * name file, line and byte. */
    wr_status (*decode)(wr_ctx *ctx, wr_decoder *d, const char *data, size_t len, bool last,
                        bool stable, wr_batch *fill, uint32_t *rows, uint32_t max_rows,
                        size_t *used, wr_decode_pos *pos);
    /* One message that is exactly one record (Kafka, socket frames). */
    wr_status (*decode_one)(wr_ctx *ctx, wr_decoder *d, wr_str record, wr_batch *fill,
                            uint32_t *rows, uint32_t max_rows, wr_decode_pos *pos);
    /* Rows of the next record that were already given (it may have more than a batch has room for);
     * and before the first decode of restored input: so many of its first record were. NULL: a
     * record is one row. */
    uint32_t (*partial)(const wr_decoder *d);
    void (*resume)(wr_decoder *d, uint32_t rows);
    uint64_t (*skipped)(const wr_decoder *d); /* records dropped by ignore-parse-errors */
    void (*decoder_close)(wr_decoder *d);
    wr_status (*encoder_open)(wr_ctx *ctx, const wr_options *options, const wr_schema *schema,
                              const wr_eval_env *eval, wr_arena *arena, wr_encoder **out);
    /* Append every live row of the batch, each followed by '\n' when line_delimited, to `out`. */
    wr_status (*encode)(wr_ctx *ctx, wr_encoder *e, const wr_batch *batch, wr_text *out);
    void (*encoder_close)(wr_encoder *e);
    /* Guess columns from a sample (files as tables). May be NULL. */
    wr_status (*infer)(wr_ctx *ctx, wr_str sample, const wr_options *options, wr_arena *a,
                       wr_schema *out, bool *has_header);
} wr_format_ops;

#endif
