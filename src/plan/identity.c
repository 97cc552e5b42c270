/* SPDX-License-Identifier: Apache-2.0 */
/* What columns, aggregates and the state of operators *are*, in words that survive a change of the
 * query: a column is what it is computed from, in names of columns of tables; state is the kind of
 * its operator, its keys, and where its rows come from. Positions, names that a query gives,
 * filters, other columns and types do not count. Snapshots keep these words (logical ids, names of
 * parts), so changing them loses the state of everybody who upgrades.
 *
 *   column      amount   (a + b)   left.id   SUM(amount)
 *   state       kind [ keys ] ( inputs ) @ sink of the statement, hashed; equals are numbered in
 *               the order of the plan */
#include "plan/changelog_fn.h"
#include "plan/multi.h"
#include "plan/over.h"
#include "plan/timed_int.h"
#include "plan/window.h"

#define ORIGIN_MAX 160u /* longer texts are told by their hash */

#define NOMEM(ctx) wr_raise((ctx), WR_NOMEM, "out of memory")

/* ---- columns --------------------------------------------------------------------------------- */
/* A long text by its hash: nested projections may double it at every step. */
static wr_status
shorten(wr_ctx *ctx, wr_arena *a, wr_str text, wr_str *out)
{
    *out = text;
    if (text.len > ORIGIN_MAX)
        *out = wr_arena_printf(a, "expression %016llx",
                               (unsigned long long)wr_hash_bytes(text.ptr, text.len, 0));
    return out->ptr ? WR_OK : NOMEM(ctx);
}

static wr_status
expr_origin(wr_ctx *ctx, wr_arena *a, const wr_pnode *input, const wr_expr *e, wr_str *out)
{
    while (e->kind == WR_EX_CAST && !e->flag) e = e->args[0]; /* widening is no other column */
    if (e->kind == WR_EX_COLUMN) return wr_col_origin(ctx, a, input, e->index, out);
    wr_field *names = WR_NEW_N(a, wr_field, input->schema.count + 1);
    uint64_t *used = WR_NEW_N(a, uint64_t, WR_BIT_WORDS(input->schema.count) + 1);
    WR_TRY_ALLOC(ctx, names);
    WR_TRY_ALLOC(ctx, used);
    wri_phys_mark(e, used);
    for (uint32_t c = 0; c < input->schema.count; c++)
        if (wr_bit_get(used, c)) WR_TRY(wr_col_origin(ctx, a, input, c, &names[c].name));
    wr_text t;
    wr_text_init(&t, a);
    wr_expr_print(e, WR_EXPR_INFIX, names, &t);
    if (t.failed) return NOMEM(ctx);
    return shorten(ctx, a, wr_text_str(&t), out);
}

static wr_status
join_origin(wr_ctx *ctx, wr_arena *a, const wr_pnode *n, uint32_t col, wr_str *out)
{
    const uint32_t left = n->inputs[0]->schema.count;
    if (n->u.join.type == WR_JOIN_SEMI || n->u.join.type == WR_JOIN_ANTI)
        return wr_col_origin(ctx, a, n->inputs[0], col, out);
    const bool right = col >= left;
    wr_str name;
    WR_TRY(wr_col_origin(ctx, a, n->inputs[right], right ? col - left : col, &name));
    *out = wr_arena_printf(a, "%s.%.*s", right ? "right" : "left", WR_STR_ARG(name));
    WR_TRY_ALLOC(ctx, out->ptr);
    return shorten(ctx, a, *out, out);
}

static wr_status
multi_origin(wr_ctx *ctx, wr_arena *a, const wr_pnode *n, uint32_t col, wr_str *out)
{
    uint32_t i = n->input_count - 1;
    while (n->u.multi->inputs[i].first > col) i--;
    wr_str name;
    WR_TRY(wr_col_origin(ctx, a, n->inputs[i], col - n->u.multi->inputs[i].first, &name));
    *out = wr_arena_printf(a, "input %u.%.*s", i + 1, WR_STR_ARG(name));
    WR_TRY_ALLOC(ctx, out->ptr);
    return shorten(ctx, a, *out, out);
}

wr_status
wr_col_origin(wr_ctx *ctx, wr_arena *a, const wr_pnode *n, uint32_t col, wr_str *out)
{
    WR_ASSERT(col < n->schema.count);
    *out = n->schema.fields[col].name;
    switch ((wr_pkind)n->kind) {
    case WR_P_SCAN:
    case WR_P_VALUES:
    case WR_P_COUNT:
        return WR_OK;
    case WR_P_CALC:
        return expr_origin(ctx, a, n->inputs[0], n->u.calc.exprs[col], out);
    case WR_P_EXPAND:
        return expr_origin(ctx, a, n->inputs[0], n->u.expand.rows[0][col], out);
    case WR_P_GROUP_AGG:
    case WR_P_HASH_AGG:
        if (col >= n->u.agg.key_count)
            return wr_agg_origin(ctx, a, n, col - n->u.agg.key_count, out);
        return wr_col_origin(ctx, a, n->inputs[0], n->u.agg.keys[col], out);
    case WR_P_MULTI_JOIN:
        return multi_origin(ctx, a, n, col, out);
    case WR_P_JOIN:
    case WR_P_HASH_JOIN:
    case WR_P_NESTED_LOOP_JOIN:
        return join_origin(ctx, a, n, col, out);
    case WR_P_INTERVAL_JOIN:
    case WR_P_TEMPORAL_JOIN:
    case WR_P_WINDOW_JOIN:
        return join_origin(ctx, a, n, col, out);
    case WR_P_WINDOW_AGG:
        if (col < n->u.agg.key_count)
            return wr_col_origin(ctx, a, n->inputs[0], n->u.agg.keys[col], out);
        if (col < n->u.agg.key_count + n->u.agg.agg_count)
            return wr_agg_origin(ctx, a, n, col - n->u.agg.key_count, out);
        return WR_OK;
    case WR_P_CHANGELOG:
        if (n->u.changelog->from)
            return wr_col_origin(ctx, a, n->inputs[0], col + (col >= n->u.changelog->op_col), out);
        if (col == 0 || col > n->inputs[0]->schema.count) return WR_OK;
        return wr_col_origin(ctx, a, n->inputs[0], col - 1, out);
    case WR_P_MATCH:
        if (col >= n->u.match->partition_count) return WR_OK;
        return wr_col_origin(ctx, a, n->inputs[0], n->u.match->partition[col], out);
    case WR_P_OVER_AGG:
    case WR_P_RANK:
    case WR_P_DEDUPLICATE:
    case WR_P_WINDOW_TVF:
    case WR_P_WINDOW_RANK:
    case WR_P_WINDOW_DEDUPLICATE:
    case WR_P_LOOKUP_JOIN:
    case WR_P_CORRELATE:
        if (col >= n->inputs[0]->schema.count) return WR_OK;
        return wr_col_origin(ctx, a, n->inputs[0], col, out);
    case WR_P_WATERMARK:
    case WR_P_MINI_BATCH:
    case WR_P_EXCHANGE:
    case WR_P_UNION:
    case WR_P_LIMIT:
    case WR_P_SORT:
    case WR_P_SORT_LIMIT:
    case WR_P_CHANGELOG_NORMALIZE:
    case WR_P_DROP_UPDATE_BEFORE:
    case WR_P_SINK_MATERIALIZE:
    case WR_P_SINK:
    case WR_P_COLLECT:
        return wr_col_origin(ctx, a, n->inputs[0], col, out);
    }
    WR_UNREACHABLE();
}

static wr_status
put_columns(wr_ctx *ctx, wr_arena *a, const wr_pnode *n, const uint32_t *cols, uint32_t count,
            wr_text *t)
{
    for (uint32_t i = 0; i < count; i++) {
        wr_str name;
        WR_TRY(wr_col_origin(ctx, a, n, cols[i], &name));
        wr_text_printf(t, "%s%.*s", i ? ", " : "", WR_STR_ARG(name));
    }
    return WR_OK;
}

/* An aggregate that is shown in two phases (phys_bundle.c) reads what its first one reads, below
 * the exchange. */
static const wr_pnode *
read_by(const wr_pnode *agg)
{
    const wr_pnode *in = agg->inputs[0];
    const bool two = agg->kind == WR_P_GROUP_AGG && agg->u.agg.phase == WR_AGG_FINAL;
    return two ? in->inputs[0]->inputs[0] : in;
}

wr_status
wr_agg_origin(wr_ctx *ctx, wr_arena *a, const wr_pnode *n, uint32_t i, wr_str *out)
{
    const wr_agg_bound *b = &n->u.agg.aggs[i];
    const wr_pnode *in = read_by(n);
    wr_text t;
    wr_text_init(&t, a);
    wr_text_printf(&t, "%s(%s", b->fn->name, b->distinct ? "DISTINCT " : "");
    if (b->arg_count == 0) wr_text_putc(&t, '*');
    WR_TRY(put_columns(ctx, a, in, b->args, b->arg_count, &t));
    wr_text_puts(&t, b->ignore_nulls ? ") IGNORE NULLS" : ")");
    for (uint32_t k = 0; k < b->order_count; k++) {
        wr_text_puts(&t, k ? ", " : " ORDER BY ");
        WR_TRY(put_columns(ctx, a, in, &b->order[k].col, 1, &t));
        wr_text_puts(&t, b->order[k].desc ? " DESC" : "");
    }
    if (b->filter >= 0) {
        const uint32_t col = (uint32_t)b->filter;
        wr_text_puts(&t, " FILTER (");
        WR_TRY(put_columns(ctx, a, in, &col, 1, &t));
        wr_text_putc(&t, ')');
    }
    if (t.failed) return NOMEM(ctx);
    return shorten(ctx, a, wr_text_str(&t), out);
}

/* ---- state ----------------------------------------------------------------------------------- */
static void
put_table(const wr_table_desc *t, wr_text *out)
{
    wr_text_printf(out, "%.*s.%.*s.%.*s", WR_STR_ARG(t->id.catalog), WR_STR_ARG(t->id.database),
                   WR_STR_ARG(t->id.name));
}

static wr_status
put_order(wr_ctx *ctx, wr_arena *a, const wr_pnode *n, wr_text *t)
{
    for (uint32_t i = 0; i < n->u.sort.key_count; i++) {
        const wr_order_key *k = &n->u.sort.keys[i];
        wr_text_puts(t, i ? ", " : "");
        WR_TRY(put_columns(ctx, a, n->inputs[0], &k->col, 1, t));
        wr_text_printf(t, "%s%s", k->desc ? " DESC" : "", k->nulls_last ? " NULLS LAST" : "");
    }
    return WR_OK;
}

/* Where records count their matches, the whole condition is part of what they are. */
static wr_status
put_join(wr_ctx *ctx, wr_arena *a, const wr_pnode *n, wr_text *t)
{
    wr_text_printf(t, "%u: ", n->u.join.type);
    WR_TRY(put_columns(ctx, a, n->inputs[0], n->u.join.left_keys, n->u.join.key_count, t));
    wr_text_puts(t, " = ");
    WR_TRY(put_columns(ctx, a, n->inputs[1], n->u.join.right_keys, n->u.join.key_count, t));
    if (n->u.join.type == WR_JOIN_INNER || !n->u.join.cond) return WR_OK;
    const uint32_t left = n->inputs[0]->schema.count, right = n->inputs[1]->schema.count;
    wr_field *names = WR_NEW_N(a, wr_field, left + right + 1);
    WR_TRY_ALLOC(ctx, names);
    for (uint32_t c = 0; c < left + right; c++)
        WR_TRY(
            wr_col_origin(ctx, a, n->inputs[c >= left], c >= left ? c - left : c, &names[c].name));
    wr_text_puts(t, " AND ");
    wr_expr_print(n->u.join.cond, WR_EXPR_INFIX, names, t);
    return WR_OK;
}

/* Records know nothing of the other inputs, so conditions are no part of what they are. */
static wr_status
put_multi(wr_ctx *ctx, wr_arena *a, const wr_pnode *n, wr_text *t)
{
    for (uint32_t i = 0; i < n->input_count; i++) {
        wr_text_puts(t, i ? " = " : "");
        WR_TRY(put_columns(ctx, a, n->inputs[i], n->u.multi->inputs[i].keys, n->u.multi->key_count,
                           t));
    }
    return WR_OK;
}

/* What a row waits for is part of what its state is. */
static wr_status
put_interval(wr_ctx *ctx, wr_arena *a, const wr_pnode *n, wr_text *t)
{
    const wr_interval_spec *s = n->u.join.interval;
    WR_TRY(put_join(ctx, a, n, t));
    wr_text_printf(t, ", %lld..%lld: ", (long long)s->lower_ms, (long long)s->upper_ms);
    WR_TRY(put_columns(ctx, a, n->inputs[0], &s->left_time, 1, t));
    wr_text_puts(t, " - ");
    return put_columns(ctx, a, n->inputs[1], &s->right_time, 1, t);
}

static void
put_spec(const wr_windowing *w, wr_text *t)
{
    wr_text_printf(t, "window %u %lld %lld %lld: ", w->spec.kind, (long long)w->spec.size_ms,
                   (long long)w->spec.slide_ms, (long long)w->spec.offset_ms);
}

static wr_status
put_window(wr_ctx *ctx, wr_arena *a, const wr_pnode *n, wr_text *t)
{
    const wr_windowing *w = n->windows[0];
    put_spec(w, t);
    if (n->kind == WR_P_WINDOW_TVF)
        return put_columns(ctx, a, n->inputs[0], w->spec.keys, w->spec.key_count, t);
    if (n->u.agg.emit) wr_text_puts(t, "shown as they are, ");
    return put_columns(ctx, a, n->inputs[0], n->u.agg.keys, n->u.agg.key_count, t);
}

/* The rows are kept as they come, so the frame is not part of what they are; the order is. */
static wr_status
put_over(wr_ctx *ctx, wr_arena *a, const wr_pnode *n, wr_text *t)
{
    const wr_over_window *w = &n->u.over->windows[0];
    WR_TRY(put_columns(ctx, a, n->inputs[0], w->partition, w->partition_count, t));
    wr_text_puts(t, " ORDER BY ");
    for (uint32_t i = 0; i < w->order_count; i++)
        WR_TRY(put_columns(ctx, a, n->inputs[0], &w->order[i].col, 1, t));
    wr_text_printf(t, "%s %u", w->rows ? " ROWS" : " RANGE", w->lower.kind);
    return WR_OK;
}

static wr_status
put_rank(wr_ctx *ctx, wr_arena *a, const wr_pnode *n, wr_text *t)
{
    wr_text_printf(t, "%u, %lld, %d: ", n->u.rank.strategy, (long long)n->u.rank.last,
                   n->u.rank.last_col >= 0);
    WR_TRY(put_columns(ctx, a, n->inputs[0], n->u.rank.partition, n->u.rank.partition_count, t));
    for (uint32_t i = 0; i < n->u.rank.order_count; i++) {
        const wr_order_key *k = &n->u.rank.order[i];
        wr_text_puts(t, i ? ", " : " ORDER BY ");
        WR_TRY(put_columns(ctx, a, n->inputs[0], &k->col, 1, t));
        wr_text_printf(t, "%s%s", k->desc ? " DESC" : "", k->nulls_last ? " NULLS LAST" : "");
    }
    return WR_OK;
}

static wr_status
put_window_rows(wr_ctx *ctx, wr_arena *a, const wr_pnode *n, wr_text *t)
{
    const wr_pnode *in = n->inputs[0];
    put_spec(n->windows[0], t);
    if (n->kind == WR_P_WINDOW_JOIN) return put_join(ctx, a, n, t);
    if (n->kind == WR_P_WINDOW_RANK) return put_rank(ctx, a, n, t);
    wr_text_printf(t, "%s by ", n->u.dedup.keep_last ? "last" : "first");
    WR_TRY(put_columns(ctx, a, in, &n->u.dedup.time_col, 1, t));
    wr_text_puts(t, ": ");
    return put_columns(ctx, a, in, n->u.dedup.keys, n->u.dedup.key_count, t);
}

/* What beside its input makes the state of a node what it is; *passes: it has none worth a name, it
 * hands its input's rows on. */
static wr_status
put_own(wr_ctx *ctx, wr_arena *a, const wr_pnode *n, bool *passes, wr_text *t)
{
    const wr_pnode *in = n->input_count ? n->inputs[0] : NULL;
    switch ((wr_pkind)n->kind) {
    case WR_P_SCAN:
        put_table(n->u.scan.spec.table, t);
        return WR_OK;
    case WR_P_GROUP_AGG:
    case WR_P_HASH_AGG:
        return put_columns(ctx, a, in, n->u.agg.keys, n->u.agg.key_count, t);
    case WR_P_WINDOW_TVF:
    case WR_P_WINDOW_AGG:
        return put_window(ctx, a, n, t);
    case WR_P_JOIN:
    case WR_P_TEMPORAL_JOIN:
        return put_join(ctx, a, n, t);
    case WR_P_MULTI_JOIN:
        return put_multi(ctx, a, n, t);
    case WR_P_INTERVAL_JOIN:
        return put_interval(ctx, a, n, t);
    case WR_P_SORT_LIMIT:
        wr_text_printf(t, "%u, %lld, %lld: ", n->u.sort.strategy, (long long)n->u.sort.offset,
                       (long long)n->u.sort.fetch);
        return put_order(ctx, a, n, t);
    case WR_P_SORT:
        return put_order(ctx, a, n, t);
    case WR_P_LIMIT:
        if (in->changelog & ~WR_CL_I)
            wr_text_printf(t, "%lld, %lld", (long long)n->u.limit.offset,
                           (long long)n->u.limit.fetch);
        return WR_OK;
    case WR_P_CHANGELOG_NORMALIZE:
        return put_columns(ctx, a, in, n->u.normalize.keys, n->u.normalize.key_count, t);
    case WR_P_SINK_MATERIALIZE:
        wr_text_printf(t, "%u: ", n->u.materialize.on_conflict);
        WR_TRY(put_columns(ctx, a, in, n->u.materialize.keys, n->u.materialize.key_count, t));
        wr_text_puts(t, n->u.materialize.input_upsert_key ? " by " : " by row");
        return put_columns(ctx, a, in, n->u.materialize.input_upsert_key,
                           n->u.materialize.input_upsert_key_count, t);
    case WR_P_MATCH:
        WR_TRY(put_columns(ctx, a, in, n->u.match->partition, n->u.match->partition_count, t));
        wr_text_puts(t, ": ");
        return wri_match_identity(ctx, a, n->u.match, t);
    case WR_P_CORRELATE:
        wr_text_puts(t, n->u.correlate.call->fn->name);
        return WR_OK;
    case WR_P_CALC:
    case WR_P_WATERMARK:
    case WR_P_MINI_BATCH:
    case WR_P_EXCHANGE:
    case WR_P_DROP_UPDATE_BEFORE:
    case WR_P_CHANGELOG:
        *passes = true;
        return WR_OK;
    case WR_P_OVER_AGG:
        return put_over(ctx, a, n, t);
    case WR_P_RANK:
        return put_rank(ctx, a, n, t);
    case WR_P_DEDUPLICATE:
        wr_text_printf(t, "%s %s: ", n->u.dedup.keep_last ? "last" : "first",
                       n->u.dedup.rowtime ? "by rowtime" : "by arrival");
        return put_columns(ctx, a, in, n->u.dedup.keys, n->u.dedup.key_count, t);
    case WR_P_WINDOW_JOIN:
    case WR_P_WINDOW_RANK:
    case WR_P_WINDOW_DEDUPLICATE:
        return put_window_rows(ctx, a, n, t);
    case WR_P_LOOKUP_JOIN:
    case WR_P_VALUES:
    case WR_P_UNION:
    case WR_P_EXPAND:
    case WR_P_HASH_JOIN:
    case WR_P_NESTED_LOOP_JOIN:
    case WR_P_SINK:
    case WR_P_COLLECT:
    case WR_P_COUNT:
        return WR_OK;
    }
    WR_UNREACHABLE();
}

/* What the rows of each node are: told[i] of node i. Inputs come first in the plan. */
static wr_status
tell_rows(wr_ctx *ctx, wr_arena *a, const wr_plan *plan, uint32_t i, wr_str *told)
{
    const wr_pnode *n = plan->nodes[i];
    bool passes = false;
    wr_text t;
    wr_text_init(&t, a);
    wr_text_printf(&t, "%s[", wr_pkind_name((wr_pkind)n->kind));
    WR_TRY(put_own(ctx, a, n, &passes, &t));
    if (passes) {
        told[i] = told[n->inputs[0]->id - 1];
        return WR_OK;
    }
    wr_text_puts(&t, "](");
    for (uint32_t k = 0; k < n->input_count; k++)
        wr_text_printf(&t, "%s%.*s", k ? "; " : "", WR_STR_ARG(told[n->inputs[k]->id - 1]));
    wr_text_putc(&t, ')');
    if (t.failed) return NOMEM(ctx);
    return shorten(ctx, a, wr_text_str(&t), &told[i]);
}

/* The statement that a node belongs to, by its sink: of several, the first. */
static void
mark_statement(const wr_pnode *n, const wr_pnode *root, const wr_pnode **of)
{
    if (of[n->id - 1]) return;
    of[n->id - 1] = root;
    for (uint32_t i = 0; i < n->input_count; i++) mark_statement(n->inputs[i], root, of);
}

static wr_status
hash_identity(wr_ctx *ctx, wr_arena *a, const wr_pnode *n, wr_str told, const wr_pnode *root,
              uint64_t *out)
{
    wr_text t;
    wr_text_init(&t, a);
    wr_text_puts(&t, wr_pkind_name((wr_pkind)n->kind));
    if (n->kind != WR_P_SINK && n->kind != WR_P_COLLECT)
        wr_text_printf(&t, " %.*s", WR_STR_ARG(told));
    wr_text_puts(&t, " @ ");
    if (root->kind == WR_P_SINK) put_table(root->u.sink.spec.table, &t);
    if (t.failed) return NOMEM(ctx);
    const wr_str text = wr_text_str(&t);
    *out = wr_hash_bytes(text.ptr, text.len, 0);
    return WR_OK;
}

wr_status
wri_name_state(wr_ctx *ctx, wri_phys *p, wr_plan *plan)
{
    wr_arena *a = p->arena;
    wr_str *told = WR_NEW_N(a, wr_str, plan->node_count + 1);
    uint64_t *hashes = WR_NEW_N(a, uint64_t, plan->node_count + 1);
    const wr_pnode **of = WR_NEW_N(a, const wr_pnode *, plan->node_count + 1);
    WR_TRY_ALLOC(ctx, told);
    WR_TRY_ALLOC(ctx, hashes);
    WR_TRY_ALLOC(ctx, of);
    for (uint32_t i = 0; i < plan->root_count; i++)
        mark_statement(plan->roots[i], plan->roots[i], of);
    for (uint32_t i = 0; i < plan->node_count; i++) {
        wr_pnode *n = plan->nodes[i];
        WR_TRY(tell_rows(ctx, a, plan, i, told));
        WR_TRY(hash_identity(ctx, a, n, told[i], of[i], &hashes[i]));
        uint32_t before = 0;
        for (uint32_t k = 0; k < i; k++)
            before += plan->nodes[k]->kind == n->kind && hashes[k] == hashes[i];
        n->logical_id = before
                            ? wr_arena_printf(a, "%s-%016llx-%u", wr_pkind_name((wr_pkind)n->kind),
                                              (unsigned long long)hashes[i], before + 1)
                            : wr_arena_printf(a, "%s-%016llx", wr_pkind_name((wr_pkind)n->kind),
                                              (unsigned long long)hashes[i]);
        WR_TRY_ALLOC(ctx, n->logical_id.ptr);
    }
    return WR_OK;
}
