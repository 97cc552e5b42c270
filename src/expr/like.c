/* SPDX-License-Identifier: Apache-2.0 */
/* LIKE: a pattern compiles to segments between its % signs; the first is anchored at the start, the
 * last at the end, the others are found leftmost one after the other, which is exact for LIKE.
 * Patterns of one literal with % around it take a shape of their own. % and _ match newlines.
 * Compiled patterns are immutable; memory belongs to the arena given. */
#include "expr/str_int.h"

typedef struct like_parse { /* scanning state of wri_like_compile */
    char *bytes;
    uint8_t *any;
    uint32_t used, seg_start, cps;
    bool has_any;
} like_parse;

static void
seg_close(like_parse *p, wri_like *out)
{
    out->segs[out->seg_count++] = (wri_like_seg){.bytes = p->bytes + p->seg_start,
                                                 .any = p->any + p->seg_start,
                                                 .len = p->used - p->seg_start,
                                                 .cps = p->cps,
                                                 .has_any = p->has_any};
    p->seg_start = p->used;
    p->cps = 0;
    p->has_any = false;
}

static void
put_literal(like_parse *p, const char *from, size_t n)
{
    memcpy(p->bytes + p->used, from, n);
    memset(p->any + p->used, 0, n);
    p->used += (uint32_t)n;
    p->cps++;
}

static void
choose_shape(wri_like *l)
{
    l->shape = WRI_LIKE_GENERAL;
    for (uint32_t i = 0; i < l->seg_count; i++)
        if (l->segs[i].has_any) return;
    const wri_like_seg *s = l->segs;
    uint32_t n = l->seg_count;
    wr_str first = {s[0].bytes, s[0].len}, last = {s[n - 1].bytes, s[n - 1].len};
    if (n == 1) {
        l->shape = WRI_LIKE_EXACT;
        l->lit = first;
    } else if (n == 2 && last.len == 0) {
        l->shape = WRI_LIKE_PREFIX;
        l->lit = first;
    } else if (n == 2 && first.len == 0) {
        l->shape = WRI_LIKE_SUFFIX;
        l->lit = last;
    } else if (n == 3 && first.len == 0 && last.len == 0) {
        l->shape = WRI_LIKE_CONTAINS;
        l->lit = (wr_str){s[1].bytes, s[1].len};
    }
}

wri_like_status
wri_like_compile(wri_like *out, wr_str pattern, uint32_t esc, wr_arena *a, uint32_t *bad_at)
{
    memset(out, 0, sizeof *out);
    uint32_t percents = 0;
    for (size_t i = 0; i < pattern.len; i++) percents += pattern.ptr[i] == '%';
    like_parse p = {.bytes = wr_arena_alloc(a, pattern.len + 1),
                    .any = wr_arena_alloc(a, pattern.len + 1)};
    out->segs = WR_NEW_N(a, wri_like_seg, percents + 1);
    if (!p.bytes || !p.any || !out->segs) return WRI_LIKE_NOMEM;
    const char *s = pattern.ptr, *end = s + pattern.len;
    bool after_percent = false;
    for (uint32_t at = 0; s < end; at++) {
        const char *start = s;
        uint32_t cp = wr_utf8_next(&s, end);
        if (cp == esc) {
            const char *from = s;
            uint32_t next = s < end ? wr_utf8_next(&s, end) : 0;
            *bad_at = at;
            if (from == end || (next != '%' && next != '_' && next != esc)) return WRI_LIKE_BAD;
            put_literal(&p, from, (size_t)(s - from));
            at++;
        } else if (cp == '%') {
            if (!after_percent) seg_close(&p, out); /* %% is % */
            after_percent = true;
            continue;
        } else if (cp == '_') {
            p.bytes[p.used] = '_';
            p.any[p.used++] = 1;
            p.cps++;
            p.has_any = true;
        } else {
            put_literal(&p, start, (size_t)(s - start));
        }
        after_percent = false;
    }
    seg_close(&p, out);
    choose_shape(out);
    return WRI_LIKE_OK;
}

/* Match the whole segment at p; end of the match or NULL. */
static const char *
seg_at(const wri_like_seg *g, const char *p, const char *end)
{
    if (!g->has_any) {
        if ((size_t)(end - p) < g->len || memcmp(p, g->bytes, g->len) != 0) return NULL;
        return p + g->len;
    }
    for (uint32_t i = 0; i < g->len; i++) {
        if (p == end) return NULL;
        if (g->any[i])
            p += wri_cp_bytes(p, end);
        else if (*p++ != g->bytes[i])
            return NULL;
    }
    return p;
}

/* Leftmost match at or after p; its end or NULL. */
static const char *
seg_find(const wri_like_seg *g, const char *p, const char *end)
{
    if (!g->has_any) {
        size_t at = wri_find((wr_str){p, (size_t)(end - p)}, (wr_str){g->bytes, g->len}, 0);
        return at == SIZE_MAX ? NULL : p + at + g->len;
    }
    for (;;) {
        const char *hit = seg_at(g, p, end);
        if (hit) return hit;
        if (p == end) return NULL;
        p += wri_cp_bytes(p, end);
    }
}

/* Does the segment match so that it ends at `end`, not starting before `from`? */
static bool
seg_at_end(const wri_like_seg *g, const char *from, const char *end)
{
    if (!g->has_any)
        return (size_t)(end - from) >= g->len && memcmp(end - g->len, g->bytes, g->len) == 0;
    const char *p = end;
    for (uint32_t i = 0; i < g->cps; i++) {
        if (p <= from) return false;
        p = wri_cp_prev(from, p);
    }
    return seg_at(g, p, end) == end;
}

bool
wri_like_match(const wri_like *l, wr_str s)
{
    wr_str lit = l->lit;
    switch (l->shape) {
    case WRI_LIKE_EXACT:
        return wr_str_eq(s, lit);
    case WRI_LIKE_PREFIX:
        return s.len >= lit.len && (lit.len == 0 || memcmp(s.ptr, lit.ptr, lit.len) == 0);
    case WRI_LIKE_SUFFIX:
        return s.len >= lit.len &&
               (lit.len == 0 || memcmp(s.ptr + s.len - lit.len, lit.ptr, lit.len) == 0);
    case WRI_LIKE_CONTAINS:
        return wri_find(s, lit, 0) != SIZE_MAX;
    case WRI_LIKE_GENERAL:
        break;
    }
    const char *p = s.ptr, *end = s.ptr + s.len;
    p = seg_at(&l->segs[0], p, end);
    if (!p) return false;
    if (l->seg_count == 1) return p == end;
    for (uint32_t i = 1; i + 1 < l->seg_count; i++) {
        p = seg_find(&l->segs[i], p, end);
        if (!p) return false;
    }
    return seg_at_end(&l->segs[l->seg_count - 1], p, end);
}
