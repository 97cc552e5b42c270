/* SPDX-License-Identifier: Apache-2.0 */
/* Data types as written to logical types. Precisions out of range are clamped as Flink does it
 * (wr_type_* constructors); what can't be clamped is an error at the type. */
#include "plan/bind_int.h"

static wr_status
bind_decimal(wri_binder *b, const wr_ast_type *t, bool nullable, const wr_type **out)
{
    int32_t p = t->precision < 0 ? 10 : t->precision, s = t->scale < 0 ? 0 : t->scale;
    wr_span span = wri_bind_span(b, &t->base);
    if (p < 1)
        return wr_raise_at(b->ctx, WR_TYPE, span,
                           "Decimal precision must be between 1 and 38 (both inclusive).");
    if (s > p)
        return wr_raise_at(b->ctx, WR_TYPE, span,
                           "Decimal scale must be between 0 and the precision %d (both inclusive).",
                           p);
    *out = wr_type_decimal(b->a, p, s, nullable);
    return WR_OK;
}

static wr_status
bind_length(wri_binder *b, const wr_ast_type *t, wr_type_id id, bool nullable, const wr_type **out)
{
    bool var = id == WR_T_VARCHAR || id == WR_T_VARBINARY;
    int32_t n = t->precision >= 0 ? t->precision : var ? WR_CHAR_LENGTH_MAX : 1;
    *out = wr_type_char(b->a, id, n, nullable);
    return WR_OK;
}

static wr_status
bind_row(wri_binder *b, const wr_ast_type *t, bool nullable, const wr_type **out)
{
    wr_field *fields = WR_NEW_N(b->a, wr_field, t->fields.count + 1);
    WR_TRY_ALLOC(b->ctx, fields);
    for (uint32_t i = 0; i < t->fields.count; i++) {
        const wr_ast_type_field *f =
            WR_AST_AS(wr_ast_type_field, WR_AST_TYPE_FIELD, t->fields.items[i]);
        for (uint32_t k = 0; k < i; k++)
            if (wr_str_eq(fields[k].name, f->name.name))
                return wr_raise_at(b->ctx, WR_NAME, wri_bind_part_span(b, f->name.span),
                                   "Field names must be unique. Found duplicates: [%.*s]",
                                   WR_STR_ARG(f->name.name));
        fields[i].name = f->name.name;
        fields[i].comment = WR_STR("");
        if (f->comment)
            fields[i].comment = WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, f->comment)->text;
        WR_TRY(wri_bind_type_ast(b, f->type, &fields[i].type));
    }
    *out = t->name == WR_SQL_TN_ROW
               ? wr_type_row(b->a, fields, t->fields.count, nullable)
               : wr_type_structured(b->a, t->class_name, fields, t->fields.count, nullable);
    return WR_OK;
}

static wr_status
bind_collection(wri_binder *b, const wr_ast_type *t, bool nullable, const wr_type **out)
{
    const wr_type *key = NULL, *element = NULL;
    if (t->key) WR_TRY(wri_bind_type_ast(b, t->key, &key));
    WR_TRY(wri_bind_type_ast(b, t->element, &element));
    if (t->name == WR_SQL_TN_MAP)
        *out = wr_type_map(b->a, key, element, nullable);
    else if (t->name == WR_SQL_TN_ARRAY)
        *out = wr_type_array(b->a, element, nullable);
    else
        *out = wr_type_multiset(b->a, element, nullable);
    return WR_OK;
}

static wr_status
refuse(wri_binder *b, const wr_ast_type *t)
{
    wr_span span = wri_bind_span(b, &t->base);
    if (t->name == WR_SQL_TN_USER) {
        const wr_str name = wri_bind_ident_text(b, t->user);
        wr_candidate(b->ctx, name, WR_STR("INT")); /* Flink prints it as INTEGER */
        for (int i = 0; i < WR_SQL_TN_USER; i++)
            wr_candidate(b->ctx, name, wr_str_c(wr_sql_type_text((wr_sql_type_name)i)));
        return wr_raise_at(b->ctx, WR_NAME, span, "Unknown identifier '%.*s'", WR_STR_ARG(name));
    }
    if (t->name == WR_SQL_TN_RAW) return wri_bind_unsupported(b, span, "RAW types");
    return wr_raise_at(b->ctx, WR_UNSUPPORTED, span, "Type is not supported: %s",
                       wr_sql_type_text(t->name));
}

static wr_status
bind_any(wri_binder *b, const wr_ast_type *t, bool nullable, const wr_type **out)
{
    int p = t->precision;
    switch (t->name) {
#define SAME(x)                                                                                    \
    case WR_SQL_TN_##x:                                                                            \
        *out = wr_type_of(WR_T_##x, nullable);                                                     \
        return WR_OK;
        SAME(BOOLEAN)
        SAME(TINYINT)
        SAME(SMALLINT)
        SAME(INT)
        SAME(BIGINT)
        SAME(FLOAT)
        SAME(DOUBLE)
        SAME(DATE)
        SAME(VARIANT)
        SAME(BITMAP)
#undef SAME
    case WR_SQL_TN_REAL:
        *out = wr_type_of(WR_T_FLOAT, nullable);
        return WR_OK;
    case WR_SQL_TN_DECIMAL:
        return bind_decimal(b, t, nullable, out);
    case WR_SQL_TN_CHAR:
        return bind_length(b, t, WR_T_CHAR, nullable, out);
    case WR_SQL_TN_VARCHAR:
        return bind_length(b, t, WR_T_VARCHAR, nullable, out);
    case WR_SQL_TN_BINARY:
        return bind_length(b, t, WR_T_BINARY, nullable, out);
    case WR_SQL_TN_VARBINARY:
        return bind_length(b, t, WR_T_VARBINARY, nullable, out);
    case WR_SQL_TN_STRING:
        *out = wr_type_string(nullable);
        return WR_OK;
    case WR_SQL_TN_BYTES:
        *out = wr_type_bytes(nullable);
        return WR_OK;
    case WR_SQL_TN_TIME:
        *out = wr_type_time(b->a, WR_T_TIME, p < 0 ? 0 : p, nullable);
        return WR_OK;
    case WR_SQL_TN_TIMESTAMP:
        *out = wr_type_time(b->a, WR_T_TIMESTAMP, p < 0 ? 6 : p, nullable);
        return WR_OK;
    case WR_SQL_TN_TIMESTAMP_LTZ:
        *out = wr_type_time(b->a, WR_T_TIMESTAMP_LTZ, p < 0 ? 6 : p, nullable);
        return WR_OK;
    case WR_SQL_TN_INTERVAL:
        return wri_bind_interval_type(b, &t->qual, nullable, wri_bind_span(b, &t->base), out);
    case WR_SQL_TN_ARRAY:
    case WR_SQL_TN_MULTISET:
    case WR_SQL_TN_MAP:
        return bind_collection(b, t, nullable, out);
    case WR_SQL_TN_ROW:
    case WR_SQL_TN_STRUCTURED:
        return bind_row(b, t, nullable, out);
    case WR_SQL_TN_TIME_LTZ:
    case WR_SQL_TN_RAW:
    case WR_SQL_TN_ANY:
    case WR_SQL_TN_USER:
    case WR_SQL_TN_COUNT:
        break;
    }
    return refuse(b, t);
}

wr_status
wri_bind_type_ast(wri_binder *b, const wr_ast_type *t, const wr_type **out)
{
    *out = NULL;
    WR_TRY(bind_any(b, t, t->nullability != WR_SQL_NULLABLE_NOT_NULL, out));
    WR_TRY_ALLOC(b->ctx, *out);
    return WR_OK;
}
