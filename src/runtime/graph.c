/* SPDX-License-Identifier: Apache-2.0 */
/* The job graph: which operators run in one task, and how tasks are connected.
 *
 * Every node gets a parallelism and a level. An exchange raises the level by one, unless both ends
 * have parallelism 1: then it is a plain call. A node is chained to an input (same vertex) when
 * there is no exchange between, the parallelism is the same and the level is the same; otherwise an
 * edge connects two vertices. So edges always go to a higher level, the graph has no cycle, and a
 * task never waits for itself. */
#include "runtime/runtime_int.h"

typedef struct place { /* what is known of one plan node; index = id - 1 */
    uint32_t parallelism, level, vertex;
} place;

typedef struct builder {
    const wr_plan *plan;
    const wr_job_env *env;
    wr_arena *arena;
    place *places;
    WR_LIST(wri_edge) edges;
} builder;

static const wr_pnode *
skip_exchange(const wr_pnode *n)
{
    while (n->kind == WR_P_EXCHANGE) n = n->inputs[0];
    return n;
}

static uint32_t
clamp_parallelism(uint32_t wanted, uint32_t max)
{
    if (wanted == 0) wanted = 1;
    if (max && wanted > max) wanted = max;
    return WR_MIN(wanted, WR_PARALLELISM_MAX);
}

/* What the exchange above (or none) and the node itself ask for. */
static uint32_t
parallelism_of(const builder *b, const wr_pnode *n)
{
    if (n->kind == WR_P_VALUES || n->kind == WR_P_COLLECT) return 1;
    if (n->kind == WR_P_SCAN) {
        uint32_t wanted = n->parallelism ? n->parallelism : n->u.scan.info.parallelism;
        return clamp_parallelism(wanted ? wanted : b->env->parallelism,
                                 n->u.scan.info.parallelism_max);
    }
    if (n->kind == WR_P_SINK && n->u.sink.info.parallelism)
        return clamp_parallelism(n->u.sink.info.parallelism, 0);
    if (n->parallelism) return clamp_parallelism(n->parallelism, 0);
    uint32_t best = 0, least = UINT32_MAX;
    bool exchanged = false;
    for (uint32_t i = 0; i < n->input_count; i++) {
        const wr_pnode *in = n->inputs[i];
        if (in->kind != WR_P_EXCHANGE) {
            best = WR_MAX(best, b->places[in->id - 1].parallelism);
            least = WR_MIN(least, b->places[in->id - 1].parallelism);
        } else if (in->u.exchange.dist == WR_DIST_SINGLE ||
                   (in->u.exchange.dist == WR_DIST_HASH && in->u.exchange.key_count == 0)) {
            return 1;
        } else {
            exchanged = true;
        }
    }
    /* Dealt out to several subtasks, the changes of a row could overtake each other. */
    if (n->kind == WR_P_UNION && least < best && n->changelog != WR_CL_INSERT_ONLY) return 1;
    return clamp_parallelism(exchanged ? b->env->parallelism : best, 0);
}

static wr_status
add_edge(wr_ctx *ctx, builder *b, const wr_pnode *to, uint32_t input)
{
    const wr_pnode *in = to->inputs[input], *from = skip_exchange(in);
    wri_edge e = {.from_node = from, .to_node = to, .to_input = input};
    uint32_t pf = b->places[from->id - 1].parallelism, pt = b->places[to->id - 1].parallelism;
    if (in->kind == WR_P_EXCHANGE) {
        e.dist = in->u.exchange.dist;
        e.keys = in->u.exchange.keys;
        e.key_count = in->u.exchange.key_count;
        if (e.dist == WR_DIST_FORWARD && pf != pt) e.dist = WR_DIST_REBALANCE;
    } else if (pf == pt) {
        e.dist = WR_DIST_FORWARD;
    } else if (to->kind == WR_P_SINK && to->u.sink.spec.primary_key_count > 0) {
        e.dist = WR_DIST_HASH; /* rows of one key stay in order */
        e.keys = to->u.sink.spec.primary_key;
        e.key_count = to->u.sink.spec.primary_key_count;
    } else {
        e.dist = pt == 1 ? WR_DIST_SINGLE : WR_DIST_REBALANCE;
    }
    if (!wr_list_push(b->arena, &b->edges, e)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

/* Is input i of n a plain call? Decided by parallelism and level alone. */
static bool
is_chained(const builder *b, const wr_pnode *n, uint32_t i)
{
    const wr_pnode *in = n->inputs[i], *from = skip_exchange(in);
    const place *pf = &b->places[from->id - 1], *pn = &b->places[n->id - 1];
    if (pf->parallelism != pn->parallelism || pf->level != pn->level) return false;
    return in->kind != WR_P_EXCHANGE || pf->parallelism == 1;
}

static void
place_node(builder *b, const wr_pnode *n)
{
    place *p = &b->places[n->id - 1];
    p->parallelism = parallelism_of(b, n);
    for (uint32_t i = 0; i < n->input_count; i++) {
        const wr_pnode *in = n->inputs[i];
        const place *pf = &b->places[skip_exchange(in)->id - 1];
        bool call =
            pf->parallelism == p->parallelism && (in->kind != WR_P_EXCHANGE || p->parallelism == 1);
        p->level = WR_MAX(p->level, pf->level + (call ? 0u : 1u));
    }
}

static uint32_t
find_root(place *places, uint32_t i)
{
    while (places[i].vertex != i) {
        places[i].vertex = places[places[i].vertex].vertex;
        i = places[i].vertex;
    }
    return i;
}

/* Number the vertices in plan order and collect their nodes. */
static wr_status
collect_vertices(wr_ctx *ctx, builder *b, wri_graph *out)
{
    uint32_t n = b->plan->node_count;
    uint32_t *number = WR_NEW_N(b->arena, uint32_t, n);
    out->vertices = WR_NEW_N(b->arena, wri_vertex, n);
    WR_TRY_ALLOC(ctx, number);
    WR_TRY_ALLOC(ctx, out->vertices);
    for (uint32_t i = 0; i < n; i++) {
        const wr_pnode *node = b->plan->nodes[i];
        if (node->kind == WR_P_EXCHANGE) continue;
        uint32_t root = find_root(b->places, i);
        if (!number[root]) {
            wri_vertex *v = &out->vertices[out->vertex_count];
            v->id = out->vertex_count;
            v->parallelism = b->places[i].parallelism;
            v->nodes = WR_NEW_N(b->arena, const wr_pnode *, n);
            WR_TRY_ALLOC(ctx, v->nodes);
            number[root] = ++out->vertex_count;
        }
        wri_vertex *v = &out->vertices[number[root] - 1];
        v->nodes[v->node_count++] = node;
    }
    for (uint32_t i = 0; i < b->edges.count; i++) {
        wri_edge *e = &b->edges.items[i];
        e->from = number[find_root(b->places, e->from_node->id - 1)] - 1;
        e->to = number[find_root(b->places, e->to_node->id - 1)] - 1;
        WR_ASSERT(e->from != e->to);
    }
    out->edges = b->edges.items;
    out->edge_count = b->edges.count;
    return WR_OK;
}

wr_status
wri_graph_make(wr_ctx *ctx, const wr_plan *plan, const wr_job_env *env, wr_arena *a, wri_graph *out)
{
    builder b = {.plan = plan, .env = env, .arena = a};
    memset(out, 0, sizeof *out);
    b.places = WR_NEW_N(a, place, plan->node_count);
    WR_TRY_ALLOC(ctx, b.places);
    for (uint32_t i = 0; i < plan->node_count; i++) {
        const wr_pnode *n = plan->nodes[i];
        WR_ASSERT(n->id == i + 1);
        b.places[i].vertex = i;
        if (n->kind != WR_P_EXCHANGE) place_node(&b, n);
    }
    for (uint32_t i = 0; i < plan->node_count; i++) {
        const wr_pnode *n = plan->nodes[i];
        if (n->kind == WR_P_EXCHANGE) continue;
        for (uint32_t k = 0; k < n->input_count; k++) {
            if (is_chained(&b, n, k)) {
                uint32_t x = find_root(b.places, i),
                         y = find_root(b.places, skip_exchange(n->inputs[k])->id - 1);
                b.places[WR_MAX(x, y)].vertex = WR_MIN(x, y);
            } else {
                WR_TRY(add_edge(ctx, &b, n, k));
            }
        }
    }
    return collect_vertices(ctx, &b, out);
}
