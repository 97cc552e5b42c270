/* SPDX-License-Identifier: Apache-2.0 */
/* Lookup joins: FOR SYSTEM_TIME AS OF a processing time of the left row, over a table whose
 * connector lets it be read whole and kept. */
#include "plan/timed_int.h"

static wr_status
check_table(wr_ctx *ctx, const wr_rel *rel, const wr_pnode *right)
{
    const wr_pnode *scan = right->kind == WR_P_CALC ? right->inputs[0] : right;
    if (scan->kind == WR_P_SCAN && scan->u.scan.info.can_lookup && wri_insert_only(scan))
        return WR_OK;
    if (right->upsert_key_count == 0)
        return wr_raise_at(ctx, WR_SEMANTIC, rel->span,
                           "Temporal Table Join requires primary key in versioned table, but no "
                           "primary key can be found.");
    wr_status status = wr_raise_at(ctx, WR_UNSUPPORTED, rel->span,
                                   "Processing-time temporal join is not supported yet.");
    wr_hint(ctx, "A table of files can be looked up when it is declared with 'lookup.cache' = "
                 "'FULL'; for versions by event time, join AS OF a rowtime attribute.");
    return status;
}

/* The plan of the table, without its watermark, which nobody waits for. */
static wr_status
plan_table(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    if (rel->kind == WR_REL_WATERMARK) return plan_table(ctx, p, rel->inputs[0], out);
    if (rel->kind == WR_REL_PROJECT && rel->inputs[0]->kind == WR_REL_WATERMARK) {
        WR_TRY(wri_phys_rel(ctx, p, rel->inputs[0]->inputs[0], out));
        return wri_phys_calc(ctx, p, out, NULL, rel->u.project.exprs, rel->schema);
    }
    return wri_phys_rel(ctx, p, rel, out);
}

wr_status
wri_phys_lookup(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    wr_pnode *in = NULL, *right = NULL;
    WR_TRY(plan_table(ctx, p, rel->inputs[1], &right));
    WR_TRY(check_table(ctx, rel, right));
    WR_TRY(wri_phys_rel(ctx, p, rel->inputs[0], &in));
    wr_lookup_spec *spec = WR_NEW(p->arena, wr_lookup_spec);
    wr_pnode *n = wri_phys_node(p, WR_P_LOOKUP_JOIN, rel->schema, &in, 1);
    WR_TRY_ALLOC(ctx, spec);
    WR_TRY_ALLOC(ctx, n);
    const wr_pnode *scan = right->kind == WR_P_CALC ? right->inputs[0] : right;
    *spec = (wr_lookup_spec){right, scan->u.scan.info.reload_ms};
    n->u.join.lookup = spec;
    *out = n;
    return WR_OK;
}
