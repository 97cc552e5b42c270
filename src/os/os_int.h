/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of os/ share. */
#ifndef WR_OS_OS_INT_H
#define WR_OS_OS_INT_H

#include "os/os.h"

/* Raises "cannot <verb> '<name>': <the system's words>" with the status that fits `error`. */
wr_status wri_os_raise(wr_ctx *ctx, int error, const char *verb, const char *name);

/* The fault plan: WR_OK, or the planned failure, raised. Every fallible I/O call asks first. */
wr_status wri_os_inject(wr_ctx *ctx, const char *verb, const char *name);
/* The same for writes; *torn: store half, then raise by wri_os_raise(ctx, EIO, ...). */
wr_status wri_os_inject_write(wr_ctx *ctx, const char *name, bool *torn);

/* The simulated clock: true when it is on. */
bool wri_os_clock_simulated(int64_t *wall_ns, int64_t *mono_ns);

void wri_os_name_set(char *name, size_t cap, const char *path);

#endif
