/* SPDX-License-Identifier: Apache-2.0 */
/* Selections and what meets behind them: narrowing, three-valued AND and OR, merging of branches,
 * fields of rows. */
#include "expr/program_int.h"
#include "vec/kernel.h"

/* ---- narrowing ------------------------------------------------------------------------------- */
static bool
passes(const wr_vec *v, uint32_t row, uint8_t mode)
{
    const bool null = wr_vec_is_null(v, row);
    if (mode == WRI_IF_NULL) return null;
    const bool value = !null && ((const uint8_t *)v->data)[wr_vec_index(v, row)] != 0;
    if (mode == WRI_IF_NOT_TRUE) return !value;
    return null || value; /* WRI_IF_NOT_FALSE */
}

wr_status
wri_run_narrow(wri_run *r, const wri_step *s)
{
    const wri_sel in = r->p->sels[s->sel];
    wri_sel *out = &r->p->sels[s->sel_out];
    const wr_vec *v = s->args[0];
    uint32_t *rows = wr_arena_alloc(r->arena, sizeof(uint32_t) * (in.n ? in.n : 1));
    if (!rows) return wr_raise(r->ctx, WR_NOMEM, "out of memory");
    uint32_t n = 0;
    if (s->mode == WRI_IF_TRUE && v->phys == WR_PHYS_BOOL) {
        n = wr_kernel_select(v, in.rows, in.n, rows);
    } else if (s->mode == WRI_IF_NOT_TRUE && !v->has_nulls && v->form == WR_FORM_FLAT &&
               v->phys == WR_PHYS_BOOL) {
        const uint8_t *b = v->data;
        for (uint32_t i = 0; i < in.n; i++) {
            const uint32_t row = in.rows ? in.rows[i] : i;
            rows[n] = row;
            n += b[row] == 0;
        }
    } else if (s->mode != WRI_IF_TRUE) {
        for (uint32_t i = 0; i < in.n; i++) {
            const uint32_t row = in.rows ? in.rows[i] : i;
            rows[n] = row;
            n += passes(v, row, s->mode);
        }
    }
    *out = (wri_sel){rows, n};
    return WR_OK;
}

/* ---- AND, OR --------------------------------------------------------------------------------- */
wr_status
wri_run_logic_begin(wri_run *r, const wri_step *s)
{
    wr_vec *out = r->p->regs[s->out];
    const wr_vec *v = s->args[0];
    const wri_sel sel = r->p->sels[s->sel];
    if (!wri_reg_init(out, s->expr->type, r->rows, r->arena))
        return wr_raise(r->ctx, WR_NOMEM, "out of memory");
    uint8_t *o = out->data;
    if (v->form == WR_FORM_FLAT && v->phys == WR_PHYS_BOOL) {
        const uint32_t n = WR_MIN(v->len, r->rows);
        memcpy(o, v->data, n);
        if (v->has_nulls) {
            memcpy(out->validity, v->validity, WR_BIT_WORDS(n) * sizeof(uint64_t));
            out->has_nulls = true;
        }
        return WR_OK;
    }
    memset(o, 0, r->rows);
    for (uint32_t i = 0; i < sel.n; i++) {
        const uint32_t row = sel.rows ? sel.rows[i] : i;
        if (wr_vec_is_null(v, row)) {
            wr_bit_clear(out->validity, row);
            out->has_nulls = true;
        } else {
            o[row] = ((const uint8_t *)v->data)[wr_vec_index(v, row)];
        }
    }
    return WR_OK;
}

/* Three values as 0 false, 1 null, 2 true: AND is the minimum, OR the maximum. */
static void
logic_rows(wr_vec *out, const wr_vec *v, wri_sel sel, bool conj)
{
    uint8_t *o = out->data;
    for (uint32_t i = 0; i < sel.n; i++) {
        const uint32_t row = sel.rows ? sel.rows[i] : i;
        const int a = !wr_bit_get(out->validity, row) ? 1 : o[row] ? 2 : 0;
        const int b = wr_vec_is_null(v, row)                             ? 1
                      : ((const uint8_t *)v->data)[wr_vec_index(v, row)] ? 2
                                                                         : 0;
        const int c = conj ? WR_MIN(a, b) : WR_MAX(a, b);
        o[row] = c == 2;
        wr_bit_put(out->validity, row, c != 1);
        out->has_nulls |= c == 1;
    }
}

wr_status
wri_run_logic(wri_run *r, const wri_step *s)
{
    wr_vec *out = r->p->regs[s->out];
    const wr_vec *v = s->args[0];
    const wri_sel sel = r->p->sels[s->sel];
    if (!sel.rows && v->form == WR_FORM_FLAT && (out->has_nulls || v->has_nulls)) {
        wr_vec sum;
        WR_TRY(
            (s->mode ? wr_kernel_and : wr_kernel_or)(r->ctx, out, v, NULL, sel.n, &sum, r->arena));
        sum.type = s->expr->type;
        *out = sum;
        return WR_OK;
    }
    if (sel.rows || v->form != WR_FORM_FLAT || v->phys != WR_PHYS_BOOL) {
        if (!wr_vec_ensure_validity(out, r->arena))
            return wr_raise(r->ctx, WR_NOMEM, "out of memory");
        logic_rows(out, v, sel, s->mode);
        return WR_OK;
    }
    uint8_t *restrict o = out->data;
    const uint8_t *restrict b = v->data;
    if (s->mode)
        for (uint32_t i = 0; i < sel.n; i++) o[i] &= b[i];
    else
        for (uint32_t i = 0; i < sel.n; i++) o[i] |= b[i];
    return WR_OK;
}

/* ---- merging --------------------------------------------------------------------------------- */
#define MERGE_LOOP(T)                                                                              \
    for (uint32_t i = 0; i < sel.n; i++) {                                                         \
        const uint32_t row = sel.rows ? sel.rows[i] : i;                                           \
        ((T *)out->data)[row] = WR_VIEW(&w, T, row);                                               \
    }

/* Valid bits of the entries behind the rows of the selection that fall into one word. */
static uint64_t
valid_among(const wr_vec *v, const wri_sel *sel, uint32_t from, uint32_t to)
{
    uint64_t bits = 0;
    for (uint32_t i = from; i < to; i++) {
        const uint32_t row = sel->rows[i];
        bits |= (uint64_t)wr_bit_get(v->validity, wr_vec_index(v, row)) << (row & 63);
    }
    return bits;
}

/* The rows of the selection get v's validity, a word at a time. */
static void
merge_bits(wr_vec *out, const wr_vec *v, wri_sel sel)
{
    for (uint32_t i = 0; i < sel.n;) {
        const uint32_t from = i, word = sel.rows[i] >> 6;
        uint64_t mask = 0;
        for (; i < sel.n && sel.rows[i] >> 6 == word; i++) mask |= 1ull << (sel.rows[i] & 63);
        const uint64_t valid =
            v->form == WR_FORM_FLAT ? v->validity[word] : valid_among(v, &sel, from, i);
        out->validity[word] = (out->validity[word] & ~mask) | (valid & mask);
        out->has_nulls |= (valid & mask) != mask;
    }
}

/* `out` comes from wri_reg_init: its bitmap is right even before has_nulls is set. */
static void
merge_validity(wr_vec *out, const wr_vec *v, wri_sel sel)
{
    const bool all_null = v->phys == WR_PHYS_NONE;
    if (!v->has_nulls && !all_null) {
        if (!out->has_nulls) return;
        for (uint32_t i = 0; i < sel.n; i++) wr_bit_set(out->validity, sel.rows ? sel.rows[i] : i);
        return;
    }
    if (sel.rows && !all_null && v->form != WR_FORM_CONST) {
        merge_bits(out, v, sel);
        return;
    }
    out->has_nulls = true;
    for (uint32_t i = 0; i < sel.n; i++) {
        const uint32_t row = sel.rows ? sel.rows[i] : i;
        wr_bit_put(out->validity, row, !wr_vec_is_null(v, row));
    }
}

static bool
merge_nested(wr_vec *out, const wr_vec *v, wri_sel sel, wr_arena *arena)
{
    for (uint32_t i = 0; i < sel.n; i++) {
        const uint32_t row = sel.rows ? sel.rows[i] : i;
        if (!wr_vec_is_null(v, row) && !wr_vec_copy_entry(out, row, v, row, arena)) return false;
    }
    return true;
}

wr_status
wri_run_merge(wri_run *r, const wri_step *s)
{
    wr_vec *out = r->p->regs[s->out];
    const wr_vec *v = s->args[0];
    const wri_sel sel = r->p->sels[s->sel];
    if (out->phys == WR_PHYS_NONE) return WR_OK; /* the type NULL */
    merge_validity(out, v, sel);
    if (v->phys == WR_PHYS_NONE) return WR_OK;
    const wr_view w = wr_vec_view(v);
    switch (out->phys) {
    case WR_PHYS_BOOL:
    case WR_PHYS_I8:
        MERGE_LOOP(uint8_t)
        break;
    case WR_PHYS_I16:
        MERGE_LOOP(uint16_t)
        break;
    case WR_PHYS_I32:
    case WR_PHYS_F32:
        MERGE_LOOP(uint32_t)
        break;
    case WR_PHYS_I64:
    case WR_PHYS_F64:
        MERGE_LOOP(uint64_t)
        break;
    case WR_PHYS_I128:
        MERGE_LOOP(wr_i128)
        break;
    case WR_PHYS_STR:
        MERGE_LOOP(wr_strv)
        break;
    case WR_PHYS_TS:
        MERGE_LOOP(wr_ts)
        break;
    default:
        if (!merge_nested(out, v, sel, r->arena))
            return wr_raise(r->ctx, WR_NOMEM, "out of memory");
        break;
    }
    return WR_OK;
}

/* ---- fields ---------------------------------------------------------------------------------- */
/* The field shares its data with the row; it is NULL where the row is, too. False: it can't. */
static bool
share_field(wri_run *r, const wr_vec *v, const wr_vec *child, wr_vec *out, bool *shared)
{
    *shared = v->phys == WR_PHYS_ROW && (!v->has_nulls || child->form == WR_FORM_FLAT) &&
              (v->form == WR_FORM_FLAT || (v->form == WR_FORM_DICT && child->form == WR_FORM_FLAT));
    if (!*shared) return true;
    *out = *child;
    if (v->form == WR_FORM_DICT) {
        out->form = WR_FORM_DICT;
        out->dict = v->dict;
        out->len = v->len;
    }
    if (!v->has_nulls || child->phys == WR_PHYS_NONE) return true;
    out->validity = v->validity;
    out->has_nulls = true;
    if (!child->has_nulls) return true;
    const size_t words = WR_BIT_WORDS(v->len);
    uint64_t *both = wr_arena_alloc(r->arena, sizeof *both * (words ? words : 1));
    if (!both) return false;
    for (size_t i = 0; i < words; i++) both[i] = v->validity[i] & child->validity[i];
    out->validity = both;
    return true;
}

wr_status
wri_run_field(wri_run *r, const wri_step *s)
{
    wr_vec *out = r->p->regs[s->out];
    const wr_vec *v = s->args[0];
    const wri_sel sel = r->p->sels[s->sel];
    bool shared = false;
    if (v->phys == WR_PHYS_ROW && !share_field(r, v, &v->child[s->expr->index], out, &shared))
        return wr_raise(r->ctx, WR_NOMEM, "out of memory");
    if (shared) {
        out->type = s->expr->type;
        return WR_OK;
    }
    if (!wri_reg_init(out, s->expr->type, r->rows, r->arena))
        return wr_raise(r->ctx, WR_NOMEM, "out of memory");
    for (uint32_t i = 0; i < sel.n; i++) {
        const uint32_t row = sel.rows ? sel.rows[i] : i;
        const bool null = wr_vec_is_null(v, row);
        const uint32_t at = null ? 0 : wr_vec_index(v, row);
        const wr_vec *child = null ? NULL : &v->child[s->expr->index];
        bool ok;
        if (null || wr_vec_is_null(child, at))
            ok = wr_vec_set_null(out, row, r->arena);
        else if (out->phys == WR_PHYS_STR)
            ok = (((wr_strv *)out->data)[row] =
                      ((const wr_strv *)child->data)[wr_vec_index(child, at)],
                  true);
        else
            ok = wr_vec_copy_entry(out, row, child, at, r->arena);
        if (!ok) return wr_raise(r->ctx, WR_NOMEM, "out of memory");
    }
    return WR_OK;
}
