/* SPDX-License-Identifier: Apache-2.0 */
/* Error texts and positions of statements that can't be bound.
 * Expected values: Flink 2.3's answers to the same statements. */
#include "unit/plan_fixture.h"

typedef struct expectation {
    const char *sql, *want;
    uint32_t from, to; /* columns, from 1; 0 = not checked */
} expectation;

static void
tables_a(session *s)
{
    session_ddl(s, "CREATE TABLE t (id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), arr "
                   "ARRAY<INT>, m MAP<STRING,INT>, r ROW<a INT, b ROW<c STRING>>, ra ARRAY<ROW<x "
                   "INT, y STRING>>, ms MULTISET<STRING>, pt AS PROCTIME(), d DECIMAL(10,2), "
                   "WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector'='fake')");
    session_ddl(s, "CREATE TABLE u (id INT NOT NULL, w STRING NOT NULL) WITH ('connector'='fake')");
    session_ddl(s, "CREATE TABLE snk (a INT, b STRING) WITH ('connector'='fake')");
    session_ddl(s, "CREATE TABLE snn (a INT NOT NULL, b STRING) WITH ('connector'='fake')");
    session_ddl(s, "CREATE VIEW vw AS SELECT id, k AS kk FROM t");
}

static void
tables_b(session *s)
{
    session_ddl(s, "CREATE TABLE t (id INT, k STRING, v INT NOT NULL, ts TIMESTAMP(3), d "
                   "DECIMAL(10,2), arr ARRAY<INT>, r ROW<a INT, b STRING>, WATERMARK FOR ts AS ts "
                   "- INTERVAL '5' SECOND) WITH ('connector'='fake')");
    session_ddl(s, "CREATE TABLE u (id INT NOT NULL, w STRING NOT NULL, x INT) WITH "
                   "('connector'='fake')");
}

/* clang-format off */
static const expectation errors_a[] = {
    {"SELECT a FROM (SELECT id AS a, v AS a FROM t)",
     "Column 'a' is ambiguous", 8, 8},
    {"SELECT * FROM (SELECT id AS a, v AS a FROM t)",
     "Column 'a' is ambiguous", 8, 8},
    {"SELECT id FROM t JOIN u ON t.id = u.id",
     "Column 'id' is ambiguous", 8, 9},
    {"SELECT t.v FROM t GROUP BY k",
     "Expression 't.v' is not being grouped", 8, 10},
    {"SELECT v FROM t GROUP BY k",
     "Expression 'v' is not being grouped", 8, 8},
    {"SELECT v + 1 FROM t GROUP BY k",
     "Expression 'v' is not being grouped", 8, 8},
    {"SELECT r.zz FROM t",
     "Column 'r.zz' not found in table 't'", 8, 11},
    {"SELECT r.A FROM t",
     "Column 'r.A' not found in table 't'; did you mean 'a'?", 8, 10},
    {"SELECT ID FROM t",
     "Column 'ID' not found in any table; did you mean 'id'?", 8, 9},
    {"SELECT t.zz FROM t",
     "Column 'zz' not found in table 't'", 10, 11},
    {"SELECT zz, yy FROM t",
     "Column 'zz' not found in any table", 8, 9},
    {"SELECT x.id FROM t",
     "Table 'x' not found", 8, 8},
    {"SELECT x.* FROM t",
     "Unknown identifier 'x'", 8, 8},
    {"SELECT * FROM t CROSS JOIN UNNEST(ra) AS q(e)",
     "List of column aliases must have same degree as table; table has 2 columns "
     "('x', 'y'), whereas alias list has 1 columns", 44, 44},
    {"SELECT * FROM t, UNNEST(v)",
     "Cannot apply 'UNNEST' to arguments of type 'UNNEST(<INTEGER>)'. Supported "
     "form(s): 'UNNEST(<MULTISET>)'", 18, 26},
    {"SELECT * FROM (VALUES (1, 'a'), (2, NULL))",
     "Illegal use of 'NULL'", 37, 40},
    {"SELECT * FROM (VALUES (1, 'a'), (2)) AS x(p, q)",
     "Values passed to VALUES operator must have compatible types", 16, 35},
    {"SELECT * FROM (VALUES (1), ('a')) AS x(p)",
     "Values passed to VALUES operator must have compatible types", 16, 32},
    {"SELECT * FROM (VALUES (1, 'a')) AS x(p)",
     "List of column aliases must have same degree as table; table has 2 columns "
     "('EXPR$0', 'EXPR$1'), whereas alias list has 1 columns", 38, 38},
    {"SELECT * FROM (VALUES (1, 'a')) AS x(p, p)",
     "Duplicate name 'p' in column alias list", 41, 41},
    {"SELECT *",
     "SELECT * requires a FROM clause", 8, 8},
    {"SELECT id FROM t GROUP BY 1",
     "Expression 'id' is not being grouped", 8, 9},
    {"SELECT id AS i2 FROM t GROUP BY i2",
     "Column 'i2' not found in any table", 33, 34},
    {"SELECT id AS i2, COUNT(*) FROM t GROUP BY id HAVING i2 > 1",
     "Column 'i2' not found in any table", 53, 54},
    {"SELECT id AS i2 FROM t WHERE i2 > 1",
     "Column 'i2' not found in any table", 30, 31},
    {"SELECT DISTINCT k FROM t ORDER BY v LIMIT 2",
     "Expression 'v' is not in the select clause", 35, 35},
    {"SELECT SUM(SUM(v)) FROM t",
     "Aggregate expressions cannot be nested", 8, 18},
    {"SELECT k FROM t WHERE SUM(v) > 1",
     "Aggregate expression is illegal in WHERE clause", 23, 28},
    {"SELECT GROUPING(v) FROM t GROUP BY ROLLUP(k)",
     "Argument to GROUPING operator must be a grouped expression", 17, 17},
    {"SELECT GROUPING(k) FROM t",
     "GROUPING operator may only occur in an aggregate query", 8, 18},
    {"SELECT id FROM t UNION ALL SELECT k FROM t",
     "Type mismatch in column 1 of UNION ALL", 8, 9},
    {"SELECT id FROM t UNION ALL SELECT id, v FROM t",
     "Column count mismatch in UNION ALL", 35, 39},
    {"SELECT CASE WHEN id > 1 THEN 1 WHEN id > 2 THEN 'a' END FROM t",
     "Illegal mixing of types in CASE or COALESCE statement", 8, 55},
    {"SELECT foo(id) FROM t",
     "No match found for function signature foo(<NUMERIC>)", 8, 14},
    {"SELECT UPPER(id, k) FROM t",
     "Invalid number of arguments to function 'UPPER'. Was expecting 1 arguments", 8, 19},
    {"SELECT ABS(k) FROM t",
     "Cannot apply 'ABS' to arguments of type 'ABS(<VARCHAR(2147483647)>)'. "
     "Supported form(s): 'ABS(<NUMERIC>)'", 8, 13},
    {"SELECT COUNT(DISTINCT id, v) FROM t",
     "We now only support the count of one field.", 0, 0},
    {"SELECT SUM(*) FROM t",
     "Unknown identifier '*'", 12, 12},
    {"SELECT UPPER(DISTINCT k) FROM t",
     "DISTINCT/ALL not allowed with UPPER function", 0, 0},
    {"SELECT LISTAGG(k) WITHIN GROUP (ORDER BY v) FROM t",
     "Aggregate expression 'LISTAGG' must not contain a WITHIN GROUP clause", 0, 0},
    {"SELECT SUM(v) FILTER (WHERE id) FROM t",
     "FILTER clause must be a condition", 29, 30},
    {"SELECT id IN (SELECT id, w FROM u) FROM t",
     "Values passed to IN operator must have compatible types", 0, 0},
    {"SELECT id FROM t WHERE id IN (SELECT id, w FROM u)",
     "Values passed to IN operator must have compatible types", 0, 0},
    {"SELECT id FROM t WHERE id = (SELECT id, w FROM u)",
     "Cannot apply '$SCALAR_QUERY' to arguments of type "
     "'$SCALAR_QUERY(<RECORDTYPE(INTEGER ID, VARCHAR(2147483647) W)>)'. Supported "
     "form(s): '$SCALAR_QUERY(<RECORDTYPE(SINGLE FIELD)>)'", 0, 0},
    {"SELECT ARRAY[], MAP[] FROM t",
     "Require at least 1 argument", 8, 14},
    {"SELECT ARRAY[1, 'a'] FROM t",
     "Parameters must be of the same type", 8, 20},
    {"SELECT MAP['a'] FROM t",
     "Map requires an even number of arguments", 8, 15},
    {"SELECT NULL",
     "Illegal use of 'NULL'", 8, 11},
    {"SELECT NULL AS x, 1",
     "Illegal use of 'NULL'", 8, 11},
    {"SELECT id FROM t WHERE id",
     "WHERE clause must be a condition", 24, 25},
    {"SELECT id FROM t JOIN u ON u.id",
     "ON clause must be a condition", 28, 31},
    {"SELECT id FROM t JOIN u",
     "INNER, LEFT, RIGHT or FULL join requires a condition (NATURAL keyword or ON "
     "or USING clause)", 18, 21},
    {"SELECT t.id FROM t AS x",
     "Table 't' not found", 8, 8},
    {"SELECT x.id FROM t AS x (id, b)",
     "List of column aliases must have same degree as table; table has 11 columns "
     "('id', 'k', 'v', 'ts', 'arr', 'm', 'r', 'ra', 'ms', 'pt', 'd'), whereas alias "
     "list has 2 columns", 26, 30},
    {"SELECT * FROM default_database.nope",
     "Object 'nope' not found within 'default_catalog.default_database'", 15, 35},
    {"SELECT * FROM nope",
     "Object 'nope' not found", 15, 18},
    {"SELECT * FROM nodb.t",
     "Object 'nodb' not found", 15, 20},
    {"SELECT * FROM nocat.nodb.t",
     "Object 'nocat' not found", 15, 26},
    {"SELECT * FROM t, t",
     "Duplicate relation name 't' in FROM clause", 18, 18},
    {"SELECT * FROM t AS a, u AS a",
     "Duplicate relation name 'a' in FROM clause", 23, 28},
    {"WITH a(x, y) AS (SELECT id FROM t) SELECT * FROM a",
     "Number of columns must match number of query columns", 0, 0},
    {"SELECT CURRENT_DATE, CURRENT_TIMESTAMP, LOCALTIME, PI, CURRENT_DATABASE FROM t",
     "Column 'CURRENT_DATABASE' not found in any table", 56, 71},
    {"SELECT id FROM t /*+ FOO('number-of-rowz'='5') */",
     "Hint: FOO should be registered in the HintStrategyTable", 0, 0},
    {"SELECT /*+ FOO(t) */ id FROM t",
     "Hint: FOO should be registered in the HintStrategyTable", 0, 0},
    {"SELECT /*+ BROADCAST(zz) */ t.id FROM t JOIN u ON t.id = u.id",
     "The options of following hints cannot match the name of input tables or "
     "views: ", 0, 0},
    {"SELECT /*+ STATE_TTL('zz'='1d') */ t.id FROM t JOIN u ON t.id = u.id",
     "The options of following hints cannot match the name of input tables or "
     "views: ", 0, 0},
    {"SELECT id FROM (SELECT id, k FROM t) AS z WHERE z.v = 1",
     "Column 'v' not found in table 'z'", 51, 51},
    {"SELECT t.id FROM t LEFT JOIN u ON t.id = u.id WHERE u.zz = 1",
     "Column 'zz' not found in table 'u'", 55, 56},
    {"SELECT id, SUM(v) FROM t GROUP BY ()",
     "Expression 'id' is not being grouped", 8, 9},
    {"SELECT id FROM t HAVING id > 1",
     "Expression 'id' is not being grouped", 0, 0},
    {"SELECT * FROM t GROUP BY id",
     "Expression 't.k' is not being grouped", 8, 8},
    {"SELECT id AS a FROM t UNION ALL SELECT id FROM u ORDER BY t.id LIMIT 1",
     "Table 't' not found", 59, 59},
    {"SELECT id FROM t ORDER BY 5 LIMIT 1",
     "Ordinal out of range", 27, 27},
    {"SELECT id FROM t ORDER BY 0 LIMIT 1",
     "Ordinal out of range", 27, 27},
    {"SELECT m FROM t GROUP BY m",
     "Type(MAP<STRING, INT>) is not an orderable data type, it is not supported as "
     "a ORDER_BY/GROUP_BY/JOIN_EQUAL field.", 0, 0},
    {"SELECT id FROM TABLE(nofunc(1))",
     "No match found for function signature nofunc(<NUMERIC>)", 22, 30},
    {"SELECT id FROM t, LATERAL TABLE(nofunc(id))",
     "No match found for function signature nofunc(<NUMERIC>)", 33, 42},
    {"SELECT DATE '2024-13-01'",
     "Illegal DATE literal '2024-13-01': not in format 'yyyy-MM-dd'", 8, 24},
    {"SELECT TIME '25:00:00'",
     "Illegal TIME literal '25:00:00': not in format 'HH:mm:ss'", 8, 22},
    {"SELECT TIMESTAMP '2024-01-01T10:00:00'",
     "Illegal TIMESTAMP literal '2024-01-01T10:00:00': not in format 'yyyy-MM-dd "
     "HH:mm:ss'", 8, 38},
    {"SELECT INTERVAL '400' DAY",
     "Interval field value 400 exceeds precision of DAY(2) field", 8, 25},
    {"SELECT INTERVAL '400' DAY(3), INTERVAL '1:2' HOUR TO SECOND",
     "Illegal interval literal format '1:2' for INTERVAL HOUR TO SECOND", 31, 59},
    {"SELECT 99999999999999999999, 1e400, 123456789012345678901234567890123456789",
     "Numeric literal '99999999999999999999' out of range", 8, 27},
    {"SELECT id FROM t WHERE k = 1",
     "implicit type conversion between VARCHAR and INTEGER is not supported now", 0, 0},
    {"SELECT id = TRUE FROM t",
     "Cannot apply '=' to arguments of type '<INTEGER> = <BOOLEAN>'. Supported "
     "form(s): '<COMPARABLE_TYPE> = <COMPARABLE_TYPE>'", 8, 16},
    {"SELECT NOT id FROM t",
     "Cannot apply 'NOT' to arguments of type 'NOT<INTEGER>'. Supported form(s): "
     "'NOT<BOOLEAN>'", 8, 13},
    {"SELECT id AND TRUE FROM t",
     "Cannot apply 'AND' to arguments of type '<INTEGER> AND <BOOLEAN>'. Supported "
     "form(s): '<BOOLEAN> AND <BOOLEAN>'", 0, 0},
    {"SELECT -k FROM t",
     "Cannot apply '-' to arguments of type '-<VARCHAR(2147483647)>'. Supported "
     "form(s): '-<NUMERIC>'", 8, 9},
    {"SELECT id || 'a' FROM t",
     "Cannot apply '||' to arguments of type '<INTEGER> || <CHAR(1)>'. Supported "
     "form(s): '<STRING> || <STRING>'", 8, 16},
    {"SELECT id + k FROM t",
     "Cannot apply '+' to arguments of type '<INTEGER> + <VARCHAR(2147483647)>'. "
     "Supported form(s): '<NUMERIC> + <NUMERIC>'", 8, 13},
    {"SELECT id FROM t WHERE id IS TRUE",
     "Cannot apply 'IS TRUE' to arguments of type '<INTEGER> IS TRUE'. Supported "
     "form(s): '<BOOLEAN> IS TRUE'", 24, 33},
    {"SELECT k[1] FROM t",
     "Cannot apply 'ITEM' to arguments of type 'ITEM(<VARCHAR(2147483647)>, "
     "<INTEGER>)'. Supported form(s): ", 8, 11},
    {"SELECT arr['a'] FROM t",
     "Cannot apply 'ITEM' to arguments of type 'ITEM(<INTEGER ARRAY>, <CHAR(1)>)'. "
     "Supported form(s): ", 8, 15},
    {"SELECT m[1] FROM t",
     "Cannot apply 'ITEM' to arguments of type 'ITEM(<(VARCHAR(2147483647), "
     "INTEGER) MAP>, <INTEGER>)'. Supported form(s): ", 8, 11},
    {"SELECT arr[0] FROM t",
     "Array element access needs an index starting at 1 but was 0.", 0, 0},
    {"SELECT id FROM t a JOIN u a ON a.id = 1",
     "Duplicate relation name 'a' in FROM clause", 25, 27},
    {"SELECT t.id FROM t JOIN u USING (zz)",
     "Column 'zz' not found in any table", 34, 35},
    {"SELECT CAST(id AS FOO) FROM t",
     "Unknown identifier 'FOO'", 19, 21},
    {"SELECT CAST(arr AS INT) FROM t",
     "Cast function cannot convert value of type INTEGER ARRAY to type INTEGER", 8, 23},
    {"SELECT id FROM t WHERE COUNT(*) OVER (ORDER BY ts) > 1",
     "Windowed aggregate expression is illegal in WHERE clause", 24, 50},
    {"SELECT EXISTS (SELECT zz FROM u) FROM t",
     "Column 'zz' not found in any table", 23, 24},
    {"SELECT (SELECT 1, 2)",
     "Cannot apply '$SCALAR_QUERY' to arguments of type "
     "'$SCALAR_QUERY(<RECORDTYPE(INTEGER EXPR$0, INTEGER EXPR$1)>)'. Supported "
     "form(s): '$SCALAR_QUERY(<RECORDTYPE(SINGLE FIELD)>)'", 0, 0},
};

static const expectation errors_b[] = {
    {"SELECT 12345678901234567890.5, 0.00000000000000000000000000000000000001",
     "Numeric literal '12345678901234567890.5' out of range", 8, 29},
    {"SELECT 123456789012345678901234567890123456789.5",
     "Numeric literal '123456789012345678901234567890123456789.5' out of range", 8, 48},
    {"SELECT 1e400",
     "Numeric literal '1E400' out of range", 8, 12},
    {"SELECT INTERVAL '100' DAY",
     "Interval field value 100 exceeds precision of DAY(2) field", 8, 25},
    {"SELECT INTERVAL '100' YEAR",
     "Interval field value 100 exceeds precision of YEAR(2) field", 8, 26},
    {"SELECT INTERVAL '1' DAY(3), INTERVAL '1.5' DAY",
     "Illegal interval literal format '1.5' for INTERVAL DAY", 29, 46},
    {"SELECT INTERVAL 'x' DAY",
     "Illegal interval literal format 'x' for INTERVAL DAY", 8, 23},
    {"SELECT INTERVAL '2-12' YEAR TO MONTH",
     "Illegal interval literal format '2-12' for INTERVAL YEAR TO MONTH", 8, 36},
    {"SELECT INTERVAL '1 25:00:00' DAY TO SECOND",
     "Illegal interval literal format '1 25:00:00' for INTERVAL DAY TO SECOND", 8, 42},
    {"SELECT TIME '10:00'",
     "Illegal TIME literal '10:00': not in format 'HH:mm:ss'", 8, 19},
    {"SELECT TIMESTAMP '2024-01-01 10:00'",
     "Illegal TIMESTAMP literal '2024-01-01 10:00': not in format 'yyyy-MM-dd "
     "HH:mm:ss'", 8, 35},
    {"SELECT TIMESTAMP '2024-02-30 10:00:00'",
     "Illegal TIMESTAMP literal '2024-02-30 10:00:00': not in format 'yyyy-MM-dd "
     "HH:mm:ss'", 8, 38},
    {"SELECT 'abc', '', N'abc', _UTF16'abc', _latin1'abc', U&'\\00e9', X'', X'0A', "
     "'a' 'b'",
     "String literal continued on same line", 81, 83},
    {"SELECT X'0'",
     "Binary literal string must contain an even number of hexits", 8, 11},
    {"SELECT NULL + 1",
     "Illegal use of 'NULL'", 8, 11},
    {"SELECT ARRAY[1, NULL], ROW(1, NULL), MAP['a', NULL]",
     "Illegal use of 'NULL'", 31, 34},
    {"SELECT CASE WHEN v > 1 THEN NULL ELSE NULL END FROM t",
     "ELSE clause or at least one THEN clause must be non-NULL", 8, 46},
    {"SELECT UPPER(NULL), ABS(NULL), CONCAT('a', NULL), 'a' || NULL",
     "Illegal use of 'NULL'", 0, 0},
    {"SELECT SUM(NULL), COUNT(NULL) FROM t",
     "Illegal use of 'NULL'", 12, 15},
    {"SELECT v = (SELECT w FROM u) FROM t",
     "implicit type conversion between INTEGER and VARCHAR is not supported now", 0, 0},
    {"SELECT (v, k) = (SELECT id, w FROM u) FROM t",
     "Cannot apply '$SCALAR_QUERY' to arguments of type "
     "'$SCALAR_QUERY(<RECORDTYPE(INTEGER ID, VARCHAR(2147483647) W)>)'. Supported "
     "form(s): '$SCALAR_QUERY(<RECORDTYPE(SINGLE FIELD)>)'", 0, 0},
    {"SELECT v FROM t WHERE UNIQUE (SELECT id FROM u)",
     "No match found for function signature UNIQUE", 0, 0},
    {"SELECT v FROM t HAVING TRUE",
     "Expression 'v' is not being grouped", 8, 8},
    {"SELECT v AS x, SUM(id) AS x FROM t GROUP BY v ORDER BY x",
     "Column 'x' is ambiguous", 56, 56},
    {"SELECT v FROM t ORDER BY SUM(v)",
     "Aggregate expression is illegal in ORDER BY clause of non-aggregating SELECT", 26, 31},
    {"SELECT k FROM t GROUP BY k ORDER BY v",
     "Expression 'v' is not being grouped", 37, 37},
    {"SELECT v FROM t UNION ALL SELECT id FROM u ORDER BY id",
     "Column 'id' not found in any table", 53, 54},
    {"SELECT k, v FROM t GROUP BY k, SUM(v)",
     "Aggregate expression is illegal in GROUP BY clause", 32, 37},
    {"SELECT k || 'x' FROM t GROUP BY UPPER(k)",
     "Expression 'k' is not being grouped", 8, 8},
    {"SELECT r FROM t GROUP BY r.a",
     "Expression 'r' is not being grouped", 8, 8},
    {"SELECT SUM(v) AS s, s + 1 FROM t",
     "Column 's' not found in any table", 21, 21},
    {"SELECT UPPER(k) FILTER (WHERE v > 1) FROM t",
     "FILTER must be applied to aggregate function", 0, 0},
    {"SELECT ROW_NUMBER() FROM t",
     "OVER clause is necessary for window functions", 8, 19},
    {"SELECT LAG(v) FROM t",
     "OVER clause is necessary for window functions", 8, 13},
    {"SELECT t.* FROM t a",
     "Unknown identifier 't'", 8, 8},
    {"SELECT a.* FROM t a GROUP BY a.id",
     "Expression 'a.k' is not being grouped", 8, 10},
    {"SELECT STREAM id FROM t",
     "Cannot convert table 't' to stream", 23, 23},
    {"SELECT CAST(k AS DECIMAL(2,5)) FROM t",
     "Decimal scale must be between 0 and the precision 2 (both inclusive).", 0, 0},
    {"SELECT CAST(v AS TIMESTAMP) FROM t",
     "The cast from NUMERIC type to TIMESTAMP type is not allowed. It's recommended "
     "to use TO_TIMESTAMP(FROM_UNIXTIME(numeric_col)) instead, note the numeric is "
     "in seconds.", 0, 0},
    {"SELECT CAST(ts AS INT) FROM t",
     "The cast from TIMESTAMP type to NUMERIC type is not allowed. It's recommended "
     "to use UNIX_TIMESTAMP(CAST(timestamp_col AS STRING)) instead.", 0, 0},
    {"SELECT CAST(v AS DATE) FROM t",
     "Cast function cannot convert value of type INTEGER to type DATE", 8, 22},
    {"SELECT v FROM t WHERE k",
     "WHERE clause must be a condition", 23, 23},
    {"SELECT v FROM t WHERE NOT k",
     "Cannot apply 'NOT' to arguments of type 'NOT<VARCHAR(2147483647)>'. Supported "
     "form(s): 'NOT<BOOLEAN>'", 23, 27},
    {"SELECT CASE WHEN k THEN 1 END FROM t",
     "Expected a boolean type", 0, 0},
    {"SELECT CASE k WHEN 1 THEN 2 END FROM t",
     "implicit type conversion between VARCHAR and INTEGER is not supported now", 0, 0},
    {"SELECT v FROM t WHERE SUM(v) OVER (ORDER BY ts) > 1",
     "Windowed aggregate expression is illegal in WHERE clause", 23, 47},
    {"SELECT a FROM (SELECT 1 AS a) AS q(b)",
     "Column 'a' not found in any table", 8, 8},
    {"SELECT * FROM t CROSS JOIN u ON t.id = u.id",
     "Cannot specify condition (NATURAL keyword, or ON or USING clause) following "
     "CROSS JOIN", 0, 0},
    {"SELECT * FROM t NATURAL JOIN u ON t.id = u.id",
     "Cannot specify NATURAL keyword with ON or USING clause", 35, 45},
    {"SELECT 1 FROM t JOIN u ON t.zz = u.id",
     "Column 'zz' not found in table 't'", 29, 30},
    {"SELECT 1 FROM t JOIN u ON id = 3",
     "Column 'id' is ambiguous", 27, 28},
    {"SELECT `default_catalog`.t.id FROM t",
     "Table 'default_catalog.t' not found", 8, 26},
    {"SELECT t.k FROM t, (SELECT w FROM u WHERE u.id = t.id) x",
     "Table 't' not found", 50, 50},
    {"SELECT t.k FROM t, LATERAL TABLE(SPLIT(k, ','))",
     "Function 'SPLIT' cannot be used as a table function.", 0, 0},
    {"SELECT a.id FROM t AS a (x, y)",
     "List of column aliases must have same degree as table; table has 7 columns "
     "('id', 'k', 'v', 'ts', 'd', 'arr', 'r'), whereas alias list has 2 columns", 26, 29},
};
/* clang-format on */

static void
check_errors(void (*tables)(session *), const expectation *list, uint32_t count)
{
    session s;
    session_open(&s);
    s.env.batch = s.eval.batch = true;
    tables(&s);
    for (uint32_t i = 0; i < count; i++) {
        const expectation *x = &list[i];
        wr_rel *rel = session_bind(&s, x->sql);
        CHECK_MSG(!rel, "%s: was bound", x->sql);
        CHECK_MSG(strstr(s.ctx.err.message, x->want) != NULL, "%s\n  got  %s\n  want %s", x->sql,
                  s.ctx.err.message, x->want);
        if (!x->from) continue;
        CHECK_MSG(s.ctx.err.span.start + 1 == x->from && s.ctx.err.span.end == x->to,
                  "%s: at %u-%u, want %u-%u", x->sql, s.ctx.err.span.start + 1, s.ctx.err.span.end,
                  x->from, x->to);
    }
    session_close(&s);
}

TEST(names_and_clauses_have_flinks_messages)
{
    check_errors(tables_a, errors_a, WR_COUNT(errors_a));
}

TEST(expressions_have_flinks_messages)
{
    check_errors(tables_b, errors_b, WR_COUNT(errors_b));
}

TEST(several_select_items_are_reported_together)
{
    session s;
    session_open(&s);
    tables_a(&s);
    CHECK(!session_bind(&s, "SELECT zz, id, yy + 1, ABS(k) FROM t WHERE q = 1"));
    CHECK_EQ_STR(s.ctx.err.message, "Column 'q' not found in any table");
    CHECK_EQ_UINT(s.ctx.more_count, 3);
    CHECK_EQ_STR(s.more[0].message, "Column 'zz' not found in any table");
    CHECK_EQ_STR(s.more[1].message, "Column 'yy' not found in any table");
    session_close(&s);
}

TEST(near_names_are_candidates)
{
    session s;
    session_open(&s);
    tables_a(&s);
    CHECK(!session_bind(&s, "SELECT w FROM uu"));
    CHECK_EQ_STR(s.ctx.err.candidates, "u");
    CHECK(!session_bind(&s, "SELECT ar FROM t"));
    CHECK(strstr(s.ctx.err.candidates, "arr") != NULL);
    static const char *const names[][2] = {
        {"SELECT * FROM TABLE(TUMBEL(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE))", "TUMBLE"},
        {"SELECT * FROM TABLE(TUMBLE(DATA => TABLE t, TIMECOLS => DESCRIPTOR(ts), SIZE => INTERVAL "
         "'1' MINUTE))",
         "TIMECOL"},
        {"SELECT * FROM t /*+ OPTION('a' = 'b') */", "OPTIONS"},
        {"SELECT /*+ BROADCST(u) */ t.id FROM t JOIN u ON t.id = u.id", "BROADCAST"},
        {"SELECT CAST(id AS STRNG) FROM t", "STRING"},
        {"SELECT CAST(k AS INTT) FROM t", "INT"},
        {"SELECT TIMESTAMPDIFF(MINUT, ts, ts) FROM t", "MINUTE"},
        {"SELECT TIMESTAMPADD(HOUUR, 1, ts) FROM t", "HOUR"},
    };
    for (uint32_t i = 0; i < WR_COUNT(names); i++) {
        CHECK(!session_bind(&s, names[i][0]));
        CHECK_MSG(strstr(s.ctx.err.candidates, names[i][1]) != NULL, "%s: %s", names[i][0],
                  s.ctx.err.candidates);
    }
    session_close(&s);
}

TEST(a_name_of_the_select_list_is_told)
{
    static const char *const told[] = {"SELECT id AS zz FROM t WHERE zz = 1",
                                       "SELECT id AS zz, COUNT(*) FROM t GROUP BY zz",
                                       "SELECT COUNT(*) AS zz FROM t GROUP BY id HAVING zz > 1"};
    static const char *const other[] = {"SELECT id AS zz FROM t WHERE yy = 1", "SELECT zz FROM t"};
    session s;
    session_open(&s);
    tables_a(&s);
    for (uint32_t i = 0; i < WR_COUNT(told); i++) {
        CHECK(!session_bind(&s, told[i]));
        CHECK_EQ_STR(s.ctx.err.message, "Column 'zz' not found in any table");
        CHECK_MSG(strstr(s.ctx.err.hint, "'zz' is a name of the SELECT list") != NULL, "%s: %s",
                  told[i], s.ctx.err.hint);
    }
    for (uint32_t i = 0; i < WR_COUNT(other); i++) {
        CHECK(!session_bind(&s, other[i]));
        CHECK_EQ_STR(s.ctx.err.hint, "");
    }
    CHECK(!session_bind(&s, "SELECT * FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' "
                            "MINUTE))"));
    CHECK(strstr(s.ctx.err.hint, "HOP(TABLE table_name, DESCRIPTOR(timecol), ") != NULL);
    CHECK(!session_bind(&s, "SELECT id, COUNT(*) FROM t GROUP BY k"));
    CHECK(strstr(s.ctx.err.hint, "GROUP BY") != NULL);
    session_close(&s);
}

CHECK_MAIN()
