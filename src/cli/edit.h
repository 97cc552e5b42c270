/* SPDX-License-Identifier: Apache-2.0 */
/* The line editor of the shell: a text of several lines, edited in place on a terminal.
 *
 * keys.c turns bytes into keys; edit.c changes the text; draw.c shows it, coloured by the lexer's
 * token classes; history.c remembers. The editor knows no SQL but through its callbacks and
 * wr_sql_token_classes(). Thread: main. */
#ifndef WR_CLI_EDIT_H
#define WR_CLI_EDIT_H

#include "mem/mem.h"
#include "os/os.h"

/* ---- keys.c ---------------------------------------------------------------------------------- */
typedef enum wri_key {
    WRI_KEY_NONE,  /* nothing came in time, or nothing that means something */
    WRI_KEY_TEXT,  /* characters, in `text` */
    WRI_KEY_PASTE, /* the same, pasted: newlines are text */
    WRI_KEY_ENTER,
    WRI_KEY_NEWLINE, /* Alt-Enter */
    WRI_KEY_TAB,
    WRI_KEY_BACKSPACE,
    WRI_KEY_DELETE,
    WRI_KEY_UP,
    WRI_KEY_DOWN,
    WRI_KEY_LEFT,
    WRI_KEY_RIGHT,
    WRI_KEY_HOME,
    WRI_KEY_END,
    WRI_KEY_PAGE_UP,
    WRI_KEY_PAGE_DOWN,
    WRI_KEY_WORD_LEFT,
    WRI_KEY_WORD_RIGHT,
    WRI_KEY_WORD_RUBOUT, /* Ctrl-W, Alt-Backspace */
    WRI_KEY_WORD_KILL,   /* Alt-D */
    WRI_KEY_ESCAPE,
    WRI_KEY_CONTROL, /* `letter` tells which: 'A'..'Z' */
    WRI_KEY_END_OF_INPUT
} wri_key;

typedef struct wri_keys { /* a decoder of terminal input */
    char pending[4096];
    size_t head, tail;
    bool in_paste, ended;
    char text[4096]; /* of TEXT and PASTE */
    size_t text_len;
    char letter;
} wri_keys;
/* Wait for a key (timeout_ms < 0: for ever; also returns NONE on a signal or a new window size). */
wr_status wri_keys_next(wr_ctx *ctx, wri_keys *k, int64_t timeout_ms, wri_key *out) WR_MUST_USE;

/* ---- history.c ------------------------------------------------------------------------------- */
#define WRI_HISTORY_MAX 1000u

typedef struct wri_history {
    wr_arena *arena;
    wr_str *items; /* oldest first */
    uint32_t count;
    char path[WR_OS_PATH_MAX]; /* empty: not kept */
} wri_history;
bool wri_history_open(wri_history *h,
                      const char *path); /* NULL: $WEIR_HISTORY or ~/.weir_history */
void wri_history_close(wri_history *h);
/* Not when it is the last one again, or begins with a blank. */
void wri_history_add(wri_history *h, wr_str text);
/* The next one at or before `from` that contains `what`; UINT32_MAX = none. */
uint32_t wri_history_search(const wri_history *h, uint32_t from, wr_str what);

/* ---- edit.c ---------------------------------------------------------------------------------- */
typedef struct wri_candidates { /* what could stand at the cursor */
    size_t start;               /* of the word that they replace */
    WR_LIST(wr_str) items;
} wri_candidates;

typedef struct wri_edit {
    wr_arena *arena; /* of one text */
    char *text;
    size_t len, cap, cursor;
    char *killed; /* for Ctrl-Y; lives on, in kill_arena */
    size_t killed_len;
    wr_arena *kill_arena;
    wri_keys keys;
    wri_history history;
    uint32_t at;  /* the history entry shown; history.count = the new text */
    wr_str draft; /* the new text, while another is shown */
    const char *prompt, *prompt_more;
    bool color, failed /* out of memory */;
    bool wiping;    /* Ctrl-L: the whole screen is drawn anew */
    bool searching; /* Ctrl-R */
    char what[256]; /* what is searched for */
    size_t what_len;
    uint32_t found;                 /* UINT32_MAX = nothing */
    uint32_t drawn_rows, drawn_row; /* on the screen now: rows, and the one with the cursor */
    /* Is the text whole, so that Enter ends it? */
    bool (*is_whole)(void *arg, wr_str text);
    bool (*complete)(void *arg, wr_arena *a, wr_str text, size_t cursor, wri_candidates *out);
    void *arg;
} wri_edit;

typedef enum wri_edit_result {
    WRI_EDIT_TEXT,   /* a whole text */
    WRI_EDIT_CLEAR,  /* Ctrl-C: the text was thrown away */
    WRI_EDIT_END,    /* Ctrl-D on an empty line, or no terminal any more */
    WRI_EDIT_STOPPED /* SIGTERM */
} wri_edit_result;

bool wri_edit_init(wri_edit *e);
void wri_edit_deinit(wri_edit *e);
/* The terminal is raw during the call. *text: until the next call. */
wr_status wri_edit_read(wr_ctx *ctx, wri_edit *e, wri_edit_result *result,
                        wr_str *text) WR_MUST_USE;
/* One key; true when the text has ended with *result. */
bool wri_edit_key(wri_edit *e, wri_key key, wri_edit_result *result);
void wri_edit_begin(wri_edit *e); /* an empty text */

/* ---- draw.c ---------------------------------------------------------------------------------- */
/* What to write so that the terminal shows the text and the cursor. */
void wri_edit_draw(wri_edit *e, uint32_t columns, uint32_t rows, wr_text *out);
/* To the line below the text; nothing is drawn then. */
void wri_edit_leave(wri_edit *e, uint32_t columns, wr_text *out);
/* Words in columns, for candidates. */
void wri_draw_words(const wr_str *words, uint32_t count, uint32_t columns, wr_text *out);
/* Text with colours for its tokens. */
void wri_draw_sql(wr_str text, bool color, wr_text *out);

#endif
