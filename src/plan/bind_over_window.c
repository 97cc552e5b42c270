/* SPDX-License-Identifier: Apache-2.0 */
/* Window specifications: what stands in OVER (...) and in the WINDOW clause, with named windows and
 * frames. The refusals are Calcite's. */
#include "plan/bind_int.h"

typedef struct spec { /* a specification with those that it refers to */
    const wr_ast_list *partition_by, *order_by;
    const wr_ast_window *frame; /* the one that states it; NULL = none does */
} spec;

static const wr_ast_window *
named_window(const wr_ast_list *named, wr_str name)
{
    for (uint32_t i = 0; named && i < named->count; i++) {
        const wr_ast_window *w = WR_AST_AS(wr_ast_window, WR_AST_WINDOW, named->items[i]);
        if (wr_str_eq(w->name.name, name)) return w;
    }
    return NULL;
}

static wr_span
list_span(wri_binder *b, const wr_ast_list *l)
{
    wr_span s = wri_bind_span(b, l->items[0]);
    if (!b->fixed) s.end = wri_bind_span(b, l->items[l->count - 1]).end;
    return s;
}

/* The word ROWS or RANGE of a frame. */
static wr_span
frame_span(wri_binder *b, const wr_ast_window *w)
{
    wr_span s = wri_bind_span(b, &w->base);
    wr_str word = w->frame == WR_SQL_FRAME_ROWS ? WR_STR("ROWS") : WR_STR("RANGE");
    wr_str sql = b->ctx->sql;
    if (b->fixed || s.end > sql.len) return s;
    for (uint32_t i = s.start; i + word.len <= s.end; i++)
        if (wr_str_eq_nocase((wr_str){sql.ptr + i, word.len}, word))
            return (wr_span){i, i + (uint32_t)word.len};
    return s;
}

/* From the bound's expression to the word behind it; bounds without one: the whole window. */
static wr_span
bound_span(wri_binder *b, const wr_ast_window *w, const wr_ast *e)
{
    if (!e || b->fixed) return wri_bind_span(b, &w->base);
    wr_span s = wri_bind_span(b, e);
    wr_str sql = b->ctx->sql;
    uint32_t end = s.end;
    while (end < sql.len && strchr(" \t\r\n", sql.ptr[end])) end++;
    while (end < sql.len && !strchr(" \t\r\n)", sql.ptr[end])) end++;
    s.end = end;
    return s;
}

static wr_status
find_window(wri_binder *b, const wr_ast_list *named, const wr_ast_part *name,
            const wr_ast_window **out)
{
    *out = named_window(named, name->name);
    if (*out) return WR_OK;
    return wr_raise_at(b->ctx, WR_NAME, wri_bind_part_span(b, name->span),
                       "Window '%.*s' not found", WR_STR_ARG(name->name));
}

static wr_status
resolve(wri_binder *b, const wr_ast_list *named, const wr_ast_window *w, uint32_t depth, spec *out)
{
    *out = (spec){&w->partition_by, &w->order_by, w->frame == WR_SQL_FRAME_NONE ? NULL : w};
    if (!w->ref.name.ptr) return WR_OK;
    const wr_ast_window *base = NULL;
    spec below;
    WR_TRY(find_window(b, named, &w->ref, &base));
    if (depth > 64) return wri_bind_unsupported(b, wri_bind_span(b, &w->base), "circular windows");
    WR_TRY(resolve(b, named, base, depth + 1, &below));
    if (w->partition_by.count)
        return wr_raise_at(b->ctx, WR_SEMANTIC, list_span(b, &w->partition_by),
                           "PARTITION BY not allowed with existing window reference");
    if (w->order_by.count && below.order_by->count)
        return wr_raise_at(b->ctx, WR_SEMANTIC, list_span(b, &w->order_by),
                           "ORDER BY not allowed in both base and referenced windows");
    if (below.frame)
        return wr_raise_at(b->ctx, WR_SEMANTIC, frame_span(b, below.frame),
                           "Referenced window cannot have framing declarations");
    out->partition_by = below.partition_by;
    if (!w->order_by.count) out->order_by = below.order_by;
    return WR_OK;
}

/* ---- frames ---------------------------------------------------------------------------------- */
static const char *
bound_word(wr_sql_bound bound)
{
    switch ((int)bound) {
    case WR_SQL_BOUND_PRECEDING:
        return "PRECEDING";
    case WR_SQL_BOUND_FOLLOWING:
        return "FOLLOWING";
    default:
        return "CURRENT ROW";
    }
}

static wr_status
check_bounds(wri_binder *b, const wr_ast_window *w)
{
    if (w->start == WR_SQL_BOUND_UNBOUNDED_FOLLOWING)
        return wr_raise_at(b->ctx, WR_SEMANTIC, bound_span(b, w, w->start_expr),
                           "UNBOUNDED FOLLOWING cannot be specified for the lower frame boundary");
    if (w->end == WR_SQL_BOUND_UNBOUNDED_PRECEDING)
        return wr_raise_at(b->ctx, WR_SEMANTIC, bound_span(b, w, w->end_expr),
                           "UNBOUNDED PRECEDING cannot be specified for the upper frame boundary");
    bool wrong = (w->start == WR_SQL_BOUND_CURRENT_ROW && w->end == WR_SQL_BOUND_PRECEDING) ||
                 (w->start == WR_SQL_BOUND_FOLLOWING &&
                  (w->end == WR_SQL_BOUND_PRECEDING || w->end == WR_SQL_BOUND_CURRENT_ROW));
    if (!wrong) return WR_OK;
    return wr_raise_at(b->ctx, WR_SEMANTIC, bound_span(b, w, w->end_expr),
                       "Upper frame boundary cannot be %s when lower boundary is %s",
                       bound_word(w->end), bound_word(w->start));
}

static wr_status
bind_rows(wri_binder *b, const wr_ast *e, wr_over_bound *out)
{
    const wri_scope nothing = {0};
    wri_where w = {.scope = &nothing, .clause = "OVER"};
    wr_expr *x = NULL;
    if (e->kind != WR_AST_LITERAL && e->kind != WR_AST_UNARY)
        return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, e),
                           "ROWS value must be a non-negative integral constant");
    WR_TRY(wri_bind_expr_as(b, &w, e, NULL, &x));
    if (x->kind != WR_EX_LITERAL || !wr_type_is_integer(x->type) || x->value.is_null ||
        x->value.u.i < 0)
        return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, e),
                           "ROWS value must be a non-negative integral constant");
    out->offset = x->value.u.i;
    return WR_OK;
}

/* A distance along the order column: an interval over times, a number over numbers. */
static wr_status
bind_range(wri_binder *b, const wr_ast *e, const wr_expr *order, const wr_span order_span,
           wr_over_bound *out)
{
    const wri_scope nothing = {0};
    wri_where w = {.scope = &nothing, .clause = "OVER"};
    wr_expr *x = NULL;
    wr_family family = wr_type_family(order->type);
    bool number = wr_type_is_numeric(order->type);
    bool time = family == WR_FAM_DATETIME;
    WR_TRY(wri_bind_expr_as(b, &w, e, NULL, &x));
    bool interval = wr_type_family(x->type) == WR_FAM_INTERVAL;
    if (!number && !time)
        return wr_raise_at(b->ctx, WR_TYPE, wri_bind_span(b, e),
                           "Data type of ORDER BY prohibits use of RANGE clause");
    (void)order_span;
    if (interval != time)
        return wr_raise_at(b->ctx, WR_TYPE, wri_bind_span(b, e),
                           "Data Type mismatch between ORDER BY and RANGE clause");
    WR_TRY(wr_expr_fold(b->ctx, b->a, b->env->eval, x, &x));
    if (x->kind != WR_EX_LITERAL || x->value.is_null)
        return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, e),
                           "RANGE wants a constant distance");
    if (interval) {
        out->offset = x->value.u.i;
        out->months = wr_type_is(x->type, WR_T_INTERVAL_YM);
        out->range = x;
        return WR_OK;
    }
    out->range = x;
    return WR_OK;
}

static wr_status
bind_bound(wri_binder *b, const wr_ast_window *w, wr_sql_bound bound, const wr_ast *e,
           const wr_expr *order, wr_over_bound *out)
{
    switch (bound) {
    case WR_SQL_BOUND_UNBOUNDED_PRECEDING:
        out->kind = WR_OVER_UNBOUNDED_PRECEDING;
        return WR_OK;
    case WR_SQL_BOUND_UNBOUNDED_FOLLOWING:
        out->kind = WR_OVER_UNBOUNDED_FOLLOWING;
        return WR_OK;
    case WR_SQL_BOUND_NONE:
    case WR_SQL_BOUND_CURRENT_ROW:
        out->kind = WR_OVER_CURRENT_ROW;
        return WR_OK;
    case WR_SQL_BOUND_PRECEDING:
    case WR_SQL_BOUND_FOLLOWING:
        break;
    }
    out->kind = bound == WR_SQL_BOUND_PRECEDING ? WR_OVER_PRECEDING : WR_OVER_FOLLOWING;
    if (w->frame == WR_SQL_FRAME_ROWS) return bind_rows(b, e, out);
    return bind_range(b, e, order, wri_bind_span(b, &w->base), out);
}

static bool
has_distance(const wr_ast_window *w)
{
    return w->start == WR_SQL_BOUND_PRECEDING || w->start == WR_SQL_BOUND_FOLLOWING ||
           w->end == WR_SQL_BOUND_PRECEDING || w->end == WR_SQL_BOUND_FOLLOWING;
}

static wr_status
bind_frame(wri_binder *b, const spec *s, const wr_span call, wr_expr *const *order, wri_frame *out)
{
    const wr_ast_window *w = s->frame;
    out->rows = false;
    out->lower.kind = WR_OVER_UNBOUNDED_PRECEDING;
    out->upper.kind = out->order_count ? WR_OVER_CURRENT_ROW : WR_OVER_UNBOUNDED_FOLLOWING;
    if (!w) return WR_OK;
    WR_TRY(check_bounds(b, w));
    bool range = w->frame == WR_SQL_FRAME_RANGE;
    if (range && out->order_count == 0)
        return wr_raise_at(b->ctx, WR_SEMANTIC, call,
                           "Window specification must contain an ORDER BY clause");
    if (range && out->order_count > 1 && has_distance(w))
        return wr_raise_at(b->ctx, WR_SEMANTIC, frame_span(b, w),
                           "RANGE clause cannot be used with compound ORDER BY clause");
    out->rows = !range;
    wr_expr *key = out->order_count ? order[0] : NULL;
    WR_TRY(bind_bound(b, w, w->start, w->start_expr, key, &out->lower));
    return bind_bound(b, w, w->end, w->end_expr, key, &out->upper);
}

/* ROW_NUMBER, RANK and the like have frames of their own. */
static bool
fixed_frame(const wr_fn *fn, bool *rows)
{
    static const char *const by_rows[] = {"ROW_NUMBER"};
    static const char *const by_range[] = {"RANK",  "DENSE_RANK", "PERCENT_RANK", "CUME_DIST",
                                           "NTILE", "LAG",        "LEAD"};
    for (uint32_t i = 0; i < WR_COUNT(by_rows); i++)
        if ((*rows = strcmp(fn->name, by_rows[i]) == 0)) return true;
    for (uint32_t i = 0; i < WR_COUNT(by_range); i++)
        if (strcmp(fn->name, by_range[i]) == 0) return true;
    return false;
}

static wr_status
own_frame(wri_binder *b, const spec *s, const wr_span over, const wr_fn *fn, bool *own,
          wri_frame *out)
{
    bool rows = false;
    *own = fn->kind == WR_FN_WINDOW && fixed_frame(fn, &rows);
    if (!*own) return WR_OK;
    if (s->frame)
        return wr_raise_at(b->ctx, WR_SEMANTIC, frame_span(b, s->frame),
                           "ROW/RANGE not allowed with RANK, DENSE_RANK or ROW_NUMBER functions");
    if (out->order_count == 0 && strstr(fn->name, "RANK"))
        return wr_raise_at(b->ctx, WR_SEMANTIC, over,
                           "RANK or DENSE_RANK functions require ORDER BY clause in window "
                           "specification");
    out->rows = rows;
    out->lower.kind = WR_OVER_UNBOUNDED_PRECEDING;
    out->upper.kind = WR_OVER_CURRENT_ROW;
    return WR_OK;
}

/* ---- keys ------------------------------------------------------------------------------------ */
static wr_status
bind_keys(wri_binder *b, const wri_where *w, const spec *s, wri_frame *out, wr_expr ***exprs)
{
    uint32_t p = s->partition_by->count, n = s->order_by->count;
    wr_order_key *order = WR_NEW_N(b->a, wr_order_key, n + 1);
    *exprs = WR_NEW_N(b->a, wr_expr *, p + n + 1);
    WR_TRY_ALLOC(b->ctx, order);
    WR_TRY_ALLOC(b->ctx, *exprs);
    for (uint32_t i = 0; i < p; i++)
        WR_TRY(wri_bind_expr_as(b, w, s->partition_by->items[i], NULL, &(*exprs)[i]));
    for (uint32_t i = 0; i < n; i++) {
        const wr_ast_order_item *o =
            WR_AST_AS(wr_ast_order_item, WR_AST_ORDER_ITEM, s->order_by->items[i]);
        WR_TRY(wri_bind_expr_as(b, w, o->expr, NULL, &(*exprs)[p + i]));
        WR_TRY(wri_bind_order_key(b, o, 0, (*exprs)[p + i]->type, &order[i]));
    }
    out->partition_count = p;
    out->order_count = n;
    out->order = order;
    return WR_OK;
}

wr_status
wri_bind_over_window(wri_binder *b, const wri_where *w, const wr_ast_list *named,
                     const wr_ast_call *c, const wr_fn *fn, wri_frame *out, wr_expr ***exprs)
{
    const wr_ast_window *over = c->over;
    spec s;
    bool own = false;
    memset(out, 0, sizeof *out);
    if (!over) WR_TRY(find_window(b, named, &c->over_name, &over));
    WR_TRY(resolve(b, named, over, 0, &s));
    WR_TRY(bind_keys(b, w, &s, out, exprs));
    WR_TRY(own_frame(b, &s, wri_bind_span(b, &over->base), fn, &own, out));
    if (own) return WR_OK;
    return bind_frame(b, &s, wri_bind_span(b, &over->base), *exprs + out->partition_count, out);
}

wr_status
wri_bind_over_windows(wri_binder *b, const wri_where *w, const wr_ast_list *windows)
{
    for (uint32_t i = 0; i < windows->count; i++) {
        const wr_ast_window *x = WR_AST_AS(wr_ast_window, WR_AST_WINDOW, windows->items[i]);
        for (uint32_t k = 0; k < i; k++)
            if (wr_str_eq(WR_AST_AS(wr_ast_window, WR_AST_WINDOW, windows->items[k])->name.name,
                          x->name.name))
                return wr_raise_at(b->ctx, WR_NAME, wri_bind_part_span(b, x->name.span),
                                   "Duplicate window names not allowed");
        spec s;
        wri_frame f = {0};
        wr_expr **exprs = NULL;
        wri_where inner = *w;
        inner.group = NULL;
        inner.overs = NULL;
        inner.clause = "WINDOW";
        if (w->group) continue; /* bound where it is used: keys are aggregates there */
        WR_TRY(resolve(b, windows, x, 0, &s));
        WR_TRY(bind_keys(b, &inner, &s, &f, &exprs));
        WR_TRY(bind_frame(b, &s, wri_bind_span(b, &x->base), exprs + f.partition_count, &f));
    }
    return WR_OK;
}
