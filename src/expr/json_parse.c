/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON parser of json_int.h: one pass, no recursion, depth bounded by a stack of open
 * containers. */
#include "expr/json_int.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct parser {
    const char *start, *p, *end;
    wr_arena *a; /* NULL: check only */
    wri_json_error *err;
    bool nomem;
} parser;

static bool WR_PRINTF(2, 3) fail(parser *j, const char *fmt, ...)
{
    if (j->err) {
        va_list ap;
        va_start(ap, fmt);
        (void)vsnprintf(j->err->text, sizeof j->err->text, fmt, ap);
        va_end(ap);
        j->err->at = (size_t)(j->p - j->start);
    }
    return false;
}

static void
blanks(parser *j)
{
    while (j->p < j->end && (*j->p == ' ' || *j->p == '\t' || *j->p == '\n' || *j->p == '\r'))
        j->p++;
}

static bool
is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool
unexpected(parser *j, const char *wanted)
{
    if (j->p >= j->end) return fail(j, "Unexpected end-of-input");
    const char *q = j->p;
    uint32_t cp = wr_utf8_next(&q, j->end);
    return fail(j, "Unexpected character ('%.*s' (code %u)): %s", (int)(q - j->p), j->p, cp,
                wanted);
}

/* After the opening quote. */
static bool
string(parser *j, wr_str *raw, bool *escaped)
{
    const char *start = j->p;
    *escaped = false;
    for (;; j->p++) {
        if (j->p == j->end)
            return fail(j,
                        "Unexpected end-of-input: was expecting closing quote for a string value");
        unsigned char c = (unsigned char)*j->p;
        if (c == '"') break;
        if (c < 0x20)
            return fail(j,
                        "Illegal unquoted character ((CTRL-CHAR, code %u)): has to be escaped "
                        "using backslash to be included in string value",
                        c);
        if (c != '\\') continue;
        *escaped = true;
        if (++j->p == j->end)
            return fail(j, "Unexpected end-of-input in character escape sequence");
        c = (unsigned char)*j->p;
        if (c == 'u') {
            for (int i = 0; i < 4; i++)
                if (++j->p == j->end || !is_hex(*j->p))
                    return unexpected(j, "expected a hex-digit for character escape sequence");
        } else if (!c || !strchr("\"\\/bfnrt", c)) {
            return fail(j, "Unrecognized character escape '%c' (code %u)", c, c);
        }
    }
    *raw = (wr_str){start, (size_t)(j->p - start)};
    j->p++;
    return true;
}

static bool
digits(parser *j)
{
    const char *start = j->p;
    while (j->p < j->end && *j->p >= '0' && *j->p <= '9') j->p++;
    return j->p > start;
}

static bool
number(parser *j, wr_str *raw, bool *fraction, bool top)
{
    const char *start = j->p;
    *fraction = false;
    if (*j->p == '-') j->p++;
    if (j->p < j->end && *j->p == '0') {
        j->p++;
        if (j->p < j->end && *j->p >= '0' && *j->p <= '9')
            return fail(j, "Invalid numeric value: Leading zeroes not allowed");
    } else if (!digits(j)) {
        return unexpected(j, "expected digit (0-9) to follow minus sign, for valid numeric value");
    }
    if (j->p < j->end && *j->p == '.') {
        j->p++;
        *fraction = true;
        if (!digits(j)) return unexpected(j, "Decimal point not followed by a digit");
    }
    if (j->p < j->end && (*j->p == 'e' || *j->p == 'E')) {
        j->p++;
        *fraction = true;
        if (j->p < j->end && (*j->p == '+' || *j->p == '-')) j->p++;
        if (!digits(j)) return unexpected(j, "Exponent indicator not followed by a digit");
    }
    if (top && j->p < j->end && !strchr(" \t\r\n", *j->p))
        return unexpected(j, "Expected space separating root-level values");
    *raw = (wr_str){start, (size_t)(j->p - start)};
    if (raw->len > 1000)
        return fail(j, "Number value length (%zu) exceeds the maximum allowed (1000)", raw->len);
    return true;
}

static bool
is_name(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c >= 0x80;
}

static bool
word(parser *j, wri_json_kind *kind)
{
    static const char *const words[] = {"null", "false", "true"};
    for (uint32_t i = 0; i < 3; i++) {
        size_t n = strlen(words[i]);
        if ((size_t)(j->end - j->p) < n || memcmp(j->p, words[i], n) != 0) continue;
        if (j->p + n < j->end && is_name((unsigned char)j->p[n])) break;
        j->p += n;
        *kind = (wri_json_kind)i;
        return true;
    }
    const char *start = j->p;
    while (j->p < j->end && is_name((unsigned char)*j->p)) j->p++;
    if (j->p == start)
        return unexpected(j, "expected a valid value (JSON String, Number, Array, Object or token "
                             "'null', 'true' or 'false')");
    int n = (int)(j->p - start);
    if (n == 3 && memcmp(start, "NaN", 3) == 0)
        return fail(j, "Non-standard token 'NaN': enable "
                       "`JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow");
    return fail(j,
                "Unrecognized token '%.*s': was expecting (JSON String, Number, Array, Object or "
                "token 'null', 'true' or 'false')",
                n > 60 ? 60 : n, start);
}

/* A scalar, or the opening of a container, into *v. */
static bool
value(parser *j, wri_json *v, bool top)
{
    if (j->p == j->end) return fail(j, "Unexpected end-of-input");
    wri_json_kind kind = WRI_JSON_NULL;
    bool ok = true;
    switch (*j->p) {
    case '"':
        j->p++;
        kind = WRI_JSON_STRING;
        ok = string(j, &v->raw, &v->escaped);
        break;
    case '[':
    case '{':
        kind = *j->p == '[' ? WRI_JSON_ARRAY : WRI_JSON_OBJECT;
        j->p++;
        break;
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
        kind = WRI_JSON_NUMBER;
        ok = number(j, &v->raw, &v->escaped, top);
        break;
    default:
        ok = word(j, &kind);
        break;
    }
    v->kind = (uint8_t)kind;
    return ok;
}

typedef struct frame { /* an open container */
    wri_json *node, **tail;
    bool object;
} frame;

static wri_json *
new_node(parser *j, wri_json *spare)
{
    memset(spare, 0, sizeof *spare);
    if (!j->a) return spare;
    wri_json *v = WR_NEW(j->a, wri_json);
    j->nomem = v == NULL;
    return v;
}

/* "key": */
static bool
member_key(parser *j, wr_str *key, bool *escaped)
{
    if (j->p == j->end) return fail(j, "Unexpected end-of-input within/between Object entries");
    if (*j->p != '"') return unexpected(j, "was expecting double-quote to start field name");
    j->p++;
    if (!string(j, key, escaped)) return false;
    blanks(j);
    if (j->p == j->end || *j->p != ':')
        return unexpected(j, "was expecting a colon to separate field name and value");
    j->p++;
    blanks(j);
    return true;
}

static bool
parse(parser *j, wri_json **out, wri_json_kind *top_kind)
{
    frame stack[WRI_JSON_DEPTH_MAX];
    uint32_t depth = 0;
    bool first = true; /* nothing in the open container yet */
    wri_json spare;
    blanks(j);
    if (j->p == j->end) return fail(j, "Unexpected null token"); /* no value at all */
    for (;;) {
        frame *f = depth ? &stack[depth - 1] : NULL;
        if (f) { /* a separator or the end, then maybe a key */
            blanks(j);
            char close = f->object ? '}' : ']';
            if (j->p < j->end && *j->p == close) {
                j->p++;
                depth--;
                first = false;
                if (depth == 0) return true;
                continue;
            }
            if (!first) {
                if (j->p == j->end || *j->p != ',')
                    return unexpected(j, "was expecting comma to separate entries");
                j->p++;
                blanks(j);
            }
        }
        wri_json *v = new_node(j, &spare);
        if (!v) return false;
        if (f && f->object && !member_key(j, &v->key, &v->key_escaped)) return false;
        if (!value(j, v, depth == 0)) return false;
        if (f && f->node) {
            *f->tail = v;
            f->tail = &v->next;
            f->node->count++;
        } else if (!f) {
            *out = v;
            *top_kind = (wri_json_kind)v->kind;
        }
        first = v->kind >= WRI_JSON_ARRAY;
        if (first) {
            if (depth == WRI_JSON_DEPTH_MAX)
                return fail(j, "Document nesting depth (%u) exceeds the maximum allowed (%u)",
                            depth + 1, WRI_JSON_DEPTH_MAX);
            wri_json *node = j->a ? v : NULL;
            stack[depth++] = (frame){node, node ? &node->child : NULL, v->kind == WRI_JSON_OBJECT};
        } else if (depth == 0) {
            return true;
        }
    }
}

wri_json_status
wri_json_parse(wr_arena *a, wr_str text, wri_json **out, wri_json_error *err)
{
    parser j = {.start = text.ptr, .p = text.ptr, .end = text.ptr + text.len, .a = a, .err = err};
    wri_json_kind kind = WRI_JSON_NULL;
    *out = NULL;
    if (parse(&j, out, &kind)) return WRI_JSON_OK;
    *out = NULL;
    return j.nomem ? WRI_JSON_NOMEM : WRI_JSON_BAD;
}

bool
wri_json_check(wr_str text, wri_json_kind *kind)
{
    parser j = {.start = text.ptr, .p = text.ptr, .end = text.ptr + text.len};
    wri_json *unused = NULL;
    *kind = WRI_JSON_NULL;
    return parse(&j, &unused, kind);
}

bool
wri_json_is_scalar(const wri_json *v)
{
    return v->kind < WRI_JSON_ARRAY;
}

/* ---- strings --------------------------------------------------------------------------------- */

static uint32_t
hex4(const char *p)
{
    uint32_t v = 0;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        uint32_t d = c <= '9' ? (uint32_t)(c - '0') : (uint32_t)((c | 32) - 'a' + 10);
        v = v << 4 | d;
    }
    return v;
}

/* \uXXXX at p (after the u), a pair being one character; a lone surrogate becomes '?'. */
static size_t
unicode_escape(const char **p, const char *end, char *out)
{
    uint32_t cp = hex4(*p);
    *p += 4;
    if (cp >= 0xd800 && cp < 0xdc00 && end - *p >= 6 && (*p)[0] == '\\' && (*p)[1] == 'u') {
        uint32_t low = hex4(*p + 2);
        if (low >= 0xdc00 && low < 0xe000) {
            cp = 0x10000 + ((cp - 0xd800) << 10) + (low - 0xdc00);
            *p += 6;
        }
    }
    if (cp >= 0xd800 && cp < 0xe000) cp = '?';
    return wr_utf8_put(out, cp);
}

size_t
wri_json_decode(char *out, wr_str raw)
{
    const char *p = raw.ptr, *end = raw.ptr + raw.len;
    char *o = out;
    while (p < end) {
        if (*p != '\\') {
            *o++ = *p++;
            continue;
        }
        char c = p[1];
        p += 2;
        switch (c) {
        case 'b':
            *o++ = '\b';
            break;
        case 'f':
            *o++ = '\f';
            break;
        case 'n':
            *o++ = '\n';
            break;
        case 'r':
            *o++ = '\r';
            break;
        case 't':
            *o++ = '\t';
            break;
        case 'u':
            o += unicode_escape(&p, end, o);
            break;
        default:
            *o++ = c;
            break;
        }
    }
    return (size_t)(o - out);
}

wr_str
wri_json_unescape(wr_arena *a, wr_str raw, bool escaped)
{
    if (!escaped) return raw;
    char *p = wr_arena_alloc(a, raw.len + 1);
    if (!p) return (wr_str){NULL, 0};
    return (wr_str){p, wri_json_decode(p, raw)};
}

const wri_json *
wri_json_member(const wri_json *object, wr_str key, wr_arena *a)
{
    const wri_json *hit = NULL;
    for (const wri_json *m = object->child; m; m = m->next) {
        wr_str k = wri_json_unescape(a, m->key, m->key_escaped);
        if (k.ptr && wr_str_eq(k, key)) hit = m;
    }
    return hit;
}
