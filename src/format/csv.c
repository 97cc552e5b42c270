/* SPDX-License-Identifier: Apache-2.0 */
/* The csv format: options, checks, errors with Flink's texts. The loop over the bytes is in
 * csv_decode.isa.c, values in csv_value.c. Columns are positional; there is no header; a record
 * ends at '\n', '\r' or "\r\n" outside quotes, and an empty line is a record with one empty field.
 */
#include "format/csv_int.h"
#include "os/os.h"

const wr_option_def wri_csv_options[] = {
    {"field-delimiter", WR_OPT_STRING, ",", NULL, 0, "The character between fields."},
    {"disable-quote-character", WR_OPT_BOOL, "false", NULL, 0, "Fields are not enclosed."},
    {"quote-character", WR_OPT_STRING, "\"", NULL, 0, "Encloses fields; doubled inside them."},
    {"allow-comments", WR_OPT_BOOL, "false", NULL, 0, "Ignore lines that begin with '#'."},
    {"ignore-parse-errors", WR_OPT_BOOL, "false", NULL, 0,
     "Skip records with errors instead of failing; fields that do not convert become NULL."},
    {"array-element-delimiter", WR_OPT_STRING, ";", NULL, 0,
     "The character between elements of ARRAY and ROW."},
    {"escape-character", WR_OPT_STRING, NULL, NULL, 0, "Takes the meaning from what follows it."},
    {"null-literal", WR_OPT_STRING, NULL, NULL, 0, "The text that stands for NULL."},
    {"write-bigdecimal-in-scientific-notation", WR_OPT_BOOL, "true", NULL, 0,
     "Write 100000 as 1E+5."},
    {"trim-spaces", WR_OPT_BOOL, "false", NULL, 0, "Ignore blanks around unquoted fields."},
    {"ignore-trailing-unmappable", WR_OPT_BOOL, "false", NULL, 0,
     "Ignore fields beyond the last column."},
    {"allow-trailing-comma", WR_OPT_BOOL, "true", NULL, 0,
     "One empty field beyond the last column is fine."},
    {"fail-on-missing-columns", WR_OPT_BOOL, "false", NULL, 0,
     "A record with fewer fields than columns is an error."},
    {"empty-string-as-null", WR_OPT_BOOL, "false", NULL, 0, "An empty field is NULL."},
    {"header", WR_OPT_BOOL, "false", NULL, 0,
     "The first line of a file holds names and is skipped (weir only)."},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

/* ---- options --------------------------------------------------------------------------------- */

static wr_status
get_bool(wr_ctx *ctx, const wr_options *o, const char *key, bool *out)
{
    wr_option_value v;
    WR_TRY(wr_options_get(ctx, o, wri_csv_options, key, &v));
    *out = v.i != 0;
    return WR_OK;
}

wr_status
wri_csv_char(wr_ctx *ctx, const wr_options *o, const char *key, char *out)
{
    wr_option_value v;
    *out = '\0';
    WR_TRY(wr_options_get(ctx, o, wri_csv_options, key, &v));
    if (!v.set) return WR_OK;
    wr_str s = v.text;
    char c = s.len ? s.ptr[0] : '\0';
    if (s.len == 2 && c == '\\') { /* StringEscapeUtils.unescapeJava */
        static const char from[] = "tnrbf\\\"'", to[] = "\t\n\r\b\f\\\"'";
        const char *at = memchr(from, s.ptr[1], 8);
        if (at) c = to[at - from], s.len = 1;
    } else if (s.len == 6 && c == '\\' && s.ptr[1] == 'u') {
        uint32_t cp = 0;
        for (int i = 2; i < 6; i++) {
            char h = s.ptr[i];
            uint32_t d = h >= '0' && h <= '9' ? (uint32_t)(h - '0') : ((uint32_t)h | 32) - 'a' + 10;
            cp = cp << 4 | (d & 15);
        }
        if (cp > 0 && cp < 0x80) c = (char)cp, s.len = 1;
    }
    const wr_option *written = wr_options_find(o, key);
    wr_span span = written ? written->span : WR_NO_SPAN;
    if (s.len != 1 && wr_utf8_count(s.ptr, s.len) == 1)
        return wr_raise_at(ctx, WR_UNSUPPORTED, span,
                           "not supported yet: option 'csv.%s' with a character outside ASCII",
                           key);
    if (s.len != 1)
        return wr_raise_at(ctx, WR_OPTION, span,
                           "Option 'csv.%s' must be a string with single character, but was: %.*s",
                           key, WR_STR_ARG(v.text));
    *out = c;
    return WR_OK;
}

static wr_status
read_options(wr_ctx *ctx, const wr_options *o, wri_csv *c)
{
    bool no_quotes;
    wr_option_value v;
    WR_TRY(wri_csv_char(ctx, o, "field-delimiter", &c->delim));
    WR_TRY(wri_csv_char(ctx, o, "quote-character", &c->quote));
    WR_TRY(wri_csv_char(ctx, o, "escape-character", &c->escape));
    WR_TRY(wri_csv_char(ctx, o, "array-element-delimiter", &c->array_delim));
    WR_TRY(get_bool(ctx, o, "disable-quote-character", &no_quotes));
    WR_TRY(get_bool(ctx, o, "allow-comments", &c->comments));
    WR_TRY(get_bool(ctx, o, "ignore-parse-errors", &c->ignore_errors));
    WR_TRY(get_bool(ctx, o, "trim-spaces", &c->trim));
    WR_TRY(get_bool(ctx, o, "ignore-trailing-unmappable", &c->unmappable));
    WR_TRY(get_bool(ctx, o, "allow-trailing-comma", &c->trailing_comma));
    WR_TRY(get_bool(ctx, o, "fail-on-missing-columns", &c->fail_on_missing));
    WR_TRY(get_bool(ctx, o, "empty-string-as-null", &c->empty_null));
    WR_TRY(get_bool(ctx, o, "header", &c->header));
    WR_TRY(wr_options_get(ctx, o, wri_csv_options, "null-literal", &v));
    c->has_null = v.set;
    c->null_literal = v.text;
    const wr_option *quote = wr_options_find(o, "quote-character");
    if (no_quotes && quote)
        return wr_raise_at(ctx, WR_OPTION, quote->span,
                           "Format cannot define a quote character and disabled quote character at "
                           "the same time.");
    if (no_quotes) c->quote = '\0';
    return WR_OK;
}

bool
wr_csv_lines_are_records(const wr_options *options)
{
    const wr_option *o = wr_options_find(options, "disable-quote-character");
    return o && wr_str_eq_nocase(o->value, WR_STR("true")) &&
           !wr_options_find(options, "escape-character");
}

static wr_status
raise_type(wr_ctx *ctx, const wr_field *f, const wr_type *t, bool nested)
{
    wr_arena *a = wr_arena_create(NULL, 1024);
    WR_TRY_ALLOC(ctx, a);
    wr_str s = wr_type_str(t, WR_TYPE_SUMMARY, a);
    wr_status status =
        nested ? wr_raise(ctx, WR_UNSUPPORTED,
                          "Only simple types are supported in the second level nesting of fields "
                          "'%.*s' but was: %.*s",
                          WR_STR_ARG(f->name), WR_STR_ARG(s))
               : wr_raise(ctx, WR_UNSUPPORTED, "Unsupported type '%.*s' for field '%.*s'.",
                          WR_STR_ARG(s), WR_STR_ARG(f->name));
    wr_arena_destroy(a);
    return status;
}

static bool
is_simple(const wr_type *t)
{
    return t->id <= WR_T_TIMESTAMP_LTZ || t->id == WR_T_INTERVAL_YM || t->id == WR_T_INTERVAL_DT;
}

wr_status
wri_csv_check_type(wr_ctx *ctx, const wr_field *f)
{
    const wr_type *t = f->type;
    if (t->id == WR_T_NULL) return raise_type(ctx, f, t, false);
    if (is_simple(t)) return WR_OK;
    if (t->id != WR_T_ARRAY && t->id != WR_T_ROW) return raise_type(ctx, f, t, false);
    for (uint32_t i = 0; i < t->field_count; i++)
        if (!is_simple(t->fields[i].type)) return raise_type(ctx, f, t->fields[i].type, true);
    return WR_OK;
}

static wr_status
csv_validate(wr_ctx *ctx, const wr_schema *schema, const wr_options *options, bool encode)
{
    (void)encode;
    wri_csv probe;
    memset(&probe, 0, sizeof probe);
    WR_TRY(read_options(ctx, options, &probe));
    for (uint32_t i = 0; i < schema->count; i++)
        WR_TRY(wri_csv_check_type(ctx, &schema->fields[i]));
    return WR_OK;
}

/* ---- decoder --------------------------------------------------------------------------------- */

static wr_status
csv_decoder_open(wr_ctx *ctx, const wr_decode_spec *spec, wr_decoder **out)
{
    wri_csv *c = WR_NEW(spec->arena, wri_csv);
    WR_TRY_ALLOC(ctx, c);
    WR_TRY(read_options(ctx, &spec->options, c));
    c->source_name = spec->source_name;
    c->column_count = spec->schema.count;
    c->columns = WR_NEW_N(spec->arena, wri_csv_column, c->column_count ? c->column_count : 1);
    WR_TRY_ALLOC(ctx, c->columns);
    for (uint32_t i = 0; i < c->column_count; i++) {
        const wr_field *f = &spec->schema.fields[i];
        WR_TRY(wri_csv_check_type(ctx, f));
        c->columns[i] = (wri_csv_column){.kind = (uint8_t)wri_kind_of(f->type),
                                         .zoned = f->type->id == WR_T_TIMESTAMP_LTZ,
                                         .out = spec->out[i],
                                         .type = f->type,
                                         .name = f->name};
        c->wanted_count += spec->out[i] >= 0;
    }
    *out = (wr_decoder *)c;
    return WR_OK;
}

static void
csv_decoder_close(wr_decoder *d)
{
    (void)d;
}

static uint64_t
csv_skipped(const wr_decoder *d)
{
    return ((const wri_csv *)d)->skipped;
}

static wri_csv_fn
best_fn(void)
{
#if defined(__x86_64__)
    if (wr_os_isa_level() == WR_OS_ISA_V4) return wri_csv_rows_v4;
    if (wr_os_isa_level() == WR_OS_ISA_V3) return wri_csv_rows_v3;
#endif
    return wri_csv_rows_v1;
}

static void
field_hint(wr_ctx *ctx, const wri_csv_column *col, wr_str text)
{
    int n = (int)WR_MIN(text.len, (size_t)200);
    switch ((wri_kind)col->kind) {
    case WRI_K_ROW:
        wr_hint(ctx, "Row length mismatch, or an element does not convert: \"%.*s\"", n, text.ptr);
        break;
    case WRI_K_BYTES:
        wr_hint(ctx, "Unable to deserialize byte array: broken Base64 encoding \"%.*s\"", n,
                text.ptr);
        break;
    case WRI_K_DATE:
    case WRI_K_TIME:
    case WRI_K_TS_MS:
    case WRI_K_TS_NS:
        wr_hint(ctx, "Text '%.*s' could not be parsed", n, text.ptr);
        break;
    case WRI_K_BOOL:
    case WRI_K_I8:
    case WRI_K_I16:
    case WRI_K_I32:
    case WRI_K_I64:
    case WRI_K_F32:
    case WRI_K_F64:
    case WRI_K_DEC64:
    case WRI_K_DEC128:
    case WRI_K_STR:
    case WRI_K_LIST:
    case WRI_K_MAP:
        wr_hint(ctx, "For input string: \"%.*s\"", n, text.ptr);
        break;
    }
}

static wr_status
raise_text(wr_ctx *ctx, const wri_csv *c)
{
    int n = (int)WR_MIN(c->err_text.len, (size_t)200);
    switch (c->err) {
    case WRI_CE_FIELD:
        field_hint(ctx, &c->columns[c->err_column], c->err_text);
        return wr_raise(ctx, WR_DATA, "Fail to deserialize at field: %.*s.",
                        WR_STR_ARG(c->columns[c->err_column].name));
    case WRI_CE_MANY:
        return wr_raise(ctx, WR_DATA,
                        "Too many entries: expected at most %u (value #%u (%zu chars) \"%.*s\")",
                        c->column_count, c->err_column,
                        wr_utf8_count(c->err_text.ptr, c->err_text.len), n, c->err_text.ptr);
    case WRI_CE_FEW:
        if (c->fail_on_missing)
            return wr_raise(ctx, WR_DATA, "Not enough column values: expected %u, found %u",
                            c->column_count, c->err_column);
        return wr_raise(ctx, WR_DATA, "Row length mismatch. %u fields expected but was %u.",
                        c->wanted_count, c->err_column);
    case WRI_CE_QUOTE: {
        unsigned char x = (unsigned char)*c->err_at;
        return wr_raise(ctx, WR_DATA,
                        "Unexpected character ('%c' (code %u)): Expected column separator "
                        "character ('%c' (code %u)) or end-of-line",
                        x >= 0x20 && x < 0x7f ? x : '?', x, c->delim, (unsigned)c->delim);
    }
    case WRI_CE_OPEN:
        return wr_raise(ctx, WR_DATA, "Missing closing quote for value");
    case WRI_CE_UTF8:
        return wr_raise(ctx, WR_DATA,
                        "Invalid UTF-8 byte: check content encoding, does not look "
                        "like UTF-8");
    case WRI_CE_NONE:
    case WRI_CE_NOMEM:
        break;
    }
    return wr_raise(ctx, WR_NOMEM, "out of memory");
}

static wr_status
raise_record(wr_ctx *ctx, const wri_csv *c, const char *record, const wr_decode_pos *pos)
{
    wr_status status = raise_text(ctx, c);
    uint64_t column = c->err_at && c->err_at >= record ? (uint64_t)(c->err_at - record) + 1 : 1;
    wr_frame(ctx, "%.*s, line %llu, column %llu, byte %llu", (int)WR_MIN(pos->file.len, (size_t)90),
             pos->file.ptr, (unsigned long long)pos->line, (unsigned long long)column,
             (unsigned long long)(pos->byte + column - 1));
    return status;
}

static bool
begin_columns(const wri_csv *c, wr_batch *fill, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < c->column_count; i++)
        if (c->columns[i].out >= 0 &&
            !wri_nulls_begin(&fill->cols[c->columns[i].out], from, to, fill->arena))
            return false;
    return true;
}

static void
end_columns(const wri_csv *c, wr_batch *fill, uint32_t rows)
{
    for (uint32_t i = 0; i < c->column_count; i++)
        if (c->columns[i].out >= 0) wri_nulls_end(&fill->cols[c->columns[i].out], rows);
}

static wr_status
csv_decode(wr_ctx *ctx, wr_decoder *d, const char *data, size_t len, bool last, bool stable,
           wr_batch *fill, uint32_t *rows, uint32_t max_rows, size_t *used, wr_decode_pos *pos)
{
    wri_csv *c = (wri_csv *)d;
    *used = 0;
    if (*rows >= max_rows || len == 0) return WR_OK;
    c->fill = fill;
    c->stable = stable;
    size_t bom = 0;
    if (pos->byte == 0) {
        if (len < 3 && !last) return WR_OK;
        if (len >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) bom = 3;
        if (c->header) {
            const char *nl = memchr(data, '\n', len);
            if (!nl && !last) return WR_OK;
            *used = nl ? (size_t)(nl - data) + 1 : len;
            pos->line++;
            pos->byte = *used;
            return WR_OK;
        }
    }
    if (!begin_columns(c, fill, *rows, max_rows)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    wri_csv_run run = {
        .p = data + bom, .end = data + len, .last = last, .rows = *rows, .max_rows = max_rows};
    bool ok = best_fn()(c, &run);
    bool nothing = run.p == data + bom && !last; /* keep the mark until a record follows it */
    *used = nothing ? 0 : (size_t)(run.p - data);
    pos->line += run.lines;
    pos->byte += *used;
    *rows = run.rows;
    end_columns(c, fill, run.rows);
    return ok ? WR_OK : raise_record(ctx, c, run.p, pos);
}

static wr_status
csv_decode_one(wr_ctx *ctx, wr_decoder *d, wr_str record, wr_batch *fill, uint32_t *rows,
               uint32_t max_rows, wr_decode_pos *pos)
{
    size_t used = 0;
    wr_decode_pos at = *pos;
    at.byte += 1;                               /* not the beginning of a file */
    if (record.len == 0) record = WR_STR("\n"); /* a message with one empty field */
    WR_TRY(csv_decode(ctx, d, record.ptr, record.len, true, false, fill, rows,
                      WR_MIN(*rows + 1, max_rows), &used, &at));
    return WR_OK;
}

const wr_format_ops wr_format_csv = {
    .abi = WR_ABI,
    .name = "csv",
    .options = wri_csv_options,
    .changelog = WR_CL_INSERT_ONLY,
    .line_delimited = true,
    .can_encode = true,
    .validate = csv_validate,
    .decoder_open = csv_decoder_open,
    .decode = csv_decode,
    .decode_one = csv_decode_one,
    .skipped = csv_skipped,
    .decoder_close = csv_decoder_close,
    .encoder_open = wri_csv_encoder_open,
    .encode = wri_csv_encode,
    .encoder_close = wri_csv_encoder_close,
    .infer = wri_csv_infer,
};
