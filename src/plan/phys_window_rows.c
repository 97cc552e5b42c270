/* SPDX-License-Identifier: Apache-2.0 */
/* Streaming joins, Top-N and deduplication of rows that carry a window: which they are, and what
 * they refuse. */
#include "plan/over.h"
#include "plan/phys_int.h"
#include "plan/rule_int.h"
#include "plan/timed_int.h"
#include "plan/window.h"

static wr_status
own_windowing(wr_ctx *ctx, wri_phys *p, const wr_windowing *w, const wr_windowing **out)
{
    wr_windowing *own = WR_NEW(p->arena, wr_windowing);
    WR_TRY_ALLOC(ctx, own);
    *own = *w;
    own->time_col = -1;
    *out = own;
    return WR_OK;
}

static wr_status
refuse_proctime(wr_ctx *ctx, wr_span span, const wr_windowing *w, const char *what)
{
    if (w->spec.rowtime) return WR_OK;
    return wr_raise_at(ctx, WR_UNSUPPORTED, span, "Processing time %s is not supported yet.", what);
}

/* ---- joins ----------------------------------------------------------------------------------- */
/* Does e compare a column of each side by `=` or IS NOT DISTINCT FROM? *turned: the right one
 * first.
 */
static bool
is_equality(const wr_expr *e, uint32_t left_width, bool *turned)
{
    if (!wri_rex_is_call(e, "=") && !wri_rex_is_call(e, "IS NOT DISTINCT FROM")) return false;
    const wr_expr *x = e->args[0], *y = e->args[1];
    if (x->kind != WR_EX_COLUMN || y->kind != WR_EX_COLUMN) return false;
    *turned = x->index >= left_width;
    return *turned ? y->index < left_width : y->index >= left_width;
}

static wr_expr *
turn(wr_arena *a, const wr_expr *e)
{
    wr_expr *copy = WR_NEW(a, wr_expr), **args = WR_NEW_N(a, wr_expr *, 2);
    if (!copy || !args) return NULL;
    *copy = *e;
    args[0] = e->args[1];
    args[1] = e->args[0];
    copy->args = args;
    return copy;
}

/* The conjuncts as Flink shows them: equalities first, the left side's column first. */
static wr_status
arrange(wr_ctx *ctx, wri_phys *p, const wri_expr_list *l, uint32_t left_width, wr_expr **out)
{
    wr_expr **all = WR_NEW_N(p->arena, wr_expr *, l->count + 1);
    uint32_t n = 0;
    bool turned;
    *out = NULL;
    WR_TRY_ALLOC(ctx, all);
    if (l->count == 0) return WR_OK;
    for (uint32_t i = 0; i < l->count; i++) {
        if (!is_equality(l->items[i], left_width, &turned)) continue;
        all[n] = turned ? turn(p->arena, l->items[i]) : l->items[i];
        WR_TRY_ALLOC(ctx, all[n]);
        n++;
    }
    for (uint32_t i = 0; i < l->count; i++)
        if (!is_equality(l->items[i], left_width, &turned)) all[n++] = l->items[i];
    return wr_expr_and(ctx, p->arena, all, n, out);
}

wr_status
wri_phys_join_windows(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode *const *sides,
                      const wr_windowing **windows, wr_expr **cond)
{
    const wr_windowing *lw = wri_node_of(sides[0])->window, *rw = wri_node_of(sides[1])->window;
    wri_expr_list rest = {0};
    bool failed = false;
    windows[0] = windows[1] = NULL;
    if (p->batch || !lw || !rw) return WR_OK;
    wr_windowing l = *lw, r = *rw;
    if (!wri_windows_joined(p->arena, rel->u.join.cond, sides[0]->schema.count, &l, &r, &rest,
                            &failed))
        return WR_OK;
    if (failed) return wr_raise(ctx, WR_NOMEM, "out of memory");
    WR_TRY(arrange(ctx, p, &rest, sides[0]->schema.count, cond));
    for (uint32_t i = 0; i < 2; i++)
        WR_TRY(wri_phys_insert_only(ctx, p, rel->span, "StreamPhysicalWindowJoin", sides[i]));
    WR_TRY(refuse_proctime(ctx, rel->span, &l, "Window Join"));
    WR_TRY(own_windowing(ctx, p, &l, &windows[0]));
    return own_windowing(ctx, p, &r, &windows[1]);
}

/* ---- Top-N and deduplication ----------------------------------------------------------------- */
static bool
is_window_col(const wr_windowing *w, uint32_t col)
{
    const int32_t c = (int32_t)col;
    return c == w->start_col || c == w->end_col || c == w->window_time_col ||
           col + 1 == w->other_start || col + 1 == w->other_end || col + 1 == w->other_time;
}

static bool
is_within(const wr_over_window *o, int32_t col)
{
    for (uint32_t i = 0; i < o->partition_count; i++)
        if ((int32_t)o->partition[i] == col) return true;
    return false;
}

bool
wri_phys_ranks_window(const wri_phys *p, const wr_pnode *in, const wr_over_window *o,
                      wr_windowing *out)
{
    const wr_windowing *w = wri_node_of(in)->window;
    if (p->batch || !w) return false;
    *out = *w;
    wri_windows_prefer(out, o->partition, o->partition_count);
    return is_within(o, out->start_col) && is_within(o, out->end_col);
}

/* The partition without the window's columns. */
static wr_status
other_keys(wr_ctx *ctx, wri_phys *p, const wr_over_window *o, const wr_windowing *w, uint32_t **out,
           uint32_t *count)
{
    *out = WR_NEW_N(p->arena, uint32_t, o->partition_count + 1);
    *count = 0;
    WR_TRY_ALLOC(ctx, *out);
    for (uint32_t i = 0; i < o->partition_count; i++)
        if (!is_window_col(w, o->partition[i])) (*out)[(*count)++] = o->partition[i];
    return WR_OK;
}

wr_status
wri_phys_window_rank(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, const wr_windowing *w,
                     bool first_row, wr_pnode **node)
{
    const wr_over_window *o = &rel->u.over->windows[0];
    const wr_over_rank *k = rel->u.over->rank;
    const wr_span span = o->calls[0].span;
    uint32_t *keys, count;
    if (k->last_col >= 0)
        return wr_raise_at(ctx, WR_UNSUPPORTED, span,
                           "Rank strategy rankEnd=%.*s is not supported on window rank currently.",
                           WR_STR_ARG((*node)->schema.fields[k->last_col].name));
    WR_TRY(wri_phys_insert_only(
        ctx, p, span, first_row ? "StreamPhysicalWindowDeduplicate" : "StreamPhysicalWindowRank",
        *node));
    WR_TRY(refuse_proctime(ctx, span, w, first_row ? "Window Deduplication" : "Window TopN"));
    WR_TRY(other_keys(ctx, p, o, w, &keys, &count));
    WR_TRY(wri_phys_hash(ctx, p, node, keys, count));
    wr_pnode *n = wri_phys_node(p, first_row ? WR_P_WINDOW_DEDUPLICATE : WR_P_WINDOW_RANK,
                                rel->schema, node, 1);
    WR_TRY_ALLOC(ctx, n);
    WR_TRY(own_windowing(ctx, p, w, &n->windows[0]));
    if (first_row) {
        n->schema = (*node)->schema;
        n->u.dedup.keys = keys;
        n->u.dedup.key_count = count;
        n->u.dedup.time_col = o->order[0].col;
        n->u.dedup.rowtime = true;
        n->u.dedup.keep_last = o->order[0].desc;
        return wri_phys_derive(ctx, p, n, node);
    }
    n->u.rank.partition = keys;
    n->u.rank.partition_count = count;
    n->u.rank.order = o->order;
    n->u.rank.order_count = o->order_count;
    n->u.rank.first = k->first;
    n->u.rank.last = k->last;
    n->u.rank.last_col = -1;
    n->u.rank.number = k->number;
    return wri_phys_derive(ctx, p, n, node);
}
