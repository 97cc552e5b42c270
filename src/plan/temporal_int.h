/* SPDX-License-Identifier: Apache-2.0 */
/* Temporal joins, in planning: the conjunct that says so. Private to plan/. */
#ifndef WR_PLAN_TEMPORAL_INT_H
#define WR_PLAN_TEMPORAL_INT_H

#include "plan/bind_int.h"

typedef enum wri_temporal_list { /* for EXPLAIN */
                                 WRI_TEMPORAL_PRIMARY_KEY,
                                 WRI_TEMPORAL_LEFT_KEY,
                                 WRI_TEMPORAL_RIGHT_KEY
} wri_temporal_list;

/* __TEMPORAL_JOIN_CONDITION(args), never run. NULL: out of memory. */
wr_expr *wri_temporal_marker(wr_arena *a, wr_expr *const *args, uint32_t n);
bool wri_temporal_is_marker(const wr_expr *e);
/* The marker in the condition of a temporal join, and the rest of it (NULL: TRUE). No marker: the
 * condition has been folded, it is never true. */
wr_status wri_temporal_take(wr_ctx *ctx, wr_arena *a, wr_expr *cond, const wr_expr **marker,
                            wr_expr **rest) WR_MUST_USE;
wr_expr *wri_temporal_part(wr_arena *a, wri_temporal_list list, wr_expr *const *args, uint32_t n);

/* bind_temporal.c: t FOR SYSTEM_TIME AS OF e */
bool wri_bind_is_temporal(const wr_ast *t);
/* Binds the right side of the join, and the time over the left row. */
wr_status wri_bind_temporal(wri_binder *b, const wri_from *left, const wr_ast_join *j,
                            wr_join_type type, const wri_scope *outer, wri_from *right,
                            wr_expr **period) WR_MUST_USE;
/* Makes the bound join a temporal one. */
wr_status wri_bind_temporal_mark(wri_binder *b, const wr_expr *period, wr_rel *join) WR_MUST_USE;

/* An event-time temporal join: nothing may be moved below it, as versions are made of all rows. */
WR_ALWAYS_INLINE bool
wri_rel_is_versioned(const wr_rel *rel)
{
    return rel->kind == WR_REL_JOIN && rel->u.join.temporal &&
           rel->u.join.temporal->type->attr == WR_ATTR_ROWTIME;
}

#endif
