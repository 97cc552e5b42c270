/* SPDX-License-Identifier: Apache-2.0 */
/* Commits: what the sinks prepared for a checkpoint becomes visible, once it is published. A SINK
 * keeps what is to be committed in its operator state: list "committables", items of the
 * checkpoint's number (8 bytes, little endian) and the connector's bytes. thread: coordinator, or
 * whoever makes the job */
#include "runtime/runtime_int.h"

typedef struct item {
    uint64_t id;
    wr_str bytes;
} item;

static uint64_t
id_of(wr_str bytes)
{
    uint64_t id = 0;
    for (int i = 0; i < 8; i++) id |= (uint64_t)(uint8_t)bytes.ptr[i] << (8 * i);
    return id;
}

/* Ordered by checkpoint; those of one in the order of the subtasks. */
static void
insert(item *list, uint32_t count, item x)
{
    uint32_t at = count;
    for (; at > 0 && list[at - 1].id > x.id; at--) list[at] = list[at - 1];
    list[at] = x;
}

/* What is not committed yet. */
static wr_status
collect(wr_ctx *ctx, const wr_ckpt_operator *op, uint64_t committed, wr_arena *a, item **out,
        uint32_t *count)
{
    uint64_t room = 1;
    for (uint32_t i = 0; i < op->subtask_count; i++) {
        const wr_opstate_list *l = wr_opstate_find(&op->subtasks[i].ops, "committables");
        if (l) room += l->items.count;
    }
    *out = WR_NEW_N(a, item, room);
    WR_TRY_ALLOC(ctx, *out);
    *count = 0;
    for (uint32_t i = 0; i < op->subtask_count; i++) {
        const wr_opstate_list *l = wr_opstate_find(&op->subtasks[i].ops, "committables");
        for (uint32_t k = 0; l && k < l->items.count; k++) {
            wr_str s = l->items.items[k];
            if (s.len < 8)
                return wr_raise(ctx, WR_CORRUPT, "a committable of %.*s is malformed",
                                WR_STR_ARG(op->name));
            item x = {.id = id_of(s), .bytes = {s.ptr + 8, s.len - 8}};
            if (x.id > committed && x.bytes.len) insert(*out, (*count)++, x);
        }
    }
    return WR_OK;
}

static wr_status
commit_sink(wr_ctx *ctx, wr_job *job, const wri_vertex *v, const wr_pnode *n,
            const wr_ckpt_operator *op, uint64_t id, bool end, wr_arena *a)
{
    item *items = NULL;
    uint32_t count = 0;
    WR_TRY(collect(ctx, op, job->coord.committed, a, &items, &count));
    wr_str *bytes = WR_NEW_N(a, wr_str, count + 1);
    WR_TRY_ALLOC(ctx, bytes);
    for (uint32_t i = 0; i < count; i++) bytes[i] = items[i].bytes;
    wr_sink_env env = job->sink_env;
    env.arena = a;
    env.budget = job->budget;
    env.parallelism = v->parallelism;
    env.operator_id = job->ids[n->id - 1];
    wr_commit c = {
        .checkpoint_id = id, .committables = bytes, .count = count, .end = end, .env = &env};
    wr_os_crash_point("in-commit");
    return n->u.sink.sink->commit(ctx, &n->u.sink.spec, &c);
}

wr_status
wri_commit_sinks(wr_ctx *ctx, wr_job *job, const wr_ckpt_meta *m, uint64_t id, bool end)
{
    wr_arena *a = wr_arena_create(job->budget, 0);
    WR_TRY_ALLOC(ctx, a);
    wr_status status = WR_OK;
    wr_os_crash_point("before-commit");
    for (uint32_t i = 0; i < job->graph.vertex_count; i++) {
        const wri_vertex *v = &job->graph.vertices[i];
        for (uint32_t k = 0; k < v->node_count && status == WR_OK; k++) {
            const wr_pnode *n = v->nodes[k];
            if (n->kind != WR_P_SINK || !n->u.sink.sink->commit) continue;
            const wr_ckpt_operator *op = wr_ckpt_find(m, job->ids[n->id - 1]);
            if (op) status = commit_sink(ctx, job, v, n, op, id, end, a);
            if (status != WR_OK) wr_frame(ctx, "committing %.*s", WR_STR_ARG(n->label));
        }
    }
    wr_arena_destroy(a);
    WR_TRY(status);
    job->coord.committed = id;
    wr_os_crash_point("after-commit");
    return WR_OK;
}
