/* SPDX-License-Identifier: Apache-2.0 */
/* Projections: two in a row become one (unless that would evaluate something twice that is not
 * deterministic, or blow the expressions up), one that changes nothing but names goes away, and
 * a limit comes before a projection that keeps its sort keys. */
#include "plan/rule_int.h"

#define MERGED_NODES_MAX 20000u

static bool
count_node(wri_visit *v, const wr_expr *e, uint32_t depth)
{
    (void)e;
    (void)depth;
    return ++*(uint32_t *)v->arg < MERGED_NODES_MAX;
}

static uint32_t
size_of(const wr_expr *e)
{
    uint32_t n = 0;
    wri_visit v = {count_node, &n};
    wri_rex_visit(&v, e, 0);
    return n;
}

typedef struct uses {
    const wr_rel *inner;
    uint32_t *sizes;
    uint64_t total;
    bool blocked;
} uses;

static bool
see_use(wri_visit *v, const wr_expr *e, uint32_t depth)
{
    uses *u = v->arg;
    (void)depth;
    u->total++;
    if (e->kind != WR_EX_COLUMN) return true;
    u->total += u->sizes[e->index];
    if (!wr_expr_is_deterministic(u->inner->u.project.exprs[e->index])) u->blocked = true;
    return true;
}

static wr_status
can_merge(wri_rules *r, const wr_rel *outer, const wr_rel *inner, bool *out)
{
    uses u = {inner, WR_NEW_N(r->a, uint32_t, inner->schema.count + 1), 0, false};
    WR_TRY_ALLOC(r->ctx, u.sizes);
    for (uint32_t i = 0; i < inner->schema.count; i++)
        u.sizes[i] = size_of(inner->u.project.exprs[i]);
    wri_visit v = {see_use, &u};
    for (uint32_t i = 0; i < outer->schema.count; i++)
        wri_rex_visit(&v, outer->u.project.exprs[i], 0);
    bool renames = true; /* an outer projection that only picks columns may pick RAND() once */
    uint64_t *seen = WR_NEW_N(r->a, uint64_t, WR_BIT_WORDS(inner->schema.count) + 1);
    WR_TRY_ALLOC(r->ctx, seen);
    for (uint32_t i = 0; i < outer->schema.count; i++) {
        const wr_expr *e = outer->u.project.exprs[i];
        if (e->kind != WR_EX_COLUMN || wr_bit_get(seen, e->index)) {
            renames = renames && e->kind == WR_EX_LITERAL;
            continue;
        }
        wr_bit_set(seen, e->index);
    }
    *out = (!u.blocked || renames) && u.total < MERGED_NODES_MAX;
    return WR_OK;
}

bool
wri_rel_is_identity(const wr_rel *rel)
{
    if (rel->kind != WR_REL_PROJECT || rel->schema.count != rel->inputs[0]->schema.count)
        return false;
    for (uint32_t i = 0; i < rel->schema.count; i++) {
        const wr_expr *e = rel->u.project.exprs[i];
        if (e->kind != WR_EX_COLUMN || e->index != i) return false;
        if (!wr_type_eq(rel->schema.fields[i].type, rel->inputs[0]->schema.fields[i].type) ||
            rel->schema.fields[i].type->attr != rel->inputs[0]->schema.fields[i].type->attr)
            return false;
    }
    return true;
}

static wr_status
merge(wri_rules *r, wr_rel *rel)
{
    for (;;) {
        wr_rel *inner = rel->inputs[0];
        bool ok = false;
        if (inner->kind != WR_REL_PROJECT) return WR_OK;
        WR_TRY(can_merge(r, rel, inner, &ok));
        if (!ok) return WR_OK;
        wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, rel->schema.count + 1);
        WR_TRY_ALLOC(r->ctx, exprs);
        for (uint32_t i = 0; i < rel->schema.count; i++) {
            exprs[i] = wr_expr_substitute(r->a, rel->u.project.exprs[i], inner->u.project.exprs);
            WR_TRY_ALLOC(r->ctx, exprs[i]);
        }
        rel->u.project.exprs = exprs;
        rel->u.project.plain &= inner->u.project.plain;
        rel->inputs[0] = inner->inputs[0];
    }
}

static bool
all_columns(const wr_rel *project)
{
    for (uint32_t i = 0; i < project->schema.count; i++)
        if (project->u.project.exprs[i]->kind != WR_EX_COLUMN) return false;
    return true;
}

/* May the projection below a sort move above it? Where a filter is below as well, picking columns
 * costs nothing and stays. */
static bool
may_sort_first(const wr_rel *sort)
{
    const wr_rel *project = sort->inputs[0];
    if (project->kind != WR_REL_PROJECT) return false;
    if (project->inputs[0]->kind == WR_REL_FILTER && all_columns(project)) return false;
    for (uint32_t i = 0; i < sort->u.sort.key_count; i++)
        if (project->u.project.exprs[sort->u.sort.keys[i].col]->kind != WR_EX_COLUMN) return false;
    for (uint32_t i = 0; i < project->schema.count; i++)
        if (!wr_expr_is_deterministic(project->u.project.exprs[i])) return false;
    return true;
}

static wr_status
sort_first(wri_rules *r, wr_rel *sort, wr_rel **out)
{
    wr_rel *project = sort->inputs[0], *above;
    uint32_t n = sort->u.sort.key_count;
    wr_order_key *keys = WR_NEW_N(r->a, wr_order_key, n + 1);
    WR_TRY_ALLOC(r->ctx, keys);
    for (uint32_t i = 0; i < n; i++) {
        keys[i] = sort->u.sort.keys[i];
        keys[i].col = project->u.project.exprs[keys[i].col]->index;
    }
    above = wri_rel_copy(r->a, project);
    WR_TRY_ALLOC(r->ctx, above);
    sort->u.sort.keys = keys;
    sort->inputs[0] = project->inputs[0];
    sort->schema = sort->inputs[0]->schema;
    above->inputs[0] = sort;
    *out = above;
    return WR_OK;
}

/* With a limit, fewer rows are computed then; without, when another projection follows. */
static wr_status
order_sort(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    *out = rel;
    if (r->pruned) return WR_OK;
    if (rel->kind == WR_REL_SORT)
        return (rel->u.sort.fetch >= 0 || rel->u.sort.offset > 0) && may_sort_first(rel)
                   ? sort_first(r, rel, out)
                   : WR_OK;
    wr_rel *sort = rel->inputs[0];
    if (rel->kind != WR_REL_PROJECT || sort->kind != WR_REL_SORT || !may_sort_first(sort) ||
        !all_columns(sort->inputs[0]))
        return WR_OK;
    wr_rel *copy = wri_rel_copy(r->a, sort);
    WR_TRY_ALLOC(r->ctx, copy);
    return sort_first(r, copy, &rel->inputs[0]);
}

/* A filter over plain columns: one calc does both, the filter first. */
static wr_status
filter_first(wri_rules *r, wr_rel *filter, wr_rel **out)
{
    wr_rel *project = filter->inputs[0], *above;
    *out = filter;
    if (project->kind != WR_REL_PROJECT) return WR_OK;
    if (!all_columns(project)) return WR_OK;
    filter->u.filter.cond =
        wr_expr_substitute(r->a, filter->u.filter.cond, project->u.project.exprs);
    WR_TRY_ALLOC(r->ctx, filter->u.filter.cond);
    above = wri_rel_copy(r->a, project);
    WR_TRY_ALLOC(r->ctx, above);
    filter->inputs[0] = project->inputs[0];
    filter->schema = filter->inputs[0]->schema;
    above->inputs[0] = filter;
    *out = above;
    return WR_OK;
}

/* Where a SELECT below a filter only picks columns of calls with OVER and of its input, in their
 * order, plans call the calls by their places: $2. */
static wr_status
number_calls(wri_rules *r, wr_rel *project)
{
    const wr_rel *over = project->inputs[0]->inputs[0];
    const uint32_t n = project->schema.count, calls = over->inputs[0]->schema.count;
    if (n >= over->schema.count || !all_columns(project)) return WR_OK;
    for (uint32_t i = 1; i < n; i++)
        if (project->u.project.exprs[i]->index <= project->u.project.exprs[i - 1]->index)
            return WR_OK;
    wr_field *f = WR_NEW_N(r->a, wr_field, n + 1);
    WR_TRY_ALLOC(r->ctx, f);
    for (uint32_t i = 0; i < n; i++) {
        f[i] = project->schema.fields[i];
        if (project->u.project.exprs[i]->index < calls) continue;
        f[i].name = wr_arena_printf(r->a, "$%u", i);
        WR_TRY_ALLOC(r->ctx, f[i].name.ptr);
    }
    project->schema.fields = f;
    return WR_OK;
}

static bool
is_numbered(const wr_rel *rel)
{
    if (rel->kind != WR_REL_PROJECT || rel->inputs[0]->kind != WR_REL_FILTER ||
        rel->inputs[0]->inputs[0]->kind != WR_REL_OVER)
        return false;
    for (uint32_t i = 0; i < rel->schema.count; i++)
        if (rel->schema.fields[i].name.len > 1 && rel->schema.fields[i].name.ptr[0] == '$')
            return true;
    return false;
}

/* Does it call the number of a row, which a filter below fixes to one, by another name? Then there
 * will be a projection with that constant. */
static bool
names_number(const wr_rel *project)
{
    const wr_rel *filter = project->inputs[0];
    if (filter->kind != WR_REL_FILTER || filter->inputs[0]->kind != WR_REL_OVER) return false;
    const wr_rel *over = filter->inputs[0];
    const uint32_t last = over->schema.count - 1;
    const wr_expr *e = filter->u.filter.cond;
    return over->inputs[0]->schema.count == last && wri_rex_is_call(e, "=") &&
           e->args[0]->kind == WR_EX_COLUMN && e->args[0]->index == last &&
           e->args[1]->kind == WR_EX_LITERAL &&
           !wr_str_eq(project->schema.fields[last].name, over->schema.fields[last].name);
}

wr_status
wri_rule_projects(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    wr_rel *copy = wri_rel_copy(r->a, rel);
    WR_TRY_ALLOC(r->ctx, copy);
    for (uint32_t i = 0; i < copy->input_count; i++)
        WR_TRY(wri_rule_projects(r, rel->inputs[i], &copy->inputs[i]));
    *out = copy;
    if (copy->kind == WR_REL_SORT) return order_sort(r, copy, out);
    if (copy->kind == WR_REL_FILTER) return filter_first(r, copy, out);
    if (copy->kind != WR_REL_PROJECT) return WR_OK;
    WR_TRY(order_sort(r, copy, out));
    if (wri_rel_is_identity(copy) && is_numbered(copy->inputs[0])) { /* SELECT * around it */
        *out = copy->inputs[0];
        return WR_OK;
    }
    WR_TRY(merge(r, copy));
    if (copy->u.project.calls && copy->inputs[0]->kind == WR_REL_FILTER &&
        copy->inputs[0]->inputs[0]->kind == WR_REL_OVER)
        WR_TRY(number_calls(r, copy));
    if (!wri_rel_is_identity(copy) || names_number(copy)) return WR_OK;
    *out = copy->inputs[0];
    if ((*out)->kind == WR_REL_FILTER && !copy->u.project.plain) {
        *out = wri_rel_copy(r->a, *out);
        WR_TRY_ALLOC(r->ctx, *out);
        (*out)->u.filter.projected = true;
    }
    return WR_OK;
}
