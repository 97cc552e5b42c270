/* SPDX-License-Identifier: Apache-2.0 */
/* VARIANT and BITMAP. Expected texts are what Flink 2.3 shows for PARSE_JSON(...) and BITMAP_...;
 * the bytes of bitmaps are those of Roaring's portable format as Flink's BITMAP_TO_BYTES gives
 * them. */
#include "check.h"
#include "types/bitmap.h"
#include "types/variant.h"

static wr_arena *a;

__attribute__((constructor)) static void
setup(void)
{
    a = wr_arena_create(NULL, 0);
}

static bool
parse(const char *json, bool dup, wr_str *out, char *why)
{
    wr_text t;
    wr_text_init(&t, a);
    if (!wr_variant_from_json(wr_str_c(json), dup, &t, why)) return false;
    *out = wr_text_str(&t);
    CHECK_MSG(wr_variant_valid(*out), "%s", json);
    return true;
}

static const char *
shown(wr_str v)
{
    wr_text t;
    wr_text_init(&t, a);
    wr_variant_to_json(v, &t);
    wr_text_putc(&t, 0);
    return t.ptr;
}

static void
check_json(const char *json, const char *want)
{
    char why[WR_VARIANT_WHY_MAX];
    wr_str v = {NULL, 0};
    if (parse(json, false, &v, why))
        CHECK_MSG(strcmp(shown(v), want) == 0, "%s: %s, want %s", json, shown(v), want);
    else
        CHECK_MSG(strncmp(why, want, strlen(want)) == 0 && strncmp(want, "ok", 2) != 0,
                  "%s: %s, want %s", json, why, want);
}

TEST(shows_as_flink_does)
{
    static const char *const cases[][2] = {
        {"1.0", "1"},
        {"1.10", "1.1"},
        {"0.0", "0"},
        {"100.00", "100"},
        {"-0", "0"},
        {"-0.0", "0"},
        {"1e2", "100.0"},
        {"1.5e-7", "1.5E-7"},
        {"1e400", "Infinity"},
        {"12345678901234567890123456789012345678", "12345678901234567890123456789012345678"},
        {"123456789012345678901234567890123456789", "1.2345678901234568E38"},
        {"0.12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678"},
        {"0.123456789012345678901234567890123456789", "0.12345678901234568"},
        {"123456789012345678901234567890.123456789", "1.2345678901234568E29"},
        {"9223372036854775807", "9223372036854775807"},
        {"9223372036854775808", "9223372036854775808"},
        {"1E5", "100000.0"},
        {"{\"b\":1,\"a\":{\"z\":[],\"y\":{}},\"\xc3\xa9\":\"\\u0001\\t\\\\/\\\"\",\"B\":null}",
         "{\"B\":null,\"a\":{\"y\":{},\"z\":[]},\"b\":1,\"\xc3\xa9\":\"\\u0001\\t\\\\/\\\"\"}"},
        {"[1, 2.5, \"x\", true, null, {\"k\":1e3}]", "[1,2.5,\"x\",true,null,{\"k\":1000.0}]"},
        {" 1 ", "1"},
        {"\"\\ud83d\\ude00\"", "\"\xf0\x9f\x98\x80\""},
        {"\"\"", "\"\""},
        {"\"\\ud83d\"", "\"?\""},
        {"1 2", "1"},
        {"{\"a\":1}x", "{\"a\":1}"},
        {"null", "null"},
        {"[]", "[]"},
        {"{}", "{}"},
        {"true", "true"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_json(cases[i][0], cases[i][1]);
}

TEST(refuses_as_flink_does)
{
    static const char *const cases[][2] = {
        {"", "Unexpected null token\n at [Source: UNKNOWN; line: 1, column: 1]"},
        {"{bad", "Unexpected character ('b' (code 98)): was expecting double-quote to start field "
                 "name\n at [Source: UNKNOWN; line: 1, column: 2]"},
        {"[1,2", "Unexpected end-of-input: expected close marker for Array"},
        {"tru", "Unrecognized token 'tru': was expecting (JSON String, Number, Array, Object or "
                "token 'null', 'true' or 'false')\n at [Source: UNKNOWN; line: 1, column: 4]"},
        {"{\"a\":}", "Unexpected character ('}' (code 125)): expected a value\n at [Source: "
                     "UNKNOWN; line: 1, column: 6]"},
        {"\"\\x\"", "Unrecognized character escape 'x' (code 120)"},
        {"01", "Invalid numeric value: Leading zeroes not allowed\n at [Source: UNKNOWN; line: 1, "
               "column: 2]"},
        {"NaN", "Non-standard token 'NaN': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to "
                "allow\n at [Source: UNKNOWN; line: 1, column: 4]"},
        {"{\"a\":1,\"a\":2}", "VARIANT_DUPLICATE_KEY"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_json(cases[i][0], cases[i][1]);
    static const char *const bad[] = {
        " ",     "[1,]",       "{a:1}",    "+1", ".5", "5.", "1e",        "\"a", "{\"a\" 1}",
        "[1 2]", "{\"a\":1,}", "\"\x01\"", "1x", "[",  "{",  "\"\\u12\"", "-",   "{\"a\""};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char why[WR_VARIANT_WHY_MAX];
        wr_str v;
        CHECK_MSG(!parse(bad[i], false, &v, why), "'%s' is no JSON", bad[i]);
    }
}

TEST(the_last_of_equal_keys_stays)
{
    char why[WR_VARIANT_WHY_MAX];
    wr_str v;
    CHECK(parse("{\"a\":1,\"b\":2,\"a\":{\"c\":3}}", true, &v, why));
    CHECK_EQ_STR(shown(v), "{\"a\":{\"c\":3},\"b\":2}");
}

TEST(fields_and_items)
{
    char why[WR_VARIANT_WHY_MAX];
    wr_str v, x, k;
    CHECK_FATAL(parse("{\"a\":[10,{\"b\":7}],\"n\":null,\"\":1}", false, &v, why));
    CHECK(wr_variant_field(v, WR_STR("a"), &x) && wr_variant_item(x, 1, &x));
    CHECK_EQ_STR(shown(x), "10");
    CHECK(wr_variant_field(v, WR_STR("a"), &x) && wr_variant_item(x, 2, &x) &&
          wr_variant_field(x, WR_STR("b"), &x));
    CHECK_EQ_STR(shown(x), "7");
    CHECK(wr_variant_field(v, WR_STR("n"), &x) && wr_variant_kind_of(x) == WR_VARIANT_NULL);
    CHECK(wr_variant_field(v, WR_STR(""), &x));
    CHECK(!wr_variant_field(v, WR_STR("zz"), &x));
    CHECK(!wr_variant_item(v, 1, &x));
    CHECK(wr_variant_field(v, WR_STR("a"), &x) && !wr_variant_item(x, 0, &x));
    CHECK(wr_variant_field(v, WR_STR("a"), &x) && !wr_variant_item(x, 3, &x));
    CHECK_EQ_INT(wr_variant_count(v), 3);
    CHECK(wr_variant_entry(v, 1, &k, &x));
    CHECK_EQ_WRSTR(k, "a");
    CHECK(!wr_variant_entry(v, 3, &k, &x));
}

TEST(integers_are_small)
{
    static const struct {
        const char *json;
        wr_variant_kind kind;
    } cases[] = {{"127", WR_VARIANT_I8},         {"-128", WR_VARIANT_I8},
                 {"128", WR_VARIANT_I16},        {"32768", WR_VARIANT_I32},
                 {"2147483648", WR_VARIANT_I64}, {"1.5", WR_VARIANT_DECIMAL},
                 {"1e0", WR_VARIANT_F64},        {"9223372036854775808", WR_VARIANT_DECIMAL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char why[WR_VARIANT_WHY_MAX];
        wr_str v = {NULL, 0};
        CHECK(parse(cases[i].json, false, &v, why));
        CHECK_EQ_INT(wr_variant_kind_of(v), cases[i].kind);
    }
}

TEST(deep_nesting_is_an_error)
{
    char json[2001], why[WR_VARIANT_WHY_MAX];
    wr_str v;
    memset(json, '[', 1000);
    memset(json + 1000, ']', 1000);
    json[2000] = 0;
    CHECK(!parse(json, false, &v, why));
    CHECK(strncmp(why, "Document nesting depth", 22) == 0);
}

TEST(damaged_bytes_are_seen)
{
    char why[WR_VARIANT_WHY_MAX];
    wr_str v;
    uint32_t wrong = 0;
    CHECK_FATAL(parse("{\"a\":[1,\"x\",2.5],\"b\":{\"c\":null}}", false, &v, why));
    for (size_t i = 0; i < v.len; i++)
        for (int bit = 0; bit < 8; bit++) {
            char *copy = wr_mem_alloc(NULL, v.len);
            memcpy(copy, v.ptr, v.len);
            copy[i] ^= (char)(1 << bit);
            const wr_str damaged = {copy, v.len};
            if (wr_variant_valid(damaged))
                CHECK(shown(damaged) != NULL); /* another value, but a sound one */
            else
                wrong++;
            wr_mem_free(NULL, copy, v.len);
        }
    for (size_t n = 0; n < v.len; n++) CHECK(!wr_variant_valid((wr_str){v.ptr, n}));
    CHECK(wrong > 100);
}

/* ---- bitmaps --------------------------------------------------------------------------------- */
static wr_bitmap *
bitmap(const uint32_t *v, uint32_t n)
{
    wr_bitmap *b = wr_bitmap_create();
    wr_bitmap_add_many(b, v, n);
    return b;
}

static const char *
text(const wr_bitmap *b)
{
    wr_text t;
    wr_text_init(&t, a);
    wr_bitmap_print(b, &t);
    wr_text_putc(&t, 0);
    return t.ptr;
}

static const char *
hex(wr_bitmap *b)
{
    wr_text t, h;
    wr_text_init(&t, a);
    wr_text_init(&h, a);
    wr_bitmap_encode(b, &t);
    for (size_t i = 0; i < t.len; i++) wr_text_printf(&h, "%02x", (unsigned char)t.ptr[i]);
    wr_text_putc(&h, 0);
    return h.ptr;
}

TEST(bitmaps)
{
    static const uint32_t some[] = {1, 2, 3, 70000, UINT32_MAX};
    wr_bitmap *b = bitmap(some, 5);
    CHECK_FATAL(b != NULL);
    CHECK_EQ_STR(text(b), "{1,2,3,70000,4294967295}");
    CHECK_EQ_INT(wr_bitmap_count(b), 5);
    CHECK_EQ_STR(hex(b), "3a300000030000000000020001000000ffff000020000000260000002800000001000200"
                         "03007011ffff");
    CHECK(wr_bitmap_has(b, 70000) && !wr_bitmap_has(b, 4));
    uint32_t out[5];
    wr_bitmap_values(b, out);
    CHECK(memcmp(out, some, sizeof some) == 0);
    wr_bitmap_destroy(b);
    static const uint32_t run[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    b = bitmap(run, 10);
    CHECK_EQ_STR(hex(b), "3b3000000100000900010001000900");
    wr_bitmap_destroy(b);
    b = wr_bitmap_create();
    CHECK_EQ_STR(text(b), "{}");
    wr_bitmap_destroy(b);
}

/* Whatever the shape, CRoaring reads back the same set. */
TEST(encoded_bitmaps_come_back)
{
    static const uint32_t steps[] = {1, 2, 3, 17, 65535, 65536, 70001};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        wr_bitmap *b = wr_bitmap_create();
        uint32_t v = 7;
        for (int i = 0; i < 20000; i++, v += i % 5000 < 4000 ? 1 : steps[k]) wr_bitmap_add(b, v);
        for (int i = 0; i < 6000; i++, v += 2 + steps[k] % 3) wr_bitmap_add(b, v);
        wr_text t;
        wr_text_init(&t, a);
        wr_bitmap_encode(b, &t);
        wr_bitmap *c = wr_bitmap_decode(wr_text_str(&t));
        CHECK_FATAL(c != NULL);
        CHECK_EQ_INT(wr_bitmap_count(c), wr_bitmap_count(b));
        wr_bitmap_apply(c, WR_BITMAP_XOR, b);
        CHECK_EQ_INT(wr_bitmap_count(c), 0);
        wr_bitmap_destroy(b);
        wr_bitmap_destroy(c);
    }
}

TEST(bitmap_operations)
{
    static const uint32_t x[] = {1, 2}, y[] = {2, 3};
    static const struct {
        wr_bitmap_op op;
        const char *want;
    } cases[] = {{WR_BITMAP_AND, "{2}"},
                 {WR_BITMAP_ANDNOT, "{1}"},
                 {WR_BITMAP_OR, "{1,2,3}"},
                 {WR_BITMAP_XOR, "{1,3}"}};
    for (size_t i = 0; i < 4; i++) {
        wr_bitmap *b = bitmap(x, 2), *c = bitmap(y, 2);
        wr_bitmap_apply(b, cases[i].op, c);
        CHECK_EQ_STR(text(b), cases[i].want);
        wr_bitmap_destroy(b);
        wr_bitmap_destroy(c);
    }
}

TEST(bitmap_bytes)
{
    static const char bytes[] = "\x3a\x30\0\0\x01\0\0\0\0\0\x01\0\x10\0\0\0\x01\0\x02\0";
    wr_bitmap *b = wr_bitmap_decode((wr_str){bytes, 20});
    CHECK_FATAL(b != NULL);
    CHECK_EQ_STR(text(b), "{1,2}");
    wr_bitmap_destroy(b);
    for (size_t n = 0; n < 20; n++) CHECK(wr_bitmap_decode((wr_str){bytes, n}) == NULL);
    CHECK(wr_bitmap_decode(WR_STR("\0")) == NULL);
    wr_text t;
    wr_text_init(&t, a);
    CHECK(!wr_bitmap_print_bytes(WR_STR("nonsense"), &t));
}

CHECK_MAIN()
