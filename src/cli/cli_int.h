/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the command. */
#ifndef WR_CLI_CLI_INT_H
#define WR_CLI_CLI_INT_H

#include <stdio.h>
#include <stdlib.h>

#include "cli/output.h"
#include "engine/engine.h"

/* ---- the command line ------------------------------------------------------------------------ */
typedef struct wri_set { /* --set K=V */
    wr_str key, value;
} wri_set;

typedef struct wri_args {
    const char *command; /* "run", "shell", "test", ...; "" = none given */
    const char *sql[64]; /* -c, in order */
    uint32_t sql_count;
    const char *files[256]; /* positional */
    uint32_t file_count;
    wri_set sets[128];
    uint32_t set_count;
    bool has_format, keep_going, json, quiet;
    wri_format format;
    const char *mode, *parallelism, *data_dir, *memory, *init; /* NULL = not given */
    const char *state_dir, *from_savepoint, *claim_mode, *stop_timeout;
    bool allow_non_restored;
    bool verify;             /* savepoint inspect */
    const char *renames[64]; /* savepoint rewrite */
    const char *drops[64];
    uint32_t rename_count, drop_count;
    const char *to_format; /* NULL = not given */
    bool serve;            /* test --serve */
    const char *limit;     /* test: of a case's time; NULL = not given */
    const char *junit;     /* test: a report for machines goes there; NULL = none */
    const char *topic;     /* help COMMAND */
} wri_args;

/* Parse argv; on a mistake prints what is wrong with the nearest option and returns the exit code
 * in *code, false. */
bool wri_args_parse(int argc, char **argv, wri_args *out, int *code);
bool wri_help_print(const char *topic); /* NULL = overview; false: no such command */
void wri_man_print(void);
bool wri_completion_print(const char *shell);

/* ---- running --------------------------------------------------------------------------------- */
typedef struct wri_run { /* one session being driven */
    const wri_args *args;
    wr_engine *engine;
    wr_session *session;
    wri_output output;
    wri_console console;
    bool interactive, color;
    bool in_init;               /* running --init */
    bool quit;                  /* QUIT or EXIT was said */
    const volatile int *cancel; /* of a view; NULL: the signals' flag */
    void (*leave)(void *arg);   /* give the screen back before an error is shown; with output.arg */
    int code;                   /* exit code of the first error */
} wri_run;

wr_status wri_run_open(wr_ctx *ctx, wri_run *r, const wri_args *args, bool interactive) WR_MUST_USE;
void wri_run_close(wri_run *r);
void wri_run_ctx(wri_run *r, wr_ctx *ctx); /* a context with notices and Ctrl-C */
/* Show an error and keep its exit code; false when nothing more should run. */
bool wri_run_failed(wri_run *r, wr_ctx *ctx, wr_status status);
/* Every statement of a text in order. Errors are printed; returns false when it should go no
 * further. `name`: for messages. */
bool wri_run_text(wri_run *r, wr_str text, wr_str name);
bool wri_run_file(wri_run *r, const char *path); /* "-": standard input */
/* A script's text ("-": standard input), in the arena. */
wr_status wri_run_read(wr_ctx *ctx, const char *path, wr_arena *a, wr_str *out) WR_MUST_USE;
bool wri_run_statement(wri_run *r, wr_str text, wr_span stmt, wr_str name);
/* Wait for what goes on in the background. */
bool wri_run_wait(wri_run *r);
/* Has a signal asked the run of scripts to end? (The shell has its own use for Ctrl-C.) */
bool wri_run_stop_asked(const wri_run *r);

int wri_cli_test_serve(void); /* the process's exit code */
int wri_cli_test(const wri_args *args);
int wri_cli_savepoint(const wri_args *args);
int wri_cli_shell(wri_run *r);

/* ---- errors.c -------------------------------------------------------------------------------- */
void wri_error_print(const wr_ctx *ctx, wr_os_file file, bool json, bool color);
int wri_exit_code(wr_status status);

#endif
