/* SPDX-License-Identifier: Apache-2.0 */
/* A case carried out: a fresh engine in memory, the set-up, then the case's steps in order. The
 * clock of processing time stands still but for the test's own steps. */
#include "cli/test_int.h"
#include "connector/connector.h"
#include "os/os.h"
#include "sql/sql.h"

#define ROWS_MAX 1000000

typedef struct runner {
    const wri_test_file *file;
    wri_test_watch *watch;
    wr_session *session;
    wr_arena *a;
    wri_test_timeline timeline;
    wri_test_cells rows; /* of the last query: "+I[1, a]" */
    bool has_rows, has_error;
    bool compared; /* the case has failed by other rows than expected */
    wr_str error;
    uint32_t error_line;
    const wr_eval_env *eval;
    wri_test_result *result;
} runner;

static void
fail(runner *r, uint32_t line, const char *what, wr_str text)
{
    r->result->failed = true;
    wr_text_printf(&r->result->message, "%s:%u: %s%.*s\n", r->file->path, line, what,
                   WR_STR_ARG(text));
}

/* An error of the test itself, with its frames. */
static void
fail_ctx(runner *r, const wr_ctx *ctx, uint32_t line)
{
    r->result->failed = true;
    if (strncmp(ctx->err.message, r->file->path, strlen(r->file->path)) != 0)
        wr_text_printf(&r->result->message, "%s:%u: ", r->file->path, line);
    wr_text_printf(&r->result->message, "%s\n", ctx->err.message);
    for (uint32_t i = 0; i < ctx->err.frame_count; i++)
        wr_text_printf(&r->result->message, "  in %s\n", ctx->err.frame[i]);
    if (ctx->err.candidates[0])
        wr_text_printf(&r->result->message, "  did you mean: %s\n", ctx->err.candidates);
    if (ctx->err.hint[0]) wr_text_printf(&r->result->message, "  hint: %s\n", ctx->err.hint);
}

/* ---- statements ------------------------------------------------------------------------------ */

static wr_status
take_head(wr_ctx *ctx, void *arg, const wr_result_head *head)
{
    runner *r = arg;
    (void)ctx;
    r->eval = head->eval;
    r->has_rows = head->kind != WR_RESULT_OK && head->kind != WR_RESULT_JOB;
    return WR_OK;
}

static wr_status
take_rows(wr_ctx *ctx, void *arg, const wr_batch *batch)
{
    runner *r = arg;
    WR_FOR_ROWS (batch, row) {
        wr_text line;
        wr_text_init(&line, r->a);
        wr_print_row(batch, row, r->eval, &line);
        if (r->rows.count >= ROWS_MAX)
            return wr_raise(ctx, WR_LIMIT, "a test's query gives more than %d rows", ROWS_MAX);
        if (line.failed || !wr_list_push(r->a, &r->rows, wr_text_str(&line)))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    return WR_OK;
}

static wr_status
take_end(wr_ctx *ctx, void *arg)
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

/* A failure is kept: the next step may expect it. */
static void
run_statement(runner *r, wr_str sql, uint32_t line)
{
    wr_ctx ctx;
    const wr_result_sink sink = {.begin = take_head, .rows = take_rows, .end = take_end, .arg = r};
    r->rows = (wri_test_cells){0};
    r->has_rows = false;
    wr_os_processing_hold(r->timeline.start_ms);
    wr_ctx_init(&ctx);
    ctx.sql = sql;
    ctx.cancel = &r->watch->flag;
    if (wr_session_execute(&ctx, r->session, sql, &sink) != WR_OK) {
        wr_text t;
        wr_text_init(&t, r->a);
        if (wr_os_load(&r->watch->late))
            wr_text_printf(&t,
                           "the case took longer than %lld ms: is there a table without end that "
                           "the test does not fill (--limit)?",
                           (long long)r->watch->limit_ms);
        else
            wr_text_puts(&t, ctx.err.message);
        if (ctx.err.candidates[0]) wr_text_printf(&t, "\n  did you mean: %s", ctx.err.candidates);
        if (ctx.err.hint[0]) wr_text_printf(&t, "\n  hint: %s", ctx.err.hint);
        r->has_error = true;
        r->error = wr_text_str(&t);
        r->error_line = line;
        if (ctx.err.span.start != UINT32_MAX && ctx.err.span.start < sql.len)
            r->error_line += wri_test_line_of(sql, sql.ptr + ctx.err.span.start) - 1;
        return;
    }
    wr_ctx_init(&ctx);
    if (wri_test_take_tables(&ctx, r->a, r->session, r->file, &r->timeline) != WR_OK)
        fail_ctx(r, &ctx, line);
}

static bool
read_script(runner *r, const wri_test_step *s, wr_str *out)
{
    const char *slash = strrchr(r->file->path, '/');
    const size_t dir = slash && s->text.ptr[0] != '/' ? (size_t)(slash - r->file->path) + 1 : 0;
    const wr_str path =
        wr_arena_printf(r->a, "%.*s%.*s%c", (int)dir, r->file->path, WR_STR_ARG(s->text), 0);
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    if (path.ptr && wri_run_read(&ctx, path.ptr, r->a, out) == WR_OK) return true;
    fail_ctx(r, &ctx, s->line);
    return false;
}

static void
run_script(runner *r, const wri_test_step *s)
{
    wr_str text;
    size_t pos = 0;
    wr_span span;
    if (!read_script(r, s, &text)) return;
    while (!r->result->failed && !r->has_error &&
           wr_sql_split(text, &pos, &span, NULL) != WR_SQL_SPLIT_END) {
        const wr_str sql = {text.ptr + span.start, span.end - span.start};
        run_statement(r, sql, wri_test_line_of(text, sql.ptr));
        if (r->has_error) {
            const wr_str where = wr_arena_printf(r->a, "%.*s:%u: %.*s", WR_STR_ARG(s->text),
                                                 r->error_line, WR_STR_ARG(r->error));
            if (where.ptr) r->error = where;
            r->error_line = s->line;
        }
        if (pos >= text.len) break;
    }
}

/* ---- expectations ---------------------------------------------------------------------------- */

/* The positions of a table's primary key; NULL: none. */
static const uint32_t *
key_of(runner *r, wr_str name, uint32_t *count)
{
    wr_ctx quiet;
    wr_table_id id;
    const wr_table_desc *d = NULL;
    wr_ctx_init(&quiet);
    *count = 0;
    if (wr_catalogs_qualify(&quiet, wr_session_catalogs(r->session), &name, 1, WR_NO_SPAN, &id) !=
            WR_OK ||
        wr_catalogs_find_table(&quiet, wr_session_catalogs(r->session), &id, &d) != WR_OK || !d ||
        d->primary_key_count == 0)
        return NULL;
    uint32_t *key = WR_NEW_N(r->a, uint32_t, d->primary_key_count), at = 0;
    for (uint32_t i = 0; key && i < d->column_count; i++) {
        if (d->columns[i].kind == WR_COL_COMPUTED) continue;
        for (uint32_t k = 0; k < d->primary_key_count; k++)
            if (wr_str_eq(d->primary_key[k], d->columns[i].name)) key[(*count)++] = at;
        at++;
    }
    return key;
}

static bool
lines_of(runner *r, const wri_test_step *s, wri_test_cells *out)
{
    wr_ctx ctx;
    wr_str *lines = NULL;
    uint32_t n = 0;
    *out = r->rows;
    if (s->text.len == 0) {
        if (!r->has_rows) fail(r, s->line, "there is no query before this expectation", WR_STR(""));
        return r->has_rows;
    }
    for (uint32_t i = 0; i < r->timeline.tables.count; i++)
        if (wr_str_eq(r->timeline.tables.items[i].name, s->text) &&
            !r->timeline.tables.items[i].done) {
            fail(r, s->line, "there is no such table: ", s->text);
            return false;
        }
    wr_ctx_init(&ctx);
    *out = (wri_test_cells){0};
    if (wr_record_lines(&ctx, s->text, r->a, &lines, &n) != WR_OK) n = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!wr_list_push(r->a, out, lines[i])) return false;
    return true;
}

static void
check_rows(runner *r, const wri_test_step *s)
{
    wri_test_cells got;
    wr_ctx ctx;
    wr_text diff;
    if (!lines_of(r, s, &got)) return;
    wr_ctx_init(&ctx);
    if (s->want == WRI_TEST_FINAL) {
        uint32_t n = 0;
        const uint32_t *key = s->text.len ? key_of(r, s->text, &n) : NULL;
        wri_test_cells content;
        if (wri_test_settle(&ctx, got.items, got.count, key, n, r->a, &content) != WR_OK) {
            fail_ctx(r, &ctx, s->line);
            return;
        }
        got = content;
    }
    wr_text_init(&diff, r->a);
    wri_test_diff(s, &got, r->a, &diff);
    if (diff.len == 0) return;
    r->compared = true;
    fail(r, s->line,
         s->want == WRI_TEST_FINAL ? "the content is another one (- expected, + came)"
                                   : "the changelog is another one (- expected, + came)",
         WR_STR(""));
    wr_text_put(&r->result->message, diff.ptr, diff.len);
}

static bool
holds(wr_str text, wr_str part)
{
    for (size_t i = 0; i + part.len <= text.len; i++)
        if (memcmp(text.ptr + i, part.ptr, part.len) == 0) return true;
    return false;
}

static void
check_error(runner *r, const wri_test_step *s)
{
    if (!r->has_error) {
        fail(r, s->line, "no error came, expected was: ", s->text);
    } else if (!holds(r->error, s->text)) {
        fail(r, s->line, "expected error: ", s->text);
        wr_text_printf(&r->result->message, "  came: %.*s\n", WR_STR_ARG(r->error));
    }
    r->has_error = false;
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void
run_step(runner *r, const wri_test_step *s)
{
    const bool wants_error = s->kind == WRI_TEST_EXPECT && s->want == WRI_TEST_ERROR;
    if (r->has_error && !wants_error) {
        fail(r, r->error_line, "", r->error);
        return;
    }
    switch ((wri_test_kind)s->kind) {
    case WRI_TEST_SQL:
        run_statement(r, s->text, s->line);
        break;
    case WRI_TEST_SCRIPT:
        run_script(r, s);
        break;
    case WRI_TEST_EXPECT:
        if (wants_error)
            check_error(r, s);
        else
            check_rows(r, s);
        break;
    case WRI_TEST_INPUT:
    case WRI_TEST_WATERMARK:
    case WRI_TEST_IGNORE:
    case WRI_TEST_CLOCK: /* came with the timeline */
        break;
    }
}

static void
run_steps(runner *r, const wri_test_steps *steps)
{
    for (uint32_t i = 0; i < steps->count && !r->result->failed; i++) run_step(r, &steps->items[i]);
}

static wr_status
set_up(wr_ctx *ctx, const wri_args *args, wr_session *s)
{
    static const char *const fixed[][2] = {{"execution.runtime-mode", "STREAMING"},
                                           {"parallelism.default", "1"},
                                           {"table.local-time-zone", "UTC"},
                                           {"pipeline.auto-watermark-interval", "0 ms"},
                                           {"table.dml-sync", "true"}};
    wr_catalogs *c = wr_session_catalogs(s);
    for (uint32_t i = 0; i < WR_COUNT(fixed); i++)
        WR_TRY(wr_catalogs_set(ctx, c, wr_str_c(fixed[i][0]), wr_str_c(fixed[i][1]), WR_NO_SPAN));
    if (args->mode)
        WR_TRY(wr_catalogs_set(ctx, c, wr_str_c(fixed[0][0]), wr_str_c(args->mode), WR_NO_SPAN));
    if (args->parallelism)
        WR_TRY(wr_catalogs_set(ctx, c, wr_str_c(fixed[1][0]), wr_str_c(args->parallelism),
                               WR_NO_SPAN));
    for (uint32_t i = 0; i < args->set_count; i++)
        WR_TRY(wr_catalogs_set(ctx, c, args->sets[i].key, args->sets[i].value, WR_NO_SPAN));
    wr_session_set_output(s, swallow, swallow, NULL);
    return WR_OK;
}

/* A table that the test names and nothing made: also the cause of a comparison that failed. */
static void
missing(runner *r, const wri_test_table *t)
{
    wr_ctx ctx;
    wr_table_id id;
    wr_ctx_init(&ctx); /* for the names that are near */
    if (wr_catalogs_qualify(&ctx, wr_session_catalogs(r->session), &t->name, 1, WR_NO_SPAN, &id) ==
        WR_OK)
        wr_catalogs_candidates(&ctx, wr_session_catalogs(r->session), &id);
    fail(r, t->line, "there is no such table: ", t->name);
    if (ctx.err.candidates[0])
        wr_text_printf(&r->result->message, "  did you mean: %s\n", ctx.err.candidates);
}

static wr_status
run_case(wr_ctx *ctx, const wri_args *args, const wri_test_case *c, runner *r)
{
    WR_TRY(wri_test_timeline_make(ctx, r->a, r->file, c, &r->timeline));
    WR_TRY(set_up(ctx, args, r->session));
    WR_TRY(wri_test_take_tables(ctx, r->a, r->session, r->file, &r->timeline));
    run_steps(r, &r->file->setup);
    run_steps(r, &c->steps);
    if (r->has_error && !r->result->failed) fail(r, r->error_line, "", r->error);
    for (uint32_t i = 0; i < r->timeline.tables.count; i++) {
        const wri_test_table *t = &r->timeline.tables.items[i];
        if (!t->done && !t->of_others && (!r->result->failed || r->compared)) missing(r, t);
    }
    return WR_OK;
}

static bool
expects(const wri_test_steps *steps)
{
    for (uint32_t i = 0; i < steps->count; i++)
        if (steps->items[i].kind == WRI_TEST_EXPECT) return true;
    return false;
}

void
wri_test_case_run(wri_test_watch *watch, const wri_args *args, const wri_test_file *f,
                  const wri_test_case *c, wr_arena *a, wri_test_result *out)
{
    wr_ctx ctx;
    wr_engine *e = NULL;
    const wr_engine_config config = {0};
    runner r = {.file = f, .watch = watch, .a = a, .result = out};
    const int64_t start = wr_os_now_ns();
    *out = (wri_test_result){.expects_nothing = !expects(&f->setup) && !expects(&c->steps)};
    wr_text_init(&out->message, a);
    wr_ctx_init(&ctx);
    wr_record_reset();
    wri_test_watch_case(watch, true);
    wr_status status = wr_engine_create(&ctx, &config, &e);
    if (status == WR_OK) status = wr_session_create(&ctx, e, &r.session);
    if (status == WR_OK) status = run_case(&ctx, args, c, &r);
    if (status != WR_OK) fail_ctx(&r, &ctx, c->line);
    if (r.session) wr_session_destroy(r.session);
    if (e) wr_engine_destroy(e);
    wri_test_watch_case(watch, false);
    wr_os_processing_release();
    out->ms = (wr_os_now_ns() - start) / 1000000;
}
