/* SPDX-License-Identifier: Apache-2.0 */
/* `weir test FILE|FOLDER...`: finds test files (SQL with a comment `-- test: NAME`), runs their
 * cases one after another, says what failed and how, and writes a report for machines when asked
 * to. */
#include "cli/test_int.h"
#include "fs/fs.h"
#include "os/os.h"
#include "spi/registry.h"

typedef struct tally {
    uint32_t passed, failed, files;
    uint32_t silent; /* passed, without an expectation */
    wr_text junit;
    bool wants_junit;
    wri_test_watch watch;
} tally;

/* ---- time ------------------------------------------------------------------------------------ */

#define WATCH_NS 20000000 /* between two looks */

static void
watch(void *arg)
{
    wri_test_watch *w = arg;
    while (!wr_os_load(&w->over)) {
        const int64_t deadline = wr_os_load(&w->deadline_ns);
        if (deadline && wr_os_now_ns() > deadline) wr_os_store(&w->late, 1);
        if (wr_os_load(&w->late) || *wr_os_cancel_flag()) wr_os_store(&w->flag, 1);
        wr_os_sleep_ns(WATCH_NS);
    }
}

wr_status
wri_test_watch_start(wr_ctx *ctx, wri_test_watch *w, int64_t limit_ms)
{
    w->limit_ms = limit_ms;
    return wr_os_thread_start(ctx, &w->thread, "watch", watch, w);
}

void
wri_test_watch_end(wri_test_watch *w)
{
    wr_os_store(&w->over, 1);
    wr_os_thread_join(&w->thread);
}

void
wri_test_watch_case(wri_test_watch *w, bool begins)
{
    wr_os_store(&w->deadline_ns, begins ? wr_os_now_ns() + w->limit_ms * 1000000 : 0);
    if (!begins) return;
    wr_os_store(&w->late, 0);
    if (!*wr_os_cancel_flag()) wr_os_store(&w->flag, 0);
}

static void
complain(const wr_ctx *ctx, const char *path)
{
    if (strncmp(ctx->err.message, path, strlen(path)) == 0)
        (void)fprintf(stderr, "weir: %s\n", ctx->err.message);
    else
        (void)fprintf(stderr, "weir: %s: %s\n", path, ctx->err.message);
    for (uint32_t i = 0; i < ctx->err.frame_count; i++)
        (void)fprintf(stderr, "  in %s\n", ctx->err.frame[i]);
    if (ctx->err.hint[0]) (void)fprintf(stderr, "  hint: %s\n", ctx->err.hint);
}

/* ---- the report for machines ----------------------------------------------------------------- */

static void
put_xml(wr_text *t, wr_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        const char c = s.ptr[i];
        if (c == '<')
            wr_text_puts(t, "&lt;");
        else if (c == '>')
            wr_text_puts(t, "&gt;");
        else if (c == '&')
            wr_text_puts(t, "&amp;");
        else if (c == '"')
            wr_text_puts(t, "&quot;");
        else if ((unsigned char)c >= 0x20 || c == '\n' || c == '\t')
            wr_text_putc(t, c);
    }
}

static void
report(tally *t, const wri_test_file *f, const wri_test_case *c, const wri_test_result *result)
{
    if (!t->wants_junit) return;
    wr_text_puts(&t->junit, "    <testcase classname=\"");
    put_xml(&t->junit, wr_str_c(f->path));
    wr_text_puts(&t->junit, "\" name=\"");
    put_xml(&t->junit, c->name);
    wr_text_printf(&t->junit, "\" time=\"%.3f\"", (double)result->ms / 1000);
    if (!result->failed) {
        wr_text_puts(&t->junit, "/>\n");
        return;
    }
    wr_text_puts(&t->junit, "><failure>");
    put_xml(&t->junit, wr_text_str(&result->message));
    wr_text_puts(&t->junit, "</failure></testcase>\n");
}

static wr_status
write_junit(wr_ctx *ctx, const char *path, wr_arena *a, const tally *t)
{
    wr_os_file f;
    wr_text head;
    static const char tail[] = "  </testsuite>\n</testsuites>\n";
    wr_text_init(&head, a);
    wr_text_printf(&head,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite "
                   "name=\"weir\" tests=\"%u\" failures=\"%u\">\n",
                   t->passed + t->failed, t->failed);
    if (head.failed || t->junit.failed) return wr_raise(ctx, WR_NOMEM, "out of memory");
    WR_TRY(wr_os_file_open(ctx, path, WR_OS_WRITE, &f));
    wr_status status = wr_os_file_write(ctx, &f, head.ptr, head.len);
    if (status == WR_OK && t->junit.len)
        status = wr_os_file_write(ctx, &f, t->junit.ptr, t->junit.len);
    if (status == WR_OK) status = wr_os_file_write(ctx, &f, tail, sizeof tail - 1);
    wr_os_file_close(&f);
    return status;
}

/* ---- files ----------------------------------------------------------------------------------- */

static void
show(const wri_args *args, const wri_test_case *c, const wri_test_result *result)
{
    if (result->failed || !args->quiet)
        (void)printf("  %s %.*s (%lld ms)%s\n", result->failed ? "FAILED" : "ok    ",
                     WR_STR_ARG(c->name), (long long)result->ms,
                     !result->failed && result->expects_nothing ? ", expects nothing" : "");
    wr_str rest = wr_text_str(&result->message);
    while (result->failed && rest.len) {
        const char *nl = memchr(rest.ptr, '\n', rest.len);
        const size_t n = nl ? (size_t)(nl - rest.ptr) : rest.len;
        (void)printf("         %.*s\n", (int)n, rest.ptr);
        rest = (wr_str){rest.ptr + n + (nl != NULL), rest.len - n - (nl != NULL)};
    }
}

static bool
run_file(const wri_args *args, const char *path, tally *t)
{
    wr_ctx ctx;
    wr_arena *a = wr_arena_create(NULL, 0), *scratch = wr_arena_create(NULL, 0);
    wri_test_file f = {.path = path};
    wr_ctx_init(&ctx);
    bool ok = a && scratch && wri_run_read(&ctx, path, a, &f.text) == WR_OK &&
              wri_test_parse(&ctx, a, &f) == WR_OK;
    if (!ok) complain(&ctx, path);
    if (ok && f.cases.count) {
        t->files++;
        (void)printf("%s\n", path);
    }
    for (uint32_t i = 0; ok && i < f.cases.count && !*wr_os_cancel_flag(); i++) {
        wri_test_result result;
        wri_test_case_run(&t->watch, args, &f, &f.cases.items[i], scratch, &result);
        show(args, &f.cases.items[i], &result);
        report(t, &f, &f.cases.items[i], &result);
        if (result.failed)
            t->failed++;
        else
            t->passed++;
        t->silent += !result.failed && result.expects_nothing;
        wr_arena_reset(scratch);
    }
    wr_arena_destroy(scratch);
    wr_arena_destroy(a);
    return ok;
}

static int
by_path(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* The SQL files of a folder and all below it, in the order of their names. */
static bool
run_folder(const wri_args *args, const char *path, wr_arena *a, tally *t)
{
    wr_ctx ctx;
    wr_file_info *files = NULL;
    uint32_t n = 0, count = 0;
    wr_fs *fs = wr_find_fs(wr_str_c(path));
    wr_ctx_init(&ctx);
    if (!fs || fs->ops->list(&ctx, fs, wr_str_c(path), true, a, &files, &n) != WR_OK) {
        complain(&ctx, path);
        return false;
    }
    const char **paths = WR_NEW_N(a, const char *, n + 1);
    for (uint32_t i = 0; paths && i < n; i++)
        if (!files[i].is_dir && files[i].path.len > 4 &&
            memcmp(files[i].path.ptr + files[i].path.len - 4, ".sql", 4) == 0)
            paths[count++] = wr_arena_dup(a, files[i].path.ptr, files[i].path.len);
    if (!paths) return false;
    qsort(paths, count, sizeof *paths, by_path);
    bool ok = true;
    for (uint32_t i = 0; i < count; i++) ok = (paths[i] && run_file(args, paths[i], t)) && ok;
    return ok;
}

static bool
run_path(const wri_args *args, const char *path, wr_arena *a, tally *t)
{
    wr_ctx ctx;
    wr_os_stat st;
    wr_ctx_init(&ctx);
    if (wr_os_stat_path(&ctx, path, &st) != WR_OK) {
        complain(&ctx, path);
        return false;
    }
    return st.kind == WR_OS_DIR ? run_folder(args, path, a, t) : run_file(args, path, t);
}

static int
run_all(const wri_args *args, wr_arena *a, tally *t)
{
    wr_ctx ctx;
    bool ok = true;
    const int64_t start = wr_os_now_ns();
    wr_ctx_init(&ctx);
    for (uint32_t i = 0; i < args->file_count; i++) ok = run_path(args, args->files[i], a, t) && ok;
    if (t->passed + t->failed == 0 && ok)
        (void)fputs("weir: there is no case: a test file has a line '-- test: NAME'\n", stderr);
    if (t->silent)
        (void)printf("%u of them without an 'expect': %s whatever rows come\n", t->silent,
                     t->silent == 1 ? "it passes" : "they pass");
    (void)printf("%u passed, %u failed (%lld ms)\n", t->passed, t->failed,
                 (long long)((wr_os_now_ns() - start) / 1000000));
    if (args->junit && write_junit(&ctx, args->junit, a, t) != WR_OK) {
        complain(&ctx, args->junit);
        ok = false;
    }
    if (*wr_os_cancel_flag()) return 130;
    return !ok ? 2 : t->failed || t->passed == 0 ? 1 : 0;
}

int
wri_cli_test(const wri_args *args)
{
    wr_ctx ctx;
    tally t = {.wants_junit = args->junit != NULL};
    int64_t limit_ms = 60000;
    wr_engine *e = NULL; /* file systems and connectors are there as long as an engine is */
    const wr_engine_config config = {0};
    if (args->file_count == 0) {
        (void)fputs("weir: test wants files or folders, or --serve\ntry: weir help test\n", stderr);
        return 2;
    }
    wr_ctx_init(&ctx);
    if (args->limit && wr_duration_parse(&ctx, wr_str_c(args->limit), &limit_ms) != WR_OK) {
        complain(&ctx, "--limit");
        return 2;
    }
    wr_arena *a = wr_arena_create(NULL, 0);
    if (!a) return 1;
    wr_text_init(&t.junit, a);
    wr_status status = wri_test_watch_start(&ctx, &t.watch, limit_ms);
    int code = 1;
    if (status == WR_OK) {
        status = wr_engine_create(&ctx, &config, &e);
        if (status == WR_OK) code = run_all(args, a, &t);
        wri_test_watch_end(&t.watch);
    }
    if (status != WR_OK) complain(&ctx, "test");
    if (e) wr_engine_destroy(e);
    wr_arena_destroy(a);
    return code;
}
