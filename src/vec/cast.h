/* SPDX-License-Identifier: Apache-2.0 */
/* Casts of whole vectors over Flink's lattice, and the two text forms of a value. */
#ifndef WR_VEC_CAST_H
#define WR_VEC_CAST_H

#include "vec/vec.h"

struct wr_tz; /* types/datetime.h */
typedef struct wr_cast_env {
    const struct wr_tz *tz; /* session zone, for TIMESTAMP_LTZ */
    bool legacy;            /* table.exec.legacy-cast-behaviour */
} wr_cast_env;

/* out (FLAT, room for every row of `in`, initialised for `to`) [row] = CAST(in[row] AS to) for the
 * rows of sel (NULL = 0..n-1). A row that fails is NULL when try_cast, else marked in errs with
 * Flink's text. Strings and nested values go into `a`. */
wr_status wr_cast_vec(wr_ctx *ctx, const wr_cast_env *env, const wr_vec *in, const wr_type *to,
                      const uint32_t *sel, uint32_t n, bool try_cast, wr_vec *out, wr_arena *a,
                      wr_row_errs *errs) WR_MUST_USE;

/* One boxed value; `out` borrows from `a`. Row errors as row 0. */
wr_status wr_cast_value(wr_ctx *ctx, const wr_cast_env *env, const wr_value *in, const wr_type *to,
                        bool try_cast, wr_value *out, wr_arena *a, wr_row_errs *errs) WR_MUST_USE;

/* Put the entries of the maps in these rows (FLAT) into the order in which Flink's hash maps hand
 * them out: what builds a map (COLLECT, MAP_UNION, STR_TO_MAP, casts) shows it so. */
bool wr_map_sort(wr_vec *map, const uint32_t *sel, uint32_t n, wr_arena *a) WR_MUST_USE;

/* A value as the SQL client shows it (CAST to STRING; BYTES x'0102'; top-level NULL is the caller's
 * affair: writes NULL). */
void wr_value_display(const wr_vec *v, uint32_t row, const struct wr_tz *tz, wr_text *out);
/* A value as the print connector writes it (Java's toString of the external value: null,
 * 2024-01-01T10:00, {a=1}). */
void wr_value_print_java(const wr_vec *v, uint32_t row, const struct wr_tz *tz, wr_text *out);
/* The display form of a boxed value. */
void wr_boxed_display(const wr_value *v, const struct wr_tz *tz, wr_text *out);

#endif
