/* SPDX-License-Identifier: Apache-2.0 */
/* Windows that show their changes before they are over and for late rows: with every row, and by
 * the clock, which no run of Flink can be held to; in batches of every size, with a full emitter,
 * restarted behind every batch. Windows of 10; the clock begins at 1000.
 * links: op state */
#include "plan/window.h"
#include "unit/op_rig_agg.h"
#include "unit/op_rig_restart.h"

typedef struct shown {
    wr_window_emit emit;
    bool keyless, retract, hop, processing, after_only;
    const char *in; /* rows, and |N for a watermark, #N for the clock */
} shown;

static const uint8_t bounds[] = {WR_WINDOW_START, WR_WINDOW_END};

/* k S, v L, ts L -> k S, sum L, n L, s L, e L */
static void
prepare(rig *r, const shown *s)
{
    wr_windowing *how = WR_NEW(r->arena, wr_windowing);
    wr_agg_bound *aggs = WR_NEW_N(r->arena, wr_agg_bound, 2);
    *how = (wr_windowing){.spec = {.kind = s->hop ? WR_WINDOW_HOP : WR_WINDOW_TUMBLE,
                                   .size_ms = s->processing ? 1000 : 10,
                                   .slide_ms = s->processing ? 1000
                                               : s->hop      ? 5
                                                             : 10,
                                   .rowtime = !s->processing,
                                   .grouped = true,
                                   .time = wr_type_time(r->arena, WR_T_TIMESTAMP, 3, true)},
                          .time_col = 2,
                          .start_col = -1,
                          .end_col = -1,
                          .window_time_col = -1};
    aggs[0] = rig_agg(r, &rig_sum_ops, 1);
    aggs[1] = rig_agg(r, &rig_count_ops, -1);
    r->node.windows[0] = how;
    r->inputs[0].schema = rig_schema(r, "k S, v L, ts L");
    r->inputs[0].changelog = s->retract ? WR_CL_ALL : WR_CL_I;
    r->node.kind = WR_P_WINDOW_AGG;
    r->node.changelog = WR_CL_ALL;
    r->node.schema =
        rig_schema(r, s->keyless ? "sum L, n L, s L, e L" : "k S, sum L, n L, s L, e L");
    r->node.u.agg.keys = rig_cols(r, 1, 0, 0);
    r->node.u.agg.key_count = !s->keyless;
    r->node.u.agg.aggs = aggs;
    r->node.u.agg.agg_count = 2;
    r->node.u.agg.retract = s->retract;
    r->node.u.agg.generate_update_before = !s->after_only;
    r->node.u.agg.props = bounds;
    r->node.u.agg.prop_count = 2;
    r->node.u.agg.emit = &s->emit;
}

static void
set_clock(rig *r, int64_t now)
{
    r->now_ms = now;
    while (r->timer_ms && r->timer_ms <= now && !r->failed) {
        const int64_t due = r->timer_ms;
        r->timer_ms = 0;
        rig_settle(r, RIG_CALL(r, r->op->ops->on_timer(&r->ctx, r->op, due, &r->emit)));
    }
}

static void
run(rig *r, const void *arg)
{
    const shown *s = arg;
    const char *in = s->in;
    prepare(r, s);
    rig_start(r);
    while (*in && !r->failed) {
        const size_t len = strcspn(in, "|#");
        char rows[1024];
        memcpy(rows, in, len);
        rows[len] = 0;
        rig_rows(r, 0, rows);
        in += len;
        if (!*in) break;
        const int64_t time = strtoll(in + 1, NULL, 10);
        if (*in == '|')
            rig_watermark(r, time);
        else
            set_clock(r, time);
        in += 1 + strspn(in + 1, "-0123456789");
        while (*in == ' ') in++;
    }
    if (!r->failed) rig_finish(r);
}

static void
expect(const shown *s, const char *want)
{
    for (uint32_t k = 0; k < 16; k++) {
        rig r;
        rig_open(&r);
        r.chunk = k % 4;
        r.full_every = k / 4 % 2;
        r.after_batch = rig_restart_often;
        r.restart_every = k / 8;
        run(&r, s);
        CHECK_EQ_STR(rig_output(&r), want);
        rig_close(&r);
    }
}

TEST(every_row_shows_its_window_and_the_end_shows_nothing_new)
{
    const shown s = {.emit = {.early_ms = 0, .late_ms = -1},
                     .in = "+I[a, 1, 1] +I[a, 2, 2] +I[null, 4, 3] +I[a, 0, 11] |9 +I[a, 8, 5] "
                           "+I[a, 5, 12]"};
    expect(&s, "+I[a, 1, 1, 0, 10] -U[a, 1, 1, 0, 10] +U[a, 3, 2, 0, 10] +I[null, 4, 1, 0, 10] "
               "+I[a, 0, 1, 10, 20] -U[a, 0, 1, 10, 20] +U[a, 5, 2, 10, 20]");
}

TEST(an_upsert_has_no_update_before)
{
    const shown s = {.emit = {.early_ms = 0, .late_ms = -1},
                     .after_only = true,
                     .in = "+I[a, 1, 1] +I[a, 2, 2]"};
    expect(&s, "+I[a, 1, 1, 0, 10] +U[a, 3, 2, 0, 10]");
}

TEST(late_rows_change_their_window_until_it_is_gone)
{
    const shown s = {.emit = {.early_ms = -1, .late_ms = 0, .lateness_ms = 10},
                     .in = "+I[a, 1, 1] |8 +I[a, 2, 1] |9 +I[a, 4, 2] |18 +I[b, 8, 3] |19 "
                           "+I[a, 16, 4] +I[a, 32, 15] |30"};
    expect(&s, "+I[a, 3, 2, 0, 10] -U[a, 3, 2, 0, 10] +U[a, 7, 3, 0, 10] +I[b, 8, 1, 0, 10] "
               "+I[a, 32, 1, 10, 20]");
}

TEST(by_the_clock_changes_come_together)
{
    const shown s = {.emit = {.early_ms = 100, .late_ms = -1},
                     .in = "+I[a, 1, 1] +I[a, 2, 1] #1099 #1100 #1200 +I[a, 4, 1] #1250 #1300 "
                           "+I[a, 8, 1] |9 +I[a, 16, 11] #1399 |19 #2000"};
    expect(&s, "+I[a, 3, 2, 0, 10] -U[a, 3, 2, 0, 10] +U[a, 7, 3, 0, 10] -U[a, 7, 3, 0, 10] "
               "+U[a, 15, 4, 0, 10] +I[a, 16, 1, 10, 20]");
}

/* A group that a late row makes fires with every row: it was not there when its window was over. */
TEST(late_rows_come_together_by_the_clock_in_groups_that_were_there)
{
    const shown s = {.emit = {.early_ms = -1, .late_ms = 100, .lateness_ms = 200},
                     .in = "+I[a, 1, 1] |9 +I[a, 2, 1] +I[a, 4, 1] +I[b, 8, 2] +I[b, 16, 3] #1099 "
                           "#1100 +I[a, 32, 1] |300 #1200"};
    expect(&s, "+I[a, 1, 1, 0, 10] +I[b, 8, 1, 0, 10] -U[b, 8, 1, 0, 10] +U[b, 24, 2, 0, 10] "
               "-U[a, 1, 1, 0, 10] +U[a, 7, 3, 0, 10]");
}

TEST(early_and_late_have_times_of_their_own)
{
    const shown s = {.emit = {.early_ms = 100, .late_ms = 50, .lateness_ms = 200},
                     .keyless = true,
                     .in = "+I[a, 1, 1] #1050 |9 +I[a, 2, 1] #1060 #1099 +I[a, 4, 1] #1100 "
                           "+I[a, 8, 1] #1150"};
    expect(&s, "+I[1, 1, 0, 10] -U[1, 1, 0, 10] +U[7, 3, 0, 10] -U[7, 3, 0, 10] +U[15, 4, 0, 10]");
}

TEST(a_window_that_is_emptied_is_deleted_and_comes_back)
{
    const shown s = {.emit = {.early_ms = 0, .late_ms = -1},
                     .retract = true,
                     .in = "+I[a, 5, 1] -D[a, 5, 1] +I[a, 7, 1] -U[a, 7, 1] +U[a, 9, 2] "
                           "+I[b, 1, 3] -D[b, 1, 3]"};
    expect(&s, "+I[a, 5, 1, 0, 10] -D[a, 5, 1, 0, 10] +I[a, 7, 1, 0, 10] -D[a, 7, 1, 0, 10] "
               "+I[a, 9, 1, 0, 10] +I[b, 1, 1, 0, 10] -D[b, 1, 1, 0, 10]");
}

TEST(hop_shows_the_latest_window_first)
{
    const shown s = {.emit = {.early_ms = 0, .late_ms = 0, .lateness_ms = 5},
                     .hop = true,
                     .keyless = true,
                     .in = "+I[a, 1, 1] +I[a, 2, 6] |9 +I[a, 4, 3]"};
    expect(&s, "+I[1, 1, 0, 10] +I[1, 1, -5, 5] +I[2, 1, 5, 15] -U[1, 1, 0, 10] +U[3, 2, 0, 10] "
               "-U[3, 2, 0, 10] +U[7, 3, 0, 10]");
}

TEST(windows_of_processing_time_go_with_the_clock)
{
    const shown s = {.emit = {.early_ms = 300, .late_ms = -1},
                     .processing = true,
                     .in = "+I[a, 1, 0] #1100 +I[a, 2, 0] #1300 +I[a, 4, 0] #1998 +I[a, 8, 0] "
                           "#2100"};
    expect(&s, "+I[a, 3, 2, 1000, 2000] -U[a, 3, 2, 1000, 2000] +U[a, 7, 3, 1000, 2000] "
               "-U[a, 7, 3, 1000, 2000] +U[a, 15, 4, 1000, 2000]");
}

TEST(a_row_of_the_last_millisecond_makes_its_window_anew)
{
    const shown s = {.emit = {.early_ms = 300, .late_ms = -1},
                     .processing = true,
                     .in = "+I[a, 1, 0] #1999 +I[a, 8, 0] #2100"};
    expect(&s, "+I[a, 1, 1, 1000, 2000] +I[a, 8, 1, 1000, 2000]");
}

TEST(every_failed_allocation_is_told)
{
    const shown s = {.emit = {.early_ms = 100, .late_ms = 0, .lateness_ms = 10},
                     .in = "+I[a, 1, 1] #1100 |9 +I[a, 2, 1] +I[a, 4, 2]"};
    rig_check_faults(run, &s);
}

CHECK_MAIN()
