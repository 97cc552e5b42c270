/* SPDX-License-Identifier: Apache-2.0 */
/* Appending selected rows of a batch to another: how an exchange collects rows for a receiver. What
 * is appended is a copy, so that the batch it came from can go back to its pool. */
#include "runtime/runtime_int.h"

#define COPY_LOOP(T)                                                                               \
    for (uint32_t i = 0; i < n; i++) ((T *)to->data)[at + i] = WR_VIEW(&view, T, rows[i])

static void
copy_values(wr_vec *to, uint32_t at, const wr_vec *from, const uint32_t *rows, uint32_t n)
{
    const wr_view view = wr_vec_view(from);
    switch (wr_phys_bytes((wr_phys)to->phys)) {
    case 1:
        COPY_LOOP(uint8_t);
        break;
    case 2:
        COPY_LOOP(uint16_t);
        break;
    case 4:
        COPY_LOOP(uint32_t);
        break;
    case 8:
        COPY_LOOP(uint64_t);
        break;
    case 16:
        COPY_LOOP(wr_u128);
        break;
    default:
        WR_UNREACHABLE();
    }
}

static bool
copy_strings(wr_vec *to, uint32_t at, const wr_vec *from, const uint32_t *rows, uint32_t n,
             wr_arena *a)
{
    const wr_view view = wr_vec_view(from);
    for (uint32_t i = 0; i < n; i++) {
        if (from->has_nulls && !wr_view_valid(&view, rows[i])) continue;
        const wr_str s = wr_view_str(&view, rows[i]);
        if (!wr_vec_set_str(to, at + i, s.ptr, (uint32_t)s.len, a)) return false;
    }
    return true;
}

static bool
copy_nulls(wr_vec *to, uint32_t at, const wr_vec *from, const uint32_t *rows, uint32_t n,
           wr_arena *a)
{
    for (uint32_t i = 0; i < n; i++)
        if (wr_vec_is_null(from, rows[i]) && !wr_vec_set_null(to, at + i, a)) return false;
    return true;
}

static bool
append_column(wr_vec *to, uint32_t at, const wr_vec *from, const uint32_t *rows, uint32_t n,
              wr_arena *a)
{
    if (to->phys == WR_PHYS_NONE) return true;
    if (from->phys == WR_PHYS_NONE) return copy_nulls(to, at, from, rows, n, a);
    if (to->phys == WR_PHYS_LIST || to->phys == WR_PHYS_MAP || to->phys == WR_PHYS_ROW) {
        for (uint32_t i = 0; i < n; i++)
            if (!wr_vec_copy_entry(to, at + i, from, rows[i], a)) return false;
        return true;
    }
    if (to->phys != WR_PHYS_STR)
        copy_values(to, at, from, rows, n);
    else if (!copy_strings(to, at, from, rows, n, a))
        return false;
    return !from->has_nulls || copy_nulls(to, at, from, rows, n, a);
}

bool
wri_rows_append(wr_batch *to, uint32_t at, const wr_batch *from, const uint32_t *rows, uint32_t n)
{
    WR_ASSERT(to->col_count == from->col_count);
    for (uint32_t c = 0; c < to->col_count; c++)
        if (!append_column(&to->cols[c], at, &from->cols[c], rows, n, to->arena)) return false;
    return true;
}
