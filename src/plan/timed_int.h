/* SPDX-License-Identifier: Apache-2.0 */
/* Joins by time, in planning: which joins are interval joins. Private to plan/. */
#ifndef WR_PLAN_TIMED_INT_H
#define WR_PLAN_TIMED_INT_H

#include "plan/phys_int.h"
#include "plan/timed_join.h"

/* Does the condition of a JOIN bound the time attributes of both sides by each other, above and
 * below? Then *found, `spec` is filled in and *rest (NULL: TRUE) is the condition without the
 * bounds: like Flink, what runs checks the bounds alone, not their text (a month has as many days
 * as it has in 1970). */
wr_status wri_interval_of(wr_ctx *ctx, const wr_plan_env *env, const wr_rel *join, bool *found,
                          wr_interval_spec *spec, wr_expr **rest) WR_MUST_USE;

/* phys_timed.c: refuses what Flink refuses of an interval join. */
wr_status wri_phys_check_interval(wr_ctx *ctx, wri_phys *p, const wr_rel *rel,
                                  wr_pnode *const *sides, const wr_interval_spec *spec) WR_MUST_USE;
/* Fills in the spec and the shown condition of a temporal join of event time whose keys are set. */
wr_status wri_phys_temporal(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, const wr_expr *marker,
                            wr_expr *rest, wr_pnode *const *sides, wr_pnode *n) WR_MUST_USE;
/* phys_lookup.c: a join with FOR SYSTEM_TIME AS OF a processing time, without its keys as yet. */
wr_status wri_phys_lookup(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out) WR_MUST_USE;
/* Once it has its keys: how the table is asked. */
wr_status wri_phys_lookup_keys(wr_ctx *ctx, wri_phys *p, const wr_rel *rel,
                               wr_pnode *n) WR_MUST_USE;
/* "... doesn't support consuming update changes which is produced by node ..." unless
 * `in` has inserts alone. `what`: the consumer, in Flink's words. */
wr_status wri_phys_insert_only(wr_ctx *ctx, wri_phys *p, wr_span span, const char *what,
                               const wr_pnode *in) WR_MUST_USE;

#endif
