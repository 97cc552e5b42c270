/* SPDX-License-Identifier: Apache-2.0 */
/* BITMAP_... functions on types/bitmap.h. A bitmap is opened from its bytes per row and closed at
 * once. */
#include "expr/coll_int.h"
#include "types/bitmap.h"

static void
damaged(wr_fn_call *call, uint32_t row)
{
    wr_row_err(call->errs, row, WR_DATA, "the bytes are no bitmap in Roaring's portable format");
    wri_null(call, row);
}

static wr_status
put_bitmap(wr_fn_call *call, uint32_t row, wr_bitmap *b)
{
    wr_text t;
    wr_text_init(&t, call->arena);
    wr_bitmap_encode(b, &t);
    wr_bitmap_destroy(b);
    if (t.failed) return wr_text_raise(call->ctx, &t);
    wr_str s = wr_text_str(&t);
    wri_put_ref(call, row, s.ptr, s.len);
    return WR_OK;
}

/* An array of numbers up to INT. */
wr_status
wri_r_bitmap_build(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    if (!wr_type_is(t, WR_T_ARRAY) ||
        !wr_type_can_cast_implicit(WRI_ELEM(t), wr_type_of(WR_T_INT, true)))
        return wri_refuse_style(ctx, b);
    const wr_type *want = wr_type_array(b->arena, wr_type_of(WR_T_INT, true), t->nullable);
    WR_TRY_ALLOC(ctx, want);
    WR_TRY(wri_cast_arg(ctx, b, 0, want));
    return wri_result_id(ctx, b, WR_T_BITMAP);
}

wr_status
wri_k_bitmap_build(wr_fn_call *call)
{
    const wr_vec *e = &call->args[0]->child[0];
    wr_view numbers = wr_vec_view(e);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_list l = wri_arg_list(call, 0, row);
        wr_bitmap *b = wr_bitmap_create();
        if (!b) return WRI_NOMEM(call);
        for (uint32_t i = l.off; i < l.off + l.len; i++)
            if (!wr_vec_is_null(e, i)) wr_bitmap_add(b, (uint32_t)WR_VIEW(&numbers, int32_t, i));
        WR_TRY(put_bitmap(call, row, b));
    }
    return WR_OK;
}

wr_status
wri_k_bitmap_cardinality(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_bitmap *b = wr_bitmap_decode(wr_view_str(&s, row));
        if (!b) {
            damaged(call, row);
            continue;
        }
        WRI_OUT(call, int64_t)[row] = (int64_t)wr_bitmap_count(b);
        wr_bitmap_destroy(b);
    }
    return WR_OK;
}

static wr_status
combine(wr_fn_call *call, wr_bitmap_op op)
{
    wr_view l = wri_view(call, 0), r = wri_view(call, 1);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_bitmap *a = wr_bitmap_decode(wr_view_str(&l, row));
        wr_bitmap *b = wr_bitmap_decode(wr_view_str(&r, row));
        if (!a || !b) {
            wr_bitmap_destroy(a);
            wr_bitmap_destroy(b);
            damaged(call, row);
            continue;
        }
        wr_bitmap_apply(a, op, b);
        wr_bitmap_destroy(b);
        WR_TRY(put_bitmap(call, row, a));
    }
    return WR_OK;
}

wr_status
wri_k_bitmap_and(wr_fn_call *call)
{
    return combine(call, WR_BITMAP_AND);
}

wr_status
wri_k_bitmap_andnot(wr_fn_call *call)
{
    return combine(call, WR_BITMAP_ANDNOT);
}

wr_status
wri_k_bitmap_or(wr_fn_call *call)
{
    return combine(call, WR_BITMAP_OR);
}

wr_status
wri_k_bitmap_xor(wr_fn_call *call)
{
    return combine(call, WR_BITMAP_XOR);
}

wr_status
wri_r_bitmap_to_array(wr_ctx *ctx, wr_fn_bind *b)
{
    if (!wr_type_is(b->arg_types[0], WR_T_BITMAP) && !wr_type_is(b->arg_types[0], WR_T_NULL))
        return wri_refuse_style(ctx, b);
    return wri_result(ctx, b, wr_type_array(b->arena, wr_type_of(WR_T_INT, true), true));
}

wr_status
wri_k_bitmap_to_array(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_bitmap *b = wr_bitmap_decode(wr_view_str(&s, row));
        if (!b) {
            damaged(call, row);
            continue;
        }
        uint64_t n = wr_bitmap_count(b);
        uint32_t off = 0;
        wr_status status = WR_OK;
        if (n > UINT32_MAX / 2)
            wr_row_err(call->errs, row, WR_LIMIT, "the bitmap has too many numbers for an array");
        else
            status = wri_put_list(call, row, (uint32_t)n, &off);
        if (status == WR_OK && n > 0 && n <= UINT32_MAX / 2)
            wr_bitmap_values(b, (uint32_t *)call->out->child[0].data + off);
        wr_bitmap_destroy(b);
        WR_TRY(status);
    }
    return WR_OK;
}

/* The value's bytes, anew: run-optimised whatever they were. */
static wr_status
recode(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_bitmap *b = wr_bitmap_decode(wr_view_str(&s, row));
        if (b)
            WR_TRY(put_bitmap(call, row, b));
        else
            damaged(call, row);
    }
    return WR_OK;
}

wr_status
wri_k_bitmap_to_bytes(wr_fn_call *call)
{
    return recode(call);
}

wr_status
wri_k_bitmap_from_bytes(wr_fn_call *call)
{
    return recode(call);
}

wr_status
wri_k_bitmap_to_string(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_text t;
        wr_text_init(&t, call->arena);
        if (!wr_bitmap_print_bytes(wr_view_str(&s, row), &t)) {
            damaged(call, row);
            continue;
        }
        if (t.failed) return wr_text_raise(call->ctx, &t);
        wr_str v = wr_text_str(&t);
        wri_put_ref(call, row, v.ptr, v.len);
    }
    return WR_OK;
}
