/* SPDX-License-Identifier: Apache-2.0 */
/* Bound expressions as Flink's plans print them: prefix in the optimized physical plan, infix in
 * the execution plan, prefix with $n in the syntax tree. Hidden casts do not show; literals carry
 * their type where Flink's do. */
#include "expr/expr_int.h"
#include "expr/print_int.h"
#include "expr/time_int.h"

static bool
is_text(const wr_type *t)
{
    return wr_type_is_string(t);
}

/* The type in plans: INTEGER, VARCHAR(3) CHARACTER SET "UTF-16LE". */
void
wri_expr_put_type(const wri_printer *p, const wr_type *t)
{
    if (t->id == WR_T_TIMESTAMP_LTZ)
        wr_text_printf(p->out, "TIMESTAMP_WITH_LOCAL_TIME_ZONE(%d)", t->precision);
    else
        wr_type_print(t, WR_TYPE_CALCITE, p->out);
    if (is_text(t) && !wri_print_bare(p)) wr_text_puts(p->out, " CHARACTER SET \"UTF-16LE\"");
}

const wr_expr *
wri_shown(const wr_expr *e)
{
    while (e->kind == WR_EX_CAST && e->sub == WRI_CAST_HIDDEN) e = e->args[0];
    return e;
}

const wr_expr *
wr_expr_written(const wr_expr *e)
{
    return wri_shown(e);
}

/* ---- pieces ---------------------------------------------------------------------------------- */
static void
put_args(const wri_printer *p, const wr_expr *e, uint32_t from)
{
    for (uint32_t i = from; i < e->arg_count; i++) {
        if (i > from) wr_text_puts(p->out, ", ");
        wri_expr_put_expr(p, e->args[i]);
    }
}

static void
put_call(const wri_printer *p, const char *name, const wr_expr *e)
{
    wr_text_printf(p->out, "%s(", name);
    put_args(p, e, 0);
    wr_text_putc(p->out, ')');
}

static void
put_infix(const wri_printer *p, const char *op, const wr_expr *e)
{
    wr_text_putc(p->out, '(');
    for (uint32_t i = 0; i < e->arg_count; i++) {
        if (i) wr_text_printf(p->out, " %s ", op);
        wri_expr_put_expr(p, e->args[i]);
    }
    wr_text_putc(p->out, ')');
}

static void
put_column(const wri_printer *p, const wr_expr *e)
{
    if (p->names)
        wr_text_put(p->out, p->names[e->index].name.ptr, p->names[e->index].name.len);
    else
        wr_text_printf(p->out, "$%u", e->index);
}

static void
put_cast(const wri_printer *p, const wr_expr *e)
{
    const char *name = e->flag ? "TRY_CAST" : "CAST";
    wr_text_printf(p->out, "%s(", name);
    wri_expr_put_expr(p, e->args[0]);
    if (p->style == WR_EXPR_AST) {
        wr_text_putc(p->out, ')');
        if (e->flag) return;
        wr_text_putc(p->out, ':');
        wri_expr_put_type(p, e->type);
        if (!e->type->nullable) wr_text_puts(p->out, " NOT NULL");
        return;
    }
    wr_text_puts(p->out, " AS ");
    wri_expr_put_type(p, e->type);
    const bool named = p->style == WR_EXPR_PREFIX && !e->type->nullable;
    wr_text_puts(p->out, named ? " NOT NULL)" : ")");
}

static void
put_field(const wri_printer *p, const wr_expr *e)
{
    const wr_type *t = e->args[0]->type;
    wri_expr_put_expr(p, e->args[0]);
    const wr_str name = e->index < t->field_count ? t->fields[e->index].name : WR_STR("?");
    wr_text_printf(p->out, ".%.*s", WR_STR_ARG(name));
}

/* ---- operators ------------------------------------------------------------------------------- */
static bool
is_binary_operator(const char *name)
{
    static const char *const list[] = {"+", "-", "*", "/", "=", "<>", "<", "<=", ">", ">="};
    for (uint32_t i = 0; i < WR_COUNT(list); i++)
        if (strcmp(list[i], name) == 0) return true;
    return false;
}

/* In the syntax tree a literal beside an operand of its own type needs no type. */
static void
put_ast_operator(const wri_printer *p, const wr_expr *e)
{
    const wr_expr *l = wri_shown(e->args[0]), *r = wri_shown(e->args[1]);
    const bool same = wr_type_eq_ignoring_null(l->type, r->type);
    wr_text_printf(p->out, "%s(", e->fn->name);
    const wri_printer plain = {p->style, p->names, p->out, same};
    wri_expr_put_expr(l->kind == WR_EX_LITERAL ? &plain : p, l);
    wr_text_puts(p->out, ", ");
    wri_expr_put_expr(r->kind == WR_EX_LITERAL ? &plain : p, r);
    wr_text_putc(p->out, ')');
}

/* a IS [NOT] DISTINCT FROM b by equality and NULL tests. */
static void
put_distinct(const wri_printer *p, const wr_expr *e)
{
    const bool distinct = strcmp(e->fn->name, "IS DISTINCT FROM") == 0;
    const bool infix = p->style == WR_EXPR_INFIX;
    const bool simple =
        p->style != WR_EXPR_AST && (!e->args[0]->type->nullable || !e->args[1]->type->nullable);
    const char *null = distinct ? "IS NOT NULL" : "IS NULL";
    const char *truth = distinct ? "IS NOT TRUE" : "IS TRUE";
    if (!simple) {
        const char *outer = distinct ? "AND" : "OR", *inner = distinct ? "OR" : "AND";
        wr_text_printf(p->out, infix ? "((" : "%s(%s(", outer, inner);
        for (uint32_t i = 0; i < 2; i++) {
            if (i && infix) wr_text_printf(p->out, " %s ", inner);
            if (i && !infix) wr_text_puts(p->out, ", ");
            if (!infix) wr_text_printf(p->out, "%s(", null);
            wri_expr_put_expr(p, e->args[i]);
            if (infix) wr_text_printf(p->out, " %s", null);
            if (!infix) wr_text_putc(p->out, ')');
        }
        if (infix)
            wr_text_printf(p->out, ") %s ", outer);
        else
            wr_text_puts(p->out, "), ");
    }
    wr_text_printf(p->out, infix ? "(" : "%s(=(", truth);
    wri_expr_put_expr(p, e->args[0]);
    wr_text_puts(p->out, infix ? " = " : ", ");
    wri_expr_put_expr(p, e->args[1]);
    if (infix)
        wr_text_printf(p->out, ") %s", truth);
    else
        wr_text_puts(p->out, "))");
    if (!simple) wr_text_putc(p->out, ')');
}

static void
put_half_power(const wri_printer *p, const wr_expr *e)
{
    wr_text_puts(p->out, "POWER(");
    wri_expr_put_expr(p, e->args[0]);
    wr_text_puts(p->out, wri_print_bare(p) ? ", 0.5)" : ", 0.5:DECIMAL(2, 1))");
}

/* TIMESTAMPADD is a sum with an interval, TIMESTAMPDIFF a difference in units. false: neither. */
static bool
put_timestamp_call(const wri_printer *p, const wr_expr *e)
{
    if (strncmp(e->fn->name, "TIMESTAMP", 9) != 0 || e->arg_count != 3) return false;
    const bool infix = p->style == WR_EXPR_INFIX;
    const wr_unit unit = wri_unit_of(e->args[0]);
    const int64_t months = wri_unit_months(unit), ms = wr_unit_ms(unit);
    wr_str name = WR_STR("");
    int64_t n;
    if ((!months && !ms) || !wri_lit_str(e->args[0], &name)) return false;
    if (name.len > 8 && memcmp(name.ptr, "SQL_TSI_", 8) == 0)
        name = (wr_str){name.ptr + 8, name.len - 8};
    const long long one = (long long)(months ? months : ms);
    if (strcmp(e->fn->name, "TIMESTAMPDIFF") == 0) {
        if (months) return false;
        wr_text_puts(p->out, infix ? "CAST((Reinterpret((" : "CAST(/INT(Reinterpret(-(");
        wri_expr_put_expr(p, e->args[2]);
        wr_text_puts(p->out, infix ? " - " : ", ");
        wri_expr_put_expr(p, e->args[1]);
        wr_text_printf(p->out, infix ? ")) /INT %lld)" : ")), %lld)", one);
        wr_text_puts(p->out, p->style == WR_EXPR_AST ? "):INTEGER" : " AS INTEGER)");
        return true;
    }
    wr_text_puts(p->out, infix ? "(" : "+(");
    wri_expr_put_expr(p, e->args[2]);
    wr_text_puts(p->out, infix ? " + " : ", ");
    if (p->style != WR_EXPR_AST && wri_lit_int(e->args[1], &n)) {
        const uint64_t product = (uint64_t)one * (uint64_t)n; /* wraps, as Java's long does */
        wr_text_printf(p->out, "%lld:INTERVAL %.*s)", (long long)product, WR_STR_ARG(name));
        return true;
    }
    wr_text_printf(p->out, infix ? "(%lld:INTERVAL %.*s * " : "*(%lld:INTERVAL %.*s, ", one,
                   WR_STR_ARG(name));
    wri_expr_put_expr(p, e->args[1]);
    wr_text_puts(p->out, "))");
    return true;
}

static void
put_function(const wri_printer *p, const wr_expr *e)
{
    const char *name = e->fn->name;
    const bool infix = p->style == WR_EXPR_INFIX;
    if (strcmp(name, "IN") == 0) {
        wri_print_in(p, e);
    } else if (strcmp(name, "SEARCH") == 0) {
        wri_print_search(p, e);
    } else if (strncmp(name, "IS ", 3) == 0 && e->arg_count == 2 && strstr(name, "DISTINCT")) {
        put_distinct(p, e);
    } else if (e->arg_count == 2 && is_binary_operator(name)) {
        if (infix)
            put_infix(p, name, e);
        else if (p->style == WR_EXPR_AST)
            put_ast_operator(p, e);
        else
            put_call(p, name, e);
    } else if (e->fn->flags & WRI_POSTFIX && infix && e->arg_count == 1) {
        wri_expr_put_expr(p, e->args[0]);
        wr_text_printf(p->out, " %s", name);
    } else if (put_timestamp_call(p, e)) {
        return;
    } else if (strcmp(name, "NEGATE") == 0) {
        put_call(p, "-", e);
    } else if (strcmp(name, "%") == 0) {
        put_call(p, "MOD", e);
    } else if (strcmp(name, "SQRT") == 0) {
        put_half_power(p, e);
    } else if (p->style == WR_EXPR_AST && e->fn->flags & WR_FNF_NO_PARENS && e->arg_count == 0) {
        wr_text_puts(p->out, name);
    } else if (strncmp(name, "JSON_", 5) == 0 || strstr(name, " JSON")) {
        wri_print_json(p, e);
    } else {
        put_call(p, name, e);
    }
}

static void
put_logic(const wri_printer *p, const char *name, const wr_expr *e)
{
    if (p->style == WR_EXPR_INFIX) {
        put_infix(p, name, e);
        return;
    }
    const wri_printer plain = {p->style, p->names, p->out, p->style == WR_EXPR_AST};
    put_call(&plain, name, e);
}

void
wri_expr_put_expr(const wri_printer *p, const wr_expr *e)
{
    e = wri_shown(e);
    const wri_printer below = {p->style, p->names, p->out, false};
    switch (e->kind) {
    case WR_EX_LITERAL:
        wri_print_literal_expr(p, e);
        break;
    case WR_EX_COLUMN:
        put_column(p, e);
        break;
    case WR_EX_CALL:
        put_function(&below, e);
        break;
    case WR_EX_CAST:
        put_cast(&below, e);
        break;
    case WR_EX_AND:
        put_logic(&below, "AND", e);
        break;
    case WR_EX_OR:
        put_logic(&below, "OR", e);
        break;
    case WR_EX_CASE:
        put_call(&below, "CASE", e);
        break;
    case WR_EX_COALESCE:
        put_call(&below, "COALESCE", e);
        break;
    case WR_EX_FIELD:
        put_field(&below, e);
        break;
    case WR_EX_OUTER:
        wr_text_printf(p->out, "$cor%u.$%u", e->level - 1, e->index);
        break;
    case WR_EX_AGG:
        wr_text_printf(p->out, "$agg%u", e->index);
        break;
    default:
        wr_text_puts(p->out, "$SUBQUERY");
        break;
    }
}

void
wr_expr_print(const wr_expr *e, wr_expr_style style, const wr_field *names, wr_text *out)
{
    const wri_printer p = {style, names, out, false};
    wri_expr_put_expr(&p, e);
}
