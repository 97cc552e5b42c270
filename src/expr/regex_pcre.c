/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled regular expressions on PCRE2 with JIT. The only file that knows PCRE2; without it every
 * use is "not supported". Code and match data are charged through mem/ and freed with the arena
 * that the cache was made in. A match that exceeds the step limit is given up (WRI_REGEX_LIMIT). */
#include "expr/regex_int.h"

#ifdef WR_HAVE_PCRE2
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

enum { CACHE_ENTRIES = 32 };
#define STEP_LIMIT 10000000u

struct wri_regex {
    char *text; /* the Java pattern */
    size_t text_len;
    uint64_t hash, stamp;
    pcre2_code *code; /* NULL: Java refuses the pattern */
    pcre2_match_data *match;
    pcre2_match_context *limits; /* the cache's */
    PCRE2_SIZE *ovector;
    uint32_t groups;
    int found; /* result of the last match */
};

struct wri_regex_cache {
    pcre2_general_context *memory;
    pcre2_match_context *limits;
    pcre2_jit_stack *stack;
    pcre2_compile_context *compile;
    wr_arena *arena;
    uint64_t clock;
    uint32_t count;
    wri_regex entries[CACHE_ENTRIES];
};

/* mem/ wants sizes back: they are kept in front of each block. */
static void *
lib_alloc(size_t bytes, void *data)
{
    (void)data;
    size_t *p = wr_mem_alloc(NULL, bytes + 16);
    if (!p) return NULL;
    *p = bytes + 16;
    return (char *)p + 16;
}

static void
lib_free(void *p, void *data)
{
    (void)data;
    if (!p) return;
    size_t *start = (size_t *)(void *)((char *)p - 16);
    wr_mem_free(NULL, start, *start);
}

static void
entry_clear(wri_regex *re)
{
    pcre2_match_data_free(re->match);
    pcre2_code_free(re->code);
    lib_free(re->text, NULL);
    memset(re, 0, sizeof *re);
}

static void
cache_free(void *arg)
{
    wri_regex_cache *c = arg;
    for (uint32_t i = 0; i < c->count; i++) entry_clear(&c->entries[i]);
    if (c->stack) pcre2_jit_stack_free(c->stack);
    pcre2_match_context_free(c->limits);
    pcre2_compile_context_free(c->compile);
    pcre2_general_context_free(c->memory);
}

wr_status
wri_regex_cache_create(wr_ctx *ctx, wr_arena *arena, wri_regex_cache **out)
{
    wri_regex_cache *c = WR_NEW(arena, wri_regex_cache);
    WR_TRY_ALLOC(ctx, c);
    c->arena = arena;
    wr_arena_defer(arena, cache_free, c);
    c->memory = pcre2_general_context_create(lib_alloc, lib_free, NULL);
    WR_TRY_ALLOC(ctx, c->memory);
    c->limits = pcre2_match_context_create(c->memory);
    c->compile = pcre2_compile_context_create(c->memory);
    if (!c->limits || !c->compile) return wr_raise(ctx, WR_NOMEM, "out of memory");
    (void)pcre2_set_match_limit(c->limits, STEP_LIMIT);
    (void)pcre2_set_heap_limit(c->limits, 64u << 10); /* KiB */
    *out = c;
    return WR_OK;
}

static wr_status
bad_option(wr_ctx *ctx, wr_str java, const char *why)
{
    return wr_raise(ctx, WR_UNSUPPORTED, "not supported yet: %s in the regular expression '%.*s'",
                    why ? why : "this construct", WR_STR_ARG(java));
}

static wr_status
compile_code(wr_ctx *ctx, wri_regex_cache *c, wri_regex *re, wr_str java, wr_str pattern)
{
    int code = 0;
    PCRE2_SIZE at = 0;
    re->code = pcre2_compile((PCRE2_SPTR)pattern.ptr, pattern.len,
                             PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_DOTALL |
                                 PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C,
                             &code, &at, c->compile);
    if (!re->code) {
        if (code == PCRE2_ERROR_HEAP_FAILED || code == PCRE2_ERROR_NOMEMORY)
            return wr_raise(ctx, WR_NOMEM, "out of memory");
        if (code == PCRE2_ERROR_LOOKBEHIND_NOT_FIXED_LENGTH)
            return bad_option(ctx, java, "look-behind of varying length");
        if (code == PCRE2_ERROR_PATTERN_TOO_LARGE)
            return bad_option(ctx, java, "so many repetitions");
        return WR_OK; /* bad: a property that nobody knows, say */
    }
    (void)pcre2_jit_compile(re->code, PCRE2_JIT_COMPLETE); /* else interpreted */
    re->match = pcre2_match_data_create_from_pattern(re->code, c->memory);
    if (!re->match) return wr_raise(ctx, WR_NOMEM, "out of memory");
    if (!c->stack) {
        c->stack = pcre2_jit_stack_create(32u << 10, 1u << 20, c->memory);
        if (c->stack) pcre2_jit_stack_assign(c->limits, NULL, c->stack);
    }
    re->ovector = pcre2_get_ovector_pointer(re->match);
    (void)pcre2_pattern_info(re->code, PCRE2_INFO_CAPTURECOUNT, &re->groups);
    return WR_OK;
}

static wr_status
compile(wr_ctx *ctx, wri_regex_cache *c, wri_regex *re, wr_str java)
{
    wr_arena *scratch = wr_arena_create(NULL, 0);
    WR_TRY_ALLOC(ctx, scratch);
    wr_text t;
    wr_text_init(&t, scratch);
    const char *why = NULL;
    wr_status status = WR_OK;
    switch (wri_regex_translate(java, &t, &why)) {
    case WRI_JAVA_OK:
        status = t.failed ? wr_raise(ctx, WR_NOMEM, "out of memory")
                          : compile_code(ctx, c, re, java, wr_text_str(&t));
        break;
    case WRI_JAVA_BAD:
        if (t.failed) status = wr_raise(ctx, WR_NOMEM, "out of memory");
        break;
    case WRI_JAVA_UNSUPPORTED:
        status = bad_option(ctx, java, why);
        break;
    }
    wr_arena_destroy(scratch);
    return status;
}

static wri_regex *
slot_for(wri_regex_cache *c)
{
    if (c->count < CACHE_ENTRIES) return &c->entries[c->count++];
    wri_regex *oldest = &c->entries[0];
    for (uint32_t i = 1; i < CACHE_ENTRIES; i++)
        if (c->entries[i].stamp < oldest->stamp) oldest = &c->entries[i];
    entry_clear(oldest);
    return oldest;
}

wr_status
wri_regex_cache_get(wr_ctx *ctx, wri_regex_cache *c, wr_str java, wri_regex **out)
{
    uint64_t hash = wr_hash_bytes(java.ptr, java.len, 0);
    for (uint32_t i = 0; i < c->count; i++) {
        wri_regex *re = &c->entries[i];
        if (!re->text || re->hash != hash || re->text_len != java.len) continue;
        if (java.len && memcmp(re->text, java.ptr, java.len) != 0) continue;
        re->stamp = ++c->clock;
        *out = re;
        return WR_OK;
    }
    wri_regex *re = slot_for(c);
    re->text = lib_alloc(java.len + 1, NULL);
    WR_TRY_ALLOC(ctx, re->text);
    if (java.len) memcpy(re->text, java.ptr, java.len);
    re->text_len = java.len;
    re->hash = hash;
    re->stamp = ++c->clock;
    re->limits = c->limits;
    wr_status status = compile(ctx, c, re, java);
    if (status != WR_OK) {
        entry_clear(re);
        return status;
    }
    *out = re;
    return WR_OK;
}

bool
wri_regex_is_bad(const wri_regex *re)
{
    return re->code == NULL;
}

uint32_t
wri_regex_groups(const wri_regex *re)
{
    return re->groups;
}

wri_regex_status
wri_regex_find(wri_regex *re, wr_str s, size_t from, bool *hit)
{
    *hit = false;
    re->found = 0;
    if (from > s.len) return WRI_REGEX_OK;
    const char *p = s.ptr ? s.ptr : "";
    int rc = pcre2_match(re->code, (PCRE2_SPTR)p, s.len, from, 0, re->match, re->limits);
    if (rc == PCRE2_ERROR_JIT_STACKLIMIT)
        rc = pcre2_match(re->code, (PCRE2_SPTR)p, s.len, from, PCRE2_NO_JIT, re->match, re->limits);
    if (rc == PCRE2_ERROR_NOMATCH) return WRI_REGEX_OK;
    if (rc < 0) return WRI_REGEX_LIMIT;
    re->found = rc;
    *hit = true;
    return WRI_REGEX_OK;
}

bool
wri_regex_group(const wri_regex *re, uint32_t g, size_t *start, size_t *end)
{
    if (re->found <= 0 || g >= (uint32_t)re->found || re->ovector[2 * g] == PCRE2_UNSET)
        return false;
    *start = re->ovector[2 * g];
    *end = re->ovector[2 * g + 1];
    return *start <= *end; /* \K is no part of Java's syntax */
}

size_t
wri_regex_next(const wri_regex *re, wr_str s)
{
    size_t start = re->ovector[0], end = re->ovector[1];
    if (end > start) return end;
    if (end >= s.len) return SIZE_MAX;
    const char *p = s.ptr + end;
    (void)wr_utf8_next(&p, s.ptr + s.len);
    return (size_t)(p - s.ptr);
}

#else /* without PCRE2 */

struct wri_regex_cache {
    int unused;
};

wr_status
wri_regex_cache_create(wr_ctx *ctx, wr_arena *arena, wri_regex_cache **out)
{
    (void)arena;
    *out = NULL;
    return wr_raise(ctx, WR_UNSUPPORTED,
                    "not supported: regular expressions (built without PCRE2)");
}
wr_status
wri_regex_cache_get(wr_ctx *ctx, wri_regex_cache *c, wr_str java, wri_regex **out)
{
    (void)c, (void)java;
    *out = NULL;
    return wr_raise(ctx, WR_UNSUPPORTED,
                    "not supported: regular expressions (built without PCRE2)");
}
bool
wri_regex_is_bad(const wri_regex *re)
{
    (void)re;
    return true;
}
uint32_t
wri_regex_groups(const wri_regex *re)
{
    (void)re;
    return 0;
}
wri_regex_status
wri_regex_find(wri_regex *re, wr_str s, size_t from, bool *hit)
{
    (void)re, (void)s, (void)from;
    *hit = false;
    return WRI_REGEX_OK;
}
bool
wri_regex_group(const wri_regex *re, uint32_t g, size_t *start, size_t *end)
{
    (void)re, (void)g, (void)start, (void)end;
    return false;
}
size_t
wri_regex_next(const wri_regex *re, wr_str s)
{
    (void)re, (void)s;
    return SIZE_MAX;
}
#endif
