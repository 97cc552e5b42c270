/* SPDX-License-Identifier: Apache-2.0 */
/* LIKE, regular expressions and printf formats: the input is a pattern, a newline, a string.
 * Matching LIKE by its short cuts and in general must agree; the rest must end. */
#include "expr/regex_int.h"
#include "expr/str_int.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
like(wr_arena *a, wr_str pattern, wr_str s, uint32_t esc)
{
    wri_like l;
    uint32_t at = 0;
    if (wri_like_compile(&l, pattern, esc, a, &at) != WRI_LIKE_OK) return;
    bool hit = wri_like_match(&l, s);
    l.shape = WRI_LIKE_GENERAL;
    WR_ASSERT(wri_like_match(&l, s) == hit);
}

static void
regex(wr_arena *a, wr_str pattern, wr_str s)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    wri_regex_cache *cache = NULL;
    wri_regex *re = NULL;
    if (wri_regex_cache_create(&ctx, a, &cache) != WR_OK) return;
    if (wri_regex_cache_get(&ctx, cache, pattern, &re) != WR_OK || wri_regex_is_bad(re)) return;
    size_t from = 0;
    for (int i = 0; i < 64; i++) {
        bool hit = false;
        size_t start = 0, end = 0;
        if (wri_regex_find(re, s, from, &hit) != WRI_REGEX_OK || !hit) return;
        WR_ASSERT(wri_regex_group(re, 0, &start, &end) && start <= end && end <= s.len);
        from = wri_regex_next(re, s);
        if (from == SIZE_MAX) return;
        WR_ASSERT(from > start);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wr_str all = {(const char *)data, size};
    const char *newline = size ? memchr(all.ptr, '\n', all.len) : NULL;
    size_t cut = newline ? (size_t)(newline - all.ptr) : size;
    wr_str pattern = {all.ptr, cut}, s = {all.ptr + cut, 0};
    if (newline) s = (wr_str){newline + 1, size - cut - 1};
    wr_arena *a = wr_arena_create(NULL, 0);
    like(a, pattern, s, UINT32_MAX);
    like(a, pattern, s, '\\');
    if (size < 256) regex(a, pattern, s);
    wri_arg args[3] = {{.kind = WRI_ARG_INT, .bits = 32, .i = -5},
                       {.kind = WRI_ARG_DOUBLE, .bits = 64, .d = 1.5, .text = WR_STR("1.5")},
                       {.kind = WRI_ARG_TEXT, .text = s}};
    wr_text out;
    wr_text_init(&out, a);
    (void)wri_java_printf(&out, pattern, args, 3);
    wr_arena_destroy(a);
    return 0;
}
