/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: random values and vectors of any type and form, from a seed. */
#ifndef WR_TESTS_VEC_RANDOM_H
#define WR_TESTS_VEC_RANDOM_H

#include "types/decimal.h"
#include "vec/vec.h"

typedef struct rnd {
    uint64_t state;
} rnd;

static inline uint64_t
rnd_u64(rnd *r)
{
    r->state += 0x9e3779b97f4a7c15ull;
    return wr_hash_u64(r->state);
}

static inline uint32_t
rnd_below(rnd *r, uint32_t n)
{
    return (uint32_t)(rnd_u64(r) % n);
}

/* Small numbers and the extremes are likelier than their share. */
static inline int64_t
rnd_int(rnd *r, int bits)
{
    const uint64_t u = rnd_u64(r);
    const int64_t min = (int64_t)(~0ull << (bits - 1)), max = ~min;
    switch (rnd_below(r, 8)) {
    case 0:
        return min;
    case 1:
        return max;
    case 2:
        return 0;
    case 3:
        return -1;
    case 4:
    case 5:
        return (int64_t)(u % 21) - 10;
    default:
        return (int64_t)(u << (64 - bits)) >> (64 - bits);
    }
}

static inline double
rnd_double(rnd *r)
{
    static const double odd[] = {0.0, -0.0, 1.0, -1.5, 1e300, -1e-300, 1e10, 0.1};
    const uint64_t u = rnd_u64(r);
    double d;
    if (rnd_below(r, 6) == 0) return (double)NAN;
    if (rnd_below(r, 6) == 0) return rnd_below(r, 2) ? HUGE_VAL : -HUGE_VAL;
    if (rnd_below(r, 2)) return odd[u % 8];
    memcpy(&d, &u, 8);
    return d;
}

static inline wr_str
rnd_str(rnd *r, wr_arena *a)
{
    static const char letters[] = "ab\0\xff\x01z ";
    const uint32_t n = rnd_below(r, 3) == 0 ? rnd_below(r, 40) : rnd_below(r, 5);
    char *p = wr_arena_alloc(a, n + 1);
    for (uint32_t i = 0; i < n; i++) p[i] = letters[rnd_below(r, 7)];
    return (wr_str){p, n};
}

static inline wr_value rnd_value(rnd *r, const wr_type *t, wr_arena *a);

static inline void
rnd_items(rnd *r, const wr_type *t, wr_arena *a, wr_value *out)
{
    const bool map = t->phys == WR_PHYS_MAP, row = t->phys == WR_PHYS_ROW;
    const uint32_t kids = map ? 2 : row ? t->field_count : 1;
    const uint32_t len = row ? 1 : rnd_below(r, 4);
    wr_value *items = WR_NEW_N(a, wr_value, len * kids + 1);
    uint32_t n = 0;
    for (uint32_t k = 0; k < len; k++) {
        wr_value *entry = items + n;
        for (uint32_t c = 0; c < kids; c++) {
            const bool count = t->id == WR_T_MULTISET && c == 1;
            entry[c] = count ? wr_value_int(wr_type_of(WR_T_INT, false), 1 + rnd_below(r, 3))
                             : rnd_value(r, t->fields[c].type, a);
        }
        bool dup = false;
        for (uint32_t j = 0; map && j < n; j += 2) dup = dup || wr_value_eq(&items[j], entry);
        if (!dup) n += kids;
    }
    out->u.list.items = items;
    out->u.list.count = n;
}

static inline wr_value
rnd_value(rnd *r, const wr_type *t, wr_arena *a)
{
    wr_value v = {.type = t};
    if (t->nullable && rnd_below(r, 4) == 0) return wr_value_null(t);
    switch (t->phys) {
    case WR_PHYS_NONE:
        return wr_value_null(t);
    case WR_PHYS_BOOL:
        v.u.b = rnd_below(r, 2);
        break;
    case WR_PHYS_I8:
        v.u.i = rnd_int(r, 8);
        break;
    case WR_PHYS_I16:
        v.u.i = rnd_int(r, 16);
        break;
    case WR_PHYS_I32:
        v.u.i = rnd_int(r, 32);
        break;
    case WR_PHYS_I64:
        v.u.i = rnd_int(r, 64);
        if (t->id == WR_T_DECIMAL) v.u.i %= (int64_t)wr_dec_pow10(t->precision);
        break;
    case WR_PHYS_F32:
        v.u.f32 = (float)rnd_double(r);
        break;
    case WR_PHYS_F64:
        v.u.f64 = rnd_double(r);
        break;
    case WR_PHYS_I128:
        v.u.i128 = (wr_i128)rnd_int(r, 64) * (wr_i128)rnd_int(r, 60);
        v.u.i128 %= wr_dec_pow10(t->precision);
        break;
    case WR_PHYS_STR:
        v.u.str = rnd_str(r, a);
        break;
    case WR_PHYS_TS:
        v.u.ts.ms = rnd_int(r, 50);
        v.u.ts.nano = (int32_t)rnd_below(r, 1000000);
        break;
    default:
        rnd_items(r, t, a, &v);
        break;
    }
    return v;
}

/* A vector of `rows` random values in a random form. */
static inline wr_vec
rnd_vec(rnd *r, const wr_type *t, uint32_t rows, wr_arena *a)
{
    wr_vec v;
    const uint32_t form = rnd_below(r, 4); /* FLAT twice as often */
    const uint32_t entries = form == WR_FORM_CONST ? 1 : form == WR_FORM_DICT ? 5 : rows;
    bool ok = wr_vec_init_flat(&v, t, entries ? entries : 1, a);
    for (uint32_t i = 0; ok && i < entries; i++) {
        const wr_value x = rnd_value(r, t, a);
        ok = wr_vec_put(&v, i, &x, a);
    }
    WR_ASSERT(ok);
    if (form == WR_FORM_CONST) v.form = WR_FORM_CONST;
    if (form == WR_FORM_DICT) {
        uint32_t *dict = WR_NEW_N(a, uint32_t, rows + 1);
        for (uint32_t i = 0; i < rows; i++) dict[i] = rnd_below(r, entries);
        v.dict = dict;
        v.form = WR_FORM_DICT;
    }
    return v;
}

/* Ascending rows of 0..rows), about half of them; NULL (all) now and then. */
static inline uint32_t *
rnd_sel(rnd *r, uint32_t rows, uint32_t *n, wr_arena *a)
{
    *n = rows;
    if (rnd_below(r, 3) == 0) return NULL;
    uint32_t *sel = WR_NEW_N(a, uint32_t, rows + 1);
    *n = 0;
    for (uint32_t i = 0; i < rows; i++)
        if (rnd_below(r, 2)) sel[(*n)++] = i;
    return sel;
}

#endif
