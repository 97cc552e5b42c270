/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of one file, or of a range of lines of it, as a decoder wants them: a piece, of which
 * it consumes some. A local plain file is mapped and given out whole, its strings need no copy; the
 * mapping is refcounted, each batch that points into it holds it. Other files are read, or read and
 * decompressed, into a buffer that grows when a record does not fit. */
#include "connector/fs_int.h"

#define SKIP_BYTES_MAX (8u << 20) /* between two polls */

typedef struct mapping { /* shared by the input and the batches that point into it */
    wr_ref refs;
    wr_file *file;
} mapping;

struct wri_input {
    wr_file *file;
    mapping *map;     /* NULL: not mapped */
    const char *data; /* mapped bytes of the range */
    size_t data_len, data_pos;
    char *buf; /* else: bytes read and not yet consumed are buf[head..tail) */
    size_t head, tail, cap;
    uint64_t read_at, start, offset; /* next byte of the file; first and next of the range */
    uint64_t skip;                   /* uncompressed bytes that were read before a restore */
    bool growing, ended;             /* ended: nothing more to read now */
    wri_inflater *inflater;
    char *packed; /* compressed bytes */
    size_t packed_head, packed_tail;
};

static wr_status
close_file(wr_file *file)
{
    wr_ctx ctx; /* a reading handle has nothing to lose */
    wr_ctx_init(&ctx);
    return file ? file->ops->close(&ctx, file) : WR_OK;
}

static void
release_map(void *arg)
{
    mapping *m = arg;
    if (!wr_ref_release(&m->refs)) return;
    (void)(close_file(m->file) == WR_OK);
    wr_mem_free(NULL, m, sizeof *m);
}

void
wri_input_close(wri_input *in)
{
    if (!in) return;
    if (in->map)
        release_map(in->map);
    else
        (void)(close_file(in->file) == WR_OK);
    wri_inflater_destroy(in->inflater);
    wr_mem_free(NULL, in->packed, WR_IO_BLOCK_BYTES);
    wr_mem_free(NULL, in->buf, in->cap);
    wr_mem_free(NULL, in, sizeof *in);
}

/* Behind the first newline at or behind `from`; `len` when there is none. */
static size_t
line_start(const char *data, size_t len, size_t from)
{
    const char *nl = from < len ? memchr(data + from, '\n', len - from) : NULL;
    return nl ? (size_t)(nl - data) + 1 : len;
}

static wr_status
try_map(wr_ctx *ctx, wri_input *in, const wri_input_spec *spec)
{
    const char *data;
    size_t len;
    WR_TRY(in->file->ops->map(ctx, in->file, &data, &len));
    if (!data) return WR_OK;
    const uint64_t offset = spec->offset, length = spec->length;
    size_t from = offset == 0 ? 0 : line_start(data, len, WR_MIN((size_t)offset - 1, len));
    uint64_t end = offset + length < offset ? UINT64_MAX : offset + length;
    size_t to = end >= len ? len : line_start(data, len, (size_t)end - 1);
    if (spec->resume && spec->resume_at > len)
        return wr_raise(ctx, WR_DATA,
                        "the file has become shorter: %llu bytes of it had been read, it has %zu",
                        (unsigned long long)spec->resume_at, len);
    if (spec->resume) from = (size_t)spec->resume_at;
    in->map = wr_mem_zalloc(NULL, sizeof *in->map);
    WR_TRY_ALLOC(ctx, in->map);
    wr_ref_init(&in->map->refs);
    in->map->file = in->file;
    in->data = data + from;
    in->data_len = to > from ? to - from : 0;
    in->start = in->offset = from;
    return WR_OK;
}

static wr_status
open_stream(wr_ctx *ctx, wri_input *in, const wri_input_spec *spec)
{
    char head[4];
    size_t got = 0;
    wri_codec codec;
    WR_TRY(in->file->ops->read_at(ctx, in->file, 0, head, sizeof head, &got));
    WR_TRY(wri_codec_of(ctx, spec->path, head, got, &codec));
    if (codec != WRI_CODEC_NONE) {
        in->packed = wr_mem_alloc(NULL, WR_IO_BLOCK_BYTES);
        WR_TRY_ALLOC(ctx, in->packed);
        WR_TRY(wri_inflater_create(ctx, codec, &in->inflater));
        if (spec->resume) in->skip = spec->resume_at;
        return WR_OK;
    }
    if (!in->growing) {
        WR_TRY(try_map(ctx, in, spec));
        if (in->map) return WR_OK;
    }
    if (spec->offset > 0)
        return wr_raise(ctx, WR_UNSUPPORTED,
                        "not supported yet: a part of a file that cannot be mapped");
    in->read_at = in->start = in->offset = spec->resume ? spec->resume_at : 0;
    return WR_OK;
}

wr_status
wri_input_open(wr_ctx *ctx, const wri_input_spec *spec, wri_input **out)
{
    wr_fs *fs = wr_find_fs(spec->path);
    if (!fs)
        return wr_raise(ctx, WR_UNSUPPORTED, "not supported yet: file system of '%.*s'",
                        WR_STR_ARG(spec->path));
    wri_input *in = wr_mem_zalloc(NULL, sizeof *in);
    WR_TRY_ALLOC(ctx, in);
    in->growing = spec->growing;
    wr_status status = fs->ops->open(ctx, fs, spec->path, &in->file);
    if (status == WR_OK) status = open_stream(ctx, in, spec);
    if (status != WR_OK) {
        wri_input_close(in);
        return status;
    }
    *out = in;
    return WR_OK;
}

uint64_t
wri_input_offset(const wri_input *in)
{
    return in->offset;
}

uint64_t
wri_input_start(const wri_input *in)
{
    return in->start;
}

wr_status
wri_input_print(wr_ctx *ctx, wri_input *in, uint32_t len, uint64_t *out)
{
    char head[1024];
    size_t got = 0;
    WR_ASSERT(len <= sizeof head);
    WR_TRY(in->file->ops->read_at(ctx, in->file, 0, head, len, &got));
    *out = wr_hash_bytes(head, got, 0);
    return WR_OK;
}

bool
wri_input_is_packed(const wri_input *in)
{
    return in->inflater != NULL;
}

wr_status
wri_input_hold(wr_ctx *ctx, wri_input *in, wr_arena *a)
{
    (void)ctx;
    if (!in->map) return WR_OK;
    wr_ref_acquire(&in->map->refs);
    wr_arena_defer(a, release_map, in->map);
    return WR_OK;
}

wr_status
wri_input_check(wr_ctx *ctx, wri_input *in)
{
    const char *data;
    size_t len;
    return in->map ? in->file->ops->map(ctx, in->file, &data, &len) : WR_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Room for at least one more byte behind the unread ones. */
static wr_status
make_room(wr_ctx *ctx, wri_input *in)
{
    if (in->head > 0) {
        memmove(in->buf, in->buf + in->head, in->tail - in->head);
        in->tail -= in->head;
        in->head = 0;
    }
    if (in->tail < in->cap) return WR_OK;
    size_t cap = in->cap ? in->cap * 2 : WR_IO_BLOCK_BYTES;
    if (cap > WR_RECORD_BYTES_MAX)
        return wr_raise(ctx, WR_LIMIT, "a record is longer than %u bytes", WR_RECORD_BYTES_MAX);
    char *buf = wr_mem_realloc(NULL, in->buf, in->cap, cap);
    WR_TRY_ALLOC(ctx, buf);
    in->buf = buf;
    in->cap = cap;
    return WR_OK;
}

static wr_status
read_packed(wr_ctx *ctx, wri_input *in)
{
    while (!in->ended) {
        if (in->packed_head == in->packed_tail) {
            size_t got = 0;
            WR_TRY(in->file->ops->read_at(ctx, in->file, in->read_at, in->packed, WR_IO_BLOCK_BYTES,
                                          &got));
            in->read_at += got;
            in->packed_head = 0;
            in->packed_tail = got;
        }
        size_t used = in->packed_tail - in->packed_head, room = in->cap - in->tail;
        bool eof = used == 0;
        WR_TRY(wri_inflate(ctx, in->inflater, in->packed + in->packed_head, &used,
                           in->buf + in->tail, &room));
        in->packed_head += used;
        in->tail += room;
        if (eof && room == 0) {
            in->ended = true;
            if (!wri_inflater_at_end(in->inflater))
                return wr_raise(ctx, WR_DATA, "unexpected end of compressed data");
        }
        if (room) return WR_OK;
    }
    return WR_OK;
}

static wr_status
read_more(wr_ctx *ctx, wri_input *in)
{
    WR_TRY(make_room(ctx, in));
    if (in->inflater) return read_packed(ctx, in);
    size_t got = 0;
    WR_TRY(in->file->ops->read_at(ctx, in->file, in->read_at, in->buf + in->tail,
                                  in->cap - in->tail, &got));
    in->read_at += got;
    in->tail += got;
    if (got == 0) in->ended = true;
    return WR_OK;
}

wr_status
wri_input_skip(wr_ctx *ctx, wri_input *in, bool *again)
{
    uint64_t done = 0;
    while (in->skip > 0 && done < SKIP_BYTES_MAX) {
        if (in->head == in->tail) WR_TRY(read_more(ctx, in));
        const uint64_t n = WR_MIN(in->skip, (uint64_t)(in->tail - in->head));
        if (n == 0)
            return wr_raise(ctx, WR_DATA,
                            "the file became shorter: %llu more bytes had been read of it",
                            (unsigned long long)in->skip);
        wri_input_consume(in, (size_t)n);
        in->skip -= n;
        done += n;
    }
    in->start = in->offset;
    *again = in->skip > 0;
    return WR_OK;
}

wr_status
wri_input_peek(wr_ctx *ctx, wri_input *in, bool need_more, const char **data, size_t *len,
               bool *last, bool *stable)
{
    if (in->map) {
        WR_TRY(wri_input_check(ctx, in));
        *data = in->data + in->data_pos;
        *len = in->data_len - in->data_pos;
        *last = *stable = true;
        return WR_OK;
    }
    if (in->growing) in->ended = false;
    if (in->head == in->tail || need_more) WR_TRY(read_more(ctx, in));
    *data = in->buf ? in->buf + in->head : "";
    *len = in->tail - in->head;
    *last = in->ended;
    *stable = false;
    return WR_OK;
}

void
wri_input_consume(wri_input *in, size_t n)
{
    in->offset += n;
    if (in->map)
        in->data_pos += n;
    else
        in->head += n;
}
