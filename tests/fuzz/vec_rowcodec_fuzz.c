/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes arbitrary bytes as a row. What decodes must encode to the same bytes again, since a row
 * has one encoding (maps and NaNs aside, whose damaged forms are normalised). */
#include "vec/vec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const wr_type *
pick(wr_arena *a, uint8_t which, bool *exact)
{
    const wr_type *i = wr_type_of(WR_T_INT, true), *s = wr_type_string(true);
    const wr_field f[2] = {{WR_STR("a"), i, {0}}, {WR_STR("b"), s, {0}}};
    *exact = true;
    switch (which % 12) {
    case 0:
        return i;
    case 1:
        return s;
    case 2:
        return wr_type_of(WR_T_BOOLEAN, true);
    case 3:
        return wr_type_decimal(a, 38, 10, true);
    case 4:
        return wr_type_time(a, WR_T_TIMESTAMP, 9, true);
    case 5:
        return wr_type_array(a, s, true);
    case 6:
        return wr_type_array(a, wr_type_array(a, i, true), true);
    case 7:
        return wr_type_row(a, f, 2, true);
    case 8:
        return wr_type_array(a, wr_type_row(a, f, 2, true), true);
    case 9:
        return wr_type_of(WR_T_NULL, true);
    case 10:
        *exact = false;
        return wr_type_map(a, s, wr_type_array(a, i, true), true);
    default:
        *exact = false;
        return wr_type_of(WR_T_DOUBLE, true);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) return 0;
    wr_memtrack *m = wr_memtrack_create(NULL, "fuzz", 64u << 20);
    wr_batch_pool *p = wr_batch_pool_create(m);
    wr_batch *b = wr_batch_acquire(p, 2);
    const uint32_t cols[2] = {0, 1};
    bool exact[2];
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    for (uint32_t c = 0; c < 2; c++)
        if (!wr_vec_init_flat(&b->cols[c], pick(b->arena, data[c], &exact[c]), 1, b->arena))
            goto done;
    b->row_count = 1;
    const wr_status st =
        wr_row_decode(&ctx, data + 2, size - 2, b->cols, 2, 0, data[0] & 0x80, b->arena);
    WR_ASSERT(st == WR_OK || st == WR_CORRUPT || st == WR_NOMEM);
    if (st == WR_OK) {
        wr_text out;
        wr_text_init(&out, b->arena);
        if (wr_row_encode_one(b, cols, 2, 0, &out) && exact[0] && exact[1]) {
            WR_ASSERT(out.len == size - 2);
            WR_ASSERT(memcmp(out.ptr, data + 2, out.len) == 0);
        }
        WR_ASSERT(wr_vec_entry_eq(&b->cols[0], 0, &b->cols[0], 0));
        (void)wr_vec_entry_hash(&b->cols[1], 0, 1);
    }
done:
    wr_batch_release(b);
    wr_batch_pool_destroy(p);
    wr_memtrack_destroy(m);
    return 0;
}
