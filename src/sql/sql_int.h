/* SPDX-License-Identifier: Apache-2.0 */
/* Private half of sql/: tokens, the parser's state, and the productions that call each other across
 * files.
 *
 * The parser lexes the whole text into an array first (12 bytes a token), so that lookahead is an
 * index. Errors are sticky: the first one is raised into ctx and moves the parser to the end of the
 * input; from there on every production runs into "end of text" and returns NULL, and nobody checks
 * in between. `p->failed` is looked at once per list item, so that loops end, and at the end.
 *
 * A production returns NULL only after an error. It takes the parser as its only state; nodes come
 * from wri_node(), which fills the header, and are closed by wri_done(), which sets the span's end
 * and the height.
 */
#ifndef WR_SQL_SQL_INT_H
#define WR_SQL_SQL_INT_H

#include "sql/lex_int.h"
#include "sql/tree_int.h"

/* What the parser expects at a place, for hints: a keyword, a token, or one of these. */
typedef enum wri_want {
    WRI_WANT_EXPR = 2000,
    WRI_WANT_NAME,
    WRI_WANT_STRING,
    WRI_WANT_INTEGER,
    WRI_WANT_TYPE,
    WRI_WANT_QUERY,
    WRI_WANT_TABLE,
    WRI_WANT_LITERAL,
    WRI_WANT_UNIT,
    WRI_WANT_STATEMENT,
    WRI_WANT_TOKEN, /* + wri_token_kind */
} wri_want;
#define WRI_WANTS_MAX 96

/* ---- the parser ------------------------------------------------------------------------------ */
typedef struct wri_parser {
    wr_ctx *ctx;
    wr_arena *arena;
    wr_str text;       /* own copy, in the arena */
    uint32_t base;     /* added to token offsets to get spans */
    wri_token *tokens; /* ends with EOF */
    uint32_t *match;   /* of "(" tokens: the index of its ")", or 0; made when first needed */
    uint32_t token_count, at;
    bool failed;
    wr_status status;
    uint32_t depth;
    uint32_t param_count;
    uint32_t alias_at; /* token index of the last alias written without AS, + 1 */
    bool no_query;     /* a query in parentheses is no expression here (computed columns) */
    uint32_t want_at;  /* token that `want` is about */
    uint32_t want_count;
    uint16_t want[WRI_WANTS_MAX];
    WR_ALIGNED(16) unsigned char scratch[512]; /* what wri_node() gives after an error */
} wri_parser;

/* Looking at tokens */
WR_ALWAYS_INLINE const wri_token *
wri_tok(const wri_parser *p)
{
    return &p->tokens[p->at];
}
WR_ALWAYS_INLINE const wri_token *
wri_peek(const wri_parser *p, uint32_t n)
{
    uint32_t i = p->at + n;
    return &p->tokens[i < p->token_count ? i : p->token_count - 1];
}
WR_ALWAYS_INLINE bool
wri_at_word(const wri_parser *p, uint32_t n, wri_kw kw) /* no trace in the hint */
{
    return wri_peek(p, n)->kw == kw;
}
WR_ALWAYS_INLINE bool
wri_at_tok(const wri_parser *p, uint32_t n, wri_token_kind kind)
{
    return wri_peek(p, n)->kind == kind;
}
void wri_want_add(wri_parser *p, uint32_t what);
WR_ALWAYS_INLINE bool
wri_is_kw(wri_parser *p,
          wri_kw kw) /* is the current token this keyword? Remembered for the hint if not */
{
    if (wri_tok(p)->kw == kw) return true;
    wri_want_add(p, kw);
    return false;
}
WR_ALWAYS_INLINE bool
wri_is(wri_parser *p, wri_token_kind kind)
{
    if (wri_tok(p)->kind == kind) return true;
    wri_want_add(p, (uint32_t)WRI_WANT_TOKEN + (uint32_t)kind);
    return false;
}
WR_ALWAYS_INLINE void
wri_advance(wri_parser *p)
{
    if (p->at + 1 < p->token_count) p->at++;
}
WR_ALWAYS_INLINE bool
wri_accept_kw(wri_parser *p, wri_kw kw)
{
    if (!wri_is_kw(p, kw)) return false;
    wri_advance(p);
    return true;
}
WR_ALWAYS_INLINE bool
wri_accept(wri_parser *p, wri_token_kind kind)
{
    if (!wri_is(p, kind)) return false;
    wri_advance(p);
    return true;
}
bool wri_accept_kw2(wri_parser *p, wri_kw first, wri_kw second); /* both or none */
bool wri_expect_kw(wri_parser *p, wri_kw kw);
bool wri_expect(wri_parser *p, wri_token_kind kind);
bool wri_accept_if_exists(wri_parser *p);
bool wri_accept_if_not_exists(wri_parser *p);

/* Errors. All return NULL, so that productions can `return wri_unexpected(p);`. */
void *wri_unexpected(
    wri_parser *p); /* at the current token: Flink's "Encountered ..." and what was expected */
void *wri_fail_at(wri_parser *p, wr_span span, const char *fmt, ...) WR_PRINTF(3, 4);
/* Flink's wording where it looks two tokens ahead: "Encountered "= FROM"" at the token `back`
 * before the current one; or "Incorrect syntax near the keyword" when that is a keyword in upper
 * case and `keyword` is set. */
void *wri_unexpected_pair(wri_parser *p, uint32_t back, bool keyword);
void *wri_not_a_query(
    wri_parser *p); /* where a query must be: an expression is, or nothing of the kind */
bool wri_starts_expr(const wri_parser *p, uint32_t n); /* by its first token */
void *wri_nomem(wri_parser *p);
void *wri_too_deep(wri_parser *p);
#define WRI_HINT(p, ...) wr_hint((p)->ctx, __VA_ARGS__)
/* Nesting: every production that can contain itself begins and ends with these. */
WR_ALWAYS_INLINE bool
wri_enter(wri_parser *p)
{
    if (p->depth < WR_SQL_DEPTH_MAX) {
        p->depth++;
        return true;
    }
    (void)wri_too_deep(p);
    return false;
}
WR_ALWAYS_INLINE void
wri_leave(wri_parser *p)
{
    p->depth--;
}

/* Nodes */
uint32_t wri_start_of(const wri_parser *p,
                      const void *node); /* where it starts; node may be NULL */
wr_span wri_token_span(const wri_parser *p, const wri_token *t);
uint32_t wri_start(const wri_parser *p);    /* offset of the current token */
uint32_t wri_prev_end(const wri_parser *p); /* end of the last token consumed */
void *wri_node(wri_parser *p, wr_ast_kind kind,
               uint32_t start);            /* zeroed; never NULL, even after an error */
void *wri_done(wri_parser *p, void *node); /* NULL after an error; sets span.end and height */
bool wri_push(wri_parser *p, wr_ast_list *list, uint32_t *cap,
              void *item); /* false after an error */

/* Names and literals (parse_name.c) */
bool wri_is_name(const wri_parser *p, uint32_t n); /* can token n be an identifier? */
wr_ast_part wri_part(wri_parser *p);               /* one simple identifier */
bool wri_name_after_dot(wri_parser *p);            /* else raises at the dot before */
wr_ast_ident *wri_ident(wri_parser *p);            /* a, a.b.c */
wr_ast_ident *wri_ident_simple(wri_parser *p);     /* one part */
wr_ast_ident *wri_keyword_name(wri_parser *p);    /* the word at hand, reserved or not, as a name */
bool wri_parts(wri_parser *p, wr_ast_parts *out); /* (a, b, ...) */
bool wri_part_list(wri_parser *p, wr_ast_parts *out); /* a, b, ... */
bool wri_ident_list(wri_parser *p, wr_ast_list *out); /* (a, b.c, ...) */
bool wri_is_string(const wri_parser *p, uint32_t n);
wr_ast *wri_string(wri_parser *p); /* LITERAL STRING, concatenation over lines included */
wr_ast *wri_number(wri_parser *p); /* unsigned number literal */
wr_ast *wri_integer(wri_parser *p);
bool wri_int32(wri_parser *p, int32_t *out); /* a plain number in a type or an interval */
wr_ast *wri_interval_literal(wri_parser *p); /* INTERVAL 'x' DAY only */
bool wri_is_literal(const wri_parser *p,
                    uint32_t n);    /* may a literal without sign start at token n? */
wr_ast *wri_literal(wri_parser *p); /* one, without sign */
wr_ast *wri_signed_literal(wri_parser *p);
wr_ast *wri_symbol(wri_parser *p, uint32_t start, wr_str text, wr_sql_unit unit);
wr_str wri_text_of(const wri_parser *p, const wri_token *t);
wr_str wri_upper(wri_parser *p, wr_str s);
bool wri_decode_string(wri_parser *p, const wri_token *t, wr_str *text, wr_str *charset);
bool wri_options(wri_parser *p, wr_ast_list *out); /* ('k' = 'v', ...), maybe empty */
bool wri_keys(wri_parser *p, wr_ast_list *out);    /* ('k', ...), maybe empty */
wr_ast_partition *wri_partition(wri_parser *p,
                                bool values_needed); /* (k = v, ...) behind PARTITION */

/* Expressions (parse_expr.c, parse_primary.c, parse_call.c, parse_json.c) */
wr_ast *wri_expr(wri_parser *p);
wr_ast *wri_expr_prec(wri_parser *p, uint32_t power, bool stop_at_and);
wr_ast *wri_primary(wri_parser *p);
wr_ast *wri_postfix(wri_parser *p, wr_ast *node);
bool wri_expr_list(wri_parser *p, wr_ast_list *out); /* a, b, ... */
/* The same without sub-queries: what rows are partitioned by. */
bool wri_plain_list(wri_parser *p, wr_ast_list *out);
wr_ast *wri_paren(wri_parser *p); /* (expr), (a, b), (query), (a - b) DAY */
wr_ast *wri_path(wri_parser *p);  /* a name in an expression: a.b, a.*, f(x), `f`(x) */
bool wri_query_or_list(wri_parser *p, wr_ast **query,
                       wr_ast_list *list);           /* behind IN, ANY, ...: ( ... ) */
wr_ast *wri_call(wri_parser *p, wr_ast_ident *name); /* at "(" */
wr_ast *
wri_call_special(wri_parser *p); /* at a keyword with a form of its own; NULL without error: none */
wr_ast *wri_call_suffix(wri_parser *p, wr_ast_call *call);
wr_ast *wri_json_call(wri_parser *p, wri_kw which);
wr_ast *wri_argument(wri_parser *p);
wr_ast *wri_interval(wri_parser *p);
bool wri_interval_qual(wri_parser *p, wr_ast_interval *out);
bool wri_is_interval_unit(const wri_parser *p, uint32_t n);
wr_ast_call *wri_call_node(wri_parser *p, uint32_t start, wr_sql_call_syntax syntax);
wr_ast_window *wri_window_spec(wri_parser *p); /* ( ... ) */

/* Types, queries, FROM */
bool wri_is_type_word(const wri_parser *p, uint32_t n);  /* does token n begin a built-in type? */
wr_ast_type *wri_type(wri_parser *p, bool with_null);    /* with_null: [NOT] NULL may follow */
bool wri_is_query_word(const wri_parser *p, uint32_t n); /* SELECT, VALUES, WITH, TABLE */
bool wri_is_query_start(wri_parser *p, uint32_t n);      /* one of these, or ( of a query */
wr_ast *wri_query(wri_parser *p);
bool
wri_paren_is_query(wri_parser *p,
                   uint32_t n); /* token n is "(": is what it holds a query, not an expression? */
wr_ast *wri_query_in_parens(wri_parser *p);         /* ( query ) */
bool wri_order_by(wri_parser *p, wr_ast_list *out); /* behind ORDER */
bool wri_hints(wri_parser *p, wr_ast_list *out);    /* at the mark, or nothing */
wr_ast *wri_values(wri_parser *p);
wr_ast *wri_from(wri_parser *p); /* behind FROM */
wr_ast *wri_table_factor(wri_parser *p);
wr_ast *wri_match(wri_parser *p, wr_ast *input, uint32_t start);
bool wri_alias(wri_parser *p, wr_ast_as *out);
wr_ast_table_ref *wri_target(wri_parser *p,
                             bool with_alias); /* table of INSERT, DELETE, UPDATE, MERGE */

/* Statements */
wr_ast *wri_statement(wri_parser *p);
wr_ast *wri_create(wri_parser *p);
wr_ast *wri_create_savepoint(wri_parser *p); /* at CREATE SAVEPOINT */
wr_ast *wri_create_table(wri_parser *p, uint32_t start, bool or_replace, bool temporary);
wr_ast *wri_create_materialized(wri_parser *p, uint32_t start, bool or_alter);
wr_ast *wri_replace_table(wri_parser *p);
typedef struct wri_elements { /* the parenthesised part of CREATE TABLE and ALTER TABLE ADD/MODIFY
                               */
    wr_ast_list columns, constraints;
    wr_ast_watermark *watermark;
    uint32_t column_cap, constraint_cap;
    bool alter; /* FIRST | AFTER allowed */
    bool typed; /* bare names not allowed */
} wri_elements;
bool wri_table_element(wri_parser *p, wri_elements *out);
wr_ast_distribution *wri_distribution(wri_parser *p);      /* behind DISTRIBUTED / DISTRIBUTION */
bool wri_refresh_mode(wri_parser *p, wr_sql_refresh *out); /* behind REFRESH_MODE */
wr_ast *wri_freshness(wri_parser *p);                      /* behind FRESHNESS */
wr_ast *wri_as_query(wri_parser *p);                       /* AS query */
wr_ast *wri_comment(wri_parser *p); /* [COMMENT 'x']; NULL without error: none */
wr_str wri_language(wri_parser *p); /* [LANGUAGE x] */
wr_ast *wri_alter(wri_parser *p);
wr_ast *wri_drop(wri_parser *p);
wr_ast *wri_dml(wri_parser *p);
wr_ast *wri_insert(wri_parser *p);
wr_ast *wri_statement_set(wri_parser *p);
wr_ast *wri_execute(wri_parser *p);
wr_ast *wri_compile(wri_parser *p);
wr_ast *wri_explain(wri_parser *p);
wr_ast *wri_session(wri_parser *p); /* NULL without error: not one of these */
wr_ast *wri_show(wri_parser *p);
wr_ast *wri_describe(wri_parser *p);

#endif
