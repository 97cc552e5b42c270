/* SPDX-License-Identifier: Apache-2.0 */
/* The shell's history: one entry a line in a file (newlines as \n, backslashes doubled), so that
 * several shells may append to it. It is bounded: when a shell starts on a file with too many
 * entries, the file is written anew with the latest. */
#include <stdio.h>

#include "cli/edit.h"

#define FILE_BYTES_MAX (8u << 20)

static wr_str
unescape(wr_arena *a, wr_str line)
{
    wr_text t;
    wr_text_init(&t, a);
    for (size_t i = 0; i < line.len; i++) {
        char c = line.ptr[i];
        if (c == '\\' && i + 1 < line.len) c = line.ptr[++i] == 'n' ? '\n' : line.ptr[i];
        wr_text_putc(&t, c);
    }
    return t.failed ? (wr_str){NULL, 0} : wr_text_str(&t);
}

static void
escape(wr_text *t, wr_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\\') wr_text_putc(t, '\\');
        if (text.ptr[i] == '\n')
            wr_text_puts(t, "\\n");
        else
            wr_text_putc(t, text.ptr[i]);
    }
    wr_text_putc(t, '\n');
}

static void
push(wri_history *h, wr_str text)
{
    if (!text.ptr) return;
    if (h->count == WRI_HISTORY_MAX) memmove(h->items, h->items + 1, --h->count * sizeof *h->items);
    h->items[h->count++] = text;
}

static uint32_t
load(wri_history *h, wr_str all)
{
    uint32_t lines = 0;
    for (size_t at = 0; at < all.len;) {
        const char *end = memchr(all.ptr + at, '\n', all.len - at);
        size_t n = end ? (size_t)(end - all.ptr) - at : all.len - at;
        if (n) push(h, unescape(h->arena, (wr_str){all.ptr + at, n}));
        lines += n > 0;
        at += n + 1;
    }
    return lines;
}

static void
write_entries(const wri_history *h, uint32_t from, wr_os_open_mode mode)
{
    wr_ctx quiet;
    wr_os_file f;
    wr_text t;
    wr_arena *arena = wr_arena_create(NULL, 0);
    wr_ctx_init(&quiet);
    if (!arena) return;
    wr_text_init(&t, arena);
    for (uint32_t i = from; i < h->count; i++) escape(&t, h->items[i]);
    if (!t.failed && wr_os_file_open(&quiet, h->path, mode, &f) == WR_OK) {
        wr_os_file_make_private(&f); /* statements name passwords */
        (void)!wr_os_file_write(&quiet, &f, t.ptr, t.len);
        wr_os_file_close(&f);
    }
    wr_arena_destroy(arena);
}

bool
wri_history_open(wri_history *h, const char *path)
{
    wr_ctx quiet;
    wr_os_map map;
    wr_os_stat st;
    memset(h, 0, sizeof *h);
    wr_ctx_init(&quiet);
    h->arena = wr_arena_create(NULL, 0);
    h->items = h->arena ? WR_NEW_N(h->arena, wr_str, WRI_HISTORY_MAX) : NULL;
    if (!h->items) return false;
    const char *home = wr_os_env("HOME");
    if (!path) path = wr_os_env("WEIR_HISTORY");
    int n = path   ? snprintf(h->path, sizeof h->path, "%s", path)
            : home ? snprintf(h->path, sizeof h->path, "%s/.weir_history", home)
                   : 0;
    if (n <= 0 || (size_t)n >= sizeof h->path) h->path[0] = '\0';
    if (!h->path[0] || wr_os_stat_path(&quiet, h->path, &st) != WR_OK) return true;
    if (st.kind != WR_OS_FILE || st.size_bytes > FILE_BYTES_MAX) return true;
    if (wr_os_map_file(&quiet, h->path, &map) != WR_OK) return true;
    uint32_t lines = load(h, (wr_str){map.ptr, map.len});
    wr_os_unmap(&map);
    if (lines > 2 * WRI_HISTORY_MAX) write_entries(h, 0, WR_OS_WRITE);
    return true;
}

void
wri_history_close(wri_history *h)
{
    wr_arena_destroy(h->arena);
    memset(h, 0, sizeof *h);
}

void
wri_history_add(wri_history *h, wr_str text)
{
    if (text.len == 0 || text.ptr[0] == ' ') return;
    if (h->count && wr_str_eq(h->items[h->count - 1], text)) return;
    wr_str kept = wr_arena_str(h->arena, text);
    if (!kept.ptr) return;
    push(h, kept);
    if (h->path[0]) write_entries(h, h->count - 1, WR_OS_APPEND);
}

uint32_t
wri_history_search(const wri_history *h, uint32_t from, wr_str what)
{
    if (h->count == 0) return UINT32_MAX;
    for (uint32_t i = WR_MIN(from, h->count - 1) + 1; i-- > 0;) {
        wr_str s = h->items[i];
        for (size_t at = 0; at + what.len <= s.len; at++)
            if (memcmp(s.ptr + at, what.ptr, what.len) == 0) return i;
    }
    return UINT32_MAX;
}
