/* SPDX-License-Identifier: Apache-2.0 */
/* Hints in the syntax tree of EXPLAIN. Those after SELECT stand on what the SELECT gives and reach
 * the joins and aggregates below it, with the way there: which input of each node is gone down to.
 * They do not reach into another SELECT. Where a statement has any, its tables show their names. */
#include "plan/explain_int.h"
#include "plan/rule_int.h"

void
wri_hinted_down(wri_hinted *h, uint32_t input)
{
    if (h->depth < WR_COUNT(h->path)) h->path[h->depth] = (uint16_t)input;
    h->depth++;
}

static void
put_kind(wr_text *out, const wri_hinted *h, const char *name, bool ttl)
{
    bool any = false;
    for (uint32_t i = 0; h->select && i < h->select->hint_count; i++) {
        const wr_rel_hint *hint = &h->select->hints[i];
        if ((hint->kind == WR_HINT_TTL) != ttl) continue;
        if (!any) wr_text_printf(out, ", %s=[[", name);
        any = true;
        wr_text_printf(out, "[%.*s ", WR_STR_ARG(hint->name));
        if (h->depth) wr_text_puts(out, "inheritPath:[");
        for (uint32_t k = 0; k < WR_MIN(h->depth, (uint32_t)WR_COUNT(h->path)); k++)
            wr_text_printf(out, "%s%u", k ? ", " : "", h->path[k]);
        wr_text_printf(out, "%s%.*s]", h->depth ? "] " : "", WR_STR_ARG(hint->text));
    }
    if (any) wr_text_puts(out, "]]");
}

void
wri_put_join_hints(wr_text *out, const wri_hinted *h)
{
    put_kind(out, h, "joinHints", false);
}

void
wri_put_ttl_hints(wr_text *out, const wri_hinted *h)
{
    put_kind(out, h, "stateTtlHints", true);
}

void
wri_put_scan_hints(wr_text *out, const wr_rel *scan, const wri_hinted *h)
{
    const bool named = h->named && scan->u.scan.named.len;
    const wr_str options =
        wri_option_hint(out->arena, &scan->u.scan.options, &scan->u.scan.table->options);
    if (!named && !options.len) return;
    wr_text_puts(out, ", hints=[[");
    if (options.len)
        wr_text_printf(out, "[OPTIONS inheritPath:[] options:{%.*s}]%s", WR_STR_ARG(options),
                       named ? ", " : "");
    if (named)
        wr_text_printf(out, "[ALIAS inheritPath:[] options:[%.*s]]",
                       WR_STR_ARG(scan->u.scan.named));
    wr_text_puts(out, "]]");
}

/* ---- does a statement have any? -------------------------------------------------------------- */
static bool
in_expr(const wr_expr *e)
{
    if (!e) return false;
    if (e->kind == WR_EX_SUBQUERY && wri_has_hints(e->rel)) return true;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (in_expr(e->args[i])) return true;
    return false;
}

bool
wri_has_hints(const wr_rel *rel)
{
    if (rel->hint_count) return true;
    if (rel->kind == WR_REL_FILTER && in_expr(rel->u.filter.cond)) return true;
    if (rel->kind == WR_REL_JOIN && in_expr(rel->u.join.cond)) return true;
    for (uint32_t i = 0; rel->kind == WR_REL_PROJECT && i < rel->schema.count; i++)
        if (in_expr(rel->u.project.exprs[i])) return true;
    for (uint32_t i = 0; i < rel->input_count; i++)
        if (wri_has_hints(rel->inputs[i])) return true;
    return false;
}
