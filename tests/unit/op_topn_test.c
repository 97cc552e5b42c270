/* SPDX-License-Identifier: Apache-2.0 */
/* Top-N of partitions and deduplication: changelogs of flink-sql.md Appendix A (A7..A8) and of
 * Flink 2.3 runs (tests/corpus/rank), in batches of any size, with a restart behind every batch and
 * with every allocation failing once.
 * links: op state */
#include "unit/op_rig_restart.h"

typedef struct spec {
    bool dedup, number, desc, rowtime, keep_last, no_before;
    uint8_t strategy;
    int64_t first, last;
    int32_t last_col;
} spec;

static wr_schema
with_number(rig *r, wr_schema in)
{
    wr_field *f = WR_NEW_N(r->arena, wr_field, in.count + 1);
    memcpy(f, in.fields, in.count * sizeof *f);
    f[in.count] = (wr_field){.name = WR_STR("rn"), .type = wr_type_of(WR_T_BIGINT, false)};
    return (wr_schema){f, in.count + 1};
}

/* Rows of (k S, id I, v L), by k, ordered by v. */
static void
prepare(rig *r, const spec *s)
{
    wr_schema in = rig_schema(r, "k S, id I, v L");
    r->inputs[0].schema = r->node.schema = in;
    r->inputs[0].changelog = s->dedup || s->strategy == WR_RANK_APPEND_FAST ? WR_CL_I : WR_CL_ALL;
    r->node.changelog = s->no_before ? WR_CL_ALL & ~WR_CL_UB : WR_CL_ALL;
    r->node.kind = s->dedup ? WR_P_DEDUPLICATE : WR_P_RANK;
    if (s->dedup) {
        r->node.u.dedup.keys = rig_cols(r, 1, 0, 0);
        r->node.u.dedup.key_count = 1;
        r->node.u.dedup.time_col = 2;
        r->node.u.dedup.rowtime = s->rowtime;
        r->node.u.dedup.keep_last = s->keep_last;
        r->node.u.dedup.generate_insert = true;
        r->node.u.dedup.generate_update_before = !s->no_before;
        return;
    }
    if (s->number) r->node.schema = with_number(r, in);
    wr_order_key *k = WR_NEW_N(r->arena, wr_order_key, 1);
    k[0] = (wr_order_key){2, s->desc, s->desc};
    r->node.u.rank.partition = rig_cols(r, 1, 0, 0);
    r->node.u.rank.partition_count = 1;
    r->node.u.rank.order = k;
    r->node.u.rank.order_count = 1;
    r->node.u.rank.first = s->first;
    r->node.u.rank.last = s->last;
    r->node.u.rank.last_col = s->last_col;
    r->node.u.rank.number = s->number;
    r->node.u.rank.strategy = s->strategy;
    r->node.u.rank.upsert_key = rig_cols(r, 2, 0, 1);
    r->node.u.rank.upsert_key_count = 2;
    r->node.u.rank.generate_update_before = !s->no_before;
}

typedef struct run_case {
    spec s;
    const char *in, *late; /* late: behind a watermark of 5 */
} run_case;

static void
run(rig *r, const void *arg)
{
    const run_case *c = arg;
    prepare(r, &c->s);
    rig_start(r);
    rig_rows(r, 0, c->in);
    if (c->late) {
        rig_watermark(r, 5);
        rig_rows(r, 0, c->late);
    }
    if (!r->failed) rig_finish(r);
}

static void
check(spec s, const char *in, const char *late, const char *want)
{
    static const uint32_t chunks[] = {0, 1, 2, 3};
    const run_case c = {s, in, late};
    for (uint32_t i = 0; i < WR_COUNT(chunks); i++) {
        for (int full = 0; full < 4; full++) {
            rig r;
            rig_open(&r);
            r.chunk = chunks[i];
            r.full_every = (uint32_t)full % 2;
            r.after_batch = rig_restart_often;
            r.restart_every = late ? 0 : (uint32_t)full / 2; /* a restart forgets the watermark */
            run(&r, &c);
            CHECK_EQ_STR(rig_output(&r), want);
            rig_close(&r);
        }
    }
    rig_check_faults(run, &c);
}

static const char rows[] = "+I[a, 1, 5] +I[b, 2, 3] +I[a, 3, 7] +I[a, 4, 5] +I[a, 5, null] "
                           "+I[b, 6, 8] +I[a, 7, 9]";

TEST(append_fast)
{
    spec s = {.first = 1, .last = 2, .last_col = -1, .desc = true};
    check(s, rows, NULL, "+I[a, 1, 5] +I[b, 2, 3] +I[a, 3, 7] +I[b, 6, 8] -D[a, 1, 5] +I[a, 7, 9]");
    s.number = true;
    check(s, rows, NULL,
          "+I[a, 1, 5, 1] +I[b, 2, 3, 1] -U[a, 1, 5, 1] +U[a, 3, 7, 1] +I[a, 1, 5, 2] "
          "-U[b, 2, 3, 1] +U[b, 6, 8, 1] +I[b, 2, 3, 2] -U[a, 3, 7, 1] +U[a, 7, 9, 1] "
          "-U[a, 1, 5, 2] +U[a, 3, 7, 2]");
    s.no_before = true;
    check(s, rows, NULL,
          "+I[a, 1, 5, 1] +I[b, 2, 3, 1] +U[a, 3, 7, 1] +I[a, 1, 5, 2] +U[b, 6, 8, 1] "
          "+I[b, 2, 3, 2] +U[a, 7, 9, 1] +U[a, 3, 7, 2]");
}

TEST(append_fast_top_1)
{
    spec s = {.first = 1, .last = 1, .last_col = -1, .desc = true};
    check(s, rows, NULL,
          "+I[a, 1, 5] +I[b, 2, 3] -U[a, 1, 5] +U[a, 3, 7] -U[b, 2, 3] +U[b, 6, 8] -U[a, 3, 7] "
          "+U[a, 7, 9]");
    s.no_before = true;
    check(s, rows, NULL, "+I[a, 1, 5] +I[b, 2, 3] +U[a, 3, 7] +U[b, 6, 8] +U[a, 7, 9]");
}

TEST(last_number_from_a_column)
{
    spec s = {.first = 1, .last_col = 1};
    check(s, "+I[a, 2, 5] +I[b, 1, 3] +I[a, 9, 7] +I[a, 9, 6] +I[b, 9, 1]", NULL,
          "+I[a, 2, 5] +I[b, 1, 3] +I[a, 9, 7] -D[a, 9, 7] +I[a, 9, 6] -D[b, 1, 3] +I[b, 9, 1]");
}

TEST(retract)
{
    spec s = {.first = 1, .last = 2, .last_col = -1, .strategy = WR_RANK_RETRACT};
    static const char in[] = "+I[a, 1, 5] +I[a, 2, 3] +I[a, 3, 4] -D[a, 2, 3] +I[b, 5, 1] "
                             "-D[b, 5, 1] -D[b, 5, 1] -D[a, 1, 5] -D[a, 3, 4] +I[a, 6, 6]";
    check(s, in, NULL,
          "+I[a, 1, 5] +I[a, 2, 3] -D[a, 1, 5] +I[a, 3, 4] -D[a, 2, 3] +I[a, 1, 5] +I[b, 5, 1] "
          "-D[b, 5, 1] -D[a, 1, 5] -D[a, 3, 4] +I[a, 6, 6]");
    s.number = true;
    check(s, in, NULL,
          "+I[a, 1, 5, 1] -U[a, 1, 5, 1] +U[a, 2, 3, 1] +I[a, 1, 5, 2] -U[a, 1, 5, 2] "
          "+U[a, 3, 4, 2] -U[a, 2, 3, 1] +U[a, 3, 4, 1] -U[a, 3, 4, 2] +U[a, 1, 5, 2] "
          "+I[b, 5, 1, 1] -D[b, 5, 1, 1] -D[a, 1, 5, 2] -D[a, 3, 4, 1] +I[a, 6, 6, 1]");
}

TEST(update_fast)
{
    spec s = {.first = 1, .last = 2, .last_col = -1, .strategy = WR_RANK_UPDATE_FAST, .desc = true};
    static const char in[] = "+I[a, 1, 1] +I[a, 2, 1] +U[a, 2, 2] +I[b, 1, 1] +I[a, 3, 3]";
    check(s, in, NULL,
          "+I[a, 1, 1] +I[a, 2, 1] -U[a, 2, 1] +U[a, 2, 2] +I[b, 1, 1] -D[a, 1, 1] +I[a, 3, 3]");
    s.number = true;
    check(s, "+I[a, 1, 1] +I[a, 2, 1] +U[a, 2, 2]", NULL,
          "+I[a, 1, 1, 1] +I[a, 2, 1, 2] -U[a, 1, 1, 1] -U[a, 2, 1, 2] +U[a, 2, 2, 1] "
          "+U[a, 1, 1, 2]");
}

static const char arrivals[] = "+I[a, 1, 7] +I[b, 2, 6] +I[a, 3, 8] +I[a, 3, 8] +I[a, 4, 6] "
                               "+I[null, 5, 9] +I[b, 6, 6]";

TEST(dedup_by_arrival)
{
    spec s = {.dedup = true};
    check(s, arrivals, NULL, "+I[a, 1, 7] +I[b, 2, 6] +I[null, 5, 9]");
    s.keep_last = true;
    check(s, arrivals, NULL,
          "+I[a, 1, 7] +I[b, 2, 6] -U[a, 1, 7] +U[a, 3, 8] -U[a, 3, 8] +U[a, 4, 6] "
          "+I[null, 5, 9] -U[b, 2, 6] +U[b, 6, 6]");
    s.no_before = true;
    check(s, arrivals, NULL,
          "+I[a, 1, 7] +I[b, 2, 6] +U[a, 3, 8] +U[a, 4, 6] +I[null, 5, 9] +U[b, 6, 6]");
}

TEST(dedup_by_rowtime)
{
    spec s = {.dedup = true, .rowtime = true, .keep_last = true};
    check(s, arrivals, NULL,
          "+I[a, 1, 7] +I[b, 2, 6] -U[a, 1, 7] +U[a, 3, 8] -U[a, 3, 8] +U[a, 3, 8] "
          "+I[null, 5, 9] -U[b, 2, 6] +U[b, 6, 6]");
    s.keep_last = false;
    check(s, "+I[a, 1, 7] +I[a, 3, 4] +I[a, 4, 4] +I[b, 5, 6]",
          "+I[b, 6, 4] +I[c, 7, 8] +I[a, 8, 9]", "+I[a, 3, 4] +I[b, 5, 6] +I[c, 7, 8]");
    check(s, "+I[a, 1, 7] +I[a, 3, 4] +I[a, 4, 4] +I[b, 5, 6]",
          "+I[b, 6, 4] +I[b, 9, 5] +I[c, 7, 8] +I[a, 8, 9] +I[a, 10, 5]",
          "+I[a, 3, 4] +I[b, 9, 5] +I[c, 7, 8]");
    check(s, "+I[a, 1, 7] +I[a, 3, 4] +I[b, 5, 6] +I[a, 4, 3]", NULL, "+I[a, 4, 3] +I[b, 5, 6]");
}
CHECK_MAIN()
