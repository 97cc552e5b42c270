/* SPDX-License-Identifier: Apache-2.0 */
/* Values as JSON: what --format jsonl writes. Numbers, booleans, arrays, maps and rows are JSON's
 * own; everything else is a string with the text that the other formats show. */
#include "cli/output.h"
#include "types/datetime.h"
#include "vec/cast.h"

void
wri_json_string(wr_text *out, wr_str s)
{
    wr_text_putc(out, '"');
    size_t from = 0;
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if (c >= 0x20 && c != '"' && c != '\\') continue;
        wr_text_put(out, s.ptr + from, i - from);
        from = i + 1;
        if (c == '"' || c == '\\')
            wr_text_printf(out, "\\%c", c);
        else if (c == '\n')
            wr_text_puts(out, "\\n");
        else if (c == '\t')
            wr_text_puts(out, "\\t");
        else if (c == '\r')
            wr_text_puts(out, "\\r");
        else
            wr_text_printf(out, "\\u%04x", c);
    }
    wr_text_put(out, s.ptr + from, s.len - from);
    wr_text_putc(out, '"');
}

/* NaN and the infinities are no JSON numbers. */
static bool
is_number(const wr_type *t, wr_str text)
{
    if (!wr_type_is_numeric(t)) return false;
    return text.len && (text.ptr[0] == '-' || (text.ptr[0] >= '0' && text.ptr[0] <= '9')) &&
           text.ptr[text.len - 1] != 'y'; /* -Infinity */
}

static void
put_scalar(wr_text *out, const wr_vec *v, uint32_t row, const wr_tz *tz)
{
    wr_text t;
    wr_text_init(&t, out->arena);
    wr_value_display(v, row, tz, &t);
    out->failed |= t.failed;
    wr_str text = wr_text_str(&t);
    if (v->type->id == WR_T_BOOLEAN)
        wr_text_puts(out, text.ptr[0] == 'T' ? "true" : "false");
    else if (v->type->id == WR_T_VARIANT || is_number(v->type, text))
        wr_text_put(out, text.ptr, text.len);
    else
        wri_json_string(out, text);
}

/* A key of a map is a string in JSON, whatever it was. */
static void
put_key(wr_text *out, const wr_vec *v, uint32_t row, const wr_tz *tz)
{
    wr_text t;
    wr_text_init(&t, out->arena);
    if (wr_vec_is_null(v, row))
        wr_text_puts(&t, "null");
    else
        wr_value_display(v, row, tz, &t);
    out->failed |= t.failed;
    wri_json_string(out, wr_text_str(&t));
    wr_text_putc(out, ':');
}

void
wri_json_value(wr_text *out, const wr_vec *v, uint32_t row, const wr_tz *tz)
{
    if (wr_vec_is_null(v, row)) {
        wr_text_puts(out, "null");
        return;
    }
    const uint32_t entry = wr_vec_index(v, row);
    if (v->phys == WR_PHYS_ROW) {
        for (uint32_t c = 0; c < v->child_count; c++) {
            wr_text_putc(out, c ? ',' : '{');
            wri_json_string(out, v->type->fields[c].name);
            wr_text_putc(out, ':');
            wri_json_value(out, &v->child[c], entry, tz);
        }
        wr_text_puts(out, v->child_count ? "}" : "{}");
    } else if (v->phys == WR_PHYS_LIST || v->phys == WR_PHYS_MAP) {
        const wr_list l = ((const wr_list *)v->data)[entry];
        const bool map = v->phys == WR_PHYS_MAP;
        wr_text_putc(out, map ? '{' : '[');
        for (uint32_t i = 0; i < l.len; i++) {
            if (i) wr_text_putc(out, ',');
            if (map) put_key(out, &v->child[0], l.off + i, tz);
            wri_json_value(out, &v->child[map], l.off + i, tz);
        }
        wr_text_putc(out, map ? '}' : ']');
    } else {
        put_scalar(out, v, row, tz);
    }
}
