/* SPDX-License-Identifier: Apache-2.0 */
/* Private to connector/: the base of sinks that write ahead (walog.c).
 *
 * For systems that cannot prepare: what is written waits in a log until its checkpoint completes,
 * then the commit applies it to the system. A commit may come again, wholly or in part done, in
 * another process; the system says which ones it has applied already. */
#ifndef WR_CONNECTOR_WALOG_INT_H
#define WR_CONNECTOR_WALOG_INT_H

#include "connector/twophase_int.h"

/* ---- a writer's log -------------------------------------------------------------------------- */
typedef struct wri_walog wri_walog;

/* memory_bytes: a log up to this size stays in memory and goes into the checkpoint itself; what is
 * longer goes to a file below env->log_dir, frame by frame. Without env->log_dir it all stays in
 * memory. The log lives until wri_walog_close; its arena is its own. */
wr_status wri_walog_open(wr_ctx *ctx, const wr_sink_env *env, uint64_t memory_bytes,
                         wri_walog **out) WR_MUST_USE;
/* Append an entry (copied); it comes back as one. An entry should hold many rows. */
wr_status wri_walog_append(wr_ctx *ctx, wri_walog *w, wr_str entry) WR_MUST_USE;
/* The log so far is on disk or in *committable (in `a`); empty: nothing was appended. */
wr_status wri_walog_prepare(wr_ctx *ctx, wri_walog *w, uint64_t checkpoint_id, wr_arena *a,
                            wr_str *committable) WR_MUST_USE;
wr_status wri_walog_snapshot(wr_ctx *ctx, wri_walog *w, uint64_t checkpoint_id,
                             wr_opstate *out) WR_MUST_USE;
/* `in` may be empty. Log files of dead attempts are removed. */
wr_status wri_walog_restore(wr_ctx *ctx, wri_walog *w, const wr_opstate *in) WR_MUST_USE;
/* A log file that was not prepared goes. NULL is fine. */
void wri_walog_close(wri_walog *w);

/* ---- applying -------------------------------------------------------------------------------- */
typedef struct wri_walog_target { /* a system; thread: the committing one */
    /* What follows is the log of that name: one subtask's of one checkpoint, by whichever job it is
     * applied. *applied: it has been applied as a whole before; the entries are then given only
     * when `again` is set (to be compared), as far as the log is still there. */
    wr_status (*begin)(wr_ctx *ctx, void *arg, wr_str name, bool *applied);
    wr_status (*entry)(wr_ctx *ctx, void *arg, wr_str entry);
    /* All entries were given: make the name count as applied. Not called when it was before,
     * unless `again`. */
    wr_status (*end)(wr_ctx *ctx, void *arg);
    /* Instead of `end`, when something failed or nothing is to be done. */
    void (*abandon)(void *arg);
    bool again;
} wri_walog_target;

/* Apply all committables of `c` in order; then the log files of earlier checkpoints of this job's
 * sink go, at the end of the job all. Raises WR_CORRUPT where a log is damaged, or missing and was
 * not applied. */
wr_status wri_walog_commit(wr_ctx *ctx, const wr_commit *c, const wri_walog_target *target,
                           void *arg) WR_MUST_USE;

#endif
