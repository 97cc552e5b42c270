/* SPDX-License-Identifier: Apache-2.0 */
/* MATCH: batches of any size, restarts behind every batch, two subtasks, processing time, a failing
 * allocation. The answers follow from the pattern; those of a real Flink are in the corpus.
 * links: op state expr */
#include "unit/op_rig_restart.h"

#include "plan/match.h"

static wr_expr *
column(rig *r, uint32_t i, const char *type)
{
    return wr_expr_column(r->arena, i, rig_type(type), WR_NO_SPAN);
}

static wr_expr *
call(rig *r, const char *name, wr_expr *a, wr_expr *b)
{
    wr_expr *args[2] = {a, b}, *out = NULL;
    CHECK_OK(&r->ctx, wr_expr_call(&r->ctx, r->arena, &r->eval, wr_fn_find(wr_str_c(name)),
                                   wr_str_c(name), args, 2, NULL, WR_NO_SPAN, &out));
    return out;
}

static void
sum_of(rig *r, wr_match_ref *ref, uint32_t kept)
{
    wr_expr *arg = column(r, kept, "I");
    uint32_t *cols = rig_cols(r, 1, kept, 0);
    const wr_fn *fn = wr_fn_find(WR_STR("SUM"));
    CHECK_OK(&r->ctx, wr_agg_resolve(&r->ctx, r->arena, &r->eval, fn, WR_STR("SUM"), &arg, 1, false,
                                     false, false, NULL, WR_NO_SPAN, &ref->agg));
    ref->agg.fn = fn;
    ref->agg.args = cols;
    ref->agg.arg_count = 1;
    ref->agg.filter = -1;
    ref->type = ref->agg.type;
}

/* PARTITION BY k ORDER BY t MEASURES A.v, SUM(B.v), C.v PATTERN (A B+ C)
 * DEFINE B AS B.v < A.v, C AS C.v > A.v; input k, v, t */
static wr_match_spec *
falls_and_rises(rig *r)
{
    wr_match_spec *m = WR_NEW(r->arena, wr_match_spec);
    wr_match_elem *e = WR_NEW_N(r->arena, wr_match_elem, 3);
    wr_match_ref *d = WR_NEW_N(r->arena, wr_match_ref, 2), *o = WR_NEW_N(r->arena, wr_match_ref, 4);
    wr_order_key *order = WR_NEW(r->arena, wr_order_key);
    r->inputs[0].schema = rig_schema(r, "k S, v I, t L");
    r->node.schema = rig_schema(r, "k S, a I, b I, c I");
    d[0] = (wr_match_ref){.kind = WR_MATCH_CURRENT, .vars = WR_MATCH_ALL, .col = 1};
    d[1] = (wr_match_ref){.kind = WR_MATCH_LAST, .vars = 1};
    o[0] = (wr_match_ref){.kind = WR_MATCH_LAST, .vars = 1};
    o[1] = (wr_match_ref){.kind = WR_MATCH_AGG, .vars = 2};
    o[2] = (wr_match_ref){.kind = WR_MATCH_LAST, .vars = 4};
    o[3] = (wr_match_ref){.kind = WR_MATCH_LAST, .vars = WR_MATCH_ALL, .col = 1};
    d[0].type = d[1].type = o[0].type = o[2].type = rig_type("I");
    o[3].type = rig_type("S");
    sum_of(r, &o[1], 0);
    e[0] = (wr_match_elem){.name = WR_STR("A"), .min = 1, .max = 1};
    e[1] = (wr_match_elem){.name = WR_STR("B"), .min = 1, .max = -1, .quantified = true};
    e[2] = (wr_match_elem){.name = WR_STR("C"), .min = 1, .max = 1};
    e[1].cond = call(r, "<", column(r, 0, "I"), column(r, 1, "I"));
    e[2].cond = call(r, ">", column(r, 0, "I"), column(r, 1, "I"));
    e[1].needs_path = e[2].needs_path = true;
    order->col = 2;
    *m = (wr_match_spec){.partition = rig_cols(r, 1, 0, 0),
                         .partition_count = 1,
                         .order = order,
                         .order_count = 1,
                         .time = WR_ATTR_ROWTIME,
                         .elems = e,
                         .elem_count = 3,
                         .define_refs = d,
                         .define_ref_count = 2,
                         .measure_refs = o,
                         .measure_ref_count = 4,
                         .measure_count = 3,
                         .kept_count = 2,
                         .skip = WR_MATCH_SKIP_PAST_LAST,
                         .skip_elem = -1};
    m->kept = WR_NEW_N(r->arena, wr_expr *, 2);
    m->kept[0] = column(r, 1, "I");
    m->kept[1] = column(r, 0, "S");
    m->measures = WR_NEW_N(r->arena, wr_expr *, 3);
    for (uint32_t i = 0; i < 3; i++) m->measures[i] = column(r, i, "I");
    r->node.kind = WR_P_MATCH;
    r->node.changelog = WR_CL_I;
    r->node.u.match = m;
    return m;
}

typedef struct match_case {
    int64_t within;
    bool processing;
    const char *rows[3]; /* a watermark of 10, 20, 30 behind each */
} match_case;

static void
run(rig *r, const void *arg)
{
    const match_case *c = arg;
    wr_match_spec *m = falls_and_rises(r);
    m->within_ms = c->within;
    if (c->processing) m->time = WR_ATTR_PROCTIME;
    rig_start(r);
    for (uint32_t i = 0; i < 3 && !r->failed; i++) {
        rig_rows(r, 0, c->rows[i]);
        rig_watermark(r, 10 * (i + 1));
    }
    if (!r->failed) rig_finish(r);
}

static void
check_case(const match_case *c, const char *want, bool faults)
{
    static const uint32_t chunks[] = {0, 1, 2};
    for (uint32_t i = 0; i < WR_COUNT(chunks); i++)
        for (int way = 0; way < 3; way++) {
            rig r;
            rig_open(&r);
            r.chunk = chunks[i];
            r.full_every = way == 1;
            if (way == 2) {
                r.after_batch = rig_restart_often;
                r.restart_every = 1;
            }
            run(&r, c);
            CHECK_EQ_STR(rig_output(&r), want);
            rig_close(&r);
        }
    if (faults) rig_check_faults(run, c);
}

TEST(rows_wait_for_the_watermark_and_are_sorted)
{
    static const match_case c = {.rows = {"+I[a, 4, 3] +I[a, 9, 1] +I[b, 1, 2] +I[a, 7, 2]",
                                          "+I[a, 12, 15] +I[b, 0, 12] +I[a, 5, 10] +I[a, 3, 9]",
                                          "+I[b, 2, 22] +I[a, 1, 21] +I[a, 20, 23]"}};
    /* a: 9 7 4 then 12 (what is not behind 10 is late); 1 20 has no row between. b: 1 0 2 */
    check_case(&c, "+I[a, 9, 11, 12] +I[b, 1, 0, 2]", true);
}

TEST(long_and_missing_keys)
{
    static const match_case c = {
        .rows = {"+I[null, 5, 1] +I[a key longer than twelve, 5, 1] +I[null, null, 2]",
                 "+I[null, 5, 11] +I[null, 4, 12] +I[a key longer than twelve, 1, 12]",
                 "+I[a key longer than twelve, 6, 21] +I[null, 6, 22]"}};
    check_case(&c, "+I[a key longer than twelve, 5, 1, 6] +I[null, 5, 4, 6]", false);
}

TEST(within_drops_what_lasts_too_long)
{
    static const match_case c = {
        .within = 12, .rows = {"+I[a, 9, 1] +I[a, 8, 5]", "+I[a, 7, 13]", "+I[a, 10, 25]"}};
    /* 9 8 7: over at 13. 8 7: over at 17, 7 has no row below */
    check_case(&c, "", false);
    static const match_case d = {
        .within = 25, .rows = {"+I[a, 9, 1] +I[a, 8, 5]", "+I[a, 7, 13]", "+I[a, 10, 25]"}};
    check_case(&d, "+I[a, 9, 15, 10]", false);
}

TEST(processing_time_takes_rows_as_they_come)
{
    static const match_case c = {.processing = true,
                                 .within = 100,
                                 .rows = {"+I[a, 9, 3] +I[b, 5, 2] +I[a, 8, 1]",
                                          "+I[b, 4, 0] +I[a, 7, 0] +I[b, 6, 0]", "+I[a, 10, 0]"}};
    check_case(&c, "+I[b, 5, 4, 6] +I[a, 9, 15, 10]", true);
}

TEST(processing_time_timer_forgets_a_partition)
{
    rig r;
    rig_open(&r);
    wr_match_spec *m = falls_and_rises(&r);
    m->time = WR_ATTR_PROCTIME;
    m->within_ms = 50;
    rig_start(&r);
    rig_rows(&r, 0, "+I[a, 9, 0] +I[a, 8, 0]");
    CHECK_EQ_INT(r.timer_ms, 1051);
    r.now_ms = 1051;
    rig_settle(&r, r.op->ops->on_timer(&r.ctx, r.op, 1051, &r.emit));
    rig_rows(&r, 0, "+I[a, 10, 0]");
    r.now_ms = 2000;
    rig_settle(&r, r.op->ops->on_timer(&r.ctx, r.op, 2000, &r.emit));
    CHECK_EQ_STR(rig_output(&r), "");
    CHECK(r.state->ops->bytes(r.state) < 1 << 20);
    rig_finish(&r);
    rig_close(&r);
}

CHECK_MAIN()
