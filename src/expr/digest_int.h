/* SPDX-License-Identifier: Apache-2.0 */
/* Message digests. digest_openssl.c is the only file that knows OpenSSL. One thread: the task's. */
#ifndef WR_EXPR_DIGEST_INT_H
#define WR_EXPR_DIGEST_INT_H

#include "base/base.h"
#include "mem/mem.h"

typedef enum wri_digest_id {
    WRI_MD5,
    WRI_SHA1,
    WRI_SHA224,
    WRI_SHA256,
    WRI_SHA384,
    WRI_SHA512,
    WRI_DIGEST_COUNT
} wri_digest_id;

#define WRI_DIGEST_BYTES_MAX 64

typedef struct wri_digests wri_digests;
/* Freed with the arena. */
wr_status wri_digests_create(wr_ctx *ctx, wr_arena *arena, wri_digests **out) WR_MUST_USE;
/* Bytes written to out; 0: the library refuses the algorithm. */
uint32_t wri_digest(wri_digests *d, wri_digest_id id, wr_str data,
                    unsigned char out[WRI_DIGEST_BYTES_MAX]);

#endif
