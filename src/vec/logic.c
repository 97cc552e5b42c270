/* SPDX-License-Identifier: Apache-2.0 */
/* Three-valued logic and NULL tests. Values are bytes, validity is bits; where NULLs are involved
 * the bytes are packed to bits, 64 rows at a time. */
#include "vec/kernel.h"
#include "vec/kernels/kernels_int.h"
#include "vec/vec_int.h"

/* 64 rows of 0/1 bytes as a word; fewer at the end. A byte under a NULL may be anything: only its
 * lowest bit counts. */
static uint64_t
pack64(const uint8_t *p, uint32_t count)
{
    uint64_t word = 0;
    uint32_t i = 0;
    for (; i + 8 <= count; i += 8)
        word |= (((wr_load64(p + i) & 0x0101010101010101ull) * 0x0102040810204080ull) >> 56) << i;
    for (; i < count; i++) word |= (uint64_t)(p[i] & 1) << i;
    return word;
}

static void
unpack64(uint64_t word, uint8_t *p, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) p[i] = (word >> i) & 1;
}

/* The bytes of a BOOLEAN vector, row by row; a type NULL vector reads as zeros. */
static const uint8_t *
bool_bytes(const wr_vec *v, uint32_t rows, wr_arena *arena)
{
    uint32_t step = 1;
    if (v->phys == WR_PHYS_NONE) return wr_arena_zalloc(arena, rows ? rows : 1);
    const uint8_t *p = wri_vec_plain(v, rows, arena, &step);
    if (!p || step) return p;
    uint8_t *all = wr_arena_alloc(arena, rows ? rows : 1);
    if (all) memset(all, p[0], rows);
    return all;
}

typedef struct logic_in {
    const uint8_t *a, *b;
    uint64_t *va, *vb; /* NULL: no NULLs */
    uint32_t rows;
} logic_in;

static bool
logic_open(const wr_vec *a, const wr_vec *b, const uint32_t *sel, uint32_t n, wr_vec *out,
           wr_arena *arena, logic_in *in)
{
    const bool nullable = a->type->nullable || b->type->nullable;
    in->rows = wri_rows(sel, n);
    in->a = bool_bytes(a, in->rows, arena);
    in->b = bool_bytes(b, in->rows, arena);
    return in->a && in->b &&
           wri_vec_init_out(out, wr_type_of(WR_T_BOOLEAN, nullable), in->rows, arena) &&
           wri_validity_flat(a, in->rows, arena, &in->va) &&
           wri_validity_flat(b, in->rows, arena, &in->vb);
}

/* AND: valid where both are, or one is a FALSE; OR likewise with TRUE. A NULL's byte may be
 * anything, so the value under it is masked to the neutral side. */
static bool
logic_nulls(const logic_in *in, bool is_and, wr_vec *out, wr_arena *arena)
{
    out->validity = wri_validity_make(arena, in->rows);
    if (!out->validity) return false;
    out->has_nulls = true;
    uint8_t *r = out->data;
    for (uint32_t w = 0; w < WR_BIT_WORDS(in->rows); w++) {
        const uint32_t first = w * 64, count = WR_MIN(64u, in->rows - first);
        const uint64_t xv = in->va ? in->va[w] : ~0ull, yv = in->vb ? in->vb[w] : ~0ull;
        uint64_t x = pack64(in->a + first, count), y = pack64(in->b + first, count);
        if (is_and) {
            out->validity[w] = (xv & yv) | (xv & ~x) | (yv & ~y);
            unpack64((x | ~xv) & (y | ~yv), r + first, count);
        } else {
            out->validity[w] = (xv & yv) | (xv & x) | (yv & y);
            unpack64((x & xv) | (y & yv), r + first, count);
        }
    }
    return true;
}

static wr_status
logic(wr_ctx *ctx, bool is_and, const wr_vec *a, const wr_vec *b, const uint32_t *sel, uint32_t n,
      wr_vec *out, wr_arena *arena)
{
    logic_in in;
    if (!logic_open(a, b, sel, n, out, arena, &in)) goto nomem;
    if (in.va || in.vb) {
        if (!logic_nulls(&in, is_and, out, arena)) goto nomem;
        return WR_OK;
    }
    if (is_and)
        wri_kernels()->bool_and(in.a, in.b, out->data, in.rows);
    else
        wri_kernels()->bool_or(in.a, in.b, out->data, in.rows);
    return WR_OK;
nomem:
    return wr_raise(ctx, WR_NOMEM, "out of memory");
}

wr_status
wr_kernel_and(wr_ctx *ctx, const wr_vec *a, const wr_vec *b, const uint32_t *sel, uint32_t n,
              wr_vec *out, wr_arena *arena)
{
    return logic(ctx, true, a, b, sel, n, out, arena);
}

wr_status
wr_kernel_or(wr_ctx *ctx, const wr_vec *a, const wr_vec *b, const uint32_t *sel, uint32_t n,
             wr_vec *out, wr_arena *arena)
{
    return logic(ctx, false, a, b, sel, n, out, arena);
}

wr_status
wr_kernel_not(wr_ctx *ctx, const wr_vec *a, const uint32_t *sel, uint32_t n, wr_vec *out,
              wr_arena *arena)
{
    const uint32_t rows = wri_rows(sel, n);
    const uint8_t *x = bool_bytes(a, rows, arena);
    const wr_type *type = wr_type_of(WR_T_BOOLEAN, a->type->nullable);
    const bool ok =
        x && wri_vec_init_out(out, type, rows, arena) && wri_validity_and(a, a, rows, out, arena);
    if (!ok) return wr_raise(ctx, WR_NOMEM, "out of memory");
    wri_kernels()->bool_not(x, out->data, rows);
    return WR_OK;
}

wr_status
wr_kernel_is_null(wr_ctx *ctx, const wr_vec *a, bool negate, const uint32_t *sel, uint32_t n,
                  wr_vec *out, wr_arena *arena)
{
    const uint32_t rows = wri_rows(sel, n);
    uint64_t *valid;
    const bool ok = wri_vec_init_out(out, wr_type_of(WR_T_BOOLEAN, false), rows, arena) &&
                    wri_validity_flat(a, rows, arena, &valid);
    if (!ok) return wr_raise(ctx, WR_NOMEM, "out of memory");
    uint8_t *r = out->data;
    if (!valid) {
        memset(r, negate, rows);
        return WR_OK;
    }
    for (uint32_t w = 0; w < WR_BIT_WORDS(rows); w++)
        unpack64(negate ? valid[w] : ~valid[w], r + w * 64, WR_MIN(64u, rows - w * 64));
    return WR_OK;
}

wr_status
wr_kernel_is_bool(wr_ctx *ctx, const wr_vec *a, bool value, bool negate, const uint32_t *sel,
                  uint32_t n, wr_vec *out, wr_arena *arena)
{
    const uint32_t rows = wri_rows(sel, n);
    const uint8_t *x = bool_bytes(a, rows, arena);
    uint64_t *valid;
    const bool ok = x && wri_vec_init_out(out, wr_type_of(WR_T_BOOLEAN, false), rows, arena) &&
                    wri_validity_flat(a, rows, arena, &valid);
    if (!ok) return wr_raise(ctx, WR_NOMEM, "out of memory");
    uint8_t *r = out->data;
    const uint8_t want = value, flip = negate;
    for (uint32_t i = 0; i < rows; i++) {
        const uint8_t is = (!valid || wr_bit_get(valid, i)) & (x[i] == want);
        r[i] = is ^ flip;
    }
    return WR_OK;
}

wr_status
wr_kernel_distinct(wr_ctx *ctx, const wr_vec *a, const wr_vec *b, bool negate, const uint32_t *sel,
                   uint32_t n, wr_vec *out, wr_arena *arena)
{
    WR_TRY(wr_kernel_compare(ctx, WR_CMP_NE, a, b, sel, n, out, arena));
    const wr_view x = wr_vec_view(a), y = wr_vec_view(b);
    uint8_t *r = out->data;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = sel ? sel[i] : i;
        const bool vx = wr_view_valid(&x, row), vy = wr_view_valid(&y, row);
        const uint8_t distinct = vx && vy ? r[row] : vx != vy;
        r[row] = distinct ^ (uint8_t)negate;
    }
    out->type = wr_type_of(WR_T_BOOLEAN, false);
    out->has_nulls = false;
    return WR_OK;
}
