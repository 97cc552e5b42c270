/* SPDX-License-Identifier: Apache-2.0 */
/* What the parser says when it does not understand: Flink's sentence, where, what was expected,
 * what was meant. */
#include <stdio.h>

#include "sql/sql_int.h"

#define NEAR_KEYWORD                                                                               \
    "SQL parse failed. Incorrect syntax near the keyword '%s' at line %u, column %u."
#define LISTED_MAX 10 /* expected things named in a hint */

void
wri_want_add(wri_parser *p, uint32_t what)
{
    if (p->want_at != p->at) {
        p->want_at = p->at;
        p->want_count = 0;
    }
    if (p->want_count < WRI_WANTS_MAX) p->want[p->want_count++] = (uint16_t)what;
}

/* After an error the parser sees nothing but the end of the text. */
static void
give_up(wri_parser *p, wr_status status)
{
    if (!p->failed) p->status = status;
    p->failed = true;
    if (p->token_count > 0) p->at = p->token_count - 1;
}

void *
wri_nomem(wri_parser *p)
{
    if (!p->failed) give_up(p, wr_raise(p->ctx, WR_NOMEM, "out of memory"));
    return NULL;
}

void *
wri_too_deep(wri_parser *p)
{
    if (!p->failed) {
        wr_span span = wri_token_span(p, wri_tok(p));
        give_up(p,
                wr_raise_at(p->ctx, WR_LIMIT, span,
                            "the statement is nested more than %u levels deep", WR_SQL_DEPTH_MAX));
        WRI_HINT(p, "split it into views, or write a long chain of operators with parentheses that "
                    "halve it");
    }
    return NULL;
}

void *
wri_fail_at(wri_parser *p, wr_span span, const char *fmt, ...)
{
    if (p->failed) return NULL;
    char message[512];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    give_up(p, wr_raise_at(p->ctx, WR_SYNTAX, span, "%s", message));
    return NULL;
}

/* ---- names of what is wanted ----------------------------------------------------------------- */
static wr_str
want_name(uint32_t what)
{
    static const char *const names[] = {
        [WRI_WANT_EXPR - WRI_WANT_EXPR] = "an expression",
        [WRI_WANT_NAME - WRI_WANT_EXPR] = "a name",
        [WRI_WANT_STRING - WRI_WANT_EXPR] = "a string literal",
        [WRI_WANT_INTEGER - WRI_WANT_EXPR] = "a whole number",
        [WRI_WANT_TYPE - WRI_WANT_EXPR] = "a data type",
        [WRI_WANT_QUERY - WRI_WANT_EXPR] = "a query",
        [WRI_WANT_TABLE - WRI_WANT_EXPR] = "a table",
        [WRI_WANT_LITERAL - WRI_WANT_EXPR] = "a literal",
        [WRI_WANT_UNIT - WRI_WANT_EXPR] = "a time unit",
        [WRI_WANT_STATEMENT - WRI_WANT_EXPR] = "a statement",
    };
    static const char *const tokens[WRI_T_COUNT] = {
#define X(name, text) text,
        WRI_TOKEN_MAP(X)
#undef X
    };
    if (what >= WRI_WANT_TOKEN) {
        uint32_t kind = what - WRI_WANT_TOKEN;
        return wr_str_c(kind == WRI_T_EOF ? "end of statement" : tokens[kind]);
    }
    if (what >= WRI_WANT_EXPR) return wr_str_c(names[what - WRI_WANT_EXPR]);
    return wr_str_c(wri_kw_get((wri_kw)what)->name);
}

static bool
wanted_before(const wri_parser *p, uint32_t i)
{
    for (uint32_t j = 0; j < i; j++)
        if (p->want[j] == p->want[i]) return true;
    return false;
}

static void
hint_wanted(wri_parser *p)
{
    char text[WR_ERR_HINT_MAX];
    size_t len = 0;
    uint32_t listed = 0;
    if (p->want_at != p->at) p->want_count = 0;
    for (uint32_t i = 0; i < p->want_count; i++) {
        if (wanted_before(p, i)) continue;
        wr_str name = want_name(p->want[i]);
        if (listed++ == LISTED_MAX || len + name.len + 8 > sizeof text) {
            memcpy(text + len, ", ...", 5);
            len += 5;
            break;
        }
        if (len > 0) memcpy(text + len, ", ", 2), len += 2;
        memcpy(text + len, name.ptr, name.len);
        len += name.len;
    }
    if (len > 0)
        WRI_HINT(p, listed == 1 ? "expected %.*s" : "expected one of: %.*s", (int)len, text);
}

/* Words that may follow a table, a select item or a condition, for an alias that was meant as one
 * of them. */
static const wri_kw clause_words[] = {
    WRI_KW_FROM,  WRI_KW_WHERE,  WRI_KW_GROUP, WRI_KW_HAVING,    WRI_KW_ORDER,   WRI_KW_LIMIT,
    WRI_KW_JOIN,  WRI_KW_LEFT,   WRI_KW_RIGHT, WRI_KW_FULL,      WRI_KW_INNER,   WRI_KW_CROSS,
    WRI_KW_UNION, WRI_KW_EXCEPT, WRI_KW_ON,    WRI_KW_INTERSECT, WRI_KW_QUALIFY, WRI_KW_WINDOW,
    WRI_KW_AS,    WRI_KW_FETCH,  WRI_KW_USING, WRI_KW_OFFSET,    WRI_KW_NATURAL, WRI_KW_AND,
};

static void
add_candidates(wri_parser *p, uint32_t at)
{
    const wri_token *t = &p->tokens[at];
    if (t->kind == WRI_T_WORD) {
        wr_str word = wri_upper(p, wri_text_of(p, t));
        for (uint32_t i = 0; word.ptr && p->want_at == at && i < p->want_count; i++)
            if (p->want[i] < WRI_WANT_EXPR) wr_candidate(p->ctx, word, want_name(p->want[i]));
    }
    if (at > 0 && p->alias_at == at) { /* the token before was taken for an alias */
        wr_str word = wri_upper(p, wri_text_of(p, &p->tokens[at - 1]));
        for (uint32_t i = 0; word.ptr && i < WR_COUNT(clause_words); i++)
            wr_candidate(p->ctx, word, wr_str_c(wri_kw_get(clause_words[i])->name));
    }
}

/* ---- unexpected tokens ----------------------------------------------------------------------- */
/* Line and column, from 1, of an offset in the parser's own text; columns count characters. */
static wr_linecol
place(const wri_parser *p, uint32_t offset)
{
    return wr_linecol_of(p->text, offset);
}

static bool
wants(const wri_parser *p, uint32_t what)
{
    for (uint32_t i = 0; p->want_at == p->at && i < p->want_count; i++)
        if (p->want[i] == what) return true;
    return false;
}

/* Is an identifier among what was expected? Flink words its message by that. */
static bool
wants_name(const wri_parser *p)
{
    return wants(p, WRI_WANT_NAME) || wants(p, WRI_WANT_EXPR) || wants(p, WRI_WANT_TABLE) ||
           wants(p, WRI_WANT_STATEMENT) || wants(p, WRI_WANT_TYPE);
}

static void *
unexpected_end(wri_parser *p)
{
    uint32_t len = (uint32_t)p->text.len;
    wr_linecol lc = place(p, len > 0 ? len - 1 : 0);
    wr_span span = {p->base + len, p->base + len};
    uint32_t line = len > 0 ? lc.line : 0, col = len > 0 ? lc.col : 0;
    wr_status status = wr_raise_at(p->ctx, WR_SYNTAX, span,
                                   "Encountered \"<EOF>\" at line %u, column %u.", line, col);
    hint_wanted(p);
    add_candidates(p, p->at);
    give_up(p, status);
    return NULL;
}

/* A token that the lexer could not finish or begin. */
static void *
lexical(wri_parser *p, const wri_token *t)
{
    wr_str image = wri_text_of(p, t);
    if (t->kind == WRI_T_BAD_STRING) {
        wr_linecol lc = place(p, t->start);
        (void)wri_fail_at(p, wri_token_span(p, t),
                          "SQL parse failed. Encountered \"\\'\" at line %u, column %u.", lc.line,
                          lc.col);
        WRI_HINT(p, "the string literal that starts here has no closing quote");
        return NULL;
    }
    if (t->kind == WRI_T_BAD_CHAR) {
        wr_linecol lc = place(p, t->start);
        const char *c = image.ptr;
        uint32_t cp = wr_utf8_next(&c, image.ptr + image.len);
        if (cp == '"') {
            (void)wri_fail_at(p, wri_token_span(p, t),
                              "SQL parse failed. Encountered \"\\\"\" at line %u, column %u.",
                              lc.line, lc.col);
            WRI_HINT(p, "write strings in single quotes and names in back-ticks");
            return NULL;
        }
        bool printable = cp >= 0x20 && cp != 0x7f && wr_utf8_valid(image.ptr, image.len);
        (void)wri_fail_at(p, wri_token_span(p, t),
                          "SQL parse failed. Lexical error at line %u, column %u.  Encountered: "
                          "\"%.*s\" (%u), after : \"\"",
                          lc.line, lc.col, WR_STR_ARG(printable ? image : WR_STR("?")), cp);
        if (cp == 0xa0 || cp == 0x3000 || (cp >= 0x2000 && cp <= 0x200f))
            WRI_HINT(p, "this is not an ordinary blank but U+%04X", cp);
        if (cp == 0x2018 || cp == 0x2019 || cp == 0x201c || cp == 0x201d)
            WRI_HINT(p, "this is a typographic quote: use ' or `");
        return NULL;
    }
    wr_linecol lc = place(p, t->end);
    wr_str shown = {image.ptr, t->kind == WRI_T_BAD_COMMENT || image.len == 1
                                   ? 0
                                   : WR_MIN(image.len, (size_t)64)};
    char found[24] = "<EOF>";
    if (t->end < p->text.len)
        (void)snprintf(found, sizeof found, "\"\\n\" (%d),", p->text.ptr[t->end]);
    (void)wri_fail_at(
        p, wri_token_span(p, t),
        "SQL parse failed. Lexical error at line %u, column %u.  Encountered: %s after : \"%.*s\"",
        lc.line, lc.col, found, WR_STR_ARG(shown));
    if (t->kind == WRI_T_BAD_COMMENT)
        WRI_HINT(p, "the comment that starts here has no end");
    else
        WRI_HINT(p,
                 "the name in back-ticks that starts here has no closing back-tick, or is empty");
    return NULL;
}

static void *
bang_equal(wri_parser *p, const wri_token *t)
{
    (void)wri_fail_at(
        p, wri_token_span(p, t),
        "SQL parse failed. Bang equal '!=' is not allowed under the current SQL conformance level");
    WRI_HINT(p, "write <>");
    return NULL;
}

/* The token as Flink shows it: quotes and backslashes escaped, not too long. */
static wr_str
shown_token(const wri_parser *p, const wri_token *t, char *out, size_t size)
{
    wr_str image = wri_text_of(p, t);
    size_t len = 0;
    for (size_t i = 0; i < image.len; i++) {
        char c = image.ptr[i];
        const char *escape = c == '\''   ? "\\'"
                             : c == '"'  ? "\\\""
                             : c == '\\' ? "\\\\"
                             : c == '\n' ? "\\n"
                             : c == '\r' ? "\\r"
                             : c == '\t' ? "\\t"
                                         : NULL;
        if (len + 8 > size) {
            memcpy(out + len, "...", 3);
            len += 3;
            break;
        }
        if (escape) {
            memcpy(out + len, escape, 2);
            len += 2;
        } else {
            out[len++] = c;
        }
    }
    return (wr_str){out, len};
}

/* A reserved word where a name could be, or else what was expected */
static void
hint_token(wri_parser *p, const wri_token *t)
{
    const wri_kw_info *kw = wri_kw_get((wri_kw)t->kw);
    if (t->kind == WRI_T_BAD_STRING)
        WRI_HINT(p, "the string literal that starts here has no closing quote");
    else if (p->at > 0 && t->kw == WRI_KW_FOR && wri_at_word(p, 1, WRI_KW_SYSTEM_TIME))
        WRI_HINT(p, "the alias stands behind: t FOR SYSTEM_TIME AS OF ... AS %.*s",
                 WR_STR_ARG(wri_text_of(p, &p->tokens[p->at - 1])));
    else if (t->kind == WRI_T_COLON && wri_at_tok(p, 1, WRI_T_COLON))
        WRI_HINT(p, "write CAST(... AS type)");
    else if (kw->reserved && wants(p, WRI_WANT_NAME))
        WRI_HINT(p, "%s is a reserved word: as a name, quote it with back-ticks: `%.*s`", kw->name,
                 WR_STR_ARG(wri_text_of(p, t)));
    else
        hint_wanted(p);
}

void *
wri_unexpected_pair(wri_parser *p, uint32_t back, bool keyword)
{
    if (p->failed) return NULL;
    const wri_token *t = wri_tok(p), *first = &p->tokens[p->at - back];
    if (t->kind >= WRI_T_BAD_CHAR && t->kind != WRI_T_BAD_STRING) return lexical(p, t);
    const wri_kw_info *kw = wri_kw_get((wri_kw)first->kw);
    wr_linecol lc = place(p, first->start);
    wr_status status;
    if (keyword && kw->reserved && wr_str_eq(wri_text_of(p, first), (wr_str){kw->name, kw->len})) {
        status = wr_raise_at(p->ctx, WR_SYNTAX, wri_token_span(p, first), NEAR_KEYWORD, kw->name,
                             lc.line, lc.col);
    } else {
        char one[128], two[128];
        wr_str a = shown_token(p, first, one, sizeof one), b = shown_token(p, t, two, sizeof two);
        if (t->kind == WRI_T_EOF) b = WR_STR("<EOF>");
        if (t->kind == WRI_T_BAD_STRING) b = WR_STR("\\'");
        wr_span span = {p->base + first->start, p->base + t->end};
        status = wr_raise_at(p->ctx, WR_SYNTAX, span,
                             "SQL parse failed. Encountered \"%.*s %.*s\" at line %u, column %u.",
                             WR_STR_ARG(a), WR_STR_ARG(b), lc.line, lc.col);
    }
    hint_token(p, t);
    give_up(p, status);
    return NULL;
}

void *
wri_not_a_query(wri_parser *p)
{
    if (!wri_starts_expr(p, 0)) {
        wri_want_add(p, WRI_WANT_QUERY);
        wri_want_add(
            p,
            WRI_WANT_STATEMENT); /* for Flink's wording: its grammar allows any expression here */
        return wri_unexpected(p);
    }
    (void)wri_fail_at(p, wri_token_span(p, wri_tok(p)),
                      "SQL parse failed. Non-query expression encountered in illegal context");
    WRI_HINT(p, "a query is expected here: SELECT, VALUES, TABLE or WITH");
    return NULL;
}

void *
wri_unexpected(wri_parser *p)
{
    if (p->failed) return NULL;
    const wri_token *t = wri_tok(p);
    if (t->kind == WRI_T_EOF) return unexpected_end(p);
    if (t->kind >= WRI_T_BAD_CHAR) return lexical(p, t);
    if (t->kind == WRI_T_BANG_EQ) return bang_equal(p, t);
    const wri_kw_info *kw = wri_kw_get((wri_kw)t->kw);
    bool keyword = kw->reserved && wr_str_eq(wri_text_of(p, t), (wr_str){kw->name, kw->len});
    wr_linecol lc = place(p, t->start);
    wr_status status;
    if (keyword && wants_name(p)) {
        status = wr_raise_at(
            p->ctx, WR_SYNTAX, wri_token_span(p, t),
            "SQL parse failed. Incorrect syntax near the keyword '%s' at line %u, column %u.",
            kw->name, lc.line, lc.col);
    } else {
        char shown[128];
        status = wr_raise_at(p->ctx, WR_SYNTAX, wri_token_span(p, t),
                             "SQL parse failed. Encountered \"%.*s\" at line %u, column %u.",
                             WR_STR_ARG(shown_token(p, t, shown, sizeof shown)), lc.line, lc.col);
    }
    hint_token(p, t);
    add_candidates(p, p->at);
    give_up(p, status);
    return NULL;
}
