/* SPDX-License-Identifier: Apache-2.0 */
/* Writing csv, json and raw: the texts are those of Flink 2.3.0 for the same rows. links: format fs
 */
#include "unit/table_rig.h"

#define ALL                                                                                        \
    "a TINYINT, b SMALLINT, c BIGINT, d FLOAT, e DOUBLE, f DECIMAL(10,2), g BOOLEAN, h BYTES, "    \
    "i DATE, j TIME(3), k TIMESTAMP(3), l TIMESTAMP_LTZ(3), m TIMESTAMP(9), n ARRAY<STRING>, "     \
    "o ROW<x INT, y STRING>, r CHAR(3), s DECIMAL(30,10), t ARRAY<INT>"

#define FULL                                                                                       \
    "[1, 2, 3, 1.1, 1e10, 1.50, true, \"AQI=\", \"2024-01-02\", \"10:00:00.123\", "                \
    "\"2024-01-02 10:00:00\", \"2024-01-02 10:00:00.12Z\", \"2024-01-02 10:00:00.123456789\", "    \
    "[\"a\", \"b c\"], {\"x\":1,\"y\":\"q\"}, \"abc\", 0.0000000001, [1, 2]"
#define SPARSE                                                                                     \
    "[null, null, null, null, null, 100000, false, \"\", \"0001-01-02\", \"10:00:00\", "           \
    "\"2024-01-02 10:00:00.1\", \"2024-01-02 10:00:00Z\", \"2024-01-02 10:00:00.1234\", "          \
    "[\"a\", null], {\"y\":\"q\"}, \"a  \", 12345678901234567890, [1, null]"

static const char *
encode(rig *r, const wr_format_ops *format, const char *columns, const char *const *kv,
       const char *const *rows, uint32_t count)
{
    wr_encoder *e = NULL;
    CHECK(rig_columns(r, columns));
    rig_options(r, kv);
    wr_schema schema;
    wr_field *f = WR_NEW_N(r->arena, wr_field, 64);
    for (uint32_t i = 0; i < r->table.column_count; i++)
        f[i] = (wr_field){r->table.columns[i].name, r->table.columns[i].type, WR_STR("")};
    schema = (wr_schema){f, r->table.column_count};
    wr_text t;
    wr_text_init(&t, r->arena);
    CHECK_OK(&r->ctx,
             format->encoder_open(&r->ctx, &r->table.options, &schema, &r->eval, r->arena, &e));
    if (!e) return "";
    wr_batch *b = rig_batch(r, rows, count);
    wr_status status = format->encode(&r->ctx, e, b, &t);
    format->encoder_close(e);
    wr_batch_release(b);
    if (status != WR_OK) return r->ctx.err.message;
    wr_text_putc(&t, '\0');
    return t.ptr;
}

#define ENCODE(format, columns, kv, ...)                                                           \
    encode(&r, &wr_format_##format, columns, (const char *const[]){kv NULL},                       \
           (const char *const[]){__VA_ARGS__},                                                     \
           (uint32_t)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)))
#define NO_OPTIONS
#define OPT(...) __VA_ARGS__,

TEST(csv_all_types)
{
    rig r;
    rig_init(&r);
    CHECK_EQ_STR(ENCODE(csv, ALL, NO_OPTIONS, FULL "]", SPARSE "]"),
                 "1,2,3,1.1,1.0E10,1.5,true,AQI=,2024-01-02,10:00:00.123,\"2024-01-02 10:00:00\","
                 "\"2024-01-02 10:00:00.12Z\",\"2024-01-02 10:00:00.123456789\",\"a;b c\",1;q,abc,"
                 "1E-10,1;2\n"
                 ",,,,,1E+5,false,,0001-01-02,10:00:00,\"2024-01-02 10:00:00.1\","
                 "\"2024-01-02 10:00:00Z\",\"2024-01-02 10:00:00.1234\",a;,;q,\"a  \","
                 "1.234567890123456789E+19,1;\n");
    rig_deinit(&r);
}

TEST(csv_quotes_as_jackson)
{
    rig r;
    rig_init(&r);
    CHECK_EQ_STR(
        ENCODE(csv, "s STRING", NO_OPTIONS, "[\"a b\"]", "[\"a,b\"]", "[\"a\\\"b\"]", "[\"a;b\"]",
               "[\"\"]", "[null]", "[\"a\\nb\"]", "[\"#x\"]", "[\"-x\"]", "[\"ABC\"]",
               "[\"\\u00e9\"]", "[\"a'b\"]", "[\"a_b\"]", "[\"a.b\"]", "[\"@x\"]", "[\"9\"]",
               "[\"abcdefghijklmnopqrstuvwxyzabc\"]", "[\"a\\\\b\"]", "[\"a\\tb\"]", "[\"!x\"]",
               "[\"a(b)\"]", "[\"a/b\"]", "[\"a:b\"]", "[\"a=b\"]", "[\"~\"]", "[\"|\"]", "[\"$\"]",
               "[\"+\"]"),
        "\"a b\"\n\"a,b\"\n\"a\"\"b\"\na;b\n\n\n\"a\nb\"\n\"#x\"\n-x\nABC\n\xc3\xa9\n\"a'b\"\na_b\n"
        "a.b\n@x\n9\n\"abcdefghijklmnopqrstuvwxyzabc\"\n\"a\\b\"\n\"a\tb\"\n\"!x\"\n\"a(b)\"\na/b\n"
        "a:b\na=b\n~\n|\n\"$\"\n\"+\"\n");
    rig_deinit(&r);
}

TEST(csv_delimiters_escape_null_literal)
{
    rig r;
    rig_init(&r);
    CHECK_EQ_STR(
        ENCODE(csv, "c DOUBLE, s STRING",
               OPT("null-literal", "NULL", "field-delimiter", ";", "array-element-delimiter", "|"),
               "[1e-7, null]", "[1e7, \"NULL\"]", "[123456.789, \"a;b\"]", "[123456.789, \"a,b\"]",
               "[0, \"9\"]", "[0, \"a b\"]", "[0, \"xyz\"]", "[0, \"a=b\"]", "[0, \"\"]"),
        "1.0E-7;NULL\n1.0E7;NULL\n123456.789;\"a;b\"\n123456.789;\"a,b\"\n0.0;\"9\"\n"
        "0.0;\"a b\"\n0.0;xyz\n0.0;a=b\n0.0;\n");
    CHECK_EQ_STR(ENCODE(csv, "a INT, s STRING", OPT("escape-character", "\\"), "[1, \"a\\nb\"]",
                        "[2, \"a\\tb\"]", "[3, \"a\\\"b\"]", "[4, \"a\\\\b\"]",
                        "[6, \"abc\\\\n\"]"),
                 "1,\"a\nb\"\n2,\"a\tb\"\n3,\"a\"\"b\"\n4,\"a\\\\b\"\n6,\"abc\\\\n\"\n");
    CHECK_EQ_STR(ENCODE(csv, "a INT, s STRING",
                        OPT("quote-character", "'", "escape-character", "\\"), "[1, \"a'b\"]",
                        "[2, \"a\\\\b\"]", "[3, \"a\\\"b\"]", "[4, \"a b\"]", "[5, \"a,b\"]"),
                 "1,'a''b'\n2,'a\\\\b'\n3,'a\"b'\n4,'a b'\n5,'a,b'\n");
    CHECK_EQ_STR(ENCODE(csv, "a INT, s STRING", OPT("disable-quote-character", "true"),
                        "[1, \"a\\nb\"]", "[3, \"a\\\"b\"]", "[4, \"a\\\\b\"]", "[5, \"a,b\"]"),
                 "1,a\nb\n3,a\"b\n4,a\\b\n5,a,b\n");
    rig_deinit(&r);
}

TEST(csv_decimals_nested_and_special_numbers)
{
    rig r;
    rig_init(&r);
    CHECK_EQ_STR(ENCODE(csv, "a DECIMAL(10,2), b DECIMAL(38,0), c DECIMAL(10,5)", NO_OPTIONS,
                        "[0,0,0]", "[1000,1000000,0.00001]", "[1.10,7,12.5]", "[0.10,0,0.00001]"),
                 "0,0,0\n1E+3,1E+6,0.00001\n1.1,7,12.5\n0.1,0,0.00001\n");
    CHECK_EQ_STR(ENCODE(csv, "a DECIMAL(10,2), b DECIMAL(38,0)",
                        OPT("write-bigdecimal-in-scientific-notation", "false"), "[1000,100000]",
                        "[0.5,0]"),
                 "1000,100000\n0.5,0\n");
    CHECK_EQ_STR(
        ENCODE(csv,
               "a ARRAY<DOUBLE>, b ARRAY<STRING>, c ROW<x DOUBLE,y BOOLEAN,z DATE,w TIMESTAMP(3),"
               "v BYTES,d DECIMAL(10,2)>, d ARRAY<BOOLEAN>",
               NO_OPTIONS,
               "[[1.5,1e10], [\"a;b\",\"c,d\",\"e\\\"f\"], {\"x\":1e10,\"y\":true,\"z\":"
               "\"2024-01-02\",\"w\":\"2024-01-02 10:00:00\",\"v\":\"AQ==\",\"d\":100}, "
               "[true,false]]",
               "[null, [\"\",\"\"], null, [true]]"),
        "1.5;1.0E10,\"a;b;c,d;e\"\"f\",\"1.0E10;true;2024-01-02;2024-01-02 10:00:00;AQ==;1E+2\","
        "true;false\n,;,,true\n");
    CHECK_EQ_STR(
        ENCODE(csv, "d DOUBLE", NO_OPTIONS, "[\"NaN\"]", "[\"Infinity\"]", "[\"-Infinity\"]"),
        "NaN\nInfinity\n-Infinity\n");
    rig_deinit(&r);
}

TEST(json_all_types)
{
    rig r;
    rig_init(&r);
    CHECK_EQ_STR(
        ENCODE(json, ALL ", u MAP<STRING,INT>", NO_OPTIONS, FULL ", {\"a\":1,\"b\":null}]",
               SPARSE ", null]"),
        "{\"a\":1,\"b\":2,\"c\":3,\"d\":1.1,\"e\":1.0E10,\"f\":1.5,\"g\":true,\"h\":\"AQI=\","
        "\"i\":\"2024-01-02\",\"j\":\"10:00:00.123\",\"k\":\"2024-01-02 10:00:00\","
        "\"l\":\"2024-01-02 10:00:00.12Z\",\"m\":\"2024-01-02 10:00:00.123456789\","
        "\"n\":[\"a\",\"b c\"],\"o\":{\"x\":1,\"y\":\"q\"},\"r\":\"abc\",\"s\":1E-10,\"t\":[1,2],"
        "\"u\":{\"a\":1,\"b\":null}}\n"
        "{\"a\":null,\"b\":null,\"c\":null,\"d\":null,\"e\":null,\"f\":1E+5,\"g\":false,\"h\":\"\","
        "\"i\":\"0001-01-02\",\"j\":\"10:00:00\",\"k\":\"2024-01-02 10:00:00.1\","
        "\"l\":\"2024-01-02 10:00:00Z\",\"m\":\"2024-01-02 10:00:00.1234\",\"n\":[\"a\",null],"
        "\"o\":{\"x\":null,\"y\":\"q\"},\"r\":\"a  \",\"s\":1.234567890123456789E+19,"
        "\"t\":[1,null],\"u\":null}\n");
    rig_deinit(&r);
}

TEST(json_iso_plain_decimals_without_nulls)
{
    rig r;
    rig_init(&r);
    CHECK_EQ_STR(
        ENCODE(json,
               "k TIMESTAMP(3), l TIMESTAMP_LTZ(3), m TIMESTAMP(9), j TIME(3), d DECIMAL(30,10), "
               "s STRING, e DOUBLE, n INT",
               OPT("timestamp-format.standard", "ISO-8601", "encode.decimal-as-plain-number",
                   "true", "encode.ignore-null-fields", "true"),
               "[\"2024-01-02 10:00:00\",\"2024-01-02 10:00:00.12Z\","
               "\"2024-01-02 10:00:00.123456789\",\"10:00:00\",0.0000000001,"
               "\"a\\\"b\\\\/\\n\\t\\u0001\\u00e9\\u001F600 \\u2028\",1e-7,null]",
               "[\"2024-01-02 10:00:00.1\",\"2024-01-02 10:00:00Z\","
               "\"2024-01-02 10:00:00.1234\",\"10:01:00\",100000,\"\",1e7,4]"),
        "{\"k\":\"2024-01-02T10:00:00\",\"l\":\"2024-01-02T10:00:00.12Z\","
        "\"m\":\"2024-01-02T10:00:00.123456789\",\"j\":\"10:00:00\",\"d\":0.0000000001,"
        "\"s\":\"a\\\"b\\\\/\\n\\t\\u0001\xc3\xa9\\u001F600 \xe2\x80\xa8\",\"e\":1.0E-7}\n"
        "{\"k\":\"2024-01-02T10:00:00.1\",\"l\":\"2024-01-02T10:00:00Z\","
        "\"m\":\"2024-01-02T10:00:00.1234\",\"j\":\"10:01:00\",\"d\":100000.0000000000,\"s\":\"\","
        "\"e\":1.0E7,\"n\":4}\n");
    CHECK_EQ_STR(ENCODE(json,
                        "s STRING, r ROW<a INT, b ROW<c INT, d STRING>>, a ARRAY<ROW<x INT>>, "
                        "m MAP<STRING, ARRAY<INT>>",
                        OPT("encode.ignore-null-fields", "true"),
                        "[null,{\"b\":{\"c\":1}},[{}],{\"q\":[1,null]}]"),
                 "{\"r\":{\"b\":{\"c\":1}},\"a\":[{}],\"m\":{\"q\":[1,null]}}\n");
    CHECK_EQ_STR(ENCODE(json, "d DOUBLE, f FLOAT", NO_OPTIONS, "[\"NaN\",\"NaN\"]",
                        "[\"-Infinity\",\"Infinity\"]"),
                 "{\"d\":\"NaN\",\"f\":\"NaN\"}\n{\"d\":\"-Infinity\",\"f\":\"Infinity\"}\n");
    rig_deinit(&r);
}

/* JSON has no NULL keys, so the map is made by hand. */
TEST(json_null_keys)
{
    static const char *const modes[] = {"FAIL", "DROP", "LITERAL"};
    static const char *const want[] = {
        ("JSON format doesn't support to serialize map data with null keys. You can drop null key "
         "entries or encode null in literals by specifying map-null-key.mode option."),
        "{\"m\":{\"b\":2}}\n", "{\"m\":{\"nil\":1,\"b\":2}}\n"};
    for (int i = 0; i < 3; i++) {
        rig r;
        rig_init(&r);
        const char *const kv[] = {"map-null-key.mode", modes[i], "map-null-key.literal", "nil",
                                  NULL};
        wr_encoder *e;
        wr_text t;
        CHECK(rig_columns(&r, "m MAP<STRING,INT>"));
        rig_options(&r, kv);
        wr_batch *b = rig_batch(&r, (const char *const[]){"[{\"a\":1,\"b\":2}]"}, 1);
        CHECK(wr_vec_set_null(&b->cols[0].child[0], 0, b->arena));
        wr_field f = {WR_STR("m"), r.table.columns[0].type, WR_STR("")};
        wr_schema schema = {&f, 1};
        wr_text_init(&t, r.arena);
        CHECK_OK(&r.ctx, wr_format_json.encoder_open(&r.ctx, &r.table.options, &schema, &r.eval,
                                                     r.arena, &e));
        wr_status status = wr_format_json.encode(&r.ctx, e, b, &t);
        CHECK(status == (i == 0 ? WR_DATA : WR_OK));
        if (i == 0)
            CHECK_EQ_STR(r.ctx.err.message, want[0]);
        else
            CHECK_EQ_WRSTR(wr_text_str(&t), want[i]);
        wr_format_json.encoder_close(e);
        wr_batch_release(b);
        rig_deinit(&r);
    }
}

TEST(raw_texts_and_numbers)
{
    rig r;
    rig_init(&r);
    CHECK_EQ_STR(ENCODE(raw, "s STRING", NO_OPTIONS, "[\"a\"]", "[\"b\"]"), "a\nb\n");
    CHECK_EQ_STR(ENCODE(raw, "s STRING", OPT("charset", "ISO-8859-1"), "[\"\\u00e9\"]"), "\xe9\n");
    const char *big = ENCODE(raw, "s INT", NO_OPTIONS, "[1]", "[258]");
    CHECK(memcmp(big, "\0\0\0\1\n\0\0\1\2\n", 10) == 0);
    const char *little = ENCODE(raw, "s SMALLINT", OPT("endianness", "little-endian"), "[258]");
    CHECK(memcmp(little, "\2\1\n", 3) == 0);
    CHECK_EQ_STR(ENCODE(raw, "s STRING", NO_OPTIONS, "[null]"),
                 "the 'raw' format cannot write NULL as a line");
    rig_deinit(&r);
}

/* What is written reads back as what it was: every type, csv and json. */
TEST(round_trips)
{
    for (int f = 0; f < 2; f++) {
        rig r;
        rig_init(&r);
        const char *dir = rig_temp_dir(&r);
        CHECK(rig_columns(&r, ALL));
        RIG_OPTIONS(&r, "connector", "filesystem", "path", dir, "format", f ? "json" : "csv",
                    f ? "json.ignore-parse-errors" : "csv.ignore-parse-errors", "true");
        CHECK_OK(&r.ctx, rig_write(&r, (const char *const[]){FULL "]", SPARSE "]"}, 2, false));
        CHECK_OK(&r.ctx, rig_read(&r, NULL));
        CHECK_EQ_STR(
            rig_rows(&r),
            f ? "+I[1, 2, 3, 1.1, 1.0E10, 1.50, true, [1, 2], 2024-01-02, 10:00:00.123, "
                "2024-01-02T10:00, 2024-01-02T10:00:00.120Z, 2024-01-02T10:00:00.123456789, "
                "[a, b c], +I[1, q], abc, 1E-10, [1, 2]]\n"
                "+I[null, null, null, null, null, 100000.00, false, [], 0001-01-02, 10:00, "
                "2024-01-02T10:00:00.100, 2024-01-02T10:00:00Z, 2024-01-02T10:00:00.123400, "
                "[a, null], +I[null, q], a  , 12345678901234567890.0000000000, [1, null]]"
              : "+I[1, 2, 3, 1.1, 1.0E10, 1.50, true, [1, 2], 2024-01-02, 10:00:00.123, "
                "2024-01-02T10:00, 2024-01-02T10:00:00.120Z, 2024-01-02T10:00:00.123456789, "
                "[a, b c], +I[1, q], abc, 1E-10, [1, 2]]\n"
                "+I[null, null, null, null, null, 100000.00, false, [], 0001-01-02, 10:00, "
                "2024-01-02T10:00:00.100, 2024-01-02T10:00:00Z, 2024-01-02T10:00:00.123400, "
                "[a, ], +I[null, q], a  , 12345678901234567890.0000000000, [1, null]]");
        rig_remove(dir);
        rig_deinit(&r);
    }
}

CHECK_MAIN()
