/* SPDX-License-Identifier: Apache-2.0 */
/* Joins by time. */
#ifndef WR_PLAN_TIMED_JOIN_H
#define WR_PLAN_TIMED_JOIN_H

#include "plan/rel.h"

/* WR_P_INTERVAL_JOIN, beside u.join: right.time + lower_ms <= left.time <= right.time + upper_ms.
 */
typedef struct wr_interval_spec {
    bool rowtime; /* else processing time */
    int64_t lower_ms, upper_ms;
    uint32_t left_time, right_time; /* columns of the inputs */
} wr_interval_spec;

/* WR_P_TEMPORAL_JOIN, beside u.join: the version of the right row that was valid at the left row's
 * time. */
typedef struct wr_temporal_spec {
    bool rowtime;                   /* else the newest version */
    uint32_t left_time, right_time; /* columns of the inputs */
    const uint32_t *right_key;      /* primary key of the right side: what versions are of */
    uint32_t right_key_count;
} wr_temporal_spec;

/* WR_P_LOOKUP_JOIN, beside u.join: rows are asked of a table, by key. One input, the left;
 * right_keys are columns of `right`. */
typedef struct wr_lookup_spec {
    const struct wr_pnode *right; /* SCAN, or a CALC of one: the table's rows, not run as a node */
    int64_t reload_ms;            /* after which the table is read again; 0 = never */
} wr_lookup_spec;

#endif
