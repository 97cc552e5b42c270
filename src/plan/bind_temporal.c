/* SPDX-License-Identifier: Apache-2.0 */
/* FOR SYSTEM_TIME AS OF: a join with the rows of a table as they were at a time of the left row.
 * The join's condition gets a conjunct __TEMPORAL_JOIN_CONDITION(time of the left row [, event time
 * of the table]), so that rules keep these columns and renumber them; planning takes it off again.
 */
#include "plan/bind_int.h"
#include "plan/temporal_int.h"

static const wr_fn condition_fn = {.name = "__TEMPORAL_JOIN_CONDITION",
                                   .kind = WR_FN_SCALAR,
                                   .min_args = 1,
                                   .max_args = 2,
                                   .category = "",
                                   .signature = "",
                                   .doc = ""};

bool
wri_temporal_is_marker(const wr_expr *e)
{
    return e->kind == WR_EX_CALL && e->fn == &condition_fn;
}

static wr_expr *
make_call(wr_arena *a, const wr_fn *fn, wr_expr *const *args, uint32_t n)
{
    wr_expr *e = wri_rex_new(a, WR_EX_CALL, wr_type_of(WR_T_BOOLEAN, false), WR_NO_SPAN);
    wr_expr **copy = WR_NEW_N(a, wr_expr *, n + 1);
    if (!e || !copy) return NULL;
    for (uint32_t i = 0; i < n; i++) copy[i] = args[i];
    e->fn = fn;
    e->args = copy;
    e->arg_count = n;
    return e;
}

wr_expr *
wri_temporal_marker(wr_arena *a, wr_expr *const *args, uint32_t n)
{
    return make_call(a, &condition_fn, args, n);
}

wr_status
wri_temporal_take(wr_ctx *ctx, wr_arena *a, wr_expr *cond, const wr_expr **marker, wr_expr **rest)
{
    WR_LIST(wr_expr *) kept = {0};
    *marker = NULL;
    *rest = NULL;
    if (!cond || cond->kind == WR_EX_LITERAL) return WR_OK; /* never true */
    const uint32_t n = cond->kind == WR_EX_AND ? cond->arg_count : 1;
    for (uint32_t i = 0; i < n; i++) {
        wr_expr *e = cond->kind == WR_EX_AND ? cond->args[i] : cond;
        if (wri_temporal_is_marker(e))
            *marker = e;
        else if (!wr_list_push(a, &kept, e))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    return kept.count ? wr_expr_and(ctx, a, kept.items, kept.count, rest) : WR_OK;
}

wr_expr *
wri_temporal_part(wr_arena *a, wri_temporal_list list, wr_expr *const *args, uint32_t n)
{
    static const wr_fn fns[] = {
        {.name = "__TEMPORAL_JOIN_CONDITION_PRIMARY_KEY", .kind = WR_FN_SCALAR, .max_args = -1},
        {.name = "__TEMPORAL_JOIN_LEFT_KEY", .kind = WR_FN_SCALAR, .max_args = -1},
        {.name = "__TEMPORAL_JOIN_RIGHT_KEY", .kind = WR_FN_SCALAR, .max_args = -1}};
    return make_call(a, &fns[list], args, n);
}

bool
wri_bind_is_temporal(const wr_ast *t)
{
    return t->kind == WR_AST_TABLE_REF &&
           WR_AST_AS(wr_ast_table_ref, WR_AST_TABLE_REF, t)->system_time;
}

/* The time that is asked for: a time attribute of the left row. */
static wr_status
bind_period(wri_binder *b, const wri_from *left, const wr_ast *period, wr_expr **out)
{
    wri_where w = {.scope = &left->scope, .clause = "FOR SYSTEM_TIME AS OF"};
    wr_span span = wri_bind_span(b, period);
    WR_TRY(wri_bind_expr_as(b, &w, period, NULL, out));
    const wr_type *t = (*out)->type;
    if (!wr_type_is(t, WR_T_TIMESTAMP) && !wr_type_is(t, WR_T_TIMESTAMP_LTZ))
        return wr_raise_at(b->ctx, WR_TYPE, span,
                           "The system time period specification expects Timestamp type but is "
                           "'%.*s'",
                           WR_STR_ARG(wr_type_str(t, WR_TYPE_CALCITE, b->a)));
    if ((*out)->kind == WR_EX_COLUMN && t->attr != WR_ATTR_NONE) return WR_OK;
    return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                       "Temporal table join currently only supports 'FOR SYSTEM_TIME AS OF' left "
                       "table's time attribute field'");
}

static wr_status
mark_join(wri_binder *b, const wr_expr *period, wr_rel *join)
{
    const uint32_t lw = join->inputs[0]->schema.count;
    const wr_schema *right = &join->inputs[1]->schema;
    wr_expr *args[2] = {(wr_expr *)(uintptr_t)period, NULL};
    if (join->u.join.cond &&
        (wri_rex_has_subquery(join->u.join.cond) || wri_rex_is_correlated(join->u.join.cond)))
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, join->span,
                           "unexpected correlate variable in the plan: a sub-query or a column "
                           "of an outer query in the condition of a temporal join");
    uint32_t n = 1;
    for (uint32_t i = 0; period->type->attr == WR_ATTR_ROWTIME && i < right->count && n == 1; i++) {
        if (right->fields[i].type->attr != WR_ATTR_ROWTIME) continue;
        args[n++] = wr_expr_column(b->a, lw + i, right->fields[i].type, WR_NO_SPAN);
        WR_TRY_ALLOC(b->ctx, args[1]);
    }
    wr_expr *marker = wri_temporal_marker(b->a, args, n);
    WR_TRY_ALLOC(b->ctx, marker);
    join->u.join.temporal = args[0];
    return wri_rex_and2(&b->r, join->u.join.cond, marker, &join->u.join.cond);
}

wr_status
wri_bind_temporal(wri_binder *b, const wri_from *left, const wr_ast_join *j, wr_join_type type,
                  const wri_scope *outer, wri_from *right, wr_expr **period)
{
    const wr_ast_table_ref *ref = WR_AST_AS(wr_ast_table_ref, WR_AST_TABLE_REF, j->right);
    wr_ast_table_ref plain = *ref;
    plain.system_time = NULL;
    if (type == WR_JOIN_RIGHT || type == WR_JOIN_FULL)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, wri_bind_part_span(b, j->type_span),
                           "Unknown join type %s", type == WR_JOIN_RIGHT ? "RIGHT" : "FULL");
    WR_TRY(bind_period(b, left, ref->system_time, period));
    if (b->env->batch && (*period)->type->attr == WR_ATTR_ROWTIME)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, wri_bind_span(b, ref->system_time),
                           "unexpected correlate variable $cor0 in the plan: event-time temporal "
                           "joins need streaming mode");
    return wri_bind_table_ref(b, &plain, outer, right);
}

wr_status
wri_bind_temporal_mark(wri_binder *b, const wr_expr *period, wr_rel *join)
{
    return mark_join(b, period, join);
}
