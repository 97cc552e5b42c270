/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 over every code point, and the malformed forms of RFC 3629. */
#include "base/base.h"
#include "unit/check.h"

TEST(every_code_point_round_trips)
{
    uint32_t wrong = 0;
    for (uint32_t cp = 0; cp <= 0x110010; cp++) {
        char buf[5] = "";
        uint32_t n = wr_utf8_put(buf, cp);
        bool legal = cp <= 0x10ffff && !(cp >= 0xd800 && cp <= 0xdfff);
        uint32_t want = !legal ? 0 : cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
        wrong += n != want;
        if (!legal) continue;
        const char *p = buf;
        wrong += wr_utf8_next(&p, buf + n) != cp || p != buf + n;
        wrong += !wr_utf8_valid(buf, n) || wr_utf8_count(buf, n) != 1;
        for (uint32_t cut = 1; cut < n; cut++) wrong += wr_utf8_valid(buf, cut);
    }
    CHECK_EQ_INT(wrong, 0);
}

TEST(malformed_bytes_count_one_each)
{
    static const struct {
        const char *bytes;
        size_t count;
    } cases[] = {
        {"\x80", 1},             /* lone continuation */
        {"\xc0\x80", 2},         /* overlong */
        {"\xe0\x80\x80", 3},     /* overlong */
        {"\xf0\x80\x80\x80", 4}, /* overlong */
        {"\xed\xa0\x80", 3},     /* surrogate */
        {"\xf4\x90\x80\x80", 4}, /* above U+10FFFF */
        {"\xff\xfe", 2},
        {"a\xe2\x82", 3}, /* cut short */
    };
    for (uint32_t i = 0; i < WR_COUNT(cases); i++) {
        const char *p = cases[i].bytes, *end = p + strlen(p);
        size_t len = (size_t)(end - p), n = 0;
        CHECK(!wr_utf8_valid(p, len));
        CHECK_EQ_INT(wr_utf8_count(p, len), cases[i].count);
        for (; p < end; n++) (void)wr_utf8_next(&p, end);
        CHECK_EQ_INT(n, cases[i].count);
    }
}

TEST(offsets_agree_with_counts)
{
    const char *s = "abcdefghijk\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80zyxwvutsr\xff.";
    size_t len = strlen(s), count = wr_utf8_count(s, len);
    CHECK_EQ_INT(count, 11 + 3 + 9 + 2);
    for (size_t n = 0; n <= count; n++)
        CHECK_EQ_INT(wr_utf8_count(s, wr_utf8_offset(s, len, n)), n);
    CHECK_EQ_INT(wr_utf8_offset(s, len, count + 5), len);
    CHECK_EQ_INT(wr_utf8_offset(s, len, 12), 13);
    CHECK(wr_utf8_valid("", 0));
}

CHECK_MAIN()
