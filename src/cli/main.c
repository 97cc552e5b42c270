/* SPDX-License-Identifier: Apache-2.0 */
/* The `weir` command: what was asked for, and the exit code. */
#include "cli/cli_int.h"

/* Successes of the stage-setting are not worth a line. */
static bool
run_init(wri_run *r, const char *path)
{
    bool info = r->output.info_lines;
    r->in_init = true;
    r->output.info_lines = false;
    bool go_on = wri_run_file(r, path);
    r->in_init = false;
    r->output.info_lines = info;
    return go_on;
}

/* Asked for, or nothing to run and a person at the terminal. */
static bool
wants_shell(const wri_args *args)
{
    wr_os_file in = wr_os_stdin(), out = wr_os_stdout();
    bool terminal = wr_os_is_terminal(&in) && wr_os_is_terminal(&out);
    if (strcmp(args->command, "shell") == 0) return terminal;
    return terminal && !args->command[0] && args->sql_count == 0 && args->file_count == 0;
}

static int
run(const wri_args *args)
{
    wr_ctx ctx;
    wri_run r;
    bool go_on = true;
    wr_ctx_init(&ctx);
    wr_os_signals_install();
    bool interactive = wants_shell(args);
    wr_status status = wri_run_open(&ctx, &r, args, interactive);
    if (status != WR_OK) {
        wri_error_print(&ctx, wr_os_stderr(), args->json, false);
        wri_run_close(&r);
        return status == WR_OPTION ? 2 : wri_exit_code(status); /* of the command line */
    }
    if (args->init) go_on = run_init(&r, args->init);
    for (uint32_t i = 0; i < args->sql_count && go_on; i++)
        go_on = wri_run_text(&r, wr_str_c(args->sql[i]), (wr_str){0});
    for (uint32_t i = 0; i < args->file_count && go_on; i++)
        go_on = wri_run_file(&r, args->files[i]);
    if (interactive && go_on && !r.quit) {
        int code = wri_cli_shell(&r);
        wri_run_close(&r);
        return code;
    }
    if (args->sql_count == 0 && args->file_count == 0) go_on = wri_run_file(&r, "-");
    if (go_on || r.quit || wri_run_stop_asked(&r)) (void)wri_run_wait(&r);
    int code = r.code;
    wri_run_close(&r);
    return code;
}

static int
print_version(void)
{
    wr_text t;
    wr_arena *arena = wr_arena_create(NULL, 0);
    if (!arena) return 1;
    wr_text_init(&t, arena);
    wr_version_libraries(&t);
    wr_str text = wr_text_str(&t);
    (void)printf("weir %s\n%.*s", wr_version(), WR_STR_ARG(text));
    wr_arena_destroy(arena);
    return 0;
}

int
main(int argc, char **argv)
{
    wri_args args;
    int code = 0;
    (void)setvbuf(stdout, NULL, _IOLBF, 0); /* results do not go through it: keep the order */
    if (!wri_args_parse(argc, argv, &args, &code)) return code;
    if (strcmp(args.command, "version") == 0) return print_version();
    if (strcmp(args.command, "man") == 0) return wri_man_print(), 0;
    if (strcmp(args.command, "help") == 0 && wri_help_print(args.topic)) return 0;
    if (strcmp(args.command, "completion") == 0 && wri_completion_print(args.topic)) return 0;
    if (strcmp(args.command, "help") == 0 || strcmp(args.command, "completion") == 0) {
        if (args.command[0] == 'c')
            (void)fprintf(stderr, "weir: completion is for bash or zsh, not '%s'\n",
                          args.topic ? args.topic : "");
        else
            (void)fprintf(stderr, "weir: there is no help on '%s'\n", args.topic);
        (void)fputs("try: weir --help\n", stderr);
        return 2;
    }
    if (strcmp(args.command, "savepoint") == 0) return wri_cli_savepoint(&args);
    if (args.serve) return wri_cli_test_serve();
    if (strcmp(args.command, "test") == 0) return wri_cli_test(&args);
    return run(&args);
}
