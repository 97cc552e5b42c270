/* SPDX-License-Identifier: Apache-2.0 */
/* Calcs: adjacent projections and filters become one node; what changes nothing is none; a
 * projection passes a watermark. */
#include "plan/phys_int.h"

static wr_status
identity(wr_ctx *ctx, wri_phys *p, wr_schema schema, wr_expr ***out)
{
    wr_expr **exprs = WR_NEW_N(p->arena, wr_expr *, schema.count + 1);
    WR_TRY_ALLOC(ctx, exprs);
    for (uint32_t i = 0; i < schema.count; i++) {
        exprs[i] = wr_expr_column(p->arena, i, schema.fields[i].type, WR_NO_SPAN);
        WR_TRY_ALLOC(ctx, exprs[i]);
    }
    *out = exprs;
    return WR_OK;
}

static bool
changes_nothing(const wr_pnode *in, wr_expr *const *exprs, const wr_schema *schema)
{
    if (schema->count != in->schema.count) return false;
    for (uint32_t i = 0; i < schema->count; i++) {
        const wr_field *a = &schema->fields[i], *b = &in->schema.fields[i];
        if (exprs[i]->kind != WR_EX_COLUMN || exprs[i]->index != i) return false;
        if (!wr_str_eq(a->name, b->name) || !wr_type_eq(a->type, b->type) ||
            a->type->attr != b->type->attr)
            return false;
    }
    return true;
}

/* ---- adjacent calcs are one ------------------------------------------------------------------ */

static bool
only_columns(const wr_pnode *calc)
{
    for (uint32_t i = 0; i < calc->schema.count; i++)
        if (calc->u.calc.exprs[i]->kind != WR_EX_COLUMN) return false;
    return true;
}

/* A calc below that only picks columns is taken in. */
static wr_status
take_in(wr_ctx *ctx, wri_phys *p, wr_pnode **node, wr_expr **cond, wr_expr ***exprs, uint32_t count)
{
    const wr_pnode *below = *node;
    wr_expr **own = WR_NEW_N(p->arena, wr_expr *, count + 1);
    WR_TRY_ALLOC(ctx, own);
    for (uint32_t i = 0; i < count; i++) {
        own[i] = wr_expr_substitute(p->arena, (*exprs)[i], below->u.calc.exprs);
        WR_TRY_ALLOC(ctx, own[i]);
    }
    if (*cond) {
        *cond = wr_expr_substitute(p->arena, *cond, below->u.calc.exprs);
        WR_TRY_ALLOC(ctx, *cond);
    }
    if (*cond && below->u.calc.cond) {
        wr_expr *both[2] = {below->u.calc.cond, *cond};
        WR_TRY(wr_expr_and(ctx, p->arena, both, 2, cond));
    } else if (!*cond) {
        *cond = below->u.calc.cond;
    }
    *exprs = own;
    *node = below->inputs[0];
    return WR_OK;
}

/* ---- projections pass watermarks ------------------------------------------------------------- */

typedef struct passing {     /* columns of the watermark's row in the order of their first use */
    uint32_t *order, *place; /* place: UINT32_MAX = unused */
    uint32_t count;
} passing;

static void
use_column(passing *w, uint32_t col)
{
    if (w->place[col] != UINT32_MAX) return;
    w->place[col] = w->count;
    w->order[w->count++] = col;
}

static void
use_columns(passing *w, const wr_expr *e)
{
    if (e->kind == WR_EX_COLUMN) use_column(w, e->index);
    for (uint32_t i = 0; i < e->arg_count; i++) use_columns(w, e->args[i]);
}

static void
place_column(void *arg, uint32_t *index)
{
    *index = ((const passing *)arg)->place[*index];
}

/* A projection above a watermark: the columns that it uses come in its order, computed below the
 * watermark as before. */
static wr_status
pass_watermark(wr_ctx *ctx, wri_phys *p, wr_pnode **node, wr_expr **exprs, uint32_t count)
{
    const wr_pnode *old = *node, *below = old->inputs[0];
    uint32_t width = old->schema.count;
    passing w = {WR_NEW_N(p->arena, uint32_t, width + 1), WR_NEW_N(p->arena, uint32_t, width + 1),
                 0};
    wr_expr **moved = WR_NEW_N(p->arena, wr_expr *, width + 1);
    wr_field *fields = WR_NEW_N(p->arena, wr_field, width + 1);
    wr_field *marked = WR_NEW_N(p->arena, wr_field, width + 1);
    if (!w.order || !w.place || !moved || !fields || !marked)
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    memset(w.place, 0xff, (width + 1) * sizeof *w.place);
    for (uint32_t i = 0; i < count; i++) use_columns(&w, exprs[i]);
    use_column(&w, old->u.watermark.col);
    use_columns(&w, old->u.watermark.expr);
    for (uint32_t i = 0; i < w.count; i++) {
        moved[i] = below->u.calc.exprs[w.order[i]];
        fields[i] = below->schema.fields[w.order[i]];
        marked[i] = old->schema.fields[w.order[i]];
    }
    *node = below->inputs[0];
    WR_TRY(wri_phys_calc(ctx, p, node, NULL, moved, (wr_schema){fields, w.count}));
    wr_pnode *n = wri_phys_node(p, WR_P_WATERMARK, (wr_schema){marked, w.count}, node, 1);
    WR_TRY_ALLOC(ctx, n);
    n->u.watermark = old->u.watermark;
    n->u.watermark.col = w.place[old->u.watermark.col];
    n->u.watermark.expr = wr_expr_map_columns(p->arena, old->u.watermark.expr, place_column, &w);
    WR_TRY_ALLOC(ctx, n->u.watermark.expr);
    for (uint32_t i = 0; i < count; i++) {
        exprs[i] = wr_expr_map_columns(p->arena, exprs[i], place_column, &w);
        WR_TRY_ALLOC(ctx, exprs[i]);
    }
    return wri_phys_derive(ctx, p, n, node);
}

static wr_status
copy_exprs(wr_ctx *ctx, wri_phys *p, wr_expr ***exprs, uint32_t count)
{
    wr_expr **own = WR_NEW_N(p->arena, wr_expr *, count + 1);
    WR_TRY_ALLOC(ctx, own);
    for (uint32_t i = 0; i < count; i++) own[i] = (*exprs)[i];
    *exprs = own;
    return WR_OK;
}

/* What is run says what Flink's optimizer leaves: `id + 0` is id, with its key; `d = d` holds for
 * NaN. */
static wr_status
simplify_all(wr_ctx *ctx, wri_phys *p, wr_expr **cond, wr_expr ***exprs, uint32_t count)
{
    WR_TRY(copy_exprs(ctx, p, exprs, count));
    for (uint32_t i = 0; i < count; i++)
        WR_TRY(wr_expr_plain(ctx, p->arena, (*exprs)[i], false, &(*exprs)[i]));
    return *cond ? wr_expr_plain(ctx, p->arena, *cond, true, cond) : WR_OK;
}

wr_status
wri_phys_calc(wr_ctx *ctx, wri_phys *p, wr_pnode **node, wr_expr *cond, wr_expr **exprs,
              wr_schema schema)
{
    if (!exprs) WR_TRY(identity(ctx, p, (*node)->schema, &exprs));
    if ((*node)->kind == WR_P_CHANGELOG_NORMALIZE)
        return wri_phys_calc_normalized(ctx, p, node, cond, exprs, schema);
    if ((*node)->kind == WR_P_CALC && only_columns(*node))
        WR_TRY(take_in(ctx, p, node, &cond, &exprs, schema.count));
    WR_TRY(simplify_all(ctx, p, &cond, &exprs, schema.count));
    bool marked = (*node)->kind == WR_P_WATERMARK && (*node)->inputs[0]->kind == WR_P_CALC;
    if (!cond && marked && !(*node)->inputs[0]->u.calc.cond) {
        WR_TRY(copy_exprs(ctx, p, &exprs, schema.count));
        WR_TRY(pass_watermark(ctx, p, node, exprs, schema.count));
    }
    if (!cond && changes_nothing(*node, exprs, &schema)) return WR_OK;
    wr_pnode *n = wri_phys_node(p, WR_P_CALC, schema, node, 1);
    WR_TRY_ALLOC(ctx, n);
    n->u.calc.cond = cond;
    n->u.calc.exprs = exprs;
    return wri_phys_derive(ctx, p, n, node);
}

/* A left join none of whose right columns are looked at, and which meets at most one row of the
 * right side, changes nothing. */
static wr_status
skip_left_join(wr_ctx *ctx, wri_phys *p, const wr_rel **below, const wr_expr *cond,
               wr_expr *const *exprs, uint32_t count)
{
    const wr_rel *join = *below;
    if (join->kind != WR_REL_JOIN || join->u.join.type != WR_JOIN_LEFT || !exprs ||
        join->u.join.temporal || wri_multi_wanted(p->env, join))
        return WR_OK;
    uint32_t left = join->inputs[0]->schema.count;
    uint64_t *used = WR_NEW_N(p->arena, uint64_t, WR_BIT_WORDS(join->schema.count) + 1);
    WR_TRY_ALLOC(ctx, used);
    wri_phys_mark(cond, used);
    for (uint32_t i = 0; i < count; i++) wri_phys_mark(exprs[i], used);
    for (uint32_t c = left; c < join->schema.count; c++)
        if (wr_bit_get(used, c)) return WR_OK;
    bool unique = false;
    WR_TRY(wri_phys_right_unique(ctx, p, join, &unique));
    if (unique) *below = join->inputs[0];
    return WR_OK;
}

/* A filter directly below a projection is taken into it; a filter alone passes all columns. */
wr_status
wri_phys_project(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    const wr_rel *below = rel->inputs[0];
    wr_expr *cond = NULL, **exprs = NULL;
    if (rel->kind == WR_REL_FILTER) {
        cond = rel->u.filter.cond;
    } else {
        exprs = rel->u.project.exprs;
        if (below->kind == WR_REL_FILTER) {
            cond = below->u.filter.cond;
            below = below->inputs[0];
        }
    }
    WR_TRY(skip_left_join(ctx, p, &below, cond, exprs, rel->schema.count));
    WR_TRY(wri_phys_rel(ctx, p, below, out));
    WR_TRY(wri_phys_calc(ctx, p, out, cond, exprs, rel->schema));
    if ((*out)->kind != WR_P_CALC || !cond) return WR_OK;
    (*out)->u.calc.plain =
        rel->kind == WR_REL_FILTER ? !rel->u.filter.projected : rel->u.project.plain;
    return (*out)->u.calc.plain ? wri_keys_derive(ctx, p, *out) : WR_OK;
}
