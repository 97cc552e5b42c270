/* SPDX-License-Identifier: Apache-2.0 */
/* MATCH_RECOGNIZE in plans: conditions count columns of the input ($2) and are printed alike in all
 * sections, measures name them. */
#include "plan/explain_int.h"

/* Fields called as the references are, for wr_expr_print. */
static const wr_field *
ref_names(wr_arena *a, const wr_match_ref *refs, uint32_t n, bool plan)
{
    wr_field *f = WR_NEW_N(a, wr_field, n + 1);
    for (uint32_t i = 0; f && i < n; i++)
        f[i] = (wr_field){plan ? refs[i].plan_text : refs[i].text, refs[i].type, WR_STR("")};
    return f;
}

static void
put_condition(const wr_match_spec *m, const wr_expr *cond, bool plan, wr_text *out)
{
    const wr_field *names = ref_names(out->arena, m->define_refs, m->define_ref_count, plan);
    if (names)
        wr_expr_print(cond, WR_EXPR_AST, names, out);
    else
        out->failed = true;
}

static void
put_skip(const wr_match_spec *m, bool logical, wr_text *out)
{
    const char *name = m->skip == WR_MATCH_SKIP_NEXT_ROW    ? "SKIP TO NEXT ROW"
                       : m->skip == WR_MATCH_SKIP_PAST_LAST ? "SKIP PAST LAST ROW"
                       : m->skip == WR_MATCH_SKIP_FIRST     ? "SKIP TO FIRST"
                                                            : "SKIP TO LAST";
    if (m->skip < WR_MATCH_SKIP_FIRST)
        wr_text_printf(out, logical ? "FLAG(%s)" : "%s", name);
    else
        wr_text_printf(out, logical ? "%s(_UTF-16LE'%.*s')" : "%s _UTF-16LE'%.*s'", name,
                       WR_STR_ARG(m->skip_name));
}

/* ---- the abstract syntax tree ---------------------------------------------------------------- */
static void
put_columns(const wr_match_spec *m, const wr_rel *rel, wr_text *out)
{
    wr_text_puts(out, "LogicalMatch(partition=[[");
    for (uint32_t i = 0; i < m->partition_count; i++)
        wr_text_printf(out, "%s%u", i ? ", " : "", m->partition[i]);
    wr_text_puts(out, "]], order=[[");
    for (uint32_t i = 0; i < m->order_count; i++) {
        wr_text_printf(out, "%s%u", i ? ", " : "", m->order[i].col);
        if (m->order[i].desc || !m->order[i].nulls_last)
            wr_text_printf(out, " %s", wri_direction(&m->order[i]));
    }
    wr_text_puts(out, "]], outputFields=[[");
    wri_put_fields(out, &rel->schema, ", ");
    wr_text_puts(out, "]], allRows=[false], after=[");
    put_skip(m, true, out);
}

void
wri_put_logical_match(const wr_rel *rel, wr_text *out)
{
    const wr_match_spec *m = rel->u.match;
    put_columns(m, rel, out);
    wr_text_printf(out, "], pattern=[%.*s], isStrictStarts=[%s], isStrictEnds=[%s]",
                   WR_STR_ARG(m->pattern), m->strict_start ? "true" : "false",
                   m->strict_end ? "true" : "false");
    if (m->within) {
        wr_text_puts(out, ", interval=[");
        wr_expr_print(m->within, WR_EXPR_AST, NULL, out);
        wr_text_putc(out, ']');
    }
    wr_text_printf(out, ", subsets=[[%.*s]], patternDefinitions=[[", WR_STR_ARG(m->subset_sets));
    for (uint32_t i = 0; i < m->def_count; i++) {
        if (i) wr_text_puts(out, ", ");
        put_condition(m, m->defs[i].cond, false, out);
    }
    wr_text_puts(out, "]], inputFields=[[");
    wri_put_fields(out, &rel->inputs[0]->schema, ", ");
    wr_text_puts(out, "]])");
}

/* ---- physical and execution plan ------------------------------------------------------------- */
static void
put_order(wri_liner *l, const wr_match_spec *m)
{
    const wr_schema *in = &l->n->inputs[0]->schema;
    wri_attr(l, "orderBy");
    for (uint32_t i = 0; i < m->order_count; i++)
        wr_text_printf(l->out, "%s%.*s %s", i ? ", " : "",
                       WR_STR_ARG(in->fields[m->order[i].col].name),
                       m->order[i].desc ? "DESC" : "ASC");
    wr_text_putc(l->out, ']');
}

static void
put_measures(wri_liner *l, const wr_match_spec *m)
{
    const wr_field *names = ref_names(l->out->arena, m->measure_refs, m->measure_ref_count, true);
    const wr_expr_style style = l->exprs == WR_EXPR_PREFIX ? WR_EXPR_PREFIX : WR_EXPR_PLAIN;
    wri_attr(l, "measures");
    for (uint32_t i = 0; names && i < m->measure_count; i++) {
        wr_text_puts(l->out, i ? ", FINAL(" : "FINAL(");
        wr_expr_print(m->measures[i], style, names, l->out);
        wr_text_printf(l->out, ") AS %.*s",
                       WR_STR_ARG(l->n->schema.fields[m->partition_count + i].name));
    }
    if (!names) l->out->failed = true;
    wr_text_putc(l->out, ']');
}

void
wri_label_match(wri_liner *l)
{
    const wr_match_spec *m = l->n->u.match;
    if (m->partition_count) {
        wri_attr(l, "partitionBy");
        wri_put_cols(l->out, &l->n->inputs[0]->schema, m->partition, m->partition_count);
        wr_text_putc(l->out, ']');
    }
    put_order(l, m);
    put_measures(l, m);
    wr_text_puts(l->out, ", rowsPerMatch=[ONE ROW PER MATCH], after=[");
    put_skip(m, false, l->out);
    wr_text_printf(l->out, "], pattern=[%.*s]", WR_STR_ARG(m->pattern));
    if (m->subsets.len) wr_text_printf(l->out, ", subset=[%.*s]", WR_STR_ARG(m->subsets));
    wr_text_puts(l->out, ", define=[{");
    for (uint32_t i = 0; i < m->def_count; i++) {
        wr_text_printf(l->out, "%s%.*s=", i ? ", " : "", WR_STR_ARG(m->defs[i].name));
        put_condition(m, m->defs[i].cond, true, l->out);
    }
    wr_text_puts(l->out, "}]");
}
