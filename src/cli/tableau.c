/* SPDX-License-Identifier: Apache-2.0 */
/* Tables in frames, as Flink's SQL client prints them in tableau mode: right-aligned cells, one
 * space of padding. A changelog has a column `op` and widths by type, so that rows can be printed
 * as they come; final rows have widths by content. */
#include "cli/output.h"

#define OP_WIDTH  2
#define NULL_TEXT "<NULL>"
#define SMALLEST  6 /* "<NULL>" always fits */

static uint32_t
type_width(const wr_type *t, uint32_t max)
{
    int p = t->precision;
    switch ((int)t->id) {
    case WR_T_TINYINT:
        return 4;
    case WR_T_SMALLINT:
        return 6;
    case WR_T_INT:
        return 11;
    case WR_T_BIGINT:
        return 20;
    case WR_T_DECIMAL:
        return (uint32_t)p + 2;
    case WR_T_BOOLEAN:
        return 5;
    case WR_T_DATE:
        return 10;
    case WR_T_TIME:
        return p == 0 ? 8 : (uint32_t)p + 9;
    case WR_T_TIMESTAMP:
    case WR_T_TIMESTAMP_LTZ:
        return p == 0 ? 19 : p <= 3 ? 23 : p <= 6 ? 26 : 29;
    default:
        return max;
    }
}

static void
put_spaces(wr_text *t, uint32_t n)
{
    while (n--) wr_text_putc(t, ' ');
}

/* Cut to `width` columns with "..." at the end when too long. */
static void
put_cell(wr_text *t, wr_str s, uint32_t width)
{
    uint32_t w = wri_flink_width(s);
    wr_text_putc(t, ' ');
    if (w <= width) {
        put_spaces(t, width - w);
        wr_text_put(t, s.ptr, s.len);
    } else {
        uint32_t taken = 0;
        const char *p = s.ptr, *end = s.ptr + s.len, *cut = p;
        while (p < end) {
            uint32_t cw = wri_flink_char_width(wr_utf8_next(&p, end));
            if (taken + cw > width - 3) break;
            taken += cw;
            cut = p;
        }
        put_spaces(t, width - 3 - taken);
        wr_text_put(t, s.ptr, (size_t)(cut - s.ptr));
        wr_text_puts(t, "...");
    }
    wr_text_puts(t, " |");
}

static void
put_border(wri_output *o, bool with_op)
{
    wr_text *t = &o->text;
    wr_text_putc(t, '+');
    for (uint32_t i = 0; with_op && i < OP_WIDTH + 2; i++) wr_text_putc(t, '-');
    if (with_op) wr_text_putc(t, '+');
    for (uint32_t c = 0; c < o->head.schema.count; c++) {
        for (uint32_t i = 0; i < o->widths[c] + 2; i++) wr_text_putc(t, '-');
        wr_text_putc(t, '+');
    }
    wr_text_putc(t, '\n');
}

static void
put_names(wri_output *o, bool with_op)
{
    wr_text_putc(&o->text, '|');
    if (with_op) wr_text_puts(&o->text, " op |");
    for (uint32_t c = 0; c < o->head.schema.count; c++)
        put_cell(&o->text, o->head.schema.fields[c].name, o->widths[c]);
    wr_text_putc(&o->text, '\n');
}

static void
put_row(wri_output *o, const wri_row *row, bool with_op, bool blank_null)
{
    wr_text_putc(&o->text, '|');
    if (with_op) wr_text_printf(&o->text, " %s |", wr_kind_name((wr_kind)row->kind));
    for (uint32_t c = 0; c < o->head.schema.count; c++) {
        wr_str cell = row->cells[c];
        if (!cell.ptr) cell = blank_null ? WR_STR("") : WR_STR(NULL_TEXT);
        put_cell(&o->text, cell, o->widths[c]);
    }
    wr_text_putc(&o->text, '\n');
}

static void
put_time_cost(wri_output *o)
{
    if (!o->time_cost) return;
    double seconds = (double)(wr_os_now_ns() - o->started_ns) / 1e9;
    wr_text_printf(&o->text, " (%.2f seconds)", seconds);
}

/* ---- a changelog ----------------------------------------------------------------------------- */

void
wri_tableau_begin(wri_output *o)
{
    o->widths = WR_NEW_N(o->arena, uint32_t, o->head.schema.count + 1);
    if (!o->widths) {
        o->text.failed = true;
        return;
    }
    for (uint32_t c = 0; c < o->head.schema.count; c++) {
        const wr_field *f = &o->head.schema.fields[c];
        o->widths[c] =
            WR_MAX(WR_MAX(type_width(f->type, o->width_max), wri_utf16_length(f->name)), SMALLEST);
    }
    put_border(o, true);
    put_names(o, true);
    put_border(o, true);
}

void
wri_tableau_row(wri_output *o, const wri_row *row)
{
    put_row(o, row, true, false);
}

void
wri_tableau_end(wri_output *o)
{
    if (o->rows) put_border(o, true);
    wr_text_printf(&o->text, "Received a total of %llu %s", (unsigned long long)o->rows,
                   o->rows == 1 ? "row" : "rows");
    put_time_cost(o);
    wr_text_putc(&o->text, '\n');
}

/* ---- final rows ------------------------------------------------------------------------------ */

/* Names count as well, and are cut as well. What a statement tells (SHOW, DESCRIBE) is shown in
 * full width, as Flink's client does: table.display.max-column-width is for queries. */
static uint32_t
kept_width(const wri_output *o, uint32_t col, bool blank_null)
{
    uint32_t w = wri_flink_width(o->head.schema.fields[col].name);
    for (uint32_t r = 0; r < o->kept.rows.count; r++) {
        if (o->kept.rows.items[r].dead) continue;
        wr_str cell = o->kept.rows.items[r].cells[col];
        uint32_t cw = cell.ptr ? wri_flink_width(cell) : blank_null ? 0 : SMALLEST;
        w = WR_MAX(w, cw);
    }
    return blank_null ? w : WR_MIN(w, o->width_max);
}

void
wri_tableau_kept(wri_output *o, bool blank_null)
{
    const wri_kept *k = &o->kept;
    if (k->live == 0) {
        wr_text_puts(&o->text, "Empty set");
        put_time_cost(o);
        wr_text_putc(&o->text, '\n');
        return;
    }
    o->widths = WR_NEW_N(o->arena, uint32_t, o->head.schema.count + 1);
    if (!o->widths) {
        o->text.failed = true;
        return;
    }
    for (uint32_t c = 0; c < o->head.schema.count; c++) o->widths[c] = kept_width(o, c, blank_null);
    put_border(o, false);
    put_names(o, false);
    put_border(o, false);
    for (uint32_t r = 0; r < k->rows.count; r++)
        if (!k->rows.items[r].dead) put_row(o, &k->rows.items[r], false, blank_null);
    put_border(o, false);
    wr_text_printf(&o->text, "%u %s in set", k->live, k->live == 1 ? "row" : "rows");
    put_time_cost(o);
    wr_text_putc(&o->text, '\n');
}
