/* SPDX-License-Identifier: Apache-2.0 */
/* _metadata: any bytes are read or refused; with the lengths and checksums put right, what is read
 * and written again is read to the same bytes. */
#include "state/ckpt_int.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
put_sum(uint8_t *p, size_t from, size_t to)
{
    const uint64_t sum = wr_hash_bytes(p + from, to - from, WRI_CKPT_SEED);
    for (int i = 0; i < 8; i++) p[to + (size_t)i] = (uint8_t)(sum >> (8 * i));
}

/* The checksum of every section that fits, then those of head and file. */
static void
mend(uint8_t *p, size_t len)
{
    if (len < WRI_CKPT_HEADER_BYTES + WRI_CKPT_SUM_BYTES) return;
    memcpy(p, WRI_CKPT_MAGIC, 8);
    p[8] = WRI_CKPT_MAJOR;
    p[9] = 0;
    for (int i = 0; i < 8; i++) p[16 + i] = (uint8_t)((uint64_t)len >> (8 * i));
    put_sum(p, 0, 24);
    const size_t end = len - WRI_CKPT_SUM_BYTES;
    for (size_t at = WRI_CKPT_HEADER_BYTES; end - at >= WRI_CKPT_SECTION_BYTES + 8;) {
        uint64_t bytes = 0;
        for (int i = 7; i >= 0; i--) bytes = bytes << 8 | p[at + 8 + (size_t)i];
        if (bytes > end - at - WRI_CKPT_SECTION_BYTES - 8) break;
        put_sum(p, at, at + WRI_CKPT_SECTION_BYTES + (size_t)bytes);
        at += WRI_CKPT_SECTION_BYTES + (size_t)bytes + 8;
    }
    put_sum(p, 0, end);
}

static void
decode(wr_arena *a, wr_str bytes)
{
    wr_ctx ctx;
    wr_ckpt_meta m;
    wr_str once, twice;
    wr_ctx_init(&ctx);
    if (wr_ckpt_decode(&ctx, bytes, a, &m) != WR_OK) {
        WR_ASSERT(ctx.err.status != WR_OK && ctx.err.message[0]);
        return;
    }
    WR_ASSERT(wr_ckpt_encode(&ctx, &m, a, &once) == WR_OK);
    WR_ASSERT(wr_ckpt_decode(&ctx, once, a, &m) == WR_OK);
    WR_ASSERT(wr_ckpt_encode(&ctx, &m, a, &twice) == WR_OK);
    WR_ASSERT(wr_str_eq(once, twice));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    uint8_t *copy = a && size ? wr_arena_alloc(a, size) : NULL;
    if (copy) {
        memcpy(copy, data, size);
        decode(a, (wr_str){(const char *)data, size});
        mend(copy, size);
        decode(a, (wr_str){(const char *)copy, size});
    }
    wr_arena_destroy(a);
    return 0;
}
