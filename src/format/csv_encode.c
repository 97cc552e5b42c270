/* SPDX-License-Identifier: Apache-2.0 */
/* Rows to CSV with exactly the text of Flink's csv format, that is of Jackson's generator: a text
 * is quoted when it is longer than 24 characters or has one below the highest special character
 * (delimiter, quote, newline), a backslash or the escape character. Numbers and booleans are not.
 */
#include "format/csv_int.h"
#include "format/print.h"
#include "types/decimal.h"
#include "types/number.h"

#define QUOTE_CHECK_MAX 24u

typedef struct csv_encoder { /* wr_encoder */
    wr_schema schema;
    char delim, quote, escape, array_delim;
    bool plain_decimals, comments;
    unsigned char safe; /* bytes from here on need no quotes */
    wr_str null_literal;
    wr_text cell; /* scratch for ARRAY and ROW */
    wr_arena *scratch;
} csv_encoder;

wr_status
wri_csv_encoder_open(wr_ctx *ctx, const wr_options *options, const wr_schema *schema,
                     const wr_eval_env *eval, wr_arena *arena, wr_encoder **out)
{
    (void)eval;
    csv_encoder *e = WR_NEW(arena, csv_encoder);
    WR_TRY_ALLOC(ctx, e);
    wr_option_value v;
    e->schema = *schema;
    WR_TRY(wri_csv_char(ctx, options, "field-delimiter", &e->delim));
    WR_TRY(wri_csv_char(ctx, options, "quote-character", &e->quote));
    WR_TRY(wri_csv_char(ctx, options, "escape-character", &e->escape));
    WR_TRY(wri_csv_char(ctx, options, "array-element-delimiter", &e->array_delim));
    WR_TRY(wr_options_get(ctx, options, wri_csv_options, "disable-quote-character", &v));
    if (v.i) e->quote = '\0';
    WR_TRY(wr_options_get(ctx, options, wri_csv_options, "write-bigdecimal-in-scientific-notation",
                          &v));
    e->plain_decimals = v.i == 0;
    WR_TRY(wr_options_get(ctx, options, wri_csv_options, "null-literal", &v));
    e->null_literal = v.set ? v.text : WR_STR("");
    unsigned char top = (unsigned char)WR_MAX(e->delim, e->quote);
    e->safe = (unsigned char)(WR_MAX(top, (unsigned char)'\n') + 1);
    for (uint32_t i = 0; i < schema->count; i++)
        WR_TRY(wri_csv_check_type(ctx, &schema->fields[i]));
    e->scratch = wr_arena_create(NULL, 4096);
    WR_TRY_ALLOC(ctx, e->scratch);
    *out = (wr_encoder *)e;
    return WR_OK;
}

void
wri_csv_encoder_close(wr_encoder *enc)
{
    if (enc) wr_arena_destroy(((csv_encoder *)enc)->scratch);
}

#define ONES 0x0101010101010101ull
#define TOPS (ONES << 7)

/* Is a byte of the word 0? */
WR_ALWAYS_INLINE bool
has_zero(uint64_t word)
{
    return ((word - ONES) & ~word & TOPS) != 0;
}

static bool
is_special(const csv_encoder *e, char c)
{
    return (unsigned char)c < e->safe || c == '\\' || (e->escape && c == e->escape);
}

static bool
needs_quotes(const csv_encoder *e, wr_str s)
{
    if (!e->quote) return false;
    if (s.len > QUOTE_CHECK_MAX && wr_utf8_count(s.ptr, s.len) > QUOTE_CHECK_MAX) return true;
    const uint64_t escape = ONES * (uint8_t)(e->escape ? e->escape : '\\');
    size_t i = 0;
    for (; e->safe <= 128 && i + 8 <= s.len; i += 8) {
        const uint64_t word = wr_load64(s.ptr + i);
        const uint64_t low = (word - ONES * e->safe) & ~word & TOPS; /* a byte below `safe` */
        if (low || has_zero(word ^ ONES * '\\') || has_zero(word ^ escape)) return true;
    }
    for (; i < s.len; i++)
        if (is_special(e, s.ptr[i])) return true;
    return false;
}

static void
put_text(const csv_encoder *e, wr_str s, wr_text *out)
{
    if (!needs_quotes(e, s)) {
        wr_text_put(out, s.ptr, s.len);
        return;
    }
    size_t from = 0;
    wr_text_putc(out, e->quote);
    for (size_t i = 0; i < s.len; i++) {
        if (!e->escape) {
            const char *next = memchr(s.ptr + i, e->quote, s.len - i);
            if (!next) break;
            i = (size_t)(next - s.ptr);
        } else if (s.ptr[i] != e->quote && s.ptr[i] != e->escape) {
            continue;
        }
        wr_text_put(out, s.ptr + from, i - from + 1);
        from = i; /* once more */
    }
    wr_text_put(out, s.ptr + from, s.len - from);
    wr_text_putc(out, e->quote);
}

/* The plain text of a simple value. */
static void
put_simple(const csv_encoder *e, const wr_vec *v, uint32_t i, wr_text *out)
{
    char buf[64];
    uint32_t n = 0;
    int64_t ms;
    int32_t nano;
    wr_str s;
    switch (wri_kind_of(v->type)) {
    case WRI_K_BOOL:
        wr_text_puts(out, ((const uint8_t *)v->data)[i] ? "true" : "false");
        return;
    case WRI_K_I8:
    case WRI_K_I16:
    case WRI_K_I32:
    case WRI_K_I64:
        n = wr_i64_print(wri_integer_at(v, i), buf);
        break;
    case WRI_K_F32:
        n = wr_f32_print(((const float *)v->data)[i], buf);
        break;
    case WRI_K_F64:
        n = wr_f64_print(((const double *)v->data)[i], buf);
        break;
    case WRI_K_DEC64:
    case WRI_K_DEC128:
        n = wri_print_stripped(wri_decimal_at(v, i), v->type->scale, e->plain_decimals, buf);
        break;
    case WRI_K_STR:
        s = wr_strv_str(&((const wr_strv *)v->data)[i]);
        wr_text_put(out, s.ptr, s.len);
        return;
    case WRI_K_BYTES:
        s = wr_strv_str(&((const wr_strv *)v->data)[i]);
        wri_format_base64_encode((const uint8_t *)s.ptr, s.len, out);
        return;
    case WRI_K_DATE:
        n = wri_print_date(((const int32_t *)v->data)[i], buf);
        break;
    case WRI_K_TIME:
        n = wri_print_time(((const int32_t *)v->data)[i], 0, buf);
        break;
    case WRI_K_TS_MS:
    case WRI_K_TS_NS:
        wri_ts_parts(v, i, &ms, &nano);
        n = wri_print_timestamp(ms, nano, ' ', v->type->id == WR_T_TIMESTAMP_LTZ, buf);
        break;
    case WRI_K_LIST:
    case WRI_K_MAP:
    case WRI_K_ROW:
        return;
    }
    wr_text_put(out, buf, n);
}

static void
put_part(const csv_encoder *e, const wr_vec *v, uint32_t row, bool first, wr_text *out)
{
    if (!first) wr_text_putc(out, e->array_delim);
    if (!wr_vec_is_null(v, row))
        put_simple(e, v, wr_vec_index(v, row), out);
    else
        wr_text_put(out, e->null_literal.ptr, e->null_literal.len);
}

/* ARRAY and ROW: the elements' texts joined, quoted as one text. */
static void
put_nested(csv_encoder *e, const wr_vec *v, uint32_t i, wr_text *out)
{
    wr_text_init(&e->cell, e->scratch);
    if (v->phys == WR_PHYS_ROW) {
        for (uint32_t k = 0; k < v->child_count; k++)
            put_part(e, &v->child[k], i, k == 0, &e->cell);
    } else {
        wr_list l = ((const wr_list *)v->data)[i];
        for (uint32_t k = 0; k < l.len; k++) put_part(e, &v->child[0], l.off + k, k == 0, &e->cell);
    }
    out->failed |= e->cell.failed;
    put_text(e, wr_text_str(&e->cell), out);
    wr_arena_reset(e->scratch);
}

static void
put_cell(csv_encoder *e, const wr_vec *v, uint32_t row, wr_text *out)
{
    if (wr_vec_is_null(v, row)) {
        wr_text_put(out, e->null_literal.ptr, e->null_literal.len);
        return;
    }
    uint32_t i = wr_vec_index(v, row);
    char buf[WRI_TIME_TEXT_MAX];
    int64_t ms;
    int32_t nano;
    switch (wri_kind_of(v->type)) {
    case WRI_K_STR:
        put_text(e, wr_strv_str(&((const wr_strv *)v->data)[i]), out);
        break;
    case WRI_K_DATE:
        put_text(e, (wr_str){buf, wri_print_date(((const int32_t *)v->data)[i], buf)}, out);
        break;
    case WRI_K_TIME:
        put_text(e, (wr_str){buf, wri_print_time(((const int32_t *)v->data)[i], 0, buf)}, out);
        break;
    case WRI_K_TS_MS:
    case WRI_K_TS_NS: {
        wri_ts_parts(v, i, &ms, &nano);
        bool z = v->type->id == WR_T_TIMESTAMP_LTZ;
        put_text(e, (wr_str){buf, wri_print_timestamp(ms, nano, ' ', z, buf)}, out);
        break;
    }
    case WRI_K_LIST:
    case WRI_K_ROW:
        put_nested(e, v, i, out);
        break;
    case WRI_K_BYTES:
        wr_text_init(&e->cell, e->scratch);
        put_simple(e, v, i, &e->cell);
        out->failed |= e->cell.failed;
        put_text(e, wr_text_str(&e->cell), out);
        wr_arena_reset(e->scratch);
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
    case WRI_K_MAP:
        put_simple(e, v, i, out);
        break;
    }
}

wr_status
wri_csv_encode(wr_ctx *ctx, wr_encoder *enc, const wr_batch *batch, wr_text *out)
{
    csv_encoder *e = (csv_encoder *)enc;
    WR_FOR_ROWS (batch, row) {
        for (uint32_t c = 0; c < e->schema.count; c++) {
            if (c) wr_text_putc(out, e->delim);
            put_cell(e, &batch->cols[c], row, out);
        }
        wr_text_putc(out, '\n');
    }
    return out->failed ? wr_raise(ctx, WR_NOMEM, "out of memory") : WR_OK;
}
