/* SPDX-License-Identifier: Apache-2.0 */
/* Files as tables: SELECT ... FROM 'data/x.csv'. A path becomes a filesystem table: the format by
 * the extension, the columns from the beginning of the first file. */
#include "connector/fs_int.h"
#include "format/format.h"

#define SAMPLE_BYTES   (1u << 20)
#define LINE_BYTES_MAX (64u << 20) /* of a first line that is longer than that */

static bool
take_ending(wr_str *name, const char *ending)
{
    size_t n = strlen(ending);
    if (name->len <= n) return false;
    if (!wr_str_eq_nocase((wr_str){name->ptr + name->len - n, n}, wr_str_c(ending))) return false;
    name->len -= n;
    return true;
}

static const char *
format_of(wr_str path)
{
    static const struct {
        const char *ending, *format;
    } known[] = {{".csv", "csv"},     {".tsv", "tsv"}, {".json", "json"}, {".jsonl", "json"},
                 {".ndjson", "json"}, {".txt", "raw"}, {".log", "raw"}};
    wr_str name = path;
    if (!take_ending(&name, ".gz")) (void)take_ending(&name, ".zst");
    for (uint32_t i = 0; i < WR_COUNT(known); i++)
        if (take_ending(&name, known[i].ending)) return known[i].format;
    return NULL;
}

/* The first lines of a file. */
static wr_status
read_sample(wr_ctx *ctx, wr_str path, wr_arena *a, wr_str *out)
{
    wri_input *in;
    const char *data;
    size_t len;
    bool last, stable;
    const wri_input_spec whole = {.path = path, .length = UINT64_MAX};
    WR_TRY(wri_input_open(ctx, &whole, &in));
    wr_status status = wri_input_peek(ctx, in, false, &data, &len, &last, &stable);
    while (status == WR_OK && !last && len < LINE_BYTES_MAX && !memchr(data, '\n', len))
        status = wri_input_peek(ctx, in, true, &data, &len, &last, &stable);
    if (status == WR_OK) {
        size_t n = WR_MIN(len, (size_t)SAMPLE_BYTES);
        const char *first = memchr(data, '\n', len);
        if (first && (size_t)(first - data) >= n) n = (size_t)(first - data) + 1;
        if (!first && n < len) n = WR_MIN(len, (size_t)LINE_BYTES_MAX);
        const char *end = n < len || !last ? data + n : NULL; /* whole lines only */
        while (end && end > data && end[-1] != '\n') end--;
        if (end && end > data) n = (size_t)(end - data);
        *out = wr_arena_str(a, (wr_str){data, n});
        if (!out->ptr) status = wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    wri_input_close(in);
    return status;
}

static wr_status
raw_schema(wr_ctx *ctx, wr_arena *a, wr_schema *out)
{
    wr_field *f = WR_NEW(a, wr_field);
    WR_TRY_ALLOC(ctx, f);
    *f = (wr_field){WR_STR("line"), wr_type_string(true), WR_STR("")};
    *out = (wr_schema){f, 1};
    return WR_OK;
}

/* The delimiter that the sample's inference has settled on is not told: find it the same way. */
static wr_status
infer(wr_ctx *ctx, const char *kind, wr_str sample, wr_arena *a, wr_schema *schema, bool *header)
{
    *header = false;
    if (strcmp(kind, "raw") == 0) return raw_schema(ctx, a, schema);
    if (strcmp(kind, "json") == 0) {
        wr_options none = {0};
        return wr_format_json.infer(ctx, sample, &none, a, schema, header);
    }
    wr_option *o = WR_NEW(a, wr_option);
    WR_TRY_ALLOC(ctx, o);
    *o = (wr_option){WR_STR("field-delimiter"),
                     strcmp(kind, "tsv") == 0 ? WR_STR("\t") : WR_STR(","), WR_NO_SPAN};
    wr_options options = {o, 1};
    if (strcmp(kind, "csv") == 0) {
        char found = wr_csv_guess_delimiter(sample, '"');
        o->value = (wr_str){wr_arena_dup(a, &found, 1), 1};
        WR_TRY_ALLOC(ctx, o->value.ptr);
    }
    WR_TRY(wr_format_csv.infer(ctx, sample, &options, a, schema, header));
    return WR_OK;
}

static wr_status
fill_options(wr_ctx *ctx, const char *kind, wr_str path, wr_str sample, bool header, wr_arena *a,
             wr_options *out)
{
    bool csv = strcmp(kind, "csv") == 0 || strcmp(kind, "tsv") == 0;
    wr_option *o = WR_NEW_N(a, wr_option, 8);
    WR_TRY_ALLOC(ctx, o);
    uint32_t n = 0;
    wr_str kept = wr_arena_str(a, path);
    WR_TRY_ALLOC(ctx, kept.ptr);
    o[n++] = (wr_option){WR_STR("connector"), WR_STR("filesystem"), WR_NO_SPAN};
    o[n++] = (wr_option){WR_STR("path"), kept, WR_NO_SPAN};
    o[n++] = (wr_option){WR_STR("format"), csv ? WR_STR("csv") : wr_str_c(kind), WR_NO_SPAN};
    if (csv) {
        char d = strcmp(kind, "tsv") == 0 ? '\t' : wr_csv_guess_delimiter(sample, '"');
        wr_str text = {wr_arena_dup(a, &d, 1), 1};
        WR_TRY_ALLOC(ctx, text.ptr);
        o[n++] = (wr_option){WR_STR("csv.field-delimiter"), text, WR_NO_SPAN};
        o[n++] = (wr_option){WR_STR("csv.empty-string-as-null"), WR_STR("true"), WR_NO_SPAN};
    }
    if (header) o[n++] = (wr_option){WR_STR("csv.header"), WR_STR("true"), WR_NO_SPAN};
    *out = (wr_options){o, n};
    return WR_OK;
}

wr_status
wr_file_table(wr_ctx *ctx, wr_str path, wr_arena *arena, wr_table_desc *out)
{
    wr_file_info *files;
    uint32_t count;
    WR_TRY(wri_fs_list(ctx, path, (wr_str){NULL, 0}, arena, &files, &count));
    if (count == 0) return wr_raise(ctx, WR_NAME, "there is no file in '%.*s'", WR_STR_ARG(path));
    const char *kind = format_of(path);
    for (uint32_t i = 0; i < count && !kind; i++) kind = format_of(files[i].path);
    if (!kind) {
        wr_hint(ctx, "known endings are .csv .tsv .json .jsonl .ndjson .txt .log, also with .gz or "
                     ".zst; or write CREATE TABLE with 'connector' = 'filesystem'");
        return wr_raise(ctx, WR_NAME, "the format of '%.*s' cannot be told from its name",
                        WR_STR_ARG(path));
    }
    wr_str sample = {"", 0};
    for (uint32_t i = 0; i < count && sample.len == 0; i++)
        WR_TRY(read_sample(ctx, files[i].path, arena, &sample));
    wr_schema schema;
    bool header;
    wr_status status = infer(ctx, kind, sample, arena, &schema, &header);
    if (status != WR_OK) {
        wr_frame(ctx, "%.*s", (int)WR_MIN(path.len, (size_t)120), path.ptr);
        return status;
    }
    wr_column *columns = WR_NEW_N(arena, wr_column, schema.count);
    WR_TRY_ALLOC(ctx, columns);
    for (uint32_t i = 0; i < schema.count; i++)
        columns[i] = (wr_column){.name = schema.fields[i].name,
                                 .type = schema.fields[i].type,
                                 .kind = WR_COL_PHYSICAL,
                                 .span = WR_NO_SPAN};
    memset(out, 0, sizeof *out);
    out->kind = WR_TABLE_BASE;
    out->temporary = true;
    out->columns = columns;
    out->column_count = schema.count;
    out->bucket_count = -1;
    return fill_options(ctx, kind, path, sample, header, arena, &out->options);
}
