/* SPDX-License-Identifier: Apache-2.0 */
/* What a file of functions needs: the function table's declarations, accessors for kernels,
 * helpers for resolve. Private to expr/.
 *
 * Adding a function is one row in fn_<topic>.def and one kernel in fn_<topic>.c (see README.md).
 * The rows of all .def files are turned into declarations at the end of this header, so a kernel
 * needs no prototype of its own.
 *
 * A kernel: for (each row of the call) read arguments through views, write to call->out.
 *   strict functions (no WR_FNF_CALLED_ON_NULL): out is already NULL where an argument is; skip
 *   those rows with wri_skip(). Row errors go to wr_row_err(call->errs, row, ...) and only for rows
 *   that the call asks for (WR_FOR_CALL gives no others). Memory comes from call->arena only.
 */
#ifndef WR_EXPR_FN_INT_H
#define WR_EXPR_FN_INT_H

#include "expr/expr.h"

/* ---- flags of expr/ only, above those of spi/function.h -------------------------------------- */
enum {
    WRI_NEW = 1 << 16,     /* errors in the style "Invalid function call:\nF(INT, STRING NOT NULL)";
                              otherwise "Cannot apply 'F' to arguments of type 'F(<INTEGER>)'..." */
    WRI_INFIX = 1 << 17,   /* printed between its operands: a + b */
    WRI_POSTFIX = 1 << 18, /* printed after its operand: a IS NULL */
    WRI_COMMUTES = 1 << 19,   /* f(a, b) = f(b, a), for common sub-expressions */
    WRI_SHOW_CASTS = 1 << 21, /* implicit casts of its arguments show in plans */
    WRI_TOTAL = 1 << 22,   /* cheap and never a row error: may run for rows that nobody asked for */
    WRI_OWN_OUT = 1 << 23, /* the kernel makes `out` itself and merges NULLs (a kernel of vec/) */
    WRI_NO_DICT = 1 << 20  /* never evaluated on a dictionary (looks at row numbers) */
};

/* ---- accessors for kernels: arguments -------------------------------------------------------- */
/* Skip this row? Strict calls: an argument is NULL. */
WR_ALWAYS_INLINE bool
wri_skip(const wr_fn_call *call, uint32_t row)
{
    return call->out->has_nulls && !wr_bit_get(call->out->validity, row);
}
WR_ALWAYS_INLINE wr_view
wri_view(const wr_fn_call *call, uint32_t i)
{
    return wr_vec_view(call->args[i]);
}
WR_ALWAYS_INLINE bool
wri_arg_null(const wr_fn_call *call, uint32_t i, uint32_t row)
{
    return wr_vec_is_null(call->args[i], row);
}
/* An integer-like entry of any layout (BOOL, I8..I64) widened. `phys` of the vector. */
WR_ALWAYS_INLINE int64_t
wri_int(const wr_view *w, uint8_t phys, uint32_t row)
{
    uint32_t at = wr_view_at(w, row);
    switch (phys) {
    case WR_PHYS_BOOL:
        return ((const uint8_t *)w->data)[at];
    case WR_PHYS_I8:
        return ((const int8_t *)w->data)[at];
    case WR_PHYS_I16:
        return ((const int16_t *)w->data)[at];
    case WR_PHYS_I32:
        return ((const int32_t *)w->data)[at];
    default:
        return ((const int64_t *)w->data)[at];
    }
}
/* The unscaled value of a DECIMAL entry, or an integer, of any layout. */
WR_ALWAYS_INLINE wr_i128
wri_dec(const wr_view *w, uint8_t phys, uint32_t row)
{
    if (phys == WR_PHYS_I128) return WR_VIEW(w, wr_i128, row);
    return wri_int(w, phys, row);
}
/* A TIMESTAMP(_LTZ) entry of either layout. */
WR_ALWAYS_INLINE wr_ts
wri_ts(const wr_view *w, uint8_t phys, uint32_t row)
{
    if (phys == WR_PHYS_TS) return WR_VIEW(w, wr_ts, row);
    return (wr_ts){WR_VIEW(w, int64_t, row), 0, 0};
}
/* A number of any layout as double; `scale` of the DECIMAL type (0 otherwise). */
double wri_double(const wr_view *w, const wr_type *t, uint32_t row);
/* The elements of an ARRAY or MAP entry: rows off..off+len of child vector(s). */
WR_ALWAYS_INLINE wr_list
wri_list(const wr_view *w, uint32_t row)
{
    return WR_VIEW(w, wr_list, row);
}
/* The literal text of argument i, when it is a constant and not NULL. For prepare and resolve. */
bool wri_const_str(const wr_expr *call, uint32_t i, wr_str *out);
bool wri_const_int(const wr_expr *call, uint32_t i, int64_t *out);
bool wri_lit_str(const wr_expr *arg, wr_str *out);
bool wri_lit_int(const wr_expr *arg, int64_t *out);
bool wri_lit_null(const wr_expr *arg);
/* The unit symbol of argument i ("DAY"); WR_UNIT_NONE if it is none. SQL_TSI_ prefixes accepted. */
wr_unit wri_unit_of(const wr_expr *arg);
/* An error: argument i is no unit, or none that the function knows. */
wr_status wri_refuse_unit(wr_ctx *ctx, const wr_fn_bind *b, uint32_t i) WR_MUST_USE;

/* ---- accessors for kernels: results ---------------------------------------------------------- */
#define wri_put_str      wri_result_put_str /* other rooms have private functions of these names */
#define wri_put_list     wri_result_put_list
#define WRI_OUT(call, T) ((T *)(call)->out->data)
WR_ALWAYS_INLINE void
wri_null(wr_fn_call *call, uint32_t row)
{
    wr_vec_set_null(call->out, row, call->arena);
}
/* A string result: copied; or borrowed from an argument, a constant or call->arena. */
WR_ALWAYS_INLINE void
wri_put_ref(wr_fn_call *call, uint32_t row, const char *p, size_t len)
{
    ((wr_strv *)call->out->data)[row] = wr_strv_make(p, (uint32_t)len);
}
wr_status wri_put_str(wr_fn_call *call, uint32_t row, const char *p, size_t len) WR_MUST_USE;
/* Room for `len` result bytes, batch lifetime; write there, then wri_put_ref. NULL: out of memory
 * (raised): return WR_NOMEM. */
char *wri_room(wr_fn_call *call, size_t len) WR_MUST_USE;
/* A DECIMAL result (unscaled value that fits the type). */
WR_ALWAYS_INLINE void
wri_put_dec(wr_fn_call *call, uint32_t row, wr_i128 v)
{
    if (call->out->phys == WR_PHYS_I128)
        ((wr_i128 *)call->out->data)[row] = v;
    else
        ((int64_t *)call->out->data)[row] = (int64_t)v;
}
WR_ALWAYS_INLINE void
wri_put_ts(wr_fn_call *call, uint32_t row, wr_ts v)
{
    if (call->out->phys == WR_PHYS_TS)
        ((wr_ts *)call->out->data)[row] = v;
    else
        ((int64_t *)call->out->data)[row] = v.ms;
}
/* An integer result of any layout (wraps). */
WR_ALWAYS_INLINE void
wri_put_int(wr_fn_call *call, uint32_t row, int64_t v)
{
    switch (call->out->phys) {
    case WR_PHYS_BOOL:
        WRI_OUT(call, uint8_t)[row] = v != 0;
        break;
    case WR_PHYS_I8:
        WRI_OUT(call, int8_t)[row] = (int8_t)v;
        break;
    case WR_PHYS_I16:
        WRI_OUT(call, int16_t)[row] = (int16_t)v;
        break;
    case WR_PHYS_I32:
        WRI_OUT(call, int32_t)[row] = (int32_t)v;
        break;
    default:
        WRI_OUT(call, int64_t)[row] = v;
        break;
    }
}
/* Reserve `n` child entries for an ARRAY/MAP result and set the entry; first child row in *off.
 * Fill call->out->child[0] (and [1]) at off..off+n, with wr_vec_copy_entry or directly. */
wr_status wri_put_list(wr_fn_call *call, uint32_t row, uint32_t n, uint32_t *off) WR_MUST_USE;
#define WRI_NOMEM(call) wr_raise((call)->ctx, WR_NOMEM, "out of memory")

/* ---- resolving ---- The specification of a row, used by wri_r_spec: argument classes, " : ", the
 * result. classes   S string (CHAR, VARCHAR)        B binary              X string or binary I
 * integer up to INT, cast to INT    L any integer, cast to BIGINT    G any integer, as is N number,
 * as is                 D number, cast to DOUBLE    E exact number, as is O boolean T timestamp
 * (either kind), as is   d DATE or timestamp   t DATE, TIME or timestamp    V interval A array    M
 * map     U multiset    R row    W variant K bitmap     C comparable, as is    Y symbol    *
 * anything, as is s = S, but the argument is cast to STRING (padding of CHAR kept) z = anything,
 * cast to STRING when it is no string suffixes  ? this and all later ones are optional + this last
 * one repeats result    S STRING  B BYTES  O BOOLEAN  I INT  L BIGINT  D DOUBLE  0..9 the type of
 * that argument d DATE  A ARRAY<STRING>  M MAP<STRING,STRING>  W VARIANT  K BITMAP e0 the element
 * type of argument 0 (nullable) then      nothing: nullable when an argument is; ? always nullable;
 * ! never nullable Example: "S S I? : S". NULL literals fit every class. */
wr_status wri_r_spec(wr_ctx *ctx, wr_fn_bind *b) WR_MUST_USE;

bool wri_any_nullable(const wr_fn_bind *b);
/* Ask that argument i be cast to `t` (its own nullability kept). */
wr_status wri_cast_arg(wr_ctx *ctx, wr_fn_bind *b, uint32_t i, const wr_type *t) WR_MUST_USE;
wr_status wri_cast_arg_id(wr_ctx *ctx, wr_fn_bind *b, uint32_t i, wr_type_id id) WR_MUST_USE;
/* Set the result: nullable when an argument is. */
wr_status wri_result(wr_ctx *ctx, wr_fn_bind *b, const wr_type *t) WR_MUST_USE;
wr_status wri_result_null(wr_ctx *ctx, wr_fn_bind *b, const wr_type *t, bool nullable) WR_MUST_USE;
wr_status wri_result_id(wr_ctx *ctx, wr_fn_bind *b, wr_type_id id) WR_MUST_USE;
/* Cast arguments from..to (exclusive) to their common type; raises when there is none. */
wr_status wri_unify(wr_ctx *ctx, wr_fn_bind *b, uint32_t from, uint32_t to,
                    const wr_type **common) WR_MUST_USE;
/* Common type without raising (NULL: none); comparison rules are in compare_int.h. */
const wr_type *wri_common(wr_fn_bind *b, uint32_t from, uint32_t to);

/* Flink's refusals; all return the status they raise.
 * "Cannot apply 'F' to arguments of type 'F(<INTEGER>)'. Supported form(s): 'F(<CHARACTER>)'"
 * `forms`: one per line, NULL = fn->signature. */
wr_status wri_refuse(wr_ctx *ctx, const wr_fn_bind *b, const char *forms) WR_MUST_USE;
/* "No match found for function signature F(<NUMERIC>, <CHARACTER>)" */
wr_status wri_no_match(wr_ctx *ctx, const wr_fn_bind *b) WR_MUST_USE;
/* "Invalid function call:\nF(INT NOT NULL, STRING)"; `why` is added as hint (NULL = signature). */
wr_status wri_invalid_call(wr_ctx *ctx, const wr_fn_bind *b, const char *why) WR_MUST_USE;
/* "Unsupported call: F(INT NOT NULL)": what Flink accepts and then has no code for */
wr_status wri_unsupported_call(wr_ctx *ctx, const wr_fn_bind *b) WR_MUST_USE;
/* wri_invalid_call or wri_refuse as the row's WRI_NEW says */
wr_status wri_refuse_style(wr_ctx *ctx, const wr_fn_bind *b) WR_MUST_USE;
/* The position of argument i, or of the call. */
wr_span wri_arg_span(const wr_fn_bind *b, uint32_t i);
/* The spec column of a function's row. */
const char *wri_fn_spec(const wr_fn *fn);

/* ---- declarations of everything that the rows name ------------------------------------------- */
#define F(name, flags, min, max, resolve, kernel, spec, category, signature, doc)                  \
    wr_status resolve(wr_ctx *ctx, wr_fn_bind *b);                                                 \
    wr_status kernel(wr_fn_call *call);
#define P(name, flags, min, max, resolve, kernel, prepare, spec, category, signature, doc)         \
    F(name, flags, min, max, resolve, kernel, spec, category, signature, doc)                      \
    wr_status prepare(wr_ctx *ctx, const wr_expr *call, const wr_eval_env *env, wr_arena *arena,   \
                      void **state_out);
#define A(name, flags, min, max, resolve, aggregate, spec, category, signature, doc)               \
    wr_status resolve(wr_ctx *ctx, wr_fn_bind *b);                                                 \
    const struct wr_agg_ops *aggregate(wr_ctx *ctx, const wr_fn_bind *b);
#define T(name, flags, min, max, resolve, ops, spec, category, signature, doc)                     \
    wr_status resolve(wr_ctx *ctx, wr_fn_bind *b);                                                 \
    extern const wr_tablefn_ops ops;
#define W(name, flags, min, max, resolve, spec, category, signature, doc)                          \
    wr_status resolve(wr_ctx *ctx, wr_fn_bind *b);
#include "expr/functions.def"
#undef F
#undef P
#undef A
#undef T
#undef W

/* In fn_json_build.c: the argument must be of a type that JSON can show. */
wr_status wri_check_json_able(wr_ctx *ctx, wr_fn_bind *b, uint32_t i) WR_MUST_USE;

#endif
