/* SPDX-License-Identifier: Apache-2.0 */
/* Running scripts: statement after statement, results to standard output, errors and notices to
 * standard error. */
#include "cli/cli_int.h"

#define STOP_TIMEOUT_MS 30000
#define GRACE_MS        10000 /* for what was given up to end; then it is killed */

static void
print_notice(void *arg, const char *text)
{
    wri_run *r = arg;
    if (r->args->quiet) return;
    wri_console_take(&r->console);
    (void)fprintf(stderr, "NOTICE: %s\n", text);
    wri_console_give(&r->console);
}

void
wri_run_ctx(wri_run *r, wr_ctx *ctx)
{
    wr_ctx_init(ctx);
    ctx->cancel = r->cancel ? r->cancel : wr_os_cancel_flag();
    ctx->notice = print_notice;
    ctx->notice_arg = r;
}

/* ---- opening --------------------------------------------------------------------------------- */

static wr_status
set_option(wr_ctx *ctx, wri_run *r, const char *from, wr_str key, wr_str value)
{
    wr_status status =
        wr_catalogs_set(ctx, wr_session_catalogs(r->session), key, value, WR_NO_SPAN);
    if (status != WR_OK) wr_frame(ctx, "on the command line: %s", from);
    return status;
}

static wr_status
apply_recovery(wr_ctx *ctx, wri_run *r)
{
    const wri_args *a = r->args;
    if (a->from_savepoint)
        WR_TRY(set_option(ctx, r, "--from-savepoint", WR_STR("execution.state-recovery.path"),
                          wr_str_c(a->from_savepoint)));
    if (a->claim_mode)
        WR_TRY(set_option(ctx, r, "--claim-mode", WR_STR("execution.state-recovery.claim-mode"),
                          wr_str_c(a->claim_mode)));
    if (a->allow_non_restored)
        WR_TRY(set_option(ctx, r, "--allow-non-restored-state",
                          WR_STR("execution.state-recovery.ignore-unclaimed-state"),
                          WR_STR("true")));
    if (!a->state_dir) return WR_OK;
    if (r->interactive)
        return wr_raise(ctx, WR_USAGE, "--state is for scripts: weir run --state DIR FILE");
    return wr_session_set_state(ctx, r->session, wr_str_c(a->state_dir));
}

/* Scripts stop in good order; in the shell Ctrl-C ends the statement. */
static wr_status
apply_stop(wr_ctx *ctx, wri_run *r)
{
    int64_t timeout_ms = STOP_TIMEOUT_MS;
    if (r->interactive) return WR_OK;
    if (r->args->stop_timeout) {
        wr_status status = wr_duration_parse(ctx, wr_str_c(r->args->stop_timeout), &timeout_ms);
        if (status != WR_OK) wr_frame(ctx, "on the command line: --stop-timeout");
        WR_TRY(status);
    }
    wr_session_set_stop(r->session, wr_os_cancel_flag(), timeout_ms);
    wr_os_signals_deadline(WR_MIN(timeout_ms, INT64_MAX / 2) + GRACE_MS, GRACE_MS);
    return WR_OK;
}

static wr_status
apply_args(wr_ctx *ctx, wri_run *r)
{
    const wri_args *a = r->args;
    if (a->mode)
        WR_TRY(set_option(ctx, r, "--mode", WR_STR("execution.runtime-mode"), wr_str_c(a->mode)));
    if (a->parallelism) {
        WR_TRY(set_option(ctx, r, "--parallelism", WR_STR("parallelism.default"),
                          wr_str_c(a->parallelism)));
        const wr_config *c = wr_catalogs_config(wr_session_catalogs(r->session));
        int64_t n = wr_config_int(c, "parallelism.default");
        if (n < 1 || n > WR_PARALLELISM_MAX)
            return wr_raise(ctx, WR_OPTION, "--parallelism must be between 1 and %u, but was %lld",
                            WR_PARALLELISM_MAX, (long long)n);
    }
    for (uint32_t i = 0; i < a->set_count; i++)
        WR_TRY(set_option(ctx, r, "--set", a->sets[i].key, a->sets[i].value));
    return apply_recovery(ctx, r);
}

/* Below this nothing runs, and a person meant another unit. */
#define MEMORY_LEAST (1 << 20)

static wr_status
read_memory(wr_ctx *ctx, const char *text, size_t *out)
{
    int64_t bytes = 0;
    wr_status status = wr_memory_parse(ctx, wr_str_c(text), &bytes);
    if (status == WR_OK && bytes < MEMORY_LEAST)
        status = wr_raise(ctx, WR_OPTION, "'%s' is %lld bytes; at least 1mb is needed", text,
                          (long long)bytes);
    if (status != WR_OK) {
        wr_hint(ctx, "write a number and a unit, such as 512mb or 2gb");
        wr_frame(ctx, "on the command line: --memory");
    }
    *out = (size_t)bytes;
    return status;
}

/* What print connectors write shares the terminal with the status line. */
static wr_status
write_shared(wri_run *r, wr_os_file file, wr_str text)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wri_console_take(&r->console);
    wr_status status = wr_os_file_write(&ctx, &file, text.ptr, text.len);
    wri_console_give(&r->console);
    return status;
}

static wr_status
session_out(void *arg, wr_str text)
{
    return write_shared(arg, wr_os_stdout(), text);
}

static wr_status
session_err(void *arg, wr_str text)
{
    return write_shared(arg, wr_os_stderr(), text);
}

wr_status
wri_run_open(wr_ctx *ctx, wri_run *r, const wri_args *args, bool interactive)
{
    memset(r, 0, sizeof *r);
    r->args = args;
    r->interactive = interactive;
    wr_os_file out = wr_os_stdout(), err = wr_os_stderr();
    bool terminal = wr_os_is_terminal(&err);
    r->color = terminal && !wr_os_env("NO_COLOR");
    wri_console_init(&r->console, terminal && !args->quiet, r->color);
    wri_output_init(&r->output, args->has_format ? args->format : WRI_FORMAT_TABLEAU, out);
    r->output.console = &r->console;
    r->output.watched = r->console.on || interactive;
    ctx->notice = print_notice;
    ctx->notice_arg = r;
    wr_engine_config config = {.data_dir = args->data_dir ? wr_str_c(args->data_dir) : (wr_str){0}};
    /* without a limit the machine's memory would be it, and the end of the process */
    config.memory_bytes = (size_t)(wr_os_memory_bytes() / 5 * 4);
    if (args->memory) WR_TRY(read_memory(ctx, args->memory, &config.memory_bytes));
    WR_TRY(wr_engine_create(ctx, &config, &r->engine));
    WR_TRY(wr_session_create(ctx, r->engine, &r->session));
    wr_session_set_output(r->session, session_out, session_err, r);
    WR_TRY(apply_stop(ctx, r));
    return apply_args(ctx, r);
}

void
wri_run_close(wri_run *r)
{
    wri_output_deinit(&r->output);
    wr_session_destroy(r->session);
    wr_engine_destroy(r->engine);
    wri_console_deinit(&r->console);
}

/* ---- statements ------------------------------------------------------------------------------ */

/* Display options may change with every SET. */
static void
refresh_display(wri_run *r)
{
    const wr_config *c = wr_catalogs_config(wr_session_catalogs(r->session));
    int64_t width = wr_config_int(c, "table.display.max-column-width");
    r->output.width_max = width > 3 ? (uint32_t)WR_MIN(width, 100000) : 30;
    r->output.time_cost = wr_os_is_terminal(&r->output.file) &&
                          wr_config_bool(c, "sql-client.display.print-time-cost");
}

/* Ctrl-C and SIGTERM are no errors of the statement, nor is a reader that has seen enough (`|
 * head`): the exit code says enough. */
bool
wri_run_failed(wri_run *r, wr_ctx *ctx, wr_status status)
{
    bool stopped = status == WR_CANCELLED && (r->cancel || wr_os_signal_last() != 0);
    if (status == WR_IO && wr_os_stream_reader_gone(&r->output.file)) stopped = true;
    wri_output_abort(&r->output);
    if (r->leave) r->leave(r->output.arg);
    wri_console_take(&r->console);
    if (!stopped) wri_error_print(ctx, wr_os_stderr(), r->args->json, r->color);
    wri_console_give(&r->console);
    if (!r->code || stopped) r->code = wri_exit_code(status);
    return r->args->keep_going && !stopped;
}

/* An initialisation script sets the stage and nothing else. */
static wr_status
check_init(wr_ctx *ctx, wr_str one)
{
    wr_ast *ast = NULL;
    wr_arena *arena = wr_arena_create(NULL, 0);
    WR_TRY_ALLOC(ctx, arena);
    wr_status status = wr_sql_parse(ctx, one, arena, &ast);
    if (status == WR_OK) {
        bool fine = false;
        switch ((int)ast->kind) {
        case WR_AST_CREATE_TABLE:
            fine = WR_AST_AS(wr_ast_create_table, WR_AST_CREATE_TABLE, ast)->query == NULL;
            break;
        case WR_AST_CREATE_VIEW:
        case WR_AST_CREATE_FUNCTION:
        case WR_AST_CREATE_MODEL:
        case WR_AST_CREATE_OBJECT:
        case WR_AST_ALTER:
        case WR_AST_DROP:
        case WR_AST_USE:
        case WR_AST_MODULE:
        case WR_AST_SET:
        case WR_AST_JAR:
            fine = true;
            break;
        default:
            break;
        }
        if (!fine) {
            status = wr_raise_at(ctx, WR_SEMANTIC, ast->span,
                                 "Unsupported operation in sql init file: %s",
                                 wr_ast_kind_name(ast->kind));
            wr_hint(ctx, "--init takes DDL, USE, SET, RESET, LOAD and ADD JAR; give other "
                         "statements with -c or as a script");
        }
    }
    wr_arena_destroy(arena);
    return status;
}

/* The words of the SQL client that are no SQL. */
static bool
client_word(wri_run *r, wr_str one)
{
    if (wr_str_eq_nocase(one, WR_STR("quit")) || wr_str_eq_nocase(one, WR_STR("exit"))) {
        r->quit = true;
        return true;
    }
    if (wr_str_eq_nocase(one, WR_STR("help"))) {
        (void)wri_help_print(NULL);
        return true;
    }
    if (!wr_str_eq_nocase(one, WR_STR("clear"))) return false;
    wr_os_file out = wr_os_stdout();
    if (wr_os_is_terminal(&out)) (void)session_out(r, WR_STR("\x1b[H\x1b[2J"));
    return true;
}

bool
wri_run_statement(wri_run *r, wr_str text, wr_span stmt, wr_str name)
{
    wr_ctx ctx;
    wr_err more[WR_ERR_MORE_MAX];
    wr_str one = {text.ptr + stmt.start, stmt.end - stmt.start};
    if (client_word(r, one)) return !r->quit;
    wr_result_sink sink = wri_output_sink(&r->output);
    wri_run_ctx(r, &ctx);
    ctx.sql = text;
    ctx.source_name = name;
    ctx.more = more;
    refresh_display(r);
    wr_status status = r->in_init ? check_init(&ctx, one) : WR_OK;
    if (status == WR_OK) status = wr_session_execute(&ctx, r->session, one, &sink);
    const bool placeless = ctx.err.span.start == UINT32_MAX && ctx.more_count == 0;
    if (status != WR_OK && placeless) /* the statement is the place */
        ctx.line_base = wr_linecol_of(text, stmt.start).line - 1;
    if (status != WR_OK) return wri_run_failed(r, &ctx, status);
    return true;
}

bool
wri_run_text(wri_run *r, wr_str text, wr_str name)
{
    wr_span stmt;
    size_t pos = 0;
    while (wr_sql_split(text, &pos, &stmt, NULL) != WR_SQL_SPLIT_END)
        if (wri_run_stop_asked(r) || !wri_run_statement(r, text, stmt, name)) return false;
    return true;
}

/* A whole file or stream, zero-terminated, in an arena. */
static wr_status
read_all(wr_ctx *ctx, wr_os_file *f, wr_arena *a, wr_str *out)
{
    wr_text t;
    char buf[65536];
    wr_text_init(&t, a);
    for (;;) {
        size_t got = 0;
        WR_TRY(wr_os_file_read(ctx, f, buf, sizeof buf, &got));
        if (got == 0) break;
        wr_text_put(&t, buf, got);
    }
    if (t.failed) return wr_raise(ctx, WR_NOMEM, "out of memory");
    *out = wr_text_str(&t);
    return WR_OK;
}

wr_status
wri_run_read(wr_ctx *ctx, const char *path, wr_arena *a, wr_str *out)
{
    wr_os_file f = wr_os_stdin();
    const bool is_stdin = strcmp(path, "-") == 0;
    *out = (wr_str){"", 0};
    if (!is_stdin) WR_TRY(wr_os_file_open(ctx, path, WR_OS_READ, &f));
    const wr_status status = read_all(ctx, &f, a, out);
    if (!is_stdin) wr_os_file_close(&f);
    if (out->len >= 3 && memcmp(out->ptr, "\xef\xbb\xbf", 3) == 0) /* editors put it there */
        *out = (wr_str){out->ptr + 3, out->len - 3};
    return status;
}

bool
wri_run_file(wri_run *r, const char *path)
{
    wr_ctx ctx;
    wr_str text = {0};
    bool go_on;
    wri_run_ctx(r, &ctx);
    wr_arena *arena = wr_arena_create(NULL, 0);
    wr_status status =
        arena ? wri_run_read(&ctx, path, arena, &text) : wr_raise(&ctx, WR_NOMEM, "out of memory");
    if (status == WR_OK)
        go_on = wri_run_text(r, text, strcmp(path, "-") == 0 ? WR_STR("stdin") : wr_str_c(path));
    else
        go_on = wri_run_failed(r, &ctx, status);
    wr_arena_destroy(arena);
    return go_on;
}

static void
watch_background(void *arg, const wr_job *job)
{
    wri_run *r = arg;
    wri_console_progress(&r->console, job);
}

bool
wri_run_stop_asked(const wri_run *r)
{
    return !r->interactive && wr_os_signal_last() != 0;
}

/* The exit code when a signal asked for the end. Every job stopped in good order: 0 for SIGTERM,
 * that of an interruption for Ctrl-C, which scripts and make expect to see. Jobs given up: that of
 * the signal. Nothing to stop: that of an interruption. */
static void
end_by_signal(wri_run *r)
{
    int interrupted = wri_exit_code(WR_CANCELLED), given_up = 128 + wr_os_signal_last();
    if (r->code && r->code != interrupted) return; /* an error came first */
    switch (wr_session_stop_state(r->session)) {
    case WR_SESSION_RUNS:
        r->code = interrupted;
        return;
    case WR_SESSION_STOPPING:
        /* a statement that was about to begin may have been cancelled */
        r->code = given_up == interrupted ? interrupted : 0;
        return;
    case WR_SESSION_ABORTED:
        r->code = given_up;
        return;
    case WR_SESSION_LATE:
        print_notice(r, "the jobs did not stop in time and were given up: what their last "
                        "checkpoints say is safe (--stop-timeout gives more time)");
        r->code = given_up;
        return;
    }
}

bool
wri_run_wait(wri_run *r)
{
    wr_ctx ctx;
    bool ended = false;
    wr_result_sink sink = {.progress = watch_background, .arg = r};
    wri_run_ctx(r, &ctx);
    wri_console_begin(&r->console, false);
    wr_status status = wr_session_wait_jobs(&ctx, r->session, &sink, -1, &ended);
    wri_console_take(&r->console);
    wri_console_give(&r->console);
    bool go_on = status == WR_OK || wri_run_failed(r, &ctx, status);
    if (wr_os_signal_last() != 0) end_by_signal(r);
    return go_on;
}
