/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of aggregates in two phases: COUNT(distinct$0 a) AS count$0, DISTINCT(a) AS distinct$0
 * where the rows are, COUNT(distinct$0 count$0) where their results meet. Partial results are named
 * after Flink's accumulators. */
#include "plan/explain_int.h"

static bool
is_fn(const wr_agg_bound *a, const char *name)
{
    return strcmp(a->fn->name, name) == 0;
}

static bool
is_count_all(const wr_agg_bound *a)
{
    return is_fn(a, "COUNT") && a->arg_count == 0 && a->filter < 0;
}

bool
wri_agg_retracts(const wr_pnode *n, uint32_t i)
{
    return n->u.agg.retracts ? n->u.agg.retracts[i] : n->u.agg.retract;
}

/* The fields of an accumulator, numbered through all of them: count$0, or (sum$0, count$1). */
static void
put_buffer(wr_text *out, const wr_agg_bound *a, bool retract, uint32_t *next)
{
    static const char *const pairs[][2] = {
        {"sum", "count"}, {"accDelimiter", "concatAcc"}, {"value", "count"}};
    const int pair = is_fn(a, "AVG") || (is_fn(a, "SUM") && retract && !a->distinct) ? 0
                     : is_fn(a, "LISTAGG")                                           ? 1
                     : is_fn(a, "SINGLE_VALUE")                                      ? 2
                                                                                     : -1;
    if (pair >= 0) {
        wr_text_printf(out, "(%s$%u, %s$%u)", pairs[pair][0], *next, pairs[pair][1], *next + 1);
        *next += 2;
        return;
    }
    const bool sum = is_fn(a, "SUM") || is_fn(a, "$SUM0");
    const char *as = is_fn(a, "COUNT") ? a->arg_count ? "count" : "count1" : sum ? "sum" : NULL;
    if (as) {
        wr_text_puts(out, as);
    } else {
        for (const char *c = a->fn->name; *c; c++)
            wr_text_putc(out, *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c);
    }
    wr_text_printf(out, "$%u", (*next)++);
}

static bool
same_args(const wr_agg_bound *a, const wr_agg_bound *b)
{
    if (a->arg_count != b->arg_count) return false;
    for (uint32_t i = 0; i < a->arg_count; i++)
        if (a->args[i] != b->args[i]) return false;
    return true;
}

/* The number of the set of distinct values that aggregate i has. */
static uint32_t
distinct_number(const wr_pnode *n, uint32_t i)
{
    uint32_t number = 0;
    for (uint32_t k = 0; k < n->u.agg.agg_count; k++) {
        const wr_agg_bound *a = &n->u.agg.shown[k];
        bool first = a->distinct;
        for (uint32_t j = 0; j < k && first; j++)
            first = !n->u.agg.shown[j].distinct || !same_args(&n->u.agg.shown[j], a);
        if (!first) continue;
        if (same_args(a, &n->u.agg.shown[i])) return number;
        number++;
    }
    return number;
}

static void
put_distinct(wri_liner *l)
{
    const wr_pnode *n = l->n;
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->u.agg.agg_count; i++) {
        const wr_agg_bound *a = &n->u.agg.shown[i];
        if (!a->distinct || distinct_number(n, i) != count) continue;
        wr_text_puts(l->out, ", DISTINCT(");
        wri_put_cols(l->out, &n->inputs[0]->schema, a->args, a->arg_count);
        wr_text_printf(l->out, ") AS distinct$%u", count++);
    }
}

bool
wri_put_partial_calls(wri_liner *l, bool counts_rows)
{
    const wr_pnode *n = l->n;
    uint32_t next = 0;
    bool counted = false, any = n->u.agg.key_count > 0;
    for (uint32_t i = 0; i < n->u.agg.agg_count; i++) {
        const wr_agg_bound *a = &n->u.agg.shown[i];
        const bool retract = wri_agg_retracts(n, i);
        const wr_str words = wr_arena_printf(l->out->arena, "distinct$%u ", distinct_number(n, i));
        wr_text_puts(l->out, any ? ", " : "");
        wri_put_agg_call(l, a, retract, words.ptr ? words.ptr : "");
        wr_text_puts(l->out, " AS ");
        put_buffer(l->out, a, retract, &next);
        counted |= is_count_all(a);
        any = true;
    }
    if (!counted && counts_rows) {
        wr_text_printf(l->out, "%sCOUNT%s(*) AS count1$%u", any ? ", " : "",
                       n->u.agg.retract ? "_RETRACT" : "", next);
        any = true;
    }
    put_distinct(l);
    return any;
}

bool
wri_put_merged_calls(wri_liner *l, bool counts_rows, void (*put_as)(wri_liner *l, uint32_t *col),
                     uint32_t *col)
{
    const wr_pnode *n = l->n;
    uint32_t next = 0;
    bool counted = false, any = n->u.agg.key_count > 0;
    for (uint32_t i = 0; i < n->u.agg.agg_count; i++) {
        const wr_agg_bound *a = &n->u.agg.shown[i];
        const bool retract = wri_agg_retracts(n, i);
        wr_text_printf(l->out, "%s%s%s(", any ? ", " : "", a->fn->name, retract ? "_RETRACT" : "");
        if (a->distinct) wr_text_printf(l->out, "distinct$%u ", distinct_number(n, i));
        put_buffer(l->out, a, retract, &next);
        wr_text_putc(l->out, ')');
        put_as(l, col);
        counted |= is_count_all(a);
        any = true;
    }
    if (!counted && counts_rows) {
        wr_text_printf(l->out, "%sCOUNT%s(count1$%u)", any ? ", " : "",
                       n->u.agg.retract ? "_RETRACT" : "", next);
        put_as(l, col);
        any = true;
    }
    return any;
}
