/* SPDX-License-Identifier: Apache-2.0 */
/* Joins by time: what they refuse. */
#include "plan/timed_int.h"

/* The node that makes the changes. */
static const wr_pnode *
origin(const wr_pnode *n)
{
    while (n->input_count == 1 &&
           (n->kind == WR_P_CALC || n->kind == WR_P_EXCHANGE || n->kind == WR_P_WATERMARK))
        n = n->inputs[0];
    return n;
}

wr_status
wri_phys_insert_only(wr_ctx *ctx, wri_phys *p, wr_span span, const char *what, const wr_pnode *in)
{
    wr_text label;
    if (wri_insert_only(in)) return WR_OK;
    wr_text_init(&label, p->arena);
    WR_TRY(wri_label(ctx, p->env, origin(in), WR_EXPR_INFIX, WR_STR(""), WR_STR(""), &label));
    bool deletes = in->changelog & WR_CL_D, updates = wri_has_updates(in);
    return wr_raise_at(ctx, WR_SEMANTIC, span,
                       "%s doesn't support consuming %s changes which is produced by node %.*s",
                       what,
                       deletes && updates ? "update and delete"
                       : deletes          ? "delete"
                                          : "update",
                       (int)label.len, label.ptr);
}

static const wr_type *
time_type(wr_pnode *const *sides, const wr_interval_spec *spec, uint32_t side)
{
    const uint32_t col = side ? spec->right_time : spec->left_time;
    return sides[side]->schema.fields[col].type;
}

wr_status
wri_phys_check_interval(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode *const *sides,
                        const wr_interval_spec *spec)
{
    const wr_type *l = time_type(sides, spec, 0), *r = time_type(sides, spec, 1);
    if (spec->rowtime && l->id != r->id) {
        wr_text a, b;
        wr_text_init(&a, p->arena);
        wr_text_init(&b, p->arena);
        wr_type_print(l, WR_TYPE_SUMMARY, &a);
        wr_type_print(r, WR_TYPE_SUMMARY, &b);
        return wr_raise_at(ctx, WR_SEMANTIC, rel->span,
                           "Interval join with rowtime attribute requires same rowtime types, but "
                           "the types are %.*s and %.*s.",
                           (int)a.len, a.ptr, (int)b.len, b.ptr);
    }
    for (uint32_t i = 0; i < 2; i++)
        WR_TRY(wri_phys_insert_only(ctx, p, rel->span, "StreamPhysicalIntervalJoin", sides[i]));
    return WR_OK;
}
