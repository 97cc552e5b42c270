/* SPDX-License-Identifier: Apache-2.0 */
/* The pattern of MATCH_RECOGNIZE: a row of variables, each with a quantifier. Flink's matcher knows
 * no more than that, so groups with quantifiers, alternatives and the rest are refused in its
 * words, in the order in which it finds them. */
#include "plan/bind_match_int.h"

#define NOMEM(b) wr_raise((b)->ctx, WR_NOMEM, "out of memory")

typedef WR_LIST(wr_match_elem) elem_list;

static const wr_ast_pattern *
item(const wr_ast_pattern *p, uint32_t i)
{
    return WR_AST_AS(wr_ast_pattern, WR_AST_PATTERN, p->items.items[i]);
}

/* ---- printing -------------------------------------------------------------------------------- */
static void
put_list(const wr_ast_pattern *p, wr_text *t)
{
    for (uint32_t i = 0; i < p->items.count; i++) {
        if (i) wr_text_puts(t, ", ");
        wri_match_put_pattern(item(p, i), t);
    }
    wr_text_putc(t, ')');
}

/* Concatenations and alternatives are pairs: ((A, B), C). */
static void
put_pairs(const wr_ast_pattern *p, const char *head, wr_text *t)
{
    for (uint32_t i = 1; i < p->items.count; i++) wr_text_puts(t, head);
    for (uint32_t i = 0; i < p->items.count; i++) {
        if (i) wr_text_puts(t, ", ");
        wri_match_put_pattern(item(p, i), t);
        if (i) wr_text_putc(t, ')');
    }
}

void
wri_match_put_pattern(const wr_ast_pattern *p, wr_text *t)
{
    switch (p->what) {
    case WR_SQL_PATTERN_VAR:
        wr_text_printf(t, "_UTF-16LE'%.*s'", WR_STR_ARG(p->name.name));
        return;
    case WR_SQL_PATTERN_CONCAT:
        put_pairs(p, "(", t);
        return;
    case WR_SQL_PATTERN_ALTERNATE:
        put_pairs(p, "|(", t);
        return;
    case WR_SQL_PATTERN_GROUP:
        wri_match_put_pattern(item(p, 0), t);
        return;
    case WR_SQL_PATTERN_REPEAT:
        wr_text_puts(t, "PATTERN_QUANTIFIER(");
        wri_match_put_pattern(item(p, 0), t);
        wr_text_printf(t, ", %lld, %lld, %s)", (long long)p->min, (long long)p->max,
                       p->reluctant ? "true" : "false");
        return;
    case WR_SQL_PATTERN_EXCLUDE:
        wr_text_puts(t, "PATTERN_EXCLUDE(");
        put_list(p, t);
        return;
    case WR_SQL_PATTERN_PERMUTE:
        wr_text_puts(t, "PATTERN_PERMUTE(");
        put_list(p, t);
        return;
    }
}

/* ---- names ----------------------------------------------------------------------------------- */
typedef WR_LIST(wr_str) name_list;

static bool
collect_names(wri_binder *b, const wr_ast_pattern *p, name_list *out)
{
    if (p->what == WR_SQL_PATTERN_VAR) {
        for (uint32_t i = 0; i < out->count; i++)
            if (wr_str_eq(out->items[i], p->name.name)) return true;
        return wr_list_push(b->a, out, p->name.name);
    }
    for (uint32_t i = 0; i < p->items.count; i++)
        if (!collect_names(b, item(p, i), out)) return false;
    return true;
}

wr_status
wri_match_names(wri_binder *b, const wr_ast_match *ast, wri_match_vars *out)
{
    name_list names = {0}, subsets = {0};
    if (!collect_names(b, ast->pattern, &names)) return NOMEM(b);
    for (uint32_t i = 0; i < ast->subsets.count; i++) {
        const wr_ast_named_arg *s =
            WR_AST_AS(wr_ast_named_arg, WR_AST_NAMED_ARG, ast->subsets.items[i]);
        if (!wr_list_push(b->a, &subsets, s->name.name)) return NOMEM(b);
    }
    if (names.count > WR_MATCH_VARS_MAX)
        return wr_raise_at(b->ctx, WR_LIMIT, wri_bind_span(b, &ast->pattern->base),
                           "a pattern has at most %u variables", WR_MATCH_VARS_MAX);
    *out = (wri_match_vars){names.items, names.count, subsets.items, subsets.count};
    return WR_OK;
}

/* ---- elements -------------------------------------------------------------------------------- */
static bool
may_be_empty(const wr_ast_pattern *p)
{
    switch (p->what) {
    case WR_SQL_PATTERN_VAR:
        return false;
    case WR_SQL_PATTERN_REPEAT:
        return p->min <= 0 || may_be_empty(item(p, 0));
    case WR_SQL_PATTERN_ALTERNATE:
        for (uint32_t i = 0; i < p->items.count; i++)
            if (may_be_empty(item(p, i))) return true;
        return false;
    case WR_SQL_PATTERN_CONCAT:
    case WR_SQL_PATTERN_GROUP:
    case WR_SQL_PATTERN_EXCLUDE:
    case WR_SQL_PATTERN_PERMUTE:
        break;
    }
    for (uint32_t i = 0; i < p->items.count; i++)
        if (!may_be_empty(item(p, i))) return false;
    return true;
}

static wr_status
refuse_form(wri_binder *b, const wr_ast_pattern *p, const char *why)
{
    wr_text t;
    wr_text_init(&t, b->a);
    wri_match_put_pattern(p, &t);
    wr_str text = wr_text_str(&t);
    return wr_raise_at(b->ctx, WR_UNSUPPORTED, wri_bind_span(b, &p->base),
                       "Expression not supported: %.*s%s", WR_STR_ARG(text), why);
}

/* More than one turn is possible and as many as possible are taken. */
static bool
is_greedy(const wr_match_elem *e)
{
    const bool optional = e->min == 0 && e->max == 1;
    return e->quantified && !e->reluctant && !optional && e->min != e->max;
}

static wr_status
add_variable(wri_binder *b, const wr_ast_pattern *p, elem_list *out)
{
    for (uint32_t i = 0; i < out->count; i++)
        if (wr_str_eq(out->items[i].name, p->name.name))
            return wr_raise_at(b->ctx, WR_UNSUPPORTED, wri_bind_span(b, &p->base),
                               "Pattern variables must be unique. That might change in the "
                               "future.");
    wr_match_elem e = {.name = p->name.name, .min = 1, .max = 1};
    return wr_list_push(b->a, out, e) ? WR_OK : NOMEM(b);
}

static wr_status
add_repeat(wri_binder *b, const wr_ast_pattern *p, elem_list *out)
{
    const wr_ast_pattern *inner = item(p, 0);
    const wr_span span = wri_bind_span(b, &p->base);
    while (inner->what == WR_SQL_PATTERN_GROUP) inner = item(inner, 0);
    if (inner->what == WR_SQL_PATTERN_CONCAT)
        return refuse_form(b, inner, " Group patterns are not supported yet.");
    if (inner->what != WR_SQL_PATTERN_VAR)
        return refuse_form(b, inner, ". Currently, CEP doesn't support quantifiers on it.");
    WR_TRY(add_variable(b, inner, out));
    wr_match_elem *e = &out->items[out->count - 1];
    e->quantified = true;
    e->reluctant = p->reluctant;
    e->min = p->min;
    e->max = p->max;
    if (e->min == 0 && e->max <= 1 && out->count > 1 && is_greedy(e - 1))
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span,
                           "Optional pattern cannot be preceded by greedy pattern");
    if (e->min == 0 && e->max == 1 && e->reluctant)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span,
                           "Reluctant optional variables are not supported yet.");
    if (e->max != -1 && e->max < WR_MAX(e->min, 1))
        return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                           "The to should be a number greater than or equal to from: %lld.",
                           (long long)WR_MAX(e->min, 1));
    return WR_OK;
}

static wr_status
add_elems(wri_binder *b, const wr_ast_pattern *p, elem_list *out)
{
    switch (p->what) {
    case WR_SQL_PATTERN_VAR:
        return add_variable(b, p, out);
    case WR_SQL_PATTERN_REPEAT:
        return add_repeat(b, p, out);
    case WR_SQL_PATTERN_CONCAT:
    case WR_SQL_PATTERN_GROUP:
        for (uint32_t i = 0; i < p->items.count; i++) WR_TRY(add_elems(b, item(p, i), out));
        return WR_OK;
    case WR_SQL_PATTERN_ALTERNATE:
        return refuse_form(b, p, ". Currently, CEP doesn't support branching patterns.");
    case WR_SQL_PATTERN_EXCLUDE:
        return refuse_form(b, p, ". Currently, CEP doesn't support '{-' '-}' patterns.");
    case WR_SQL_PATTERN_PERMUTE:
        return refuse_form(b, p, ". Currently, CEP doesn't support PERMUTE patterns.");
    }
    WR_UNREACHABLE();
}

static wr_status
count_states(wri_binder *b, const wr_ast_match *ast, const elem_list *l)
{
    int64_t states = 1;
    for (uint32_t i = 0; i < l->count && states <= WR_MATCH_STATES_MAX; i++)
        states += WR_MAX(l->items[i].min, l->items[i].max) + 1;
    if (states <= WR_MATCH_STATES_MAX) return WR_OK;
    return wr_raise_at(b->ctx, WR_LIMIT, wri_bind_span(b, &ast->pattern->base),
                       "the quantifiers of a pattern may ask for at most %u rows",
                       WR_MATCH_STATES_MAX);
}

wr_status
wri_match_pattern(wri_binder *b, const wr_ast_match *ast, wr_match_spec *spec,
                  wr_match_elem **elems)
{
    const wr_span span = wri_bind_span(b, &ast->pattern->base);
    elem_list l = {0};
    wr_text t;
    wr_text_init(&t, b->a);
    wri_match_put_pattern(ast->pattern, &t);
    spec->pattern = wr_text_str(&t);
    WR_TRY_ALLOC(b->ctx, spec->pattern.ptr);
    if (may_be_empty(ast->pattern))
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span,
                           "Patterns that can produce empty matches are not supported. There must "
                           "be at least one non-optional state.");
    WR_TRY(add_elems(b, ast->pattern, &l));
    if (is_greedy(&l.items[l.count - 1]))
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span,
                           "Greedy quantifiers are not allowed as the last element of a Pattern "
                           "yet. Finish your pattern with either a simple variable or reluctant "
                           "quantifier.");
    WR_TRY(count_states(b, ast, &l));
    *elems = l.items;
    spec->elems = l.items;
    spec->elem_count = l.count;
    return WR_OK;
}
