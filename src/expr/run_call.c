/* SPDX-License-Identifier: Apache-2.0 */
/* Calls and casts over a batch: the result vector, NULL merging of strict functions, and peeling of
 * constants (computed once) and dictionaries (computed once an entry). */
#include "expr/program_int.h"
#include "vec/cast.h"

/* A FLAT vector of all-valid rows. Fixed-width data is not zeroed: every row that counts is
 * written. Strings are, since rows nobody asked for may be looked at. */
bool
wri_reg_init(wr_vec *v, const wr_type *t, uint32_t rows, wr_arena *a)
{
    const uint32_t cap = rows ? rows : 1;
    const uint32_t width = wr_phys_bytes((wr_phys)t->phys);
    if (width == 0 || t->phys == WR_PHYS_LIST || t->phys == WR_PHYS_MAP)
        return wr_vec_init_flat(v, t, cap, a);
    memset(v, 0, sizeof *v);
    v->type = t;
    v->form = WR_FORM_FLAT;
    v->phys = t->phys;
    v->len = v->cap = cap;
    v->data = wr_arena_alloc(a, (size_t)cap * width);
    v->validity = wr_arena_alloc(a, WR_BIT_WORDS(cap) * sizeof(uint64_t));
    if (!v->data || !v->validity) return false;
    if (t->phys == WR_PHYS_STR) memset(v->data, 0, (size_t)cap * width);
    memset(v->validity, 0xff, WR_BIT_WORDS(cap) * sizeof(uint64_t));
    return true;
}

static bool
is_symbol(const wr_vec *v)
{
    return v->type->id == WR_T_SYMBOL;
}

static bool
const_is_null(const wr_vec *v)
{
    return v->phys == WR_PHYS_NONE || (v->has_nulls && !wr_bit_get(v->validity, 0));
}

/* ---- NULL in, NULL out ----------------------------------------------------------------------- */
static void
clear_all(wr_vec *out, uint32_t rows)
{
    if (out->phys == WR_PHYS_NONE) return; /* the type NULL */
    memset(out->validity, 0, WR_BIT_WORDS(rows ? rows : 1) * sizeof(uint64_t));
    out->has_nulls = true;
}

void
wri_merge_nulls(wr_vec *out, const wr_vec *v, uint32_t rows)
{
    if (v->phys == WR_PHYS_NONE) {
        clear_all(out, rows);
        return;
    }
    if (!v->has_nulls) return;
    if (v->form == WR_FORM_CONST) {
        if (const_is_null(v)) clear_all(out, rows);
        return;
    }
    out->has_nulls = true;
    if (v->form == WR_FORM_FLAT) {
        const size_t words = WR_BIT_WORDS(rows);
        for (size_t i = 0; i < words; i++) out->validity[i] &= v->validity[i];
        return;
    }
    for (uint32_t i = 0; i < rows; i++)
        if (!wr_bit_get(v->validity, v->dict[i])) wr_bit_clear(out->validity, i);
}

/* One kernel call over vectors of `rows` rows. */
static wr_status
call_kernel(wri_run *r, const wri_step *s, const wr_vec *const *args, wri_sel sel, uint32_t rows,
            wr_vec *out, wr_row_errs *errs)
{
    const uint32_t flags = s->expr->fn->flags;
    if (flags & WRI_OWN_OUT) {
        memset(out, 0, sizeof *out);
        out->type = s->expr->type;
    } else if (!wri_reg_init(out, s->expr->type, rows, r->arena)) {
        return wr_raise(r->ctx, WR_NOMEM, "out of memory");
    }
    if (!(flags & (WR_FNF_CALLED_ON_NULL | WRI_OWN_OUT))) {
        for (uint32_t i = 0; i < s->arg_count; i++)
            if (!is_symbol(args[i])) wri_merge_nulls(out, args[i], rows);
        if (out->phys == WR_PHYS_NONE) return WR_OK;
    }
    wr_fn_call call = {.ctx = r->ctx,
                       .env = r->p->env,
                       .expr = s->expr,
                       .args = args,
                       .arg_count = s->arg_count,
                       .sel = sel.rows,
                       .n = sel.n,
                       .row_count = rows,
                       .out = out,
                       .arena = r->arena,
                       .errs = errs,
                       .state = s->state};
    WR_TRY(s->expr->kernel(&call));
    out->type = s->expr->type;
    return WR_OK;
}

static wr_status
cast_kernel(wri_run *r, const wri_step *s, const wr_vec *arg, wri_sel sel, uint32_t rows,
            wr_vec *out, wr_row_errs *errs)
{
    const wr_eval_env *env = r->p->env;
    const wr_cast_env cast = {.tz = env ? env->tz : NULL, .legacy = env && env->legacy_cast};
    if (!wri_reg_init(out, s->expr->type, rows, r->arena))
        return wr_raise(r->ctx, WR_NOMEM, "out of memory");
    if (arg->phys == WR_PHYS_NONE) {
        if (out->phys != WR_PHYS_NONE) clear_all(out, rows);
        return WR_OK;
    }
    return wr_cast_vec(r->ctx, &cast, arg, s->expr->type, sel.rows, sel.n, s->expr->flag, out,
                       r->arena, errs);
}

static wr_status
any_kernel(wri_run *r, const wri_step *s, const wr_vec *const *args, wri_sel sel, uint32_t rows,
           wr_vec *out, wr_row_errs *errs)
{
    return s->op == WRI_STEP_CAST ? cast_kernel(r, s, args[0], sel, rows, out, errs)
                                  : call_kernel(r, s, args, sel, rows, out, errs);
}

/* ---- peeling --------------------------------------------------------------------------------- */
static void
local_errs(wr_row_errs *e, uint64_t *bits)
{
    e->bits = bits;
    e->any = false;
    e->first_row = 0;
    e->first_status = WR_OK;
    e->first_message[0] = 0;
}

/* The one row of a constant call failed: so do all rows that asked. */
static void
spread_error(wri_run *r, wri_sel sel, const wr_row_errs *e)
{
    for (uint32_t i = 0; i < sel.n; i++) {
        const uint32_t row = sel.rows ? sel.rows[i] : i;
        wr_row_err(r->errs, row, e->first_status, "%s", e->first_message);
    }
}

static wr_status
peel_const(wri_run *r, const wri_step *s)
{
    const wri_sel sel = r->p->sels[s->sel];
    wr_vec *out = r->p->regs[s->out];
    uint64_t bit = 0;
    wr_row_errs e;
    local_errs(&e, r->errs->bits ? &bit : NULL);
    WR_TRY(any_kernel(r, s, s->args, (wri_sel){NULL, 1}, 1, out, &e));
    if (e.any && sel.n) spread_error(r, sel, &e);
    if (out->form == WR_FORM_FLAT && out->phys != WR_PHYS_NONE) {
        out->form = WR_FORM_CONST;
        out->len = 1;
    }
    return WR_OK;
}

/* Over the entries of the dictionary; *done = false when an entry fails (it may be one that no row
 * has): then row by row. */
static wr_status
peel_dict(wri_run *r, const wri_step *s, uint32_t which, bool *done)
{
    const wr_vec *dict = s->args[which];
    const wr_vec **args = WR_NEW_N(r->arena, const wr_vec *, s->arg_count);
    wr_vec *entries = WR_NEW(r->arena, wr_vec);
    uint64_t *bits = WR_NEW_N(r->arena, uint64_t, WR_BIT_WORDS(dict->len));
    if (!args || !entries || !bits) return wr_raise(r->ctx, WR_NOMEM, "out of memory");
    memcpy(args, s->args, sizeof *args * s->arg_count);
    *entries = *dict;
    entries->form = WR_FORM_FLAT;
    entries->dict = NULL;
    args[which] = entries;
    wr_row_errs e;
    local_errs(&e, bits);
    wr_vec *out = r->p->regs[s->out];
    WR_TRY(any_kernel(r, s, args, (wri_sel){NULL, dict->len}, dict->len, out, &e));
    *done = !e.any;
    if (e.any || out->phys == WR_PHYS_NONE || out->form != WR_FORM_FLAT) return WR_OK;
    out->form = WR_FORM_DICT;
    out->dict = dict->dict;
    out->len = dict->len;
    return WR_OK;
}

static wr_status
run_flat(wri_run *r, const wri_step *s)
{
    return any_kernel(r, s, s->args, r->p->sels[s->sel], r->rows, r->p->regs[s->out], r->errs);
}

static wr_status
run_peeled(wri_run *r, const wri_step *s)
{
    uint32_t flat = 0, dicts = 0, which = 0;
    for (uint32_t i = 0; i < s->arg_count; i++) {
        const wr_vec *v = s->args[i];
        if (v->form == WR_FORM_CONST) continue;
        if (v->form == WR_FORM_FLAT) {
            flat++;
            break;
        }
        dicts++;
        which = i;
    }
    if (flat || dicts > 1) return run_flat(r, s);
    if (dicts == 0) return peel_const(r, s);
    if (s->args[which]->len == 0 || s->args[which]->len > r->p->sels[s->sel].n)
        return run_flat(r, s);
    bool done = false;
    WR_TRY(peel_dict(r, s, which, &done));
    return done ? WR_OK : run_flat(r, s);
}

wr_status
wri_run_call(wri_run *r, const wri_step *s)
{
    return s->foldable ? run_peeled(r, s) : run_flat(r, s);
}

wr_status
wri_run_cast(wri_run *r, const wri_step *s)
{
    const wr_vec *v = s->args[0];
    if (v->phys != WR_PHYS_NONE && wr_type_eq_ignoring_null(v->type, s->expr->type)) {
        wr_vec *out = r->p->regs[s->out];
        *out = *v;
        out->type = s->expr->type;
        return WR_OK;
    }
    return run_peeled(r, s);
}
