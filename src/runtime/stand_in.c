/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in for checkpoints until the coordinator is there, so that its users can be built: nothing
 * is ever taken, and asking for a savepoint is refused. Weak, so that the real ones take over
 * without further ado; the file goes away with them. */
#include "runtime/runtime.h"

#define WRI_WEAK __attribute__((weak))

WRI_WEAK void
wr_job_checkpoint_counts(const wr_job *job, wr_checkpoint_counts *out)
{
    (void)job;
    *out = (wr_checkpoint_counts){0};
}

WRI_WEAK bool
wr_job_get_checkpoint(const wr_job *job, uint32_t index, wr_checkpoint_stat *out)
{
    (void)job;
    (void)index;
    (void)out;
    return false;
}

WRI_WEAK wr_status
wr_job_savepoint(wr_ctx *ctx, wr_job *job, const wr_savepoint_request *req, wr_arena *a,
                 wr_str *path)
{
    (void)job;
    (void)req;
    (void)a;
    (void)path;
    return wr_raise(ctx, WR_UNSUPPORTED, "not supported yet: savepoints");
}

WRI_WEAK void
wr_job_stop(wr_job *job)
{
    wr_job_cancel(job);
}

WRI_WEAK const char *
wr_checkpoint_kind_name(wr_checkpoint_kind k)
{
    static const char *const names[] = {"Checkpoint", "Full Checkpoint", "Savepoint", "Savepoint"};
    return names[k];
}
