/* SPDX-License-Identifier: Apache-2.0 */
/* Small results: success, a text, a table of strings. They reach the caller as batches like any
 * other rows. */
#include "engine/engine_int.h"

wr_status
wri_result_ok(wr_ctx *ctx, wri_stmt *st)
{
    wr_result_head head = {.kind = WR_RESULT_OK, .bounded = true, .eval = st->eval};
    WR_TRY(st->sink->begin(ctx, st->sink->arg, &head));
    return st->sink->end(ctx, st->sink->arg);
}

wr_status
wri_table_init(wr_ctx *ctx, wri_table *t, wr_arena *a, const char *const *names,
               const wr_type *const *types, uint32_t count)
{
    memset(t, 0, sizeof *t);
    t->arena = a;
    t->col_count = count;
    t->fields = WR_NEW_N(a, wr_field, count);
    WR_TRY_ALLOC(ctx, t->fields);
    for (uint32_t i = 0; i < count; i++) {
        t->fields[i].name = wr_str_c(names[i]);
        t->fields[i].type = types && types[i] ? types[i] : wr_type_string(true);
    }
    return WR_OK;
}

wr_value *
wri_table_row(wri_table *t)
{
    wr_value *row = WR_NEW_N(t->arena, wr_value, t->col_count + 1);
    if (!row || !wr_list_push(t->arena, &t->rows, row)) return NULL;
    for (uint32_t i = 0; i < t->col_count; i++) row[i] = wr_value_null(t->fields[i].type);
    return row;
}

void
wri_table_set(wri_table *t, wr_value *row, uint32_t col, wr_str text)
{
    row[col] = wr_value_str(t->fields[col].type, text);
}

static wr_status
send_rows(wr_ctx *ctx, wri_stmt *st, const wri_table *t, wr_batch_pool *pool)
{
    wr_schema schema = {.fields = t->fields, .count = t->col_count};
    for (uint32_t at = 0; at < t->rows.count;) {
        uint32_t n = WR_MIN(t->rows.count - at, WR_BATCH_ROWS);
        wr_batch *b = wr_batch_acquire(pool, t->col_count);
        WR_TRY_ALLOC(ctx, b);
        bool ok = wr_batch_init_flat(b, &schema, n);
        for (uint32_t r = 0; ok && r < n; r++)
            for (uint32_t c = 0; ok && c < t->col_count; c++)
                ok = wr_vec_put(&b->cols[c], r, &t->rows.items[at + r][c], b->arena);
        b->row_count = n;
        wr_status status =
            ok ? st->sink->rows(ctx, st->sink->arg, b) : wr_raise(ctx, WR_NOMEM, "out of memory");
        wr_batch_release(b);
        WR_TRY(status);
        at += n;
    }
    return WR_OK;
}

static wr_status
send_table(wr_ctx *ctx, wri_stmt *st, const wri_table *t, wr_result_kind kind)
{
    wr_result_head head = {.kind = kind,
                           .schema = {.fields = t->fields, .count = t->col_count},
                           .bounded = true,
                           .eval = st->eval};
    wr_batch_pool *pool = wr_batch_pool_create(st->session->engine->budget);
    WR_TRY_ALLOC(ctx, pool);
    wr_status status = st->sink->begin(ctx, st->sink->arg, &head);
    if (status == WR_OK) status = send_rows(ctx, st, t, pool);
    wr_batch_pool_destroy(pool);
    return status == WR_OK ? st->sink->end(ctx, st->sink->arg) : status;
}

wr_status
wri_result_table(wr_ctx *ctx, wri_stmt *st, const wri_table *t)
{
    return send_table(ctx, st, t, WR_RESULT_INFO);
}

wr_status
wri_result_text(wr_ctx *ctx, wri_stmt *st, wr_str text)
{
    static const char *const names[] = {"result"};
    wri_table t;
    WR_TRY(wri_table_init(ctx, &t, st->arena, names, NULL, 1));
    wr_value *row = wri_table_row(&t);
    WR_TRY_ALLOC(ctx, row);
    wri_table_set(&t, row, 0, text);
    return send_table(ctx, st, &t, WR_RESULT_TEXT);
}
