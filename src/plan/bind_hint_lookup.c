/* SPDX-License-Identifier: Apache-2.0 */
/* LOOKUP('table' = 't', ...): how rows are asked of a table. The options are checked as Flink does;
 * with a table that is kept in memory (lookup.cache = FULL) none of them has anything to do. */
#include "plan/bind_int.h"

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
check_option(wri_binder *b, const wr_ast_option *o, bool *parsed)
{
    const wr_option_def *def = wr_option_def_find(options, o->key);
    wr_option_value value;
    wr_ctx quiet;
    *parsed = true;
    if (!def) return WR_OK;
    wr_ctx_init(&quiet);
    *parsed = wr_option_parse(&quiet, def, o->value, WR_NO_SPAN, &value) == WR_OK;
    if (*parsed) return WR_OK;
    return wr_raise_at(b->ctx, WR_OPTION, wri_bind_part_span(b, o->value_span),
                       "Invalid LOOKUP hint options: Could not parse value '%.*s' for key '%s'.",
                       WR_STR_ARG(o->value), def->key);
}

wr_status
wri_bind_hint_lookup(wri_binder *b, const wr_ast_hint *h)
{
    static const char *const retry[] = {"retry-predicate", "retry-strategy", "fixed-delay",
                                        "max-attempts"};
    const wr_span span = wri_bind_span(b, &h->base);
    uint32_t retries = 0;
    bool table = false, parsed;
    for (uint32_t k = 0; k < h->args.count; k++) {
        if (h->args.items[k]->kind != WR_AST_OPTION)
            return wr_raise_at(b->ctx, WR_OPTION, span,
                               "Invalid list options in LOOKUP hint, only support key-value "
                               "options.");
        const wr_ast_option *o = WR_AST_AS(wr_ast_option, WR_AST_OPTION, h->args.items[k]);
        table |= wr_str_eq(o->key, WR_STR("table"));
        for (uint32_t i = 0; i < WR_COUNT(retry); i++)
            retries += wr_str_eq(o->key, wr_str_c(retry[i]));
        WR_TRY(check_option(b, o, &parsed));
    }
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
