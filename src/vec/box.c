/* SPDX-License-Identifier: Apache-2.0 */
/* Boxed access to vectors: the slow path for literals, folding, tests and rare functions. */
#include "vec/vec_int.h"

#define AT(v, T, i) (((const T *)(v)->data)[i])
#define TO(v, T, i) (((T *)(v)->data)[i])

/* `count` items from children, item k*kids+c being row `off`+k of child c. */
static bool
get_items(const wr_vec *v, uint32_t off, uint32_t len, wr_arena *a, wr_value *out)
{
    const uint32_t kids = v->child_count;
    const size_t count = (size_t)len * kids;
    wr_value *items = WR_NEW_N(a, wr_value, count ? count : 1);
    if (!items) return false;
    for (uint32_t k = 0; k < len; k++)
        for (uint32_t c = 0; c < kids; c++)
            if (!wr_vec_get(&v->child[c], off + k, a, &items[(size_t)k * kids + c])) return false;
    out->u.list.items = items;
    out->u.list.count = (uint32_t)count;
    return true;
}

bool
wr_vec_get(const wr_vec *v, uint32_t row, wr_arena *a, wr_value *out)
{
    const uint32_t i = wr_vec_index(v, row);
    memset(out, 0, sizeof *out);
    out->type = v->type;
    if (wr_vec_is_null(v, row)) {
        out->is_null = true;
        return true;
    }
    switch ((wr_phys)v->phys) {
    case WR_PHYS_NONE:
        break;
    case WR_PHYS_BOOL:
        out->u.b = AT(v, uint8_t, i) != 0;
        break;
    case WR_PHYS_I8:
        out->u.i = AT(v, int8_t, i);
        break;
    case WR_PHYS_I16:
        out->u.i = AT(v, int16_t, i);
        break;
    case WR_PHYS_I32:
        out->u.i = AT(v, int32_t, i);
        break;
    case WR_PHYS_I64:
        out->u.i = AT(v, int64_t, i);
        break;
    case WR_PHYS_F32:
        out->u.f32 = AT(v, float, i);
        break;
    case WR_PHYS_F64:
        out->u.f64 = AT(v, double, i);
        break;
    case WR_PHYS_I128:
        out->u.i128 = AT(v, wr_i128, i);
        break;
    case WR_PHYS_STR:
        out->u.str = wr_strv_str(&AT(v, wr_strv, i));
        break;
    case WR_PHYS_TS:
        out->u.ts = AT(v, wr_ts, i);
        break;
    case WR_PHYS_LIST:
    case WR_PHYS_MAP:
        return get_items(v, AT(v, wr_list, i).off, AT(v, wr_list, i).len, a, out);
    case WR_PHYS_ROW:
        return get_items(v, i, 1, a, out);
    case WR_PHYS_COUNT:
        break;
    }
    return true;
}

static bool
put_list(wr_vec *v, uint32_t row, const wr_value *value, wr_arena *a)
{
    const uint32_t kids = v->child_count, len = value->u.list.count / kids;
    uint32_t off;
    if (!wr_vec_child_reserve(v, len, a, &off)) return false;
    TO(v, wr_list, row) = (wr_list){off, len};
    for (uint32_t k = 0; k < len; k++)
        for (uint32_t c = 0; c < kids; c++) {
            const wr_value *item = &value->u.list.items[(size_t)k * kids + c];
            if (!wr_vec_put(&v->child[c], off + k, item, a)) return false;
        }
    return true;
}

/* Nulls of a ROW: its fields are NULL too, so that readers of a field alone see NULL. */
static bool
put_null(wr_vec *v, uint32_t row, wr_arena *a)
{
    if (!wr_vec_set_null(v, row, a)) return false;
    if (v->phys != WR_PHYS_ROW) return true;
    for (uint32_t c = 0; c < v->child_count; c++)
        if (!put_null(&v->child[c], row, a)) return false;
    return true;
}

bool
wr_vec_put(wr_vec *v, uint32_t row, const wr_value *value, wr_arena *a)
{
    WR_KASSERT(v->form == WR_FORM_FLAT || row == 0);
    if (value->is_null) return put_null(v, row, a);
    if (v->has_nulls) wr_bit_set(v->validity, row);
    switch ((wr_phys)v->phys) {
    case WR_PHYS_NONE:
        break;
    case WR_PHYS_BOOL:
        TO(v, uint8_t, row) = value->u.b;
        break;
    case WR_PHYS_I8:
        TO(v, int8_t, row) = (int8_t)value->u.i;
        break;
    case WR_PHYS_I16:
        TO(v, int16_t, row) = (int16_t)value->u.i;
        break;
    case WR_PHYS_I32:
        TO(v, int32_t, row) = (int32_t)value->u.i;
        break;
    case WR_PHYS_I64:
        TO(v, int64_t, row) = value->u.i;
        break;
    case WR_PHYS_F32:
        TO(v, float, row) = value->u.f32;
        break;
    case WR_PHYS_F64:
        TO(v, double, row) = value->u.f64;
        break;
    case WR_PHYS_I128:
        TO(v, wr_i128, row) = value->u.i128;
        break;
    case WR_PHYS_STR:
        return wr_vec_set_str(v, row, value->u.str.ptr, (uint32_t)value->u.str.len, a);
    case WR_PHYS_TS:
        TO(v, wr_ts, row) = (wr_ts){value->u.ts.ms, value->u.ts.nano, 0};
        break;
    case WR_PHYS_LIST:
    case WR_PHYS_MAP:
        return put_list(v, row, value, a);
    case WR_PHYS_ROW:
        for (uint32_t c = 0; c < v->child_count; c++)
            if (!wr_vec_put(&v->child[c], row, &value->u.list.items[c], a)) return false;
        break;
    case WR_PHYS_COUNT:
        break;
    }
    return true;
}
