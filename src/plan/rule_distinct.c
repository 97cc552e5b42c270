/* SPDX-License-Identifier: Apache-2.0 */
/* DISTINCT aggregates of a batch query, as Flink plans them: a first aggregate makes the rows
 * distinct (and can be done in two phases), a second one aggregates what is left.
 *
 *   - all aggregates over the same distinct columns: GROUP BY keys, columns, then by the keys;
 *   - else every row is expanded, once for each list of distinct columns and once for the other
 *     aggregates; $e tells the copies apart, and each aggregate of the second step looks at its own
 *     copies alone. What is not distinct is computed by the first step and picked by MIN.
 *
 * A job without parallelism keeps such aggregates whole, whatever EXPLAIN shows; so does one where
 * the copies of no row at all would have to give COUNT its 0. */
#include "plan/rule_int.h"

#define SETS_MAX 16u

typedef struct distinct { /* an aggregate being taken apart */
    wri_rules *r;
    wr_rel *rel;
    uint64_t *full;           /* keys and all distinct columns */
    uint64_t *sets[SETS_MAX]; /* keys and the columns of one list; ascending by id */
    int64_t ids[SETS_MAX];
    uint32_t set_count;
    uint32_t *at; /* input column -> column of the first aggregate */
} distinct;

static uint64_t *
new_set(distinct *d)
{
    return WR_NEW_N(d->r->a, uint64_t, WR_BIT_WORDS(d->rel->inputs[0]->schema.count) + 1);
}

/* keys, and the columns of `agg` (NULL: none) */
static uint64_t *
columns_of(distinct *d, const wr_agg_bound *agg)
{
    uint64_t *set = new_set(d);
    for (uint32_t i = 0; set && i < d->rel->u.agg.key_count; i++)
        wr_bit_set(set, d->rel->u.agg.keys[i]);
    for (uint32_t i = 0; set && agg && i < agg->arg_count; i++) wr_bit_set(set, agg->args[i]);
    return set;
}

/* A bit per column of `full`, the first one the highest: is it left out? */
static int64_t
id_of(const distinct *d, const uint64_t *set)
{
    int64_t id = 0;
    for (uint32_t c = 0; c < d->rel->inputs[0]->schema.count; c++)
        if (wr_bit_get(d->full, c)) id = id << 1 | !wr_bit_get(set, c);
    return id;
}

static bool
add_set(distinct *d, uint64_t *set)
{
    int64_t id = id_of(d, set);
    uint32_t i = 0;
    while (i < d->set_count && d->ids[i] < id) i++;
    if (i < d->set_count && d->ids[i] == id) return true;
    if (d->set_count == SETS_MAX) return false;
    for (uint32_t k = d->set_count++; k > i; k--) {
        d->sets[k] = d->sets[k - 1];
        d->ids[k] = d->ids[k - 1];
    }
    d->sets[i] = set;
    d->ids[i] = id;
    return true;
}

/* Can it be taken apart? *others: there are aggregates that are not distinct. */
static bool
is_apart(const distinct *d, bool *others)
{
    const wr_rel *rel = d->rel;
    bool any = false;
    *others = false;
    for (uint32_t i = 0; i < rel->u.agg.agg_count; i++) {
        const wr_agg_bound *a = &rel->u.agg.aggs[i];
        if (strcmp(a->fn->name, "APPROX_COUNT_DISTINCT") == 0) return false;
        if (a->distinct && (a->filter >= 0 || a->arg_count != 1)) return false;
        any |= a->distinct;
        *others |= !a->distinct;
    }
    return any;
}

/* GROUP BY the columns of `full` [, $e], with the aggregates that are not distinct. */
static wr_status
first_step(distinct *d, wr_rel *input, bool expanded, wr_rel **out)
{
    uint32_t width = d->rel->inputs[0]->schema.count, keys = 0, aggs = 0;
    uint32_t *cols = WR_NEW_N(d->r->a, uint32_t, width + 2);
    wr_agg_bound *own = WR_NEW_N(d->r->a, wr_agg_bound, d->rel->u.agg.agg_count + 1);
    WR_TRY_ALLOC(d->r->ctx, cols);
    WR_TRY_ALLOC(d->r->ctx, own);
    for (uint32_t c = 0; c < width; c++) {
        if (!wr_bit_get(d->full, c)) continue;
        d->at[c] = keys;
        cols[keys++] = c;
    }
    if (expanded) cols[keys++] = width;
    for (uint32_t i = 0; i < d->rel->u.agg.agg_count; i++)
        if (!d->rel->u.agg.aggs[i].distinct) own[aggs++] = d->rel->u.agg.aggs[i];
    *out = wri_rel_aggregate(d->r->a, input, cols, keys, own, aggs);
    WR_TRY_ALLOC(d->r->ctx, *out);
    return WR_OK;
}

/* The second step over `input`; filters[i]: the column that tells the rows of set i, NULL: all. */
static wr_status
second_step(distinct *d, wr_rel *input, const uint32_t *filters, wr_rel **out)
{
    const wr_rel *rel = d->rel;
    uint32_t keys = rel->u.agg.key_count, n = rel->u.agg.agg_count, other = 0;
    uint32_t *cols = WR_NEW_N(d->r->a, uint32_t, keys + 1);
    wr_agg_bound *aggs = WR_NEW_N(d->r->a, wr_agg_bound, n + 1);
    WR_TRY_ALLOC(d->r->ctx, cols);
    WR_TRY_ALLOC(d->r->ctx, aggs);
    uint32_t first = 0; /* of the other aggregates: behind the keys and $e */
    for (uint32_t c = 0; c < rel->inputs[0]->schema.count; c++) first += wr_bit_get(d->full, c);
    for (uint32_t i = 0; i < keys; i++) cols[i] = d->at[rel->u.agg.keys[i]];
    for (uint32_t i = 0; i < n; i++) {
        const wr_agg_bound *a = &rel->u.agg.aggs[i];
        int64_t id = id_of(d, columns_of(d, a->distinct ? a : NULL));
        if (a->distinct) {
            uint32_t *arg = WR_NEW_N(d->r->a, uint32_t, 1);
            WR_TRY_ALLOC(d->r->ctx, arg);
            *arg = d->at[a->args[0]];
            aggs[i] = *a;
            aggs[i].args = arg;
            aggs[i].distinct = false;
        } else {
            WR_TRY(wri_rule_agg(d->r, "MIN", input, (int32_t)(first + other++), "", &aggs[i]));
            aggs[i].name = a->name;
        }
        for (uint32_t s = 0; filters && s < d->set_count; s++)
            if (d->ids[s] == id) aggs[i].filter = (int32_t)filters[s];
    }
    *out = wri_rel_aggregate(d->r->a, input, cols, keys, aggs, n);
    WR_TRY_ALLOC(d->r->ctx, *out);
    return WR_OK;
}

/* A copy of the row per set. */
static wr_status
expand(distinct *d, wr_rel **out)
{
    wr_rel *input = d->rel->inputs[0];
    uint32_t width = input->schema.count;
    wr_rel *rel = wri_rel_new(d->r->a, WR_REL_EXPAND, &input, 1);
    wr_field *fields = WR_NEW_N(d->r->a, wr_field, width + 1);
    WR_TRY_ALLOC(d->r->ctx, rel);
    WR_TRY_ALLOC(d->r->ctx, fields);
    for (uint32_t c = 0; c < width; c++) {
        fields[c] = input->schema.fields[c];
        bool always = true;
        for (uint32_t s = 0; s < d->set_count; s++) always &= wr_bit_get(d->sets[s], c);
        if (!wr_bit_get(d->full, c) || always) continue;
        fields[c].type = wr_type_nullable(d->r->a, fields[c].type, true);
        WR_TRY_ALLOC(d->r->ctx, fields[c].type);
    }
    fields[width] = (wr_field){WR_STR("$e"), wr_type_of(WR_T_BIGINT, false), WR_STR("")};
    rel->schema = (wr_schema){fields, width + 1};
    rel->u.expand.set_count = d->set_count;
    rel->u.expand.rows = WR_NEW_N(d->r->a, wr_expr **, d->set_count + 1);
    WR_TRY_ALLOC(d->r->ctx, rel->u.expand.rows);
    for (uint32_t s = 0; s < d->set_count; s++) {
        wr_expr **row = WR_NEW_N(d->r->a, wr_expr *, width + 1);
        WR_TRY_ALLOC(d->r->ctx, row);
        for (uint32_t c = 0; c < width; c++) {
            bool null = wr_bit_get(d->full, c) && !wr_bit_get(d->sets[s], c);
            row[c] = null ? wri_rex_null(d->r->a, fields[c].type) : wri_rex_col(d->r->a, input, c);
            WR_TRY_ALLOC(d->r->ctx, row[c]);
        }
        row[width] = wri_rex_int(d->r->a, WR_T_BIGINT, d->ids[s]);
        WR_TRY_ALLOC(d->r->ctx, row[width]);
        rel->u.expand.rows[s] = row;
    }
    *out = rel;
    return WR_OK;
}

/* CASE WHEN $e = 1 THEN 1 ... ELSE 3 END: which copy it is. */
static wr_status
which_copy(distinct *d, wr_expr *e, wr_expr **out)
{
    wr_expr **args = WR_NEW_N(d->r->a, wr_expr *, 2 * d->set_count + 1);
    uint32_t n = 0;
    WR_TRY_ALLOC(d->r->ctx, args);
    for (uint32_t s = 0; s < d->set_count; s++) {
        wr_expr *id = wri_rex_int(d->r->a, WR_T_BIGINT, d->ids[s]);
        WR_TRY_ALLOC(d->r->ctx, id);
        if (s + 1 < d->set_count) WR_TRY(wri_rex_call2(d->r, "=", e, id, &args[n++]));
        args[n++] = id;
    }
    return wr_expr_case(d->r->ctx, d->r->a, args, n, WR_NO_SPAN, out);
}

/* The columns of the first step without $e, and a flag per copy; filters[i]: that of set i. */
static wr_status
flags(distinct *d, wr_rel *input, uint32_t **filters, wr_rel **out)
{
    uint32_t n = input->schema.count, k = 0, e = 0;
    wr_expr **exprs = WR_NEW_N(d->r->a, wr_expr *, n + SETS_MAX), *copy = NULL;
    wr_str *names = WR_NEW_N(d->r->a, wr_str, n + SETS_MAX);
    *filters = WR_NEW_N(d->r->a, uint32_t, SETS_MAX);
    WR_TRY_ALLOC(d->r->ctx, exprs);
    WR_TRY_ALLOC(d->r->ctx, names);
    WR_TRY_ALLOC(d->r->ctx, *filters);
    e = input->u.agg.key_count - 1;
    for (uint32_t c = 0; c < n; c++) {
        if (c == e) continue;
        names[k] = input->schema.fields[c].name;
        exprs[k] = wri_rex_col(d->r->a, input, c);
        WR_TRY_ALLOC(d->r->ctx, exprs[k++]);
    }
    WR_TRY(which_copy(d, wri_rex_col(d->r->a, input, e), &copy));
    for (uint32_t s = 0; s < d->set_count; s++) {
        (*filters)[s] = k;
        names[k] = wr_arena_printf(d->r->a, "$g_%lld", (long long)d->ids[s]);
        WR_TRY(wri_rex_call2(d->r, "=", copy, wri_rex_int(d->r->a, WR_T_BIGINT, d->ids[s]),
                             &exprs[k++]));
    }
    *out = wri_rel_project(d->r->a, input, exprs, names, k);
    WR_TRY_ALLOC(d->r->ctx, *out);
    return WR_OK;
}

/* The types of the aggregate that was. */
static wr_status
as_before(distinct *d, wr_rel *now, wr_rel **out)
{
    uint32_t n = now->schema.count;
    wr_expr **exprs = WR_NEW_N(d->r->a, wr_expr *, n + 1);
    wr_str *names = WR_NEW_N(d->r->a, wr_str, n + 1);
    bool same = true;
    WR_TRY_ALLOC(d->r->ctx, exprs);
    WR_TRY_ALLOC(d->r->ctx, names);
    for (uint32_t i = 0; i < n; i++) {
        const wr_type *t = d->rel->schema.fields[i].type;
        names[i] = d->rel->schema.fields[i].name;
        exprs[i] = wri_rex_col(d->r->a, now, i);
        WR_TRY_ALLOC(d->r->ctx, exprs[i]);
        if (wr_type_eq(exprs[i]->type, t)) continue;
        same = false;
        exprs[i] = wr_expr_cast(d->r->a, exprs[i], t, false, WR_NO_SPAN);
        WR_TRY_ALLOC(d->r->ctx, exprs[i]);
    }
    *out = same ? now : wri_rel_project(d->r->a, now, exprs, names, n);
    WR_TRY_ALLOC(d->r->ctx, *out);
    return WR_OK;
}

/* Do the aggregates that are not distinct leave the distinct columns alone? */
static bool
keeps_apart(const distinct *d)
{
    for (uint32_t i = 0; i < d->rel->u.agg.agg_count; i++) {
        const wr_agg_bound *a = &d->rel->u.agg.aggs[i];
        if (a->distinct) continue;
        for (uint32_t k = 0; k < a->arg_count; k++)
            if (wr_bit_get(d->full, a->args[k])) return false;
        if (a->filter >= 0 && wr_bit_get(d->full, (uint32_t)a->filter)) return false;
    }
    return true;
}

static wr_status
take_apart(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    distinct d = {.r = r, .rel = rel};
    bool others = false, ok = true;
    wr_rel *step = NULL;
    uint32_t *filters = NULL;
    *out = rel;
    if (!is_apart(&d, &others)) return WR_OK;
    if (others && rel->u.agg.key_count == 0 && !r->env->explain) return WR_OK;
    d.at = WR_NEW_N(r->a, uint32_t, rel->inputs[0]->schema.count + 1);
    d.full = columns_of(&d, NULL);
    WR_TRY_ALLOC(r->ctx, d.at);
    WR_TRY_ALLOC(r->ctx, d.full);
    for (uint32_t i = 0; i < rel->u.agg.agg_count; i++)
        if (rel->u.agg.aggs[i].distinct) wr_bit_set(d.full, rel->u.agg.aggs[i].args[0]);
    for (uint32_t i = 0; i < rel->u.agg.agg_count; i++) {
        const wr_agg_bound *a = &rel->u.agg.aggs[i];
        uint64_t *set = columns_of(&d, a->distinct ? a : NULL);
        WR_TRY_ALLOC(r->ctx, set);
        ok = ok && add_set(&d, set);
    }
    if (!ok || !keeps_apart(&d)) return WR_OK;
    if (d.set_count == 1 && others) return WR_OK; /* a key's values, counted once a group */
    if (d.set_count == 1) {
        WR_TRY(first_step(&d, rel->inputs[0], false, &step));
        return second_step(&d, step, NULL, out);
    }
    WR_TRY(expand(&d, &step));
    WR_TRY(first_step(&d, step, true, &step));
    WR_TRY(flags(&d, step, &filters, &step));
    WR_TRY(second_step(&d, step, filters, &step));
    return as_before(&d, step, out);
}

wr_status
wri_rule_distinct(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    const wr_config *config = r->env->config;
    int64_t parallelism = wr_config_int(config, "table.exec.resource.default-parallelism");
    if (parallelism <= 0) parallelism = wr_config_int(config, "parallelism.default");
    *out = rel;
    if (!r->env->batch || (!r->env->explain && parallelism <= 1)) return WR_OK;
    wr_rel *copy = wri_rel_copy(r->a, rel);
    WR_TRY_ALLOC(r->ctx, copy);
    for (uint32_t i = 0; i < copy->input_count; i++)
        WR_TRY(wri_rule_distinct(r, rel->inputs[i], &copy->inputs[i]));
    *out = copy;
    return copy->kind == WR_REL_AGGREGATE ? take_apart(r, copy, out) : WR_OK;
}
