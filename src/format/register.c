/* SPDX-License-Identifier: Apache-2.0 */
/* The room's formats in the registry, and those of Flink that are known by name only. */
#include "format/format.h"

bool
wr_formats_register(void)
{
    return wr_register_format(&wr_format_csv) && wr_register_format(&wr_format_json) &&
           wr_register_format(&wr_format_raw) && wr_register_format(&wr_format_debezium) &&
           wr_register_format(&wr_format_canal) && wr_register_format(&wr_format_maxwell) &&
           wr_register_format(&wr_format_ogg);
}
