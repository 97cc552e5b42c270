/* SPDX-License-Identifier: Apache-2.0 */
/* Aggregates below inner joins, as Flink plans them:
 *
 *   GROUP BY u.w, COUNT(*) of m JOIN u ON m.x = u.x    with u.x unique
 *
 * counts the rows of m by x first; the join then has at most one row of m a key, and what is above
 * adds up the counts ($SUM0). Where the groups hold the join's columns nothing is left to add up,
 * and the aggregate above is a projection. COUNT, SUM, MIN and MAX can be split like that; a sum
 * or count of a column of u is multiplied by the number of rows of m.
 *
 * Flink does so by cost, that is by guesses at sizes: of a join by a column of a table with a
 * primary key it thinks that every row finds its partner, of others that only JOIN_PASSES of both
 * sides together come out. `is_cheaper` has what follows from that. */
#include "plan/phys_int.h"
#include "plan/rule_int.h"
#include "plan/window.h"

#define JOIN_PASSES  0.15 /* the part of both sides' rows that a join gives */
#define WHOLE_GAIN   0.55 /* such a part of the aggregated side's rows makes it worth the while */
#define PARTIAL_GAIN 0.72 /* the same where the aggregate above stays */

typedef struct push {
    wri_rules *r;
    const wr_rel *agg, *join;
    const uint32_t *at; /* the aggregate's input columns in the join's row */
    uint32_t width[2];  /* columns of both sides */
    uint64_t *keys;     /* the join's columns that are grouped by */
    uint64_t *joined;   /* those that its condition compares */
    uint32_t pairs;
    uint32_t many;   /* the side that is aggregated */
    bool whole;      /* the groups hold the join's columns */
    uint32_t *below; /* its grouping columns, of its own row */
    uint32_t below_count;
    wr_agg_bound *calls; /* its aggregates */
    uint32_t call_count;
    wr_expr **ones; /* 1 or 0 for each row of the other side: COUNT of a column */
    uint32_t one_count;
} push;

/* How an aggregate is put together again. */
typedef struct part {
    int32_t call; /* of the aggregated side; -1: a column of the other side alone */
    int32_t one;  /* of `ones`, -1: none */
    int32_t col;  /* of the other side, -1: none */
} part;

/* ---- what can be taken apart ----------------------------------------------------------------- */
static bool
is_named(const wr_agg_bound *a, const char *name)
{
    return strcmp(a->fn->name, name) == 0;
}

static bool
picks_one(const wr_agg_bound *a)
{
    return is_named(a, "MIN") || is_named(a, "MAX");
}

static bool
can_split(const wr_agg_bound *a)
{
    bool known = is_named(a, "COUNT") || is_named(a, "SUM") || is_named(a, "$SUM0") || picks_one(a);
    return known && !a->distinct && a->filter < 0 && a->arg_count <= 1;
}

/* The join below, perhaps under a projection of plain columns; NULL: none. */
static const wr_rel *
join_below(push *p, const wr_rel *in)
{
    uint32_t n = in->schema.count;
    uint32_t *at = WR_NEW_N(p->r->a, uint32_t, n + 1);
    if (!at) return NULL;
    for (uint32_t i = 0; i < n; i++) at[i] = i;
    p->at = at;
    if (in->kind == WR_REL_PROJECT) {
        for (uint32_t i = 0; i < n; i++) {
            if (in->u.project.exprs[i]->kind != WR_EX_COLUMN) return NULL;
            at[i] = in->u.project.exprs[i]->index;
        }
        in = in->inputs[0];
    }
    if (in->kind != WR_REL_JOIN || in->u.join.type != WR_JOIN_INNER || in->u.join.lateral ||
        in->u.join.temporal || in->u.join.lookup || !in->u.join.cond)
        return NULL;
    return in;
}

static uint64_t *
new_set(push *p, uint32_t columns)
{
    return WR_NEW_N(p->r->a, uint64_t, WR_BIT_WORDS(columns) + 1);
}

/* Does the condition compare columns of both sides for equality and nothing else? */
static bool
compares_columns(push *p)
{
    wri_expr_list all = {0};
    if (!wri_rex_conjuncts(p->r->a, p->join->u.join.cond, &all) || all.count == 0) return false;
    p->whole = true;
    for (uint32_t i = 0; i < all.count; i++) {
        const wr_expr *e = all.items[i];
        if (!wri_rex_is_call(e, "=") || e->args[0]->kind != WR_EX_COLUMN ||
            e->args[1]->kind != WR_EX_COLUMN)
            return false;
        uint32_t x = e->args[0]->index, y = e->args[1]->index;
        if ((x < p->width[0]) == (y < p->width[0])) return false;
        if (e->args[0]->type->attr != WR_ATTR_NONE) return false; /* may be an interval join */
        wr_bit_set(p->joined, x);
        wr_bit_set(p->joined, y);
        p->pairs++;
        p->whole &= wr_bit_get(p->keys, x) || wr_bit_get(p->keys, y);
    }
    return true;
}

static uint32_t
first_of(const push *p, uint32_t side)
{
    return side ? p->width[0] : 0;
}

static bool
is_on(const push *p, uint32_t col, uint32_t side)
{
    return (col >= p->width[0]) == (side == 1);
}

/* Has a row of this side the values of its own that groups and join look at? */
static bool
is_unique_side(push *p, uint32_t side)
{
    uint64_t *cols = new_set(p, p->width[side]);
    if (!cols) return false;
    for (uint32_t i = 0; i < p->width[side]; i++) {
        uint32_t c = first_of(p, side) + i;
        if (wr_bit_get(p->keys, c) || wr_bit_get(p->joined, c)) wr_bit_set(cols, i);
    }
    return wri_rel_is_unique(p->r, p->join->inputs[side], cols);
}

/* ---- sizes ----------------------------------------------------------------------------------- */
/* Does the column come from a table with a primary key? Of such columns Flink knows a size. */
static bool is_known(wri_rules *r, const wr_rel *rel, uint32_t col);

static bool
is_known_join(wri_rules *r, const wr_rel *rel, uint32_t col)
{
    uint32_t lw = rel->inputs[0]->schema.count, rw = rel->inputs[1]->schema.count;
    uint64_t *keys[2] = {WR_NEW_N(r->a, uint64_t, WR_BIT_WORDS(lw) + 1),
                         WR_NEW_N(r->a, uint64_t, WR_BIT_WORDS(rw) + 1)};
    if (!keys[0] || !keys[1] || !wri_rel_join_keys(r, rel, keys[0], keys[1])) return false;
    for (uint32_t s = 0; s < 2; s++)
        for (uint32_t i = 0; i < (s ? rw : lw); i++)
            if (wr_bit_get(keys[s], i) && !is_known(r, rel->inputs[s], i)) return false;
    return col < lw ? is_known(r, rel->inputs[0], col) : is_known(r, rel->inputs[1], col - lw);
}

static bool
is_known(wri_rules *r, const wr_rel *rel, uint32_t col)
{
    switch ((int)rel->kind) {
    case WR_REL_SCAN:
        return rel->u.scan.table && rel->u.scan.table->primary_key_count > 0;
    case WR_REL_FILTER:
        return is_known(r, rel->inputs[0], col);
    case WR_REL_PROJECT:
        return rel->u.project.exprs[col]->kind == WR_EX_COLUMN &&
               is_known(r, rel->inputs[0], rel->u.project.exprs[col]->index);
    case WR_REL_AGGREGATE:
        return col < rel->u.agg.key_count && is_known(r, rel->inputs[0], rel->u.agg.keys[col]);
    case WR_REL_JOIN:
        return is_known_join(r, rel, col);
    case WR_REL_SETOP:
        for (uint32_t i = 0; i < rel->input_count; i++)
            if (!is_known(r, rel->inputs[i], col)) return false;
        return true;
    default:
        return false;
    }
}

/* Does the side's rows come from a table with a watermark? Flink then knows nothing of sizes, nor
 * of keys while it weighs plans. */
static bool
has_watermark(const wr_rel *rel)
{
    if (rel->kind == WR_REL_WATERMARK) return true;
    for (uint32_t i = 0; i < rel->input_count; i++)
        if (has_watermark(rel->inputs[i])) return true;
    return false;
}

static double
rows_of(const wr_rel *rel)
{
    double rows = rel->input_count ? rows_of(rel->inputs[0]) : WRI_UNKNOWN_ROWS;
    if (rel->kind == WR_REL_VALUES) return rel->u.values.row_count;
    if (rel->kind == WR_REL_FILTER) return rows * wri_passes(rel->u.filter.cond);
    if (rel->kind == WR_REL_SETOP)
        for (uint32_t i = 1; i < rel->input_count; i++) rows += rows_of(rel->inputs[i]);
    if (rel->kind == WR_REL_JOIN && rel->u.join.type == WR_JOIN_INNER)
        rows = JOIN_PASSES * (rows + rows_of(rel->inputs[1]));
    return rows;
}

/* Does the other side give anything but the columns that it is joined by: groups, or a MIN or MAX?
 */
static bool
other_gives(const push *p)
{
    uint32_t other = !p->many;
    for (uint32_t c = 0; c < p->width[0] + p->width[1]; c++)
        if (is_on(p, c, other) && wr_bit_get(p->keys, c) && !wr_bit_get(p->joined, c)) return true;
    for (uint32_t i = 0; i < p->agg->u.agg.agg_count; i++) {
        const wr_agg_bound *a = &p->agg->u.agg.aggs[i];
        if (picks_one(a) && is_on(p, p->at[a->args[0]], other)) return true;
    }
    return false;
}

/* Is it worth the while by what is known of sizes? *known: then Flink knows them too. */
static bool
is_cheaper(const push *p, bool *known)
{
    bool joined_alone = true;
    *known = true;
    for (uint32_t i = 0; i < p->width[p->many]; i++) {
        uint32_t c = first_of(p, p->many) + i;
        if (wr_bit_get(p->joined, c))
            *known &= is_known(p->r, p->join->inputs[p->many], i);
        else if (wr_bit_get(p->keys, c))
            joined_alone = false;
    }
    if (*known) return p->whole || (p->pairs == 1 && other_gives(p));
    if (p->call_count == 0 && joined_alone) return true;
    if (p->pairs > 1) return false;
    double mine = rows_of(p->join->inputs[p->many]), other = rows_of(p->join->inputs[!p->many]);
    double out = JOIN_PASSES * (mine + other);
    return p->whole ? out >= WHOLE_GAIN * mine : other_gives(p) && out >= PARTIAL_GAIN * mine;
}

/* ---- taking apart ---------------------------------------------------------------------------- */
/* The aggregated side's call `name` of a column (-1: none), made when there is none yet. */
static wr_status
call_of(push *p, const char *name, int32_t col, wr_str as, int32_t *out)
{
    for (uint32_t i = 0; i < p->call_count; i++) {
        const wr_agg_bound *a = &p->calls[i];
        if (is_named(a, name) && (a->arg_count ? (int32_t)a->args[0] : -1) == col) {
            *out = (int32_t)i;
            return WR_OK;
        }
    }
    wr_agg_bound *made = &p->calls[p->call_count];
    WR_TRY(wri_rule_agg(p->r, name, p->join->inputs[p->many], col, "", made));
    made->name = as;
    *out = (int32_t)p->call_count++;
    return WR_OK;
}

/* CASE WHEN the column is there THEN 1 ELSE 0. */
static wr_status
one_of(push *p, uint32_t col, int32_t *out)
{
    wr_expr **args = WR_NEW_N(p->r->a, wr_expr *, 3), *x = NULL;
    WR_TRY_ALLOC(p->r->ctx, args);
    x = wri_rex_col(p->r->a, p->join->inputs[!p->many], col);
    WR_TRY_ALLOC(p->r->ctx, x);
    WR_TRY(wri_rex_call1(p->r, "IS NOT NULL", x, &args[0]));
    args[1] = wri_rex_int(p->r->a, WR_T_BIGINT, 1);
    args[2] = wri_rex_int(p->r->a, WR_T_BIGINT, 0);
    WR_TRY_ALLOC(p->r->ctx, args[1]);
    WR_TRY_ALLOC(p->r->ctx, args[2]);
    *out = (int32_t)p->one_count;
    return wr_expr_case(p->r->ctx, p->r->a, args, 3, WR_NO_SPAN, &p->ones[p->one_count++]);
}

static wr_status
split_call(push *p, const wr_agg_bound *a, part *out)
{
    *out = (part){-1, -1, -1};
    uint32_t c = a->arg_count ? p->at[a->args[0]] : 0;
    bool mine = a->arg_count && is_on(p, c, p->many);
    int32_t col = a->arg_count ? (int32_t)(c - first_of(p, mine ? p->many : !p->many)) : -1;
    if (a->arg_count == 0 || mine) return call_of(p, a->fn->name, col, a->name, &out->call);
    bool counts = is_named(a, "COUNT");
    if (counts && p->join->inputs[!p->many]->schema.fields[col].type->nullable)
        WR_TRY(one_of(p, (uint32_t)col, &out->one));
    if (!counts) out->col = col;
    return picks_one(a) ? WR_OK : call_of(p, "COUNT", -1, WR_STR(""), &out->call);
}

/* Groups and aggregates of the side with many rows a key; parts: one a call. */
static wr_status
take_apart(push *p, part **parts)
{
    uint32_t n = p->agg->u.agg.agg_count;
    *parts = WR_NEW_N(p->r->a, part, n + 1);
    p->calls = WR_NEW_N(p->r->a, wr_agg_bound, n + 1);
    p->ones = WR_NEW_N(p->r->a, wr_expr *, n + 1);
    p->below = WR_NEW_N(p->r->a, uint32_t, p->width[p->many] + 1);
    WR_TRY_ALLOC(p->r->ctx, *parts);
    WR_TRY_ALLOC(p->r->ctx, p->calls);
    WR_TRY_ALLOC(p->r->ctx, p->ones);
    WR_TRY_ALLOC(p->r->ctx, p->below);
    for (uint32_t i = 0; i < p->width[p->many]; i++) {
        uint32_t c = first_of(p, p->many) + i;
        if (wr_bit_get(p->keys, c) || wr_bit_get(p->joined, c)) p->below[p->below_count++] = i;
    }
    for (uint32_t i = 0; i < n; i++) WR_TRY(split_call(p, &p->agg->u.agg.aggs[i], &(*parts)[i]));
    return WR_OK;
}

/* ---- putting together ------------------------------------------------------------------------ */
typedef struct whole {
    push *p;
    wr_rel *join;   /* over the aggregated side */
    uint32_t *to;   /* columns of the old join -> of the new one; UINT32_MAX: gone */
    uint32_t calls; /* where the aggregated side's results begin in the new join */
    uint32_t ones;  /* and the other side's ones */
    uint32_t other; /* and its columns */
} whole;

static wr_status
other_side(push *p, wr_rel **out)
{
    *out = p->join->inputs[!p->many];
    if (p->one_count == 0) return WR_OK;
    uint32_t n = (*out)->schema.count;
    wr_expr **exprs = WR_NEW_N(p->r->a, wr_expr *, n + p->one_count);
    WR_TRY_ALLOC(p->r->ctx, exprs);
    for (uint32_t i = 0; i < n; i++) {
        exprs[i] = wri_rex_col(p->r->a, *out, i);
        WR_TRY_ALLOC(p->r->ctx, exprs[i]);
    }
    for (uint32_t i = 0; i < p->one_count; i++) exprs[n + i] = p->ones[i];
    *out = wri_rel_project(p->r->a, *out, exprs, NULL, n + p->one_count);
    WR_TRY_ALLOC(p->r->ctx, *out);
    return WR_OK;
}

static wr_status
make_join(push *p, whole *w)
{
    wr_arena *a = p->r->a;
    wr_rel *sides[2] = {NULL, NULL};
    uint32_t many = p->many, n = p->width[0] + p->width[1];
    w->p = p;
    w->to = WR_NEW_N(a, uint32_t, n + 1);
    WR_TRY_ALLOC(p->r->ctx, w->to);
    sides[many] = wri_rel_aggregate(a, p->join->inputs[many], p->below, p->below_count, p->calls,
                                    p->call_count);
    WR_TRY_ALLOC(p->r->ctx, sides[many]);
    WR_TRY(other_side(p, &sides[!many]));
    uint32_t mine = many ? sides[0]->schema.count : 0;
    w->other = many ? 0 : sides[0]->schema.count;
    w->calls = mine + p->below_count;
    w->ones = w->other + p->width[!many];
    for (uint32_t c = 0; c < n; c++)
        w->to[c] = is_on(p, c, many) ? UINT32_MAX : w->other + c - first_of(p, !many);
    for (uint32_t i = 0; i < p->below_count; i++) w->to[first_of(p, many) + p->below[i]] = mine + i;
    wr_expr *cond = wri_rex_map_cols(a, p->join->u.join.cond, w->to);
    WR_TRY_ALLOC(p->r->ctx, cond);
    w->join = wri_rel_join(a, WR_JOIN_INNER, sides[0], sides[1], cond);
    WR_TRY_ALLOC(p->r->ctx, w->join);
    w->join->u.join.hint = p->join->u.join.hint;
    memcpy(w->join->u.join.ttl_ms, p->join->u.join.ttl_ms, sizeof w->join->u.join.ttl_ms);
    w->join->u.join.regular = p->join->u.join.regular;
    return WR_OK;
}

/* What a part is in a row of the new join. */
static wr_status
part_value(const whole *w, const part *of, const wr_type *type, wr_expr **out)
{
    wri_rules *r = w->p->r;
    wr_expr *x = NULL, *y = NULL;
    if (of->call >= 0) x = wri_rex_col(r->a, w->join, w->calls + (uint32_t)of->call);
    if (of->one >= 0) y = wri_rex_col(r->a, w->join, w->ones + (uint32_t)of->one);
    if (of->col >= 0) y = wri_rex_col(r->a, w->join, w->other + (uint32_t)of->col);
    *out = x ? x : y;
    WR_TRY_ALLOC(r->ctx, *out);
    if (!x || !y) return WR_OK;
    WR_TRY(wri_rex_call2(r, "*", x, y, out));
    if (wr_type_eq_ignoring_null((*out)->type, type)) return WR_OK;
    const wr_type *to = wr_type_nullable(r->a, type, (*out)->type->nullable);
    WR_TRY_ALLOC(r->ctx, to);
    *out = wr_expr_cast(r->a, *out, to, false, WR_NO_SPAN);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

/* The groups hold the join's columns: each has one row. */
static wr_status
as_projection(const whole *w, const part *parts, wr_rel **out)
{
    const wr_rel *agg = w->p->agg;
    wri_rules *r = w->p->r;
    uint32_t n = agg->schema.count, keys = agg->u.agg.key_count;
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, n + 1);
    wr_str *names = WR_NEW_N(r->a, wr_str, n + 1);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, names);
    for (uint32_t i = 0; i < n; i++) {
        names[i] = agg->schema.fields[i].name;
        if (i < keys) {
            exprs[i] = wri_rex_col(r->a, w->join, w->to[w->p->at[agg->u.agg.keys[i]]]);
            WR_TRY_ALLOC(r->ctx, exprs[i]);
            continue;
        }
        const wr_type *t = agg->schema.fields[i].type;
        WR_TRY(part_value(w, &parts[i - keys], t, &exprs[i]));
        if (exprs[i]->kind == WR_EX_COLUMN && wr_type_eq_ignoring_null(exprs[i]->type, t))
            names[i] = w->join->schema.fields[exprs[i]->index].name;
        if (wr_type_eq_ignoring_null(exprs[i]->type, t)) continue;
        exprs[i] = wr_expr_cast(r->a, exprs[i], t, false, WR_NO_SPAN);
        WR_TRY_ALLOC(r->ctx, exprs[i]);
    }
    *out = wri_rel_project(r->a, w->join, exprs, names, n);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

/* Columns of the new join that the upper aggregate looks at as they are. */
static uint64_t *
columns_wanted(const whole *w, wr_expr *const *args)
{
    const wr_rel *agg = w->p->agg;
    uint64_t *set = new_set(w->p, w->join->schema.count);
    for (uint32_t i = 0; set && i < agg->u.agg.key_count; i++)
        wr_bit_set(set, w->to[w->p->at[agg->u.agg.keys[i]]]);
    for (uint32_t i = 0; set && i < agg->u.agg.agg_count; i++)
        if (args[i]->kind == WR_EX_COLUMN) wr_bit_set(set, args[i]->index);
    return set;
}

/* Products of counts and columns need a projection: it has what the upper aggregate looks at. at[i]
 * and w->to lead to its columns afterwards. */
static wr_status
project_products(whole *w, wr_expr **args, uint32_t *at, wr_rel **out)
{
    wri_rules *r = w->p->r;
    uint32_t n = w->p->agg->u.agg.agg_count, width = w->join->schema.count, count = 0;
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, width + n + 1);
    wr_str *names = WR_NEW_N(r->a, wr_str, width + n + 1);
    uint32_t *place = WR_NEW_N(r->a, uint32_t, width + 1);
    uint64_t *wanted = columns_wanted(w, args);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, names);
    WR_TRY_ALLOC(r->ctx, place);
    WR_TRY_ALLOC(r->ctx, wanted);
    for (uint32_t i = 0; i < width; i++) {
        if (!wr_bit_get(wanted, i)) continue;
        exprs[count] = wri_rex_col(r->a, w->join, i);
        names[count] = w->join->schema.fields[i].name;
        WR_TRY_ALLOC(r->ctx, exprs[count]);
        place[i] = count++;
    }
    for (uint32_t i = 0, made = 0; i < n; i++) {
        at[i] = args[i]->kind == WR_EX_COLUMN ? place[args[i]->index] : count;
        if (args[i]->kind == WR_EX_COLUMN) continue;
        names[count] = wr_arena_printf(r->a, "$f%u", width + made++);
        WR_TRY_ALLOC(r->ctx, names[count].ptr);
        exprs[count++] = args[i];
    }
    for (uint32_t i = 0; i < w->p->width[0] + w->p->width[1]; i++)
        if (w->to[i] != UINT32_MAX) w->to[i] = place[w->to[i]];
    *out = wri_rel_project(r->a, w->join, exprs, names, count);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

static wr_status
upper_input(whole *w, const part *parts, uint32_t *at, wr_rel **out)
{
    const wr_rel *agg = w->p->agg;
    uint32_t n = agg->u.agg.agg_count;
    wr_expr **args = WR_NEW_N(w->p->r->a, wr_expr *, n + 1);
    bool products = false;
    WR_TRY_ALLOC(w->p->r->ctx, args);
    *out = w->join;
    for (uint32_t i = 0; i < n; i++) {
        WR_TRY(part_value(w, &parts[i], agg->u.agg.aggs[i].type, &args[i]));
        products |= args[i]->kind != WR_EX_COLUMN;
        at[i] = args[i]->index;
    }
    return products ? project_products(w, args, at, out) : WR_OK;
}

/* The upper aggregate's groups in the order of its input; place[i]: where the i-th of the old one's
 * went. */
static bool
upper_keys(const whole *w, uint32_t *cols, uint32_t *place)
{
    const wr_rel *agg = w->p->agg;
    uint32_t n = agg->u.agg.key_count;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = w->to[w->p->at[agg->u.agg.keys[i]]], k = i;
        for (; k > 0 && cols[k - 1] > c; k--) cols[k] = cols[k - 1];
        cols[k] = c;
    }
    bool moved = false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = w->to[w->p->at[agg->u.agg.keys[i]]], k = 0;
        while (cols[k] != c) k++;
        place[i] = k;
        moved |= k != i;
    }
    return moved;
}

static wr_status
back_in_order(const whole *w, wr_rel *upper, const uint32_t *place, wr_rel **out)
{
    const wr_rel *agg = w->p->agg;
    wri_rules *r = w->p->r;
    uint32_t n = agg->schema.count, keys = agg->u.agg.key_count;
    wr_expr **exprs = WR_NEW_N(r->a, wr_expr *, n + 1);
    wr_str *names = WR_NEW_N(r->a, wr_str, n + 1);
    WR_TRY_ALLOC(r->ctx, exprs);
    WR_TRY_ALLOC(r->ctx, names);
    for (uint32_t i = 0; i < n; i++) {
        exprs[i] = wri_rex_col(r->a, upper, i < keys ? place[i] : i);
        names[i] = agg->schema.fields[i].name;
        WR_TRY_ALLOC(r->ctx, exprs[i]);
    }
    *out = wri_rel_project(r->a, upper, exprs, names, n);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

static wr_status
as_aggregate(whole *w, const part *parts, wr_rel **out)
{
    const wr_rel *agg = w->p->agg;
    wri_rules *r = w->p->r;
    uint32_t n = agg->u.agg.agg_count, keys = agg->u.agg.key_count;
    uint32_t *at = WR_NEW_N(r->a, uint32_t, n + 1), *cols = WR_NEW_N(r->a, uint32_t, keys + 1);
    uint32_t *place = WR_NEW_N(r->a, uint32_t, keys + 1);
    wr_agg_bound *calls = WR_NEW_N(r->a, wr_agg_bound, n + 1);
    wr_rel *input = NULL;
    WR_TRY_ALLOC(r->ctx, at);
    WR_TRY_ALLOC(r->ctx, cols);
    WR_TRY_ALLOC(r->ctx, place);
    WR_TRY_ALLOC(r->ctx, calls);
    WR_TRY(upper_input(w, parts, at, &input));
    for (uint32_t i = 0; i < n; i++) {
        const wr_agg_bound *a = &agg->u.agg.aggs[i];
        const char *name = is_named(a, "COUNT") ? "$SUM0" : a->fn->name;
        WR_TRY(wri_rule_agg(r, name, input, (int32_t)at[i], "", &calls[i]));
        calls[i].name = a->name;
        calls[i].span = a->span;
    }
    bool moved = upper_keys(w, cols, place);
    *out = wri_rel_aggregate(r->a, input, cols, keys, calls, n);
    WR_TRY_ALLOC(r->ctx, *out);
    (*out)->u.agg.ttl_ms = agg->u.agg.ttl_ms;
    (*out)->u.agg.at_end = agg->u.agg.at_end;
    return moved ? back_in_order(w, *out, place, out) : WR_OK;
}

#define DEPTH_MAX 6u /* joins below each other that are tried for one aggregate */

static wr_status push_down(wri_rules *r, const wr_rel *agg, uint32_t depth, wr_rel **out);

/* Could the aggregated side's aggregate go further down? Then it is worth the while as well. */
static wr_status
goes_further(const push *p, uint32_t depth, bool *out)
{
    wr_rel *below = wri_rel_aggregate(p->r->a, p->join->inputs[p->many], p->below, p->below_count,
                                      p->calls, p->call_count);
    wr_rel *changed = below;
    WR_TRY_ALLOC(p->r->ctx, below);
    if (depth < DEPTH_MAX) WR_TRY(push_down(p->r, below, depth + 1, &changed));
    *out = changed != below;
    return WR_OK;
}

/* Is there a join below of which one side alone has at most one row a group and key? */
static wr_status
find_sides(push *p, bool *found)
{
    wri_rules *r = p->r;
    const wr_rel *agg = p->agg;
    wr_windowing windows;
    *found = false;
    for (uint32_t i = 0; i < agg->u.agg.agg_count; i++)
        if (!can_split(&agg->u.agg.aggs[i])) return WR_OK;
    p->join = join_below(p, agg->inputs[0]);
    if (p->join && (has_watermark(p->join->inputs[0]) || has_watermark(p->join->inputs[1])))
        return WR_OK;
    if (!p->join || wri_rel_is_window_agg(agg, &windows)) return WR_OK;
    for (uint32_t s = 0; s < 2; s++) p->width[s] = p->join->inputs[s]->schema.count;
    p->keys = new_set(p, p->width[0] + p->width[1]);
    p->joined = new_set(p, p->width[0] + p->width[1]);
    WR_TRY_ALLOC(r->ctx, p->keys);
    WR_TRY_ALLOC(r->ctx, p->joined);
    for (uint32_t i = 0; i < agg->u.agg.key_count; i++)
        wr_bit_set(p->keys, p->at[agg->u.agg.keys[i]]);
    if (!compares_columns(p)) return WR_OK;
    bool unique[2] = {is_unique_side(p, 0), is_unique_side(p, 1)};
    p->many = unique[0];
    *found = unique[0] != unique[1];
    return WR_OK;
}

/* *out stays when the aggregate is left where it is. */
static wr_status
push_down(wri_rules *r, const wr_rel *agg, uint32_t depth, wr_rel **out)
{
    push p = {.r = r, .agg = agg};
    whole w = {0};
    part *parts = NULL;
    bool found = false, known = false;
    WR_TRY(find_sides(&p, &found));
    if (!found) return WR_OK;
    WR_TRY(take_apart(&p, &parts));
    if (!is_cheaper(&p, &known)) {
        if (!known || p.pairs != 1) return WR_OK;
        WR_TRY(goes_further(&p, depth, &found));
        if (!found) return WR_OK;
    }
    WR_TRY(make_join(&p, &w));
    return p.whole ? as_projection(&w, parts, out) : as_aggregate(&w, parts, out);
}

wr_status
wri_rule_join_aggs(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    wr_rel *copy = rel;
    if (rel->kind == WR_REL_AGGREGATE && !r->env->batch) WR_TRY(push_down(r, rel, 0, &copy));
    copy = wri_rel_copy(r->a, copy);
    WR_TRY_ALLOC(r->ctx, copy);
    for (uint32_t i = 0; i < copy->input_count; i++)
        WR_TRY(wri_rule_join_aggs(r, copy->inputs[i], &copy->inputs[i]));
    *out = copy;
    return WR_OK;
}
