/* SPDX-License-Identifier: Apache-2.0 */
/* MATCH_RECOGNIZE: rows of a partition come together, and only rows that never change. */
#include "plan/phys_int.h"

/* The node that makes the changes: for the message. */
static const wr_pnode *
origin(const wr_pnode *n)
{
    while (n->input_count == 1 &&
           (n->kind == WR_P_CALC || n->kind == WR_P_EXCHANGE || n->kind == WR_P_WATERMARK))
        n = n->inputs[0];
    return n;
}

static wr_status
refuse_changes(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, const wr_pnode *in)
{
    wr_text label;
    wr_text_init(&label, p->arena);
    WR_TRY(wri_label(ctx, p->env, origin(in), WR_EXPR_INFIX, WR_STR(""), WR_STR(""), &label));
    const bool deletes = in->changelog & WR_CL_D, updates = wri_has_updates(in);
    return wr_raise_at(ctx, WR_SEMANTIC, rel->span,
                       "Match Recognize doesn't support consuming %s changes which is produced by "
                       "node %.*s",
                       deletes && updates ? "update and delete"
                       : deletes          ? "delete"
                                          : "update",
                       (int)label.len, label.ptr);
}

wr_status
wri_phys_match(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    const wr_match_spec *m = rel->u.match;
    wr_pnode *input = NULL;
    WR_TRY(wri_phys_rel(ctx, p, rel->inputs[0], &input));
    if (!p->batch && !wri_insert_only(input)) return refuse_changes(ctx, p, rel, input);
    WR_TRY(wri_phys_hash(ctx, p, &input, m->partition, m->partition_count));
    wr_pnode *n = wri_phys_node(p, WR_P_MATCH, rel->schema, &input, 1);
    WR_TRY_ALLOC(ctx, n);
    n->u.match = m;
    return wri_phys_derive(ctx, p, n, out);
}

/* ---- what makes two of them the same --------------------------------------------------------- */
static bool
refs_equal(const wr_match_ref *a, uint32_t an, const wr_match_ref *b, uint32_t bn)
{
    if (an != bn) return false;
    for (uint32_t i = 0; i < an; i++)
        if (a[i].kind != b[i].kind || a[i].vars != b[i].vars || a[i].col != b[i].col ||
            a[i].offset != b[i].offset || !wr_str_eq(a[i].text, b[i].text) ||
            !wr_type_eq(a[i].type, b[i].type))
            return false;
    return true;
}

static bool
exprs_equal(wr_expr *const *a, wr_expr *const *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!wr_expr_is_deterministic(a[i]) || !wr_expr_equal(a[i], b[i])) return false;
    return true;
}

static bool
elems_equal(const wr_match_spec *a, const wr_match_spec *b)
{
    if (a->elem_count != b->elem_count) return false;
    for (uint32_t i = 0; i < a->elem_count; i++) {
        const wr_match_elem *x = &a->elems[i], *y = &b->elems[i];
        if (x->min != y->min || x->max != y->max || x->reluctant != y->reluctant ||
            x->quantified != y->quantified || !x->cond != !y->cond ||
            (x->cond && !exprs_equal(&x->cond, &y->cond, 1)))
            return false;
    }
    return true;
}

static bool
orders_equal(const wr_match_spec *a, const wr_match_spec *b)
{
    if (a->order_count != b->order_count || a->partition_count != b->partition_count) return false;
    for (uint32_t i = 0; i < a->order_count; i++)
        if (a->order[i].col != b->order[i].col || a->order[i].desc != b->order[i].desc ||
            a->order[i].nulls_last != b->order[i].nulls_last)
            return false;
    for (uint32_t i = 0; i < a->partition_count; i++)
        if (a->partition[i] != b->partition[i]) return false;
    return true;
}

bool
wri_match_equal(const wr_match_spec *a, const wr_match_spec *b)
{
    return orders_equal(a, b) && elems_equal(a, b) && a->skip == b->skip &&
           a->skip_elem == b->skip_elem && a->within_ms == b->within_ms &&
           a->kept_count == b->kept_count && exprs_equal(a->kept, b->kept, a->kept_count) &&
           refs_equal(a->define_refs, a->define_ref_count, b->define_refs, b->define_ref_count) &&
           refs_equal(a->measure_refs, a->measure_ref_count, b->measure_refs,
                      b->measure_ref_count) &&
           a->measure_count == b->measure_count &&
           exprs_equal(a->measures, b->measures, a->measure_count);
}

wr_status
wri_match_identity(wr_ctx *ctx, wr_arena *a, const wr_match_spec *m, wr_text *t)
{
    wr_field *names = WR_NEW_N(a, wr_field, m->define_ref_count + 1);
    WR_TRY_ALLOC(ctx, names);
    for (uint32_t i = 0; i < m->define_ref_count; i++) names[i].name = m->define_refs[i].text;
    wr_text_printf(t, "%.*s %u %d %lld: ", WR_STR_ARG(m->pattern), m->skip, m->skip_elem,
                   (long long)m->within_ms);
    for (uint32_t i = 0; i < m->elem_count; i++) {
        wr_text_printf(t, "%s%.*s AS ", i ? ", " : "", WR_STR_ARG(m->elems[i].name));
        if (m->elems[i].cond) wr_expr_print(m->elems[i].cond, WR_EXPR_AST, names, t);
    }
    return WR_OK;
}
