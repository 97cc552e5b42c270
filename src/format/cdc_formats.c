/* SPDX-License-Identifier: Apache-2.0 */
/* debezium-json, canal-json, maxwell-json, ogg-json: their options and what they offer. */
#include "format/cdc_int.h"

static const wr_option_def debezium_options[] = {
    {"schema-include", WR_OPT_BOOL, "false", NULL, 0,
     "Messages hold their schema: the change is the member 'payload'."},
    {"ignore-parse-errors", WR_OPT_BOOL, "false", NULL, 0,
     "Skip messages with errors instead of failing; fields become NULL."},
    {"timestamp-format.standard", WR_OPT_STRING, "SQL", NULL, 0,
     "'SQL' (yyyy-MM-dd HH:mm:ss.s) or 'ISO-8601' (yyyy-MM-ddTHH:mm:ss.s)."},
    {"map-null-key.mode", WR_OPT_STRING, "FAIL", NULL, 0,
     "What writing does with a NULL key of a map: FAIL, DROP or LITERAL."},
    {"map-null-key.literal", WR_OPT_STRING, "null", NULL, 0,
     "The key to write when 'map-null-key.mode' is LITERAL."},
    {"encode.decimal-as-plain-number", WR_OPT_BOOL, "false", NULL, 0,
     "Write decimals without exponent and with all digits of their scale."},
    {"encode.ignore-null-fields", WR_OPT_BOOL, "false", NULL, 0,
     "Leave NULL fields out when writing."},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

const wr_option_def wri_cdc_canal_options[] = {
    {"database.include", WR_OPT_STRING, NULL, NULL, 0,
     "Read only changes of databases whose whole name matches this regular expression."},
    {"table.include", WR_OPT_STRING, NULL, NULL, 0,
     "Read only changes of tables whose whole name matches this regular expression."},
    {"ignore-parse-errors", WR_OPT_BOOL, "false", NULL, 0,
     "Skip messages with errors instead of failing; fields become NULL."},
    {"timestamp-format.standard", WR_OPT_STRING, "SQL", NULL, 0,
     "'SQL' (yyyy-MM-dd HH:mm:ss.s) or 'ISO-8601' (yyyy-MM-ddTHH:mm:ss.s)."},
    {"map-null-key.mode", WR_OPT_STRING, "FAIL", NULL, 0,
     "What writing does with a NULL key of a map: FAIL, DROP or LITERAL."},
    {"map-null-key.literal", WR_OPT_STRING, "null", NULL, 0,
     "The key to write when 'map-null-key.mode' is LITERAL."},
    {"encode.decimal-as-plain-number", WR_OPT_BOOL, "false", NULL, 0,
     "Write decimals without exponent and with all digits of their scale."},
    {"encode.ignore-null-fields", WR_OPT_BOOL, "false", NULL, 0,
     "Leave NULL fields out when writing."},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

static const wr_option_def maxwell_options[] = {
    {"ignore-parse-errors", WR_OPT_BOOL, "false", NULL, 0,
     "Skip messages with errors instead of failing; fields become NULL."},
    {"timestamp-format.standard", WR_OPT_STRING, "SQL", NULL, 0,
     "'SQL' (yyyy-MM-dd HH:mm:ss.s) or 'ISO-8601' (yyyy-MM-ddTHH:mm:ss.s)."},
    {"map-null-key.mode", WR_OPT_STRING, "FAIL", NULL, 0,
     "What writing does with a NULL key of a map: FAIL, DROP or LITERAL."},
    {"map-null-key.literal", WR_OPT_STRING, "null", NULL, 0,
     "The key to write when 'map-null-key.mode' is LITERAL."},
    {"encode.decimal-as-plain-number", WR_OPT_BOOL, "false", NULL, 0,
     "Write decimals without exponent and with all digits of their scale."},
    {"encode.ignore-null-fields", WR_OPT_BOOL, "false", NULL, 0,
     "Leave NULL fields out when writing."},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

static const wr_option_def ogg_options[] = {
    {"ignore-parse-errors", WR_OPT_BOOL, "false", NULL, 0,
     "Skip messages with errors instead of failing; fields become NULL."},
    {"timestamp-format.standard", WR_OPT_STRING, "SQL", NULL, 0,
     "'SQL' (yyyy-MM-dd HH:mm:ss.s) or 'ISO-8601' (yyyy-MM-ddTHH:mm:ss.s)."},
    {"map-null-key.mode", WR_OPT_STRING, "FAIL", NULL, 0,
     "What writing does with a NULL key of a map: FAIL, DROP or LITERAL."},
    {"map-null-key.literal", WR_OPT_STRING, "null", NULL, 0,
     "The key to write when 'map-null-key.mode' is LITERAL."},
    {"encode.decimal-as-plain-number", WR_OPT_BOOL, "false", NULL, 0,
     "Write decimals without exponent and with all digits of their scale."},
    {"encode.ignore-null-fields", WR_OPT_BOOL, "false", NULL, 0,
     "Leave NULL fields out when writing."},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

/* ---- options --------------------------------------------------------------------------------- */

static wr_status
debezium_validate(wr_ctx *ctx, const wr_schema *schema, const wr_options *options, bool encode)
{
    wr_option_value v;
    WR_TRY(wr_options_get(ctx, options, debezium_options, "schema-include", &v));
    if (encode && v.i)
        return wr_raise_at(ctx, WR_OPTION, wr_options_find(options, "schema-include")->span,
                           "Debezium JSON serialization doesn't support "
                           "'debezium-json.schema-include' option been set to true.");
    return wri_json_validate(ctx, schema, options, encode);
}

/* ---- opening --------------------------------------------------------------------------------- */

static wr_status
debezium_open(wr_ctx *ctx, const wr_decode_spec *spec, wr_decoder **out)
{
    wr_option_value v;
    WR_TRY(wr_options_get(ctx, &spec->options, debezium_options, "schema-include", &v));
    return wri_cdc_open(ctx, spec, &wri_cdc_debezium, v.i != 0, out);
}

static wr_status
canal_open(wr_ctx *ctx, const wr_decode_spec *spec, wr_decoder **out)
{
    return wri_cdc_open(ctx, spec, &wri_cdc_canal, false, out);
}

static wr_status
maxwell_open(wr_ctx *ctx, const wr_decode_spec *spec, wr_decoder **out)
{
    return wri_cdc_open(ctx, spec, &wri_cdc_maxwell, false, out);
}

static wr_status
ogg_open(wr_ctx *ctx, const wr_decode_spec *spec, wr_decoder **out)
{
    return wri_cdc_open(ctx, spec, &wri_cdc_ogg, false, out);
}

/* ---- metadata and writing -------------------------------------------------------------------- */

static wr_status
debezium_metadata(wr_ctx *ctx, wr_arena *a, const wr_metadata_col **out)
{
    return wri_cdc_metadata(ctx, &wri_cdc_debezium, a, out);
}

static wr_status
debezium_encode(wr_ctx *ctx, wr_encoder *e, const wr_batch *batch, wr_text *out)
{
    return wri_cdc_encode(ctx, &wri_cdc_debezium, e, batch, out);
}

static wr_status
canal_metadata(wr_ctx *ctx, wr_arena *a, const wr_metadata_col **out)
{
    return wri_cdc_metadata(ctx, &wri_cdc_canal, a, out);
}

static wr_status
canal_encode(wr_ctx *ctx, wr_encoder *e, const wr_batch *batch, wr_text *out)
{
    return wri_cdc_encode(ctx, &wri_cdc_canal, e, batch, out);
}

static wr_status
maxwell_metadata(wr_ctx *ctx, wr_arena *a, const wr_metadata_col **out)
{
    return wri_cdc_metadata(ctx, &wri_cdc_maxwell, a, out);
}

static wr_status
maxwell_encode(wr_ctx *ctx, wr_encoder *e, const wr_batch *batch, wr_text *out)
{
    return wri_cdc_encode(ctx, &wri_cdc_maxwell, e, batch, out);
}

static wr_status
ogg_metadata(wr_ctx *ctx, wr_arena *a, const wr_metadata_col **out)
{
    return wri_cdc_metadata(ctx, &wri_cdc_ogg, a, out);
}

static wr_status
ogg_encode(wr_ctx *ctx, wr_encoder *e, const wr_batch *batch, wr_text *out)
{
    return wri_cdc_encode(ctx, &wri_cdc_ogg, e, batch, out);
}

/* ---- the formats ----------------------------------------------------------------------------- */

const wr_format_ops wr_format_debezium = {
    .abi = WR_ABI,
    .name = "debezium-json",
    .options = debezium_options,
    .changelog = WR_CL_ALL,
    .line_delimited = true,
    .can_encode = true,
    .metadata = debezium_metadata,
    .validate = debezium_validate,
    .decoder_open = debezium_open,
    .decode = wri_cdc_decode,
    .decode_one = wri_cdc_decode_one,
    .partial = wri_cdc_partial,
    .resume = wri_cdc_resume,
    .skipped = wri_json_skipped,
    .decoder_close = wri_cdc_close,
    .encoder_open = wri_json_encoder_open,
    .encode = debezium_encode,
    .encoder_close = wri_json_encoder_close,
};

const wr_format_ops wr_format_canal = {
    .abi = WR_ABI,
    .name = "canal-json",
    .options = wri_cdc_canal_options,
    .changelog = WR_CL_ALL,
    .line_delimited = true,
    .can_encode = true,
    .metadata = canal_metadata,
    .validate = wri_json_validate,
    .decoder_open = canal_open,
    .decode = wri_cdc_decode,
    .decode_one = wri_cdc_decode_one,
    .partial = wri_cdc_partial,
    .resume = wri_cdc_resume,
    .skipped = wri_json_skipped,
    .decoder_close = wri_cdc_close,
    .encoder_open = wri_json_encoder_open,
    .encode = canal_encode,
    .encoder_close = wri_json_encoder_close,
};

const wr_format_ops wr_format_maxwell = {
    .abi = WR_ABI,
    .name = "maxwell-json",
    .options = maxwell_options,
    .changelog = WR_CL_ALL,
    .line_delimited = true,
    .can_encode = true,
    .metadata = maxwell_metadata,
    .validate = wri_json_validate,
    .decoder_open = maxwell_open,
    .decode = wri_cdc_decode,
    .decode_one = wri_cdc_decode_one,
    .partial = wri_cdc_partial,
    .resume = wri_cdc_resume,
    .skipped = wri_json_skipped,
    .decoder_close = wri_cdc_close,
    .encoder_open = wri_json_encoder_open,
    .encode = maxwell_encode,
    .encoder_close = wri_json_encoder_close,
};

const wr_format_ops wr_format_ogg = {
    .abi = WR_ABI,
    .name = "ogg-json",
    .options = ogg_options,
    .changelog = WR_CL_ALL,
    .line_delimited = true,
    .can_encode = true,
    .metadata = ogg_metadata,
    .validate = wri_json_validate,
    .decoder_open = ogg_open,
    .decode = wri_cdc_decode,
    .decode_one = wri_cdc_decode_one,
    .partial = wri_cdc_partial,
    .resume = wri_cdc_resume,
    .skipped = wri_json_skipped,
    .decoder_close = wri_cdc_close,
    .encoder_open = wri_json_encoder_open,
    .encode = ogg_encode,
    .encoder_close = wri_json_encoder_close,
};
