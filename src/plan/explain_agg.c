/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of aggregates: GroupAggregate(groupBy=[k], select=[k, COUNT(*) AS EXPR$1]), and in batch
 * the two phases, whose partial results are named after Flink's accumulators:
 * LocalHashAggregate(select=[Partial_AVG(a) AS (sum$0, count$1)]). */
#include "plan/explain_int.h"

static wr_str
in_name(const wr_pnode *n, uint32_t col)
{
    return n->inputs[0]->schema.fields[col].name;
}

const char *
wri_batch_agg_name(const wr_pnode *n)
{
    if (n->u.agg.phase == WR_AGG_LOCAL)
        return n->u.agg.sorted ? "LocalSortAggregate" : "LocalHashAggregate";
    return n->u.agg.sorted ? "SortAggregate" : "HashAggregate";
}

const char *
wri_group_agg_name(const wr_pnode *n)
{
    return n->u.agg.phase == WR_AGG_LOCAL   ? "LocalGroupAggregate"
           : n->u.agg.phase == WR_AGG_FINAL ? "GlobalGroupAggregate"
                                            : "GroupAggregate";
}

/* The fields of an accumulator, numbered through all of them: count$0, or (sum$0, count$1). */
static void
put_buffer(wr_text *out, const wr_agg_bound *a, uint32_t *next)
{
    const char *name = a->fn->name;
    bool avg = strcmp(name, "AVG") == 0, single = strcmp(name, "SINGLE_VALUE") == 0;
    if (avg || single) {
        wr_text_printf(out, "%s$%u, count$%u", avg ? "sum" : "value", *next, *next + 1);
        *next += 2;
        return;
    }
    if (strcmp(name, "APPROX_COUNT_DISTINCT") == 0) { /* not made of fields */
        wr_text_printf(out, "%.*s", WR_STR_ARG(a->name));
        return;
    }
    bool count = strcmp(name, "COUNT") == 0;
    const char *as = count && a->arg_count == 0 ? "count1"
                     : count                    ? "count"
                     : strcmp(name, "MIN") == 0 ? "min"
                     : strcmp(name, "MAX") == 0 ? "max"
                                                : "sum";
    wr_text_printf(out, "%s$%u", as, (*next)++);
}

void
wri_put_agg_call(wri_liner *l, const wr_agg_bound *a, bool retract, const char *distinct)
{
    bool approx = strcmp(a->fn->name, "APPROX_COUNT_DISTINCT") == 0;
    wr_text_printf(l->out, "%s%s(", approx ? "COUNT" : a->fn->name, retract ? "_RETRACT" : "");
    if (approx) wr_text_puts(l->out, "APPROXIMATE DISTINCT ");
    if (a->distinct && !approx) wr_text_puts(l->out, distinct);
    if (a->arg_count == 0) wr_text_putc(l->out, '*');
    for (uint32_t i = 0; i < a->arg_count; i++)
        wr_text_printf(l->out, "%s%.*s", i ? ", " : "", WR_STR_ARG(in_name(l->n, a->args[i])));
    wr_text_putc(l->out, ')');
    if (a->filter >= 0)
        wr_text_printf(l->out, " FILTER %.*s", WR_STR_ARG(in_name(l->n, (uint32_t)a->filter)));
}

static void
put_whole(wri_liner *l, uint32_t i)
{
    const wr_pnode *n = l->n;
    wri_put_agg_call(l, &n->u.agg.aggs[i], wri_agg_retracts(n, i), "DISTINCT ");
    wr_text_printf(l->out, " AS %.*s", WR_STR_ARG(n->schema.fields[n->u.agg.key_count + i].name));
}

static void
put_partial(wri_liner *l, uint32_t i, uint32_t *next)
{
    const wr_agg_bound *a = &l->n->u.agg.shown[i];
    uint32_t from = *next;
    wr_text fields;
    wr_text_init(&fields, l->out->arena);
    put_buffer(&fields, a, next);
    wr_text_puts(l->out, "Partial_");
    wri_put_agg_call(l, a, false, "DISTINCT ");
    bool many = *next > from + 1;
    wr_text_printf(l->out, " AS %s%.*s%s", many ? "(" : "", (int)fields.len, fields.ptr,
                   many ? ")" : "");
}

static void
put_final(wri_liner *l, uint32_t i, uint32_t *next)
{
    const wr_agg_bound *a = &l->n->u.agg.shown[i];
    bool approx = strcmp(a->fn->name, "APPROX_COUNT_DISTINCT") == 0;
    wr_text_printf(l->out, "Final_%s", approx ? "COUNT(APPROXIMATE DISTINCT " : a->fn->name);
    if (!approx) wr_text_putc(l->out, '(');
    put_buffer(l->out, a, next);
    wr_text_printf(l->out, ") AS %.*s",
                   WR_STR_ARG(l->n->schema.fields[l->n->u.agg.key_count + i].name));
}

/* Streaming, two phases. */
static void
put_as(wri_liner *l, uint32_t *col)
{
    const wr_str name = l->n->schema.fields[(*col)++].name;
    wr_text_printf(l->out, " AS %.*s", WR_STR_ARG(name));
}

static bool
put_phase(wri_liner *l)
{
    const wr_pnode *n = l->n;
    uint32_t col = n->u.agg.key_count;
    if (n->kind != WR_P_GROUP_AGG || n->u.agg.phase == WR_AGG_WHOLE) return false;
    if (n->u.agg.phase == WR_AGG_LOCAL)
        wri_put_partial_calls(l, n->u.agg.retract);
    else
        wri_put_merged_calls(l, false, put_as, &col);
    return true;
}

void
wri_label_agg(wri_liner *l)
{
    const wr_pnode *n = l->n;
    uint32_t next = 0, phase = n->u.agg.phase;
    if (n->kind == WR_P_HASH_AGG && phase != WR_AGG_LOCAL) {
        wri_attr(l, "isMerge");
        wr_text_puts(l->out, phase == WR_AGG_FINAL ? "true]" : "false]");
    }
    if (n->u.agg.key_count) {
        wri_attr(l, "groupBy");
        wri_put_cols(l->out, &n->inputs[0]->schema, n->u.agg.keys, n->u.agg.key_count);
        wr_text_putc(l->out, ']');
    }
    wri_attr(l, "select");
    wri_put_cols(l->out, &n->inputs[0]->schema, n->u.agg.keys, n->u.agg.key_count);
    const bool done = put_phase(l);
    for (uint32_t i = 0; i < n->u.agg.agg_count && !done; i++) {
        if (i || n->u.agg.key_count) wr_text_puts(l->out, ", ");
        if (phase == WR_AGG_LOCAL)
            put_partial(l, i, &next);
        else if (phase == WR_AGG_FINAL)
            put_final(l, i, &next);
        else
            put_whole(l, i);
    }
    wr_text_putc(l->out, ']');
}
