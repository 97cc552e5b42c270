/* SPDX-License-Identifier: Apache-2.0 */
/* Which joins may become one multi-way join: those directly above each other, before pruning puts
 * projections between them. A projection of the query keeps them apart, as in Flink. */
#include "plan/phys_int.h"
#include "plan/rule_int.h"

wr_status
wri_rule_multi(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    wr_rel *copy = wri_rel_copy(r->a, rel);
    WR_TRY_ALLOC(r->ctx, copy);
    for (uint32_t i = 0; i < copy->input_count; i++)
        WR_TRY(wri_rule_multi(r, rel->inputs[i], &copy->inputs[i]));
    *out = copy;
    if (copy->kind == WR_REL_JOIN)
        copy->u.join.takes_left =
            wri_multi_wanted(r->env, copy) && copy->inputs[0]->kind == WR_REL_JOIN;
    return WR_OK;
}
