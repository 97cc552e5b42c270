/* SPDX-License-Identifier: Apache-2.0 */
/* phys_fields.c: which fields of ROW columns a source has to read. The last pass of planning. */
#ifndef WR_PLAN_FIELDS_INT_H
#define WR_PLAN_FIELDS_INT_H

#include "plan/phys_int.h"

/* Sets spec.fields of the scans of a finished plan. */
wr_status wri_phys_fields(wr_ctx *ctx, wr_arena *a, const wr_plan *plan) WR_MUST_USE;

#endif
