/* SPDX-License-Identifier: Apache-2.0 */
/* Data types as Flink prints them: ARRAY< INTEGER NOT NULL >, ROW< `a` INTEGER > */
#include "sql/print_int.h"

static void
put_precision(wri_printer *o, const wr_ast_type *t)
{
    if (t->precision < 0) return;
    wr_text_printf(o->text, "(%d", (int)t->precision);
    if (t->scale >= 0) wr_text_printf(o->text, ", %d", (int)t->scale);
    wri_put(o, ")");
}

static void
put_fields(wri_printer *o, const wr_ast_list *fields)
{
    for (uint32_t i = 0; i < fields->count; i++) {
        const wr_ast_type_field *f =
            WR_AST_AS(wr_ast_type_field, WR_AST_TYPE_FIELD, fields->items[i]);
        if (i > 0) wri_put(o, ", ");
        wri_put_name(o, f->name.name);
        wri_put(o, " ");
        wri_print_type(o, f->type);
        if (f->comment) {
            wri_put(o, " ");
            wri_put_literal_text(o, f->comment);
        }
    }
}

static void
put_row(wri_printer *o, const wr_ast_type *t)
{
    bool empty = t->fields.count == 0;
    wri_put(o, t->parens ? "ROW(" : empty ? "ROW<" : "ROW< ");
    put_fields(o, &t->fields);
    wri_put(o, t->parens ? ")" : empty ? ">" : " >");
}

static void
put_structured(wri_printer *o, const wr_ast_type *t)
{
    wri_put(o, "STRUCTURED< ");
    wri_put_quoted(o, t->class_name);
    if (t->fields.count > 0) wri_put(o, ", ");
    put_fields(o, &t->fields);
    wri_put(o, " >");
}

static void
put_elements(wri_printer *o, const wr_ast_type *t)
{
    if (t->postfix) {
        wri_print_type(o, t->element);
        wri_put(o, " ");
        wri_put(o, wr_sql_type_text(t->name));
        return;
    }
    wri_put(o, wr_sql_type_text(t->name));
    wri_put(o, "< ");
    if (t->key) {
        wri_print_type(o, t->key);
        wri_put(o, ", ");
    }
    wri_print_type(o, t->element);
    wri_put(o, " >");
}

static void
put_raw(wri_printer *o, const wr_ast_type *t)
{
    wri_put(o, "RAW(");
    wri_put_quoted(o, t->class_name);
    wri_put(o, ", ");
    wri_put_quoted(o, t->snapshot);
    wri_put(o, ")");
}

static void
put_simple(wri_printer *o, const wr_ast_type *t)
{
    bool local =
        t->name == WR_SQL_TN_TIME_LTZ || (t->name == WR_SQL_TN_TIMESTAMP_LTZ && t->long_form);
    wri_put(o,
            t->name == WR_SQL_TN_TIMESTAMP_LTZ && local ? "TIMESTAMP" : wr_sql_type_text(t->name));
    put_precision(o, t);
    if (local) wri_put(o, " WITH LOCAL TIME ZONE");
    if (t->charset.len > 0) {
        wri_put(o, " CHARACTER SET ");
        wri_put_name(o, t->charset);
    }
}

void
wri_print_type(wri_printer *o, const wr_ast_type *t)
{
    switch ((unsigned)t->name) {
    case WR_SQL_TN_ARRAY:
    case WR_SQL_TN_MULTISET:
    case WR_SQL_TN_MAP:
        put_elements(o, t);
        break;
    case WR_SQL_TN_ROW:
        put_row(o, t);
        break;
    case WR_SQL_TN_STRUCTURED:
        put_structured(o, t);
        break;
    case WR_SQL_TN_RAW:
        put_raw(o, t);
        break;
    case WR_SQL_TN_INTERVAL:
        wri_put(o, "INTERVAL ");
        wri_put_interval(o, &t->qual);
        break;
    case WR_SQL_TN_USER:
        wri_print_expr(o, (const wr_ast *)t->user, 0);
        break;
    default:
        put_simple(o, t);
        break;
    }
    if (t->nullability == WR_SQL_NULLABLE_NOT_NULL) wri_put(o, " NOT NULL");
}
