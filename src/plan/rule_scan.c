/* SPDX-License-Identifier: Apache-2.0 */
/* Push-down into scans: conditions `column op literal` and limits go to sources that take them. A
 * pushed condition is applied exactly by the source, so its filter goes away; a limit stays, since
 * a reader only stops early. Runs after pruning. */
#include "plan/rule_int.h"

static bool
cmp_of(const wr_expr *e, wr_cmpop *op)
{
    static const char *const names[] = {"=", "<>", "<", "<=", ">", ">="};
    for (uint32_t i = 0; e->kind == WR_EX_CALL && i < WR_COUNT(names); i++)
        if (strcmp(e->fn->name, names[i]) == 0) {
            *op = (wr_cmpop)i;
            return true;
        }
    return false;
}

static wr_cmpop
mirrored(wr_cmpop op)
{
    switch (op) {
    case WR_CMP_LT:
        return WR_CMP_GT;
    case WR_CMP_LE:
        return WR_CMP_GE;
    case WR_CMP_GT:
        return WR_CMP_LT;
    case WR_CMP_GE:
        return WR_CMP_LE;
    case WR_CMP_EQ:
    case WR_CMP_NE:
        break;
    }
    return op;
}

/* column op literal of the column's type (a cast of the literal is folded, one of the column is
 * not). */
static bool
as_pushed(wri_rules *r, const wr_expr *e, const wr_rel *scan, wr_pushed_filter *out)
{
    wr_cmpop op;
    if (!cmp_of(e, &op)) return false;
    const wr_expr *col = e->args[0], *lit = e->args[1];
    if (col->kind != WR_EX_COLUMN) {
        const wr_expr *t = col;
        col = lit;
        lit = t;
        op = mirrored(op);
    }
    if (col->kind != WR_EX_COLUMN) return false;
    wr_expr *folded = (wr_expr *)(uintptr_t)lit;
    if (lit->kind == WR_EX_CAST && lit->args[0]->kind == WR_EX_LITERAL &&
        wr_expr_fold(r->ctx, r->a, r->env->eval, folded, &folded) != WR_OK)
        return false;
    const wr_expr *value = folded;
    if (value->kind == WR_EX_CAST) value = value->args[0];
    if (value->kind != WR_EX_LITERAL || value->value.is_null) return false;
    const wr_type *t = scan->schema.fields[col->index].type;
    if (wr_type_is_integer(t) && wr_type_is_integer(value->type) && value->type->id <= t->id) {
        *out = (wr_pushed_filter){col->index, op, value->value};
        out->value.type = wr_type_of(t->id, false);
        return true;
    }
    if (!wr_type_eq_ignoring_null(t, value->type)) {
        bool strings = wr_type_is_string(t) && wr_type_is_string(value->type) &&
                       !wr_type_is(t, WR_T_CHAR) && !wr_type_is(value->type, WR_T_NULL);
        if (!strings) return false;
    }
    *out = (wr_pushed_filter){col->index, op, value->value};
    return true;
}

static wr_status
push_filter(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    wr_rel *scan = rel->inputs[0];
    wri_expr_list all = {0}, stay = {0};
    WR_LIST(wr_pushed_filter) pushed = {0};
    *out = rel;
    if (scan->kind != WR_REL_SCAN || !scan->u.scan.info.can_filter) return WR_OK;
    if (!wri_rex_conjuncts(r->a, rel->u.filter.cond, &all))
        return wr_raise(r->ctx, WR_NOMEM, "out of memory");
    for (uint32_t i = 0; i < all.count; i++) {
        wr_pushed_filter f;
        bool ok = as_pushed(r, all.items[i], scan, &f) ? wr_list_push(r->a, &pushed, f)
                                                       : wr_list_push(r->a, &stay, all.items[i]);
        if (!ok) return wr_raise(r->ctx, WR_NOMEM, "out of memory");
    }
    if (pushed.count == 0) return WR_OK;
    wr_expr *cond = NULL;
    wr_rel *copy = wri_rel_copy(r->a, scan);
    WR_TRY_ALLOC(r->ctx, copy);
    copy->u.scan.filters = pushed.items;
    copy->u.scan.filter_count = pushed.count;
    WR_TRY(wri_rex_and_all(r, &stay, &cond));
    *out = wri_rel_filter(r->a, copy, cond);
    WR_TRY_ALLOC(r->ctx, *out);
    return WR_OK;
}

/* LIMIT over a scan, with projections between. */
static wr_status
push_limit(wri_rules *r, wr_rel *rel)
{
    if (rel->u.sort.key_count || rel->u.sort.fetch < 0) return WR_OK;
    wr_rel **slot = &rel->inputs[0];
    while ((*slot)->kind == WR_REL_PROJECT) { /* the path is copied on the way down */
        *slot = wri_rel_copy(r->a, *slot);
        WR_TRY_ALLOC(r->ctx, *slot);
        slot = &(*slot)->inputs[0];
    }
    wr_rel *scan = *slot;
    int64_t limit;
    if (scan->kind != WR_REL_SCAN || !scan->u.scan.info.can_limit ||
        __builtin_add_overflow(rel->u.sort.fetch, rel->u.sort.offset, &limit))
        return WR_OK;
    *slot = wri_rel_copy(r->a, scan);
    WR_TRY_ALLOC(r->ctx, *slot);
    if ((*slot)->u.scan.limit < 0 || limit < (*slot)->u.scan.limit) (*slot)->u.scan.limit = limit;
    return WR_OK;
}

wr_status
wri_rule_scans(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    wr_rel *copy = wri_rel_copy(r->a, rel);
    WR_TRY_ALLOC(r->ctx, copy);
    for (uint32_t i = 0; i < copy->input_count; i++)
        WR_TRY(wri_rule_scans(r, rel->inputs[i], &copy->inputs[i]));
    *out = copy;
    if (copy->kind == WR_REL_FILTER) return push_filter(r, copy, out);
    return copy->kind == WR_REL_SORT ? push_limit(r, copy) : WR_OK;
}
