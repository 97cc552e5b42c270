/* SPDX-License-Identifier: Apache-2.0 */
/* FROM_CHANGELOG: the codes of a column become the kinds of the rows. TO_CHANGELOG: the other way
 * round. No state; columns are handed on as they are. */
#include "plan/changelog_fn.h"
#include "op/op_int.h"

typedef struct changelog_op {
    wr_op op;
    wr_strv text[4];  /* TO: of each kind */
    uint8_t has_text; /* bit per kind */
} changelog_op;

static wr_status
changelog_open(wr_ctx *ctx, wr_op *op)
{
    (void)ctx;
    changelog_op *c = (changelog_op *)op;
    const wr_changelog_spec *s = op->node->u.changelog;
    for (uint32_t i = 0; !s->from && i < s->code_count; i++) {
        const wr_changelog_code *code = &s->codes[i];
        c->text[code->kind] = wr_strv_make(code->text.ptr, (uint32_t)code->text.len);
        c->has_text |= (uint8_t)(1u << code->kind);
    }
    return WR_OK;
}

/* ---- FROM_CHANGELOG -------------------------------------------------------------------------- */

static wr_status
unknown_code(wr_ctx *ctx, const wr_op *op, wr_str code)
{
    const wr_changelog_spec *s = op->node->u.changelog;
    wr_text known;
    wr_arena *a = wr_arena_create(NULL, 1024);
    WR_TRY_ALLOC(ctx, a);
    wr_text_init(&known, a);
    for (uint32_t i = 0; i < s->code_count; i++)
        wr_text_printf(&known, "%s%.*s", i ? ", " : "", WR_STR_ARG(s->codes[i].text));
    const wr_str list = wr_text_str(&known);
    const wr_status status =
        wr_raise(ctx, WR_DATA, "Received invalid op code '%.*s'. Defined op codes are: [%.*s].",
                 (int)WR_MIN(code.len, (size_t)200), code.ptr, WR_STR_ARG(list));
    wr_arena_destroy(a);
    return status;
}

/* The kinds of the live rows of `in`. */
static wr_status
read_codes(wr_ctx *ctx, const wr_op *op, const wr_batch *in, uint8_t *kinds)
{
    const wr_changelog_spec *s = op->node->u.changelog;
    const wr_view codes = wr_vec_view(&in->cols[s->op_col]);
    uint32_t last = 0;
    WR_FOR_ROWS (in, row) {
        if (!wr_view_valid(&codes, row))
            return wr_raise(ctx, WR_DATA,
                            "Received NULL op code. Every changelog row must carry an operation "
                            "code.");
        const wr_str code = wr_view_str(&codes, row);
        uint32_t i = last; /* mostly as the row before */
        if (i >= s->code_count || !wr_str_eq(s->codes[i].text, code))
            for (i = 0; i < s->code_count && !wr_str_eq(s->codes[i].text, code);) i++;
        if (i == s->code_count) return unknown_code(ctx, op, code);
        kinds[row] = s->codes[i].kind;
        last = i;
    }
    return WR_OK;
}

/* A batch of other columns over `in`, which it keeps; its columns are zeroed. */
static wr_batch *
over_batch(wr_op *op, wr_batch *in)
{
    wr_batch *out = wr_batch_acquire(op->env->pool, op->node->schema.count);
    if (!out || !wr_batch_keep(out, in)) {
        wr_batch_release(out);
        return NULL;
    }
    out->row_count = in->row_count;
    out->sel = in->sel;
    out->sel_count = in->sel_count;
    return out;
}

static wr_status
from_batch(wr_ctx *ctx, wr_op *op, wr_batch *in, wr_batch *out)
{
    const uint32_t skip = op->node->u.changelog->op_col;
    uint32_t n = 0;
    for (uint32_t i = 0; i < in->col_count; i++)
        if (i != skip) out->cols[n++] = in->cols[i];
    uint8_t *kinds = wr_batch_kinds(out, in->row_count);
    WR_TRY_ALLOC(ctx, kinds);
    return read_codes(ctx, op, in, kinds);
}

/* ---- TO_CHANGELOG ---------------------------------------------------------------------------- */

static wr_status
select_told(wr_ctx *ctx, const changelog_op *c, const wr_batch *in, wr_batch *out)
{
    uint32_t *sel = WR_NEW_N(out->arena, uint32_t, wr_batch_live(in) + 1), n = 0;
    WR_TRY_ALLOC(ctx, sel);
    WR_FOR_ROWS (in, row) {
        sel[n] = row;
        n += c->has_text >> wr_batch_kind(in, row) & 1;
    }
    out->sel = sel;
    out->sel_count = n;
    return WR_OK;
}

static wr_status
to_batch(wr_ctx *ctx, wr_op *op, wr_batch *in, wr_batch *out)
{
    const changelog_op *c = (const changelog_op *)op;
    const wr_changelog_spec *s = op->node->u.changelog;
    if (!wr_vec_init_flat(&out->cols[0], op->node->schema.fields[0].type, in->row_count,
                          out->arena))
        return WRI_NOMEM(ctx);
    wr_strv *codes = out->cols[0].data;
    WR_FOR_ROWS (in, row) codes[row] = c->text[wr_batch_kind(in, row)];
    for (uint32_t i = 0; i < in->col_count; i++) out->cols[i + 1] = in->cols[i];
    if (s->time_col >= 0) out->cols[in->col_count + 1] = in->cols[s->time_col];
    return c->has_text == WR_CL_ALL ? WR_OK : select_told(ctx, c, in, out);
}

/* ---- both ------------------------------------------------------------------------------------ */

static wr_status
changelog_batch(wr_ctx *ctx, wr_op *op, uint32_t input, wr_batch *take_batch, wr_emitter *emit)
{
    (void)input;
    wr_batch *out = over_batch(op, take_batch);
    wr_status status = out ? WR_OK : WRI_NOMEM(ctx);
    if (status == WR_OK)
        status = op->node->u.changelog->from ? from_batch(ctx, op, take_batch, out)
                                             : to_batch(ctx, op, take_batch, out);
    wr_batch_release(take_batch);
    if (status == WR_OK && wr_batch_live(out) > 0) return wr_emit(ctx, emit, out);
    wr_batch_release(out);
    return status;
}

const wr_op_ops wri_changelog_ops = {.abi = WR_ABI,
                                     .name = "ProcessTableFunction",
                                     .size_bytes = sizeof(changelog_op),
                                     .open = changelog_open,
                                     .on_batch = changelog_batch,
                                     .on_resume = wr_op_no_resume,
                                     .on_watermark = wr_op_pass_watermark,
                                     .on_timer = wr_op_no_timer,
                                     .on_barrier = wr_op_pass_barrier,
                                     .on_end_input = wr_op_no_end_input,
                                     .on_end = wr_op_no_end,
                                     .close = wr_op_close_nothing,
                                     .snapshot = wr_op_no_snapshot,
                                     .restore = wr_op_no_restore,
                                     .committed = wr_op_no_committed};
