/* SPDX-License-Identifier: Apache-2.0 */
/* Private to vec/: casts of single entries, and values as text. */
#ifndef WR_VEC_CAST_INT_H
#define WR_VEC_CAST_INT_H

#include "types/datetime.h"
#include "vec/cast.h"
#include "vec/vec_int.h"

typedef enum wri_text_style {
    WRI_TEXT_CAST,    /* CAST AS STRING */
    WRI_TEXT_DISPLAY, /* the same, but bytes as x'..' */
    WRI_TEXT_JAVA     /* print connector */
} wri_text_style;

#define WRI_SCALAR_TEXT_MAX 64
/* A value that is neither string nor nested, not NULL, by entry index; returns the length. */
uint32_t wri_scalar_print(wri_text_style style, const wr_vec *v, uint32_t entry, const wr_tz *tz,
                          char *buf);
void wri_put_value(wri_text_style style, const wr_vec *v, uint32_t row, const wr_tz *tz,
                   wr_text *out);
/* Bytes as text, broken UTF-8 replaced as Java's decoder does. */
void wri_put_utf8(wr_text *out, wr_str s);
wr_ts wri_ts_get(const wr_vec *v, uint32_t entry);
/* The entries of a map in the order of a java.util.HashMap, by the hash codes of Java's classes or
 * of Flink's internal data: the low 32 bits of each word. NULL when out of memory. */
uint64_t *wri_map_order(const wr_vec *keys, wr_list l, bool internal, wr_arena *a) WR_MUST_USE;

/* ---- one cast of a vector -------------------------------------------------------------------- */
typedef struct wri_cast {
    wr_ctx *ctx;
    const wr_cast_env *env;
    const wr_vec *in;
    const wr_type *from, *to;
    const uint32_t *sel;
    uint32_t n;
    bool try_cast;
    wr_vec *out;
    wr_arena *arena;
    wr_row_errs *errs;
} wri_cast;

WR_ALWAYS_INLINE uint32_t
wri_cast_row(const wri_cast *c, uint32_t i)
{
    return c->sel ? c->sel[i] : i;
}
/* The row becomes NULL (no error: DECIMAL overflow, or the value was NULL). */
wr_status wri_cast_null(const wri_cast *c, uint32_t row) WR_MUST_USE;
/* The row fails with Flink's words: NULL for TRY_CAST, else an error. `hard` errors are errors for
 * TRY_CAST too. */
wr_status wri_cast_fail(const wri_cast *c, uint32_t row, bool hard, const char *why) WR_MUST_USE;
wr_status wri_cast_nomem(const wri_cast *c) WR_MUST_USE;
/* Store text (or bytes) in the row, cut and padded to the length of a CHAR, VARCHAR, BINARY,
 * VARBINARY. */
wr_status wri_cast_store(const wri_cast *c, uint32_t row, wr_str s) WR_MUST_USE;

wr_status wri_cast_to_text(const wri_cast *c) WR_MUST_USE;
wr_status wri_cast_from_text(const wri_cast *c) WR_MUST_USE;
wr_status wri_cast_number(const wri_cast *c) WR_MUST_USE;   /* among numbers and BOOLEAN */
wr_status wri_cast_datetime(const wri_cast *c) WR_MUST_USE; /* among DATE, TIME, timestamps */
wr_status wri_cast_nested(const wri_cast *c) WR_MUST_USE;

#endif
