/* SPDX-License-Identifier: Apache-2.0 */
/* The error record of a context: raised once, the first error wins, hints and frames are added on
 * the way out.
 *
 * The record lives inside the context, so that running out of memory can always be told. Texts that
 * do not fit are cut at a code point. A hint or candidates given just before the raise are kept.
 * One thread at a time per context. */
#include "base/base.h"

#include <stdio.h>

#define CANDIDATES_MAX 3

/* Cuts an incomplete code point off the end of a truncated text. */
static void
trim_cut(char *s, size_t len)
{
    size_t start = len;
    while (start > 0 && ((unsigned char)s[start - 1] & 0xc0) == 0x80 && len - start < 3) start--;
    if (start == 0) return;
    unsigned char lead = (unsigned char)s[start - 1];
    size_t want = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    if (len - (start - 1) < want) s[start - 1] = '\0';
}

WR_PRINTF(3, 0)
static void
put_text(char *out, size_t cap, const char *fmt, va_list args)
{
    int n = vsnprintf(out, cap, fmt, args);
    if (n < 0) out[0] = '\0';
    if (n >= 0 && (size_t)n >= cap) trim_cut(out, cap - 1);
}

static void
clear_error(wr_err *err)
{
    err->status = WR_OK;
    err->span = WR_NO_SPAN;
    err->file = NULL;
    err->line = 0;
    err->frame_count = 0;
    err->message[0] = err->hint[0] = err->candidates[0] = '\0';
}

void
wr_ctx_init(wr_ctx *ctx)
{
    memset(ctx, 0, sizeof *ctx);
    ctx->sql = ctx->source_name = (wr_str){"", 0};
    clear_error(&ctx->err);
}

void
wr_ctx_reset(wr_ctx *ctx)
{
    clear_error(&ctx->err);
    ctx->more_count = 0;
}

wr_status
wr_raise_(wr_ctx *ctx, wr_status status, wr_span span, const char *file, int line, const char *fmt,
          ...)
{
    WR_ASSERT(status != WR_OK);
    wr_err *err = &ctx->err;
    if (err->status != WR_OK) return status;
    err->status = status;
    err->span = span;
    err->file = file;
    err->line = line;
    err->frame_count = 0;
    va_list args;
    va_start(args, fmt);
    put_text(err->message, sizeof err->message, fmt, args);
    va_end(args);
    return status;
}

void
wr_ctx_keep_error(wr_ctx *ctx)
{
    if (ctx->err.status == WR_OK || !ctx->more) return;
    if (ctx->more_count < WR_ERR_MORE_MAX) ctx->more[ctx->more_count++] = ctx->err;
    clear_error(&ctx->err);
}

void
wr_hint(wr_ctx *ctx, const char *fmt, ...)
{
    if (ctx->err.hint[0] != '\0') return; /* the hint nearest to the cause is the better one */
    va_list args;
    va_start(args, fmt);
    put_text(ctx->err.hint, sizeof ctx->err.hint, fmt, args);
    va_end(args);
}

void
wr_frame(wr_ctx *ctx, const char *fmt, ...)
{
    wr_err *err = &ctx->err;
    if (err->frame_count >= WR_ERR_FRAMES) return;
    va_list args;
    va_start(args, fmt);
    put_text(err->frame[err->frame_count++], WR_ERR_FRAME_MAX, fmt, args);
    va_end(args);
}

void
wr_notice(wr_ctx *ctx, const char *fmt, ...)
{
    if (!ctx->notice) return;
    char text[WR_ERR_MESSAGE_MAX];
    va_list args;
    va_start(args, fmt);
    put_text(text, sizeof text, fmt, args);
    va_end(args);
    ctx->notice(ctx->notice_arg, text);
}

/* ---- candidates ------------------------------------------------------------------------------ */

/* "monitor-interval" of "source.monitor-interval". */
static bool
is_last_part(wr_str name, wr_str part)
{
    if (name.len <= part.len) return false;
    const char *at = name.ptr + name.len - part.len;
    return at[-1] == '.' && memcmp(at, part.ptr, part.len) == 0;
}

/* How far `name` is from what was written, ignoring ASCII case; `max` + 1 when it is not near. */
static uint32_t
nearness(wr_str wanted, wr_str name, uint32_t max)
{
    char a[WR_ERR_FRAME_MAX], b[WR_ERR_FRAME_MAX];
    if (wanted.len > sizeof a || name.len > sizeof b) return max + 1;
    for (size_t i = 0; i < wanted.len; i++)
        a[i] = (char)(wanted.ptr[i] >= 'A' && wanted.ptr[i] <= 'Z' ? wanted.ptr[i] + 32
                                                                   : wanted.ptr[i]);
    for (size_t i = 0; i < name.len; i++)
        b[i] = (char)(name.ptr[i] >= 'A' && name.ptr[i] <= 'Z' ? name.ptr[i] + 32 : name.ptr[i]);
    wr_str low_a = {a, wanted.len}, low_b = {b, name.len};
    uint32_t d = wr_str_distance(low_a, low_b, max);
    if (d > max && wanted.len >= 3 && (wr_str_starts(low_b, low_a) || is_last_part(low_b, low_a)))
        d = max;                                            /* an abbreviation */
    return d < WR_MAX(wanted.len, (size_t)1) ? d : max + 1; /* another letter is another name */
}

void
wr_candidate(wr_ctx *ctx, wr_str wanted, wr_str name)
{
    uint32_t max = WR_MIN((uint32_t)(1 + wanted.len / 4), 4u);
    uint32_t near = nearness(wanted, name, max);
    if (near > max || name.len == 0) return;
    char old[WR_ERR_HINT_MAX];
    memcpy(old, ctx->err.candidates, sizeof old);
    wr_str list[CANDIDATES_MAX + 1];
    uint32_t count = 0, at = 0;
    for (char *p = old; *p && count < CANDIDATES_MAX;) {
        char *end = strstr(p, ", ");
        wr_str item = {p, end ? (size_t)(end - p) : strlen(p)};
        if (wr_str_eq(item, name)) return;
        if (nearness(wanted, item, max) <= near) at = count + 1;
        list[count++] = item;
        p = end ? end + 2 : p + item.len;
    }
    for (uint32_t i = count; i > at; i--) list[i] = list[i - 1];
    list[at] = name;
    count = WR_MIN(count + 1, (uint32_t)CANDIDATES_MAX);
    size_t len = 0;
    char *out = ctx->err.candidates;
    for (uint32_t i = 0; i < count; i++) {
        if (len + list[i].len + 3 > WR_ERR_HINT_MAX) break;
        if (i > 0) memcpy(out + len, ", ", 2), len += 2;
        memcpy(out + len, list[i].ptr, list[i].len);
        len += list[i].len;
    }
    out[len] = '\0';
}

/* ---- positions ------------------------------------------------------------------------------- */

wr_linecol
wr_linecol_of(wr_str sql, uint32_t offset)
{
    size_t at = WR_MIN((size_t)offset, sql.len), start = 0;
    wr_linecol lc = {1, 1, {"", 0}};
    for (size_t i = 0; i < at; i++) {
        if (sql.ptr[i] != '\n') continue;
        lc.line++;
        start = i + 1;
    }
    if (sql.len == 0) return lc;
    lc.col = (uint32_t)wr_utf8_count(sql.ptr + start, at - start) + 1;
    const char *end = memchr(sql.ptr + start, '\n', sql.len - start);
    size_t len = end ? (size_t)(end - (sql.ptr + start)) : sql.len - start;
    if (len > 0 && sql.ptr[start + len - 1] == '\r') len--;
    lc.text = (wr_str){sql.ptr + start, len};
    return lc;
}
