/* SPDX-License-Identifier: Apache-2.0 */
/* The one line of a physical node, in Flink's words: GroupAggregate(groupBy=[k], select=[k,
 * COUNT(*) AS EXPR$1]). Prefix style in the physical plan, infix in the execution plan. */
#include "plan/explain_int.h"
#include "plan/rule_int.h"
#include "plan/timed_join.h"

void
wri_attr(wri_liner *l, const char *name)
{
    wr_text_printf(l->out, "%s%s=[", l->any ? ", " : "", name);
    l->any = true;
}

void
wri_put_fields(wr_text *out, const wr_schema *s, const char *sep)
{
    for (uint32_t i = 0; i < s->count; i++)
        wr_text_printf(out, "%s%.*s", i ? sep : "", WR_STR_ARG(s->fields[i].name));
}

void
wri_put_cols(wr_text *out, const wr_schema *s, const uint32_t *cols, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        wr_text_printf(out, "%s%.*s", i ? ", " : "", WR_STR_ARG(s->fields[cols[i]].name));
}

void
wri_put_table(wr_text *out, const wr_table_id *id, const char *sep)
{
    wr_text_printf(out, "%.*s%s%.*s%s%.*s", WR_STR_ARG(id->catalog), sep, WR_STR_ARG(id->database),
                   sep, WR_STR_ARG(id->name));
}

/* RecordType(INTEGER id, VARCHAR(2147483647) k) */
void
wri_put_record_type(wr_text *out, const wr_schema *s)
{
    wr_text_puts(out, "RecordType(");
    for (uint32_t i = 0; i < s->count; i++) {
        if (i) wr_text_puts(out, ", ");
        wr_type_print(s->fields[i].type, WR_TYPE_CALCITE, out);
        wr_text_printf(out, " %.*s", WR_STR_ARG(s->fields[i].name));
    }
    wr_text_putc(out, ')');
}

wr_str
wri_option_hint(wr_arena *a, const wr_options *has, const wr_options *own)
{
    wr_text t;
    wr_text_init(&t, a);
    for (uint32_t i = 0; i < has->count; i++) {
        const wr_option *o = &has->items[i];
        bool same = false;
        for (uint32_t k = 0; k < own->count && !same; k++)
            same = wr_str_eq(o->key, own->items[k].key) && wr_str_eq(o->value, own->items[k].value);
        if (same) continue;
        wr_text_printf(&t, "%s%.*s=%.*s", t.len ? ", " : "", WR_STR_ARG(o->key),
                       WR_STR_ARG(o->value));
    }
    return wr_text_str(&t);
}

/* ---- scan ------------------------------------------------------------------------------------ */

static void
put_pushed_filters(wri_liner *l, const wr_source_spec *s)
{
    static const char *const ops[] = {"=", "<>", "<", "<=", ">", ">="};
    wr_text_puts(l->out, ", filter=[");
    for (uint32_t i = 0; i < s->filter_count; i++) {
        const wr_pushed_filter *f = &s->filters[i];
        wr_expr lit = {.kind = WR_EX_LITERAL, .type = f->value.type, .value = f->value};
        bool many = s->filter_count > 1;
        wr_text_printf(l->out, "%s%s(%.*s, ",
                       i      ? ", "
                       : many ? "and("
                              : "",
                       ops[f->op], WR_STR_ARG(s->columns.fields[f->col].name));
        wr_expr_print(&lit, WR_EXPR_PREFIX, NULL, l->out);
        wr_text_puts(l->out, many && i + 1 == s->filter_count ? "))" : ")");
    }
    wr_text_putc(l->out, ']');
}

/* Are these the table's physical columns, all and in order? */
static bool
is_whole(const wr_source_spec *s)
{
    uint32_t physical = 0;
    for (uint32_t i = 0; i < s->table->column_count; i++)
        physical += s->table->columns[i].kind == WR_COL_PHYSICAL;
    for (uint32_t i = 0; i < s->columns.count; i++)
        if (s->metadata && s->metadata[i]) return false;
    for (uint32_t i = 0; i < s->columns.count; i++)
        if (s->physical[i] != (int32_t)i) return false;
    return s->columns.count == physical;
}

static void
put_projection(wri_liner *l, const wr_pnode *n)
{
    const wr_source_spec *s = &n->u.scan.spec;
    bool any = false;
    wr_text_puts(l->out, ", project=[");
    for (uint32_t i = 0; i < s->columns.count; i++) {
        if (s->metadata && s->metadata[i]) continue;
        wr_text_printf(l->out, "%s%.*s", any ? ", " : "", WR_STR_ARG(s->columns.fields[i].name));
        any = true;
    }
    wr_text_putc(l->out, ']');
    if (!n->u.scan.info.metadata) return;
    any = false;
    wr_text_puts(l->out, ", metadata=[");
    for (uint32_t i = 0; i < s->columns.count; i++) {
        if (!s->metadata || !s->metadata[i]) continue;
        wr_text_printf(l->out, "%s%s", any ? ", " : "", s->metadata[i]);
        any = true;
    }
    wr_text_putc(l->out, ']');
}

static void
label_scan(wri_liner *l)
{
    const wr_source_spec *s = &l->n->u.scan.spec;
    wr_text_puts(l->out, "table=[[");
    wri_put_table(l->out, &s->table->id, ", ");
    if (s->filter_count) put_pushed_filters(l, s);
    if (!is_whole(s)) put_projection(l, l->n);
    if (s->limit >= 0) wr_text_printf(l->out, ", limit=[%lld]", (long long)s->limit);
    wr_text_puts(l->out, "]], fields=[");
    wri_put_fields(l->out, &l->n->schema, ", ");
    wr_text_putc(l->out, ']');
    l->any = true;
    const wr_str hint = wri_option_hint(l->out->arena, &s->options, &s->table->options);
    if (hint.len) wr_text_printf(l->out, ", hints=[[[OPTIONS options:{%.*s}]]]", WR_STR_ARG(hint));
}

/* ---- calc, expand, values -------------------------------------------------------------------- */

/* A column whose value is known shows as that value in the column's type. */
static void
put_fixed(wri_liner *l, const wr_expr *value, const wr_type *type)
{
    wr_expr lit = *value;
    if (value->kind != WR_EX_LITERAL) { /* IS NULL(column) */
        wr_value null = {.type = type, .is_null = true};
        const wr_expr *e = wr_expr_literal(l->out->arena, &null, WR_NO_SPAN);
        if (e) wr_expr_print(e, l->exprs, NULL, l->out);
        return;
    }
    const wr_type *plain = wr_type_nullable(l->out->arena, type, false);
    if (plain) {
        lit.type = plain;
        lit.value.type = plain;
    }
    if (!plain || !type->nullable) {
        wr_expr_print(&lit, l->exprs, NULL, l->out);
        return;
    }
    wr_text_puts(l->out, "CAST(");
    wr_expr_print(&lit, l->exprs, NULL, l->out);
    wr_text_puts(l->out, " AS ");
    wr_type_print(type, WR_TYPE_CALCITE, l->out);
    if (wr_type_is_string(type) && l->exprs == WR_EXPR_PREFIX)
        wr_text_puts(l->out, " CHARACTER SET \"UTF-16LE\"");
    wr_text_putc(l->out, ')');
}

static void
put_exprs(wri_liner *l, wr_expr *const *exprs, const wr_schema *names)
{
    const wr_field *in = l->n->input_count ? l->n->inputs[0]->schema.fields : NULL;
    const wr_expr *cond = l->n->kind == WR_P_CALC ? l->n->u.calc.cond : NULL;
    if (cond) cond = wr_expr_simplify(l->out->arena, cond, true);
    for (uint32_t i = 0; i < names->count; i++) {
        const wr_expr *value = wri_fixed_column(l->n, cond, exprs[i]);
        if (exprs[i]->kind == WR_EX_LITERAL && !exprs[i]->value.is_null &&
            names->fields[i].type->nullable && l->n->kind == WR_P_CALC)
            value = exprs[i];
        if (i) wr_text_puts(l->out, ", ");
        if (value)
            put_fixed(l, value, value == exprs[i] ? names->fields[i].type : exprs[i]->type);
        else
            wr_expr_print(wr_expr_simplify(l->out->arena, exprs[i], false), l->exprs, in, l->out);
        bool same = !value && exprs[i]->kind == WR_EX_COLUMN && in &&
                    wr_str_eq(in[exprs[i]->index].name, names->fields[i].name);
        if (same) continue;
        wri_lost_name lost = wri_over_numbered(l->n, exprs, names->count, i);
        if (lost == WRI_NAME_BELOW && value) lost = WRI_NAME_KEPT;
        if (lost == WRI_NAME_NUMBERED)
            wr_text_printf(l->out, " AS $%u", i);
        else if (lost == WRI_NAME_KEPT)
            wr_text_printf(l->out, " AS %.*s", WR_STR_ARG(names->fields[i].name));
    }
}

static void
put_condition(wri_liner *l, const char *name, const wr_expr *cond, const wr_field *names)
{
    wri_attr(l, name);
    wr_expr_print(wr_expr_simplify(l->out->arena, cond, true), l->exprs, names, l->out);
    wr_text_putc(l->out, ']');
}

static void
label_calc(wri_liner *l)
{
    wri_attr(l, "select");
    put_exprs(l, l->n->u.calc.exprs, &l->n->schema);
    wr_text_putc(l->out, ']');
    if (l->n->u.calc.cond)
        put_condition(l, "where", l->n->u.calc.cond, l->n->inputs[0]->schema.fields);
}

/* A literal without the type that it carries elsewhere in plans. */
void
wri_put_untyped(wr_text *out, const wr_expr *e)
{
    wr_text text, type;
    wr_text_init(&text, out->arena);
    wr_text_init(&type, out->arena);
    wr_expr_print(e, WR_EXPR_AST, NULL, &text);
    wr_text_putc(&type, ':');
    wr_type_print(e->type, WR_TYPE_CALCITE, &type);
    if (wr_type_is_string(e->type)) wr_text_puts(&type, " CHARACTER SET \"UTF-16LE\"");
    bool typed =
        text.len > type.len && memcmp(text.ptr + text.len - type.len, type.ptr, type.len) == 0;
    wr_text_put(out, text.ptr, typed ? text.len - type.len : text.len);
}

static void
label_values(wri_liner *l)
{
    const wr_pnode *n = l->n;
    if (l->style == WR_EXPR_PREFIX && !l->env->batch) {
        wri_attr(l, "type");
        wri_put_record_type(l->out, &n->schema);
        wr_text_putc(l->out, ']');
    }
    wri_attr(l, "tuples");
    wr_text_putc(l->out, '[');
    for (uint32_t r = 0; r < n->u.values.row_count; r++) {
        wr_text_puts(l->out, r ? ", { " : "{ ");
        for (uint32_t c = 0; c < n->schema.count; c++) {
            if (c) wr_text_puts(l->out, ", ");
            wri_put_untyped(l->out, n->u.values.rows[r][c]);
        }
        wr_text_puts(l->out, " }");
    }
    wr_text_puts(l->out, "]]");
    if (!l->env->batch) return;
    wri_attr(l, "values");
    wri_put_fields(l->out, &n->schema, ", ");
    wr_text_putc(l->out, ']');
}

static void
label_expand(wri_liner *l)
{
    const wr_pnode *n = l->n;
    const wr_field *in = n->inputs[0]->schema.fields;
    wri_attr(l, "projects");
    for (uint32_t s = 0; s < n->u.expand.set_count; s++) {
        wr_text_puts(l->out, s ? ", {" : "{");
        for (uint32_t c = 0; c < n->schema.count; c++) {
            const wr_expr *e = n->u.expand.rows[s][c];
            wr_str name = n->schema.fields[c].name;
            bool null = e->kind == WR_EX_LITERAL && e->value.is_null;
            bool number = e->kind == WR_EX_LITERAL && !null && e->type->phys <= WR_PHYS_I64;
            if (c) wr_text_puts(l->out, ", ");
            if (null)
                wr_text_puts(l->out, "null");
            else if (number)
                wr_text_printf(l->out, "%lld", (long long)e->value.u.i);
            else
                wr_expr_print(e, l->exprs, in, l->out);
            if (e->kind != WR_EX_COLUMN || !wr_str_eq(in[e->index].name, name))
                wr_text_printf(l->out, " AS %.*s", WR_STR_ARG(name));
        }
        wr_text_putc(l->out, '}');
    }
    wr_text_putc(l->out, ']');
}

/* ---- joins ----------------------------------------------------------------------------------- */

/* The columns of both inputs under unique names, as Flink shows them (id, id0). */
static wr_field *
join_names(const wr_pnode *n, wr_arena *arena)
{
    uint32_t lc = n->inputs[0]->schema.count, rc = n->inputs[1]->schema.count;
    wr_field *f = WR_NEW_N(arena, wr_field, lc + rc + 1);
    if (!f) return NULL;
    memcpy(f, n->inputs[0]->schema.fields, lc * sizeof *f);
    memcpy(f + lc, n->inputs[1]->schema.fields, rc * sizeof *f);
    if (n->schema.count == lc + rc) {
        for (uint32_t i = 0; i < lc + rc; i++) f[i].name = n->schema.fields[i].name;
        return f;
    }
    for (uint32_t i = lc; i < lc + rc; i++) {
        wr_str base = f[i].name;
        for (uint32_t tries = 0, clash = 1; clash; tries++) {
            clash = 0;
            for (uint32_t k = 0; k < i; k++) clash |= wr_str_eq(f[k].name, f[i].name);
            if (clash) f[i].name = wr_arena_printf(arena, "%.*s%u", WR_STR_ARG(base), tries);
            if (!f[i].name.ptr) return NULL;
        }
    }
    return f;
}

static const char *
side_spec(const wr_pnode *n, uint32_t side)
{
    if (n->u.join.key_contains_unique[side]) return "JoinKeyContainsUniqueKey";
    return n->u.join.unique_key[side] ? "HasUniqueKey" : "NoUniqueKey";
}

/* In a join IS NOT DISTINCT FROM stays an operator. */
void
wri_put_join_term(wri_liner *l, const wr_expr *e, const wr_field *names)
{
    if (e->kind != WR_EX_CALL || strcmp(e->fn->name, "IS NOT DISTINCT FROM") != 0) {
        wr_expr_print(wr_expr_simplify(l->out->arena, e, true), l->exprs, names, l->out);
        return;
    }
    wr_text_puts(l->out, "IS NOT DISTINCT FROM(");
    wr_expr_print(e->args[0], l->exprs, names, l->out);
    wr_text_puts(l->out, ", ");
    wr_expr_print(e->args[1], l->exprs, names, l->out);
    wr_text_putc(l->out, ')');
}

/* INTERSECT and EXCEPT over several columns: OR(=(a, b), AND(IS NULL(a), IS NULL(b))) */
static void
put_same(wri_liner *l, const wr_expr *e, const wr_field *names)
{
    const char *const *words;
    static const char *const prefix[] = {"OR(=(", ", ", "), AND(IS NULL(", "), IS NULL(", ")))"};
    static const char *const infix[] = {"((", " = ", ") OR (", " IS NULL AND ", " IS NULL))"};
    words = l->style == WR_EXPR_INFIX ? infix : prefix;
    for (uint32_t i = 0; i < 4; i++) {
        wr_text_puts(l->out, words[i]);
        wr_expr_print(e->args[i % 2], l->exprs, names, l->out);
    }
    wr_text_puts(l->out, words[4]);
}

static bool
has_null_equal(const wr_pnode *n)
{
    for (uint32_t i = 0; i < n->u.join.key_count; i++)
        if (n->u.join.null_equal[i]) return true;
    return false;
}

static void
put_join_condition(wri_liner *l, const wr_field *names)
{
    const wr_expr *e = l->n->u.join.whole;
    bool infix = l->style == WR_EXPR_INFIX, many = e->kind == WR_EX_AND;
    if (!has_null_equal(l->n)) {
        put_condition(l, "where", e, names);
        return;
    }
    wri_attr(l, "where");
    if (many) wr_text_puts(l->out, infix ? "(" : "AND(");
    const bool sets = l->n->u.join.type == WR_JOIN_SEMI || l->n->u.join.type == WR_JOIN_ANTI;
    for (uint32_t i = 0; i < (many ? e->arg_count : 1); i++) {
        if (i) wr_text_puts(l->out, infix ? " AND " : ", ");
        if (many && sets && wri_rex_is_call(e->args[i], "IS NOT DISTINCT FROM"))
            put_same(l, e->args[i], names);
        else
            wri_put_join_term(l, many ? e->args[i] : e, names);
    }
    wr_text_puts(l->out, many ? ")]" : "]");
}

/* A hash join that Flink may turn into a broadcast join while it runs. */
static bool
is_adaptive(const wr_pnode *n)
{
    return n->kind == WR_P_HASH_JOIN && !n->u.join.broadcast && !n->u.join.hint &&
           n->u.join.type != WR_JOIN_FULL && n->inputs[0]->kind == WR_P_EXCHANGE &&
           n->inputs[1]->kind == WR_P_EXCHANGE;
}

/* Flink sorts and merges; rows are hashed here all the same. */
static bool
is_merged(const wr_pnode *n)
{
    return n->kind == WR_P_HASH_JOIN && n->u.join.hint && !n->u.join.broadcast &&
           strncmp(n->u.join.hint, "SHUFFLE_MERGE", 13) == 0;
}

static void
put_input_specs(wri_liner *l)
{
    const wr_pnode *n = l->n;
    wr_text_printf(l->out, ", leftInputSpec=[%s], rightInputSpec=[%s]", side_spec(n, 0),
                   side_spec(n, 1));
    if (wr_config_bool(l->env->config, "table.exec.mini-batch.enabled"))
        wr_text_puts(l->out, ", miniBatch=[true]");
    if (!n->u.join.hint || l->style == WR_EXPR_INFIX) return;
    int name = (int)(strchr(n->u.join.hint, ' ') - n->u.join.hint);
    wr_text_printf(l->out, ", joinHints=[[[%.*s options:[%s]]]]", name, n->u.join.hint,
                   n->u.join.hint_side ? "RIGHT" : "LEFT");
}

static void
label_join(wri_liner *l)
{
    static const char *const types[] = {"InnerJoin",     "LeftOuterJoin", "RightOuterJoin",
                                        "FullOuterJoin", "LeftSemiJoin",  "LeftAntiJoin"};
    const wr_pnode *n = l->n;
    if (l->style == WR_EXPR_INFIX && is_adaptive(n)) {
        wri_attr(l, "originalJoin");
        wr_text_puts(l->out, "ShuffleHashJoin]");
    }
    if (n->kind == WR_P_WINDOW_JOIN) wri_put_join_windows(l);
    wri_attr(l, "joinType");
    wr_text_printf(l->out, "%s]", types[n->u.join.type]);
    if (n->kind == WR_P_INTERVAL_JOIN) wri_put_window_bounds(l);
    wr_field *names = join_names(n, l->out->arena);
    if (!names) l->out->failed = true;
    if (names && n->u.join.whole) {
        put_join_condition(l, names);
    } else {
        wri_attr(l, "where");
        wr_text_puts(l->out, "true]");
    }
    wri_attr(l, "select");
    wri_put_fields(l->out, &n->schema, ", ");
    wr_text_putc(l->out, ']');
    if (n->kind == WR_P_JOIN)
        put_input_specs(l);
    else if ((n->kind == WR_P_HASH_JOIN && !is_merged(n)) || n->kind == WR_P_NESTED_LOOP_JOIN)
        wr_text_printf(l->out, "%s, build=[%s]%s",
                       n->u.join.broadcast && n->kind == WR_P_HASH_JOIN ? ", isBroadcast=[true]"
                                                                        : "",
                       n->u.join.build == 0 ? "left" : "right",
                       n->u.join.single_row ? ", singleRowJoin=[true]" : "");
}

/* ---- how long state lives, where a hint says so ---------------------------------------------- */

/* 1d, 2h, 90s: in the largest unit that divides it. */
void
wri_put_ttl(wr_text *out, int64_t ms)
{
    static const struct {
        int64_t ms;
        const char *unit;
    } units[] = {{86400000, "d"}, {3600000, "h"}, {60000, "min"}, {1000, "s"}, {1, "ms"}};
    for (uint32_t i = 0; i < WR_COUNT(units); i++)
        if (ms % units[i].ms == 0) {
            wr_text_printf(out, "%lld%s", (long long)(ms / units[i].ms), units[i].unit);
            return;
        }
}

void
wri_put_ttl_hint(const wr_plan_env *env, const wr_pnode *n, wr_text *out)
{
    static const char *const sides[] = {"LEFT", "RIGHT"};
    int64_t usual = wr_config_int(env->config, "table.exec.state.ttl");
    const char *any = "";
    wr_text_puts(out, "stateTtlHints=[[[STATE_TTL options:");
    if (n->kind == WR_P_GROUP_AGG) {
        wr_text_putc(out, '[');
        wri_put_ttl(out, n->u.agg.ttl_ms);
        wr_text_puts(out, "]]]]");
        return;
    }
    wr_text_putc(out, '{');
    for (uint32_t i = 0; i < 2; i++) {
        if (n->u.join.ttl_ms[i] == usual) continue;
        wr_text_printf(out, "%s%s=", any, sides[i]);
        wri_put_ttl(out, n->u.join.ttl_ms[i]);
        any = ", ";
    }
    wr_text_puts(out, "}]]]");
}

bool
wri_has_ttl_hint(const wr_plan_env *env, const wr_pnode *n)
{
    int64_t usual = wr_config_int(env->config, "table.exec.state.ttl");
    if (n->kind == WR_P_GROUP_AGG) return n->u.agg.ttl_ms != usual;
    return n->kind == WR_P_JOIN && (n->u.join.ttl_ms[0] != usual || n->u.join.ttl_ms[1] != usual);
}

/* ---- sorts ----------------------------------------------------------------------------------- */

static void
put_order(wri_liner *l)
{
    const wr_pnode *n = l->n;
    wri_attr(l, "orderBy");
    wri_put_ordering(l->out, &n->schema, n->u.sort.keys, n->u.sort.key_count);
    wr_text_putc(l->out, ']');
}

static void
put_range(wri_liner *l, int64_t offset, int64_t fetch)
{
    wr_text_printf(l->out, "%soffset=[%lld], fetch=[", l->any ? ", " : "", (long long)offset);
    if (fetch < 0)
        wr_text_puts(l->out, "unlimited]");
    else
        wr_text_printf(l->out, "%lld]", (long long)fetch);
    l->any = true;
}

static void
put_strategy(wri_liner *l)
{
    const wr_pnode *n = l->n;
    wri_attr(l, "strategy");
    switch ((wr_rank_strategy)n->u.sort.strategy) {
    case WR_RANK_APPEND_FAST:
        wr_text_puts(l->out, "AppendFastStrategy");
        break;
    case WR_RANK_UPDATE_FAST:
        wr_text_puts(l->out, "UpdateFastStrategy[");
        for (uint32_t i = 0; i < n->u.sort.sort_upsert_key_count; i++)
            wr_text_printf(l->out, "%s%u", i ? "," : "", n->u.sort.sort_upsert_key[i]);
        wr_text_putc(l->out, ']');
        break;
    case WR_RANK_RETRACT:
        wr_text_puts(l->out, "RetractStrategy");
        break;
    case WR_RANK_UNDEFINED:
        wr_text_puts(l->out, "UndefinedStrategy");
        break;
    }
    wr_text_putc(l->out, ']');
}

static void
label_sorted(wri_liner *l)
{
    const wr_pnode *n = l->n;
    if (n->kind != WR_P_LIMIT) put_order(l);
    if (n->kind == WR_P_SORT) return;
    if (n->kind == WR_P_LIMIT)
        put_range(l, n->u.limit.offset, n->u.limit.fetch);
    else
        put_range(l, n->u.sort.offset, n->u.sort.fetch);
    bool local = n->kind == WR_P_LIMIT ? n->u.limit.local : n->u.sort.local;
    if (l->env->batch)
        wr_text_printf(l->out, ", global=[%s]", local ? "false" : "true");
    else if (n->kind == WR_P_SORT_LIMIT)
        put_strategy(l);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static void
label_exchange(wri_liner *l)
{
    static const char *const names[] = {"any",    "forward",   "hash",
                                        "single", "broadcast", "rebalance"};
    const wr_pnode *n = l->n;
    wri_attr(l, "distribution");
    wr_text_puts(l->out, names[n->u.exchange.dist]);
    if (n->u.exchange.dist == WR_DIST_HASH) {
        wr_text_putc(l->out, '[');
        wri_put_cols(l->out, &n->schema, n->u.exchange.keys, n->u.exchange.key_count);
        wr_text_putc(l->out, ']');
    }
    wr_text_putc(l->out, ']');
}

static void
label_bundle(wri_liner *l)
{
    wr_text_printf(l->out, "interval=[%lldms], mode=[%s]", (long long)l->n->u.bundle.interval_ms,
                   l->n->u.bundle.rowtime ? "RowTime" : "ProcTime");
}

static void
label_sink(wri_liner *l)
{
    static const char *const conflicts[] = {"", "NOTHING", "ERROR", "DEDUPLICATE"};
    const wr_pnode *n = l->n;
    wri_attr(l, "table");
    wri_put_table(l->out, &n->u.sink.spec.table->id, ".");
    wr_text_putc(l->out, ']');
    if (n->u.sink.target) wri_put_target(l, n->u.sink.target, n->u.sink.target_count);
    wri_attr(l, "fields");
    wri_put_fields(l->out, &n->schema, ", ");
    wr_text_putc(l->out, ']');
    if (n->inputs[0]->kind == WR_P_SINK_MATERIALIZE)
        wr_text_puts(l->out, ", upsertMaterialize=[true]");
    if (n->u.sink.on_conflict != WR_CONFLICT_NONE && !l->env->batch)
        wr_text_printf(l->out, ", conflictStrategy=[%s]", conflicts[n->u.sink.on_conflict]);
}

/* targetColumns=[[1],[0]] */
void
wri_put_target(wri_liner *l, const uint32_t *cols, uint32_t count)
{
    wri_attr(l, "targetColumns");
    for (uint32_t i = 0; i < count; i++) wr_text_printf(l->out, "%s[%u]", i ? "," : "", cols[i]);
    wr_text_putc(l->out, ']');
}

static void
label_watermark(wri_liner *l)
{
    wri_attr(l, "rowtime");
    wr_text_printf(l->out, "%.*s], watermark=[",
                   WR_STR_ARG(l->n->schema.fields[l->n->u.watermark.col].name));
    wr_expr_print(l->n->u.watermark.expr, l->exprs, l->n->inputs[0]->schema.fields, l->out);
    wr_text_putc(l->out, ']');
}

/* $UNNEST_ROWS$1($cor0.arr): UNNEST reads a field of the row it is joined with. */
static void
put_invocation(wri_liner *l, bool named)
{
    const wr_expr *call = l->n->u.correlate.call;
    const wr_field *in = l->n->inputs[0]->schema.fields;
    bool unnest = strstr(call->fn->name, "UNNEST") != NULL;
    wr_text_printf(l->out, "%s(", call->fn->name);
    for (uint32_t i = 0; i < call->arg_count; i++) {
        const wr_expr *e = call->args[i];
        if (i) wr_text_puts(l->out, named ? "," : ", ");
        if (unnest && e->kind == WR_EX_COLUMN)
            wr_text_printf(l->out, "$cor0.%.*s", WR_STR_ARG(in[e->index].name));
        else
            wr_expr_print(e, WR_EXPR_PREFIX, named ? in : NULL, l->out);
    }
    wr_text_putc(l->out, ')');
}

typedef struct shift {
    uint32_t by;
    bool whole; /* all columns are at `by` or behind */
} shift;

static void
shift_column(void *arg, uint32_t *index)
{
    shift *s = arg;
    if (*index < s->by)
        s->whole = false;
    else
        *index -= s->by;
}

/* A condition on the function's row alone counts its columns from there. */
static void
put_function_condition(wri_liner *l)
{
    const wr_pnode *n = l->n;
    shift s = {n->inputs[0]->schema.count, true};
    const wr_expr *cond = wr_expr_simplify(l->out->arena, n->u.correlate.cond, true);
    const wr_expr *own = wr_expr_map_columns(l->out->arena, cond, shift_column, &s);
    if (!own || !s.whole) {
        put_condition(l, "condition", cond, n->schema.fields);
        return;
    }
    wri_attr(l, "condition");
    wr_expr_print(own, WR_EXPR_PREFIX, NULL, l->out);
    wr_text_putc(l->out, ']');
}

static void
label_correlate(wri_liner *l)
{
    const wr_pnode *n = l->n;
    wri_attr(l, "invocation");
    put_invocation(l, false);
    wr_text_puts(l->out, "], correlate=[table(");
    put_invocation(l, true);
    wr_text_puts(l->out, ")], select=[");
    wri_put_fields(l->out, &n->schema, ",");
    wr_text_puts(l->out, "], rowType=[");
    wri_put_record_type(l->out, &n->schema);
    wr_text_printf(l->out, "], joinType=[%s]",
                   n->u.correlate.type == WR_JOIN_LEFT ? "LEFT" : "INNER");
    l->any = true;
    if (n->u.correlate.cond) put_function_condition(l);
}

static void
label_normalize(wri_liner *l)
{
    const wr_pnode *n = l->n;
    wri_attr(l, "key");
    wri_put_cols(l->out, &n->schema, n->u.normalize.keys, n->u.normalize.key_count);
    wr_text_putc(l->out, ']');
    if (n->u.normalize.cond)
        put_condition(l, "condition", n->u.normalize.cond, n->inputs[0]->schema.fields);
}

static void
label_union(wri_liner *l)
{
    wr_text_puts(l->out, "all=[true], union=[");
    wri_put_fields(l->out, &l->n->schema, ", ");
    wr_text_putc(l->out, ']');
}

static void
label_materialize(wri_liner *l)
{
    const wr_pnode *n = l->n;
    wri_attr(l, "key");
    wri_put_cols(l->out, &n->schema, n->u.materialize.keys, n->u.materialize.key_count);
    wr_text_putc(l->out, ']');
}

static void
put_attributes(wri_liner *l)
{
    const wr_pnode *n = l->n;
    switch ((wr_pkind)n->kind) {
    case WR_P_SCAN:
    case WR_P_VALUES:
        (n->kind == WR_P_SCAN ? label_scan : label_values)(l);
        break;
    case WR_P_CALC:
        label_calc(l);
        break;
    case WR_P_WATERMARK:
        label_watermark(l);
        break;
    case WR_P_MINI_BATCH:
    case WR_P_EXCHANGE:
        (n->kind == WR_P_EXCHANGE ? label_exchange : label_bundle)(l);
        break;
    case WR_P_UNION:
        label_union(l);
        break;
    case WR_P_LIMIT:
    case WR_P_SORT:
    case WR_P_SORT_LIMIT:
        label_sorted(l);
        break;
    case WR_P_GROUP_AGG:
    case WR_P_HASH_AGG:
        wri_label_agg(l);
        break;
    case WR_P_WINDOW_TVF:
    case WR_P_WINDOW_AGG:
        wri_label_window(l);
        break;
    case WR_P_JOIN:
    case WR_P_HASH_JOIN:
    case WR_P_NESTED_LOOP_JOIN:
    case WR_P_INTERVAL_JOIN:
    case WR_P_TEMPORAL_JOIN:
    case WR_P_WINDOW_JOIN:
        label_join(l);
        break;
    case WR_P_MULTI_JOIN:
    case WR_P_LOOKUP_JOIN:
        (n->kind == WR_P_MULTI_JOIN ? wri_label_multi : wri_label_lookup)(l);
        break;
    case WR_P_CORRELATE:
        label_correlate(l);
        break;
    case WR_P_EXPAND:
        label_expand(l);
        break;
    case WR_P_CHANGELOG_NORMALIZE:
    case WR_P_SINK_MATERIALIZE:
        (n->kind == WR_P_SINK_MATERIALIZE ? label_materialize : label_normalize)(l);
        break;
    case WR_P_SINK:
        label_sink(l);
        break;
    case WR_P_MATCH:
    case WR_P_CHANGELOG:
        (n->kind == WR_P_MATCH ? wri_label_match : wri_label_changelog)(l);
        break;
    case WR_P_OVER_AGG:
    case WR_P_RANK:
    case WR_P_DEDUPLICATE:
        wri_label_over(l);
        break;
    case WR_P_WINDOW_RANK:
    case WR_P_WINDOW_DEDUPLICATE:
        wri_label_window_rank(l);
        break;
    case WR_P_DROP_UPDATE_BEFORE:
    case WR_P_COLLECT:
    case WR_P_COUNT:
        return;
    }
    l->any = true;
}

const char *
wri_node_name(const wr_pnode *n, wr_expr_style style)
{
    const bool temporal = n->kind == WR_P_SORT && n->u.sort.temporal;
    const bool ranks = n->kind == WR_P_DEDUPLICATE && style == WR_EXPR_PREFIX;
    const bool adaptive = style == WR_EXPR_INFIX && is_adaptive(n);
    return temporal                     ? "TemporalSort"
           : n->kind == WR_P_GROUP_AGG  ? wri_group_agg_name(n)
           : n->kind == WR_P_HASH_AGG   ? wri_batch_agg_name(n)
           : n->kind == WR_P_WINDOW_AGG ? wri_window_agg_name(n)
           : adaptive                   ? "AdaptiveJoin"
           : is_merged(n)               ? "SortMergeJoin"
           : ranks                      ? "Rank"
                                        : wr_pkind_name((wr_pkind)n->kind);
}

wr_status
wri_label(wr_ctx *ctx, const wr_plan_env *env, const wr_pnode *n, wr_expr_style style, wr_str first,
          wr_str last, wr_text *out)
{
    wri_liner l = {.out = out, .env = env, .n = n, .style = style, .exprs = style};
    if (env->batch && style == WR_EXPR_PREFIX) l.exprs = WR_EXPR_PLAIN;
    bool bare = n->kind == WR_P_DROP_UPDATE_BEFORE || n->kind == WR_P_COLLECT;
    (void)ctx;
    wr_text_puts(out, wri_node_name(n, style));
    if (bare && first.len == 0 && last.len == 0) return WR_OK;
    wr_text_putc(out, '(');
    if (first.len) wr_text_printf(out, "%.*s%s", WR_STR_ARG(first), bare ? "" : ", ");
    put_attributes(&l);
    if (last.len)
        wr_text_printf(out, "%s%.*s", l.any || (bare && first.len) ? ", " : "", WR_STR_ARG(last));
    wr_text_putc(out, ')');
    return WR_OK;
}
