/* SPDX-License-Identifier: Apache-2.0 */
/* Types as text: the three forms in which Flink shows them, and the validator's own. Intervals
 * print as the planner keeps them (INTERVAL MONTH, INTERVAL SECOND(3)) except in the validator's
 * form, where the qualifier appears as written. */
#include "types/types.h"

static const char *const root_names[WR_T_COUNT] = {
#define X(id, name, phys, fam) [WR_T_##id] = name,
#include "types/types.def"
#undef X
};

static const char *
unit_name(uint8_t u)
{
    static const char *const names[] = {
        [WR_UNIT_NONE] = "",
        [WR_UNIT_YEAR] = "YEAR",
        [WR_UNIT_QUARTER] = "QUARTER",
        [WR_UNIT_MONTH] = "MONTH",
        [WR_UNIT_WEEK] = "WEEK",
        [WR_UNIT_DAY] = "DAY",
        [WR_UNIT_HOUR] = "HOUR",
        [WR_UNIT_MINUTE] = "MINUTE",
        [WR_UNIT_SECOND] = "SECOND",
        [WR_UNIT_MILLISECOND] = "MILLISECOND",
        [WR_UNIT_MICROSECOND] = "MICROSECOND",
        [WR_UNIT_NANOSECOND] = "NANOSECOND",
        [WR_UNIT_EPOCH] = "EPOCH",
        [WR_UNIT_DOY] = "DOY",
        [WR_UNIT_DOW] = "DOW",
        [WR_UNIT_ISODOW] = "ISODOW",
        [WR_UNIT_ISOYEAR] = "ISOYEAR",
        [WR_UNIT_DECADE] = "DECADE",
        [WR_UNIT_CENTURY] = "CENTURY",
        [WR_UNIT_MILLENNIUM] = "MILLENNIUM",
    };
    return u < WR_COUNT(names) ? names[u] : "";
}

/* `text` between two `quote`s, quotes inside doubled. */
static void
put_quoted(wr_text *out, wr_str text, char quote)
{
    wr_text_putc(out, quote);
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == quote) wr_text_putc(out, quote);
        wr_text_putc(out, text.ptr[i]);
    }
    wr_text_putc(out, quote);
}

static void print_type(const wr_type *t, wr_type_style style, wr_text *out);
static void print_root(const wr_type *t, wr_type_style style, wr_text *out);

/* "`a` INT, `b` STRING 'comment'" */
static void
print_named_fields(const wr_type *t, wr_type_style style, wr_text *out)
{
    for (uint32_t i = 0; i < t->field_count; i++) {
        const wr_field *f = &t->fields[i];
        if (i) wr_text_puts(out, ", ");
        put_quoted(out, f->name, '`');
        wr_text_putc(out, ' ');
        print_type(f->type, style, out);
        if (f->comment.len) {
            wr_text_putc(out, ' ');
            put_quoted(out, f->comment, '\'');
        }
    }
}

/* The validator's form of what differs from Flink's. */
static void
print_calcite(const wr_type *t, wr_text *out)
{
    switch (t->id) {
    case WR_T_INT:
        wr_text_puts(out, "INTEGER");
        return;
    case WR_T_TIMESTAMP_LTZ:
        wr_text_printf(out, "TIMESTAMP_WITH_LOCAL_TIME_ZONE(%d)", t->precision);
        return;
    case WR_T_ARRAY:
    case WR_T_MULTISET:
        print_calcite(t->fields[0].type, out);
        wr_text_puts(out, t->id == WR_T_ARRAY ? " ARRAY" : " MULTISET");
        return;
    case WR_T_MAP:
        wr_text_putc(out, '(');
        print_calcite(t->fields[0].type, out);
        wr_text_puts(out, ", ");
        print_calcite(t->fields[1].type, out);
        wr_text_puts(out, ") MAP");
        return;
    case WR_T_ROW:
        wr_text_puts(out, "RecordType:peek_no_expand(");
        for (uint32_t i = 0; i < t->field_count; i++) {
            if (i) wr_text_puts(out, ", ");
            print_calcite(t->fields[i].type, out);
            wr_text_putc(out, ' ');
            wr_text_put(out, t->fields[i].name.ptr, t->fields[i].name.len);
        }
        wr_text_putc(out, ')');
        return;
    case WR_T_STRUCTURED:
        wr_text_puts(out, "STRUCTURED<");
        put_quoted(out, t->class_name, '\'');
        wr_text_puts(out, t->field_count ? ", " : "");
        print_named_fields(t, WR_TYPE_SUMMARY, out);
        wr_text_putc(out, '>');
        return;
    case WR_T_INTERVAL_YM:
    case WR_T_INTERVAL_DT:
        wr_text_printf(out, "INTERVAL %s", unit_name(t->unit_from));
        if (t->precision != 2 && t->precision != 0) wr_text_printf(out, "(%d)", t->precision);
        if (t->unit_to != t->unit_from) wr_text_printf(out, " TO %s", unit_name(t->unit_to));
        if (t->id == WR_T_INTERVAL_DT && t->unit_to == WR_UNIT_SECOND && t->scale != 6 &&
            t->unit_to != t->unit_from)
            wr_text_printf(out, "(%d)", t->scale);
        return;
    case WR_T_VARCHAR:
    case WR_T_VARBINARY:
        wr_text_printf(out, "%s(%d)", root_names[t->id], t->length);
        return;
    default:
        print_root(t, WR_TYPE_SUMMARY, out);
        return;
    }
}

/* The root with its parameters, Flink's way; no nullability. */
static void
print_root(const wr_type *t, wr_type_style style, wr_text *out)
{
    const bool summary = style != WR_TYPE_SERIALIZABLE;
    const char *name = root_names[t->id];
    switch ((wr_type_id)t->id) {
    case WR_T_VARCHAR:
    case WR_T_VARBINARY:
        if (summary && t->length == WR_CHAR_LENGTH_MAX)
            wr_text_puts(out, t->id == WR_T_VARCHAR ? "STRING" : "BYTES");
        else
            wr_text_printf(out, "%s(%d)", name, t->length);
        return;
    case WR_T_CHAR:
    case WR_T_BINARY:
        wr_text_printf(out, "%s(%d)", name, t->length);
        return;
    case WR_T_DECIMAL:
        wr_text_printf(out, "DECIMAL(%d, %d)", t->precision, t->scale);
        return;
    case WR_T_TIME:
    case WR_T_TIMESTAMP:
    case WR_T_TIMESTAMP_LTZ: {
        const bool ltz = t->id == WR_T_TIMESTAMP_LTZ && !summary;
        wr_text_printf(out, "%s(%d)%s", ltz ? "TIMESTAMP" : name, t->precision,
                       ltz ? " WITH LOCAL TIME ZONE" : "");
        return;
    }
    case WR_T_INTERVAL_YM:
        wr_text_puts(out, "INTERVAL MONTH");
        return;
    case WR_T_INTERVAL_DT:
        wr_text_puts(out, "INTERVAL SECOND(3)");
        return;
    case WR_T_ARRAY:
    case WR_T_MULTISET:
    case WR_T_MAP:
        wr_text_printf(out, "%s<", name);
        for (uint32_t i = 0; i < t->field_count; i++) {
            if (i) wr_text_puts(out, ", ");
            print_type(t->fields[i].type, style, out);
        }
        wr_text_putc(out, '>');
        return;
    case WR_T_ROW:
    case WR_T_STRUCTURED:
        wr_text_printf(out, "%s<", name);
        if (t->id == WR_T_STRUCTURED) {
            put_quoted(out, t->class_name, '\'');
            if (t->field_count) wr_text_puts(out, ", ");
        }
        print_named_fields(t, style, out);
        wr_text_putc(out, '>');
        return;
    case WR_T_RAW:
        wr_text_puts(out, "RAW(");
        put_quoted(out, t->class_name, '\'');
        wr_text_puts(out, ", ...)");
        return;
    case WR_T_NULL:
    case WR_T_BOOLEAN:
    case WR_T_TINYINT:
    case WR_T_SMALLINT:
    case WR_T_INT:
    case WR_T_BIGINT:
    case WR_T_FLOAT:
    case WR_T_DOUBLE:
    case WR_T_DATE:
    case WR_T_VARIANT:
    case WR_T_BITMAP:
    case WR_T_DESCRIPTOR:
    case WR_T_SYMBOL:
    case WR_T_COUNT:
        wr_text_puts(out, name);
        return;
    }
}

/* A nested type: always with its NOT NULL, never with a time attribute's mark in SHOW CREATE. */
static void
print_type(const wr_type *t, wr_type_style style, wr_text *out)
{
    print_root(t, style, out);
    if (!t->nullable) wr_text_puts(out, " NOT NULL");
}

void
wr_type_print(const wr_type *t, wr_type_style style, wr_text *out)
{
    if (style == WR_TYPE_CALCITE && t->attr == WR_ATTR_NONE) {
        print_calcite(t, out);
        return;
    }
    if (style == WR_TYPE_CALCITE)
        style = WR_TYPE_NO_NULL; /* the validator knows them by Flink's name */
    const wr_type_style inner = style == WR_TYPE_SERIALIZABLE ? style : WR_TYPE_SUMMARY;
    print_root(t, inner, out);
    if (!t->nullable && style != WR_TYPE_NO_NULL) wr_text_puts(out, " NOT NULL");
    if (style == WR_TYPE_SERIALIZABLE) return;
    if (t->attr == WR_ATTR_ROWTIME) wr_text_puts(out, " *ROWTIME*");
    if (t->attr == WR_ATTR_PROCTIME) wr_text_puts(out, " *PROCTIME*");
}

wr_str
wr_type_str(const wr_type *t, wr_type_style style, wr_arena *a)
{
    wr_text text;
    wr_text_init(&text, a);
    wr_type_print(t, style, &text);
    return wr_text_str(&text);
}
