/* SPDX-License-Identifier: Apache-2.0 */
/* Walking relations with their expressions and the sub-queries inside, with the depth of
 * correlation (see rule_int.h). Maps make deep copies; visits change nothing. */
#include "plan/rule_int.h"

/* ---- maps ------------------------------------------------------------------------------------ */
static wr_expr **
map_exprs(wri_map *m, wr_expr *const *exprs, uint32_t n, uint32_t depth)
{
    wr_expr **copy = WR_NEW_N(m->a, wr_expr *, n + 1);
    if (!copy) {
        m->failed = true;
        return NULL;
    }
    for (uint32_t i = 0; i < n; i++) copy[i] = exprs[i] ? wri_rex_map(m, exprs[i], depth) : NULL;
    return copy;
}

static wr_expr ***
map_rows(wri_map *m, wr_expr ***rows, uint32_t n, uint32_t width, uint32_t depth)
{
    wr_expr ***copy = WR_NEW_N(m->a, wr_expr **, n + 1);
    if (!copy) {
        m->failed = true;
        return NULL;
    }
    for (uint32_t i = 0; i < n; i++) copy[i] = map_exprs(m, rows[i], width, depth);
    return copy;
}

wr_expr *
wri_rex_map(wri_map *m, const wr_expr *e, uint32_t depth)
{
    if (!e) m->failed = true;
    wr_expr *done = e ? m->fn(m, e, depth) : NULL;
    if (done || m->failed) return done;
    wr_expr *copy = WR_NEW(m->a, wr_expr);
    if (!copy) {
        m->failed = true;
        return NULL;
    }
    *copy = *e;
    copy->args = map_exprs(m, e->args, e->arg_count, depth);
    if (e->kind == WR_EX_SUBQUERY) copy->rel = wri_rel_map(m, e->rel, depth + 1);
    return m->failed ? NULL : copy;
}

wr_rel *
wri_rel_map_node(wri_map *m, const wr_rel *rel, uint32_t depth)
{
    wr_rel *copy = wri_rel_copy(m->a, rel);
    if (!copy) {
        m->failed = true;
        return NULL;
    }
    switch ((wr_rel_kind)rel->kind) {
    case WR_REL_VALUES:
        copy->u.values.rows =
            map_rows(m, rel->u.values.rows, rel->u.values.row_count, rel->schema.count, depth);
        break;
    case WR_REL_PROJECT:
        copy->u.project.exprs = map_exprs(m, rel->u.project.exprs, rel->schema.count, depth);
        break;
    case WR_REL_FILTER:
        copy->u.filter.cond = wri_rex_map(m, rel->u.filter.cond, depth);
        break;
    case WR_REL_JOIN:
        if (rel->u.join.cond) copy->u.join.cond = wri_rex_map(m, rel->u.join.cond, depth);
        break;
    case WR_REL_CORRELATE:
        copy->u.correlate.call = wri_rex_map(m, rel->u.correlate.call, depth);
        if (rel->u.correlate.cond)
            copy->u.correlate.cond = wri_rex_map(m, rel->u.correlate.cond, depth);
        break;
    case WR_REL_WATERMARK:
        copy->u.watermark.expr = wri_rex_map(m, rel->u.watermark.expr, depth);
        break;
    case WR_REL_EXPAND:
        copy->u.expand.rows =
            map_rows(m, rel->u.expand.rows, rel->u.expand.set_count, rel->schema.count, depth);
        break;
    case WR_REL_SCAN:
    case WR_REL_AGGREGATE:
    case WR_REL_SETOP:
    case WR_REL_SORT:
    case WR_REL_OVER:
    case WR_REL_WINDOW_TVF:
    case WR_REL_MATCH:
    case WR_REL_CHANGELOG:
    case WR_REL_SINK:
        break;
    }
    return m->failed ? NULL : copy;
}

static bool
opens_level(const wr_rel *rel, uint32_t input)
{
    return rel->kind == WR_REL_JOIN && rel->u.join.lateral && input == 1;
}

wr_rel *
wri_rel_map(wri_map *m, const wr_rel *rel, uint32_t depth)
{
    wr_rel *copy = wri_rel_map_node(m, rel, depth);
    for (uint32_t i = 0; copy && i < copy->input_count; i++)
        copy->inputs[i] = wri_rel_map(m, rel->inputs[i], depth + opens_level(rel, i));
    return m->failed ? NULL : copy;
}

/* ---- visits ---------------------------------------------------------------------------------- */
void
wri_rex_visit(wri_visit *v, const wr_expr *e, uint32_t depth)
{
    if (!e || !v->fn(v, e, depth)) return;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (e->args[i]) wri_rex_visit(v, e->args[i], depth);
    if (e->kind == WR_EX_SUBQUERY) wri_rel_visit(v, e->rel, depth + 1);
}

static void
visit_rows(wri_visit *v, wr_expr ***rows, uint32_t n, uint32_t width, uint32_t depth)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t c = 0; c < width; c++)
            if (rows[i][c]) wri_rex_visit(v, rows[i][c], depth);
}

void
wri_rel_visit_node(wri_visit *v, const wr_rel *rel, uint32_t depth)
{
    switch ((wr_rel_kind)rel->kind) {
    case WR_REL_VALUES:
        visit_rows(v, rel->u.values.rows, rel->u.values.row_count, rel->schema.count, depth);
        break;
    case WR_REL_PROJECT:
        for (uint32_t i = 0; i < rel->schema.count; i++)
            wri_rex_visit(v, rel->u.project.exprs[i], depth);
        break;
    case WR_REL_FILTER:
        wri_rex_visit(v, rel->u.filter.cond, depth);
        break;
    case WR_REL_JOIN:
        if (rel->u.join.cond) wri_rex_visit(v, rel->u.join.cond, depth);
        break;
    case WR_REL_CORRELATE:
        wri_rex_visit(v, rel->u.correlate.call, depth);
        if (rel->u.correlate.cond) wri_rex_visit(v, rel->u.correlate.cond, depth);
        break;
    case WR_REL_WATERMARK:
        wri_rex_visit(v, rel->u.watermark.expr, depth);
        break;
    case WR_REL_EXPAND:
        visit_rows(v, rel->u.expand.rows, rel->u.expand.set_count, rel->schema.count, depth);
        break;
    case WR_REL_SCAN:
    case WR_REL_AGGREGATE:
    case WR_REL_SETOP:
    case WR_REL_SORT:
    case WR_REL_OVER:
    case WR_REL_WINDOW_TVF:
    case WR_REL_MATCH:
    case WR_REL_CHANGELOG:
    case WR_REL_SINK:
        break;
    }
}

void
wri_rel_visit(wri_visit *v, const wr_rel *rel, uint32_t depth)
{
    wri_rel_visit_node(v, rel, depth);
    for (uint32_t i = 0; i < rel->input_count; i++)
        wri_rel_visit(v, rel->inputs[i], depth + opens_level(rel, i));
}

/* ---- questions ------------------------------------------------------------------------------- */
/* Is e a column of the row that the walk's root sees? */
static bool
own_column(const wr_expr *e, uint32_t depth)
{
    return depth == 0 ? e->kind == WR_EX_COLUMN : e->kind == WR_EX_OUTER && e->level == depth;
}

typedef struct outer_query {
    bool exact, found; /* exact: leaves the tree by one level only */
} outer_query;

static bool
see_outer(wri_visit *v, const wr_expr *e, uint32_t depth)
{
    outer_query *q = v->arg;
    if (e->kind == WR_EX_OUTER && (q->exact ? e->level == depth + 1 : e->level > depth))
        q->found = true;
    return !q->found;
}

bool
wri_rel_is_correlated(const wr_rel *rel)
{
    outer_query q = {true, false};
    wri_visit v = {see_outer, &q};
    wri_rel_visit(&v, rel, 0);
    return q.found;
}

bool
wri_rex_is_correlated(const wr_expr *e)
{
    outer_query q = {true, false};
    wri_visit v = {see_outer, &q};
    wri_rex_visit(&v, e, 0);
    return q.found;
}

bool
wri_rel_has_outer(const wr_rel *rel)
{
    outer_query q = {false, false};
    wri_visit v = {see_outer, &q};
    wri_rel_visit(&v, rel, 0);
    return q.found;
}

static bool
see_subquery(wri_visit *v, const wr_expr *e, uint32_t depth)
{
    (void)depth;
    if (e->kind == WR_EX_SUBQUERY) *(bool *)v->arg = true;
    return !*(bool *)v->arg;
}

bool
wri_rex_has_subquery(const wr_expr *e)
{
    bool found = false;
    wri_visit v = {see_subquery, &found};
    wri_rex_visit(&v, e, 0);
    return found;
}

bool
wri_rel_has_subquery(const wr_rel *rel)
{
    bool found = false;
    wri_visit v = {see_subquery, &found};
    wri_rel_visit_node(&v, rel, 0);
    return found;
}

static bool
see_cols(wri_visit *v, const wr_expr *e, uint32_t depth)
{
    if (own_column(e, depth)) wr_bit_set(v->arg, e->index);
    return true;
}

void
wri_rex_cols(const wr_expr *e, uint64_t *set)
{
    wri_visit v = {see_cols, set};
    wri_rex_visit(&v, e, 0);
}

typedef struct col_range {
    uint32_t lo, hi;
    bool any;
} col_range;

static bool
see_range(wri_visit *v, const wr_expr *e, uint32_t depth)
{
    col_range *r = v->arg;
    if (own_column(e, depth)) {
        if (!r->any || e->index < r->lo) r->lo = e->index;
        if (!r->any || e->index > r->hi) r->hi = e->index;
        r->any = true;
    }
    return true;
}

bool
wri_rex_col_range(const wr_expr *e, uint32_t *lo, uint32_t *hi)
{
    col_range r = {0, 0, false};
    wri_visit v = {see_range, &r};
    wri_rex_visit(&v, e, 0);
    *lo = r.lo;
    *hi = r.hi;
    return r.any;
}

/* ---- renumbering ----------------------------------------------------------------------------- */
static wr_expr *
copy_indexed(wri_map *m, const wr_expr *e, uint32_t index, uint32_t level)
{
    wr_expr *c = WR_NEW(m->a, wr_expr);
    if (!c) {
        m->failed = true;
        return NULL;
    }
    *c = *e;
    c->index = index;
    c->level = level;
    return c;
}

static wr_expr *
shift_outer(wri_map *m, const wr_expr *e, uint32_t depth)
{
    if (e->kind != WR_EX_OUTER || e->level <= depth) return NULL;
    return copy_indexed(m, e, e->index, (uint32_t)((int64_t)e->level + *(int32_t *)m->arg));
}

wr_rel *
wri_rel_shift_outer(wr_arena *a, const wr_rel *rel, int32_t by)
{
    wri_map m = {a, shift_outer, &by, false};
    wr_rel *copy = wri_rel_map(&m, rel, 0);
    return m.failed ? NULL : copy;
}

static wr_expr *
shift_cols(wri_map *m, const wr_expr *e, uint32_t depth)
{
    if (!own_column(e, depth)) return NULL;
    return copy_indexed(m, e, (uint32_t)((int64_t)e->index + *(int32_t *)m->arg), e->level);
}

wr_expr *
wri_rex_shift_cols(wr_arena *a, const wr_expr *e, int32_t by)
{
    wri_map m = {a, shift_cols, &by, false};
    wr_expr *copy = wri_rex_map(&m, e, 0);
    return m.failed ? NULL : copy;
}

static wr_expr *
remap_cols(wri_map *m, const wr_expr *e, uint32_t depth)
{
    if (!own_column(e, depth)) return NULL;
    return copy_indexed(m, e, ((const uint32_t *)m->arg)[e->index], e->level);
}

wr_expr *
wri_rex_map_cols(wr_arena *a, const wr_expr *e, const uint32_t *to)
{
    wri_map m = {a, remap_cols, (void *)(uintptr_t)to, false};
    wr_expr *copy = wri_rex_map(&m, e, 0);
    return m.failed ? NULL : copy;
}
