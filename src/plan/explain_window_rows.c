/* SPDX-License-Identifier: Apache-2.0 */
/* EXPLAIN lines of window joins, window Top-N and window deduplication. */
#include "plan/explain_int.h"
#include "plan/over.h"

/* Keys of sessions are columns of what their function reads. */
static void
put_session_keys(wri_liner *l, const wr_window_spec *s, const wr_pnode *n)
{
    while (n->kind != WR_P_WINDOW_TVF && n->input_count) n = n->inputs[0];
    if (n->kind != WR_P_WINDOW_TVF || s->key_count == 0) return;
    wr_text_puts(l->out, ", partition keys=[");
    wri_put_cols(l->out, &n->inputs[0]->schema, s->keys, s->key_count);
    wr_text_putc(l->out, ']');
}

static void
put_window(wri_liner *l, const char *name, uint32_t side)
{
    wri_attr(l, name);
    const wr_windowing *w = l->n->windows[side];
    const wr_pnode *in = l->n->inputs[side];
    wri_put_windowing(l->out, w, &in->schema);
    if (w->spec.kind == WR_WINDOW_SESSION) put_session_keys(l, &w->spec, in);
    wr_text_puts(l->out, ")]");
}

void
wri_put_join_windows(wri_liner *l)
{
    put_window(l, "leftWindow", 0);
    put_window(l, "rightWindow", 1);
}

static void
label_rank(wri_liner *l)
{
    const wr_pnode *n = l->n;
    const wr_schema *in = &n->inputs[0]->schema;
    put_window(l, "window", 0);
    wr_text_printf(l->out, ", rankType=[ROW_NUMBER], rankRange=[rankStart=%lld, rankEnd=%lld]",
                   (long long)n->u.rank.first, (long long)n->u.rank.last);
    wri_attr(l, "partitionBy");
    wri_put_cols(l->out, in, n->u.rank.partition, n->u.rank.partition_count);
    wr_text_putc(l->out, ']');
    wri_attr(l, "orderBy");
    wri_put_ordering(l->out, in, n->u.rank.order, n->u.rank.order_count);
    wr_text_putc(l->out, ']');
    wri_attr(l, "select");
    wri_put_fields(l->out, &n->schema, ", ");
    wr_text_putc(l->out, ']');
}

static void
label_dedup(wri_liner *l)
{
    const wr_pnode *n = l->n;
    const wr_schema *in = &n->inputs[0]->schema;
    put_window(l, "window", 0);
    wr_text_printf(l->out, ", keep=[%s]", n->u.dedup.keep_last ? "LastRow" : "FirstRow");
    wri_attr(l, "partitionKeys");
    wri_put_cols(l->out, in, n->u.dedup.keys, n->u.dedup.key_count);
    wr_text_printf(l->out, "], orderKey=[%.*s], order=[ROWTIME]",
                   WR_STR_ARG(in->fields[n->u.dedup.time_col].name));
}

void
wri_label_window_rank(wri_liner *l)
{
    if (l->n->kind == WR_P_WINDOW_RANK)
        label_rank(l);
    else
        label_dedup(l);
}
