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

/* A LOOKUP hint: what it says; -1 (retries: 0) = nothing. */
typedef struct wr_lookup_hint {
    int8_t async, unordered, shuffle;
    int64_t capacity, timeout_ms;
    uint32_t retries;
    int64_t retry_ms;
    wr_str text; /* its options as plans print them */
} wr_lookup_hint;

/* WR_P_LOOKUP_JOIN, beside u.join: rows are asked of a table, by key. One input, the left;
 * right_keys are columns of `right`. */
#define WR_ASK_CONSTANT UINT32_MAX
typedef struct wr_lookup_spec {
    const struct wr_pnode *right; /* SCAN, or a CALC of one: the table's rows, not run as a node */
    wr_reload reload;             /* when the table is read again */
    bool by_key;                  /* asked by key; else the table is read whole */
    const uint32_t *ask_cols;     /* columns of the scan that questions give: constants, then... */
    const uint32_t *ask_pair;     /* ...of which pair of keys; WR_ASK_CONSTANT: ask_value */
    const wr_value *ask_value;
    uint32_t ask_count;
    bool async, unordered, key_ordered; /* key_ordered: as the option says */
    int64_t timeout_ms;
    uint32_t capacity;
    uint32_t retries; /* of a question without rows */
    int64_t retry_ms;
    bool cached, cache_missing;                            /* lookup.cache = PARTIAL */
    int64_t cache_rows, expire_write_ms, expire_access_ms; /* 0 = no bound */
    bool shuffle;
} wr_lookup_spec;

#endif
