/* SPDX-License-Identifier: Apache-2.0 */
/* The joints of the house: rules that hold for every vtable of spi/.
 *
 * Ownership law. Arguments are borrowed for the call. An argument named take_* moves to the callee,
 * even when it fails. What create/copy/acquire/open returns is the caller's. Every other returned
 * pointer is borrowed, and its comment says until when. `abi` is the first member of every vtable;
 * later methods are appended. A method that an implementation does not have points at a
 * not-supported stub that raises WR_UNSUPPORTED, never NULL (exceptions are marked "may be NULL").
 * Unless marked otherwise, methods are called by the owning task's thread only. */
#ifndef WR_SPI_SPI_H
#define WR_SPI_SPI_H

#include "vec/vec.h"

#define WR_ABI 1u

/* What expressions, casts and formats need to know of the session while they run. Borrowed;
 * immutable while a job runs, except now_ms which the runtime refreshes. */
struct wr_tz; /* types/datetime.h */
typedef struct wr_eval_env {
    const struct wr_tz *tz;   /* table.local-time-zone */
    int64_t query_time_ms;    /* CURRENT_TIMESTAMP in batch mode: the query's start */
    bool batch;               /* execution.runtime-mode = BATCH */
    bool legacy_cast;         /* table.exec.legacy-cast-behaviour */
    const int64_t *watermark; /* current watermark of the task (INT64_MIN = none), for
                                 CURRENT_WATERMARK; may be NULL */
    wr_str catalog, database; /* CURRENT_DATABASE() */
} wr_eval_env;

#endif
