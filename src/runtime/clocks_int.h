/* SPDX-License-Identifier: Apache-2.0 */
/* Event time at the sources: what is known of each split, and groups of sources that keep step.
 * Included by runtime_int.h alone. */
#ifndef WR_RUNTIME_CLOCKS_INT_H
#define WR_RUNTIME_CLOCKS_INT_H

#include "op/op.h"
#include "runtime/runtime.h"

struct wri_inst;
struct wri_source;
struct wri_split;

/* ---- alignment (scan.watermark.alignment.*) -------------------------------------------------- */
typedef struct wri_align_group { /* of one job */
    wr_str name;
    int64_t *slots; /* atomic; the watermark of each subtask of its sources, as it said last;
                       INT64_MAX: it is not to be waited for */
    uint32_t slot_count;
} wri_align_group;

typedef struct wri_align {  /* a source's part */
    wri_align_group *group; /* NULL: none */
    int64_t *slot;
    int64_t drift_ms, update_ms;
    int64_t due_ms;  /* when to look again (wall clock) */
    int64_t allowed; /* up to there it may go on */
} wri_align;

/* Makes the groups of the job's sources; once, before anything is built. */
wr_status wri_align_init(wr_ctx *ctx, wr_job *job) WR_MUST_USE;
wr_status wri_align_open(wr_ctx *ctx, struct wri_source *s) WR_MUST_USE; /* of every attempt */
/* Before a poll: may it go on? *again_ms: when to look again, where it or a split of it may not. */
bool wri_align_may_poll(struct wri_source *s, int64_t *again_ms);
void wri_align_leave(struct wri_source *s); /* ended: nobody waits for it */

/* ---- clocks of splits ------------------------------------------------------------------------ */
/* Called when the source is opened; then for each split it is given. */
wr_status wri_clocks_open(wr_ctx *ctx, struct wri_source *s) WR_MUST_USE;
wr_status wri_clocks_add(wr_ctx *ctx, struct wri_source *s,
                         const struct wri_split *split) WR_MUST_USE;
/* The clocks that the WATERMARK `inst` works with: those of the source below it in its task. */
wr_status wri_clocks_connect(wr_ctx *ctx, struct wri_inst *inst) WR_MUST_USE;
/* A batch of `rows` rows comes from where `p` says; behind it: *low, the lowest of all splits, when
 * the source gives the watermark itself. */
wr_status wri_clocks_begin(wr_ctx *ctx, struct wri_source *s, const wr_poll *p,
                           uint32_t rows) WR_MUST_USE;
wr_status wri_clocks_done(wr_ctx *ctx, struct wri_source *s, const wr_poll *p,
                          int64_t *low) WR_MUST_USE;
/* Splits without rows for `idle_ms`. *due_ms is lowered to the processing time when one will be. */
wr_status wri_clocks_look_for_idle(wr_ctx *ctx, struct wri_inst *inst, int64_t *due_ms) WR_MUST_USE;
wr_status wri_clocks_snapshot(wr_ctx *ctx, const struct wri_source *s, wr_opstate *out) WR_MUST_USE;
/* The name and the watermark in an item of the snapshot's list WRI_CLOCKS; false: malformed. */
#define WRI_CLOCKS "clocks"
bool wri_clocks_get(wr_str item, wr_str *name, int64_t *watermark);
/* What others may see. A copy that does not find room is left out until the next time. */
void wri_clocks_publish(const struct wri_source *s);
void wri_clocks_forget(wr_job *job);

#endif
