/* SPDX-License-Identifier: Apache-2.0 */
/* Bound expressions inside expr/: what build, print, fold and compile share. */
#ifndef WR_EXPR_EXPR_INT_H
#define WR_EXPR_EXPR_INT_H

#include "expr/fn_int.h"

/* wr_expr.sub of a CAST: the cast was inserted for a kernel's sake and is not part of what the user
 * or Flink's plan shows. Literals below it keep the type that they were written with. */
#define WRI_CAST_HIDDEN 1

/* wr_expr.index of a numeric LITERAL that was cast: it prints with index - 1 digits behind the
 * point, as it was written (0: as its type says). */
void wri_keep_written_scale(wr_expr *literal, const wr_expr *source);

wr_expr *wri_expr_new(wr_arena *a, wr_expr_kind kind, const wr_type *t, wr_span span);
/* A shallow copy with a copy of the argument array. */
wr_expr *wri_expr_clone(wr_arena *a, const wr_expr *e);
/* Cast for a kernel: hidden or visible as the function says; visible casts of literals that need
 * no session (numbers, strings) are folded at once, as Flink does. */
wr_status wri_coerce(wr_ctx *ctx, wr_arena *a, wr_expr *e, const wr_type *to, bool hidden,
                     wr_expr **out) WR_MUST_USE;
/* One value cast by the runtime's kernel. *ok = false: it can't be cast (no error raised). */
wr_status wri_cast_value(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, const wr_value *v,
                         const wr_type *to, bool try_cast, wr_value *out, bool *ok) WR_MUST_USE;
/* Kernels that the compiler recognises. */
bool wri_is_fn(const wr_expr *e, const char *name);
/* May be evaluated for rows that nobody asked for: cheap and never a row error. */
bool wri_expr_is_total(const wr_expr *e);
uint64_t wri_expr_hash(const wr_expr *e);

/* Functions that become other expressions (NULLIF, COALESCE, OVERLAPS ...): NULL = none. */
typedef wr_status (*wri_rewrite_fn)(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env,
                                    wr_expr **args, uint32_t n, wr_span span, wr_expr **out);
wri_rewrite_fn wri_rewrite_of(const wr_fn *fn);

wr_status wri_call_plain(wr_ctx *ctx, wr_fn_bind *b, wr_expr *const *args,
                         wr_expr **out) WR_MUST_USE;
/* Calls by name, for rewrites. */
wr_status wri_call_named(wr_ctx *ctx, wr_arena *a, const wr_eval_env *env, const char *name,
                         wr_expr **args, uint32_t n, wr_span span, wr_expr **out) WR_MUST_USE;

#endif
