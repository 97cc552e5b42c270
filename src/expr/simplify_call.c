/* SPDX-License-Identifier: Apache-2.0 */
/* Calls, CASE and casts that say less than they seem to: x = x, x + 0, IS TRUE of what is never
 * NULL, CASE with one value, CASE among conditions. */
#include "expr/print_int.h"
#include "expr/simplify_int.h"
#include "types/decimal.h"

static wr_expr *
call1(wri_simplifier *s, const char *name, const wr_type *t, wr_expr *arg)
{
    wr_expr **one = WRI_SIMPLIFIED_NEW(s, wr_expr *, 1);
    if (!one) return NULL;
    one[0] = arg;
    return wri_simplified_call(s, name, t, one, 1);
}

static wr_expr *
not_null(wri_simplifier *s, wr_expr *arg)
{
    return call1(s, "IS NOT NULL", wr_type_of(WR_T_BOOLEAN, false), arg);
}

/* ---- comparisons ----------------------------------------------------------------------------- */

/* Unknown where x is NULL; elsewhere TRUE (NULL OR x IS NOT NULL) or FALSE (NULL AND x IS NULL). */
static wr_expr *
certain_or_unknown(wri_simplifier *s, wr_expr *x, bool truth)
{
    const wr_value null = {.type = wr_type_of(WR_T_BOOLEAN, true), .is_null = true};
    wr_expr **two = WRI_SIMPLIFIED_NEW(s, wr_expr *, 2);
    if (!two) return NULL;
    two[0] = wr_expr_literal(s->arena, &null, WR_NO_SPAN);
    two[1] = truth ? not_null(s, x) : call1(s, "IS NULL", wr_type_of(WR_T_BOOLEAN, false), x);
    s->nomem |= !two[0] || !two[1];
    if (s->nomem) return NULL;
    return wri_simplified_node(s, truth ? WR_EX_OR : WR_EX_AND, wr_type_of(WR_T_BOOLEAN, true), two,
                               2);
}

/* x = x, x < x. */
static wr_expr *
with_itself(wri_simplifier *s, const wr_expr *e, bool condition)
{
    static const char *const holds[] = {"=", "<=", ">="}, *const fails[] = {"<>", "<", ">"};
    wr_expr *x = e->args[0];
    if (e->arg_count != 2 || !wr_expr_equal(x, e->args[1]) || !wr_expr_is_deterministic(x) ||
        x->kind == WR_EX_LITERAL)
        return NULL;
    if (wri_is_fn(e, "IS NOT DISTINCT FROM")) return wri_simplified_truth(s, true);
    if (wri_is_fn(e, "IS DISTINCT FROM")) return wri_simplified_truth(s, false);
    for (uint32_t i = 0; i < WR_COUNT(holds); i++) {
        if (wri_is_fn(e, holds[i])) {
            if (!x->type->nullable) return wri_simplified_truth(s, true);
            return condition ? not_null(s, x) : certain_or_unknown(s, x, true);
        }
        if (wri_is_fn(e, fails[i]))
            return condition || !x->type->nullable ? wri_simplified_truth(s, false)
                                                   : certain_or_unknown(s, x, false);
    }
    return NULL;
}

/* b = TRUE is b. */
static wr_expr *
with_truth(wri_simplifier *s, const wr_expr *e)
{
    const bool equal = wri_is_fn(e, "=");
    if (!equal && !wri_is_fn(e, "<>")) return NULL;
    for (uint32_t i = 0; i < 2; i++) {
        wr_expr *other = e->args[1 - i];
        if (other->type->id != WR_T_BOOLEAN) return NULL;
        if (wri_is_truth(e->args[i], equal)) return other;
        if (wri_is_truth(e->args[i], !equal)) return call1(s, "NOT", e->type, other);
    }
    return NULL;
}

/* CASE(c, 'x', 'y') = 'x': which branches give it. */
static wr_expr *
case_is(wri_simplifier *s, const wr_expr *e)
{
    for (uint32_t k = 0; k < 2; k++) {
        const wr_expr *value = e->args[1 - k];
        wr_expr *from = e->args[k];
        if (!wri_is_fn(e, "=") || from->kind != WR_EX_CASE || value->kind != WR_EX_LITERAL ||
            value->value.is_null)
            continue;
        wr_expr *to = wri_simplified_clone(s, from);
        if (!to) return NULL;
        to->type = e->type;
        for (uint32_t i = 0; i < from->arg_count; i++) {
            if (i % 2 == 0 && i + 1 < from->arg_count) continue;
            const wr_expr *v = from->args[i];
            bool ok = v->kind == WR_EX_LITERAL;
            if (!ok || (!v->value.is_null && !wr_type_eq_ignoring_null(v->type, value->type)))
                return NULL;
            int order = v->value.is_null ? 1 : wri_literal_order(v, value, &ok);
            if (!ok) return NULL;
            to->args[i] = wri_simplified_truth(s, order == 0);
            if (!to->args[i]) return NULL;
        }
        wr_expr *better = wri_simplify_case(s, to, true);
        return better ? better : to;
    }
    return NULL;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

/* A number that was written: a constant that had to be computed is none for Flink at this place. */
static bool
is_number(const wr_expr *e, int64_t v)
{
    e = wri_shown(e);
    if (e->kind != WR_EX_LITERAL || e->value.is_null || !wr_type_is_numeric(e->type)) return false;
    if (e->type->phys == WR_PHYS_F64)
        return e->value.u.f64 <= (double)v && e->value.u.f64 >= (double)v;
    if (e->type->phys == WR_PHYS_F32)
        return e->value.u.f32 <= (float)v && e->value.u.f32 >= (float)v;
    const wr_i128 x = e->type->phys == WR_PHYS_I128 ? e->value.u.i128 : e->value.u.i;
    return wr_dec_cmp(x, e->type->id == WR_T_DECIMAL ? e->type->scale : 0, v, 0) == 0;
}

/* x in the type of the whole. */
static wr_expr *
in_type(wri_simplifier *s, wr_expr *x, const wr_type *t)
{
    while (x->kind == WR_EX_CAST && x != wri_shown(x)) x = x->args[0]; /* nobody wrote these */
    if (wr_type_eq_ignoring_null(x->type, t)) return x;
    const wr_type *to = wr_type_nullable(s->arena, t, x->type->nullable);
    wr_expr *c = to ? wr_expr_cast(s->arena, x, to, false, x->span) : NULL;
    s->nomem |= !c;
    return c;
}

/* x + 0, x - 0, x * 1, x / 1. */
static wr_expr *
neutral(wri_simplifier *s, const wr_expr *e)
{
    if (e->arg_count != 2 || !wr_type_is_numeric(e->type)) return NULL;
    const bool sum = wri_is_fn(e, "+"), product = wri_is_fn(e, "*");
    const bool minus = wri_is_fn(e, "-"), quotient = wri_is_fn(e, "/");
    for (uint32_t i = 0; i < 2; i++) {
        wr_expr *other = e->args[1 - i];
        if (!wr_type_is_numeric(other->type)) continue;
        if (((sum || (minus && i == 1)) && is_number(e->args[i], 0)) ||
            ((product || (quotient && i == 1)) && is_number(e->args[i], 1)))
            return in_type(s, other, e->type);
    }
    return NULL;
}

/* ---- questions ------------------------------------------------------------------------------- */

static wr_expr *
of_certain(wri_simplifier *s, const wr_expr *e, bool condition)
{
    wr_expr *x = e->args[0];
    if (wri_is_fn(e, "IS NOT NULL")) return wri_simplified_truth(s, true);
    if (wri_is_fn(e, "IS NULL")) return wri_simplified_truth(s, false);
    if (x->type->id != WR_T_BOOLEAN) return NULL;
    if (wri_is_fn(e, "IS TRUE") || wri_is_fn(e, "IS NOT FALSE")) return x;
    if (!wri_is_fn(e, "IS FALSE") && !wri_is_fn(e, "IS NOT TRUE")) return NULL;
    wr_expr *no = call1(s, "NOT", e->type, x);
    return no ? wri_simplify(s, no, condition) : NULL;
}

/* Arithmetic of NULL is NULL. */
static bool
is_strict(const wr_expr *e)
{
    static const char *const names[] = {"+", "-", "*", "/", "%", "||", "MOD", "UPPER", "LOWER"};
    for (uint32_t i = 0; i < WR_COUNT(names); i++)
        if (wri_is_fn(e, names[i])) return !(e->fn->flags & WR_FNF_CALLED_ON_NULL);
    return false;
}

wr_expr *
wri_simplify_call(wri_simplifier *s, wr_expr *e, bool condition)
{
    wr_expr *better = NULL;
    if (e->arg_count == 1 && !e->args[0]->type->nullable && (better = of_certain(s, e, condition)))
        return better;
    if (condition && wri_is_fn(e, "IS TRUE")) return e->args[0];
    for (uint32_t i = 0; i < e->arg_count && is_strict(e); i++)
        if (e->args[i]->kind == WR_EX_LITERAL && e->args[i]->value.is_null) {
            const wr_value null = {.type = e->type, .is_null = true};
            return e->type->nullable ? wr_expr_literal(s->arena, &null, WR_NO_SPAN) : NULL;
        }
    if (wri_is_fn(e, "NEGATE") && wri_is_fn(e->args[0], "NEGATE") &&
        wr_type_is_numeric(e->type)) /* - -x */
        return in_type(s, e->args[0]->args[0], e->type);
    if (e->arg_count != 2) return NULL;
    better = with_truth(s, e);
    if (!better) better = with_itself(s, e, condition);
    if (!better && condition) better = case_is(s, e);
    return better ? better : neutral(s, e);
}

/* ---- CASE ------------------------------------------------------------------------------------ */

/* Can it be evaluated for rows for which CASE would not? */
static bool
is_safe(const wr_expr *e)
{
    static const char *const safe[] = {
        "=",           "<>",      "<",   "<=",          ">",        ">=",           "IS NULL",
        "IS NOT NULL", "IS TRUE", "NOT", "IS NOT TRUE", "IS FALSE", "IS NOT FALSE", "SEARCH",
        "IN",          "LIKE"};
    bool known = e->kind == WR_EX_LITERAL || e->kind == WR_EX_COLUMN || e->kind == WR_EX_AND ||
                 e->kind == WR_EX_OR || e->kind == WR_EX_CASE;
    for (uint32_t i = 0; i < WR_COUNT(safe) && !known; i++) known = wri_is_fn(e, safe[i]);
    if (e->kind == WR_EX_CAST) { /* to a wider integer */
        const wr_type *t = e->args[0]->type;
        known = t->id >= WR_T_TINYINT && e->type->id <= WR_T_BIGINT && t->id <= e->type->id;
    }
    for (uint32_t i = 0; i < e->arg_count && known; i++) known = is_safe(e->args[i]);
    return known;
}

/* column = literal and the same column = another literal: never both. */
static bool
excludes(const wr_expr *a, const wr_expr *b)
{
    bool ok = true;
    if (!wri_is_fn(a, "=") || !wri_is_fn(b, "=")) return false;
    const wr_expr *x = wri_shown(a->args[1]), *y = wri_shown(b->args[1]);
    return wr_expr_equal(a->args[0], b->args[0]) && x->kind == WR_EX_LITERAL &&
           y->kind == WR_EX_LITERAL && wri_literal_order(x, y, &ok) != 0 && ok;
}

/* Branch i of a CASE that is a condition: when it is taken, its value. NULL: out of memory. */
static wr_expr *
branch(wri_simplifier *s, const wr_expr *e, uint32_t i)
{
    bool last = i + 1 == e->arg_count;
    const wr_type *t = wr_type_of(WR_T_BOOLEAN, true);
    wr_expr **args = WRI_SIMPLIFIED_NEW(s, wr_expr *, e->arg_count + 1);
    wr_expr *value = e->args[last ? i : i + 1];
    uint32_t n = 0;
    if (!args) return NULL;
    if (!last) args[n++] = e->args[i];
    if (!wri_is_truth(value, true)) args[n++] = value;
    for (uint32_t k = 0; k < i; k += 2) {
        if (!last && excludes(e->args[k], e->args[i])) continue;
        args[n] = call1(s, "IS NOT TRUE", wr_type_of(WR_T_BOOLEAN, false), e->args[k]);
        if (!args[n++]) return NULL;
    }
    if (n == 0) return wri_simplified_truth(s, true);
    wr_expr *all = n == 1 ? args[0] : wri_simplified_node(s, WR_EX_AND, t, args, n);
    return all ? wri_simplify(s, all, true) : NULL;
}

static wr_expr *
case_condition(wri_simplifier *s, const wr_expr *e)
{
    wr_expr **args = WRI_SIMPLIFIED_NEW(s, wr_expr *, e->arg_count + 1);
    uint32_t n = 0;
    if (!args) return NULL;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (!is_safe(e->args[i])) return NULL;
    for (uint32_t i = 0; i < e->arg_count; i += 2) {
        const wr_expr *value = e->args[i + 1 == e->arg_count ? i : i + 1];
        if (wri_is_truth(value, false) || wri_is_unknown(value)) continue;
        if (!(args[n++] = branch(s, e, i))) return NULL;
    }
    if (n == 0) return wri_simplified_truth(s, false);
    if (n == 1) return args[0];
    wr_expr *any = wri_simplified_node(s, WR_EX_OR, wr_type_of(WR_T_BOOLEAN, true), args, n);
    return any ? wri_simplify(s, any, true) : NULL;
}

/* Branches that are never taken go, neighbours of one value are one, what is like the rest is the
 * rest. False: out of memory. */
static bool
fold_branches(wri_simplifier *s, wr_expr *e)
{
    uint32_t kept = 0;
    wr_expr *rest = e->args[e->arg_count - 1];
    for (uint32_t i = 0; i + 1 < e->arg_count; i += 2) {
        wr_expr *when = e->args[i], *value = e->args[i + 1];
        if (wri_is_truth(when, false) || wri_is_unknown(when)) continue;
        if (wri_is_truth(when, true)) {
            rest = value;
            break;
        }
        if (kept && wr_expr_equal(e->args[kept - 1], value) && is_safe(when)) {
            wr_expr **two = WRI_SIMPLIFIED_NEW(s, wr_expr *, 2);
            if (!two) return false;
            two[0] = e->args[kept - 2];
            two[1] = when;
            wr_expr *any = wri_simplified_node(s, WR_EX_OR, wr_type_of(WR_T_BOOLEAN, true), two, 2);
            if (!any || !(e->args[kept - 2] = wri_simplify(s, any, true))) return false;
            continue;
        }
        e->args[kept++] = when;
        e->args[kept++] = value;
    }
    while (kept && wr_expr_equal(e->args[kept - 1], rest) && is_safe(e->args[kept - 2])) kept -= 2;
    e->args[kept] = rest;
    e->arg_count = kept + 1;
    return true;
}

wr_expr *
wri_simplify_case(wri_simplifier *s, wr_expr *e, bool condition)
{
    if (!fold_branches(s, e)) return NULL;
    if (e->arg_count == 1)
        return wr_type_eq_ignoring_null(e->args[0]->type, e->type) ? e->args[0] : e;
    if (e->type->id != WR_T_BOOLEAN) return e;
    if (condition) {
        wr_expr *c = case_condition(s, e);
        if (c) return c;
    }
    bool yes = wri_is_truth(e->args[1], true), no = wri_is_truth(e->args[1], false);
    if (e->arg_count != 3 || (!yes && !no) || !wri_is_truth(e->args[2], no)) return e;
    wr_expr *is =
        call1(s, yes ? "IS TRUE" : "IS NOT TRUE", wr_type_of(WR_T_BOOLEAN, false), e->args[0]);
    return is ? wri_simplify(s, is, condition) : NULL;
}

/* ---- casts ----------------------------------------------------------------------------------- */

/* To a wider integer and back. */
wr_expr *
wri_simplify_cast(wr_expr *e)
{
    wr_expr *wide = e->args[0];
    if (wide->kind != WR_EX_CAST || e->flag || wide->flag) return NULL;
    wr_expr *x = wide->args[0];
    bool integers = x->type->id >= WR_T_TINYINT && x->type->id <= WR_T_BIGINT &&
                    wide->type->id <= WR_T_BIGINT && wide->type->id >= x->type->id;
    return integers && wr_type_eq_ignoring_null(x->type, e->type) ? x : NULL;
}
