/* SPDX-License-Identifier: Apache-2.0 */
/* The json format: options, checks, records out of bytes, errors with Flink's texts. The loop over
 * the bytes of one record is in json_decode.isa.c.
 *
 * A record is a line. It holds an object, or an array of objects that explodes into rows; what
 * follows the first value of a line is ignored, as Flink's parser does. An empty line is nothing.
 */
#include "format/json_int.h"
#include "os/os.h"

const wr_option_def wri_json_options[] = {
    {"fail-on-missing-field", WR_OPT_BOOL, "false", NULL, 0,
     "A field that is missing in the JSON data is an error instead of NULL."},
    {"ignore-parse-errors", WR_OPT_BOOL, "false", NULL, 0,
     "Skip fields and records with errors instead of failing; fields become NULL."},
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
    {"decode.json-parser.enabled", WR_OPT_BOOL, "true", NULL, 0,
     "False: a number in a STRING column gets the text of its value rather than its own."},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

/* ---- options --------------------------------------------------------------------------------- */

static wr_status
get_bool(wr_ctx *ctx, const wr_options *o, const char *key, bool *out)
{
    wr_option_value v;
    WR_TRY(wr_options_get(ctx, o, wri_json_options, key, &v));
    *out = v.i != 0;
    return WR_OK;
}

static wr_status
read_options(wr_ctx *ctx, const wr_options *o, wri_json *j)
{
    wr_option_value v;
    bool parser;
    WR_TRY(get_bool(ctx, o, "fail-on-missing-field", &j->fail_on_missing));
    WR_TRY(get_bool(ctx, o, "ignore-parse-errors", &j->ignore_errors));
    WR_TRY(get_bool(ctx, o, "decode.json-parser.enabled", &parser));
    j->tree = !parser;
    if (j->fail_on_missing && j->ignore_errors)
        return wr_raise_at(ctx, WR_OPTION, wr_options_find(o, "ignore-parse-errors")->span,
                           "fail-on-missing-field and ignore-parse-errors shouldn't both be true.");
    WR_TRY(wr_options_get(ctx, o, wri_json_options, "timestamp-format.standard", &v));
    j->iso = wr_str_eq_c(v.text, "ISO-8601");
    const wr_option *written = wr_options_find(o, "timestamp-format.standard");
    if (!j->iso && !wr_str_eq_c(v.text, "SQL"))
        return wr_raise_at(ctx, WR_OPTION, written ? written->span : WR_NO_SPAN,
                           "Unsupported value '%.*s' for timestamp-format.standard. Supported "
                           "values are [SQL, ISO-8601].",
                           WR_STR_ARG(v.text));
    return WR_OK;
}

wr_status
wri_json_check_type(wr_ctx *ctx, const wr_type *t)
{
    switch ((wr_type_id)t->id) {
    case WR_T_MAP:
    case WR_T_MULTISET:
        if (!wr_type_is_string(t->fields[0].type)) {
            wr_arena *a = wr_arena_create(NULL, 1024);
            WR_TRY_ALLOC(ctx, a);
            wr_str s = wr_type_str(t, WR_TYPE_SUMMARY, a);
            wr_status status = wr_raise(ctx, WR_UNSUPPORTED,
                                        "JSON format doesn't support non-string as key type of "
                                        "%s. The type is: %.*s",
                                        t->id == WR_T_MAP ? "map" : "multiset", WR_STR_ARG(s));
            wr_arena_destroy(a);
            return status;
        }
        return t->id == WR_T_MAP ? wri_json_check_type(ctx, t->fields[1].type) : WR_OK;
    case WR_T_ARRAY:
        return wri_json_check_type(ctx, t->fields[0].type);
    case WR_T_ROW:
    case WR_T_STRUCTURED:
        for (uint32_t i = 0; i < t->field_count; i++)
            WR_TRY(wri_json_check_type(ctx, t->fields[i].type));
        return WR_OK;
    case WR_T_NULL:
    case WR_T_RAW:
    case WR_T_VARIANT:
    case WR_T_BITMAP:
    case WR_T_DESCRIPTOR:
    case WR_T_SYMBOL:
    case WR_T_COUNT: {
        wr_arena *a = wr_arena_create(NULL, 1024);
        WR_TRY_ALLOC(ctx, a);
        wr_str s = wr_type_str(t, WR_TYPE_SUMMARY, a);
        wr_status status = wr_raise(ctx, WR_UNSUPPORTED, "Unsupported type: %.*s", WR_STR_ARG(s));
        wr_arena_destroy(a);
        return status;
    }
    case WR_T_BOOLEAN:
    case WR_T_TINYINT:
    case WR_T_SMALLINT:
    case WR_T_INT:
    case WR_T_BIGINT:
    case WR_T_FLOAT:
    case WR_T_DOUBLE:
    case WR_T_DECIMAL:
    case WR_T_CHAR:
    case WR_T_VARCHAR:
    case WR_T_BINARY:
    case WR_T_VARBINARY:
    case WR_T_DATE:
    case WR_T_TIME:
    case WR_T_TIMESTAMP:
    case WR_T_TIMESTAMP_LTZ:
    case WR_T_INTERVAL_YM:
    case WR_T_INTERVAL_DT:
        return WR_OK;
    }
    return WR_OK;
}

wr_status
wri_json_validate(wr_ctx *ctx, const wr_schema *schema, const wr_options *options, bool encode)
{
    wri_json probe;
    memset(&probe, 0, sizeof probe);
    WR_TRY(read_options(ctx, options, &probe));
    wr_option_value v;
    WR_TRY(wr_options_get(ctx, options, wri_json_options, "map-null-key.mode", &v));
    if (encode && !wr_str_eq_nocase(v.text, WR_STR("FAIL")) &&
        !wr_str_eq_nocase(v.text, WR_STR("DROP")) && !wr_str_eq_nocase(v.text, WR_STR("LITERAL")))
        return wr_raise(ctx, WR_OPTION,
                        "Unsupported value '%.*s' for option map-null-key.mode. Supported values "
                        "are [FAIL, DROP, LITERAL].",
                        WR_STR_ARG(v.text));
    for (uint32_t i = 0; i < schema->count; i++)
        WR_TRY(wri_json_check_type(ctx, schema->fields[i].type));
    return WR_OK;
}

/* ---- the schema as nodes --------------------------------------------------------------------- */

static bool
set_literal(wri_json_node *n, wr_arena *a)
{
    wr_text t;
    wr_text_init(&t, a);
    wri_json_quote(&t, n->name, false);
    wr_text_putc(&t, ':');
    n->literal_len = (uint32_t)t.len;
    wr_text_put(&t, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    n->literal = t.ptr;
    uint32_t rest = n->literal_len & 7;
    n->literal_mask = rest ? ~(~0ull << (8 * rest)) : 0;
    return !t.failed;
}

static bool init_kids(wri_json_node *n, const wr_field *fields, uint32_t count, bool dense,
                      wr_arena *a);

static bool
init_node(wri_json_node *n, wr_str name, const wr_type *t, bool dense, wr_arena *a)
{
    n->name = name;
    n->type = t;
    n->kind = (uint8_t)wri_kind_of(t);
    n->dense = dense;
    n->zoned = t->id == WR_T_TIMESTAMP_LTZ;
    n->out = 0;
    if (!set_literal(n, a)) return false;
    if (t->id == WR_T_MULTISET) {
        wr_field pair[2] = {t->fields[0], {WR_STR(""), wr_type_of(WR_T_INT, false), WR_STR("")}};
        return init_kids(n, pair, 2, true, a);
    }
    bool below = dense || n->kind == WRI_K_LIST || n->kind == WRI_K_MAP;
    return init_kids(n, t->fields, t->field_count, below, a);
}

static bool
init_kids(wri_json_node *n, const wr_field *fields, uint32_t count, bool dense, wr_arena *a)
{
    n->kid_count = count;
    if (count == 0) return true;
    n->kids = WR_NEW_N(a, wri_json_node, count);
    n->after = WR_NEW_N(a, uint32_t, count + 1);
    if (!n->kids || !n->after) return false;
    for (uint32_t i = 0; i < count; i++) n->after[i] = i + 1;
    n->after[count] = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!init_node(&n->kids[i], fields[i].name, fields[i].type, dense, a)) return false;
    return true;
}

wr_status
wri_json_open(wr_ctx *ctx, const wr_decode_spec *spec, wri_json *j)
{
    WR_TRY(read_options(ctx, &spec->options, j));
    j->arena = spec->arena;
    j->source_name = spec->source_name;
    j->root.kind = WRI_K_ROW;
    if (!init_kids(&j->root, spec->schema.fields, spec->schema.count, false, spec->arena))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    if (!j->root.after) { /* no columns */
        j->root.after = WR_NEW(spec->arena, uint32_t);
        WR_TRY_ALLOC(ctx, j->root.after);
    }
    for (uint32_t i = 0; i < spec->schema.count; i++) j->root.kids[i].out = spec->out[i];
    j->scratch = wr_arena_create(NULL, 4096);
    WR_TRY_ALLOC(ctx, j->scratch);
    return WR_OK;
}

static wr_status
json_decoder_open(wr_ctx *ctx, const wr_decode_spec *spec, wr_decoder **out)
{
    wri_json *j = WR_NEW(spec->arena, wri_json);
    WR_TRY_ALLOC(ctx, j);
    *out = (wr_decoder *)j;
    return wri_json_open(ctx, spec, j);
}

bool
wri_json_node_init(wri_json_node *n, wr_str name, const wr_type *t, wr_arena *a)
{
    return init_node(n, name, t, false, a);
}

void
wri_json_close(wr_decoder *d)
{
    wri_json *j = (wri_json *)d;
    if (!j) return;
    wr_arena_destroy(j->scratch);
    wr_mem_free(NULL, j->line, j->line_cap);
}

uint64_t
wri_json_skipped(const wr_decoder *d)
{
    return ((const wri_json *)d)->skipped;
}

static const wri_json_fns *
best_fns(void)
{
#if defined(__x86_64__)
    if (wr_os_isa_level() == WR_OS_ISA_V4) return &wri_json_fns_v4;
    if (wr_os_isa_level() == WR_OS_ISA_V3) return &wri_json_fns_v3;
#endif
    return &wri_json_fns_v1;
}

/* ---- columns --------------------------------------------------------------------------------- */

bool
wri_json_begin_columns(wri_json *j, wr_batch *fill, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < j->root.kid_count; i++)
        if (j->root.kids[i].out >= 0 &&
            !wri_nulls_begin(&fill->cols[j->root.kids[i].out], from, to, fill->arena))
            return false;
    return true;
}

void
wri_json_end_columns(wri_json *j, wr_batch *fill, uint32_t rows)
{
    for (uint32_t i = 0; i < j->root.kid_count; i++)
        if (j->root.kids[i].out >= 0) wri_nulls_end(&fill->cols[j->root.kids[i].out], rows);
}

/* A row that failed half-way becomes all NULL again. */
static bool
forget_row(wri_json *j, uint32_t row)
{
    return wri_json_begin_columns(j, j->fill, row, row + 1);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void
syntax_hint(wr_ctx *ctx, const wri_json *j)
{
    static const struct {
        const char *what, *text;
    } texts[] = {
        {"string", "Unexpected end-of-input in a string"},
        {"name", "was expecting double-quote to start field name"},
        {"colon", "was expecting a colon to separate field name and value"},
        {"object", "was expecting comma to separate Object entries"},
        {"array", "was expecting comma to separate Array entries"},
        {"zeroes", "Invalid numeric value: Leading zeroes not allowed"},
        {"number", "Invalid numeric value: Decimal point or exponent not followed by a digit"},
        {"escape", "Unrecognized character escape"},
        {"utf8", "Invalid UTF-8 start byte"},
        {"depth", "Document nesting depth exceeds the maximum allowed (1000)"},
        {"root", "No content to map due to end-of-input"},
    };
    const char *text = "Unrecognized token: was expecting (JSON String, Number, Array, Object or "
                       "token 'null', 'true' or 'false')";
    for (uint32_t i = 0; i < WR_COUNT(texts); i++)
        if (j->what && strcmp(texts[i].what, j->what) == 0) text = texts[i].text;
    if (j->err_at >= j->end) {
        wr_hint(ctx, "Unexpected end-of-input");
        return;
    }
    unsigned char c = (unsigned char)*j->err_at;
    if (c >= 0x20 && c < 0x7f)
        wr_hint(ctx, "Unexpected character ('%c'): %s", c, text);
    else
        wr_hint(ctx, "Unexpected character (code %u): %s", c, text);
}

void
wri_json_hint(wr_ctx *ctx, const wri_json *j)
{
    switch (j->err) {
    case WRI_JE_FIELD:
        wr_hint(ctx, "Fail to deserialize at field: %.*s.", WR_STR_ARG(j->field));
        break;
    case WRI_JE_MISSING:
        wr_hint(ctx,
                "Could not find field with name '%.*s'. Some field is missing in the JSON "
                "data.",
                WR_STR_ARG(j->field));
        break;
    case WRI_JE_OBJECT:
        wr_hint(ctx, "Illegal JSON object data...");
        break;
    case WRI_JE_SYNTAX:
    case WRI_JE_NONE:
    case WRI_JE_NOMEM:
        syntax_hint(ctx, j);
        break;
    }
}

void
wri_json_frame(wr_ctx *ctx, const wri_json *j, const char *begin, const wr_decode_pos *pos)
{
    uint64_t column = j->err_at >= begin ? (uint64_t)(j->err_at - begin) + 1 : 1;
    wr_frame(ctx, "%.*s, line %llu, column %llu, byte %llu", (int)WR_MIN(pos->file.len, (size_t)90),
             pos->file.ptr, (unsigned long long)pos->line, (unsigned long long)column,
             (unsigned long long)(pos->byte + column - 1));
}

static wr_status
raise_record(wr_ctx *ctx, const wri_json *j, wr_str record, const char *begin,
             const wr_decode_pos *pos)
{
    if (j->err == WRI_JE_NOMEM) return wr_raise(ctx, WR_NOMEM, "out of memory");
    wri_json_hint(ctx, j);
    wr_status status = wr_raise(ctx, WR_DATA, "Failed to deserialize JSON '%.*s'.",
                                (int)WR_MIN(record.len, (size_t)2000), record.ptr);
    wri_json_frame(ctx, j, begin, pos);
    return status;
}

/* ---- records --------------------------------------------------------------------------------- */

typedef struct cursor { /* the rows of a batch as they are filled */
    wr_batch *fill;
    uint32_t rows, max_rows;
    bool full; /* a top-level array has more */
} cursor;

/* The objects of a top-level array, from the first not yet emitted on. */
static const char *
array_record(wri_json *j, const wri_json_fns *f, const char *p, cursor *c)
{
    uint32_t index = 0;
    while (p < j->end && (unsigned char)*p <= ' ') p++;
    if (*p == ']') return p + 1;
    for (;;) {
        while (p < j->end && (unsigned char)*p <= ' ') p++;
        if (p >= j->end || *p != '{') {
            j->err = WRI_JE_OBJECT;
            j->err_at = p;
            return NULL;
        }
        if (index < j->elements_done) {
            p = f->skip(j, p);
        } else if (c->rows == c->max_rows) {
            j->elements_done = index;
            c->full = true;
            return p;
        } else {
            p = f->object(j, p + 1, c->rows);
            if (p) c->rows++;
        }
        if (!p) return NULL;
        index++;
        while (p < j->end && (unsigned char)*p <= ' ') p++;
        if (p < j->end && *p == ']') return p + 1;
        if (p >= j->end || *p != ',') {
            j->err = WRI_JE_SYNTAX;
            j->err_at = p;
            j->what = "array";
            return NULL;
        }
        p++;
    }
}

static const char *
one_record(wri_json *j, const wri_json_fns *f, const char *p, cursor *c)
{
    if (j->end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) p += 3;
    while (p < j->end && (unsigned char)*p <= ' ') p++;
    if (p < j->end && *p == '[') return array_record(j, f, p + 1, c);
    if (p >= j->end || *p != '{') { /* a scalar is no row: say so, or what is wrong with it */
        const char *q = p < j->end ? f->skip(j, p) : NULL;
        if (q || j->err == WRI_JE_NONE) {
            j->err = WRI_JE_SYNTAX;
            j->err_at = p;
            j->what = "root";
        }
        return NULL;
    }
    p = f->object(j, p + 1, c->rows);
    if (p && p > j->end) {
        j->err = WRI_JE_SYNTAX;
        j->err_at = j->end;
        return NULL;
    }
    if (p) c->rows++;
    return p;
}

wr_status
wri_json_begin(wr_ctx *ctx, wri_json *j, const char *p, size_t len, bool padded, bool stable,
               const char **begin)
{
    *begin = p;
    if (!padded) { /* the end of the data is near: work on a copy with room behind it */
        if (len + WRI_JSON_PAD > j->line_cap) {
            size_t cap = (len + WRI_JSON_PAD) * 2;
            char *line = wr_mem_alloc(NULL, cap);
            WR_TRY_ALLOC(ctx, line);
            wr_mem_free(NULL, j->line, j->line_cap);
            j->line = line;
            j->line_cap = cap;
        }
        if (len) memcpy(j->line, p, len);
        memset(j->line + len, 0, WRI_JSON_PAD);
        *begin = j->line;
        stable = false;
    }
    j->end = *begin + len;
    j->stable = stable;
    j->err = WRI_JE_NONE;
    j->what = NULL;
    j->err_at = *begin;
    j->depth = 0;
    j->field = (wr_str){"", 0};
    return WR_OK;
}

/* Decodes one record of `len` bytes. */
static wr_status
record(wr_ctx *ctx, wri_json *j, const wri_json_fns *f, const char *p, size_t len, bool padded,
       bool stable, cursor *c, const wr_decode_pos *pos)
{
    const char *begin;
    WR_TRY(wri_json_begin(ctx, j, p, len, padded, stable, &begin));
    const char *done = one_record(j, f, begin, c);
    if (wr_arena_bytes(j->scratch)) wr_arena_reset(j->scratch);
    if (done || c->full) return WR_OK;
    if (j->err != WRI_JE_NOMEM && j->ignore_errors) {
        j->skipped++;
        if (c->rows < c->max_rows && !forget_row(j, c->rows))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
        return WR_OK;
    }
    return raise_record(ctx, j, (wr_str){p, len}, begin, pos);
}

/* The lines that need no care, in one go. What stopped it is decoded again, with care. */
static bool
plain_lines(wr_ctx *ctx, wri_json *j, const wri_json_fns *f, const char *data, size_t len,
            bool stable, cursor *c, size_t *used, wr_decode_pos *pos)
{
    if (len - *used <= WRI_JSON_PAD || j->elements_done > 0) return true;
    const char *p = data + *used, *safe = data + len - WRI_JSON_PAD;
    while (safe > p && safe[-1] != '\n') safe--; /* whole lines: nothing runs on behind them */
    if (safe == p) return true;
    uint32_t before = c->rows;
    j->stable = stable;
    const char *q = f->lines(j, p, safe, &c->rows, c->max_rows);
    pos->line += c->rows - before;
    pos->byte += (uint64_t)(q - p);
    *used += (size_t)(q - p);
    wr_arena_reset(j->scratch);
    if (c->rows == c->max_rows || forget_row(j, c->rows)) return true;
    (void)wr_raise(ctx, WR_NOMEM, "out of memory");
    return false;
}

static wr_status
json_decode(wr_ctx *ctx, wr_decoder *d, const char *data, size_t len, bool last, bool stable,
            wr_batch *fill, uint32_t *rows, uint32_t max_rows, size_t *used, wr_decode_pos *pos)
{
    wri_json *j = (wri_json *)d;
    const wri_json_fns *f = best_fns();
    cursor c = {fill, *rows, max_rows, false};
    *used = 0;
    if (*rows >= max_rows) return WR_OK;
    j->fill = fill;
    if (!wri_json_begin_columns(j, fill, *rows, max_rows))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    wr_status status = WR_OK;
    while (*used < len && c.rows < max_rows) {
        if (!plain_lines(ctx, j, f, data, len, stable, &c, used, pos)) {
            status = WR_NOMEM;
            break;
        }
        if (c.rows == max_rows || *used == len) break;
        const char *p = data + *used, *nl = memchr(p, '\n', len - *used);
        if (!nl && !last) break;
        const char *stop = nl ? nl : data + len;
        size_t n = (size_t)(stop - p), step = n + (nl ? 1 : 0);
        if (n > 0 && !(n == 1 && *p == '\r')) {
            bool padded = (size_t)(data + len - stop) >= WRI_JSON_PAD;
            status = record(ctx, j, f, p, n, padded, stable, &c, pos);
            if (status != WR_OK || c.full) break;
        }
        j->elements_done = 0;
        pos->line++;
        pos->byte += step;
        *used += step;
    }
    wri_json_end_columns(j, fill, c.rows);
    *rows = c.rows;
    return status;
}

static wr_status
json_decode_one(wr_ctx *ctx, wr_decoder *d, wr_str text, wr_batch *fill, uint32_t *rows,
                uint32_t max_rows, wr_decode_pos *pos)
{
    wri_json *j = (wri_json *)d;
    cursor c = {fill, *rows, max_rows, false};
    j->fill = fill;
    j->elements_done = 0;
    if (text.len == 0) return WR_OK;
    if (!wri_json_begin_columns(j, fill, *rows, max_rows))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    wr_status status = record(ctx, j, best_fns(), text.ptr, text.len, false, false, &c, pos);
    if (status == WR_OK && c.full)
        status = wr_raise(ctx, WR_LIMIT, "a JSON message explodes into more than %u rows",
                          max_rows - *rows);
    j->elements_done = 0;
    wri_json_end_columns(j, fill, c.rows);
    if (status == WR_OK) *rows = c.rows;
    return status;
}

wr_status
wr_json_decode_array(wr_ctx *ctx, wr_decoder *d, wr_str text, uint32_t first, wr_batch *fill,
                     uint32_t row, const wr_decode_pos *pos)
{
    wri_json *j = (wri_json *)d;
    j->fill = fill;
    if (!wri_json_begin_columns(j, fill, row, row + 1))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    const wri_json_fns *f = best_fns();
    char *copy = wr_arena_alloc(j->scratch, text.len + WRI_JSON_PAD);
    WR_TRY_ALLOC(ctx, copy);
    memcpy(copy, text.ptr, text.len);
    memset(copy + text.len, 0, WRI_JSON_PAD);
    j->end = copy + text.len;
    j->stable = false;
    j->err = WRI_JE_NONE;
    j->what = NULL;
    j->err_at = copy;
    j->depth = 0;
    const char *p = copy;
    while (p < j->end && (unsigned char)*p <= ' ') p++;
    p = p < j->end && *p == '[' ? f->positional(j, p + 1, first, row) : NULL;
    wr_status status = p ? WR_OK : raise_record(ctx, j, text, copy, pos);
    wr_arena_reset(j->scratch);
    wri_json_end_columns(j, fill, row + 1);
    return status;
}

static uint32_t
json_partial(const wr_decoder *d)
{
    return ((const wri_json *)d)->elements_done;
}

static void
json_resume(wr_decoder *d, uint32_t rows)
{
    ((wri_json *)d)->elements_done = rows;
}

const wr_format_ops wr_format_json = {
    .abi = WR_ABI,
    .name = "json",
    .options = wri_json_options,
    .changelog = WR_CL_INSERT_ONLY,
    .line_delimited = true,
    .can_encode = true,
    .validate = wri_json_validate,
    .decoder_open = json_decoder_open,
    .decode = json_decode,
    .decode_one = json_decode_one,
    .partial = json_partial,
    .resume = json_resume,
    .skipped = wri_json_skipped,
    .decoder_close = wri_json_close,
    .encoder_open = wri_json_encoder_open,
    .encode = wri_json_encode,
    .encoder_close = wri_json_encoder_close,
    .infer = wri_json_infer,
};
