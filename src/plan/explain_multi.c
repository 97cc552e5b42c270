/* SPDX-License-Identifier: Apache-2.0 */
/* The line of a MultiJoin. */
#include "plan/explain_int.h"
#include "plan/multi.h"

static bool
has_null_equal(const wr_expr *e)
{
    if (e->kind == WR_EX_CALL && strcmp(e->fn->name, "IS NOT DISTINCT FROM") == 0) return true;
    for (uint32_t i = 0; e->kind == WR_EX_AND && i < e->arg_count; i++)
        if (has_null_equal(e->args[i])) return true;
    return false;
}

static void
put_condition(wri_liner *l, const wr_expr *e)
{
    const wr_field *names = l->n->schema.fields;
    const bool infix = l->style == WR_EXPR_INFIX;
    if (!e) {
        wr_text_puts(l->out, "true");
        return;
    }
    if (!has_null_equal(e)) {
        wr_expr_print(wr_expr_simplify(l->out->arena, e, true), l->exprs, names, l->out);
        return;
    }
    const bool many = e->kind == WR_EX_AND;
    if (many) wr_text_puts(l->out, infix ? "(" : "AND(");
    for (uint32_t i = 0; i < (many ? e->arg_count : 1); i++) {
        if (i) wr_text_puts(l->out, infix ? " AND " : ", ");
        wri_put_join_term(l, many ? e->args[i] : e, names);
    }
    if (many) wr_text_putc(l->out, ')');
}

static void
put_unique_keys(wri_liner *l)
{
    wri_attr(l, "inputUniqueKeys");
    for (uint32_t i = 0; i < l->n->input_count; i++) {
        const wr_multi_input *in = &l->n->u.multi->inputs[i];
        if (i) wr_text_puts(l->out, ", ");
        if (!in->unique_key) {
            wr_text_puts(l->out, "noUniqueKey");
            continue;
        }
        wr_text_putc(l->out, '(');
        wri_put_cols(l->out, &l->n->inputs[i]->schema, in->unique_key, in->unique_key_count);
        wr_text_putc(l->out, ')');
    }
    wr_text_putc(l->out, ']');
}

/* How long rows live, where hints say so; "0s" = as the session says. */
static void
put_ttls(wri_liner *l)
{
    const wr_multi_input *in = l->n->u.multi->inputs;
    bool told = false;
    for (uint32_t i = 0; i < l->n->input_count; i++) told |= in[i].ttl_told;
    if (!told) return;
    wri_attr(l, "stateTtlHints");
    wr_text_puts(l->out, "[[STATE_TTL options:[");
    for (uint32_t i = 0; i < l->n->input_count; i++) {
        if (i) wr_text_puts(l->out, ", ");
        if (in[i].ttl_told)
            wri_put_ttl(l->out, in[i].ttl_ms);
        else
            wr_text_puts(l->out, "0s");
    }
    wr_text_puts(l->out, "]]]]");
}

void
wri_label_multi(wri_liner *l)
{
    const wr_pnode *n = l->n;
    const wr_multi_spec *spec = n->u.multi;
    wri_attr(l, "commonJoinKey");
    if (spec->key_count == 0) wr_text_puts(l->out, "noCommonJoinKey");
    wri_put_cols(l->out, &n->inputs[0]->schema, spec->inputs[0].keys, spec->key_count);
    wr_text_putc(l->out, ']');
    wri_attr(l, "joinTypes");
    for (uint32_t i = 1; i < n->input_count; i++)
        wr_text_printf(l->out, "%s%s", i > 1 ? ", " : "",
                       spec->inputs[i].type == WR_JOIN_LEFT ? "LEFT" : "INNER");
    wr_text_putc(l->out, ']');
    put_unique_keys(l);
    put_ttls(l);
    wri_attr(l, "joinConditions");
    for (uint32_t i = 1; i < n->input_count; i++) {
        if (i > 1) wr_text_puts(l->out, ", ");
        put_condition(l, spec->inputs[i].whole);
    }
    wr_text_putc(l->out, ']');
    wri_attr(l, "select");
    wri_put_fields(l->out, &n->schema, ",");
    wr_text_putc(l->out, ']');
    wri_attr(l, "rowType");
    wri_put_record_type(l->out, &n->schema);
    wr_text_putc(l->out, ']');
}
