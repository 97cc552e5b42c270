/* SPDX-License-Identifier: Apache-2.0 */
/* The clauses of MATCH_RECOGNIZE, to a WR_REL_MATCH: what their expressions see is in bind_match.c,
 * the pattern in bind_pattern.c. */
#include "plan/bind_match_int.h"

#define NOMEM(b) wr_raise((b)->ctx, WR_NOMEM, "out of memory")

typedef struct clauses {
    const wr_ast_match *ast;
    const wr_rel *input;
    const wri_scope *scope;
    wri_match_vars vars;
    uint64_t certain; /* variables that every match has rows of */
    wr_match_spec *spec;
    wri_ref_list define_refs, measure_refs;
    wri_expr_list kept;
} clauses;

/* ---- PARTITION BY, ORDER BY ------------------------------------------------------------------ */
static wr_status
column_of(wri_binder *b, const clauses *c, const wr_ast *e, const char *clause, uint32_t *col)
{
    wr_expr *x = NULL;
    if (e->kind != WR_AST_IDENT)
        return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, e),
                           "%s of MATCH_RECOGNIZE takes columns, no expressions", clause);
    const wri_where w = {.scope = c->scope, .clause = clause};
    WR_TRY(wri_bind_expr(b, &w, e, &x));
    if (x->kind != WR_EX_COLUMN)
        return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, e),
                           "%s of MATCH_RECOGNIZE takes columns of its table", clause);
    *col = x->index;
    return WR_OK;
}

/* A column that is named twice counts once. */
static wr_status
bind_partition(wri_binder *b, clauses *c)
{
    const wr_ast_list *l = &c->ast->partition_by;
    uint32_t *cols = WR_NEW_N(b->a, uint32_t, l->count + 1), n = 0;
    WR_TRY_ALLOC(b->ctx, cols);
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t col = 0;
        bool twice = false;
        WR_TRY(column_of(b, c, l->items[i], "PARTITION BY", &col));
        for (uint32_t k = 0; k < n; k++) twice |= cols[k] == col;
        if (!twice) cols[n++] = col;
    }
    c->spec->partition = cols;
    c->spec->partition_count = n;
    return WR_OK;
}

static wr_status
bind_order(wri_binder *b, clauses *c)
{
    const wr_ast_list *l = &c->ast->order_by;
    wr_order_key *keys = WR_NEW_N(b->a, wr_order_key, l->count + 1);
    WR_TRY_ALLOC(b->ctx, keys);
    for (uint32_t i = 0; i < l->count; i++) {
        const wr_ast_order_item *o = WR_AST_AS(wr_ast_order_item, WR_AST_ORDER_ITEM, l->items[i]);
        uint32_t col = 0;
        WR_TRY(column_of(b, c, o->expr, "ORDER BY", &col));
        WR_TRY(wri_bind_order_key(b, o, col, c->input->schema.fields[col].type, &keys[i]));
    }
    c->spec->order = keys;
    c->spec->order_count = l->count;
    return WR_OK;
}

static bool
is_instant(const wr_type *t)
{
    return wr_type_is(t, WR_T_TIMESTAMP) || wr_type_is(t, WR_T_TIMESTAMP_LTZ);
}

/* Batch has no time attributes: any point in time orders rows. */
static wr_status
check_time(wri_binder *b, clauses *c)
{
    wr_match_spec *spec = c->spec;
    if (spec->order_count == 0)
        return wr_raise_at(b->ctx, WR_SEMANTIC, spec->span,
                           "You must specify either rowtime or proctime for order by.");
    const wr_type *t = c->input->schema.fields[spec->order[0].col].type;
    spec->time = (wr_timeattr)t->attr;
    if (b->env->batch && spec->time == WR_ATTR_NONE && is_instant(t)) spec->time = WR_ATTR_ROWTIME;
    const wr_span span = wri_bind_span(b, c->ast->order_by.items[0]);
    if (spec->time == WR_ATTR_NONE)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                           b->env->batch
                               ? "You must specify time point for order by as the first one."
                               : "You must specify either rowtime or proctime for order by as the "
                                 "first one.");
    if (spec->order[0].desc)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span,
                           "Primary sort order of a %stable must be ascending on time.",
                           b->env->batch ? "" : "streaming ");
    return WR_OK;
}

/* ---- SUBSET, WITHIN, AFTER MATCH ------------------------------------------------------------- */
static bool
is_variable(const clauses *c, wr_str name, int32_t *at)
{
    *at = -1;
    for (uint32_t i = 0; i < c->vars.count; i++)
        if (wr_str_eq(c->vars.names[i], name)) *at = (int32_t)i;
    return *at >= 0;
}

static wr_status
bind_subsets(wri_binder *b, clauses *c)
{
    wr_text all, sets;
    wr_text_init(&all, b->a);
    wr_text_init(&sets, b->a);
    for (uint32_t i = 0; i < c->ast->subsets.count; i++) {
        const wr_ast_named_arg *s =
            WR_AST_AS(wr_ast_named_arg, WR_AST_NAMED_ARG, c->ast->subsets.items[i]);
        const wr_ast_constructor *row = WR_AST_AS(wr_ast_constructor, WR_AST_CONSTRUCTOR, s->value);
        int32_t at;
        if (is_variable(c, s->name.name, &at))
            return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_part_span(b, s->name.span),
                               "Pattern variable '%.*s' has already been defined",
                               WR_STR_ARG(s->name.name));
        wr_text_printf(&all, "%s%.*s = (", i ? ", " : "", WR_STR_ARG(s->name.name));
        wr_text_puts(&sets, i ? ", [" : "[");
        for (uint32_t k = 0; k < row->items.count; k++) {
            const wr_ast_ident *id = WR_AST_AS(wr_ast_ident, WR_AST_IDENT, row->items.items[k]);
            wr_str name = id->parts[0].name;
            if (!is_variable(c, name, &at))
                return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, &id->base),
                                   "Unknown pattern '%.*s'", WR_STR_ARG(name));
            wr_text_printf(&all, "%s%.*s", k ? ", " : "", WR_STR_ARG(name));
            wr_text_printf(&sets, "%s%.*s", k ? ", " : "", WR_STR_ARG(name));
        }
        wr_text_putc(&all, ')');
        wr_text_putc(&sets, ']');
    }
    c->spec->subsets = wr_text_str(&all);
    c->spec->subset_sets = wr_text_str(&sets);
    return all.failed || sets.failed ? NOMEM(b) : WR_OK;
}

static wr_status
bind_within(wri_binder *b, clauses *c)
{
    if (!c->ast->within) return WR_OK;
    const wr_span span = wri_bind_span(b, c->ast->within);
    const wri_where w = {.clause = "WITHIN"};
    wr_expr *e = NULL;
    WR_TRY(wri_bind_expr(b, &w, c->ast->within, &e));
    if (e->kind != WR_EX_LITERAL || !wr_type_is(e->type, WR_T_INTERVAL_DT))
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span,
                           "Only constant intervals with millisecond resolution are supported as "
                           "time constraints of patterns.");
    if (e->value.u.i < 0)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span, "Interval must be non-negative");
    c->spec->within = e;
    c->spec->within_ms = e->value.u.i;
    return WR_OK;
}

static wr_status
bind_after(wri_binder *b, clauses *c)
{
    static const uint8_t skips[] = {WR_MATCH_SKIP_NEXT_ROW, WR_MATCH_SKIP_NEXT_ROW,
                                    WR_MATCH_SKIP_PAST_LAST, WR_MATCH_SKIP_FIRST,
                                    WR_MATCH_SKIP_LAST};
    wr_match_spec *spec = c->spec;
    const wr_ast_part *var = &c->ast->after_var;
    spec->skip = skips[c->ast->after];
    spec->skip_elem = -1;
    if (spec->skip < WR_MATCH_SKIP_FIRST) return WR_OK;
    spec->skip_name = var->name;
    if (is_variable(c, var->name, &spec->skip_elem)) return WR_OK;
    for (uint32_t i = 0; i < c->vars.subset_count; i++)
        if (wr_str_eq(c->vars.subsets[i], var->name))
            return wr_raise_at(b->ctx, WR_UNSUPPORTED, wri_bind_part_span(b, var->span),
                               "The pattern name specified in AfterMatchSkipStrategy can not be "
                               "found in the given Pattern");
    return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_part_span(b, var->span),
                       "Unknown pattern '%.*s'", WR_STR_ARG(var->name));
}

/* ---- DEFINE, MEASURES ------------------------------------------------------------------------ */
static wr_status
refuse_query(wri_binder *b, const wr_expr *e, const wr_ast *at)
{
    if (!wri_rex_has_subquery(e)) return WR_OK;
    return wr_raise_at(b->ctx, WR_UNSUPPORTED, wri_bind_span(b, at),
                       "Query expression encountered in illegal context");
}

static bool
asks_path(const clauses *c, const wr_expr *e)
{
    if (e->kind == WR_EX_COLUMN && c->define_refs.items[e->index].kind != WR_MATCH_CURRENT)
        return true;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (e->args[i] && asks_path(c, e->args[i])) return true;
    return false;
}

static wr_status
bind_define(wri_binder *b, clauses *c, const wr_ast_alias *d, wr_match_def *defs, uint32_t at)
{
    const wr_span span = {d->name.span.start, d->base.span.end};
    int32_t elem;
    for (uint32_t i = 0; i < at; i++)
        if (wr_str_eq(defs[i].name, d->name.name))
            return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_part_span(b, span),
                               "Pattern variable '%.*s' has already been defined",
                               WR_STR_ARG(d->name.name));
    (void)is_variable(c, d->name.name, &elem);
    const wri_match m = {.input = c->input,
                         .vars = &c->vars,
                         .refs = &c->define_refs,
                         .kept = &c->kept,
                         .alias = c->scope->item_count ? c->scope->items[0].alias : WR_STR(""),
                         .define = true,
                         .define_name = d->name.name,
                         .define_set = elem < 0 ? 0 : (uint64_t)1 << elem};
    const wri_where w = {.clause = "DEFINE", .match = &m};
    defs[at].name = d->name.name;
    if (wri_bind_is_null_ast(d->expr))
        return wr_raise_at(b->ctx, WR_TYPE, wri_bind_span(b, d->expr), "Illegal use of 'NULL'");
    WR_TRY(wri_bind_cond(b, &w, d->expr, "DEFINE", &defs[at].cond));
    return refuse_query(b, defs[at].cond, d->expr);
}

static wr_status
bind_defines(wri_binder *b, clauses *c)
{
    const wr_ast_list *l = &c->ast->define;
    wr_match_def *defs = WR_NEW_N(b->a, wr_match_def, l->count + 1);
    WR_TRY_ALLOC(b->ctx, defs);
    for (uint32_t i = 0; i < l->count; i++)
        WR_TRY(bind_define(b, c, WR_AST_AS(wr_ast_alias, WR_AST_ALIAS, l->items[i]), defs, i));
    c->spec->defs = defs;
    c->spec->def_count = l->count;
    return WR_OK;
}

static void
attach_conditions(const clauses *c, wr_match_elem *elems)
{
    for (uint32_t i = 0; i < c->spec->elem_count; i++)
        for (uint32_t k = 0; k < c->spec->def_count; k++) {
            if (!wr_str_eq(elems[i].name, c->spec->defs[k].name)) continue;
            elems[i].cond = c->spec->defs[k].cond;
            elems[i].needs_path = asks_path(c, elems[i].cond);
        }
}

static wr_status
bind_measures(wri_binder *b, clauses *c, wr_field *fields)
{
    const wr_ast_list *l = &c->ast->measures;
    const wri_match m = {.input = c->input,
                         .vars = &c->vars,
                         .refs = &c->measure_refs,
                         .kept = &c->kept,
                         .alias = c->scope->item_count ? c->scope->items[0].alias : WR_STR(""),
                         .certain = c->certain};
    const wri_where w = {.clause = "MEASURES", .match = &m};
    wr_expr **exprs = WR_NEW_N(b->a, wr_expr *, l->count + 1);
    WR_TRY_ALLOC(b->ctx, exprs);
    for (uint32_t i = 0; i < l->count; i++) {
        const wr_ast_alias *d = WR_AST_AS(wr_ast_alias, WR_AST_ALIAS, l->items[i]);
        WR_TRY(wri_bind_expr_as(b, &w, d->expr, NULL, &exprs[i]));
        WR_TRY(refuse_query(b, exprs[i], d->expr));
        fields[i] = (wr_field){d->name.name, exprs[i]->type, WR_STR("")};
        for (uint32_t k = 0; k < i; k++)
            if (wr_str_eq(fields[k].name, fields[i].name))
                return wr_raise_at(b->ctx, WR_NAME, wri_bind_part_span(b, d->name.span),
                                   "Multiple entries with same key: %.*s",
                                   WR_STR_ARG(d->name.name));
    }
    c->spec->measures = exprs;
    c->spec->measure_count = l->count;
    return WR_OK;
}

/* Of variables that stand alone or must come once at least. */
static void
find_certain(clauses *c, const wr_ast_pattern *p)
{
    int32_t at;
    if (p->what == WR_SQL_PATTERN_ALTERNATE || (p->what == WR_SQL_PATTERN_REPEAT && p->min <= 0))
        return;
    if (p->what == WR_SQL_PATTERN_VAR && is_variable(c, p->name.name, &at))
        c->certain |= (uint64_t)1 << at;
    for (uint32_t i = 0; i < p->items.count; i++)
        find_certain(c, WR_AST_AS(wr_ast_pattern, WR_AST_PATTERN, p->items.items[i]));
}

/* ---- together -------------------------------------------------------------------------------- */
static wr_status
bind_schema(wri_binder *b, clauses *c, wr_schema *out)
{
    const uint32_t keys = c->spec->partition_count;
    wr_field *fields = WR_NEW_N(b->a, wr_field, keys + c->ast->measures.count + 1);
    WR_TRY_ALLOC(b->ctx, fields);
    for (uint32_t i = 0; i < keys; i++) fields[i] = c->input->schema.fields[c->spec->partition[i]];
    WR_TRY(bind_measures(b, c, fields + keys));
    for (uint32_t i = 0; i < keys; i++)
        for (uint32_t k = 0; k < c->spec->measure_count; k++)
            if (wr_str_eq(fields[i].name, fields[keys + k].name))
                return wr_raise_at(b->ctx, WR_NAME, c->spec->span,
                                   "Columns ambiguously defined: {%.*s}",
                                   WR_STR_ARG(fields[i].name));
    *out = (wr_schema){fields, keys + c->spec->measure_count};
    return WR_OK;
}

/* The values of the partition come from the last row of the match. */
static wr_status
keep_partition(wri_binder *b, clauses *c)
{
    for (uint32_t i = 0; i < c->spec->partition_count; i++) {
        const uint32_t col = c->spec->partition[i];
        uint32_t at = 0;
        wr_match_ref ref = {.kind = WR_MATCH_LAST, .vars = WR_MATCH_ALL, .text = WR_STR("")};
        ref.type = c->input->schema.fields[col].type;
        wr_expr *e = wr_expr_column(b->a, col, ref.type, WR_NO_SPAN);
        WR_TRY_ALLOC(b->ctx, e);
        while (at < c->kept.count && !wr_expr_equal(c->kept.items[at], e)) at++;
        if (at == c->kept.count && !wr_list_push(b->a, &c->kept, e)) return NOMEM(b);
        ref.col = at;
        if (!wr_list_push(b->a, &c->measure_refs, ref)) return NOMEM(b);
    }
    return WR_OK;
}

static wr_status
bind_clauses(wri_binder *b, clauses *c, wr_schema *schema)
{
    wr_match_spec *spec = c->spec;
    wr_match_elem *elems = NULL;
    WR_TRY(wri_match_names(b, c->ast, &c->vars));
    find_certain(c, c->ast->pattern);
    WR_TRY(bind_partition(b, c));
    WR_TRY(bind_order(b, c));
    WR_TRY(bind_subsets(b, c));
    WR_TRY(bind_after(b, c));
    WR_TRY(bind_within(b, c));
    WR_TRY(bind_schema(b, c, schema));
    WR_TRY(bind_defines(b, c));
    if (schema->count == spec->partition_count)
        return wr_raise_at(b->ctx, WR_SEMANTIC, spec->span, "Columns ambiguously defined: {}");
    if (c->ast->rows == WR_SQL_ROWS_ALL)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, spec->span,
                           "All rows per match mode is not supported yet.");
    WR_TRY(check_time(b, c));
    WR_TRY(wri_match_pattern(b, c->ast, spec, &elems));
    attach_conditions(c, elems);
    WR_TRY(keep_partition(b, c));
    spec->define_refs = c->define_refs.items;
    spec->define_ref_count = c->define_refs.count;
    spec->measure_refs = c->measure_refs.items;
    spec->measure_ref_count = c->measure_refs.count;
    spec->kept = c->kept.items;
    spec->kept_count = c->kept.count;
    spec->strict_start = c->ast->strict_start;
    spec->strict_end = c->ast->strict_end;
    return WR_OK;
}

wr_status
wri_bind_match(wri_binder *b, const wr_ast_match *ast, const wri_scope *outer, wri_from *out)
{
    wri_from input;
    wr_schema schema;
    WR_TRY(wri_bind_from(b, ast->input, outer, &input));
    wr_match_spec *spec = WR_NEW(b->a, wr_match_spec);
    WR_TRY_ALLOC(b->ctx, spec);
    spec->span = wri_bind_span(b, &ast->base);
    clauses c = {.ast = ast, .input = input.rel, .scope = &input.scope, .spec = spec};
    WR_TRY(bind_clauses(b, &c, &schema));
    wr_rel *rel = wri_rel_new(b->a, WR_REL_MATCH, &input.rel, 1);
    WR_TRY_ALLOC(b->ctx, rel);
    rel->span = spec->span;
    rel->schema = schema;
    rel->u.match = spec;
    return wri_bind_as(b, &ast->as, WR_STR(""), NULL, spec->span, rel, outer, out);
}
