/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints, restarts, restoring, savepoints, stopping: over hand-made plans, at several
 * parallelisms and worker counts. What a sink was told to commit must be what the sources hold,
 * each row once, whatever failed on the way. links: catalog fs */
#include "catalog/catalog.h"
#include "fs/fs.h"
#include "runtime_rig.h"

#ifdef WR_TINY
#define ROWS 600
#else
#define ROWS 6000
#endif

typedef struct fixture {
    job_rig r;
    rig_seen seen;
    wr_option options[16];
    wr_options set;
} fixture;
static fixture *f;

static void
set(const char *key, const char *value)
{
    f->options[f->set.count++] = (wr_option){.key = wr_str_c(key), .value = wr_str_c(value)};
}

static void
open_fixture(uint32_t parallelism, uint32_t workers)
{
    static fixture room;
    f = &room;
    memset(f, 0, sizeof *f);
    if (!wr_find_fs(WR_STR("/tmp"))) CHECK(wr_fs_register());
    job_rig_open(&f->r);
    f->r.env.parallelism = parallelism;
    f->r.env.workers = workers;
    f->set.items = f->options;
    f->r.config = (wr_config){.set = &f->set, .defs = wr_session_option_defs()};
}

/* What the outside has seen stays. */
static void
reopen_fixture(uint32_t parallelism, uint32_t workers)
{
    static rig_seen seen;
    seen = f->seen;
    open_fixture(parallelism, workers);
    f->seen = seen;
}

/* scan -> hash -> union -> sink; some pauses, so that checkpoints fall between. */
static const rig_step slow[] = {{RIG_ROWS, ROWS, 50},
                                {RIG_PAUSE, 30, 0},
                                {RIG_ROWS, ROWS, 50},
                                {RIG_PAUSE, 30, 0},
                                {RIG_END, 0, 0}};

/* The second half only after two commits. */
static const rig_step waits[] = {
    {RIG_ROWS, ROWS, 50}, {RIG_HOLD, 2, 0}, {RIG_ROWS, ROWS, 50}, {RIG_END, 0, 0}};

static void
plan(const rig_step *steps, uint32_t splits)
{
    wr_pnode *x = rig_exchange(&f->r, rig_scan(&f->r, steps, splits), WR_DIST_HASH);
    rig_sink(&f->r, rig_union(&f->r, x, NULL), &f->seen);
}

static uint64_t
sum_below(uint64_t n)
{
    return n * (n - 1) / 2;
}

static void
check_committed(uint64_t rows_per_split, uint64_t splits)
{
    CHECK_EQ_UINT(f->seen.committed_rows, rows_per_split * splits);
    CHECK_EQ_UINT(f->seen.committed_sum, sum_below(rows_per_split) * splits);
}

TEST(checkpoints_commit_every_row_once)
{
    for (uint32_t p = 1; p <= 3; p++)
        for (uint32_t w = 1; w <= 2; w++) {
            open_fixture(p, w);
            set("execution.checkpointing.interval", "10 ms");
            f->seen.gate_by_commits = true;
            plan(waits, 4);
            CHECK_OK(&f->r.ctx, job_rig_run(&f->r));
            check_committed(2 * ROWS, 4);
            CHECK_EQ_UINT(f->seen.commits_at_end, 1);
            wr_checkpoint_counts counts;
            wr_job_checkpoint_counts(f->r.job, &counts);
            CHECK_MSG(counts.completed >= 3, "%llu completed",
                      (unsigned long long)counts.completed);
            CHECK_EQ_UINT(counts.failed, 0);
            CHECK_EQ_UINT(counts.in_progress, 0);
            job_rig_close(&f->r);
        }
}

static void
restart_options(void)
{
    set("execution.checkpointing.interval", "10 ms");
    set("restart-strategy.type", "fixed-delay");
    set("restart-strategy.fixed-delay.attempts", "3");
    set("restart-strategy.fixed-delay.delay", "1 ms");
}

TEST(failures_restart_from_the_last_checkpoint)
{
    for (uint32_t p = 1; p <= 3; p++)
        for (uint32_t w = 1; w <= 2; w++) {
            open_fixture(p, w);
            restart_options();
            plan(waits, 4);
            f->seen.gate_by_commits = true;
            f->seen.fail_after = ROWS * 5;
            f->seen.fail_times = 2;
            CHECK_OK(&f->r.ctx, job_rig_run(&f->r));
            check_committed(2 * ROWS, 4);
            wr_checkpoint_counts counts;
            wr_job_checkpoint_counts(f->r.job, &counts);
            CHECK_MSG(counts.restarts >= 1 && counts.restarts <= 2, "%u", counts.restarts);
            CHECK_MSG(counts.restored_id > 0, "not from a checkpoint");
            job_rig_close(&f->r);
        }
}

TEST(a_commit_that_fails_is_made_up_for)
{
    open_fixture(2, 2);
    restart_options();
    plan(slow, 2);
    f->seen.next_commit_fails = 2;
    CHECK_OK(&f->r.ctx, job_rig_run(&f->r));
    check_committed(2 * ROWS, 2);
    job_rig_close(&f->r);
}

TEST(restarts_end_when_the_strategy_says_so)
{
    open_fixture(2, 2);
    restart_options();
    plan(slow, 2);
    f->seen.fail_after = 10;
    CHECK(job_rig_run(&f->r) == WR_IO);
    CHECK_EQ_INT(wr_job_get_state(f->r.job), WR_JOB_FAILED);
    wr_checkpoint_counts counts;
    wr_job_checkpoint_counts(f->r.job, &counts);
    CHECK_EQ_UINT(counts.restarts, 3);
    CHECK(strstr(f->r.ctx.err.message, "the sink failed") != NULL);
    job_rig_close(&f->r);
}

TEST(without_a_strategy_the_first_failure_ends_the_job)
{
    open_fixture(2, 2);
    plan(slow, 2);
    f->seen.fail_after = 10;
    f->seen.fail_times = 1;
    CHECK(job_rig_run(&f->r) == WR_IO);
    CHECK_EQ_INT(wr_job_get_state(f->r.job), WR_JOB_FAILED);
    job_rig_close(&f->r);
}

TEST(cancelling_works_while_a_restart_is_waited_for)
{
    open_fixture(1, 1);
    set("restart-strategy.type", "fixed-delay");
    set("restart-strategy.fixed-delay.delay", "1 h");
    plan(slow, 1);
    f->seen.fail_after = 10;
    CHECK_OK(&f->r.ctx, job_rig_create(&f->r));
    CHECK_OK(&f->r.ctx, wr_job_start(&f->r.ctx, f->r.job));
    while (wr_job_get_state(f->r.job) != WR_JOB_RESTARTING) wr_os_sleep_ns(1000000);
    wr_job_cancel(f->r.job);
    CHECK(wr_job_wait(f->r.job, 10000));
    CHECK_EQ_INT(wr_job_get_state(f->r.job), WR_JOB_CANCELED);
    job_rig_close(&f->r);
}

/* ---- regions, failures of checkpoints, poison ------------------------------------------------ */

static wr_checkpoint_counts
counts_of_job(void)
{
    wr_checkpoint_counts c;
    wr_job_checkpoint_counts(f->r.job, &c);
    return c;
}

/* Two pipelines that nothing connects; the first one fails. */
static void
run_two(const char *strategy, rig_seen *other)
{
    open_fixture(2, 2);
    memset(other, 0, sizeof *other);
    restart_options();
    set("jobmanager.execution.failover-strategy", strategy);
    plan(waits, 2);
    wr_pnode *x = rig_exchange(&f->r, rig_scan(&f->r, waits, 2), WR_DIST_HASH);
    rig_sink(&f->r, rig_union(&f->r, x, NULL), other);
    f->seen.gate_by_commits = true;
    f->seen.fail_after = 2 * ROWS + 60; /* the gate is open, so a checkpoint is there */
    f->seen.fail_times = 1;
    CHECK_OK(&f->r.ctx, job_rig_run(&f->r));
    check_committed(2 * ROWS, 2);
    CHECK_EQ_UINT(other->committed_rows, 4 * ROWS);
    CHECK_EQ_UINT(other->committed_sum, 2 * sum_below(2 * ROWS));
    CHECK_EQ_UINT(counts_of_job().restarts, 1);
    CHECK(counts_of_job().restored_id > 0);
    job_rig_close(&f->r);
}

TEST(a_failure_restarts_its_region_alone)
{
    static rig_seen other;
    run_two("region", &other);
    CHECK_EQ_UINT(other.rows, 4 * ROWS); /* no row came twice */
    run_two("full", &other);
}

/* A writer that has failed in the middle is not asked again, however many checkpoints may fail. */
TEST(a_sink_that_cannot_prepare_fails)
{
    open_fixture(1, 1);
    set("execution.checkpointing.interval", "10 ms");
    set("execution.checkpointing.tolerable-failed-checkpoints", "3");
    set("restart-strategy.type", "none");
    plan(slow, 1);
    f->seen.prepare_fails = 1;
    CHECK(job_rig_run(&f->r) == WR_IO);
    CHECK(strstr(f->r.ctx.err.message, "nothing can be prepared") != NULL);
    wr_checkpoint_stat stat;
    CHECK_FATAL(wr_job_get_checkpoint(f->r.job, 0, &stat));
    CHECK_EQ_INT(stat.status, WR_CHECKPOINT_FAILED);
    job_rig_close(&f->r);
}

TEST(what_could_not_be_prepared_comes_again)
{
    open_fixture(1, 1);
    restart_options();
    plan(slow, 1);
    f->seen.prepare_fails = 2;
    CHECK_OK(&f->r.ctx, job_rig_run(&f->r));
    check_committed(2 * ROWS, 1);
    CHECK_EQ_UINT(counts_of_job().restarts, 2);
    job_rig_close(&f->r);
}

TEST(checkpoints_that_fail_fail_the_job)
{
    static const rig_step few[] = {{RIG_ROWS, 40, 1}, {RIG_END, 0, 0}};
    open_fixture(1, 1);
    set("execution.checkpointing.interval", "10 ms");
    set("execution.checkpointing.timeout", "11 ms");
    set("restart-strategy.type", "none");
    plan(few, 1);
    f->seen.sleep_ms = 30;
    CHECK(job_rig_run(&f->r) != WR_OK);
    CHECK_MSG(strstr(f->r.ctx.err.message, "Exceeded checkpoint tolerable failure threshold.") &&
                  strstr(f->r.ctx.err.message, "expired"),
              "%s", f->r.ctx.err.message);
    job_rig_close(&f->r);
}

TEST(a_checkpoint_expires)
{
    static const rig_step few[] = {{RIG_ROWS, 10, 1},  {RIG_PAUSE, 15, 0}, {RIG_ROWS, 10, 1},
                                   {RIG_PAUSE, 15, 0}, {RIG_ROWS, 10, 1},  {RIG_PAUSE, 15, 0},
                                   {RIG_ROWS, 10, 1},  {RIG_END, 0, 0}};
    open_fixture(2, 2);
    set("execution.checkpointing.interval", "10 ms");
    set("execution.checkpointing.timeout", "11 ms");
    set("execution.checkpointing.tolerable-failed-checkpoints", "1000");
    plan(few, 1);
    f->seen.sleep_ms = 20;
    wr_status status = job_rig_run(&f->r);
    /* The last one may have too little time as well: then the job says so. */
    if (status != WR_OK) CHECK(strstr(f->r.ctx.err.message, "expired") != NULL);
    CHECK(counts_of_job().failed > 0);
    job_rig_close(&f->r);
}

TEST(at_least_once_needs_no_alignment)
{
    open_fixture(3, 2);
    set("execution.checkpointing.interval", "10 ms");
    set("execution.checkpointing.mode", "AT_LEAST_ONCE");
    plan(slow, 3);
    CHECK_OK(&f->r.ctx, job_rig_run(&f->r));
    check_committed(2 * ROWS, 3);
    CHECK_EQ_UINT(counts_of_job().failed, 0);
    job_rig_close(&f->r);
}

TEST(a_poison_record_ends_the_job)
{
    static const rig_step bad[] = {{RIG_ROWS, 100, 10}, {RIG_FAIL, 0, 0}};
    open_fixture(1, 1);
    set("execution.checkpointing.interval", "10 ms");
    set("restart-strategy.type", "fixed-delay");
    set("restart-strategy.fixed-delay.attempts", "100");
    set("restart-strategy.fixed-delay.delay", "1 ms");
    plan(bad, 1);
    CHECK(job_rig_run(&f->r) == WR_DATA);
    CHECK_EQ_UINT(counts_of_job().restarts, 2);
    CHECK(strstr(f->r.ctx.err.message, "the source failed") != NULL);
    bool named = false;
    for (uint32_t i = 0; i < f->r.ctx.err.frame_count; i++)
        named |= strstr(f->r.ctx.err.frame[i], "failed 3 times in the same place") != NULL;
    CHECK(named);
    job_rig_close(&f->r);
}

/* ---- savepoints, stopping, resuming ---------------------------------------------------------- */

static const rig_step held[] = {
    {RIG_ROWS, ROWS, 50}, {RIG_HOLD, 1, 0}, {RIG_ROWS, ROWS, 50}, {RIG_END, 0, 0}};

static char *
temp_dir(void)
{
    static char dir[WR_OS_PATH_MAX];
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_os_temp_name(&ctx, NULL, "weir-ckpt", dir, sizeof dir));
    return dir;
}

static void
wait_rows(uint64_t rows)
{
    for (bool enough = false; !enough; wr_os_sleep_ns(1000000)) {
        wr_os_mutex_lock(&f->r.mutex);
        enough = f->seen.rows >= rows;
        wr_os_mutex_unlock(&f->r.mutex);
    }
}

static wr_str
stop_with_savepoint(wr_str dir, bool native, bool drain)
{
    wr_savepoint_request req = {.dir = dir, .native = native, .stop = true, .drain = drain};
    wr_str path = {0};
    CHECK_OK(&f->r.ctx, job_rig_create(&f->r));
    CHECK_OK(&f->r.ctx, wr_job_start(&f->r.ctx, f->r.job));
    wait_rows(4 * ROWS);
    CHECK_OK(&f->r.ctx, wr_job_savepoint(&f->r.ctx, f->r.job, &req, f->r.arena, &path));
    CHECK(wr_job_wait(f->r.job, 10000));
    CHECK_EQ_INT(wr_job_get_state(f->r.job), WR_JOB_FINISHED);
    return path;
}

/* Stop with a savepoint at one parallelism, go on from it at another. */
static void
stop_and_go(uint32_t before, uint32_t after, bool native)
{
    char *dir = temp_dir(), path[WR_OS_PATH_MAX];
    open_fixture(before, 2);
    set("execution.checkpointing.interval", "1 h");
    plan(held, 4);
    wr_str s = stop_with_savepoint(wr_str_c(dir), native, false);
    (void)snprintf(path, sizeof path, "%.*s", WR_STR_ARG(s));
    check_committed(ROWS, 4);
    CHECK_EQ_UINT(f->seen.finished, 0);
    job_rig_close(&f->r);
    reopen_fixture(after, 2);
    set("execution.checkpointing.interval", "1 h");
    set("execution.state-recovery.path", path);
    plan(held, 4);
    f->r.gate = 1;
    CHECK_OK(&f->r.ctx, job_rig_run(&f->r));
    CHECK_EQ_UINT(f->seen.rows, 8 * ROWS);
    check_committed(2 * ROWS, 4);
    job_rig_close(&f->r);
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_os_remove_tree(&ctx, dir));
}

TEST(a_savepoint_goes_on_at_another_parallelism)
{
    stop_and_go(1, 1, false);
    stop_and_go(1, 3, true);
    stop_and_go(3, 2, false);
    stop_and_go(2, 2, true);
}

TEST(draining_ends_event_time)
{
    char *dir = temp_dir();
    open_fixture(2, 2);
    set("execution.checkpointing.interval", "1 h");
    plan(held, 4);
    (void)stop_with_savepoint(wr_str_c(dir), false, true);
    check_committed(ROWS, 4);
    CHECK_EQ_UINT(f->seen.finished, 2);
    CHECK_EQ_INT(f->seen.last_mark[0], INT64_MAX);
    job_rig_close(&f->r);
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_os_remove_tree(&ctx, dir));
}

TEST(a_savepoint_of_a_running_job_commits_nothing)
{
    char *dir = temp_dir();
    open_fixture(2, 1);
    plan(held, 2);
    CHECK_OK(&f->r.ctx, job_rig_create(&f->r));
    CHECK_OK(&f->r.ctx, wr_job_start(&f->r.ctx, f->r.job));
    wait_rows(2 * ROWS);
    wr_savepoint_request req = {.dir = wr_str_c(dir)};
    wr_str path = {0};
    CHECK_OK(&f->r.ctx, wr_job_savepoint(&f->r.ctx, f->r.job, &req, f->r.arena, &path));
    CHECK_EQ_UINT(f->seen.commits, 0);
    CHECK_EQ_INT(wr_job_get_state(f->r.job), WR_JOB_RUNNING);
    wr_os_store(&f->r.gate, 1);
    CHECK(wr_job_wait(f->r.job, 10000));
    CHECK_EQ_UINT(f->seen.rows, 4 * ROWS);
    job_rig_close(&f->r);
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_os_remove_tree(&ctx, dir));
}

static void
resume_options(const char *dir)
{
    set("execution.checkpointing.interval", "10 ms");
    set("execution.checkpointing.dir", dir);
    f->r.env.id = WR_STR("0123456789abcdef0123456789abcdef");
    f->r.env.resume = true;
}

TEST(a_job_resumes_from_its_newest_checkpoint)
{
    char *dir = temp_dir();
    open_fixture(2, 2);
    resume_options(dir);
    plan(held, 4);
    CHECK_OK(&f->r.ctx, job_rig_create(&f->r));
    CHECK_OK(&f->r.ctx, wr_job_start(&f->r.ctx, f->r.job));
    wait_rows(4 * ROWS);
    wr_job_stop(f->r.job);
    CHECK(wr_job_wait(f->r.job, 10000));
    CHECK_EQ_INT(wr_job_get_state(f->r.job), WR_JOB_FINISHED);
    check_committed(ROWS, 4);
    CHECK_EQ_UINT(f->seen.stops, 2);
    job_rig_close(&f->r);
    for (int again = 0; again < 2; again++) { /* the second time nothing is left to do */
        reopen_fixture(3, 2);
        resume_options(dir);
        plan(held, 4);
        f->r.gate = 1;
        CHECK_OK(&f->r.ctx, job_rig_run(&f->r));
        CHECK_EQ_UINT(f->seen.rows, 8 * ROWS);
        check_committed(2 * ROWS, 4);
        CHECK_EQ_UINT(f->seen.finished, 3);
        CHECK_EQ_UINT(f->seen.stops, 2); /* an end is no stop */
        job_rig_close(&f->r);
    }
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_os_remove_tree(&ctx, dir));
}

/* A checkpoint of one plan for another: what is left over is refused, or dropped when asked. */
TEST(state_that_nobody_claims_is_refused)
{
    char *dir = temp_dir(), path[WR_OS_PATH_MAX];
    open_fixture(1, 1);
    set("execution.checkpointing.interval", "1 h");
    plan(held, 4);
    wr_str s = stop_with_savepoint(wr_str_c(dir), false, false);
    (void)snprintf(path, sizeof path, "%.*s", WR_STR_ARG(s));
    job_rig_close(&f->r);
    for (int ignore = 0; ignore < 2; ignore++) {
        open_fixture(1, 1);
        set("execution.checkpointing.interval", "1 h");
        set("execution.state-recovery.path", path);
        if (ignore) set("execution.state-recovery.ignore-unclaimed-state", "true");
        f->r.gate = 1;
        wr_pnode *u = rig_union(&f->r, rig_scan(&f->r, held, 4), NULL);
        u = rig_union(&f->r, rig_union(&f->r, u, NULL), NULL);
        rig_sink(&f->r, u, &f->seen); /* the sink has another number than before */
        if (ignore) {
            CHECK_OK(&f->r.ctx, job_rig_run(&f->r));
            CHECK_EQ_UINT(f->seen.rows, 4 * ROWS);
        } else {
            CHECK(job_rig_create(&f->r) == WR_SEMANTIC);
            CHECK(strstr(f->r.ctx.err.message, "Cannot map checkpoint/savepoint state") != NULL);
        }
        job_rig_close(&f->r);
    }
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_os_remove_tree(&ctx, dir));
}

TEST(the_number_of_key_groups_stays)
{
    char *dir = temp_dir(), path[WR_OS_PATH_MAX];
    open_fixture(1, 1);
    f->r.env.max_parallelism = 64;
    set("execution.checkpointing.interval", "1 h");
    plan(held, 4);
    wr_str s = stop_with_savepoint(wr_str_c(dir), false, false);
    (void)snprintf(path, sizeof path, "%.*s", WR_STR_ARG(s));
    job_rig_close(&f->r);
    for (uint32_t max = 0; max <= 256; max += 256) {
        reopen_fixture(2, 1);
        f->r.env.max_parallelism = max; /* 0: the checkpoint's */
        set("execution.checkpointing.interval", "1 h");
        set("execution.state-recovery.path", path);
        f->r.gate = 1;
        plan(held, 4);
        if (max) {
            CHECK(job_rig_create(&f->r) == WR_OPTION);
            CHECK(strstr(f->r.ctx.err.message, "This is currently not supported.") != NULL);
        } else {
            CHECK_OK(&f->r.ctx, job_rig_run(&f->r));
            check_committed(2 * ROWS, 4);
        }
        job_rig_close(&f->r);
    }
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_os_remove_tree(&ctx, dir));
}

/* A stop whose checkpoint fails is a failure like others, and is still wanted of the next attempt.
 */
TEST(a_stop_that_fails_is_not_forgotten)
{
    for (int restarts = 0; restarts < 2; restarts++) {
        open_fixture(1, 1);
        set("execution.checkpointing.interval", "1 h"); /* the stop's is the only one */
        set("restart-strategy.type", restarts ? "fixed-delay" : "none");
        set("restart-strategy.fixed-delay.delay", "1 ms");
        plan(held, 2);
        CHECK_OK(&f->r.ctx, job_rig_create(&f->r));
        CHECK_OK(&f->r.ctx, wr_job_start(&f->r.ctx, f->r.job));
        wait_rows(2 * ROWS);
        f->seen.prepare_fails = 1;
        wr_job_stop(f->r.job);
        CHECK(wr_job_wait(f->r.job, 10000));
        CHECK_EQ_INT(wr_job_get_state(f->r.job), restarts ? WR_JOB_FINISHED : WR_JOB_FAILED);
        CHECK_EQ_UINT(counts_of_job().restarts, (unsigned)restarts);
        CHECK_EQ_UINT(f->seen.stops, (unsigned)restarts);
        job_rig_close(&f->r);
    }
}

TEST(a_damaged_checkpoint_is_named_and_the_one_before_offered)
{
    char *dir = temp_dir(), path[WR_OS_PATH_MAX], older[WR_OS_PATH_MAX];
    open_fixture(1, 1);
    resume_options(dir);
    set("execution.checkpointing.num-retained", "3");
    plan(held, 2);
    CHECK_OK(&f->r.ctx, job_rig_create(&f->r));
    CHECK_OK(&f->r.ctx, wr_job_start(&f->r.ctx, f->r.job));
    while (counts_of_job().completed < 3) wr_os_sleep_ns(1000000);
    wr_job_stop(f->r.job);
    CHECK(wr_job_wait(f->r.job, 10000));
    wr_checkpoint_stat newest, before;
    CHECK_FATAL(wr_job_get_checkpoint(f->r.job, 0, &newest));
    CHECK_FATAL(wr_job_get_checkpoint(f->r.job, 1, &before));
    (void)snprintf(path, sizeof path, "%s/_metadata", newest.path);
    (void)snprintf(older, sizeof older, "%s", before.path);
    job_rig_close(&f->r);
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_os_file file;
    CHECK_OK(&ctx, wr_os_file_open(&ctx, path, WR_OS_READ_WRITE, &file));
    CHECK_OK(&ctx, wr_os_file_write_at(&ctx, &file, 40, "XXXX", 4));
    wr_os_file_close(&file);
    for (int asked = 0; asked < 2; asked++) {
        reopen_fixture(1, 1);
        resume_options(dir);
        if (asked) set("execution.state-recovery.path", older);
        plan(held, 2);
        f->r.gate = 1;
        if (asked) {
            CHECK_OK(&f->r.ctx, job_rig_run(&f->r));
            CHECK_EQ_UINT(counts_of_job().restored_id, before.id);
        } else {
            CHECK(job_rig_create(&f->r) == WR_CORRUPT);
            CHECK_MSG(strstr(f->r.ctx.err.message, newest.path) != NULL, "%s",
                      f->r.ctx.err.message);
            CHECK_MSG(strstr(f->r.ctx.err.hint, older) != NULL, "%s", f->r.ctx.err.hint);
        }
        job_rig_close(&f->r);
    }
    CHECK_OK(&ctx, wr_os_remove_tree(&ctx, dir));
}

static void
keep_notice(void *arg, const char *text)
{
    (void)snprintf(arg, 400, "%s", text);
}

/* Told to give up while it looks for its checkpoint, a job does not call the checkpoint damaged. */
TEST(resuming_can_be_cancelled)
{
    static const volatile int yes = 1;
    char *dir = temp_dir(), notice[400] = "";
    open_fixture(1, 1);
    resume_options(dir);
    plan(held, 2);
    CHECK_OK(&f->r.ctx, job_rig_create(&f->r));
    CHECK_OK(&f->r.ctx, wr_job_start(&f->r.ctx, f->r.job));
    while (counts_of_job().completed < 1) wr_os_sleep_ns(1000000);
    wr_job_stop(f->r.job);
    CHECK(wr_job_wait(f->r.job, 10000));
    job_rig_close(&f->r);
    reopen_fixture(1, 1);
    resume_options(dir);
    plan(held, 2);
    f->r.ctx.cancel = &yes;
    f->r.ctx.notice = keep_notice;
    f->r.ctx.notice_arg = notice;
    CHECK(job_rig_create(&f->r) == WR_CANCELLED);
    CHECK_EQ_STR(notice, "");
    job_rig_close(&f->r);
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    CHECK_OK(&ctx, wr_os_remove_tree(&ctx, dir));
}

CHECK_MAIN()
