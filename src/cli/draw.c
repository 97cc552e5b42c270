/* SPDX-License-Identifier: Apache-2.0 */
/* Showing the text that is edited: cut into rows of the terminal's width, a window of them when
 * there are more than fit, with colours by token class, and the cursor where it belongs. */
#include "cli/edit.h"
#include "cli/output.h"
#include "sql/sql.h"

typedef struct row { /* one row on the screen */
    size_t start, end;
    uint32_t indent; /* columns of the prompt before it; 0: a continued row */
    bool first;      /* of the text */
} row;

typedef struct layout {
    row *rows;
    uint32_t count, cap;
    uint32_t cursor_row, cursor_col;
} layout;

static const char *
color_of(wr_sql_token_kind kind)
{
    switch (kind) {
    case WR_SQL_TOKEN_KEYWORD:
        return "\x1b[1;34m";
    case WR_SQL_TOKEN_STRING:
        return "\x1b[32m";
    case WR_SQL_TOKEN_NUMBER:
        return "\x1b[36m";
    case WR_SQL_TOKEN_COMMENT:
        return "\x1b[90m";
    case WR_SQL_TOKEN_HINT:
        return "\x1b[33m";
    case WR_SQL_TOKEN_QUOTED:
        return "\x1b[35m";
    case WR_SQL_TOKEN_BAD:
        return "\x1b[31m";
    case WR_SQL_TOKEN_NAME:
    case WR_SQL_TOKEN_OPERATOR:
    case WR_SQL_TOKEN_PUNCTUATION:
        break;
    }
    return NULL;
}

typedef struct painter { /* goes through the tokens as the bytes go by */
    wr_str text;
    size_t pos;
    wr_sql_token_class token;
    bool more, painting;
} painter;

static void
painter_start(painter *p, wr_str text, bool color)
{
    memset(p, 0, sizeof *p);
    p->text = text;
    p->more =
        color && text.len && text.ptr[0] != '\\' && wr_sql_token_classes(text, &p->pos, &p->token);
}

/* Called before byte `at` is written. */
static void
paint(painter *p, size_t at, wr_text *out)
{
    while (p->more && at >= p->token.span.end) {
        if (p->painting) wr_text_puts(out, "\x1b[0m");
        p->painting = false;
        p->more = wr_sql_token_classes(p->text, &p->pos, &p->token);
    }
    if (!p->more || p->painting || at < p->token.span.start) return;
    const char *c = color_of(p->token.what);
    if (c) wr_text_puts(out, c);
    p->painting = c != NULL;
}

static void
paint_stop(painter *p, wr_text *out)
{
    if (p->painting) wr_text_puts(out, "\x1b[0m");
    p->painting = false;
}

void
wri_draw_sql(wr_str text, bool color, wr_text *out)
{
    painter p;
    painter_start(&p, text, color);
    for (size_t i = 0; i < text.len; i++) {
        paint(&p, i, out);
        wr_text_putc(out, text.ptr[i]);
    }
    paint_stop(&p, out);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static row *
add_row(layout *l, wr_arena *a, size_t start, uint32_t indent)
{
    if (l->count == l->cap) {
        uint32_t cap = l->cap ? l->cap * 2 : 16;
        row *rows = WR_NEW_N(a, row, cap);
        if (!rows) return NULL;
        if (l->count) memcpy(rows, l->rows, l->count * sizeof *rows);
        l->rows = rows;
        l->cap = cap;
    }
    l->rows[l->count] = (row){.start = start, .end = start, .indent = indent};
    return &l->rows[l->count++];
}

static bool
make_layout(const wri_edit *e, uint32_t columns, wr_arena *a, layout *l)
{
    uint32_t first = (uint32_t)strlen(e->prompt), more = (uint32_t)strlen(e->prompt_more);
    uint32_t col = first;
    row *r = add_row(l, a, 0, first);
    if (!r) return false;
    r->first = true;
    for (size_t i = 0;;) {
        if (i == e->cursor) {
            l->cursor_row = l->count - 1;
            l->cursor_col = WR_MIN(col, columns - 1);
        }
        if (i >= e->len) break;
        const char *p = e->text + i, *end = e->text + e->len;
        uint32_t cp = wr_utf8_next(&p, end);
        size_t next = (size_t)(p - e->text);
        uint32_t w = cp == '\t' ? 4 : wri_char_width(cp);
        if (cp == '\n') {
            r->end = i;
            r = add_row(l, a, next, more);
            col = more;
        } else if (col + w > columns) {
            r->end = i;
            r = add_row(l, a, i, 0);
            col = w;
            if (r && i == e->cursor) {
                l->cursor_row = l->count - 1;
                l->cursor_col = 0;
            }
        } else {
            col += w;
        }
        if (!r) return false;
        i = next;
    }
    r->end = e->len;
    if (col == columns && e->cursor == e->len) { /* the cursor needs a row of its own */
        if (!add_row(l, a, e->len, 0)) return false;
        l->cursor_row = l->count - 1;
        l->cursor_col = 0;
    }
    return true;
}

static void
put_row(const wri_edit *e, const row *r, painter *p, wr_text *out)
{
    if (r->indent) {
        if (e->color) wr_text_puts(out, "\x1b[1m");
        wr_text_puts(out, r->first ? e->prompt : e->prompt_more);
        if (e->color) wr_text_puts(out, "\x1b[0m");
    }
    for (size_t i = r->start; i < r->end; i++) {
        paint(p, i, out);
        if (e->text[i] == '\t')
            wr_text_puts(out, "    ");
        else
            wr_text_putc(out, e->text[i]);
    }
    paint_stop(p, out);
}

static void
put_move(wr_text *out, uint32_t n, char direction)
{
    if (n) wr_text_printf(out, "\x1b[%u%c", n, direction);
}

/* To the first column of the first row drawn, everything below wiped. */
static void
put_home(wri_edit *e, wr_text *out)
{
    if (e->wiping)
        wr_text_puts(out, "\x1b[H\x1b[2J");
    else
        put_move(out, e->drawn_row, 'A');
    e->wiping = false;
    wr_text_puts(out, "\r\x1b[J");
}

static void
draw_search(wri_edit *e, uint32_t columns, wr_text *out)
{
    wr_str hit = e->found == UINT32_MAX ? (wr_str){"", 0} : e->history.items[e->found];
    wr_text line;
    put_home(e, out);
    wr_text_init(&line, out->arena);
    wr_text_printf(&line, "(%s'%.*s') ",
                   e->found == UINT32_MAX && e->what_len ? "nothing " : "search ", (int)e->what_len,
                   e->what);
    uint32_t w = wri_text_width(wr_text_str(&line));
    for (const char *p = hit.ptr, *end = hit.ptr + hit.len; p < end;) {
        const char *from = p;
        uint32_t cp = wr_utf8_next(&p, end);
        if (w + wri_char_width(cp) >= columns) break;
        w += wri_char_width(cp);
        if (cp == '\n' || cp == '\t')
            wr_text_putc(&line, ' ');
        else
            wr_text_put(&line, from, (size_t)(p - from));
    }
    wr_text_put(out, line.ptr, line.len);
    e->drawn_rows = 1;
    e->drawn_row = 0;
}

void
wri_edit_draw(wri_edit *e, uint32_t columns, uint32_t rows, wr_text *out)
{
    layout l = {0};
    painter p;
    columns = WR_MAX(columns, 16);
    if (e->searching) {
        draw_search(e, columns, out);
        return;
    }
    if (!make_layout(e, columns, out->arena, &l)) return;
    uint32_t height = WR_MIN(l.count, WR_MAX(rows, 2) - 1), top = 0;
    if (l.cursor_row >= height) top = l.cursor_row - height + 1;
    put_home(e, out);
    painter_start(&p, (wr_str){e->text, e->len}, e->color);
    for (uint32_t i = top; i < top + height; i++) {
        if (i > top) wr_text_puts(out, "\r\n");
        put_row(e, &l.rows[i], &p, out);
    }
    put_move(out, top + height - 1 - l.cursor_row, 'A');
    wr_text_putc(out, '\r');
    put_move(out, l.cursor_col, 'C');
    e->drawn_rows = height;
    e->drawn_row = l.cursor_row - top;
}

void
wri_edit_leave(wri_edit *e, uint32_t columns, wr_text *out)
{
    (void)columns;
    if (e->drawn_rows) put_move(out, e->drawn_rows - 1 - e->drawn_row, 'B');
    wr_text_puts(out, "\r\n");
    e->drawn_rows = e->drawn_row = 0;
}

void
wri_draw_words(const wr_str *words, uint32_t count, uint32_t columns, wr_text *out)
{
    uint32_t widest = 1;
    for (uint32_t i = 0; i < count; i++) widest = WR_MAX(widest, wri_text_width(words[i]));
    uint32_t across = WR_MAX(columns / (widest + 2), 1), down = (count + across - 1) / across;
    for (uint32_t r = 0; r < down; r++) {
        for (uint32_t c = 0; c < across; c++) {
            uint32_t i = c * down + r;
            if (i >= count) break;
            wr_text_put(out, words[i].ptr, words[i].len);
            if (i + down >= count) continue;
            for (uint32_t w = wri_text_width(words[i]); w < widest + 2; w++) wr_text_putc(out, ' ');
        }
        wr_text_puts(out, "\r\n");
    }
}
