/* SPDX-License-Identifier: Apache-2.0 */
/* FROM_CHANGELOG and TO_CHANGELOG: rows that say in a column what happened to them become changes,
 * and back. */
#ifndef WR_PLAN_CHANGELOG_FN_H
#define WR_PLAN_CHANGELOG_FN_H

#include "expr/expr.h"

typedef struct wr_changelog_code { /* a text of the op column, and what it means */
    wr_str text;
    uint8_t kind; /* wr_kind */
} wr_changelog_code;

/* WR_REL_CHANGELOG, WR_P_CHANGELOG. FROM: the input's columns without `op_col`; rows of its code
 * become changes. TO: `op`, the input's columns, and `time_col` once more at the end; changes
 * without a code are left out. */
typedef struct wr_changelog_spec {
    bool from;
    bool table;               /* TABLE t, rather than a query */
    uint32_t op_col;          /* FROM: of the input */
    int32_t time_col;         /* TO, on_time: of the input; -1: none */
    wr_changelog_code *codes; /* in the order of the mapping; TO: at most one a kind */
    uint32_t code_count;
    wr_str call; /* as EXPLAIN shows it */
    wr_str uid;  /* ptr NULL: none */
} wr_changelog_spec;

#endif
