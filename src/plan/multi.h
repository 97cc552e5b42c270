/* SPDX-License-Identifier: Apache-2.0 */
/* The multi-way join: inner and left joins of several inputs that all share a key, in one node that
 * keeps the inputs' rows and nothing in between. */
#ifndef WR_PLAN_MULTI_H
#define WR_PLAN_MULTI_H

#include "plan/rel.h"

typedef struct wr_multi_input {
    uint8_t type; /* WR_JOIN_INNER or WR_JOIN_LEFT: how it is joined to those before it; of input 0:
                     INNER */
    uint32_t first;        /* its first column in the output */
    const uint32_t *keys;  /* own columns that make the common key, in one order for all inputs */
    wr_expr *whole;        /* its condition, over columns of the output; NULL = TRUE */
    wr_expr *cond;         /* what is left to test for rows of one common key; NULL = nothing */
    const uint32_t *needs; /* inputs (of type LEFT) that must have a row, as the condition compares
                              their common key */
    uint32_t need_count;
    /* pairs that the condition equates: a column of the output, before `first`, and an own one */
    const uint32_t *equal_left, *equal_own;
    uint32_t equal_count;
    const uint32_t *unique_key; /* own columns, NULL = none */
    uint32_t unique_key_count;
    bool key_contains_unique; /* the common key contains the unique key */
    int64_t ttl_ms;
    bool ttl_told; /* by a hint */
} wr_multi_input;

typedef struct wr_multi_spec { /* input_count of the node inputs */
    uint32_t key_count;        /* 0: all rows meet at one place */
    wr_multi_input *inputs;
} wr_multi_spec;

#endif
