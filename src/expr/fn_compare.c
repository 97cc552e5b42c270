/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of comparison and logic. Plain layouts go to the kernels of vec/; constructed types are
 * compared entry by entry. */
#include "expr/compare_int.h"
#include "expr/program_int.h"
#include "types/decimal.h"
#include "vec/kernel.h"

static wr_cmpop
op_of(const char *name)
{
    switch (name[0]) {
    case '=':
        return WR_CMP_EQ;
    case '<':
        return name[1] == '>' ? WR_CMP_NE : name[1] == '=' ? WR_CMP_LE : WR_CMP_LT;
    default:
        return name[1] == '=' ? WR_CMP_GE : WR_CMP_GT;
    }
}

/* BOOLEAN with text: different objects, never equal. */
static bool
strangers(const wr_fn_call *call)
{
    const uint8_t a = call->args[0]->phys, b = call->args[1]->phys;
    return (a == WR_PHYS_STR && b == WR_PHYS_BOOL) || (a == WR_PHYS_BOOL && b == WR_PHYS_STR);
}

static wr_status
compare_strangers(wr_fn_call *call, bool result)
{
    if (!wri_reg_init(call->out, call->expr->type, call->row_count, call->arena))
        return WRI_NOMEM(call);
    uint8_t *out = call->out->data;
    WR_FOR_CALL(call, row)
    {
        out[row] = result;
        if (wri_arg_null(call, 0, row) || wri_arg_null(call, 1, row)) wri_null(call, row);
    }
    return WR_OK;
}

/* Equality of two entries that are not NULL, as = has it: 0.0 equals -0.0, NaN equals nothing. */
static bool
floats_equal(const wr_vec *a, uint32_t ra, const wr_vec *b, uint32_t rb)
{
    if (a->phys == WR_PHYS_F64) {
        const double x = ((const double *)a->data)[wr_vec_index(a, ra)];
        const double y = ((const double *)b->data)[wr_vec_index(b, rb)];
        return x <= y && x >= y;
    }
    const float x = ((const float *)a->data)[wr_vec_index(a, ra)];
    const float y = ((const float *)b->data)[wr_vec_index(b, rb)];
    return x <= y && x >= y;
}

bool
wri_entry_equal(const wr_vec *a, uint32_t ra, const wr_vec *b, uint32_t rb)
{
    if (a->phys == WR_PHYS_F64 || a->phys == WR_PHYS_F32) return floats_equal(a, ra, b, rb);
    if (a->phys != WR_PHYS_ROW) return wr_vec_entry_eq(a, ra, b, rb);
    const uint32_t ia = wr_vec_index(a, ra), ib = wr_vec_index(b, rb);
    for (uint32_t i = 0; i < a->child_count; i++) {
        const wr_vec *x = &a->child[i], *y = &b->child[i];
        const bool nx = wr_vec_is_null(x, ia), ny = wr_vec_is_null(y, ib);
        if (nx != ny || (!nx && !wri_entry_equal(x, ia, y, ib))) return false;
    }
    return true;
}

static wr_status
compare_rows(wr_fn_call *call, bool equal)
{
    if (!wri_reg_init(call->out, call->expr->type, call->row_count, call->arena))
        return WRI_NOMEM(call);
    uint8_t *out = call->out->data;
    WR_FOR_CALL(call, row)
    {
        const bool null = wri_arg_null(call, 0, row) || wri_arg_null(call, 1, row);
        out[row] = !null && wri_entry_equal(call->args[0], row, call->args[1], row) == equal;
        if (null) wri_null(call, row);
    }
    return WR_OK;
}

wr_status
wri_k_compare(wr_fn_call *call)
{
    const wr_cmpop op = op_of(call->expr->fn->name);
    if (call->args[0]->phys == WR_PHYS_ROW && call->args[1]->phys == WR_PHYS_ROW &&
        (op == WR_CMP_EQ || op == WR_CMP_NE))
        return compare_rows(call, op == WR_CMP_EQ);
    if (strangers(call)) return compare_strangers(call, op == WR_CMP_NE);
    return wr_kernel_compare(call->ctx, op, call->args[0], call->args[1], call->sel, call->n,
                             call->out, call->arena);
}

/* IS [NOT] DISTINCT FROM: numbers as = has them, so that NaN is distinct from NaN; all else by
 * value. */
static bool
entries_equal(const wr_vec *a, const wr_vec *b, uint32_t row)
{
    if (a->phys == WR_PHYS_F64 || a->phys == WR_PHYS_F32) return floats_equal(a, row, b, row);
    return wr_vec_entry_eq(a, row, b, row);
}

wr_status
wri_k_distinct(wr_fn_call *call)
{
    const bool negated = strcmp(call->expr->fn->name, "IS NOT DISTINCT FROM") == 0;
    const wr_vec *a = call->args[0], *b = call->args[1];
    uint8_t *out = call->out->data;
    const wr_type *ta = call->expr->args[0]->type, *tb = call->expr->args[1]->type;
    const wr_view va = wr_vec_view(a), vb = wr_vec_view(b);
    const bool strange = strangers(call);
    const bool dec = ta->id == WR_T_DECIMAL && tb->id == WR_T_DECIMAL;
    WR_FOR_CALL(call, row)
    {
        const bool na = wr_vec_is_null(a, row), nb = wr_vec_is_null(b, row);
        bool same;
        if (na || nb)
            same = na && nb;
        else if (strange)
            same = false;
        else if (dec)
            same = wr_dec_cmp(wri_dec(&va, a->phys, row), ta->scale, wri_dec(&vb, b->phys, row),
                              tb->scale) == 0;
        else
            same = entries_equal(a, b, row);
        out[row] = same == negated;
    }
    return WR_OK;
}

wr_status
wri_k_is_null(wr_fn_call *call)
{
    const bool negated = strncmp(call->expr->fn->name, "IS NOT", 6) == 0;
    return wr_kernel_is_null(call->ctx, call->args[0], negated, call->sel, call->n, call->out,
                             call->arena);
}

wr_status
wri_k_is_truth(wr_fn_call *call)
{
    const char *name = call->expr->fn->name;
    const bool negated = strncmp(name, "IS NOT", 6) == 0;
    const bool value = strcmp(name, "IS TRUE") == 0 || strcmp(name, "IS NOT TRUE") == 0;
    return wr_kernel_is_bool(call->ctx, call->args[0], value, negated, call->sel, call->n,
                             call->out, call->arena);
}

wr_status
wri_k_not(wr_fn_call *call)
{
    return wr_kernel_not(call->ctx, call->args[0], call->sel, call->n, call->out, call->arena);
}
