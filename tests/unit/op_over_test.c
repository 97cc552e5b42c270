/* SPDX-License-Identifier: Apache-2.0 */
/* OVER windows: by event time, processing time, and by a column that is no time (changelogs as runs
 * of Flink 2.3 give them, and A18, A19 of flink-sql.md Appendix A); batch frames. In batches of
 * every size, restarted behind every batch, with a full emitter, and with every allocation failing
 * once. links: op state */
#include "plan/over.h"
#include "unit/op_rig_restart.h"

typedef struct spec {
    const char *fn; /* of column 0 ("id") */
    wr_timeattr time;
    bool rows, sorted, no_args;
    bool by_column; /* a second argument: column 2 */
    uint8_t lower, upper;
    int64_t offset, following;
} spec;

/* Columns: id, key, value or time; the call's result. */
static void
prepare(rig *r, const spec *s)
{
    wr_over_spec *o = WR_NEW(r->arena, wr_over_spec);
    wr_over_window *w = WR_NEW(r->arena, wr_over_window);
    wr_over_call *c = WR_NEW(r->arena, wr_over_call);
    wr_order_key *k = WR_NEW(r->arena, wr_order_key);
    r->inputs[0].schema = rig_schema(r, "id L, k S, v L");
    r->node.schema = rig_schema(r, "id L, k S, v L, r L");
    r->inputs[0].changelog = s->time || s->sorted ? WR_CL_I : WR_CL_ALL;
    r->node.changelog = s->time || s->sorted ? WR_CL_I : WR_CL_ALL;
    r->node.kind = WR_P_OVER_AGG;
    r->eval.batch = s->sorted;
    *k = (wr_order_key){.col = 2};
    *w = (wr_over_window){.partition = rig_cols(r, 1, 1, 0),
                          .partition_count = 1,
                          .order = k,
                          .order_count = 1,
                          .rows = s->rows,
                          .time = s->time,
                          .calls = c,
                          .call_count = 1};
    w->lower = (wr_over_bound){.kind = s->lower, .offset = s->offset};
    w->upper = (wr_over_bound){.kind = s->upper, .offset = s->following};
    *o = (wr_over_spec){
        .windows = w, .window_count = 1, .generate_update_before = true, .sorted = s->sorted};
    c->fn = wr_fn_find(wr_str_c(s->fn));
    c->type = wr_type_of(WR_T_BIGINT, true);
    c->args = rig_cols(r, 1, 0, 0);
    c->arg_count = s->no_args ? 0 : 1;
    if (s->by_column) c->args = rig_cols(r, c->arg_count = 2, 0, 2);
    if (c->fn->kind == WR_FN_AGGREGATE) {
        wr_expr *arg = wr_expr_column(r->arena, 0, c->type, WR_NO_SPAN);
        CHECK_OK(&r->ctx,
                 wr_agg_resolve(&r->ctx, r->arena, &r->eval, c->fn, wr_str_c(s->fn), &arg,
                                c->arg_count, false, false, false, NULL, WR_NO_SPAN, &c->agg));
        c->agg.args = c->args;
        c->type = c->agg.type;
    }
    r->node.u.over = o;
}

typedef struct step {
    const char *rows; /* then the watermark */
    int64_t watermark;
} step;

typedef struct run_case {
    spec s;
    const step *steps;
    uint32_t count;
} run_case;

static void
run(rig *r, const void *arg)
{
    const run_case *c = arg;
    prepare(r, &c->s);
    rig_start(r);
    for (uint32_t i = 0; i < c->count; i++) {
        rig_rows(r, 0, c->steps[i].rows);
        if (c->steps[i].watermark) rig_watermark(r, c->steps[i].watermark);
    }
    if (!r->failed) rig_finish(r);
}

static void
check(spec s, const step *steps, uint32_t count, const char *want)
{
    static const uint32_t chunks[] = {0, 1, 2, 3};
    const run_case c = {s, steps, count};
    for (uint32_t i = 0; i < WR_COUNT(chunks); i++) {
        for (int full = 0; full < 4; full++) {
            rig r;
            rig_open(&r);
            r.chunk = chunks[i];
            r.full_every = (uint32_t)full % 2;
            r.after_batch = rig_restart_often;
            r.restart_every = s.sorted ? 0 : (uint32_t)full / 2;
            run(&r, &c);
            CHECK_EQ_STR(rig_output(&r), want);
            rig_close(&r);
        }
    }
    rig_check_faults(run, &c);
}

static const step times[] = {{"+I[1, a, 5] +I[2, a, 3] +I[3, a, 5] +I[4, a, 9]", 6},
                             {"+I[5, a, 9] +I[6, a, 12]", 10}};

TEST(rowtime_range_shares_the_result_of_ties)
{
    spec s = {.fn = "SUM", .time = WR_ATTR_ROWTIME, .upper = WR_OVER_CURRENT_ROW};
    check(s, times, 2,
          "+I[2, a, 3, 2] +I[1, a, 5, 6] +I[3, a, 5, 6] +I[4, a, 9, 15] +I[5, a, 9, 15] "
          "+I[6, a, 12, 21]");
}

TEST(rowtime_rows_go_by_arrival)
{
    spec s = {.fn = "SUM", .time = WR_ATTR_ROWTIME, .rows = true, .upper = WR_OVER_CURRENT_ROW};
    check(s, times, 2,
          "+I[2, a, 3, 2] +I[1, a, 5, 3] +I[3, a, 5, 6] +I[4, a, 9, 10] +I[5, a, 9, 15] "
          "+I[6, a, 12, 21]");
}

TEST(rowtime_bounded_rows_leave)
{
    spec s = {.fn = "SUM",
              .time = WR_ATTR_ROWTIME,
              .rows = true,
              .lower = WR_OVER_PRECEDING,
              .upper = WR_OVER_CURRENT_ROW,
              .offset = 1};
    check(s, times, 2,
          "+I[2, a, 3, 2] +I[1, a, 5, 3] +I[3, a, 5, 4] +I[4, a, 9, 7] +I[5, a, 9, 9] "
          "+I[6, a, 12, 11]");
    s.fn = "MIN";
    check(s, times, 2,
          "+I[2, a, 3, 2] +I[1, a, 5, 1] +I[3, a, 5, 1] +I[4, a, 9, 3] +I[5, a, 9, 4] "
          "+I[6, a, 12, 5]");
}

TEST(rowtime_bounded_range_leaves_and_is_cleared)
{
    spec s = {.fn = "SUM",
              .time = WR_ATTR_ROWTIME,
              .lower = WR_OVER_PRECEDING,
              .upper = WR_OVER_CURRENT_ROW,
              .offset = 4};
    check(s, times, 2,
          "+I[2, a, 3, 2] +I[1, a, 5, 6] +I[3, a, 5, 6] +I[4, a, 9, 13] +I[5, a, 9, 13] "
          "+I[6, a, 12, 15]");
    static const step idle[] = {{"+I[1, a, 5]", 6}, {"+I[2, b, 20]", 30}, {"+I[3, a, 31]", 40}};
    check(s, idle, 3, "+I[1, a, 5, 1] +I[2, b, 20, 2] +I[3, a, 31, 3]");
}

TEST(rowtime_late_rows_are_dropped)
{
    static const step late[] = {{"+I[1, a, 5]", 6}, {"+I[2, a, 4] +I[3, a, 7]", 10}};
    spec s = {.fn = "COUNT",
              .time = WR_ATTR_ROWTIME,
              .lower = WR_OVER_PRECEDING,
              .upper = WR_OVER_CURRENT_ROW,
              .offset = 100};
    check(s, late, 2, "+I[1, a, 5, 1] +I[3, a, 7, 2]");
    s.rows = true;
    check(s, late, 2, "+I[1, a, 5, 1] +I[3, a, 7, 2]");
}

TEST(row_number_and_lag_by_processing_time)
{
    spec s = {.fn = "ROW_NUMBER",
              .time = WR_ATTR_PROCTIME,
              .rows = true,
              .no_args = true,
              .upper = WR_OVER_CURRENT_ROW};
    static const step in[] = {{"+I[1, a, 5] +I[2, b, 4] +I[3, a, 7] +I[4, null, 1]", 0}};
    check(s, in, 1, "+I[1, a, 5, 1] +I[2, b, 4, 1] +I[3, a, 7, 2] +I[4, null, 1, 1]");
    s = (spec){.fn = "LAG", .time = WR_ATTR_PROCTIME, .upper = WR_OVER_CURRENT_ROW};
    check(s, in, 1, "+I[1, a, 5, null] +I[2, b, 4, null] +I[3, a, 7, 1] +I[4, null, 1, null]");
}

TEST(lag_by_a_column)
{
    spec s = {.fn = "LAG",
              .time = WR_ATTR_PROCTIME,
              .rows = true,
              .by_column = true,
              .upper = WR_OVER_CURRENT_ROW};
    static const step in[] = {
        {"+I[1, a, 0] +I[2, a, 1] +I[3, a, 2] +I[4, a, 5] +I[5, b, 0] +I[6, a, 1] +I[7, a, 5]", 0}};
    check(s, in, 1,
          "+I[1, a, 0, 1] +I[2, a, 1, 1] +I[3, a, 2, 1] +I[4, a, 5, null] +I[5, b, 0, 5] "
          "+I[6, a, 1, 4] +I[7, a, 5, 1]");
}

TEST(value_order_corrects_the_rows_behind)
{
    spec s = {.fn = "SUM", .upper = WR_OVER_CURRENT_ROW};
    static const step in[] = {{"+I[1, a, 10] +I[2, a, 20] +I[3, a, 10] +I[4, a, null]", 0}};
    check(s, in, 1,
          "+I[1, a, 10, 1] +I[2, a, 20, 3] -U[1, a, 10, 1] +U[1, a, 10, 4] +I[3, a, 10, 4] "
          "-U[2, a, 20, 3] +U[2, a, 20, 6] +I[4, a, null, 4] -U[1, a, 10, 4] +U[1, a, 10, 8] "
          "-U[3, a, 10, 4] +U[3, a, 10, 8] -U[2, a, 20, 6] +U[2, a, 20, 10]");
    s.rows = true;
    check(s, in, 1,
          "+I[1, a, 10, 1] +I[2, a, 20, 3] +I[3, a, 10, 4] -U[2, a, 20, 3] +U[2, a, 20, 6] "
          "+I[4, a, null, 4] -U[1, a, 10, 1] +U[1, a, 10, 5] -U[3, a, 10, 4] +U[3, a, 10, 8] "
          "-U[2, a, 20, 6] +U[2, a, 20, 10]");
}

TEST(value_order_takes_rows_back)
{
    spec s = {.fn = "SUM", .upper = WR_OVER_CURRENT_ROW};
    static const step in[] = {{"+I[1, a, 10] +I[2, a, 20] +I[4, a, 10] -U[1, a, 10] +U[1, a, 15] "
                               "-D[4, a, 10] -D[2, a, 20] -D[1, a, 15] -D[7, a, 1] +I[1, a, 1]",
                               0}};
    check(s, in, 1,
          "+I[1, a, 10, 1] +I[2, a, 20, 3] -U[1, a, 10, 1] +U[1, a, 10, 5] +I[4, a, 10, 5] "
          "-U[2, a, 20, 3] +U[2, a, 20, 7] -D[1, a, 10, 5] -U[4, a, 10, 5] +U[4, a, 10, 4] "
          "-U[2, a, 20, 7] +U[2, a, 20, 6] +U[1, a, 15, 5] -U[2, a, 20, 6] +U[2, a, 20, 7] "
          "-D[4, a, 10, 4] -U[1, a, 15, 5] +U[1, a, 15, 1] -U[2, a, 20, 7] +U[2, a, 20, 3] "
          "-D[2, a, 20, 3] -D[1, a, 15, 1] +I[1, a, 1, 1]");
}

TEST(batch_frames)
{
    static const step in[] = {
        {"+I[1, a, 1] +I[2, a, 2] +I[3, a, 2] +I[4, a, 5] +I[5, b, 1] +I[6, b, 9]", 0}};
    spec s = {.fn = "SUM",
              .sorted = true,
              .rows = true,
              .lower = WR_OVER_PRECEDING,
              .upper = WR_OVER_FOLLOWING,
              .offset = 1,
              .following = 1};
    check(s, in, 1,
          "+I[1, a, 1, 3] +I[2, a, 2, 6] +I[3, a, 2, 9] +I[4, a, 5, 7] +I[5, b, 1, 11] "
          "+I[6, b, 9, 11]");
    s.fn = "MAX";
    check(s, in, 1,
          "+I[1, a, 1, 2] +I[2, a, 2, 3] +I[3, a, 2, 4] +I[4, a, 5, 4] +I[5, b, 1, 6] "
          "+I[6, b, 9, 6]");
    s = (spec){.fn = "RANK", .sorted = true, .no_args = true, .upper = WR_OVER_CURRENT_ROW};
    check(s, in, 1,
          "+I[1, a, 1, 1] +I[2, a, 2, 2] +I[3, a, 2, 2] +I[4, a, 5, 4] +I[5, b, 1, 1] "
          "+I[6, b, 9, 2]");
    s.fn = "LEAD";
    s.no_args = false;
    check(s, in, 1,
          "+I[1, a, 1, 2] +I[2, a, 2, 3] +I[3, a, 2, 4] +I[4, a, 5, null] +I[5, b, 1, 6] "
          "+I[6, b, 9, null]");
}

CHECK_MAIN()
