/* SPDX-License-Identifier: Apache-2.0 */
/* What keys do to the text: Emacs' bindings, as readline has them. Up and Down move within the text
 * first, then through the history. */
#include "cli/edit.h"

bool
wri_edit_init(wri_edit *e)
{
    memset(e, 0, sizeof *e);
    e->prompt = "weir> ";
    e->prompt_more = "   -> ";
    e->arena = wr_arena_create(NULL, 0);
    e->kill_arena = wr_arena_create(NULL, 0);
    return e->arena && e->kill_arena && wri_history_open(&e->history, NULL);
}

void
wri_edit_deinit(wri_edit *e)
{
    wri_history_close(&e->history);
    wr_arena_destroy(e->arena);
    wr_arena_destroy(e->kill_arena);
    e->arena = e->kill_arena = NULL;
}

void
wri_edit_begin(wri_edit *e)
{
    wr_arena_reset(e->arena);
    e->text = NULL;
    e->len = e->cap = e->cursor = 0;
    e->failed = false;
    e->searching = false;
    e->at = e->history.count;
    e->draft = (wr_str){NULL, 0};
    e->drawn_rows = e->drawn_row = 0;
}

/* ---- changing -------------------------------------------------------------------------------- */

static void
insert(wri_edit *e, const char *p, size_t n)
{
    if (e->len + n + 1 > e->cap) {
        size_t cap = WR_MAX(e->cap * 2, e->len + n + 256);
        char *text = wr_arena_alloc(e->arena, cap);
        if (!text) {
            e->failed = true;
            return;
        }
        if (e->len) memcpy(text, e->text, e->len);
        e->text = text;
        e->cap = cap;
    }
    memmove(e->text + e->cursor + n, e->text + e->cursor, e->len - e->cursor);
    memcpy(e->text + e->cursor, p, n);
    e->len += n;
    e->cursor += n;
}

static void
cut(wri_edit *e, size_t from, size_t to)
{
    memmove(e->text + from, e->text + to, e->len - to);
    e->len -= to - from;
    e->cursor = from;
}

static void
kill_range(wri_edit *e, size_t from, size_t to)
{
    if (from == to) return;
    wr_arena_reset(e->kill_arena);
    e->killed = wr_arena_dup(e->kill_arena, e->text + from, to - from);
    e->killed_len = e->killed ? to - from : 0;
    cut(e, from, to);
}

static void
set_text(wri_edit *e, wr_str s)
{
    e->len = e->cursor = 0;
    insert(e, s.ptr ? s.ptr : "", s.len);
}

/* ---- places ---------------------------------------------------------------------------------- */

static size_t
back(const wri_edit *e, size_t at)
{
    if (at == 0) return 0;
    do at--;
    while (at > 0 && ((unsigned char)e->text[at] & 0xc0) == 0x80);
    return at;
}

static size_t
forth(const wri_edit *e, size_t at)
{
    if (at >= e->len) return e->len;
    do at++;
    while (at < e->len && ((unsigned char)e->text[at] & 0xc0) == 0x80);
    return at;
}

static bool
in_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (unsigned char)c >= 0x80;
}

static size_t
word_back(const wri_edit *e, size_t at)
{
    while (at > 0 && !in_word(e->text[at - 1])) at--;
    while (at > 0 && in_word(e->text[at - 1])) at--;
    return at;
}

static size_t
word_forth(const wri_edit *e, size_t at)
{
    while (at < e->len && !in_word(e->text[at])) at++;
    while (at < e->len && in_word(e->text[at])) at++;
    return at;
}

static size_t
line_start(const wri_edit *e, size_t at)
{
    while (at > 0 && e->text[at - 1] != '\n') at--;
    return at;
}

static size_t
line_end(const wri_edit *e, size_t at)
{
    while (at < e->len && e->text[at] != '\n') at++;
    return at;
}

/* The same character count into the line before or after. */
static bool
move_line(wri_edit *e, bool up)
{
    size_t start = line_start(e, e->cursor), end = line_end(e, e->cursor), to;
    if (up ? start == 0 : end >= e->len) return false;
    uint32_t col = 0;
    for (size_t i = start; i < e->cursor; i = forth(e, i)) col++;
    to = up ? line_start(e, start - 1) : end + 1;
    for (size_t stop = line_end(e, to); col > 0 && to < stop; col--) to = forth(e, to);
    e->cursor = to;
    return true;
}

static void
move_history(wri_edit *e, bool up)
{
    if (up ? e->at == 0 : e->at >= e->history.count) return;
    if (e->at == e->history.count)
        e->draft = wr_arena_str(e->arena, (wr_str){e->text ? e->text : "", e->len});
    e->at = up ? e->at - 1 : e->at + 1;
    set_text(e, e->at == e->history.count ? e->draft : e->history.items[e->at]);
}

static void
transpose(wri_edit *e)
{
    size_t b = e->cursor == e->len ? back(e, e->cursor) : e->cursor, a = back(e, b),
           end = forth(e, b);
    char tmp[8];
    size_t n = b - a;
    if (a == b || b == end || n > sizeof tmp) return;
    memcpy(tmp, e->text + a, n);
    memmove(e->text + a, e->text + b, end - b);
    memcpy(e->text + a + (end - b), tmp, n);
    e->cursor = end;
}

/* ---- Ctrl-R ---------------------------------------------------------------------------------- */

static void
search_again(wri_edit *e, uint32_t from)
{
    uint32_t hit = e->what_len
                       ? wri_history_search(&e->history, from, (wr_str){e->what, e->what_len})
                       : UINT32_MAX;
    if (hit != UINT32_MAX || from >= e->history.count) e->found = hit;
}

static void
search_accept(wri_edit *e)
{
    e->searching = false;
    if (e->found == UINT32_MAX) return;
    if (e->at == e->history.count)
        e->draft = wr_arena_str(e->arena, (wr_str){e->text ? e->text : "", e->len});
    e->at = e->found;
    set_text(e, e->history.items[e->found]);
}

/* True: the key was the search's; else it goes on as usual. */
static bool
search_key(wri_edit *e, wri_key key)
{
    switch ((int)key) {
    case WRI_KEY_NONE:
        return true;
    case WRI_KEY_TEXT:
    case WRI_KEY_PASTE:
        if (e->what_len + e->keys.text_len <= sizeof e->what) {
            memcpy(e->what + e->what_len, e->keys.text, e->keys.text_len);
            e->what_len += e->keys.text_len;
        }
        e->found = UINT32_MAX;
        search_again(e, e->history.count);
        return true;
    case WRI_KEY_BACKSPACE:
        while (e->what_len && ((unsigned char)e->what[--e->what_len] & 0xc0) == 0x80) continue;
        e->found = UINT32_MAX;
        search_again(e, e->history.count);
        return true;
    case WRI_KEY_CONTROL:
        if (e->keys.letter == 'R') {
            if (e->found != UINT32_MAX && e->found > 0) search_again(e, e->found - 1);
            return true;
        }
        if (e->keys.letter == 'G' || e->keys.letter == 'C') {
            e->searching = false;
            return true;
        }
        break;
    default:
        break;
    }
    search_accept(e);
    return key == WRI_KEY_ESCAPE;
}

/* ---- completion ------------------------------------------------------------------------------ */

static size_t
common_length(const wri_candidates *c)
{
    size_t n = c->items.items[0].len;
    for (uint32_t i = 1; i < c->items.count; i++) {
        wr_str s = c->items.items[i];
        size_t k = 0;
        while (k < n && k < s.len && s.ptr[k] == c->items.items[0].ptr[k]) k++;
        n = k;
    }
    while (n > 0 && n < c->items.items[0].len &&
           ((unsigned char)c->items.items[0].ptr[n] & 0xc0) == 0x80)
        n--;
    return n;
}

static void
show_candidates(wri_edit *e, const wri_candidates *c, wr_arena *a)
{
    wr_ctx quiet;
    wr_text out;
    wr_os_file f = wr_os_stdout();
    uint32_t columns, rows;
    wr_ctx_init(&quiet);
    wr_text_init(&out, a);
    wr_os_terminal_size(&columns, &rows);
    wri_edit_leave(e, columns, &out);
    uint32_t shown = WR_MIN(c->items.count, 200);
    wri_draw_words(c->items.items, shown, columns, &out);
    if (shown < c->items.count) wr_text_printf(&out, "... and %u more\r\n", c->items.count - shown);
    if (!out.failed) (void)!wr_os_file_write(&quiet, &f, out.ptr, out.len);
}

static void
complete(wri_edit *e)
{
    wri_candidates c = {0};
    wr_arena *a = wr_arena_create(NULL, 0);
    wr_str text = {e->text ? e->text : "", e->len};
    if (a && e->complete && e->complete(e->arg, a, text, e->cursor, &c) && c.items.count) {
        size_t have = e->cursor - c.start, n = common_length(&c);
        wr_str first = c.items.items[0];
        bool fresh = n > have || (n == have && memcmp(e->text + c.start, first.ptr, n) != 0);
        if (fresh || c.items.count == 1) {
            cut(e, c.start, e->cursor);
            insert(e, first.ptr, n);
            char last = n ? first.ptr[n - 1] : ' ';
            if (c.items.count == 1 && !strchr("(.'/= ", last)) insert(e, " ", 1);
        } else {
            show_candidates(e, &c, a);
        }
    }
    wr_arena_destroy(a);
}

/* ---- keys ------------------------------------------------------------------------------------ */

static bool
control_key(wri_edit *e, char letter, wri_edit_result *result)
{
    switch (letter) {
    case 'A':
        e->cursor = line_start(e, e->cursor);
        break;
    case 'B':
        e->cursor = back(e, e->cursor);
        break;
    case 'C':
        *result = WRI_EDIT_CLEAR;
        return true;
    case 'D':
        *result = WRI_EDIT_END;
        if (e->len == 0) return true;
        if (e->cursor < e->len) cut(e, e->cursor, forth(e, e->cursor));
        break;
    case 'E':
        e->cursor = line_end(e, e->cursor);
        break;
    case 'F':
        e->cursor = forth(e, e->cursor);
        break;
    case 'K':
        kill_range(e, e->cursor, line_end(e, e->cursor));
        break;
    case 'L':
        e->wiping = true;
        break;
    case 'N':
        if (!move_line(e, false)) move_history(e, false);
        break;
    case 'P':
        if (!move_line(e, true)) move_history(e, true);
        break;
    case 'R':
        e->searching = true;
        e->what_len = 0;
        e->found = UINT32_MAX;
        break;
    case 'T':
        transpose(e);
        break;
    case 'U':
        kill_range(e, line_start(e, e->cursor), e->cursor);
        break;
    case 'Y':
        if (e->killed_len) insert(e, e->killed, e->killed_len);
        break;
    default:
        break;
    }
    return false;
}

static void
move_key(wri_edit *e, wri_key key)
{
    switch ((int)key) {
    case WRI_KEY_UP:
    case WRI_KEY_PAGE_UP:
        if (!move_line(e, true)) move_history(e, true);
        break;
    case WRI_KEY_DOWN:
    case WRI_KEY_PAGE_DOWN:
        if (!move_line(e, false)) move_history(e, false);
        break;
    case WRI_KEY_LEFT:
        e->cursor = back(e, e->cursor);
        break;
    case WRI_KEY_RIGHT:
        e->cursor = forth(e, e->cursor);
        break;
    case WRI_KEY_HOME:
        e->cursor = line_start(e, e->cursor);
        break;
    case WRI_KEY_END:
        e->cursor = line_end(e, e->cursor);
        break;
    case WRI_KEY_WORD_LEFT:
        e->cursor = word_back(e, e->cursor);
        break;
    case WRI_KEY_WORD_RIGHT:
        e->cursor = word_forth(e, e->cursor);
        break;
    default:
        break;
    }
}

bool
wri_edit_key(wri_edit *e, wri_key key, wri_edit_result *result)
{
    if (e->searching && search_key(e, key)) return false;
    switch ((int)key) {
    case WRI_KEY_TEXT:
    case WRI_KEY_PASTE:
        insert(e, e->keys.text, e->keys.text_len);
        break;
    case WRI_KEY_ENTER:
        *result = WRI_EDIT_TEXT;
        if (e->len == 0 || !e->is_whole || e->is_whole(e->arg, (wr_str){e->text, e->len}))
            return true;
        insert(e, "\n", 1);
        break;
    case WRI_KEY_NEWLINE:
        insert(e, "\n", 1);
        break;
    case WRI_KEY_TAB:
        complete(e);
        break;
    case WRI_KEY_BACKSPACE:
        if (e->cursor > 0) cut(e, back(e, e->cursor), e->cursor);
        break;
    case WRI_KEY_DELETE:
        if (e->cursor < e->len) cut(e, e->cursor, forth(e, e->cursor));
        break;
    case WRI_KEY_WORD_RUBOUT:
        kill_range(e, word_back(e, e->cursor), e->cursor);
        break;
    case WRI_KEY_WORD_KILL:
        kill_range(e, e->cursor, word_forth(e, e->cursor));
        break;
    case WRI_KEY_CONTROL:
        return control_key(e, e->keys.letter, result);
    case WRI_KEY_END_OF_INPUT:
        *result = WRI_EDIT_END;
        return true;
    default:
        move_key(e, key);
        break;
    }
    return false;
}

/* ---- reading --------------------------------------------------------------------------------- */

static wr_status
show(wr_ctx *ctx, wri_edit *e, bool leave)
{
    wr_text out;
    wr_os_file f = wr_os_stdout();
    uint32_t columns, rows;
    wr_arena *a = wr_arena_create(NULL, 0);
    WR_TRY_ALLOC(ctx, a);
    wr_text_init(&out, a);
    wr_os_terminal_size(&columns, &rows);
    if (leave) e->cursor = e->len;
    wri_edit_draw(e, columns, rows, &out);
    if (leave) wri_edit_leave(e, columns, &out);
    wr_status status = out.failed ? wr_raise(ctx, WR_NOMEM, "out of memory")
                                  : wr_os_file_write(ctx, &f, out.ptr, out.len);
    wr_arena_destroy(a);
    return status;
}

static wr_status
edit_loop(wr_ctx *ctx, wri_edit *e, wri_edit_result *result)
{
    for (;;) {
        wri_key key;
        if (e->keys.head == e->keys.tail)
            WR_TRY(show(ctx, e, false)); /* not for every pasted byte */
        WR_TRY(wri_keys_next(ctx, &e->keys, -1, &key));
        if (wr_os_signal_last() != 0) {
            *result = WRI_EDIT_STOPPED;
            return WR_OK;
        }
        if (wri_edit_key(e, key, result)) return WR_OK;
        if (e->failed) return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
}

wr_status
wri_edit_read(wr_ctx *ctx, wri_edit *e, wri_edit_result *result, wr_str *text)
{
    wr_os_terminal terminal;
    wr_os_file f = wr_os_stdout();
    wri_edit_begin(e);
    WR_TRY(wr_os_terminal_raw(ctx, &terminal));
    wr_status status = wr_os_file_write(ctx, &f, "\x1b[?2004h", 8);
    if (status == WR_OK) status = edit_loop(ctx, e, result);
    if (status == WR_OK) status = show(ctx, e, true);
    if (status == WR_OK) status = wr_os_file_write(ctx, &f, "\x1b[?2004l", 8);
    wr_os_terminal_restore(&terminal);
    *text = (wr_str){e->text ? e->text : "", e->len};
    return status;
}
