/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated half of the operating system: a clock that stands still, and I/O calls that fail by
 * plan. State of the process, as the real clock and the real disk are. Thread: any. */
#include <errno.h>

#include "os/os_int.h"

static int32_t clock_on;          /* atomic */
static int64_t clock_wall;        /* atomic */
static int64_t clock_mono;        /* atomic */
static int64_t processing;        /* atomic; where processing time is held */
static uint64_t processing_moves; /* atomic; 0 = it is not */
static int64_t fail_left;         /* atomic; > 0: so many calls from now, the last of them fails */
static int32_t fail_how;          /* atomic; wr_os_fault */
static int32_t fail_done;         /* atomic */

void
wr_os_clock_simulate(int64_t wall_ns)
{
    wr_os_store(&clock_wall, wall_ns);
    wr_os_store(&clock_mono, wall_ns);
    wr_os_store(&clock_on, 1);
}

void
wr_os_clock_advance(int64_t ns)
{
    (void)wr_os_add(&clock_wall, ns);
    (void)wr_os_add(&clock_mono, ns);
}

void
wr_os_clock_real(void)
{
    wr_os_store(&clock_on, 0);
}

void
wr_os_processing_hold(int64_t ms)
{
    wr_os_store(&processing, ms);
    (void)wr_os_add(&processing_moves, 1);
}

void
wr_os_processing_release(void)
{
    wr_os_store(&processing_moves, (uint64_t)0);
}

int64_t
wr_os_processing_ms(void)
{
    return WR_LIKELY(!wr_os_load(&processing_moves)) ? wr_os_wall_ms() : wr_os_load(&processing);
}

uint64_t
wr_os_processing_moves(void)
{
    return wr_os_load(&processing_moves);
}

bool
wri_os_clock_simulated(int64_t *wall_ns, int64_t *mono_ns)
{
    if (WR_LIKELY(!wr_os_load(&clock_on))) return false;
    *wall_ns = wr_os_load(&clock_wall);
    *mono_ns = wr_os_load(&clock_mono);
    return true;
}

void
wr_os_fail_after(int64_t n, wr_os_fault how)
{
    wr_os_store(&fail_done, 0);
    wr_os_store(&fail_how, (int32_t)how);
    wr_os_store(&fail_left, n > 0 ? n : 0);
}

bool
wr_os_fail_hit(void)
{
    return wr_os_load(&fail_done) != 0;
}

static bool
fail_now(void)
{
    if (WR_LIKELY(wr_os_load_relaxed(&fail_left) <= 0)) return false;
    if (wr_os_add(&fail_left, -1) != 0) return false;
    wr_os_store(&fail_done, 1);
    return true;
}

wr_status
wri_os_inject(wr_ctx *ctx, const char *verb, const char *name)
{
    return WR_LIKELY(!fail_now()) ? WR_OK : wri_os_raise(ctx, EIO, verb, name);
}

wr_status
wri_os_inject_write(wr_ctx *ctx, const char *name, bool *torn)
{
    *torn = false;
    if (WR_LIKELY(!fail_now())) return WR_OK;
    if (wr_os_load(&fail_how) == WR_OS_FAULT_TORN) return *torn = true, WR_OK;
    return wri_os_raise(ctx, EIO, "write", name);
}
