/* SPDX-License-Identifier: Apache-2.0 */
/* JSON functions that write: JSON_STRING, JSON_OBJECT, JSON_ARRAY, JSON, JSON_QUOTE. Any value
 * whose type has a form in JSON is written; keys come out sorted, numbers as BigDecimal prints
 * them. */
#include "expr/fn_int.h"
#include "expr/json_int.h"
#include "expr/str_int.h"
#include "types/datetime.h"
#include "types/decimal.h"
#include "types/number.h"
#include "vec/cast.h"

/* ---- types ----------------------------------------------------------------------------------- */

typedef enum json_able { ABLE, NOT_ABLE, BAD_KEY } json_able;

/* Can values of the type be written? *culprit = the part that can't. */
static json_able
able(const wr_type *t, const wr_type **culprit)
{
    *culprit = t;
    switch ((wr_type_id)t->id) {
    case WR_T_NULL:
    case WR_T_BOOLEAN:
    case WR_T_TINYINT:
    case WR_T_SMALLINT:
    case WR_T_INT:
    case WR_T_BIGINT:
    case WR_T_FLOAT:
    case WR_T_DOUBLE:
    case WR_T_DECIMAL:
    case WR_T_CHAR:
    case WR_T_VARCHAR:
    case WR_T_BINARY:
    case WR_T_VARBINARY:
    case WR_T_TIMESTAMP:
    case WR_T_TIMESTAMP_LTZ:
    case WR_T_VARIANT:
        return ABLE;
    case WR_T_MAP:
    case WR_T_MULTISET:
        *culprit = t->fields[0].type;
        if (!wr_type_is_string(t->fields[0].type)) return BAD_KEY;
        return wr_type_is(t, WR_T_MULTISET) ? ABLE : able(t->fields[1].type, culprit);
    case WR_T_ARRAY:
    case WR_T_ROW:
    case WR_T_STRUCTURED:
        for (uint32_t i = 0; i < t->field_count; i++) {
            json_able r = able(t->fields[i].type, culprit);
            if (r != ABLE) return r;
        }
        return ABLE;
    case WR_T_DATE:
    case WR_T_TIME:
    case WR_T_INTERVAL_YM:
    case WR_T_INTERVAL_DT:
    case WR_T_RAW:
    case WR_T_BITMAP:
    case WR_T_DESCRIPTOR:
    case WR_T_SYMBOL:
    case WR_T_COUNT:
        break;
    }
    return NOT_ABLE;
}

/* The argument must be of a type that JSON can show. */
wr_status
wri_check_json_able(wr_ctx *ctx, wr_fn_bind *b, uint32_t i)
{
    const wr_type *culprit = NULL;
    json_able r = able(b->arg_types[i], &culprit);
    if (r == ABLE) return WR_OK;
    wr_str s = wr_type_str(culprit, WR_TYPE_SUMMARY, b->arena);
    if (r == BAD_KEY)
        return wr_raise_at(
            ctx, WR_TYPE, wri_arg_span(b, i),
            "Type '%.*s' is not supported for JSON conversion. The key type must be a "
            "character string.",
            WR_STR_ARG(s));
    return wr_raise_at(ctx, WR_TYPE, wri_arg_span(b, i),
                       "Type '%.*s' is not scalar or cannot be converted into JSON.",
                       WR_STR_ARG(s));
}

/* ---- values ---------------------------------------------------------------------------------- */

typedef struct writer {
    wr_text *t;
    const struct wr_tz *tz;
    bool null_key; /* a map had one */
} writer;

static void put_entry(writer *w, const wr_vec *v, uint32_t row);

static void
put_timestamp(writer *w, const wr_vec *v, uint32_t at, bool zone)
{
    wr_ts ts = {0};
    if (v->phys == WR_PHYS_TS)
        ts = ((const wr_ts *)v->data)[at];
    else
        ts.ms = ((const int64_t *)v->data)[at];
    char buf[WR_DT_TEXT_MAX];
    uint32_t n = wr_ts_print(ts, 9, buf);
    while (n > 0 && buf[n - 1] == '0') n--; /* the fraction's zeros */
    if (n > 0 && buf[n - 1] == '.') n--;
    for (uint32_t i = 0; i < n; i++)
        if (buf[i] == ' ') buf[i] = 'T';
    wr_text_putc(w->t, '"');
    wr_text_put(w->t, buf, n);
    wr_text_puts(w->t, zone ? "Z\"" : "\"");
}

static void
put_base64(writer *w, wr_str s)
{
    char *p = wr_arena_alloc(w->t->arena, (s.len + 2) / 3 * 4 + 1);
    if (!p) {
        w->t->failed = true;
        return;
    }
    wr_text_putc(w->t, '"');
    wr_text_put(w->t, p, wri_base64_encode(p, s.ptr, s.len));
    wr_text_putc(w->t, '"');
}

typedef struct keyed { /* a member to be sorted */
    wr_str key;
    uint32_t index;
} keyed;

/* By key, equal ones in order. Members are few, so insertion; long ones go by merging halves. */
static void
sort_keyed(keyed *k, keyed *tmp, uint32_t n)
{
    if (n <= 8) {
        for (uint32_t i = 1; i < n; i++) {
            keyed x = k[i];
            uint32_t j = i;
            for (; j > 0 && wri_json_key_cmp(k[j - 1].key, x.key) > 0; j--) k[j] = k[j - 1];
            k[j] = x;
        }
        return;
    }
    uint32_t half = n / 2, i = 0, j = half, m = 0;
    sort_keyed(k, tmp, half);
    sort_keyed(k + half, tmp, n - half);
    memcpy(tmp, k, sizeof *k * n);
    while (i < half || j < n)
        k[m++] = j == n || (i < half && wri_json_key_cmp(tmp[i].key, tmp[j].key) <= 0) ? tmp[i++]
                                                                                       : tmp[j++];
}

static keyed *
new_keyed(wr_text *t, uint32_t n)
{
    keyed *k = WR_NEW_N(t->arena, keyed, 2 * (size_t)n + 1); /* the second half is for sorting */
    if (!k) t->failed = true;
    return k;
}

static void
put_map(writer *w, const wr_vec *v, wr_list l)
{
    const wr_vec *keys = &v->child[0], *values = &v->child[1];
    keyed *k = new_keyed(w->t, l.len);
    if (!k) return;
    wr_view kv = wr_vec_view(keys);
    for (uint32_t i = 0; i < l.len; i++) {
        if (wr_vec_is_null(keys, l.off + i)) {
            w->null_key = true;
            return;
        }
        k[i] = (keyed){wr_view_str(&kv, l.off + i), l.off + i};
    }
    sort_keyed(k, k + l.len, l.len);
    wr_text_putc(w->t, '{');
    bool first = true;
    for (uint32_t i = 0; i < l.len; i++) {
        if (i + 1 < l.len && wr_str_eq(k[i].key, k[i + 1].key)) continue;
        if (!first) wr_text_putc(w->t, ',');
        first = false;
        wri_json_put_string(w->t, k[i].key);
        wr_text_putc(w->t, ':');
        put_entry(w, values, k[i].index);
    }
    wr_text_putc(w->t, '}');
}

static void
put_row(writer *w, const wr_vec *v, uint32_t row)
{
    uint32_t n = v->child_count, at = wr_vec_index(v, row);
    keyed *k = new_keyed(w->t, n);
    if (!k) return;
    for (uint32_t i = 0; i < n; i++) k[i] = (keyed){v->type->fields[i].name, i};
    sort_keyed(k, k + n, n);
    wr_text_putc(w->t, '{');
    for (uint32_t i = 0; i < n; i++) {
        if (i) wr_text_putc(w->t, ',');
        wri_json_put_string(w->t, k[i].key);
        wr_text_putc(w->t, ':');
        put_entry(w, &v->child[k[i].index], at);
    }
    wr_text_putc(w->t, '}');
}

static void
put_double(writer *w, const wr_vec *v, uint32_t at)
{
    char buf[WR_F64_TEXT_MAX];
    const double d = v->phys == WR_PHYS_F32 ? (double)((const float *)v->data)[at]
                                            : ((const double *)v->data)[at];
    const uint32_t n = wr_f64_print(d, buf); /* a FLOAT is widened: 0.1 is 0.10000000149011612 */
    wri_json_put_number(w->t, (wr_str){buf, n});
}

static void
put_exact(writer *w, const wr_vec *v, const wr_view *view, uint32_t row)
{
    char buf[WR_DEC_TEXT_MAX];
    int scale = wr_type_is(v->type, WR_T_DECIMAL) ? v->type->scale : 0;
    wr_text_put(w->t, buf, wr_dec_print_java(wri_dec(view, v->phys, row), scale, buf));
}

static void
put_list(writer *w, const wr_vec *v, wr_list l)
{
    wr_text_putc(w->t, '[');
    for (uint32_t i = 0; i < l.len; i++) {
        if (i) wr_text_putc(w->t, ',');
        put_entry(w, &v->child[0], l.off + i);
    }
    wr_text_putc(w->t, ']');
}

/* Depth: that of the type. */
static void
put_entry(writer *w, const wr_vec *v, uint32_t row)
{
    if (wr_vec_is_null(v, row)) {
        wr_text_puts(w->t, "null");
        return;
    }
    uint32_t at = wr_vec_index(v, row);
    wr_view view = wr_vec_view(v);
    switch ((wr_phys)v->phys) {
    case WR_PHYS_BOOL:
        wr_text_puts(w->t, ((const uint8_t *)v->data)[at] ? "true" : "false");
        return;
    case WR_PHYS_F32:
    case WR_PHYS_F64:
        put_double(w, v, at);
        return;
    case WR_PHYS_LIST:
        put_list(w, v, ((const wr_list *)v->data)[at]);
        return;
    case WR_PHYS_MAP:
        put_map(w, v, ((const wr_list *)v->data)[at]);
        return;
    case WR_PHYS_ROW:
        put_row(w, v, row);
        return;
    case WR_PHYS_STR:
        if (wr_type_is_string(v->type))
            wri_json_put_string(w->t, wr_view_str(&view, row));
        else if (wr_type_is_binary(v->type))
            put_base64(w, wr_view_str(&view, row));
        else
            wr_value_display(v, row, w->tz, w->t); /* VARIANT: its JSON */
        return;
    case WR_PHYS_I8:
    case WR_PHYS_I16:
    case WR_PHYS_I32:
    case WR_PHYS_I64:
    case WR_PHYS_I128:
    case WR_PHYS_TS:
        if (wr_type_is(v->type, WR_T_TIMESTAMP) || wr_type_is(v->type, WR_T_TIMESTAMP_LTZ))
            put_timestamp(w, v, at, wr_type_is(v->type, WR_T_TIMESTAMP_LTZ));
        else
            put_exact(w, v, &view, row);
        return;
    case WR_PHYS_NONE:
    case WR_PHYS_COUNT:
        break;
    }
    wr_text_puts(w->t, "null");
}

void
wri_json_put_value(wr_text *out, const wr_vec *v, uint32_t row, const struct wr_tz *tz,
                   bool *null_key)
{
    writer w = {.t = out, .tz = tz};
    put_entry(&w, v, row);
    if (w.null_key && null_key) *null_key = true;
}

static const char null_key_text[] =
    "Key at index 0 was null. This is not supported during conversion to JSON.";

/* The text as the row's result, or the row error of a null map key. */
static wr_status
put_result(wr_fn_call *call, uint32_t row, wr_text *t, bool null_key)
{
    if (null_key) {
        wr_row_err(call->errs, row, WR_DATA, "%s", null_key_text);
        wri_null(call, row);
        return WR_OK;
    }
    if (t->failed) return wr_text_raise(call->ctx, t);
    wr_str s = wr_text_str(t);
    wri_put_ref(call, row, s.ptr, s.len);
    return WR_OK;
}

/* ---- JSON_STRING ----------------------------------------------------------------------------- */

wr_status
wri_r_json_string(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0], *culprit = NULL;
    if (able(t, &culprit) == NOT_ABLE && culprit == t) {
        wr_str s = wr_type_str(t, WR_TYPE_SUMMARY, b->arena);
        wr_str why = wr_arena_printf(b->arena,
                                     "Unsupported argument type. Expected type of family "
                                     "'CHARACTER_STRING' but actual type was '%.*s'.",
                                     WR_STR_ARG(s));
        WR_TRY_ALLOC(ctx, why.ptr);
        return wri_invalid_call(ctx, b, why.ptr);
    }
    WR_TRY(wri_check_json_able(ctx, b, 0));
    return wri_result(ctx, b, wr_type_string(true));
}

wr_status
wri_k_json_string(wr_fn_call *call)
{
    const struct wr_tz *tz = call->env ? call->env->tz : NULL;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_text t;
        wr_text_init(&t, call->arena);
        bool null_key = false;
        wri_json_put_value(&t, call->args[0], row, tz, &null_key);
        WR_TRY(put_result(call, row, &t, null_key));
    }
    return WR_OK;
}

/* ---- JSON_OBJECT, JSON_ARRAY ----------------------------------------------------------------- */

/* Values that are JSON already: calls of JSON_OBJECT, JSON_ARRAY and JSON. */
static bool
is_json_call(const wr_expr *e)
{
    if (e->kind != WR_EX_CALL || !e->fn) return false;
    wr_str name = wr_str_c(e->fn->name);
    return wr_str_eq_c(name, "JSON_OBJECT") || wr_str_eq_c(name, "JSON_ARRAY") ||
           wr_str_eq_c(name, "JSON");
}

static wr_status
mark_json(wr_ctx *ctx, wr_fn_bind *b, uint32_t from, uint32_t step)
{
    bool *raw = WR_NEW_N(b->arena, bool, b->arg_count);
    WR_TRY_ALLOC(ctx, raw);
    for (uint32_t i = from; i < b->arg_count; i += step) {
        WR_TRY(wri_check_json_able(ctx, b, i));
        raw[i] = is_json_call(b->args[i]);
    }
    b->data = raw;
    return WR_OK;
}

wr_status
wri_r_json_object(wr_ctx *ctx, wr_fn_bind *b)
{
    if (b->arg_count % 2 == 0) return wri_refuse(ctx, b, NULL);
    for (uint32_t i = 1; i < b->arg_count; i += 2)
        if (!wr_type_is_string(b->arg_types[i]))
            return wr_raise_at(ctx, WR_TYPE, wri_arg_span(b, i), "Expected a character type");
    WR_TRY(mark_json(ctx, b, 2, 2));
    return wri_result_null(ctx, b, wr_type_string(false), false);
}

wr_status
wri_r_json_array(wr_ctx *ctx, wr_fn_bind *b)
{
    WR_TRY(mark_json(ctx, b, 1, 1));
    return wri_result_null(ctx, b, wr_type_string(false), false);
}

static void
put_member(wr_fn_call *call, wr_text *t, uint32_t i, uint32_t row, bool *null_key)
{
    const bool *raw = call->expr->fn_data;
    const wr_vec *v = call->args[i];
    if (raw && raw[i] && !wr_vec_is_null(v, row)) {
        wr_view w = wr_vec_view(v);
        wr_str s = wr_view_str(&w, row);
        wr_text_put(t, s.ptr, s.len);
        return;
    }
    wri_json_put_value(t, v, row, call->env ? call->env->tz : NULL, null_key);
}

static bool
keeps_nulls(wr_fn_call *call, const char *otherwise)
{
    wr_str how = wr_str_c(otherwise);
    (void)wri_const_str(call->expr, 0, &how);
    return wr_str_eq_c(how, "NULL");
}

/* One row of JSON_OBJECT; *null_name: a key is NULL. */
static void
object_row(wr_fn_call *call, uint32_t row, bool nulls, keyed *k, wr_text *t, bool *null_key,
           bool *null_name)
{
    uint32_t pairs = call->arg_count / 2, n = 0;
    for (uint32_t i = 0; i < pairs; i++) {
        if (wri_arg_null(call, 1 + 2 * i, row)) {
            *null_name = true;
            return;
        }
        if (!nulls && wri_arg_null(call, 2 + 2 * i, row)) continue;
        wr_view w = wri_view(call, 1 + 2 * i);
        k[n++] = (keyed){wr_view_str(&w, row), 2 + 2 * i};
    }
    sort_keyed(k, k + n, n);
    wr_text_putc(t, '{');
    bool first = true;
    for (uint32_t i = 0; i < n; i++) {
        if (i + 1 < n && wr_str_eq(k[i].key, k[i + 1].key)) continue; /* the last one wins */
        if (!first) wr_text_putc(t, ',');
        first = false;
        wri_json_put_string(t, k[i].key);
        wr_text_putc(t, ':');
        put_member(call, t, k[i].index, row, null_key);
    }
    wr_text_putc(t, '}');
}

wr_status
wri_k_json_object(wr_fn_call *call)
{
    bool nulls = keeps_nulls(call, "NULL");
    keyed *k = WR_NEW_N(call->arena, keyed, call->arg_count + 1);
    if (!k) return WRI_NOMEM(call);
    WR_FOR_CALL(call, row)
    {
        wr_text t;
        wr_text_init(&t, call->arena);
        bool null_key = false, null_name = false;
        object_row(call, row, nulls, k, &t, &null_key, &null_name);
        if (null_name) {
            wr_row_err(call->errs, row, WR_DATA, "a key of JSON_OBJECT must not be NULL");
            wri_null(call, row);
            continue;
        }
        WR_TRY(put_result(call, row, &t, null_key));
    }
    return WR_OK;
}

wr_status
wri_k_json_array(wr_fn_call *call)
{
    bool nulls = keeps_nulls(call, "ABSENT");
    WR_FOR_CALL(call, row)
    {
        wr_text t;
        wr_text_init(&t, call->arena);
        bool null_key = false, first = true;
        wr_text_putc(&t, '[');
        for (uint32_t i = 1; i < call->arg_count; i++) {
            if (!nulls && wri_arg_null(call, i, row)) continue;
            if (!first) wr_text_putc(&t, ',');
            first = false;
            put_member(call, &t, i, row, &null_key);
        }
        wr_text_putc(&t, ']');
        WR_TRY(put_result(call, row, &t, null_key));
    }
    return WR_OK;
}

/* ---- JSON, JSON_QUOTE ------------------------------------------------------------------------ */

/* Checked and printed anew; nothing but blanks is null. */
wr_status
wri_k_json(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str v = wr_view_str(&s, row);
        while (v.len && strchr(" \t\r\n", v.ptr[0]) && v.ptr[0]) v.ptr++, v.len--;
        if (v.len == 0) {
            wri_put_ref(call, row, "null", 4);
            continue;
        }
        wri_json *doc = NULL;
        wri_json_error why;
        switch (wri_json_parse(call->arena, v, &doc, &why)) {
        case WRI_JSON_NOMEM:
            return WRI_NOMEM(call);
        case WRI_JSON_BAD:
            wr_row_err(call->errs, row, WR_DATA, "%s", why.text);
            wri_null(call, row);
            continue;
        case WRI_JSON_OK:
            break;
        }
        wr_text t;
        wr_text_init(&t, call->arena);
        wri_json_print(&t, doc);
        WR_TRY(put_result(call, row, &t, false));
    }
    return WR_OK;
}

static void
quote(wr_text *t, wr_str s)
{
    const char *p = s.ptr, *end = s.ptr + s.len;
    wr_text_putc(t, '"');
    while (p < end) {
        uint32_t cp = wr_utf8_next(&p, end);
        static const char plain[] = "\"\\/\b\f\n\r\t", names[] = "\"\\/bfnrt";
        const char *at = cp && cp < 0x80 ? strchr(plain, (int)cp) : NULL;
        if (at) {
            wr_text_putc(t, '\\');
            wr_text_putc(t, names[at - plain]);
        } else if (cp >= 0x10000) {
            wr_text_printf(t, "\\u%04x\\u%04x", 0xd800 + ((cp - 0x10000) >> 10),
                           0xdc00 + ((cp - 0x10000) & 0x3ff));
        } else if (cp < 0x20 || cp > 0x7f) {
            wr_text_printf(t, "\\u%04x", cp);
        } else {
            wr_text_putc(t, (char)cp);
        }
    }
    wr_text_putc(t, '"');
}

wr_status
wri_k_json_quote(wr_fn_call *call)
{
    wr_view s = wri_view(call, 0);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_text t;
        wr_text_init(&t, call->arena);
        quote(&t, wr_view_str(&s, row));
        WR_TRY(put_result(call, row, &t, false));
    }
    return WR_OK;
}
