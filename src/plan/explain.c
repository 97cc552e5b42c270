/* SPDX-License-Identifier: Apache-2.0 */
/* EXPLAIN: the plan in Flink's sections: syntax tree, physical plan, execution plan, and when asked
 * the job graph as JSON. With CHANGELOG_MODE a section of weir's own follows: for each node its
 * changes in words, its upsert key, and how its state grows (option weir.explain.state). */
#include "plan/explain_int.h"

static const char *
growth_words(uint8_t g)
{
    static const char *const words[] = {"none", "bounded", "grows with keys", "grows with rows"};
    return words[g];
}

static const char *
changelog_words(const wr_pnode *n)
{
    wr_clmode m = n->changelog;
    if (m == WR_CL_I) return "insert-only";
    if (!(m & (WR_CL_UB | WR_CL_UA))) return "insert and delete";
    if (m & WR_CL_UB)
        return m & WR_CL_D ? "retract: updates as -U +U, deletes" : "retract: updates as -U +U";
    if (!(m & WR_CL_D)) return "upsert: updates as +U";
    return n->key_deletes ? "upsert: updates as +U, deletes by key"
                          : "upsert: updates as +U, deletes";
}

static void
put_upsert_keys(const wr_pnode *n, wr_text *out)
{
    for (uint32_t i = 0; i < n->upsert_key_count; i++) {
        wr_text_puts(out, i ? ", (" : "(");
        wri_put_cols(out, &n->schema, n->upsert_keys[i].cols, n->upsert_keys[i].count);
        wr_text_putc(out, ')');
    }
    if (n->upsert_key_count == 0) wr_text_puts(out, "none");
}

static void
put_state(const wr_plan *plan, wr_text *out)
{
    wr_text_puts(out, "\n== State ==\n");
    for (uint32_t i = plan->node_count; i-- > 0;) {
        const wr_pnode *n = plan->nodes[i];
        if (n->kind == WR_P_COLLECT || n->kind == WR_P_EXCHANGE || n->kind == WR_P_MINI_BATCH)
            continue;
        if (n->kind == WR_P_GROUP_AGG && n->u.agg.phase == WR_AGG_LOCAL) continue; /* not run */
        wr_text_printf(out, "[%u] %s: changelog: %s; upsert key: ", n->id,
                       wr_pkind_name((wr_pkind)n->kind), changelog_words(n));
        put_upsert_keys(n, out);
        wr_text_printf(out, "; state: %s", growth_words(n->growth));
        if (n->kind == WR_P_SINK && n->u.sink.info.guarantee)
            wr_text_printf(out, "; guarantee: %s", n->u.sink.info.guarantee);
        wr_text_putc(out, '\n');
    }
}

/* The advice that Flink gives for a plan with aggregates by row. */
static void
put_advice(const wr_plan *plan, wr_text *out)
{
    bool aggregates = false;
    for (uint32_t i = 0; i < plan->node_count && !plan->batch; i++)
        aggregates |= plan->nodes[i]->kind == WR_P_GROUP_AGG && !plan->nodes[i]->u.agg.mini_batch;
    if (!aggregates) {
        wr_text_puts(out, "No available advice...\n");
        return;
    }
    wr_text_puts(out, "advice[1]: [ADVICE] You might want to enable local-global two-phase "
                      "optimization by configuring ('table.exec.mini-batch.enabled' to 'true', "
                      "'table.exec.mini-batch.allow-latency' to a positive long value, "
                      "'table.exec.mini-batch.size' to a positive long value).\n");
}

wr_status
wr_plan_explain(wr_ctx *ctx, const wr_plan_env *env, const wr_plan *plan, uint32_t details,
                wr_text *out)
{
    bool advice = details & WR_EXPLAIN_ADVICE;
    wr_text_puts(out, "== Abstract Syntax Tree ==\n");
    for (uint32_t i = 0; i < plan->logical_count; i++) {
        if (i) wr_text_putc(out, '\n');
        WR_TRY(wri_explain_ast(ctx, env, plan->logical[i], out));
    }
    wr_text_printf(out, "\n== Optimized Physical Plan%s ==\n", advice ? " With Advice" : "");
    WR_TRY(wri_explain_physical(ctx, env, plan, details, out));
    if (advice) {
        wr_text_putc(out, '\n');
        put_advice(plan, out);
    }
    wr_text_puts(out, "\n== Optimized Execution Plan ==\n");
    WR_TRY(wri_explain_execution(ctx, env, plan, out));
    if (details & WR_EXPLAIN_JSON) {
        wr_text_puts(out, "\n== Physical Execution Plan ==\n");
        WR_TRY(wri_explain_json(ctx, env, plan, out));
    }
    if ((details & WR_EXPLAIN_CHANGELOG) && wr_config_bool(env->config, "weir.explain.state"))
        put_state(plan, out);
    return out->failed ? wr_raise(ctx, WR_NOMEM, "out of memory") : WR_OK;
}
