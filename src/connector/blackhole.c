/* SPDX-License-Identifier: Apache-2.0 */
/* 'blackhole' takes everything and keeps nothing. It does look at every value of a live row, as a
 * sink that writes them would, so that what is measured with it includes making them: numbers
 * whole, strings by their view and, beyond 12 bytes, both ends. The values fold into one word. */
#include "connector/connector_int.h"

typedef struct blackhole_writer { /* wr_writer */
    uint64_t seen;
} blackhole_writer;

static const wr_option_def blackhole_options[] = {{NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

static wr_status
blackhole_describe(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
                   const wr_config *config, wr_clmode requested, wr_arena *arena, wr_sink_info *out)
{
    (void)ctx;
    (void)table;
    (void)options;
    (void)config;
    (void)arena;
    /* As Flink's: what it drops needs no -U. */
    out->changelog = (wr_clmode)(requested & ~(uint32_t)WR_CL_UB);
    out->partitions = true;
    out->guarantee = "none: rows are dropped";
    return WR_OK;
}

static wr_status
blackhole_open(wr_ctx *ctx, const wr_sink_spec *spec, const wr_sink_env *env, wr_writer **out)
{
    (void)spec;
    blackhole_writer *w = WR_NEW(env->arena, blackhole_writer);
    WR_TRY_ALLOC(ctx, w);
    *out = (wr_writer *)w;
    return WR_OK;
}

typedef struct entries { /* rows[0..n), NULL: 0..n-1 */
    const uint32_t *rows;
    uint32_t n;
} entries;

#define LOOK(T)                                                                                    \
    static uint64_t look_##T(const T *data, entries e)                                             \
    {                                                                                              \
        T x = 0;                                                                                   \
        if (e.rows)                                                                                \
            for (uint32_t i = 0; i < e.n; i++) x ^= data[e.rows[i]];                               \
        else                                                                                       \
            for (uint32_t i = 0; i < e.n; i++) x ^= data[i];                                       \
        return (uint64_t)x;                                                                        \
    }
LOOK(uint8_t)
LOOK(uint16_t)
LOOK(uint32_t)
LOOK(uint64_t)
LOOK(wr_u128)

static uint64_t
look_strings(const wr_vec *v, entries e)
{
    const wr_strv *data = v->data;
    uint64_t x = 0;
    for (uint32_t i = 0; i < e.n; i++) {
        const uint32_t at = e.rows ? e.rows[i] : i;
        const wr_strv *s = &data[at];
        if (v->has_nulls && !wr_bit_get(v->validity, at)) continue;
        x += s->len;
        if (s->len <= 12) {
            x ^= wr_load64(s->u.inl);
            continue;
        }
        const char *p = wr_strv_ptr(s);
        x ^= wr_load64(p) ^ wr_load64(p + s->len - 8);
    }
    return x;
}

static uint64_t look(const wr_vec *v, entries e);

static uint64_t
look_nested(const wr_vec *v, entries e)
{
    uint64_t x = 0;
    const bool row = v->phys == WR_PHYS_ROW;
    if (!row) x = look_uint64_t(v->data, e);
    for (uint32_t c = 0; c < v->child_count; c++)
        x += look(&v->child[c], row ? e : (entries){NULL, v->child[c].len});
    return x;
}

/* The entries themselves, whatever the vector's form. */
static uint64_t
look_at(const wr_vec *v, entries e)
{
    if (v->child_count) return look_nested(v, e);
    if (v->phys == WR_PHYS_STR) return look_strings(v, e);
    switch (wr_phys_bytes((wr_phys)v->phys)) {
    case 1:
        return look_uint8_t(v->data, e);
    case 2:
        return look_uint16_t(v->data, e);
    case 4:
        return look_uint32_t(v->data, e);
    case 8:
        return look_uint64_t(v->data, e);
    case 16:
        return look_wr_u128(v->data, e);
    default:
        return 0;
    }
}

static uint64_t
look(const wr_vec *v, entries e)
{
    if (v->form == WR_FORM_CONST) return look_at(v, (entries){NULL, WR_MIN(e.n, 1u)});
    if (v->form == WR_FORM_FLAT) return look_at(v, e);
    return look_at(v, (entries){NULL, v->len}); /* the dictionary */
}

static wr_status
blackhole_write(wr_ctx *ctx, wr_writer *writer, const wr_batch *batch)
{
    (void)ctx;
    blackhole_writer *w = (blackhole_writer *)writer;
    const entries live = {batch->sel, wr_batch_live(batch)};
    for (uint32_t c = 0; c < batch->col_count; c++) w->seen += look(&batch->cols[c], live);
    return WR_OK;
}

static void
blackhole_close(wr_writer *w)
{
    (void)w;
}

const wr_sink_ops wri_blackhole_sink = {
    .abi = WR_ABI,
    .name = "blackhole",
    .options = blackhole_options,
    .describe = blackhole_describe,
    .open = blackhole_open,
    .write = blackhole_write,
    .watermark = wri_sink_watermark_nothing,
    .tick = wri_sink_tick_nothing,
    .flush = wri_sink_flush_nothing,
    .prepare = wri_sink_prepare_nothing,
    .snapshot = wri_sink_snapshot_nothing,
    .restore = wri_sink_restore_nothing,
    .commit = wri_sink_commit_nothing,
    .finish = wri_sink_finish_nothing,
    .close = blackhole_close,
};
