/* SPDX-License-Identifier: Apache-2.0 */
/* Operators that start anew from a checkpoint, alone and as two subtasks: what comes out in all is
 * what the undisturbed operator gives, cut anywhere. (The tests of the operators themselves restart
 * them behind every batch as well.) links: op state expr */
#include "expr/expr.h"
#include "unit/op_rig_agg.h"
#include "unit/op_rig_nodes.h"
#include "unit/op_rig_restart.h"

typedef void (*prepare_fn)(rig *r);

/* ---- operators ------------------------------------------------------------------------------- */
static void
group_agg(rig *r)
{
    wr_agg_bound *aggs = WR_NEW_N(r->arena, wr_agg_bound, 3);
    r->inputs[0].schema = rig_schema(r, "k S, v L");
    r->node.schema = rig_schema(r, "k S, c L, s L, d L");
    r->node.kind = WR_P_GROUP_AGG;
    r->node.changelog = WR_CL_ALL;
    aggs[0] = rig_agg(r, &rig_count_ops, -1);
    aggs[1] = rig_agg(r, &rig_sum_ops, 1);
    aggs[2] = rig_agg(r, &rig_count_ops, 1);
    aggs[2].distinct = true;
    r->node.u.agg.keys = rig_cols(r, 1, 0, 0);
    r->node.u.agg.key_count = 1;
    r->node.u.agg.aggs = aggs;
    r->node.u.agg.agg_count = 3;
    r->node.u.agg.retract = true;
    r->node.u.agg.generate_update_before = true;
}
static void
left_join(rig *r)
{
    rig_left_join(r, "k S, v L", "l S, w L", "k S, v L, l S, w L");
}
static void
normalize(rig *r)
{
    rig_normalize(r, "k S, v L");
}
static void
materialize(rig *r)
{
    rig_materialize(r, "k S, v L");
}
static void
conflict(rig *r)
{
    materialize(r);
    r->node.u.materialize.on_conflict = WR_CONFLICT_NOTHING;
}
static void
limit(rig *r)
{
    r->inputs[0].schema = r->node.schema = rig_schema(r, "k S, v L");
    r->inputs[0].changelog = r->node.changelog = WR_CL_I;
    r->node.kind = WR_P_LIMIT;
    r->node.u.limit.offset = 3;
    r->node.u.limit.fetch = 7;
}
static void
temporal_sort(rig *r)
{
    wr_order_key *k = WR_NEW_N(r->arena, wr_order_key, 1);
    r->inputs[0].schema = r->node.schema = rig_schema(r, "k S, v L");
    r->inputs[0].changelog = r->node.changelog = WR_CL_I;
    r->node.kind = WR_P_SORT;
    k[0] = (wr_order_key){.col = 1};
    r->node.u.sort.keys = k;
    r->node.u.sort.key_count = 1;
    r->node.u.sort.temporal = true;
}

/* ---- stories --------------------------------------------------------------------------------- */
static uint64_t seed;
static uint32_t
rnd(uint32_t n)
{
    seed = wr_hash_u64(seed + 1);
    return (uint32_t)(seed % n);
}

#define STEPS 60
typedef struct step { /* a row of one input, or a watermark */
    uint32_t input;
    int64_t watermark; /* 0: a row */
    char row[64];
} step;

typedef struct alive {
    uint32_t n;
    char rows[STEPS][60];
} alive;

/* Rows come and go: a deletion takes back a row that is there. */
static void
make_story(step *story, uint32_t inputs, bool deletes, bool watermarks)
{
    static alive there[2];
    memset(there, 0, sizeof there);
    for (uint32_t i = 0; i < STEPS; i++) {
        step *s = &story[i];
        *s = (step){.input = rnd(inputs)};
        alive *a = &there[s->input];
        if (watermarks && rnd(8) == 0) {
            s->watermark = 1 + i;
        } else if (deletes && a->n && rnd(3) == 0) {
            const uint32_t at = rnd(a->n);
            (void)snprintf(s->row, sizeof s->row, "-D%s", a->rows[at]);
            memmove(a->rows[at], a->rows[--a->n], sizeof a->rows[0]);
        } else {
            char *row = a->rows[a->n++];
            (void)snprintf(row, sizeof a->rows[0], "[key number %u, %u]", rnd(9), rnd(5));
            if (watermarks && !deletes)
                (void)snprintf(row, sizeof a->rows[0], "[k, %u]", i + rnd(9));
            (void)snprintf(s->row, sizeof s->row, "+I%s", row);
        }
    }
}

static void
tell(rig *r, const step *s)
{
    if (s->watermark)
        rig_watermark(r, s->watermark);
    else
        rig_rows(r, s->input, s->row);
}

/* The undisturbed run's changelog; the rig stays open. */
static const char *
undisturbed(rig *r, prepare_fn prepare, const step *story)
{
    rig_open(r);
    prepare(r);
    rig_start(r);
    for (uint32_t i = 0; i < STEPS; i++) tell(r, &story[i]);
    rig_finish(r);
    return rig_output(r);
}

static void
check_cuts(prepare_fn prepare, uint32_t inputs, bool deletes, bool watermarks)
{
    for (uint32_t round = 0; round < 6; round++) {
        step story[STEPS];
        rig whole, cut;
        seed = round * 77 + inputs;
        make_story(story, inputs, deletes, watermarks);
        const char *want = undisturbed(&whole, prepare, story);
        for (uint32_t at = rnd(7); at < STEPS; at += 1 + rnd(13)) {
            rig_open(&cut);
            prepare(&cut);
            rig_start(&cut);
            for (uint32_t i = 0; i < STEPS; i++) {
                if (i == at) rig_restart(&cut);
                tell(&cut, &story[i]);
            }
            rig_finish(&cut);
            CHECK_EQ_STR(rig_output(&cut), want);
            rig_close(&cut);
        }
        rig_close(&whole);
    }
}

/* From the cut on two subtasks share the keys. */
static void
check_rescale(prepare_fn prepare, uint32_t inputs)
{
    static const uint32_t key[] = {0};
    for (uint32_t round = 0; round < 4; round++) {
        step story[STEPS];
        rig whole, cut;
        seed = round * 31 + inputs;
        make_story(story, inputs, true, false);
        const char *want = undisturbed(&whole, prepare, story);
        const uint32_t at = 5 + rnd(STEPS - 10);
        rig_pair pair;
        rig_open(&cut);
        cut.checked = false;
        prepare(&cut);
        rig_start(&cut);
        for (uint32_t i = 0; i < at; i++) tell(&cut, &story[i]);
        rig_split(&cut, &pair);
        for (uint32_t i = at; i < STEPS; i++)
            rig_route(&cut, &pair, story[i].input, key, 1, story[i].row);
        CHECK(pair.state[0]->ops->bytes(pair.state[0]) > 0);
        CHECK_EQ_STR(rig_output(&cut), want);
        rig_unsplit(&cut, &pair);
        rig_close(&cut);
        rig_close(&whole);
    }
}

TEST(cut_anywhere)
{
    check_cuts(group_agg, 1, true, false);
    check_cuts(left_join, 2, true, false);
    check_cuts(normalize, 1, true, false);
    check_cuts(materialize, 1, true, false);
    check_cuts(conflict, 1, true, true);
    check_cuts(limit, 1, false, false);
    check_cuts(temporal_sort, 1, false, true);
}

TEST(two_subtasks_go_on_where_one_was)
{
    check_rescale(group_agg, 1);
    check_rescale(left_join, 2);
    check_rescale(normalize, 1);
    check_rescale(materialize, 1);
}

/* Keys of which changes wait are settled in the order in which they came to wait, by whichever
 * subtask has them now. */
TEST(waiting_keys_are_shared_out)
{
    static const char rows[] = "+I[d, 1] +I[a, 1] +I[c, 1] +I[b, 1] +I[e, 1] +I[g, 1] +I[f, 1]";
    rig r;
    rig_pair pair;
    rig_open(&r);
    r.checked = false;
    conflict(&r);
    rig_start(&r);
    rig_rows(&r, 0, rows);
    rig_split(&r, &pair);
    wr_text want;
    wr_text_init(&want, r.arena);
    for (uint32_t side = 0; side < 2; side++) {
        for (const char *p = rows; *p; p = strchr(p, ']') + 1) { /* those of this side, in order */
            while (*p == ' ') p++;
            const uint32_t col = 0;
            uint64_t hash;
            uint8_t kind;
            wr_batch *b = wr_batch_acquire(r.pool, 2);
            CHECK_FATAL(wr_batch_init_flat(b, &r.inputs[0].schema, 1));
            (void)rig_parse_row(&r, b, &kind, 0, p);
            b->row_count = 1;
            wr_batch_hash(b, &col, 1, &hash);
            wr_batch_release(b);
            if ((uint32_t)(wr_key_group(hash, 128) >= 64) != side) continue;
            wr_text_printf(&want, "%s%.8s", want.len ? " " : "", p);
        }
        rig_select(&r, &pair, side);
        rig_watermark(&r, 1);
    }
    wr_text_putc(&want, 0);
    CHECK_EQ_STR(rig_output(&r), want.ptr);
    rig_unsplit(&r, &pair);
    rig_close(&r);
}

/* ---- numbers in operator state --------------------------------------------------------------- */
TEST(limit_keeps_its_count_at_any_parallelism)
{
    rig r;
    rig_pair pair;
    rig_open(&r);
    r.checked = false;
    limit(&r);
    rig_start(&r);
    rig_rows(&r, 0, "+I[a, 1] +I[a, 2] +I[a, 3] +I[a, 4] +I[a, 5]");
    rig_split(&r, &pair);
    rig_select(&r, &pair, 0);
    rig_rows(&r, 0, "+I[a, 6] +I[a, 7] +I[a, 8] +I[a, 9] +I[a, 10] +I[a, 11]");
    CHECK_EQ_STR(rig_output(&r), "+I[a, 4] +I[a, 5] +I[a, 6] +I[a, 7] +I[a, 8] +I[a, 9] +I[a, 10]");
    rig_unsplit(&r, &pair);
    rig_close(&r);
}

TEST(values_come_once)
{
    for (int restart = 0; restart < 2; restart++) {
        rig r;
        rig_open(&r);
        r.node.kind = WR_P_VALUES;
        r.node.changelog = WR_CL_I;
        r.node.input_count = 0;
        r.node.schema = rig_schema(&r, "a L");
        wr_expr ***rows = WR_NEW_N(r.arena, wr_expr **, 2), *cells[2];
        for (int i = 0; i < 2; i++) {
            wr_value v = wr_value_int(wr_type_of(WR_T_BIGINT, false), i);
            cells[i] = wr_expr_literal(r.arena, &v, WR_NO_SPAN);
            rows[i] = &cells[i];
        }
        r.node.u.values.rows = rows;
        r.node.u.values.row_count = 2;
        rig_start(&r);
        rig_finish(&r);
        if (restart) {
            rig_restart(&r);
            rig_finish(&r);
        }
        CHECK_EQ_STR(rig_output(&r), "+I[0] +I[1]");
        rig_close(&r);
    }
}

static void
watermark(rig *r)
{
    r->inputs[0].schema = r->node.schema = rig_schema(r, "k S, v L");
    r->node.kind = WR_P_WATERMARK;
    r->node.changelog = WR_CL_ALL;
    r->node.u.watermark.col = 1;
    r->node.u.watermark.expr =
        wr_expr_column(r->arena, 1, r->inputs[0].schema.fields[1].type, WR_NO_SPAN);
    r->show_watermarks = true;
}

/* A late row stays late: the watermark goes out again before the first row, or by the timer. */
TEST(watermark_is_kept)
{
    for (int by_timer = 0; by_timer < 2; by_timer++) {
        rig r;
        rig_open(&r);
        watermark(&r);
        rig_start(&r);
        rig_rows(&r, 0, "+I[a, 5]");
        r.timer_ms = 0;
        rig_restart(&r);
        CHECK_EQ_INT(r.timer_ms, r.now_ms);
        if (by_timer) CHECK_OK(&r.ctx, r.op->ops->on_timer(&r.ctx, r.op, r.timer_ms, &r.emit));
        rig_rows(&r, 0, "+I[b, 3] +I[c, 6]");
        CHECK_EQ_STR(rig_output(&r), "+I[a, 5] W5 W5 +I[b, 3] +I[c, 6] W6");
        rig_close(&r);
    }
}

TEST(watermark_of_two_subtasks_is_the_lowest)
{
    rig r;
    rig_open(&r);
    r.checked = false;
    watermark(&r);
    rig_start(&r);
    wr_opstate in = {.arena = r.arena};
    for (int i = 0; i < 3; i++) {
        const uint8_t bytes[8] = {(uint8_t)(9 - i)};
        CHECK_OK(&r.ctx, wr_opstate_add(&r.ctx, &in, WR_STR("watermark"), WR_OPSTATE_UNION,
                                        (wr_str){(const char *)bytes, 8}));
    }
    CHECK_OK(&r.ctx, r.op->ops->restore(&r.ctx, r.op, &in));
    rig_rows(&r, 0, "+I[a, 1]");
    CHECK_EQ_STR(rig_output(&r), "W7 +I[a, 1]");
    wr_opstate bad = {.arena = r.arena};
    CHECK_OK(&r.ctx,
             wr_opstate_add(&r.ctx, &bad, WR_STR("watermark"), WR_OPSTATE_UNION, WR_STR("abc")));
    CHECK_EQ_INT(r.op->ops->restore(&r.ctx, r.op, &bad), WR_CORRUPT);
    rig_close(&r);
}

/* ---- sink ------------------------------------------------------------------------------------ */
typedef struct wr_writer {
    uint32_t rows, restored;
    bool nothing;
} fake_writer;
static fake_writer writer;

static wr_status
sink_open(wr_ctx *ctx, const wr_sink_spec *s, const wr_sink_env *env, wr_writer **out)
{
    (void)ctx, (void)s, (void)env;
    writer = (fake_writer){0};
    *out = &writer;
    return WR_OK;
}
static wr_status
sink_write(wr_ctx *ctx, wr_writer *w, const wr_batch *batch)
{
    (void)ctx;
    w->rows += wr_batch_live(batch);
    return WR_OK;
}
static wr_status
sink_flush(wr_ctx *ctx, wr_writer *w)
{
    (void)ctx, (void)w;
    return WR_OK;
}
static wr_status
sink_prepare(wr_ctx *ctx, wr_writer *w, uint64_t id, wr_arena *a, wr_str *committable)
{
    (void)ctx;
    *committable =
        w->nothing ? WR_STR("") : wr_arena_printf(a, "%u rows at %u", w->rows, (uint32_t)id);
    return WR_OK;
}
static wr_status
sink_snapshot(wr_ctx *ctx, wr_writer *w, uint64_t id, wr_opstate *out)
{
    (void)w, (void)id;
    WR_TRY(wr_opstate_add(ctx, out, WR_STR("committables"), WR_OPSTATE_UNION, WR_STR("mine")));
    return wr_opstate_add(ctx, out, WR_STR("parts"), WR_OPSTATE_LIST, WR_STR("part-0"));
}
static wr_status
sink_restore(wr_ctx *ctx, wr_writer *w, const wr_opstate *in)
{
    (void)ctx;
    const wr_opstate_list *own = wr_opstate_find(in, "committables"),
                          *parts = wr_opstate_find(in, "parts");
    w->restored = in->lists.count;
    if (!own || !parts || own->items.count != 1 || parts->items.count != 1)
        return wr_raise(ctx, WR_CORRUPT, "not what the writer kept");
    CHECK(own->mode == WR_OPSTATE_UNION && parts->mode == WR_OPSTATE_LIST);
    CHECK(wr_str_eq_c(own->items.items[0], "mine"));
    return WR_OK;
}
static void
sink_close(wr_writer *w)
{
    (void)w;
}
static const wr_sink_ops sink_ops = {.abi = WR_ABI,
                                     .name = "fake",
                                     .open = sink_open,
                                     .write = sink_write,
                                     .flush = sink_flush,
                                     .finish = sink_flush,
                                     .prepare = sink_prepare,
                                     .snapshot = sink_snapshot,
                                     .restore = sink_restore,
                                     .close = sink_close};

static void
snapshot_sink(rig *r, uint64_t id, wr_opstate *out, const char *want)
{
    char got[256] = "";
    *out = (wr_opstate){.arena = r->arena};
    CHECK_OK(&r->ctx, r->op->ops->snapshot(&r->ctx, r->op, id, out));
    const wr_opstate_list *list = wr_opstate_find(out, "committables");
    for (uint32_t i = 0; list && i < list->items.count; i++) {
        const wr_str item = list->items.items[i];
        const size_t at = strlen(got);
        CHECK(item.len > 8 && list->mode == WR_OPSTATE_LIST);
        (void)snprintf(got + at, sizeof got - at, "%s%u: %.*s", i ? "; " : "",
                       (uint32_t)wr_load64(item.ptr), (int)item.len - 8, item.ptr + 8);
    }
    CHECK_EQ_STR(got, want);
}

TEST(committables_stay_until_they_are_committed)
{
    rig r;
    wr_opstate s;
    rig_open(&r);
    r.inputs[0].schema = r.node.schema = rig_schema(&r, "k S, v L");
    r.node.kind = WR_P_SINK;
    r.node.changelog = WR_CL_ALL;
    r.node.u.sink.sink = &sink_ops;
    r.node.u.sink.spec.columns = rig_schema(&r, "k S, v L");
    rig_start(&r);
    rig_rows(&r, 0, "+I[a, 1] +I[b, 1]");
    snapshot_sink(&r, 1, &s, "1: 2 rows at 1");
    rig_rows(&r, 0, "+I[a, 1]");
    snapshot_sink(&r, 2, &s, "1: 2 rows at 1; 2: 3 rows at 2");
    CHECK_OK(&r.ctx, r.op->ops->committed(&r.ctx, r.op, 1));
    writer.nothing = true;
    snapshot_sink(&r, 3, &s, "2: 3 rows at 2");
    /* a new operator does not take them over: they are committed before it starts */
    rig_drop(&r);
    CHECK_OK(&r.ctx, wr_state_hashmap_ops.open(&r.ctx, NULL, r.budget, 0, 127, 128, &r.state));
    rig_start(&r);
    CHECK_OK(&r.ctx, r.op->ops->restore(&r.ctx, r.op, &s));
    CHECK_EQ_UINT(writer.restored, 2);
    writer.nothing = true;
    snapshot_sink(&r, 4, &s, "");
    writer.nothing = false;
    snapshot_sink(&r, 5, &s, "5: 0 rows at 5");
    CHECK_OK(&r.ctx, r.op->ops->committed(&r.ctx, r.op, 9)); /* one stands for all before it */
    writer.nothing = true;
    snapshot_sink(&r, 10, &s, "");
    rig_close(&r);
}

CHECK_MAIN()
