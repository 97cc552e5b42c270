/* SPDX-License-Identifier: Apache-2.0 */
/* Keywords, tokens and the lexer. */
#ifndef WR_SQL_LEX_INT_H
#define WR_SQL_LEX_INT_H

#include "sql/sql.h"

/* ---- keywords -------------------------------------------------------------------------------- */
typedef enum wri_kw {
    WRI_KW_none,
#define X(name, reserved, use) WRI_KW_##name,
#include "sql/keywords.def"
    WRI_KW_count
} wri_kw;
typedef enum wri_kw_use { WRI_USE_WORD, WRI_USE_CALL, WRI_USE_BARE, WRI_USE_BOTH } wri_kw_use;
typedef struct wri_kw_info {
    const char *name;
    uint8_t len;
    bool reserved;
    wri_kw_use use;
} wri_kw_info;
const wri_kw_info *wri_kw_get(wri_kw kw);
wri_kw wri_kw_find(wr_str word);        /* any case; WRI_KW_none */
wr_sql_unit wri_unit_find(wr_str word); /* DAY, DAYS, SQL_TSI_DAY */

/* ---- tokens ---------------------------------------------------------------------------------- */
#define WRI_TOKEN_MAP(X)                                                                           \
    X(EOF, "<EOF>")                                                                                \
    X(WORD, "identifier") /* identifier or keyword */                                              \
    X(QUOTED, "identifier")                                                                        \
    X(UNICODE_NAME, "identifier") /* U&"name" */                                                   \
    X(INTEGER, "number")                                                                           \
    X(DECIMAL, "number")                                                                           \
    X(DOUBLE, "number")                                                                            \
    X(STRING, "string literal")                                                                    \
    X(CHARSET_STRING, "string literal") /* _utf8'x', N'x' */                                       \
    X(UNICODE_STRING, "string literal") /* U&'x' */                                                \
    X(ESCAPE_STRING, "string literal")  /* E'x' */                                                 \
    X(BINARY, "binary literal")                                                                    \
    X(LPAREN, "(")                                                                                 \
    X(RPAREN, ")")                                                                                 \
    X(LBRACKET, "[")                                                                               \
    X(RBRACKET, "]")                                                                               \
    X(LBRACE, "{")                                                                                 \
    X(RBRACE, "}")                                                                                 \
    X(COMMA, ",")                                                                                  \
    X(SEMICOLON, ";")                                                                              \
    X(DOT, ".")                                                                                    \
    X(DOTDOT, "..")                                                                                \
    X(EQ, "=")                                                                                     \
    X(NE, "<>")                                                                                    \
    X(BANG_EQ, "!=")                                                                               \
    X(LT, "<")                                                                                     \
    X(LE, "<=")                                                                                    \
    X(GT, ">")                                                                                     \
    X(GE, ">=")                                                                                    \
    X(PLUS, "+")                                                                                   \
    X(MINUS, "-")                                                                                  \
    X(STAR, "*")                                                                                   \
    X(SLASH, "/")                                                                                  \
    X(PERCENT, "%")                                                                                \
    X(CONCAT, "||")                                                                                \
    X(ARROW, "=>")                                                                                 \
    X(QUESTION, "?")                                                                               \
    X(COLON, ":")                                                                                  \
    X(BAR, "|")                                                                                    \
    X(CARET, "^")                                                                                  \
    X(DOLLAR, "$")                                                                                 \
    X(HINT_OPEN, "/*+")                                                                            \
    X(HINT_CLOSE, "*"                                                                              \
                  "/")                                                                             \
    X(COMMENT, "comment")     /* only from wri_lex(); the parser never sees it */                  \
    X(BAD_CHAR, "character")  /* starts no token */                                                \
    X(BAD_STRING, "'")        /* string without end */                                             \
    X(BAD_QUOTED, "`")        /* back-ticked name without end, empty, or over a line end */        \
    X(BAD_COMMENT, "comment") /* comment without end */
typedef enum wri_token_kind {
#define X(name, text) WRI_T_##name,
    WRI_TOKEN_MAP(X)
#undef X
        WRI_T_COUNT
} wri_token_kind;
typedef struct wri_token {
    uint8_t kind; /* wri_token_kind */
    uint16_t kw;  /* wri_kw of a WORD */
    uint32_t start, end;
} wri_token;

/* The lexer: a position in a text. `hints` counts open hint marks. */
typedef struct wri_lexer {
    wr_str text;
    size_t pos;
    bool in_hint;
} wri_lexer;
wri_token wri_lex(wri_lexer *lexer); /* blanks skipped, comments given; EOF for ever at the end */

#endif
