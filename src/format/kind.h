/* SPDX-License-Identifier: Apache-2.0 */
/* How a value of a type is read: the switch of the decoders. And the NULLs of columns that start as
 * all NULL. Private to format/. */
#ifndef WR_FORMAT_KIND_H
#define WR_FORMAT_KIND_H

#include "vec/vec.h"

typedef enum wri_kind {
    WRI_K_BOOL,
    WRI_K_I8,
    WRI_K_I16,
    WRI_K_I32,
    WRI_K_I64,
    WRI_K_F32,
    WRI_K_F64,
    WRI_K_DEC64,
    WRI_K_DEC128,
    WRI_K_STR,
    WRI_K_BYTES,
    WRI_K_DATE,
    WRI_K_TIME,
    WRI_K_TS_MS,
    WRI_K_TS_NS,
    WRI_K_LIST,
    WRI_K_MAP,
    WRI_K_ROW
} wri_kind;
wri_kind wri_kind_of(const wr_type *t);

/* Rows [from, to) of a FLAT vector become NULL, fields of a ROW too; a decoder then sets the bit of
 * each value it stores. `end` looks whether any NULL is left in rows [0, rows). */
bool wri_nulls_begin(wr_vec *v, uint32_t from, uint32_t to, wr_arena *a) WR_MUST_USE;
void wri_nulls_end(wr_vec *v, uint32_t rows);

#endif
