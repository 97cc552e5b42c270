/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions (IF, IFNULL, GREATEST, LEAST, IS_ALPHA ...), TYPEOF, ROW, CURRENT_DATABASE. IF and
 * IFNULL have no kernel: the compiler turns them into branches. */
#include "expr/compare_int.h"
#include "expr/program_int.h"
#include "expr/str_int.h"
#include "types/number.h"

/* Rewritten before it is typed; by that name there is no function. */
wr_status
wri_r_lazy(wr_ctx *ctx, wr_fn_bind *b)
{
    return wr_fn_no_match(ctx, b->arena, b->called_as, (wr_expr *const *)b->args, b->arg_count,
                          NULL, b->span);
}

wr_status
wri_k_lazy(wr_fn_call *call)
{
    return wr_raise(call->ctx, WR_INTERNAL, "%s has branches, not a kernel", call->expr->fn->name);
}

/* ---- IF, IFNULL ------------------------------------------------------------------------------ */
static bool
if_takes(const wr_type *l, const wr_type *r)
{
    const wr_family f = wr_type_family(l), g = wr_type_family(r);
    if (wr_type_is_numeric(l) && wr_type_is_numeric(r)) return true;
    if (f != g) return false;
    if (f == WR_FAM_DATETIME) {
        const bool lts = l->id == WR_T_TIMESTAMP || l->id == WR_T_TIMESTAMP_LTZ;
        const bool rts = r->id == WR_T_TIMESTAMP || r->id == WR_T_TIMESTAMP_LTZ;
        return l->id == r->id || (lts && rts);
    }
    return f == WR_FAM_STRING || f == WR_FAM_BOOLEAN || f == WR_FAM_BINARY || f == WR_FAM_NULL;
}

wr_status
wri_r_if(wr_ctx *ctx, wr_fn_bind *b)
{
    if (b->arg_types[0]->id == WR_T_NULL) WR_TRY(wri_cast_arg_id(ctx, b, 0, WR_T_BOOLEAN));
    const wr_type *l = b->arg_types[1], *r = b->arg_types[2];
    const bool typed = l->id != WR_T_NULL && r->id != WR_T_NULL;
    if (b->arg_types[0]->id != WR_T_BOOLEAN || (typed && !if_takes(l, r)))
        return wri_refuse(ctx, b, NULL);
    const wr_type *t = wr_type_least_restrictive(b->arena, b->arg_types + 1, 2);
    if (!t || t->id == WR_T_NULL) return wri_refuse(ctx, b, NULL);
    if (typed && wr_type_family(l) == WR_FAM_DATETIME) t = l; /* the first one decides */
    const bool nullable = wri_any_nullable(b);
    for (uint32_t i = 1; i <= 2; i++)
        if (b->arg_types[i]->id != t->id || b->arg_types[i]->phys != t->phys ||
            wr_type_family(t) != WR_FAM_DATETIME)
            WR_TRY(wri_cast_arg(ctx, b, i, t));
    return wri_result_null(ctx, b, t, nullable);
}

/* A first value that is never NULL decides the type alone. */
wr_status
wri_r_ifnull(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *l = b->arg_types[0], *r = b->arg_types[1];
    const wr_type *t = wri_common(b, 0, 2);
    if (!t) return wri_invalid_call(ctx, b, NULL);
    if (!l->nullable) t = l;
    WR_TRY(wri_cast_arg(ctx, b, 0, t));
    WR_TRY(wri_cast_arg(ctx, b, 1, t));
    return wri_result_null(ctx, b, t, l->nullable && r->nullable);
}

/* ---- GREATEST, LEAST ------------------------------------------------------------------------- */
wr_status
wri_r_extreme(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = wri_common(b, 0, b->arg_count);
    if (!t) return wri_invalid_call(ctx, b, NULL);
    const wr_family f = wr_type_family(t);
    if (t->id != WR_T_NULL &&
        (!wr_type_is_orderable(t) || f == WR_FAM_COLLECTION || f == WR_FAM_STRUCT)) {
        const wr_str s = wr_type_str(b->arg_types[0], WR_TYPE_SUMMARY, b->arena);
        return wr_raise_at(ctx, WR_TYPE, b->span, "Comparable type expected, but was '%.*s'.",
                           WR_STR_ARG(s));
    }
    const bool nullable = wri_any_nullable(b);
    for (uint32_t i = 0; i < b->arg_count; i++) WR_TRY(wri_cast_arg(ctx, b, i, t));
    return wri_result_null(ctx, b, t, nullable);
}

wr_status
wri_k_extreme(wr_fn_call *call)
{
    const bool greatest = call->expr->fn->name[0] == 'G';
    wr_vec *out = call->out;
    const uint32_t width = wr_phys_bytes((wr_phys)out->phys);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        const wr_vec *best = call->args[0];
        for (uint32_t i = 1; i < call->arg_count; i++) {
            const int c = wr_vec_entry_cmp(call->args[i], row, best, row);
            if (greatest ? c > 0 : c < 0) best = call->args[i];
        }
        memcpy((char *)out->data + (size_t)width * row,
               (const char *)best->data + (size_t)width * wr_vec_index(best, row), width);
    }
    return WR_OK;
}

/* ---- IS_ALPHA, IS_DIGIT, IS_DECIMAL ---------------------------------------------------------- */
wr_status
wri_r_is_kind(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    if (t->id == WR_T_NULL)
        WR_TRY(wri_cast_arg_id(ctx, b, 0, WR_T_VARCHAR));
    else if (!wr_type_is_string(t) && !wr_type_is_numeric(t))
        return wri_refuse(ctx, b, NULL);
    return wri_result_null(ctx, b, wr_type_of(WR_T_BOOLEAN, false), false);
}

static bool
all_of(wr_str s, bool (*is)(uint32_t))
{
    const char *p = s.ptr, *end = s.ptr + s.len;
    if (s.len == 0) return false;
    while (p < end)
        if (!is(wr_utf8_next(&p, end))) return false;
    return true;
}

static bool
is_kind(char kind, wr_str s)
{
    double unused;
    switch (kind) {
    case 'A':
        return all_of(s, wri_cp_is_letter);
    case 'I':
        return all_of(s, wri_cp_is_digit);
    default:
        return all_of(s, wri_cp_is_digit) || wr_f64_parse_java(s.ptr, s.len, &unused);
    }
}

wr_status
wri_k_is_kind(wr_fn_call *call)
{
    /* IS_ALPHA, IS_DIGIT, IS_DECIMAL: A, I, E */
    const char *name = call->expr->fn->name;
    const char kind = name[3] == 'A' ? 'A' : name[4];
    const wr_type *t = call->expr->args[0]->type;
    uint8_t *out = call->out->data;
    if (!wr_type_is_string(t)) { /* numbers: their type tells */
        const bool yes = kind == 'E' || (kind == 'I' && wr_type_is_integer(t));
        WR_FOR_CALL(call, row)
        out[row] = yes && !wri_arg_null(call, 0, row);
        return WR_OK;
    }
    const wr_view v = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    out[row] = !wri_arg_null(call, 0, row) && is_kind(kind, wr_view_str(&v, row));
    return WR_OK;
}

/* ---- TYPEOF ---------------------------------------------------------------------------------- */
wr_status
wri_r_typeof(wr_ctx *ctx, wr_fn_bind *b)
{
    int64_t force = 0;
    if (b->arg_count == 2) {
        const wr_expr *a = b->args[1];
        if (a->kind != WR_EX_LITERAL || a->type->id != WR_T_BOOLEAN || a->value.is_null)
            return wri_invalid_call(ctx, b, NULL);
        force = a->value.u.b;
    }
    wr_str *text = WR_NEW(b->arena, wr_str);
    WR_TRY_ALLOC(ctx, text);
    *text = wr_type_str(b->arg_types[0], force ? WR_TYPE_SERIALIZABLE : WR_TYPE_SUMMARY, b->arena);
    WR_TRY_ALLOC(ctx, text->ptr);
    b->data = text;
    return wri_result_null(ctx, b, wr_type_string(true), true);
}

wr_status
wri_k_typeof(wr_fn_call *call)
{
    const wr_str *text = call->expr->fn_data;
    WR_FOR_CALL(call, row)
    wri_put_ref(call, row, text->ptr, text->len);
    return WR_OK;
}

/* ---- ROW ------------------------------------------------------------------------------------- */
wr_status
wri_r_row(wr_ctx *ctx, wr_fn_bind *b)
{
    wr_field *f = WR_NEW_N(b->arena, wr_field, b->arg_count + 1);
    WR_TRY_ALLOC(ctx, f);
    for (uint32_t i = 0; i < b->arg_count; i++) {
        f[i].name = wr_arena_printf(b->arena, "EXPR$%u", i);
        f[i].type = wr_type_attr(b->arena, b->arg_types[i], WR_ATTR_NONE);
        WR_TRY_ALLOC(ctx, f[i].name.ptr);
        WR_TRY_ALLOC(ctx, f[i].type);
    }
    return wri_result_null(ctx, b, wr_type_row(b->arena, f, b->arg_count, false), false);
}

/* The arguments themselves become the fields. */
wr_status
wri_k_row(wr_fn_call *call)
{
    wr_vec *out = call->out;
    out->form = WR_FORM_FLAT;
    out->phys = WR_PHYS_ROW;
    out->len = out->cap = call->row_count ? call->row_count : 1;
    out->child_count = call->arg_count;
    out->child = WR_NEW_N(call->arena, wr_vec, call->arg_count + 1);
    if (!out->child) return WRI_NOMEM(call);
    for (uint32_t i = 0; i < call->arg_count; i++) {
        out->child[i] = *call->args[i];
        out->child[i].type = call->expr->type->fields[i].type;
    }
    return WR_OK;
}

/* ---- the session ----------------------------------------------------------------------------- */
static wr_status
put_all(wr_fn_call *call, wr_str s)
{
    char *p = wri_room(call, s.len);
    if (!p) return call->ctx->err.status;
    if (s.len) memcpy(p, s.ptr, s.len);
    WR_FOR_CALL(call, row)
    wri_put_ref(call, row, p, s.len);
    return WR_OK;
}

wr_status
wri_k_current_database(wr_fn_call *call)
{
    return put_all(call, call->env ? call->env->database : WR_STR(""));
}

wr_status
wri_k_current_catalog(wr_fn_call *call)
{
    return put_all(call, call->env ? call->env->catalog : WR_STR(""));
}
