/* SPDX-License-Identifier: Apache-2.0 */
/* Sub-queries in expressions, and IN and quantified comparisons over lists.
 *
 * A sub-query becomes WR_EX_SUBQUERY with its relation; rule_subquery.c turns it into joins. `args`
 * are the left operands of IN and ANY/ALL (one for each column of the query), `fn` is the
 * comparison of ANY/ALL. */
#include "plan/bind_int.h"

static wr_status
bind_rel(wri_binder *b, const wri_where *w, const wr_ast *q, wr_rel **out)
{
    if (w->in_ddl)
        return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, q),
                           "a sub-query is not allowed in a computed column or watermark");
    b->level++;
    wri_hint_use *hints = b->hints;
    uint32_t hint_count = b->hint_count;
    wr_status status = wri_bind_any_query(b, q, w->scope, out);
    b->hints = hints;
    b->hint_count = hint_count;
    b->level--;
    return status;
}

static wr_status
make(wri_binder *b, wr_subquery_kind kind, wr_rel *rel, const wr_type *t, wr_span span,
     wr_expr **out)
{
    *out = wri_rex_new(b->a, WR_EX_SUBQUERY, t, span);
    WR_TRY_ALLOC(b->ctx, *out);
    (*out)->sub = (uint8_t)kind;
    (*out)->rel = rel;
    return WR_OK;
}

/* RECORDTYPE(INTEGER ID, VARCHAR(2147483647) W), as Flink prints it */
static wr_str
record_text(wri_binder *b, const wr_schema *s)
{
    wr_text t;
    wr_text_init(&t, b->a);
    wr_text_puts(&t, "RECORDTYPE(");
    for (uint32_t i = 0; i < s->count; i++) {
        if (i) wr_text_puts(&t, ", ");
        wr_type_print(s->fields[i].type, WR_TYPE_CALCITE, &t);
        wr_text_putc(&t, ' ');
        for (size_t c = 0; c < s->fields[i].name.len; c++) {
            char x = s->fields[i].name.ptr[c];
            wr_text_putc(&t, x >= 'a' && x <= 'z' ? (char)(x - 'a' + 'A') : x);
        }
    }
    wr_text_putc(&t, ')');
    return wr_text_str(&t);
}

wr_status
wri_bind_scalar_query(wri_binder *b, const wri_where *w, const wr_ast *q, wr_subquery_kind kind,
                      wr_expr **out)
{
    wr_span span = wri_bind_span(b, q);
    wr_rel *rel = NULL;
    WR_TRY(bind_rel(b, w, q, &rel));
    if (rel->schema.count != 1)
        return wr_raise_at(b->ctx, WR_TYPE, span,
                           "Cannot apply '$SCALAR_QUERY' to arguments of type "
                           "'$SCALAR_QUERY(<%.*s>)'. Supported form(s): "
                           "'$SCALAR_QUERY(<RECORDTYPE(SINGLE FIELD)>)'",
                           WR_STR_ARG(record_text(b, &rel->schema)));
    const wr_type *t = rel->schema.fields[0].type;
    t = wr_type_nullable(b->a, wri_rel_type_plain(b->a, t), true);
    WR_TRY_ALLOC(b->ctx, t);
    return make(b, kind, rel, t, span, out);
}

wr_status
wri_bind_exists(wri_binder *b, const wri_where *w, const wr_ast_exists *e, wr_expr **out)
{
    wr_span span = wri_bind_span(b, &e->base);
    wr_rel *rel = NULL;
    if (e->unique)
        return wr_raise_at(b->ctx, WR_NAME, span, "No match found for function signature UNIQUE");
    WR_TRY(bind_rel(b, w, e->query, &rel));
    return make(b, WR_SUBQ_EXISTS, rel, wr_type_of(WR_T_BOOLEAN, false), span, out);
}

/* The left side of IN and ANY: the items of a row constructor, or one expression. */
static wr_status
bind_left(wri_binder *b, const wri_where *w, const wr_ast *e, wr_expr ***out, uint32_t *count)
{
    if (e->kind == WR_AST_CONSTRUCTOR) {
        const wr_ast_constructor *c = WR_AST_AS(wr_ast_constructor, WR_AST_CONSTRUCTOR, e);
        if (c->what == WR_SQL_CONSTRUCT_ROW) {
            *count = c->items.count;
            return wri_bind_list(b, w, &c->items, out);
        }
    }
    *out = WR_NEW_N(b->a, wr_expr *, 1);
    WR_TRY_ALLOC(b->ctx, *out);
    *count = 1;
    return wri_bind_expr(b, w, e, *out);
}

static wr_status
try_pair(wri_binder *b, const char *op, wr_subquery_kind kind, bool joins, wr_expr *pair[2],
         wr_span span)
{
    wr_expr *trial = NULL;
    wr_status status = wri_bind_fn(b, op, pair, 2, span, &trial);
    if (joins && !wr_expr_is_constant(pair[0]))
        status = wri_bind_join_pair(b, pair[0]->type, pair[1]->type, span, status);
    if (status != WR_TYPE || kind != WR_SUBQ_IN ||
        strncmp(b->ctx->err.message, "Cannot apply", sizeof "Cannot apply" - 1) != 0)
        return status;
    b->ctx->err.status = WR_OK;
    return wr_raise_at(b->ctx, WR_TYPE, span,
                       "Values passed to IN operator must have compatible types");
}

/* left op query: types must compare; NULL when an operand or a column may be. */
static wr_status
bind_compared(wri_binder *b, const wri_where *w, const wr_ast *arg, const wr_ast *query,
              const char *op, wr_subquery_kind kind, bool negated, wr_span span, wr_expr **out)
{
    const bool joins =
        kind == WR_SUBQ_IN && !negated && w->clause && strcmp(w->clause, "WHERE") == 0;
    wr_expr **left = NULL, *pair[2];
    uint32_t n = 0;
    wr_rel *rel = NULL;
    WR_TRY(bind_left(b, w, arg, &left, &n));
    WR_TRY(bind_rel(b, w, query, &rel));
    if (rel->schema.count != n)
        return wr_raise_at(b->ctx, WR_TYPE, span,
                           "Values passed to %s operator must have compatible types",
                           kind == WR_SUBQ_IN ? "IN" : op);
    bool nullable = false;
    for (uint32_t i = 0; i < n; i++) {
        if (wri_bind_is_null_expr(left[i])) {
            left[i] = wri_rex_null(b->a, rel->schema.fields[i].type);
            WR_TRY_ALLOC(b->ctx, left[i]);
        }
        pair[0] = left[i];
        pair[1] = wri_rex_col(b->a, rel, i);
        WR_TRY_ALLOC(b->ctx, pair[1]);
        pair[1]->span = left[i]->span;
        WR_TRY(try_pair(b, op, kind, joins, pair, span));
        nullable |= left[i]->type->nullable || rel->schema.fields[i].type->nullable;
    }
    if (n > 1 && strcmp(op, "=") != 0)
        return wr_raise_at(b->ctx, WR_TYPE, span,
                           "only = and <> compare a row with the rows of a query");
    WR_TRY(make(b, kind, rel, wr_type_of(WR_T_BOOLEAN, nullable), span, out));
    (*out)->args = left;
    (*out)->arg_count = n;
    (*out)->fn = wr_fn_find(wr_str_c(op));
    return WR_OK;
}

wr_status
wri_bind_in(wri_binder *b, const wri_where *w, const wr_ast_in *in, wr_expr **out)
{
    wr_span span = wri_bind_span(b, &in->base);
    wr_expr *e = NULL, **args = WR_NEW_N(b->a, wr_expr *, in->list.count + 1);
    WR_TRY_ALLOC(b->ctx, args);
    if (in->query) {
        WR_TRY(bind_compared(b, w, in->arg, in->query, "=", WR_SUBQ_IN, in->negated, span, &e));
    } else {
        WR_TRY(wri_bind_expr(b, w, in->arg, &args[0]));
        for (uint32_t i = 0; i < in->list.count; i++)
            WR_TRY(wri_bind_expr(b, w, in->list.items[i], &args[i + 1]));
        WR_TRY(wri_bind_fn(b, "IN", args, in->list.count + 1, span, &e));
    }
    *out = e;
    return in->negated ? wri_rex_call1(&b->r, "NOT", e, out) : WR_OK;
}

/* x op ANY (a, b) is x op a OR x op b; ALL is AND. */
static wr_status
bind_quantified_list(wri_binder *b, const wri_where *w, const wr_ast_quantified *q, const char *op,
                     wr_expr **out)
{
    wr_span span = wri_bind_span(b, &q->base);
    wr_expr **each = WR_NEW_N(b->a, wr_expr *, q->list.count + 1);
    WR_TRY_ALLOC(b->ctx, each);
    for (uint32_t i = 0; i < q->list.count; i++) {
        wr_expr *pair[2];
        WR_TRY(wri_bind_expr(b, w, q->arg, &pair[0]));
        WR_TRY(wri_bind_expr(b, w, q->list.items[i], &pair[1]));
        WR_TRY(wri_bind_fn(b, op, pair, 2, span, &each[i]));
    }
    return (q->all ? wr_expr_and : wr_expr_or)(b->ctx, b->a, each, q->list.count, out);
}

wr_status
wri_bind_quantified(wri_binder *b, const wri_where *w, const wr_ast_quantified *q, wr_expr **out)
{
    wr_span span = wri_bind_span(b, &q->base);
    const char *op = wri_bind_cmp_name(q->op);
    WR_ASSERT(op != NULL);
    if (!q->query) return bind_quantified_list(b, w, q, op, out);
    bool in = q->op == WR_SQL_BINOP_EQ && !q->all, not_in = q->op == WR_SQL_BINOP_NE && q->all;
    if (in || not_in) {
        WR_TRY(bind_compared(b, w, q->arg, q->query, "=", WR_SUBQ_IN, not_in, span, out));
        return not_in ? wri_rex_call1(&b->r, "NOT", *out, out) : WR_OK;
    }
    return bind_compared(b, w, q->arg, q->query, op, q->all ? WR_SUBQ_ALL : WR_SUBQ_ANY, false,
                         span, out);
}
