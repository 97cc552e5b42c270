/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the savepoint connector (savepoint_*.c): keyed state of one operator as a table.
 *
 * The tables of an operator form trees: a root (shape value) whose records stand for keys, and
 * below it maps and ordered lists of each key. A SQL table shows one root, one row a key: the key's
 * columns; a column for each part of the root's record; for each map below it a MAP, for each
 * ordered list an ARRAY. What a record is made of says the checkpoint itself. */
#ifndef WR_CONNECTOR_SAVEPOINT_INT_H
#define WR_CONNECTOR_SAVEPOINT_INT_H

#include "connector/connector_int.h"
#include "expr/expr.h"
#include "state/state.h"

/* ---- what there is (savepoint_model.c) ------------------------------------------------------- */
typedef enum wri_part_form {
    WRI_PART_NUMBER,  /* 1, 2, 4 or 8 bytes: BIGINT */
    WRI_PART_COLUMNS, /* a row: ROW */
    WRI_PART_RESULT,  /* an accumulator, shown as the aggregate's result */
    WRI_PART_OPAQUE   /* BYTES: the bytes, then the blobs inside in order */
} wri_part_form;

typedef struct wri_state_field { /* a part of a record */
    wr_str name;
    uint8_t form; /* wri_part_form */
    uint32_t offset, bytes;
    const wr_schema *columns; /* COLUMNS */
    const wr_agg_ops *agg;    /* RESULT */
    const wr_agg_bound *bound;
    const wr_type *type;
} wri_state_field;

typedef struct wri_state_store { /* a table of the operator */
    const wr_state_table_info *info;
    int32_t parent; /* among the model's stores */
    wri_state_field *fields;
    uint32_t field_count;
    const wr_type *type; /* MAP, ARRAY below a root */
} wri_state_store;

typedef struct wri_state_model {
    const wr_ckpt_operator *op;
    wri_state_store *stores; /* parents first; empty: no keyed state */
    uint32_t store_count;
} wri_state_model;

/* By logical id; by name as EXPLAIN shows it; by the beginning of that name, if one operator alone
 * begins so ("GroupAggregate"). An error names what there is. */
wr_status wri_state_find_operator(wr_ctx *ctx, const wr_ckpt_meta *m, wr_str name, wr_arena *a,
                                  const wr_ckpt_operator **out) WR_MUST_USE;
/* 32 hex digits that stand for a logical id. */
wr_str wri_state_uid_hash(wr_arena *a, wr_str logical_id);
wr_status wri_state_model_make(wr_ctx *ctx, wr_arena *a, const wr_ckpt_operator *op,
                               wri_state_model *out) WR_MUST_USE;
/* The root that is called `name`; name empty: the first with a key, else the first with fields. */
wr_status wri_state_root(wr_ctx *ctx, const wri_state_model *m, wr_str name, wr_arena *a,
                         uint32_t *out) WR_MUST_USE;

typedef struct wri_state_ref { /* what a column shows */
    int32_t key;               /* column of the key, or -1 */
    uint32_t store;            /* else: the root and a field of it, or a store below it */
    int32_t field;             /* -1: the store as a whole */
    wr_str name;
    const wr_type *type;
} wri_state_ref;
/* All that can be shown of a root, in order. */
wr_status wri_state_refs(wr_ctx *ctx, const wri_state_model *m, uint32_t root, wr_arena *a,
                         wri_state_ref **out, uint32_t *count) WR_MUST_USE;

/* ---- a table over it (savepoint_bind.c) ------------------------------------------------------ */
extern const wr_option_def wri_savepoint_options[];

typedef struct wri_state_scan { /* statement or task lifetime */
    wr_ckpt_meta *meta;
    wri_state_model model;
    uint32_t root;
    wri_state_ref *refs; /* per physical column of the table */
} wri_state_scan;
/* Loads the savepoint, finds the operator, checks every column and option of the table. */
wr_status wri_state_scan_bind(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
                              wr_arena *a, wri_state_scan *out) WR_MUST_USE;

/* ---- entries (savepoint_group.c, savepoint_value.c) ------------------------------------------ */
typedef struct wri_entry_blob {
    uint32_t offset;
    wr_str bytes;
} wri_entry_blob;

typedef struct wri_entry wri_entry;
struct wri_entry {
    wri_entry *next; /* the next one of the same store and root */
    wr_str key;      /* VALUE: of the root; MAP: sub-key */
    const uint8_t *record;
    const wri_entry_blob *blobs;
    uint32_t blob_count;
};

typedef struct wri_entry_list {
    wri_entry *first, *last;
    uint32_t count;
} wri_entry_list;

typedef struct wri_entry_root { /* a key of the root, and what hangs on it */
    wri_entry entry;
    wri_entry_list *below; /* per store of the model */
} wri_entry_root;

/* The roots of one handle, a key group at a time. */
typedef struct wri_groups {
    const wri_state_scan *scan;
    const bool *wanted; /* per store */
    wr_str only;        /* this key alone, encoded; ptr NULL: all */
    wr_ckpt_scan *entries;
    int32_t *stores; /* per table of the handle: the model's store, -1 = not wanted */
    const wr_state_handle *handle;
    wr_memtrack *budget;
    wr_arena *arena; /* of the group */
    wr_ckpt_entry held;
    bool has_held, end;
    WR_LIST(wri_entry_root *) roots;
    uint32_t *index; /* hash of the keys, by number + 1 */
    uint32_t index_mask;
} wri_groups;
wr_status wri_groups_open(wr_ctx *ctx, const wri_state_scan *scan, const bool *wanted, wr_str only,
                          const wr_state_handle *h, const wr_source_env *env,
                          wri_groups *out) WR_MUST_USE;
/* The next group that has roots; false in *more: there is none. */
wr_status wri_groups_next(wr_ctx *ctx, wri_groups *g, bool *more) WR_MUST_USE;
void wri_groups_close(wri_groups *g);

/* The encoded key that the filters of a scan name, when they say of every column of the key what it
 * equals; else ptr NULL. */
wr_status wri_state_only_key(wr_ctx *ctx, const wri_state_scan *scan, const wr_source_spec *spec,
                             wr_arena *a, wr_str *out) WR_MUST_USE;
/* Fills `columns` (one batch column per wanted reference) from roots[0..n). */
wr_status wri_state_fill(wr_ctx *ctx, const wri_state_scan *scan, const wr_eval_env *eval,
                         wri_entry_root *const *roots, uint32_t n, const wri_state_ref *ref,
                         wr_vec *out, wr_arena *a) WR_MUST_USE;
/* The columns of the key, decoded into vecs[0..key columns), each initialised here. */
wr_status wri_state_fill_keys(wr_ctx *ctx, const wri_state_scan *scan, wri_entry_root *const *roots,
                              uint32_t n, wr_vec *vecs, wr_arena *a) WR_MUST_USE;

#endif
