/* SPDX-License-Identifier: Apache-2.0 */
/* State of one query taken over by another: what is the same is kept, what is wider is converted,
 * what is new begins now, what would be lost is refused. From log and canonical snapshots.
 * links: op state expr */
#include "unit/op_rig_agg.h"
#include "unit/op_rig_nodes.h"
#include "unit/op_rig_restart.h"

typedef void (*prepare_fn)(rig *r);

/* Rows one by one; R: of the second input. */
static void
feed(rig *r, const char *rows)
{
    for (const char *p = rows; *p; p = strchr(p, ']') + 1) {
        while (*p == ' ') p++;
        rig_feed(r, *p == 'R', p + (*p == 'R'), 1);
    }
}

/* A query, rows, a checkpoint; another query, more rows. `want`: all that came out, or why the
 * second could not start. */
static void
check_upgrade(prepare_fn before, const char *first, prepare_fn after, const char *then,
              bool allow_dropped, const char *want)
{
    static const uint8_t kinds[] = {WR_SNAPSHOT_FULL, WR_SNAPSHOT_CANONICAL};
    for (uint32_t i = 0; i < WR_COUNT(kinds); i++) {
        rig r;
        rig_cut cut;
        rig_open(&r);
        r.snapshot_kind = kinds[i];
        before(&r);
        rig_start(&r);
        feed(&r, first);
        rig_snapshot(&r, &cut);
        rig_drop(&r);
        after(&r);
        CHECK_OK(&r.ctx, wr_state_hashmap_ops.open(&r.ctx, NULL, r.budget, 0, 127, 128, &r.state));
        r.env.state = r.state;
        rig_start(&r);
        const wr_state_handle *handle = &cut.keyed;
        const wr_status status =
            r.state->ops->restore(&r.ctx, r.state, &handle, 1, &cut.disk->reader, allow_dropped);
        if (status != WR_OK) {
            CHECK_EQ_STR(r.ctx.err.message, want);
        } else {
            feed(&r, then);
            CHECK_EQ_STR(rig_output(&r), want);
        }
        rig_disk_destroy(cut.disk);
        rig_close(&r);
    }
}

/* ---- aggregates ------------------------------------------------------------------------------ */
/* Letters: c COUNT(*), s SUM(v), w SUM(w), d COUNT(DISTINCT v). */
static void
aggregate(rig *r, const char *in, const char *letters)
{
    wr_agg_bound *aggs = WR_NEW_N(r->arena, wr_agg_bound, 4);
    wr_text out;
    wr_text_init(&out, r->arena);
    r->inputs[0].schema = rig_schema(r, in);
    const bool narrow = r->inputs[0].schema.fields[0].type->id == WR_T_INT;
    wr_text_puts(&out, narrow ? "k I" : "k L");
    memset(&r->node.u, 0, sizeof r->node.u);
    for (uint32_t i = 0; letters[i]; i++) {
        const bool sum = letters[i] == 's' || letters[i] == 'w';
        aggs[i] = rig_agg(r, sum ? &rig_sum_ops : &rig_count_ops,
                          letters[i] == 'c'   ? -1
                          : letters[i] == 'w' ? 2
                                              : 1);
        aggs[i].distinct = letters[i] == 'd';
        wr_text_printf(&out, ", a%u L", i);
        r->node.u.agg.agg_count = i + 1;
    }
    wr_text_putc(&out, 0);
    r->node.schema = rig_schema(r, out.ptr);
    r->node.kind = WR_P_GROUP_AGG;
    r->node.changelog = WR_CL_ALL;
    r->node.u.agg.keys = rig_cols(r, 1, 0, 0);
    r->node.u.agg.key_count = 1;
    r->node.u.agg.aggs = aggs;
    r->node.u.agg.retract = true;
    r->node.u.agg.generate_update_before = true;
}
#define AGG(name, in, letters)                                                                     \
    static void name(rig *r)                                                                       \
    {                                                                                              \
        aggregate(r, in, letters);                                                                 \
    }
AGG(agg_sc, "k I, v I", "sc")
AGG(agg_cws, "k I, v I, w I", "cws")
AGG(agg_c, "k I, v I", "c")
AGG(agg_wide, "k L, v L", "cs")
AGG(agg_d, "k I, v I", "d")
AGG(agg_d_wide, "k I, v L", "dc")

TEST(aggregates_come_and_go)
{
    check_upgrade(agg_sc, "+I[1, 5] +I[1, 6] +I[-2, 1]", agg_cws, "+I[1, 1, 9] -D[-2, 1, 7]", false,
                  "+I[1, 5, 1] -U[1, 5, 1] +U[1, 11, 2] +I[-2, 1, 1] "
                  "-U[1, 2, null, 11] +U[1, 3, 9, 12] -D[-2, 1, null, 1]");
    check_upgrade(agg_sc, "+I[1, 5] +I[1, 6]", agg_c, "+I[1, 1]", true,
                  "+I[1, 5, 1] -U[1, 5, 1] +U[1, 11, 2] -U[1, 2] +U[1, 3]");
    check_upgrade(agg_sc, "+I[1, 5]", agg_c, "+I[1, 1]", false,
                  "the snapshot holds 'SUM(v)' in state 'groups', which is not used any more");
}

TEST(integers_become_wider)
{
    check_upgrade(agg_sc, "+I[1, 5] +I[-1, 6] +I[null, 7]", agg_wide,
                  "+I[1, 1] +I[-1, -6] +I[null, 3000000000] +I[4000000000, 1]", false,
                  "+I[1, 5, 1] +I[-1, 6, 1] +I[null, 7, 1] -U[1, 1, 5] +U[1, 2, 6] "
                  "-U[-1, 1, 6] +U[-1, 2, 0] -U[null, 1, 7] +U[null, 2, 3000000007] "
                  "+I[4000000000, 1, 1]");
    check_upgrade(agg_wide, "+I[1, 1]", agg_sc, "", false,
                  "state 'groups' has keys of other types in the snapshot");
}

TEST(distinct_values_become_wider)
{
    check_upgrade(agg_d, "+I[1, 5] +I[1, 6]", agg_d_wide, "+I[1, 5] +I[1, 7000000000] -D[1, 6]",
                  false,
                  "+I[1, 1] -U[1, 1] +U[1, 2] -U[1, 2, 0] +U[1, 2, 1] -U[1, 2, 1] +U[1, 3, 2] "
                  "-U[1, 3, 2] +U[1, 2, 1]");
}

/* ---- joins ----------------------------------------------------------------------------------- */
static void
join(rig *r, const char *left, const char *right, const char *out, bool unique)
{
    memset(&r->node.u, 0, sizeof r->node.u);
    rig_left_join(r, left, right, out);
    for (int i = 0; i < 2 && unique; i++) {
        r->node.u.join.unique_key[i] = rig_cols(r, 1, 1, 0);
        r->node.u.join.unique_key_count[i] = 1;
    }
}
static void
join_rows(rig *r)
{
    join(r, "k S, v I", "l S, w I", "k S, v I, l S, w I", false);
}
static void
join_rows_more(rig *r) /* a column first, a wider one */
{
    join(r, "k S, x S, v L", "l S, w L", "k S, x S, v L, l S, w L", false);
}
static void
join_unique(rig *r)
{
    join(r, "k S, v I, d D", "l S, w I, n I", "k S, v I, d D, l S, w I, n I", true);
}
static void
join_unique_more(rig *r) /* columns in another order, one gone, one new, a wider key */
{
    join(r, "d D, v L, k S", "l S, w I, y S", "d D, v L, k S, l S, w I, y S", true);
    r->node.u.join.left_keys = rig_cols(r, 1, 2, 0);
}
static void
join_other_key(rig *r)
{
    join(r, "k S, u I, v I", "l S, w I", "k S, u I, v I, l S, w I", true);
}

TEST(rows_of_a_join_get_columns)
{
    check_upgrade(join_rows, "+I[a, 1] +I[a, 1] +I[b, 2] R+I[a, 7]", join_rows_more,
                  "R+I[b, 8000000000] -D[a, null, 1]", false,
                  "+I[a, 1, null, null] +I[a, 1, null, null] +I[b, 2, null, null] "
                  "-D[a, 1, null, null] +I[a, 1, a, 7] -D[a, 1, null, null] +I[a, 1, a, 7] "
                  "-D[b, null, 2, null, null] +I[b, null, 2, b, 8000000000] "
                  "-D[a, null, 1, a, 7]");
    check_upgrade(join_rows_more, "+I[a, x, 1]", join_rows, "", false,
                  "state 'left' has keys of other types in the snapshot");
}

TEST(rows_of_a_join_by_unique_key)
{
    check_upgrade(join_unique, "+I[a, 1, 0.5] R+I[b, 9, 9]", join_unique_more,
                  "R+I[a, 7, new] +I[1.5, 5000000000, b] -D[0.5, 1, a]", true,
                  "+I[a, 1, 0.5, null, null, null] -D[0.5, 1, a, null, null, null] "
                  "+I[0.5, 1, a, a, 7, new] +I[1.5, 5000000000, b, b, 9, null] "
                  "-D[0.5, 1, a, a, 7, new]");
    check_upgrade(join_unique, "+I[a, 1, 0.5]", join_other_key, "", false,
                  "the snapshot holds state 'left by v', which is not used any more");
}

/* ---- normalize ------------------------------------------------------------------------------- */
static void
normalize(rig *r, const char *schema)
{
    memset(&r->node.u, 0, sizeof r->node.u);
    r->node.input_count = 1;
    rig_normalize(r, schema);
}
static void
normalize_int(rig *r)
{
    normalize(r, "k I, v I, s S");
}
static void
normalize_long(rig *r)
{
    normalize(r, "k L, s S, v L, n S");
}
static void
normalize_text(rig *r)
{
    normalize(r, "k I, v S, s S");
}

TEST(rows_of_a_normalization)
{
    check_upgrade(
        normalize_int, "+U[1, -7, a string that is not short] +U[2, null, b]", normalize_long,
        "+U[1, x, 1, y] -D[2, null, null, null]", false,
        "+I[1, -7, a string that is not short] +I[2, null, b] "
        "-U[1, a string that is not short, -7, null] +U[1, x, 1, y] -D[2, b, null, null]");
    check_upgrade(normalize_int, "+U[1, -7, a]", normalize_text, "", false,
                  "state 'rows' has rows of other types in the snapshot");
}

/* ---- said beforehand ------------------------------------------------------------------------- */
static void
check_words(prepare_fn before, prepare_fn after, wr_state_fate want, const char *words)
{
    rig r;
    wr_state_table_info *old, *now;
    uint32_t old_count, now_count;
    wr_state_fate fate = WR_STATE_KEPT;
    bool drops = false;
    wr_text what;
    rig_open(&r);
    wr_text_init(&what, r.arena);
    before(&r);
    CHECK_OK(&r.ctx, wr_op_tables(&r.ctx, r.arena, &r.node, &r.eval, NULL, &old, &old_count));
    after(&r);
    CHECK_OK(&r.ctx, wr_op_tables(&r.ctx, r.arena, &r.node, &r.eval, NULL, &now, &now_count));
    CHECK_OK(&r.ctx, wr_state_compare(&r.ctx, r.arena, old, old_count, now, now_count, &fate,
                                      &drops, &what));
    wr_text_putc(&what, 0);
    CHECK_EQ_INT(fate, want);
    CHECK_EQ_STR(what.ptr, words);
    CHECK_EQ_INT(drops, strstr(words, "dropped ") != NULL);
    rig_close(&r);
}

TEST(what_will_become_of_it)
{
    check_words(agg_sc, agg_sc, WR_STATE_KEPT, "");
    check_words(agg_sc, agg_cws, WR_STATE_MIGRATED, "new SUM(w)");
    check_words(agg_cws, agg_c, WR_STATE_MIGRATED, "dropped SUM(w); dropped SUM(v)");
    check_words(agg_sc, agg_wide, WR_STATE_MIGRATED, "converted keys of groups (k INT -> BIGINT)");
    check_words(agg_wide, agg_sc, WR_STATE_REFUSED,
                "impossible: state 'groups' has keys of other types in the snapshot (k BIGINT -> "
                "INT)");
    check_words(
        join_rows, join_rows_more, WR_STATE_MIGRATED,
        "converted keys of left (new x, v INT -> BIGINT); converted keys of right (w INT -> "
        "BIGINT)");
    check_words(join_unique, join_other_key, WR_STATE_MIGRATED,
                "new left by u; converted row (without n); dropped left by v");
    check_words(normalize_int, normalize_text, WR_STATE_REFUSED,
                "impossible: state 'rows' has rows of other types in the snapshot");
}

CHECK_MAIN()
