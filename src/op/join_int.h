/* SPDX-License-Identifier: Apache-2.0 */
/* The streaming regular join: what its files share.
 *
 * One value table of join keys; per side a map (key slot, sub-key) -> record. A side that has a
 * unique key uses it as sub-key (none at all if the join key contains it) and keeps the row as a
 * blob; a side without keeps the whole encoded row as sub-key and counts its copies. A side whose
 * rows may be padded with NULLs (or, for semi and anti joins, the left side) also counts the
 * matches of each record. */
#ifndef WR_OP_JOIN_INT_H
#define WR_OP_JOIN_INT_H

#include "op/op_int.h"

typedef struct wri_join_record {
    uint32_t copies;  /* without unique key: how often this row is there; with one: 1 */
    uint32_t matches; /* of a multi-way join: its number among the arrivals of the key's records */
    uint32_t order;   /* see join_order.c */
    uint32_t has_order;
    wr_blob row; /* with a unique key; without one records end before it */
} wri_join_record;

typedef struct wri_join_key { /* record of a join key */
    uint32_t listed;          /* serial of the batch that listed it for removal */
    uint8_t table[2];         /* per side: log2 of the hash table that Flink would have; 0 = none */
    uint16_t pad;
    uint32_t size[2]; /* per side: records */
} wri_join_key;

typedef struct wri_join_side {
    const wr_schema *schema;
    wri_keyspec key;    /* join key */
    wri_keyspec unique; /* sub-key, when has_unique */
    bool has_unique;
    bool outer;   /* padded when unmatched */
    bool counted; /* records count matches */
    bool upserts; /* +U comes without -U */
    uint32_t *all_cols;
    bool ordered; /* its records can be put into Flink's order */
    bool nested;  /* which is by order_key and sub-key, a row each */
    const uint32_t *order_key;
    uint32_t order_key_count;
    wr_state_table *rows;
} wri_join_side;

typedef struct wri_join_pair { /* an input row and a record of the other side */
    uint32_t row;              /* i-th live row of the input batch */
    uint32_t len;
    const uint8_t *bytes; /* the record's row, encoded */
    wri_join_record *rec;
    uint32_t copies;
    uint32_t order; /* see join_order.c */
    uint32_t seq;   /* which comes first where that is the same; all 0: as they are */
    uint32_t at;    /* the record's row in `found` */
    bool passes;
} wri_join_pair;

typedef struct wri_join_change { /* a row to come out; WRI_NO_ROW: NULLs on that side */
    uint32_t row, pair;
    uint8_t kind;
} wri_join_change;

typedef struct wri_join_op {
    wr_op op;
    uint8_t type; /* wr_join_type */
    wri_join_side side[2];
    wr_state_table *keys;
    wr_program *cond;
    wr_arena *scratch; /* for the input batch */
    wr_arena *range;   /* for the rows whose changes are coming out */
    uint32_t serial;
    /* the input batch */
    wr_batch *in;
    uint32_t from; /* its side */
    uint32_t n, at;
    uint32_t *slots;
    wr_bytes rows;
    uint32_t *match_count; /* per row */
    bool *replaces;        /* per row: takes the place of a record that is there, whose matches are
                              counted already; NULL: none does */
    /* the present range */
    wri_join_pair *pairs;
    uint32_t pair_count, pair_cap;
    wr_batch *found; /* the records of the pairs, each once; NULL: they are decoded when needed */
    wri_join_change *changes;
    uint32_t change_count, change_cap, change_at;
} wri_join_op;

/* join_state.c */
typedef struct wri_join_input { /* a side to be opened */
    const wr_pnode *node;
    const uint32_t *keys, *unique; /* join key and unique key, in columns of the node */
    uint32_t key_count, unique_count;
    bool key_contains_unique;
    int64_t ttl_ms;
    const char *name; /* of its table */
} wri_join_input;
/* A side and the table of its rows, below the records of join keys. */
wr_status wri_join_side_open(wr_ctx *ctx, wr_op *op, const wri_join_input *in, wr_state_table *keys,
                             wri_join_side *s) WR_MUST_USE;
/* Sub-keys of the live rows of a side's batch, whose encodings are `rows`. */
wr_status wri_join_subkeys(wr_ctx *ctx, const wri_join_side *s, const wr_batch *in,
                           const wr_bytes *rows, wr_arena *arena, wr_keys *out) WR_MUST_USE;
/* Has some live row a NULL there? */
bool wri_join_has_null(const wr_batch *b, const wr_vec *v);
wr_status wri_join_state_open(wr_ctx *ctx, wri_join_op *j) WR_MUST_USE;
/* Keys to slots (WR_SLOT_NONE: matches nothing) and encoded rows of the input batch. */
wr_status wri_join_prepare(wr_ctx *ctx, wri_join_op *j) WR_MUST_USE;
/* The input rows enter or leave their side's state. */
wr_status wri_join_remember(wr_ctx *ctx, wri_join_op *j) WR_MUST_USE;
/* Collect pairs from row j->at on until there are enough; *end = the row after the last. */
wr_status wri_join_pairs(wr_ctx *ctx, wri_join_op *j, uint32_t *end) WR_MUST_USE;

/* Decode the records of the pairs: neighbours in time often meet the same ones. */
wr_status wri_join_decode(wr_ctx *ctx, wri_join_op *j) WR_MUST_USE;

/* join.c */
/* Take a batch of one side (moved) and list its first changes; go on until all are out. */
wr_status wri_join_begin(wr_ctx *ctx, wri_join_op *j, uint32_t side,
                         wr_batch *take_batch) WR_MUST_USE;
wr_status wri_join_go_on(wr_ctx *ctx, wri_join_op *j, wr_emitter *emit) WR_MUST_USE;
void wri_join_close(wri_join_op *j);

/* mini_join.c: the join with mini-batch */
typedef struct wri_mini_join_op {
    wri_join_op join; /* first */
    wr_arena *lists;
    WR_LIST(wr_batch *) waiting[2];
    bool folds[2];
    int64_t rows, size, latency_ms, due_ms; /* rows in the bundle; its limits */
    int64_t held;                           /* a watermark that waits for the rows before it */
    uint32_t stage;                         /* sides begun in this flush */
    bool flushing;
} wri_mini_join_op;
extern const wr_op_ops wri_mini_join_ops;
wr_status wri_mini_join_open(wr_ctx *ctx, wri_mini_join_op *m) WR_MUST_USE;

/* join_order.c */
bool wri_join_can_order(const wri_join_side *s);
/* A record came to (gone: left) a side of a key: how many it has, and its hash table's size. */
void wri_join_count(uint8_t *table, uint32_t *size, bool gone);
typedef struct wri_join_lists { /* pairs, those of a row one after the other */
    wr_op *op;
    const wri_join_side *side; /* of the records */
    wri_join_pair *pairs;
    uint32_t count;
    bool keeps;            /* records may be written to: they have no end that this would put off */
    const uint32_t *slots; /* of the rows' keys */
    const wr_state_table *keys;
    size_t table_at; /* where the key's record has the size of the side's hash table */
    wr_arena *arena;
} wri_join_lists;
/* Put the pairs of each row into the order in which Flink iterates the records. */
wr_status wri_join_order(wr_ctx *ctx, const wri_join_lists *l) WR_MUST_USE;

#endif
