/* SPDX-License-Identifier: Apache-2.0 */
/* The interactive shell: reads statements with the line editor, runs them, shows results in the
 * chosen mode; backslash commands are its own. Ctrl-C clears the line or stops the query, Ctrl-D
 * leaves. */
#include "cli/shell_int.h"

typedef struct shell {
    wri_run *run;
    wri_edit edit;
    char last[65536]; /* the last statements, for \watch */
    size_t last_len;
    wr_os_file out; /* of \o */
    bool out_open;
} shell;

typedef struct command { /* \name */
    const char *name, *arg, *doc;
    void (*run)(shell *s, wr_str arg);
} command;

static void
say(shell *s, const char *text)
{
    wr_ctx quiet;
    wr_os_file f = wr_os_stdout();
    (void)s;
    wr_ctx_init(&quiet);
    (void)!wr_os_file_write(&quiet, &f, text, strlen(text));
}

/* ---- running --------------------------------------------------------------------------------- */

/* What a query is shown in, when that is the whole screen. Not set: endless ones in the table view,
 * others as tableau. */
static bool
wants_view(const shell *s, wri_view_kind *kind)
{
    const wr_config *c = wr_catalogs_config(wr_session_catalogs(s->run->session));
    wr_os_file out = wr_os_stdout();
    wr_str mode = wr_config_str(c, "sql-client.execution.result-mode");
    if (s->run->args->has_format || s->out_open || !wr_os_is_terminal(&out)) return false;
    if (s->run->output.format != WRI_FORMAT_TABLEAU) return false;
    if (wr_str_eq_nocase(mode, WR_STR("TABLEAU"))) return false;
    *kind = wr_str_eq_nocase(mode, WR_STR("CHANGELOG")) ? WRI_VIEW_CHANGELOG : WRI_VIEW_TABLE;
    return c->set && wr_options_find(c->set, "sql-client.execution.result-mode") != NULL;
}

static void
run_statement(shell *s, wr_str text, wr_span stmt)
{
    wri_view view;
    wri_view_kind kind;
    wri_run *r = s->run;
    wr_os_cancel_clear();
    if (!wants_view(s, &kind)) {
        (void)wri_run_statement(r, text, stmt, (wr_str){NULL, 0});
        wr_os_cancel_clear();
        return;
    }
    bool on = r->console.on;
    int code = r->code;
    r->code = 0;
    r->console.on = false; /* the view has the screen */
    wri_view_init(&view, r, kind);
    r->output.head.kind = WR_RESULT_OK;
    r->output.divert = wri_view_row;
    r->output.progress = wri_view_progress;
    r->output.arg = &view;
    r->cancel = &view.cancel;
    r->leave = wri_view_leave;
    (void)wri_run_statement(r, text, stmt, (wr_str){NULL, 0});
    bool stopped = r->code == wri_exit_code(WR_CANCELLED);
    (void)wri_view_finish(&view, r->code != 0);
    if (stopped) say(s, "[INFO] Result retrieval cancelled.\n");
    r->output.divert = NULL;
    r->output.progress = NULL;
    r->cancel = NULL;
    r->leave = NULL;
    r->console.on = on;
    if (!r->code) r->code = code;
    wri_kept_deinit(&view.rows);
    wr_os_cancel_clear();
}

static void
run_text(shell *s, wr_str text)
{
    wr_span stmt;
    size_t pos = 0;
    while (!s->run->quit && wr_sql_split(text, &pos, &stmt, NULL) != WR_SQL_SPLIT_END) {
        int before = s->run->code;
        s->run->code = 0;
        run_statement(s, text, stmt);
        bool failed = s->run->code != 0;
        s->run->code = before;
        if (failed) return; /* what follows was written to come after it */
    }
}

static void
run_format(shell *s, const char *format, wr_str arg)
{
    char buf[1024];
    int n = snprintf(buf, sizeof buf, format, WR_STR_ARG(arg));
    if (n > 0 && (size_t)n < sizeof buf) run_text(s, (wr_str){buf, (size_t)n});
}

/* ---- the shell's own commands ---------------------------------------------------------------- */

static void
do_describe(shell *s, wr_str arg)
{
    if (arg.len == 0)
        run_text(s, WR_STR("SHOW TABLES"));
    else if (arg.ptr[0] == '\'' || arg.len < 900)
        run_format(s, "DESCRIBE %.*s", arg);
}

static void
do_tables(shell *s, wr_str arg)
{
    if (arg.len)
        run_format(s, "SHOW TABLES LIKE '%.*s'", arg);
    else
        run_text(s, WR_STR("SHOW TABLES"));
}

static void
do_jobs(shell *s, wr_str arg)
{
    (void)arg;
    run_text(s, WR_STR("SHOW JOBS"));
}

static void
do_timing(shell *s, wr_str arg)
{
    const char *key = "sql-client.display.print-time-cost";
    wr_catalogs *cats = wr_session_catalogs(s->run->session);
    bool on = !wr_config_bool(wr_catalogs_config(cats), key);
    wr_ctx ctx;
    wri_run_ctx(s->run, &ctx);
    if (wr_str_eq_nocase(arg, WR_STR("on"))) on = true;
    if (wr_str_eq_nocase(arg, WR_STR("off"))) on = false;
    if (wr_catalogs_set(&ctx, cats, wr_str_c(key), on ? WR_STR("true") : WR_STR("false"),
                        WR_NO_SPAN) != WR_OK)
        return;
    say(s, on ? "Timing is on.\n" : "Timing is off.\n");
}

static void
do_mode(shell *s, wr_str arg)
{
    wri_format format;
    wr_ctx ctx;
    wri_output *o = &s->run->output;
    const char *key = "sql-client.execution.result-mode";
    wr_catalogs *cats = wr_session_catalogs(s->run->session);
    wri_run_ctx(s->run, &ctx);
    if (arg.len && !wri_format_find(arg, &format)) {
        say(s, "The modes are: table changelog tableau csv json jsonl markdown vertical\n");
        return;
    }
    if (arg.len) {
        bool view = format == WRI_FORMAT_TABLE || format == WRI_FORMAT_CHANGELOG;
        bool client = view || format == WRI_FORMAT_TABLEAU; /* as Flink's client has them */
        o->format = client ? WRI_FORMAT_TABLEAU : format;
        o->info_lines = client;
        if (client && wr_catalogs_set(&ctx, cats, wr_str_c(key), wr_str_c(wri_format_name(format)),
                                      WR_NO_SPAN) != WR_OK)
            return;
        return;
    }
    wr_str mode = wr_config_str(wr_catalogs_config(cats), key);
    char line[80];
    const char *name = wri_format_name(o->format);
    if (o->format == WRI_FORMAT_TABLEAU && mode.len)
        (void)snprintf(line, sizeof line, "The mode is %.*s.\n", (int)WR_MIN(mode.len, 40),
                       mode.ptr);
    else
        (void)snprintf(line, sizeof line, "The mode is %s.\n", name);
    say(s, line);
}

static void
close_out(shell *s)
{
    if (s->out_open) wr_os_file_close(&s->out);
    s->out_open = false;
    s->run->output.file = wr_os_stdout();
}

static bool
to_path(wr_str arg, char *path, size_t cap)
{
    const char *home = wr_os_env("HOME");
    int n = arg.len > 1 && arg.ptr[0] == '~' && arg.ptr[1] == '/' && home
                ? snprintf(path, cap, "%s/%.*s", home, (int)arg.len - 2, arg.ptr + 2)
                : snprintf(path, cap, "%.*s", WR_STR_ARG(arg));
    return n > 0 && (size_t)n < cap;
}

static void
do_out(shell *s, wr_str arg)
{
    wr_ctx ctx;
    char path[WR_OS_PATH_MAX];
    close_out(s);
    wri_run_ctx(s->run, &ctx);
    if (!arg.len || !to_path(arg, path, sizeof path)) return;
    if (wr_os_file_open(&ctx, path, WR_OS_WRITE, &s->out) != WR_OK) {
        wri_error_print(&ctx, wr_os_stderr(), s->run->args->json, s->run->color);
        return;
    }
    s->out_open = true;
    s->run->output.file = s->out;
}

static void
do_in(shell *s, wr_str arg)
{
    char path[WR_OS_PATH_MAX];
    wr_os_cancel_clear();
    if (arg.len && to_path(arg, path, sizeof path)) (void)wri_run_file(s->run, path);
    wr_os_cancel_clear();
    s->run->code = 0;
}

/* Again and again, until Ctrl-C or an error. */
static void
do_watch(shell *s, wr_str arg)
{
    char number[32];
    (void)snprintf(number, sizeof number, "%.*s", (int)WR_MIN(arg.len, 31), arg.len ? arg.ptr : "");
    double seconds = arg.len ? strtod(number, NULL) : 2;
    if (!(seconds > 0 && seconds <= 86400)) {
        say(s, "\\watch wants seconds, such as 2 or 0.5.\n");
        return;
    }
    if (s->last_len == 0) {
        say(s, "There is no statement to watch yet.\n");
        return;
    }
    for (;;) {
        wr_span stmt;
        size_t pos = 0;
        wr_str text = {s->last, s->last_len};
        wr_os_cancel_clear();
        s->run->code = 0;
        while (wr_sql_split(text, &pos, &stmt, NULL) != WR_SQL_SPLIT_END)
            if (!wri_run_statement(s->run, text, stmt, (wr_str){NULL, 0})) break;
        if (s->run->code != 0 || wr_os_signal_last() != 0) break;
        wr_os_sleep_ns((int64_t)(seconds * 1e9));
        if (wr_os_signal_last() != 0) break;
    }
    wr_os_cancel_clear();
    s->run->code = 0;
}

static void
do_quit(shell *s, wr_str arg)
{
    (void)arg;
    s->run->quit = true;
}

static void do_help(shell *s, wr_str arg);

static const command commands[] = {
    {"\\d", "[NAME]", "describe a table or view; without a name: list them", do_describe},
    {"\\dt", "[PATTERN]", "list tables", do_tables},
    {"\\dj", "", "list jobs", do_jobs},
    {"\\timing", "[on|off]", "show how long statements take", do_timing},
    {"\\mode", "[MODE]",
     "how results are shown: table and changelog (the whole screen), tableau, csv, "
     "json, jsonl, markdown, vertical",
     do_mode},
    {"\\o", "[FILE]", "results go to a file; without one: back to the screen", do_out},
    {"\\i", "FILE", "run a script", do_in},
    {"\\watch", "[SECONDS]", "run the last statement again and again, until Ctrl-C", do_watch},
    {"\\?", "", "this help", do_help},
    {"\\q", "", "leave (also QUIT, EXIT, Ctrl-D)", do_quit},
};

static void
do_help(shell *s, wr_str arg)
{
    (void)arg;
    say(s, "Statements end with ';' and may span lines.\n\n");
    for (uint32_t i = 0; i < WR_COUNT(commands); i++) {
        char left[40], line[200];
        (void)snprintf(left, sizeof left, "%s %s", commands[i].name, commands[i].arg);
        (void)snprintf(line, sizeof line, "  %-18s %s\n", left, commands[i].doc);
        say(s, line);
    }
    say(s, "\n  HELP CLEAR QUIT EXIT    as in Flink's client\n"
           "  Tab completes, Ctrl-R searches the history, Alt-Enter starts a line, Ctrl-C stops a "
           "query\n"
           "  or clears the line, Ctrl-D leaves. A line that begins with a blank is not "
           "remembered.\n");
}

void
wri_shell_command_names(void *arg, void (*each)(void *arg, wr_str name))
{
    for (uint32_t i = 0; i < WR_COUNT(commands); i++) each(arg, wr_str_c(commands[i].name));
}

static void
run_command(shell *s, wr_str line)
{
    size_t n = 0;
    while (line.len && strchr(" \t\n;", line.ptr[line.len - 1])) line.len--;
    while (n < line.len && line.ptr[n] != ' ') n++;
    wr_str name = {line.ptr, n};
    while (n < line.len && line.ptr[n] == ' ') n++;
    for (uint32_t i = 0; i < WR_COUNT(commands); i++) {
        if (!wr_str_eq_c(name, commands[i].name)) continue;
        commands[i].run(s, (wr_str){line.ptr + n, line.len - n});
        return;
    }
    say(s, "There is no such command; \\? lists them.\n");
}

/* ---- the loop -------------------------------------------------------------------------------- */

static wr_str
trimmed(wr_str s)
{
    while (s.len && strchr(" \t\n", s.ptr[0])) s = (wr_str){s.ptr + 1, s.len - 1};
    while (s.len && strchr(" \t\n;", s.ptr[s.len - 1])) s.len--;
    return s;
}

static bool
is_client_word(wr_str s)
{
    static const char *const words[] = {"quit", "exit", "help", "clear"};
    for (uint32_t i = 0; i < WR_COUNT(words); i++)
        if (wr_str_eq_nocase(s, wr_str_c(words[i]))) return true;
    return false;
}

static bool
is_whole(void *arg, wr_str text)
{
    wr_span stmt;
    size_t pos = 0;
    wr_sql_split_result what;
    (void)arg;
    wr_str bare = trimmed(text);
    if (bare.len == 0 || bare.ptr[0] == '\\' || is_client_word(bare)) return true;
    do what = wr_sql_split(text, &pos, &stmt, NULL);
    while (what == WR_SQL_SPLIT_STATEMENT);
    return what == WR_SQL_SPLIT_END;
}

/* A job that failed meanwhile is told before the next prompt. */
static void
tell_jobs(shell *s)
{
    wr_ctx ctx;
    bool ended;
    wri_run_ctx(s->run, &ctx);
    ctx.cancel = NULL;
    if (wr_session_wait_jobs(&ctx, s->run->session, NULL, 0, &ended) != WR_OK)
        wri_error_print(&ctx, wr_os_stderr(), s->run->args->json, s->run->color);
}

static void
take_text(shell *s, wr_str text)
{
    wr_str bare = trimmed(text);
    if (bare.len == 0) return;
    wr_str kept = text;
    while (kept.len && strchr(" \t\n", kept.ptr[kept.len - 1])) kept.len--;
    wri_history_add(&s->edit.history, kept);
    if (bare.ptr[0] == '\\') {
        run_command(s, bare);
        return;
    }
    if (wr_str_eq_nocase(bare, WR_STR("help"))) {
        do_help(s, bare);
        return;
    }
    if (text.len <= sizeof s->last && !is_client_word(bare)) {
        memcpy(s->last, text.ptr, text.len);
        s->last_len = text.len;
    }
    run_text(s, text);
}

static int
loop(shell *s)
{
    wr_ctx ctx;
    for (;;) {
        wri_edit_result what;
        wr_str text;
        tell_jobs(s);
        wr_os_cancel_clear();
        wri_run_ctx(s->run, &ctx);
        if (wri_edit_read(&ctx, &s->edit, &what, &text) != WR_OK) {
            wri_error_print(&ctx, wr_os_stderr(), s->run->args->json, s->run->color);
            return wri_exit_code(ctx.err.status);
        }
        if (what == WRI_EDIT_STOPPED) return 130;
        if (what == WRI_EDIT_END) return 0;
        if (what == WRI_EDIT_TEXT) take_text(s, text);
        if (s->run->quit) return 0;
    }
}

int
wri_cli_shell(wri_run *r)
{
    char hello[120];
    wr_arena *arena = wr_arena_create(NULL, 0);
    shell *s = arena ? WR_NEW(arena, shell) : NULL;
    if (!s || !wri_edit_init(&s->edit)) {
        wr_arena_destroy(arena);
        return 1;
    }
    s->run = r;
    s->edit.color = r->color;
    s->edit.is_whole = is_whole;
    s->edit.complete = wri_complete;
    s->edit.arg = r;
    (void)snprintf(hello, sizeof hello, "weir %s. \\? for help, \\q or Ctrl-D to leave.\n",
                   wr_version());
    if (!r->args->quiet) say(s, hello);
    int code = loop(s);
    close_out(s);
    wri_edit_deinit(&s->edit);
    wr_arena_destroy(arena);
    return code;
}
