/* SPDX-License-Identifier: Apache-2.0 */
/* The formats that come with weir: csv, json, raw, and changelogs in json (debezium-json,
 * canal-json, maxwell-json, ogg-json). Everything else goes through spi/format.h. */
#ifndef WR_FORMAT_FORMAT_H
#define WR_FORMAT_FORMAT_H

#include "spi/registry.h"

/* Put every format of this room into the registry; once, at start. False: out of room. */
bool wr_formats_register(void) WR_MUST_USE;

extern const wr_format_ops wr_format_csv, wr_format_json, wr_format_raw, wr_format_debezium,
    wr_format_canal, wr_format_maxwell, wr_format_ogg;

/* Does the whole of `text` match the Java-like regular expression that is the value of `option`? */
wr_status wr_option_matches(wr_ctx *ctx, const char *option, wr_str pattern, wr_str text,
                            bool *out) WR_MUST_USE;

/* ---- json beyond the vtable ------------------------------------------------------------------ */
/* The elements of a JSON array, from number `first` on, as the columns of a json decoder in order,
 * into row `row` of the batch. Missing ones are NULL, further ones are ignored. */
wr_status wr_json_decode_array(wr_ctx *ctx, wr_decoder *d, wr_str text, uint32_t first,
                               wr_batch *fill, uint32_t row, const wr_decode_pos *pos) WR_MUST_USE;
/* The member `key` of the JSON object in `text`, as it is written (strings with their quotes);
 * *found false: no object or no such member. Only what comes before it is checked. */
wr_status wr_json_member(wr_ctx *ctx, wr_str text, const char *key, wr_str *raw,
                         bool *found) WR_MUST_USE;
/* Is the text one JSON value (and blanks)? */
wr_status wr_json_valid(wr_ctx *ctx, wr_str text, bool *valid) WR_MUST_USE; /* fails: no memory */
/* The content of a JSON string in quotes; other text as it is. */
wr_status wr_json_unquote(wr_ctx *ctx, wr_str raw, wr_arena *a, wr_str *out) WR_MUST_USE;

/* ---- csv beyond the vtable ------------------------------------------------------------------- */
/* Does a newline always end a record, whatever the data? False when fields may be quoted. */
bool wr_csv_lines_are_records(const wr_options *options);
/* The one of , tab ; | that gives the first lines of a sample equally many fields; ',' in doubt. */
char wr_csv_guess_delimiter(wr_str sample, char quote);

#endif
