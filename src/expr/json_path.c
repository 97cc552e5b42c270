/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing of JSONPath: "[lax|strict] $.a['b'][0]..c[?(@.d > 1)].length()". The dialect is that of
 * Flink's SQL functions: strict unless "lax" is written; a path may lack its leading "$.". */
#include "expr/json_path_int.h"

void
wri_jparse_blanks(wri_jparse *j)
{
    while (j->p < j->end && (*j->p == ' ' || *j->p == '\t' || *j->p == '\n' || *j->p == '\r'))
        j->p++;
}

static bool
at(const wri_jparse *j, char c)
{
    return j->p < j->end && *j->p == c;
}

static wri_jstep *
new_step(wri_jparse *j, wri_jstep_kind kind)
{
    wri_jstep *s = WR_NEW(j->a, wri_jstep);
    if (!s)
        j->nomem = true;
    else
        s->kind = kind;
    return s;
}

bool
wri_jparse_quoted(wri_jparse *j, wr_str *out)
{
    char quote = *j->p++;
    const char *start = j->p;
    char *buf = wr_arena_alloc(j->a, (size_t)(j->end - start) + 4);
    if (!buf) {
        j->nomem = true;
        return false;
    }
    size_t n = 0;
    while (j->p < j->end && *j->p != quote) {
        char c = *j->p++;
        if (c == '\\') {
            if (j->p == j->end) return false;
            c = *j->p++;
            if (c == 'u' && j->end - j->p >= 4) {
                char esc[6] = {'\\', 'u', j->p[0], j->p[1], j->p[2], j->p[3]};
                for (int i = 2; i < 6; i++)
                    if (!strchr("0123456789abcdefABCDEF", esc[i]) || !esc[i]) return false;
                n += wri_json_decode(buf + n, (wr_str){esc, 6});
                j->p += 4;
                continue;
            }
            static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
            const char *k = c ? strchr(from, c) : NULL;
            if (k) c = to[k - from];
        }
        buf[n++] = c;
    }
    if (j->p == j->end) return false;
    j->p++;
    *out = (wr_str){buf, n};
    return true;
}

static bool
integer(wri_jparse *j, int64_t *out)
{
    bool neg = at(j, '-');
    if (neg) j->p++;
    const char *start = j->p;
    int64_t v = 0;
    for (; j->p < j->end && *j->p >= '0' && *j->p <= '9'; j->p++)
        if (v < 1000000000000) v = v * 10 + (*j->p - '0');
    *out = neg ? -v : v;
    return j->p > start;
}

/* ['a', "b"] after the bracket */
static wri_jstep *
bracket_keys(wri_jparse *j)
{
    wri_jstep *s = new_step(j, WRI_JS_PROP);
    if (!s) return NULL;
    WR_LIST(wr_str) keys = {0};
    for (;;) {
        wr_str key;
        wri_jparse_blanks(j);
        if (!at(j, '\'') && !at(j, '"')) return NULL;
        if (!wri_jparse_quoted(j, &key)) return NULL;
        if (!wr_list_push(j->a, &keys, key)) {
            j->nomem = true;
            return NULL;
        }
        wri_jparse_blanks(j);
        if (at(j, ']')) break;
        if (!at(j, ',')) return NULL;
        j->p++;
    }
    s->keys = keys.items;
    s->count = keys.count;
    return s;
}

/* [1], [0,2], [1:3] after the bracket */
static wri_jstep *
bracket_numbers(wri_jparse *j)
{
    WR_LIST(int64_t) list = {0};
    int64_t v = 0;
    wri_jparse_blanks(j);
    bool has_from = integer(j, &v);
    wri_jparse_blanks(j);
    if (at(j, ':')) {
        wri_jstep *s = new_step(j, WRI_JS_SLICE);
        if (!s) return NULL;
        j->p++;
        s->has_from = has_from;
        s->from = v;
        wri_jparse_blanks(j);
        s->has_to = integer(j, &s->to);
        wri_jparse_blanks(j);
        return s;
    }
    wri_jstep *s = new_step(j, WRI_JS_INDEX);
    if (!s || !has_from) return NULL;
    for (;;) {
        if (!wr_list_push(j->a, &list, v)) {
            j->nomem = true;
            return NULL;
        }
        if (!at(j, ',')) break;
        j->p++;
        wri_jparse_blanks(j);
        if (!integer(j, &v)) return NULL;
        wri_jparse_blanks(j);
    }
    s->indexes = list.items;
    s->count = list.count;
    return s;
}

static wri_jstep *
bracket(wri_jparse *j) /* after '[' */
{
    wri_jstep *s = NULL;
    wri_jparse_blanks(j);
    if (j->p == j->end) return NULL;
    if (*j->p == '\'' || *j->p == '"') {
        s = bracket_keys(j);
    } else if (*j->p == '*') {
        j->p++;
        s = new_step(j, WRI_JS_WILDCARD);
    } else if (*j->p == '?') {
        j->p++;
        wri_jparse_blanks(j);
        if (!at(j, '(')) return NULL;
        j->p++;
        wri_jfilter *f = wri_jparse_filter(j);
        s = f ? new_step(j, WRI_JS_FILTER) : NULL;
        if (s) s->filter = f;
    } else {
        s = bracket_numbers(j);
    }
    if (!s) return NULL;
    wri_jparse_blanks(j);
    if (!at(j, ']')) return NULL;
    j->p++;
    return s;
}

static wri_jstep *
function(wri_jparse *j, wr_str name) /* after '(' */
{
    static const char *const names[] = {"length", "min",  "max",   "avg", "sum",
                                        "stddev", "keys", "first", "last"};
    wri_jparse_blanks(j);
    if (!at(j, ')')) return NULL;
    j->p++;
    if (wr_str_eq_c(name, "size")) name = WR_STR("length");
    for (uint32_t i = 0; i < WRI_JFN_COUNT; i++) {
        if (!wr_str_eq_c(name, names[i])) continue;
        wri_jstep *s = new_step(j, WRI_JS_FUNCTION);
        if (s) s->fn = (wri_jfn)i;
        return s;
    }
    return NULL;
}

static bool
ends_name(const wri_jparse *j, bool in_filter)
{
    char c = *j->p;
    if (c == '.' || c == '[' || c == '(') return true;
    return in_filter && (strchr(" \t\n\r)=!<>&|,", c) != NULL);
}

/* A name or * after a dot. */
static wri_jstep *
dotted(wri_jparse *j, bool in_filter)
{
    const char *start = j->p;
    while (j->p < j->end && !ends_name(j, in_filter)) {
        if (*j->p == ' ') return NULL; /* names with blanks take brackets */
        j->p++;
    }
    wr_str name = {start, (size_t)(j->p - start)};
    if (name.len == 0) return NULL;
    if (at(j, '(')) {
        j->p++;
        return function(j, name);
    }
    if (wr_str_eq_c(name, "*")) return new_step(j, WRI_JS_WILDCARD);
    wri_jstep *s = new_step(j, WRI_JS_PROP);
    if (!s) return NULL;
    s->keys = WR_NEW(j->a, wr_str);
    if (!s->keys) {
        j->nomem = true;
        return NULL;
    }
    *s->keys = name;
    s->count = 1;
    return s;
}

wri_jstep *
wri_jparse_steps(wri_jparse *j, bool in_filter, bool *ok)
{
    wri_jstep *first = NULL, **tail = &first;
    *ok = false;
    while (j->p < j->end && (*j->p == '.' || *j->p == '[')) {
        wri_jstep *s = NULL;
        if (*j->p == '.') {
            j->p++;
            if (at(j, '.')) {
                j->p++;
                s = new_step(j, WRI_JS_SCAN);
                if (!s || j->p == j->end || *j->p == '.') return NULL;
                *tail = s;
                tail = &s->next;
            }
        }
        if (at(j, '[')) {
            j->p++;
            s = bracket(j);
        } else {
            s = dotted(j, in_filter);
        }
        if (!s) return NULL;
        *tail = s;
        tail = &s->next;
    }
    *ok = true;
    return first;
}

/* Can there be more than one result? A function folds what came before into one. */
static bool
is_definite(const wri_jstep *s)
{
    bool definite = true;
    for (; s; s = s->next) {
        switch (s->kind) {
        case WRI_JS_PROP:
            if (s->count > 1 && s->next) definite = false;
            break;
        case WRI_JS_INDEX:
            if (s->count > 1) definite = false;
            break;
        case WRI_JS_WILDCARD:
        case WRI_JS_SLICE:
        case WRI_JS_SCAN:
        case WRI_JS_FILTER:
            definite = false;
            break;
        case WRI_JS_FUNCTION:
            definite = true;
            break;
        }
    }
    return definite;
}

/* Strip "lax " or "strict " (any case, blanks around). */
static wr_str
strip_mode(wr_str s, bool *lax)
{
    static const char *const words[] = {"lax", "strict"};
    *lax = false;
    while (s.len && (unsigned char)s.ptr[0] <= ' ') s.ptr++, s.len--;
    while (s.len && (unsigned char)s.ptr[s.len - 1] <= ' ') s.len--;
    for (uint32_t i = 0; i < 2; i++) {
        size_t n = strlen(words[i]);
        if (s.len <= n || (unsigned char)s.ptr[n] > ' ') continue;
        if (!wr_str_eq_nocase((wr_str){s.ptr, n}, wr_str_c(words[i]))) continue;
        *lax = i == 0;
        s.ptr += n;
        s.len -= n;
        while (s.len && (unsigned char)s.ptr[0] <= ' ') s.ptr++, s.len--;
        break;
    }
    return s;
}

wri_jpath *
wri_jpath_compile(wr_arena *a, wr_str spec)
{
    wri_jpath *p = WR_NEW(a, wri_jpath);
    if (!p) return NULL;
    wr_str path = strip_mode(spec, &p->lax);
    p->bad_text = wr_arena_str(a, spec);
    path = wr_arena_str(a, path); /* step names point into it */
    if (!p->bad_text.ptr || !path.ptr) return NULL;
    wri_jparse j = {.p = path.ptr, .end = path.ptr + path.len, .a = a};
    bool ok = path.len > 0;
    if (ok && (*j.p == '$' || *j.p == '@')) {
        j.p++;
    } else if (ok) { /* "a.b" means "$.a.b" */
        wri_jstep *first = dotted(&j, false);
        bool rest_ok = false;
        wri_jstep *rest = first ? wri_jparse_steps(&j, false, &rest_ok) : NULL;
        if (first) first->next = rest;
        p->steps = first;
        ok = first && rest_ok;
    }
    if (ok && !p->steps) p->steps = wri_jparse_steps(&j, false, &ok);
    if (j.nomem) return NULL;
    p->bad = !ok || j.p < j.end;
    p->definite = is_definite(p->steps);
    return p;
}

bool
wri_jpath_is_lax(const wri_jpath *p)
{
    return p->lax;
}
