/* SPDX-License-Identifier: Apache-2.0 */
/* Which tables an operator would open: it is opened over a backend that does nothing but note them
 * down, and closed again. */
#include "op/op_int.h"
#include "plan/window.h"

typedef struct noted {
    wr_state_table table; /* first */
    int32_t index;
} noted;

typedef struct notes {
    wr_state_backend backend; /* first */
    wr_arena *arena;
    WR_LIST(wr_state_table_info) tables;
} notes;

static wr_status
note_table(wr_ctx *ctx, wr_state_backend *b, const wr_state_desc *desc, wr_state_table **out)
{
    notes *n = (notes *)(void *)b;
    noted *t = WR_NEW(n->arena, noted);
    wr_state_table_info info;
    WR_TRY_ALLOC(ctx, t);
    const int32_t parent = desc->parent ? ((const noted *)(const void *)desc->parent)->index : -1;
    WR_TRY(wr_state_describe(ctx, n->arena, desc, parent, &info));
    *t = (noted){.table = {.ops = b->ops, .backend = b}, .index = (int32_t)n->tables.count};
    if (!wr_list_push(n->arena, &n->tables, info)) return WRI_NOMEM(ctx);
    *out = &t->table;
    return WR_OK;
}

static const wr_state_ops note_ops = {.abi = WR_ABI, .name = "notes", .table_open = note_table};

/* Operators that open tables; the others may do more when they are opened. */
static bool
has_tables(const wr_pnode *n)
{
    switch ((int)n->kind) {
    case WR_P_GROUP_AGG:
    case WR_P_WINDOW_AGG:
    case WR_P_WINDOW_JOIN:
    case WR_P_WINDOW_RANK:
    case WR_P_WINDOW_DEDUPLICATE:
    case WR_P_OVER_AGG:
    case WR_P_RANK:
    case WR_P_DEDUPLICATE:
    case WR_P_JOIN:
    case WR_P_MULTI_JOIN:
    case WR_P_INTERVAL_JOIN:
    case WR_P_TEMPORAL_JOIN:
    case WR_P_CHANGELOG_NORMALIZE:
    case WR_P_SINK_MATERIALIZE:
    case WR_P_LIMIT:
    case WR_P_SORT:
    case WR_P_SORT_LIMIT:
    case WR_P_MATCH:
        return true;
    case WR_P_WINDOW_TVF:
        return n->windows[0]->spec.kind == WR_WINDOW_SESSION;
    default:
        return false;
    }
}

wr_status
wr_op_tables(wr_ctx *ctx, wr_arena *a, const wr_pnode *node, const wr_eval_env *eval,
             const wr_config *config, wr_state_table_info **out, uint32_t *count)
{
    notes n = {.backend = {.ops = &note_ops}, .arena = a};
    wr_op_env env = {.arena = a,
                     .eval = eval,
                     .config = config,
                     .state = &n.backend,
                     .parallelism = 1,
                     .max_parallelism = 1};
    *out = NULL;
    *count = 0;
    if (!has_tables(node)) return WR_OK;
    const wr_op_ops *ops = wr_op_plain_ops_of(node);
    wr_op *op = wr_arena_zalloc(a, ops->size_bytes);
    WR_TRY_ALLOC(ctx, op);
    op->ops = ops;
    op->node = node;
    op->env = &env;
    op->input_count = node->input_count;
    const wr_status status = ops->open(ctx, op);
    op->ops->close(op);
    *out = n.tables.items;
    *count = n.tables.count;
    return status;
}
