/* SPDX-License-Identifier: Apache-2.0 */
/* Data types as written. What a length or precision may be is decided where types live. */
#include "sql/sql_int.h"

/* [(n)] */
static bool
length(wri_parser *p, int32_t *out)
{
    if (!wri_accept(p, WRI_T_LPAREN)) return true;
    return wri_int32(p, out) && wri_expect(p, WRI_T_RPAREN);
}

/* [(p [, s])] */
static bool
precision_and_scale(wri_parser *p, wr_ast_type *t)
{
    if (!wri_accept(p, WRI_T_LPAREN)) return true;
    if (!wri_int32(p, &t->precision)) return false;
    if (wri_accept(p, WRI_T_COMMA) && !wri_int32(p, &t->scale)) return false;
    return wri_expect(p, WRI_T_RPAREN);
}

/* [VARYING] [(n)] [CHARACTER SET x] */
static bool
text_type(wri_parser *p, wr_ast_type *t, wr_sql_type_name varying)
{
    if (wri_accept_kw(p, WRI_KW_VARYING)) t->name = varying;
    if (!length(p, &t->precision)) return false;
    if (t->name != WR_SQL_TN_CHAR && t->name != WR_SQL_TN_VARCHAR) return true;
    if (!wri_accept_kw(p, WRI_KW_CHARACTER)) return true;
    if (!wri_expect_kw(p, WRI_KW_SET)) return false;
    t->charset = wri_part(p).name;
    return !p->failed;
}

/* [(p)] [WITHOUT TIME ZONE | WITH LOCAL TIME ZONE] */
static bool
time_type(wri_parser *p, wr_ast_type *t, wr_sql_type_name local)
{
    if (!length(p, &t->precision)) return false;
    if (wri_accept_kw(p, WRI_KW_WITHOUT))
        return wri_expect_kw(p, WRI_KW_TIME) && wri_expect_kw(p, WRI_KW_ZONE);
    if (!wri_accept_kw(p, WRI_KW_WITH)) return true;
    t->name = local;
    t->long_form = true;
    return wri_expect_kw(p, WRI_KW_LOCAL) && wri_expect_kw(p, WRI_KW_TIME) &&
           wri_expect_kw(p, WRI_KW_ZONE);
}

static wr_ast *
field(wri_parser *p)
{
    wr_ast_type_field *n = wri_node(p, WR_AST_TYPE_FIELD, wri_start(p));
    n->name = wri_part(p);
    n->type = wri_type(p, true);
    if (wri_is_string(p, 0)) n->comment = wri_string(p);
    return wri_done(p, n);
}

static bool
fields(wri_parser *p, wr_ast_type *t, wri_token_kind close)
{
    uint32_t cap = 0;
    do {
        if (!wri_push(p, &t->fields, &cap, field(p))) return false;
    } while (wri_accept(p, WRI_T_COMMA));
    return wri_expect(p, close);
}

/* ROW<f t, ...>, ROW(f t, ...), both may be empty */
static bool
row_type(wri_parser *p, wr_ast_type *t)
{
    if (wri_accept(p, WRI_T_NE)) return true; /* <> */
    if (wri_accept(p, WRI_T_LPAREN)) {
        t->parens = true;
        return wri_accept(p, WRI_T_RPAREN) || fields(p, t, WRI_T_RPAREN);
    }
    return wri_expect(p, WRI_T_LT) && (wri_accept(p, WRI_T_GT) || fields(p, t, WRI_T_GT));
}

static bool
string_value(wri_parser *p, wr_str *out)
{
    wr_ast *s = wri_string(p);
    if (s) *out = ((wr_ast_literal *)s)->text;
    return s != NULL;
}

/* RAW('class', 'snapshot') */
static bool
raw_type(wri_parser *p, wr_ast_type *t)
{
    return wri_expect(p, WRI_T_LPAREN) && string_value(p, &t->class_name) &&
           wri_expect(p, WRI_T_COMMA) && string_value(p, &t->snapshot) &&
           wri_expect(p, WRI_T_RPAREN);
}

/* STRUCTURED<'class', f t, ...> */
static bool
structured_type(wri_parser *p, wr_ast_type *t)
{
    if (!wri_expect(p, WRI_T_LT) || !string_value(p, &t->class_name)) return false;
    if (wri_accept(p, WRI_T_COMMA)) return fields(p, t, WRI_T_GT);
    return wri_expect(p, WRI_T_GT);
}

/* <t>, <k, v> */
static bool
element_types(wri_parser *p, wr_ast_type *t)
{
    if (!wri_expect(p, WRI_T_LT)) return false;
    if (t->name == WR_SQL_TN_MAP) {
        t->key = wri_type(p, true);
        if (!wri_expect(p, WRI_T_COMMA)) return false;
    }
    t->element = wri_type(p, true);
    return wri_expect(p, WRI_T_GT);
}

/* The type that token n begins; WR_SQL_TN_COUNT: none. */
static wr_sql_type_name
type_of(const wri_parser *p, uint32_t n)
{
    switch ((unsigned)wri_peek(p, n)->kw) {
    case WRI_KW_BOOLEAN:
        return WR_SQL_TN_BOOLEAN;
    case WRI_KW_TINYINT:
        return WR_SQL_TN_TINYINT;
    case WRI_KW_SMALLINT:
        return WR_SQL_TN_SMALLINT;
    case WRI_KW_INT:
    case WRI_KW_INTEGER:
        return WR_SQL_TN_INT;
    case WRI_KW_BIGINT:
        return WR_SQL_TN_BIGINT;
    case WRI_KW_FLOAT:
        return WR_SQL_TN_FLOAT;
    case WRI_KW_REAL:
        return WR_SQL_TN_REAL;
    case WRI_KW_DOUBLE:
        return WR_SQL_TN_DOUBLE;
    case WRI_KW_DECIMAL:
    case WRI_KW_DEC:
    case WRI_KW_NUMERIC:
        return WR_SQL_TN_DECIMAL;
    case WRI_KW_CHAR:
    case WRI_KW_CHARACTER:
        return WR_SQL_TN_CHAR;
    case WRI_KW_VARCHAR:
        return WR_SQL_TN_VARCHAR;
    case WRI_KW_STRING:
        return WR_SQL_TN_STRING;
    case WRI_KW_BINARY:
        return WR_SQL_TN_BINARY;
    case WRI_KW_VARBINARY:
        return WR_SQL_TN_VARBINARY;
    case WRI_KW_BYTES:
        return WR_SQL_TN_BYTES;
    case WRI_KW_DATE:
        return WR_SQL_TN_DATE;
    case WRI_KW_TIME:
        return WR_SQL_TN_TIME;
    case WRI_KW_TIMESTAMP:
        return WR_SQL_TN_TIMESTAMP;
    case WRI_KW_TIMESTAMP_LTZ:
        return WR_SQL_TN_TIMESTAMP_LTZ;
    case WRI_KW_INTERVAL:
        return WR_SQL_TN_INTERVAL;
    case WRI_KW_ARRAY:
        return wri_at_tok(p, n + 1, WRI_T_LT) ? WR_SQL_TN_ARRAY : WR_SQL_TN_COUNT;
    case WRI_KW_MULTISET:
        return wri_at_tok(p, n + 1, WRI_T_LT) ? WR_SQL_TN_MULTISET : WR_SQL_TN_COUNT;
    case WRI_KW_MAP:
        return wri_at_tok(p, n + 1, WRI_T_LT) ? WR_SQL_TN_MAP : WR_SQL_TN_COUNT;
    case WRI_KW_ROW:
        return WR_SQL_TN_ROW;
    case WRI_KW_RAW:
        return WR_SQL_TN_RAW;
    case WRI_KW_STRUCTURED:
        return WR_SQL_TN_STRUCTURED;
    case WRI_KW_VARIANT:
        return WR_SQL_TN_VARIANT;
    case WRI_KW_BITMAP:
        return WR_SQL_TN_BITMAP;
    case WRI_KW_ANY:
        return WR_SQL_TN_ANY;
    default:
        return WR_SQL_TN_COUNT;
    }
}

bool
wri_is_type_word(const wri_parser *p, uint32_t n)
{
    return type_of(p, n) != WR_SQL_TN_COUNT;
}

/* What follows the first word of a built-in type. */
static bool
parameters(wri_parser *p, wr_ast_type *t)
{
    switch ((unsigned)t->name) {
    case WR_SQL_TN_DOUBLE:
        (void)wri_accept_kw(p, WRI_KW_PRECISION);
        return true;
    case WR_SQL_TN_DECIMAL:
        return precision_and_scale(p, t);
    case WR_SQL_TN_CHAR:
    case WR_SQL_TN_VARCHAR:
        return text_type(p, t, WR_SQL_TN_VARCHAR);
    case WR_SQL_TN_BINARY:
    case WR_SQL_TN_VARBINARY:
        return text_type(p, t, WR_SQL_TN_VARBINARY);
    case WR_SQL_TN_TIME:
        return time_type(p, t, WR_SQL_TN_TIME_LTZ);
    case WR_SQL_TN_TIMESTAMP:
        return time_type(p, t, WR_SQL_TN_TIMESTAMP_LTZ);
    case WR_SQL_TN_TIMESTAMP_LTZ:
        return length(p, &t->precision);
    case WR_SQL_TN_INTERVAL:
        return wri_interval_qual(p, &t->qual);
    case WR_SQL_TN_ARRAY:
    case WR_SQL_TN_MULTISET:
    case WR_SQL_TN_MAP:
        return element_types(p, t);
    case WR_SQL_TN_ROW:
        return row_type(p, t);
    case WR_SQL_TN_RAW:
        return raw_type(p, t);
    case WR_SQL_TN_STRUCTURED:
        return structured_type(p, t);
    default:
        return true;
    }
}

static wr_ast_type *
type_node(wri_parser *p, wr_sql_type_name name, uint32_t start)
{
    wr_ast_type *t = wri_node(p, WR_AST_TYPE, start);
    t->name = name;
    t->precision = t->scale = -1;
    t->qual = (wr_ast_interval){WR_SQL_UNIT_NONE, WR_SQL_UNIT_NONE, -1, -1};
    t->class_name = t->snapshot = t->charset = WR_STR("");
    return t;
}

static wr_ast_type *
base_type(wri_parser *p)
{
    wr_sql_type_name name = type_of(p, 0);
    wr_ast_type *t = type_node(p, name, wri_start(p));
    if (name != WR_SQL_TN_COUNT) {
        wri_advance(p);
        if (!parameters(p, t)) return NULL;
        return wri_done(p, t);
    }
    if (!wri_is_name(p, 0)) {
        wri_want_add(p, WRI_WANT_TYPE);
        return wri_unexpected(p);
    }
    t->name = WR_SQL_TN_USER;
    t->user = wri_ident(p);
    const wr_ast_ident *user = t->user;
    if (user && user->part_count == 1 && !user->parts[0].quoted &&
        wr_str_eq_nocase(user->parts[0].name, WR_STR("GEOMETRY")))
        return wri_fail_at(
            p, user->base.span,
            "SQL parse failed. Geo-spatial extensions and the GEOMETRY data type are not enabled");
    return wri_done(p, t);
}

wr_ast_type *
wri_type(wri_parser *p, bool with_null)
{
    if (!wri_enter(p)) return NULL;
    wr_ast_type *t = base_type(p);
    while (t && (wri_is_kw(p, WRI_KW_ARRAY) || wri_is_kw(p, WRI_KW_MULTISET))) {
        bool array = wri_tok(p)->kw == WRI_KW_ARRAY;
        wr_ast_type *outer =
            type_node(p, array ? WR_SQL_TN_ARRAY : WR_SQL_TN_MULTISET, t->base.span.start);
        wri_advance(p);
        outer->postfix = true;
        outer->element = t;
        t = wri_done(p, outer);
    }
    wri_leave(p);
    if (!t || !with_null) return t;
    if (wri_accept_kw(p, WRI_KW_NULL)) {
        t->nullability = WR_SQL_NULLABLE_UNSET; /* NULL is the default */
    } else if (wri_accept_kw(p, WRI_KW_NOT)) {
        if (!wri_expect_kw(p, WRI_KW_NULL)) return NULL;
        t->nullability = WR_SQL_NULLABLE_NOT_NULL;
    }
    if (!p->failed) t->base.span.end = wri_prev_end(p);
    return t;
}
