/* SPDX-License-Identifier: Apache-2.0 */
/* Operators without state: calc, values, union, watermark, expand, correlate, sink, collect.
 * links: op state expr */
#include "expr/expr.h"
#include "plan/changelog_fn.h"
#include "unit/op_rig.h"

static wr_expr *
column(rig *r, uint32_t i)
{
    return wr_expr_column(r->arena, i, r->inputs[0].schema.fields[i].type, WR_NO_SPAN);
}

static wr_expr *
number(rig *r, int64_t n)
{
    wr_value v = wr_value_int(wr_type_of(WR_T_INT, false), n);
    return wr_expr_literal(r->arena, &v, WR_NO_SPAN);
}

static wr_expr *
call(rig *r, const char *name, wr_expr *a, wr_expr *b)
{
    wr_expr *args[2] = {a, b}, *out = NULL;
    CHECK_OK(&r->ctx, wr_expr_call(&r->ctx, r->arena, &r->eval, wr_fn_find(wr_str_c(name)),
                                   wr_str_c(name), args, 2, NULL, WR_NO_SPAN, &out));
    return out;
}

static wr_expr **
list(rig *r, uint32_t n, wr_expr *a, wr_expr *b, wr_expr *c)
{
    wr_expr **e = WR_NEW_N(r->arena, wr_expr *, n + 1);
    wr_expr *all[3] = {a, b, c};
    for (uint32_t i = 0; i < n; i++) e[i] = all[i];
    return e;
}

typedef void (*prepare_fn)(rig *r);
typedef struct run_case {
    prepare_fn prepare;
    const char *in;
} run_case;

static void
run(rig *r, const void *arg)
{
    const run_case *c = arg;
    c->prepare(r);
    rig_start(r);
    if (!r->failed) rig_rows(r, 0, c->in);
    if (!r->failed) rig_finish(r);
}

static void
check_rows(prepare_fn prepare, const char *in, const char *want)
{
    static const uint32_t chunks[] = {0, 1, 2};
    const run_case c = {prepare, in};
    for (uint32_t i = 0; i < WR_COUNT(chunks); i++) {
        for (int full = 0; full < 2; full++) {
            rig r;
            rig_open(&r);
            r.chunk = chunks[i];
            r.full_every = full ? 1 : 0;
            run(&r, &c);
            CHECK_EQ_STR(rig_output(&r), want);
            rig_close(&r);
        }
    }
    if (want[0] != 'R' && want[0] != 'C') rig_check_faults(run, &c); /* not for error texts */
}

/* ---- calc ------------------------------------------------------------------------------------ */
static void
calc(rig *r)
{
    r->inputs[0].schema = rig_schema(r, "s S, v I");
    r->node.schema = rig_schema(r, "v I, s S");
    r->node.kind = WR_P_CALC;
    r->node.changelog = WR_CL_ALL;
    r->node.u.calc.exprs = list(r, 2, column(r, 1), column(r, 0), NULL);
}
static void
filter(rig *r)
{
    calc(r);
    r->node.u.calc.cond = call(r, "<", column(r, 1), number(r, 5));
}

TEST(calc_projects)
{
    check_rows(calc, "+I[a, 1] -U[a, 1] +U[null, 2] -D[a string longer than twelve, null]",
               "+I[1, a] -U[1, a] +U[2, null] -D[null, a string longer than twelve]");
}

TEST(a22_filter_keeps_kinds)
{
    check_rows(filter, "+I[a, 1] -U[a, 1] +U[a, 9] -U[a, 9] +U[a, 2]",
               "+I[1, a] -U[1, a] +U[2, a]");
    check_rows(filter, "+I[a, 7] +I[b, null]", "");
}

/* ---- FROM_CHANGELOG, TO_CHANGELOG ------------------------------------------------------------ */
static wr_changelog_code codes[] = {{{"INSERT", 6}, WR_INSERT},
                                    {{"before", 6}, WR_UPDATE_BEFORE},
                                    {{"a longer code", 13}, WR_UPDATE_AFTER},
                                    {{"r", 1}, WR_INSERT},
                                    {{"DELETE", 6}, WR_DELETE}};
static wr_changelog_spec from_spec = {
    .from = true, .op_col = 1, .time_col = -1, .codes = codes, .code_count = 5};
static wr_changelog_spec to_spec = {.time_col = -1, .codes = codes + 1, .code_count = 2};

static void
from_changelog(rig *r)
{
    r->inputs[0].schema = rig_schema(r, "v I, op S, s S");
    r->node.schema = rig_schema(r, "v I, s S");
    r->node.kind = WR_P_CHANGELOG;
    r->node.changelog = WR_CL_ALL;
    r->node.u.changelog = &from_spec;
}

static void
to_changelog(rig *r)
{
    r->inputs[0].schema = rig_schema(r, "v I, s S");
    r->node.schema = rig_schema(r, "op S, v I, s S");
    r->node.kind = WR_P_CHANGELOG;
    r->node.changelog = WR_CL_I;
    r->node.u.changelog = &to_spec;
}

TEST(codes_become_kinds)
{
    check_rows(from_changelog,
               "+I[1, INSERT, x] +I[2, r, null] +I[1, before, x] +I[null, a longer code, y] "
               "+I[2, DELETE, z]",
               "+I[1, x] +I[2, null] -U[1, x] +U[null, y] -D[2, z]");
    check_rows(from_changelog, "", "");
    check_rows(from_changelog, "+I[1, delete, x]",
               "Received invalid op code 'delete'. Defined op codes are: [INSERT, before, a longer "
               "code, r, DELETE].");
    check_rows(from_changelog, "+I[1, null, x]",
               "Received NULL op code. Every changelog row must carry an operation code.");
}

TEST(kinds_become_codes)
{
    check_rows(to_changelog, "+I[1, x] -U[1, x] +U[null, y] -D[2, z] -U[3, null]",
               "+I[before, 1, x] +I[a longer code, null, y] +I[before, 3, null]");
    check_rows(to_changelog, "+I[1, x]", "");
}

/* ---- values ---------------------------------------------------------------------------------- */
TEST(values)
{
    for (int full = 0; full < 2; full++) {
        rig r;
        rig_open(&r);
        r.full_every = (uint32_t)full;
        r.node.kind = WR_P_VALUES;
        r.node.changelog = WR_CL_I;
        r.node.input_count = 0;
        r.node.schema = rig_schema(&r, "a I, b I");
        enum { N = 5000 };
        wr_expr ***rows = WR_NEW_N(r.arena, wr_expr **, N);
        for (int64_t i = 0; i < N; i++) {
            wr_value null = wr_value_null(wr_type_of(WR_T_INT, true));
            wr_expr *b = i % 2 ? wr_expr_literal(r.arena, &null, WR_NO_SPAN) : number(&r, i);
            rows[i] = list(&r, 2, number(&r, i), b, NULL);
        }
        r.node.u.values.rows = rows;
        r.node.u.values.row_count = N;
        rig_start(&r);
        rig_finish(&r);
        const char *p = rig_output(&r);
        for (int i = 0; i < N; i++) {
            char want[64];
            if (i % 2)
                (void)snprintf(want, sizeof want, "+I[%d, null]", i);
            else
                (void)snprintf(want, sizeof want, "+I[%d, %d]", i, i);
            CHECK_FATAL(strncmp(p, want, strlen(want)) == 0);
            p += strlen(want);
            p += *p == ' ';
        }
        CHECK_EQ_INT(*p, 0);
        rig_close(&r);
    }
}

/* ---- watermark ------------------------------------------------------------------------------- */
static void
watermark(rig *r)
{
    r->inputs[0].schema = r->node.schema = rig_schema(r, "id I, ts L");
    r->node.kind = WR_P_WATERMARK;
    r->node.changelog = WR_CL_ALL;
    r->node.u.watermark.col = 1;
    r->node.u.watermark.expr = column(r, 1);
    r->show_watermarks = true;
}
static void
watermark_interval(rig *r)
{
    watermark(r);
    r->chunk = 0;
    r->node.u.watermark.interval_ms = 200;
}

TEST(watermark_after_every_row)
{
    check_rows(watermark, "+I[1, 5] +I[2, 3] +I[3, 7] +I[4, 7] +I[5, 9]",
               "+I[1, 5] W5 +I[2, 3] +I[3, 7] W7 +I[4, 7] +I[5, 9] W9");
    check_rows(watermark, "+I[1, null]",
               "RowTime field should not be null, please convert it to a non-null long value.");
}

TEST(watermark_after_the_batch)
{
    check_rows(watermark_interval, "+I[1, 5] +I[2, 3] +I[3, 7] +I[4, 2]",
               "+I[1, 5] +I[2, 3] +I[3, 7] +I[4, 2] W7");
}

TEST(watermark_from_upstream_is_dropped)
{
    rig r;
    rig_open(&r);
    watermark(&r);
    rig_start(&r);
    int64_t forward = 100;
    CHECK_OK(&r.ctx, r.op->ops->on_watermark(&r.ctx, r.op, 100, &r.emit, &forward));
    CHECK_EQ_INT(forward, INT64_MIN);
    forward = INT64_MAX;
    CHECK_OK(&r.ctx, r.op->ops->on_watermark(&r.ctx, r.op, INT64_MAX, &r.emit, &forward));
    CHECK_EQ_INT(forward, INT64_MAX);
    rig_close(&r);
}

/* ---- union, collect -------------------------------------------------------------------------- */
TEST(union_passes_all_inputs)
{
    rig r;
    rig_open(&r);
    r.inputs[0].schema = r.inputs[1].schema = r.node.schema = rig_schema(&r, "a I");
    r.node.input_count = 2;
    r.node.kind = WR_P_UNION;
    r.node.changelog = WR_CL_ALL;
    rig_start(&r);
    rig_rows(&r, 0, "+I[1] -U[1]");
    rig_rows(&r, 1, "+I[2]");
    rig_rows(&r, 0, "+U[3]");
    rig_finish(&r);
    CHECK_EQ_STR(rig_output(&r), "+I[1] -U[1] +I[2] +U[3]");
    rig_close(&r);
}

static wr_status
take_rows(wr_ctx *ctx, void *arg, const wr_batch *batch)
{
    (void)ctx;
    rig_print_batch(arg, batch);
    return WR_OK;
}

TEST(collect_gives_rows_to_the_session)
{
    rig r;
    rig_open(&r);
    wr_collect_target target = {take_rows, &r};
    r.env.collect = &target;
    r.inputs[0].schema = r.node.schema = rig_schema(&r, "a I");
    r.node.kind = WR_P_COLLECT;
    r.node.changelog = WR_CL_ALL;
    rig_start(&r);
    rig_rows(&r, 0, "+I[1] -D[1]");
    CHECK_EQ_STR(rig_output(&r), "+I[1] -D[1]");
    rig_close(&r);
}

/* ---- expand ---------------------------------------------------------------------------------- */
static void
expand(rig *r)
{
    r->inputs[0].schema = rig_schema(r, "s S, v I");
    r->node.schema = rig_schema(r, "s S, v I, e I");
    r->node.kind = WR_P_EXPAND;
    r->node.changelog = WR_CL_ALL;
    wr_value null = wr_value_null(wr_type_string(true));
    wr_expr ***rows = WR_NEW_N(r->arena, wr_expr **, 2);
    rows[0] = list(r, 3, column(r, 0), column(r, 1), number(r, 0));
    rows[1] = list(r, 3, wr_expr_literal(r->arena, &null, WR_NO_SPAN), column(r, 1), number(r, 1));
    r->node.u.expand.rows = rows;
    r->node.u.expand.set_count = 2;
}

TEST(expand_row_by_row)
{
    check_rows(expand, "+I[a, 1] -D[a long string of a row, null]",
               "+I[a, 1, 0] +I[null, 1, 1] -D[a long string of a row, null, 0] "
               "-D[null, null, 1]");
}

/* ---- correlate: a table function that gives 0, 1, 2, ... below its argument ------------------ */
static wr_status
count_up(wr_fn_call *c, uint32_t row, uint64_t *pos, wr_vec *out, uint32_t *out_rows, uint32_t room,
         bool *done)
{
    const wr_view v = wr_vec_view(c->args[0]);
    uint64_t n = wr_view_valid(&v, row) ? (uint64_t)WR_VIEW(&v, int32_t, row) : 0;
    while (*pos < n && room-- > 0) ((int32_t *)out[0].data)[(*out_rows)++] = (int32_t)(*pos)++;
    *done = *pos == n;
    return WR_OK;
}
static const wr_tablefn_ops count_up_ops = {.abi = WR_ABI, .name = "COUNT_UP", .expand = count_up};
static const wr_fn count_up_fn = {.name = "COUNT_UP", .kind = WR_FN_TABLE, .table = &count_up_ops};

static void
correlate(rig *r)
{
    r->inputs[0].schema = rig_schema(r, "s S, n I");
    r->node.schema = rig_schema(r, "s S, n I, i I");
    r->node.kind = WR_P_CORRELATE;
    r->node.changelog = WR_CL_ALL;
    wr_expr *e = WR_NEW(r->arena, wr_expr);
    e->kind = WR_EX_CALL;
    e->fn = &count_up_fn;
    e->args = list(r, 1, column(r, 1), NULL, NULL);
    e->arg_count = 1;
    r->node.u.correlate.call = e;
    r->node.u.correlate.type = WR_JOIN_INNER;
}
static void
correlate_left(rig *r)
{
    correlate(r);
    r->node.u.correlate.type = WR_JOIN_LEFT;
}
static void
correlate_where(rig *r)
{
    correlate_left(r); /* i >= 1 */
    wr_expr *i = wr_expr_column(r->arena, 2, wr_type_of(WR_T_INT, true), WR_NO_SPAN);
    r->node.u.correlate.cond = call(r, ">=", i, number(r, 1));
}

TEST(t047_correlate)
{
    check_rows(correlate, "+I[a, 2] -D[b, 0] +U[c, null] -U[a string longer than 12, 1]",
               "+I[a, 2, 0] +I[a, 2, 1] -U[a string longer than 12, 1, 0]");
    check_rows(correlate_left, "+I[a, 2] -D[b, 0] +U[c, null] +I[d, 1]",
               "+I[a, 2, 0] +I[a, 2, 1] -D[b, 0, null] +U[c, null, null] +I[d, 1, 0]");
    check_rows(correlate_where, "+I[a, 3] -D[b, 1] +I[c, 0]",
               "+I[a, 3, 1] +I[a, 3, 2] -D[b, 1, null] +I[c, 0, null]");
}

TEST(correlate_explodes)
{
    for (int where = 0; where < 2; where++) {
        rig r;
        rig_open(&r);
        r.full_every = 1;
        (where ? correlate_where : correlate)(&r);
        rig_start(&r);
        rig_rows(&r, 0, "+I[a, 10000] +I[b, 4096] +I[c, 1]");
        rig_finish(&r);
        CHECK(!r.failed);
        uint32_t n = 0;
        for (const char *p = rig_output(&r); *p; p++) n += *p == ']';
        CHECK_EQ_UINT(n, where ? 9999 + 4095 + 1 : 10000 + 4096 + 1);
        rig_close(&r);
    }
}

/* ---- sink ------------------------------------------------------------------------------------ */
typedef struct wr_writer {
    rig *r;
    bool flushed, finished;
} fake_writer;
static fake_writer writer;

static wr_status
sink_open(wr_ctx *ctx, const wr_sink_spec *s, const wr_sink_env *env, wr_writer **out)
{
    (void)ctx, (void)s;
    writer = (fake_writer){.r = env->arg};
    *out = &writer;
    return WR_OK;
}
static wr_status
sink_write(wr_ctx *ctx, wr_writer *w, const wr_batch *batch)
{
    (void)ctx;
    if (!w->r->fail_nth) rig_print_batch(w->r, batch);
    return WR_OK;
}
static wr_status
sink_flush(wr_ctx *ctx, wr_writer *w)
{
    (void)ctx;
    w->flushed = true;
    return WR_OK;
}
static wr_status
sink_finish(wr_ctx *ctx, wr_writer *w)
{
    (void)ctx;
    CHECK(w->flushed);
    w->finished = true;
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
                                     .finish = sink_finish,
                                     .close = sink_close};

static void
sink_of(rig *r, const char *table)
{
    static wr_sink_env env;
    env = (wr_sink_env){.arg = r};
    r->env.sink = &env;
    r->inputs[0].schema = r->node.schema = rig_schema(r, "id I, s S");
    r->node.kind = WR_P_SINK;
    r->node.changelog = WR_CL_ALL;
    r->node.u.sink.sink = &sink_ops;
    wr_schema columns = rig_schema(r, "id I, s S");
    wr_field *f = WR_NEW_N(r->arena, wr_field, 2);
    memcpy(f, columns.fields, 2 * sizeof *f);
    const bool not_null = strstr(table, "NOT NULL") != NULL;
    if (strstr(table, "VARCHAR"))
        f[1].type = wr_type_char(r->arena, WR_T_VARCHAR, 4, !not_null);
    else if (strstr(table, "CHAR"))
        f[1].type = wr_type_char(r->arena, WR_T_CHAR, 4, !not_null);
    else if (not_null)
        f[1].type = wr_type_string(false);
    r->node.u.sink.spec.columns = (wr_schema){f, 2};
}
static void
sink_plain(rig *r)
{
    sink_of(r, "");
}
static void
sink_upsert(rig *r)
{
    sink_of(r, "");
    r->node.u.sink.drop_update_before = true;
}
static void
sink_not_null(rig *r)
{
    sink_of(r, "NOT NULL");
}
static void
sink_not_null_drop(rig *r)
{
    sink_of(r, "NOT NULL");
    r->node.u.sink.not_null = 1;
}
static void
sink_varchar(rig *r)
{
    sink_of(r, "VARCHAR");
    r->node.u.sink.length = 1;
}
static void
sink_char(rig *r)
{
    sink_of(r, "CHAR");
    r->node.u.sink.length = 1;
}

TEST(sink_writes)
{
    check_rows(sink_plain, "+I[1, a] -U[1, a] +U[1, null]", "+I[1, a] -U[1, a] +U[1, null]");
    CHECK(writer.finished);
    check_rows(sink_upsert, "+I[1, a] -U[1, a] +U[1, null] -D[1, null]",
               "+I[1, a] +U[1, null] -D[1, null]");
}

TEST(sink_enforces_not_null)
{
    check_rows(sink_not_null, "+I[3, null]",
               "Column 's' is NOT NULL, however, a null value is being written into it. You can "
               "set job configuration 'table.exec.sink.not-null-enforcer'='DROP' to suppress this "
               "exception and drop such records silently.");
    check_rows(sink_not_null_drop, "+I[1, a] +I[2, null] -D[3, null] +I[4, d]",
               "+I[1, a] +I[4, d]");
}

TEST(sink_trims_and_pads)
{
    check_rows(sink_varchar, "+I[1, abcdef] +I[2, abc] +I[3, null] +I[4, äöüßx]",
               "+I[1, abcd] +I[2, abc] +I[3, null] +I[4, äöüß]");
    check_rows(sink_char, "+I[1, abcdef] +I[2, ab] +I[3, abcd]",
               "+I[1, abcd] +I[2, ab  ] +I[3, abcd]");
}

CHECK_MAIN()
