/* SPDX-License-Identifier: Apache-2.0 */
/* Which columns of a relation are the start, the end and the time of a window, and by which
 * function: they come from a window table function and travel through whatever hands rows on, and
 * through aggregates that group by start and end. */
#include "plan/rule_int.h"
#include "plan/window.h"

bool
wri_window_spec_equal(const wr_window_spec *a, const wr_window_spec *b)
{
    return a->kind == b->kind && a->size_ms == b->size_ms && a->slide_ms == b->slide_ms &&
           a->offset_ms == b->offset_ms && a->rowtime == b->rowtime && a->time->id == b->time->id;
}

static int32_t
find_position(const uint32_t *cols, uint32_t count, int32_t col)
{
    for (uint32_t i = 0; col >= 0 && i < count; i++)
        if (cols[i] == (uint32_t)col) return (int32_t)i;
    return -1;
}

static bool
has_both(const wr_windowing *w)
{
    return w->start_col >= 0 && w->end_col >= 0;
}

/* The column of the window table function's input that column `col` of rel is; -1: none. */
static int32_t
trace_column(const wr_rel *rel, uint32_t col)
{
    for (;; rel = rel->inputs[0]) {
        const wr_expr *e = NULL;
        switch ((int)rel->kind) {
        case WR_REL_WINDOW_TVF:
            return col < rel->inputs[0]->schema.count ? (int32_t)col : -1;
        case WR_REL_PROJECT:
            e = rel->u.project.exprs[col];
            break;
        case WR_REL_EXPAND:
            for (uint32_t s = 0; s < rel->u.expand.set_count; s++)
                if (rel->u.expand.rows[s][col]->kind != WR_EX_COLUMN) return -1;
            e = rel->u.expand.rows[0][col];
            break;
        case WR_REL_AGGREGATE:
            if (col >= rel->u.agg.key_count) return -1;
            col = rel->u.agg.keys[col];
            continue;
        case WR_REL_FILTER:
        case WR_REL_SORT:
        case WR_REL_CORRELATE:
        case WR_REL_OVER:
            if (col >= rel->inputs[0]->schema.count) return -1;
            continue;
        default:
            return -1;
        }
        if (e->kind != WR_EX_COLUMN) return -1;
        col = e->index;
    }
}

/* Sessions are of a key: an aggregate by them groups by exactly that key. */
static bool
groups_session(const wr_rel *rel, const wr_windowing *w)
{
    const uint32_t *keys = rel->u.agg.keys;
    uint32_t others = 0;
    for (uint32_t k = 0; k < rel->u.agg.key_count; k++) {
        const int32_t col = (int32_t)keys[k];
        if (col == w->start_col || col == w->end_col || col == w->window_time_col) continue;
        const int32_t from = trace_column(rel->inputs[0], keys[k]);
        if (find_position(w->spec.keys, w->spec.key_count, from) < 0) return false;
        others++;
    }
    return others == w->spec.key_count;
}

bool
wri_rel_is_window_agg(const wr_rel *rel, wr_windowing *out)
{
    if (rel->kind != WR_REL_AGGREGATE || !wri_rel_windows(rel->inputs[0], out)) return false;
    const uint32_t *keys = rel->u.agg.keys, n = rel->u.agg.key_count;
    if (find_position(keys, n, out->start_col) < 0 || find_position(keys, n, out->end_col) < 0)
        return false;
    return out->spec.kind != WR_WINDOW_SESSION || groups_session(rel, out);
}

/* Where a projection has a column of its input; -1: nowhere. */
static int32_t
find_projected(const wr_rel *rel, int32_t col)
{
    for (uint32_t i = 0; col >= 0 && i < rel->schema.count; i++) {
        const wr_expr *e = rel->u.project.exprs[i];
        if (e->kind == WR_EX_COLUMN && e->index == (uint32_t)col) return (int32_t)i;
    }
    return -1;
}

static int32_t
find_expanded(const wr_rel *rel, int32_t col)
{
    for (uint32_t i = 0; col >= 0 && i < rel->schema.count; i++) {
        bool plain = true;
        for (uint32_t s = 0; s < rel->u.expand.set_count; s++) {
            const wr_expr *e = rel->u.expand.rows[s][i];
            plain = plain && e->kind == WR_EX_COLUMN && e->index == (uint32_t)col;
        }
        if (plain) return (int32_t)i;
    }
    return -1;
}

static bool
map_windows(const wr_rel *rel, int32_t (*find)(const wr_rel *, int32_t), wr_windowing *w)
{
    w->start_col = find(rel, w->start_col);
    w->end_col = find(rel, w->end_col);
    w->window_time_col = find(rel, w->window_time_col);
    return has_both(w);
}

static bool
aggregate_windows(const wr_rel *rel, wr_windowing *w)
{
    const uint32_t *keys = rel->u.agg.keys, n = rel->u.agg.key_count;
    if (!wri_rel_is_window_agg(rel, w)) return false;
    w->start_col = find_position(keys, n, w->start_col);
    w->end_col = find_position(keys, n, w->end_col);
    w->window_time_col = find_position(keys, n, w->window_time_col);
    return true;
}

/* The same windows of all inputs. */
static bool
union_windows(const wr_rel *rel, wr_windowing *w)
{
    if (rel->u.setop.op != WR_SETOP_UNION || !rel->u.setop.all ||
        !wri_rel_windows(rel->inputs[0], w))
        return false;
    for (uint32_t i = 1; i < rel->input_count; i++) {
        wr_windowing o;
        if (!wri_rel_windows(rel->inputs[i], &o) || o.start_col != w->start_col ||
            o.end_col != w->end_col || o.window_time_col != w->window_time_col ||
            !wri_window_spec_equal(&o.spec, &w->spec))
            return false;
    }
    return true;
}

bool
wri_rel_windows(const wr_rel *rel, wr_windowing *out)
{
    switch ((int)rel->kind) {
    case WR_REL_WINDOW_TVF: {
        const int32_t first = (int32_t)rel->inputs[0]->schema.count;
        *out = (wr_windowing){.spec = *rel->u.tvf.spec,
                              .time_col = -1,
                              .start_col = first,
                              .end_col = first + 1,
                              .window_time_col = first + 2};
        return true;
    }
    case WR_REL_PROJECT:
        return wri_rel_windows(rel->inputs[0], out) && map_windows(rel, find_projected, out);
    case WR_REL_EXPAND:
        return wri_rel_windows(rel->inputs[0], out) && map_windows(rel, find_expanded, out);
    case WR_REL_FILTER:
    case WR_REL_CORRELATE:
    case WR_REL_OVER:
        return wri_rel_windows(rel->inputs[0], out);
    case WR_REL_SORT:
        return rel->u.sort.fetch < 0 && rel->u.sort.offset == 0 &&
               wri_rel_windows(rel->inputs[0], out);
    case WR_REL_AGGREGATE:
        return aggregate_windows(rel, out);
    case WR_REL_SETOP:
        return union_windows(rel, out);
    default:
        return false;
    }
}
