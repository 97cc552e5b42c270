/* SPDX-License-Identifier: Apache-2.0 */
/* The raw format: the bytes of a record are the value of the one column. Text by charset, numbers
 * by their bytes in the given order. In files a record is a line (without its "\r\n" or '\n'). */
#include "format/format.h"
#include "format/kind.h"

typedef enum charset { CS_UTF8, CS_LATIN1, CS_ASCII, CS_UTF16BE, CS_UTF16LE, CS_UTF16 } charset;

typedef struct raw { /* wr_decoder and wr_encoder */
    const wr_type *type;
    wri_kind kind;
    int32_t out;
    charset charset;
    bool little;
    wr_str source_name;
} raw;

static const wr_option_def raw_options[] = {
    {"charset", WR_OPT_STRING, "UTF-8", NULL, 0, "The charset of text."},
    {"endianness", WR_OPT_STRING, "big-endian", NULL, 0,
     "The order of a number's bytes: 'big-endian' or 'little-endian'."},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

static wr_span
span_of(const wr_options *o, const char *key)
{
    const wr_option *item = wr_options_find(o, key);
    return item ? item->span : WR_NO_SPAN;
}

static wr_status
read_options(wr_ctx *ctx, const wr_options *o, raw *r)
{
    static const struct {
        const char *name;
        charset id;
    } names[] = {{"UTF-8", CS_UTF8},       {"UTF8", CS_UTF8},        {"ISO-8859-1", CS_LATIN1},
                 {"latin1", CS_LATIN1},    {"US-ASCII", CS_ASCII},   {"ASCII", CS_ASCII},
                 {"UTF-16BE", CS_UTF16BE}, {"UTF-16LE", CS_UTF16LE}, {"UTF-16", CS_UTF16}};
    wr_option_value v;
    WR_TRY(wr_options_get(ctx, o, raw_options, "charset", &v));
    bool found = false;
    for (uint32_t i = 0; i < WR_COUNT(names) && !found; i++)
        if (wr_str_eq_nocase(v.text, wr_str_c(names[i].name))) {
            r->charset = names[i].id;
            found = true;
        }
    if (!found)
        return wr_raise_at(ctx, WR_OPTION, span_of(o, "charset"),
                           "Unsupported 'raw.charset' name: %.*s.", WR_STR_ARG(v.text));
    WR_TRY(wr_options_get(ctx, o, raw_options, "endianness", &v));
    r->little = wr_str_eq_nocase(v.text, WR_STR("little-endian"));
    if (!r->little && !wr_str_eq_nocase(v.text, WR_STR("big-endian")))
        return wr_raise_at(ctx, WR_OPTION, span_of(o, "endianness"),
                           "Unsupported endianness name: %.*s. Valid values of 'raw.endianness' "
                           "option are 'big-endian' and 'little-endian'.",
                           WR_STR_ARG(v.text));
    return WR_OK;
}

static wr_status
raise_columns(wr_ctx *ctx, const wr_schema *schema)
{
    wr_arena *a = wr_arena_create(NULL, 1024);
    WR_TRY_ALLOC(ctx, a);
    wr_text t;
    wr_text_init(&t, a);
    for (uint32_t i = 0; i < schema->count; i++) {
        wr_text_printf(&t, "%s`%.*s` ", i ? ", " : "", WR_STR_ARG(schema->fields[i].name));
        wr_type_print(schema->fields[i].type, WR_TYPE_SUMMARY, &t);
    }
    wr_str s = wr_text_str(&t);
    wr_status status = wr_raise(ctx, WR_SEMANTIC,
                                "The 'raw' format only supports single physical column. However "
                                "the defined schema contains multiple physical columns: [%.*s]",
                                WR_STR_ARG(s));
    wr_arena_destroy(a);
    return status;
}

static wr_status
check_schema(wr_ctx *ctx, const wr_schema *schema)
{
    if (schema->count != 1) return raise_columns(ctx, schema);
    const wr_type *t = schema->fields[0].type;
    wri_kind k = wri_kind_of(t);
    bool plain = t->id != WR_T_INTERVAL_YM && t->id != WR_T_INTERVAL_DT &&
                 (k == WRI_K_BOOL || (k >= WRI_K_I8 && k <= WRI_K_F64) || k == WRI_K_BYTES ||
                  (k == WRI_K_STR && wr_type_is_string(t)));
    if (plain) return WR_OK;
    wr_arena *a = wr_arena_create(NULL, 1024);
    WR_TRY_ALLOC(ctx, a);
    wr_str s = wr_type_str(t, WR_TYPE_SUMMARY, a);
    wr_status status =
        wr_raise(ctx, WR_SEMANTIC, "The 'raw' format doesn't supports '%.*s' as column type.",
                 WR_STR_ARG(s));
    wr_arena_destroy(a);
    return status;
}

static wr_status
raw_validate(wr_ctx *ctx, const wr_schema *schema, const wr_options *options, bool encode)
{
    raw probe;
    (void)encode;
    memset(&probe, 0, sizeof probe);
    WR_TRY(check_schema(ctx, schema));
    return read_options(ctx, options, &probe);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void
put_cp(wr_text *t, uint32_t cp)
{
    char buf[4];
    uint32_t n = wr_utf8_put(buf, cp);
    if (n == 0) n = wr_utf8_put(buf, 0xfffd);
    wr_text_put(t, buf, n);
}

static void
from_utf16(wr_text *t, wr_str s, charset cs)
{
    const uint8_t *p = (const uint8_t *)s.ptr, *end = p + s.len;
    bool little = cs == CS_UTF16LE;
    if (cs == CS_UTF16 && s.len >= 2 && p[0] == 0xff && p[1] == 0xfe)
        little = true, p += 2;
    else if (cs == CS_UTF16 && s.len >= 2 && p[0] == 0xfe && p[1] == 0xff)
        p += 2;
    while (end - p >= 2) {
        uint32_t u =
            little ? (uint32_t)p[0] | (uint32_t)p[1] << 8 : (uint32_t)p[1] | (uint32_t)p[0] << 8;
        p += 2;
        if (u >= 0xd800 && u < 0xdc00 && end - p >= 2) {
            uint32_t l = little ? (uint32_t)p[0] | (uint32_t)p[1] << 8
                                : (uint32_t)p[1] | (uint32_t)p[0] << 8;
            if (l >= 0xdc00 && l < 0xe000) {
                u = 0x10000 + ((u - 0xd800) << 10) + (l - 0xdc00);
                p += 2;
            }
        }
        put_cp(t, u);
    }
    if (p < end) put_cp(t, 0xfffd);
}

/* `s` as UTF-8; malformed bytes become U+FFFD, as Java decodes. */
static bool
to_utf8(const raw *r, wr_str s, wr_arena *a, wr_str *out)
{
    *out = s;
    if (r->charset == CS_UTF8 && wr_utf8_valid(s.ptr, s.len)) return true;
    wr_text t;
    wr_text_init(&t, a);
    if (r->charset >= CS_UTF16BE) {
        from_utf16(&t, s, r->charset);
    } else if (r->charset == CS_UTF8) {
        for (const char *p = s.ptr, *end = p + s.len; p < end;) put_cp(&t, wr_utf8_next(&p, end));
    } else {
        for (size_t i = 0; i < s.len; i++) {
            unsigned char c = (unsigned char)s.ptr[i];
            put_cp(&t, c >= 0x80 && r->charset == CS_ASCII ? 0xfffd : c);
        }
    }
    *out = wr_text_str(&t);
    return !t.failed;
}

static void
put_utf16(wr_text *out, uint32_t u, bool little)
{
    char hi = (char)(u >> 8), lo = (char)u;
    wr_text_putc(out, little ? lo : hi);
    wr_text_putc(out, little ? hi : lo);
}

static void
from_utf8(const raw *r, wr_str s, wr_text *out)
{
    if (r->charset == CS_UTF8) {
        wr_text_put(out, s.ptr, s.len);
        return;
    }
    if (r->charset == CS_UTF16 && s.len) put_utf16(out, 0xfeff, false);
    for (const char *p = s.ptr, *end = p + s.len; p < end;) {
        uint32_t cp = wr_utf8_next(&p, end);
        bool little = r->charset == CS_UTF16LE;
        if (r->charset < CS_UTF16BE) {
            wr_text_putc(out, (char)(cp < (r->charset == CS_ASCII ? 0x80u : 0x100u) ? cp : '?'));
        } else if (cp < 0x10000) {
            put_utf16(out, cp, little);
        } else {
            put_utf16(out, 0xd800 + ((cp - 0x10000) >> 10), little);
            put_utf16(out, 0xdc00 + ((cp - 0x10000) & 0x3ff), little);
        }
    }
}

/* ---- decoding -------------------------------------------------------------------------------- */

static wr_status
raw_decoder_open(wr_ctx *ctx, const wr_decode_spec *spec, wr_decoder **out)
{
    raw *r = WR_NEW(spec->arena, raw);
    WR_TRY_ALLOC(ctx, r);
    WR_TRY(check_schema(ctx, &spec->schema));
    WR_TRY(read_options(ctx, &spec->options, r));
    r->type = spec->schema.fields[0].type;
    r->kind = wri_kind_of(r->type);
    r->out = spec->out[0];
    r->source_name = spec->source_name;
    *out = (wr_decoder *)r;
    return WR_OK;
}

static uint32_t
width_of(wri_kind k)
{
    switch (k) {
    case WRI_K_BOOL:
    case WRI_K_I8:
        return 1;
    case WRI_K_I16:
        return 2;
    case WRI_K_I32:
    case WRI_K_F32:
        return 4;
    case WRI_K_I64:
    case WRI_K_F64:
        return 8;
    case WRI_K_DEC64:
    case WRI_K_DEC128:
    case WRI_K_STR:
    case WRI_K_BYTES:
    case WRI_K_DATE:
    case WRI_K_TIME:
    case WRI_K_TS_MS:
    case WRI_K_TS_NS:
    case WRI_K_LIST:
    case WRI_K_MAP:
    case WRI_K_ROW:
        break;
    }
    return 0;
}

static wr_status
raise_size(wr_ctx *ctx, const raw *r, uint32_t width, const wr_decode_pos *pos)
{
    wr_arena *a = wr_arena_create(NULL, 1024);
    WR_TRY_ALLOC(ctx, a);
    wr_str s = wr_type_str(r->type, WR_TYPE_NO_NULL, a);
    wr_status status =
        wr_raise(ctx, WR_DATA, "Size of data received for deserializing %.*s type is not %u.",
                 WR_STR_ARG(s), width);
    wr_frame(ctx, "%.*s, line %llu, byte %llu", (int)WR_MIN(pos->file.len, (size_t)90),
             pos->file.ptr, (unsigned long long)pos->line, (unsigned long long)pos->byte);
    wr_arena_destroy(a);
    return status;
}

static wr_status
put_record(wr_ctx *ctx, const raw *r, wr_str s, bool stable, wr_batch *fill, uint32_t row,
           const wr_decode_pos *pos)
{
    if (r->out < 0) return WR_OK;
    wr_vec *v = &fill->cols[r->out];
    uint32_t width = width_of(r->kind);
    if (width == 0) {
        wr_str text = s;
        if (r->kind == WRI_K_STR && !to_utf8(r, s, fill->arena, &text))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
        if (text.len > INT32_MAX) return wr_raise(ctx, WR_LIMIT, "record of %zu bytes", text.len);
        if (stable || text.ptr != s.ptr)
            ((wr_strv *)v->data)[row] = wr_strv_make(text.ptr, (uint32_t)text.len);
        else if (!wr_vec_set_str(v, row, text.ptr, (uint32_t)text.len, fill->arena))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
        return WR_OK;
    }
    if (s.len != width) return raise_size(ctx, r, width, pos);
    uint8_t *to = (uint8_t *)v->data + (size_t)row * width;
    for (uint32_t i = 0; i < width; i++)
        to[i] = (uint8_t)s.ptr[r->little ? i : width - 1 - i]; /* this machine is little endian */
    if (r->kind == WRI_K_BOOL) to[0] = to[0] != 0;
    return WR_OK;
}

static wr_status
raw_decode(wr_ctx *ctx, wr_decoder *d, const char *data, size_t len, bool last, bool stable,
           wr_batch *fill, uint32_t *rows, uint32_t max_rows, size_t *used, wr_decode_pos *pos)
{
    const raw *r = (const raw *)d;
    *used = 0;
    while (*used < len && *rows < max_rows) {
        const char *p = data + *used, *nl = memchr(p, '\n', len - *used);
        if (!nl && !last) break;
        size_t n = nl ? (size_t)(nl - p) : len - *used, step = n + (nl ? 1 : 0);
        if (nl && n && p[n - 1] == '\r') n--;
        WR_TRY(put_record(ctx, r, (wr_str){p, n}, stable, fill, *rows, pos));
        ++*rows;
        pos->line++;
        pos->byte += step;
        *used += step;
    }
    return WR_OK;
}

static wr_status
raw_decode_one(wr_ctx *ctx, wr_decoder *d, wr_str record, wr_batch *fill, uint32_t *rows,
               uint32_t max_rows, wr_decode_pos *pos)
{
    if (*rows >= max_rows) return WR_OK;
    WR_TRY(put_record(ctx, (const raw *)d, record, false, fill, *rows, pos));
    ++*rows;
    return WR_OK;
}

static uint64_t
raw_skipped(const wr_decoder *d)
{
    (void)d;
    return 0;
}

static void
raw_decoder_close(wr_decoder *d)
{
    (void)d;
}

/* ---- encoding -------------------------------------------------------------------------------- */

static wr_status
raw_encoder_open(wr_ctx *ctx, const wr_options *options, const wr_schema *schema,
                 const wr_eval_env *eval, wr_arena *arena, wr_encoder **out)
{
    (void)eval;
    raw *r = WR_NEW(arena, raw);
    WR_TRY_ALLOC(ctx, r);
    WR_TRY(check_schema(ctx, schema));
    WR_TRY(read_options(ctx, options, r));
    r->type = schema->fields[0].type;
    r->kind = wri_kind_of(r->type);
    *out = (wr_encoder *)r;
    return WR_OK;
}

static wr_status
raw_encode(wr_ctx *ctx, wr_encoder *e, const wr_batch *batch, wr_text *out)
{
    const raw *r = (const raw *)e;
    const wr_vec *v = &batch->cols[0];
    uint32_t width = width_of(r->kind);
    WR_FOR_ROWS (batch, row) {
        if (wr_vec_is_null(v, row))
            return wr_raise(ctx, WR_DATA, "the 'raw' format cannot write NULL as a line");
        uint32_t i = wr_vec_index(v, row);
        if (width == 0) {
            wr_str s = wr_strv_str(&((const wr_strv *)v->data)[i]);
            if (r->kind == WRI_K_STR)
                from_utf8(r, s, out);
            else
                wr_text_put(out, s.ptr, s.len);
        } else {
            const char *p = (const char *)v->data + (size_t)i * width;
            for (uint32_t k = 0; k < width; k++)
                wr_text_putc(out, p[r->little ? k : width - 1 - k]);
        }
        wr_text_putc(out, '\n');
    }
    return out->failed ? wr_raise(ctx, WR_NOMEM, "out of memory") : WR_OK;
}

static void
raw_encoder_close(wr_encoder *e)
{
    (void)e;
}

const wr_format_ops wr_format_raw = {
    .abi = WR_ABI,
    .name = "raw",
    .options = raw_options,
    .changelog = WR_CL_INSERT_ONLY,
    .line_delimited = true,
    .can_encode = true,
    .validate = raw_validate,
    .decoder_open = raw_decoder_open,
    .decode = raw_decode,
    .decode_one = raw_decode_one,
    .skipped = raw_skipped,
    .decoder_close = raw_decoder_close,
    .encoder_open = raw_encoder_open,
    .encode = raw_encode,
    .encoder_close = raw_encoder_close,
    .infer = NULL,
};
