/* SPDX-License-Identifier: Apache-2.0 */
/* Filter push-down: conditions move to where their columns come from, through projections, joins
 * (minding outer sides), unions, sorts and aggregates on their keys; never through LIMIT,
 * watermarks or grouping sets. A condition that rejects NULLs of an outer join's side makes that
 * side inner. */
#include "plan/temporal_int.h"

static wr_status
nomem(wri_rules *r)
{
    return wr_raise(r->ctx, WR_NOMEM, "out of memory");
}

static wr_status push(wri_rules *r, wr_rel *rel, wri_expr_list *preds, wr_rel **out);

static wr_status
add(wri_rules *r, wri_expr_list *l, wr_expr *e)
{
    for (uint32_t i = 0; i < l->count; i++)
        if (wr_expr_equal(l->items[i], e)) return WR_OK;
    return wr_list_push(r->a, l, e) ? WR_OK : nomem(r);
}

static wr_status
above(wri_rules *r, wr_rel *rel, const wri_expr_list *preds, wr_rel **out)
{
    wr_expr *cond = NULL;
    WR_TRY(wri_rex_and_all(r, preds, &cond));
    *out = wri_rel_filter(r->a, rel, cond);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

/* Filter every input with nothing from here; then `preds` above. */
static wr_status
stop(wri_rules *r, wr_rel *rel, const wri_expr_list *preds, wr_rel **out)
{
    wr_rel *copy = wri_rel_copy(r->a, rel);
    WR_TRY_ALLOC(r->ctx, copy);
    for (uint32_t i = 0; i < copy->input_count; i++) {
        wri_expr_list none = {0};
        WR_TRY(push(r, rel->inputs[i], &none, &copy->inputs[i]));
    }
    return above(r, copy, preds, out);
}

/* ---- joins ----------------------------------------------------------------------------------- */
static bool
only_left(const wr_expr *e, uint32_t lw)
{
    uint32_t lo, hi;
    return !wri_rex_col_range(e, &lo, &hi) || hi < lw;
}

static bool
only_right(const wr_expr *e, uint32_t lw)
{
    uint32_t lo, hi;
    return wri_rex_col_range(e, &lo, &hi) && lo >= lw;
}

typedef struct join_preds {
    wri_expr_list left, right, on, above;
} join_preds;

static wr_status
add_right(wri_rules *r, join_preds *jp, const wr_expr *e, uint32_t lw)
{
    wr_expr *x = wri_rex_shift_cols(r->a, e, -(int32_t)lw);
    WR_TRY_ALLOC(r->ctx, x);
    return add(r, &jp->right, x);
}

/* Conditions from above the join. */
static wr_status
place_above(wri_rules *r, join_preds *jp, wr_join_type type, const wri_expr_list *preds,
            uint32_t lw)
{
    bool to_left = type != WR_JOIN_RIGHT && type != WR_JOIN_FULL;
    bool to_right = type == WR_JOIN_INNER || type == WR_JOIN_RIGHT;
    for (uint32_t i = 0; i < preds->count; i++) {
        wr_expr *e = preds->items[i];
        bool movable = wr_expr_is_deterministic(e);
        uint32_t lo, hi;
        bool constant = !wri_rex_col_range(e, &lo, &hi);
        if (movable && to_left && !constant && only_left(e, lw))
            WR_TRY(add(r, &jp->left, e));
        else if (movable && to_right && only_right(e, lw))
            WR_TRY(add_right(r, jp, e, lw));
        else if (type == WR_JOIN_INNER && movable)
            WR_TRY(add(r, &jp->on, e));
        else
            WR_TRY(add(r, &jp->above, e));
    }
    return WR_OK;
}

/* Conditions of ON: a side whose rows may go without a partner can be filtered. */
static wr_status
place_on(wri_rules *r, join_preds *jp, wr_join_type type, const wri_expr_list *on, uint32_t lw)
{
    bool to_left = type == WR_JOIN_INNER || type == WR_JOIN_RIGHT || type == WR_JOIN_SEMI;
    bool to_right = type != WR_JOIN_RIGHT && type != WR_JOIN_FULL;
    for (uint32_t i = 0; i < on->count; i++) {
        wr_expr *e = on->items[i];
        uint32_t lo, hi;
        bool constant = !wri_rex_col_range(e, &lo, &hi), movable = wr_expr_is_deterministic(e);
        if (movable && to_left && !constant && only_left(e, lw))
            WR_TRY(add(r, &jp->left, e));
        else if (movable && to_right && only_right(e, lw))
            WR_TRY(add_right(r, jp, e, lw));
        else
            WR_TRY(add(r, &jp->on, e));
    }
    return WR_OK;
}

/* Per column the one of the other side that the condition ties to it, or -1. */
typedef struct ties {
    int64_t *to;
    uint32_t lw;
} ties;

static wr_status
find_ties(wri_rules *r, const wri_expr_list *on, uint32_t lw, uint32_t n, ties *out)
{
    out->lw = lw;
    out->to = WR_NEW_N(r->a, int64_t, n + 1);
    WR_TRY_ALLOC(r->ctx, out->to);
    for (uint32_t i = 0; i < n; i++) out->to[i] = -1;
    for (uint32_t i = 0; i < on->count; i++) {
        const wr_expr *e = on->items[i];
        if (!wri_rex_is_call(e, "=") && !wri_rex_is_call(e, "IS NOT DISTINCT FROM")) continue;
        const wr_expr *x = e->args[0], *y = e->args[1];
        if (x->kind != WR_EX_COLUMN || y->kind != WR_EX_COLUMN) continue;
        if ((x->index < lw) == (y->index < lw) || !wr_type_eq_ignoring_null(x->type, y->type))
            continue;
        if (out->to[x->index] < 0) out->to[x->index] = y->index;
        if (out->to[y->index] < 0) out->to[y->index] = x->index;
    }
    return WR_OK;
}

/* What holds for the first `count` conditions of one side holds for the other's tied columns.
 */
static wr_status
tell_other(wri_rules *r, const ties *t, const wri_expr_list *known, uint32_t count, bool left,
           wri_expr_list *other)
{
    uint32_t from = left ? 0 : t->lw, to = left ? t->lw : 0;
    for (uint32_t i = 0; i < count; i++) {
        const wr_expr *e = known->items[i];
        uint32_t lo = 0, hi = 0, *map;
        if (!wri_rex_col_range(e, &lo, &hi)) continue;
        uint64_t *used = WR_NEW_N(r->a, uint64_t, WR_BIT_WORDS(hi + 1) + 1);
        map = WR_NEW_N(r->a, uint32_t, hi + 1);
        WR_TRY_ALLOC(r->ctx, used);
        WR_TRY_ALLOC(r->ctx, map);
        wri_rex_cols(e, used);
        bool all = true;
        for (uint32_t c = lo; c <= hi; c++) {
            if (!wr_bit_get(used, c)) continue;
            all = all && t->to[from + c] >= 0;
            map[c] = all ? (uint32_t)t->to[from + c] - to : 0;
        }
        if (!all) continue;
        wr_expr *x = wri_rex_map_cols(r->a, e, map);
        WR_TRY_ALLOC(r->ctx, x);
        WR_TRY(add(r, other, x));
    }
    return WR_OK;
}

/* Conditions on columns that the join ties to the other side's hold there, too. */
static wr_status
infer(wri_rules *r, join_preds *jp, wr_join_type type, uint32_t lw, uint32_t n)
{
    uint32_t left = jp->left.count, right = jp->right.count;
    bool to_right = type == WR_JOIN_INNER || type == WR_JOIN_LEFT;
    bool to_left = type == WR_JOIN_INNER || type == WR_JOIN_RIGHT;
    ties t;
    if ((!to_right || left == 0) && (!to_left || right == 0)) return WR_OK;
    WR_TRY(find_ties(r, &jp->on, lw, n, &t));
    if (to_right) WR_TRY(tell_other(r, &t, &jp->left, left, true, &jp->right));
    if (to_left) WR_TRY(tell_other(r, &t, &jp->right, right, false, &jp->left));
    return WR_OK;
}

static wr_status
any_rejects(wri_rules *r, const wri_expr_list *l, uint32_t lo, uint32_t hi, bool *out)
{
    *out = false;
    for (uint32_t i = 0; i < l->count && !*out; i++)
        WR_TRY(wri_rex_rejects(r, l->items[i], lo, hi, out));
    return WR_OK;
}

/* The join's type below the conditions, which forget the NULLs that do not come any more. */
static wr_status
simplified(wri_rules *r, const wr_rel *rel, wri_expr_list *preds, wr_join_type *type)
{
    const uint32_t lw = rel->inputs[0]->schema.count, n = lw + rel->inputs[1]->schema.count;
    const bool pads_left = *type == WR_JOIN_RIGHT || *type == WR_JOIN_FULL;
    const bool pads_right = *type == WR_JOIN_LEFT || *type == WR_JOIN_FULL;
    bool left = false, right = false;
    if (pads_left) WR_TRY(any_rejects(r, preds, 0, lw, &left));
    if (pads_right) WR_TRY(any_rejects(r, preds, lw, n, &right));
    for (uint32_t i = 0; i < preds->count; i++) {
        if (left) WR_TRY(wri_rex_unpadded(r, preds->items[i], 0, rel->inputs[0], &preds->items[i]));
        if (right)
            WR_TRY(wri_rex_unpadded(r, preds->items[i], lw, rel->inputs[1], &preds->items[i]));
    }
    const bool keeps_left = pads_right && !right, keeps_right = pads_left && !left;
    if (pads_left || pads_right)
        *type = keeps_left    ? keeps_right ? WR_JOIN_FULL : WR_JOIN_LEFT
                : keeps_right ? WR_JOIN_RIGHT
                              : WR_JOIN_INNER;
    return WR_OK;
}

/* The marker of a lookup join out of its condition. No column need be kept for its sake: what the
 * time is does not depend on the row. */
static wr_status
take_marker(wri_rules *r, wri_expr_list *on, wr_expr **marker)
{
    uint32_t n = 0;
    *marker = NULL;
    for (uint32_t i = 0; i < on->count; i++) {
        if (!wri_temporal_is_marker(on->items[i])) {
            on->items[n++] = on->items[i];
            continue;
        }
        wr_expr *now = NULL;
        WR_TRY(wri_rex_call(r, "PROCTIME", NULL, 0, &now));
        *marker = wri_temporal_marker(r->a, &now, 1);
        WR_TRY_ALLOC(r->ctx, *marker);
    }
    on->count = n;
    return WR_OK;
}

static wr_status
push_join(wri_rules *r, wr_rel *rel, wri_expr_list *preds, wr_rel **out)
{
    const uint32_t lw = rel->inputs[0]->schema.count;
    wr_join_type type = rel->u.join.type;
    WR_TRY(simplified(r, rel, preds, &type));
    join_preds jp = {{0}, {0}, {0}, {0}};
    wri_expr_list on = {0};
    wr_expr *marker = NULL;
    if (!wri_rex_conjuncts(r->a, rel->u.join.cond, &on)) return nomem(r);
    if (rel->u.join.temporal) WR_TRY(take_marker(r, &on, &marker));
    if (rel->u.join.null_aware)
        jp.on = on;
    else
        WR_TRY(place_on(r, &jp, type, &on, lw));
    WR_TRY(place_above(r, &jp, type, preds, lw));
    WR_TRY(infer(r, &jp, type, lw, lw + rel->inputs[1]->schema.count));
    wr_rel *in[2];
    wr_expr *cond = NULL;
    WR_TRY(push(r, rel->inputs[0], &jp.left, &in[0]));
    WR_TRY(push(r, rel->inputs[1], &jp.right, &in[1]));
    if (marker) WR_TRY(add(r, &jp.on, marker));
    WR_TRY(wri_rex_and_all(r, &jp.on, &cond));
    wr_rel *join = wri_rel_copy(r->a, rel);
    WR_TRY_ALLOC(r->ctx, join);
    join->inputs[0] = in[0];
    join->inputs[1] = in[1];
    join->u.join.type = (uint8_t)type;
    join->u.join.cond = cond;
    return above(r, join, &jp.above, out); /* the schema keeps the outer join's nullability */
}

/* ---- other nodes ----------------------------------------------------------------------------- */
/* A cast that only allows NULL says nothing in a condition. */
static wr_expr *
strip_cast(wri_map *m, const wr_expr *e, uint32_t depth)
{
    if (e->kind != WR_EX_CAST || e->args[0]->kind != WR_EX_COLUMN ||
        e->args[0]->type->attr != e->type->attr ||
        !wr_type_eq_ignoring_null(e->type, e->args[0]->type))
        return NULL;
    return wri_rex_map(m, e->args[0], depth);
}

static wr_status
push_project(wri_rules *r, wr_rel *rel, wri_expr_list *preds, wr_rel **out)
{
    wri_expr_list down = {0}, up = {0};
    for (uint32_t i = 0; i < preds->count; i++) {
        wr_expr *e = preds->items[i];
        uint64_t *used = WR_NEW_N(r->a, uint64_t, WR_BIT_WORDS(rel->schema.count) + 1);
        bool movable = wr_expr_is_deterministic(e);
        WR_TRY_ALLOC(r->ctx, used);
        wri_rex_cols(e, used);
        for (uint32_t c = 0; c < rel->schema.count; c++)
            if (wr_bit_get(used, c) && !wr_expr_is_deterministic(rel->u.project.exprs[c]))
                movable = false;
        if (!movable) {
            WR_TRY(add(r, &up, e));
            continue;
        }
        e = wr_expr_substitute(r->a, e, rel->u.project.exprs);
        WR_TRY_ALLOC(r->ctx, e);
        wri_map m = {r->a, strip_cast, NULL, false};
        e = wri_rex_map(&m, e, 0);
        WR_TRY_ALLOC(r->ctx, e);
        if (!wri_rex_conjuncts(r->a, e, &down)) return nomem(r);
    }
    wr_rel *copy = wri_rel_copy(r->a, rel);
    WR_TRY_ALLOC(r->ctx, copy);
    WR_TRY(push(r, rel->inputs[0], &down, &copy->inputs[0]));
    return above(r, copy, &up, out);
}

static wr_status
push_aggregate(wri_rules *r, wr_rel *rel, wri_expr_list *preds, wr_rel **out)
{
    wri_expr_list down = {0}, up = {0};
    uint32_t keys = rel->u.agg.key_count, lo, hi;
    for (uint32_t i = 0; i < preds->count; i++) {
        wr_expr *e = preds->items[i];
        bool on_keys = wri_rex_col_range(e, &lo, &hi) && hi < keys && wr_expr_is_deterministic(e);
        if (!on_keys) {
            WR_TRY(add(r, &up, e));
            continue;
        }
        e = wri_rex_map_cols(r->a, e, rel->u.agg.keys);
        WR_TRY_ALLOC(r->ctx, e);
        WR_TRY(add(r, &down, e));
    }
    wr_rel *copy = wri_rel_copy(r->a, rel);
    WR_TRY_ALLOC(r->ctx, copy);
    WR_TRY(push(r, rel->inputs[0], &down, &copy->inputs[0]));
    return above(r, copy, &up, out);
}

static wr_status
push_union(wri_rules *r, wr_rel *rel, wri_expr_list *preds, wr_rel **out)
{
    wri_expr_list down = {0}, up = {0};
    for (uint32_t i = 0; i < preds->count; i++)
        WR_TRY(add(r, wr_expr_is_deterministic(preds->items[i]) ? &down : &up, preds->items[i]));
    wr_rel *copy = wri_rel_copy(r->a, rel);
    WR_TRY_ALLOC(r->ctx, copy);
    for (uint32_t i = 0; i < copy->input_count; i++) {
        wri_expr_list mine = {0};
        for (uint32_t k = 0; k < down.count; k++) WR_TRY(add(r, &mine, down.items[k]));
        WR_TRY(push(r, rel->inputs[i], &mine, &copy->inputs[i]));
    }
    return above(r, copy, &up, out);
}

static wr_status
push_correlate(wri_rules *r, wr_rel *rel, wri_expr_list *preds, wr_rel **out)
{
    wri_expr_list down = {0}, up = {0}, on = {0};
    uint32_t lw = rel->inputs[0]->schema.count, lo, hi;
    wr_rel *copy = wri_rel_copy(r->a, rel);
    WR_TRY_ALLOC(r->ctx, copy);
    for (uint32_t i = 0; i < preds->count; i++) {
        wr_expr *e = preds->items[i];
        bool left = wri_rex_col_range(e, &lo, &hi) && hi < lw && wr_expr_is_deterministic(e);
        bool rejects = false;
        if (!left) WR_TRY(wri_rex_rejects(r, e, lw, rel->schema.count, &rejects));
        if (rejects) copy->u.correlate.type = WR_JOIN_INNER;
        if (left || !only_right(e, lw) || !wr_expr_is_deterministic(e)) {
            WR_TRY(add(r, left ? &down : &up, e));
        } else if (!wr_list_push(r->a, &on, e)) {
            return nomem(r);
        }
    }
    bool inner = copy->u.correlate.type == WR_JOIN_INNER;
    for (uint32_t i = 0; i < on.count && !inner; i++) WR_TRY(add(r, &up, on.items[i]));
    if (inner && on.count) {
        if (!wri_rex_conjuncts(r->a, copy->u.correlate.cond, &on)) return nomem(r);
        WR_TRY(wri_rex_and_all(r, &on, &copy->u.correlate.cond));
    }
    WR_TRY(push(r, rel->inputs[0], &down, &copy->inputs[0]));
    return above(r, copy, &up, out);
}

static wr_status
push(wri_rules *r, wr_rel *rel, wri_expr_list *preds, wr_rel **out)
{
    switch ((int)rel->kind) {
    case WR_REL_FILTER: {
        wri_expr_list all = {0}; /* the lower condition comes first */
        if (!wri_rex_conjuncts(r->a, rel->u.filter.cond, &all)) return nomem(r);
        for (uint32_t i = 0; i < preds->count; i++) WR_TRY(add(r, &all, preds->items[i]));
        return push(r, rel->inputs[0], &all, out);
    }
    case WR_REL_PROJECT:
        return push_project(r, rel, preds, out);
    case WR_REL_JOIN:
        if (wri_rel_is_versioned(rel)) return stop(r, rel, preds, out);
        return push_join(r, rel, preds, out);
    case WR_REL_AGGREGATE:
        return push_aggregate(r, rel, preds, out);
    case WR_REL_SETOP:
        return push_union(r, rel, preds, out);
    case WR_REL_CORRELATE:
        return push_correlate(r, rel, preds, out);
    case WR_REL_SORT:
        if (rel->u.sort.fetch >= 0 || rel->u.sort.offset) return stop(r, rel, preds, out);
        *out = wri_rel_copy(r->a, rel);
        WR_TRY_ALLOC(r->ctx, *out);
        return push(r, rel->inputs[0], preds, &(*out)->inputs[0]);
    default:
        return stop(r, rel, preds, out);
    }
}

wr_status
wri_rule_filters(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    wri_expr_list none = {0};
    return push(r, rel, &none, out);
}
