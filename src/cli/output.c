/* SPDX-License-Identifier: Apache-2.0 */
/* The formats of results. Rows that can be printed as they come are; the rest (final tables) is
 * kept until the end. */
#include "cli/output.h"

#include "connector/connector.h"
#include "vec/cast.h"

#define ARENA_BYTES_MAX (8u << 20) /* printed rows are forgotten when they are as much */

const char *
wri_format_name(wri_format f)
{
    static const char *const names[] = {"table", "changelog", "tableau",  "csv",
                                        "json",  "jsonl",     "markdown", "vertical"};
    return names[f];
}

bool
wri_format_find(wr_str name, wri_format *out)
{
    for (uint32_t i = 0; i < WRI_FORMAT_COUNT; i++)
        if (wr_str_eq_nocase(name, wr_str_c(wri_format_name((wri_format)i)))) {
            *out = (wri_format)i;
            return true;
        }
    return false;
}

void
wri_output_init(wri_output *o, wri_format format, wr_os_file file)
{
    memset(o, 0, sizeof *o);
    o->format = format;
    o->file = file;
    o->width_max = 30;
    o->info_lines = format == WRI_FORMAT_TABLEAU || format == WRI_FORMAT_TABLE;
}

void
wri_output_deinit(wri_output *o)
{
    wr_arena_destroy(o->arena);
    wr_arena_destroy(o->head_arena);
    wri_kept_deinit(&o->kept);
    o->arena = o->head_arena = NULL;
}

wr_status
wri_output_flush(wr_ctx *ctx, wri_output *o)
{
    if (o->text.failed) return wr_raise(ctx, WR_NOMEM, "out of memory while printing");
    if (!o->text.len) return WR_OK;
    wr_status status = wr_os_file_write(ctx, &o->file, o->text.ptr, o->text.len);
    o->text.len = 0;
    return status;
}

wr_str
wri_cell(wri_output *o, const wr_batch *batch, uint32_t row, uint32_t col)
{
    wr_text t;
    if (wr_vec_is_null(&batch->cols[col], row)) return (wr_str){NULL, 0};
    wr_text_init(&t, o->arena);
    wr_value_display(&batch->cols[col], row, o->head.eval->tz, &t);
    o->text.failed |= t.failed;
    return wr_text_str(&t);
}

static wr_str
json_cell(wri_output *o, const wr_batch *batch, uint32_t row, uint32_t col)
{
    wr_text t;
    wr_text_init(&t, o->arena);
    wri_json_value(&t, &batch->cols[col], row, o->head.eval->tz);
    o->text.failed |= t.failed;
    return wr_text_str(&t);
}

/* ---- cells of the formats -------------------------------------------------------------------- */

static void
put_csv_cell(wr_text *out, wr_str s)
{
    bool quote = s.len == 0;
    for (size_t i = 0; i < s.len && !quote; i++) quote = strchr(",\"\n\r", s.ptr[i]) != NULL;
    if (!quote) {
        wr_text_put(out, s.ptr, s.len);
        return;
    }
    wr_text_putc(out, '"');
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '"') wr_text_putc(out, '"');
        wr_text_putc(out, s.ptr[i]);
    }
    wr_text_putc(out, '"');
}

static void
put_markdown_cell(wr_text *out, wr_str s)
{
    wr_text_putc(out, ' ');
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '|') wr_text_putc(out, '\\');
        if (s.ptr[i] == '\n')
            wr_text_puts(out, "<br>");
        else
            wr_text_putc(out, s.ptr[i]);
    }
    wr_text_puts(out, " |");
}

/* ---- one row --------------------------------------------------------------------------------- */

static const char *
op_of(const wri_row *row)
{
    return wr_kind_name((wr_kind)row->kind);
}

static void
put_csv_row(wri_output *o, const wri_row *row)
{
    if (o->head.streaming) wr_text_printf(&o->text, "%s,", op_of(row));
    for (uint32_t c = 0; c < o->head.schema.count; c++) {
        if (c) wr_text_putc(&o->text, ',');
        if (row->cells[c].ptr) put_csv_cell(&o->text, row->cells[c]);
    }
    wr_text_putc(&o->text, '\n');
}

static void
put_json_row(wri_output *o, const wri_row *row)
{
    wr_text_printf(&o->text, "{\"op\":\"%s\",\"row\":[", op_of(row));
    for (uint32_t c = 0; c < o->head.schema.count; c++) {
        if (c) wr_text_putc(&o->text, ',');
        if (row->cells[c].ptr)
            wri_json_string(&o->text, row->cells[c]);
        else
            wr_text_puts(&o->text, "null");
    }
    wr_text_puts(&o->text, "]}\n");
}

static void
put_jsonl_row(wri_output *o, const wri_row *row)
{
    wr_text_putc(&o->text, '{');
    if (o->head.streaming) wr_text_printf(&o->text, "\"op\":\"%s\"", op_of(row));
    for (uint32_t c = 0; c < o->head.schema.count; c++) {
        if (c || o->head.streaming) wr_text_putc(&o->text, ',');
        wri_json_string(&o->text, o->head.schema.fields[c].name);
        wr_text_putc(&o->text, ':');
        wr_text_put(&o->text, row->cells[c].ptr, row->cells[c].len);
    }
    wr_text_puts(&o->text, "}\n");
}

static void
put_markdown_row(wri_output *o, const wri_row *row)
{
    wr_text_putc(&o->text, '|');
    if (o->head.streaming) wr_text_printf(&o->text, " %s |", op_of(row));
    for (uint32_t c = 0; c < o->head.schema.count; c++)
        put_markdown_cell(&o->text, row->cells[c].ptr ? row->cells[c] : WR_STR("NULL"));
    wr_text_putc(&o->text, '\n');
}

static void
put_vertical_row(wri_output *o, const wri_row *row)
{
    uint32_t widest = 0;
    for (uint32_t c = 0; c < o->head.schema.count; c++)
        widest = WR_MAX(widest, wri_text_width(o->head.schema.fields[c].name));
    wr_text_printf(&o->text, "--- row %llu ", (unsigned long long)o->rows + 1);
    wr_text_printf(&o->text, "%s%s---\n", o->head.streaming ? op_of(row) : "",
                   o->head.streaming ? " " : "");
    for (uint32_t c = 0; c < o->head.schema.count; c++) {
        wr_str name = o->head.schema.fields[c].name, cell = row->cells[c];
        for (uint32_t i = wri_text_width(name); i < widest; i++) wr_text_putc(&o->text, ' ');
        if (!cell.ptr) cell = WR_STR("<NULL>");
        wr_text_printf(&o->text, "%.*s: %.*s\n", WR_STR_ARG(name), WR_STR_ARG(cell));
    }
}

/* ---- the sink -------------------------------------------------------------------------------- */

static bool
keeps_rows(const wri_output *o)
{
    if (o->head.kind == WR_RESULT_INFO)
        return o->format == WRI_FORMAT_TABLE || o->format == WRI_FORMAT_TABLEAU;
    return o->format == WRI_FORMAT_TABLE || (o->format == WRI_FORMAT_TABLEAU && !o->head.streaming);
}

static bool
diverts(const wri_output *o)
{
    return o->divert && o->head.kind == WR_RESULT_QUERY;
}

static void
put_header(wri_output *o)
{
    const wr_schema *s = &o->head.schema;
    wr_text *t = &o->text;
    if (o->format == WRI_FORMAT_TABLEAU && !keeps_rows(o)) wri_tableau_begin(o);
    if (o->format == WRI_FORMAT_CSV) {
        if (o->head.streaming) wr_text_puts(t, "op,");
        for (uint32_t c = 0; c < s->count; c++) {
            if (c) wr_text_putc(t, ',');
            put_csv_cell(t, s->fields[c].name);
        }
        wr_text_putc(t, '\n');
    }
    if (o->format == WRI_FORMAT_MARKDOWN) {
        wr_text_puts(t, o->head.streaming ? "| op |" : "|");
        for (uint32_t c = 0; c < s->count; c++) put_markdown_cell(t, s->fields[c].name);
        wr_text_puts(t, o->head.streaming ? "\n| --- |" : "\n|");
        for (uint32_t c = 0; c < s->count; c++)
            wr_text_puts(t, wr_type_is_numeric(s->fields[c].type) ? " ---: |" : " --- |");
        wr_text_putc(t, '\n');
    }
}

/* The head with names of its own: a view or an aborted table is shown after the statement. */
static bool
copy_head(wri_output *o, const wr_result_head *head)
{
    uint32_t n = head->schema.count;
    wr_arena_destroy(o->head_arena);
    o->head_arena = wr_arena_create(NULL, 0);
    wr_field *fields = o->head_arena ? WR_NEW_N(o->head_arena, wr_field, n + 1) : NULL;
    if (!fields) return false;
    o->head = *head;
    o->head.schema.fields = fields;
    for (uint32_t i = 0; i < n; i++) {
        fields[i] = head->schema.fields[i];
        fields[i].name = wr_arena_str(o->head_arena, fields[i].name);
        if (!fields[i].name.ptr) return false;
    }
    return true;
}

static wr_status
start_output(wr_ctx *ctx, wri_output *o, const wr_result_head *head)
{
    wr_arena_destroy(o->arena);
    wri_kept_deinit(&o->kept);
    o->arena = wr_arena_create(NULL, 0);
    WR_TRY_ALLOC(ctx, o->arena);
    wr_text_init(&o->text, o->arena);
    if (!copy_head(o, head)) return wr_raise(ctx, WR_NOMEM, "out of memory while printing");
    o->rows = 0;
    o->open = true;
    o->started_ns = wr_os_now_ns();
    if (head->kind != WR_RESULT_QUERY && head->kind != WR_RESULT_INFO) return WR_OK;
    if (diverts(o)) return WR_OK;
    if (keeps_rows(o) && !wri_kept_init(&o->kept, head->schema.count))
        return wr_raise(ctx, WR_NOMEM, "out of memory while printing");
    put_header(o);
    return wri_output_flush(ctx, o);
}

static wr_status
output_begin(wr_ctx *ctx, void *arg, const wr_result_head *head)
{
    wri_output *o = arg;
    wri_console_take(o->console);
    wr_status status = start_output(ctx, o, head);
    wri_console_give(o->console);
    if (head->kind == WR_RESULT_QUERY || head->kind == WR_RESULT_JOB)
        wri_console_begin(o->console, head->bounded);
    return status;
}

static void
put_row(wri_output *o, const wri_row *row)
{
    switch (o->format) {
    case WRI_FORMAT_TABLEAU:
        wri_tableau_row(o, row);
        break;
    case WRI_FORMAT_CSV:
        put_csv_row(o, row);
        break;
    case WRI_FORMAT_JSON:
        put_json_row(o, row);
        break;
    case WRI_FORMAT_JSONL:
        put_jsonl_row(o, row);
        break;
    case WRI_FORMAT_MARKDOWN:
        put_markdown_row(o, row);
        break;
    case WRI_FORMAT_VERTICAL:
        put_vertical_row(o, row);
        break;
    case WRI_FORMAT_TABLE:
    case WRI_FORMAT_CHANGELOG:
    case WRI_FORMAT_COUNT:
        break;
    }
}

/* One row of a table: into its format, or kept for later. */
static wr_status
take_cells(wr_ctx *ctx, wri_output *o, const wr_batch *batch, uint32_t row)
{
    wri_row r = {.kind = (uint8_t)wr_batch_kind(batch, row)};
    r.cells = WR_NEW_N(o->arena, wr_str, batch->col_count + 1);
    WR_TRY_ALLOC(ctx, r.cells);
    bool json = o->format == WRI_FORMAT_JSONL && !diverts(o);
    for (uint32_t c = 0; c < batch->col_count; c++)
        r.cells[c] = json ? json_cell(o, batch, row, c) : wri_cell(o, batch, row, c);
    if (o->text.failed) return wr_raise(ctx, WR_NOMEM, "out of memory while printing");
    if (diverts(o)) return o->divert(ctx, o->arg, &r);
    if (!keeps_rows(o)) {
        put_row(o, &r);
        return WR_OK;
    }
    return wri_kept_apply(&o->kept, &r) ? WR_OK
                                        : wr_raise(ctx, WR_NOMEM, "out of memory while printing");
}

static wr_status
take_row(wr_ctx *ctx, wri_output *o, const wr_batch *batch, uint32_t row)
{
    if (o->head.kind == WR_RESULT_TEXT) {
        wr_str text = wri_cell(o, batch, row, 0);
        wr_text_put(&o->text, text.ptr, text.len);
        if (text.len && text.ptr[text.len - 1] != '\n') wr_text_putc(&o->text, '\n');
    } else if (o->format == WRI_FORMAT_CHANGELOG && !diverts(o)) {
        wr_print_row(batch, row, o->head.eval, &o->text);
        wr_text_putc(&o->text, '\n');
    } else {
        WR_TRY(take_cells(ctx, o, batch, row));
    }
    o->rows++;
    return WR_OK;
}

/* Nothing of the batches so far is needed any more but the widths. */
static void
renew_arena(wri_output *o)
{
    wr_arena *fresh = wr_arena_bytes(o->arena) > ARENA_BYTES_MAX ? wr_arena_create(NULL, 0) : NULL;
    if (!fresh) return;
    uint32_t *copy = o->widths ? WR_NEW_N(fresh, uint32_t, o->head.schema.count + 1) : NULL;
    if (copy) memcpy(copy, o->widths, o->head.schema.count * sizeof *copy);
    o->text.failed = o->text.failed || (o->widths && !copy);
    bool lost = o->text.failed;
    o->widths = copy;
    wr_arena_destroy(o->arena);
    o->arena = fresh;
    wr_text_init(&o->text, fresh);
    o->text.failed = lost;
}

static wr_status
output_rows(wr_ctx *ctx, void *arg, const wr_batch *batch)
{
    wri_output *o = arg;
    wr_status status = WR_OK;
    wri_console_take(o->console);
    WR_FOR_ROWS (batch, row) {
        status = take_row(ctx, o, batch, row);
        if (status != WR_OK) break;
    }
    if (status == WR_OK) status = wri_output_flush(ctx, o);
    if (status == WR_OK) renew_arena(o);
    wri_console_give(o->console);
    return status;
}

static void
put_info(wri_output *o)
{
    if (!o->info_lines) return;
    if (o->head.kind == WR_RESULT_OK)
        wr_text_puts(&o->text, "[INFO] Execute statement succeeded.\n");
    if (o->head.kind == WR_RESULT_JOB && !o->head.background)
        wr_text_puts(&o->text, "[INFO] Complete execution of the SQL update statement.\n");
    if (o->head.kind == WR_RESULT_JOB && o->head.background)
        wr_text_printf(&o->text,
                       "[INFO] Submitting SQL update statement to the cluster...\n"
                       "[INFO] SQL update statement has been successfully submitted to the "
                       "cluster:\nJob ID: %s\n",
                       o->head.job_hex);
}

static wr_status
finish_output(wr_ctx *ctx, wri_output *o)
{
    bool table = o->head.kind == WR_RESULT_QUERY || o->head.kind == WR_RESULT_INFO;
    o->open = false;
    if (!table)
        put_info(o);
    else if (keeps_rows(o) && !diverts(o))
        wri_tableau_kept(o, o->head.kind == WR_RESULT_INFO);
    else if (o->format == WRI_FORMAT_TABLEAU && !diverts(o))
        wri_tableau_end(o);
    wr_status status = wri_output_flush(ctx, o);
    wri_kept_deinit(&o->kept);
    return status;
}

static wr_status
output_end(wr_ctx *ctx, void *arg)
{
    wri_output *o = arg;
    wri_console_take(o->console);
    wr_status status = finish_output(ctx, o);
    wri_console_give(o->console);
    return status;
}

static void
output_progress(void *arg, const wr_job *job)
{
    wri_output *o = arg;
    wri_console_progress(o->console, job);
    if (o->progress) o->progress(o->arg, job);
}

wr_result_sink
wri_output_sink(wri_output *o)
{
    return (wr_result_sink){.begin = output_begin,
                            .rows = output_rows,
                            .end = output_end,
                            .progress = o->watched ? output_progress : NULL,
                            .arg = o};
}

/* Rows that were kept are shown as they are; a changelog is closed. */
void
wri_output_abort(wri_output *o)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    bool open = o->open;
    o->open = false;
    if (!open || o->head.kind != WR_RESULT_QUERY || diverts(o)) return;
    wri_console_take(o->console);
    if (o->format == WRI_FORMAT_TABLE && o->kept.live) wri_tableau_kept(o, false);
    if (o->format == WRI_FORMAT_TABLEAU && !keeps_rows(o))
        wr_text_printf(&o->text, "Query terminated, received a total of %llu %s\n",
                       (unsigned long long)o->rows, o->rows == 1 ? "row" : "rows");
    (void)!wri_output_flush(&ctx, o);
    wri_kept_deinit(&o->kept);
    wri_console_give(o->console);
}
