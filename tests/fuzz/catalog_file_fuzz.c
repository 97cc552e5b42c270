/* SPDX-License-Identifier: Apache-2.0 */
/* Catalog files: any bytes are read or refused; with the checksum put right, what is read and
 * written again is read to the same text. */
#include "catalog/file_int.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
decode(wr_arena *a, wri_file_kind kind, wr_str content)
{
    wr_ctx ctx;
    void *desc = NULL;
    wr_ctx_init(&ctx);
    if (wri_file_decode(&ctx, kind, content, "fuzz", a, &desc) != WR_OK) return;
    wr_text once, twice;
    wr_text_init(&once, a);
    wr_text_init(&twice, a);
    wri_file_encode(kind, desc, &once);
    WR_ASSERT(!once.failed);
    WR_ASSERT(wri_file_decode(&ctx, kind, wr_text_str(&once), "again", a, &desc) == WR_OK);
    wri_file_encode(kind, desc, &twice);
    WR_ASSERT(wr_str_eq(wr_text_str(&once), wr_text_str(&twice)));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wr_arena *a = wr_arena_create(NULL, 0);
    if (!a) return 0;
    bool no_memory = false;
    wr_str raw = {(const char *)data, size};
    (void)!wr_type_decode(a, raw, &no_memory);
    for (int k = WRI_FILE_DATABASE; k <= WRI_FILE_FUNCTION; k++) {
        wr_text t;
        wr_text_init(&t, a);
        decode(a, (wri_file_kind)k, raw);
        wr_text_printf(&t, "weir-catalog %u %s\n", WRI_FILE_VERSION,
                       wri_file_kind_name((wri_file_kind)k));
        wr_text_put(&t, raw.ptr, raw.len);
        if (raw.len && raw.ptr[raw.len - 1] != '\n') wr_text_putc(&t, '\n');
        if (t.failed) break;
        uint64_t sum = wr_hash_bytes(t.ptr, t.len, WRI_FILE_VERSION);
        wr_text_printf(&t, "checksum %016llx\n", (unsigned long long)sum);
        decode(a, (wri_file_kind)k, wr_text_str(&t));
    }
    wr_arena_destroy(a);
    return 0;
}
