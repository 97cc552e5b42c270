/* SPDX-License-Identifier: Apache-2.0 */
/* Joins. Streaming: changelogs of flink-sql.md Appendix A and of Flink 2.3 runs, in batches of
 * every size; at random, the output's content against a naive join of the inputs' content. Batch:
 * all types, build sides and key forms against the naive join. links: op state expr */
#include "expr/expr.h"
#include "unit/op_rig_restart.h"

typedef struct spec {
    uint8_t type;
    int64_t mini; /* rows of a bundle; 0: none */
    bool batch, equi, null_equal, less, unique, text, null_aware;
    int build; /* batch */
    int64_t ttl;
} spec;

/* left.k <= right.k */
static wr_expr *
less_equal(rig *r, const wr_type *t)
{
    wr_expr *args[2] = {wr_expr_column(r->arena, 0, t, WR_NO_SPAN),
                        wr_expr_column(r->arena, 2, t, WR_NO_SPAN)};
    wr_expr *out = NULL;
    CHECK_OK(&r->ctx, wr_expr_call(&r->ctx, r->arena, &r->eval, wr_fn_find(WR_STR("<=")),
                                   WR_STR("<="), args, 2, NULL, WR_NO_SPAN, &out));
    return out;
}

static const wr_option_def defs[] = {
    {"table.exec.mini-batch.enabled", WR_OPT_BOOL, "false", NULL, 0, ""},
    {"table.exec.mini-batch.size", WR_OPT_LONG, "-1", NULL, 0, ""},
    {"table.exec.mini-batch.allow-latency", WR_OPT_DURATION, "0 ms", NULL, 0, ""},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

static void
set_mini_batch(rig *r, int64_t size)
{
    wr_option *o = WR_NEW_N(r->arena, wr_option, 3);
    o[0] = (wr_option){WR_STR("table.exec.mini-batch.enabled"), WR_STR("true"), WR_NO_SPAN};
    o[1] = (wr_option){WR_STR("table.exec.mini-batch.size"),
                       wr_arena_printf(r->arena, "%lld", (long long)size), WR_NO_SPAN};
    o[2] = (wr_option){WR_STR("table.exec.mini-batch.allow-latency"), WR_STR("1 h"), WR_NO_SPAN};
    wr_options *set = WR_NEW(r->arena, wr_options);
    *set = (wr_options){o, 3};
    wr_config *c = WR_NEW(r->arena, wr_config);
    *c = (wr_config){set, defs};
    r->env.config = c;
}

static void
prepare(rig *r, const spec *s)
{
    if (s->mini) set_mini_batch(r, s->mini);
    const char *sides[2] = {s->text ? "k S, v S" : "k I, v S", s->text ? "l S, w S" : "l I, w S"};
    const bool semi = s->type == WR_JOIN_SEMI || s->type == WR_JOIN_ANTI;
    for (int i = 0; i < 2; i++) {
        r->inputs[i].schema = rig_schema(r, sides[i]);
        r->inputs[i].changelog = WR_CL_ALL;
    }
    r->node.input_count = 2;
    r->node.schema = semi      ? r->inputs[0].schema
                     : s->text ? rig_schema(r, "k S, v S, l S, w S")
                               : rig_schema(r, "k I, v S, l I, w S");
    r->node.kind = !s->batch ? WR_P_JOIN : s->equi ? WR_P_HASH_JOIN : WR_P_NESTED_LOOP_JOIN;
    r->node.changelog = s->batch ? WR_CL_I : WR_CL_ALL;
    r->node.u.join.type = s->type;
    r->node.u.join.left_keys = r->node.u.join.right_keys = rig_cols(r, 1, 0, 0);
    r->node.u.join.key_count = s->equi;
    bool *null_equal = WR_NEW_N(r->arena, bool, 1);
    null_equal[0] = s->null_equal;
    r->node.u.join.null_equal = null_equal;
    if (s->less) r->node.u.join.cond = less_equal(r, r->inputs[0].schema.fields[0].type);
    r->node.u.join.null_aware = s->null_aware;
    r->node.u.join.build = (uint8_t)s->build;
    for (int i = 0; i < 2; i++) {
        r->node.u.join.ttl_ms[i] = s->ttl;
        if (!s->unique) continue;
        r->node.u.join.unique_key[i] = rig_cols(r, 1, s->equi ? 0 : 1, 0);
        r->node.u.join.unique_key_count[i] = 1;
        r->node.u.join.key_contains_unique[i] = s->equi;
    }
}

/* "L ..." rows of the left input, "R ..." of the right: "L+I[1, a] R+I[1, x]". */
static void
feed(rig *r, const char *script)
{
    char rows[1024];
    while (*script) {
        const uint32_t side = *script == 'R';
        size_t n = 0;
        while (*script && (uint32_t)(*script == 'R') == side) { /* a run of one side */
            const char *end = strchr(script, ']') + 1;
            memcpy(rows + n, script + 1, (size_t)(end - script - 1));
            n += (size_t)(end - script - 1);
            rows[n++] = ' ';
            script = end;
            while (*script == ' ') script++;
        }
        rows[n] = 0;
        rig_rows(r, side, rows);
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
    static const uint32_t chunks[] = {0, 1, 2};
    const run_case c = {s, script};
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

TEST(batch_faults)
{
    for (uint8_t type = WR_JOIN_INNER; type <= WR_JOIN_ANTI; type++) {
        for (int form = 0; form < 4; form++) {
            run_case c = {{.type = type,
                           .batch = true,
                           .equi = form % 2,
                           .less = true,
                           .text = form == 3,
                           .build = form / 2},
                          "L+I[1, a] L+I[2, b] R+I[1, x] R+I[3, y] L+I[null, c] R+I[null, d]"};
            if (c.s.text) c.s.less = false;
            rig_check_faults(run, &c);
        }
    }
}

static const spec left = {.type = WR_JOIN_LEFT, .equi = true};

TEST(a9_left_and_full)
{
    const char *in = "L+I[1, a] R+I[1, x] R+I[1, y] R-D[1, x] R-D[1, y]";
    const char *want = "+I[1, a, null, null] -D[1, a, null, null] +I[1, a, 1, x] +I[1, a, 1, y] "
                       "-D[1, a, 1, x] -D[1, a, 1, y] +I[1, a, null, null]";
    check_changelog(left, in, want);
    spec full = left;
    full.type = WR_JOIN_FULL;
    check_changelog(full, in, want);
}

TEST(a9b_right_row_updated)
{
    check_changelog(left, "L+I[1, a] R+I[1, x] R-U[1, x] R+U[1, y] R-D[1, y]",
                    "+I[1, a, null, null] -D[1, a, null, null] +I[1, a, 1, x] -U[1, a, 1, x] "
                    "+I[1, a, null, null] -D[1, a, null, null] +I[1, a, 1, y] -D[1, a, 1, y] "
                    "+I[1, a, null, null]");
}

TEST(a9c_left_row_updated)
{
    check_changelog(left, "L+I[1, a] R+I[1, x] L-U[1, a] L+U[1, b]",
                    "+I[1, a, null, null] -D[1, a, null, null] +I[1, a, 1, x] -D[1, a, 1, x] "
                    "+I[1, b, 1, x]");
}

TEST(a9d_semi_and_anti)
{
    const char *in = "L+I[1, a] R+I[1, x] R+I[1, y] R-D[1, x] R-D[1, y]";
    spec s = {.type = WR_JOIN_SEMI, .equi = true};
    check_changelog(s, in, "+I[1, a] -D[1, a]");
    s.type = WR_JOIN_ANTI;
    check_changelog(s, in, "+I[1, a] -D[1, a] +I[1, a]");
}

TEST(a9e_both_with_primary_key)
{
    const char *in = "L+I[1, a] R+I[1, x] L-U[1, a] L+U[1, b] R-U[1, x] R+U[1, y]";
    spec s = {.type = WR_JOIN_FULL, .equi = true, .unique = true};
    check_changelog(s, in,
                    "+I[1, a, null, null] -D[1, a, null, null] +I[1, a, 1, x] -D[1, a, 1, x] "
                    "+I[null, null, 1, x] -D[null, null, 1, x] +I[1, b, 1, x] -D[1, b, 1, x] "
                    "+I[1, b, null, null] -D[1, b, null, null] +I[1, b, 1, y]");
    s.type = WR_JOIN_INNER;
    check_changelog(s, in,
                    "+I[1, a, 1, x] -U[1, a, 1, x] +U[1, b, 1, x] -U[1, b, 1, x] +U[1, b, 1, y]");
}

/* Runs on Flink 2.3: (1,a) (2,b) on the left; x, then y under key 3, x updated to z on the right; a
 * becomes c; both right rows go. */
static const char story[] = "L+I[1, a] L+I[2, b] R+I[1, x] R+I[3, y] R-U[1, x] R+U[1, z] "
                            "L-D[1, a] L+I[1, c] R-D[1, z] R-D[3, y]";

TEST(a_longer_story)
{
    spec s = {.type = WR_JOIN_INNER, .equi = true};
    check_changelog(s, story,
                    "+I[1, a, 1, x] -U[1, a, 1, x] +U[1, a, 1, z] -D[1, a, 1, z] +I[1, c, 1, z] "
                    "-D[1, c, 1, z]");
    s.type = WR_JOIN_LEFT;
    check_changelog(s, story,
                    "+I[1, a, null, null] +I[2, b, null, null] -D[1, a, null, null] "
                    "+I[1, a, 1, x] -U[1, a, 1, x] +I[1, a, null, null] -D[1, a, null, null] "
                    "+I[1, a, 1, z] -D[1, a, 1, z] +I[1, c, 1, z] -D[1, c, 1, z] "
                    "+I[1, c, null, null]");
    s.type = WR_JOIN_RIGHT;
    check_changelog(s, story,
                    "+I[1, a, 1, x] +I[null, null, 3, y] -D[1, a, 1, x] +I[1, a, 1, z] "
                    "-D[1, a, 1, z] +I[null, null, 1, z] -D[null, null, 1, z] +I[1, c, 1, z] "
                    "-D[1, c, 1, z] -D[null, null, 3, y]");
    s.type = WR_JOIN_FULL;
    check_changelog(s, story,
                    "+I[1, a, null, null] +I[2, b, null, null] -D[1, a, null, null] "
                    "+I[1, a, 1, x] +I[null, null, 3, y] -D[1, a, 1, x] +I[1, a, null, null] "
                    "-D[1, a, null, null] +I[1, a, 1, z] -D[1, a, 1, z] +I[null, null, 1, z] "
                    "-D[null, null, 1, z] +I[1, c, 1, z] -D[1, c, 1, z] +I[1, c, null, null] "
                    "-D[null, null, 3, y]");
    s.type = WR_JOIN_SEMI;
    check_changelog(s, story, "+I[1, a] -U[1, a] +U[1, a] -D[1, a] +I[1, c] -D[1, c]");
    s.type = WR_JOIN_ANTI;
    check_changelog(s, story, "+I[1, a] +I[2, b] -D[1, a] +I[1, a] -D[1, a] +I[1, c]");
}

TEST(without_equality)
{
    spec s = {.type = WR_JOIN_LEFT, .less = true};
    /* as Flink: a record's padding and its pair come together */
    check_changelog(s, story,
                    "+I[1, a, null, null] +I[2, b, null, null] -D[1, a, null, null] "
                    "+I[1, a, 1, x] +I[1, a, 3, y] -D[2, b, null, null] +I[2, b, 3, y] "
                    "-U[1, a, 1, x] +I[1, a, 1, z] -D[1, a, 3, y] -D[1, a, 1, z] +I[1, c, 3, y] "
                    "+I[1, c, 1, z] -D[1, c, 1, z] -D[2, b, 3, y] +I[2, b, null, null] "
                    "-D[1, c, 3, y] +I[1, c, null, null]");
}

/* Flink 2.3: duplicates on both sides, NULL keys. */
TEST(duplicates_and_null_keys)
{
    const char *in = "L+I[1, a] L+I[1, a] L+I[null, n] R+I[1, x] R+I[1, x] R+I[null, q] "
                     "L-D[1, a] R-D[1, x] R-D[1, x]";
    spec s = {.type = WR_JOIN_LEFT, .equi = true};
    check_changelog(s, in,
                    "+I[1, a, null, null] +I[1, a, null, null] +I[null, n, null, null] "
                    "-D[1, a, null, null] +I[1, a, 1, x] -D[1, a, null, null] +I[1, a, 1, x] "
                    "+I[1, a, 1, x] +I[1, a, 1, x] -D[1, a, 1, x] -D[1, a, 1, x] -D[1, a, 1, x] "
                    "-D[1, a, 1, x] +I[1, a, null, null]");
    s.null_equal = true;
    check_changelog(s, in,
                    "+I[1, a, null, null] +I[1, a, null, null] +I[null, n, null, null] "
                    "-D[1, a, null, null] +I[1, a, 1, x] -D[1, a, null, null] +I[1, a, 1, x] "
                    "+I[1, a, 1, x] +I[1, a, 1, x] -D[null, n, null, null] +I[null, n, null, q] "
                    "-D[1, a, 1, x] -D[1, a, 1, x] -D[1, a, 1, x] -D[1, a, 1, x] "
                    "+I[1, a, null, null]");
}

TEST(a27_null_matches_nothing)
{
    check_changelog(left, "R+I[null, n] R+I[7, a] L+I[null, n] L+I[7, a]",
                    "+I[null, n, null, null] +I[7, a, 7, a]");
}

/* Flink 2.3: matches come in the order of its hash maps. l(id PRIMARY KEY, a, k), r(id PRIMARY KEY,
 * k, b), ON l.k = r.k; the output is l ++ r. */
static void
run_keyed(rig *r, const void *arg)
{
    const run_case *c = arg;
    r->inputs[0].schema = rig_schema(r, "id I, a S, k I");
    r->inputs[1].schema = rig_schema(r, "id I, k I, b S");
    r->node.schema = rig_schema(r, "id I, a S, k I, id0 I, k0 I, b S");
    r->node.input_count = 2;
    r->node.kind = WR_P_JOIN;
    r->node.changelog = WR_CL_ALL;
    r->node.u.join.type = c->s.type;
    r->node.u.join.left_keys = rig_cols(r, 1, 2, 0);
    r->node.u.join.right_keys = rig_cols(r, 1, 1, 0);
    r->node.u.join.key_count = 1;
    for (int i = 0; i < 2; i++) {
        r->node.u.join.unique_key[i] = rig_cols(r, 1, 0, 0);
        r->node.u.join.unique_key_count[i] = 1;
    }
    rig_start(r);
    if (!r->failed) feed(r, c->script);
    if (!r->failed) rig_finish(r);
}

TEST(order_of_matches)
{
    static const char script[] = "L+I[1, a, 7] L+I[2, b, 7] R+I[10, 7, x] R+I[11, 8, y] "
                                 "R-U[10, 7, x] R+U[10, 8, z] L-U[1, a, 7] L+U[1, c, 8] "
                                 "L-D[2, b, 7] R-D[11, 8, y]";
    for (uint32_t chunk = 0; chunk < 6; chunk++) {
        run_case c = {{.type = WR_JOIN_LEFT}, script};
        rig r;
        rig_open(&r);
        r.chunk = chunk % 3;
        r.after_batch = rig_restart_often;
        r.restart_every = chunk / 3;
        run_keyed(&r, &c);
        CHECK_EQ_STR(rig_output(&r),
                     "+I[1, a, 7, null, null, null] +I[2, b, 7, null, null, null] "
                     "-D[2, b, 7, null, null, null] +I[2, b, 7, 10, 7, x] "
                     "-D[1, a, 7, null, null, null] +I[1, a, 7, 10, 7, x] "
                     "-U[2, b, 7, 10, 7, x] +I[2, b, 7, null, null, null] "
                     "-U[1, a, 7, 10, 7, x] +I[1, a, 7, null, null, null] "
                     "-D[1, a, 7, null, null, null] +I[1, c, 8, 10, 8, z] +I[1, c, 8, 11, 8, y] "
                     "-D[2, b, 7, null, null, null] -D[1, c, 8, 11, 8, y]");
        rig_close(&r);
        rig_check_faults(run_keyed, &c);
    }
}

TEST(state_expires)
{
    rig r;
    rig_open(&r);
    spec s = left;
    s.ttl = 500;
    prepare(&r, &s);
    rig_start(&r);
    feed(&r, "R+I[1, x] L+I[1, a]");
    r.state->now_ms = r.now_ms + 2000;
    feed(&r, "L+I[1, b] R+I[1, y]");
    CHECK_EQ_STR(rig_output(&r),
                 "+I[1, a, 1, x] +I[1, b, null, null] -D[1, b, null, null] +I[1, b, 1, y]");
    rig_close(&r);
}

TEST(a26_mini_batch)
{
    spec s = {.type = WR_JOIN_LEFT, .equi = true, .mini = 100};
    check_changelog(s, "L+I[1, a] R+I[1, x] R+I[1, y] R-D[1, x] R-D[1, y]", "+I[1, a, null, null]");
    check_changelog(s, story, "+I[2, b, null, null] +I[1, c, null, null]");
    s.type = WR_JOIN_INNER;
    check_changelog(s, story, "");
    s.mini = 1;
    s.type = WR_JOIN_LEFT;
    check_changelog(s, "L+I[1, a] R+I[1, x]",
                    "+I[1, a, null, null] -D[1, a, null, null] +I[1, a, 1, x]");
}

/* ---- at random, against a naive join --------------------------------------------------------- */
static uint64_t seed;
static uint32_t
rnd(uint32_t n)
{
    seed = wr_hash_u64(seed + 0x9e3779b97f4a7c15ull);
    return (uint32_t)(seed >> 33) % n;
}

typedef struct row {
    int k; /* -1: NULL */
    int v;
} row;
typedef struct table {
    row rows[400];
    uint32_t n;
} table;

static bool
rows_match(const spec *s, row a, row b)
{
    bool ok = true;
    if (s->equi) ok = a.k == -1 || b.k == -1 ? s->null_equal && a.k == b.k : a.k == b.k;
    if (ok && s->less) ok = a.k != -1 && b.k != -1 && a.k <= b.k;
    return ok;
}

static int
cmp_line(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorted lines of content, joined; `out` big enough. */
static void
finish_lines(char **lines, uint32_t n, char *out)
{
    qsort(lines, n, sizeof *lines, cmp_line);
    *out = 0;
    for (uint32_t i = 0; i < n; i++) {
        out += sprintf(out, "%s\n", lines[i]);
        free(lines[i]);
    }
}

static char *
line_of(const spec *s, const row *a, const row *b)
{
    char buf[128];
    int n = 0;
    for (int side = 0; side < 2; side++) {
        const row *x = side ? b : a;
        if (side == 1 && (s->type == WR_JOIN_SEMI || s->type == WR_JOIN_ANTI)) break;
        if (!x)
            n += sprintf(buf + n, "%snull, null", n ? ", " : "");
        else if (x->k == -1)
            n += sprintf(buf + n, "%snull, %d", n ? ", " : "", x->v);
        else
            n += sprintf(buf + n, "%s%d, %d", n ? ", " : "", x->k, x->v);
    }
    return strdup(buf);
}

#define LINES_MAX 200000
static char *lines[LINES_MAX];
static char got_text[LINES_MAX * 16], want_text[LINES_MAX * 16];

static void
naive_join(const spec *s, const table *l, const table *r)
{
    uint32_t n = 0;
    bool matched[400] = {false};
    for (uint32_t i = 0; i < l->n; i++) {
        bool any = false, unknown = false;
        for (uint32_t k = 0; k < r->n; k++) {
            unknown |= l->rows[i].k == -1 || r->rows[k].k == -1;
            if (!rows_match(s, l->rows[i], r->rows[k])) continue;
            any = matched[k] = true;
            if (s->type != WR_JOIN_SEMI && s->type != WR_JOIN_ANTI)
                lines[n++] = line_of(s, &l->rows[i], &r->rows[k]);
        }
        if (s->null_aware && unknown && !any) continue;
        if (!any && (s->type == WR_JOIN_LEFT || s->type == WR_JOIN_FULL))
            lines[n++] = line_of(s, &l->rows[i], NULL);
        if (any ? s->type == WR_JOIN_SEMI : s->type == WR_JOIN_ANTI)
            lines[n++] = line_of(s, &l->rows[i], NULL);
    }
    for (uint32_t k = 0; k < r->n; k++)
        if (!matched[k] && (s->type == WR_JOIN_RIGHT || s->type == WR_JOIN_FULL))
            lines[n++] = line_of(s, NULL, &r->rows[k]);
    finish_lines(lines, n, want_text);
}

/* The content that a changelog leaves; complains about what it takes away without having given. */
static void
fold(const char *p)
{
    uint32_t n = 0;
    while (*p) {
        const char *end = strchr(p, ']');
        char buf[128];
        size_t len = (size_t)(end - p) - 3;
        memcpy(buf, p + 3, len);
        buf[len] = 0;
        if (p[0] == '+') {
            lines[n++] = strdup(buf);
        } else {
            uint32_t at = n;
            while (at > 0 && strcmp(lines[at - 1], buf) != 0) at--;
            CHECK_MSG(at > 0, "retracts what is not there: %s", buf);
            if (at == 0) break;
            free(lines[at - 1]);
            lines[at - 1] = lines[--n];
        }
        p = end + 1;
        p += *p == ' ';
    }
    finish_lines(lines, n, got_text);
}

static void
random_story(const spec *s, uint32_t steps)
{
    rig r;
    rig_open(&r);
    r.chunk = rnd(4);
    r.full_every = rnd(3);
    prepare(&r, s);
    rig_start(&r);
    static table t[2];
    memset(t, 0, sizeof t);
    for (uint32_t step = 0; step < steps; step++) {
        char rows[2000];
        int len = 0;
        uint32_t side = rnd(2), count = 1 + rnd(12);
        for (uint32_t i = 0; i < count; i++) {
            table *x = &t[side];
            bool del = x->n > 0 && (rnd(100) < 40 || x->n > 300);
            row now = {(int)rnd(6) - 1, (int)rnd(3)};
            if (s->unique) now.v = (int)rnd(100000);
            uint32_t at = del ? rnd(x->n) : x->n;
            if (del) now = x->rows[at];
            if (s->unique && !del) { /* one row per key */
                bool has = false;
                for (uint32_t k = 0; k < x->n; k++) has |= x->rows[k].k == now.k;
                if (has) continue;
            }
            len += now.k == -1
                       ? sprintf(rows + len, "%s[null, %d] ", del ? "-D" : "+I", now.v)
                       : sprintf(rows + len, "%s[%d, %d] ", del ? "-D" : "+I", now.k, now.v);
            if (del)
                x->rows[at] = x->rows[--x->n];
            else
                x->rows[x->n++] = now;
        }
        rows[len] = 0;
        rig_rows(&r, side, rows);
        if (rnd(4) == 0) rig_restart(&r);
    }
    rig_finish(&r);
    CHECK_MSG(!r.failed, "%s", r.ctx.err.message);
    if (!r.failed) {
        naive_join(s, &t[0], &t[1]);
        fold(rig_output(&r));
        CHECK_MSG(strcmp(got_text, want_text) == 0,
                  "type %d equi %d less %d null_equal %d unique %d", s->type, s->equi, s->less,
                  s->null_equal, s->unique);
    }
    rig_close(&r);
}

TEST(streaming_at_random)
{
    for (uint64_t round = 1; round <= 3; round++) {
        for (uint8_t type = WR_JOIN_INNER; type <= WR_JOIN_ANTI; type++) {
            for (int form = 0; form < 10; form++) {
                seed = round * 1000 + type * 10 + (uint64_t)form;
                const bool mini = form >= 5;
                if (mini) form -= 5;
                spec s = {.type = type,
                          .mini = mini ? 1 + rnd(100) : 0,
                          .equi = form != 0,
                          .less = form == 0 || form == 3,
                          .null_equal = form == 2,
                          .unique = form == 4,
                          .text = round == 2 && form != 0 && form != 3};
                random_story(&s, 40);
                if (mini) form += 5;
            }
        }
    }
}

static void
random_batch(const spec *s, uint32_t n0, uint32_t n1, bool probe_first)
{
    rig r;
    rig_open(&r);
    r.eval.batch = true;
    r.chunk = rnd(40);
    r.full_every = rnd(3);
    prepare(&r, s);
    rig_start(&r);
    static table t[2];
    static char rows[20000];
    for (uint32_t turn = 0; turn < 2; turn++) {
        uint32_t side = probe_first ? 1 - (uint32_t)s->build : (uint32_t)s->build;
        if (turn) side = 1 - side;
        table *x = &t[side];
        x->n = side ? n1 : n0;
        int len = 0;
        for (uint32_t i = 0; i < x->n; i++) {
            x->rows[i] = (row){(int)rnd(40) - (s->null_aware && s->build % 2 ? 0 : 1), (int)rnd(3)};
            row now = x->rows[i];
            len += now.k == -1 ? sprintf(rows + len, "+I[null, %d] ", now.v)
                               : sprintf(rows + len, "+I[%d, %d] ", now.k, now.v);
        }
        rows[len] = 0;
        rig_rows(&r, side, rows);
        rig_settle(&r, r.op->ops->on_end_input(&r.ctx, r.op, side, &r.emit));
    }
    rig_settle(&r, r.op->ops->on_end(&r.ctx, r.op, &r.emit));
    CHECK_MSG(!r.failed, "%s", r.ctx.err.message);
    if (!r.failed) {
        naive_join(s, &t[0], &t[1]);
        fold(rig_output(&r));
        CHECK_MSG(strcmp(got_text, want_text) == 0, "type %d equi %d less %d build %d", s->type,
                  s->equi, s->less, s->build);
    }
    rig_close(&r);
}

TEST(batch_at_random)
{
    for (uint64_t round = 1; round <= 3; round++) {
        for (uint8_t type = WR_JOIN_INNER; type <= WR_JOIN_ANTI; type++) {
            for (int form = 0; form < 8; form++) {
                seed = round * 1000 + type * 10 + (uint64_t)form;
                spec s = {.type = type,
                          .batch = true,
                          .equi = form / 2 != 0,
                          .less = form / 2 == 0 || form / 2 == 3,
                          .null_equal = form / 2 == 2,
                          .text = round == 2 && form / 2 != 0 && form / 2 != 3,
                          .build = form % 2};
                random_batch(&s, 20 + rnd(200), 20 + rnd(200), round == 3);
                random_batch(&s, round == 1 ? 0 : 30, round == 2 ? 0 : 30, false);
            }
        }
    }
}

TEST(null_aware_anti)
{
    for (uint64_t round = 1; round <= 30; round++) {
        seed = round;
        spec s = {
            .type = WR_JOIN_ANTI, .batch = true, .equi = true, .null_aware = true, .build = 1};
        random_batch(&s, 50, (uint32_t)(round % 5 * 2), false);
    }
}

CHECK_MAIN()
