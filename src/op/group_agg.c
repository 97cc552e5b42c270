/* SPDX-License-Identifier: Apache-2.0 */
/* GROUP_AGG, row by row: the changelog is exactly that of an engine that takes one row at a time,
 * computed a column at a time.
 *
 * 1. Resolve the batch's keys to groups. 2. In order, follow each group's row count: the first row
 * is an insert, a retraction of the last row a delete, a retraction from an empty group nothing.
 * A group that was emptied and comes back starts a new *round*, for its accumulators begin anew.
 * 3. Apply the rows of each round to the accumulators, an aggregate at a time, with the results
 * before and after each row. 4. Write the changelog in input order; an update that changes nothing
 * is left out unless state expires (then it keeps downstream state alive). */
#include "op/agg_int.h"

enum { EV_NONE, EV_INSERT, EV_UPDATE, EV_DELETE };

typedef struct group_agg_op {
    wr_op op;
    wri_aggs aggs;
    wr_arena *scratch;
    uint32_t serial;
    bool counts; /* rows that are added change a COUNT(*), and nobody asks for what was before */
} group_agg_op;

typedef struct pass { /* one batch, per live row */
    const wr_batch *in;
    uint32_t n;
    uint32_t *slots;
    uint8_t *event;
    uint32_t *round;
    uint32_t round_count;
    uint32_t *listed; /* groups that may have to go */
    uint32_t listed_count, skipped;
    wr_vec *before, *after; /* per aggregate, aligned with the live rows */
    uint8_t *touched;       /* live rows that change hidden parts of a result */
    bool all;               /* every row comes out, with the results after it */
} pass;

static bool
counts_rows(const wr_pnode *node)
{
    for (uint32_t i = 0; i < node->u.agg.agg_count; i++) {
        const wr_agg_bound *a = &node->u.agg.aggs[i];
        if (a->arg_count == 0 && a->filter < 0 && !a->distinct && strcmp(a->fn->name, "COUNT") == 0)
            return true;
    }
    return false;
}

static wr_status
group_agg_open(wr_ctx *ctx, wr_op *op)
{
    group_agg_op *g = (group_agg_op *)op;
    g->counts = !op->node->u.agg.generate_update_before && counts_rows(op->node);
    g->scratch = wr_arena_create(op->env->budget, 0);
    WR_TRY_ALLOC(ctx, g->scratch);
    return wri_aggs_open(ctx, op, op->node->u.agg.retract, sizeof(wri_group), &g->aggs);
}

/* Step 2. */
static void
follow_counts(group_agg_op *g, pass *p)
{
    const uint32_t serial = ++g->serial;
    p->round_count = 1;
    for (uint32_t i = 0; i < p->n; i++) {
        wri_group *group = wri_group_of(&g->aggs, p->slots[i]);
        if (group->serial != serial) {
            group->serial = serial;
            group->note = 0;
        }
        const bool retract = wri_is_retract(p->in->kind, wr_batch_row(p->in, i));
        p->round[i] = group->note & ~WRI_LISTED;
        p->round_count = WR_MAX(p->round_count, p->round[i] + 1);
        if (!retract) {
            p->event[i] = group->rows++ == 0 ? EV_INSERT : EV_UPDATE;
            continue;
        }
        p->event[i] = group->rows == 0 ? EV_NONE : group->rows == 1 ? EV_DELETE : EV_UPDATE;
        p->skipped += p->event[i] == EV_NONE;
        if (group->rows > 0) group->rows--;
        if (group->rows > 0) continue;
        group->note += p->event[i] == EV_DELETE;
        if (group->note & WRI_LISTED) continue;
        group->note |= WRI_LISTED;
        p->listed[p->listed_count++] = p->slots[i];
    }
}

/* Groups emptied in `round` that come back in a later one start anew. */
static wr_status
restart_emptied(wr_ctx *ctx, group_agg_op *g, const pass *p, uint32_t round)
{
    uint32_t *slots = wr_arena_alloc(g->scratch, sizeof *slots * (p->n + 1)), n = 0;
    WR_TRY_ALLOC(ctx, slots);
    for (uint32_t i = 0; i < p->n; i++) {
        if (p->event[i] != EV_DELETE || p->round[i] != round) continue;
        const wri_group *group = wri_group_of(&g->aggs, p->slots[i]);
        if (group->rows > 0 || (group->note & ~WRI_LISTED) > round + 1) slots[n++] = p->slots[i];
    }
    return n ? wri_aggs_restart(ctx, &g->aggs, slots, n, g->scratch) : WR_OK;
}

static wr_status
apply_round(wr_ctx *ctx, group_agg_op *g, pass *p, uint32_t round, wr_arena *arena)
{
    const uint32_t aggs = g->aggs.agg_count;
    uint32_t *rows = wr_arena_alloc(g->scratch, sizeof *rows * (p->n + 1));
    uint32_t *slots = wr_arena_alloc(g->scratch, sizeof *slots * (p->n + 1));
    uint32_t *at = wr_arena_alloc(g->scratch, sizeof *at * (p->n + 1));
    wr_vec *before = wr_arena_zalloc(g->scratch, sizeof *before * (aggs + 1));
    wr_vec *after = wr_arena_zalloc(g->scratch, sizeof *after * (aggs + 1));
    if (!rows || !slots || !at || !before || !after) return WRI_NOMEM(ctx);
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        if (p->round[i] != round || p->event[i] == EV_NONE) continue;
        rows[n] = wr_batch_row(p->in, i);
        slots[n] = p->slots[i];
        at[n++] = i;
    }
    uint8_t *touched = wr_arena_zalloc(g->scratch, n + 1);
    WR_TRY_ALLOC(ctx, touched);
    const wri_agg_rows r = {.batch = p->in,
                            .rows = rows,
                            .slots = slots,
                            .n = n,
                            .kind = p->in->kind,
                            .touched = touched};
    WR_TRY(wri_aggs_update(ctx, &g->aggs, &r, g->scratch, arena, before, after));
    for (uint32_t j = 0; j < n; j++) p->touched[at[j]] = touched[j];
    for (uint32_t k = 0; k < aggs; k++)
        for (uint32_t j = 0; j < n; j++)
            if (!wr_vec_copy_entry(&p->before[k], at[j], &before[k], j, arena) ||
                !wr_vec_copy_entry(&p->after[k], at[j], &after[k], j, arena))
                return WRI_NOMEM(ctx);
    return restart_emptied(ctx, g, p, round);
}

/* Step 3. */
static wr_status
apply(wr_ctx *ctx, group_agg_op *g, pass *p, wr_arena *arena)
{
    if (p->all) {
        const wri_agg_rows r = {.batch = p->in,
                                .rows = p->in->sel,
                                .slots = p->slots,
                                .n = p->n,
                                .touched = p->touched};
        return wri_aggs_update(ctx, &g->aggs, &r, g->scratch, arena, NULL, p->after);
    }
    if (p->round_count == 1 && p->skipped == 0) { /* all rows at once */
        const wri_agg_rows r = {.batch = p->in,
                                .rows = p->in->sel,
                                .slots = p->slots,
                                .n = p->n,
                                .kind = p->in->kind,
                                .touched = p->touched};
        return wri_aggs_update(ctx, &g->aggs, &r, g->scratch, arena, p->before, p->after);
    }
    for (uint32_t k = 0; k < g->aggs.agg_count; k++) {
        const wr_type *t = g->aggs.aggs[k].bound->type;
        if (!wr_vec_init_flat(&p->before[k], t, p->n, arena) ||
            !wr_vec_init_flat(&p->after[k], t, p->n, arena))
            return WRI_NOMEM(ctx);
    }
    for (uint32_t round = 0; round < p->round_count; round++)
        WR_TRY(apply_round(ctx, g, p, round, arena));
    return WR_OK;
}

/* Step 4: which rows come out: idx[j] = live row, which[j] = its result after (1) or before (0). */
static uint32_t
list_changes(const group_agg_op *g, const pass *p, const uint8_t *changed, uint32_t *idx,
             uint8_t *which, uint8_t *kind)
{
    const bool before = g->op.node->u.agg.generate_update_before;
    const bool always = g->op.node->u.agg.ttl_ms > 0;
    uint32_t m = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        switch (p->event[i]) {
        case EV_INSERT:
            idx[m] = i, which[m] = 1, kind[m++] = WR_INSERT;
            break;
        case EV_DELETE:
            idx[m] = i, which[m] = 0, kind[m++] = WR_DELETE;
            break;
        case EV_UPDATE:
            if (!always && !changed[i]) break;
            if (before) idx[m] = i, which[m] = 0, kind[m++] = WR_UPDATE_BEFORE;
            idx[m] = i, which[m] = 1, kind[m++] = WR_UPDATE_AFTER;
            break;
        default:
            break;
        }
    }
    return m;
}

static wr_status
write_changes(wr_ctx *ctx, group_agg_op *g, const pass *p, wr_batch *out)
{
    const uint32_t keys = g->aggs.keys.count, room = 2 * p->n + 1;
    uint8_t *changed = p->touched;
    uint32_t *idx = wr_arena_alloc(g->scratch, sizeof *idx * room);
    uint32_t *rows = wr_arena_alloc(g->scratch, sizeof *rows * room);
    uint8_t *which = wr_arena_alloc(g->scratch, room);
    uint8_t *kind = wr_arena_alloc(out->arena, room);
    if (!idx || !rows || !which || !kind) return WRI_NOMEM(ctx);
    for (uint32_t k = 0; k < g->aggs.agg_count; k++)
        wri_vec_mark_changed(&p->before[k], &p->after[k], p->n, changed);
    const uint32_t m = list_changes(g, p, changed, idx, which, kind);
    for (uint32_t j = 0; j < m; j++) rows[j] = wr_batch_row(p->in, idx[j]);
    for (uint32_t c = 0; c < keys; c++)
        if (!wr_vec_gather(&out->cols[c], &p->in->cols[g->aggs.keys.cols[c]], rows, m, out->arena))
            return WRI_NOMEM(ctx);
    for (uint32_t k = 0; k < g->aggs.agg_count; k++)
        WR_TRY(wri_vec_pick(ctx, &out->cols[keys + k], &p->before[k], &p->after[k], idx, which, m,
                            out->arena));
    out->row_count = m;
    out->kind = kind;
    return WR_OK;
}

/* Step 4 where every row comes out. */
static wr_status
write_all(wr_ctx *ctx, const group_agg_op *g, const pass *p, wr_batch *out)
{
    const uint32_t keys = g->aggs.keys.count;
    uint8_t *kind = wr_arena_alloc(out->arena, p->n + 1);
    WR_TRY_ALLOC(ctx, kind);
    for (uint32_t i = 0; i < p->n; i++)
        kind[i] = p->event[i] == EV_INSERT ? WR_INSERT : WR_UPDATE_AFTER;
    for (uint32_t c = 0; c < keys; c++) {
        const wr_vec *key = &p->in->cols[g->aggs.keys.cols[c]];
        if (!p->in->sel)
            out->cols[c] = *key; /* the output keeps the input */
        else if (!wr_vec_gather(&out->cols[c], key, p->in->sel, p->n, out->arena))
            return WRI_NOMEM(ctx);
    }
    memcpy(out->cols + keys, p->after, sizeof *p->after * g->aggs.agg_count);
    out->row_count = p->n;
    out->kind = kind;
    return WR_OK;
}

static wr_status
group_agg_rows(wr_ctx *ctx, group_agg_op *g, const wr_batch *in, wr_batch *out)
{
    wr_arena_reset(g->scratch);
    pass p = {.in = in, .n = wr_batch_live(in), .all = g->counts && !in->kind};
    WR_TRY(wri_aggs_resolve(ctx, &g->aggs, in, g->scratch, &p.slots));
    p.event = wr_arena_alloc(g->scratch, p.n + 1);
    p.round = wr_arena_alloc(g->scratch, sizeof *p.round * (p.n + 1));
    p.listed = wr_arena_alloc(g->scratch, sizeof *p.listed * (p.n + 1));
    p.touched = wr_arena_zalloc(g->scratch, p.n + 1);
    p.before = wr_arena_zalloc(g->scratch, sizeof *p.before * (g->aggs.agg_count + 1));
    p.after = wr_arena_zalloc(g->scratch, sizeof *p.after * (g->aggs.agg_count + 1));
    if (!p.event || !p.round || !p.listed || !p.before || !p.after || !p.touched)
        return WRI_NOMEM(ctx);
    follow_counts(g, &p);
    WR_TRY(apply(ctx, g, &p, out->arena));
    if (p.all) return write_all(ctx, g, &p, out);
    WR_TRY(write_changes(ctx, g, &p, out));
    for (uint32_t k = 0; k < p.listed_count; k++)
        if (wri_group_of(&g->aggs, p.listed[k])->rows == 0)
            g->aggs.groups->ops->remove(g->aggs.groups, p.listed[k]);
    return WR_OK;
}

static wr_status
group_agg_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input;
    wr_batch *out = wr_batch_acquire(op->env->pool, op->node->schema.count);
    wr_status status = WR_OK;
    if (!out || !wr_batch_keep(out, take_batch)) status = WRI_NOMEM(ctx);
    if (status == WR_OK) status = group_agg_rows(ctx, (group_agg_op *)op, take_batch, out);
    wr_batch_release(take_batch);
    if (status != WR_OK || out->row_count == 0) {
        wr_batch_release(out);
        return status;
    }
    return wr_emit(ctx, emit, out);
}

static wr_status
group_agg_end(wr_ctx *ctx, wr_op *op, wr_emitter *emit)
{
    group_agg_op *g = (group_agg_op *)op;
    return wri_aggs_emit_nothing(ctx, &g->aggs, g->scratch, emit);
}

static void
group_agg_close(wr_op *op)
{
    wr_arena_destroy(((group_agg_op *)op)->scratch);
}

const wr_op_ops wri_group_agg_ops = {
    .abi = WR_ABI,
    .name = "GroupAggregate",
    .size_bytes = sizeof(group_agg_op),
    .open = group_agg_open,
    .on_batch = group_agg_batch,
    .on_resume = group_agg_end, /* only the end has more to give than one batch */
    .on_watermark = wr_op_pass_watermark,
    .on_timer = wr_op_no_timer,
    .on_barrier = wr_op_pass_barrier,
    .on_end_input = wr_op_no_end_input,
    .on_end = group_agg_end,
    .close = group_agg_close,
    .snapshot = wr_op_no_snapshot,
    .restore = wr_op_no_restore,
    .committed = wr_op_no_committed,
};
