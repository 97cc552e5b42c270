/* SPDX-License-Identifier: Apache-2.0 */
/* Node structs as tables of fields. */
#ifndef WR_SQL_TREE_INT_H
#define WR_SQL_TREE_INT_H

#include "sql/sql.h"

/* Fields of a node struct, for equality, hashing, copying, walking and heights. */
typedef enum wri_field_type {
    WRI_F_NODE,     /* pointer to a node or NULL */
    WRI_F_FUNCTION, /* the same, a name compared without case */
    WRI_F_LIST,     /* wr_ast_list */
    WRI_F_STR,
    WRI_F_STR_IGNORED, /* copied, not compared */
    WRI_F_BOOL,
    WRI_F_BOOL_IGNORED,
    WRI_F_ENUM, /* 4 bytes */
    WRI_F_I64,
    WRI_F_SPAN, /* copied, not compared */
    WRI_F_PART,
    WRI_F_PARTS,
    WRI_F_IDENT_PARTS, /* parts, part_count */
    WRI_F_INTERVAL,
    WRI_F_AS,
    WRI_F_SAMPLE,
    WRI_F_LIKE_OPTIONS, /* options, option_count */
} wri_field_type;
typedef struct wri_field {
    uint16_t offset;
    uint8_t type; /* wri_field_type */
} wri_field;
typedef struct wri_shape {
    const char *title;
    const wri_field *fields;
    uint16_t field_count;
    uint16_t size_bytes;
} wri_shape;
const wri_shape *wri_shape_of(wr_ast_kind kind);
uint32_t wri_children_height(const wr_ast *node); /* highest child; 0 without children */

#endif
