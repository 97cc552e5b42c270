/* SPDX-License-Identifier: Apache-2.0 */
/* JSON text out of JSON text: what a STRING column gets for an object or array. It is what Jackson
 * prints after reading the value into a tree: no blanks, escapes in their shortest form, numbers
 * with a point or exponent as Java doubles, of a repeated key the first place and the last value.
 *
 * A small tree in the record's scratch arena; one value at a time, recursion bounded by depth. */
#include "format/json_int.h"
#include "types/number.h"

typedef struct tree_node tree_node;
struct tree_node {
    char kind; /* '{' '[' '"' or 'r': raw text */
    wr_str text;
    tree_node *first, *last, *next; /* children */
    wr_str name;                    /* as a child of an object */
    tree_node **slots;              /* large objects: children by the hash of their name */
    uint32_t count, slot_count;     /* children; a power of two, at least twice as many */
};

#define FEW_CHILDREN 16u /* that many are compared one by one */

static const char *
broken(wri_json *j, const char *at, const char *what)
{
    if (j->err == WRI_JE_NONE) {
        j->err = WRI_JE_SYNTAX;
        j->err_at = at;
        j->what = what;
    }
    return NULL;
}

static const char *
skip_blanks(const wri_json *j, const char *p)
{
    while (p < j->end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n')) p++;
    return p;
}

static uint32_t
hex4(const char *p, bool *ok)
{
    uint32_t v = 0;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        uint32_t d = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                     : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                     : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                            : 16;
        if (d > 15) *ok = false;
        v = v << 4 | (d & 15);
    }
    return v;
}

/* \uXXXX, with its second half if it is a surrogate; a lone surrogate becomes '?', as Java writes
 * it. */
static bool
unicode_escape(const char **pp, const char *close, char **out)
{
    const char *p = *pp;
    bool ok = true;
    if (close - p < 4) return false;
    uint32_t cp = hex4(p, &ok);
    p += 4;
    if (cp >= 0xd800 && cp < 0xdc00 && close - p >= 6 && p[0] == '\\' && p[1] == 'u') {
        uint32_t low = hex4(p + 2, &ok);
        if (low >= 0xdc00 && low < 0xe000) {
            cp = 0x10000 + ((cp - 0xd800) << 10) + (low - 0xdc00);
            p += 6;
        }
    }
    if (cp >= 0xd800 && cp < 0xe000) cp = '?';
    *out += wr_utf8_put(*out, cp);
    *pp = p;
    return ok;
}

bool
wri_format_unescape(const char *p, const char *close, char *out, size_t *len)
{
    char *o = out;
    while (p < close) {
        const char *back = memchr(p, '\\', (size_t)(close - p));
        size_t plain = (size_t)((back ? back : close) - p);
        memcpy(o, p, plain);
        o += plain;
        p += plain;
        if (!back) break;
        char c = p[1];
        p += 2;
        if (c == 'u') {
            if (!unicode_escape(&p, close, &o)) return false;
            continue;
        }
        static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
        const char *at = memchr(from, c, 8);
        if (!at) return false;
        *o++ = to[at - from];
    }
    *len = (size_t)(o - out);
    return true;
}

/* A character of four bytes as two \uXXXX. */
static void
put_pair(wr_text *out, const unsigned char *p)
{
    const uint32_t rest = ((uint32_t)(p[0] & 7) << 18 | (uint32_t)(p[1] & 0x3f) << 12 |
                           (uint32_t)(p[2] & 0x3f) << 6 | (uint32_t)(p[3] & 0x3f)) -
                          0x10000;
    wr_text_printf(out, "\\u%04X\\u%04X", 0xd800 + (rest >> 10), 0xdc00 + (rest & 0x3ff));
}

void
wri_json_quote(wr_text *out, wr_str s, bool pairs)
{
    size_t from = 0;
    wr_text_putc(out, '"');
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if (c >= 0xf0 && pairs && s.len - i >= 4) {
            wr_text_put(out, s.ptr + from, i - from);
            put_pair(out, (const unsigned char *)s.ptr + i);
            i += 3;
            from = i + 1;
            continue;
        }
        if (c >= 0x20 && c != '"' && c != '\\') continue;
        wr_text_put(out, s.ptr + from, i - from);
        from = i + 1;
        const char *short_form = c == '"'    ? "\\\""
                                 : c == '\\' ? "\\\\"
                                 : c == '\n' ? "\\n"
                                 : c == '\r' ? "\\r"
                                 : c == '\t' ? "\\t"
                                 : c == '\b' ? "\\b"
                                 : c == '\f' ? "\\f"
                                             : NULL;
        if (short_form)
            wr_text_puts(out, short_form);
        else
            wr_text_printf(out, "\\u%04X", c);
    }
    wr_text_put(out, s.ptr + from, s.len - from);
    wr_text_putc(out, '"');
}

/* ---- the tree -------------------------------------------------------------------------------- */

static const char *
read_string(wri_json *j, const char *p, wr_str *out)
{
    const char *q = p;
    while (q < j->end && *q != '"') q += *q == '\\' ? 2 : 1;
    if (q >= j->end) return broken(j, j->end, "string");
    size_t raw = (size_t)(q - p);
    char *copy = wr_arena_alloc(j->scratch, raw + 16);
    if (!copy) {
        j->err = WRI_JE_NOMEM;
        return NULL;
    }
    if (!wri_format_unescape(p, q, copy, &out->len)) return broken(j, p, "escape");
    if (!wr_utf8_valid(p, raw)) return broken(j, p, "utf8");
    out->ptr = copy;
    return q + 1;
}

/* Where a child of this name is or goes. */
static tree_node **
slot_of(const tree_node *parent, wr_str name)
{
    const uint32_t mask = parent->slot_count - 1;
    uint32_t at = (uint32_t)wr_hash_bytes(name.ptr, name.len, 0) & mask;
    while (parent->slots[at] && !wr_str_eq(parent->slots[at]->name, name)) at = (at + 1) & mask;
    return &parent->slots[at];
}

static bool
make_slots(tree_node *parent, wr_arena *a)
{
    const uint32_t count = WR_MAX(parent->slot_count * 2, FEW_CHILDREN * 4);
    parent->slots = WR_NEW_N(a, tree_node *, count);
    if (!parent->slots) return false;
    parent->slot_count = count;
    for (tree_node *k = parent->first; k; k = k->next) *slot_of(parent, k->name) = k;
    return true;
}

/* The child that has this name already, or NULL. */
static tree_node *
find_child(const tree_node *parent, wr_str name)
{
    if (parent->slots) return *slot_of(parent, name);
    for (tree_node *k = parent->first; k; k = k->next)
        if (wr_str_eq(k->name, name)) return k;
    return NULL;
}

static bool
add_child(tree_node *parent, tree_node *kid, wr_arena *a)
{
    if (parent->kind == '{') {
        tree_node *k = find_child(parent, kid->name);
        if (k) { /* first place, last value */
            k->kind = kid->kind;
            k->text = kid->text;
            k->first = kid->first;
            k->last = kid->last;
            return true;
        }
        if (parent->count >= FEW_CHILDREN && parent->count * 2 >= parent->slot_count &&
            !make_slots(parent, a))
            return false;
        if (parent->slots) *slot_of(parent, kid->name) = kid;
    }
    if (parent->last)
        parent->last->next = kid;
    else
        parent->first = kid;
    parent->last = kid;
    parent->count++;
    return true;
}

/* The number's text as the tree prints it: integers as they are (-0 is 0), others as doubles. */
static wr_str
number_text(wri_json *j, wr_str raw)
{
    bool whole = true;
    for (size_t i = 0; i < raw.len; i++)
        if (strchr(".eE", raw.ptr[i])) whole = false;
    if (whole) return wr_str_eq_c(raw, "-0") ? WR_STR("0") : raw;
    double d;
    char buf[WR_F64_TEXT_MAX + 2];
    if (!wr_f64_parse(raw.ptr, raw.len, &d)) return raw;
    uint32_t n = wr_f64_print(d, buf);
    bool odd = buf[n - 1] == 'y' || buf[n - 1] == 'N'; /* Infinity is a string in JSON */
    return odd ? wr_arena_printf(j->scratch, "\"%.*s\"", (int)n, buf)
               : wr_arena_printf(j->scratch, "%.*s", (int)n, buf);
}

static const char *read_tree(wri_json *j, const char *p, tree_node *out);

static const char *
read_members(wri_json *j, const char *p, tree_node *out)
{
    const char close = out->kind == '{' ? '}' : ']';
    p = skip_blanks(j, p);
    if (*p == close && p < j->end) return p + 1;
    for (;;) {
        tree_node *kid = WR_NEW(j->scratch, tree_node);
        if (!kid) {
            j->err = WRI_JE_NOMEM;
            return NULL;
        }
        if (close == '}') {
            if (*p != '"') return broken(j, p, "name");
            p = read_string(j, p + 1, &kid->name);
            if (!p) return NULL;
            p = skip_blanks(j, p);
            if (*p != ':') return broken(j, p, "colon");
            p++;
        }
        p = read_tree(j, p, kid);
        if (!p) return NULL;
        if (!add_child(out, kid, j->scratch)) {
            j->err = WRI_JE_NOMEM;
            return NULL;
        }
        p = skip_blanks(j, p);
        if (*p == close && p < j->end) return p + 1;
        if (*p != ',') return broken(j, p, close == '}' ? "object" : "array");
        p = skip_blanks(j, p + 1);
    }
}

static const wri_json_fns *
plain_fns(void)
{
    return &wri_json_fns_v1;
}

static const char *
read_tree(wri_json *j, const char *p, tree_node *out)
{
    p = skip_blanks(j, p);
    out->kind = 'r';
    if (p >= j->end) return broken(j, j->end, "value");
    if (*p == '"') {
        out->kind = '"';
        return read_string(j, p + 1, &out->text);
    }
    if (*p == '{' || *p == '[') {
        out->kind = *p;
        if (++j->depth > WRI_JSON_DEPTH_MAX) return broken(j, p, "depth");
        p = read_members(j, p + 1, out);
        j->depth--;
        return p;
    }
    const char *end = plain_fns()->skip(j, p);
    if (!end) return NULL;
    out->text = (wr_str){p, (size_t)(end - p)};
    if (*p == '-' || (*p >= '0' && *p <= '9')) out->text = number_text(j, out->text);
    return end;
}

static void
print_tree(const tree_node *n, wr_text *out)
{
    if (n->kind == 'r') wr_text_put(out, n->text.ptr, n->text.len);
    if (n->kind == '"') wri_json_quote(out, n->text, false);
    if (n->kind != '{' && n->kind != '[') return;
    wr_text_putc(out, n->kind);
    for (const tree_node *k = n->first; k; k = k->next) {
        if (k != n->first) wr_text_putc(out, ',');
        if (n->kind == '{') {
            wri_json_quote(out, k->name, false);
            wr_text_putc(out, ':');
        }
        print_tree(k, out);
    }
    wr_text_putc(out, n->kind == '{' ? '}' : ']');
}

const char *
wri_json_text(wri_json *j, const char *p, wr_arena *a, wr_str *out)
{
    tree_node root;
    memset(&root, 0, sizeof root);
    p = read_tree(j, p, &root);
    if (!p) return NULL;
    wr_text t;
    wr_text_init(&t, a);
    print_tree(&root, &t);
    if (t.failed) {
        j->err = WRI_JE_NOMEM;
        return NULL;
    }
    *out = wr_text_str(&t);
    return p;
}
