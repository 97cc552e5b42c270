/* SPDX-License-Identifier: Apache-2.0 */
/* EXPLAIN UPGRADE 'path' FOR statement: what would become of the state in a savepoint or checkpoint
 * if this statement started from it. One row per operator that keeps anything: kept, migrated, new,
 * dropped or impossible, and what that means in detail. Nothing is started or changed. */
#include "engine/engine_int.h"
#include "op/op.h"
#include "runtime/runtime.h"
#include "state/state.h"

#define UNCLAIMED "needs execution.state-recovery.ignore-unclaimed-state"

static const char *const fates[] = {[WR_STATE_KEPT] = "kept",
                                    [WR_STATE_MIGRATED] = "migrated",
                                    [WR_STATE_NEW] = "new",
                                    [WR_STATE_DROPPED] = "dropped",
                                    [WR_STATE_REFUSED] = "impossible"};

typedef struct upgrade {
    wr_ctx *ctx;
    wri_stmt *st;
    const wr_ckpt_meta *meta;
    wri_table table;
} upgrade;

static wr_status
add_row(upgrade *u, wr_str name, wr_state_fate fate, wr_str details)
{
    wr_value *row = wri_table_row(&u->table);
    WR_TRY_ALLOC(u->ctx, row);
    wri_table_set(&u->table, row, 0, name);
    wri_table_set(&u->table, row, 1, wr_str_c(fates[fate]));
    if (details.len) wri_table_set(&u->table, row, 2, details);
    return WR_OK;
}

/* The tables of an operator in the checkpoint: all subtasks have the same. */
static const wr_state_handle *
handle_of(const wr_ckpt_operator *o)
{
    for (uint32_t i = 0; o && i < o->subtask_count; i++)
        if (o->subtasks[i].keyed) return o->subtasks[i].keyed;
    return NULL;
}

static bool
has_operator_state(const wr_ckpt_operator *o)
{
    for (uint32_t i = 0; i < o->subtask_count; i++)
        if (o->subtasks[i].ops.lists.count) return true;
    return false;
}

/* What starting without its operator state means; NULL: the operator has none. */
static const char *
beginning(const wr_pnode *n)
{
    switch ((int)n->kind) {
    case WR_P_SCAN:
        return "reads from the beginning";
    case WR_P_VALUES:
        return "gives its rows again";
    case WR_P_LIMIT:
        return n->inputs[0]->changelog & ~WR_CL_I ? NULL : "counts from zero";
    case WR_P_WATERMARK:
        return n->u.watermark.source_watermark ? NULL : "has seen no time";
    case WR_P_SINK:
        return "has written nothing";
    default:
        return NULL;
    }
}

static wr_status
tell_node(upgrade *u, const wr_pnode *n)
{
    wr_arena *a = u->st->arena;
    const wr_ckpt_operator *was = wr_ckpt_find(u->meta, n->logical_id);
    const wr_state_handle *handle = handle_of(was);
    wr_state_table_info *now;
    uint32_t count;
    wr_state_fate fate = WR_STATE_KEPT;
    bool drops = false;
    wr_text what;
    wr_text_init(&what, a);
    WR_TRY(wr_op_tables(u->ctx, a, n, u->st->eval, u->st->config, &now, &count));
    if (count || handle) {
        WR_TRY(wr_state_compare(u->ctx, a, handle ? handle->tables : NULL,
                                handle ? handle->table_count : 0, now, count, &fate, &drops,
                                &what));
        if (drops) wr_text_printf(&what, "%s%s", what.len ? "; " : "", UNCLAIMED);
        if (what.failed) return wr_text_raise(u->ctx, &what);
        return add_row(u, n->label, fate, wr_text_str(&what));
    }
    const char *from = beginning(n); /* an operator may be known and have had nothing to keep */
    if (!from) return WR_OK;
    fate = was ? WR_STATE_KEPT : WR_STATE_NEW;
    return add_row(u, n->label, fate, fate == WR_STATE_NEW ? wr_str_c(from) : WR_STR(""));
}

static bool
is_in_plan(const wr_plan *plan, wr_str id)
{
    for (uint32_t i = 0; i < plan->node_count; i++)
        if (wr_str_eq(plan->nodes[i]->logical_id, id)) return true;
    return false;
}

/* What barriers overtook, in an unaligned checkpoint. */
static wr_status
tell_inflight(upgrade *u, const wr_plan *plan)
{
    bool any = false;
    wr_state_fate fate;
    wr_str why;
    WR_TRY(wr_job_check_inflight(u->ctx, plan, u->meta, u->st->arena, &any, &fate, &why));
    return any ? add_row(u, WR_STR("rows in flight"), fate, why) : WR_OK;
}

wr_status
wri_explain_upgrade(wr_ctx *ctx, wri_stmt *st, const wr_plan *plan, wr_str path)
{
    static const char *const names[] = {"operator", "state", "details"};
    upgrade u = {.ctx = ctx, .st = st};
    wr_ckpt_meta *meta = NULL;
    if (plan->batch)
        return wr_raise(ctx, WR_SEMANTIC,
                        "a batch job keeps no state: EXPLAIN UPGRADE is for streaming mode");
    WR_TRY(wr_ckpt_load(ctx, path, st->arena, &meta));
    u.meta = meta;
    WR_TRY(wri_table_init(ctx, &u.table, st->arena, names, NULL, WR_COUNT(names)));
    for (uint32_t i = 0; i < plan->node_count; i++) WR_TRY(tell_node(&u, plan->nodes[i]));
    for (uint32_t i = 0; i < meta->operator_count; i++) {
        const wr_ckpt_operator *o = &meta->operators[i];
        const wr_state_handle *h = handle_of(o);
        if (is_in_plan(plan, o->logical_id)) continue;
        if (!(h && h->table_count) && !has_operator_state(o)) continue;
        WR_TRY(add_row(&u, o->name, WR_STATE_DROPPED, WR_STR(UNCLAIMED)));
    }
    WR_TRY(tell_inflight(&u, plan));
    return wri_result_table(ctx, st, &u.table);
}
