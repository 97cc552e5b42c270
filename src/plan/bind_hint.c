/* SPDX-License-Identifier: Apache-2.0 */
/* Query hints after SELECT: join strategies (BROADCAST, SHUFFLE_HASH, SHUFFLE_MERGE, NEST_LOOP) and
 * STATE_TTL, matched to the tables of this SELECT's FROM by name or alias. A hint that names a
 * table that is not there is an error, as in Flink. */
#include "plan/bind_int.h"

static bool
is_hint(const wr_ast_hint *h, const char *name)
{
    return wr_str_eq_nocase(h->name.name, wr_str_c(name));
}

static bool
is_join_hint(const wr_ast_hint *h)
{
    return is_hint(h, "BROADCAST") || is_hint(h, "SHUFFLE_HASH") || is_hint(h, "SHUFFLE_MERGE") ||
           is_hint(h, "NEST_LOOP") || is_hint(h, "MULTI_JOIN");
}

wr_status
wri_bind_no_hint(wri_binder *b, const wr_ast_hint *h, wr_span span)
{
    static const char *const known[] = {"OPTIONS",      "STATE_TTL",     "LOOKUP",    "BROADCAST",
                                        "SHUFFLE_HASH", "SHUFFLE_MERGE", "NEST_LOOP", "MULTI_JOIN"};
    for (uint32_t i = 0; i < WR_COUNT(known); i++)
        wr_candidate(b->ctx, h->name.name, wr_str_c(known[i]));
    return wr_raise_at(b->ctx, WR_NAME, span,
                       "Hint: %.*s should be registered in the HintStrategyTable",
                       WR_STR_ARG(h->name.name));
}

/* The table that argument i of a hint names; empty = none. */
static wr_str
hint_table(const wr_ast_hint *h, uint32_t i)
{
    const wr_ast *arg = h->args.items[i];
    if (arg->kind == WR_AST_IDENT) {
        const wr_ast_ident *id = WR_AST_AS(wr_ast_ident, WR_AST_IDENT, arg);
        return id->part_count ? id->parts[id->part_count - 1].name : WR_STR("");
    }
    if (arg->kind == WR_AST_LITERAL) return WR_AST_AS(wr_ast_literal, WR_AST_LITERAL, arg)->text;
    if (is_hint(h, "LOOKUP")) return wri_bind_hint_lookup_table(h);
    if (arg->kind == WR_AST_OPTION && is_hint(h, "STATE_TTL"))
        return WR_AST_AS(wr_ast_option, WR_AST_OPTION, arg)->key;
    return WR_STR("");
}

wr_status
wri_bind_hints_open(wri_binder *b, const wr_ast_select *s)
{
    b->hint_count = s->hints.count;
    b->hints = WR_NEW_N(b->a, wri_hint_use, s->hints.count + 1);
    WR_TRY_ALLOC(b->ctx, b->hints);
    for (uint32_t i = 0; i < s->hints.count; i++) {
        const wr_ast_hint *h = WR_AST_AS(wr_ast_hint, WR_AST_HINT, s->hints.items[i]);
        wr_span span = wri_bind_span(b, &h->base);
        bool ttl = is_hint(h, "STATE_TTL");
        if (!ttl && !is_join_hint(h) && !is_hint(h, "LOOKUP")) return wri_bind_no_hint(b, h, span);
        if (is_join_hint(h) && h->args.count == 0)
            return wr_raise_at(b->ctx, WR_OPTION, span,
                               "Invalid hint: %.*s, expecting at least one table or view specified "
                               "in hint %.*s.",
                               WR_STR_ARG(h->name.name), WR_STR_ARG(h->name.name));
        if (is_hint(h, "LOOKUP")) WR_TRY(wri_bind_hint_lookup(b, h, &b->hints[i].lookup));
        b->hints[i].hint = h;
        b->hints[i].used = WR_NEW_N(b->a, bool, h->args.count + 1);
        WR_TRY_ALLOC(b->ctx, b->hints[i].used);
        for (uint32_t k = 0; ttl && k < h->args.count; k++) {
            int64_t ms;
            if (h->args.items[k]->kind != WR_AST_OPTION)
                return wr_raise_at(b->ctx, WR_OPTION, wri_bind_span(b, h->args.items[k]),
                                   "Invalid list options in STATE_TTL hint, only support key-"
                                   "value options.");
            const wr_ast_option *o = WR_AST_AS(wr_ast_option, WR_AST_OPTION, h->args.items[k]);
            wr_status status = wr_duration_parse(b->ctx, o->value, &ms);
            if (status != WR_OK) {
                b->ctx->err.span = wri_bind_part_span(b, o->value_span);
                return status;
            }
        }
    }
    return WR_OK;
}

/* TTL of a table in the STATE_TTL hints; the first that names it wins. -1 = none. */
static int64_t
ttl_of(wri_binder *b, wr_str table)
{
    int64_t found = -1;
    for (uint32_t i = 0; table.len && i < b->hint_count; i++) {
        const wr_ast_hint *h = b->hints[i].hint;
        if (!is_hint(h, "STATE_TTL")) continue;
        for (uint32_t k = 0; k < h->args.count; k++) {
            if (!wr_str_eq(hint_table(h, k), table)) continue;
            int64_t ms = -1;
            const wr_ast_option *o = WR_AST_AS(wr_ast_option, WR_AST_OPTION, h->args.items[k]);
            b->hints[i].used[k] = true;
            if (found < 0 && wr_duration_parse(b->ctx, o->value, &ms) == WR_OK) found = ms;
        }
    }
    return found;
}

/* "BROADCAST left": the strategy and the side it names. */
static const char *
strategy_text(const wr_ast_hint *h, bool right)
{
    static const char *const texts[][2] = {{"BROADCAST left", "BROADCAST right"},
                                           {"SHUFFLE_HASH left", "SHUFFLE_HASH right"},
                                           {"SHUFFLE_MERGE left", "SHUFFLE_MERGE right"},
                                           {"NEST_LOOP left", "NEST_LOOP right"},
                                           {"MULTI_JOIN left", "MULTI_JOIN right"}};
    for (uint32_t i = 0; i < WR_COUNT(texts); i++) {
        size_t n = strlen(texts[i][0]) - strlen(" left");
        if (wr_str_eq_nocase(h->name.name, (wr_str){texts[i][0], n})) return texts[i][right];
    }
    return NULL;
}

/* All options of a LOOKUP hint belong to the one table that it names. */
static void
use_lookup(wri_hint_use *use, wr_rel *join, wr_str left, wr_str right)
{
    const wr_str table = wri_bind_hint_lookup_table(use->hint);
    if (!wr_str_eq(table, left) && !wr_str_eq(table, right)) return;
    if (wr_str_eq(table, right) && !join->u.join.lookup) join->u.join.lookup = use->lookup;
    for (uint32_t k = 0; k < use->hint->args.count; k++) use->used[k] = true;
}

void
wri_bind_hints_join(wri_binder *b, wr_rel *join, wr_str left, wr_str right)
{
    join->u.join.ttl_ms[0] = ttl_of(b, left);
    join->u.join.ttl_ms[1] = ttl_of(b, right);
    for (uint32_t i = 0; i < b->hint_count; i++) {
        const wr_ast_hint *h = b->hints[i].hint;
        if (is_hint(h, "LOOKUP")) use_lookup(&b->hints[i], join, left, right);
        if (!is_join_hint(h)) continue;
        for (uint32_t k = 0; k < h->args.count; k++) {
            wr_str table = hint_table(h, k);
            bool is_left = left.len && wr_str_eq(table, left);
            bool is_right = right.len && wr_str_eq(table, right);
            if (!is_left && !is_right) continue;
            b->hints[i].used[k] = true;
            if (!join->u.join.hint) join->u.join.hint = strategy_text(h, is_right);
        }
    }
}

void
wri_bind_hints_group(wri_binder *b, const wri_scope *scope, wr_rel *agg)
{
    if (scope->item_count == 1) agg->u.agg.ttl_ms = ttl_of(b, scope->items[0].alias);
}

/* options:{t=1d, u=2h}, or options:[t, u] */
static wr_str
shown_options(wri_binder *b, const wr_ast_hint *h)
{
    wr_text t;
    wr_text_init(&t, b->a);
    if (!is_join_hint(h)) {
        wr_text_printf(&t, "options:{%.*s}", WR_STR_ARG(wri_bind_hint_text(b, h)));
        return wr_text_str(&t);
    }
    wr_text_puts(&t, "options:[");
    for (uint32_t k = 0; k < h->args.count; k++)
        wr_text_printf(&t, "%s%.*s", k ? ", " : "", WR_STR_ARG(hint_table(h, k)));
    wr_text_putc(&t, ']');
    return wr_text_str(&t);
}

wr_status
wri_bind_hints_note(wri_binder *b, wr_rel *root)
{
    wr_rel_hint *hints = WR_NEW_N(b->a, wr_rel_hint, b->hint_count + 1);
    WR_TRY_ALLOC(b->ctx, hints);
    for (uint32_t i = 0; i < b->hint_count; i++) {
        const wri_hint_use *use = &b->hints[i];
        const bool lookup = is_hint(use->hint, "LOOKUP"), ttl = is_hint(use->hint, "STATE_TTL");
        hints[i] = (wr_rel_hint){.kind = lookup ? WR_HINT_LOOKUP
                                         : ttl  ? WR_HINT_TTL
                                                : WR_HINT_JOIN,
                                 .name = use->hint->name.name,
                                 .text = shown_options(b, use->hint)};
        if (!hints[i].text.ptr) return wr_raise(b->ctx, WR_NOMEM, "out of memory");
    }
    root->block = true;
    root->hints = hints;
    root->hint_count = b->hint_count;
    return WR_OK;
}

wr_status
wri_bind_hints_check(wri_binder *b)
{
    wr_text t;
    wr_text_init(&t, b->a);
    wr_span span = WR_NO_SPAN;
    for (uint32_t i = 0; i < b->hint_count; i++) {
        const wr_ast_hint *h = b->hints[i].hint;
        const uint32_t told = is_hint(h, "LOOKUP") ? 1 : h->args.count;
        for (uint32_t k = 0; k < told; k++) {
            if (b->hints[i].used[k]) continue;
            if (t.len == 0) span = wri_bind_span(b, h->args.items[k]);
            wr_text_printf(&t, "%s`%.*s` in `%.*s`", t.len ? "\n" : "",
                           WR_STR_ARG(hint_table(h, k)), WR_STR_ARG(h->name.name));
        }
    }
    if (t.len == 0) return WR_OK;
    return wr_raise_at(b->ctx, WR_NAME, span,
                       "The options of following hints cannot match the name of input tables or "
                       "views: \n%.*s",
                       WR_STR_ARG(wr_text_str(&t)));
}
