/* SPDX-License-Identifier: Apache-2.0 */
/* Aggregates. In streaming one operator does the whole. In batch the rows of a place are first
 * aggregated where they are, and only what came of them is sent on and put together: COUNT is the
 * sum of counts, SUM of sums, and so on. Aggregates that cannot be put together, and those whose
 * rows are at their places already, are done in one go; so is everything in a job without
 * parallelism, whatever EXPLAIN shows. What Flink does over sorted rows (accumulators of no fixed
 * length) is hashed here; EXPLAIN shows the sorts. */
#include "plan/phys_int.h"
#include "plan/rule_int.h"

static int64_t
ttl_or_default(const wri_phys *p, int64_t hint_ms)
{
    return hint_ms >= 0 ? hint_ms : wr_config_int(p->env->config, "table.exec.state.ttl");
}

/* Where column `col` of the input comes from, down to a join; -1: it is computed, or rows are left
 * out on the way. */
static int64_t
trace_to_join(const wr_pnode *n, uint32_t col, const wr_pnode **join)
{
    for (; n->kind == WR_P_CALC || n->kind == WR_P_EXCHANGE; n = n->inputs[0]) {
        if (n->kind == WR_P_EXCHANGE) continue;
        const wr_expr *e = n->u.calc.exprs[col];
        if (n->u.calc.cond || e->kind != WR_EX_COLUMN) return -1;
        col = e->index;
    }
    *join = n;
    return n->kind == WR_P_JOIN ? (int64_t)col : -1;
}

/* A LEFT JOIN of rows that are only inserted takes a row back to give it a partner: it comes again
 * at once with the same left columns, and what was NULL has a value. In groups by left columns the
 * largest and the smallest value need not be taken back then. */
static bool
only_gains_partners(const wr_pnode *n, const wr_agg_bound *a)
{
    const wr_pnode *join = NULL, *of_key = NULL;
    if (a->arg_count != 1 || a->filter >= 0 || trace_to_join(n->inputs[0], a->args[0], &join) < 0 ||
        join->u.join.type != WR_JOIN_LEFT || !wri_insert_only(join->inputs[0]) ||
        !wri_insert_only(join->inputs[1]))
        return false;
    for (uint32_t i = 0; i < n->u.agg.key_count; i++) {
        const int64_t col = trace_to_join(n->inputs[0], n->u.agg.keys[i], &of_key);
        if (col < 0 || col >= (int64_t)join->inputs[0]->schema.count) return false;
    }
    return true;
}

/* Must the aggregates be able to take values back? The largest of values that only rise need not:
 * what is taken back is replaced by something larger. */
static wr_status
set_retracts(wr_ctx *ctx, wri_phys *p, wr_pnode *n)
{
    const uint8_t *mono = wri_node_of(n)->mono;
    bool *retracts = WR_NEW_N(p->arena, bool, n->u.agg.agg_count + 1);
    WR_TRY_ALLOC(ctx, retracts);
    for (uint32_t i = 0; i < n->u.agg.agg_count; i++) {
        const wr_agg_bound *a = &n->u.agg.aggs[i];
        uint8_t m = mono ? mono[n->u.agg.key_count + i] : (uint8_t)WRI_MONO_NONE;
        bool free = (strcmp(a->fn->name, "MAX") == 0 && m == WRI_MONO_RISING) ||
                    (strcmp(a->fn->name, "MIN") == 0 && m == WRI_MONO_FALLING);
        const bool extreme = strcmp(a->fn->name, "MAX") == 0 || strcmp(a->fn->name, "MIN") == 0;
        free |= n->u.agg.retract && extreme && only_gains_partners(n, a);
        retracts[i] = n->u.agg.retract && (!free || a->distinct);
    }
    n->u.agg.retracts = retracts;
    return WR_OK;
}

static bool
is_agg(const wr_agg_bound *a, const char *name)
{
    return strcmp(a->fn->name, name) == 0;
}

/* Aggregates without keys over nothing at all: one row, now. (Over input that only turns out to be
 * empty, streaming has no row.) NULL expressions stay where a function is not one of these. */
static wr_status
over_nothing(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    wr_expr **row = WR_NEW_N(p->arena, wr_expr *, rel->u.agg.agg_count + 1);
    wr_expr ***rows = WR_NEW_N(p->arena, wr_expr **, 1);
    WR_TRY_ALLOC(ctx, row);
    WR_TRY_ALLOC(ctx, rows);
    for (uint32_t i = 0; i < rel->u.agg.agg_count; i++) {
        const wr_agg_bound *a = &rel->u.agg.aggs[i];
        bool count = is_agg(a, "COUNT");
        if (!count && !is_agg(a, "SUM") && !is_agg(a, "MIN") && !is_agg(a, "MAX")) return WR_OK;
        wr_value v = {.type = a->type, .is_null = !count};
        row[i] = wr_expr_literal(p->arena, &v, WR_NO_SPAN);
        WR_TRY_ALLOC(ctx, row[i]);
    }
    rows[0] = row;
    wr_pnode *n = wri_phys_node(p, WR_P_VALUES, rel->schema, NULL, 0);
    WR_TRY_ALLOC(ctx, n);
    n->u.values.rows = rows;
    n->u.values.row_count = 1;
    n->row_count = 1;
    return wri_phys_derive(ctx, p, n, out);
}

/* ---- in two phases --------------------------------------------------------------------------- */

/* Of which Flink knows how to put partial results together. */
static bool
is_mergeable(const wr_agg_bound *a)
{
    static const char *const names[] = {"COUNT", "SUM", "$SUM0",        "MIN",
                                        "MAX",   "AVG", "SINGLE_VALUE", "APPROX_COUNT_DISTINCT"};
    if (a->distinct && !is_agg(a, "APPROX_COUNT_DISTINCT")) return false;
    for (uint32_t i = 0; i < WR_COUNT(names); i++)
        if (is_agg(a, names[i])) return true;
    return false;
}

/* What puts the partial results of an aggregate together here; NULL: nothing does. */
static const char *
merging(const wr_agg_bound *a)
{
    static const char *const pairs[][2] = {
        {"COUNT", "$SUM0"}, {"$SUM0", "$SUM0"}, {"SUM", "SUM"}, {"MIN", "MIN"}, {"MAX", "MAX"}};
    for (uint32_t i = 0; i < WR_COUNT(pairs); i++)
        if (is_agg(a, pairs[i][0])) return pairs[i][1];
    return NULL;
}

/* Does Flink keep the accumulator in a row of fixed length? Others are aggregated over sorted rows.
 */
static bool
is_fixed(const wr_agg_bound *a)
{
    if (is_agg(a, "COUNT")) return true;
    if (is_agg(a, "APPROX_COUNT_DISTINCT")) return false;
    if (!is_mergeable(a)) return a->distinct;
    switch ((int)a->type->id) {
    case WR_T_CHAR:
    case WR_T_VARCHAR:
    case WR_T_BINARY:
    case WR_T_VARBINARY:
    case WR_T_ROW:
    case WR_T_ARRAY:
    case WR_T_MAP:
    case WR_T_MULTISET:
        return false;
    default:
        return true;
    }
}

typedef struct phases { /* how an aggregate of a batch query is done */
    bool two, sorted;
} phases;

static wr_status
choose(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, const wr_pnode *input, phases *out)
{
    const wr_config *config = p->env->config;
    bool placed = false, works = true;
    *out = (phases){.two = true};
    for (uint32_t i = 0; i < rel->u.agg.agg_count; i++) {
        const wr_agg_bound *a = &rel->u.agg.aggs[i];
        out->two &= is_mergeable(a);
        out->sorted |= !is_fixed(a);
        works &= merging(a) != NULL;
    }
    WR_TRY(wri_phys_placed(ctx, p, input, rel->u.agg.keys, rel->u.agg.key_count, &placed));
    bool one =
        wr_str_eq(wr_config_str(config, "table.optimizer.agg-phase-strategy"), WR_STR("ONE_PHASE"));
    bool unique = wri_keys_within(input, rel->u.agg.keys, rel->u.agg.key_count);
    out->two &= !placed && !one && !(unique && rel->u.agg.key_count); /* groups of one row */
    if (p->env->explain) return WR_OK;
    int64_t parallelism = wr_config_int(config, "table.exec.resource.default-parallelism");
    if (parallelism <= 0) parallelism = wr_config_int(config, "parallelism.default");
    out->two &= works && parallelism > 1;
    out->sorted = false;
    return WR_OK;
}

static wr_status
sort_by_keys(wr_ctx *ctx, wri_phys *p, uint32_t count, const uint32_t *keys, wr_pnode **node)
{
    wr_order_key *order = WR_NEW_N(p->arena, wr_order_key, count + 1);
    WR_TRY_ALLOC(ctx, order);
    if (count == 0) return WR_OK;
    for (uint32_t i = 0; i < count; i++) order[i] = (wr_order_key){keys[i], false, false};
    wr_pnode *n = wri_phys_node(p, WR_P_SORT, (*node)->schema, node, 1);
    WR_TRY_ALLOC(ctx, n);
    n->u.sort.keys = order;
    n->u.sort.key_count = count;
    n->u.sort.fetch = -1;
    n->u.sort.strategy = WR_RANK_APPEND_FAST;
    return wri_phys_derive(ctx, p, n, node);
}

/* Keys and one column per aggregate. */
static wr_status
partial_schema(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_schema *out)
{
    uint32_t keys = rel->u.agg.key_count, n = rel->schema.count;
    wr_field *f = WR_NEW_N(p->arena, wr_field, n + 1);
    WR_TRY_ALLOC(ctx, f);
    memcpy(f, rel->schema.fields, n * sizeof *f);
    for (uint32_t i = 0; i < keys; i++)
        f[i].name = rel->inputs[0]->schema.fields[rel->u.agg.keys[i]].name;
    for (uint32_t i = keys; i < n; i++) {
        f[i].name = wr_arena_printf(p->arena, "$%u", i - keys);
        if (!f[i].name.ptr) return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    *out = (wr_schema){f, n};
    return WR_OK;
}

static wr_pnode *
agg_node(wri_phys *p, const wr_rel *rel, wr_schema schema, wr_agg_phase phase, bool sorted,
         wr_pnode *input)
{
    wr_pnode *n = wri_phys_node(p, WR_P_HASH_AGG, schema, &input, 1);
    if (!n) return NULL;
    n->u.agg.keys = rel->u.agg.keys;
    n->u.agg.key_count = rel->u.agg.key_count;
    n->u.agg.aggs = n->u.agg.shown = rel->u.agg.aggs;
    n->u.agg.agg_count = rel->u.agg.agg_count;
    n->u.agg.phase = (uint8_t)phase;
    n->u.agg.sorted = sorted;
    n->u.agg.generate_update_before = true;
    n->u.agg.ttl_ms = ttl_or_default(p, rel->u.agg.ttl_ms);
    return n;
}

/* The partial results as input: keys and results are columns in their order. */
static wr_status
merge_node(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, bool sorted, wr_pnode **node)
{
    uint32_t keys = rel->u.agg.key_count, count = rel->u.agg.agg_count;
    wr_pnode *in = *node;
    wr_pnode *n = agg_node(p, rel, rel->schema, WR_AGG_FINAL, sorted, in);
    uint32_t *cols = WR_NEW_N(p->arena, uint32_t, keys + 1);
    wr_agg_bound *aggs = WR_NEW_N(p->arena, wr_agg_bound, count + 1);
    wri_rules r = {ctx, p->env, p->arena, 0, false};
    wr_rel partial = {.schema = in->schema};
    WR_TRY_ALLOC(ctx, n);
    WR_TRY_ALLOC(ctx, cols);
    WR_TRY_ALLOC(ctx, aggs);
    for (uint32_t i = 0; i < keys; i++) cols[i] = i;
    for (uint32_t i = 0; i < count; i++) {
        const wr_agg_bound *a = &rel->u.agg.aggs[i];
        aggs[i] = *a; /* shown, not run */
        if (!merging(a)) continue;
        WR_TRY(wri_rule_agg(&r, merging(a), &partial, (int32_t)(keys + i), "", &aggs[i]));
        aggs[i].name = a->name;
        aggs[i].span = a->span;
        aggs[i].type = a->type;
    }
    n->u.agg.keys = cols;
    n->u.agg.aggs = aggs;
    return wri_phys_derive(ctx, p, n, node);
}

static wr_status
batch_aggregate(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode *input, wr_pnode **out)
{
    const uint32_t *keys = rel->u.agg.keys;
    uint32_t count = rel->u.agg.key_count;
    phases how;
    wr_schema schema;
    WR_TRY(choose(ctx, p, rel, input, &how));
    *out = input;
    if (!how.two) {
        WR_TRY(wri_phys_hash(ctx, p, out, keys, count));
        if (how.sorted) WR_TRY(sort_by_keys(ctx, p, count, keys, out));
        return wri_phys_derive(ctx, p,
                               agg_node(p, rel, rel->schema, WR_AGG_WHOLE, how.sorted, *out), out);
    }
    if (how.sorted) WR_TRY(sort_by_keys(ctx, p, count, keys, out));
    WR_TRY(partial_schema(ctx, p, rel, &schema));
    WR_TRY(wri_phys_derive(ctx, p, agg_node(p, rel, schema, WR_AGG_LOCAL, how.sorted, *out), out));
    uint32_t *first = WR_NEW_N(p->arena, uint32_t, count + 1);
    WR_TRY_ALLOC(ctx, first);
    for (uint32_t i = 0; i < count; i++) first[i] = i;
    WR_TRY(wri_phys_exchange(ctx, p, out, WR_DIST_HASH, first, count));
    if (how.sorted) WR_TRY(sort_by_keys(ctx, p, count, first, out));
    return merge_node(ctx, p, rel, how.sorted, out);
}

wr_status
wri_phys_aggregate(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    wr_pnode *input = NULL;
    *out = NULL;
    WR_TRY(wri_phys_rel(ctx, p, rel->inputs[0], &input));
    if (input->kind == WR_P_VALUES && input->u.values.row_count == 0 && rel->u.agg.key_count == 0) {
        WR_TRY(over_nothing(ctx, p, rel, out));
        if (*out) return WR_OK;
    }
    if (p->batch) return batch_aggregate(ctx, p, rel, input, out);
    WR_TRY(wri_phys_window_agg(ctx, p, rel, input, out));
    if (*out) return WR_OK;
    WR_TRY(wri_phys_hash(ctx, p, &input, rel->u.agg.keys, rel->u.agg.key_count));
    wr_pnode *n = wri_phys_node(p, WR_P_GROUP_AGG, rel->schema, &input, 1);
    WR_TRY_ALLOC(ctx, n);
    n->u.agg.keys = rel->u.agg.keys;
    n->u.agg.key_count = rel->u.agg.key_count;
    n->u.agg.aggs = n->u.agg.shown = rel->u.agg.aggs;
    n->u.agg.agg_count = rel->u.agg.agg_count;
    n->u.agg.retract = !wri_insert_only(input);
    n->u.agg.generate_update_before = true;
    n->u.agg.at_end = rel->u.agg.at_end;
    n->u.agg.mini_batch = wr_config_bool(p->env->config, "table.exec.mini-batch.enabled");
    n->u.agg.mini_batch_size = wr_config_int(p->env->config, "table.exec.mini-batch.size");
    n->u.agg.ttl_ms = ttl_or_default(p, rel->u.agg.ttl_ms);
    WR_TRY(wri_phys_derive(ctx, p, n, out));
    return set_retracts(ctx, p, n);
}
