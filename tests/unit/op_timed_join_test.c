/* SPDX-License-Identifier: Apache-2.0 */
/* Joins by time: changelogs that follow from Flink's rules (and are the same in runs of Flink 2.3,
 * tests/corpus/timed_join), in batches of every size, with restarts and failing allocations.
 * links: op state expr */
#include "plan/timed_join.h"
#include "unit/op_rig_restart.h"

typedef struct spec {
    uint8_t type;
    bool processing;
    uint32_t chunk, restart_every, full_every;
} spec;

/* left.t in [right.t - 5, right.t], equal k */
static void
prepare_interval(rig *r, const spec *s)
{
    wr_interval_spec *i = WR_NEW(r->arena, wr_interval_spec);
    *i = (wr_interval_spec){!s->processing, -5, 0, 1, 1};
    r->inputs[0].schema = rig_schema(r, "k I, t L, v S");
    r->inputs[1].schema = rig_schema(r, "l I, u L, w S");
    r->inputs[0].changelog = r->inputs[1].changelog = r->node.changelog = WR_CL_I;
    r->node.input_count = 2;
    r->node.schema = rig_schema(r, "k I, t L, v S, l I, u L, w S");
    r->node.kind = WR_P_INTERVAL_JOIN;
    r->node.u.join.type = s->type;
    r->node.u.join.left_keys = r->node.u.join.right_keys = rig_cols(r, 1, 0, 0);
    r->node.u.join.key_count = 1;
    r->node.u.join.interval = i;
    r->chunk = s->chunk;
    r->full_every = s->full_every;
    if (s->restart_every) {
        r->after_batch = rig_restart_often;
        r->restart_every = s->restart_every;
    }
    rig_start(r);
}

static void
run_interval(rig *r, const void *arg)
{
    prepare_interval(r, arg);
    rig_rows(r, 0, "+I[1, 10, a] +I[2, 12, b]");
    rig_rows(r, 1, "+I[1, 13, x]");
    rig_watermark(r, 10);
    rig_rows(r, 1, "+I[1, 15, y]");
    rig_rows(r, 0, "+I[null, 16, n]");
    rig_watermark(r, 17);           /* a, x and y go, matched; b may meet 17 */
    rig_watermark(r, 18);           /* b goes */
    rig_rows(r, 0, "+I[1, 11, c]"); /* late */
    rig_rows(r, 1, "+I[3, 18, z] +I[3, 19, w]");
    rig_rows(r, 0, "+I[3, 14, d]");
    rig_finish(r);
}

static void
interval_case(uint8_t type, const char *want)
{
    for (uint32_t k = 0; k < 16; k++) {
        const spec s = {
            .type = type, .chunk = k % 4, .restart_every = k / 4 % 2, .full_every = k / 8};
        rig r;
        rig_open(&r);
        run_interval(&r, &s);
        CHECK_EQ_STR(rig_output(&r), want);
        rig_close(&r);
    }
}

TEST(interval_join_pads_what_expires)
{
    interval_case(WR_JOIN_INNER,
                  "+I[1, 10, a, 1, 13, x] +I[1, 10, a, 1, 15, y] +I[3, 14, d, 3, 19, w]");
    interval_case(WR_JOIN_LEFT,
                  "+I[1, 10, a, 1, 13, x] +I[1, 10, a, 1, 15, y] +I[2, 12, b, null, null, null] "
                  "+I[1, 11, c, null, null, null] +I[3, 14, d, 3, 19, w] "
                  "+I[null, 16, n, null, null, null]");
    interval_case(WR_JOIN_RIGHT,
                  "+I[1, 10, a, 1, 13, x] +I[1, 10, a, 1, 15, y] +I[null, null, null, 3, 18, z] "
                  "+I[3, 14, d, 3, 19, w]");
    interval_case(WR_JOIN_FULL,
                  "+I[1, 10, a, 1, 13, x] +I[1, 10, a, 1, 15, y] +I[2, 12, b, null, null, null] "
                  "+I[1, 11, c, null, null, null] +I[null, null, null, 3, 18, z] "
                  "+I[3, 14, d, 3, 19, w] +I[null, 16, n, null, null, null]");
}

TEST(interval_join_tells_every_failed_allocation)
{
    const spec s = {.type = WR_JOIN_FULL};
    rig_check_faults(run_interval, &s);
}

TEST(interval_join_of_processing_time_takes_the_clock)
{
    const spec s = {.type = WR_JOIN_LEFT, .processing = true};
    rig r;
    rig_open(&r);
    prepare_interval(&r, &s);
    rig_rows(&r, 0, "+I[1, 0, a]");
    r.now_ms = 1003;
    rig_rows(&r, 1, "+I[1, 0, x]");
    rig_rows(&r, 0, "+I[2, 0, b]");
    r.now_ms = 1006; /* a has gone */
    rig_settle(&r, r.op->ops->on_timer(&r.ctx, r.op, 1006, &r.emit));
    rig_rows(&r, 1, "+I[1, 0, y]");
    r.now_ms = 1009;
    rig_settle(&r, r.op->ops->on_timer(&r.ctx, r.op, 1009, &r.emit));
    CHECK_EQ_STR(rig_output(&r), "+I[1, 0, a, 1, 0, x] +I[2, 0, b, null, null, null]");
    rig_close(&r);
}

/* ---- temporal join --------------------------------------------------------------------------- */
static void
run_temporal(rig *r, const void *arg)
{
    const spec *s = arg;
    wr_temporal_spec *t = WR_NEW(r->arena, wr_temporal_spec);
    *t = (wr_temporal_spec){.rowtime = true, .left_time = 1, .right_time = 1};
    r->inputs[0].schema = rig_schema(r, "k I, t L, v S");
    r->inputs[1].schema = rig_schema(r, "l I, u L, w S");
    r->inputs[0].changelog = r->node.changelog = WR_CL_ALL;
    r->inputs[1].changelog = WR_CL_UPSERT;
    r->node.input_count = 2;
    r->node.schema = rig_schema(r, "k I, t L, v S, l I, u L, w S");
    r->node.kind = WR_P_TEMPORAL_JOIN;
    r->node.u.join.type = s->type;
    r->node.u.join.left_keys = r->node.u.join.right_keys = rig_cols(r, 1, 0, 0);
    r->node.u.join.key_count = 1;
    r->node.u.join.temporal = t;
    r->chunk = s->chunk;
    r->full_every = s->full_every;
    if (s->restart_every) {
        r->after_batch = rig_restart_often;
        r->restart_every = s->restart_every;
    }
    rig_start(r);
    rig_rows(r, 0, "+I[1, 10, a] +I[1, 5, b] +I[null, 6, n]");
    rig_rows(r, 1, "+I[1, 4, x] +U[1, 8, y] +I[null, 1, m]");
    rig_watermark(r, 7);
    rig_rows(r, 0, "-U[1, 10, a] +U[1, 12, a]");
    rig_rows(r, 1, "-D[1, 11, y]");
    rig_watermark(r, 11);
    rig_rows(r, 0, "+I[1, 5, late]"); /* x went when y began */
    rig_rows(r, 1, "+I[1, 30, z]");
    rig_watermark(r, 12);
    rig_rows(r, 0, "+I[1, 29, c] +I[1, 30, d]");
    rig_finish(r);
}

static void
temporal_case(uint8_t type, const char *want)
{
    for (uint32_t k = 0; k < 16; k++) {
        const spec s = {
            .type = type, .chunk = k % 4, .restart_every = k / 4 % 2, .full_every = k / 8};
        rig r;
        rig_open(&r);
        run_temporal(&r, &s);
        CHECK_EQ_STR(rig_output(&r), want);
        rig_close(&r);
    }
}

TEST(temporal_join_takes_the_version_of_the_time)
{
    temporal_case(WR_JOIN_INNER, "+I[1, 5, b, 1, 4, x] +I[1, 10, a, 1, 8, y] -U[1, 10, a, 1, 8, y] "
                                 "+I[1, 30, d, 1, 30, z]");
    /* of NULL, the first row is at 1 */
    temporal_case(WR_JOIN_LEFT,
                  "+I[null, 6, n, null, null, null] +I[1, 5, b, 1, 4, x] "
                  "+I[1, 10, a, 1, 8, y] -U[1, 10, a, 1, 8, y] +U[1, 12, a, null, null, null] "
                  "+I[1, 5, late, null, null, null] +I[1, 29, c, null, null, null] "
                  "+I[1, 30, d, 1, 30, z]");
}

TEST(temporal_join_tells_every_failed_allocation)
{
    const spec s = {.type = WR_JOIN_LEFT};
    rig_check_faults(run_temporal, &s);
}

CHECK_MAIN()
