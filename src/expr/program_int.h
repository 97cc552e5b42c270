/* SPDX-License-Identifier: Apache-2.0 */
/* A compiled program: registers (vectors), selections and a flat array of steps.
 *
 * Register = the value of one expression for the rows of one selection. Selection 0 is the
 * caller's; CASE, AND, OR and COALESCE narrow it, so that their later operands run only for rows
 * that need them (and can only fail there). Selections form a tree; a register computed under one
 * may be used under every selection below it, which is how common sub-expressions are shared.
 * Expressions that are cheap and can't fail always run under selection 0.
 *
 * A program belongs to one task thread. Registers point into the batch arena after a run. */
#ifndef WR_EXPR_PROGRAM_INT_H
#define WR_EXPR_PROGRAM_INT_H

#include "expr/expr_int.h"

typedef enum wri_op {
    WRI_STEP_CALL,        /* regs[out] = expr's kernel over args */
    WRI_STEP_CAST,        /* regs[out] = args[0] cast to expr->type */
    WRI_STEP_FIELD,       /* regs[out] = field expr->index of args[0] */
    WRI_STEP_NARROW,      /* sels[sel_out] = rows of sels[sel] where args[0] passes `mode`; jump if
                             there are none */
    WRI_STEP_LOGIC_BEGIN, /* regs[out] = a writable copy of args[0] */
    WRI_STEP_LOGIC,       /* regs[out] AND/OR= args[0] for sels[sel]; mode 1 = AND */
    WRI_STEP_MERGE_BEGIN, /* regs[out] = an empty vector of expr->type */
    WRI_STEP_MERGE,       /* regs[out] = args[0] for the rows of sels[sel] */
    WRI_STEP_UNLESS_NULL  /* args[0] has no NULL in sels[sel]: regs[out] = args[0] and jump */
} wri_op;

typedef enum wri_narrow { WRI_IF_TRUE, WRI_IF_NOT_TRUE, WRI_IF_NOT_FALSE, WRI_IF_NULL } wri_narrow;

typedef struct wri_step {
    uint8_t op, mode;
    bool foldable; /* CALL: same arguments, same result: constants and dictionaries can be peeled */
    uint32_t out, sel, sel_out, jump;
    uint32_t arg_count;
    const wr_vec **args; /* registers */
    const wr_expr *expr;
    void *state; /* CALL: what prepare made */
} wri_step;

typedef struct wri_sel {
    const uint32_t *rows; /* NULL: 0..n-1 */
    uint32_t n;
} wri_sel;

typedef struct wri_load {
    uint32_t reg, column;
} wri_load;

struct wr_program {
    wr_arena *arena; /* task */
    const wr_eval_env *env;
    wr_vec **regs; /* one allocation each: addresses are stable while compiling */
    uint32_t reg_count, reg_cap;
    wri_sel *sels;
    uint32_t sel_count;
    WR_LIST(wri_step) steps;
    uint32_t main_end;   /* steps[0..main_end): all expressions */
    uint32_t filter_end; /* steps[main_end..filter_end): the condition as successive selections */
    uint32_t filter_root, filter_sel; /* its first and last selection; 0 = run the main steps */
    WR_LIST(wri_load) loads;
    uint32_t *outs; /* registers */
    uint32_t out_count;
    uint64_t *err_bits; /* room for err_words */
    uint32_t err_words;
};

typedef struct wri_run {
    wr_ctx *ctx;
    wr_program *p;
    uint32_t rows; /* of the batch */
    wr_arena *arena;
    wr_row_errs *errs;
    wr_span span; /* of the expression whose row error is the lowest so far */
} wri_run;

/* compile.c */
wr_status wri_program_build(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, wr_expr *const *exprs,
                            uint32_t n, bool fold, wr_program **out) WR_MUST_USE;
/* run.c */
wr_status wri_run_steps(wri_run *r, uint32_t from, uint32_t to) WR_MUST_USE;
/* run_call.c */
wr_status wri_run_call(wri_run *r, const wri_step *s) WR_MUST_USE;
wr_status wri_run_cast(wri_run *r, const wri_step *s) WR_MUST_USE;
bool wri_reg_init(wr_vec *v, const wr_type *t, uint32_t rows, wr_arena *a);
/* `out` (FLAT, from wri_reg_init) is NULL wherever `v` is, too. */
void wri_merge_nulls(wr_vec *out, const wr_vec *v, uint32_t rows);
/* run_merge.c */
wr_status wri_run_field(wri_run *r, const wri_step *s) WR_MUST_USE;
wr_status wri_run_logic(wri_run *r, const wri_step *s) WR_MUST_USE;
wr_status wri_run_logic_begin(wri_run *r, const wri_step *s) WR_MUST_USE;
wr_status wri_run_merge(wri_run *r, const wri_step *s) WR_MUST_USE;
wr_status wri_run_narrow(wri_run *r, const wri_step *s) WR_MUST_USE;
/* fold.c */
wr_status wri_eval_const(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, const wr_expr *e,
                         wr_value *out) WR_MUST_USE;

#endif
