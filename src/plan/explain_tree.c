/* SPDX-License-Identifier: Apache-2.0 */
/* Trees of physical nodes: the physical plan, in which a shared sub-plan is written out wherever it
 * is used, and the execution plan, in which it is written once and referred to afterwards. */
#include "plan/explain_int.h"
#include "plan/over.h"

typedef struct tree { /* a section being written */
    wr_ctx *ctx;
    const wr_plan_env *env;
    wr_expr_style style;
    uint32_t details;
    bool keys;     /* upsert keys behind the changelog mode */
    uint32_t *ids; /* execution plan: reuse number per node id - 1, 0 = used once */
    bool *written;
    wri_branches at;
} tree;

void
wri_branch(wri_branches *b, const char *branch)
{
    wr_text_printf(b->out, "%.*s%s", (int)b->depth_bytes, b->prefix, branch);
}

wr_status
wri_branch_down(wri_branches *b, const char *branch)
{
    if (!branch[0]) return WR_OK;
    if (b->depth_bytes + 4 > sizeof b->prefix)
        return wr_raise(b->ctx, WR_LIMIT, "the plan is too deep to be printed");
    memcpy(b->prefix + b->depth_bytes, branch[0] == ':' ? ":  " : "   ", 3);
    b->depth_bytes += 3;
    return WR_OK;
}

void
wri_branch_up(wri_branches *b, const char *branch)
{
    if (branch[0]) b->depth_bytes -= 3;
}

/* Collect, materializers and the shuffles before sinks are part of what is above them. */
const wr_pnode *
wri_shown_node(const wr_pnode *n)
{
    while (n->kind == WR_P_COLLECT || n->kind == WR_P_SINK_MATERIALIZE) {
        bool materialize = n->kind == WR_P_SINK_MATERIALIZE;
        n = n->inputs[0];
        if (materialize) n = n->inputs[0];
    }
    return n;
}

static const wr_pnode *
shown_input(const wr_pnode *n, uint32_t i)
{
    const wr_pnode *in = n->inputs[i];
    if (n->kind == WR_P_SINK && in->kind == WR_P_EXCHANGE) in = in->inputs[0];
    return wri_shown_node(in);
}

void
wri_put_changelog(const wr_pnode *n, wr_text *out)
{
    wr_text_puts(out, "changelogMode=[");
    if (n->kind == WR_P_SINK) {
        wr_text_puts(out, "NONE]");
        return;
    }
    bool by_key = n->key_deletes && (n->changelog & WR_CL_D);
    wr_clmode_print(by_key ? (wr_clmode)(n->changelog & ~WR_CL_D) : n->changelog, out);
    wr_text_puts(out, by_key ? ",PD]" : "]");
}

static void
put_upsert_keys(const wr_pnode *n, wr_text *out)
{
    wr_text_puts(out, ", upsertKeys=[");
    for (uint32_t i = 0; i < n->upsert_key_count; i++) {
        wr_text_puts(out, i ? ", [" : "[");
        wri_put_cols(out, &n->schema, n->upsert_keys[i].cols, n->upsert_keys[i].count);
        wr_text_putc(out, ']');
    }
    wr_text_putc(out, ']');
}

/* Aggregates by row are told of mini-batches. */
static bool
is_advised(const tree *t, const wr_pnode *n)
{
    return (t->details & WR_EXPLAIN_ADVICE) && n->kind == WR_P_GROUP_AGG && !n->u.agg.mini_batch;
}

/* In batch mode the execution plan says where rows stay: sorted within partitions, and where they
 * are sorted anew within the same ones. `above`: the consumer of n. */
static bool
put_forward(const tree *t, const wr_pnode *n, const wr_pnode *above, wr_text *out)
{
    if (!t->env->batch || t->style != WR_EXPR_INFIX || n->input_count != 1) return false;
    const wr_pnode *in = n->inputs[0];
    if (n->kind == WR_P_OVER_AGG && in->kind == WR_P_SORT) {
        const bool again = in->inputs[0]->kind == WR_P_OVER_AGG;
        if (!n->u.over->windows[0].partition_count && !again) return false;
        wr_text_puts(out, "Exchange(distribution=[forward])\n");
        return true;
    }
    const bool under = above && above->kind == WR_P_OVER_AGG && n->kind == WR_P_CALC;
    if ((n->kind == WR_P_OVER_AGG && in->kind == WR_P_CALC && in->inputs[0]->kind == WR_P_SORT) ||
        (under && in->kind == WR_P_SORT)) {
        wr_text_puts(out, "Exchange(distribution=[forward])\n");
        return true;
    }
    if (n->kind != WR_P_SORT || in->kind != WR_P_OVER_AGG || !above || above->kind != WR_P_OVER_AGG)
        return false;
    const wr_over_window *w = &above->u.over->windows[0];
    wr_text_puts(out, w->partition_count ? "Exchange(distribution=[keep_input_as_is[hash["
                                         : "Exchange(distribution=[forward");
    wri_put_cols(out, &n->schema, w->partition, w->partition_count);
    wr_text_puts(out, w->partition_count ? "]]])\n" : "])\n");
    return true;
}

static wr_status
put_node(tree *t, const wr_pnode *n, const wr_pnode *above, const char *branch)
{
    wr_text more, forward;
    uint32_t id = t->ids ? t->ids[n->id - 1] : 0;
    wri_branch(&t->at, branch);
    if (id && t->written[n->id - 1]) {
        wr_text_printf(t->at.out, "Reused(reference_id=[%u])\n", id);
        return WR_OK;
    }
    wr_text_init(&more, t->at.out->arena);
    if (t->details & WR_EXPLAIN_CHANGELOG) wri_put_changelog(n, &more);
    const wr_pnode *below = n->kind == WR_P_EXCHANGE ? shown_input(n, 0) : NULL;
    if (below && t->env->batch && t->ids && t->ids[below->id - 1] && t->written[below->id - 1])
        wr_text_puts(&more, "shuffle_mode=[BATCH]");
    if (t->keys && n->upsert_key_count) put_upsert_keys(n, &more);
    if (t->style == WR_EXPR_PREFIX && !t->keys && wri_has_ttl_hint(t->env, n)) {
        if (more.len) wr_text_puts(&more, ", ");
        wri_put_ttl_hint(t->env, n, &more);
    }
    wr_str first = is_advised(t, n) ? WR_STR("advice=[1]") : WR_STR("");
    WR_TRY(wri_label(t->ctx, t->env, n, t->style, first, wr_text_str(&more), t->at.out));
    if (id) {
        wr_text_printf(t->at.out, "(reuse_id=[%u])", id);
        t->written[n->id - 1] = true;
    }
    if (t->details & WR_EXPLAIN_COST) wri_put_cost(n, t->at.out);
    wr_text_putc(t->at.out, '\n');
    WR_TRY(wri_branch_down(&t->at, branch));
    wr_text_init(&forward, t->at.out->arena);
    const bool forwarded = put_forward(t, n, above, &forward);
    if (forwarded) {
        wri_branch(&t->at, "+- ");
        wr_text_put(t->at.out, forward.ptr, forward.len);
        WR_TRY(wri_branch_down(&t->at, "+- "));
    }
    for (uint32_t i = 0; i < n->input_count; i++)
        WR_TRY(put_node(t, shown_input(n, i), n, i + 1 < n->input_count ? ":- " : "+- "));
    if (forwarded) wri_branch_up(&t->at, "+- ");
    wri_branch_up(&t->at, branch);
    return WR_OK;
}

wr_status
wri_explain_physical(wr_ctx *ctx, const wr_plan_env *env, const wr_plan *plan, uint32_t details,
                     wr_text *out)
{
    if (plan->batch) details &= ~(uint32_t)WR_EXPLAIN_CHANGELOG;
    tree t = {.ctx = ctx, .env = env, .style = WR_EXPR_PREFIX, .details = details};
    t.at = (wri_branches){.ctx = ctx, .out = out};
    for (uint32_t i = 0; i < plan->root_count; i++) {
        if (i) wr_text_putc(out, '\n');
        WR_TRY(put_node(&t, wri_shown_node(plan->roots[i]), NULL, ""));
    }
    return WR_OK;
}

wr_status
wri_explain_related(wr_ctx *ctx, const wr_plan_env *env, const wr_pnode *n, wr_text *out)
{
    tree t = {.ctx = ctx,
              .env = env,
              .style = WR_EXPR_PREFIX,
              .details = WR_EXPLAIN_CHANGELOG,
              .keys = true};
    t.at = (wri_branches){.ctx = ctx, .out = out};
    return put_node(&t, wri_shown_node(n), NULL, "");
}

/* ---- the execution plan ---------------------------------------------------------------------- */

typedef struct reuse { /* who uses a node, by id - 1 */
    uint32_t *uses, *first_root;
    bool *across; /* used by different roots */
    bool *seen;   /* by put_common */
} reuse;

static void
count_uses(reuse *r, const wr_pnode *n, uint32_t root)
{
    uint32_t i = n->id - 1;
    if (r->uses[i]++ > 0) {
        r->across[i] |= r->first_root[i] != root;
        return;
    }
    r->first_root[i] = root;
    for (uint32_t k = 0; k < n->input_count; k++) count_uses(r, shown_input(n, k), root);
}

/* Numbers in the order in which the tree is written. */
static void
number_reused(tree *t, const reuse *r, const wr_pnode *n, uint32_t *next)
{
    uint32_t i = n->id - 1;
    if (r->uses[i] > 1) {
        if (t->ids[i]) return;
        t->ids[i] = ++*next;
    }
    for (uint32_t k = 0; k < n->input_count; k++) number_reused(t, r, shown_input(n, k), next);
}

/* Sub-plans that several roots share come first. */
static wr_status
put_common(tree *t, const reuse *r, const wr_pnode *n, bool *any)
{
    uint32_t i = n->id - 1;
    if (r->seen[i]) return WR_OK;
    r->seen[i] = true;
    for (uint32_t k = 0; k < n->input_count; k++) WR_TRY(put_common(t, r, shown_input(n, k), any));
    if (!r->across[i] || t->written[i]) return WR_OK;
    if (*any) wr_text_putc(t->at.out, '\n');
    *any = true;
    return put_node(t, n, NULL, "");
}

wr_status
wri_explain_execution(wr_ctx *ctx, const wr_plan_env *env, const wr_plan *plan, wr_text *out)
{
    tree t = {.ctx = ctx, .env = env, .style = WR_EXPR_INFIX};
    uint32_t n = plan->node_count + 1, next = 0;
    bool any = false;
    reuse r = {WR_NEW_N(env->arena, uint32_t, n), WR_NEW_N(env->arena, uint32_t, n),
               WR_NEW_N(env->arena, bool, n), WR_NEW_N(env->arena, bool, n)};
    t.ids = WR_NEW_N(env->arena, uint32_t, n);
    t.written = WR_NEW_N(env->arena, bool, n);
    t.at = (wri_branches){.ctx = ctx, .out = out};
    WR_TRY_ALLOC(ctx, r.uses);
    WR_TRY_ALLOC(ctx, r.first_root);
    WR_TRY_ALLOC(ctx, r.across);
    WR_TRY_ALLOC(ctx, r.seen);
    WR_TRY_ALLOC(ctx, t.ids);
    WR_TRY_ALLOC(ctx, t.written);
    for (uint32_t i = 0; i < plan->root_count; i++)
        count_uses(&r, wri_shown_node(plan->roots[i]), i);
    for (uint32_t i = 0; i < plan->root_count; i++)
        number_reused(&t, &r, wri_shown_node(plan->roots[i]), &next);
    for (uint32_t i = 0; i < plan->root_count; i++)
        WR_TRY(put_common(&t, &r, wri_shown_node(plan->roots[i]), &any));
    for (uint32_t i = 0; i < plan->root_count; i++) {
        if (any) wr_text_putc(out, '\n');
        any = true;
        WR_TRY(put_node(&t, wri_shown_node(plan->roots[i]), NULL, ""));
    }
    return WR_OK;
}
