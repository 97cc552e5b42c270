/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes of key columns, one column at a time over all live rows. hash[] holds the seed of each row
 * and is folded by each column; the result equals wr_vec_entry_hash folded the same way. */
#include "vec/kernels/kernels_int.h"
#include "vec/vec_int.h"

/* Any form, any layout but the plain ones: through entries. */
static void
hash_entries(const wr_vec *v, const wr_batch *b, uint32_t n, uint64_t *hash)
{
    for (uint32_t i = 0; i < n; i++) hash[i] = wr_vec_entry_hash(v, wr_batch_row(b, i), hash[i]);
}

/* FLAT, every row live, no NULLs: the kernel's loop. */
static bool
hash_plain(const wr_vec *v, const wr_batch *b, uint32_t n, uint64_t *hash)
{
    if (v->form != WR_FORM_FLAT || b->sel || v->has_nulls) return false;
    wri_hash_fn fn = wri_kernels()->hash[v->phys];
    if (!fn) return false;
    fn(v->data, n, hash);
    return true;
}

static void
hash_constant(const wr_vec *v, uint32_t n, uint64_t *hash)
{
    for (uint32_t i = 0; i < n; i++) hash[i] = wr_vec_entry_hash(v, 0, hash[i]);
}

/* Strings and integers with NULLs, selections or dictionaries. */
static void
hash_viewed(const wr_vec *v, const wr_batch *b, uint32_t n, uint64_t *hash)
{
    const wr_view w = wr_vec_view(v);
#define LOOP(expr)                                                                                 \
    for (uint32_t i = 0; i < n; i++) {                                                             \
        const uint32_t at = wr_view_at(&w, wr_batch_row(b, i));                                    \
        const bool ok = !w.validity || wr_bit_get(w.validity, at);                                 \
        hash[i] = ok ? (expr) : wri_mix(WRI_HASH_NULL, hash[i]);                                   \
    }
    switch (v->phys) {
    case WR_PHYS_STR:
        LOOP(wri_hash_strv(&((const wr_strv *)w.data)[at], hash[i])) break;
    case WR_PHYS_I64:
        LOOP(wri_mix(((const uint64_t *)w.data)[at], hash[i])) break;
    case WR_PHYS_I32:
        LOOP(wri_mix((uint64_t)(int64_t)((const int32_t *)w.data)[at], hash[i]))
        break;
    default:
        hash_entries(v, b, n, hash);
        break;
    }
#undef LOOP
}

void
wr_batch_hash(const wr_batch *b, const uint32_t *cols, uint32_t n, uint64_t *hash)
{
    const uint32_t rows = wr_batch_live(b);
    for (uint32_t i = 0; i < rows; i++) hash[i] = WR_HASH_SEED;
    for (uint32_t c = 0; c < n; c++) {
        const wr_vec *v = &b->cols[cols[c]];
        if (v->form == WR_FORM_CONST)
            hash_constant(v, rows, hash);
        else if (!hash_plain(v, b, rows, hash))
            hash_viewed(v, b, rows, hash);
    }
}
