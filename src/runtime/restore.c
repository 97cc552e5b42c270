/* SPDX-License-Identifier: Apache-2.0 */
/* Where a job starts from, and its operators' state back from there.
 *
 * execution.state-recovery.path names a checkpoint or savepoint; else, when the job resumes, the
 * newest checkpoint of its id is taken, which must be whole. A restart takes the last completed
 * checkpoint of this run, or what the run itself started from. */
#include "runtime/runtime_int.h"

void
wri_restored_drop(wr_job *job)
{
    if (job->restored) wr_arena_destroy(job->restored->arena);
    job->restored = NULL;
}

static bool
all_finished(const wr_ckpt_meta *m)
{
    for (uint32_t i = 0; i < m->operator_count; i++)
        for (uint32_t k = 0; k < m->operators[i].subtask_count; k++)
            if (!m->operators[i].subtasks[k].finished) return false;
    return m->operator_count > 0;
}

static wr_status
load_into(wr_ctx *ctx, wri_restored *r, wr_str path, bool verify)
{
    WR_TRY(wr_ckpt_load(ctx, path, r->arena, &r->meta));
    if (verify) WR_TRY(wr_ckpt_verify(ctx, r->meta));
    r->all_done = all_finished(r->meta);
    return wr_ckpt_reader(ctx, r->meta, r->arena, &r->reader);
}

static wr_status
load(wr_ctx *ctx, wr_job *job, wr_str path, bool verify, wri_restored **out)
{
    wr_arena *a = wr_arena_create(job->budget, 0);
    wri_restored *r = a ? WR_NEW(a, wri_restored) : NULL;
    if (!r) {
        wr_arena_destroy(a);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    r->arena = a;
    wr_status status = load_into(ctx, r, path, verify);
    if (status != WR_OK) {
        wr_arena_destroy(a);
        return status;
    }
    *out = r;
    return WR_OK;
}

/* ---- at the start ---------------------------------------------------------------------------- */

/* What can be started from instead of ids[0], which is damaged: to be decided by people, for what
 * the job has put out since would come twice. */
static void
offer_older(wr_ctx *ctx, wr_job *job, const uint64_t *ids, uint32_t count, wr_arena *a)
{
    for (uint32_t i = 1; i < count; i++) {
        const wr_str path = wr_ckpt_store_path(job->coord.store, ids[i], a);
        wri_restored *whole;
        wr_ctx probe;
        wr_ctx_init(&probe);
        if (load(&probe, job, path, true, &whole) != WR_OK) continue;
        wr_arena_destroy(whole->arena);
        wr_hint(ctx,
                "The newest one that is whole is %.*s: -s (or 'execution.state-recovery.path') "
                "starts from it. What was put out since then will come twice.",
                WR_STR_ARG(path));
        return;
    }
    wr_hint(ctx, "There is none before it that is whole.");
}

static wr_status
take_newest(wr_ctx *ctx, wr_job *job, const uint64_t *ids, uint32_t count, wr_arena *a)
{
    if (!count) return WR_OK;
    if (ctx->cancel && *ctx->cancel) return wr_raise(ctx, WR_CANCELLED, "cancelled");
    const wr_str path = wr_ckpt_store_path(job->coord.store, ids[0], a);
    wr_ctx probe;
    wr_ctx_init(&probe);
    probe.cancel = ctx->cancel;
    const wr_status status = load(&probe, job, path, true, &job->restored);
    if (status == WR_OK) return WR_OK;
    if (status != WR_CORRUPT && status != WR_UNSUPPORTED) { /* no fault of the checkpoint's */
        ctx->err = probe.err;
        return status;
    }
    (void)wr_raise(ctx, status, "checkpoint %.*s cannot be used: %s", WR_STR_ARG(path),
                   probe.err.message);
    offer_older(ctx, job, ids, count, a);
    return status;
}

/* Its checkpoints are numbered behind those that it has already; from the newest of these it goes
 * on, unless it starts from elsewhere. */
static wr_status
resume(wr_ctx *ctx, wr_job *job, bool elsewhere)
{
    wri_coord *c = &job->coord;
    WR_TRY(wri_store_open(ctx, job));
    wr_arena *a = wr_arena_create(job->budget, 0);
    WR_TRY_ALLOC(ctx, a);
    uint64_t *ids = NULL;
    uint32_t count = 0;
    wr_status status = wr_ckpt_store_list(ctx, c->store, a, &ids, &count);
    for (uint32_t i = 0; i < count && status == WR_OK; i++)
        c->next_id = WR_MAX(c->next_id, ids[i] + 1);
    if (status == WR_OK && !elsewhere) status = take_newest(ctx, job, ids, count, a);
    wr_arena_destroy(a);
    return status;
}

static wr_status
from_path(wr_ctx *ctx, wr_job *job, wr_str path)
{
    WR_TRY(load(ctx, job, path, false, &job->restored));
    job->coord.next_id = WR_MAX(job->coord.next_id, job->restored->meta->id + 1);
    return WR_OK;
}

wr_status
wri_restore_find(wr_ctx *ctx, wr_job *job)
{
    wri_coord *c = &job->coord;
    const wr_config *config = job->env.config;
    wr_str path = wr_config_str(config, "execution.state-recovery.path");
    bool claim = wr_str_eq_nocase(wr_config_str(config, "execution.state-recovery.claim-mode"),
                                  WR_STR("CLAIM"));
    if (job->plan->batch) return WR_OK;
    if (job->env.resume && c->options.dir.len) WR_TRY(resume(ctx, job, path.len > 0));
    if (path.len) {
        WR_TRY(from_path(ctx, job, path));
        c->full_next = !claim;
        if (claim && c->options.enabled) {
            WR_TRY(wri_store_open(ctx, job));
            WR_TRY(wr_ckpt_store_claim(ctx, c->store, job->restored->meta));
        }
    }
    if (!job->restored) return WR_OK;
    c->counts.restored_id = job->restored->meta->id;
    wr_os_store(&job->request, c->next_id - 1);
    return WR_OK;
}

static bool
has_state(const wr_ckpt_operator *op)
{
    for (uint32_t i = 0; i < op->subtask_count; i++) {
        const wr_ckpt_subtask *s = &op->subtasks[i];
        for (uint32_t k = 0; s->keyed && k < s->keyed->table_count; k++)
            if (s->keyed->tables[k].entries) return true;
        for (uint32_t k = 0; k < s->ops.lists.count; k++)
            if (s->ops.lists.items[k].items.count) return true;
    }
    return false;
}

static bool
in_plan(const wr_job *job, wr_str logical_id)
{
    for (uint32_t i = 0; i < job->plan->node_count; i++)
        if (wr_str_eq(job->ids[i], logical_id)) return true;
    return false;
}

wr_status
wri_restore_check(wr_ctx *ctx, wr_job *job)
{
    if (!job->restored) return WR_OK;
    const wr_ckpt_meta *m = job->restored->meta;
    bool ignore =
        wr_config_bool(job->env.config, "execution.state-recovery.ignore-unclaimed-state");
    uint32_t max = job->env.max_parallelism;
    for (uint32_t i = 0; i < m->operator_count; i++) {
        const wr_ckpt_operator *op = &m->operators[i];
        if (!in_plan(job, op->logical_id)) {
            if (ignore || !has_state(op)) continue;
            (void)wr_raise(ctx, WR_SEMANTIC,
                           "Failed to rollback to checkpoint/savepoint %.*s. Cannot map "
                           "checkpoint/savepoint state for operator %.*s to the new program, "
                           "because the operator is not available in the new program. If you want "
                           "to allow to skip this, you can set the --allowNonRestoredState option "
                           "on the CLI.",
                           WR_STR_ARG(m->path), WR_STR_ARG(op->logical_id));
            wr_hint(ctx,
                    "the operator was %.*s; -n (execution.state-recovery.ignore-unclaimed-state) "
                    "drops its state",
                    WR_STR_ARG(op->name));
            return WR_SEMANTIC;
        }
        if (op->max_parallelism == max) continue;
        (void)wr_raise(ctx, WR_OPTION,
                       "The maximum parallelism (%u) with which the latest checkpoint of the "
                       "execution job vertex %.*s has been taken and the current maximum "
                       "parallelism (%u) changed. This is currently not supported.",
                       op->max_parallelism, WR_STR_ARG(op->name), max);
        wr_hint(ctx, "SET 'pipeline.max-parallelism' = '%u'", op->max_parallelism);
        return WR_OPTION;
    }
    return WR_OK;
}

/* ---- at a restart ---------------------------------------------------------------------------- */

wr_status
wri_restore_latest(wr_ctx *ctx, wr_job *job)
{
    wri_coord *c = &job->coord;
    if (!c->last_completed) return WR_OK; /* what it started from, or the beginning */
    wri_restored *next = NULL;
    wr_arena *a = wr_arena_create(job->budget, 0);
    WR_TRY_ALLOC(ctx, a);
    wr_status status =
        load(ctx, job, wr_ckpt_store_path(c->store, c->last_completed, a), false, &next);
    wr_arena_destroy(a);
    WR_TRY(status);
    next->own = true;
    wri_restored_drop(job);
    job->restored = next;
    return WR_OK;
}

void
wri_restore_count(wr_job *job, int64_t begin_ns)
{
    wr_checkpoint_counts *n = &job->coord.counts;
    n->restored_id = job->restored ? job->restored->meta->id : 0;
    n->restored_ms = (wr_os_now_ns() - begin_ns) / 1000000;
    n->restored_at_ms = wr_os_wall_ms();
    n->restored_bytes = job->restored ? wr_ckpt_bytes(job->restored->meta) : 0;
}

/* ---- one operator ---------------------------------------------------------------------------- */

/* With the parallelism unchanged, lists stay with their subtask. */
static wr_status
share(wr_ctx *ctx, const wr_ckpt_operator *op, uint32_t subtask, uint32_t parallelism, wr_arena *a,
      wr_opstate *out)
{
    const wr_opstate **old = WR_NEW_N(a, const wr_opstate *, op->subtask_count + 1);
    WR_TRY_ALLOC(ctx, old);
    bool same = op->subtask_count == parallelism;
    for (uint32_t i = 0; i < op->subtask_count; i++) old[i] = &op->subtasks[i].ops;
    if (!same)
        return wr_opstate_redistribute(ctx, old, op->subtask_count, subtask, parallelism, out);
    const wr_opstate *mine = old[subtask];
    for (uint32_t k = 0; k < mine->lists.count; k++)
        if (mine->lists.items[k].mode == WR_OPSTATE_LIST &&
            !wr_list_push(a, &out->lists, mine->lists.items[k]))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
    wr_opstate all = {.arena = a};
    WR_TRY(wr_opstate_redistribute(ctx, old, op->subtask_count, subtask, parallelism, &all));
    for (uint32_t k = 0; k < all.lists.count; k++)
        if (all.lists.items[k].mode != WR_OPSTATE_LIST &&
            !wr_list_push(a, &out->lists, all.lists.items[k]))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

wr_status
wri_restore_inst(wr_ctx *ctx, wr_job *job, wri_inst *inst)
{
    if (!job->restored || !inst->op) return WR_OK;
    wr_arena *a = inst->task->arena;
    const wr_ckpt_operator *op = wr_ckpt_find(job->restored->meta, job->ids[inst->node->id - 1]);
    wr_opstate ops = {.arena = a};
    if (op) WR_TRY(share(ctx, op, inst->task->subtask, inst->task->vertex->parallelism, a, &ops));
    wr_os_crash_point("restore");
    return inst->op->ops->restore(ctx, inst->op, &ops);
}
