/* SPDX-License-Identifier: Apache-2.0 */
/* Dates and times: the calendar, fields, text. Expected values are Flink 2.3's answers to the same
 * expressions, but for differences told beside them. */
#include "check.h"
#include "types/datetime.h"
#include "unit/type_parse.h"

static int64_t
day(const char *text)
{
    int32_t d = 0;
    if (!wr_date_literal(wr_str_c(text), &d)) fprintf(stderr, "bad date %s\n", text);
    return d;
}

static wr_ts
ts(const char *text)
{
    wr_ts t = {0, 0, 0};
    int p;
    if (!wr_ts_literal(wr_str_c(text), &t, &p)) fprintf(stderr, "bad timestamp %s\n", text);
    return t;
}

static int64_t
ms(const char *text)
{
    return ts(text).ms;
}

#define CHECK_TEXT(call, want)                                                                     \
    do {                                                                                           \
        char out[WR_DT_TEXT_MAX + 1];                                                              \
        out[call] = 0;                                                                             \
        CHECK_EQ_STR(out, want);                                                                   \
    } while (0)

TEST(days_and_civil_dates_are_inverse)
{
    for (int64_t d = -800000; d < 3000000; d += 37) {
        const wr_civil c = wr_civil_of(d);
        CHECK(wr_date_valid(c.year, c.month, c.day));
        CHECK_EQ_INT(wr_days_of(c.year, c.month, c.day), d);
    }
    CHECK_EQ_INT(wr_days_of(1970, 1, 1), 0);
    CHECK_EQ_INT(wr_days_of(2000, 3, 1), 11017);
    CHECK_EQ_INT(wr_days_of(0, 1, 1), -719528);
    CHECK_EQ_INT(wr_days_of(9999, 12, 31), 2932896);
    CHECK_EQ_INT(wr_month_days(1900, 2), 28);
    CHECK_EQ_INT(wr_month_days(2000, 2), 29);
}

TEST(extracts)
{
    const int64_t d = day("2024-05-17");
    CHECK_EQ_INT(wr_date_extract(WR_UNIT_YEAR, d), 2024);
    CHECK_EQ_INT(wr_date_extract(WR_UNIT_QUARTER, d), 2);
    CHECK_EQ_INT(wr_date_extract(WR_UNIT_MONTH, d), 5);
    CHECK_EQ_INT(wr_date_extract(WR_UNIT_DAY, d), 17);
    CHECK_EQ_INT(wr_date_extract(WR_UNIT_DOY, d), 138);
    CHECK_EQ_INT(wr_date_extract(WR_UNIT_DOW, day("2024-05-19")), 1);
    CHECK_EQ_INT(wr_date_extract(WR_UNIT_ISODOW, day("2024-05-19")), 7);
    CHECK_EQ_INT(wr_date_extract(WR_UNIT_WEEK, day("2024-12-31")), 1);
    CHECK_EQ_INT(wr_date_extract(WR_UNIT_WEEK, day("2023-01-01")), 52);
    CHECK_EQ_INT(wr_date_extract(WR_UNIT_ISOYEAR, day("2024-12-31")), 2025);
    CHECK_EQ_INT(wr_date_extract(WR_UNIT_DECADE, d), 202);
    CHECK_EQ_INT(wr_date_extract(WR_UNIT_CENTURY, d), 21);
    CHECK_EQ_INT(wr_date_extract(WR_UNIT_CENTURY, day("2000-01-01")), 20);
    CHECK_EQ_INT(wr_date_extract(WR_UNIT_MILLENNIUM, d), 3);
    const wr_ts t = ts("2024-05-17 10:11:12.789123");
    CHECK_EQ_INT(wr_ts_extract(WR_UNIT_HOUR, t), 10);
    CHECK_EQ_INT(wr_ts_extract(WR_UNIT_MINUTE, t), 11);
    CHECK_EQ_INT(wr_ts_extract(WR_UNIT_SECOND, t), 12);
    CHECK_EQ_INT(wr_ts_extract(WR_UNIT_MILLISECOND, t), 789);
    CHECK_EQ_INT(wr_ts_extract(WR_UNIT_MICROSECOND, t), 789123);
    CHECK_EQ_INT(wr_ts_extract(WR_UNIT_NANOSECOND, t), 789123000);
    CHECK_EQ_INT(wr_ts_extract(WR_UNIT_EPOCH, t), 1715940672);
    CHECK_EQ_INT(wr_ts_extract(WR_UNIT_HOUR, ts("1969-12-31 23:59:59.5")), 23);
    const wr_type *dt = wr_type_of(WR_T_INTERVAL_DT, true),
                  *ym = wr_type_of(WR_T_INTERVAL_YM, true);
    CHECK_EQ_INT(wr_interval_extract(WR_UNIT_DAY, dt, 19 * WR_MS_DAY + 12 * WR_MS_HOUR), 19);
    CHECK_EQ_INT(wr_interval_extract(WR_UNIT_HOUR, dt, 19 * WR_MS_DAY + 12 * WR_MS_HOUR), 12);
    CHECK_EQ_INT(wr_interval_extract(WR_UNIT_MONTH, ym, 34), 10);
    CHECK_EQ_INT(wr_interval_extract(WR_UNIT_YEAR, ym, 34), 2);
}

static void
check_floor(wr_unit unit, const char *text, const char *low, const char *high)
{
    char out[WR_DT_TEXT_MAX + 1];
    out[wr_ts_print(wr_ts_of(wr_ms_floor(unit, ms(text)), 0), 0, out)] = 0;
    CHECK_EQ_STR(out, low);
    out[wr_ts_print(wr_ts_of(wr_ms_ceil(unit, ms(text)), 0), 0, out)] = 0;
    CHECK_EQ_STR(out, high);
}

TEST(floors_and_ceilings)
{
    check_floor(WR_UNIT_DAY, "2024-01-02 03:04:05", "2024-01-02 00:00:00", "2024-01-03 00:00:00");
    check_floor(WR_UNIT_HOUR, "1969-12-31 23:30:00", "1969-12-31 23:00:00", "1970-01-01 00:00:00");
    check_floor(WR_UNIT_MONTH, "2024-01-17 03:04:05", "2024-01-01 00:00:00", "2024-02-01 00:00:00");
    check_floor(WR_UNIT_WEEK, "2024-01-17 00:00:00", "2024-01-14 00:00:00", "2024-01-21 00:00:00");
    check_floor(WR_UNIT_QUARTER, "2024-05-17 00:00:00", "2024-04-01 00:00:00",
                "2024-07-01 00:00:00");
    check_floor(WR_UNIT_YEAR, "2024-05-17 00:00:00", "2024-01-01 00:00:00", "2025-01-01 00:00:00");
    check_floor(WR_UNIT_DECADE, "2024-05-17 00:00:00", "2020-01-01 00:00:00",
                "2030-01-01 00:00:00");
    check_floor(WR_UNIT_CENTURY, "2024-05-17 00:00:00", "2001-01-01 00:00:00",
                "2101-01-01 00:00:00");
    check_floor(WR_UNIT_MILLENNIUM, "2024-05-17 00:00:00", "2001-01-01 00:00:00",
                "3001-01-01 00:00:00");
    check_floor(WR_UNIT_MONTH, "2024-02-01 00:00:00", "2024-02-01 00:00:00", "2024-02-01 00:00:00");
}

TEST(months)
{
    CHECK_EQ_INT(wr_date_add_months(day("2024-01-31"), 1), day("2024-02-29"));
    CHECK_EQ_INT(wr_date_add_months(day("2024-03-31"), -1), day("2024-02-29"));
    CHECK_EQ_INT(wr_date_add_months(day("2024-02-29"), 12), day("2025-02-28"));
    CHECK_EQ_INT(wr_date_add_months(day("2024-01-15"), -25), day("2021-12-15"));
#define BETWEEN(a, b) wr_months_between(ms(a), ms(b))
    CHECK_EQ_INT(BETWEEN("2024-01-31", "2024-02-29"), 1);
    CHECK_EQ_INT(BETWEEN("2024-02-29", "2024-03-28"), 0);
    CHECK_EQ_INT(BETWEEN("2020-02-29", "2021-02-28"), 12);
    CHECK_EQ_INT(BETWEEN("2024-01-01", "2024-12-31"), 11);
    CHECK_EQ_INT(BETWEEN("2024-12-31", "2024-01-01"), -11);
    CHECK_EQ_INT(BETWEEN("2024-01-15 10:00:00", "2024-02-15 09:59:59"), 0);
    CHECK_EQ_INT(BETWEEN("2024-02-15 09:59:59", "2024-01-15 10:00:00"), 0);
}

TEST(prints_as_cast_does)
{
    CHECK_TEXT(wr_date_print(day("0042-01-01"), out), "0042-01-01");
    CHECK_TEXT(wr_time_print(36672345, 3, out), "10:11:12.345");
    CHECK_TEXT(wr_time_print(36672000, 3, out), "10:11:12.0");
    CHECK_TEXT(wr_time_print(36672050, 3, out), "10:11:12.05");
    CHECK_TEXT(wr_time_print(36672500, 1, out), "10:11:12.5");
    CHECK_TEXT(wr_time_print(36672345, 0, out), "10:11:12");
    CHECK_TEXT(wr_ts_print(ts("2024-05-17 10:11:12.345"), 3, out), "2024-05-17 10:11:12.345");
    CHECK_TEXT(wr_ts_print(ts("2024-05-17 10:11:12"), 9, out), "2024-05-17 10:11:12.000000000");
    CHECK_TEXT(wr_ts_print(ts("0001-02-03 04:05:06.007008009"), 9, out),
               "0001-02-03 04:05:06.007008009");
    CHECK_TEXT(wr_ts_print(ts("1969-12-31 23:59:59.999"), 3, out), "1969-12-31 23:59:59.999");
    const wr_type *dt = wr_type_of(WR_T_INTERVAL_DT, true),
                  *ym = wr_type_of(WR_T_INTERVAL_YM, true);
    CHECK_TEXT(wr_interval_print(dt, 93784005, out), "+1 02:03:04.005");
    CHECK_TEXT(wr_interval_print(dt, -5400000, out), "-0 01:30:00.000");
    CHECK_TEXT(wr_interval_print(dt, 400 * WR_MS_DAY + 500, out), "+400 00:00:00.500");
    CHECK_TEXT(wr_interval_print(dt, 0, out), "+0 00:00:00.000");
    CHECK_TEXT(wr_interval_print(ym, 14, out), "+1-02");
    CHECK_TEXT(wr_interval_print(ym, -5, out), "-0-05");
}

TEST(prints_as_java_time_does)
{
    CHECK_TEXT(wr_time_print_java(36000000, out), "10:00");
    CHECK_TEXT(wr_time_print_java(36672000, out), "10:11:12");
    CHECK_TEXT(wr_time_print_java(36672050, out), "10:11:12.050");
    CHECK_TEXT(wr_ts_print_java(ts("2024-01-01 10:00:00"), out), "2024-01-01T10:00");
    CHECK_TEXT(wr_ts_print_java(ts("2024-01-01 10:00:00.5"), out), "2024-01-01T10:00:00.500");
    CHECK_TEXT(wr_ts_print_java(ts("2024-01-01 10:00:00.123456"), out),
               "2024-01-01T10:00:00.123456");
    CHECK_TEXT(wr_ts_print_java(ts("2024-01-01 00:00:00.000000001"), out),
               "2024-01-01T00:00:00.000000001");
    CHECK_TEXT(wr_instant_print_java(ts("1970-01-01 00:00:00"), out), "1970-01-01T00:00:00Z");
    CHECK_TEXT(wr_instant_print_java(ts("1970-01-01 00:00:00.100"), out),
               "1970-01-01T00:00:00.100Z");
    const wr_type *dt = wr_type_of(WR_T_INTERVAL_DT, true),
                  *ym = wr_type_of(WR_T_INTERVAL_YM, true);
    CHECK_TEXT(wr_interval_print_java(dt, WR_MS_DAY, out), "PT24H");
    CHECK_TEXT(wr_interval_print_java(dt, 864000004, out), "PT240H0.004S");
    CHECK_TEXT(wr_interval_print_java(dt, 0, out), "PT0S");
    CHECK_TEXT(wr_interval_print_java(dt, 1, out), "PT0.001S");
    CHECK_TEXT(wr_interval_print_java(dt, -1, out), "PT-0.001S");
    CHECK_TEXT(wr_interval_print_java(dt, -93784500, out), "PT-26H-3M-4.5S");
    CHECK_TEXT(wr_interval_print_java(dt, 5400000, out), "PT1H30M");
    CHECK_TEXT(wr_interval_print_java(dt, 59999, out), "PT59.999S");
    CHECK_TEXT(wr_interval_print_java(ym, 34, out), "P34M");
    CHECK_TEXT(wr_interval_print_java(ym, -25, out), "P-25M");
    CHECK_TEXT(wr_interval_print_java(ym, 0, out), "P0D");
}

static void
check_date(const char *text, const char *want)
{
    char why[WR_WHY_MAX], out[WR_DT_TEXT_MAX + 1];
    int32_t d;
    const bool ok = wr_date_parse(wr_str_c(text), &d, why);
    if (ok) out[wr_date_print(d, out)] = 0;
    CHECK_MSG(strcmp(ok ? out : why, want) == 0, "'%s': %s, want %s", text, ok ? out : why, want);
}

TEST(reads_dates_as_cast_does)
{
    static const char *const good[][2] = {{"2024-05-17", "2024-05-17"},
                                          {"2024-5-7", "2024-05-07"},
                                          {"42", "0042-01-01"},
                                          {" 42 ", "0042-01-01"},
                                          {"2024-05", "2024-05-01"},
                                          {"2024-05-17 x", "2024-05-17"},
                                          {"2024 05", "2024-01-01"},
                                          {"24-5-7", "0024-05-07"},
                                          {"0", "0000-01-01"},
                                          {"9999-12-31", "9999-12-31"},
                                          {"2024-05-17 10:11:12Z", "2024-05-17"}};
    static const char *const bad[] = {"2024-05-17x", "2024-",        "-5",
                                      "12345-01-01", "2024-05-17-3", "2024-0-1",
                                      "99999",       "2024- 5- 7",   "2024-5-7T1",
                                      "+2024-05-07", "2024-05-32",   "  2024-05-07  10",
                                      "+5",          "-0005-01-01",  "2024--5",
                                      "2023-02-29",  "abc",          "",
                                      "1.9"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) check_date(good[i][0], good[i][1]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char want[80];
        (void)snprintf(want, sizeof want, "For input string: '%s'.", bad[i]);
        check_date(bad[i], want);
    }
    check_date("99999999999", "For input string: \"99999999999\"");
}

static void
check_time(const char *text, const char *want)
{
    char why[WR_WHY_MAX], out[WR_DT_TEXT_MAX + 1];
    int32_t t;
    const bool ok = wr_time_parse(wr_str_c(text), &t, why);
    if (ok) out[wr_time_print(t, 3, out)] = 0;
    CHECK_MSG(strcmp(ok ? out : "bad", want) == 0, "'%s': %s, want %s", text, ok ? out : why, want);
}

TEST(reads_times_as_cast_does)
{
    static const char *const cases[][2] = {{"10", "10:00:00.0"},
                                           {"10:1", "10:01:00.0"},
                                           {"1:2:3", "01:02:03.0"},
                                           {"10:11:12.", "10:11:12.0"},
                                           {"10:11:12.3456789", "10:11:12.346"},
                                           {" 10:11:12 ", "10:11:12.0"},
                                           {"10:11:12.5x", "10:11:12.5"},
                                           {"10:11:12.9996", "10:11:13.0"},
                                           {"10:11:12.05", "10:11:12.05"},
                                           {"24:00:00", "bad"},
                                           {"23:59:60", "bad"},
                                           {"10:11:12 PM", "bad"},
                                           {"-1:00:00", "bad"},
                                           {"1.5", "bad"},
                                           {"10:11:", "bad"},
                                           {"10:11:12:13", "bad"},
                                           {"10:-1:12", "bad"},
                                           {"9::1", "bad"},
                                           {"", "bad"},
                                           {"99999999999", "bad"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_time(cases[i][0], cases[i][1]);
}

static void
check_ts(const char *text, const char *want)
{
    char why[WR_WHY_MAX], out[WR_DT_TEXT_MAX + 1], full[WR_WHY_MAX];
    wr_ts t;
    const bool ok = wr_ts_parse(wr_str_c(text), &t, why);
    if (ok) out[wr_ts_print(t, 9, out)] = 0;
    (void)snprintf(full, sizeof full, want[0] == ' ' ? "Text '%s'%s" : "%.0s%s", text, want);
    CHECK_MSG(strcmp(ok ? out : why, full) == 0, "'%s': %s, want %s", text, ok ? out : why, full);
}

TEST(reads_timestamps_as_cast_does)
{
    check_ts("2024-05-17 10:11:12.123456789", "2024-05-17 10:11:12.123456789");
    check_ts("2024-05-17", "2024-05-17 00:00:00.000000000");
    check_ts("2024-5-7 1:2:3", "2024-05-07 01:02:03.000000000");
    check_ts("2024-05-17 24:00:00", "2024-05-18 00:00:00.000000000");
    check_ts("2024-02-30 00:00:00", "2024-02-29 00:00:00.000000000");
    check_ts("2023-02-29", "2023-02-28 00:00:00.000000000");
    check_ts("2024-05-17 10:011:00", "2024-05-17 10:01:00.000000000");
    check_ts("2024-05-17 10:00:000", "2024-05-17 10:00:00.000000000");
    check_ts("2024-05-17 10:00:00.", "2024-05-17 10:00:00.000000000");
    check_ts("9999-12-31 23:59:59.999999999", "9999-12-31 23:59:59.999999999");
    check_ts("42", " could not be parsed at index 0");
    check_ts("-1e2", " could not be parsed at index 1");
    check_ts("", " could not be parsed at index 0");
    check_ts("24-05-17", " could not be parsed at index 0");
    check_ts("20240517", " could not be parsed at index 0");
    check_ts("02024-05-17", " could not be parsed at index 0");
    check_ts("+2024-05-17", " could not be parsed at index 0");
    check_ts("2024-05", " could not be parsed at index 7");
    check_ts("2024x", " could not be parsed at index 4");
    check_ts("2024-", " could not be parsed at index 5");
    check_ts("2024-005-17", " could not be parsed at index 7");
    check_ts("2024-05-17T10:11:12", " could not be parsed, unparsed text found at index 10");
    check_ts("2024-05-17 10:11:12Z", " could not be parsed, unparsed text found at index 19");
    check_ts("2024-05-17 10:11", " could not be parsed, unparsed text found at index 10");
    check_ts("2024-05-17 10:11:12.1234567891",
             " could not be parsed, unparsed text found at index 29");
    check_ts("2024-05-017", " could not be parsed, unparsed text found at index 10");
    check_ts("2024-13-01 25:00:00",
             " could not be parsed: Invalid value for MonthOfYear (valid values 1 - 12): 13");
    check_ts("2024-04-32 10:00:60",
             " could not be parsed: Invalid value for DayOfMonth (valid values 1 - 28/31): 32");
    check_ts("2024-05-17 24:00:01",
             " could not be parsed: Invalid value for HourOfDay (valid values 0 - 23): 24");
    check_ts("2024-05-17 10:61:00",
             " could not be parsed: Invalid value for MinuteOfHour (valid values 0 - 59): 61");
    check_ts("-2024-05-17", " could not be parsed: Invalid value for YearOfEra (valid values 1 - "
                            "999999999/1000000000): -2024");
}

TEST(reads_literals)
{
    int32_t d, t;
    int p;
    wr_ts x;
    CHECK(!wr_date_literal(WR_STR("2024-13-01"), &d));
    CHECK(!wr_date_literal(WR_STR("2024-02-30"), &d));
    CHECK(wr_time_literal(WR_STR("10:11:12.123"), &t, &p) && t == 36672123 && p == 3);
    CHECK(wr_ts_literal(WR_STR("2024-02-29 10:11:12.123456"), &x, &p) && p == 6);
    CHECK_EQ_INT(x.nano, 456000);
    CHECK(wr_ts_literal(WR_STR("2024-05-17"), &x, &p) && p == 0);
    CHECK(!wr_ts_literal(WR_STR("2024-05-17T10:00:00"), &x, &p));
}

static void
check_interval(const char *text, wr_unit from, wr_unit to, int lead, const char *want)
{
    char out[WR_DT_TEXT_MAX + 1] = "bad";
    int64_t v, big;
    const wr_type *t =
        wr_type_of(from <= WR_UNIT_MONTH ? WR_T_INTERVAL_YM : WR_T_INTERVAL_DT, true);
    if (wr_interval_literal(wr_str_c(text), from, to, lead, 6, &v, &big))
        out[wr_interval_print(t, v, out)] = 0;
    CHECK_MSG(strcmp(out, want) == 0, "'%s': %s, want %s", text, out, want);
}

TEST(reads_interval_literals)
{
    check_interval("10 00:00:00.004", WR_UNIT_DAY, WR_UNIT_SECOND, 2, "+10 00:00:00.004");
    check_interval("2-10", WR_UNIT_YEAR, WR_UNIT_MONTH, 2, "+2-10");
    check_interval("-1", WR_UNIT_DAY, WR_UNIT_NONE, 2, "-1 00:00:00.000");
    check_interval("400", WR_UNIT_DAY, WR_UNIT_NONE, 3, "+400 00:00:00.000");
    check_interval("400", WR_UNIT_DAY, WR_UNIT_NONE, 2, "bad");
    check_interval("1:30", WR_UNIT_HOUR, WR_UNIT_MINUTE, 2, "+0 01:30:00.000");
    check_interval("90", WR_UNIT_MINUTE, WR_UNIT_NONE, 2, "+0 01:30:00.000");
    check_interval("59.999", WR_UNIT_SECOND, WR_UNIT_NONE, 2, "+0 00:00:59.999");
    check_interval("1:60", WR_UNIT_HOUR, WR_UNIT_MINUTE, 2, "bad");
    check_interval("2-12", WR_UNIT_YEAR, WR_UNIT_MONTH, 2, "bad");
    check_interval("x", WR_UNIT_DAY, WR_UNIT_NONE, 2, "bad");
}

TEST(truncates_toward_the_past)
{
    wr_ts t = wr_ts_truncate(ts("2024-02-29 23:59:59.9999"), 3);
    CHECK_TEXT(wr_ts_print(t, 9, out), "2024-02-29 23:59:59.999000000");
    t = wr_ts_truncate(ts("1969-12-31 23:59:59.999999999"), 0);
    CHECK_TEXT(wr_ts_print(t, 9, out), "1969-12-31 23:59:59.000000000");
    t = wr_ts_truncate(ts("2024-02-29 23:59:59.123456789"), 7);
    CHECK_TEXT(wr_ts_print(t, 9, out), "2024-02-29 23:59:59.123456700");
    CHECK_EQ_INT(wr_time_truncate(36672999, 1), 36672900);
}

CHECK_MAIN()
