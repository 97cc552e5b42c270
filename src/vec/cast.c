/* SPDX-License-Identifier: Apache-2.0 */
/* Casts of vectors: what is common, and the choice of the loop. */
#include "vec/cast_int.h"

wr_status
wri_cast_nomem(const wri_cast *c)
{
    return wr_raise(c->ctx, WR_NOMEM, "out of memory");
}

wr_status
wri_cast_null(const wri_cast *c, uint32_t row)
{
    return wr_vec_set_null(c->out, row, c->arena) ? WR_OK : wri_cast_nomem(c);
}

wr_status
wri_cast_fail(const wri_cast *c, uint32_t row, bool hard, const char *why)
{
    if (c->errs && (hard || !c->try_cast)) wr_row_err(c->errs, row, WR_DATA, "%s", why);
    return wri_cast_null(c, row);
}

/* ---- length of CHAR, VARCHAR, BINARY, VARBINARY ---------------------------------------------- */
/* Zeros or blanks behind the value. */
static wr_status
store_padded(const wri_cast *c, uint32_t row, wr_str s, size_t pad, char with)
{
    if (s.len + pad > WR_STRING_BYTES_MAX) {
        if (c->errs) wr_row_err(c->errs, row, WR_LIMIT, "the value is padded to more than 1 GiB");
        return wri_cast_null(c, row);
    }
    char *p = wr_arena_alloc(c->arena, s.len + pad);
    if (!p) return wri_cast_nomem(c);
    if (s.len) memcpy(p, s.ptr, s.len);
    memset(p + s.len, with, pad);
    ((wr_strv *)c->out->data)[row] = wr_strv_make(p, (uint32_t)(s.len + pad));
    return WR_OK;
}

wr_status
wri_cast_store(const wri_cast *c, uint32_t row, wr_str s)
{
    const size_t max = (size_t)c->to->length;
    const bool text = wr_type_is_string(c->to);
    const bool fixed = c->to->id == WR_T_CHAR || c->to->id == WR_T_BINARY;
    if (s.len > UINT32_MAX) return wr_raise(c->ctx, WR_LIMIT, "a string is too long");
    if (!c->env->legacy) {
        if (s.len > max) s.len = text ? wr_utf8_offset(s.ptr, s.len, max) : max;
        if (fixed && s.len < max * (text ? 4 : 1)) {
            const size_t have = text ? wr_utf8_count(s.ptr, s.len) : s.len;
            if (have < max) return store_padded(c, row, s, max - have, text ? ' ' : 0);
        }
    }
    if (!wr_vec_set_str(c->out, row, s.ptr, (uint32_t)s.len, c->arena)) return wri_cast_nomem(c);
    return WR_OK;
}

/* Does every value of one type stand as it is in the other: same layout and meaning, nothing to
 * cut, pad or round? */
static bool
same_values(const wr_type *from, const wr_type *to)
{
    if (from->phys != to->phys) return false;
    switch (to->id) {
    case WR_T_VARCHAR:
        return wr_type_is_string(from) && from->length <= to->length;
    case WR_T_VARBINARY:
        return (wr_type_is_binary(from) && from->length <= to->length) || from->id == WR_T_BITMAP;
    case WR_T_CHAR:
    case WR_T_BINARY:
        return from->id == to->id && from->length == to->length;
    case WR_T_DECIMAL:
        return from->id == to->id && from->scale == to->scale && from->precision <= to->precision;
    case WR_T_TIME:
    case WR_T_TIMESTAMP:
    case WR_T_TIMESTAMP_LTZ:
        return from->id == to->id && from->precision <= to->precision;
    case WR_T_ARRAY:
    case WR_T_MAP:
    case WR_T_MULTISET:
    case WR_T_ROW:
    case WR_T_STRUCTURED:
        if (from->field_count != to->field_count) return false;
        for (uint32_t i = 0; i < from->field_count; i++)
            if (!same_values(from->fields[i].type, to->fields[i].type)) return false;
        return from->id == to->id || (from->phys == WR_PHYS_ROW && to->phys == WR_PHYS_ROW);
    default:
        return from->id == to->id;
    }
}

static void
retype(wr_vec *v, const wr_type *to)
{
    v->type = to;
    if (to->phys == WR_PHYS_ROW || to->phys == WR_PHYS_LIST || to->id == WR_T_MAP)
        for (uint32_t i = 0; i < v->child_count; i++) retype(&v->child[i], to->fields[i].type);
    if (to->id == WR_T_MULTISET) retype(&v->child[0], to->fields[0].type);
}

/* The values as they are. FLAT arrays are shared; a nested vector gets children of its own, whose
 * types are changed. */
static wr_status
cast_same(const wri_cast *c)
{
    const uint32_t rows = wri_rows(c->sel, c->n);
    if (c->in->form == WR_FORM_FLAT && c->in->child_count == 0) {
        *c->out = *c->in;
        c->out->type = c->to;
        return WR_OK;
    }
    uint32_t *all = wr_arena_alloc(c->arena, sizeof *all * (rows ? rows : 1));
    if (!all) return wri_cast_nomem(c);
    for (uint32_t i = 0; i < rows; i++) all[i] = c->sel ? 0 : i;
    for (uint32_t i = 0; c->sel && i < c->n; i++) all[c->sel[i]] = c->sel[i];
    if (c->sel && c->n) /* rows that nobody asked for read as the first one asked for */
        for (uint32_t i = 0, k = 0; i < rows; i++) {
            if (k < c->n && c->sel[k] == i)
                k++;
            else
                all[i] = c->sel[0];
        }
    if (!wr_vec_gather(c->out, c->in, all, rows, c->arena)) return wri_cast_nomem(c);
    retype(c->out, c->to);
    return WR_OK;
}

static wr_status
all_null(const wri_cast *c)
{
    for (uint32_t i = 0; i < c->n; i++) WR_TRY(wri_cast_null(c, wri_cast_row(c, i)));
    return WR_OK;
}

/* Strings and bytes among themselves: decode, cut, pad. */
static wr_status
cast_bytes(const wri_cast *c)
{
    const wr_view w = wr_vec_view(c->in);
    const bool decode = !wr_type_is_string(c->from) && wr_type_is_string(c->to);
    for (uint32_t i = 0; i < c->n; i++) {
        const uint32_t row = wri_cast_row(c, i);
        if (!wr_view_valid(&w, row)) {
            WR_TRY(wri_cast_null(c, row));
            continue;
        }
        wr_str s = wr_view_str(&w, row);
        if (decode && !wr_utf8_valid(s.ptr, s.len)) {
            wr_text text;
            wr_text_init(&text, c->arena);
            wri_put_utf8(&text, s);
            if (text.failed) return wri_cast_nomem(c);
            s = wr_text_str(&text);
        }
        WR_TRY(wri_cast_store(c, row, s));
    }
    return WR_OK;
}

/* An integer counts the units of an interval: months (YEAR: years), else milliseconds. */
static wr_status
cast_to_interval(const wri_cast *c)
{
    const wr_view w = wr_vec_view(c->in);
    const int64_t unit = c->to->unit_from == WR_UNIT_YEAR ? 12 : 1;
    for (uint32_t i = 0; i < c->n; i++) {
        const uint32_t row = wri_cast_row(c, i);
        if (!wr_view_valid(&w, row)) {
            WR_TRY(wri_cast_null(c, row));
            continue;
        }
        const int64_t v = (int64_t)wri_exact_get(c->in, wr_view_at(&w, row));
        if (c->to->phys == WR_PHYS_I32)
            ((int32_t *)c->out->data)[row] = (int32_t)((uint32_t)v * (uint32_t)unit);
        else
            ((int64_t *)c->out->data)[row] = v;
    }
    return WR_OK;
}

static wr_status
choose(const wri_cast *c)
{
    const wr_family ff = wr_type_family(c->from), ft = wr_type_family(c->to);
    if (c->from->id == WR_T_NULL) return all_null(c);
    if (same_values(c->from, c->to)) return cast_same(c);
    const bool from_bytes = ff == WR_FAM_STRING || ff == WR_FAM_BINARY;
    if (from_bytes && (ft == WR_FAM_STRING || ft == WR_FAM_BINARY)) return cast_bytes(c);
    if (ft == WR_FAM_STRING) return wri_cast_to_text(c);
    if (ff == WR_FAM_STRING) return wri_cast_from_text(c);
    const bool from_number = wr_type_is_numeric(c->from) || c->from->id == WR_T_BOOLEAN;
    if (from_number && ft == WR_FAM_INTERVAL) return cast_to_interval(c);
    if (from_number && (wr_type_is_numeric(c->to) || c->to->id == WR_T_BOOLEAN))
        return wri_cast_number(c);
    if (ff == WR_FAM_DATETIME && ft == WR_FAM_DATETIME) return wri_cast_datetime(c);
    if (ff == WR_FAM_COLLECTION || ff == WR_FAM_STRUCT) return wri_cast_nested(c);
    return wr_raise(c->ctx, WR_INTERNAL, "no cast from layout %u to layout %u", c->from->phys,
                    c->to->phys);
}

wr_status
wr_cast_vec(wr_ctx *ctx, const wr_cast_env *env, const wr_vec *in, const wr_type *to,
            const uint32_t *sel, uint32_t n, bool try_cast, wr_vec *out, wr_arena *a,
            wr_row_errs *errs)
{
    static const wr_cast_env utc = {NULL, false};
    const wri_cast c = {
        .ctx = ctx,
        .env = env ? env : &utc,
        .in = in,
        .from = in->type,
        .to = to,
        .sel = sel,
        .n = n,
        .try_cast = try_cast || (env && env->legacy),
        .out = out,
        .arena = a,
        .errs = errs,
    };
    return choose(&c);
}

wr_status
wr_cast_value(wr_ctx *ctx, const wr_cast_env *env, const wr_value *in, const wr_type *to,
              bool try_cast, wr_value *out, wr_arena *a, wr_row_errs *errs)
{
    wr_vec from, result;
    if (!wr_vec_init_const(&from, in, a) || !wr_vec_init_flat(&result, to, 1, a))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    WR_TRY(wr_cast_vec(ctx, env, &from, to, NULL, 1, try_cast, &result, a, errs));
    if (!wr_vec_get(&result, 0, a, out)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}
