/* SPDX-License-Identifier: Apache-2.0 */
/* The multi-way join: what its files share.
 *
 * One value table of common keys; per input a map of its rows, laid out as a regular join's
 * (join_int.h). Nothing is kept of what the inputs make together: a row is joined anew with the
 * rows of the other inputs that have its key.
 *
 * That goes level by level. A *tuple* is an input row with a row, or none, of each input up to a
 * level; the tuples of a level are made from those of the level before, as many as are worth a
 * batch, and go on to the next one before more are made. So the order is that of nested loops, the
 * first input outermost, and no level holds more than a batch or what one tuple makes. */
#ifndef WR_OP_MULTI_JOIN_INT_H
#define WR_OP_MULTI_JOIN_INT_H

#include "op/join_int.h"
#include "plan/multi.h"

typedef struct wri_multi_rows { /* of one input, in the record of a key */
    uint32_t size, copies;      /* records; rows, repeated ones too */
    uint32_t arrivals;          /* records that ever came: a batch may take one away and bring it
                                   back, as the last */
    uint8_t table;              /* log2 of the hash table that Flink would have; 0 = none */
    uint8_t pad[3];
} wri_multi_rows;

typedef struct wri_multi_key { /* record of a common key; behind it one wri_multi_rows an input */
    uint32_t listed;           /* serial of the stretch that listed it */
    uint32_t pad;
} wri_multi_key;

typedef struct wri_multi_level {
    wri_join_side side;
    const wr_multi_input *spec;
    wr_program *cond;
    const uint32_t *cond_cols; /* columns of the output that it looks at */
    uint32_t cond_count;
    bool left; /* rows before it stay without a match */
    /* the tuples */
    wr_arena *arena;    /* of what follows; reset when the next ones are made */
    wr_batch *found;    /* rows of this input that they have; NULL: of the input batch */
    uint32_t count, at; /* tuples; how many have gone on */
    uint32_t *row;      /* i-th live row of the input batch */
    uint8_t *kind;      /* wr_kind */
    uint32_t **of;      /* per input up to this: row in its batch, WRI_NO_ROW = none */
} wri_multi_level;

/* Of one key, while a stretch is joined: how many rows of the stretch's own input each prefix (a
 * tuple of the inputs before) meets. The rows of a key have the same prefixes in the same order. */
typedef struct wri_multi_company {
    uint32_t slot, count, cap;
    uint32_t *rows;
} wri_multi_company;

typedef struct wri_multi_copies { /* of a record, as the rows of the batch change it */
    const uint8_t *rec;
    uint32_t copies, serial;
} wri_multi_copies;

typedef struct wri_multi_op {
    wr_op op;
    uint32_t count; /* inputs */
    wri_multi_level *levels;
    wr_state_table *keys;
    bool by_stretch; /* of the input batch: what company a row has is counted by prefix, and a row
                        that replaces another one is the last of its key in a stretch */
    wr_arena *scratch;
    uint32_t serial;
    /* the input batch */
    wr_batch *in;
    uint32_t from, n;
    uint32_t *slots;
    bool *dead;        /* a NULL in its key: meets nothing */
    uint8_t **recs;    /* its own records */
    uint32_t *company; /* rows of its input with its key, before it */
    wr_keys subkeys;
    wr_bytes rows;
    /* the stretch, with by_stretch */
    wri_multi_copies *copies; /* by record, of the whole batch */
    uint32_t copies_mask;
    int8_t *effect; /* per row: what it does to the number of rows that a prefix meets */
    wr_arena *stretch;
    WR_LIST(wri_multi_company) company_of;
    uint32_t *cells, cells_mask; /* slot -> company_of + 1 */
    uint32_t at_row, prefix;     /* the row being counted, and how far */
    uint32_t first, next, end;   /* stretch: first..end; rows before `next` have gone on */
    uint32_t depth;              /* levels that hold tuples */
} wri_multi_op;

WR_ALWAYS_INLINE wri_multi_rows *
wri_multi_rows_of(const wri_multi_op *m, uint32_t slot, uint32_t input)
{
    uint8_t *rec = wr_state_rec(m->keys, slot) + sizeof(wri_multi_key);
    return (wri_multi_rows *)(void *)rec + input;
}

/* multi_state.c */
wr_status wri_multi_state_open(wr_ctx *ctx, wri_multi_op *m) WR_MUST_USE;
/* Keys, own records and encodings of the input batch. */
wr_status wri_multi_prepare(wr_ctx *ctx, wri_multi_op *m) WR_MUST_USE;
/* The end of the stretch that begins at m->first. */
wr_status wri_multi_stretch(wr_ctx *ctx, wri_multi_op *m) WR_MUST_USE;
/* The rows of the stretch enter or leave the state. */
wr_status wri_multi_remember(wr_ctx *ctx, wri_multi_op *m) WR_MUST_USE;
/* Records and keys that are empty now go: when the whole batch is through. */
wr_status wri_multi_sweep(wr_ctx *ctx, wri_multi_op *m) WR_MUST_USE;

/* multi_step.c */
/* Make the next tuples of level d from those of the level before, or from the rows of the stretch.
 */
wr_status wri_multi_step(wr_ctx *ctx, wri_multi_op *m, uint32_t d) WR_MUST_USE;
/* Where the rows of input `d` in tuples lie. */
WR_ALWAYS_INLINE const wr_batch *
wri_multi_batch(const wri_multi_op *m, uint32_t d)
{
    return d == m->from ? m->in : m->levels[d].found;
}

#endif
