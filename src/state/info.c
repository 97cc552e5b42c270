/* SPDX-License-Identifier: Apache-2.0 */
/* What a table is, in words that outlive it: made from its description when it is opened, kept in
 * every snapshot, compared when a snapshot is restored. */
#include "state/state_int.h"

static wr_status
copy_schema(wr_ctx *ctx, wr_arena *a, const wr_schema *s, wr_schema *out)
{
    *out = (wr_schema){0};
    if (!s || !s->count) return WR_OK;
    wr_field *fields = WR_NEW_N(a, wr_field, s->count);
    WR_TRY_ALLOC(ctx, fields);
    for (uint32_t i = 0; i < s->count; i++) {
        fields[i].name = wr_arena_str(a, s->fields[i].name);
        fields[i].type = wr_type_copy(a, s->fields[i].type);
        WR_TRY_ALLOC(ctx, fields[i].name.ptr);
        WR_TRY_ALLOC(ctx, fields[i].type);
    }
    *out = (wr_schema){fields, s->count};
    return WR_OK;
}

wr_status
wri_info_make(wr_ctx *ctx, wr_arena *a, const wr_state_desc *d, int32_t parent,
              wr_state_table_info *out)
{
    *out = (wr_state_table_info){.shape = (uint8_t)d->shape,
                                 .record_bytes = d->record_bytes,
                                 .record_version = d->record_version,
                                 .ttl_ms = d->ttl_ms,
                                 .parent = parent,
                                 .part_count = d->part_count};
    out->logical_id = wr_arena_str(a, d->logical_id);
    WR_TRY_ALLOC(ctx, out->logical_id.ptr);
    WR_TRY(copy_schema(ctx, a, d->key, &out->key));
    if (!d->part_count) return WR_OK;
    out->parts = WR_NEW_N(a, wr_state_part_info, d->part_count);
    WR_TRY_ALLOC(ctx, out->parts);
    for (uint32_t i = 0; i < d->part_count; i++) {
        const wr_state_part *p = &d->parts[i];
        WR_ASSERT(p->offset <= d->record_bytes && p->bytes <= d->record_bytes - p->offset);
        out->parts[i] = (wr_state_part_info){.name = wr_arena_str(a, wr_str_c(p->name)),
                                             .kind = (uint8_t)p->kind,
                                             .offset = p->offset,
                                             .bytes = p->bytes};
        WR_TRY_ALLOC(ctx, out->parts[i].name.ptr);
        WR_TRY(copy_schema(ctx, a, p->schema, &out->parts[i].schema));
    }
    return WR_OK;
}

wr_status
wri_info_copy(wr_ctx *ctx, wr_arena *a, const wr_state_table_info *t, wr_state_table_info *out)
{
    *out = *t;
    out->logical_id = wr_arena_str(a, t->logical_id);
    WR_TRY_ALLOC(ctx, out->logical_id.ptr);
    WR_TRY(copy_schema(ctx, a, &t->key, &out->key));
    out->parts = NULL;
    if (!t->part_count) return WR_OK;
    out->parts = WR_NEW_N(a, wr_state_part_info, t->part_count);
    WR_TRY_ALLOC(ctx, out->parts);
    for (uint32_t i = 0; i < t->part_count; i++) {
        out->parts[i] = t->parts[i];
        out->parts[i].name = wr_arena_str(a, t->parts[i].name);
        WR_TRY_ALLOC(ctx, out->parts[i].name.ptr);
        WR_TRY(copy_schema(ctx, a, &t->parts[i].schema, &out->parts[i].schema));
    }
    return WR_OK;
}

bool
wri_info_is_transient(const wr_state_table_info *t, uint32_t offset)
{
    for (uint32_t i = 0; i < t->part_count; i++) {
        const wr_state_part_info *p = &t->parts[i];
        if (p->kind == WR_PART_TRANSIENT && offset >= p->offset && offset - p->offset < p->bytes)
            return true;
    }
    return false;
}

/* ---- is an old one the same? ----------------------------------------------------------------- */

static wr_status
add_move(wr_ctx *ctx, wr_arena *a, wri_layout *l, wri_move m)
{
    if (!m.bytes) return WR_OK;
    uint32_t at = l->moves.count;
    if (!wr_list_push(a, &l->moves, m)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    for (; at > 0 && l->moves.items[at - 1].from > m.from; at--)
        l->moves.items[at] = l->moves.items[at - 1];
    l->moves.items[at] = m;
    return WR_OK;
}

const wr_state_part_info *
wri_info_part_named(const wr_state_table_info *t, wr_str name)
{
    for (uint32_t i = 0; i < t->part_count; i++)
        if (wr_str_eq(t->parts[i].name, name)) return &t->parts[i];
    return NULL;
}

wr_status
wri_info_part(wr_ctx *ctx, wr_arena *a, const wr_state_table_info *old, uint32_t i,
              const wr_state_table_info *now, wri_part_fate *fate, const wr_state_part_info **to,
              const wri_convert **row)
{
    const wr_state_part_info *from = &old->parts[i];
    *to = wri_info_part_named(now, from->name);
    *row = NULL;
    *fate = WRI_PART_GOES;
    if (!*to || (*to)->kind != from->kind || (*to)->bytes != from->bytes) return WR_OK;
    const bool is_row = from->kind == WR_PART_ROW;
    if (is_row ? wri_rows_fit(&from->schema, &(*to)->schema)
               : wri_types_fit(&from->schema, &(*to)->schema)) {
        *fate = WRI_PART_STAYS;
        return WR_OK;
    }
    if (!is_row) return WR_OK;
    WR_TRY(wri_convert_make(ctx, a, &from->schema, &(*to)->schema, WRI_CONVERT_ROW, row));
    if (*row) *fate = WRI_PART_CHANGES;
    return WR_OK;
}

static void
hint_columns(wr_ctx *ctx, wr_arena *a, const char *rule, const wr_schema *old, const wr_schema *now)
{
    wr_text t;
    wr_text_init(&t, a);
    wri_info_columns(&t, old, now);
    wr_hint(ctx, "%s%.*s. EXPLAIN UPGRADE says what becomes of every operator.", rule,
            WR_STR_ARG(wr_text_str(&t)));
}

static wr_status
match_parts(wr_ctx *ctx, const wr_state_table_info *old, const wr_state_table_info *now,
            bool allow_dropped, wri_layout *out)
{
    wr_arena *a = out->arena;
    for (uint32_t i = 0; i < old->part_count; i++) {
        const wr_state_part_info *from = &old->parts[i], *to;
        const wri_convert *row;
        wri_part_fate fate;
        if (from->kind == WR_PART_TRANSIENT) continue;
        WR_TRY(wri_info_part(ctx, a, old, i, now, &fate, &to, &row));
        if (fate == WRI_PART_GOES && to && from->kind == WR_PART_ROW) { /* nothing stands for it */
            (void)wr_raise(ctx, WR_SEMANTIC, "state '%.*s' has rows of other types in the snapshot",
                           WR_STR_ARG(old->logical_id));
            hint_columns(ctx, a, "Columns may become wider, nothing else", &from->schema,
                         &to->schema);
            return WR_SEMANTIC;
        }
        if (fate == WRI_PART_GOES && !allow_dropped) {
            (void)wr_raise(
                ctx, WR_SEMANTIC,
                "the snapshot holds '%.*s' in state '%.*s', which is not used any more%s",
                WR_STR_ARG(from->name), WR_STR_ARG(old->logical_id), to ? " as it is" : "");
            wr_hint(ctx, WRI_HINT_DROP);
            return WR_SEMANTIC;
        }
        if (fate == WRI_PART_STAYS)
            WR_TRY(add_move(ctx, a, out, (wri_move){from->offset, to->offset, to->bytes}));
        if (fate == WRI_PART_CHANGES &&
            !wr_list_push(a, &out->rows, ((wri_row_move){from->offset, to->offset, row})))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    return WR_OK;
}

static wr_status
match_keys(wr_ctx *ctx, const wr_state_table_info *old, const wr_state_table_info *now,
           wri_layout *out)
{
    const bool map = old->shape == WR_STATE_MAP;
    if (!old->key.count || !now->key.count ||
        (map ? wri_rows_fit(&old->key, &now->key) : wri_types_fit(&old->key, &now->key)))
        return WR_OK;
    if (old->shape != WR_STATE_ORDERED) /* whose keys are more than their columns */
        WR_TRY(wri_convert_make(ctx, out->arena, &old->key, &now->key,
                                map ? WRI_CONVERT_SUBKEY : WRI_CONVERT_KEY, &out->key));
    if (out->key) return WR_OK;
    (void)wr_raise(ctx, WR_SEMANTIC, "state '%.*s' has keys of other types in the snapshot",
                   WR_STR_ARG(now->logical_id));
    hint_columns(ctx, out->arena, "Keys may become wider, nothing else", &old->key, &now->key);
    return WR_SEMANTIC;
}

wr_status
wri_info_match(wr_ctx *ctx, wr_arena *a, const wr_state_table_info *old,
               const wr_state_table_info *now, bool allow_dropped, wri_layout *out)
{
    *out = (wri_layout){.arena = a};
    const wr_str id = now->logical_id;
    if (old->shape != now->shape || (old->parent < 0) != (now->parent < 0))
        return wr_raise(ctx, WR_SEMANTIC, "state '%.*s' is of another shape in the snapshot",
                        WR_STR_ARG(id));
    WR_TRY(match_keys(ctx, old, now, out));
    if (old->part_count && now->part_count) return match_parts(ctx, old, now, allow_dropped, out);
    if (old->record_bytes != now->record_bytes || old->record_version != now->record_version)
        return wr_raise(ctx, WR_SEMANTIC,
                        "state '%.*s' has records of %u bytes (version %u) in the snapshot, and of "
                        "%u bytes (version %u) here; they do not say what they are made of",
                        WR_STR_ARG(id), old->record_bytes, old->record_version, now->record_bytes,
                        now->record_version);
    return add_move(ctx, a, out, (wri_move){0, 0, now->record_bytes});
}

uint32_t
wri_layout_find(const wri_layout *l, uint32_t from, uint32_t bytes)
{
    for (uint32_t i = 0; i < l->moves.count; i++) {
        const wri_move *m = &l->moves.items[i];
        if (from >= m->from && from - m->from < m->bytes && bytes <= m->bytes - (from - m->from))
            return m->to + (from - m->from);
    }
    return UINT32_MAX;
}

wr_status
wri_layout_key(wr_ctx *ctx, const wri_layout *l, const uint8_t **key, uint32_t *len, uint64_t *hash)
{
    return l->key ? wri_convert_key(ctx, l->key, l->arena, key, len, hash) : WR_OK;
}

wr_status
wri_layout_blob(wr_ctx *ctx, const wri_layout *l, uint32_t from, const uint8_t **p, uint32_t *len,
                uint32_t *to)
{
    for (uint32_t i = 0; i < l->rows.count; i++) {
        const wri_row_move *r = &l->rows.items[i];
        if (r->from != from) continue;
        *to = r->to;
        return wri_convert_row(ctx, r->row, *p, *len, l->arena, p, len);
    }
    *to = wri_layout_find(l, from, sizeof(wr_blob));
    return WR_OK;
}

bool
wri_info_stays(const wr_state_table_info *old, const wr_state_table_info *now, const wri_layout *l)
{
    if (l->key || l->rows.count || old->part_count != now->part_count ||
        old->record_bytes != now->record_bytes || old->record_version != now->record_version ||
        (old->ttl_ms > 0) != (now->ttl_ms > 0))
        return false;
    for (uint32_t i = 0; i < old->part_count; i++) {
        const wr_state_part_info *p = &old->parts[i], *q = &now->parts[i];
        if (p->kind != q->kind || p->offset != q->offset || p->bytes != q->bytes) return false;
        if (p->bytes && p->kind != WR_PART_TRANSIENT &&
            wri_layout_find(l, p->offset, p->bytes) != q->offset)
            return false;
    }
    return true;
}
