/* SPDX-License-Identifier: Apache-2.0 */
/* Joins, Top-N and deduplication within windows: answers that follow from their definitions (and
 * are the same in runs of Flink 2.3, tests/corpus/window_rows), in batches of every size, with
 * restarts behind batches, a full emitter, failing allocations, and at two subtasks.
 * links: op state expr */
#include "plan/window.h"
#include "unit/op_rig_restart.h"

typedef struct spec {
    uint8_t type;         /* of joins */
    uint8_t kind;         /* of rankings: WR_P_WINDOW_RANK, WR_P_WINDOW_DEDUPLICATE */
    int64_t first, last;  /* Top-N */
    bool number, keyless; /* keyless: the window alone is the key */
    bool condition;       /* joins: left.v < right.v */
    bool keep_last, desc;
    bool session;
    uint32_t chunk, restart_every, full_every;
} spec;

/* Rows are k, start, end, v; windows of ten. */
static const wr_windowing *
windowing(rig *r, bool session)
{
    wr_windowing *w = WR_NEW(r->arena, wr_windowing);
    *w = (wr_windowing){.spec = {.kind = session ? WR_WINDOW_SESSION : WR_WINDOW_TUMBLE,
                                 .size_ms = 10,
                                 .slide_ms = 10,
                                 .rowtime = true,
                                 .time = wr_type_time(r->arena, WR_T_TIMESTAMP, 3, true)},
                        .time_col = -1,
                        .start_col = 1,
                        .end_col = 2,
                        .window_time_col = -1};
    return w;
}

static void
start(rig *r, const spec *s)
{
    r->chunk = s->chunk;
    r->full_every = s->full_every;
    if (s->restart_every) {
        r->after_batch = rig_restart_often;
        r->restart_every = s->restart_every;
    }
    rig_start(r);
}

static void
prepare_rank(rig *r, const spec *s)
{
    wr_order_key *order = WR_NEW(r->arena, wr_order_key);
    *order = (wr_order_key){.col = 3, .desc = s->desc, .nulls_last = s->desc};
    r->inputs[0].schema = rig_schema(r, "k I, ws L, we L, v L, id I");
    r->inputs[0].changelog = r->node.changelog = WR_CL_I;
    r->node.schema = rig_schema(r, s->number ? "k I, ws L, we L, v L, id I, rn L"
                                             : "k I, ws L, we L, v L, id I");
    r->node.kind = s->kind;
    r->node.windows[0] = windowing(r, s->session);
    if (s->kind == WR_P_WINDOW_RANK) {
        r->node.u.rank.partition = rig_cols(r, 1, 0, 0);
        r->node.u.rank.partition_count = s->keyless ? 0 : 1;
        r->node.u.rank.order = order;
        r->node.u.rank.order_count = 1;
        r->node.u.rank.first = s->first;
        r->node.u.rank.last = s->last;
        r->node.u.rank.last_col = -1;
        r->node.u.rank.number = s->number;
    } else {
        r->node.u.dedup.keys = rig_cols(r, 1, 0, 0);
        r->node.u.dedup.key_count = s->keyless ? 0 : 1;
        r->node.u.dedup.time_col = 3;
        r->node.u.dedup.rowtime = true;
        r->node.u.dedup.keep_last = s->keep_last;
    }
    start(r, s);
}

static void
run_rank(rig *r, const void *arg)
{
    prepare_rank(r, arg);
    rig_rows(r, 0, "+I[1, 0, 10, 5, 1] +I[1, 0, 10, 7, 2] +I[1, 10, 20, 1, 3] +I[1, 0, 10, 5, 4]");
    rig_watermark(r, 8);
    rig_rows(r, 0, "+I[1, 0, 10, 9, 5] +I[1, 0, 10, null, 6] +I[1, 0, 10, 6, 7]");
    rig_watermark(r, 9);
    rig_rows(r, 0, "+I[1, 0, 10, 99, 8] +I[1, 10, 20, 2, 9] +I[1, 10, 20, 2, 10]");
    rig_rows(r, 0, "+I[null, 20, 30, 4, 11] +I[1, null, null, 4, 12]");
    rig_finish(r);
}

static void
rank_case(spec s, const char *want)
{
    for (uint32_t k = 0; k < 16; k++) {
        s.chunk = k % 4;
        s.restart_every = k / 4 % 2;
        s.full_every = k / 8;
        rig r;
        rig_open(&r);
        run_rank(&r, &s);
        CHECK_EQ_STR(rig_output(&r), want);
        rig_close(&r);
    }
}

TEST(window_rank_shows_the_first_rows_when_the_window_is_over)
{
    rank_case((spec){.kind = WR_P_WINDOW_RANK, .first = 1, .last = 2, .number = true, .desc = true},
              "+I[1, 0, 10, 9, 5, 1] +I[1, 0, 10, 7, 2, 2] +I[1, 10, 20, 2, 9, 1] "
              "+I[1, 10, 20, 2, 10, 2] +I[null, 20, 30, 4, 11, 1]");
    rank_case((spec){.kind = WR_P_WINDOW_RANK, .first = 1, .last = 1},
              "+I[1, 0, 10, null, 6] +I[1, 10, 20, 1, 3] +I[null, 20, 30, 4, 11]");
    rank_case(
        (spec){.kind = WR_P_WINDOW_RANK, .first = 1, .last = 1, .keyless = true, .desc = true},
        "+I[1, 0, 10, 9, 5] +I[1, 10, 20, 2, 9] +I[null, 20, 30, 4, 11]");
}

TEST(window_rank_has_ranges_and_more_places_than_rows)
{
    rank_case((spec){.kind = WR_P_WINDOW_RANK, .first = 3, .last = 4, .number = true},
              "+I[1, 0, 10, 5, 4, 3] +I[1, 0, 10, 6, 7, 4] +I[1, 10, 20, 2, 10, 3]");
    rank_case((spec){.kind = WR_P_WINDOW_RANK, .first = 2, .last = INT64_MAX, .desc = true},
              "+I[1, 0, 10, 7, 2] +I[1, 0, 10, 6, 7] +I[1, 0, 10, 5, 1] +I[1, 0, 10, 5, 4] "
              "+I[1, 0, 10, null, 6] +I[1, 10, 20, 2, 10] +I[1, 10, 20, 1, 3]");
    rank_case((spec){.kind = WR_P_WINDOW_RANK, .first = 9, .last = 9}, "");
}

TEST(window_deduplicate_keeps_the_first_or_last_row)
{
    rank_case((spec){.kind = WR_P_WINDOW_DEDUPLICATE, .keep_last = true},
              "+I[1, 0, 10, 9, 5] +I[1, 10, 20, 2, 10] +I[null, 20, 30, 4, 11]");
    rank_case((spec){.kind = WR_P_WINDOW_DEDUPLICATE},
              "+I[1, 0, 10, null, 6] +I[1, 10, 20, 1, 3] +I[null, 20, 30, 4, 11]");
}

/* 200 rows, so that candidates are sorted out many times: the best three are the last ones. */
TEST(window_rank_sorts_out_candidates_as_they_come)
{
    for (uint32_t restart = 0; restart < 2; restart++) {
        const spec s = {.kind = WR_P_WINDOW_RANK,
                        .first = 1,
                        .last = 3,
                        .number = true,
                        .desc = true,
                        .restart_every = restart ? 7 : 0};
        rig r;
        char row[64];
        rig_open(&r);
        prepare_rank(&r, &s);
        for (uint32_t i = 0; i < 200; i++) {
            snprintf(row, sizeof row, "+I[1, 0, 10, %u, %u]", i / 2, i);
            rig_rows(&r, 0, row);
        }
        rig_finish(&r);
        CHECK_EQ_STR(rig_output(&r),
                     "+I[1, 0, 10, 99, 198, 1] +I[1, 0, 10, 99, 199, 2] +I[1, 0, 10, 98, 196, 3]");
        rig_close(&r);
    }
}

/* Two sessions of different length may end at the same time. */
TEST(sessions_are_told_apart_by_their_start)
{
    const spec s = {.kind = WR_P_WINDOW_RANK, .first = 1, .last = 1, .session = true};
    rig r;
    rig_open(&r);
    prepare_rank(&r, &s);
    rig_rows(&r, 0, "+I[1, 0, 10, 5, 1] +I[1, 3, 10, 4, 2] +I[1, 0, 10, 3, 3]");
    rig_finish(&r);
    CHECK_EQ_STR(rig_output(&r), "+I[1, 0, 10, 3, 3] +I[1, 3, 10, 4, 2]");
    rig_close(&r);
}

TEST(window_rank_tells_every_failed_allocation)
{
    const spec s = {.kind = WR_P_WINDOW_RANK, .first = 1, .last = 2, .number = true};
    rig_check_faults(run_rank, &s);
}

/* ---- joins ----------------------------------------------------------------------------------- */
/* left.v < right.v, over k, ws, we, v, k, ws, we, v */
static wr_expr *
less(rig *r)
{
    wr_expr *args[2], *out = NULL;
    for (uint32_t i = 0; i < 2; i++)
        args[i] = wr_expr_column(r->arena, 3 + 4 * i, wr_type_of(WR_T_BIGINT, true), WR_NO_SPAN);
    CHECK_OK(&r->ctx, wr_expr_call(&r->ctx, r->arena, &r->eval, wr_fn_find(WR_STR("<")),
                                   WR_STR("<"), args, 2, NULL, WR_NO_SPAN, &out));
    return out;
}

static void
prepare_join(rig *r, const spec *s)
{
    const bool half = s->type == WR_JOIN_SEMI || s->type == WR_JOIN_ANTI;
    for (uint32_t i = 0; i < 2; i++) {
        r->inputs[i].schema = rig_schema(r, "k I, ws L, we L, v L");
        r->inputs[i].changelog = WR_CL_I;
        r->node.windows[i] = windowing(r, false);
    }
    r->node.changelog = WR_CL_I;
    r->node.input_count = 2;
    r->node.schema = rig_schema(r, half ? "k I, ws L, we L, v L"
                                        : "k I, ws L, we L, v L, k0 I, ws0 L, we0 L, v0 L");
    r->node.kind = WR_P_WINDOW_JOIN;
    r->node.u.join.type = s->type;
    r->node.u.join.left_keys = r->node.u.join.right_keys = rig_cols(r, 1, 0, 0);
    r->node.u.join.key_count = s->keyless ? 0 : 1;
    if (s->condition) r->node.u.join.cond = less(r);
    start(r, s);
}

static void
run_join(rig *r, const void *arg)
{
    prepare_join(r, arg);
    rig_rows(r, 0, "+I[1, 0, 10, 5] +I[1, 0, 10, 7] +I[1, 10, 20, 1]");
    rig_rows(r, 1, "+I[1, 0, 10, 6] +I[1, 0, 10, 4]");
    rig_watermark(r, 9);
    rig_rows(r, 0, "+I[1, 0, 10, 8]"); /* late */
    rig_rows(r, 1, "+I[1, 0, 10, 8] +I[1, 20, 30, 3]");
    rig_watermark(r, 19);
    rig_rows(r, 0, "+I[null, 30, 40, 2]");
    rig_rows(r, 1, "+I[null, 30, 40, 9]");
    rig_finish(r);
}

static void
join_case(spec s, const char *want)
{
    for (uint32_t k = 0; k < 16; k++) {
        s.chunk = k % 4;
        s.restart_every = k / 4 % 2;
        s.full_every = k / 8;
        rig r;
        rig_open(&r);
        run_join(&r, &s);
        CHECK_EQ_STR(rig_output(&r), want);
        rig_close(&r);
    }
}

#define PAIRS                                                                                      \
    "+I[1, 0, 10, 5, 1, 0, 10, 6] +I[1, 0, 10, 5, 1, 0, 10, 4] +I[1, 0, 10, 7, 1, 0, 10, 6] "      \
    "+I[1, 0, 10, 7, 1, 0, 10, 4]"
#define LEFT_10  "+I[1, 10, 20, 1, null, null, null, null]"
#define RIGHT_20 "+I[null, null, null, null, 1, 20, 30, 3]"

TEST(window_join_has_every_type)
{
    join_case((spec){.type = WR_JOIN_INNER}, PAIRS);
    join_case((spec){.type = WR_JOIN_LEFT},
              PAIRS " " LEFT_10 " +I[null, 30, 40, 2, null, null, null, null]");
    join_case((spec){.type = WR_JOIN_RIGHT},
              PAIRS " " RIGHT_20 " +I[null, null, null, null, null, 30, 40, 9]");
    join_case((spec){.type = WR_JOIN_FULL},
              PAIRS " " LEFT_10 " " RIGHT_20 " +I[null, 30, 40, 2, null, null, null, null] "
                    "+I[null, null, null, null, null, 30, 40, 9]");
    join_case((spec){.type = WR_JOIN_SEMI}, "+I[1, 0, 10, 5] +I[1, 0, 10, 7]");
    join_case((spec){.type = WR_JOIN_ANTI}, "+I[1, 10, 20, 1] +I[null, 30, 40, 2]");
}

TEST(window_join_tests_a_condition)
{
#define MATCH "+I[1, 0, 10, 5, 1, 0, 10, 6]"
    join_case((spec){.type = WR_JOIN_INNER, .condition = true}, MATCH);
    join_case((spec){.type = WR_JOIN_FULL, .condition = true},
              MATCH " +I[1, 0, 10, 7, null, null, null, null] "
                    "+I[null, null, null, null, 1, 0, 10, 4] " LEFT_10 " " RIGHT_20
                    " +I[null, 30, 40, 2, null, null, null, null] "
                    "+I[null, null, null, null, null, 30, 40, 9]");
    join_case((spec){.type = WR_JOIN_SEMI, .condition = true}, "+I[1, 0, 10, 5]");
    join_case((spec){.type = WR_JOIN_ANTI, .condition = true},
              "+I[1, 0, 10, 7] +I[1, 10, 20, 1] +I[null, 30, 40, 2]");
    join_case((spec){.type = WR_JOIN_INNER, .condition = true, .keyless = true},
              MATCH " +I[null, 30, 40, 2, null, 30, 40, 9]");
}

TEST(window_join_tells_every_failed_allocation)
{
    const spec s = {.type = WR_JOIN_FULL, .condition = true};
    rig_check_faults(run_join, &s);
}

/* More pairs than a batch holds, of one group: 70 x 70. */
TEST(window_join_makes_many_pairs)
{
    const spec s = {.type = WR_JOIN_FULL, .condition = true, .full_every = 1};
    rig r;
    char row[64];
    uint32_t inserts = 0;
    rig_open(&r);
    prepare_join(&r, &s);
    for (uint32_t i = 0; i < 70; i++)
        for (uint32_t side = 0; side < 2; side++) {
            snprintf(row, sizeof row, "+I[1, 0, 10, %u]", i);
            rig_rows(&r, side, row);
        }
    rig_finish(&r);
    for (const char *p = rig_output(&r); (p = strstr(p, "+I")) != NULL; p++) inserts++;
    CHECK_EQ_INT(inserts, 70 * 69 / 2 + 2); /* and 69 on the left, 0 on the right alone */
    rig_close(&r);
}

TEST(window_join_goes_on_at_two_subtasks)
{
    const spec s = {.type = WR_JOIN_LEFT};
    rig r;
    rig_pair pair;
    const uint32_t key[] = {0};
    uint32_t rows = 0;
    rig_open(&r);
    r.checked = false;
    prepare_join(&r, &s);
    for (uint32_t k = 0; k < 40; k++) {
        char row[64];
        snprintf(row, sizeof row, "+I[%u, 0, 10, 1]", k);
        rig_rows(&r, 0, row);
    }
    rig_watermark(&r, 5);
    rig_split(&r, &pair);
    for (uint32_t k = 0; k < 40; k += 2) {
        char row[64];
        snprintf(row, sizeof row, "+I[%u, 0, 10, 2]", k);
        rig_route(&r, &pair, 1, key, 1, row);
    }
    for (uint32_t i = 0; i < 2; i++) {
        rig_select(&r, &pair, i);
        rig_finish(&r);
    }
    const char *out = rig_output(&r);
    for (const char *p = out; (p = strstr(p, "+I")) != NULL; p++) rows++;
    CHECK_EQ_INT(rows, 40);
    CHECK(strstr(out, "+I[4, 0, 10, 1, 4, 0, 10, 2]") != NULL);
    CHECK(strstr(out, "+I[5, 0, 10, 1, null, null, null, null]") != NULL);
    rig_unsplit(&r, &pair);
    rig_close(&r);
}

CHECK_MAIN()
