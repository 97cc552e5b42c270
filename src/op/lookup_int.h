/* SPDX-License-Identifier: Apache-2.0 */
/* Lookups by key: what the questions of a batch are, which are open, what is kept of the answers.
 */
#ifndef WR_OP_LOOKUP_INT_H
#define WR_OP_LOOKUP_INT_H

#include "op/op_int.h"
#include "plan/timed_join.h"

/* ---- a table that is kept -------------------------------------------------------------------- */
typedef struct wri_reload {
    const wr_reload *spec;
    int64_t base_ms; /* a time of reading, from which the others follow (processing time) */
    int64_t due_ms;
} wri_reload;

/* tz: of the session. The table is due at once. */
void wri_reload_open(wri_reload *r, const wr_reload *spec, const struct wr_tz *tz, int64_t now_ms);
bool wri_reload_due(const wri_reload *r, int64_t now_ms);
void wri_reload_done(wri_reload *r, int64_t began_ms, int64_t ended_ms); /* it was read */

/* ---- a table that is asked by key ------------------------------------------------------------ */
typedef struct wri_found { /* a key, and its rows */
    uint64_t hash;
    const uint8_t *key; /* as wri_key_at gives it; in the asker's arena */
    uint32_t key_len;
    uint32_t next;         /* of its chain: number + 1 */
    uint32_t newer, older; /* by use: number + 1 */
    uint32_t first, count; /* rows of the store */
    int64_t written_ms, used_ms;
    uint64_t wanted; /* by this batch; of those, in front of the batch's end: it stays */
    uint32_t row;    /* a row of that batch with this key */
    uint32_t tries;  /* questions that found nothing */
    int64_t ask_ms;  /* not asked before that (monotonic) */
    bool done, hit;  /* answered; with rows, before any condition */
} wri_found;

typedef struct wri_question { /* open */
    uint64_t ticket;
    uint32_t *found; /* its keys */
    uint32_t count;
    int64_t deadline_ms; /* monotonic */
} wri_question;

typedef struct wri_asker {
    wr_op *op;
    const wr_lookup_spec *spec;
    const wr_pnode *scan;
    wr_program *cond, *map; /* of a calc above the scan; not its own */
    wr_lookup *lookup;
    wr_source_env env;
    wri_keyspec key; /* of left rows */
    wri_store store;
    wr_arena *keys; /* bytes of keys */
    size_t key_bytes;
    wri_found *found; /* wr_mem */
    uint32_t count, cap, free, live;
    uint32_t *heads, mask; /* wr_mem */
    uint32_t newest, oldest;
    uint32_t dead_rows;
    uint64_t serial, ticket;
    /* of the batch in work */
    wr_batch *in;
    wr_arena *scratch;
    uint32_t *of_row; /* found of each live row, WRI_NO_ROW: its key is NULL */
    uint32_t *todo;   /* to be asked */
    uint32_t todo_count;
    wri_question *open;
    uint32_t open_count, open_cap;
} wri_asker;

wr_status wri_asker_open(wr_ctx *ctx, wri_asker *a, wr_op *op, const wr_lookup_spec *spec,
                         wr_program *cond, wr_program *map) WR_MUST_USE;
/* A batch begins: its keys; those not known are to be asked. `in` and `scratch` stay to its end. */
wr_status wri_asker_begin(wr_ctx *ctx, wri_asker *a, wr_batch *in, const bool *no_key,
                          wr_arena *scratch) WR_MUST_USE;
/* Asks and takes answers. *done: all are there, else come back at *again_ms (monotonic). */
wr_status wri_asker_step(wr_ctx *ctx, wri_asker *a, bool *done, int64_t *again_ms) WR_MUST_USE;
void wri_asker_close(wri_asker *a);

#endif
