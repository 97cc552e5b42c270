/* SPDX-License-Identifier: Apache-2.0 */
/* Scripts: where one statement ends and the next begins; and tokens for highlighting. Both over the
 * lexer, so strings, names, comments and hints are what the parser takes them for.
 *
 * A statement set, [EXECUTE | EXPLAIN ... | COMPILE ... FOR] STATEMENT SET BEGIN ... END, is one
 * statement: the semicolons before its END do not split. The old BEGIN STATEMENT SET; ...; END; are
 * statements of their own, as in Flink's client.
 */
#include "sql/lex_int.h"

typedef struct splitter {
    uint16_t
        last[2]; /* the two keywords before this token: STATEMENT SET, then BEGIN opens a set */
    bool in_set, after_semicolon;
} splitter;

/* Look at a token of a statement; true: it is a `;` that ends the statement. */
static bool
ends_here(splitter *s, const wri_token *t)
{
    bool ends = t->kind == WRI_T_SEMICOLON && !s->in_set;
    if (s->last[1] == WRI_KW_STATEMENT && s->last[0] == WRI_KW_SET && t->kw == WRI_KW_BEGIN)
        s->in_set = true;
    if (s->in_set && t->kw == WRI_KW_END && (s->after_semicolon || s->last[0] == WRI_KW_BEGIN))
        s->in_set = false;
    s->after_semicolon = t->kind == WRI_T_SEMICOLON;
    s->last[1] = s->last[0];
    s->last[0] = t->kw;
    return ends;
}

static wr_sql_split_open
open_kind(const wri_token *t, bool in_set, bool in_hint)
{
    switch ((unsigned)t->kind) {
    case WRI_T_BAD_STRING:
        return WR_SQL_OPEN_STRING;
    case WRI_T_BAD_QUOTED:
        return WR_SQL_OPEN_IDENT;
    case WRI_T_BAD_COMMENT:
        return WR_SQL_OPEN_COMMENT;
    default:
        return in_hint ? WR_SQL_OPEN_COMMENT : in_set ? WR_SQL_OPEN_SET : WR_SQL_OPEN_STATEMENT;
    }
}

wr_sql_split_result
wr_sql_split(wr_str text, size_t *pos, wr_span *stmt, wr_sql_split_open *open)
{
    wri_lexer lexer = {.text = text, .pos = *pos};
    splitter s = {0};
    bool begun = false;
    wr_sql_split_open why = WR_SQL_OPEN_STATEMENT;
    for (;;) {
        wri_token t = wri_lex(&lexer);
        if (t.kind == WRI_T_COMMENT) continue;
        if (t.kind == WRI_T_EOF) break;
        if (t.kind == WRI_T_SEMICOLON && !begun) continue; /* stray */
        bool first = !begun;
        if (first) *stmt = (wr_span){t.start, t.end};
        begun = true;
        if (ends_here(&s, &t)) {
            *pos = t.end;
            return WR_SQL_SPLIT_STATEMENT;
        }
        if (t.kind == WRI_T_BAD_COMMENT && first) { /* nothing but an open comment */
            why = WR_SQL_OPEN_COMMENT;
            break;
        }
        stmt->end = t.end;
        why = open_kind(&t, s.in_set, lexer.in_hint);
        if (t.kind == WRI_T_BAD_QUOTED && t.end < text.len)
            why = WR_SQL_OPEN_STATEMENT; /* broken by a line end */
    }
    *pos = text.len;
    if (open) *open = why;
    if (!begun) *stmt = (wr_span){(uint32_t)text.len, (uint32_t)text.len};
    return begun ? WR_SQL_SPLIT_INCOMPLETE : WR_SQL_SPLIT_END;
}

/* ---- highlighting ---------------------------------------------------------------------------- */
static wr_sql_token_kind
word_class(wr_str text, const wri_token *t)
{
    const wri_kw_info *kw = wri_kw_get((wri_kw)t->kw);
    if (kw->reserved) return WR_SQL_TOKEN_KEYWORD;
    if (t->kw == WRI_KW_none) return WR_SQL_TOKEN_NAME;
    /* Words that are no keyword where anything may stand are taken for one when written in upper
     * case. */
    for (uint32_t i = t->start; i < t->end; i++)
        if (text.ptr[i] >= 'a' && text.ptr[i] <= 'z') return WR_SQL_TOKEN_NAME;
    return WR_SQL_TOKEN_KEYWORD;
}

static wr_sql_token_kind
class_of(wr_str text, const wri_token *t)
{
    switch ((unsigned)t->kind) {
    case WRI_T_WORD:
        return word_class(text, t);
    case WRI_T_QUOTED:
    case WRI_T_UNICODE_NAME:
        return WR_SQL_TOKEN_QUOTED;
    case WRI_T_INTEGER:
    case WRI_T_DECIMAL:
    case WRI_T_DOUBLE:
        return WR_SQL_TOKEN_NUMBER;
    case WRI_T_STRING:
    case WRI_T_CHARSET_STRING:
    case WRI_T_UNICODE_STRING:
    case WRI_T_ESCAPE_STRING:
    case WRI_T_BINARY:
        return WR_SQL_TOKEN_STRING;
    case WRI_T_COMMENT:
        return WR_SQL_TOKEN_COMMENT;
    case WRI_T_HINT_OPEN:
    case WRI_T_HINT_CLOSE:
        return WR_SQL_TOKEN_HINT;
    case WRI_T_BANG_EQ:
    case WRI_T_BAD_CHAR:
    case WRI_T_BAD_STRING:
    case WRI_T_BAD_QUOTED:
    case WRI_T_BAD_COMMENT:
        return WR_SQL_TOKEN_BAD;
    case WRI_T_LPAREN:
    case WRI_T_RPAREN:
    case WRI_T_LBRACKET:
    case WRI_T_RBRACKET:
    case WRI_T_LBRACE:
    case WRI_T_RBRACE:
    case WRI_T_COMMA:
    case WRI_T_SEMICOLON:
    case WRI_T_DOT:
        return WR_SQL_TOKEN_PUNCTUATION;
    default:
        return WR_SQL_TOKEN_OPERATOR;
    }
}

bool
wr_sql_token_classes(wr_str text, size_t *pos, wr_sql_token_class *out)
{
    wri_lexer lexer = {.text = text, .pos = *pos, .in_hint = true};
    wri_token t = wri_lex(&lexer);
    *pos = lexer.pos;
    if (t.kind == WRI_T_EOF) return false;
    out->what = class_of(text, &t);
    out->span = (wr_span){t.start, t.end};
    return true;
}
