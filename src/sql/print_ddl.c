/* SPDX-License-Identifier: Apache-2.0 */
/* CREATE, ALTER and DROP in Flink's layout, and the parts of tables. */
#include "sql/print_int.h"

static void
put_if(wri_printer *o, bool condition, const char *words)
{
    if (condition) wri_put(o, words);
}

static void
put_ident(wri_printer *o, const wr_ast_ident *name)
{
    wri_print_expr(o, &name->base, 0);
}

static void
put_comment(wri_printer *o, const wr_ast *comment, const char *before)
{
    if (!comment) return;
    if (*before == '\n')
        wri_newline(o);
    else
        wri_put(o, before);
    wri_put(o, "COMMENT ");
    wri_put_literal_text(o, comment);
}

static void
put_with(wri_printer *o, const wr_ast_list *options)
{
    if (options->count == 0) return;
    wri_newline(o);
    wri_put(o, "WITH ");
    wri_put_option_block(o, options, true);
}

static void
put_as_query(wri_printer *o, const wr_ast *query)
{
    if (!query) return;
    wri_newline(o);
    wri_put(o, "AS");
    wri_newline(o);
    wri_print_query(o, query);
}

/* ---- parts ----------------------------------------------------------------------------------- */
void
wri_print_constraint(wri_printer *o, const wr_ast_constraint *n)
{
    if (n->name.name.ptr) {
        wri_put(o, "CONSTRAINT ");
        wri_put_name(o, n->name.name);
        wri_put(o, " ");
    }
    wri_put(o, n->unique ? "UNIQUE" : "PRIMARY KEY");
    if (n->columns.count > 0) {
        wri_put(o, " (");
        wri_put_parts(o, &n->columns);
        wri_put(o, ")");
    }
    put_if(o, n->enforced != WR_SQL_ENFORCED_UNSET,
           n->enforced == WR_SQL_ENFORCED_YES ? " ENFORCED" : " NOT ENFORCED");
}

void
wri_print_watermark(wri_printer *o, const wr_ast_watermark *n)
{
    wri_put(o, "WATERMARK FOR ");
    put_ident(o, n->column);
    wri_put(o, " AS ");
    wri_print_expr(o, n->expr, 0);
}

void
wri_print_column(wri_printer *o, const wr_ast_column *n)
{
    put_ident(o, n->path);
    if (n->expr) {
        wri_put(o, " AS ");
        wri_print_expr(o, n->expr, 0);
    }
    if (n->type) {
        wri_put(o, " ");
        wri_print_type(o, n->type);
    }
    if (n->column == WR_SQL_COLUMN_METADATA) {
        wri_put(o, " METADATA");
        if (n->metadata_key) {
            wri_put(o, " FROM ");
            wri_put_literal_text(o, n->metadata_key);
        }
        put_if(o, n->is_virtual, " VIRTUAL");
    }
    if (n->constraint) {
        wri_put(o, " ");
        wri_print_constraint(o, n->constraint);
    }
    put_comment(o, n->comment, " ");
    put_if(o, n->position == WR_SQL_POSITION_FIRST, " FIRST");
    if (n->after) {
        wri_put(o, " AFTER ");
        put_ident(o, n->after);
    }
}

void
wri_print_distribution(wri_printer *o, const wr_ast_distribution *n)
{
    static const char *const words[] = {"(", "HASH(", "RANGE("};
    if (n->columns.count > 0) {
        wri_put(o, "BY ");
        wri_put(o, words[n->what]);
        wri_put_parts(o, &n->columns);
        wri_put(o, n->buckets ? ") " : ")");
    }
    if (!n->buckets) return;
    wri_put(o, "INTO ");
    wri_print_expr(o, n->buckets, 0);
    wri_put(o, " BUCKETS");
}

void
wri_print_partition(wri_printer *o, const wr_ast_partition *n)
{
    wri_put(o, "PARTITION (");
    for (uint32_t i = 0; i < n->columns.count; i++) {
        if (i > 0) wri_put(o, ", ");
        wri_put_name(o, n->columns.items[i].name);
        if (!n->values.items[i]) continue;
        wri_put(o, " = ");
        wri_print_expr(o, n->values.items[i], 0);
    }
    wri_put(o, ")");
    if (!n->has_options) return;
    wri_put(o, " WITH ");
    wri_put_option_block(o, &n->options, false);
}

/* (element, ...), one a line */
static void
put_elements(wri_printer *o, const wr_ast_list *columns, const wr_ast_list *constraints,
             const wr_ast_watermark *watermark)
{
    bool first = true;
    wri_put(o, "(");
    for (uint32_t i = 0; i < columns->count + constraints->count; i++) {
        put_if(o, !first, ",");
        wri_newline(o);
        wri_put(o, "  ");
        first = false;
        if (i < columns->count)
            wri_print_column(o, WR_AST_AS(wr_ast_column, WR_AST_COLUMN, columns->items[i]));
        else
            wri_print_constraint(o, WR_AST_AS(wr_ast_constraint, WR_AST_CONSTRAINT,
                                              constraints->items[i - columns->count]));
    }
    if (watermark) {
        put_if(o, !first, ",");
        wri_newline(o);
        wri_put(o, "  ");
        wri_print_watermark(o, watermark);
    }
    wri_newline(o);
    wri_put(o, ")");
}

/* ---- CREATE ---------------------------------------------------------------------------------- */
static void
put_like(wri_printer *o, const wr_ast_table_like *n)
{
    static const char *const modes[] = {"INCLUDING ", "EXCLUDING ", "OVERWRITING "};
    static const char *const features[] = {
#define X(name) #name,
        WR_SQL_LIKE_FEATURE_MAP(X)
#undef X
    };
    wri_newline(o);
    wri_put(o, "LIKE ");
    put_ident(o, n->source);
    if (n->option_count == 0) return;
    wri_put(o, " (");
    for (uint32_t i = 0; i < n->option_count; i++) {
        wri_newline(o);
        wri_put(o, "  ");
        wri_put(o, modes[n->options[i].mode]);
        wri_put(o, features[n->options[i].feature]);
    }
    wri_newline(o);
    wri_put(o, ")");
}

static void
put_materialized(wri_printer *o, const wr_ast_create_table *n)
{
    static const char *const starts[] = {
#define X(name) #name,
        WR_SQL_START_MAP(X)
#undef X
    };
    if (n->start_mode) {
        wri_newline(o);
        wri_put(o, "START_MODE = ");
        wri_put(o, starts[n->start_mode->what]);
        if (n->start_mode->value) {
            wri_put(o, "(");
            wri_print_expr(o, n->start_mode->value, 0);
            wri_put(o, ")");
        }
    }
    if (n->freshness) {
        wri_newline(o);
        wri_put(o, "FRESHNESS = ");
        wri_print_expr(o, n->freshness, 0);
    }
    if (n->refresh != WR_SQL_REFRESH_UNSET) {
        wri_newline(o);
        wri_put(o, n->refresh == WR_SQL_REFRESH_FULL ? "REFRESH_MODE = FULL"
                                                     : "REFRESH_MODE = CONTINUOUS");
    }
}

static void
print_create_table(wri_printer *o, const wr_ast_create_table *n)
{
    wri_put(o, n->replace ? "REPLACE " : "CREATE ");
    put_if(o, n->or_replace, "OR REPLACE ");
    put_if(o, n->or_alter, "OR ALTER ");
    put_if(o, n->temporary, "TEMPORARY ");
    wri_put(o, n->materialized ? "MATERIALIZED TABLE " : "TABLE ");
    put_if(o, n->if_not_exists, "IF NOT EXISTS ");
    put_ident(o, n->name);
    if (n->has_columns) {
        wri_put(o, " ");
        put_elements(o, &n->columns, &n->constraints, n->watermark);
    }
    put_comment(o, n->comment, "\n");
    if (n->distribution) {
        wri_newline(o);
        wri_put(o, "DISTRIBUTED ");
        wri_print_distribution(o, n->distribution);
    }
    if (n->partitions.count > 0) {
        wri_newline(o);
        wri_put(o, "PARTITIONED BY (");
        wri_put_parts(o, &n->partitions);
        wri_put(o, ")");
    }
    put_with(o, &n->options);
    if (n->like) put_like(o, n->like);
    put_materialized(o, n);
    put_as_query(o, n->query);
}

static void
print_create_view(wri_printer *o, const wr_ast_create_view *n)
{
    wri_put(o, "CREATE ");
    put_if(o, n->or_replace, "OR REPLACE ");
    put_if(o, n->temporary, "TEMPORARY ");
    wri_put(o, "VIEW ");
    put_if(o, n->if_not_exists, "IF NOT EXISTS ");
    put_ident(o, n->name);
    if (n->columns.count > 0) {
        wri_put(o, " (");
        for (uint32_t i = 0; i < n->columns.count; i++) {
            put_if(o, i > 0, ",");
            wri_newline(o);
            wri_put(o, "  ");
            wri_put_name(o, n->columns.items[i].name);
        }
        wri_newline(o);
        wri_put(o, ")");
    }
    put_comment(o, n->comment, "\n");
    put_as_query(o, n->query);
}

static void
put_language(wri_printer *o, wr_str language)
{
    if (language.len == 0) return;
    wri_put(o, " LANGUAGE ");
    wri_put_str(o, language);
}

static void
print_create_function(wri_printer *o, const wr_ast_create_function *n)
{
    wri_put(o, "CREATE ");
    put_if(o, n->temporary, "TEMPORARY ");
    put_if(o, n->system, "SYSTEM ");
    wri_put(o, "FUNCTION ");
    put_if(o, n->if_not_exists, "IF NOT EXISTS ");
    put_ident(o, n->name);
    wri_put(o, " AS ");
    wri_put_literal_text(o, n->class_name);
    put_language(o, n->language);
    for (uint32_t i = 0; i < n->resources.count; i++) {
        const wr_ast_resource *r =
            WR_AST_AS(wr_ast_resource, WR_AST_RESOURCE, n->resources.items[i]);
        wri_put(o, i == 0 ? " USING " : ", ");
        wri_put(o, r->what == WR_SQL_RESOURCE_JAR ? "JAR " : "ARTIFACT ");
        wri_put_literal_text(o, r->uri);
    }
    put_with(o, &n->options);
}

static void
print_create_model(wri_printer *o, const wr_ast_create_model *n)
{
    static const wr_ast_list none = {0};
    wri_put(o, n->temporary ? "CREATE TEMPORARY MODEL " : "CREATE MODEL ");
    put_if(o, n->if_not_exists, "IF NOT EXISTS ");
    put_ident(o, n->name);
    if (n->inputs.count > 0) {
        wri_put(o, " INPUT ");
        put_elements(o, &n->inputs, &none, NULL);
    }
    if (n->outputs.count > 0) {
        wri_put(o, " OUTPUT ");
        put_elements(o, &n->outputs, &none, NULL);
    }
    put_comment(o, n->comment, "\n");
    put_with(o, &n->options);
    put_as_query(o, n->query);
}

static void
print_create_object(wri_printer *o, const wr_ast_create_object *n)
{
    wri_put(o, "CREATE ");
    put_if(o, n->temporary, "TEMPORARY ");
    put_if(o, n->system, "SYSTEM ");
    wri_put(o, wr_sql_object_name(n->object));
    wri_put(o, " ");
    put_if(o, n->if_not_exists, "IF NOT EXISTS ");
    put_ident(o, n->name);
    put_comment(o, n->comment, "\n");
    if (n->object == WR_SQL_OBJECT_CONNECTION && n->options.count == 0) {
        wri_newline(o);
        wri_put(o, "WITH ()"); /* must not be missing */
    }
    put_with(o, &n->options);
}

/* ---- ALTER ----------------------------------------------------------------------------------- */
/* Items one a line in parentheses */
static void
put_lines(wri_printer *o, const wr_ast_list *list)
{
    wri_put(o, "(");
    for (uint32_t i = 0; i < list->count; i++) {
        put_if(o, i > 0, ",");
        wri_newline(o);
        wri_put(o, "  ");
        if (list->items[i]->kind == WR_AST_LITERAL)
            wri_put_literal_text(o, list->items[i]);
        else
            wri_print_expr(o, list->items[i], 0);
    }
    wri_newline(o);
    wri_put(o, ")");
}

static void
put_partitions(wri_printer *o, const wr_ast_alter *n, bool add)
{
    wri_newline(o);
    wri_put(o, add ? "ADD" : "DROP");
    put_if(o, n->if_not_exists, " IF NOT EXISTS");
    put_if(o, n->part_if_exists, " IF EXISTS");
    for (uint32_t i = 0; i < n->partitions.count; i++) {
        put_if(o, i > 0 && !add, ",");
        wri_newline(o);
        wri_print_partition(o,
                            WR_AST_AS(wr_ast_partition, WR_AST_PARTITION, n->partitions.items[i]));
    }
}

static void
put_change(wri_printer *o, const wr_ast_alter *n)
{
    wri_put(o, n->action == WR_SQL_ALTER_ADD ? " ADD " : " MODIFY ");
    if (n->distribution) {
        wri_put(o, "DISTRIBUTION ");
        wri_print_distribution(o, n->distribution);
    } else {
        put_elements(o, &n->columns, &n->constraints, n->watermark);
    }
}

static void
put_rename(wri_printer *o, const wr_ast_alter *n)
{
    wri_put(o, " RENAME ");
    if (n->action == WR_SQL_ALTER_RENAME_COLUMN) {
        wri_print_expr(o, n->names.items[0], 0);
        wri_put(o, " ");
    }
    wri_put(o, "TO ");
    put_ident(o, n->new_name);
}

/* What only materialized tables have; false: another action */
static bool
put_materialized_action(wri_printer *o, const wr_ast_alter *n)
{
    switch ((unsigned)n->action) {
    case WR_SQL_ALTER_SUSPEND:
        wri_put(o, " SUSPEND");
        return true;
    case WR_SQL_ALTER_RESUME:
        wri_put(o, " RESUME");
        if (n->has_options) {
            wri_newline(o);
            wri_put(o, "WITH ");
            wri_put_option_block(o, &n->options, true);
        }
        return true;
    case WR_SQL_ALTER_REFRESH:
        put_if(o, n->partitions.count == 0, " REFRESH");
        if (n->partitions.count > 0) {
            wri_put(o, " REFRESH ");
            wri_print_partition(
                o, WR_AST_AS(wr_ast_partition, WR_AST_PARTITION, n->partitions.items[0]));
        }
        return true;
    case WR_SQL_ALTER_SET_FRESHNESS:
        wri_put(o, " SET FRESHNESS = ");
        wri_print_expr(o, n->freshness, 0);
        return true;
    case WR_SQL_ALTER_SET_REFRESH_MODE:
        wri_put(o, n->refresh == WR_SQL_REFRESH_FULL ? " SET REFRESH_MODE = FULL"
                                                     : " SET REFRESH_MODE = CONTINUOUS");
        return true;
    default:
        return false;
    }
}

static bool
put_drop(wri_printer *o, const wr_ast_alter *n)
{
    switch ((unsigned)n->action) {
    case WR_SQL_ALTER_DROP_PARTITION:
        put_partitions(o, n, false);
        return true;
    case WR_SQL_ALTER_DROP_COLUMNS:
        wri_put(o, " DROP ");
        put_lines(o, &n->names);
        return true;
    case WR_SQL_ALTER_DROP_PRIMARY_KEY:
        wri_put(o, " DROP PRIMARY KEY");
        return true;
    case WR_SQL_ALTER_DROP_CONSTRAINT:
        wri_put(o, " DROP CONSTRAINT ");
        wri_print_expr(o, n->names.items[0], 0);
        return true;
    case WR_SQL_ALTER_DROP_WATERMARK:
        wri_put(o, " DROP WATERMARK");
        return true;
    case WR_SQL_ALTER_DROP_DISTRIBUTION:
        wri_put(o, " DROP DISTRIBUTION");
        return true;
    default:
        return false;
    }
}

static void
put_action(wri_printer *o, const wr_ast_alter *n)
{
    if (put_materialized_action(o, n) || put_drop(o, n)) return;
    switch ((unsigned)n->action) {
    case WR_SQL_ALTER_ADD:
    case WR_SQL_ALTER_MODIFY:
        put_change(o, n);
        break;
    case WR_SQL_ALTER_ADD_PARTITION:
        put_partitions(o, n, true);
        break;
    case WR_SQL_ALTER_RENAME_COLUMN:
    case WR_SQL_ALTER_RENAME:
        put_rename(o, n);
        break;
    case WR_SQL_ALTER_SET:
        wri_put(o, " SET ");
        wri_put_option_block(o, &n->options, true);
        break;
    case WR_SQL_ALTER_RESET:
        wri_put(o, " RESET ");
        put_lines(o, &n->keys);
        break;
    case WR_SQL_ALTER_COMMENT:
        put_comment(o, n->comment, " ");
        break;
    case WR_SQL_ALTER_AS:
        put_as_query(o, n->query);
        break;
    case WR_SQL_ALTER_CLASS:
        wri_put(o, " AS ");
        wri_put_literal_text(o, n->class_name);
        put_language(o, n->language);
        break;
    default:
        WR_UNREACHABLE();
    }
}

static void
print_alter(wri_printer *o, const wr_ast_alter *n)
{
    wri_put(o, "ALTER ");
    put_if(o, n->temporary, "TEMPORARY ");
    put_if(o, n->system, "SYSTEM ");
    wri_put(o, wr_sql_object_name(n->object));
    put_if(o, n->if_exists, " IF EXISTS");
    wri_put(o, " ");
    put_ident(o, n->name);
    put_action(o, n);
}

static void
print_drop(wri_printer *o, const wr_ast_drop *n)
{
    static const char *const words[] = {"", " RESTRICT", " CASCADE"};
    wri_put(o, "DROP ");
    put_if(o, n->temporary, "TEMPORARY ");
    put_if(o, n->system, "SYSTEM ");
    wri_put(o, wr_sql_object_name(n->object));
    put_if(o, n->if_exists, " IF EXISTS");
    wri_put(o, " ");
    put_ident(o, n->name);
    wri_put(o, words[n->behaviour]);
}

bool
wri_print_ddl(wri_printer *o, const wr_ast *node)
{
    switch ((unsigned)node->kind) {
    case WR_AST_COLUMN:
        wri_print_column(o, (const wr_ast_column *)node);
        return true;
    case WR_AST_CONSTRAINT:
        wri_print_constraint(o, (const wr_ast_constraint *)node);
        return true;
    case WR_AST_WATERMARK:
        wri_print_watermark(o, (const wr_ast_watermark *)node);
        return true;
    case WR_AST_DISTRIBUTION:
        wri_print_distribution(o, (const wr_ast_distribution *)node);
        return true;
    case WR_AST_PARTITION:
        wri_print_partition(o, (const wr_ast_partition *)node);
        return true;
    case WR_AST_CREATE_TABLE:
        print_create_table(o, (const wr_ast_create_table *)node);
        return true;
    case WR_AST_CREATE_VIEW:
        print_create_view(o, (const wr_ast_create_view *)node);
        return true;
    case WR_AST_CREATE_FUNCTION:
        print_create_function(o, (const wr_ast_create_function *)node);
        return true;
    case WR_AST_CREATE_MODEL:
        print_create_model(o, (const wr_ast_create_model *)node);
        return true;
    case WR_AST_CREATE_OBJECT:
        print_create_object(o, (const wr_ast_create_object *)node);
        return true;
    case WR_AST_ALTER:
        print_alter(o, (const wr_ast_alter *)node);
        return true;
    case WR_AST_DROP:
        print_drop(o, (const wr_ast_drop *)node);
        return true;
    default:
        return false;
    }
}
