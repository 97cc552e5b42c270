/* SPDX-License-Identifier: Apache-2.0 */
/* Logical ids: what a change of the query leaves alone, and what it must not. */
#include "unit/plan_fixture.h"

/* The ids of the nodes of these kinds, in the order of the plan. */
static const char *
ids_of(session *s, const char *v_type, const char *sql)
{
    static char ddl[200];
    (void)snprintf(ddl, sizeof ddl,
                   "CREATE TABLE t (id INT, k STRING, v %s) WITH ('connector'='fake')", v_type);
    session_open(s);
    session_ddl(s, ddl);
    session_ddl(s, "CREATE TABLE u (id INT, w STRING, x INT) WITH ('connector'='fake')");
    wr_rel *rel = session_plan(s, sql);
    wr_plan *plan = NULL;
    wr_text out;
    if (!rel || wr_plan_make(&s->ctx, &s->env, &rel, 1, &plan) != WR_OK) return s->ctx.err.message;
    wr_text_init(&out, s->arena);
    for (uint32_t i = 0; i < plan->node_count; i++) {
        const wr_pnode *n = plan->nodes[i];
        if (n->kind == WR_P_GROUP_AGG || n->kind == WR_P_JOIN || n->kind == WR_P_SCAN ||
            n->kind == WR_P_SORT_LIMIT)
            wr_text_printf(&out, "%s%.*s", out.len ? " " : "", WR_STR_ARG(n->logical_id));
        for (uint32_t k = 0; k < i; k++)
            CHECK_MSG(!wr_str_eq(n->logical_id, plan->nodes[k]->logical_id), "%s: %.*s twice", sql,
                      WR_STR_ARG(n->logical_id));
    }
    wr_text_putc(&out, 0);
    return out.ptr;
}

static void
check(const char *a, const char *b, const char *b_type, bool same)
{
    session x, y;
    const char *one = ids_of(&x, "INT", a), *two = ids_of(&y, b_type, b);
    CHECK_MSG((strcmp(one, two) == 0) == same, "%s: %s\n%s: %s", a, one, b, two);
    CHECK_MSG(strstr(one, "-") && strstr(two, "-"), "%s / %s", one, two);
    session_close(&x);
    session_close(&y);
}

TEST(edits_that_keep_state)
{
    static const char agg[] = "SELECT k, SUM(v) FROM t GROUP BY k";
    check(agg, agg, "INT", true);
    check(agg, "SELECT k, SUM(v) FROM t GROUP BY k", "BIGINT", true);
    check(agg, "SELECT k, COUNT(*), SUM(v), MAX(id) FROM t GROUP BY k", "INT", true);
    check(agg, "SELECT SUM(v) + 1 AS s, k FROM t WHERE id > 3 GROUP BY k HAVING COUNT(*) > 1",
          "INT", true);
    check(agg, "SELECT kk, SUM(v) FROM (SELECT id AS z, k AS kk, v FROM t) GROUP BY kk", "INT",
          true);
    check("SELECT v + id, COUNT(*) FROM t GROUP BY v + id",
          "SELECT c, SUM(v), COUNT(*) FROM (SELECT k, v + id AS c, v FROM t) GROUP BY c", "INT",
          true);
    static const char join[] = "SELECT t.k, u.w FROM t JOIN u ON t.id = u.id";
    check(join, "SELECT t.k, t.v, u.x FROM t JOIN u ON t.id = u.id WHERE t.k <> 'a'", "INT", true);
    check("SELECT w, COUNT(*) FROM t JOIN u ON t.id = u.id GROUP BY w",
          "SELECT w, COUNT(*), SUM(v) FROM t JOIN u ON t.id = u.id WHERE x > 1 GROUP BY w", "INT",
          true);
    check("SELECT k, v FROM t ORDER BY v LIMIT 3", "SELECT v, k, id FROM t ORDER BY v LIMIT 3",
          "INT", true);
}

TEST(edits_that_make_other_state)
{
    static const char agg[] = "SELECT k, SUM(v) FROM t GROUP BY k";
    check(agg, "SELECT id, SUM(v) FROM t GROUP BY id", "INT", false);
    check(agg, "SELECT k, id, SUM(v) FROM t GROUP BY k, id", "INT", false);
    check(agg, "SELECT w, SUM(x) FROM u GROUP BY w", "INT", false);
    check("SELECT v + id, COUNT(*) FROM t GROUP BY v + id",
          "SELECT v - id, COUNT(*) FROM t GROUP BY v - id", "INT", false);
    static const char join[] = "SELECT t.k, u.w FROM t JOIN u ON t.id = u.id";
    check(join, "SELECT t.k, u.w FROM t LEFT JOIN u ON t.id = u.id", "INT", false);
    check(join, "SELECT t.k, u.w FROM t JOIN u ON t.v = u.id", "INT", false);
    check("SELECT k, v FROM t ORDER BY v LIMIT 3", "SELECT k, v FROM t ORDER BY v LIMIT 4", "INT",
          false);
    check("SELECT k, v FROM t ORDER BY v LIMIT 3", "SELECT k, v FROM t ORDER BY v DESC LIMIT 3",
          "INT", false);
}

/* Two that are alike are numbered; ids_of says when an id comes twice. */
TEST(ids_are_unique)
{
    session s;
    const char *ids = ids_of(&s, "INT",
                             "SELECT k, COUNT(*) FROM t WHERE v > 1 GROUP BY k UNION ALL "
                             "SELECT k, COUNT(*) FROM t WHERE v < 1 GROUP BY k");
    CHECK_MSG(strstr(ids, "-2") != NULL, "%s", ids);
    session_close(&s);
}

/* Names of aggregates and columns do not depend on where they stand. */
TEST(origins)
{
    session s;
    (void)ids_of(&s, "INT", "SELECT 1");
    wr_rel *rel = session_plan(&s, "SELECT kk, SUM(DISTINCT c), COUNT(*) FILTER (WHERE c > 1) FROM "
                                   "(SELECT k AS kk, v * 2 AS c FROM t) GROUP BY kk");
    wr_plan *plan = NULL;
    CHECK_FATAL(rel && wr_plan_make(&s.ctx, &s.env, &rel, 1, &plan) == WR_OK);
    for (uint32_t i = 0; i < plan->node_count; i++) {
        const wr_pnode *n = plan->nodes[i];
        static const char *const want[] = {"k", "SUM(DISTINCT (v * 2))"};
        if (n->kind != WR_P_GROUP_AGG) continue;
        for (uint32_t c = 0; c < 2; c++) {
            wr_str name;
            CHECK_OK(&s.ctx, wr_col_origin(&s.ctx, s.arena, n, c, &name));
            CHECK_MSG(wr_str_eq_c(name, want[c]), "%.*s", WR_STR_ARG(name));
        }
    }
    session_close(&s);
}

CHECK_MAIN()
