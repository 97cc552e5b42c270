/* SPDX-License-Identifier: Apache-2.0 */
/* What restoring would do to the state of one operator, said beforehand: by the same rules as
 * restoring itself (info.c), and in words. */
#include "state/info_int.h"

#define NOMEM(ctx) wr_raise((ctx), WR_NOMEM, "out of memory")

typedef struct tale {
    wr_ctx *ctx;
    wr_arena *arena;
    wr_text *what;
    bool kept, came, went, changed, refused;
} tale;

wr_status
wr_state_describe(wr_ctx *ctx, wr_arena *a, const wr_state_desc *d, int32_t parent,
                  wr_state_table_info *out)
{
    return wri_info_make(ctx, a, d, parent, out);
}

static void
say(tale *t, const char *word, wr_str name)
{
    wr_text_printf(t->what, "%s%s %.*s", t->what->len ? "; " : "", word, WR_STR_ARG(name));
}

static const wr_state_table_info *
table_named(const wr_state_table_info *tables, uint32_t count, wr_str id)
{
    for (uint32_t i = 0; i < count; i++)
        if (wr_str_eq(tables[i].logical_id, id)) return &tables[i];
    return NULL;
}

void
wri_info_columns(wr_text *out, const wr_schema *old, const wr_schema *now)
{
    const char *gap = " (";
    for (uint32_t i = 0; i < now->count; i++) {
        const wr_field *f = &now->fields[i];
        const uint32_t at = wri_column_named(old, f->name);
        const bool is_new = at == UINT32_MAX;
        if (!is_new && wr_type_eq_ignoring_null(old->fields[at].type, f->type)) continue;
        wr_text_printf(out, "%s%s%.*s", gap, is_new ? "new " : "", WR_STR_ARG(f->name));
        gap = ", ";
        if (is_new) continue;
        wr_text_putc(out, ' ');
        wr_type_print(old->fields[at].type, WR_TYPE_NO_NULL, out);
        wr_text_puts(out, " -> ");
        wr_type_print(f->type, WR_TYPE_NO_NULL, out);
    }
    for (uint32_t i = 0; i < old->count; i++) {
        if (wri_column_named(now, old->fields[i].name) != UINT32_MAX) continue;
        wr_text_printf(out, "%swithout %.*s", gap, WR_STR_ARG(old->fields[i].name));
        gap = ", ";
    }
    if (gap[0] == ',') wr_text_putc(out, ')');
}

static wr_status
tell_parts(tale *t, const wr_state_table_info *old, const wr_state_table_info *now)
{
    for (uint32_t i = 0; i < old->part_count; i++) {
        const wr_state_part_info *from = &old->parts[i], *to;
        const wri_convert *row;
        wri_part_fate fate;
        if (from->kind == WR_PART_TRANSIENT) continue;
        WR_TRY(wri_info_part(t->ctx, t->arena, old, i, now, &fate, &to, &row));
        t->kept |= fate != WRI_PART_GOES;
        t->changed |= fate == WRI_PART_CHANGES;
        t->went |= fate == WRI_PART_GOES;
        if (fate == WRI_PART_STAYS) continue;
        say(t, fate == WRI_PART_GOES ? "dropped" : "converted", from->name);
        if (fate == WRI_PART_CHANGES || to) wri_info_columns(t->what, &from->schema, &to->schema);
    }
    for (uint32_t i = 0; i < now->part_count; i++) {
        const wr_state_part_info *to = &now->parts[i];
        if (to->kind == WR_PART_TRANSIENT || wri_info_part_named(old, to->name)) continue;
        t->came = true;
        say(t, "new", to->name);
    }
    return WR_OK;
}

static wr_status
tell_table(tale *t, const wr_state_table_info *old, const wr_state_table_info *now)
{
    wr_ctx quiet;
    wri_layout layout;
    wr_ctx_init(&quiet);
    const wr_status status = wri_info_match(&quiet, t->arena, old, now, true, &layout);
    if (status == WR_NOMEM) return NOMEM(t->ctx);
    if (status != WR_OK) {
        t->refused = true;
        say(t, "impossible:", wr_str_c(quiet.err.message));
        if (!wri_types_fit(&old->key, &now->key)) wri_info_columns(t->what, &old->key, &now->key);
        return WR_OK;
    }
    if (layout.key) {
        t->changed = true;
        say(t, "converted keys of", now->logical_id);
        wri_info_columns(t->what, &old->key, &now->key);
    }
    if (!old->part_count || !now->part_count) {
        t->kept = true;
        return WR_OK;
    }
    return tell_parts(t, old, now);
}

wr_status
wr_state_compare(wr_ctx *ctx, wr_arena *a, const wr_state_table_info *old, uint32_t old_count,
                 const wr_state_table_info *now, uint32_t now_count, wr_state_fate *fate,
                 bool *drops, wr_text *what)
{
    tale t = {.ctx = ctx, .arena = a, .what = what};
    for (uint32_t i = 0; i < now_count; i++) {
        const wr_state_table_info *was = table_named(old, old_count, now[i].logical_id);
        if (was) WR_TRY(tell_table(&t, was, &now[i]));
        if (was) continue;
        t.came = true;
        if (old_count) say(&t, "new", now[i].logical_id);
    }
    for (uint32_t i = 0; i < old_count; i++) {
        if (table_named(now, now_count, old[i].logical_id)) continue;
        t.went = true;
        say(&t, "dropped", old[i].logical_id);
    }
    if (what->failed) return NOMEM(ctx);
    *drops = t.went && !t.refused;
    *fate = t.refused                         ? WR_STATE_REFUSED
            : t.changed || (t.kept && t.came) ? WR_STATE_MIGRATED
            : t.kept && t.went                ? WR_STATE_MIGRATED
            : t.kept                          ? WR_STATE_KEPT
            : t.came                          ? WR_STATE_NEW
            : t.went                          ? WR_STATE_DROPPED
                                              : WR_STATE_KEPT;
    return WR_OK;
}
