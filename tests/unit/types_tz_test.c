/* SPDX-License-Identifier: Apache-2.0 */
/* Time zones. tests/data/java-zones.tsv is what java.time says. */
#include "check.h"
#include "types/datetime.h"

#include <stdlib.h>

static const wr_tz *
zone(const char *name)
{
    static wr_tz_cache cache;
    static wr_ctx ctx;
    const wr_tz *tz = NULL;
    if (!cache.arena) {
        cache.arena = wr_arena_create(NULL, 0);
        wr_ctx_init(&ctx);
    }
    CHECK_OK(&ctx, wr_tz_cache_find(&ctx, &cache, wr_str_c(name), &tz));
    return tz;
}

TEST(agrees_with_java)
{
    char line[256], name[64], second[64], third[64], fourth[64];
    int rows = 0;
    FILE *f = fopen("tests/data/java-zones.tsv", "r");
    CHECK_FATAL(f != NULL);
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#') continue;
        const int n = sscanf(line, "%63s %63s %63s %63s", name, second, third, fourth);
        const wr_tz *tz = zone(name);
        CHECK_FATAL(tz != NULL);
        if (n == 3) {
            const int64_t ms = strtoll(second, NULL, 10);
            CHECK_MSG(wr_tz_offset_at(tz, ms) == strtol(third, NULL, 10), "%s at %s: %d, want %s",
                      name, second, wr_tz_offset_at(tz, ms), third);
        } else {
            const int64_t ms = strtoll(third, NULL, 10);
            CHECK_MSG(wr_tz_to_utc(tz, ms) == strtoll(fourth, NULL, 10),
                      "%s local %s: %" PRId64 ", want %s", name, third, wr_tz_to_utc(tz, ms),
                      fourth);
        }
        rows++;
    }
    (void)fclose(f);
    CHECK(rows > 5000);
}

static int64_t
at(const char *text)
{
    wr_ts t = {0, 0, 0};
    int p;
    CHECK(wr_ts_literal(wr_str_c(text), &t, &p));
    return t.ms;
}

/* 2021 in Los Angeles: 4-hour windows of the local clock are 3 and 5 hours long when it changes */
TEST(local_windows_across_a_change)
{
    const wr_tz *la = zone("America/Los_Angeles");
    const int64_t hour = 3600000;
    CHECK_EQ_INT(wr_tz_to_utc(la, at("2021-03-14 00:00:00")), at("2021-03-14 08:00:00"));
    CHECK_EQ_INT(wr_tz_to_utc(la, at("2021-03-14 04:00:00")) -
                     wr_tz_to_utc(la, at("2021-03-14 00:00:00")),
                 3 * hour);
    CHECK_EQ_INT(wr_tz_to_utc(la, at("2021-03-14 08:00:00")) -
                     wr_tz_to_utc(la, at("2021-03-14 04:00:00")),
                 4 * hour);
    CHECK_EQ_INT(wr_tz_to_utc(la, at("2021-11-07 00:00:00")), at("2021-11-07 07:00:00"));
    CHECK_EQ_INT(wr_tz_to_utc(la, at("2021-11-07 04:00:00")) -
                     wr_tz_to_utc(la, at("2021-11-07 00:00:00")),
                 5 * hour);
}

TEST(gaps_and_overlaps)
{
    const wr_tz *ny = zone("America/New_York");
    CHECK_EQ_INT(wr_tz_to_utc(ny, at("2024-03-10 02:30:00")), at("2024-03-10 07:30:00"));
    CHECK_EQ_INT(wr_tz_to_utc(ny, at("2024-11-03 01:30:00")), at("2024-11-03 05:30:00"));
    CHECK_EQ_INT(wr_tz_to_utc_later(ny, at("2024-11-03 01:30:00")), at("2024-11-03 06:30:00"));
    CHECK_EQ_INT(wr_tz_to_utc_later(ny, at("2024-07-01 00:00:00")), at("2024-07-01 04:00:00"));
    CHECK_EQ_WRSTR(wr_tz_abbreviation(ny, at("2024-07-01 00:00:00")), "EDT");
    CHECK_EQ_WRSTR(wr_tz_abbreviation(ny, at("2050-01-01 00:00:00")), "EST");
}

TEST(names)
{
    static const char *const zero[] = {"UTC", "GMT", "Z", "UT", "GMT+0", "+00:00", "UTC+00:00"};
    for (size_t i = 0; i < sizeof zero / sizeof *zero; i++) {
        CHECK(zone(zero[i]) && wr_tz_offset_at(zone(zero[i]), 0) == 0);
        CHECK(wr_tz_is_fixed(zone(zero[i])));
    }
    CHECK_EQ_INT(wr_tz_offset_at(zone("GMT+8"), 0), 28800);
    CHECK_EQ_INT(wr_tz_offset_at(zone("GMT+08:00"), 0), 28800);
    CHECK_EQ_INT(wr_tz_offset_at(zone("UTC-03:30"), 0), -12600);
    CHECK_EQ_INT(wr_tz_offset_at(zone("+0530"), 0), 19800);
    CHECK_EQ_INT(wr_tz_offset_at(zone("-8"), 0), -28800);
    CHECK_EQ_INT(wr_tz_offset_at(zone("+01:02:03"), 0), 3723);
    CHECK(!wr_tz_is_fixed(zone("Europe/Berlin")));
    CHECK(zone("default") != NULL);
    static const char *const none[] = {"nozone", "../etc/passwd", "/etc/passwd", "",
                                       "GMT+25", "Asia",          "+8:",         "Asia/",
                                       "GMT+",   "UTC8",          "+19:00"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        CHECK_MSG(zone(none[i]) == NULL, "'%s' is no zone", none[i]);
    CHECK_EQ_WRSTR(wr_tz_name(zone("Asia/Tokyo")), "Asia/Tokyo");
    CHECK_EQ_WRSTR(wr_tz_name(NULL), "UTC");
    CHECK_EQ_INT(wr_tz_to_utc(NULL, 5), 5);
}

TEST(opening_an_unknown_zone_is_an_error)
{
    wr_ctx ctx;
    const wr_tz *tz;
    wr_arena *a = wr_arena_create(NULL, 0);
    wr_ctx_init(&ctx);
    CHECK_EQ_INT(wr_tz_open(&ctx, a, WR_STR("Mars/Olympus"), &tz), WR_OPTION);
    wr_arena_destroy(a);
}

CHECK_MAIN()
