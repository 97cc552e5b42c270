/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a changelog to messages. As Flink writes them: no message tells an update, a row before
 * it is deleted and the one after it inserted. */
#include "format/cdc_int.h"

wr_status
wri_cdc_encode(wr_ctx *ctx, const wri_cdc_format *f, const wr_encoder *json, const wr_batch *batch,
               wr_text *out)
{
    const bool pair = f->shape == WRI_CDC_PAIR, arrays = f->shape == WRI_CDC_ARRAYS;
    const bool nulls = pair && !wri_json_skips_nulls(json); /* the row that is not there is told */
    WR_FOR_ROWS (batch, row) {
        const wr_kind kind = wr_batch_kind(batch, row);
        const bool gone = kind == WR_DELETE || kind == WR_UPDATE_BEFORE;
        wr_text_putc(out, '{');
        if (nulls && !gone) wr_text_printf(out, "\"%s\":null,", f->first);
        wr_text_printf(out, "\"%s\":", pair && !gone ? f->second : f->first);
        if (arrays) wr_text_putc(out, '[');
        WR_TRY(wri_json_encode_object(ctx, json, batch, row, out));
        if (arrays) wr_text_putc(out, ']');
        if (nulls && gone) wr_text_printf(out, ",\"%s\":null", f->second);
        wr_text_printf(out, ",\"%s\":\"%s\"}\n", f->op, gone ? f->remove : f->inserts[0]);
    }
    return out->failed ? wr_raise(ctx, WR_NOMEM, "out of memory") : WR_OK;
}
