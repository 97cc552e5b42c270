/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors, batches, views, builders, selection: data as it moves through weir.
 *
 * A batch is columns of rows plus an optional row-kind array and an optional selection. Ownership
 * is by *batch*: a batch owns one arena; every array and string of its vectors lies in that arena,
 * or in the arena of a batch it keeps (wr_batch_keep), or in memory that outlives the task
 * (constants of the plan, state pinned for the call). So passing a column on costs a struct copy
 * and at most one reference. Batches are refcounted (any thread may release) and go back to the
 * pool of the task that made them; in the steady state nothing is malloc'ed.
 *
 * A batch may be changed only by the one who acquired it from a pool, and only before he passes it
 * on.
 */
#ifndef WR_VEC_VEC_H
#define WR_VEC_VEC_H

#include "types/types.h"

typedef enum wr_vec_form {
    WR_FORM_FLAT,  /* data[row] */
    WR_FORM_CONST, /* data[0] for every row; validity bit 0 */
    WR_FORM_DICT   /* data[dict[row]], validity of dict[row] */
} wr_vec_form;

typedef struct wr_vec wr_vec;
struct wr_vec {
    const wr_type *type; /* borrowed from the plan */
    uint8_t form;        /* wr_vec_form */
    uint8_t phys;        /* wr_phys */
    bool has_nulls;      /* false: validity is not read (may be NULL) */
    uint32_t
        len; /* entries in data (CONST 1, DICT: dictionary size, children: their own row count) */
    uint32_t cap; /* entries that data and validity have room for (builders) */
    void *data;
    uint64_t *validity;   /* LSB bitmap, 1 = valid; see has_nulls */
    const uint32_t *dict; /* DICT only */
    wr_vec *child;        /* LIST 1, MAP 2, ROW field_count; each FLAT, CONST or DICT */
    uint32_t child_count;
};

typedef struct wr_batch_pool wr_batch_pool;
typedef struct wr_batch wr_batch;
struct wr_batch {
    wr_vec *cols;
    uint32_t col_count, row_count; /* rows in the columns, selected or not */
    const uint8_t *kind;           /* wr_kind per row; NULL = all +I */
    const uint32_t *sel;           /* live rows, ascending; NULL = all rows */
    uint32_t sel_count;
    wr_arena *arena; /* payload of this batch */
    wr_ref refs;
    wr_batch **kept; /* batches kept alive */
    uint32_t kept_count, kept_cap;
    wr_batch_pool *pool;
    wr_free_node free_node;
};

WR_ALWAYS_INLINE uint32_t
wr_batch_live(const wr_batch *b)
{
    return b->sel ? b->sel_count : b->row_count;
}
WR_ALWAYS_INLINE uint32_t
wr_batch_row(const wr_batch *b, uint32_t i) /* i-th live row -> row index */
{
    return b->sel ? b->sel[i] : i;
}
WR_ALWAYS_INLINE wr_kind
wr_batch_kind(const wr_batch *b, uint32_t row)
{
    return b->kind ? (wr_kind)b->kind[row] : WR_INSERT;
}
/* for (each live row index `row` of b) */
#define WR_FOR_ROWS(b, row)                                                                        \
    for (uint32_t wr_i_ = 0, row;                                                                  \
         wr_i_ < wr_batch_live(b) && ((row = wr_batch_row((b), wr_i_)), true); wr_i_++)

/* ---- pools and batches ----------------------------------------------------------------------- */
/* A pool belongs to one task (acquire from that thread only); release is thread-safe. Destroying a
 * pool waits for nothing: batches still out are destroyed when released. */
wr_batch_pool *wr_batch_pool_create(wr_memtrack *budget) WR_MUST_USE;
void wr_batch_pool_destroy(wr_batch_pool *p);
/* An empty batch with `col_count` zeroed columns and one reference. NULL past the budget. */
wr_batch *wr_batch_acquire(wr_batch_pool *p, uint32_t col_count) WR_MUST_USE;
void wr_batch_ref(wr_batch *b);     /* one more reference */
void wr_batch_release(wr_batch *b); /* NULL is fine; thread: any */
/* Keep `parent` (its columns are used by `b`) until b dies. */
bool wr_batch_keep(wr_batch *b, wr_batch *parent) WR_MUST_USE;
/* Make every column FLAT for `schema` with room for `rows` (wr_vec_init_flat each). */
bool wr_batch_init_flat(wr_batch *b, const wr_schema *schema, uint32_t rows) WR_MUST_USE;
/* Room for a kind array, filled with +I; sets b->kind. */
uint8_t *wr_batch_kinds(wr_batch *b, uint32_t rows) WR_MUST_USE;
/* A new batch holding the live rows of `b` densely (columns FLAT, strings shared, b kept). */
wr_batch *wr_batch_compact(wr_batch_pool *p, wr_batch *b) WR_MUST_USE;

/* ---- vectors --------------------------------------------------------------------------------- */
/* Zeroed FLAT vector with room for `cap` rows and len = cap, all valid, children included (ROW
 * fields with `cap`, LIST/MAP children empty with small room, growing by wr_vec_child_reserve). */
bool wr_vec_init_flat(wr_vec *v, const wr_type *t, uint32_t cap, wr_arena *a) WR_MUST_USE;
bool wr_vec_init_const(wr_vec *v, const wr_value *value, wr_arena *a) WR_MUST_USE;
bool wr_vec_reserve(wr_vec *v, uint32_t cap,
                    wr_arena *a) WR_MUST_USE; /* grow data and validity (copies) */
/* Reserve `n` more entries in the children of a LIST or MAP vector; returns the first new child row
 * in *off. */
bool wr_vec_child_reserve(wr_vec *v, uint32_t n, wr_arena *a, uint32_t *off) WR_MUST_USE;
/* Allocates validity when there is none (never for a vector of wr_vec_init_flat). */
bool wr_vec_set_null(wr_vec *v, uint32_t row, wr_arena *a);
bool wr_vec_ensure_validity(wr_vec *v, wr_arena *a)
    WR_MUST_USE; /* all-valid bitmap for `cap` rows if none yet */
/* Store a string (copied into the arena if longer than 12 bytes). */
bool wr_vec_set_str(wr_vec *v, uint32_t row, const char *p, uint32_t len, wr_arena *a) WR_MUST_USE;
/* Gather: out[i] = v[rows[i]]. `out` is made (FLAT, whatever it was before); nested values are
 * deep-copied structurally, string bytes shared. */
bool wr_vec_gather(wr_vec *out, const wr_vec *v, const uint32_t *rows, uint32_t n,
                   wr_arena *a) WR_MUST_USE;
/* The same, but the elements of arrays and maps are shared with v, which must outlive `out`: rows
 * that are repeated many times cost nothing. */
bool wr_vec_gather_shared(wr_vec *out, const wr_vec *v, const uint32_t *rows, uint32_t n,
                          wr_arena *a) WR_MUST_USE;
/* Append entry src[row] as dst[dst_row] (same type), strings deep-copied into `a`. */
bool wr_vec_copy_entry(wr_vec *dst, uint32_t dst_row, const wr_vec *src, uint32_t row,
                       wr_arena *a) WR_MUST_USE;
/* The index of a row in data (resolves CONST and DICT). */
WR_ALWAYS_INLINE uint32_t
wr_vec_index(const wr_vec *v, uint32_t row)
{
    return v->form == WR_FORM_FLAT ? row : v->form == WR_FORM_CONST ? 0 : v->dict[row];
}
WR_ALWAYS_INLINE bool
wr_vec_is_null(const wr_vec *v, uint32_t row)
{
    return v->phys == WR_PHYS_NONE ||
           (v->has_nulls && !wr_bit_get(v->validity, wr_vec_index(v, row)));
}
/* Boxed access, slow path: strings are borrowed from the vector; nested values allocate in `a`. */
bool wr_vec_get(const wr_vec *v, uint32_t row, wr_arena *a, wr_value *out) WR_MUST_USE;
bool wr_vec_put(wr_vec *v, uint32_t row, const wr_value *value,
                wr_arena *a) WR_MUST_USE; /* strings copied */
/* Equality of two entries of the same type, NULL = NULL true; for arrays, rows, maps structural. */
bool wr_vec_entry_eq(const wr_vec *a, uint32_t ra, const wr_vec *b, uint32_t rb);
/* The same as peers of an order: 0.0 and -0.0 are equal too. */
bool wr_vec_entry_peer(const wr_vec *a, uint32_t ra, const wr_vec *b, uint32_t rb);
/* Order of two entries (orderable types), NULL smallest, NaN largest: <0 0 >0. */
int wr_vec_entry_cmp(const wr_vec *a, uint32_t ra, const wr_vec *b, uint32_t rb);
/* The same, 0.0 and -0.0 being equal. */
int wr_vec_entry_order(const wr_vec *a, uint32_t ra, const wr_vec *b, uint32_t rb);
uint64_t wr_vec_entry_hash(const wr_vec *v, uint32_t row, uint64_t seed);

/* ---- views: one loop for every form ---------------------------------------------------------- */
typedef struct wr_view {
    const void *data;
    const uint64_t *validity; /* NULL = no nulls */
    const uint32_t *idx;      /* DICT: row -> entry */
    uint32_t step;            /* 1 FLAT, 0 CONST (idx NULL) */
} wr_view;
wr_view wr_vec_view(const wr_vec *v);
WR_ALWAYS_INLINE uint32_t
wr_view_at(const wr_view *w, uint32_t row)
{
    return w->idx ? w->idx[row] : row * w->step;
}
WR_ALWAYS_INLINE bool
wr_view_valid(const wr_view *w, uint32_t row)
{
    return !w->validity || wr_bit_get(w->validity, wr_view_at(w, row));
}
#define WR_VIEW(w, T, row) (((const T *)(w)->data)[wr_view_at((w), (row))])
WR_ALWAYS_INLINE wr_str
wr_view_str(const wr_view *w, uint32_t row) /* the bytes of a STR row; borrowed from the vector */
{
    return wr_strv_str(&((const wr_strv *)w->data)[wr_view_at(w, row)]);
}

/* ---- row errors: kernels do not unwind, they mark rows --------------------------------------- */
typedef struct wr_row_errs {
    uint64_t *bits; /* rows in error; NULL = nobody is interested: kernel yields NULL for the row
                       (TRY_CAST) */
    bool any;
    uint32_t first_row; /* lowest marked row */
    wr_status first_status;
    char first_message[512]; /* text for the lowest marked row */
} wr_row_errs;
/* Mark `row`; the text of the lowest row is kept. */
void wr_row_err(wr_row_errs *e, uint32_t row, wr_status status, const char *fmt, ...)
    WR_PRINTF(4, 5);

/* ---- hashes of key columns (vectorised; NULL hashes alike; equal values hash alike whatever the
 * form) */
#define WR_HASH_SEED                                                                               \
    0x9e3779b97f4a7c15ull /* each row's hash before the first column is mixed in                   \
                           */
/* hash[i] for the i-th live row of b over the columns cols[0..n). */
void wr_batch_hash(const wr_batch *b, const uint32_t *cols, uint32_t n, uint64_t *hash);

#define WR_ROW_ENCODING_VERSION     1 /* written once by whoever stores encoded rows */
#define WR_SORTKEY_ENCODING_VERSION 1
/* ---- row encoding v1: equality by memcmp, decodable; specified in vec/README.md -------------- */
typedef struct wr_bytes { /* n encoded rows back to back */
    uint8_t *data;
    uint32_t *off; /* n + 1 offsets */
    uint32_t n;
} wr_bytes;
/* Encode columns cols[0..n) of every live row into `a`. NULL = NULL, NaN = NaN, and 0.0 and -0.0
 * differ (as Java). */
bool wr_row_encode(const wr_batch *b, const uint32_t *cols, uint32_t n, wr_arena *a,
                   wr_bytes *out) WR_MUST_USE;
bool wr_row_encode_one(const wr_batch *b, const uint32_t *cols, uint32_t n, uint32_t row,
                       wr_text *out);
/* Decode one row into row `row` of vecs[0..n) (FLAT, room there); strings are copied into `a` when
 * `copy`, else they point into the encoded bytes. WR_CORRUPT on malformed bytes: every length is
 * checked. */
wr_status wr_row_decode(wr_ctx *ctx, const uint8_t *p, size_t len, wr_vec *vecs, uint32_t n,
                        uint32_t row, bool copy, wr_arena *a) WR_MUST_USE;

/* ---- sort-key encoding v1: order by memcmp; specified in vec/README.md ----------------------- */
typedef struct wr_sort_key {
    uint32_t col;
    bool desc, nulls_last;
    bool one_zero; /* 0.0 and -0.0 are peers; else -0.0 comes before 0.0 */
} wr_sort_key;
bool wr_sortkey_encode(const wr_batch *b, const wr_sort_key *keys, uint32_t n, wr_arena *a,
                       wr_bytes *out) WR_MUST_USE;

/* ---- kernels: built once per ISA level, chosen at start -------------------------------------- */
typedef enum wr_binop { WR_OP_ADD, WR_OP_SUB, WR_OP_MUL, WR_OP_DIV, WR_OP_MOD } wr_binop;
typedef enum wr_cmpop { WR_CMP_EQ, WR_CMP_NE, WR_CMP_LT, WR_CMP_LE, WR_CMP_GT, WR_CMP_GE } wr_cmpop;
/* In all of these `sel` holds the n rows that matter, ascending, or is NULL for rows 0..n). `out`
 * is made (FLAT, whatever it was before) with room up to the last of them; other rows are
 * undefined.
 *
 * a op b for operands of one layout, or of DECIMAL and integer types in any mixture. Set out->type
 * first: the result type. A row of out is NULL where a or b is, and where a DECIMAL overflows. DIV
 * and MOD of integers and DECIMALs by zero mark the row ("/ by zero", "Division by zero"); with
 * errs == NULL it becomes NULL. */
wr_status wr_kernel_arith(wr_ctx *ctx, wr_binop op, const wr_vec *a, const wr_vec *b,
                          const uint32_t *sel, uint32_t n, wr_vec *out, wr_arena *arena,
                          wr_row_errs *errs) WR_MUST_USE;
/* a op b as BOOLEAN, a and b of one type but for DECIMAL scales; floats by IEEE 754 (NaN equals
 * nothing). EQ and NE for every comparable type, the others for orderable ones. */
wr_status wr_kernel_compare(wr_ctx *ctx, wr_cmpop op, const wr_vec *a, const wr_vec *b,
                            const uint32_t *sel, uint32_t n, wr_vec *out,
                            wr_arena *arena) WR_MUST_USE;
/* Rows of sel (or 0..n) where the BOOLEAN vector is TRUE, to sel_out (room for n; may be sel
 * itself); returns their count. */
uint32_t wr_kernel_select(const wr_vec *cond, const uint32_t *sel, uint32_t n, uint32_t *sel_out);

#endif
