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
    bool dead; /* of wri_kept: taken away */
    uint32_t next;
    uint64_t hash;
} wri_row;

typedef struct wri_kept { /* a settled changelog (kept.c) */
    wr_arena *arena;
    uint32_t col_count, live;
    uint32_t row_max; /* the oldest go when there are more; 0 = no limit */
    uint64_t dropped;
    WR_LIST(wri_row) rows; /* dead ones among them */
    uint32_t *slots, slot_count, oldest;
} wri_kept;
bool wri_kept_init(wri_kept *k, uint32_t col_count) WR_MUST_USE;
void wri_kept_deinit(wri_kept *k);
/* Cells are copied. False: out of memory. */
bool wri_kept_apply(wri_kept *k, const wri_row *change) WR_MUST_USE;

/* The console: a status line at the bottom of a terminal, below what is printed (console.c). All
 * writers to the terminal take it, which takes the line away. thread: any */
typedef struct wri_console {
    wr_os_mutex mutex;
    bool on;    /* there is a terminal to show a status line on */
    bool shown; /* and there is one now */
    bool color;
    bool bounded; /* of the running statement */
    int64_t started_ns, shown_ns, active_ns;
    uint64_t rows_in, rows_before;
    int64_t rate_ns;
    double rate; /* rows a second, smoothed */
} wri_console;
void wri_console_init(wri_console *c, bool on, bool color);
void wri_console_deinit(wri_console *c);
void wri_console_take(wri_console *c); /* NULL is fine */
void wri_console_give(wri_console *c);
void wri_console_begin(wri_console *c, bool bounded); /* a statement starts to run */
void wri_console_progress(wri_console *c, const wr_job *job);
/* The words of the status line, at most `columns` wide. */
void wri_console_text(wri_console *c, const wr_job_progress *p, int64_t now_ns, uint32_t columns,
                      wr_text *out);

typedef struct wri_output {
    wri_format format;
    wr_os_file file;
    bool info_lines;      /* [INFO] lines for statements without rows (tableau, table) */
    bool time_cost;       /* append "(0.12 seconds)" */
    uint32_t width_max;   /* table.display.max-column-width */
    wri_console *console; /* NULL: none */
    bool watched;         /* progress is wanted */
    void (*progress)(void *arg, const wr_job *job); /* besides the status line; may be NULL */
    /* Takes the rows of queries instead of a format (the shell's views); NULL: none. */
    wr_status (*divert)(wr_ctx *ctx, void *arg, const wri_row *row);
    void *arg;
    /* of the present statement: */
    wr_result_head head; /* names outlive the statement, types do not */
    wr_arena *head_arena;
    wr_arena *arena;
    wr_text text; /* what is about to be written */
    bool open;    /* a result has begun and not ended */
    uint64_t rows;
    int64_t started_ns;
    uint32_t *widths;
    wri_kept kept; /* rows that must be seen all before the first is printed */
} wri_output;

void wri_output_init(wri_output *o, wri_format format, wr_os_file file);
void wri_output_deinit(wri_output *o);
wr_result_sink wri_output_sink(wri_output *o);
/* The statement was cancelled or failed after rows had been shown: close the table. */
void wri_output_abort(wri_output *o);
wr_status wri_output_flush(wr_ctx *ctx, wri_output *o) WR_MUST_USE;

/* width.c */
uint32_t wri_text_width(wr_str s); /* columns on a terminal; wide characters count 2 */
uint32_t wri_char_width(uint32_t cp);
bool wri_is_wide(uint32_t cp);
/* As Flink counts: UTF-16 units, one more for wide characters. */
uint32_t wri_flink_width(wr_str s);
uint32_t wri_flink_char_width(uint32_t cp);
uint32_t wri_utf16_length(wr_str s);

/* tableau.c */
void wri_tableau_begin(wri_output *o);
void wri_tableau_row(wri_output *o, const wri_row *row);
void wri_tableau_end(wri_output *o);
void wri_tableau_kept(wri_output *o, bool blank_null); /* a whole table, widths by content */

/* rows to cells */
wr_str wri_cell(wri_output *o, const wr_batch *batch, uint32_t row,
                uint32_t col); /* ptr NULL = NULL */
void wri_json_string(wr_text *out, wr_str s);
/* The value in a row of a vector as JSON, nested ones too. */
void wri_json_value(wr_text *out, const wr_vec *v, uint32_t row, const struct wr_tz *tz);

#endif
