/* SPDX-License-Identifier: Apache-2.0 */
/* Logical relations to physical nodes: scans, calcs, aggregates, sorts, unions; joins and sinks
 * have files of their own. */
#include "plan/phys_int.h"

wr_pnode *
wri_phys_node(wri_phys *p, wr_pkind kind, wr_schema schema, wr_pnode *const *inputs,
              uint32_t input_count)
{
    wr_pnode *n = WR_NEW(p->arena, wr_pnode);
    if (!n) return NULL;
    n->kind = (uint8_t)kind;
    n->schema = schema;
    n->input_count = input_count;
    n->row_count = -1;
    n->inputs = WR_NEW_N(p->arena, wr_pnode *, input_count + 1);
    if (!n->inputs) return NULL;
    for (uint32_t i = 0; i < input_count; i++) n->inputs[i] = inputs[i];
    return n;
}

uint32_t *
wri_phys_cols(wri_phys *p, const uint32_t *cols, uint32_t count)
{
    uint32_t *copy = WR_NEW_N(p->arena, uint32_t, count + 1);
    if (copy && count) memcpy(copy, cols, count * sizeof *cols);
    return copy;
}

wr_status
wri_phys_derive(wr_ctx *ctx, wri_phys *p, wr_pnode *n)
{
    n->changelog = wri_kinds_derive(n);
    n->bounded = true;
    for (uint32_t i = 0; i < n->input_count; i++) n->bounded &= n->inputs[i]->bounded;
    if (n->kind == WR_P_SCAN) n->bounded = n->u.scan.info.bounded;
    return wri_keys_derive(ctx, p, n);
}

static wr_status
finish_node(wr_ctx *ctx, wri_phys *p, wr_pnode *n, wr_pnode **out)
{
    WR_TRY_ALLOC(ctx, n);
    WR_TRY(wri_phys_derive(ctx, p, n));
    *out = n;
    return WR_OK;
}

wr_pnode *
wri_phys_exchange(wri_phys *p, wr_pnode *input, wr_dist dist, const uint32_t *keys,
                  uint32_t key_count)
{
    wr_pnode *n = wri_phys_node(p, WR_P_EXCHANGE, input->schema, &input, 1);
    if (!n) return NULL;
    n->u.exchange.dist = (uint8_t)(dist == WR_DIST_HASH && key_count == 0 ? WR_DIST_SINGLE : dist);
    n->u.exchange.keys = wri_phys_cols(p, keys, key_count);
    n->u.exchange.key_count = key_count;
    n->u.exchange.blocking = p->batch;
    if (!n->u.exchange.keys) return NULL;
    return n;
}

static wr_status
exchange(wr_ctx *ctx, wri_phys *p, wr_pnode **node, wr_dist dist, const uint32_t *keys,
         uint32_t key_count)
{
    return finish_node(ctx, p, wri_phys_exchange(p, *node, dist, keys, key_count), node);
}

/* ---- leaves
 * ------------------------------------------------------------------------------------------------------
 */

static wr_status
make_scan(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    wr_pnode *n = wri_phys_node(p, WR_P_SCAN, rel->schema, NULL, 0);
    WR_TRY_ALLOC(ctx, n);
    const wr_table_id *id = &rel->u.scan.table->id;
    const wr_source_info *info = &rel->u.scan.info;
    if (p->batch && !info->bounded)
        return wr_raise_at(ctx, WR_SEMANTIC, rel->span,
                           "Querying an unbounded table '%.*s.%.*s.%.*s' in batch mode is not "
                           "allowed. The table source "
                           "is unbounded.",
                           WR_STR_ARG(id->catalog), WR_STR_ARG(id->database), WR_STR_ARG(id->name));
    if (p->batch && info->changelog != WR_CL_I)
        return wr_raise_at(ctx, WR_SEMANTIC, rel->span,
                           "Querying a table in batch mode is currently only possible for "
                           "INSERT-only table sources. But "
                           "the source for table '%.*s.%.*s.%.*s' produces other changelog "
                           "messages than just INSERT.",
                           WR_STR_ARG(id->catalog), WR_STR_ARG(id->database), WR_STR_ARG(id->name));
    if ((info->changelog & WR_CL_UA) && !(info->changelog & WR_CL_UB) &&
        rel->u.scan.table->primary_key_count == 0)
        return wr_raise_at(
            ctx, WR_SEMANTIC, rel->span,
            "Table '%.*s.%.*s.%.*s' produces a changelog stream that contains UPDATE_AFTER but no "
            "UPDATE_BEFORE. This requires defining a primary key constraint on the table.",
            WR_STR_ARG(id->catalog), WR_STR_ARG(id->database), WR_STR_ARG(id->name));
    n->u.scan.source = rel->u.scan.source;
    n->u.scan.info = *info;
    n->u.scan.spec = (wr_source_spec){.table = rel->u.scan.table,
                                      .options = rel->u.scan.options,
                                      .columns = rel->schema,
                                      .physical = rel->u.scan.physical,
                                      .metadata = rel->u.scan.metadata,
                                      .filters = rel->u.scan.filters,
                                      .filter_count = rel->u.scan.filter_count,
                                      .limit = rel->u.scan.limit,
                                      .changelog = info->changelog};
    n->row_count = info->row_count;
    return finish_node(ctx, p, n, out);
}

static wr_status
make_values(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    wr_pnode *n = wri_phys_node(p, WR_P_VALUES, rel->schema, NULL, 0);
    WR_TRY_ALLOC(ctx, n);
    n->u.values.rows = rel->u.values.rows;
    n->u.values.row_count = rel->u.values.row_count;
    n->row_count = rel->u.values.row_count;
    return finish_node(ctx, p, n, out);
}

/* ---- calc: adjacent projections and filters become one node
 * ---------------------------------------------------------- */

static wr_status
identity(wr_ctx *ctx, wri_phys *p, wr_schema schema, wr_expr ***out)
{
    wr_expr **exprs = WR_NEW_N(p->arena, wr_expr *, schema.count + 1);
    WR_TRY_ALLOC(ctx, exprs);
    for (uint32_t i = 0; i < schema.count; i++) {
        exprs[i] = wr_expr_column(p->arena, i, schema.fields[i].type, WR_NO_SPAN);
        WR_TRY_ALLOC(ctx, exprs[i]);
    }
    *out = exprs;
    return WR_OK;
}

/* A filter directly below a projection is taken into it; a filter alone gets an identity
 * projection. */
static wr_status
make_calc(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    const wr_rel *below = rel->inputs[0];
    wr_expr *cond = NULL;
    wr_expr **exprs = NULL;
    wr_pnode *input = NULL;
    if (rel->kind == WR_REL_FILTER) {
        cond = rel->u.filter.cond;
    } else {
        exprs = rel->u.project.exprs;
        if (below->kind == WR_REL_FILTER) {
            cond = below->u.filter.cond;
            below = below->inputs[0];
        }
    }
    WR_TRY(wri_phys_rel(ctx, p, below, &input));
    wr_pnode *n = wri_phys_node(p, WR_P_CALC, rel->schema, &input, 1);
    WR_TRY_ALLOC(ctx, n);
    if (!exprs) WR_TRY(identity(ctx, p, input->schema, &exprs));
    n->u.calc.cond = cond;
    n->u.calc.exprs = exprs;
    return finish_node(ctx, p, n, out);
}

/* ---- aggregates
 * --------------------------------------------------------------------------------------------------------
 */

static int64_t
ttl_or_default(const wri_phys *p, int64_t hint_ms)
{
    return hint_ms >= 0 ? hint_ms : wr_config_int(p->env->config, "table.exec.state.ttl");
}

static wr_status
make_aggregate(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    wr_pnode *input = NULL;
    WR_TRY(wri_phys_rel(ctx, p, rel->inputs[0], &input));
    WR_TRY(exchange(ctx, p, &input, WR_DIST_HASH, rel->u.agg.keys, rel->u.agg.key_count));
    wr_pnode *n =
        wri_phys_node(p, p->batch ? WR_P_HASH_AGG : WR_P_GROUP_AGG, rel->schema, &input, 1);
    WR_TRY_ALLOC(ctx, n);
    n->u.agg.keys = rel->u.agg.keys;
    n->u.agg.key_count = rel->u.agg.key_count;
    n->u.agg.aggs = rel->u.agg.aggs;
    n->u.agg.agg_count = rel->u.agg.agg_count;
    n->u.agg.retract = !wri_insert_only(input);
    n->u.agg.generate_update_before = true;
    n->u.agg.mini_batch =
        !p->batch && wr_config_bool(p->env->config, "table.exec.mini-batch.enabled");
    n->u.agg.mini_batch_size = wr_config_int(p->env->config, "table.exec.mini-batch.size");
    n->u.agg.ttl_ms = ttl_or_default(p, rel->u.agg.ttl_ms);
    return finish_node(ctx, p, n, out);
}

/* ---- sort, limit
 * -----------------------------------------------------------------------------------------------------------
 */

static bool
sorts_by_rowtime(const wr_rel *rel)
{
    const wr_order_key *k = rel->u.sort.keys;
    return k->col < rel->schema.count && rel->schema.fields[k->col].type->attr == WR_ATTR_ROWTIME &&
           !k->desc;
}

static wr_status
make_sort(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    wr_pnode *input = NULL;
    bool ordered = rel->u.sort.key_count > 0,
         limited = rel->u.sort.fetch >= 0 || rel->u.sort.offset > 0;
    WR_TRY(wri_phys_rel(ctx, p, rel->inputs[0], &input));
    if (!p->batch && ordered && !limited && !sorts_by_rowtime(rel))
        return wr_raise_at(ctx, WR_UNSUPPORTED, rel->span,
                           "Sort on a non-time-attribute field is not supported.");
    if (!p->batch && limited && rel->u.sort.fetch < 0)
        return wr_raise_at(ctx, WR_UNSUPPORTED, rel->span,
                           "FETCH is missed, which on streaming table is not supported currently.");
    WR_TRY(exchange(ctx, p, &input, WR_DIST_SINGLE, NULL, 0));
    wr_pkind kind = !ordered ? WR_P_LIMIT : limited ? WR_P_SORT_LIMIT : WR_P_SORT;
    wr_pnode *n = wri_phys_node(p, kind, rel->schema, &input, 1);
    WR_TRY_ALLOC(ctx, n);
    if (kind == WR_P_LIMIT) {
        n->u.limit.offset = rel->u.sort.offset;
        n->u.limit.fetch = rel->u.sort.fetch;
        return finish_node(ctx, p, n, out);
    }
    n->u.sort.keys = rel->u.sort.keys;
    n->u.sort.key_count = rel->u.sort.key_count;
    n->u.sort.offset = rel->u.sort.offset;
    n->u.sort.fetch = rel->u.sort.fetch;
    n->u.sort.temporal = !p->batch && kind == WR_P_SORT;
    n->u.sort.strategy = (uint8_t)(wri_insert_only(input) ? WR_RANK_APPEND_FAST : WR_RANK_RETRACT);
    n->u.sort.generate_update_before = true;
    if (n->u.sort.temporal && !wri_insert_only(input))
        return wr_raise_at(
            ctx, WR_SEMANTIC, rel->span,
            "StreamPhysicalTemporalSort doesn't support consuming update and delete changes");
    return finish_node(ctx, p, n, out);
}

/* ---- the rest
 * ----------------------------------------------------------------------------------------------------------------
 */

static wr_status
make_union(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    WR_ASSERT(rel->u.setop.op == WR_SETOP_UNION &&
              rel->u.setop.all); /* others are rewritten by the rules */
    wr_pnode **inputs = WR_NEW_N(p->arena, wr_pnode *, rel->input_count + 1);
    WR_TRY_ALLOC(ctx, inputs);
    for (uint32_t i = 0; i < rel->input_count; i++)
        WR_TRY(wri_phys_rel(ctx, p, rel->inputs[i], &inputs[i]));
    return finish_node(ctx, p, wri_phys_node(p, WR_P_UNION, rel->schema, inputs, rel->input_count),
                       out);
}

static bool
is_source_watermark(const wr_expr *e)
{
    return e->kind == WR_EX_CALL && wr_str_eq_c(wr_str_c(e->fn->name), "SOURCE_WATERMARK");
}

static wr_status
make_watermark(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    wr_pnode *input = NULL;
    WR_TRY(wri_phys_rel(ctx, p, rel->inputs[0], &input));
    if (p->batch) { /* a bounded input in batch mode needs no event time */
        *out = input;
        return WR_OK;
    }
    wr_pnode *n = wri_phys_node(p, WR_P_WATERMARK, rel->schema, &input, 1);
    WR_TRY_ALLOC(ctx, n);
    n->u.watermark.col = rel->u.watermark.col;
    n->u.watermark.expr = rel->u.watermark.expr;
    n->u.watermark.source_watermark = is_source_watermark(rel->u.watermark.expr);
    n->u.watermark.interval_ms = wr_config_int(p->env->config, "pipeline.auto-watermark-interval");
    n->u.watermark.idle_ms = wr_config_int(p->env->config, "table.exec.source.idle-timeout");
    return finish_node(ctx, p, n, out);
}

static wr_status
make_correlate(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    wr_pnode *input = NULL;
    WR_TRY(wri_phys_rel(ctx, p, rel->inputs[0], &input));
    wr_pnode *n = wri_phys_node(p, WR_P_CORRELATE, rel->schema, &input, 1);
    WR_TRY_ALLOC(ctx, n);
    n->u.correlate.type = rel->u.correlate.type;
    n->u.correlate.call = rel->u.correlate.call;
    n->u.correlate.cond = rel->u.correlate.cond;
    return finish_node(ctx, p, n, out);
}

static wr_status
make_expand(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    wr_pnode *input = NULL;
    WR_TRY(wri_phys_rel(ctx, p, rel->inputs[0], &input));
    wr_pnode *n = wri_phys_node(p, WR_P_EXPAND, rel->schema, &input, 1);
    WR_TRY_ALLOC(ctx, n);
    n->u.expand.rows = rel->u.expand.rows;
    n->u.expand.set_count = rel->u.expand.set_count;
    return finish_node(ctx, p, n, out);
}

static wr_status
refuse_later(wr_ctx *ctx, const wr_rel *rel)
{
    const char *what = rel->u.later.feature ? rel->u.later.feature : "this kind of query";
    return wr_raise_at(ctx, WR_UNSUPPORTED, rel->span, "not supported yet: %s", what);
}

static wr_status
make_rel(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    switch ((wr_rel_kind)rel->kind) {
    case WR_REL_SCAN:
        return make_scan(ctx, p, rel, out);
    case WR_REL_VALUES:
        return make_values(ctx, p, rel, out);
    case WR_REL_PROJECT:
    case WR_REL_FILTER:
        return make_calc(ctx, p, rel, out);
    case WR_REL_JOIN:
        return wri_phys_join(ctx, p, rel, out);
    case WR_REL_AGGREGATE:
        return make_aggregate(ctx, p, rel, out);
    case WR_REL_SETOP:
        return make_union(ctx, p, rel, out);
    case WR_REL_SORT:
        return make_sort(ctx, p, rel, out);
    case WR_REL_CORRELATE:
        return make_correlate(ctx, p, rel, out);
    case WR_REL_WATERMARK:
        return make_watermark(ctx, p, rel, out);
    case WR_REL_EXPAND:
        return make_expand(ctx, p, rel, out);
    case WR_REL_SINK:
        return wri_phys_sink(ctx, p, rel, out);
    case WR_REL_OVER:
    case WR_REL_WINDOW_TVF:
    case WR_REL_MATCH:
        return refuse_later(ctx, rel);
    }
    WR_UNREACHABLE();
}

wr_status
wri_phys_rel(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    for (uint32_t i = 0; i < p->seen.count; i++)
        if (p->seen.items[i] == rel) {
            *out = p->made.items[i];
            return WR_OK;
        }
    WR_TRY(make_rel(ctx, p, rel, out));
    bool ok = wr_list_push(p->arena, &p->seen, rel) && wr_list_push(p->arena, &p->made, *out);
    return ok ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
}

wr_status
wr_plan_make(wr_ctx *ctx, const wr_plan_env *env, wr_rel **roots, uint32_t count, wr_plan **out)
{
    wri_phys p = {.env = env, .arena = env->arena, .batch = env->batch};
    wr_pnode **tops = WR_NEW_N(env->arena, wr_pnode *, count + 1);
    WR_TRY_ALLOC(ctx, tops);
    for (uint32_t i = 0; i < count; i++) {
        WR_TRY(wri_phys_rel(ctx, &p, roots[i], &tops[i]));
        if (tops[i]->kind != WR_P_SINK) WR_TRY(wri_phys_collect(ctx, &p, tops[i], &tops[i]));
    }
    return wri_phys_finish(ctx, &p, tops, count, out);
}
