/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions as SQL: SHOW CREATE in Flink's layout; and the pattern of SHOW ... LIKE. */
#include "catalog/catalog_int.h"

#include "sql/sql.h"

static void
put_str(wr_text *t, wr_str s)
{
    wr_text_put(t, s.ptr, s.len);
}

static void
put_id(wr_text *t, const wr_table_id *id)
{
    wr_sql_ident_print(id->catalog, t);
    wr_text_putc(t, '.');
    wr_sql_ident_print(id->database, t);
    wr_text_putc(t, '.');
    wr_sql_ident_print(id->name, t);
}

/* 'text' with quotes doubled; other characters as they are. */
static void
put_string(wr_text *t, wr_str s)
{
    wr_text_putc(t, '\'');
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '\'') wr_text_putc(t, '\'');
        wr_text_putc(t, s.ptr[i]);
    }
    wr_text_putc(t, '\'');
}

static void
put_names(wr_text *t, const wr_str *names, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i) wr_text_puts(t, ", ");
        wr_sql_ident_print(names[i], t);
    }
}

wr_str
wr_option_shown(const wr_option *o)
{
    return wr_option_is_secret(o->key) ? WR_STR("******") : o->value;
}

/* WITH (...), sorted by key. */
static void
put_options(wr_text *t, const wr_options *o)
{
    if (o->count == 0) return;
    wr_text_puts(t, "WITH (\n");
    const wr_option *last = NULL;
    for (uint32_t n = 0; n < o->count; n++) {
        const wr_option *next = NULL; /* the least key above the last one */
        for (uint32_t i = 0; i < o->count; i++) {
            const wr_option *x = &o->items[i];
            if (last && wr_str_cmp(x->key, last->key) <= 0) continue;
            if (!next || wr_str_cmp(x->key, next->key) < 0) next = x;
        }
        if (!next) break;
        if (n) wr_text_puts(t, ",\n");
        wr_text_puts(t, "  ");
        put_string(t, next->key);
        wr_text_puts(t, " = ");
        put_string(t, wr_option_shown(next));
        last = next;
    }
    wr_text_puts(t, "\n)\n");
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void
put_column(wr_text *t, const wr_column *c)
{
    wr_text_puts(t, "  ");
    wr_sql_ident_print(c->name, t);
    wr_text_putc(t, ' ');
    if (c->kind == WR_COL_COMPUTED) {
        wr_text_puts(t, "AS ");
        put_str(t, c->expr);
    } else {
        wr_type_print(c->type, WR_TYPE_SERIALIZABLE, t);
    }
    if (c->kind == WR_COL_METADATA) {
        wr_text_puts(t, " METADATA");
        if (!wr_str_eq(c->metadata_key, c->name)) {
            wr_text_puts(t, " FROM ");
            put_string(t, c->metadata_key);
        }
        if (c->is_virtual) wr_text_puts(t, " VIRTUAL");
    }
    if (c->comment.len) {
        wr_text_puts(t, " COMMENT ");
        put_string(t, c->comment);
    }
}

static void
put_elements(wr_text *t, const wr_table_desc *d)
{
    for (uint32_t i = 0; i < d->column_count; i++) {
        if (i) wr_text_puts(t, ",\n");
        put_column(t, &d->columns[i]);
    }
    if (d->watermark_column.len) {
        wr_text_puts(t, ",\n  WATERMARK FOR ");
        wr_sql_ident_print(d->watermark_column, t);
        wr_text_puts(t, " AS ");
        put_str(t, d->watermark_expr);
    }
    if (d->primary_key_count) {
        wr_text_puts(t, ",\n  CONSTRAINT ");
        wr_sql_ident_print(d->primary_key_name, t);
        wr_text_puts(t, " PRIMARY KEY (");
        put_names(t, d->primary_key, d->primary_key_count);
        wr_text_puts(t, ") NOT ENFORCED");
    }
}

static void
put_distribution(wr_text *t, const wr_table_desc *d)
{
    if (d->distribution_kind.len == 0) return;
    wr_text_puts(t, "DISTRIBUTED ");
    if (d->distribution_column_count) {
        wr_text_puts(t, "BY ");
        if (!wr_str_eq_c(d->distribution_kind, "UNKNOWN")) put_str(t, d->distribution_kind);
        wr_text_putc(t, '(');
        put_names(t, d->distribution_columns, d->distribution_column_count);
        wr_text_putc(t, ')');
        if (d->bucket_count >= 0) wr_text_putc(t, ' ');
    }
    if (d->bucket_count >= 0) wr_text_printf(t, "INTO %d BUCKETS", d->bucket_count);
    wr_text_putc(t, '\n');
}

static void
put_comment(wr_text *t, bool has, wr_str comment)
{
    if (!has || comment.len == 0) return;
    wr_text_puts(t, "COMMENT ");
    put_string(t, comment);
    wr_text_putc(t, '\n');
}

static void
put_view(wr_text *t, const wr_table_desc *d)
{
    wr_text_puts(t, d->temporary ? "CREATE TEMPORARY VIEW " : "CREATE VIEW ");
    put_id(t, &d->id);
    wr_text_puts(t, " (\n");
    for (uint32_t i = 0; i < d->column_count; i++) {
        wr_text_puts(t, i ? ",\n  " : "  ");
        wr_sql_ident_print(d->columns[i].name, t);
    }
    wr_text_puts(t, "\n)\n");
    put_comment(t, d->has_comment, d->comment);
    wr_text_puts(t, "AS ");
    put_str(t, d->view_expanded);
    wr_text_putc(t, '\n');
}

/* Where weir keeps the content is nobody's business; another connector is the user's choice. */
static void
put_materialized(wr_text *t, const wr_table_desc *d)
{
    const wr_option *connector = wr_options_find(&d->options, "connector");
    wr_options shown = d->options;
    if (connector && wr_str_eq_c(connector->value, "materialized")) {
        wr_option *items = WR_NEW_N(t->arena, wr_option, shown.count + 1);
        uint32_t n = 0;
        for (uint32_t i = 0; items && i < d->options.count; i++) {
            const wr_option *o = &d->options.items[i];
            if (!wr_str_eq_c(o->key, "connector") && !wr_str_eq_c(o->key, "id")) items[n++] = *o;
        }
        if (!items) t->failed = true;
        shown = (wr_options){.items = items, .count = n};
    }
    put_options(t, &shown);
    wr_text_puts(t, "START_MODE = FROM_BEGINNING\nFRESHNESS = ");
    put_str(t, d->refresh.freshness);
    wr_text_puts(t, d->refresh.full ? "\nREFRESH_MODE = FULL\nAS "
                                    : "\nREFRESH_MODE = CONTINUOUS\nAS ");
    put_str(t, d->view_expanded);
    wr_text_putc(t, '\n');
}

void
wr_table_show_create(const wr_table_desc *d, wr_text *t)
{
    if (d->kind == WR_TABLE_VIEW) {
        put_view(t, d);
        return;
    }
    wr_text_puts(t, d->kind == WR_TABLE_MATERIALIZED ? "CREATE MATERIALIZED TABLE "
                    : d->temporary                   ? "CREATE TEMPORARY TABLE "
                                                     : "CREATE TABLE ");
    put_id(t, &d->id);
    wr_text_puts(t, " (\n");
    put_elements(t, d);
    wr_text_puts(t, "\n)\n");
    put_comment(t, d->has_comment, d->comment);
    put_distribution(t, d);
    if (d->partition_key_count) {
        wr_text_puts(t, "PARTITIONED BY (");
        put_names(t, d->partition_keys, d->partition_key_count);
        wr_text_puts(t, ")\n");
    }
    if (d->kind == WR_TABLE_MATERIALIZED) {
        put_materialized(t, d);
        return;
    }
    put_options(t, &d->options);
}

void
wr_catalog_show_create(wr_str name, const wr_catalog_info *info, wr_text *t)
{
    wr_text_puts(t, "CREATE CATALOG ");
    wr_sql_ident_print(name, t);
    wr_text_putc(t, '\n');
    put_comment(t, info->has_comment, info->comment);
    put_options(t, info->options);
}

/* ---- LIKE ------------------------------------------------------------------------------------ */

static bool
same_char(char a, char b, bool ignore_case)
{
    if (ignore_case) {
        if (a >= 'A' && a <= 'Z') a = (char)(a + 32);
        if (b >= 'A' && b <= 'Z') b = (char)(b + 32);
    }
    return a == b;
}

/* Length of the character at s (a code point, so that _ takes one). */
static size_t
char_len(wr_str s)
{
    const char *p = s.ptr;
    (void)wr_utf8_next(&p, s.ptr + s.len);
    return (size_t)(p - s.ptr);
}

static wr_str
rest(wr_str s, size_t n)
{
    return (wr_str){s.ptr + n, s.len - n};
}

bool
wr_like_match(wr_str p, wr_str s, bool ignore_case)
{
    wr_str p_back = {0}, s_back = {0}; /* behind the last %, and what it has not swallowed yet */
    bool has_back = false;
    for (;;) {
        if (p.len && p.ptr[0] == '%') {
            p = rest(p, 1);
            p_back = p;
            s_back = s;
            has_back = true;
            continue;
        }
        if (p.len == 0 && s.len == 0) return true;
        bool ok = p.len && s.len;
        if (ok && p.ptr[0] == '_') {
            p = rest(p, 1);
            s = rest(s, char_len(s));
            continue;
        }
        size_t skip = ok && p.ptr[0] == '\\' && p.len > 1 ? 1 : 0;
        if (ok && same_char(p.ptr[skip], s.ptr[0], ignore_case)) {
            p = rest(p, skip + 1);
            s = rest(s, 1);
            continue;
        }
        if (!has_back || s_back.len == 0) return false;
        s_back = rest(s_back, 1);
        p = p_back;
        s = s_back;
    }
}
