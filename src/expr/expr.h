/* SPDX-License-Identifier: Apache-2.0 */
/* Functions and expressions: the function table, the expression compiler, constant folding.
 *
 * functions.def lists every function (one row each); lookup, SHOW FUNCTIONS, DESCRIBE FUNCTION, the
 * documentation page and the list of untested functions come from it. A bound expression
 * (spi/function.h) compiles once, in the task's arena, to a flat array of steps over scratch
 * vectors; running it costs one indirect call a step and batch. CASE, AND, OR, COALESCE evaluate
 * their later operands only for the rows that need them. */
#ifndef WR_EXPR_EXPR_H
#define WR_EXPR_EXPR_H

#include "spi/function.h"

/* ---- the function table ---------------------------------------------------------------------- */
const wr_fn *wr_fn_find(wr_str name); /* case-insensitive; NULL = none. Overloads are one wr_fn */
uint32_t wr_fn_count(void);
const wr_fn *wr_fn_at(uint32_t i);
void wr_fn_candidates(wr_ctx *ctx, wr_str name); /* add the nearest names to the error record */
/* May the argument at place `arg` of a call be a NULL without a type? */
bool wr_fn_takes_null(const wr_fn *fn, uint32_t arg);
/* Raise Flink's "No match found for function signature f(<NUMERIC>)" for an unknown name
 * (`signatures` NULL); otherwise the forms that exist follow. */
wr_status wr_fn_no_match(wr_ctx *ctx, wr_arena *a, wr_str name, wr_expr *const *args,
                         uint32_t count, const char *signatures, wr_span span) WR_MUST_USE;

/* ---- making bound expressions (statement arena; NULL/WR_NOMEM out of memory) ----------------- */
wr_expr *wr_expr_literal(wr_arena *a, const wr_value *v, wr_span span);
wr_expr *wr_expr_symbol(wr_arena *a, const char *text, wr_span span);
wr_expr *wr_expr_column(wr_arena *a, uint32_t index, const wr_type *t, wr_span span);
wr_expr *wr_expr_cast(wr_arena *a, wr_expr *e, const wr_type *to, bool try_cast,
                      wr_span span); /* e itself if same type */
/* Resolve and type a call: checks arity, runs fn->resolve, inserts implicit casts. Errors carry
 * Flink's words
 * ("No match found for function signature", "Cannot apply '=' to arguments of type ..."). `name` as
 * written. */
typedef struct wr_call_extra {
    const wr_type *returning;
    const bool *arg_is_json;
} wr_call_extra;
wr_status wr_expr_call(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, const wr_fn *fn,
                       wr_str called_as, wr_expr **args, uint32_t arg_count,
                       const wr_call_extra *extra, wr_span span, wr_expr **out) WR_MUST_USE;
wr_status wr_expr_and(wr_ctx *ctx, wr_arena *a, wr_expr **args, uint32_t n,
                      wr_expr **out) WR_MUST_USE; /* n = 0: TRUE */
wr_status wr_expr_or(wr_ctx *ctx, wr_arena *a, wr_expr **args, uint32_t n,
                     wr_expr **out) WR_MUST_USE;
wr_status wr_expr_not(wr_ctx *ctx, wr_arena *a, wr_expr *e, wr_expr **out) WR_MUST_USE;
/* args: when0, then0, ..., else (NULL pointer = no else). Unifies the result types. */
wr_status wr_expr_case(wr_ctx *ctx, wr_arena *a, wr_expr **args, uint32_t n, wr_span span,
                       wr_expr **out) WR_MUST_USE;
bool wr_expr_equal(const wr_expr *a,
                   const wr_expr *b); /* structural; non-deterministic calls are never equal */
/* Expressions that were seen, for lists of any length. They are borrowed, and stay as they are. */
typedef struct wr_expr_cell {
    uint64_t hash;
    const wr_expr *expr;
} wr_expr_cell;
typedef struct wr_expr_set { /* all zero: empty */
    wr_expr_cell *cells;
    uint32_t count, cap;
} wr_expr_set;
/* *fresh: none that is equal was in it. */
wr_status wr_expr_set_add(wr_ctx *ctx, wr_arena *a, wr_expr_set *s, const wr_expr *e,
                          bool *fresh) WR_MUST_USE;
bool wr_expr_is_constant(const wr_expr *e); /* no columns, deterministic: may be folded */
bool wr_expr_is_deterministic(const wr_expr *e);
/* Without the casts around it that nobody wrote and no plan shows. */
const wr_expr *wr_expr_written(const wr_expr *e);
/* Visit columns: fn(arg, &index) may rewrite (used by rules). */
typedef void (*wr_expr_column_fn)(void *arg, uint32_t *index);
wr_expr *wr_expr_map_columns(wr_arena *a, const wr_expr *e, wr_expr_column_fn fn,
                             void *arg); /* a deep copy */
/* Replace column i by subst[i] (deep copy). */
wr_expr *wr_expr_substitute(wr_arena *a, const wr_expr *e, wr_expr *const *subst);
/* Fold constant sub-expressions with the runtime's own kernels. A constant that fails stays
 * unfolded when it would only fail for some row (inside CASE, AND, OR ...); otherwise its error is
 * raised. */
wr_status wr_expr_fold(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, wr_expr *e,
                       wr_expr **out) WR_MUST_USE;
/* As Flink's optimizer leaves it, for plans: SEARCH for several comparisons of one column, NOT
 * moved inside, what is certain left out. The result may be run too. As a `condition`, UNKNOWN
 * counts as FALSE. Shares what does not change. */
wr_expr *wr_expr_simplify(wr_arena *a, const wr_expr *e, bool condition);
/* The same; out of memory is an error, where the former gives what it has been given. */
wr_status wr_expr_simplified(wr_ctx *ctx, wr_arena *a, const wr_expr *e, bool condition,
                             wr_expr **out) WR_MUST_USE;
/* The same for what is run: `x = x` is not computed (NaN equals itself there, as in Flink), NOT is
 * moved inside, but no comparison is merged with others into SEARCH. */
wr_status wr_expr_plain(wr_ctx *ctx, wr_arena *a, const wr_expr *e, bool condition,
                        wr_expr **out) WR_MUST_USE;
/* Print as Flink's plans do: prefix ">(v, 1)" (physical) or infix "(v > 1)" (execution); columns by
 * `names`, or $i when names is NULL. PLAIN (physical plans of batch) is prefix with the literals of
 * INFIX. */
typedef enum wr_expr_style {
    WR_EXPR_PREFIX,
    WR_EXPR_INFIX,
    WR_EXPR_AST,
    WR_EXPR_PLAIN
} wr_expr_style;
void wr_expr_print(const wr_expr *e, wr_expr_style style, const wr_field *names, wr_text *out);

/* ---- compiling and running ------------------------------------------------------------------- */
typedef struct wr_program wr_program; /* compiled expressions of one operator; task thread only */
wr_status wr_program_compile(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env,
                             wr_expr *const *exprs, uint32_t n, wr_program **out) WR_MUST_USE;
/* Evaluate all expressions over the live rows of `in` (rows in `sel`, or all when NULL; `n`
 * entries). outs[k] is set to a vector aligned with in's rows (other rows undefined): either shared
 * with `in` or in `arena` (lifetime of the output batch). A row error fails with the lowest row's
 * message. */
wr_status wr_program_run(wr_ctx *ctx, wr_program *p, const wr_batch *in, const uint32_t *sel,
                         uint32_t n, wr_arena *arena, wr_vec *outs) WR_MUST_USE;
/* The same with the caller's row errors (not failing). */
wr_status wr_program_run_errs(wr_ctx *ctx, wr_program *p, const wr_batch *in, const uint32_t *sel,
                              uint32_t n, wr_arena *arena, wr_vec *outs,
                              wr_row_errs *errs) WR_MUST_USE;
/* A condition: writes the rows where it is TRUE to sel_out (room for n), count to *count. */
wr_status wr_program_filter(wr_ctx *ctx, wr_program *p, const wr_batch *in, const uint32_t *sel,
                            uint32_t n, wr_arena *arena, uint32_t *sel_out,
                            uint32_t *count) WR_MUST_USE;
void wr_program_close(wr_program *p); /* frees what prepare made outside the arena; NULL is fine */

/* ---- aggregates: see spi/function.h ---------------------------------------------------------- */
/* Resolve an aggregate call over input columns. `agg->ops` and `retract_ops` are set, arg_types are
 * what the arguments must be cast to (the binder projects them). */
wr_status wr_agg_resolve(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, const wr_fn *fn,
                         wr_str called_as, wr_expr *const *args, uint32_t arg_count, bool distinct,
                         bool ignore_nulls, bool grouped, const wr_call_extra *extra, wr_span span,
                         wr_agg_bound *out) WR_MUST_USE;

#endif
