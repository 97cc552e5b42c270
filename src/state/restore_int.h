/* SPDX-License-Identifier: Apache-2.0 */
/* Entries that keep their numbers through a restore, so that increments go on from the files that
 * they came from. */
#ifndef WR_STATE_RESTORE_INT_H
#define WR_STATE_RESTORE_INT_H

#include "state/state_int.h"

/* Numbers 0..used-1 of an empty table are there, for entries to come: the next one gets the number
 * that was aimed at. In the end t->free_entry is set to WRI_NIL, and what no entry has is skipped.
 */
wr_status wri_entry_reserve(wr_ctx *ctx, wri_table *t, uint32_t used) WR_MUST_USE;
void wri_entry_aim(wri_table *t, uint32_t number);
void wri_entry_skip(wri_table *t, uint32_t number);
/* The backend holds just what these files do, under the same numbers: increments go on from them.
 */
wr_status wri_chain_take(wr_ctx *ctx, wri_backend *b, const wr_state_handle *h) WR_MUST_USE;

#endif
