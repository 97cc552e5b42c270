/* SPDX-License-Identifier: Apache-2.0 */
/* Digests by OpenSSL's EVP. One context is kept per algorithm, so that nothing is looked up or
 * allocated per row. Without OpenSSL the functions are "not supported". */
#include "expr/digest_int.h"

#ifdef WR_HAVE_CRYPTO
#include <openssl/evp.h>

struct wri_digests {
    EVP_MD_CTX *ctx[WRI_DIGEST_COUNT];
    EVP_MD *md[WRI_DIGEST_COUNT];
};

static void
digests_free(void *arg)
{
    wri_digests *d = arg;
    for (int i = 0; i < WRI_DIGEST_COUNT; i++) {
        EVP_MD_CTX_free(d->ctx[i]);
        EVP_MD_free(d->md[i]);
    }
}

wr_status
wri_digests_create(wr_ctx *ctx, wr_arena *arena, wri_digests **out)
{
    wri_digests *d = WR_NEW(arena, wri_digests);
    WR_TRY_ALLOC(ctx, d);
    wr_arena_defer(arena, digests_free, d);
    *out = d;
    return WR_OK;
}

uint32_t
wri_digest(wri_digests *d, wri_digest_id id, wr_str data, unsigned char out[WRI_DIGEST_BYTES_MAX])
{
    static const char *const names[] = {"MD5", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512"};
    if (!d->md[id]) d->md[id] = EVP_MD_fetch(NULL, names[id], NULL);
    if (!d->ctx[id]) d->ctx[id] = EVP_MD_CTX_new();
    unsigned int n = 0;
    if (!d->md[id] || !d->ctx[id] || EVP_DigestInit_ex(d->ctx[id], d->md[id], NULL) != 1 ||
        EVP_DigestUpdate(d->ctx[id], data.ptr, data.len) != 1 ||
        EVP_DigestFinal_ex(d->ctx[id], out, &n) != 1)
        return 0;
    return n;
}

#else

wr_status
wri_digests_create(wr_ctx *ctx, wr_arena *arena, wri_digests **out)
{
    (void)arena;
    *out = NULL;
    return wr_raise(ctx, WR_UNSUPPORTED, "not supported: digests (built without OpenSSL)");
}

uint32_t
wri_digest(wri_digests *d, wri_digest_id id, wr_str data, unsigned char out[WRI_DIGEST_BYTES_MAX])
{
    (void)d, (void)id, (void)data, (void)out;
    return 0;
}
#endif
