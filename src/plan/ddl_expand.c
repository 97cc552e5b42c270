/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a view: its query with tables by their full names, columns with their table, and
 * stars written out, so that it means the same in every session.
 *
 * The query has been bound already, so it is right; this pass works on a copy of its syntax tree
 * and knows only names. Where a table's columns are unknown to it (a table function's, a file's),
 * names that might be theirs stay as they are: they still mean the same. */
#include "plan/ddl_int.h"

typedef struct names {
    wr_str *items;
    uint32_t count;
    bool known;
} names;

typedef struct item { /* a table of FROM */
    wr_str alias;     /* empty: columns of it cannot be qualified */
    wr_table_id id;   /* of a catalog table; name empty otherwise */
    names cols;
} item;

typedef struct merged { /* a column of USING or NATURAL */
    wr_str name;
    wr_str left, right; /* aliases of its tables; empty: not known */
} merged;

typedef struct scope scope;
struct scope {
    const scope *outer;
    WR_LIST(item) items;
    WR_LIST(merged) merged;
    uint32_t merging_joins;
};

typedef struct cte cte;
struct cte {
    const cte *next;
    wr_str name;
    names cols;
};

typedef struct expander {
    wr_ctx *ctx;
    const wr_plan_env *env;
    wr_arena *a;
    const cte *ctes;
    uint32_t unnamed; /* EXPR$n given so far */
    wr_status status;
} expander;

typedef struct walker {
    expander *x;
    const scope *scope;
    const names *outputs; /* ORDER BY: names of the select list come first */
} walker;

static wr_status expand_query(expander *x, wr_ast **node, const scope *outer, names *out);
static wr_status expand_expr(expander *x, const wr_ast *e, const scope *s, const names *outputs);
static wr_status expand_from(expander *x, wr_ast *table, scope *s);

static wr_status
no_memory(expander *x)
{
    return wr_raise(x->ctx, WR_NOMEM, "out of memory");
}

static bool
add_name(expander *x, names *n, uint32_t cap, wr_str name)
{
    if (!n->items) n->items = WR_NEW_N(x->a, wr_str, cap + 1);
    if (!n->items) return false;
    n->items[n->count++] = name;
    return true;
}

static bool
has_name(const names *n, wr_str name)
{
    for (uint32_t i = 0; i < n->count; i++)
        if (wr_str_eq(n->items[i], name)) return true;
    return false;
}

/* `name`, or `name` with the first number that makes it new. */
static wr_str
unique_name(expander *x, const names *n, wr_str name)
{
    wr_str s = name;
    for (uint32_t i = 0; s.ptr && has_name(n, s); i++)
        s = wr_arena_printf(x->a, "%.*s%u", WR_STR_ARG(name), i);
    return s;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static wr_ast_ident *
new_ident(expander *x, const wr_str *parts, uint32_t count, wr_span span)
{
    wr_ast_ident *id = WR_NEW(x->a, wr_ast_ident);
    wr_ast_part *p = WR_NEW_N(x->a, wr_ast_part, count + 1);
    if (!id || !p) return NULL;
    for (uint32_t i = 0; i < count; i++)
        p[i] = (wr_ast_part){.name = parts[i], .span = span, .quoted = true};
    id->base = (wr_ast){.kind = WR_AST_IDENT, .span = span, .height = 1};
    id->parts = p;
    id->part_count = count;
    return id;
}

static wr_ast *
new_alias(expander *x, wr_ast *expr, wr_str name)
{
    wr_ast_alias *al = WR_NEW(x->a, wr_ast_alias);
    if (!al) return NULL;
    al->base = (wr_ast){.kind = WR_AST_ALIAS, .span = expr->span, .height = expr->height + 1};
    al->expr = expr;
    al->name = (wr_ast_part){.name = name, .span = expr->span, .quoted = true};
    return &al->base;
}

static wr_ast *
new_plain_alias(expander *x, wr_ast *expr, wr_str name)
{
    wr_ast *al = new_alias(x, expr, name);
    if (al) ((wr_ast_alias *)al)->name.quoted = false;
    return al;
}

static void
prefix_ident(expander *x, wr_ast_ident *id, wr_str alias, uint32_t drop)
{
    uint32_t n = id->part_count - drop + 1;
    wr_ast_part *p = WR_NEW_N(x->a, wr_ast_part, n + 1);
    if (!p) {
        x->status = no_memory(x);
        return;
    }
    p[0] = (wr_ast_part){.name = alias, .span = id->base.span, .quoted = true};
    memcpy(p + 1, id->parts + drop, (n - 1) * sizeof *p);
    id->parts = p;
    id->part_count = n;
}

/* SELECT * FROM `table`, to be expanded. */
static wr_ast *
select_all_from(expander *x, wr_ast *table)
{
    wr_ast_select *s = WR_NEW(x->a, wr_ast_select);
    wr_ast_ident *star = new_ident(x, NULL, 0, table->span);
    wr_ast **items = WR_NEW_N(x->a, wr_ast *, 1);
    if (!s || !star || !items) return NULL;
    star->star = true;
    items[0] = &star->base;
    s->base = (wr_ast){.kind = WR_AST_SELECT, .span = table->span, .height = table->height + 1};
    s->items = (wr_ast_list){.items = items, .count = 1};
    s->from = table;
    return &s->base;
}

static wr_ast *
select_from_explicit(expander *x, const wr_ast *node)
{
    const wr_ast_explicit_table *t = WR_AST_AS(wr_ast_explicit_table, WR_AST_EXPLICIT_TABLE, node);
    wr_ast_table_ref *ref = WR_NEW(x->a, wr_ast_table_ref);
    if (!ref) return NULL;
    ref->base = (wr_ast){.kind = WR_AST_TABLE_REF, .span = node->span, .height = 2};
    ref->name = t->name;
    return select_all_from(x, &ref->base);
}

static wr_ast *
derived_of(expander *x, wr_ast *query)
{
    wr_ast_derived *d = WR_NEW(x->a, wr_ast_derived);
    if (!d) return NULL;
    d->base = (wr_ast){.kind = WR_AST_DERIVED, .span = query->span, .height = query->height + 1};
    d->query = query;
    return &d->base;
}

/* ---- names in expressions -------------------------------------------------------------------- */

/* Qualifies `id` in one scope. True: found, or cannot be told here. */
static bool
resolve_in(expander *x, wr_ast_ident *id, const scope *s)
{
    wr_str p0 = id->parts[0].name;
    uint32_t n = id->part_count;
    for (uint32_t i = 0; n >= 2 && i < s->items.count; i++)
        if (wr_str_eq(s->items.items[i].alias, p0)) return true;
    for (uint32_t i = 0; n >= 3 && i < s->items.count; i++) {
        const item *t = &s->items.items[i];
        bool two = wr_str_eq(t->id.database, p0) && wr_str_eq(t->id.name, id->parts[1].name);
        bool three = n >= 4 && wr_str_eq(t->id.catalog, p0) &&
                     wr_str_eq(t->id.database, id->parts[1].name) &&
                     wr_str_eq(t->id.name, id->parts[2].name);
        if (t->id.name.len == 0 || (!two && !three)) continue;
        prefix_ident(x, id, t->alias, three ? 3 : 2);
        return true;
    }
    for (uint32_t i = 0; i < s->merged.count; i++)
        if (wr_str_eq(s->merged.items[i].name, p0)) return true;
    const item *found = NULL;
    bool unknown = false;
    for (uint32_t i = 0; i < s->items.count; i++) {
        const item *t = &s->items.items[i];
        if (!t->cols.known) unknown = true;
        if (t->cols.known && has_name(&t->cols, p0)) found = t;
    }
    if (unknown) return true;
    if (found && found->alias.len) prefix_ident(x, id, found->alias, 0);
    return found != NULL;
}

static void
resolve(walker *w, wr_ast_ident *id)
{
    if (id->part_count == 0 || id->star) return;
    if (w->outputs && id->part_count == 1 && has_name(w->outputs, id->parts[0].name)) return;
    for (const scope *s = w->scope; s; s = s->outer)
        if (resolve_in(w->x, id, s)) return;
}

static bool visit(void *arg, const wr_ast *node);

static void
walk_list(walker *w, const wr_ast_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i]) wr_ast_walk(list->items[i], visit, w);
}

/* PI is written PI() in a view's text; the others have no such form. */
static void
close_pi(const wr_ast_call *c)
{
    wr_ast_call *call = (wr_ast_call *)(uintptr_t)c; /* our own copy of the tree */
    if (wr_str_eq_nocase(wr_ast_bare_call(&c->base), WR_STR("PI")))
        call->syntax = WR_SQL_CALL_PLAIN;
}

static void
walk_call(walker *w, const wr_ast_call *c)
{
    close_pi(c);
    walk_list(w, &c->args);
    walk_list(w, &c->order_by);
    walk_list(w, &c->within_group);
    walk_list(w, &c->within_distinct);
    if (c->filter) wr_ast_walk(c->filter, visit, w);
    if (c->over) wr_ast_walk(&c->over->base, visit, w);
    if (c->json) wr_ast_walk(&c->json->base, visit, w);
}

static void
walk_query(walker *w, const wr_ast *node)
{
    expander *x = w->x;
    names ignored = {0};
    wr_ast *copy = (wr_ast *)(uintptr_t)node; /* our own copy of the tree: changed in place */
    if (node->kind == WR_AST_EXPLICIT_TABLE) return; /* its name is qualified by the table rules */
    if (x->status == WR_OK) x->status = expand_query(x, &copy, w->scope, &ignored);
}

static void
walk_table_arg(walker *w, const wr_ast *node)
{
    wr_ast_table_arg *t = (wr_ast_table_arg *)(uintptr_t)node;
    names ignored = {0};
    if (w->x->status == WR_OK) w->x->status = expand_query(w->x, &t->table, w->scope, &ignored);
}

static bool
visit(void *arg, const wr_ast *node)
{
    walker *w = arg;
    if (w->x->status != WR_OK) return false;
    if (wr_ast_is_query(node)) {
        walk_query(w, node);
        return false;
    }
    if (node->kind == WR_AST_TABLE_ARG) {
        walk_table_arg(w, node);
        return false;
    }
    if (node->kind == WR_AST_CALL) {
        walk_call(w, WR_AST_AS(wr_ast_call, WR_AST_CALL, node));
        return false;
    }
    if (node->kind == WR_AST_IDENT) resolve(w, (wr_ast_ident *)(uintptr_t)node);
    return node->kind != WR_AST_DESCRIPTOR && node->kind != WR_AST_TYPE &&
           node->kind != WR_AST_IDENT;
}

static wr_status
expand_expr(expander *x, const wr_ast *e, const scope *s, const names *outputs)
{
    walker w = {.x = x, .scope = s, .outputs = outputs};
    if (e) wr_ast_walk(e, visit, &w);
    return x->status;
}

static wr_status
expand_list(expander *x, const wr_ast_list *list, const scope *s, const names *outputs)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i]) WR_TRY(expand_expr(x, list->items[i], s, outputs));
    return WR_OK;
}

/* ---- FROM ------------------------------------------------------------------------------------ */

static wr_str
unnamed(expander *x)
{
    return wr_arena_printf(x->a, "EXPR$%u", x->unnamed++);
}

static wr_status
add_item(expander *x, scope *s, const wr_ast_as *as, const item *t)
{
    item it = *t;
    if (as->columns.count) {
        it.cols = (names){.known = true};
        for (uint32_t i = 0; i < as->columns.count; i++)
            if (!add_name(x, &it.cols, as->columns.count, as->columns.items[i].name))
                return no_memory(x);
    }
    return wr_list_push(x->a, &s->items, it) ? WR_OK : no_memory(x);
}

static wr_status
name_it(expander *x, wr_ast_as *as, wr_str name)
{
    if (as->name.name.ptr) return WR_OK;
    if (!name.ptr) return no_memory(x);
    as->name = (wr_ast_part){.name = name, .span = WR_NO_SPAN, .quoted = true};
    return WR_OK;
}

static const cte *
find_cte(const expander *x, const wr_ast_ident *name)
{
    if (name->part_count != 1) return NULL;
    for (const cte *c = x->ctes; c; c = c->next)
        if (wr_str_eq(c->name, name->parts[0].name)) return c;
    return NULL;
}

static wr_status
expand_table_ref(expander *x, wr_ast_table_ref *t, scope *s)
{
    item it = {.alias = t->as.name.name.ptr ? t->as.name.name : WR_STR("")};
    if (!t->name) return add_item(x, s, &t->as, &it);
    const cte *c = find_cte(x, t->name);
    wr_str last = t->name->parts[t->name->part_count - 1].name;
    if (t->hints.count == 0) WR_TRY(name_it(x, &t->as, last));
    it.alias = t->as.name.name.ptr ? t->as.name.name : last;
    if (t->system_time) WR_TRY(expand_expr(x, t->system_time, s, NULL));
    if (c) {
        it.cols = c->cols;
        return add_item(x, s, &t->as, &it);
    }
    const wr_table_desc *desc = NULL;
    WR_TRY(wri_ddl_qualify(x->ctx, x->env, t->name, &it.id));
    WR_TRY(wr_catalogs_find_table(x->ctx, x->env->catalogs, &it.id, &desc));
    wr_str parts[] = {it.id.catalog, it.id.database, it.id.name};
    t->name = new_ident(x, parts, 3, t->name->base.span);
    if (!t->name) return no_memory(x);
    it.cols.known = desc != NULL && t->extend.count == 0;
    for (uint32_t i = 0; desc && i < desc->column_count; i++)
        if (!add_name(x, &it.cols, desc->column_count, desc->columns[i].name)) return no_memory(x);
    return add_item(x, s, &t->as, &it);
}

static wr_status
expand_derived(expander *x, wr_ast_derived *d, scope *s)
{
    item it = {0};
    WR_TRY(expand_query(x, &d->query, d->lateral ? s : s->outer, &it.cols));
    WR_TRY(name_it(x, &d->as, d->as.name.name.ptr ? d->as.name.name : unnamed(x)));
    it.alias = d->as.name.name;
    return add_item(x, s, &d->as, &it);
}

static bool
is_window_function(const wr_ast_call *c)
{
    static const char *const windows[] = {"TUMBLE", "HOP", "CUMULATE", "SESSION"};
    wr_str name = c->name->part_count == 1 ? c->name->parts[0].name : WR_STR("");
    for (uint32_t i = 0; i < WR_COUNT(windows); i++)
        if (wr_str_eq_nocase(name, wr_str_c(windows[i]))) return true;
    return false;
}

/* Columns of a window function: those of its table, then the window's. */
static wr_status
window_columns(expander *x, const wr_ast_call *c, const scope *s, names *out)
{
    static const char *const added[] = {"window_start", "window_end", "window_time"};
    names cols = {0};
    for (uint32_t i = 0; i < c->args.count; i++) {
        wr_ast *arg = c->args.items[i];
        if (arg->kind == WR_AST_NAMED_ARG)
            arg = WR_AST_AS(wr_ast_named_arg, WR_AST_NAMED_ARG, arg)->value;
        if (arg->kind != WR_AST_TABLE_ARG) continue;
        wr_ast_table_arg *t = (wr_ast_table_arg *)arg;
        WR_TRY(expand_query(x, &t->table, s, &cols));
    }
    *out = (names){.known = cols.known};
    for (uint32_t i = 0; i < cols.count; i++)
        if (!add_name(x, out, cols.count + 3, cols.items[i])) return no_memory(x);
    for (uint32_t i = 0; i < 3; i++)
        if (!add_name(x, out, cols.count + 3, wr_str_c(added[i]))) return no_memory(x);
    return WR_OK;
}

static wr_status
expand_table_func(expander *x, wr_ast_table_func *f, scope *s)
{
    item it = {0};
    const wr_ast_call *c =
        f->call->kind == WR_AST_CALL ? WR_AST_AS(wr_ast_call, WR_AST_CALL, f->call) : NULL;
    if (c && is_window_function(c))
        WR_TRY(window_columns(x, c, s, &it.cols));
    else
        WR_TRY(expand_expr(x, f->call, s, NULL));
    WR_TRY(name_it(x, &f->as, f->as.name.name.ptr ? f->as.name.name : unnamed(x)));
    it.alias = f->as.name.name;
    return add_item(x, s, &f->as, &it);
}

/* Alias of the one table among items [from, to) that has the column; empty: none, or several. */
static wr_str
owner(const scope *s, uint32_t from, uint32_t to, wr_str name)
{
    wr_str alias = WR_STR("");
    uint32_t n = 0;
    for (uint32_t i = from; i < to; i++) {
        const item *t = &s->items.items[i];
        if (!t->cols.known) return WR_STR("");
        if (!has_name(&t->cols, name)) continue;
        alias = t->alias;
        n++;
    }
    return n == 1 ? alias : WR_STR("");
}

static wr_status
merge_column(expander *x, scope *s, uint32_t first, uint32_t middle, wr_str name)
{
    merged m = {.name = name,
                .left = owner(s, first, middle, name),
                .right = owner(s, middle, s->items.count, name)};
    return wr_list_push(x->a, &s->merged, m) ? WR_OK : no_memory(x);
}

static wr_status
merge_columns(expander *x, const wr_ast_join *j, scope *s, uint32_t first, uint32_t middle)
{
    if (!j->natural && !j->has_using) return WR_OK;
    s->merging_joins++;
    for (uint32_t i = 0; i < j->using_columns.count; i++)
        WR_TRY(merge_column(x, s, first, middle, j->using_columns.items[i].name));
    for (uint32_t l = first; j->natural && l < middle; l++)
        for (uint32_t k = 0; k < s->items.items[l].cols.count; k++) {
            wr_str name = s->items.items[l].cols.items[k];
            bool both = false;
            for (uint32_t r = middle; r < s->items.count; r++)
                both = both || has_name(&s->items.items[r].cols, name);
            if (both) WR_TRY(merge_column(x, s, first, middle, name));
        }
    return WR_OK;
}

static wr_status
expand_join(expander *x, wr_ast_join *j, scope *s)
{
    uint32_t first = s->items.count;
    WR_TRY(expand_from(x, j->left, s));
    uint32_t middle = s->items.count;
    WR_TRY(expand_from(x, j->right, s));
    WR_TRY(merge_columns(x, j, s, first, middle));
    return j->on ? expand_expr(x, j->on, s, NULL) : WR_OK;
}

static wr_status
expand_match(expander *x, wr_ast_match *m, scope *s)
{
    scope inner = {.outer = s->outer};
    item it = {0};
    WR_TRY(expand_from(x, m->input, &inner));
    it.cols.known = m->rows != WR_SQL_ROWS_ALL;
    uint32_t cap = m->partition_by.count + m->measures.count;
    for (uint32_t i = 0; it.cols.known && i < m->partition_by.count; i++) {
        const wr_ast *p = m->partition_by.items[i];
        const wr_ast_ident *id =
            p->kind == WR_AST_IDENT ? WR_AST_AS(wr_ast_ident, WR_AST_IDENT, p) : NULL;
        it.cols.known = id && id->part_count;
        if (it.cols.known && !add_name(x, &it.cols, cap, id->parts[id->part_count - 1].name))
            return no_memory(x);
    }
    for (uint32_t i = 0; it.cols.known && i < m->measures.count; i++)
        if (!add_name(x, &it.cols, cap,
                      WR_AST_AS(wr_ast_alias, WR_AST_ALIAS, m->measures.items[i])->name.name))
            return no_memory(x);
    WR_TRY(name_it(x, &m->as, m->as.name.name.ptr ? m->as.name.name : unnamed(x)));
    it.alias = m->as.name.name;
    return add_item(x, s, &m->as, &it);
}

static wr_status
expand_from(expander *x, wr_ast *table, scope *s)
{
    item it = {0};
    switch ((int)table->kind) {
    case WR_AST_TABLE_REF:
        return expand_table_ref(x, (wr_ast_table_ref *)table, s);
    case WR_AST_DERIVED:
        return expand_derived(x, (wr_ast_derived *)table, s);
    case WR_AST_TABLE_FUNC:
        return expand_table_func(x, (wr_ast_table_func *)table, s);
    case WR_AST_UNNEST: {
        wr_ast_unnest *u = (wr_ast_unnest *)table;
        WR_TRY(expand_list(x, &u->args, s, NULL));
        it.alias = u->as.name.name.ptr ? u->as.name.name : WR_STR("");
        return add_item(x, s, &u->as, &it);
    }
    case WR_AST_JOIN:
        return expand_join(x, (wr_ast_join *)table, s);
    case WR_AST_MATCH:
        return expand_match(x, (wr_ast_match *)table, s);
    case WR_AST_PIVOT: {
        wr_ast_pivot *p = (wr_ast_pivot *)table;
        scope inner = {.outer = s->outer};
        WR_TRY(expand_from(x, p->input, &inner));
        it.alias = p->as.name.name.ptr ? p->as.name.name : WR_STR("");
        return add_item(x, s, &p->as, &it);
    }
    case WR_AST_UNPIVOT: {
        wr_ast_unpivot *p = (wr_ast_unpivot *)table;
        scope inner = {.outer = s->outer};
        WR_TRY(expand_from(x, p->input, &inner));
        it.alias = p->as.name.name.ptr ? p->as.name.name : WR_STR("");
        return add_item(x, s, &p->as, &it);
    }
    default:
        return wr_raise_at(x->ctx, WR_INTERNAL, table->span, "not a table: %s",
                           wr_ast_kind_name(table->kind));
    }
}

/* ---- the select list ------------------------------------------------------------------------- */

typedef WR_LIST(wr_ast *) node_list;

/* Name of an item's column before it is made unique. */
static wr_str
item_name(expander *x, const wr_ast *e, uint32_t index)
{
    if (e->kind == WR_AST_ALIAS) return WR_AST_AS(wr_ast_alias, WR_AST_ALIAS, e)->name.name;
    if (e->kind == WR_AST_IDENT) {
        const wr_ast_ident *id = WR_AST_AS(wr_ast_ident, WR_AST_IDENT, e);
        if (id->part_count && !id->star) return id->parts[id->part_count - 1].name;
    }
    if (e->kind == WR_AST_FIELD) return WR_AST_AS(wr_ast_field, WR_AST_FIELD, e)->name.name;
    const wr_str bare = wr_ast_bare_call(e);
    return bare.len ? bare : wr_arena_printf(x->a, "EXPR$%u", index);
}

/* How one column of a star is written: `t`.`c`, or `c` where it cannot be qualified. */
static wr_status
star_column(expander *x, wr_str alias, wr_str column, wr_span span, node_list *list, names *out)
{
    wr_str parts[] = {alias, column};
    wr_ast_ident *id = alias.len ? new_ident(x, parts, 2, span) : new_ident(x, &column, 1, span);
    if (!id) return no_memory(x);
    wr_str name = unique_name(x, out, column);
    wr_ast *node = &id->base;
    if (name.ptr && !wr_str_eq(name, column)) node = new_alias(x, node, name);
    if (!name.ptr || !node || !wr_list_push(x->a, list, node)) return no_memory(x);
    return add_name(x, out, 0, name) ? WR_OK : no_memory(x);
}

static const merged *
find_merged(const scope *s, wr_str name)
{
    for (uint32_t i = 0; i < s->merged.count; i++)
        if (wr_str_eq(s->merged.items[i].name, name)) return &s->merged.items[i];
    return NULL;
}

/* COALESCE(`l`.`c`, `r`.`c`) AS `c`; just `c` where the tables cannot be told. NULL: no memory. */
static wr_ast *
merged_node(expander *x, const scope *s, const merged *m, wr_span span)
{
    wr_str left[] = {m->left, m->name}, right[] = {m->right, m->name}, fn = WR_STR("COALESCE");
    if (!m->left.len || !m->right.len || s->merging_joins > 1) {
        wr_ast_ident *id = new_ident(x, &m->name, 1, span);
        return id ? &id->base : NULL;
    }
    wr_ast_ident *l = new_ident(x, left, 2, span), *r = new_ident(x, right, 2, span);
    wr_ast_ident *name = new_ident(x, &fn, 1, span);
    wr_ast_call *c = WR_NEW(x->a, wr_ast_call);
    wr_ast **args = WR_NEW_N(x->a, wr_ast *, 2);
    if (!l || !r || !name || !c || !args) return NULL;
    name->parts[0].quoted = false;
    args[0] = &l->base;
    args[1] = &r->base;
    c->base = (wr_ast){.kind = WR_AST_CALL, .span = span, .height = 2};
    c->name = name;
    c->args = (wr_ast_list){.items = args, .count = 2};
    return new_alias(x, &c->base, m->name);
}

static wr_status
expand_full_star(expander *x, const scope *s, wr_span span, node_list *list, names *out)
{
    for (uint32_t i = 0; i < s->merged.count; i++) {
        wr_ast *node = merged_node(x, s, &s->merged.items[i], span);
        if (!node || !wr_list_push(x->a, list, node)) return no_memory(x);
        out->items[out->count++] = s->merged.items[i].name;
    }
    for (uint32_t i = 0; i < s->items.count; i++)
        for (uint32_t k = 0; k < s->items.items[i].cols.count; k++) {
            wr_str name = s->items.items[i].cols.items[k];
            if (!find_merged(s, name))
                WR_TRY(star_column(x, s->items.items[i].alias, name, span, list, out));
        }
    return WR_OK;
}

static const item *
item_of_star(const scope *s, const wr_ast_ident *id)
{
    for (uint32_t i = 0; i < s->items.count; i++) {
        const item *t = &s->items.items[i];
        wr_str last = id->parts[id->part_count - 1].name;
        if (id->part_count == 1 ? wr_str_eq(t->alias, last)
                                : t->id.name.len && wr_str_eq(t->id.name, last))
            return t;
    }
    return NULL;
}

/* *done false: the star stays, its columns are not known here. */
static wr_status
expand_star(expander *x, const wr_ast_ident *id, const scope *s, node_list *list, names *out,
            bool *done)
{
    *done = true;
    if (id->part_count == 0) {
        for (uint32_t i = 0; i < s->items.count; i++) *done = *done && s->items.items[i].cols.known;
        *done = *done && s->merging_joins < 2;
        return *done ? expand_full_star(x, s, id->base.span, list, out) : WR_OK;
    }
    const item *t = item_of_star(s, id);
    *done = t && t->cols.known;
    for (uint32_t k = 0; *done && k < t->cols.count; k++)
        WR_TRY(star_column(x, t->alias, t->cols.items[k], id->base.span, list, out));
    return WR_OK;
}

static uint32_t
columns_of(const scope *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->items.count; i++) n += s->items.items[i].cols.count;
    return n + s->merged.count;
}

/* Is this item just the name of a merged column? */
static const merged *
bare_merged(const scope *s, const wr_ast *e)
{
    if (e->kind != WR_AST_IDENT) return NULL;
    const wr_ast_ident *id = WR_AST_AS(wr_ast_ident, WR_AST_IDENT, e);
    return id->part_count == 1 && !id->star ? find_merged(s, id->parts[0].name) : NULL;
}

static wr_status
expand_items(expander *x, wr_ast_select *sel, const scope *s, names *out)
{
    node_list list = {0};
    *out = (names){.known = true};
    uint32_t room = 1;
    for (uint32_t i = 0; i < sel->items.count; i++) room += 1 + columns_of(s);
    out->items = WR_NEW_N(x->a, wr_str, room);
    if (!out->items) return no_memory(x);
    for (uint32_t i = 0; i < sel->items.count; i++) {
        wr_ast *e = sel->items.items[i];
        bool star = e->kind == WR_AST_IDENT && ((const wr_ast_ident *)e)->star, done = false;
        if (star) WR_TRY(expand_star(x, (const wr_ast_ident *)e, s, &list, out, &done));
        if (done) continue;
        if (star) out->known = false;
        wr_str name = unique_name(x, out, item_name(x, e, out->count));
        const merged *m = bare_merged(s, e);
        const bool pi = wr_str_eq_nocase(wr_ast_bare_call(e), WR_STR("PI"));
        if (m)
            e = merged_node(x, s, m, e->span);
        else
            WR_TRY(expand_expr(x, e, s, NULL));
        if (pi && e) e = new_plain_alias(x, e, WR_STR("PI"));
        if (!e || !name.ptr || !wr_list_push(x->a, &list, e)) return no_memory(x);
        out->items[out->count++] = name;
    }
    sel->items = (wr_ast_list){.items = list.items, .count = list.count};
    return WR_OK;
}

/* ---- queries --------------------------------------------------------------------------------- */

static wr_status
expand_select(expander *x, wr_ast_select *sel, scope *s, names *out)
{
    if (sel->from) WR_TRY(expand_from(x, sel->from, s));
    WR_TRY(expand_items(x, sel, s, out));
    WR_TRY(expand_expr(x, sel->where, s, NULL));
    WR_TRY(expand_list(x, &sel->group_by, s, NULL));
    WR_TRY(expand_expr(x, sel->having, s, NULL));
    WR_TRY(expand_list(x, &sel->windows, s, NULL));
    return expand_expr(x, sel->qualify, s, out);
}

static wr_status
expand_with(expander *x, wr_ast_query *q, const scope *outer)
{
    for (uint32_t i = 0; i < q->with.count; i++) {
        wr_ast_cte *w = (wr_ast_cte *)q->with.items[i];
        cte *c = WR_NEW(x->a, cte);
        if (!c) return no_memory(x);
        c->name = w->name.name;
        if (q->recursive) { /* it may name itself */
            c->next = x->ctes;
            x->ctes = c;
        }
        WR_TRY(expand_query(x, &w->query, outer, &c->cols));
        if (w->columns.count) {
            c->cols = (names){.known = true};
            for (uint32_t k = 0; k < w->columns.count; k++)
                if (!add_name(x, &c->cols, w->columns.count, w->columns.items[k].name))
                    return no_memory(x);
        }
        if (q->recursive) continue;
        c->next = x->ctes;
        x->ctes = c;
    }
    return WR_OK;
}

static wr_status
expand_ordered(expander *x, wr_ast_query *q, const scope *outer, names *out)
{
    const cte *ctes = x->ctes;
    WR_TRY(expand_with(x, q, outer));
    if (q->body->kind == WR_AST_EXPLICIT_TABLE) q->body = select_from_explicit(x, q->body);
    if (q->body && q->body->kind == WR_AST_SETOP && q->order_by.count) {
        /* ORDER BY of a set operation sees its columns as those of a derived table */
        wr_ast *d = derived_of(x, q->body);
        q->body = d ? select_all_from(x, d) : NULL;
    }
    if (!q->body) return no_memory(x);
    if (q->body->kind == WR_AST_SELECT) {
        scope *s = WR_NEW(x->a, scope);
        if (!s) return no_memory(x);
        s->outer = outer;
        WR_TRY(expand_select(x, (wr_ast_select *)q->body, s, out));
        WR_TRY(expand_list(x, &q->order_by, s, out));
    } else {
        WR_TRY(expand_query(x, &q->body, outer, out));
    }
    x->ctes = ctes;
    return WR_OK;
}

static wr_status
expand_values(expander *x, wr_ast_values *v, const scope *outer, names *out)
{
    WR_TRY(expand_list(x, &v->rows, outer, NULL));
    const wr_ast *row = v->rows.items[0];
    uint32_t n = row->kind == WR_AST_CONSTRUCTOR
                     ? WR_AST_AS(wr_ast_constructor, WR_AST_CONSTRUCTOR, row)->items.count
                     : 1;
    *out = (names){.known = true};
    for (uint32_t i = 0; i < n; i++) {
        wr_str name = WR_STR("");
        if (row->kind == WR_AST_CONSTRUCTOR)
            name = wr_ast_bare_call(((const wr_ast_constructor *)row)->items.items[i]);
        if (!name.len) name = wr_arena_printf(x->a, "EXPR$%u", i);
        if (!name.ptr || !add_name(x, out, n, name)) return no_memory(x);
    }
    return WR_OK;
}

static wr_status
expand_query(expander *x, wr_ast **node, const scope *outer, names *out)
{
    if ((*node)->kind == WR_AST_EXPLICIT_TABLE) {
        *node = select_from_explicit(x, *node);
        if (!*node) return no_memory(x);
    }
    switch ((int)(*node)->kind) {
    case WR_AST_SELECT: {
        scope *s = WR_NEW(x->a, scope);
        if (!s) return no_memory(x);
        s->outer = outer;
        return expand_select(x, (wr_ast_select *)*node, s, out);
    }
    case WR_AST_QUERY:
        return expand_ordered(x, (wr_ast_query *)*node, outer, out);
    case WR_AST_SETOP: {
        wr_ast_setop *op = (wr_ast_setop *)*node;
        names ignored = {0};
        WR_TRY(expand_query(x, &op->left, outer, out));
        return expand_query(x, &op->right, outer, &ignored);
    }
    case WR_AST_VALUES:
        return expand_values(x, (wr_ast_values *)*node, outer, out);
    default:
        return wr_raise_at(x->ctx, WR_INTERNAL, (*node)->span, "not a query: %s",
                           wr_ast_kind_name((*node)->kind));
    }
}

wr_status
wri_ddl_expand(wr_ctx *ctx, const wr_plan_env *env, const wr_ast *query, wr_str *out)
{
    expander x = {.ctx = ctx, .env = env, .a = env->arena};
    names ignored = {0};
    wr_text t;
    wr_ast *copy = wr_ast_copy(query, env->arena);
    WR_TRY_ALLOC(ctx, copy);
    WR_TRY(expand_query(&x, &copy, NULL, &ignored));
    WR_TRY(x.status);
    wr_text_init(&t, env->arena);
    wr_sql_print(copy, &t);
    if (t.failed) return no_memory(&x);
    *out = wr_text_str(&t);
    return WR_OK;
}
