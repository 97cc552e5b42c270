/* SPDX-License-Identifier: Apache-2.0 */
/* Files of in-flight data, byte by byte as docs/reference/checkpoint-format.md has them, and what
 * is wrong with damaged ones. */
#include <stdlib.h>

#include "runtime/inflight_int.h"
#include "unit/check.h"

/* One channel, a watermark and two rows (BIGINT, STRING) on it; rows are in the row encoding. */
static const uint8_t head[] = {'w', 'e', 'i', 'r', 'f', 'l', 'y', '1', 1, 0,
                               0,   0,   1,   0,   0,   0,   2,   0,   0, 0};
static const char types[] = "BIGINT, VARCHAR(2147483647)";

typedef struct file {
    wr_arena *arena;
    wr_batch_pool *pool;
    wr_text text;
} file;

static void
put(file *x, uint64_t v, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) wr_text_putc(&x->text, (char)(v >> (8 * i) & 0xff));
}

static void
put_str(file *x, const char *s)
{
    put(x, strlen(s), 4);
    wr_text_puts(&x->text, s);
}

static const wr_schema *
schema(void)
{
    static wr_field fields[2];
    static wr_schema s = {.fields = fields, .count = 2};
    fields[0] = (wr_field){.name = WR_STR("k"), .type = wr_type_of(WR_T_BIGINT, true)};
    fields[1] = (wr_field){.name = WR_STR("s"), .type = wr_type_string(true)};
    return &s;
}

/* Two rows: (7, 'a'), (NULL, 'longer than a short string'). */
static wr_batch *
two_rows(file *x)
{
    wr_batch *b = wr_batch_acquire(x->pool, 2);
    CHECK(wr_batch_init_flat(b, schema(), 2));
    ((int64_t *)b->cols[0].data)[0] = 7;
    CHECK(wr_vec_set_null(&b->cols[0], 1, b->arena));
    CHECK(wr_vec_set_str(&b->cols[1], 0, "a", 1, b->arena));
    CHECK(wr_vec_set_str(&b->cols[1], 1, "longer than a short string", 26, b->arena));
    b->row_count = 2;
    return b;
}

static void
make(file *x)
{
    static const uint32_t cols[] = {0, 1};
    wr_bytes rows;
    memset(x, 0, sizeof *x);
    x->arena = wr_arena_create(NULL, 0);
    x->pool = wr_batch_pool_create(NULL);
    wr_text_init(&x->text, x->arena);
    wr_text_put(&x->text, (const char *)head, sizeof head);
    put_str(x, "agg/1");
    put(x, 0, 4);                     /* input */
    put(x, 1, 4), put(x, 2, 4);       /* sender of */
    put(x, 2, 4), put(x, 3, 4);       /* receiver of */
    put(x, 0, 1);                     /* found by the receiver */
    put(x, (uint64_t)(int64_t)-5, 8); /* watermark */
    put_str(x, types);
    put(x, 0, 4), put(x, WRI_ITEM_WATERMARK, 1), put(x, 8, 4), put(x, 1000, 8);
    wr_batch *b = two_rows(x);
    CHECK(wr_row_encode(b, cols, 2, x->arena, &rows));
    wr_batch_release(b);
    put(x, 0, 4), put(x, WRI_ITEM_ROWS, 1), put(x, 4 + 10 + rows.off[2], 4), put(x, 2, 4);
    put(x, WR_INSERT, 1), put(x, WR_DELETE, 1);
    put(x, rows.off[1], 4), put(x, rows.off[2] - rows.off[1], 4);
    wr_text_put(&x->text, (const char *)rows.data, rows.off[2]);
    CHECK(!x->text.failed);
}

static void
end(file *x)
{
    wr_batch_pool_destroy(x->pool);
    wr_arena_destroy(x->arena);
}

static wr_status
parse(wr_ctx *ctx, file *x, wr_str bytes, wri_stored_flow **flows, uint32_t *count)
{
    wr_ctx_init(ctx);
    return wri_inflight_parse(ctx, bytes, WR_STR("a-1"), x->arena, flows, count);
}

TEST(a_file_is_read_as_it_is_described)
{
    file x;
    wr_ctx ctx;
    uint32_t n = 0;
    wri_stored_flow *flow = NULL;
    make(&x);
    CHECK_OK(&ctx, parse(&ctx, &x, wr_text_str(&x.text), &flow, &n));
    CHECK_FATAL(n == 1);
    CHECK(wr_str_eq(flow->id, WR_STR("agg/1")));
    CHECK(wr_str_eq(flow->types, wr_str_c(types)));
    CHECK_EQ_UINT(flow->sender, 1);
    CHECK_EQ_UINT(flow->senders, 2);
    CHECK_EQ_UINT(flow->receiver, 2);
    CHECK_EQ_UINT(flow->receivers, 3);
    CHECK(!flow->held);
    CHECK_EQ_INT(flow->watermark, -5);
    CHECK_FATAL(flow->items.count == 2);
    CHECK_EQ_INT(wri_inflight_watermark(&flow->items.items[0]), 1000);
    wri_stored_rows rows;
    CHECK_OK(&ctx, wri_inflight_rows(&ctx, &flow->items.items[1], &rows));
    wr_batch *b = wr_batch_acquire(x.pool, 2);
    CHECK_OK(&ctx, wri_inflight_decode(&ctx, &rows, schema(), b));
    CHECK_EQ_UINT(rows.count, 0);
    CHECK_EQ_UINT(b->row_count, 2);
    CHECK_EQ_INT(((int64_t *)b->cols[0].data)[0], 7);
    CHECK(wr_vec_is_null(&b->cols[0], 1));
    const wr_view view = wr_vec_view(&b->cols[1]);
    CHECK(wr_str_eq(wr_view_str(&view, 1), WR_STR("longer than a short string")));
    CHECK_EQ_INT(wr_batch_kind(b, 0), WR_INSERT);
    CHECK_EQ_INT(wr_batch_kind(b, 1), WR_DELETE);
    wr_batch_release(b);
    wr_text text;
    wr_text_init(&text, x.arena);
    wri_inflight_types(schema(), &text);
    CHECK(wr_str_eq(wr_text_str(&text), wr_str_c(types)));
    end(&x);
}

TEST(what_is_cut_off_or_too_long_is_refused)
{
    file x;
    wr_ctx ctx;
    uint32_t n = 0;
    wri_stored_flow *flow = NULL;
    make(&x);
    const wr_str whole = wr_text_str(&x.text);
    for (size_t len = 0; len < whole.len; len++) {
        char *exact = malloc(len ? len : 1); /* so that a look beyond is seen */
        CHECK_FATAL(exact != NULL);
        memcpy(exact, whole.ptr, len);
        CHECK(parse(&ctx, &x, (wr_str){exact, len}, &flow, &n) == WR_CORRUPT);
        CHECK(strstr(ctx.err.message, "'a-1'") != NULL);
        free(exact);
    }
    wr_text_putc(&x.text, 0);
    CHECK(parse(&ctx, &x, wr_text_str(&x.text), &flow, &n) == WR_CORRUPT);
    end(&x);
}

TEST(another_version_is_told)
{
    file x;
    wr_ctx ctx;
    uint32_t n = 0;
    wri_stored_flow *flow = NULL;
    make(&x);
    x.text.ptr[8] = 9;
    CHECK(parse(&ctx, &x, wr_text_str(&x.text), &flow, &n) == WR_UNSUPPORTED);
    CHECK(strstr(ctx.err.message, "version 9") != NULL);
    end(&x);
}

/* Every byte of the row message changed to anything: read or refused, never more rows than said. */
TEST(rows_that_are_damaged_are_refused)
{
    file x;
    wr_ctx ctx;
    uint32_t n = 0;
    wri_stored_flow *flow = NULL;
    make(&x);
    CHECK_OK(&ctx, parse(&ctx, &x, wr_text_str(&x.text), &flow, &n));
    wri_stored_item item = flow->items.items[1];
    uint8_t *bytes = (uint8_t *)(uintptr_t)item.body.ptr;
    uint32_t refused = 0;
    for (size_t i = 0; i < item.body.len; i++)
        for (uint32_t v = 0; v < 256; v += 5) {
            uint8_t old = bytes[i];
            wri_stored_rows rows;
            bytes[i] = (uint8_t)v;
            wr_ctx_init(&ctx);
            wr_batch *b = wr_batch_acquire(x.pool, 2);
            wr_status status = wri_inflight_rows(&ctx, &item, &rows);
            if (status == WR_OK) status = wri_inflight_decode(&ctx, &rows, schema(), b);
            if (status != WR_OK) CHECK_EQ_INT(status, WR_CORRUPT);
            refused += status != WR_OK;
            CHECK(b->row_count <= 2);
            wr_batch_release(b);
            bytes[i] = old;
        }
    CHECK(refused > 100);
    end(&x);
}

CHECK_MAIN()
