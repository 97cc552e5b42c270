/* SPDX-License-Identifier: Apache-2.0 */
/* The last touch: a source whose reader can leave columns out (can_skip) is not made to read what
 * no operator looks at, though the plan shows the whole table, as Flink's does; and a condition
 * that the source applies exactly is not tested again. Works on the finished plan, inputs first;
 * labels stay as they are.
 *
 * Columns are followed upwards from such a scan through nodes that hand rows on unchanged, up to
 * the first node that makes rows of its own: a calc, whose expressions are renumbered. Every other
 * node wants all of its input. */
#include "plan/phys_int.h"

typedef struct lean {
    wr_ctx *ctx;
    wri_phys *p;
    wr_plan *plan;
    uint64_t **need; /* per node: columns that are looked at above */
    uint32_t **to;   /* per node: old column -> new; NULL = as it was */
    uint64_t **kept; /* per narrowed node: columns that stay */
} lean;

/* Hands its input's rows on; narrower rows do as well. */
static bool
hands_on(const wr_pnode *n)
{
    switch ((int)n->kind) {
    case WR_P_EXCHANGE:
    case WR_P_WATERMARK:
    case WR_P_DROP_UPDATE_BEFORE:
    case WR_P_SORT:
        return true;
    case WR_P_LIMIT: /* retractions are found by whole rows */
    case WR_P_SORT_LIMIT:
        return n->inputs[0]->changelog == WR_CL_I;
    default:
        return false;
    }
}

static uint32_t
at(const wr_pnode *n)
{
    return n->id - 1;
}

static bool
may_narrow(const wr_pnode *n)
{
    while (hands_on(n)) n = n->inputs[0];
    return n->kind == WR_P_SCAN && n->u.scan.info.can_skip && n->u.scan.spec.filter_count == 0;
}

static void
mark_own(const wr_pnode *n, uint64_t *need)
{
    if (n->kind == WR_P_WATERMARK) {
        wr_bit_set(need, n->u.watermark.col);
        wri_phys_mark(n->u.watermark.expr, need);
    }
    for (uint32_t i = 0; n->kind == WR_P_EXCHANGE && i < n->u.exchange.key_count; i++)
        wr_bit_set(need, n->u.exchange.keys[i]);
    bool sorts = n->kind == WR_P_SORT || n->kind == WR_P_SORT_LIMIT;
    for (uint32_t i = 0; sorts && i < n->u.sort.key_count; i++)
        wr_bit_set(need, n->u.sort.keys[i].col);
}

/* What n needs of its input i. */
static void
mark_input(lean *l, const wr_pnode *n, uint32_t i)
{
    const wr_pnode *in = n->inputs[i];
    uint64_t *need = l->need[at(in)];
    if (n->kind == WR_P_CALC) {
        for (uint32_t c = 0; c < n->schema.count; c++) wri_phys_mark(n->u.calc.exprs[c], need);
        wri_phys_mark(n->u.calc.cond, need);
        return;
    }
    if (!hands_on(n)) {
        for (uint32_t c = 0; c < in->schema.count; c++) wr_bit_set(need, c);
        return;
    }
    for (uint32_t c = 0; c < n->schema.count; c++)
        if (wr_bit_get(l->need[at(n)], c)) wr_bit_set(need, c);
    mark_own(n, need);
}

static void
move_column(void *arg, uint32_t *index)
{
    *index = ((const uint32_t *)arg)[*index];
}

static wr_status
move(lean *l, wr_expr **e, const uint32_t *to)
{
    if (!*e) return WR_OK;
    *e = wr_expr_map_columns(l->p->arena, *e, move_column, (void *)(uintptr_t)to);
    WR_TRY_ALLOC(l->ctx, *e);
    return WR_OK;
}

/* The schema with the needed columns alone. */
static wr_status
narrow_schema(lean *l, wr_pnode *n, const uint64_t *need, uint32_t **to)
{
    uint32_t count = 0;
    wr_field *fields = WR_NEW_N(l->p->arena, wr_field, n->schema.count + 1);
    *to = WR_NEW_N(l->p->arena, uint32_t, n->schema.count + 1);
    WR_TRY_ALLOC(l->ctx, fields);
    WR_TRY_ALLOC(l->ctx, *to);
    for (uint32_t c = 0; c < n->schema.count; c++) {
        if (!wr_bit_get(need, c)) continue;
        fields[count] = n->schema.fields[c];
        (*to)[c] = count++;
    }
    n->schema = (wr_schema){fields, count};
    return WR_OK;
}

static wr_status
narrow_scan(lean *l, wr_pnode *n)
{
    const uint64_t *need = l->need[at(n)];
    wr_source_spec *spec = &n->u.scan.spec;
    uint32_t width = n->schema.count, *to = NULL, full = 0;
    for (uint32_t c = 0; c < width; c++) full += wr_bit_get(need, c);
    if (full == width) return WR_OK;
    int32_t *physical = WR_NEW_N(l->p->arena, int32_t, width + 1);
    const char **metadata = WR_NEW_N(l->p->arena, const char *, width + 1);
    WR_TRY_ALLOC(l->ctx, physical);
    WR_TRY_ALLOC(l->ctx, metadata);
    WR_TRY(narrow_schema(l, n, need, &to));
    for (uint32_t c = 0; c < width; c++) {
        if (!wr_bit_get(need, c)) continue;
        physical[to[c]] = spec->physical[c];
        metadata[to[c]] = spec->metadata ? spec->metadata[c] : NULL;
    }
    spec->columns = n->schema;
    spec->physical = physical;
    if (spec->metadata) spec->metadata = metadata;
    l->to[at(n)] = to;
    l->kept[at(n)] = l->need[at(n)];
    n->upsert_key_count = 0; /* only planning wanted them */
    return WR_OK;
}

static wr_status
move_cols(lean *l, const uint32_t **cols, uint32_t count, const uint32_t *to)
{
    uint32_t *moved = WR_NEW_N(l->p->arena, uint32_t, count + 1);
    WR_TRY_ALLOC(l->ctx, moved);
    for (uint32_t i = 0; i < count; i++) moved[i] = to[(*cols)[i]];
    *cols = moved;
    return WR_OK;
}

/* Between a narrowed scan and the nodes that make rows. All columns of a narrowed input that stay
 * are passed on, so the numbering is the input's. */
static wr_status
narrow_between(lean *l, wr_pnode *n)
{
    const uint32_t *to = l->to[at(n->inputs[0])];
    if (!to) return WR_OK;
    l->kept[at(n)] = l->kept[at(n->inputs[0])];
    WR_TRY(narrow_schema(l, n, l->kept[at(n)], &l->to[at(n)]));
    n->upsert_key_count = 0;
    if (n->kind == WR_P_WATERMARK) {
        n->u.watermark.col = to[n->u.watermark.col];
        WR_TRY(move(l, &n->u.watermark.expr, to));
    }
    if (n->kind == WR_P_EXCHANGE)
        WR_TRY(move_cols(l, &n->u.exchange.keys, n->u.exchange.key_count, to));
    if (n->kind != WR_P_SORT && n->kind != WR_P_SORT_LIMIT) return WR_OK;
    wr_order_key *keys = WR_NEW_N(l->p->arena, wr_order_key, n->u.sort.key_count + 1);
    WR_TRY_ALLOC(l->ctx, keys);
    for (uint32_t i = 0; i < n->u.sort.key_count; i++) {
        keys[i] = n->u.sort.keys[i];
        keys[i].col = to[keys[i].col];
    }
    n->u.sort.keys = keys;
    return WR_OK;
}

static wr_status
renumber_calc(lean *l, wr_pnode *n)
{
    const uint32_t *to = l->to[at(n->inputs[0])];
    if (!to) return WR_OK;
    wr_expr **exprs = WR_NEW_N(l->p->arena, wr_expr *, n->schema.count + 1);
    WR_TRY_ALLOC(l->ctx, exprs);
    for (uint32_t c = 0; c < n->schema.count; c++) {
        exprs[c] = n->u.calc.exprs[c];
        WR_TRY(move(l, &exprs[c], to));
    }
    n->u.calc.exprs = exprs;
    return move(l, &n->u.calc.cond, to);
}

/* ---- conditions that the source applies ------------------------------------------------------ */

static bool
is_pushed(const wr_source_spec *spec, const wr_expr *e)
{
    static const char *const names[] = {"=", "<>", "<", "<=", ">", ">="};
    if (e->kind != WR_EX_CALL || e->arg_count != 2 || e->args[0]->kind != WR_EX_COLUMN)
        return false;
    const wr_expr *value = e->args[1];
    if (value->kind == WR_EX_CAST) value = value->args[0];
    for (uint32_t i = 0; i < spec->filter_count; i++) {
        const wr_pushed_filter *f = &spec->filters[i];
        wr_expr lit = {.kind = WR_EX_LITERAL, .type = f->value.type, .value = f->value};
        if (f->col == e->args[0]->index && strcmp(names[f->op], e->fn->name) == 0 &&
            value->kind == WR_EX_LITERAL && wr_expr_equal(&lit, value))
            return true;
    }
    return false;
}

static wr_status
drop_pushed(lean *l, wr_pnode *n)
{
    const wr_pnode *in = n->inputs[0];
    wr_expr *cond = n->u.calc.cond;
    if (!cond || in->kind != WR_P_SCAN || in->u.scan.spec.filter_count == 0) return WR_OK;
    bool many = cond->kind == WR_EX_AND;
    wr_expr **list = many ? cond->args : &cond;
    uint32_t count = many ? cond->arg_count : 1, kept = 0;
    wr_expr **stay = WR_NEW_N(l->p->arena, wr_expr *, count + 1);
    WR_TRY_ALLOC(l->ctx, stay);
    for (uint32_t i = 0; i < count; i++)
        if (!is_pushed(&in->u.scan.spec, list[i])) stay[kept++] = list[i];
    if (kept == count) return WR_OK;
    n->u.calc.cond = NULL;
    return kept ? wr_expr_and(l->ctx, l->p->arena, stay, kept, &n->u.calc.cond) : WR_OK;
}

wr_status
wri_phys_lean(wr_ctx *ctx, wri_phys *p, wr_plan *plan)
{
    lean l = {.ctx = ctx, .p = p, .plan = plan};
    l.need = WR_NEW_N(p->arena, uint64_t *, plan->node_count + 1);
    l.to = WR_NEW_N(p->arena, uint32_t *, plan->node_count + 1);
    WR_TRY_ALLOC(ctx, l.need);
    l.kept = WR_NEW_N(p->arena, uint64_t *, plan->node_count + 1);
    WR_TRY_ALLOC(ctx, l.to);
    WR_TRY_ALLOC(ctx, l.kept);
    for (uint32_t i = 0; i < plan->node_count; i++) {
        l.need[i] = WR_NEW_N(p->arena, uint64_t, WR_BIT_WORDS(plan->nodes[i]->schema.count) + 1);
        WR_TRY_ALLOC(ctx, l.need[i]);
    }
    for (uint32_t i = plan->node_count; i-- > 0;)
        for (uint32_t k = 0; k < plan->nodes[i]->input_count; k++)
            mark_input(&l, plan->nodes[i], k);
    for (uint32_t i = 0; i < plan->node_count; i++) {
        wr_pnode *n = plan->nodes[i];
        if (n->kind == WR_P_SCAN && may_narrow(n)) WR_TRY(narrow_scan(&l, n));
        if (hands_on(n)) WR_TRY(narrow_between(&l, n));
        if (n->kind == WR_P_CALC) {
            WR_TRY(drop_pushed(&l, n));
            WR_TRY(renumber_calc(&l, n));
        }
    }
    return WR_OK;
}
