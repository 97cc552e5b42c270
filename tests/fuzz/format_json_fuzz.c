/* SPDX-License-Identifier: Apache-2.0 */
/* The json decoder on arbitrary bytes: the first two choose options. Never a crash; whole and in
 * pieces the same. Then the sample reader. links: format */
#include "fuzz/format_rig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const columns[] = {"INT",
                                          "STRING",
                                          "DOUBLE",
                                          "DECIMAL(5,2)",
                                          "TIMESTAMP(3)",
                                          "ARRAY<INT>",
                                          "ROW<x INT, y STRING>",
                                          "MAP<STRING,INT>",
                                          "BYTES",
                                          "BOOLEAN",
                                          "TIMESTAMP_LTZ(9)",
                                          "TINYINT",
                                          "ARRAY<ROW<p ARRAY<STRING>>>",
                                          "FLOAT",
                                          "DATE",
                                          "BIGINT"};
    wr_option items[4];
    wr_options o = {items, 0};
    if (size < 2) return 0;
    if (data[0] & 1)
        items[o.count++] = (wr_option){WR_STR("ignore-parse-errors"), WR_STR("true"), WR_NO_SPAN};
    else if (data[0] & 2)
        items[o.count++] = (wr_option){WR_STR("fail-on-missing-field"), WR_STR("true"), WR_NO_SPAN};
    if (data[0] & 4)
        items[o.count++] =
            (wr_option){WR_STR("timestamp-format.standard"), WR_STR("ISO-8601"), WR_NO_SPAN};
    if (data[0] & 8)
        items[o.count++] =
            (wr_option){WR_STR("decode.json-parser.enabled"), WR_STR("false"), WR_NO_SPAN};
    fuzz_both_ways(&wr_format_json, columns, 1 + data[1] % 16, &o, (const char *)data + 2, size - 2,
                   data[1] * 7u + data[0]);
    wr_ctx ctx;
    wr_schema schema;
    bool header;
    wr_options none = {0};
    wr_arena *a = wr_arena_create(NULL, 0);
    wr_ctx_init(&ctx);
    wr_status status = wr_format_json.infer(&ctx, (wr_str){(const char *)data + 2, size - 2}, &none,
                                            a, &schema, &header);
    wr_ctx_init(&ctx);
    if (status == WR_OK)
        status = wr_format_csv.infer(&ctx, (wr_str){(const char *)data + 2, size - 2}, &none, a,
                                     &schema, &header);
    (void)status;
    wr_arena_destroy(a);
    return 0;
}
