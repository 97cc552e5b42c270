/* SPDX-License-Identifier: Apache-2.0 */
/* The SQL/JSON functions and their clauses. Clauses that Flink prints even when nobody wrote them
 * get their defaults. */
#include "sql/sql_int.h"

static wr_ast_call *
begin(wri_parser *p, wr_ast_json **json)
{
    wr_ast_call *n = wri_call_node(p, wri_start(p), WR_SQL_CALL_JSON);
    wr_ast_ident *name = wri_keyword_name(p);
    n->name = name;
    (void)wri_expect(p, WRI_T_LPAREN);
    *json = wri_node(p, WR_AST_JSON, wri_start(p));
    return n;
}

static wr_ast *
end(wri_parser *p, wr_ast_call *n, wr_ast_json *json)
{
    n->json = wri_done(p, json);
    if (!wri_expect(p, WRI_T_RPAREN)) return NULL;
    if (wri_accept_kw2(p, WRI_KW_WITHIN, WRI_KW_GROUP))
        if (!wri_expect(p, WRI_T_LPAREN) || !wri_expect_kw(p, WRI_KW_ORDER) ||
            !wri_order_by(p, &n->within_group) || !wri_expect(p, WRI_T_RPAREN))
            return NULL;
    return wri_done(p, n);
}

/* An argument, FORMAT JSON behind it noted. */
static bool
argument(wri_parser *p, wr_ast_call *n, wr_ast_json *json, uint32_t *cap)
{
    if (!wri_push(p, &n->args, cap, wri_expr(p))) return false;
    if (!wri_accept_kw2(p, WRI_KW_FORMAT, WRI_KW_JSON)) return true;
    uint32_t i = n->args.count - 1;
    if (i < 64) json->formatted |= 1ull << i;
    return true;
}

static bool
input_and_path(wri_parser *p, wr_ast_call *n, wr_ast_json *json)
{
    uint32_t cap = 0;
    return argument(p, n, json, &cap) && wri_expect(p, WRI_T_COMMA) && argument(p, n, json, &cap);
}

/* {TRUE | FALSE | UNKNOWN | ERROR} ON ERROR */
static wr_ast *
json_exists(wri_parser *p)
{
    wr_ast_json *json;
    wr_ast_call *n = begin(p, &json);
    if (!input_and_path(p, n, json)) return NULL;
    if (wri_accept_kw(p, WRI_KW_TRUE))
        json->on_error = WR_SQL_JSON_TRUE;
    else if (wri_accept_kw(p, WRI_KW_FALSE))
        json->on_error = WR_SQL_JSON_FALSE;
    else if (wri_accept_kw(p, WRI_KW_UNKNOWN))
        json->on_error = WR_SQL_JSON_UNKNOWN;
    else if (wri_accept_kw(p, WRI_KW_ERROR))
        json->on_error = WR_SQL_JSON_ERROR;
    if (json->on_error != WR_SQL_JSON_NONE &&
        (!wri_expect_kw(p, WRI_KW_ON) || !wri_expect_kw(p, WRI_KW_ERROR)))
        return NULL;
    return end(p, n, json);
}

/* behaviour ON {EMPTY | ERROR}, any number of times; `query`: EMPTY ARRAY | EMPTY OBJECT instead of
 * DEFAULT */
static bool
behaviours(wri_parser *p, wr_ast_json *json, bool query)
{
    for (;;) {
        wr_sql_json_behaviour what;
        wr_ast *value = NULL;
        if (wri_accept_kw(p, WRI_KW_NULL)) {
            what = WR_SQL_JSON_NULL;
        } else if (wri_accept_kw(p, WRI_KW_ERROR)) {
            what = WR_SQL_JSON_ERROR;
        } else if (!query && wri_accept_kw(p, WRI_KW_DEFAULT)) {
            what = WR_SQL_JSON_DEFAULT;
            value = wri_expr(p);
        } else if (query && wri_accept_kw(p, WRI_KW_EMPTY)) {
            what = WR_SQL_JSON_EMPTY_ARRAY;
            if (!wri_accept_kw(p, WRI_KW_ARRAY)) {
                what = WR_SQL_JSON_EMPTY_OBJECT;
                if (!wri_expect_kw(p, WRI_KW_OBJECT)) return false;
            }
        } else {
            return true;
        }
        if (!wri_expect_kw(p, WRI_KW_ON)) return false;
        if (wri_accept_kw(p, WRI_KW_EMPTY)) {
            json->on_empty = what;
            json->empty_value = value;
        } else if (wri_expect_kw(p, WRI_KW_ERROR)) {
            json->on_error = what;
            json->error_value = value;
        } else {
            return false;
        }
    }
}

static wr_ast *
json_value(wri_parser *p)
{
    wr_ast_json *json;
    wr_ast_call *n = begin(p, &json);
    if (!input_and_path(p, n, json)) return NULL;
    if (wri_accept_kw(p, WRI_KW_RETURNING)) json->returning = wri_type(p, false);
    if (!behaviours(p, json, false)) return NULL;
    return end(p, n, json);
}

/* {WITHOUT | WITH [CONDITIONAL | UNCONDITIONAL]} [ARRAY] WRAPPER */
static bool
wrapper(wri_parser *p, wr_ast_json *json)
{
    json->wrapper = WR_SQL_WRAPPER_WITHOUT;
    if (wri_accept_kw(p, WRI_KW_WITH)) {
        json->wrapper = WR_SQL_WRAPPER_UNCONDITIONAL;
        if (wri_accept_kw(p, WRI_KW_CONDITIONAL))
            json->wrapper = WR_SQL_WRAPPER_CONDITIONAL;
        else
            (void)wri_accept_kw(p, WRI_KW_UNCONDITIONAL);
    } else if (!wri_accept_kw(p, WRI_KW_WITHOUT)) {
        return true;
    }
    (void)wri_accept_kw(p, WRI_KW_ARRAY);
    return wri_expect_kw(p, WRI_KW_WRAPPER);
}

static wr_ast *
json_query(wri_parser *p)
{
    wr_ast_json *json;
    wr_ast_call *n = begin(p, &json);
    json->on_empty = json->on_error = WR_SQL_JSON_NULL;
    if (!input_and_path(p, n, json)) return NULL;
    if (wri_accept_kw(p, WRI_KW_RETURNING)) json->returning = wri_type(p, false);
    if (!wrapper(p, json) || !behaviours(p, json, true)) return NULL;
    return end(p, n, json);
}

/* {NULL | ABSENT} ON NULL */
static bool
null_clause(wri_parser *p, wr_ast_json *json)
{
    bool null = wri_is_kw(p, WRI_KW_NULL);
    if (!null && !wri_is_kw(p, WRI_KW_ABSENT)) return true;
    if (!wri_at_word(p, 1, WRI_KW_ON)) return true;
    json->nulls = null ? WR_SQL_JSON_NULL_ON_NULL : WR_SQL_JSON_ABSENT_ON_NULL;
    wri_advance(p);
    wri_advance(p);
    return wri_expect_kw(p, WRI_KW_NULL);
}

/* [KEY] k {VALUE | :} v */
static bool
pair(wri_parser *p, wr_ast_call *n, wr_ast_json *json, uint32_t *cap)
{
    if (wri_is_kw(p, WRI_KW_KEY) && !wri_at_word(p, 1, WRI_KW_VALUE) &&
        !wri_at_tok(p, 1, WRI_T_COLON) && !wri_at_tok(p, 1, WRI_T_DOT))
        wri_advance(p);
    if (!wri_push(p, &n->args, cap, wri_expr(p))) return false;
    if (!wri_accept_kw(p, WRI_KW_VALUE) && !wri_expect(p, WRI_T_COLON)) return false;
    return argument(p, n, json, cap);
}

static bool
at_null_clause(wri_parser *p)
{
    return (wri_is_kw(p, WRI_KW_NULL) || wri_is_kw(p, WRI_KW_ABSENT)) &&
           wri_at_word(p, 1, WRI_KW_ON);
}

static wr_ast *
json_object(wri_parser *p, bool aggregate)
{
    wr_ast_json *json;
    wr_ast_call *n = begin(p, &json);
    uint32_t cap = 0;
    json->nulls = WR_SQL_JSON_NULL_ON_NULL;
    if (aggregate || (!wri_is(p, WRI_T_RPAREN) && !at_null_clause(p))) {
        do {
            if (!pair(p, n, json, &cap)) return NULL;
        } while (!aggregate && wri_accept(p, WRI_T_COMMA));
    }
    if (!null_clause(p, json)) return NULL;
    return end(p, n, json);
}

static wr_ast *
json_array(wri_parser *p, bool aggregate)
{
    wr_ast_json *json;
    wr_ast_call *n = begin(p, &json);
    uint32_t cap = 0;
    if (aggregate || !wri_is(p, WRI_T_RPAREN)) {
        json->nulls = WR_SQL_JSON_ABSENT_ON_NULL;
        do {
            if (!argument(p, n, json, &cap)) return NULL;
        } while (!aggregate && wri_accept(p, WRI_T_COMMA));
    }
    if (aggregate && wri_accept_kw(p, WRI_KW_ORDER) && !wri_order_by(p, &n->within_group))
        return NULL;
    if (n->args.count > 0 && !null_clause(p, json)) return NULL;
    return end(p, n, json);
}

wr_ast *
wri_json_call(wri_parser *p, wri_kw which)
{
    switch ((unsigned)which) {
    case WRI_KW_JSON_EXISTS:
        return json_exists(p);
    case WRI_KW_JSON_VALUE:
        return json_value(p);
    case WRI_KW_JSON_QUERY:
        return json_query(p);
    case WRI_KW_JSON_OBJECT:
        return json_object(p, false);
    case WRI_KW_JSON_OBJECTAGG:
        return json_object(p, true);
    case WRI_KW_JSON_ARRAY:
        return json_array(p, false);
    case WRI_KW_JSON_ARRAYAGG:
        return json_array(p, true);
    default:
        WR_UNREACHABLE();
    }
}
