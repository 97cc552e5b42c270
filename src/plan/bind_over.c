/* SPDX-License-Identifier: Apache-2.0 */
/* Calls with OVER, and the relation that they become.
 *
 * While the select list, QUALIFY and ORDER BY are bound, such a call stands as WR_EX_AGG with
 * `flag`; its operands, PARTITION BY and ORDER BY are its args, so that grouping rewrites them with
 * everything else. Afterwards wri_bind_over_build puts WR_REL_OVER below the projection: operands
 * that are no columns are computed by a projection below it, literals are constants of the node.
 *
 * As Calcite does, SUM of what can be NULL is CASE(COUNT(x) > 0, $SUM0(x), NULL), and AVG, STDDEV
 * and VAR are made of SUM and COUNT (bind_over_moment.c). */
#include "plan/bind_int.h"

static bool
see_over(void *arg, const wr_ast *e)
{
    if (*(bool *)arg || wr_ast_is_query(e)) return false;
    if (e->kind != WR_AST_CALL) return true;
    const wr_ast_call *c = WR_AST_AS(wr_ast_call, WR_AST_CALL, e);
    if (c->over || c->over_name.name.ptr) *(bool *)arg = true;
    return !*(bool *)arg;
}

bool
wri_bind_has_over(const wr_ast *e)
{
    bool found = false;
    wr_ast_walk(e, see_over, &found);
    return found;
}

/* ---- refusals -------------------------------------------------------------------------------- */
/* The call without what follows OVER: SUM(v) of SUM(v) OVER (...). */
static wr_span
call_span(wri_binder *b, const wr_ast_call *c)
{
    wr_span s = c->base.span;
    uint32_t end = c->over ? c->over->base.span.start : c->over_name.span.start;
    wr_str sql = b->ctx->sql;
    if (b->fixed || end <= s.start || end > sql.len) return wri_bind_span(b, &c->base);
    static const char word[] = "revo";
    uint32_t at = 0;
    while (end > s.start && at < 4) { /* back over "OVER" and the blanks around it */
        char ch = sql.ptr[end - 1];
        if ((ch | 0x20) == word[at])
            at++;
        else if (at || (ch != ' ' && ch != '\n' && ch != '\t' && ch != '\r' && ch != '('))
            break;
        end--;
    }
    while (end > s.start && strchr(" \t\r\n", sql.ptr[end - 1])) end--;
    s.end = end;
    return s;
}

static wr_status
check_call(wri_binder *b, const wri_where *w, const wr_ast_call *c, const wr_fn *fn)
{
    wr_span span = call_span(b, c);
    bool called = fn && (fn->kind == WR_FN_AGGREGATE || fn->kind == WR_FN_WINDOW);
    if (!called || c->filter || c->within_group.count)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span, "OVER must be applied to aggregate function");
    if (!w->overs)
        return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, &c->base),
                           "Windowed aggregate expression is illegal in %s clause",
                           w->clause ? w->clause : "this");
    for (uint32_t i = 0; i < c->args.count; i++)
        if (wri_bind_has_over(c->args.items[i]))
            return wr_raise_at(b->ctx, WR_SEMANTIC, span, "Aggregate expressions cannot be nested");
    bool lag = strcmp(fn->name, "LAG") == 0 || strcmp(fn->name, "LEAD") == 0;
    if (c->nulls != WR_SQL_TREAT_NONE && !lag && strcmp(fn->name, "ARRAY_AGG") != 0)
        return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                           "Cannot specify IGNORE NULLS or RESPECT NULLS following '%s'", fn->name);
    return WR_OK;
}

/* ---- arguments ------------------------------------------------------------------------------- */
static wr_status
bind_args(wri_binder *b, const wri_where *w, const wr_ast_call *c, const wr_fn *fn, wr_expr ***args,
          uint32_t *n)
{
    bool star = c->args.count == 1 && c->args.items[0]->kind == WR_AST_IDENT &&
                WR_AST_AS(wr_ast_ident, WR_AST_IDENT, c->args.items[0])->star &&
                WR_AST_AS(wr_ast_ident, WR_AST_IDENT, c->args.items[0])->part_count == 0;
    *n = 0;
    *args = WR_NEW_N(b->a, wr_expr *, 1);
    WR_TRY_ALLOC(b->ctx, *args);
    if (star && strcmp(fn->name, "COUNT") == 0) return WR_OK;
    WR_TRY(wri_bind_args(b, w, c, fn, args, n));
    for (uint32_t i = 0; i < *n; i++)
        if (wri_bind_is_null_expr((*args)[i]))
            return wr_raise_at(b->ctx, WR_TYPE, (*args)[i]->span, "Illegal use of 'NULL'");
    return WR_OK;
}

/* An extreme or a chosen value of a time attribute is shown as one. */
static wr_status
keep_time(wri_binder *b, wr_expr *const *args, uint32_t n, wr_agg_bound *bound)
{
    static const char *const names[] = {"MIN", "MAX", "FIRST_VALUE", "LAST_VALUE", "LAG", "LEAD"};
    for (uint32_t i = 0; n && args[0]->type->attr != WR_ATTR_NONE && i < WR_COUNT(names); i++) {
        if (strcmp(bound->fn->name, names[i]) != 0) continue;
        bound->type = wr_type_attr(b->a, bound->type, (wr_timeattr)args[0]->type->attr);
        WR_TRY_ALLOC(b->ctx, bound->type);
    }
    return WR_OK;
}

static wr_status
cast_args(wri_binder *b, wr_expr **args, uint32_t n, const wr_type *const *want)
{
    for (uint32_t i = 0; want && i < n; i++) {
        if (wr_type_eq_ignoring_null(args[i]->type, want[i])) continue;
        const wr_type *to = wr_type_nullable(b->a, want[i], args[i]->type->nullable);
        WR_TRY_ALLOC(b->ctx, to);
        args[i] = wr_expr_cast(b->a, args[i], to, false, args[i]->span);
        WR_TRY_ALLOC(b->ctx, args[i]);
        if (wr_expr_is_constant(args[i]))
            WR_TRY(wr_expr_fold(b->ctx, b->a, b->env->eval, args[i], &args[i]));
    }
    return WR_OK;
}

/* ---- one call -------------------------------------------------------------------------------- */
static bool
bounds_equal(const wr_over_bound *x, const wr_over_bound *y)
{
    if (x->kind != y->kind || x->offset != y->offset || x->months != y->months) return false;
    return !x->range == !y->range && (!x->range || wr_expr_equal(x->range, y->range));
}

static bool
frames_equal(const wri_frame *x, const wri_frame *y)
{
    if (x->partition_count != y->partition_count || x->order_count != y->order_count ||
        x->rows != y->rows || !bounds_equal(&x->lower, &y->lower) ||
        !bounds_equal(&x->upper, &y->upper))
        return false;
    for (uint32_t i = 0; i < x->order_count; i++)
        if (x->order[i].desc != y->order[i].desc ||
            x->order[i].nulls_last != y->order[i].nulls_last)
            return false;
    return true;
}

/* The number of an equal call; calls.count when there is none. */
static uint32_t
find_call(const wri_overs *overs, const wri_over_call *call)
{
    for (uint32_t i = 0; i < overs->calls.count; i++) {
        const wri_over_call *o = &overs->calls.items[i];
        bool same = o->fn == call->fn && o->arg_count == call->arg_count &&
                    o->bound.distinct == call->bound.distinct &&
                    o->bound.ignore_nulls == call->bound.ignore_nulls &&
                    frames_equal(&o->frame, &call->frame) &&
                    o->node->arg_count == call->node->arg_count;
        for (uint32_t k = 0; same && k < call->node->arg_count; k++)
            same = wr_expr_equal(o->node->args[k], call->node->args[k]);
        if (same) return i;
    }
    return overs->calls.count;
}

wr_status
wri_bind_over_push(wri_binder *b, const wri_over_site *site, wri_over_call *call, wr_expr **args,
                   const wr_type *type, wr_expr **out)
{
    uint32_t keys = site->frame.partition_count + site->frame.order_count, n = call->arg_count;
    wr_expr *e = wri_rex_new(b->a, WR_EX_AGG, type, site->span);
    WR_TRY_ALLOC(b->ctx, e);
    e->args = WR_NEW_N(b->a, wr_expr *, n + keys + 1);
    WR_TRY_ALLOC(b->ctx, e->args);
    for (uint32_t i = 0; i < n; i++) e->args[i] = args[i];
    for (uint32_t i = 0; i < keys; i++) e->args[n + i] = site->keys[i];
    e->arg_count = n + keys;
    e->flag = true;
    call->frame = site->frame;
    call->node = e;
    e->index = find_call(site->overs, call);
    *out = e;
    if (e->index < site->overs->calls.count) {
        e->type = site->overs->calls.items[e->index].node->type;
        return WR_OK;
    }
    return wr_list_push(b->a, &site->overs->calls, *call)
               ? WR_OK
               : wr_raise(b->ctx, WR_NOMEM, "out of memory");
}

wr_status
wri_bind_over_agg(wri_binder *b, const wri_over_site *site, const wr_fn *fn, wr_expr **args,
                  uint32_t n, bool distinct, bool ignore_nulls, wr_expr **out)
{
    wri_over_call call = {.fn = fn, .arg_count = n};
    WR_TRY(wr_agg_resolve(b->ctx, b->a, b->env->eval, fn, wr_str_c(fn->name), args, n, distinct,
                          ignore_nulls, site->filled, NULL, site->span, &call.bound));
    bool extreme = strcmp(fn->name, "MIN") == 0 || strcmp(fn->name, "MAX") == 0;
    call.bound.fn = fn;
    call.bound.distinct = (call.bound.distinct || distinct) && !extreme;
    call.bound.ignore_nulls = ignore_nulls;
    call.bound.span = site->span;
    WR_TRY(keep_time(b, args, n, &call.bound));
    WR_TRY(cast_args(b, args, n, call.bound.arg_types));
    return wri_bind_over_push(b, site, &call, args, call.bound.type, out);
}

static wr_status
bind_window_fn(wri_binder *b, const wri_over_site *site, const wr_ast_call *c, const wr_fn *fn,
               wr_expr **args, uint32_t n, wr_expr **out)
{
    wri_over_call call = {.fn = fn, .arg_count = n};
    wr_expr *typed = NULL;
    bool ntile = strcmp(fn->name, "NTILE") == 0;
    if (fn->min_args == 0 && n)
        return wr_raise_at(b->ctx, WR_TYPE, call_span(b, c),
                           "Invalid number of arguments to function '%s'. Was expecting 0 "
                           "arguments",
                           fn->name);
    if (ntile && n == 1 && !wr_expr_is_constant(args[0]))
        return wr_raise_at(b->ctx, WR_TYPE, call_span(b, c),
                           "Argument to function 'NTILE' must be a literal");
    WR_TRY(wr_expr_call(b->ctx, b->a, b->env->eval, fn, c->name->parts[0].name, args, n, NULL,
                        call_span(b, c), &typed));
    for (uint32_t i = 0; i < n; i++) {
        args[i] = typed->args[i];
        if (wr_expr_is_constant(args[i]))
            WR_TRY(wr_expr_fold(b->ctx, b->a, b->env->eval, args[i], &args[i]));
    }
    call.bound.ignore_nulls = c->nulls == WR_SQL_TREAT_IGNORE;
    return wri_bind_over_push(b, site, &call, args, typed->type, out);
}

static bool
has_distance(const wr_over_bound *b)
{
    return b->kind == WR_OVER_PRECEDING || b->kind == WR_OVER_FOLLOWING;
}

wr_status
wri_bind_over(wri_binder *b, const wri_where *w, const wr_ast_call *c, wr_expr **out)
{
    const wr_fn *fn = wr_fn_find(c->name->parts[c->name->part_count - 1].name);
    if (c->name->part_count != 1) fn = NULL;
    WR_TRY(check_call(b, w, c, fn));
    wri_where inner = *w;
    wr_expr **args = NULL;
    uint32_t n = 0;
    wri_over_site site = {.overs = w->overs, .span = call_span(b, c)};
    inner.overs = NULL;
    inner.aliases = NULL;
    if (!inner.group) inner.clause = inner.clause ? inner.clause : "OVER";
    WR_TRY(bind_args(b, &inner, c, fn, &args, &n));
    WR_TRY(wri_bind_over_window(b, &inner, w->overs->windows, c, fn, &site.frame, &site.keys));
    site.filled = !has_distance(&site.frame.lower) && !has_distance(&site.frame.upper);
    if (fn->kind == WR_FN_WINDOW) return bind_window_fn(b, &site, c, fn, args, n, out);
    bool distinct = c->quantifier == WR_SQL_QUANT_DISTINCT;
    bool moment = false;
    if (n == 1) WR_TRY(wri_bind_over_moment(b, &site, fn, args[0], distinct, &moment, out));
    if (moment) return WR_OK;
    return wri_bind_over_agg(b, &site, fn, args, n, distinct, c->nulls == WR_SQL_TREAT_IGNORE, out);
}

/* ---- the relation ---------------------------------------------------------------------------- */
typedef struct builder {
    wri_binder *b;
    const wri_overs *overs;
    wr_rel *input;
    wri_expr_list columns; /* of the input, then computed operands */
    wri_expr_list constants;
    wr_expr **nodes; /* per call: as it stands now, over the input; NULL = not used */
    wr_over_window *windows;
    uint32_t window_count;
    uint32_t *window_of, *place; /* per call: window, and number in it */
    uint32_t *column;            /* per call: its column in the output */
    wr_str *names;
    const wr_rel *over;
} builder;

static bool
see_call(wri_visit *v, const wr_expr *e, uint32_t depth)
{
    builder *x = v->arg;
    if (depth == 0 && e->kind == WR_EX_AGG && e->flag && !x->nodes[e->index])
        x->nodes[e->index] = (wr_expr *)(uintptr_t)e;
    return true;
}

/* The column that holds e. */
static wr_status
place_column(builder *x, wr_expr *e, uint32_t *col)
{
    if (e->kind == WR_EX_COLUMN) {
        *col = e->index;
        return WR_OK;
    }
    for (*col = x->input->schema.count; *col < x->columns.count; (*col)++)
        if (wr_expr_equal(x->columns.items[*col], e)) return WR_OK;
    return wr_list_push(x->b->a, &x->columns, e) ? WR_OK
                                                 : wr_raise(x->b->ctx, WR_NOMEM, "out of memory");
}

/* An argument: a column, or constant `i` as UINT32_MAX - i until the width is known. */
static wr_status
place_arg(builder *x, wr_expr *e, uint32_t *col)
{
    if (e->kind != WR_EX_LITERAL) return place_column(x, e, col);
    uint32_t i = 0;
    while (i < x->constants.count && !wr_expr_equal(x->constants.items[i], e)) i++;
    *col = UINT32_MAX - i;
    if (i < x->constants.count || wr_list_push(x->b->a, &x->constants, e)) return WR_OK;
    return wr_raise(x->b->ctx, WR_NOMEM, "out of memory");
}

static bool
has_column(const uint32_t *cols, uint32_t n, uint32_t col)
{
    for (uint32_t i = 0; i < n; i++)
        if (cols[i] == col) return true;
    return false;
}

/* PARTITION BY and ORDER BY of a call; literals and repeated columns say nothing. */
static wr_status
place_window(builder *x, const wri_over_call *call, const wr_expr *node, wr_over_window *w)
{
    wr_arena *a = x->b->a;
    const wri_frame *f = &call->frame;
    uint32_t *partition = WR_NEW_N(a, uint32_t, f->partition_count + 1);
    wr_order_key *order = WR_NEW_N(a, wr_order_key, f->order_count + 1);
    uint32_t *seen = WR_NEW_N(a, uint32_t, f->order_count + 1);
    WR_TRY_ALLOC(x->b->ctx, partition);
    WR_TRY_ALLOC(x->b->ctx, order);
    WR_TRY_ALLOC(x->b->ctx, seen);
    memset(w, 0, sizeof *w);
    for (uint32_t i = 0; i < f->partition_count; i++) {
        wr_expr *e = node->args[call->arg_count + i];
        uint32_t col = 0;
        if (wr_expr_is_constant(e)) continue;
        WR_TRY(place_column(x, e, &col));
        if (!has_column(partition, w->partition_count, col)) partition[w->partition_count++] = col;
    }
    for (uint32_t i = 0; i < f->order_count; i++) {
        wr_expr *e = node->args[call->arg_count + f->partition_count + i];
        uint32_t col = 0;
        if (wr_expr_is_constant(e)) continue;
        WR_TRY(place_column(x, e, &col));
        if (has_column(seen, w->order_count, col)) continue;
        if (w->order_count == 0) w->time = (wr_timeattr)e->type->attr;
        seen[w->order_count] = col;
        order[w->order_count] = f->order[i];
        order[w->order_count++].col = col;
    }
    w->partition = partition;
    w->order = order;
    w->rows = f->rows;
    w->lower = f->lower;
    w->upper = f->upper;
    w->span = node->span;
    return WR_OK;
}

static bool
windows_equal(const wr_over_window *x, const wr_over_window *y)
{
    if (x->partition_count != y->partition_count || x->order_count != y->order_count ||
        x->rows != y->rows || !bounds_equal(&x->lower, &y->lower) ||
        !bounds_equal(&x->upper, &y->upper))
        return false;
    for (uint32_t i = 0; i < x->partition_count; i++)
        if (!has_column(y->partition, y->partition_count, x->partition[i])) return false;
    for (uint32_t i = 0; i < x->order_count; i++)
        if (x->order[i].col != y->order[i].col || x->order[i].desc != y->order[i].desc ||
            x->order[i].nulls_last != y->order[i].nulls_last)
            return false;
    return true;
}

static wr_status
place_calls(builder *x)
{
    wr_arena *a = x->b->a;
    uint32_t n = x->overs->calls.count;
    x->windows = WR_NEW_N(a, wr_over_window, n + 1);
    x->window_of = WR_NEW_N(a, uint32_t, n + 1);
    x->place = WR_NEW_N(a, uint32_t, n + 1);
    x->column = WR_NEW_N(a, uint32_t, n + 1);
    WR_TRY_ALLOC(x->b->ctx, x->windows);
    WR_TRY_ALLOC(x->b->ctx, x->window_of);
    WR_TRY_ALLOC(x->b->ctx, x->place);
    WR_TRY_ALLOC(x->b->ctx, x->column);
    for (uint32_t i = 0; i < n; i++) {
        const wri_over_call *call = &x->overs->calls.items[i];
        if (!x->nodes[i]) continue;
        wr_over_window w;
        uint32_t k = 0;
        WR_TRY(place_window(x, call, x->nodes[i], &w));
        while (k < x->window_count && !windows_equal(&x->windows[k], &w)) k++;
        if (k == x->window_count) {
            w.calls = WR_NEW_N(a, wr_over_call, n);
            WR_TRY_ALLOC(x->b->ctx, w.calls);
            x->windows[x->window_count++] = w;
        }
        wr_over_call *out = &x->windows[k].calls[x->windows[k].call_count];
        uint32_t *args = WR_NEW_N(a, uint32_t, call->arg_count + 1);
        WR_TRY_ALLOC(x->b->ctx, args);
        for (uint32_t j = 0; j < call->arg_count; j++)
            WR_TRY(place_arg(x, x->nodes[i]->args[j], &args[j]));
        *out = (wr_over_call){.fn = call->fn,
                              .agg = call->bound,
                              .args = args,
                              .arg_count = call->arg_count,
                              .type = x->nodes[i]->type,
                              .span = x->nodes[i]->span};
        x->window_of[i] = k;
        x->place[i] = x->windows[k].call_count++;
    }
    return WR_OK;
}

/* Columns that the input lacks: a projection that adds them, named $<position>. */
static wr_status
compute(builder *x, wr_rel **rel)
{
    wr_arena *a = x->b->a;
    uint32_t n = x->columns.count, width = x->input->schema.count;
    if (n == width) return WR_OK;
    wr_str *names = WR_NEW_N(a, wr_str, n + 1);
    WR_TRY_ALLOC(x->b->ctx, names);
    for (uint32_t i = 0; i < n; i++) {
        names[i] = i < width ? x->input->schema.fields[i].name : wr_arena_printf(a, "$%u", i);
        WR_TRY_ALLOC(x->b->ctx, names[i].ptr);
    }
    *rel = wri_rel_project(a, x->input, x->columns.items, names, n);
    WR_TRY_ALLOC(x->b->ctx, *rel);
    return WR_OK;
}

static void
number_args(builder *x, uint32_t width)
{
    for (uint32_t k = 0; k < x->window_count; k++)
        for (uint32_t i = 0; i < x->windows[k].call_count; i++) {
            wr_over_call *c = &x->windows[k].calls[i];
            uint32_t *args = (uint32_t *)(uintptr_t)c->args;
            for (uint32_t j = 0; j < c->arg_count; j++)
                if (args[j] > UINT32_MAX - x->constants.count - 1)
                    args[j] = width + (UINT32_MAX - args[j]);
            c->agg.args = c->args;
            c->agg.arg_count = c->arg_count;
            c->agg.filter = -1;
        }
}

static wr_expr *
to_column(wri_map *m, const wr_expr *e, uint32_t depth)
{
    builder *x = m->arg;
    if (depth || e->kind != WR_EX_AGG || !e->flag) return NULL;
    wr_expr *c = wr_expr_column(m->a, x->column[e->index], e->type, e->span);
    if (!c) m->failed = true;
    return c;
}

static wr_status
make_over(builder *x, wr_rel **rel)
{
    wr_arena *a = x->b->a;
    wr_over_spec *spec = WR_NEW(a, wr_over_spec);
    WR_TRY_ALLOC(x->b->ctx, spec);
    WR_TRY(compute(x, rel));
    number_args(x, (*rel)->schema.count);
    *spec = (wr_over_spec){.windows = x->windows,
                           .window_count = x->window_count,
                           .constants = x->constants.items,
                           .constant_count = x->constants.count,
                           .computed = *rel != x->input};
    *rel = wri_rel_over(a, *rel, spec);
    WR_TRY_ALLOC(x->b->ctx, *rel);
    uint32_t first = (*rel)->inputs[0]->schema.count;
    for (uint32_t i = 0; i < x->overs->calls.count; i++) {
        if (!x->nodes[i]) continue;
        x->column[i] = first + x->place[i];
        for (uint32_t k = 0; k < x->window_of[i]; k++) x->column[i] += x->windows[k].call_count;
    }
    return WR_OK;
}

wr_status
wri_bind_over_build(wri_binder *b, const wri_overs *overs, wr_expr **exprs, uint32_t n,
                    wr_rel **rel)
{
    builder x = {.b = b, .overs = overs, .input = *rel};
    wri_visit v = {see_call, &x};
    if (overs->calls.count == 0) return WR_OK;
    x.nodes = WR_NEW_N(b->a, wr_expr *, overs->calls.count);
    WR_TRY_ALLOC(b->ctx, x.nodes);
    for (uint32_t i = 0; i < n; i++) wri_rex_visit(&v, exprs[i], 0);
    for (uint32_t i = 0; i < (*rel)->schema.count; i++) {
        wr_expr *e = wri_rex_col(b->a, *rel, i);
        if (!e || !wr_list_push(b->a, &x.columns, e))
            return wr_raise(b->ctx, WR_NOMEM, "out of memory");
    }
    WR_TRY(place_calls(&x));
    if (x.window_count == 0) return WR_OK;
    WR_TRY(make_over(&x, rel));
    wri_map m = {b->a, to_column, &x, false};
    for (uint32_t i = 0; i < n; i++) {
        exprs[i] = wri_rex_map(&m, exprs[i], 0);
        WR_TRY_ALLOC(b->ctx, exprs[i]);
    }
    return WR_OK;
}
