/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of aggregation and what their records are made of, in words that a changed query
 * finds again: accumulators and tables are named by what they compute, so that a restored group
 * keeps those which are still wanted, whatever came or went beside them. */
#include "op/agg_int.h"

/* The type of an argument as far as the state is concerned. NULL: out of memory. */
static const wr_type *
kept_type(wr_arena *a, const wr_type *t, uint8_t keeps)
{
    if (wr_type_is_string(t)) return wr_type_string(true);
    if (keeps == WR_AGG_KEEPS_TYPES) return t;
    switch ((int)t->id) {
    case WR_T_TINYINT:
    case WR_T_SMALLINT:
    case WR_T_INT:
        return wr_type_of(WR_T_BIGINT, true);
    case WR_T_DECIMAL:
        return wr_type_decimal(a, 38, t->scale, true);
    default:
        return t;
    }
}

static const wr_schema *
kept_args(wri_aggs *a, const wri_agg *g)
{
    const wr_agg_bound *b = g->bound;
    wr_arena *arena = a->op->env->arena;
    const wr_schema *input = &a->op->node->inputs[0]->schema;
    wr_schema *s = WR_NEW(arena, wr_schema);
    wr_field *fields = WR_NEW_N(arena, wr_field, b->arg_count + 1);
    if (!s || !fields) return NULL;
    *s = (wr_schema){0};
    if (g->ops->keeps == WR_AGG_KEEPS_COUNTS) return s;
    for (uint32_t i = 0; i < b->arg_count; i++) {
        fields[i] = input->fields[b->args[i]];
        fields[i].type = kept_type(arena, fields[i].type, g->ops->keeps);
        if (!fields[i].type) return NULL;
    }
    *s = (wr_schema){fields, b->arg_count};
    return s;
}

/* "SUM(amount)"; with a mark where the accumulator is another because rows may be taken back; a
 * second one of the same is numbered. */
static wr_status
name_aggregate(wr_ctx *ctx, wri_aggs *a, const wr_str *origins, uint32_t i, const char **out)
{
    wr_arena *arena = a->op->env->arena;
    const wri_agg *g = &a->aggs[i];
    const bool both = g->bound->ops && g->bound->retract_ops != g->bound->ops;
    const char *mark = both && g->ops == g->bound->retract_ops ? " RETRACTABLE" : "";
    wr_str name = wr_arena_printf(arena, "%.*s%s", WR_STR_ARG(origins[i]), mark);
    if (!name.ptr) return WRI_NOMEM(ctx);
    uint32_t same = 1;
    for (uint32_t k = 0; k < i; k++) same += wr_str_eq(origins[k], origins[i]);
    if (same > 1) name = wr_arena_printf(arena, "%.*s #%u", WR_STR_ARG(name), same);
    if (!name.ptr) return WRI_NOMEM(ctx);
    *out = name.ptr;
    return WR_OK;
}

static wr_status
open_table(wr_ctx *ctx, wri_aggs *a, const char *name, const wr_state_desc *desc,
           wr_state_table **out)
{
    wr_str full = wr_str_c(name);
    if (a->number) full = wr_arena_printf(a->op->env->arena, "%s #%u", name, a->number);
    if (!full.ptr) return WRI_NOMEM(ctx);
    return wri_table_open(ctx, a->op, full.ptr, desc, out);
}

/* The groups' records: the head, then the accumulators. */
static wr_status
open_groups(wr_ctx *ctx, wri_aggs *a, const char *const *names)
{
    const uint32_t heads = a->head_count;
    wr_state_part *parts = WR_NEW_N(a->op->env->arena, wr_state_part, heads + a->agg_count + 1);
    WR_TRY_ALLOC(ctx, parts);
    for (uint32_t i = 0; i < heads; i++) parts[i] = a->head[i];
    for (uint32_t i = 0; i < a->agg_count; i++) {
        const wri_agg *g = &a->aggs[i];
        parts[heads + i] = (wr_state_part){.name = names[i],
                                           .kind = WR_PART_PLAIN,
                                           .offset = g->offset,
                                           .bytes = g->ops->state_bytes,
                                           .schema = kept_args(a, g)};
        WR_TRY_ALLOC(ctx, parts[heads + i].schema);
    }
    const wr_state_desc desc = {.shape = WR_STATE_VALUE,
                                .key = &a->keys.schema,
                                .record_bytes = a->record_bytes,
                                .parts = parts,
                                .part_count = heads + a->agg_count,
                                .ttl_ms = a->op->node->u.agg.ttl_ms};
    return open_table(ctx, a, "groups", &desc, &a->groups);
}

/* How often each value is there, for each filter under which it is counted. */
static wr_status
open_distinct(wr_ctx *ctx, wri_aggs *a, wri_distinct *d)
{
    wr_arena *arena = a->op->env->arena;
    const wr_pnode *in = a->op->node->inputs[0];
    wr_state_part *parts = WR_NEW_N(arena, wr_state_part, d->member_count + 1);
    WR_TRY_ALLOC(ctx, parts);
    wr_text name;
    wr_text_init(&name, arena);
    wr_text_puts(&name, "distinct ");
    for (uint32_t i = 0; i < d->args.count; i++)
        wr_text_printf(&name, "%s%.*s", i ? ", " : "", WR_STR_ARG(d->args.schema.fields[i].name));
    wr_text_putc(&name, 0);
    if (name.failed) return WRI_NOMEM(ctx);
    for (uint32_t m = 0; m < d->member_count; m++) {
        wr_str filter = WR_STR("rows");
        if (d->filters[m] >= 0) {
            WR_TRY(wr_col_origin(ctx, arena, in, (uint32_t)d->filters[m], &filter));
            filter = wr_arena_printf(arena, "rows FILTER (%.*s)", WR_STR_ARG(filter));
            if (!filter.ptr) return WRI_NOMEM(ctx);
        }
        parts[m] =
            (wr_state_part){.name = filter.ptr, .kind = WR_PART_PLAIN, .offset = 8 * m, .bytes = 8};
    }
    const wr_state_desc desc = {.shape = WR_STATE_MAP,
                                .key = &d->args.schema,
                                .record_bytes = 8 * d->member_count,
                                .parts = parts,
                                .part_count = d->member_count,
                                .parent = a->groups};
    return open_table(ctx, a, name.ptr, &desc, &d->map);
}

static wr_status
open_aux(wr_ctx *ctx, wri_aggs *a, wri_agg *g, const char *name)
{
    wr_text full; /* with the types: they decide about the bytes of the keys */
    wr_text_init(&full, a->op->env->arena);
    wr_text_puts(&full, name);
    for (uint32_t i = 0; i < g->bound->arg_count; i++) {
        const wr_type *t = a->op->node->inputs[0]->schema.fields[g->bound->args[i]].type;
        wr_text_puts(&full, i ? ", " : " of ");
        wr_type_print(kept_type(NULL, t, WR_AGG_KEEPS_TYPES), WR_TYPE_NO_NULL, &full);
    }
    wr_text_putc(&full, 0);
    if (full.failed) return WRI_NOMEM(ctx);
    const wr_state_desc desc = {.shape =
                                    g->ops->aux == WR_AGG_AUX_MAP ? WR_STATE_MAP : WR_STATE_ORDERED,
                                .record_bytes = g->ops->aux_bytes,
                                .parent = a->groups};
    return open_table(ctx, a, full.ptr, &desc, &g->aux);
}

wr_status
wri_aggs_open_tables(wr_ctx *ctx, wri_aggs *a)
{
    wr_arena *arena = a->op->env->arena;
    wr_str *origins = WR_NEW_N(arena, wr_str, a->agg_count + 1);
    const char **names = WR_NEW_N(arena, const char *, a->agg_count + 1);
    WR_TRY_ALLOC(ctx, origins);
    WR_TRY_ALLOC(ctx, names);
    for (uint32_t i = 0; i < a->agg_count; i++) {
        WR_TRY(wr_agg_origin(ctx, arena, a->op->node, i, &origins[i]));
        WR_TRY(name_aggregate(ctx, a, origins, i, &names[i]));
    }
    WR_TRY(open_groups(ctx, a, names));
    for (uint32_t i = 0; i < a->distinct_count; i++)
        WR_TRY(open_distinct(ctx, a, &a->distincts[i]));
    for (uint32_t i = 0; i < a->agg_count; i++)
        if (a->aggs[i].ops->aux != WR_AGG_AUX_NONE) WR_TRY(open_aux(ctx, a, &a->aggs[i], names[i]));
    return WR_OK;
}
