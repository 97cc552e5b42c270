/* SPDX-License-Identifier: Apache-2.0 */
/* The result modes `table` and `changelog` of the shell: the result on the whole screen, in pages,
 * redrawn while the query runs. Keys as in Flink's client: Q quit, R refresh, + and - the pace, G
 * go to a page, N P L next, previous and last page, O open a row, arrows select.
 *
 * Rows come from the job's thread into wri_view_row() under the console's lock; the main thread
 * draws and reads keys, in wri_view_progress() while the query runs, in wri_view_finish() after it.
 */
#include "cli/shell_int.h"

#define CHANGES_MAX 1000u /* of the changelog, as Flink keeps */

static const int64_t paces_ms[] = {0, 100, 500, 1000, 3000, 10000}; /* 0: only by R */

void
wri_view_init(wri_view *v, wri_run *run, wri_view_kind kind)
{
    memset(v, 0, sizeof *v);
    v->run = run;
    v->kind = kind;
    v->output = &run->output;
    v->page = UINT32_MAX;
    v->refresh_ms = 1000;
    v->dirty = true;
}

static bool
rows_init(wri_view *v)
{
    const wr_config *c = wr_catalogs_config(wr_session_catalogs(v->run->session));
    int64_t max = wr_config_int(c, "sql-client.execution.max-table-result.rows");
    if (v->rows.arena) return true;
    if (!wri_kept_init(&v->rows, v->output->head.schema.count)) return false;
    v->rows.row_max = v->kind == WRI_VIEW_CHANGELOG          ? CHANGES_MAX
                      : max > 0 && max < (int64_t)UINT32_MAX ? (uint32_t)max
                                                             : 1000000;
    return true;
}

/* thread: the job's, with the console taken */
wr_status
wri_view_row(wr_ctx *ctx, void *arg, const wri_row *row)
{
    wri_view *v = arg;
    wri_row r = *row;
    wr_str cells[WR_COLUMNS_MAX + 1];
    if (!rows_init(v)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    if (v->kind == WRI_VIEW_CHANGELOG) { /* the kind hides in an insertion, as a last cell */
        uint32_t n = v->output->head.schema.count;
        memcpy(cells, row->cells, n * sizeof *cells);
        cells[n] = wr_str_c(wr_kind_name((wr_kind)row->kind));
        v->rows.col_count = n + 1;
        r.cells = cells;
        r.kind = WR_INSERT;
    }
    v->changes++;
    v->dirty = true;
    return wri_kept_apply(&v->rows, &r) ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void
put_fitted(wr_text *t, wr_str s, uint32_t width, bool right)
{
    uint32_t w = wri_text_width(s);
    bool cut = w > width;
    if (right && !cut)
        for (uint32_t i = w; i < width; i++) wr_text_putc(t, ' ');
    uint32_t at = 0;
    for (const char *p = s.ptr, *end = s.ptr + s.len; p < end;) {
        const char *from = p;
        uint32_t cp = wr_utf8_next(&p, end), cw = wri_char_width(cp);
        if (at + cw > (cut ? width - 1 : width)) break;
        at += cw;
        if (cp < 0x20)
            wr_text_putc(t, ' ');
        else
            wr_text_put(t, from, (size_t)(p - from));
    }
    if (cut) {
        wr_text_putc(t, '~');
        at++;
    }
    if (!right || cut)
        for (; at < width; at++) wr_text_putc(t, ' ');
}

typedef struct page_info {
    uint32_t first, last, count; /* rows [first, last) of the living; pages */
    uint32_t page;               /* shown, from 0 */
    uint32_t across;             /* columns of the result that fit */
    uint32_t widths[64];
} page_info;

static const wri_row *
living(const wri_view *v, uint32_t index)
{
    if (v->rows.live == v->rows.rows.count) return &v->rows.rows.items[index];
    for (uint32_t i = 0; i < v->rows.rows.count; i++)
        if (!v->rows.rows.items[i].dead && index-- == 0) return &v->rows.rows.items[i];
    return NULL;
}

/* The next living row behind `row`. */
static const wri_row *
next_living(const wri_view *v, const wri_row *row)
{
    const wri_row *end = v->rows.rows.items + v->rows.rows.count;
    for (row++; row < end && row->dead;) row++;
    return row < end ? row : NULL;
}

static void
measure(const wri_view *v, uint32_t columns, uint32_t height, page_info *p)
{
    const wr_schema *s = &v->output->head.schema;
    uint32_t live = v->rows.live, used = v->kind == WRI_VIEW_CHANGELOG ? 4 : 0;
    memset(p, 0, sizeof *p);
    p->count = live ? (live + height - 1) / height : 1;
    p->page = WR_MIN(v->page, p->count - 1);
    p->first = p->page * height;
    p->last = WR_MIN(p->first + height, live);
    for (uint32_t c = 0; c < s->count && c < WR_COUNT(p->widths); c++) {
        uint32_t w = WR_MAX(wri_text_width(s->fields[c].name), 6);
        const wri_row *r = p->first < live ? living(v, p->first) : NULL;
        for (uint32_t i = p->first; i < p->last && r; i++, r = next_living(v, r))
            if (r->cells[c].ptr) w = WR_MAX(w, wri_text_width(r->cells[c]));
        w = WR_MIN(w, v->output->width_max);
        if (c > 0 && used + w + 1 > columns) break;
        p->widths[c] = WR_MIN(w, columns - 2);
        used += p->widths[c] + 1;
        p->across = c + 1;
    }
}

static void
put_bar(const wri_view *v, const page_info *p, uint32_t columns, wr_text *out)
{
    char text[160];
    const char *state = v->ended ? "finished" : "running";
    (void)snprintf(text, sizeof text,
                   " SQL query result (%s)   %s   page %u of %u   %llu changes, %u rows",
                   v->kind == WRI_VIEW_TABLE ? "table" : "changelog", state, p->page + 1, p->count,
                   (unsigned long long)v->changes, v->rows.live);
    wr_text_puts(out, "\x1b[7m");
    put_fitted(out, wr_str_c(text), columns, false);
    wr_text_puts(out, "\x1b[0m\r\n");
}

static void
put_keys(const wri_view *v, uint32_t columns, wr_text *out)
{
    char text[200], pace[24] = "off";
    if (v->refresh_ms) (void)snprintf(pace, sizeof pace, "%.1f s", (double)v->refresh_ms / 1000);
    if (v->typing)
        (void)snprintf(text, sizeof text, " go to page: %.*s", (int)v->number_len, v->number);
    else
        (void)snprintf(
            text, sizeof text,
            " Q quit  R refresh  +/- pace (%s)  G page  N next  P previous  L last  O open row",
            pace);
    wr_text_puts(out, "\x1b[7m");
    put_fitted(out, wr_str_c(text), columns - 1, false);
    wr_text_puts(out, "\x1b[0m");
}

static void
put_table(wri_view *v, uint32_t columns, uint32_t height, const page_info *p, wr_text *out)
{
    const wr_schema *s = &v->output->head.schema;
    bool kinds = v->kind == WRI_VIEW_CHANGELOG;
    (void)columns;
    wr_text_puts(out, "\x1b[1m");
    if (kinds) wr_text_puts(out, " op ");
    for (uint32_t c = 0; c < p->across; c++) {
        put_fitted(out, s->fields[c].name, p->widths[c], true);
        wr_text_putc(out, ' ');
    }
    wr_text_puts(out, "\x1b[0m\r\n");
    const wri_row *r = p->first < v->rows.live ? living(v, p->first) : NULL;
    for (uint32_t i = 0; i < height; i++) {
        if (r && p->first + i < p->last) {
            bool marked = v->selected == i;
            if (marked) wr_text_puts(out, "\x1b[4m");
            if (kinds) wr_text_printf(out, " %.*s ", WR_STR_ARG(r->cells[s->count]));
            for (uint32_t c = 0; c < p->across; c++) {
                put_fitted(out, r->cells[c].ptr ? r->cells[c] : WR_STR("<NULL>"), p->widths[c],
                           true);
                wr_text_putc(out, ' ');
            }
            if (marked) wr_text_puts(out, "\x1b[0m");
            r = next_living(v, r);
        }
        wr_text_puts(out, "\r\n");
    }
}

static void
put_one(wri_view *v, uint32_t columns, uint32_t height, const page_info *p, wr_text *out)
{
    const wr_schema *s = &v->output->head.schema;
    uint32_t at = WR_MIN(p->first + v->selected, v->rows.live ? v->rows.live - 1 : 0), widest = 1;
    const wri_row *r = v->rows.live ? living(v, at) : NULL;
    for (uint32_t c = 0; c < s->count; c++)
        widest = WR_MAX(widest, wri_text_width(s->fields[c].name));
    widest = WR_MIN(widest, columns / 2);
    for (uint32_t i = 0; i <= height; i++) {
        if (r && i < s->count) {
            put_fitted(out, s->fields[i].name, widest, true);
            wr_text_puts(out, ": ");
            put_fitted(out, r->cells[i].ptr ? r->cells[i] : WR_STR("<NULL>"), columns - widest - 3,
                       false);
        }
        wr_text_puts(out, "\r\n");
    }
}

void
wri_view_draw(wri_view *v, uint32_t columns, uint32_t rows, wr_text *out)
{
    page_info p;
    columns = WR_MAX(columns, 20);
    uint32_t height = WR_MAX(rows, 5) - 3;
    measure(v, columns, height, &p);
    if (p.last > p.first) v->selected = WR_MIN(v->selected, p.last - p.first - 1);
    wr_text_puts(out, "\x1b[?25l\x1b[H\x1b[2J");
    put_bar(v, &p, columns, out);
    if (v->row_shown)
        put_one(v, columns, height, &p, out);
    else
        put_table(v, columns, height, &p, out);
    put_keys(v, columns, out);
}

static void
write_out(const char *p, size_t len)
{
    wr_ctx quiet;
    wr_os_file f = wr_os_stdout();
    wr_ctx_init(&quiet);
    (void)!wr_os_file_write(&quiet, &f, p, len);
}

static void
redraw(wri_view *v)
{
    uint32_t columns, rows;
    wr_text out;
    wr_arena *a = wr_arena_create(NULL, 0);
    if (!a) return;
    wr_text_init(&out, a);
    wr_os_terminal_size(&columns, &rows);
    wri_console_take(&v->run->console);
    wri_view_draw(v, columns, rows, &out);
    v->dirty = false;
    wri_console_give(&v->run->console);
    if (!out.failed) write_out(out.ptr, out.len);
    v->drawn_ns = wr_os_now_ns();
    wr_arena_destroy(a);
}

/* ---- keys ------------------------------------------------------------------------------------ */

static uint32_t
page_count(const wri_view *v, uint32_t *height_out)
{
    uint32_t columns, rows;
    wr_os_terminal_size(&columns, &rows);
    *height_out = WR_MAX(rows, 5) - 3;
    return v->rows.live ? (v->rows.live + *height_out - 1) / *height_out : 1;
}

static void
turn_page(wri_view *v, bool on)
{
    uint32_t height, count = page_count(v, &height);
    uint32_t now = WR_MIN(v->page, count - 1);
    if (on)
        v->page = now + 1 >= count - 1 ? UINT32_MAX : now + 1;
    else
        v->page = now ? now - 1 : 0;
    v->selected = 0;
}

static void
change_pace(wri_view *v, bool faster)
{
    uint32_t i = 0;
    while (i + 1 < WR_COUNT(paces_ms) && paces_ms[i] != v->refresh_ms) i++;
    if (faster && i > 1) v->refresh_ms = paces_ms[i - 1];
    if (faster && i == 0) v->refresh_ms = paces_ms[WR_COUNT(paces_ms) - 1];
    if (!faster) v->refresh_ms = i == 0 || i + 1 == WR_COUNT(paces_ms) ? 0 : paces_ms[i + 1];
}

static void
page_typed(wri_view *v)
{
    uint32_t n = 0;
    for (size_t i = 0; i < v->number_len; i++) n = n * 10 + (uint32_t)(v->number[i] - '0');
    v->typing = false;
    if (v->number_len && n > 0) v->page = n - 1;
    v->number_len = 0;
}

static void
letter_key(wri_view *v, char c)
{
    if (v->typing && c >= '0' && c <= '9') {
        if (v->number_len < 8) v->number[v->number_len++] = c;
        return;
    }
    switch (c) {
    case 'q':
    case 'Q':
        if (v->row_shown)
            v->row_shown = false;
        else
            v->quit = true;
        break;
    case '+':
        change_pace(v, true);
        break;
    case '-':
        change_pace(v, false);
        break;
    case 'g':
    case 'G':
        v->typing = true;
        break;
    case 'n':
    case 'N':
        turn_page(v, true);
        break;
    case 'p':
    case 'P':
        turn_page(v, false);
        break;
    case 'l':
    case 'L':
        v->page = UINT32_MAX;
        break;
    case 'o':
    case 'O':
        v->row_shown = true;
        break;
    default:
        break;
    }
}

static void
view_key(wri_view *v, wri_key key)
{
    uint32_t height;
    switch ((int)key) {
    case WRI_KEY_TEXT:
        for (size_t i = 0; i < v->keys.text_len; i++) letter_key(v, v->keys.text[i]);
        break;
    case WRI_KEY_CONTROL:
        if (v->keys.letter == 'C' || v->keys.letter == 'D') v->quit = true;
        break;
    case WRI_KEY_END_OF_INPUT:
        v->quit = true;
        break;
    case WRI_KEY_ENTER:
        if (v->typing)
            page_typed(v);
        else
            v->row_shown = !v->row_shown;
        break;
    case WRI_KEY_ESCAPE:
        if (!v->row_shown && !v->typing) v->quit = true;
        v->row_shown = v->typing = false;
        break;
    case WRI_KEY_PAGE_DOWN:
        turn_page(v, true);
        break;
    case WRI_KEY_PAGE_UP:
        turn_page(v, false);
        break;
    case WRI_KEY_DOWN:
        (void)page_count(v, &height);
        if (v->selected + 1 < height) v->selected++;
        break;
    case WRI_KEY_UP:
        if (v->selected) v->selected--;
        break;
    default:
        return;
    }
}

/* Handle keys for at most that long; then draw if it is time. */
static void
look(wri_view *v, int64_t timeout_ms)
{
    wr_ctx quiet;
    wri_key key;
    wr_ctx_init(&quiet);
    bool touched = wr_os_resized();
    while (wri_keys_next(&quiet, &v->keys, timeout_ms, &key) == WR_OK) {
        if (key == WRI_KEY_NONE && v->keys.head == v->keys.tail) break;
        wri_console_take(&v->run->console);
        view_key(v, key);
        wri_console_give(&v->run->console);
        touched = true;
        timeout_ms = 0;
        if (v->quit) break;
    }
    if (wr_os_signal_last() != 0) v->quit = true;
    if (v->quit) v->cancel = 1;
    int64_t age_ms = (wr_os_now_ns() - v->drawn_ns) / 1000000;
    wri_console_take(&v->run->console);
    bool due = v->dirty && (v->ended || (v->refresh_ms > 0 && age_ms >= v->refresh_ms));
    wri_console_give(&v->run->console);
    if (!v->quit && (touched || due || v->drawn_ns == 0)) redraw(v);
}

static bool
open_screen(wri_view *v)
{
    wr_ctx quiet;
    wr_ctx_init(&quiet);
    if (v->open) return true;
    if (wr_os_terminal_raw(&quiet, &v->terminal) != WR_OK) return false;
    write_out("\x1b[?1049h", 8);
    v->open = true;
    return true;
}

void
wri_view_progress(void *arg, const wr_job *job)
{
    wri_view *v = arg;
    (void)job;
    if (open_screen(v)) look(v, 0);
}

void
wri_view_leave(void *arg)
{
    wri_view *v = arg;
    if (v->open) {
        write_out("\x1b[?25h\x1b[?1049l", 14);
        wr_os_terminal_restore(&v->terminal);
    }
    v->open = false;
}

bool
wri_view_finish(wri_view *v, bool failed)
{
    bool query = v->output->head.kind == WR_RESULT_QUERY;
    v->ended = true;
    v->dirty = true;
    if (query && !failed && !v->quit && rows_init(v) && open_screen(v))
        while (!v->quit) look(v, 1000);
    wri_view_leave(v);
    return query;
}
