/* SPDX-License-Identifier: Apache-2.0 */
/* 'print' writes each change as a line to the session's output, as Flink's print connector does:
 * "[identifier:][subtask>] +I[1, abc]". */
#include "connector/connector_int.h"
#include "vec/cast.h"

static const wr_option_def print_options[] = {
    {"print-identifier", WR_OPT_STRING, NULL, NULL, 0, "A text that precedes each line."},
    {"standard-error", WR_OPT_BOOL, "false", NULL, 0, "Write to standard error."},
    {"sink.parallelism", WR_OPT_INT, NULL, NULL, 0, "Parallelism of the sink."},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

void
wr_print_row(const wr_batch *batch, uint32_t row, const wr_eval_env *eval, wr_text *out)
{
    wr_text_puts(out, wr_kind_name(wr_batch_kind(batch, row)));
    wr_text_putc(out, '[');
    for (uint32_t c = 0; c < batch->col_count; c++) {
        if (c) wr_text_put(out, ", ", 2);
        wr_value_print_java(&batch->cols[c], row, eval ? eval->tz : NULL, out);
    }
    wr_text_putc(out, ']');
}

static wr_status
print_describe(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
               const wr_config *config, wr_clmode requested, wr_arena *arena, wr_sink_info *out)
{
    (void)config;
    (void)arena;
    out->changelog = requested;
    out->guarantee = "at-least-once: lines of a failed attempt stay printed";
    return wri_option_parallelism(ctx, table, options, print_options, "sink.parallelism",
                                  &out->parallelism);
}

typedef struct print_writer { /* wr_writer */
    const wr_sink_env *env;
    wr_arena *scratch;
    wr_str prefix;
    bool error;
} print_writer;

static wr_status
print_open(wr_ctx *ctx, const wr_sink_spec *spec, const wr_sink_env *env, wr_writer **out)
{
    print_writer *w = WR_NEW(env->arena, print_writer);
    WR_TRY_ALLOC(ctx, w);
    wr_str id;
    w->env = env;
    WR_TRY(wri_option_bool(ctx, &spec->options, print_options, "standard-error", &w->error));
    WR_TRY(wri_option_str(ctx, &spec->options, print_options, "print-identifier", &id));
    bool many = env->parallelism > 1;
    if (id.len && many)
        w->prefix = wr_arena_printf(env->arena, "%.*s:%u> ", WR_STR_ARG(id), env->subtask + 1);
    else if (id.len)
        w->prefix = wr_arena_printf(env->arena, "%.*s> ", WR_STR_ARG(id));
    else if (many)
        w->prefix = wr_arena_printf(env->arena, "%u> ", env->subtask + 1);
    else
        w->prefix = WR_STR("");
    WR_TRY_ALLOC(ctx, w->prefix.ptr);
    w->scratch = wr_arena_create(env->budget, 0);
    WR_TRY_ALLOC(ctx, w->scratch);
    *out = (wr_writer *)w;
    return WR_OK;
}

static wr_status
print_write(wr_ctx *ctx, wr_writer *writer, const wr_batch *batch)
{
    print_writer *w = (print_writer *)writer;
    wr_text text;
    wr_text_init(&text, w->scratch);
    WR_FOR_ROWS (batch, row) {
        wr_text_put(&text, w->prefix.ptr, w->prefix.len);
        wr_print_row(batch, row, w->env->eval, &text);
        wr_text_putc(&text, '\n');
    }
    wr_status status = text.failed ? wr_raise(ctx, WR_NOMEM, "out of memory") : WR_OK;
    if (status == WR_OK && text.len)
        status = (w->error ? w->env->err : w->env->out)(w->env->arg, wr_text_str(&text));
    if (status != WR_OK && ctx->err.status == WR_OK)
        status =
            wr_raise(ctx, status, "cannot write to standard %s", w->error ? "error" : "output");
    wr_arena_reset(w->scratch);
    return status;
}

static void
print_close(wr_writer *writer)
{
    if (writer) wr_arena_destroy(((print_writer *)writer)->scratch);
}

const wr_sink_ops wri_print_sink = {
    .abi = WR_ABI,
    .name = "print",
    .options = print_options,
    .describe = print_describe,
    .open = print_open,
    .write = print_write,
    .watermark = wri_sink_watermark_nothing,
    .tick = wri_sink_tick_nothing,
    .flush = wri_sink_flush_nothing,
    .prepare = wri_sink_prepare_nothing,
    .snapshot = wri_sink_snapshot_nothing,
    .restore = wri_sink_restore_nothing,
    .commit = wri_sink_commit_nothing,
    .finish = wri_sink_finish_nothing,
    .close = print_close,
};
