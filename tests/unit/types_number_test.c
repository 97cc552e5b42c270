/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as text. The texts in tests/data/java-numbers.tsv are Java's own. */
#include "check.h"
#include "types/number.h"

#include <stdlib.h>

static void
check_double(uint64_t bits, const char *text)
{
    char out[WR_F64_TEXT_MAX + 1];
    double d, back = 0;
    memcpy(&d, &bits, 8);
    out[wr_f64_print(d, out)] = 0;
    CHECK_MSG(strcmp(out, text) == 0, "%s, want %s", out, text);
    CHECK(wr_f64_parse_java(text, strlen(text), &back));
    CHECK_MSG(memcmp(&back, &d, 8) == 0, "%s read as %.17g", text, back);
}

static void
check_float(uint32_t bits, const char *text)
{
    char out[WR_F64_TEXT_MAX + 1];
    float f, back = 0;
    memcpy(&f, &bits, 4);
    out[wr_f32_print(f, out)] = 0;
    CHECK_MSG(strcmp(out, text) == 0, "%s, want %s", out, text);
    CHECK(wr_f32_parse_java(text, strlen(text), &back));
    CHECK_MSG(memcmp(&back, &f, 4) == 0, "%s read as %.9g", text, (double)back);
}

TEST(prints_and_reads_as_java)
{
    char line[256], kind[8], hex[32], text[64];
    int rows = 0;
    FILE *f = fopen("tests/data/java-numbers.tsv", "r");
    CHECK_FATAL(f != NULL);
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%7s %31s %63s", kind, hex, text) != 3 || line[0] == '#') continue;
        if (kind[0] == 'd')
            check_double(strtoull(hex, NULL, 16), text);
        else
            check_float((uint32_t)strtoull(hex, NULL, 16), text);
        rows++;
    }
    (void)fclose(f);
    CHECK(rows > 5000);
}

static void
check_reads(const char *text, double want)
{
    double got = -1;
    CHECK_MSG(wr_f64_parse(text, strlen(text), &got), "%s", text);
    CHECK_MSG(memcmp(&got, &want, 8) == 0, "%s: %.17g, want %.17g", text, got, want);
}

/* The compiler's own conversion is correctly rounded. */
TEST(reads_hard_cases)
{
    check_reads("0", 0.0);
    check_reads("-0", -0.0);
    check_reads("1e400", HUGE_VAL);
    check_reads("1e-400", 0.0);
    check_reads("9007199254740993", 9007199254740993.0);
    check_reads("9007199254740993.00000000000000000000000001", 9007199254740994.0);
    check_reads("2.4703282292062327208e-324", 0.0);
    check_reads("2.4703282292062328e-324", 2.4703282292062328e-324);
    check_reads("2.2250738585072011e-308", 2.2250738585072011e-308);
    check_reads("1.7976931348623158e308", 1.7976931348623158e308);
    check_reads("1.7976931348623159e308", HUGE_VAL);
    check_reads("179769313486231580793e289", HUGE_VAL);
    check_reads("0.500000000000000166533453693773481063544750213623046875",
                0.500000000000000166533453693773481063544750213623046875);
    check_reads("3.518437208883201171875e13", 3.518437208883201171875e13);
    check_reads("62.5364939768271845828", 62.5364939768271845828);
    check_reads("8.10109172351e-10", 8.10109172351e-10);
    check_reads("1.50000000000000011102230246251565", 1.50000000000000011102230246251565);
    check_reads("6929495644600919.5", 6929495644600919.5);
    check_reads("123456789012345678901234567890123456789012345678901234567890e-40",
                123456789012345678901234567890123456789012345678901234567890e-40);
}

/* Midpoints between neighbours go to the even one; a bit more goes up. */
TEST(midpoints)
{
    check_reads("1.00000000000000011102230246251565404236316680908203125", 1.0);
    check_reads("1.00000000000000011102230246251565404236316680908203126",
                1.0000000000000002220446049250313);
    check_reads("1.00000000000000033306690738754696212708950042724609375",
                1.0000000000000004440892098500626);
    float f = 0;
    CHECK(wr_f32_parse_java("1.00000017881393432617187499", 28, &f));
    CHECK_EQ_DOUBLE((double)f, (double)1.00000011920928955078125f);
    CHECK(wr_f32_parse_java("3.4028235677973366e38", 21, &f));
    CHECK(!isinf(f)); /* just below the midpoint to infinity */
    CHECK(wr_f32_parse_java("3.4028235677973367e38", 21, &f));
    CHECK(isinf(f));
}

static bool
java_reads(const char *text, double *out)
{
    return wr_f64_parse_java(text, strlen(text), out);
}

/* What Flink's CAST('...' AS DOUBLE) reads */
TEST(javas_grammar)
{
    double d = 0;
    CHECK(java_reads("1d", &d) && java_reads("1f", &d) && java_reads("1.e5", &d));
    CHECK(java_reads(" 42\t", &d));
    CHECK_EQ_DOUBLE(d, 42);
    CHECK(java_reads("0x1p3", &d));
    CHECK_EQ_DOUBLE(d, 8);
    CHECK(java_reads("0x1.8p1", &d));
    CHECK_EQ_DOUBLE(d, 3);
    CHECK(java_reads("0x.8p0", &d));
    CHECK_EQ_DOUBLE(d, 0.5);
    CHECK(java_reads("0x1.fffffffffffff8p0", &d)); /* a tie: to even */
    CHECK_EQ_DOUBLE(d, 2);
    CHECK(java_reads("0x1p-1074", &d));
    CHECK_EQ_DOUBLE(d, 4.9e-324);
    CHECK(java_reads("0x1p-1075", &d));
    CHECK_EQ_DOUBLE(d, 0);
    CHECK(java_reads("+Infinity", &d) && isinf(d) && d > 0);
    CHECK(java_reads("-Infinity", &d) && isinf(d) && d < 0);
    CHECK(java_reads("-NaN", &d) && isnan(d));
    static const char *const bad[] = {"",    " ",    "1e",  ".",   ".e5",  "0x1", "0x1p",
                                      "1fd", "1 f",  "Nan", "inf", "1_0",  "--1", "e5",
                                      "x",   "1..2", "+",   "1e+", "1ee5", "0x",  "infinity"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_MSG(!java_reads(bad[i], &d), "'%s'", bad[i]);
}

TEST(plain_grammar_is_strict)
{
    double d;
    CHECK(!wr_f64_parse(" 1", 2, &d));
    CHECK(!wr_f64_parse("1 ", 2, &d));
    CHECK(!wr_f64_parse("NaN", 3, &d));
    CHECK(!wr_f64_parse("1f", 2, &d));
    CHECK(wr_f64_parse("1.", 2, &d));
    CHECK(wr_f64_parse(".5", 2, &d));
}

TEST(integers)
{
    char out[WR_I64_TEXT_MAX + 1];
    static const int64_t v[] = {0, 7, -7, 10, 99, 100, -12345, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
        char want[32];
        int64_t back = 1;
        out[wr_i64_print(v[i], out)] = 0;
        (void)snprintf(want, sizeof want, "%lld", (long long)v[i]);
        CHECK_EQ_STR(out, want);
        CHECK(wr_i64_parse(out, strlen(out), &back));
        CHECK_EQ_INT(back, v[i]);
    }
    int64_t i;
    CHECK(!wr_i64_parse("9223372036854775808", 19, &i));
    CHECK(wr_i64_parse("-9223372036854775808", 20, &i));
    CHECK(!wr_i64_parse("-9223372036854775809", 20, &i));
    CHECK(!wr_i64_parse("", 0, &i));
    CHECK(!wr_i64_parse("+", 1, &i));
    CHECK(!wr_i64_parse("1x", 2, &i));
    CHECK(!wr_i64_parse("99999999999999999999999", 23, &i));
}

CHECK_MAIN()
