/* SPDX-License-Identifier: Apache-2.0 */
/* Windows: aggregates by TUMBLE, HOP and CUMULATE with and without shared slices, the functions
 * alone, sessions; in batches of every size, with a full emitter, restarted behind every batch, at
 * another parallelism. Times are plain numbers of milliseconds; windows of 10.
 * links: op state */
#include "plan/window.h"
#include "unit/op_rig_agg.h"
#include "unit/op_rig_restart.h"

static wr_status
merge_acc(wr_agg_call *call, uint8_t *const *other)
{
    for (uint32_t i = 0; i < call->n; i++) {
        rig_acc *to = (rig_acc *)(void *)call->recs[i];
        const rig_acc *from = (const rig_acc *)(const void *)other[i];
        to->count += from->count;
        to->sum += from->sum;
    }
    return WR_OK;
}
static wr_status
unmerge_acc(wr_agg_call *call, uint8_t *const *other, uint8_t *again)
{
    (void)again;
    for (uint32_t i = 0; i < call->n; i++) {
        rig_acc *to = (rig_acc *)(void *)call->recs[i];
        const rig_acc *from = (const rig_acc *)(const void *)other[i];
        to->count -= from->count;
        to->sum -= from->sum;
    }
    return WR_OK;
}
static wr_status
unmerge_never(wr_agg_call *call, uint8_t *const *other, uint8_t *again)
{
    (void)other;
    for (uint32_t i = 0; i < call->n; i++) {
        ((rig_acc *)(void *)call->recs[i])->sum = 77;
        again[i] = 1;
    }
    return WR_OK;
}
static wr_agg_ops sum_merged, count_merged;

/* SLICED: windows are merged from slices; SLIDING: each from the one before; ANEW: the same with an
 * aggregate that cannot tell what remains. */
typedef enum what { AGG, AGG_SLICED, AGG_SLIDING, AGG_ANEW, FUNCTION } what;

typedef struct windowed {
    what what;
    wr_window_spec spec;
    bool keyed, retract, attached;
    const char *in; /* rows, and |N for a watermark, #N for the clock (processing time) */
} windowed;

static const uint8_t bounds[] = {WR_WINDOW_START, WR_WINDOW_END};

/* k S, v L, ts L; attached: k S, v L, start L, end L */
static void
prepare(rig *r, const windowed *w)
{
    wr_windowing *how = WR_NEW(r->arena, wr_windowing);
    wr_agg_bound *aggs = WR_NEW_N(r->arena, wr_agg_bound, 2);
    *how = (wr_windowing){.spec = w->spec,
                          .time_col = w->attached ? -1 : 2,
                          .start_col = w->attached ? 2 : -1,
                          .end_col = w->attached ? 3 : -1,
                          .window_time_col = -1};
    how->spec.time = wr_type_time(r->arena, WR_T_TIMESTAMP, 3, true);
    how->spec.keys = rig_cols(r, 1, 0, 0);
    how->spec.key_count = w->keyed;
    r->node.windows[0] = how;
    r->inputs[0].schema = rig_schema(r, w->attached ? "k S, v L, s L, e L" : "k S, v L, ts L");
    r->inputs[0].changelog = w->retract ? WR_CL_ALL : WR_CL_I;
    if (w->what == FUNCTION) {
        r->node.kind = WR_P_WINDOW_TVF;
        r->node.changelog = r->inputs[0].changelog;
        r->node.schema = rig_schema(r, "k S, v L, ts L, s L, e L, t L");
        return;
    }
    sum_merged = rig_sum_ops;
    count_merged = rig_count_ops;
    sum_merged.mergeable = count_merged.mergeable = true;
    sum_merged.merge = count_merged.merge = merge_acc;
    sum_merged.unmerge = w->what == AGG_SLIDING ? unmerge_acc
                         : w->what == AGG_ANEW  ? unmerge_never
                                                : NULL;
    count_merged.unmerge = w->what == AGG_SLICED ? NULL : unmerge_acc;
    aggs[0] = rig_agg(r, &rig_sum_ops, 1);
    aggs[1] = rig_agg(r, &rig_count_ops, -1);
    if (w->what != AGG) {
        aggs[0].ops = aggs[0].retract_ops = &sum_merged;
        aggs[1].ops = aggs[1].retract_ops = &count_merged;
    }
    r->node.kind = WR_P_WINDOW_AGG;
    r->node.changelog = WR_CL_I;
    r->node.schema = rig_schema(r, w->keyed ? "k S, sum L, n L, s L, e L" : "sum L, n L, s L, e L");
    r->node.u.agg.keys = rig_cols(r, 1, 0, 0);
    r->node.u.agg.key_count = w->keyed;
    r->node.u.agg.aggs = aggs;
    r->node.u.agg.agg_count = 2;
    r->node.u.agg.retract = w->retract;
    r->node.u.agg.props = bounds;
    r->node.u.agg.prop_count = 2;
}

static void
feed(rig *r, const char *in)
{
    while (*in && !r->failed) {
        const size_t len = strcspn(in, "|#");
        char rows[1024];
        memcpy(rows, in, len);
        rows[len] = 0;
        rig_rows(r, 0, rows);
        in += len;
        if (!*in) return;
        const int64_t time = strtoll(in + 1, NULL, 10);
        if (*in == '|') {
            rig_watermark(r, time);
        } else {
            r->now_ms = time;
            if (r->timer_ms && r->timer_ms <= time && !r->failed) {
                const int64_t due = r->timer_ms;
                r->timer_ms = 0;
                rig_settle(r, RIG_CALL(r, r->op->ops->on_timer(&r->ctx, r->op, WR_MAX(due, time),
                                                               &r->emit)));
            }
        }
        in += 1 + strspn(in + 1, "-0123456789");
        while (*in == ' ') in++;
    }
}

static void
run(rig *r, const void *arg)
{
    const windowed *w = arg;
    prepare(r, w);
    rig_start(r);
    feed(r, w->in);
    if (!r->failed) rig_finish(r);
}

/* The same output in batches of every size, with a full emitter, and restarted. */
static void
expect(const windowed *w, const char *want)
{
    for (uint32_t chunk = 0; chunk < 4; chunk++)
        for (uint32_t full = 0; full < 2; full++)
            for (uint32_t restart = 0; restart < 2; restart++) {
                rig r;
                rig_open(&r);
                r.chunk = chunk;
                r.full_every = full;
                r.after_batch = rig_restart_often;
                r.restart_every = restart;
                run(&r, w);
                CHECK_EQ_STR(rig_output(&r), want);
                rig_close(&r);
            }
}

static const wr_window_spec tumble = {
    .kind = WR_WINDOW_TUMBLE, .size_ms = 10, .slide_ms = 10, .rowtime = true};
static const wr_window_spec hop = {
    .kind = WR_WINDOW_HOP, .size_ms = 10, .slide_ms = 5, .rowtime = true};
static const wr_window_spec cumulate = {
    .kind = WR_WINDOW_CUMULATE, .size_ms = 15, .slide_ms = 5, .rowtime = true};
static const wr_window_spec session = {
    .kind = WR_WINDOW_SESSION, .size_ms = 10, .slide_ms = 10, .rowtime = true};

TEST(tumble_comes_out_once_when_the_watermark_reaches_the_last_millisecond)
{
    const windowed w = {AGG, tumble,
                        .in = "+I[a, 1, 1] +I[a, 2, 9] |8 +I[a, 4, 9] |9 +I[a, 8, 10] "
                              "+I[a, 16, 3] |18 +I[a, 32, -1] |30"};
    expect(&w, "+I[7, 3, 0, 10] +I[8, 1, 10, 20]");
}

TEST(tumble_with_keys_has_a_row_for_null)
{
    windowed w = {AGG, tumble, .keyed = true, .in = "+I[null, 1, 1] |9 +I[a, null, 12]"};
    expect(&w, "+I[null, 1, 1, 0, 10] +I[a, null, 1, 10, 20]");
}

TEST(hop_without_slices_and_with_them_is_the_same)
{
    for (what how = AGG; how <= AGG_ANEW; how++) {
        const windowed w = {how, hop,
                            .in = "+I[a, 1, 1] +I[a, 2, 6] |5 +I[a, 4, 2] |11 +I[a, 8, 4] "
                                  "+I[a, 16, 12] |40 +I[a, 32, 44]"};
        expect(&w, "+I[1, 1, -5, 5] +I[7, 3, 0, 10] +I[18, 2, 5, 15] +I[16, 1, 10, 20] "
                   "+I[32, 1, 35, 45] +I[32, 1, 40, 50]");
    }
}

TEST(a_late_row_counts_in_the_windows_that_are_still_open)
{
    const wr_window_spec three = {
        .kind = WR_WINDOW_HOP, .size_ms = 3000, .slide_ms = 1000, .rowtime = true};
    for (what how = AGG; how <= AGG_ANEW; how++) {
        const windowed w = {how, three,
                            .in = "+I[a, 1, 500] |500 +I[a, 1, 1200] |1200 "
                                  "+I[a, 1, 2000] |2000 +I[a, 1, 700]"};
        expect(&w, "+I[1, 1, -2000, 1000] +I[2, 2, -1000, 2000] +I[4, 4, 0, 3000] "
                   "+I[2, 2, 1000, 4000] +I[1, 1, 2000, 5000]");
    }
}

TEST(cumulate_repeats_what_it_has_until_the_longest_window_is_over)
{
    for (what how = AGG; how <= AGG_ANEW; how++) {
        const windowed w = {how, cumulate, .in = "+I[a, 1, 6] |11 +I[a, 2, 3] |40 +I[a, 4, 44]"};
        expect(&w, "+I[1, 1, 0, 10] +I[3, 2, 0, 15] +I[4, 1, 30, 45]");
    }
}

TEST(rows_that_are_taken_back_leave_no_window)
{
    for (what how = AGG; how <= AGG_ANEW; how++) {
        const windowed w = {how, hop, .keyed = true, .retract = true,
                            .in = "+I[a, 1, 1] +I[b, 2, 7] -D[a, 1, 1] |9 -U[b, 2, 7] +U[b, 3, 8]"};
        expect(&w, "+I[b, 2, 1, 0, 10] +I[b, 3, 1, 5, 15]");
    }
}

TEST(windows_in_columns_come_out_at_their_ends)
{
    const windowed w = {AGG, tumble, .attached = true,
                        .in = "+I[a, 1, 0, 10] +I[a, 2, 10, 20] |9 +I[a, 4, 0, 10] "
                              "+I[a, 8, 10, 20]"};
    expect(&w, "+I[1, 1, 0, 10] +I[10, 2, 10, 20]");
    const windowed s = {AGG, session, .attached = true,
                        .in = "+I[a, 1, 2, 10] +I[a, 2, 3, 10] |9 +I[a, 4, 4, 16]"};
    expect(&s, "+I[1, 1, 2, 10] +I[2, 1, 3, 10] +I[4, 1, 4, 16]");
}

TEST(functions_multiply_rows)
{
    const windowed w = {FUNCTION, hop, .in = "+I[a, 1, 6] |100 +I[b, 2, 0]"};
    expect(&w, "+I[a, 1, 6, 5, 15, 14] +I[a, 1, 6, 0, 10, 9] +I[b, 2, 0, 0, 10, 9] "
               "+I[b, 2, 0, -5, 5, 4]");
    const windowed c = {FUNCTION, cumulate, .retract = true, .in = "-D[a, 1, 7] +I[b, 2, null]"};
    expect(&c, "-D[a, 1, 7, 0, 10, 9] -D[a, 1, 7, 0, 15, 14]");
}

TEST(a_row_between_two_sessions_makes_them_one)
{
    const windowed w = {FUNCTION, session, .keyed = true,
                        .in = "+I[a, 1, 0] +I[a, 2, 21] +I[b, 3, 5] +I[a, 4, 10] +I[a, 5, 11] |20 "
                              "+I[a, 6, 40] |30 +I[b, 7, 9]"};
    expect(&w, "+I[b, 3, 5, 5, 15, 14] +I[a, 1, 0, 0, 31, 30] +I[a, 4, 10, 0, 31, 30] "
               "+I[a, 2, 21, 0, 31, 30] +I[a, 5, 11, 0, 31, 30] +I[a, 6, 40, 40, 50, 49]");
}

TEST(windows_of_processing_time_come_out_by_the_clock_alone)
{
    wr_window_spec now = tumble;
    now.rowtime = false;
    const windowed w = {AGG, now,
                        .in = "#1003 +I[a, 1, 0] #1008 +I[a, 2, 0] #1010 +I[a, 4, 0] "
                              "|5000 #1025 +I[a, 8, 0]"};
    expect(&w, "+I[3, 2, 1000, 1010] +I[4, 1, 1010, 1020]");
}

TEST(slices_of_processing_time_are_shared)
{
    wr_window_spec now = hop;
    now.rowtime = false;
    for (what how = AGG; how <= AGG_ANEW; how++) {
        const windowed w = {how, now,
                            .in = "#1003 +I[a, 1, 0] +I[a, 2, 0] #1005 +I[a, 4, 0] #1010 "
                                  "+I[a, 8, 0] #1015 +I[a, 16, 0] #1020 #1025 #1030"};
        expect(&w, "+I[3, 2, 995, 1005] +I[7, 3, 1000, 1010] +I[12, 2, 1005, 1015] "
                   "+I[24, 2, 1010, 1020] +I[16, 1, 1015, 1025]");
    }
}

TEST(groups_leave_sliding_windows_and_come_back)
{
    const wr_window_spec three = {
        .kind = WR_WINDOW_HOP, .size_ms = 15, .slide_ms = 5, .rowtime = true};
    for (what how = AGG; how <= AGG_ANEW; how++) {
        const windowed w = {how, three, .keyed = true,
                            .in = "+I[a, 1, 1] |4 +I[a, 2, 6] |9 +I[a, 4, 16] |24 +I[a, 8, 31] |34 "
                                  "+I[a, 16, 36] +I[a, 32, 33]"};
        expect(&w, "+I[a, 1, 1, -10, 5] +I[a, 3, 2, -5, 10] +I[a, 3, 2, 0, 15] +I[a, 6, 2, 5, 20] "
                   "+I[a, 4, 1, 10, 25] +I[a, 4, 1, 15, 30] +I[a, 8, 1, 20, 35] "
                   "+I[a, 56, 3, 25, 40] +I[a, 56, 3, 30, 45] +I[a, 16, 1, 35, 50]");
    }
}

/* Five keys a slice, new ones all the time: groups that are over make room for them. `long_key`
 * goes before every key. */
static void
forget_keys(what how, const char *long_key)
{
    const windowed w = {how, hop, .keyed = true};
    rig r;
    rig_open(&r);
    prepare(&r, &w);
    rig_start(&r);
    for (int64_t at = 0; at < 3000 && !r.failed; at++) {
        char row[600];
        const long long t = (long long)at * 5;
        snprintf(row, sizeof row,
                 "+I[%sa%lld, 1, %lld] +I[b%lld, 1, %lld] +I[%sc%lld, 1, %lld] +I[d%lld, 1, %lld] "
                 "+I[same, 1, %lld]",
                 long_key, (long long)at, t, (long long)at, t, long_key, (long long)at, t,
                 (long long)at, t, t);
        rig_rows(&r, 0, row);
        rig_watermark(&r, t);
    }
    rig_finish(&r);
    uint64_t rows = 0, pair = 0;
    for (const char *p = rig_output(&r); (p = strstr(p, "+I[")) != NULL; p++) rows++;
    for (const char *p = rig_output(&r); (p = strstr(p, "+I[same, 2, 2")) != NULL; p++) pair++;
    CHECK_EQ_INT(rows, 3000 * 8 + 3001);
    CHECK_EQ_INT(pair, 2999);
    rig_close(&r);
}

TEST(sliding_windows_forget_keys_that_are_over)
{
    forget_keys(AGG_SLIDING, "");
    forget_keys(AGG_ANEW, "");
    forget_keys(AGG_SLIDING, "a_key_that_does_not_lie_in_a_record_");
}

TEST(a_failed_allocation_leaves_nothing_behind)
{
    const windowed slide = {AGG_ANEW, hop, .keyed = true,
                            .in = "+I[a, 1, 1] +I[b, 2, 6] |5 +I[a, 4, 2] |11 +I[a, 4, 12] |30"};
    rig_check_faults(run, &slide);
    const windowed w = {AGG_SLICED, hop, .keyed = true,
                        .in = "+I[a, 1, 1] +I[b, 2, 6] |5 +I[a, 4, 2] |11"};
    rig_check_faults(run, &w);
    const windowed s = {FUNCTION, session, .keyed = true,
                        .in = "+I[a, 1, 0] +I[a, 2, 21] +I[a, 4, 10] |20 +I[b, 7, 9]"};
    rig_check_faults(run, &s);
}

TEST(two_subtasks_go_on_from_one)
{
    const windowed w = {AGG_SLICED, hop, .keyed = true};
    const uint32_t key[] = {0};
    rig r;
    rig_pair pair;
    rig_open(&r);
    r.checked = false;
    prepare(&r, &w);
    rig_start(&r);
    feed(&r, "+I[a, 1, 1] +I[b, 2, 6] +I[c, 3, 7] |5");
    rig_split(&r, &pair);
    rig_route(&r, &pair, 0, key, 1, "+I[a, 4, 6]");
    rig_route(&r, &pair, 0, key, 1, "+I[c, 5, 8]");
    int64_t rows = 0;
    for (uint32_t i = 0; i < 2; i++) {
        rig_select(&r, &pair, i);
        rig_watermark(&r, 9);
    }
    for (const char *p = rig_output(&r); p && (p = strstr(p, ", 0, 10]")); p++) rows++;
    CHECK_EQ_INT(rows, 3);
    CHECK(strstr(rig_output(&r), "+I[a, 5, 2, 0, 10]") != NULL);
    CHECK(strstr(rig_output(&r), "+I[c, 8, 2, 0, 10]") != NULL);
    rig_unsplit(&r, &pair);
    rig_finish(&r);
    rig_close(&r);
}

CHECK_MAIN()
