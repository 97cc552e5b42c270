/* SPDX-License-Identifier: Apache-2.0 */
/* 'stdin', 'stdout' and 'socket': records of a format over a stream of bytes.
 *
 * stdin reads records as they come and ends with the stream; it is unbounded unless it is a file.
 * socket connects to hostname:port; records end at byte-delimiter (10); it ends when the other side
 * closes. stdout writes encoded rows. One subtask each. Reading never blocks: PENDING carries the
 * descriptor. */
#include "connector/connector_int.h"
#include "os/os.h"

static const wr_option_def stdin_options[] = {
    {"format", WR_OPT_STRING, NULL, NULL, WR_OPTF_REQUIRED | WR_OPTF_FORMAT, "The records."},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

static const wr_option_def socket_options[] = {
    {"hostname", WR_OPT_STRING, NULL, NULL, WR_OPTF_REQUIRED, "Where to connect to."},
    {"port", WR_OPT_INT, NULL, NULL, WR_OPTF_REQUIRED, "The port there."},
    {"byte-delimiter", WR_OPT_INT, "10", NULL, 0, "The byte that ends a record."},
    {"format", WR_OPT_STRING, NULL, NULL, WR_OPTF_REQUIRED | WR_OPTF_FORMAT, "The records."},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

typedef struct stream_reader { /* wr_reader */
    const wr_source_spec *spec;
    wr_os_file file;
    bool owned, has_split, ended;
    int delimiter; /* of single messages; -1: the format finds its records itself */
    const wr_format_ops *format;
    wr_decoder *decoder;
    wr_decode_pos pos;
    wr_memtrack *budget;
    char *buf;
    size_t head, tail, cap;
} stream_reader;

static wr_status
stream_describe(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options, wr_arena *arena,
                wr_source_info *out)
{
    const wr_format_ops *format;
    WR_TRY(wri_format_check(ctx, table, options, false, arena, &format));
    out->changelog = format->changelog;
    if (format->metadata) WR_TRY(format->metadata(ctx, arena, &out->metadata));
    out->can_skip = true;
    out->parallelism = out->parallelism_max = 1;
    out->row_count = -1;
    out->keeps_order = true;
    return WR_OK;
}

static wr_status
stdin_describe(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
               const wr_config *config, wr_arena *arena, wr_source_info *out)
{
    (void)config;
    wr_os_file in = wr_os_stdin();
    WR_TRY(stream_describe(ctx, table, options, arena, out));
    out->bounded = !wr_os_is_terminal(&in); /* a pipe ends with its writer */
    return WR_OK;
}

static wr_status
socket_describe(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
                const wr_config *config, wr_arena *arena, wr_source_info *out)
{
    (void)config;
    int64_t port, delimiter;
    WR_TRY(stream_describe(ctx, table, options, arena, out));
    WR_TRY(wri_option_int(ctx, options, socket_options, "port", &port));
    WR_TRY(wri_option_int(ctx, options, socket_options, "byte-delimiter", &delimiter));
    if (port < 1 || port > 65535)
        return wr_raise_at(ctx, WR_OPTION, wr_options_find(options, "port")->span,
                           "option 'port' must be between 1 and 65535, but was %lld",
                           (long long)port);
    if (delimiter < 0 || delimiter > 255)
        return wr_raise_at(ctx, WR_OPTION, wr_options_find(options, "byte-delimiter")->span,
                           "option 'byte-delimiter' must be a byte, but was %lld",
                           (long long)delimiter);
    return WR_OK;
}

static wr_status
stream_open(wr_ctx *ctx, const wr_source_spec *spec, const wr_source_env *env, wr_str name,
            stream_reader **out)
{
    stream_reader *r = WR_NEW(env->arena, stream_reader);
    WR_TRY_ALLOC(ctx, r);
    r->spec = spec;
    r->delimiter = -1;
    r->budget = env->budget;
    r->pos = (wr_decode_pos){.file = name, .line = 1};
    WR_TRY(wri_decoder_open(ctx, spec, env, name, &r->format, &r->decoder));
    *out = r;
    return WR_OK;
}

static wr_status
stdin_open(wr_ctx *ctx, const wr_source_spec *spec, const wr_source_env *env, wr_reader **out)
{
    stream_reader *r;
    WR_TRY(stream_open(ctx, spec, env, WR_STR("stdin"), &r));
    r->file = wr_os_stdin();
    *out = (wr_reader *)r;
    return WR_OK;
}

static wr_status
socket_open(wr_ctx *ctx, const wr_source_spec *spec, const wr_source_env *env, wr_reader **out)
{
    stream_reader *r;
    int64_t port, delimiter;
    wr_str host;
    const wr_options *o = &spec->options;
    WR_TRY(wri_option_int(ctx, o, socket_options, "port", &port));
    WR_TRY(wri_option_int(ctx, o, socket_options, "byte-delimiter", &delimiter));
    WR_TRY(wri_option_str(ctx, o, socket_options, "hostname", &host));
    char *zero = wr_arena_dup(env->arena, host.ptr, host.len);
    WR_TRY_ALLOC(ctx, zero);
    wr_str name = wr_arena_printf(env->arena, "%s:%lld", zero, (long long)port);
    WR_TRY_ALLOC(ctx, name.ptr);
    WR_TRY(stream_open(ctx, spec, env, name, &r));
    r->delimiter = (int)delimiter;
    r->file.fd = -1;
    if (env->subtask == 0) {
        wr_status status = wr_os_tcp_connect(ctx, zero, (uint16_t)port, 10000, &r->file);
        if (status != WR_OK) {
            r->format->decoder_close(r->decoder);
            return status;
        }
        r->owned = true;
    }
    *out = (wr_reader *)r;
    return WR_OK;
}

static wr_status
stream_add_split(wr_ctx *ctx, wr_reader *reader, wr_str split, wr_str position)
{
    (void)ctx;
    (void)split;
    (void)position;
    ((stream_reader *)reader)->has_split = true;
    return WR_OK;
}

static wr_status
stream_no_more(wr_ctx *ctx, wr_reader *reader)
{
    (void)ctx;
    (void)reader;
    return WR_OK;
}

static wr_status
read_some(wr_ctx *ctx, stream_reader *r, wr_os_ready *what)
{
    if (r->head > 0) {
        memmove(r->buf, r->buf + r->head, r->tail - r->head);
        r->tail -= r->head;
        r->head = 0;
    }
    if (r->tail == r->cap) {
        size_t cap = r->cap ? r->cap * 2 : 65536;
        if (cap > WR_RECORD_BYTES_MAX)
            return wr_raise(ctx, WR_LIMIT, "a record is longer than %u bytes", WR_RECORD_BYTES_MAX);
        char *buf = wr_mem_realloc(r->budget, r->buf, r->cap, cap);
        WR_TRY_ALLOC(ctx, buf);
        r->buf = buf;
        r->cap = cap;
    }
    size_t got = 0;
    WR_TRY(wr_os_stream_read(ctx, &r->file, r->buf + r->tail, r->cap - r->tail, &got, what));
    r->tail += got;
    if (*what == WR_OS_END) r->ended = true;
    return WR_OK;
}

/* Messages between delimiters, each one record. */
static wr_status
decode_messages(wr_ctx *ctx, stream_reader *r, wr_batch *fill, uint32_t max_rows)
{
    while (fill->row_count < max_rows && r->head < r->tail) {
        const char *p = r->buf + r->head;
        const char *end = memchr(p, r->delimiter, r->tail - r->head);
        if (!end && !r->ended) return WR_OK;
        size_t n = end ? (size_t)(end - p) : r->tail - r->head;
        WR_TRY(r->format->decode_one(ctx, r->decoder, (wr_str){p, n}, fill, &fill->row_count,
                                     max_rows, &r->pos));
        r->pos.line++;
        r->pos.byte += n + 1;
        r->head += n + (end ? 1 : 0);
    }
    return WR_OK;
}

static wr_status
decode_records(wr_ctx *ctx, stream_reader *r, wr_batch *fill, uint32_t max_rows)
{
    size_t used = 0;
    if (r->delimiter >= 0 && r->delimiter != '\n') return decode_messages(ctx, r, fill, max_rows);
    if (r->head == r->tail) return WR_OK;
    WR_TRY(r->format->decode(ctx, r->decoder, r->buf + r->head, r->tail - r->head, r->ended, false,
                             fill, &fill->row_count, max_rows, &used, &r->pos));
    r->head += used;
    if (used == 0 && r->ended && fill->row_count < max_rows) r->head = r->tail;
    return WR_OK;
}

static wr_status
stream_poll(wr_ctx *ctx, wr_reader *reader, wr_batch *fill, uint32_t max_rows, wr_poll *out)
{
    stream_reader *r = (stream_reader *)reader;
    *out = (wr_poll){.kind = WR_POLL_PENDING, .fd = -1};
    if (!r->has_split || r->file.fd < 0) {
        out->kind = WR_POLL_END; /* the other subtask reads */
        return WR_OK;
    }
    if (!wr_batch_init_flat(fill, &r->spec->columns, max_rows))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    WR_TRY(decode_records(ctx, r, fill, max_rows));
    wr_os_ready what = WR_OS_READY;
    if (fill->row_count == 0 && !r->ended) {
        size_t before = r->tail - r->head;
        WR_TRY(read_some(ctx, r, &what));
        out->bytes = r->tail - r->head - before;
        WR_TRY(decode_records(ctx, r, fill, max_rows));
    }
    if (fill->row_count)
        out->kind = WR_POLL_READY;
    else if (r->ended && r->head == r->tail)
        out->kind = WR_POLL_END;
    else if (what == WR_OS_PENDING)
        out->fd = r->file.fd;
    else
        out->kind = WR_POLL_READY; /* part of a record: there may be more at once */
    return WR_OK;
}

/* What came is gone: after a failure reading goes on with what comes next (at most once). */
static wr_status
stream_snapshot(wr_ctx *ctx, wr_reader *reader, uint64_t checkpoint_id, wr_opstate *out)
{
    (void)checkpoint_id;
    const stream_reader *r = (const stream_reader *)reader;
    const bool over = r->ended && r->head == r->tail;
    return r->has_split && !over ? wr_split_put(ctx, out, WR_STR(""), WR_STR("")) : WR_OK;
}

static void
stream_close(wr_reader *reader)
{
    stream_reader *r = (stream_reader *)reader;
    if (!r) return;
    if (r->owned) wr_os_file_close(&r->file);
    r->format->decoder_close(r->decoder);
    wr_mem_free(r->budget, r->buf, r->cap);
}

const wr_source_ops wri_stdin_source = {
    .abi = WR_ABI,
    .name = "stdin",
    .options = stdin_options,
    .describe = stdin_describe,
    .discover = wri_discover_single,
    .open = stdin_open,
    .add_split = stream_add_split,
    .no_more_splits = stream_no_more,
    .poll = stream_poll,
    .snapshot = stream_snapshot,
    .committed = wri_committed_nothing,
    .close = stream_close,
};

const wr_source_ops wri_socket_source = {
    .abi = WR_ABI,
    .name = "socket",
    .options = socket_options,
    .describe = socket_describe,
    .discover = wri_discover_single,
    .open = socket_open,
    .add_split = stream_add_split,
    .no_more_splits = stream_no_more,
    .poll = stream_poll,
    .snapshot = stream_snapshot,
    .committed = wri_committed_nothing,
    .close = stream_close,
};

/* ---- stdout ---------------------------------------------------------------------------------- */

typedef struct stdout_writer { /* wr_writer */
    const wr_sink_env *env;
    const wr_format_ops *format;
    wr_encoder *encoder;
    wr_arena *scratch;
} stdout_writer;

static wr_status
stdout_describe(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
                const wr_config *config, wr_clmode requested, wr_arena *arena, wr_sink_info *out)
{
    (void)config;
    (void)requested;
    const wr_format_ops *format;
    WR_TRY(wri_format_check(ctx, table, options, true, arena, &format));
    out->changelog = format->changelog;
    out->parallelism = 1;
    out->guarantee = "at-least-once: lines of a failed attempt stay written";
    return WR_OK;
}

static wr_status
stdout_open(wr_ctx *ctx, const wr_sink_spec *spec, const wr_sink_env *env, wr_writer **out)
{
    stdout_writer *w = WR_NEW(env->arena, stdout_writer);
    WR_TRY_ALLOC(ctx, w);
    wr_options options;
    w->env = env;
    WR_TRY(wr_format_of(ctx, &spec->options, "format", env->arena, &w->format, &options));
    WR_TRY(
        w->format->encoder_open(ctx, &options, &spec->columns, env->eval, env->arena, &w->encoder));
    w->scratch = wr_arena_create(env->budget, 0);
    if (!w->scratch) {
        w->format->encoder_close(w->encoder);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    *out = (wr_writer *)w;
    return WR_OK;
}

static wr_status
stdout_write(wr_ctx *ctx, wr_writer *writer, const wr_batch *batch)
{
    stdout_writer *w = (stdout_writer *)writer;
    wr_text text;
    wr_text_init(&text, w->scratch);
    wr_status status = w->format->encode(ctx, w->encoder, batch, &text);
    if (status == WR_OK && text.len) {
        status = w->env->out(w->env->arg, wr_text_str(&text));
        if (status != WR_OK) status = wr_raise(ctx, status, "cannot write to standard output");
    }
    wr_arena_reset(w->scratch);
    return status;
}

static void
stdout_close(wr_writer *writer)
{
    stdout_writer *w = (stdout_writer *)writer;
    if (!w) return;
    w->format->encoder_close(w->encoder);
    wr_arena_destroy(w->scratch);
}

const wr_sink_ops wri_stdout_sink = {
    .abi = WR_ABI,
    .name = "stdout",
    .options = stdin_options,
    .describe = stdout_describe,
    .open = stdout_open,
    .write = stdout_write,
    .watermark = wri_sink_watermark_nothing,
    .tick = wri_sink_tick_nothing,
    .flush = wri_sink_flush_nothing,
    .prepare = wri_sink_prepare_nothing,
    .snapshot = wri_sink_snapshot_nothing,
    .restore = wri_sink_restore_nothing,
    .commit = wri_sink_commit_nothing,
    .finish = wri_sink_finish_nothing,
    .close = stdout_close,
};
