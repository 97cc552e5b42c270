/* SPDX-License-Identifier: Apache-2.0 */
/* The error record: first error wins, texts are cut at code points, candidates are sorted by
 * nearness. */
#include "base/base.h"
#include "unit/check.h"

TEST(first_error_wins_and_reset_forgets)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    CHECK_EQ_INT(wr_raise_at(&ctx, WR_NAME, ((wr_span){3, 5}), "no column '%s'", "x"), WR_NAME);
    CHECK_EQ_INT(wr_raise(&ctx, WR_IO, "later"), WR_IO);
    CHECK_EQ_INT(ctx.err.status, WR_NAME);
    CHECK_EQ_STR(ctx.err.message, "no column 'x'");
    CHECK_EQ_INT(ctx.err.span.start, 3);
    wr_hint(&ctx, "try %d", 1);
    wr_hint(&ctx, "try %d", 2);
    CHECK_EQ_STR(ctx.err.hint, "try 1");
    for (int i = 0; i < WR_ERR_FRAMES + 3; i++) wr_frame(&ctx, "frame %d", i);
    CHECK_EQ_INT(ctx.err.frame_count, WR_ERR_FRAMES);
    CHECK_EQ_STR(ctx.err.frame[1], "frame 1");
    wr_ctx_reset(&ctx);
    CHECK_EQ_INT(ctx.err.status, WR_OK);
    CHECK_EQ_INT(ctx.err.span.start, UINT32_MAX);
    CHECK_EQ_STR(ctx.err.hint, "");
}

TEST(long_messages_are_cut_at_a_code_point)
{
    for (size_t pad = 0; pad < 4; pad++) {
        wr_ctx ctx;
        wr_ctx_init(&ctx);
        char text[WR_ERR_MESSAGE_MAX + 64] = "";
        memset(text, 'x', pad);
        for (size_t i = pad; i + 4 < sizeof text; i += 4) memcpy(text + i, "\xf0\x9f\x98\x80", 5);
        CHECK_EQ_INT(wr_raise(&ctx, WR_DATA, "%s", text), WR_DATA);
        size_t len = strlen(ctx.err.message);
        CHECK(len > WR_ERR_MESSAGE_MAX - 6 && len < WR_ERR_MESSAGE_MAX);
        CHECK(wr_utf8_valid(ctx.err.message, len));
    }
}

TEST(candidates_keep_the_nearest_three)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    static const char *const names[] = {"connection", "format",   "connectors", "collector",
                                        "CONNECTOR",  "conector", "path"};
    for (uint32_t i = 0; i < WR_COUNT(names); i++)
        wr_candidate(&ctx, WR_STR("connector"), wr_str_c(names[i]));
    CHECK_EQ_STR(ctx.err.candidates, "CONNECTOR, connectors, conector");
    wr_ctx_reset(&ctx);
    wr_candidate(&ctx, WR_STR("id"), WR_STR("di"));
    wr_candidate(&ctx, WR_STR("id"), WR_STR("di"));
    wr_candidate(&ctx, WR_STR("id"), WR_STR("xyz"));
    CHECK_EQ_STR(ctx.err.candidates, "di");
    wr_ctx_reset(&ctx);
    wr_candidate(&ctx, WR_STR("order"), WR_STR("order_timestamp"));
    CHECK_EQ_STR(ctx.err.candidates, "order_timestamp");
    wr_ctx_reset(&ctx);
    wr_candidate(&ctx, WR_STR("monitor-interval"), WR_STR("source.monitor-interval"));
    CHECK_EQ_STR(ctx.err.candidates, "source.monitor-interval");
    wr_ctx_reset(&ctx);
    wr_candidate(&ctx, WR_STR("m"), WR_STR("c"));
    CHECK_EQ_STR(ctx.err.candidates, "");
    wr_candidate(&ctx, WR_STR("m"), WR_STR("M"));
    CHECK_EQ_STR(ctx.err.candidates, "M");
}

TEST(kept_errors_make_room_for_more)
{
    wr_ctx ctx;
    wr_err more[WR_ERR_MORE_MAX];
    wr_ctx_init(&ctx);
    CHECK_EQ_INT(wr_raise(&ctx, WR_NAME, "one"), WR_NAME);
    wr_ctx_keep_error(&ctx); /* nowhere to keep it: stays */
    CHECK_EQ_STR(ctx.err.message, "one");
    ctx.more = more;
    for (int i = 0; i < WR_ERR_MORE_MAX + 2; i++) {
        CHECK_EQ_INT(wr_raise(&ctx, WR_TYPE, "again"), WR_TYPE);
        wr_ctx_keep_error(&ctx);
    }
    CHECK_EQ_INT(ctx.more_count, WR_ERR_MORE_MAX);
    CHECK_EQ_STR(more[0].message, "one");
    CHECK_EQ_STR(more[1].message, "again");
    CHECK_EQ_INT(ctx.err.status, WR_OK);
}

static void
note(void *arg, const char *text)
{
    memcpy(arg, text, strlen(text) + 1);
}

TEST(notices_go_to_the_sink)
{
    wr_ctx ctx;
    char got[64] = "";
    wr_ctx_init(&ctx);
    wr_notice(&ctx, "nobody listens");
    ctx.notice = note;
    ctx.notice_arg = got;
    wr_notice(&ctx, "key '%s' is ignored", "k");
    CHECK_EQ_STR(got, "key 'k' is ignored");
}

TEST(positions_count_code_points)
{
    wr_str sql = WR_STR("SELECT 1;\r\nSELECT '\xc3\xa4\xc3\xb6' x\nFROM t");
    wr_linecol lc = wr_linecol_of(sql, 0);
    CHECK_EQ_INT(lc.line, 1);
    CHECK_EQ_INT(lc.col, 1);
    CHECK_EQ_WRSTR(lc.text, "SELECT 1;");
    uint32_t x = (uint32_t)(strstr(sql.ptr, " x") + 1 - sql.ptr);
    lc = wr_linecol_of(sql, x);
    CHECK_EQ_INT(lc.line, 2);
    CHECK_EQ_INT(lc.col, 13); /* S..T space ' a o ' space x */
    lc = wr_linecol_of(sql, (uint32_t)sql.len);
    CHECK_EQ_INT(lc.line, 3);
    CHECK_EQ_INT(lc.col, 7);
    lc = wr_linecol_of(sql, UINT32_MAX);
    CHECK_EQ_INT(lc.col, 7);
    lc = wr_linecol_of(WR_STR(""), 0);
    CHECK_EQ_INT(lc.line * 10 + lc.col, 11);
    lc = wr_linecol_of(WR_STR("a\n"), 2);
    CHECK_EQ_INT(lc.line, 2);
    CHECK_EQ_WRSTR(lc.text, "");
}

CHECK_MAIN()
