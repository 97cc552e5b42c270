/* SPDX-License-Identifier: Apache-2.0 */
/* A planning session for unit tests: an in-memory catalog, a connector "fake" that never runs
 * ('changelog' = I | ALL | UPSERT, 'bounded', 'pushdown'), statements bound and rewritten, and
 * relations printed in a compact form:
 *
 *   Project(id=$0, c=$1)
 *     Aggregate(keys=[0], COUNT() AS c)
 *       Scan(t: k)
 */
#ifndef WR_TESTS_PLAN_FIXTURE_H
#define WR_TESTS_PLAN_FIXTURE_H

#include <stdlib.h>

#include "plan/plan.h"
#include "spi/registry.h"
#include "unit/check.h"

static const wr_option_def fake_options[] = {
    {"changelog", WR_OPT_ENUM, "I", "I|ALL|UPSERT", 0, ""},
    {"bounded", WR_OPT_BOOL, "true", NULL, 0, ""},
    {"pushdown", WR_OPT_BOOL, "false", NULL, 0, ""},
    {"overwrite", WR_OPT_BOOL, "false", NULL, 0, ""},
    {NULL, 0, NULL, NULL, 0, NULL},
};

static wr_status
fake_source_describe(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
                     const wr_config *config, wr_arena *arena, wr_source_info *out)
{
    static wr_metadata_col metadata[2];
    wr_option_value v;
    (void)table, (void)config, (void)arena;
    memset(out, 0, sizeof *out);
    metadata[0] = (wr_metadata_col){"offset", wr_type_of(WR_T_BIGINT, false), false};
    out->metadata = metadata;
    WR_TRY(wr_options_get(ctx, options, fake_options, "bounded", &v));
    out->bounded = v.i != 0;
    WR_TRY(wr_options_get(ctx, options, fake_options, "changelog", &v));
    out->changelog = v.i == 0 ? WR_CL_I : v.i == 1 ? WR_CL_ALL : WR_CL_UPSERT;
    WR_TRY(wr_options_get(ctx, options, fake_options, "pushdown", &v));
    out->can_project = out->can_filter = out->can_limit = v.i != 0;
    out->row_count = -1;
    return WR_OK;
}

static wr_status
fake_sink_describe(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
                   const wr_config *config, wr_clmode requested, wr_arena *arena, wr_sink_info *out)
{
    wr_option_value v;
    (void)table, (void)config, (void)arena;
    memset(out, 0, sizeof *out);
    out->changelog = requested;
    out->partitions = true;
    WR_TRY(wr_options_get(ctx, options, fake_options, "overwrite", &v));
    out->overwrite = v.i != 0;
    out->guarantee = "none";
    return WR_OK;
}

static const wr_source_ops fake_source = {
    .abi = WR_ABI, .name = "fake", .options = fake_options, .describe = fake_source_describe};
static const wr_sink_ops fake_sink = {
    .abi = WR_ABI, .name = "fake", .options = fake_options, .describe = fake_sink_describe};

typedef struct session {
    wr_ctx ctx;
    wr_err more[WR_ERR_MORE_MAX];
    wr_arena *arena;
    wr_catalogs *cats;
    wr_eval_env eval;
    wr_plan_env env;
} session;

WR_UNUSED static void
session_open(session *s)
{
    static bool registered;
    if (!registered) {
        registered = wr_catalog_register() && wr_register_source(&fake_source) &&
                     wr_register_sink(&fake_sink);
        if (!registered) abort();
    }
    memset(s, 0, sizeof *s);
    wr_ctx_init(&s->ctx);
    s->arena = wr_arena_create(NULL, 0);
    if (!s->arena || wr_catalogs_create(&s->ctx, WR_STR(""), &s->cats) != WR_OK) abort();
    s->env = (wr_plan_env){.arena = s->arena,
                           .catalogs = s->cats,
                           .config = wr_catalogs_config(s->cats),
                           .eval = &s->eval};
}

WR_UNUSED static void
session_close(session *s)
{
    wr_catalogs_destroy(s->cats);
    wr_arena_destroy(s->arena);
}

WR_UNUSED static wr_ast *
session_parse(session *s, const char *sql)
{
    wr_ast *ast = NULL;
    wr_ctx_reset(&s->ctx);
    s->ctx.sql = wr_str_c(sql);
    s->ctx.more = s->more;
    s->ctx.more_count = 0;
    if (wr_sql_parse(&s->ctx, s->ctx.sql, s->arena, &ast) != WR_OK) return NULL;
    return ast;
}

/* CREATE TABLE or VIEW. */
WR_UNUSED static void
session_ddl(session *s, const char *sql)
{
    wr_ast *ast = session_parse(s, sql);
    wr_table_desc *t = NULL;
    wr_status status = ast ? WR_OK : WR_SYNTAX;
    if (ast)
        status = ast->kind == WR_AST_CREATE_VIEW ? wr_ddl_view(&s->ctx, &s->env, ast, &t)
                                                 : wr_ddl_table(&s->ctx, &s->env, ast, &t);
    if (status == WR_OK) status = wr_catalogs_create_table(&s->ctx, s->cats, t, false);
    if (status != WR_OK) {
        (void)CHECK_AT;
        fprintf(stderr, "%s: %s\n", sql, s->ctx.err.message);
    }
}

/* NULL when it can't be bound: the error is in s->ctx. */
WR_UNUSED static wr_rel *
session_bind(session *s, const char *sql)
{
    wr_ast *ast = session_parse(s, sql);
    wr_rel *rel = NULL;
    if (!ast) return NULL;
    wr_status status = ast->kind == WR_AST_INSERT ? wr_bind_insert(&s->ctx, &s->env, ast, &rel)
                                                  : wr_bind_query(&s->ctx, &s->env, ast, &rel);
    return status == WR_OK ? rel : NULL;
}

WR_UNUSED static wr_rel *
session_plan(session *s, const char *sql)
{
    wr_rel *rel = session_bind(s, sql), *out = NULL;
    if (!rel || wr_rules_apply(&s->ctx, &s->env, rel, &out) != WR_OK) return NULL;
    return out;
}

/* "id INT, c BIGINT NOT NULL", or "ERROR: message @start-end" */
WR_UNUSED static const char *
session_types(session *s, const char *sql)
{
    wr_rel *rel = session_bind(s, sql);
    wr_text t;
    wr_text_init(&t, s->arena);
    if (!rel) {
        wr_text_printf(&t, "ERROR: %s", s->ctx.err.message);
        wr_text_putc(&t, '\0');
        return t.ptr;
    }
    for (uint32_t i = 0; i < rel->schema.count; i++) {
        wr_text_printf(&t, "%s%.*s ", i ? ", " : "", WR_STR_ARG(rel->schema.fields[i].name));
        wr_type_print(rel->schema.fields[i].type, WR_TYPE_SUMMARY, &t);
    }
    wr_text_putc(&t, '\0');
    return t.ptr;
}

/* ---- printing relations ---------------------------------------------------------------------- */
static void
print_expr(const wr_expr *e, wr_text *t)
{
    bool distinct = e && e->kind == WR_EX_CALL && strcmp(e->fn->name, "IS NOT DISTINCT FROM") == 0;
    if (!e) {
        wr_text_puts(t, "TRUE");
    } else if (distinct || e->kind == WR_EX_AND) {
        wr_text_puts(t, distinct ? "IS NOT DISTINCT FROM(" : "AND(");
        for (uint32_t i = 0; i < e->arg_count; i++) {
            if (i) wr_text_puts(t, ", ");
            print_expr(e->args[i], t);
        }
        wr_text_puts(t, ")");
    } else {
        wr_expr_print(e, WR_EXPR_PREFIX, NULL, t);
    }
}

static void
print_aggregate(const wr_rel *rel, wr_text *t)
{
    wr_text_puts(t, "Aggregate([");
    for (uint32_t i = 0; i < rel->u.agg.key_count; i++)
        wr_text_printf(t, "%s%u", i ? ", " : "", rel->u.agg.keys[i]);
    wr_text_puts(t, "]");
    for (uint32_t i = 0; i < rel->u.agg.agg_count; i++) {
        const wr_agg_bound *g = &rel->u.agg.aggs[i];
        wr_text_printf(t, ", %s(%s", g->fn->name, g->distinct ? "DISTINCT " : "");
        for (uint32_t k = 0; k < g->arg_count; k++)
            wr_text_printf(t, "%s$%u", k ? ", " : "", g->args[k]);
        wr_text_puts(t, ")");
        if (g->filter >= 0) wr_text_printf(t, " FILTER $%d", g->filter);
        wr_text_printf(t, " AS %.*s", WR_STR_ARG(g->name));
    }
}

static void
print_sort(const wr_rel *rel, wr_text *t)
{
    wr_text_puts(t, "Sort(");
    for (uint32_t i = 0; i < rel->u.sort.key_count; i++)
        wr_text_printf(t, "%s$%u%s%s", i ? ", " : "", rel->u.sort.keys[i].col,
                       rel->u.sort.keys[i].desc ? " desc" : "",
                       rel->u.sort.keys[i].nulls_last == rel->u.sort.keys[i].desc ? ""
                       : rel->u.sort.keys[i].nulls_last                           ? " last"
                                                                                  : " first");
    if (rel->u.sort.offset) wr_text_printf(t, " offset %d", (int)rel->u.sort.offset);
    if (rel->u.sort.fetch >= 0) wr_text_printf(t, " fetch %d", (int)rel->u.sort.fetch);
}

static void
print_node(const wr_rel *rel, wr_text *t)
{
    static const char *const joins[] = {"inner", "left", "right", "full", "semi", "anti"};
    switch ((int)rel->kind) {
    case WR_REL_SCAN:
        wr_text_printf(t, "Scan(%.*s:", WR_STR_ARG(rel->u.scan.table->id.name));
        for (uint32_t i = 0; i < rel->schema.count; i++)
            wr_text_printf(t, "%s%.*s", i ? ", " : " ", WR_STR_ARG(rel->schema.fields[i].name));
        static const char *const ops[] = {"=", "<>", "<", "<=", ">", ">="};
        for (uint32_t i = 0; i < rel->u.scan.filter_count; i++)
            wr_text_printf(t, ", filter $%u %s", rel->u.scan.filters[i].col,
                           ops[rel->u.scan.filters[i].op]);
        if (rel->u.scan.limit >= 0) wr_text_printf(t, ", limit %d", (int)rel->u.scan.limit);
        break;
    case WR_REL_VALUES:
        wr_text_puts(t, "Values(");
        for (uint32_t r = 0; r < rel->u.values.row_count; r++) {
            wr_text_puts(t, r ? ", (" : "(");
            for (uint32_t i = 0; i < rel->schema.count; i++) {
                if (i) wr_text_puts(t, ", ");
                print_expr(rel->u.values.rows[r][i], t);
            }
            wr_text_puts(t, ")");
        }
        break;
    case WR_REL_PROJECT:
        wr_text_puts(t, "Project(");
        for (uint32_t i = 0; i < rel->schema.count; i++) {
            wr_text_printf(t, "%s%.*s=", i ? ", " : "", WR_STR_ARG(rel->schema.fields[i].name));
            print_expr(rel->u.project.exprs[i], t);
        }
        break;
    case WR_REL_FILTER:
        wr_text_puts(t, "Filter(");
        print_expr(rel->u.filter.cond, t);
        break;
    case WR_REL_JOIN:
        wr_text_printf(t, "Join(%s%s, ", joins[rel->u.join.type],
                       rel->u.join.null_aware ? " null-aware" : "");
        print_expr(rel->u.join.cond, t);
        if (rel->u.join.hint) wr_text_printf(t, ", hint %s", rel->u.join.hint);
        for (int i = 0; i < 2; i++)
            if (rel->u.join.ttl_ms[i] >= 0)
                wr_text_printf(t, ", ttl%d %d", i, (int)rel->u.join.ttl_ms[i]);
        break;
    case WR_REL_AGGREGATE:
        print_aggregate(rel, t);
        break;
    case WR_REL_SETOP:
        wr_text_printf(t, "%s(%s",
                       rel->u.setop.op == WR_SETOP_UNION       ? "Union"
                       : rel->u.setop.op == WR_SETOP_INTERSECT ? "Intersect"
                                                               : "Except",
                       rel->u.setop.all ? "all" : "distinct");
        break;
    case WR_REL_SORT:
        print_sort(rel, t);
        break;
    case WR_REL_CORRELATE:
        wr_text_printf(t, "Correlate(%s, ", joins[rel->u.correlate.type]);
        print_expr(rel->u.correlate.call, t);
        if (rel->u.correlate.cond) {
            wr_text_puts(t, ", ");
            print_expr(rel->u.correlate.cond, t);
        }
        break;
    case WR_REL_WATERMARK:
        wr_text_printf(t, "Watermark($%u, ", rel->u.watermark.col);
        print_expr(rel->u.watermark.expr, t);
        break;
    case WR_REL_EXPAND:
        wr_text_puts(t, "Expand(");
        for (uint32_t r = 0; r < rel->u.expand.set_count; r++) {
            wr_text_puts(t, r ? ", {" : "{");
            for (uint32_t i = 0; i < rel->schema.count; i++) {
                if (i) wr_text_puts(t, ", ");
                print_expr(rel->u.expand.rows[r][i], t);
            }
            wr_text_puts(t, "}");
        }
        break;
    case WR_REL_SINK:
        wr_text_printf(t, "Sink(%.*s", WR_STR_ARG(rel->u.sink.table->id.name));
        break;
    default:
        wr_text_printf(t, "?%d(", rel->kind);
        break;
    }
    wr_text_puts(t, ")");
}

static void
print_rel(const wr_rel *rel, uint32_t depth, wr_text *t)
{
    for (uint32_t i = 0; i < depth; i++) wr_text_puts(t, "  ");
    print_node(rel, t);
    wr_text_putc(t, '\n');
    for (uint32_t i = 0; i < rel->input_count; i++) print_rel(rel->inputs[i], depth + 1, t);
}

WR_UNUSED static const char *
session_print(session *s, const wr_rel *rel)
{
    wr_text t;
    wr_text_init(&t, s->arena);
    if (rel)
        print_rel(rel, 0, &t);
    else
        wr_text_printf(&t, "ERROR: %s\n", s->ctx.err.message);
    wr_text_putc(&t, '\0');
    return t.ptr;
}

#endif
