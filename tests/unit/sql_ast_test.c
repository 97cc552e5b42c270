/* SPDX-License-Identifier: Apache-2.0 */
/* Trees: field tables, equality, copies, walks, spans, limits. */
#include <stdlib.h>

#include "sql/sql_int.h"
#include "unit/check.h"

static wr_ast *
parse(wr_arena *arena, const char *sql)
{
    wr_ctx ctx;
    wr_ast *node = NULL;
    wr_ctx_init(&ctx);
    wr_status status = wr_sql_parse(&ctx, wr_str_c(sql), arena, &node);
    CHECK_MSG(status == WR_OK, "%s: %s", sql, ctx.err.message);
    return node;
}

static wr_ast *
expr(wr_arena *arena, const char *sql)
{
    wr_ctx ctx;
    wr_ast *node = NULL;
    wr_ctx_init(&ctx);
    wr_status status = wr_sql_parse_expr(&ctx, wr_str_c(sql), arena, &node);
    CHECK_MSG(status == WR_OK, "%s: %s", sql, ctx.err.message);
    return node;
}

/* ---- field tables ---------------------------------------------------------------------------- */
static size_t
field_bytes(const wri_field *f)
{
    switch ((wri_field_type)f->type) {
    case WRI_F_NODE:
    case WRI_F_FUNCTION:
        return sizeof(void *);
    case WRI_F_LIST:
        return sizeof(wr_ast_list);
    case WRI_F_STR:
    case WRI_F_STR_IGNORED:
        return sizeof(wr_str);
    case WRI_F_BOOL:
    case WRI_F_BOOL_IGNORED:
        return sizeof(bool);
    case WRI_F_ENUM:
        return 4;
    case WRI_F_I64:
        return 8;
    case WRI_F_SPAN:
        return sizeof(wr_span);
    case WRI_F_PART:
        return sizeof(wr_ast_part);
    case WRI_F_PARTS:
        return sizeof(wr_ast_parts);
    case WRI_F_IDENT_PARTS:
    case WRI_F_LIKE_OPTIONS:
        return sizeof(void *) + 4;
    case WRI_F_INTERVAL:
        return sizeof(wr_ast_interval);
    case WRI_F_AS:
        return sizeof(wr_ast_as);
    case WRI_F_SAMPLE:
        return sizeof(wr_ast_tablesample);
    }
    return 0;
}

/* Between the fields of a struct there is nothing but padding: less than the alignment of what
 * follows. */
TEST(field_tables_cover_the_structs)
{
    for (uint32_t k = 0; k < WR_AST_COUNT; k++) {
        const wri_shape *shape = wri_shape_of((wr_ast_kind)k);
        size_t at = sizeof(wr_ast);
        for (uint32_t i = 0; i < shape->field_count; i++) {
            const wri_field *f = &shape->fields[i];
            size_t align = field_bytes(f) == 1                                ? 1
                           : field_bytes(f) % 8 == 0 && f->type != WRI_F_SPAN ? 8
                                                                              : 4;
            CHECK_MSG(f->offset >= at && f->offset - at < align,
                      "%s: field %u at %u, expected near %zu", shape->title, i, f->offset, at);
            at = f->offset + field_bytes(f);
        }
        CHECK_MSG(shape->size_bytes >= at && shape->size_bytes - at < 8,
                  "%s: %u bytes, fields end at %zu", shape->title, shape->size_bytes, at);
    }
}

/* ---- equality -------------------------------------------------------------------------------- */
TEST(equality_is_structural)
{
    static const char *const same[][2] = {
        {"a + b", "`a`  +  /* c */ `b`"},
        {"count(x)", "COUNT(x)"},
        {"(a, b)", "ROW(a, b)"},
        {"a IN (1, 2)", "(a) in (1,2)"},
        {"+5", "5"},
        {"- -5", "5"},
        {"CASE a WHEN 1 THEN 2 END", "CASE WHEN a = 1 THEN 2 ELSE NULL END"},
        {"SUBSTRING(a FROM 1 FOR 2)", "SUBSTRING(a, 1, 2)"},
        {"TRIM(a)", "TRIM(BOTH ' ' FROM a)"},
        {"U&'a'", "'a'"},
        {"1e3", "1.E3"},
        {"a <> ANY (SELECT 1)", "a <> SOME (SELECT 1)"},
    };
    static const char *const different[][2] = {
        {"a", "A"},
        {"a + b", "b + a"},
        {"a - b - c", "a - (b - c)"},
        {"1", "1.0"},
        {"a.b", "`a.b`"},
        {"f(a)", "f(DISTINCT a)"},
        {"'a'", "'A'"},
        {"a IS NULL", "a IS NOT NULL"},
        {"f(a)", "f(a) OVER w"},
        {"CAST(a AS INT)", "TRY_CAST(a AS INT)"},
        {"a LIKE b", "a NOT LIKE b"},
    };
    wr_arena *arena = wr_arena_create(NULL, 0);
    for (size_t i = 0; i < WR_COUNT(same); i++) {
        const wr_ast *a = expr(arena, same[i][0]), *b = expr(arena, same[i][1]);
        CHECK_MSG(wr_ast_equal(a, b) && wr_ast_hash(a) == wr_ast_hash(b), "%s = %s", same[i][0],
                  same[i][1]);
    }
    for (size_t i = 0; i < WR_COUNT(different); i++)
        CHECK_MSG(!wr_ast_equal(expr(arena, different[i][0]), expr(arena, different[i][1])),
                  "%s <> %s", different[i][0], different[i][1]);
    wr_arena_destroy(arena);
}

/* ---- walk, spans ----------------------------------------------------------------------------- */
typedef struct span_check {
    wr_str sql;
    const wr_ast *path[64];
    uint32_t idents;
} span_check;

static bool
check_span(void *arg, const wr_ast *node)
{
    span_check *c = arg;
    CHECK_MSG(node->span.start <= node->span.end && node->span.end <= c->sql.len, "%s [%u, %u)",
              wr_ast_kind_name(node->kind), node->span.start, node->span.end);
    if (node->kind == WR_AST_IDENT) {
        const wr_ast_ident *n = WR_AST_AS(wr_ast_ident, WR_AST_IDENT, node);
        for (uint32_t i = 0; i < n->part_count; i++) {
            wr_str text = {c->sql.ptr + n->parts[i].span.start,
                           n->parts[i].span.end - n->parts[i].span.start};
            CHECK_MSG(wr_str_eq(text, n->parts[i].name), "%.*s", WR_STR_ARG(text));
        }
        c->idents++;
    }
    return true;
}

TEST(spans_point_at_the_text)
{
    static const char sql[] =
        "SELECT a.b, (c + d) AS e, f(g) FROM h AS i JOIN j ON k = l WHERE m IN (n, o) GROUP BY p";
    wr_arena *arena = wr_arena_create(NULL, 0);
    span_check c = {.sql = wr_str_c(sql)};
    const wr_ast *node = parse(arena, sql);
    wr_ast_walk(node, check_span, &c);
    CHECK_EQ_UINT(c.idents, 12);
    CHECK_EQ_UINT(node->span.end, strlen(sql));
    const wr_ast_select *select = WR_AST_AS(wr_ast_select, WR_AST_SELECT, node);
    wr_span sum = WR_AST_AS(wr_ast_alias, WR_AST_ALIAS, select->items.items[1])->expr->span;
    CHECK(strncmp(sql + sum.start, "(c + d)", sum.end - sum.start) == 0 &&
          sum.end - sum.start == 7);
    wr_arena_destroy(arena);
}

/* A statement of a script has spans in the script. */
TEST(spans_of_a_script)
{
    static const char script[] = "SELECT 1;\nSELECT abc";
    wr_arena *arena = wr_arena_create(NULL, 0);
    wr_ctx ctx;
    wr_ast *node = NULL;
    wr_ctx_init(&ctx);
    ctx.sql = wr_str_c(script);
    wr_str second = {script + 10, sizeof script - 1 - 10};
    CHECK_FATAL(wr_sql_parse(&ctx, second, arena, &node) == WR_OK);
    CHECK_EQ_UINT(node->span.start, 10);
    CHECK_EQ_UINT(WR_AST_AS(wr_ast_select, WR_AST_SELECT, node)->items.items[0]->span.start, 17);
    CHECK(wr_sql_parse(&ctx, (wr_str){script + 10, 6}, arena, &node) == WR_SYNTAX);
    CHECK_EQ_UINT(ctx.err.span.start, 16);
    CHECK(node == NULL);
    wr_arena_destroy(arena);
}

/* The tree does not need the text any more. */
TEST(tree_outlives_the_text)
{
    wr_arena *arena = wr_arena_create(NULL, 0), *other = wr_arena_create(NULL, 0);
    char *sql = malloc(64);
    CHECK_FATAL(sql);
    (void)snprintf(sql, 64, "SELECT `a``b`, 'x' FROM t WHERE c = 1.5");
    wr_ast *node = parse(arena, sql);
    memset(sql, 'z', 64);
    free(sql);
    wr_ast *copy = wr_ast_copy(node, other);
    wr_text text;
    wr_arena_destroy(arena);
    wr_text_init(&text, other);
    wr_sql_print(copy, &text);
    CHECK(wr_str_eq_c(wr_text_str(&text), "SELECT `a``b`, 'x'\nFROM `t`\nWHERE `c` = 1.5"));
    wr_arena_destroy(other);
}

/* ---- limits ---------------------------------------------------------------------------------- */
static char *
repeat(const char *open, const char *middle, const char *close, size_t n)
{
    size_t a = strlen(open), b = strlen(close), m = strlen(middle);
    char *out = malloc(n * (a + b) + m + 1), *p = out;
    if (!out) return NULL;
    for (size_t i = 0; i < n; i++, p += a) memcpy(p, open, a);
    memcpy(p, middle, m);
    p += m;
    for (size_t i = 0; i < n; i++, p += b) memcpy(p, close, b);
    *p = '\0';
    return out;
}

static wr_status
status_of(const char *sql, bool print)
{
    wr_arena *arena = wr_arena_create(NULL, 0);
    wr_ctx ctx;
    wr_ast *node = NULL, *again = NULL;
    wr_ctx_init(&ctx);
    wr_status status = wr_sql_parse(&ctx, wr_str_c(sql), arena, &node);
    if (status == WR_OK && print) {
        wr_text text;
        wr_text_init(&text, arena);
        wr_sql_print(node, &text);
        wr_ctx_reset(&ctx);
        CHECK_EQ_INT(wr_sql_parse(&ctx, wr_text_str(&text), arena, &again), WR_OK);
        CHECK(wr_ast_equal(node, again));
        CHECK(wr_ast_copy(node, arena) != NULL);
    }
    wr_arena_destroy(arena);
    return status;
}

TEST(depth_is_limited)
{
    static const struct {
        const char *prefix, *open, *middle, *close, *suffix;
    } forms[] = {
        {"SELECT ", "(", "1", ")", ""},
        {"", "SELECT * FROM (", "SELECT 1", ")", ""},
        {"SELECT ", "NOT ", "a", "", ""},
        {"SELECT ", "f(", "1", ")", ""},
        {"SELECT 1", " + 1", "", "", ""},
        {"SELECT ", "CASE WHEN a THEN ", "1", " END", ""},
        {"SELECT ", "- ", "a", "", ""},
        {"SELECT ", "ARRAY[", "1", "]", ""},
        {"SELECT ", "a[", "1", "]", ""},
        {"SELECT a", "[1]", "", "", ""},
        {"SELECT (a)", ".b", "", "", ""},
        {"SELECT ", "CAST(", "1", " AS INT)", ""},
        {"SELECT ", "a BETWEEN (", "1", ") AND 2", ""},
        {"SELECT ", "(SELECT ", "1", ")", ""},
        {"SELECT ", "a LIKE ", "b", "", ""},
        {"SELECT a", " IS NULL", "", "", ""},
        {"SELECT ", "EXISTS (SELECT ", "1", ")", ""},
        {"", "WITH x AS (", "SELECT 1", ") SELECT 1", ""},
        {"SELECT CAST(a AS ", "ARRAY<", "INT", ">", ")"},
        {"SELECT CAST(a AS INT", " ARRAY", "", "", ")"},
        {"SELECT CAST(a AS ", "ROW<x ", "INT", ">", ")"},
        {"SELECT * FROM t GROUP BY ", "GROUPING SETS (", "a", ")", ""},
        {"SELECT * FROM ", "(t JOIN ", "u", ")", ""},
        {"SELECT * FROM t", " JOIN u", "", "", ""},
        {"SELECT * FROM t", ", u", "", "", ""},
        {"SELECT 1", " UNION ALL SELECT 1", "", "", ""},
        {"SELECT * FROM t MATCH_RECOGNIZE(PATTERN (", "(", "A", ")", ") DEFINE A AS TRUE)"},
    };
    for (size_t i = 0; i < WR_COUNT(forms); i++) {
        for (size_t n = 5; n <= 200000; n *= 10) {
            char *inner = repeat(forms[i].open, forms[i].middle, forms[i].close, n);
            CHECK_FATAL(inner);
            size_t size = strlen(inner) + 128;
            char *sql = malloc(size);
            CHECK_FATAL(sql);
            (void)snprintf(sql, size, "%s%s%s", forms[i].prefix, inner, forms[i].suffix);
            wr_status status = status_of(sql, n <= 50), want = n <= 50     ? WR_OK
                                                               : n >= 5000 ? WR_LIMIT
                                                                           : status;
            CHECK_MSG(status == want && (status == WR_OK || status == WR_LIMIT), "%s%s x %zu: %s",
                      forms[i].prefix, forms[i].open, n, wr_status_name(status));
            free(sql);
            free(inner);
        }
    }
}

/* Ten thousand terms of AND or OR are no nesting; nor are lists. */
TEST(long_chains_and_lists)
{
    static const char *const units[] = {"a = 1 OR ", "a = 1 AND ", "a OR b AND "};
    for (size_t i = 0; i < WR_COUNT(units); i++)
        for (size_t n = 1; n <= 10000; n = n < 70 ? n + 1 : n * 10) {
            char *inner = repeat(units[i], "c", "", n), *sql = malloc(strlen(inner) + 64);
            CHECK_FATAL(inner && sql);
            (void)snprintf(sql, strlen(inner) + 64, "SELECT 1 FROM t WHERE %s", inner);
            CHECK_EQ_INT(status_of(sql, true), WR_OK);
            (void)snprintf(sql, strlen(inner) + 64, "SELECT 1 FROM t WHERE (%s) OR x AND (y)",
                           inner);
            CHECK_EQ_INT(status_of(sql, true), WR_OK);
            (void)snprintf(sql, strlen(inner) + 64, "SELECT 1 FROM t WHERE x AND (%s)", inner);
            CHECK_EQ_INT(status_of(sql, true), WR_OK);
            free(sql);
            free(inner);
        }
    char *list = repeat("1, ", "2", "", 100000), *sql = malloc(strlen(list) + 64);
    CHECK_FATAL(list && sql);
    (void)snprintf(sql, strlen(list) + 64, "SELECT a IN (%s)", list);
    CHECK_EQ_INT(status_of(sql, true), WR_OK);
    free(sql);
    free(list);
}

/* Every allocation may fail: NOMEM, nothing worse. */
TEST(out_of_memory)
{
    static const char *const statements[] = {
        "SELECT a, `b``c`, 1.5, 'x' || E'\\n', f(DISTINCT g => 1) OVER (PARTITION BY h ORDER BY "
        "i), CASE j WHEN 1 THEN 2 END "
        "FROM k AS l (m) JOIN n USING (o), LATERAL TABLE(p(q)) WHERE r IN (SELECT 1) AND s BETWEEN "
        "1 AND 2",
        "CREATE TABLE t (a INT NOT NULL, b ROW<c ARRAY<INT>, d STRING>, e AS a + 1, WATERMARK FOR "
        "f AS f, PRIMARY KEY (a) NOT "
        "ENFORCED) PARTITIONED BY (a) WITH ('k' = 'v') LIKE u (INCLUDING ALL)",
    };
    for (size_t i = 0; i < WR_COUNT(statements); i++) {
        for (int64_t n = 1;; n++) {
            wr_mem_fail_after(n);
            wr_arena *arena = wr_arena_create(NULL, 64);
            bool done = false;
            if (arena) {
                wr_ctx ctx;
                wr_ast *node = NULL;
                wr_ctx_init(&ctx);
                wr_status status = wr_sql_parse(&ctx, wr_str_c(statements[i]), arena, &node);
                done = !wr_mem_fail_hit();
                CHECK_EQ_INT(status, done ? WR_OK : WR_NOMEM);
                CHECK((node != NULL) == done);
                wr_arena_destroy(arena);
            }
            wr_mem_fail_after(0);
            if (done || n > 10000) break;
        }
    }
}

CHECK_MAIN()
