/* SPDX-License-Identifier: Apache-2.0 */
/* The multi-way join: changelogs of Flink 2.3 runs, in batches of every size, restarted behind
 * every batch, with allocations that fail; at random, the output's content against a naive join of
 * the inputs' content. links: op state expr */
#include "expr/expr.h"
#include "plan/multi.h"
#include "unit/op_rig_restart.h"

typedef struct spec {
    uint8_t type[3]; /* of inputs 1 and 2 */
    bool less;       /* input 1: v0 < v1 too */
    bool chained;    /* input 2 is compared with input 1, not with input 0 */
    bool unique;     /* by the second column */
    bool keyless;
    int64_t ttl;
} spec;

/* column a `name` column b */
static wr_expr *
compare(rig *r, const char *name, uint32_t a, uint32_t b)
{
    const wr_type *t = wr_type_of(WR_T_INT, true);
    wr_expr *args[2] = {wr_expr_column(r->arena, a, t, WR_NO_SPAN),
                        wr_expr_column(r->arena, b, t, WR_NO_SPAN)};
    wr_expr *out = NULL;
    CHECK_OK(&r->ctx, wr_expr_call(&r->ctx, r->arena, &r->eval, wr_fn_find(wr_str_c(name)),
                                   wr_str_c(name), args, 2, NULL, WR_NO_SPAN, &out));
    return out;
}

/* Three inputs (k, v), joined by k. */
static void
prepare(rig *r, const spec *s)
{
    wr_multi_input *in = WR_NEW_N(r->arena, wr_multi_input, 3);
    wr_multi_spec *m = WR_NEW(r->arena, wr_multi_spec);
    *m = (wr_multi_spec){.key_count = !s->keyless, .inputs = in};
    uint32_t *need = rig_cols(r, 1, 1, 0);
    for (uint32_t i = 0; i < 3; i++) {
        r->inputs[i].schema = rig_schema(r, "k I, v I");
        r->inputs[i].changelog = WR_CL_ALL;
        in[i] = (wr_multi_input){.type = i ? s->type[i] : (uint8_t)WR_JOIN_INNER,
                                 .first = 2 * i,
                                 .keys = rig_cols(r, 1, 0, 0),
                                 .equal_left = rig_cols(r, 1, i == 2 && s->chained ? 2 : 0, 0),
                                 .equal_own = rig_cols(r, 1, 0, 0),
                                 .equal_count = i > 0 && !s->keyless,
                                 .needs = need,
                                 .ttl_ms = s->ttl};
        if (s->unique) {
            in[i].unique_key = rig_cols(r, 1, 1, 0);
            in[i].unique_key_count = 1;
        }
    }
    if (s->less) in[1].cond = compare(r, "<", 1, 3);
    if (s->keyless) in[2].cond = compare(r, "<", 1, 5);
    in[2].need_count = s->chained && s->type[1] == WR_JOIN_LEFT;
    r->node.input_count = 3;
    r->node.schema = rig_schema(r, "k I, v I, k0 I, v0 I, k1 I, v1 I");
    r->node.kind = WR_P_MULTI_JOIN;
    r->node.changelog = WR_CL_ALL;
    r->node.u.multi = m;
}

/* "A+I[1, 5]": a row of input 0; B and C: of 1 and 2. */
static void
feed(rig *r, const char *script)
{
    char rows[8192];
    while (*script) {
        const char side = *script;
        size_t n = 0;
        while (*script == side) { /* a run of one input */
            const char *end = strchr(script, ']') + 1;
            memcpy(rows + n, script + 1, (size_t)(end - script - 1));
            n += (size_t)(end - script - 1);
            rows[n++] = ' ';
            script = end;
            while (*script == ' ') script++;
        }
        rows[n] = 0;
        rig_rows(r, (uint32_t)(side - 'A'), rows);
    }
}

typedef struct run_case {
    spec s;
    const char *script;
} run_case;

static void
run(rig *r, const void *arg)
{
    const run_case *c = arg;
    prepare(r, &c->s);
    rig_start(r);
    if (!r->failed) feed(r, c->script);
    if (!r->failed) rig_finish(r);
}

static void
check_changelog(spec s, const char *script, const char *want)
{
    for (uint32_t way = 0; way < 12; way++) {
        run_case c = {s, script};
        rig r;
        rig_open(&r);
        r.chunk = way % 4;
        r.full_every = way % 3 == 2;
        r.after_batch = rig_restart_often;
        r.restart_every = way / 4;
        run(&r, &c);
        CHECK_EQ_STR(rig_output(&r), want);
        rig_close(&r);
    }
    run_case c = {s, script};
    rig_check_faults(run, &c);
}

static const char story[] =
    "A+I[1, 1] B+I[1, 5] C+I[1, 7] C+I[1, 8] A+I[1, 6] A+I[null, 3] B+I[null, 4] B+I[1, 5] "
    "B+I[1, 9] C-D[1, 7] B-D[1, 5] B-U[1, 9] B+U[1, 2] C-D[1, 8] C-D[3, 3] A-U[1, 1] A+U[1, 0] "
    "B-D[1, 5] B-D[1, 2] B-D[1, 77] A-D[1, 0] A-D[1, 6] A-D[null, 3] A+I[2, 1] C+I[2, 3] "
    "C+I[2, 4] B+I[2, 4] C-D[2, 3] C-D[2, 4] B-D[2, 4]";
/* every row of an input has its own v */
static const char keyed[] =
    "A+I[1, 1] B+I[1, 5] C+I[1, 7] C+I[1, 8] A+I[1, 6] A+I[1, 2] B+I[1, 9] B+I[1, 3] C-D[1, 7] "
    "B-D[1, 5] B-U[1, 9] B+U[1, 2] C-D[1, 8] A-U[1, 1] A+U[2, 1] B-D[1, 3] B-D[1, 2] A-D[2, 1] "
    "A-D[1, 6] A+I[2, 7] C+I[2, 3] C+I[2, 4] B+I[2, 4] C-D[2, 3] C-D[2, 4] B-D[2, 4]";

TEST(left_left)
{
    spec s = {.type = {0, WR_JOIN_LEFT, WR_JOIN_LEFT}};
    check_changelog(s, story,
                    "+I[1, 1, null, null, null, null] -D[1, 1, null, null, null, null] +I[1, 1, "
                    "1, 5, null, null] -D[1, 1, 1, 5, null, null] +I[1, 1, 1, 5, 1, 7] +I[1, 1, "
                    "1, 5, 1, 8] +I[1, 6, 1, 5, 1, 7] +I[1, 6, 1, 5, 1, 8] +I[null, 3, null, "
                    "null, null, null] +I[1, 6, 1, 5, 1, 7] +I[1, 6, 1, 5, 1, 8] +I[1, 1, 1, 5, "
                    "1, 7] +I[1, 1, 1, 5, 1, 8] +I[1, 6, 1, 9, 1, 7] +I[1, 6, 1, 9, 1, 8] +I[1, "
                    "1, 1, 9, 1, 7] +I[1, 1, 1, 9, 1, 8] -D[1, 6, 1, 5, 1, 7] -D[1, 6, 1, 5, 1, "
                    "7] -D[1, 6, 1, 9, 1, 7] -D[1, 1, 1, 5, 1, 7] -D[1, 1, 1, 5, 1, 7] -D[1, 1, "
                    "1, 9, 1, 7] -D[1, 6, 1, 5, 1, 8] -D[1, 1, 1, 5, 1, 8] -U[1, 6, 1, 9, 1, 8] "
                    "-U[1, 1, 1, 9, 1, 8] +U[1, 6, 1, 2, 1, 8] +U[1, 1, 1, 2, 1, 8] -D[1, 6, 1, "
                    "5, 1, 8] +I[1, 6, 1, 5, null, null] -D[1, 6, 1, 2, 1, 8] +I[1, 6, 1, 2, "
                    "null, null] -D[1, 1, 1, 5, 1, 8] +I[1, 1, 1, 5, null, null] -D[1, 1, 1, 2, "
                    "1, 8] +I[1, 1, 1, 2, null, null] -U[1, 1, 1, 5, null, null] -U[1, 1, 1, 2, "
                    "null, null] +U[1, 0, 1, 5, null, null] +U[1, 0, 1, 2, null, null] -D[1, 6, "
                    "1, 5, null, null] -D[1, 0, 1, 5, null, null] -D[1, 6, 1, 2, null, null] "
                    "+I[1, 6, null, null, null, null] -D[1, 0, 1, 2, null, null] +I[1, 0, null, "
                    "null, null, null] -D[1, 6, 1, 77, null, null] -D[1, 0, 1, 77, null, null] "
                    "-D[1, 0, null, null, null, null] -D[1, 6, null, null, null, null] -D[null, "
                    "3, null, null, null, null] +I[2, 1, null, null, null, null] -D[2, 1, null, "
                    "null, null, null] +I[2, 1, null, null, 2, 3] +I[2, 1, null, null, 2, 4] "
                    "-D[2, 1, null, null, 2, 3] -D[2, 1, null, null, 2, 4] +I[2, 1, 2, 4, 2, 3] "
                    "+I[2, 1, 2, 4, 2, 4] -D[2, 1, 2, 4, 2, 3] -D[2, 1, 2, 4, 2, 4] +I[2, 1, 2, "
                    "4, null, null] -D[2, 1, 2, 4, null, null] +I[2, 1, null, null, null, null]");
    s.unique = true;
    check_changelog(s, keyed,
                    "+I[1, 1, null, null, null, null] -D[1, 1, null, null, null, null] +I[1, 1, "
                    "1, 5, null, null] -D[1, 1, 1, 5, null, null] +I[1, 1, 1, 5, 1, 7] +I[1, 1, "
                    "1, 5, 1, 8] +I[1, 6, 1, 5, 1, 7] +I[1, 6, 1, 5, 1, 8] +I[1, 2, 1, 5, 1, 7] "
                    "+I[1, 2, 1, 5, 1, 8] +I[1, 2, 1, 9, 1, 7] +I[1, 2, 1, 9, 1, 8] +I[1, 1, 1, "
                    "9, 1, 7] +I[1, 1, 1, 9, 1, 8] +I[1, 6, 1, 9, 1, 7] +I[1, 6, 1, 9, 1, 8] "
                    "+I[1, 2, 1, 3, 1, 7] +I[1, 2, 1, 3, 1, 8] +I[1, 1, 1, 3, 1, 7] +I[1, 1, 1, "
                    "3, 1, 8] +I[1, 6, 1, 3, 1, 7] +I[1, 6, 1, 3, 1, 8] -D[1, 2, 1, 3, 1, 7] "
                    "-D[1, 2, 1, 9, 1, 7] -D[1, 2, 1, 5, 1, 7] -D[1, 1, 1, 3, 1, 7] -D[1, 1, 1, "
                    "9, 1, 7] -D[1, 1, 1, 5, 1, 7] -D[1, 6, 1, 3, 1, 7] -D[1, 6, 1, 9, 1, 7] "
                    "-D[1, 6, 1, 5, 1, 7] -D[1, 2, 1, 5, 1, 8] -D[1, 1, 1, 5, 1, 8] -D[1, 6, 1, "
                    "5, 1, 8] -U[1, 2, 1, 9, 1, 8] -U[1, 1, 1, 9, 1, 8] -U[1, 6, 1, 9, 1, 8] "
                    "+U[1, 2, 1, 2, 1, 8] +U[1, 1, 1, 2, 1, 8] +U[1, 6, 1, 2, 1, 8] -D[1, 2, 1, "
                    "3, 1, 8] +I[1, 2, 1, 3, null, null] -D[1, 2, 1, 2, 1, 8] +I[1, 2, 1, 2, "
                    "null, null] -D[1, 1, 1, 3, 1, 8] +I[1, 1, 1, 3, null, null] -D[1, 1, 1, 2, "
                    "1, 8] +I[1, 1, 1, 2, null, null] -D[1, 6, 1, 3, 1, 8] +I[1, 6, 1, 3, null, "
                    "null] -D[1, 6, 1, 2, 1, 8] +I[1, 6, 1, 2, null, null] -U[1, 1, 1, 3, null, "
                    "null] -U[1, 1, 1, 2, null, null] +U[2, 1, null, null, null, null] -D[1, 2, "
                    "1, 3, null, null] -D[1, 6, 1, 3, null, null] -D[1, 2, 1, 2, null, null] "
                    "+I[1, 2, null, null, null, null] -D[1, 6, 1, 2, null, null] +I[1, 6, null, "
                    "null, null, null] -D[2, 1, null, null, null, null] -D[1, 6, null, null, "
                    "null, null] +I[2, 7, null, null, null, null] -D[2, 7, null, null, null, "
                    "null] +I[2, 7, null, null, 2, 3] +I[2, 7, null, null, 2, 4] -D[2, 7, null, "
                    "null, 2, 3] -D[2, 7, null, null, 2, 4] +I[2, 7, 2, 4, 2, 3] +I[2, 7, 2, 4, "
                    "2, 4] -D[2, 7, 2, 4, 2, 3] -D[2, 7, 2, 4, 2, 4] +I[2, 7, 2, 4, null, null] "
                    "-D[2, 7, 2, 4, null, null] +I[2, 7, null, null, null, null]");
}

TEST(left_left_chained)
{
    spec s = {.type = {0, WR_JOIN_LEFT, WR_JOIN_LEFT}, .chained = true};
    check_changelog(s, story,
                    "+I[1, 1, null, null, null, null] -D[1, 1, null, null, null, null] +I[1, 1, "
                    "1, 5, null, null] -D[1, 1, 1, 5, null, null] +I[1, 1, 1, 5, 1, 7] +I[1, 1, "
                    "1, 5, 1, 8] +I[1, 6, 1, 5, 1, 7] +I[1, 6, 1, 5, 1, 8] +I[null, 3, null, "
                    "null, null, null] +I[1, 6, 1, 5, 1, 7] +I[1, 6, 1, 5, 1, 8] +I[1, 1, 1, 5, "
                    "1, 7] +I[1, 1, 1, 5, 1, 8] +I[1, 6, 1, 9, 1, 7] +I[1, 6, 1, 9, 1, 8] +I[1, "
                    "1, 1, 9, 1, 7] +I[1, 1, 1, 9, 1, 8] -D[1, 6, 1, 5, 1, 7] -D[1, 6, 1, 5, 1, "
                    "7] -D[1, 6, 1, 9, 1, 7] -D[1, 1, 1, 5, 1, 7] -D[1, 1, 1, 5, 1, 7] -D[1, 1, "
                    "1, 9, 1, 7] -D[1, 6, 1, 5, 1, 8] -D[1, 1, 1, 5, 1, 8] -U[1, 6, 1, 9, 1, 8] "
                    "-U[1, 1, 1, 9, 1, 8] +U[1, 6, 1, 2, 1, 8] +U[1, 1, 1, 2, 1, 8] -D[1, 6, 1, "
                    "5, 1, 8] +I[1, 6, 1, 5, null, null] -D[1, 6, 1, 2, 1, 8] +I[1, 6, 1, 2, "
                    "null, null] -D[1, 1, 1, 5, 1, 8] +I[1, 1, 1, 5, null, null] -D[1, 1, 1, 2, "
                    "1, 8] +I[1, 1, 1, 2, null, null] -U[1, 1, 1, 5, null, null] -U[1, 1, 1, 2, "
                    "null, null] +U[1, 0, 1, 5, null, null] +U[1, 0, 1, 2, null, null] -D[1, 6, "
                    "1, 5, null, null] -D[1, 0, 1, 5, null, null] -D[1, 6, 1, 2, null, null] "
                    "+I[1, 6, null, null, null, null] -D[1, 0, 1, 2, null, null] +I[1, 0, null, "
                    "null, null, null] -D[1, 6, 1, 77, null, null] -D[1, 0, 1, 77, null, null] "
                    "-D[1, 0, null, null, null, null] -D[1, 6, null, null, null, null] -D[null, "
                    "3, null, null, null, null] +I[2, 1, null, null, null, null] -D[2, 1, null, "
                    "null, null, null] +I[2, 1, 2, 4, 2, 3] +I[2, 1, 2, 4, 2, 4] -D[2, 1, 2, 4, "
                    "2, 3] -D[2, 1, 2, 4, 2, 4] +I[2, 1, 2, 4, null, null] -D[2, 1, 2, 4, null, "
                    "null] +I[2, 1, null, null, null, null]");
    s.unique = true;
    check_changelog(s, keyed,
                    "+I[1, 1, null, null, null, null] -D[1, 1, null, null, null, null] +I[1, 1, "
                    "1, 5, null, null] -D[1, 1, 1, 5, null, null] +I[1, 1, 1, 5, 1, 7] +I[1, 1, "
                    "1, 5, 1, 8] +I[1, 6, 1, 5, 1, 7] +I[1, 6, 1, 5, 1, 8] +I[1, 2, 1, 5, 1, 7] "
                    "+I[1, 2, 1, 5, 1, 8] +I[1, 2, 1, 9, 1, 7] +I[1, 2, 1, 9, 1, 8] +I[1, 1, 1, "
                    "9, 1, 7] +I[1, 1, 1, 9, 1, 8] +I[1, 6, 1, 9, 1, 7] +I[1, 6, 1, 9, 1, 8] "
                    "+I[1, 2, 1, 3, 1, 7] +I[1, 2, 1, 3, 1, 8] +I[1, 1, 1, 3, 1, 7] +I[1, 1, 1, "
                    "3, 1, 8] +I[1, 6, 1, 3, 1, 7] +I[1, 6, 1, 3, 1, 8] -D[1, 2, 1, 3, 1, 7] "
                    "-D[1, 2, 1, 9, 1, 7] -D[1, 2, 1, 5, 1, 7] -D[1, 1, 1, 3, 1, 7] -D[1, 1, 1, "
                    "9, 1, 7] -D[1, 1, 1, 5, 1, 7] -D[1, 6, 1, 3, 1, 7] -D[1, 6, 1, 9, 1, 7] "
                    "-D[1, 6, 1, 5, 1, 7] -D[1, 2, 1, 5, 1, 8] -D[1, 1, 1, 5, 1, 8] -D[1, 6, 1, "
                    "5, 1, 8] -U[1, 2, 1, 9, 1, 8] -U[1, 1, 1, 9, 1, 8] -U[1, 6, 1, 9, 1, 8] "
                    "+U[1, 2, 1, 2, 1, 8] +U[1, 1, 1, 2, 1, 8] +U[1, 6, 1, 2, 1, 8] -D[1, 2, 1, "
                    "3, 1, 8] +I[1, 2, 1, 3, null, null] -D[1, 2, 1, 2, 1, 8] +I[1, 2, 1, 2, "
                    "null, null] -D[1, 1, 1, 3, 1, 8] +I[1, 1, 1, 3, null, null] -D[1, 1, 1, 2, "
                    "1, 8] +I[1, 1, 1, 2, null, null] -D[1, 6, 1, 3, 1, 8] +I[1, 6, 1, 3, null, "
                    "null] -D[1, 6, 1, 2, 1, 8] +I[1, 6, 1, 2, null, null] -U[1, 1, 1, 3, null, "
                    "null] -U[1, 1, 1, 2, null, null] +U[2, 1, null, null, null, null] -D[1, 2, "
                    "1, 3, null, null] -D[1, 6, 1, 3, null, null] -D[1, 2, 1, 2, null, null] "
                    "+I[1, 2, null, null, null, null] -D[1, 6, 1, 2, null, null] +I[1, 6, null, "
                    "null, null, null] -D[2, 1, null, null, null, null] -D[1, 6, null, null, "
                    "null, null] +I[2, 7, null, null, null, null] -D[2, 7, null, null, null, "
                    "null] +I[2, 7, 2, 4, 2, 3] +I[2, 7, 2, 4, 2, 4] -D[2, 7, 2, 4, 2, 3] -D[2, "
                    "7, 2, 4, 2, 4] +I[2, 7, 2, 4, null, null] -D[2, 7, 2, 4, null, null] +I[2, "
                    "7, null, null, null, null]");
}

TEST(left_inner)
{
    spec s = {.type = {0, WR_JOIN_LEFT, WR_JOIN_INNER}};
    check_changelog(s, story,
                    "+I[1, 1, 1, 5, 1, 7] +I[1, 1, 1, 5, 1, 8] +I[1, 6, 1, 5, 1, 7] +I[1, 6, 1, "
                    "5, 1, 8] +I[1, 6, 1, 5, 1, 7] +I[1, 6, 1, 5, 1, 8] +I[1, 1, 1, 5, 1, 7] "
                    "+I[1, 1, 1, 5, 1, 8] +I[1, 6, 1, 9, 1, 7] +I[1, 6, 1, 9, 1, 8] +I[1, 1, 1, "
                    "9, 1, 7] +I[1, 1, 1, 9, 1, 8] -D[1, 6, 1, 5, 1, 7] -D[1, 6, 1, 5, 1, 7] "
                    "-D[1, 6, 1, 9, 1, 7] -D[1, 1, 1, 5, 1, 7] -D[1, 1, 1, 5, 1, 7] -D[1, 1, 1, "
                    "9, 1, 7] -D[1, 6, 1, 5, 1, 8] -D[1, 1, 1, 5, 1, 8] -U[1, 6, 1, 9, 1, 8] "
                    "-U[1, 1, 1, 9, 1, 8] +U[1, 6, 1, 2, 1, 8] +U[1, 1, 1, 2, 1, 8] -D[1, 6, 1, "
                    "5, 1, 8] -D[1, 6, 1, 2, 1, 8] -D[1, 1, 1, 5, 1, 8] -D[1, 1, 1, 2, 1, 8] "
                    "+I[2, 1, null, null, 2, 3] +I[2, 1, null, null, 2, 4] -D[2, 1, null, null, "
                    "2, 3] -D[2, 1, null, null, 2, 4] +I[2, 1, 2, 4, 2, 3] +I[2, 1, 2, 4, 2, 4] "
                    "-D[2, 1, 2, 4, 2, 3] -D[2, 1, 2, 4, 2, 4]");
    s.unique = true;
    check_changelog(s, keyed,
                    "+I[1, 1, 1, 5, 1, 7] +I[1, 1, 1, 5, 1, 8] +I[1, 6, 1, 5, 1, 7] +I[1, 6, 1, "
                    "5, 1, 8] +I[1, 2, 1, 5, 1, 7] +I[1, 2, 1, 5, 1, 8] +I[1, 2, 1, 9, 1, 7] "
                    "+I[1, 2, 1, 9, 1, 8] +I[1, 1, 1, 9, 1, 7] +I[1, 1, 1, 9, 1, 8] +I[1, 6, 1, "
                    "9, 1, 7] +I[1, 6, 1, 9, 1, 8] +I[1, 2, 1, 3, 1, 7] +I[1, 2, 1, 3, 1, 8] "
                    "+I[1, 1, 1, 3, 1, 7] +I[1, 1, 1, 3, 1, 8] +I[1, 6, 1, 3, 1, 7] +I[1, 6, 1, "
                    "3, 1, 8] -D[1, 2, 1, 3, 1, 7] -D[1, 2, 1, 9, 1, 7] -D[1, 2, 1, 5, 1, 7] "
                    "-D[1, 1, 1, 3, 1, 7] -D[1, 1, 1, 9, 1, 7] -D[1, 1, 1, 5, 1, 7] -D[1, 6, 1, "
                    "3, 1, 7] -D[1, 6, 1, 9, 1, 7] -D[1, 6, 1, 5, 1, 7] -D[1, 2, 1, 5, 1, 8] "
                    "-D[1, 1, 1, 5, 1, 8] -D[1, 6, 1, 5, 1, 8] -U[1, 2, 1, 9, 1, 8] -U[1, 1, 1, "
                    "9, 1, 8] -U[1, 6, 1, 9, 1, 8] +U[1, 2, 1, 2, 1, 8] +U[1, 1, 1, 2, 1, 8] "
                    "+U[1, 6, 1, 2, 1, 8] -D[1, 2, 1, 3, 1, 8] -D[1, 2, 1, 2, 1, 8] -D[1, 1, 1, "
                    "3, 1, 8] -D[1, 1, 1, 2, 1, 8] -D[1, 6, 1, 3, 1, 8] -D[1, 6, 1, 2, 1, 8] "
                    "+I[2, 7, null, null, 2, 3] +I[2, 7, null, null, 2, 4] -D[2, 7, null, null, "
                    "2, 3] -D[2, 7, null, null, 2, 4] +I[2, 7, 2, 4, 2, 3] +I[2, 7, 2, 4, 2, 4] "
                    "-D[2, 7, 2, 4, 2, 3] -D[2, 7, 2, 4, 2, 4]");
}

TEST(inner_left)
{
    spec s = {.type = {0, WR_JOIN_INNER, WR_JOIN_LEFT}};
    check_changelog(s, story,
                    "+I[1, 1, 1, 5, null, null] -D[1, 1, 1, 5, null, null] +I[1, 1, 1, 5, 1, 7] "
                    "+I[1, 1, 1, 5, 1, 8] +I[1, 6, 1, 5, 1, 7] +I[1, 6, 1, 5, 1, 8] +I[1, 6, 1, "
                    "5, 1, 7] +I[1, 6, 1, 5, 1, 8] +I[1, 1, 1, 5, 1, 7] +I[1, 1, 1, 5, 1, 8] "
                    "+I[1, 6, 1, 9, 1, 7] +I[1, 6, 1, 9, 1, 8] +I[1, 1, 1, 9, 1, 7] +I[1, 1, 1, "
                    "9, 1, 8] -D[1, 6, 1, 5, 1, 7] -D[1, 6, 1, 5, 1, 7] -D[1, 6, 1, 9, 1, 7] "
                    "-D[1, 1, 1, 5, 1, 7] -D[1, 1, 1, 5, 1, 7] -D[1, 1, 1, 9, 1, 7] -D[1, 6, 1, "
                    "5, 1, 8] -D[1, 1, 1, 5, 1, 8] -U[1, 6, 1, 9, 1, 8] -U[1, 1, 1, 9, 1, 8] "
                    "+U[1, 6, 1, 2, 1, 8] +U[1, 1, 1, 2, 1, 8] -D[1, 6, 1, 5, 1, 8] +I[1, 6, 1, "
                    "5, null, null] -D[1, 6, 1, 2, 1, 8] +I[1, 6, 1, 2, null, null] -D[1, 1, 1, "
                    "5, 1, 8] +I[1, 1, 1, 5, null, null] -D[1, 1, 1, 2, 1, 8] +I[1, 1, 1, 2, "
                    "null, null] -U[1, 1, 1, 5, null, null] -U[1, 1, 1, 2, null, null] +U[1, 0, "
                    "1, 5, null, null] +U[1, 0, 1, 2, null, null] -D[1, 6, 1, 5, null, null] "
                    "-D[1, 0, 1, 5, null, null] -D[1, 6, 1, 2, null, null] -D[1, 0, 1, 2, null, "
                    "null] -D[1, 6, 1, 77, null, null] -D[1, 0, 1, 77, null, null] +I[2, 1, 2, 4, "
                    "2, 3] +I[2, 1, 2, 4, 2, 4] -D[2, 1, 2, 4, 2, 3] -D[2, 1, 2, 4, 2, 4] +I[2, "
                    "1, 2, 4, null, null] -D[2, 1, 2, 4, null, null]");
    s.unique = true;
    check_changelog(s, keyed,
                    "+I[1, 1, 1, 5, null, null] -D[1, 1, 1, 5, null, null] +I[1, 1, 1, 5, 1, 7] "
                    "+I[1, 1, 1, 5, 1, 8] +I[1, 6, 1, 5, 1, 7] +I[1, 6, 1, 5, 1, 8] +I[1, 2, 1, "
                    "5, 1, 7] +I[1, 2, 1, 5, 1, 8] +I[1, 2, 1, 9, 1, 7] +I[1, 2, 1, 9, 1, 8] "
                    "+I[1, 1, 1, 9, 1, 7] +I[1, 1, 1, 9, 1, 8] +I[1, 6, 1, 9, 1, 7] +I[1, 6, 1, "
                    "9, 1, 8] +I[1, 2, 1, 3, 1, 7] +I[1, 2, 1, 3, 1, 8] +I[1, 1, 1, 3, 1, 7] "
                    "+I[1, 1, 1, 3, 1, 8] +I[1, 6, 1, 3, 1, 7] +I[1, 6, 1, 3, 1, 8] -D[1, 2, 1, "
                    "3, 1, 7] -D[1, 2, 1, 9, 1, 7] -D[1, 2, 1, 5, 1, 7] -D[1, 1, 1, 3, 1, 7] "
                    "-D[1, 1, 1, 9, 1, 7] -D[1, 1, 1, 5, 1, 7] -D[1, 6, 1, 3, 1, 7] -D[1, 6, 1, "
                    "9, 1, 7] -D[1, 6, 1, 5, 1, 7] -D[1, 2, 1, 5, 1, 8] -D[1, 1, 1, 5, 1, 8] "
                    "-D[1, 6, 1, 5, 1, 8] -U[1, 2, 1, 9, 1, 8] -U[1, 1, 1, 9, 1, 8] -U[1, 6, 1, "
                    "9, 1, 8] +U[1, 2, 1, 2, 1, 8] +U[1, 1, 1, 2, 1, 8] +U[1, 6, 1, 2, 1, 8] "
                    "-D[1, 2, 1, 3, 1, 8] +I[1, 2, 1, 3, null, null] -D[1, 2, 1, 2, 1, 8] +I[1, "
                    "2, 1, 2, null, null] -D[1, 1, 1, 3, 1, 8] +I[1, 1, 1, 3, null, null] -D[1, "
                    "1, 1, 2, 1, 8] +I[1, 1, 1, 2, null, null] -D[1, 6, 1, 3, 1, 8] +I[1, 6, 1, "
                    "3, null, null] -D[1, 6, 1, 2, 1, 8] +I[1, 6, 1, 2, null, null] -U[1, 1, 1, "
                    "3, null, null] -U[1, 1, 1, 2, null, null] -D[1, 2, 1, 3, null, null] -D[1, "
                    "6, 1, 3, null, null] -D[1, 2, 1, 2, null, null] -D[1, 6, 1, 2, null, null] "
                    "+I[2, 7, 2, 4, 2, 3] +I[2, 7, 2, 4, 2, 4] -D[2, 7, 2, 4, 2, 3] -D[2, 7, 2, "
                    "4, 2, 4] +I[2, 7, 2, 4, null, null] -D[2, 7, 2, 4, null, null]");
}

TEST(inner_inner_chained)
{
    spec s = {.type = {0, WR_JOIN_INNER, WR_JOIN_INNER}, .chained = true};
    check_changelog(s, story,
                    "+I[1, 1, 1, 5, 1, 7] +I[1, 1, 1, 5, 1, 8] +I[1, 6, 1, 5, 1, 7] +I[1, 6, 1, "
                    "5, 1, 8] +I[1, 6, 1, 5, 1, 7] +I[1, 6, 1, 5, 1, 8] +I[1, 1, 1, 5, 1, 7] "
                    "+I[1, 1, 1, 5, 1, 8] +I[1, 6, 1, 9, 1, 7] +I[1, 6, 1, 9, 1, 8] +I[1, 1, 1, "
                    "9, 1, 7] +I[1, 1, 1, 9, 1, 8] -D[1, 6, 1, 5, 1, 7] -D[1, 6, 1, 5, 1, 7] "
                    "-D[1, 6, 1, 9, 1, 7] -D[1, 1, 1, 5, 1, 7] -D[1, 1, 1, 5, 1, 7] -D[1, 1, 1, "
                    "9, 1, 7] -D[1, 6, 1, 5, 1, 8] -D[1, 1, 1, 5, 1, 8] -U[1, 6, 1, 9, 1, 8] "
                    "-U[1, 1, 1, 9, 1, 8] +U[1, 6, 1, 2, 1, 8] +U[1, 1, 1, 2, 1, 8] -D[1, 6, 1, "
                    "5, 1, 8] -D[1, 6, 1, 2, 1, 8] -D[1, 1, 1, 5, 1, 8] -D[1, 1, 1, 2, 1, 8] "
                    "+I[2, 1, 2, 4, 2, 3] +I[2, 1, 2, 4, 2, 4] -D[2, 1, 2, 4, 2, 3] -D[2, 1, 2, "
                    "4, 2, 4]");
    s.unique = true;
    check_changelog(s, keyed,
                    "+I[1, 1, 1, 5, 1, 7] +I[1, 1, 1, 5, 1, 8] +I[1, 6, 1, 5, 1, 7] +I[1, 6, 1, "
                    "5, 1, 8] +I[1, 2, 1, 5, 1, 7] +I[1, 2, 1, 5, 1, 8] +I[1, 2, 1, 9, 1, 7] "
                    "+I[1, 2, 1, 9, 1, 8] +I[1, 1, 1, 9, 1, 7] +I[1, 1, 1, 9, 1, 8] +I[1, 6, 1, "
                    "9, 1, 7] +I[1, 6, 1, 9, 1, 8] +I[1, 2, 1, 3, 1, 7] +I[1, 2, 1, 3, 1, 8] "
                    "+I[1, 1, 1, 3, 1, 7] +I[1, 1, 1, 3, 1, 8] +I[1, 6, 1, 3, 1, 7] +I[1, 6, 1, "
                    "3, 1, 8] -D[1, 2, 1, 3, 1, 7] -D[1, 2, 1, 9, 1, 7] -D[1, 2, 1, 5, 1, 7] "
                    "-D[1, 1, 1, 3, 1, 7] -D[1, 1, 1, 9, 1, 7] -D[1, 1, 1, 5, 1, 7] -D[1, 6, 1, "
                    "3, 1, 7] -D[1, 6, 1, 9, 1, 7] -D[1, 6, 1, 5, 1, 7] -D[1, 2, 1, 5, 1, 8] "
                    "-D[1, 1, 1, 5, 1, 8] -D[1, 6, 1, 5, 1, 8] -U[1, 2, 1, 9, 1, 8] -U[1, 1, 1, "
                    "9, 1, 8] -U[1, 6, 1, 9, 1, 8] +U[1, 2, 1, 2, 1, 8] +U[1, 1, 1, 2, 1, 8] "
                    "+U[1, 6, 1, 2, 1, 8] -D[1, 2, 1, 3, 1, 8] -D[1, 2, 1, 2, 1, 8] -D[1, 1, 1, "
                    "3, 1, 8] -D[1, 1, 1, 2, 1, 8] -D[1, 6, 1, 3, 1, 8] -D[1, 6, 1, 2, 1, 8] "
                    "+I[2, 7, 2, 4, 2, 3] +I[2, 7, 2, 4, 2, 4] -D[2, 7, 2, 4, 2, 3] -D[2, 7, 2, "
                    "4, 2, 4]");
}

TEST(left_with_condition)
{
    spec s = {.type = {0, WR_JOIN_LEFT, WR_JOIN_LEFT}, .less = true};
    check_changelog(s, story,
                    "+I[1, 1, null, null, null, null] -D[1, 1, null, null, null, null] +I[1, 1, "
                    "1, 5, null, null] -D[1, 1, 1, 5, null, null] +I[1, 1, 1, 5, 1, 7] +I[1, 1, "
                    "1, 5, 1, 8] +I[1, 6, null, null, 1, 7] +I[1, 6, null, null, 1, 8] +I[null, "
                    "3, null, null, null, null] +I[1, 1, 1, 5, 1, 7] +I[1, 1, 1, 5, 1, 8] -D[1, "
                    "6, null, null, 1, 7] -D[1, 6, null, null, 1, 8] +I[1, 6, 1, 9, 1, 7] +I[1, "
                    "6, 1, 9, 1, 8] +I[1, 1, 1, 9, 1, 7] +I[1, 1, 1, 9, 1, 8] -D[1, 6, 1, 9, 1, "
                    "7] -D[1, 1, 1, 5, 1, 7] -D[1, 1, 1, 5, 1, 7] -D[1, 1, 1, 9, 1, 7] -D[1, 1, "
                    "1, 5, 1, 8] -U[1, 6, 1, 9, 1, 8] +I[1, 6, null, null, 1, 8] -U[1, 1, 1, 9, "
                    "1, 8] +U[1, 1, 1, 2, 1, 8] -D[1, 6, null, null, 1, 8] +I[1, 6, null, null, "
                    "null, null] -D[1, 1, 1, 5, 1, 8] +I[1, 1, 1, 5, null, null] -D[1, 1, 1, 2, "
                    "1, 8] +I[1, 1, 1, 2, null, null] -U[1, 1, 1, 5, null, null] -U[1, 1, 1, 2, "
                    "null, null] +U[1, 0, 1, 5, null, null] +U[1, 0, 1, 2, null, null] -D[1, 0, "
                    "1, 5, null, null] -D[1, 0, 1, 2, null, null] +I[1, 0, null, null, null, "
                    "null] -D[1, 6, 1, 77, null, null] -D[1, 0, 1, 77, null, null] -D[1, 0, null, "
                    "null, null, null] -D[1, 6, null, null, null, null] -D[null, 3, null, null, "
                    "null, null] +I[2, 1, null, null, null, null] -D[2, 1, null, null, null, "
                    "null] +I[2, 1, null, null, 2, 3] +I[2, 1, null, null, 2, 4] -D[2, 1, null, "
                    "null, 2, 3] -D[2, 1, null, null, 2, 4] +I[2, 1, 2, 4, 2, 3] +I[2, 1, 2, 4, "
                    "2, 4] -D[2, 1, 2, 4, 2, 3] -D[2, 1, 2, 4, 2, 4] +I[2, 1, 2, 4, null, null] "
                    "-D[2, 1, 2, 4, null, null] +I[2, 1, null, null, null, null]");
    s.unique = true;
    check_changelog(s, keyed,
                    "+I[1, 1, null, null, null, null] -D[1, 1, null, null, null, null] +I[1, 1, "
                    "1, 5, null, null] -D[1, 1, 1, 5, null, null] +I[1, 1, 1, 5, 1, 7] +I[1, 1, "
                    "1, 5, 1, 8] +I[1, 6, null, null, 1, 7] +I[1, 6, null, null, 1, 8] +I[1, 2, "
                    "1, 5, 1, 7] +I[1, 2, 1, 5, 1, 8] +I[1, 2, 1, 9, 1, 7] +I[1, 2, 1, 9, 1, 8] "
                    "+I[1, 1, 1, 9, 1, 7] +I[1, 1, 1, 9, 1, 8] -D[1, 6, null, null, 1, 7] -D[1, "
                    "6, null, null, 1, 8] +I[1, 6, 1, 9, 1, 7] +I[1, 6, 1, 9, 1, 8] +I[1, 2, 1, "
                    "3, 1, 7] +I[1, 2, 1, 3, 1, 8] +I[1, 1, 1, 3, 1, 7] +I[1, 1, 1, 3, 1, 8] "
                    "-D[1, 2, 1, 3, 1, 7] -D[1, 2, 1, 9, 1, 7] -D[1, 2, 1, 5, 1, 7] -D[1, 1, 1, "
                    "3, 1, 7] -D[1, 1, 1, 9, 1, 7] -D[1, 1, 1, 5, 1, 7] -D[1, 6, 1, 9, 1, 7] "
                    "-D[1, 2, 1, 5, 1, 8] -D[1, 1, 1, 5, 1, 8] -U[1, 2, 1, 9, 1, 8] -U[1, 1, 1, "
                    "9, 1, 8] -U[1, 6, 1, 9, 1, 8] +I[1, 6, null, null, 1, 8] +U[1, 1, 1, 2, 1, "
                    "8] -D[1, 2, 1, 3, 1, 8] +I[1, 2, 1, 3, null, null] -D[1, 1, 1, 3, 1, 8] "
                    "+I[1, 1, 1, 3, null, null] -D[1, 1, 1, 2, 1, 8] +I[1, 1, 1, 2, null, null] "
                    "-D[1, 6, null, null, 1, 8] +I[1, 6, null, null, null, null] -U[1, 1, 1, 3, "
                    "null, null] -U[1, 1, 1, 2, null, null] +U[2, 1, null, null, null, null] "
                    "-D[1, 2, 1, 3, null, null] +I[1, 2, null, null, null, null] -D[2, 1, null, "
                    "null, null, null] -D[1, 6, null, null, null, null] +I[2, 7, null, null, "
                    "null, null] -D[2, 7, null, null, null, null] +I[2, 7, null, null, 2, 3] "
                    "+I[2, 7, null, null, 2, 4] -D[2, 7, null, null, 2, 3] -D[2, 7, null, null, "
                    "2, 4] +I[2, 7, null, null, null, null]");
}

/* Beyond the TTL a row meets nothing, and what it was matched with is padded anew. */
TEST(state_expires)
{
    rig r;
    rig_open(&r);
    const spec s = {.type = {0, WR_JOIN_LEFT, WR_JOIN_INNER}, .ttl = 5000};
    prepare(&r, &s);
    rig_start(&r);
    feed(&r, "A+I[1, 1] B+I[1, 2] C+I[1, 3]");
    r.now_ms += 3000;
    r.state->now_ms = r.now_ms;
    feed(&r, "A+I[1, 4]");
    r.now_ms += 3000;
    r.state->now_ms = r.now_ms; /* only the last row of the first input is left */
    feed(&r, "B+I[1, 5] C+I[1, 6]");
    rig_finish(&r);
    CHECK_EQ_STR(rig_output(&r), "+I[1, 1, 1, 2, 1, 3] +I[1, 4, 1, 2, 1, 3] +I[1, 4, 1, 5, 1, 6]");
    rig_close(&r);
}

/* ---- at random, against a naive join --------------------------------------------------------- */
static uint64_t seed;
static uint32_t
rnd(uint32_t n)
{
    seed = wr_hash_u64(seed + 0x9e3779b97f4a7c15ull);
    return (uint32_t)(seed >> 33) % n;
}

#define ROWS_MAX  200u
#define LINES_MAX 100000u
typedef struct row {
    int k, v; /* k -1: NULL */
} row;
typedef struct table {
    row rows[ROWS_MAX];
    uint32_t n;
} table;
static char *lines[LINES_MAX];
static char got_text[LINES_MAX * 32], want_text[LINES_MAX * 32];

static int
cmp_line(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
finish_lines(uint32_t n, char *out)
{
    qsort(lines, n, sizeof *lines, cmp_line);
    *out = 0;
    for (uint32_t i = 0; i < n; i++) {
        out += sprintf(out, "%s\n", lines[i]);
        free(lines[i]);
    }
}

static char *
line_of(const row *const *of)
{
    char buf[128];
    int n = 0;
    for (int i = 0; i < 3; i++) {
        const char *sep = n ? ", " : "";
        if (!of[i])
            n += sprintf(buf + n, "%snull, null", sep);
        else if (of[i]->k == -1)
            n += sprintf(buf + n, "%snull, %d", sep, of[i]->v);
        else
            n += sprintf(buf + n, "%s%d, %d", sep, of[i]->k, of[i]->v);
    }
    return strdup(buf);
}

static bool
matches(const spec *s, const row *const *of, uint32_t d, const row *x)
{
    const row *other = d == 2 && s->chained ? of[1] : of[0];
    if (!s->keyless && (!other || other->k == -1 || other->k != x->k)) return false;
    if (d == 1 && s->less && of[0]->v >= x->v) return false;
    return !(d == 2 && s->keyless && of[0]->v >= x->v);
}

static uint32_t
naive_from(const spec *s, const table *t, uint32_t d, const row **of, uint32_t n)
{
    bool any = d == 0;
    if (d == 3) {
        lines[n] = line_of(of);
        return n + 1;
    }
    for (uint32_t i = 0; i < t[d].n; i++) {
        if (d > 0 && !matches(s, of, d, &t[d].rows[i])) continue;
        any = true;
        of[d] = &t[d].rows[i];
        n = naive_from(s, t, d + 1, of, n);
    }
    of[d] = NULL;
    return any || s->type[d] != WR_JOIN_LEFT ? n : naive_from(s, t, d + 1, of, n);
}

/* The content that a changelog leaves; complains about what it takes away without having given. */
static void
fold(const char *p)
{
    uint32_t n = 0;
    for (; *p; p += *p == ' ') {
        const char *end = strchr(p, ']');
        const size_t len = (size_t)(end - p) - 3;
        char buf[128];
        memcpy(buf, p + 3, len);
        buf[len] = 0;
        p = end + 1;
        if (end[-(long)len - 3] == '+') {
            lines[n++] = strdup(buf);
            continue;
        }
        uint32_t at = n;
        while (at > 0 && strcmp(lines[at - 1], buf) != 0) at--;
        CHECK_MSG(at > 0, "retracts what is not there: %s", buf);
        if (at == 0) break;
        free(lines[at - 1]);
        lines[at - 1] = lines[--n];
    }
    finish_lines(n, got_text);
}

/* A change of one input; false: none is possible. */
static void
change(const spec *s, table *t, wr_text *out)
{
    const uint32_t side = rnd(3);
    table *x = &t[side];
    if (x->n && (x->n > 20 || rnd(3) == 0)) {
        const uint32_t i = rnd(x->n);
        const row gone = x->rows[i];
        x->rows[i] = x->rows[--x->n];
        wr_text_printf(out, "%c%s[", 'A' + (int)side, rnd(2) ? "-D" : "-U");
        if (gone.k == -1)
            wr_text_printf(out, "null, %d] ", gone.v);
        else
            wr_text_printf(out, "%d, %d] ", gone.k, gone.v);
        return;
    }
    static int next;
    const row fresh = {(int)rnd(5) - (rnd(6) == 0), s->unique ? ++next : (int)rnd(4)};
    x->rows[x->n++] = fresh;
    wr_text_printf(out, "%c%s[", 'A' + (int)side, rnd(3) ? "+I" : "+U");
    if (fresh.k == -1)
        wr_text_printf(out, "null, %d] ", fresh.v);
    else
        wr_text_printf(out, "%d, %d] ", fresh.k, fresh.v);
}

TEST(random_changes)
{
    for (uint64_t round = 0; round < 60; round++) {
        seed = round + 1;
        spec s = {.less = rnd(2), .unique = rnd(2), .keyless = rnd(6) == 0};
        s.chained = !s.keyless && rnd(2);
        for (int i = 1; i < 3; i++) s.type[i] = rnd(2) ? WR_JOIN_LEFT : WR_JOIN_INNER;
        static table t[3];
        memset(t, 0, sizeof t);
        rig r;
        rig_open(&r);
        r.chunk = rnd(5);
        r.full_every = rnd(3) == 0;
        r.after_batch = rig_restart_often;
        r.restart_every = rnd(4);
        wr_text script;
        wr_text_init(&script, r.arena);
        for (uint32_t i = 0, n = 20 + rnd(100); i < n; i++) change(&s, t, &script);
        wr_text_putc(&script, 0);
        prepare(&r, &s);
        rig_start(&r);
        feed(&r, script.ptr);
        rig_finish(&r);
        fold(rig_output(&r));
        const row *of[3] = {NULL, NULL, NULL};
        finish_lines(naive_from(&s, t, 0, of, 0), want_text);
        CHECK_MSG(strcmp(got_text, want_text) == 0, "round %u: got\n%s\nwant\n%s", (unsigned)round,
                  got_text, want_text);
        rig_close(&r);
    }
}

CHECK_MAIN()
