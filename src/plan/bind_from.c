/* SPDX-License-Identifier: Apache-2.0 */
/* FROM: tables, derived tables and joins, each to a relation with its scope. What takes columns of
 * the tables to its left (LATERAL, UNNEST) is in bind_lateral.c. */
#include "plan/temporal_int.h"

/* ---- aliases --------------------------------------------------------------------------------- */
static wr_status
check_aliases(wri_binder *b, const wr_ast_parts *columns, const wri_scope *s, uint32_t count)
{
    for (uint32_t i = 0; i < columns->count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (wr_str_eq(columns->items[i].name, columns->items[k].name))
                return wr_raise_at(b->ctx, WR_NAME, wri_bind_part_span(b, columns->items[i].span),
                                   "Duplicate name '%.*s' in column alias list",
                                   WR_STR_ARG(columns->items[i].name));
    if (columns->count == count) return WR_OK;
    wr_text t;
    wr_text_init(&t, b->a);
    for (uint32_t i = 0; i < count; i++)
        wr_text_printf(&t, "%s'%.*s'", i ? ", " : "", WR_STR_ARG(s->columns[i].name));
    wr_span span = {columns->items[0].span.start, columns->items[columns->count - 1].span.end};
    return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_part_span(b, span),
                       "List of column aliases must have same degree as table; table has %u "
                       "columns (%.*s), whereas alias list has %u columns",
                       count, WR_STR_ARG(wr_text_str(&t)), columns->count);
}

wr_status
wri_bind_as(wri_binder *b, const wr_ast_as *as, wr_str name, const wr_table_id *id, wr_span span,
            wr_rel *rel, const wri_scope *outer, wri_from *out)
{
    wr_str alias = as->name.name.ptr ? as->name.name : name;
    uint32_t n = rel->schema.count;
    wr_str *raw = b->raw_names;
    b->raw_names = NULL;
    WR_TRY(wri_bind_scope_single(b, rel, alias, as->name.name.ptr ? NULL : id, span, &out->scope));
    out->scope.outer = outer;
    out->rel = rel;
    for (uint32_t i = 0; raw && i < n; i++) out->scope.columns[i].name = raw[i];
    if (as->columns.count) {
        WR_TRY(check_aliases(b, &as->columns, &out->scope, n));
        wr_str *names = WR_NEW_N(b->a, wr_str, n + 1);
        WR_TRY_ALLOC(b->ctx, names);
        for (uint32_t i = 0; i < n; i++)
            out->scope.columns[i].name = names[i] = as->columns.items[i].name;
        out->rel = wri_rel_rename(b->a, rel, names);
        WR_TRY_ALLOC(b->ctx, out->rel);
    }
    if (wr_str_eq(out->rel->alias, alias)) return WR_OK;
    out->rel = wri_rel_copy(b->a, out->rel);
    WR_TRY_ALLOC(b->ctx, out->rel);
    out->rel->alias = alias;
    return WR_OK;
}

static wr_status
refuse_sample(wri_binder *b, const wr_ast_tablesample *s, wr_span span)
{
    if (s->method == WR_SQL_SAMPLE_NONE) return WR_OK;
    return wr_raise_at(b->ctx, WR_UNSUPPORTED, span, "TABLESAMPLE is not supported");
}

static wr_status
bind_derived(wri_binder *b, const wr_ast_derived *d, const wri_scope *outer, wri_from *out)
{
    wr_span span = wri_bind_span(b, &d->base);
    wr_rel *rel = NULL;
    WR_TRY(refuse_sample(b, &d->sample, span));
    wri_hint_use *hints = b->hints;
    uint32_t hint_count = b->hint_count;
    WR_TRY(wri_bind_any_query(b, d->query, outer, &rel));
    b->hints = hints;
    b->hint_count = hint_count;
    return wri_bind_as(b, &d->as, WR_STR(""), NULL, span, rel, outer, out);
}

/* ---- joins ----------------------------------------------------------------------------------- */
static wr_status
check_join_form(wri_binder *b, const wr_ast_join *j)
{
    bool cross = j->type == WR_SQL_JOIN_COMMA || j->type == WR_SQL_JOIN_CROSS;
    wr_span type = wri_bind_part_span(b, j->type_span);
    if (cross && (j->on || j->has_using || j->natural))
        return wr_raise_at(b->ctx, WR_SEMANTIC, type,
                           "Cannot specify condition (NATURAL keyword, or ON or USING clause) "
                           "following CROSS JOIN");
    if (j->natural && (j->on || j->has_using))
        return wr_raise_at(b->ctx, WR_SEMANTIC, j->on ? wri_bind_span(b, j->on) : type,
                           "Cannot specify NATURAL keyword with ON or USING clause");
    if (!cross && !j->on && !j->has_using && !j->natural)
        return wr_raise_at(b->ctx, WR_SEMANTIC, type,
                           "INNER, LEFT, RIGHT or FULL join requires a condition (NATURAL keyword "
                           "or ON or USING clause)");
    return WR_OK;
}

static wr_join_type
join_type(wr_sql_join t)
{
    switch (t) {
    case WR_SQL_JOIN_LEFT:
        return WR_JOIN_LEFT;
    case WR_SQL_JOIN_RIGHT:
        return WR_JOIN_RIGHT;
    case WR_SQL_JOIN_FULL:
        return WR_JOIN_FULL;
    case WR_SQL_JOIN_COMMA:
    case WR_SQL_JOIN_CROSS:
    case WR_SQL_JOIN_INNER:
        break;
    }
    return WR_JOIN_INNER;
}

/* Columns of one side that a USING or NATURAL name means: how many, and the expression over that
 * side's row. */
static wr_status
shared_column(wri_binder *b, const wri_scope *s, wr_str name, wr_span span, uint32_t *count,
              wr_expr **out)
{
    *count = 0;
    for (uint32_t i = 0; i < s->merged_count; i++)
        if (wr_str_eq(s->merged[i].name, name)) {
            *out = s->merged[i].key;
            ++*count;
        }
    for (uint32_t i = 0; i < s->column_count; i++) {
        if (s->columns[i].merged || !wr_str_eq(s->columns[i].name, name)) continue;
        *out = wr_expr_column(b->a, i, s->columns[i].type, span);
        WR_TRY_ALLOC(b->ctx, *out);
        ++*count;
    }
    return WR_OK;
}

typedef struct shared_col {
    wr_str name;
    wr_expr *left, *right; /* right: over left ++ right */
} shared_col;
typedef WR_LIST(shared_col) shared_list;

static wr_status
add_shared(wri_binder *b, const wri_from *l, const wri_from *r, wr_str name, wr_span span,
           shared_list *out)
{
    shared_col s = {.name = name};
    uint32_t in_left = 0, in_right = 0;
    for (uint32_t i = 0; i < out->count; i++)
        if (wr_str_eq(out->items[i].name, name)) return WR_OK;
    WR_TRY(shared_column(b, &l->scope, name, span, &in_left, &s.left));
    WR_TRY(shared_column(b, &r->scope, name, span, &in_right, &s.right));
    if (!in_left || !in_right) {
        wr_status status = wr_raise_at(b->ctx, WR_NAME, span,
                                       "Column '%.*s' not found in any table", WR_STR_ARG(name));
        const wri_scope *missing = in_left ? &r->scope : &l->scope;
        for (uint32_t i = 0; i < missing->column_count; i++)
            wr_candidate(b->ctx, name, missing->columns[i].name);
        return status;
    }
    if (in_left > 1 || in_right > 1)
        return wr_raise_at(b->ctx, WR_NAME, span,
                           "Column name '%.*s' in %s is not unique on one "
                           "side of join",
                           WR_STR_ARG(name), "NATURAL join or USING clause");
    s.right = wri_rex_shift_cols(b->a, s.right, (int32_t)l->scope.column_count);
    WR_TRY_ALLOC(b->ctx, s.right);
    return wr_list_push(b->a, out, s) ? WR_OK : wr_raise(b->ctx, WR_NOMEM, "out of memory");
}

static wr_status
find_shared(wri_binder *b, const wr_ast_join *j, const wri_from *l, const wri_from *r,
            shared_list *out)
{
    for (uint32_t i = 0; i < j->using_columns.count; i++)
        WR_TRY(add_shared(b, l, r, j->using_columns.items[i].name,
                          wri_bind_part_span(b, j->using_columns.items[i].span), out));
    if (!j->natural) return WR_OK;
    wr_span span = wri_bind_part_span(b, j->type_span);
    const wri_scope *ls = &l->scope;
    for (uint32_t i = 0; i < ls->merged_count + ls->column_count; i++) {
        bool merged = i < ls->merged_count;
        const wri_column *c = merged ? NULL : &ls->columns[i - ls->merged_count];
        wr_str name = merged ? ls->merged[i].name : c->name;
        wr_expr *e = NULL;
        uint32_t in_right = 0;
        if (c && c->merged) continue;
        WR_TRY(shared_column(b, &r->scope, name, span, &in_right, &e));
        if (in_right) WR_TRY(add_shared(b, l, r, name, span, out));
    }
    return WR_OK;
}

/* Types of the joined row: an outer join makes columns nullable. */
static wr_expr *
retype(wri_map *m, const wr_expr *e, uint32_t depth)
{
    if (depth || e->kind != WR_EX_COLUMN) return NULL;
    const wr_rel *rel = m->arg;
    return wr_expr_column(m->a, e->index, rel->schema.fields[e->index].type, e->span);
}

/* The columns of USING become one, COALESCE(l, r), which hides both from unqualified names. */
static wr_status
merge_scope(wri_binder *b, const shared_list *shared, wri_from *out)
{
    wri_scope *s = &out->scope;
    uint32_t old = s->merged_count, kept = shared->count;
    wri_merged *merged = WR_NEW_N(b->a, wri_merged, old + shared->count + 1);
    WR_TRY_ALLOC(b->ctx, merged);
    for (uint32_t i = 0; i < shared->count; i++) {
        wri_map m = {b->a, retype, out->rel, false};
        wr_expr **args = WR_NEW_N(b->a, wr_expr *, 2);
        WR_TRY_ALLOC(b->ctx, args);
        args[0] = wri_rex_map(&m, shared->items[i].left, 0);
        args[1] = wri_rex_map(&m, shared->items[i].right, 0);
        WR_TRY_ALLOC(b->ctx, args[0]);
        WR_TRY_ALLOC(b->ctx, args[1]);
        merged[i].name = shared->items[i].name;
        WR_TRY(wri_bind_fn(b, "COALESCE", args, 2, WR_NO_SPAN, &merged[i].expr));
        wr_join_type type = out->rel->u.join.type;
        merged[i].key = type == WR_JOIN_FULL    ? merged[i].expr
                        : type == WR_JOIN_RIGHT ? args[1]
                                                : args[0];
        for (uint32_t c = 0; c < s->column_count; c++)
            if (wr_str_eq(s->columns[c].name, merged[i].name)) s->columns[c].merged = true;
    }
    for (uint32_t i = 0; i < old; i++) {
        bool replaced = false;
        for (uint32_t k = 0; k < shared->count; k++)
            replaced |= wr_str_eq(s->merged[i].name, merged[k].name);
        if (!replaced) merged[kept++] = s->merged[i];
    }
    s->merged = merged;
    s->merged_count = kept;
    return WR_OK;
}

static wr_status
bind_plain_join(wri_binder *b, const wr_ast_join *j, const wri_from *l, const wri_from *r,
                wri_from *out)
{
    wr_join_type type = join_type(j->type);
    shared_list shared = {0};
    wr_expr *cond = NULL;
    WR_TRY(find_shared(b, j, l, r, &shared));
    for (uint32_t i = 0; i < shared.count; i++) {
        wr_expr *eq = NULL;
        const shared_col *s = &shared.items[i];
        const wr_status status = wri_rex_call2(&b->r, "=", s->left, s->right, &eq);
        WR_TRY(wri_bind_join_pair(b, s->left->type, s->right->type, s->right->span, status));
        WR_TRY(wri_rex_and2(&b->r, cond, eq, &cond));
    }
    if (j->on) { /* sees both sides before the join makes anything NULL */
        wr_rel *inner = wri_rel_join(b->a, WR_JOIN_INNER, l->rel, r->rel, NULL);
        wri_scope both;
        WR_TRY_ALLOC(b->ctx, inner);
        WR_TRY(wri_bind_scope_join(b, &l->scope, &r->scope, inner, &both));
        wri_where w = {.scope = &both, .clause = "ON"};
        WR_TRY(wri_bind_cond(b, &w, j->on, "ON", &cond));
    }
    out->rel = wri_rel_join(b->a, type, l->rel, r->rel, cond);
    WR_TRY_ALLOC(b->ctx, out->rel);
    out->rel->span = wri_bind_part_span(b, j->type_span);
    wri_bind_hints_join(b, out->rel, l->rel->alias, r->rel->alias);
    WR_TRY(wri_bind_scope_join(b, &l->scope, &r->scope, out->rel, &out->scope));
    return shared.count ? merge_scope(b, &shared, out) : WR_OK;
}

static wr_status
bind_temporal_join(wri_binder *b, const wr_ast_join *j, const wri_from *l, const wri_scope *outer,
                   wri_from *out)
{
    wri_from r = {0};
    wr_expr *period = NULL;
    WR_TRY(wri_bind_temporal(b, l, j, join_type(j->type), outer, &r, &period));
    WR_TRY(bind_plain_join(b, j, l, &r, out));
    return wri_bind_temporal_mark(b, period, out->rel);
}

static wr_status
bind_join(wri_binder *b, const wr_ast_join *j, const wri_scope *outer, wri_from *out)
{
    wri_from l, r;
    WR_TRY(check_join_form(b, j));
    WR_TRY(wri_bind_from(b, j->left, outer, &l));
    wr_join_type type = join_type(j->type);
    if (wri_bind_is_temporal(j->right)) return bind_temporal_join(b, j, &l, outer, out);
    if (wri_bind_is_lateral(b, j->right) && (type == WR_JOIN_INNER || type == WR_JOIN_LEFT) &&
        !j->natural && !j->has_using)
        return wri_bind_lateral(b, &l, j->right, j, type, out);
    if (wri_bind_is_lateral(b, j->right) && (type == WR_JOIN_RIGHT || type == WR_JOIN_FULL))
        WR_TRY(wri_bind_check_outer(b, &l, j->right, type));
    WR_TRY(wri_bind_from(b, j->right, outer, &r));
    return bind_plain_join(b, j, &l, &r, out);
}

static wr_status
refuse_later(wri_binder *b, const wr_ast *t)
{
    wr_span span = wri_bind_span(b, t);
    return wr_raise_at(b->ctx, WR_UNSUPPORTED, span, "%s is not supported",
                       wr_ast_kind_name(t->kind));
}

wr_status
wri_bind_from(wri_binder *b, const wr_ast *t, const wri_scope *outer, wri_from *out)
{
    memset(out, 0, sizeof *out);
    WR_TRY(wri_bind_enter(b, wri_bind_span(b, t)));
    wr_status status;
    switch ((int)t->kind) {
    case WR_AST_TABLE_REF:
        status =
            wri_bind_table_ref(b, WR_AST_AS(wr_ast_table_ref, WR_AST_TABLE_REF, t), outer, out);
        break;
    case WR_AST_DERIVED:
        status = bind_derived(b, WR_AST_AS(wr_ast_derived, WR_AST_DERIVED, t), outer, out);
        break;
    case WR_AST_JOIN:
        status = bind_join(b, WR_AST_AS(wr_ast_join, WR_AST_JOIN, t), outer, out);
        break;
    case WR_AST_MATCH:
        status = wri_bind_match(b, WR_AST_AS(wr_ast_match, WR_AST_MATCH, t), outer, out);
        break;
    case WR_AST_UNNEST:
    case WR_AST_TABLE_FUNC:
        status = wri_bind_table_fn(b, t, outer, out);
        break;
    default:
        status = refuse_later(b, t);
        break;
    }
    wri_bind_leave(b);
    return status;
}
