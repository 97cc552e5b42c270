/* SPDX-License-Identifier: Apache-2.0 */
/* Event time at the sources: what is told of each split, splits that are idle, end or come back
 * from a checkpoint, and sources of one alignment group. links: catalog fs */
#include "catalog/catalog.h"
#include "fs/fs.h"
#include "runtime_rig.h"

#define NONE INT64_MIN

typedef struct fixture {
    job_rig r;
    rig_seen seen;
    wr_option options[16];
    wr_options set;
} fixture;
static fixture f;

static void
set(const char *key, const char *value)
{
    f.options[f.set.count++] = (wr_option){.key = wr_str_c(key), .value = wr_str_c(value)};
}

static void
open_fixture(uint32_t workers)
{
    memset(&f, 0, sizeof f);
    if (!wr_find_fs(WR_STR("/tmp"))) CHECK(wr_fs_register());
    job_rig_open(&f.r);
    f.r.env.workers = workers;
    f.set.items = f.options;
    f.r.config = (wr_config){.set = &f.set, .defs = wr_session_option_defs()};
}

static wr_pnode *
splits(const rig_step *const *steps, uint32_t count, int64_t idle_ms)
{
    wr_pnode *scan = rig_scan(&f.r, NULL, count);
    rig_table_of(scan)->split_steps = steps;
    scan->u.scan.info.split_watermarks = true;
    return rig_watermarks(&f.r, scan, idle_ms);
}

static void
start(wr_pnode *top)
{
    rig_sink(&f.r, top, &f.seen);
    CHECK_OK(&f.r.ctx, job_rig_create(&f.r));
    CHECK_OK(&f.r.ctx, wr_job_start(&f.r.ctx, f.r.job));
}

/* "1000 2000i 3000e 4000p <5000": of each split, with its flags; < holds the job back. */
static const char *
shown(void)
{
    static char text[400];
    wr_split_watermark *w = NULL;
    uint32_t n = 0;
    size_t at = 0;
    CHECK_OK(&f.r.ctx, wr_job_get_watermarks(&f.r.ctx, f.r.job, f.r.arena, &w, &n));
    text[0] = 0;
    for (uint32_t i = 0; i < n && at + 40 < sizeof text; i++) {
        char value[24] = "-";
        if (w[i].watermark != NONE)
            (void)snprintf(value, sizeof value, "%lld", (long long)w[i].watermark);
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%s%s%s%s%s", i ? " " : "",
                               w[i].holds_back ? "<" : "", value, w[i].idle ? "i" : "",
                               w[i].ended ? "e" : "", w[i].paused ? "p" : "");
    }
    return text;
}

static void
wait_for(const char *want)
{
    const int64_t until = rig_now_ms() + 10000;
    while (strcmp(shown(), want) != 0 && rig_now_ms() < until) wr_os_sleep_ns(2000000);
    CHECK_EQ_STR(shown(), want);
}

static int64_t
mark(void)
{
    wr_os_mutex_lock(&f.r.mutex);
    const int64_t m = f.seen.last_mark[0];
    wr_os_mutex_unlock(&f.r.mutex);
    return m;
}

static void
end(void)
{
    CHECK(wr_job_wait(f.r.job, 10000));
    CHECK_OK(&f.r.ctx, wr_job_result(&f.r.ctx, f.r.job));
    CHECK_EQ_INT(mark(), INT64_MAX);
    job_rig_close(&f.r);
}

TEST(the_lowest_split_counts_until_it_ends)
{
    static const rig_step a[] = {{RIG_MARK, 1000, 0}, {RIG_HOLD, 1, 0}, {RIG_END, 0, 0}};
    static const rig_step b[] = {{RIG_HOLD, 2, 0},    {RIG_MARK, 500, 0}, {RIG_HOLD, 3, 0},
                                 {RIG_MARK, 4000, 0}, {RIG_HOLD, 4, 0},   {RIG_END, 0, 0}};
    static const rig_step *const both[] = {a, b};
    for (uint32_t workers = 1; workers <= 2; workers++) {
        open_fixture(workers);
        start(splits(both, 2, 0));
        wait_for("1000 <-");
        CHECK_EQ_INT(mark(), NONE);
        wr_os_store(&f.r.gate, 1);
        wait_for("1000e <-");
        wr_os_store(&f.r.gate, 2);
        wait_for("1000e <500");
        CHECK_EQ_INT(mark(), 500);
        wr_os_store(&f.r.gate, 3);
        wait_for("1000e <4000");
        CHECK_EQ_INT(mark(), 4000);
        wr_os_store(&f.r.gate, 4);
        end();
    }
}

TEST(an_idle_split_is_left_out)
{
    static const rig_step a[] = {{RIG_MARK, 1000, 0},
                                 {RIG_HOLD, 1, 0},
                                 {RIG_MARK, 1500, 0},
                                 {RIG_HOLD, 3, 0},
                                 {RIG_END, 0, 0}};
    static const rig_step b[] = {{RIG_HOLD, 2, 0}, {RIG_END, 0, 0}};
    static const rig_step *const both[] = {a, b};
    open_fixture(1);
    start(splits(both, 2, 50));
    wait_for("1000i -i"); /* in the end both are */
    wr_os_store(&f.r.gate, 1);
    wait_for("1500i -i");
    wr_os_store(&f.r.gate, 3);
    end();
}

TEST(a_restored_split_goes_on_at_its_watermark)
{
    static const rig_step a[] = {{RIG_MARK, 1000, 0}, {RIG_HOLD, 1000000, 0}, {RIG_END, 0, 0}};
    static const rig_step b[] = {{RIG_MARK, 2000, 0}, {RIG_HOLD, 1, 0},       {RIG_ROWS, 10, 0},
                                 {RIG_MARK, 3000, 0}, {RIG_HOLD, 1000000, 0}, {RIG_END, 0, 0}};
    static const rig_step *const both[] = {a, b};
    open_fixture(1);
    set("execution.checkpointing.interval", "10 ms");
    set("restart-strategy.type", "fixed-delay");
    set("restart-strategy.fixed-delay.attempts", "3");
    set("restart-strategy.fixed-delay.delay", "1 ms");
    f.seen.gate_by_commits = true;
    f.seen.fail_after = 5;
    f.seen.fail_times = 1;
    start(splits(both, 2, 0));
    wait_for("<1000 3000");
    wr_checkpoint_counts counts;
    wr_job_checkpoint_counts(f.r.job, &counts);
    CHECK_EQ_UINT(counts.restarts, 1);
    CHECK(counts.restored_id > 0);
    CHECK_EQ_INT(mark(), 1000);
    wr_job_cancel(f.r.job);
    CHECK(wr_job_wait(f.r.job, 10000));
    job_rig_close(&f.r);
}

static wr_pnode *
aligned(const rig_step *steps, int64_t idle_ms)
{
    static wr_option options[] = {
        {.key = {"scan.watermark.alignment.group", 30}, .value = {"g", 1}},
        {.key = {"scan.watermark.alignment.max-drift", 34}, .value = {"3 s", 3}},
        {.key = {"scan.watermark.alignment.update-interval", 40}, .value = {"1 ms", 4}}};
    wr_pnode *scan = rig_scan(&f.r, steps, 1);
    scan->u.scan.spec.options = (wr_options){options, WR_COUNT(options)};
    return rig_watermarks(&f.r, scan, idle_ms);
}

/* Marks 1000, 2000, ... 20000. */
static const rig_step *
fast(void)
{
    static rig_step steps[21];
    for (uint32_t i = 0; i < 20; i++) steps[i] = (rig_step){RIG_MARK, (i + 1) * 1000, 0};
    steps[20] = (rig_step){RIG_END, 0, 0};
    return steps;
}

TEST(a_source_waits_for_its_group)
{
    static const rig_step slow[] = {{RIG_MARK, 1000, 0},
                                    {RIG_HOLD, 1, 0},
                                    {RIG_MARK, 10000, 0},
                                    {RIG_HOLD, 2, 0},
                                    {RIG_END, 0, 0}};
    for (uint32_t workers = 1; workers <= 2; workers++) {
        open_fixture(workers);
        wr_pnode *a = aligned(fast(), 0), *b = aligned(slow, 0);
        start(rig_union(&f.r, a, b));
        wait_for("5000p <1000"); /* the first that is more than 3 s ahead */
        wr_os_sleep_ns(60000000);
        CHECK_EQ_STR(shown(), "5000p <1000");
        wr_os_store(&f.r.gate, 1);
        wait_for("14000p <10000");
        wr_os_store(&f.r.gate, 2);
        end();
    }
}

static void
pause_split(wr_reader *reader, uint32_t split, bool paused)
{
    ((rig_reader *)reader)->splits[split].paused = paused;
}

static wr_pnode *
aligned_splits(const rig_step *const *steps, uint32_t count)
{
    static wr_source_ops pausing;
    wr_pnode *top = aligned(NULL, 0), *scan = top->inputs[0];
    pausing = rig_source;
    pausing.pause = pause_split;
    scan->u.scan.source = &pausing;
    rig_table_of(scan)->splits = count;
    rig_table_of(scan)->split_steps = steps;
    scan->u.scan.info.split_watermarks = true;
    return top;
}

TEST(a_split_waits_for_another_of_its_reader)
{
    static const rig_step slow[] = {{RIG_MARK, 1000, 0},
                                    {RIG_HOLD, 1, 0},
                                    {RIG_MARK, 10000, 0},
                                    {RIG_HOLD, 2, 0},
                                    {RIG_END, 0, 0}};
    for (uint32_t workers = 1; workers <= 2; workers++) {
        const rig_step *const both[] = {fast(), slow};
        open_fixture(workers);
        start(aligned_splits(both, 2));
        wait_for("5000p <1000");
        wr_os_sleep_ns(60000000);
        CHECK_EQ_STR(shown(), "5000p <1000");
        CHECK_EQ_INT(mark(), 1000);
        wr_os_store(&f.r.gate, 1); /* the other one is read all the time */
        wait_for("14000p <10000");
        wr_os_store(&f.r.gate, 2);
        end();
    }
}

TEST(nobody_waits_for_an_idle_source)
{
    static const rig_step slow[] = {{RIG_MARK, 1000, 0}, {RIG_HOLD, 1, 0}, {RIG_END, 0, 0}};
    open_fixture(1);
    wr_pnode *a = aligned(fast(), 0), *b = aligned(slow, 60);
    start(rig_union(&f.r, a, b));
    wait_for("20000e 1000i");
    wr_os_store(&f.r.gate, 1);
    end();
}

CHECK_MAIN()
