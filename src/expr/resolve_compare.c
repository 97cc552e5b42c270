/* SPDX-License-Identifier: Apache-2.0 */
/* Which types may be compared, and in which common type.
 *
 * Flink refuses = between a string and a number, but casts the string for <, IN and BETWEEN; a
 * string meets DATE, TIME and TIMESTAMP by a cast, which for = and <> gives NULL where it fails,
 * unless the string is a constant; TIMESTAMP becomes TIMESTAMP_LTZ; the rest must be of one family.
 */
#include "expr/compare_int.h"

static const wr_type *
number_for_text(wr_arena *a, const wr_type *number)
{
    if (wr_type_is_integer(number)) return wr_type_of(WR_T_BIGINT, true);
    if (number->id == WR_T_DECIMAL) return wr_type_decimal(a, 38, 18, true);
    return wr_type_of(WR_T_DOUBLE, true);
}

static const wr_type *
numeric_common(wr_arena *a, const wr_type *l, const wr_type *r, bool equality)
{
    if (l->id == r->id && l->id != WR_T_DECIMAL) return l;
    if (l->id == WR_T_DECIMAL && r->id == WR_T_DECIMAL && l->scale == r->scale &&
        l->phys == r->phys)
        return NULL; /* comparable as they are */
    const wr_type *pair[2] = {l, r};
    return equality ? wr_type_least_restrictive(a, pair, 2) : wr_type_common(a, pair, 2);
}

/* `text` with a value of another family: out->... in the order (text, other). */
static wri_cmp_verdict
text_with(wr_arena *a, const wr_type *other, bool equality, const wr_type **text_to,
          const wr_type **other_to)
{
    const wr_family f = wr_type_family(other);
    if (wr_type_is_numeric(other)) {
        if (equality) return WRI_CMP_IMPLICIT;
        *text_to = *other_to = number_for_text(a, other);
        if (other->id == WR_T_DECIMAL) {
            const wr_type *pair[2] = {*text_to, other};
            *text_to = *other_to = wr_type_common(a, pair, 2);
        }
        return WRI_CMP_OK;
    }
    if (f == WR_FAM_DATETIME) {
        *text_to = other;
        return WRI_CMP_OK;
    }
    if (other->id == WR_T_BOOLEAN) {
        if (!equality) *text_to = other; /* = compares the objects: never equal */
        return WRI_CMP_OK;
    }
    return WRI_CMP_REFUSED;
}

static wri_cmp_verdict
datetime_types(wr_arena *a, const wr_type *l, const wr_type *r, wri_cmp_types *out)
{
    const bool lts = l->id == WR_T_TIMESTAMP || l->id == WR_T_TIMESTAMP_LTZ;
    const bool rts = r->id == WR_T_TIMESTAMP || r->id == WR_T_TIMESTAMP_LTZ;
    if (!lts || !rts) return l->id == r->id ? WRI_CMP_OK : WRI_CMP_REFUSED;
    if (l->id == r->id && l->phys == r->phys) return WRI_CMP_OK;
    const wr_type *pair[2] = {l, r};
    const wr_type *t = wr_type_common(a, pair, 2);
    if (t) t = wr_type_attr(a, t, WR_ATTR_NONE);
    out->l = out->r = t;
    return WRI_CMP_OK;
}

/* Rows, arrays, maps: field by field. */
static wri_cmp_verdict
nested_types(wr_arena *a, const wr_type *l, const wr_type *r, wri_cmp_types *out)
{
    if (l->id != r->id || l->field_count != r->field_count) return WRI_CMP_REFUSED;
    wr_field *fl = WR_NEW_N(a, wr_field, l->field_count + 1);
    if (!fl) return WRI_CMP_REFUSED;
    for (uint32_t i = 0; i < l->field_count; i++) {
        wri_cmp_types t;
        const wri_cmp_verdict v =
            wri_compare_types(a, l->fields[i].type, r->fields[i].type, true, &t);
        if (v == WRI_CMP_IMPLICIT) {
            out->l_bad = t.l_bad;
            out->r_bad = t.r_bad;
        }
        if (v != WRI_CMP_OK) return v;
    }
    const wr_type *pair[2] = {l, r};
    const wr_type *t = wr_type_least_restrictive(a, pair, 2);
    if (!t) return WRI_CMP_REFUSED;
    out->l = out->r = t;
    return WRI_CMP_OK;
}

wri_cmp_verdict
wri_compare_types(wr_arena *a, const wr_type *l, const wr_type *r, bool equality,
                  wri_cmp_types *out)
{
    *out = (wri_cmp_types){l, r, l, r};
    if (l->id == WR_T_NULL || r->id == WR_T_NULL) {
        if (l->id == WR_T_NULL && r->id != WR_T_NULL) out->l = r;
        if (r->id == WR_T_NULL && l->id != WR_T_NULL) out->r = l;
        return WRI_CMP_OK;
    }
    const wr_family fl = wr_type_family(l), fr = wr_type_family(r);
    if (wr_type_is_numeric(l) && wr_type_is_numeric(r)) {
        const wr_type *t = numeric_common(a, l, r, equality);
        if (t) out->l = out->r = t;
        return WRI_CMP_OK;
    }
    if (fl == WR_FAM_STRING && fr == WR_FAM_STRING) {
        const wr_type *pair[2] = {l, r};
        if (equality) out->l = out->r = wr_type_least_restrictive(a, pair, 2);
        return WRI_CMP_OK;
    }
    if (fl == WR_FAM_STRING) return text_with(a, r, equality, &out->l, &out->r);
    if (fr == WR_FAM_STRING) return text_with(a, l, equality, &out->r, &out->l);
    if (fl != fr) return WRI_CMP_REFUSED;
    if (fl == WR_FAM_BINARY && equality) {
        const wr_type *pair[2] = {l, r};
        out->l = out->r = wr_type_least_restrictive(a, pair, 2);
    }
    switch (fl) {
    case WR_FAM_DATETIME:
        return datetime_types(a, l, r, out);
    case WR_FAM_INTERVAL:
    case WR_FAM_OTHER:
        return l->id == r->id && (equality || l->id != WR_T_VARIANT) ? WRI_CMP_OK : WRI_CMP_REFUSED;
    case WR_FAM_COLLECTION:
    case WR_FAM_STRUCT:
        return nested_types(a, l, r, out);
    case WR_FAM_NULL:
    case WR_FAM_BOOLEAN:
    case WR_FAM_EXACT:
    case WR_FAM_APPROX:
    case WR_FAM_STRING:
    case WR_FAM_BINARY:
        break;
    }
    return WRI_CMP_OK;
}

bool
wri_row_has_nulls(const wr_type *t)
{
    if (t->id != WR_T_ROW && t->id != WR_T_STRUCTURED) return false;
    for (uint32_t i = 0; i < t->field_count; i++)
        if (t->fields[i].type->nullable || wri_row_has_nulls(t->fields[i].type)) return true;
    return false;
}

static bool
is_equality(const wr_fn *fn)
{
    return fn->name[0] == '=' || fn->name[0] == 'I' || strcmp(fn->name, "<>") == 0;
}

bool
wri_compare_hides_cast(const wr_fn *fn, const wr_type *from, const wr_type *to,
                       const wr_type *other)
{
    const bool text = wr_type_is_string(from);
    if (fn->name[0] == 'I') return true; /* IS DISTINCT FROM prints as what it means */
    if (is_equality(fn)) return text && wr_type_family(to) == WR_FAM_DATETIME;
    if (wr_type_is_numeric(from) && wr_type_is_numeric(to)) return !wr_type_is_string(other);
    return from->id == to->id;
}

bool
wri_compare_tries(const wr_fn *fn, const wr_expr *arg, const wr_type *to)
{
    return is_equality(fn) && wr_type_is_string(arg->type) &&
           wr_type_family(to) == WR_FAM_DATETIME && !wr_expr_is_constant(arg);
}

/* The bare root: "implicit type conversion between INTEGER and CHAR". */
static wr_str
root_name(const wr_type *t, wr_arena *a)
{
    wr_str s = wr_type_str(t, WR_TYPE_CALCITE, a);
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] == '(') s.len = i;
    return s;
}

wr_status
wri_raise_implicit(wr_ctx *ctx, wr_span span, const wri_cmp_types *t)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    WR_TRY_ALLOC(ctx, a);
    const wr_str l = root_name(t->l_bad, a), r = root_name(t->r_bad, a);
    const wr_status st = wr_raise_at(
        ctx, WR_TYPE, span, "implicit type conversion between %.*s and %.*s is not supported now",
        WR_STR_ARG(l), WR_STR_ARG(r));
    wr_hint(ctx, "CAST one side to the type of the other");
    wr_arena_destroy(a);
    return st;
}

wr_status
wri_r_compare(wr_ctx *ctx, wr_fn_bind *b)
{
    wri_cmp_types t;
    const bool equality = is_equality(b->fn);
    const wr_type *l = b->arg_types[0], *r = b->arg_types[1];
    switch (wri_compare_types(b->arena, l, r, equality, &t)) {
    case WRI_CMP_IMPLICIT:
        return wri_raise_implicit(ctx, b->span, &t);
    case WRI_CMP_REFUSED:
        return wri_refuse(ctx, b, NULL);
    case WRI_CMP_OK:
        break;
    }
    WR_TRY_ALLOC(ctx, t.l);
    WR_TRY_ALLOC(ctx, t.r);
    const wr_type *side = l->id == WR_T_NULL ? r : l;
    if (!equality && (side->id == WR_T_ARRAY || side->id == WR_T_ROW ||
                      side->id == WR_T_STRUCTURED || side->id == WR_T_MULTISET)) {
        const wr_str s = wr_type_str(side, WR_TYPE_SUMMARY, b->arena);
        return wr_raise_at(ctx, WR_TYPE, b->span, "Comparable type expected, but was '%.*s'.",
                           WR_STR_ARG(s));
    }
    bool tries = false;
    for (uint32_t i = 0; i < 2; i++) {
        const wr_type *to = i ? t.r : t.l;
        WR_TRY(wri_cast_arg(ctx, b, i, to));
        if (!wri_compare_tries(b->fn, b->args[i], to)) continue;
        b->arg_types[i] = wr_type_nullable(b->arena, b->arg_types[i], true);
        WR_TRY_ALLOC(ctx, b->arg_types[i]);
        tries = true;
    }
    const bool never = strncmp(b->fn->name, "IS ", 3) == 0;
    const bool nullable = tries || wri_any_nullable(b) || wri_row_has_nulls(b->arg_types[0]) ||
                          wri_row_has_nulls(b->arg_types[1]);
    return wri_result_null(ctx, b, wr_type_of(WR_T_BOOLEAN, true), !never && nullable);
}

/* IS NULL, IS TRUE ... : never NULL */
wr_status
wri_r_is(wr_ctx *ctx, wr_fn_bind *b)
{
    const char *name = b->fn->name;
    const bool any = strcmp(name, "IS NULL") == 0 || strcmp(name, "IS NOT NULL") == 0;
    if (!any && b->arg_types[0]->id == WR_T_NULL) WR_TRY(wri_cast_arg_id(ctx, b, 0, WR_T_BOOLEAN));
    if (!any && b->arg_types[0]->id != WR_T_BOOLEAN) return wri_refuse(ctx, b, NULL);
    return wri_result_null(ctx, b, wr_type_of(WR_T_BOOLEAN, false), false);
}
