/* SPDX-License-Identifier: Apache-2.0 */
/* Values kept in accumulators, and keys made of rows. */
#include "expr/agg_int.h"

static uint32_t
fixed_bytes(uint8_t phys)
{
    switch ((wr_phys)phys) {
    case WR_PHYS_NONE:
    case WR_PHYS_STR:
    case WR_PHYS_LIST:
    case WR_PHYS_MAP:
    case WR_PHYS_ROW:
    case WR_PHYS_COUNT:
        return 0;
    case WR_PHYS_BOOL:
    case WR_PHYS_I8:
    case WR_PHYS_I16:
    case WR_PHYS_I32:
    case WR_PHYS_I64:
    case WR_PHYS_F32:
    case WR_PHYS_F64:
    case WR_PHYS_I128:
    case WR_PHYS_TS:
        return wr_phys_bytes((wr_phys)phys);
    }
    return 0;
}

/* A batch that shows one vector. */
static wr_batch
batch_of(const wr_vec *v, uint32_t rows)
{
    wr_batch b;
    memset(&b, 0, sizeof b);
    b.cols = (wr_vec *)(uintptr_t)v;
    b.col_count = 1;
    b.row_count = rows;
    return b;
}

/* Integers are kept in 128 bits: a column that becomes wider finds its values. */
static void
set_raw(wri_cell *c, const wr_vec *v, uint32_t at, uint32_t bytes)
{
    const uint8_t *p = (const uint8_t *)v->data + (size_t)at * bytes;
    memset(c->u.raw, 0, sizeof c->u.raw);
    memcpy(c->u.raw, p, bytes);
    const bool integer = v->phys >= WR_PHYS_I8 && v->phys <= WR_PHYS_I64;
    if (integer && p[bytes - 1] >= 0x80) memset(c->u.raw + bytes, 0xff, sizeof c->u.raw - bytes);
}

wr_status
wri_cell_set(wr_ctx *ctx, wr_state_table *t, wri_cell *c, const wr_vec *v, uint32_t row)
{
    const uint32_t bytes = fixed_bytes(v->phys), at = wr_vec_index(v, row);
    if (wr_vec_is_null(v, row)) {
        wri_cell_free(t, c);
        c->what = WRI_CELL_NULL;
        return WR_OK;
    }
    if (bytes) {
        set_raw(c, v, at, bytes);
        c->what = WRI_CELL_VALUE;
        return WR_OK;
    }
    if (c->what != WRI_CELL_VALUE) c->u.blob = (wr_blob){0};
    c->what = WRI_CELL_VALUE | (uint64_t)1 << 32; /* the second half marks a blob */
    if (v->phys == WR_PHYS_STR) {
        const wr_strv *s = &((const wr_strv *)v->data)[at];
        return t->ops->blob_set(ctx, t, &c->u.blob, wr_strv_ptr(s), s->len);
    }
    wr_arena *tmp = wr_arena_create(NULL, 0);
    WR_TRY_ALLOC(ctx, tmp);
    wr_text text;
    uint32_t col = 0;
    wr_batch b = batch_of(v, row + 1);
    wr_text_init(&text, tmp);
    wr_status status = wr_row_encode_one(&b, &col, 1, row, &text)
                           ? t->ops->blob_set(ctx, t, &c->u.blob, text.ptr, (uint32_t)text.len)
                           : wr_raise(ctx, WR_NOMEM, "out of memory");
    wr_arena_destroy(tmp);
    return status;
}

static bool
is_blob(const wri_cell *c)
{
    return c->what >> 32 != 0;
}

void
wri_cell_free(wr_state_table *t, wri_cell *c)
{
    if (is_blob(c)) t->ops->blob_free(t, &c->u.blob);
    memset(c, 0, sizeof *c);
}

wr_status
wri_cell_get(wr_ctx *ctx, const wr_state_table *t, const wri_cell *c, wr_vec *out, uint32_t i,
             wr_arena *a)
{
    if ((uint32_t)c->what != WRI_CELL_VALUE) {
        wr_vec_set_null(out, i, a);
        return WR_OK;
    }
    if (!is_blob(c)) {
        const uint32_t bytes = fixed_bytes(out->phys);
        memcpy((uint8_t *)out->data + (size_t)i * bytes, c->u.raw, bytes);
        return WR_OK;
    }
    const uint8_t *p = t->ops->blob_get(t, &c->u.blob);
    if (out->phys == WR_PHYS_STR) {
        bool ok = wr_vec_set_str(out, i, (const char *)p, c->u.blob.len, a);
        return ok ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    return wr_row_decode(ctx, p, c->u.blob.len, out, 1, i, true, a);
}

int
wri_cell_cmp(const wr_state_table *t, const wri_cell *c, const wr_vec *v, uint32_t row)
{
    wr_vec kept;
    wr_strv s;
    _Alignas(16) uint8_t raw[16]; /* cells lie at multiples of 8 */
    memset(&kept, 0, sizeof kept);
    kept.type = v->type;
    kept.phys = v->phys;
    kept.form = WR_FORM_CONST;
    kept.len = 1;
    if (is_blob(c)) {
        s = wr_strv_make((const char *)t->ops->blob_get(t, &c->u.blob), c->u.blob.len);
        kept.data = &s;
    } else {
        memcpy(raw, c->u.raw, sizeof raw);
        kept.data = raw;
    }
    return wr_vec_entry_order(&kept, 0, v, row);
}

static void
arg_batch(const wr_agg_call *call, uint32_t row, wr_batch *b, wr_vec *cols)
{
    memset(b, 0, sizeof *b);
    for (uint32_t k = 0; k < call->arg_count; k++) cols[k] = *call->args[k];
    b->cols = cols;
    b->col_count = call->arg_count;
    b->row_count = row + 1;
}

bool
wri_agg_row_bytes(const wr_agg_call *call, uint32_t row, wr_text *out)
{
    static const uint32_t order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    wr_batch b;
    wr_vec cols[8];
    if (call->arg_count > WR_COUNT(cols)) return false;
    arg_batch(call, row, &b, cols);
    return wr_row_encode_one(&b, order, call->arg_count, row, out);
}

bool
wri_agg_sort_bytes(const wr_agg_call *call, uint32_t row, wr_text *out)
{
    const wr_sort_key key = {.col = 0};
    wr_batch b;
    wr_vec cols[8];
    wr_bytes bytes;
    arg_batch(call, row, &b, cols);
    b.sel = &row;
    b.sel_count = 1;
    if (!wr_sortkey_encode(&b, &key, 1, call->arena, &bytes)) return false;
    wr_text_put(out, (const char *)bytes.data, bytes.off[1]);
    return !out->failed;
}

wr_status
wri_agg_no_merge(wr_agg_call *call, uint8_t *const *other)
{
    (void)other;
    return wr_raise(call->ctx, WR_UNSUPPORTED, "%s cannot merge partial results",
                    call->agg->fn->name);
}
