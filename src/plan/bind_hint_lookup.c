/* SPDX-License-Identifier: Apache-2.0 */
/* LOOKUP('table' = 't', ...): how rows are asked of a table. The options are checked as Flink does;
 * with a table that is kept in memory (lookup.cache = FULL) none of them has anything to do. */
#include "plan/bind_int.h"
#include "plan/timed_join.h"

static const wr_option_def options[] = {
    {"table", WR_OPT_STRING, NULL, NULL, 0, ""},
    {"async", WR_OPT_BOOL, NULL, NULL, 0, ""},
    {"output-mode", WR_OPT_ENUM, NULL, "ORDERED|ALLOW_UNORDERED", 0, ""},
    {"capacity", WR_OPT_INT, NULL, NULL, 0, ""},
    {"timeout", WR_OPT_DURATION, NULL, NULL, 0, ""},
    {"retry-predicate", WR_OPT_STRING, NULL, NULL, 0, ""},
    {"retry-strategy", WR_OPT_ENUM, NULL, "FIXED_DELAY", 0, ""},
    {"fixed-delay", WR_OPT_DURATION, NULL, NULL, 0, ""},
    {"max-attempts", WR_OPT_INT, NULL, NULL, 0, ""},
    {"shuffle", WR_OPT_BOOL, NULL, NULL, 0, ""},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

static wr_status
take_retry(wri_binder *b, const wr_ast_option *o, int64_t n, wr_lookup_hint *hint)
{
    const wr_span span = wri_bind_part_span(b, o->value_span);
    if (wr_str_eq(o->key, WR_STR("fixed-delay"))) hint->retry_ms = n;
    if (wr_str_eq(o->key, WR_STR("retry-predicate")) &&
        !wr_str_eq_nocase(o->value, WR_STR("lookup_miss")))
        return wr_raise_at(b->ctx, WR_OPTION, span,
                           "Invalid LOOKUP hint option: unsupported retry-predicate '%.*s', only "
                           "'lookup_miss' is supported currently",
                           WR_STR_ARG(o->value));
    if (!wr_str_eq(o->key, WR_STR("max-attempts"))) return WR_OK;
    if (n <= 0)
        return wr_raise_at(b->ctx, WR_OPTION, span,
                           "Invalid LOOKUP hint option: max-attempts value should be positive "
                           "integer but was %lld",
                           (long long)n);
    hint->retries = (uint32_t)WR_MIN(n, (int64_t)INT32_MAX);
    return WR_OK;
}

static wr_status
take_option(wri_binder *b, const wr_ast_option *o, const wr_option_value *v, wr_lookup_hint *hint)
{
    if (wr_str_eq(o->key, WR_STR("async"))) hint->async = v->i != 0;
    if (wr_str_eq(o->key, WR_STR("shuffle"))) hint->shuffle = v->i != 0;
    if (wr_str_eq(o->key, WR_STR("output-mode")))
        hint->unordered = wr_str_eq_nocase(o->value, WR_STR("ALLOW_UNORDERED"));
    if (wr_str_eq(o->key, WR_STR("capacity"))) hint->capacity = v->i;
    if (wr_str_eq(o->key, WR_STR("timeout"))) hint->timeout_ms = v->i;
    return take_retry(b, o, v->i, hint);
}

static wr_status
check_option(wri_binder *b, const wr_ast_option *o, wr_lookup_hint *hint)
{
    const wr_option_def *def = wr_option_def_find(options, o->key);
    wr_option_value value;
    wr_ctx quiet;
    if (!def) {
        for (def = options; def->key; def++) wr_candidate(b->ctx, o->key, wr_str_c(def->key));
        return wr_raise_at(b->ctx, WR_OPTION, wri_bind_part_span(b, o->key_span),
                           "Invalid LOOKUP hint option: unknown key '%.*s'", WR_STR_ARG(o->key));
    }
    wr_ctx_init(&quiet);
    if (wr_option_parse(&quiet, def, o->value, WR_NO_SPAN, &value) == WR_OK)
        return take_option(b, o, &value, hint);
    return wr_raise_at(b->ctx, WR_OPTION, wri_bind_part_span(b, o->value_span),
                       "Invalid LOOKUP hint options: Could not parse value '%.*s' for key '%s'.",
                       WR_STR_ARG(o->value), def->key);
}

/* Where Java's HashMap of 16 buckets has a key. */
static uint32_t
bucket_of(wr_str key)
{
    uint32_t h = 0;
    for (size_t i = 0; i < key.len; i++) h = h * 31 + (unsigned char)key.ptr[i];
    return (h ^ h >> 16) & 15;
}

/* {retry-strategy=fixed_delay, table=d}: in the order in which plans of Flink have them. */
wr_str
wri_bind_hint_text(wri_binder *b, const wr_ast_hint *h)
{
    wr_text t;
    bool any = false;
    wr_text_init(&t, b->a);
    for (uint32_t at = 0; at < 16; at++)
        for (uint32_t k = 0; k < h->args.count; k++) {
            const wr_ast_option *o = WR_AST_AS(wr_ast_option, WR_AST_OPTION, h->args.items[k]);
            if (bucket_of(o->key) != at) continue;
            wr_text_printf(&t, "%s%.*s=%.*s", any ? ", " : "", WR_STR_ARG(o->key),
                           WR_STR_ARG(o->value));
            any = true;
        }
    return wr_text_str(&t);
}

wr_status
wri_bind_hint_lookup(wri_binder *b, const wr_ast_hint *h, const wr_lookup_hint **out)
{
    static const char *const retry[] = {"retry-predicate", "retry-strategy", "fixed-delay",
                                        "max-attempts"};
    const wr_span span = wri_bind_span(b, &h->base);
    uint32_t retries = 0;
    bool table = false;
    wr_lookup_hint *hint = WR_NEW(b->a, wr_lookup_hint);
    WR_TRY_ALLOC(b->ctx, hint);
    *hint = (wr_lookup_hint){
        .async = -1, .unordered = -1, .shuffle = -1, .capacity = -1, .timeout_ms = -1};
    *out = hint;
    for (uint32_t k = 0; k < h->args.count; k++) {
        if (h->args.items[k]->kind != WR_AST_OPTION)
            return wr_raise_at(b->ctx, WR_OPTION, span,
                               "Invalid list options in LOOKUP hint, only support key-value "
                               "options.");
        const wr_ast_option *o = WR_AST_AS(wr_ast_option, WR_AST_OPTION, h->args.items[k]);
        table |= wr_str_eq(o->key, WR_STR("table"));
        for (uint32_t i = 0; i < WR_COUNT(retry); i++)
            retries += wr_str_eq(o->key, wr_str_c(retry[i]));
        WR_TRY(check_option(b, o, hint));
    }
    hint->text = wri_bind_hint_text(b, h);
    if (!table)
        return wr_raise_at(b->ctx, WR_OPTION, span,
                           "Invalid LOOKUP hint: incomplete required option(s): [Key: 'table' , "
                           "default: null (fallback keys: [])]");
    if (retries && retries != WR_COUNT(retry))
        return wr_raise_at(b->ctx, WR_OPTION, span,
                           "Invalid LOOKUP hint: retry options can be both null or all not null");
    return WR_OK;
}

wr_str
wri_bind_hint_lookup_table(const wr_ast_hint *h)
{
    for (uint32_t k = 0; k < h->args.count; k++) {
        const wr_ast_option *o = WR_AST_AS(wr_ast_option, WR_AST_OPTION, h->args.items[k]);
        if (wr_str_eq(o->key, WR_STR("table"))) return o->value;
    }
    return WR_STR("");
}
