/* SPDX-License-Identifier: Apache-2.0 */
/* MATCH_RECOGNIZE. Conditions and measures see no scope of columns but pattern variables: A.x is
 * the last row of A (the row being looked at, where A is being defined), x alone that of all
 * variables, aggregates and FIRST, LAST walk over the rows of one variable. Each such value becomes
 * a reference (match.h), a column of the row that the expression is computed over. The pattern is
 * checked in bind_pattern.c. */
#include "plan/bind_match_int.h"

#define UNSUPPORTED_CALL                                                                           \
    "Unsupported call: %s \nIf you think this function should be supported, you can create an "    \
    "issue and start a discussion for it."
#define NOMEM(b) wr_raise((b)->ctx, WR_NOMEM, "out of memory")

/* ---- names ----------------------------------------------------------------------------------- */
static wr_status
no_table(wri_binder *b, const wr_ast_ident *id)
{
    wr_str name = id->parts[0].name;
    return wr_raise_at(b->ctx, WR_NAME, wri_bind_part_span(b, id->parts[0].span),
                       "Table '%.*s' not found", WR_STR_ARG(name));
}

/* The variable that qualifies a name; *vars is the set of pattern variables whose rows it means. */
static wr_status
find_variable(wri_binder *b, const wri_match *m, const wr_ast_ident *id, wr_str *name,
              uint64_t *vars)
{
    const wri_match_vars *v = m->vars;
    *name = WR_STR("*");
    *vars = WR_MATCH_ALL;
    if (id->part_count == 1) return WR_OK;
    *name = id->parts[0].name;
    for (uint32_t i = 0; i < v->count; i++)
        if (wr_str_eq(v->names[i], *name)) {
            *vars = i < WR_MATCH_VARS_MAX ? (uint64_t)1 << i : 0;
            return WR_OK;
        }
    *vars =
        0; /* Flink finds no rows for a SUBSET, nor for what is defined but not in the pattern */
    for (uint32_t i = 0; !m->define && i < v->subset_count; i++)
        if (wr_str_eq(v->subsets[i], *name)) return WR_OK;
    if (m->define && wr_str_eq(m->define_name, *name)) return WR_OK;
    if (m->alias.len && wr_str_eq(m->alias, *name)) return WR_OK; /* nor for the table's name */
    return no_table(b, id);
}

static wr_status
find_column(wri_binder *b, const wri_match *m, const wr_ast_ident *id, uint32_t *col)
{
    const wr_schema *s = &m->input->schema;
    const uint32_t at = id->part_count == 1 ? 0 : 1;
    const wr_ast_part *part = &id->parts[at];
    for (uint32_t i = 0; i < s->count; i++)
        if (wr_str_eq(s->fields[i].name, part->name)) {
            *col = i;
            return WR_OK;
        }
    wr_span span = wri_bind_part_span(b, part->span);
    wr_status status =
        at ? wr_raise_at(b->ctx, WR_NAME, span, "Column '%.*s' not found in table '%.*s'",
                         WR_STR_ARG(part->name), WR_STR_ARG(id->parts[0].name))
           : wr_raise_at(b->ctx, WR_NAME, span, "Column '%.*s' not found in any table",
                         WR_STR_ARG(part->name));
    for (uint32_t i = 0; i < s->count; i++) wr_candidate(b->ctx, part->name, s->fields[i].name);
    return status;
}

/* "$2" in conditions, "v" in measures. */
static wr_str
bare_text(wri_binder *b, const wri_match *m, wr_str var, uint32_t col)
{
    if (m->define) return wr_arena_printf(b->a, "%.*s.$%u", WR_STR_ARG(var), col);
    return wr_arena_printf(b->a, "%.*s.%.*s", WR_STR_ARG(var),
                           WR_STR_ARG(m->input->schema.fields[col].name));
}

/* In plans behind the syntax tree a time attribute ends where it is looked at. */
static wr_str
column_text(wri_binder *b, const wri_match *m, wr_str var, uint32_t col, bool plan)
{
    const wr_type *type = m->input->schema.fields[col].type;
    wr_str text = bare_text(b, m, var, col);
    if (!plan || !text.ptr || type->attr == WR_ATTR_NONE) return text;
    if (type->attr == WR_ATTR_PROCTIME)
        return wr_arena_printf(b->a, "PROCTIME_MATERIALIZE(%.*s)", WR_STR_ARG(text));
    const wr_type *plain = wri_rel_type_plain(b->a, type);
    if (!plain) return (wr_str){0};
    wr_str name = wr_type_str(plain, WR_TYPE_CALCITE, b->a);
    return wr_arena_printf(b->a, m->define ? "CAST(%.*s):%.*s" : "CAST(%.*s AS %.*s)",
                           WR_STR_ARG(text), WR_STR_ARG(name));
}

/* ---- references ------------------------------------------------------------------------------ */
static wr_status
keep(wri_binder *b, const wri_match *m, wr_expr *e, uint32_t *col)
{
    wri_expr_list *l = m->kept;
    for (uint32_t i = 0; i < l->count; i++)
        if (wr_expr_equal(l->items[i], e)) {
            *col = i;
            return WR_OK;
        }
    *col = l->count;
    return wr_list_push(b->a, l, e) ? WR_OK : NOMEM(b);
}

static wr_status
add_ref(wri_binder *b, const wri_match *m, const wr_match_ref *ref, wr_span span, wr_expr **out)
{
    WR_TRY_ALLOC(b->ctx, ref->text.ptr);
    uint32_t at = 0;
    while (at < m->refs->count) {
        const wr_match_ref *r = &m->refs->items[at];
        if (r->kind == ref->kind && r->type == ref->type && wr_str_eq(r->text, ref->text)) break;
        at++;
    }
    if (at == m->refs->count && !wr_list_push(b->a, m->refs, *ref)) return NOMEM(b);
    *out = wr_expr_column(b->a, at, ref->type, span);
    WR_TRY_ALLOC(b->ctx, *out);
    return WR_OK;
}

/* Inside FIRST, LAST and aggregates all names mean rows of one variable. */
static void
note_variable(const wri_match *m, wr_str name, uint64_t vars)
{
    wri_match_arg *arg = m->arg;
    if (arg->named && !wr_str_eq(arg->name, name)) arg->several = true;
    arg->named = true;
    arg->name = name;
    arg->vars = vars;
}

static wr_status
fields_of(wri_binder *b, const wr_ast_ident *id, uint32_t from, wr_expr **e)
{
    for (uint32_t i = from; i < id->part_count; i++)
        WR_TRY(wri_bind_field(b, *e, id->parts[i].name, wri_bind_span(b, &id->base), e));
    return WR_OK;
}

/* FIRST(A.x, n), LAST(A.x, n): also what A.x alone stands for. */
static wr_status
add_row_ref(wri_binder *b, const wri_match *m, wr_str var, uint64_t vars, uint32_t col,
            wr_span span, wr_expr **out)
{
    const wr_type *type = m->input->schema.fields[col].type;
    if (m->define || m->offset || (vars & m->certain) == 0)
        type = wr_type_nullable(b->a, type, true); /* there may be no such row */
    WR_TRY_ALLOC(b->ctx, type);
    const bool inside = m->mode == WRI_MATCH_NAVIGATE;
    wr_match_ref ref = {.kind = m->first ? WR_MATCH_FIRST : WR_MATCH_LAST,
                        .vars = vars,
                        .col = col,
                        .offset = m->offset,
                        .type = type};
    const bool own = vars && (vars == WR_MATCH_ALL || vars == m->define_set);
    if (m->define && own && !m->first && m->offset == 0) ref.kind = WR_MATCH_CURRENT;
    const char *shown = m->first ? "FIRST" : "LAST";
    if (!inside && m->define && vars == m->define_set) shown = "PREV";
    if (!inside && !m->define) shown = NULL;
    for (int plan = 0; plan < 2; plan++) {
        wr_str *text = plan ? &ref.plan_text : &ref.text;
        *text = column_text(b, m, var, col, plan);
        WR_TRY_ALLOC(b->ctx, text->ptr);
        if (shown)
            *text = wr_arena_printf(b->a, "%s(%.*s, %u)", shown, WR_STR_ARG(*text), m->offset);
        WR_TRY_ALLOC(b->ctx, text->ptr);
    }
    if (ref.kind != WR_MATCH_CURRENT) {
        wr_expr *e = wr_expr_column(b->a, col, m->input->schema.fields[col].type, span);
        WR_TRY_ALLOC(b->ctx, e);
        WR_TRY(keep(b, m, e, &ref.col));
    }
    return add_ref(b, m, &ref, span, out);
}

wr_status
wri_match_resolve(wri_binder *b, const wri_match *m, const wr_ast_ident *id, wr_expr **out)
{
    wr_span span = wri_bind_span(b, &id->base);
    wr_str var;
    uint64_t vars;
    uint32_t col = 0;
    WR_TRY(find_variable(b, m, id, &var, &vars));
    WR_TRY(find_column(b, m, id, &col));
    if (m->mode != WRI_MATCH_PLAIN) note_variable(m, var, vars);
    if (m->mode == WRI_MATCH_AGGREGATE) {
        *out = wr_expr_column(b->a, col, m->input->schema.fields[col].type, span);
        WR_TRY_ALLOC(b->ctx, *out);
    } else {
        WR_TRY(add_row_ref(b, m, var, vars, col, span, out));
    }
    return fields_of(b, id, 2, out);
}

/* ---- FIRST, LAST ----------------------------------------------------------------------------- */
/* The call as the validator prints it: SUM(`A`.`v` + `*`.`v`). */
static wr_str
call_text(wri_binder *b, const wr_ast *e, const wr_ast_call *nav, int64_t offset)
{
    wr_text t;
    wr_text_init(&t, b->a);
    if (!nav) {
        wr_sql_print(e, &t);
        return wr_text_str(&t);
    }
    wr_text_printf(&t, "%.*s(", WR_STR_ARG(nav->name->parts[0].name));
    if (nav->args.count) wr_sql_print(nav->args.items[0], &t);
    wr_text_printf(&t, ", %lld)", (long long)offset);
    return wr_text_str(&t);
}

static wr_status
offset_of(wri_binder *b, const wr_ast_call *c, int64_t *out)
{
    if (c->args.count < 2) return WR_OK;
    const wr_ast *e = c->args.items[1];
    const wr_span span = wri_bind_span(b, e);
    const wr_ast_literal *l =
        e->kind == WR_AST_LITERAL ? WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, e) : NULL;
    wr_expr *n = NULL;
    if (!l || l->lit != WR_SQL_LIT_INTEGER)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                           "the offset of FIRST and LAST is a number that is written down");
    WR_TRY(wri_bind_literal(b, l, false, span, &n));
    if (!wr_type_is(n->type, WR_T_INT))
        return wr_raise_at(b->ctx, WR_LIMIT, span, "the offset of FIRST and LAST is too large");
    *out = n->value.u.i;
    return WR_OK;
}

static wr_status
bind_navigation(wri_binder *b, const wri_where *w, const wr_ast_call *c, bool first, wr_expr **out)
{
    const wri_match *m = w->match;
    const wr_span span = wri_bind_span(b, &c->base);
    int64_t offset = 0;
    if (c->args.count == 0 || c->args.count > 2)
        return wr_raise_at(b->ctx, WR_TYPE, span,
                           "Invalid number of arguments to function '%s'. Was expecting 2 "
                           "arguments",
                           first ? "FIRST" : "LAST");
    WR_TRY(offset_of(b, c, &offset));
    wr_str text = call_text(b, &c->base, c, offset);
    WR_TRY_ALLOC(b->ctx, text.ptr);
    if (m->mode == WRI_MATCH_NAVIGATE)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                           "Cannot nest PREV/NEXT under LAST/FIRST '%.*s'", WR_STR_ARG(text));
    if (m->mode == WRI_MATCH_AGGREGATE)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span,
                           "FIRST and LAST inside an aggregate are not supported");
    wri_match_arg arg = {0};
    wri_match inner = *m;
    inner.mode = WRI_MATCH_NAVIGATE;
    inner.first = first;
    inner.offset = (uint32_t)offset;
    inner.arg = &arg;
    wri_where iw = *w;
    iw.match = &inner;
    WR_TRY(wri_bind_expr(b, &iw, c->args.items[0], out));
    if (arg.several)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span, "Multiple pattern variables in '%.*s'",
                           WR_STR_ARG(text));
    return WR_OK;
}

/* ---- aggregates ------------------------------------------------------------------------------ */
static wr_status
check_aggregate(wri_binder *b, const wri_match *m, const wr_ast_call *c, const wr_fn *fn)
{
    const wr_span span = wri_bind_span(b, &c->base);
    wr_str text = call_text(b, &c->base, NULL, 0);
    WR_TRY_ALLOC(b->ctx, text.ptr);
    if (m->mode == WRI_MATCH_NAVIGATE)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span, "Cannot use aggregation in navigation '%.*s'",
                           WR_STR_ARG(text));
    if (m->mode == WRI_MATCH_AGGREGATE)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span, "Aggregate expressions cannot be nested");
    if (c->quantifier != WR_SQL_QUANT_NONE)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span, "DISTINCT/ALL not allowed with %.*s function",
                           WR_STR_ARG(text));
    if (c->filter)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span, UNSUPPORTED_CALL, "FILTER(...)");
    if (c->within_group.count || c->order_by.count || c->syntax == WR_SQL_CALL_JSON)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span,
                           "%s with further clauses is not supported inside MATCH_RECOGNIZE",
                           fn->name);
    return WR_OK;
}

static bool
counts_rows(const wr_ast_call *c, const wr_fn *fn)
{
    if (strcmp(fn->name, "COUNT") != 0 || c->args.count != 1) return false;
    const wr_ast *e = c->args.items[0];
    return e->kind == WR_AST_IDENT && WR_AST_AS(wr_ast_ident, WR_AST_IDENT, e)->star &&
           WR_AST_AS(wr_ast_ident, WR_AST_IDENT, e)->part_count == 0;
}

/* "B.$2" for the columns of the argument of an aggregate. */
static wr_status
print_args(wri_binder *b, const wri_match *m, wr_str var, wr_expr *const *args, uint32_t n,
           bool plan, wr_text *t)
{
    const wr_schema *s = &m->input->schema;
    wr_field *names = WR_NEW_N(b->a, wr_field, s->count + 1);
    WR_TRY_ALLOC(b->ctx, names);
    for (uint32_t i = 0; i < s->count; i++) {
        names[i] = s->fields[i];
        names[i].name = column_text(b, m, var, i, plan);
        WR_TRY_ALLOC(b->ctx, names[i].name.ptr);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (i) wr_text_puts(t, ", ");
        wr_expr_print(args[i], WR_EXPR_PREFIX, names, t);
    }
    return WR_OK;
}

/* AVG shows as what Flink computes it by. */
static wr_status
average_text(wri_binder *b, const wri_match *m, wr_str arg, const wr_match_ref *ref, wr_str *out)
{
    const wr_type *plain = wr_type_nullable(b->a, ref->type, true);
    WR_TRY_ALLOC(b->ctx, plain);
    wr_str type = wr_type_str(plain, WR_TYPE_CALCITE, b->a);
    const char *to = m->define ? "):" : " AS ", *end = m->define ? "" : ")";
    if (wr_type_is(plain, WR_T_DOUBLE))
        *out = wr_arena_printf(b->a, "/(SUM(%.*s), COUNT(%.*s))", WR_STR_ARG(arg), WR_STR_ARG(arg));
    else if (wr_type_is(plain, WR_T_DECIMAL))
        *out = wr_arena_printf(b->a, "/(CAST(SUM(%.*s)%s%.*s%s, COUNT(%.*s))", WR_STR_ARG(arg), to,
                               WR_STR_ARG(type), end, WR_STR_ARG(arg));
    else
        *out = wr_arena_printf(b->a, "CAST(/(SUM(%.*s), COUNT(%.*s))%s%.*s%s", WR_STR_ARG(arg),
                               WR_STR_ARG(arg), to, WR_STR_ARG(type), end);
    WR_TRY_ALLOC(b->ctx, out->ptr);
    return WR_OK;
}

static wr_status
aggregate_text(wri_binder *b, const wri_match *m, wr_str var, const wr_match_ref *ref,
               wr_expr *const *args, uint32_t n, bool plan, wr_str *out)
{
    wr_text t;
    wr_text_init(&t, b->a);
    WR_TRY(print_args(b, m, var, args, n, plan, &t));
    wr_str arg = wr_text_str(&t);
    const char *name = ref->agg.fn->name;
    if (strcmp(name, "AVG") == 0) return average_text(b, m, arg, ref, out);
    *out = wr_arena_printf(b->a, "%s(%.*s)", name, WR_STR_ARG(arg));
    WR_TRY_ALLOC(b->ctx, out->ptr);
    return WR_OK;
}

static wr_status
keep_args(wri_binder *b, const wri_match *m, wr_agg_bound *agg, wr_expr **args, uint32_t n)
{
    uint32_t *cols = WR_NEW_N(b->a, uint32_t, n + 1);
    WR_TRY_ALLOC(b->ctx, cols);
    for (uint32_t i = 0; i < n; i++) {
        wr_expr *e = args[i];
        if (agg->arg_types) e = wr_expr_cast(b->a, e, agg->arg_types[i], false, e->span);
        WR_TRY_ALLOC(b->ctx, e);
        WR_TRY(keep(b, m, e, &cols[i]));
    }
    agg->args = cols;
    agg->arg_count = n;
    agg->filter = -1;
    return WR_OK;
}

static wr_status
bind_args(wri_binder *b, const wri_where *w, const wr_ast_call *c, const wr_fn *fn,
          wri_match_arg *arg, wr_expr ***args, uint32_t *n)
{
    const wr_span span = wri_bind_span(b, &c->base);
    wri_match inner = *w->match;
    inner.mode = WRI_MATCH_AGGREGATE;
    inner.arg = arg;
    wri_where iw = *w;
    iw.match = &inner;
    WR_TRY(wri_bind_args(b, &iw, c, fn, args, n));
    if (!arg->several && arg->named) return WR_OK;
    wr_str text = call_text(b, &c->base, NULL, 0);
    WR_TRY_ALLOC(b->ctx, text.ptr);
    return wr_raise_at(b->ctx, WR_SEMANTIC, span, "%s in '%.*s'",
                       arg->several ? "Multiple pattern variables" : "Null parameters",
                       WR_STR_ARG(text));
}

static wr_status
bind_aggregate(wri_binder *b, const wri_where *w, const wr_ast_call *c, const wr_fn *fn,
               wr_expr **out)
{
    const wri_match *m = w->match;
    const wr_span span = wri_bind_span(b, &c->base);
    wr_expr *none[1] = {NULL}, **args = none;
    uint32_t n = 0;
    wri_match_arg arg = {.name = WR_STR("*"), .vars = WR_MATCH_ALL};
    wr_match_ref ref = {.kind = WR_MATCH_AGG};
    WR_TRY(check_aggregate(b, m, c, fn));
    if (!counts_rows(c, fn)) WR_TRY(bind_args(b, w, c, fn, &arg, &args, &n));
    WR_TRY(wr_agg_resolve(b->ctx, b->a, b->env->eval, fn, c->name->parts[0].name, args, n, false,
                          c->nulls == WR_SQL_TREAT_IGNORE, false, NULL, span, &ref.agg));
    ref.agg.fn = fn;
    ref.agg.ignore_nulls = c->nulls == WR_SQL_TREAT_IGNORE;
    ref.agg.span = span;
    ref.vars = arg.vars;
    ref.type = ref.agg.type;
    if (ref.agg.ops->aux != WR_AGG_AUX_NONE)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span,
                           "%s is not supported inside MATCH_RECOGNIZE", fn->name);
    WR_TRY(keep_args(b, m, &ref.agg, args, n));
    WR_TRY(aggregate_text(b, m, arg.name, &ref, args, n, false, &ref.text));
    WR_TRY(aggregate_text(b, m, arg.name, &ref, args, n, true, &ref.plan_text));
    return add_ref(b, m, &ref, span, out);
}

/* ---- other calls ----------------------------------------------------------------------------- */
static wr_status
bind_time(wri_binder *b, const wri_where *w, const wr_ast_call *c, bool rowtime, wr_expr **out)
{
    const wri_match *m = w->match;
    const wr_span span = wri_bind_span(b, &c->base);
    wr_match_ref ref = {.kind = rowtime ? WR_MATCH_ROWTIME : WR_MATCH_PROCTIME,
                        .text = rowtime ? WR_STR("MATCH_ROWTIME()") : WR_STR("MATCH_PROCTIME()")};
    const wr_type *type =
        wr_type_time(b->a, rowtime ? WR_T_TIMESTAMP : WR_T_TIMESTAMP_LTZ, 3, false);
    WR_TRY_ALLOC(b->ctx, type);
    if (rowtime && c->args.count == 1) {
        wr_expr *arg = NULL;
        WR_TRY(wri_bind_expr(b, w, c->args.items[0], &arg));
        if (arg->type->attr != WR_ATTR_ROWTIME)
            return wr_raise_at(b->ctx, WR_TYPE, span,
                               "The function MATCH_ROWTIME requires argument to be a row time "
                               "attribute type, but is '%.*s'.",
                               WR_STR_ARG(wr_type_str(arg->type, WR_TYPE_SUMMARY, b->a)));
        type = arg->type;
        ref.text = wr_arena_printf(b->a, "MATCH_ROWTIME(%.*s)",
                                   WR_STR_ARG(m->refs->items[arg->index].text));
    } else if (c->args.count) {
        return wr_raise_at(b->ctx, WR_TYPE, span,
                           "Invalid number of arguments to function '%s'. Was expecting 0 "
                           "arguments",
                           rowtime ? "MATCH_ROWTIME" : "MATCH_PROCTIME");
    }
    ref.plan_text = ref.text;
    ref.type = wr_type_attr(b->a, type, rowtime ? WR_ATTR_ROWTIME : WR_ATTR_PROCTIME);
    WR_TRY_ALLOC(b->ctx, ref.type);
    return add_ref(b, m, &ref, span, out);
}

typedef enum match_call {
    CALL_NONE,
    CALL_FIRST,
    CALL_LAST,
    CALL_PREV,
    CALL_NEXT,
    CALL_CLASSIFIER,
    CALL_NUMBER,
    CALL_ROWTIME,
    CALL_PROCTIME
} match_call;

static match_call
call_kind(const wr_ast_call *c)
{
    static const char *const names[] = {
        "",           "FIRST",        "LAST",          "PREV",          "NEXT",
        "CLASSIFIER", "MATCH_NUMBER", "MATCH_ROWTIME", "MATCH_PROCTIME"};
    if (c->name->part_count != 1) return CALL_NONE;
    for (uint32_t i = 1; i < WR_COUNT(names); i++)
        if (wr_str_eq_nocase(c->name->parts[0].name, wr_str_c(names[i]))) return (match_call)i;
    return CALL_NONE;
}

static wr_status
refuse_offset(wri_binder *b, const wri_match *m, const wr_ast_call *c)
{
    const wr_span span = wri_bind_span(b, &c->base);
    if (m->define)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span,
                           "Flink does not support physical offsets within partition.");
    int64_t offset = 1;
    WR_TRY(offset_of(b, c, &offset));
    wr_str text = call_text(b, &c->base, c, offset);
    WR_TRY_ALLOC(b->ctx, text.ptr);
    return wr_raise_at(b->ctx, WR_SEMANTIC, span, "Cannot use PREV/NEXT in MEASURE '%.*s'",
                       WR_STR_ARG(text));
}

wr_status
wri_match_call(wri_binder *b, const wri_where *w, const wr_ast_call *c, wr_expr **out, bool *done)
{
    const wr_span span = wri_bind_span(b, &c->base);
    *done = true;
    switch (call_kind(c)) {
    case CALL_FIRST:
        return bind_navigation(b, w, c, true, out);
    case CALL_LAST:
        return bind_navigation(b, w, c, false, out);
    case CALL_PREV:
    case CALL_NEXT:
        return refuse_offset(b, w->match, c);
    case CALL_CLASSIFIER:
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span, UNSUPPORTED_CALL, "CLASSIFIER()");
    case CALL_NUMBER:
        return wr_raise_at(b->ctx, WR_NAME, span,
                           "No match found for function signature MATCH_NUMBER().\nSupported "
                           "signatures are:\n'MATCH_NUMBER()'");
    case CALL_ROWTIME:
        return bind_time(b, w, c, true, out);
    case CALL_PROCTIME:
        return bind_time(b, w, c, false, out);
    case CALL_NONE:
        break;
    }
    const wr_fn *fn = c->name->part_count == 1 ? wr_fn_find(c->name->parts[0].name) : NULL;
    if (fn && fn->kind == WR_FN_AGGREGATE && !c->over && !c->over_name.name.ptr)
        return bind_aggregate(b, w, c, fn, out);
    *done = false;
    return WR_OK;
}

wr_status
wri_match_only(wri_binder *b, const wr_ast_call *c)
{
    const match_call kind = call_kind(c);
    if (kind == CALL_NONE) return WR_OK;
    const bool offset = kind >= CALL_FIRST && kind <= CALL_NEXT;
    int64_t n = kind == CALL_PREV || kind == CALL_NEXT;
    if (offset) WR_TRY(offset_of(b, c, &n));
    wr_str text = call_text(b, &c->base, offset ? c : NULL, n);
    WR_TRY_ALLOC(b->ctx, text.ptr);
    return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, &c->base),
                       "Function '%.*s' can only be used in MATCH_RECOGNIZE", WR_STR_ARG(text));
}

wr_status
wri_match_unary(wri_binder *b, const wri_where *w, const wr_ast_unary *u, wr_expr **out)
{
    if (u->op == WR_SQL_UNOP_FINAL) return wri_bind_expr(b, w, u->arg, out);
    WR_TRY(wri_bind_expr(b, w, u->arg, out));
    wr_str type = wr_type_str((*out)->type, WR_TYPE_SUMMARY, b->a);
    wr_str text = wr_arena_printf(b->a, "RUNNING(%.*s)", WR_STR_ARG(type));
    WR_TRY_ALLOC(b->ctx, text.ptr);
    return wr_raise_at(b->ctx, WR_UNSUPPORTED, wri_bind_span(b, &u->base), UNSUPPORTED_CALL,
                       text.ptr);
}
