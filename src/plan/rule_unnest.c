/* SPDX-License-Identifier: Apache-2.0 */
/* Decorrelation, the general way: "unnesting arbitrary queries" of Neumann and Kemper.
 *
 * D is the set of distinct values of the outer columns that the inner relation uses. The inner
 * relation is rewritten from the leaves up to compute, for every row of D, what it gave for one
 * outer row; D's columns are carried along at the end of every row. The result is joined back to
 * the outer side on equality of those columns (NULL equal to NULL). D reads the outer side a second
 * time. */
#include "plan/rule_int.h"

typedef struct unnest {
    wri_rules *r;
    wr_rel *domain;
    const uint32_t *outer; /* outer column -> column of the domain */
} unnest;

static wr_status walk(unnest *u, wr_rel *rel, wr_rel **out);

/* ---- expressions: outer columns of level 1 become columns of D ------------------------------- */
typedef struct outer_map {
    const unnest *u;
    uint32_t at;             /* D's first column in the row */
    const uint32_t *columns; /* old column -> new one; NULL = same */
} outer_map;

static wr_expr *
to_domain(wri_map *m, const wr_expr *e, uint32_t depth)
{
    const outer_map *o = m->arg;
    if (depth || (e->kind != WR_EX_OUTER && e->kind != WR_EX_COLUMN)) return NULL;
    wr_expr *c = WR_NEW(m->a, wr_expr);
    if (!c) {
        m->failed = true;
        return NULL;
    }
    *c = *e;
    if (e->kind == WR_EX_COLUMN) {
        if (o->columns) c->index = o->columns[e->index];
    } else if (e->level == 1) {
        c->kind = WR_EX_COLUMN;
        c->level = 0;
        c->index = o->at + o->u->outer[e->index];
    } /* further out: the caller shifts all levels at the end */
    return c;
}

static wr_expr *
map_outer(unnest *u, const wr_expr *e, uint32_t at, const uint32_t *columns)
{
    outer_map o = {u, at, columns};
    wri_map m = {u->r->a, to_domain, &o, false};
    wr_expr *copy = wri_rex_map(&m, e, 0);
    return m.failed ? NULL : copy;
}

/* D's columns of `rel`, which stand at its end, equal to D's columns at `other` of a joined row. */
static wr_status
same_domain(unnest *u, const wr_schema *row, uint32_t at, uint32_t other, wr_expr *cond,
            wr_expr **out)
{
    *out = cond;
    for (uint32_t i = 0; i < u->domain->schema.count; i++) {
        wr_expr *x = wr_expr_column(u->r->a, at + i, row->fields[at + i].type, WR_NO_SPAN);
        wr_expr *y = wr_expr_column(u->r->a, other + i, row->fields[other + i].type, WR_NO_SPAN);
        wr_expr *eq = NULL;
        WR_TRY(wri_rex_call2(u->r, "IS NOT DISTINCT FROM", x, y, &eq));
        WR_TRY(wri_rex_and2(u->r, *out, eq, out));
    }
    return WR_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */
static wr_status walk_values(unnest *u, wr_rel *rel, wr_rel **out);

static wr_status
plain(unnest *u, wr_rel *rel, wr_rel **out)
{
    if (rel->kind == WR_REL_VALUES && rel->u.values.row_count == 1) return walk_values(u, rel, out);
    *out = wri_rel_join(u->r->a, WR_JOIN_INNER, rel, u->domain, NULL);
    WR_TRY_ALLOC(u->r->ctx, *out);
    return WR_OK;
}

static wr_status
walk_project(unnest *u, wr_rel *rel, wr_rel **out)
{
    wr_arena *a = u->r->a;
    uint32_t n = rel->schema.count, d = u->domain->schema.count;
    WR_TRY(walk(u, rel->inputs[0], out));
    uint32_t at = (*out)->schema.count - d;
    wr_expr **exprs = WR_NEW_N(a, wr_expr *, n + d + 1);
    wr_str *names = WR_NEW_N(a, wr_str, n + d + 1);
    WR_TRY_ALLOC(u->r->ctx, exprs);
    WR_TRY_ALLOC(u->r->ctx, names);
    for (uint32_t i = 0; i < n + d; i++) {
        names[i] = i < n ? rel->schema.fields[i].name : (*out)->schema.fields[at + i - n].name;
        exprs[i] = i < n ? map_outer(u, rel->u.project.exprs[i], at, NULL)
                         : wri_rex_col(a, *out, at + i - n);
        WR_TRY_ALLOC(u->r->ctx, exprs[i]);
    }
    *out = wri_rel_project(a, *out, exprs, names, n + d);
    WR_TRY_ALLOC(u->r->ctx, *out);
    return WR_OK;
}

static wr_status
walk_filter(unnest *u, wr_rel *rel, wr_rel **out)
{
    WR_TRY(walk(u, rel->inputs[0], out));
    wr_expr *cond =
        map_outer(u, rel->u.filter.cond, (*out)->schema.count - u->domain->schema.count, NULL);
    WR_TRY_ALLOC(u->r->ctx, cond);
    *out = wri_rel_filter(u->r->a, *out, cond);
    WR_TRY_ALLOC(u->r->ctx, *out);
    return WR_OK;
}

/* An aggregate without keys gives a row even for no rows: D, left join the groups. */
static wr_status
complete_groups(unnest *u, wr_rel *agg, uint32_t agg_count, wr_rel **out)
{
    wr_arena *a = u->r->a;
    uint32_t d = u->domain->schema.count;
    wr_rel *row = wri_rel_join(a, WR_JOIN_LEFT, u->domain, agg, NULL);
    WR_TRY_ALLOC(u->r->ctx, row);
    wr_expr *cond = NULL, **exprs = WR_NEW_N(a, wr_expr *, agg_count + d + 1);
    WR_TRY_ALLOC(u->r->ctx, exprs);
    WR_TRY(same_domain(u, &row->schema, 0, d, NULL, &cond));
    row = wri_rel_join(a, WR_JOIN_LEFT, u->domain, agg, cond);
    WR_TRY_ALLOC(u->r->ctx, row);
    for (uint32_t i = 0; i < agg_count; i++)
        WR_TRY(
            wri_rule_or_zero(u->r, &agg->u.agg.aggs[i], wri_rex_col(a, row, d + d + i), &exprs[i]));
    for (uint32_t i = 0; i < d; i++) exprs[agg_count + i] = wri_rex_col(a, row, i);
    *out = wri_rel_project(a, row, exprs, NULL, agg_count + d);
    WR_TRY_ALLOC(u->r->ctx, *out);
    return WR_OK;
}

static wr_status
walk_aggregate(unnest *u, wr_rel *rel, wr_rel **out)
{
    wr_arena *a = u->r->a;
    uint32_t d = u->domain->schema.count, k = rel->u.agg.key_count, n = rel->u.agg.agg_count;
    wr_rel *in = NULL;
    WR_TRY(walk(u, rel->inputs[0], &in));
    uint32_t at = in->schema.count - d, *keys = WR_NEW_N(a, uint32_t, k + d + 1);
    WR_TRY_ALLOC(u->r->ctx, keys);
    for (uint32_t i = 0; i < k; i++) keys[i] = rel->u.agg.keys[i];
    for (uint32_t i = 0; i < d; i++) keys[k + i] = at + i;
    wr_rel *agg = wri_rel_aggregate(a, in, keys, k + d, rel->u.agg.aggs, n);
    WR_TRY_ALLOC(u->r->ctx, agg);
    if (k == 0) return complete_groups(u, agg, n, out);
    wr_expr **exprs = WR_NEW_N(a, wr_expr *, k + n + d + 1);
    WR_TRY_ALLOC(u->r->ctx, exprs);
    for (uint32_t i = 0; i < k + n + d; i++) {
        uint32_t col = i < k ? i : i < k + n ? i + d : i - n;
        exprs[i] = wri_rex_col(a, agg, col);
        WR_TRY_ALLOC(u->r->ctx, exprs[i]);
    }
    *out = wri_rel_project(a, agg, exprs, NULL, k + n + d);
    WR_TRY_ALLOC(u->r->ctx, *out);
    return WR_OK;
}

/* Which columns of the joined row are the old left, the old right and D (from the side that has
 * it). */
static wr_status
project_joined(unnest *u, wr_rel *row, uint32_t lw, uint32_t l_now, uint32_t rw, uint32_t domain_at,
               wr_rel **out)
{
    uint32_t d = u->domain->schema.count;
    wr_expr **exprs = WR_NEW_N(u->r->a, wr_expr *, lw + rw + d + 1);
    WR_TRY_ALLOC(u->r->ctx, exprs);
    for (uint32_t i = 0; i < lw + rw + d; i++) {
        uint32_t col = i < lw ? i : i < lw + rw ? i - lw + l_now : domain_at + i - lw - rw;
        exprs[i] = wri_rex_col(u->r->a, row, col);
        WR_TRY_ALLOC(u->r->ctx, exprs[i]);
    }
    *out = wri_rel_project(u->r->a, row, exprs, NULL, lw + rw + d);
    WR_TRY_ALLOC(u->r->ctx, *out);
    return WR_OK;
}

static wr_status
walk_join(unnest *u, wr_rel *rel, wr_rel **out)
{
    wr_arena *a = u->r->a;
    wr_join_type type = rel->u.join.type;
    bool half = type == WR_JOIN_SEMI || type == WR_JOIN_ANTI;
    wr_rel *l = rel->inputs[0], *rr = rel->inputs[1];
    uint32_t d = u->domain->schema.count, lw = l->schema.count, rw = rr->schema.count;
    bool in_cond = rel->u.join.cond && wri_rex_is_correlated(rel->u.join.cond);
    bool right = type == WR_JOIN_RIGHT || type == WR_JOIN_FULL || wri_rel_is_correlated(rr);
    bool left = type != WR_JOIN_RIGHT &&
                (type != WR_JOIN_INNER || !right || wri_rel_is_correlated(l) || in_cond);
    if (type == WR_JOIN_RIGHT) left = wri_rel_is_correlated(l);
    if (left) WR_TRY(walk(u, l, &l));
    if (right) WR_TRY(walk(u, rr, &rr));
    uint32_t l_now = l->schema.count, r_now = rr->schema.count;
    uint32_t *to = WR_NEW_N(a, uint32_t, lw + rw + 1);
    WR_TRY_ALLOC(u->r->ctx, to);
    for (uint32_t c = 0; c < lw + rw; c++) to[c] = c < lw ? c : c - lw + l_now;
    uint32_t l_domain = l_now - d, r_domain = l_now + r_now - d;
    wr_expr *cond = NULL;
    if (rel->u.join.cond) {
        cond = map_outer(u, rel->u.join.cond, left ? l_domain : r_domain, to);
        WR_TRY_ALLOC(u->r->ctx, cond);
    }
    wr_schema row;
    if (!wri_rel_schema_concat(a, &l->schema, false, &rr->schema, false, &row))
        return wr_raise(u->r->ctx, WR_NOMEM, "out of memory");
    if (left && right) WR_TRY(same_domain(u, &row, l_domain, r_domain, cond, &cond));
    wr_rel *join = wri_rel_join(a, type, l, rr, cond);
    WR_TRY_ALLOC(u->r->ctx, join);
    join->u.join.temporal = rel->u.join.temporal;
    join->u.join.lookup = rel->u.join.lookup;
    join->u.join.null_aware = rel->u.join.null_aware && !right;
    if (half) {
        *out = join; /* the left columns, D's at the end */
        return WR_OK;
    }
    if (type != WR_JOIN_FULL)
        return project_joined(u, join, lw, l_now, rw,
                              type == WR_JOIN_RIGHT || !left ? r_domain : l_domain, out);
    WR_TRY(project_joined(u, join, lw, l_now, rw, l_domain, out)); /* whichever side is there */
    for (uint32_t i = 0; i < d; i++) {
        wr_expr **slot = &(*out)->u.project.exprs[lw + rw + i];
        WR_TRY(wri_rex_call2(u->r, "COALESCE", *slot, wri_rex_col(a, join, r_domain + i), slot));
    }
    return WR_OK;
}

static wr_status
walk_setop(unnest *u, wr_rel *rel, wr_rel **out)
{
    wr_rel **in = WR_NEW_N(u->r->a, wr_rel *, rel->input_count);
    WR_TRY_ALLOC(u->r->ctx, in);
    for (uint32_t i = 0; i < rel->input_count; i++) WR_TRY(walk(u, rel->inputs[i], &in[i]));
    *out = wri_rel_union_all(u->r->a, in, rel->input_count);
    WR_TRY_ALLOC(u->r->ctx, *out);
    (*out)->u.setop = rel->u.setop;
    return WR_OK;
}

static wr_status
walk_correlate(unnest *u, wr_rel *rel, wr_rel **out)
{
    wr_arena *a = u->r->a;
    uint32_t lw = rel->inputs[0]->schema.count, rw = rel->schema.count - lw;
    wr_rel *in = NULL;
    WR_TRY(walk(u, rel->inputs[0], &in));
    uint32_t now = in->schema.count, at = now - u->domain->schema.count;
    uint32_t *to = WR_NEW_N(a, uint32_t, lw + rw + 1);
    WR_TRY_ALLOC(u->r->ctx, to);
    for (uint32_t c = 0; c < lw + rw; c++) to[c] = c < lw ? c : c - lw + now;
    wr_expr *call = map_outer(u, rel->u.correlate.call, at, to), *cond = NULL;
    WR_TRY_ALLOC(u->r->ctx, call);
    if (rel->u.correlate.cond) {
        cond = map_outer(u, rel->u.correlate.cond, at, to);
        WR_TRY_ALLOC(u->r->ctx, cond);
    }
    wr_schema columns = {rel->schema.fields + lw, rw};
    wr_rel *row = wri_rel_correlate(a, rel->u.correlate.type, in, call, &columns, cond);
    WR_TRY_ALLOC(u->r->ctx, row);
    return project_joined(u, row, lw, now, rw, at, out);
}

/* VALUES with outer columns: one projection of D for every row. */
static wr_status
walk_values(unnest *u, wr_rel *rel, wr_rel **out)
{
    wr_arena *a = u->r->a;
    uint32_t n = rel->schema.count, d = u->domain->schema.count, rows = rel->u.values.row_count;
    wr_rel **in = WR_NEW_N(a, wr_rel *, rows + 1);
    wr_str *names = WR_NEW_N(a, wr_str, n + d + 1);
    WR_TRY_ALLOC(u->r->ctx, in);
    WR_TRY_ALLOC(u->r->ctx, names);
    for (uint32_t i = 0; i < n + d; i++)
        names[i] = i < n ? rel->schema.fields[i].name : u->domain->schema.fields[i - n].name;
    for (uint32_t k = 0; k < rows; k++) {
        wr_expr **exprs = WR_NEW_N(a, wr_expr *, n + d + 1);
        WR_TRY_ALLOC(u->r->ctx, exprs);
        for (uint32_t i = 0; i < n + d; i++) {
            exprs[i] = i < n ? map_outer(u, rel->u.values.rows[k][i], 0, NULL)
                             : wri_rex_col(a, u->domain, i - n);
            WR_TRY_ALLOC(u->r->ctx, exprs[i]);
        }
        in[k] = wri_rel_project(a, u->domain, exprs, names, n + d);
        WR_TRY_ALLOC(u->r->ctx, in[k]);
    }
    *out = rows == 1 ? in[0] : wri_rel_union_all(a, in, rows);
    WR_TRY_ALLOC(u->r->ctx, *out);
    return WR_OK;
}

/* Every grouping set keeps D; $e stays the last column before it. */
static wr_status
walk_expand(unnest *u, wr_rel *rel, wr_rel **out)
{
    wr_arena *a = u->r->a;
    uint32_t n = rel->schema.count, d = u->domain->schema.count, sets = rel->u.expand.set_count;
    wr_rel *in = NULL;
    WR_TRY(walk(u, rel->inputs[0], &in));
    uint32_t at = in->schema.count - d;
    wr_rel *copy = wri_rel_new(a, WR_REL_EXPAND, &in, 1);
    wr_expr ***rows = WR_NEW_N(a, wr_expr **, sets + 1);
    WR_TRY_ALLOC(u->r->ctx, copy);
    WR_TRY_ALLOC(u->r->ctx, rows);
    if (!wri_rel_schema_concat(a, &rel->schema, false, &u->domain->schema, false, &copy->schema))
        return wr_raise(u->r->ctx, WR_NOMEM, "out of memory");
    for (uint32_t s = 0; s < sets; s++) {
        rows[s] = WR_NEW_N(a, wr_expr *, n + d + 1);
        WR_TRY_ALLOC(u->r->ctx, rows[s]);
        for (uint32_t i = 0; i < n + d; i++) {
            rows[s][i] = i < n ? map_outer(u, rel->u.expand.rows[s][i], at, NULL)
                               : wri_rex_col(a, in, at + i - n);
            WR_TRY_ALLOC(u->r->ctx, rows[s][i]);
        }
    }
    copy->u.expand.rows = rows;
    copy->u.expand.set_count = sets;
    *out = copy;
    return WR_OK;
}

static wr_status
refuse(unnest *u, const wr_rel *rel, const char *what)
{
    return wr_raise_at(u->r->ctx, WR_UNSUPPORTED, rel->span, "not supported yet: %s", what);
}

static wr_status
walk(unnest *u, wr_rel *rel, wr_rel **out)
{
    if (!wri_rel_is_correlated(rel) && rel->kind != WR_REL_AGGREGATE) return plain(u, rel, out);
    switch ((int)rel->kind) {
    case WR_REL_PROJECT:
        return walk_project(u, rel, out);
    case WR_REL_FILTER:
        return walk_filter(u, rel, out);
    case WR_REL_AGGREGATE:
        if (!wri_rel_is_correlated(rel)) return plain(u, rel, out);
        return walk_aggregate(u, rel, out);
    case WR_REL_JOIN:
        return walk_join(u, rel, out);
    case WR_REL_SETOP:
        return walk_setop(u, rel, out);
    case WR_REL_CORRELATE:
        return walk_correlate(u, rel, out);
    case WR_REL_VALUES:
        return walk_values(u, rel, out);
    case WR_REL_SORT:
        if (rel->u.sort.fetch >= 0 || rel->u.sort.offset)
            return refuse(u, rel, "LIMIT or OFFSET in a correlated sub-query");
        return walk(u, rel->inputs[0], out);
    case WR_REL_EXPAND:
        return walk_expand(u, rel, out);
    default:
        return refuse(u, rel, "this correlated sub-query");
    }
}

/* ---- the domain ------------------------------------------------------------------------------ */
static bool
see_outer(wri_visit *v, const wr_expr *e, uint32_t depth)
{
    if (e->kind == WR_EX_OUTER && e->level == depth + 1) wr_bit_set(v->arg, e->index);
    return true;
}

wr_status
wri_rule_unnest(wri_rules *r, wr_rel *left, wr_rel *right, wr_rel **out, uint32_t **outer,
                uint32_t *outer_count)
{
    uint32_t width = left->schema.count, n = 0;
    uint64_t *used = WR_NEW_N(r->a, uint64_t, WR_BIT_WORDS(width) + 1);
    uint32_t *to = WR_NEW_N(r->a, uint32_t, width + 1);
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, width + 1);
    *outer = WR_NEW_N(r->a, uint32_t, width + 1);
    WR_TRY_ALLOC(r->ctx, used);
    WR_TRY_ALLOC(r->ctx, to);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, *outer);
    wri_visit v = {see_outer, used};
    wri_rel_visit(&v, right, 0);
    for (uint32_t c = 0; c < width; c++) {
        if (!wr_bit_get(used, c)) continue;
        to[c] = n;
        (*outer)[n] = c;
        exprs[n] = wri_rex_col(r->a, left, c);
        WR_TRY_ALLOC(r->ctx, exprs[n++]);
    }
    *outer_count = n;
    unnest u = {r, NULL, to};
    u.domain = wri_rel_project(r->a, left, exprs, NULL, n);
    WR_TRY_ALLOC(r->ctx, u.domain);
    u.domain = wri_rel_distinct(r->a, u.domain);
    WR_TRY_ALLOC(r->ctx, u.domain);
    /* D stands at the outer side's level: undo in advance that the caller moves the result there.
     */
    if (wri_rel_has_outer(u.domain)) u.domain = wri_rel_shift_outer(r->a, u.domain, 1);
    WR_TRY_ALLOC(r->ctx, u.domain);
    return walk(&u, right, out);
}
