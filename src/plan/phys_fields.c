/* SPDX-License-Identifier: Apache-2.0 */
/* Which fields of its ROW columns a source has to read: `SELECT bid.price FROM events` wants one of
 * seven. Neither plan nor types change; the reader is told, and may leave the other fields NULL.
 *
 * Top-down over the finished plan, a mask of fields per node and column. A column counts as read
 * whole wherever it is more than the operand of a field access or a column that is passed on. */
#include "plan/fields_int.h"

#define WHOLE ~0ull

typedef struct masks { /* per node: per column; one bit a field, WHOLE = all */
    uint64_t **need;
} masks;

static uint64_t *
of(const masks *m, const wr_pnode *n)
{
    return m->need[n->id - 1];
}

static void
mark(const wr_expr *e, uint64_t *need)
{
    if (!e) return;
    if (e->kind == WR_EX_COLUMN) {
        need[e->index] = WHOLE;
        return;
    }
    const wr_expr *row = e->kind == WR_EX_FIELD ? e->args[0] : NULL;
    if (row && row->kind == WR_EX_COLUMN && row->type->phys == WR_PHYS_ROW && e->index < 64) {
        need[row->index] |= 1ull << e->index;
        return;
    }
    for (uint32_t i = 0; i < e->arg_count; i++) mark(e->args[i], need);
}

static void
mark_calc(const wr_pnode *n, const uint64_t *mine, uint64_t *need)
{
    mark(n->u.calc.cond, need);
    for (uint32_t c = 0; c < n->schema.count; c++) {
        const wr_expr *e = n->u.calc.exprs[c];
        if (e->kind == WR_EX_COLUMN)
            need[e->index] |= mine[c];
        else
            mark(e, need);
    }
}

static void
mark_input(const masks *m, const wr_pnode *n, uint32_t i)
{
    const wr_pnode *in = n->inputs[i];
    const uint64_t *mine = of(m, n);
    uint64_t *need = of(m, in);
    switch ((int)n->kind) {
    case WR_P_CALC:
        mark_calc(n, mine, need);
        return;
    case WR_P_WATERMARK:
        for (uint32_t c = 0; c < n->schema.count; c++) need[c] |= mine[c];
        need[n->u.watermark.col] = WHOLE;
        mark(n->u.watermark.expr, need);
        return;
    default:
        for (uint32_t c = 0; c < in->schema.count; c++) need[c] = WHOLE;
    }
}

static wr_status
tell_scan(wr_ctx *ctx, wr_arena *a, wr_pnode *n, uint64_t *need)
{
    const uint32_t width = n->schema.count;
    const uint64_t **fields = WR_NEW_N(a, const uint64_t *, width + 1);
    WR_TRY_ALLOC(ctx, fields);
    for (uint32_t c = 0; c < width; c++) {
        const wr_type *t = n->schema.fields[c].type;
        if (t->phys == WR_PHYS_ROW && t->field_count <= 64 && need[c] != WHOLE)
            fields[c] = &need[c];
    }
    n->u.scan.spec.fields = fields;
    return WR_OK;
}

wr_status
wri_phys_fields(wr_ctx *ctx, wr_arena *a, const wr_plan *plan)
{
    masks m = {.need = WR_NEW_N(a, uint64_t *, plan->node_count + 1)};
    WR_TRY_ALLOC(ctx, m.need);
    for (uint32_t i = 0; i < plan->node_count; i++) {
        m.need[i] = WR_NEW_N(a, uint64_t, plan->nodes[i]->schema.count + 1);
        WR_TRY_ALLOC(ctx, m.need[i]);
    }
    for (uint32_t i = plan->node_count; i-- > 0;) /* consumers before their inputs */
        for (uint32_t k = 0; k < plan->nodes[i]->input_count; k++)
            mark_input(&m, plan->nodes[i], k);
    for (uint32_t i = 0; i < plan->node_count; i++)
        if (plan->nodes[i]->kind == WR_P_SCAN) WR_TRY(tell_scan(ctx, a, plan->nodes[i], m.need[i]));
    return WR_OK;
}
