/* SPDX-License-Identifier: Apache-2.0 */
/* Sharing: equal sub-plans become one node with several consumers (table.optimizer.reuse-*), and
 * INSERTs into one sink one sink over a union. Two nodes are equal when their inputs are the same
 * nodes, they do the same, and emit the same kinds of changes; what is not deterministic never is.
 *
 * In batch a node is shared between statements only: a join that met the same rows on both sides
 * would have to keep one of them in memory while it reads the other. */
#include "plan/changelog_fn.h"
#include "plan/multi.h"
#include "plan/rule_int.h"
#include "plan/timed_int.h"
#include "plan/window.h"

typedef struct shared {
    wr_pnode *node;
    uint32_t root;
} shared;

typedef struct sharing {
    wr_ctx *ctx;
    wri_phys *p;
    bool sources;
    uint32_t root;
    WR_LIST(shared) unique;
    WR_LIST(wr_pnode *) done, become; /* visited node -> the node that stands for it */
} sharing;

/* ---- equality -------------------------------------------------------------------------------- */

static bool
cols_equal(const uint32_t *a, uint32_t an, const uint32_t *b, uint32_t bn)
{
    return an == bn && (an == 0 || memcmp(a, b, an * sizeof *a) == 0);
}

static bool
expr_equal(const wr_expr *a, const wr_expr *b)
{
    return a == b ? !a || wr_expr_is_deterministic(a) : a && b && wr_expr_equal(a, b);
}

static bool
exprs_equal(wr_expr *const *a, wr_expr *const *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!expr_equal(a[i], b[i])) return false;
    return true;
}

static bool
rows_equal(wr_expr ***a, uint32_t an, wr_expr ***b, uint32_t bn, uint32_t width)
{
    if (an != bn) return false;
    for (uint32_t i = 0; i < an; i++)
        if (!exprs_equal(a[i], b[i], width)) return false;
    return true;
}

static bool
schema_equal(const wr_schema *a, const wr_schema *b)
{
    if (a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!wr_str_eq(a->fields[i].name, b->fields[i].name) ||
            !wr_type_eq(a->fields[i].type, b->fields[i].type) ||
            a->fields[i].type->attr != b->fields[i].type->attr)
            return false;
    return true;
}

static bool
options_equal(const wr_options *a, const wr_options *b)
{
    if (a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!wr_str_eq(a->items[i].key, b->items[i].key) ||
            !wr_str_eq(a->items[i].value, b->items[i].value))
            return false;
    return true;
}

static bool
table_id_equal(const wr_table_id *a, const wr_table_id *b)
{
    return wr_str_eq(a->catalog, b->catalog) && wr_str_eq(a->database, b->database) &&
           wr_str_eq(a->name, b->name);
}

static bool
filters_equal(const wr_source_spec *a, const wr_source_spec *b)
{
    if (a->filter_count != b->filter_count) return false;
    for (uint32_t i = 0; i < a->filter_count; i++) {
        const wr_pushed_filter *x = &a->filters[i], *y = &b->filters[i];
        wr_expr lx = {.kind = WR_EX_LITERAL, .type = x->value.type, .value = x->value};
        wr_expr ly = {.kind = WR_EX_LITERAL, .type = y->value.type, .value = y->value};
        if (x->col != y->col || x->op != y->op || !wr_expr_equal(&lx, &ly)) return false;
    }
    return true;
}

static bool
scan_equal(const wr_pnode *a, const wr_pnode *b)
{
    const wr_source_spec *x = &a->u.scan.spec, *y = &b->u.scan.spec;
    if (a->u.scan.source != b->u.scan.source || x->limit != y->limit) return false;
    if (!table_id_equal(&x->table->id, &y->table->id)) return false;
    for (uint32_t i = 0; i < x->columns.count; i++) {
        const char *m = x->metadata ? x->metadata[i] : NULL;
        const char *k = y->metadata ? y->metadata[i] : NULL;
        if (x->physical[i] != y->physical[i] || !m != !k || (m && strcmp(m, k) != 0)) return false;
    }
    return options_equal(&x->options, &y->options) && filters_equal(x, y);
}

static bool
order_equal(const wr_pnode *a, const wr_pnode *b)
{
    if (a->u.sort.key_count != b->u.sort.key_count) return false;
    for (uint32_t i = 0; i < a->u.sort.key_count; i++) {
        const wr_order_key *x = &a->u.sort.keys[i], *y = &b->u.sort.keys[i];
        if (x->col != y->col || x->desc != y->desc || x->nulls_last != y->nulls_last) return false;
    }
    return a->u.sort.offset == b->u.sort.offset && a->u.sort.fetch == b->u.sort.fetch &&
           a->u.sort.strategy == b->u.sort.strategy;
}

static bool
agg_equal(const wr_pnode *a, const wr_pnode *b)
{
    if (a->u.agg.agg_count != b->u.agg.agg_count || a->u.agg.phase != b->u.agg.phase ||
        a->u.agg.ttl_ms != b->u.agg.ttl_ms || a->u.agg.at_end != b->u.agg.at_end ||
        !cols_equal(a->u.agg.keys, a->u.agg.key_count, b->u.agg.keys, b->u.agg.key_count))
        return false;
    for (uint32_t i = 0; i < a->u.agg.agg_count; i++) {
        const wr_agg_bound *x = &a->u.agg.aggs[i], *y = &b->u.agg.aggs[i];
        if (x->fn != y->fn || x->ops != y->ops || x->filter != y->filter || x->data != y->data ||
            x->distinct != y->distinct || x->ignore_nulls != y->ignore_nulls || x->order_count ||
            y->order_count || !wr_type_eq(x->type, y->type) ||
            !cols_equal(x->args, x->arg_count, y->args, y->arg_count))
            return false;
    }
    return true;
}

static bool
join_equal(const wr_pnode *a, const wr_pnode *b)
{
    if (a->u.join.type != b->u.join.type || a->u.join.null_aware != b->u.join.null_aware ||
        a->u.join.ttl_ms[0] != b->u.join.ttl_ms[0] || a->u.join.ttl_ms[1] != b->u.join.ttl_ms[1])
        return false;
    return a->u.join.build == b->u.join.build && expr_equal(a->u.join.whole, b->u.join.whole);
}

static bool
multi_equal(const wr_pnode *a, const wr_pnode *b)
{
    const wr_multi_spec *x = a->u.multi, *y = b->u.multi;
    if (x->key_count != y->key_count) return false;
    for (uint32_t i = 0; i < a->input_count; i++) {
        const wr_multi_input *p = &x->inputs[i], *q = &y->inputs[i];
        if (p->type != q->type || p->ttl_ms != q->ttl_ms || !expr_equal(p->whole, q->whole) ||
            !cols_equal(p->keys, x->key_count, q->keys, y->key_count))
            return false;
    }
    return true;
}

/* Equal joins with other times? */
static bool
times_equal(const wr_pnode *a, const wr_pnode *b)
{
    const wr_interval_spec *x = a->u.join.interval, *y = b->u.join.interval;
    if (!x != !y) return false;
    return !x ||
           (x->rowtime == y->rowtime && x->lower_ms == y->lower_ms && x->upper_ms == y->upper_ms &&
            x->left_time == y->left_time && x->right_time == y->right_time);
}

static bool
windows_equal(const wr_pnode *a, const wr_pnode *b, uint32_t side)
{
    const wr_windowing *x = a->windows[side], *y = b->windows[side];
    return x->time_col == y->time_col && x->start_col == y->start_col && x->end_col == y->end_col &&
           wri_window_spec_equal(&x->spec, &y->spec) &&
           cols_equal(x->spec.keys, x->spec.key_count, y->spec.keys, y->spec.key_count);
}

static bool
emit_equal(const wr_window_emit *x, const wr_window_emit *y)
{
    if (!x || !y) return x == y;
    return x->early_ms == y->early_ms && x->late_ms == y->late_ms &&
           x->lateness_ms == y->lateness_ms;
}

static bool
rank_equal(const wr_pnode *a, const wr_pnode *b)
{
    if (!cols_equal(a->u.rank.partition, a->u.rank.partition_count, b->u.rank.partition,
                    b->u.rank.partition_count) ||
        !cols_equal(a->u.rank.upsert_key, a->u.rank.upsert_key_count, b->u.rank.upsert_key,
                    b->u.rank.upsert_key_count) ||
        a->u.rank.order_count != b->u.rank.order_count)
        return false;
    for (uint32_t i = 0; i < a->u.rank.order_count; i++)
        if (a->u.rank.order[i].col != b->u.rank.order[i].col ||
            a->u.rank.order[i].desc != b->u.rank.order[i].desc ||
            a->u.rank.order[i].nulls_last != b->u.rank.order[i].nulls_last)
            return false;
    return a->u.rank.first == b->u.rank.first && a->u.rank.last == b->u.rank.last &&
           a->u.rank.last_col == b->u.rank.last_col && a->u.rank.number == b->u.rank.number &&
           a->u.rank.strategy == b->u.rank.strategy && a->u.rank.ttl_ms == b->u.rank.ttl_ms &&
           a->u.rank.generate_update_before == b->u.rank.generate_update_before;
}

static bool
dedup_equal(const wr_pnode *a, const wr_pnode *b)
{
    return cols_equal(a->u.dedup.keys, a->u.dedup.key_count, b->u.dedup.keys,
                      b->u.dedup.key_count) &&
           a->u.dedup.time_col == b->u.dedup.time_col &&
           a->u.dedup.keep_last == b->u.dedup.keep_last &&
           a->u.dedup.generate_insert == b->u.dedup.generate_insert &&
           a->u.dedup.generate_update_before == b->u.dedup.generate_update_before &&
           a->u.dedup.ttl_ms == b->u.dedup.ttl_ms;
}

/* What aggregates by windows show of their windows: nothing has no list. */
static bool
props_equal(const wr_pnode *a, const wr_pnode *b)
{
    const uint32_t n = a->u.agg.prop_count;
    return n == b->u.agg.prop_count && (n == 0 || memcmp(a->u.agg.props, b->u.agg.props, n) == 0);
}

static bool
payload_equal(const wr_pnode *a, const wr_pnode *b)
{
    switch ((wr_pkind)a->kind) {
    case WR_P_SCAN:
        return scan_equal(a, b);
    case WR_P_VALUES:
        return rows_equal(a->u.values.rows, a->u.values.row_count, b->u.values.rows,
                          b->u.values.row_count, a->schema.count);
    case WR_P_CALC:
        return expr_equal(a->u.calc.cond, b->u.calc.cond) &&
               exprs_equal(a->u.calc.exprs, b->u.calc.exprs, a->schema.count);
    case WR_P_WATERMARK:
        return a->u.watermark.col == b->u.watermark.col &&
               expr_equal(a->u.watermark.expr, b->u.watermark.expr);
    case WR_P_EXCHANGE:
        return a->u.exchange.dist == b->u.exchange.dist &&
               cols_equal(a->u.exchange.keys, a->u.exchange.key_count, b->u.exchange.keys,
                          b->u.exchange.key_count);
    case WR_P_UNION:
    case WR_P_DROP_UPDATE_BEFORE:
        return true;
    case WR_P_LIMIT:
        return a->u.limit.offset == b->u.limit.offset && a->u.limit.fetch == b->u.limit.fetch;
    case WR_P_SORT:
    case WR_P_SORT_LIMIT:
        return order_equal(a, b);
    case WR_P_GROUP_AGG:
    case WR_P_HASH_AGG:
        return agg_equal(a, b);
    case WR_P_JOIN:
    case WR_P_HASH_JOIN:
    case WR_P_NESTED_LOOP_JOIN:
        return join_equal(a, b);
    case WR_P_MULTI_JOIN:
        return multi_equal(a, b);
    case WR_P_INTERVAL_JOIN:
    case WR_P_TEMPORAL_JOIN: /* its condition tells its times */
        return join_equal(a, b) && times_equal(a, b);
    case WR_P_CORRELATE:
        return a->u.correlate.type == b->u.correlate.type &&
               expr_equal(a->u.correlate.call, b->u.correlate.call) &&
               expr_equal(a->u.correlate.cond, b->u.correlate.cond);
    case WR_P_EXPAND:
        return rows_equal(a->u.expand.rows, a->u.expand.set_count, b->u.expand.rows,
                          b->u.expand.set_count, a->schema.count);
    case WR_P_CHANGELOG_NORMALIZE:
        return expr_equal(a->u.normalize.cond, b->u.normalize.cond) &&
               cols_equal(a->u.normalize.keys, a->u.normalize.key_count, b->u.normalize.keys,
                          b->u.normalize.key_count);
    case WR_P_MATCH:
        return wri_match_equal(a->u.match, b->u.match);
    case WR_P_CHANGELOG:
        return a->u.changelog->op_col == b->u.changelog->op_col &&
               wr_str_eq(a->u.changelog->call, b->u.changelog->call);
    case WR_P_WINDOW_TVF:
        return windows_equal(a, b, 0);
    case WR_P_WINDOW_AGG:
        return windows_equal(a, b, 0) && agg_equal(a, b) && props_equal(a, b) &&
               emit_equal(a->u.agg.emit, b->u.agg.emit);
    case WR_P_OVER_AGG:
        return wri_over_equal(a->u.over, b->u.over);
    case WR_P_RANK:
    case WR_P_WINDOW_RANK:
        return rank_equal(a, b) && (a->kind == WR_P_RANK || windows_equal(a, b, 0));
    case WR_P_DEDUPLICATE:
        return dedup_equal(a, b);
    case WR_P_WINDOW_JOIN:
        return windows_equal(a, b, 0) && windows_equal(a, b, 1) && join_equal(a, b);
    case WR_P_WINDOW_DEDUPLICATE:
        return windows_equal(a, b, 0) && dedup_equal(a, b);
    case WR_P_MINI_BATCH: /* made later */
    case WR_P_LOOKUP_JOIN:
    case WR_P_SINK_MATERIALIZE:
    case WR_P_SINK:
    case WR_P_COLLECT:
    case WR_P_COUNT:
        return false;
    }
    WR_UNREACHABLE();
}

static bool
node_equal(const wr_pnode *a, const wr_pnode *b)
{
    if (a->kind != b->kind || a->input_count != b->input_count || a->changelog != b->changelog ||
        a->key_deletes != b->key_deletes)
        return false;
    for (uint32_t i = 0; i < a->input_count; i++)
        if (a->inputs[i] != b->inputs[i]) return false;
    return schema_equal(&a->schema, &b->schema) && payload_equal(a, b);
}

/* ---- merging --------------------------------------------------------------------------------- */

static bool
may_share(const sharing *s, const wr_pnode *n)
{
    if (n->kind == WR_P_SCAN) return s->sources;
    return n->kind != WR_P_CALC || (!n->u.calc.cond || wr_expr_is_deterministic(n->u.calc.cond));
}

static wr_status
merge(sharing *s, wr_pnode **slot)
{
    wr_pnode *n = *slot;
    for (uint32_t i = 0; i < s->done.count; i++)
        if (s->done.items[i] == n) {
            *slot = s->become.items[i];
            return WR_OK;
        }
    for (uint32_t i = 0; i < n->input_count; i++) WR_TRY(merge(s, &n->inputs[i]));
    wr_pnode *found = NULL;
    for (uint32_t i = 0; i < s->unique.count && !found && may_share(s, n); i++) {
        const shared *u = &s->unique.items[i];
        if ((!s->p->batch || s->p->env->explain || u->root != s->root) && node_equal(u->node, n))
            found = u->node;
    }
    bool ok = found || wr_list_push(s->p->arena, &s->unique, ((shared){n, s->root}));
    ok = ok && wr_list_push(s->p->arena, &s->done, n) &&
         wr_list_push(s->p->arena, &s->become, found ? found : n);
    if (found) *slot = found;
    return ok ? WR_OK : wr_raise(s->ctx, WR_NOMEM, "out of memory");
}

/* ---- sinks ----------------------------------------------------------------------------------- */

/* A sink takes columns by their place, whatever a query calls them. */
static bool
types_equal(const wr_schema *a, const wr_schema *b)
{
    if (a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++) {
        const wr_type *x = a->fields[i].type, *y = b->fields[i].type;
        if (!wr_type_eq(x, y) || x->attr != y->attr) return false;
    }
    return true;
}

static bool
sink_equal(const wr_pnode *a, const wr_pnode *b)
{
    const wr_sink_spec *x = &a->u.sink.spec, *y = &b->u.sink.spec;
    if (a->kind != WR_P_SINK || b->kind != WR_P_SINK || x->overwrite || y->overwrite) return false;
    if (a->inputs[0]->kind == WR_P_EXCHANGE || b->inputs[0]->kind == WR_P_EXCHANGE) return false;
    if ((a->inputs[0]->kind == WR_P_SINK_MATERIALIZE) !=
        (b->inputs[0]->kind == WR_P_SINK_MATERIALIZE))
        return false;
    return table_id_equal(&x->table->id, &y->table->id) &&
           options_equal(&x->options, &y->options) &&
           a->u.sink.on_conflict == b->u.sink.on_conflict && a->changelog == b->changelog &&
           wr_str_eq(x->static_partition, y->static_partition) &&
           types_equal(&a->schema, &b->schema) &&
           cols_equal(a->u.sink.target, a->u.sink.target_count, b->u.sink.target,
                      b->u.sink.target_count);
}

/* Where the rows of a sink come from, below a materializer and its exchange. */
static wr_pnode **
rows_slot(wr_pnode *sink)
{
    wr_pnode *in = sink->inputs[0];
    return in->kind == WR_P_SINK_MATERIALIZE ? &in->inputs[0]->inputs[0] : &sink->inputs[0];
}

static wr_status
union_into(wr_ctx *ctx, wri_phys *p, wr_pnode *sink, wr_pnode **others, uint32_t count)
{
    wr_pnode **slot = rows_slot(sink);
    wr_pnode **inputs = WR_NEW_N(p->arena, wr_pnode *, count + 1);
    WR_TRY_ALLOC(ctx, inputs);
    wr_pnode *first = *slot;
    inputs[0] = first;
    for (uint32_t i = 0; i < count; i++) inputs[i + 1] = *rows_slot(others[i]);
    wr_pnode *n = wri_phys_node(p, WR_P_UNION, first->schema, inputs, count + 1);
    WR_TRY(wri_phys_derive(ctx, p, n, &n));
    n->changelog = WR_CL_I;
    for (uint32_t i = 0; i <= count; i++) {
        n->changelog |= inputs[i]->changelog;
        n->key_deletes |= inputs[i]->key_deletes;
    }
    *slot = n;
    if (sink->inputs[0]->kind == WR_P_SINK_MATERIALIZE) { /* two queries have no common key */
        sink->inputs[0]->u.materialize.input_upsert_key = NULL;
        sink->inputs[0]->u.materialize.input_upsert_key_count = 0;
    }
    return WR_OK;
}

static wr_status
merge_sinks(wr_ctx *ctx, wri_phys *p, wr_pnode **roots, uint32_t *count)
{
    wr_pnode **others = WR_NEW_N(p->arena, wr_pnode *, *count + 1);
    WR_TRY_ALLOC(ctx, others);
    for (uint32_t i = 0; i < *count; i++) {
        uint32_t found = 0, kept = i + 1;
        for (uint32_t k = i + 1; k < *count; k++) {
            if (sink_equal(roots[i], roots[k]))
                others[found++] = roots[k];
            else
                roots[kept++] = roots[k];
        }
        *count = kept;
        if (found) WR_TRY(union_into(ctx, p, roots[i], others, found));
    }
    return WR_OK;
}

wr_status
wri_phys_share(wr_ctx *ctx, wri_phys *p, wr_pnode **roots, uint32_t *count)
{
    const wr_config *c = p->env->config;
    if (wr_config_bool(c, "table.optimizer.reuse-sink-enabled"))
        WR_TRY(merge_sinks(ctx, p, roots, count));
    if (!wr_config_bool(c, "table.optimizer.reuse-sub-plan-enabled")) return WR_OK;
    sharing s = {
        .ctx = ctx, .p = p, .sources = wr_config_bool(c, "table.optimizer.reuse-source-enabled")};
    for (uint32_t i = 0; i < *count; i++) {
        s.root = i;
        WR_TRY(merge(&s, &roots[i]));
    }
    return WR_OK;
}
