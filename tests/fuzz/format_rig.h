/* SPDX-License-Identifier: Apache-2.0 */
/* For fuzzers of decoders: the same bytes decoded twice, once whole and stable into big batches,
 * once in pieces, unstable, into batches of a few rows. Rows and outcome must be the same. */
#ifndef WR_TESTS_FORMAT_RIG_H
#define WR_TESTS_FORMAT_RIG_H

#include <stdlib.h>

#include "format/format.h"
#include "unit/type_parse.h"
#include "vec/cast.h"

typedef struct fuzz_run {
    wr_text rows;
    wr_status status;
    uint64_t skipped;
} fuzz_run;

static inline void
fuzz_take(fuzz_run *run, const wr_batch *b, uint32_t rows)
{
    for (uint32_t r = 0; r < rows; r++) {
        for (uint32_t c = 0; c < b->col_count; c++) {
            wr_value_print_java(&b->cols[c], r, NULL, &run->rows);
            wr_text_putc(&run->rows, '|');
        }
        wr_text_putc(&run->rows, '\n');
    }
}

/* piece 0: everything at once. */
static inline fuzz_run
fuzz_decode(const wr_format_ops *f, const wr_decode_spec *spec, const char *data, size_t len,
            size_t piece, uint32_t max_rows, wr_arena *a)
{
    wr_ctx ctx;
    wr_decoder *d;
    fuzz_run run = {.status = WR_OK};
    wr_batch_pool *pool = wr_batch_pool_create(NULL);
    size_t from = 0, to = piece ? WR_MIN(piece, len) : len;
    wr_decode_pos pos = {.file = WR_STR("fuzz"), .line = 1};
    wr_ctx_init(&ctx);
    wr_text_init(&run.rows, a);
    if (f->decoder_open(&ctx, spec, &d) != WR_OK) abort();
    for (bool more = true; more && run.status == WR_OK;) {
        wr_batch *b = wr_batch_acquire(pool, spec->schema.count);
        uint32_t rows = 0;
        size_t used = 0;
        if (!b || !wr_batch_init_flat(b, &spec->schema, max_rows)) abort();
        const bool last = to == len;
        char *copy = NULL;
        const char *p = data + from;
        if (piece) { /* exact size, so that reading behind the end is seen; gone afterwards */
            copy = malloc(to - from ? to - from : 1);
            if (!copy) abort();
            memcpy(copy, p, to - from);
            p = copy;
        }
        run.status =
            f->decode(&ctx, d, p, to - from, last, !piece, b, &rows, max_rows, &used, &pos);
        free(copy);
        if (used > to - from || rows > max_rows) abort();
        fuzz_take(&run, b, rows);
        wr_batch_release(b);
        from += used;
        if (used == 0 && rows == 0) {
            more = !last;
            to = WR_MIN(to + piece, len);
        }
    }
    run.skipped = f->skipped(d);
    f->decoder_close(d);
    wr_batch_pool_destroy(pool);
    return run;
}

static inline void
fuzz_both_ways(const wr_format_ops *f, const char *const *columns, uint32_t count,
               const wr_options *options, const char *data, size_t len, unsigned salt)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    wr_field *fields = WR_NEW_N(a, wr_field, count);
    int32_t *out = WR_NEW_N(a, int32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        fields[i] = (wr_field){wr_arena_printf(a, "c%u", i), type_parse(a, columns[i]), WR_STR("")};
        if (!fields[i].type) abort();
        out[i] = (int32_t)i;
    }
    wr_decode_spec spec = {.options = *options, .schema = {fields, count}, .out = out, .arena = a};
    fuzz_run whole = fuzz_decode(f, &spec, data, len, 0, 1000, a);
    fuzz_run parts = fuzz_decode(f, &spec, data, len, 1 + salt % 61, 1 + salt % 5, a);
    if (whole.status != parts.status || whole.skipped != parts.skipped) abort();
    wr_str x = wr_text_str(&whole.rows), y = wr_text_str(&parts.rows);
    /* a failing call keeps no rows of its batch, so only the beginning is common */
    if (whole.status == WR_OK ? !wr_str_eq(x, y) : false) abort();
    wr_arena_destroy(a);
}

#endif
