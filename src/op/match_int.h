/* SPDX-License-Identifier: Apache-2.0 */
/* MATCH_RECOGNIZE: the parts of operator MATCH.
 *
 * A *run* takes rows of any number of partitions, in the order in which they are to be looked at,
 * through the automaton. It holds in memory, for these partitions only, what their state has: the
 * kept columns (plan/match.h) of all rows that a partial match refers to, the nodes of the matches,
 * and which partial matches there are. Rows of the run are numbered through: those of the states
 * first, then the new ones ("events").
 *
 * A match is a chain of nodes, from its last row back to its first: matches that begin alike share
 * nodes. Chains do not change, so a branch costs one node.
 *
 * Threads: the task's. Everything of a run lies in its arena. */
#ifndef WR_OP_MATCH_INT_H
#define WR_OP_MATCH_INT_H

#include "op/timers_int.h"
#include "plan/match.h"

#define WRI_MATCH_NONE UINT32_MAX

/* ---- the automaton (match_nfa.c) ------------------------------------------------------------- */
typedef struct wri_match_state {
    uint32_t elem;    /* whose condition lets a row in */
    uint32_t take;    /* the state behind such a row; NONE: no rows here (the end) */
    uint32_t proceed; /* a state that may be entered without a row; NONE: there is none */
    uint64_t take_not, proceed_not; /* conditions that must not hold, for a greedy one before */
    uint64_t asks;                  /* all conditions that a row here may be asked */
} wri_match_state;

typedef struct wri_match_nfa {
    wri_match_state *states; /* 0 is the end */
    uint32_t count, start;
} wri_match_nfa;

wr_status wri_match_nfa_make(wr_ctx *ctx, wr_arena *a, const wr_match_spec *spec,
                             wri_match_nfa *out) WR_MUST_USE;

/* ---- partial matches ------------------------------------------------------------------------- */
typedef struct wri_match_node {
    uint32_t row, prev; /* prev: NONE at the first row */
    uint32_t elem;
} wri_match_node;

typedef struct wri_match_partial {
    uint32_t state, node; /* node NONE: nothing matched yet */
    uint32_t start_id;    /* order of the first row among those of its time */
    int64_t start_time;
} wri_match_partial;

/* In the order of their first rows, equal ones as java.util.PriorityQueue has them: what comes out
 * first among equals is seen by users of Flink. */
typedef struct wri_match_queue {
    wri_match_partial *items;
    uint32_t count, cap;
} wri_match_queue;
bool wri_match_add(wr_arena *a, wri_match_queue *q, const wri_match_partial *p) WR_MUST_USE;
void wri_match_poll(wri_match_queue *q, wri_match_partial *out);
int wri_match_compare(const wri_match_partial *a, const wri_match_partial *b);
/* Drop those with drop[i]. */
void wri_match_remove(wri_match_queue *q, const bool *drop);

typedef struct wri_match_key { /* a partition in the run */
    uint32_t slot;
    wri_match_queue partial, done; /* done: complete, waiting for earlier ones */
    wri_match_queue spare;         /* an array that the next queue may have */
    int64_t last_time;             /* of its last row */
    uint32_t last_id;
    bool changed;
} wri_match_key;

typedef struct wri_match_result {
    uint32_t node;
    int64_t time; /* when it comes out: later than its last row if it had to wait */
} wri_match_result;

/* ---- the operator ---------------------------------------------------------------------------- */
typedef struct wri_match_cond { /* of an element */
    wr_program *program;        /* NULL: TRUE */
    const uint32_t *refs;       /* references that it uses */
    uint32_t ref_count;
} wri_match_cond;

typedef struct wri_match_run {
    wr_arena *arena;
    wri_match_key *keys;
    uint32_t key_count;
    wr_batch *events; /* rows 0..n-1 of the input */
    uint32_t event_count;
    uint32_t *event_key;
    int64_t *event_time;
    wr_batch *rows; /* kept columns: `loaded` rows, then the events */
    uint32_t loaded, row_count;
    int64_t *row_time;
    uint32_t *row_id; /* order among the rows of that time */
    wri_match_node *nodes;
    uint32_t node_count, node_cap;
    uint8_t **holds; /* [element][event]: WRI_COND_*, of conditions on the row alone */
    WR_LIST(wri_match_result) results;
    uint32_t shown; /* results that came out */
} wri_match_run;

enum { WRI_COND_FALSE, WRI_COND_TRUE, WRI_COND_ERROR };

typedef struct wri_match_record { /* of a partition */
    int64_t timer;                /* that is set; INT64_MAX: none */
    uint64_t next_seq;
    wr_blob matches;
} wri_match_record;

typedef struct wri_match_op {
    wr_op op;
    const wr_match_spec *spec;
    bool waits, processing; /* rows wait for their time; time is that of processing */
    wri_match_nfa nfa;
    wri_match_cond *conds; /* per element */
    wr_program *kept, *measures;
    wr_schema kept_schema, input_schema;
    uint32_t *kept_cols, *all_cols; /* 0, 1, 2, ... */
    wri_keyspec key;
    wr_sort_key *order; /* behind the time */
    wr_state_table *table, *rows;
    wri_timers timers;
    wr_arena *scratch, *event_arena;
    int64_t watermark;
    int64_t limit; /* rows up to here are due */
    bool draining; /* more rows may be due */
    wri_match_run run;
} wri_match_op;

WR_ALWAYS_INLINE wri_match_record *
wri_match_record_of(const wri_match_op *m, uint32_t slot)
{
    return (wri_match_record *)(void *)wr_state_rec(m->table, slot);
}

/* ---- match_step.c ---------------------------------------------------------------------------- */
/* The event goes through the automaton of its partition. */
wr_status wri_match_event(wr_ctx *ctx, wri_match_op *m, uint32_t event) WR_MUST_USE;
/* Time is `time` for the partition: partial matches that last too long go. */
wr_status wri_match_advance(wr_ctx *ctx, wri_match_op *m, wri_match_key *k,
                            int64_t time) WR_MUST_USE;

/* ---- match_values.c -------------------------------------------------------------------------- */
wr_status wri_match_values_open(wr_ctx *ctx, wri_match_op *m) WR_MUST_USE;
void wri_match_values_close(wri_match_op *m);
/* Conditions that ask for the row alone, for all events. */
wr_status wri_match_test_events(wr_ctx *ctx, wri_match_op *m) WR_MUST_USE;
/* Would the event be let in by `elem` behind the chains that end at nodes[0..n)? out: WRI_COND_*.
 */
wr_status wri_match_test_paths(wr_ctx *ctx, wri_match_op *m, uint32_t elem, uint32_t event,
                               const uint32_t *nodes, uint32_t n, uint8_t *out) WR_MUST_USE;
/* The error of a condition that gave ERROR; `node`: the chain. */
wr_status wri_match_raise(wr_ctx *ctx, wri_match_op *m, uint32_t elem, uint32_t event,
                          uint32_t node) WR_MUST_USE;
/* The results from `from` on, at most a batch of them. */
wr_status wri_match_measure(wr_ctx *ctx, wri_match_op *m, uint32_t from, uint32_t n,
                            wr_batch **out) WR_MUST_USE;

/* ---- match_state.c: the matches of partitions as bytes --------------------------------------- */
/* Keys have their slots, events their number: reads what there is and makes run.rows. */
wr_status wri_match_load(wr_ctx *ctx, wri_match_op *m) WR_MUST_USE;
wr_status wri_match_save(wr_ctx *ctx, wri_match_op *m) WR_MUST_USE;

#endif
