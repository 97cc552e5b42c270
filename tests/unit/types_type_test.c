/* SPDX-License-Identifier: Apache-2.0 */
/* Types: printing, equality, common types, result types of arithmetic, the cast lattice. Expected
 * values are those of Flink 2.3 (tests/data/flink, flink's documentation of type derivation). */
#include "check.h"
#include "unit/type_parse.h"

static wr_arena *a;
static wr_ctx ctx;

__attribute__((constructor)) static void
make_arena(void)
{
    a = wr_arena_create(NULL, 0);
}

static const wr_type *
ty(const char *text)
{
    const wr_type *t = type_parse(a, text);
    if (!t) fprintf(stderr, "cannot parse type '%s'\n", text);
    return t;
}

#define CHECK_PRINT(t, style, want)                                                                \
    do {                                                                                           \
        wr_str s_ = wr_type_str(t, style, a);                                                      \
        CHECK_EQ_WRSTR(s_, want);                                                                  \
    } while (0)

TEST(prints_as_flink_does)
{
    CHECK_PRINT(ty("INT NOT NULL"), WR_TYPE_SUMMARY, "INT NOT NULL");
    CHECK_PRINT(ty("INT NOT NULL"), WR_TYPE_NO_NULL, "INT");
    CHECK_PRINT(ty("STRING"), WR_TYPE_SUMMARY, "STRING");
    CHECK_PRINT(ty("STRING"), WR_TYPE_SERIALIZABLE, "VARCHAR(2147483647)");
    CHECK_PRINT(ty("BYTES"), WR_TYPE_SUMMARY, "BYTES");
    CHECK_PRINT(ty("VARCHAR(5)"), WR_TYPE_SUMMARY, "VARCHAR(5)");
    CHECK_PRINT(ty("DECIMAL(10, 2)"), WR_TYPE_SUMMARY, "DECIMAL(10, 2)");
    CHECK_PRINT(ty("TIMESTAMP(3)"), WR_TYPE_SUMMARY, "TIMESTAMP(3)");
    CHECK_PRINT(ty("INTERVAL DAY TO SECOND(3)"), WR_TYPE_SUMMARY, "INTERVAL SECOND(3)");
    CHECK_PRINT(ty("INTERVAL YEAR TO MONTH"), WR_TYPE_SUMMARY, "INTERVAL MONTH");
    CHECK_PRINT(ty("ARRAY<INT NOT NULL>"), WR_TYPE_SUMMARY, "ARRAY<INT NOT NULL>");
    CHECK_PRINT(ty("MAP<STRING, INT>"), WR_TYPE_SUMMARY, "MAP<STRING, INT>");
    CHECK_PRINT(ty("MAP<STRING, INT>"), WR_TYPE_SERIALIZABLE, "MAP<VARCHAR(2147483647), INT>");
    CHECK_PRINT(ty("ROW<a INT, b STRING>"), WR_TYPE_SUMMARY, "ROW<`a` INT, `b` STRING>");
    CHECK_PRINT(ty("TIME"), WR_TYPE_SUMMARY, "TIME(0)");
}

TEST(prints_time_attributes)
{
    const wr_type *t = wr_type_attr(a, ty("TIMESTAMP(3)"), WR_ATTR_ROWTIME);
    CHECK_PRINT(t, WR_TYPE_SUMMARY, "TIMESTAMP(3) *ROWTIME*");
    t = wr_type_attr(a, ty("TIMESTAMP_LTZ(3) NOT NULL"), WR_ATTR_PROCTIME);
    CHECK_PRINT(t, WR_TYPE_SUMMARY, "TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*");
    CHECK_PRINT(t, WR_TYPE_NO_NULL, "TIMESTAMP_LTZ(3) *PROCTIME*");
    CHECK_PRINT(t, WR_TYPE_CALCITE, "TIMESTAMP_LTZ(3) *PROCTIME*");
}

TEST(prints_as_the_validator_does)
{
    CHECK_PRINT(ty("INT"), WR_TYPE_CALCITE, "INTEGER");
    CHECK_PRINT(ty("STRING"), WR_TYPE_CALCITE, "VARCHAR(2147483647)");
    CHECK_PRINT(ty("BYTES"), WR_TYPE_CALCITE, "VARBINARY(2147483647)");
    CHECK_PRINT(ty("DECIMAL(5, 2)"), WR_TYPE_CALCITE, "DECIMAL(5, 2)");
    CHECK_PRINT(ty("TIME(0)"), WR_TYPE_CALCITE, "TIME(0)");
    CHECK_PRINT(ty("TIMESTAMP_LTZ(3)"), WR_TYPE_CALCITE, "TIMESTAMP_WITH_LOCAL_TIME_ZONE(3)");
    CHECK_PRINT(ty("ARRAY<BIGINT>"), WR_TYPE_CALCITE, "BIGINT ARRAY");
    CHECK_PRINT(ty("MAP<STRING, BIGINT>"), WR_TYPE_CALCITE, "(VARCHAR(2147483647), BIGINT) MAP");
    CHECK_PRINT(ty("MULTISET<BIGINT>"), WR_TYPE_CALCITE, "BIGINT MULTISET");
    CHECK_PRINT(ty("ROW<a INT, b STRING>"), WR_TYPE_CALCITE,
                "RecordType:peek_no_expand(INTEGER a, VARCHAR(2147483647) b)");
    CHECK_PRINT(ty("INTERVAL YEAR TO MONTH"), WR_TYPE_CALCITE, "INTERVAL YEAR TO MONTH");
    CHECK_PRINT(ty("INTERVAL DAY TO SECOND(3)"), WR_TYPE_CALCITE, "INTERVAL DAY TO SECOND(3)");
    CHECK_PRINT(ty("INTERVAL DAY"), WR_TYPE_CALCITE, "INTERVAL DAY");
}

TEST(quotes_names_and_comments)
{
    wr_field f[2] = {{WR_STR("a`b"), ty("INT"), {0}}, {WR_STR("c"), ty("STRING"), WR_STR("it's")}};
    CHECK_PRINT(wr_type_row(a, f, 2, true), WR_TYPE_SUMMARY, "ROW<`a``b` INT, `c` STRING 'it''s'>");
    const wr_type *s = wr_type_structured(a, WR_STR("com.example.User"), f, 1, false);
    CHECK_PRINT(s, WR_TYPE_SUMMARY, "STRUCTURED<'com.example.User', `a``b` INT> NOT NULL");
}

TEST(layout_follows_precision)
{
    CHECK_EQ_INT(ty("DECIMAL(18, 2)")->phys, WR_PHYS_I64);
    CHECK_EQ_INT(ty("DECIMAL(19, 2)")->phys, WR_PHYS_I128);
    CHECK_EQ_INT(ty("TIMESTAMP(3)")->phys, WR_PHYS_I64);
    CHECK_EQ_INT(ty("TIMESTAMP(4)")->phys, WR_PHYS_TS);
    CHECK_EQ_INT(wr_phys_bytes(WR_PHYS_TS), 16);
    CHECK_EQ_INT(wr_phys_bytes(WR_PHYS_STR), 16);
}

TEST(equality)
{
    CHECK(wr_type_eq(ty("ARRAY<INT>"), ty("ARRAY<INT>")));
    CHECK(!wr_type_eq(ty("ARRAY<INT>"), ty("ARRAY<INT NOT NULL>")));
    CHECK(wr_type_eq_ignoring_null(ty("ARRAY<INT>"), ty("ARRAY<INT NOT NULL>")));
    CHECK(!wr_type_eq(ty("ROW<a INT>"), ty("ROW<b INT>")));
    CHECK(!wr_type_eq(ty("VARCHAR(3)"), ty("VARCHAR(4)")));
    CHECK(!wr_type_eq(ty("DECIMAL(4, 1)"), ty("DECIMAL(4, 2)")));
    const wr_type *copy = wr_type_copy(a, ty("ROW<a INT, b MAP<STRING, ARRAY<INT>>>"));
    CHECK(wr_type_eq(copy, ty("ROW<a INT, b MAP<STRING, ARRAY<INT>>>")));
}

/* ---- common types, asked of Flink by COALESCE (merging) and CASE (validator) ----------------- */
static void
check_common(bool validator, const char *x, const char *y, const char *want)
{
    const wr_type *t[2] = {ty(x), ty(y)};
    const wr_type *got = validator ? wr_type_least_restrictive(a, t, 2) : wr_type_common(a, t, 2);
    wr_str s = got ? wr_type_str(got, WR_TYPE_SUMMARY, a) : WR_STR("none");
    CHECK_MSG(wr_str_eq_c(s, want), "%s with %s: %.*s, want %s", x, y, WR_STR_ARG(s), want);
}

TEST(common_types)
{
    for (int v = 0; v < 2; v++) {
        check_common(v, "INT NOT NULL", "DECIMAL(2, 1) NOT NULL", "DECIMAL(11, 1) NOT NULL");
        check_common(v, "BIGINT", "DECIMAL(2, 2)", "DECIMAL(21, 2)");
        check_common(v, "BIGINT", "FLOAT", "FLOAT");
        check_common(v, "DECIMAL(2, 1)", "FLOAT", "DOUBLE");
        check_common(v, "CHAR(3)", "CHAR(3)", "CHAR(3)");
        check_common(v, "CHAR(1)", "CHAR(3)", "VARCHAR(3)");
        check_common(v, "VARCHAR(3)", "CHAR(5)", "VARCHAR(5)");
        check_common(v, "BINARY(1)", "BINARY(2)", "VARBINARY(2)");
        check_common(v, "CHAR(1)", "BINARY(1)", "none");
        check_common(v, "INT", "CHAR(1)", "none");
        check_common(v, "BOOLEAN", "INT", "none");
        check_common(v, "TIMESTAMP(0)", "TIMESTAMP(3)", "TIMESTAMP(3)");
        check_common(v, "TIMESTAMP(0)", "TIMESTAMP_LTZ(3)", "TIMESTAMP_LTZ(3)");
        check_common(v, "TIMESTAMP_LTZ(0)", "TIMESTAMP(3)",
                     v ? "TIMESTAMP(3)" : "TIMESTAMP_LTZ(3)");
        check_common(v, "TIMESTAMP(3)", "TIMESTAMP_LTZ(3)",
                     v ? "TIMESTAMP(3)" : "TIMESTAMP_LTZ(3)");
        check_common(v, "TIME(0)", "TIME(3)", "TIME(3)");
        check_common(v, "INTERVAL DAY", "INTERVAL HOUR", "INTERVAL SECOND(3)");
        check_common(v, "INTERVAL DAY", "INTERVAL MONTH", "none");
        check_common(v, "ARRAY<INT>", "ARRAY<DECIMAL(2, 1)>", "ARRAY<DECIMAL(11, 1)>");
        check_common(v, "MAP<CHAR(1), INT>", "MAP<CHAR(3), BIGINT>", "MAP<VARCHAR(3), BIGINT>");
        check_common(v, "ROW<a INT NOT NULL>", "ROW<x BIGINT>", "ROW<`a` BIGINT>");
        check_common(v, "DECIMAL(38, 10)", "DECIMAL(38, 2)", "DECIMAL(38, 2)");
        check_common(v, "DECIMAL(38, 18)", "BIGINT", "DECIMAL(38, 18)");
    }
    check_common(false, "FLOAT", "DOUBLE", "DOUBLE");
    check_common(true, "FLOAT", "DOUBLE", "FLOAT");
    check_common(true, "DOUBLE", "FLOAT", "DOUBLE");
    check_common(false, "DATE", "TIMESTAMP(0)", "DATE");
    check_common(true, "DATE", "TIMESTAMP(0)", "none");
    const wr_type *t[3] = {wr_type_of(WR_T_NULL, true), ty("INT NOT NULL"), ty("BIGINT NOT NULL")};
    CHECK_PRINT(wr_type_common(a, t, 3), WR_TYPE_SUMMARY, "BIGINT");
}

static void
check_arith(char op, const char *x, const char *y, const char *want)
{
    const wr_type *got;
    CHECK_OK(&ctx, wr_type_arith(&ctx, a, op, ty(x), ty(y), &got));
    wr_str s = got ? wr_type_str(got, WR_TYPE_SUMMARY, a) : WR_STR("none");
    CHECK_MSG(wr_str_eq_c(s, want), "%s %c %s: %.*s, want %s", x, op, y, WR_STR_ARG(s), want);
}

TEST(arithmetic_results)
{
    check_arith('+', "TINYINT", "TINYINT", "TINYINT");
    check_arith('+', "TINYINT", "SMALLINT", "SMALLINT");
    check_arith('+', "INT", "BIGINT NOT NULL", "BIGINT");
    check_arith('/', "INT NOT NULL", "INT NOT NULL", "INT NOT NULL");
    check_arith('+', "FLOAT", "INT", "FLOAT");
    check_arith('+', "FLOAT", "DOUBLE", "FLOAT");
    check_arith('+', "DOUBLE", "FLOAT", "DOUBLE");
    check_arith('*', "FLOAT", "DECIMAL(2, 1)", "DOUBLE");
    check_arith('%', "BIGINT", "INT", "INT");
    check_arith('%', "INT", "BIGINT", "BIGINT");
    check_arith('%', "DOUBLE", "INT", "none");
    check_arith('%', "DECIMAL(20, 0)", "INT", "INT");
    check_arith('%', "INT", "DECIMAL(20, 0)", "DECIMAL(20, 0)");
    check_arith('%', "DECIMAL(5, 0) NOT NULL", "DECIMAL(10, 0)", "DECIMAL(10, 0)");
    check_arith('+', "INT", "DECIMAL(2, 1)", "DECIMAL(12, 1)");
    check_arith('+', "DECIMAL(10, 2)", "DECIMAL(5, 4)", "DECIMAL(13, 4)");
    check_arith('*', "DECIMAL(10, 2)", "DECIMAL(5, 4)", "DECIMAL(16, 6)");
    check_arith('/', "DECIMAL(10, 2)", "DECIMAL(5, 4)", "DECIMAL(20, 8)");
    check_arith('%', "DECIMAL(10, 2)", "DECIMAL(5, 4)", "DECIMAL(5, 4)");
    check_arith('/', "DECIMAL(10, 2)", "INT", "DECIMAL(21, 13)");
    check_arith('/', "DECIMAL(2, 1)", "INT", "DECIMAL(13, 12)");
    check_arith('-', "DECIMAL(38, 10)", "DECIMAL(38, 10)", "DECIMAL(38, 9)");
    check_arith('*', "DECIMAL(38, 10)", "DECIMAL(38, 10)", "DECIMAL(38, 6)");
    check_arith('/', "DECIMAL(38, 10)", "DECIMAL(38, 10)", "DECIMAL(38, 6)");
    check_arith('*', "DECIMAL(38, 37)", "DECIMAL(38, 37)", "DECIMAL(38, 35)");
    check_arith('+', "DECIMAL(38, 37)", "DECIMAL(38, 37)", "DECIMAL(38, 36)");
    check_arith('+', "DECIMAL(38, 0)", "INT", "DECIMAL(38, 0)");
    check_arith('/', "DECIMAL(30, 10)", "DECIMAL(5, 4)", "DECIMAL(38, 14)");
    check_arith('%', "DECIMAL(38, 10)", "DECIMAL(20, 15)", "DECIMAL(20, 15)");
}

TEST(datetime_arithmetic_results)
{
    check_arith('+', "DATE NOT NULL", "INTERVAL DAY", "DATE");
    check_arith('-', "TIMESTAMP(6)", "INTERVAL MONTH", "TIMESTAMP(6)");
    check_arith('+', "INTERVAL DAY", "TIMESTAMP(1)", "TIMESTAMP(1)");
    check_arith('-', "INTERVAL DAY", "TIMESTAMP(1)", "none");
    check_arith('+', "INTERVAL DAY", "INTERVAL SECOND", "INTERVAL SECOND(3)");
    check_arith('+', "INTERVAL DAY", "INTERVAL MONTH", "none");
    check_arith('*', "INTERVAL DAY", "INT", "INTERVAL SECOND(3)");
    check_arith('*', "INT", "INTERVAL YEAR", "INTERVAL MONTH");
    check_arith('/', "INTERVAL DAY", "INT", "none");
    check_arith('-', "DATE", "DATE", "none");
    check_arith('+', "DATE", "INT", "none");
    check_arith('+', "STRING", "INT", "none");
}

/* ---- the lattice, from the reference files --------------------------------------------------- */
static char *
next_field(char **line)
{
    char *f = *line, *tab = strchr(f, '\t');
    if (tab) {
        *tab = 0;
        *line = tab + 1;
    } else {
        *line = f + strlen(f);
    }
    return f;
}

static const wr_type *
reference_type(const char *text)
{
    if (strcmp(text, "STRUCTURED") != 0) return ty(text);
    wr_field f[2] = {{WR_STR("name"), ty("CHAR(3) NOT NULL"), {0}},
                     {WR_STR("age"), ty("INT NOT NULL"), {0}}};
    return wr_type_structured(a, WR_STR("com.example.User"), f, 2, false);
}

static void
check_lattice(const char *path, bool (*can)(const wr_type *, const wr_type *), int at_least)
{
    static char line[1 << 16];
    int rows = 0;
    FILE *f = fopen(path, "r");
    CHECK_FATAL(f != NULL);
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        if (line[0] == '#' || strncmp(line, "from\t", 5) == 0) continue;
        char *rest = line, *from = next_field(&rest), *to = next_field(&rest);
        const bool allowed = strcmp(next_field(&rest), "yes") == 0;
        CHECK_MSG(can(reference_type(from), reference_type(to)) == allowed, "%s to %s is %s", from,
                  to, allowed ? "allowed" : "not allowed");
        rows++;
    }
    (void)fclose(f);
    CHECK(rows >= at_least);
}

TEST(explicit_casts_are_flinks)
{
    check_lattice("tests/data/flink/flink-casts.tsv", wr_type_can_cast_explicit, 1300);
}

TEST(implicit_casts_are_flinks)
{
    check_lattice("tests/data/flink/implicit-casts.tsv", wr_type_can_cast_implicit, 1000);
}

TEST(fallible_casts)
{
    CHECK(wr_type_cast_may_fail(ty("STRING"), ty("INT")));
    CHECK(!wr_type_cast_may_fail(ty("STRING"), ty("CHAR(3)")));
    CHECK(!wr_type_cast_may_fail(ty("INT"), ty("TINYINT")));
    CHECK(wr_type_cast_may_fail(ty("INT"), ty("INT NOT NULL")));
    CHECK(wr_type_cast_may_fail(ty("ARRAY<STRING>"), ty("ARRAY<INT>")));
}

TEST(values)
{
    wr_value items[2] = {wr_value_int(ty("INT"), 1), wr_value_null(ty("INT"))};
    wr_value v = {.type = ty("ARRAY<INT>")};
    v.u.list.items = items;
    v.u.list.count = 2;
    wr_value c = wr_value_copy(a, &v);
    CHECK(wr_value_eq(&v, &c));
    items[0].u.i = 2;
    CHECK(!wr_value_eq(&v, &c));
    wr_value s = wr_value_str(ty("STRING"), WR_STR("abc")), n = wr_value_null(ty("STRING"));
    CHECK(!wr_value_eq(&s, &n));
    CHECK(wr_value_eq(&n, &n));
}

CHECK_MAIN()
