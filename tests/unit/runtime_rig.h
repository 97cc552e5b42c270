/* SPDX-License-Identifier: Apache-2.0 */
/* A rig for runtime tests: hand-made plans over sources and sinks that belong to the test.
 *
 *     job_rig r; job_rig_open(&r);
 *     wr_pnode *s = rig_scan(&r, steps, splits);       each split goes through the same steps
 *     wr_pnode *x = rig_exchange(&r, s, WR_DIST_HASH);  on column 0
 *     rig_sink(&r, rig_union(&r, x, NULL), &seen);
 *     CHECK_OK(&r.ctx, job_rig_run(&r));
 *
 * All rows are (k BIGINT, v BIGINT, s STRING). Sources count v up from 0 per split; k = v mod keys.
 */
#ifndef WR_TESTS_RUNTIME_RIG_H
#define WR_TESTS_RUNTIME_RIG_H

#include <stdlib.h>

#include "expr/expr.h"
#include "os/os.h"
#include "runtime/runtime.h"
#include "spi/registry.h"
#include "state/state.h"
#include "unit/check.h"
#include "unit/runtime_rig_tables.h"

/* ---- plans ----------------------------------------------------------------------------------- */
static inline void
job_rig_open(job_rig *r)
{
    memset(r, 0, sizeof *r);
    wr_ctx_init(&r->ctx);
    if (!wr_find_state(WR_STR("hashmap"))) (void)!wr_register_state(&wr_state_hashmap_ops);
    r->budget = wr_memtrack_create(NULL, "rig", 0);
    r->arena = wr_arena_create(r->budget, 0);
    wr_os_mutex_init(&r->mutex);
    r->keys = 100;
    r->fields[0] = (wr_field){.name = WR_STR("k"), .type = wr_type_of(WR_T_BIGINT, true)};
    r->fields[1] = (wr_field){.name = WR_STR("v"), .type = wr_type_of(WR_T_BIGINT, true)};
    r->fields[2] = (wr_field){.name = WR_STR("s"), .type = wr_type_string(true)};
    r->schema = (wr_schema){.fields = r->fields, .count = 3};
    r->plan.nodes = r->nodes;
    r->plan.roots = r->roots;
    r->env = (wr_job_env){.config = &r->config,
                          .eval = &r->eval,
                          .budget = r->budget,
                          .parallelism = 1,
                          .flush_after_ms = 5};
}
/* Ends the job and asserts that nothing is left in the budget. */
static inline void
job_rig_close(job_rig *r)
{
    wr_job_destroy(r->job);
    wr_os_mutex_deinit(&r->mutex);
    wr_arena_destroy(r->arena);
    wr_memtrack_destroy(r->budget);
}

static inline wr_pnode *
rig_node(job_rig *r, wr_pkind kind, wr_pnode *a, wr_pnode *b)
{
    wr_pnode *n = WR_NEW(r->arena, wr_pnode);
    n->kind = (uint8_t)kind;
    n->schema = r->schema;
    n->inputs = WR_NEW_N(r->arena, wr_pnode *, 2);
    n->inputs[0] = a;
    n->inputs[1] = b;
    n->input_count = (uint32_t)(a != NULL) + (uint32_t)(b != NULL);
    n->changelog = WR_CL_INSERT_ONLY;
    n->label = wr_str_c(wr_pkind_name(kind));
    r->nodes[r->plan.node_count++] = n;
    n->id = r->plan.node_count;
    return n;
}
static inline rig_table *
rig_new_table(job_rig *r)
{
    rig_table *t = WR_NEW(r->arena, rig_table);
    t->rig = r;
    t->desc.id.name = WR_STR("rig");
    return t;
}
static inline rig_table *
rig_table_of(wr_pnode *scan)
{
    return (rig_table *)(uintptr_t)scan->u.scan.spec.table;
}
static inline wr_pnode *
rig_scan(job_rig *r, const rig_step *steps, uint32_t splits)
{
    rig_table *t = rig_new_table(r);
    wr_pnode *n = rig_node(r, WR_P_SCAN, NULL, NULL);
    t->steps = steps;
    t->splits = splits;
    n->u.scan.source = &rig_source;
    n->u.scan.spec.table = &t->desc;
    n->u.scan.spec.columns = r->schema;
    n->u.scan.info.bounded = true;
    n->u.scan.info.row_count = -1;
    return n;
}
static inline wr_pnode *
rig_exchange(job_rig *r, wr_pnode *in, wr_dist dist)
{
    static const uint32_t key[] = {0};
    wr_pnode *n = rig_node(r, WR_P_EXCHANGE, in, NULL);
    n->u.exchange.dist = (uint8_t)dist;
    n->u.exchange.keys = key;
    n->u.exchange.key_count = dist == WR_DIST_HASH;
    return n;
}
static inline wr_pnode *
rig_union(job_rig *r, wr_pnode *a, wr_pnode *b)
{
    return rig_node(r, WR_P_UNION, a, b);
}
/* Watermarks come from the source; idle_ms > 0: it goes idle by itself. */
static inline wr_pnode *
rig_watermarks(job_rig *r, wr_pnode *in, int64_t idle_ms)
{
    wr_pnode *n = rig_node(r, WR_P_WATERMARK, in, NULL);
    n->u.watermark.source_watermark = true;
    n->u.watermark.idle_ms = idle_ms;
    return n;
}
/* `times` copies of every row: an operator that can be pending. */
static inline wr_pnode *
rig_expand(job_rig *r, wr_pnode *in, uint32_t times)
{
    wr_pnode *n = rig_node(r, WR_P_EXPAND, in, NULL);
    n->u.expand.set_count = times;
    n->u.expand.rows = WR_NEW_N(r->arena, wr_expr **, times);
    for (uint32_t i = 0; i < times; i++) {
        n->u.expand.rows[i] = WR_NEW_N(r->arena, wr_expr *, 3);
        for (uint32_t c = 0; c < 3; c++)
            n->u.expand.rows[i][c] = wr_expr_column(r->arena, c, r->fields[c].type, WR_NO_SPAN);
    }
    return n;
}
static inline wr_pnode *
rig_sink(job_rig *r, wr_pnode *in, rig_seen *seen)
{
    rig_table *t = rig_new_table(r);
    wr_pnode *n = rig_node(r, WR_P_SINK, in, NULL);
    memset(seen->last_of_key, 0xff, sizeof seen->last_of_key);
    for (uint32_t i = 0; i < 64; i++) seen->last_mark[i] = INT64_MIN;
    t->seen = seen;
    n->u.sink.sink = &rig_sink_ops;
    n->u.sink.spec.table = &t->desc;
    n->u.sink.spec.columns = r->schema;
    n->u.sink.spec.changelog = WR_CL_INSERT_ONLY;
    r->roots[r->plan.root_count++] = n;
    return n;
}

/* ---- running --------------------------------------------------------------------------------- */
static inline wr_status
job_rig_create(job_rig *r)
{
    return wr_job_create(&r->ctx, &r->plan, &r->env, &r->job);
}
static inline wr_status
job_rig_run(job_rig *r)
{
    WR_TRY(job_rig_create(r));
    return wr_job_run(&r->ctx, r->job);
}
static inline int64_t
rig_now_ms(void)
{
    return wr_os_now_ns() / 1000000;
}

#endif
