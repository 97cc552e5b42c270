/* SPDX-License-Identifier: Apache-2.0 */
/* The bound query as Calcite's converter would have built it, for the syntax tree of EXPLAIN only:
 *
 *   - a projection that gives the columns of an aggregate as they are is no node;
 *   - the casts of an INSERT are one projection with the query's own;
 *   - grouping sets belong to the aggregate;
 *   - operands of a join condition that belong to one side are computed below the join;
 *   - EXISTS has no projection, x > ALL q is NOT x <= SOME q, x = ANY q is IN, AND and OR are
 *     flat;
 *   - rows of VALUES that are not all literals are a union of projections.
 *
 * Gives new nodes; the tree that is planned stays as it is. */
#include "plan/explain_int.h"
#include "plan/rule_int.h"

typedef struct view {
    wri_rules r;
    bool folds; /* in a projection: casts of literals are computed */
} view;

static wr_status view_rel(view *v, const wr_rel *rel, wr_rel **out);

/* ---- expressions ----------------------------------------------------------------------------- */

/* x IN (a, b): x = a OR x = b. */
static wr_expr *
in_list(wri_map *m, const wr_expr *in)
{
    view *v = m->arg;
    wr_expr *any = wri_rex_new(m->a, WR_EX_OR, in->type, in->span);
    if (!any || !(any->args = WR_NEW_N(m->a, wr_expr *, in->arg_count))) return NULL;
    for (uint32_t i = 1; i < in->arg_count; i++) {
        wr_expr **one = &any->args[any->arg_count++];
        if (wri_rex_call2(&v->r, "=", in->args[0], in->args[i], one) != WR_OK) return NULL;
    }
    return any;
}

/* The same operator on more operands: those of its operands of the same kind. */
static wr_expr *
flat(wri_map *m, const wr_expr *e)
{
    wri_expr_list all = {0};
    wr_expr *c = WR_NEW(m->a, wr_expr);
    if (!c) return NULL;
    for (uint32_t i = 0; i < e->arg_count; i++) {
        wr_expr *arg = wri_rex_map(m, e->args[i], 0);
        if (arg && e->kind == WR_EX_OR && wri_rex_is_call(arg, "IN")) arg = in_list(m, arg);
        if (!arg) return NULL;
        bool same = arg->kind == e->kind;
        for (uint32_t k = 0; k < (same ? arg->arg_count : 1); k++)
            if (!wr_list_push(m->a, &all, same ? arg->args[k] : arg)) return NULL;
    }
    *c = *e;
    c->args = all.items;
    c->arg_count = all.count;
    return c;
}

static const wr_fn *
inverse(const wr_fn *fn)
{
    static const char *const pairs[][2] = {{"=", "<>"}, {"<", ">="}, {">", "<="}};
    for (uint32_t i = 0; i < WR_COUNT(pairs); i++)
        for (uint32_t k = 0; k < 2; k++)
            if (strcmp(fn->name, pairs[i][k]) == 0)
                return wr_fn_find((wr_str){pairs[i][1 - k], strlen(pairs[i][1 - k])});
    return fn;
}

static wr_expr *
subquery(wri_map *m, const wr_expr *e)
{
    view *v = m->arg;
    wr_expr *c = WR_NEW(m->a, wr_expr), *is = NULL;
    wr_rel *rel = e->rel;
    if (!c) return NULL;
    *c = *e;
    if (e->sub == WR_SUBQ_EXISTS) rel = wri_rel_for_exists(rel);
    if (view_rel(v, rel, &c->rel) != WR_OK) return NULL;
    c->args = WR_NEW_N(m->a, wr_expr *, e->arg_count + 1);
    for (uint32_t i = 0; c->args && i < e->arg_count; i++)
        if (!(c->args[i] = wri_rex_map(m, e->args[i], 0))) return NULL;
    if (!c->args) return NULL;
    if (e->sub == WR_SUBQ_ALL && e->fn) c->fn = inverse(e->fn);
    if (e->sub == WR_SUBQ_ALL || e->sub == WR_SUBQ_ANY)
        c->sub = c->fn && strcmp(c->fn->name, "=") == 0 ? WR_SUBQ_IN : WR_SUBQ_ANY;
    if (e->sub != WR_SUBQ_ALL) return c;
    return wri_rex_call1(&v->r, "NOT", c, &is) == WR_OK ? is : NULL;
}

static bool
is_integer(const wr_type *t)
{
    return t->id >= WR_T_TINYINT && t->id <= WR_T_BIGINT;
}

/* A cast of a literal is a literal of that type; NULL for other casts. */
static wr_expr *
cast_literal(wri_map *m, const wr_expr *e)
{
    const wr_expr *in = e->args[0];
    bool known = in->kind == WR_EX_LITERAL && !e->flag && !in->value.is_null &&
                 ((is_integer(in->type) && is_integer(e->type) && in->type->id <= e->type->id) ||
                  (wr_type_is(in->type, WR_T_CHAR) && wr_type_is(e->type, WR_T_VARCHAR) &&
                   in->type->length <= e->type->length));
    wr_expr *lit = known ? WR_NEW(m->a, wr_expr) : NULL;
    view *v = m->arg;
    if (!known && v->folds && in->kind == WR_EX_LITERAL && !in->value.is_null && !e->flag) {
        wr_ctx quiet;
        wr_ctx_init(&quiet);
        wr_expr *out = NULL;
        if (wr_expr_fold(&quiet, m->a, v->r.env->eval, (wr_expr *)(uintptr_t)e, &out) == WR_OK)
            return out && out->kind == WR_EX_LITERAL ? out : NULL;
        return NULL; /* it fails: for a row to find out */
    }
    if (!lit) {
        m->failed |= known;
        return NULL;
    }
    *lit = *in;
    lit->type = lit->value.type = wr_type_nullable(m->a, e->type, false);
    return e->type->nullable ? wr_expr_cast(m->a, lit, e->type, false, e->span) : lit;
}

static wr_expr *
view_node(wri_map *m, const wr_expr *e, uint32_t depth)
{
    (void)depth;
    wr_expr *to = NULL;
    if (e->kind == WR_EX_CAST) return cast_literal(m, e);
    if (e->kind == WR_EX_AND || e->kind == WR_EX_OR)
        to = flat(m, e);
    else if (e->kind == WR_EX_SUBQUERY)
        to = subquery(m, e);
    else
        return NULL;
    if (!to) m->failed = true;
    return to;
}

static wr_status
view_expr(view *v, const wr_expr *e, wr_expr **out)
{
    wri_map m = {.a = v->r.a, .fn = view_node, .arg = v};
    *out = e ? wri_rex_map(&m, e, 0) : NULL;
    if (e && (m.failed || !*out)) return wr_raise(v->r.ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

static wr_status
view_exprs(view *v, wr_expr *const *exprs, uint32_t n, wr_expr ***out)
{
    *out = WR_NEW_N(v->r.a, wr_expr *, n + 1);
    WR_TRY_ALLOC(v->r.ctx, *out);
    for (uint32_t i = 0; i < n; i++) WR_TRY(view_expr(v, exprs[i], &(*out)[i]));
    return WR_OK;
}

/* ---- projections ----------------------------------------------------------------------------- */
static bool
gives_all_columns(const wr_rel *rel)
{
    if (rel->kind != WR_REL_PROJECT || rel->schema.count != rel->inputs[0]->schema.count)
        return false;
    for (uint32_t i = 0; i < rel->schema.count; i++)
        if (rel->u.project.exprs[i]->kind != WR_EX_COLUMN || rel->u.project.exprs[i]->index != i)
            return false;
    return true;
}

/* Of an aggregate, or of its HAVING. */
static bool
is_grouped(const wr_rel *rel)
{
    return rel->kind == WR_REL_AGGREGATE ||
           (rel->kind == WR_REL_FILTER && rel->inputs[0]->kind == WR_REL_AGGREGATE);
}

/* One node stands for what a SELECT gave. */
static void
take_hints(wr_rel *to, const wr_rel *from)
{
    if (!from->block) return;
    to->block = true;
    to->hints = from->hints;
    to->hint_count = from->hint_count;
}

static wr_status
merge_project(view *v, wr_rel *rel)
{
    const wr_rel *below = rel->inputs[0];
    wr_expr **exprs = WR_NEW_N(v->r.a, wr_expr *, rel->schema.count + 1);
    WR_TRY_ALLOC(v->r.ctx, exprs);
    for (uint32_t i = 0; i < rel->schema.count; i++) {
        exprs[i] = wr_expr_substitute(v->r.a, rel->u.project.exprs[i], below->u.project.exprs);
        WR_TRY_ALLOC(v->r.ctx, exprs[i]);
    }
    rel->u.project.exprs = exprs;
    rel->inputs[0] = below->inputs[0];
    take_hints(rel, below);
    return WR_OK;
}

/* What the INSERT has put above the query: the columns of its list, casts. */
static wr_status
merge_casts(view *v, wr_rel *sink)
{
    wr_rel *top = sink->inputs[0];
    bool more = top->kind == WR_REL_PROJECT && top->u.project.placed;
    while (more && top->inputs[0]->kind == WR_REL_PROJECT) {
        more = top->inputs[0]->u.project.placed;
        WR_TRY(merge_project(v, top));
    }
    return WR_OK;
}

/* ---- grouping sets: the copies of Expand are the aggregate's --------------------------------- */
typedef struct moved { /* where the columns of an aggregate over Expand are without $e */
    uint32_t keys;
    bool used; /* $e itself is asked for */
} moved;

static wr_expr *
move_col(wri_map *m, const wr_expr *e, uint32_t depth)
{
    moved *to = m->arg;
    if (depth || e->kind != WR_EX_COLUMN) return NULL;
    if (e->index == to->keys) to->used = true;
    if (e->index <= to->keys) return NULL;
    return wr_expr_column(m->a, e->index - 1, e->type, e->span);
}

/* Does what stands above the aggregate (up to its projection) refer to $e? */
static wr_status
without_set_number(view *v, wr_rel *rel, wr_rel *agg, bool *done)
{
    moved to = {.keys = agg->u.agg.key_count - 1};
    wri_map m = {.a = v->r.a, .fn = move_col, .arg = &to};
    wr_rel *filter = rel->inputs[0] == agg ? NULL : rel->inputs[0], *above = NULL, *having = NULL;
    above = wri_rel_map_node(&m, rel, 0);
    if (filter) having = wri_rel_map_node(&m, filter, 0);
    if (m.failed || !above || (filter && !having))
        return wr_raise(v->r.ctx, WR_NOMEM, "out of memory");
    *done = !to.used;
    if (to.used) return WR_OK;
    wr_rel *const below = rel->inputs[0];
    rel->u.project.exprs = above->u.project.exprs;
    if (filter) below->u.filter.cond = having->u.filter.cond;
    return WR_OK;
}

static bool
drop_field(wr_arena *a, wr_schema *s, uint32_t col)
{
    wr_field *fields = WR_NEW_N(a, wr_field, s->count);
    if (!fields) return false;
    for (uint32_t i = 0, n = 0; i < s->count; i++)
        if (i != col) fields[n++] = s->fields[i];
    *s = (wr_schema){fields, s->count - 1};
    return true;
}

/* An argument that is a key too has a column of its own in weir only. */
static wr_status
key_arguments(view *v, wr_rel *agg)
{
    const wr_rel *below = agg->inputs[0]->inputs[0];
    for (uint32_t i = 0; i < agg->u.agg.agg_count && below->kind == WR_REL_PROJECT; i++) {
        wr_agg_bound *call = &agg->u.agg.aggs[i];
        wr_expr *const *exprs = below->u.project.exprs;
        uint32_t *args = WR_NEW_N(v->r.a, uint32_t, call->arg_count + 1);
        WR_TRY_ALLOC(v->r.ctx, args);
        for (uint32_t k = 0; k < call->arg_count; k++) {
            args[k] = call->args[k];
            for (uint32_t c = agg->u.agg.key_count; c-- > 0;)
                if (wr_expr_equal(exprs[c], exprs[call->args[k]])) args[k] = c;
        }
        call->args = args;
    }
    return WR_OK;
}

static wr_status
view_grouping_sets(view *v, wr_rel *project)
{
    bool filtered = project->inputs[0]->kind == WR_REL_FILTER, done = false;
    wr_rel *agg = filtered ? project->inputs[0]->inputs[0] : project->inputs[0];
    if (agg->kind != WR_REL_AGGREGATE || agg->inputs[0]->kind != WR_REL_EXPAND) return WR_OK;
    WR_TRY(without_set_number(v, project, agg, &done));
    if (!done) return WR_OK;
    agg->u.agg.key_count--;
    if (!drop_field(v->r.a, &agg->schema, agg->u.agg.key_count) ||
        (filtered && !drop_field(v->r.a, &project->inputs[0]->schema, agg->u.agg.key_count)))
        return wr_raise(v->r.ctx, WR_NOMEM, "out of memory");
    return key_arguments(v, agg);
}

/* Taken over: $e is no key any more. */
const wr_rel *
wri_view_sets(const wr_rel *aggregate)
{
    const wr_rel *in = aggregate->inputs[0];
    bool own = in->kind == WR_REL_EXPAND && in->schema.count > 0 &&
               (aggregate->u.agg.key_count == 0 ||
                aggregate->u.agg.keys[aggregate->u.agg.key_count - 1] != in->schema.count - 1);
    return own ? in : NULL;
}

static wr_status
view_project(view *v, wr_rel *rel, bool grouped, wr_rel **out)
{
    WR_TRY(view_grouping_sets(v, rel));
    if (gives_all_columns(rel) && grouped) *out = rel->inputs[0];
    return WR_OK;
}

/* ---- joins: what belongs to one side is computed there --------------------------------------- */
typedef struct side {
    wri_expr_list exprs;
} side;

typedef struct splitting {
    view *v;
    const wr_rel *join;
    uint32_t left;
    side sides[2];
} splitting;

/* A column of the final join: those of the right move behind what is computed on the left. They are
 * numbered with a gap first: extra column i of side s is GAP * (s + 1) + i. */
#define GAP 0x1000000u

static wr_status
split_operand(splitting *s, wr_expr *e, wr_expr **out)
{
    uint32_t lo = 0, hi = 0;
    *out = e;
    if (e->kind == WR_EX_COLUMN || wri_rex_has_subquery(e) || !wri_rex_col_range(e, &lo, &hi) ||
        (lo < s->left && hi >= s->left))
        return WR_OK;
    uint32_t right = lo >= s->left;
    side *own = &s->sides[right];
    wr_arena *a = s->v->r.a;
    wr_expr *moved_expr = right ? wri_rex_shift_cols(a, e, -(int32_t)s->left) : e;
    *out = wr_expr_column(a, GAP * (right + 1) + own->exprs.count, e->type, e->span);
    if (!moved_expr || !*out || !wr_list_push(a, &own->exprs, moved_expr))
        return wr_raise(s->v->r.ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

/* Only what is compared by = moves. */
static wr_status
split(splitting *s, wr_expr *e)
{
    for (uint32_t i = 0; e->kind == WR_EX_AND && i < e->arg_count; i++)
        WR_TRY(split(s, e->args[i]));
    for (uint32_t i = 0; wri_rex_is_call(e, "=") && i < e->arg_count; i++)
        WR_TRY(split_operand(s, e->args[i], &e->args[i]));
    return WR_OK;
}

static void
settle_col(void *arg, uint32_t *index)
{
    const splitting *s = arg;
    uint32_t extra = s->sides[0].exprs.count, c = *index;
    uint32_t right = s->join->inputs[1]->schema.count;
    if (c >= 2 * GAP)
        *index = s->left + extra + right + (c - 2 * GAP);
    else if (c >= GAP)
        *index = s->left + (c - GAP);
    else if (c >= s->left)
        *index = c + extra;
}

/* A cast keeps the name of its column. */
static wr_str
name_of(const wr_rel *input, const wr_expr *e)
{
    while (e->kind == WR_EX_CAST) e = e->args[0];
    return e->kind == WR_EX_COLUMN ? input->schema.fields[e->index].name : WR_STR("");
}

static wr_status
add_columns(splitting *s, uint32_t which, wr_rel **input)
{
    const side *own = &s->sides[which];
    wr_arena *a = s->v->r.a;
    uint32_t width = (*input)->schema.count, n = width + own->exprs.count;
    wr_expr **exprs = WR_NEW_N(a, wr_expr *, n + 1);
    wr_str *names = WR_NEW_N(a, wr_str, n + 1);
    if (own->exprs.count == 0) return WR_OK;
    WR_TRY_ALLOC(s->v->r.ctx, exprs);
    WR_TRY_ALLOC(s->v->r.ctx, names);
    for (uint32_t i = 0; i < n; i++) {
        exprs[i] = i < width ? wri_rex_col(a, *input, i) : own->exprs.items[i - width];
        WR_TRY_ALLOC(s->v->r.ctx, exprs[i]);
        names[i] = name_of(*input, exprs[i]);
        if (names[i].len == 0) names[i] = wr_arena_printf(a, "$f%u", i);
    }
    if (!wri_rel_names_unique(a, names, n)) return wr_raise(s->v->r.ctx, WR_NOMEM, "out of memory");
    *input = wri_rel_project(a, *input, exprs, names, n);
    WR_TRY_ALLOC(s->v->r.ctx, *input);
    return WR_OK;
}

/* The columns that the join has in the query. */
static wr_status
own_columns(splitting *s, wr_rel *join, const wr_schema *schema, wr_rel **out)
{
    wr_arena *a = s->v->r.a;
    wr_expr **exprs = WR_NEW_N(a, wr_expr *, schema->count + 1);
    wr_str *names = WR_NEW_N(a, wr_str, schema->count + 1);
    WR_TRY_ALLOC(s->v->r.ctx, exprs);
    WR_TRY_ALLOC(s->v->r.ctx, names);
    for (uint32_t i = 0; i < schema->count; i++) {
        uint32_t col = i < s->left ? i : i + s->sides[0].exprs.count;
        exprs[i] = wr_expr_column(a, col, schema->fields[i].type, WR_NO_SPAN);
        names[i] = schema->fields[i].name;
        WR_TRY_ALLOC(s->v->r.ctx, exprs[i]);
    }
    if (!wri_rel_names_unique(a, names, schema->count))
        return wr_raise(s->v->r.ctx, WR_NOMEM, "out of memory");
    *out = wri_rel_project(a, join, exprs, names, schema->count);
    WR_TRY_ALLOC(s->v->r.ctx, *out);
    return WR_OK;
}

static wr_status
view_join(view *v, wr_rel *rel, wr_rel **out)
{
    splitting s = {.v = v, .join = rel, .left = rel->inputs[0]->schema.count};
    if (!rel->u.join.cond || rel->u.join.lateral || rel->u.join.temporal) return WR_OK;
    wr_schema schema = rel->schema;
    WR_TRY(split(&s, rel->u.join.cond));
    if (s.sides[0].exprs.count + s.sides[1].exprs.count == 0) return WR_OK;
    rel->u.join.cond = wr_expr_map_columns(v->r.a, rel->u.join.cond, settle_col, &s);
    WR_TRY_ALLOC(v->r.ctx, rel->u.join.cond);
    for (uint32_t i = 0; i < 2; i++) WR_TRY(add_columns(&s, i, &rel->inputs[i]));
    return own_columns(&s, rel, &schema, out);
}

/* ---- VALUES ---------------------------------------------------------------------------------- */
static wr_expr *
without_cast(wr_expr *e)
{
    while (e->kind == WR_EX_CAST && wr_type_is_string(e->type) &&
           e->args[0]->kind == WR_EX_LITERAL && wr_type_is_string(e->args[0]->type))
        e = e->args[0];
    return e;
}

/* A literal as written; NULL and small numbers of a large type are casts. */
static bool
is_plain(const wr_expr *e)
{
    if (e->kind != WR_EX_LITERAL || e->value.is_null) return false;
    switch (e->type->id) {
    case WR_T_TINYINT:
    case WR_T_SMALLINT:
        return false;
    case WR_T_BIGINT:
        return e->value.u.i > INT32_MAX || e->value.u.i < INT32_MIN;
    default:
        return true;
    }
}

static wr_status
row_projects(view *v, const wr_rel *rel, wr_rel **out)
{
    uint32_t rows = rel->u.values.row_count, cols = rel->schema.count;
    wr_rel **inputs = WR_NEW_N(v->r.a, wr_rel *, rows + 1);
    wr_str *names = WR_NEW_N(v->r.a, wr_str, cols + 1);
    WR_TRY_ALLOC(v->r.ctx, inputs);
    WR_TRY_ALLOC(v->r.ctx, names);
    for (uint32_t c = 0; c < cols; c++) {
        names[c] = wr_arena_printf(v->r.a, "EXPR$%u", c);
        if (rows == 1) names[c] = rel->schema.fields[c].name;
    }
    for (uint32_t i = 0; i < rows; i++) {
        wr_rel *one = wri_rel_one_row(v->r.a);
        WR_TRY_ALLOC(v->r.ctx, one);
        inputs[i] = wri_rel_project(v->r.a, one, rel->u.values.rows[i], names, cols);
        WR_TRY_ALLOC(v->r.ctx, inputs[i]);
    }
    *out = rows == 1 ? inputs[0] : wri_rel_union_all(v->r.a, inputs, rows);
    WR_TRY_ALLOC(v->r.ctx, *out);
    bool same = true;
    for (uint32_t c = 0; c < cols; c++) same &= wr_str_eq(names[c], rel->schema.fields[c].name);
    if (same) return WR_OK;
    wr_expr **exprs = WR_NEW_N(v->r.a, wr_expr *, cols + 1);
    WR_TRY_ALLOC(v->r.ctx, exprs);
    for (uint32_t c = 0; c < cols; c++) {
        names[c] = rel->schema.fields[c].name;
        exprs[c] = wri_rex_col(v->r.a, *out, c);
        WR_TRY_ALLOC(v->r.ctx, exprs[c]);
    }
    *out = wri_rel_project(v->r.a, *out, exprs, names, cols);
    WR_TRY_ALLOC(v->r.ctx, *out);
    return WR_OK;
}

static wr_status
view_values(view *v, wr_rel *rel, wr_rel **out)
{
    uint32_t rows = rel->u.values.row_count, cols = rel->schema.count;
    bool plain = true;
    wr_expr ***copy = WR_NEW_N(v->r.a, wr_expr **, rows + 1);
    WR_TRY_ALLOC(v->r.ctx, copy);
    for (uint32_t i = 0; i < rows; i++) {
        copy[i] = WR_NEW_N(v->r.a, wr_expr *, cols + 1);
        WR_TRY_ALLOC(v->r.ctx, copy[i]);
        for (uint32_t c = 0; c < cols; c++) {
            WR_TRY(view_expr(v, without_cast(rel->u.values.rows[i][c]), &copy[i][c]));
            plain &= is_plain(copy[i][c]);
        }
    }
    rel->u.values.rows = copy;
    return plain || rows == 0 ? WR_OK : row_projects(v, rel, out);
}

/* ---- the tree -------------------------------------------------------------------------------- */
static wr_status
copy_aggs(view *v, wr_rel *rel)
{
    wr_agg_bound *aggs = WR_NEW_N(v->r.a, wr_agg_bound, rel->u.agg.agg_count + 1);
    WR_TRY_ALLOC(v->r.ctx, aggs);
    for (uint32_t i = 0; i < rel->u.agg.agg_count; i++) aggs[i] = rel->u.agg.aggs[i];
    rel->u.agg.aggs = aggs;
    return WR_OK;
}

/* Keys that are unique need no grouping. */
static wr_status
view_distinct(view *v, wr_rel *rel, wr_rel **out)
{
    wr_rel *in = rel->inputs[0];
    uint32_t n = rel->u.agg.key_count;
    if (rel->u.agg.agg_count || n == 0 || in->kind == WR_REL_EXPAND) return WR_OK;
    uint64_t *cols = WR_NEW_N(v->r.a, uint64_t, WR_BIT_WORDS(in->schema.count) + 1);
    wr_expr **exprs = WR_NEW_N(v->r.a, wr_expr *, n + 1);
    wr_str *names = WR_NEW_N(v->r.a, wr_str, n + 1);
    WR_TRY_ALLOC(v->r.ctx, cols);
    WR_TRY_ALLOC(v->r.ctx, exprs);
    WR_TRY_ALLOC(v->r.ctx, names);
    bool all = n == in->schema.count && in->kind == WR_REL_PROJECT;
    for (uint32_t i = 0; i < n; i++) {
        wr_bit_set(cols, rel->u.agg.keys[i]);
        exprs[i] = wri_rex_col(v->r.a, in, rel->u.agg.keys[i]);
        names[i] = rel->schema.fields[i].name;
        all = all && rel->u.agg.keys[i] == i;
        WR_TRY_ALLOC(v->r.ctx, exprs[i]);
    }
    if (!wri_rel_is_unique(&v->r, in, cols)) return WR_OK;
    *out = all ? in : wri_rel_project(v->r.a, in, exprs, names, n);
    WR_TRY_ALLOC(v->r.ctx, *out);
    return WR_OK;
}

static wr_status
view_node_of(view *v, const wr_rel *rel, wr_rel **out)
{
    wr_rel *c = wri_rel_copy(v->r.a, rel);
    WR_TRY_ALLOC(v->r.ctx, c);
    for (uint32_t i = 0; i < rel->input_count; i++)
        WR_TRY(view_rel(v, rel->inputs[i], &c->inputs[i]));
    *out = c;
    switch ((wr_rel_kind)rel->kind) {
    case WR_REL_PROJECT:
        if (rel->u.project.coerced) {
            *out = c->inputs[0];
            return WR_OK;
        }
        v->folds = true;
        WR_TRY(view_exprs(v, rel->u.project.exprs, rel->schema.count, &c->u.project.exprs));
        v->folds = false;
        for (uint32_t i = 0; i < rel->schema.count; i++)
            c->u.project.exprs[i] = wr_expr_simplify(v->r.a, c->u.project.exprs[i], false);
        WR_TRY(wri_view_above_group_window(&v->r, rel->inputs[0], c->u.project.exprs,
                                           rel->schema.count));
        if (c->inputs[0]->kind == WR_REL_OVER) {
            *out = c;
            return wri_view_over(&v->r, c);
        }
        return view_project(v, c, is_grouped(rel->inputs[0]), out);
    case WR_REL_FILTER:
        WR_TRY(view_expr(v, rel->u.filter.cond, &c->u.filter.cond));
        if (rel->inputs[0]->kind == WR_REL_AGGREGATE)
            WR_TRY(wri_view_above_group_window(&v->r, rel->inputs[0], &c->u.filter.cond, 1));
        if (wri_rex_is_call(rel->u.filter.cond, "IS NOT NULL") &&
            !rel->u.filter.cond->args[0]->type->nullable)
            *out = c->inputs[0];
        return WR_OK;
    case WR_REL_JOIN:
        WR_TRY(view_expr(v, rel->u.join.cond, &c->u.join.cond));
        if (c->u.join.cond) WR_TRY(wri_rex_null_equal(&v->r, &c->u.join.cond));
        if (c->u.join.cond) c->u.join.cond = wr_expr_simplify(v->r.a, c->u.join.cond, true);
        return view_join(v, c, out);
    case WR_REL_AGGREGATE:
        WR_TRY(copy_aggs(v, c));
        WR_TRY(wri_view_group_window(&v->r, c));
        return view_distinct(v, c, out);
    case WR_REL_VALUES:
        return view_values(v, c, out);
    case WR_REL_SINK:
        return merge_casts(v, c);
    case WR_REL_SCAN:
    case WR_REL_SETOP:
    case WR_REL_SORT:
    case WR_REL_CORRELATE:
    case WR_REL_WATERMARK:
    case WR_REL_OVER:
    case WR_REL_WINDOW_TVF:
    case WR_REL_MATCH:
    case WR_REL_CHANGELOG:
    case WR_REL_EXPAND:
        return WR_OK;
    }
    WR_UNREACHABLE();
}

static wr_status
view_rel(view *v, const wr_rel *rel, wr_rel **out)
{
    WR_TRY(view_node_of(v, rel, out));
    take_hints(*out, rel);
    return WR_OK;
}

wr_status
wri_explain_view(wr_ctx *ctx, const wr_plan_env *env, const wr_rel *rel, wr_rel **out)
{
    view v = {.r = {.ctx = ctx, .env = env, .a = env->arena}};
    return view_rel(&v, rel, out);
}
