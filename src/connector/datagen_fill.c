/* SPDX-License-Identifier: Apache-2.0 */
/* Random and sequential values into vectors, a column at a time. Values are uniform between their
 * bounds, inclusive for integers; texts are hexadecimal digits. */
#include "connector/datagen_int.h"
#include "types/decimal.h"
#include "types/number.h"

WR_ALWAYS_INLINE uint64_t
next_u64(wri_gen_run *r)
{
    uint64_t z = r->rng += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

static double
next_unit(wri_gen_run *r)
{
    return (double)(next_u64(r) >> 11) * 0x1p-53;
}

/* Uniform in [min, max]. */
WR_ALWAYS_INLINE int64_t
next_between(wri_gen_run *r, int64_t min, int64_t max)
{
    uint64_t span = (uint64_t)max - (uint64_t)min;
    if (span == UINT64_MAX) return (int64_t)next_u64(r);
    wr_u128 m = (wr_u128)next_u64(r) * (span + 1);
    return (int64_t)((uint64_t)min + (uint64_t)(m >> 64));
}

static int64_t
integer(const wri_gen *g, wri_gen_run *r, uint32_t i)
{
    if (!g->sequence) return next_between(r, g->min, g->max);
    return g->min + (r->row + (int64_t)i) * r->parallelism + r->subtask;
}

static void
fill_integers(const wri_gen *g, wri_gen_run *r, wr_vec *v, uint32_t n)
{
    if (v->phys == WR_PHYS_I64 && !g->sequence) {
        int64_t *restrict out = v->data;
        wri_gen_run local = *r; /* its counter stays in a register */
        for (uint32_t i = 0; i < n; i++) out[i] = next_between(&local, g->min, g->max);
        r->rng = local.rng;
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        int64_t x = integer(g, r, i);
        switch (v->phys) {
        case WR_PHYS_I8:
            ((int8_t *)v->data)[i] = (int8_t)x;
            break;
        case WR_PHYS_I16:
            ((int16_t *)v->data)[i] = (int16_t)x;
            break;
        case WR_PHYS_I32:
            ((int32_t *)v->data)[i] = (int32_t)x;
            break;
        default:
            ((int64_t *)v->data)[i] = x;
            break;
        }
    }
}

static void
fill_floats(const wri_gen *g, wri_gen_run *r, wr_vec *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        double u = next_unit(r);
        double x = g->sequence ? (double)integer(g, r, i) : g->fmin * (1 - u) + g->fmax * u;
        if (v->phys == WR_PHYS_F32)
            ((float *)v->data)[i] = (float)x;
        else
            ((double *)v->data)[i] = x;
    }
}

static bool
fill_decimals(const wri_gen *g, wri_gen_run *r, wr_vec *v, uint32_t n)
{
    const wr_type *t = g->type;
    double top = 1;
    for (int i = 0; i < t->precision - t->scale; i++) top *= 10;
    double min = WR_MAX(g->fmin, -top), max = WR_MIN(g->fmax, top);
    for (uint32_t i = 0; i < n; i++) {
        wr_i128 x = 0;
        bool fits;
        if (g->sequence) {
            fits = wr_dec_rescale(integer(g, r, i), 0, t->precision, t->scale, &x);
        } else {
            double u = next_unit(r);
            fits = wr_dec_from_f64(min * (1 - u) + max * u, t->precision, t->scale, &x);
        }
        if (v->phys == WR_PHYS_I128)
            ((wr_i128 *)v->data)[i] = x;
        else
            ((int64_t *)v->data)[i] = (int64_t)x;
        if (!fits && !wr_vec_set_null(v, i, r->arena)) return false;
    }
    return true;
}

static bool
fill_strings(const wri_gen *g, wri_gen_run *r, wr_vec *v, uint32_t n)
{
    static const char hex[] = "0123456789abcdef";
    const bool text = wr_type_is_string(g->type);
    wr_strv *out = v->data;
    for (uint32_t i = 0; i < n; i++) {
        char number[WR_I64_TEXT_MAX];
        if (g->sequence) {
            uint32_t len = wr_i64_print(integer(g, r, i), number);
            if (!wr_vec_set_str(v, i, number, len, r->arena)) return false;
            continue;
        }
        uint32_t len =
            (uint32_t)(g->var_len && g->length > 1 ? next_between(r, 1, g->length) : g->length);
        char *p = wr_arena_alloc(r->arena, (size_t)len + 16);
        if (!p) return false;
        for (uint32_t k = 0; k < len; k += text ? 16 : 8) {
            uint64_t bits = next_u64(r);
            if (!text) {
                wr_store64(p + k, bits);
                continue;
            }
            for (int d = 0; d < 16; d++, bits >>= 4) p[k + (uint32_t)d] = hex[bits & 15];
        }
        out[i] = wr_strv_make(p, len);
    }
    return true;
}

static void
fill_times(const wri_gen *g, wri_gen_run *r, wr_vec *v, uint32_t n)
{
    const int64_t day = 86400000;
    for (uint32_t i = 0; i < n; i++) {
        if (g->type->id == WR_T_DATE) {
            ((int32_t *)v->data)[i] =
                (int32_t)((r->local_ms - ((r->local_ms % day + day) % day)) / day);
        } else if (g->type->id == WR_T_TIME) {
            ((int32_t *)v->data)[i] = (int32_t)((r->local_ms % day + day) % day);
        } else {
            int64_t ms = r->now_ms - (g->max_past_ms > 0 ? next_between(r, 0, g->max_past_ms) : 0);
            if (v->phys == WR_PHYS_TS)
                ((wr_ts *)v->data)[i] = (wr_ts){ms, 0, 0};
            else
                ((int64_t *)v->data)[i] = ms;
        }
    }
}

/* Keys of a map must differ: an entry whose key has come already is dropped. */
static uint32_t
drop_doubles(wr_vec *v, uint32_t off, uint32_t len, wr_arena *a)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < len; i++) {
        bool seen = false;
        for (uint32_t k = 0; k < kept && !seen; k++)
            seen = wr_vec_entry_eq(&v->child[0], off + i, &v->child[0], off + k);
        if (seen) continue;
        if (kept != i && (!wr_vec_copy_entry(&v->child[0], off + kept, &v->child[0], off + i, a) ||
                          !wr_vec_copy_entry(&v->child[1], off + kept, &v->child[1], off + i, a)))
            return kept;
        kept++;
    }
    return kept;
}

static bool
fill_collections(const wri_gen *g, wri_gen_run *r, wr_vec *v, uint32_t n)
{
    uint32_t len = (uint32_t)g->length, off;
    if ((uint64_t)len * n > UINT32_MAX / 2) return false;
    if (!wr_vec_child_reserve(v, len * n, r->arena, &off)) return false;
    for (uint32_t k = 0; k < g->kid_count; k++) { /* a view of the new entries */
        wr_vec whole = v->child[k];
        WR_ASSERT(off == 0);
        if (!wri_gen_fill(&g->kids[k], r, &whole, len * n)) return false;
        v->child[k] = whole;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = off + i * len;
        uint32_t kept = v->phys == WR_PHYS_MAP ? drop_doubles(v, at, len, r->arena) : len;
        ((wr_list *)v->data)[i] = (wr_list){at, kept};
    }
    return true;
}

static bool
fill_values(const wri_gen *g, wri_gen_run *r, wr_vec *v, uint32_t n)
{
    switch ((wr_type_id)g->type->id) {
    case WR_T_BOOLEAN:
        for (uint32_t i = 0; i < n; i++) ((uint8_t *)v->data)[i] = next_u64(r) & 1;
        return true;
    case WR_T_TINYINT:
    case WR_T_SMALLINT:
    case WR_T_INT:
    case WR_T_BIGINT:
    case WR_T_INTERVAL_YM:
    case WR_T_INTERVAL_DT:
        fill_integers(g, r, v, n);
        return true;
    case WR_T_FLOAT:
    case WR_T_DOUBLE:
        fill_floats(g, r, v, n);
        return true;
    case WR_T_DECIMAL:
        return fill_decimals(g, r, v, n);
    case WR_T_CHAR:
    case WR_T_VARCHAR:
    case WR_T_BINARY:
    case WR_T_VARBINARY:
        return fill_strings(g, r, v, n);
    case WR_T_DATE:
    case WR_T_TIME:
    case WR_T_TIMESTAMP:
    case WR_T_TIMESTAMP_LTZ:
        fill_times(g, r, v, n);
        return true;
    case WR_T_ARRAY:
    case WR_T_MAP:
    case WR_T_MULTISET:
        return fill_collections(g, r, v, n);
    case WR_T_ROW:
    case WR_T_STRUCTURED:
        for (uint32_t k = 0; k < g->kid_count; k++)
            if (!wri_gen_fill(&g->kids[k], r, &v->child[k], n)) return false;
        return true;
    case WR_T_NULL:
    case WR_T_RAW:
    case WR_T_VARIANT:
    case WR_T_BITMAP:
    case WR_T_DESCRIPTOR:
    case WR_T_SYMBOL:
    case WR_T_COUNT:
        break;
    }
    return true;
}

bool
wri_gen_fill(const wri_gen *g, wri_gen_run *r, wr_vec *v, uint32_t n)
{
    if (!fill_values(g, r, v, n)) return false;
    if (g->null_rate <= 0) return true;
    for (uint32_t i = 0; i < n; i++)
        if (next_unit(r) < g->null_rate && !wr_vec_set_null(v, i, r->arena)) return false;
    return true;
}
