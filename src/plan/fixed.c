/* SPDX-License-Identifier: Apache-2.0 */
/* Columns that the condition of a calc fixes to a value: `k = 5`, `k IS NULL`. Flink writes the
 * value for the column, so that plans show it and the column's key is lost. */
#include "plan/phys_int.h"

/* Can the value of a literal of one type stand for one of the other as it is? */
static bool
shows_as(const wr_type *literal, const wr_type *column)
{
    if (wr_type_is_integer(literal)) return wr_type_is_integer(column);
    if (wr_type_is_string(literal)) return wr_type_is_string(column);
    if (wr_type_is_binary(literal)) return wr_type_is_binary(column);
    return literal->id == column->id && literal->phys == column->phys &&
           literal->scale == column->scale;
}

/* The literal that conditions below fix a column to; NULL = none. */
static const wr_expr *
fixed_by(const wr_expr *cond, uint32_t col)
{
    if (!cond) return NULL;
    if (cond->kind == WR_EX_AND) {
        for (uint32_t i = 0; i < cond->arg_count; i++) {
            const wr_expr *e = fixed_by(cond->args[i], col);
            if (e) return e;
        }
        return NULL;
    }
    if (cond->kind != WR_EX_CALL) return NULL;
    if (strcmp(cond->fn->name, "IS NULL") == 0 && cond->args[0]->kind == WR_EX_COLUMN &&
        cond->args[0]->index == col)
        return cond;
    if (strcmp(cond->fn->name, "=") != 0) return NULL;
    for (uint32_t i = 0; i < 2; i++) {
        const wr_expr *a = cond->args[i], *b = cond->args[1 - i];
        while (b->kind == WR_EX_CAST) b = b->args[0];
        if (a->kind == WR_EX_COLUMN && a->index == col && b->kind == WR_EX_LITERAL &&
            !b->value.is_null && a->type->id != WR_T_BOOLEAN && shows_as(b->type, a->type))
            return b;
    }
    return NULL;
}

const wr_expr *
wri_fixed_column(const wr_pnode *n, const wr_expr *cond, const wr_expr *e)
{
    if (n->kind != WR_P_CALC || e->kind != WR_EX_COLUMN || n->u.calc.plain) return NULL;
    const wr_expr *found = fixed_by(cond, e->index);
    const wr_pnode *in = n->inputs[0];
    if (!found && in->kind == WR_P_CHANGELOG_NORMALIZE)
        found = fixed_by(in->u.normalize.cond, e->index);
    return found;
}
