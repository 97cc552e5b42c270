/* SPDX-License-Identifier: Apache-2.0 */
/* Session options: the table of every key that weir reads or Flink has (options_flink.def), SET and
 * RESET. What is set lives in one arena that each change replaces. Thread: session's. */
#include "catalog/catalog_int.h"

#define BOOL     WR_OPT_BOOL
#define INT      WR_OPT_INT
#define LONG     WR_OPT_LONG
#define FLOAT    WR_OPT_FLOAT
#define DOUBLE   WR_OPT_DOUBLE
#define DURATION WR_OPT_DURATION
#define MEMORY   WR_OPT_MEMORY
#define STRING   WR_OPT_STRING
#define LIST     WR_OPT_LIST
#define MAP      WR_OPT_MAP
#define ENUM     WR_OPT_ENUM

static const wr_option_def defs[] = {
#define USED(key, type, def, values, doc) {key, type, def, values, 0, doc},
#define KNOWN(key, type, def, values)     {key, type, def, values, 0, NULL},
#define OLDER(old, key)
#include "catalog/options_flink.def"
#undef USED
#undef KNOWN
#undef OLDER
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

enum {
    USED_COUNT = 0
#define USED(key, type, def, values, doc) +1
#define KNOWN(key, type, def, values)
#define OLDER(old, key)
#include "catalog/options_flink.def"
#undef USED
#undef KNOWN
#undef OLDER
};

static const struct {
    const char *old, *key;
} older[] = {
#define USED(key, type, def, values, doc)
#define KNOWN(key, type, def, values)
#define OLDER(old, key) {old, key},
#include "catalog/options_flink.def"
#undef USED
#undef KNOWN
#undef OLDER
};

const wr_option_def *
wr_session_option_defs(void)
{
    return defs;
}

bool
wr_session_option_used(wr_str key)
{
    for (uint32_t i = 0; i < USED_COUNT; i++)
        if (wr_str_eq_c(key, defs[i].key)) return true;
    return false;
}

const char *
wr_session_option_renamed(wr_str key)
{
    for (uint32_t i = 0; i < WR_COUNT(older); i++)
        if (wr_str_eq_c(key, older[i].old)) return older[i].key;
    return NULL;
}

/* ---- what is set ----------------------------------------------------------------------------- */

wr_status
wri_options_init(wr_ctx *ctx, wri_session_options *o)
{
    o->arena = wr_arena_create(NULL, 1024);
    WR_TRY_ALLOC(ctx, o->arena);
    o->set = (wr_options){0};
    o->config = (wr_config){.set = &o->set, .defs = defs};
    return WR_OK;
}

void
wri_options_free(wri_session_options *o)
{
    wr_arena_destroy(o->arena);
    o->arena = NULL;
}

const wr_config *
wr_catalogs_config(const wr_catalogs *cats)
{
    return &cats->options.config;
}

/* The options set now without `without`, with `add` (NULL: nothing) at its place in sorted order.
 */
static wr_status
replace_set(wr_ctx *ctx, wri_session_options *o, wr_str without, const wr_option *add)
{
    wr_arena *arena = wr_arena_create(NULL, 1024);
    WR_TRY_ALLOC(ctx, arena);
    wr_option *items = WR_NEW_N(arena, wr_option, o->set.count + 2);
    uint32_t n = 0;
    for (uint32_t i = 0; items && i < o->set.count; i++) {
        if (wr_str_eq(o->set.items[i].key, without)) continue;
        if (add && wr_str_cmp(add->key, o->set.items[i].key) < 0) {
            items[n++] = *add;
            add = NULL;
        }
        items[n++] = o->set.items[i];
    }
    if (items && add) items[n++] = *add;
    wr_options list = {.items = items, .count = n}, copy;
    if (!items || !wri_copy_options(arena, &list, &copy)) {
        wr_arena_destroy(arena);
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    wr_arena_destroy(o->arena);
    o->arena = arena;
    o->set = copy;
    return WR_OK;
}

/* ---- SET and RESET --------------------------------------------------------------------------- */

/* The definition that a key as written means; *key becomes the name it has today. */
static wr_status
resolve_key(wr_ctx *ctx, wr_str *key, wr_span span, const wr_option_def **out)
{
    const char *renamed = wr_session_option_renamed(*key);
    if (renamed) {
        wr_notice(ctx, "'%.*s' is an older name of '%s'", WR_STR_ARG(*key), renamed);
        *key = wr_str_c(renamed);
    }
    *out = wr_option_def_find(defs, *key);
    if (*out) return WR_OK;
    for (const wr_option_def *d = defs; d->key; d++)
        if (!strchr(d->key, '#')) wr_candidate(ctx, *key, wr_str_c(d->key));
    return wr_raise_at(ctx, WR_OPTION, span, "unknown option '%.*s'", WR_STR_ARG(*key));
}

static wr_status
check_value(wr_ctx *ctx, const wr_option_def *def, wr_str key, wr_str value, wr_span span)
{
    wr_arena *a = wr_arena_create(NULL, 256);
    WR_TRY_ALLOC(ctx, a);
    wr_option_def named = *def;
    named.key = wr_arena_dup(a, key.ptr, key.len);
    if (wr_option_is_secret(key)) named.flags |= WR_OPTF_SECRET;
    wr_option_value v;
    wr_status status = named.key ? wr_option_parse(ctx, &named, value, span, &v)
                                 : wr_raise(ctx, WR_NOMEM, "out of memory");
    if (status == WR_OK) status = wri_option_check(ctx, a, key, &v, span);
    wr_arena_destroy(a);
    return status;
}

wr_status
wr_catalogs_set(wr_ctx *ctx, wr_catalogs *cats, wr_str key, wr_str value, wr_span span)
{
    const wr_option_def *def = NULL;
    WR_TRY(resolve_key(ctx, &key, span, &def));
    WR_TRY(check_value(ctx, def, key, value, span));
    wr_option add = {.key = key, .value = value, .span = WR_NO_SPAN};
    WR_TRY(replace_set(ctx, &cats->options, key, &add));
    if (!wr_session_option_used(key))
        wr_notice(ctx, "'%.*s' is an option of Flink without a meaning for weir", WR_STR_ARG(key));
    return WR_OK;
}

wr_status
wr_catalogs_reset(wr_ctx *ctx, wr_catalogs *cats, wr_str key, wr_span span)
{
    if (key.len == 0) {
        wri_session_options fresh;
        WR_TRY(wri_options_init(ctx, &fresh));
        wr_arena_destroy(cats->options.arena);
        cats->options.arena = fresh.arena;
        cats->options.set = (wr_options){0};
        return WR_OK;
    }
    const wr_option_def *def = NULL;
    WR_TRY(resolve_key(ctx, &key, span, &def));
    return replace_set(ctx, &cats->options, key, NULL);
}
