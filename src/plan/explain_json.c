/* SPDX-License-Identifier: Apache-2.0 */
/* "Physical Execution Plan": the operators as JSON, as Flink's stream graph shows them. Exchanges
 * are edges: how rows travel is said by the consumer's ship_strategy. */
#include "plan/explain_int.h"

typedef struct graph {
    wr_ctx *ctx;
    const wr_plan_env *env;
    wr_text *out;
    uint32_t *ids; /* per node: its number, 0 = not written */
    uint32_t next;
    int64_t parallelism;
} graph;

static void
put_string(wr_text *out, wr_str s)
{
    wr_text_putc(out, '"');
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '"' || s.ptr[i] == '\\') wr_text_putc(out, '\\');
        if (s.ptr[i] == '\n')
            wr_text_puts(out, "\\n");
        else
            wr_text_putc(out, s.ptr[i]);
    }
    wr_text_putc(out, '"');
}

static const wr_pnode *
operator_below(const wr_pnode *n, const char **ship)
{
    static const char *const names[] = {"FORWARD", "FORWARD",   "HASH",
                                        "GLOBAL",  "BROADCAST", "REBALANCE"};
    *ship = "FORWARD";
    while (n->kind == WR_P_EXCHANGE || n->kind == WR_P_COLLECT || n->kind == WR_P_UNION) {
        if (n->kind == WR_P_EXCHANGE) *ship = names[n->u.exchange.dist];
        if (n->kind == WR_P_UNION) break;
        n = n->inputs[0];
    }
    return n;
}

static int64_t
subtasks_of(const graph *g, const wr_pnode *n)
{
    if (n->kind == WR_P_VALUES) return 1;
    if (n->kind == WR_P_SCAN && n->u.scan.info.parallelism) return n->u.scan.info.parallelism;
    if (n->kind == WR_P_SINK && n->u.sink.info.parallelism) return n->u.sink.info.parallelism;
    if (n->input_count == 0) return g->parallelism;
    const wr_pnode *in = n->inputs[0];
    if (in->kind != WR_P_EXCHANGE) return subtasks_of(g, in);
    return in->u.exchange.dist == WR_DIST_SINGLE ? 1 : g->parallelism;
}

static void
put_predecessor(graph *g, const wr_pnode *n, const char *ship, bool *any)
{
    wr_text_printf(g->out,
                   "%s{\n      \"id\" : %u,\n      \"ship_strategy\" : \"%s\",\n      "
                   "\"side\" : \"second\"\n    }",
                   *any ? ", " : ",\n    \"predecessors\" : [ ", g->ids[n->id - 1], ship);
    *any = true;
}

/* A union is no operator: its consumers have all of its inputs. */
static void
put_predecessors(graph *g, const wr_pnode *n, bool *any)
{
    for (uint32_t i = 0; i < n->input_count; i++) {
        const char *ship;
        const wr_pnode *in = operator_below(n->inputs[i], &ship);
        if (in->kind == WR_P_UNION)
            put_predecessors(g, in, any);
        else
            put_predecessor(g, in, ship, any);
    }
}

static wr_status
put_node(graph *g, const wr_pnode *n)
{
    wr_text label, type;
    if (g->ids[n->id - 1]) return WR_OK;
    for (uint32_t i = 0; i < n->input_count; i++) {
        const char *ship;
        WR_TRY(put_node(g, operator_below(n->inputs[i], &ship)));
    }
    g->ids[n->id - 1] = UINT32_MAX;
    if (n->kind == WR_P_UNION) return WR_OK;
    bool source = n->input_count == 0, sink = n->kind == WR_P_SINK;
    uint32_t id = ++g->next;
    g->ids[n->id - 1] = id;
    wr_text_init(&label, g->env->arena);
    wr_text_init(&type, g->env->arena);
    wr_text_printf(&label, "[%u]:", n->id);
    WR_TRY(wri_label(g->ctx, g->env, n, WR_EXPR_INFIX, WR_STR(""), WR_STR(""), &label));
    if (n->kind == WR_P_SCAN)
        wr_text_printf(&type, "Source: %.*s[%u]", WR_STR_ARG(n->u.scan.spec.table->id.name), n->id);
    else if (sink)
        wr_text_printf(&type, "Sink: %.*s[%u]", WR_STR_ARG(n->u.sink.spec.table->id.name), n->id);
    else
        wr_text_printf(&type, "%s%s[%u]", source ? "Source: " : "", wri_node_name(n, WR_EXPR_INFIX),
                       n->id);
    wr_text_printf(g->out, "%s{\n    \"id\" : %u,\n    \"type\" : ", id > 1 ? ", " : "", id);
    put_string(g->out, wr_text_str(&type));
    wr_text_printf(g->out, ",\n    \"pact\" : \"%s\",\n    \"contents\" : ",
                   source ? "Data Source"
                   : sink ? "Data Sink"
                          : "Operator");
    put_string(g->out, wr_text_str(&label));
    wr_text_printf(g->out, ",\n    \"parallelism\" : %lld", (long long)subtasks_of(g, n));
    bool any = false;
    put_predecessors(g, n, &any);
    wr_text_puts(g->out, any ? " ]\n  }" : "\n  }");
    return label.failed || type.failed ? wr_raise(g->ctx, WR_NOMEM, "out of memory") : WR_OK;
}

wr_status
wri_explain_json(wr_ctx *ctx, const wr_plan_env *env, const wr_plan *plan, wr_text *out)
{
    graph g = {.ctx = ctx, .env = env, .out = out};
    g.parallelism = wr_config_int(env->config, "table.exec.resource.default-parallelism");
    if (g.parallelism <= 0) g.parallelism = wr_config_int(env->config, "parallelism.default");
    g.ids = WR_NEW_N(env->arena, uint32_t, plan->node_count + 1);
    WR_TRY_ALLOC(ctx, g.ids);
    wr_text_puts(out, "{\n  \"nodes\" : [ ");
    for (uint32_t i = 0; i < plan->root_count; i++) {
        const char *ship;
        WR_TRY(put_node(&g, operator_below(plan->roots[i], &ship)));
    }
    wr_text_puts(out, " ]\n}");
    return WR_OK;
}
