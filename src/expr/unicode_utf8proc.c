/* SPDX-License-Identifier: Apache-2.0 */
/* Upper and lower case as Java's String.toUpperCase and toLowerCase (root locale) give them, on top
 * of utf8proc. The only file that knows utf8proc; without it only ASCII letters change. */
#include "expr/str_int.h"

typedef struct special_case {
    uint32_t cp, to[3];
} special_case;

static const special_case specials[] = {
#define X(cp, a, b, c) {cp, {a, b, c}},
#include "expr/unicode_special.def"
#undef X
};

static const special_case *
special_find(uint32_t cp)
{
    uint32_t lo = 0, hi = WR_COUNT(specials);
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (specials[mid].cp < cp)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < WR_COUNT(specials) && specials[lo].cp == cp ? &specials[lo] : NULL;
}

#ifdef WR_HAVE_UTF8PROC
#include <utf8proc.h>

static uint32_t
upper_cp(uint32_t cp)
{
    return (uint32_t)utf8proc_toupper((utf8proc_int32_t)cp);
}
static uint32_t
lower_cp(uint32_t cp)
{
    return (uint32_t)utf8proc_tolower((utf8proc_int32_t)cp);
}
static utf8proc_category_t
category(uint32_t cp)
{
    return utf8proc_category((utf8proc_int32_t)cp);
}
bool
wri_cp_is_alnum(uint32_t cp)
{
    utf8proc_category_t c = category(cp);
    return (c >= UTF8PROC_CATEGORY_LU && c <= UTF8PROC_CATEGORY_LO) || c == UTF8PROC_CATEGORY_ND;
}
bool
wri_cp_is_letter(uint32_t cp)
{
    utf8proc_category_t c = category(cp);
    return c >= UTF8PROC_CATEGORY_LU && c <= UTF8PROC_CATEGORY_LO;
}
bool
wri_cp_is_digit(uint32_t cp)
{
    return category(cp) == UTF8PROC_CATEGORY_ND;
}
static bool
is_cased(uint32_t cp)
{
    utf8proc_category_t c = category(cp);
    return c == UTF8PROC_CATEGORY_LU || c == UTF8PROC_CATEGORY_LL || c == UTF8PROC_CATEGORY_LT;
}
static bool
is_case_ignorable(uint32_t cp)
{
    if (cp == '\'' || cp == '.' || cp == ':' || cp == 0xb7 || cp == 0x2019) return true;
    utf8proc_category_t c = category(cp);
    return c == UTF8PROC_CATEGORY_MN || c == UTF8PROC_CATEGORY_ME || c == UTF8PROC_CATEGORY_CF ||
           c == UTF8PROC_CATEGORY_LM || c == UTF8PROC_CATEGORY_SK;
}
#else
static uint32_t
upper_cp(uint32_t cp)
{
    return cp >= 'a' && cp <= 'z' ? cp - 32 : cp;
}
static uint32_t
lower_cp(uint32_t cp)
{
    return cp >= 'A' && cp <= 'Z' ? cp + 32 : cp;
}
static bool
is_cased(uint32_t cp)
{
    return (cp >= 'a' && cp <= 'z') || (cp >= 'A' && cp <= 'Z');
}
bool
wri_cp_is_alnum(uint32_t cp)
{
    return is_cased(cp) || (cp >= '0' && cp <= '9');
}
bool
wri_cp_is_letter(uint32_t cp)
{
    return is_cased(cp);
}
bool
wri_cp_is_digit(uint32_t cp)
{
    return cp >= '0' && cp <= '9';
}
static bool
is_case_ignorable(uint32_t cp)
{
    return cp == '\'' || cp == '.' || cp == ':';
}
#endif

size_t
wri_str_upper(char *out, const char *p, size_t len)
{
    const char *end = p + len;
    char *o = out;
    while (p < end) {
        unsigned char b = (unsigned char)*p;
        if (b < 0x80) {
            *o++ = (char)(b >= 'a' && b <= 'z' ? b - 32 : b);
            p++;
            continue;
        }
        const char *from = p;
        uint32_t cp = wr_utf8_next(&p, end);
        const special_case *s = special_find(cp);
        if (s) {
            for (int i = 0; i < 3 && s->to[i]; i++) o += wr_utf8_put(o, s->to[i]);
        } else if (cp == 0xfffd) { /* malformed bytes stay as they are */
            memcpy(o, from, (size_t)(p - from));
            o += p - from;
        } else {
            o += wr_utf8_put(o, upper_cp(cp));
        }
    }
    return (size_t)(o - out);
}

/* A sigma ends a word: a cased letter before it and none after it, case-ignorable ones skipped. */
static bool
is_final_sigma(const char *start, const char *at, const char *after, const char *end)
{
    const char *p = at;
    bool before = false;
    while (p > start) {
        p = wri_cp_prev(start, p);
        const char *q = p;
        uint32_t cp = wr_utf8_next(&q, end);
        if (is_case_ignorable(cp)) continue;
        before = is_cased(cp);
        break;
    }
    if (!before) return false;
    p = after;
    while (p < end) {
        uint32_t cp = wr_utf8_next(&p, end);
        if (is_case_ignorable(cp)) continue;
        return !is_cased(cp);
    }
    return true;
}

size_t
wri_str_lower(char *out, const char *p, size_t len)
{
    const char *start = p, *end = p + len;
    char *o = out;
    while (p < end) {
        unsigned char b = (unsigned char)*p;
        if (b < 0x80) {
            *o++ = (char)(b >= 'A' && b <= 'Z' ? b + 32 : b);
            p++;
            continue;
        }
        const char *from = p;
        uint32_t cp = wr_utf8_next(&p, end);
        if (cp == 0x3a3) {
            o += wr_utf8_put(o, is_final_sigma(start, from, p, end) ? 0x3c2 : 0x3c3);
        } else if (cp == 0x130) { /* I with dot: i and a combining dot */
            *o++ = 'i';
            o += wr_utf8_put(o, 0x307);
        } else if (cp == 0xfffd) {
            memcpy(o, from, (size_t)(p - from));
            o += p - from;
        } else {
            o += wr_utf8_put(o, lower_cp(cp));
        }
    }
    return (size_t)(o - out);
}
