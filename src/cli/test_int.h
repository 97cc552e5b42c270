/* SPDX-License-Identifier: Apache-2.0 */
/* Private to `weir test`: a test file as steps, and what became of them.
 *
 * test_file.c text to steps; test_input.c rows of tables as scripts; test_case.c a case carried
 * out; test_match.c expected rows against what came; test_files.c folders, reports, the exit code.
 */
#ifndef WR_CLI_TEST_INT_H
#define WR_CLI_TEST_INT_H

#include "cli/cli_int.h"

typedef enum wri_test_kind {
    WRI_TEST_SQL,       /* text: a statement */
    WRI_TEST_SCRIPT,    /* text: path of a script */
    WRI_TEST_INPUT,     /* text: table, more: column names or empty; rows */
    WRI_TEST_WATERMARK, /* text: table, more: time */
    WRI_TEST_CLOCK,     /* text: time, or +duration */
    WRI_TEST_IGNORE,    /* text: a table that is written to, whatever comes */
    WRI_TEST_EXPECT     /* text: table or empty (the last query), or the error; rows */
} wri_test_kind;

typedef enum wri_test_want { WRI_TEST_FINAL, WRI_TEST_CHANGELOG, WRI_TEST_ERROR } wri_test_want;

typedef struct wri_test_row { /* "+I[1, a]" as it is written */
    wr_str text;
    uint32_t line;
} wri_test_row;

typedef struct wri_test_step {
    uint8_t kind, want;
    uint32_t line;
    wr_str text, more;
    WR_LIST(wri_test_row) rows;
} wri_test_step;

typedef WR_LIST(wri_test_step) wri_test_steps;

typedef struct wri_test_case {
    wr_str name;
    uint32_t line;
    wri_test_steps steps;
} wri_test_case;

typedef struct wri_test_file {
    const char *path;
    wr_str text;
    wri_test_steps setup; /* what comes before the first case: carried out before each */
    WR_LIST(wri_test_case) cases;
} wri_test_file;

/* Reads a file's text as steps. WR_SYNTAX "path:line: ..." when something is wrong. */
wr_status wri_test_parse(wr_ctx *ctx, wr_arena *a, wri_test_file *f) WR_MUST_USE;
uint32_t wri_test_line_of(wr_str text, const char *at);

/* ---- rows ------------------------------------------------------------------------------------ */
typedef WR_LIST(wr_str) wri_test_cells;
/* "+I[1, a]": its kind (none written: +I) and its cells as written. False: it is no row. */
bool wri_test_split(wr_str row, wr_arena *a, wr_kind *kind, wri_test_cells *cells) WR_MUST_USE;
/* A moment in the one way that is compared: 2024-01-01 10:00:00[.5]; other text as it is. */
wr_str wri_test_moment(wr_str cell, wr_arena *a);
/* Does the row that came (as `print` writes it) read as the expected one? */
bool wri_test_same(wr_str want, wr_str got, bool kinds, wr_arena *a);
/* The changelog's content; rows without kind. `key`: of upserts, NULL = whole rows. */
wr_status wri_test_settle(wr_ctx *ctx, const wr_str *lines, uint32_t count, const uint32_t *key,
                          uint32_t key_count, wr_arena *a, wri_test_cells *out) WR_MUST_USE;
/* Nothing when both are the same, else their difference as lines "- ..." and "+ ...". */
void wri_test_diff(const wri_test_step *want, const wri_test_cells *got, wr_arena *a, wr_text *out);

/* ---- input ----------------------------------------------------------------------------------- */
typedef struct wri_test_table { /* a table that the case fills, or whose rows it looks at */
    wr_str name;
    bool filled, looked_at, watermarked, done;
    bool of_others; /* other cases alone name it */
    uint32_t line;
} wri_test_table;

typedef struct wri_test_timeline { /* what comes in a case, in its order */
    wri_test_steps steps;
    WR_LIST(wri_test_table) tables;
    int64_t start_ms; /* of the clock */
} wri_test_timeline;

wr_status wri_test_timeline_make(wr_ctx *ctx, wr_arena *a, const wri_test_file *f,
                                 const wri_test_case *c, wri_test_timeline *out) WR_MUST_USE;
/* Tables that have come to be get the test's rows, or keep what is written to them. */
wr_status wri_test_take_tables(wr_ctx *ctx, wr_arena *a, wr_session *s, const wri_test_file *f,
                               wri_test_timeline *t) WR_MUST_USE;

/* ---- cases ----------------------------------------------------------------------------------- */
typedef struct wri_test_result {
    bool failed;
    bool expects_nothing; /* it only fails when a statement does */
    wr_text message;      /* why, lines */
    int64_t ms;
} wri_test_result;

/* Ends a case that takes too long, or when the process is asked to end: `flag` is what statements
 * look at (wr_ctx.cancel). thread: any */
typedef struct wri_test_watch {
    wr_os_thread thread;
    volatile int flag, late, over; /* atomic; over: the watch is to end */
    int64_t deadline_ns;           /* atomic, monotonic; 0 = none */
    int64_t limit_ms;
} wri_test_watch;
wr_status wri_test_watch_start(wr_ctx *ctx, wri_test_watch *w, int64_t limit_ms) WR_MUST_USE;
void wri_test_watch_end(wri_test_watch *w);
void wri_test_watch_case(wri_test_watch *w, bool begins);

void wri_test_case_run(wri_test_watch *watch, const wri_args *args, const wri_test_file *f,
                       const wri_test_case *c, wr_arena *a, wri_test_result *out);

#endif
