/* SPDX-License-Identifier: Apache-2.0 */
/* Table functions: UNNEST of arrays, maps and multisets, and the row replication of INTERSECT ALL
 * and EXCEPT ALL. An expansion is resumed at a position: element (multiset: copies so far in the
 * upper half) or copy. Also the typing of window functions, which operators compute. */
#include "expr/fn_int.h"

wr_status
wri_r_window(wr_ctx *ctx, wr_fn_bind *b)
{
    return wri_r_spec(ctx, b);
}

/* In batch mode the default becomes a value of x's type; streaming mode wants it to be one. */
static wr_status
lag_default(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0], *d = b->arg_types[2];
    const wr_type *const pair[2] = {t, d};
    const bool texts = wr_type_is_string(t) && wr_type_is_string(d);
    const bool parsed = (wr_type_is_string(t) && wr_type_is_numeric(d)) ||
                        (wr_type_is_numeric(t) && wr_type_is_string(d));
    if (!parsed && !wr_type_least_restrictive(b->arena, pair, 2)) return wri_refuse(ctx, b, NULL);
    if (!b->env->batch && t->id != d->id && !texts) {
        const wr_str have = wr_type_str(d, WR_TYPE_SUMMARY, b->arena);
        const wr_str want = wr_type_str(b->arg_types[1], WR_TYPE_SUMMARY, b->arena);
        return wr_raise_at(ctx, WR_TYPE, b->span,
                           "Please explicitly cast default value %.*s to %.*s.", WR_STR_ARG(have),
                           WR_STR_ARG(want));
    }
    return wri_cast_arg(ctx, b, 2, t);
}

/* LAG(x, offset, default): x's type; never NULL when x and the default are not. */
wr_status
wri_r_lag(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    bool nullable = true;
    if (b->arg_count > 1 && !wr_type_is_numeric(b->arg_types[1])) return wri_refuse(ctx, b, NULL);
    if (b->arg_count == 3) {
        nullable = t->nullable || b->arg_types[2]->nullable;
        WR_TRY(lag_default(ctx, b));
    }
    return wri_result_null(ctx, b, t, nullable);
}

/* ---- UNNEST ---------------------------------------------------------------------------------- */
wr_status
wri_r_unnest(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    if (t->id != WR_T_ARRAY && t->id != WR_T_MAP && t->id != WR_T_MULTISET)
        return wri_refuse(ctx, b, NULL);
    return wri_result(ctx, b, t->fields[0].type);
}

static bool
is_row(const wr_type *t)
{
    return t->id == WR_T_ROW || t->id == WR_T_STRUCTURED;
}

static wr_status
unnest_columns(wr_ctx *ctx, wr_fn_bind *b, bool ordinality, wr_schema *out)
{
    const wr_type *t = b->arg_types[0], *e = t->fields[0].type;
    const bool map = t->id == WR_T_MAP, row = !map && is_row(e);
    const uint32_t n = map ? 2 : row ? e->field_count : 1;
    wr_field *f = WR_NEW_N(b->arena, wr_field, n + 1);
    WR_TRY_ALLOC(ctx, f);
    for (uint32_t i = 0; i < n; i++) {
        f[i].name = map   ? (i ? WR_STR("VALUE") : WR_STR("KEY"))
                    : row ? e->fields[i].name
                          : WR_STR("EXPR$0");
        f[i].type = map ? t->fields[i].type : row ? e->fields[i].type : e;
        if (row && e->nullable) f[i].type = wr_type_nullable(b->arena, f[i].type, true);
        WR_TRY_ALLOC(ctx, f[i].type);
    }
    if (ordinality)
        f[n] = (wr_field){WR_STR("ORDINALITY"), wr_type_of(WR_T_INT, false), WR_STR("")};
    *out = (wr_schema){f, n + ordinality};
    return WR_OK;
}

static wr_status
unnest_schema(wr_ctx *ctx, wr_fn_bind *b, wr_schema *out)
{
    return unnest_columns(ctx, b, false, out);
}

static wr_status
unnest_ordinality_schema(wr_ctx *ctx, wr_fn_bind *b, wr_schema *out)
{
    return unnest_columns(ctx, b, true, out);
}

static bool
copy_or_null(wr_vec *out, uint32_t at, const wr_vec *v, uint32_t row, wr_arena *a)
{
    return wr_vec_is_null(v, row) ? wr_vec_set_null(out, at, a)
                                  : wr_vec_copy_entry(out, at, v, row, a);
}

/* Element `e` of the collection as one row; returns the number of columns, 0 = out of memory. */
static uint32_t
put_element(const wr_fn_call *call, const wr_vec *v, uint32_t e, wr_vec *out, uint32_t at)
{
    const wr_vec *first = &v->child[0];
    if (v->type->id == WR_T_MAP) {
        const bool ok = copy_or_null(&out[0], at, first, e, call->arena) &&
                        copy_or_null(&out[1], at, &v->child[1], e, call->arena);
        return ok ? 2 : 0;
    }
    if (!is_row(v->type->fields[0].type))
        return copy_or_null(&out[0], at, first, e, call->arena) ? 1 : 0;
    const bool null = wr_vec_is_null(first, e);
    const uint32_t n = v->type->fields[0].type->field_count;
    const uint32_t entry = null ? 0 : wr_vec_index(first, e);
    for (uint32_t i = 0; i < n; i++) {
        const bool ok = null ? wr_vec_set_null(&out[i], at, call->arena)
                             : copy_or_null(&out[i], at, &first->child[i], entry, call->arena);
        if (!ok) return 0;
    }
    return n;
}

static wr_status
expand(wr_fn_call *call, uint32_t row, uint64_t *pos, wr_vec *out, uint32_t *out_rows,
       uint32_t room, bool *done, bool ordinality)
{
    const wr_vec *v = call->args[0];
    *done = true;
    if (wr_vec_is_null(v, row)) return WR_OK;
    const wr_list list = ((const wr_list *)v->data)[wr_vec_index(v, row)];
    uint32_t element = (uint32_t)*pos, copy = (uint32_t)(*pos >> 32), used = 0;
    while (element < list.len) {
        const uint32_t e = list.off + element;
        int64_t copies = v->type->id == WR_T_MULTISET
                             ? ((const int32_t *)v->child[1].data)[wr_vec_index(&v->child[1], e)]
                             : 1;
        if (!ordinality && v->type->id != WR_T_MAP && is_row(v->type->fields[0].type) &&
            wr_vec_is_null(&v->child[0], e))
            copies = 0; /* a NULL among rows is no row, as in Flink */
        for (; copy < copies; copy++) {
            if (used == room) {
                *pos = (uint64_t)copy << 32 | element;
                *done = false;
                return WR_OK;
            }
            const uint32_t n = put_element(call, v, e, out, *out_rows);
            if (n == 0) return WRI_NOMEM(call);
            if (ordinality) ((int32_t *)out[n].data)[*out_rows] = (int32_t)element + 1;
            ++*out_rows;
            used++;
        }
        copy = 0;
        element++;
    }
    return WR_OK;
}

static wr_status
unnest_expand(wr_fn_call *call, uint32_t row, uint64_t *pos, wr_vec *out, uint32_t *out_rows,
              uint32_t room, bool *done)
{
    return expand(call, row, pos, out, out_rows, room, done, false);
}

static wr_status
unnest_ordinality_expand(wr_fn_call *call, uint32_t row, uint64_t *pos, wr_vec *out,
                         uint32_t *out_rows, uint32_t room, bool *done)
{
    return expand(call, row, pos, out, out_rows, room, done, true);
}

const wr_tablefn_ops wri_unnest_ops = {WR_ABI, "unnest", unnest_schema, unnest_expand};
const wr_tablefn_ops wri_unnest_ordinality_ops = {
    WR_ABI, "unnest with ordinality", unnest_ordinality_schema, unnest_ordinality_expand};

/* ---- replicate_rows -------------------------------------------------------------------------- */
wr_status
wri_r_replicate(wr_ctx *ctx, wr_fn_bind *b)
{
    if (!wr_type_is_integer(b->arg_types[0])) return wri_refuse(ctx, b, NULL);
    WR_TRY(wri_cast_arg_id(ctx, b, 0, WR_T_BIGINT));
    return wri_result(ctx, b, b->arg_types[1]);
}

static wr_status
replicate_schema(wr_ctx *ctx, wr_fn_bind *b, wr_schema *out)
{
    const uint32_t n = b->arg_count - 1;
    wr_field *f = WR_NEW_N(b->arena, wr_field, n);
    WR_TRY_ALLOC(ctx, f);
    for (uint32_t i = 0; i < n; i++) {
        f[i].name = wr_arena_printf(b->arena, "f%u", i);
        f[i].type = b->arg_types[i + 1];
        WR_TRY_ALLOC(ctx, f[i].name.ptr);
    }
    *out = (wr_schema){f, n};
    return WR_OK;
}

static wr_status
replicate_expand(wr_fn_call *call, uint32_t row, uint64_t *pos, wr_vec *out, uint32_t *out_rows,
                 uint32_t room, bool *done)
{
    const wr_vec *count = call->args[0];
    *done = true;
    if (wr_vec_is_null(count, row)) return WR_OK;
    const int64_t n = ((const int64_t *)count->data)[wr_vec_index(count, row)];
    for (uint32_t used = 0; (int64_t)*pos < n; used++, ++*pos) {
        if (used == room) {
            *done = false;
            return WR_OK;
        }
        for (uint32_t i = 1; i < call->arg_count; i++)
            if (!copy_or_null(&out[i - 1], *out_rows, call->args[i], row, call->arena))
                return WRI_NOMEM(call);
        ++*out_rows;
    }
    return WR_OK;
}

const wr_tablefn_ops wri_replicate_ops = {WR_ABI, "replicate_rows", replicate_schema,
                                          replicate_expand};
