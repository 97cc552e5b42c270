/* SPDX-License-Identifier: Apache-2.0 */
/* LIKE and SIMILAR TO. A constant pattern is compiled once (prepare); otherwise the pattern of the
 * row is compiled, and kept while the next rows have the same one. SIMILAR TO is translated to a
 * regular expression of Java's dialect, with Flink's rules: '.' is not special to SQL and so keeps
 * its meaning there. */
#include "expr/fn_int.h"
#include "expr/regex_int.h"
#include "expr/str_int.h"

wr_status
wri_r_like(wr_ctx *ctx, wr_fn_bind *b)
{
    for (uint32_t i = 0; i < b->arg_count; i++)
        if (!wr_type_is_string(b->arg_types[i]) && !wr_type_is(b->arg_types[i], WR_T_NULL))
            return wri_refuse(ctx, b, NULL);
    return wri_result_id(ctx, b, WR_T_BOOLEAN);
}

#define NO_ESCAPE UINT32_MAX

/* The escape character: none for the empty string; false when it is longer than one. */
static bool
escape_of(wr_str s, uint32_t *out)
{
    *out = NO_ESCAPE;
    if (s.len == 0) return true;
    const char *p = s.ptr;
    *out = wr_utf8_next(&p, s.ptr + s.len);
    return p == s.ptr + s.len;
}

static wr_status
bad_like(wr_ctx *ctx, wr_span span, wr_str pattern, uint32_t at)
{
    return wr_raise_at(ctx, WR_DATA, span, "Invalid escape sequence '%.*s', %u",
                       WR_STR_ARG(pattern), at);
}

static wr_status
bad_escape(wr_ctx *ctx, wr_span span, wr_str esc)
{
    return wr_raise_at(ctx, WR_DATA, span, "Invalid escape character '%.*s'", WR_STR_ARG(esc));
}

/* ---- LIKE ------------------------------------------------------------------------------------ */

wr_status
wri_p_like(wr_ctx *ctx, const wr_expr *call, const wr_eval_env *env, wr_arena *arena,
           void **state_out)
{
    (void)env;
    wr_str pattern, esc = {"", 0};
    uint32_t cp = NO_ESCAPE, at = 0;
    *state_out = NULL;
    if (!wri_const_str(call, 1, &pattern)) return WR_OK;
    if (call->arg_count > 2 && !wri_const_str(call, 2, &esc)) return WR_OK;
    if (!escape_of(esc, &cp)) return bad_escape(ctx, call->args[2]->span, esc);
    wri_like *l = WR_NEW(arena, wri_like);
    WR_TRY_ALLOC(ctx, l);
    switch (wri_like_compile(l, pattern, cp, arena, &at)) {
    case WRI_LIKE_NOMEM:
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    case WRI_LIKE_BAD:
        return bad_like(ctx, call->args[1]->span, pattern, at);
    case WRI_LIKE_OK:
        break;
    }
    *state_out = l;
    return WR_OK;
}

typedef struct row_pattern { /* the pattern and escape of the last row */
    wr_str pattern, esc;
    bool valid;
    wri_like like;
} row_pattern;

/* Compile the pattern of this row unless it is the last one's; *ok false: a row error was set. */
static wr_status
row_compile(wr_fn_call *call, uint32_t row, wr_str pattern, wr_str esc, row_pattern *last, bool *ok)
{
    *ok = true;
    if (last->valid && wr_str_eq(last->pattern, pattern) && wr_str_eq(last->esc, esc)) return WR_OK;
    last->valid = false;
    uint32_t cp = NO_ESCAPE, at = 0;
    if (!escape_of(esc, &cp)) {
        wr_row_err(call->errs, row, WR_DATA, "Invalid escape character '%.*s'", WR_STR_ARG(esc));
        *ok = false;
        return WR_OK;
    }
    switch (wri_like_compile(&last->like, pattern, cp, call->arena, &at)) {
    case WRI_LIKE_NOMEM:
        return WRI_NOMEM(call);
    case WRI_LIKE_BAD:
        wr_row_err(call->errs, row, WR_DATA, "Invalid escape sequence '%.*s', %u",
                   WR_STR_ARG(pattern), at);
        *ok = false;
        return WR_OK;
    case WRI_LIKE_OK:
        break;
    }
    last->pattern = pattern;
    last->esc = esc;
    last->valid = true;
    return WR_OK;
}

static wr_status
like_varying(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0), p = wri_view(call, 1), e = {0};
    if (call->arg_count > 2) e = wri_view(call, 2);
    row_pattern last = {0};
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        bool ok = false;
        wr_str esc = call->arg_count > 2 ? wr_view_str(&e, row) : (wr_str){"", 0};
        WR_TRY(row_compile(call, row, wr_view_str(&p, row), esc, &last, &ok));
        if (!ok) {
            wri_null(call, row);
            continue;
        }
        WRI_OUT(call, uint8_t)[row] = wri_like_match(&last.like, wr_view_str(&s, row));
    }
    return WR_OK;
}

wr_status
wri_k_like(wr_fn_call *call)
{
    const wri_like *l = call->state;
    if (!l) return like_varying(call);
    wr_view s = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        WRI_OUT(call, uint8_t)[row] = wri_like_match(l, wr_view_str(&s, row));
    }
    return WR_OK;
}

/* ---- SIMILAR TO ------------------------------------------------------------------------------ */

typedef enum similar_status { SIMILAR_OK, SIMILAR_BAD_ESCAPE, SIMILAR_BAD } similar_status;

typedef struct similar { /* translating SQL pattern s to a regular expression in out */
    const char *start, *s, *end;
    uint32_t esc, at; /* at = code point index, for messages */
    bool in_class;
    wr_text *out;
} similar;

static bool
one_of(const char *set, uint32_t cp)
{
    return cp != 0 && cp < 0x80 && strchr(set, (int)cp) != NULL;
}

static void
put_cp(wr_text *t, uint32_t cp)
{
    char buf[4];
    wr_text_put(t, buf, wr_utf8_put(buf, cp));
}

static similar_status
similar_escaped(similar *m)
{
    if (m->s == m->end) return SIMILAR_BAD_ESCAPE;
    uint32_t next = wr_utf8_next(&m->s, m->end);
    if (next != m->esc && !one_of("[]()|^-+*_%?{}", next)) return SIMILAR_BAD_ESCAPE;
    if (one_of("[]()|^-+*?{}$\\.&", next)) wr_text_putc(m->out, '\\');
    put_cp(m->out, next);
    return SIMILAR_OK;
}

static bool
similar_posix(similar *m)
{
    static const char *const names[] = {"ALPHA", "Alpha", "UPPER",      "Upper", "LOWER",
                                        "Lower", "DIGIT", "Digit",      "SPACE", "Space",
                                        "ALNUM", "Alnum", "WHITESPACE", "Space"};
    wr_str rest = {m->s + 1, (size_t)(m->end - m->s - 1)};
    for (uint32_t i = 0; i < WR_COUNT(names); i += 2) {
        wr_str name = wr_str_c(names[i]);
        if (rest.len < name.len + 2 || memcmp(rest.ptr + name.len, ":]", 2) != 0) continue;
        if (!wr_str_eq_nocase((wr_str){rest.ptr, name.len}, name)) continue;
        wr_text_printf(m->out, i + 2 == WR_COUNT(names) ? "\\s" : "\\p{%s}", names[i + 1]);
        m->s += 1 + name.len + 2;
        return true;
    }
    return false;
}

/* After '[': up to the closing one, which stays. */
static similar_status
similar_class(similar *m)
{
    while (m->s < m->end) {
        const char *start = m->s;
        uint32_t cp = wr_utf8_next(&m->s, m->end);
        if (cp == ']') {
            m->s = start;
            return SIMILAR_OK;
        }
        if (cp == m->esc) {
            similar_status st = similar_escaped(m);
            if (st != SIMILAR_OK) return st;
        } else if (cp == '[' && m->s < m->end && *m->s == ':') {
            if (!similar_posix(m)) return SIMILAR_BAD;
        } else if (cp != '-' && cp != '^' && one_of("[]()|^-+*_%?{}", cp)) {
            return SIMILAR_BAD;
        } else {
            if (cp == '\\' || cp == '&') wr_text_putc(m->out, '\\');
            put_cp(m->out, cp);
        }
    }
    return SIMILAR_OK;
}

static similar_status
similar_translate(similar *m)
{
    for (; m->s < m->end; m->at++) {
        uint32_t cp = wr_utf8_next(&m->s, m->end);
        similar_status st = SIMILAR_OK;
        if (cp == m->esc) {
            st = similar_escaped(m);
            if (st == SIMILAR_OK) m->at++;
        } else if (cp == '_') {
            wr_text_puts(m->out, "(?s:.)");
        } else if (cp == '%') {
            wr_text_puts(m->out, "(?s:.*)");
        } else if (cp == '[') {
            wr_text_putc(m->out, '[');
            m->in_class = true;
            st = similar_class(m);
        } else if (cp == ']') {
            if (!m->in_class) return SIMILAR_BAD;
            m->in_class = false;
            wr_text_putc(m->out, ']');
        } else {
            if (cp == '\\' || cp == '$') wr_text_putc(m->out, '\\');
            put_cp(m->out, cp);
        }
        if (st != SIMILAR_OK) return st;
    }
    return m->in_class ? SIMILAR_BAD : SIMILAR_OK;
}

wr_status
wri_p_similar(wr_ctx *ctx, const wr_expr *call, const wr_eval_env *env, wr_arena *arena,
              void **state_out)
{
    (void)call, (void)env;
    wri_regex_cache *cache = NULL;
    WR_TRY(wri_regex_cache_create(ctx, arena, &cache));
    *state_out = cache;
    return WR_OK;
}

/* The compiled pattern of this row; NULL when a row error was set. */
static wr_status
similar_compile(wr_fn_call *call, uint32_t row, wr_str pattern, wr_str esc, wri_regex **out)
{
    *out = NULL;
    wr_text t;
    wr_text_init(&t, call->arena);
    similar m = {
        .start = pattern.ptr, .s = pattern.ptr, .end = pattern.ptr + pattern.len, .out = &t};
    if (!escape_of(esc, &m.esc)) {
        wr_row_err(call->errs, row, WR_DATA, "Invalid escape character '%.*s'", WR_STR_ARG(esc));
        return WR_OK;
    }
    wr_text_puts(&t, "\\A(?:");
    similar_status st = similar_translate(&m);
    wr_text_puts(&t, ")\\z");
    if (t.failed) return wr_text_raise(call->ctx, &t);
    if (st == SIMILAR_BAD_ESCAPE) {
        wr_row_err(call->errs, row, WR_DATA, "Invalid escape sequence '%.*s', %u",
                   WR_STR_ARG(pattern), m.at);
        return WR_OK;
    }
    wri_regex *re = NULL;
    if (st == SIMILAR_OK) WR_TRY(wri_regex_cache_get(call->ctx, call->state, wr_text_str(&t), &re));
    if (!re || wri_regex_is_bad(re)) {
        wr_row_err(call->errs, row, WR_DATA, "Invalid regular expression '%.*s'",
                   WR_STR_ARG(pattern));
        return WR_OK;
    }
    *out = re;
    return WR_OK;
}

wr_status
wri_k_similar(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0), p = wri_view(call, 1), e = {0};
    if (call->arg_count > 2) e = wri_view(call, 2);
    wr_str last = {NULL, 0}, last_esc = {NULL, 0};
    wri_regex *re = NULL;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str pattern = wr_view_str(&p, row);
        wr_str esc = call->arg_count > 2 ? wr_view_str(&e, row) : (wr_str){"", 0};
        if (!re || !wr_str_eq(pattern, last) || !wr_str_eq(esc, last_esc)) {
            WR_TRY(similar_compile(call, row, pattern, esc, &re));
            last = pattern;
            last_esc = esc;
        }
        bool hit = false;
        if (re && wri_regex_find(re, wr_view_str(&s, row), 0, &hit) != WRI_REGEX_OK) {
            wr_row_err(call->errs, row, WR_LIMIT, WRI_REGEX_LIMIT_TEXT);
            re = NULL;
        }
        if (re)
            WRI_OUT(call, uint8_t)[row] = hit;
        else
            wri_null(call, row);
    }
    return WR_OK;
}
