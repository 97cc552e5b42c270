/* SPDX-License-Identifier: Apache-2.0 */
/* Regular expressions of Java's dialect.
 *
 * regex_java.c translates java.util.regex syntax to PCRE2's (classes with && and nesting, ASCII
 * case folding, Java's line ends and word boundaries); regex_pcre.c, the only file that knows
 * PCRE2, compiles with JIT and matches under a step limit. A pattern that Java would refuse is
 * "bad"; functions then give FALSE or NULL, as Flink does. One thread: the task's. */
#ifndef WR_EXPR_REGEX_INT_H
#define WR_EXPR_REGEX_INT_H

#include "base/base.h"
#include "mem/mem.h"

typedef struct wri_regex wri_regex;
typedef struct wri_regex_cache wri_regex_cache;

typedef enum wri_regex_status {
    WRI_REGEX_OK,
    WRI_REGEX_LIMIT /* gave up: too many steps */
} wri_regex_status;
#define WRI_REGEX_LIMIT_TEXT "the regular expression takes too many steps on this string"

/* ---- translation (regex_java.c) -------------------------------------------------------------- */
typedef enum wri_java_status {
    WRI_JAVA_OK,
    WRI_JAVA_BAD,        /* Java refuses it */
    WRI_JAVA_UNSUPPORTED /* Java takes it, we can't; *why tells */
} wri_java_status;
/* Append the PCRE2 pattern for `java` to out. */
wri_java_status wri_regex_translate(wr_str java, wr_text *out, const char **why);

/* ---- compiled patterns (regex_pcre.c) -------------------------------------------------------- */
/* A few compiled patterns by text, the oldest leaves. Freed with the arena. */
wr_status wri_regex_cache_create(wr_ctx *ctx, wr_arena *arena, wri_regex_cache **out) WR_MUST_USE;
/* Borrowed until the next get. Raises only out of memory and for what is not supported. */
wr_status wri_regex_cache_get(wr_ctx *ctx, wri_regex_cache *c, wr_str java,
                              wri_regex **out) WR_MUST_USE;
bool wri_regex_is_bad(const wri_regex *re);
uint32_t wri_regex_groups(const wri_regex *re);
/* Search from byte `from`; the match stays readable until the next find on `re`. */
wri_regex_status wri_regex_find(wri_regex *re, wr_str s, size_t from, bool *hit) WR_MUST_USE;
/* Bytes [*start, *end) of group g (0 = the match); false when it took no part. */
bool wri_regex_group(const wri_regex *re, uint32_t g, size_t *start, size_t *end);
/* Where the next search begins after the match just found, as java.util.regex.Matcher.find does. */
size_t wri_regex_next(const wri_regex *re, wr_str s);

#endif
