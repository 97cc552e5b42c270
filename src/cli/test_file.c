/* SPDX-License-Identifier: Apache-2.0 */
/* A test file's text to steps. It is SQL; what belongs to the test stands in comments that begin
 * with a word and a colon, rows in the comments behind them. */
#include "cli/test_int.h"
#include "sql/sql.h"

static const struct {
    const char *word;
    uint8_t kind, want;
    bool wants_text;
} words[] = {
    {"test", UINT8_MAX, 0, true},
    {"script", WRI_TEST_SCRIPT, 0, true},
    {"input", WRI_TEST_INPUT, 0, true},
    {"watermark", WRI_TEST_WATERMARK, 0, true},
    {"clock", WRI_TEST_CLOCK, 0, true},
    {"ignore", WRI_TEST_IGNORE, 0, true},
    {"expect", WRI_TEST_EXPECT, WRI_TEST_FINAL, false},
    {"expect changelog", WRI_TEST_EXPECT, WRI_TEST_CHANGELOG, false},
    {"expect error", WRI_TEST_EXPECT, WRI_TEST_ERROR, true},
};

typedef struct reader { /* of a file */
    wr_ctx *ctx;
    wr_arena *a;
    wri_test_file *file;
    wri_test_steps *steps; /* where the next one goes */
    size_t sql;            /* where the SQL that was not taken yet begins */
    wri_test_step *rows;   /* the step that takes rows; NULL: none */
} reader;

static wr_str
trimmed(wr_str s)
{
    while (s.len && (unsigned char)*s.ptr <= ' ') s = (wr_str){s.ptr + 1, s.len - 1};
    while (s.len && (unsigned char)s.ptr[s.len - 1] <= ' ') s.len--;
    return s;
}

uint32_t
wri_test_line_of(wr_str text, const char *at)
{
    uint32_t line = 1;
    for (const char *p = text.ptr; p < at; p++) line += *p == '\n';
    return line;
}

static wr_status
mistake(reader *r, uint32_t line, const char *what, wr_str text)
{
    return wr_raise(r->ctx, WR_SYNTAX, "%s:%u: %s: '%.*s'", r->file->path, line, what,
                    (int)WR_MIN(text.len, (size_t)200), text.ptr);
}

static wr_status
add(reader *r, wri_test_step step)
{
    if (!wr_list_push(r->a, r->steps, step)) return wr_raise(r->ctx, WR_NOMEM, "out of memory");
    r->rows = &r->steps->items[r->steps->count - 1];
    return WR_OK;
}

/* ---- SQL ------------------------------------------------------------------------------------- */

/* Is the text from the last step on up to `end` within a string or a comment? */
static bool
inside(const reader *r, size_t end)
{
    const wr_str text = {r->file->text.ptr + r->sql, end - r->sql};
    size_t pos = 0;
    wr_span span;
    wr_sql_split_open open = WR_SQL_OPEN_STATEMENT;
    for (;;) {
        switch (wr_sql_split(text, &pos, &span, &open)) {
        case WR_SQL_SPLIT_STATEMENT:
            continue;
        case WR_SQL_SPLIT_INCOMPLETE:
            return open != WR_SQL_OPEN_STATEMENT;
        case WR_SQL_SPLIT_END:
            return false;
        }
    }
}

/* The statements before `end`. */
static wr_status
take_sql(reader *r, size_t end)
{
    const wr_str text = {r->file->text.ptr + r->sql, end - r->sql};
    size_t pos = 0;
    wr_span span;
    while (wr_sql_split(text, &pos, &span, NULL) != WR_SQL_SPLIT_END) {
        const wr_str sql = {text.ptr + span.start, span.end - span.start};
        const wri_test_step step = {.kind = WRI_TEST_SQL,
                                    .line = wri_test_line_of(r->file->text, sql.ptr),
                                    .text = sql,
                                    .more = WR_STR("")};
        WR_TRY(add(r, step));
        if (pos >= text.len) break;
    }
    r->sql = end;
    return WR_OK;
}

/* ---- comments -------------------------------------------------------------------------------- */

/* The index of the word that the comment begins with; -1: an ordinary comment. */
static int
word_of(wr_str comment, wr_str *rest)
{
    const char *colon = comment.len ? memchr(comment.ptr, ':', comment.len) : NULL;
    if (!colon) return -1;
    const wr_str word = trimmed((wr_str){comment.ptr, (size_t)(colon - comment.ptr)});
    *rest = trimmed((wr_str){colon + 1, (size_t)(comment.ptr + comment.len - colon - 1)});
    for (uint32_t i = 0; i < WR_COUNT(words); i++)
        if (wr_str_eq_nocase(word, wr_str_c(words[i].word))) return (int)i;
    return -1;
}

/* The word that a comment's first one was probably meant to be; NULL: an ordinary comment. */
static const char *
nearly(wr_str comment)
{
    const char *colon = comment.len ? memchr(comment.ptr, ':', comment.len) : NULL;
    char low[24];
    if (!colon || (size_t)(colon - comment.ptr) >= sizeof low) return NULL;
    const wr_str word = trimmed((wr_str){comment.ptr, (size_t)(colon - comment.ptr)});
    for (size_t i = 0; i < word.len; i++)
        low[i] = (char)(word.ptr[i] >= 'A' && word.ptr[i] <= 'Z' ? word.ptr[i] + 32 : word.ptr[i]);
    for (uint32_t i = 0; word.len > 3 && i < WR_COUNT(words); i++) {
        const wr_str known = wr_str_c(words[i].word);
        const uint32_t max = known.len > 5 ? 2 : 1;
        if (wr_str_distance((wr_str){low, word.len}, known, max) <= max) return words[i].word;
    }
    return NULL;
}

static bool
is_row(wr_str s)
{
    if (s.len && *s.ptr == '[') return true;
    return s.len > 2 && (*s.ptr == '+' || *s.ptr == '-') && s.ptr[2] == '[' &&
           memchr("IUD", s.ptr[1], 3) != NULL;
}

/* What is between the first blank or bracket and the end. */
static void
cut(wr_str *text, wr_str *more)
{
    size_t n = 0;
    while (n < text->len && (unsigned char)text->ptr[n] > ' ' && text->ptr[n] != '(') n++;
    *more = trimmed((wr_str){text->ptr + n, text->len - n});
    text->len = n;
}

static wr_status
begin_case(reader *r, uint32_t line, wr_str name)
{
    const wri_test_case c = {.name = name, .line = line};
    if (!wr_list_push(r->a, &r->file->cases, c)) return wr_raise(r->ctx, WR_NOMEM, "out of memory");
    r->steps = &r->file->cases.items[r->file->cases.count - 1].steps;
    r->rows = NULL;
    return WR_OK;
}

static wr_status
take_word(reader *r, int which, wr_str rest, uint32_t line, size_t begin, size_t end)
{
    WR_TRY(take_sql(r, begin));
    r->sql = end;
    if (words[which].wants_text && rest.len == 0)
        return mistake(r, line, "something is missing behind", wr_str_c(words[which].word));
    if (words[which].kind == UINT8_MAX) return begin_case(r, line, rest);
    wri_test_step step = {.kind = words[which].kind,
                          .want = words[which].want,
                          .line = line,
                          .text = rest,
                          .more = WR_STR("")};
    if (step.kind == WRI_TEST_INPUT || step.kind == WRI_TEST_WATERMARK) cut(&step.text, &step.more);
    if (step.kind == WRI_TEST_WATERMARK && step.more.len == 0)
        return mistake(r, line, "a watermark wants a table and a time, not", rest);
    if (step.kind == WRI_TEST_INPUT && step.more.len && step.more.ptr[0] != '(')
        return mistake(r, line, "behind the table column names in brackets are expected, not",
                       step.more);
    WR_TRY(add(r, step));
    const bool takes = step.kind == WRI_TEST_INPUT ||
                       (step.kind == WRI_TEST_EXPECT && step.want != WRI_TEST_ERROR);
    if (!takes) r->rows = NULL;
    return WR_OK;
}

/* A line of the text from `begin` to `end`. */
static wr_status
take_line(reader *r, size_t begin, size_t end, size_t next, uint32_t line)
{
    const wr_str s = trimmed((wr_str){r->file->text.ptr + begin, end - begin});
    if (s.len < 2 || s.ptr[0] != '-' || s.ptr[1] != '-') {
        if (s.len) r->rows = NULL; /* SQL */
        return WR_OK;
    }
    const wr_str comment = trimmed((wr_str){s.ptr + 2, s.len - 2});
    if (r->rows && is_row(comment)) {
        const wri_test_row row = {comment, line};
        r->sql = next;
        return wr_list_push(r->a, &r->rows->rows, row)
                   ? WR_OK
                   : wr_raise(r->ctx, WR_NOMEM, "out of memory");
    }
    wr_str rest;
    const int which = word_of(comment, &rest);
    if (which >= 0 && !inside(r, begin)) return take_word(r, which, rest, line, begin, next);
    const bool stray = is_row(comment) && r->file->cases.count;
    const char *meant = stray ? NULL : nearly(comment);
    if ((!stray && !meant) || inside(r, begin)) return WR_OK;
    if (stray) return mistake(r, line, "a row that belongs to no 'input:' or 'expect:'", comment);
    const wr_status status = mistake(r, line, "no word of test files begins the comment", comment);
    wr_hint(r->ctx, "did you mean '%s:'?", meant);
    return status;
}

wr_status
wri_test_parse(wr_ctx *ctx, wr_arena *a, wri_test_file *f)
{
    reader r = {.ctx = ctx, .a = a, .file = f, .steps = &f->setup};
    uint32_t line = 1;
    for (size_t at = 0; at < f->text.len; line++) {
        const char *nl = memchr(f->text.ptr + at, '\n', f->text.len - at);
        const size_t end = nl ? (size_t)(nl - f->text.ptr) : f->text.len;
        WR_TRY(take_line(&r, at, end, end + (nl != NULL), line));
        at = end + (nl != NULL);
    }
    return take_sql(&r, f->text.len);
}
