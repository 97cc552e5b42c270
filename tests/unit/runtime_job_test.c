/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs over hand-made plans: every distribution at several parallelisms and worker counts, ends,
 * pending operators, failures, cancellation, splits found later, idleness, metrics. */
#include "runtime_rig.h"

#ifdef WR_TINY
#define SOME    600
#define SMALL   300
#define SQUEEZE 30
#else
#define SOME    20000
#define SMALL   3000
#define SQUEEZE 300
#endif
static const rig_step some_rows[] = {{RIG_ROWS, SOME, 0}, {RIG_END, 0, 0}};
static const rig_step small_batches[] = {{RIG_ROWS, SMALL, 7}, {RIG_END, 0, 0}};
static const rig_step endless[] = {{RIG_ROWS, INT64_MAX, 0}, {RIG_END, 0, 0}};
static const uint32_t parallelisms[] = {1, 2, 3, 8};

static uint64_t
rows_seen(job_rig *r, const rig_seen *seen)
{
    wr_os_mutex_lock(&r->mutex);
    uint64_t rows = seen->rows;
    wr_os_mutex_unlock(&r->mutex);
    return rows;
}

static uint64_t
sum_below(uint64_t n)
{
    return n * (n - 1) / 2;
}

/* scan -> exchange -> union -> sink at (parallelism, workers); rows per split are `rows`. */
static void
run_exchange(wr_dist dist, const rig_step *steps, uint64_t rows, uint32_t p, uint32_t workers)
{
    job_rig r;
    static rig_seen seen;
    memset(&seen, 0, sizeof seen);
    job_rig_open(&r);
    r.env.parallelism = p;
    r.env.workers = workers;
    uint32_t splits = dist == WR_DIST_HASH ? 1 : 4; /* one split: the order per key is known */
    wr_pnode *x = rig_exchange(&r, rig_scan(&r, steps, splits), dist);
    rig_sink(&r, rig_union(&r, x, NULL), &seen);
    CHECK_OK(&r.ctx, job_rig_run(&r));
    CHECK_EQ_INT(wr_job_get_state(r.job), WR_JOB_FINISHED);
    uint64_t copies = dist == WR_DIST_BROADCAST ? p : 1;
    CHECK_EQ_UINT(seen.rows, rows * splits * copies);
    CHECK_EQ_UINT(seen.sum, sum_below(rows) * splits * copies);
    CHECK_EQ_UINT(seen.misplaced_strings, 0);
    CHECK_EQ_UINT(seen.finished, dist == WR_DIST_SINGLE ? 1 : p);
    CHECK_EQ_INT(wr_os_load(&r.gate), 0);
    if (dist == WR_DIST_HASH) {
        CHECK_EQ_UINT(seen.order_breaks, 0);
        CHECK_EQ_UINT(seen.wrong_subtask, 0);
        for (uint32_t i = 0; i < p; i++) CHECK_MSG(seen.rows_of[i] > 0, "subtask %u of %u", i, p);
    }
    job_rig_close(&r);
}

TEST(exchanges_at_every_parallelism)
{
    static const wr_dist dists[] = {WR_DIST_HASH, WR_DIST_REBALANCE, WR_DIST_BROADCAST,
                                    WR_DIST_SINGLE, WR_DIST_FORWARD};
    for (uint32_t d = 0; d < WR_COUNT(dists); d++)
        for (uint32_t p = 0; p < WR_COUNT(parallelisms); p++)
            for (uint32_t w = 1; w <= 4; w++) {
                run_exchange(dists[d], small_batches, SMALL, parallelisms[p], w);
                if (w == 2) run_exchange(dists[d], some_rows, SOME, parallelisms[p], w);
            }
}

TEST(rebalancing_reaches_every_subtask)
{
    job_rig r;
    static rig_seen seen;
    memset(&seen, 0, sizeof seen);
    job_rig_open(&r);
    r.env.parallelism = 4;
    wr_pnode *scan = rig_scan(&r, some_rows, 1);
    scan->parallelism = 1;
    rig_sink(&r, rig_union(&r, rig_exchange(&r, scan, WR_DIST_REBALANCE), NULL), &seen);
    CHECK_OK(&r.ctx, job_rig_run(&r));
    CHECK_EQ_UINT(seen.rows, SOME);
    for (int i = 0; i < 4; i++) CHECK(seen.rows_of[i] >= SOME / 8);
    job_rig_close(&r);
}

/* A chain of two exchanges with an operator between that explodes and is pending most of the time.
 */
TEST(pending_operators_go_on_where_they_stopped)
{
    for (uint32_t p = 1; p <= 3; p++) {
        job_rig r;
        static rig_seen seen;
        memset(&seen, 0, sizeof seen);
        job_rig_open(&r);
        r.env.parallelism = p;
        r.env.workers = p;
        seen.sleep_ms = 0;
        wr_pnode *x = rig_exchange(&r, rig_scan(&r, small_batches, 4), WR_DIST_HASH);
        x = rig_expand(&r, rig_expand(&r, x, 20), 3);
        rig_sink(&r, rig_union(&r, rig_exchange(&r, x, WR_DIST_REBALANCE), NULL), &seen);
        CHECK_OK(&r.ctx, job_rig_run(&r));
        CHECK_EQ_UINT(seen.rows, 4 * SMALL * 60);
        CHECK_EQ_UINT(seen.sum, sum_below(SMALL) * 4 * 60);
        CHECK_EQ_UINT(seen.misplaced_strings, 0);
        job_rig_close(&r);
    }
}

TEST(one_output_feeds_several_sinks)
{
    job_rig r;
    static rig_seen seen[3];
    memset(seen, 0, sizeof seen);
    job_rig_open(&r);
    r.env.parallelism = 2;
    wr_pnode *scan = rig_scan(&r, small_batches, 2);
    rig_sink(&r, scan, &seen[0]);
    rig_sink(&r, rig_union(&r, rig_exchange(&r, scan, WR_DIST_HASH), scan), &seen[1]);
    rig_sink(&r, rig_exchange(&r, rig_expand(&r, scan, 2), WR_DIST_SINGLE), &seen[2]);
    CHECK_OK(&r.ctx, job_rig_run(&r));
    CHECK_EQ_UINT(seen[0].rows, 2 * SMALL);
    CHECK_EQ_UINT(seen[1].rows, 4 * SMALL);
    CHECK_EQ_UINT(seen[2].rows, 4 * SMALL);
    job_rig_close(&r);
}

/* ---- failures -------------------------------------------------------------------------------- */

static void
check_failure(job_rig *r, wr_status want, const char *message, const char *frame)
{
    wr_status status = job_rig_run(r);
    CHECK_EQ_INT(status, want);
    CHECK_EQ_STR(r->ctx.err.message, message);
    CHECK_FATAL(r->ctx.err.frame_count == 1);
    CHECK_MSG(strstr(r->ctx.err.frame[0], frame) != NULL, "%s", r->ctx.err.frame[0]);
    CHECK_EQ_INT(wr_job_get_state(r->job), WR_JOB_FAILED);
    job_rig_close(r);
}

TEST(a_failing_task_fails_the_job_with_its_error)
{
    for (uint32_t w = 1; w <= 3; w++) {
        static const rig_step fails[] = {{RIG_ROWS, 5000, 0}, {RIG_FAIL, 0, 0}};
        static rig_seen seen;
        job_rig r;
        memset(&seen, 0, sizeof seen);
        job_rig_open(&r);
        r.env.parallelism = 3;
        r.env.workers = w;
        wr_pnode *a = rig_scan(&r, endless, 3), *b = rig_scan(&r, fails, 1);
        rig_sink(&r, rig_union(&r, rig_exchange(&r, a, WR_DIST_HASH), b), &seen);
        check_failure(&r, WR_DATA, "the source failed", "TableSourceScan[");

        memset(&seen, 0, sizeof seen);
        job_rig_open(&r);
        r.env.parallelism = 3;
        r.env.workers = w;
        a = rig_scan(&r, endless, 3);
        seen.fail_after = 10000;
        rig_sink(&r, rig_expand(&r, rig_exchange(&r, a, WR_DIST_REBALANCE), 2), &seen);
        check_failure(&r, WR_IO, "the sink failed", "Sink[");
    }
}

TEST(every_allocation_may_fail)
{
    for (int64_t n = 1; n < 2000; n++) {
        static rig_seen seen;
        job_rig r;
        memset(&seen, 0, sizeof seen);
        job_rig_open(&r);
        r.env.parallelism = 2;
        wr_pnode *x = rig_exchange(&r, rig_scan(&r, small_batches, 4), WR_DIST_HASH);
        rig_sink(&r, rig_expand(&r, x, 2), &seen);
        wr_mem_fail_after(n);
        wr_status status = job_rig_run(&r);
        bool hit = wr_mem_fail_hit();
        wr_mem_fail_after(0);
        CHECK_MSG(status == WR_OK || (hit && status == WR_NOMEM), "allocation %d: %s", (int)n,
                  r.ctx.err.message);
        if (status == WR_OK) CHECK_EQ_UINT(seen.rows, 4 * SMALL * 2);
        job_rig_close(&r);
        if (!hit) return;
    }
}

#ifndef WR_TINY
TEST(running_out_of_memory_names_the_operator)
{
    static const rig_step many[] = {{RIG_ROWS, 10000000, 0}, {RIG_END, 0, 0}};
    static rig_seen seen;
    job_rig r;
    memset(&seen, 0, sizeof seen);
    job_rig_open(&r);
    wr_memtrack *small = wr_memtrack_create(r.budget, "small", 1 << 20);
    r.env.budget = small;
    r.env.memory_bytes = 1 << 20;
    rig_sink(&r, rig_expand(&r, rig_scan(&r, many, 1), 1000), &seen);
    CHECK_EQ_INT(job_rig_run(&r), WR_NOMEM);
    CHECK_MSG(strstr(r.ctx.err.message, "Expand[") && strstr(r.ctx.err.message, "limit of 1.0 MB"),
              "%s", r.ctx.err.message);
    CHECK(strstr(r.ctx.err.hint, "--memory") != NULL);
    wr_job_destroy(r.job);
    r.job = NULL;
    wr_memtrack_destroy(small);
    job_rig_close(&r);
}
#endif

/* ---- cancellation ---------------------------------------------------------------------------- */

static void
cancel_soon(void *arg)
{
    wr_os_sleep_ns(5000000);
    wr_job_cancel(arg);
}

TEST(cancelling_from_another_thread)
{
    for (uint32_t w = 1; w <= 3; w++) {
        static const rig_step stuck[] = {{RIG_ROWS, 5000, 0}, {RIG_HOLD, 1, 0}, {RIG_END, 0, 0}};
        static rig_seen seen;
        wr_os_thread thread;
        job_rig r;
        memset(&seen, 0, sizeof seen);
        job_rig_open(&r);
        r.env.parallelism = 3;
        r.env.workers = w;
        wr_pnode *a = rig_scan(&r, endless, 3), *b = rig_scan(&r, stuck, 3);
        rig_sink(&r, rig_union(&r, rig_exchange(&r, a, WR_DIST_HASH), b), &seen);
        CHECK_OK(&r.ctx, job_rig_create(&r));
        CHECK_OK(&r.ctx, wr_os_thread_start(&r.ctx, &thread, "cancel", cancel_soon, r.job));
        CHECK_EQ_INT(wr_job_run(&r.ctx, r.job), WR_CANCELLED);
        wr_os_thread_join(&thread);
        CHECK_EQ_INT(wr_job_get_state(r.job), WR_JOB_CANCELED);
        job_rig_close(&r);
    }
}

TEST(cancelled_before_it_starts)
{
    static rig_seen seen;
    job_rig r;
    memset(&seen, 0, sizeof seen);
    job_rig_open(&r);
    r.env.parallelism = 2;
    rig_sink(&r, rig_scan(&r, some_rows, 2), &seen);
    CHECK_OK(&r.ctx, job_rig_create(&r));
    wr_job_cancel(r.job);
    CHECK_EQ_INT(wr_job_run(&r.ctx, r.job), WR_CANCELLED);
    job_rig_close(&r);
}

TEST(the_cancel_flag_of_the_caller)
{
    static const rig_step stuck[] = {{RIG_HOLD, 1, 0}, {RIG_END, 0, 0}};
    static rig_seen seen;
    volatile int cancel = 0;
    job_rig r;
    memset(&seen, 0, sizeof seen);
    job_rig_open(&r);
    r.env.parallelism = 2;
    rig_sink(&r, rig_scan(&r, stuck, 2), &seen);
    r.ctx.cancel = &cancel;
    CHECK_OK(&r.ctx, job_rig_create(&r));
    CHECK_OK(&r.ctx, wr_job_start(&r.ctx, r.job));
    CHECK(!wr_job_wait(r.job, 20));
    wr_os_store(&cancel, 1);
    int64_t start = rig_now_ms();
    CHECK(wr_job_wait(r.job, 5000));
    CHECK(rig_now_ms() - start < 2000);
    CHECK_EQ_INT(wr_job_result(&r.ctx, r.job), WR_CANCELLED);
    job_rig_close(&r);
}

TEST(destroying_a_running_job)
{
    static rig_seen seen;
    job_rig r;
    memset(&seen, 0, sizeof seen);
    job_rig_open(&r);
    r.env.parallelism = 2;
    rig_sink(&r, rig_exchange(&r, rig_scan(&r, endless, 2), WR_DIST_HASH), &seen);
    CHECK_OK(&r.ctx, job_rig_create(&r));
    CHECK_OK(&r.ctx, wr_job_start(&r.ctx, r.job));
    wr_os_sleep_ns(3000000);
    job_rig_close(&r);
    CHECK(seen.finished == 0);
    job_rig_open(&r); /* and one that never ran */
    rig_sink(&r, rig_scan(&r, endless, 2), &seen);
    CHECK_OK(&r.ctx, job_rig_create(&r));
    job_rig_close(&r);
}

/* ---- splits that come later ------------------------------------------------------------------ */

TEST(splits_found_while_running)
{
    static const rig_step steps[] = {{RIG_ROWS, 100, 0}, {RIG_END, 0, 0}};
    static rig_seen seen;
    job_rig r;
    memset(&seen, 0, sizeof seen);
    job_rig_open(&r);
    r.env.parallelism = 3;
    r.env.workers = 2;
    wr_pnode *scan = rig_scan(&r, steps, 2);
    rig_table_of(scan)->recheck_ms = 2;
    rig_sink(&r, rig_exchange(&r, scan, WR_DIST_HASH), &seen);
    CHECK_OK(&r.ctx, job_rig_create(&r));
    CHECK_OK(&r.ctx, wr_job_start(&r.ctx, r.job));
    for (uint32_t found = 0; found <= 40; found += 10) {
        wr_os_store(&rig_table_of(scan)->late_splits, found);
        for (int i = 0; i < 2000 && rows_seen(&r, &seen) < (2 + found) * 100; i++)
            wr_os_sleep_ns(1000000);
        CHECK_EQ_UINT(rows_seen(&r, &seen), (2 + found) * 100);
    }
    CHECK(!wr_job_wait(r.job, 20)); /* each split was read once, and it goes on */
    CHECK_EQ_UINT(rows_seen(&r, &seen), 4200);
    job_rig_close(&r);
}

/* ---- event time ------------------------------------------------------------------------------ */

static int64_t
mark_of(job_rig *r, rig_seen *seen)
{
    wr_os_mutex_lock(&r->mutex);
    int64_t m = seen->last_mark[0];
    wr_os_mutex_unlock(&r->mutex);
    return m;
}

static void
wait_for_mark(job_rig *r, rig_seen *seen, int64_t want)
{
    for (int i = 0; i < 3000 && mark_of(r, seen) != want; i++) wr_os_sleep_ns(1000000);
    CHECK_EQ_INT(mark_of(r, seen), want);
}

/* T073 of the traps: two partitions, one without rows, and an idle timeout. */
TEST(an_idle_source_lets_the_watermark_pass)
{
    static const rig_step busy[] = {{RIG_ROWS, 10, 0}, {RIG_MARK, 1000, 0}, {RIG_HOLD, 1, 0},
                                    {RIG_ROWS, 10, 0}, {RIG_MARK, 3000, 0}, {RIG_HOLD, 2, 0},
                                    {RIG_END, 0, 0}};
    static const rig_step quiet[] = {
        {RIG_HOLD, 1, 0}, {RIG_ROWS, 5, 0}, {RIG_MARK, 2000, 0}, {RIG_HOLD, 2, 0}, {RIG_END, 0, 0}};
    for (uint32_t p = 1; p <= 2; p++) {
        static rig_seen seen;
        job_rig r;
        memset(&seen, 0, sizeof seen);
        job_rig_open(&r);
        r.env.parallelism = p;
        wr_pnode *a = rig_scan(&r, busy, p), *b = rig_scan(&r, quiet, p);
        a = rig_watermarks(&r, a, 0);
        b = rig_watermarks(&r, b, 60);
        rig_sink(&r, rig_exchange(&r, rig_union(&r, a, b), WR_DIST_SINGLE), &seen);
        int64_t start = rig_now_ms();
        CHECK_OK(&r.ctx, job_rig_create(&r));
        CHECK_OK(&r.ctx, wr_job_start(&r.ctx, r.job));
        wait_for_mark(&r, &seen, 1000);
        CHECK(rig_now_ms() - start >= 60);
        wr_os_store(&r.gate, 1);        /* now both have rows: the lower one counts */
        wait_for_mark(&r, &seen, 3000); /* until the quiet one is idle again */
        wr_os_store(&r.gate, 2);
        CHECK(wr_job_wait(r.job, 10000));
        CHECK_OK(&r.ctx, wr_job_result(&r.ctx, r.job));
        CHECK_EQ_INT(mark_of(&r, &seen), INT64_MAX);
        CHECK_EQ_UINT(seen.rows, 25 * p);
        job_rig_close(&r);
    }
}

/* Without a timeout the quiet source holds the watermark back for ever. */
TEST(a_quiet_source_holds_the_watermark)
{
    static const rig_step busy[] = {{RIG_MARK, 1000, 0}, {RIG_HOLD, 1, 0}, {RIG_END, 0, 0}};
    static const rig_step quiet[] = {{RIG_HOLD, 1, 0}, {RIG_END, 0, 0}};
    static rig_seen seen;
    job_rig r;
    memset(&seen, 0, sizeof seen);
    job_rig_open(&r);
    wr_pnode *a = rig_watermarks(&r, rig_scan(&r, busy, 1), 0);
    wr_pnode *b = rig_watermarks(&r, rig_scan(&r, quiet, 1), 0);
    rig_table_of(b->inputs[0])->desc.id.name = WR_STR("sleepy");
    rig_sink(&r, rig_union(&r, a, b), &seen);
    CHECK_OK(&r.ctx, job_rig_create(&r));
    CHECK_OK(&r.ctx, wr_job_start(&r.ctx, r.job));
    wr_os_sleep_ns(150000000);
    CHECK_EQ_INT(mark_of(&r, &seen), INT64_MIN);
    wr_job_progress progress;
    wr_job_get_progress(r.job, &progress);
    CHECK_EQ_INT(progress.watermark, INT64_MIN);
    CHECK(progress.sources_idle);
    CHECK_EQ_STR(progress.waits_for, "sleepy");
    wr_os_store(&r.gate, 1);
    CHECK(wr_job_wait(r.job, 10000));
    CHECK_EQ_INT(mark_of(&r, &seen), INT64_MAX);
    job_rig_close(&r);
}

/* T075: rows that wait for room downstream do not make their source idle. */
TEST(backpressure_is_not_idleness)
{
    static const rig_step steps[] = {{RIG_ROWS, SQUEEZE, 10},
                                     {RIG_MARK, 1000, 0},
                                     {RIG_ROWS, SQUEEZE, 10},
                                     {RIG_MARK, 2000, 0},
                                     {RIG_END, 0, 0}};
    static rig_seen seen;
    job_rig r;
    memset(&seen, 0, sizeof seen);
    job_rig_open(&r);
    r.env.parallelism = 2;
    r.env.workers = 2;
    seen.sleep_ms = 15;
    r.env.flush_after_ms = 0; /* many batches */
    wr_pnode *a = rig_watermarks(&r, rig_scan(&r, steps, 2), 10);
    a->inputs[0]->parallelism = 2;
    rig_sink(&r, rig_exchange(&r, a, WR_DIST_SINGLE), &seen);
    CHECK_OK(&r.ctx, job_rig_run(&r));
    CHECK_EQ_UINT(seen.rows, 4 * SQUEEZE);
    CHECK_EQ_INT(seen.last_mark[0], INT64_MAX);
    job_rig_close(&r);
}

/* ---- latency and full batches ---------------------------------------------------------------- */

TEST(few_rows_go_at_once)
{
    static const rig_step steps[] = {{RIG_ROWS, 3, 0}, {RIG_HOLD, 1, 0}, {RIG_END, 0, 0}};
    for (uint32_t p = 1; p <= 2; p++) {
        static rig_seen seen;
        job_rig r;
        memset(&seen, 0, sizeof seen);
        job_rig_open(&r);
        r.env.parallelism = p;
        r.env.flush_after_ms = 10000; /* idle tasks do not wait for it */
        rig_sink(&r, rig_union(&r, rig_exchange(&r, rig_scan(&r, steps, 1), WR_DIST_HASH), NULL),
                 &seen);
        CHECK_OK(&r.ctx, job_rig_create(&r));
        int64_t start = rig_now_ms();
        CHECK_OK(&r.ctx, wr_job_start(&r.ctx, r.job));
        for (int i = 0; i < 3000 && rows_seen(&r, &seen) < 3; i++) wr_os_sleep_ns(1000000);
        wr_os_store(&r.gate, 1);
        CHECK(wr_job_wait(r.job, 10000));
        CHECK_EQ_UINT(seen.rows, 3);
        CHECK_MSG(seen.first_row_ms - start < 1000, "%d ms", (int)(seen.first_row_ms - start));
        job_rig_close(&r);
    }
}

static wr_op_metrics
metrics_of(const wr_job *job, const char *name)
{
    wr_op_metrics sum = {0}, m;
    for (uint32_t i = 0; wr_job_get_metrics(job, i, &m); i++) {
        if (strncmp(m.name, name, strlen(name)) != 0) continue;
        sum.records_in += m.records_in;
        sum.records_out += m.records_out;
        sum.batches_in += m.batches_in;
        sum.busy_ns += m.busy_ns;
        sum.idle_ns += m.idle_ns;
        sum.backpressured_ns += m.backpressured_ns;
        sum.state_bytes += m.state_bytes;
        sum.bytes_out += m.bytes_out;
    }
    return sum;
}

#ifndef WR_TINY
TEST(busy_exchanges_send_full_batches)
{
    static const rig_step steps[] = {{RIG_ROWS, 40000, 20}, {RIG_END, 0, 0}};
    static rig_seen seen;
    job_rig r;
    memset(&seen, 0, sizeof seen);
    job_rig_open(&r);
    r.env.parallelism = 8;
    r.env.workers = 1;
    r.env.flush_after_ms = 60000;
    rig_sink(&r, rig_union(&r, rig_exchange(&r, rig_scan(&r, steps, 8), WR_DIST_HASH), NULL),
             &seen);
    CHECK_OK(&r.ctx, job_rig_run(&r));
    wr_op_metrics m = metrics_of(r.job, "Union");
    CHECK_EQ_UINT(m.records_in, 8 * 40000);
    CHECK_MSG(m.records_in / m.batches_in > 500, "%u rows a batch",
              (unsigned)(m.records_in / m.batches_in));
    job_rig_close(&r);
}
#endif

TEST(metrics_count_and_time)
{
    static rig_seen seen;
    job_rig r;
    memset(&seen, 0, sizeof seen);
    job_rig_open(&r);
    r.env.parallelism = 2;
    r.env.workers = 2;
    seen.sleep_ms = 3;
    wr_pnode *x = rig_exchange(&r, rig_scan(&r, some_rows, 2), WR_DIST_SINGLE);
    rig_sink(&r, rig_expand(&r, x, 2), &seen);
    CHECK_OK(&r.ctx, job_rig_create(&r));
    int64_t start = wr_os_now_ns();
    CHECK_OK(&r.ctx, wr_job_run(&r.ctx, r.job));
    uint64_t wall = (uint64_t)(wr_os_now_ns() - start);
    wr_op_metrics scan = metrics_of(r.job, "TableSourceScan"), sink = metrics_of(r.job, "Sink"),
                  expand = metrics_of(r.job, "Expand");
    CHECK_EQ_UINT(scan.records_out, 2 * SOME);
    CHECK(scan.bytes_out >= 2 * SOME * 8 * 3);
    CHECK_EQ_UINT(expand.records_in, 2 * SOME);
    CHECK_EQ_UINT(expand.records_out, 4 * SOME);
    CHECK_EQ_UINT(sink.records_in, 4 * SOME);
    CHECK(sink.busy_ns > 0 && sink.busy_ns <= 2 * wall);
    CHECK(sink.busy_ns + sink.idle_ns + sink.backpressured_ns <= 2 * wall);
    CHECK(scan.backpressured_ns > 0);
    wr_job_progress progress;
    wr_job_get_progress(r.job, &progress);
    CHECK_EQ_UINT(progress.rows_in, 2 * SOME);
    CHECK_EQ_UINT(progress.rows_out, 4 * SOME);
    CHECK(progress.sources_idle);
    job_rig_close(&r);
}

TEST(progress_is_read_while_tasks_work)
{
    static rig_seen seen;
    job_rig r;
    memset(&seen, 0, sizeof seen);
    job_rig_open(&r);
    r.env.parallelism = 2;
    rig_sink(&r, rig_exchange(&r, rig_scan(&r, endless, 2), WR_DIST_HASH), &seen);
    CHECK_OK(&r.ctx, job_rig_create(&r));
    CHECK_OK(&r.ctx, wr_job_start(&r.ctx, r.job));
    uint64_t rows = 0;
    for (int i = 0; i < 2000 && rows == 0; i++) {
        wr_job_progress progress;
        wr_op_metrics m;
        wr_os_sleep_ns(1000000);
        wr_job_get_progress(r.job, &progress);
        for (uint32_t k = 0; wr_job_get_metrics(r.job, k, &m); k++) CHECK(m.name != NULL);
        rows = progress.rows_in;
    }
    CHECK(rows > 0);
    job_rig_close(&r);
}

/* ---- the steady state ------------------------------------------------------------------------ */

#ifndef WR_TINY
/* Nothing is malloc'ed per batch: twice the rows, no more calls of the system's allocator. */
static uint64_t
mallocs_of(const rig_step *steps, uint32_t p)
{
    static rig_seen seen;
    job_rig r;
    memset(&seen, 0, sizeof seen);
    job_rig_open(&r);
    r.env.parallelism = p;
    r.env.workers = 1;
    rig_sink(&r, rig_union(&r, rig_exchange(&r, rig_scan(&r, steps, p), WR_DIST_HASH), NULL),
             &seen);
    CHECK_OK(&r.ctx, job_rig_create(&r));
    uint64_t before = wr_mem_malloc_count();
    CHECK_OK(&r.ctx, wr_job_run(&r.ctx, r.job));
    uint64_t calls = wr_mem_malloc_count() - before;
    job_rig_close(&r);
    return calls;
}

TEST(no_malloc_per_batch)
{
    static const rig_step few[] = {{RIG_ROWS, 400 * WR_BATCH_ROWS, 0}, {RIG_END, 0, 0}};
    static const rig_step many[] = {{RIG_ROWS, 2000 * WR_BATCH_ROWS, 0}, {RIG_END, 0, 0}};
    for (uint32_t p = 1; p <= 2; p++) {
        uint64_t a = mallocs_of(few, p), b = mallocs_of(many, p);
        CHECK_MSG(b < a + 100, "%u batches: %u calls; %u batches: %u calls", 400 * p, (unsigned)a,
                  2000 * p, (unsigned)b);
    }
}
#endif

CHECK_MAIN()
