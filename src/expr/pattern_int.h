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

/* Java's old calendar is Julian before 1582-10-15 (day -141427); SIMPLE follows it. */
#define WRI_GREGORIAN_START (-141427)
wr_civil wri_hybrid_civil(int64_t days);
int64_t wri_hybrid_days(int64_t year, int month, int64_t day);

extern const char *const wri_month_names[12];
extern const char *const wri_day_names[7]; /* Monday first */

#endif
