/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions as Flink's optimizer leaves them, for plans: comparisons of one column with literals
 * become SEARCH(column, ranges), NOT moves inside, what is certain goes.
 *
 * SEARCH is a call whose first argument is the column, whose second is the condition it stands for
 * (the compiler runs that one) and whose fn_data is the ranges. The result means the same as the
 * expression; as a condition, UNKNOWN may become FALSE. Arena of the caller. */
#include "expr/print_int.h"
#include "expr/simplify_int.h"

wr_expr *
wri_simplified_clone(wri_simplifier *s, const wr_expr *e)
{
    wr_expr *c = wri_expr_clone(s->arena, e);
    s->nomem |= !c;
    return c;
}

wr_expr *
wri_simplified_node(wri_simplifier *s, wr_expr_kind kind, const wr_type *t, wr_expr **args,
                    uint32_t n)
{
    wr_expr *e = wri_expr_new(s->arena, kind, t, n ? args[0]->span : WR_NO_SPAN);
    if (!e) {
        s->nomem = true;
        return NULL;
    }
    e->args = args;
    e->arg_count = n;
    return e;
}

wr_expr *
wri_simplified_call(wri_simplifier *s, const char *name, const wr_type *t, wr_expr **args,
                    uint32_t n)
{
    const wr_fn *fn = wr_fn_find(wr_str_c(name));
    wr_expr *e = wri_simplified_node(s, WR_EX_CALL, t, args, n);
    if (!e) return NULL;
    e->fn = fn;
    e->kernel = fn->kernel;
    return e;
}

wr_expr *
wri_simplified_truth(wri_simplifier *s, bool v)
{
    const wr_value value = wr_value_bool(v);
    wr_expr *e = wr_expr_literal(s->arena, &value, WR_NO_SPAN);
    s->nomem |= !e;
    return e;
}

bool
wri_is_truth(const wr_expr *e, bool v)
{
    return e->kind == WR_EX_LITERAL && e->type->id == WR_T_BOOLEAN && !e->value.is_null &&
           e->value.u.b == v;
}

/* ---- NOT ------------------------------------------------------------------------------------- */
static const char *
opposite(const char *op)
{
    static const char *const pairs[][2] = {{"=", "<>"},
                                           {"<", ">="},
                                           {">", "<="},
                                           {"IS NULL", "IS NOT NULL"},
                                           {"IS TRUE", "IS NOT TRUE"},
                                           {"IS FALSE", "IS NOT FALSE"},
                                           {"IS DISTINCT FROM", "IS NOT DISTINCT FROM"}};
    for (uint32_t i = 0; i < WR_COUNT(pairs); i++) {
        if (strcmp(op, pairs[i][0]) == 0) return pairs[i][1];
        if (strcmp(op, pairs[i][1]) == 0) return pairs[i][0];
    }
    return NULL;
}

/* NOT e with the NOT moved inside as far as it goes; NULL: it stays before e. */
static wr_expr *
negate(wri_simplifier *s, const wr_expr *e)
{
    if (e->kind == WR_EX_LITERAL && !e->value.is_null)
        return wri_simplified_truth(s, !e->value.u.b);
    if (e->kind == WR_EX_AND || e->kind == WR_EX_OR) {
        wr_expr **args = WRI_SIMPLIFIED_NEW(s, wr_expr *, e->arg_count);
        if (!args) return NULL;
        for (uint32_t i = 0; i < e->arg_count; i++) {
            args[i] = negate(s, e->args[i]);
            if (!args[i]) {
                wr_expr **one = WRI_SIMPLIFIED_NEW(s, wr_expr *, 1);
                if (!one) return NULL;
                one[0] = e->args[i];
                args[i] = wri_simplified_call(s, "NOT", e->args[i]->type, one, 1);
            }
            if (!args[i]) return NULL;
        }
        return wri_simplified_node(s, e->kind == WR_EX_AND ? WR_EX_OR : WR_EX_AND, e->type, args,
                                   e->arg_count);
    }
    if (e->kind != WR_EX_CALL) return NULL;
    if (strcmp(e->fn->name, "NOT") == 0) return e->args[0];
    const char *op = opposite(e->fn->name);
    return op ? wri_simplified_call(s, op, e->type, e->args, e->arg_count) : NULL;
}

typedef WR_LIST(wr_expr *) terms;

/* ---- AND, OR --------------------------------------------------------------------------------- */
typedef struct group {
    const wr_expr *column;
    wri_ranges *ranges;
    uint32_t first, terms; /* index of its first term */
    wr_expr *only;         /* the term when there is one */
    wr_expr **parts;       /* all of them */
} group;

/* What one group of terms becomes: a comparison when that says it, else SEARCH. */
static wr_expr *
merged(wri_simplifier *s, const group *g, wr_expr_kind kind, bool condition)
{
    if (g->terms == 1) return g->only;
    const char *op;
    const wr_expr *bound;
    if (wri_ranges_empty(g->ranges)) return wri_simplified_truth(s, false);
    if (wri_ranges_all(g->ranges) && condition) {
        wr_expr **one = WRI_SIMPLIFIED_NEW(s, wr_expr *, 1);
        if (!one) return NULL;
        one[0] = (wr_expr *)g->column;
        return wri_simplified_call(s, "IS NOT NULL", wr_type_of(WR_T_BOOLEAN, false), one, 1);
    }
    if (wri_ranges_single(g->ranges, &op, &bound)) {
        for (uint32_t i = 0; i < g->terms; i++) /* one of the terms, as it is written */
            if (wri_term_is(g->parts[i], op, bound)) return g->parts[i];
        wr_expr **two = WRI_SIMPLIFIED_NEW(s, wr_expr *, 2);
        if (!two) return NULL;
        two[0] = (wr_expr *)g->column;
        two[1] = (wr_expr *)bound;
        if (wr_type_eq_ignoring_null(bound->type, g->column->type))
            return wri_simplified_call(s, op, g->only->type, two, 2);
    }
    wr_expr **args = WRI_SIMPLIFIED_NEW(s, wr_expr *, 2);
    if (!args) return NULL;
    args[0] = (wr_expr *)g->column;
    args[1] = wri_simplified_node(s, kind, g->only->type, g->parts, g->terms);
    if (!args[1]) return NULL;
    wr_expr *e = wri_simplified_call(s, "SEARCH", args[1]->type, args, 2);
    if (e) e->fn_data = g->ranges;
    return e;
}

static bool
add_term(wri_simplifier *s, group *groups, uint32_t *n, wr_expr *term, uint32_t index, bool conj)
{
    const wr_expr *column;
    wri_ranges *r = wri_ranges_of(s, term, &column);
    if (!r) return false;
    uint32_t k = 0;
    while (k < *n && !(groups[k].ranges && groups[k].column->index == column->index)) k++;
    group *g = &groups[k];
    if (k < *n) {
        wri_ranges *both =
            conj ? wri_ranges_intersect(s, g->ranges, r) : wri_ranges_union(s, g->ranges, r);
        if (!both) return false; /* not comparable with each other */
        g->ranges = both;
        g->parts[g->terms++] = term;
        return true;
    }
    *g = (group){column, r, index, 1, term, WRI_SIMPLIFIED_NEW(s, wr_expr *, 64)};
    if (!g->parts) return false;
    g->parts[0] = term;
    ++*n;
    return true;
}

static bool
seen(wr_expr *const *list, uint32_t n, const wr_expr *e)
{
    for (uint32_t i = 0; i < n; i++)
        if (wr_expr_equal(list[i], e)) return true;
    return false;
}

/* IS NOT NULL(column) that another term of the condition implies. */
static bool
implied(const wr_expr *e, const group *groups, uint32_t n)
{
    if (!wri_is_fn(e, "IS NOT NULL") || e->args[0]->kind != WR_EX_COLUMN) return false;
    for (uint32_t i = 0; i < n; i++)
        if (groups[i].ranges && groups[i].column->index == e->args[0]->index) return true;
    return false;
}

/* In a condition NOT comes after the rest, IS NOT NULL last. */
static int
place(const wr_expr *e, bool condition)
{
    if (!condition) return 0;
    return wri_is_fn(e, "IS NOT NULL") ? 2 : wri_is_fn(e, "NOT") ? 1 : 0;
}

static wr_expr *
assemble(wri_simplifier *s, const wr_expr *e, const group *groups, uint32_t n, bool condition)
{
    wr_expr **args = WRI_SIMPLIFIED_NEW(s, wr_expr *, n + 1);
    uint32_t count = 0;
    if (!args) return NULL;
    for (int where = 0; where < 3; where++)
        for (uint32_t i = 0; i < n; i++) {
            wr_expr *term = merged(s, &groups[i], (wr_expr_kind)e->kind, condition);
            if (!term) return NULL;
            if (place(term, condition && e->kind == WR_EX_AND) != where || seen(args, count, term))
                continue;
            if (condition && e->kind == WR_EX_AND && implied(term, groups, n)) continue;
            args[count++] = term;
        }
    if (count == 1) return args[0];
    return wri_simplified_node(s, (wr_expr_kind)e->kind, e->type, args, count);
}

/* x IS NULL OR x = 3: one set of values of x. */
static void
take_nulls(wri_simplifier *s, group *groups, uint32_t *n)
{
    for (uint32_t i = 0; i < *n; i++) {
        const wr_expr *e = groups[i].only;
        if (groups[i].ranges || !wri_is_fn(e, "IS NULL") || e->args[0]->kind != WR_EX_COLUMN)
            continue;
        uint32_t k = 0;
        while (k < *n && !(groups[k].ranges && groups[k].column->index == e->args[0]->index)) k++;
        wri_ranges *r = k < *n ? WRI_SIMPLIFIED_NEW(s, wri_ranges, 1) : NULL;
        if (!r || groups[k].terms >= 63) continue;
        *r = *groups[k].ranges;
        r->nulls = true;
        groups[k].ranges = r;
        groups[k].parts[groups[k].terms++] = groups[i].only;
        for (uint32_t m = i; m + 1 < *n; m++) groups[m] = groups[m + 1];
        --*n;
        i--;
    }
}

bool
wri_is_unknown(const wr_expr *e)
{
    static const char *const ops[] = {"=", "<>", "<", "<=", ">", ">="};
    if (e->kind == WR_EX_LITERAL) return e->value.is_null;
    for (uint32_t i = 0; i < WR_COUNT(ops); i++)
        if (wri_is_fn(e, ops[i]))
            for (uint32_t k = 0; k < 2; k++) {
                const wr_expr *arg = wri_shown(e->args[k]);
                if (arg->kind == WR_EX_LITERAL && arg->value.is_null) return true;
            }
    return false;
}

/* x IN (1, 2), where x is no column: x = 1 OR x = 2. */
static bool
add_list(wri_simplifier *s, terms *out, const wr_expr *in)
{
    for (uint32_t i = 1; i < in->arg_count; i++) {
        wr_expr **two = WRI_SIMPLIFIED_NEW(s, wr_expr *, 2);
        if (!two) return false;
        two[0] = in->args[0];
        two[1] = in->args[i];
        wr_expr *one = wri_simplified_call(s, "=", in->type, two, 2);
        if (!one || !wr_list_push(s->arena, out, one)) return false;
    }
    return true;
}

/* The simplified terms; those of a term of the same kind are terms of their own. */
static bool
flatten(wri_simplifier *s, const wr_expr *e, bool condition, terms *out)
{
    for (uint32_t i = 0; i < e->arg_count; i++) {
        wr_expr *term = wri_simplify(s, e->args[i], condition);
        if (!term) return false;
        bool same = term->kind == e->kind;
        if (e->kind == WR_EX_OR && wri_is_fn(term, "IN") && !s->plain) {
            if (!add_list(s, out, term)) return false;
            continue;
        }
        for (uint32_t k = 0; k < (same ? term->arg_count : 1); k++)
            if (!wr_list_push(s->arena, out, same ? term->args[k] : term)) return false;
    }
    return true;
}

/* x AND x IS NOT TRUE. */
static bool
contradicts(const group *groups, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!wri_is_fn(groups[i].only, "IS NOT TRUE")) continue;
        for (uint32_t k = 0; k < n; k++)
            if (wr_expr_equal(groups[i].only->args[0], groups[k].only)) return true;
    }
    return false;
}

/* x OR (NOT x AND y), where x is never NULL: x OR y. False: out of memory. */
static bool
absorb(wri_simplifier *s, group *groups, uint32_t n, bool condition)
{
    for (uint32_t i = 0; i < n; i++) {
        const wr_expr *x = groups[i].only;
        if (groups[i].terms != 1 || x->type->nullable || x->kind == WR_EX_AND) continue;
        const wr_expr *no = negate(s, x);
        for (uint32_t k = 0; k < n && no; k++) {
            wr_expr *all = groups[k].only;
            if (k == i || groups[k].terms != 1 || all->kind != WR_EX_AND) continue;
            wr_expr *rest = wri_simplified_clone(s, all);
            if (!rest) return false;
            rest->arg_count = 0;
            for (uint32_t m = 0; m < all->arg_count; m++)
                if (!wr_expr_equal(all->args[m], no)) rest->args[rest->arg_count++] = all->args[m];
            if (rest->arg_count == all->arg_count || rest->arg_count == 0) continue;
            groups[k].only =
                rest->arg_count == 1 ? rest->args[0] : wri_simplify(s, rest, condition);
            if (!groups[k].only) return false;
        }
    }
    return true;
}

static wr_expr *
simplify_logic(wri_simplifier *s, const wr_expr *e, bool condition)
{
    const bool conj = e->kind == WR_EX_AND;
    terms all = {0};
    uint32_t n = 0;
    if (e->arg_count > 60) return (wr_expr *)e;
    if (!flatten(s, e, condition, &all)) {
        s->nomem = true;
        return NULL;
    }
    group *groups = WRI_SIMPLIFIED_NEW(s, group, all.count);
    if (!groups || all.count > 60) return (wr_expr *)e;
    for (uint32_t i = 0; i < all.count; i++) {
        wr_expr *term = all.items[i];
        if (wri_is_truth(term, conj)) continue;
        if (wri_is_truth(term, !conj)) return term;
        if (condition && wri_is_unknown(term)) {
            if (conj) return wri_simplified_truth(s, false);
            continue;
        }
        if (add_term(s, groups, &n, term, i, conj)) continue;
        groups[n++] = (group){NULL, NULL, i, 1, term, NULL};
    }
    if (n == 0) return wri_simplified_truth(s, conj);
    if (!conj) take_nulls(s, groups, &n);
    if (conj && condition && contradicts(groups, n)) return wri_simplified_truth(s, false);
    if (!conj && !absorb(s, groups, n, condition)) return NULL;
    return assemble(s, e, groups, n, condition);
}

/* ---- the rest -------------------------------------------------------------------------------- */
static bool
has_null(const wr_expr *in)
{
    for (uint32_t i = 1; i < in->arg_count; i++) {
        const wr_expr *e = wri_shown(in->args[i]);
        if (e->kind == WR_EX_LITERAL && e->value.is_null) return true;
    }
    return false;
}

/* NOT CASE: CASE with the values negated. */
static wr_expr *
negated_case(wri_simplifier *s, const wr_expr *e)
{
    wr_expr *c = wri_simplified_clone(s, e);
    for (uint32_t i = 0; c && i < e->arg_count; i++) {
        if (i % 2 == 0 && i + 1 < e->arg_count) continue;
        if (e->args[i]->kind == WR_EX_LITERAL && e->args[i]->value.is_null) continue;
        wr_expr **one = WRI_SIMPLIFIED_NEW(s, wr_expr *, 1);
        if (!one) return NULL;
        one[0] = e->args[i];
        c->args[i] = wri_simplified_call(s, "NOT", e->args[i]->type, one, 1);
        if (!c->args[i]) return NULL;
    }
    return c ? wri_simplify(s, c, true) : NULL;
}

static wr_expr *
simplify_not(wri_simplifier *s, const wr_expr *e, bool condition)
{
    if (condition && wri_is_fn(e->args[0], "IN") && has_null(e->args[0]))
        return wri_simplified_truth(s, false);
    if (condition && e->args[0]->kind == WR_EX_CASE) return negated_case(s, e->args[0]);
    wr_expr *inside = negate(s, e->args[0]);
    if (inside) return wri_simplify(s, inside, condition);
    wr_expr *arg = wri_simplify(s, e->args[0], false);
    const wr_expr *column;
    wri_ranges *r = arg ? wri_ranges_of(s, arg, &column) : NULL;
    wri_ranges *rest = r ? wri_ranges_complement(s, r) : NULL;
    wr_expr *n = wri_simplified_clone(s, e);
    if (!arg || !n) return NULL;
    n->args[0] = arg;
    if (!rest) return n;
    wr_expr **args = WRI_SIMPLIFIED_NEW(s, wr_expr *, 2);
    if (!args) return NULL;
    args[0] = (wr_expr *)column;
    args[1] = n;
    wr_expr *search = wri_simplified_call(s, "SEARCH", e->type, args, 2);
    if (search) search->fn_data = rest;
    return search;
}

/* The list without NULLs: in a condition they add nothing. */
static const wr_expr *
without_nulls(wri_simplifier *s, const wr_expr *e)
{
    wr_expr *c = wri_simplified_clone(s, e);
    uint32_t kept = 1;
    for (uint32_t i = 1; c && i < e->arg_count; i++)
        if (wri_shown(e->args[i])->kind != WR_EX_LITERAL || !wri_shown(e->args[i])->value.is_null)
            c->args[kept++] = e->args[i];
    if (!c || kept < 2 || kept == e->arg_count) return e;
    c->arg_count = kept;
    return c;
}

static wr_expr *
simplify_in(wri_simplifier *s, const wr_expr *e, bool condition)
{
    const wr_expr *column;
    if (condition) e = without_nulls(s, e);
    wri_ranges *r = wri_ranges_of(s, e, &column);
    if (r && e->arg_count == 2) {
        wr_expr **two = WRI_SIMPLIFIED_NEW(s, wr_expr *, 2);
        if (!two) return NULL;
        two[0] = e->args[0];
        two[1] = e->args[1];
        return wri_simplified_call(s, "=", e->type, two, 2);
    }
    if (!r) return (wr_expr *)e;
    wr_expr **args = WRI_SIMPLIFIED_NEW(s, wr_expr *, 2);
    if (!args) return NULL;
    args[0] = (wr_expr *)column;
    args[1] = (wr_expr *)e;
    wr_expr *search = wri_simplified_call(s, "SEARCH", e->type, args, 2);
    if (search) search->fn_data = r;
    return search;
}

wr_expr *
wri_simplify(wri_simplifier *s, const wr_expr *e, bool condition)
{
    if (e->arg_count == 0) return (wr_expr *)e;
    if (e->kind == WR_EX_AND || e->kind == WR_EX_OR) return simplify_logic(s, e, condition);
    if (wri_is_fn(e, "NOT")) return simplify_not(s, e, condition);
    if (wri_is_fn(e, "IN")) return simplify_in(s, e, condition);
    if (wri_is_fn(e, "SEARCH")) return (wr_expr *)e;
    if (condition && wri_is_unknown(e)) return wri_simplified_truth(s, false);
    wr_expr *n = wri_simplified_clone(s, e);
    if (!n) return NULL;
    const bool always = e->kind == WR_EX_COALESCE && !e->args[0]->type->nullable;
    for (uint32_t i = 0; i < n->arg_count; i++) {
        const bool when = e->kind == WR_EX_CASE && i % 2 == 0 && i + 1 < n->arg_count;
        if (!(n->args[i] = wri_simplify(s, e->args[i], when))) return NULL;
    }
    if (always && wr_type_eq_ignoring_null(n->args[0]->type, e->type)) return n->args[0];
    wr_expr *better = n->kind == WR_EX_CALL   ? wri_simplify_call(s, n, condition)
                      : n->kind == WR_EX_CASE ? wri_simplify_case(s, n, condition)
                      : n->kind == WR_EX_CAST ? wri_simplify_cast(n)
                                              : NULL;
    return better ? better : n;
}

wr_expr *
wr_expr_simplify(wr_arena *a, const wr_expr *e, bool condition)
{
    wri_simplifier s = {a, false, false};
    wr_expr *out = wri_simplify(&s, e, condition);
    return out ? out : (wr_expr *)e; /* out of memory: as it was */
}

static wr_status
finish(wr_ctx *ctx, const wri_simplifier *s, const wr_expr *out)
{
    return out && !s->nomem ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
}

wr_status
wr_expr_simplified(wr_ctx *ctx, wr_arena *a, const wr_expr *e, bool condition, wr_expr **out)
{
    wri_simplifier s = {a, false, false};
    *out = wri_simplify(&s, e, condition);
    return finish(ctx, &s, *out);
}

wr_status
wr_expr_plain(wr_ctx *ctx, wr_arena *a, const wr_expr *e, bool condition, wr_expr **out)
{
    wri_simplifier s = {a, false, true};
    *out = wri_simplify(&s, e, condition);
    return finish(ctx, &s, *out);
}
