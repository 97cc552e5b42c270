/* SPDX-License-Identifier: Apache-2.0 */
/* CREATE TABLE ... LIKE: what is taken over from the source table. Default is INCLUDING ALL with
 * OVERWRITING OPTIONS; physical columns always come along. EXCLUDING PARTITIONS and EXCLUDING
 * DISTRIBUTION only allow the statement to bring its own, as in Flink. */
#include "plan/ddl_int.h"

typedef struct strategies {
    wr_sql_like_mode of[WR_SQL_LIKE_FEATURE_COUNT];
} strategies;

static const char *
feature_name(wr_sql_like_feature f)
{
    static const char *const names[] = {
#define X(name) #name,
        WR_SQL_LIKE_FEATURE_MAP(X)
#undef X
    };
    return names[f];
}

static bool
may_overwrite(wr_sql_like_feature f)
{
    return f == WR_SQL_LIKE_GENERATED || f == WR_SQL_LIKE_OPTIONS || f == WR_SQL_LIKE_WATERMARKS ||
           f == WR_SQL_LIKE_METADATA;
}

static wr_status
read_strategies(wri_draft *d, const wr_ast_table_like *like, strategies *s)
{
    bool seen[WR_SQL_LIKE_FEATURE_COUNT] = {false};
    for (uint32_t i = 0; i < WR_SQL_LIKE_FEATURE_COUNT; i++) s->of[i] = WR_SQL_LIKE_INCLUDING;
    s->of[WR_SQL_LIKE_OPTIONS] = WR_SQL_LIKE_OVERWRITING;
    for (uint32_t i = 0; i < like->option_count; i++) {
        const wr_ast_like_option *o = &like->options[i];
        if (seen[o->feature])
            return wr_raise_at(d->ctx, WR_SEMANTIC, o->span,
                               "Each like option feature can be declared only once.");
        seen[o->feature] = true;
        if (o->mode == WR_SQL_LIKE_OVERWRITING && !may_overwrite(o->feature))
            return wr_raise_at(d->ctx, WR_SEMANTIC, o->span,
                               "Illegal merging strategy 'OVERWRITING' for '%s' option.",
                               feature_name(o->feature));
        if (o->feature != WR_SQL_LIKE_ALL) continue;
        for (uint32_t k = 0; k < WR_SQL_LIKE_FEATURE_COUNT; k++) s->of[k] = o->mode;
    }
    for (uint32_t i = 0; i < like->option_count; i++)
        if (like->options[i].feature != WR_SQL_LIKE_ALL)
            s->of[like->options[i].feature] = like->options[i].mode;
    return WR_OK;
}

static wr_status
find_source(wri_draft *d, const wr_ast_table_like *like, const wr_table_desc **out)
{
    wr_table_id id;
    wr_span span = like->source->base.span;
    WR_TRY(wri_ddl_qualify(d->ctx, d->env, like->source, &id));
    WR_TRY(wr_catalogs_find_table(d->ctx, d->env->catalogs, &id, out));
    if (*out && (*out)->kind == WR_TABLE_BASE) return WR_OK;
    if (!*out) wr_catalogs_candidates(d->ctx, d->env->catalogs, &id);
    wr_str place = wri_draft_place(d, span);
    return wr_raise_at(d->ctx, *out ? WR_SEMANTIC : WR_NAME, span,
                       "Source table '`%.*s`.`%.*s`.`%.*s`' of the LIKE clause %s, at %.*s",
                       WR_STR_ARG(id.catalog), WR_STR_ARG(id.database), WR_STR_ARG(id.name),
                       *out ? "can not be a VIEW" : "not found in the catalog", WR_STR_ARG(place));
}

static wr_status
take_columns(wri_draft *d, const wr_table_desc *src, const strategies *s)
{
    for (uint32_t i = 0; i < src->column_count; i++) {
        const wr_column *c = &src->columns[i];
        if (c->kind == WR_COL_COMPUTED && s->of[WR_SQL_LIKE_GENERATED] == WR_SQL_LIKE_EXCLUDING)
            continue;
        if (c->kind == WR_COL_METADATA && s->of[WR_SQL_LIKE_METADATA] == WR_SQL_LIKE_EXCLUDING)
            continue;
        wri_draft_column copy = {.c = *c, .given = true};
        copy.c.span = WR_NO_SPAN;
        if (!wr_list_push(d->a, &d->columns, copy))
            return wr_raise(d->ctx, WR_NOMEM, "out of memory");
    }
    return WR_OK;
}

static wr_status
take_watermark(wri_draft *d, const wr_table_desc *src, const strategies *s,
               const wr_ast_create_table *create)
{
    wr_sql_like_mode mode = s->of[WR_SQL_LIKE_WATERMARKS];
    if (mode == WR_SQL_LIKE_EXCLUDING || src->watermark_column.len == 0) return WR_OK;
    if (create->watermark && mode == WR_SQL_LIKE_INCLUDING)
        return wr_raise_at(d->ctx, WR_SEMANTIC, create->watermark->base.span,
                           "There already exists a watermark spec for column '%.*s' in the base "
                           "table. You might want to specify EXCLUDING WATERMARKS or OVERWRITING "
                           "WATERMARKS.",
                           WR_STR_ARG(src->watermark_column));
    d->t.watermark_column = src->watermark_column;
    d->t.watermark_expr = src->watermark_expr;
    return WR_OK;
}

static wr_status
take_keys(wri_draft *d, const wr_table_desc *src, const strategies *s,
          const wr_ast_create_table *create)
{
    bool keep = s->of[WR_SQL_LIKE_CONSTRAINTS] != WR_SQL_LIKE_EXCLUDING;
    if (src->primary_key_count && d->key && keep)
        return wr_raise_at(d->ctx, WR_SEMANTIC, d->key->base.span,
                           "The base table already has a primary key. You might want to specify "
                           "EXCLUDING CONSTRAINTS.");
    if (keep) {
        d->t.primary_key = src->primary_key;
        d->t.primary_key_count = src->primary_key_count;
        d->t.primary_key_name = src->primary_key_name;
    }
    if (src->partition_key_count && create->partitions.count &&
        s->of[WR_SQL_LIKE_PARTITIONS] != WR_SQL_LIKE_EXCLUDING)
        return wr_raise_at(d->ctx, WR_SEMANTIC, create->partitions.items[0].span,
                           "The base table already has partitions defined. You might want to "
                           "specify EXCLUDING PARTITIONS.");
    d->t.partition_keys = src->partition_keys;
    d->t.partition_key_count = src->partition_key_count;
    if (src->distribution_kind.len && create->distribution &&
        s->of[WR_SQL_LIKE_DISTRIBUTION] != WR_SQL_LIKE_EXCLUDING)
        return wr_raise_at(d->ctx, WR_SEMANTIC, create->distribution->base.span,
                           "The base table already has a distribution defined. You might want to "
                           "specify EXCLUDING DISTRIBUTION.");
    d->t.distribution_kind = src->distribution_kind;
    d->t.distribution_columns = src->distribution_columns;
    d->t.distribution_column_count = src->distribution_column_count;
    d->t.bucket_count = src->bucket_count;
    return WR_OK;
}

static wr_status
take_options(wri_draft *d, const wr_table_desc *src, const strategies *s,
             const wr_ast_create_table *create)
{
    wr_sql_like_mode mode = s->of[WR_SQL_LIKE_OPTIONS];
    if (mode == WR_SQL_LIKE_EXCLUDING) return WR_OK;
    for (uint32_t i = 0; mode == WR_SQL_LIKE_INCLUDING && i < create->options.count; i++) {
        const wr_ast_option *o = WR_AST_AS(wr_ast_option, WR_AST_OPTION, create->options.items[i]);
        for (uint32_t k = 0; k < src->options.count; k++)
            if (wr_str_eq(o->key, src->options.items[k].key))
                return wr_raise_at(d->ctx, WR_SEMANTIC, o->key_span,
                                   "There already exists an option ['%.*s' -> '%.*s']  in the base "
                                   "table. You might want to specify EXCLUDING OPTIONS or "
                                   "OVERWRITING OPTIONS.",
                                   WR_STR_ARG(o->key),
                                   WR_STR_ARG(wr_option_shown(&src->options.items[k])));
    }
    d->t.options = src->options;
    return WR_OK;
}

wr_status
wri_draft_like(wri_draft *d, const wr_ast_create_table *create)
{
    const wr_table_desc *src = NULL;
    strategies s;
    WR_TRY(read_strategies(d, create->like, &s));
    WR_TRY(find_source(d, create->like, &src));
    WR_TRY(take_columns(d, src, &s));
    WR_TRY(take_watermark(d, src, &s, create));
    WR_TRY(take_keys(d, src, &s, create));
    return take_options(d, src, &s, create);
}
