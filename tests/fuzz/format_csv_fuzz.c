/* SPDX-License-Identifier: Apache-2.0 */
/* The csv decoder on arbitrary bytes: the first two choose options. Never a crash; whole and in
 * pieces the same. links: format */
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
                                          "ARRAY<STRING>",
                                          "ROW<x INT, y STRING>",
                                          "BYTES",
                                          "DATE",
                                          "BOOLEAN"};
    static const char *const keys[] = {"ignore-parse-errors",     "trim-spaces",
                                       "allow-comments",          "ignore-trailing-unmappable",
                                       "fail-on-missing-columns", "empty-string-as-null",
                                       "disable-quote-character", "header"};
    wr_option items[12];
    wr_options o = {items, 0};
    if (size < 2) return 0;
    for (uint32_t i = 0; i < 8; i++)
        if (data[0] >> i & 1)
            items[o.count++] = (wr_option){wr_str_c(keys[i]), WR_STR("true"), WR_NO_SPAN};
    if (data[1] & 1)
        items[o.count++] = (wr_option){WR_STR("escape-character"), WR_STR("\\"), WR_NO_SPAN};
    if (data[1] & 2)
        items[o.count++] = (wr_option){WR_STR("null-literal"), WR_STR("NULL"), WR_NO_SPAN};
    uint32_t count = 1 + (data[1] >> 2) % 10;
    fuzz_both_ways(&wr_format_csv, columns, count, &o, (const char *)data + 2, size - 2,
                   data[1] * 7u + data[0]);
    return 0;
}
