/* SPDX-License-Identifier: Apache-2.0 */
/* Operators that mend changelogs: ChangelogNormalize (A10), SinkUpsertMaterializer (A11), ON
 * CONFLICT (A13 and Flink 2.3 runs), DropUpdateBefore. links: op state expr */
#include "expr/expr.h"
#include "unit/op_rig_nodes.h"
#include "unit/op_rig_restart.h"

typedef void (*prepare_fn)(rig *r);

/* `|` in a script is a rising watermark. */
static void
feed(rig *r, const char *script)
{
    char rows[1024];
    int64_t watermark = 0;
    while (*script) {
        size_t n = strcspn(script, "|");
        memcpy(rows, script, n);
        while (n > 0 && rows[n - 1] == ' ') n--;
        rows[n] = 0;
        rig_rows(r, 0, rows);
        script += strcspn(script, "|");
        if (*script != '|') break;
        rig_watermark(r, ++watermark);
        script++;
        while (*script == ' ') script++;
    }
}

typedef struct run_case {
    prepare_fn prepare;
    const char *script;
} run_case;

static void
run(rig *r, const void *arg)
{
    const run_case *c = arg;
    c->prepare(r);
    rig_start(r);
    if (!r->failed) feed(r, c->script);
    if (!r->failed) rig_finish(r);
}

static void
check_changelog(prepare_fn prepare, const char *script, const char *want)
{
    static const uint32_t chunks[] = {0, 1, 2};
    const run_case c = {prepare, script};
    for (uint32_t i = 0; i < WR_COUNT(chunks); i++) {
        for (int full = 0; full < 4; full++) {
            rig r;
            rig_open(&r);
            r.chunk = chunks[i];
            r.full_every = (uint32_t)full % 2;
            r.after_batch = rig_restart_often;
            r.restart_every = (uint32_t)full / 2;
            run(&r, &c);
            CHECK_EQ_STR(rig_output(&r), want);
            rig_close(&r);
        }
    }
    if (strncmp(want, "Primary key", 11) != 0) rig_check_faults(run, &c);
}

/* ---- normalize ------------------------------------------------------------------------------- */
static void
normalize(rig *r)
{
    rig_normalize(r, "k S, v S");
}
static void
normalize_ttl(rig *r)
{
    normalize(r);
    r->node.u.normalize.ttl_ms = 1000000;
}
static void
normalize_upsert(rig *r)
{
    normalize(r);
    r->node.u.normalize.generate_update_before = false;
    r->node.changelog = WR_CL_UPSERT;
}
/* v < 5 */
static void
normalize_where(rig *r)
{
    normalize(r);
    r->inputs[0].schema = r->node.schema = rig_schema(r, "k S, v I");
    wr_value five = wr_value_int(wr_type_of(WR_T_INT, false), 5);
    wr_expr *args[2] = {wr_expr_column(r->arena, 1, wr_type_of(WR_T_INT, true), WR_NO_SPAN),
                        wr_expr_literal(r->arena, &five, WR_NO_SPAN)};
    CHECK_OK(&r->ctx,
             wr_expr_call(&r->ctx, r->arena, &r->eval, wr_fn_find(WR_STR("<")), WR_STR("<"), args,
                          2, NULL, WR_NO_SPAN, &r->node.u.normalize.cond));
}

static const char upserts[] = "+U[k, v1] +U[k, v2] +U[k, v2] -D[k, null] -D[z, null]";

TEST(a10_normalize)
{
    check_changelog(normalize, upserts, "+I[k, v1] -U[k, v1] +U[k, v2] -D[k, v2]");
    check_changelog(normalize_ttl, upserts,
                    "+I[k, v1] -U[k, v1] +U[k, v2] -U[k, v2] +U[k, v2] -D[k, v2]");
    check_changelog(normalize_upsert, upserts, "+I[k, v1] +U[k, v2] -D[k, v2]");
    check_changelog(normalize, "+I[k, v1] +I[k, v2] -D[k, null] +I[k, v1]",
                    "+I[k, v1] -U[k, v1] +U[k, v2] -D[k, v2] +I[k, v1]");
}

TEST(a10c_normalize_with_a_filter)
{
    check_changelog(normalize_where, "+U[k, 1] +U[k, 9] +U[k, 2] -D[k, null]",
                    "+I[k, 1] -D[k, 1] +I[k, 2] -D[k, 2]");
    check_changelog(normalize_where, "+U[k, 7] -D[k, null] +U[k, 3] +U[k, 3] +U[k, 4]",
                    "+I[k, 3] -U[k, 3] +U[k, 4]");
}

TEST(a10d_duplicates)
{
    check_changelog(normalize, "+I[k, v1] +I[k, v1] +U[k, v2] +U[k, v2] -D[k, v2] -D[k, v2]",
                    "+I[k, v1] -U[k, v1] +U[k, v2] -D[k, v2]");
}

/* ---- materialize: (sink key p, upsert key u, value v) ---------------------------------------- */
static void
materialize(rig *r)
{
    rig_materialize(r, "p S, u S, v S");
}
static void
materialize_rows(rig *r)
{
    materialize(r);
    r->node.u.materialize.input_upsert_key = NULL;
}
static void
do_nothing(rig *r)
{
    materialize(r);
    r->node.u.materialize.on_conflict = WR_CONFLICT_NOTHING;
}
static void
do_error(rig *r)
{
    materialize(r);
    r->node.u.materialize.on_conflict = WR_CONFLICT_ERROR;
}

TEST(a11_materialize)
{
    prepare_fn both[] = {materialize, materialize_rows};
    for (int i = 0; i < 2; i++) {
        check_changelog(both[i], "+I[p, u1, a] +I[p, u2, b] -D[p, u2, b] -D[p, u1, a]",
                        "+I[p, u1, a] +U[p, u2, b] +U[p, u1, a] -D[p, u1, a]");
        check_changelog(both[i], "+I[p, u1, a] +I[p, u2, b] -D[p, u1, a] -D[p, u2, b]",
                        "+I[p, u1, a] +U[p, u2, b] -D[p, u2, b]"); /* A11b */
        check_changelog(both[i], "+I[p, u1, a] -U[p, u1, a] +U[p, u1, c] -D[p, u1, c]",
                        "+I[p, u1, a] -D[p, u1, a] +I[p, u1, c] -D[p, u1, c]"); /* A11c */
        check_changelog(both[i], "-D[p, u1, a] +I[p, u1, a]", "+I[p, u1, a]");
    }
}

TEST(materialize_replaces_by_upsert_key)
{
    check_changelog(materialize, "+I[p, u1, a] +I[p, u2, b] +U[p, u1, c] -D[p, u2, b] -D[p, u1, x]",
                    "+I[p, u1, a] +U[p, u2, b] +U[p, u1, c] +U[p, u1, c] -D[p, u1, x]");
}

TEST(materialize_equal_rows_count)
{
    check_changelog(materialize_rows, "+I[p, u, a] +I[p, u, b] +I[p, u, a] -D[p, u, a] -D[p, u, a]",
                    "+I[p, u, a] +U[p, u, b] +U[p, u, a] +U[p, u, b]");
}

TEST(a13_do_nothing)
{
    check_changelog(do_nothing,
                    "+I[Laptop, 1, x] | +I[Phone, 2, x] | +I[Laptop, 3, x] | -D[Laptop, 3, x] |",
                    "+I[Laptop, 1, x] +I[Phone, 2, x]");
    /* Flink 2.3: the second row is not kept for later */
    check_changelog(do_nothing,
                    "+I[L, 1, x] | +I[L, 3, x] | -D[L, 1, x] | +I[L, 5, x] | -D[L, 3, x]",
                    "+I[L, 1, x] -D[L, 1, x] +I[L, 5, x]");
    check_changelog(do_nothing, "+I[L, 1, 5] | -U[L, 1, 5] +U[L, 1, 6] | -U[L, 1, 6] +U[L, 1, 6] |",
                    "+I[L, 1, 5] +U[L, 1, 6]");
    check_changelog(do_nothing, "+I[L, 1, 5] | -U[L, 1, 5] | +U[L, 1, 6] |",
                    "+I[L, 1, 5] -D[L, 1, 5] +I[L, 1, 6]");
    check_changelog(do_nothing, "+I[L, 1, 5] | +I[L, 3, 7] -D[L, 1, 5] |",
                    "+I[L, 1, 5] +U[L, 3, 7]");
    check_changelog(do_nothing, "+I[L, 1, 5] | +U[L, 1, 6] |", "+I[L, 1, 5] +U[L, 1, 6]");
    check_changelog(do_nothing, "-D[L, 9, x] | +I[L, 9, x] |", "+I[L, 9, x]");
    check_changelog(do_nothing, "+I[L, 1, x] -D[L, 1, x] |", "");
}

TEST(a13_do_error)
{
    check_changelog(do_error,
                    "+I[Laptop, 1, x] | +I[Phone, 2, x] | +I[Laptop, 3, x] | -D[Laptop, 3, x] |",
                    "Primary key constraint violation: multiple distinct records with the same "
                    "primary key detected. Conflicting key: [p=Laptop]. Use ON CONFLICT DO NOTHING "
                    "to keep the first record.");
    check_changelog(do_error, "+I[L, 1, 5] | +I[L, 3, 7] -D[L, 1, 5] |", "+I[L, 1, 5] +U[L, 3, 7]");
}

/* ---- drop ------------------------------------------------------------------------------------ */
static void
drop_before(rig *r)
{
    r->inputs[0].schema = r->node.schema = rig_schema(r, "k S, v I");
    r->node.kind = WR_P_DROP_UPDATE_BEFORE;
    r->node.changelog = WR_CL_UPSERT;
}

TEST(drop_update_before)
{
    check_changelog(drop_before, "+I[a, 1] -U[a, 1] +U[a, 2] -U[a, 2] +U[a, 3] -D[a, 3]",
                    "+I[a, 1] +U[a, 2] +U[a, 3] -D[a, 3]");
    check_changelog(drop_before, "-U[a, 1]", "");
}

CHECK_MAIN()
