/* SPDX-License-Identifier: Apache-2.0 */
/* Statements that are no DDL: DML, plans, EXPLAIN, session commands, SHOW, DESCRIBE. */
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

/* A statement or query inside another statement */
static void
put_statement(wri_printer *o, const wr_ast *stmt)
{
    if (wr_ast_is_query(stmt))
        wri_print_query(o, stmt);
    else
        wri_print_node(o, stmt);
}

/* ---- DML ------------------------------------------------------------------------------------- */
static void
print_insert(wri_printer *o, const wr_ast_insert *n)
{
    static const char *const conflicts[] = {"", "NOTHING", "ERROR", "DEDUPLICATE"};
    wri_put(o, n->upsert ? "UPSERT INTO " : n->overwrite ? "INSERT OVERWRITE " : "INSERT INTO ");
    wri_print_table(o, &n->target->base);
    if (n->partition) {
        wri_put(o, " ");
        wri_print_partition(o, n->partition);
        if (n->has_columns) wri_newline(o);
    } else {
        put_if(o, n->has_columns, " ");
    }
    if (n->has_columns) {
        wri_put(o, "(");
        wri_put_list(o, &n->columns, ", ");
        wri_put(o, ")");
    }
    wri_newline(o);
    wri_print_query(o, n->query);
    if (n->conflict == WR_SQL_CONFLICT_UNSET) return;
    wri_newline(o);
    wri_put(o, "ON CONFLICT DO ");
    wri_put(o, conflicts[n->conflict]);
}

static void
print_statement_set(wri_printer *o, const wr_ast_statement_set *n)
{
    wri_put(o, "STATEMENT SET BEGIN");
    wri_newline(o);
    for (uint32_t i = 0; i < n->inserts.count; i++) {
        wri_print_node(o, n->inserts.items[i]);
        wri_newline(o);
        wri_put(o, ";");
        wri_newline(o);
    }
    wri_put(o, "END");
}

static void
print_explain(wri_printer *o, const wr_ast_explain *n)
{
    static const struct {
        uint32_t bit;
        const char *word;
    } details[] = {{WR_SQL_EXPLAIN_JSON_EXECUTION_PLAN, "JSON_EXECUTION_PLAN"},
                   {WR_SQL_EXPLAIN_CHANGELOG_MODE, "CHANGELOG_MODE"},
                   {WR_SQL_EXPLAIN_PLAN_ADVICE, "PLAN_ADVICE"},
                   {WR_SQL_EXPLAIN_ESTIMATED_COST, "ESTIMATED_COST"}};
    const char *gap = " ";
    wri_put(o, "EXPLAIN");
    for (uint32_t i = 0; i < WR_COUNT(details); i++) {
        if (!(n->details & details[i].bit)) continue;
        wri_put(o, gap);
        wri_put(o, details[i].word);
        gap = ", ";
    }
    if (n->upgrade) {
        wri_put(o, " UPGRADE ");
        wri_put_literal_text(o, n->upgrade);
        wri_put(o, " FOR");
    }
    wri_put(o, " ");
    put_statement(o, n->stmt);
}

static void
print_plan(wri_printer *o, const wr_ast_plan *n)
{
    wri_put(o, !n->compile  ? "EXECUTE PLAN "
               : n->execute ? "COMPILE AND EXECUTE PLAN "
                            : "COMPILE PLAN ");
    wri_put_literal_text(o, n->path);
    put_if(o, n->if_not_exists, " IF NOT EXISTS");
    if (!n->stmt) return;
    wri_put(o, " FOR ");
    put_statement(o, n->stmt);
}

static void
put_assignments(wri_printer *o, const wr_ast_list *assigns)
{
    wri_put(o, " SET ");
    for (uint32_t i = 0; i < assigns->count; i++) {
        const wr_ast_assign *a = WR_AST_AS(wr_ast_assign, WR_AST_ASSIGN, assigns->items[i]);
        put_if(o, i > 0, ", ");
        wri_put_name(o, a->column.name);
        wri_put(o, " = ");
        wri_print_expr(o, a->expr, 0);
    }
}

static void
put_where(wri_printer *o, const wr_ast *where)
{
    if (!where) return;
    wri_newline(o);
    wri_put(o, "WHERE ");
    wri_print_expr(o, where, 0);
}

static void
print_merge(wri_printer *o, const wr_ast_merge *n)
{
    wri_put(o, "MERGE INTO ");
    wri_print_table(o, &n->target->base);
    wri_newline(o);
    wri_put(o, "USING ");
    wri_print_table(o, n->source);
    wri_newline(o);
    wri_put(o, "ON ");
    wri_print_expr(o, n->on, 0);
    if (n->assigns.count > 0) {
        wri_newline(o);
        wri_put(o, "WHEN MATCHED THEN UPDATE");
        put_assignments(o, &n->assigns);
    }
    if (!n->insert_values) return;
    wri_newline(o);
    wri_put(o, "WHEN NOT MATCHED THEN INSERT ");
    if (n->insert_columns.count > 0) {
        wri_put(o, "(");
        wri_put_list(o, &n->insert_columns, ", ");
        wri_put(o, ") ");
    }
    wri_print_query(o, n->insert_values);
}

static void
print_analyze(wri_printer *o, const wr_ast_analyze *n)
{
    wri_put(o, "ANALYZE TABLE ");
    put_ident(o, n->name);
    if (n->partition) {
        wri_put(o, " ");
        wri_print_partition(o, n->partition);
    }
    wri_put(o, " COMPUTE STATISTICS");
    put_if(o, n->all_columns, " FOR ALL COLUMNS");
    if (n->columns.count > 0) {
        wri_put(o, " FOR COLUMNS ");
        wri_put_parts(o, &n->columns);
    }
}

bool
wri_print_dml(wri_printer *o, const wr_ast *node)
{
    switch ((unsigned)node->kind) {
    case WR_AST_INSERT:
        print_insert(o, (const wr_ast_insert *)node);
        return true;
    case WR_AST_STATEMENT_SET:
        print_statement_set(o, (const wr_ast_statement_set *)node);
        return true;
    case WR_AST_SET_MARK:
        wri_put(o, ((const wr_ast_set_mark *)node)->end ? "END" : "BEGIN STATEMENT SET");
        return true;
    case WR_AST_EXECUTE:
        wri_put(o, "EXECUTE ");
        put_statement(o, ((const wr_ast_execute *)node)->stmt);
        return true;
    case WR_AST_EXPLAIN:
        print_explain(o, (const wr_ast_explain *)node);
        return true;
    case WR_AST_PLAN:
        print_plan(o, (const wr_ast_plan *)node);
        return true;
    case WR_AST_DELETE:
        wri_put(o, "DELETE FROM ");
        wri_print_table(o, &((const wr_ast_delete *)node)->target->base);
        put_where(o, ((const wr_ast_delete *)node)->where);
        return true;
    case WR_AST_UPDATE:
        wri_put(o, "UPDATE ");
        wri_print_table(o, &((const wr_ast_update *)node)->target->base);
        put_assignments(o, &((const wr_ast_update *)node)->assigns);
        put_where(o, ((const wr_ast_update *)node)->where);
        return true;
    case WR_AST_MERGE:
        print_merge(o, (const wr_ast_merge *)node);
        return true;
    case WR_AST_TRUNCATE:
        wri_put(o, "TRUNCATE TABLE ");
        put_ident(o, ((const wr_ast_truncate *)node)->name);
        return true;
    case WR_AST_CALL_PROCEDURE:
        wri_put(o, "CALL ");
        wri_print_expr(o, ((const wr_ast_call_procedure *)node)->call, 0);
        return true;
    case WR_AST_ANALYZE:
        print_analyze(o, (const wr_ast_analyze *)node);
        return true;
    default:
        return false;
    }
}

/* ---- session --------------------------------------------------------------------------------- */
static void
print_use(wri_printer *o, const wr_ast_use *n)
{
    static const char *const words[] = {"USE ", "USE CATALOG ", "USE MODULES "};
    wri_put(o, words[n->what]);
    if (n->name)
        put_ident(o, n->name);
    else
        wri_put_parts(o, &n->modules);
}

static void
print_module(wri_printer *o, const wr_ast_module *n)
{
    wri_put(o, n->unload ? "UNLOAD MODULE " : "LOAD MODULE ");
    put_ident(o, n->name);
    if (n->options.count == 0) return;
    wri_newline(o);
    wri_put(o, "WITH ");
    wri_put_option_block(o, &n->options, true);
}

static void
print_set(wri_printer *o, const wr_ast_set *n)
{
    wri_put(o, n->reset ? "RESET" : "SET");
    if (!n->key) return;
    wri_put(o, " ");
    wri_put_literal_text(o, n->key);
    if (!n->value) return;
    wri_put(o, " = ");
    wri_put_literal_text(o, n->value);
}

/* A job's id as text, or its number */
static void
put_job(wri_printer *o, const wr_ast *job)
{
    wri_print_expr(o, job, 0);
}

static void
print_savepoint(wri_printer *o, const wr_ast_savepoint *n)
{
    wri_put(o, "CREATE SAVEPOINT FOR JOB ");
    put_job(o, n->job);
    if (!n->dir) return;
    wri_put(o, " IN ");
    wri_put_literal_text(o, n->dir);
}

static void
print_show(wri_printer *o, const wr_ast_show *n)
{
    wri_put(o, "SHOW ");
    wri_put(o, wr_sql_show_name(n->what));
    if (n->what == WR_SQL_SHOW_CREATE) {
        wri_put(o, n->or_alter ? " OR ALTER " : " ");
        wri_put(o, wr_sql_object_name(n->object));
    }
    if (n->name) {
        wri_put(o, n->prep == WR_SQL_PREP_FROM ? " FROM "
                   : n->prep == WR_SQL_PREP_IN ? " IN "
                                               : " ");
        put_ident(o, n->name);
    }
    if (n->job) {
        wri_put(o, n->what == WR_SQL_SHOW_WATERMARKS ? " FOR JOB " : " ");
        put_job(o, n->job);
    }
    if (n->pattern) {
        wri_put(o, n->not_like ? " NOT " : " ");
        wri_put(o, n->ilike ? "ILIKE " : "LIKE ");
        wri_put_literal_text(o, n->pattern);
    }
    if (n->partition) {
        wri_put(o, " ");
        wri_print_partition(o, n->partition);
    }
}

static void
print_describe(wri_printer *o, const wr_ast_describe *n)
{
    wri_put(o, "DESCRIBE ");
    if (n->object != WR_SQL_OBJECT_TABLE) {
        wri_put(o, wr_sql_object_name(n->object));
        wri_put(o, " ");
    }
    put_if(o, n->extended, "EXTENDED ");
    if (n->job)
        put_job(o, n->job);
    else if (n->file)
        wri_put_literal_text(o, n->file);
    else
        put_ident(o, n->name);
}

static void
print_stop_job(wri_printer *o, const wr_ast_stop_job *n)
{
    wri_put(o, "STOP JOB ");
    put_job(o, n->job);
    put_if(o, n->with_savepoint, " WITH SAVEPOINT");
    put_if(o, n->with_drain, " WITH DRAIN");
}

bool
wri_print_session(wri_printer *o, const wr_ast *node)
{
    switch ((unsigned)node->kind) {
    case WR_AST_USE:
        print_use(o, (const wr_ast_use *)node);
        return true;
    case WR_AST_MODULE:
        print_module(o, (const wr_ast_module *)node);
        return true;
    case WR_AST_SET:
        print_set(o, (const wr_ast_set *)node);
        return true;
    case WR_AST_JAR:
        wri_put(o, ((const wr_ast_jar *)node)->remove ? "REMOVE JAR " : "ADD JAR ");
        wri_put_literal_text(o, ((const wr_ast_jar *)node)->path);
        return true;
    case WR_AST_SHOW:
        print_show(o, (const wr_ast_show *)node);
        return true;
    case WR_AST_DESCRIBE:
        print_describe(o, (const wr_ast_describe *)node);
        return true;
    case WR_AST_SAVEPOINT:
        print_savepoint(o, (const wr_ast_savepoint *)node);
        return true;
    case WR_AST_STOP_JOB:
        print_stop_job(o, (const wr_ast_stop_job *)node);
        return true;
    default:
        return false;
    }
}
