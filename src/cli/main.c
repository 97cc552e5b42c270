/* SPDX-License-Identifier: Apache-2.0 */
/* The `weir` command: what was asked for, and the exit code. */
#include "cli/cli_int.h"

static int
usage(const char *what, const char *arg)
{
    (void)fprintf(stderr, "weir: %s%s\n", what, arg);
    (void)fprintf(stderr, "try: weir --help\n");
    return 2;
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

static bool
run_file(wri_run *r, const char *path)
{
    wr_ctx ctx;
    wr_os_file f = wr_os_stdin();
    wr_str text = {0};
    bool is_stdin = strcmp(path, "-") == 0, go_on = false;
    wr_ctx_init(&ctx);
    wr_arena *arena = wr_arena_create(NULL, 0);
    wr_status status = arena ? WR_OK : wr_raise(&ctx, WR_NOMEM, "out of memory");
    if (status == WR_OK && !is_stdin) status = wr_os_file_open(&ctx, path, WR_OS_READ, &f);
    if (status == WR_OK) {
        status = read_all(&ctx, &f, arena, &text);
        if (!is_stdin) wr_os_file_close(&f);
    }
    if (status == WR_OK) {
        go_on = wri_run_text(r, text, is_stdin ? WR_STR("stdin") : wr_str_c(path));
    } else {
        wri_error_print(&ctx, wr_os_stderr(), r->args->json, r->color);
        if (!r->code) r->code = wri_exit_code(status);
    }
    wr_arena_destroy(arena);
    return go_on;
}

static int
run(const wri_args *args)
{
    wr_ctx ctx;
    wri_run r;
    wr_os_file in = wr_os_stdin();
    bool go_on = true;
    wr_ctx_init(&ctx);
    wr_os_signals_install();
    wr_status status = wri_run_open(&ctx, &r, args, false);
    if (status != WR_OK) {
        wri_error_print(&ctx, wr_os_stderr(), args->json, false);
        wri_run_close(&r);
        return wri_exit_code(status);
    }
    for (uint32_t i = 0; i < args->sql_count && go_on; i++)
        go_on = wri_run_text(&r, wr_str_c(args->sql[i]), (wr_str){0});
    for (uint32_t i = 0; i < args->file_count && go_on; i++) go_on = run_file(&r, args->files[i]);
    if (args->sql_count == 0 && args->file_count == 0) {
        (void)in;
        go_on = run_file(&r, "-");
    }
    if (go_on) (void)wri_run_wait(&r);
    int code = r.code;
    wri_run_close(&r);
    return code;
}

/* The few options of the walking skeleton; the table of commands takes over. */
bool
wri_args_parse(int argc, char **argv, wri_args *out, int *code)
{
    memset(out, 0, sizeof *out);
    out->command = "run";
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i], *v = i + 1 < argc ? argv[i + 1] : NULL;
        bool takes = strcmp(a, "-c") == 0 || strcmp(a, "--format") == 0 ||
                     strcmp(a, "--mode") == 0 || strcmp(a, "--parallelism") == 0 ||
                     strcmp(a, "--set") == 0 || strcmp(a, "--data") == 0 ||
                     strcmp(a, "--memory") == 0;
        if (takes && !v) return *code = usage("an argument is missing after ", a), false;
        if (strcmp(a, "run") == 0 && i == 1) continue;
        if (strcmp(a, "test") == 0 && i == 1)
            out->command = a;
        else if (strcmp(a, "--serve") == 0)
            out->serve = true;
        else if (strcmp(a, "--keep-going") == 0)
            out->keep_going = true;
        else if (strcmp(a, "--json") == 0)
            out->json = true;
        else if (strcmp(a, "-c") == 0 && out->sql_count < WR_COUNT(out->sql))
            out->sql[out->sql_count++] = v;
        else if (strcmp(a, "--format") == 0) {
            if (!wri_format_find(wr_str_c(v), &out->format))
                return *code = usage("unknown format ", v), false;
            out->has_format = true;
        } else if (strcmp(a, "--mode") == 0)
            out->mode = v;
        else if (strcmp(a, "--parallelism") == 0)
            out->parallelism = v;
        else if (strcmp(a, "--data") == 0)
            out->data_dir = v;
        else if (strcmp(a, "--memory") == 0)
            out->memory = v;
        else if (strcmp(a, "--set") == 0 && strchr(v, '=') &&
                 out->set_count < WR_COUNT(out->sets)) {
            const char *eq = strchr(v, '=');
            out->sets[out->set_count++] = (wri_set){{v, (size_t)(eq - v)}, wr_str_c(eq + 1)};
        } else if (a[0] == '-' && a[1])
            return *code = usage("unknown option ", a), false;
        else if (out->file_count < WR_COUNT(out->files))
            out->files[out->file_count++] = a;
        i += takes;
    }
    return true;
}

int
main(int argc, char **argv)
{
    wri_args args;
    int code = 0;
    if (!wri_args_parse(argc, argv, &args, &code)) return code;
    if (args.serve) return wri_cli_test_serve();
    return run(&args);
}
