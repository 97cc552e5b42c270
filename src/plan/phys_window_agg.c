/* SPDX-License-Identifier: Apache-2.0 */
/* Streaming aggregates by windows. Where a window table function is right below, but for a calc and
 * grouping sets that do not look at its columns, it goes: the aggregate assigns rows to windows by
 * itself (windows[0].time_col). Elsewhere rows carry their windows in columns.
 *
 * The node's columns: keys without the window's, aggregates, then start, end and time of the
 * window; a calc above brings them into the order of the query. EXPLAIN shows two phases where
 * Flink has them; what runs is one operator. */
#include "plan/phys_int.h"
#include "plan/rule_int.h"
#include "plan/window.h"

typedef struct window_agg { /* being planned */
    wr_ctx *ctx;
    wri_phys *p;
    const wr_rel *rel;
    wr_pnode *input;  /* as the relation has it; then what the aggregate reads */
    wr_windowing *w;  /* of the node */
    wr_windowing at;  /* which columns of the relation's input carry the window */
    uint32_t *to;     /* column of the relation's input -> column of `input` */
    uint32_t *keys;   /* without the window's: columns of the relation's input */
    uint32_t *places; /* of each in the relation's schema */
    uint32_t key_count;
    uint8_t props[3];
    uint32_t prop_places[3]; /* of each in the relation's schema */
    uint32_t prop_count;
    const wr_window_emit *emit;
} window_agg;

static bool
is_window_col(const wr_windowing *w, uint32_t col)
{
    const int32_t c = (int32_t)col;
    return c == w->start_col || c == w->end_col || c == w->window_time_col;
}

static wr_status
split_keys(window_agg *a)
{
    const wr_rel *rel = a->rel;
    const int32_t cols[3] = {a->at.start_col, a->at.end_col, a->at.window_time_col};
    const uint32_t n = rel->u.agg.key_count;
    a->keys = WR_NEW_N(a->p->arena, uint32_t, n + 1);
    a->places = WR_NEW_N(a->p->arena, uint32_t, n + 1);
    WR_TRY_ALLOC(a->ctx, a->keys);
    WR_TRY_ALLOC(a->ctx, a->places);
    for (uint32_t i = 0; i < n; i++) {
        if (is_window_col(&a->at, rel->u.agg.keys[i])) continue;
        a->places[a->key_count] = i;
        a->keys[a->key_count++] = rel->u.agg.keys[i];
    }
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t i = 0; i < n; i++) {
            if (cols[k] < 0 || rel->u.agg.keys[i] != (uint32_t)cols[k]) continue;
            a->prop_places[a->prop_count] = i;
            a->props[a->prop_count++] = (uint8_t)(k < 2                ? k
                                                  : a->w->spec.rowtime ? WR_WINDOW_ROWTIME
                                                                       : WR_WINDOW_PROCTIME);
            break;
        }
    /* GROUP BY TUMBLE(...) without TUMBLE_START(...) and the like: plans say nothing of them */
    if (a->p->env->explain && a->w->spec.grouped && !a->w->spec.asked) a->prop_count = 0;
    return WR_OK;
}

/* ---- taking the function in ------------------------------------------------------------------ */
static bool
looks_at_window(const wr_expr *e, const wr_windowing *w)
{
    if (e->kind == WR_EX_COLUMN) return is_window_col(w, e->index);
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (looks_at_window(e->args[i], w)) return true;
    return false;
}

static bool
is_plain(const wr_expr *e, const wr_windowing *w)
{
    return e->kind == WR_EX_COLUMN || !looks_at_window(e, w);
}

/* Flink leaves the function alone below a condition with LIKE. */
static bool
matches_text(const wr_expr *e)
{
    if (e->kind == WR_EX_CALL && strcmp(e->fn->name, "LIKE") == 0) return true;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (matches_text(e->args[i])) return true;
    return false;
}

/* May the function below this node (its window columns: `w`) be taken in through it? */
static bool
lets_through(const wr_pnode *n, const wr_windowing *w)
{
    if (n->kind == WR_P_CALC) {
        const wr_expr *cond = n->u.calc.cond;
        for (uint32_t i = 0; i < n->schema.count; i++)
            if (!is_plain(n->u.calc.exprs[i], w)) return false;
        return !cond || (!looks_at_window(cond, w) && !(matches_text(cond) && !w->spec.grouped));
    }
    for (uint32_t s = 0; s < n->u.expand.set_count; s++)
        for (uint32_t i = 0; i < n->schema.count; i++)
            if (!is_plain(n->u.expand.rows[s][i], w)) return false;
    return true;
}

static bool
aggregates_window(const window_agg *a)
{
    for (uint32_t i = 0; i < a->rel->u.agg.agg_count; i++) {
        const wr_agg_bound *g = &a->rel->u.agg.aggs[i];
        for (uint32_t k = 0; k < g->arg_count; k++)
            if (is_window_col(&a->at, g->args[k])) return true;
    }
    return false;
}

static wr_str
free_name(wri_phys *p, const wr_field *fields, uint32_t count, wr_str want)
{
    wr_str name = want;
    for (uint32_t tries = 0, clash = 1; clash; tries++) {
        clash = 0;
        for (uint32_t k = 0; k < count; k++) clash |= wr_str_eq(fields[k].name, name);
        if (clash) name = wr_arena_printf(p->arena, "%.*s_%u", WR_STR_ARG(want), tries);
        if (!name.ptr) return name;
    }
    return name;
}

static bool
passes_column(const wr_pnode *calc, uint32_t col)
{
    for (uint32_t i = 0; i < calc->schema.count; i++)
        if (calc->u.calc.exprs[i]->kind == WR_EX_COLUMN && calc->u.calc.exprs[i]->index == col)
            return true;
    return false;
}

/* The time among the columns of lower_calc. */
static wr_status
add_time(window_agg *a, const wr_pnode *node, uint32_t time, wr_expr **exprs, wr_field *fields,
         uint32_t *count)
{
    wr_field *f = &fields[*count];
    *f = node->schema.fields[time];
    f->name = free_name(a->p, fields, *count, f->name);
    exprs[*count] = wr_expr_column(a->p->arena, time, f->type, WR_NO_SPAN);
    WR_TRY_ALLOC(a->ctx, f->name.ptr);
    WR_TRY_ALLOC(a->ctx, exprs[*count]);
    ++*count;
    return WR_OK;
}

/* The calc (NULL: all columns) above the function, over the function's input: without the window's
 * columns, with the time. to[c]: where column c is now. */
static wr_status
lower_calc(window_agg *a, const wr_pnode *calc, const wr_pnode *fn, wr_pnode **node, uint32_t *to)
{
    const wr_windowing *w = wri_node_of(fn)->window;
    const uint32_t time = (uint32_t)fn->windows[0]->time_col;
    const wr_pnode *above = calc ? calc : fn;
    const uint32_t n = above->schema.count;
    wr_expr **exprs = WR_NEW_N(a->p->arena, wr_expr *, n + 2);
    wr_field *fields = WR_NEW_N(a->p->arena, wr_field, n + 2);
    uint32_t count = 0, found = UINT32_MAX;
    WR_TRY_ALLOC(a->ctx, exprs);
    WR_TRY_ALLOC(a->ctx, fields);
    const bool grouped = w->spec.grouped, passes = !calc || passes_column(calc, time);
    for (uint32_t i = 0; i < n; i++) {
        wr_expr *e = calc ? calc->u.calc.exprs[i]
                          : wr_expr_column(a->p->arena, i, fn->schema.fields[i].type, WR_NO_SPAN);
        WR_TRY_ALLOC(a->ctx, e);
        to[i] = 0;
        if (grouped && !passes && i == w->spec.at) {
            found = count;
            WR_TRY(add_time(a, *node, time, exprs, fields, &count));
        }
        if (e->kind == WR_EX_COLUMN && is_window_col(w, e->index)) continue;
        if (e->kind == WR_EX_COLUMN && e->index == time && found == UINT32_MAX) found = count;
        to[i] = count;
        fields[count] = above->schema.fields[i];
        if (grouped && e->kind != WR_EX_COLUMN)
            fields[count].name = wr_arena_printf(a->p->arena, "$f%u", count);
        WR_TRY_ALLOC(a->ctx, fields[count].name.ptr);
        exprs[count++] = e;
    }
    if (found == UINT32_MAX) {
        found = count;
        WR_TRY(add_time(a, *node, time, exprs, fields, &count));
    }
    a->w->time_col = (int32_t)found;
    return wri_phys_calc(a->ctx, a->p, node, calc ? calc->u.calc.cond : NULL, exprs,
                         (wr_schema){fields, count});
}

static void
move_column(void *arg, uint32_t *index)
{
    *index = ((const uint32_t *)arg)[*index];
}

/* Grouping sets over what lower_calc made: the same rows without the window, with the time. */
static wr_status
lower_expand(window_agg *a, const wr_pnode *expand, const uint32_t *from, wr_pnode **node,
             uint32_t *to)
{
    const uint32_t n = expand->schema.count, sets = expand->u.expand.set_count;
    wr_field *fields = WR_NEW_N(a->p->arena, wr_field, n + 2);
    wr_expr ***rows = WR_NEW_N(a->p->arena, wr_expr **, sets + 1);
    const uint32_t time = (uint32_t)a->w->time_col;
    uint32_t count = 0;
    WR_TRY_ALLOC(a->ctx, fields);
    WR_TRY_ALLOC(a->ctx, rows);
    for (uint32_t s = 0; s < sets; s++) {
        rows[s] = WR_NEW_N(a->p->arena, wr_expr *, n + 2);
        WR_TRY_ALLOC(a->ctx, rows[s]);
    }
    for (uint32_t i = 0; i < n; i++) {
        to[i] = 0;
        if (is_window_col(&a->at, i)) continue;
        to[i] = count;
        fields[count] = expand->schema.fields[i];
        for (uint32_t s = 0; s < sets; s++) {
            rows[s][count] = wr_expr_map_columns(a->p->arena, expand->u.expand.rows[s][i],
                                                 move_column, (void *)(uintptr_t)from);
            WR_TRY_ALLOC(a->ctx, rows[s][count]);
        }
        count++;
    }
    fields[count] = (*node)->schema.fields[time];
    fields[count].name = free_name(a->p, fields, count, fields[count].name);
    WR_TRY_ALLOC(a->ctx, fields[count].name.ptr);
    for (uint32_t s = 0; s < sets; s++) {
        rows[s][count] = wr_expr_column(a->p->arena, time, fields[count].type, WR_NO_SPAN);
        WR_TRY_ALLOC(a->ctx, rows[s][count]);
    }
    a->w->time_col = (int32_t)count++;
    wr_pnode *e = wri_phys_node(a->p, WR_P_EXPAND, (wr_schema){fields, count}, node, 1);
    WR_TRY_ALLOC(a->ctx, e);
    e->u.expand.rows = rows;
    e->u.expand.set_count = sets;
    return wri_phys_derive(a->ctx, a->p, e, node);
}

/* Does what is asked of the function from here on, if it may. */
static wr_status
take_function(window_agg *a)
{
    const wr_pnode *expand = a->input->kind == WR_P_EXPAND ? a->input : NULL;
    const wr_pnode *calc = expand ? expand->inputs[0] : a->input, *fn = calc;
    if (calc->kind == WR_P_CALC)
        fn = calc->inputs[0];
    else
        calc = NULL;
    if (fn->kind != WR_P_WINDOW_TVF || aggregates_window(a)) return WR_OK;
    if (calc && !lets_through(calc, wri_node_of(fn)->window)) return WR_OK;
    const wr_windowing *between = wri_node_of(expand ? expand->inputs[0] : fn)->window;
    if (expand && !lets_through(expand, between)) return WR_OK;
    const uint32_t width = (expand ? expand->inputs[0] : a->input)->schema.count;
    uint32_t *below = WR_NEW_N(a->p->arena, uint32_t, width + 1);
    WR_TRY_ALLOC(a->ctx, below);
    wr_pnode *node = fn->inputs[0];
    if (fn->windows[0]->spec.kind == WR_WINDOW_SESSION) node = node->inputs[0]; /* an exchange */
    WR_TRY(lower_calc(a, calc, fn, &node, below));
    if (expand)
        WR_TRY(lower_expand(a, expand, below, &node, a->to));
    else
        memcpy(a->to, below, width * sizeof *below);
    a->input = node;
    return WR_OK;
}

/* ---- the nodes ------------------------------------------------------------------------------- */
static wr_status
map_aggregates(window_agg *a, wr_agg_bound **out)
{
    const uint32_t n = a->rel->u.agg.agg_count;
    *out = WR_NEW_N(a->p->arena, wr_agg_bound, n + 1);
    WR_TRY_ALLOC(a->ctx, *out);
    for (uint32_t i = 0; i < n; i++) {
        const wr_agg_bound *g = &a->rel->u.agg.aggs[i];
        uint32_t *args = WR_NEW_N(a->p->arena, uint32_t, g->arg_count + 1);
        WR_TRY_ALLOC(a->ctx, args);
        for (uint32_t k = 0; k < g->arg_count; k++) args[k] = a->to[g->args[k]];
        (*out)[i] = *g;
        (*out)[i].args = args;
        if (g->filter >= 0) (*out)[i].filter = (int32_t)a->to[g->filter];
    }
    return WR_OK;
}

static wr_status
make_schema(window_agg *a, wr_schema *out)
{
    const wr_rel *rel = a->rel;
    const uint32_t aggs = rel->u.agg.agg_count;
    wr_field *f = WR_NEW_N(a->p->arena, wr_field, a->key_count + aggs + 4);
    uint32_t n = 0;
    WR_TRY_ALLOC(a->ctx, f);
    for (uint32_t i = 0; i < a->key_count; i++) {
        f[n] = rel->schema.fields[a->places[i]];
        f[n++].name = a->input->schema.fields[a->to[a->keys[i]]].name;
    }
    for (uint32_t i = 0; i < aggs; i++) {
        f[n] = rel->schema.fields[rel->u.agg.key_count + i];
        const wr_str own = wr_arena_printf(a->p->arena, "$f%u", rel->u.agg.key_count + i);
        WR_TRY_ALLOC(a->ctx, own.ptr);
        if (wr_str_eq(f[n].name, own)) /* without the window's columns */
            f[n].name = wr_arena_printf(a->p->arena, "$f%u", n);
        WR_TRY_ALLOC(a->ctx, f[n].name.ptr);
        n++;
    }
    static const char *const names[2][4] = {
        {"window_start", "window_end", "window_time", "window_time"},
        {"w$start", "w$end", "w$rowtime", "w$proctime"}};
    for (uint32_t i = 0; i < a->prop_count; i++) {
        f[n] = rel->schema.fields[a->prop_places[i]];
        f[n].name = free_name(a->p, f, n, wr_str_c(names[a->w->spec.grouped][a->props[i]]));
        WR_TRY_ALLOC(a->ctx, f[n].name.ptr);
        n++;
    }
    *out = (wr_schema){f, n};
    return WR_OK;
}

static wr_pnode *
agg_node(window_agg *a, wr_schema schema, wr_agg_phase phase, const uint32_t *keys,
         const wr_agg_bound *aggs, wr_pnode *input)
{
    wr_pnode *n = wri_phys_node(a->p, WR_P_WINDOW_AGG, schema, &input, 1);
    uint8_t *props = WR_NEW_N(a->p->arena, uint8_t, 4);
    if (!n || !props) return NULL;
    memcpy(props, a->props, sizeof a->props);
    n->u.agg.keys = keys;
    n->u.agg.key_count = a->key_count;
    n->u.agg.aggs = n->u.agg.shown = aggs;
    n->u.agg.agg_count = a->rel->u.agg.agg_count;
    n->u.agg.retract = !wri_insert_only(input);
    n->u.agg.phase = (uint8_t)phase;
    n->u.agg.props = phase == WR_AGG_LOCAL ? NULL : props;
    n->u.agg.prop_count = phase == WR_AGG_LOCAL ? 0 : a->prop_count;
    n->u.agg.emit = a->emit;
    n->u.agg.generate_update_before = true;
    n->windows[0] = a->w;
    return n;
}

/* Does Flink put partial results together? Of the functions that it cannot, those that tell
 * apart which row came first. */
static bool
has_two_phases(const window_agg *a)
{
    static const char *const never[] = {"FIRST_VALUE", "LAST_VALUE", "PERCENTILE"};
    const wr_config *config = a->p->env->config;
    if (!a->p->env->explain || !a->w->spec.rowtime || a->w->spec.grouped ||
        a->w->spec.kind == WR_WINDOW_SESSION ||
        wr_str_eq(wr_config_str(config, "table.optimizer.agg-phase-strategy"), WR_STR("ONE_PHASE")))
        return false;
    for (uint32_t i = 0; i < a->rel->u.agg.agg_count; i++)
        for (uint32_t k = 0; k < WR_COUNT(never); k++)
            if (strcmp(a->rel->u.agg.aggs[i].fn->name, never[k]) == 0) return false;
    return true;
}

static wr_status
local_phase(window_agg *a, const uint32_t *keys, const wr_agg_bound *aggs)
{
    const uint32_t n = a->rel->u.agg.agg_count;
    wr_field *f = WR_NEW_N(a->p->arena, wr_field, a->key_count + n + 2);
    WR_TRY_ALLOC(a->ctx, f);
    for (uint32_t i = 0; i < a->key_count; i++) f[i] = a->input->schema.fields[keys[i]];
    for (uint32_t i = 0; i < n; i++) {
        f[a->key_count + i] = a->rel->schema.fields[a->rel->u.agg.key_count + i];
        f[a->key_count + i].name = wr_arena_printf(a->p->arena, "$%u", i);
        WR_TRY_ALLOC(a->ctx, f[a->key_count + i].name.ptr);
    }
    const wr_str name = a->w->time_col >= 0 ? WR_STR("$slice_end") : WR_STR("$window_end");
    f[a->key_count + n] = (wr_field){name, wr_type_of(WR_T_BIGINT, false), WR_STR("")};
    return wri_phys_derive(
        a->ctx, a->p,
        agg_node(a, (wr_schema){f, a->key_count + n + 1}, WR_AGG_LOCAL, keys, aggs, a->input),
        &a->input);
}

static wr_status
make_nodes(window_agg *a, wr_pnode **out)
{
    wr_agg_bound *aggs = NULL;
    wr_schema schema;
    const bool two = has_two_phases(a), retract = !wri_insert_only(a->input);
    uint32_t *keys = WR_NEW_N(a->p->arena, uint32_t, a->key_count + 1);
    uint32_t *first = WR_NEW_N(a->p->arena, uint32_t, a->key_count + 1);
    WR_TRY_ALLOC(a->ctx, keys);
    WR_TRY_ALLOC(a->ctx, first);
    WR_TRY(map_aggregates(a, &aggs));
    for (uint32_t i = 0; i < a->key_count; i++) {
        keys[i] = a->to[a->keys[i]];
        first[i] = i;
    }
    WR_TRY(make_schema(a, &schema));
    if (two) WR_TRY(local_phase(a, keys, aggs));
    WR_TRY(wri_phys_hash(a->ctx, a->p, &a->input, two ? first : keys, a->key_count));
    wr_pnode *n =
        agg_node(a, schema, two ? WR_AGG_FINAL : WR_AGG_WHOLE, two ? first : keys, aggs, a->input);
    WR_TRY_ALLOC(a->ctx, n);
    n->u.agg.retract = retract;
    return wri_phys_derive(a->ctx, a->p, n, out);
}

/* The columns in the order of the relation. */
static wr_status
reorder(window_agg *a, wr_pnode **node)
{
    const wr_rel *rel = a->rel;
    const uint32_t n = rel->schema.count, aggs = rel->u.agg.agg_count;
    wr_expr **exprs = WR_NEW_N(a->p->arena, wr_expr *, n + 1);
    uint32_t *from = WR_NEW_N(a->p->arena, uint32_t, n + 1);
    WR_TRY_ALLOC(a->ctx, exprs);
    WR_TRY_ALLOC(a->ctx, from);
    for (uint32_t i = 0; i < n; i++) from[i] = 0;
    for (uint32_t i = 0; i < a->key_count; i++) from[a->places[i]] = i;
    for (uint32_t i = 0; i < a->prop_count; i++) from[a->prop_places[i]] = a->key_count + aggs + i;
    for (uint32_t i = 0; i < aggs; i++) from[rel->u.agg.key_count + i] = a->key_count + i;
    for (uint32_t i = 0; i < n; i++) {
        exprs[i] =
            wr_expr_column(a->p->arena, from[i], (*node)->schema.fields[from[i]].type, WR_NO_SPAN);
        WR_TRY_ALLOC(a->ctx, exprs[i]);
    }
    return wri_phys_calc(a->ctx, a->p, node, NULL, exprs, rel->schema);
}

wr_status
wri_phys_window_agg(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode *input, wr_pnode **out)
{
    const wr_windowing *in = wri_node_of(input)->window;
    window_agg a = {.ctx = ctx, .p = p, .rel = rel, .input = input};
    if (p->batch || !in || !wri_rel_is_window_agg(rel, &a.at)) return WR_OK;
    if (in->spec.kind == WR_WINDOW_HOP && !in->spec.grouped && in->spec.size_ms % in->spec.slide_ms)
        return wr_raise_at(ctx, WR_SEMANTIC, rel->span,
                           "HOP table function based aggregate requires size must be an integral "
                           "multiple of slide, but got size %lld ms and slide %lld ms",
                           (long long)in->spec.size_ms, (long long)in->spec.slide_ms);
    WR_TRY(wri_phys_window_emit(ctx, p, rel, &in->spec, &a.emit));
    a.at = *in;
    wri_windows_prefer(&a.at, rel->u.agg.keys, rel->u.agg.key_count);
    a.w = WR_NEW(p->arena, wr_windowing);
    a.to = WR_NEW_N(p->arena, uint32_t, input->schema.count + 1);
    WR_TRY_ALLOC(ctx, a.w);
    WR_TRY_ALLOC(ctx, a.to);
    *a.w = a.at;
    for (uint32_t i = 0; i < input->schema.count; i++) a.to[i] = i;
    WR_TRY(split_keys(&a));
    /* Sessions are made by their function; only plans show them as part of the aggregate. */
    if (in->spec.kind != WR_WINDOW_SESSION || p->env->explain) WR_TRY(take_function(&a));
    WR_TRY(make_nodes(&a, out));
    return reorder(&a, out);
}
