/* SPDX-License-Identifier: Apache-2.0 */
/* SELECT: FROM and WHERE, then the select list, HAVING and ORDER BY over those rows, then the
 * relation: Filter, Aggregate, Filter, Project, Aggregate (DISTINCT), Sort, Project.
 *
 * Output names are Flink's: the alias, the last part of an identifier, else EXPR$<position>;
 * duplicates get a number at the end (id, id0), while a derived table still sees them as ambiguous
 * (raw_names). Errors of separate select items are reported together. */
#include "plan/bind_int.h"

typedef struct select_state {
    const wr_ast_select *ast;
    const wr_ast_query *order; /* its ORDER BY and LIMIT, or NULL */
    wri_from from;
    wri_group *group; /* NULL: no aggregation */
    wri_select_list items;
    wr_expr *having, *qualify;
    wri_overs overs;
    wri_expr_list order_exprs; /* one for each ORDER BY item */
    bool top;
    uint32_t errors_before;
    wr_status failed;
} select_state;

/* ---- several errors of one list -------------------------------------------------------------- */
/* Keep an error of the user's and go on; other statuses and contexts without room end the binding.
 */
static wr_status
keep(wri_binder *b, select_state *st, wr_status status)
{
    bool users = status == WR_NAME || status == WR_TYPE || status == WR_SEMANTIC;
    if (!users || !b->ctx->more) return status;
    if (st->failed == WR_OK) st->failed = status;
    wr_ctx_keep_error(b->ctx);
    return WR_OK;
}

/* The first kept error becomes the statement's, the rest stay as further ones. */
static wr_status
kept(wri_binder *b, select_state *st)
{
    wr_ctx *ctx = b->ctx;
    if (st->failed == WR_OK || ctx->more_count <= st->errors_before) return st->failed;
    ctx->err = ctx->more[st->errors_before];
    ctx->more_count--;
    for (uint32_t i = st->errors_before; i < ctx->more_count; i++) ctx->more[i] = ctx->more[i + 1];
    return st->failed;
}

/* ---- the select list ------------------------------------------------------------------------- */
static wr_status
push_item(wri_binder *b, select_state *st, wr_expr *e, wr_str name, const wr_ast *ast, bool aliased)
{
    wri_select_item item = {e, name, ast, aliased};
    return wr_list_push(b->a, &st->items, item) ? WR_OK
                                                : wr_raise(b->ctx, WR_NOMEM, "out of memory");
}

static wr_str
star_name(wri_binder *b, const select_state *st, wr_str want)
{
    wr_str *names = WR_NEW_N(b->a, wr_str, st->items.count + 1);
    if (!names) return (wr_str){NULL, 0};
    for (uint32_t i = 0; i < st->items.count; i++) names[i] = st->items.items[i].name;
    return wri_rel_name_unique(b->a, names, st->items.count, want);
}

static wr_status
push_column(wri_binder *b, select_state *st, uint32_t col, const wr_ast *star)
{
    const wri_scope *s = &st->from.scope;
    for (uint32_t i = 0; i < s->column_count; i++)
        if (i != col && s->columns[i].item == s->columns[col].item &&
            wr_str_eq(s->columns[i].name, s->columns[col].name))
            return wr_raise_at(b->ctx, WR_NAME, wri_bind_span(b, star),
                               "Column '%.*s' is ambiguous", WR_STR_ARG(s->columns[col].name));
    wr_expr *e = wr_expr_column(b->a, col, s->columns[col].type, wri_bind_span(b, star));
    wr_str name = star_name(b, st, s->columns[col].name);
    WR_TRY_ALLOC(b->ctx, e);
    WR_TRY_ALLOC(b->ctx, name.ptr);
    return push_item(b, st, e, name, star, true);
}

static wr_status
expand_star(wri_binder *b, select_state *st, const wr_ast_ident *id)
{
    const wri_scope *s = &st->from.scope;
    int32_t item = -1;
    wr_expr *row = NULL;
    if (!st->ast->from)
        return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, &id->base),
                           "SELECT * requires a FROM clause");
    if (id->part_count) WR_TRY(wri_bind_resolve_star(b, s, id, &item, &row));
    if (row) { /* r.*: the fields of a row */
        for (uint32_t i = 0; i < row->type->field_count; i++) {
            wr_expr *e = wri_bind_field_at(b, row, i, wri_bind_span(b, &id->base));
            wr_str name = star_name(b, st, row->type->fields[i].name);
            WR_TRY_ALLOC(b->ctx, e);
            WR_TRY_ALLOC(b->ctx, name.ptr);
            WR_TRY(push_item(b, st, e, name, &id->base, true));
        }
        return WR_OK;
    }
    for (uint32_t i = 0; item < 0 && i < s->merged_count; i++) {
        wr_str name = star_name(b, st, s->merged[i].name);
        WR_TRY_ALLOC(b->ctx, name.ptr);
        WR_TRY(push_item(b, st, s->merged[i].expr, name, &id->base, true));
    }
    for (uint32_t i = 0; i < s->column_count; i++) {
        if (item >= 0 ? s->columns[i].item != (uint32_t)item : s->columns[i].merged) continue;
        WR_TRY(push_column(b, st, i, &id->base));
    }
    return WR_OK;
}

static wr_status
bind_item(wri_binder *b, select_state *st, const wri_where *w, const wr_ast *e)
{
    wr_str name = WR_STR("");
    bool aliased = true;
    const wr_ast *value = e;
    wr_expr *x = NULL;
    if (e->kind == WR_AST_ALIAS) {
        const wr_ast_alias *alias = WR_AST_AS(wr_ast_alias, WR_AST_ALIAS, e);
        name = alias->name.name;
        value = alias->expr;
    } else if (e->kind == WR_AST_IDENT) {
        const wr_ast_ident *id = WR_AST_AS(wr_ast_ident, WR_AST_IDENT, e);
        if (id->star) return expand_star(b, st, id);
        name = id->parts[id->part_count - 1].name;
    } else if (wr_ast_bare_call(e).len) { /* CURRENT_DATE: an identifier, as Flink sees it */
        name = wr_ast_bare_call(e);
    } else {
        name = wr_arena_printf(b->a, "EXPR$%u", st->items.count);
        aliased = false;
    }
    wr_status status = wri_bind_expr_as(b, w, value, NULL, &x);
    if (status != WR_OK) { /* the item keeps its place, so that later names stay right */
        WR_TRY(keep(b, st, status));
        x = wri_rex_null(b->a, wr_type_of(WR_T_INT, true));
    }
    WR_TRY_ALLOC(b->ctx, x);
    WR_TRY_ALLOC(b->ctx, name.ptr);
    return push_item(b, st, x, name, value, aliased);
}

/* ---- ORDER BY -------------------------------------------------------------------------------- */
static wr_status
check_alias(wri_binder *b, const select_state *st, const wr_ast *e)
{
    if (e->kind != WR_AST_IDENT) return WR_OK;
    const wr_ast_ident *id = WR_AST_AS(wr_ast_ident, WR_AST_IDENT, e);
    if (id->part_count != 1 || id->star) return WR_OK;
    uint32_t hits = 0;
    for (uint32_t i = 0; i < st->items.count; i++)
        hits += wr_str_eq(st->items.items[i].name, id->parts[0].name);
    if (hits < 2) return WR_OK;
    return wr_raise_at(b->ctx, WR_NAME, wri_bind_span(b, e), "Column '%.*s' is ambiguous",
                       WR_STR_ARG(id->parts[0].name));
}

static wr_status
bind_order(wri_binder *b, select_state *st, const wri_where *where)
{
    wri_where w = *where;
    w.clause = "ORDER BY";
    w.aliases = &st->items;
    for (uint32_t i = 0; st->order && i < st->order->order_by.count; i++) {
        const wr_ast_order_item *o =
            WR_AST_AS(wr_ast_order_item, WR_AST_ORDER_ITEM, st->order->order_by.items[i]);
        wr_expr *e = NULL;
        int64_t n = 0;
        if (wri_bind_is_ordinal(o->expr, &n)) {
            if (n < 1 || n > st->items.count)
                return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, o->expr),
                                   "Ordinal out of range");
            e = st->items.items[n - 1].expr;
        } else {
            WR_TRY(check_alias(b, st, o->expr));
            WR_TRY(wri_bind_expr_as(b, &w, o->expr, NULL, &e));
        }
        if (!wr_list_push(b->a, &st->order_exprs, e))
            return wr_raise(b->ctx, WR_NOMEM, "out of memory");
    }
    return WR_OK;
}

/* ---- aggregation ----------------------------------------------------------------------------- */
static bool
needs_group(const select_state *st)
{
    const wr_ast_select *s = st->ast;
    if (s->has_group_by || s->having) return true;
    if (s->qualify && wri_bind_has_aggregate(s->qualify)) return true;
    for (uint32_t i = 0; i < s->items.count; i++)
        if (wri_bind_has_aggregate(s->items.items[i])) return true;
    return false;
}

/* Names as Flink gives them: keys and aggregates take the name of the last select item that is
 * exactly them. */
static void
name_group(wri_binder *b, select_state *st)
{
    wri_group *g = st->group;
    for (uint32_t i = 0; i < st->items.count; i++) {
        const wri_select_item *item = &st->items.items[i];
        if (item->expr->kind == WR_EX_AGG && !item->expr->flag) {
            wri_agg_call *call = &g->calls.items[item->expr->index];
            wr_str text = wri_bind_source_text(b, item->expr->span, WR_STR("*"));
            if (call->name.len == 0) call->text = text;
            if (call->name.len == 0 || wr_str_eq(call->text, text)) call->name = item->name;
        }
        for (uint32_t k = 0; k < g->key_count; k++)
            if (item->expr == g->keys[k] || wr_expr_equal(item->expr, g->keys[k]))
                g->key_names[k] = item->name;
    }
}

static wr_status
build_group(wri_binder *b, select_state *st, wr_rel **rel)
{
    if (!st->group) return WR_OK;
    name_group(b, st);
    wri_expr_list all = {0};
    bool ok = !st->having || wr_list_push(b->a, &all, st->having);
    ok = ok && (!st->qualify || wr_list_push(b->a, &all, st->qualify));
    for (uint32_t i = 0; i < st->items.count; i++)
        ok = ok && wr_list_push(b->a, &all, st->items.items[i].expr);
    for (uint32_t i = 0; i < st->order_exprs.count; i++)
        ok = ok && wr_list_push(b->a, &all, st->order_exprs.items[i]);
    if (!ok) return wr_raise(b->ctx, WR_NOMEM, "out of memory");
    WR_TRY(wri_bind_group_build(b, st->group, *rel, &all, &st->from.scope, rel));
    uint32_t at = 0;
    if (st->having) st->having = all.items[at++];
    if (st->qualify) st->qualify = all.items[at++];
    for (uint32_t i = 0; i < st->items.count; i++) st->items.items[i].expr = all.items[at++];
    for (uint32_t i = 0; i < st->order_exprs.count; i++) st->order_exprs.items[i] = all.items[at++];
    return WR_OK;
}

/* ---- DISTINCT with ORDER BY: sort keys over the distinct rows -------------------------------- */
typedef struct over_items {
    const wri_select_list *items;
    const wr_expr *left; /* a column that is in no item */
} over_items;

static wr_expr *
outer_item(wri_map *m, const wr_expr *e, uint32_t item)
{
    wr_expr *c = WR_NEW(m->a, wr_expr);
    if (!c) {
        m->failed = true;
        return NULL;
    }
    *c = *e;
    c->index = item;
    return c;
}

static wr_expr *
to_item(wri_map *m, const wr_expr *e, uint32_t depth)
{
    over_items *o = m->arg;
    if (depth > 0) { /* in a sub-query: what it sees of this row are the items as well */
        if (e->kind != WR_EX_OUTER || e->level != depth) return NULL;
        for (uint32_t i = 0; i < o->items->count; i++) {
            const wr_expr *item = o->items->items[i].expr;
            if (item->kind == WR_EX_COLUMN && item->index == e->index) return outer_item(m, e, i);
        }
        o->left = e;
        return NULL;
    }
    for (uint32_t i = 0; i < o->items->count; i++)
        if (e == o->items->items[i].expr || wr_expr_equal(e, o->items->items[i].expr))
            return wr_expr_column(m->a, i, e->type, e->span);
    if (e->kind == WR_EX_COLUMN) o->left = e;
    return NULL;
}

static wr_status
order_over_items(wri_binder *b, select_state *st)
{
    for (uint32_t i = 0; i < st->order_exprs.count; i++) {
        over_items o = {&st->items, NULL};
        wri_map m = {b->a, to_item, &o, false};
        wr_expr *e = wri_rex_map(&m, st->order_exprs.items[i], 0);
        if (o.left) {
            const wr_ast_order_item *item =
                WR_AST_AS(wr_ast_order_item, WR_AST_ORDER_ITEM, st->order->order_by.items[i]);
            wr_text t;
            wr_text_init(&t, b->a);
            wr_sql_expr_print(item->expr, &t);
            wr_str text = wri_bind_source_text(b, o.left->span, wr_text_str(&t));
            return wr_raise_at(b->ctx, WR_SEMANTIC, o.left->span,
                               "Expression '%.*s' is not in the select clause", WR_STR_ARG(text));
        }
        WR_TRY_ALLOC(b->ctx, e);
        st->order_exprs.items[i] = e;
    }
    return WR_OK;
}

/* ---- building -------------------------------------------------------------------------------- */
/* Columns of `rel` for the sort keys: an output column that equals the key, else one more column
 * appended by a projection. */
static wr_status
build_sort(wri_binder *b, select_state *st, wr_expr **exprs, wr_str *names, wr_rel **rel)
{
    uint32_t n = st->order_exprs.count, width = st->items.count, cols = width;
    int64_t offset = 0, fetch = -1;
    if (st->order) WR_TRY(wri_bind_limits(b, st->order, &offset, &fetch));
    if (!st->top && fetch < 0 && offset == 0) n = 0;
    wr_order_key *keys = WR_NEW_N(b->a, wr_order_key, n + 1);
    WR_TRY_ALLOC(b->ctx, keys);
    for (uint32_t i = 0; i < n; i++) {
        const wr_ast_order_item *o =
            WR_AST_AS(wr_ast_order_item, WR_AST_ORDER_ITEM, st->order->order_by.items[i]);
        wr_expr *e = st->order_exprs.items[i];
        uint32_t col = 0;
        while (col < cols && e != exprs[col] && !wr_expr_equal(e, exprs[col])) col++;
        if (col == cols) {
            exprs[cols] = e;
            names[cols] = WR_STR("");
            if (e->kind != WR_EX_COLUMN) names[cols] = wr_arena_printf(b->a, "EXPR$%u", cols);
            cols++;
        }
        WR_TRY(wri_bind_order_key(b, o, col, e->type, &keys[i]));
    }
    wr_rel *body = wri_rel_project(b->a, *rel, exprs, names, cols);
    WR_TRY_ALLOC(b->ctx, body);
    WR_TRY(wri_bind_sort(b, body, keys, n, offset, fetch, &body));
    if (cols > width) {
        wr_expr **first = WR_NEW_N(b->a, wr_expr *, width + 1);
        WR_TRY_ALLOC(b->ctx, first);
        for (uint32_t i = 0; i < width; i++) first[i] = wri_rex_col(b->a, body, i);
        body = wri_rel_project(b->a, body, first, NULL, width);
        WR_TRY_ALLOC(b->ctx, body);
    }
    *rel = body;
    return WR_OK;
}

/* Calls with OVER go below the projection. */
static wr_status
build_over(wri_binder *b, select_state *st, wr_rel **rel)
{
    wri_expr_list all = {0};
    bool ok = !st->qualify || wr_list_push(b->a, &all, st->qualify);
    if (st->overs.calls.count == 0) return WR_OK;
    for (uint32_t i = 0; i < st->items.count; i++)
        ok = ok && wr_list_push(b->a, &all, st->items.items[i].expr);
    for (uint32_t i = 0; i < st->order_exprs.count; i++)
        ok = ok && wr_list_push(b->a, &all, st->order_exprs.items[i]);
    if (!ok) return wr_raise(b->ctx, WR_NOMEM, "out of memory");
    WR_TRY(wri_bind_over_build(b, &st->overs, all.items, all.count, rel));
    uint32_t at = 0;
    if (st->qualify) st->qualify = all.items[at++];
    for (uint32_t i = 0; i < st->items.count; i++) st->items.items[i].expr = all.items[at++];
    for (uint32_t i = 0; i < st->order_exprs.count; i++) st->order_exprs.items[i] = all.items[at++];
    return WR_OK;
}

/* QUALIFY: the condition is a column behind the items (and behind what ORDER BY wants), a filter
 * looks at it; items and sort keys are columns afterwards. */
static wr_status
build_qualify(wri_binder *b, select_state *st, wr_rel **rel)
{
    uint32_t width = st->items.count, n = st->order_exprs.count, k = width;
    if (!st->qualify) return WR_OK;
    wr_expr **exprs = WR_NEW_N(b->a, wr_expr *, width + n + 1);
    wr_str *names = WR_NEW_N(b->a, wr_str, width + n + 1);
    WR_TRY_ALLOC(b->ctx, exprs);
    WR_TRY_ALLOC(b->ctx, names);
    for (uint32_t i = 0; i < width; i++) {
        exprs[i] = st->items.items[i].expr;
        names[i] = st->items.items[i].name;
    }
    exprs[k] = st->qualify;
    names[k++] = WR_STR("QualifyExpression");
    for (uint32_t i = 0; i < n; i++, k++) {
        exprs[k] = st->order_exprs.items[i];
        names[k] = wr_arena_printf(b->a, "EXPR$%u", k);
        WR_TRY_ALLOC(b->ctx, names[k].ptr);
    }
    if (!wri_rel_names_unique(b->a, names, k)) return wr_raise(b->ctx, WR_NOMEM, "out of memory");
    *rel = wri_rel_project(b->a, *rel, exprs, names, k);
    WR_TRY_ALLOC(b->ctx, *rel);
    *rel = wri_rel_filter(b->a, *rel, wri_rex_col(b->a, *rel, width));
    WR_TRY_ALLOC(b->ctx, *rel);
    for (uint32_t i = 0; i < width + n; i++) {
        wr_expr *e = wri_rex_col(b->a, *rel, i < width ? i : i + 1);
        WR_TRY_ALLOC(b->ctx, e);
        if (i < width)
            st->items.items[i].expr = e;
        else
            st->order_exprs.items[i - width] = e;
    }
    return WR_OK;
}

static wr_status
build(wri_binder *b, select_state *st, wr_rel **out)
{
    wr_rel *rel = st->from.rel;
    uint32_t width = st->items.count, room = width + st->order_exprs.count + 1;
    WR_TRY(build_group(b, st, &rel));
    if (st->having) {
        rel = wri_rel_filter(b->a, rel, st->having);
        WR_TRY_ALLOC(b->ctx, rel);
    }
    WR_TRY(build_over(b, st, &rel));
    WR_TRY(build_qualify(b, st, &rel));
    wr_expr **exprs = WR_NEW_N(b->a, wr_expr *, room);
    wr_str *names = WR_NEW_N(b->a, wr_str, room), *raw = WR_NEW_N(b->a, wr_str, room);
    WR_TRY_ALLOC(b->ctx, exprs);
    WR_TRY_ALLOC(b->ctx, names);
    WR_TRY_ALLOC(b->ctx, raw);
    for (uint32_t i = 0; i < width; i++) {
        exprs[i] = st->items.items[i].expr;
        names[i] = raw[i] = st->items.items[i].name;
    }
    if (!wri_rel_names_unique(b->a, names, width))
        return wr_raise(b->ctx, WR_NOMEM, "out of memory");
    if (st->ast->quantifier == WR_SQL_QUANT_DISTINCT) {
        WR_TRY(order_over_items(b, st));
        rel = wri_rel_project(b->a, rel, exprs, names, width);
        WR_TRY_ALLOC(b->ctx, rel);
        rel = wri_rel_distinct(b->a, rel);
        WR_TRY_ALLOC(b->ctx, rel);
        wri_bind_hints_group(b, &st->from.scope, rel);
        exprs = WR_NEW_N(b->a, wr_expr *, room); /* the projection below keeps its own */
        WR_TRY_ALLOC(b->ctx, exprs);
        for (uint32_t i = 0; i < width; i++) {
            exprs[i] = wri_rex_col(b->a, rel, i);
            WR_TRY_ALLOC(b->ctx, exprs[i]);
        }
    }
    WR_TRY(build_sort(b, st, exprs, names, &rel));
    if (rel->kind == WR_REL_PROJECT && rel->inputs[0]->kind == WR_REL_OVER)
        rel->u.project.calls = true;
    b->raw_names = raw;
    *out = rel;
    return WR_OK;
}

/* ---- the clauses ----------------------------------------------------------------------------- */
static wr_status
refuse_clauses(wri_binder *b, const wr_ast_select *s)
{
    if (s->stream) {
        bool named = s->from && s->from->kind == WR_AST_TABLE_REF;
        const wr_ast_table_ref *t =
            named ? WR_AST_AS(wr_ast_table_ref, WR_AST_TABLE_REF, s->from) : NULL;
        wr_str name = t && t->name ? wri_bind_ident_text(b, t->name) : WR_STR("");
        return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, s->from ? s->from : &s->base),
                           "Cannot convert table '%.*s' to stream", WR_STR_ARG(name));
    }
    return WR_OK;
}

static wr_status
bind_from(wri_binder *b, const wr_ast_select *s, const wri_scope *outer, wri_from *out)
{
    memset(out, 0, sizeof *out);
    if (s->from) return wri_bind_from(b, s->from, outer, out);
    out->rel = wri_rel_one_row(b->a);
    WR_TRY_ALLOC(b->ctx, out->rel);
    out->scope.outer = outer;
    return WR_OK;
}

static wr_status
bind_where(wri_binder *b, select_state *st, const wri_scope *scope)
{
    if (!st->ast->where) return WR_OK;
    wri_where w = {.scope = scope, .clause = "WHERE"};
    wr_expr *cond = NULL;
    wr_status status = wri_bind_cond(b, &w, st->ast->where, "WHERE", &cond);
    if (status != WR_OK) return keep(b, st, status);
    st->from.rel = wri_rel_filter(b->a, st->from.rel, cond);
    WR_TRY_ALLOC(b->ctx, st->from.rel);
    return WR_OK;
}

/* Does it look at a call with OVER, by a name of the select list too? */
static bool
looks_at_window(const wr_expr *e)
{
    if (e->kind == WR_EX_AGG && e->flag) return true;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (looks_at_window(e->args[i])) return true;
    return false;
}

/* QUALIFY sees the names of the select list, then columns. */
static wr_status
bind_qualify(wri_binder *b, select_state *st, const wri_where *where)
{
    const wr_ast *e = st->ast->qualify;
    wri_where w = *where;
    w.aliases = &st->items;
    WR_TRY(wri_bind_cond(b, &w, e, "QUALIFY", &st->qualify));
    if (looks_at_window(st->qualify)) return WR_OK;
    wr_text t;
    wr_text_init(&t, b->a);
    wr_sql_expr_print(e, &t);
    wr_str text = wri_bind_source_text(b, wri_bind_span(b, e), wr_text_str(&t));
    return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, e),
                       "QUALIFY expression '%.*s' must contain a window function",
                       WR_STR_ARG(text));
}

static wr_status
bind_lists(wri_binder *b, select_state *st)
{
    const wr_ast_select *s = st->ast;
    wri_group group = {0};
    wri_where w = {.scope = &st->from.scope};
    WR_TRY(bind_where(b, st, &st->from.scope));
    if (needs_group(st)) {
        st->group = WR_NEW(b->a, wri_group);
        WR_TRY_ALLOC(b->ctx, st->group);
        *st->group = group;
        WR_TRY(wri_bind_group_keys(b, &st->from.scope, s, st->group));
    }
    w.group = st->group;
    w.overs = &st->overs;
    st->overs.windows = &s->windows;
    WR_TRY(wri_bind_over_windows(b, &w, &s->windows));
    for (uint32_t i = 0; i < s->items.count; i++) {
        wr_status status = bind_item(b, st, &w, s->items.items[i]);
        if (status != WR_OK) WR_TRY(keep(b, st, status));
    }
    if (s->having) {
        wri_where h = w;
        h.clause = "HAVING";
        h.overs = NULL;
        wr_status status = wri_bind_cond(b, &h, s->having, "HAVING", &st->having);
        if (status != WR_OK) WR_TRY(keep(b, st, status));
    }
    WR_TRY(kept(b, st));
    if (s->qualify) WR_TRY(bind_qualify(b, st, &w));
    return bind_order(b, st, &w);
}

/* A name that is not found, but is one of the select list's own. */
static void
hint_alias(wri_binder *b, const wr_ast_select *s)
{
    const wr_str name = wri_bind_source_text(b, b->ctx->err.span, WR_STR(""));
    for (uint32_t i = 0; i < s->items.count; i++) {
        const wr_ast *e = s->items.items[i];
        if (e->kind != WR_AST_ALIAS ||
            !wr_str_eq(WR_AST_AS(wr_ast_alias, WR_AST_ALIAS, e)->name.name, name))
            continue;
        wr_hint(b->ctx,
                "'%.*s' is a name of the SELECT list, which only ORDER BY and QUALIFY see: "
                "write its expression here, or select from a sub-query",
                WR_STR_ARG(name));
        return;
    }
}

wr_status
wri_bind_select(wri_binder *b, const wr_ast_select *s, const wri_scope *outer,
                const wr_ast_query *order, wr_rel **out)
{
    select_state st = {.ast = s, .order = order, .top = b->top, .failed = WR_OK};
    st.errors_before = b->ctx->more_count;
    b->top = false;
    WR_TRY(refuse_clauses(b, s));
    WR_TRY(wri_bind_hints_open(b, s));
    WR_TRY(bind_from(b, s, outer, &st.from));
    wri_hint_use *hints = b->hints;
    uint32_t hint_count = b->hint_count;
    const wr_status status = bind_lists(b, &st);
    if (status == WR_NAME) hint_alias(b, s);
    WR_TRY(status);
    b->hints = hints;
    b->hint_count = hint_count;
    WR_TRY(build(b, &st, out));
    WR_TRY(wri_bind_hints_note(b, *out));
    return wri_bind_hints_check(b);
}
