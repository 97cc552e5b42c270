/* SPDX-License-Identifier: Apache-2.0 */
/* Literals as Flink's plans print them: _UTF-16LE'a', 1.5:DECIMAL(2, 1), 5000:INTERVAL SECOND,
 * null:INTEGER; and what is printed through them: IN lists, JSON calls. */
#include "expr/print_int.h"
#include "types/datetime.h"
#include "types/decimal.h"
#include "types/number.h"

/* Java's text of a floating point number as Calcite writes it: 1.5E0, 1E10, 5E-1. */
static void
put_scientific(wr_text *out, const char *text, uint32_t len)
{
    char digits[64];
    uint32_t n = 0;
    int exponent = -1;
    bool point = false;
    uint32_t i = 0;
    if (len > 0 && text[0] == '-') {
        wr_text_putc(out, '-');
        i = 1;
    }
    if (i < len && (text[i] < '0' || text[i] > '9')) { /* NaN, Infinity */
        wr_text_put(out, text + i, len - i);
        return;
    }
    for (; i < len && text[i] != 'E'; i++) {
        if (text[i] == '.') {
            point = true;
            continue;
        }
        if (n == 0 && text[i] == '0') {
            if (point) exponent--;
            continue;
        }
        if (!point) exponent++;
        if (n < sizeof digits) digits[n++] = text[i];
    }
    int64_t written = 0;
    if (i < len) (void)wr_i64_parse(text + i + 1, len - i - 1, &written);
    while (n > 1 && digits[n - 1] == '0') n--;
    if (n == 0) {
        wr_text_puts(out, "0E0");
        return;
    }
    wr_text_putc(out, digits[0]);
    if (n > 1) {
        wr_text_putc(out, '.');
        wr_text_put(out, digits + 1, n - 1);
    }
    wr_text_printf(out, "E%d", exponent + (int)written);
}

static void
put_string(const wri_printer *p, wr_str s)
{
    const bool infix = wri_print_bare(p);
    wr_text_puts(p->out, infix ? "'" : "_UTF-16LE'");
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '\'' && !infix) wr_text_putc(p->out, '\'');
        wr_text_putc(p->out, s.ptr[i]);
    }
    wr_text_putc(p->out, '\'');
}

static void
put_bytes(const wri_printer *p, wr_str s)
{
    wr_text_puts(p->out, "X'");
    for (size_t i = 0; i < s.len; i++) wr_text_printf(p->out, "%02x", (uint8_t)s.ptr[i]);
    wr_text_putc(p->out, '\'');
}

static void
put_nested(const wri_printer *p, const wr_value *v, const wr_type *t)
{
    wr_text_puts(p->out, t->id == WR_T_ARRAY      ? "ARRAY("
                         : t->id == WR_T_MAP      ? "MAP("
                         : t->id == WR_T_MULTISET ? "MULTISET("
                                                  : "ROW(");
    for (uint32_t i = 0; i < v->u.list.count; i++) {
        if (i) wr_text_puts(p->out, ", ");
        wri_print_literal(p, &v->u.list.items[i], v->u.list.items[i].type);
    }
    wr_text_putc(p->out, ')');
}

static void
put_time(const wri_printer *p, const wr_value *v, const wr_type *t)
{
    char text[WR_DT_TEXT_MAX];
    uint32_t n;
    if (t->id == WR_T_DATE)
        n = wr_date_print(v->u.i, text);
    else if (t->id == WR_T_TIME)
        n = wr_time_print((int32_t)v->u.i, t->precision, text);
    else
        n = wr_ts_print(t->phys == WR_PHYS_TS ? v->u.ts : wr_ts_of(v->u.i, 0), t->precision, text);
    if (t->id != WR_T_DATE && t->precision > 0) { /* no zeros at the end of a fraction */
        while (n > 0 && text[n - 1] == '0') n--;
        if (n > 0 && text[n - 1] == '.') n--;
    }
    wr_text_put(p->out, text, n);
}

static bool
put_value(const wri_printer *p, const wr_value *v, const wr_type *t)
{
    char text[WR_DEC_TEXT_MAX + WR_F64_TEXT_MAX];
    switch (t->id) {
    case WR_T_BOOLEAN:
        wr_text_puts(p->out, v->u.b ? "true" : "false");
        return false;
    case WR_T_TINYINT:
    case WR_T_SMALLINT:
    case WR_T_INT:
    case WR_T_BIGINT:
        wr_text_put(p->out, text, wr_i64_print(v->u.i, text));
        return t->id != WR_T_INT;
    case WR_T_DECIMAL:
        wr_text_put(
            p->out, text,
            wr_dec_print(t->phys == WR_PHYS_I128 ? v->u.i128 : (wr_i128)v->u.i, t->scale, text));
        return true;
    case WR_T_FLOAT:
        put_scientific(p->out, text, wr_f32_print(v->u.f32, text));
        return true;
    case WR_T_DOUBLE:
        put_scientific(p->out, text, wr_f64_print(v->u.f64, text));
        return true;
    case WR_T_CHAR:
    case WR_T_VARCHAR:
        put_string(p, v->u.str);
        return t->id == WR_T_VARCHAR ||
               (size_t)t->length != wr_utf8_count(v->u.str.ptr, v->u.str.len);
    case WR_T_DATE:
    case WR_T_TIME:
    case WR_T_TIMESTAMP:
    case WR_T_TIMESTAMP_LTZ:
        put_time(p, v, t);
        return t->id != WR_T_DATE && t->precision != 0;
    case WR_T_INTERVAL_YM:
    case WR_T_INTERVAL_DT:
        wr_text_printf(p->out, "%lld:", (long long)v->u.i);
        wr_type_print(t, WR_TYPE_CALCITE, p->out);
        return false;
    case WR_T_SYMBOL:
        wr_text_printf(p->out, wri_print_bare(p) ? "%.*s" : "FLAG(%.*s)", WR_STR_ARG(v->u.str));
        return false;
    case WR_T_ARRAY:
    case WR_T_MAP:
    case WR_T_MULTISET:
    case WR_T_ROW:
    case WR_T_STRUCTURED:
        put_nested(p, v, t);
        return false;
    default:
        put_bytes(p, v->u.str);
        return true;
    }
}

bool
wri_print_value(const wri_printer *p, const wr_value *v, const wr_type *own, const wr_type *as)
{
    const bool typed = put_value(p, v, own);
    if (own->id == as->id && own->id == WR_T_CHAR && own->length == as->length) return typed;
    if (wr_type_eq_ignoring_null(own, as)) return typed;
    return as->id != WR_T_INT && as->id != WR_T_DATE && as->id != WR_T_BOOLEAN;
}

/* A DECIMAL or approximate literal with the digits it was written with. */
static void
put_written(const wri_printer *p, const wr_expr *e, int scale)
{
    char text[WR_DEC_TEXT_MAX];
    const wr_type *t = e->type;
    wr_i128 v = 0;
    if (t->id == WR_T_DECIMAL) {
        v = t->phys == WR_PHYS_I128 ? e->value.u.i128 : (wr_i128)e->value.u.i;
        if (!wr_dec_rescale(v, t->scale, WR_DECIMAL_MAX, scale, &v)) return;
    } else {
        const double d = t->id == WR_T_FLOAT ? (double)e->value.u.f32 : e->value.u.f64;
        if (!wr_dec_from_f64(d, WR_DECIMAL_MAX, scale, &v)) return;
    }
    wr_text_put(p->out, text, wr_dec_print(v, scale, text));
}

/* The literal of an expression. */
void
wri_print_literal_expr(const wri_printer *p, const wr_expr *e)
{
    if (e->index == 0 || e->value.is_null) {
        wri_print_literal(p, &e->value, e->type);
        return;
    }
    put_written(p, e, (int)e->index - 1);
    if (p->untyped || wri_print_bare(p)) return;
    wr_text_putc(p->out, ':');
    wri_expr_put_type(p, e->type);
}

void
wri_print_literal(const wri_printer *p, const wr_value *v, const wr_type *t)
{
    if (v->is_null) {
        wr_text_puts(p->out, "null");
        if (p->untyped) return;
        wr_text_putc(p->out, ':');
        wri_expr_put_type(p, t);
        return;
    }
    const bool typed = put_value(p, v, t);
    if (!typed || p->untyped || wri_print_bare(p)) return;
    wr_text_putc(p->out, ':');
    wri_expr_put_type(p, t);
}

/* ---- IN, SEARCH ------------------------------------------------------------------------------ */
/* IN as it is in the syntax tree. */
void
wri_print_in(const wri_printer *p, const wr_expr *e)
{
    const bool infix = p->style == WR_EXPR_INFIX;
    wr_text_puts(p->out, infix ? "(" : "OR(");
    for (uint32_t i = 1; i < e->arg_count; i++) {
        const wr_expr *x = wri_shown(e->args[0]), *v = wri_shown(e->args[i]);
        const bool same = wr_type_eq_ignoring_null(x->type, v->type) ||
                          (wr_type_is_string(x->type) && wr_type_is_string(v->type));
        const wri_printer plain = {p->style, p->names, p->out, same && p->style == WR_EXPR_AST};
        if (i > 1) wr_text_puts(p->out, infix ? " OR " : ", ");
        wr_text_puts(p->out, infix ? "(" : "=(");
        wri_expr_put_expr(p, x);
        wr_text_puts(p->out, infix ? " = " : ", ");
        wri_expr_put_expr(&plain, v);
        wr_text_putc(p->out, ')');
    }
    wr_text_putc(p->out, ')');
}

/* The type that the bounds share. Strings of one length: CHAR(n). */
static const wr_type *
bounds_type(const wri_printer *p, const wri_ranges *r)
{
    const wr_type **types = WR_NEW_N(p->out->arena, const wr_type *, r->count * 2 + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; types && i < r->count; i++) {
        if (r->items[i].lo) types[n++] = r->items[i].lo->type;
        if (r->items[i].hi) types[n++] = r->items[i].hi->type;
    }
    const wr_type *t = n ? wr_type_least_restrictive(p->out->arena, types, n) : NULL;
    return t ? t : wr_type_of(WR_T_INT, false);
}

/* A bound: the value as it was written, with the common type. */
static void
put_bound(const wri_printer *p, const wr_expr *e, const wr_type *t)
{
    const bool infix = wri_print_bare(p);
    const wri_printer untyped = {WR_EXPR_PREFIX, p->names, p->out, true};
    if (infix && !wr_type_is_string(t)) {
        wri_print_literal(p, &e->value, e->type);
        return;
    }
    const bool typed = wri_print_value(&untyped, &e->value, e->type, t);
    if (!typed || infix) return;
    if (t->id == WR_T_BIGINT && e->type->id == WR_T_BIGINT) wr_text_putc(p->out, 'L');
    wr_text_putc(p->out, ':');
    wri_expr_put_type(p, t);
}

static void
put_range(const wri_printer *p, const wri_range *r, const wr_type *t)
{
    if (wri_range_is_point(r)) {
        put_bound(p, r->lo, t);
        return;
    }
    wr_text_putc(p->out, r->lo_in ? '[' : '(');
    if (r->lo)
        put_bound(p, r->lo, t);
    else
        wr_text_puts(p->out, "-\xe2\x88\x9e");
    wr_text_puts(p->out, "..");
    if (r->hi)
        put_bound(p, r->hi, t);
    else
        wr_text_puts(p->out, "+\xe2\x88\x9e");
    wr_text_putc(p->out, r->hi_in ? ']' : ')');
}

void
wri_print_search(const wri_printer *p, const wr_expr *e)
{
    const wri_ranges *r = e->fn_data;
    const wr_type *t = bounds_type(p, r);
    wr_text_puts(p->out, "SEARCH(");
    wri_expr_put_expr(p, e->args[0]);
    wr_text_puts(p->out, ", Sarg[");
    for (uint32_t i = 0; i < r->count; i++) {
        if (i) wr_text_puts(p->out, ", ");
        put_range(p, &r->items[i], t);
    }
    wr_text_puts(p->out, r->nulls ? "; NULL AS TRUE]" : "]");
    const bool plain = t->id == WR_T_INT || t->id == WR_T_DATE ||
                       (wr_type_family(t) == WR_FAM_DATETIME && t->precision == 0);
    if (!wri_print_bare(p) && !plain) {
        wr_text_putc(p->out, ':');
        wri_expr_put_type(p, t);
    }
    wr_text_putc(p->out, ')');
}

/* ---- JSON calls ------------------------------------------------------------------------------ */
static void
put_flag(const wri_printer *p, const char *text)
{
    wr_text_printf(p->out, wri_print_bare(p) ? ", %s" : ", FLAG(%s)", text);
}

static bool
symbol_is(const wr_expr *e, uint32_t i, const char *text)
{
    wr_str s;
    return i < e->arg_count && wri_lit_str(e->args[i], &s) && wr_str_eq_c(s, text);
}

/* on_empty, default, on_error, default at 2..5 */
static void
put_json_value(const wri_printer *p, const wr_expr *e)
{
    static const char *const when[2] = {"ON EMPTY", "ON ERROR"};
    for (uint32_t i = 0; i < 2; i++) {
        wr_str s;
        const uint32_t at = 2 + 2 * i;
        if (at >= e->arg_count || symbol_is(e, at, "NULL") || !wri_lit_str(e->args[at], &s))
            continue;
        wr_text_puts(p->out, ", ");
        wri_expr_put_expr(p, e->args[at]);
        if (wr_str_eq_c(s, "DEFAULT")) {
            wr_text_puts(p->out, ", ");
            wri_expr_put_expr(p, e->args[at + 1]);
        }
        put_flag(p, when[i]);
    }
}

static void
put_json_query(const wri_printer *p, const wr_expr *e)
{
    wr_str s;
    char text[80];
    if (e->arg_count < 5 || !wri_lit_str(e->args[2], &s)) return;
    put_flag(p, wr_str_eq_c(s, "WITHOUT")       ? "WITHOUT_ARRAY"
                : wr_str_eq_c(s, "CONDITIONAL") ? "WITH_CONDITIONAL_ARRAY"
                                                : "WITH_UNCONDITIONAL_ARRAY");
    for (uint32_t i = 3; i <= 4; i++) {
        if (!wri_lit_str(e->args[i], &s) || s.len > 20) continue;
        const wr_str full =
            wr_arena_printf(p->out->arena, "SqlJsonQueryEmptyOrErrorBehavior[%.*s]", WR_STR_ARG(s));
        if (!full.ptr || full.len >= sizeof text) continue;
        memcpy(text, full.ptr, full.len);
        text[full.len] = 0;
        put_flag(p, text);
    }
}

static void
put_json_constructor(const wri_printer *p, const wr_expr *e)
{
    const bool absent = symbol_is(e, 0, "ABSENT");
    const char *flag = absent ? "ABSENT_ON_NULL" : "NULL_ON_NULL";
    wr_text_printf(p->out, wri_print_bare(p) ? "%s" : "FLAG(%s)", flag);
    for (uint32_t i = 1; i < e->arg_count; i++) {
        wr_text_puts(p->out, ", ");
        wri_expr_put_expr(p, e->args[i]);
    }
}

void
wri_print_json(const wri_printer *p, const wr_expr *e)
{
    const char *name = e->fn->name;
    wr_str kind = WR_STR("");
    wr_text_puts(p->out, name);
    if (name[0] == 'I' && e->arg_count > 1 && wri_lit_str(e->args[1], &kind))
        wr_text_printf(p->out, " %.*s", WR_STR_ARG(kind));
    wr_text_putc(p->out, '(');
    if (strcmp(name, "JSON_OBJECT") == 0 || strcmp(name, "JSON_ARRAY") == 0) {
        put_json_constructor(p, e);
    } else {
        const bool special = strcmp(name, "JSON_VALUE") == 0 || strcmp(name, "JSON_QUERY") == 0 ||
                             strcmp(name, "JSON_EXISTS") == 0;
        const uint32_t n = name[0] == 'I' ? 1 : special ? 2 : e->arg_count;
        for (uint32_t i = 0; i < n && i < e->arg_count; i++) {
            if (i) wr_text_puts(p->out, ", ");
            wri_expr_put_expr(p, e->args[i]);
        }
        if (strcmp(name, "JSON_VALUE") == 0) put_json_value(p, e);
        if (strcmp(name, "JSON_QUERY") == 0) put_json_query(p, e);
        if (strcmp(name, "JSON_EXISTS") == 0 && e->arg_count > 2 && !symbol_is(e, 2, "FALSE")) {
            wr_text_puts(p->out, ", ");
            wri_expr_put_expr(p, e->args[2]);
        }
    }
    wr_text_putc(p->out, ')');
}
