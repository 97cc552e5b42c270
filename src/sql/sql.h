/* SPDX-License-Identifier: Apache-2.0 */
/* The SQL front end: text to syntax tree and back. Knows no catalog and no function: every name is
 * just a name.
 *
 * Grammar and lexical rules are Flink's: docs/grammar.ebnf. The tree: sql/ast.h. The parser is
 * hand-written (recursive descent, Pratt for expressions); one statement at a time. After its first
 * error it stops: one error a statement. Threads: everything here is pure; distinct arenas may be
 * used by distinct threads.
 */
#ifndef WR_SQL_SQL_H
#define WR_SQL_SQL_H

#include "base/base.h"
#include "mem/mem.h"
#include "sql/ast.h"

/* ---- parsing --------------------------------------------------------------------------------- */
/* Parse exactly one statement; one trailing `;` and comments around it are fine. Empty text is
 * WR_SYNTAX. Spans count bytes from ctx->sql.ptr when `text` lies inside ctx->sql (a statement of a
 * script), else from text.ptr (set ctx->sql = text then, so that messages show the right line).
 * Nothing of `text` is borrowed after the return. Errors: WR_SYNTAX with Flink's "SQL parse failed.
 * ..." sentence and a span; WR_LIMIT; WR_NOMEM. */
wr_status wr_sql_parse(wr_ctx *ctx, wr_str text, wr_arena *arena, wr_ast **out) WR_MUST_USE;
/* The same for a lone expression, data type or (possibly qualified) object name. */
wr_status wr_sql_parse_expr(wr_ctx *ctx, wr_str text, wr_arena *arena, wr_ast **out) WR_MUST_USE;
wr_status wr_sql_parse_type(wr_ctx *ctx, wr_str text, wr_arena *arena,
                            wr_ast_type **out) WR_MUST_USE;
wr_status wr_sql_parse_name(wr_ctx *ctx, wr_str text, wr_arena *arena,
                            wr_ast_ident **out) WR_MUST_USE;

/* ---- scripts --------------------------------------------------------------------------------- */
typedef enum wr_sql_split_result {
    WR_SQL_SPLIT_STATEMENT,  /* *stmt is a statement ended by `;` (the `;` not included) */
    WR_SQL_SPLIT_INCOMPLETE, /* *stmt is the unfinished rest: no `;`, or inside a string, comment or
                                statement set */
    WR_SQL_SPLIT_END,        /* nothing but blanks, comments and stray `;` is left */
} wr_sql_split_result;
typedef enum wr_sql_split_open { /* why it is incomplete */
                                 WR_SQL_OPEN_STATEMENT,
                                 WR_SQL_OPEN_STRING,
                                 WR_SQL_OPEN_IDENT,   /* inside back-ticks */
                                 WR_SQL_OPEN_COMMENT, /* inside a block comment or hint */
                                 WR_SQL_OPEN_SET,     /* between BEGIN and END of a statement set */
} wr_sql_split_open;
/* Find the next statement of `text` at or after *pos and move *pos behind its `;`. stmt: byte
 * offsets into `text`, from the statement's first token to its last (comments around it left out).
 * `open` may be NULL. At the end of a script an INCOMPLETE statement with WR_SQL_OPEN_STATEMENT is
 * a statement like any other. No allocation, no error. */
wr_sql_split_result wr_sql_split(wr_str text, size_t *pos, wr_span *stmt, wr_sql_split_open *open);

/* ---- tokens for highlighting and completion -------------------------------------------------- */
typedef enum wr_sql_token_kind {
    WR_SQL_TOKEN_KEYWORD, /* reserved, or non-reserved used where it stands */
    WR_SQL_TOKEN_NAME,    /* plain identifier */
    WR_SQL_TOKEN_QUOTED,  /* `identifier` */
    WR_SQL_TOKEN_STRING,
    WR_SQL_TOKEN_NUMBER,
    WR_SQL_TOKEN_COMMENT,
    WR_SQL_TOKEN_HINT, /* the marks of a hint, and what is between as usual tokens */
    WR_SQL_TOKEN_OPERATOR,
    WR_SQL_TOKEN_PUNCTUATION, /* ( ) [ ] { } , ; . */
    WR_SQL_TOKEN_BAD,         /* a character that starts nothing, an unfinished string or comment */
} wr_sql_token_kind;
typedef struct wr_sql_token_class {
    wr_sql_token_kind what;
    wr_span span;
} wr_sql_token_class;
/* The next token at or after *pos (blanks skipped), comments included; false at the end. Never
 * fails: bad text is BAD. */
bool wr_sql_token_classes(wr_str text, size_t *pos, wr_sql_token_class *out);

/* ---- keywords -------------------------------------------------------------------------------- */
bool wr_sql_is_keyword(wr_str word);   /* reserved or not; any case */
bool wr_sql_is_reserved(wr_str word);  /* must be quoted to be an identifier */
bool wr_sql_needs_quotes(wr_str name); /* reserved, or not of the form of a plain identifier */
uint32_t wr_sql_keyword_count(void);
const char *wr_sql_keyword(uint32_t index,
                           bool *reserved_out); /* sorted; upper case; reserved_out may be NULL */
/* Keywords that start with `prefix` (any case): the first index into the above and how many. For
 * completion. */
uint32_t wr_sql_keyword_range(wr_str prefix, uint32_t *first_out);

/* ---- printing: canonical SQL as Flink writes it (back-ticks, upper-case keywords) ------------ */
/* Parsing what is printed gives an equal tree. Check text->failed afterwards. */
void wr_sql_print(const wr_ast *node, wr_text *text); /* any node; statements over several lines */
void wr_sql_expr_print(
    const wr_ast *node,
    wr_text *text); /* an expression in one line, as in DESCRIBE; for wr_sql_parse_expr() */
void wr_sql_type_print(const wr_ast_type *type, wr_text *text);
void wr_sql_ident_print(wr_str name, wr_text *text); /* `name`, back-ticks doubled */
void wr_sql_string_print(wr_str value,
                         wr_text *text); /* 'value', quotes doubled; U&'..' when needed */

/* ---- trees ----------------------------------------------------------------------------------- */
const char *wr_ast_kind_name(wr_ast_kind kind);
/* Same structure and names. Ignores spans, whether a name was quoted, and the case of function
 * names and keywords. */
bool wr_ast_equal(const wr_ast *a, const wr_ast *b);
uint64_t wr_ast_hash(const wr_ast *node); /* equal trees have equal hashes */
/* The name of a call without parentheses (CURRENT_DATE, PI), which also names its column; empty for
 * any other node. Borrowed from the tree. */
wr_str wr_ast_bare_call(const wr_ast *node);
/* Call `visit` for node and everything below it, parents first, in the order of the text where
 * fields allow. Returning false skips what is below that node. */
typedef bool (*wr_ast_visit_fn)(void *arg, const wr_ast *node);
void wr_ast_walk(const wr_ast *node, wr_ast_visit_fn visit, void *arg);
/* Deep copy into another arena; NULL when out of memory. */
wr_ast *wr_ast_copy(const wr_ast *node, wr_arena *arena) WR_MUST_USE;

#endif
