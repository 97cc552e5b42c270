/* SPDX-License-Identifier: Apache-2.0 */
/* Per-operator metrics: written by the owning task alone (plain stores), read by anyone (relaxed
 * loads, a torn or old value is acceptable). Names follow Flink's. */
#ifndef WR_SPI_METRICS_H
#define WR_SPI_METRICS_H

#include "base/base.h"

typedef struct wr_op_metrics {
    const char *name; /* "GroupAggregate[3]" */
    uint32_t subtask;
    uint64_t records_in, records_out, bytes_in, bytes_out, batches_in, batches_out;
    uint64_t late_dropped,
        records_skipped; /* numLateRecordsDropped; bad records skipped by policy */
    uint64_t busy_ns, idle_ns, backpressured_ns;
    int64_t watermark; /* current input watermark; INT64_MIN = none */
    uint64_t state_bytes;
} wr_op_metrics;

#endif
