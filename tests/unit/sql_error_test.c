/* SPDX-License-Identifier: Apache-2.0 */
/* What the parser says: message, place, hint, candidates. */
#include "sql/sql.h"
#include "unit/check.h"

typedef struct error_case {
    const char *sql;
    const char *message; /* how it starts */
    const char *at;      /* what the span covers */
    const char *hint;    /* a part of it */
    const char *candidate;
} error_case;
static const error_case cases[] = {
    {"SELECT user FROM t WHERE", "Encountered \"<EOF>\" at line 1, column 24.", "", "an expression",
     ""},
    {"SELECT 1 AS user", "SQL parse failed. Encountered \"user\" at line 1, column 13.", "user",
     "back-ticks: `user`", ""},
    {"SELECT 1 AS USER",
     "SQL parse failed. Incorrect syntax near the keyword 'USER' at line 1, column 13.", "USER",
     "reserved word", ""},
    {"SELECT FROM t",
     "SQL parse failed. Incorrect syntax near the keyword 'FROM' at line 1, column 8.", "FROM", "",
     ""},
    {"SELEC 1", "SQL parse failed. Non-query expression encountered in illegal context", "SELEC",
     "SELECT", "SELECT"},
    {"CRAETE TABLE t (a INT)", "SQL parse failed. Non-query expression", "CRAETE", "", "CREATE"},
    {"CREATE TABL t (a INT)", "SQL parse failed. Encountered \"TABL\" at line 1, column 8.", "TABL",
     "TABLE", "TABLE"},
    {"SELECT a FROM t WHRE a = 1", "SQL parse failed. Encountered \"a\" at line 1, column 22.", "a",
     "", "WHERE"},
    {"SELECT a FRM t", "SQL parse failed. Encountered \"t\" at line 1, column 14.", "t", "",
     "FROM"},
    {"SELECT a FROM t WHERE a = 1 GROP BY a",
     "SQL parse failed. Encountered \"GROP\" at line 1, column 29.", "GROP", "", "GROUP"},
    {"SELECT a FROM t b FOR SYSTEM_TIME AS OF c ON a = b",
     "SQL parse failed. Encountered \"FOR\" at line 1, column 19.", "FOR",
     "t FOR SYSTEM_TIME AS OF ... AS b", ""},
    {"SELECT a::INT FROM t", "SQL parse failed. Encountered \":\" at line 1, column 9.", ":",
     "CAST(... AS type)", ""},
    {"SELECT a != b",
     "SQL parse failed. Bang equal '!=' is not allowed under the current SQL conformance level",
     "!=", "write <>", ""},
    {"SELECT \"a\"", "SQL parse failed. Encountered \"\\\"\" at line 1, column 8.", "\"",
     "back-ticks", ""},
    {"SELECT 'abc", "SQL parse failed. Encountered \"\\'\" at line 1, column 8.", "'abc",
     "no closing quote", ""},
    {"SELECT `abc",
     "SQL parse failed. Lexical error at line 1, column 12.  Encountered: <EOF> after : \"`abc\"",
     "`abc", "no closing back-tick", ""},
    {"SELECT 1 /* x",
     "SQL parse failed. Lexical error at line 1, column 14.  Encountered: <EOF> after : \"\"",
     "/* x", "no end", ""},
    {"SELECT a & b",
     "SQL parse failed. Lexical error at line 1, column 10.  Encountered: \"&\" (38), after : \"\"",
     "&", "", ""},
    {"SELECT a\xc2\xa0, b", "SQL parse failed. Lexical error", "\xc2\xa0", "U+00A0", ""},
    {"SELECT \xe2\x80\x98x\xe2\x80\x99", "SQL parse failed. Lexical error", "\xe2\x80\x98",
     "typographic", ""},
    {"SELECT 'a' 'b'", "SQL validation failed. String literal continued on same line", "'b'",
     "comma", ""},
    {"SELECT 1; SELECT 2", "only single statement supported", "SELECT", "", ""},
    {"SELECT a FROM t LIMIT 1, 2",
     "SQL parse failed. 'LIMIT start, count' is not allowed under the current SQL conformance "
     "level",
     "LIMIT 1, 2", "LIMIT count OFFSET start", ""},
    {"SELECT 1 MINUS SELECT 2", "SQL parse failed. MINUS is not allowed", "MINUS", "EXCEPT", ""},
    {"CREATE TABLE t (a INT, WATERMARK FOR a AS a, WATERMARK FOR b AS b)",
     "SQL parse failed. Multiple WATERMARK declarations are not supported yet.", "WATERMARK", "",
     ""},
    {"CREATE TABLE t (a, b)", "SQL parse failed. Columns identifiers without types", "a",
     "AS SELECT", ""},
    {"SET table.exec.x = true", "SQL parse failed. Encountered \"table\" at line 1, column 5.",
     "table", "", ""},
    {"SET a.b = 'x'", "SQL parse failed. Encountered \"a\" at line 1, column 5.", "a",
     "SET 'key' = 'value'", ""},
    {"SELECT t.order FROM t", "SQL parse failed. Encountered \". order\" at line 1, column 9.",
     ".order", "`order`", ""},
    {"SELECT date FROM t", "SQL parse failed. Encountered \"date FROM\" at line 1, column 8.",
     "date FROM", "`date`", ""},
    {"SELECT a = FROM t", "SQL parse failed. Encountered \"= FROM\" at line 1, column 10.",
     "= FROM", "", ""},
    {"SELECT 1\n  FROM\n\n WHERE",
     "SQL parse failed. Incorrect syntax near the keyword 'WHERE' at line 4, column 2.", "WHERE",
     "", ""},
    {"SELECT 'é', \xe6\x97\xa5, 1 2", "SQL parse failed. Encountered \"2\" at line 1, column 18.",
     "2", "", ""},
    {"SELECT 'a\xff'", "SQL parse failed. The text is not valid UTF-8", "\xff", "", ""},
    {"", "Encountered \"<EOF>\" at line 0, column 0.", "", "", ""},
    {"STOP JOB 'x' WITH DRAIN",
     "SQL parse failed. WITH DRAIN could only be used after WITH SAVEPOINT.", "WITH DRAIN", "", ""},
    {"SELECT a FROM t ORDER BY a DSC", "SQL parse failed. Encountered \"DSC\"", "DSC", "", "DESC"},
    {"INSERT INT t SELECT 1", "SQL parse failed. Encountered \"INT\" at line 1, column 8.", "INT",
     "INTO", "INTO"},
    {"SHOW TABELS", "SQL parse failed. Encountered \"TABELS\"", "TABELS", "", "TABLES"},
};

TEST(messages)
{
    for (size_t i = 0; i < WR_COUNT(cases); i++) {
        const error_case *c = &cases[i];
        wr_arena *arena = wr_arena_create(NULL, 0);
        wr_ctx ctx;
        wr_ast *node = NULL;
        wr_ctx_init(&ctx);
        wr_str sql = wr_str_c(c->sql);
        wr_status status = wr_sql_parse(&ctx, sql, arena, &node);
        CHECK_MSG(status == WR_SYNTAX, "%s", c->sql);
        if (status == WR_SYNTAX) {
            wr_str at = {sql.ptr + ctx.err.span.start, ctx.err.span.end - ctx.err.span.start};
            CHECK_MSG(strncmp(ctx.err.message, c->message, strlen(c->message)) == 0, "%s\n  %s",
                      c->sql, ctx.err.message);
            CHECK_MSG(wr_str_eq_c(at, c->at), "%s\n  at [%.*s]", c->sql, WR_STR_ARG(at));
            CHECK_MSG(strstr(ctx.err.hint, c->hint) != NULL, "%s\n  hint: %s", c->sql,
                      ctx.err.hint);
            CHECK_MSG(strncmp(ctx.err.candidates, c->candidate, strlen(c->candidate)) == 0,
                      "%s\n  candidates: %s", c->sql, ctx.err.candidates);
        }
        wr_arena_destroy(arena);
    }
}

/* Whatever prefix of a statement: an error with a place inside the text, or a tree; never anything
 * else. */
TEST(every_prefix)
{
    static const char *const statements[] = {
        ("SELECT /*+ BROADCAST(t) */ DISTINCT a.b AS c, COUNT(*) FILTER (WHERE x > 1) OVER "
         "(PARTITION BY y ROWS 3 PRECEDING), "
         "CAST(z AS ROW<q INT, r MAP<STRING, ARRAY<INT>>>), JSON_VALUE(j, '$.a' RETURNING INT "
         "DEFAULT 1 ON EMPTY) "
         "FROM t /*+ OPTIONS('k' = 'v') */ FOR SYSTEM_TIME AS OF ts AS u LEFT JOIN LATERAL "
         "TABLE(f(a => 1)) AS v (w) ON TRUE "
         "WHERE a BETWEEN 1 AND 2 AND b NOT IN (1, 2) OR c LIKE 'x' ESCAPE '!' GROUP BY GROUPING "
         "SETS ((a, b), ()) "
         "HAVING SUM(a) > 1 QUALIFY ROW_NUMBER() OVER w = 1 ORDER BY a DESC NULLS LAST LIMIT 10 "
         "OFFSET 5"),
        ("CREATE TABLE IF NOT EXISTS a.b (c INT NOT NULL COMMENT 'x', d AS c + 1, e TIMESTAMP(3) "
         "METADATA FROM 'k' VIRTUAL, "
         "WATERMARK FOR e AS e - INTERVAL '5' SECOND, CONSTRAINT p PRIMARY KEY (c) NOT ENFORCED) "
         "DISTRIBUTED BY HASH(c) INTO 4 "
         "BUCKETS PARTITIONED BY (c) WITH ('a' = 'b') LIKE u (INCLUDING ALL EXCLUDING OPTIONS)"),
        ("SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES A.x AS y ONE ROW "
         "PER "
         "MATCH AFTER MATCH SKIP TO "
         "FIRST A PATTERN (A B+? (C | D){2,3}) WITHIN INTERVAL '1' HOUR SUBSET S = (A, B) DEFINE A "
         "AS A.x > 1) AS m"),
        ("EXECUTE STATEMENT SET BEGIN INSERT INTO t PARTITION (p = 1) (a) SELECT 1 ON CONFLICT DO "
         "NOTHING; END"),
    };
    for (size_t i = 0; i < WR_COUNT(statements); i++) {
        size_t len = strlen(statements[i]);
        for (size_t n = 0; n <= len; n++) {
            wr_arena *arena = wr_arena_create(NULL, 0);
            wr_ctx ctx;
            wr_ast *node = NULL;
            wr_ctx_init(&ctx);
            wr_status status = wr_sql_parse(&ctx, (wr_str){statements[i], n}, arena, &node);
            CHECK_MSG(status == WR_OK ||
                          (status == WR_SYNTAX && ctx.err.span.end <= n && ctx.err.message[0]),
                      "%.*s", (int)n, statements[i]);
            if (n == len) CHECK_MSG(status == WR_OK, "%s: %s", statements[i], ctx.err.message);
            wr_arena_destroy(arena);
        }
    }
}

CHECK_MAIN()
