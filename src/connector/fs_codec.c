/* SPDX-License-Identifier: Apache-2.0 */
/* Decompression of input files as streams: gzip and zlib by zlib, zstd by libzstd. The one file of
 * the room that knows them. */
#include "connector/fs_int.h"

#ifdef WR_HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef WR_HAVE_ZSTD
#include <zstd.h>
#endif

struct wri_inflater {
    wri_codec codec;
    bool at_end, fresh; /* fresh: no byte of the present member was read */
#ifdef WR_HAVE_ZLIB
    z_stream z;
    bool z_open;
#endif
#ifdef WR_HAVE_ZSTD
    ZSTD_DStream *zstd;
#endif
};

static bool
ends_with(wr_str s, const char *end)
{
    size_t n = strlen(end);
    return s.len > n && wr_str_eq_nocase((wr_str){s.ptr + s.len - n, n}, wr_str_c(end));
}

wr_status
wri_codec_of(wr_ctx *ctx, wr_str path, const void *head, size_t len, wri_codec *out)
{
    static const char *const others[] = {".bz2", ".xz", ".snappy", ".lz4", ".lzo"};
    const unsigned char *b = head;
    *out = WRI_CODEC_NONE;
    if (len >= 2 && b[0] == 0x1f && b[1] == 0x8b)
        *out = WRI_CODEC_GZIP;
    else if (len >= 4 && b[0] == 0x28 && b[1] == 0xb5 && b[2] == 0x2f && b[3] == 0xfd)
        *out = WRI_CODEC_ZSTD;
    else if (ends_with(path, ".deflate"))
        *out = WRI_CODEC_GZIP;
    if (*out != WRI_CODEC_NONE) return WR_OK;
    for (uint32_t i = 0; i < WR_COUNT(others); i++)
        if (ends_with(path, others[i]))
            return wr_raise(ctx, WR_UNSUPPORTED, "not supported yet: compressed file '%.*s'",
                            WR_STR_ARG(path));
    return WR_OK;
}

wr_status
wri_inflater_create(wr_ctx *ctx, wri_codec codec, wri_inflater **out)
{
    wri_inflater *z = wr_mem_zalloc(NULL, sizeof *z);
    WR_TRY_ALLOC(ctx, z);
    z->codec = codec;
    z->at_end = z->fresh = true;
    bool ok = false;
#ifdef WR_HAVE_ZLIB
    if (codec == WRI_CODEC_GZIP) ok = z->z_open = inflateInit2(&z->z, 32 + MAX_WBITS) == Z_OK;
#endif
#ifdef WR_HAVE_ZSTD
    if (codec == WRI_CODEC_ZSTD) ok = (z->zstd = ZSTD_createDStream()) != NULL;
#endif
    if (!ok) {
        wri_inflater_destroy(z);
        return wr_raise(ctx, WR_UNSUPPORTED,
                        "not supported: %s files (out of memory, or a build without the library)",
                        codec == WRI_CODEC_GZIP ? "gzip" : "zstd");
    }
    *out = z;
    return WR_OK;
}

void
wri_inflater_destroy(wri_inflater *z)
{
    if (!z) return;
#ifdef WR_HAVE_ZLIB
    if (z->z_open) (void)inflateEnd(&z->z);
#endif
#ifdef WR_HAVE_ZSTD
    if (z->zstd) (void)ZSTD_freeDStream(z->zstd);
#endif
    wr_mem_free(NULL, z, sizeof *z);
}

bool
wri_inflater_at_end(const wri_inflater *z)
{
    return z->at_end;
}

#ifdef WR_HAVE_ZLIB
static wr_status
inflate_gzip(wr_ctx *ctx, wri_inflater *z, const void *in, size_t *in_len, void *out,
             size_t *out_len)
{
    uInt give = (uInt)WR_MIN(*in_len, (size_t)1 << 30),
         room = (uInt)WR_MIN(*out_len, (size_t)1 << 30);
    if (z->at_end && !z->fresh && give) { /* another member follows */
        if (inflateReset2(&z->z, 32 + MAX_WBITS) != Z_OK)
            return wr_raise(ctx, WR_INTERNAL, "inflate: cannot start again");
        z->fresh = true;
    }
    z->z.next_in = (Bytef *)(uintptr_t)in;
    z->z.avail_in = give;
    z->z.next_out = out;
    z->z.avail_out = room;
    int got = inflate(&z->z, Z_NO_FLUSH);
    *in_len = give - z->z.avail_in;
    *out_len = room - z->z.avail_out;
    if (*in_len || *out_len) z->fresh = z->at_end = false;
    if (got == Z_STREAM_END) z->at_end = true;
    if (got == Z_OK || got == Z_STREAM_END || got == Z_BUF_ERROR) return WR_OK;
    if (got == Z_MEM_ERROR) return wr_raise(ctx, WR_NOMEM, "out of memory");
    return wr_raise(ctx, WR_DATA, "corrupt gzip data: %s", z->z.msg ? z->z.msg : "unknown error");
}
#endif

#ifdef WR_HAVE_ZSTD
static wr_status
inflate_zstd(wr_ctx *ctx, wri_inflater *z, const void *in, size_t *in_len, void *out,
             size_t *out_len)
{
    ZSTD_inBuffer from = {in, *in_len, 0};
    ZSTD_outBuffer to = {out, *out_len, 0};
    size_t got = ZSTD_decompressStream(z->zstd, &to, &from);
    if (ZSTD_isError(got))
        return wr_raise(ctx, WR_DATA, "corrupt zstd data: %s", ZSTD_getErrorName(got));
    if (from.pos || to.pos) z->at_end = got == 0;
    *in_len = from.pos;
    *out_len = to.pos;
    return WR_OK;
}
#endif

wr_status
wri_inflate(wr_ctx *ctx, wri_inflater *z, const void *in, size_t *in_len, void *out,
            size_t *out_len)
{
#ifdef WR_HAVE_ZLIB
    if (z->codec == WRI_CODEC_GZIP) return inflate_gzip(ctx, z, in, in_len, out, out_len);
#endif
#ifdef WR_HAVE_ZSTD
    if (z->codec == WRI_CODEC_ZSTD) return inflate_zstd(ctx, z, in, in_len, out, out_len);
#endif
    (void)in;
    (void)out;
    *in_len = *out_len = 0;
    return wr_raise(ctx, WR_UNSUPPORTED, "not supported: compressed files in this build");
}
