/* SPDX-License-Identifier: Apache-2.0 */
/* Casts over whole vectors: forms, selections, NULLs, nested types, zones, and both text forms.
 * Texts are Flink 2.3's (SQL client and print connector). */
#include "check.h"
#include "types/datetime.h"
#include "unit/type_parse.h"
#include "unit/vec_random.h"
#include "vec/cast.h"

static wr_arena *a;
static wr_ctx ctx;

__attribute__((constructor)) static void
setup(void)
{
    a = wr_arena_create(NULL, 0);
    wr_ctx_init(&ctx);
}

static const wr_type *
ty(const char *text)
{
    const wr_type *t = type_parse(a, text);
    if (!t) fprintf(stderr, "cannot parse type '%s'\n", text);
    return t;
}

static wr_vec
strings(const char *const *s, uint32_t n)
{
    wr_vec v;
    CHECK(wr_vec_init_flat(&v, wr_type_string(true), n, a));
    for (uint32_t i = 0; i < n; i++)
        if (s[i])
            CHECK(wr_vec_set_str(&v, i, s[i], (uint32_t)strlen(s[i]), a));
        else
            CHECK(wr_vec_set_null(&v, i, a));
    return v;
}

static const char *
display(const wr_vec *v, uint32_t row, const wr_tz *tz)
{
    wr_text t;
    wr_text_init(&t, a);
    wr_value_display(v, row, tz, &t);
    wr_text_putc(&t, 0);
    return t.ptr;
}

static const char *
java(const wr_vec *v, uint32_t row)
{
    wr_text t;
    wr_text_init(&t, a);
    wr_value_print_java(v, row, NULL, &t);
    wr_text_putc(&t, 0);
    return t.ptr;
}

static wr_vec
cast(const wr_vec *in, const wr_type *to, uint32_t n, bool try_cast, wr_row_errs *errs)
{
    wr_vec out;
    CHECK(wr_vec_init_flat(&out, to, n, a));
    CHECK_OK(&ctx, wr_cast_vec(&ctx, NULL, in, to, NULL, n, try_cast, &out, a, errs));
    return out;
}

/* A vector of any form gives what its flat copy gives, for the rows asked for. */
TEST(forms_and_selections)
{
    static const char *const pairs[][2] = {{"INT", "BIGINT"},
                                           {"INT", "TINYINT"},
                                           {"BIGINT", "DOUBLE"},
                                           {"DOUBLE", "INT"},
                                           {"INT", "STRING"},
                                           {"STRING", "INT"},
                                           {"STRING", "DOUBLE"},
                                           {"DOUBLE", "STRING"},
                                           {"INT", "DECIMAL(10, 2)"},
                                           {"DECIMAL(10, 2)", "INT"},
                                           {"DECIMAL(38, 10)", "DECIMAL(10, 2)"},
                                           {"STRING", "CHAR(3)"},
                                           {"STRING", "BYTES"},
                                           {"BYTES", "STRING"},
                                           {"BOOLEAN", "INT"},
                                           {"INT", "BOOLEAN"},
                                           {"DATE", "TIMESTAMP(3)"},
                                           {"TIMESTAMP(9)", "TIMESTAMP(3)"},
                                           {"TIMESTAMP(3)", "DATE"},
                                           {"TIMESTAMP(3)", "STRING"},
                                           {"ARRAY<INT>", "ARRAY<STRING>"},
                                           {"ARRAY<STRING>", "ARRAY<INT>"},
                                           {"ROW<a INT, b STRING>", "ROW<x STRING, y STRING>"},
                                           {"MAP<STRING, INT>", "MAP<STRING, BIGINT>"},
                                           {"ARRAY<INT>", "STRING"},
                                           {"VARCHAR(5)", "STRING"},
                                           {"ARRAY<ROW<a INT>>", "ARRAY<ROW<a INT>>"},
                                           {"INT", "INTERVAL MONTH"}};
    rnd r = {1};
    for (int round = 0; round < 10; round++) {
        for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
            const wr_type *from = ty(pairs[k][0]), *to = ty(pairs[k][1]);
            const wr_vec in = rnd_vec(&r, from, 50, a);
            uint32_t n, all[50];
            const uint32_t *sel = rnd_sel(&r, 50, &n, a);
            for (uint32_t i = 0; i < 50; i++) all[i] = i;
            wr_vec flat, want, got;
            uint64_t bits[2][1] = {{0}, {0}};
            wr_row_errs e1 = {.bits = bits[0]}, e2 = {.bits = bits[1]};
            CHECK_FATAL(wr_vec_gather(&flat, &in, all, 50, a));
            want = cast(&flat, to, 50, false, &e1);
            CHECK_FATAL(wr_vec_init_flat(&got, to, 50, a));
            CHECK_OK(&ctx, wr_cast_vec(&ctx, NULL, &in, to, sel, n, false, &got, a, &e2));
            for (uint32_t i = 0; i < n; i++) {
                const uint32_t row = sel ? sel[i] : i;
                CHECK_MSG(wr_vec_entry_eq(&want, row, &got, row), "%s to %s", pairs[k][0],
                          pairs[k][1]);
                CHECK_EQ_INT(wr_bit_get(bits[0], row), wr_bit_get(bits[1], row));
                if (wr_vec_is_null(&in, row)) CHECK(wr_vec_is_null(&got, row));
            }
        }
        wr_arena_reset(a);
    }
}

TEST(errors_name_the_lowest_row)
{
    static const char *const s[] = {"1", NULL, "x", "7", "y z"};
    const wr_vec in = strings(s, 5);
    uint64_t bits[1] = {0};
    wr_row_errs errs = {.bits = bits};
    wr_vec out = cast(&in, ty("INT"), 5, false, &errs);
    CHECK(errs.any && errs.first_row == 2);
    CHECK_EQ_STR(errs.first_message, "For input string: 'x'. Invalid character found.");
    CHECK_EQ_UINT(bits[0], 1 << 2 | 1 << 4);
    CHECK_EQ_STR(display(&out, 3, NULL), "7");
    wr_row_errs none = {0};
    out = cast(&in, ty("INT"), 5, true, &none);
    CHECK(!none.any);
    CHECK(wr_vec_is_null(&out, 1) && wr_vec_is_null(&out, 2) && !wr_vec_is_null(&out, 3));
}

TEST(a_failing_element_fails_the_whole_value)
{
    static const char *const s[] = {"1", "x", "2", "3"};
    const wr_vec kids = strings(s, 4);
    wr_vec in;
    CHECK_FATAL(wr_vec_init_flat(&in, ty("ARRAY<STRING>"), 3, a));
    in.child[0] = kids;
    ((wr_list *)in.data)[0] = (wr_list){0, 1};
    ((wr_list *)in.data)[1] = (wr_list){1, 2};
    ((wr_list *)in.data)[2] = (wr_list){3, 1};
    wr_row_errs errs = {0};
    wr_vec out = cast(&in, ty("ARRAY<INT>"), 3, false, &errs);
    CHECK(errs.any && errs.first_row == 1);
    CHECK_EQ_STR(errs.first_message, "For input string: 'x'. Invalid character found.");
    wr_row_errs none = {0};
    out = cast(&in, ty("ARRAY<INT>"), 3, true, &none);
    CHECK(!none.any);
    CHECK_EQ_STR(display(&out, 0, NULL), "[1]");
    CHECK(wr_vec_is_null(&out, 1));
    CHECK_EQ_STR(display(&out, 2, NULL), "[3]");
}

TEST(keys_that_become_equal_merge)
{
    const wr_type *from = ty("MAP<DECIMAL(2, 1), STRING>");
    const wr_type *d = from->fields[0].type, *s = from->fields[1].type;
    wr_value items[4] = {wr_value_int(d, 12), wr_value_str(s, WR_STR("x")), wr_value_int(d, 14),
                         wr_value_str(s, WR_STR("y"))};
    wr_value m = {.type = from};
    m.u.list.items = items;
    m.u.list.count = 4;
    wr_vec in;
    CHECK_FATAL(wr_vec_init_flat(&in, from, 1, a) && wr_vec_put(&in, 0, &m, a));
    wr_row_errs errs = {0};
    const wr_vec out = cast(&in, ty("MAP<INT, STRING>"), 1, false, &errs);
    CHECK_EQ_STR(display(&out, 0, NULL), "{1=y}");
}

static wr_vec
in_zone(const wr_vec *in, const char *to, const wr_tz *tz)
{
    const wr_cast_env env = {tz, false};
    wr_row_errs errs = {0};
    wr_vec out;
    CHECK(wr_vec_init_flat(&out, ty(to), 1, a));
    CHECK_OK(&ctx, wr_cast_vec(&ctx, &env, in, ty(to), NULL, 1, false, &out, a, &errs));
    CHECK(!errs.any);
    return out;
}

TEST(the_session_zone_counts)
{
    const wr_tz *shanghai, *ny;
    CHECK_OK(&ctx, wr_tz_open(&ctx, a, WR_STR("Asia/Shanghai"), &shanghai));
    CHECK_OK(&ctx, wr_tz_open(&ctx, a, WR_STR("America/New_York"), &ny));
    const wr_value zero = wr_value_int(ty("TIMESTAMP_LTZ(3)"), 0);
    wr_vec in, out;
    CHECK_FATAL(wr_vec_init_const(&in, &zero, a));
    out = in_zone(&in, "STRING", shanghai);
    CHECK_EQ_STR(display(&out, 0, NULL), "1970-01-01 08:00:00.000");
    out = in_zone(&in, "TIMESTAMP(3)", ny);
    CHECK_EQ_STR(display(&out, 0, NULL), "1969-12-31 19:00:00.000");
    CHECK_EQ_STR(java(&out, 0), "1969-12-31T19:00");
    out = in_zone(&in, "DATE", ny);
    CHECK_EQ_STR(display(&out, 0, NULL), "1969-12-31");
    out = in_zone(&in, "TIME(0)", ny);
    CHECK_EQ_STR(display(&out, 0, NULL), "19:00:00");
    CHECK_EQ_STR(display(&in, 0, shanghai), "1970-01-01 08:00:00.000");
    CHECK_EQ_STR(java(&in, 0), "1970-01-01T00:00:00Z");
    static const char *const text[] = {"1970-01-01 08:00:00"};
    const wr_vec s = strings(text, 1);
    out = in_zone(&s, "TIMESTAMP_LTZ(3)", shanghai);
    CHECK_EQ_INT(((int64_t *)out.data)[0], 0);
    static const char *const gap[] = {"2024-03-10 02:30:00"};
    const wr_vec g = strings(gap, 1);
    out = in_zone(&g, "TIMESTAMP_LTZ(3)", ny);
    CHECK_EQ_STR(display(&out, 0, ny), "2024-03-10 03:30:00.000");
}

static const char *
cast_text(const char *text, const char *to)
{
    const char *const s[] = {text};
    const wr_vec in = strings(s, 1);
    wr_row_errs errs = {0};
    const wr_vec out = cast(&in, ty(to), 1, false, &errs);
    if (!errs.any) return display(&out, 0, NULL);
    static char message[sizeof errs.first_message];
    memcpy(message, errs.first_message, sizeof message);
    return message;
}

TEST(lengths_count_characters)
{
    CHECK_EQ_STR(cast_text("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"
                           "abc",
                           "CHAR(3)"),
                 "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    CHECK_EQ_STR(cast_text("\xc3\xa9", "CHAR(3)"), "\xc3\xa9  ");
    CHECK_EQ_STR(cast_text("\xc3\xa9\xc3\xa9", "VARCHAR(1)"), "\xc3\xa9");
    CHECK_EQ_STR(cast_text("\xc3\xa9", "BINARY(1)"), "x'c3'");
    CHECK_EQ_STR(cast_text("abc", "BINARY(5)"), "x'6162630000'");
    CHECK_EQ_STR(cast_text("", "CHAR(2)"), "  ");
    CHECK_EQ_STR(cast_text("abc", "VARBINARY(2)"), "x'6162'");
}

TEST(more_texts_to_numbers)
{
    CHECK_EQ_STR(cast_text("-", "INT"),
                 "For input string: '-'. Input has only positive or negative symbol.");
    CHECK_EQ_STR(cast_text("   ", "INT"), "For input string: ''. Input is empty.");
    CHECK_EQ_STR(cast_text("1.9x", "INT"), "For input string: '1.9x'. Invalid character found.");
    CHECK_EQ_STR(cast_text("+42", "INT"), "42");
    CHECK_EQ_STR(cast_text(".", "INT"), "0");
    CHECK_EQ_STR(cast_text("-.9", "INT"), "0");
    CHECK_EQ_STR(cast_text("-2147483648", "INT"), "-2147483648");
    CHECK_EQ_STR(cast_text("2147483648", "INT"), "For input string: '2147483648'. Overflow.");
    CHECK_EQ_STR(cast_text("-128", "TINYINT"), "-128");
    CHECK_EQ_STR(cast_text("-129", "TINYINT"), "For input string: '-129'. Overflow.");
    CHECK_EQ_STR(cast_text("128.5", "TINYINT"), "For input string: '128.5'. Overflow.");
    CHECK_EQ_STR(cast_text("-9223372036854775808", "BIGINT"), "-9223372036854775808");
    CHECK_EQ_STR(cast_text("1..2", "INT"), "For input string: '1..2'. Invalid character found.");
    CHECK_EQ_STR(cast_text("1e", "DOUBLE"), "For input string: \"1e\"");
    CHECK_EQ_STR(cast_text(" ", "DOUBLE"), "empty String");
    CHECK_EQ_STR(cast_text("Y", "BOOLEAN"), "TRUE");
    CHECK_EQ_STR(cast_text("No", "BOOLEAN"), "FALSE");
    CHECK_EQ_STR(cast_text("on", "BOOLEAN"), "Cannot parse 'on' as BOOLEAN.");
    CHECK_EQ_STR(cast_text("2024-02-29 23:59:59.9999", "TIMESTAMP(3)"), "2024-02-29 23:59:59.999");
}

TEST(broken_text_is_replaced_as_java_does)
{
    static const struct {
        const char *bytes;
        size_t len;
        const char *want;
    } cases[] = {{"\xff\x61\xc3", 3, "\xef\xbf\xbd\x61\xef\xbf\xbd"},
                 {"\xf0\x80\x80\x80", 4, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
                 {"\xe2\x82", 2, "\xef\xbf\xbd"},
                 {"\xc0\xaf", 2, "\xef\xbf\xbd\xef\xbf\xbd"},
                 {"\xf4\x90\x80\x80", 4, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
                 {"\xed\xa0\x80", 3, "\xef\xbf\xbd"},
                 {"\xe2\x82\x61", 3, "\xef\xbf\xbd\x61"},
                 {"\xf0\x9f\x98", 3, "\xef\xbf\xbd"},
                 {"\xf0\x9f\x61", 3, "\xef\xbf\xbd\x61"},
                 {"\x80\x80", 2, "\xef\xbf\xbd\xef\xbf\xbd"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wr_vec in;
        wr_row_errs errs = {0};
        CHECK_FATAL(wr_vec_init_flat(&in, wr_type_bytes(true), 1, a));
        CHECK(wr_vec_set_str(&in, 0, cases[i].bytes, (uint32_t)cases[i].len, a));
        const wr_vec out = cast(&in, ty("STRING"), 1, false, &errs);
        CHECK_EQ_STR(display(&out, 0, NULL), cases[i].want);
    }
}

/* ---- the two text forms ---------------------------------------------------------------------- */
static wr_vec
one(const wr_type *t, wr_value v)
{
    wr_vec out;
    v.type = t;
    CHECK(wr_vec_init_flat(&out, t, 1, a) && wr_vec_put(&out, 0, &v, a));
    return out;
}

static wr_value
list(wr_value *items, uint32_t n)
{
    wr_value v = {.type = NULL};
    v.u.list.items = items;
    v.u.list.count = n;
    return v;
}

TEST(client_and_print_connector_forms)
{
    const wr_type *bin = ty("BINARY(2)"), *dec = ty("DECIMAL(10, 9)"), *b = ty("BOOLEAN");
    wr_value bytes = wr_value_str(bin, WR_STR("\x01\xff")), zero = wr_value_int(dec, 0);
    wr_value yes = wr_value_bool(true), null = wr_value_null(b);
    wr_vec v = one(ty("ARRAY<BINARY(2)>"), list(&bytes, 1));
    CHECK_EQ_STR(display(&v, 0, NULL), "[x'01ff']");
    CHECK_EQ_STR(java(&v, 0), "[[1, -1]]");
    v = one(dec, zero);
    CHECK_EQ_STR(display(&v, 0, NULL), "0.000000000");
    CHECK_EQ_STR(java(&v, 0), "0E-9");
    wr_value row[3] = {bytes, yes, null};
    v = one(ty("ROW<a BINARY(2), b BOOLEAN, c BOOLEAN>"), list(row, 3));
    CHECK_EQ_STR(display(&v, 0, NULL), "(x'01ff', TRUE, NULL)");
    CHECK_EQ_STR(java(&v, 0), "+I[[1, -1], true, null]");
    const wr_type *t0 = ty("TIMESTAMP(0)"), *s = ty("STRING");
    wr_value entry[2] = {wr_value_str(s, WR_STR("a")), wr_value_int(t0, 1704067200000)};
    v = one(ty("MAP<STRING, TIMESTAMP(0)>"), list(entry, 2));
    CHECK_EQ_STR(display(&v, 0, NULL), "{a=2024-01-01 00:00:00}");
    CHECK_EQ_STR(java(&v, 0), "{a=2024-01-01T00:00}");
    wr_value day = wr_value_int(ty("INTERVAL DAY"), WR_MS_DAY);
    v = one(ty("ARRAY<INTERVAL DAY>"), list(&day, 1));
    CHECK_EQ_STR(display(&v, 0, NULL), "[+1 00:00:00.000]");
    CHECK_EQ_STR(java(&v, 0), "[PT24H]");
    v = one(b, null);
    CHECK_EQ_STR(display(&v, 0, NULL), "NULL");
    CHECK_EQ_STR(java(&v, 0), "null");
}

/* Java's HashMap decides in which order the print connector writes a map. */
TEST(maps_print_in_javas_order)
{
    const wr_type *s = ty("STRING"), *n = ty("INT");
    wr_value e[6] = {wr_value_str(s, WR_STR("b")), wr_value_int(n, 3),
                     wr_value_str(s, WR_STR("a")), wr_value_int(n, 2),
                     wr_value_str(s, WR_STR("c")), wr_value_int(n, 1)};
    wr_vec v = one(ty("MAP<STRING, INT>"), list(e, 6));
    CHECK_EQ_STR(java(&v, 0), "{a=2, b=3, c=1}");
    CHECK_EQ_STR(display(&v, 0, NULL), "{b=3, a=2, c=1}");
}

/* COLLECT(x): {x=1, ...} in the order of Flink's hash maps, as the SQL client shows it. */
static void
check_order(const char *type, const wr_value *keys, uint32_t n, const char *shown,
            const char *print)
{
    wr_value e[32];
    const wr_type *t = ty(type), *one_type = wr_type_of(WR_T_INT, false);
    for (uint32_t i = 0; i < n; i++) {
        e[2 * i] = keys[i];
        e[2 * i].type = t->fields[0].type;
        e[2 * i + 1] = wr_value_int(one_type, 1);
    }
    wr_vec v = one(t, list(e, 2 * n));
    CHECK(wr_map_sort(&v, NULL, 1, a));
    CHECK_EQ_STR(display(&v, 0, NULL), shown);
    CHECK_EQ_STR(java(&v, 0), print);
}

TEST(built_maps_show_in_the_order_of_flinks_hash_maps)
{
    static const char *const s[] = {"delta",   "alpha", "charlie", "bravo",    "echo",
                                    "foxtrot", "golf",  "hotel",   "india",    "juliett",
                                    "kilo",    "lima",  "mike",    "november", "\xc3\xa9"};
    wr_value k[16];
    for (uint32_t i = 0; i < 15; i++) k[i] = wr_value_str(ty("STRING"), wr_str_c(s[i]));
    wr_vec v = one(ty("MULTISET<STRING>"), list(NULL, 0));
    CHECK(wr_map_sort(&v, NULL, 1, a)); /* empty is fine */
    char shown[512] = "{";
    static const char *const sorted[] = {"echo",    "golf",  "kilo",     "charlie",  "mike",
                                         "juliett", "alpha", "november", "foxtrot",  "india",
                                         "bravo",   "lima",  "delta",    "\xc3\xa9", "hotel"};
    for (uint32_t i = 0; i < 15; i++)
        (void)snprintf(shown + strlen(shown), sizeof shown - strlen(shown), "%s%s=1", i ? ", " : "",
                       sorted[i]);
    (void)strncat(shown, "}", 2);
    wr_value e[32];
    for (uint32_t i = 0; i < 15; i++) {
        e[2 * i] = k[i];
        e[2 * i + 1] = wr_value_int(wr_type_of(WR_T_INT, false), 1);
    }
    v = one(ty("MULTISET<STRING>"), list(e, 30));
    CHECK(wr_map_sort(&v, NULL, 1, a));
    CHECK_EQ_STR(display(&v, 0, NULL), shown);
    const wr_type *n = ty("INT"), *d = ty("DATE"), *t = ty("TIMESTAMP(0)"),
                  *c = ty("DECIMAL(5, 2)");
    const wr_value ints[] = {wr_value_int(n, 30), wr_value_int(n, 1),       wr_value_int(n, 17),
                             wr_value_int(n, -5), wr_value_int(n, 1000000), wr_value_int(n, 33)};
    check_order("MULTISET<INT>", ints, 6, "{1=1, 17=1, 33=1, -5=1, 30=1, 1000000=1}",
                "{1=1, 17=1, 33=1, -5=1, 30=1, 1000000=1}");
    const wr_value longs[] = {wr_value_int(n, 30), wr_value_int(n, 5000000000),
                              wr_value_int(n, -17)};
    check_order("MULTISET<BIGINT>", longs, 3, "{-17=1, 5000000000=1, 30=1}",
                "{-17=1, 5000000000=1, 30=1}");
    const wr_value decs[] = {wr_value_int(c, 150), wr_value_int(c, 225), wr_value_int(c, 10),
                             wr_value_int(c, 10000)};
    check_order("MULTISET<DECIMAL(5, 2)>", decs, 4, "{2.25=1, 100.00=1, 0.10=1, 1.50=1}",
                "{2.25=1, 100.00=1, 0.10=1, 1.50=1}");
    const wr_value dates[] = {wr_value_int(d, 19723), wr_value_int(d, 19724),
                              wr_value_int(d, 10594)};
    check_order("MULTISET<DATE>", dates, 3, "{1999-01-03=1, 2024-01-01=1, 2024-01-02=1}",
                "{1999-01-03=1, 2024-01-02=1, 2024-01-01=1}");
    const wr_value times[] = {wr_value_int(t, 19723 * WR_MS_DAY),
                              wr_value_int(t, 19724 * WR_MS_DAY),
                              wr_value_int(t, 10594 * WR_MS_DAY + 5 * WR_MS_HOUR)};
    check_order("MULTISET<TIMESTAMP(0)>", times, 3,
                "{2024-01-02 00:00:00=1, 1999-01-03 05:00:00=1, 2024-01-01 00:00:00=1}",
                "{1999-01-03T05:00=1, 2024-01-02T00:00=1, 2024-01-01T00:00=1}");
}

TEST(cast_maps_show_in_the_order_of_flinks_hash_maps)
{
    const wr_type *s = ty("STRING"), *n = ty("INT");
    wr_value e[8] = {wr_value_str(s, WR_STR("delta")),   wr_value_int(n, 1),
                     wr_value_str(s, WR_STR("alpha")),   wr_value_int(n, 2),
                     wr_value_str(s, WR_STR("charlie")), wr_value_int(n, 3),
                     wr_value_str(s, WR_STR("bravo")),   wr_value_int(n, 4)};
    const wr_vec in = one(ty("MAP<STRING, INT>"), list(e, 8));
    wr_row_errs errs = {0};
    const wr_vec out = cast(&in, ty("MAP<STRING, BIGINT>"), 1, false, &errs);
    CHECK_EQ_STR(display(&out, 0, NULL), "{alpha=2, bravo=4, delta=1, charlie=3}");
    CHECK_EQ_STR(java(&out, 0), "{bravo=4, alpha=2, delta=1, charlie=3}");
}

TEST(single_values_cast_too)
{
    const wr_value in = wr_value_str(ty("STRING"), WR_STR(" 42 "));
    wr_value out;
    wr_row_errs errs = {0};
    CHECK_OK(&ctx, wr_cast_value(&ctx, NULL, &in, ty("INT"), false, &out, a, &errs));
    CHECK(!errs.any && !out.is_null && out.u.i == 42);
    wr_text t;
    wr_text_init(&t, a);
    wr_boxed_display(&out, NULL, &t);
    CHECK_EQ_WRSTR(wr_text_str(&t), "42");
    const wr_value bad = wr_value_str(ty("STRING"), WR_STR("x"));
    CHECK_OK(&ctx, wr_cast_value(&ctx, NULL, &bad, ty("INT"), false, &out, a, &errs));
    CHECK(errs.any);
}

/* Every allocation of a cast may fail: the answer is then "out of memory", never a wrong value. */
TEST(failed_allocations_are_told)
{
    static const char *const pairs[][2] = {{"ARRAY<INT>", "ARRAY<STRING>"},
                                           {"MAP<STRING, INT>", "MAP<STRING, BIGINT>"},
                                           {"ROW<a INT, b STRING>", "ROW<a STRING, b CHAR(20)>"},
                                           {"ARRAY<ARRAY<STRING>>", "STRING"},
                                           {"DOUBLE", "STRING"},
                                           {"INT", "CHAR(30)"}};
    rnd r = {11};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        const wr_vec in = rnd_vec(&r, ty(pairs[k][0]), 30, a);
        const wr_type *to = ty(pairs[k][1]);
        wr_row_errs errs = {0};
        const wr_vec want = cast(&in, to, 30, false, &errs);
        int told = 0;
        for (int n = 1; n < 60; n++) {
            wr_arena *small = wr_arena_create(NULL, 64);
            wr_ctx c;
            wr_vec out;
            wr_ctx_init(&c);
            wr_mem_fail_after(n);
            wr_status st = wr_vec_init_flat(&out, to, 30, small) ? WR_OK : WR_NOMEM;
            if (st == WR_OK)
                st = wr_cast_vec(&c, NULL, &in, to, NULL, 30, false, &out, small, &errs);
            wr_mem_fail_after(0);
            CHECK(st == WR_OK || st == WR_NOMEM);
            told += st == WR_NOMEM;
            for (uint32_t i = 0; st == WR_OK && i < 30; i++)
                CHECK(wr_vec_entry_eq(&out, i, &want, i));
            wr_arena_destroy(small);
        }
        CHECK_MSG(told > 0, "%s", pairs[k][0]);
    }
}

TEST(legacy_casts_neither_fail_nor_cut)
{
    static const char *const s[] = {"x"};
    const wr_vec in = strings(s, 1);
    const wr_cast_env env = {NULL, true};
    wr_row_errs errs = {0};
    wr_vec out;
    CHECK(wr_vec_init_flat(&out, ty("INT"), 1, a));
    CHECK_OK(&ctx, wr_cast_vec(&ctx, &env, &in, ty("INT"), NULL, 1, false, &out, a, &errs));
    CHECK(!errs.any && wr_vec_is_null(&out, 0));
}

CHECK_MAIN()
