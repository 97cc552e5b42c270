/* SPDX-License-Identifier: Apache-2.0 */
/* Filters of JSONPath: [?(@.price < 10 && (@.name =~ /ab+/i || !(@.sold)))]. Comparisons are
 * between numbers or between strings; other pairs are unequal and in no order. */
#include "expr/json_path_int.h"
#include "types/number.h"

#define FILTER_DEPTH_MAX 64u

static wri_jfilter *disjunction(wri_jparse *j);

static bool
eat(wri_jparse *j, const char *text)
{
    size_t n = strlen(text);
    wri_jparse_blanks(j);
    if ((size_t)(j->end - j->p) < n || memcmp(j->p, text, n) != 0) return false;
    j->p += n;
    return true;
}

static wri_jfilter *
new_filter(wri_jparse *j, wri_jop op)
{
    wri_jfilter *f = WR_NEW(j->a, wri_jfilter);
    if (!f)
        j->nomem = true;
    else
        f->op = op;
    return f;
}

static bool
quoted_value(wri_jparse *j, wri_joperand *o)
{
    wr_str s;
    if (!wri_jparse_quoted(j, &s)) return false;
    o->value = (wri_json){.kind = WRI_JSON_STRING, .raw = s};
    return true;
}

static bool
plain_value(wri_jparse *j, wri_joperand *o)
{
    const char *start = j->p;
    while (j->p < j->end && !strchr(" \t\n\r)=!<>&|,", *j->p)) j->p++;
    wr_str s = {start, (size_t)(j->p - start)};
    wri_json *v = NULL;
    if (s.len == 0 || wri_json_parse(j->a, s, &v, NULL) != WRI_JSON_OK) return false;
    o->value = *v;
    return wri_json_is_scalar(v);
}

/* /pattern/flags */
static bool
regex_value(wri_jparse *j, wri_joperand *o)
{
    const char *start = ++j->p;
    while (j->p < j->end && *j->p != '/') j->p += *j->p == '\\' && j->p + 1 < j->end ? 2 : 1;
    if (j->p >= j->end) return false;
    wr_str body = {start, (size_t)(j->p - start)};
    const char *flags = ++j->p;
    while (j->p < j->end && strchr("idmsuxU", *j->p)) j->p++;
    wr_str text = j->p > flags ? wr_arena_printf(j->a, "(?%.*s)\\A(?:%.*s)\\z", (int)(j->p - flags),
                                                 flags, WR_STR_ARG(body))
                               : wr_arena_printf(j->a, "\\A(?:%.*s)\\z", WR_STR_ARG(body));
    if (!text.ptr) {
        j->nomem = true;
        return false;
    }
    if (++j->regex_count > 16) return false;
    wr_ctx_reset(&j->ctx);
    if (!j->regexes && wri_regex_cache_create(&j->ctx, j->a, &j->regexes) != WR_OK) return false;
    if (wri_regex_cache_get(&j->ctx, j->regexes, text, &o->regex) != WR_OK) return false;
    o->kind = WRI_JO_REGEX;
    return !wri_regex_is_bad(o->regex);
}

static bool
operand(wri_jparse *j, wri_joperand *o)
{
    wri_jparse_blanks(j);
    if (j->p == j->end) return false;
    *o = (wri_joperand){.kind = WRI_JO_VALUE};
    char c = *j->p;
    if (c == '@' || c == '$') {
        bool ok = false;
        j->p++;
        o->kind = WRI_JO_PATH;
        o->from_root = c == '$';
        o->steps = wri_jparse_steps(j, true, &ok);
        return ok;
    }
    if (c == '\'' || c == '"') return quoted_value(j, o);
    if (c == '/') return regex_value(j, o);
    return plain_value(j, o);
}

static wri_jfilter *
comparison(wri_jparse *j)
{
    static const struct {
        const char *text;
        wri_jop op;
    } ops[] = {{"==", WRI_JOP_EQ},    {"!=", WRI_JOP_NE}, {"<=", WRI_JOP_LE}, {">=", WRI_JOP_GE},
               {"=~", WRI_JOP_MATCH}, {"<>", WRI_JOP_NE}, {"<", WRI_JOP_LT},  {">", WRI_JOP_GT}};
    wri_jfilter *f = new_filter(j, WRI_JOP_EXISTS);
    if (!f || !operand(j, &f->l)) return NULL;
    for (uint32_t i = 0; i < WR_COUNT(ops); i++) {
        if (!eat(j, ops[i].text)) continue;
        f->op = ops[i].op;
        if (!operand(j, &f->r)) return NULL;
        bool regex = f->r.kind == WRI_JO_REGEX;
        return regex == (f->op == WRI_JOP_MATCH) && f->l.kind != WRI_JO_REGEX ? f : NULL;
    }
    return f->l.kind == WRI_JO_PATH ? f : NULL;
}

static wri_jfilter *
unary(wri_jparse *j)
{
    if (eat(j, "!")) {
        wri_jfilter *f = new_filter(j, WRI_JOP_NOT);
        if (!f || ++j->depth > FILTER_DEPTH_MAX) return NULL;
        f->a = unary(j);
        j->depth--;
        return f->a ? f : NULL;
    }
    if (eat(j, "(")) {
        if (++j->depth > FILTER_DEPTH_MAX) return NULL;
        wri_jfilter *f = disjunction(j);
        j->depth--;
        return f && eat(j, ")") ? f : NULL;
    }
    return comparison(j);
}

static wri_jfilter *
chain(wri_jparse *j, const char *sign, wri_jop op, wri_jfilter *(*next)(wri_jparse *))
{
    wri_jfilter *f = next(j);
    while (f && eat(j, sign)) {
        wri_jfilter *both = new_filter(j, op);
        if (!both) return NULL;
        both->a = f;
        both->b = next(j);
        f = both->b ? both : NULL;
    }
    return f;
}

static wri_jfilter *
conjunction(wri_jparse *j)
{
    return chain(j, "&&", WRI_JOP_AND, unary);
}

static wri_jfilter *
disjunction(wri_jparse *j)
{
    return chain(j, "||", WRI_JOP_OR, conjunction);
}

wri_jfilter *
wri_jparse_filter(wri_jparse *j)
{
    if (++j->depth > FILTER_DEPTH_MAX) return NULL;
    wri_jfilter *f = disjunction(j);
    j->depth--;
    return f && eat(j, ")") ? f : NULL;
}

/* ---- evaluation ------------------------------------------------------------------------------ */

static const wri_json *
operand_value(const wri_joperand *o, const wri_json *root, const wri_json *node, wr_arena *a)
{
    if (o->kind == WRI_JO_VALUE) return &o->value;
    return wri_jsteps_first(o->steps, root, o->from_root ? root : node, a);
}

/* <0 0 >0; *ok false: not comparable. */
static int
compare(const wri_json *l, const wri_json *r, wr_arena *a, bool *ok)
{
    *ok = l && r && l->kind == r->kind;
    if (!*ok) return 1;
    if (l->kind == WRI_JSON_NUMBER) {
        double x = 0, y = 0;
        (void)wr_f64_parse(l->raw.ptr, l->raw.len, &x);
        (void)wr_f64_parse(r->raw.ptr, r->raw.len, &y);
        return x < y ? -1 : x > y;
    }
    if (l->kind == WRI_JSON_STRING) {
        wr_str x = wri_json_unescape(a, l->raw, l->escaped);
        wr_str y = wri_json_unescape(a, r->raw, r->escaped);
        return x.ptr && y.ptr ? wri_json_key_cmp(x, y) : 1;
    }
    *ok = wri_json_is_scalar(l); /* null, true, false: equal to themselves */
    return 0;
}

static bool
is_booleans(const wri_json *l, const wri_json *r)
{
    return l && r && (l->kind == WRI_JSON_TRUE || l->kind == WRI_JSON_FALSE) && l->kind == r->kind;
}

static bool
compares(const wri_jfilter *f, const wri_json *l, const wri_json *r, wr_arena *a)
{
    bool ok = false;
    int c = compare(l, r, a, &ok);
    if (f->op == WRI_JOP_EQ) return (ok && c == 0) || is_booleans(l, r);
    if (f->op == WRI_JOP_NE) return !((ok && c == 0) || is_booleans(l, r));
    if (!ok || (l->kind != WRI_JSON_NUMBER && l->kind != WRI_JSON_STRING)) return false;
    switch (f->op) {
    case WRI_JOP_LT:
        return c < 0;
    case WRI_JOP_LE:
        return c <= 0;
    case WRI_JOP_GT:
        return c > 0;
    case WRI_JOP_GE:
        return c >= 0;
    case WRI_JOP_EXISTS:
    case WRI_JOP_EQ:
    case WRI_JOP_NE:
    case WRI_JOP_MATCH:
    case WRI_JOP_AND:
    case WRI_JOP_OR:
    case WRI_JOP_NOT:
        break;
    }
    return false;
}

bool
wri_jfilter_accepts(const wri_jfilter *f, const wri_json *root, const wri_json *node, wr_arena *a)
{
    bool hit = false;
    if (f->op == WRI_JOP_AND)
        return wri_jfilter_accepts(f->a, root, node, a) && wri_jfilter_accepts(f->b, root, node, a);
    if (f->op == WRI_JOP_OR)
        return wri_jfilter_accepts(f->a, root, node, a) || wri_jfilter_accepts(f->b, root, node, a);
    if (f->op == WRI_JOP_NOT) return !wri_jfilter_accepts(f->a, root, node, a);
    const wri_json *l = operand_value(&f->l, root, node, a);
    if (f->op == WRI_JOP_EXISTS) return l != NULL;
    if (f->op == WRI_JOP_MATCH) {
        if (!l || !wri_json_is_scalar(l) || l->kind == WRI_JSON_NULL) return false;
        wr_str s = l->kind == WRI_JSON_STRING ? wri_json_unescape(a, l->raw, l->escaped) : l->raw;
        return s.ptr && wri_regex_find(f->r.regex, s, 0, &hit) == WRI_REGEX_OK && hit;
    }
    return compares(f, l, operand_value(&f->r, root, node, a), a);
}
