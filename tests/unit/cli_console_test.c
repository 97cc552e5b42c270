/* SPDX-License-Identifier: Apache-2.0 */
/* The words of the status line; settled changelogs; widths of text. */
#include "cli/output.h"
#include "unit/check.h"

#define S 1000000000ll

static wr_arena *arena;

static const char *
words(wri_console *c, wr_job_progress p, int64_t now_ns)
{
    wr_text t;
    wr_text_init(&t, arena);
    wri_console_text(c, &p, now_ns, 200, &t);
    wr_text_putc(&t, '\0');
    return t.ptr;
}

static void
start(wri_console *c, bool bounded)
{
    arena = wr_arena_create(NULL, 0);
    wri_console_init(c, false, false);
    c->bounded = bounded;
    c->started_ns = c->active_ns = c->rate_ns = 100 * S;
}

static void
stop(wri_console *c)
{
    wri_console_deinit(c);
    wr_arena_destroy(arena);
}

TEST(counts_rate_and_watermark_of_endless_work)
{
    wri_console c;
    start(&c, false);
    wr_job_progress p = {.rows_in = 5000, .rows_out = 12, .watermark = 1704103200123};
    CHECK_EQ_STR(words(&c, p, 102 * S),
                 "rows in 5,000 (2,500/s)  out 12  watermark 2024-01-01 10:00:00.123  0:02");
    p.watermark = INT64_MIN;
    p.rows_in = 1234567;
    c.rate = 0;
    c.rows_before = 1234567 - 10;
    c.rate_ns = 102 * S;
    CHECK_EQ_STR(words(&c, p, 3863 * S), "rows in 1,234,567 (0/s)  out 12  1:02:43");
    stop(&c);
}

TEST(after_three_quiet_seconds_it_says_what_is_waited_for)
{
    wri_console c;
    start(&c, false);
    wr_job_progress p = {.rows_in = 7, .rows_out = 7, .watermark = INT64_MIN, .sources_idle = true};
    CHECK(!strstr(words(&c, p, 101 * S), "waiting"));
    CHECK(!strstr(words(&c, p, 103 * S), "waiting"));
    CHECK(strstr(words(&c, p, 105 * S), "waiting for input  rows in 7") != NULL);
    p.waits_for = "clicks";
    CHECK(strstr(words(&c, p, 106 * S),
                 "waiting for clicks, which holds the watermark back  rows") != NULL);
    p.watermark = 1704103200123; /* told once, where no narrow terminal cuts it off */
    CHECK_EQ_STR(words(&c, p, 106 * S), "waiting for clicks, watermark 2024-01-01 10:00:00.123  "
                                        "rows in 7 (2/s)  out 7  0:06");
    p.rows_in = 8;
    CHECK(!strstr(words(&c, p, 107 * S), "waiting"));
    stop(&c);
}

TEST(a_bar_with_percentage_and_time_left)
{
    wri_console c;
    start(&c, true);
    wr_job_progress p = {
        .rows_in = 7, .watermark = INT64_MIN, .bytes_in = 25000000, .bytes_total = 100000000};
    /* a quarter in 10 s: 2.5 MB/s, three quarters need 30 s more */
    CHECK_EQ_STR(words(&c, p, 110 * S),
                 "[######------------------]  25 %  25.0 MB of 100.0 MB  2.5 MB/s  ETA 0:30");
    p.bytes_in = 100000000;
    c.active_ns = 110 * S;
    CHECK_EQ_STR(words(&c, p, 110 * S),
                 "[########################] 100 %  100.0 MB of 100.0 MB  10.0 MB/s  ETA 0:00");
    p.bytes_total = 0; /* unknown: counts instead */
    CHECK(strstr(words(&c, p, 110 * S), "rows in 7"));
    stop(&c);
}

static wri_row
row_of(wr_kind kind, const char *a, const char *b, wr_str *cells)
{
    cells[0] = a ? wr_str_c(a) : (wr_str){NULL, 0};
    cells[1] = b ? wr_str_c(b) : (wr_str){NULL, 0};
    return (wri_row){.cells = cells, .kind = (uint8_t)kind};
}

static bool
apply(wri_kept *k, wr_kind kind, const char *a, const char *b)
{
    wr_str cells[2];
    wri_row r = row_of(kind, a, b, cells);
    return wri_kept_apply(k, &r);
}

TEST(retractions_take_equal_rows_away)
{
    wri_kept k;
    CHECK_FATAL(wri_kept_init(&k, 2));
    CHECK(apply(&k, WR_INSERT, "1", "x"));
    CHECK(apply(&k, WR_INSERT, "1", "x"));
    CHECK(apply(&k, WR_INSERT, "1", NULL));
    CHECK(apply(&k, WR_DELETE, "1", "y"));       /* nothing equal */
    CHECK(apply(&k, WR_UPDATE_BEFORE, "1", "")); /* an empty text is no NULL */
    CHECK_EQ_INT(k.live, 3);
    CHECK(apply(&k, WR_UPDATE_BEFORE, "1", NULL));
    CHECK(apply(&k, WR_DELETE, "1", "x"));
    CHECK_EQ_INT(k.live, 1);
    CHECK(!k.rows.items[0].dead); /* the latest of equals went */
    CHECK(k.rows.items[1].dead);
    wri_kept_deinit(&k);
}

TEST(memory_follows_the_table_and_not_the_changes)
{
    wri_kept k;
    char text[2][24];
    CHECK_FATAL(wri_kept_init(&k, 2));
    CHECK(apply(&k, WR_INSERT, "first", "row"));
    CHECK(apply(&k, WR_INSERT, "n", "0"));
    for (int i = 0; i < 200000; i++) {
        (void)snprintf(text[0], sizeof text[0], "%d", i);
        (void)snprintf(text[1], sizeof text[1], "%d", i + 1);
        CHECK(apply(&k, WR_UPDATE_BEFORE, "n", text[0]));
        CHECK(apply(&k, WR_UPDATE_AFTER, "n", text[1]));
    }
    CHECK_EQ_INT(k.live, 2);
    CHECK(wr_arena_bytes(k.arena) < (1u << 20));
    CHECK(k.rows.count < 4096);
    wri_kept_deinit(&k);
}

TEST(the_oldest_rows_go_when_there_are_too_many)
{
    wri_kept k;
    char text[24];
    CHECK_FATAL(wri_kept_init(&k, 2));
    k.row_max = 10;
    for (int i = 0; i < 5000; i++) {
        (void)snprintf(text, sizeof text, "%d", i);
        CHECK(apply(&k, WR_INSERT, text, "x"));
    }
    CHECK_EQ_INT(k.live, 10);
    CHECK_EQ_INT(k.dropped, 4990);
    for (uint32_t i = 0; i < k.rows.count; i++)
        if (!k.rows.items[i].dead) {
            CHECK(wr_str_eq_c(k.rows.items[i].cells[0], "4990"));
            break;
        }
    wri_kept_deinit(&k);
}

TEST(widths_on_a_terminal_and_as_flink_counts)
{
    CHECK_EQ_INT(wri_text_width(WR_STR("abc")), 3);
    CHECK_EQ_INT(wri_text_width(WR_STR("日本")), 4);
    CHECK_EQ_INT(wri_text_width(WR_STR("e\xcc\x81")), 1); /* e and a combining acute */
    CHECK_EQ_INT(wri_text_width(WR_STR("\xf0\x9f\x98\x80")), 2);
    CHECK_EQ_INT(wri_flink_width(WR_STR("日本")), 4);
    CHECK_EQ_INT(wri_flink_width(WR_STR("\xf0\x9f\x98\x80")), 3); /* two UTF-16 units, and wide */
    CHECK_EQ_INT(wri_utf16_length(WR_STR("a\xf0\x9f\x98\x80日")), 4);
}

CHECK_MAIN()
