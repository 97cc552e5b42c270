/* SPDX-License-Identifier: Apache-2.0 */
/* The logical rules: shapes of rewritten relations. Where Flink plans the same (EXPLAIN of 2.3),
 * the expected shape is its; correlated sub-queries that it gets wrong follow the definition of
 * SQL. */
#include "unit/plan_fixture.h"

static session s;

static void
start(void)
{
    session_open(&s);
    session_ddl(&s, "CREATE TABLE t (id INT, k STRING, v INT NOT NULL) WITH ('connector'='fake')");
    session_ddl(&s, "CREATE TABLE u (id INT NOT NULL, w STRING, x INT) "
                    "WITH ('connector'='fake', 'pushdown'='true')");
    session_ddl(&s, "CREATE TABLE n (arr ARRAY<INT>, id INT) WITH ('connector'='fake')");
    session_ddl(&s,
                "CREATE TABLE p (id INT NOT NULL, x INT, w STRING, PRIMARY KEY (id) NOT ENFORCED) "
                "WITH ('connector'='fake')");
}

static void
check_plan(const char *sql, const char *want)
{
    start();
    const char *got = session_print(&s, session_plan(&s, sql));
    CHECK_MSG(strcmp(got, want) == 0, "%s\n--- got\n%s--- want\n%s", sql, got, want);
    session_close(&s);
}

#define T "Scan(t: id, k, v)\n"

TEST(filters_move_below_projections_and_aggregates)
{
    check_plan("SELECT s FROM (SELECT id + 1 AS s, k FROM t) WHERE s > 3",
               "Project(s=+($0, 1))\n"
               "  Filter(>(+($0, 1), 3))\n"
               "    " T);
    check_plan("SELECT v FROM (SELECT v, COUNT(*) AS c FROM t GROUP BY v) WHERE v < 7 AND c > 1",
               "Project(v=$0)\n"
               "  Filter(>($1, 1))\n"
               "    Aggregate([0], COUNT() AS c)\n"
               "      Project(v=$2)\n"
               "        Filter(<($2, 7))\n"
               "          " T);
}

TEST(filters_stay_above_limits)
{
    check_plan("SELECT id FROM (SELECT id FROM t ORDER BY v LIMIT 2) WHERE id > 1",
               "Project(id=$0)\n"
               "  Filter(>($0, 1))\n"
               "    Sort($2 fetch 2)\n"
               "      " T);
}

TEST(outer_joins_are_minded)
{
    check_plan("SELECT t.id FROM t LEFT JOIN u ON t.id = u.id AND u.x > 3 AND t.v > 1",
               "Project(id=$0)\n"
               "  Join(left, AND(=($0, $2), >($1, 1)))\n"
               "    Project(id=$0, v=$2)\n"
               "      " T "    Project(id=$0)\n"
               "      Scan(u: id, x, filter $1 >)\n");
    check_plan("SELECT t.id FROM t LEFT JOIN u ON t.id = u.id WHERE u.x > 3", /* rejects NULL */
               "Project(id=$0)\n"
               "  Join(inner, =($0, $1))\n"
               "    Project(id=$0)\n"
               "      " T "    Project(id=$0)\n"
               "      Scan(u: id, x, filter $1 >)\n");
    check_plan("SELECT t.id FROM t LEFT JOIN u ON t.id = u.id WHERE u.x IS NULL",
               "Project(id=$0)\n"
               "  Filter(IS NULL($2))\n"
               "    Join(left, =($0, $1))\n"
               "      Project(id=$0)\n"
               "        " T "      Scan(u: id, x)\n");
    check_plan("SELECT t.id FROM t FULL JOIN u ON t.id = u.id WHERE t.v > 1",
               "Project(id=$0)\n"
               "  Join(left, =($0, $1))\n"
               "    Project(id=$0)\n"
               "      Filter(>($2, 1))\n"
               "        " T "    Scan(u: id)\n");
}

TEST(computed_join_keys_become_columns)
{
    check_plan("SELECT u.w FROM t JOIN u ON t.id + 1 = u.id", "Project(w=$2)\n"
                                                              "  Join(inner, =($0, $1))\n"
                                                              "    Project($f3=+($0, 1))\n"
                                                              "      " T "    Scan(u: id, w)\n");
}

TEST(constant_conditions_fold)
{
    check_plan("SELECT id FROM t WHERE 1 = 1 AND id > 1 + 2", "Project(id=$0)\n"
                                                              "  Filter(>($0, 3))\n"
                                                              "    " T);
    check_plan("SELECT id FROM t WHERE 1 = 0", "Values()\n");
    check_plan("SELECT t.id, u.x FROM t LEFT JOIN u ON 1 = 0", "Project(id=$0, x=null:INTEGER)\n"
                                                               "  " T);
}

TEST(scans_take_columns_filters_and_limits)
{
    check_plan("SELECT w FROM u WHERE x = 5 AND id < x", "Project(w=$1)\n"
                                                         "  Filter(<($0, $2))\n"
                                                         "    Scan(u: id, w, x, filter $2 =)\n");
    check_plan("SELECT w FROM u LIMIT 3 OFFSET 2", "Sort( offset 2 fetch 3)\n"
                                                   "  Scan(u: w, limit 5)\n");
    check_plan("SELECT COUNT(*) FROM u", "Aggregate([], COUNT() AS EXPR$0)\n"
                                         "  Scan(u: id)\n");
}

TEST(conjuncts_with_subqueries_are_semi_and_anti_joins)
{
    check_plan("SELECT id FROM t WHERE id IN (SELECT x FROM u)", "Join(semi, =($0, $1))\n"
                                                                 "  Project(id=$0)\n"
                                                                 "    " T "  Scan(u: x)\n");
    check_plan("SELECT id FROM t WHERE id NOT IN (SELECT x FROM u)",
               "Join(anti, OR(IS NULL($0), IS NULL($1), =($0, $1)))\n"
               "  Project(id=$0)\n"
               "    " T "  Scan(u: x)\n");
    check_plan("SELECT v FROM t WHERE v NOT IN (SELECT id FROM u)", "Join(anti, =($0, $1))\n"
                                                                    "  Project(v=$2)\n"
                                                                    "    " T "  Scan(u: id)\n");
    check_plan("SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.id = t.id AND u.x > t.v)",
               "Project(id=$0)\n"
               "  Join(semi, AND(=($2, $0), >($3, $1)))\n"
               "    Project(id=$0, v=$2)\n"
               "      " T "    Scan(u: id, x)\n");
    check_plan("SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM u)",
               "Join(anti, TRUE)\n"
               "  Project(id=$0)\n"
               "    " T "  Filter(IS NOT NULL($0))\n"
               "    Aggregate([], MIN($0) AS m)\n"
               "      Project(i=true)\n"
               "        Scan(u:)\n");
    check_plan("SELECT id FROM t WHERE EXISTS (SELECT COUNT(*) FROM u WHERE u.id = t.id)",
               "Project(id=$0)\n"
               "  " T);
}

TEST(scalar_subqueries_are_left_joins)
{
    check_plan("SELECT id, (SELECT MAX(x) FROM u) FROM t",
               "Join(left, TRUE)\n"
               "  Project(id=$0)\n"
               "    " T "  Aggregate([], MAX($0) AS EXPR$0)\n"
               "    Scan(u: x)\n");
    check_plan("SELECT id, (SELECT COUNT(*) FROM u WHERE u.id = t.id) FROM t",
               "Project(id=$0, EXPR$1=CASE(IS NULL($2), 0:BIGINT, $2))\n"
               "  Join(left, =($0, $1))\n"
               "    Project(id=$0)\n"
               "      " T "    Aggregate([0], COUNT() AS EXPR$0)\n"
               "      Scan(u: id)\n");
    check_plan("SELECT id, (SELECT x FROM u WHERE u.id = t.id) FROM t",
               "Project(id=$0, EXPR$1=$2)\n"
               "  Join(left, =($0, $1))\n"
               "    Project(id=$0)\n"
               "      " T "    Aggregate([0], SINGLE_VALUE($1) AS $f1)\n"
               "      Scan(u: id, x)\n");
    check_plan("SELECT (SELECT t.v + 1) FROM t", "Project(EXPR$0=+($2, 1))\n"
                                                 "  " T);
}

/* No equality to group by: the outer values themselves are joined in. */
TEST(other_correlation_joins_the_distinct_outer_values)
{
    /* no row where there is no group, as in Flink: the condition would refuse it anyway */
    check_plan("SELECT v FROM t WHERE v > (SELECT SUM(x) FROM u WHERE u.x < t.v)",
               "Project(v=$0)\n"
               "  Join(inner, AND(=($0, $1), >($0, $2)))\n"
               "    Project(v=$2)\n"
               "      " T "    Aggregate([1], SUM($0) AS EXPR$0)\n"
               "      Join(inner, <($0, $1))\n"
               "        Scan(u: x)\n"
               "        Aggregate([0])\n"
               "          Project(v=$2)\n"
               "            " T);
}

TEST(set_operations_are_joins_and_counts)
{
    check_plan("SELECT id FROM t UNION SELECT x FROM u", "Aggregate([0])\n"
                                                         "  Union(all)\n"
                                                         "    Project(id=$0)\n"
                                                         "      " T "    Scan(u: x)\n");
    check_plan("SELECT id FROM t INTERSECT SELECT x FROM u",
               "Aggregate([0])\n"
               "  Join(semi, IS NOT DISTINCT FROM($0, $1))\n"
               "    Project(id=$0)\n"
               "      " T "    Scan(u: x)\n");
    check_plan("SELECT id FROM t EXCEPT ALL SELECT x FROM u",
               "Project(id=$2)\n"
               "  Correlate(inner, $REPLICATE_ROWS$1($0, $1))\n"
               "    Project(sum_vcol_marker=$1, id=$0)\n"
               "      Filter(>($1, 0))\n"
               "        Aggregate([0], SUM($1) AS sum_vcol_marker)\n"
               "          Union(all)\n"
               "            Project(id=$0, vcol_marker=1:BIGINT)\n"
               "              " T "            Project(x=$0, vcol_marker=-1:BIGINT)\n"
               "              Scan(u: x)\n");
}

/* p has a primary key: each of its groups is one row, and it adds at most one row to a join. */
TEST(unique_columns_save_aggregates_and_joins)
{
    check_plan("SELECT id, MAX(x) FROM p GROUP BY id", "Project(id=$0, x=$1)\n"
                                                       "  Scan(p: id, x, w)\n");
    check_plan("SELECT id, COUNT(*) FROM p GROUP BY id", "Aggregate([0], COUNT() AS EXPR$1)\n"
                                                         "  Project(id=$0)\n"
                                                         "    Scan(p: id, x, w)\n");
    check_plan("SELECT DISTINCT id, w FROM p WHERE x > 1", "Project(id=$0, w=$2)\n"
                                                           "  Filter(>($1, 1))\n"
                                                           "    Scan(p: id, x, w)\n");
    check_plan("SELECT t.k FROM t LEFT JOIN p ON t.id = p.id AND t.v > p.x", "Project(k=$1)\n"
                                                                             "  " T);
    check_plan("SELECT k, SUM(c) FROM (SELECT k, COUNT(*) AS c FROM t GROUP BY k) GROUP BY k",
               "Aggregate([0], COUNT() AS c)\n"
               "  Project(k=$1)\n"
               "    " T);
}

TEST(constants_go_where_columns_are_equal)
{
    check_plan("SELECT t.k, u.w FROM t JOIN u ON t.id = u.id WHERE t.id = 5",
               "Join(inner, TRUE)\n"
               "  Project(k=$1)\n"
               "    Filter(=($0, 5))\n"
               "      " T "  Project(w=$1)\n"
               "    Scan(u: id, w, filter $0 =)\n");
    /* a key stays whatever the filter says (Flink's plan); a literal among the keys goes */
    check_plan("SELECT k, v, COUNT(*) FROM t WHERE v = 3 GROUP BY k, v",
               "Aggregate([0, 1], COUNT() AS EXPR$2)\n"
               "  Project(k=$1, v=$2)\n"
               "    Filter(=($2, 3))\n"
               "      " T);
    check_plan("SELECT k, 3, COUNT(*) FROM t GROUP BY k, 3", "Project(k=$0, EXPR$1=3, EXPR$2=$1)\n"
                                                             "  Aggregate([0], COUNT() AS EXPR$2)\n"
                                                             "    Project(k=$1)\n"
                                                             "      " T);
    check_plan("SELECT id + v FROM t WHERE id = 3", "Project(EXPR$0=+(3, $2))\n"
                                                    "  Filter(=($0, 3))\n"
                                                    "    " T);
}

/* What every branch of an OR asks for is asked for once: here it is the join's key. */
TEST(factors_come_out_of_or)
{
    check_plan("SELECT t.k FROM t, u WHERE (t.id = u.id AND t.v > 1) OR (t.id = u.id AND u.x > 3)",
               "Project(k=$1)\n"
               "  Join(inner, AND(=($0, $3), OR(>($2, 1), >($4, 3))))\n"
               "    " T "    Scan(u: id, x)\n");
}

TEST(limits_come_before_projections)
{
    check_plan("SELECT id + 1 FROM t ORDER BY id LIMIT 3", "Project(EXPR$0=+($0, 1))\n"
                                                           "  Sort($0 fetch 3)\n"
                                                           "    " T);
    check_plan("SELECT id FROM t WHERE k = 'a' ORDER BY v LIMIT 3",
               "Project(id=$0)\n"
               "  Sort($1 fetch 3)\n"
               "    Project(id=$0, v=$2)\n"
               "      Filter(=($1, _UTF-16LE'a':VARCHAR(2147483647) CHARACTER SET \"UTF-16LE\"))\n"
               "        " T);
}

TEST(grouping_sets_in_correlated_queries_keep_the_outer_values)
{
    check_plan("SELECT id FROM t WHERE EXISTS (SELECT w FROM u WHERE u.x < t.v GROUP BY CUBE (w) "
               "HAVING COUNT(*) > 1)",
               "Project(id=$0)\n"
               "  Join(semi, =($1, $2))\n"
               "    Project(id=$0, v=$2)\n"
               "      " T "    Project(v=$2)\n"
               "      Filter(>($3, 1))\n"
               "        Aggregate([0, 1, 2], COUNT() AS $f2)\n"
               "          Expand({$0, 0:BIGINT, $1}, {null:VARCHAR(2147483647) CHARACTER SET "
               "\"UTF-16LE\", 1:BIGINT, $1})\n"
               "            Project(w=$0, v=$2)\n"
               "              Join(inner, <($1, $2))\n"
               "                Scan(u: w, x)\n"
               "                Aggregate([0])\n"
               "                  Project(v=$2)\n"
               "                    " T);
}

TEST(grouping_sets_expand)
{
    check_plan(
        "SELECT k, id, GROUPING_ID(k, id), SUM(id) FROM t GROUP BY ROLLUP(k, id)",
        "Project(k=$0, id=$1, EXPR$2=CASE(=($2, 0:BIGINT), 0:BIGINT, =($2, 1:BIGINT), "
        "1:BIGINT, 3:BIGINT), EXPR$3=$3)\n"
        "  Aggregate([0, 1, 3], SUM($2) AS EXPR$3)\n"
        "    Expand({$0, $1, $2, 0:BIGINT}, {$0, null:INTEGER, $2, 1:BIGINT}, "
        "{null:VARCHAR(2147483647) CHARACTER SET \"UTF-16LE\", null:INTEGER, $2, 3:BIGINT})\n"
        "      Project(k=$1, id=$0, id0=$0)\n"
        "        " T);
}

TEST(laterals_and_unnest)
{
    check_plan("SELECT id, e FROM n CROSS JOIN UNNEST(arr) AS q(e) WHERE id > 1",
               "Project(id=$1, e=$2)\n"
               "  Correlate(inner, $UNNEST_ROWS$1($0))\n"
               "    Filter(>($1, 1))\n"
               "      Scan(n: arr, id)\n");
    check_plan("SELECT id, e FROM n LEFT JOIN UNNEST(arr) AS q(e) ON e > 1",
               "Project(id=$1, e=$2)\n"
               "  Correlate(left, $UNNEST_ROWS$1($0), >($2, 1))\n"
               "    Scan(n: arr, id)\n");
    check_plan("SELECT t.id, q.w FROM t, LATERAL (SELECT w FROM u WHERE u.id = t.id) AS q",
               "Project(id=$0, w=$1)\n"
               "  Join(inner, =($0, $2))\n"
               "    Project(id=$0)\n"
               "      " T "    Project(w=$1, id=$0)\n"
               "      Scan(u: id, w)\n");
}

/* Not merged: RAND() would be evaluated twice. */
TEST(projections_merge_unless_it_changes_something)
{
    check_plan("SELECT r, r + 1 FROM (SELECT RAND() AS r FROM t)",
               "Project(r=$0, EXPR$1=+($0, 1))\n"
               "  Project(r=RAND())\n"
               "    " T);
    check_plan("SELECT a + 1 FROM (SELECT v * 2 AS a FROM t)", "Project(EXPR$0=+(*($2, 2), 1))\n"
                                                               "  " T);
}

CHECK_MAIN()
