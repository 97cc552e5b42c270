/* SPDX-License-Identifier: Apache-2.0 */
/* Literals: numbers in canonical form, strings with their escapes undone, typed literals,
 * intervals. */
#include "sql/sql_int.h"

static wr_ast_literal *
literal_node(wri_parser *p, wr_sql_lit lit, uint32_t start)
{
    wr_ast_literal *n = wri_node(p, WR_AST_LITERAL, start);
    n->lit = lit;
    n->text = WR_STR("");
    n->charset = WR_STR("");
    n->qual = (wr_ast_interval){WR_SQL_UNIT_NONE, WR_SQL_UNIT_NONE, -1, -1};
    return n;
}

/* ---- numbers --------------------------------------------------------------------------------- */
static wr_str
strip_zeros(wr_str digits)
{
    while (digits.len > 1 && digits.ptr[0] == '0') digits.ptr++, digits.len--;
    return digits;
}

/* "00.50" -> "0.50", ".5" -> "0.5" */
static wr_str
decimal_text(wri_parser *p, wr_str image)
{
    const char *dot = memchr(image.ptr, '.', image.len);
    size_t whole_len = (size_t)(dot - image.ptr);
    wr_str whole = whole_len == 0 ? WR_STR("0") : strip_zeros((wr_str){image.ptr, whole_len});
    wr_str out =
        wr_arena_printf(p->arena, "%.*s%.*s", WR_STR_ARG(whole), (int)(image.len - whole_len), dot);
    if (!out.ptr) (void)wri_nomem(p);
    return out;
}

/* "12.50e3" -> "1.250E4": digit, point, the other digits, exponent. */
static wr_str
double_text(wri_parser *p, wr_str image)
{
    char *digits = wr_arena_alloc(p->arena, image.len + 1);
    if (!digits) {
        (void)wri_nomem(p);
        return WR_STR("");
    }
    size_t count = 0, i = 0;
    int64_t scale = 0, exponent = 0;
    bool after_dot = false, negative = false;
    for (; image.ptr[i] != 'e' && image.ptr[i] != 'E'; i++) {
        if (image.ptr[i] == '.') {
            after_dot = true;
            continue;
        }
        if (after_dot) scale++;
        if (count == 1 && digits[0] == '0') count = 0;
        digits[count++] = image.ptr[i];
    }
    i++;
    if (image.ptr[i] == '-' || image.ptr[i] == '+') negative = image.ptr[i++] == '-';
    for (; i < image.len && exponent < 1000000000; i++)
        exponent = exponent * 10 + (image.ptr[i] - '0');
    scale -= negative ? -exponent : exponent;
    exponent = (int64_t)count - 1 - scale;
    while (scale == 0 && count > 1 && digits[count - 1] == '0') count--;
    wr_str out = wr_arena_printf(p->arena, count > 1 ? "%.1s.%.*sE%lld" : "%.1s%.*sE%lld", digits,
                                 (int)count - 1, digits + 1, (long long)exponent);
    if (!out.ptr) (void)wri_nomem(p);
    return out;
}

wr_ast *
wri_number(wri_parser *p)
{
    const wri_token *t = wri_tok(p);
    wr_str image = wri_text_of(p, t);
    if (t->kind != WRI_T_INTEGER && t->kind != WRI_T_DECIMAL && t->kind != WRI_T_DOUBLE) {
        wri_want_add(p, WRI_WANT_LITERAL);
        return wri_unexpected(p);
    }
    wr_ast_literal *n = literal_node(p, WR_SQL_LIT_INTEGER, wri_start(p));
    if (t->kind == WRI_T_DECIMAL && image.ptr[image.len - 1] == '.') {
        n->text = strip_zeros((wr_str){image.ptr, image.len - 1});
    } else if (t->kind == WRI_T_DECIMAL) {
        n->lit = WR_SQL_LIT_DECIMAL;
        n->text = decimal_text(p, image);
    } else if (t->kind == WRI_T_DOUBLE) {
        n->lit = WR_SQL_LIT_DOUBLE;
        n->text = double_text(p, image);
    } else {
        n->text = strip_zeros(image);
    }
    wri_advance(p);
    return wri_done(p, n);
}

wr_ast *
wri_integer(wri_parser *p)
{
    if (wri_tok(p)->kind == WRI_T_INTEGER) return wri_number(p);
    wri_want_add(p, WRI_WANT_INTEGER);
    return wri_unexpected(p);
}

bool
wri_int32(wri_parser *p, int32_t *out)
{
    const wri_token *t = wri_tok(p);
    wr_str image = wri_text_of(p, t);
    if (t->kind != WRI_T_INTEGER) {
        wri_want_add(p, WRI_WANT_INTEGER);
        return wri_unexpected(p) != NULL;
    }
    int64_t value = 0;
    for (size_t i = 0; i < image.len && value <= INT32_MAX; i++)
        value = value * 10 + (image.ptr[i] - '0');
    if (value > INT32_MAX)
        return wri_fail_at(
                   p, wri_token_span(p, t),
                   "SQL parse failed. Literal '%.*s' can not be parsed to type 'java.lang.Integer'",
                   (int)WR_MIN(image.len, (size_t)40), image.ptr) != NULL;
    *out = (int32_t)value;
    wri_advance(p);
    return true;
}

/* ---- strings --------------------------------------------------------------------------------- */
typedef struct unescape {
    char *out;
    size_t len;
    uint32_t high; /* pending high surrogate */
} unescape;

static void
put_code(unescape *u, uint32_t cp)
{
    if (u->high != 0) {
        if (cp >= 0xdc00 && cp <= 0xdfff) {
            cp = 0x10000 + ((u->high - 0xd800) << 10) + (cp - 0xdc00);
        } else {
            u->len += wr_utf8_put(u->out + u->len, 0xfffd);
        }
        u->high = 0;
    }
    if (cp >= 0xd800 && cp <= 0xdbff) {
        u->high = cp;
        return;
    }
    uint32_t n = wr_utf8_put(u->out + u->len, cp);
    u->len += n > 0 ? n : wr_utf8_put(u->out + u->len, 0xfffd);
}

static void
put_byte(unescape *u, char c)
{
    if (u->high != 0) put_code(u, 0xfffd), u->high = 0;
    u->out[u->len++] = c;
}

/* Up to `max` digits of the base at s[i]; how many there were. */
static size_t
digits_at(wr_str s, size_t i, uint32_t base, size_t max, uint32_t *value)
{
    size_t n = 0;
    *value = 0;
    for (; n < max && i + n < s.len; n++) {
        char c = s.ptr[i + n];
        uint32_t d = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                     : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                     : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                            : 99;
        if (d >= base) break;
        *value = *value * base + d;
    }
    return n;
}

static bool
bad_escape(wri_parser *p, const wri_token *t, size_t at)
{
    return wri_fail_at(p, wri_token_span(p, t),
                       "SQL parse failed. Unicode escape sequence starting at character %zu is not "
                       "exactly four hex digits",
                       at) != NULL;
}

/* U&'...': the escape character, four hex digits; or the escape, +, six; or the escape twice. */
static bool
decode_unicode(wri_parser *p, const wri_token *t, wr_str body, char escape, char quote, unescape *u)
{
    for (size_t i = 0; i < body.len; i++) {
        char c = body.ptr[i];
        uint32_t value;
        if (c == quote) i++; /* doubled */
        if (c != escape) {
            put_byte(u, c);
        } else if (i + 1 < body.len && body.ptr[i + 1] == escape) {
            put_byte(u, escape);
            i++;
        } else if (i + 1 < body.len && body.ptr[i + 1] == '+') {
            if (digits_at(body, i + 2, 16, 6, &value) != 6) return bad_escape(p, t, i);
            put_code(u, value);
            i += 7;
        } else {
            if (digits_at(body, i + 1, 16, 4, &value) != 4) return bad_escape(p, t, i);
            put_code(u, value);
            i += 4;
        }
    }
    if (u->high != 0) u->high = 0, put_code(u, 0xfffd);
    return true;
}

/* E'...': as in C, with \u and \U; other backslashes stay. */
static bool
decode_escapes(wri_parser *p, const wri_token *t, wr_str body, unescape *u)
{
    static const char from[] = "bfnrt\\'", to[] = "\b\f\n\r\t\\'";
    for (size_t i = 0; i < body.len; i++) {
        char c = body.ptr[i];
        if (c == '\'') i++;
        if (c != '\\' || i + 1 >= body.len) {
            put_byte(u, c);
            continue;
        }
        char e = body.ptr[i + 1];
        const char *simple = e != '\0' ? strchr(from, e) : NULL;
        uint32_t value;
        size_t n;
        if (simple) {
            put_byte(u, to[simple - from]);
            i++;
        } else if (e == 'u' || e == 'U') {
            size_t need = e == 'u' ? 4 : 8;
            if (digits_at(body, i + 2, 16, need, &value) != need) return bad_escape(p, t, i);
            put_code(u, value);
            i += 1 + need;
        } else if (e == 'x') {
            n = digits_at(body, i + 2, 16, 2, &value);
            if (n > 0)
                put_code(u, value);
            else
                put_byte(u, 'x');
            i += 1 + n;
        } else if ((n = digits_at(body, i + 1, 8, 3, &value)) > 0 && value <= 0377) {
            put_code(u, value);
            i += n;
        } else {
            put_byte(u, c);
        }
    }
    if (u->high != 0) u->high = 0, put_code(u, 0xfffd);
    return true;
}

/* UESCAPE 'c' behind a U&'..' literal. */
static bool
uescape(wri_parser *p, char *escape)
{
    *escape = '\\';
    wri_advance(p);
    if (!wri_accept_kw(p, WRI_KW_UESCAPE)) return true;
    const wri_token *t = wri_tok(p);
    if (!wri_is(p, WRI_T_STRING)) return wri_unexpected(p) != NULL;
    wr_str image = wri_text_of(p, t);
    if (image.len != 3)
        return wri_fail_at(p, wri_token_span(p, t),
                           "SQL parse failed. UESCAPE %.*s must be exactly one character",
                           (int)WR_MIN(image.len, (size_t)40), image.ptr) != NULL;
    char c = image.ptr[1];
    uint32_t value;
    if (digits_at(image, 1, 16, 1, &value) == 1 || c == ' ' || c == '\t' || c == '\n' || c == '+' ||
        c == '"')
        return wri_fail_at(p, wri_token_span(p, t),
                           "SQL parse failed. UESCAPE %.*s may not be hex digit, whitespace, plus "
                           "sign, or double quote",
                           WR_STR_ARG(image)) != NULL;
    *escape = c;
    wri_advance(p);
    return true;
}

static bool
charset_of(wri_parser *p, const wri_token *t, wr_str name, wr_str *out)
{
    static const char *const known[] = {"UTF8",       "UTF-8", "UTF16",  "UTF-16", "LATIN1",
                                        "ISO-8859-1", "GBK",   "GB2312", "BIG5"};
    for (uint32_t i = 0; i < WR_COUNT(known); i++) {
        *out = wr_str_c(known[i]);
        if (wr_str_eq_nocase(name, *out)) return true;
    }
    return wri_fail_at(p, wri_token_span(p, t), "SQL parse failed. Unknown character set '%.*s'",
                       (int)WR_MIN(name.len, (size_t)64), name.ptr) != NULL;
}

/* Decode the string or U&"name" token at hand and step over it, UESCAPE included. */
bool
wri_decode_string(wri_parser *p, const wri_token *t, wr_str *text, wr_str *charset)
{
    if (p->failed) return false; /* the current token is no string any more */
    wr_str image = wri_text_of(p, t);
    char quote = t->kind == WRI_T_UNICODE_NAME ? '"' : '\'';
    const char *open = memchr(image.ptr, quote, image.len);
    wr_str body = {open + 1, image.len - (size_t)(open + 1 - image.ptr) - 1};
    char escape = '\\';
    *charset = WR_STR("");
    unescape u = {.out = wr_arena_alloc(p->arena, body.len * 3 + 8)};
    if (!u.out) return wri_nomem(p) != NULL;
    if (t->kind == WRI_T_UNICODE_STRING) {
        if (!uescape(p, &escape)) return false;
    } else {
        wri_advance(p);
    }
    if (t->kind == WRI_T_UNICODE_STRING || t->kind == WRI_T_UNICODE_NAME) {
        *charset = WR_STR("UTF16");
        if (!decode_unicode(p, t, body, escape, quote, &u)) return false;
    } else if (t->kind == WRI_T_ESCAPE_STRING) {
        *charset = WR_STR("UTF16");
        if (!decode_escapes(p, t, body, &u)) return false;
    } else {
        if (t->kind == WRI_T_CHARSET_STRING) {
            wr_str name = {image.ptr + 1, (size_t)(open - image.ptr) - 1};
            if (name.len == 0) name = WR_STR("ISO-8859-1"); /* N'..' */
            if (!charset_of(p, t, name, charset)) return false;
        }
        for (size_t i = 0; i < body.len; i++) {
            u.out[u.len++] = body.ptr[i];
            if (body.ptr[i] == '\'') i++;
        }
    }
    *text = (wr_str){u.out, u.len};
    return true;
}

bool
wri_is_string(const wri_parser *p, uint32_t n)
{
    uint8_t kind = wri_peek(p, n)->kind;
    return kind >= WRI_T_STRING && kind <= WRI_T_ESCAPE_STRING;
}

/* 'a' 'b' over several lines is one literal: does the part at hand continue it? False after an
 * error, too. */
static bool
continues(wri_parser *p, bool expression)
{
    if (wri_tok(p)->kind != WRI_T_STRING || wri_at_tok(p, 1, WRI_T_EQ)) return false;
    const wri_token *before = &p->tokens[p->at - 1];
    size_t gap = wri_tok(p)->start - before->end;
    if (memchr(p->text.ptr + before->end, '\n', gap)) return true;
    if (!expression) return false;
    (void)wri_fail_at(p, wri_token_span(p, wri_tok(p)),
                      "SQL validation failed. String literal continued on same line");
    WRI_HINT(p, "a second part of a literal must start on a new line; did you miss a comma or ||?");
    return false;
}

static wr_ast *
string_literal(wri_parser *p, bool expression)
{
    if (!wri_is_string(p, 0)) {
        wri_want_add(p, WRI_WANT_STRING);
        return wri_unexpected(p);
    }
    wr_ast_literal *n = literal_node(p, WR_SQL_LIT_STRING, wri_start(p));
    if (!wri_decode_string(p, wri_tok(p), &n->text, &n->charset)) return NULL;
    while (continues(p, expression)) {
        wr_str more, unused;
        if (!wri_decode_string(p, wri_tok(p), &more, &unused)) return NULL;
        wr_text text;
        wr_text_init(&text, p->arena);
        wr_text_put(&text, n->text.ptr, n->text.len);
        wr_text_put(&text, more.ptr, more.len);
        if (text.failed) return wri_nomem(p);
        n->text = wr_text_str(&text);
    }
    return wri_done(p, n);
}

wr_ast *
wri_string(wri_parser *p)
{
    return string_literal(p, false);
}

/* X'0aFF', also over several lines */
static wr_ast *
binary(wri_parser *p)
{
    wr_ast_literal *n = literal_node(p, WR_SQL_LIT_BINARY, wri_start(p));
    wr_text bytes;
    wr_text_init(&bytes, p->arena);
    uint32_t half = 0, digit;
    size_t count = 0;
    do {
        const wri_token *t = wri_tok(p);
        wr_str image = wri_text_of(p, t);
        for (size_t i = t->kind == WRI_T_BINARY ? 2 : 1; i + 1 < image.len; i++, count++) {
            if (digits_at(image, i, 16, 1, &digit) != 1)
                return wri_fail_at(p, wri_token_span(p, t),
                                   "SQL parse failed. Binary literal string must contain only "
                                   "characters '0' - '9', 'A' - 'F'");
            if (count % 2 == 1) wr_text_putc(&bytes, (char)(unsigned char)(half << 4 | digit));
            half = digit;
        }
        wri_advance(p);
    } while (continues(p, true));
    if (count % 2 == 1)
        return wri_fail_at(
            p, (wr_span){n->base.span.start, wri_prev_end(p)},
            "SQL validation failed. Binary literal string must contain an even number of hexits");
    if (bytes.failed) return wri_nomem(p);
    n->text = wr_text_str(&bytes);
    return wri_done(p, n);
}

/* ---- typed literals -------------------------------------------------------------------------- */
static bool
is_plain_string(const wri_parser *p, uint32_t n)
{
    return wri_at_tok(p, n, WRI_T_STRING);
}

/* How many words the type of a typed literal at hand has: DATE '..' 1, TIMESTAMP WITH LOCAL TIME
 * ZONE '..' 5; or 0. */
static uint32_t
typed_words(const wri_parser *p, uint32_t n, wr_sql_lit *lit)
{
    switch ((unsigned)wri_peek(p, n)->kw) {
    case WRI_KW_DATE:
        *lit = WR_SQL_LIT_DATE;
        break;
    case WRI_KW_TIME:
        *lit = WR_SQL_LIT_TIME;
        break;
    case WRI_KW_TIMESTAMP:
        *lit = WR_SQL_LIT_TIMESTAMP;
        break;
    case WRI_KW_DATETIME:
        *lit = WR_SQL_LIT_DATETIME;
        break;
    default:
        return 0;
    }
    if (is_plain_string(p, n + 1)) return 1;
    if (*lit == WR_SQL_LIT_TIMESTAMP && wri_at_word(p, n + 1, WRI_KW_WITH) &&
        wri_at_word(p, n + 2, WRI_KW_LOCAL) && wri_at_word(p, n + 3, WRI_KW_TIME) &&
        wri_at_word(p, n + 4, WRI_KW_ZONE) && is_plain_string(p, n + 5)) {
        *lit = WR_SQL_LIT_TIMESTAMP_LTZ;
        return 5;
    }
    return 0;
}

static wr_ast *
typed(wri_parser *p, wr_sql_lit lit, uint32_t words)
{
    wr_ast_literal *n = literal_node(p, lit, wri_start(p));
    while (words-- > 0) wri_advance(p);
    wr_str unused;
    if (!wri_decode_string(p, wri_tok(p), &n->text, &unused)) return NULL;
    return wri_done(p, n);
}

/* {d '..'}, {t '..'}, {ts '..'}; false: something else in braces */
static bool
odbc_kind(const wri_parser *p, uint32_t n, wr_sql_lit *lit)
{
    if (!wri_at_tok(p, n, WRI_T_LBRACE) || !is_plain_string(p, n + 2)) return false;
    wr_str word = wri_text_of(p, wri_peek(p, n + 1));
    *lit = wr_str_eq_nocase(word, WR_STR("d"))    ? WR_SQL_LIT_DATE
           : wr_str_eq_nocase(word, WR_STR("t"))  ? WR_SQL_LIT_TIME
           : wr_str_eq_nocase(word, WR_STR("ts")) ? WR_SQL_LIT_TIMESTAMP
                                                  : WR_SQL_LIT_NULL;
    return *lit != WR_SQL_LIT_NULL;
}

wr_ast *
wri_interval_literal(wri_parser *p)
{
    uint32_t start = wri_start(p);
    if (!wri_expect_kw(p, WRI_KW_INTERVAL)) return NULL;
    wr_ast_literal *n = literal_node(p, WR_SQL_LIT_INTERVAL, start);
    if (wri_accept(p, WRI_T_MINUS))
        n->negative = true;
    else
        (void)wri_accept(p, WRI_T_PLUS);
    if (!is_plain_string(p, 0)) {
        wri_want_add(p, WRI_WANT_STRING);
        return wri_unexpected(p);
    }
    wr_str unused;
    if (!wri_decode_string(p, wri_tok(p), &n->text, &unused) || !wri_interval_qual(p, &n->qual))
        return NULL;
    return wri_done(p, n);
}

static bool
constant(unsigned kw, wr_sql_lit *lit)
{
    switch (kw) {
    case WRI_KW_TRUE:
        *lit = WR_SQL_LIT_TRUE;
        return true;
    case WRI_KW_FALSE:
        *lit = WR_SQL_LIT_FALSE;
        return true;
    case WRI_KW_UNKNOWN:
        *lit = WR_SQL_LIT_UNKNOWN;
        return true;
    case WRI_KW_NULL:
        *lit = WR_SQL_LIT_NULL;
        return true;
    default:
        return false;
    }
}

bool
wri_is_literal(const wri_parser *p, uint32_t n)
{
    wr_sql_lit lit;
    const wri_token *t = wri_peek(p, n);
    if (t->kind >= WRI_T_INTEGER && t->kind <= WRI_T_BINARY) return true;
    if (constant(t->kw, &lit) || typed_words(p, n, &lit) > 0 || odbc_kind(p, n, &lit)) return true;
    if (t->kw != WRI_KW_INTERVAL) return false;
    bool sign = wri_at_tok(p, n + 1, WRI_T_MINUS) || wri_at_tok(p, n + 1, WRI_T_PLUS);
    return is_plain_string(p, n + (sign ? 2 : 1));
}

wr_ast *
wri_literal(wri_parser *p)
{
    wr_sql_lit lit;
    const wri_token *t = wri_tok(p);
    if (t->kind >= WRI_T_INTEGER && t->kind <= WRI_T_DOUBLE) return wri_number(p);
    if (t->kind == WRI_T_BINARY) return binary(p);
    if (wri_is_string(p, 0)) return string_literal(p, true);
    if (constant(t->kw, &lit)) {
        wr_ast_literal *n = literal_node(p, lit, wri_start(p));
        wri_advance(p);
        return wri_done(p, n);
    }
    uint32_t words = typed_words(p, 0, &lit);
    if (words > 0) return typed(p, lit, words);
    if (odbc_kind(p, 0, &lit)) {
        uint32_t start = wri_start(p);
        wri_advance(p);
        wr_ast *n = typed(p, lit, 1);
        if (!wri_expect(p, WRI_T_RBRACE)) return NULL;
        n->span = (wr_span){start, wri_prev_end(p)};
        return n;
    }
    if (wri_is_literal(p, 0)) return wri_interval_literal(p);
    wri_want_add(p, WRI_WANT_LITERAL);
    return wri_unexpected(p);
}

wr_ast *
wri_signed_literal(wri_parser *p)
{
    uint32_t start = wri_start(p);
    if (wri_accept(p, WRI_T_PLUS)) return wri_number(p);
    if (!wri_is(p, WRI_T_MINUS)) return wri_literal(p);
    wr_ast_unary *n = wri_node(p, WR_AST_UNARY, start);
    n->op = WR_SQL_UNOP_MINUS;
    n->op_span = wri_token_span(p, wri_tok(p));
    wri_advance(p);
    n->arg = wri_number(p);
    return wri_done(p, n);
}
