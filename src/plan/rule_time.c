/* SPDX-License-Identifier: Apache-2.0 */
/* Which columns still are time attributes. The binder gives every column the type that a user sees:
 * a join of two tables with event time shows both as *ROWTIME*. But rows leave a regular join, an
 * aggregate or a computation in an order that no watermark bounds, so there the attribute ends;
 * what plans and sinks rely on is what this pass leaves in the schemas. */
#include "plan/changelog_fn.h"
#include "plan/rule_int.h"
#include "plan/timed_int.h"
#include "plan/window.h"

static bool
is_proctime(const wr_expr *e)
{
    return wri_rex_is_call(e, "PROCTIME");
}

/* The time of a window stays an attribute through an aggregate by windows. -1: there is none. */
static int32_t
kept_time(const wr_rel *rel)
{
    wr_windowing w;
    const bool window = rel->kind == WR_REL_AGGREGATE
                            ? wri_rel_is_window_agg(rel, &w)
                            : rel->kind == WR_REL_EXPAND && wri_rel_windows(rel, &w) &&
                                  wri_rel_windows(rel->inputs[0], &w);
    return window ? w.window_time_col : -1;
}

static wr_timeattr
grouped_attr(const wr_rel *rel, uint32_t c)
{
    const int32_t time = kept_time(rel);
    if (time < 0 || c >= rel->u.agg.key_count || rel->u.agg.keys[c] != (uint32_t)time)
        return WR_ATTR_NONE;
    return (wr_timeattr)rel->inputs[0]->schema.fields[time].type->attr;
}

/* Of a window table function: those of its input, and that of the time column for window_time. */
static wr_timeattr
window_attr(const wr_rel *rel, uint32_t c)
{
    const wr_schema *in = &rel->inputs[0]->schema;
    if (c < in->count) return (wr_timeattr)in->fields[c].type->attr;
    if (c < in->count + 2) return WR_ATTR_NONE;
    return (wr_timeattr)in->fields[rel->u.tvf.time_col].type->attr;
}

static wr_timeattr
changelog_attr(const wr_rel *rel, uint32_t c)
{
    const wr_changelog_spec *s = rel->u.changelog;
    const wr_schema *in = &rel->inputs[0]->schema;
    if (s->from) return (wr_timeattr)in->fields[c + (c >= s->op_col)].type->attr;
    if (c == 0) return WR_ATTR_NONE;
    if (c == in->count + 1) return (wr_timeattr)in->fields[s->time_col].type->attr;
    return (wr_timeattr)in->fields[c - 1].type->attr;
}

/* Does every copy of the row have this column of the input? */
static wr_timeattr
expanded_attr(const wr_rel *rel, uint32_t c)
{
    const int32_t time = kept_time(rel);
    for (uint32_t s = 0; s < rel->u.expand.set_count; s++) {
        const wr_expr *e = rel->u.expand.rows[s][c];
        if (time < 0 || e->kind != WR_EX_COLUMN || e->index != (uint32_t)time) return WR_ATTR_NONE;
    }
    return (wr_timeattr)rel->inputs[0]->schema.fields[time].type->attr;
}

/* In a union, of which the first branch has an event time: that of another branch, cast to its
 * type. There it may be a plain column. */
static bool
is_retyped_time(const wr_expr *e)
{
    return e->kind == WR_EX_CAST && e->type->attr == WR_ATTR_ROWTIME;
}

/* The attribute of column c of rel, whose inputs have been treated; `timed`: a join by time, whose
 * rows keep their order by time. */
static wr_timeattr
attr_of(const wr_rel *rel, uint32_t c, bool timed)
{
    const wr_schema *in = rel->input_count ? &rel->inputs[0]->schema : NULL;
    wr_timeattr own = (wr_timeattr)rel->schema.fields[c].type->attr;
    switch ((wr_rel_kind)rel->kind) {
    case WR_REL_OVER:
        return c < in->count ? (wr_timeattr)in->fields[c].type->attr : WR_ATTR_NONE;
    case WR_REL_SCAN:
    case WR_REL_MATCH:
    case WR_REL_SINK:
        return own;
    case WR_REL_WINDOW_TVF:
        return window_attr(rel, c);
    case WR_REL_CHANGELOG:
        return changelog_attr(rel, c);
    case WR_REL_AGGREGATE:
        return grouped_attr(rel, c);
    case WR_REL_EXPAND:
        return expanded_attr(rel, c);
    case WR_REL_WATERMARK:
        return c == rel->u.watermark.col ? own : (wr_timeattr)in->fields[c].type->attr;
    case WR_REL_FILTER:
    case WR_REL_SORT:
        return (wr_timeattr)in->fields[c].type->attr;
    case WR_REL_CORRELATE:
        return c < in->count ? (wr_timeattr)in->fields[c].type->attr : WR_ATTR_NONE;
    case WR_REL_PROJECT: {
        const wr_expr *e = rel->u.project.exprs[c];
        if (e->kind == WR_EX_COLUMN) return (wr_timeattr)in->fields[e->index].type->attr;
        return is_proctime(e) || is_retyped_time(e) ? own : WR_ATTR_NONE;
    }
    case WR_REL_SETOP:
        for (uint32_t i = 1; i < rel->input_count; i++)
            if (rel->inputs[i]->schema.fields[c].type->attr != in->fields[c].type->attr)
                return WR_ATTR_NONE;
        return (wr_timeattr)in->fields[c].type->attr;
    case WR_REL_JOIN:
        if (!timed) return WR_ATTR_NONE;
        if (c < in->count) return (wr_timeattr)in->fields[c].type->attr;
        return (wr_timeattr)rel->inputs[1]->schema.fields[c - in->count].type->attr;
    case WR_REL_VALUES: /* without a row: what is left of a query whose condition never holds */
        return rel->u.values.row_count ? WR_ATTR_NONE : own;
    }
    return WR_ATTR_NONE;
}

/* ---- casts: where an attribute ends, plans say so -------------------------------------------- */
static wr_expr *
end_column(wri_map *m, const wr_expr *e, uint32_t depth)
{
    if (depth || e->kind != WR_EX_COLUMN || e->type->attr != WR_ATTR_ROWTIME) return NULL;
    const wr_type *t = wri_rel_type_plain(m->a, e->type);
    wr_expr *x = wri_rex_new(m->a, WR_EX_CAST, t, e->span); /* the types differ in nothing else */
    wr_expr **args = WR_NEW_N(m->a, wr_expr *, 1);
    if (!x || !args) {
        m->failed = true;
        return NULL;
    }
    args[0] = (wr_expr *)(uintptr_t)e;
    x->args = args;
    x->arg_count = 1;
    return x;
}

/* Columns of inputs that have been cast. */
static wr_expr *
retype_column(wri_map *m, const wr_expr *e, uint32_t depth)
{
    if (depth || e->kind != WR_EX_COLUMN || e->type->attr != WR_ATTR_ROWTIME) return NULL;
    wr_expr *c = WR_NEW(m->a, wr_expr);
    if (c) {
        *c = *e;
        c->type = wri_rel_type_plain(m->a, e->type);
    }
    if (!c || !c->type) m->failed = true;
    return c;
}

static wr_status
map_exprs(wri_rules *r, wr_expr *(*fn)(wri_map *, const wr_expr *, uint32_t), wr_expr **e)
{
    wri_map m = {r->a, fn, NULL, false};
    if (!*e) return WR_OK;
    *e = wri_rex_map(&m, *e, 0);
    WR_TRY_ALLOC(r->ctx, *e);
    return WR_OK;
}

/* All but column `keep`. */
static wr_status
end_input(wri_rules *r, wr_rel **in, int32_t keep)
{
    uint32_t n = (*in)->schema.count;
    bool any = false;
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, n + 1);
    wr_str *names = WR_NEW_N(r->a, wr_str, n + 1);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, names);
    for (uint32_t i = 0; i < n; i++) {
        const bool ends = (int32_t)i != keep;
        any = any || (ends && (*in)->schema.fields[i].type->attr == WR_ATTR_ROWTIME);
        names[i] = (*in)->schema.fields[i].name;
        exprs[i] = wri_rex_col(r->a, *in, i);
        if (ends) WR_TRY(map_exprs(r, end_column, &exprs[i]));
        WR_TRY_ALLOC(r->ctx, exprs[i]);
    }
    if (!any) return WR_OK;
    *in = wri_rel_project(r->a, *in, exprs, names, n);
    WR_TRY_ALLOC(r->ctx, *in);
    return WR_OK;
}

static wr_status
retype_rows(wri_rules *r, wr_rel *rel, int32_t keep)
{
    uint32_t n = rel->u.expand.set_count, width = rel->schema.count;
    wr_expr ***rows = WR_NEW_N(r->a, wr_expr **, n + 1);
    WR_TRY_ALLOC(r->ctx, rows);
    for (uint32_t s = 0; s < n; s++) {
        rows[s] = WR_NEW_N(r->a, wr_expr *, width + 1);
        WR_TRY_ALLOC(r->ctx, rows[s]);
        for (uint32_t i = 0; i < width; i++) {
            rows[s][i] = rel->u.expand.rows[s][i];
            if (rows[s][i]->kind == WR_EX_COLUMN && (int32_t)rows[s][i]->index == keep) continue;
            WR_TRY(map_exprs(r, retype_column, &rows[s][i]));
        }
    }
    rel->u.expand.rows = rows;
    return WR_OK;
}

static wr_status
end_attributes(wri_rules *r, wr_rel *rel, bool timed)
{
    switch ((int)rel->kind) {
    case WR_REL_PROJECT: {
        wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, rel->schema.count + 1);
        WR_TRY_ALLOC(r->ctx, exprs);
        for (uint32_t i = 0; i < rel->schema.count; i++) {
            exprs[i] = rel->u.project.exprs[i];
            if (exprs[i]->kind == WR_EX_COLUMN || is_retyped_time(exprs[i])) continue;
            WR_TRY(map_exprs(r, end_column, &exprs[i]));
        }
        rel->u.project.exprs = exprs;
        return WR_OK;
    }
    case WR_REL_FILTER:
        return map_exprs(r, end_column, &rel->u.filter.cond);
    case WR_REL_JOIN:
        if (timed) return WR_OK;
        for (uint32_t i = 0; i < 2; i++) WR_TRY(end_input(r, &rel->inputs[i], -1));
        return map_exprs(r, retype_column, &rel->u.join.cond);
    case WR_REL_AGGREGATE:
        return end_input(r, &rel->inputs[0], kept_time(rel));
    case WR_REL_EXPAND: {
        const int32_t time = kept_time(rel);
        WR_TRY(end_input(r, &rel->inputs[0], time));
        return retype_rows(r, rel, time);
    }
    default:
        return WR_OK;
    }
}

/* The sink's event time is the one rowtime column that arrives. */
static wr_status
check_sink(wri_rules *r, const wr_rel *rel)
{
    const wr_schema *query = &rel->inputs[0]->schema;
    wr_str mode = wr_config_str(r->env->config, "table.exec.sink.rowtime-inserter");
    wr_text names;
    uint32_t count = 0;
    wr_text_init(&names, r->a);
    for (uint32_t i = 0; i < query->count; i++) {
        if (query->fields[i].type->attr != WR_ATTR_ROWTIME) continue;
        wr_text_printf(&names, "%s%.*s", count++ ? ", " : "", WR_STR_ARG(query->fields[i].name));
    }
    if (count < 2 || r->env->batch || wr_str_eq_nocase(mode, WR_STR("DISABLED"))) return WR_OK;
    const wr_table_id *id = &rel->u.sink.table->id;
    return wr_raise_at(
        r->ctx, WR_SEMANTIC, rel->inputs[0]->span,
        "The query contains more than one rowtime attribute column [%.*s] for "
        "writing into table '%.*s.%.*s.%.*s'.\nPlease select the column that should "
        "be used as the event-time timestamp for the table sink by casting all other "
        "columns to regular TIMESTAMP or TIMESTAMP_LTZ.",
        WR_STR_ARG(wr_text_str(&names)), WR_STR_ARG(id->catalog), WR_STR_ARG(id->database),
        WR_STR_ARG(id->name));
}

/* A join by time, whose time attributes go on. */
static wr_status
find_timed(wri_rules *r, const wr_rel *rel, bool *out)
{
    wr_interval_spec spec;
    wr_expr *rest;
    *out = rel->kind == WR_REL_JOIN && rel->u.join.temporal;
    if (rel->kind != WR_REL_JOIN || *out) return WR_OK;
    *out = !r->env->batch && wri_rel_is_window_join(rel);
    return *out ? WR_OK : wri_interval_of(r->ctx, r->env, rel, out, &spec, &rest);
}

/* Above a temporal join the times of the versions are plain columns. */
static wr_status
end_right(wri_rules *r, wr_rel **join)
{
    const uint32_t lw = (*join)->inputs[0]->schema.count, n = (*join)->schema.count;
    bool any = false;
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, n + 1);
    wr_str *names = WR_NEW_N(r->a, wr_str, n + 1);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, names);
    for (uint32_t i = 0; i < n; i++) {
        names[i] = (*join)->schema.fields[i].name;
        exprs[i] = wri_rex_col(r->a, *join, i);
        WR_TRY_ALLOC(r->ctx, exprs[i]);
        if (i < lw || exprs[i]->type->attr != WR_ATTR_ROWTIME) continue;
        any = true;
        WR_TRY(map_exprs(r, end_column, &exprs[i]));
    }
    if (!any) return WR_OK;
    *join = wri_rel_project(r->a, *join, exprs, names, n);
    WR_TRY_ALLOC(r->ctx, *join);
    return WR_OK;
}

/* A filter above a temporal join goes below that projection. */
static wr_status
below_casts(wri_rules *r, wr_rel *filter, wr_rel **out)
{
    wr_rel *casts = wri_rel_copy(r->a, filter->inputs[0]);
    WR_TRY_ALLOC(r->ctx, casts);
    wr_expr *cond = wr_expr_substitute(r->a, filter->u.filter.cond, casts->u.project.exprs);
    WR_TRY_ALLOC(r->ctx, cond);
    casts->inputs[0] = wri_rel_filter(r->a, casts->inputs[0], cond);
    WR_TRY_ALLOC(r->ctx, casts->inputs[0]);
    *out = casts;
    return WR_OK;
}

wr_status
wri_rule_times(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    bool timed;
    wr_rel *copy = wri_rel_copy(r->a, rel);
    wr_field *fields = WR_NEW_N(r->a, wr_field, rel->schema.count + 1);
    WR_TRY_ALLOC(r->ctx, copy);
    WR_TRY_ALLOC(r->ctx, fields);
    for (uint32_t i = 0; i < rel->input_count; i++)
        WR_TRY(wri_rule_times(r, rel->inputs[i], &copy->inputs[i]));
    WR_TRY(find_timed(r, copy, &timed));
    if (copy->kind == WR_REL_JOIN) copy->u.join.regular = !timed;
    WR_TRY(end_attributes(r, copy, timed));
    for (uint32_t c = 0; c < rel->schema.count; c++) {
        wr_timeattr attr = attr_of(copy, c, timed);
        fields[c] = rel->schema.fields[c];
        if (fields[c].type->attr == attr) continue;
        fields[c].type = wr_type_attr(r->a, fields[c].type, attr);
        WR_TRY_ALLOC(r->ctx, fields[c].type);
    }
    copy->schema.fields = fields;
    *out = copy;
    if (rel->kind == WR_REL_JOIN && rel->u.join.temporal) return end_right(r, out);
    if (rel->kind == WR_REL_FILTER && rel->inputs[0]->kind == WR_REL_JOIN &&
        copy->inputs[0]->kind == WR_REL_PROJECT)
        return below_casts(r, copy, out);
    return rel->kind == WR_REL_SINK ? check_sink(r, copy) : WR_OK;
}
