/* SPDX-License-Identifier: Apache-2.0 */
/* Selection: the rows where a condition is TRUE. */
#include "vec/kernels/kernels_int.h"
#include "vec/vec_int.h"

static uint32_t
select_viewed(const wr_vec *cond, const uint32_t *sel, uint32_t n, uint32_t *sel_out)
{
    const wr_view w = wr_vec_view(cond);
    uint32_t k = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = sel ? sel[i] : i, at = wr_view_at(&w, row);
        const uint32_t valid = !w.validity || wr_bit_get(w.validity, at);
        sel_out[k] = row;
        k += valid & ((const uint8_t *)w.data)[at];
    }
    return k;
}

uint32_t
wr_kernel_select(const wr_vec *cond, const uint32_t *sel, uint32_t n, uint32_t *sel_out)
{
    if (cond->phys == WR_PHYS_NONE || n == 0) return 0;
    if (cond->form == WR_FORM_CONST) {
        const bool on = !wr_vec_is_null(cond, 0) && ((const uint8_t *)cond->data)[0];
        if (!on) return 0;
        for (uint32_t i = 0; i < n; i++) sel_out[i] = sel ? sel[i] : i;
        return n;
    }
    if (cond->form == WR_FORM_DICT || cond->has_nulls) return select_viewed(cond, sel, n, sel_out);
    if (sel) return wri_kernels()->select_some(cond->data, sel, n, sel_out);
    return wri_kernels()->select_all(cond->data, n, sel_out);
}
