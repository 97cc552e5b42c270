/* SPDX-License-Identifier: Apache-2.0 */
/* How results are shown: the formats of --format. An output is a wr_result_sink that writes to one
 * stream. */
#ifndef WR_CLI_OUTPUT_H
#define WR_CLI_OUTPUT_H

#include "engine/engine.h"
#include "os/os.h"

typedef enum wri_format {
    WRI_FORMAT_TABLE,     /* the final content, as a table */
    WRI_FORMAT_CHANGELOG, /* +I[1, abc]: as the print connector writes */
    WRI_FORMAT_TABLEAU,   /* as Flink's SQL client prints in tableau mode */
    WRI_FORMAT_CSV,
    WRI_FORMAT_JSON,  /* {"op":"+I","row":["1","abc"]}: values as the SQL client displays them */
    WRI_FORMAT_JSONL, /* {"a":1,"b":"abc"}: typed members by column name; "op" first in streaming
                         mode */
    WRI_FORMAT_MARKDOWN,
    WRI_FORMAT_VERTICAL,
    WRI_FORMAT_COUNT
} wri_format;
const char *wri_format_name(wri_format f);
bool wri_format_find(wr_str name, wri_format *out);

typedef struct wri_row { /* a collected row: displayed cells; NULL ptr = NULL */
    wr_str *cells;
    uint8_t kind;
} wri_row;

typedef struct wri_output {
    wri_format format;
    wr_os_file file;
    bool info_lines;    /* [INFO] lines for statements without rows (tableau, table) */
    bool time_cost;     /* append "(0.12 seconds)" */
    uint32_t width_max; /* table.display.max-column-width */
    void (*progress)(void *arg, const wr_job *job);
    void *progress_arg;
    /* of the present statement: */
    wr_result_head head;
    wr_arena *arena;
    wr_text text; /* what is about to be written */
    uint64_t rows;
    int64_t started_ns;
    uint32_t *widths;
    WR_LIST(wri_row) kept; /* rows that must be seen all before the first is printed */
} wri_output;

void wri_output_init(wri_output *o, wri_format format, wr_os_file file);
void wri_output_deinit(wri_output *o);
wr_result_sink wri_output_sink(wri_output *o);
/* The statement was cancelled or failed after rows had been shown: close the table. */
void wri_output_abort(wri_output *o);
wr_status wri_output_flush(wr_ctx *ctx, wri_output *o) WR_MUST_USE;

/* tableau.c */
uint32_t wri_text_width(wr_str s); /* columns on a terminal; wide characters count 2 */
void wri_tableau_begin(wri_output *o);
void wri_tableau_row(wri_output *o, const wri_row *row);
void wri_tableau_end(wri_output *o);
void wri_tableau_kept(wri_output *o, bool blank_null); /* a whole table, widths by content */

/* rows to cells */
wr_str wri_cell(wri_output *o, const wr_batch *batch, uint32_t row,
                uint32_t col); /* ptr NULL = NULL */
void wri_json_string(wr_text *out, wr_str s);

#endif
