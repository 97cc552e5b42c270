/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 stepping, search and repair on single strings: see str_int.h. */
#include "expr/str_int.h"

bool
wri_str_ascii(const char *p, size_t len)
{
    size_t i = 0;
    uint64_t acc = 0;
    for (; i + 8 <= len; i += 8) acc |= wr_load64(p + i);
    unsigned char rest = 0;
    for (; i < len; i++) rest |= (unsigned char)p[i];
    return ((acc & 0x8080808080808080ull) | (rest & 0x80u)) == 0;
}

const char *
wri_cp_prev(const char *start, const char *p)
{
    WR_KASSERT(p > start);
    const char *q = p - 1;
    for (int i = 0; i < 3 && q > start && ((unsigned char)*q & 0xc0) == 0x80; i++) q--;
    /* a proper sequence ends exactly at p; otherwise the last byte stands alone */
    if ((size_t)(p - q) > 1 && wri_cp_bytes(q, p) != (size_t)(p - q)) return p - 1;
    return q;
}

size_t
wri_cp_skip(wr_str s, size_t from, uint64_t n)
{
    const char *p = s.ptr + from, *end = s.ptr + s.len;
    while (p < end && n > 0) {
        p += wri_cp_bytes(p, end);
        n--;
    }
    return (size_t)(p - s.ptr);
}

size_t
wri_cp_count(wr_str s)
{
    if (wri_str_ascii(s.ptr, s.len)) return s.len;
    return wr_utf8_count(s.ptr, s.len);
}

/* Length of the malformed sequence at p as Java's UTF-8 decoder sees it. */
static size_t
malformed_bytes(const unsigned char *p, size_t left)
{
    unsigned char b = p[0];
    if (b >= 0xe0 && b <= 0xef) {
        if (left < 2) return 1;
        if ((p[1] & 0xc0) != 0x80 || (b == 0xe0 && (p[1] & 0xe0) == 0x80)) return 1;
        if (left < 3) return 2;
        return (p[2] & 0xc0) != 0x80 ? 2 : 3; /* 3: a surrogate */
    }
    if (b >= 0xf0 && b <= 0xf4) {
        if (left < 2) return 1;
        if ((p[1] & 0xc0) != 0x80 || (b == 0xf0 && p[1] < 0x90) || (b == 0xf4 && p[1] > 0x8f))
            return 1;
        if (left < 3) return 2;
        if ((p[2] & 0xc0) != 0x80) return 2;
        return 3;
    }
    return 1;
}

size_t
wri_utf8_repair(char *out, const char *p, size_t len)
{
    if (wr_utf8_valid(p, len)) {
        if (len) memcpy(out, p, len);
        return len;
    }
    const char *end = p + len;
    char *o = out;
    while (p < end) {
        const char *q = p;
        uint32_t cp = wr_utf8_next(&q, end);
        if (cp == 0xfffd && (q - p) != 3) {
            size_t bad = malformed_bytes((const unsigned char *)p, (size_t)(end - p));
            p += bad;
        } else {
            p = q;
        }
        o += wr_utf8_put(o, cp);
    }
    return (size_t)(o - out);
}

int32_t
wri_java_hash(wr_str s)
{
    uint32_t h = 0;
    const char *p = s.ptr, *end = s.ptr + s.len;
    while (p < end) {
        uint32_t cp = (unsigned char)*p;
        if (cp < 0x80)
            p++;
        else
            cp = wr_utf8_next(&p, end);
        if (cp >= 0x10000) {
            h = h * 31 + (0xd800 + ((cp - 0x10000) >> 10));
            cp = 0xdc00 + ((cp - 0x10000) & 0x3ff);
        }
        h = h * 31 + cp;
    }
    return (int32_t)h;
}

size_t
wri_find(wr_str s, wr_str sub, size_t from)
{
    if (from > s.len || sub.len > s.len - from) return SIZE_MAX;
    if (sub.len == 0) return from;
    const char *hit = sub.len == 1 ? memchr(s.ptr + from, sub.ptr[0], s.len - from)
                                   : memmem(s.ptr + from, s.len - from, sub.ptr, sub.len);
    return hit ? (size_t)(hit - s.ptr) : SIZE_MAX;
}

size_t
wri_rfind(wr_str s, wr_str sub, size_t limit)
{
    if (limit > s.len) limit = s.len;
    if (sub.len > limit) return SIZE_MAX;
    for (size_t at = limit - sub.len;; at--) {
        if (sub.len == 0 || memcmp(s.ptr + at, sub.ptr, sub.len) == 0) return at;
        if (at == 0) return SIZE_MAX;
    }
}
