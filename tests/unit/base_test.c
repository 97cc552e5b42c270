/* SPDX-License-Identifier: Apache-2.0 */
/* The ground floor: strings, statuses, bits, hashes. Expected distances are counted by hand. */
#include "base/base.h"
#include "unit/check.h"

TEST(str_compares_bytewise_and_by_length)
{
    CHECK(wr_str_cmp(WR_STR("a"), WR_STR("ab")) < 0);
    CHECK(wr_str_cmp(WR_STR("b"), WR_STR("ab")) > 0);
    CHECK(wr_str_cmp(WR_STR("\xff"), WR_STR("a")) > 0); /* bytes are unsigned */
    CHECK_EQ_INT(wr_str_cmp(WR_STR(""), (wr_str){NULL, 0}), 0);
    CHECK(wr_str_eq_nocase(WR_STR("SeLeCt"), WR_STR("select")));
    CHECK(!wr_str_eq_nocase(WR_STR("\xc3\x84"), WR_STR("\xc3\xa4"))); /* ASCII only */
    CHECK(!wr_str_eq_nocase(WR_STR("@"), WR_STR("`")));
    CHECK(wr_str_starts(WR_STR("abc"), WR_STR("")));
    CHECK(!wr_str_starts(WR_STR("ab"), WR_STR("abc")));
    CHECK(wr_str_eq_c(WR_STR("abc"), "abc"));
}

TEST(distance_counts_edits_and_transpositions)
{
    CHECK_EQ_INT(wr_str_distance(WR_STR("kitten"), WR_STR("sitting"), 9), 3);
    CHECK_EQ_INT(wr_str_distance(WR_STR("ab"), WR_STR("ba"), 9), 1);
    CHECK_EQ_INT(wr_str_distance(WR_STR("conector"), WR_STR("connector"), 2), 1);
    CHECK_EQ_INT(wr_str_distance(WR_STR(""), WR_STR("abc"), 9), 3);
    CHECK_EQ_INT(wr_str_distance(WR_STR("ca"), WR_STR("abc"), 9), 3); /* no edit inside a swap */
    CHECK_EQ_INT(wr_str_distance(WR_STR("abcdef"), WR_STR("uvwxyz"), 2), 3);
    CHECK_EQ_INT(wr_str_distance(WR_STR("same"), WR_STR("same"), 0), 0);
}

/* The textbook recursion, as a check of the rows above. */
static uint32_t
slow_distance(const char *a, uint32_t i, const char *b, uint32_t j)
{
    if (i == 0 || j == 0) return i + j;
    uint32_t d = slow_distance(a, i - 1, b, j - 1) + (a[i - 1] != b[j - 1]);
    d = WR_MIN(d, slow_distance(a, i - 1, b, j) + 1);
    d = WR_MIN(d, slow_distance(a, i, b, j - 1) + 1);
    if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d = WR_MIN(d, slow_distance(a, i - 2, b, j - 2) + 1);
    return d;
}

TEST(distance_equals_the_recursion_on_all_short_words)
{
    for (uint32_t x = 0; x < 3 * 3 * 3 * 3; x++) {
        for (uint32_t y = 0; y < 3 * 3 * 3 * 3; y++) {
            char a[4], b[4];
            for (uint32_t i = 0, u = x, v = y; i < 4; i++, u /= 3, v /= 3)
                a[i] = (char)('a' + u % 3), b[i] = (char)('a' + v % 3);
            uint32_t want = slow_distance(a, 4, b, 3);
            for (uint32_t max = 0; max < 5; max++)
                CHECK_EQ_INT(wr_str_distance((wr_str){a, 4}, (wr_str){b, 3}, max),
                             WR_MIN(want, max + 1));
        }
    }
}

TEST(status_names_come_from_the_list)
{
    CHECK_EQ_STR(wr_status_name(WR_SYNTAX), "SYNTAX");
    CHECK_EQ_STR(wr_status_sqlstate(WR_SYNTAX), "42601");
    CHECK_EQ_STR(wr_status_title(WR_NOMEM), "out of memory");
    CHECK_EQ_INT(wr_status_class(WR_IO), WR_CLASS_RETRY);
    CHECK_EQ_INT(wr_status_class(WR_CORRUPT), WR_CLASS_FATAL);
    CHECK_EQ_STR(wr_status_name((wr_status)9999), "INTERNAL");
    for (int s = 1; s < WR_STATUS_COUNT; s++)
        CHECK_EQ_INT(strlen(wr_status_sqlstate((wr_status)s)), 5);
}

TEST(kinds_have_flinks_names_and_numbers)
{
    CHECK_EQ_STR(wr_kind_name((wr_kind)0), "+I");
    CHECK_EQ_STR(wr_kind_name((wr_kind)1), "-U");
    CHECK_EQ_STR(wr_kind_name((wr_kind)2), "+U");
    CHECK_EQ_STR(wr_kind_name((wr_kind)3), "-D");
}

TEST(bits_are_lsb_first)
{
    uint64_t map[2] = {0, 0};
    wr_bit_set(map, 0);
    wr_bit_set(map, 65);
    CHECK_EQ_UINT(map[0], 1);
    CHECK_EQ_UINT(map[1], 2);
    wr_bit_put(map, 0, false);
    wr_bit_put(map, 1, true);
    CHECK(!wr_bit_get(map, 0) && wr_bit_get(map, 1) && wr_bit_get(map, 65));
    wr_bit_clear(map, 65);
    CHECK_EQ_UINT(map[1], 0);
    CHECK_EQ_UINT(WR_BIT_WORDS(0), 0);
    CHECK_EQ_UINT(WR_BIT_WORDS(64), 1);
    CHECK_EQ_UINT(WR_BIT_WORDS(65), 2);
}

TEST(sizes_are_checked)
{
    size_t out;
    CHECK(wr_mul_size(3, 4, &out) && out == 12);
    CHECK(!wr_mul_size(SIZE_MAX, 2, &out));
    CHECK(wr_add_size(3, 4, &out) && out == 7);
    CHECK(!wr_add_size(SIZE_MAX, 1, &out));
}

/* XXH3's own test values for the empty input, seed 0 (xxHash specification). */
TEST(hash_is_xxh3)
{
    CHECK_EQ_UINT(wr_hash_bytes(NULL, 0, 0), 0x2d06800538d394c2ull);
    CHECK(wr_hash_bytes("abc", 3, 0) != wr_hash_bytes("abc", 3, 1));
    CHECK(wr_hash_bytes("abc", 3, 0) != wr_hash_bytes("abd", 3, 0));
}

TEST(hash_of_integers_spreads_low_bits)
{
    uint32_t bucket[64] = {0};
    for (uint64_t i = 0; i < 64 * 64; i++) bucket[wr_hash_u64(i << 20) & 63]++;
    for (int i = 0; i < 64; i++) CHECK(bucket[i] > 16 && bucket[i] < 160);
    CHECK_EQ_UINT(wr_hash_u64(0), 0);
}

CHECK_MAIN()
