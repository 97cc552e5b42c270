/* SPDX-License-Identifier: Apache-2.0 */
/* The contract of spi/fs.h, run against every file system of the room, plain and through the fault
 * wrapper; then each call failing in turn, torn and unsynced writes. */
#include <stdlib.h>

#include "fs/fs.h"
#include "os/os.h"
#include "unit/check.h"

static wr_ctx ctx;

static wr_str
path_of(wr_arena *a, const char *root, const char *name)
{
    return wr_arena_printf(a, "%s/%s", root, name);
}

static wr_status
put(wr_fs *fs, wr_str path, const char *text)
{
    wr_file *f;
    WR_TRY(fs->ops->create(&ctx, fs, path, &f));
    wr_status status = f->ops->append(&ctx, f, text, strlen(text));
    if (status == WR_OK) status = f->ops->sync(&ctx, f);
    wr_status closed = f->ops->close(&ctx, f);
    return status == WR_OK ? closed : status;
}

/* Content of a file, or NULL. */
static const char *
get(wr_fs *fs, wr_str path, wr_arena *a)
{
    wr_file *f;
    size_t got = 0;
    char *buf = wr_arena_alloc(a, 4096);
    if (fs->ops->open(&ctx, fs, path, &f) != WR_OK) return NULL;
    wr_status status = f->ops->read_at(&ctx, f, 0, buf, 4095, &got);
    wr_status closed = f->ops->close(&ctx, f);
    if (status != WR_OK || closed != WR_OK) return NULL;
    buf[got] = '\0';
    return buf;
}

static void
files_and_renames(wr_fs *fs, const char *root, wr_arena *a)
{
    wr_str one = path_of(a, root, "one"), two = path_of(a, root, "d/two");
    wr_file_info info;
    bool exists, done;
    CHECK_OK(&ctx, fs->ops->mkdirs(&ctx, fs, wr_str_c(root)));
    CHECK_OK(&ctx, fs->ops->mkdirs(&ctx, fs, wr_str_c(root)));
    CHECK_OK(&ctx, fs->ops->mkdirs(&ctx, fs, path_of(a, root, "d/e")));
    CHECK_OK(&ctx, put(fs, one, "first"));
    CHECK(put(fs, one, "again") == WR_EXISTS);
    wr_ctx_init(&ctx);
    CHECK_EQ_STR(get(fs, one, a), "first");
    CHECK_OK(&ctx, fs->ops->stat(&ctx, fs, one, a, &info, &exists));
    CHECK(exists && !info.is_dir && info.size_bytes == 5 && info.mtime_ms > 0);
    CHECK_OK(&ctx, fs->ops->stat(&ctx, fs, path_of(a, root, "nope"), a, &info, &exists));
    CHECK(!exists);
    CHECK(get(fs, path_of(a, root, "nope"), a) == NULL);
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, fs->ops->rename_new(&ctx, fs, one, two, &done));
    CHECK(done);
    CHECK(get(fs, one, a) == NULL);
    wr_ctx_init(&ctx);
    CHECK_EQ_STR(get(fs, two, a), "first");
    CHECK_OK(&ctx, put(fs, one, "second"));
    CHECK_OK(&ctx, fs->ops->rename_new(&ctx, fs, one, two, &done));
    CHECK(!done);
    CHECK_EQ_STR(get(fs, two, a), "first");
    CHECK_EQ_STR(get(fs, one, a), "second");
    CHECK_OK(&ctx, fs->ops->rename_over(&ctx, fs, one, two));
    CHECK_EQ_STR(get(fs, two, a), "second");
}

static void
links_and_locks(wr_fs *fs, const char *root, wr_arena *a)
{
    const wr_str first = path_of(a, root, "l/first"), second = path_of(a, root, "l/second");
    const wr_str lock = path_of(a, root, "l/lock");
    wr_file *held = NULL, *other = NULL;
    wr_str holder = {0};
    bool done = false;
    CHECK_OK(&ctx, fs->ops->mkdirs(&ctx, fs, path_of(a, root, "l")));
    CHECK_OK(&ctx, put(fs, first, "linked"));
    CHECK_OK(&ctx, fs->ops->link(&ctx, fs, first, second, &done));
    CHECK(done);
    CHECK_OK(&ctx, fs->ops->sync_dir(&ctx, fs, path_of(a, root, "l")));
    CHECK(fs->ops->link(&ctx, fs, first, second, &done) == WR_EXISTS);
    wr_ctx_init(&ctx);
    CHECK(fs->ops->link(&ctx, fs, path_of(a, root, "l/none"), lock, &done) != WR_OK);
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, fs->ops->remove(&ctx, fs, first, false));
    CHECK_EQ_STR(get(fs, second, a), "linked");
    CHECK_OK(&ctx, fs->ops->lock(&ctx, fs, lock, WR_STR("me"), a, &held, &holder));
    CHECK(held != NULL);
    CHECK_OK(&ctx, fs->ops->lock(&ctx, fs, lock, WR_STR("you"), a, &other, &holder));
    CHECK(other == NULL);
    CHECK_EQ_WRSTR(holder, "me");
    if (held) CHECK_OK(&ctx, held->ops->close(&ctx, held));
    CHECK_OK(&ctx, fs->ops->lock(&ctx, fs, lock, WR_STR("you"), a, &other, &holder));
    CHECK(other != NULL);
    CHECK_EQ_STR(get(fs, lock, a), "you");
    if (other) CHECK_OK(&ctx, other->ops->close(&ctx, other));
    CHECK_OK(&ctx, fs->ops->remove(&ctx, fs, path_of(a, root, "l"), true));
}

/* Cut and gone on with. */
static void
reopening(wr_fs *fs, const char *root, wr_arena *a)
{
    wr_file *again;
    const wr_str cut = path_of(a, root, "cut");
    char text[16];
    size_t n = 0;
    CHECK_OK(&ctx, fs->ops->create(&ctx, fs, cut, &again));
    CHECK_OK(&ctx, again->ops->append(&ctx, again, "0123456789", 10));
    CHECK_OK(&ctx, again->ops->sync(&ctx, again));
    CHECK_OK(&ctx, again->ops->close(&ctx, again));
    CHECK(fs->ops->reopen(&ctx, fs, cut, 11, &again) == WR_IO);
    wr_ctx_reset(&ctx);
    CHECK(fs->ops->reopen(&ctx, fs, path_of(a, root, "none"), 0, &again) == WR_IO);
    wr_ctx_reset(&ctx);
    CHECK_OK(&ctx, fs->ops->reopen(&ctx, fs, cut, 4, &again));
    CHECK_OK(&ctx, again->ops->append(&ctx, again, "ab", 2));
    CHECK_OK(&ctx, again->ops->sync(&ctx, again));
    CHECK_OK(&ctx, again->ops->close(&ctx, again));
    CHECK_OK(&ctx, fs->ops->open(&ctx, fs, cut, &again));
    CHECK_OK(&ctx, again->ops->read_at(&ctx, again, 0, text, sizeof text, &n));
    CHECK(n == 6 && memcmp(text, "0123ab", 6) == 0);
    CHECK_OK(&ctx, again->ops->close(&ctx, again));
    CHECK_OK(&ctx, fs->ops->remove(&ctx, fs, cut, false));
}

static void
reading_at(wr_fs *fs, const char *root, wr_arena *a)
{
    wr_file *f;
    char buf[16];
    size_t got;
    const char *data;
    wr_str path = path_of(a, root, "digits");
    CHECK_OK(&ctx, put(fs, path, "0123456789"));
    CHECK_OK(&ctx, fs->ops->open(&ctx, fs, path, &f));
    CHECK_OK(&ctx, f->ops->read_at(&ctx, f, 3, buf, 4, &got));
    CHECK(got == 4 && memcmp(buf, "3456", 4) == 0);
    CHECK_OK(&ctx, f->ops->read_at(&ctx, f, 8, buf, 10, &got));
    CHECK(got == 2 && memcmp(buf, "89", 2) == 0);
    CHECK_OK(&ctx, f->ops->read_at(&ctx, f, 10, buf, 10, &got));
    CHECK(got == 0);
    CHECK_OK(&ctx, f->ops->read_at(&ctx, f, 1000, buf, 10, &got));
    CHECK(got == 0);
    CHECK_OK(&ctx, f->ops->map(&ctx, f, &data, &got));
    CHECK(!data || (got == 10 && memcmp(data, "0123456789", 10) == 0));
    CHECK_OK(&ctx, f->ops->close(&ctx, f));
}

static void
listing(wr_fs *fs, const char *root, wr_arena *a)
{
    wr_file_info *items;
    uint32_t count;
    wr_str dir = path_of(a, root, "list");
    CHECK_OK(&ctx, fs->ops->mkdirs(&ctx, fs, path_of(a, root, "list/b")));
    CHECK_OK(&ctx, put(fs, path_of(a, root, "list/c"), "x"));
    CHECK_OK(&ctx, put(fs, path_of(a, root, "list/a"), "y"));
    CHECK_OK(&ctx, put(fs, path_of(a, root, "list/b/z"), "z"));
    CHECK_OK(&ctx, fs->ops->list(&ctx, fs, dir, false, a, &items, &count));
    CHECK_FATAL(count == 3);
    CHECK(!items[0].is_dir && items[1].is_dir && !items[2].is_dir);
    CHECK_EQ_STR(get(fs, items[0].path, a), "y"); /* listed paths can be opened */
    CHECK_OK(&ctx, fs->ops->list(&ctx, fs, dir, true, a, &items, &count));
    CHECK(count == 4);
    CHECK(fs->ops->list(&ctx, fs, path_of(a, root, "absent"), false, a, &items, &count) != WR_OK);
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, fs->ops->remove(&ctx, fs, path_of(a, root, "absent"), false));
    CHECK(fs->ops->remove(&ctx, fs, dir, false) != WR_OK);
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, fs->ops->remove(&ctx, fs, dir, true));
    bool exists;
    wr_file_info info;
    CHECK_OK(&ctx, fs->ops->stat(&ctx, fs, dir, a, &info, &exists));
    CHECK(!exists);
}

static void
conformance(wr_fs *fs, const char *root)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, fs->ops->remove(&ctx, fs, wr_str_c(root), true));
    files_and_renames(fs, root, a);
    reading_at(fs, root, a);
    links_and_locks(fs, root, a);
    reopening(fs, root, a);
    listing(fs, root, a);
    CHECK_OK(&ctx, fs->ops->remove(&ctx, fs, wr_str_c(root), true));
    wr_arena_destroy(a);
}

static const char *
temp(char out[256])
{
    CHECK_OK(&ctx, wr_os_temp_name(&ctx, NULL, "weir-fs-", out, 256));
    return out;
}

TEST(local)
{
    char root[256];
    conformance(wr_fs_local(), temp(root));
}

TEST(local_with_scheme)
{
    char root[256], url[300];
    (void)snprintf(url, sizeof url, "file://%s", temp(root));
    conformance(wr_fs_local(), url);
    (void)snprintf(url, sizeof url, "file:%s", temp(root));
    conformance(wr_fs_local(), url);
}

TEST(memory)
{
    wr_fs *fs = wr_fs_memory_create(NULL);
    conformance(fs, "memory:/x");
    conformance(fs, "memory://x/y");
    wr_fs_memory_destroy(fs);
}

TEST(through_the_fault_wrapper)
{
    wr_fs *memory = wr_fs_memory_create(NULL), *fault = wr_fs_fault_create(memory);
    conformance(fault, "memory:/x");
    wr_fs_fault_destroy(fault);
    wr_fs_memory_destroy(memory);
}

TEST(finds_by_scheme)
{
    CHECK(wr_fs_register());
    CHECK(wr_find_fs(WR_STR("/a/b")) == wr_fs_local());
    CHECK(wr_find_fs(WR_STR("a/b:c")) == wr_fs_local());
    CHECK(wr_find_fs(WR_STR("file:///a")) == wr_fs_local());
    CHECK(wr_find_fs(WR_STR("s3://bucket/a")) == NULL);
}

/* Write by create, append, sync, close, rename: whatever call fails, the target is whole or absent.
 */
TEST(commit_survives_every_fault)
{
    static const wr_fs_fault kinds[] = {WR_FS_FAULT_ERROR, WR_FS_FAULT_TORN, WR_FS_FAULT_UNSYNCED};
    for (uint32_t k = 0; k < WR_COUNT(kinds); k++)
        for (int64_t n = 1;; n++) {
            wr_fs *memory = wr_fs_memory_create(NULL), *fault = wr_fs_fault_create(memory);
            wr_arena *a = wr_arena_create(NULL, 0);
            bool done = false;
            wr_ctx_init(&ctx);
            wr_fs_fault_after(fault, n, kinds[k]);
            wr_status status = put(fault, WR_STR("memory:/t/.hidden"), "all of it");
            if (status == WR_OK)
                status = fault->ops->rename_new(&ctx, fault, WR_STR("memory:/t/.hidden"),
                                                WR_STR("memory:/t/file"), &done);
            const char *text = get(memory, WR_STR("memory:/t/file"), a);
            if (wr_fs_fault_hit(fault))
                CHECK(status != WR_OK && !text);
            else
                CHECK(status == WR_OK && done && text && strcmp(text, "all of it") == 0);
            bool hit = wr_fs_fault_hit(fault);
            wr_arena_destroy(a);
            wr_fs_fault_destroy(fault);
            wr_fs_memory_destroy(memory);
            if (!hit) break;
            CHECK_FATAL(n < 50);
        }
}

TEST(torn_and_unsynced_writes)
{
    wr_fs *memory = wr_fs_memory_create(NULL), *fault = wr_fs_fault_create(memory);
    wr_arena *a = wr_arena_create(NULL, 0);
    wr_ctx_init(&ctx);
    wr_fs_fault_after(fault, 2, WR_FS_FAULT_TORN);
    CHECK(put(fault, WR_STR("memory:/torn"), "12345678") == WR_IO);
    CHECK_EQ_STR(get(memory, WR_STR("memory:/torn"), a), "1234");
    wr_ctx_init(&ctx);
    wr_fs_fault_after(fault, 3, WR_FS_FAULT_UNSYNCED); /* the sync fails: nothing is there */
    CHECK(put(fault, WR_STR("memory:/lost"), "12345678") == WR_IO);
    CHECK_EQ_STR(get(memory, WR_STR("memory:/lost"), a), "");
    wr_arena_destroy(a);
    wr_fs_fault_destroy(fault);
    wr_fs_memory_destroy(memory);
}

/* Only calls of the kinds and on the paths asked for count; a full disk stays full; what was not
 * synced when its file is closed is lost, without an error. */
TEST(faults_of_a_kind)
{
    wr_fs *memory = wr_fs_memory_create(NULL), *fault = wr_fs_fault_create(memory);
    wr_arena *a = wr_arena_create(NULL, 0);
    wr_file *f;
    wr_ctx_init(&ctx);
    wr_fs_fault_only(fault, WR_FS_APPENDS, WR_STR("/bad"));
    wr_fs_fault_after(fault, 2, WR_FS_FAULT_ERROR);
    CHECK_OK(&ctx, put(fault, WR_STR("memory:/good1"), "x"));
    CHECK_OK(&ctx, put(fault, WR_STR("memory:/bad1"), "x"));
    CHECK_OK(&ctx, put(fault, WR_STR("memory:/good2"), "x"));
    CHECK(put(fault, WR_STR("memory:/bad2"), "x") == WR_IO);
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, put(fault, WR_STR("memory:/bad3"), "x"));
    wr_fs_fault_only(fault, WR_FS_APPENDS | WR_FS_CREATES, WR_STR(""));
    wr_fs_fault_after(fault, 2, WR_FS_FAULT_FULL);
    for (int i = 0; i < 3; i++) {
        wr_ctx_init(&ctx);
        CHECK(put(fault, WR_STR("memory:/full"), "x") == WR_IO);
        CHECK(strstr(ctx.err.message, "no space left on device") != NULL);
    }
    wr_ctx_init(&ctx);
    wr_fs_fault_only(fault, WR_FS_APPENDS, WR_STR("/l"));
    wr_fs_fault_after(fault, 0, WR_FS_FAULT_LOST);
    CHECK_OK(&ctx, put(fault, WR_STR("memory:/lasting"), "synced"));
    CHECK_EQ_STR(get(memory, WR_STR("memory:/lasting"), a), "synced");
    CHECK_OK(&ctx, fault->ops->create(&ctx, fault, WR_STR("memory:/late"), &f));
    CHECK_OK(&ctx, f->ops->append(&ctx, f, "synced", 6));
    CHECK_OK(&ctx, f->ops->sync(&ctx, f));
    CHECK_OK(&ctx, f->ops->append(&ctx, f, "not", 3));
    CHECK_OK(&ctx, f->ops->close(&ctx, f));
    CHECK_EQ_STR(get(memory, WR_STR("memory:/late"), a), "synced");
    wr_arena_destroy(a);
    wr_fs_fault_destroy(fault);
    wr_fs_memory_destroy(memory);
}

/* WEIR_FAULT: what it says happens to local files. */
TEST(faults_from_the_environment)
{
    static const char *const malformed[] = {"write", "write:", "write:x", "nonsense:1", ":1"};
    wr_ctx_init(&ctx);
    for (uint32_t i = 0; i < WR_COUNT(malformed); i++) {
        CHECK(setenv("WEIR_FAULT", malformed[i], 1) == 0);
        CHECK(!wr_fs_register());
    }
    char dir[] = "/tmp/weir-fault-XXXXXX", path[64];
    CHECK(mkdtemp(dir) != NULL);
    CHECK(setenv("WEIR_FAULT", "sync:2:weir-fault", 1) == 0);
    CHECK(wr_fs_register());
    for (int i = 0; i < 3; i++) {
        (void)snprintf(path, sizeof path, "%s/%d", dir, i);
        CHECK(put(wr_find_fs(WR_STR("/x")), wr_str_c(path), "x") == (i == 1 ? WR_IO : WR_OK));
        wr_ctx_init(&ctx);
    }
    wr_fs *fault = wr_find_fs(WR_STR("/x"));
    CHECK(unsetenv("WEIR_FAULT") == 0);
    CHECK(wr_fs_register());
    wr_fs_fault_destroy(fault);
    CHECK(wr_find_fs(WR_STR("/x")) == wr_fs_local());
    CHECK_OK(&ctx, wr_fs_local()->ops->remove(&ctx, wr_fs_local(), wr_str_c(dir), true));
}

/* A file removed while open stays readable; memory within its budget. */
TEST(memory_open_file_and_budget)
{
    wr_memtrack *budget = wr_memtrack_create(NULL, "fs", 10000);
    wr_fs *fs = wr_fs_memory_create(budget);
    wr_file *f;
    char buf[8];
    size_t got;
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, put(fs, WR_STR("memory:/a"), "abc"));
    CHECK_OK(&ctx, fs->ops->open(&ctx, fs, WR_STR("memory:/a"), &f));
    CHECK_OK(&ctx, fs->ops->remove(&ctx, fs, WR_STR("memory:/a"), false));
    CHECK_OK(&ctx, f->ops->read_at(&ctx, f, 0, buf, 8, &got));
    CHECK(got == 3);
    CHECK_OK(&ctx, f->ops->close(&ctx, f));
    CHECK_OK(&ctx, fs->ops->create(&ctx, fs, WR_STR("memory:/big"), &f));
    char block[4096] = {0};
    wr_status status = WR_OK;
    for (int i = 0; i < 10 && status == WR_OK; i++)
        status = f->ops->append(&ctx, f, block, sizeof block);
    CHECK(status == WR_NOMEM);
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, f->ops->close(&ctx, f));
    wr_fs_memory_destroy(fs);
    CHECK_EQ_UINT(wr_memtrack_used(budget), 0);
    wr_memtrack_destroy(budget);
}

CHECK_MAIN()
