/* SPDX-License-Identifier: Apache-2.0 */
/* debezium-json, canal-json, maxwell-json, ogg-json: lines, and errors with Flink's texts.
 *
 * A message is a line and gives no row, one, two (an update), or, in canal's arrays, many. It may
 * give its first rows to one batch and the others to the next. An empty line is a tombstone: it
 * tells nothing. Under ignore-parse-errors a broken message is dropped and counted; rows that it
 * gave before it broke stay, as in Flink. */
#include "format/cdc_int.h"
#include "os/os.h"

/* ---- opening --------------------------------------------------------------------------------- */

static wr_status
open_envelope(wr_ctx *ctx, wri_cdc *c, wr_arena *a)
{
    const wri_cdc_format *f = c->format;
    wr_field fields[WRI_CDC_MEMBERS_MAX];
    uint32_t n = WRI_CDC_NAMED;
    const wr_type *t = wr_type_string(true);
    const char *named[] = {f->first, f->second, f->op, c->wrapped ? "payload" : ""};
    for (uint32_t i = 0; i < WRI_CDC_NAMED; i++)
        fields[i] = (wr_field){wr_str_c(named[i]), t, WR_STR("")};
    for (uint32_t i = 0; i < WR_COUNT(f->others) && f->others[i]; i++)
        fields[n++] = (wr_field){wr_str_c(f->others[i]), t, WR_STR("")};
    const wr_type *row = wr_type_row(a, fields, n, true);
    WR_TRY_ALLOC(ctx, row);
    return wri_json_node_init(&c->envelope, WR_STR(""), row, a)
               ? WR_OK
               : wr_raise(ctx, WR_NOMEM, "out of memory");
}

static wr_status
open_filter(wr_ctx *ctx, wri_cdc *c, const wr_options *o, const char *key, const char *member)
{
    wr_option_value v;
    if (!wr_options_find(o, key)) return WR_OK;
    WR_TRY(wr_options_get(ctx, o, wri_cdc_canal_options, key, &v));
    wri_cdc_filter *f = &c->filters[c->filter_count++];
    f->pattern = v.text;
    while (!wr_str_eq_c(c->envelope.kids[f->member].name, member)) f->member++;
    return WR_OK;
}

wr_status
wri_cdc_open(wr_ctx *ctx, const wr_decode_spec *spec, const wri_cdc_format *f, bool wrapped,
             wr_decoder **out)
{
    wri_cdc *c = WR_NEW(spec->arena, wri_cdc);
    WR_TRY_ALLOC(ctx, c);
    c->format = f;
    c->wrapped = wrapped;
    *out = (wr_decoder *)c;
    WR_TRY(wri_json_open(ctx, spec, &c->json));
    c->json.tree = true;
    wr_status status = open_envelope(ctx, c, spec->arena);
    if (status == WR_OK) status = wri_cdc_metas_open(ctx, spec, c);
    if (status == WR_OK && f == &wri_cdc_canal) {
        status = open_filter(ctx, c, &spec->options, "database.include", "database");
        if (status == WR_OK) status = open_filter(ctx, c, &spec->options, "table.include", "table");
    }
    if (status != WR_OK) wri_json_close(*out);
    return status;
}

void
wri_cdc_close(wr_decoder *d)
{
    wri_cdc *c = (wri_cdc *)d;
    for (uint32_t i = 0; c && i < c->filter_count; i++)
        wr_mem_free(NULL, (char *)(uintptr_t)c->filters[i].last.ptr, c->filters[i].last_cap);
    wri_json_close(d);
}

static const wri_cdc_fns *
best_fns(void)
{
#if defined(__x86_64__)
    if (wr_os_isa_level() == WR_OS_ISA_V4) return &wri_cdc_fns_v4;
    if (wr_os_isa_level() == WR_OS_ISA_V3) return &wri_cdc_fns_v3;
#endif
    return &wri_cdc_fns_v1;
}

/* ---- columns --------------------------------------------------------------------------------- */

bool
wri_cdc_begin_columns(wri_cdc *c, uint32_t from, uint32_t to)
{
    wr_batch *fill = c->json.fill;
    if (!wri_json_begin_columns(&c->json, fill, from, to)) return false;
    for (uint32_t i = 0; i < c->meta_count; i++)
        if (!wri_nulls_begin(&fill->cols[c->metas[i].node.out], from, to, fill->arena))
            return false;
    return true;
}

bool
wri_cdc_forget(wri_cdc *c, uint32_t from)
{
    const uint32_t end = c->first_row + c->touched;
    bool ok = true;
    if (c->first_row + from < end) ok = wri_cdc_begin_columns(c, c->first_row + from, end);
    c->touched = WR_MIN(c->touched, from);
    return ok;
}

static wr_status
begin_batch(wr_ctx *ctx, wri_cdc *c, wr_batch *fill, uint32_t rows, uint32_t max_rows)
{
    c->json.fill = fill;
    c->ctx = ctx;
    c->row = rows;
    c->max_rows = max_rows;
    c->kind = fill->kind ? (uint8_t *)(uintptr_t)fill->kind : wr_batch_kinds(fill, max_rows);
    if (!c->kind || !wri_cdc_begin_columns(c, rows, max_rows))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

static void
end_batch(wri_cdc *c)
{
    wr_batch *fill = c->json.fill;
    wri_json_end_columns(&c->json, fill, c->row);
    for (uint32_t i = 0; i < c->meta_count; i++)
        wri_nulls_end(&fill->cols[c->metas[i].node.out], c->row);
}

/* ---- filters --------------------------------------------------------------------------------- */

/* The text of a member, as it is written when it is no string; in the batch's scratch. */
static wr_str
member_text(wri_cdc *c, const char *at)
{
    wr_str raw = {at, 0}, text = {NULL, 0};
    wri_json *j = &c->json;
    const wri_json_err err = j->err;
    const char *end = wri_json_text(j, at, j->scratch, &raw);
    j->err = err;
    if (!end || raw.len < 2 || raw.ptr[0] != '"') return raw;
    char *out = wr_arena_alloc(j->scratch, raw.len);
    if (out && wri_format_unescape(raw.ptr + 1, raw.ptr + raw.len - 1, out, &text.len))
        text.ptr = out;
    return text;
}

static bool
remember(wri_cdc_filter *f, wr_str text)
{
    if (text.len > f->last_cap) {
        char *p = wr_mem_alloc(NULL, text.len * 2);
        if (!p) return false;
        wr_mem_free(NULL, (char *)(uintptr_t)f->last.ptr, f->last_cap);
        f->last = (wr_str){p, 0};
        f->last_cap = text.len * 2;
    }
    if (text.len) memcpy((char *)(uintptr_t)f->last.ptr, text.ptr, text.len);
    f->last.len = text.len;
    return true;
}

bool
wri_cdc_wanted(wri_cdc *c)
{
    static const char *const options[] = {"canal-json.database.include",
                                          "canal-json.table.include"};
    for (uint32_t i = 0; i < c->filter_count; i++) {
        wri_cdc_filter *f = &c->filters[i];
        const char *at = c->at[f->member];
        if (!at) {
            c->err = WRI_CDC_NULL;
            return false;
        }
        wr_str text = member_text(c, at);
        bool ok = text.ptr != NULL;
        if (ok && !(f->last.ptr && wr_str_eq(f->last, text))) {
            const bool table = wr_str_eq_c(c->envelope.kids[f->member].name, "table");
            ok =
                wr_option_matches(c->ctx, options[table], f->pattern, text, &f->matches) == WR_OK &&
                remember(f, text);
        }
        if (!ok) {
            c->err = WRI_CDC_JSON;
            c->json.err = WRI_JE_NOMEM;
            return false;
        }
        if (!f->matches) return false;
    }
    return true;
}

/* ---- messages -------------------------------------------------------------------------------- */

static void
put_cause(wr_ctx *ctx, const wri_cdc *c, wr_str text)
{
    const char *op = c->at[WRI_CDC_OP];
    switch (c->err) {
    case WRI_CDC_FINE:
    case WRI_CDC_JSON:
        wri_json_hint(ctx, &c->json);
        break;
    case WRI_CDC_NULL:
        wr_hint(ctx, "The message lacks '%s', or a row that its operation needs.", c->format->op);
        break;
    case WRI_CDC_NO_BEFORE:
        wr_hint(ctx,
                "The \"before\" field of %s message is null, if you are using %s Postgres "
                "Connector, please check the Postgres table has been set REPLICA IDENTITY to FULL "
                "level.",
                c->err_op, c->format->title);
        break;
    case WRI_CDC_UNKNOWN: {
        const char *end = *op == '"' ? memchr(op + 1, '"', (size_t)(c->json.end - op - 1)) : NULL;
        wr_str shown = end ? (wr_str){op + 1, (size_t)(end - op - 1)} : WR_STR("?");
        wr_hint(ctx, "Unknown \"%s\" value \"%.*s\". The %s JSON message is '%.*s'", c->format->op,
                (int)WR_MIN(shown.len, (size_t)100), shown.ptr, c->format->title,
                (int)WR_MIN(text.len, (size_t)2000), text.ptr);
        break;
    }
    }
}

static wr_status
raise_message(wr_ctx *ctx, const wri_cdc *c, wr_str text, const char *begin,
              const wr_decode_pos *pos)
{
    if (ctx->err.status != WR_OK) return ctx->err.status; /* a pattern */
    if (c->json.err == WRI_JE_NOMEM) return wr_raise(ctx, WR_NOMEM, "out of memory");
    put_cause(ctx, c, text);
    wr_status status = wr_raise(ctx, WR_DATA, "Corrupt %s JSON message '%.*s'.", c->format->title,
                                (int)WR_MIN(text.len, (size_t)2000), text.ptr);
    wri_json_frame(ctx, &c->json, begin, pos);
    return status;
}

/* One message, with care. c->full: it has more rows. */
static wr_status
one_message(wr_ctx *ctx, wri_cdc *c, const wri_cdc_fns *f, const char *p, size_t len, bool padded,
            bool stable, const wr_decode_pos *pos)
{
    wri_json *j = &c->json;
    const char *begin;
    WR_TRY(wri_json_begin(ctx, j, p, len, padded, stable, &begin));
    const char *at = begin, *done = NULL;
    if (j->end - at >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0) at += 3; /* byte order mark */
    while (at < j->end && (unsigned char)*at <= ' ') at++;
    c->full = false;
    c->err = WRI_CDC_JSON;
    if (at < j->end && (*at == '{' || *at == '['))
        done = f->message(c, at);
    else
        j->what = "root";
    if (wr_arena_bytes(j->scratch)) wr_arena_reset(j->scratch);
    if (done || c->full) return WR_OK;
    c->skip = 0;
    if (j->err == WRI_JE_NOMEM || !j->ignore_errors || ctx->err.status != WR_OK)
        return raise_message(ctx, c, (wr_str){p, len}, begin, pos);
    j->skipped++;
    return WR_OK;
}

/* The lines that need no care, in one go. */
static void
plain_lines(wri_cdc *c, const wri_cdc_fns *f, const char *data, size_t len, bool stable,
            size_t *used, wr_decode_pos *pos)
{
    if (len - *used <= WRI_JSON_PAD) return;
    const char *p = data + *used, *safe = data + len - WRI_JSON_PAD;
    while (safe > p && safe[-1] != '\n') safe--;
    if (safe == p) return;
    c->json.stable = stable;
    const char *q = f->lines(c, p, safe);
    for (const char *nl = p; nl < q; nl++) {
        nl = memchr(nl, '\n', (size_t)(q - nl));
        if (!nl) break;
        pos->line++;
    }
    pos->byte += (uint64_t)(q - p);
    *used += (size_t)(q - p);
    if (wr_arena_bytes(c->json.scratch)) wr_arena_reset(c->json.scratch);
}

static wr_status
decode_all(wr_ctx *ctx, wri_cdc *c, const char *data, size_t len, bool last, bool stable,
           size_t *used, wr_decode_pos *pos)
{
    const wri_cdc_fns *f = best_fns();
    while (*used < len && c->row < c->max_rows) {
        plain_lines(c, f, data, len, stable, used, pos);
        if (c->json.err == WRI_JE_NOMEM) return wr_raise(ctx, WR_NOMEM, "out of memory");
        if (c->row == c->max_rows || *used == len) break;
        const char *p = data + *used, *nl = memchr(p, '\n', len - *used);
        if (!nl && !last) break;
        const char *stop = nl ? nl : data + len;
        const size_t n = (size_t)(stop - p), step = n + (nl ? 1 : 0);
        if (n > 0 && !(n == 1 && *p == '\r')) {
            const bool padded = (size_t)(data + len - stop) >= WRI_JSON_PAD;
            WR_TRY(one_message(ctx, c, f, p, n, padded, stable, pos));
            if (c->full) break;
        }
        pos->line++;
        pos->byte += step;
        *used += step;
    }
    return WR_OK;
}

wr_status
wri_cdc_decode(wr_ctx *ctx, wr_decoder *d, const char *data, size_t len, bool last, bool stable,
               wr_batch *fill, uint32_t *rows, uint32_t max_rows, size_t *used, wr_decode_pos *pos)
{
    wri_cdc *c = (wri_cdc *)d;
    *used = 0;
    if (*rows >= max_rows) return WR_OK;
    c->json.err = WRI_JE_NONE;
    WR_TRY(begin_batch(ctx, c, fill, *rows, max_rows));
    wr_status status = decode_all(ctx, c, data, len, last, stable, used, pos);
    end_batch(c);
    *rows = c->row;
    return status;
}

wr_status
wri_cdc_decode_one(wr_ctx *ctx, wr_decoder *d, wr_str text, wr_batch *fill, uint32_t *rows,
                   uint32_t max_rows, wr_decode_pos *pos)
{
    wri_cdc *c = (wri_cdc *)d;
    if (text.len == 0) return WR_OK;
    WR_TRY(begin_batch(ctx, c, fill, *rows, max_rows));
    wr_status status = one_message(ctx, c, best_fns(), text.ptr, text.len, false, false, pos);
    if (status == WR_OK && c->full)
        status = wr_raise(ctx, WR_LIMIT, "a message has more than %u rows", max_rows - *rows);
    c->skip = 0;
    end_batch(c);
    if (status == WR_OK) *rows = c->row;
    return status;
}

uint32_t
wri_cdc_partial(const wr_decoder *d)
{
    return ((const wri_cdc *)d)->skip;
}

void
wri_cdc_resume(wr_decoder *d, uint32_t rows)
{
    ((wri_cdc *)d)->skip = rows;
}
