/* SPDX-License-Identifier: Apache-2.0 */
/* Running scripts: statement after statement, results to standard output, errors and notices to
 * standard error. */
#include "cli/cli_int.h"

static void
print_notice(void *arg, const char *text)
{
    const wri_run *r = arg;
    if (!r->args->quiet) (void)fprintf(stderr, "NOTICE: %s\n", text);
}

static wr_status
set_option(wr_ctx *ctx, wri_run *r, const char *key, const char *value)
{
    return wr_catalogs_set(ctx, wr_session_catalogs(r->session), wr_str_c(key), wr_str_c(value),
                           WR_NO_SPAN);
}

static wr_status
apply_args(wr_ctx *ctx, wri_run *r)
{
    const wri_args *a = r->args;
    if (a->mode) WR_TRY(set_option(ctx, r, "execution.runtime-mode", a->mode));
    if (a->parallelism) WR_TRY(set_option(ctx, r, "parallelism.default", a->parallelism));
    for (uint32_t i = 0; i < a->set_count; i++)
        WR_TRY(wr_catalogs_set(ctx, wr_session_catalogs(r->session), a->sets[i].key,
                               a->sets[i].value, WR_NO_SPAN));
    return WR_OK;
}

wr_status
wri_run_open(wr_ctx *ctx, wri_run *r, const wri_args *args, bool interactive)
{
    memset(r, 0, sizeof *r);
    r->args = args;
    r->interactive = interactive;
    wr_os_file out = wr_os_stdout(), err = wr_os_stderr();
    r->color = wr_os_is_terminal(&err);
    ctx->notice = print_notice;
    ctx->notice_arg = r;
    wr_engine_config config = {.data_dir = args->data_dir ? wr_str_c(args->data_dir) : (wr_str){0}};
    if (args->memory) {
        int64_t bytes = 0;
        WR_TRY(wr_memory_parse(ctx, wr_str_c(args->memory), &bytes));
        config.memory_bytes = (size_t)bytes;
    }
    WR_TRY(wr_engine_create(ctx, &config, &r->engine));
    WR_TRY(wr_session_create(ctx, r->engine, &r->session));
    wri_output_init(&r->output, args->has_format ? args->format : WRI_FORMAT_TABLEAU, out);
    r->output.time_cost = wr_os_is_terminal(&out);
    return apply_args(ctx, r);
}

void
wri_run_close(wri_run *r)
{
    wri_output_deinit(&r->output);
    wr_session_destroy(r->session);
    wr_engine_destroy(r->engine);
}

/* Display options may change with every SET. */
static void
refresh_display(wri_run *r)
{
    const wr_config *c = wr_catalogs_config(wr_session_catalogs(r->session));
    int64_t width = wr_config_int(c, "table.display.max-column-width");
    r->output.width_max = width > 3 ? (uint32_t)WR_MIN(width, 100000) : 30;
    if (!wr_config_bool(c, "sql-client.display.print-time-cost")) r->output.time_cost = false;
}

static bool
failed(wri_run *r, wr_ctx *ctx, wr_status status)
{
    if (status == WR_CANCELLED) wri_output_abort(&r->output);
    wri_error_print(ctx, wr_os_stderr(), r->args->json, r->color);
    if (!r->code) r->code = wri_exit_code(status);
    return r->args->keep_going && status != WR_CANCELLED;
}

bool
wri_run_statement(wri_run *r, wr_str text, wr_span stmt, wr_str name)
{
    wr_ctx ctx;
    wr_err more[WR_ERR_MORE_MAX];
    wr_result_sink sink = wri_output_sink(&r->output);
    wr_ctx_init(&ctx);
    ctx.sql = text;
    ctx.source_name = name;
    ctx.more = more;
    ctx.cancel = wr_os_cancel_flag();
    ctx.notice = print_notice;
    ctx.notice_arg = r;
    refresh_display(r);
    wr_str one = {text.ptr + stmt.start, stmt.end - stmt.start};
    wr_status status = wr_session_execute(&ctx, r->session, one, &sink);
    if (status != WR_OK) return failed(r, &ctx, status);
    return true;
}

bool
wri_run_text(wri_run *r, wr_str text, wr_str name)
{
    wr_span stmt;
    size_t pos = 0;
    while (wr_sql_split(text, &pos, &stmt, NULL) != WR_SQL_SPLIT_END)
        if (!wri_run_statement(r, text, stmt, name)) return false;
    return true;
}

bool
wri_run_wait(wri_run *r)
{
    wr_ctx ctx;
    bool ended = false;
    wr_ctx_init(&ctx);
    ctx.cancel = wr_os_cancel_flag();
    wr_status status = wr_session_wait_jobs(&ctx, r->session, NULL, -1, &ended);
    return status == WR_OK ? true : failed(r, &ctx, status);
}
