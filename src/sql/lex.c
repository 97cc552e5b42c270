/* SPDX-License-Identifier: Apache-2.0 */
/* The lexer. Flink's lexical rules: back-ticked identifiers, '' inside strings, _charset'..',
 * N'..', U&'..', E'..', X'..', comments in three forms (double minus, double slash, and blocks,
 * which do not nest), hint marks as tokens. Backslash is an ordinary character except in E'..'. It
 * never fails: what starts no token comes out as BAD_*.
 */
#include "sql/lex_int.h"

static int
at(const wri_lexer *x, size_t i)
{
    return i < x->text.len ? (int)(unsigned char)x->text.ptr[i] : -1;
}

static bool
is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool
is_ascii_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

/* Letters beyond ASCII: Flink's ranges (Java's old identifier ranges). */
static bool
is_wide_letter(uint32_t c)
{
    static const uint32_t ranges[][2] = {{0xc0, 0xd6},     {0xd8, 0xf6},     {0xf8, 0xff},
                                         {0x100, 0x1fff},  {0x3040, 0x318f}, {0x3300, 0x337f},
                                         {0x3400, 0x3d2d}, {0x4e00, 0x9fff}, {0xf900, 0xfaff}};
    for (uint32_t i = 0; i < WR_COUNT(ranges); i++)
        if (c >= ranges[i][0] && c <= ranges[i][1]) return true;
    return false;
}

/* Length of the identifier character at i, 0 if there is none. */
static size_t
letter_at(const wri_lexer *x, size_t i, bool digits)
{
    int c = at(x, i);
    if (c < 0) return 0;
    if (is_ascii_letter(c) || (digits && is_digit(c))) return 1;
    if (c < 0x80) return 0;
    const char *p = x->text.ptr + i;
    uint32_t cp = wr_utf8_next(&p, x->text.ptr + x->text.len);
    return is_wide_letter(cp) ? (size_t)(p - x->text.ptr) - i : 0;
}

static wri_token
make(wri_lexer *x, wri_token_kind kind, size_t start, size_t end)
{
    x->pos = end;
    return (wri_token){.kind = (uint8_t)kind, .start = (uint32_t)start, .end = (uint32_t)end};
}

/* 'text' with the quote at i: where it ends, 0 if it does not. `escapes`: a backslash takes the
 * next character. */
static size_t
string_end(const wri_lexer *x, size_t i, bool escapes)
{
    for (i++; i < x->text.len; i++) {
        char c = x->text.ptr[i];
        if (c == '\\' && escapes) {
            i++;
        } else if (c == '\'') {
            if (at(x, i + 1) != '\'') return i + 1;
            i++;
        }
    }
    return 0;
}

static wri_token
string(wri_lexer *x, wri_token_kind kind, size_t start, size_t quote)
{
    size_t end = string_end(x, quote, kind == WRI_T_ESCAPE_STRING);
    if (end != 0) return make(x, kind, start, end);
    return make(x, WRI_T_BAD_STRING, start, x->text.len);
}

static wri_token
quoted_name(wri_lexer *x, size_t start)
{
    size_t i = start + 1;
    for (; i < x->text.len; i++) {
        char c = x->text.ptr[i];
        if (c == '\n' || c == '\r') break;
        if (c != '`') continue;
        if (at(x, i + 1) != '`') {
            if (i == start + 1) { /* empty: two back-ticks open a name that goes on */
                i++;
                break;
            }
            return make(x, WRI_T_QUOTED, start, i + 1);
        }
        i++;
    }
    return make(x, WRI_T_BAD_QUOTED, start, WR_MIN(i, x->text.len));
}

/* U&"name" */
static wri_token
unicode_name(wri_lexer *x, size_t start)
{
    for (size_t i = start + 3; i < x->text.len; i++) {
        if (x->text.ptr[i] != '"') continue;
        if (at(x, i + 1) != '"') return make(x, WRI_T_UNICODE_NAME, start, i + 1);
        i++;
    }
    return make(x, WRI_T_BAD_CHAR, start, start + 1);
}

static wri_token
number(wri_lexer *x, size_t start)
{
    size_t i = start;
    wri_token_kind kind = WRI_T_INTEGER;
    while (is_digit(at(x, i))) i++;
    if (at(x, i) == '.' && !(at(x, i + 1) == '.' && i > start)) {
        kind = WRI_T_DECIMAL;
        i++;
        while (is_digit(at(x, i))) i++;
    }
    if (at(x, i) == 'e' || at(x, i) == 'E') {
        size_t j = i + 1;
        if (at(x, j) == '+' || at(x, j) == '-') j++;
        if (is_digit(at(x, j))) {
            kind = WRI_T_DOUBLE;
            for (i = j; is_digit(at(x, i));) i++;
        }
    }
    return make(x, kind, start, i);
}

/* The quote of _charset'..' at start; 0 if it is not one. */
static size_t
charset_quote(const wri_lexer *x, size_t start)
{
    size_t i = start + 1;
    for (int c = at(x, i); is_digit(c) || is_ascii_letter(c) || c == '-' || c == '.' || c == ':';
         c = at(x, i))
        i++;
    return i > start + 1 && at(x, i) == '\'' ? i : 0;
}

static wri_token
word(wri_lexer *x, size_t start)
{
    int c = at(x, start), next = at(x, start + 1);
    if (next == '\'') {
        if (c == 'X' || c == 'x') return string(x, WRI_T_BINARY, start, start + 1);
        if (c == 'N' || c == 'n') return string(x, WRI_T_CHARSET_STRING, start, start + 1);
        if (c == 'E' || c == 'e') return string(x, WRI_T_ESCAPE_STRING, start, start + 1);
    }
    if ((c == 'U' || c == 'u') && next == '&') {
        if (at(x, start + 2) == '\'') return string(x, WRI_T_UNICODE_STRING, start, start + 2);
        if (at(x, start + 2) == '"') return unicode_name(x, start);
    }
    if (c == '_') {
        size_t quote = charset_quote(x, start);
        if (quote != 0) return string(x, WRI_T_CHARSET_STRING, start, quote);
    }
    size_t i = start;
    for (size_t n = letter_at(x, i, false); n > 0; n = letter_at(x, i, true)) i += n;
    wri_token t = make(x, WRI_T_WORD, start, i);
    t.kw = (uint16_t)wri_kw_find((wr_str){x->text.ptr + start, i - start});
    return t;
}

static wri_token
line_comment(wri_lexer *x, size_t start)
{
    size_t i = start;
    while (i < x->text.len && x->text.ptr[i] != '\n' && x->text.ptr[i] != '\r') i++;
    return make(x, WRI_T_COMMENT, start, i);
}

static wri_token
block_comment(wri_lexer *x, size_t start)
{
    for (size_t i = start + 2; i + 1 < x->text.len; i++)
        if (x->text.ptr[i] == '*' && x->text.ptr[i + 1] == '/')
            return make(x, WRI_T_COMMENT, start, i + 2);
    return make(x, WRI_T_BAD_COMMENT, start, x->text.len);
}

static wri_token
slash_or_star(wri_lexer *x, size_t start)
{
    int next = at(x, start + 1);
    if (at(x, start) == '/') {
        if (next == '/') return line_comment(x, start);
        if (next != '*') return make(x, WRI_T_SLASH, start, start + 1);
        if (at(x, start + 2) != '+') return block_comment(x, start);
        x->in_hint = true;
        return make(x, WRI_T_HINT_OPEN, start, start + 3);
    }
    if (next != '/' || !x->in_hint) return make(x, WRI_T_STAR, start, start + 1);
    x->in_hint = false;
    return make(x, WRI_T_HINT_CLOSE, start, start + 2);
}

typedef struct symbol {
    char first, second; /* second 0: alone */
    uint8_t kind;
} symbol;
static const symbol symbols[] = {
    {'(', 0, WRI_T_LPAREN},   {')', 0, WRI_T_RPAREN},    {'[', 0, WRI_T_LBRACKET},
    {']', 0, WRI_T_RBRACKET}, {'{', 0, WRI_T_LBRACE},    {'}', 0, WRI_T_RBRACE},
    {',', 0, WRI_T_COMMA},    {';', 0, WRI_T_SEMICOLON}, {'.', '.', WRI_T_DOTDOT},
    {'.', 0, WRI_T_DOT},      {'=', '>', WRI_T_ARROW},   {'=', 0, WRI_T_EQ},
    {'<', '>', WRI_T_NE},     {'<', '=', WRI_T_LE},      {'<', 0, WRI_T_LT},
    {'>', '=', WRI_T_GE},     {'>', 0, WRI_T_GT},        {'!', '=', WRI_T_BANG_EQ},
    {'+', 0, WRI_T_PLUS},     {'-', 0, WRI_T_MINUS},     {'%', 0, WRI_T_PERCENT},
    {'|', '|', WRI_T_CONCAT}, {'|', 0, WRI_T_BAR},       {'?', 0, WRI_T_QUESTION},
    {':', 0, WRI_T_COLON},    {'^', 0, WRI_T_CARET},
};

static wri_token
symbol_token(wri_lexer *x, size_t start)
{
    int c = at(x, start), next = at(x, start + 1);
    for (uint32_t i = 0; i < WR_COUNT(symbols); i++) {
        if (symbols[i].first != c) continue;
        if (symbols[i].second == 0)
            return make(x, (wri_token_kind)symbols[i].kind, start, start + 1);
        if (symbols[i].second == next)
            return make(x, (wri_token_kind)symbols[i].kind, start, start + 2);
    }
    const char *p = x->text.ptr + start;
    (void)wr_utf8_next(&p, x->text.ptr + x->text.len);
    return make(x, WRI_T_BAD_CHAR, start, (size_t)(p - x->text.ptr));
}

wri_token
wri_lex(wri_lexer *x)
{
    while (x->pos < x->text.len && strchr(" \t\n\r\f", x->text.ptr[x->pos]) &&
           x->text.ptr[x->pos] != '\0')
        x->pos++;
    size_t start = x->pos;
    int c = at(x, start);
    if (c < 0) return make(x, WRI_T_EOF, start, start);
    if (c == '$' && letter_at(x, start + 1, true) == 0)
        return make(x, WRI_T_DOLLAR, start, start + 1);
    if (letter_at(x, start, false) > 0) return word(x, start);
    if (is_digit(c) || (c == '.' && is_digit(at(x, start + 1)))) return number(x, start);
    if (c == '\'') return string(x, WRI_T_STRING, start, start);
    if (c == '`') return quoted_name(x, start);
    if (c == '-' && at(x, start + 1) == '-') return line_comment(x, start);
    if (c == '/' || c == '*') return slash_or_star(x, start);
    return symbol_token(x, start);
}
