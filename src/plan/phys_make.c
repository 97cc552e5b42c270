/* SPDX-License-Identifier: Apache-2.0 */
/* Logical relations to physical nodes: unions and what else has no file of its own; what every node
 * derives from its inputs. */
#include "plan/phys_int.h"
#include "plan/rule_int.h"

wr_pnode *
wri_phys_node(wri_phys *p, wr_pkind kind, wr_schema schema, wr_pnode *const *inputs,
              uint32_t input_count)
{
    wri_node *node = WR_NEW(p->arena, wri_node);
    if (!node) return NULL;
    wr_pnode *n = &node->n;
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

void
wri_phys_mark(const wr_expr *e, uint64_t *bits)
{
    if (!e) return;
    if (e->kind == WR_EX_COLUMN) wr_bit_set(bits, e->index);
    for (uint32_t i = 0; i < e->arg_count; i++) wri_phys_mark(e->args[i], bits);
}

/* ---- derived properties ---------------------------------------------------------------------- */

/* Rows, roughly: to choose the smaller side of a join. -1 = unknown. */
static int64_t
estimate(const wr_pnode *n)
{
    int64_t in = n->input_count ? n->inputs[0]->row_count : n->row_count;
    switch ((wr_pkind)n->kind) {
    case WR_P_CALC:
        return in > 0 && n->u.calc.cond ? in / 4 + 1 : in;
    case WR_P_LIMIT:
        return in < 0 || in > n->u.limit.fetch ? n->u.limit.fetch : in;
    case WR_P_SORT_LIMIT:
        return n->u.sort.fetch >= 0 && (in < 0 || in > n->u.sort.fetch) ? n->u.sort.fetch : in;
    case WR_P_GROUP_AGG:
    case WR_P_HASH_AGG:
        return n->u.agg.key_count == 0 ? 1 : in > 0 ? in / 5 + 1 : in;
    case WR_P_UNION:
    case WR_P_JOIN:
    case WR_P_MULTI_JOIN:
    case WR_P_HASH_JOIN:
    case WR_P_NESTED_LOOP_JOIN:
        for (uint32_t i = 1; i < n->input_count; i++) {
            if (in < 0 || n->inputs[i]->row_count < 0) return -1;
            in = n->kind == WR_P_UNION ? in + n->inputs[i]->row_count
                                       : WR_MAX(in, n->inputs[i]->row_count);
        }
        return in;
    case WR_P_OVER_AGG:
    case WR_P_RANK:
    case WR_P_DEDUPLICATE:
    case WR_P_WINDOW_TVF:
    case WR_P_WINDOW_AGG:
    case WR_P_WINDOW_JOIN:
    case WR_P_WINDOW_RANK:
    case WR_P_WINDOW_DEDUPLICATE:
    case WR_P_INTERVAL_JOIN:
    case WR_P_TEMPORAL_JOIN:
    case WR_P_LOOKUP_JOIN:
    case WR_P_MATCH:
    case WR_P_CHANGELOG:
    case WR_P_SCAN:
    case WR_P_VALUES:
    case WR_P_WATERMARK:
    case WR_P_MINI_BATCH:
    case WR_P_EXCHANGE:
    case WR_P_SORT:
    case WR_P_CHANGELOG_NORMALIZE:
    case WR_P_DROP_UPDATE_BEFORE:
    case WR_P_SINK_MATERIALIZE:
    case WR_P_SINK:
    case WR_P_COLLECT:
        return in;
    case WR_P_CORRELATE:
    case WR_P_EXPAND:
    case WR_P_COUNT:
        return -1;
    }
    WR_UNREACHABLE();
}

wr_status
wri_phys_derive(wr_ctx *ctx, wri_phys *p, wr_pnode *n, wr_pnode **out)
{
    WR_TRY_ALLOC(ctx, n);
    n->changelog = wri_kinds_derive(n);
    n->bounded = n->kind != WR_P_SCAN || n->u.scan.info.bounded;
    for (uint32_t i = 0; i < n->input_count; i++) n->bounded &= n->inputs[i]->bounded;
    n->row_count = estimate(n);
    wri_size_derive(n);
    WR_TRY(wri_keys_derive(ctx, p, n));
    WR_TRY(wri_mono_derive(ctx, p, n));
    WR_TRY(wri_window_derive(ctx, p, n));
    *out = n;
    return WR_OK;
}

wr_status
wri_phys_exchange(wr_ctx *ctx, wri_phys *p, wr_pnode **node, wr_dist dist, const uint32_t *keys,
                  uint32_t key_count)
{
    wr_pnode *n = wri_phys_node(p, WR_P_EXCHANGE, (*node)->schema, node, 1);
    WR_TRY_ALLOC(ctx, n);
    n->u.exchange.dist = (uint8_t)(dist == WR_DIST_HASH && key_count == 0 ? WR_DIST_SINGLE : dist);
    n->u.exchange.keys = wri_phys_cols(p, keys, key_count);
    n->u.exchange.key_count = key_count;
    n->u.exchange.blocking = p->batch;
    WR_TRY_ALLOC(ctx, n->u.exchange.keys);
    return wri_phys_derive(ctx, p, n, node);
}

static bool
same_cols(const uint32_t *a, const uint32_t *b, uint32_t count, uint32_t plus)
{
    for (uint32_t i = 0; i < count; i++)
        if (a[i] != b[i] + plus) return false;
    return true;
}

/* Are the rows of a hash join where an exchange by `keys` would bring them? Rows of the side that
 * is padded with NULLs are not. */
static bool
join_places(const wr_pnode *n, const uint32_t *keys, uint32_t count)
{
    uint8_t type = n->u.join.type;
    if (n->u.join.key_count != count || n->u.join.broadcast) return false;
    if (type != WR_JOIN_RIGHT && type != WR_JOIN_FULL &&
        same_cols(keys, n->u.join.left_keys, count, 0))
        return true;
    return (type == WR_JOIN_INNER || type == WR_JOIN_RIGHT) &&
           same_cols(keys, n->u.join.right_keys, count, n->inputs[0]->schema.count);
}

/* Where the columns come from one node below; false: from nowhere. */
static bool
trace_cols(const wr_pnode *n, uint32_t *cols, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (n->kind == WR_P_HASH_AGG) {
            if (cols[i] >= n->u.agg.key_count) return false;
            cols[i] = n->u.agg.keys[cols[i]];
            continue;
        }
        const wr_expr *e = n->u.calc.exprs[cols[i]];
        if (e->kind != WR_EX_COLUMN) return false;
        cols[i] = e->index;
    }
    return true;
}

/* Are the rows where a hash exchange by these columns would bring them? Changes `keys`. */
static bool
is_placed(const wr_pnode *n, uint32_t *keys, uint32_t count)
{
    if (count == 0) return false;
    while (n->kind == WR_P_CALC || n->kind == WR_P_HASH_AGG) {
        if (!trace_cols(n, keys, count)) return false;
        n = n->inputs[0];
    }
    if (n->kind == WR_P_HASH_JOIN) return join_places(n, keys, count);
    return n->kind == WR_P_EXCHANGE && n->u.exchange.dist == WR_DIST_HASH &&
           n->u.exchange.key_count == count && same_cols(keys, n->u.exchange.keys, count, 0);
}

wr_status
wri_phys_hash(wr_ctx *ctx, wri_phys *p, wr_pnode **node, const uint32_t *keys, uint32_t count)
{
    uint32_t *copy = wri_phys_cols(p, keys, count);
    WR_TRY_ALLOC(ctx, copy);
    if (p->batch && is_placed(*node, copy, count)) return WR_OK;
    return wri_phys_exchange(ctx, p, node, WR_DIST_HASH, keys, count);
}

wr_status
wri_phys_placed(wr_ctx *ctx, wri_phys *p, const wr_pnode *node, const uint32_t *keys,
                uint32_t count, bool *out)
{
    uint32_t *copy = wri_phys_cols(p, keys, count);
    WR_TRY_ALLOC(ctx, copy);
    *out = is_placed(node, copy, count);
    return WR_OK;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

/* EXPLAIN shows rows with NULLs as Flink plans them: projections of one row each, in a union. */
static bool
has_nulls(const wr_rel *rel)
{
    for (uint32_t i = 0; i < rel->u.values.row_count; i++)
        for (uint32_t c = 0; c < rel->schema.count; c++) {
            const wr_expr *e = rel->u.values.rows[i][c];
            while (e->kind == WR_EX_CAST) e = e->args[0];
            if (e->kind == WR_EX_LITERAL && e->value.is_null) return true;
        }
    return false;
}

static wr_status
union_values(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    uint32_t n = rel->u.values.row_count;
    wr_pnode **inputs = WR_NEW_N(p->arena, wr_pnode *, n + 1);
    WR_TRY_ALLOC(ctx, inputs);
    for (uint32_t i = 0; i < n; i++) {
        wr_rel *one = wri_rel_one_row(p->arena);
        WR_TRY_ALLOC(ctx, one);
        WR_TRY(wri_phys_rel(ctx, p, one, &inputs[i]));
        WR_TRY(wri_phys_calc(ctx, p, &inputs[i], NULL, rel->u.values.rows[i], rel->schema));
    }
    return wri_phys_derive(ctx, p, wri_phys_node(p, WR_P_UNION, rel->schema, inputs, n), out);
}

static wr_status
make_values(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    if (p->env->explain && rel->u.values.row_count > 1 && has_nulls(rel))
        return union_values(ctx, p, rel, out);
    wr_pnode *n = wri_phys_node(p, WR_P_VALUES, rel->schema, NULL, 0);
    WR_TRY_ALLOC(ctx, n);
    n->u.values.rows = rel->u.values.rows;
    n->u.values.row_count = rel->u.values.row_count;
    n->row_count = rel->u.values.row_count;
    return wri_phys_derive(ctx, p, n, out);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static wr_status
make_union(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    WR_ASSERT(rel->u.setop.op == WR_SETOP_UNION &&
              rel->u.setop.all); /* others are rewritten by the rules */
    wr_pnode **inputs = WR_NEW_N(p->arena, wr_pnode *, rel->input_count + 1);
    WR_TRY_ALLOC(ctx, inputs);
    for (uint32_t i = 0; i < rel->input_count; i++)
        WR_TRY(wri_phys_rel(ctx, p, rel->inputs[i], &inputs[i]));
    wr_pnode *n = wri_phys_node(p, WR_P_UNION, rel->schema, inputs, rel->input_count);
    return wri_phys_derive(ctx, p, n, out);
}

/* UNNEST names its columns after the fields of the rows, else f0, f1 ... */
static wr_status
function_fields(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_field **out)
{
    const wr_expr *call = rel->u.correlate.call;
    uint32_t first = rel->inputs[0]->schema.count, n = rel->schema.count;
    bool ordinality = strstr(call->fn->name, "ORDINALITY") != NULL;
    const wr_type *t = call->arg_count ? call->args[0]->type : NULL;
    const wr_type *element = t && t->field_count == 1 ? t->fields[0].type : NULL;
    bool rows = element && wr_type_is(element, WR_T_ROW);
    wr_str *names = WR_NEW_N(p->arena, wr_str, n + 1);
    *out = WR_NEW_N(p->arena, wr_field, n + 1);
    WR_TRY_ALLOC(ctx, names);
    WR_TRY_ALLOC(ctx, *out);
    for (uint32_t i = 0; i < n; i++) {
        (*out)[i] = rel->schema.fields[i];
        names[i] = (*out)[i].name;
        if (i < first) continue;
        uint32_t k = i - first;
        if (ordinality && i + 1 == n)
            names[i] = WR_STR("ORDINALITY");
        else if (rows && k < element->field_count)
            names[i] = element->fields[k].name;
        else if (ordinality)
            names[i] = element ? WR_STR("EXPR$0") : k == 0 ? WR_STR("KEY") : WR_STR("VALUE");
        else
            names[i] = wr_arena_printf(p->arena, "f%u", k);
    }
    if (!wri_rel_names_unique(p->arena, names, n)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    for (uint32_t i = first; i < n; i++) (*out)[i].name = names[i];
    return WR_OK;
}

static wr_status
make_correlate(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    wr_pnode *input = NULL;
    wr_field *fields = NULL;
    bool unnest = strstr(rel->u.correlate.call->fn->name, "UNNEST") != NULL;
    WR_TRY(wri_phys_rel(ctx, p, rel->inputs[0], &input));
    wr_schema schema = rel->schema;
    if (unnest) {
        WR_TRY(function_fields(ctx, p, rel, &fields));
        schema.fields = fields;
    }
    wr_pnode *n = wri_phys_node(p, WR_P_CORRELATE, schema, &input, 1);
    WR_TRY_ALLOC(ctx, n);
    n->u.correlate.type = rel->u.correlate.type;
    n->u.correlate.call = rel->u.correlate.call;
    n->u.correlate.cond = rel->u.correlate.cond;
    WR_TRY(wri_phys_derive(ctx, p, n, out));
    return unnest ? wri_phys_calc(ctx, p, out, NULL, NULL, rel->schema) : WR_OK;
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
    return wri_phys_derive(ctx, p, n, out);
}

static wr_status
make_rel(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    switch ((wr_rel_kind)rel->kind) {
    case WR_REL_SCAN:
        return wri_phys_scan(ctx, p, rel, out);
    case WR_REL_VALUES:
        return make_values(ctx, p, rel, out);
    case WR_REL_PROJECT:
    case WR_REL_FILTER:
        return wri_phys_project(ctx, p, rel, out);
    case WR_REL_JOIN:
        return wri_phys_join(ctx, p, rel, out);
    case WR_REL_AGGREGATE:
        return wri_phys_aggregate(ctx, p, rel, out);
    case WR_REL_SETOP:
        return make_union(ctx, p, rel, out);
    case WR_REL_SORT:
        return wri_phys_sort(ctx, p, rel, out);
    case WR_REL_CORRELATE:
        return make_correlate(ctx, p, rel, out);
    case WR_REL_WATERMARK:
        return wri_phys_watermark(ctx, p, rel, out);
    case WR_REL_EXPAND:
        return make_expand(ctx, p, rel, out);
    case WR_REL_CHANGELOG:
        return wri_phys_changelog(ctx, p, rel, out);
    case WR_REL_MATCH:
        return wri_phys_match(ctx, p, rel, out);
    case WR_REL_OVER:
        return wri_phys_over(ctx, p, rel, out);
    case WR_REL_WINDOW_TVF:
        return wri_phys_window_tvf(ctx, p, rel, out);
    case WR_REL_SINK: /* only as a root */
        break;
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
        if (roots[i]->kind == WR_REL_SINK)
            WR_TRY(wri_phys_sink(ctx, &p, roots[i], &tops[i]));
        else
            WR_TRY(wri_phys_collect(ctx, &p, roots[i], &tops[i]));
    }
    WR_TRY(wri_phys_share(ctx, &p, tops, &count));
    WR_TRY(wri_phys_bundle(ctx, &p, tops, count));
    return wri_phys_finish(ctx, &p, tops, count, out);
}
