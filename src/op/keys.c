/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of keyed state: one integer column is the key itself; anything else is the row encoding of
 * the key columns. The hash is wr_batch_hash, as the exchanges use it. */
#include "op/op_int.h"

static bool
is_integer_phys(uint8_t phys)
{
    return phys >= WR_PHYS_BOOL && phys <= WR_PHYS_I64;
}

wr_status
wri_keyspec_init(wr_ctx *ctx, wr_op *op, const wr_pnode *of, const uint32_t *cols, uint32_t count,
                 wri_keyspec *out)
{
    wr_field *fields = WR_NEW_N(op->env->arena, wr_field, count + 1);
    WR_TRY_ALLOC(ctx, fields);
    for (uint32_t i = 0; i < count; i++) {
        fields[i] = of->schema.fields[cols[i]];
        WR_TRY(wr_col_origin(ctx, op->env->arena, of, cols[i], &fields[i].name));
    }
    *out = (wri_keyspec){.cols = cols, .count = count, .schema = {fields, count}};
    if (count == 1 && is_integer_phys(fields[0].type->phys)) out->fixed = fields[0].type->phys;
    return WR_OK;
}

wr_status
wri_row_schema(wr_ctx *ctx, wr_op *op, const wr_pnode *of, const wr_schema **out)
{
    wri_keyspec all;
    wr_schema *schema = WR_NEW(op->env->arena, wr_schema);
    const uint32_t *cols = wri_iota(op->env->arena, of->schema.count);
    WR_TRY_ALLOC(ctx, schema);
    WR_TRY_ALLOC(ctx, cols);
    WR_TRY(wri_keyspec_init(ctx, op, of, cols, of->schema.count, &all));
    *schema = all.schema;
    *out = schema;
    return WR_OK;
}

#define WIDEN(T)                                                                                   \
    for (uint32_t i = 0; i < n; i++)                                                               \
        fixed[i] = (uint64_t)(int64_t)WR_VIEW(&view, T, wr_batch_row(b, i));                       \
    break

static wr_status
make_fixed(wr_ctx *ctx, const wri_keyspec *spec, const wr_batch *b, wr_arena *arena, wr_keys *out)
{
    const uint32_t n = out->n;
    const wr_vec *v = &b->cols[spec->cols[0]];
    if (v->phys == WR_PHYS_I64 && v->form == WR_FORM_FLAT && !b->sel) {
        out->fixed = v->data;
        out->valid = v->has_nulls ? v->validity : NULL;
        return WR_OK;
    }
    uint64_t *fixed = wr_arena_alloc(arena, sizeof *fixed * (n + 1));
    WR_TRY_ALLOC(ctx, fixed);
    out->fixed = fixed;
    const wr_view view = wr_vec_view(v);
    switch (v->phys) {
    case WR_PHYS_BOOL:
        WIDEN(uint8_t);
    case WR_PHYS_I8:
        WIDEN(int8_t);
    case WR_PHYS_I16:
        WIDEN(int16_t);
    case WR_PHYS_I32:
        WIDEN(int32_t);
    default:
        WIDEN(int64_t);
    }
    if (!view.validity) return WR_OK;
    uint64_t *valid = wr_arena_zalloc(arena, sizeof *valid * (WR_BIT_WORDS(n) + 1));
    WR_TRY_ALLOC(ctx, valid);
    for (uint32_t i = 0; i < n; i++)
        if (wr_view_valid(&view, wr_batch_row(b, i))) wr_bit_set(valid, i);
    out->valid = valid;
    return WR_OK;
}

wr_status
wri_keys_make(wr_ctx *ctx, const wri_keyspec *spec, const wr_batch *b, wr_arena *arena,
              wr_keys *out)
{
    const uint32_t n = wr_batch_live(b);
    uint64_t *hash = wr_arena_alloc(arena, sizeof *hash * (n + 1));
    WR_TRY_ALLOC(ctx, hash);
    *out = (wr_keys){.n = n, .hash = hash};
    if (spec->count == 0) { /* one key for all: subtask 0 owns the key group of hash 0 */
        memset(hash, 0, sizeof *hash * n);
        uint32_t *off = wr_arena_zalloc(arena, sizeof *off * (n + 1));
        WR_TRY_ALLOC(ctx, off);
        out->off = off;
        out->data = (const uint8_t *)"";
        return WR_OK;
    }
    wr_batch_hash(b, spec->cols, spec->count, hash);
    if (spec->fixed) return make_fixed(ctx, spec, b, arena, out);
    wr_bytes bytes;
    if (!wr_row_encode(b, spec->cols, spec->count, arena, &bytes)) return WRI_NOMEM(ctx);
    out->data = bytes.data;
    out->off = bytes.off;
    return WR_OK;
}

wr_status
wri_keys_fixed(wr_ctx *ctx, const wri_keyspec *spec, const wr_batch *b, wr_arena *arena,
               wr_keys *out)
{
    *out = (wr_keys){.n = wr_batch_live(b)};
    return make_fixed(ctx, spec, b, arena, out);
}

wr_status
wri_keys_hash(wr_ctx *ctx, const wri_keyspec *spec, const wr_batch *b, wr_arena *arena,
              wr_keys *out)
{
    if (spec->fixed || spec->count == 0) return wri_keys_make(ctx, spec, b, arena, out);
    uint64_t *hash = wr_arena_alloc(arena, sizeof *hash * (wr_batch_live(b) + 1));
    WR_TRY_ALLOC(ctx, hash);
    *out = (wr_keys){.n = wr_batch_live(b), .hash = hash};
    wr_batch_hash(b, spec->cols, spec->count, hash);
    return WR_OK;
}

wr_status
wri_key_decode(wr_ctx *ctx, const wri_keyspec *spec, const uint8_t *key, uint32_t len, wr_vec *cols,
               uint32_t row, wr_arena *arena)
{
    if (spec->count == 0) return WR_OK;
    if (!spec->fixed) return wr_row_decode(ctx, key, len, cols, spec->count, row, true, arena);
    if (len == 0) {
        if (!wr_vec_set_null(&cols[0], row, arena)) return WRI_NOMEM(ctx);
        return WR_OK;
    }
    const uint64_t k = wr_load64(key);
    switch (wr_phys_bytes((wr_phys)spec->fixed)) {
    case 1:
        ((uint8_t *)cols[0].data)[row] = (uint8_t)k;
        break;
    case 2:
        ((uint16_t *)cols[0].data)[row] = (uint16_t)k;
        break;
    case 4:
        ((uint32_t *)cols[0].data)[row] = (uint32_t)k;
        break;
    default:
        ((uint64_t *)cols[0].data)[row] = k;
        break;
    }
    return WR_OK;
}

const wr_state_part *
wri_parts_copy(wr_op *op, const wr_state_part *parts, uint32_t n)
{
    wr_state_part *copy = WR_NEW_N(op->env->arena, wr_state_part, n + 1);
    if (copy) memcpy(copy, parts, sizeof *parts * n);
    return copy;
}

wr_status
wri_table_open(wr_ctx *ctx, wr_op *op, const char *name, const wr_state_desc *desc,
               wr_state_table **out)
{
    wr_state_desc d = *desc;
    d.logical_id = wr_str_c(name);
    d.record_bytes = (d.record_bytes + 7) / 8 * 8;
    d.record_version = d.record_version ? d.record_version : 1;
    return op->env->state->ops->table_open(ctx, op->env->state, &d, out);
}

wr_status
wri_timed_side_open(wr_ctx *ctx, wr_op *op, uint32_t k, wr_state_table *keys, wr_state_part *parts,
                    uint32_t part_count, size_t record_bytes, wri_keyspec *key, uint32_t **all_cols,
                    wr_state_table **out)
{
    const wr_pnode *n = op->node, *in = n->inputs[k];
    WR_TRY(wri_keyspec_init(ctx, op, in, k ? n->u.join.right_keys : n->u.join.left_keys,
                            n->u.join.key_count, key));
    *all_cols = wri_iota(op->env->arena, in->schema.count);
    WR_TRY_ALLOC(ctx, *all_cols);
    WR_TRY(wri_row_schema(ctx, op, in, &parts[0].schema));
    wr_state_desc desc = {.shape = WR_STATE_ORDERED,
                          .record_bytes = (uint32_t)record_bytes,
                          .parent = keys,
                          .part_count = part_count};
    desc.parts = wri_parts_copy(op, parts, part_count);
    WR_TRY_ALLOC(ctx, desc.parts);
    return wri_table_open(ctx, op, k ? "right" : "left", &desc, out);
}

wr_status
wri_single_slot(wr_ctx *ctx, wr_state_table *t, uint32_t *slot, uint64_t *fresh)
{
    const uint64_t hash = 0;
    const uint32_t off[2] = {0, 0};
    const wr_keys one = {.n = 1, .hash = &hash, .data = (const uint8_t *)"", .off = off};
    return t->ops->resolve(ctx, t, &one, WR_STATE_UPSERT, slot, fresh);
}

/* ---- numbers in operator state: 8 bytes, little endian --------------------------------------- */
wr_status
wri_number_keep(wr_ctx *ctx, wr_opstate *s, const char *name, wr_opstate_mode mode, int64_t value)
{
    char bytes[8];
    wr_store64(bytes, (uint64_t)value);
    return wr_opstate_add(ctx, s, wr_str_c(name), mode, (wr_str){bytes, sizeof bytes});
}

wr_status
wri_number_item(wr_ctx *ctx, const wr_opstate_list *list, uint32_t i, int64_t *out)
{
    const wr_str item = list->items.items[i];
    if (item.len != 8)
        return wr_raise(ctx, WR_CORRUPT, "operator state '%.*s' holds %zu bytes, not a number",
                        WR_STR_ARG(list->name), item.len);
    *out = (int64_t)wr_load64(item.ptr);
    return WR_OK;
}
