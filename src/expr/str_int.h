/* SPDX-License-Identifier: Apache-2.0 */
/* Algorithms on single strings, shared by the files fn_string*.c, fn_regex.c and fn_json*.c.
 *
 * Strings are UTF-8; positions and lengths that SQL sees are code points. Malformed bytes count as
 * one code point each and never lead outside the string. Nothing here allocates: callers give room.
 */
#ifndef WR_EXPR_STR_INT_H
#define WR_EXPR_STR_INT_H

#include "base/base.h"
#include "mem/mem.h"

/* ---- UTF-8 ----------------------------------------------------------------------------------- */
bool wri_str_ascii(const char *p, size_t len);
/* Bytes of the code point at p (p < end), 1 for malformed ones. */
WR_ALWAYS_INLINE size_t
wri_cp_bytes(const char *p, const char *end)
{
    if ((unsigned char)*p < 0x80) return 1;
    const char *q = p;
    (void)wr_utf8_next(&q, end);
    return (size_t)(q - p);
}
/* Start of the code point that ends at p (p > start). */
const char *wri_cp_prev(const char *start, const char *p);
/* Byte offset after `n` code points from `from`; len if there are fewer. */
size_t wri_cp_skip(wr_str s, size_t from, uint64_t n);
/* Code points of s (fast for ASCII). */
size_t wri_cp_count(wr_str s);
/* Copy `s`, malformed sequences becoming U+FFFD as Java's decoder does; out has room for 3 * len.
 * Returns bytes written. */
size_t wri_utf8_repair(char *out, const char *p, size_t len);
/* Java's String.hashCode: over UTF-16 units. */
int32_t wri_java_hash(wr_str s);

/* ---- search ---------------------------------------------------------------------------------- */
/* First occurrence of `sub` in s at or after byte `from`; SIZE_MAX if none. */
size_t wri_find(wr_str s, wr_str sub, size_t from);
/* Last occurrence that ends at or before byte `limit`; SIZE_MAX if none. */
size_t wri_rfind(wr_str s, wr_str sub, size_t limit);

/* ---- case (unicode_utf8proc.c): out has room for 3 * len; bytes written ---------------------- */
size_t wri_str_upper(char *out, const char *p, size_t len);
size_t wri_str_lower(char *out, const char *p, size_t len);
/* A letter or decimal digit in any script. */
bool wri_cp_is_alnum(uint32_t cp);
bool wri_cp_is_letter(uint32_t cp);
bool wri_cp_is_digit(uint32_t cp);

/* ---- base64 (fn_string_codec.c): out has room for (len + 2) / 3 * 4; bytes written ----------- */
size_t wri_base64_encode(char *out, const char *data, size_t len);

/* ---- LIKE (like.c) --------------------------------------------------------------------------- */
typedef enum wri_like_shape {
    WRI_LIKE_EXACT,    /* no wildcard */
    WRI_LIKE_PREFIX,   /* abc% */
    WRI_LIKE_SUFFIX,   /* %abc */
    WRI_LIKE_CONTAINS, /* %abc% */
    WRI_LIKE_GENERAL
} wri_like_shape;
typedef struct wri_like_seg { /* between two %: literal bytes and _ */
    const char *bytes;        /* 0x5f in `any` positions is a wildcard */
    const uint8_t *any;       /* per byte: 1 = matches any code point */
    uint32_t len, cps;        /* bytes, code points */
    bool has_any;
} wri_like_seg;
typedef struct wri_like {
    wri_like_shape shape;
    wri_like_seg *segs; /* GENERAL: seg_count >= 2 unless no %, first and last anchored */
    uint32_t seg_count;
    wr_str lit; /* the other shapes */
} wri_like;
typedef enum wri_like_status { WRI_LIKE_OK, WRI_LIKE_NOMEM, WRI_LIKE_BAD } wri_like_status;
/* Compile; esc = code point, or UINT32_MAX for none. BAD: an escape before an ordinary character or
 * at the end, at code point *bad_at. Memory: `a`. */
wri_like_status wri_like_compile(wri_like *out, wr_str pattern, uint32_t esc, wr_arena *a,
                                 uint32_t *bad_at);
bool wri_like_match(const wri_like *l, wr_str s);

/* ---- Java's Formatter (printf_java.c) -------------------------------------------------------- */
typedef enum wri_arg_kind {
    WRI_ARG_NULL,
    WRI_ARG_BOOL,
    WRI_ARG_INT,    /* i; bits 8, 16, 32, 64 */
    WRI_ARG_DOUBLE, /* d; bits 32 for FLOAT */
    WRI_ARG_TEXT,   /* text only: anything that Formatter knows as an object */
    WRI_ARG_COUNT
} wri_arg_kind;
typedef struct wri_arg {
    wri_arg_kind kind;
    uint8_t bits;
    int64_t i;
    double d;
    wr_str text; /* for %s; set for every kind but NULL, BOOL and INT */
} wri_arg;
/* Append to out; false: Formatter would throw (out is then garbage). */
bool wri_java_printf(wr_text *out, wr_str format, const wri_arg *args, uint32_t count);

#endif
