/* SPDX-License-Identifier: Apache-2.0 */
/* The parser's entry points, its state, and its nodes. Errors: parse_error.c. */
#include "sql/sql_int.h"

/* ---- tokens ---------------------------------------------------------------------------------- */
/* All tokens of the text without its comments, EOF last. */
static bool
lex_all(wri_parser *p)
{
    WR_LIST(wri_token) list = {0};
    wri_lexer lexer = {.text = p->text};
    wri_token t;
    do {
        t = wri_lex(&lexer);
        if (t.kind == WRI_T_COMMENT) continue;
        if (!wr_list_push(p->arena, &list, t)) return wri_nomem(p) != NULL;
    } while (t.kind != WRI_T_EOF);
    p->tokens = list.items;
    p->token_count = list.count;
    return true;
}

bool
wri_accept_kw2(wri_parser *p, wri_kw first, wri_kw second)
{
    if (!wri_is_kw(p, first)) return false;
    if (!wri_at_word(p, 1, second)) return false;
    wri_advance(p);
    wri_advance(p);
    return true;
}

bool
wri_expect_kw(wri_parser *p, wri_kw kw)
{
    return wri_accept_kw(p, kw) || wri_unexpected(p) != NULL;
}

bool
wri_expect(wri_parser *p, wri_token_kind kind)
{
    return wri_accept(p, kind) || wri_unexpected(p) != NULL;
}

bool
wri_accept_if_exists(wri_parser *p)
{
    if (!wri_accept_kw(p, WRI_KW_IF)) return false;
    return wri_expect_kw(p, WRI_KW_EXISTS);
}

bool
wri_accept_if_not_exists(wri_parser *p)
{
    if (!wri_accept_kw(p, WRI_KW_IF)) return false;
    return wri_expect_kw(p, WRI_KW_NOT) && wri_expect_kw(p, WRI_KW_EXISTS);
}

/* ---- nodes ----------------------------------------------------------------------------------- */
wr_span
wri_token_span(const wri_parser *p, const wri_token *t)
{
    return (wr_span){p->base + t->start, p->base + t->end};
}

uint32_t
wri_start(const wri_parser *p)
{
    return p->base + wri_tok(p)->start;
}

uint32_t
wri_prev_end(const wri_parser *p)
{
    return p->base + (p->at > 0 ? p->tokens[p->at - 1].end : 0);
}

uint32_t
wri_start_of(const wri_parser *p, const void *node)
{
    return node ? ((const wr_ast *)node)->span.start : wri_start(p);
}

void *
wri_node(wri_parser *p, wr_ast_kind kind, uint32_t start)
{
    uint16_t size = wri_shape_of(kind)->size_bytes;
    WR_ASSERT(size <= sizeof p->scratch);
    wr_ast *node = p->failed ? NULL : wr_arena_zalloc(p->arena, size);
    if (!node) {
        if (!p->failed) (void)wri_nomem(p);
        memset(p->scratch, 0, sizeof p->scratch);
        node = (wr_ast *)(void *)p->scratch;
    }
    node->kind = kind;
    node->span = (wr_span){start, start};
    return node;
}

void *
wri_done(wri_parser *p, void *any)
{
    if (p->failed) return NULL;
    wr_ast *node = any;
    uint32_t height = wri_children_height(node) + 1;
    if (height > WR_SQL_DEPTH_MAX) return wri_too_deep(p);
    node->height = height;
    node->span.end = wri_prev_end(p);
    return node;
}

bool
wri_push(wri_parser *p, wr_ast_list *list, uint32_t *cap, void *item)
{
    if (p->failed) return false;
    if (list->count >= WR_SQL_LIST_MAX)
        return wri_fail_at(p, wri_token_span(p, wri_tok(p)), "a list has more than %u items",
                           WR_SQL_LIST_MAX) != NULL;
    if (list->count == *cap &&
        !wr_list_grow_(p->arena, (void **)&list->items, cap, sizeof(wr_ast *)))
        return wri_nomem(p) != NULL;
    list->items[list->count++] = item;
    return true;
}

/* ---- entry points ---------------------------------------------------------------------------- */
static bool
valid_utf8(wri_parser *p)
{
    if (wr_utf8_valid(p->text.ptr, p->text.len)) return true;
    const char *c = p->text.ptr, *end = c + p->text.len, *next = c;
    for (; c < end; c = next) {
        (void)wr_utf8_next(&next, end);
        if (!wr_utf8_valid(c, (size_t)(next - c))) break;
    }
    uint32_t at = (uint32_t)(c - p->text.ptr);
    return wri_fail_at(p, (wr_span){p->base + at, p->base + at + 1},
                       "SQL parse failed. The text is not valid UTF-8") != NULL;
}

/* A parser over a copy of `text`; false after raising. */
static bool
init(wri_parser *p, wr_ctx *ctx, wr_str text, wr_arena *arena)
{
    memset(p, 0, sizeof *p);
    p->ctx = ctx;
    p->arena = arena;
    p->status = WR_OK;
    if (text.len > WR_SQL_BYTES_MAX) {
        p->failed = true;
        p->status =
            wr_raise(ctx, WR_LIMIT, "the statement is longer than %u bytes", WR_SQL_BYTES_MAX);
        return false;
    }
    if (text.ptr && ctx->sql.ptr && text.ptr >= ctx->sql.ptr &&
        text.ptr + text.len <= ctx->sql.ptr + ctx->sql.len)
        p->base = (uint32_t)(text.ptr - ctx->sql.ptr);
    p->text.ptr = wr_arena_dup(arena, text.ptr ? text.ptr : "", text.len);
    p->text.len = p->text.ptr ? text.len : 0;
    if (!p->text.ptr) return wri_nomem(p) != NULL;
    return valid_utf8(p) && lex_all(p);
}

static wr_status
parse(wr_ctx *ctx, wr_str text, wr_arena *arena, wr_ast *(*production)(wri_parser *), wr_ast **out)
{
    wri_parser p;
    *out = NULL;
    if (init(&p, ctx, text, arena)) {
        wr_ast *node = production(&p);
        if (!p.failed && wri_tok(&p)->kind != WRI_T_EOF) (void)wri_unexpected(&p);
        WR_ASSERT(p.failed || node);
        if (!p.failed) *out = node;
    }
    WR_ASSERT(!p.failed || p.status != WR_OK);
    return p.failed ? p.status : WR_OK;
}

static wr_ast *
one_statement(wri_parser *p)
{
    wr_ast *stmt = wri_statement(p);
    bool ended = false;
    while (wri_accept(p, WRI_T_SEMICOLON)) ended = true;
    if (ended && !p->failed && wri_tok(p)->kind != WRI_T_EOF)
        return wri_fail_at(p, wri_token_span(p, wri_tok(p)), "only single statement supported");
    return stmt;
}

static wr_ast *
one_type(wri_parser *p)
{
    return (wr_ast *)wri_type(p, true);
}

static wr_ast *
one_name(wri_parser *p)
{
    return (wr_ast *)wri_ident(p);
}

wr_status
wr_sql_parse(wr_ctx *ctx, wr_str text, wr_arena *arena, wr_ast **out)
{
    return parse(ctx, text, arena, one_statement, out);
}

wr_status
wr_sql_parse_expr(wr_ctx *ctx, wr_str text, wr_arena *arena, wr_ast **out)
{
    return parse(ctx, text, arena, wri_expr, out);
}

wr_status
wr_sql_parse_type(wr_ctx *ctx, wr_str text, wr_arena *arena, wr_ast_type **out)
{
    wr_ast *node;
    wr_status status = parse(ctx, text, arena, one_type, &node);
    *out = (wr_ast_type *)node;
    return status;
}

wr_status
wr_sql_parse_name(wr_ctx *ctx, wr_str text, wr_arena *arena, wr_ast_ident **out)
{
    wr_ast *node;
    wr_status status = parse(ctx, text, arena, one_name, &node);
    *out = (wr_ast_ident *)node;
    return status;
}

/* ---- statements ------------------------------------------------------------------------------ */
/* Words that begin a statement, for the hint behind a misspelt one. */
static const wri_kw statement_words[] = {
    WRI_KW_SELECT, WRI_KW_INSERT,   WRI_KW_CREATE,  WRI_KW_ALTER,   WRI_KW_DROP,    WRI_KW_WITH,
    WRI_KW_VALUES, WRI_KW_DESCRIBE, WRI_KW_EXPLAIN, WRI_KW_SHOW,    WRI_KW_USE,     WRI_KW_SET,
    WRI_KW_RESET,  WRI_KW_UPDATE,   WRI_KW_DELETE,  WRI_KW_EXECUTE, WRI_KW_COMPILE, WRI_KW_ANALYZE,
    WRI_KW_LOAD,   WRI_KW_UNLOAD,   WRI_KW_ADD,     WRI_KW_REMOVE,  WRI_KW_CALL,    WRI_KW_TRUNCATE,
    WRI_KW_MERGE,  WRI_KW_STOP,     WRI_KW_BEGIN,   WRI_KW_REPLACE, WRI_KW_DESC,    WRI_KW_TABLE,
};

/* What is no statement may still be an expression, and Flink then says so. */
static wr_ast *
not_a_statement(wri_parser *p)
{
    const wri_token *t = wri_tok(p);
    const wri_kw_info *kw = wri_kw_get((wri_kw)t->kw);
    bool expression = t->kind == WRI_T_QUOTED ||
                      (t->kind >= WRI_T_INTEGER && t->kind <= WRI_T_BINARY) ||
                      (t->kind == WRI_T_WORD && !kw->reserved);
    if (!expression) {
        wri_want_add(p, WRI_WANT_STATEMENT);
        return wri_unexpected(p);
    }
    (void)wri_fail_at(p, wri_token_span(p, t),
                      "SQL parse failed. Non-query expression encountered in illegal context");
    WRI_HINT(p, "a statement starts with a word such as SELECT, INSERT, CREATE or SHOW");
    wr_str word = wri_upper(p, wri_text_of(p, t));
    for (uint32_t i = 0; word.ptr && t->kind == WRI_T_WORD && i < WR_COUNT(statement_words); i++)
        wr_candidate(p->ctx, word, wr_str_c(wri_kw_get(statement_words[i])->name));
    return NULL;
}

wr_ast *
wri_statement(wri_parser *p)
{
    if (wri_is_query_start(p, 0)) return wri_query(p);
    switch ((unsigned)wri_tok(p)->kw) {
    case WRI_KW_CREATE:
        return wri_at_word(p, 1, WRI_KW_SAVEPOINT) ? wri_create_savepoint(p) : wri_create(p);
    case WRI_KW_REPLACE:
        return wri_replace_table(p);
    case WRI_KW_ALTER:
        return wri_alter(p);
    case WRI_KW_DROP:
        return wri_drop(p);
    case WRI_KW_INSERT:
    case WRI_KW_UPSERT:
    case WRI_KW_DELETE:
    case WRI_KW_UPDATE:
    case WRI_KW_MERGE:
    case WRI_KW_TRUNCATE:
    case WRI_KW_CALL:
    case WRI_KW_ANALYZE:
        return wri_dml(p);
    case WRI_KW_EXECUTE:
        return wri_execute(p);
    case WRI_KW_COMPILE:
        return wri_compile(p);
    case WRI_KW_EXPLAIN:
        return wri_explain(p);
    case WRI_KW_SHOW:
        return wri_show(p);
    case WRI_KW_DESCRIBE:
    case WRI_KW_DESC:
        return wri_describe(p);
    default:
        break;
    }
    wr_ast *node = wri_session(p);
    return node || p->failed ? node : not_a_statement(p);
}
