/* SPDX-License-Identifier: Apache-2.0 */
/* ROW_NUMBER() of which only the first numbers are asked for becomes a Top-N: a filter directly
 * above a window with that one call, whose condition bounds the number from above by a literal or
 * by a column. The bounds go into the window (wr_over_spec.rank), the rest of the condition stays
 * above, also what it says of the number beyond bounds. A column together with other bounds makes
 * no Top-N. */
#include "plan/over.h"
#include "plan/rule_int.h"
#include "plan/window.h"

typedef struct bounds { /* of the number, from the conditions seen so far */
    int64_t first, last;
    const wr_expr *col; /* the last one, when there is no literal */
    bool any, ended;    /* ended: a literal bounds it from above */
    wri_expr_list rest; /* conditions that are no bounds */
} bounds;

static const wr_expr *
bare(const wr_expr *e)
{
    while (e->kind == WR_EX_CAST && wr_type_is_integer(e->type) &&
           wr_type_is_integer(e->args[0]->type))
        e = e->args[0];
    return e;
}

/* `turned`: with the sides exchanged; `negated`: of NOT. */
static const char *
comparison(const wr_expr *e, bool turned, bool negated)
{
    static const char *const names[] = {"<", "<=", ">", ">=", "="};
    static const char *const turns[] = {">", ">=", "<", "<=", "="};
    static const uint8_t opposite[] = {3, 2, 1, 0};
    for (uint32_t i = 0; i < WR_COUNT(names); i++) {
        if (!wri_rex_is_call(e, names[i])) continue;
        if (negated && i == 4) return NULL;
        const uint32_t k = negated ? opposite[i] : i;
        return turned ? turns[k] : names[k];
    }
    return NULL;
}

static void
bound_by(bounds *b, const char *op, int64_t v)
{
    const bool lower = op[0] == '>' || op[0] == '=', upper = op[0] == '<' || op[0] == '=';
    const int64_t strict = op[0] != '=' && op[1] == 0;
    b->any = true;
    if (lower) b->first = WR_MAX(b->first, strict && v < INT64_MAX ? v + 1 : v);
    b->ended |= upper;
    if (upper) b->last = WR_MIN(b->last, strict && v > INT64_MIN ? v - 1 : v);
}

/* False: the condition is no bound. */
static bool
take_bound(bounds *b, const wr_expr *e, uint32_t number)
{
    const bool negated = wri_rex_is_call(e, "NOT");
    if (negated) e = e->args[0];
    if (e->kind != WR_EX_CALL || e->arg_count != 2) return false;
    const wr_expr *x = bare(e->args[0]), *y = bare(e->args[1]);
    const bool turned = y->kind == WR_EX_COLUMN && y->index == number;
    const char *op = comparison(e, turned, negated);
    const wr_expr *other = turned ? x : y;
    if (!op || (!turned && (x->kind != WR_EX_COLUMN || x->index != number))) return false;
    if (!wr_type_is_integer(other->type)) return false;
    if (other->kind == WR_EX_LITERAL && !other->value.is_null) {
        bound_by(b, op, other->value.u.i);
        return true;
    }
    if (other->kind != WR_EX_COLUMN || other->index >= number || strcmp(op, "<=") != 0 || b->col)
        return false;
    b->col = other;
    return true;
}

static wr_status
refuse(wri_rules *r, const wr_over_window *w, const char *text)
{
    return wr_raise_at(r->ctx, WR_UNSUPPORTED, w->calls[0].span, "%s", text);
}

static bool
is_in(const wr_over_window *w, int32_t col)
{
    for (uint32_t i = 0; i < w->partition_count; i++)
        if ((int32_t)w->partition[i] == col) return true;
    return false;
}

/* Within windows, whose start and end the partition has? */
static bool
ranks_window(const wr_rel *over, const wr_over_window *w)
{
    wr_windowing in;
    if (!wri_rel_windows(over->inputs[0], &in)) return false;
    wri_windows_prefer(&in, w->partition, w->partition_count);
    return is_in(w, in.start_col) && is_in(w, in.end_col);
}

static wr_status
check(wri_rules *r, const wr_rel *over, const wr_over_window *w, const bounds *b)
{
    const char *name = w->calls[0].fn->name;
    if (!b->ended && !b->col)
        return refuse(r, w,
                      "Rank end is not specified. Currently rank only support TopN, which means "
                      "the rank end must be specified.");
    if (b->last < 1)
        return wr_raise_at(r->ctx, WR_SEMANTIC, w->calls[0].span,
                           "Rank end should not less than zero, but now is %lld",
                           (long long)b->last);
    if (b->first > b->last)
        return wr_raise_at(r->ctx, WR_SEMANTIC, w->calls[0].span,
                           "Rank start '%lld' can't greater than rank end '%lld'.",
                           (long long)b->first, (long long)b->last);
    if (strcmp(name, "ROW_NUMBER") != 0 && ranks_window(over, w))
        return wr_raise_at(r->ctx, WR_UNSUPPORTED, w->calls[0].span,
                           "%s() function is not supported on Window TopN currently, only "
                           "ROW_NUMBER() is supported.",
                           name);
    if (strcmp(name, "ROW_NUMBER") != 0) {
        const wr_status status =
            wr_raise_at(r->ctx, WR_UNSUPPORTED, w->calls[0].span,
                        "%s() on streaming table is not supported currently", name);
        wr_hint(r->ctx,
                "ROW_NUMBER() is; all of them are with SET 'execution.runtime-mode' = 'batch'");
        return status;
    }
    return WR_OK;
}

static bool
is_rank(const wr_over_spec *spec)
{
    if (spec->rank || spec->window_count != 1 || spec->windows[0].call_count != 1) return false;
    const char *name = spec->windows[0].calls[0].fn->name;
    return spec->windows[0].order_count > 0 &&
           (strcmp(name, "ROW_NUMBER") == 0 || strcmp(name, "RANK") == 0 ||
            strcmp(name, "DENSE_RANK") == 0);
}

static wr_status
find_bounds(wri_rules *r, wr_expr *cond, uint32_t number, bounds *b)
{
    wri_expr_list all = {0};
    *b = (bounds){.first = 1, .last = INT64_MAX};
    bool ok = wri_rex_conjuncts(r->a, cond, &all);
    for (uint32_t i = 0; ok && i < all.count; i++) {
        const wr_expr *plain = wr_expr_simplify(r->a, all.items[i], true);
        WR_TRY_ALLOC(r->ctx, plain);
        if (take_bound(b, plain, number)) continue;
        ok = wr_list_push(r->a, &b->rest, all.items[i]);
    }
    return ok ? WR_OK : wr_raise(r->ctx, WR_NOMEM, "out of memory");
}

/* Keys of a partition are a set: in the order of the columns, as in Flink. */
static wr_status
sort_partition(wri_rules *r, wr_over_spec *spec)
{
    wr_over_window *w = WR_NEW(r->a, wr_over_window);
    const uint32_t n = spec->windows[0].partition_count;
    uint32_t *cols = WR_NEW_N(r->a, uint32_t, n + 1);
    WR_TRY_ALLOC(r->ctx, w);
    WR_TRY_ALLOC(r->ctx, cols);
    *w = spec->windows[0];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = i;
        for (; at > 0 && cols[at - 1] > w->partition[i]; at--) cols[at] = cols[at - 1];
        cols[at] = w->partition[i];
    }
    w->partition = cols;
    spec->windows = w;
    return WR_OK;
}

static wr_status
convert(wri_rules *r, const wr_rel *filter, wr_rel **out)
{
    const wr_rel *over = *out;
    const wr_over_spec *old = over->u.over;
    bounds b;
    WR_TRY(find_bounds(r, filter->u.filter.cond, over->inputs[0]->schema.count, &b));
    if (b.any == (b.col != NULL)) return WR_OK;
    WR_TRY(check(r, over, &old->windows[0], &b));
    wr_over_spec *spec = WR_NEW(r->a, wr_over_spec);
    wr_over_rank *rank = WR_NEW(r->a, wr_over_rank);
    wr_expr *cond = NULL;
    WR_TRY_ALLOC(r->ctx, spec);
    WR_TRY_ALLOC(r->ctx, rank);
    *spec = *old;
    *rank = (wr_over_rank){b.first, b.last, b.col ? (int32_t)b.col->index : -1, true};
    spec->rank = rank;
    WR_TRY(sort_partition(r, spec));
    wr_rel *ranked = wri_rel_copy(r->a, over);
    WR_TRY_ALLOC(r->ctx, ranked);
    ranked->u.over = spec;
    *out = ranked;
    if (b.rest.count == 0) return WR_OK;
    WR_TRY(wri_rex_and_all(r, &b.rest, &cond));
    *out = wri_rel_filter(r->a, ranked, cond);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

wr_status
wri_rule_ranks(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    wr_rel *copy = wri_rel_copy(r->a, rel);
    WR_TRY_ALLOC(r->ctx, copy);
    *out = copy;
    if (r->env->batch) return WR_OK;
    for (uint32_t i = 0; i < rel->input_count; i++)
        WR_TRY(wri_rule_ranks(r, rel->inputs[i], &copy->inputs[i]));
    const wr_rel *in = rel->input_count == 1 ? copy->inputs[0] : NULL;
    if (rel->kind != WR_REL_FILTER || in->kind != WR_REL_OVER || !is_rank(in->u.over)) return WR_OK;
    wr_rel *ranked = copy->inputs[0];
    WR_TRY(convert(r, copy, &ranked));
    if (ranked != copy->inputs[0]) *out = ranked;
    return WR_OK;
}
