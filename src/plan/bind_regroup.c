/* SPDX-License-Identifier: Apache-2.0 */
/* The select expressions of an aggregating query, rewritten from the rows of FROM to the output of
 * the aggregate: keys and aggregate calls become its columns, GROUPING() a CASE over $e. References
 * from inside sub-queries are followed too. */
#include "plan/bind_int.h"

/* Bits above the keys number repeated sets. */
static uint32_t
duplicate_no(const wri_group *g, uint32_t set)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < set; i++) n += g->sets[i] == g->sets[set];
    return n;
}

/* $e of a set: a bit for every key that is left out, the first key's highest. */
int64_t
wri_bind_set_id(const wri_group *g, uint32_t set)
{
    uint64_t id = duplicate_no(g, set);
    for (uint32_t k = 0; k < g->key_count; k++) id = id << 1 | !(g->sets[set] >> k & 1);
    return (int64_t)id;
}

bool
wri_bind_key_nullable(const wri_group *g, uint32_t key)
{
    if (g->keys[key]->type->nullable) return true;
    for (uint32_t s = 0; g->has_sets && s < g->set_count; s++)
        if (!(g->sets[s] >> key & 1)) return true;
    return false;
}

typedef struct regroup {
    wri_binder *b;
    const wri_group *g;
    const wri_scope *scope;
    const wr_rel *agg;
    const uint32_t *position; /* of call i among the aggregates */
    const wr_expr *left;      /* a column that is no key */
    wr_status status;
} regroup;

static wr_expr *
agg_column(regroup *x, wri_map *m, uint32_t col, uint32_t depth, wr_span span)
{
    const wr_type *t = x->agg->schema.fields[col].type;
    wr_expr *e = wr_expr_column(m->a, col, t, span);
    if (!e) m->failed = true;
    if (e && depth) {
        e->kind = WR_EX_OUTER;
        e->level = depth;
    }
    return e;
}

/* GROUPING(a, b) or GROUP_ID(): CASE $e WHEN id THEN value ... END; the last set is the ELSE. */
static wr_status
grouping_value(regroup *x, const wri_agg_call *call, wr_expr **out)
{
    wri_binder *b = x->b;
    const wri_group *g = x->g;
    if (!g->has_sets) {
        *out = wri_rex_int(b->a, WR_T_BIGINT, 0);
        WR_TRY_ALLOC(b->ctx, *out);
        return WR_OK;
    }
    wr_expr **args = WR_NEW_N(b->a, wr_expr *, 2 * g->set_count + 1);
    WR_TRY_ALLOC(b->ctx, args);
    bool same = true;
    int64_t first = 0;
    for (uint32_t s = 0; s < g->set_count; s++) {
        int64_t v = call->kind == WRI_GROUP_ID ? duplicate_no(g, s) : 0;
        for (uint32_t i = 0; i < call->arg_count; i++) {
            bool present = false;
            for (uint32_t k = 0; k < g->key_count; k++)
                present |= (g->sets[s] >> k & 1) && wr_expr_equal(g->keys[k], call->args[i]);
            v = v << 1 | !present;
        }
        if (s == 0) first = v;
        same = same && v == first;
        wr_expr *value = wri_rex_int(b->a, WR_T_BIGINT, v);
        WR_TRY_ALLOC(b->ctx, value);
        args[s + 1 < g->set_count ? 2 * s + 1 : 2 * s] = value;
        if (s + 1 == g->set_count) break;
        WR_TRY(wri_rex_call2(&b->r, "=", wri_rex_col(b->a, x->agg, g->key_count),
                             wri_rex_int(b->a, WR_T_BIGINT, wri_bind_set_id(g, s)), &args[2 * s]));
    }
    if (same) {
        *out = wri_rex_int(b->a, WR_T_BIGINT, first);
        WR_TRY_ALLOC(b->ctx, *out);
        return WR_OK;
    }
    return wr_expr_case(b->ctx, b->a, args, 2 * g->set_count - 1, WR_NO_SPAN, out);
}

static wr_expr *
agg_value(regroup *x, wri_map *m, const wr_expr *e)
{
    const wri_agg_call *call = &x->g->calls.items[e->index];
    const uint32_t window = x->g->key_count;
    uint32_t keys = x->g->key_count + (x->g->has_sets ? 1 : 0) + (x->g->window ? 3 : 0);
    if (call->kind == WRI_WINDOW && call->prop <= WR_WINDOW_ROWTIME)
        return agg_column(x, m, window + call->prop, 0, e->span);
    if (call->kind == WRI_AGG) return agg_column(x, m, keys + x->position[e->index], 0, e->span);
    wr_expr *out = NULL;
    if (x->status == WR_OK)
        x->status = call->kind == WRI_WINDOW ? wri_bind_fn(x->b, "PROCTIME", NULL, 0, e->span, &out)
                                             : grouping_value(x, call, &out);
    if (!out) m->failed = true;
    return out;
}

typedef struct lift_to {
    uint32_t depth;
} lift_to;

static wr_expr *
lift_key(wri_map *m, const wr_expr *e, uint32_t depth)
{
    if (depth || e->kind != WR_EX_COLUMN) return NULL;
    wr_expr *c = WR_NEW(m->a, wr_expr);
    if (!c) return NULL;
    *c = *e;
    c->kind = WR_EX_OUTER;
    c->level = ((const lift_to *)m->arg)->depth;
    return c;
}

/* Is e the key, seen from `depth` sub-queries below? */
static bool
is_key(regroup *x, const wr_expr *e, const wr_expr *key, uint32_t depth)
{
    if (depth == 0) return e == key || wr_expr_equal(e, key);
    if (e->kind != (key->kind == WR_EX_COLUMN ? WR_EX_OUTER : key->kind)) return false;
    lift_to to = {depth};
    wri_map m = {x->b->a, lift_key, &to, false};
    const wr_expr *seen = wri_rex_map(&m, key, 0);
    return seen && wr_expr_equal(e, seen);
}

static wr_expr *
regroup_node(wri_map *m, const wr_expr *e, uint32_t depth)
{
    regroup *x = m->arg;
    if (depth == 0 && e->kind == WR_EX_AGG && !e->flag) return agg_value(x, m, e);
    if (e->kind == WR_EX_LITERAL) return NULL;
    for (uint32_t k = 0; k < x->g->key_count; k++)
        if (is_key(x, e, x->g->keys[k], depth)) return agg_column(x, m, k, depth, e->span);
    bool column =
        depth == 0 ? e->kind == WR_EX_COLUMN : e->kind == WR_EX_OUTER && e->level == depth;
    if (column && !x->left) x->left = e;
    return NULL;
}

/* Text of the statement at a span, without back-ticks; `otherwise` when there is none (star, stored
 * texts). */
wr_str
wri_bind_source_text(wri_binder *b, wr_span span, wr_str otherwise)
{
    if (b->fixed || span.start >= span.end || span.end > b->ctx->sql.len) return otherwise;
    wr_text t;
    wr_text_init(&t, b->a);
    for (uint32_t i = span.start; i < span.end; i++) {
        char c = b->ctx->sql.ptr[i];
        if (c == '*') return otherwise;
        if (c != '`') wr_text_putc(&t, c);
    }
    return wr_text_str(&t);
}

static wr_status
not_grouped(regroup *x)
{
    wri_binder *b = x->b;
    const wri_scope *s = x->scope;
    wr_str name = WR_STR("?");
    if (x->left->index < s->column_count) {
        const wri_column *c = &s->columns[x->left->index];
        wr_str alias = s->items[c->item].alias;
        name = alias.len
                   ? wr_arena_printf(b->a, "%.*s.%.*s", WR_STR_ARG(alias), WR_STR_ARG(c->name))
                   : c->name;
    }
    name = wri_bind_source_text(b, x->left->span, name);
    const wr_status status =
        wr_raise_at(b->ctx, WR_SEMANTIC, x->left->span, "Expression '%.*s' is not being grouped",
                    WR_STR_ARG(name));
    wr_hint(b->ctx, "write it in GROUP BY, or into an aggregate such as MAX or LAST_VALUE");
    return status;
}

/* With grouping sets a key that could not be NULL can be: so can what is computed from it. `e` is
 * the map's fresh copy. */
static wr_status
widen(wri_binder *b, wr_expr *e)
{
    bool any = false, all = e->arg_count > 0;
    for (uint32_t i = 0; i < e->arg_count; i++) {
        if (!e->args[i]) continue;
        if (e->args[i]->arg_count) WR_TRY(widen(b, e->args[i]));
        bool result = e->kind != WR_EX_CASE || i % 2 || i + 1 == e->arg_count;
        any |= result && e->args[i]->type->nullable;
        all = all && e->args[i]->type->nullable;
    }
    bool null = e->kind == WR_EX_COALESCE ? all : any;
    if (e->kind == WR_EX_CALL && e->fn->flags & WR_FNF_CALLED_ON_NULL) null = false;
    if (e->kind == WR_EX_SUBQUERY || !null || e->type->nullable) return WR_OK;
    e->type = wr_type_nullable(b->a, e->type, true);
    WR_TRY_ALLOC(b->ctx, e->type);
    return WR_OK;
}

/* GROUP BY 'x': the item 'x' is that key. */
static wr_expr *
literal_key(regroup *x, wri_map *m, const wr_expr *e)
{
    for (uint32_t k = 0; e->kind == WR_EX_LITERAL && k < x->g->key_count; k++)
        if (wr_expr_equal(e, x->g->keys[k])) return agg_column(x, m, k, 0, e->span);
    return NULL;
}

wr_status
wri_bind_group_map(wri_binder *b, const wri_group *g, const wri_scope *scope, const wr_rel *agg,
                   const uint32_t *position, wri_expr_list *exprs)
{
    regroup x = {b, g, scope, agg, position, NULL, WR_OK};
    wri_map m = {b->a, regroup_node, &x, false};
    for (uint32_t i = 0; i < exprs->count; i++) {
        wr_expr *e = literal_key(&x, &m, exprs->items[i]);
        if (!e) e = wri_rex_map(&m, exprs->items[i], 0);
        if (x.left) return not_grouped(&x);
        if (x.status != WR_OK) return x.status;
        WR_TRY_ALLOC(b->ctx, e);
        if (g->has_sets && e->arg_count) WR_TRY(widen(b, e));
        exprs->items[i] = e;
    }
    return WR_OK;
}
