/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a translation of a Java regular expression: shared by regex_java.c (groups,
 * quantifiers, escapes) and regex_class.c (character classes). */
#ifndef WR_EXPR_REGEX_JAVA_INT_H
#define WR_EXPR_REGEX_JAVA_INT_H

#include "expr/regex_int.h"

enum {                 /* Java's inline flags */
       WRI_JF_I = 1,   /* i: ASCII case-insensitive */
       WRI_JF_U = 2,   /* u: case-insensitive in all scripts */
       WRI_JF_S = 4,   /* s: . matches line ends */
       WRI_JF_M = 8,   /* m: ^ and $ at line ends */
       WRI_JF_D = 16,  /* d: only \n ends a line */
       WRI_JF_X = 32,  /* x: blanks and comments */
       WRI_JF_UCC = 64 /* U: predefined classes in all scripts */
};

typedef struct wri_jre {
    const char *p, *end;
    wr_text *out;
    uint32_t flags;
    uint32_t groups; /* opened so far */
    uint32_t group_total;
    uint32_t depth;
    wr_str names[32];
    uint32_t name_count;
    const char *why;
} wri_jre;

typedef enum wri_jesc { WRI_JESC_CHAR, WRI_JESC_CLASS, WRI_JESC_OTHER } wri_jesc;

/* After a backslash: a character (CHAR, *cp), or a set whose PCRE class items (as inside [...]) are
 * written to `items` (CLASS; *complex when it only works as a class of its own, then `items` is a
 * whole [...]), or something that is neither (OTHER: p is left at the letter). */
wri_java_status wri_jre_escape(wri_jre *j, wri_jesc *kind, uint32_t *cp, wr_text *items,
                               bool *complex);
/* After '[': append an expression that matches one character. */
wri_java_status wri_jre_class(wri_jre *j);
void wri_jre_put_literal(wr_text *t, uint32_t cp); /* escaped for PCRE2, also inside a class */
void wri_jre_skip_comments(wri_jre *j);            /* in x mode */

#endif
