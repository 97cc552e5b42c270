/* SPDX-License-Identifier: Apache-2.0 */
/* INSERT: the target, the query arranged to the sink's columns, and Flink's check of both schemas.
 *
 * What a sink gets are its persisted columns: physical ones and metadata that is not VIRTUAL, in
 * table order. Columns that a column list leaves out are NULL; those of PARTITION (k = v) are the
 * value. */
#include "plan/bind_int.h"
#include "spi/factory.h"

typedef struct target {
    const wr_table_desc *table;
    wr_table_id id;
    wr_str full; /* cat.db.t */
    wr_schema columns;
    const char **metadata;
    wr_options options;
    const wr_sink_ops *sink;
    wr_sink_info info;
    wr_expr **fixed; /* per column: the value of PARTITION (k = v), else NULL */
    int32_t *source; /* per column: query column, -1 = none */
} target;

/* ---- the target ------------------------------------------------------------------------------ */
static wr_status
find_target(wri_binder *b, const wr_ast_insert *ins, target *t)
{
    wr_span span = wri_bind_span(b, &ins->target->base);
    if (!ins->target->name) return wri_bind_unsupported(b, span, "INSERT into a file");
    WR_TRY(wri_bind_find_table(b, ins->target->name, &t->id, &t->table));
    const wr_table_id *id = &t->id;
    t->full = wr_arena_printf(b->a, "%.*s.%.*s.%.*s", WR_STR_ARG(id->catalog),
                              WR_STR_ARG(id->database), WR_STR_ARG(id->name));
    WR_TRY_ALLOC(b->ctx, t->full.ptr);
    if (!t->table) {
        wr_str *catalogs = NULL;
        uint32_t n = 0;
        wr_text names;
        wr_text_init(&names, b->a);
        WR_TRY(wr_catalogs_list_catalogs(b->ctx, b->env->catalogs, b->a, &catalogs, &n));
        for (uint32_t i = 0; i < n; i++)
            wr_text_printf(&names, "%s%.*s", i ? ", " : "", WR_STR_ARG(catalogs[i]));
        wr_status status = wr_raise_at(
            b->ctx, WR_NAME, wri_bind_span(b, &ins->target->name->base),
            "Cannot find table '`%.*s`.`%.*s`.`%.*s`' in any of the catalogs [%.*s], nor as a "
            "temporary table.",
            WR_STR_ARG(id->catalog), WR_STR_ARG(id->database), WR_STR_ARG(id->name),
            WR_STR_ARG(wr_text_str(&names)));
        wr_catalogs_candidates(b->ctx, b->env->catalogs, id);
        return status;
    }
    if (t->table->kind == WR_TABLE_VIEW)
        return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, &ins->target->name->base),
                           "Sink '%.*s' does not exists", WR_STR_ARG(t->full));
    if (t->table->kind == WR_TABLE_MATERIALIZED && !b->env->refreshing)
        return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, &ins->target->name->base),
                           "materialized table '%.*s' is written by its own job alone",
                           WR_STR_ARG(t->full));
    WR_TRY(wri_bind_table_options(b, t->table, &ins->target->hints, &t->options));
    wr_status status = wr_sink_find_checked(b->ctx, t->table, &t->options, &t->sink);
    if (status == WR_OK)
        status = t->sink->describe(b->ctx, t->table, &t->options, b->env->config, WR_CL_INSERT_ONLY,
                                   b->a, &t->info);
    if (status != WR_OK && b->ctx->err.span.start == UINT32_MAX)
        b->ctx->err.span = wri_bind_span(b, &ins->target->name->base);
    return status;
}

static wr_status
check_metadata(wri_binder *b, const target *t, const wr_column *c, wr_span span)
{
    const wr_metadata_col *m = t->info.metadata;
    if (!m || !m->key)
        return wr_raise_at(b->ctx, WR_OPTION, span,
                           "Table '%.*s' declares persistable metadata columns, but the underlying "
                           "DynamicTableSink doesn't implement the SupportsWritingMetadata "
                           "interface. If the column should not be persisted, it can be declared "
                           "with the VIRTUAL keyword.",
                           WR_STR_ARG(t->full));
    for (; m->key; m++)
        if (m->writable && wr_str_eq_c(c->metadata_key, m->key)) return WR_OK;
    wr_status status = wr_raise_at(
        b->ctx, WR_OPTION, span, "Invalid metadata key '%.*s' in column '%.*s' of table '%.*s'.",
        WR_STR_ARG(c->metadata_key), WR_STR_ARG(c->name), WR_STR_ARG(t->full));
    for (m = t->info.metadata; m->key; m++)
        if (m->writable) wr_candidate(b->ctx, c->metadata_key, wr_str_c(m->key));
    return status;
}

static wr_status
sink_columns(wri_binder *b, const wr_ast_insert *ins, target *t)
{
    uint32_t n = t->table->column_count, count = 0;
    wr_field *fields = WR_NEW_N(b->a, wr_field, n + 1);
    t->metadata = WR_NEW_N(b->a, const char *, n + 1);
    t->fixed = WR_NEW_N(b->a, wr_expr *, n + 1);
    t->source = WR_NEW_N(b->a, int32_t, n + 1);
    WR_TRY_ALLOC(b->ctx, fields);
    WR_TRY_ALLOC(b->ctx, t->metadata);
    WR_TRY_ALLOC(b->ctx, t->fixed);
    WR_TRY_ALLOC(b->ctx, t->source);
    for (uint32_t i = 0; i < n; i++) {
        const wr_column *c = &t->table->columns[i];
        if (c->kind == WR_COL_COMPUTED || (c->kind == WR_COL_METADATA && c->is_virtual)) continue;
        if (c->kind == WR_COL_METADATA) {
            WR_TRY(check_metadata(b, t, c, wri_bind_span(b, &ins->target->name->base)));
            t->metadata[count] = wr_arena_dup(b->a, c->metadata_key.ptr, c->metadata_key.len);
            WR_TRY_ALLOC(b->ctx, t->metadata[count]);
        }
        fields[count++] = (wr_field){c->name, wri_rel_type_plain(b->a, c->type), WR_STR("")};
        WR_TRY_ALLOC(b->ctx, fields[count - 1].type);
    }
    t->columns = (wr_schema){fields, count};
    return WR_OK;
}

static int32_t
column_index(const wr_schema *s, wr_str name)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (wr_str_eq(s->fields[i].name, name)) return (int32_t)i;
    return -1;
}

static wr_status
unknown_target(wri_binder *b, const target *t, wr_str name, wr_span span)
{
    wr_status status =
        wr_raise_at(b->ctx, WR_NAME, span, "Unknown target column '%.*s'", WR_STR_ARG(name));
    for (uint32_t i = 0; i < t->columns.count; i++)
        wr_candidate(b->ctx, name, t->columns.fields[i].name);
    return status;
}

/* ---- PARTITION (k = v) and the column list --------------------------------------------------- */
static bool
is_partition_key(const wr_table_desc *t, wr_str name)
{
    for (uint32_t i = 0; i < t->partition_key_count; i++)
        if (wr_str_eq(t->partition_keys[i], name)) return true;
    return false;
}

static wr_status
fix_partition(wri_binder *b, const wr_ast_part *key, const wr_ast *value, target *t)
{
    wr_span span = wri_bind_part_span(b, key->span);
    int32_t i = column_index(&t->columns, key->name);
    if (i < 0) return unknown_target(b, t, key->name, span);
    if (!is_partition_key(t->table, key->name)) {
        wr_text keys;
        wr_text_init(&keys, b->a);
        for (uint32_t k = 0; k < t->table->partition_key_count; k++)
            wr_text_printf(&keys, "%s%.*s", k ? ", " : "", WR_STR_ARG(t->table->partition_keys[k]));
        return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                           "Static partition column '%.*s' should be in the partition keys list "
                           "[%.*s] for table '%.*s'.",
                           WR_STR_ARG(key->name), WR_STR_ARG(wr_text_str(&keys)),
                           WR_STR_ARG(t->full));
    }
    if (!value) return WR_OK; /* dynamic: comes from the query */
    wri_scope nothing = {0};
    wri_where w = {.scope = &nothing, .clause = "PARTITION"};
    const wr_type *type = t->columns.fields[i].type;
    wr_expr *e = NULL;
    WR_TRY(wri_bind_expr_as(b, &w, value, type, &e));
    const wr_type *to = wr_type_nullable(b->a, type, e->type->nullable);
    WR_TRY_ALLOC(b->ctx, to);
    if (!wr_type_can_cast_explicit(e->type, to))
        return wr_raise_at(b->ctx, WR_TYPE, wri_bind_span(b, value),
                           "a value of type %.*s can't be put into partition column '%.*s'",
                           WR_STR_ARG(wr_type_str(e->type, WR_TYPE_SUMMARY, b->a)),
                           WR_STR_ARG(key->name));
    t->fixed[i] = wr_expr_cast(b->a, e, to, false, wri_bind_span(b, value));
    WR_TRY_ALLOC(b->ctx, t->fixed[i]);
    return WR_OK;
}

static wr_status
fix_partitions(wri_binder *b, const wr_ast_insert *ins, target *t)
{
    const wr_ast_partition *p = ins->partition;
    if (!p) return WR_OK;
    for (uint32_t i = 0; i < p->columns.count; i++)
        WR_TRY(fix_partition(b, &p->columns.items[i], p->values.items[i], t));
    if (!t->info.partitions)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, wri_bind_span(b, &p->base),
                           "Table '%.*s' is a partitioned table, but the underlying "
                           "DynamicTableSink doesn't implement the SupportsPartitioning interface.",
                           WR_STR_ARG(t->full));
    return WR_OK;
}

/* Which query column each sink column takes. */
static wr_status
place_columns(wri_binder *b, const wr_ast_insert *ins, const wr_rel *query, target *t)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < t->columns.count; i++) t->source[i] = -1;
    for (uint32_t k = 0; k < ins->columns.count; k++) {
        const wr_ast_ident *id = WR_AST_AS(wr_ast_ident, WR_AST_IDENT, ins->columns.items[k]);
        wr_str name = id->parts[id->part_count - 1].name;
        wr_span span = wri_bind_span(b, &id->base);
        int32_t i = column_index(&t->columns, name);
        if (i < 0) return unknown_target(b, t, name, span);
        if (t->source[i] >= 0)
            return wr_raise_at(b->ctx, WR_SEMANTIC, span,
                               "Target column '%.*s' is assigned more than once", WR_STR_ARG(name));
        t->source[i] = (int32_t)next++;
    }
    if (!ins->has_columns) {
        for (uint32_t i = 0; i < t->columns.count; i++)
            if (!t->fixed[i]) t->source[i] = (int32_t)next++;
        return WR_OK;
    }
    if (next != query->schema.count)
        return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, ins->query),
                           "Number of columns must match number of query columns");
    for (uint32_t i = 0; i < t->columns.count; i++)
        if (t->source[i] < 0 && !t->fixed[i] && !t->columns.fields[i].type->nullable)
            return wr_raise_at(b->ctx, WR_SEMANTIC, wri_bind_span(b, &ins->target->name->base),
                               "Column '%.*s' has no default value and does not allow NULLs",
                               WR_STR_ARG(t->columns.fields[i].name));
    return WR_OK;
}

/* ---- the check of both schemas --------------------------------------------------------------- */
static void
print_schema(wr_text *t, const wr_schema *s)
{
    wr_text_putc(t, '[');
    for (uint32_t i = 0; i < s->count; i++) {
        wr_text_printf(t, "%s%.*s: ", i ? ", " : "", WR_STR_ARG(s->fields[i].name));
        wr_type_print(s->fields[i].type, WR_TYPE_SUMMARY, t);
    }
    wr_text_putc(t, ']');
}

/* A sink's types are shown without NOT NULL at any depth: the check of nulls is another one. Names
 * in back-ticks and comments in quotes stay as they are. */
static void
print_sink_schema(wr_text *t, const wr_schema *s, wr_arena *a)
{
    static const char words[] = " NOT NULL";
    const size_t n = sizeof words - 1;
    wr_text whole;
    wr_text_init(&whole, a);
    print_schema(&whole, s);
    wr_str text = wr_text_str(&whole);
    char quote = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (!quote && text.len - i >= n && memcmp(text.ptr + i, words, n) == 0) {
            i += n - 1;
            continue;
        }
        if (c == '`' || c == '\'') quote = !quote ? c : quote == c ? 0 : quote;
        wr_text_putc(t, c);
    }
    t->failed |= whole.failed;
}

static wr_status
mismatch(wri_binder *b, const target *t, const wr_schema *query, wr_str cause, wr_span span)
{
    wr_text q, s;
    wr_text_init(&q, b->a);
    wr_text_init(&s, b->a);
    print_schema(&q, query);
    print_sink_schema(&s, &t->columns, b->a);
    return wr_raise_at(b->ctx, WR_TYPE, span,
                       "Column types of query result and sink for '%.*s' do not match.\n"
                       "Cause: %.*s\n\nQuery schema: %.*s\nSink schema:  %.*s",
                       WR_STR_ARG(t->full), WR_STR_ARG(cause), WR_STR_ARG(wr_text_str(&q)),
                       WR_STR_ARG(wr_text_str(&s)));
}

/* The query's columns in the sink's order, before casts. */
static wr_status
arrange(wri_binder *b, const target *t, wr_rel *query, wr_rel **out)
{
    uint32_t n = t->columns.count;
    bool as_is = query->schema.count == n;
    for (uint32_t i = 0; i < n; i++) as_is = as_is && t->source[i] == (int32_t)i;
    *out = query;
    if (as_is) return WR_OK;
    wr_expr **exprs = WR_NEW_N(b->a, wr_expr *, n + 1);
    wr_str *names = WR_NEW_N(b->a, wr_str, n + 1);
    WR_TRY_ALLOC(b->ctx, exprs);
    WR_TRY_ALLOC(b->ctx, names);
    for (uint32_t i = 0; i < n; i++) {
        names[i] = wr_arena_printf(b->a, "EXPR$%u", i);
        if (t->source[i] >= 0) {
            names[i] = query->schema.fields[t->source[i]].name;
            exprs[i] = wri_rex_col(b->a, query, (uint32_t)t->source[i]);
        } else if (t->fixed[i]) {
            exprs[i] = t->fixed[i];
        } else {
            exprs[i] = wri_rex_null(b->a, t->columns.fields[i].type);
        }
        WR_TRY_ALLOC(b->ctx, exprs[i]);
        WR_TRY_ALLOC(b->ctx, names[i].ptr);
    }
    *out = wri_rel_project(b->a, query, exprs, names, n);
    WR_TRY_ALLOC(b->ctx, *out);
    (*out)->u.project.placed = true;
    return WR_OK;
}

static wr_status
cast_to_sink(wri_binder *b, const wr_ast_insert *ins, const target *t, wr_rel *query, wr_rel **out)
{
    uint32_t n = t->columns.count;
    bool same = true;
    wr_expr **exprs = WR_NEW_N(b->a, wr_expr *, n + 1);
    wr_str *names = WR_NEW_N(b->a, wr_str, n + 1);
    WR_TRY_ALLOC(b->ctx, exprs);
    WR_TRY_ALLOC(b->ctx, names);
    for (uint32_t i = 0; i < n; i++) {
        const wr_type *from = query->schema.fields[i].type, *to = t->columns.fields[i].type;
        exprs[i] = wri_rex_col(b->a, query, i);
        names[i] = t->columns.fields[i].name;
        WR_TRY_ALLOC(b->ctx, exprs[i]);
        bool equal = wr_type_eq_ignoring_null(from, to);
        if (!equal && !wr_type_can_cast_implicit(from, to)) {
            wr_str cause = wr_arena_printf(b->a,
                                           "Incompatible types for sink column '%.*s' at position "
                                           "%u.",
                                           WR_STR_ARG(t->columns.fields[i].name), i + 1);
            WR_TRY_ALLOC(b->ctx, cause.ptr);
            return mismatch(b, t, &query->schema, cause, wri_bind_span(b, ins->query));
        }
        same = same && equal;
        const wr_type *want = wr_type_nullable(b->a, to, true); /* the sink sees to NOT NULL */
        WR_TRY_ALLOC(b->ctx, want);
        if (equal && from->nullable) continue;
        exprs[i] = wr_expr_cast(b->a, exprs[i], want, false, WR_NO_SPAN);
        WR_TRY_ALLOC(b->ctx, exprs[i]);
    }
    *out = query;
    if (same) return WR_OK;
    *out = wri_rel_project(b->a, query, exprs, names, n);
    WR_TRY_ALLOC(b->ctx, *out);
    (*out)->u.project.placed = true;
    return WR_OK;
}

/* ---- the SINK node --------------------------------------------------------------------------- */
static wr_status
column_list(wri_binder *b, const target *t, const wr_str *names, uint32_t count,
            const uint32_t **out, uint32_t *out_count)
{
    uint32_t *cols = WR_NEW_N(b->a, uint32_t, count + 1);
    WR_TRY_ALLOC(b->ctx, cols);
    *out_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        int32_t c = column_index(&t->columns, names[i]);
        if (c >= 0) cols[(*out_count)++] = (uint32_t)c;
    }
    *out = cols;
    return WR_OK;
}

static wr_status
static_partition(wri_binder *b, const target *t, wr_str *out)
{
    wr_text text;
    wr_text_init(&text, b->a);
    for (uint32_t i = 0; i < t->table->partition_key_count; i++) {
        int32_t c = column_index(&t->columns, t->table->partition_keys[i]);
        if (c < 0 || !t->fixed[c]) continue;
        wr_expr *s = wr_expr_cast(b->a, t->fixed[c], wr_type_string(true), false, WR_NO_SPAN);
        WR_TRY_ALLOC(b->ctx, s);
        WR_TRY(wr_expr_fold(b->ctx, b->a, b->env->eval, s, &s));
        if (s->kind != WR_EX_LITERAL || s->value.is_null) continue;
        wr_text_printf(&text, "%s%.*s=%.*s", text.len ? "/" : "",
                       WR_STR_ARG(t->table->partition_keys[i]), WR_STR_ARG(s->value.u.str));
    }
    *out = wr_text_str(&text);
    return text.failed ? wr_raise(b->ctx, WR_NOMEM, "out of memory") : WR_OK;
}

static wr_status
target_list(wri_binder *b, const wr_ast_insert *ins, const target *t, wr_rel *rel)
{
    if (!ins->has_columns) return WR_OK;
    uint32_t *cols = WR_NEW_N(b->a, uint32_t, ins->columns.count + 1);
    WR_TRY_ALLOC(b->ctx, cols);
    for (uint32_t k = 0; k < ins->columns.count; k++) {
        const wr_ast_ident *id = WR_AST_AS(wr_ast_ident, WR_AST_IDENT, ins->columns.items[k]);
        int32_t i = column_index(&t->columns, id->parts[id->part_count - 1].name);
        if (i >= 0) cols[rel->u.sink.target_count++] = (uint32_t)i;
    }
    rel->u.sink.target = cols;
    return WR_OK;
}

static wr_status
make_sink(wri_binder *b, const wr_ast_insert *ins, const target *t, wr_rel *query, wr_rel **out)
{
    wr_rel *rel = wri_rel_new(b->a, WR_REL_SINK, &query, 1);
    WR_TRY_ALLOC(b->ctx, rel);
    wr_sink_spec *spec = &rel->u.sink.spec;
    rel->span = wri_bind_span(b, &ins->target->base);
    rel->schema = query->schema;
    rel->u.sink.table = t->table;
    rel->u.sink.options = t->options;
    rel->u.sink.sink = t->sink;
    spec->table = t->table;
    spec->options = t->options;
    spec->columns = t->columns;
    spec->metadata = t->metadata;
    spec->overwrite = ins->overwrite;
    spec->changelog = WR_CL_INSERT_ONLY;
    WR_TRY(column_list(b, t, t->table->primary_key, t->table->primary_key_count, &spec->primary_key,
                       &spec->primary_key_count));
    WR_TRY(column_list(b, t, t->table->partition_keys, t->table->partition_key_count,
                       &spec->partition, &spec->partition_count));
    WR_TRY(static_partition(b, t, &spec->static_partition));
    WR_TRY(target_list(b, ins, t, rel));
    switch (ins->conflict) {
    case WR_SQL_CONFLICT_UNSET:
        rel->u.sink.on_conflict = WR_CONFLICT_NONE;
        break;
    case WR_SQL_CONFLICT_NOTHING:
        rel->u.sink.on_conflict = WR_CONFLICT_NOTHING;
        break;
    case WR_SQL_CONFLICT_ERROR:
        rel->u.sink.on_conflict = WR_CONFLICT_ERROR;
        break;
    case WR_SQL_CONFLICT_DEDUPLICATE:
        rel->u.sink.on_conflict = WR_CONFLICT_DEDUPLICATE;
        break;
    }
    *out = rel;
    return WR_OK;
}

static wr_status
check_form(wri_binder *b, const wr_ast_insert *ins, const target *t)
{
    wr_span span = wri_bind_span(b, &ins->target->base);
    if (ins->upsert)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span, "UPSERT INTO statement is not supported");
    if (ins->overwrite && !t->info.overwrite)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span,
                           "INSERT OVERWRITE requires that the underlying DynamicTableSink of "
                           "table '%.*s' implements the SupportsOverwrite interface.",
                           WR_STR_ARG(t->full));
    if (ins->overwrite && !b->env->batch)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span, "Streaming mode not support overwrite.");
    if (t->table->distribution_kind.len && !t->info.bucketing)
        return wr_raise_at(b->ctx, WR_UNSUPPORTED, span,
                           "Table '%.*s' is distributed into buckets, but the underlying "
                           "DynamicTableSink doesn't implement the SupportsBucketing interface.",
                           WR_STR_ARG(t->full));
    return WR_OK;
}

wr_status
wr_bind_insert(wr_ctx *ctx, const wr_plan_env *env, const wr_ast *insert, wr_rel **out)
{
    const wr_ast_insert *ins = WR_AST_AS(wr_ast_insert, WR_AST_INSERT, insert);
    wri_binder b;
    target t = {0};
    wr_rel *query = NULL;
    wri_bind_init(&b, ctx, env);
    WR_TRY(find_target(&b, ins, &t));
    WR_TRY(sink_columns(&b, ins, &t));
    WR_TRY(check_form(&b, ins, &t));
    WR_TRY(fix_partitions(&b, ins, &t));
    b.top = true;
    WR_TRY(wri_bind_any_query(&b, ins->query, NULL, &query));
    WR_TRY(place_columns(&b, ins, query, &t));
    uint32_t wanted = 0;
    for (uint32_t i = 0; i < t.columns.count; i++) wanted += t.source[i] >= 0;
    if (wanted != query->schema.count)
        return mismatch(&b, &t, &query->schema, WR_STR("Different number of columns."),
                        wri_bind_span(&b, ins->query));
    WR_TRY(arrange(&b, &t, query, &query));
    WR_TRY(cast_to_sink(&b, ins, &t, query, &query));
    return make_sink(&b, ins, &t, query, out);
}
