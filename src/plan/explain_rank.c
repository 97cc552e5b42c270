/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of Rank and Deduplicate. In the physical plan, whose expressions are written as calls, a
 * deduplication still is a Rank. */
#include "plan/explain_int.h"
#include "plan/over.h"

static const char *
strategy_name(uint8_t s)
{
    switch ((wr_rank_strategy)s) {
    case WR_RANK_APPEND_FAST:
        return "AppendFastStrategy";
    case WR_RANK_UPDATE_FAST:
        return "UpdateFastStrategy[";
    case WR_RANK_RETRACT:
        return "RetractStrategy";
    case WR_RANK_UNDEFINED:
        break;
    }
    return "UndefinedStrategy";
}

static void
put_order(wri_liner *l, const wr_schema *in, const wr_order_key *order, uint32_t count)
{
    wri_attr(l, "orderBy");
    for (uint32_t i = 0; i < count; i++) {
        if (i) wr_text_puts(l->out, ", ");
        if (in->fields[order[i].col].type->attr == WR_ATTR_ROWTIME)
            wr_text_puts(l->out, "ROWTIME ");
        wri_put_ordering(l->out, in, &order[i], 1);
    }
    wr_text_putc(l->out, ']');
}

static void
put_end(wri_liner *l, const uint32_t *partition, uint32_t count)
{
    wri_attr(l, "partitionBy");
    wri_put_cols(l->out, &l->n->inputs[0]->schema, partition, count);
    wr_text_putc(l->out, ']');
}

static void
put_select(wri_liner *l)
{
    wri_attr(l, "select");
    wri_put_fields(l->out, &l->n->schema, ", ");
    wr_text_putc(l->out, ']');
}

static void
label_rank(wri_liner *l)
{
    const wr_pnode *n = l->n;
    const wr_schema *in = &n->inputs[0]->schema;
    wri_attr(l, "strategy");
    wr_text_puts(l->out, strategy_name(n->u.rank.strategy));
    if (n->u.rank.strategy == WR_RANK_UPDATE_FAST) {
        for (uint32_t i = 0; i < n->u.rank.upsert_key_count; i++)
            wr_text_printf(l->out, "%s%u", i ? "," : "", n->u.rank.upsert_key[i]);
        wr_text_putc(l->out, ']');
    }
    wr_text_puts(l->out, "], rankType=[ROW_NUMBER], rankRange=[");
    if (n->u.rank.last_col >= 0)
        wr_text_printf(l->out, "rankEnd=%.*s]", WR_STR_ARG(in->fields[n->u.rank.last_col].name));
    else
        wr_text_printf(l->out, "rankStart=%lld, rankEnd=%lld]", (long long)n->u.rank.first,
                       (long long)n->u.rank.last);
    put_end(l, n->u.rank.partition, n->u.rank.partition_count);
    put_order(l, in, n->u.rank.order, n->u.rank.order_count);
    put_select(l);
}

static void
label_dedup(wri_liner *l)
{
    const wr_pnode *n = l->n;
    const wr_order_key order = {n->u.dedup.time_col, n->u.dedup.keep_last, n->u.dedup.keep_last};
    if (l->style == WR_EXPR_PREFIX) {
        wri_attr(l, "strategy");
        wr_text_puts(l->out, "AppendFastStrategy], rankType=[ROW_NUMBER], rankRange=[rankStart=1, "
                             "rankEnd=1]");
        put_end(l, n->u.dedup.keys, n->u.dedup.key_count);
        put_order(l, &n->inputs[0]->schema, &order, 1);
        put_select(l);
        return;
    }
    wr_text_printf(l->out, "%skeep=[%s], key=[", l->any ? ", " : "",
                   n->u.dedup.keep_last ? "LastRow" : "FirstRow");
    wri_put_cols(l->out, &n->schema, n->u.dedup.keys, n->u.dedup.key_count);
    wr_text_printf(l->out, "], order=[%s], outputInsertOnly=[%s]",
                   n->u.dedup.rowtime ? "ROWTIME" : "PROCTIME",
                   n->u.dedup.keep_last ? "false" : "true");
    l->any = true;
}

void
wri_label_rank(wri_liner *l)
{
    if (l->n->kind == WR_P_RANK)
        label_rank(l);
    else
        label_dedup(l);
}
