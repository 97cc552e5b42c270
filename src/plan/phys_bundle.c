/* SPDX-License-Identifier: Apache-2.0 */
/* Mini-batches in plans that are shown. What runs is one operator per aggregate, which makes its
 * bundles itself (op/mini_batch.c); EXPLAIN shows where Flink has bundles begin
 * (MiniBatchAssigner), and its two phases: LocalGroupAggregate, exchange, GlobalGroupAggregate.
 * The last pass over a plan that nobody runs, so its nodes are changed in place. */
#include "plan/over.h"
#include "plan/phys_int.h"
#include "plan/timed_join.h"
#include "plan/window.h"

typedef struct above { /* what the nodes above want */
    bool rowtime;      /* bundles end with watermarks */
    bool barred;       /* a group window of the older kind takes none */
} above;

typedef struct assigned { /* one made already */
    const wr_pnode *input;
    bool rowtime;
    wr_pnode *node;
} assigned;

typedef struct bundling {
    wr_ctx *ctx;
    wri_phys *p;
    bool two_phase;
    int64_t interval_ms;
    WR_LIST(const wr_pnode *) seen;
    WR_LIST(assigned *) made;
} bundling;

static bool
is_agg(const wr_agg_bound *a, const char *name)
{
    return strcmp(a->fn->name, name) == 0;
}

/* Flink puts parts of its aggregate functions together, but not of these. */
static bool
merges(const wr_pnode *agg)
{
    static const char *const whole[] = {"FIRST_VALUE", "LAST_VALUE", "JSON_ARRAYAGG"};
    for (uint32_t i = 0; i < agg->u.agg.agg_count; i++)
        for (uint32_t k = 0; k < WR_COUNT(whole); k++)
            if (is_agg(&agg->u.agg.aggs[i], whole[k])) return false;
    return true;
}

bool
wr_rel_takes_bundles(wr_rel *const *roots, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (wri_takes_bundles(roots[i], true)) return true;
    return false;
}

static bool
waits_for_watermarks(const wr_pnode *n)
{
    switch ((int)n->kind) {
    case WR_P_INTERVAL_JOIN:
        return n->u.join.interval->rowtime;
    case WR_P_TEMPORAL_JOIN:
        return n->u.join.temporal->rowtime;
    case WR_P_OVER_AGG:
        return n->u.over->windows[0].time == WR_ATTR_ROWTIME;
    case WR_P_DEDUPLICATE:
        return n->u.dedup.rowtime;
    case WR_P_WINDOW_AGG:
    case WR_P_WINDOW_TVF:
    case WR_P_WINDOW_JOIN:
    case WR_P_WINDOW_RANK:
    case WR_P_WINDOW_DEDUPLICATE:
        return n->windows[0]->spec.rowtime;
    default:
        return false;
    }
}

/* ---- two phases ------------------------------------------------------------------------------ */
static wr_pnode *
add_node(bundling *b, wr_pkind kind, wr_schema schema, wr_pnode *input)
{
    wr_pnode *n = wri_phys_node(b->p, kind, schema, &input, 1);
    if (!n) return NULL;
    n->changelog = WR_CL_I;
    n->bounded = input->bounded;
    wri_node_of(n)->rows = wri_node_of(input)->rows;
    return n;
}

/* Keys, then a column per call: its accumulator. */
static wr_status
parts(bundling *b, const wr_pnode *agg, wr_schema *out)
{
    const uint32_t keys = agg->u.agg.key_count, n = keys + agg->u.agg.agg_count;
    wr_field *f = WR_NEW_N(b->p->arena, wr_field, n + 1);
    WR_TRY_ALLOC(b->ctx, f);
    for (uint32_t i = 0; i < keys; i++) f[i] = agg->inputs[0]->schema.fields[agg->u.agg.keys[i]];
    for (uint32_t i = keys; i < n; i++) {
        f[i] = agg->schema.fields[i];
        f[i].name = wr_arena_printf(b->p->arena, "$%u", i - keys);
        if (!f[i].name.ptr) return wr_raise(b->ctx, WR_NOMEM, "out of memory");
    }
    *out = (wr_schema){f, n};
    return WR_OK;
}

/* Where the rows are, and then together; `agg` becomes what puts them together. */
static wr_status
split_phases(bundling *b, wr_pnode *agg)
{
    wr_pnode *exchange = agg->inputs[0];
    const uint32_t keys = agg->u.agg.key_count;
    if (exchange->kind != WR_P_EXCHANGE || !merges(agg)) return WR_OK;
    uint32_t *first = WR_NEW_N(b->p->arena, uint32_t, keys + 1);
    wr_schema schema;
    WR_TRY_ALLOC(b->ctx, first);
    for (uint32_t i = 0; i < keys; i++) first[i] = i;
    WR_TRY(parts(b, agg, &schema));
    wr_pnode *local = add_node(b, WR_P_GROUP_AGG, schema, exchange->inputs[0]);
    WR_TRY_ALLOC(b->ctx, local);
    local->u.agg = agg->u.agg;
    local->u.agg.phase = WR_AGG_LOCAL;
    local->u.agg.ttl_ms = wr_config_int(b->p->env->config, "table.exec.state.ttl");
    wr_pnode *moved = add_node(b, WR_P_EXCHANGE, schema, local);
    WR_TRY_ALLOC(b->ctx, moved);
    moved->u.exchange = exchange->u.exchange;
    moved->u.exchange.keys = first;
    agg->u.agg.phase = WR_AGG_FINAL;
    agg->u.agg.keys = first;
    agg->inputs[0] = moved;
    return WR_OK;
}

/* ---- where bundles begin --------------------------------------------------------------------- */
static wr_status
assign(bundling *b, wr_pnode **input, bool rowtime)
{
    for (uint32_t i = 0; i < b->made.count; i++)
        if (b->made.items[i]->input == *input && b->made.items[i]->rowtime == rowtime) {
            *input = b->made.items[i]->node;
            return WR_OK;
        }
    assigned *m = WR_NEW(b->p->arena, assigned);
    wr_pnode *n = add_node(b, WR_P_MINI_BATCH, (*input)->schema, *input);
    WR_TRY_ALLOC(b->ctx, m);
    WR_TRY_ALLOC(b->ctx, n);
    n->changelog = (*input)->changelog;
    n->key_deletes = (*input)->key_deletes;
    n->upsert_keys = (*input)->upsert_keys;
    n->upsert_key_count = (*input)->upsert_key_count;
    n->u.bundle.interval_ms = b->interval_ms;
    n->u.bundle.rowtime = rowtime;
    *m = (assigned){*input, rowtime, n};
    *input = n;
    return wr_list_push(b->p->arena, &b->made, m) ? WR_OK
                                                  : wr_raise(b->ctx, WR_NOMEM, "out of memory");
}

static wr_status
visit(bundling *b, wr_pnode *n, above a)
{
    for (uint32_t i = 0; i < b->seen.count; i++)
        if (b->seen.items[i] == n) return WR_OK;
    if (!wr_list_push(b->p->arena, &b->seen, n)) return wr_raise(b->ctx, WR_NOMEM, "out of memory");
    if (n->kind == WR_P_WATERMARK) a = (above){.barred = true};
    a.barred |= n->kind == WR_P_WINDOW_AGG && n->windows[0]->spec.grouped;
    a.rowtime |= waits_for_watermarks(n);
    for (uint32_t i = 0; i < n->input_count; i++) {
        wr_pnode *in = n->inputs[i];
        WR_TRY(visit(b, in, a));
        if (!a.barred && (in->kind == WR_P_SCAN || in->kind == WR_P_WATERMARK))
            WR_TRY(assign(b, &n->inputs[i], a.rowtime));
    }
    return n->kind == WR_P_GROUP_AGG && b->two_phase ? split_phases(b, n) : WR_OK;
}

wr_status
wri_phys_bundle(wr_ctx *ctx, wri_phys *p, wr_pnode **roots, uint32_t count)
{
    const wr_config *c = p->env->config;
    bundling b = {.ctx = ctx, .p = p};
    if (p->batch || !p->env->explain || !p->env->bundles ||
        !wr_config_bool(c, "table.exec.mini-batch.enabled"))
        return WR_OK;
    b.interval_ms = wr_config_int(c, "table.exec.mini-batch.allow-latency");
    b.two_phase =
        !wr_str_eq(wr_config_str(c, "table.optimizer.agg-phase-strategy"), WR_STR("ONE_PHASE"));
    for (uint32_t i = 0; i < count; i++) WR_TRY(visit(&b, roots[i], (above){0}));
    return WR_OK;
}
