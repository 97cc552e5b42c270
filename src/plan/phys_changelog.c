/* SPDX-License-Identifier: Apache-2.0 */
/* FROM_CHANGELOG and TO_CHANGELOG as Flink plans them: functions over a table, row by row. */
#include "plan/changelog_fn.h"
#include "plan/explain_int.h"
#include "plan/phys_int.h"
#include "plan/timed_int.h"

wr_status
wri_phys_changelog(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    const wr_changelog_spec *s = rel->u.changelog;
    wr_pnode *input = NULL;
    if (p->batch)
        return wr_raise_at(ctx, WR_UNSUPPORTED, rel->span,
                           "%s is not supported in batch mode: a table has no changes there",
                           s->from ? "FROM_CHANGELOG" : "TO_CHANGELOG");
    WR_TRY(wri_phys_rel(ctx, p, rel->inputs[0], &input));
    if (s->from)
        WR_TRY(
            wri_phys_insert_only(ctx, p, rel->span, "StreamPhysicalProcessTableFunction", input));
    wr_pnode *n = wri_phys_node(p, WR_P_CHANGELOG, rel->schema, &input, 1);
    WR_TRY_ALLOC(ctx, n);
    n->u.changelog = s;
    return wri_phys_derive(ctx, p, n, out);
}

void
wri_label_changelog(wri_liner *l)
{
    const wr_schema *schema = &l->n->schema;
    const wr_changelog_spec *s = l->n->u.changelog;
    wri_attr(l, "invocation");
    wr_text_printf(l->out, "%.*s]", WR_STR_ARG(s->call));
    wri_attr(l, "uid");
    wr_text_printf(l->out, "%.*s]", WR_STR_ARG(s->uid.ptr ? s->uid : WR_STR("null")));
    wri_attr(l, "select");
    for (uint32_t i = 0; i < schema->count; i++)
        wr_text_printf(l->out, "%s%.*s", i ? "," : "", WR_STR_ARG(schema->fields[i].name));
    wr_text_putc(l->out, ']');
    wri_attr(l, "rowType");
    wri_put_record_type(l->out, schema);
    wr_text_putc(l->out, ']');
}
