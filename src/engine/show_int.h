/* SPDX-License-Identifier: Apache-2.0 */
/* Private to SHOW and DESCRIBE (exec_show.c, exec_describe.c). */
#ifndef WR_ENGINE_SHOW_INT_H
#define WR_ENGINE_SHOW_INT_H

#include "engine/engine_int.h"

typedef struct wri_column_filter { /* SHOW COLUMNS ... LIKE */
    wr_str pattern;                /* ptr NULL = every column */
    bool ignore_case, negate;
} wri_column_filter;

wr_status wri_show_qualify(wr_ctx *ctx, wri_stmt *st, const wr_ast_ident *name, wr_table_id *id);
/* Gives an error without a position that of `name` (may be NULL). */
wr_status wri_show_at(wr_ctx *ctx, wr_status status, const wr_ast_ident *name);
bool wri_show_matches(const wr_ast_show *show, wr_str name); /* LIKE; true without */
wr_str wri_function_shown(wr_arena *a, const char *name);    /* as SHOW FUNCTIONS spells it */

/* exec_describe.c; filter NULL = every column */
wr_status wri_describe_table(wr_ctx *ctx, wri_stmt *st, const wr_ast_ident *name,
                             const wri_column_filter *filter);
wr_status wri_exec_describe(wr_ctx *ctx, wri_stmt *st, const wr_ast_describe *d);

#endif
