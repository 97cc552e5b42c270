/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of OverAggregate, as Flink has them in streaming
 *
 *   partitionBy=[k], orderBy=[ts ASC], window=[ ROWS BETWEEN 2 PRECEDING AND CURRENT ROW],
 *   select=[k, v, COUNT(v) AS w0$o0]
 *
 * and in batch, where a node may have several windows
 *
 *   window#0=[COUNT(v) AS w0$o0 ROWS BETWEEN ...], select=[k, v, w0$o0]
 *
 * In the syntax tree the calls stand inside the projection above:
 *
 *   SUM($2) OVER (PARTITION BY $1 ORDER BY $0 NULLS FIRST ROWS 2 PRECEDING)
 *
 * as WR_EX_AGG with `flag` and the call in fn_data; args: of the call, PARTITION BY, ORDER BY. */
#include "plan/explain_int.h"
#include "plan/over.h"
#include "plan/rule_int.h"

void
wri_put_ordering(wr_text *out, const wr_schema *s, const wr_order_key *keys, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        wr_text_printf(out, "%s%.*s %s", i ? ", " : "", WR_STR_ARG(s->fields[keys[i].col].name),
                       keys[i].desc ? "DESC" : "ASC");
}

/* Of decimals Flink shows the digits alone. */
static void
put_number(wri_liner *l, const wr_expr *e)
{
    if (wr_type_is(e->type, WR_T_DECIMAL) && e->type->phys == WR_PHYS_I64)
        wr_text_printf(l->out, "%lld", (long long)e->value.u.i);
    else
        wr_expr_print(e, WR_EXPR_INFIX, NULL, l->out);
}

static void
put_bound(wri_liner *l, const wr_over_bound *b)
{
    switch ((wr_over_bound_kind)b->kind) {
    case WR_OVER_UNBOUNDED_PRECEDING:
        wr_text_puts(l->out, "UNBOUNDED PRECEDING");
        return;
    case WR_OVER_UNBOUNDED_FOLLOWING:
        wr_text_puts(l->out, "UNBOUNDED FOLLOWING");
        return;
    case WR_OVER_CURRENT_ROW:
        wr_text_puts(l->out, "CURRENT ROW");
        return;
    case WR_OVER_PRECEDING:
    case WR_OVER_FOLLOWING:
        break;
    }
    if (b->range && wr_type_is_numeric(b->range->type))
        put_number(l, b->range);
    else
        wr_text_printf(l->out, "%lld", (long long)b->offset);
    wr_text_puts(l->out, b->kind == WR_OVER_PRECEDING ? " PRECEDING" : " FOLLOWING");
}

static void
put_frame(wri_liner *l, const wr_over_window *w)
{
    wr_text_printf(l->out, " %s BETWEEN ", w->rows ? "ROWS" : "RANGE");
    put_bound(l, &w->lower);
    wr_text_puts(l->out, " AND ");
    put_bound(l, &w->upper);
}

static void
put_call(wri_liner *l, const wr_over_call *c)
{
    const wr_schema *in = &l->n->inputs[0]->schema;
    wr_text_printf(l->out, "%s(%s", c->fn->name, c->agg.distinct ? "DISTINCT " : "");
    if (c->arg_count == 0) wr_text_putc(l->out, '*');
    for (uint32_t i = 0; i < c->arg_count; i++) {
        if (i) wr_text_puts(l->out, ", ");
        if (c->args[i] < in->count)
            wr_text_printf(l->out, "%.*s", WR_STR_ARG(in->fields[c->args[i]].name));
        else
            wr_expr_print(l->n->u.over->constants[c->args[i] - in->count], WR_EXPR_AST, NULL,
                          l->out);
    }
    wr_text_putc(l->out, ')');
}

static wr_str
column_name(const wr_pnode *n, uint32_t col)
{
    const wr_over_spec *s = n->u.over;
    return s->names && col >= s->names_from ? s->names[col - s->names_from]
                                            : n->schema.fields[col].name;
}

/* The calls of a window: COUNT(v) AS w0$o0, ...; `col`: the column of the first. */
static void
put_calls(wri_liner *l, const wr_over_window *w, uint32_t col)
{
    for (uint32_t i = 0; i < w->call_count; i++) {
        if (i) wr_text_puts(l->out, ", ");
        put_call(l, &w->calls[i]);
        wr_text_printf(l->out, " AS %.*s", WR_STR_ARG(column_name(l->n, col + i)));
    }
}

void
wri_label_over(wri_liner *l)
{
    const wr_pnode *n = l->n;
    if (n->kind != WR_P_OVER_AGG) {
        wri_label_rank(l);
        return;
    }
    const wr_over_spec *spec = n->u.over;
    const wr_over_window *w = &spec->windows[0];
    const wr_schema *in = &n->inputs[0]->schema;
    uint32_t col = in->count;
    if (w->partition_count) {
        wri_attr(l, "partitionBy");
        wri_put_cols(l->out, in, w->partition, w->partition_count);
        wr_text_putc(l->out, ']');
    }
    if (w->order_count) {
        wri_attr(l, "orderBy");
        wri_put_ordering(l->out, in, w->order, w->order_count);
        wr_text_putc(l->out, ']');
    }
    for (uint32_t k = 0; k < spec->window_count; k++) {
        w = &spec->windows[k];
        if (spec->sorted) {
            wr_text_printf(l->out, "%swindow#%u=[", l->any ? ", " : "", k);
            put_calls(l, w, col);
        } else {
            wri_attr(l, "window");
        }
        put_frame(l, w);
        wr_text_putc(l->out, ']');
        l->any = true;
        col += w->call_count;
    }
    wri_attr(l, "select");
    if (spec->sorted) {
        for (uint32_t i = 0; i < n->schema.count; i++)
            wr_text_printf(l->out, "%s%.*s", i ? ", " : "", WR_STR_ARG(column_name(n, i)));
    } else {
        wri_put_fields(l->out, in, ", ");
        wr_text_puts(l->out, in->count ? ", " : "");
        put_calls(l, w, in->count);
    }
    wr_text_putc(l->out, ']');
}

wri_lost_name
wri_over_numbered(const wr_pnode *calc, wr_expr *const *exprs, uint32_t count, uint32_t i)
{
    if (calc->kind != WR_P_CALC) return WRI_NAME_KEPT;
    const wr_pnode *in = calc->inputs[0];
    if (in->kind != WR_P_OVER_AGG && in->kind != WR_P_WINDOW_RANK && in->kind != WR_P_RANK)
        return WRI_NAME_KEPT;
    for (uint32_t k = 0; k < count; k++)
        if (exprs[k]->kind != WR_EX_COLUMN || (k && exprs[k]->index <= exprs[k - 1]->index))
            return WRI_NAME_KEPT;
    const wr_str name = in->schema.fields[exprs[i]->index].name;
    if (name.len <= 3 || name.ptr[0] != 'w' || !memchr(name.ptr, '$', name.len))
        return WRI_NAME_KEPT;
    return in->kind == WR_P_OVER_AGG && !calc->u.calc.cond ? WRI_NAME_NUMBERED : WRI_NAME_BELOW;
}

/* ---- the syntax tree ------------------------------------------------------------------------- */
typedef struct shown { /* what such an expression stands for */
    const wr_over_window *window;
    const wr_over_call *call;
} shown;

typedef struct lifting {
    wri_rules *r;
    const wr_rel *over, *operands; /* operands: the projection below, NULL = none */
} lifting;

/* Column `col` of the row below the node (and what computes it). */
static wr_expr *
below(wri_map *m, const lifting *x, uint32_t col)
{
    if (x->operands) return x->operands->u.project.exprs[col];
    return wri_rex_col(m->a, x->over->inputs[0], col);
}

static wr_expr *
lift_call(wri_map *m, const lifting *x, const wr_over_window *w, const wr_over_call *c,
          const wr_expr *e)
{
    const uint32_t width = x->over->inputs[0]->schema.count;
    wr_expr *out = wri_rex_new(m->a, WR_EX_AGG, e->type, e->span);
    shown *s = WR_NEW(m->a, shown);
    uint32_t n = 0;
    if (!out || !s) return NULL;
    *s = (shown){w, c};
    out->args = WR_NEW_N(m->a, wr_expr *, c->arg_count + w->partition_count + w->order_count + 1);
    if (!out->args) return NULL;
    for (uint32_t i = 0; i < c->arg_count; i++)
        out->args[n++] = c->args[i] < width ? below(m, x, c->args[i])
                                            : x->over->u.over->constants[c->args[i] - width];
    for (uint32_t i = 0; i < w->partition_count; i++) out->args[n++] = below(m, x, w->partition[i]);
    for (uint32_t i = 0; i < w->order_count; i++) out->args[n++] = below(m, x, w->order[i].col);
    for (uint32_t i = 0; i < n; i++)
        if (!out->args[i]) return NULL;
    out->arg_count = n;
    out->flag = true;
    out->fn_data = s;
    return out;
}

static wr_expr *
lift_node(wri_map *m, const wr_expr *e, uint32_t depth)
{
    const lifting *x = m->arg;
    if (depth || e->kind != WR_EX_COLUMN) return NULL;
    const wr_over_spec *spec = x->over->u.over;
    uint32_t col = x->over->inputs[0]->schema.count;
    wr_expr *out = e->index < col ? below(m, x, e->index) : NULL;
    for (uint32_t k = 0; k < spec->window_count && !out; k++) {
        const wr_over_window *w = &spec->windows[k];
        if (e->index < col + w->call_count) out = lift_call(m, x, w, &w->calls[e->index - col], e);
        col += w->call_count;
    }
    if (!out) m->failed = true;
    return out;
}

wr_status
wri_view_over(wri_rules *r, wr_rel *project)
{
    wr_rel *over = project->inputs[0];
    lifting x = {r, over, NULL};
    if (over->u.over->computed && over->inputs[0]->kind == WR_REL_PROJECT)
        x.operands = over->inputs[0];
    wri_map m = {r->a, lift_node, &x, false};
    for (uint32_t i = 0; i < project->schema.count; i++) {
        project->u.project.exprs[i] = wri_rex_map(&m, project->u.project.exprs[i], 0);
        WR_TRY_ALLOC(r->ctx, project->u.project.exprs[i]);
    }
    project->inputs[0] = x.operands ? over->inputs[0]->inputs[0] : over->inputs[0];
    return WR_OK;
}

static void
show_bound(wr_text *out, const wr_over_bound *b)
{
    static const char *const words[] = {"UNBOUNDED PRECEDING", "", "CURRENT ROW", "",
                                        "UNBOUNDED FOLLOWING"};
    if (b->kind != WR_OVER_PRECEDING && b->kind != WR_OVER_FOLLOWING) {
        wr_text_puts(out, words[b->kind]);
        return;
    }
    if (b->range)
        wr_expr_print(b->range, WR_EXPR_AST, NULL, out);
    else
        wr_text_printf(out, "%lld", (long long)b->offset);
    wr_text_puts(out, b->kind == WR_OVER_PRECEDING ? " PRECEDING" : " FOLLOWING");
}

static void
show_frame(wr_text *out, const wr_over_window *w, const wr_over_call *c, bool any)
{
    const bool current = w->upper.kind == WR_OVER_CURRENT_ROW;
    const bool usual = w->lower.kind == WR_OVER_UNBOUNDED_PRECEDING && current &&
                       (!w->rows || c->fn->kind == WR_FN_WINDOW);
    if (usual || w->order_count == 0) return;
    wr_text_printf(out, "%s%s ", any ? " " : "", w->rows ? "ROWS" : "RANGE");
    if (!current) wr_text_puts(out, "BETWEEN ");
    show_bound(out, &w->lower);
    if (current) return;
    wr_text_puts(out, " AND ");
    show_bound(out, &w->upper);
}

void
wri_put_over(wr_text *out, const wr_expr *e, wr_str (*part)(void *arg, const wr_expr *e), void *arg)
{
    const shown *s = e->fn_data;
    const wr_over_window *w = s->window;
    uint32_t at = 0;
    wr_text_printf(out, "%s(%s", s->call->fn->name, s->call->agg.distinct ? "DISTINCT " : "");
    for (; at < s->call->arg_count; at++) {
        const wr_str text = part(arg, e->args[at]);
        wr_text_printf(out, "%s%.*s", at ? ", " : "", WR_STR_ARG(text));
    }
    wr_text_printf(out, ")%s OVER (", s->call->agg.ignore_nulls ? " IGNORE NULLS" : "");
    for (uint32_t i = 0; i < w->partition_count; i++) {
        const wr_str text = part(arg, e->args[at++]);
        wr_text_printf(out, "%s%.*s", i ? ", " : "PARTITION BY ", WR_STR_ARG(text));
    }
    for (uint32_t i = 0; i < w->order_count; i++) {
        const wr_str text = part(arg, e->args[at++]);
        const char *before = i ? ", " : w->partition_count ? " ORDER BY " : "ORDER BY ";
        wr_text_printf(out, "%s%.*s%s NULLS %s", before, WR_STR_ARG(text),
                       w->order[i].desc ? " DESC" : "", w->order[i].nulls_last ? "LAST" : "FIRST");
    }
    show_frame(out, w, s->call, w->partition_count || w->order_count);
    wr_text_putc(out, ')');
}
