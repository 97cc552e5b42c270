/* SPDX-License-Identifier: Apache-2.0 */
/* How columns change when a row is updated (the row of one upsert key): a count only rises, a MIN
 * only falls, grouping columns never change. Tells whether a Top-N may forget what it pushed out,
 * and whether MAX or MIN must be able to take values back. Nothing is known of what comes from
 * sources that update or delete. */
#include "plan/phys_int.h"

static uint8_t *
fill(wri_phys *p, const wr_pnode *n, uint8_t m)
{
    uint8_t *out = WR_NEW_N(p->arena, uint8_t, n->schema.count + 1);
    if (out) memset(out, m, n->schema.count + 1);
    return out;
}

static uint8_t *
copy(wri_phys *p, const wr_pnode *n, const wr_pnode *in)
{
    const uint8_t *from = wri_node_of(in)->mono;
    uint8_t *out = fill(p, n, WRI_MONO_NONE);
    if (out) memcpy(out, from, n->schema.count);
    return out;
}

static bool
is_number(const wr_type *t)
{
    return t->id >= WR_T_TINYINT && t->id <= WR_T_DOUBLE;
}

/* Casts between numbers keep the order. */
static const wr_expr *
below_casts(const wr_expr *e)
{
    while (e->kind == WR_EX_CAST && (wr_type_eq_ignoring_null(e->type, e->args[0]->type) ||
                                     (is_number(e->type) && is_number(e->args[0]->type))))
        e = e->args[0];
    return e;
}

/* The same of what does not change. */
static bool
is_constant(const wr_expr *e, const uint8_t *in)
{
    if (e->kind == WR_EX_COLUMN) return in[e->index] == WRI_MONO_CONSTANT;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (!is_constant(e->args[i], in)) return false;
    return true;
}

static uint8_t *
of_calc(wri_phys *p, const wr_pnode *n)
{
    const uint8_t *in = wri_node_of(n->inputs[0])->mono;
    uint8_t *out = fill(p, n, WRI_MONO_NONE);
    for (uint32_t i = 0; out && i < n->schema.count; i++) {
        const wr_expr *e = below_casts(n->u.calc.exprs[i]);
        if (e->kind == WR_EX_COLUMN) out[i] = in[e->index];
        if (wr_expr_is_deterministic(e) && is_constant(e, in)) out[i] = WRI_MONO_CONSTANT;
    }
    return out;
}

/* ---- the sign of a column's values: whether a SUM rises or falls ----------------------------- */

enum { SIGN_ANY, SIGN_UP, SIGN_DOWN }; /* >= 0, <= 0 */

static int
sign_of_literal(const wr_expr *e)
{
    if (e->kind != WR_EX_LITERAL || e->value.is_null) return SIGN_ANY;
    const wr_value *v = &e->value;
    switch (e->type->phys) {
    case WR_PHYS_I8:
    case WR_PHYS_I16:
    case WR_PHYS_I32:
    case WR_PHYS_I64:
        return v->u.i >= 0 ? SIGN_UP : SIGN_DOWN;
    case WR_PHYS_F32:
        return v->u.f32 >= 0 ? SIGN_UP : SIGN_DOWN;
    case WR_PHYS_F64:
        return v->u.f64 >= 0 ? SIGN_UP : SIGN_DOWN;
    default:
        return SIGN_ANY;
    }
}

static bool
is_zero(const wr_expr *e)
{
    switch (e->type->phys) {
    case WR_PHYS_I8:
    case WR_PHYS_I16:
    case WR_PHYS_I32:
    case WR_PHYS_I64:
        return e->value.u.i == 0;
    default:
        return false;
    }
}

/* What `column op literal` says of the column. */
static int
sign_by_condition(const wr_expr *e, uint32_t col)
{
    if (!e) return SIGN_ANY;
    if (e->kind == WR_EX_AND) {
        for (uint32_t i = 0; i < e->arg_count; i++) {
            int s = sign_by_condition(e->args[i], col);
            if (s != SIGN_ANY) return s;
        }
        return SIGN_ANY;
    }
    if (e->kind != WR_EX_CALL || e->arg_count != 2) return SIGN_ANY;
    const wr_expr *a = e->args[0], *b = e->args[1];
    bool turned = a->kind == WR_EX_LITERAL;
    if (turned) {
        a = e->args[1];
        b = e->args[0];
    }
    int s = sign_of_literal(b);
    char op = e->fn->name[0];
    if (a->kind != WR_EX_COLUMN || a->index != col || s == SIGN_ANY) return SIGN_ANY;
    if (op == '=') return s;
    bool lower = op == (turned ? '<' : '>') && strcmp(e->fn->name, "<>") != 0;
    if (is_zero(b)) s = lower ? SIGN_UP : SIGN_DOWN;
    bool upper = op == (turned ? '>' : '<') && strcmp(e->fn->name, "<>") != 0;
    return lower && s == SIGN_UP ? SIGN_UP : upper && s == SIGN_DOWN ? SIGN_DOWN : SIGN_ANY;
}

static int
sign_of(const wr_pnode *n, uint32_t col)
{
    while (n->kind == WR_P_EXCHANGE || n->kind == WR_P_WATERMARK) n = n->inputs[0];
    if (n->kind == WR_P_GROUP_AGG && col >= n->u.agg.key_count)
        return strcmp(n->u.agg.aggs[col - n->u.agg.key_count].fn->name, "COUNT") == 0 ? SIGN_UP
                                                                                      : SIGN_ANY;
    if (n->kind != WR_P_CALC) return SIGN_ANY;
    const wr_expr *e = below_casts(n->u.calc.exprs[col]);
    if (e->kind != WR_EX_COLUMN) return sign_of_literal(e);
    int s = sign_by_condition(n->u.calc.cond, e->index);
    return s != SIGN_ANY ? s : sign_of(n->inputs[0], e->index);
}

static uint8_t
of_aggregate(const wr_agg_bound *a, const wr_pnode *in)
{
    const char *name = a->fn->name;
    if (strcmp(name, "COUNT") == 0) return WRI_MONO_RISING;
    if (strcmp(name, "MAX") == 0) return WRI_MONO_RISING;
    if (strcmp(name, "MIN") == 0) return WRI_MONO_FALLING;
    if (strcmp(name, "SUM") != 0) return WRI_MONO_NONE;
    int s = sign_of(in, a->args[0]);
    return s == SIGN_UP ? WRI_MONO_RISING : s == SIGN_DOWN ? WRI_MONO_FALLING : WRI_MONO_NONE;
}

/* The same where rows of the input are replaced: only an argument that goes the same way will do,
 * except that a count does not mind. */
static uint8_t
of_updated(const wr_agg_bound *a, const uint8_t *in, uint8_t m)
{
    if (a->filter >= 0 && in[a->filter] != WRI_MONO_CONSTANT) return WRI_MONO_NONE;
    if (a->arg_count == 0 || strcmp(a->fn->name, "COUNT") == 0) return m;
    return a->arg_count == 1 && in[a->args[0]] == m ? m : (uint8_t)WRI_MONO_NONE;
}

/* Only where every row keeps its group. */
static uint8_t *
of_group_agg(wri_phys *p, const wr_pnode *n, bool *known)
{
    const uint8_t *in = wri_node_of(n->inputs[0])->mono;
    uint32_t keys = n->u.agg.key_count;
    *known = true;
    for (uint32_t i = 0; i < keys; i++) *known &= in[n->u.agg.keys[i]] == WRI_MONO_CONSTANT;
    if (!*known) return NULL;
    bool updated = false;
    for (uint32_t i = 0; i < n->inputs[0]->schema.count; i++) updated |= in[i] != WRI_MONO_CONSTANT;
    uint8_t *out = fill(p, n, WRI_MONO_CONSTANT);
    for (uint32_t i = 0; out && i < n->u.agg.agg_count; i++) {
        uint8_t m = of_aggregate(&n->u.agg.aggs[i], n->inputs[0]);
        out[keys + i] = updated ? of_updated(&n->u.agg.aggs[i], in, m) : m;
    }
    return out;
}

static bool
keys_constant(const uint8_t *mono, const uint32_t *keys, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (mono[keys[i]] != WRI_MONO_CONSTANT) return false;
    return true;
}

static bool
condition_constant(const wr_expr *e, const wr_pnode *l, const uint8_t *lm, const uint8_t *rm)
{
    if (!e) return true;
    if (e->kind == WR_EX_COLUMN) {
        uint32_t c = e->index, lc = l->schema.count;
        return (c < lc ? lm[c] : rm[c - lc]) == WRI_MONO_CONSTANT;
    }
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (!condition_constant(e->args[i], l, lm, rm)) return false;
    return true;
}

/* A row that loses its padding and gets a partner does not change by it. */
static uint8_t *
of_join(wri_phys *p, const wr_pnode *n, bool *known)
{
    const wr_pnode *l = n->inputs[0], *r = n->inputs[1];
    const uint8_t *lm = wri_node_of(l)->mono, *rm = wri_node_of(r)->mono;
    /* Rows of an outer join come padded and go when they find a match: nothing is monotonic then.
     */
    *known = (n->u.join.type == WR_JOIN_INNER || n->u.join.type == WR_JOIN_SEMI) &&
             keys_constant(lm, n->u.join.left_keys, n->u.join.key_count) &&
             keys_constant(rm, n->u.join.right_keys, n->u.join.key_count) &&
             condition_constant(n->u.join.cond, l, lm, rm);
    if (!*known) return NULL;
    uint8_t *out = fill(p, n, WRI_MONO_NONE);
    if (!out) return NULL;
    memcpy(out, lm, l->schema.count);
    if (n->u.join.type != WR_JOIN_SEMI) memcpy(out + l->schema.count, rm, r->schema.count);
    return out;
}

static uint8_t *
of_union(wri_phys *p, const wr_pnode *n)
{
    uint8_t *out = copy(p, n, n->inputs[0]);
    for (uint32_t i = 1; out && i < n->input_count; i++)
        for (uint32_t c = 0; c < n->schema.count; c++)
            if (out[c] != wri_node_of(n->inputs[i])->mono[c]) out[c] = WRI_MONO_NONE;
    return out;
}

/* Of the row of a partition with one number, while no row goes. */
static uint8_t *
of_rank(wri_phys *p, const wr_pnode *n, const uint32_t *keys, uint32_t count, bool *known)
{
    const wr_pnode *in = n->inputs[0];
    const bool ranks = n->kind == WR_P_RANK;
    const bool one = !ranks || (n->u.rank.first == n->u.rank.last && n->u.rank.last_col < 0);
    *known = wri_insert_only(in) && (one || n->u.rank.number) &&
             keys_constant(wri_node_of(in)->mono, keys, count);
    if (!*known) return NULL;
    uint8_t *out = fill(p, n, wri_insert_only(n) ? WRI_MONO_CONSTANT : WRI_MONO_NONE);
    for (uint32_t i = 0; out && i < count; i++) out[keys[i]] = WRI_MONO_CONSTANT;
    if (out && ranks && n->u.rank.number) out[n->schema.count - 1] = WRI_MONO_CONSTANT;
    return out;
}

wr_status
wri_mono_derive(wr_ctx *ctx, wri_phys *p, wr_pnode *n)
{
    uint8_t *out = NULL;
    bool known = true;
    for (uint32_t i = 0; i < n->input_count; i++) known &= wri_node_of(n->inputs[i])->mono != NULL;
    wri_node_of(n)->mono = NULL;
    if (p->batch || !known) return WR_OK;
    switch ((wr_pkind)n->kind) {
    case WR_P_SCAN:
    case WR_P_VALUES:
        known = wri_insert_only(n);
        out = known ? fill(p, n, WRI_MONO_CONSTANT) : NULL;
        break;
    case WR_P_CALC:
        out = of_calc(p, n);
        break;
    case WR_P_WATERMARK:
    case WR_P_MINI_BATCH:
    case WR_P_EXCHANGE:
        out = copy(p, n, n->inputs[0]);
        break;
    case WR_P_UNION:
        out = of_union(p, n);
        break;
    case WR_P_GROUP_AGG:
        out = of_group_agg(p, n, &known);
        break;
    case WR_P_JOIN:
        out = of_join(p, n, &known);
        break;
    case WR_P_LIMIT:
    case WR_P_CORRELATE:
    case WR_P_EXPAND:
    case WR_P_INTERVAL_JOIN:
        known = wri_insert_only(n);
        out = known ? fill(p, n, WRI_MONO_CONSTANT) : NULL;
        break;
    case WR_P_RANK:
        out = of_rank(p, n, n->u.rank.partition, n->u.rank.partition_count, &known);
        break;
    case WR_P_DEDUPLICATE:
        out = of_rank(p, n, n->u.dedup.keys, n->u.dedup.key_count, &known);
        break;
    case WR_P_OVER_AGG:
    case WR_P_WINDOW_TVF:
    case WR_P_WINDOW_AGG:
    case WR_P_WINDOW_JOIN:
    case WR_P_WINDOW_RANK:
    case WR_P_WINDOW_DEDUPLICATE:
    case WR_P_TEMPORAL_JOIN:
    case WR_P_MULTI_JOIN:
    case WR_P_LOOKUP_JOIN:
    case WR_P_MATCH:
    case WR_P_CHANGELOG:
    case WR_P_CHANGELOG_NORMALIZE:
    case WR_P_SORT:
    case WR_P_SORT_LIMIT:
    case WR_P_HASH_AGG:
    case WR_P_HASH_JOIN:
    case WR_P_NESTED_LOOP_JOIN:
    case WR_P_DROP_UPDATE_BEFORE:
    case WR_P_SINK_MATERIALIZE:
    case WR_P_SINK:
    case WR_P_COLLECT:
    case WR_P_COUNT:
        known = false;
        break;
    }
    if (known) WR_TRY_ALLOC(ctx, out);
    wri_node_of(n)->mono = out;
    return WR_OK;
}
