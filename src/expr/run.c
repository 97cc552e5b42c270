/* SPDX-License-Identifier: Apache-2.0 */
/* Running a program: the loop over steps and the three entrances (values, values with the caller's
 * row errors, condition). One indirect call a step and batch; all memory from the batch arena. */
#include "expr/program_int.h"

static void
note_error(wri_run *r, const wri_step *s, bool had, uint32_t first)
{
    if (r->errs->any && (!had || r->errs->first_row < first) && s->expr) r->span = s->expr->span;
}

wr_status
wri_run_steps(wri_run *r, uint32_t from, uint32_t to)
{
    wr_program *p = r->p;
    for (uint32_t i = from; i < to;) {
        const wri_step *s = &p->steps.items[i++];
        const bool had = r->errs->any;
        const uint32_t first = r->errs->first_row;
        wr_status st = WR_OK;
        switch (s->op) {
        case WRI_STEP_CALL:
            st = wri_run_call(r, s);
            break;
        case WRI_STEP_CAST:
            st = wri_run_cast(r, s);
            break;
        case WRI_STEP_FIELD:
            st = wri_run_field(r, s);
            break;
        case WRI_STEP_NARROW:
            st = wri_run_narrow(r, s);
            if (st == WR_OK && p->sels[s->sel_out].n == 0) i = s->jump;
            break;
        case WRI_STEP_LOGIC_BEGIN:
            st = wri_run_logic_begin(r, s);
            break;
        case WRI_STEP_LOGIC:
            st = wri_run_logic(r, s);
            break;
        case WRI_STEP_MERGE_BEGIN:
            if (!wri_reg_init(p->regs[s->out], s->expr->type, r->rows, r->arena))
                st = wr_raise(r->ctx, WR_NOMEM, "out of memory");
            break;
        case WRI_STEP_MERGE:
            st = wri_run_merge(r, s);
            break;
        default: { /* WRI_STEP_UNLESS_NULL */
            const wr_vec *v = s->args[0];
            if (v->has_nulls || v->phys == WR_PHYS_NONE) break;
            *p->regs[s->out] = *v;
            p->regs[s->out]->type = s->expr->type;
            i = s->jump;
            break;
        }
        }
        if (WR_UNLIKELY(st != WR_OK)) return st;
        if (WR_UNLIKELY(r->errs->any)) note_error(r, s, had, first);
    }
    return WR_OK;
}

/* Columns into registers, the caller's selection into the roots. */
static void
begin(wri_run *r, const wr_batch *in, const uint32_t *sel, uint32_t n)
{
    wr_program *p = r->p;
    for (uint32_t i = 0; i < p->loads.count; i++) {
        const wri_load *l = &p->loads.items[i];
        WR_ASSERT(l->column < in->col_count);
        *p->regs[l->reg] = in->cols[l->column];
    }
    p->sels[0] = (wri_sel){sel, n};
}

/* A constant of the program must not be seen after the task's end: its one entry is copied. */
static bool
copy_out(wr_vec *out, const wr_vec *v, wr_arena *arena)
{
    *out = *v;
    if (v->form != WR_FORM_CONST || v->phys == WR_PHYS_NONE) return true;
    wr_vec one;
    if (!wr_vec_init_flat(&one, v->type, 1, arena)) return false;
    if (v->phys == WR_PHYS_STR) { /* bytes of the plan or of the batch: shared */
        *(wr_strv *)one.data = *(const wr_strv *)v->data;
        if (v->has_nulls && !wr_bit_get(v->validity, 0) && !wr_vec_set_null(&one, 0, arena))
            return false;
    } else if (!wr_vec_copy_entry(&one, 0, v, 0, arena)) {
        return false;
    }
    *out = one;
    out->form = WR_FORM_CONST;
    return true;
}

wr_status
wr_program_run_errs(wr_ctx *ctx, wr_program *p, const wr_batch *in, const uint32_t *sel, uint32_t n,
                    wr_arena *arena, wr_vec *outs, wr_row_errs *errs)
{
    wri_run r = {.ctx = ctx,
                 .p = p,
                 .rows = in->row_count,
                 .arena = arena,
                 .errs = errs,
                 .span = WR_NO_SPAN};
    begin(&r, in, sel, n);
    WR_TRY(wri_run_steps(&r, 0, p->main_end));
    for (uint32_t i = 0; i < p->out_count; i++)
        if (!copy_out(&outs[i], p->regs[p->outs[i]], arena))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

/* Row errors that fail the run. The bitmap is kept for the next batch: it is clean while no row has
 * failed, and after one has, nobody runs the program again without clearing it. */
static wr_status
errs_begin(wr_ctx *ctx, wr_program *p, uint32_t rows, wr_row_errs *errs)
{
    const uint32_t words = (uint32_t)WR_BIT_WORDS(rows ? rows : 1);
    if (words > p->err_words) {
        p->err_bits = WR_NEW_N(p->arena, uint64_t, words);
        WR_TRY_ALLOC(ctx, p->err_bits);
        p->err_words = words;
    }
    errs->bits = p->err_bits;
    errs->any = false;
    errs->first_row = 0;
    errs->first_status = WR_OK;
    errs->first_message[0] = 0;
    return WR_OK;
}

static wr_status
errs_end(const wri_run *r)
{
    if (WR_LIKELY(!r->errs->any)) return WR_OK;
    memset(r->p->err_bits, 0, sizeof(uint64_t) * r->p->err_words);
    return wr_raise_at(r->ctx, r->errs->first_status, r->span, "%s", r->errs->first_message);
}

wr_status
wr_program_run(wr_ctx *ctx, wr_program *p, const wr_batch *in, const uint32_t *sel, uint32_t n,
               wr_arena *arena, wr_vec *outs)
{
    wr_row_errs errs;
    WR_TRY(errs_begin(ctx, p, in->row_count, &errs));
    wri_run r = {.ctx = ctx,
                 .p = p,
                 .rows = in->row_count,
                 .arena = arena,
                 .errs = &errs,
                 .span = WR_NO_SPAN};
    begin(&r, in, sel, n);
    WR_TRY(wri_run_steps(&r, 0, p->main_end));
    WR_TRY(errs_end(&r));
    for (uint32_t i = 0; i < p->out_count; i++)
        if (!copy_out(&outs[i], p->regs[p->outs[i]], arena))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

wr_status
wr_program_filter(wr_ctx *ctx, wr_program *p, const wr_batch *in, const uint32_t *sel, uint32_t n,
                  wr_arena *arena, uint32_t *sel_out, uint32_t *count)
{
    wr_row_errs errs;
    WR_TRY(errs_begin(ctx, p, in->row_count, &errs));
    wri_run r = {.ctx = ctx,
                 .p = p,
                 .rows = in->row_count,
                 .arena = arena,
                 .errs = &errs,
                 .span = WR_NO_SPAN};
    begin(&r, in, sel, n);
    if (p->filter_sel) {
        const uint32_t root = p->filter_root;
        p->sels[root] = (wri_sel){sel, n};
        p->sels[p->filter_sel] = (wri_sel){NULL, 0};
        WR_TRY(wri_run_steps(&r, p->main_end, p->filter_end));
        WR_TRY(errs_end(&r));
        const wri_sel *s = &p->sels[p->filter_sel];
        if (s->n) memcpy(sel_out, s->rows, sizeof *sel_out * s->n);
        *count = s->n;
        return WR_OK;
    }
    WR_TRY(wri_run_steps(&r, 0, p->main_end));
    WR_TRY(errs_end(&r));
    *count = wr_kernel_select(p->regs[p->outs[0]], sel, n, sel_out);
    return WR_OK;
}

void
wr_program_close(wr_program *p)
{
    (void)p; /* what prepare made lies in the task arena or was deferred there */
}
