/* SPDX-License-Identifier: Apache-2.0 */
/* How many rows a node gives and how wide they are, by Flink's rules of thumb for sources that say
 * nothing about themselves: which side of a join is built, and what EXPLAIN ESTIMATED_COST says. */
#include <math.h>

#include "plan/phys_int.h"

#define ELSE_PASSES    0.25
#define COMPARE_PASSES 0.5
#define EQUAL_PASSES   0.15
#define NULL_PASSES    0.1
#define LIKE_PASSES    0.05
#define EQUI_JOIN_PART 0.3
#define KEY_FACTOR     0.1 /* groups of n keys: 1 - exp(-n * KEY_FACTOR) of the rows */

static double
width_of(const wr_type *t)
{
    switch (t->id) {
    case WR_T_BOOLEAN:
    case WR_T_TINYINT:
        return 1;
    case WR_T_SMALLINT:
        return 2;
    case WR_T_INT:
    case WR_T_FLOAT:
        return 4;
    case WR_T_BIGINT:
    case WR_T_DOUBLE:
    case WR_T_INTERVAL_YM:
    case WR_T_INTERVAL_DT:
        return 8;
    case WR_T_ARRAY:
    case WR_T_MULTISET:
        return 16 * width_of(t->fields[0].type);
    case WR_T_MAP:
        return 16 * (width_of(t->fields[0].type) + width_of(t->fields[1].type));
    case WR_T_ROW: {
        double sum = 0;
        for (uint32_t i = 0; i < t->field_count; i++) sum += width_of(t->fields[i].type);
        return sum;
    }
    default:
        return 12;
    }
}

double
wri_row_width(const wr_schema *s)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->count; i++) sum += width_of(s->fields[i].type);
    return sum;
}

/* ---- conditions ------------------------------------------------------------------------------ */

static bool
is_call_of(const wr_expr *e, const char *name)
{
    return e->kind == WR_EX_CALL && strcmp(e->fn->name, name) == 0;
}

static double
passes_call(const wr_expr *e)
{
    static const char *const compares[] = {"<", "<=", ">", ">="};
    for (uint32_t i = 0; i < WR_COUNT(compares); i++)
        if (is_call_of(e, compares[i])) return COMPARE_PASSES;
    if (is_call_of(e, "=")) return EQUAL_PASSES;
    if (is_call_of(e, "<>")) return 1 - EQUAL_PASSES;
    if (is_call_of(e, "IS NULL")) return NULL_PASSES;
    if (is_call_of(e, "IS NOT NULL")) return 1 - NULL_PASSES;
    if (is_call_of(e, "LIKE")) return LIKE_PASSES;
    if (is_call_of(e, "IN")) return WR_MIN(1, EQUAL_PASSES * (e->arg_count - 1));
    if (is_call_of(e, "NOT") && is_call_of(e->args[0], "IN"))
        return pow(1 - EQUAL_PASSES, e->args[0]->arg_count - 1);
    if (is_call_of(e, "NOT")) return 1 - wri_passes(e->args[0]);
    return ELSE_PASSES;
}

double
wri_passes(const wr_expr *e)
{
    double part = 1;
    if (!e) return 1;
    if (e->kind == WR_EX_AND) {
        for (uint32_t i = 0; i < e->arg_count; i++) part *= wri_passes(e->args[i]);
        return part;
    }
    if (e->kind == WR_EX_OR) {
        for (uint32_t i = 0; i < e->arg_count; i++) part *= 1 - wri_passes(e->args[i]);
        return 1 - part;
    }
    return e->kind == WR_EX_CALL ? passes_call(e) : ELSE_PASSES;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static double
rows_of(const wr_pnode *n)
{
    return wri_node_of(n)->rows;
}

static double
join_rows(const wr_pnode *n)
{
    double l = rows_of(n->inputs[0]), r = rows_of(n->inputs[1]);
    double rows = n->u.join.key_count ? WR_MAX(l, r) * EQUI_JOIN_PART * wri_passes(n->u.join.cond)
                                      : l * r * wri_passes(n->u.join.cond);
    switch ((wr_join_type)n->u.join.type) {
    case WR_JOIN_SEMI:
    case WR_JOIN_ANTI:
        return l / 2;
    case WR_JOIN_LEFT:
        return WR_MAX(rows, l);
    case WR_JOIN_RIGHT:
        return WR_MAX(rows, r);
    case WR_JOIN_FULL:
        return WR_MAX(rows, l + r);
    case WR_JOIN_INNER:
        break;
    }
    return rows;
}

static double
limited(double rows, int64_t fetch)
{
    return fetch >= 0 && (double)fetch < rows ? (double)fetch : rows;
}

void
wri_size_derive(wr_pnode *n)
{
    double rows = n->input_count ? rows_of(n->inputs[0]) : WRI_UNKNOWN_ROWS;
    switch ((int)n->kind) {
    case WR_P_SCAN:
        if (n->row_count >= 0 && n->bounded && n->u.scan.info.can_limit)
            rows = (double)n->row_count;
        break;
    case WR_P_VALUES:
        rows = n->u.values.row_count;
        break;
    case WR_P_CALC:
        rows *= wri_passes(n->u.calc.cond);
        break;
    case WR_P_LIMIT:
        rows = limited(rows, n->u.limit.fetch);
        break;
    case WR_P_SORT_LIMIT:
        rows = limited(rows, n->u.sort.fetch);
        break;
    case WR_P_GROUP_AGG:
    case WR_P_HASH_AGG:
        if (n->u.agg.key_count == 0)
            rows = 1;
        else if (n->u.agg.phase != WR_AGG_FINAL)
            rows *= 1 - exp(-KEY_FACTOR * n->u.agg.key_count);
        break;
    case WR_P_JOIN:
    case WR_P_HASH_JOIN:
    case WR_P_NESTED_LOOP_JOIN:
    case WR_P_INTERVAL_JOIN:
        rows = join_rows(n);
        break;
    case WR_P_EXPAND:
        rows *= n->u.expand.set_count;
        break;
    case WR_P_UNION:
        for (uint32_t i = 1; i < n->input_count; i++) rows += rows_of(n->inputs[i]);
        break;
    default:
        break;
    }
    wri_node_of(n)->rows = rows;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Does a value lie in the fixed part of Flink's binary rows? */
static bool
is_in_place(const wr_type *t)
{
    switch ((int)t->id) {
    case WR_T_DECIMAL:
        return t->precision <= 18;
    case WR_T_TIMESTAMP:
    case WR_T_TIMESTAMP_LTZ:
        return t->precision <= 3;
    case WR_T_BOOLEAN:
    case WR_T_TINYINT:
    case WR_T_SMALLINT:
    case WR_T_INT:
    case WR_T_BIGINT:
    case WR_T_FLOAT:
    case WR_T_DOUBLE:
    case WR_T_DATE:
    case WR_T_TIME:
    case WR_T_INTERVAL_YM:
    case WR_T_INTERVAL_DT:
        return true;
    default:
        return false;
    }
}

double
wri_size_bytes(const wr_pnode *n)
{
    double width = (n->schema.count + 63u + 8u) / 64u * 8u; /* a bit per column, and the kind */
    for (uint32_t i = 0; i < n->schema.count; i++) {
        const wr_type *t = n->schema.fields[i].type;
        width += is_in_place(t) ? 8 : 8 + width_of(t);
    }
    return width * rows_of(n);
}
