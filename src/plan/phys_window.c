/* SPDX-License-Identifier: Apache-2.0 */
/* Window table functions as nodes, and which columns of a node's output carry a window: aggregates,
 * Top-N, deduplication and joins by windows look at that (wri_node.window). */
#include "plan/phys_int.h"
#include "plan/rule_int.h"
#include "plan/window.h"

/* ---- which columns carry a window ------------------------------------------------------------ */
/* Where a calc or an expand has a column of its input as it is; -1: nowhere. */
static int32_t
find_plain(const void *of, int32_t col)
{
    const wr_pnode *n = of;
    const bool calc = n->kind == WR_P_CALC;
    for (uint32_t i = 0; col >= 0 && i < n->schema.count; i++) {
        const uint32_t sets = calc ? 1 : n->u.expand.set_count;
        bool plain = true;
        for (uint32_t s = 0; s < sets && plain; s++) {
            const wr_expr *e = calc ? n->u.calc.exprs[i] : n->u.expand.rows[s][i];
            plain = e->kind == WR_EX_COLUMN && e->index == (uint32_t)col;
        }
        if (plain) return (int32_t)i;
    }
    return -1;
}

static bool
same_windows(const wr_windowing *a, const wr_windowing *b)
{
    return a->start_col == b->start_col && a->end_col == b->end_col &&
           a->window_time_col == b->window_time_col && wri_window_spec_equal(&a->spec, &b->spec);
}

static wr_status
set_window(wr_ctx *ctx, wri_phys *p, wr_pnode *n, const wr_windowing *w)
{
    wr_windowing *own = WR_NEW(p->arena, wr_windowing);
    WR_TRY_ALLOC(ctx, own);
    *own = *w;
    own->time_col = -1;
    wri_node_of(n)->window = own;
    return WR_OK;
}

/* The columns that an aggregate by windows has behind its aggregates. */
static wr_status
derive_props(wr_ctx *ctx, wri_phys *p, wr_pnode *n)
{
    wr_windowing w = *n->windows[0];
    const uint32_t first = n->u.agg.key_count + n->u.agg.agg_count;
    w.start_col = w.end_col = w.window_time_col = -1;
    w.other_start = w.other_end = w.other_time = 0;
    for (uint32_t i = 0; i < n->u.agg.prop_count; i++) {
        const int32_t col = (int32_t)(first + i);
        if (n->u.agg.props[i] == WR_WINDOW_START) w.start_col = col;
        if (n->u.agg.props[i] == WR_WINDOW_END) w.end_col = col;
        if (n->u.agg.props[i] >= WR_WINDOW_ROWTIME && w.window_time_col < 0)
            w.window_time_col = col;
    }
    if (w.start_col < 0 || w.end_col < 0 || w.spec.grouped) return WR_OK;
    return set_window(ctx, p, n, &w);
}

wr_status
wri_window_derive(wr_ctx *ctx, wri_phys *p, wr_pnode *n)
{
    const wr_windowing *in = n->input_count ? wri_node_of(n->inputs[0])->window : NULL;
    wr_windowing w;
    switch ((int)n->kind) {
    case WR_P_WINDOW_TVF:
        w = *n->windows[0];
        w.start_col = (int32_t)n->inputs[0]->schema.count;
        w.end_col = w.start_col + 1;
        w.window_time_col = w.start_col + 2;
        return set_window(ctx, p, n, &w);
    case WR_P_WINDOW_AGG:
        return derive_props(ctx, p, n);
    case WR_P_CALC:
    case WR_P_EXPAND:
        if (!in) return WR_OK;
        w = *in;
        wri_windows_map(&w, find_plain, n);
        return w.start_col >= 0 && w.end_col >= 0 ? set_window(ctx, p, n, &w) : WR_OK;
    case WR_P_UNION:
        for (uint32_t i = 1; in && i < n->input_count; i++) {
            const wr_windowing *o = wri_node_of(n->inputs[i])->window;
            if (!o || !same_windows(in, o)) in = NULL;
        }
        break;
    case WR_P_EXCHANGE:
    case WR_P_CORRELATE: /* columns of the input come first */
    case WR_P_OVER_AGG:
    case WR_P_SORT:
    case WR_P_DROP_UPDATE_BEFORE:
    case WR_P_WINDOW_RANK:
    case WR_P_WINDOW_DEDUPLICATE:
        break;
    case WR_P_WINDOW_JOIN:
        w = *n->windows[0];
        wri_windows_beside(&w, n->windows[1], n->inputs[0]->schema.count, n->u.join.type);
        return set_window(ctx, p, n, &w);
    default:
        return WR_OK;
    }
    wri_node_of(n)->window = in;
    return WR_OK;
}

/* ---- the function ---------------------------------------------------------------------------- */
static wr_status
check_function(wr_ctx *ctx, const wri_phys *p, const wr_rel *rel)
{
    const wr_window_spec *s = rel->u.tvf.spec;
    const wr_type *t = rel->inputs[0]->schema.fields[rel->u.tvf.time_col].type;
    if (p->batch && s->kind == WR_WINDOW_SESSION && s->grouped)
        return wr_raise_at(ctx, WR_UNSUPPORTED, rel->span,
                           "Window SessionGroupWindow('w$, %.*s, %lld) is not supported right now.",
                           WR_STR_ARG(rel->inputs[0]->schema.fields[rel->u.tvf.time_col].name),
                           (long long)s->size_ms);
    if (p->batch && s->kind == WR_WINDOW_SESSION)
        return wr_raise_at(ctx, WR_UNSUPPORTED, rel->span,
                           "Unaligned windows like session are not supported in batch mode yet.");
    if (p->batch && !s->rowtime)
        return wr_raise_at(ctx, WR_UNSUPPORTED, rel->span, "%s",
                           s->grouped
                               ? "Window can not be defined over a proctime attribute "
                                 "column for batch mode"
                               : "Processing time Window TableFunction is not supported yet.");
    /* GROUP BY TUMBLE takes what the binder took for a time attribute: behind a regular join too */
    if (p->batch || t->attr != WR_ATTR_NONE || s->grouped) return WR_OK;
    wr_text text;
    wr_text_init(&text, p->arena);
    wr_type_print(t, WR_TYPE_CALCITE, &text);
    const wr_status status = wr_raise_at(
        ctx, WR_SEMANTIC, rel->span,
        "The window function requires the timecol is a time attribute type, but is %.*s.",
        WR_STR_ARG(wr_text_str(&text)));
    wr_hint(ctx, "a time attribute is a column with a watermark (in CREATE TABLE: WATERMARK FOR ts "
                 "AS ts - INTERVAL '5' SECOND) or PROCTIME(), taken over as it is");
    return status;
}

wr_status
wri_phys_window_tvf(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    wr_pnode *input = NULL;
    WR_TRY(check_function(ctx, p, rel));
    WR_TRY(wri_phys_rel(ctx, p, rel->inputs[0], &input));
    const wr_window_spec *s = rel->u.tvf.spec;
    if (s->kind == WR_WINDOW_SESSION)
        WR_TRY(wri_phys_exchange(ctx, p, &input, WR_DIST_HASH, s->keys, s->key_count));
    wr_windowing *w = WR_NEW(p->arena, wr_windowing);
    wr_pnode *n = wri_phys_node(p, WR_P_WINDOW_TVF, rel->schema, &input, 1);
    WR_TRY_ALLOC(ctx, w);
    WR_TRY_ALLOC(ctx, n);
    *w = (wr_windowing){.spec = *s,
                        .time_col = (int32_t)rel->u.tvf.time_col,
                        .start_col = -1,
                        .end_col = -1,
                        .window_time_col = -1};
    w->spec.time = input->schema.fields[rel->u.tvf.time_col].type;
    n->windows[0] = w;
    return wri_phys_derive(ctx, p, n, out);
}
