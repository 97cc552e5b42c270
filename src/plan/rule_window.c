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

static void
prefer(const uint32_t *cols, uint32_t count, int32_t *col, uint32_t *other)
{
    if (*other == 0 || find_position(cols, count, *col) >= 0) return;
    const int32_t second = (int32_t)*other - 1;
    if (find_position(cols, count, second) < 0) return;
    *other = (uint32_t)(*col + 1);
    *col = second;
}

void
wri_windows_prefer(wr_windowing *w, const uint32_t *cols, uint32_t count)
{
    prefer(cols, count, &w->start_col, &w->other_start);
    prefer(cols, count, &w->end_col, &w->other_end);
    prefer(cols, count, &w->window_time_col, &w->other_time);
}

bool
wri_rel_is_window_agg(const wr_rel *rel, wr_windowing *out)
{
    if (rel->kind != WR_REL_AGGREGATE || !wri_rel_windows(rel->inputs[0], out)) return false;
    const uint32_t *keys = rel->u.agg.keys, n = rel->u.agg.key_count;
    wri_windows_prefer(out, keys, n);
    if (find_position(keys, n, out->start_col) < 0 || find_position(keys, n, out->end_col) < 0)
        return false;
    return out->spec.kind != WR_WINDOW_SESSION || groups_session(rel, out);
}

/* Where a projection has a column of its input; -1: nowhere. */
static int32_t
find_projected(const void *of, int32_t col)
{
    const wr_rel *rel = of;
    for (uint32_t i = 0; col >= 0 && i < rel->schema.count; i++) {
        const wr_expr *e = rel->u.project.exprs[i];
        if (e->kind == WR_EX_COLUMN && e->index == (uint32_t)col) return (int32_t)i;
    }
    return -1;
}

static int32_t
find_expanded(const void *of, int32_t col)
{
    const wr_rel *rel = of;
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

static void
map_column(int32_t (*find)(const void *of, int32_t col), const void *of, int32_t *col,
           uint32_t *other)
{
    const int32_t first = find(of, *col), second = *other ? find(of, (int32_t)*other - 1) : -1;
    *col = first >= 0 ? first : second;
    *other = first >= 0 && second >= 0 ? (uint32_t)second + 1 : 0;
}

void
wri_windows_map(wr_windowing *w, int32_t (*find)(const void *of, int32_t col), const void *of)
{
    map_column(find, of, &w->start_col, &w->other_start);
    map_column(find, of, &w->end_col, &w->other_end);
    map_column(find, of, &w->window_time_col, &w->other_time);
}

static bool
map_windows(const wr_rel *rel, int32_t (*find)(const void *, int32_t), wr_windowing *w)
{
    wri_windows_map(w, find, rel);
    return has_both(w);
}

/* ---- joins by windows ------------------------------------------------------------------------ */
typedef struct joined { /* what a condition asks for */
    wr_arena *a;
    uint32_t left_width;
    wr_windowing *l, *r;
    bool start, end, *failed;
    wri_expr_list *rest;
} joined;

/* Is {x, y} this column of the left side and this one of the right? Then they come first. */
static bool
match_columns(const joined *j, uint32_t x, uint32_t y, int32_t *l, uint32_t *l_other, int32_t *r,
              uint32_t *r_other)
{
    if (x > y) {
        const uint32_t t = x;
        x = y;
        y = t;
    }
    if (x >= j->left_width || y < j->left_width) return false;
    y -= j->left_width;
    if (*l != (int32_t)x && *l_other != x + 1) return false;
    if (*r != (int32_t)y && *r_other != y + 1) return false;
    prefer(&x, 1, l, l_other);
    prefer(&y, 1, r, r_other);
    return true;
}

static void
look_at_conjuncts(joined *j, wr_expr *e)
{
    if (!e) return;
    if (e->kind == WR_EX_AND) {
        for (uint32_t i = 0; i < e->arg_count; i++) look_at_conjuncts(j, e->args[i]);
        return;
    }
    if (wri_rex_is_call(e, "=") && e->args[0]->kind == WR_EX_COLUMN &&
        e->args[1]->kind == WR_EX_COLUMN) {
        const uint32_t x = e->args[0]->index, y = e->args[1]->index;
        const bool start = match_columns(j, x, y, &j->l->start_col, &j->l->other_start,
                                         &j->r->start_col, &j->r->other_start);
        const bool end = match_columns(j, x, y, &j->l->end_col, &j->l->other_end, &j->r->end_col,
                                       &j->r->other_end);
        j->start |= start;
        j->end |= end;
        if (start || end) return;
    }
    if (j->rest && !wr_list_push(j->a, j->rest, e)) *j->failed = true;
}

bool
wri_windows_joined(wr_arena *a, wr_expr *cond, uint32_t left_width, wr_windowing *l,
                   wr_windowing *r, wri_expr_list *rest, bool *failed)
{
    joined j = {.a = a, .left_width = left_width, .l = l, .r = r, .rest = rest, .failed = failed};
    if (!wri_window_spec_equal(&l->spec, &r->spec)) return false;
    look_at_conjuncts(&j, cond);
    return j.start && j.end;
}

static bool
join_windows(const wr_rel *rel, wr_windowing *out)
{
    wr_windowing r;
    if (rel->u.join.temporal || !wri_rel_windows(rel->inputs[0], out) ||
        !wri_rel_windows(rel->inputs[1], &r) ||
        !wri_windows_joined(NULL, rel->u.join.cond, rel->inputs[0]->schema.count, out, &r, NULL,
                            NULL))
        return false;
    wri_windows_beside(out, &r, rel->inputs[0]->schema.count, rel->u.join.type);
    return true;
}

void
wri_windows_beside(wr_windowing *l, const wr_windowing *r, uint32_t left_width, uint8_t type)
{
    l->other_start = l->other_end = l->other_time = 0;
    if (type == WR_JOIN_SEMI || type == WR_JOIN_ANTI) return;
    l->other_start = left_width + (uint32_t)r->start_col + 1;
    l->other_end = left_width + (uint32_t)r->end_col + 1;
    if (r->window_time_col < 0) return;
    const uint32_t time = left_width + (uint32_t)r->window_time_col;
    if (l->window_time_col < 0)
        l->window_time_col = (int32_t)time;
    else
        l->other_time = time + 1;
}

bool
wri_rel_is_window_join(const wr_rel *rel)
{
    wr_windowing w;
    return rel->kind == WR_REL_JOIN && join_windows(rel, &w);
}

static bool
aggregate_windows(const wr_rel *rel, wr_windowing *w)
{
    const uint32_t *keys = rel->u.agg.keys, n = rel->u.agg.key_count;
    if (!wri_rel_is_window_agg(rel, w) || w->spec.grouped) return false;
    w->start_col = find_position(keys, n, w->start_col);
    w->end_col = find_position(keys, n, w->end_col);
    w->window_time_col = find_position(keys, n, w->window_time_col);
    w->other_start = w->other_end = w->other_time = 0;
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
    case WR_REL_JOIN: /* a row that is padded has no window on that side */
        if (rel->u.join.type == WR_JOIN_FULL || rel->u.join.type == WR_JOIN_RIGHT ||
            !join_windows(rel, out))
            return false;
        if (rel->u.join.type == WR_JOIN_LEFT)
            out->other_start = out->other_end = out->other_time = 0;
        return true;
    default:
        return false;
    }
}
