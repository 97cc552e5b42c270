/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the binding of MATCH_RECOGNIZE (bind_match.c, bind_match_clause.c, bind_pattern.c). */
#ifndef WR_PLAN_BIND_MATCH_INT_H
#define WR_PLAN_BIND_MATCH_INT_H

#include "plan/bind_int.h"
#include "plan/match.h"

typedef enum wri_match_mode {
    WRI_MATCH_PLAIN,
    WRI_MATCH_NAVIGATE, /* inside FIRST, LAST */
    WRI_MATCH_AGGREGATE /* inside an aggregate: columns of the input */
} wri_match_mode;

typedef struct wri_match_vars {
    const wr_str *names; /* variables of the pattern, in order */
    uint32_t count;
    const wr_str *subsets;
    uint32_t subset_count;
} wri_match_vars;

typedef struct wri_match_arg { /* whose rows an aggregate, FIRST or LAST walks over */
    bool named, several;
    wr_str name;
    uint64_t vars;
} wri_match_arg;

typedef WR_LIST(wr_match_ref) wri_ref_list;

struct wri_match { /* where an expression of MATCH_RECOGNIZE stands */
    const wr_rel *input;
    const wri_match_vars *vars;
    wri_ref_list *refs;
    wri_expr_list *kept;
    wr_str alias;     /* of the input */
    uint64_t certain; /* variables that every match has rows of */
    bool define;      /* a condition, of `define_name` */
    wr_str define_name;
    uint64_t define_set;
    uint8_t mode; /* wri_match_mode */
    bool first;   /* NAVIGATE */
    uint32_t offset;
    wri_match_arg *arg;
};

/* bind_pattern.c: the names in the pattern; its elements, what Flink refuses refused. */
wr_status wri_match_names(wri_binder *b, const wr_ast_match *ast, wri_match_vars *out);
void wri_match_put_pattern(const wr_ast_pattern *p, wr_text *t); /* as plans print it */
wr_status wri_match_pattern(wri_binder *b, const wr_ast_match *ast, wr_match_spec *spec,
                            wr_match_elem **elems);

#endif
