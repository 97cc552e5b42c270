/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of a terminal to keys: UTF-8 text, control letters, the escape sequences of VT220 and
 * xterm, bracketed paste. */
#include "cli/edit.h"

#define ESCAPE_MS 50 /* a lone ESC is the Escape key when nothing follows that soon */

static size_t
held(const wri_keys *k)
{
    return k->tail - k->head;
}

/* More bytes; *got false when the time is over, a signal came, or there are no more ever. */
static wr_status
fill(wr_ctx *ctx, wri_keys *k, int64_t timeout_ms, bool *got)
{
    wr_os_file in = wr_os_stdin();
    wr_os_poll_item item = {&in, WR_OS_POLL_IN, 0};
    uint32_t ready;
    size_t n = 0;
    *got = false;
    if (k->head) {
        memmove(k->pending, k->pending + k->head, held(k));
        k->tail -= k->head;
        k->head = 0;
    }
    if (k->tail == sizeof k->pending) return WR_OK;
    WR_TRY(wr_os_poll(ctx, &item, 1, timeout_ms, &ready));
    if (!ready) return WR_OK;
    wr_ctx quiet; /* a terminal that has gone is the end of input */
    wr_ctx_init(&quiet);
    if (wr_os_file_read(&quiet, &in, k->pending + k->tail, sizeof k->pending - k->tail, &n) !=
        WR_OK)
        n = 0;
    k->tail += n;
    k->ended = n == 0;
    *got = n > 0;
    return WR_OK;
}

/* Have `n` bytes at hand, waiting a moment for the rest of a sequence. */
static wr_status
need(wr_ctx *ctx, wri_keys *k, size_t n, bool *have)
{
    bool got = true;
    while (held(k) < n && got) WR_TRY(fill(ctx, k, ESCAPE_MS, &got));
    *have = held(k) >= n;
    return WR_OK;
}

static char
take(wri_keys *k)
{
    return k->pending[k->head++];
}

static wri_key
control(wri_keys *k, char c)
{
    switch (c) {
    case '\r':
    case '\n':
        return WRI_KEY_ENTER;
    case '\t':
        return WRI_KEY_TAB;
    case 8:
    case 127:
        return WRI_KEY_BACKSPACE;
    case 23: /* W */
        return WRI_KEY_WORD_RUBOUT;
    default:
        if (c < 1 || c > 26) return WRI_KEY_NONE;
        k->letter = (char)('A' + c - 1);
        return WRI_KEY_CONTROL;
    }
}

static wri_key
meta(wri_keys *k, char c)
{
    (void)k;
    switch (c) {
    case 'b':
        return WRI_KEY_WORD_LEFT;
    case 'f':
        return WRI_KEY_WORD_RIGHT;
    case 'd':
        return WRI_KEY_WORD_KILL;
    case 8:
    case 127:
        return WRI_KEY_WORD_RUBOUT;
    case '\r':
    case '\n':
        return WRI_KEY_NEWLINE;
    default:
        return WRI_KEY_NONE;
    }
}

static wri_key
by_number(wri_keys *k, int number)
{
    switch (number) {
    case 1:
    case 7:
        return WRI_KEY_HOME;
    case 4:
    case 8:
        return WRI_KEY_END;
    case 3:
        return WRI_KEY_DELETE;
    case 5:
        return WRI_KEY_PAGE_UP;
    case 6:
        return WRI_KEY_PAGE_DOWN;
    case 200:
        k->in_paste = true;
        return WRI_KEY_NONE;
    default:
        return WRI_KEY_NONE;
    }
}

static wri_key
by_letter(char final, bool modified)
{
    switch (final) {
    case 'A':
        return WRI_KEY_UP;
    case 'B':
        return WRI_KEY_DOWN;
    case 'C':
        return modified ? WRI_KEY_WORD_RIGHT : WRI_KEY_RIGHT;
    case 'D':
        return modified ? WRI_KEY_WORD_LEFT : WRI_KEY_LEFT;
    case 'H':
        return WRI_KEY_HOME;
    case 'F':
        return WRI_KEY_END;
    default:
        return WRI_KEY_NONE;
    }
}

/* Behind ESC [: numbers, then a letter or ~. */
static wri_key
sequence(wr_ctx *ctx, wri_keys *k, wr_status *status)
{
    int numbers[4] = {0}, n = 0;
    bool have;
    for (;;) {
        *status = need(ctx, k, 1, &have);
        if (*status != WR_OK || !have) return WRI_KEY_NONE;
        char c = take(k);
        if (c >= '0' && c <= '9') {
            if (numbers[n] < 10000) numbers[n] = numbers[n] * 10 + (c - '0');
        } else if (c == ';') {
            if (n < 3) n++;
        } else if (c == '~') {
            return by_number(k, numbers[0]);
        } else if (c >= '@' && c <= '~') {
            return by_letter(c, numbers[1] > 1);
        }
    }
}

static wri_key
escape(wr_ctx *ctx, wri_keys *k, wr_status *status)
{
    bool have;
    *status = need(ctx, k, 1, &have);
    if (*status != WR_OK || !have) return WRI_KEY_ESCAPE;
    char c = take(k);
    if (c == '[') return sequence(ctx, k, status);
    if (c != 'O') return meta(k, c);
    *status = need(ctx, k, 1, &have);
    return *status == WR_OK && have ? by_letter(take(k), false) : WRI_KEY_NONE;
}

static size_t
utf8_length(char first)
{
    unsigned char c = (unsigned char)first;
    return c < 0x80 ? 1 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
}

/* Plain characters up to the next control byte. */
static wr_status
plain(wr_ctx *ctx, wri_keys *k)
{
    k->text_len = 0;
    while (held(k) && (unsigned char)k->pending[k->head] >= 0x20 && k->pending[k->head] != 127) {
        size_t n = utf8_length(k->pending[k->head]);
        bool have;
        if (k->text_len + n > sizeof k->text) break;
        WR_TRY(need(ctx, k, n, &have));
        n = have ? n : held(k);
        if (wr_utf8_valid(k->pending + k->head, n)) {
            memcpy(k->text + k->text_len, k->pending + k->head, n);
            k->text_len += n;
            k->head += n;
        } else {
            k->head++;
        }
    }
    return WR_OK;
}

/* Pasted text up to ESC [ 201 ~. */
static wr_status
pasted(wr_ctx *ctx, wri_keys *k, int64_t timeout_ms)
{
    static const char end[] = "\x1b[201~";
    size_t n = sizeof end - 1;
    k->text_len = 0;
    for (;;) {
        bool got = true;
        while (held(k) < n && got) WR_TRY(fill(ctx, k, timeout_ms, &got));
        if (held(k) >= n && memcmp(k->pending + k->head, end, n) == 0) {
            k->head += n;
            k->in_paste = false;
            return WR_OK;
        }
        if (held(k) == 0 || (held(k) < n && !k->ended)) return WR_OK;
        if (k->text_len + 4 >= sizeof k->text) return WR_OK;
        char c = take(k);
        if (c == '\r') c = '\n';
        if ((unsigned char)c >= 0x20 || c == '\n' || c == '\t') k->text[k->text_len++] = c;
    }
}

wr_status
wri_keys_next(wr_ctx *ctx, wri_keys *k, int64_t timeout_ms, wri_key *out)
{
    bool got = true;
    wr_status status = WR_OK;
    *out = WRI_KEY_NONE;
    if (!held(k)) WR_TRY(fill(ctx, k, timeout_ms, &got));
    if (!held(k)) {
        if (k->ended) *out = WRI_KEY_END_OF_INPUT;
        return WR_OK;
    }
    if (k->in_paste) {
        *out = WRI_KEY_PASTE;
        return pasted(ctx, k, timeout_ms);
    }
    unsigned char c = (unsigned char)k->pending[k->head];
    if (c == 27) {
        k->head++;
        *out = escape(ctx, k, &status);
        return status;
    }
    if (c < 0x20 || c == 127) {
        *out = control(k, take(k));
        return WR_OK;
    }
    *out = WRI_KEY_TEXT;
    return plain(ctx, k);
}
