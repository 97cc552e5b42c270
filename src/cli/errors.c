/* SPDX-License-Identifier: Apache-2.0 */
/* Errors in the house style: class and code, sentence, place, the source line with a caret,
 * candidates, hint; or as JSON. */
#include "cli/cli_int.h"

static void
put_place(wr_text *t, const wr_ctx *ctx, wr_linecol at)
{
    if (ctx->source_name.len) wr_text_printf(t, "%.*s:", WR_STR_ARG(ctx->source_name));
    wr_text_printf(t, "%u:%u", ctx->line_base + at.line, at.col);
}

/* Text for a terminal: what would steer it, and what is not UTF-8, becomes a question mark. */
static void
put_clean(wr_text *t, const char *p, const char *end)
{
    while (p < end) {
        const char *from = p;
        const uint32_t c = wr_utf8_next(&p, end);
        if (c == '\t')
            wr_text_putc(t, ' ');
        else if ((c < ' ' && c != '\n') || (c >= 0x7f && c < 0xa0) ||
                 (c == 0xfffd && p - from == 1))
            wr_text_putc(t, '?');
        else
            wr_text_put(t, from, (size_t)(p - from));
    }
}

static void
put_repeated(wr_text *t, char c, uint32_t n)
{
    while (n--) wr_text_putc(t, c);
}

#define SHOWN_BYTES  240u /* of a long line */
#define BEFORE_BYTES 80u  /* of those, in front of the place */

/* The part of a line that is shown, [*a, *b): all, or what stands around its byte `from`. */
static void
clip(wr_str line, size_t from, size_t *a, size_t *b)
{
    *a = line.len > SHOWN_BYTES && from > BEFORE_BYTES ? from - BEFORE_BYTES : 0;
    *b = WR_MIN(line.len, *a + SHOWN_BYTES);
    while (*a > 0 && *a < from && ((unsigned char)line.ptr[*a] & 0xc0) == 0x80) ++*a;
    while (*b<line.len && * b> from && ((unsigned char)line.ptr[*b] & 0xc0) == 0x80) --*b;
}

/* The source line, and below it carets under [start, end), measured in columns of a terminal. */
static void
put_source(wr_text *t, const wr_ctx *ctx, const wr_err *e, wr_linecol at, const char *red,
           const char *off)
{
    char number[16];
    int digits = snprintf(number, sizeof number, "%u", ctx->line_base + at.line);
    size_t line_start = (size_t)(at.text.ptr - ctx->sql.ptr);
    size_t from = e->span.start - line_start, to = WR_MIN(e->span.end - line_start, at.text.len);
    from = WR_MIN(from, at.text.len);
    size_t a, b;
    clip(at.text, from, &a, &b);
    to = WR_MIN(to, b);
    wr_text_printf(t, "%s | ", number);
    const size_t begin = t->len;
    if (a > 0) wr_text_puts(t, "...");
    put_clean(t, at.text.ptr + a, at.text.ptr + from);
    const size_t mark = t->len;
    if (to > from) put_clean(t, at.text.ptr + from, at.text.ptr + to);
    const size_t end = t->len;
    put_clean(t, at.text.ptr + WR_MAX(to, from), at.text.ptr + b);
    if (b < at.text.len) wr_text_puts(t, "...");
    if (t->failed) return;
    uint32_t before = wri_text_width((wr_str){t->ptr + begin, mark - begin});
    uint32_t width = wri_text_width((wr_str){t->ptr + mark, end - mark});
    wr_text_putc(t, '\n');
    put_repeated(t, ' ', (uint32_t)digits);
    wr_text_puts(t, " | ");
    put_repeated(t, ' ', before);
    wr_text_puts(t, red);
    put_repeated(t, '^', WR_MAX(width, 1));
    wr_text_puts(t, off);
    wr_text_putc(t, '\n');
}

/* A frame is a sentence, an operator, or a place in an input. */
static void
put_frame(wr_text *t, const char *frame)
{
    const char *how = "";
    if (strstr(frame, " subtask "))
        how = "while running ";
    else if (strstr(frame, ", line ") || !strchr(frame, ' '))
        how = "while reading ";
    else if (strncmp(frame, "view ", 5) == 0)
        how = "in ";
    wr_text_printf(t, "  %s", how);
    put_clean(t, frame, frame + strlen(frame));
    wr_text_putc(t, '\n');
}

static void
put_error(wr_text *t, const wr_ctx *ctx, const wr_err *e, bool color)
{
    const char *red = color ? "\x1b[1;31m" : "", *off = color ? "\x1b[0m" : "";
    wr_text_printf(t, "%sERROR %s%s (%s): ", red, wr_status_sqlstate(e->status), off,
                   wr_status_title(e->status));
    put_clean(t, e->message, e->message + strlen(e->message));
    wr_text_putc(t, '\n');
    if (e->span.start != UINT32_MAX && ctx->sql.ptr && e->span.start <= ctx->sql.len) {
        wr_linecol at = wr_linecol_of(ctx->sql, e->span.start);
        wr_text_puts(t, "  at ");
        put_place(t, ctx, at);
        wr_text_putc(t, '\n');
        put_source(t, ctx, e, at, red, off);
    } else if (ctx->source_name.len) {
        wr_text_printf(t, "  in the statement at %.*s:%u\n", WR_STR_ARG(ctx->source_name),
                       ctx->line_base + 1);
    }
    if (e->candidates[0]) wr_text_printf(t, "  did you mean: %s\n", e->candidates);
    if (e->hint[0]) wr_text_printf(t, "  hint: %s\n", e->hint);
    for (uint32_t i = 0; i < e->frame_count; i++) put_frame(t, e->frame[i]);
}

/* "a, b" as ["a","b"]: candidates are kept as the text that is shown. */
static void
put_candidates_json(wr_text *t, const char *candidates)
{
    wr_text_puts(t, ",\"candidates\":[");
    for (const char *p = candidates; *p;) {
        const char *end = strstr(p, ", ");
        size_t len = end ? (size_t)(end - p) : strlen(p);
        if (p != candidates) wr_text_putc(t, ',');
        wri_json_string(t, (wr_str){p, len});
        p += len + (end ? 2 : 0);
    }
    wr_text_putc(t, ']');
}

static void
put_error_json(wr_text *t, const wr_ctx *ctx, const wr_err *e)
{
    static const char *const classes[] = {"NONE", "USER", "RETRY", "FATAL"};
    wr_text_printf(t, "{\"error\":{\"code\":\"%s\",\"title\":\"%s\",\"class\":\"%s\",\"message\":",
                   wr_status_sqlstate(e->status), wr_status_title(e->status),
                   classes[wr_status_class(e->status)]);
    wri_json_string(t, wr_str_c(e->message));
    if (ctx->source_name.len) {
        wr_text_puts(t, ",\"file\":");
        wri_json_string(t, ctx->source_name);
    }
    if (e->span.start != UINT32_MAX && ctx->sql.ptr && e->span.start <= ctx->sql.len) {
        wr_linecol at = wr_linecol_of(ctx->sql, e->span.start);
        wr_text_printf(t, ",\"line\":%u,\"column\":%u,\"source\":", ctx->line_base + at.line,
                       at.col);
        wri_json_string(t, at.text);
    }
    if (e->candidates[0]) put_candidates_json(t, e->candidates);
    if (e->hint[0]) {
        wr_text_puts(t, ",\"hint\":");
        wri_json_string(t, wr_str_c(e->hint));
    }
    for (uint32_t i = 0; i < e->frame_count; i++) {
        wr_text_puts(t, i ? "," : ",\"context\":[");
        wri_json_string(t, wr_str_c(e->frame[i]));
    }
    if (e->frame_count) wr_text_putc(t, ']');
    wr_text_puts(t, "}}\n");
}

/* In the order of their places. */
static uint32_t
sort_errors(const wr_ctx *ctx, const wr_err **out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < ctx->more_count; i++) out[n++] = &ctx->more[i];
    if (ctx->err.status != WR_OK) out[n++] = &ctx->err;
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t j = i; j > 0 && out[j]->span.start < out[j - 1]->span.start; j--) {
            const wr_err *swap = out[j];
            out[j] = out[j - 1];
            out[j - 1] = swap;
        }
    return n;
}

void
wri_error_print(const wr_ctx *ctx, wr_os_file file, bool json, bool color)
{
    wr_ctx quiet;
    wr_text t;
    const wr_err *errors[WR_ERR_MORE_MAX + 1];
    wr_arena *arena = wr_arena_create(NULL, 0);
    if (!arena) return;
    wr_ctx_init(&quiet);
    wr_text_init(&t, arena);
    uint32_t n = sort_errors(ctx, errors);
    for (uint32_t i = 0; i < n; i++) {
        if (json)
            put_error_json(&t, ctx, errors[i]);
        else
            put_error(&t, ctx, errors[i], color);
    }
    (void)!wr_os_file_write(&quiet, &file, t.ptr, t.len);
    wr_arena_destroy(arena);
}

/* 0 ok, 1 SQL error, 2 usage, 3 I/O, 130 interrupted */
int
wri_exit_code(wr_status status)
{
    switch ((int)status) {
    case WR_OK:
        return 0;
    case WR_USAGE:
        return 2;
    case WR_IO:
        return 3;
    case WR_CANCELLED:
        return 130;
    default:
        return 1;
    }
}
