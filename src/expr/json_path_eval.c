/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluation of JSONPath over the tree of json_int.h. In strict mode a definite prefix that leads
 * nowhere is an error; below a wildcard, filter or scan, what does not fit is passed over. In lax
 * mode nothing is an error. */
#include "expr/json_path_int.h"
#include "types/number.h"

#include <math.h>
#include <stdio.h>

#define STEPS_MAX 10000000u

typedef struct walk {
    const wri_json *root;
    wr_arena *a;
    WR_LIST(const wri_json *) found;
    bool lax, nomem, failed;
    bool first_only; /* stop at the first result */
    uint32_t depth;
    uint32_t steps; /* scans of scans multiply: bounded */
    wri_json_error *why;
    wr_text path; /* of the definite prefix, for messages */
} walk;

static void eval(walk *w, const wri_jstep *s, const wri_json *v, bool definite);

static void
found(walk *w, const wri_json *v)
{
    if (!wr_list_push(w->a, &w->found, v)) w->nomem = true;
}

static bool
stop(const walk *w)
{
    return w->nomem || w->failed || (w->first_only && w->found.count > 0);
}

static const char *
kind_name(const wri_json *v)
{
    static const char *const names[] = {"null",     "a boolean", "a boolean", "a number",
                                        "a string", "an array",  "an object"};
    return names[v->kind];
}

static void
fail(walk *w, const char *before, wr_str path, const char *after)
{
    if (w->lax) return;
    w->failed = true;
    if (w->why)
        (void)snprintf(w->why->text, sizeof w->why->text, "%s%.*s%s", before,
                       (int)WR_MIN(path.len, 100u), path.ptr ? path.ptr : "", after);
}

static void
path_key(walk *w, wr_str key)
{
    if (!w->why || w->lax) return;
    wr_text_puts(&w->path, "['");
    wr_text_put(&w->path, key.ptr, key.len);
    wr_text_puts(&w->path, "']");
}

/* ---- properties ------------------------------------------------------------------------------ */

/* Several names at the end of a path: an object of those that are there. */
static void
merge_keys(walk *w, const wri_jstep *s, const wri_json *v)
{
    wri_json *o = WR_NEW(w->a, wri_json);
    if (!o) {
        w->nomem = true;
        return;
    }
    o->kind = WRI_JSON_OBJECT;
    wri_json **tail = &o->child;
    for (uint32_t i = 0; i < s->count; i++) {
        const wri_json *m = wri_json_member(v, s->keys[i], w->a);
        if (!m) continue;
        wri_json *copy = WR_NEW(w->a, wri_json);
        if (!copy) {
            w->nomem = true;
            return;
        }
        *copy = *m;
        copy->next = NULL;
        *tail = copy;
        tail = &copy->next;
        o->count++;
    }
    found(w, o);
}

static void
eval_prop(walk *w, const wri_jstep *s, const wri_json *v, bool definite)
{
    if (v->kind != WRI_JSON_OBJECT) {
        if (!definite || w->lax) return;
        char before[80];
        (void)snprintf(before, sizeof before,
                       "Expected to find an object with property ['%.*s'] in path ",
                       (int)WR_MIN(s->keys[0].len, 24u), s->keys[0].ptr);
        char after[40];
        (void)snprintf(after, sizeof after, " but found %s", kind_name(v));
        fail(w, before, wr_text_str(&w->path), after);
        return;
    }
    if (s->count > 1 && !s->next) {
        merge_keys(w, s, v);
        return;
    }
    for (uint32_t i = 0; i < s->count && !stop(w); i++) {
        const wri_json *m = wri_json_member(v, s->keys[i], w->a);
        bool still = definite && s->count == 1;
        if (still) path_key(w, s->keys[i]);
        if (m) {
            eval(w, s->next, m, still);
        } else if (still && s->next) {
            fail(w, "Missing property in path ", wr_text_str(&w->path), "");
        }
    }
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static const wri_json *
element(const wri_json *v, int64_t i)
{
    if (i < 0) i += v->count;
    if (i < 0 || i >= v->count) return NULL;
    const wri_json *c = v->child;
    while (i-- > 0) c = c->next;
    return c;
}

static void
eval_index(walk *w, const wri_jstep *s, const wri_json *v, bool definite)
{
    if (v->kind != WRI_JSON_ARRAY) {
        char before[60];
        (void)snprintf(before, sizeof before, "Filter: [%lld] can only be applied to arrays.",
                       s->count ? (long long)s->indexes[0] : 0ll);
        if (definite) fail(w, before, (wr_str){"", 0}, "");
        return;
    }
    for (uint32_t i = 0; i < s->count && !stop(w); i++) {
        const wri_json *e = element(v, s->indexes[i]);
        bool still = definite && s->count == 1;
        if (still && w->why && !w->lax)
            wr_text_printf(&w->path, "[%lld]", (long long)s->indexes[i]);
        if (e) eval(w, s->next, e, still);
    }
}

static void
eval_slice(walk *w, const wri_jstep *s, const wri_json *v, bool definite)
{
    if (v->kind != WRI_JSON_ARRAY) {
        if (definite)
            fail(w, "Filter: a slice can only be applied to arrays.", (wr_str){"", 0}, "");
        return;
    }
    int64_t n = v->count, from = s->has_from ? s->from : 0, to = s->has_to ? s->to : n;
    if (from < 0) from += n;
    if (to < 0) to += n;
    from = WR_MAX(from, 0);
    to = WR_MIN(to, n);
    int64_t i = 0;
    for (const wri_json *c = v->child; c && i < to && !stop(w); c = c->next, i++)
        if (i >= from) eval(w, s->next, c, false);
}

static void
eval_wildcard(walk *w, const wri_jstep *s, const wri_json *v)
{
    if (wri_json_is_scalar(v)) return;
    for (const wri_json *c = v->child; c && !stop(w); c = c->next) {
        if (v->kind == WRI_JSON_OBJECT) { /* of equal keys the last counts */
            bool later = false;
            for (const wri_json *d = c->next; d && !later; d = d->next)
                later = wr_str_eq(c->key, d->key);
            if (later) continue;
        }
        eval(w, s->next, c, false);
    }
}

static void
eval_filter(walk *w, const wri_jstep *s, const wri_json *v, bool definite)
{
    if (v->kind == WRI_JSON_OBJECT) {
        if (wri_jfilter_accepts(s->filter, w->root, v, w->a)) eval(w, s->next, v, false);
    } else if (v->kind == WRI_JSON_ARRAY) {
        for (const wri_json *c = v->child; c && !stop(w); c = c->next)
            if (wri_jfilter_accepts(s->filter, w->root, c, w->a)) eval(w, s->next, c, false);
    } else if (definite) {
        fail(w, "Filter: a condition can not be applied to primitives.", (wr_str){"", 0}, "");
    }
}

/* The next step at this value and at everything below it. */
static void
eval_scan(walk *w, const wri_jstep *next, const wri_json *v)
{
    if (stop(w) || wri_json_is_scalar(v)) return;
    if (++w->depth <= 2 * WRI_JSON_DEPTH_MAX) {
        eval(w, next, v, false);
        for (const wri_json *c = v->child; c && !stop(w); c = c->next) eval_scan(w, next, c);
    }
    w->depth--;
}

/* ---- functions ------------------------------------------------------------------------------- */

static wri_json *
number_node(walk *w, double d, bool integral)
{
    char buf[WR_F64_TEXT_MAX];
    uint32_t n = integral ? wr_i64_print((int64_t)d, buf) : wr_f64_print(d, buf);
    wri_json *v = WR_NEW(w->a, wri_json);
    char *p = wr_arena_dup(w->a, buf, n);
    if (!v || !p) {
        w->nomem = true;
        return NULL;
    }
    *v = (wri_json){.kind = WRI_JSON_NUMBER, .escaped = !integral, .raw = {p, n}};
    return v;
}

static wri_json *
keys_node(walk *w, const wri_json *v)
{
    wri_json *out = WR_NEW(w->a, wri_json);
    if (!out) {
        w->nomem = true;
        return NULL;
    }
    out->kind = WRI_JSON_ARRAY;
    wri_json **tail = &out->child;
    for (const wri_json *c = v->child; c; c = c->next) {
        wri_json *k = WR_NEW(w->a, wri_json);
        if (!k) {
            w->nomem = true;
            return NULL;
        }
        *k = (wri_json){.kind = WRI_JSON_STRING, .raw = c->key, .escaped = c->key_escaped};
        *tail = k;
        tail = &k->next;
        out->count++;
    }
    return out;
}

static wri_json *
numeric(walk *w, wri_jfn fn, const wri_json *v)
{
    double sum = 0, squares = 0, lo = INFINITY, hi = -INFINITY;
    uint32_t n = 0;
    for (const wri_json *c = v->child; c; c = c->next) {
        double d = 0;
        if (c->kind != WRI_JSON_NUMBER || !wr_f64_parse(c->raw.ptr, c->raw.len, &d)) continue;
        sum += d;
        squares += d * d;
        lo = d < lo ? d : lo;
        hi = d > hi ? d : hi;
        n++;
    }
    if (n == 0) {
        fail(w, "Aggregation function attempted to calculate value using empty array",
             (wr_str){"", 0}, "");
        return NULL;
    }
    double mean = sum / n;
    switch (fn) {
    case WRI_JFN_MIN:
        return number_node(w, lo, false);
    case WRI_JFN_MAX:
        return number_node(w, hi, false);
    case WRI_JFN_AVG:
        return number_node(w, mean, false);
    case WRI_JFN_SUM:
        return number_node(w, sum, false);
    case WRI_JFN_STDDEV:
        return number_node(w, sqrt(squares / n - mean * mean), false);
    case WRI_JFN_LENGTH:
    case WRI_JFN_KEYS:
    case WRI_JFN_FIRST:
    case WRI_JFN_LAST:
    case WRI_JFN_COUNT:
        break;
    }
    return NULL;
}

static void
eval_function(walk *w, const wri_jstep *s, const wri_json *v)
{
    const wri_json *out = NULL;
    switch (s->fn) {
    case WRI_JFN_LENGTH:
        if (!wri_json_is_scalar(v)) out = number_node(w, v->count, true);
        break;
    case WRI_JFN_KEYS:
        if (v->kind == WRI_JSON_OBJECT) out = keys_node(w, v);
        break;
    case WRI_JFN_FIRST:
    case WRI_JFN_LAST:
        if (v->kind == WRI_JSON_ARRAY) out = element(v, s->fn == WRI_JFN_FIRST ? 0 : -1);
        break;
    case WRI_JFN_MIN:
    case WRI_JFN_MAX:
    case WRI_JFN_AVG:
    case WRI_JFN_SUM:
    case WRI_JFN_STDDEV:
        if (v->kind == WRI_JSON_ARRAY) out = numeric(w, s->fn, v);
        break;
    case WRI_JFN_COUNT:
        break;
    }
    if (out) eval(w, s->next, out, true);
}

static void
eval(walk *w, const wri_jstep *s, const wri_json *v, bool definite)
{
    if (stop(w)) return;
    if (++w->steps > STEPS_MAX) {
        w->lax = false; /* this one is an error in either mode */
        fail(w, "the path takes too many steps on this document", (wr_str){"", 0}, "");
        return;
    }
    if (!s) {
        found(w, v);
        return;
    }
    switch (s->kind) {
    case WRI_JS_PROP:
        eval_prop(w, s, v, definite);
        break;
    case WRI_JS_WILDCARD:
        eval_wildcard(w, s, v);
        break;
    case WRI_JS_INDEX:
        eval_index(w, s, v, definite);
        break;
    case WRI_JS_SLICE:
        eval_slice(w, s, v, definite);
        break;
    case WRI_JS_SCAN:
        eval_scan(w, s->next, v);
        break;
    case WRI_JS_FILTER:
        eval_filter(w, s, v, definite);
        break;
    case WRI_JS_FUNCTION:
        eval_function(w, s, v);
        break;
    }
}

const wri_json *
wri_jsteps_first(const wri_jstep *steps, const wri_json *root, const wri_json *node, wr_arena *a)
{
    walk w = {.root = root, .a = a, .lax = true, .first_only = true};
    eval(&w, steps, node, true);
    return w.found.count ? w.found.items[0] : NULL;
}

/* All results as one array. */
static const wri_json *
array_of(walk *w)
{
    wri_json *out = WR_NEW(w->a, wri_json);
    if (!out) return NULL;
    out->kind = WRI_JSON_ARRAY;
    out->count = w->found.count;
    wri_json **tail = &out->child;
    for (uint32_t i = 0; i < w->found.count; i++) {
        wri_json *copy = WR_NEW(w->a, wri_json);
        if (!copy) return NULL;
        *copy = *w->found.items[i];
        copy->next = NULL;
        *tail = copy;
        tail = &copy->next;
    }
    return out;
}

/* Results before a trailing function are folded into one array first. */
static const wri_jstep *
last_many(const wri_jpath *p, const wri_jstep **fn)
{
    const wri_jstep *many = NULL;
    *fn = NULL;
    for (const wri_jstep *s = p->steps; s; s = s->next) {
        if (s->kind == WRI_JS_FUNCTION) {
            *fn = s;
            return many;
        }
        if (s->kind == WRI_JS_WILDCARD || s->kind == WRI_JS_SLICE || s->kind == WRI_JS_SCAN ||
            s->kind == WRI_JS_FILTER || (s->kind == WRI_JS_INDEX && s->count > 1))
            many = s;
    }
    return NULL;
}

/* The path up to `fn`, copied. */
static const wri_jstep *
prefix_of(const wri_jstep *steps, const wri_jstep *fn, wr_arena *a)
{
    wri_jstep *first = NULL, **tail = &first;
    for (const wri_jstep *s = steps; s != fn; s = s->next) {
        wri_jstep *copy = WR_NEW(a, wri_jstep);
        if (!copy) return NULL;
        *copy = *s;
        copy->next = NULL;
        *tail = copy;
        tail = &copy->next;
    }
    return first;
}

wri_jpath_status
wri_jpath_eval(const wri_jpath *p, const wri_json *doc, wr_arena *a, const wri_json **out,
               wri_json_error *why)
{
    *out = NULL;
    if (p->bad) {
        if (why)
            (void)snprintf(why->text, sizeof why->text,
                           "Illegal jsonpath spec ''%.*s'', format of the spec should be: "
                           "''<lax|strict> $'{'expr'}'''",
                           (int)WR_MIN(p->bad_text.len, 60u), p->bad_text.ptr);
        return WRI_JPATH_ERROR;
    }
    walk w = {.root = doc, .a = a, .lax = p->lax, .why = why};
    wr_text_init(&w.path, a);
    if (why && !p->lax) wr_text_putc(&w.path, '$');
    const wri_jstep *fn = NULL;
    if (last_many(p, &fn)) {
        const wri_jstep *prefix = prefix_of(p->steps, fn, a);
        if (!prefix) return WRI_JPATH_NOMEM;
        eval(&w, prefix, doc, true);
        const wri_json *all = w.nomem || w.failed ? NULL : array_of(&w);
        w.found.count = 0;
        if (all) eval(&w, fn, all, true);
    } else {
        eval(&w, p->steps, doc, true);
    }
    if (w.nomem) return WRI_JPATH_NOMEM;
    if (w.failed) return WRI_JPATH_ERROR;
    if (!p->definite) {
        *out = array_of(&w);
        return *out ? WRI_JPATH_OK : WRI_JPATH_NOMEM;
    }
    if (w.found.count > 0) {
        *out = w.found.items[0];
        return WRI_JPATH_OK;
    }
    if (p->lax) return WRI_JPATH_OK;
    fail(&w, "No results for path: ", wr_text_str(&w.path), "");
    return WRI_JPATH_ERROR;
}
