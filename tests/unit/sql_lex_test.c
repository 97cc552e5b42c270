/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens, literals, keywords, and the script splitter. */
#include "sql/sql.h"
#include "unit/check.h"

/* ---- splitter -------------------------------------------------------------------------------- */
/* The statements of a script, each followed by one character: `;` ended, `?` unfinished; S string,
 * I identifier, C comment, E statement set. */
static void
split_all(const char *script, char *out, size_t size)
{
    wr_str text = wr_str_c(script);
    size_t pos = 0, len = 0;
    for (;;) {
        wr_span stmt;
        wr_sql_split_open open = WR_SQL_OPEN_STATEMENT;
        wr_sql_split_result r = wr_sql_split(text, &pos, &stmt, &open);
        if (r == WR_SQL_SPLIT_END) break;
        char end = r == WR_SQL_SPLIT_STATEMENT ? ';' : "?SICE"[open];
        int n = snprintf(out + len, size - len, "[%.*s]%c", (int)(stmt.end - stmt.start),
                         text.ptr + stmt.start, end);
        len += (size_t)n;
        if (r == WR_SQL_SPLIT_INCOMPLETE) {
            CHECK_EQ_UINT(pos, text.len);
            break;
        }
    }
    out[len] = '\0';
}

static const char *const split_cases[][2] = {
    {"", ""},
    {" \n\t", ""},
    {";;", ""},
    {"-- nothing\n/* at all */ // here", ""},
    {"SELECT 1", "[SELECT 1]?"},
    {"SELECT 1;", "[SELECT 1];"},
    {"SELECT 1; SELECT 2;", "[SELECT 1];[SELECT 2];"},
    {";;SELECT 1;;", "[SELECT 1];"},
    {"SELECT 1; -- done", "[SELECT 1];"},
    {"SELECT ';' ; SELECT 2", "[SELECT ';'];[SELECT 2]?"},
    {"SELECT 'it''s;' ;", "[SELECT 'it''s;'];"},
    {"SELECT `a;b`;", "[SELECT `a;b`];"},
    {"SELECT `a``;b`;", "[SELECT `a``;b`];"},
    {"SELECT 1 -- a;b\n; SELECT 2", "[SELECT 1];[SELECT 2]?"},
    {"SELECT 1 // a;b\n; SELECT 2", "[SELECT 1];[SELECT 2]?"},
    {"SELECT 1 /* ; */; SELECT /*+ A(';') */ 2;", "[SELECT 1];[SELECT /*+ A(';') */ 2];"},
    {"/* c; */ SELECT 1;", "[SELECT 1];"},
    {"SELECT E'a\\';b';", "[SELECT E'a\\';b'];"},
    {"SELECT 'a\\';b", "[SELECT 'a\\'];[b]?"},
    {"SELECT U&'a;' UESCAPE ';';", "[SELECT U&'a;' UESCAPE ';'];"},
    {"SELECT 'abc", "[SELECT 'abc]S"},
    {"SELECT 'abc;\nSELECT 2;", "[SELECT 'abc;\nSELECT 2;]S"},
    {"SELECT `abc", "[SELECT `abc]I"},
    {"SELECT /* abc", "[SELECT /* abc]C"},
    {"/* abc", "[/* abc]C"},
    {"SELECT /*+ A(", "[SELECT /*+ A(]C"},
    {"EXECUTE STATEMENT SET BEGIN INSERT INTO x SELECT 1; INSERT INTO y SELECT 2; END; SELECT 3",
     "[EXECUTE STATEMENT SET BEGIN INSERT INTO x SELECT 1; INSERT INTO y SELECT 2; END];[SELECT "
     "3]?"},
    {"EXECUTE STATEMENT SET BEGIN INSERT INTO x SELECT CASE WHEN a THEN 1 END; END;",
     "[EXECUTE STATEMENT SET BEGIN INSERT INTO x SELECT CASE WHEN a THEN 1 END; END];"},
    {"EXECUTE STATEMENT SET BEGIN INSERT INTO x SELECT 1;",
     "[EXECUTE STATEMENT SET BEGIN INSERT INTO x SELECT 1;]E"},
    {"COMPILE PLAN 'p' FOR STATEMENT SET BEGIN INSERT INTO x SELECT 1; END;",
     "[COMPILE PLAN 'p' FOR STATEMENT SET BEGIN INSERT INTO x SELECT 1; END];"},
    {"BEGIN STATEMENT SET; INSERT INTO x SELECT 1; END;",
     "[BEGIN STATEMENT SET];[INSERT INTO x SELECT 1];[END];"},
    {"SET 'a' = 'b';\nRESET;", "[SET 'a' = 'b'];[RESET];"},
    {"SELECT `a\nb`; SELECT 2;", "[SELECT `a\nb`; SELECT 2;]I"},
};

TEST(split)
{
    for (size_t i = 0; i < sizeof split_cases / sizeof split_cases[0]; i++) {
        char got[512];
        split_all(split_cases[i][0], got, sizeof got);
        CHECK_MSG(strcmp(got, split_cases[i][1]) == 0, "%s\n  got:  %s\n  want: %s",
                  split_cases[i][0], got, split_cases[i][1]);
    }
}

/* A shell adds lines until the statement ends: feeding a script line by line finds the same
 * statements. */
TEST(split_by_lines)
{
    static const char script[] = "SELECT 1,\n'a;\nb' ; SELECT 2;\nEXECUTE STATEMENT SET "
                                 "BEGIN\nINSERT INTO a\nSELECT 1;\nEND\n;";
    char buffer[256] = "", all[512], got[512] = "";
    split_all(script, all, sizeof all);
    for (const char *line = script; *line;) {
        const char *end = strchr(line, '\n');
        size_t n = end ? (size_t)(end - line) + 1 : strlen(line);
        strncat(buffer, line, n);
        line += n;
        for (;;) {
            size_t pos = 0;
            wr_span stmt;
            wr_str text = wr_str_c(buffer);
            if (wr_sql_split(text, &pos, &stmt, NULL) != WR_SQL_SPLIT_STATEMENT) break;
            size_t len = strlen(got);
            (void)snprintf(got + len, sizeof got - len, "[%.*s];", (int)(stmt.end - stmt.start),
                           buffer + stmt.start);
            memmove(buffer, buffer + pos, strlen(buffer + pos) + 1);
        }
    }
    CHECK_MSG(strcmp(got, all) == 0, "got:  %s\nwant: %s", got, all);
}

/* ---- token classes --------------------------------------------------------------------------- */
static void
classes(const char *sql, char *out)
{
    static const char letters[] = "KNQS#CHOPB"; /* in the order of wr_sql_token_kind */
    size_t pos = 0;
    wr_sql_token_class t;
    while (wr_sql_token_classes(wr_str_c(sql), &pos, &t)) *out++ = letters[t.what];
    *out = '\0';
}

TEST(token_classes)
{
    static const char *const cases[][2] = {
        {"SELECT a, `b` FROM t", "KNPQKN"},
        {"select 1.5e3 + .5", "K#O#"},
        {"'a''b' U&'x' E'\\'' X'00' _utf8'x' N'x'", "SSSSSS"},
        {"-- c\n/* d */ // e", "CCC"},
        {"/*+ A(b) */ x", "HKPNPHN"},
        {"a <> b != c", "NONBN"},
        {"f(x)[1].y;", "NPNPP#PPNP"},
        {"\"a\" ~ 'x", "BNBBB"},
        {"KEY key Key", "KNN"},
        {"été \xc2\xa0", "NB"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char got[64];
        classes(cases[i][0], got);
        CHECK_MSG(strcmp(got, cases[i][1]) == 0, "%s: %s, want %s", cases[i][0], got, cases[i][1]);
    }
}

/* Tokens do not overlap, move on, and cover all that is no blank. */
TEST(token_classes_cover_the_text)
{
    static const char sql[] = "SELECT 'a', b /* c */ FROM `t`; -- x\n\"~ \x80\xff 'open";
    size_t pos = 0, last = 0;
    wr_sql_token_class t;
    while (wr_sql_token_classes(wr_str_c(sql), &pos, &t)) {
        CHECK(t.span.start >= last && t.span.end > t.span.start && t.span.end == pos);
        for (size_t i = last; i < t.span.start; i++) CHECK(strchr(" \n\t", sql[i]) != NULL);
        last = t.span.end;
    }
    CHECK_EQ_UINT(last, strlen(sql));
}

/* ---- keywords -------------------------------------------------------------------------------- */
TEST(keywords)
{
    uint32_t reserved = 0, first;
    bool r;
    for (uint32_t i = 0; i < wr_sql_keyword_count(); i++) {
        const char *word = wr_sql_keyword(i, &r);
        CHECK(wr_sql_is_keyword(wr_str_c(word)));
        CHECK_EQ_INT(wr_sql_is_reserved(wr_str_c(word)), r);
        if (i > 0)
            CHECK_MSG(strcmp(wr_sql_keyword(i - 1, NULL), word) < 0, "%s is out of order", word);
        reserved += r;
    }
    CHECK_EQ_UINT(reserved, 431); /* flink-sql.md: from the 2.3 parser */
    CHECK(wr_sql_is_reserved(WR_STR("select")) && wr_sql_is_reserved(WR_STR("Value")));
    CHECK(!wr_sql_is_reserved(WR_STR("name")) && wr_sql_is_keyword(WR_STR("name")));
    CHECK(!wr_sql_is_keyword(WR_STR("selec")) && !wr_sql_is_keyword(WR_STR("selects")) &&
          !wr_sql_is_keyword(WR_STR("")));
    CHECK(wr_sql_needs_quotes(WR_STR("user")) && wr_sql_needs_quotes(WR_STR("a b")) &&
          wr_sql_needs_quotes(WR_STR("")));
    CHECK(wr_sql_needs_quotes(WR_STR("1a")) && !wr_sql_needs_quotes(WR_STR("a1")) &&
          !wr_sql_needs_quotes(WR_STR("$x")));
    uint32_t count = wr_sql_keyword_range(WR_STR("sele"), &first);
    CHECK_EQ_UINT(count, 1);
    CHECK(strcmp(wr_sql_keyword(first, NULL), "SELECT") == 0);
    count = wr_sql_keyword_range(WR_STR("JSON_"), &first);
    for (uint32_t i = 0; i < count; i++)
        CHECK(strncmp(wr_sql_keyword(first + i, NULL), "JSON_", 5) == 0);
    CHECK(count >= 7);
    CHECK_EQ_UINT(wr_sql_keyword_range(WR_STR("zzz"), &first), 0);
    CHECK_EQ_UINT(wr_sql_keyword_range(WR_STR(""), &first), wr_sql_keyword_count());
}

/* ---- literals -------------------------------------------------------------------------------- */
typedef struct literal_case {
    const char *sql;
    wr_sql_lit lit;
    const char *text;
    size_t len;
} literal_case;
#define TEXT(s) s, sizeof(s) - 1
static const literal_case literal_cases[] = {
    {"1", WR_SQL_LIT_INTEGER, TEXT("1")},
    {"007", WR_SQL_LIT_INTEGER, TEXT("7")},
    {"1.", WR_SQL_LIT_INTEGER, TEXT("1")},
    {"1.50", WR_SQL_LIT_DECIMAL, TEXT("1.50")},
    {".5", WR_SQL_LIT_DECIMAL, TEXT("0.5")},
    {"1e3", WR_SQL_LIT_DOUBLE, TEXT("1E3")},
    {"100e0", WR_SQL_LIT_DOUBLE, TEXT("1E2")},
    {"120e-1", WR_SQL_LIT_DOUBLE, TEXT("1.20E1")},
    {"'it''s'", WR_SQL_LIT_STRING, TEXT("it's")},
    {"'a\\n'", WR_SQL_LIT_STRING, TEXT("a\\n")},
    {"''", WR_SQL_LIT_STRING, TEXT("")},
    {"'a'\n 'b'", WR_SQL_LIT_STRING, TEXT("ab")},
    {"U&'\\263A'", WR_SQL_LIT_STRING, TEXT("☺")},
    {"U&'\\d83d\\de00'", WR_SQL_LIT_STRING, TEXT("😀")},
    {"U&'!263A!!' UESCAPE '!'", WR_SQL_LIT_STRING, TEXT("☺!")},
    {"E'\\n\\t\\u0061\\x61\\141'", WR_SQL_LIT_STRING, TEXT("\n\taaa")},
    {"E'\\'\\\\\\q\\400'", WR_SQL_LIT_STRING, TEXT("'\\\\q\\400")},
    {"E'\\0x'", WR_SQL_LIT_STRING, TEXT("\0x")},
    {"E'\\U0001F600'", WR_SQL_LIT_STRING, TEXT("😀")},
    {"_utf8'ü'", WR_SQL_LIT_STRING, TEXT("ü")},
    {"X'0aFF00'", WR_SQL_LIT_BINARY, TEXT("\x0a\xff\x00")},
    {"x''", WR_SQL_LIT_BINARY, TEXT("")},
    {"DATE '2020-01-01'", WR_SQL_LIT_DATE, TEXT("2020-01-01")},
    {"TIME'10:00:00'", WR_SQL_LIT_TIME, TEXT("10:00:00")},
    {"TIMESTAMP '2020-01-01 10:00:00.123'", WR_SQL_LIT_TIMESTAMP, TEXT("2020-01-01 10:00:00.123")},
    {"TIMESTAMP WITH LOCAL TIME ZONE '2020-01-01 10:00:00'", WR_SQL_LIT_TIMESTAMP_LTZ,
     TEXT("2020-01-01 10:00:00")},
    {"{ts '2020-01-01 10:00:00'}", WR_SQL_LIT_TIMESTAMP, TEXT("2020-01-01 10:00:00")},
    {"INTERVAL '2-10' YEAR TO MONTH", WR_SQL_LIT_INTERVAL, TEXT("2-10")},
    {"unknown", WR_SQL_LIT_UNKNOWN, TEXT("")},
    {"NULL", WR_SQL_LIT_NULL, TEXT("")},
};

TEST(literals)
{
    for (size_t i = 0; i < sizeof literal_cases / sizeof literal_cases[0]; i++) {
        const literal_case *c = &literal_cases[i];
        wr_arena *arena = wr_arena_create(NULL, 0);
        wr_ctx ctx;
        wr_ast *node = NULL;
        wr_ctx_init(&ctx);
        wr_status status = wr_sql_parse_expr(&ctx, wr_str_c(c->sql), arena, &node);
        CHECK_MSG(status == WR_OK && node->kind == WR_AST_LITERAL, "%s: %s", c->sql,
                  ctx.err.message);
        if (status == WR_OK && node->kind == WR_AST_LITERAL) {
            const wr_ast_literal *n = WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, node);
            CHECK_EQ_INT(n->lit, c->lit);
            CHECK_MSG(wr_str_eq(n->text, (wr_str){c->text, c->len}), "%s: [%.*s]", c->sql,
                      WR_STR_ARG(n->text));
        }
        wr_arena_destroy(arena);
    }
}

TEST(interval_qualifier)
{
    wr_arena *arena = wr_arena_create(NULL, 0);
    wr_ctx ctx;
    wr_ast *node = NULL;
    wr_ctx_init(&ctx);
    CHECK_FATAL(wr_sql_parse_expr(&ctx, WR_STR("INTERVAL -'1 2' days(3) TO SECONDS(4)"), arena,
                                  &node) == WR_OK);
    const wr_ast_literal *n = WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, node);
    CHECK(n->negative);
    CHECK_EQ_INT(n->qual.from, WR_SQL_UNIT_DAY);
    CHECK_EQ_INT(n->qual.to, WR_SQL_UNIT_SECOND);
    CHECK_EQ_INT(n->qual.precision, 3);
    CHECK_EQ_INT(n->qual.fraction, 4);
    wr_arena_destroy(arena);
}

CHECK_MAIN()
