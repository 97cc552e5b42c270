/* SPDX-License-Identifier: Apache-2.0 */
/* Printing of JSON as Flink's functions do: keys sorted, numbers as BigDecimal, Jackson's escapes.
 */
#include "expr/json_int.h"

void
wri_json_put_string(wr_text *out, wr_str s)
{
    static const char hex[] = "0123456789ABCDEF";
    wr_text_putc(out, '"');
    size_t from = 0;
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if (c >= 0x20 && c != '"' && c != '\\') continue;
        wr_text_put(out, s.ptr + from, i - from);
        from = i + 1;
        static const char plain[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
        const char *at = c ? strchr(plain, c) : NULL;
        char esc[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
        if (at) esc[1] = names[at - plain];
        wr_text_put(out, esc, at ? 2 : 6);
    }
    wr_text_put(out, s.ptr + from, s.len - from);
    wr_text_putc(out, '"');
}

/* Exponent digits after e or E; saturates. */
static int64_t
exponent(const char *p, const char *end)
{
    bool neg = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    int64_t v = 0;
    for (; p < end; p++)
        if (v < 100000000000) v = v * 10 + (*p - '0');
    return neg ? -v : v;
}

/* unscaled * 10^-scale as BigDecimal.toString: plain when scale >= 0 and the adjusted exponent is
 * at least -6, else d.ddE±n. */
static void
put_big(wr_text *out, bool neg, const char *digits, size_t n, int64_t scale)
{
    size_t lead = 0;
    while (lead + 1 < n && digits[lead] == '0') lead++;
    digits += lead;
    n -= lead;
    if (neg && !(n == 1 && digits[0] == '0')) wr_text_putc(out, '-');
    int64_t adjusted = (int64_t)n - 1 - scale;
    if (scale == 0) {
        wr_text_put(out, digits, n);
    } else if (scale > 0 && adjusted >= -6) {
        int64_t whole = (int64_t)n - scale;
        if (whole > 0) {
            wr_text_put(out, digits, (size_t)whole);
            wr_text_putc(out, '.');
            wr_text_put(out, digits + whole, n - (size_t)whole);
        } else {
            wr_text_puts(out, "0.");
            for (; whole < 0; whole++) wr_text_putc(out, '0');
            wr_text_put(out, digits, n);
        }
    } else {
        wr_text_putc(out, digits[0]);
        if (n > 1) {
            wr_text_putc(out, '.');
            wr_text_put(out, digits + 1, n - 1);
        }
        wr_text_printf(out, "E%+lld", (long long)adjusted);
    }
}

void
wri_json_put_number(wr_text *out, wr_str s)
{
    const char *p = s.ptr, *end = s.ptr + s.len;
    bool neg = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    char buf[1024];
    size_t n = 0;
    int64_t scale = 0;
    bool point = false;
    for (; p < end && *p != 'e' && *p != 'E'; p++) {
        if (*p == '.') {
            point = true;
        } else if (*p >= '0' && *p <= '9' && n < sizeof buf) {
            buf[n++] = *p;
            if (point) scale++;
        } else { /* NaN, Infinity: not a JSON number */
            wri_json_put_string(out, s);
            return;
        }
    }
    if (p < end) scale -= exponent(p + 1, end);
    if (n == 0) buf[n++] = '0';
    put_big(out, neg, buf, n, scale);
}

int
wri_json_key_cmp(wr_str a, wr_str b)
{
    size_t n = WR_MIN(a.len, b.len);
    for (size_t i = 0; i < n; i++) {
        unsigned char x = (unsigned char)a.ptr[i], y = (unsigned char)b.ptr[i];
        if (x == y) continue;
        if (x >= 0xee && y >= 0xee && (x >= 0xf0) != (y >= 0xf0)) /* surrogates sort below U+E000 */
            return x >= 0xf0 ? -1 : 1;
        return x < y ? -1 : 1;
    }
    return a.len < b.len ? -1 : a.len > b.len;
}

typedef struct member {
    wr_str key;
    const wri_json *v;
    uint32_t order;
} member;

static int
member_cmp(const member *a, const member *b)
{
    int c = wri_json_key_cmp(a->key, b->key);
    if (c) return c;
    return a->order < b->order ? -1 : 1;
}

static void
sift(member *m, uint32_t root, uint32_t n)
{
    for (;;) {
        uint32_t child = 2 * root + 1;
        if (child >= n) return;
        if (child + 1 < n && member_cmp(&m[child], &m[child + 1]) < 0) child++;
        if (member_cmp(&m[root], &m[child]) >= 0) return;
        member t = m[root];
        m[root] = m[child];
        m[child] = t;
        root = child;
    }
}

static void
sort_members(member *m, uint32_t n)
{
    for (uint32_t i = n / 2; i-- > 0;) sift(m, i, n);
    for (uint32_t i = n; i-- > 1;) {
        member t = m[0];
        m[0] = m[i];
        m[i] = t;
        sift(m, 0, i);
    }
}

static void
print_object(wr_text *out, const wri_json *v)
{
    member *m = WR_NEW_N(out->arena, member, v->count + 1);
    if (!m) {
        out->failed = true;
        return;
    }
    uint32_t n = 0;
    for (const wri_json *c = v->child; c; c = c->next, n++) {
        m[n] = (member){wri_json_unescape(out->arena, c->key, c->key_escaped), c, n};
        if (!m[n].key.ptr) out->failed = true;
    }
    if (out->failed) return;
    sort_members(m, n);
    wr_text_putc(out, '{');
    bool first = true;
    for (uint32_t i = 0; i < n; i++) {
        if (i + 1 < n && wr_str_eq(m[i].key, m[i + 1].key)) continue; /* the last one wins */
        if (!first) wr_text_putc(out, ',');
        first = false;
        wri_json_put_string(out, m[i].key);
        wr_text_putc(out, ':');
        wri_json_print(out, m[i].v);
    }
    wr_text_putc(out, '}');
}

void
wri_json_print(wr_text *out, const wri_json *v) /* depth: the parser's bound */
{
    switch ((wri_json_kind)v->kind) {
    case WRI_JSON_NULL:
        wr_text_puts(out, "null");
        break;
    case WRI_JSON_FALSE:
        wr_text_puts(out, "false");
        break;
    case WRI_JSON_TRUE:
        wr_text_puts(out, "true");
        break;
    case WRI_JSON_NUMBER:
        wri_json_put_number(out, v->raw);
        break;
    case WRI_JSON_STRING: {
        wr_str s = wri_json_unescape(out->arena, v->raw, v->escaped);
        if (!s.ptr)
            out->failed = true;
        else
            wri_json_put_string(out, s);
        break;
    }
    case WRI_JSON_ARRAY:
        wr_text_putc(out, '[');
        for (const wri_json *c = v->child; c; c = c->next) {
            if (c != v->child) wr_text_putc(out, ',');
            wri_json_print(out, c);
        }
        wr_text_putc(out, ']');
        break;
    case WRI_JSON_OBJECT:
        print_object(out, v);
        break;
    }
}
