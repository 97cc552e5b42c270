/* SPDX-License-Identifier: Apache-2.0 */
/* Aggregation of a SELECT: grouping keys and grouping sets, then Project (keys, arguments), Expand,
 * Aggregate, and the select expressions rewritten over its output.
 *
 * An expression of the select list matches a key when it is bound to an equal expression (or, when
 * it is not deterministic, has the same text). What is left over the rows of FROM afterwards is
 * "not being grouped". With grouping sets, arguments of aggregates are separate columns, so that a
 * key that the set leaves out (and Expand sets to NULL) is still summed up; $e numbers the set. */
#include "plan/bind_int.h"

/* ---- grouping sets: lists of key bitmaps ----------------------------------------------------- */
typedef struct set_list {
    uint64_t *bits; /* count sets of `words` words */
    uint32_t count, cap;
} set_list;

typedef struct key_state {
    wri_binder *b;
    wri_where w;
    wri_group *g;
    WR_LIST(wr_expr *) keys;
    WR_LIST(const wr_ast *) asts;
} key_state;

#define KEYS_MAX 64u
#define SETS_MAX 4096u
#define CUBE_MAX 12u

static wr_status
add_set(key_state *ks, set_list *l, uint64_t set)
{
    if (l->count >= SETS_MAX)
        return wr_raise(ks->b->ctx, WR_LIMIT, "more than %u grouping sets", SETS_MAX);
    if (l->count == l->cap) {
        uint32_t cap = l->cap ? l->cap * 2 : 8;
        uint64_t *bits = WR_NEW_N(ks->b->a, uint64_t, cap);
        WR_TRY_ALLOC(ks->b->ctx, bits);
        if (l->count) memcpy(bits, l->bits, sizeof *bits * l->count);
        l->bits = bits;
        l->cap = cap;
    }
    l->bits[l->count++] = set;
    return WR_OK;
}

/* The key that an expression is; a new one if it was not there. */
static wr_status
add_key(key_state *ks, const wr_ast *e, uint64_t *set)
{
    wri_binder *b = ks->b;
    wr_expr *x = NULL;
    if (wri_bind_has_aggregate(e)) {
        wri_where w = ks->w; /* raises at the aggregate */
        WR_TRY(wri_bind_expr(b, &w, e, &x));
    }
    WR_TRY(wri_bind_expr_as(b, &ks->w, e, NULL, &x));
    for (uint32_t i = 0; i < ks->keys.count; i++)
        if (wr_expr_equal(ks->keys.items[i], x)) {
            *set |= 1ull << i;
            return WR_OK;
        }
    if (ks->keys.count >= KEYS_MAX && ks->g->has_sets)
        return wr_raise_at(b->ctx, WR_LIMIT, wri_bind_span(b, e), "more than %u grouping keys",
                           KEYS_MAX);
    if (ks->keys.count < KEYS_MAX) *set |= 1ull << ks->keys.count;
    if (!wr_list_push(b->a, &ks->keys, x) || !wr_list_push(b->a, &ks->asts, e))
        return wr_raise(b->ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

static const wr_ast_constructor *
as_row(const wr_ast *e)
{
    if (e->kind != WR_AST_CONSTRUCTOR) return NULL;
    const wr_ast_constructor *c = WR_AST_AS(wr_ast_constructor, WR_AST_CONSTRUCTOR, e);
    return c->what == WR_SQL_CONSTRUCT_ROW ? c : NULL;
}

static wr_status
add_window(key_state *ks, const wr_ast *e)
{
    WR_TRY(wri_bind_group_window(ks->b, ks->w.scope, ks->g, e));
    ks->g->window->at = ks->keys.count;
    return WR_OK;
}

/* An element of ROLLUP or CUBE, or a plain item: one key or a row of them. */
static wr_status
add_element(key_state *ks, const wr_ast *e, uint64_t *set)
{
    const wr_ast_constructor *row = as_row(e);
    if (wri_bind_is_group_window(e)) return add_window(ks, e);
    if (!row) return add_key(ks, e, set);
    for (uint32_t i = 0; i < row->items.count; i++) {
        const wr_ast *item = row->items.items[i];
        WR_TRY(wri_bind_is_group_window(item) ? add_window(ks, item) : add_key(ks, item, set));
    }
    return WR_OK;
}

static wr_status collect_sets(key_state *ks, const wr_ast *e, set_list *out);

static wr_status
collect_rollup(key_state *ks, const wr_ast_grouping *gr, set_list *out)
{
    uint64_t *element = WR_NEW_N(ks->b->a, uint64_t, gr->items.count + 1);
    WR_TRY_ALLOC(ks->b->ctx, element);
    uint32_t n = gr->items.count;
    for (uint32_t i = 0; i < n; i++) WR_TRY(add_element(ks, gr->items.items[i], &element[i]));
    if (gr->what == WR_SQL_GROUPING_ROLLUP) {
        for (uint32_t k = n + 1; k-- > 0;) {
            uint64_t set = 0;
            for (uint32_t i = 0; i < k; i++) set |= element[i];
            WR_TRY(add_set(ks, out, set));
        }
        return WR_OK;
    }
    if (n > CUBE_MAX)
        return wr_raise_at(ks->b->ctx, WR_LIMIT, wri_bind_span(ks->b, &gr->base),
                           "CUBE of more than %u elements", CUBE_MAX);
    for (uint32_t mask = (1u << n); mask-- > 0;) {
        uint64_t set = 0;
        for (uint32_t i = 0; i < n; i++)
            if (mask >> (n - 1 - i) & 1) set |= element[i];
        WR_TRY(add_set(ks, out, set));
    }
    return WR_OK;
}

static wr_status
collect_sets(key_state *ks, const wr_ast *e, set_list *out)
{
    if (e->kind != WR_AST_GROUPING) {
        uint64_t set = 0;
        WR_TRY(add_element(ks, e, &set));
        return add_set(ks, out, set);
    }
    const wr_ast_grouping *gr = WR_AST_AS(wr_ast_grouping, WR_AST_GROUPING, e);
    if (gr->what != WR_SQL_GROUPING_SETS) return collect_rollup(ks, gr, out);
    for (uint32_t i = 0; i < gr->items.count; i++)
        WR_TRY(collect_sets(ks, gr->items.items[i], out));
    return WR_OK;
}

/* GROUP BY a, ROLLUP(b): every set of one with every set of the other. */
static wr_status
cross(key_state *ks, set_list *all, const set_list *more)
{
    set_list out = {0};
    for (uint32_t i = 0; i < all->count; i++)
        for (uint32_t k = 0; k < more->count; k++)
            WR_TRY(add_set(ks, &out, all->bits[i] | more->bits[k]));
    *all = out;
    return WR_OK;
}

static void
drop_duplicates(set_list *l)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        bool seen = false;
        for (uint32_t k = 0; k < kept; k++) seen |= l->bits[k] == l->bits[i];
        if (!seen) l->bits[kept++] = l->bits[i];
    }
    l->count = kept;
}

/* A set before the sets that it contains, others by their keys, the first key counting least:
 * Flink copies a row in this order, whatever the order in the text. */
static bool
comes_before(uint64_t x, uint64_t y)
{
    uint64_t common = x & y;
    if (x == y || common == x) return false;
    return common == y || x < y;
}

/* By insertion from the end: the relation is not transitive, and CUBE stays as it is. */
static void
sort_sets(set_list *l)
{
    for (uint32_t i = 1; i < l->count; i++) {
        uint64_t set = l->bits[i];
        uint32_t at = i;
        for (; at > 0 && comes_before(set, l->bits[at - 1]); at--) l->bits[at] = l->bits[at - 1];
        l->bits[at] = set;
    }
}

wr_status
wri_bind_group_keys(wri_binder *b, const wri_scope *scope, const wr_ast_select *s, wri_group *g)
{
    key_state ks = {.b = b, .w = {.scope = scope, .clause = "GROUP BY"}, .g = g};
    set_list all = {0};
    WR_TRY(add_set(&ks, &all, 0));
    for (uint32_t i = 0; i < s->group_by.count; i++)
        if (s->group_by.items[i]->kind == WR_AST_GROUPING) g->has_sets = true;
    for (uint32_t i = 0; i < s->group_by.count; i++) {
        set_list more = {0};
        WR_TRY(collect_sets(&ks, s->group_by.items[i], &more));
        if (g->has_sets) WR_TRY(cross(&ks, &all, &more));
    }
    if (s->group_quantifier == WR_SQL_QUANT_DISTINCT) drop_duplicates(&all);
    sort_sets(&all);
    g->keys = ks.keys.items;
    g->key_asts = ks.asts.items;
    g->key_count = ks.keys.count;
    g->key_names = WR_NEW_N(b->a, wr_str, g->key_count + 1);
    WR_TRY_ALLOC(b->ctx, g->key_names);
    g->sets = g->has_sets ? all.bits : NULL;
    g->set_count = g->has_sets ? all.count : 0;
    for (uint32_t i = 0; i < g->key_count; i++) {
        const wr_type *t = g->keys[i]->type;
        if (b->env->batch && (wr_type_is(t, WR_T_MAP) || wr_type_is(t, WR_T_MULTISET)))
            return wr_raise_at(b->ctx, WR_TYPE, wri_bind_span(b, g->key_asts[i]),
                               "Type(%.*s) is not an orderable data type, it is not supported as "
                               "a ORDER_BY/GROUP_BY/JOIN_EQUAL field.",
                               WR_STR_ARG(wr_type_str(t, WR_TYPE_SUMMARY, b->a)));
    }
    return WR_OK;
}

int32_t
wri_bind_group_key_of(const wri_group *g, const wr_ast *e)
{
    for (uint32_t i = 0; i < g->key_count; i++)
        if (!wr_expr_is_deterministic(g->keys[i]) && wr_ast_equal(g->key_asts[i], e))
            return (int32_t)i;
    return -1;
}

/* ---- the columns below the aggregate --------------------------------------------------------- */
typedef struct column_list {
    wri_expr_list exprs;
    WR_LIST(wr_str) names;
} column_list;

static wr_status
push(wri_binder *b, column_list *l, wr_expr *e, wr_str name)
{
    return wr_list_push(b->a, &l->exprs, e) && wr_list_push(b->a, &l->names, name)
               ? WR_OK
               : wr_raise(b->ctx, WR_NOMEM, "out of memory");
}

/* The column that holds e, at or after `from`; a new one if there is none. */
static wr_status
column_of(wri_binder *b, column_list *l, wr_expr *e, uint32_t from, uint32_t *col)
{
    for (*col = from; *col < l->exprs.count; (*col)++)
        if (wr_expr_equal(l->exprs.items[*col], e)) return WR_OK;
    return push(b, l, e, WR_STR(""));
}

static bool
is_symbol(const wr_expr *e)
{
    return wr_type_is(e->type, WR_T_SYMBOL);
}

/* Arguments and filter of one aggregate as input columns, cast to what it wants. */
static wr_status
place_call(wri_binder *b, wri_agg_call *call, column_list *l, uint32_t from)
{
    uint32_t *cols = WR_NEW_N(b->a, uint32_t, call->arg_count + 1), n = 0;
    WR_TRY_ALLOC(b->ctx, cols);
    for (uint32_t i = 0; i < call->arg_count; i++) {
        wr_expr *e = call->args[i];
        if (is_symbol(e)) continue; /* a clause: resolve has read it */
        const wr_type *want = call->bound.arg_types ? call->bound.arg_types[i] : e->type;
        if (!wr_type_eq_ignoring_null(e->type, want)) {
            const wr_type *to = wr_type_nullable(b->a, want, e->type->nullable);
            WR_TRY_ALLOC(b->ctx, to);
            e = wr_expr_cast(b->a, e, to, false, e->span);
            WR_TRY_ALLOC(b->ctx, e);
        }
        WR_TRY(column_of(b, l, e, from, &cols[n++]));
    }
    call->bound.args = cols;
    call->bound.filter = -1;
    if (call->filter) {
        uint32_t col;
        WR_TRY(column_of(b, l, call->filter, from, &col));
        call->bound.filter = (int32_t)col;
    }
    call->bound.name = call->name;
    return WR_OK;
}

/* Expand: a copy of the row for every set, keys that it leaves out NULL, and $e. Duplicate sets
 * differ in the bits of $e above the keys (GROUP_ID). */
static wr_status
expand(wri_binder *b, const wri_group *g, wr_rel *input, wr_rel **out)
{
    uint32_t width = input->schema.count;
    wr_rel *rel = wri_rel_new(b->a, WR_REL_EXPAND, &input, 1);
    wr_field *fields = WR_NEW_N(b->a, wr_field, width + 1);
    WR_TRY_ALLOC(b->ctx, rel);
    WR_TRY_ALLOC(b->ctx, fields);
    for (uint32_t c = 0; c < width; c++) {
        fields[c] = input->schema.fields[c];
        if (c >= g->key_count) continue;
        fields[c].type = wr_type_nullable(b->a, fields[c].type, wri_bind_key_nullable(g, c));
        WR_TRY_ALLOC(b->ctx, fields[c].type);
    }
    fields[width] = (wr_field){WR_STR("$e"), wr_type_of(WR_T_BIGINT, false), WR_STR("")};
    rel->schema = (wr_schema){fields, width + 1};
    rel->u.expand.set_count = g->set_count;
    rel->u.expand.rows = WR_NEW_N(b->a, wr_expr **, g->set_count + 1);
    WR_TRY_ALLOC(b->ctx, rel->u.expand.rows);
    for (uint32_t s = 0; s < g->set_count; s++) {
        wr_expr **row = WR_NEW_N(b->a, wr_expr *, width + 1);
        WR_TRY_ALLOC(b->ctx, row);
        for (uint32_t c = 0; c < width; c++) {
            bool null = c < g->key_count && !(g->sets[s] >> c & 1);
            row[c] = null ? wri_rex_null(b->a, fields[c].type) : wri_rex_col(b->a, input, c);
            WR_TRY_ALLOC(b->ctx, row[c]);
        }
        row[width] = wri_rex_int(b->a, WR_T_BIGINT, wri_bind_set_id(g, s));
        WR_TRY_ALLOC(b->ctx, row[width]);
        rel->u.expand.rows[s] = row;
    }
    *out = rel;
    return WR_OK;
}

/* The keys, and the time of a group window in its place among them. */
static wr_status
push_keys(wri_binder *b, const wri_group *g, column_list *l, uint32_t *time_col)
{
    for (uint32_t i = 0; i <= g->key_count; i++) {
        if (g->window && g->window->at == i) {
            *time_col = l->exprs.count;
            WR_TRY(push(b, l, g->window->time, WR_STR("")));
        }
        if (i < g->key_count) WR_TRY(push(b, l, g->keys[i], g->key_names[i]));
    }
    return WR_OK;
}

wr_status
wri_bind_group_build(wri_binder *b, wri_group *g, wr_rel *input, wri_expr_list *exprs,
                     const wri_scope *scope, wr_rel **out)
{
    column_list l = {0};
    uint32_t time_col = 0;
    WR_TRY(push_keys(b, g, &l, &time_col));
    uint32_t from = g->has_sets ? g->key_count : 0, agg_count = 0;
    wr_agg_bound *aggs = WR_NEW_N(b->a, wr_agg_bound, g->calls.count + 1);
    uint32_t *position = WR_NEW_N(b->a, uint32_t, g->calls.count + 1);
    uint32_t *keys = WR_NEW_N(b->a, uint32_t, g->key_count + 4);
    WR_TRY_ALLOC(b->ctx, aggs);
    WR_TRY_ALLOC(b->ctx, position);
    WR_TRY_ALLOC(b->ctx, keys);
    for (uint32_t i = 0; i < g->calls.count; i++) {
        if (g->calls.items[i].kind != WRI_AGG) continue;
        WR_TRY(place_call(b, &g->calls.items[i], &l, from));
        position[i] = agg_count;
        aggs[agg_count++] = g->calls.items[i].bound;
    }
    wr_rel *rel = input;
    bool all = !g->has_sets && l.exprs.count == input->schema.count;
    for (uint32_t i = 0; i < l.exprs.count && all; i++) {
        const wr_str name = l.names.items[i];
        all = l.exprs.items[i]->kind == WR_EX_COLUMN && l.exprs.items[i]->index == i &&
              (name.len == 0 || wr_str_eq(name, input->schema.fields[i].name));
    }
    if (l.exprs.count && !all) /* all columns as they are: no projection */
        rel = wri_rel_project(b->a, input, l.exprs.items, l.names.items, l.exprs.count);
    WR_TRY_ALLOC(b->ctx, rel);
    uint32_t key_count = g->key_count;
    for (uint32_t i = 0; i < key_count; i++) keys[i] = i + (g->window && i >= g->window->at);
    if (g->has_sets) {
        WR_TRY(expand(b, g, rel, &rel));
        keys[key_count++] = rel->schema.count - 1;
    }
    if (g->window) {
        WR_TRY(wri_bind_group_window_build(b, g, rel, time_col, &rel));
        for (uint32_t i = 3; i > 0; i--) keys[key_count++] = rel->schema.count - i;
    }
    rel = wri_rel_aggregate(b->a, rel, keys, key_count, aggs, agg_count);
    WR_TRY_ALLOC(b->ctx, rel);
    wri_bind_hints_group(b, scope, rel);
    *out = rel;
    return wri_bind_group_map(b, g, scope, rel, position, exprs);
}
