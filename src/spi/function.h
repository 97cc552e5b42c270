/* SPDX-License-Identifier: Apache-2.0 */
/* Functions and bound expressions.
 *
 * A wr_fn is one SQL function: scalar, aggregate or table function. `resolve` decides from the
 * argument types whether the call is valid, which implicit casts the arguments need, the result
 * type and, if wanted, a specialised kernel. A kernel handles a whole batch.
 *
 * Bound expressions (wr_expr) are made by plan/, compiled and run by expr/; they live in the
 * statement arena, immutable. Symbols (units, flags of JSON clauses) are literals of type SYMBOL,
 * their text upper case.
 *
 * Argument conventions of calls with special syntax:
 *   EXTRACT(unit, t)   FLOOR|CEIL(x[, unit])   TIMESTAMPADD(unit, n, t)   TIMESTAMPDIFF(unit, a, b)
 *   TRIM(BOTH|LEADING|TRAILING, chars, s)   SUBSTRING(s, i[, n])   OVERLAY(s, r, i[, n])
 * POSITION(sub, s[, from]) LIKE(s, p[, esc])   "SIMILAR TO"(s, p[, esc])   BETWEEN is rewritten to
 * >= AND <= ; SYMMETRIC likewise IN(x, v1, v2, ...)  (literal or expression list) ITEM(collection,
 * index)   "||"(a, b)
 *   "+" "-" "*" "/" "%" "=" "<>" "<" "<=" ">" ">="   NEGATE(x)   PLUS_PREFIX(x) is dropped by the
 * binder "IS NULL" "IS NOT NULL" "IS TRUE" "IS NOT TRUE" "IS FALSE" "IS NOT FALSE" "IS UNKNOWN" "IS
 * NOT UNKNOWN" "IS DISTINCT FROM" "IS NOT DISTINCT FROM"  "NOT" "IS JSON"(s,
 * VALUE|SCALAR|ARRAY|OBJECT), "IS NOT JSON"(s, ...) ROW(...), ARRAY(...), MAP(k, v, ...),
 * MULTISET(...): value constructors JSON_VALUE(json, path, on_empty NULL|ERROR|DEFAULT,
 * empty_default, on_error NULL|ERROR|DEFAULT, error_default) with wr_fn_bind.returning; absent
 * defaults are NULL literals JSON_QUERY(json, path, wrapper WITHOUT|CONDITIONAL|UNCONDITIONAL,
 * on_empty NULL|EMPTY_ARRAY|EMPTY_OBJECT|ERROR, on_error likewise) with returning JSON_EXISTS(json,
 * path, on_error TRUE|FALSE|UNKNOWN|ERROR) JSON_OBJECT(on_null NULL|ABSENT, k, v, ...)
 * JSON_ARRAY(on_null, v, ...)  an argument that is itself JSON_OBJECT, JSON_ARRAY, JSON(...) or
 * JSON_QUERY is embedded as JSON: flag in wr_fn_bind.arg_is_json JSON_OBJECTAGG(on_null, k, v)
 * JSON_ARRAYAGG(on_null, v)   LISTAGG(x[, sep]) OVERLAPS(a1, a2, b1, b2)
 */
#ifndef WR_SPI_FUNCTION_H
#define WR_SPI_FUNCTION_H

#include "spi/state.h"

typedef struct wr_fn wr_fn;
typedef struct wr_expr wr_expr;
struct wr_rel; /* plan/: logical relation, only in WR_EX_SUBQUERY before decorrelation */
struct wr_fn_call;

/* ---- bound expressions ----------------------------------------------------------------------- */
typedef enum wr_expr_kind {
    WR_EX_LITERAL, /* value */
    WR_EX_COLUMN,  /* column `index` of the input row */
    WR_EX_CALL,    /* fn(args); strict or not as fn says */
    WR_EX_CAST,    /* args[0] to `type`; `flag` = TRY_CAST */
    WR_EX_AND,     /* n-ary, three-valued, short-circuit by row selection */
    WR_EX_OR,
    WR_EX_CASE,     /* args: when0, then0, when1, then1, ..., else */
    WR_EX_COALESCE, /* first non-null of args */
    WR_EX_FIELD,    /* field `index` of the ROW args[0] */
    WR_EX_OUTER,    /* planner only: column `index` of the enclosing query `level` (1 = next) */
    WR_EX_SUBQUERY, /* planner only: see plan/ */
    WR_EX_AGG       /* binder only: reference to aggregate call `index` */
} wr_expr_kind;

struct wr_expr {
    uint8_t kind; /* wr_expr_kind */
    bool flag;    /* CAST: try */
    uint8_t sub;  /* SUBQUERY: plan's sub-kind */
    const wr_type *type;
    wr_span span;
    uint32_t index, level;
    wr_value value;                               /* LITERAL */
    const wr_fn *fn;                              /* CALL */
    void *fn_data;                                /* CALL: what resolve left in wr_fn_bind.data */
    wr_status (*kernel)(struct wr_fn_call *call); /* CALL: chosen kernel */
    struct wr_rel *rel;                           /* SUBQUERY */
    wr_expr **args;
    uint32_t arg_count;
};

/* ---- functions ------------------------------------------------------------------------------- */
typedef enum wr_fn_kind {
    WR_FN_SCALAR,
    WR_FN_AGGREGATE,
    WR_FN_TABLE,
    WR_FN_WINDOW /* ROW_NUMBER, LAG ... */
} wr_fn_kind;

enum {
    WR_FNF_CALLED_ON_NULL =
        1,             /* kernel sees NULL arguments; else result is NULL where any argument is */
    WR_FNF_NONDET = 2, /* another value each call: RAND, UUID */
    WR_FNF_DYNAMIC =
        4, /* constant in a query (batch) or per record (streaming): CURRENT_TIMESTAMP */
    WR_FNF_NO_PARENS = 8, /* may be written without parentheses */
    WR_FNF_HIDDEN = 16,   /* not in SHOW FUNCTIONS (operators, internal) */
    WR_FNF_NO_FOLD = 32   /* never folded at planning */
};

typedef struct wr_fn_bind { /* one call being typed */
    wr_arena *arena;        /* statement */
    const wr_fn *fn;
    wr_str called_as; /* name as written, for messages */
    uint32_t arg_count;
    const wr_type **
        arg_types; /* in: given; out: what each argument must be cast to (same pointer = no cast) */
    const wr_expr *const *args; /* the bound arguments, to look at literals */
    const wr_span *arg_spans;
    wr_span span;
    const wr_type *returning;               /* JSON_VALUE ... RETURNING t; NULL if none */
    const bool *arg_is_json;                /* see above; may be NULL */
    bool distinct, ignore_nulls, has_order; /* aggregates */
    const wr_eval_env *env;
    /* out */
    const wr_type *result;
    wr_status (*kernel)(struct wr_fn_call *call); /* preset to fn->kernel */
    void *data;
} wr_fn_bind;

typedef struct wr_fn_call { /* one batch */
    wr_ctx *ctx;
    const wr_eval_env *env;
    const wr_expr *expr; /* the call: expr->fn_data, expr->type, argument types */
    const wr_vec *const *args;
    uint32_t arg_count;
    const uint32_t *sel; /* rows to compute; NULL = 0..n-1 */
    uint32_t n;          /* entries of sel, or rows */
    uint32_t row_count;  /* rows of the vectors (out has room for that many) */
    wr_vec
        *out; /* FLAT, initialised for expr->type, all valid; strict calls: nulls already merged */
    wr_arena *arena; /* batch lifetime: payload and scratch */
    wr_row_errs *errs;
    void *state; /* what prepare made; task lifetime */
} wr_fn_call;
typedef wr_status (*wr_fn_kernel)(wr_fn_call *call);

#define WR_FOR_CALL(call, row)                                                                     \
    for (uint32_t wr_i_ = 0, row;                                                                  \
         wr_i_ < (call)->n && ((row = (call)->sel ? (call)->sel[wr_i_] : wr_i_), true); wr_i_++)

struct wr_fn {
    const char *name; /* upper case or operator sign */
    uint8_t kind;     /* wr_fn_kind */
    uint32_t flags;
    int32_t min_args, max_args; /* max -1 = any number */
    wr_status (*resolve)(wr_ctx *ctx,
                         wr_fn_bind *b); /* raises with Flink's words; arity is checked before */
    wr_fn_kernel kernel;
    /* Make task-lifetime state from constant arguments (compiled regex, hash set of IN). args[i] is
     * the literal or NULL if not constant. May be NULL. */
    wr_status (*prepare)(wr_ctx *ctx, const wr_expr *call, const wr_eval_env *env, wr_arena *arena,
                         void **state_out);
    const struct wr_agg_ops *(*aggregate)(
        wr_ctx *ctx, const wr_fn_bind *b); /* AGGREGATE: implementation for these types */
    const struct wr_tablefn_ops *table;    /* TABLE */
    const char *category, *signature, *doc;
    const char *const *arg_names; /* for named arguments; NULL if they can't be named */
};

/* ---- aggregates ------------------------------------------------------------------------------ */
/* The accumulator of one aggregate call in one group: `state_bytes` at a fixed offset of the
 * group's record, in place, all zero at first (so that an aggregate which a changed query adds to a
 * restored group begins like any other). What does not fit goes into blobs of the group's state
 * table, or into a map or ordered state that the operator opens when `aux` asks for it (entries
 * addressed by the group's slot; blobs in them belong to that table). */
typedef enum wr_agg_aux {
    WR_AGG_AUX_NONE,
    WR_AGG_AUX_MAP,    /* (slot, encoded value) -> record of aux_bytes */
    WR_AGG_AUX_ORDERED /* (slot, sort key) -> record of aux_bytes, in order */
} wr_agg_aux;

typedef enum wr_agg_keeps { /* what of its arguments' types the bytes of the state depend on */
                            WR_AGG_KEEPS_TYPES,
                            WR_AGG_KEEPS_FAMILIES, /* not the width of integers and of decimals */
                            WR_AGG_KEEPS_COUNTS    /* nothing */
} wr_agg_keeps;

typedef struct wr_agg_call {
    wr_ctx *ctx;
    const wr_eval_env *env;
    const struct wr_agg_bound *agg;
    const wr_vec *const *args;
    uint32_t arg_count;
    const uint32_t *rows; /* input rows, in order of arrival; NULL = 0..n-1 */
    uint32_t n;
    const uint8_t *kind;    /* per input row; NULL = all accumulate; -U and -D retract */
    const uint64_t *mask;   /* per position 0..n: takes part (FILTER, DISTINCT); NULL = all */
    uint8_t *const *recs;   /* per position: the accumulator (record + offset) */
    const uint32_t *slots;  /* per position: the group's slot */
    wr_state_table *table;  /* for blobs */
    wr_state_table *aux;    /* map or ordered state, or NULL */
    wr_arena *arena;        /* scratch and payload, batch lifetime */
    wr_vec *before, *after; /* per position: result before and after the row; NULL = not wanted */
    uint8_t *touched; /* per position: set to 1 by a function whose hidden parts change with the row
                       * even where its result does not; NULL = not wanted */
} wr_agg_call;

typedef struct wr_agg_ops {
    uint32_t abi;
    const char *name;
    bool can_retract; /* without aux */
    uint8_t aux;      /* wr_agg_aux */
    uint32_t aux_bytes;
    uint32_t state_bytes, state_align;
    uint8_t keeps; /* wr_agg_keeps */
    /* Apply rows in order, writing before/after when wanted. */
    wr_status (*update)(wr_agg_call *call);
    /* after[i] = result of recs[i]. */
    wr_status (*result)(wr_agg_call *call);
    /* recs[i] += other[i] (two-phase, parallel hash aggregation); WR_UNSUPPORTED stub when
     * !mergeable */
    bool mergeable;
    wr_status (*merge)(wr_agg_call *call, uint8_t *const *other);
    /* recs[i] -= other[i], which was merged into it: as if it never had been. again[i] becomes 1
     * where that cannot be told from the two. NULL: cannot be done, or not exactly. */
    wr_status (*unmerge)(wr_agg_call *call, uint8_t *const *other, uint8_t *again);
    void (*clear)(
        wr_agg_call *call); /* the groups go away: free blobs and aux entries; may be NULL */
} wr_agg_ops;

typedef struct wr_agg_bound { /* one aggregate call of a plan; arguments are input columns */
    const wr_fn *fn;
    const wr_agg_ops *ops;         /* for insert-only input */
    const wr_agg_ops *retract_ops; /* for input with -U/-D */
    const uint32_t *args;          /* input columns */
    uint32_t arg_count;
    const wr_type **arg_types;
    const wr_type *type; /* result */
    int32_t filter;      /* BOOLEAN input column, -1 = none */
    bool distinct, ignore_nulls;
    void *data;  /* resolve's */
    wr_str name; /* output name */
    wr_span span;
    const wr_sort_key *order; /* WITHIN GROUP; NULL if none */
    uint32_t order_count;
} wr_agg_bound;

/* ---- table functions: UNNEST and the like ---------------------------------------------------- */
typedef struct wr_tablefn_ops {
    uint32_t abi;
    const char *name;
    /* Columns it yields, given its call. */
    wr_status (*schema)(wr_ctx *ctx, wr_fn_bind *b, wr_schema *out);
    /* Expand input row `row`: append up to `room` rows to out (FLAT columns of its schema) starting
     * at *out_rows; continue at *pos (0 at first). Sets *done when the row is finished. */
    wr_status (*expand)(wr_fn_call *call, uint32_t row, uint64_t *pos, wr_vec *out,
                        uint32_t *out_rows, uint32_t room, bool *done);
} wr_tablefn_ops;

#endif
