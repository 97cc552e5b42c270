/* SPDX-License-Identifier: Apache-2.0 */
/* Queries as a whole: WITH, set operations, VALUES, ORDER BY and LIMIT around them, and the entry
 * points of the binder. The body of a SELECT is in bind_select.c. */
#include "plan/bind_int.h"

/* ---- LIMIT, ORDER BY ------------------------------------------------------------------------- */
static wr_status
limit_value(wri_binder *b, const wr_ast *e, const char *what, int64_t *out)
{
    wr_span span = wri_bind_span(b, e);
    if (e->kind != WR_AST_LITERAL)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span, "%s wants a number", what);
    wr_expr *v = NULL;
    WR_TRY(wri_bind_literal(b, WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, e), false, span, &v));
    if (!wr_type_is_numeric(v->type))
        return wr_raise_at(b->ctx, WR_TYPE, span, "%s wants a number", what);
    wr_expr *cast = wr_expr_cast(b->a, v, wr_type_of(WR_T_BIGINT, false), false, span);
    WR_TRY_ALLOC(b->ctx, cast);
    WR_TRY(wr_expr_fold(b->ctx, b->a, b->env->eval, cast, &v));
    WR_ASSERT(v->kind == WR_EX_LITERAL);
    *out = v->value.u.i;
    return WR_OK;
}

wr_status
wri_bind_limits(wri_binder *b, const wr_ast_query *q, int64_t *offset, int64_t *fetch)
{
    *offset = 0;
    *fetch = -1;
    if (q->offset) WR_TRY(limit_value(b, q->offset, "OFFSET", offset));
    if (q->fetch) WR_TRY(limit_value(b, q->fetch, "LIMIT", fetch));
    return WR_OK;
}

wr_status
wri_bind_order_key(wri_binder *b, const wr_ast_order_item *o, uint32_t col, const wr_type *type,
                   wr_order_key *out)
{
    if (wr_type_is(type, WR_T_MAP) || wr_type_is(type, WR_T_MULTISET) ||
        wr_type_is(type, WR_T_VARIANT) || wr_type_is(type, WR_T_BITMAP))
        return wr_raise_at(b->ctx, WR_TYPE, wri_bind_span(b, &o->base),
                           "Type(%.*s) is not an orderable data type, it is not supported as a "
                           "ORDER_BY/GROUP_BY/JOIN_EQUAL field.",
                           WR_STR_ARG(wr_type_str(type, WR_TYPE_SUMMARY, b->a)));
    out->col = col;
    out->desc = o->direction == WR_SQL_DIR_DESC;
    out->nulls_last = o->nulls == WR_SQL_NULLS_NONE ? out->desc : o->nulls == WR_SQL_NULLS_LAST;
    return WR_OK;
}

bool
wri_bind_is_ordinal(const wr_ast *e, int64_t *n)
{
    if (e->kind != WR_AST_LITERAL) return false;
    const wr_ast_literal *l = WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, e);
    if (l->lit != WR_SQL_LIT_INTEGER) return false;
    *n = 0;
    for (size_t i = 0; i < l->text.len && *n < INT32_MAX; i++)
        *n = *n * 10 + (l->text.ptr[i] - '0');
    return true;
}

wr_status
wri_bind_sort(wri_binder *b, wr_rel *input, const wr_order_key *keys, uint32_t count,
              int64_t offset, int64_t fetch, wr_rel **out)
{
    *out = input;
    if (count == 0 && offset == 0 && fetch < 0) return WR_OK;
    wr_rel *rel = wri_rel_new(b->a, WR_REL_SORT, &input, 1);
    WR_TRY_ALLOC(b->ctx, rel);
    rel->schema = input->schema;
    rel->u.sort.keys = WR_NEW_N(b->a, wr_order_key, count + 1);
    WR_TRY_ALLOC(b->ctx, rel->u.sort.keys);
    for (uint32_t i = 0; i < count; i++) rel->u.sort.keys[i] = keys[i];
    rel->u.sort.key_count = count;
    rel->u.sort.offset = offset;
    rel->u.sort.fetch = fetch;
    *out = rel;
    return WR_OK;
}

/* ORDER BY over a body that is no SELECT: its output columns, by name, number or expression. */
static wr_status
order_plain(wri_binder *b, const wr_ast_query *q, const wri_scope *outer, bool top, wr_rel **rel)
{
    int64_t offset, fetch;
    WR_TRY(wri_bind_limits(b, q, &offset, &fetch));
    uint32_t n = q->order_by.count, width = (*rel)->schema.count, cols = width;
    if (!top && fetch < 0 && offset == 0) n = 0;
    wr_order_key *keys = WR_NEW_N(b->a, wr_order_key, n + 1);
    wr_expr **exprs = WR_NEW_N(b->a, wr_expr *, width + n + 1);
    WR_TRY_ALLOC(b->ctx, keys);
    WR_TRY_ALLOC(b->ctx, exprs);
    for (uint32_t i = 0; i < width; i++) exprs[i] = wri_rex_col(b->a, *rel, i);
    wri_scope scope;
    WR_TRY(wri_bind_scope_single(b, *rel, WR_STR(""), NULL, q->order_span, &scope));
    scope.outer = outer;
    wri_where w = {.scope = &scope, .clause = "ORDER BY"};
    for (uint32_t i = 0; i < n; i++) {
        const wr_ast_order_item *o =
            WR_AST_AS(wr_ast_order_item, WR_AST_ORDER_ITEM, q->order_by.items[i]);
        wr_expr *e = NULL;
        int64_t ordinal = 0;
        uint32_t col = cols;
        if (wri_bind_is_ordinal(o->expr, &ordinal)) {
            if (ordinal < 1 || ordinal > width)
                return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, o->expr),
                                   "Ordinal out of range");
            e = exprs[ordinal - 1];
        } else {
            WR_TRY(wri_bind_expr_as(b, &w, o->expr, NULL, &e));
        }
        if (e->kind == WR_EX_COLUMN)
            col = e->index;
        else
            exprs[cols++] = e;
        WR_TRY(wri_bind_order_key(b, o, col, e->type, &keys[i]));
    }
    wr_rel *body = *rel;
    if (cols > width) body = wri_rel_project(b->a, body, exprs, NULL, cols);
    WR_TRY_ALLOC(b->ctx, body);
    WR_TRY(wri_bind_sort(b, body, keys, n, offset, fetch, &body));
    if (cols > width) body = wri_rel_project(b->a, body, exprs, NULL, width);
    WR_TRY_ALLOC(b->ctx, body);
    *rel = body;
    return WR_OK;
}

/* ---- set operations -------------------------------------------------------------------------- */
static const char *
setop_name(const wr_ast_setop *s)
{
    static const char *const names[3][2] = {
        {"UNION", "UNION ALL"}, {"INTERSECT", "INTERSECT ALL"}, {"EXCEPT", "EXCEPT ALL"}};
    return names[s->op][s->all];
}

/* Where a message about column i (or all) of a query points. */
static wr_span
column_span(const wri_binder *b, const wr_ast *q, uint32_t i, bool all)
{
    wr_span span = q->span;
    if (q->kind == WR_AST_SELECT) {
        const wr_ast_select *s = WR_AST_AS(wr_ast_select, WR_AST_SELECT, q);
        if (all && s->items.count)
            span = (wr_span){s->items.items[0]->span.start,
                             s->items.items[s->items.count - 1]->span.end};
        else if (i < s->items.count)
            span = s->items.items[i]->span;
    } else if (q->kind == WR_AST_SETOP) {
        return column_span(b, WR_AST_AS(wr_ast_setop, WR_AST_SETOP, q)->left, i, all);
    }
    return wri_bind_part_span(b, span);
}

/* Of a plain time to the event time that it meets in the first branch: the types differ in nothing
 * else, so that wr_expr_cast would leave it out. */
static wr_expr *
time_cast(wr_arena *a, wr_expr *e, const wr_type *to)
{
    if (!wr_type_eq_ignoring_null(e->type, to)) return wr_expr_cast(a, e, to, false, WR_NO_SPAN);
    wr_expr *x = WR_NEW(a, wr_expr);
    wr_expr **args = WR_NEW_N(a, wr_expr *, 1);
    if (!x || !args) return NULL;
    args[0] = e;
    *x = (wr_expr){.kind = WR_EX_CAST, .type = to, .args = args, .arg_count = 1, .span = e->span};
    return x;
}

/* To the common types. */
static wr_status
cast_columns(wri_binder *b, wr_rel *rel, const wr_type *const *types, wr_rel **out)
{
    bool same = true;
    uint32_t n = rel->schema.count;
    wr_expr **exprs = WR_NEW_N(b->a, wr_expr *, n + 1);
    wr_str *names = WR_NEW_N(b->a, wr_str, n + 1);
    WR_TRY_ALLOC(b->ctx, exprs);
    WR_TRY_ALLOC(b->ctx, names);
    for (uint32_t i = 0; i < n; i++) {
        const wr_type *from = rel->schema.fields[i].type;
        names[i] = rel->schema.fields[i].name;
        exprs[i] = wri_rex_col(b->a, rel, i);
        WR_TRY_ALLOC(b->ctx, exprs[i]);
        const bool becomes_time = types[i]->attr == WR_ATTR_ROWTIME && from->attr == WR_ATTR_NONE;
        if (!becomes_time && wr_type_eq_ignoring_null(from, types[i])) continue;
        const bool null = from->nullable || (becomes_time && types[i]->nullable);
        const wr_type *to = wr_type_nullable(b->a, types[i], null);
        WR_TRY_ALLOC(b->ctx, to);
        exprs[i] = becomes_time ? time_cast(b->a, exprs[i], to)
                                : wr_expr_cast(b->a, exprs[i], to, false, WR_NO_SPAN);
        WR_TRY_ALLOC(b->ctx, exprs[i]);
        same = false;
    }
    *out = same ? rel : wri_rel_project(b->a, rel, exprs, names, n);
    WR_TRY_ALLOC(b->ctx, *out);
    if (!same) (*out)->u.project.coerced = true;
    return WR_OK;
}

static wr_status
combine(wri_binder *b, const wr_ast_setop *s, wr_rel *in[2], wr_rel **out)
{
    wr_rel *flat[2] = {in[0], in[1]};
    wr_rel *rel = wri_rel_union_all(b->a, flat, 2);
    WR_TRY_ALLOC(b->ctx, rel);
    rel->span = wri_bind_part_span(b, s->op_span);
    rel->u.setop.op = s->op == WR_SQL_SETOP_UNION       ? WR_SETOP_UNION
                      : s->op == WR_SQL_SETOP_INTERSECT ? WR_SETOP_INTERSECT
                                                        : WR_SETOP_EXCEPT;
    rel->u.setop.all = s->all;
    *out = rel;
    return WR_OK;
}

/* A time attribute of the first query stays one if the common type is its own. */
static const wr_type *
time_of_first(const wri_binder *b, const wr_type *first, const wr_type *common)
{
    if (first->attr == WR_ATTR_NONE || common->attr != WR_ATTR_NONE) return common;
    const wr_type *timed = wr_type_attr(b->a, common, (wr_timeattr)first->attr);
    return timed && wr_type_eq_ignoring_null(timed, first) ? timed : common;
}

static wr_status
bind_setop(wri_binder *b, const wr_ast_setop *s, const wri_scope *outer, wr_rel **out)
{
    wr_rel *in[2];
    WR_TRY(wri_bind_any_query(b, s->left, outer, &in[0]));
    WR_TRY(wri_bind_any_query(b, s->right, outer, &in[1]));
    b->raw_names = NULL;
    uint32_t n = in[0]->schema.count;
    if (in[1]->schema.count != n)
        return wr_raise_at(b->ctx, WR_TYPE, column_span(b, s->right, 0, true),
                           "Column count mismatch in %s", setop_name(s));
    const wr_type **types = WR_NEW_N(b->a, const wr_type *, n + 1);
    WR_TRY_ALLOC(b->ctx, types);
    for (uint32_t i = 0; i < n; i++) {
        const wr_type *pair[2] = {in[0]->schema.fields[i].type, in[1]->schema.fields[i].type};
        types[i] = wr_type_eq_ignoring_null(pair[0], pair[1])
                       ? pair[0]
                       : wr_type_least_restrictive(b->a, pair, 2);
        if (types[i]) types[i] = time_of_first(b, pair[0], types[i]);
        if (!types[i])
            return wr_raise_at(b->ctx, WR_TYPE, column_span(b, s->left, i, false),
                               "Type mismatch in column %u of %s", i + 1, setop_name(s));
    }
    for (uint32_t i = 0; i < 2; i++) WR_TRY(cast_columns(b, in[i], types, &in[i]));
    return combine(b, s, in, out);
}

/* ---- VALUES ---------------------------------------------------------------------------------- */
static wr_status
values_types(wri_binder *b, const wr_ast_values *v, wr_expr ***rows, uint32_t width,
             wr_schema *schema)
{
    wr_field *fields = WR_NEW_N(b->a, wr_field, width + 1);
    const wr_type **types = WR_NEW_N(b->a, const wr_type *, v->rows.count + 1);
    WR_TRY_ALLOC(b->ctx, fields);
    WR_TRY_ALLOC(b->ctx, types);
    for (uint32_t c = 0; c < width; c++) {
        for (uint32_t r = 0; r < v->rows.count; r++) types[r] = rows[r][c]->type;
        const wr_type *t = wr_type_least_restrictive(b->a, types, v->rows.count);
        if (!t)
            return wr_raise_at(b->ctx, WR_TYPE, wri_bind_span(b, &v->base),
                               "Values passed to VALUES operator must have compatible types");
        fields[c].type = t = wri_rel_type_plain(b->a, t);
        const wr_ast *first =
            WR_AST_AS(wr_ast_constructor, WR_AST_CONSTRUCTOR, v->rows.items[0])->items.items[c];
        fields[c].name = wr_ast_bare_call(first);
        if (!fields[c].name.len) fields[c].name = wr_arena_printf(b->a, "EXPR$%u", c);
        fields[c].comment = WR_STR("");
        WR_TRY_ALLOC(b->ctx, fields[c].name.ptr);
        for (uint32_t r = 0; r < v->rows.count; r++) {
            wr_expr *e = rows[r][c];
            if (wr_type_eq_ignoring_null(e->type, t) && e->type->attr == WR_ATTR_NONE) continue;
            const wr_type *to = wr_type_nullable(b->a, t, e->type->nullable);
            WR_TRY_ALLOC(b->ctx, to);
            rows[r][c] = wr_expr_cast(b->a, e, to, false, e->span);
            WR_TRY_ALLOC(b->ctx, rows[r][c]);
        }
    }
    *schema = (wr_schema){fields, width};
    return WR_OK;
}

wr_status
wri_bind_values(wri_binder *b, const wr_ast_values *v, const wri_scope *outer, wr_rel **out)
{
    wri_scope nothing = {.outer = outer};
    wri_where w = {.scope = &nothing, .clause = "VALUES"};
    wr_expr ***rows = WR_NEW_N(b->a, wr_expr **, v->rows.count + 1);
    WR_TRY_ALLOC(b->ctx, rows);
    uint32_t width = 0;
    bool subqueries = false;
    for (uint32_t r = 0; r < v->rows.count; r++) {
        const wr_ast_constructor *row =
            WR_AST_AS(wr_ast_constructor, WR_AST_CONSTRUCTOR, v->rows.items[r]);
        if (r == 0) width = row->items.count;
        if (row->items.count != width)
            return wr_raise_at(b->ctx, WR_TYPE, wri_bind_span(b, &v->base),
                               "Values passed to VALUES operator must have compatible types");
        rows[r] = WR_NEW_N(b->a, wr_expr *, width + 1);
        WR_TRY_ALLOC(b->ctx, rows[r]);
        for (uint32_t c = 0; c < width; c++) {
            WR_TRY(wri_bind_expr_as(b, &w, row->items.items[c], NULL, &rows[r][c]));
            subqueries |= wri_rex_has_subquery(rows[r][c]);
        }
    }
    wr_schema schema;
    WR_TRY(values_types(b, v, rows, width, &schema));
    if (!subqueries) {
        *out = wri_rel_values(b->a, &schema, rows, v->rows.count);
        WR_TRY_ALLOC(b->ctx, *out);
        return WR_OK;
    }
    wr_rel **each = WR_NEW_N(b->a, wr_rel *, v->rows.count);
    wr_str *names = WR_NEW_N(b->a, wr_str, width + 1);
    WR_TRY_ALLOC(b->ctx, each);
    WR_TRY_ALLOC(b->ctx, names);
    for (uint32_t c = 0; c < width; c++) names[c] = schema.fields[c].name;
    for (uint32_t r = 0; r < v->rows.count; r++) {
        wr_rel *one = wri_rel_one_row(b->a);
        WR_TRY_ALLOC(b->ctx, one);
        each[r] = wri_rel_project(b->a, one, rows[r], names, width);
        WR_TRY_ALLOC(b->ctx, each[r]);
    }
    *out = v->rows.count == 1 ? each[0] : wri_rel_union_all(b->a, each, v->rows.count);
    WR_TRY_ALLOC(b->ctx, *out);
    return WR_OK;
}

/* ---- WITH, dispatch -------------------------------------------------------------------------- */
static wr_status
open_ctes(wri_binder *b, const wr_ast_query *q, const wri_scope *outer)
{
    if (q->recursive)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, wri_bind_span(b, q->with.items[0]),
                           "WITH RECURSIVE is not supported");
    for (uint32_t i = 0; i < q->with.count; i++) {
        wri_cte *cte = WR_NEW(b->a, wri_cte);
        WR_TRY_ALLOC(b->ctx, cte);
        cte->ast = WR_AST_AS(wr_ast_cte, WR_AST_CTE, q->with.items[i]);
        cte->name = cte->ast->name.name;
        cte->outer = outer;
        cte->level = b->level;
        cte->next = b->ctes;
        b->ctes = cte;
    }
    return WR_OK;
}

static wr_status
bind_query_node(wri_binder *b, const wr_ast_query *q, const wri_scope *outer, bool top,
                wr_rel **out)
{
    wri_cte *ctes = b->ctes;
    WR_TRY(open_ctes(b, q, outer));
    bool ordered = q->order_by.count || q->offset || q->fetch;
    wr_status status;
    if (ordered && q->body->kind == WR_AST_SELECT) {
        b->top = top;
        status =
            wri_bind_select(b, WR_AST_AS(wr_ast_select, WR_AST_SELECT, q->body), outer, q, out);
    } else {
        b->top = top && !ordered;
        status = wri_bind_any_query(b, q->body, outer, out);
        wr_str *raw = b->raw_names;
        if (status == WR_OK && ordered) status = order_plain(b, q, outer, top, out);
        b->raw_names = raw; /* not those of a sub-query in ORDER BY */
    }
    b->ctes = ctes;
    return status;
}

wr_status
wri_bind_any_query(wri_binder *b, const wr_ast *q, const wri_scope *outer, wr_rel **out)
{
    bool top = b->top;
    b->top = false;
    b->raw_names = NULL;
    WR_TRY(wri_bind_enter(b, wri_bind_span(b, q)));
    wr_status status;
    wri_from from;
    switch ((int)q->kind) {
    case WR_AST_QUERY:
        status = bind_query_node(b, WR_AST_AS(wr_ast_query, WR_AST_QUERY, q), outer, top, out);
        break;
    case WR_AST_SELECT:
        status = wri_bind_select(b, WR_AST_AS(wr_ast_select, WR_AST_SELECT, q), outer, NULL, out);
        break;
    case WR_AST_SETOP:
        status = bind_setop(b, WR_AST_AS(wr_ast_setop, WR_AST_SETOP, q), outer, out);
        break;
    case WR_AST_VALUES:
        status = wri_bind_values(b, WR_AST_AS(wr_ast_values, WR_AST_VALUES, q), outer, out);
        b->raw_names = NULL; /* not those of a sub-query in a row */
        break;
    case WR_AST_EXPLICIT_TABLE: {
        wr_ast_table_ref ref = {.base = {.kind = WR_AST_TABLE_REF, .span = q->span}};
        ref.name = WR_AST_AS(wr_ast_explicit_table, WR_AST_EXPLICIT_TABLE, q)->name;
        status = wri_bind_table_ref(b, &ref, outer, &from);
        *out = from.rel;
        break;
    }
    default:
        status = wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, q), "a %s is no query",
                             wr_ast_kind_name(q->kind));
        break;
    }
    wri_bind_leave(b);
    return status;
}

/* ---- entry points ---------------------------------------------------------------------------- */
void
wri_bind_init(wri_binder *b, wr_ctx *ctx, const wr_plan_env *env)
{
    memset(b, 0, sizeof *b);
    b->ctx = ctx;
    b->env = env;
    b->a = env->arena;
    b->r = (wri_rules){.ctx = ctx, .env = env, .a = env->arena};
}

wr_status
wr_bind_query(wr_ctx *ctx, const wr_plan_env *env, const wr_ast *query, wr_rel **out)
{
    wri_binder b;
    wri_bind_init(&b, ctx, env);
    b.top = true;
    return wri_bind_any_query(&b, query, NULL, out);
}

wr_status
wr_bind_expr(wr_ctx *ctx, const wr_plan_env *env, const wr_ast *expr, const wr_schema *columns,
             wr_expr **out)
{
    wri_binder b;
    wri_bind_init(&b, ctx, env);
    wr_rel rel = {.kind = WR_REL_VALUES, .schema = *columns};
    wri_scope scope;
    WR_TRY(wri_bind_scope_single(&b, &rel, WR_STR(""), NULL, WR_NO_SPAN, &scope));
    wri_where w = {.scope = &scope, .clause = "this", .in_ddl = true};
    return wri_bind_expr_as(&b, &w, expr, NULL, out);
}

wr_status
wr_bind_type(wr_ctx *ctx, const wr_plan_env *env, const wr_ast_type *type, const wr_type **out)
{
    wri_binder b;
    wri_bind_init(&b, ctx, env);
    return wri_bind_type_ast(&b, type, out);
}
