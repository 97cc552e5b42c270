/* SPDX-License-Identifier: Apache-2.0 */
/* Boxed values: literals, folded constants and slow paths. */
#include "types/types.h"

wr_value
wr_value_null(const wr_type *t)
{
    return (wr_value){.type = t, .is_null = true};
}

wr_value
wr_value_int(const wr_type *t, int64_t i)
{
    wr_value v = {.type = t};
    if (t->phys == WR_PHYS_I128)
        v.u.i128 = i;
    else
        v.u.i = i;
    return v;
}

wr_value
wr_value_bool(bool b)
{
    return (wr_value){.type = wr_type_of(WR_T_BOOLEAN, false), .u.b = b};
}

wr_value
wr_value_str(const wr_type *t, wr_str s)
{
    return (wr_value){.type = t, .u.str = s};
}

/* A map as an unordered set of entries. */
static bool
map_eq(const wr_value *a, const wr_value *b)
{
    for (uint32_t i = 0; i < a->u.list.count; i += 2) {
        bool found = false;
        for (uint32_t j = 0; j < b->u.list.count && !found; j += 2)
            found = wr_value_eq(&a->u.list.items[i], &b->u.list.items[j]) &&
                    wr_value_eq(&a->u.list.items[i + 1], &b->u.list.items[j + 1]);
        if (!found) return false;
    }
    return true;
}

/* Java's Double.equals: NaN equals NaN, 0.0 differs from -0.0. */
static bool
bits_eq(double a, double b)
{
    if (a != a && b != b) return true;
    return memcmp(&a, &b, sizeof a) == 0;
}

bool
wr_value_eq(const wr_value *a, const wr_value *b)
{
    if (a->is_null || b->is_null) return a->is_null == b->is_null;
    switch ((wr_phys)a->type->phys) {
    case WR_PHYS_NONE: /* a NULL, or a symbol: its word */
        return a->type->id != WR_T_SYMBOL || wr_str_eq(a->u.str, b->u.str);
    case WR_PHYS_BOOL:
        return a->u.b == b->u.b;
    case WR_PHYS_I8:
    case WR_PHYS_I16:
    case WR_PHYS_I32:
    case WR_PHYS_I64:
        return a->u.i == b->u.i;
    case WR_PHYS_F32:
        return bits_eq((double)a->u.f32, (double)b->u.f32);
    case WR_PHYS_F64:
        return bits_eq(a->u.f64, b->u.f64);
    case WR_PHYS_I128:
        return a->u.i128 == b->u.i128;
    case WR_PHYS_STR:
        return wr_str_eq(a->u.str, b->u.str);
    case WR_PHYS_TS:
        return a->u.ts.ms == b->u.ts.ms && a->u.ts.nano == b->u.ts.nano;
    case WR_PHYS_LIST:
    case WR_PHYS_ROW:
        if (a->u.list.count != b->u.list.count) return false;
        for (uint32_t i = 0; i < a->u.list.count; i++)
            if (!wr_value_eq(&a->u.list.items[i], &b->u.list.items[i])) return false;
        return true;
    case WR_PHYS_MAP:
        return a->u.list.count == b->u.list.count && map_eq(a, b);
    case WR_PHYS_COUNT:
        break;
    }
    return false;
}

wr_value
wr_value_copy(wr_arena *a, const wr_value *v)
{
    wr_value c = *v;
    if (v->is_null) return c;
    if (v->type->phys == WR_PHYS_STR) {
        c.u.str = wr_arena_str(a, v->u.str);
        if (!c.u.str.ptr) c = wr_value_null(v->type);
        return c;
    }
    if (v->type->phys < WR_PHYS_LIST) return c;
    wr_value *items = WR_NEW_N(a, wr_value, v->u.list.count ? v->u.list.count : 1);
    if (!items) return wr_value_null(v->type);
    for (uint32_t i = 0; i < v->u.list.count; i++) {
        items[i] = wr_value_copy(a, &v->u.list.items[i]);
        if (items[i].is_null && !v->u.list.items[i].is_null) return wr_value_null(v->type);
    }
    c.u.list.items = items;
    return c;
}
