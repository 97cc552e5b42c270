/* SPDX-License-Identifier: Apache-2.0 */
/* `t$late`: the rows of table t that come when the watermark has already passed their time
 * (docs/decisions/0019). The same rows as
 *
 *   SELECT * FROM t WHERE ts <= CURRENT_WATERMARK(ts)
 *
 * with t's columns and its watermark. In a STATEMENT SET the scan is shared with what the other
 * statements read of t. */
#include "plan/bind_int.h"

static const char suffix[] = "$late";

wr_status
wri_bind_late_find(wri_binder *b, wr_table_id *id, const wr_table_desc **out)
{
    const size_t n = sizeof suffix - 1;
    const wr_str name = id->name;
    *out = NULL;
    if (name.len <= n || memcmp(name.ptr + name.len - n, suffix, n) != 0) return WR_OK;
    id->name.len -= n;
    WR_TRY(wr_catalogs_find_table(b->ctx, b->env->catalogs, id, out));
    if (!*out || (*out)->kind == WR_TABLE_VIEW) {
        *out = NULL;
        id->name = name;
    }
    return WR_OK;
}

void
wri_bind_late_name(wri_binder *b, const wr_table_id *id)
{
    const char *dollar = id->name.len ? memchr(id->name.ptr, '$', id->name.len) : NULL;
    wr_ctx quiet;
    wr_table_id table = *id;
    const wr_table_desc *t = NULL;
    if (!dollar) return;
    wr_ctx_init(&quiet);
    table.name.len = (size_t)(dollar - id->name.ptr);
    if (wr_catalogs_find_table(&quiet, b->env->catalogs, &table, &t) != WR_OK || !t) return;
    const wr_str name = wr_arena_printf(b->a, "%.*s%s", WR_STR_ARG(table.name), suffix);
    if (name.ptr) wr_candidate(b->ctx, id->name, name);
}

wr_status
wri_bind_late_rows(wri_binder *b, const wr_table_desc *t, wr_span span, wr_rel **rel)
{
    wr_expr *now = NULL, *cond = NULL;
    if (t->watermark_column.len == 0) {
        const wr_status status = wr_raise_at(
            b->ctx, WR_SEMANTIC, span, "table '%.*s' has no watermark: no row of it can be late",
            WR_STR_ARG(t->id.name));
        wr_hint(b->ctx, "declare one: WATERMARK FOR <column> AS <expression>");
        return status;
    }
    if ((*rel)->kind == WR_REL_WATERMARK) {
        wr_expr *time = wri_rex_col(b->a, *rel, (*rel)->u.watermark.col);
        WR_TRY_ALLOC(b->ctx, time);
        WR_TRY(wri_rex_call1(&b->r, "CURRENT_WATERMARK", time, &now));
        WR_TRY(wri_rex_call2(&b->r, "<=", time, now, &cond));
    } else { /* batch: everything is there at once */
        cond = wri_rex_bool(b->a, false);
        WR_TRY_ALLOC(b->ctx, cond);
    }
    *rel = wri_rel_filter(b->a, *rel, cond);
    WR_TRY_ALLOC(b->ctx, *rel);
    return WR_OK;
}
