/* SPDX-License-Identifier: Apache-2.0 */
/* Private to connector/: generators of 'datagen'. datagen.c reads the options into a tree of
 * generators, one per column or nested element, and runs the source; datagen_fill.c fills vectors.
 */
#ifndef WR_CONNECTOR_DATAGEN_INT_H
#define WR_CONNECTOR_DATAGEN_INT_H

#include "connector/connector_int.h"

typedef struct wri_gen wri_gen;
struct wri_gen {
    const wr_type *type;
    bool sequence, var_len;
    double null_rate; /* 0..1 */
    int64_t min, max; /* integers; sequences: start and end */
    double fmin, fmax;
    int64_t length;      /* strings, bytes, collections */
    int64_t max_past_ms; /* timestamps */
    wri_gen *kids;
    uint32_t kid_count;
};

typedef struct wri_gen_run { /* where a batch stands */
    uint64_t rng;            /* splitmix64 */
    int64_t now_ms;          /* UTC */
    int64_t local_ms;        /* in the session's zone */
    int64_t row;             /* of the subtask, for sequences */
    uint32_t subtask, parallelism;
    wr_arena *arena;
} wri_gen_run;

/* Rows [0, n) of a FLAT vector of the generator's type. False: out of memory. */
bool wri_gen_fill(const wri_gen *g, wri_gen_run *run, wr_vec *v, uint32_t n) WR_MUST_USE;

#endif
