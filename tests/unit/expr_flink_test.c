/* SPDX-License-Identifier: Apache-2.0 */
/* Every scalar row of tests/data/flink/flink-functions.tsv: result type, value, and value with NULL
 * as each argument, as a real Flink 2.3 gave them; folded and run. And expressions.tsv: more
 * expressions with Flink's type and value or the sentence of its refusal. Rows that differ on
 * purpose are listed here and in docs/reference/differences.md.
 * links: plan sql catalog types vec os mem base */
#include <stdlib.h>

#include "catalog/catalog.h"
#include "expr/expr.h"
#include "plan/plan.h"
#include "sql/sql.h"
#include "types/datetime.h"
#include "unit/check.h"
#include "vec/cast.h"

typedef struct session {
    wr_ctx ctx;
    wr_arena *arena;
    wr_catalogs *catalogs;
    wr_eval_env eval;
    wr_plan_env env;
} session;

static bool
session_open(session *s, const char *zone)
{
    memset(s, 0, sizeof *s);
    wr_ctx_init(&s->ctx);
    s->arena = wr_arena_create(NULL, 0);
    const wr_tz *tz = NULL;
    if (zone && wr_tz_open(&s->ctx, s->arena, wr_str_c(zone), &tz) != WR_OK) return false;
    if (wr_catalogs_create(&s->ctx, WR_STR(""), &s->catalogs) != WR_OK) return false;
    s->eval = (wr_eval_env){.tz = tz,
                            .batch = true,
                            .query_time_ms = 1718000000000,
                            .catalog = WR_STR("default_catalog"),
                            .database = WR_STR("default_database")};
    s->env = (wr_plan_env){.arena = s->arena,
                           .catalogs = s->catalogs,
                           .config = wr_catalogs_config(s->catalogs),
                           .eval = &s->eval,
                           .batch = true};
    return true;
}

static void
session_close(session *s)
{
    wr_catalogs_destroy(s->catalogs);
    wr_arena_destroy(s->arena);
}

static wr_expr *
bind(session *s, wr_str text)
{
    wr_ast *ast = NULL;
    wr_expr *e = NULL;
    const wr_schema none = {NULL, 0};
    s->ctx.sql = text;
    if (wr_sql_parse_expr(&s->ctx, text, s->arena, &ast) != WR_OK) return NULL;
    if (wr_bind_expr(&s->ctx, &s->env, ast, &none, &e) != WR_OK) return NULL;
    return e;
}

/* Compile and run over one row without columns. */
static bool
run(session *s, wr_expr *e, wr_text *out)
{
    wr_program *p = NULL;
    wr_batch b = {.row_count = 1};
    wr_vec v;
    if (wr_program_compile(&s->ctx, s->arena, &s->eval, &e, 1, &p) != WR_OK) return false;
    if (wr_program_run(&s->ctx, p, &b, NULL, 1, s->arena, &v) != WR_OK) return false;
    if (wr_vec_is_null(&v, 0))
        wr_text_puts(out, "<NULL>");
    else
        wr_value_display(&v, 0, s->eval.tz, out);
    wr_program_close(p);
    return true;
}

/* ---- constants as columns: rows v, NULL, v --------------------------------------------------- */
typedef struct columns {
    session *s;
    wr_vec cols[64];
    uint32_t count;
} columns;

static wr_expr *
with_columns(columns *c, const wr_expr *e)
{
    wr_expr *n = WR_NEW(c->s->arena, wr_expr);
    *n = *e;
    if (e->kind == WR_EX_LITERAL && e->type->id != WR_T_SYMBOL && c->count < 64) {
        wr_vec *v = &c->cols[c->count];
        const wr_value null = wr_value_null(e->type);
        bool ok = wr_vec_init_flat(v, e->type, 3, c->s->arena);
        for (uint32_t row = 0; row < 3; row++)
            ok = ok && wr_vec_put(v, row, row == 1 ? &null : &e->value, c->s->arena);
        v->len = 3;
        CHECK(ok);
        return wr_expr_column(c->s->arena, c->count++, e->type, e->span);
    }
    if (e->arg_count) n->args = WR_NEW_N(c->s->arena, wr_expr *, e->arg_count);
    for (uint32_t i = 0; i < e->arg_count; i++) n->args[i] = with_columns(c, e->args[i]);
    return n;
}

/* The same over columns, for the last of three rows; all three are computed too (a row of NULLs
 * may fail). */
static bool
run_columns(session *s, wr_expr *e, wr_text *out)
{
    columns c = {.s = s};
    wr_program *p = NULL;
    wr_vec v;
    static const uint32_t last[1] = {2};
    e = with_columns(&c, e);
    wr_batch b = {.cols = c.cols, .col_count = c.count, .row_count = 3};
    if (wr_program_compile(&s->ctx, s->arena, &s->eval, &e, 1, &p) != WR_OK) return false;
    if (wr_program_run(&s->ctx, p, &b, NULL, 3, s->arena, &v) != WR_OK) wr_ctx_reset(&s->ctx);
    if (wr_program_run(&s->ctx, p, &b, last, 1, s->arena, &v) != WR_OK) return false;
    if (wr_vec_is_null(&v, 2))
        wr_text_puts(out, "<NULL>");
    else
        wr_value_display(&v, 2, s->eval.tz, out);
    wr_program_close(p);
    return true;
}

typedef enum mode { RUN, FOLDED, COLUMNS, MODES } mode;
static const char *const mode_names[] = {"run", "folded", "columns"};

/* "type | value" of an expression, or "ERROR: message". */
static void
evaluate(session *s, wr_str text, mode how, wr_text *out)
{
    wr_ctx_reset(&s->ctx);
    wr_expr *e = bind(s, text);
    bool ok = e != NULL;
    wr_text value;
    wr_text_init(&value, s->arena);
    if (ok) {
        wr_type_print(e->type, WR_TYPE_SUMMARY, out);
        wr_text_puts(out, " | ");
        if (how == FOLDED) ok = wr_expr_fold(&s->ctx, s->arena, &s->eval, e, &e) == WR_OK;
        ok = ok && (how == COLUMNS ? run_columns(s, e, &value) : run(s, e, &value));
    }
    if (ok) {
        wr_text_put(out, value.ptr ? value.ptr : "", value.len);
    } else {
        out->len = 0;
        wr_text_printf(out, "ERROR: %s", s->ctx.err.message);
    }
}

/* \t \n \0 of the files; in expressions.tsv a backslash is doubled */
static bool doubled;
static wr_str
unescape(wr_arena *a, const char *p)
{
    wr_text t;
    wr_text_init(&t, a);
    for (; *p; p++) {
        if (doubled && *p == '\\' && p[1] == '\\') {
            wr_text_putc(&t, *p++);
        } else if (*p == '\\' && (p[1] == 't' || p[1] == 'n' || p[1] == '0')) {
            p++;
            wr_text_putc(&t, *p == 't' ? '\t' : *p == 'n' ? '\n' : '\0');
        } else {
            wr_text_putc(&t, *p);
        }
    }
    return wr_text_str(&t);
}

/* Splits a line at tabs; returns the number of columns. */
static int
split(char *line, char **col, int max)
{
    int n = 0;
    line[strcspn(line, "\r\n")] = 0;
    for (col[n++] = line; n < max && (line = strchr(line, '\t')); col[n++] = line) *line++ = 0;
    return n;
}

/* Not a lone expression over constants. */
static bool
needs_tables(const char *example)
{
    return strncmp(example, "SELECT", 6) == 0 || strncmp(example, "EXPLAIN", 7) == 0 ||
           strstr(example, "/* streaming") || strstr(example, "/* batch");
}

typedef struct difference {
    const char *example, *want; /* "type | value" */
} difference;

/* Where Flink is wrong; docs/reference/differences.md says why. */
static const difference differences[] = {
    {"TO_TIMESTAMP('2024-02-30 00:00:00')", "TIMESTAMP(3) | <NULL>"},
    {"EXTRACT(EPOCH FROM TO_TIMESTAMP_LTZ(5000, 3))", "BIGINT | 5"},
    {"1 IN (1.5, 2)", "BOOLEAN NOT NULL | FALSE"},
    {"INTERVAL '1' DAY = '1'", "ERROR: Cannot apply '='"},
    {"LEAST(DATE '2020-01-01', TIMESTAMP '2020-01-01 00:00:00')", "DATE NOT NULL | 2020-01-01"},
    {"ROUND(2.555, CAST(2 AS BIGINT))", "DECIMAL(4, 2) NOT NULL | 2.56"},
    {"RAND_INTEGER(1.5)", "INT NOT NULL | 0"},
    {"RAND(2.7)", "DOUBLE NOT NULL | 0.7311469360199058"},
    {"RAND(CAST(5 AS BIGINT))", "DOUBLE NOT NULL | 0.730519863614471"},
    {"CAST('NaN' AS DOUBLE) = CAST('NaN' AS DOUBLE)", "BOOLEAN NOT NULL | FALSE"},
    {"CAST('NaN' AS DOUBLE) >= CAST('NaN' AS DOUBLE)", "BOOLEAN NOT NULL | FALSE"},
    {"ABS(INTERVAL '-1' DAY)", "INTERVAL SECOND(3) NOT NULL | +1 00:00:00.000"},
    {"SIGN(CAST(-2 AS TINYINT))", "TINYINT NOT NULL | -1"},
    {"FLOOR(INTERVAL '1' DAY)", "ERROR: Cannot apply 'FLOOR'"},
    {"GREATEST(X'01', X'02')", "BINARY(1) NOT NULL | x'02'"},
    {"CAST(1 AS FLOAT) / 3", "FLOAT NOT NULL | 0.33333334"},
    {"ROUND(CAST('NaN' AS DOUBLE), 1)", "DOUBLE NOT NULL | NaN"},
    {"ROUND(CAST('Infinity' AS DOUBLE), 1)", "DOUBLE NOT NULL | Infinity"},
    {"TRUNCATE(CAST('NaN' AS DOUBLE), 1)", "DOUBLE NOT NULL | NaN"},
    {"TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-01-01 "
     "00:00:00.123456')",
     "INT NOT NULL | 123456"},
    {"TIMESTAMPDIFF(MILLISECOND, TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-01-01 "
     "00:00:00.123456')",
     "INT NOT NULL | 123"},
    {"TIMESTAMPADD(MICROSECOND, 5, TIMESTAMP '2024-01-01 00:00:00.000000')",
     "TIMESTAMP(6) NOT NULL | 2024-01-01 00:00:00.000005"},
    {"TO_TIMESTAMP('2023-02-29')", "TIMESTAMP(3) | <NULL>"},
    {"TO_TIMESTAMP('2023-02-31 00:00:00')", "TIMESTAMP(3) | <NULL>"},
    {"TO_TIMESTAMP('2023-04-31 00:00:00')", "TIMESTAMP(3) | <NULL>"},
    {"TO_TIMESTAMP('2024-02-30', 'yyyy-MM-dd')", "TIMESTAMP(3) | <NULL>"},
    {"TO_TIMESTAMP_LTZ('2023-02-30', 'yyyy-MM-dd')", "TIMESTAMP_LTZ(3) | <NULL>"},
    {"TO_DATE('2024-05-17', '')", "DATE | 1970-01-01"},
    {"COSH(1)", "DOUBLE NOT NULL | 1.5430806348152437"},
    {"ARRAY[10, 20][3]", "INT | <NULL>"},
    {"MAP['a', 1]['z']", "INT | <NULL>"},
    {"BITMAP_FROM_BYTES(X'00')", "ERROR: "},
};

static const char *
wanted(const char *example, const char *zone, const char *type, const char *value, wr_arena *a)
{
    for (size_t i = 0; i < WR_COUNT(differences); i++)
        if (strcmp(differences[i].example, example) == 0) return differences[i].want;
    if (zone && strcmp(zone, "America/New_York") == 0 &&
        strcmp(example, "EXTRACT(HOUR FROM TO_TIMESTAMP_LTZ(0, 3))") == 0)
        return "BIGINT | 19";
    if (strncmp(value, "ERROR: ", 7) == 0) return value;
    return wr_arena_printf(a, "%s | %s", type, value).ptr;
}

/* Of an error, the sentence; the classes of Java's world that follow it do not count. */
static bool
matches(wr_str got, const char *want, wr_arena *a)
{
    const wr_str w = unescape(a, want);
    if (strncmp(want, "ERROR: ", 7) != 0) return wr_str_eq(got, w) || wr_str_eq_c(got, want);
    char *text = wr_arena_dup(a, got.ptr, got.len), *sentence = wr_arena_dup(a, w.ptr, w.len);
    char *java = strstr(sentence, " (java.lang"), *ask = strstr(sentence, "\nIf you think");
    if (java) *java = 0;
    if (ask) *ask = 0;
    return strncmp(text, "ERROR: ", 7) == 0 && strstr(text, sentence + 7) != NULL;
}

/* Negative zero is lost in constants only. */
static bool
depends_on_constants(const char *example)
{
    static const char *const list[] = {"CEIL(-0.5e0)", "LOG(0, 5)", "SQRT(CAST('-0.0' AS DOUBLE))"};
    for (size_t i = 0; i < WR_COUNT(list); i++)
        if (strcmp(list[i], example) == 0) return true;
    return false;
}

static void
check_example(const char *example, const char *type, const char *value, int line)
{
    char zone[64] = "";
    const char *set = "SET 'table.local-time-zone' = '";
    if (strncmp(example, set, strlen(set)) == 0) {
        example += strlen(set);
        (void)snprintf(zone, sizeof zone, "%.*s", (int)strcspn(example, "'"), example);
        example = strstr(example, "SELECT ");
        if (!example) return;
        example += 7;
    }
    for (int how = 0; how < MODES; how++) {
        session s;
        if (!session_open(&s, zone[0] ? zone : NULL)) {
            CHECK_MSG(false, "no session: %s", s.ctx.err.message);
            return;
        }
        const char *want = wanted(example, zone, type, value, s.arena);
        const bool of_constants = strcmp(want, "ERROR: Division by zero") == 0 ||
                                  (how == COLUMNS && depends_on_constants(example));
        if (how != FOLDED && of_constants) {
            session_close(&s);
            continue;
        }
        wr_text got;
        wr_text_init(&got, s.arena);
        evaluate(&s, unescape(s.arena, example), (mode)how, &got);
        const wr_str g = wr_text_str(&got);
        CHECK_MSG(matches(g, want, s.arena), "line %d: %s (%s)\n  got  %.*s\n  want %s", line,
                  example, mode_names[how], WR_STR_ARG(g), want);
        session_close(&s);
    }
}

TEST(functions_tsv)
{
    FILE *f = fopen("tests/data/flink/flink-functions.tsv", "r");
    CHECK_FATAL(f != NULL);
    char *text = malloc(1 << 20);
    int line = 0, checked = 0;
    while (fgets(text, 1 << 20, f)) {
        char *col[16] = {0};
        line++;
        if (line < 3) continue;
        const int n = split(text, col, 16);
        if (n < 7 || needs_tables(col[5])) continue;
        if (strstr(col[6], "is NOT NULL, however")) continue; /* the sink's refusal */
        if (strstr(col[5], "NULL ON NULL, 1")) continue;      /* the parser's */
        if (strcmp(col[1], "scalar") != 0 && strcmp(col[1], "operator/syntax") != 0) continue;
        check_example(col[5], col[4], col[6], line);
        checked++;
    }
    free(text);
    (void)fclose(f);
    CHECK_MSG(checked > 500, "only %d examples", checked);
}

TEST(expressions_tsv)
{
    FILE *f = fopen("tests/data/flink/expressions.tsv", "r");
    CHECK_FATAL(f != NULL);
    char *text = malloc(1 << 20);
    int line = 0;
    doubled = true;
    while (fgets(text, 1 << 20, f)) {
        char *col[4] = {0};
        line++;
        if (text[0] != '#' && split(text, col, 4) >= 3) check_example(col[0], col[1], col[2], line);
    }
    doubled = false;
    free(text);
    (void)fclose(f);
}

CHECK_MAIN()
