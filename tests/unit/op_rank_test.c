/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting and limits: Top-N changelogs of flink-sql.md Appendix A (A6..A6e) and of Flink 2.3 runs;
 * batch sorts; temporal sort.
 * links: op state */
#include "unit/op_rig_restart.h"

typedef struct spec {
    const char *schema;
    uint8_t kind, strategy;
    int key; /* -1: none */
    bool desc, nulls_last, batch, temporal;
    int64_t offset, fetch;
} spec;

static void
prepare(rig *r, const spec *s)
{
    r->inputs[0].schema = r->node.schema = rig_schema(r, s->schema);
    r->inputs[0].changelog = s->strategy == WR_RANK_APPEND_FAST ? WR_CL_I : WR_CL_ALL;
    r->node.kind = s->kind;
    r->eval.batch = s->batch;
    r->node.changelog = s->batch || s->temporal ? WR_CL_I : WR_CL_ALL;
    if (s->kind == WR_P_LIMIT) {
        r->node.u.limit.offset = s->offset;
        r->node.u.limit.fetch = s->fetch;
        return;
    }
    wr_order_key *k = WR_NEW_N(r->arena, wr_order_key, 2);
    k[0] = (wr_order_key){.col = (uint32_t)s->key, .desc = s->desc, .nulls_last = s->nulls_last};
    k[1] = (wr_order_key){.col = 0, .desc = true};
    r->node.u.sort.keys = k;
    r->node.u.sort.key_count = s->temporal ? 2 : 1;
    r->node.u.sort.offset = s->offset;
    r->node.u.sort.fetch = s->fetch;
    r->node.u.sort.strategy = s->strategy;
    r->node.u.sort.generate_update_before = true;
    r->node.u.sort.sort_upsert_key = rig_cols(r, 1, 0, 0);
    r->node.u.sort.sort_upsert_key_count = 1;
    r->node.u.sort.temporal = s->temporal;
}

typedef struct run_case {
    spec s;
    const char *in;
} run_case;

static void
run(rig *r, const void *arg)
{
    const run_case *c = arg;
    prepare(r, &c->s);
    rig_start(r);
    rig_rows(r, 0, c->in);
    if (!r->failed) rig_finish(r);
}

static void
check_changelog(spec s, const char *in, const char *want)
{
    static const uint32_t chunks[] = {0, 1, 2, 3};
    const run_case c = {s, in};
    for (uint32_t i = 0; i < WR_COUNT(chunks); i++) {
        for (int full = 0; full < 4; full++) {
            rig r;
            rig_open(&r);
            r.chunk = chunks[i];
            r.full_every = (uint32_t)full % 2;
            r.after_batch = rig_restart_often;
            r.restart_every = s.batch ? 0 : (uint32_t)full / 2;
            run(&r, &c);
            CHECK_EQ_STR(rig_output(&r), want);
            rig_close(&r);
        }
    }
    rig_check_faults(run, &c);
}

TEST(a6_append_fast)
{
    spec s = {.schema = "v I", .kind = WR_P_SORT_LIMIT, .key = 0, .desc = true, .fetch = 2};
    check_changelog(s, "+I[5] +I[3] +I[9]", "+I[5] +I[3] -D[3] +I[9]");
    s.offset = 1; /* A6d */
    check_changelog(s, "+I[5] +I[3] +I[9] +I[7]",
                    "+I[3] -U[3] +U[5] +I[3] -U[5] +U[7] -U[3] +U[5]");
    s.fetch = 0;
    check_changelog(s, "+I[5] +I[3] +I[9]", "");
}

TEST(append_fast_ties)
{
    static const char in[] = "+I[0, 5] +I[1, 3] +I[2, 5] +I[3, 9] +I[4, 9] +I[5, 5] +I[6, 1]";
    spec s = {.schema = "id I, v I", .kind = WR_P_SORT_LIMIT, .key = 1, .desc = true, .fetch = 2};
    check_changelog(s, in,
                    "+I[0, 5] +I[1, 3] -D[1, 3] +I[2, 5] -D[2, 5] +I[3, 9] -D[0, 5] +I[4, 9]");
    s.offset = 1;
    check_changelog(s, in,
                    "+I[1, 3] -U[1, 3] +U[2, 5] +I[1, 3] -U[2, 5] +U[0, 5] -U[1, 3] +U[2, 5] "
                    "-U[0, 5] +U[4, 9] -U[2, 5] +U[0, 5]");
    s.fetch = 3;
    s.offset = 2;
    check_changelog(s, in,
                    "+I[1, 3] -U[1, 3] +U[2, 5] +I[1, 3] -U[2, 5] +U[0, 5] -U[1, 3] +U[2, 5] "
                    "+I[1, 3] -U[1, 3] +U[5, 5]");
}

/* COUNT per k over a b b c c c a a a b, as its +I and +U arrive. */
static const char counts[] = "+I[a, 1] +I[b, 1] +U[b, 2] +I[c, 1] +U[c, 2] +U[c, 3] +U[a, 2] "
                             "+U[a, 3] +U[a, 4] +U[b, 3]";

TEST(a6c_update_fast)
{
    spec s = {.schema = "k S, c L",
              .kind = WR_P_SORT_LIMIT,
              .strategy = WR_RANK_UPDATE_FAST,
              .key = 1,
              .desc = true,
              .fetch = 2};
    check_changelog(s, counts,
                    "+I[a, 1] +I[b, 1] -U[b, 1] +U[b, 2] -D[a, 1] +I[c, 2] -U[c, 2] +U[c, 3] "
                    "-D[b, 2] +I[a, 3] -U[a, 3] +U[a, 4]");
    s.offset = 1;
    check_changelog(s, counts,
                    "+I[b, 1] -U[b, 1] +U[a, 1] +I[c, 1] -U[a, 1] -U[c, 1] +U[c, 2] +U[a, 1] "
                    "-U[c, 2] +U[b, 2] -U[a, 1] +U[a, 2] -U[b, 2] -U[a, 2] +U[a, 3] +U[b, 2] "
                    "-U[a, 3] +U[c, 3] -U[b, 2] +U[b, 3]");
    s.fetch = 1;
    check_changelog(s, counts,
                    "+I[b, 1] -U[b, 1] +U[a, 1] -U[a, 1] +U[c, 2] -U[c, 2] +U[b, 2] -U[b, 2] "
                    "+U[a, 3] -U[a, 3] +U[c, 3]");
    s.offset = 2;
    check_changelog(s, counts,
                    "+I[c, 1] -U[c, 1] +U[a, 1] -U[a, 1] +U[a, 2] -U[a, 2] +U[b, 2] -U[b, 2] "
                    "+U[b, 3]");
}

static const char cdc[] = "+I[1, 5] +I[2, 3] +I[3, 9] -D[1, 5] +I[4, 7] -D[3, 9] -D[2, 3] "
                          "-U[4, 7] +U[4, 1]";

TEST(a6b_retract)
{
    spec s = {.schema = "id I, v I",
              .kind = WR_P_SORT_LIMIT,
              .strategy = WR_RANK_RETRACT,
              .key = 1,
              .desc = true,
              .fetch = 2};
    check_changelog(s, "+I[1, 5] +I[2, 3] +I[3, 9] -D[3, 9]",
                    "+I[1, 5] +I[2, 3] -D[2, 3] +I[3, 9] -D[3, 9] +I[2, 3]");
    check_changelog(s, cdc,
                    "+I[1, 5] +I[2, 3] -D[2, 3] +I[3, 9] -D[1, 5] +I[2, 3] -D[2, 3] +I[4, 7] "
                    "-D[3, 9] +I[2, 3] -D[2, 3] -D[4, 7] +I[4, 1]");
    check_changelog(s, "-D[8, 8] +I[1, 5] -D[8, 5]", "+I[1, 5]"); /* unknown rows */
}

TEST(t013_retracting_the_last_ranked)
{
    spec s = {.schema = "id I, v I",
              .kind = WR_P_SORT_LIMIT,
              .strategy = WR_RANK_RETRACT,
              .key = 1,
              .desc = true,
              .fetch = 3};
    check_changelog(s, "+I[1, 9] +I[2, 8] +I[3, 7] +I[5, 6] -U[3, 7] +U[3, 0] -U[3, 0] +U[3, 10]",
                    "+I[1, 9] +I[2, 8] +I[3, 7] -D[3, 7] +I[5, 6] -D[5, 6] +I[3, 10]");
}

TEST(t017_exact_duplicates)
{
    spec s = {.schema = "a I, b I",
              .kind = WR_P_SORT_LIMIT,
              .strategy = WR_RANK_RETRACT,
              .key = 1,
              .fetch = 1};
    check_changelog(s, "+I[1, 5] +I[1, 0] +I[1, 0] -D[1, 0]",
                    "+I[1, 5] -D[1, 5] +I[1, 0] -D[1, 0] +I[1, 0]");
}

TEST(retract_with_offset)
{
    spec s = {.schema = "id I, v I",
              .kind = WR_P_SORT_LIMIT,
              .strategy = WR_RANK_RETRACT,
              .key = 1,
              .desc = true,
              .offset = 1,
              .fetch = 2};
    check_changelog(s, "+I[1, 5] +I[2, 3] +I[3, 9] +I[4, 7] -D[3, 9] -D[4, 7] -D[1, 5]",
                    "+I[2, 3] -U[2, 3] +U[1, 5] +I[2, 3] -U[1, 5] +U[4, 7] -U[2, 3] +U[1, 5] "
                    "-U[4, 7] +U[1, 5] -U[1, 5] +U[2, 3] -U[1, 5] +U[2, 3] -D[2, 3] -D[2, 3]");
}

TEST(a6e_limit_over_changes)
{
    spec s = {.schema = "v I", .kind = WR_P_LIMIT, .strategy = WR_RANK_RETRACT, .fetch = 2};
    check_changelog(s, "+I[5] +I[3] +I[9] -D[5] +I[7]", "+I[5] +I[3] -D[5] +I[9]");
    spec t = {.schema = "id I, v I", .kind = WR_P_LIMIT, .strategy = WR_RANK_RETRACT, .fetch = 2};
    check_changelog(t, cdc,
                    "+I[1, 5] +I[2, 3] -D[1, 5] +I[3, 9] -D[3, 9] +I[4, 7] -D[2, 3] -D[4, 7] "
                    "+I[4, 1]");
}

TEST(limit_over_inserts)
{
    spec s = {.schema = "v I", .kind = WR_P_LIMIT, .offset = 1, .fetch = 3};
    check_changelog(s, "+I[1] +I[2] +I[3] +I[4] +I[5] +I[6]", "+I[2] +I[3] +I[4]");
    s.fetch = -1;
    check_changelog(s, "+I[1] +I[2] +I[3]", "+I[2] +I[3]");
}

TEST(batch_sort)
{
    spec s = {.schema = "id I, v L", .kind = WR_P_SORT, .key = 1, .batch = true, .fetch = -1};
    check_changelog(s, "+I[1, 5] +I[2, -3] +I[3, null] +I[4, 5] +I[5, 0] +I[6, -3]",
                    "+I[3, null] +I[2, -3] +I[6, -3] +I[5, 0] +I[1, 5] +I[4, 5]");
    s.nulls_last = s.desc = true;
    check_changelog(s, "+I[1, 5] +I[2, -3] +I[3, null] +I[4, 5] +I[5, 0] +I[6, -3]",
                    "+I[1, 5] +I[4, 5] +I[5, 0] +I[2, -3] +I[6, -3] +I[3, null]");
    check_changelog(s, "", "");
    spec t = {.schema = "s S", .kind = WR_P_SORT, .key = 0, .batch = true, .fetch = -1};
    check_changelog(t,
                    "+I[abcdefghijklmnop] +I[b] +I[abcdefghijklmno] +I[abcdefgh] +I[] +I[null] "
                    "+I[abcdefghijklmnoq]",
                    "+I[null] +I[] +I[abcdefgh] +I[abcdefghijklmno] +I[abcdefghijklmnop] "
                    "+I[abcdefghijklmnoq] +I[b]");
}

TEST(batch_sort_limit)
{
    spec s = {.schema = "id I, v L",
              .kind = WR_P_SORT_LIMIT,
              .key = 1,
              .desc = true,
              .batch = true,
              .offset = 1,
              .fetch = 2};
    check_changelog(s, "+I[1, 5] +I[2, 7] +I[3, 9] +I[4, 5]", "+I[2, 7] +I[1, 5]");
    s.fetch = -1;
    check_changelog(s, "+I[1, 5] +I[2, 7] +I[3, 9]", "+I[2, 7] +I[1, 5]");
}

/* Many rows at random: sorted, stable, pruned. */
TEST(batch_sort_many)
{
    for (int limited = 0; limited < 2; limited++) {
        rig r;
        rig_open(&r);
        spec s = {.schema = "id L, v L",
                  .kind = limited ? WR_P_SORT_LIMIT : WR_P_SORT,
                  .key = 1,
                  .batch = true,
                  .offset = 0,
                  .fetch = limited ? 5 : -1};
        prepare(&r, &s);
        rig_start(&r);
        uint64_t seed = 1;
        enum { N = 60000 };
        for (uint32_t at = 0; at < N; at += 1000) {
            wr_batch *b = wr_batch_acquire(r.pool, 2);
            CHECK_FATAL(wr_batch_init_flat(b, &r.node.schema, 1000));
            for (uint32_t i = 0; i < 1000; i++) {
                seed = wr_hash_u64(seed + 1);
                ((int64_t *)b->cols[0].data)[i] = at + i;
                ((int64_t *)b->cols[1].data)[i] = (int64_t)(seed % 30000) - 15000;
            }
            b->row_count = 1000;
            CHECK_OK(&r.ctx, r.op->ops->on_batch(&r.ctx, r.op, 0, b, &r.emit));
        }
        rig_finish(&r);
        const char *p = rig_output(&r);
        long long id, v, last_id = -1, last_v = INT64_MIN;
        uint32_t n = 0;
        while (sscanf(p, "+I[%lld, %lld]", &id, &v) == 2) {
            CHECK(v > last_v || (v == last_v && id > last_id));
            last_id = id;
            last_v = v;
            n++;
            p = strchr(p, ']') + 1;
            p += *p == ' ';
        }
        CHECK_EQ_UINT(n, limited ? 5 : N);
        rig_close(&r);
    }
}

TEST(temporal_sort)
{
    rig r;
    rig_open(&r);
    r.chunk = 2;
    r.full_every = 1;
    spec s = {.schema = "id I, ts L", .kind = WR_P_SORT, .key = 1, .temporal = true};
    prepare(&r, &s);
    rig_start(&r);
    rig_rows(&r, 0, "+I[1, 5] +I[2, 3] +I[3, 3]");
    rig_watermark(&r, 2);
    CHECK_EQ_STR(rig_output(&r), "");
    rig_watermark(&r, 4);
    CHECK_EQ_STR(rig_output(&r), "+I[3, 3] +I[2, 3]"); /* second key: id DESC */
    rig_rows(&r, 0, "+I[4, 2] +I[5, 3] +I[6, 4]");     /* 4 and 5 are late: 3 has come out */
    rig_watermark(&r, 5);
    CHECK_EQ_STR(rig_output(&r), "+I[3, 3] +I[2, 3] +I[6, 4] +I[1, 5]");
    rig_rows(&r, 0, "+I[7, 9]");
    rig_finish(&r);
    CHECK_EQ_STR(rig_output(&r), "+I[3, 3] +I[2, 3] +I[6, 4] +I[1, 5] +I[7, 9]");
    rig_close(&r);
}

CHECK_MAIN()
