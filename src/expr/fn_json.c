/* SPDX-License-Identifier: Apache-2.0 */
/* JSON functions that read: IS JSON, JSON_EXISTS, JSON_VALUE, JSON_QUERY, JSON_UNQUOTE. A constant
 * path is compiled in prepare; others once per run of equal paths. Trees live in the batch's arena
 * and are given back after each row when nothing of them is kept. */
#include "expr/fn_int.h"
#include "expr/json_int.h"
#include "expr/str_int.h"
#include "types/number.h"

/* ---- IS JSON --------------------------------------------------------------------------------- */

wr_status
wri_r_is_json(wr_ctx *ctx, wr_fn_bind *b)
{
    if (!wr_type_is_string(b->arg_types[0]) && !wr_type_is(b->arg_types[0], WR_T_NULL))
        return wri_refuse(ctx, b, NULL);
    return wri_result_null(ctx, b, wr_type_of(WR_T_BOOLEAN, false), false);
}

static wr_status
is_json(wr_fn_call *call, bool yes)
{
    wr_view s = wri_view(call, 0);
    wr_str want = WR_STR("VALUE");
    (void)wri_const_str(call->expr, 1, &want);
    WR_FOR_CALL(call, row)
    {
        wri_json_kind kind = WRI_JSON_NULL;
        bool ok = !wri_arg_null(call, 0, row) && wri_json_check(wr_view_str(&s, row), &kind);
        if (ok && wr_str_eq_c(want, "OBJECT")) ok = kind == WRI_JSON_OBJECT;
        if (ok && wr_str_eq_c(want, "ARRAY")) ok = kind == WRI_JSON_ARRAY;
        if (ok && wr_str_eq_c(want, "SCALAR")) ok = kind < WRI_JSON_ARRAY;
        WRI_OUT(call, uint8_t)[row] = ok == yes;
    }
    return WR_OK;
}

wr_status
wri_k_is_json(wr_fn_call *call)
{
    return is_json(call, true);
}

wr_status
wri_k_is_not_json(wr_fn_call *call)
{
    return is_json(call, false);
}

/* ---- what JSON_EXISTS, JSON_VALUE and JSON_QUERY share --------------------------------------- */

wr_status
wri_p_json_path(wr_ctx *ctx, const wr_expr *call, const wr_eval_env *env, wr_arena *arena,
                void **state_out)
{
    (void)env;
    wr_str path;
    *state_out = NULL;
    if (!wri_const_str(call, 1, &path)) return WR_OK;
    *state_out = wri_jpath_compile(arena, path);
    WR_TRY_ALLOC(ctx, *state_out);
    return WR_OK;
}

static wr_status
check_json_args(wr_ctx *ctx, wr_fn_bind *b)
{
    wr_fn_bind written = *b; /* without the clauses behind the path */
    written.arg_count = 2;
    const bool exists = strcmp(b->fn->name, "JSON_EXISTS") == 0;
    for (uint32_t i = 2; i-- > 0;) {
        if (wr_type_is_string(b->arg_types[i]) || wr_type_is(b->arg_types[i], WR_T_NULL)) continue;
        return i == 0 && exists ? wri_unsupported_call(ctx, &written)
                                : wri_refuse(ctx, &written, NULL);
    }
    return WR_OK;
}

typedef struct json_loop {
    wr_view doc, path;
    wr_str last; /* the path that `p` is of, when it varies */
    const wri_jpath *p;
    wri_json_error why;
} json_loop;

static void
loop_init(json_loop *l, wr_fn_call *call)
{
    memset(l, 0, sizeof *l);
    l->doc = wri_view(call, 0);
    l->path = wri_view(call, 1);
    l->p = call->state;
}

typedef enum found { FOUND_NULL_ARG, FOUND_VALUE, FOUND_NOTHING, FOUND_ERROR } found;

/* Parse and evaluate one row. NOTHING: lax mode, no value or JSON null; ERROR: l->why. In strict
 * mode JSON null is an error, as in Flink. */
static wr_status
json_row(json_loop *l, wr_fn_call *call, uint32_t row, found *what, const wri_json **v)
{
    *v = NULL;
    *what = FOUND_NULL_ARG;
    if (wri_arg_null(call, 0, row) || wri_arg_null(call, 1, row)) return WR_OK;
    if (!call->state) {
        wr_str path = wr_view_str(&l->path, row);
        if (!l->p || !wr_str_eq(path, l->last)) l->p = wri_jpath_compile(call->arena, path);
        if (!l->p) return WRI_NOMEM(call);
        l->last = path;
    }
    wri_json *doc = NULL;
    switch (wri_json_parse(call->arena, wr_view_str(&l->doc, row), &doc, &l->why)) {
    case WRI_JSON_NOMEM:
        return WRI_NOMEM(call);
    case WRI_JSON_BAD:
        *what = wri_jpath_is_lax(l->p) ? FOUND_NOTHING : FOUND_ERROR;
        return WR_OK;
    case WRI_JSON_OK:
        break;
    }
    switch (wri_jpath_eval(l->p, doc, call->arena, v, &l->why)) {
    case WRI_JPATH_NOMEM:
        return WRI_NOMEM(call);
    case WRI_JPATH_ERROR:
        *what = FOUND_ERROR;
        return WR_OK;
    case WRI_JPATH_OK:
        break;
    }
    *what = *v && (*v)->kind != WRI_JSON_NULL ? FOUND_VALUE : FOUND_NOTHING;
    return WR_OK;
}

static void
strict_error(json_loop *l, wr_fn_call *call, const char *wanted, const wri_json *v)
{
    wr_text t;
    wr_text_init(&t, call->arena);
    if (v) wri_json_print(&t, v);
    wr_str s = v ? wr_text_str(&t) : WR_STR("null");
    wr_text m;
    wr_text_init(&m, call->arena);
    wr_text_printf(&m, "Strict jsonpath mode requires %s value, and the actual value is: ''%.*s''",
                   wanted, (int)WR_MIN(s.len, 80u), s.ptr);
    wr_str text = wr_text_str(&m);
    size_t n = WR_MIN(text.len, sizeof l->why.text - 1);
    memcpy(l->why.text, text.ptr, n);
    l->why.text[n] = 0;
}

static wr_str
symbol(wr_fn_call *call, uint32_t i, const char *otherwise)
{
    wr_str s = wr_str_c(otherwise);
    (void)wri_const_str(call->expr, i, &s);
    return s;
}

/* ---- JSON_EXISTS ----------------------------------------------------------------------------- */

wr_status
wri_r_json_exists(wr_ctx *ctx, wr_fn_bind *b)
{
    WR_TRY(check_json_args(ctx, b));
    return wri_result_null(ctx, b, wr_type_of(WR_T_BOOLEAN, true), true);
}

wr_status
wri_k_json_exists(wr_fn_call *call)
{
    json_loop l;
    loop_init(&l, call);
    wr_str on_error = symbol(call, 2, "FALSE");
    WR_FOR_CALL(call, row)
    {
        found what = FOUND_NOTHING;
        const wri_json *v = NULL;
        wr_arena_mark mark = wr_arena_get_mark(call->arena);
        WR_TRY(json_row(&l, call, row, &what, &v));
        if (what == FOUND_NOTHING && v && !wri_jpath_is_lax(l.p)) { /* JSON null */
            what = FOUND_ERROR;
            l.why = (wri_json_error){
                .text = "Strict jsonpath mode requires a non empty returned value, but is null"};
        }
        if (call->state) wr_arena_pop(call->arena, mark);
        if (what == FOUND_ERROR && wr_str_eq_c(on_error, "ERROR")) {
            wr_row_err(call->errs, row, WR_DATA, "%s", l.why.text);
            wri_null(call, row);
        } else if (what == FOUND_NULL_ARG ||
                   (what == FOUND_ERROR && wr_str_eq_c(on_error, "UNKNOWN"))) {
            wri_null(call, row);
        } else {
            bool hit = what == FOUND_ERROR ? wr_str_eq_c(on_error, "TRUE") : what == FOUND_VALUE;
            WRI_OUT(call, uint8_t)[row] = hit;
        }
    }
    return WR_OK;
}

/* ---- JSON_VALUE ------------------------------------------------------------------------------ */

wr_status
wri_r_json_value(wr_ctx *ctx, wr_fn_bind *b)
{
    WR_TRY(check_json_args(ctx, b));
    const wr_type *t = b->returning ? b->returning : wr_type_string(true);
    if (!wr_type_is(t, WR_T_VARCHAR) && !wr_type_is(t, WR_T_BOOLEAN) && !wr_type_is(t, WR_T_INT) &&
        !wr_type_is(t, WR_T_DOUBLE)) {
        wr_str s = wr_type_str(t, WR_TYPE_NO_NULL, b->arena);
        return wr_raise_at(ctx, WR_TYPE, b->span,
                           "Unsupported type '%.*s' for RETURNING in JSON_VALUE().", WR_STR_ARG(s));
    }
    WR_TRY(wri_cast_arg(ctx, b, 3, t)); /* the defaults */
    WR_TRY(wri_cast_arg(ctx, b, 5, t));
    return wri_result_null(ctx, b, t, true);
}

static const char *
java_class(const wri_json *v)
{
    int64_t i = 0;
    switch ((wri_json_kind)v->kind) {
    case WRI_JSON_NUMBER:
        if (v->escaped) return "java.math.BigDecimal";
        if (!wr_i64_parse(v->raw.ptr, v->raw.len, &i)) return "java.math.BigInteger";
        return i >= INT32_MIN && i <= INT32_MAX ? "java.lang.Integer" : "java.lang.Long";
    case WRI_JSON_STRING:
        return "java.lang.String";
    case WRI_JSON_NULL:
    case WRI_JSON_FALSE:
    case WRI_JSON_TRUE:
    case WRI_JSON_ARRAY:
    case WRI_JSON_OBJECT:
        break;
    }
    return "java.lang.Boolean";
}

static void
cannot_return(wr_fn_call *call, uint32_t row, const wri_json *v, const char *type, const char *cls)
{
    wr_row_err(call->errs, row, WR_DATA,
               "JSON_VALUE found %s where RETURNING wants %s: class %s cannot be cast to class %s",
               v->kind == WRI_JSON_STRING   ? "a string"
               : v->kind == WRI_JSON_NUMBER ? "another number"
                                            : "a boolean",
               type, java_class(v), cls);
    wri_null(call, row);
}

/* A scalar as the result. */
static wr_status
put_value(wr_fn_call *call, uint32_t row, const wri_json *v)
{
    const wr_type *t = call->expr->type;
    int64_t i = 0;
    double d = 0;
    if (wr_type_is(t, WR_T_BOOLEAN)) {
        if (v->kind != WRI_JSON_TRUE && v->kind != WRI_JSON_FALSE)
            cannot_return(call, row, v, "BOOLEAN", "java.lang.Boolean");
        else
            WRI_OUT(call, uint8_t)[row] = v->kind == WRI_JSON_TRUE;
        return WR_OK;
    }
    if (wr_type_is(t, WR_T_INT)) {
        if (v->kind != WRI_JSON_NUMBER || v->escaped || !wr_i64_parse(v->raw.ptr, v->raw.len, &i) ||
            i < INT32_MIN || i > INT32_MAX)
            cannot_return(call, row, v, "INTEGER", "java.lang.Integer");
        else
            WRI_OUT(call, int32_t)[row] = (int32_t)i;
        return WR_OK;
    }
    if (wr_type_is(t, WR_T_DOUBLE)) {
        if (v->kind != WRI_JSON_NUMBER || !wr_f64_parse(v->raw.ptr, v->raw.len, &d))
            cannot_return(call, row, v, "DOUBLE", "java.math.BigDecimal");
        else
            WRI_OUT(call, double)[row] = d;
        return WR_OK;
    }
    wr_str s = v->kind == WRI_JSON_TRUE ? WR_STR("true") : WR_STR("false");
    if (v->kind == WRI_JSON_STRING) s = wri_json_unescape(call->arena, v->raw, v->escaped);
    if (v->kind == WRI_JSON_NUMBER) {
        wr_text text;
        wr_text_init(&text, call->arena);
        wri_json_put_number(&text, v->raw);
        s = text.failed ? (wr_str){NULL, 0} : wr_text_str(&text);
    }
    if (!s.ptr) return WRI_NOMEM(call);
    if (t->length < WR_CHAR_LENGTH_MAX) s.len = wri_cp_skip(s, 0, (uint64_t)t->length);
    wri_put_ref(call, row, s.ptr, s.len); /* into the document's text, or the arena */
    return WR_OK;
}

/* ON EMPTY or ON ERROR: NULL, ERROR or the default in argument `i`. */
static wr_status
put_fallback(wr_fn_call *call, uint32_t row, wr_str how, uint32_t i, const char *error)
{
    if (wr_str_eq_c(how, "ERROR")) {
        wr_row_err(call->errs, row, WR_DATA, "%s", error);
        wri_null(call, row);
        return WR_OK;
    }
    if (!wr_str_eq_c(how, "DEFAULT") || wri_arg_null(call, i, row)) {
        wri_null(call, row);
        return WR_OK;
    }
    if (!wr_vec_copy_entry(call->out, row, call->args[i], row, call->arena)) return WRI_NOMEM(call);
    return WR_OK;
}

/* May the row's tree go? Not when the result is a string made in the arena. */
static bool
may_forget(wr_fn_call *call, const json_loop *l, uint32_t row, found what)
{
    if (!call->state || what != FOUND_VALUE) return call->state && what == FOUND_NULL_ARG;
    if (call->out->phys != WR_PHYS_STR) return true;
    const wr_strv *s = &((const wr_strv *)call->out->data)[row];
    wr_str doc = wr_view_str(&l->doc, row);
    const char *p = wr_strv_ptr(s);
    return s->len <= 12 || (p >= doc.ptr && p < doc.ptr + doc.len);
}

wr_status
wri_k_json_value(wr_fn_call *call)
{
    json_loop l;
    loop_init(&l, call);
    if (!wr_vec_ensure_validity(call->out, call->arena)) return WRI_NOMEM(call);
    wr_str on_empty = symbol(call, 2, "NULL"), on_error = symbol(call, 4, "NULL");
    WR_FOR_CALL(call, row)
    {
        found what = FOUND_NOTHING;
        const wri_json *v = NULL;
        wr_arena_mark mark = wr_arena_get_mark(call->arena);
        WR_TRY(json_row(&l, call, row, &what, &v));
        bool lax = l.p && wri_jpath_is_lax(l.p);
        if (what == FOUND_VALUE && !wri_json_is_scalar(v)) {
            what = lax ? FOUND_NOTHING : FOUND_ERROR;
            if (!lax) strict_error(&l, call, "scalar", v);
        } else if (what == FOUND_NOTHING && !lax) {
            what = FOUND_ERROR;
            strict_error(&l, call, "scalar", v);
        }
        switch (what) {
        case FOUND_NULL_ARG:
            wri_null(call, row);
            break;
        case FOUND_VALUE:
            WR_TRY(put_value(call, row, v));
            break;
        case FOUND_NOTHING:
            WR_TRY(put_fallback(call, row, on_empty, 3,
                                "Empty result of JSON_VALUE function is not allowed"));
            break;
        case FOUND_ERROR:
            WR_TRY(put_fallback(call, row, on_error, 5, l.why.text));
            break;
        }
        if (may_forget(call, &l, row, what)) wr_arena_pop(call->arena, mark);
    }
    return WR_OK;
}

/* ---- JSON_QUERY ------------------------------------------------------------------------------ */

wr_status
wri_r_json_query(wr_ctx *ctx, wr_fn_bind *b)
{
    WR_TRY(check_json_args(ctx, b));
    const wr_type *t = b->returning ? b->returning : wr_type_string(true);
    bool array = wr_type_is(t, WR_T_ARRAY);
    if (array && !wr_type_is_string(t->fields[0].type)) {
        wr_str s = wr_type_str(t->fields[0].type, WR_TYPE_CALCITE, b->arena);
        return wr_raise_at(
            ctx, WR_TYPE, b->span,
            "Unsupported array element type '%.*s' for RETURNING ARRAY in JSON_QUERY().",
            WR_STR_ARG(s));
    }
    if (!array && !wr_type_is_string(t)) {
        wr_str s = wr_type_str(t, WR_TYPE_NO_NULL, b->arena);
        return wr_raise_at(ctx, WR_TYPE, b->span,
                           "Unsupported type '%.*s' for RETURNING in JSON_VALUE().", WR_STR_ARG(s));
    }
    static const char *const events[] = {"empty", "error"};
    for (uint32_t i = 0; i < 2 && array; i++) {
        wr_str how;
        if (!wri_lit_str(b->args[3 + i], &how) || !wr_str_eq_c(how, "EMPTY_OBJECT")) continue;
        return wr_raise_at(ctx, WR_TYPE, b->span,
                           "Illegal on %s behavior 'EMPTY OBJECT' for return type: "
                           "VARCHAR(2147483647) ARRAY",
                           events[i]);
    }
    return wri_result_null(ctx, b, t, true);
}

/* Elements as strings: strings decoded, the rest as JSON, null as NULL. */
static wr_status
put_array(wr_fn_call *call, uint32_t row, const wri_json *v)
{
    uint32_t off = 0, i = 0;
    WR_TRY(wri_put_list(call, row, v->count, &off));
    wr_vec *items = &call->out->child[0];
    for (const wri_json *c = v->child; c; c = c->next, i++) {
        if (c->kind == WRI_JSON_NULL) {
            if (!wr_vec_set_null(items, off + i, call->arena)) return WRI_NOMEM(call);
            continue;
        }
        wr_str s = {NULL, 0};
        if (c->kind == WRI_JSON_STRING) {
            s = wri_json_unescape(call->arena, c->raw, c->escaped);
        } else {
            wr_text t;
            wr_text_init(&t, call->arena);
            wri_json_print(&t, c);
            if (!t.failed) s = wr_text_str(&t);
        }
        if (!s.ptr) return WRI_NOMEM(call);
        ((wr_strv *)items->data)[off + i] = wr_strv_make(s.ptr, (uint32_t)s.len);
    }
    return WR_OK;
}

static wr_status
put_json(wr_fn_call *call, uint32_t row, const wri_json *v, bool wrap)
{
    wri_json outer = {.kind = WRI_JSON_ARRAY, .count = 1};
    wri_json inner = *v;
    if (wrap) {
        inner.next = NULL;
        outer.child = &inner;
        v = &outer;
    }
    if (wr_type_is(call->expr->type, WR_T_ARRAY)) {
        if (v->kind == WRI_JSON_ARRAY) return put_array(call, row, v);
        wri_null(call, row);
        return WR_OK;
    }
    wr_text t;
    wr_text_init(&t, call->arena);
    wri_json_print(&t, v);
    if (t.failed) return wr_text_raise(call->ctx, &t);
    wr_str s = wr_text_str(&t);
    wri_put_ref(call, row, s.ptr, s.len);
    return WR_OK;
}

static wr_status
put_empty(wr_fn_call *call, uint32_t row, wr_str how, const char *error)
{
    bool array = wr_str_eq_c(how, "EMPTY_ARRAY"), object = wr_str_eq_c(how, "EMPTY_OBJECT");
    if (array || object) {
        wri_json v = {.kind = array ? WRI_JSON_ARRAY : WRI_JSON_OBJECT};
        return put_json(call, row, &v, false);
    }
    if (wr_str_eq_c(how, "ERROR")) wr_row_err(call->errs, row, WR_DATA, "%s", error);
    wri_null(call, row);
    return WR_OK;
}

wr_status
wri_k_json_query(wr_fn_call *call)
{
    json_loop l;
    loop_init(&l, call);
    wr_str wrapper = symbol(call, 2, "WITHOUT");
    wr_str on_empty = symbol(call, 3, "NULL"), on_error = symbol(call, 4, "NULL");
    bool always = wr_str_eq_c(wrapper, "UNCONDITIONAL"),
         maybe = wr_str_eq_c(wrapper, "CONDITIONAL");
    WR_FOR_CALL(call, row)
    {
        found what = FOUND_NOTHING;
        const wri_json *v = NULL;
        WR_TRY(json_row(&l, call, row, &what, &v));
        bool lax = l.p && wri_jpath_is_lax(l.p);
        bool wrap = v && (always || (maybe && v->kind != WRI_JSON_ARRAY));
        if (what == FOUND_VALUE && wri_json_is_scalar(v) && !wrap) {
            what = lax ? FOUND_NOTHING : FOUND_ERROR;
            if (!lax) strict_error(&l, call, "array or object", v);
        } else if (what == FOUND_NOTHING && !lax) {
            what = FOUND_ERROR;
            strict_error(&l, call, "array or object", v);
        }
        switch (what) {
        case FOUND_NULL_ARG:
            wri_null(call, row);
            break;
        case FOUND_VALUE:
            WR_TRY(put_json(call, row, v, wrap));
            break;
        case FOUND_NOTHING:
            WR_TRY(put_empty(call, row, on_empty,
                             "Empty result of JSON_QUERY function is not allowed"));
            break;
        case FOUND_ERROR:
            WR_TRY(put_empty(call, row, on_error, l.why.text));
            break;
        }
    }
    return WR_OK;
}

/* ---- JSON_UNQUOTE ---------------------------------------------------------------------------- */

/* "..." whose beginning is a JSON string and that ends in a quote; what is between is unescaped. */
static bool
is_quoted(wr_arena *a, wr_str s)
{
    if (s.len < 2 || s.ptr[0] != '"' || s.ptr[s.len - 1] != '"') return false;
    wri_json *v = NULL;
    return wri_json_parse(a, s, &v, NULL) == WRI_JSON_OK && v->kind == WRI_JSON_STRING;
}

/* All escapes between the quotes are whole: the text may go on after the first string. */
static bool
escapes_ok(wr_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] != '\\') continue;
        if (++i == s.len || !s.ptr[i] || !strchr("\"\\/bfnrtu", s.ptr[i])) return false;
        if (s.ptr[i] != 'u') continue;
        for (int k = 0; k < 4; k++)
            if (++i == s.len || !s.ptr[i] || !strchr("0123456789abcdefABCDEF", s.ptr[i]))
                return false;
    }
    return true;
}

wr_status
wri_k_json_unquote(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str v = wr_view_str(&s, row);
        wr_str inner = v.len >= 2 ? (wr_str){v.ptr + 1, v.len - 2} : v;
        if (is_quoted(call->arena, v) && escapes_ok(inner)) {
            v = wri_json_unescape(call->arena, inner, true);
            if (!v.ptr) return WRI_NOMEM(call);
        }
        wri_put_ref(call, row, v.ptr, v.len);
    }
    return WR_OK;
}
