/* SPDX-License-Identifier: Apache-2.0 */
/* Rows kept in columns until the end of the input: what sorts and join builds collect. Live rows
 * are copied into chunks of a fixed number of rows, so that a few rows of a filtered batch do not
 * hold the whole batch, and a row is found by its number. */
#include "op/op_int.h"

#define CHUNK_ROWS (1u << WRI_STORE_SHIFT)
#define FIRST_ROWS WR_MIN(64u, CHUNK_ROWS)

void
wri_store_init(wri_store *s, wr_op *op, const wr_schema *schema)
{
    *s = (wri_store){.op = op, .schema = schema};
}

void
wri_store_clear(wri_store *s)
{
    for (uint32_t i = 0; i < s->chunk_count; i++) wr_batch_release(s->chunks[i]);
    wr_batch_release(s->holder);
    s->holder = NULL;
    s->chunk_count = s->rows = 0;
}

void
wri_store_deinit(wri_store *s)
{
    wri_store_clear(s);
    if (s->op) {
        wr_mem_free(s->op->env->budget, s->chunks, s->chunk_cap * sizeof *s->chunks);
        wr_mem_free(s->op->env->budget, s->iota, s->iota_cap * sizeof *s->iota);
    }
    s->chunks = NULL;
    s->iota = NULL;
    s->chunk_cap = s->iota_cap = 0;
}

static wr_status
add_chunk(wr_ctx *ctx, wri_store *s)
{
    if (s->chunk_count == s->chunk_cap) {
        const uint32_t cap = s->chunk_cap ? s->chunk_cap * 2 : 8;
        wr_batch **more = wr_mem_realloc(s->op->env->budget, s->chunks, s->chunk_cap * sizeof *more,
                                         cap * sizeof *more);
        WR_TRY_ALLOC(ctx, more);
        s->chunks = more;
        s->chunk_cap = cap;
    }
    wr_batch *b = wr_batch_acquire(s->op->env->pool, s->schema->count);
    WR_TRY_ALLOC(ctx, b);
    const uint32_t rows = s->chunk_count ? CHUNK_ROWS : FIRST_ROWS;
    if (!wr_batch_init_flat(b, s->schema, rows)) {
        wr_batch_release(b);
        return WRI_NOMEM(ctx);
    }
    s->chunks[s->chunk_count++] = b;
    return WR_OK;
}

/* The last chunk has room for `rows` rows in all. */
static wr_status
make_room(wr_ctx *ctx, wri_store *s, wr_batch *chunk, uint32_t rows)
{
    for (uint32_t c = 0; c < s->schema->count; c++) {
        wr_vec *v = &chunk->cols[c];
        if (v->cap >= rows) continue;
        const uint32_t cap = WR_MIN(WR_MAX(rows, v->cap * 4), CHUNK_ROWS);
        if (!wr_vec_reserve(v, cap, chunk->arena)) return WRI_NOMEM(ctx);
    }
    return WR_OK;
}

/* Strings that wri_vec_copy_rows shared get bytes of their own. */
static bool
own_strings(wr_vec *v, uint32_t at, uint32_t n, wr_arena *arena)
{
    if (v->phys != WR_PHYS_STR) return true;
    wr_strv *s = (wr_strv *)v->data + at;
    for (uint32_t i = 0; i < n; i++) {
        if (s[i].len <= 12) continue;
        if (v->has_nulls && !wr_bit_get(v->validity, at + i)) {
            memset(&s[i], 0, sizeof s[i]);
            continue;
        }
        const char *copy = wr_arena_dup(arena, wr_strv_ptr(&s[i]), s[i].len);
        if (!copy) return false;
        s[i] = wr_strv_make(copy, s[i].len);
    }
    return true;
}

/* The numbers below n, for batches without a selection; kept from batch to batch. */
static wr_status
count_up(wr_ctx *ctx, wri_store *s, uint32_t n)
{
    if (n <= s->iota_cap) return WR_OK;
    const uint32_t cap = WR_MAX(n, WR_BATCH_ROWS);
    uint32_t *more =
        wr_mem_realloc(s->op->env->budget, s->iota, s->iota_cap * sizeof *more, cap * sizeof *more);
    WR_TRY_ALLOC(ctx, more);
    for (uint32_t i = s->iota_cap; i < cap; i++) more[i] = i;
    s->iota = more;
    s->iota_cap = cap;
    return WR_OK;
}

wr_status
wri_store_append(wr_ctx *ctx, wri_store *s, const wr_batch *b)
{
    const uint32_t n = wr_batch_live(b);
    if (n >= UINT32_MAX - CHUNK_ROWS - s->rows)
        return wr_raise(ctx, WR_LIMIT, "more than four billion rows in one task of %.*s",
                        WR_STR_ARG(s->op->node->label));
    if (!b->sel) WR_TRY(count_up(ctx, s, n));
    const uint32_t *rows = b->sel ? b->sel : s->iota;
    wr_status status = WR_OK;
    for (uint32_t done = 0; status == WR_OK && done < n;) {
        const uint32_t at = s->rows & (CHUNK_ROWS - 1);
        if (at == 0 && s->rows >> WRI_STORE_SHIFT == s->chunk_count) status = add_chunk(ctx, s);
        if (status != WR_OK) break;
        wr_batch *chunk = s->chunks[s->chunk_count - 1];
        const uint32_t piece = WR_MIN(n - done, CHUNK_ROWS - at);
        status = make_room(ctx, s, chunk, at + piece);
        for (uint32_t c = 0; status == WR_OK && c < s->schema->count; c++)
            if (!wri_vec_copy_rows(&chunk->cols[c], at, 1, &b->cols[c], rows + done, piece,
                                   chunk->arena) ||
                !own_strings(&chunk->cols[c], at, piece, chunk->arena))
                status = WRI_NOMEM(ctx);
        if (status != WR_OK) break;
        chunk->row_count = at + piece;
        s->rows += piece;
        done += piece;
    }
    return status;
}

wr_status
wri_store_freeze(wr_ctx *ctx, wri_store *s)
{
    s->holder = wr_batch_acquire(s->op->env->pool, 0);
    WR_TRY_ALLOC(ctx, s->holder);
    for (uint32_t i = 0; i < s->chunk_count; i++)
        if (!wr_batch_keep(s->holder, s->chunks[i])) return WRI_NOMEM(ctx);
    return WR_OK;
}

/* ---- gathering ------------------------------------------------------------------------------- */
#define GATHER(T)                                                                                  \
    for (uint32_t i = 0; i < n; i++) {                                                             \
        if (rows[i] == WRI_NO_ROW) continue;                                                       \
        uint32_t at;                                                                               \
        const wr_vec *v = wri_store_vec(s, rows[i], col, &at);                                     \
        ((T *)out->data)[i] = ((const T *)v->data)[at];                                            \
    }                                                                                              \
    break

static void
gather_data(const wri_store *s, uint32_t col, const uint32_t *rows, uint32_t n, wr_vec *out)
{
    switch (wr_phys_bytes((wr_phys)out->phys)) {
    case 1:
        GATHER(uint8_t);
    case 2:
        GATHER(uint16_t);
    case 4:
        GATHER(uint32_t);
    case 8:
        GATHER(uint64_t);
    case 16:
        GATHER(wr_u128);
    default:
        break;
    }
}

static bool
gather_nulls(const wri_store *s, uint32_t col, const uint32_t *rows, uint32_t n, wr_vec *out,
             wr_arena *arena)
{
    bool any = false;
    for (uint32_t i = 0; i < s->chunk_count && !any; i++) any = s->chunks[i]->cols[col].has_nulls;
    for (uint32_t i = 0; i < n && !any; i++) any = rows[i] == WRI_NO_ROW;
    if (!any) return true;
    if (!wr_vec_ensure_validity(out, arena)) return false;
    out->has_nulls = true;
    for (uint32_t i = 0; i < n; i++) {
        bool ok = rows[i] != WRI_NO_ROW;
        if (ok) {
            uint32_t at;
            const wr_vec *v = wri_store_vec(s, rows[i], col, &at);
            ok = !v->has_nulls || wr_bit_get(v->validity, at);
        }
        wr_bit_put(out->validity, i, ok);
    }
    return true;
}

wr_status
wri_store_gather(wr_ctx *ctx, const wri_store *s, const uint32_t *rows, uint32_t n, wr_vec *vecs,
                 wr_arena *arena)
{
    for (uint32_t c = 0; c < s->schema->count; c++) {
        wr_vec *out = &vecs[c];
        if (!wr_vec_init_flat(out, s->schema->fields[c].type, n, arena)) return WRI_NOMEM(ctx);
        if (out->child_count == 0 && out->phys != WR_PHYS_NONE) {
            gather_data(s, c, rows, n, out);
            if (!gather_nulls(s, c, rows, n, out, arena)) return WRI_NOMEM(ctx);
            continue;
        }
        for (uint32_t i = 0; i < n; i++) {
            uint32_t at;
            const wr_vec *v = rows[i] == WRI_NO_ROW ? NULL : wri_store_vec(s, rows[i], c, &at);
            if (v ? !wr_vec_copy_entry(out, i, v, at, arena) : !wr_vec_set_null(out, i, arena))
                return WRI_NOMEM(ctx);
        }
    }
    return WR_OK;
}
