/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the shell: its commands, completion and the paged views of results. */
#ifndef WR_CLI_SHELL_INT_H
#define WR_CLI_SHELL_INT_H

#include "cli/cli_int.h"
#include "cli/edit.h"

/* complete.c: for wri_edit; arg is the wri_run. */
bool wri_complete(void *arg, wr_arena *a, wr_str text, size_t cursor, wri_candidates *out);

/* shell.c */
void wri_shell_command_names(void *arg, void (*each)(void *arg, wr_str name));

/* ---- view.c: a result on the whole screen, updated while its query runs ---------------------- */
typedef enum wri_view_kind {
    WRI_VIEW_TABLE,    /* the settled rows, in pages */
    WRI_VIEW_CHANGELOG /* the latest changes */
} wri_view_kind;

typedef struct wri_view {
    wri_run *run;
    wri_view_kind kind;
    const wri_output *output; /* whose head tells the columns */
    wri_kept rows;
    wr_os_terminal terminal;
    wri_keys keys;
    bool open;  /* the screen is ours */
    bool ended; /* the query is over: the view stays until Q */
    bool dirty, quit;
    bool row_shown; /* O: one row on the screen */
    uint32_t page;  /* 0 = the first; UINT32_MAX = the last */
    uint32_t selected;
    int64_t refresh_ms, drawn_ns;
    uint64_t changes;
    int cancel;      /* for wr_ctx.cancel */
    char number[12]; /* G: the page being typed */
    size_t number_len;
    bool typing;
} wri_view;

/* Divert the next query's rows; ctx->cancel must be &view->cancel. */
void wri_view_init(wri_view *v, wri_run *run, wri_view_kind kind);
wr_status wri_view_row(wr_ctx *ctx, void *arg,
                       const wri_row *row) WR_MUST_USE; /* wri_output.divert */
void wri_view_progress(void *arg, const wr_job *job);   /* .progress */
/* The query is over: stay until the user leaves. False: there were no rows of a query to show. */
bool wri_view_finish(wri_view *v, bool failed);
void wri_view_leave(void *arg); /* the screen is the shell's again */
/* The whole screen as text. */
void wri_view_draw(wri_view *v, uint32_t columns, uint32_t rows, wr_text *out);

#endif
