/* SPDX-License-Identifier: Apache-2.0 */
/* `weir test --serve`: scripts as JSON lines on standard input, answers as JSON lines on standard
 * output. For test harnesses that run thousands of scripts; each request has a fresh engine in
 * memory.
 *
 * A request: {"id", "sql", "mode": "streaming"|"batch", "parallelism": 1, "conf": {key: value},
 * "limit": rows, "keep_going": bool} An answer: {"id", "statements": [{"sql", "kind":
 * "rows"|"ok"|"error", "columns": ["a INT"], "rows": [["+I", "1", null]], "printed": ["+I[1,
 * abc]"], "error", "sqlstate"}], "recorded": {table: [line]}} "rows" has values as the SQL client
 * shows them, "printed" as the print connector writes them. Time zone UTC and a watermark after
 * every row unless "conf" says otherwise. */
#include <jansson.h>

#include "cli/cli_int.h"
#include "connector/connector.h"
#include "os/os.h"
#include "vec/cast.h"

typedef struct reply { /* one statement's result */
    json_t *statement, *rows, *printed;
    wr_schema schema;
    const wr_eval_env *eval;
    wr_result_kind kind;
    wr_arena *arena;
    int64_t limit;
} reply;

static json_t *
json_text(wr_str s)
{
    json_t *j = json_stringn(s.ptr ? s.ptr : "", s.len);
    return j ? j : json_string("(not UTF-8)");
}

static wr_status
answer_begin(wr_ctx *ctx, void *arg, const wr_result_head *head)
{
    reply *a = arg;
    (void)ctx;
    a->kind = head->kind;
    a->eval = head->eval;
    a->schema = head->schema;
    if (head->kind == WR_RESULT_OK || head->kind == WR_RESULT_JOB) return WR_OK;
    json_t *columns = json_array();
    for (uint32_t i = 0; i < head->schema.count; i++) {
        wr_text t;
        wr_text_init(&t, a->arena);
        wr_text_printf(&t, "%.*s ", WR_STR_ARG(head->schema.fields[i].name));
        wr_type_print(head->schema.fields[i].type, WR_TYPE_SUMMARY, &t);
        json_array_append_new(columns, json_text(wr_text_str(&t)));
    }
    json_object_set_new(a->statement, "columns", columns);
    a->rows = json_array();
    a->printed = json_array();
    json_object_set_new(a->statement, "rows", a->rows);
    json_object_set_new(a->statement, "printed", a->printed);
    return WR_OK;
}

static wr_status
answer_rows(wr_ctx *ctx, void *arg, const wr_batch *batch)
{
    reply *a = arg;
    WR_FOR_ROWS (batch, row) {
        if ((int64_t)json_array_size(a->rows) >= a->limit)
            return wr_raise(ctx, WR_CANCELLED, "row limit reached");
        json_t *cells = json_array();
        json_array_append_new(cells, json_string(wr_kind_name(wr_batch_kind(batch, row))));
        wr_arena_mark mark = wr_arena_get_mark(a->arena);
        for (uint32_t c = 0; c < batch->col_count; c++) {
            wr_text t;
            wr_text_init(&t, a->arena);
            if (wr_vec_is_null(&batch->cols[c], row)) {
                json_array_append_new(cells, json_null());
                continue;
            }
            wr_value_display(&batch->cols[c], row, a->eval->tz, &t);
            json_array_append_new(cells, json_text(wr_text_str(&t)));
        }
        wr_text line;
        wr_text_init(&line, a->arena);
        wr_print_row(batch, row, a->eval, &line);
        json_array_append_new(a->printed, json_text(wr_text_str(&line)));
        json_array_append_new(a->rows, cells);
        wr_arena_pop(a->arena, mark);
    }
    return WR_OK;
}

static wr_status
answer_end(wr_ctx *ctx, void *arg)
{
    (void)ctx;
    (void)arg;
    return WR_OK;
}

static wr_status
swallow(void *arg, wr_str text)
{
    (void)arg;
    (void)text;
    return WR_OK;
}

static wr_status
set_conf(wr_ctx *ctx, wr_session *s, const json_t *req)
{
    char number[24];
    wr_catalogs *cats = wr_session_catalogs(s);
    const char *mode = json_string_value(json_object_get(req, "mode")), *key;
    json_t *p = json_object_get(req, "parallelism"), *value;
    (void)snprintf(number, sizeof number, "%lld",
                   json_is_integer(p) ? (long long)json_integer_value(p) : 1LL);
    bool batch = mode && strcmp(mode, "batch") == 0;
    WR_TRY(wr_catalogs_set(ctx, cats, WR_STR("execution.runtime-mode"),
                           batch ? WR_STR("BATCH") : WR_STR("STREAMING"), WR_NO_SPAN));
    WR_TRY(wr_catalogs_set(ctx, cats, WR_STR("parallelism.default"), wr_str_c(number), WR_NO_SPAN));
    WR_TRY(wr_catalogs_set(ctx, cats, WR_STR("table.local-time-zone"), WR_STR("UTC"), WR_NO_SPAN));
    WR_TRY(wr_catalogs_set(ctx, cats, WR_STR("pipeline.auto-watermark-interval"), WR_STR("0 ms"),
                           WR_NO_SPAN));
    WR_TRY(wr_catalogs_set(ctx, cats, WR_STR("table.dml-sync"), WR_STR("true"), WR_NO_SPAN));
    json_object_foreach(json_object_get(req, "conf"), key, value) if (json_is_string(value)) WR_TRY(
        wr_catalogs_set(ctx, cats, wr_str_c(key), wr_str_c(json_string_value(value)), WR_NO_SPAN));
    return WR_OK;
}

static void
set_error(json_t *statement, const wr_ctx *ctx)
{
    json_object_set_new(statement, "kind", json_string("error"));
    json_object_set_new(statement, "error", json_text(wr_str_c(ctx->err.message)));
    json_object_set_new(statement, "sqlstate", json_string(wr_status_sqlstate(ctx->err.status)));
    if (ctx->err.hint[0])
        json_object_set_new(statement, "hint", json_text(wr_str_c(ctx->err.hint)));
    if (ctx->err.span.start != UINT32_MAX) {
        wr_linecol lc = wr_linecol_of(ctx->sql, ctx->err.span.start);
        json_object_set_new(statement, "line", json_integer(lc.line));
        json_object_set_new(statement, "column", json_integer(lc.col));
    }
}

/* One statement; false when it failed. */
static bool
serve_statement(wr_session *s, wr_str script, wr_span span, int64_t limit, json_t *statements)
{
    wr_ctx ctx;
    reply a = {.statement = json_object(), .limit = limit};
    wr_str text = {script.ptr + span.start, span.end - span.start};
    wr_result_sink sink = {
        .begin = answer_begin, .rows = answer_rows, .end = answer_end, .arg = &a};
    wr_ctx_init(&ctx);
    ctx.sql = text;
    a.arena = wr_arena_create(NULL, 0);
    json_object_set_new(a.statement, "sql", json_text(text));
    json_array_append_new(statements, a.statement);
    wr_status status = a.arena ? wr_session_execute(&ctx, s, text, &sink)
                               : wr_raise(&ctx, WR_NOMEM, "out of memory");
    bool cut = status == WR_CANCELLED && (int64_t)json_array_size(a.rows) >= limit;
    if (status != WR_OK && !cut)
        set_error(a.statement, &ctx);
    else
        json_object_set_new(a.statement, "kind", json_string(a.rows ? "rows" : "ok"));
    wr_arena_destroy(a.arena);
    return status == WR_OK || cut;
}

static void
add_recorded(json_t *answer)
{
    wr_ctx ctx;
    wr_str *names = NULL;
    uint32_t count = 0;
    wr_arena *arena = wr_arena_create(NULL, 0);
    wr_ctx_init(&ctx);
    if (arena && wr_record_tables(&ctx, arena, &names, &count) == WR_OK && count) {
        json_t *recorded = json_object();
        for (uint32_t i = 0; i < count; i++) {
            wr_str *lines = NULL;
            uint32_t n = 0;
            json_t *list = json_array();
            if (wr_record_lines(&ctx, names[i], arena, &lines, &n) != WR_OK) n = 0;
            for (uint32_t k = 0; k < n; k++) json_array_append_new(list, json_text(lines[k]));
            json_object_setn_new(recorded, names[i].ptr, names[i].len, list);
        }
        json_object_set_new(answer, "recorded", recorded);
    }
    wr_arena_destroy(arena);
}

static wr_status
serve_script(wr_ctx *ctx, wr_engine *e, const json_t *req, json_t *statements)
{
    wr_session *s = NULL;
    wr_span span;
    size_t pos = 0;
    wr_str script = wr_str_c(json_string_value(json_object_get(req, "sql")));
    json_t *limit = json_object_get(req, "limit");
    bool keep_going = json_is_true(json_object_get(req, "keep_going"));
    WR_TRY(wr_session_create(ctx, e, &s));
    wr_session_set_output(s, swallow, swallow, NULL);
    wr_status status = set_conf(ctx, s, req);
    while (status == WR_OK && script.ptr) {
        if (wr_sql_split(script, &pos, &span, NULL) == WR_SQL_SPLIT_END) break;
        int64_t rows = json_is_integer(limit) ? json_integer_value(limit) : 100000;
        if (!serve_statement(s, script, span, rows, statements) && !keep_going) break;
    }
    wr_session_destroy(s);
    return status;
}

static json_t *
serve_request(const json_t *req)
{
    wr_ctx ctx;
    wr_engine *e = NULL;
    wr_engine_config config = {0};
    json_t *answer = json_object(), *statements = json_array(), *id = json_object_get(req, "id");
    int64_t start = wr_os_now_ns();
    wr_ctx_init(&ctx);
    json_object_set_new(answer, "id", id ? json_deep_copy(id) : json_null());
    json_object_set_new(answer, "statements", statements);
    wr_record_reset();
    wr_status status = wr_engine_create(&ctx, &config, &e);
    if (status == WR_OK) status = serve_script(&ctx, e, req, statements);
    if (status != WR_OK) set_error(answer, &ctx);
    add_recorded(answer);
    wr_engine_destroy(e);
    json_object_set_new(answer, "ms", json_integer((wr_os_now_ns() - start) / 1000000));
    return answer;
}

/* ---- lines in, lines out --------------------------------------------------------------------- */

typedef struct line_reader {
    wr_os_file in;
    wr_text pending; /* bytes read and not yet given */
    size_t at;
    bool ended;
} line_reader;

/* The next line without its newline, borrowed until the next call; false at the end. */
static bool
next_line(wr_ctx *ctx, line_reader *r, wr_str *out)
{
    char buf[65536];
    for (;;) {
        char *start = r->pending.ptr + r->at;
        size_t left = r->pending.len - r->at;
        char *end = left ? memchr(start, '\n', left) : NULL;
        if (end || (r->ended && left)) {
            out->ptr = start;
            out->len = end ? (size_t)(end - start) : left;
            r->at += out->len + (end != NULL);
            return true;
        }
        if (r->ended) return false;
        if (r->at) memmove(r->pending.ptr, start, left);
        r->pending.len = left;
        r->at = 0;
        size_t got = 0;
        if (wr_os_file_read(ctx, &r->in, buf, sizeof buf, &got) != WR_OK || got == 0)
            r->ended = true;
        wr_text_put(&r->pending, buf, got);
        if (r->pending.failed) return false;
    }
}

static int
dump_to_text(const char *buffer, size_t size, void *data)
{
    wr_text_put(data, buffer, size);
    return 0;
}

static bool
write_answer(wr_ctx *ctx, const json_t *answer)
{
    wr_text t;
    wr_os_file out = wr_os_stdout();
    wr_arena *arena = wr_arena_create(NULL, 0);
    if (!arena) return false;
    wr_text_init(&t, arena);
    if (json_dump_callback(answer, dump_to_text, &t, JSON_COMPACT) != 0) wr_text_puts(&t, "{}");
    wr_text_putc(&t, '\n');
    bool ok = !t.failed && wr_os_file_write(ctx, &out, t.ptr, t.len) == WR_OK;
    wr_arena_destroy(arena);
    return ok;
}

int
wri_cli_test_serve(void)
{
    wr_ctx ctx;
    wr_str line;
    wr_os_file out = wr_os_stdout();
    line_reader r = {.in = wr_os_stdin()};
    wr_arena *arena = wr_arena_create(NULL, 0);
    wr_ctx_init(&ctx);
    if (!arena) return 1;
    wr_text_init(&r.pending, arena);
    bool ok = wr_os_file_write(&ctx, &out, "{\"ready\":true}\n", 15) == WR_OK;
    while (ok && next_line(&ctx, &r, &line)) {
        json_error_t why;
        json_t *req = json_loadb(line.ptr, line.len, 0, &why), *reply_json = NULL;
        reply_json =
            req ? serve_request(req) : json_pack("{s:s}", "error", "the request is not JSON");
        ok = write_answer(&ctx, reply_json);
        json_decref(reply_json);
        json_decref(req);
    }
    wr_arena_destroy(arena);
    return 0;
}
