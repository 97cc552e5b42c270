/* SPDX-License-Identifier: Apache-2.0 */
/* Multi-way joins: with table.optimizer.multi-join.enabled, or a MULTI_JOIN hint, a streaming inner
 * or left join is a MultiJoin; one whose left input is a MultiJoin takes that one's inputs as its
 * own, when there is a key that all of them share.
 *
 * A common key is a column of each input, such that the condition of each input equates its column
 * with that of an earlier one. So whatever an input matches has the key, be the joins between inner
 * or left; equalities that lead elsewhere stay conditions. */
#include "plan/multi.h"
#include "plan/phys_int.h"
#include "plan/rule_int.h"

#define TRIES_MAX 10000u /* ways to choose the columns of a key */

typedef struct equality { /* of columns of the output */
    uint32_t left, right;
    const wr_expr *term;
} equality;

typedef struct level { /* an input being joined */
    wr_multi_input in;
    wr_pnode *node; /* below its exchange */
    WR_LIST(equality) equal;
    WR_LIST(wr_expr *) terms;
    WR_LIST(uint32_t) keys;
} level;

typedef struct making {
    wr_ctx *ctx;
    wri_phys *p;
    level *levels;
    uint32_t count, width; /* inputs; columns of the output */
    uint32_t *chosen;      /* per input: a column of the output */
    uint32_t tries, key_count;
    wr_str *names; /* per column of the output, as the query's joins name them */
} making;

static wr_status
nomem(const making *m)
{
    return wr_raise(m->ctx, WR_NOMEM, "out of memory");
}

bool
wri_multi_wanted(const wr_plan_env *env, const wr_rel *join)
{
    if (env->batch || join->u.join.temporal || join->u.join.null_aware ||
        (join->u.join.type != WR_JOIN_INNER && join->u.join.type != WR_JOIN_LEFT))
        return false;
    return wr_config_bool(env->config, "table.optimizer.multi-join.enabled") ||
           (join->u.join.hint && strncmp(join->u.join.hint, "MULTI_JOIN ", 11) == 0);
}

/* ---- inputs ---------------------------------------------------------------------------------- */
static uint32_t
input_of(const making *m, uint32_t col)
{
    uint32_t i = m->count - 1;
    while (m->levels[i].in.first > col) i--;
    return i;
}

static bool
add_term(making *m, level *l, wr_expr *e)
{
    if (e->kind == WR_EX_AND) {
        for (uint32_t i = 0; i < e->arg_count; i++)
            if (!add_term(m, l, e->args[i])) return false;
        return true;
    }
    if (!wr_list_push(m->p->arena, &l->terms, e)) return false;
    if (e->kind != WR_EX_CALL || strcmp(e->fn->name, "=") != 0) return true;
    const wr_expr *a = e->args[0], *b = e->args[1];
    if (a->kind != WR_EX_COLUMN || b->kind != WR_EX_COLUMN) return true;
    if (!wr_type_eq_ignoring_null(a->type, b->type)) return true;
    const equality q = {WR_MIN(a->index, b->index), WR_MAX(a->index, b->index), e};
    if (q.left >= l->in.first || q.right < l->in.first) return true;
    return wr_list_push(m->p->arena, &l->equal, q);
}

static wr_status
add_input(making *m, wr_pnode *node, uint8_t type, wr_expr *whole, int64_t told_ms)
{
    level *l = &m->levels[m->count++];
    *l = (level){.node = node};
    l->in.type = type;
    l->in.first = m->width;
    l->in.whole = whole;
    l->in.ttl_told = told_ms >= 0;
    l->in.ttl_ms =
        told_ms >= 0 ? told_ms : wr_config_int(m->p->env->config, "table.exec.state.ttl");
    m->width += node->schema.count;
    return !whole || add_term(m, l, whole) ? WR_OK : nomem(m);
}

/* The MultiJoin whose inputs a join may take over; *cols: its columns for those of the join's left
 * side, NULL = the same. */
static const wr_pnode *
below_of(const wr_rel *join, const wr_pnode *left, wr_expr *const **cols)
{
    *cols = NULL;
    if (!join->u.join.takes_left) return NULL;
    if (left->kind == WR_P_CALC && !left->u.calc.cond) {
        for (uint32_t i = 0; i < left->schema.count; i++)
            if (left->u.calc.exprs[i]->kind != WR_EX_COLUMN) return NULL;
        *cols = left->u.calc.exprs;
        left = left->inputs[0];
    }
    return left->kind == WR_P_MULTI_JOIN ? left : NULL;
}

typedef struct places {
    wr_expr *const *cols;
    uint32_t left, moved; /* columns of the join's left side; where those of the right begin now */
} places;

static void
place_column(void *arg, uint32_t *index)
{
    const places *w = arg;
    if (*index >= w->left)
        *index = *index - w->left + w->moved;
    else if (w->cols)
        *index = w->cols[*index]->index;
}

/* ---- keys ------------------------------------------------------------------------------------ */
/* Choose the columns of inputs d.. so that each is equated with that of an earlier one. */
static bool
choose(making *m, uint32_t d)
{
    if (d == m->count) return true;
    const level *l = &m->levels[d];
    for (uint32_t i = 0; i < l->equal.count && m->tries > 0; i++) {
        const equality *q = &l->equal.items[i];
        if (m->chosen[input_of(m, q->left)] != q->left) continue;
        m->chosen[d] = q->right;
        m->tries--;
        if (choose(m, d + 1)) return true;
    }
    return false;
}

static wr_status
find_keys(making *m)
{
    m->key_count = 0;
    m->tries = TRIES_MAX;
    m->chosen = WR_NEW_N(m->p->arena, uint32_t, m->count + 1);
    WR_TRY_ALLOC(m->ctx, m->chosen);
    for (uint32_t c = 0; c < m->levels[0].node->schema.count; c++) {
        m->chosen[0] = c;
        if (!choose(m, 1)) continue;
        for (uint32_t i = 0; i < m->count; i++)
            if (!wr_list_push(m->p->arena, &m->levels[i].keys,
                              m->chosen[i] - m->levels[i].in.first))
                return nomem(m);
        m->key_count++;
    }
    return WR_OK;
}

/* Which key says that this holds? *needs: an input that must have a row for it, 0 = none. */
static bool
is_key_pair(const making *m, uint32_t d, const equality *q, uint32_t *needs)
{
    const level *l = &m->levels[d];
    const uint32_t e = input_of(m, q->left);
    const level *other = &m->levels[e];
    *needs = other->in.type == WR_JOIN_LEFT ? e : 0;
    for (uint32_t k = 0; k < m->key_count; k++)
        if (l->keys.items[k] + l->in.first == q->right &&
            other->keys.items[k] + other->in.first == q->left)
            return true;
    return false;
}

/* What is left of an input's condition for rows of one common key. */
static wr_status
take_keys_off(making *m, uint32_t d)
{
    level *l = &m->levels[d];
    WR_LIST(wr_expr *) rest;
    memset(&rest, 0, sizeof rest);
    uint32_t *needs = WR_NEW_N(m->p->arena, uint32_t, l->terms.count + 1), at = 0;
    WR_TRY_ALLOC(m->ctx, needs);
    for (uint32_t i = 0; i < l->terms.count; i++) {
        wr_expr *e = l->terms.items[i];
        const bool equates = at < l->equal.count && l->equal.items[at].term == e;
        uint32_t need = 0;
        if (!equates || !is_key_pair(m, d, &l->equal.items[at], &need)) {
            if (!wr_list_push(m->p->arena, &rest, e)) return nomem(m);
        } else if (need) {
            needs[l->in.need_count++] = need;
        }
        at += equates;
    }
    l->in.needs = needs;
    l->in.cond = NULL;
    return rest.count ? wr_expr_and(m->ctx, m->p->arena, rest.items, rest.count, &l->in.cond)
                      : WR_OK;
}

/* ---- the node -------------------------------------------------------------------------------- */
static wr_status
set_equalities(making *m, level *l)
{
    uint32_t *left = WR_NEW_N(m->p->arena, uint32_t, l->equal.count + 1);
    uint32_t *own = WR_NEW_N(m->p->arena, uint32_t, l->equal.count + 1);
    WR_TRY_ALLOC(m->ctx, left);
    WR_TRY_ALLOC(m->ctx, own);
    for (uint32_t i = 0; i < l->equal.count; i++) {
        left[i] = l->equal.items[i].left;
        own[i] = l->equal.items[i].right - l->in.first;
    }
    l->in.equal_left = left;
    l->in.equal_own = own;
    l->in.equal_count = l->equal.count;
    return WR_OK;
}

static wr_status
finish_input(making *m, uint32_t d, wr_pnode **node)
{
    level *l = &m->levels[d];
    l->in.keys = l->keys.items;
    wri_join_unique_key(l->node, l->in.keys, m->key_count, &l->in.unique_key,
                        &l->in.unique_key_count, &l->in.key_contains_unique);
    WR_TRY(take_keys_off(m, d));
    WR_TRY(set_equalities(m, l));
    *node = l->node;
    return wri_phys_hash(m->ctx, m->p, node, l->in.keys, m->key_count);
}

static wr_status
make_node(making *m, wr_pnode **out)
{
    wr_pnode **inputs = WR_NEW_N(m->p->arena, wr_pnode *, m->count + 1);
    wr_multi_spec *spec = WR_NEW(m->p->arena, wr_multi_spec);
    WR_TRY_ALLOC(m->ctx, inputs);
    WR_TRY_ALLOC(m->ctx, spec);
    spec->key_count = m->key_count;
    spec->inputs = WR_NEW_N(m->p->arena, wr_multi_input, m->count + 1);
    WR_TRY_ALLOC(m->ctx, spec->inputs);
    wr_schema schema = m->levels[0].node->schema;
    wr_str *names = WR_NEW_N(m->p->arena, wr_str, m->width + 1);
    wr_field *fields = WR_NEW_N(m->p->arena, wr_field, m->width + 1);
    WR_TRY_ALLOC(m->ctx, names);
    WR_TRY_ALLOC(m->ctx, fields);
    for (uint32_t i = 0; i < m->count; i++) {
        level *l = &m->levels[i];
        WR_TRY(finish_input(m, i, &inputs[i]));
        spec->inputs[i] = l->in;
        if (i == 0) continue;
        wr_schema wider;
        if (!wri_rel_schema_concat(m->p->arena, &schema, false, &l->node->schema,
                                   l->in.type == WR_JOIN_LEFT, &wider))
            return nomem(m);
        schema = wider;
    }
    for (uint32_t c = 0; c < m->width; c++) {
        names[c] = wri_rel_name_unique(m->p->arena, names, c, m->names[c]);
        WR_TRY_ALLOC(m->ctx, names[c].ptr);
        fields[c] = schema.fields[c];
        fields[c].name = names[c];
    }
    schema.fields = fields;
    wr_pnode *n = wri_phys_node(m->p, WR_P_MULTI_JOIN, schema, inputs, m->count);
    WR_TRY_ALLOC(m->ctx, n);
    n->u.multi = spec;
    return wri_phys_derive(m->ctx, m->p, n, out);
}

/* The inputs of the join; with `below`, its left side's are those of that node. */
static wr_status
gather(making *m, const wr_rel *join, wr_pnode *const *sides, const wr_pnode *below, places *w)
{
    const int64_t *ttl = join->u.join.ttl_ms;
    const uint32_t left = below ? below->input_count : 1;
    m->count = m->width = 0;
    m->levels = WR_NEW_N(m->p->arena, level, left + 2);
    WR_TRY_ALLOC(m->ctx, m->levels);
    for (uint32_t i = 0; below && i < left; i++) {
        const wr_multi_input *in = &below->u.multi->inputs[i];
        WR_TRY(add_input(m, below->inputs[i]->inputs[0], in->type, in->whole,
                         in->ttl_told ? in->ttl_ms : -1));
    }
    if (!below) WR_TRY(add_input(m, sides[0], WR_JOIN_INNER, NULL, ttl[0]));
    w->moved = m->width;
    wr_expr *cond = join->u.join.cond;
    if (cond) {
        cond = wr_expr_map_columns(m->p->arena, cond, place_column, w);
        WR_TRY_ALLOC(m->ctx, cond);
    }
    WR_TRY(add_input(m, sides[1], join->u.join.type, cond, ttl[1]));
    m->names = WR_NEW_N(m->p->arena, wr_str, m->width + 1);
    WR_TRY_ALLOC(m->ctx, m->names);
    for (uint32_t c = 0; c < m->width; c++)
        m->names[c] = c >= w->moved ? join->schema.fields[c - w->moved + w->left].name
                      : below       ? below->schema.fields[c].name
                                    : join->schema.fields[c].name;
    return find_keys(m);
}

wr_status
wri_phys_multi(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode *const *sides, wr_pnode **out)
{
    making m = {.ctx = ctx, .p = p};
    places w = {.left = sides[0]->schema.count};
    const wr_pnode *below = below_of(rel, sides[0], &w.cols);
    if (below) WR_TRY(gather(&m, rel, sides, below, &w));
    if (m.key_count == 0) {
        w.cols = NULL;
        WR_TRY(gather(&m, rel, sides, NULL, &w));
    }
    WR_TRY(make_node(&m, out));
    wr_expr **exprs = WR_NEW_N(p->arena, wr_expr *, rel->schema.count + 1);
    WR_TRY_ALLOC(ctx, exprs);
    for (uint32_t i = 0; i < rel->schema.count; i++) {
        uint32_t col = i;
        place_column(&w, &col);
        exprs[i] = wr_expr_column(p->arena, col, rel->schema.fields[i].type, WR_NO_SPAN);
        WR_TRY_ALLOC(ctx, exprs[i]);
    }
    wr_schema schema = rel->schema;
    return wri_phys_calc(ctx, p, out, NULL, exprs, schema);
}
