/* SPDX-License-Identifier: Apache-2.0 */
/* The filesystem sink under checkpoints: what is visible when, what a writer that dies leaves and
 * the next one makes of it, at other parallelisms, under file systems that fail at any call; which
 * partitions are committed when. A sink is driven here as a job drives it: rows, barriers (prepare
 * and snapshot), commits, deaths without close, restores from the last committed checkpoint, whose
 * commit is done again. The order of files is Flink 2.3's (seen by running it). links: format fs
 */
#include "os/os.h"
#include "unit/table_rig.h"

#define WRITERS_MAX 4
#define ROWS_MAX    4096

/* A file system in memory that fails on demand: "memory:". */
static wr_fs *faulty;

static const char *
memory_dir(rig *r)
{
    wr_fs *inner = NULL;
    if (!faulty) {
        inner = wr_fs_memory_create(NULL);
        faulty = inner ? wr_fs_fault_create(inner) : NULL;
        CHECK(faulty && wr_register_fs(faulty));
    }
    CHECK_OK(&r->ctx, faulty->ops->remove(&r->ctx, faulty, WR_STR("memory:/t"), true));
    CHECK_OK(&r->ctx, faulty->ops->mkdirs(&r->ctx, faulty, WR_STR("memory:/t")));
    return "memory:/t";
}

static void
put_file(rig *r, wr_str path, const char *data, size_t len)
{
    wr_fs *fs = wr_find_fs(path);
    wr_file *f;
    CHECK_OK(&r->ctx, fs->ops->remove(&r->ctx, fs, path, false));
    CHECK_OK(&r->ctx, fs->ops->create(&r->ctx, fs, path, &f));
    CHECK_OK(&r->ctx, f->ops->append(&r->ctx, f, data, len));
    CHECK_OK(&r->ctx, f->ops->sync(&r->ctx, f));
    CHECK_OK(&r->ctx, f->ops->close(&r->ctx, f));
}

static char *
content(rig *r, wr_fs *fs, const wr_file_info *info)
{
    wr_file *f;
    size_t got = 0;
    char *data = wr_arena_alloc(r->arena, info->size_bytes + 1);
    CHECK_OK(&r->ctx, fs->ops->open(&r->ctx, fs, info->path, &f));
    CHECK_OK(&r->ctx, f->ops->read_at(&r->ctx, f, 0, data, info->size_bytes, &got));
    CHECK_EQ_UINT(got, info->size_bytes);
    CHECK_OK(&r->ctx, f->ops->close(&r->ctx, f));
    return data;
}

/* A job of one sink, and what it remembers of its last checkpoint. */
typedef struct job {
    rig *r;
    const wr_sink_ops *ops;
    wr_sink_spec spec;
    wr_sink_env env[WRITERS_MAX];
    wr_writer *writer[WRITERS_MAX];
    uint32_t count;
    uint64_t next_id;
    const char *id;
    const wr_opstate *kept[WRITERS_MAX]; /* of the last completed checkpoint */
    uint32_t kept_count;
    WR_LIST(wr_str) kept_committables; /* of it */
    WR_LIST(wr_str) uncommitted;       /* since the last commit */
    uint32_t source, kept_source;      /* the next row to read; as the checkpoint says */
} job;

static void
job_init(job *j, rig *r, const char *id)
{
    rig_sink s;
    memset(j, 0, sizeof *j);
    j->r = r;
    j->id = id;
    j->next_id = 1;
    CHECK_OK(&r->ctx, rig_sink_open(r, &s, false));
    s.ops->close(s.writer);
    j->ops = s.ops;
    j->spec = s.spec;
}

static wr_status
job_commit(job *j, uint64_t id, const wr_str *committables, uint32_t count, bool end)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    wr_sink_env env = {.arena = a, .eval = &j->r->eval, .parallelism = j->count};
    env.job_id = wr_str_c(j->id);
    env.operator_id = WR_STR("sink");
    const wr_commit c = {
        .checkpoint_id = id, .committables = committables, .count = count, .end = end, .env = &env};
    wr_status status = count || end ? j->ops->commit(&j->r->ctx, &j->spec, &c) : WR_OK;
    wr_arena_destroy(a);
    return status;
}

/* A new attempt: from the last checkpoint, or from the beginning when there is none. */
static wr_status
job_start(job *j, uint32_t parallelism)
{
    rig *r = j->r;
    wr_ctx *ctx = &r->ctx;
    memset(j->writer, 0, sizeof j->writer);
    j->count = parallelism;
    j->source = j->kept_count ? j->kept_source : 0;
    memset(&j->uncommitted, 0, sizeof j->uncommitted);
    WR_TRY(
        job_commit(j, j->next_id, j->kept_committables.items, j->kept_committables.count, false));
    for (uint32_t i = 0; i < parallelism; i++) {
        j->env[i] = (wr_sink_env){.arena = r->arena,
                                  .eval = &r->eval,
                                  .config = &r->config,
                                  .subtask = i,
                                  .parallelism = parallelism,
                                  .job_id = wr_str_c(j->id),
                                  .operator_id = WR_STR("sink"),
                                  .checkpointing = true,
                                  .restoring = j->kept_count > 0,
                                  .job = j,
                                  .out = rig_out,
                                  .err = rig_out,
                                  .arg = r};
        WR_TRY(j->ops->open(ctx, &j->spec, &j->env[i], &j->writer[i]));
        if (!j->kept_count) continue;
        wr_opstate mine = {.arena = r->arena};
        WR_TRY(wr_opstate_redistribute(ctx, j->kept, j->kept_count, i, parallelism, &mine));
        WR_TRY(j->ops->restore(ctx, j->writer[i], &mine));
    }
    return WR_OK;
}

static wr_status
job_write(job *j, uint32_t subtask, const char *const *rows, uint32_t count)
{
    wr_batch *b = rig_batch(j->r, rows, count);
    wr_status status = j->ops->write(&j->r->ctx, j->writer[subtask], b);
    wr_batch_release(b);
    return status;
}
#define WRITE(j, subtask, ...)                                                                     \
    CHECK_OK(&(j)->r->ctx,                                                                         \
             job_write((j), (subtask), (const char *const[]){__VA_ARGS__},                         \
                       sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)))

/* A checkpoint: complete when all have answered; then it is what a restart begins with, whether its
 * commit comes to its end or not. */
static wr_status
job_checkpoint(job *j, bool end)
{
    wr_ctx *ctx = &j->r->ctx;
    const uint64_t id = j->next_id++;
    wr_opstate *states = WR_NEW_N(j->r->arena, wr_opstate, WRITERS_MAX);
    for (uint32_t i = 0; i < j->count; i++) {
        wr_str c = WR_STR("");
        WR_TRY(j->ops->prepare(ctx, j->writer[i], id, j->r->arena, &c));
        states[i].arena = j->r->arena;
        WR_TRY(j->ops->snapshot(ctx, j->writer[i], id, &states[i]));
        if (c.len) CHECK(wr_list_push(j->r->arena, &j->uncommitted, c));
    }
    for (uint32_t i = 0; i < j->count; i++) j->kept[i] = &states[i];
    j->kept_count = j->count;
    j->kept_source = j->source;
    j->kept_committables.items = j->uncommitted.items;
    j->kept_committables.count = j->kept_committables.cap = j->uncommitted.count;
    memset(&j->uncommitted, 0, sizeof j->uncommitted);
    return job_commit(j, id, j->kept_committables.items, j->kept_committables.count, end);
}
#define CHECKPOINT(j) CHECK_OK(&(j)->r->ctx, job_checkpoint((j), false))

static wr_status
job_finish(job *j)
{
    for (uint32_t i = 0; i < j->count; i++) WR_TRY(j->ops->finish(&j->r->ctx, j->writer[i]));
    return job_checkpoint(j, true);
}

static void
job_close(job *j)
{
    for (uint32_t i = 0; i < j->count; i++)
        if (j->writer[i]) j->ops->close(j->writer[i]);
    memset(j->writer, 0, sizeof j->writer);
}

/* The process is gone: its memory goes, the files stay as they are now. */
static void
job_die(job *j, const char *dir)
{
    wr_fs *fs = wr_find_fs(wr_str_c(dir));
    wr_file_info *items;
    uint32_t count;
    rig *r = j->r;
    CHECK_OK(&r->ctx, fs->ops->list(&r->ctx, fs, wr_str_c(dir), true, r->arena, &items, &count));
    char **data = WR_NEW_N(r->arena, char *, count ? count : 1);
    for (uint32_t i = 0; i < count; i++) {
        if (!items[i].is_dir) data[i] = content(r, fs, &items[i]);
    }
    job_close(j);
    for (uint32_t i = 0; i < count; i++)
        if (data[i]) put_file(r, items[i].path, data[i], items[i].size_bytes);
}

/* Rows of all visible files, sorted, between bars. */
static int
by_text(const void *a, const void *b)
{
    return wr_str_cmp(*(const wr_str *)a, *(const wr_str *)b);
}

static const char *
visible_rows(rig *r, const char *dir, uint32_t *files, uint32_t *hidden)
{
    wr_fs *fs = wr_find_fs(wr_str_c(dir));
    wr_file_info *items;
    uint32_t count, n = 0;
    wr_str *lines = WR_NEW_N(r->arena, wr_str, ROWS_MAX);
    wr_text t;
    *files = *hidden = 0;
    CHECK_OK(&r->ctx, fs->ops->list(&r->ctx, fs, wr_str_c(dir), true, r->arena, &items, &count));
    for (uint32_t i = 0; i < count; i++) {
        const char *name = strrchr(items[i].path.ptr, '/') + 1;
        if (items[i].is_dir || name[0] == '_') continue;
        if (name[0] == '.') {
            ++*hidden;
            continue;
        }
        ++*files;
        char *data = content(r, fs, &items[i]), *end = data + items[i].size_bytes;
        for (char *p = data, *nl; p < end; p = nl + 1) {
            nl = memchr(p, '\n', (size_t)(end - p));
            CHECK(nl && n < ROWS_MAX); /* no torn line */
            if (!nl || n == ROWS_MAX) break;
            lines[n++] = (wr_str){p, (size_t)(nl - p)};
        }
    }
    qsort(lines, n, sizeof *lines, by_text);
    wr_text_init(&t, r->arena);
    for (uint32_t i = 0; i < n; i++)
        wr_text_printf(&t, "%s%.*s", i ? "|" : "", WR_STR_ARG(lines[i]));
    wr_text_putc(&t, '\0');
    return t.ptr;
}

static void
check_visible(rig *r, const char *dir, const char *rows, uint32_t files, uint32_t hidden)
{
    uint32_t f, h;
    CHECK_EQ_STR(visible_rows(r, dir, &f, &h), rows);
    CHECK_EQ_UINT(f, files);
    CHECK_EQ_UINT(h, hidden);
}

static const char *
table(rig *r, const char *format)
{
    rig_init(r);
    const char *dir = rig_temp_dir(r);
    CHECK(rig_columns(r, "a INT"));
    RIG_OPTIONS(r, "connector", "filesystem", "path", dir, "format", format);
    return dir;
}

/* The table and job "j1" on it, with one writer. */
static const char *
setup(rig *r, job *j, const char *format)
{
    const char *dir = table(r, format);
    job_init(j, r, "j1");
    CHECK_OK(&r->ctx, job_start(j, 1));
    return dir;
}

static void
teardown(rig *r, job *j, const char *dir)
{
    job_close(j);
    rig_remove(dir);
    rig_deinit(r);
}

/* csv rolls at every barrier, raw and json go on in their file: as Flink's. */
TEST(files_become_visible_with_their_checkpoint)
{
    rig r;
    job j;
    const char *dir = setup(&r, &j, "csv");
    WRITE(&j, 0, "[1]", "[2]");
    check_visible(&r, dir, "", 0, 1);
    CHECKPOINT(&j);
    check_visible(&r, dir, "1|2", 1, 0);
    WRITE(&j, 0, "[3]");
    check_visible(&r, dir, "1|2", 1, 1);
    CHECK_OK(&r.ctx, job_finish(&j));
    check_visible(&r, dir, "1|2|3", 2, 0);
    teardown(&r, &j, dir);
}

#define JSON(n) "{\"a\":" #n "}"

TEST(a_part_goes_on_behind_barriers_and_deaths)
{
    rig r;
    job j;
    const char *dir = setup(&r, &j, "json");
    WRITE(&j, 0, "[1]");
    CHECKPOINT(&j);
    check_visible(&r, dir, "", 0, 1);
    WRITE(&j, 0, "[2]");
    CHECKPOINT(&j);
    WRITE(&j, 0, "[3]"); /* lost: written behind the barrier */
    job_die(&j, dir);
    CHECK_OK(&r.ctx, job_start(&j, 1));
    WRITE(&j, 0, "[3]", "[4]");
    CHECK_OK(&r.ctx, job_finish(&j));
    check_visible(&r, dir, JSON(1) "|" JSON(2) "|" JSON(3) "|" JSON(4), 1, 0);
    teardown(&r, &j, dir);
}

/* What a job that stops has taken in is visible, and it goes on in a new file. */
TEST(a_stop_completes_parts)
{
    rig r;
    job j;
    const char *dir = setup(&r, &j, "json");
    WRITE(&j, 0, "[1]");
    CHECKPOINT(&j);
    WRITE(&j, 0, "[2]");
    j.env[0].stopping = true;
    CHECKPOINT(&j);
    check_visible(&r, dir, JSON(1) "|" JSON(2), 1, 0);
    job_close(&j);
    CHECK_OK(&r.ctx, job_start(&j, 2));
    WRITE(&j, 1, "[3]");
    CHECKPOINT(&j);
    check_visible(&r, dir, JSON(1) "|" JSON(2), 1, 1);
    CHECK_OK(&r.ctx, job_finish(&j));
    check_visible(&r, dir, JSON(1) "|" JSON(2) "|" JSON(3), 2, 0);
    teardown(&r, &j, dir);
}

TEST(leftovers_go_and_files_of_others_stay)
{
    rig r;
    job j, other;
    const char *dir = table(&r, "json");
    RIG_FILE(&r, dir, ".hidden-of-somebody", "x");
    job_init(&other, &r, "other");
    CHECK_OK(&r.ctx, job_start(&other, 1));
    WRITE(&other, 0, "[100]");
    CHECKPOINT(&other);
    job_init(&j, &r, "j1");
    CHECK_OK(&r.ctx, job_start(&j, 3));
    for (uint32_t i = 0; i < 3; i++) WRITE(&j, i, "[1]"); /* dies before its first checkpoint */
    check_visible(&r, dir, "", 0, 5);
    job_die(&j, dir);
    CHECK_OK(&r.ctx, job_start(&j, 2));
    check_visible(&r, dir, "", 0, 2);
    WRITE(&j, 0, "[1]");
    CHECKPOINT(&j);
    WRITE(&j, 1, "[2]"); /* a part that no checkpoint knows */
    check_visible(&r, dir, "", 0, 4);
    job_die(&j, dir);
    CHECK_OK(&r.ctx, job_start(&j, 1));
    check_visible(&r, dir, "", 0, 3);
    WRITE(&j, 0, "[2]");
    CHECK_OK(&r.ctx, job_finish(&j));
    CHECK_OK(&r.ctx, job_finish(&other));
    check_visible(&r, dir, JSON(100) "|" JSON(1) "|" JSON(2), 2, 1);
    job_close(&j);
    job_close(&other);
    rig_remove(dir);
    rig_deinit(&r);
}

/* What no checkpoint names goes with the writer; what one may name stays. */
TEST(close_without_finish)
{
    rig r;
    job j;
    const char *dir = setup(&r, &j, "json");
    WRITE(&j, 0, "[1]");
    job_close(&j);
    check_visible(&r, dir, "", 0, 0);
    CHECK_OK(&r.ctx, job_start(&j, 1));
    WRITE(&j, 0, "[1]");
    CHECKPOINT(&j);
    WRITE(&j, 0, "[2]");
    job_close(&j);
    check_visible(&r, dir, "", 0, 1);
    CHECK_OK(&r.ctx, job_start(&j, 1));
    WRITE(&j, 0, "[2]");
    CHECK_OK(&r.ctx, job_finish(&j));
    check_visible(&r, dir, JSON(1) "|" JSON(2), 1, 0);
    teardown(&r, &j, dir);
}

/* A job that starts from a savepoint of another one, which runs on: neither disturbs the other. */
TEST(a_savepoint_of_a_running_job)
{
    rig r;
    job a, b;
    const char *dir = table(&r, "json");
    job_init(&a, &r, "a");
    job_init(&b, &r, "b");
    CHECK_OK(&r.ctx, job_start(&a, 2));
    WRITE(&a, 0, "[1]");
    WRITE(&a, 1, "[2]");
    a.next_id = 70;
    CHECKPOINT(&a); /* the savepoint */
    memcpy(b.kept, a.kept, sizeof b.kept);
    b.kept_count = a.kept_count;
    CHECK_OK(&r.ctx, job_start(&b, 1));
    WRITE(&a, 0, "[3]");
    WRITE(&b, 0, "[4]");
    CHECKPOINT(&b); /* number 1 */
    WRITE(&b, 0, "[5]");
    job_close(&b);
    CHECK_OK(&r.ctx, job_start(&b, 2));
    WRITE(&b, 1, "[5]");
    CHECK_OK(&r.ctx, job_finish(&b));
    CHECK_OK(&r.ctx, job_finish(&a));
    check_visible(&r, dir,
                  JSON(1) "|" JSON(1) "|" JSON(2) "|" JSON(2) "|" JSON(3) "|" JSON(4) "|" JSON(5),
                  5, 0);
    job_close(&a);
    job_close(&b);
    rig_remove(dir);
    rig_deinit(&r);
}

/* ---- a long life ----------------------------------------------------------------------------- */

static uint64_t dice;

static uint32_t
throw_dice(uint32_t below)
{
    dice = dice * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(dice >> 33) % below;
}

enum { LIFE_ROWS = 70 };

static wr_status
write_some(job *j)
{
    for (uint32_t n = throw_dice(12); n > 0 && j->source < LIFE_ROWS; n--) {
        wr_str row = wr_arena_printf(j->r->arena, "[%u,\"p%u\"]", 1000 + j->source, j->source % 3);
        j->source++;
        WR_TRY(job_write(j, throw_dice(j->count), &row.ptr, 1));
    }
    return WR_OK;
}

/* Steps of a job until it has finished or fails. */
static wr_status
live(job *j)
{
    WR_TRY(job_start(j, 1 + throw_dice(WRITERS_MAX)));
    while (j->source < LIFE_ROWS) {
        int64_t next;
        WR_TRY(write_some(j));
        const uint32_t what = throw_dice(8);
        if (what < 3) WR_TRY(job_checkpoint(j, false));
        if (what == 3)
            WR_TRY(j->ops->tick(&j->r->ctx, j->writer[0], wr_os_wall_ms() + 7200000, &next));
        if (what == 4) return WR_CANCELLED; /* dies */
    }
    return job_finish(j);
}

static void
check_life(rig *r, const char *dir, bool json)
{
    wr_text want;
    uint32_t files, hidden;
    wr_text_init(&want, r->arena);
    for (int i = 0; i < LIFE_ROWS; i++)
        wr_text_printf(&want, json ? "%s{\"a\":%d}" : "%s%d", i ? "|" : "", 1000 + i);
    wr_text_putc(&want, '\0');
    CHECK_EQ_STR(visible_rows(r, dir, &files, &hidden), want.ptr);
    CHECK_EQ_UINT(hidden, 0);
}

static void
partitioned_table(rig *r, const char *dir, const char *format, bool compact)
{
    CHECK(rig_columns(r, "a INT, p STRING"));
    rig_partitioned(r, (const char *const[]){"p"}, 1);
    RIG_OPTIONS(r, "connector", "filesystem", "path", dir, "format", format,
                "sink.rolling-policy.file-size", "70 b", "sink.partition-commit.policy.kind",
                "success-file", "auto-compaction", compact ? "true" : "false",
                "compaction.file-size", "300 b");
}

TEST(many_deaths_lose_and_double_nothing)
{
    for (uint32_t round = 0; round < 50; round++) {
        rig r;
        job j;
        rig_init(&r);
        const char *dir = memory_dir(&r);
        const bool json = round % 2;
        dice = round + 1;
        partitioned_table(&r, dir, json ? "json" : "csv", round % 3 == 0);
        job_init(&j, &r, "life");
        wr_status status;
        do {
            status = live(&j);
            if (status == WR_CANCELLED && throw_dice(2))
                job_die(&j, dir);
            else
                job_close(&j);
        } while (status == WR_CANCELLED);
        CHECK_OK(&r.ctx, status);
        check_life(&r, dir, json);
        job_close(&j);
        rig_deinit(&r);
    }
}

/* One life in which the n-th call of the file system fails, and a death or two besides. */
static bool
live_with_fault(int64_t n, wr_fs_fault how, uint32_t kind)
{
    rig r;
    job j;
    rig_init(&r);
    const char *dir = memory_dir(&r);
    const bool json = kind & 1;
    partitioned_table(&r, dir, json ? "json" : "csv", kind & 2);
    job_init(&j, &r, "life");
    dice = kind + 100;
    int64_t left = n;
    bool hit = false;
    wr_status status;
    do {
        const int64_t before = wr_fs_fault_calls(faulty);
        wr_fs_fault_after(faulty, hit ? 0 : left, how);
        status = live(&j);
        hit |= wr_fs_fault_hit(faulty);
        left -= wr_fs_fault_calls(faulty) - before;
        wr_fs_fault_after(faulty, 0, how);
        CHECK(status == WR_OK || status == WR_CANCELLED || (status == WR_IO && hit));
        if (status != WR_OK && status != WR_CANCELLED && status != WR_IO) break;
        wr_ctx_reset(&r.ctx);
        if (status != WR_OK && n % 2)
            job_die(&j, dir);
        else
            job_close(&j);
    } while (status != WR_OK);
    check_life(&r, dir, json);
    rig_deinit(&r);
    return hit;
}

TEST(every_call_may_fail)
{
    for (uint32_t kind = 0; kind < 4; kind++)
        for (int how = WR_FS_FAULT_ERROR; how <= WR_FS_FAULT_UNSYNCED; how++)
            for (int64_t n = 1 + how; live_with_fault(n, (wr_fs_fault)how, kind); n += 5) {
            }
}

/* ---- compaction ------------------------------------------------------------------------------ */

static void
compacting(rig *r, const char *dir, const char *size)
{
    CHECK(rig_columns(r, "a INT, p STRING"));
    rig_partitioned(r, (const char *const[]){"p"}, 1);
    RIG_OPTIONS(r, "connector", "filesystem", "path", dir, "format", "json", "auto-compaction",
                "true", "compaction.file-size", size);
}

TEST(small_files_of_a_checkpoint_become_one)
{
    rig r;
    job j;
    rig_init(&r);
    const char *dir = memory_dir(&r);
    compacting(&r, dir, "1 mb");
    job_init(&j, &r, "j1");
    CHECK_OK(&r.ctx, job_start(&j, 3));
    for (uint32_t i = 0; i < 3; i++) WRITE(&j, i, "[1,\"x\"]", "[2,\"y\"]");
    CHECKPOINT(&j);
    check_visible(&r, dir, JSON(1) "|" JSON(1) "|" JSON(1) "|" JSON(2) "|" JSON(2) "|" JSON(2), 2,
                  0);
    WRITE(&j, 0, "[3,\"x\"]");
    CHECK_OK(&r.ctx, job_finish(&j));
    check_visible(&r, dir,
                  JSON(1) "|" JSON(1) "|" JSON(1) "|" JSON(2) "|" JSON(2) "|" JSON(2) "|" JSON(3),
                  3, 0);
    job_close(&j);
    compacting(&r, memory_dir(&r), "18 b"); /* two rows of 8 bytes and a newline */
    job_init(&j, &r, "j1");
    CHECK_OK(&r.ctx, job_start(&j, 4));
    for (uint32_t i = 0; i < 4; i++) WRITE(&j, i, "[1,\"x\"]");
    CHECKPOINT(&j);
    check_visible(&r, dir, JSON(1) "|" JSON(1) "|" JSON(1) "|" JSON(1), 2, 0);
    job_close(&j);
    rig_deinit(&r);
}

/* ---- partition commit ------------------------------------------------------------------------ */

static bool
has_file(rig *r, const char *path)
{
    wr_file_info info;
    bool exists;
    wr_fs *fs = wr_find_fs(wr_str_c(path));
    CHECK_OK(&r->ctx, fs->ops->stat(&r->ctx, fs, wr_str_c(path), r->arena, &info, &exists));
    return exists;
}

static void
by_partition_time(rig *r, job *j, const char *zone)
{
    rig_init(r);
    const char *dir = memory_dir(r);
    CHECK(rig_columns(r, "a INT, d STRING, h STRING"));
    rig_partitioned(r, (const char *const[]){"d", "h"}, 2);
    RIG_OPTIONS(r, "connector", "filesystem", "path", dir, "format", "json",
                "sink.partition-commit.policy.kind", "success-file",
                "sink.partition-commit.trigger", "partition-time", "sink.partition-commit.delay",
                "1 h", "partition.time-extractor.timestamp-pattern", "$d $h:00:00",
                "sink.partition-commit.watermark-time-zone", zone);
    job_init(j, r, "j1");
}

#define HOUR     3600000ll
#define DAY_2020 1577836800000ll /* 2020-01-01 */
#define P0       "memory:/t/d=2020-01-01/h=00/_SUCCESS"
#define P1       "memory:/t/d=2020-01-01/h=01/_SUCCESS"

static void
set_watermark(job *j, uint32_t subtask, int64_t watermark)
{
    CHECK_OK(&j->r->ctx, j->ops->watermark(&j->r->ctx, j->writer[subtask], watermark));
}

/* As Flink 2.3 does: behind time + delay, not at it; the part closes with it; later rows commit
 * the partition again; the end commits everything. */
TEST(partitions_by_their_time)
{
    rig r;
    job j;
    by_partition_time(&r, &j, "UTC");
    CHECK_OK(&r.ctx, job_start(&j, 2));
    WRITE(&j, 0, "[1,\"2020-01-01\",\"00\"]", "[2,\"2020-01-01\",\"01\"]");
    set_watermark(&j, 0, DAY_2020 + HOUR);
    set_watermark(&j, 1, DAY_2020 + 5 * HOUR);
    CHECKPOINT(&j);
    check_visible(&r, "memory:/t", "", 0, 2);
    set_watermark(&j, 0, DAY_2020 + HOUR + 1);
    set_watermark(&j, 1, DAY_2020 + HOUR);
    CHECKPOINT(&j); /* the writer is past, but not all of them */
    CHECK(!has_file(&r, P0));
    set_watermark(&j, 1, DAY_2020 + HOUR + 1);
    CHECKPOINT(&j);
    CHECK(has_file(&r, P0) && !has_file(&r, P1));
    check_visible(&r, "memory:/t", JSON(1), 1, 1);
    CHECKPOINT(&j); /* nothing is pending there any more */
    CHECK_OK(&r.ctx, faulty->ops->remove(&r.ctx, faulty, WR_STR(P0), false));
    CHECKPOINT(&j);
    CHECK(!has_file(&r, P0));
    WRITE(&j, 1, "[3,\"2020-01-01\",\"00\"]"); /* late */
    CHECKPOINT(&j);
    CHECK(has_file(&r, P0) && !has_file(&r, P1));
    CHECK_OK(&r.ctx, job_finish(&j));
    CHECK(has_file(&r, P1));
    check_visible(&r, "memory:/t", JSON(1) "|" JSON(2) "|" JSON(3), 3, 0);
    job_close(&j);
    rig_deinit(&r);
}

TEST(pending_partitions_survive_a_restart_and_know_their_zone)
{
    rig r;
    job j;
    by_partition_time(&r, &j, "Asia/Shanghai"); /* eight hours ahead */
    CHECK_OK(&r.ctx, job_start(&j, 3));
    WRITE(&j, 2, "[1,\"2020-01-01\",\"00\"]");
    CHECKPOINT(&j);
    job_die(&j, "memory:/t");
    CHECK_OK(&r.ctx, job_start(&j, 1));
    set_watermark(&j, 0, DAY_2020 - 7 * HOUR);
    CHECKPOINT(&j);
    CHECK(!has_file(&r, P0));
    set_watermark(&j, 0, DAY_2020 - 7 * HOUR + 1);
    CHECKPOINT(&j);
    CHECK(has_file(&r, P0));
    check_visible(&r, "memory:/t", JSON(1), 1, 0);
    job_close(&j);
    rig_deinit(&r);
}

TEST(partitions_by_the_clock)
{
    rig r;
    job j;
    rig_init(&r);
    const char *dir = memory_dir(&r);
    CHECK(rig_columns(&r, "a INT, p STRING"));
    rig_partitioned(&r, (const char *const[]){"p"}, 1);
    RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "json",
                "sink.partition-commit.policy.kind", "success-file", "sink.partition-commit.delay",
                "60 ms");
    job_init(&j, &r, "j1");
    CHECK_OK(&r.ctx, job_start(&j, 1));
    WRITE(&j, 0, "[1,\"x\"]");
    CHECKPOINT(&j);
    CHECK(!has_file(&r, "memory:/t/p=x/_SUCCESS"));
    usleep(80000);
    CHECKPOINT(&j);
    CHECK(has_file(&r, "memory:/t/p=x/_SUCCESS"));
    check_visible(&r, dir, JSON(1), 1, 0);
    job_close(&j);
    rig_deinit(&r);
}

/* Files that a reader of the table took away are no reason to refuse a restart. */
TEST(what_was_taken_away_since)
{
    rig r;
    job j;
    rig_init(&r);
    const char *dir = memory_dir(&r);
    CHECK(rig_columns(&r, "a INT"));
    RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", "csv");
    job_init(&j, &r, "j1");
    CHECK_OK(&r.ctx, job_start(&j, 1));
    WRITE(&j, 0, "[1]");
    CHECKPOINT(&j);
    job_close(&j);
    CHECK_EQ_STR(memory_dir(&r), dir); /* empty again */
    CHECK_OK(&r.ctx, job_start(&j, 1));
    job_close(&j);
    CHECK_OK(&r.ctx, faulty->ops->remove(&r.ctx, faulty, WR_STR("memory:/t"), true));
    CHECK(job_start(&j, 1) == WR_IO);
    CHECK(strstr(r.ctx.err.message, "is missing, and its folder too"));
    wr_ctx_reset(&r.ctx);
    rig_deinit(&r);
}

CHECK_MAIN()
