/* SPDX-License-Identifier: Apache-2.0 */
/* A rig for operator tests: a hand-made plan node, inputs written as text, a recording emitter.
 *
 *     rig r; rig_open(&r); r.node = ...; rig_start(&r);
 *     rig_rows(&r, 0, "+I[a, 5] -U[a, 5] +U[a, null]");   a row's kind, then its fields
 *     rig_watermark(&r, 5000);
 *     rig_finish(&r);
 *     CHECK_EQ_STR(rig_output(&r), "+I[a, 5] ...");
 *
 * r.chunk: rows per batch (0: all in one). r.full_every: the emitter says full after so many
 * batches until the operator was resumed, 0: never. */
#ifndef WR_TESTS_OP_RIG_H
#define WR_TESTS_OP_RIG_H

#include "op/op.h"
#include "state/state.h"
#include "unit/check.h"

#include <stdlib.h>

#define RIG_INPUTS 3
typedef struct rig rig;
struct rig {
    wr_emitter emit; /* first */
    wr_ctx ctx;
    wr_memtrack *budget;
    wr_arena *arena;
    wr_batch_pool *pool;
    wr_state_backend *state;
    wr_op_env env;
    wr_eval_env eval;
    wr_pnode node, inputs[RIG_INPUTS];
    wr_pnode *input_list[RIG_INPUTS];
    wr_op *op;
    const wr_op_ops *plain_ops; /* of an operator that no node has; NULL: the node's */
    int64_t now_ms, timer_ms;
    uint32_t chunk, full_every, pushed;
    wr_text out;
    wr_text script; /* what was fed */
    bool show_watermarks, failed, checked;
    /* fault mode: the fail_nth-th allocation of operator call fail_call fails; nothing is printed
     */
    uint32_t fail_nth, fail_call, calls;
    bool fail_hit;
    void (*after_batch)(rig *r); /* see op_rig_restart.h */
    uint32_t restart_every, batches;
    uint8_t snapshot_kind; /* wr_snapshot_kind */
};

/* ---- printing -------------------------------------------------------------------------------- */
static inline void
rig_print_value(rig *r, const wr_vec *v, uint32_t row, wr_text *t)
{
    wr_value x;
    if (!wr_vec_get(v, row, r->arena, &x)) abort();
    if (x.is_null) {
        wr_text_puts(t, "null");
        return;
    }
    switch (v->phys) {
    case WR_PHYS_BOOL:
        wr_text_puts(t, x.u.b ? "true" : "false");
        break;
    case WR_PHYS_F32:
        wr_text_printf(t, "%g", (double)x.u.f32);
        break;
    case WR_PHYS_F64:
        wr_text_printf(t, "%g", x.u.f64);
        break;
    case WR_PHYS_STR:
        wr_text_put(t, x.u.str.ptr, x.u.str.len);
        break;
    default:
        wr_text_printf(t, "%lld", (long long)x.u.i);
        break;
    }
}

static inline void
rig_print_batch(rig *r, const wr_batch *b)
{
    WR_FOR_ROWS (b, row) {
        if (r->out.len) wr_text_putc(&r->out, ' ');
        wr_text_printf(&r->out, "%s[", wr_kind_name(wr_batch_kind(b, row)));
        for (uint32_t c = 0; c < b->col_count; c++) {
            if (c) wr_text_puts(&r->out, ", ");
            rig_print_value(r, &b->cols[c], row, &r->out);
        }
        wr_text_putc(&r->out, ']');
    }
}

static inline wr_status
rig_push(wr_ctx *ctx, wr_emitter *e, wr_batch *take_batch)
{
    (void)ctx;
    rig *r = (rig *)(void *)e;
    if (!r->fail_nth) rig_print_batch(r, take_batch);
    r->pushed++;
    wr_batch_release(take_batch);
    return WR_OK;
}
static inline wr_status
rig_push_watermark(wr_ctx *ctx, wr_emitter *e, int64_t watermark)
{
    (void)ctx;
    rig *r = (rig *)(void *)e;
    if (r->show_watermarks && !r->fail_nth)
        wr_text_printf(&r->out, "%sW%lld", r->out.len ? " " : "", (long long)watermark);
    return WR_OK;
}
static inline bool
rig_full(const wr_emitter *e)
{
    const rig *r = (const rig *)(const void *)e;
    return r->full_every && r->pushed >= r->full_every;
}
static inline wr_status
rig_timer(wr_op_env *env, int64_t time_ms)
{
    rig *r = env->task;
    if (!r->timer_ms || time_ms < r->timer_ms) r->timer_ms = time_ms;
    return WR_OK;
}

/* ---- setting up ------------------------------------------------------------------------------ */
static inline void
rig_open(rig *r)
{
    memset(r, 0, sizeof *r);
    wr_ctx_init(&r->ctx);
    r->budget = wr_memtrack_create(NULL, "rig", 0);
    r->arena = wr_arena_create(r->budget, 0);
    r->pool = wr_batch_pool_create(r->budget);
    CHECK_OK(&r->ctx, wr_state_hashmap_ops.open(&r->ctx, NULL, r->budget, 0, 127, 128, &r->state));
    r->now_ms = 1000;
    r->env = (wr_op_env){.arena = r->arena,
                         .pool = r->pool,
                         .budget = r->budget,
                         .eval = &r->eval,
                         .state = r->state,
                         .parallelism = 1,
                         .max_parallelism = 128,
                         .now_ms = &r->now_ms,
                         .timer = rig_timer,
                         .task = r};
    r->emit = (wr_emitter){rig_push, rig_push_watermark, rig_full};
    wr_text_init(&r->out, r->arena);
    wr_text_init(&r->script, r->arena);
    for (int i = 0; i < RIG_INPUTS; i++) r->input_list[i] = &r->inputs[i];
    r->node.inputs = r->input_list;
    r->node.input_count = 1;
    r->node.logical_id = WR_STR("node");
    r->node.label = WR_STR("Node");
    r->checked = true;
}

static inline const wr_type *
rig_type(const char *name)
{
    switch (name[0]) {
    case 'I':
        return wr_type_of(WR_T_INT, true);
    case 'L':
        return wr_type_of(WR_T_BIGINT, true);
    case 'D':
        return wr_type_of(WR_T_DOUBLE, true);
    case 'B':
        return wr_type_of(WR_T_BOOLEAN, true);
    default:
        return wr_type_string(true);
    }
}

/* "k S, v I": names and types (S string, I int, L bigint, D double, B boolean). */
static inline wr_schema
rig_schema(rig *r, const char *text)
{
    wr_field *f = WR_NEW_N(r->arena, wr_field, 32);
    uint32_t n = 0;
    while (*text) {
        const char *space = strchr(text, ' ');
        f[n].name = (wr_str){text, (size_t)(space - text)};
        f[n++].type = rig_type(space + 1);
        text = space + 2;
        while (*text == ',' || *text == ' ') text++;
    }
    return (wr_schema){f, n};
}

static inline uint32_t *
rig_cols(rig *r, uint32_t n, uint32_t a, uint32_t b)
{
    uint32_t *c = WR_NEW_N(r->arena, uint32_t, 4);
    c[0] = a;
    if (n > 1) c[1] = b;
    return c;
}

static inline void
rig_before(rig *r)
{
    if (r->fail_nth && r->calls++ == r->fail_call) wr_mem_fail_after(r->fail_nth);
}
static inline wr_status
rig_after(rig *r, wr_status status)
{
    if (!r->fail_nth || r->calls != r->fail_call + 1) return status;
    r->fail_hit = wr_mem_fail_hit();
    wr_mem_fail_after(0);
    CHECK_MSG((status == WR_NOMEM) == r->fail_hit, "allocation %u of call %u: status %s",
              r->fail_nth, r->fail_call, wr_status_name(status));
    return status;
}
#define RIG_CALL(r, expr) (rig_before(r), rig_after((r), (expr)))

static inline void
rig_start(rig *r)
{
    const wr_op_ops *ops = r->plain_ops ? r->plain_ops
                           : r->checked ? wr_op_checked_ops_of(&r->node)
                                        : wr_op_plain_ops_of(&r->node);
    r->op = wr_arena_zalloc(r->arena, ops->size_bytes);
    r->op->ops = ops;
    r->op->node = &r->node;
    r->op->env = &r->env;
    r->op->input_count = r->node.input_count;
    if (RIG_CALL(r, ops->open(&r->ctx, r->op)) != WR_OK) r->failed = true;
    CHECK_MSG(!r->failed || r->fail_nth, "%s", r->ctx.err.message);
}

/* ---- feeding --------------------------------------------------------------------------------- */
static inline void
rig_settle(rig *r, wr_status status)
{
    if (status != WR_OK) r->failed = true;
    while (!r->failed && r->op->pending) {
        r->op->pending = false;
        r->pushed = 0;
        if (RIG_CALL(r, r->op->ops->on_resume(&r->ctx, r->op, &r->emit)) != WR_OK) r->failed = true;
    }
    r->pushed = 0;
}

static inline void
rig_put(rig *r, wr_batch *b, uint32_t col, uint32_t row, const char *text, size_t len)
{
    (void)r;
    wr_vec *v = &b->cols[col];
    char buf[256];
    memcpy(buf, text, len);
    buf[len] = 0;
    wr_value x = {.type = v->type};
    if (strcmp(buf, "null") == 0)
        x.is_null = true;
    else if (v->phys == WR_PHYS_STR)
        x.u.str = (wr_str){text, len};
    else if (v->phys == WR_PHYS_F64)
        x.u.f64 = strtod(buf, NULL);
    else if (v->phys == WR_PHYS_BOOL)
        x.u.b = buf[0] == 't';
    else
        x.u.i = strtoll(buf, NULL, 10);
    if (!wr_vec_put(v, row, &x, b->arena)) abort();
}

static inline const char *
rig_parse_row(rig *r, wr_batch *b, uint8_t *kinds, uint32_t row, const char *p)
{
    static const char *const names[] = {"+I", "-U", "+U", "-D"};
    for (uint8_t k = 0; k < 4; k++)
        if (strncmp(p, names[k], 2) == 0) kinds[row] = k;
    p = strchr(p, '[') + 1;
    for (uint32_t c = 0; c < b->col_count; c++) {
        size_t len = strcspn(p, ",]");
        rig_put(r, b, c, row, p, len);
        p += len + 1;
        while (*p == ' ') p++;
    }
    return p;
}

static inline void
rig_feed(rig *r, uint32_t input, const char *text, uint32_t rows)
{
    const wr_schema *schema = &r->inputs[input].schema;
    wr_batch *b = wr_batch_acquire(r->pool, schema->count);
    if (!wr_batch_init_flat(b, schema, rows)) abort();
    uint8_t *kinds = wr_batch_kinds(b, rows);
    for (uint32_t i = 0; i < rows; i++) text = rig_parse_row(r, b, kinds, i, text);
    bool plain = true;
    for (uint32_t i = 0; i < rows; i++) plain &= kinds[i] == WR_INSERT;
    if (plain) b->kind = NULL;
    b->row_count = rows;
    rig_settle(r, RIG_CALL(r, r->op->ops->on_batch(&r->ctx, r->op, input, b, &r->emit)));
    if (r->after_batch && !r->failed) r->after_batch(r);
}

static inline void
rig_rows(rig *r, uint32_t input, const char *text)
{
    while (!r->failed && *text) {
        uint32_t n = 0;
        const char *p = text;
        while (*p && (r->chunk == 0 || n < r->chunk)) {
            p = strchr(p, ']') + 1;
            while (*p == ' ') p++;
            n++;
        }
        rig_feed(r, input, text, n);
        text = p;
    }
}

static inline void
rig_watermark(rig *r, int64_t watermark)
{
    if (r->failed) return;
    int64_t forward = watermark;
    rig_settle(
        r, RIG_CALL(r, r->op->ops->on_watermark(&r->ctx, r->op, watermark, &r->emit, &forward)));
}

static inline void
rig_finish(rig *r)
{
    for (uint32_t i = 0; i < r->node.input_count && !r->failed; i++)
        rig_settle(r, RIG_CALL(r, r->op->ops->on_end_input(&r->ctx, r->op, i, &r->emit)));
    rig_watermark(r, INT64_MAX);
    if (!r->failed) rig_settle(r, RIG_CALL(r, r->op->ops->on_end(&r->ctx, r->op, &r->emit)));
}

static inline const char *
rig_output(rig *r)
{
    if (r->failed) return r->ctx.err.message;
    wr_text_putc(&r->out, 0);
    r->out.len--;
    return r->out.ptr;
}

static inline void
rig_close(rig *r)
{
    if (r->op) r->op->ops->close(r->op);
    wr_state_hashmap_ops.close(r->state);
    wr_batch_pool_destroy(r->pool);
    wr_arena_destroy(r->arena);
    wr_memtrack_destroy(r->budget);
}

/* Run a whole case once per allocation of the operator, with that one failing: it must be told, and
 * nothing may be lost (the budget's end checks that). `run` sets up, feeds and finishes. */
static inline void
rig_check_faults(void (*run)(rig *r, const void *arg), const void *arg)
{
    for (uint32_t call = 0, reached = 1; reached; call++) {
        for (uint32_t nth = 1;; nth += nth < 40 ? 1 : 9) {
            rig r;
            rig_open(&r);
            r.fail_call = call;
            r.fail_nth = nth;
            run(&r, arg);
            const bool hit = r.fail_hit;
            reached = r.calls > call;
            rig_close(&r);
            if (!hit) break;
        }
    }
}

#endif
