/* SPDX-License-Identifier: Apache-2.0 */
/* PRINTF and PRINT: values of any type as arguments of a Formatter. Dates, times and intervals are
 * the numbers that Flink's runtime keeps them as; a DECIMAL is an object that only %s knows. */
#include "expr/fn_int.h"
#include "expr/str_int.h"
#include "types/number.h"
#include "vec/cast.h"

wr_status
wri_r_printf(wr_ctx *ctx, wr_fn_bind *b)
{
    if (!wr_type_is_string(b->arg_types[0]) && !wr_type_is(b->arg_types[0], WR_T_NULL))
        return wri_refuse_style(ctx, b);
    return wri_result_null(ctx, b, wr_type_string(true), true);
}

static wri_arg_kind
arg_kind(const wr_type *t)
{
    switch ((wr_type_id)t->id) {
    case WR_T_BOOLEAN:
        return WRI_ARG_BOOL;
    case WR_T_TINYINT:
    case WR_T_SMALLINT:
    case WR_T_INT:
    case WR_T_BIGINT:
    case WR_T_DATE:
    case WR_T_TIME:
    case WR_T_INTERVAL_YM:
    case WR_T_INTERVAL_DT:
        return WRI_ARG_INT;
    case WR_T_FLOAT:
    case WR_T_DOUBLE:
        return WRI_ARG_DOUBLE;
    case WR_T_NULL:
        return WRI_ARG_NULL;
    case WR_T_DECIMAL:
    case WR_T_CHAR:
    case WR_T_VARCHAR:
    case WR_T_BINARY:
    case WR_T_VARBINARY:
    case WR_T_TIMESTAMP:
    case WR_T_TIMESTAMP_LTZ:
    case WR_T_ARRAY:
    case WR_T_MAP:
    case WR_T_MULTISET:
    case WR_T_ROW:
    case WR_T_STRUCTURED:
    case WR_T_RAW:
    case WR_T_VARIANT:
    case WR_T_BITMAP:
    case WR_T_DESCRIPTOR:
    case WR_T_SYMBOL:
    case WR_T_COUNT:
        break;
    }
    return WRI_ARG_TEXT;
}

static bool
fill_text(wr_fn_call *call, const wr_vec *v, const wr_view *w, uint32_t row, wri_arg *a)
{
    if (wr_type_is_string(v->type)) {
        a->text = wr_view_str(w, row);
        return true;
    }
    wr_text t;
    wr_text_init(&t, call->arena);
    const struct wr_tz *tz = call->env ? call->env->tz : NULL;
    if (a->kind == WRI_ARG_DOUBLE) {
        char buf[WR_F64_TEXT_MAX];
        uint32_t n = a->bits == 32 ? wr_f32_print((float)a->d, buf) : wr_f64_print(a->d, buf);
        wr_text_put(&t, buf, n);
    } else if (wr_type_is(v->type, WR_T_TIMESTAMP) || wr_type_is(v->type, WR_T_TIMESTAMP_LTZ)) {
        wr_value_print_java(v, row, tz, &t);
    } else {
        wr_value_display(v, row, tz, &t);
    }
    a->text = wr_text_str(&t);
    return !t.failed;
}

static bool
fill_arg(wr_fn_call *call, uint32_t i, const wr_view *w, uint32_t row, wri_arg *a)
{
    const wr_vec *v = call->args[i];
    *a = (wri_arg){.kind = WRI_ARG_NULL};
    if (wr_vec_is_null(v, row)) return true;
    a->kind = arg_kind(v->type);
    a->bits = (uint8_t)(wr_phys_bytes((wr_phys)v->phys) * 8);
    switch (a->kind) {
    case WRI_ARG_BOOL:
    case WRI_ARG_INT:
        a->i = wri_int(w, v->phys, row);
        return true;
    case WRI_ARG_DOUBLE:
        a->d = v->phys == WR_PHYS_F32 ? (double)WR_VIEW(w, float, row) : WR_VIEW(w, double, row);
        return fill_text(call, v, w, row, a);
    case WRI_ARG_TEXT:
        return fill_text(call, v, w, row, a);
    case WRI_ARG_NULL:
    case WRI_ARG_COUNT:
        break;
    }
    return true;
}

wr_status
wri_k_printf(wr_fn_call *call)
{
    uint32_t n = call->arg_count;
    wr_view *views = WR_NEW_N(call->arena, wr_view, n);
    wri_arg *args = WR_NEW_N(call->arena, wri_arg, n);
    if (!views || !args) return WRI_NOMEM(call);
    for (uint32_t i = 0; i < n; i++) views[i] = wri_view(call, i);
    WR_FOR_CALL(call, row)
    {
        if (wri_arg_null(call, 0, row)) {
            wri_null(call, row);
            continue;
        }
        for (uint32_t i = 1; i < n; i++)
            if (!fill_arg(call, i, &views[i], row, &args[i - 1])) return WRI_NOMEM(call);
        wr_text t;
        wr_text_init(&t, call->arena);
        bool ok = wri_java_printf(&t, wr_view_str(&views[0], row), args, n - 1);
        if (t.failed) return wr_text_raise(call->ctx, &t);
        wr_str s = wr_text_str(&t);
        if (ok)
            wri_put_ref(call, row, s.ptr, s.len);
        else
            wri_null(call, row);
    }
    return WR_OK;
}

/* PRINT(prefix, value): the value; its text goes to whoever listens for notices. */
wr_status
wri_r_print(wr_ctx *ctx, wr_fn_bind *b)
{
    if (!wr_type_is_string(b->arg_types[0]) && !wr_type_is(b->arg_types[0], WR_T_NULL))
        return wri_refuse(ctx, b, NULL);
    return wri_result_null(ctx, b, b->arg_types[1], b->arg_types[1]->nullable);
}

wr_status
wri_k_print(wr_fn_call *call)
{
    wr_view p = wri_view(call, 0);
    const struct wr_tz *tz = call->env ? call->env->tz : NULL;
    WR_FOR_CALL(call, row)
    {
        wr_text t;
        wr_text_init(&t, call->arena);
        wr_str prefix = wri_arg_null(call, 0, row) ? WR_STR("null") : wr_view_str(&p, row);
        wr_text_put(&t, prefix.ptr, prefix.len);
        if (wri_arg_null(call, 1, row))
            wr_text_puts(&t, "null");
        else
            wr_value_display(call->args[1], row, tz, &t);
        if (t.failed) return wr_text_raise(call->ctx, &t);
        wr_notice(call->ctx, "%.*s", WR_STR_ARG(wr_text_str(&t)));
        if (!wr_vec_copy_entry(call->out, row, call->args[1], row, call->arena))
            return WRI_NOMEM(call);
    }
    return WR_OK;
}
