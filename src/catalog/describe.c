/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions of tables, databases and functions: deep copies, columns by name, the schema a query
 * sees. Copies lie wholly in the arena given; NULL or false = out of memory. */
#include "catalog/catalog_int.h"

bool
wri_copy_str(wr_arena *a, wr_str s, wr_str *out)
{
    if (s.len == 0) {
        *out = (wr_str){s.ptr ? "" : NULL, 0};
        return true;
    }
    *out = wr_arena_str(a, s);
    return out->ptr != NULL;
}

bool
wri_copy_options(wr_arena *a, const wr_options *o, wr_options *out)
{
    wr_option *items = WR_NEW_N(a, wr_option, o->count + 1);
    if (!items) return false;
    for (uint32_t i = 0; i < o->count; i++) {
        items[i].span = WR_NO_SPAN; /* positions belong to the statement that wrote them */
        if (!wri_copy_str(a, o->items[i].key, &items[i].key) ||
            !wri_copy_str(a, o->items[i].value, &items[i].value))
            return false;
    }
    *out = (wr_options){.items = items, .count = o->count};
    return true;
}

static bool
copy_names(wr_arena *a, const wr_str *names, uint32_t count, const wr_str **out)
{
    wr_str *items = WR_NEW_N(a, wr_str, count + 1);
    for (uint32_t i = 0; items && i < count; i++)
        if (!wri_copy_str(a, names[i], &items[i])) return false;
    *out = items;
    return items != NULL;
}

static bool
copy_column(wr_arena *a, const wr_column *c, wr_column *out)
{
    *out = *c;
    out->span = WR_NO_SPAN;
    out->type = c->type ? wr_type_copy(a, c->type) : NULL;
    return (out->type || !c->type) && wri_copy_str(a, c->name, &out->name) &&
           wri_copy_str(a, c->metadata_key, &out->metadata_key) &&
           wri_copy_str(a, c->expr, &out->expr) && wri_copy_str(a, c->comment, &out->comment);
}

static bool
copy_columns(wr_arena *a, const wr_table_desc *t, const wr_column **out)
{
    wr_column *items = WR_NEW_N(a, wr_column, t->column_count + 1);
    for (uint32_t i = 0; items && i < t->column_count; i++)
        if (!copy_column(a, &t->columns[i], &items[i])) return false;
    *out = items;
    return items != NULL;
}

wr_table_desc *
wr_table_desc_copy(wr_arena *a, const wr_table_desc *t)
{
    wr_table_desc *c = WR_NEW(a, wr_table_desc);
    if (!c) return NULL;
    *c = *t;
    bool ok = wri_copy_str(a, t->id.catalog, &c->id.catalog) &&
              wri_copy_str(a, t->id.database, &c->id.database) &&
              wri_copy_str(a, t->id.name, &c->id.name) && copy_columns(a, t, &c->columns) &&
              wri_copy_str(a, t->watermark_column, &c->watermark_column) &&
              wri_copy_str(a, t->watermark_expr, &c->watermark_expr) &&
              copy_names(a, t->primary_key, t->primary_key_count, &c->primary_key) &&
              wri_copy_str(a, t->primary_key_name, &c->primary_key_name) &&
              copy_names(a, t->partition_keys, t->partition_key_count, &c->partition_keys) &&
              copy_names(a, t->partitions, t->partition_count, &c->partitions) &&
              wri_copy_str(a, t->distribution_kind, &c->distribution_kind) &&
              copy_names(a, t->distribution_columns, t->distribution_column_count,
                         &c->distribution_columns) &&
              wri_copy_options(a, &t->options, &c->options) &&
              wri_copy_str(a, t->comment, &c->comment) &&
              wri_copy_str(a, t->view_original, &c->view_original) &&
              wri_copy_str(a, t->view_expanded, &c->view_expanded) &&
              wri_copy_str(a, t->refresh.freshness, &c->refresh.freshness) &&
              wri_copy_str(a, t->refresh.savepoint, &c->refresh.savepoint);
    return ok ? c : NULL;
}

wr_database_desc *
wri_copy_database(wr_arena *a, const wr_database_desc *d)
{
    wr_database_desc *c = WR_NEW(a, wr_database_desc);
    return c && wri_copy_str(a, d->name, &c->name) && wri_copy_str(a, d->comment, &c->comment) &&
                   wri_copy_options(a, &d->options, &c->options)
               ? c
               : NULL;
}

wr_function_desc *
wri_copy_function(wr_arena *a, const wr_function_desc *f)
{
    wr_function_desc *c = WR_NEW(a, wr_function_desc);
    if (!c) return NULL;
    *c = *f;
    return wri_copy_str(a, f->name, &c->name) && wri_copy_str(a, f->class_name, &c->class_name) &&
                   wri_copy_str(a, f->language, &c->language) &&
                   wri_copy_options(a, &f->options, &c->options)
               ? c
               : NULL;
}

const wr_column *
wr_table_column(const wr_table_desc *t, wr_str name, uint32_t *index_out)
{
    for (uint32_t i = 0; i < t->column_count; i++) {
        if (!wr_str_eq(t->columns[i].name, name)) continue;
        if (index_out) *index_out = i;
        return &t->columns[i];
    }
    return NULL;
}

bool
wr_table_schema(const wr_table_desc *t, wr_arena *a, wr_schema *out)
{
    wr_field *fields = WR_NEW_N(a, wr_field, t->column_count + 1);
    if (!fields) return false;
    for (uint32_t i = 0; i < t->column_count; i++) {
        const wr_column *c = &t->columns[i];
        fields[i] = (wr_field){.name = c->name, .type = c->type, .comment = c->comment};
        if (t->watermark_column.len == 0 || !wr_str_eq(c->name, t->watermark_column)) continue;
        fields[i].type = wr_type_attr(a, c->type, WR_ATTR_ROWTIME);
        if (!fields[i].type) return false;
    }
    *out = (wr_schema){.fields = fields, .count = t->column_count};
    return true;
}
