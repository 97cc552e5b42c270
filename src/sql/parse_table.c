/* SPDX-License-Identifier: Apache-2.0 */
/* CREATE TABLE, its elements (shared with ALTER TABLE), and CREATE MATERIALIZED TABLE. */
#include "sql/sql_int.h"

wr_ast *
wri_comment(wri_parser *p)
{
    return wri_accept_kw(p, WRI_KW_COMMENT) ? wri_string(p) : NULL;
}

wr_ast *
wri_as_query(wri_parser *p)
{
    if (!wri_expect_kw(p, WRI_KW_AS)) return NULL;
    if (wri_is_query_start(p, 0)) return wri_query(p);
    wri_want_add(p, WRI_WANT_QUERY);
    return wri_unexpected(p);
}

/* ---- elements -------------------------------------------------------------------------------- */
static wr_sql_enforced
enforced(wri_parser *p)
{
    if (wri_accept_kw(p, WRI_KW_ENFORCED)) return WR_SQL_ENFORCED_YES;
    if (wri_accept_kw2(p, WRI_KW_NOT, WRI_KW_ENFORCED)) return WR_SQL_ENFORCED_NO;
    return WR_SQL_ENFORCED_UNSET;
}

static bool
at_constraint(wri_parser *p)
{
    return wri_is_kw(p, WRI_KW_CONSTRAINT) || wri_is_kw(p, WRI_KW_PRIMARY) ||
           wri_is_kw(p, WRI_KW_UNIQUE);
}

/* [CONSTRAINT n] {PRIMARY KEY | UNIQUE} [(columns)] [[NOT] ENFORCED] */
static wr_ast *
constraint(wri_parser *p, bool with_columns)
{
    wr_ast_constraint *n = wri_node(p, WR_AST_CONSTRAINT, wri_start(p));
    if (wri_accept_kw(p, WRI_KW_CONSTRAINT)) n->name = wri_part(p);
    if (wri_accept_kw(p, WRI_KW_UNIQUE))
        n->unique = true;
    else if (!wri_expect_kw(p, WRI_KW_PRIMARY) || !wri_expect_kw(p, WRI_KW_KEY))
        return NULL;
    if (with_columns && !wri_parts(p, &n->columns)) return NULL;
    n->enforced = enforced(p);
    return wri_done(p, n);
}

/* Computed columns and watermarks hold no sub-query. */
static wr_ast *
plain_expr(wri_parser *p)
{
    bool before = p->no_query;
    p->no_query = true;
    wr_ast *expr = wri_expr(p);
    p->no_query = before;
    return expr;
}

static wr_ast_watermark *
watermark(wri_parser *p)
{
    wr_ast_watermark *n = wri_node(p, WR_AST_WATERMARK, wri_start(p));
    wri_advance(p);
    if (!wri_expect_kw(p, WRI_KW_FOR)) return NULL;
    n->column = wri_ident(p);
    if (!wri_expect_kw(p, WRI_KW_AS)) return NULL;
    n->expr = plain_expr(p);
    return wri_done(p, n);
}

static bool
position(wri_parser *p, wr_ast_column *n)
{
    if (wri_accept_kw(p, WRI_KW_FIRST)) {
        n->position = WR_SQL_POSITION_FIRST;
    } else if (wri_accept_kw(p, WRI_KW_AFTER)) {
        n->position = WR_SQL_POSITION_AFTER;
        n->after = wri_ident(p);
    }
    return !p->failed;
}

static wr_ast *
column(wri_parser *p, bool alter, bool may_be_name)
{
    wr_ast_column *n = wri_node(p, WR_AST_COLUMN, wri_start(p));
    n->path = wri_ident(p);
    if (may_be_name && (wri_is(p, WRI_T_COMMA) || wri_is(p, WRI_T_RPAREN)))
        return wri_done(p, n); /* NAME */
    if (wri_accept_kw(p, WRI_KW_AS)) {
        n->column = WR_SQL_COLUMN_COMPUTED;
        n->expr = plain_expr(p);
    } else {
        n->column = WR_SQL_COLUMN_PHYSICAL;
        n->type = wri_type(p, true);
        if (wri_accept_kw(p, WRI_KW_METADATA)) {
            n->column = WR_SQL_COLUMN_METADATA;
            if (wri_accept_kw(p, WRI_KW_FROM)) n->metadata_key = wri_string(p);
            n->is_virtual = wri_accept_kw(p, WRI_KW_VIRTUAL);
        } else if (at_constraint(p)) {
            n->constraint = (wr_ast_constraint *)constraint(p, false);
        }
    }
    n->comment = wri_comment(p);
    if (alter && !position(p, n)) return NULL;
    return wri_done(p, n);
}

static bool
is_bare_name(const wr_ast_list *columns)
{
    return columns->count > 0 && ((wr_ast_column *)columns->items[0])->column == WR_SQL_COLUMN_NAME;
}

bool
wri_table_element(wri_parser *p, wri_elements *out)
{
    if (wri_is_kw(p, WRI_KW_WATERMARK)) {
        wr_span span = wri_token_span(p, wri_tok(p));
        if (out->watermark)
            return wri_fail_at(p, span,
                               "SQL parse failed. Multiple WATERMARK declarations are not "
                               "supported yet.") != NULL;
        out->watermark = watermark(p);
        return !p->failed;
    }
    if (at_constraint(p))
        return wri_push(p, &out->constraints, &out->constraint_cap, constraint(p, true));
    bool names = is_bare_name(&out->columns);
    wr_ast *n =
        column(p, out->alter, !out->alter && !out->typed && (out->columns.count == 0 || names));
    if (n && names && ((wr_ast_column *)n)->column != WR_SQL_COLUMN_NAME) {
        (void)wri_fail_at(p, n->span,
                          "SQL parse failed. Either all columns have a type or none has");
        return false;
    }
    return wri_push(p, &out->columns, &out->column_cap, n);
}

static bool
elements(wri_parser *p, wr_ast_create_table *n)
{
    wri_elements all = {0};
    if (!wri_accept(p, WRI_T_LPAREN)) return true;
    n->has_columns = true;
    do {
        if (!wri_table_element(p, &all)) return false;
    } while (wri_accept(p, WRI_T_COMMA));
    n->columns = all.columns;
    n->constraints = all.constraints;
    n->watermark = all.watermark;
    return wri_expect(p, WRI_T_RPAREN);
}

/* ---- clauses --------------------------------------------------------------------------------- */
/* [BY [HASH | RANGE] (columns)] [INTO n BUCKETS] */
wr_ast_distribution *
wri_distribution(wri_parser *p)
{
    wr_ast_distribution *n = wri_node(p, WR_AST_DISTRIBUTION, wri_start(p));
    if (wri_accept_kw(p, WRI_KW_BY)) {
        if (wri_accept_kw(p, WRI_KW_HASH))
            n->what = WR_SQL_DISTRIBUTION_HASH;
        else if (wri_accept_kw(p, WRI_KW_RANGE))
            n->what = WR_SQL_DISTRIBUTION_RANGE;
        if (!wri_parts(p, &n->columns)) return NULL;
        if (!wri_accept_kw(p, WRI_KW_INTO)) return wri_done(p, n);
    } else if (!wri_expect_kw(p, WRI_KW_INTO)) {
        return NULL;
    }
    n->buckets = wri_integer(p);
    if (!wri_expect_kw(p, WRI_KW_BUCKETS)) return NULL;
    return wri_done(p, n);
}

/* LIKE source [(options)], behind LIKE */
static wr_ast_table_like *
table_like(wri_parser *p)
{
    static const wri_kw modes[] = {WRI_KW_INCLUDING, WRI_KW_EXCLUDING, WRI_KW_OVERWRITING};
    static const wri_kw features[WR_SQL_LIKE_FEATURE_COUNT] = {
#define X(name) WRI_KW_##name,
        WR_SQL_LIKE_FEATURE_MAP(X)
#undef X
    };
    wr_ast_table_like *n = wri_node(p, WR_AST_TABLE_LIKE, wri_start(p));
    WR_LIST(wr_ast_like_option) options = {0};
    n->source = wri_ident(p);
    if (!wri_accept(p, WRI_T_LPAREN)) return wri_done(p, n);
    do {
        wr_ast_like_option o = {.span = wri_token_span(p, wri_tok(p))};
        uint32_t mode = 0, feature = 0;
        while (mode < WR_COUNT(modes) && !wri_accept_kw(p, modes[mode])) mode++;
        if (mode == WR_COUNT(modes)) return wri_unexpected(p);
        while (feature < WR_COUNT(features) && !wri_accept_kw(p, features[feature])) feature++;
        if (feature == WR_COUNT(features)) return wri_unexpected(p);
        o.mode = (wr_sql_like_mode)mode;
        o.feature = (wr_sql_like_feature)feature;
        o.span.end = wri_prev_end(p);
        if (!wr_list_push(p->arena, &options, o)) return wri_nomem(p);
    } while (!wri_accept(p, WRI_T_RPAREN));
    n->options = options.items;
    n->option_count = options.count;
    return wri_done(p, n);
}

/* [COMMENT] [DISTRIBUTED ...] [PARTITIONED BY (...)] [WITH (...)] */
static bool
table_clauses(wri_parser *p, wr_ast_create_table *n)
{
    n->comment = wri_comment(p);
    if (wri_accept_kw(p, WRI_KW_DISTRIBUTED)) n->distribution = wri_distribution(p);
    if (wri_accept_kw(p, WRI_KW_PARTITIONED))
        if (!wri_expect_kw(p, WRI_KW_BY) || !wri_parts(p, &n->partitions)) return false;
    n->has_options = wri_accept_kw(p, WRI_KW_WITH);
    if (n->has_options && !wri_options(p, &n->options)) return false;
    return !p->failed;
}

static wr_ast *
needs_types(wri_parser *p, wr_ast_create_table *n)
{
    (void)wri_fail_at(p, n->columns.items[0]->span,
                      "SQL parse failed. Columns identifiers without types in the schema are "
                      "supported on CTAS/RTAS statements only.");
    WRI_HINT(p, "give each column a type, or end the statement with AS SELECT ...");
    return NULL;
}

/* Behind CREATE [OR REPLACE] [TEMPORARY] TABLE, or REPLACE TABLE; n's flags are set */
static wr_ast *
rest_of_table(wri_parser *p, wr_ast_create_table *n)
{
    if (!n->replace) n->if_not_exists = wri_accept_if_not_exists(p);
    n->name = wri_ident(p);
    if (!elements(p, n) || !table_clauses(p, n)) return NULL;
    if (!n->replace && wri_accept_kw(p, WRI_KW_LIKE))
        n->like = table_like(p);
    else if (wri_is_kw(p, WRI_KW_AS) || n->replace)
        n->query = wri_as_query(p);
    if (!p->failed && !n->query && is_bare_name(&n->columns)) return needs_types(p, n);
    return wri_done(p, n);
}

wr_ast *
wri_create_table(wri_parser *p, uint32_t start, bool or_replace, bool temporary)
{
    wr_ast_create_table *n = wri_node(p, WR_AST_CREATE_TABLE, start);
    n->or_replace = or_replace;
    n->temporary = temporary;
    wri_advance(p); /* TABLE */
    return rest_of_table(p, n);
}

wr_ast *
wri_replace_table(wri_parser *p)
{
    wr_ast_create_table *n = wri_node(p, WR_AST_CREATE_TABLE, wri_start(p));
    n->replace = true;
    wri_advance(p);
    if (!wri_expect_kw(p, WRI_KW_TABLE)) return NULL;
    return rest_of_table(p, n);
}

/* ---- materialized tables --------------------------------------------------------------------- */
static wr_ast_start_mode *
start_mode(wri_parser *p)
{
    static const wri_kw modes[WR_SQL_START_COUNT] = {
#define X(name) WRI_KW_##name,
        WR_SQL_START_MAP(X)
#undef X
    };
    wr_ast_start_mode *n = wri_node(p, WR_AST_START_MODE, wri_start(p));
    if (!wri_expect(p, WRI_T_EQ)) return NULL;
    uint32_t mode = 0;
    while (mode < WR_COUNT(modes) && !wri_accept_kw(p, modes[mode])) mode++;
    if (mode == WR_COUNT(modes)) return wri_unexpected(p);
    n->what = (wr_sql_start)mode;
    bool now = n->what == WR_SQL_START_FROM_NOW || n->what == WR_SQL_START_RESUME_OR_FROM_NOW;
    bool timestamp =
        n->what == WR_SQL_START_FROM_TIMESTAMP || n->what == WR_SQL_START_RESUME_OR_FROM_TIMESTAMP;
    if (timestamp || (now && wri_is(p, WRI_T_LPAREN))) {
        if (!wri_expect(p, WRI_T_LPAREN)) return NULL;
        if (timestamp && !wri_is_kw(p, WRI_KW_TIMESTAMP)) return wri_unexpected(p);
        n->value = now ? wri_interval_literal(p) : wri_literal(p);
        if (!wri_expect(p, WRI_T_RPAREN)) return NULL;
    }
    return wri_done(p, n);
}

wr_ast *
wri_freshness(wri_parser *p)
{
    if (!wri_expect(p, WRI_T_EQ)) return NULL;
    if (!wri_is_kw(p, WRI_KW_INTERVAL) && wri_is_literal(p, 0))
        return wri_fail_at(p, wri_token_span(p, wri_tok(p)),
                           "SQL parse failed. MATERIALIZED TABLE only supports define interval "
                           "type FRESHNESS, please refer to the materialized table document.");
    return wri_interval_literal(p);
}

bool
wri_refresh_mode(wri_parser *p, wr_sql_refresh *out)
{
    if (!wri_expect(p, WRI_T_EQ)) return false;
    *out = WR_SQL_REFRESH_FULL;
    if (wri_accept_kw(p, WRI_KW_FULL)) return true;
    *out = WR_SQL_REFRESH_CONTINUOUS;
    return wri_expect_kw(p, WRI_KW_CONTINUOUS);
}

wr_ast *
wri_create_materialized(wri_parser *p, uint32_t start, bool or_alter)
{
    wr_ast_create_table *n = wri_node(p, WR_AST_CREATE_TABLE, start);
    n->materialized = true;
    n->or_alter = or_alter;
    wri_advance(p); /* MATERIALIZED */
    if (!wri_expect_kw(p, WRI_KW_TABLE)) return NULL;
    n->name = wri_ident(p);
    if (!elements(p, n) || !table_clauses(p, n)) return NULL;
    if (wri_accept_kw(p, WRI_KW_START_MODE)) n->start_mode = start_mode(p);
    if (wri_accept_kw(p, WRI_KW_FRESHNESS)) n->freshness = wri_freshness(p);
    if (wri_accept_kw(p, WRI_KW_REFRESH_MODE) && !wri_refresh_mode(p, &n->refresh)) return NULL;
    n->query = wri_as_query(p);
    return wri_done(p, n);
}
