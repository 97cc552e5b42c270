/* SPDX-License-Identifier: Apache-2.0 */
/* Files and folders on the real disk, and the failure of every I/O call in turn. */
#include "os/os.h"
#include "unit/check.h"

static void
temp_dir(wr_ctx *ctx, char *out)
{
    CHECK_OK(ctx, wr_os_temp_name(ctx, NULL, "weir-test-", out, WR_OS_PATH_MAX));
    CHECK_OK(ctx, wr_os_make_dirs(ctx, out));
}

static const char *
in(const char *dir, const char *name)
{
    static char path[8][2 * WR_OS_PATH_MAX];
    static int at;
    at = (at + 1) % 8;
    (void)snprintf(path[at], sizeof path[at], "%s/%s", dir, name);
    return path[at];
}

static void
put(wr_ctx *ctx, const char *path, const char *text)
{
    wr_os_file f;
    CHECK_OK(ctx, wr_os_file_open(ctx, path, WR_OS_WRITE, &f));
    CHECK_OK(ctx, wr_os_file_write(ctx, &f, text, strlen(text)));
    CHECK_OK(ctx, wr_os_file_finish(ctx, &f));
}

TEST(files_write_read_append_truncate)
{
    wr_ctx ctx;
    wr_os_file f;
    wr_os_stat st;
    char dir[WR_OS_PATH_MAX], buf[64];
    size_t got;
    wr_ctx_init(&ctx);
    temp_dir(&ctx, dir);
    const char *path = in(dir, "a");
    put(&ctx, path, "hello");
    CHECK_OK(&ctx, wr_os_file_open(&ctx, path, WR_OS_APPEND, &f));
    CHECK_OK(&ctx, wr_os_file_write(&ctx, &f, " world", 6));
    CHECK_OK(&ctx, wr_os_file_sync(&ctx, &f));
    CHECK_OK(&ctx, wr_os_file_stat(&ctx, &f, &st));
    CHECK_EQ_UINT(st.size_bytes, 11);
    wr_os_file_close(&f);
    wr_os_file_close(&f);
    CHECK_OK(&ctx, wr_os_file_open(&ctx, path, WR_OS_READ_WRITE, &f));
    CHECK_OK(&ctx, wr_os_file_read_at(&ctx, &f, 6, buf, sizeof buf, &got));
    CHECK_EQ_BYTES(buf, got, "world");
    CHECK_OK(&ctx, wr_os_file_write_at(&ctx, &f, 0, "J", 1));
    CHECK_OK(&ctx, wr_os_file_truncate(&ctx, &f, 5));
    CHECK_OK(&ctx, wr_os_file_read(&ctx, &f, buf, sizeof buf, &got));
    CHECK_EQ_BYTES(buf, got, "Jello");
    CHECK_OK(&ctx, wr_os_file_read(&ctx, &f, buf, sizeof buf, &got));
    CHECK_EQ_UINT(got, 0);
    wr_os_file_close(&f);
    CHECK_EQ_INT(wr_os_file_open(&ctx, path, WR_OS_WRITE_NEW, &f), WR_EXISTS);
    wr_ctx_reset(&ctx);
    wr_os_map map;
    CHECK_OK(&ctx, wr_os_map_file(&ctx, path, &map));
    CHECK_EQ_BYTES(map.ptr, map.len, "Jello");
    wr_os_unmap(&map);
    put(&ctx, path, "");
    CHECK_OK(&ctx, wr_os_map_file(&ctx, path, &map));
    CHECK_EQ_UINT(map.len, 0);
    wr_os_unmap(&map);
    CHECK_OK(&ctx, wr_os_remove_tree(&ctx, dir));
    CHECK_OK(&ctx, wr_os_stat_path(&ctx, dir, &st));
    CHECK_EQ_INT(st.kind, WR_OS_NONE);
    CHECK_OK(&ctx, wr_os_remove_tree(&ctx, dir));
}

TEST(errors_speak_the_systems_words)
{
    wr_ctx ctx;
    wr_os_file f;
    wr_ctx_init(&ctx);
    CHECK_EQ_INT(wr_os_file_open(&ctx, "/nonexistent/x", WR_OS_READ, &f), WR_IO);
    CHECK_EQ_STR(ctx.err.message, "cannot open '/nonexistent/x': No such file or directory");
    wr_ctx_reset(&ctx);
    CHECK_EQ_INT(wr_os_file_open(&ctx, "/", WR_OS_READ, &f), WR_IO);
    CHECK_EQ_STR(ctx.err.message, "cannot open '/': Is a directory");
    wr_ctx_reset(&ctx);
    CHECK_EQ_INT(wr_os_make_dirs(&ctx, "/dev/null/x"), WR_IO);
}

TEST(rename_new_never_replaces)
{
    wr_ctx ctx;
    wr_os_stat st;
    char dir[WR_OS_PATH_MAX];
    wr_ctx_init(&ctx);
    temp_dir(&ctx, dir);
    const char *a = in(dir, "a"), *b = in(dir, "b");
    put(&ctx, a, "a");
    put(&ctx, b, "bb");
    CHECK_EQ_INT(wr_os_rename_new(&ctx, a, b), WR_EXISTS);
    wr_ctx_reset(&ctx);
    CHECK_OK(&ctx, wr_os_stat_path(&ctx, b, &st));
    CHECK_EQ_UINT(st.size_bytes, 2);
    CHECK_OK(&ctx, wr_os_rename(&ctx, a, b));
    CHECK_OK(&ctx, wr_os_stat_path(&ctx, b, &st));
    CHECK_EQ_UINT(st.size_bytes, 1);
    CHECK_OK(&ctx, wr_os_rename_new(&ctx, b, a));
    CHECK_OK(&ctx, wr_os_sync_dir(&ctx, dir));
    CHECK_OK(&ctx, wr_os_remove_tree(&ctx, dir));
}

TEST(locks_exclude)
{
    wr_ctx ctx;
    wr_os_file f, g;
    bool locked;
    char dir[WR_OS_PATH_MAX];
    wr_ctx_init(&ctx);
    temp_dir(&ctx, dir);
    CHECK_OK(&ctx, wr_os_file_open(&ctx, in(dir, "l"), WR_OS_READ_WRITE, &f));
    CHECK_OK(&ctx, wr_os_file_open(&ctx, in(dir, "l"), WR_OS_READ_WRITE, &g));
    CHECK_OK(&ctx, wr_os_file_lock(&ctx, &f, &locked));
    CHECK(locked);
    CHECK_OK(&ctx, wr_os_file_lock(&ctx, &g, &locked));
    CHECK(!locked);
    wr_os_file_close(&f);
    CHECK_OK(&ctx, wr_os_file_lock(&ctx, &g, &locked));
    CHECK(locked);
    wr_os_file_close(&g);
    CHECK_OK(&ctx, wr_os_remove_tree(&ctx, dir));
}

TEST(patterns_of_one_name)
{
    static const struct {
        const char *pattern, *name;
        bool match;
    } cases[] = {
        {"*", "", true},
        {"*", "abc", true},
        {"*.csv", "a.csv", true},
        {"*.csv", ".csv", false},
        {"*.csv", "a.csv.gz", false},
        {"a?c", "abc", true},
        {"a?c", "ac", false},
        {"a?c",
         "a\xc3\xa4"
         "c",
         true},
        {"[a-c]x", "bx", true},
        {"[a-c]x", "dx", false},
        {"[!a-c]x", "dx", true},
        {"[!a-c]x", "ax", false},
        {"[]a]", "]", true},
        {"[", "[", true},
        {"\\*", "*", true},
        {"\\*", "a", false},
        {"a*b*c", "aXbYc", true},
        {"a*b*c", "aXbY", false},
        {"*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaa", false},
        {"", "", true},
        {"", "a", false},
        {"a", "", false},
        {"part-*[0-9]", "part-x7", true},
    };
    for (uint32_t i = 0; i < WR_COUNT(cases); i++)
        CHECK_MSG(wr_os_glob_match(wr_str_c(cases[i].pattern), wr_str_c(cases[i].name)) ==
                      cases[i].match,
                  "'%s' on '%s'", cases[i].pattern, cases[i].name);
    CHECK(wr_os_glob_has_magic(WR_STR("a/*.csv")) && !wr_os_glob_has_magic(WR_STR("a/b.csv")));
}

typedef struct seen {
    size_t root_len, count;
    char names[512]; /* the set, as ";x;y" in any order */
} seen;

static wr_status
note(wr_ctx *ctx, void *arg, const char *path, const wr_os_stat *st)
{
    (void)ctx, (void)st;
    seen *s = arg;
    size_t len = strlen(s->names);
    (void)snprintf(s->names + len, sizeof s->names - len, ";%s;", path + s->root_len + 1);
    s->count++;
    return WR_OK;
}

TEST(globs_and_walks_visit_what_matches)
{
    wr_ctx ctx;
    char dir[WR_OS_PATH_MAX];
    wr_ctx_init(&ctx);
    temp_dir(&ctx, dir);
    CHECK_OK(&ctx, wr_os_make_dirs(&ctx, in(dir, "day=1/hour=2")));
    CHECK_OK(&ctx, wr_os_make_dirs(&ctx, in(dir, "day=2")));
    put(&ctx, in(dir, "top.csv"), "");
    put(&ctx, in(dir, ".hidden.csv"), "");
    put(&ctx, in(dir, "day=1/a.csv"), "");
    put(&ctx, in(dir, "day=1/hour=2/b.csv"), "");
    put(&ctx, in(dir, "day=2/c.json"), "");
    static const struct {
        const char *pattern;
        size_t count;
        const char *names[4];
    } cases[] = {
        {"*.csv", 1, {";top.csv;"}},
        {"*/*.csv", 1, {";day=1/a.csv;"}},
        {"**/*.csv", 3, {";top.csv;", ";day=1/a.csv;", ";day=1/hour=2/b.csv;"}},
        {"day=[12]/*", 3, {";day=1/a.csv;", ";day=1/hour=2;", ";day=2/c.json;"}},
        {"day=2/c.json", 1, {";day=2/c.json;"}},
        {"day=2/missing", 0, {NULL}},
        {"top.csv/*", 0, {NULL}},
    };
    for (uint32_t i = 0; i < WR_COUNT(cases); i++) {
        seen s = {.root_len = strlen(dir)};
        CHECK_OK(&ctx, wr_os_glob(&ctx, in(dir, cases[i].pattern), note, &s));
        CHECK_MSG(s.count == cases[i].count, "%s: %s", cases[i].pattern, s.names);
        for (size_t j = 0; j < 4 && cases[i].names[j]; j++)
            CHECK_MSG(strstr(s.names, cases[i].names[j]), "%s: %s", cases[i].pattern, s.names);
    }
    seen s = {.root_len = strlen(dir)};
    CHECK_OK(&ctx, wr_os_walk(&ctx, dir, note, &s));
    CHECK_EQ_INT(s.count, 5);
    CHECK_OK(&ctx, wr_os_remove_tree(&ctx, dir));
}

/* Write a file beside, sync, put it in place, read it back: the way every durable file of weir is
 * written. */
static wr_status
replace(wr_ctx *ctx, const char *dir, const char *text, char *back, size_t cap)
{
    wr_os_file f = {.fd = -1};
    wr_status status;
    size_t got = 0;
    back[0] = '\0';
    WR_TRY_GOTO(wr_os_file_open(ctx, in(dir, "new"), WR_OS_WRITE, &f), done);
    WR_TRY_GOTO(wr_os_file_write(ctx, &f, text, strlen(text)), done);
    WR_TRY_GOTO(wr_os_file_sync(ctx, &f), done);
    WR_TRY_GOTO(wr_os_file_finish(ctx, &f), done);
    WR_TRY_GOTO(wr_os_rename(ctx, in(dir, "new"), in(dir, "data")), done);
    WR_TRY_GOTO(wr_os_sync_dir(ctx, dir), done);
    WR_TRY_GOTO(wr_os_file_open(ctx, in(dir, "data"), WR_OS_READ, &f), done);
    WR_TRY_GOTO(wr_os_file_read_at(ctx, &f, 0, back, cap - 1, &got), done);
done:
    back[got] = '\0';
    wr_os_file_close(&f);
    return status;
}

static void
fault_loop(wr_os_fault how)
{
    wr_ctx ctx;
    char dir[WR_OS_PATH_MAX], back[64];
    wr_ctx_init(&ctx);
    temp_dir(&ctx, dir);
    CHECK_OK(&ctx, replace(&ctx, dir, "old content", back, sizeof back));
    int failures = 0;
    for (int n = 1; n < 100; n++) {
        wr_ctx_reset(&ctx);
        wr_os_fail_after(n, how);
        wr_status status = replace(&ctx, dir, "new content", back, sizeof back);
        bool hit = wr_os_fail_hit();
        wr_os_fail_after(0, how);
        CHECK_EQ_INT(status, hit ? WR_IO : WR_OK);
        if (!hit) break;
        CHECK(strstr(ctx.err.message, "Input/output error") != NULL);
        failures++;
        wr_os_file f;
        size_t got = 0;
        wr_ctx_reset(&ctx);
        CHECK_OK(&ctx, wr_os_file_open(&ctx, in(dir, "data"), WR_OS_READ, &f));
        CHECK_OK(&ctx, wr_os_file_read_at(&ctx, &f, 0, back, sizeof back - 1, &got));
        back[got] = '\0'; /* the old or the new, never half */
        CHECK(strcmp(back, "old content") == 0 || strcmp(back, "new content") == 0);
        wr_os_file_close(&f);
    }
    CHECK_EQ_INT(failures, 8);
    CHECK_EQ_STR(back, "new content");
    CHECK_OK(&ctx, wr_os_remove_tree(&ctx, dir));
}

TEST(every_io_call_may_fail)
{
    fault_loop(WR_OS_FAULT_ERROR);
}

TEST(torn_writes_never_reach_the_file_in_place)
{
    fault_loop(WR_OS_FAULT_TORN);
}

TEST(torn_write_stores_half)
{
    wr_ctx ctx;
    wr_os_file f;
    wr_os_stat st;
    char dir[WR_OS_PATH_MAX];
    wr_ctx_init(&ctx);
    temp_dir(&ctx, dir);
    CHECK_OK(&ctx, wr_os_file_open(&ctx, in(dir, "t"), WR_OS_WRITE, &f));
    wr_os_fail_after(1, WR_OS_FAULT_TORN);
    CHECK_EQ_INT(wr_os_file_write(&ctx, &f, "12345678", 8), WR_IO);
    wr_os_fail_after(0, WR_OS_FAULT_ERROR);
    wr_ctx_reset(&ctx);
    CHECK_OK(&ctx, wr_os_file_stat(&ctx, &f, &st));
    CHECK_EQ_UINT(st.size_bytes, 4);
    wr_os_file_close(&f);
    CHECK_OK(&ctx, wr_os_remove_tree(&ctx, dir));
}

CHECK_MAIN()
