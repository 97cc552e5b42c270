/* SPDX-License-Identifier: Apache-2.0 */
/* OVER windows. In streaming one node does all calls of a SELECT, which must share one window,
 * whose order is a time attribute (rows come out when it is their turn) or another column (earlier
 * rows are corrected). In batch rows are sorted by partition and order; windows of the same
 * partition and order are done by one node. */
#include "plan/over.h"
#include "plan/phys_int.h"

/* ---- questions ------------------------------------------------------------------------------- */
bool
wri_over_corrects(const wr_pnode *n)
{
    const wr_over_window *w = &n->u.over->windows[0];
    bool sorted = n->inputs[0]->kind == WR_P_SORT && !n->inputs[0]->u.sort.temporal;
    return !sorted && !n->u.over->sorted && w->order_count &&
           n->inputs[0]->schema.fields[w->order[0].col].type->attr == WR_ATTR_NONE;
}

static bool
cols_equal(const uint32_t *x, uint32_t n, const uint32_t *y, uint32_t m)
{
    return n == m && (n == 0 || memcmp(x, y, n * sizeof *x) == 0);
}

static bool
order_equal(const wr_over_window *x, const wr_over_window *y)
{
    if (x->order_count != y->order_count) return false;
    for (uint32_t i = 0; i < x->order_count; i++)
        if (x->order[i].col != y->order[i].col || x->order[i].desc != y->order[i].desc ||
            x->order[i].nulls_last != y->order[i].nulls_last)
            return false;
    return true;
}

static bool
bound_equal(const wr_over_bound *x, const wr_over_bound *y)
{
    return x->kind == y->kind && x->offset == y->offset && x->months == y->months &&
           !x->range == !y->range && (!x->range || wr_expr_equal(x->range, y->range));
}

static bool
call_equal(const wr_over_call *x, const wr_over_call *y)
{
    return x->fn == y->fn && x->agg.distinct == y->agg.distinct &&
           x->agg.ignore_nulls == y->agg.ignore_nulls &&
           cols_equal(x->args, x->arg_count, y->args, y->arg_count);
}

bool
wri_over_equal(const wr_over_spec *x, const wr_over_spec *y)
{
    if (x->window_count != y->window_count || x->constant_count != y->constant_count ||
        x->generate_update_before != y->generate_update_before)
        return false;
    for (uint32_t i = 0; i < x->constant_count; i++)
        if (!wr_expr_equal(x->constants[i], y->constants[i])) return false;
    for (uint32_t k = 0; k < x->window_count; k++) {
        const wr_over_window *a = &x->windows[k], *b = &y->windows[k];
        bool same =
            cols_equal(a->partition, a->partition_count, b->partition, b->partition_count) &&
            order_equal(a, b) && a->rows == b->rows && bound_equal(&a->lower, &b->lower) &&
            bound_equal(&a->upper, &b->upper) && a->call_count == b->call_count;
        for (uint32_t i = 0; same && i < a->call_count; i++)
            same = call_equal(&a->calls[i], &b->calls[i]);
        if (!same) return false;
    }
    return true;
}

/* ---- refusals -------------------------------------------------------------------------------- */
static wr_status
refuse(wr_ctx *ctx, const wr_over_window *w, const char *text)
{
    return wr_raise_at(ctx, WR_UNSUPPORTED, w->span, "%s", text);
}

static bool
is_one_of(const char *name, const char *const *names, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static wr_status
check_ranks(wr_ctx *ctx, const wr_over_window *w)
{
    static const char *const ranks[] = {"ROW_NUMBER",   "RANK",  "DENSE_RANK",
                                        "PERCENT_RANK", "NTILE", "CUME_DIST"};
    for (uint32_t i = 0; i < w->call_count; i++)
        if (w->order_count == 0 && is_one_of(w->calls[i].fn->name, ranks, WR_COUNT(ranks)))
            return refuse(ctx, w,
                          "Over Agg: The window rank function requires order by clause with "
                          "non-constant fields. please re-check the over window statement.");
    return WR_OK;
}

static wr_status
check_functions(wr_ctx *ctx, const wr_over_window *w)
{
    static const char *const batch[] = {"LEAD", "NTILE", "PERCENT_RANK", "CUME_DIST"};
    for (uint32_t i = 0; i < w->call_count; i++)
        if (is_one_of(w->calls[i].fn->name, batch, WR_COUNT(batch)))
            return wr_raise_at(ctx, WR_UNSUPPORTED, w->calls[i].span,
                               "%s Function is not supported in stream mode.",
                               w->calls[i].fn->name);
    return WR_OK;
}

static wr_status
check_window(wr_ctx *ctx, const wri_phys *p, const wr_over_window *w)
{
    WR_TRY(check_ranks(ctx, w));
    if (w->lower.months || w->upper.months)
        return refuse(ctx, w, "INTERVAL_YEAR_MONTH type is not allowed for window boundary");
    for (uint32_t i = 0; p->batch && i < w->call_count; i++)
        if (w->calls[i].agg.distinct)
            return wr_raise_at(ctx, WR_UNSUPPORTED, w->calls[i].span,
                               "Distinct not supported in Windowing function!");
    return WR_OK;
}

static wr_status
check_streaming(wr_ctx *ctx, const wr_rel *rel, const wr_schema *in)
{
    const wr_over_spec *spec = rel->u.over;
    const wr_over_window *w = &spec->windows[0];
    if (spec->window_count > 1)
        return refuse(ctx, &spec->windows[1],
                      "Over Agg: Unsupported use of OVER windows. All aggregates must be computed "
                      "on the same window. please re-check the over window statement.");
    if (w->upper.kind != WR_OVER_CURRENT_ROW && w->order_count)
        return refuse(ctx, w, "OVER RANGE FOLLOWING windows are not supported yet.");
    if (w->lower.kind == WR_OVER_CURRENT_ROW || w->lower.kind == WR_OVER_FOLLOWING)
        return refuse(ctx, w, "OVER RANGE FOLLOWING windows are not supported yet.");
    if (w->order_count != 1)
        return refuse(ctx, w, "The window can only be ordered by a single time column.");
    if (w->order[0].desc)
        return refuse(ctx, w, "The window can only be ordered in ASCENDING mode.");
    WR_TRY(check_functions(ctx, w));
    if (in->fields[w->order[0].col].type->attr != WR_ATTR_NONE) return WR_OK;
    if (w->lower.kind != WR_OVER_UNBOUNDED_PRECEDING)
        return refuse(ctx, w, "Non-time attribute sort is not supported for bounded OVER window.");
    return WR_OK;
}

/* The node that makes the changes: for messages. */
static const wr_pnode *
origin(const wr_pnode *n)
{
    while (n->input_count == 1 &&
           (n->kind == WR_P_CALC || n->kind == WR_P_EXCHANGE || n->kind == WR_P_WATERMARK))
        n = n->inputs[0];
    return n;
}

static wr_status
check_changes(wr_ctx *ctx, wri_phys *p, const wr_pnode *n)
{
    const wr_pnode *in = n->inputs[0];
    if (wri_insert_only(in) || wri_over_corrects(n)) return WR_OK;
    wr_text label;
    wr_text_init(&label, p->arena);
    WR_TRY(wri_label(ctx, p->env, origin(in), WR_EXPR_INFIX, WR_STR(""), WR_STR(""), &label));
    bool deletes = in->changelog & WR_CL_D, updates = wri_has_updates(in);
    return wr_raise_at(ctx, WR_SEMANTIC, n->u.over->windows[0].span,
                       "StreamPhysicalOverAggregate doesn't support consuming %s changes which is "
                       "produced by node %.*s",
                       deletes && updates ? "update and delete"
                       : deletes          ? "delete"
                                          : "update",
                       (int)label.len, label.ptr);
}

/* ---- making ---------------------------------------------------------------------------------- */
static wr_status
over_node(wr_ctx *ctx, wri_phys *p, const wr_over_spec *spec, const wr_schema *schema,
          wr_pnode **node)
{
    wr_pnode *n = wri_phys_node(p, WR_P_OVER_AGG, *schema, node, 1);
    wr_over_spec *own = WR_NEW(p->arena, wr_over_spec);
    WR_TRY_ALLOC(ctx, n);
    WR_TRY_ALLOC(ctx, own);
    *own = *spec;
    own->ttl_ms = wr_config_int(p->env->config, "table.exec.state.ttl");
    own->generate_update_before = true;
    for (uint32_t k = 0; k < own->window_count; k++) {
        wr_over_window *w = &own->windows[k];
        w->time = WR_ATTR_NONE;
        if (w->order_count && !p->batch)
            w->time = (wr_timeattr)(*node)->schema.fields[w->order[0].col].type->attr;
    }
    n->u.over = own;
    if (!p->batch) WR_TRY(check_changes(ctx, p, n));
    return wri_phys_derive(ctx, p, n, node);
}

static wr_status
sort_input(wr_ctx *ctx, wri_phys *p, const wr_over_window *w, wr_pnode **node)
{
    uint32_t n = 0;
    wr_order_key *keys = WR_NEW_N(p->arena, wr_order_key, w->partition_count + w->order_count + 1);
    WR_TRY_ALLOC(ctx, keys);
    for (uint32_t i = 0; i < w->partition_count; i++)
        keys[n++] = (wr_order_key){w->partition[i], false, false};
    for (uint32_t i = 0; i < w->order_count; i++) keys[n++] = w->order[i];
    if (n == 0) return WR_OK;
    wr_pnode *s = wri_phys_node(p, WR_P_SORT, (*node)->schema, node, 1);
    WR_TRY_ALLOC(ctx, s);
    s->u.sort.one_zero = true;
    s->u.sort.keys = keys;
    s->u.sort.key_count = n;
    s->u.sort.fetch = -1;
    s->u.sort.strategy = WR_RANK_APPEND_FAST;
    return wri_phys_derive(ctx, p, s, node);
}

static int
compare_cols(const uint32_t *x, uint32_t n, const uint32_t *y, uint32_t m)
{
    for (uint32_t i = 0; i < n && i < m; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return n == m ? 0 : n < m ? -1 : 1;
}

/* Windows are done in the order of what they are partitioned and ordered by, as in Flink: rows that
 * are at their places stay there. */
static int
compare_windows(const wr_over_window *x, const wr_over_window *y)
{
    const int parts =
        compare_cols(x->partition, x->partition_count, y->partition, y->partition_count);
    if (parts) return parts;
    for (uint32_t i = 0; i < x->order_count && i < y->order_count; i++) {
        if (x->order[i].col != y->order[i].col) return x->order[i].col < y->order[i].col ? -1 : 1;
        if (x->order[i].desc != y->order[i].desc) return y->order[i].desc ? -1 : 1;
    }
    return x->order_count == y->order_count ? 0 : x->order_count < y->order_count ? -1 : 1;
}

static uint32_t
next_window(const wr_over_spec *spec, const bool *done)
{
    uint32_t found = spec->window_count;
    for (uint32_t k = 0; k < spec->window_count; k++)
        if (!done[k] && (found == spec->window_count ||
                         compare_windows(&spec->windows[k], &spec->windows[found]) < 0))
            found = k;
    return found;
}

/* The windows of the same partition and order as window k, without those that are done. */
static wr_status
gather(wr_ctx *ctx, wri_phys *p, const wr_over_spec *spec, uint32_t k, bool *done,
       wr_over_spec *out)
{
    *out = *spec;
    out->window_count = 0;
    out->sorted = true;
    out->windows = WR_NEW_N(p->arena, wr_over_window, spec->window_count);
    WR_TRY_ALLOC(ctx, out->windows);
    for (uint32_t i = 0; i < spec->window_count; i++) {
        const wr_over_window *a = &spec->windows[k], *b = &spec->windows[i];
        if (done[i] || !order_equal(a, b) ||
            !cols_equal(a->partition, a->partition_count, b->partition, b->partition_count))
            continue;
        done[i] = true;
        out->windows[out->window_count++] = *b;
    }
    return WR_OK;
}

/* Constants stand behind the input's columns, of which there are more than before. */
static wr_status
shift_constants(wr_ctx *ctx, wri_phys *p, wr_over_spec *s, uint32_t width, uint32_t now)
{
    for (uint32_t k = 0; k < s->window_count; k++) {
        wr_over_window *w = &s->windows[k];
        wr_over_call *calls = WR_NEW_N(p->arena, wr_over_call, w->call_count + 1);
        WR_TRY_ALLOC(ctx, calls);
        for (uint32_t i = 0; i < w->call_count; i++) {
            calls[i] = w->calls[i];
            uint32_t *args = wri_phys_cols(p, w->calls[i].args, w->calls[i].arg_count);
            WR_TRY_ALLOC(ctx, args);
            for (uint32_t j = 0; j < calls[i].arg_count; j++)
                if (args[j] >= width) args[j] += now - width;
            calls[i].args = calls[i].agg.args = args;
        }
        w->calls = calls;
    }
    return WR_OK;
}

static uint32_t
first_column(const wr_over_spec *spec, uint32_t width, uint32_t k)
{
    for (uint32_t i = 0; i < k; i++) width += spec->windows[i].call_count;
    return width;
}

/* Fields of the input and of the windows that are done so far; places[c]: where column c of the
 * relation is. */
static wr_status
batch_schema(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, const wr_schema *in,
             const wr_over_spec *part, const bool *was, const bool *done, uint32_t *places,
             wr_schema *out)
{
    uint32_t width = rel->inputs[0]->schema.count;
    wr_field *fields = WR_NEW_N(p->arena, wr_field, rel->schema.count + 1);
    WR_TRY_ALLOC(ctx, fields);
    memcpy(fields, in->fields, in->count * sizeof *fields);
    uint32_t at = in->count;
    (void)part;
    for (uint32_t k = 0; k < rel->u.over->window_count; k++) {
        if (was[k] || !done[k]) continue;
        uint32_t first = first_column(rel->u.over, width, k);
        for (uint32_t i = 0; i < rel->u.over->windows[k].call_count; i++) {
            places[first + i] = at;
            fields[at++] = rel->schema.fields[first + i];
        }
    }
    *out = (wr_schema){fields, at};
    return WR_OK;
}

/* The columns in the order of the relation, when windows were done in another. */
static wr_status
reorder(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, const uint32_t *places, wr_pnode **node)
{
    bool same = true;
    wr_expr **exprs = WR_NEW_N(p->arena, wr_expr *, rel->schema.count + 1);
    WR_TRY_ALLOC(ctx, exprs);
    for (uint32_t i = 0; i < rel->schema.count; i++) {
        same = same && places[i] == i;
        exprs[i] = wr_expr_column(p->arena, places[i], rel->schema.fields[i].type, WR_NO_SPAN);
        WR_TRY_ALLOC(ctx, exprs[i]);
    }
    return same ? WR_OK : wri_phys_calc(ctx, p, node, NULL, exprs, rel->schema);
}

/* Rows are moved and sorted below a projection that makes them wider, if it leaves what they are
 * sorted by as it is: *w becomes the window in terms of what is below. */
static bool
goes_below(wri_phys *p, const wr_pnode *calc, wr_over_window *w)
{
    if (calc->kind != WR_P_CALC || calc->u.calc.cond ||
        wri_row_width(&calc->schema) <= wri_row_width(&calc->inputs[0]->schema))
        return false;
    uint32_t *parts = wri_phys_cols(p, w->partition, w->partition_count);
    wr_order_key *order = WR_NEW_N(p->arena, wr_order_key, w->order_count + 1);
    if (!parts || !order) return false;
    for (uint32_t i = 0; i < w->partition_count; i++) {
        const wr_expr *e = calc->u.calc.exprs[w->partition[i]];
        if (e->kind != WR_EX_COLUMN) return false;
        parts[i] = e->index;
    }
    for (uint32_t i = 0; i < w->order_count; i++) {
        const wr_expr *e = calc->u.calc.exprs[w->order[i].col];
        if (e->kind != WR_EX_COLUMN) return false;
        order[i] = w->order[i];
        order[i].col = e->index;
    }
    w->partition = parts;
    w->order = order;
    return true;
}

/* The input at its places, in order; `move`: it is not there yet. */
static wr_status
place_input(wr_ctx *ctx, wri_phys *p, const wr_over_window *window, bool move, wr_pnode **node)
{
    wr_over_window w = *window;
    const wr_pnode *calc = move && goes_below(p, *node, &w) ? *node : NULL;
    if (calc) *node = calc->inputs[0];
    if (move) WR_TRY(wri_phys_hash(ctx, p, node, w.partition, w.partition_count));
    WR_TRY(sort_input(ctx, p, &w, node));
    return calc ? wri_phys_calc(ctx, p, node, NULL, calc->u.calc.exprs, calc->schema) : WR_OK;
}

/* Flink gives the columns of windows that it does in another order names that are permuted twice:
 * the one at place p is called what column places(places(p)) is. */
static wr_status
permute_names(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, const uint32_t *places, wr_pnode *top)
{
    const uint32_t width = rel->inputs[0]->schema.count, n = rel->schema.count - width;
    uint32_t *at = WR_NEW_N(p->arena, uint32_t, n + 1); /* place -> column */
    wr_str *names = WR_NEW_N(p->arena, wr_str, n + 1);
    WR_TRY_ALLOC(ctx, at);
    WR_TRY_ALLOC(ctx, names);
    for (uint32_t c = 0; c < n; c++) at[places[width + c] - width] = c;
    for (uint32_t i = 0; i < n; i++) names[i] = rel->schema.fields[width + at[at[i]]].name;
    for (; top->kind == WR_P_OVER_AGG || top->kind == WR_P_SORT || top->kind == WR_P_EXCHANGE;
         top = top->inputs[0]) {
        if (top->kind != WR_P_OVER_AGG) continue;
        wr_over_spec *own = (wr_over_spec *)(uintptr_t)top->u.over;
        own->names = names;
        own->names_from = width;
        if (top->inputs[0]->schema.count == width) break; /* the first one */
    }
    return WR_OK;
}

static wr_status
batch_over(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **node)
{
    const wr_over_spec *spec = rel->u.over;
    uint32_t width = rel->inputs[0]->schema.count, n = spec->window_count;
    bool *done = WR_NEW_N(p->arena, bool, n + 1), *was = WR_NEW_N(p->arena, bool, n + 1);
    uint32_t *places = WR_NEW_N(p->arena, uint32_t, rel->schema.count + 1);
    WR_TRY_ALLOC(ctx, done);
    WR_TRY_ALLOC(ctx, was);
    WR_TRY_ALLOC(ctx, places);
    memset(done, 0, n * sizeof *done);
    for (uint32_t i = 0; i < rel->schema.count; i++) places[i] = i;
    const wr_over_window *last = NULL;
    for (uint32_t k; (k = next_window(spec, done)) < n;) {
        const wr_over_window *w = &spec->windows[k];
        wr_over_spec part;
        wr_schema schema;
        memcpy(was, done, n * sizeof *done);
        WR_TRY(gather(ctx, p, spec, k, done, &part));
        const bool move = !last || !cols_equal(last->partition, last->partition_count, w->partition,
                                               w->partition_count);
        WR_TRY(place_input(ctx, p, w, move, node));
        last = w;
        WR_TRY(shift_constants(ctx, p, &part, width, (*node)->schema.count));
        WR_TRY(batch_schema(ctx, p, rel, &(*node)->schema, &part, was, done, places, &schema));
        WR_TRY(over_node(ctx, p, &part, &schema, node));
    }
    if (p->env->explain) WR_TRY(permute_names(ctx, p, rel, places, *node));
    return reorder(ctx, p, rel, places, node);
}

wr_status
wri_phys_over(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    const wr_over_spec *spec = rel->u.over;
    if (spec->rank) return wri_phys_rank(ctx, p, rel, out);
    for (uint32_t k = 0; k < spec->window_count; k++)
        WR_TRY(check_window(ctx, p, &spec->windows[k]));
    if (!p->batch) WR_TRY(check_streaming(ctx, rel, &rel->inputs[0]->schema));
    WR_TRY(wri_phys_rel(ctx, p, rel->inputs[0], out));
    if (p->batch) return batch_over(ctx, p, rel, out);
    const wr_over_window *w = &spec->windows[0];
    WR_TRY(wri_phys_hash(ctx, p, out, w->partition, w->partition_count));
    return over_node(ctx, p, spec, &rel->schema, out);
}
