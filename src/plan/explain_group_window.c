/* SPDX-License-Identifier: Apache-2.0 */
/* Group windows in the syntax tree of EXPLAIN: Flink's converter has a call $TUMBLE(time, size)
 * among the columns below the aggregate, which is a key by its place in GROUP BY, and
 * TUMBLE_START($0) and so on above. Here a window function below the aggregate gives start, end and
 * time as last keys. */
#include "plan/explain_int.h"
#include "plan/rule_int.h"
#include "plan/window.h"

static const wr_fn calls[3][4] = {
    {{.name = "$TUMBLE"},
     {.name = "TUMBLE_START"},
     {.name = "TUMBLE_END"},
     {.name = "TUMBLE_ROWTIME"}},
    {{.name = "$HOP"}, {.name = "HOP_START"}, {.name = "HOP_END"}, {.name = "HOP_ROWTIME"}},
    {{.name = "$SESSION"},
     {.name = "SESSION_START"},
     {.name = "SESSION_END"},
     {.name = "SESSION_ROWTIME"}},
};

static const wr_fn *
fn_of(const wr_window_spec *s, uint32_t which)
{
    return &calls[s->kind == WR_WINDOW_SESSION ? 2 : s->kind == WR_WINDOW_HOP][which];
}

/* The window function below an aggregate by GROUP BY TUMBLE(...), or NULL. */
static const wr_rel *
window_of(const wr_rel *agg)
{
    if (agg->kind != WR_REL_AGGREGATE || agg->inputs[0]->kind != WR_REL_WINDOW_TVF) return NULL;
    const wr_rel *tvf = agg->inputs[0];
    return tvf->u.tvf.spec->grouped && agg->u.agg.key_count >= 3 ? tvf : NULL;
}

static wr_expr *
call(wr_arena *a, const wr_fn *fn, wr_expr *arg, const wr_window_spec *s, const wr_type *type)
{
    wr_expr *e = wri_rex_new(a, WR_EX_CALL, type, arg->span);
    wr_expr **args = WR_NEW_N(a, wr_expr *, s->length_count + 1);
    if (!e || !args) return NULL;
    args[0] = arg;
    for (uint32_t i = 0; i < s->length_count; i++)
        args[i + 1] = (wr_expr *)(uintptr_t)s->lengths[i];
    e->fn = fn;
    e->args = args;
    e->arg_count = strncmp(fn->name, "$", 1) == 0 ? s->length_count + 1 : 1;
    return e;
}

/* ---- above: columns of the aggregate --------------------------------------------------------- */
typedef struct moves {
    const wr_window_spec *spec;
    uint32_t keys; /* without those of the window */
} moves;

static wr_expr *
move(wri_map *m, const wr_expr *e, uint32_t depth)
{
    const moves *to = m->arg;
    if (depth || e->kind != WR_EX_COLUMN) return NULL;
    const uint32_t i = e->index, k = to->keys, at = to->spec->at;
    if (i >= k && i < k + 3) {
        wr_expr *col = wr_expr_column(m->a, at, e->type, e->span);
        wr_expr *c = col ? call(m->a, fn_of(to->spec, i - k + 1), col, to->spec, e->type) : NULL;
        if (!c) m->failed = true;
        return c;
    }
    return wr_expr_column(m->a, i < k ? i + (i >= at) : i - 2, e->type, e->span);
}

wr_status
wri_view_above_group_window(wri_rules *r, const wr_rel *below, wr_expr **exprs, uint32_t n)
{
    if (below->kind == WR_REL_FILTER) below = below->inputs[0];
    const wr_rel *tvf = window_of(below);
    if (!tvf) return WR_OK;
    moves to = {.spec = tvf->u.tvf.spec, .keys = below->u.agg.key_count - 3};
    for (uint32_t i = 0; i < n; i++) {
        wri_map m = {.a = r->a, .fn = move, .arg = &to};
        exprs[i] = wri_rex_map(&m, exprs[i], 0);
        WR_TRY_ALLOC(r->ctx, exprs[i]);
    }
    return WR_OK;
}

/* ---- below ----------------------------------------------------------------------------------- */
static wr_status
project_window(wri_rules *r, const wr_rel *tvf, wr_rel **out)
{
    wr_rel *in = tvf->inputs[0];
    const wr_window_spec *s = tvf->u.tvf.spec;
    const bool own = in->kind == WR_REL_PROJECT && !in->block;
    const uint32_t n = in->schema.count, time = tvf->u.tvf.time_col;
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, n + 1);
    wr_str *names = WR_NEW_N(r->a, wr_str, n + 1);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, names);
    for (uint32_t i = 0; i < n; i++) {
        exprs[i] = own ? in->u.project.exprs[i] : wri_rex_col(r->a, in, i);
        names[i] = in->schema.fields[i].name;
        WR_TRY_ALLOC(r->ctx, exprs[i]);
    }
    exprs[time] = call(r->a, fn_of(s, 0), exprs[time], s, exprs[time]->type);
    names[time] = wr_arena_printf(r->a, "$f%u", time);
    WR_TRY_ALLOC(r->ctx, exprs[time]);
    WR_TRY_ALLOC(r->ctx, names[time].ptr);
    *out = wri_rel_project(r->a, own ? in->inputs[0] : in, exprs, names, n);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

/* `agg`: the view's own copy. */
wr_status
wri_view_group_window(wri_rules *r, wr_rel *agg)
{
    const wr_rel *tvf = window_of(agg);
    if (!tvf) return WR_OK;
    const uint32_t n = agg->u.agg.key_count - 3, aggs = agg->schema.count - n - 3;
    const uint32_t at = tvf->u.tvf.spec->at;
    uint32_t *keys = WR_NEW_N(r->a, uint32_t, n + 2);
    wr_field *f = WR_NEW_N(r->a, wr_field, n + aggs + 2);
    WR_TRY_ALLOC(r->ctx, keys);
    WR_TRY_ALLOC(r->ctx, f);
    for (uint32_t i = 0; i < n; i++) {
        keys[i + (i >= at)] = agg->u.agg.keys[i];
        f[i + (i >= at)] = agg->schema.fields[i];
    }
    keys[at] = tvf->u.tvf.time_col;
    f[at] = agg->schema.fields[n + 2];
    for (uint32_t i = 0; i < aggs; i++) f[n + 1 + i] = agg->schema.fields[n + 3 + i];
    WR_TRY(project_window(r, tvf, &agg->inputs[0]));
    agg->u.agg.keys = keys;
    agg->u.agg.key_count = n + 1;
    agg->schema = (wr_schema){f, n + 1 + aggs};
    return WR_OK;
}
