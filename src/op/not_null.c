/* SPDX-License-Identifier: Apache-2.0 */
/* NOT NULL at the ends of plans: a NULL in a column that promises to have none fails the job, or
 * its row is dropped (table.exec.sink.not-null-enforcer). Rows before the bad one still come out.
 */
#include "op/op_int.h"

wr_status
wri_not_null_refuse(wr_ctx *ctx, const wr_field *field)
{
    return wr_raise(ctx, WR_CONSTRAINT,
                    "Column '%.*s' is NOT NULL, however, a null value is being written into it. "
                    "You can set job configuration 'table.exec.sink.not-null-enforcer'='DROP' to "
                    "suppress this exception and drop such records silently.",
                    WR_STR_ARG(field->name));
}

/* The column of a live row that is NULL and must not be; count of columns if none is. */
static uint32_t
bad_column(const wr_batch *b, const wr_schema *columns, uint32_t row)
{
    uint32_t c = 0;
    while (c < columns->count &&
           (columns->fields[c].type->nullable || !wr_vec_is_null(&b->cols[c], row)))
        c++;
    return c;
}

static bool
may_be_bad(const wr_batch *b, const wr_schema *columns)
{
    for (uint32_t c = 0; c < columns->count; c++) {
        const wr_vec *v = &b->cols[c];
        if (!columns->fields[c].type->nullable && (v->has_nulls || v->phys == WR_PHYS_NONE))
            return true;
    }
    return false;
}

wr_status
wri_not_null(wr_ctx *ctx, wr_op *op, const wr_schema *columns, bool drop, wr_batch **batch,
             uint32_t *refused)
{
    wr_batch *b = *batch;
    if (!may_be_bad(b, columns)) return WR_OK;
    wr_batch_ref(b);
    wr_batch *out = wri_batch_view(op, b);
    WR_TRY_ALLOC(ctx, out);
    uint32_t *sel = wr_arena_alloc(out->arena, sizeof *sel * (wr_batch_live(b) + 1)), count = 0;
    if (!sel) {
        wr_batch_release(out);
        return WRI_NOMEM(ctx);
    }
    WR_FOR_ROWS (b, row) {
        const uint32_t c = bad_column(b, columns, row);
        sel[count] = row;
        count += c == columns->count;
        if (c == columns->count || drop) continue;
        *refused = c + 1;
        break;
    }
    out->sel = sel;
    out->sel_count = count;
    wr_batch_release(b);
    *batch = out;
    return WR_OK;
}
