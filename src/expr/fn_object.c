/* SPDX-License-Identifier: Apache-2.0 */
/* OBJECT_OF and OBJECT_UPDATE: structured objects, which are rows with a class's name. Field names
 * are literals, so everything is known when the call is resolved. */
#include "expr/fn_int.h"

/* The literal name at argument i (from 0), checked; `first` is the first name's place. */
static wr_status
field_name(wr_ctx *ctx, wr_fn_bind *b, uint32_t i, uint32_t first, wr_str *name)
{
    if (!wr_type_is_string(b->arg_types[i]) || !wri_lit_str(b->args[i], name)) {
        wr_str s = wr_type_str(b->arg_types[i], WR_TYPE_SUMMARY, b->arena);
        wr_str why =
            wr_arena_printf(b->arena,
                            "The field key at position %u must be a non-nullable character "
                            "string, but was %.*s.",
                            i + 1, WR_STR_ARG(s));
        WR_TRY_ALLOC(ctx, why.ptr);
        return wri_invalid_call(ctx, b, why.ptr);
    }
    for (uint32_t k = first; k < i; k += 2) {
        wr_str other;
        if (!wri_lit_str(b->args[k], &other) || !wr_str_eq(other, *name)) continue;
        wr_str why = wr_arena_printf(b->arena, "The field name '%.*s' at position %u is repeated.",
                                     WR_STR_ARG(*name), i + 1);
        WR_TRY_ALLOC(ctx, why.ptr);
        return wri_invalid_call(ctx, b, why.ptr);
    }
    return WR_OK;
}

static wr_status
structured(wr_ctx *ctx, wr_fn_bind *b, wr_str class_name, const wr_field *fields, uint32_t n,
           bool nullable)
{
    const wr_type *row = wr_type_row(b->arena, fields, n, true);
    wr_type *t = WR_NEW(b->arena, wr_type);
    WR_TRY_ALLOC(ctx, row);
    WR_TRY_ALLOC(ctx, t);
    *t = *row;
    t->id = WR_T_STRUCTURED;
    t->class_name = class_name;
    return wri_result_null(ctx, b, t, nullable);
}

wr_status
wri_r_object_of(wr_ctx *ctx, wr_fn_bind *b)
{
    wr_str class_name;
    if (!wr_type_is_string(b->arg_types[0]) || !wri_lit_str(b->args[0], &class_name))
        return wri_invalid_call(
            ctx, b,
            "The first argument must be a non-nullable character string literal "
            "representing the class name.");
    if (b->arg_count % 2 == 0) return wri_no_match(ctx, b);
    uint32_t n = b->arg_count / 2;
    wr_field *fields = WR_NEW_N(b->arena, wr_field, n + 1);
    WR_TRY_ALLOC(ctx, fields);
    for (uint32_t i = 0; i < n; i++) {
        WR_TRY(field_name(ctx, b, 1 + 2 * i, 1, &fields[i].name));
        fields[i].type = b->arg_types[2 + 2 * i];
    }
    return structured(ctx, b, class_name, fields, n, true);
}

wr_status
wri_k_object_of(wr_fn_call *call)
{
    WR_FOR_CALL(call, row)
    for (uint32_t i = 0; i < call->out->child_count; i++)
        if (!wr_vec_copy_entry(&call->out->child[i], row, call->args[2 + 2 * i], row, call->arena))
            return WRI_NOMEM(call);
    return WR_OK;
}

/* data: per field of the object the argument that replaces it, 0 = none */
wr_status
wri_r_object_update(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    if (!wr_type_is(t, WR_T_STRUCTURED)) {
        wr_str s = wr_type_str(t, WR_TYPE_SUMMARY, b->arena);
        wr_str why = wr_arena_printf(
            b->arena, "The first argument must be a structured type, but was %.*s.", WR_STR_ARG(s));
        WR_TRY_ALLOC(ctx, why.ptr);
        return wri_invalid_call(ctx, b, why.ptr);
    }
    if (b->arg_count % 2 == 0) return wri_no_match(ctx, b);
    wr_field *fields = WR_NEW_N(b->arena, wr_field, t->field_count + 1);
    uint32_t *from = WR_NEW_N(b->arena, uint32_t, t->field_count + 1);
    WR_TRY_ALLOC(ctx, fields);
    WR_TRY_ALLOC(ctx, from);
    for (uint32_t i = 0; i < t->field_count; i++) fields[i] = t->fields[i];
    for (uint32_t i = 1; i + 1 < b->arg_count; i += 2) {
        wr_str name;
        uint32_t at = 0;
        WR_TRY(field_name(ctx, b, i, 1, &name));
        while (at < t->field_count && !wr_str_eq(t->fields[at].name, name)) at++;
        if (at == t->field_count) {
            wr_text w;
            wr_text_init(&w, b->arena);
            wr_text_printf(
                &w,
                "The field name '%.*s' at position %u is not part of the structured type "
                "attributes. Available attributes: [",
                WR_STR_ARG(name), i + 1);
            for (uint32_t k = 0; k < t->field_count; k++)
                wr_text_printf(&w, k ? ", %.*s" : "%.*s", WR_STR_ARG(t->fields[k].name));
            wr_text_puts(&w, "].");
            wr_text_putc(&w, 0);
            if (w.failed) return wr_raise(ctx, WR_NOMEM, "out of memory");
            return wri_invalid_call(ctx, b, w.ptr);
        }
        fields[at].type = b->arg_types[i + 1];
        from[at] = i + 1;
    }
    b->data = from;
    return structured(ctx, b, t->class_name, fields, t->field_count, true);
}

wr_status
wri_k_object_update(wr_fn_call *call)
{
    const uint32_t *from = call->expr->fn_data;
    const wr_vec *object = call->args[0];
    WR_FOR_CALL(call, row)
    {
        if (wri_arg_null(call, 0, row)) {
            wri_null(call, row);
            continue;
        }
        for (uint32_t i = 0; i < call->out->child_count; i++) {
            bool new_value = from[i] != 0;
            const wr_vec *src = new_value ? call->args[from[i]] : &object->child[i];
            uint32_t at = new_value ? row : wr_vec_index(object, row);
            if (!wr_vec_copy_entry(&call->out->child[i], row, src, at, call->arena))
                return WRI_NOMEM(call);
        }
    }
    return WR_OK;
}
