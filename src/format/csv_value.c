/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a cell to a value, for whatever the loop does not convert itself: by the rules of
 * Flink's CsvToRowDataConverters. ARRAY and ROW cells are split at the element delimiter. */
#include "format/csv_int.h"
#include "types/decimal.h"
#include "types/number.h"

const char *
wri_csv_unescape(const wri_csv *c, wr_str raw, bool quoted, wr_arena *a, size_t *len)
{
    char *out = wr_arena_alloc(a, raw.len ? raw.len : 1), *o = out;
    if (!out) return NULL;
    for (size_t i = 0; i < raw.len; i++) {
        char x = raw.ptr[i];
        if (c->escape && x == c->escape && i + 1 < raw.len) {
            x = raw.ptr[++i];
            x = (char)(x == 'n' ? '\n' : x == 'r' ? '\r' : x == 't' ? '\t' : x == '0' ? '\0' : x);
        } else if (quoted && x == c->quote && i + 1 < raw.len && raw.ptr[i + 1] == c->quote) {
            i++;
        }
        *o++ = x;
    }
    *len = (size_t)(o - out);
    return out;
}

static inline void
mark(wr_vec *v, uint32_t row)
{
    if (v->has_nulls) wr_bit_set(v->validity, row);
}

static bool
store_integer(const wri_csv_column *col, wr_str text, wr_vec *v, uint32_t row)
{
    static const int64_t least[] = {INT8_MIN, INT16_MIN, INT32_MIN, INT64_MIN};
    static const int64_t most[] = {INT8_MAX, INT16_MAX, INT32_MAX, INT64_MAX};
    uint32_t k = (uint32_t)(col->kind - WRI_K_I8);
    int64_t x;
    if (!wri_parse_int(wri_trim(text), least[k], most[k], &x)) return false;
    switch (k) {
    case 0:
        ((int8_t *)v->data)[row] = (int8_t)x;
        break;
    case 1:
        ((int16_t *)v->data)[row] = (int16_t)x;
        break;
    case 2:
        ((int32_t *)v->data)[row] = (int32_t)x;
        break;
    default:
        ((int64_t *)v->data)[row] = x;
        break;
    }
    mark(v, row);
    return true;
}

static bool
store_decimal(wri_csv *c, const wri_csv_column *col, wr_str text, wr_vec *v, uint32_t row)
{
    wr_i128 x;
    wr_dec_parse got =
        wr_dec_from_text(text.ptr, text.len, col->type->precision, col->type->scale, &x);
    if (got == WR_DEC_INVALID) return false;
    if (got == WR_DEC_OVERFLOW) { /* NULL, as BigDecimal that does not fit */
        if (!wr_vec_set_null(v, row, c->fill->arena)) c->err = WRI_CE_NOMEM;
        return c->err != WRI_CE_NOMEM;
    }
    if (col->kind == WRI_K_DEC64)
        ((int64_t *)v->data)[row] = (int64_t)x;
    else
        ((wr_i128 *)v->data)[row] = x;
    mark(v, row);
    return true;
}

static bool
store_bytes(wri_csv *c, wr_str text, bool stable, wr_vec *v, uint32_t row)
{
    const char *p = text.ptr;
    if (text.len > INT32_MAX) return false;
    if (text.len > 12 && !stable) {
        p = wr_arena_dup(c->fill->arena, text.ptr, text.len);
        if (!p) {
            c->err = WRI_CE_NOMEM;
            return false;
        }
    }
    ((wr_strv *)v->data)[row] = wr_strv_make(p, (uint32_t)text.len);
    mark(v, row);
    return true;
}

static bool
store_base64(wri_csv *c, wr_str text, wr_vec *v, uint32_t row)
{
    size_t len;
    uint8_t *out = wr_arena_alloc(c->fill->arena, text.len / 4 * 3 + 3);
    if (!out) {
        c->err = WRI_CE_NOMEM;
        return false;
    }
    if (!wri_format_base64_decode(text, out, &len)) return false;
    return store_bytes(c, (wr_str){(const char *)out, len}, true, v, row);
}

static bool
store_time(const wri_csv_column *col, wr_str text, wr_vec *v, uint32_t row)
{
    static const int32_t unit[] = {1000, 100, 10, 1};
    wri_local_time t;
    const char *p = text.ptr;
    if (!wri_scan_time(&p, text.ptr + text.len, false, &t) || p != text.ptr + text.len)
        return false;
    if (t.ms == 86400000) return false;
    int32_t cut = unit[WR_MIN(WR_MAX(col->type->precision, 0), 3)];
    ((int32_t *)v->data)[row] = (int32_t)t.ms / cut * cut;
    mark(v, row);
    return true;
}

static bool
store_timestamp(const wri_csv_column *col, wr_str text, wr_vec *v, uint32_t row)
{
    wri_local_time t;
    if (!wri_parse_timestamp(wri_trim(text), ' ', true, col->zoned, &t)) return false;
    int64_t ms = t.days * 86400000 + t.ms;
    if (col->kind == WRI_K_TS_MS)
        ((int64_t *)v->data)[row] = ms;
    else
        ((wr_ts *)v->data)[row] = (wr_ts){ms, t.nano, 0};
    mark(v, row);
    return true;
}

/* ---- nested cells ---------------------------------------------------------------------------- */

static wr_str
next_part(const wri_csv *c, wr_str *rest, bool *more)
{
    const char *at = c->array_delim ? memchr(rest->ptr, c->array_delim, rest->len) : NULL;
    wr_str part = {rest->ptr, at ? (size_t)(at - rest->ptr) : rest->len};
    *more = at != NULL;
    size_t step = part.len + (at ? 1 : 0);
    *rest = (wr_str){rest->ptr + step, rest->len - step};
    return part;
}

static wri_csv_column
column_of(const wr_type *t, wr_str name)
{
    return (wri_csv_column){.kind = (uint8_t)wri_kind_of(t),
                            .zoned = t->id == WR_T_TIMESTAMP_LTZ,
                            .type = t,
                            .name = name};
}

/* One element: NULL by literal, or converted; with errors ignored NULL. */
static bool
store_part(wri_csv *c, const wri_csv_column *col, wr_str part, bool stable, wr_vec *v, uint32_t row)
{
    bool null = c->has_null && wr_str_eq(part, c->null_literal);
    if (!null && wri_csv_store(c, col, part, stable, v, row)) return true;
    if (!null && (!c->ignore_errors || c->err == WRI_CE_NOMEM)) return false;
    if (wr_vec_set_null(v, row, c->fill->arena)) return true;
    c->err = WRI_CE_NOMEM;
    return false;
}

static bool
store_list(wri_csv *c, const wri_csv_column *col, wr_str text, bool stable, wr_vec *v, uint32_t row)
{
    wri_csv_column elem = column_of(col->type->fields[0].type, col->name);
    uint32_t off = v->child[0].len, count = 0, at;
    bool more = text.len > 0;
    while (more) {
        wr_str part = next_part(c, &text, &more);
        if (!wr_vec_child_reserve(v, 1, c->fill->arena, &at)) {
            c->err = WRI_CE_NOMEM;
            return false;
        }
        if (!store_part(c, &elem, part, stable, &v->child[0], at)) return false;
        count++;
    }
    ((wr_list *)v->data)[row] = (wr_list){off, count};
    mark(v, row);
    return true;
}

static bool
store_row(wri_csv *c, const wri_csv_column *col, wr_str text, bool stable, wr_vec *v, uint32_t row)
{
    bool more = true;
    if (text.len == 0) return true; /* no parts: NULL */
    for (uint32_t i = 0; i < v->child_count; i++) {
        if (!more && !c->ignore_errors) return false; /* row length mismatch */
        if (!more) break;
        wr_str part = next_part(c, &text, &more);
        wri_csv_column field = column_of(col->type->fields[i].type, col->type->fields[i].name);
        if (!store_part(c, &field, part, stable, &v->child[i], row)) return false;
    }
    mark(v, row);
    return true;
}

bool
wri_csv_store(wri_csv *c, const wri_csv_column *col, wr_str text, bool stable, wr_vec *v,
              uint32_t row)
{
    int64_t days;
    double d;
    float f;
    switch ((wri_kind)col->kind) {
    case WRI_K_BOOL:
        ((uint8_t *)v->data)[row] = wr_str_eq_nocase(wri_trim(text), WR_STR("true"));
        break;
    case WRI_K_I8:
    case WRI_K_I16:
    case WRI_K_I32:
    case WRI_K_I64:
        return store_integer(col, text, v, row);
    case WRI_K_F32:
        if (!wr_f32_parse_java(text.ptr, text.len, &f)) return false;
        ((float *)v->data)[row] = f;
        break;
    case WRI_K_F64:
        if (!wr_f64_parse_java(text.ptr, text.len, &d)) return false;
        ((double *)v->data)[row] = d;
        break;
    case WRI_K_DEC64:
    case WRI_K_DEC128:
        return store_decimal(c, col, text, v, row);
    case WRI_K_STR:
        if (!wr_utf8_valid(text.ptr, text.len)) {
            c->err = WRI_CE_UTF8;
            return false;
        }
        return store_bytes(c, text, stable, v, row);
    case WRI_K_BYTES:
        return store_base64(c, text, v, row);
    case WRI_K_DATE:
        if (!wri_parse_sql_date(text, &days)) return false;
        ((int32_t *)v->data)[row] = (int32_t)days;
        break;
    case WRI_K_TIME:
        return store_time(col, text, v, row);
    case WRI_K_TS_MS:
    case WRI_K_TS_NS:
        return store_timestamp(col, text, v, row);
    case WRI_K_LIST:
        return store_list(c, col, text, stable, v, row);
    case WRI_K_ROW:
        return store_row(c, col, text, stable, v, row);
    case WRI_K_MAP:
        return false;
    }
    mark(v, row);
    return true;
}
