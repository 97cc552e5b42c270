/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8, strict: overlong forms, surrogates and code points above U+10FFFF are malformed. A
 * malformed byte counts as one code point (U+FFFD), everywhere in the same way, so that counting,
 * slicing and decoding agree. No globals; any thread. */
#include "base/base.h"

#define ASCII_MASK 0x8080808080808080ull

/* Length of the well-formed sequence at p, 0 when it is malformed; the code point goes to *cp. */
static inline uint32_t
sequence(const unsigned char *p, size_t left, uint32_t *cp)
{
    unsigned char c = p[0];
    if (c < 0x80) {
        *cp = c;
        return 1;
    }
    if (c < 0xc2) return 0;
    if (c < 0xe0) {
        if (left < 2 || (p[1] & 0xc0) != 0x80) return 0;
        *cp = (uint32_t)(c & 0x1f) << 6 | (p[1] & 0x3f);
        return 2;
    }
    if (c < 0xf0) {
        if (left < 3 || (p[1] & 0xc0) != 0x80 || (p[2] & 0xc0) != 0x80) return 0;
        *cp = (uint32_t)(c & 0x0f) << 12 | (uint32_t)(p[1] & 0x3f) << 6 | (p[2] & 0x3f);
        return *cp < 0x800 || (*cp >= 0xd800 && *cp <= 0xdfff) ? 0 : 3;
    }
    if (c > 0xf4 || left < 4) return 0;
    if ((p[1] & 0xc0) != 0x80 || (p[2] & 0xc0) != 0x80 || (p[3] & 0xc0) != 0x80) return 0;
    *cp = (uint32_t)(c & 0x07) << 18 | (uint32_t)(p[1] & 0x3f) << 12 |
          (uint32_t)(p[2] & 0x3f) << 6 | (p[3] & 0x3f);
    return *cp < 0x10000 || *cp > 0x10ffff ? 0 : 4;
}

uint32_t
wr_utf8_next(const char **p, const char *end)
{
    uint32_t cp = 0;
    uint32_t n = sequence((const unsigned char *)*p, (size_t)(end - *p), &cp);
    *p += n ? n : 1;
    return n ? cp : 0xfffd;
}

uint32_t
wr_utf8_put(char *out, uint32_t cp)
{
    if (cp < 0x80) {
        out[0] = (char)cp;
        return 1;
    }
    if (cp < 0x800) {
        out[0] = (char)(0xc0 | cp >> 6);
        out[1] = (char)(0x80 | (cp & 0x3f));
        return 2;
    }
    if (cp < 0x10000) {
        if (cp >= 0xd800 && cp <= 0xdfff) return 0;
        out[0] = (char)(0xe0 | cp >> 12);
        out[1] = (char)(0x80 | (cp >> 6 & 0x3f));
        out[2] = (char)(0x80 | (cp & 0x3f));
        return 3;
    }
    if (cp > 0x10ffff) return 0;
    out[0] = (char)(0xf0 | cp >> 18);
    out[1] = (char)(0x80 | (cp >> 12 & 0x3f));
    out[2] = (char)(0x80 | (cp >> 6 & 0x3f));
    out[3] = (char)(0x80 | (cp & 0x3f));
    return 4;
}

bool
wr_utf8_valid(const char *p, size_t len)
{
    const unsigned char *s = (const unsigned char *)p;
    for (size_t i = 0; i < len;) {
        if (len - i >= 8 && (wr_load64(s + i) & ASCII_MASK) == 0) {
            i += 8;
            continue;
        }
        uint32_t cp;
        uint32_t n = sequence(s + i, len - i, &cp);
        if (n == 0) return false;
        i += n;
    }
    return true;
}

size_t
wr_utf8_count(const char *p, size_t len)
{
    const unsigned char *s = (const unsigned char *)p;
    size_t count = 0;
    for (size_t i = 0; i < len; count++) {
        while (len - i >= 8 && (wr_load64(s + i) & ASCII_MASK) == 0) {
            i += 8;
            count += 8;
        }
        if (i >= len) break;
        uint32_t cp;
        uint32_t n = sequence(s + i, len - i, &cp);
        i += n ? n : 1;
    }
    return count;
}

size_t
wr_utf8_offset(const char *p, size_t len, size_t n)
{
    const unsigned char *s = (const unsigned char *)p;
    size_t i = 0;
    while (i < len && n > 0) {
        if (n >= 8 && len - i >= 8 && (wr_load64(s + i) & ASCII_MASK) == 0) {
            i += 8;
            n -= 8;
            continue;
        }
        uint32_t cp;
        uint32_t used = sequence(s + i, len - i, &cp);
        i += used ? used : 1;
        n--;
    }
    return i;
}
