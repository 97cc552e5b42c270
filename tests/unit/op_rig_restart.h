/* SPDX-License-Identifier: Apache-2.0 */
/* Operators that start anew from a checkpoint, after op_rig.h: what a rig was told so far is
 * snapshotted at a barrier, everything is thrown away, and a new operator (or two of them, each
 * with half of the key groups) goes on from the snapshot.
 *
 *     r.after_batch = rig_restart_often;   r.restart_every = 1;   a restart behind every batch
 *     rig_restart(&r);                     one restart now
 *     rig_split(&r, &pair);                two subtasks from here on, of which rig_route and
 *                                          rig_select choose one; r.checked has to be off
 */
#ifndef WR_TESTS_OP_RIG_RESTART_H
#define WR_TESTS_OP_RIG_RESTART_H

#include "unit/op_rig.h"
#include "unit/state_rig.h"

typedef struct rig_cut { /* a checkpoint of the rig's operator */
    rig_disk *disk;
    wr_state_handle keyed;
    wr_opstate ops;
} rig_cut;

static inline void
rig_snapshot(rig *r, rig_cut *cut)
{
    wr_state_snapshot *s = NULL;
    cut->disk = rig_disk_create(r->budget);
    cut->ops = (wr_opstate){.arena = r->arena};
    rig_settle(r, r->op->ops->on_barrier(&r->ctx, r->op, 7, &r->emit));
    CHECK_OK(&r->ctx, r->op->ops->snapshot(&r->ctx, r->op, 7, &cut->ops));
    CHECK_OK(&r->ctx,
             r->state->ops->snapshot(&r->ctx, r->state, 7, (wr_snapshot_kind)r->snapshot_kind, &s));
    CHECK_OK(&r->ctx, r->state->ops->snapshot_write(&r->ctx, s, &cut->disk->writer, &cut->keyed));
    r->state->ops->snapshot_release(s, true);
}

/* A new operator over key groups first..last, filled from the snapshot. */
static inline void
rig_resume(rig *r, const rig_cut *cut, uint32_t subtask, uint32_t parallelism)
{
    const wr_state_handle *handle = &cut->keyed;
    const wr_opstate *ops = &cut->ops;
    wr_opstate share = {.arena = r->arena};
    const uint32_t groups = 128 / parallelism, first = subtask * groups;
    r->env.subtask = subtask;
    r->env.parallelism = parallelism;
    CHECK_OK(&r->ctx, wr_state_hashmap_ops.open(&r->ctx, NULL, r->budget, first, first + groups - 1,
                                                128, &r->state));
    r->env.state = r->state;
    rig_start(r);
    CHECK_OK(&r->ctx,
             r->state->ops->restore(&r->ctx, r->state, &handle, 1, &cut->disk->reader, false));
    CHECK_OK(&r->ctx, wr_opstate_redistribute(&r->ctx, &ops, 1, subtask, parallelism, &share));
    CHECK_OK(&r->ctx, r->op->ops->restore(&r->ctx, r->op, &share));
}

static inline void
rig_drop(rig *r)
{
    r->op->ops->close(r->op);
    wr_state_hashmap_ops.close(r->state);
    r->op = NULL;
    r->state = NULL;
}

static inline void
rig_restart(rig *r)
{
    rig_cut cut;
    if (r->failed) return;
    rig_snapshot(r, &cut);
    rig_drop(r);
    rig_resume(r, &cut, 0, 1);
    rig_disk_destroy(cut.disk);
}

static inline void
rig_restart_often(rig *r)
{
    if (r->restart_every && ++r->batches % r->restart_every == 0) rig_restart(r);
}

/* ---- two subtasks ---------------------------------------------------------------------------- */
typedef struct rig_pair {
    wr_op *op[2];
    wr_state_backend *state[2];
    wr_op_env env[2];
} rig_pair;

static inline void
rig_select(rig *r, rig_pair *p, uint32_t subtask)
{
    r->op = p->op[subtask];
    r->state = p->state[subtask];
}

static inline void
rig_split(rig *r, rig_pair *p)
{
    rig_cut cut;
    if (r->checked) abort(); /* the decorated operator has an environment of its own */
    rig_snapshot(r, &cut);
    rig_drop(r);
    for (uint32_t i = 0; i < 2; i++) {
        rig_resume(r, &cut, i, 2);
        p->env[i] = r->env;
        r->op->env = &p->env[i];
        p->op[i] = r->op;
        p->state[i] = r->state;
    }
    rig_disk_destroy(cut.disk);
}

static inline void
rig_unsplit(rig *r, rig_pair *p)
{
    rig_select(r, p, 1);
    rig_drop(r);
    rig_select(r, p, 0);
}

/* One row of text to the subtask of its key columns. */
static inline void
rig_route(rig *r, rig_pair *p, uint32_t input, const uint32_t *key, uint32_t key_count,
          const char *row)
{
    const wr_schema *schema = &r->inputs[input].schema;
    wr_batch *b = wr_batch_acquire(r->pool, schema->count);
    uint8_t kind;
    uint64_t hash = 0;
    if (!wr_batch_init_flat(b, schema, 1)) abort();
    (void)rig_parse_row(r, b, &kind, 0, row);
    b->row_count = 1;
    if (key_count) wr_batch_hash(b, key, key_count, &hash);
    wr_batch_release(b);
    rig_select(r, p, wr_key_group(hash, 128) >= 64);
    rig_feed(r, input, row, 1);
}

#endif
