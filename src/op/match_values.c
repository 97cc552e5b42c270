/* SPDX-License-Identifier: Apache-2.0 */
/* What references are, for many matches at once: a column of rows picked from the run, or an
 * aggregate over rows that chains of nodes lead to. Conditions and measures are then run over these
 * columns like any expression over a batch. */
#include "op/match_int.h"

/* ---- opening --------------------------------------------------------------------------------- */
static void
mark_refs(const wr_expr *e, bool *used)
{
    if (e->kind == WR_EX_COLUMN) used[e->index] = true;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (e->args[i]) mark_refs(e->args[i], used);
}

static wr_status
open_cond(wr_ctx *ctx, wri_match_op *m, uint32_t elem)
{
    wr_arena *a = m->op.env->arena;
    const uint32_t n = m->spec->define_ref_count;
    wr_expr *cond = m->spec->elems[elem].cond;
    wri_match_cond *c = &m->conds[elem];
    bool *used = WR_NEW_N(a, bool, n + 1);
    uint32_t *refs = WR_NEW_N(a, uint32_t, n + 1);
    WR_TRY_ALLOC(ctx, used);
    WR_TRY_ALLOC(ctx, refs);
    if (!cond) return WR_OK;
    mark_refs(cond, used);
    for (uint32_t i = 0; i < n; i++)
        if (used[i]) refs[c->ref_count++] = i;
    c->refs = refs;
    return wri_op_compile(ctx, &m->op, &cond, 1, &c->program);
}

wr_status
wri_match_values_open(wr_ctx *ctx, wri_match_op *m)
{
    const wr_match_spec *spec = m->spec;
    m->conds = WR_NEW_N(m->op.env->arena, wri_match_cond, spec->elem_count + 1);
    WR_TRY_ALLOC(ctx, m->conds);
    for (uint32_t i = 0; i < spec->elem_count; i++) WR_TRY(open_cond(ctx, m, i));
    WR_TRY(wri_op_compile(ctx, &m->op, spec->kept, spec->kept_count, &m->kept));
    return wri_op_compile(ctx, &m->op, spec->measures, spec->measure_count, &m->measures);
}

void
wri_match_values_close(wri_match_op *m)
{
    for (uint32_t i = 0; m->conds && i < m->spec->elem_count; i++)
        wr_program_close(m->conds[i].program);
    wr_program_close(m->kept);
    wr_program_close(m->measures);
}

/* ---- rows of a chain ------------------------------------------------------------------------- */
typedef struct chain { /* the nodes of a match so far, and the row that is being looked at */
    uint32_t node;
    uint32_t current; /* a row of the run, which counts as one of `elem`; NONE */
    uint32_t elem;
} chain;

static bool
has(uint64_t vars, uint32_t elem)
{
    return vars >> elem & 1;
}

/* The row `offset` before the last one of `vars`. */
static uint32_t
last_row(const wri_match_run *run, const chain *c, uint64_t vars, uint32_t offset)
{
    if (c->current != WRI_MATCH_NONE && has(vars, c->elem) && offset-- == 0) return c->current;
    for (uint32_t at = c->node; at != WRI_MATCH_NONE; at = run->nodes[at].prev)
        if (has(vars, run->nodes[at].elem) && offset-- == 0) return run->nodes[at].row;
    return WRI_NO_ROW;
}

static uint32_t
count_rows(const wri_match_run *run, const chain *c, uint64_t vars)
{
    uint32_t n = c->current != WRI_MATCH_NONE && has(vars, c->elem);
    for (uint32_t at = c->node; at != WRI_MATCH_NONE; at = run->nodes[at].prev)
        n += has(vars, run->nodes[at].elem);
    return n;
}

static uint32_t
first_row(const wri_match_run *run, const chain *c, uint64_t vars, uint32_t offset)
{
    const uint32_t n = count_rows(run, c, vars);
    return offset < n ? last_row(run, c, vars, n - 1 - offset) : WRI_NO_ROW;
}

/* In order; room for as many as count_rows says. */
static uint32_t
list_rows(const wri_match_run *run, const chain *c, uint64_t vars, uint32_t *rows)
{
    const uint32_t n = count_rows(run, c, vars);
    uint32_t i = n;
    if (c->current != WRI_MATCH_NONE && has(vars, c->elem)) rows[--i] = c->current;
    for (uint32_t at = c->node; at != WRI_MATCH_NONE; at = run->nodes[at].prev)
        if (has(vars, run->nodes[at].elem)) rows[--i] = run->nodes[at].row;
    return n;
}

/* ---- aggregates ------------------------------------------------------------------------------ */
typedef struct groups { /* rows of n chains, one chain after the other */
    uint32_t *rows, *slots;
    uint8_t **recs;  /* per row */
    uint8_t **bases; /* per chain */
    uint32_t count;
} groups;

static wr_status
collect(wr_ctx *ctx, wri_match_op *m, const wr_match_ref *ref, const chain *chains, uint32_t n,
        wr_arena *a, groups *g)
{
    const wr_agg_ops *ops = ref->agg.ops;
    const size_t stride = ((size_t)ops->state_bytes + 15) / 16 * 16;
    uint64_t total = 0;
    for (uint32_t i = 0; i < n; i++) total += count_rows(&m->run, &chains[i], ref->vars);
    if (total >= UINT32_MAX) return wr_raise(ctx, WR_LIMIT, "too many rows in a match");
    uint8_t *recs = wr_arena_zalloc(a, stride * n + 16);
    g->rows = wr_arena_alloc(a, sizeof *g->rows * (total + 1));
    g->slots = wr_arena_zalloc(a, sizeof *g->slots * (WR_MAX(total, n) + 1));
    g->recs = wr_arena_alloc(a, sizeof *g->recs * (total + 1));
    g->bases = wr_arena_alloc(a, sizeof *g->bases * (n + 1));
    if (!recs || !g->rows || !g->slots || !g->recs || !g->bases) return WRI_NOMEM(ctx);
    recs += (16 - (uintptr_t)recs % 16) % 16;
    for (uint32_t i = 0; i < n; i++) {
        g->bases[i] = recs + stride * i;
        const uint32_t rows = list_rows(&m->run, &chains[i], ref->vars, g->rows + g->count);
        for (uint32_t k = 0; k < rows; k++) g->recs[g->count + k] = g->bases[i];
        g->count += rows;
    }
    return WR_OK;
}

static wr_status
aggregate(wr_ctx *ctx, wri_match_op *m, const wr_match_ref *ref, const chain *chains, uint32_t n,
          wr_arena *a, wr_vec *out)
{
    const wr_agg_bound *b = &ref->agg;
    groups g = {0};
    WR_TRY(collect(ctx, m, ref, chains, n, a, &g));
    const wr_vec **args = wr_arena_alloc(a, sizeof *args * (b->arg_count + 1));
    WR_TRY_ALLOC(ctx, args);
    for (uint32_t i = 0; i < b->arg_count; i++) args[i] = &m->run.rows->cols[b->args[i]];
    wr_agg_call call = {.ctx = ctx,
                        .env = m->op.env->eval,
                        .agg = b,
                        .args = args,
                        .arg_count = b->arg_count,
                        .rows = g.rows,
                        .n = g.count,
                        .recs = g.recs,
                        .slots = g.slots,
                        .table = m->table,
                        .arena = a};
    wr_status status = g.count ? b->ops->update(&call) : WR_OK;
    if (status == WR_OK && !wr_vec_init_flat(out, b->type, n, a)) status = WRI_NOMEM(ctx);
    call.rows = NULL;
    call.n = n;
    call.recs = g.bases;
    call.after = out;
    if (status == WR_OK) status = b->ops->result(&call);
    if (b->ops->clear) b->ops->clear(&call);
    return status;
}

/* ---- references ------------------------------------------------------------------------------ */
static wr_status
pick_rows(wr_ctx *ctx, wri_match_op *m, const wr_match_ref *ref, const chain *chains, uint32_t n,
          wr_arena *a, wr_vec *out)
{
    const wr_vec *src = &m->run.rows->cols[ref->col];
    uint32_t *rows = wr_arena_alloc(a, sizeof *rows * (n + 1));
    WR_TRY_ALLOC(ctx, rows);
    for (uint32_t i = 0; i < n; i++)
        rows[i] = ref->kind == WR_MATCH_FIRST
                      ? first_row(&m->run, &chains[i], ref->vars, ref->offset)
                      : last_row(&m->run, &chains[i], ref->vars, ref->offset);
    if (!wr_vec_init_flat(out, ref->type, n, a) || !wri_vec_gather_or_null(out, src, rows, n, a))
        return WRI_NOMEM(ctx);
    return WR_OK;
}

static wr_status
current_value(wr_ctx *ctx, wri_match_op *m, const wr_match_ref *ref, uint32_t event, uint32_t n,
              wr_arena *a, wr_vec *out)
{
    uint32_t *rows = wr_arena_alloc(a, sizeof *rows * (n + 1));
    WR_TRY_ALLOC(ctx, rows);
    for (uint32_t i = 0; i < n; i++) rows[i] = event;
    if (!wr_vec_gather(out, &m->run.events->cols[ref->col], rows, n, a)) return WRI_NOMEM(ctx);
    return WR_OK;
}

static wr_status
null_column(wr_ctx *ctx, const wr_type *type, wr_arena *a, wr_vec *out)
{
    const wr_value v = wr_value_null(type);
    return wr_vec_init_const(out, &v, a) ? WR_OK : WRI_NOMEM(ctx);
}

static wr_status
times(wr_ctx *ctx, const wr_match_ref *ref, const int64_t *time, uint32_t n, wr_arena *a,
      wr_vec *out)
{
    if (!wr_vec_init_flat(out, ref->type, n, a)) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < n; i++) {
        if (out->phys == WR_PHYS_TS)
            ((wr_ts *)out->data)[i] = (wr_ts){.ms = time[i]};
        else
            ((int64_t *)out->data)[i] = time[i];
    }
    return WR_OK;
}

/* ---- conditions ------------------------------------------------------------------------------ */
/* A row of references: those that the condition does not use are NULL. */
static wr_status
cond_batch(wr_ctx *ctx, wri_match_op *m, wr_arena *a, uint32_t n, wr_batch *out)
{
    const uint32_t refs = m->spec->define_ref_count;
    wr_vec *cols = wr_arena_zalloc(a, sizeof *cols * (refs + 1));
    WR_TRY_ALLOC(ctx, cols);
    for (uint32_t i = 0; i < refs; i++)
        WR_TRY(null_column(ctx, m->spec->define_refs[i].type, a, &cols[i]));
    *out = (wr_batch){.cols = cols, .col_count = refs, .row_count = n};
    return WR_OK;
}

static wr_status
run_cond(wr_ctx *ctx, wri_match_op *m, uint32_t elem, const wr_batch *in, wr_arena *a, uint8_t *out)
{
    const uint32_t n = in->row_count;
    wr_vec value;
    wr_row_errs errs = {.bits = wr_arena_zalloc(a, sizeof(uint64_t) * (WR_BIT_WORDS(n) + 1))};
    WR_TRY_ALLOC(ctx, errs.bits);
    WR_TRY(wr_program_run_errs(ctx, m->conds[elem].program, in, NULL, n, a, &value, &errs));
    const wr_view view = wr_vec_view(&value);
    for (uint32_t i = 0; i < n; i++)
        out[i] = errs.any && wr_bit_get(errs.bits, i)                    ? WRI_COND_ERROR
                 : wr_view_valid(&view, i) && WR_VIEW(&view, uint8_t, i) ? WRI_COND_TRUE
                                                                         : WRI_COND_FALSE;
    return WR_OK;
}

wr_status
wri_match_test_events(wr_ctx *ctx, wri_match_op *m)
{
    wri_match_run *run = &m->run;
    run->holds = wr_arena_zalloc(run->arena, sizeof *run->holds * (m->spec->elem_count + 1));
    WR_TRY_ALLOC(ctx, run->holds);
    if (run->event_count == 0) return WR_OK;
    for (uint32_t i = 0; i < m->spec->elem_count; i++) {
        const wri_match_cond *c = &m->conds[i];
        if (!c->program || m->spec->elems[i].needs_path) continue;
        wr_batch in;
        WR_TRY(cond_batch(ctx, m, run->arena, run->event_count, &in));
        for (uint32_t k = 0; k < c->ref_count; k++)
            in.cols[c->refs[k]] = run->events->cols[m->spec->define_refs[c->refs[k]].col];
        run->holds[i] = wr_arena_alloc(run->arena, run->event_count + 1);
        WR_TRY_ALLOC(ctx, run->holds[i]);
        WR_TRY(run_cond(ctx, m, i, &in, run->arena, run->holds[i]));
    }
    return WR_OK;
}

static wr_status
path_batch(wr_ctx *ctx, wri_match_op *m, uint32_t elem, uint32_t event, const uint32_t *nodes,
           uint32_t n, wr_batch *in)
{
    wr_arena *a = m->event_arena;
    const wri_match_cond *c = &m->conds[elem];
    chain *chains = wr_arena_alloc(a, sizeof *chains * (n + 1));
    WR_TRY_ALLOC(ctx, chains);
    for (uint32_t i = 0; i < n; i++) chains[i] = (chain){nodes[i], m->run.loaded + event, elem};
    WR_TRY(cond_batch(ctx, m, a, n, in));
    for (uint32_t k = 0; k < c->ref_count; k++) {
        const wr_match_ref *ref = &m->spec->define_refs[c->refs[k]];
        wr_vec *out = &in->cols[c->refs[k]];
        const int64_t now = m->run.event_time[event];
        int64_t *time = NULL;
        switch ((wr_match_ref_kind)ref->kind) {
        case WR_MATCH_CURRENT:
            WR_TRY(current_value(ctx, m, ref, event, n, a, out));
            break;
        case WR_MATCH_FIRST:
        case WR_MATCH_LAST:
            WR_TRY(pick_rows(ctx, m, ref, chains, n, a, out));
            break;
        case WR_MATCH_AGG:
            WR_TRY(aggregate(ctx, m, ref, chains, n, a, out));
            break;
        case WR_MATCH_ROWTIME:
        case WR_MATCH_PROCTIME:
            time = wr_arena_alloc(a, sizeof *time * (n + 1));
            WR_TRY_ALLOC(ctx, time);
            for (uint32_t i = 0; i < n; i++)
                time[i] = ref->kind == WR_MATCH_ROWTIME ? now : *m->op.env->now_ms;
            WR_TRY(times(ctx, ref, time, n, a, out));
            break;
        }
    }
    return WR_OK;
}

wr_status
wri_match_test_paths(wr_ctx *ctx, wri_match_op *m, uint32_t elem, uint32_t event,
                     const uint32_t *nodes, uint32_t n, uint8_t *out)
{
    wr_batch in;
    if (n == 0) return WR_OK;
    WR_TRY(path_batch(ctx, m, elem, event, nodes, n, &in));
    return run_cond(ctx, m, elem, &in, m->event_arena, out);
}

wr_status
wri_match_raise(wr_ctx *ctx, wri_match_op *m, uint32_t elem, uint32_t event, uint32_t node)
{
    wr_batch in;
    wr_vec value;
    WR_TRY(path_batch(ctx, m, elem, event, &node, 1, &in));
    WR_TRY(wr_program_run(ctx, m->conds[elem].program, &in, NULL, 1, m->event_arena, &value));
    return wr_raise(ctx, WR_DATA, "Failure happened in filter function.");
}

/* ---- measures -------------------------------------------------------------------------------- */
static wr_status
measure_ref(wr_ctx *ctx, wri_match_op *m, const wr_match_ref *ref, const chain *chains,
            const int64_t *time, uint32_t n, wr_arena *a, wr_vec *out)
{
    int64_t *now = NULL;
    switch ((wr_match_ref_kind)ref->kind) {
    case WR_MATCH_FIRST:
    case WR_MATCH_LAST:
    case WR_MATCH_CURRENT:
        return pick_rows(ctx, m, ref, chains, n, a, out);
    case WR_MATCH_AGG:
        return aggregate(ctx, m, ref, chains, n, a, out);
    case WR_MATCH_ROWTIME:
        return times(ctx, ref, time, n, a, out);
    case WR_MATCH_PROCTIME:
        now = wr_arena_alloc(a, sizeof *now * (n + 1));
        WR_TRY_ALLOC(ctx, now);
        for (uint32_t i = 0; i < n; i++) now[i] = *m->op.env->now_ms;
        return times(ctx, ref, now, n, a, out);
    }
    WR_UNREACHABLE();
}

static wr_status
fill_refs(wr_ctx *ctx, wri_match_op *m, uint32_t from, uint32_t n, wr_batch *refs)
{
    const wr_match_spec *spec = m->spec;
    chain *chains = wr_arena_alloc(refs->arena, sizeof *chains * (n + 1));
    int64_t *time = wr_arena_alloc(refs->arena, sizeof *time * (n + 1));
    WR_TRY_ALLOC(ctx, chains);
    WR_TRY_ALLOC(ctx, time);
    for (uint32_t i = 0; i < n; i++) {
        const wri_match_result *r = &m->run.results.items[from + i];
        chains[i] = (chain){r->node, WRI_MATCH_NONE, 0};
        time[i] = r->time;
    }
    for (uint32_t i = 0; i < spec->measure_ref_count; i++)
        WR_TRY(measure_ref(ctx, m, &spec->measure_refs[i], chains, time, n, refs->arena,
                           &refs->cols[i]));
    refs->row_count = n;
    return WR_OK;
}

wr_status
wri_match_measure(wr_ctx *ctx, wri_match_op *m, uint32_t from, uint32_t n, wr_batch **out)
{
    const wr_match_spec *spec = m->spec;
    const uint32_t keys = spec->partition_count, all = spec->measure_ref_count;
    wr_batch *refs = wr_batch_acquire(m->op.env->pool, all);
    *out = wr_batch_acquire(m->op.env->pool, m->op.node->schema.count);
    wr_status status = refs && *out ? WR_OK : WRI_NOMEM(ctx);
    if (status == WR_OK && !wr_batch_keep(refs, m->run.rows)) status = WRI_NOMEM(ctx);
    if (status == WR_OK) status = fill_refs(ctx, m, from, n, refs);
    if (status == WR_OK)
        status =
            wr_program_run(ctx, m->measures, refs, NULL, n, (*out)->arena, (*out)->cols + keys);
    if (status == WR_OK && !wr_batch_keep(*out, refs)) status = WRI_NOMEM(ctx);
    for (uint32_t i = 0; status == WR_OK && i < keys; i++)
        (*out)->cols[i] = refs->cols[all - keys + i];
    if (status == WR_OK) (*out)->row_count = n;
    wr_batch_release(refs);
    if (status != WR_OK) {
        wr_batch_release(*out);
        *out = NULL;
    }
    return status;
}
