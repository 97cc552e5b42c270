/* SPDX-License-Identifier: Apache-2.0 */
/* Names and the small lists of the grammar: identifiers, options, keys, partitions. */
#include "sql/sql_int.h"

#define NAME_CHARS_MAX 256 /* Flink's limit */

wr_str
wri_text_of(const wri_parser *p, const wri_token *t)
{
    return (wr_str){p->text.ptr + t->start, t->end - t->start};
}

wr_str
wri_upper(wri_parser *p, wr_str s)
{
    char *out = wr_arena_dup(p->arena, s.ptr, s.len);
    for (size_t i = 0; out && i < s.len; i++)
        if (out[i] >= 'a' && out[i] <= 'z') out[i] = (char)(out[i] - 'a' + 'A');
    return (wr_str){out, out ? s.len : 0};
}

bool
wri_is_name(const wri_parser *p, uint32_t n)
{
    const wri_token *t = wri_peek(p, n);
    if (t->kind == WRI_T_WORD) return !wri_kw_get((wri_kw)t->kw)->reserved;
    return t->kind == WRI_T_QUOTED || t->kind == WRI_T_UNICODE_NAME;
}

/* The inside of `...`, doubled back-ticks made single. */
static wr_str
unquote(wri_parser *p, wr_str image)
{
    wr_str inside = {image.ptr + 1, image.len - 2};
    if (!memchr(inside.ptr, '`', inside.len)) return inside;
    char *out = wr_arena_dup(p->arena, inside.ptr, inside.len);
    if (!out) {
        (void)wri_nomem(p);
        return WR_STR("");
    }
    size_t len = 0;
    for (size_t i = 0; i < inside.len; i++) {
        out[len++] = inside.ptr[i];
        if (inside.ptr[i] == '`') i++;
    }
    return (wr_str){out, len};
}

wr_ast_part
wri_part(wri_parser *p)
{
    wr_ast_part part = {.name = {NULL, 0}, .span = WR_NO_SPAN};
    if (!wri_is_name(p, 0)) {
        wri_want_add(p, WRI_WANT_NAME);
        (void)wri_unexpected(p);
        return part;
    }
    const wri_token *t = wri_tok(p);
    part.span = wri_token_span(p, t);
    part.quoted = t->kind != WRI_T_WORD;
    if (t->kind == WRI_T_UNICODE_NAME) {
        wr_str unused;
        if (!wri_decode_string(p, t, &part.name, &unused)) return part;
        if (part.name.len == 0 || memchr(part.name.ptr, '\n', part.name.len) ||
            memchr(part.name.ptr, '\r', part.name.len))
            (void)wri_fail_at(p, part.span,
                              "SQL parse failed. A name may not be empty or go over a line end");
    } else {
        part.name = part.quoted ? unquote(p, wri_text_of(p, t)) : wri_text_of(p, t);
        wri_advance(p);
    }
    if (part.name.len > NAME_CHARS_MAX &&
        wr_utf8_count(part.name.ptr, part.name.len) > NAME_CHARS_MAX)
        (void)wri_fail_at(p, part.span,
                          "SQL parse failed. Length of identifier '%.*s...' must be less than or "
                          "equal to %d characters",
                          40, part.name.ptr, NAME_CHARS_MAX);
    return part;
}

bool
wri_name_after_dot(wri_parser *p)
{
    if (wri_is_name(p, 0)) return true;
    wri_want_add(p, WRI_WANT_NAME);
    return wri_unexpected_pair(p, 1, false) != NULL;
}

static wr_ast_ident *
path(wri_parser *p, bool one)
{
    WR_LIST(wr_ast_part) parts = {0};
    wr_ast_ident *n = wri_node(p, WR_AST_IDENT, wri_start(p));
    do {
        if (parts.count > 0 && !wri_name_after_dot(p)) return NULL;
        wr_ast_part part = wri_part(p);
        if (p->failed) return NULL;
        if (!wr_list_push(p->arena, &parts, part)) return wri_nomem(p);
    } while (!one && wri_accept(p, WRI_T_DOT));
    n->parts = parts.items;
    n->part_count = parts.count;
    return wri_done(p, n);
}

wr_ast_ident *
wri_ident(wri_parser *p)
{
    return path(p, false);
}

wr_ast_ident *
wri_ident_simple(wri_parser *p)
{
    return path(p, true);
}

wr_ast_ident *
wri_keyword_name(wri_parser *p)
{
    wr_ast_ident *n = wri_node(p, WR_AST_IDENT, wri_start(p));
    n->parts = WR_NEW(p->arena, wr_ast_part);
    if (!n->parts) return wri_nomem(p);
    n->parts[0].name = wri_text_of(p, wri_tok(p));
    n->parts[0].span = wri_token_span(p, wri_tok(p));
    n->part_count = 1;
    wri_advance(p);
    return wri_done(p, n);
}

bool
wri_part_list(wri_parser *p, wr_ast_parts *out)
{
    WR_LIST(wr_ast_part) parts = {0};
    do {
        wr_ast_part part = wri_part(p);
        if (p->failed) return false;
        if (!wr_list_push(p->arena, &parts, part)) return wri_nomem(p) != NULL;
    } while (wri_accept(p, WRI_T_COMMA));
    *out = (wr_ast_parts){parts.items, parts.count};
    return true;
}

bool
wri_parts(wri_parser *p, wr_ast_parts *out)
{
    return wri_expect(p, WRI_T_LPAREN) && wri_part_list(p, out) && wri_expect(p, WRI_T_RPAREN);
}

bool
wri_ident_list(wri_parser *p, wr_ast_list *out)
{
    uint32_t cap = 0;
    if (!wri_expect(p, WRI_T_LPAREN)) return false;
    do {
        if (!wri_push(p, out, &cap, wri_ident(p))) return false;
    } while (wri_accept(p, WRI_T_COMMA));
    return wri_expect(p, WRI_T_RPAREN);
}

wr_ast *
wri_symbol(wri_parser *p, uint32_t start, wr_str text, wr_sql_unit unit)
{
    wr_ast_symbol *n = wri_node(p, WR_AST_SYMBOL, start);
    n->text = text;
    n->unit = unit;
    return wri_done(p, n);
}

/* ---- options --------------------------------------------------------------------------------- */
static wr_ast *
option(wri_parser *p)
{
    wr_ast_option *n = wri_node(p, WR_AST_OPTION, wri_start(p));
    wr_ast *key = wri_string(p);
    if (!key || !wri_expect(p, WRI_T_EQ)) return NULL;
    wr_ast *value = wri_string(p);
    if (!value) return NULL;
    n->key = ((wr_ast_literal *)key)->text;
    n->key_span = key->span;
    n->value = ((wr_ast_literal *)value)->text;
    n->value_span = value->span;
    return wri_done(p, n);
}

bool
wri_options(wri_parser *p, wr_ast_list *out)
{
    uint32_t cap = 0;
    if (!wri_expect(p, WRI_T_LPAREN)) return false;
    if (wri_accept(p, WRI_T_RPAREN)) return true;
    do {
        if (!wri_push(p, out, &cap, option(p))) return false;
    } while (wri_accept(p, WRI_T_COMMA));
    return wri_expect(p, WRI_T_RPAREN);
}

bool
wri_keys(wri_parser *p, wr_ast_list *out)
{
    uint32_t cap = 0;
    if (!wri_expect(p, WRI_T_LPAREN)) return false;
    if (wri_accept(p, WRI_T_RPAREN)) return true;
    do {
        if (!wri_push(p, out, &cap, wri_string(p))) return false;
    } while (wri_accept(p, WRI_T_COMMA));
    return wri_expect(p, WRI_T_RPAREN);
}

wr_ast_partition *
wri_partition(wri_parser *p, bool values_needed)
{
    wr_ast_partition *n = wri_node(p, WR_AST_PARTITION, wri_start(p));
    WR_LIST(wr_ast_part) parts = {0};
    uint32_t cap = 0;
    if (!wri_expect_kw(p, WRI_KW_PARTITION) || !wri_expect(p, WRI_T_LPAREN)) return NULL;
    do {
        wr_ast_part part = wri_part(p);
        wr_ast *value = NULL;
        if (p->failed) return NULL;
        if (wri_accept(p, WRI_T_EQ))
            value = wri_signed_literal(p);
        else if (values_needed)
            return wri_unexpected(p);
        if (!wr_list_push(p->arena, &parts, part)) return wri_nomem(p);
        if (!wri_push(p, &n->values, &cap, value)) return NULL;
    } while (wri_accept(p, WRI_T_COMMA));
    if (!wri_expect(p, WRI_T_RPAREN)) return NULL;
    n->columns = (wr_ast_parts){parts.items, parts.count};
    return wri_done(p, n);
}
