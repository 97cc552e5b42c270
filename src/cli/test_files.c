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
    wr_text junit;
    bool wants_junit;
} tally;

static void
complain(const wr_ctx *ctx, const char *path)
{
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
        (void)printf("  %s %.*s (%lld ms)\n", result->failed ? "FAILED" : "ok    ",
                     WR_STR_ARG(c->name), (long long)result->ms);
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
        wri_test_case_run(args, &f, &f.cases.items[i], scratch, &result);
        show(args, &f.cases.items[i], &result);
        report(t, &f, &f.cases.items[i], &result);
        if (result.failed)
            t->failed++;
        else
            t->passed++;
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

int
wri_cli_test(const wri_args *args)
{
    wr_ctx ctx;
    tally t = {.wants_junit = args->junit != NULL};
    bool ok = true;
    if (args->file_count == 0) {
        (void)fputs("weir: test wants files or folders, or --serve\ntry: weir help test\n", stderr);
        return 2;
    }
    wr_arena *a = wr_arena_create(NULL, 0);
    if (!a) return 1;
    wr_engine *e = NULL; /* file systems and connectors are there as long as an engine is */
    const wr_engine_config config = {0};
    wr_text_init(&t.junit, a);
    wr_ctx_init(&ctx);
    if (wr_engine_create(&ctx, &config, &e) != WR_OK) {
        complain(&ctx, "test");
        wr_arena_destroy(a);
        return 1;
    }
    const int64_t start = wr_os_now_ns();
    for (uint32_t i = 0; i < args->file_count; i++)
        ok = run_path(args, args->files[i], a, &t) && ok;
    if (t.passed + t.failed == 0 && ok)
        (void)fputs("weir: there is no case: a test file has a line '-- test: NAME'\n", stderr);
    (void)printf("%u passed, %u failed (%lld ms)\n", t.passed, t.failed,
                 (long long)((wr_os_now_ns() - start) / 1000000));
    if (args->junit && write_junit(&ctx, args->junit, a, &t) != WR_OK) {
        complain(&ctx, args->junit);
        ok = false;
    }
    wr_engine_destroy(e);
    wr_arena_destroy(a);
    if (*wr_os_cancel_flag()) return 130;
    return !ok ? 2 : t.failed || t.passed == 0 ? 1 : 0;
}
