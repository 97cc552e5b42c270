/* SPDX-License-Identifier: Apache-2.0 */
/* Types in files of our own: the root's name, its numbers in parentheses, children in angle
 * brackets, a time attribute behind '@', and '!' for NOT NULL. Unlike SQL text it keeps everything
 * (time attributes, interval qualifiers, field comments) and needs no parser of SQL.
 *
 *   type  := NAME [ '(' number {',' number} ')' ] [ '<' field {',' field} '>' ] [ '"' class '"' ]
 *            [ '@' (R|P) ] [ '!' ]
 *   field := [ "name" ' ' ] type [ ' ' "comment" ] */
#include "types/types.h"

#define DEPTH_MAX 200u

static const char *const names[] = {
#define X(id, name, phys, family) #id,
#include "types/types.def"
#undef X
};

/* ---- writing --------------------------------------------------------------------------------- */

void
wr_quoted_put(wr_str s, wr_text *t)
{
    wr_text_putc(t, '"');
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if (c == '"' || c == '\\') {
            wr_text_putc(t, '\\');
            wr_text_putc(t, (char)c);
        } else if (c == '\n') {
            wr_text_puts(t, "\\n");
        } else if (c < 0x20 || c == 0x7f) {
            wr_text_printf(t, "\\x%02x", c);
        } else {
            wr_text_putc(t, (char)c);
        }
    }
    wr_text_putc(t, '"');
}

static bool
has_names(const wr_type *t)
{
    return wr_type_is(t, WR_T_ROW) || wr_type_is(t, WR_T_STRUCTURED);
}

static void
put_numbers(const wr_type *t, wr_text *text)
{
    switch ((wr_family)wr_type_family(t)) {
    case WR_FAM_STRING:
    case WR_FAM_BINARY:
        wr_text_printf(text, "(%d)", t->length);
        break;
    case WR_FAM_INTERVAL:
        wr_text_printf(text, "(%d,%d,%d,%d)", t->unit_from, t->unit_to, t->precision, t->scale);
        break;
    case WR_FAM_EXACT:
        if (wr_type_is(t, WR_T_DECIMAL)) wr_text_printf(text, "(%d,%d)", t->precision, t->scale);
        break;
    case WR_FAM_DATETIME:
        if (!wr_type_is(t, WR_T_DATE)) wr_text_printf(text, "(%d)", t->precision);
        break;
    case WR_FAM_NULL:
    case WR_FAM_BOOLEAN:
    case WR_FAM_APPROX:
    case WR_FAM_COLLECTION:
    case WR_FAM_STRUCT:
    case WR_FAM_OTHER:
        break;
    }
}

void
wr_type_encode(const wr_type *t, wr_text *text)
{
    wr_text_puts(text, names[t->id]);
    put_numbers(t, text);
    if (t->field_count || has_names(t)) wr_text_putc(text, '<');
    for (uint32_t i = 0; i < t->field_count; i++) {
        const wr_field *f = &t->fields[i];
        if (i) wr_text_putc(text, ',');
        if (has_names(t)) {
            wr_quoted_put(f->name, text);
            wr_text_putc(text, ' ');
        }
        wr_type_encode(f->type, text);
        if (has_names(t) && f->comment.len) {
            wr_text_putc(text, ' ');
            wr_quoted_put(f->comment, text);
        }
    }
    if (t->field_count || has_names(t)) wr_text_putc(text, '>');
    if (t->class_name.len) wr_quoted_put(t->class_name, text);
    if (t->attr == WR_ATTR_ROWTIME) wr_text_puts(text, "@R");
    if (t->attr == WR_ATTR_PROCTIME) wr_text_puts(text, "@P");
    if (!t->nullable) wr_text_putc(text, '!');
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct reader {
    wr_arena *a;
    const char *p, *end;
    uint32_t depth;
    bool *no_memory;
} reader;

/* Notes an allocation that failed, so that it is not taken for a malformed text. */
static const wr_type *
made(reader *r, const wr_type *t)
{
    if (!t) *r->no_memory = true;
    return t;
}

static bool
take(reader *r, char c)
{
    if (r->p == r->end || *r->p != c) return false;
    r->p++;
    return true;
}

static int
hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool
unescape(const char **p, const char *end, char *out)
{
    if (*p == end) return false;
    char c = *(*p)++;
    if (c == '"' || c == '\\') {
        *out = c;
        return true;
    }
    if (c == 'n') {
        *out = '\n';
        return true;
    }
    if (c != 'x' || end - *p < 2) return false;
    int hi = hex_digit((*p)[0]), lo = hex_digit((*p)[1]);
    *p += 2;
    *out = (char)(hi * 16 + lo);
    return hi >= 0 && lo >= 0;
}

bool
wr_quoted_take(wr_arena *a, const char **p, const char *end, wr_str *out, bool *no_memory)
{
    if (*p == end || **p != '"') return false;
    ++*p;
    const char *close = *p;
    while (close < end && *close != '"') close += *close == '\\' ? 2 : 1;
    if (close >= end) return false;
    char *buf = wr_arena_alloc(a, (size_t)(close - *p) + 1);
    size_t n = 0;
    if (!buf) {
        *no_memory = true;
        return false;
    }
    while (*p < end && **p != '"') {
        char c = *(*p)++;
        if (c == '\\' && !unescape(p, end, &c)) return false;
        buf[n++] = c;
    }
    if (*p == end) return false;
    ++*p;
    *out = (wr_str){buf, n};
    return true;
}

static bool
read_numbers(reader *r, int64_t *numbers, uint32_t *count)
{
    *count = 0;
    if (!take(r, '(')) return true;
    do {
        int64_t v = 0;
        bool neg = take(r, '-');
        if (*count == 4 || r->p == r->end || *r->p < '0' || *r->p > '9') return false;
        while (r->p < r->end && *r->p >= '0' && *r->p <= '9' && v < INT32_MAX)
            v = v * 10 + (*r->p++ - '0');
        if (v > INT32_MAX) return false;
        numbers[(*count)++] = neg ? -v : v;
    } while (take(r, ','));
    return take(r, ')');
}

static bool
read_name(reader *r, wr_type_id *id)
{
    const char *start = r->p;
    while (r->p < r->end && ((*r->p >= 'A' && *r->p <= 'Z') || *r->p == '_')) r->p++;
    wr_str name = {start, (size_t)(r->p - start)};
    for (uint32_t i = 0; i < WR_COUNT(names); i++)
        if (wr_str_eq_c(name, names[i])) {
            *id = (wr_type_id)i;
            return true;
        }
    return false;
}

static const wr_type *read_type(reader *r);

static bool
read_fields(reader *r, bool named, wr_field **fields, uint32_t *count)
{
    WR_LIST(wr_field) list = {0};
    *fields = NULL;
    *count = 0;
    if (!take(r, '<')) return true;
    if (take(r, '>')) return true;
    do {
        wr_field f = {.comment = WR_STR("")};
        if (named && (!wr_quoted_take(r->a, &r->p, r->end, &f.name, r->no_memory) || !take(r, ' ')))
            return false;
        f.type = read_type(r);
        if (!f.type) return false;
        if (named && take(r, ' ') && !wr_quoted_take(r->a, &r->p, r->end, &f.comment, r->no_memory))
            return false;
        if (!wr_list_push(r->a, &list, f)) {
            *r->no_memory = true;
            return false;
        }
    } while (take(r, ','));
    *fields = list.items;
    *count = list.count;
    return take(r, '>');
}

static const wr_type *
make(reader *r, wr_type_id id, const int64_t *n, uint32_t numbers, const wr_field *f,
     uint32_t fields)
{
    wr_arena *a = r->a;
    switch ((int)id) {
    case WR_T_DECIMAL:
        return numbers == 2 ? made(r, wr_type_decimal(a, (int)n[0], (int)n[1], true)) : NULL;
    case WR_T_CHAR:
    case WR_T_VARCHAR:
    case WR_T_BINARY:
    case WR_T_VARBINARY:
        return numbers == 1 ? made(r, wr_type_char(a, id, (int32_t)n[0], true)) : NULL;
    case WR_T_TIME:
    case WR_T_TIMESTAMP:
    case WR_T_TIMESTAMP_LTZ:
        return numbers == 1 ? made(r, wr_type_time(a, id, (int)n[0], true)) : NULL;
    case WR_T_INTERVAL_YM:
    case WR_T_INTERVAL_DT:
        return numbers == 4 && n[0] > WR_UNIT_NONE && n[0] <= WR_UNIT_MILLENNIUM && n[1] >= 0 &&
                       n[1] <= WR_UNIT_MILLENNIUM
                   ? made(r, wr_type_interval(a, (wr_unit)n[0], (wr_unit)n[1], (int)n[2], (int)n[3],
                                              true))
                   : NULL;
    case WR_T_ARRAY:
        return fields == 1 ? made(r, wr_type_array(a, f[0].type, true)) : NULL;
    case WR_T_MULTISET:
        return fields == 1 ? made(r, wr_type_multiset(a, f[0].type, true)) : NULL;
    case WR_T_MAP:
        return fields == 2 ? made(r, wr_type_map(a, f[0].type, f[1].type, true)) : NULL;
    case WR_T_ROW:
        return made(r, wr_type_row(a, f, fields, true));
    case WR_T_STRUCTURED:
        return made(r, wr_type_structured(a, WR_STR(""), f, fields, true));
    default:
        return numbers || fields ? NULL : wr_type_of(id, true);
    }
}

static const wr_type *
finish(reader *r, const wr_type *t)
{
    if (t && r->p < r->end && *r->p == '"') {
        wr_type *c = WR_NEW(r->a, wr_type);
        if (!made(r, c)) return NULL;
        *c = *t;
        if (!wr_quoted_take(r->a, &r->p, r->end, &c->class_name, r->no_memory)) return NULL;
        t = c;
    }
    if (t && take(r, '@')) {
        if (take(r, 'R'))
            t = made(r, wr_type_attr(r->a, t, WR_ATTR_ROWTIME));
        else
            t = take(r, 'P') ? made(r, wr_type_attr(r->a, t, WR_ATTR_PROCTIME)) : NULL;
    }
    return t && take(r, '!') ? made(r, wr_type_nullable(r->a, t, false)) : t;
}

static const wr_type *
read_type(reader *r)
{
    wr_type_id id;
    int64_t numbers[4];
    uint32_t n, fields;
    wr_field *f;
    if (r->depth == DEPTH_MAX || !read_name(r, &id) || !read_numbers(r, numbers, &n)) return NULL;
    r->depth++;
    bool ok = read_fields(r, id == WR_T_ROW || id == WR_T_STRUCTURED, &f, &fields);
    r->depth--;
    return ok ? finish(r, make(r, id, numbers, n, f, fields)) : NULL;
}

const wr_type *
wr_type_decode(wr_arena *a, wr_str text, bool *no_memory)
{
    reader r = {.a = a, .p = text.ptr, .end = text.ptr + text.len, .no_memory = no_memory};
    const wr_type *t = read_type(&r);
    return r.p == r.end ? t : NULL;
}
