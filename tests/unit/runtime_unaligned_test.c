/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints whose barriers overtake rows: with a sink that is slow they complete while aligned
 * ones wait, and what was on its way comes back at any parallelism, each row once and in order.
 * links: catalog fs */
#include "catalog/catalog.h"
#include "fs/fs.h"
#include "runtime_rig.h"

#ifdef WR_TINY /* a channel holds three rows: nobody waits long, little is on its way */
#define ROWS          60
#define BATCH         3
#define FASTER(a, b)  ((a) < (b) + 10000)
#define IN_FLIGHT(st) ((st).inflight_bytes < 1000000)
#else
#define ROWS          4000
#define BATCH         1000
#define FASTER(a, b)  ((a)*2 < (b))
#define IN_FLIGHT(st) ((st).inflight_bytes > 1000) /* more than what names the channels */
#endif
#define TIMES    16 /* copies of each row: a source gives more than channels hold */
#define SLEEP_MS 60

typedef struct fixture {
    job_rig r;
    rig_seen seen;
    wr_option options[16];
    wr_options set;
    char dir[WR_OS_PATH_MAX];
} fixture;
static fixture *f;

static void
set(const char *key, const char *value)
{
    f->options[f->set.count++] = (wr_option){.key = wr_str_c(key), .value = wr_str_c(value)};
}

static void
open_fixture(uint32_t parallelism)
{
    static fixture room;
    f = &room;
    memset(f, 0, offsetof(fixture, dir));
    if (!wr_find_fs(WR_STR("/tmp"))) CHECK(wr_fs_register());
    job_rig_open(&f->r);
    f->r.env.parallelism = parallelism;
    f->r.env.workers = 2;
    f->r.env.max_parallelism = 128;
    f->set.items = f->options;
    f->r.config = (wr_config){.set = &f->set, .defs = wr_session_option_defs()};
}

/* What the outside has seen stays. */
static void
reopen_fixture(uint32_t parallelism)
{
    static rig_seen seen;
    seen = f->seen;
    open_fixture(parallelism);
    f->seen = seen;
}

static void
make_dir(void)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_os_temp_name(&ctx, NULL, "weir-unaligned", f->dir, sizeof f->dir));
}

static void
remove_dir(void)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_os_remove_tree(&ctx, f->dir));
}

static void
options(bool unaligned)
{
    set("execution.checkpointing.interval", "100 ms");
    set("execution.checkpointing.dir", f->dir);
    set("execution.checkpointing.unaligned.enabled", unaligned ? "true" : "false");
    f->r.env.id = WR_STR("0123456789abcdef0123456789abcdef");
    f->r.env.resume = true;
}

static const rig_step steps[] = {{RIG_ROWS, ROWS, BATCH}, {RIG_END, 0, 0}};

/* scan -> expand -> exchange -> union -> sink */
static void
plan(wr_dist dist, uint32_t splits)
{
    wr_pnode *many = rig_expand(&f->r, rig_scan(&f->r, steps, splits), TIMES);
    wr_pnode *x = rig_exchange(&f->r, many, dist);
    rig_sink(&f->r, rig_union(&f->r, x, NULL), &f->seen);
}

static uint64_t
sum_below(uint64_t n)
{
    return n * (n - 1) / 2;
}

static void
check_committed(uint64_t splits, uint64_t times)
{
    times *= TIMES;
    CHECK_EQ_UINT(f->seen.committed_rows, ROWS * splits * times);
    CHECK_EQ_UINT(f->seen.committed_sum, sum_below(ROWS) * splits * times);
    CHECK_EQ_UINT(f->seen.wrong_subtask, 0);
    CHECK_EQ_UINT(f->seen.misplaced_strings, 0);
}

/* Run until checkpoint number `n` is there, then end the job as a kill would: what the sink has not
 * been told to commit is lost. */
static wr_checkpoint_stat
run_until_checkpoint(uint64_t n)
{
    wr_checkpoint_counts counts = {0};
    wr_checkpoint_stat stat = {0};
    CHECK_OK(&f->r.ctx, job_rig_create(&f->r));
    CHECK_OK(&f->r.ctx, wr_job_start(&f->r.ctx, f->r.job));
    while (counts.completed < n && wr_job_get_state(f->r.job) == WR_JOB_RUNNING) {
        wr_os_sleep_ns(1000000);
        wr_job_checkpoint_counts(f->r.job, &counts);
    }
    for (uint32_t i = 0; wr_job_get_checkpoint(f->r.job, i, &stat); i++)
        if (stat.status == WR_CHECKPOINT_COMPLETED && stat.id == n) break;
    CHECK_EQ_UINT(stat.id, n);
    CHECK_EQ_INT(stat.status, WR_CHECKPOINT_COMPLETED);
    wr_job_cancel(f->r.job);
    CHECK(wr_job_wait(f->r.job, 60000));
    return stat;
}

/* ---- with a sink that is slow ---------------------------------------------------------------- */

static wr_checkpoint_stat
first_checkpoint(bool unaligned, const char *timeout)
{
    open_fixture(2);
    make_dir();
    options(unaligned);
    if (timeout) set("execution.checkpointing.aligned-checkpoint-timeout", timeout);
    plan(WR_DIST_HASH, 2);
    f->seen.sleep_ms = SLEEP_MS;
    wr_checkpoint_stat stat = run_until_checkpoint(1);
    job_rig_close(&f->r);
    remove_dir();
    return stat;
}

TEST(a_barrier_that_overtakes_does_not_wait_for_the_sink)
{
    wr_checkpoint_stat aligned = first_checkpoint(false, NULL);
    wr_checkpoint_stat unaligned = first_checkpoint(true, NULL);
    CHECK(!aligned.unaligned);
    CHECK_EQ_UINT(aligned.inflight_bytes, 0);
    CHECK(unaligned.unaligned);
    CHECK(IN_FLIGHT(unaligned));
    CHECK_MSG(FASTER(unaligned.duration_ms, aligned.duration_ms), "%lld ms against %lld",
              (long long)unaligned.duration_ms, (long long)aligned.duration_ms);
}

TEST(a_checkpoint_begins_aligned_when_there_is_time)
{
    wr_checkpoint_stat late = first_checkpoint(true, "150 ms");
    CHECK(late.unaligned);
    CHECK(IN_FLIGHT(late));
    CHECK_MSG(late.duration_ms >= 150, "%lld ms", (long long)late.duration_ms);
    wr_checkpoint_stat in_time = first_checkpoint(true, "1 h");
    CHECK(!in_time.unaligned);
    CHECK_EQ_UINT(in_time.inflight_bytes, 0);
}

TEST(at_least_once_overtakes_nothing)
{
    open_fixture(2);
    make_dir();
    options(true);
    set("execution.checkpointing.mode", "AT_LEAST_ONCE");
    plan(WR_DIST_HASH, 2);
    f->seen.sleep_ms = 5;
    wr_checkpoint_stat stat = run_until_checkpoint(1);
    CHECK(!stat.unaligned);
    CHECK_EQ_UINT(stat.inflight_bytes, 0);
    job_rig_close(&f->r);
    remove_dir();
}

/* ---- back again ------------------------------------------------------------------------------ */

/* Killed at one parallelism behind a checkpoint with rows in flight, gone on at another. */
static void
kill_and_go(wr_dist dist, uint32_t before, uint32_t after, uint32_t splits)
{
    open_fixture(before);
    make_dir();
    options(true);
    plan(dist, splits);
    f->seen.sleep_ms = 20;
    wr_checkpoint_stat stat = run_until_checkpoint(2);
    if (before > 1) CHECK_MSG(IN_FLIGHT(stat), "%u -> %u", before, after);
    job_rig_close(&f->r);
    reopen_fixture(after);
    options(true);
    plan(dist, splits);
    memset(f->seen.subtask_of_key, 0, sizeof f->seen.subtask_of_key);
    f->seen.sleep_ms = 0;
    f->seen.order_breaks = 0;
    CHECK_OK(&f->r.ctx, job_rig_run(&f->r));
    if (dist != WR_DIST_HASH) f->seen.wrong_subtask = 0;
    check_committed(splits, 1);
    if (splits == 1 && dist == WR_DIST_HASH) CHECK_EQ_UINT(f->seen.order_breaks, 0);
    job_rig_close(&f->r);
    remove_dir();
}

TEST(rows_in_flight_come_back_at_any_parallelism)
{
    for (uint32_t before = 1; before <= 4; before++)
        for (uint32_t after = 1; after <= 4; after++)
            kill_and_go(WR_DIST_HASH, before, after, before + after > 5 ? 4 : 1);
}

/* Two exchanges: rows of a key have another sender behind the restore, and stay in order. */
static void
plan_two(void)
{
    wr_pnode *many = rig_expand(&f->r, rig_scan(&f->r, steps, 1), TIMES);
    wr_pnode *u = rig_union(&f->r, rig_exchange(&f->r, many, WR_DIST_HASH), NULL);
    u = rig_union(&f->r, rig_exchange(&f->r, u, WR_DIST_HASH), NULL);
    rig_sink(&f->r, u, &f->seen);
}

TEST(rows_of_a_key_stay_in_order_behind_rows_in_flight)
{
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t before = 2 + i % 3, after = 2 + (before + i / 3) % 3;
        open_fixture(before);
        make_dir();
        options(true);
        plan_two();
        f->seen.sleep_ms = 20;
        CHECK(IN_FLIGHT(run_until_checkpoint(2)));
        job_rig_close(&f->r);
        reopen_fixture(after);
        options(true);
        plan_two();
        memset(f->seen.subtask_of_key, 0, sizeof f->seen.subtask_of_key);
        f->seen.sleep_ms = 1;
        f->seen.order_breaks = 0;
        CHECK_OK(&f->r.ctx, job_rig_run(&f->r));
        check_committed(1, 1);
        CHECK_MSG(f->seen.order_breaks == 0, "%u -> %u", before, after);
        job_rig_close(&f->r);
        remove_dir();
    }
}

/* A watermark behind every row: one batch becomes more messages than a ring holds. */
static void
plan_bursts(void)
{
    wr_pnode *marked = rig_node(&f->r, WR_P_WATERMARK, rig_scan(&f->r, steps, 2), NULL);
    marked->u.watermark.col = 1;
    marked->u.watermark.expr = wr_expr_column(f->r.arena, 1, f->r.fields[1].type, WR_NO_SPAN);
    wr_pnode *x = rig_exchange(&f->r, marked, WR_DIST_HASH);
    rig_sink(&f->r, rig_union(&f->r, x, NULL), &f->seen);
}

/* The barrier itself waits behind a full ring: aligned ones as long as that takes, one that becomes
 * unaligned goes ahead. */
TEST(a_barrier_behind_a_full_ring_goes_ahead_when_its_time_is_up)
{
    int64_t ms[2];
    for (uint32_t run = 0; run < 3; run++) {
        if (run < 2) open_fixture(2);
        if (run < 2) make_dir();
        if (run == 2) reopen_fixture(3);
        options(run > 0);
        set("execution.checkpointing.aligned-checkpoint-timeout", "50 ms");
        plan_bursts();
        memset(f->seen.subtask_of_key, 0, sizeof f->seen.subtask_of_key);
        f->seen.sleep_ms = run == 2 ? 0 : 1;
        if (run < 2)
            ms[run] = run_until_checkpoint(1).duration_ms;
        else
            CHECK_OK(&f->r.ctx, job_rig_run(&f->r));
        if (run == 2) CHECK_EQ_UINT(f->seen.committed_rows, 2 * ROWS);
        if (run == 2) CHECK_EQ_UINT(f->seen.committed_sum, 2 * sum_below(ROWS));
        job_rig_close(&f->r);
        if (run != 1) remove_dir();
    }
    CHECK_MSG(FASTER(ms[1], ms[0]), "%lld ms against %lld", (long long)ms[1], (long long)ms[0]);
}

/* ---- event time ------------------------------------------------------------------------------ */

#define MARK_ROWS (ROWS / 2)
static const rig_step marks[] = {
    {RIG_ROWS, MARK_ROWS, BATCH}, {RIG_MARK, 1000, 0}, {RIG_ROWS, MARK_ROWS, BATCH},
    {RIG_MARK, 2000, 0},          {RIG_HOLD, 1, 0},    {RIG_END, 0, 0}};

static void
plan_marks(uint32_t splits)
{
    wr_pnode *many = rig_expand(&f->r, rig_scan(&f->r, marks, splits), TIMES);
    wr_pnode *x = rig_exchange(&f->r, many, WR_DIST_HASH);
    rig_sink(&f->r, rig_union(&f->r, x, NULL), &f->seen);
    f->seen.per_mark = MARK_ROWS;
}

static bool
has_come(uint64_t rows, uint32_t subtasks)
{
    wr_os_mutex_lock(&f->r.mutex);
    bool all = f->seen.rows >= rows;
    for (uint32_t i = 0; i < subtasks; i++) all &= f->seen.last_mark[i] == 2000;
    wr_os_mutex_unlock(&f->r.mutex);
    return all;
}

/* What sources gave before the checkpoint comes with its watermarks, though they give nothing more;
 * no row comes behind a watermark that it was in time for. */
static void
kill_and_look(uint32_t before, uint32_t after, uint32_t splits, uint64_t checkpoint)
{
    open_fixture(before);
    make_dir();
    options(true);
    plan_marks(splits);
    f->seen.sleep_ms = 20;
    CHECK(IN_FLIGHT(run_until_checkpoint(checkpoint)));
    CHECK_EQ_UINT(f->seen.late, 0);
    job_rig_close(&f->r);
    reopen_fixture(after);
    options(true);
    plan_marks(splits);
    memset(f->seen.subtask_of_key, 0, sizeof f->seen.subtask_of_key);
    f->seen.sleep_ms = 0;
    f->seen.rows = 0;
    uint64_t left = (uint64_t)splits * ROWS * TIMES - f->seen.committed_rows;
    CHECK_OK(&f->r.ctx, job_rig_create(&f->r));
    CHECK_OK(&f->r.ctx, wr_job_start(&f->r.ctx, f->r.job));
    for (int i = 0; i < 20000 && !has_come(left, after); i++) wr_os_sleep_ns(1000000);
    CHECK_MSG(has_come(left, after), "%u -> %u: %llu of %llu rows, mark %lld", before, after,
              (unsigned long long)f->seen.rows, (unsigned long long)left,
              (long long)f->seen.last_mark[0]);
    wr_os_store(&f->r.gate, 1);
    CHECK(wr_job_wait(f->r.job, 60000));
    check_committed(splits, 1);
    CHECK_EQ_UINT(f->seen.late, 0);
    job_rig_close(&f->r);
    remove_dir();
}

TEST(watermarks_in_flight_come_back)
{
    for (uint32_t i = 0; i < 9; i++) kill_and_look(2 + i % 3, 1 + i % 4, 1, 1 + i % 3);
    for (uint32_t p = 2; p <= 4; p++) kill_and_look(p, p, p, p - 1);
}

TEST(rows_that_are_dealt_out_come_back)
{
    kill_and_go(WR_DIST_REBALANCE, 3, 2, 4);
    kill_and_go(WR_DIST_REBALANCE, 2, 3, 4);
    kill_and_go(WR_DIST_SINGLE, 3, 1, 4);
    kill_and_go(WR_DIST_SINGLE, 2, 3, 4);
}

/* Every row for everybody, and from task to task: these edges are aligned, nothing of them is lost
 * or comes twice. */
TEST(edges_that_are_aligned_stay_aligned)
{
    open_fixture(2);
    make_dir();
    options(true);
    plan(WR_DIST_BROADCAST, 2);
    f->seen.sleep_ms = 10;
    wr_checkpoint_stat stat = run_until_checkpoint(2);
    CHECK_EQ_UINT(stat.inflight_bytes, 0);
    job_rig_close(&f->r);
    reopen_fixture(2);
    options(true);
    plan(WR_DIST_BROADCAST, 2);
    f->seen.sleep_ms = 0;
    CHECK_OK(&f->r.ctx, job_rig_run(&f->r));
    f->seen.wrong_subtask = 0;
    check_committed(2, 2);
    job_rig_close(&f->r);
    remove_dir();
}

/* Failures on the way: the job restarts by itself, from checkpoints with rows in flight. */
TEST(restarts_bring_them_back)
{
    for (uint32_t p = 2; p <= 4; p++) {
        open_fixture(p);
        make_dir();
        options(true);
        set("restart-strategy.type", "fixed-delay");
        set("restart-strategy.fixed-delay.attempts", "3");
        set("restart-strategy.fixed-delay.delay", "1 ms");
        plan(WR_DIST_HASH, 4);
        f->seen.sleep_ms = 10;
        f->seen.fail_after = ROWS * 2 * TIMES;
        f->seen.fail_times = 2;
        CHECK_OK(&f->r.ctx, job_rig_run(&f->r));
        check_committed(4, 1);
        wr_checkpoint_counts counts;
        wr_job_checkpoint_counts(f->r.job, &counts);
        CHECK_MSG(counts.restarts >= 1 && counts.restarts <= 2, "%u", counts.restarts);
        CHECK(counts.restored_id > 0);
        job_rig_close(&f->r);
        remove_dir();
    }
}

/* ---- what does not fit ----------------------------------------------------------------------- */

/* The newest checkpoint of a run, kept, with rows in flight to Union-4. */
static wr_str
kept_checkpoint(void)
{
    static char path[WR_OS_PATH_MAX + 16];
    open_fixture(2);
    make_dir();
    options(true);
    plan(WR_DIST_HASH, 2);
    f->seen.sleep_ms = 20;
    CHECK(IN_FLIGHT(run_until_checkpoint(1)));
    wr_checkpoint_stat stat = {0};
    for (uint32_t i = 0; wr_job_get_checkpoint(f->r.job, i, &stat); i++)
        if (stat.status == WR_CHECKPOINT_COMPLETED) break;
    (void)snprintf(path, sizeof path, "%s", stat.path);
    job_rig_close(&f->r);
    open_fixture(2);
    set("execution.checkpointing.interval", "1 h");
    set("execution.state-recovery.path", path);
    return wr_str_c(path);
}

static void
check_refused(wr_status status, const char *words)
{
    CHECK_EQ_INT(job_rig_create(&f->r), status);
    CHECK_MSG(strstr(f->r.ctx.err.message, words) != NULL, "%s", f->r.ctx.err.message);
    job_rig_close(&f->r);
    remove_dir();
}

/* scan -> expand -> exchange -> expand -> sink: there is no Union-4 any more. */
static void
plan_without_union(void)
{
    wr_pnode *many = rig_expand(&f->r, rig_scan(&f->r, steps, 2), TIMES);
    wr_pnode *x = rig_exchange(&f->r, many, WR_DIST_HASH);
    rig_sink(&f->r, rig_expand(&f->r, x, 1), &f->seen);
}

TEST(rows_in_flight_to_an_operator_that_is_gone_are_refused)
{
    (void)kept_checkpoint();
    plan_without_union();
    check_refused(WR_SEMANTIC, "has rows in flight to operator Union-4, which is not available");
    (void)kept_checkpoint();
    set("execution.state-recovery.ignore-unclaimed-state", "true");
    plan_without_union();
    CHECK_OK(&f->r.ctx, job_rig_run(&f->r)); /* they are lost, as was asked for */
    CHECK(f->seen.rows < (uint64_t)2 * ROWS * TIMES);
    job_rig_close(&f->r);
    remove_dir();
}

TEST(rows_in_flight_of_other_types_are_refused)
{
    static wr_field fields[3];
    (void)kept_checkpoint();
    plan(WR_DIST_HASH, 2);
    memcpy(fields, f->r.fields, sizeof fields);
    fields[2].type = wr_type_string(false);
    f->r.nodes[1]->schema = (wr_schema){.fields = fields, .count = 3};
    check_refused(WR_SEMANTIC, "rows in flight to Union are (");
}

static wr_str
file_of(const wr_ckpt_meta *m)
{
    for (uint32_t i = 0; i < m->operator_count; i++)
        for (uint32_t k = 0; k < m->operators[i].subtask_count; k++) {
            const wr_state_file *file = m->operators[i].subtasks[k].inflight;
            if (file && file->bytes > 100) return file->name;
        }
    return WR_STR("none");
}

TEST(a_damaged_file_of_rows_in_flight_is_named)
{
    wr_ckpt_meta *m = NULL;
    char name[WR_OS_PATH_MAX * 2];
    wr_str path = kept_checkpoint();
    CHECK_OK(&f->r.ctx, wr_ckpt_load(&f->r.ctx, path, f->r.arena, &m));
    const wr_str file = file_of(m);
    (void)snprintf(name, sizeof name, "%.*s/%.*s", WR_STR_ARG(path), WR_STR_ARG(file));
    FILE *h = fopen(strncmp(name, "file://", 7) == 0 ? name + 7 : name, "r+b");
    CHECK_FATAL(h != NULL);
    CHECK(fseek(h, 500, SEEK_SET) == 0);
    int c = fgetc(h);
    CHECK(fseek(h, 500, SEEK_SET) == 0 && fputc(c ^ 1, h) != EOF && fclose(h) == 0);
    plan(WR_DIST_HASH, 2);
    (void)snprintf(name, sizeof name, "%.*s", WR_STR_ARG(file));
    check_refused(WR_CORRUPT, name);
}

/* A savepoint in between is aligned: it holds no rows in flight, and goes on in any query. */
TEST(savepoints_are_aligned)
{
    open_fixture(2);
    make_dir();
    options(true);
    plan(WR_DIST_HASH, 2);
    f->seen.sleep_ms = 5;
    CHECK_OK(&f->r.ctx, job_rig_create(&f->r));
    CHECK_OK(&f->r.ctx, wr_job_start(&f->r.ctx, f->r.job));
    char dir[WR_OS_PATH_MAX + 16];
    (void)snprintf(dir, sizeof dir, "%s/savepoints", f->dir);
    wr_savepoint_request req = {.dir = wr_str_c(dir), .stop = true};
    wr_str path = {0};
    CHECK_OK(&f->r.ctx, wr_job_savepoint(&f->r.ctx, f->r.job, &req, f->r.arena, &path));
    wr_ckpt_meta *m = NULL;
    CHECK_OK(&f->r.ctx, wr_ckpt_load(&f->r.ctx, path, f->r.arena, &m));
    for (uint32_t i = 0; i < m->operator_count; i++)
        for (uint32_t k = 0; k < m->operators[i].subtask_count; k++)
            CHECK(m->operators[i].subtasks[k].inflight == NULL);
    CHECK(wr_job_wait(f->r.job, 60000));
    job_rig_close(&f->r);
    remove_dir();
}

CHECK_MAIN()
