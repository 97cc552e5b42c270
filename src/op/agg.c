/* SPDX-License-Identifier: Apache-2.0 */
/* Applying rows to groups: see agg_int.h. Every step is a loop over the positions of one aggregate,
 * with one indirect call per aggregate and batch. */
#include "op/agg_int.h"

/* ---- opening --------------------------------------------------------------------------------- */
static bool
same_args(const wr_agg_bound *b, const wri_distinct *d)
{
    if (b->arg_count != d->args.count) return false;
    for (uint32_t i = 0; i < b->arg_count; i++)
        if (b->args[i] != d->args.cols[i]) return false;
    return true;
}

/* Join the distinct set of these arguments, or make one; the member with the same filter. */
static wr_status
plan_distinct(wr_ctx *ctx, wri_aggs *a, wri_agg *agg)
{
    const wr_agg_bound *b = agg->bound;
    uint32_t at = 0;
    while (at < a->distinct_count && !same_args(b, &a->distincts[at])) at++;
    wri_distinct *d = &a->distincts[at];
    if (at == a->distinct_count) {
        a->distinct_count++;
        WR_TRY(
            wri_keyspec_init(ctx, a->op, a->op->node->inputs[0], b->args, b->arg_count, &d->args));
        d->filters = WR_NEW_N(a->op->env->arena, int32_t, a->agg_count);
        WR_TRY_ALLOC(ctx, d->filters);
    }
    uint32_t m = 0;
    while (m < d->member_count && d->filters[m] != b->filter) m++;
    if (m == d->member_count) d->filters[d->member_count++] = b->filter;
    agg->distinct = (int32_t)at;
    agg->member = m;
    return WR_OK;
}

static wr_status
open_all(wr_ctx *ctx, wr_op *op, const wri_keyspec *keys, bool retract, uint32_t head_bytes,
         wri_aggs *out)
{
    const wr_pnode *node = op->node;
    wri_aggs *a = out;
    a->op = op;
    a->agg_count = node->u.agg.agg_count;
    a->keys = *keys;
    a->aggs = WR_NEW_N(op->env->arena, wri_agg, a->agg_count + 1);
    a->distincts = WR_NEW_N(op->env->arena, wri_distinct, a->agg_count + 1);
    WR_TRY_ALLOC(ctx, a->aggs);
    WR_TRY_ALLOC(ctx, a->distincts);
    uint32_t at = head_bytes;
    for (uint32_t i = 0; i < a->agg_count; i++) {
        wri_agg *g = &a->aggs[i];
        g->bound = &node->u.agg.aggs[i];
        g->only_adds = retract && node->u.agg.retracts && !node->u.agg.retracts[i];
        g->ops = retract && !g->only_adds ? g->bound->retract_ops : g->bound->ops;
        g->distinct = -1;
        if (!g->ops)
            return wr_raise_at(ctx, WR_UNSUPPORTED, g->bound->span,
                               "not supported yet: aggregate function %s%s", g->bound->fn->name,
                               retract ? " over input with retractions" : "");
        const uint32_t align = WR_MAX(g->ops->state_align, 1u);
        at = (at + align - 1) / align * align;
        g->offset = at;
        at += g->ops->state_bytes;
        if (g->bound->distinct) WR_TRY(plan_distinct(ctx, a, g));
    }
    a->record_bytes = WR_MAX((at + 7) / 8 * 8, 8u);
    return wri_aggs_open_tables(ctx, a);
}

wr_status
wri_aggs_open(wr_ctx *ctx, wr_op *op, bool retract, uint32_t head_bytes, wri_aggs *out)
{
    const wr_pnode *node = op->node;
    wri_keyspec keys;
    WR_TRY(
        wri_keyspec_init(ctx, op, node->inputs[0], node->u.agg.keys, node->u.agg.key_count, &keys));
    return wri_aggs_open_keyed(ctx, op, &keys, retract, head_bytes, out);
}

wr_status
wri_aggs_open_keyed(wr_ctx *ctx, wr_op *op, const wri_keyspec *keys, bool retract,
                    uint32_t head_bytes, wri_aggs *out)
{
    static const wr_state_part head[] = {WRI_PART(wri_group, rows, WR_PART_PLAIN),
                                         WRI_PART(wri_group, serial, WR_PART_TRANSIENT),
                                         WRI_PART(wri_group, note, WR_PART_TRANSIENT)};
    *out = (wri_aggs){.head = head, .head_count = head_bytes ? WR_COUNT(head) : 0};
    return open_all(ctx, op, keys, retract, head_bytes, out);
}

wr_status
wri_aggs_open_headed(wr_ctx *ctx, wr_op *op, bool retract, uint32_t head_bytes,
                     const wr_state_part *head, uint32_t head_count, uint32_t number, wri_aggs *out)
{
    const wr_pnode *node = op->node;
    wri_keyspec keys;
    WR_TRY(
        wri_keyspec_init(ctx, op, node->inputs[0], node->u.agg.keys, node->u.agg.key_count, &keys));
    *out = (wri_aggs){.head = head, .head_count = head_count, .number = number};
    return open_all(ctx, op, &keys, retract, head_bytes, out);
}

wr_status
wri_aggs_open_keyed_headed(wr_ctx *ctx, wr_op *op, const wri_keyspec *keys, bool retract,
                           uint32_t head_bytes, const wr_state_part *head, uint32_t head_count,
                           wri_aggs *out)
{
    *out = (wri_aggs){.head = head, .head_count = head_count};
    return open_all(ctx, op, keys, retract, head_bytes, out);
}

/* ---- groups ---------------------------------------------------------------------------------- */
wr_status
wri_aggs_resolve(wr_ctx *ctx, wri_aggs *a, const wr_batch *b, wr_arena *arena, uint32_t **slots)
{
    const uint32_t n = wr_batch_live(b);
    const wr_state_ops *state = a->groups->ops;
    *slots = wr_arena_alloc(arena, sizeof **slots * (n + 1));
    WR_TRY_ALLOC(ctx, *slots);
    if (a->keys.count == 0) { /* one group: look it up once */
        WR_TRY(wri_single_slot(ctx, a->groups, *slots, NULL));
        for (uint32_t i = 1; i < n; i++) (*slots)[i] = (*slots)[0];
    } else {
        wr_keys keys;
        WR_TRY(wri_keys_make(ctx, &a->keys, b, arena, &keys));
        WR_TRY(state->resolve(ctx, a->groups, &keys, WR_STATE_UPSERT, *slots, NULL));
    }
    return WR_OK;
}

/* ---- masks ----------------------------------------------------------------------------------- */
/* A bit for each byte that is not 0. */
static void
pack_bytes(const uint8_t *p, uint32_t n, uint64_t *mask)
{
    const uint64_t low = 0x7f7f7f7f7f7f7f7full;
    uint32_t i = 0;
    for (; i + 8 <= n; i += 8) {
        const uint64_t x = wr_load64(p + i), set = (((x & low) + low) | x) >> 7 & ~low >> 7;
        mask[i / 64] |= (set * 0x0102040810204080ull >> 56) << i % 64;
    }
    for (; i < n; i++)
        if (p[i]) wr_bit_set(mask, i);
}

/* Positions whose filter column is TRUE. */
static uint64_t *
filter_mask(const wri_agg_rows *r, int32_t col, wr_arena *scratch)
{
    const size_t words = WR_BIT_WORDS(r->n);
    const wr_vec *vec = &r->batch->cols[col];
    uint64_t *mask = wr_arena_zalloc(scratch, sizeof *mask * (words + 1));
    if (!mask) return NULL;
    if (!r->rows && vec->form == WR_FORM_FLAT && vec->phys == WR_PHYS_BOOL) {
        pack_bytes(vec->data, r->n, mask);
        for (size_t w = 0; vec->has_nulls && w < words; w++) mask[w] &= vec->validity[w];
        return mask;
    }
    const wr_view v = wr_vec_view(vec);
    for (uint32_t i = 0; i < r->n; i++) {
        const uint32_t row = r->rows ? r->rows[i] : i;
        if (wr_view_valid(&v, row) && WR_VIEW(&v, uint8_t, row)) wr_bit_set(mask, i);
    }
    return mask;
}

/* The masks of a batch's filters: several aggregates mostly share them. */
typedef struct masks_of {
    uint32_t n;
    struct {
        int32_t col;
        uint64_t *mask;
    } known[8];
} masks_of;

static wr_status
mask_of(wr_ctx *ctx, masks_of *m, const wri_agg_rows *r, int32_t col, wr_arena *scratch,
        uint64_t **out)
{
    for (uint32_t i = 0; i < m->n; i++) {
        *out = m->known[i].mask;
        if (m->known[i].col == col) return WR_OK;
    }
    *out = filter_mask(r, col, scratch);
    WR_TRY_ALLOC(ctx, *out);
    if (m->n == WR_COUNT(m->known)) return WR_OK;
    m->known[m->n].col = col;
    m->known[m->n++].mask = *out;
    return WR_OK;
}

/* Positions of `mask` (NULL: all) that are not taken back. */
static uint64_t *
added_mask(const wri_agg_rows *r, const uint64_t *mask, wr_arena *scratch)
{
    uint64_t *out = wr_arena_zalloc(scratch, sizeof *out * (WR_BIT_WORDS(r->n) + 1));
    for (uint32_t i = 0; out && i < r->n; i++)
        if ((!mask || wr_bit_get(mask, i)) && !wri_is_retract(r->kind, r->rows ? r->rows[i] : i))
            wr_bit_set(out, i);
    return out;
}

/* Rows that are only added, of them those that `pass` (NULL: all): first[i] where a count was 0. */
static void
add_values(uint8_t *const *recs, uint32_t member, const uint64_t *pass, uint32_t n, uint64_t *first)
{
    for (uint32_t at = 0; at < n; at += 64) {
        const uint32_t left = WR_MIN(n - at, 64u);
        uint64_t todo = left == 64 ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1, fresh = 0;
        if (pass) todo &= pass[at / 64];
        for (; todo; todo &= todo - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(todo);
            int64_t *count = (int64_t *)(void *)recs[at + bit] + member;
            fresh |= (uint64_t)(*count == 0) << bit;
            ++*count;
        }
        first[at / 64] = fresh;
    }
}

static void
change_values(const wri_agg_rows *r, uint8_t *const *recs, uint32_t member, const uint64_t *pass,
              uint64_t *mask)
{
    for (uint32_t i = 0; i < r->n; i++) {
        if (pass && !wr_bit_get(pass, i)) continue;
        int64_t *count = (int64_t *)(void *)recs[i] + member;
        if (!wri_is_retract(r->kind, r->rows ? r->rows[i] : i)) {
            if ((*count)++ == 0) wr_bit_set(mask, i);
        } else if (*count > 0 && --*count == 0) {
            wr_bit_set(mask, i);
        }
    }
}

/* Entries that count nothing go: first all are looked at, for removal may move records. */
static wr_status
drop_values(wr_ctx *ctx, wri_aggs *a, const wri_distinct *d, const wri_agg_rows *r,
            const wr_keys *keys, uint8_t *const *recs, wr_arena *scratch)
{
    uint32_t *gone = wr_arena_alloc(scratch, sizeof *gone * (r->n + 1)), gone_count = 0;
    WR_TRY_ALLOC(ctx, gone);
    for (uint32_t i = 0; i < r->n; i++) {
        int64_t sum = 0;
        for (uint32_t m = 0; m < d->member_count; m++) sum |= ((int64_t *)(void *)recs[i])[m];
        gone[gone_count] = i;
        gone_count += sum == 0;
    }
    for (uint32_t k = 0; k < gone_count; k++) {
        const uint32_t i = gone[k];
        uint32_t len;
        const uint8_t *key = wri_key_at(keys, i, &len);
        a->groups->ops->map_remove(d->map, r->slots[i], key, len, keys->hash[i]);
    }
    return WR_OK;
}

/* Count the rows of a distinct set; masks[m]: positions where the value appears for the first time
 * or goes away for good. */
static wr_status
distinct_masks(wr_ctx *ctx, wri_aggs *a, wri_distinct *d, const wri_agg_rows *r, masks_of *filters,
               wr_arena *scratch, uint64_t **masks)
{
    wr_batch view = *r->batch;
    view.sel = r->rows;
    view.sel_count = r->n;
    if (!r->rows) view.row_count = r->n;
    wr_keys keys;
    WR_TRY(wri_keys_make(ctx, &d->args, &view, scratch, &keys));
    uint8_t **recs = wr_arena_alloc(scratch, sizeof *recs * (r->n + 1));
    WR_TRY_ALLOC(ctx, recs);
    WR_TRY(a->groups->ops->map_resolve(ctx, d->map, r->slots, &keys, WR_STATE_UPSERT, recs, NULL));
    bool all_count = false; /* every row is counted somewhere */
    for (uint32_t m = 0; m < d->member_count; m++) {
        uint64_t *pass = NULL;
        if (d->filters[m] >= 0) WR_TRY(mask_of(ctx, filters, r, d->filters[m], scratch, &pass));
        all_count |= !pass;
        masks[m] = wr_arena_zalloc(scratch, sizeof **masks * (WR_BIT_WORDS(r->n) + 1));
        WR_TRY_ALLOC(ctx, masks[m]);
        if (r->kind)
            change_values(r, recs, m, pass, masks[m]);
        else
            add_values(recs, m, pass, r->n, masks[m]);
    }
    if (!r->kind && all_count) return WR_OK;
    return drop_values(ctx, a, d, r, &keys, recs, scratch);
}

/* ---- applying -------------------------------------------------------------------------------- */
static wr_agg_call
call_of(wr_ctx *ctx, wri_aggs *a, wri_agg *g, const uint32_t *slots, uint32_t n, wr_arena *arena)
{
    return (wr_agg_call){.ctx = ctx,
                         .env = a->op->env->eval,
                         .agg = g->bound,
                         .n = n,
                         .slots = slots,
                         .table = a->groups,
                         .aux = g->aux,
                         .arena = arena};
}

uint8_t **
wri_aggs_records(wri_aggs *a, const uint32_t *slots, uint32_t n, wr_arena *scratch)
{
    uint8_t **base = wr_arena_alloc(scratch, sizeof *base * (n + 1));
    for (uint32_t i = 0; base && i < n; i++) base[i] = wr_state_rec(a->groups, slots[i]);
    return base;
}

static void
shift(uint8_t **recs, uint8_t *const *base, uint32_t n, uint32_t offset)
{
    for (uint32_t i = 0; i < n; i++) recs[i] = base[i] + offset;
}

static wr_status
update_one(wr_ctx *ctx, wri_aggs *a, wri_agg *g, const wri_agg_rows *r, uint8_t *const *recs,
           uint64_t **masks, masks_of *filters, wr_arena *scratch, wr_arena *arena, wr_vec *before,
           wr_vec *after)
{
    const wr_agg_bound *b = g->bound;
    wr_agg_call call = call_of(ctx, a, g, r->slots, r->n, arena);
    const wr_vec **args = wr_arena_alloc(scratch, sizeof *args * (b->arg_count + 1));
    WR_TRY_ALLOC(ctx, args);
    for (uint32_t k = 0; k < b->arg_count; k++) args[k] = &r->batch->cols[b->args[k]];
    call.args = args;
    call.arg_count = b->arg_count;
    call.rows = r->rows;
    call.kind = r->kind;
    call.recs = recs;
    call.touched = r->touched;
    if (g->distinct >= 0) {
        call.mask = masks[g->member];
    } else if (b->filter >= 0) {
        uint64_t *mask;
        WR_TRY(mask_of(ctx, filters, r, b->filter, scratch, &mask));
        call.mask = mask;
    }
    if (g->only_adds && r->kind) {
        call.mask = added_mask(r, call.mask, scratch);
        call.kind = NULL;
        WR_TRY_ALLOC(ctx, call.mask);
    }
    if (before && !wr_vec_init_flat(before, b->type, r->n, arena)) return WRI_NOMEM(ctx);
    if (after && !wr_vec_init_flat(after, b->type, r->n, arena)) return WRI_NOMEM(ctx);
    call.before = before;
    call.after = after;
    return g->ops->update(&call);
}

static wr_status
update_all(wr_ctx *ctx, wri_aggs *a, const wri_agg_rows *r, uint8_t *const *base, uint64_t ***masks,
           masks_of *filters, wr_arena *scratch, wr_arena *arena, wr_vec *before, wr_vec *after)
{
    uint8_t **recs = wr_arena_alloc(scratch, sizeof *recs * (r->n + 1));
    WR_TRY_ALLOC(ctx, recs);
    for (uint32_t i = 0; i < a->agg_count; i++) {
        wri_agg *g = &a->aggs[i];
        if (g->offset) shift(recs, base, r->n, g->offset);
        WR_TRY(update_one(ctx, a, g, r, g->offset ? recs : base,
                          g->distinct >= 0 ? masks[g->distinct] : NULL, filters, scratch, arena,
                          before ? &before[i] : NULL, after ? &after[i] : NULL));
    }
    return WR_OK;
}

wr_status
wri_aggs_update(wr_ctx *ctx, wri_aggs *a, const wri_agg_rows *r, wr_arena *scratch, wr_arena *arena,
                wr_vec *before, wr_vec *after)
{
    if (r->n == 0) return WR_OK;
    masks_of filters = {0};
    uint64_t ***masks = wr_arena_zalloc(scratch, sizeof *masks * (a->distinct_count + 1));
    WR_TRY_ALLOC(ctx, masks);
    for (uint32_t d = 0; d < a->distinct_count; d++) {
        masks[d] = wr_arena_zalloc(scratch, sizeof **masks * a->distincts[d].member_count);
        WR_TRY_ALLOC(ctx, masks[d]);
        WR_TRY(distinct_masks(ctx, a, &a->distincts[d], r, &filters, scratch, masks[d]));
    }
    uint8_t **base = wri_aggs_records(a, r->slots, r->n, scratch);
    WR_TRY_ALLOC(ctx, base);
    return update_all(ctx, a, r, base, masks, &filters, scratch, arena, before, after);
}

wr_status
wri_aggs_update_at(wr_ctx *ctx, wri_aggs *a, const wri_agg_rows *r, uint8_t *const *base,
                   wr_arena *scratch, wr_arena *arena)
{
    masks_of filters = {0};
    return update_all(ctx, a, r, base, NULL, &filters, scratch, arena, NULL, NULL);
}

static wr_status
result_all(wr_ctx *ctx, wri_aggs *a, const uint32_t *slots, uint8_t *const *base, uint32_t n,
           wr_arena *scratch, wr_arena *arena, wr_vec *out)
{
    uint8_t **recs = wr_arena_alloc(scratch, sizeof *recs * (n + 1));
    WR_TRY_ALLOC(ctx, recs);
    for (uint32_t i = 0; i < a->agg_count; i++) {
        wri_agg *g = &a->aggs[i];
        shift(recs, base, n, g->offset);
        if (!wr_vec_init_flat(&out[i], g->bound->type, n, arena)) return WRI_NOMEM(ctx);
        wr_agg_call call = call_of(ctx, a, g, slots, n, arena);
        call.recs = recs;
        call.after = &out[i];
        WR_TRY(g->ops->result(&call));
    }
    return WR_OK;
}

wr_status
wri_aggs_result(wr_ctx *ctx, wri_aggs *a, const uint32_t *slots, uint32_t n, wr_arena *scratch,
                wr_arena *arena, wr_vec *out)
{
    uint8_t **base = wri_aggs_records(a, slots, n, scratch);
    WR_TRY_ALLOC(ctx, base);
    return result_all(ctx, a, slots, base, n, scratch, arena, out);
}

wr_status
wri_aggs_result_at(wr_ctx *ctx, wri_aggs *a, uint8_t *const *base, uint32_t n, wr_arena *scratch,
                   wr_arena *arena, wr_vec *out)
{
    return result_all(ctx, a, NULL, base, n, scratch, arena, out);
}

/* Calls `merge`, or `unmerge` where `again` is not NULL. */
static wr_status
merge_all(wr_ctx *ctx, wri_aggs *a, uint8_t *const *from, uint8_t *const *to, const uint32_t *slots,
          uint32_t n, uint8_t *again, wr_arena *scratch)
{
    uint8_t **recs = wr_arena_alloc(scratch, sizeof *recs * (n + 1));
    uint8_t **others = wr_arena_alloc(scratch, sizeof *others * (n + 1));
    if (!recs || !others) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < a->agg_count; i++) {
        wri_agg *g = &a->aggs[i];
        shift(recs, to, n, g->offset);
        shift(others, from, n, g->offset);
        wr_agg_call call = call_of(ctx, a, g, slots, n, scratch);
        call.recs = recs;
        WR_TRY(again ? g->ops->unmerge(&call, others, again) : g->ops->merge(&call, others));
    }
    return WR_OK;
}

static wr_status
merge_slots(wr_ctx *ctx, wri_aggs *a, const uint32_t *from, const uint32_t *to, uint32_t n,
            uint8_t *again, wr_arena *scratch)
{
    uint8_t **base = wri_aggs_records(a, to, n, scratch);
    uint8_t **other = wri_aggs_records(a, from, n, scratch);
    if (!base || !other) return WRI_NOMEM(ctx);
    return merge_all(ctx, a, other, base, to, n, again, scratch);
}

wr_status
wri_aggs_merge(wr_ctx *ctx, wri_aggs *a, const uint32_t *from, const uint32_t *to, uint32_t n,
               wr_arena *scratch)
{
    return merge_slots(ctx, a, from, to, n, NULL, scratch);
}

wr_status
wri_aggs_unmerge(wr_ctx *ctx, wri_aggs *a, const uint32_t *from, const uint32_t *to, uint32_t n,
                 uint8_t *again, wr_arena *scratch)
{
    return merge_slots(ctx, a, from, to, n, again, scratch);
}

wr_status
wri_aggs_merge_at(wr_ctx *ctx, wri_aggs *a, uint8_t *const *from, uint8_t *const *to, uint32_t n,
                  wr_arena *scratch)
{
    return merge_all(ctx, a, from, to, NULL, n, NULL, scratch);
}

wr_status
wri_aggs_unmerge_at(wr_ctx *ctx, wri_aggs *a, uint8_t *const *from, uint8_t *const *to, uint32_t n,
                    uint8_t *again, wr_arena *scratch)
{
    return merge_all(ctx, a, from, to, NULL, n, again, scratch);
}

static bool
has_fixed_size(const wr_type *t)
{
    switch ((int)wr_type_phys(t)) {
    case WR_PHYS_NONE:
    case WR_PHYS_STR:
    case WR_PHYS_LIST:
    case WR_PHYS_MAP:
    case WR_PHYS_ROW:
        return false;
    default:
        return true;
    }
}

bool
wri_aggs_lie_flat(const wri_aggs *a)
{
    const wr_schema *in = &a->op->node->inputs[0]->schema;
    if (a->distinct_count) return false;
    for (uint32_t i = 0; i < a->agg_count; i++) {
        const wr_agg_bound *b = a->aggs[i].bound;
        if (a->aggs[i].ops->aux != WR_AGG_AUX_NONE) return false;
        for (uint32_t k = 0; a->aggs[i].ops->clear && k < b->arg_count; k++)
            if (!has_fixed_size(in->fields[b->args[k]].type)) return false;
    }
    return true;
}

wr_status
wri_aggs_emit_nothing(wr_ctx *ctx, wri_aggs *a, wr_arena *scratch, wr_emitter *emit)
{
    const wr_batch one = {.row_count = 1};
    wr_op *op = a->op;
    uint64_t pos = 0;
    uint32_t *slots, slot;
    if (!op->node->u.agg.at_end || op->env->subtask != 0 ||
        a->groups->ops->next_slot(a->groups, &pos, &slot))
        return WR_OK;
    if (wr_emit_full(emit)) {
        op->pending = true;
        return WR_OK;
    }
    wr_arena_reset(scratch);
    WR_TRY(wri_aggs_resolve(ctx, a, &one, scratch, &slots));
    wr_batch *out = wr_batch_acquire(op->env->pool, op->node->schema.count);
    WR_TRY_ALLOC(ctx, out);
    const wr_status status = wri_aggs_result(ctx, a, slots, 1, scratch, out->arena, out->cols);
    if (status != WR_OK) {
        wr_batch_release(out);
        return status;
    }
    out->row_count = 1;
    return wr_emit(ctx, emit, out);
}

static void
clear_aux(wri_aggs *a, const wri_agg *g, const uint32_t *slots, uint32_t n)
{
    const wr_state_ops *ops = a->groups->ops;
    for (uint32_t k = 0; k < n; k++) {
        if (g->ops->aux == WR_AGG_AUX_MAP)
            ops->map_clear(g->aux, slots[k]);
        else
            ops->ord_clear(g->aux, slots[k]);
    }
}

wr_status
wri_aggs_restart(wr_ctx *ctx, wri_aggs *a, const uint32_t *slots, uint32_t n, wr_arena *scratch)
{
    uint8_t **base = wri_aggs_records(a, slots, n, scratch);
    uint8_t **recs = wr_arena_alloc(scratch, sizeof *recs * (n + 1));
    WR_TRY_ALLOC(ctx, base);
    WR_TRY_ALLOC(ctx, recs);
    for (uint32_t i = 0; i < a->agg_count; i++) {
        wri_agg *g = &a->aggs[i];
        shift(recs, base, n, g->offset);
        wr_agg_call call = call_of(ctx, a, g, slots, n, scratch);
        call.recs = recs;
        if (g->ops->clear)
            g->ops->clear(&call);
        else if (g->aux)
            clear_aux(a, g, slots, n);
        for (uint32_t k = 0; k < n; k++) memset(recs[k], 0, g->ops->state_bytes);
    }
    for (uint32_t d = 0; d < a->distinct_count; d++)
        for (uint32_t k = 0; k < n; k++) a->groups->ops->map_clear(a->distincts[d].map, slots[k]);
    return WR_OK;
}
