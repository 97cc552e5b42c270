/* SPDX-License-Identifier: Apache-2.0 */
/* The decoders of change messages on arbitrary bytes: the first two choose format and options.
 * Never a crash; whole and in pieces the same. links: format */
#include "fuzz/format_rig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const columns[] = {
        "INT", "STRING", "DECIMAL(5,2)", "ROW<x INT, y STRING>", "ARRAY<INT>", "MAP<STRING,INT>"};
    const wr_format_ops *const formats[] = {&wr_format_debezium, &wr_format_canal,
                                            &wr_format_maxwell, &wr_format_ogg};
    wr_option items[4];
    wr_options o = {items, 0};
    if (size < 2) return 0;
    const unsigned which = data[0] & 3;
    if (data[0] & 4)
        items[o.count++] = (wr_option){WR_STR("ignore-parse-errors"), WR_STR("true"), WR_NO_SPAN};
    if (which == 0 && (data[0] & 8))
        items[o.count++] = (wr_option){WR_STR("schema-include"), WR_STR("true"), WR_NO_SPAN};
    if (which == 1 && (data[0] & 16))
        items[o.count++] = (wr_option){WR_STR("table.include"), WR_STR("t.*"), WR_NO_SPAN};
    fuzz_both_ways(formats[which], columns, 1 + data[1] % 6, &o, (const char *)data + 2, size - 2,
                   data[1] * 7u + data[0]);
    return 0;
}
