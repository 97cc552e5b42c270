/* SPDX-License-Identifier: Apache-2.0 */
/* Rows to JSON, one object a line, with exactly the text of Flink's json format. */
#include "format/json_int.h"
#include "format/print.h"
#include "types/decimal.h"
#include "types/number.h"

typedef enum null_key { NULL_KEY_FAIL, NULL_KEY_DROP, NULL_KEY_LITERAL } null_key;

typedef struct json_encoder { /* wr_encoder */
    wr_schema schema;
    bool iso, plain_decimals, skip_nulls;
    null_key mode;
    wr_str literal;
    wr_str *keys; /* "name": per column */
} json_encoder;

static wr_status
read_bool(wr_ctx *ctx, const wr_options *o, const char *key, bool *out)
{
    wr_option_value v;
    WR_TRY(wr_options_get(ctx, o, wri_json_options, key, &v));
    *out = v.i != 0;
    return WR_OK;
}

static wr_str
quoted_key(wr_arena *a, wr_str name)
{
    wr_text t;
    wr_text_init(&t, a);
    wri_json_quote(&t, name, true);
    wr_text_putc(&t, ':');
    return t.failed ? (wr_str){NULL, 0} : wr_text_str(&t);
}

wr_status
wri_json_encoder_open(wr_ctx *ctx, const wr_options *options, const wr_schema *schema,
                      const wr_eval_env *eval, wr_arena *arena, wr_encoder **out)
{
    (void)eval;
    json_encoder *e = WR_NEW(arena, json_encoder);
    WR_TRY_ALLOC(ctx, e);
    wr_option_value v;
    e->schema = *schema;
    WR_TRY(read_bool(ctx, options, "encode.decimal-as-plain-number", &e->plain_decimals));
    WR_TRY(read_bool(ctx, options, "encode.ignore-null-fields", &e->skip_nulls));
    WR_TRY(wr_options_get(ctx, options, wri_json_options, "timestamp-format.standard", &v));
    e->iso = wr_str_eq_c(v.text, "ISO-8601");
    WR_TRY(wr_options_get(ctx, options, wri_json_options, "map-null-key.mode", &v));
    e->mode = wr_str_eq_nocase(v.text, WR_STR("DROP"))      ? NULL_KEY_DROP
              : wr_str_eq_nocase(v.text, WR_STR("LITERAL")) ? NULL_KEY_LITERAL
                                                            : NULL_KEY_FAIL;
    WR_TRY(wr_options_get(ctx, options, wri_json_options, "map-null-key.literal", &v));
    e->literal = v.text;
    e->keys = WR_NEW_N(arena, wr_str, schema->count ? schema->count : 1);
    WR_TRY_ALLOC(ctx, e->keys);
    for (uint32_t i = 0; i < schema->count; i++) {
        WR_TRY(wri_json_check_type(ctx, schema->fields[i].type));
        e->keys[i] = quoted_key(arena, schema->fields[i].name);
        WR_TRY_ALLOC(ctx, e->keys[i].ptr);
    }
    *out = (wr_encoder *)e;
    return WR_OK;
}

void
wri_json_encoder_close(wr_encoder *e)
{
    (void)e;
}

static wr_status encode_value(wr_ctx *ctx, const json_encoder *e, const wr_vec *v, uint32_t row,
                              wr_text *out);

static void
put_double(double d, bool single, wr_text *out)
{
    char buf[WR_F64_TEXT_MAX];
    uint32_t n = single ? wr_f32_print((float)d, buf) : wr_f64_print(d, buf);
    bool odd = n > 0 && (buf[n - 1] == 'y' || buf[n - 1] == 'N');
    if (odd) wr_text_putc(out, '"');
    wr_text_put(out, buf, n);
    if (odd) wr_text_putc(out, '"');
}

static void
put_decimal(const json_encoder *e, const wr_vec *v, uint32_t i, wr_text *out)
{
    char buf[64];
    wr_i128 x = wri_decimal_at(v, i);
    uint32_t n = e->plain_decimals ? wr_dec_print(x, v->type->scale, buf)
                                   : wri_print_stripped(x, v->type->scale, false, buf);
    wr_text_put(out, buf, n);
}

static void
put_quoted(const char *p, uint32_t n, wr_text *out)
{
    wr_text_putc(out, '"');
    wr_text_put(out, p, n);
    wr_text_putc(out, '"');
}

static void
put_timestamp(const json_encoder *e, const wr_vec *v, uint32_t i, wr_text *out)
{
    char buf[WRI_TIME_TEXT_MAX];
    int64_t ms;
    int32_t nano;
    wri_ts_parts(v, i, &ms, &nano);
    bool z = v->type->id == WR_T_TIMESTAMP_LTZ;
    put_quoted(buf, wri_print_timestamp(ms, nano, e->iso ? 'T' : ' ', z, buf), out);
}

static wr_status
encode_list(wr_ctx *ctx, const json_encoder *e, const wr_vec *v, uint32_t i, wr_text *out)
{
    wr_list l = ((const wr_list *)v->data)[i];
    wr_text_putc(out, '[');
    for (uint32_t k = 0; k < l.len; k++) {
        if (k) wr_text_putc(out, ',');
        WR_TRY(encode_value(ctx, e, &v->child[0], l.off + k, out));
    }
    wr_text_putc(out, ']');
    return WR_OK;
}

static wr_status
encode_map(wr_ctx *ctx, const json_encoder *e, const wr_vec *v, uint32_t i, wr_text *out)
{
    wr_list l = ((const wr_list *)v->data)[i];
    const wr_vec *keys = &v->child[0];
    bool any = false;
    wr_text_putc(out, '{');
    for (uint32_t k = 0; k < l.len; k++) {
        wr_str key = e->literal;
        if (!wr_vec_is_null(keys, l.off + k)) {
            key = wr_strv_str(&((const wr_strv *)keys->data)[wr_vec_index(keys, l.off + k)]);
        } else if (e->mode == NULL_KEY_DROP) {
            continue;
        } else if (e->mode == NULL_KEY_FAIL) {
            return wr_raise(ctx, WR_DATA,
                            "JSON format doesn't support to serialize map data with null keys. You "
                            "can drop null key entries or encode null in literals by specifying "
                            "map-null-key.mode option.");
        }
        if (any) wr_text_putc(out, ',');
        any = true;
        wri_json_quote(out, key, true);
        wr_text_putc(out, ':');
        WR_TRY(encode_value(ctx, e, &v->child[1], l.off + k, out));
    }
    wr_text_putc(out, '}');
    return WR_OK;
}

static wr_status
encode_row(wr_ctx *ctx, const json_encoder *e, const wr_vec *v, uint32_t i, wr_text *out)
{
    bool any = false;
    wr_text_putc(out, '{');
    for (uint32_t k = 0; k < v->child_count; k++) {
        if (e->skip_nulls && wr_vec_is_null(&v->child[k], i)) continue;
        if (any) wr_text_putc(out, ',');
        any = true;
        wri_json_quote(out, v->type->fields[k].name, true);
        wr_text_putc(out, ':');
        WR_TRY(encode_value(ctx, e, &v->child[k], i, out));
    }
    wr_text_putc(out, '}');
    return WR_OK;
}

static void
encode_i32(const wr_vec *v, uint32_t i, wr_text *out)
{
    char buf[WRI_TIME_TEXT_MAX];
    int32_t x = ((const int32_t *)v->data)[i];
    if (v->type->id == WR_T_DATE)
        put_quoted(buf, wri_print_date(x, buf), out);
    else if (v->type->id == WR_T_TIME)
        put_quoted(buf, wri_print_time(x, 0, buf), out);
    else
        wr_text_put(out, buf, wr_i64_print(x, buf));
}

static void
encode_str(const wr_vec *v, uint32_t i, wr_text *out)
{
    wr_str s = wr_strv_str(&((const wr_strv *)v->data)[i]);
    if (!wr_type_is_binary(v->type)) {
        wri_json_quote(out, s, true);
        return;
    }
    wr_text_putc(out, '"');
    wri_format_base64_encode((const uint8_t *)s.ptr, s.len, out);
    wr_text_putc(out, '"');
}

static wr_status
encode_value(wr_ctx *ctx, const json_encoder *e, const wr_vec *v, uint32_t row, wr_text *out)
{
    if (wr_vec_is_null(v, row)) {
        wr_text_put(out, "null", 4);
        return WR_OK;
    }
    char buf[WR_I64_TEXT_MAX];
    uint32_t i = wr_vec_index(v, row);
    switch ((wr_phys)v->phys) {
    case WR_PHYS_BOOL:
        wr_text_puts(out, ((const uint8_t *)v->data)[i] ? "true" : "false");
        break;
    case WR_PHYS_I8:
    case WR_PHYS_I16:
        wr_text_put(out, buf, wr_i64_print(wri_integer_at(v, i), buf));
        break;
    case WR_PHYS_I32:
        encode_i32(v, i, out);
        break;
    case WR_PHYS_I64:
        if (v->type->id == WR_T_DECIMAL)
            put_decimal(e, v, i, out);
        else if (v->type->id == WR_T_TIMESTAMP || v->type->id == WR_T_TIMESTAMP_LTZ)
            put_timestamp(e, v, i, out);
        else
            wr_text_put(out, buf, wr_i64_print(wri_integer_at(v, i), buf));
        break;
    case WR_PHYS_F32:
        put_double((double)((const float *)v->data)[i], true, out);
        break;
    case WR_PHYS_F64:
        put_double(((const double *)v->data)[i], false, out);
        break;
    case WR_PHYS_I128:
        put_decimal(e, v, i, out);
        break;
    case WR_PHYS_STR:
        encode_str(v, i, out);
        break;
    case WR_PHYS_TS:
        put_timestamp(e, v, i, out);
        break;
    case WR_PHYS_LIST:
        return encode_list(ctx, e, v, i, out);
    case WR_PHYS_MAP:
        return encode_map(ctx, e, v, i, out);
    case WR_PHYS_ROW:
        return encode_row(ctx, e, v, i, out);
    case WR_PHYS_NONE:
    case WR_PHYS_COUNT:
        break;
    }
    return WR_OK;
}

bool
wri_json_skips_nulls(const wr_encoder *enc)
{
    return ((const json_encoder *)enc)->skip_nulls;
}

wr_status
wri_json_encode_object(wr_ctx *ctx, const wr_encoder *enc, const wr_batch *batch, uint32_t row,
                       wr_text *out)
{
    const json_encoder *e = (const json_encoder *)enc;
    bool any = false;
    wr_text_putc(out, '{');
    for (uint32_t c = 0; c < e->schema.count; c++) {
        if (e->skip_nulls && wr_vec_is_null(&batch->cols[c], row)) continue;
        if (any) wr_text_putc(out, ',');
        any = true;
        wr_text_put(out, e->keys[c].ptr, e->keys[c].len);
        WR_TRY(encode_value(ctx, e, &batch->cols[c], row, out));
    }
    wr_text_putc(out, '}');
    return WR_OK;
}

wr_status
wri_json_encode(wr_ctx *ctx, wr_encoder *enc, const wr_batch *batch, wr_text *out)
{
    WR_FOR_ROWS (batch, row) {
        WR_TRY(wri_json_encode_object(ctx, enc, batch, row, out));
        wr_text_putc(out, '\n');
    }
    return out->failed ? wr_raise(ctx, WR_NOMEM, "out of memory") : WR_OK;
}
