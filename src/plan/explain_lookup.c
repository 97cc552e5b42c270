/* SPDX-License-Identifier: Apache-2.0 */
/* EXPLAIN lines of lookup joins:
 *
 *   LookupJoin(table=[cat.db.t], joinType=[InnerJoin], lookup=[name='x', id=a], where=[...],
 *     joinCondition=[...], select=[...], async=[...], retry=[...], shuffle=[true])
 *
 * where: what is asked of the table's rows alone, over the columns that its source gives. */
#include "plan/explain_int.h"
#include "plan/timed_join.h"

static bool
is_of_table(const wr_expr *e, uint32_t left)
{
    if (e->kind == WR_EX_COLUMN) return e->index >= left;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (!is_of_table(e->args[i], left)) return false;
    return true;
}

static bool
has_column(const wr_expr *e)
{
    bool any = e->kind == WR_EX_COLUMN;
    for (uint32_t i = 0; !any && i < e->arg_count; i++) any = has_column(e->args[i]);
    return any;
}

static void
shift(void *arg, uint32_t *index)
{
    *index -= *(const uint32_t *)arg;
}

/* The conjuncts that are (not) of the table alone; over the scan's columns, if they are. */
static wr_expr *
part(wri_liner *l, bool of_table)
{
    const wr_pnode *n = l->n, *right = n->u.join.lookup->right;
    wr_arena *a = l->out->arena;
    wr_expr *cond = n->u.join.cond, *out = NULL;
    uint32_t left = n->inputs[0]->schema.count;
    const uint32_t count = !cond ? 0 : cond->kind == WR_EX_AND ? cond->arg_count : 1;
    wr_expr **list = WR_NEW_N(a, wr_expr *, count + 2);
    uint32_t k = 0;
    wr_ctx quiet;
    if (!list) return NULL;
    if (of_table && right->kind == WR_P_CALC && right->u.calc.cond) list[k++] = right->u.calc.cond;
    for (uint32_t i = 0; i < count; i++) {
        wr_expr *e = cond->kind == WR_EX_AND ? cond->args[i] : cond;
        if ((is_of_table(e, left) && has_column(e)) != of_table) continue;
        if (of_table) e = wr_expr_map_columns(a, e, shift, &left);
        if (e && of_table && right->kind == WR_P_CALC)
            e = wr_expr_substitute(a, e, right->u.calc.exprs);
        if (e) list[k++] = e;
    }
    wr_ctx_init(&quiet);
    if (k == 0 || wr_expr_and(&quiet, a, list, k, &out) != WR_OK) return NULL;
    return out;
}

static void
put_part(wri_liner *l, const char *name, const wr_expr *e, const wr_field *names)
{
    if (!e) return;
    wri_attr(l, name);
    wr_expr_print(wr_expr_simplify(l->out->arena, e, true), l->exprs, names, l->out);
    wr_text_putc(l->out, ']');
}

static void
put_keys(wri_liner *l)
{
    const wr_pnode *n = l->n;
    const wr_lookup_spec *s = n->u.join.lookup;
    const wr_pnode *scan = s->right->kind == WR_P_CALC ? s->right->inputs[0] : s->right;
    wri_attr(l, "lookup");
    for (uint32_t i = 0; i < s->ask_count; i++) {
        wr_text_printf(l->out, "%s%.*s=", i ? ", " : "",
                       WR_STR_ARG(scan->schema.fields[s->ask_cols[i]].name));
        if (s->ask_pair[i] != WR_ASK_CONSTANT) {
            const uint32_t col = n->u.join.left_keys[s->ask_pair[i]];
            wr_text_printf(l->out, "%.*s", WR_STR_ARG(n->inputs[0]->schema.fields[col].name));
            continue;
        }
        const wr_expr *e = wr_expr_literal(l->out->arena, &s->ask_value[i], WR_NO_SPAN);
        if (e) wri_put_untyped(l->out, e);
    }
    for (uint32_t i = 0; s->ask_count == 0 && i < n->u.join.key_count; i++)
        wr_text_printf(l->out, "%s%.*s=%.*s", i ? ", " : "",
                       WR_STR_ARG(s->right->schema.fields[n->u.join.right_keys[i]].name),
                       WR_STR_ARG(n->inputs[0]->schema.fields[n->u.join.left_keys[i]].name));
    wr_text_putc(l->out, ']');
}

/* Does Flink have a calc above the table? Its sources that are asked by key give all columns. */
static bool
is_calculated(const wr_pnode *right)
{
    if (right->kind == WR_P_CALC) return true;
    const wr_table_desc *t = right->u.scan.spec.table;
    uint32_t physical = 0;
    for (uint32_t i = 0; i < t->column_count; i++)
        physical += t->columns[i].kind == WR_COL_PHYSICAL;
    return right->schema.count < physical;
}

/* Columns of a calc keep their names there, others get those of the join. */
static void
put_select(wri_liner *l)
{
    const wr_pnode *n = l->n, *right = n->u.join.lookup->right;
    const uint32_t left = n->inputs[0]->schema.count;
    const bool calculated = is_calculated(right);
    wri_attr(l, "select");
    for (uint32_t i = 0; i < n->schema.count; i++) {
        wr_str name = n->schema.fields[i].name;
        if (i) wr_text_puts(l->out, ", ");
        if (i >= left && calculated) name = right->schema.fields[i - left].name;
        if (i >= left && right->kind == WR_P_CALC) {
            const wr_expr *e = right->u.calc.exprs[i - left];
            if (e->kind != WR_EX_COLUMN) {
                wr_expr_print(e, l->exprs, right->inputs[0]->schema.fields, l->out);
                wr_text_puts(l->out, " AS ");
            }
        }
        wr_text_printf(l->out, "%.*s", WR_STR_ARG(name));
    }
    wr_text_putc(l->out, ']');
}

/* Names that joinCondition shows: those of the sides. */
static const wr_field *
side_names(const wri_liner *l)
{
    const wr_pnode *n = l->n, *right = n->u.join.lookup->right;
    const uint32_t left = n->inputs[0]->schema.count;
    wr_field *f = WR_NEW_N(l->out->arena, wr_field, n->schema.count + 1);
    if (!f) return n->schema.fields;
    for (uint32_t i = 0; i < n->schema.count; i++)
        f[i] = i < left ? n->inputs[0]->schema.fields[i] : right->schema.fields[i - left];
    return f;
}

void
wri_label_lookup(wri_liner *l)
{
    const wr_pnode *n = l->n;
    const wr_lookup_spec *s = n->u.join.lookup;
    const wr_pnode *scan = s->right->kind == WR_P_CALC ? s->right->inputs[0] : s->right;
    wri_attr(l, "table");
    wri_put_table(l->out, &scan->u.scan.spec.table->id, ".");
    wr_text_printf(l->out, "], joinType=[%s]",
                   n->u.join.type == WR_JOIN_LEFT ? "LeftOuterJoin" : "InnerJoin");
    put_keys(l);
    put_part(l, "where", part(l, true), scan->schema.fields);
    put_part(l, "joinCondition", part(l, false), side_names(l));
    put_select(l);
    const bool inserts = n->inputs[0]->changelog == WR_CL_I;
    if (s->async)
        wr_text_printf(l->out, ", async=[%s, KEY_ORDERED: %s, %lldms, %u]",
                       s->unordered && inserts ? "UNORDERED" : "ORDERED",
                       s->key_ordered && !inserts ? "true" : "false", (long long)s->timeout_ms,
                       s->capacity);
    if (s->retries)
        wr_text_printf(l->out, ", retry=[lookup_miss, FIXED_DELAY, %lldms, %u]",
                       (long long)s->retry_ms, s->retries);
    if (s->shuffle) wr_text_puts(l->out, ", shuffle=[true]");
}
