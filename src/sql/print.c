/* SPDX-License-Identifier: Apache-2.0 */
/* The printer's entry points and the small things all of it uses. */
#include "sql/print_int.h"

void
wri_put(wri_printer *o, const char *c)
{
    wr_text_puts(o->text, c);
}

void
wri_put_str(wri_printer *o, wr_str s)
{
    wr_text_put(o->text, s.ptr, s.len);
}

void
wri_newline(wri_printer *o)
{
    wr_text_putc(o->text, o->one_line ? ' ' : '\n');
}

void
wri_put_name(wri_printer *o, wr_str name)
{
    wr_sql_ident_print(name, o->text);
}

void
wri_put_parts(wri_printer *o, const wr_ast_parts *parts)
{
    for (uint32_t i = 0; i < parts->count; i++) {
        if (i > 0) wri_put(o, ", ");
        wri_put_name(o, parts->items[i].name);
    }
}

void
wri_put_quoted(wri_printer *o, wr_str value)
{
    wr_text_putc(o->text, '\'');
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] == '\'') wr_text_putc(o->text, '\'');
        wr_text_putc(o->text, value.ptr[i]);
    }
    wr_text_putc(o->text, '\'');
}

void
wri_put_literal_text(wri_printer *o, const wr_ast *literal)
{
    wri_put_quoted(o, ((const wr_ast_literal *)literal)->text);
}

void
wri_put_list(wri_printer *o, const wr_ast_list *list, const char *separator)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (i > 0) wri_put(o, separator);
        wri_print_node(o, list->items[i]);
    }
}

void
wri_put_interval(wri_printer *o, const wr_ast_interval *q)
{
    wri_put(o, wr_sql_unit_name(q->from));
    if (q->precision >= 0) {
        wr_text_printf(o->text, "(%d", (int)q->precision);
        if (q->fraction >= 0 && q->to == WR_SQL_UNIT_NONE)
            wr_text_printf(o->text, ", %d", (int)q->fraction);
        wri_put(o, ")");
    }
    if (q->to == WR_SQL_UNIT_NONE) return;
    wri_put(o, " TO ");
    wri_put(o, wr_sql_unit_name(q->to));
    if (q->fraction >= 0) wr_text_printf(o->text, "(%d)", (int)q->fraction);
}

/* ('k' = 'v', ...), in one line or one option a line */
void
wri_put_option_block(wri_printer *o, const wr_ast_list *options, bool break_lines)
{
    wri_put(o, "(");
    for (uint32_t i = 0; i < options->count; i++) {
        const wr_ast_option *option = WR_AST_AS(wr_ast_option, WR_AST_OPTION, options->items[i]);
        if (break_lines) {
            wri_put(o, i > 0 ? "," : "");
            wri_newline(o);
            wri_put(o, "  ");
        } else if (i > 0) {
            wri_put(o, ", ");
        }
        wri_put_quoted(o, option->key);
        wri_put(o, " = ");
        wri_put_quoted(o, option->value);
    }
    if (break_lines) wri_newline(o);
    wri_put(o, ")");
}

/* ---- the public face ------------------------------------------------------------------------- */
void
wr_sql_ident_print(wr_str name, wr_text *text)
{
    wr_text_putc(text, '`');
    for (size_t i = 0; i < name.len; i++) {
        if (name.ptr[i] == '`') wr_text_putc(text, '`');
        wr_text_putc(text, name.ptr[i]);
    }
    wr_text_putc(text, '`');
}

static bool
is_plain(wr_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (((unsigned char)s.ptr[i] < 0x20 && s.ptr[i] != '\n' && s.ptr[i] != '\r') ||
            (unsigned char)s.ptr[i] >= 0x80)
            return false;
    return true;
}

static void
put_utf16(wr_text *text, uint32_t cp)
{
    if (cp >= 0x10000) {
        put_utf16(text, 0xd800 + ((cp - 0x10000) >> 10));
        cp = 0xdc00 + ((cp - 0x10000) & 0x3ff);
    }
    wr_text_printf(text, "\\%04x", cp);
}

/* 'ascii', or u&'\00fcber' as Flink does */
void
wr_sql_string_print(wr_str value, wr_text *text)
{
    wri_printer o = {.text = text};
    if (is_plain(value)) {
        wri_put_quoted(&o, value);
        return;
    }
    wr_text_puts(text, "u&'");
    const char *p = value.ptr, *end = value.ptr + value.len;
    while (p < end) {
        uint32_t cp = wr_utf8_next(&p, end);
        if (cp < 0x20 || cp >= 0x80) {
            put_utf16(text, cp);
            continue;
        }
        if (cp == '\'' || cp == '\\') wr_text_putc(text, (char)cp);
        wr_text_putc(text, (char)cp);
    }
    wr_text_putc(text, '\'');
}

void
wr_sql_type_print(const wr_ast_type *type, wr_text *text)
{
    wri_printer o = {.text = text};
    wri_print_type(&o, type);
}

void
wr_sql_expr_print(const wr_ast *node, wr_text *text)
{
    wri_printer o = {.text = text, .one_line = true};
    wri_print_expr(&o, node, 0);
}

void
wr_sql_print(const wr_ast *node, wr_text *text)
{
    wri_printer o = {.text = text};
    if (wr_ast_is_query(node))
        wri_print_query(&o, node);
    else
        wri_print_node(&o, node);
}

/* Any node where a list or a statement holds it; a query comes in parentheses. */
void
wri_print_node(wri_printer *o, const wr_ast *node)
{
    switch ((unsigned)node->kind) {
    case WR_AST_TABLE_REF:
    case WR_AST_DERIVED:
    case WR_AST_TABLE_FUNC:
    case WR_AST_UNNEST:
    case WR_AST_JOIN:
    case WR_AST_PIVOT:
    case WR_AST_UNPIVOT:
    case WR_AST_MATCH:
        wri_print_table(o, node);
        return;
    case WR_AST_TYPE:
        wri_print_type(o, (const wr_ast_type *)node);
        return;
    case WR_AST_WINDOW:
        wri_print_window(o, (const wr_ast_window *)node);
        return;
    default:
        break;
    }
    if (wri_print_ddl(o, node) || wri_print_dml(o, node) || wri_print_session(o, node)) return;
    wri_print_expr(o, node, 0);
}
