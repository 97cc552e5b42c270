/* SPDX-License-Identifier: Apache-2.0 */
/* Which columns still are time attributes. The binder gives every column the type that a user sees:
 * a join of two tables with event time shows both as *ROWTIME*. But rows leave a regular join, an
 * aggregate or a computation in an order that no watermark bounds, so there the attribute ends;
 * what plans and sinks rely on is what this pass leaves in the schemas. */
#include "plan/rule_int.h"

static bool
is_proctime(const wr_expr *e)
{
    return wri_rex_is_call(e, "PROCTIME");
}

/* The attribute of column c of rel, whose inputs have been treated. */
static wr_timeattr
attr_of(const wr_rel *rel, uint32_t c)
{
    const wr_schema *in = rel->input_count ? &rel->inputs[0]->schema : NULL;
    wr_timeattr own = (wr_timeattr)rel->schema.fields[c].type->attr;
    switch ((wr_rel_kind)rel->kind) {
    case WR_REL_SCAN:
    case WR_REL_OVER:
    case WR_REL_WINDOW_TVF:
    case WR_REL_MATCH:
    case WR_REL_SINK:
        return own;
    case WR_REL_WATERMARK:
        return c == rel->u.watermark.col ? own : (wr_timeattr)in->fields[c].type->attr;
    case WR_REL_FILTER:
    case WR_REL_SORT:
        return (wr_timeattr)in->fields[c].type->attr;
    case WR_REL_CORRELATE:
        return c < in->count ? (wr_timeattr)in->fields[c].type->attr : WR_ATTR_NONE;
    case WR_REL_PROJECT: {
        const wr_expr *e = rel->u.project.exprs[c];
        if (e->kind == WR_EX_COLUMN) return (wr_timeattr)in->fields[e->index].type->attr;
        return is_proctime(e) ? own : WR_ATTR_NONE;
    }
    case WR_REL_SETOP:
        for (uint32_t i = 1; i < rel->input_count; i++)
            if (rel->inputs[i]->schema.fields[c].type->attr != in->fields[c].type->attr)
                return WR_ATTR_NONE;
        return (wr_timeattr)in->fields[c].type->attr;
    case WR_REL_VALUES:
    case WR_REL_JOIN:
    case WR_REL_AGGREGATE:
    case WR_REL_EXPAND:
        return WR_ATTR_NONE;
    }
    return WR_ATTR_NONE;
}

/* The sink's event time is the one rowtime column that arrives. */
static wr_status
check_sink(wri_rules *r, const wr_rel *rel)
{
    const wr_schema *query = &rel->inputs[0]->schema;
    wr_str mode = wr_config_str(r->env->config, "table.exec.sink.rowtime-inserter");
    wr_text names;
    uint32_t count = 0;
    wr_text_init(&names, r->a);
    for (uint32_t i = 0; i < query->count; i++) {
        if (query->fields[i].type->attr != WR_ATTR_ROWTIME) continue;
        wr_text_printf(&names, "%s%.*s", count++ ? ", " : "", WR_STR_ARG(query->fields[i].name));
    }
    if (count < 2 || r->env->batch || wr_str_eq_nocase(mode, WR_STR("DISABLED"))) return WR_OK;
    const wr_table_id *id = &rel->u.sink.table->id;
    return wr_raise_at(
        r->ctx, WR_SEMANTIC, rel->inputs[0]->span,
        "The query contains more than one rowtime attribute column [%.*s] for "
        "writing into table '%.*s.%.*s.%.*s'.\nPlease select the column that should "
        "be used as the event-time timestamp for the table sink by casting all other "
        "columns to regular TIMESTAMP or TIMESTAMP_LTZ.",
        WR_STR_ARG(wr_text_str(&names)), WR_STR_ARG(id->catalog), WR_STR_ARG(id->database),
        WR_STR_ARG(id->name));
}

wr_status
wri_rule_times(wri_rules *r, wr_rel *rel, wr_rel **out)
{
    wr_rel *copy = wri_rel_copy(r->a, rel);
    wr_field *fields = WR_NEW_N(r->a, wr_field, rel->schema.count + 1);
    WR_TRY_ALLOC(r->ctx, copy);
    WR_TRY_ALLOC(r->ctx, fields);
    for (uint32_t i = 0; i < rel->input_count; i++)
        WR_TRY(wri_rule_times(r, rel->inputs[i], &copy->inputs[i]));
    for (uint32_t c = 0; c < rel->schema.count; c++) {
        wr_timeattr attr = attr_of(copy, c);
        fields[c] = rel->schema.fields[c];
        if (fields[c].type->attr == attr) continue;
        fields[c].type = wr_type_attr(r->a, fields[c].type, attr);
        WR_TRY_ALLOC(r->ctx, fields[c].type);
    }
    copy->schema.fields = fields;
    *out = copy;
    return rel->kind == WR_REL_SINK ? check_sink(r, copy) : WR_OK;
}
