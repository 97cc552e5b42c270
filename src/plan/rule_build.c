/* SPDX-License-Identifier: Apache-2.0 */
/* Making logical relations: every constructor derives the schema, so that binder and rules cannot
 * disagree about names and nullability. All memory is the statement arena's; NULL means that it is
 * exhausted. */
#include "plan/over.h"
#include "plan/rule_int.h"

wr_rel *
wri_rel_new(wr_arena *a, wr_rel_kind kind, wr_rel *const *inputs, uint32_t count)
{
    wr_rel *rel = WR_NEW(a, wr_rel);
    if (!rel) return NULL;
    rel->kind = (uint8_t)kind;
    rel->span = WR_NO_SPAN;
    rel->alias = WR_STR("");
    rel->input_count = count;
    if (count) {
        rel->inputs = WR_NEW_N(a, wr_rel *, count);
        if (!rel->inputs) return NULL;
        for (uint32_t i = 0; i < count; i++) {
            if (!inputs[i]) return NULL;
            rel->inputs[i] = inputs[i];
        }
        rel->span = inputs[0]->span;
    }
    return rel;
}

wr_rel *
wri_rel_copy(wr_arena *a, const wr_rel *rel)
{
    wr_rel *copy = WR_NEW(a, wr_rel);
    if (!copy) return NULL;
    *copy = *rel;
    if (rel->input_count) {
        copy->inputs = WR_NEW_N(a, wr_rel *, rel->input_count);
        if (!copy->inputs) return NULL;
        for (uint32_t i = 0; i < rel->input_count; i++) copy->inputs[i] = rel->inputs[i];
    }
    return copy;
}

const wr_type *
wri_rel_type_plain(wr_arena *a, const wr_type *t)
{
    return t->attr == WR_ATTR_NONE ? t : wr_type_attr(a, t, WR_ATTR_NONE);
}

/* ---- names ----------------------------------------------------------------------------------- */
static bool
name_taken(const wr_str *names, uint32_t n, wr_str name)
{
    for (uint32_t i = 0; i < n; i++)
        if (wr_str_eq(names[i], name)) return true;
    return false;
}

wr_str
wri_rel_name_unique(wr_arena *a, const wr_str *names, uint32_t n, wr_str want)
{
    wr_str name = want;
    for (uint32_t i = 0; name.ptr && name_taken(names, n, name); i++)
        name = wr_arena_printf(a, "%.*s%u", WR_STR_ARG(want), i);
    return name;
}

bool
wri_rel_names_unique(wr_arena *a, wr_str *names, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        names[i] = wri_rel_name_unique(a, names, i, names[i]);
        if (!names[i].ptr) return false;
    }
    return true;
}

static bool
fields_make(wr_arena *a, uint32_t count, wr_schema *out)
{
    out->count = count;
    out->fields = WR_NEW_N(a, wr_field, count + 1);
    return out->fields != NULL;
}

static void
field_set(wr_schema *s, uint32_t i, wr_str name, const wr_type *t)
{
    wr_field *f = (wr_field *)(uintptr_t)&s->fields[i];
    f->name = name;
    f->type = t;
    f->comment = WR_STR("");
}

/* Left ++ right; a right name that the left has gets a number: id, id0. */
bool
wri_rel_schema_concat(wr_arena *a, const wr_schema *l, bool l_null, const wr_schema *r, bool r_null,
                      wr_schema *out)
{
    uint32_t n = l->count + r->count;
    wr_str *names = WR_NEW_N(a, wr_str, n + 1);
    if (!names || !fields_make(a, n, out)) return false;
    for (uint32_t i = 0; i < n; i++) {
        const wr_field *f = i < l->count ? &l->fields[i] : &r->fields[i - l->count];
        bool null = i < l->count ? l_null : r_null;
        const wr_type *t = null ? wr_type_nullable(a, f->type, true) : f->type;
        names[i] = wri_rel_name_unique(a, names, i, f->name);
        if (!t || !names[i].ptr) return false;
        field_set(out, i, names[i], t);
    }
    return true;
}

/* ---- nodes ----------------------------------------------------------------------------------- */
wr_rel *
wri_rel_project(wr_arena *a, wr_rel *input, wr_expr **exprs, const wr_str *names, uint32_t count)
{
    wr_rel *rel = wri_rel_new(a, WR_REL_PROJECT, &input, 1);
    wr_str *unique = WR_NEW_N(a, wr_str, count + 1);
    if (!rel || !unique || !fields_make(a, count, &rel->schema)) return NULL;
    for (uint32_t i = 0; i < count; i++) {
        const wr_expr *e = exprs[i];
        if (!e) return NULL;
        wr_str name = {NULL, 0};
        if (names && names[i].ptr && names[i].len)
            name = names[i];
        else if (e->kind == WR_EX_COLUMN)
            name = input->schema.fields[e->index].name;
        else
            name = wr_arena_printf(a, "$f%u", i);
        unique[i] = wri_rel_name_unique(a, unique, i, name);
        if (!unique[i].ptr) return NULL;
        field_set(&rel->schema, i, unique[i], e->type);
    }
    rel->u.project.exprs = exprs;
    rel->alias = input->alias;
    return rel;
}

wr_rel *
wri_rel_filter(wr_arena *a, wr_rel *input, wr_expr *cond)
{
    if (wri_rex_is_true(cond)) return input;
    wr_rel *rel = wri_rel_new(a, WR_REL_FILTER, &input, 1);
    if (!rel) return NULL;
    rel->schema = input->schema;
    rel->alias = input->alias;
    rel->u.filter.cond = cond;
    return rel;
}

wr_rel *
wri_rel_join(wr_arena *a, wr_join_type type, wr_rel *left, wr_rel *right, wr_expr *cond)
{
    wr_rel *inputs[2] = {left, right};
    wr_rel *rel = wri_rel_new(a, WR_REL_JOIN, inputs, 2);
    if (!rel) return NULL;
    rel->u.join.type = (uint8_t)type;
    rel->u.join.cond = wri_rex_is_true(cond) ? NULL : cond;
    rel->u.join.ttl_ms[0] = rel->u.join.ttl_ms[1] = -1;
    if (type == WR_JOIN_SEMI || type == WR_JOIN_ANTI) {
        rel->schema = left->schema;
        rel->alias = left->alias;
        return rel;
    }
    bool l_null = type == WR_JOIN_RIGHT || type == WR_JOIN_FULL;
    bool r_null = type == WR_JOIN_LEFT || type == WR_JOIN_FULL;
    return wri_rel_schema_concat(a, &left->schema, l_null, &right->schema, r_null, &rel->schema)
               ? rel
               : NULL;
}

wr_rel *
wri_rel_aggregate(wr_arena *a, wr_rel *input, const uint32_t *keys, uint32_t key_count,
                  const wr_agg_bound *aggs, uint32_t agg_count)
{
    wr_rel *rel = wri_rel_new(a, WR_REL_AGGREGATE, &input, 1);
    uint32_t n = key_count + agg_count;
    wr_str *names = WR_NEW_N(a, wr_str, n + 1);
    if (!rel || !names || !fields_make(a, n, &rel->schema)) return NULL;
    rel->u.agg.keys = WR_NEW_N(a, uint32_t, key_count + 1);
    rel->u.agg.aggs = WR_NEW_N(a, wr_agg_bound, agg_count + 1);
    if (!rel->u.agg.keys || !rel->u.agg.aggs) return NULL;
    for (uint32_t i = 0; i < n; i++) {
        wr_str name;
        const wr_type *t;
        if (i < key_count) {
            name = input->schema.fields[keys[i]].name;
            t = input->schema.fields[keys[i]].type;
            rel->u.agg.keys[i] = keys[i];
        } else {
            const wr_agg_bound *g = &aggs[i - key_count];
            name = g->name.len ? g->name : wr_arena_printf(a, "$f%u", i);
            t = g->type;
            rel->u.agg.aggs[i - key_count] = *g;
        }
        names[i] = wri_rel_name_unique(a, names, i, name);
        if (!t || !names[i].ptr) return NULL;
        field_set(&rel->schema, i, names[i], t);
        if (i >= key_count) rel->u.agg.aggs[i - key_count].name = names[i];
    }
    rel->u.agg.key_count = key_count;
    rel->u.agg.agg_count = agg_count;
    rel->u.agg.ttl_ms = -1;
    return rel;
}

wr_rel *
wri_rel_over(wr_arena *a, wr_rel *input, const wr_over_spec *spec)
{
    wr_rel *rel = wri_rel_new(a, WR_REL_OVER, &input, 1);
    uint32_t n = input->schema.count, at = n;
    const bool shown = !spec->rank || spec->rank->number;
    for (uint32_t k = 0; shown && k < spec->window_count; k++) n += spec->windows[k].call_count;
    if (!rel || !fields_make(a, n, &rel->schema)) return NULL;
    for (uint32_t i = 0; i < at; i++)
        field_set(&rel->schema, i, input->schema.fields[i].name, input->schema.fields[i].type);
    for (uint32_t k = 0; shown && k < spec->window_count; k++)
        for (uint32_t i = 0; i < spec->windows[k].call_count; i++) {
            wr_str name = wr_arena_printf(a, "w%u$o%u", k, i);
            if (!name.ptr) return NULL;
            field_set(&rel->schema, at++, name, spec->windows[k].calls[i].type);
        }
    rel->u.over = spec;
    return rel;
}

wr_rel *
wri_rel_distinct(wr_arena *a, wr_rel *input)
{
    uint32_t n = input->schema.count, *keys = WR_NEW_N(a, uint32_t, n + 1);
    if (!keys) return NULL;
    for (uint32_t i = 0; i < n; i++) keys[i] = i;
    return wri_rel_aggregate(a, input, keys, n, NULL, 0);
}

/* Names of the first input; a column may be NULL when one of the inputs' may. */
wr_rel *
wri_rel_union_all(wr_arena *a, wr_rel *const *inputs, uint32_t count)
{
    WR_ASSERT(count >= 1);
    wr_rel *rel = wri_rel_new(a, WR_REL_SETOP, inputs, count);
    if (!rel || !fields_make(a, inputs[0]->schema.count, &rel->schema)) return NULL;
    for (uint32_t c = 0; c < rel->schema.count; c++) {
        const wr_type *t = inputs[0]->schema.fields[c].type;
        for (uint32_t i = 1; i < count && t; i++) {
            const wr_type *o = inputs[i]->schema.fields[c].type;
            if (o->attr != t->attr) t = wri_rel_type_plain(a, t);
            if (t && o->nullable && !t->nullable) t = wr_type_nullable(a, t, true);
        }
        if (!t) return NULL;
        field_set(&rel->schema, c, inputs[0]->schema.fields[c].name, t);
    }
    rel->u.setop.op = WR_SETOP_UNION;
    rel->u.setop.all = true;
    return rel;
}

wr_rel *
wri_rel_correlate(wr_arena *a, wr_join_type type, wr_rel *input, wr_expr *call,
                  const wr_schema *columns, wr_expr *cond)
{
    wr_rel *rel = wri_rel_new(a, WR_REL_CORRELATE, &input, 1);
    if (!rel) return NULL;
    rel->u.correlate.type = (uint8_t)type;
    rel->u.correlate.call = call;
    rel->u.correlate.cond = wri_rex_is_true(cond) ? NULL : cond;
    return wri_rel_schema_concat(a, &input->schema, false, columns, type == WR_JOIN_LEFT,
                                 &rel->schema)
               ? rel
               : NULL;
}

wr_rel *
wri_rel_values(wr_arena *a, const wr_schema *schema, wr_expr ***rows, uint32_t row_count)
{
    wr_rel *rel = wri_rel_new(a, WR_REL_VALUES, NULL, 0);
    if (!rel) return NULL;
    rel->schema = *schema;
    rel->u.values.rows = rows;
    rel->u.values.row_count = row_count;
    return rel;
}

wr_rel *
wri_rel_one_row(wr_arena *a)
{
    wr_schema s;
    wr_expr ***rows = WR_NEW_N(a, wr_expr **, 1), **row = WR_NEW_N(a, wr_expr *, 1);
    if (!rows || !row || !fields_make(a, 1, &s)) return NULL;
    field_set(&s, 0, WR_STR("ZERO"), wr_type_of(WR_T_INT, false));
    row[0] = wri_rex_int(a, WR_T_INT, 0);
    rows[0] = row;
    return row[0] ? wri_rel_values(a, &s, rows, 1) : NULL;
}

wr_rel *
wri_rel_empty(wr_arena *a, const wr_schema *schema)
{
    return wri_rel_values(a, schema, NULL, 0);
}

wr_rel *
wri_rel_rename(wr_arena *a, wr_rel *rel, const wr_str *names)
{
    uint32_t n = rel->schema.count;
    bool same = true;
    for (uint32_t i = 0; i < n; i++) same = same && wr_str_eq(rel->schema.fields[i].name, names[i]);
    if (same) return rel;
    if (rel->kind == WR_REL_SCAN || rel->kind == WR_REL_SINK) {
        wr_expr **exprs = WR_NEW_N(a, wr_expr *, n + 1);
        if (!exprs) return NULL;
        for (uint32_t i = 0; i < n; i++) exprs[i] = wri_rex_col(a, rel, i);
        return wri_rel_project(a, rel, exprs, names, n);
    }
    wr_rel *copy = wri_rel_copy(a, rel);
    if (!copy || !fields_make(a, n, &copy->schema)) return NULL;
    for (uint32_t i = 0; i < n; i++)
        field_set(&copy->schema, i, names[i], rel->schema.fields[i].type);
    if (copy->kind == WR_REL_AGGREGATE) { /* aggregates carry their names */
        uint32_t aggs = copy->u.agg.agg_count;
        copy->u.agg.aggs = WR_NEW_N(a, wr_agg_bound, aggs + 1);
        if (!copy->u.agg.aggs) return NULL;
        for (uint32_t i = 0; i < aggs; i++) {
            copy->u.agg.aggs[i] = rel->u.agg.aggs[i];
            copy->u.agg.aggs[i].name = names[copy->u.agg.key_count + i];
        }
    }
    return copy;
}
