/* SPDX-License-Identifier: Apache-2.0 */
/* Files of in-flight data: any bytes are read or refused, and so are the rows of any message. */
#include "runtime/inflight_int.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
decode_rows(wr_batch_pool *pool, const wri_stored_item *item)
{
    wr_field fields[2] = {{.name = WR_STR("k"), .type = wr_type_of(WR_T_BIGINT, true)},
                          {.name = WR_STR("s"), .type = wr_type_string(true)}};
    const wr_schema schema = {.fields = fields, .count = 2};
    wri_stored_rows rows;
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_status status = wri_inflight_rows(&ctx, item, &rows);
    while (status == WR_OK && rows.count) {
        wr_batch *b = wr_batch_acquire(pool, 2);
        if (!b) break;
        status = wri_inflight_decode(&ctx, &rows, &schema, b);
        wr_batch_release(b);
    }
    WR_ASSERT(status == WR_OK || ctx.err.message[0]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    wr_batch_pool *pool = wr_batch_pool_create(NULL);
    wri_stored_flow *flows = NULL;
    uint32_t count = 0;
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wr_str bytes = {size ? (const char *)data : "", size};
    bool ok = a && pool && wri_inflight_parse(&ctx, bytes, WR_STR("f"), a, &flows, &count) == WR_OK;
    WR_ASSERT(ok || ctx.err.message[0]);
    for (uint32_t i = 0; ok && i < count; i++)
        for (uint32_t k = 0; k < flows[i].items.count; k++)
            if (flows[i].items.items[k].kind == WRI_ITEM_ROWS)
                decode_rows(pool, &flows[i].items.items[k]);
            else
                (void)wri_inflight_watermark(&flows[i].items.items[k]);
    wr_batch_pool_destroy(pool);
    wr_arena_destroy(a);
    return 0;
}
