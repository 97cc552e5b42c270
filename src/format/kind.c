/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of values and the NULLs of columns that are being filled. */
#include "format/kind.h"

wri_kind
wri_kind_of(const wr_type *t)
{
    switch ((wr_phys)t->phys) {
    case WR_PHYS_BOOL:
        return WRI_K_BOOL;
    case WR_PHYS_I8:
        return WRI_K_I8;
    case WR_PHYS_I16:
        return WRI_K_I16;
    case WR_PHYS_I32:
        return t->id == WR_T_DATE ? WRI_K_DATE : t->id == WR_T_TIME ? WRI_K_TIME : WRI_K_I32;
    case WR_PHYS_I64:
        if (t->id == WR_T_DECIMAL) return WRI_K_DEC64;
        return t->id == WR_T_TIMESTAMP || t->id == WR_T_TIMESTAMP_LTZ ? WRI_K_TS_MS : WRI_K_I64;
    case WR_PHYS_F32:
        return WRI_K_F32;
    case WR_PHYS_F64:
        return WRI_K_F64;
    case WR_PHYS_I128:
        return WRI_K_DEC128;
    case WR_PHYS_STR:
        return wr_type_is_binary(t) ? WRI_K_BYTES : WRI_K_STR;
    case WR_PHYS_TS:
        return WRI_K_TS_NS;
    case WR_PHYS_LIST:
        return WRI_K_LIST;
    case WR_PHYS_MAP:
        return WRI_K_MAP;
    case WR_PHYS_ROW:
    case WR_PHYS_NONE:
    case WR_PHYS_COUNT:
        break;
    }
    return WRI_K_ROW;
}

bool
wri_nulls_begin(wr_vec *v, uint32_t from, uint32_t to, wr_arena *a)
{
    if (v->phys == WR_PHYS_NONE) return true;
    if (!wr_vec_ensure_validity(v, a)) return false;
    if (!v->has_nulls) memset(v->validity, 0xff, 8 * WR_BIT_WORDS(v->cap)); /* was not read */
    v->has_nulls = true;
    for (uint32_t i = from; i < to;) {
        if ((i & 63) == 0 && to - i >= 64) {
            v->validity[i >> 6] = 0;
            i += 64;
        } else {
            wr_bit_clear(v->validity, i++);
        }
    }
    for (uint32_t i = 0; v->phys == WR_PHYS_ROW && i < v->child_count; i++)
        if (!wri_nulls_begin(&v->child[i], from, to, a)) return false;
    return true;
}

void
wri_nulls_end(wr_vec *v, uint32_t rows)
{
    if (v->phys == WR_PHYS_NONE) return;
    bool all = true;
    for (uint32_t w = 0; w < rows / 64 && all; w++) all = v->validity[w] == ~0ull;
    if (all && (rows & 63)) {
        uint64_t mask = ~(~0ull << (rows & 63));
        all = (v->validity[rows / 64] & mask) == mask;
    }
    v->has_nulls = !all;
    for (uint32_t i = 0; v->phys == WR_PHYS_ROW && i < v->child_count; i++)
        wri_nulls_end(&v->child[i], rows);
}
