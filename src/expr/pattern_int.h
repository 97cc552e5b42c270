/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled date patterns: a list of literals and fields. */
#ifndef WR_EXPR_PATTERN_INT_H
#define WR_EXPR_PATTERN_INT_H

#include "expr/time_int.h"

typedef enum wri_item_kind {
    WRI_ITEM_TEXT,     /* bytes `text` */
    WRI_ITEM_FIELD,    /* `letter` repeated `count` times */
    WRI_ITEM_OPTIONAL, /* [ : skip to `end` when what follows does not match */
    WRI_ITEM_END       /* ] */
} wri_item_kind;

typedef struct wri_item {
    uint8_t kind;
    char letter;
    uint8_t pad;      /* MODERN: pad to this width with blanks */
    uint32_t count;   /* letters */
    uint32_t end;     /* OPTIONAL: index of its END */
    bool fixed;       /* a number of exactly `count` digits */
    uint32_t reserve; /* digits of the fixed numbers that follow directly */
    wr_str text;
} wri_item;

struct wri_pattern {
    wri_dialect dialect;
    wr_str source;
    uint32_t count;
    wri_item *items;
};

extern const char *const wri_month_names[12];
extern const char *const wri_day_names[7]; /* Monday first */

#endif
