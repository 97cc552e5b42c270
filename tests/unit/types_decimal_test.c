/* SPDX-License-Identifier: Apache-2.0 */
/* Decimals. tests/data/decimal.tsv is computed by Python's decimal module. */
#include "check.h"
#include "types/decimal.h"

#include <stdlib.h>

/* The text exactly, at its own scale. */
static wr_i128
exact(const char *text, int scale)
{
    wr_i128 v = 0;
    const wr_dec_parse got = wr_dec_from_text(text, strlen(text), 38, scale, &v);
    if (got != WR_DEC_OK) fprintf(stderr, "cannot read '%s' at scale %d\n", text, scale);
    return v;
}

static bool
apply(char op, wr_i128 a, int sa, wr_i128 b, int sb, int p, int s, wr_i128 *out)
{
    switch (op) {
    case '+':
        return wr_dec_add(a, sa, b, sb, p, s, out);
    case '-':
        return wr_dec_sub(a, sa, b, sb, p, s, out);
    case '*':
        return wr_dec_mul(a, sa, b, sb, p, s, out);
    case '/':
        return wr_dec_div(a, sa, b, sb, p, s, out);
    default:
        return wr_dec_mod(a, sa, b, sb, p, s, out);
    }
}

TEST(arithmetic_agrees_with_python)
{
    char line[512], op[4], ta[80], tb[80], want[80], got[WR_DEC_TEXT_MAX + 1];
    int pa, sa, pb, sb, p, s, rows = 0;
    FILE *f = fopen("tests/data/decimal.tsv", "r");
    CHECK_FATAL(f != NULL);
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#') continue;
        CHECK_FATAL(sscanf(line, "%3s %79s %d %d %79s %d %d %d %d %79s", op, ta, &pa, &sa, tb, &pb,
                           &sb, &p, &s, want) == 10);
        wr_i128 r = 0;
        const bool ok = apply(op[0], exact(ta, sa), sa, exact(tb, sb), sb, p, s, &r);
        got[ok ? wr_dec_print(r, s, got) : 0] = 0;
        CHECK_MSG(strcmp(ok ? got : "NULL", want) == 0, "%s %s %s: %s, want %s", ta, op, tb,
                  ok ? got : "NULL", want);
        rows++;
    }
    (void)fclose(f);
    CHECK(rows > 3000);
}

static void
check_print(wr_i128 v, int s, const char *plain, const char *java)
{
    char out[WR_DEC_TEXT_MAX + 1];
    out[wr_dec_print(v, s, out)] = 0;
    CHECK_EQ_STR(out, plain);
    out[wr_dec_print_java(v, s, out)] = 0;
    CHECK_EQ_STR(out, java);
}

TEST(prints)
{
    check_print(0, 0, "0", "0");
    check_print(150, 2, "1.50", "1.50");
    check_print(-5, 1, "-0.5", "-0.5");
    check_print(0, 9, "0.000000000", "0E-9"); /* seen in Flink's print connector */
    check_print(0, 6, "0.000000", "0.000000");
    check_print(1, 7, "0.0000001", "1E-7");
    check_print(-1, 10, "-0.0000000001", "-1E-10");
    check_print(12, 8, "0.00000012", "1.2E-7");
    check_print(wr_dec_pow10(38) - 1, 0, "99999999999999999999999999999999999999",
                "99999999999999999999999999999999999999");
    check_print(-(wr_dec_pow10(38) - 1), 38, "-0.99999999999999999999999999999999999999",
                "-0.99999999999999999999999999999999999999");
}

TEST(digits_and_fit)
{
    CHECK_EQ_INT(wr_dec_digits(0), 1);
    CHECK_EQ_INT(wr_dec_digits(-9), 1);
    CHECK_EQ_INT(wr_dec_digits(10), 2);
    for (int n = 1; n <= 38; n++) {
        CHECK_EQ_INT(wr_dec_digits(wr_dec_pow10(n) - 1), n);
        CHECK(wr_dec_fits(wr_dec_pow10(n) - 1, n));
        CHECK(!wr_dec_fits(wr_dec_pow10(n), n));
        CHECK(!wr_dec_fits(-wr_dec_pow10(n), n));
    }
}

TEST(compares_across_scales)
{
    CHECK(wr_dec_cmp(15, 1, 150, 2) == 0);
    CHECK(wr_dec_cmp(-15, 1, 150, 2) < 0);
    const wr_i128 big = wr_dec_pow10(38) - 1;
    CHECK(wr_dec_cmp(big, 0, 1, 38) > 0);
    CHECK(wr_dec_cmp(1, 38, big, 0) < 0);
    CHECK(wr_dec_cmp(-big, 0, -1, 38) < 0);
    CHECK(wr_dec_cmp(big, 38, 1, 0) < 0);
}

static void
check_round(const char *text, int s, int r, wr_dec_mode mode, int to_s, const char *want)
{
    char out[WR_DEC_TEXT_MAX + 1];
    wr_i128 v = 0;
    CHECK(wr_dec_round(exact(text, s), s, r, mode, 38, to_s, &v));
    out[wr_dec_print(v, to_s, out)] = 0;
    CHECK_MSG(strcmp(out, want) == 0, "round %s to %d: %s, want %s", text, r, out, want);
}

TEST(rounds)
{
    check_round("2.345", 3, 2, WR_DEC_HALF_UP, 2, "2.35");
    check_round("-2.345", 3, 2, WR_DEC_HALF_UP, 2, "-2.35");
    check_round("12.5", 1, 0, WR_DEC_HALF_UP, 0, "13");
    check_round("1250", 0, -2, WR_DEC_HALF_UP, 0, "1300");
    check_round("1249", 0, -2, WR_DEC_HALF_UP, 0, "1200");
    check_round("5", 0, -2, WR_DEC_HALF_UP, 0, "0");
    check_round("2.349", 3, 2, WR_DEC_DOWN, 2, "2.34");
    check_round("-2.349", 3, 2, WR_DEC_DOWN, 2, "-2.34");
    check_round("1.2", 1, 0, WR_DEC_CEIL, 0, "2");
    check_round("-1.2", 1, 0, WR_DEC_CEIL, 0, "-1");
    check_round("-1.2", 1, 0, WR_DEC_FLOOR, 0, "-2");
    check_round("1.0", 1, 0, WR_DEC_CEIL, 0, "1");
    check_round("1.5", 1, 5, WR_DEC_HALF_UP, 3, "1.500");
}

/* As DECIMAL to and from the other numbers in Flink */
TEST(conversions)
{
    wr_i128 v;
    CHECK_EQ_INT(wr_dec_to_i64(-99999, 2), -999);
    CHECK_EQ_INT(wr_dec_to_i64(exact("12345678901234567890.5", 1), 1), -6101065172474983726);
    CHECK_EQ_DOUBLE(wr_dec_to_f64(exact("12345678901234567890.5", 10), 10), 1.2345678901234567e19);
    CHECK_EQ_DOUBLE(wr_dec_to_f64(1, 1), 0.1);
    CHECK_EQ_DOUBLE(wr_dec_to_f64(-1, 10), -1e-10);
    CHECK(wr_dec_from_f64(1.005, 10, 2, &v) && v == 101);
    CHECK(wr_dec_from_f64(2.675, 10, 2, &v) && v == 268);
    CHECK(wr_dec_from_f64(-0.125, 10, 2, &v) && v == -13);
    CHECK(!wr_dec_from_f64(1e17, 10, 2, &v));
    CHECK(wr_dec_from_f64(1e-7, 38, 20, &v) && v == wr_dec_pow10(13));
    CHECK(!wr_dec_from_f64((double)NAN, 10, 2, &v));
}

static void
check_text(const char *text, int p, int s, const char *want)
{
    char out[WR_DEC_TEXT_MAX + 1] = "";
    wr_i128 v = 0;
    const wr_dec_parse got = wr_dec_from_text(text, strlen(text), p, s, &v);
    if (got == WR_DEC_OK) out[wr_dec_print(v, s, out)] = 0;
    const char *shown = got == WR_DEC_OK ? out : got == WR_DEC_OVERFLOW ? "overflow" : "invalid";
    CHECK_MSG(strcmp(shown, want) == 0, "'%s': %s, want %s", text, shown, want);
}

TEST(strict_text)
{
    check_text("1.005", 10, 2, "1.01");
    check_text("-1.005", 10, 2, "-1.01");
    check_text("1e3", 10, 2, "1000.00");
    check_text("+.5", 10, 2, "0.50");
    check_text("1E-2", 10, 2, "0.01");
    check_text("0.004", 10, 2, "0.00");
    check_text("0.005", 10, 2, "0.01");
    check_text("1e-99999999999", 10, 2, "0.00");
    check_text("1e99999999999", 10, 2, "overflow");
    check_text("0e99999999999", 10, 2, "0.00");
    check_text("99999999.994", 10, 2, "99999999.99");
    check_text("99999999.995", 10, 2, "overflow");
    check_text("99999999999999999999999999999999999999", 38, 0,
               "99999999999999999999999999999999999999");
    check_text("99999999999999999999999999999999999999.5", 38, 0, "overflow");
    check_text("0000000000000000000000000000000000000000000000001", 10, 2, "1.00");
    check_text("", 10, 2, "invalid");
    check_text(".", 10, 2, "invalid");
    check_text("1e", 10, 2, "invalid");
    check_text(" 1", 10, 2, "invalid");
    check_text("1x", 10, 2, "invalid");
}

static void
check_cast(const char *text, int p, int s, const char *want)
{
    char out[WR_DEC_TEXT_MAX + 1] = "", why[512];
    wr_i128 v = 0;
    const bool ok = wr_dec_cast_text(wr_str_c(text), p, s, &v, why);
    if (ok) out[wr_dec_print(v, s, out)] = 0;
    CHECK_MSG(strcmp(ok ? out : why, want) == 0, "'%s': %s, want %s", text, ok ? out : why, want);
}

#define OVERFLOW(text) "For input string: '" text "'. Overflow."

/* Asked of Flink: CAST('...' AS DECIMAL(9, 1)) */
TEST(lenient_text_is_flinks)
{
    static const char *const good[][2] = {
        {"1eT", "1.0"},    {"1e5T", "100000.0"},     {"1T ", "1.0"},
        {"T ", "0.0"},     {"1e+5 ", "100000.0"},    {".e", "0.0"},
        {"1,", "1.0"},     {"1ee", "1.0"},           {"1e5e", "100000.0"},
        {" 1x", "1.0"},    {"12e-1", "1.2"},         {"0.05", "0.1"},
        {"-0.05", "-0.1"}, {"1e1 ", "10.0"},         {"x", "0.0"},
        {"1.", "1.0"},     {"1e-10", "0.0"},         {"0.00000001", "0.0"},
        {"5e-2", "0.1"},   {"4e-2", "0.0"},          {"123e-5", "0.0"},
        {"999e-4", "0.1"}, {"1e7", "10000000.0"},    {"1e007", "10000000.0"},
        {"-T", "0.0"},     {"1.50000000000", "1.5"}, {"12345678.9", "12345678.9"}};
    static const char *const bad[] = {"1 T",       "1e+",
                                      "1e-",       "1e5 x",
                                      "1.5.5",     "..",
                                      "   ",       "- 1",
                                      "1e-30",     "",
                                      "1e 5",      "0e-30",
                                      "0e30",      "1e8",
                                      "x1",        "TT",
                                      "-",         "0.0e9",
                                      "123456789", "0000000000000001.5",
                                      "--1",       "1e99999999999"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        check_cast(good[i][0], 9, 1, good[i][1]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char want[128];
        (void)snprintf(want, sizeof want, "For input string: '%s'. Overflow.", bad[i]);
        check_cast(bad[i], 9, 1, want);
    }
}

TEST(long_text_is_big_decimals)
{
#define NEITHER(c)                                                                                 \
    "Character " c " is neither a decimal digit number, decimal point, nor \"e\" notation "        \
    "exponential mark."
#define MISSING "Character array is missing \"e\" notation exponential mark."
#define TWO     "Character array contains more than one decimal point."
    check_cast(" 12 ", 20, 1, "12.0");
    check_cast("-1.05", 20, 1, "-1.1");
    check_cast("1e5", 20, 1, "100000.0");
    check_cast("T", 20, 1, NEITHER("T"));
    check_cast("1T", 20, 1, NEITHER("T"));
    check_cast("1.5.5", 20, 1, TWO);
    check_cast("1e", 20, 1, "No exponent digits.");
    check_cast("1ex", 20, 1, "Not a digit.");
    check_cast("", 20, 1, "No digits found.");
    check_cast("  ", 20, 1, NEITHER(" "));
    check_cast("-", 20, 1, "No digits found.");
    check_cast("- 1", 20, 1, NEITHER(" "));
    check_cast("1e99999999999", 20, 1, "Too many nonzero exponent digits.");
    check_cast("99999999999999999999999", 20, 1, OVERFLOW("99999999999999999999999"));
    check_cast("99999999999999999999999999", 4, 1, OVERFLOW("99999999999999999999999999"));
    check_cast("xxxxxxxxxxxxxxxxxxxxxxx", 4, 1, MISSING);
    check_cast("1.2.3xxxxxxxxxxxxxxxxxxx", 4, 1, TWO);
    check_cast("1e5xxxxxxxxxxxxxxxxxxx", 4, 1, "Too many nonzero exponent digits.");
    check_cast("                    ", 4, 1, MISSING);
    check_cast("                   .", 4, 1, "No digits found.");
    check_cast("00000000000000000000000000000000000000000000001", 20, 1, "1.0");
}

/* TYPEOF(0.5) is DECIMAL(2, 1), of .5 DECIMAL(1, 1), of 00.5 DECIMAL(3, 1) */
TEST(literals)
{
    wr_i128 v;
    int p, s;
    CHECK(wr_dec_literal("0.5", 3, &v, &p, &s) == WR_DEC_OK && v == 5 && p == 2 && s == 1);
    CHECK(wr_dec_literal(".5", 2, &v, &p, &s) == WR_DEC_OK && v == 5 && p == 1 && s == 1);
    CHECK(wr_dec_literal("00.5", 4, &v, &p, &s) == WR_DEC_OK && p == 3 && s == 1);
    CHECK(wr_dec_literal("1.50", 4, &v, &p, &s) == WR_DEC_OK && v == 150 && p == 3 && s == 2);
    CHECK(wr_dec_literal("12345678901234567890123456789012345678.9", 40, &v, &p, &s) ==
          WR_DEC_OVERFLOW);
    CHECK(wr_dec_literal(".", 1, &v, &p, &s) == WR_DEC_INVALID);
}

CHECK_MAIN()
