/* SPDX-License-Identifier: Apache-2.0 */
/* Lookup joins. */
#include "plan/timed_int.h"

wr_status
wri_phys_lookup(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_expr *cond, wr_pnode **out)
{
    (void)p, (void)cond, (void)out;
    return wr_raise_at(ctx, WR_UNSUPPORTED, rel->span,
                       "Processing-time temporal join is not supported yet.");
}
