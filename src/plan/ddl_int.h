/* SPDX-License-Identifier: Apache-2.0 */
/* Private to DDL (ddl_*.c): the draft of a table. CREATE TABLE fills an empty one, ALTER TABLE one
 * that was made of the old description; in the end everything that depends on columns (computed
 * columns, watermark, keys) is bound anew and the draft becomes a description in the statement's
 * arena. */
#ifndef WR_PLAN_DDL_INT_H
#define WR_PLAN_DDL_INT_H

#include "plan/plan.h"

typedef struct wri_draft_column {
    wr_column c;
    const wr_ast *expr; /* COMPUTED: as this statement wrote it; NULL: c.expr is a stored text */
    bool given;         /* from a query or the table of LIKE: a key does not make it NOT NULL */
} wri_draft_column;

typedef struct wri_draft {
    wr_ctx *ctx;
    const wr_plan_env *env;
    wr_arena *a;
    wr_span stmt;
    WR_LIST(wri_draft_column) columns;
    wr_table_desc t;                   /* everything but the columns */
    const wr_ast_watermark *watermark; /* as this statement wrote it; NULL: the one in t, if any */
    const wr_ast_constraint *key;      /* as this statement wrote it; NULL: the one in t, if any */
    const wr_ast_parts *key_columns;   /* of `key` */
    bool alter;                        /* ALTER TABLE has words of its own */
} wri_draft;

/* ---- ddl_draft.c ----------------------------------------------------------------------------- */
void wri_draft_init(wri_draft *d, wr_ctx *ctx, const wr_plan_env *env, const wr_ast *stmt);
/* Index, or -1. */
int32_t wri_draft_find(const wri_draft *d, wr_str name);
wr_status wri_draft_make_column(wri_draft *d, const wr_ast_column *ast, wri_draft_column *out);
/* The one primary key among table constraints and inline ones, checked as the parser of Flink does;
 * *key NULL = none. */
wr_status wri_draft_find_key(wri_draft *d, const wr_ast_list *columns,
                             const wr_ast_list *constraints);
wr_status wri_draft_set_distribution(wri_draft *d, const wr_ast_distribution *ast);
wr_status wri_draft_set_options(wri_draft *d, const wr_ast_list *options); /* last one wins */
/* Bind all that depends on columns, check keys, and give the description. */
wr_status wri_draft_finish(wri_draft *d, wr_table_desc **out);
/* "line 1, column 38" of a position, counted from the statement's beginning. */
wr_str wri_draft_place(const wri_draft *d, wr_span at);
wr_status wri_ddl_qualify(wr_ctx *ctx, const wr_plan_env *env, const wr_ast_ident *name,
                          wr_table_id *out);
/* The query as it was written. */
wr_str wri_ddl_query_text(wr_ctx *ctx, const wr_ast *query);
wr_status wri_ddl_name_list(wri_draft *d, const wr_ast_parts *parts, const wr_str **out);
/* Text of an expression as it is stored. ptr NULL: out of memory. */
wr_str wri_ddl_expr_text(wr_arena *a, const wr_ast *expr);
wr_str wri_ddl_string(const wr_ast *literal); /* value of a string literal; "" for NULL */
/* Calls `fn` for every identifier that names a column (not a function); false stops. */
typedef bool (*wri_ddl_name_fn)(void *arg, const wr_ast_ident *name);
void wri_ddl_each_name(const wr_ast *expr, wri_ddl_name_fn fn, void *arg);

/* ---- ddl_like.c, ddl_as.c -------------------------------------------------------------------- */
wr_status wri_draft_like(wri_draft *d, const wr_ast_create_table *create);
wr_status wri_draft_as(wri_draft *d, const wr_ast_create_table *create);

/* ---- ddl_expand.c: a query with every name in full ------------------------------------------- */
wr_status wri_ddl_expand(wr_ctx *ctx, const wr_plan_env *env, const wr_ast *query, wr_str *out);

#endif
