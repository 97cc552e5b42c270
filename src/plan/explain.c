/* SPDX-License-Identifier: Apache-2.0 */
/* EXPLAIN: the plan as Flink lays it out, in sections, each a tree. */
#include "plan/phys_int.h"

typedef struct tree { /* a section being written */
    wr_ctx *ctx;
    const wr_plan_env *env;
    wr_text *out;
    wr_expr_style style;
    uint32_t details;
    char prefix[1024];
} tree;

static const char *
growth_words(uint8_t g)
{
    static const char *const words[] = {"none", "bounded", "grows with keys", "grows with rows"};
    return words[g];
}

static const char *
changelog_words(wr_clmode m)
{
    if (m == WR_CL_I) return "insert-only";
    if (!(m & (WR_CL_UB | WR_CL_UA))) return "insert and delete";
    if (m & WR_CL_UB)
        return m & WR_CL_D ? "retract: updates as -U +U, deletes" : "retract: updates as -U +U";
    return m & WR_CL_D ? "upsert: updates as +U, deletes" : "upsert: updates as +U";
}

static void
put_upsert_keys(const wr_pnode *n, wr_text *out)
{
    for (uint32_t i = 0; i < n->upsert_key_count; i++) {
        wr_text_puts(out, i ? ", (" : "(");
        for (uint32_t c = 0; c < n->upsert_keys[i].count; c++)
            wr_text_printf(out, "%s%.*s", c ? ", " : "",
                           WR_STR_ARG(n->schema.fields[n->upsert_keys[i].cols[c]].name));
        wr_text_putc(out, ')');
    }
    if (n->upsert_key_count == 0) wr_text_puts(out, "none");
}

/* Nodes that Flink's plan does not show: they are folded into their consumers. */
static const wr_pnode *
shown(const wr_pnode *n)
{
    while (n->kind == WR_P_COLLECT || n->kind == WR_P_SINK_MATERIALIZE) {
        n = n->inputs[0];
        if (n->kind == WR_P_EXCHANGE) n = n->inputs[0];
    }
    return n;
}

static wr_status
put_node(tree *t, const wr_pnode *n, size_t depth_bytes, const char *branch)
{
    n = shown(n);
    wr_text_printf(t->out, "%.*s%s", (int)depth_bytes, t->prefix, branch);
    size_t start = t->out->len;
    WR_TRY(wri_label(t->ctx, t->env, n, t->style, t->out));
    bool physical = t->style == WR_EXPR_PREFIX;
    if (physical && (t->details & WR_EXPLAIN_CHANGELOG)) {
        bool closed = t->out->len > start && t->out->ptr[t->out->len - 1] == ')';
        if (closed) t->out->len--;
        wr_text_puts(t->out, closed ? ", changelogMode=[" : "(changelogMode=[");
        wr_clmode_print(n->kind == WR_P_SINK ? 0 : n->changelog, t->out);
        wr_text_puts(t->out, "])");
    }
    wr_text_putc(t->out, '\n');
    size_t here = depth_bytes;
    if (branch[0]) {
        if (here + 4 > sizeof t->prefix)
            return wr_raise(t->ctx, WR_LIMIT, "the plan is too deep to be printed");
        memcpy(t->prefix + here, branch[0] == ':' ? ":  " : "   ", 3);
        here += 3;
    }
    for (uint32_t i = 0; i < n->input_count; i++)
        WR_TRY(put_node(t, n->inputs[i], here, i + 1 < n->input_count ? ":- " : "+- "));
    return WR_OK;
}

static wr_status
put_section(tree *t, const wr_plan *plan, const char *title)
{
    wr_text_printf(t->out, "== %s ==\n", title);
    for (uint32_t i = 0; i < plan->root_count; i++) {
        WR_TRY(put_node(t, plan->roots[i], 0, ""));
        wr_text_putc(t->out, '\n');
    }
    return WR_OK;
}

/* weir's own section: what a person wants to know of every stateful node. */
static void
put_state(const wr_plan *plan, wr_text *out)
{
    wr_text_puts(out, "== State ==\n");
    for (uint32_t i = plan->node_count; i-- > 0;) {
        const wr_pnode *n = plan->nodes[i];
        if (n->kind == WR_P_COLLECT || n->kind == WR_P_EXCHANGE) continue;
        wr_text_printf(out, "[%u] %s: changelog: %s; upsert key: ", n->id,
                       wr_pkind_name((wr_pkind)n->kind), changelog_words(n->changelog));
        put_upsert_keys(n, out);
        wr_text_printf(out, "; state: %s\n", growth_words(n->growth));
    }
    wr_text_putc(out, '\n');
}

wr_status
wr_plan_explain(wr_ctx *ctx, const wr_plan_env *env, const wr_plan *plan, uint32_t details,
                wr_text *out)
{
    tree t = {.ctx = ctx, .env = env, .out = out, .style = WR_EXPR_PREFIX, .details = details};
    WR_TRY(put_section(&t, plan,
                       details & WR_EXPLAIN_ADVICE ? "Optimized Physical Plan With Advice"
                                                   : "Optimized Physical Plan"));
    t.style = WR_EXPR_INFIX;
    WR_TRY(put_section(&t, plan, "Optimized Execution Plan"));
    if (details & WR_EXPLAIN_CHANGELOG) put_state(plan, out);
    return WR_OK;
}
