/* SPDX-License-Identifier: Apache-2.0 */
/* Copying and comparing entries between vectors, a column at a time. Loops are by width for fixed
 * layouts (strings are 16 bytes that share their heap); nested layouts go entry by entry. */
#include "op/op_int.h"

static bool
is_nested(const wr_vec *v)
{
    return v->child_count > 0 || v->phys == WR_PHYS_NONE;
}

uint32_t *
wri_iota(wr_arena *a, uint32_t n)
{
    uint32_t *rows = wr_arena_alloc(a, sizeof *rows * (n + 1));
    for (uint32_t i = 0; rows && i < n; i++) rows[i] = i;
    return rows;
}

/* ---- pick ------------------------------------------------------------------------------------ */
#define PICK(T)                                                                                    \
    for (uint32_t j = 0; j < n; j++)                                                               \
        ((T *)out->data)[j] = ((const T *)(which[j] ? b : a)->data)[idx[j]];                       \
    break

static bool
valid_at(const wr_vec *v, uint32_t i)
{
    return !v->has_nulls || wr_bit_get(v->validity, i);
}

wr_status
wri_vec_pick(wr_ctx *ctx, wr_vec *out, const wr_vec *a, const wr_vec *b, const uint32_t *idx,
             const uint8_t *which, uint32_t n, wr_arena *arena)
{
    if (!wr_vec_init_flat(out, a->type, n, arena)) return WRI_NOMEM(ctx);
    if (is_nested(a)) {
        for (uint32_t j = 0; j < n; j++)
            if (!wr_vec_copy_entry(out, j, which[j] ? b : a, idx[j], arena)) return WRI_NOMEM(ctx);
        return WR_OK;
    }
    switch (wr_phys_bytes((wr_phys)a->phys)) {
    case 1:
        PICK(uint8_t);
    case 2:
        PICK(uint16_t);
    case 4:
        PICK(uint32_t);
    case 8:
        PICK(uint64_t);
    case 16:
        PICK(wr_u128);
    default:
        break;
    }
    if (!a->has_nulls && !b->has_nulls) return WR_OK;
    if (!wr_vec_ensure_validity(out, arena)) return WRI_NOMEM(ctx);
    out->has_nulls = true;
    for (uint32_t j = 0; j < n; j++)
        wr_bit_put(out->validity, j, valid_at(which[j] ? b : a, idx[j]));
    return WR_OK;
}

/* ---- copy ------------------------------------------------------------------------------------ */
#define COPY(T)                                                                                    \
    for (uint32_t i = 0; i < n; i++)                                                               \
        ((T *)dst->data)[at + (size_t)i * step] =                                                  \
            ((const T *)view.data)[wr_view_at(&view, rows ? rows[i] : i)];                         \
    break

bool
wri_vec_copy_rows(wr_vec *dst, uint32_t at, uint32_t step, const wr_vec *src, const uint32_t *rows,
                  uint32_t n, wr_arena *arena)
{
    if (is_nested(src)) {
        for (uint32_t i = 0; i < n; i++)
            if (!wr_vec_copy_entry(dst, at + i * step, src, rows ? rows[i] : i, arena))
                return false;
        return true;
    }
    const wr_view view = wr_vec_view(src);
    switch (wr_phys_bytes((wr_phys)src->phys)) {
    case 1:
        COPY(uint8_t);
    case 2:
        COPY(uint16_t);
    case 4:
        COPY(uint32_t);
    case 8:
        COPY(uint64_t);
    case 16:
        COPY(wr_u128);
    default:
        break;
    }
    if (!view.validity && !dst->has_nulls) return true;
    if (!wr_vec_ensure_validity(dst, arena)) return false;
    dst->has_nulls = true;
    for (uint32_t i = 0; i < n; i++)
        wr_bit_put(dst->validity, at + i * step, wr_view_valid(&view, rows ? rows[i] : i));
    return true;
}

/* ---- gather with gaps ------------------------------------------------------------------------ */
#define GATHER(T)                                                                                  \
    for (uint32_t i = 0; i < n; i++)                                                               \
        if (rows[i] != WRI_NO_ROW) ((T *)out->data)[i] = WR_VIEW(&view, T, rows[i]);               \
    break

bool
wri_vec_gather_or_null(wr_vec *out, const wr_vec *src, const uint32_t *rows, uint32_t n,
                       wr_arena *arena)
{
    if (is_nested(src)) {
        for (uint32_t i = 0; i < n; i++)
            if (rows[i] == WRI_NO_ROW ? !wr_vec_set_null(out, i, arena)
                                      : !wr_vec_copy_entry(out, i, src, rows[i], arena))
                return false;
        return true;
    }
    const wr_view view = wr_vec_view(src);
    switch (wr_phys_bytes((wr_phys)src->phys)) {
    case 1:
        GATHER(uint8_t);
    case 2:
        GATHER(uint16_t);
    case 4:
        GATHER(uint32_t);
    case 8:
        GATHER(uint64_t);
    case 16:
        GATHER(wr_u128);
    default:
        break;
    }
    for (uint32_t i = 0; i < n; i++)
        if (rows[i] == WRI_NO_ROW || !wr_view_valid(&view, rows[i]))
            if (!wr_vec_set_null(out, i, arena)) return false;
    return true;
}

/* ---- compare --------------------------------------------------------------------------------- */
#define DIFFER(T)                                                                                  \
    for (uint32_t i = 0; i < n; i++)                                                               \
        changed[i] |= (uint8_t) !(((const T *)a->data)[i] == ((const T *)b->data)[i]);             \
    break

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wfloat-equal"
static bool
differs(const wr_vec *a, const wr_vec *b, uint32_t i)
{
    const bool na = wr_vec_is_null(a, i), nb = wr_vec_is_null(b, i);
    if (na || nb) return na != nb;
    if (a->phys == WR_PHYS_F64)
        return !(((const double *)a->data)[i] == ((const double *)b->data)[i]);
    if (a->phys == WR_PHYS_F32)
        return !(((const float *)a->data)[i] == ((const float *)b->data)[i]);
    return !wr_vec_entry_eq(a, i, b, i);
}

static void
mark_by_entry(const wr_vec *a, const wr_vec *b, uint32_t n, uint8_t *changed)
{
    for (uint32_t i = 0; i < n; i++)
        if (!changed[i]) changed[i] = differs(a, b, i);
}

void
wri_vec_mark_changed(const wr_vec *a, const wr_vec *b, uint32_t n, uint8_t *changed)
{
    if (a->has_nulls || b->has_nulls) {
        mark_by_entry(a, b, n, changed);
        return;
    }
    switch ((wr_phys)a->phys) {
    case WR_PHYS_BOOL:
    case WR_PHYS_I8:
        DIFFER(uint8_t);
    case WR_PHYS_I16:
        DIFFER(uint16_t);
    case WR_PHYS_I32:
        DIFFER(uint32_t);
    case WR_PHYS_I64:
        DIFFER(uint64_t);
    case WR_PHYS_F32:
        DIFFER(float);
    case WR_PHYS_F64:
        DIFFER(double);
    case WR_PHYS_I128:
        DIFFER(wr_u128);
    case WR_PHYS_NONE:
    case WR_PHYS_STR:
    case WR_PHYS_TS:
    case WR_PHYS_LIST:
    case WR_PHYS_MAP:
    case WR_PHYS_ROW:
    case WR_PHYS_COUNT:
        mark_by_entry(a, b, n, changed);
        break;
    }
}
#pragma GCC diagnostic pop
