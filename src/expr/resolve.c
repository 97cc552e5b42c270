/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers of resolve functions: argument classes of a row's spec, implicit casts, result types, and
 * the texts of Flink's refusals. Statement arena; no state. */
#include "expr/fn_int.h"

/* ---- refusals -------------------------------------------------------------------------------- */
/* The family as "No match found" names it: <NUMERIC>, <CHARACTER>, <INTEGER ARRAY>. */
static void
put_family(wr_text *t, const wr_type *type)
{
    if (wr_type_is_numeric(type)) {
        wr_text_puts(t, "NUMERIC");
        return;
    }
    switch (type->id) {
    case WR_T_CHAR:
    case WR_T_VARCHAR:
        wr_text_puts(t, "CHARACTER");
        break;
    case WR_T_BINARY:
    case WR_T_VARBINARY:
        wr_text_puts(t, "BINARY");
        break;
    case WR_T_TIMESTAMP:
        wr_text_puts(t, "TIMESTAMP");
        break;
    case WR_T_TIMESTAMP_LTZ:
        wr_text_puts(t, "TIMESTAMP");
        break;
    case WR_T_TIME:
        wr_text_puts(t, "TIME");
        break;
    case WR_T_INTERVAL_DT:
        wr_text_puts(t, "INTERVAL_DAY_TIME");
        break;
    case WR_T_INTERVAL_YM:
        wr_text_puts(t, "INTERVAL_YEAR_MONTH");
        break;
    default:
        wr_type_print(type, WR_TYPE_CALCITE, t);
        break;
    }
}

/* A type in "Cannot apply": <VARCHAR(2147483647)>; a unit is <INTERVAL DAY>. */
static void
put_type(wr_text *t, const wr_type *type, const wr_expr *arg)
{
    wr_str s;
    wr_text_putc(t, '<');
    if (type->id == WR_T_SYMBOL && wri_lit_str(arg, &s))
        wr_text_printf(t, "INTERVAL %.*s", WR_STR_ARG(s));
    else
        wr_type_print(type, WR_TYPE_CALCITE, t);
    wr_text_putc(t, '>');
}

static void
put_call(wr_text *t, const wr_fn_bind *b)
{
    const char *name = b->fn->name;
    const bool extract = strcmp(name, "EXTRACT") == 0;
    if (b->fn->flags & WRI_INFIX && b->arg_count >= 2) {
        for (uint32_t i = 0; i < b->arg_count; i++) {
            if (i) wr_text_printf(t, " %s ", name);
            put_type(t, b->arg_types[i], b->args ? b->args[i] : NULL);
        }
        return;
    }
    if (b->fn->flags & WRI_POSTFIX) {
        put_type(t, b->arg_types[0], b->args ? b->args[0] : NULL);
        wr_text_printf(t, " %s", name);
        return;
    }
    const bool prefix = strcmp(name, "NOT") == 0 || strcmp(name, "NEGATE") == 0;
    wr_text_puts(t, strcmp(name, "NEGATE") == 0 ? "-" : name);
    if (!prefix) wr_text_putc(t, '(');
    for (uint32_t i = 0; i < b->arg_count; i++) {
        if (i) wr_text_puts(t, extract ? " FROM " : ", ");
        put_type(t, b->arg_types[i], b->args ? b->args[i] : NULL);
    }
    if (!prefix) wr_text_putc(t, ')');
}

static void
put_forms(wr_text *t, const char *forms)
{
    if (strstr(forms, "json_doc")) { /* Flink does not quote this one */
        wr_text_puts(t, forms);
        return;
    }
    for (const char *p = forms; *p;) {
        const char *end = strchr(p, '\n');
        size_t n = end ? (size_t)(end - p) : strlen(p);
        if (p != forms) wr_text_putc(t, '\n');
        wr_text_putc(t, '\'');
        wr_text_put(t, p, n);
        wr_text_putc(t, '\'');
        p += n + (end ? 1 : 0);
    }
}

wr_status
wri_refuse(wr_ctx *ctx, const wr_fn_bind *b, const char *forms)
{
    wr_text t;
    wr_text_init(&t, b->arena);
    wr_text_printf(&t, "Cannot apply '%s' to arguments of type '",
                   strcmp(b->fn->name, "NEGATE") == 0 ? "-" : b->fn->name);
    put_call(&t, b);
    wr_text_puts(&t, "'. Supported form(s): ");
    put_forms(&t, forms ? forms : b->fn->signature);
    wr_str s = wr_text_str(&t);
    if (t.failed) return wr_raise(ctx, WR_NOMEM, "out of memory");
    return wr_raise_at(ctx, WR_TYPE, b->span, "%.*s", WR_STR_ARG(s));
}

/* "No match found for function signature f(<NUMERIC>)" for a name that is no function, or has no
 * such form (`signatures` then). */
wr_status
wr_fn_no_match(wr_ctx *ctx, wr_arena *a, wr_str name, wr_expr *const *args, uint32_t count,
               const char *signatures, wr_span span)
{
    wr_text t;
    wr_text_init(&t, a);
    wr_text_printf(&t, "No match found for function signature %.*s(", WR_STR_ARG(name));
    for (uint32_t i = 0; i < count; i++) {
        wr_text_puts(&t, i ? ", <" : "<");
        put_family(&t, args[i]->type);
        wr_text_putc(&t, '>');
    }
    wr_text_putc(&t, ')');
    if (signatures && *signatures)
        wr_text_printf(&t, ".\nSupported signatures are:\n%s", signatures);
    if (t.failed) return wr_raise(ctx, WR_NOMEM, "out of memory");
    wr_str s = wr_text_str(&t);
    return wr_raise_at(ctx, signatures ? WR_TYPE : WR_NAME, span, "%.*s", WR_STR_ARG(s));
}

wr_status
wri_no_match(wr_ctx *ctx, const wr_fn_bind *b)
{
    if (strcmp(b->fn->name, "TRANSLATE") == 0) /* known by its other name here */
        return wr_fn_no_match(ctx, b->arena, WR_STR("TRANSLATE3"), (wr_expr *const *)b->args,
                              b->arg_count, "'TRANSLATE3(<STRING>, <STRING>, <STRING>)'", b->span);
    return wr_fn_no_match(ctx, b->arena, b->called_as, (wr_expr *const *)b->args, b->arg_count,
                          b->fn->flags & WRI_NEW ? b->fn->signature : NULL, b->span);
}

/* F(INT NOT NULL, STRING) */
static void
put_summary(wr_text *t, const wr_fn_bind *b)
{
    wr_text_printf(t, "%s(", b->fn->name);
    for (uint32_t i = 0; i < b->arg_count; i++) {
        if (i) wr_text_puts(t, ", ");
        wr_type_print(b->arg_types[i], WR_TYPE_SUMMARY, t);
    }
    wr_text_putc(t, ')');
}

wr_status
wri_unsupported_call(wr_ctx *ctx, const wr_fn_bind *b)
{
    wr_text t;
    wr_text_init(&t, b->arena);
    put_summary(&t, b);
    if (t.failed) return wr_raise(ctx, WR_NOMEM, "out of memory");
    const wr_str s = wr_text_str(&t);
    return wr_raise_at(ctx, WR_UNSUPPORTED, b->span, "Unsupported call: %.*s ", WR_STR_ARG(s));
}

wr_status
wri_invalid_call(wr_ctx *ctx, const wr_fn_bind *b, const char *why)
{
    wr_text t;
    wr_text_init(&t, b->arena);
    wr_text_puts(&t, "Invalid function call:\n");
    put_summary(&t, b);
    if (t.failed) return wr_raise(ctx, WR_NOMEM, "out of memory");
    wr_str s = wr_text_str(&t);
    wr_status st = wr_raise_at(ctx, WR_TYPE, b->span, "%.*s", WR_STR_ARG(s));
    if (why)
        wr_hint(ctx, "%s", why);
    else
        wr_hint(ctx, "Invalid input arguments. Expected signatures are:\n%s", b->fn->signature);
    return st;
}

wr_status
wri_refuse_style(wr_ctx *ctx, const wr_fn_bind *b)
{
    return b->fn->flags & WRI_NEW ? wri_invalid_call(ctx, b, NULL) : wri_refuse(ctx, b, NULL);
}

wr_span
wri_arg_span(const wr_fn_bind *b, uint32_t i)
{
    return b->arg_spans && i < b->arg_count ? b->arg_spans[i] : b->span;
}

/* ---- casts and results ----------------------------------------------------------------------- */
bool
wri_any_nullable(const wr_fn_bind *b)
{
    for (uint32_t i = 0; i < b->arg_count; i++)
        if (b->arg_types[i]->id != WR_T_SYMBOL && b->arg_types[i]->nullable) return true;
    return false;
}

wr_status
wri_cast_arg(wr_ctx *ctx, wr_fn_bind *b, uint32_t i, const wr_type *t)
{
    const wr_type *from = b->arg_types[i];
    if (wr_type_eq_ignoring_null(from, t) && from->id != WR_T_NULL) return WR_OK;
    t = wr_type_nullable(b->arena, t, from->nullable || from->id == WR_T_NULL);
    WR_TRY_ALLOC(ctx, t);
    b->arg_types[i] = t;
    return WR_OK;
}

wr_status
wri_cast_arg_id(wr_ctx *ctx, wr_fn_bind *b, uint32_t i, wr_type_id id)
{
    const wr_type *t = id == WR_T_VARCHAR     ? wr_type_string(true)
                       : id == WR_T_VARBINARY ? wr_type_bytes(true)
                                              : wr_type_of(id, true);
    return wri_cast_arg(ctx, b, i, t);
}

wr_status
wri_result_null(wr_ctx *ctx, wr_fn_bind *b, const wr_type *t, bool nullable)
{
    WR_TRY_ALLOC(ctx, t);
    if (t->attr) t = wr_type_attr(b->arena, t, WR_ATTR_NONE);
    WR_TRY_ALLOC(ctx, t);
    b->result = wr_type_nullable(b->arena, t, nullable);
    WR_TRY_ALLOC(ctx, b->result);
    return WR_OK;
}

wr_status
wri_result(wr_ctx *ctx, wr_fn_bind *b, const wr_type *t)
{
    return wri_result_null(ctx, b, t, wri_any_nullable(b));
}

wr_status
wri_result_id(wr_ctx *ctx, wr_fn_bind *b, wr_type_id id)
{
    const wr_type *t = id == WR_T_VARCHAR     ? wr_type_string(true)
                       : id == WR_T_VARBINARY ? wr_type_bytes(true)
                                              : wr_type_of(id, true);
    return wri_result(ctx, b, t);
}

const wr_type *
wri_common(wr_fn_bind *b, uint32_t from, uint32_t to)
{
    return wr_type_common(b->arena, b->arg_types + from, to - from);
}

wr_status
wri_unify(wr_ctx *ctx, wr_fn_bind *b, uint32_t from, uint32_t to, const wr_type **common)
{
    const wr_type *t = wri_common(b, from, to);
    if (!t) return wri_refuse_style(ctx, b);
    for (uint32_t i = from; i < to; i++) WR_TRY(wri_cast_arg(ctx, b, i, t));
    if (common) *common = t;
    return WR_OK;
}

/* ---- the specification of a row -------------------------------------------------------------- */
static bool
is_timestamp(const wr_type *t)
{
    return t->id == WR_T_TIMESTAMP || t->id == WR_T_TIMESTAMP_LTZ;
}

/* Does a type (not NULL) belong to a class that takes it as it is? */
static bool
class_has(char c, const wr_type *t)
{
    switch (c) {
    case 'S':
    case 's':
        return wr_type_is_string(t);
    case 'B':
        return wr_type_is_binary(t);
    case 'X':
        return wr_type_is_string(t) || wr_type_is_binary(t);
    case 'I':
    case 'L':
    case 'G':
        return wr_type_is_integer(t);
    case 'N':
    case 'D':
        return wr_type_is_numeric(t);
    case 'E':
        return wr_type_family(t) == WR_FAM_EXACT;
    case 'O':
        return t->id == WR_T_BOOLEAN;
    case 'T':
        return is_timestamp(t);
    case 'd':
        return is_timestamp(t) || t->id == WR_T_DATE;
    case 't':
        return is_timestamp(t) || t->id == WR_T_DATE || t->id == WR_T_TIME;
    case 'V':
        return wr_type_family(t) == WR_FAM_INTERVAL;
    case 'A':
        return t->id == WR_T_ARRAY;
    case 'M':
        return t->id == WR_T_MAP;
    case 'U':
        return t->id == WR_T_MULTISET;
    case 'R':
        return t->id == WR_T_ROW || t->id == WR_T_STRUCTURED;
    case 'W':
        return t->id == WR_T_VARIANT;
    case 'K':
        return t->id == WR_T_BITMAP;
    case 'C':
        return wr_type_is_comparable(t);
    case 'Y':
        return t->id == WR_T_SYMBOL;
    case 'z':
        return t->id != WR_T_SYMBOL && t->id != WR_T_VARIANT;
    default:
        return true; /* '*' */
    }
}

/* What a class casts its argument to; WR_T_COUNT = nothing. */
static wr_type_id
class_target(char c, const wr_type *t)
{
    const bool null = t->id == WR_T_NULL;
    switch (c) {
    case 'I':
        return WR_T_INT;
    case 'L':
        return WR_T_BIGINT;
    case 'D':
        return WR_T_DOUBLE;
    case 's':
        return WR_T_VARCHAR;
    case 'z':
        return wr_type_is_string(t) ? WR_T_COUNT : WR_T_VARCHAR;
    case 'S':
    case 'X':
        return null ? WR_T_VARCHAR : WR_T_COUNT;
    case 'B':
        return null ? WR_T_VARBINARY : WR_T_COUNT;
    case 'O':
        return null ? WR_T_BOOLEAN : WR_T_COUNT;
    case 'N':
    case 'E':
    case 'G':
        return null ? WR_T_INT : WR_T_COUNT;
    case 'T':
    case 'd':
    case 't':
        return null ? WR_T_TIMESTAMP : WR_T_COUNT;
    case 'W':
        return null ? WR_T_VARIANT : WR_T_COUNT;
    case 'K':
        return null ? WR_T_BITMAP : WR_T_COUNT;
    default:
        return WR_T_COUNT;
    }
}

/* Walk the classes over the arguments; *p ends at the ':'. */
static wr_status
spec_arguments(wr_ctx *ctx, wr_fn_bind *b, const char **p)
{
    char c = 0;
    bool repeat = false;
    for (uint32_t i = 0; i < b->arg_count; i++) {
        if (!repeat) {
            while (**p == ' ' || **p == '?') (*p)++;
            if (**p == ':' || **p == 0) return wri_refuse_style(ctx, b);
            c = *(*p)++;
            repeat = **p == '+';
        }
        const wr_type *t = b->arg_types[i];
        if (t->id != WR_T_NULL && !class_has(c, t)) return wri_refuse_style(ctx, b);
        const wr_type_id id = class_target(c, t);
        if (id != WR_T_COUNT && t->id != (uint8_t)id) WR_TRY(wri_cast_arg_id(ctx, b, i, id));
    }
    *p = strchr(*p, ':');
    WR_ASSERT(*p);
    return WR_OK;
}

static const wr_type *
spec_result(wr_fn_bind *b, const char *p)
{
    switch (*p) {
    case 'S':
        return wr_type_string(true);
    case 'B':
        return wr_type_bytes(true);
    case 'O':
        return wr_type_of(WR_T_BOOLEAN, true);
    case 'I':
        return wr_type_of(WR_T_INT, true);
    case 'L':
        return wr_type_of(WR_T_BIGINT, true);
    case 'D':
        return wr_type_of(WR_T_DOUBLE, true);
    case 'A':
        return wr_type_array(b->arena, wr_type_string(true), true);
    case 'M':
        return wr_type_map(b->arena, wr_type_string(true), wr_type_string(true), true);
    case 'W':
        return wr_type_of(WR_T_VARIANT, true);
    case 'K':
        return wr_type_of(WR_T_BITMAP, true);
    case 'd':
        return wr_type_of(WR_T_DATE, true);
    case 'e': {
        const wr_type *t = b->arg_types[p[1] - '0'];
        return t->field_count ? wr_type_nullable(b->arena, t->fields[0].type, true) : NULL;
    }
    default: {
        const uint32_t i = (uint32_t)(*p - '0');
        WR_ASSERT(i < b->arg_count);
        return b->arg_types[i];
    }
    }
}

wr_status
wri_r_spec(wr_ctx *ctx, wr_fn_bind *b)
{
    const char *p = wri_fn_spec(b->fn);
    WR_TRY(spec_arguments(ctx, b, &p));
    for (p++; *p == ' ';) p++;
    const wr_type *t = spec_result(b, p);
    WR_TRY_ALLOC(ctx, t);
    const char mark = p[strlen(p) - 1];
    const bool nullable = mark == '?' ? true : mark == '!' ? false : wri_any_nullable(b);
    return wri_result_null(ctx, b, t, nullable);
}
