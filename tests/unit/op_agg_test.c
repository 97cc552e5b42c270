/* SPDX-License-Identifier: Apache-2.0 */
/* Group aggregation: changelogs as flink-sql.md Appendix A has them, in batches of every size.
 * links: op state */
#include "unit/op_rig_agg.h"
#include "unit/op_rig_restart.h"

typedef struct spec {
    const char *schema, *out;
    int key; /* -1: none */
    wr_agg_bound aggs[4];
    uint32_t agg_count;
    bool retract, upsert, mini, batch;
    int64_t size, ttl;
} spec;

static void
prepare(rig *r, const spec *s)
{
    r->inputs[0].schema = rig_schema(r, s->schema);
    r->node.schema = rig_schema(r, s->out);
    r->node.kind = s->batch ? WR_P_HASH_AGG : WR_P_GROUP_AGG;
    r->node.changelog = s->batch ? WR_CL_I : s->upsert ? WR_CL_UPSERT : WR_CL_ALL;
    r->node.u.agg.keys = rig_cols(r, 1, s->key < 0 ? 0 : (uint32_t)s->key, 0);
    r->node.u.agg.key_count = s->key >= 0;
    wr_agg_bound *aggs = WR_NEW_N(r->arena, wr_agg_bound, 4);
    memcpy(aggs, s->aggs, sizeof s->aggs);
    r->node.u.agg.aggs = aggs;
    r->node.u.agg.agg_count = s->agg_count;
    r->node.u.agg.retract = s->retract;
    r->node.u.agg.generate_update_before = !s->upsert;
    r->node.u.agg.mini_batch = s->mini;
    r->node.u.agg.mini_batch_size = s->size;
    r->node.u.agg.ttl_ms = s->ttl;
}

/* Aggregates are written with letters: c COUNT(*), n COUNT(col 1), s SUM(col 1), d COUNT(DISTINCT
 * col 1), D SUM(DISTINCT col 1); an upper-case F behind filters by column 2. */
static void
add_aggs(rig *r, spec *s, const char *letters)
{
    for (; *letters; letters++) {
        if (*letters == 'F') {
            s->aggs[s->agg_count - 1].filter = 2;
            continue;
        }
        bool sum = *letters == 's' || *letters == 'D';
        wr_agg_bound b = rig_agg(r, sum ? &rig_sum_ops : &rig_count_ops, *letters == 'c' ? -1 : 1);
        b.distinct = *letters == 'd' || *letters == 'D';
        s->aggs[s->agg_count++] = b;
    }
}

typedef struct run_case {
    spec s;
    const char *letters, *in;
} run_case;

static void
run(rig *r, const void *arg)
{
    const run_case *c = arg;
    spec mine = c->s;
    add_aggs(r, &mine, c->letters);
    prepare(r, &mine);
    rig_start(r);
    rig_rows(r, 0, c->in);
    if (!r->failed) rig_finish(r);
}

static void
check_changelog(spec s, const char *letters, const char *in, const char *want)
{
    static const uint32_t chunks[] = {0, 1, 2, 3};
    const run_case c = {s, letters, in};
    for (uint32_t i = 0; i < WR_COUNT(chunks); i++) {
        for (int full = 0; full < 4; full++) {
            rig r;
            rig_open(&r);
            r.chunk = chunks[i];
            r.full_every = (uint32_t)full % 2;
            r.after_batch = rig_restart_often; /* a barrier ends bundles; batch has none */
            r.restart_every = s.mini || s.batch ? 0 : (uint32_t)full / 2;
            run(&r, &c);
            CHECK_EQ_STR(rig_output(&r), want);
            rig_close(&r);
        }
    }
    rig_check_faults(run, &c);
}

static const spec by_k = {.schema = "k S, v L", .out = "k S, c L", .key = 0};

TEST(a1_count_by_key)
{
    check_changelog(by_k, "c", "+I[a, 1] +I[a, 1] +I[b, 1]", "+I[a, 1] -U[a, 1] +U[a, 2] +I[b, 1]");
    spec u = by_k;
    u.upsert = true;
    check_changelog(u, "c", "+I[a, 1] +I[a, 1] +I[b, 1]", "+I[a, 1] +U[a, 2] +I[b, 1]");
}

TEST(a2_count_over_retractions)
{
    spec s = by_k;
    s.retract = true;
    check_changelog(s, "c", "+I[a, 1] -D[a, 1] +I[a, 1] +I[a, 1] -D[a, 1]",
                    "+I[a, 1] -D[a, 1] +I[a, 1] -U[a, 1] +U[a, 2] -U[a, 2] +U[a, 1]");
    check_changelog(s, "c", "-D[a, 1] +I[a, 1]", "+I[a, 1]");                            /* A2b */
    check_changelog(s, "c", "+I[a, 1] -U[a, 1] +U[b, 1]", "+I[a, 1] -D[a, 1] +I[b, 1]"); /* A2c */
    check_changelog(s, "s", "+I[a, 5] -U[a, 5] +U[a, 7]", "+I[a, 5] -D[a, 5] +I[a, 7]"); /* A2d */
    check_changelog(s, "c", "-D[a, 1] -D[b, 1]", "");
}

TEST(a3_unchanged_result_is_silent)
{
    check_changelog(by_k, "s", "+I[a, 5] +I[a, 0] +I[a, null] +I[a, 2]",
                    "+I[a, 5] -U[a, 5] +U[a, 7]");
    spec t = by_k;
    t.ttl = 1000000;
    check_changelog(t, "s", "+I[a, 5] +I[a, 0]", "+I[a, 5] -U[a, 5] +U[a, 5]");
}

TEST(a4_global)
{
    spec s = {.schema = "k S, v L", .out = "c L", .key = -1};
    check_changelog(s, "c", "+I[r, 1] +I[r, 2]", "+I[1] -U[1] +U[2]");
    check_changelog(s, "c", "", "");
    s.retract = true;
    check_changelog(s, "c", "+I[r, 1] -D[r, 1]", "+I[1] -D[1]");
}

TEST(a17_distinct_rows)
{
    spec s = {.schema = "k S, v L", .out = "k S", .key = 0};
    check_changelog(s, "", "+I[a, 1] +I[a, 1] +I[b, 1]", "+I[a] +I[b]");
    s.retract = true;
    check_changelog(s, "", "+I[a, 1] +I[a, 1] -D[a, 1] -D[a, 1]", "+I[a] -D[a]");
}

TEST(a27_null_is_one_group)
{
    check_changelog(by_k, "c", "+I[null, 1] +I[null, 1]", "+I[null, 1] -U[null, 1] +U[null, 2]");
    spec s = {.schema = "v L, k L", .out = "k L, c L", .key = 1};
    check_changelog(s, "c", "+I[1, null] +I[1, 0] +I[1, null]",
                    "+I[null, 1] +I[0, 1] -U[null, 1] +U[null, 2]");
}

TEST(distinct_with_filter_and_retraction)
{
    spec s = {.schema = "k S, v L, f B", .out = "k S, a L, b L, c L", .key = 0, .retract = true};
    /* COUNT(DISTINCT v), COUNT(DISTINCT v) FILTER (WHERE f), SUM(DISTINCT v) */
    check_changelog(s, "ddFD", "+I[a, 5, false] +I[a, 5, true] +I[a, 7, true] -D[a, 5, false]",
                    "+I[a, 1, 0, 5] -U[a, 1, 0, 5] +U[a, 1, 1, 5] -U[a, 1, 1, 5] +U[a, 2, 2, 12]");
    check_changelog(s, "ddFD", "+I[a, 5, true] -D[a, 5, true] +I[a, 5, true] +I[a, 5, null]",
                    "+I[a, 1, 1, 5] -D[a, 1, 1, 5] +I[a, 1, 1, 5]");
    check_changelog(s, "ddFD", "+I[a, 5, true] +I[a, 6, true] -D[a, 5, true] -D[a, 5, true]",
                    "+I[a, 1, 1, 5] -U[a, 1, 1, 5] +U[a, 2, 2, 11] -U[a, 2, 2, 11] +U[a, 1, 1, 6] "
                    "-D[a, 1, 1, 6]");
}

TEST(t053_one_filter_for_two)
{
    spec s = {.schema = "k S, v L, f B", .out = "k S, a L, b L", .key = 0, .batch = true};
    check_changelog(s, "cFdF", "+I[1, 7, false] +I[1, 7, true] +I[1, 7, true] +I[1, 8, true]",
                    "+I[1, 3, 2]");
}

TEST(emptied_groups_begin_anew)
{
    spec s = by_k;
    s.retract = true;
    check_changelog(s, "s",
                    "+I[a, 5] +I[b, 1] -U[a, 5] +U[a, 7] -U[b, 1] +U[b, 2] -U[a, 7] +U[a, 8] "
                    "+I[a, 1] -D[b, 2]",
                    "+I[a, 5] +I[b, 1] -D[a, 5] +I[a, 7] -D[b, 1] +I[b, 2] -D[a, 7] +I[a, 8] "
                    "-U[a, 8] +U[a, 9] -D[b, 2]");
}

TEST(batch_mode)
{
    spec s = by_k;
    s.batch = true;
    check_changelog(s, "c", "+I[a, 1] +I[b, 1] +I[a, 1]", "+I[a, 2] +I[b, 1]");
    spec g = {.schema = "k S, v L", .out = "c L, s L", .key = -1, .batch = true};
    check_changelog(g, "cs", "", "+I[0, null]");
    check_changelog(g, "cs", "+I[a, 1] +I[b, 4]", "+I[2, 5]");
    spec l = {.schema = "k I, v L", .out = "k I, c L", .key = 0, .batch = true};
    check_changelog(l, "c", "+I[-3, 1] +I[null, 1] +I[-3, 1] +I[0, 2]",
                    "+I[-3, 2] +I[null, 1] +I[0, 1]");
}

TEST(a26_mini_batch)
{
    spec s = by_k;
    s.mini = true;
    s.size = 100;
    check_changelog(s, "c", "+I[a, 1] +I[a, 1] +I[b, 1]", "+I[a, 2] +I[b, 1]");
    s.size = 2;
    check_changelog(s, "c", "+I[a, 1] +I[a, 1] +I[b, 1] +I[a, 1] +I[b, 2]",
                    "+I[a, 2] +I[b, 1] -U[a, 2] +U[a, 3] -U[b, 1] +U[b, 2]");
    s.retract = true;
    check_changelog(s, "c", "+I[a, 1] -D[a, 1] -D[c, 1] +I[b, 1]", "+I[b, 1]");
    s.size = 1;
    check_changelog(s, "c", "+I[a, 1] -D[a, 1] -D[c, 1] +I[b, 1]", "+I[a, 1] -D[a, 1] +I[b, 1]");
}

TEST(a28_state_expires)
{
    rig r;
    rig_open(&r);
    spec s = by_k;
    s.ttl = 500;
    add_aggs(&r, &s, "c");
    prepare(&r, &s);
    rig_start(&r);
    rig_rows(&r, 0, "+I[a, 1]");
    r.now_ms += 2000;
    r.state->now_ms = r.now_ms;
    rig_rows(&r, 0, "+I[a, 1]");
    CHECK_EQ_STR(rig_output(&r), "+I[a, 1] +I[a, 1]");
    rig_close(&r);
}

TEST(t051_retraction_after_expiry_is_ignored)
{
    rig r;
    rig_open(&r);
    spec s = by_k;
    s.ttl = 1000;
    s.retract = true;
    add_aggs(&r, &s, "c");
    prepare(&r, &s);
    rig_start(&r);
    rig_rows(&r, 0, "+I[a, 1]");
    r.state->now_ms = r.now_ms + 5000;
    rig_rows(&r, 0, "-D[a, 1]");
    CHECK_EQ_STR(rig_output(&r), "+I[a, 1]");
    rig_close(&r);
}

/* Many groups against plain arrays, and in the steady state not one allocation. */
TEST(many_groups)
{
    enum { GROUPS = 5000, BATCHES = 40, ROWS = 2000 };
    for (int mode = 0; mode < 2; mode++) {
        rig r;
        rig_open(&r);
        spec s = {.schema = "k L, v L", .out = "k L, c L, s L", .key = 0, .batch = mode == 0};
        add_aggs(&r, &s, "cs");
        prepare(&r, &s);
        r.checked = false;
        rig_start(&r);
        static int64_t count[GROUPS + 1], sum[GROUPS + 1];
        memset(count, 0, sizeof count);
        memset(sum, 0, sizeof sum);
        uint64_t seed = 7, mallocs = 0;
        r.fail_nth = UINT32_MAX; /* do not print the changes */
        r.fail_call = UINT32_MAX - 1;
        for (int b = 0; b < BATCHES; b++) {
            wr_batch *in = wr_batch_acquire(r.pool, 2);
            CHECK_FATAL(wr_batch_init_flat(in, &r.inputs[0].schema, ROWS));
            for (uint32_t i = 0; i < ROWS; i++) {
                seed = wr_hash_u64(seed + 1);
                uint32_t g = (uint32_t)(seed % (GROUPS + 1));
                ((int64_t *)in->cols[0].data)[i] = (int64_t)g * 1000003 - 2500000000;
                ((int64_t *)in->cols[1].data)[i] = (int64_t)i;
                if (g == GROUPS) CHECK(wr_vec_set_null(&in->cols[0], i, in->arena));
                count[g]++;
                sum[g] += i;
            }
            in->row_count = ROWS;
            CHECK_OK(&r.ctx, r.op->ops->on_batch(&r.ctx, r.op, 0, in, &r.emit));
            if (b == BATCHES / 2) mallocs = wr_mem_malloc_count();
        }
        CHECK_EQ_UINT(wr_mem_malloc_count() - mallocs, 0);
        r.fail_nth = 0;
        rig_finish(&r);
        const char *p = rig_output(&r);
        uint32_t n = 0;
        for (; mode == 0 && *p; n++) {
            long long k = 0, c, total;
            uint32_t g = GROUPS;
            if (sscanf(p, "+I[null, %lld, %lld]", &c, &total) != 2) {
                CHECK_FATAL(sscanf(p, "+I[%lld, %lld, %lld]", &k, &c, &total) == 3);
                g = (uint32_t)((k + 2500000000) / 1000003);
            }
            CHECK_EQ_INT(c, count[g]);
            CHECK_EQ_INT(total, sum[g]);
            p = strchr(p, ']') + 1;
            p += *p == ' ';
        }
        CHECK_EQ_UINT(n, mode == 0 ? GROUPS + 1 : 0);
        rig_close(&r);
    }
}

CHECK_MAIN()
