/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions in plans: every row of tests/data/flink/plan-expressions.tsv, which Flink's EXPLAIN
 * gave. And the ranges behind SEARCH, against a membership test by hand.
 * links: plan sql catalog types vec os mem base */
#include <stdlib.h>

#include "catalog/catalog.h"
#include "expr/expr.h"
#include "expr/range_int.h"
#include "plan/plan.h"
#include "sql/sql.h"
#include "unit/check.h"

#define COLUMNS 18

static void
make_columns(wr_arena *a, wr_field *f)
{
    static const char *const names[COLUMNS] = {"a",  "s",  "d",   "b",  "f",  "fl",
                                               "ts", "lz", "dt",  "tm", "bo", "arr",
                                               "m",  "r",  "bin", "c3", "v9", "nn"};
    const wr_type *n_int = wr_type_of(WR_T_INT, true);
    wr_field *row = WR_NEW_N(a, wr_field, 2);
    row[0] = (wr_field){WR_STR("x"), n_int, WR_STR("")};
    row[1] = (wr_field){WR_STR("y"), wr_type_string(true), WR_STR("")};
    const wr_type *types[COLUMNS] = {n_int,
                                     wr_type_string(true),
                                     wr_type_decimal(a, 10, 2, true),
                                     wr_type_of(WR_T_BIGINT, true),
                                     wr_type_of(WR_T_DOUBLE, true),
                                     wr_type_of(WR_T_FLOAT, true),
                                     wr_type_time(a, WR_T_TIMESTAMP, 3, true),
                                     wr_type_time(a, WR_T_TIMESTAMP_LTZ, 3, true),
                                     wr_type_of(WR_T_DATE, true),
                                     wr_type_time(a, WR_T_TIME, 0, true),
                                     wr_type_of(WR_T_BOOLEAN, true),
                                     wr_type_array(a, n_int, true),
                                     wr_type_map(a, wr_type_string(true), n_int, true),
                                     wr_type_row(a, row, 2, true),
                                     wr_type_bytes(true),
                                     wr_type_char(a, WR_T_CHAR, 3, true),
                                     wr_type_char(a, WR_T_VARCHAR, 9, true),
                                     wr_type_of(WR_T_INT, false)};
    for (int i = 0; i < COLUMNS; i++) f[i] = (wr_field){wr_str_c(names[i]), types[i], WR_STR("")};
}

typedef struct printed {
    wr_arena *arena;
    wr_ctx ctx;
    wr_plan_env env;
    wr_eval_env eval;
    wr_field columns[COLUMNS];
} printed;

static wr_expr *
bind(printed *p, const char *text)
{
    const wr_schema schema = {p->columns, COLUMNS};
    wr_ast *ast = NULL;
    wr_expr *e = NULL;
    wr_ctx_reset(&p->ctx);
    p->ctx.sql = wr_str_c(text);
    if (wr_sql_parse_expr(&p->ctx, p->ctx.sql, p->arena, &ast) != WR_OK) return NULL;
    if (wr_bind_expr(&p->ctx, &p->env, ast, &schema, &e) != WR_OK) return NULL;
    return e;
}

static void
check_text(printed *p, const wr_expr *e, wr_expr_style style, const char *want, int line)
{
    wr_text t;
    wr_text_init(&t, p->arena);
    wr_expr_print(e, style, style == WR_EXPR_AST ? NULL : p->columns, &t);
    const wr_str got = wr_text_str(&t);
    CHECK_MSG(wr_str_eq_c(got, want), "line %d\n  got  %.*s\n  want %s", line, WR_STR_ARG(got),
              want);
}

static void
check_line(printed *p, char **col, int line)
{
    wr_expr *e = bind(p, col[1]), *folded = NULL;
    CHECK_MSG(e != NULL, "line %d: %s: %s", line, col[1], p->ctx.err.message);
    if (!e) return;
    if (col[2][0]) check_text(p, e, WR_EXPR_AST, col[2], line);
    CHECK_OK(&p->ctx, wr_expr_fold(&p->ctx, p->arena, &p->eval, e, &folded));
    if (!folded) return;
    folded = wr_expr_simplify(p->arena, folded, strcmp(col[0], "condition") == 0);
    check_text(p, folded, WR_EXPR_PREFIX, col[3], line);
    check_text(p, folded, WR_EXPR_INFIX, col[4], line);
}

static void
open_printed(printed *p, wr_catalogs **catalogs)
{
    memset(p, 0, sizeof *p);
    wr_ctx_init(&p->ctx);
    p->arena = wr_arena_create(NULL, 0);
    CHECK_OK(&p->ctx, wr_catalogs_create(&p->ctx, WR_STR(""), catalogs));
    p->eval.catalog = WR_STR("default_catalog");
    p->eval.database = WR_STR("default_database");
    p->env = (wr_plan_env){.arena = p->arena,
                           .catalogs = *catalogs,
                           .config = wr_catalogs_config(*catalogs),
                           .eval = &p->eval};
    make_columns(p->arena, p->columns);
}

TEST(as_flink_explains)
{
    FILE *f = fopen("tests/data/flink/plan-expressions.tsv", "r");
    CHECK_FATAL(f != NULL);
    wr_catalogs *catalogs = NULL;
    printed p;
    open_printed(&p, &catalogs);
    char *text = malloc(1 << 16);
    int line = 0;
    while (fgets(text, 1 << 16, f)) {
        char *col[5] = {0}, *s = text;
        int n = 0;
        line++;
        if (text[0] == '#') continue;
        text[strcspn(text, "\n")] = 0;
        for (col[n++] = s; n < 5 && (s = strchr(s, '\t')); col[n++] = s) *s++ = 0;
        if (n == 5) check_line(&p, col, line);
    }
    free(text);
    (void)fclose(f);
    wr_catalogs_destroy(catalogs);
    wr_arena_destroy(p.arena);
}

static bool
inside(const wri_ranges *r, int64_t v)
{
    for (uint32_t i = 0; i < r->count; i++) {
        const wri_range *x = &r->items[i];
        const bool above = !x->lo || x->lo->value.u.i < v || (x->lo_in && x->lo->value.u.i == v);
        const bool below = !x->hi || x->hi->value.u.i > v || (x->hi_in && x->hi->value.u.i == v);
        if (above && below) return true;
    }
    return false;
}

/* Every pair of terms over small numbers: the ranges of a AND b, a OR b, NOT a hold exactly the
 * values for which the comparisons do. */
TEST(ranges_hold_what_the_comparisons_say)
{
    static const char *const terms[] = {"a = 2",  "a <> 2", "a < 2",         "a <= 2", "a > 2",
                                        "a >= 2", "a = 4",  "a <> 4",        "a < 4",  "4 >= a",
                                        "a > 4",  "4 <= a", "a IN (1, 3, 5)"};
    wr_catalogs *catalogs = NULL;
    printed p;
    open_printed(&p, &catalogs);
    for (size_t i = 0; i < WR_COUNT(terms); i++)
        for (size_t k = 0; k < WR_COUNT(terms); k++) {
            const wr_expr *c;
            wri_simplifier in = {.arena = p.arena};
            wri_ranges *x = wri_ranges_of(&in, bind(&p, terms[i]), &c);
            wri_ranges *y = wri_ranges_of(&in, bind(&p, terms[k]), &c);
            CHECK_FATAL(x && y);
            wri_ranges *both = wri_ranges_intersect(&in, x, y);
            wri_ranges *either = wri_ranges_union(&in, x, y);
            wri_ranges *other = wri_ranges_complement(&in, x);
            CHECK_FATAL(both && either && other);
            for (int64_t v = 0; v < 7; v++) {
                const bool a = inside(x, v), b = inside(y, v);
                CHECK_MSG(inside(both, v) == (a && b) && inside(either, v) == (a || b) &&
                              inside(other, v) == !a,
                          "%s, %s, %d", terms[i], terms[k], (int)v);
            }
        }
    wr_catalogs_destroy(catalogs);
    wr_arena_destroy(p.arena);
}

CHECK_MAIN()
