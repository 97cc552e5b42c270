/* SPDX-License-Identifier: Apache-2.0 */
/* State of the streaming join: resolving keys, looking up the other side, remembering rows. */
#include "op/join_int.h"

#define PAIRS_WANTED (2u * WR_BATCH_ROWS)
#define FOUND_MAX    (4u * WR_BATCH_ROWS) /* records decoded at once */

wr_status
wri_join_side_open(wr_ctx *ctx, wr_op *op, const wri_join_input *in, wr_state_table *keys,
                   wri_join_side *s)
{
    s->schema = &in->node->schema;
    WR_TRY(wri_keyspec_init(ctx, op, in->node, in->keys, in->key_count, &s->key));
    s->has_unique = in->key_contains_unique || in->unique_count > 0;
    const uint32_t unique = in->key_contains_unique ? 0 : in->unique_count;
    WR_TRY(wri_keyspec_init(ctx, op, in->node, in->unique, unique, &s->unique));
    const wr_clmode mode = in->node->changelog;
    s->upserts = s->has_unique && (mode & WR_CL_UA) && !(mode & WR_CL_UB);
    s->all_cols = wri_iota(op->env->arena, s->schema->count);
    WR_TRY_ALLOC(ctx, s->all_cols);
    s->ordered = wri_join_can_order(s);
    const wr_schema *row = NULL;
    WR_TRY(wri_row_schema(ctx, op, in->node, &row));
    const wr_state_part parts[] = {{.name = "row",
                                    .kind = WR_PART_ROW,
                                    .offset = offsetof(wri_join_record, row),
                                    .bytes = sizeof(wr_blob),
                                    .schema = row},
                                   WRI_PART(wri_join_record, copies, WR_PART_PLAIN),
                                   WRI_PART(wri_join_record, matches, WR_PART_PLAIN),
                                   WRI_PART(wri_join_record, order, WR_PART_TRANSIENT),
                                   WRI_PART(wri_join_record, has_order, WR_PART_TRANSIENT)};
    const uint32_t first = s->has_unique ? 0 : 1; /* else the sub-key is the row */
    wr_state_desc desc = {.shape = WR_STATE_MAP,
                          .key = s->has_unique ? &s->unique.schema : row,
                          .record_bytes = s->has_unique ? sizeof(wri_join_record)
                                                        : offsetof(wri_join_record, row),
                          .ttl_ms = in->ttl_ms,
                          .parent = keys,
                          .part_count = WR_COUNT(parts) - first};
    desc.parts = wri_parts_copy(op, parts + first, desc.part_count);
    WR_TRY_ALLOC(ctx, desc.parts);
    wr_text name; /* another unique key makes other sub-keys */
    wr_text_init(&name, op->env->arena);
    wr_text_puts(&name, in->name);
    if (s->has_unique) wr_text_puts(&name, unique ? " by" : " by join key");
    for (uint32_t i = 0; i < unique; i++)
        wr_text_printf(&name, "%s %.*s", i ? "," : "", WR_STR_ARG(s->unique.schema.fields[i].name));
    wr_text_putc(&name, 0);
    if (name.failed) return WRI_NOMEM(ctx);
    return wri_table_open(ctx, op, name.ptr, &desc, &s->rows);
}

static wr_status
open_side(wr_ctx *ctx, wri_join_op *j, uint32_t k)
{
    const wr_pnode *n = j->op.node;
    const wri_join_input in = {.node = n->inputs[k],
                               .keys = k ? n->u.join.right_keys : n->u.join.left_keys,
                               .key_count = n->u.join.key_count,
                               .unique = n->u.join.unique_key[k],
                               .unique_count = n->u.join.unique_key_count[k],
                               .key_contains_unique = n->u.join.key_contains_unique[k],
                               .ttl_ms = n->u.join.ttl_ms[k],
                               .name = k ? "right" : "left"};
    return wri_join_side_open(ctx, &j->op, &in, j->keys, &j->side[k]);
}

wr_status
wri_join_state_open(wr_ctx *ctx, wri_join_op *j)
{
    wr_op *op = &j->op;
    const int64_t *ttl = op->node->u.join.ttl_ms;
    const bool bounded = ttl[0] > 0 && ttl[1] > 0;
    wri_keyspec key;
    WR_TRY(wri_keyspec_init(ctx, op, op->node->inputs[0], op->node->u.join.left_keys,
                            op->node->u.join.key_count, &key));
    wr_schema *schema = WR_NEW(op->env->arena, wr_schema);
    WR_TRY_ALLOC(ctx, schema);
    *schema = key.schema;
    static const wr_state_part parts[] = {WRI_PART(wri_join_key, listed, WR_PART_TRANSIENT),
                                          WRI_PART(wri_join_key, table, WR_PART_PLAIN),
                                          WRI_PART(wri_join_key, size, WR_PART_PLAIN)};
    const wr_state_desc desc = {.shape = WR_STATE_VALUE,
                                .key = schema,
                                .record_bytes = sizeof(wri_join_key),
                                .parts = parts,
                                .part_count = WR_COUNT(parts),
                                .ttl_ms = bounded ? WR_MAX(ttl[0], ttl[1]) : 0};
    WR_TRY(wri_table_open(ctx, op, "keys", &desc, &j->keys));
    for (uint32_t k = 0; k < 2; k++) WR_TRY(open_side(ctx, j, k));
    const uint8_t t = j->type;
    j->side[0].outer = t == WR_JOIN_LEFT || t == WR_JOIN_FULL;
    j->side[1].outer = t == WR_JOIN_RIGHT || t == WR_JOIN_FULL;
    j->side[0].counted = j->side[0].outer || t == WR_JOIN_SEMI || t == WR_JOIN_ANTI;
    j->side[1].counted = j->side[1].outer;
    return WR_OK;
}

/* ---- the input batch ------------------------------------------------------------------------- */
/* Does the row have a NULL in a key column where NULL equals nothing? */
static bool
has_null_key(const wri_join_op *j, uint32_t row)
{
    const wri_keyspec *key = &j->side[j->from].key;
    const bool *null_equal = j->op.node->u.join.null_equal;
    for (uint32_t k = 0; k < key->count; k++)
        if (!(null_equal && null_equal[k]) && wr_vec_is_null(&j->in->cols[key->cols[k]], row))
            return true;
    return false;
}

/* Of the live rows: columns whose NULLs a filter has taken still say that they have some. */
bool
wri_join_has_null(const wr_batch *b, const wr_vec *v)
{
    if (v->phys == WR_PHYS_NONE) return true;
    if (!v->has_nulls) return false;
    const wr_view w = wr_vec_view(v);
    for (uint32_t i = 0, n = wr_batch_live(b); i < n; i++)
        if (!wr_view_valid(&w, wr_batch_row(b, i))) return true;
    return false;
}

static bool
may_have_null_key(const wri_join_op *j)
{
    const wri_keyspec *key = &j->side[j->from].key;
    for (uint32_t k = 0; k < key->count; k++) {
        if (wri_join_has_null(j->in, &j->in->cols[key->cols[k]])) return true;
    }
    return false;
}

/* Unique keys, or whole rows. */
wr_status
wri_join_subkeys(wr_ctx *ctx, const wri_join_side *s, const wr_batch *in, const wr_bytes *rows,
                 wr_arena *arena, wr_keys *out)
{
    if (s->has_unique) return wri_keys_make(ctx, &s->unique, in, arena, out);
    const uint32_t n = wr_batch_live(in);
    uint64_t *hash = wr_arena_alloc(arena, sizeof *hash * (n + 1));
    WR_TRY_ALLOC(ctx, hash);
    for (uint32_t i = 0; i < n; i++)
        hash[i] = wr_hash_bytes(rows->data + rows->off[i], rows->off[i + 1] - rows->off[i], 0);
    *out = (wr_keys){.n = n, .hash = hash, .data = rows->data, .off = rows->off};
    return WR_OK;
}

static wr_status
make_subkeys(wr_ctx *ctx, wri_join_op *j, wr_keys *out)
{
    return wri_join_subkeys(ctx, &j->side[j->from], j->in, &j->rows, j->scratch, out);
}

/* The latest earlier row of the batch with the unique key of row i, WRI_NO_ROW if none; row i takes
 * its place in `heads` (2^bits entries of row + 1). */
static uint32_t
earlier_row(const wri_join_op *j, const wr_keys *keys, uint32_t i, uint32_t *heads, uint32_t mask)
{
    uint32_t len, other;
    const uint8_t *key = wri_key_at(keys, i, &len);
    uint32_t at = (uint32_t)wr_hash_u64(keys->hash[i] + j->slots[i]) & mask;
    for (; heads[at]; at = (at + 1) & mask) {
        const uint32_t row = heads[at] - 1;
        const uint8_t *its = wri_key_at(keys, row, &other);
        if (j->slots[row] != j->slots[i] || other != len || memcmp(its, key, len) != 0) continue;
        heads[at] = i + 1;
        return row;
    }
    heads[at] = i + 1;
    return WRI_NO_ROW;
}

/* Which rows replace a record. A +U that does is no new match for the other side's records. */
static wr_status
mark_replacing(wr_ctx *ctx, wri_join_op *j)
{
    const wri_join_side *s = &j->side[j->from];
    j->replaces = NULL;
    if (!s->upserts || !j->side[1 - j->from].counted) return WR_OK;
    uint32_t cap = 16;
    while (cap < 2 * j->n) cap *= 2;
    wr_keys keys;
    WR_TRY(make_subkeys(ctx, j, &keys));
    uint8_t **recs = wr_arena_alloc(j->scratch, sizeof *recs * (j->n + 1));
    uint32_t *heads = wr_arena_zalloc(j->scratch, sizeof *heads * cap);
    bool *lives = wr_arena_alloc(j->scratch, sizeof *lives * (j->n + 1));
    j->replaces = wr_arena_alloc(j->scratch, sizeof *j->replaces * (j->n + 1));
    if (!recs || !heads || !lives || !j->replaces) return WRI_NOMEM(ctx);
    WR_TRY(s->rows->ops->map_resolve(ctx, s->rows, j->slots, &keys, WR_STATE_READ, recs, NULL));
    for (uint32_t i = 0; i < j->n; i++) {
        const wri_join_record *r = (const wri_join_record *)(const void *)recs[i];
        const uint32_t before = earlier_row(j, &keys, i, heads, cap - 1);
        const bool there = before == WRI_NO_ROW ? r && r->copies > 0 : lives[before];
        const wr_kind kind = wr_batch_kind(j->in, wr_batch_row(j->in, i));
        lives[i] = kind == WR_INSERT || kind == WR_UPDATE_AFTER;
        j->replaces[i] = lives[i] && there;
    }
    return WR_OK;
}

wr_status
wri_join_prepare(wr_ctx *ctx, wri_join_op *j)
{
    const wri_join_side *s = &j->side[j->from];
    wr_arena_reset(j->scratch);
    j->n = wr_batch_live(j->in);
    j->at = 0;
    j->slots = wr_arena_alloc(j->scratch, sizeof *j->slots * (j->n + 1));
    j->match_count = wr_arena_zalloc(j->scratch, sizeof *j->match_count * (j->n + 1));
    if (!j->slots || !j->match_count) return WRI_NOMEM(ctx);
    wr_keys keys;
    WR_TRY(wri_keys_make(ctx, &s->key, j->in, j->scratch, &keys));
    WR_TRY(j->keys->ops->resolve(ctx, j->keys, &keys, WR_STATE_UPSERT, j->slots, NULL));
    if (!wr_row_encode(j->in, s->all_cols, s->schema->count, j->scratch, &j->rows))
        return WRI_NOMEM(ctx);
    return mark_replacing(ctx, j);
}

/* ---- remembering ----------------------------------------------------------------------------- */
static wr_status
remember_row(wr_ctx *ctx, wri_join_op *j, uint32_t i, wri_join_record *r)
{
    wri_join_side *s = &j->side[j->from];
    const wr_kind kind = wr_batch_kind(j->in, wr_batch_row(j->in, i));
    wri_join_key *key = (wri_join_key *)(void *)wr_state_rec(j->keys, j->slots[i]);
    if (kind == WR_INSERT || kind == WR_UPDATE_AFTER) {
        if (r->copies == 0) wri_join_count(&key->table[j->from], &key->size[j->from], false);
        r->matches = j->match_count[i];
        r->copies = s->has_unique ? 1 : r->copies + 1;
        if (!s->has_unique) return WR_OK;
        return s->rows->ops->blob_set(ctx, s->rows, &r->row, j->rows.data + j->rows.off[i],
                                      j->rows.off[i + 1] - j->rows.off[i]);
    }
    const bool was = r->copies > 0;
    r->copies = s->has_unique || !was ? 0 : r->copies - 1;
    if (was && r->copies == 0) wri_join_count(&key->table[j->from], &key->size[j->from], true);
    return WR_OK;
}

/* Keys of which neither side has a row any more go. */
static wr_status
drop_empty_keys(wr_ctx *ctx, wri_join_op *j, const bool *removed)
{
    const wr_state_ops *ops = j->keys->ops;
    uint32_t *list = wr_arena_alloc(j->scratch, sizeof *list * (j->n + 1)), count = 0;
    WR_TRY_ALLOC(ctx, list);
    j->serial++;
    for (uint32_t i = 0; i < j->n; i++) {
        if (!removed[i]) continue;
        wri_join_key *k = (wri_join_key *)(void *)wr_state_rec(j->keys, j->slots[i]);
        if (k->listed == j->serial) continue;
        k->listed = j->serial;
        list[count++] = j->slots[i];
    }
    for (uint32_t i = 0; i < count; i++)
        if (ops->map_count(j->side[0].rows, list[i]) == 0 &&
            ops->map_count(j->side[1].rows, list[i]) == 0)
            ops->remove(j->keys, list[i]);
    return WR_OK;
}

wr_status
wri_join_remember(wr_ctx *ctx, wri_join_op *j)
{
    wri_join_side *s = &j->side[j->from];
    wr_keys subkeys;
    WR_TRY(make_subkeys(ctx, j, &subkeys));
    uint8_t **recs = wr_arena_alloc(j->scratch, sizeof *recs * (j->n + 1));
    uint32_t *kept = wr_arena_alloc(j->scratch, sizeof *kept * (j->n + 1));
    bool *removed = wr_arena_zalloc(j->scratch, sizeof *removed * (j->n + 1));
    if (!recs || !kept || !removed) return WRI_NOMEM(ctx);
    /* rows that can match nothing are not kept */
    const bool nulls = may_have_null_key(j);
    for (uint32_t i = 0; i < j->n; i++) {
        removed[i] = nulls && has_null_key(j, wr_batch_row(j->in, i));
        kept[i] = removed[i] ? WR_SLOT_NONE : j->slots[i];
    }
    WR_TRY(s->rows->ops->map_resolve(ctx, s->rows, kept, &subkeys, WR_STATE_UPSERT, recs, NULL));
    for (uint32_t i = 0; i < j->n; i++)
        if (recs[i]) WR_TRY(remember_row(ctx, j, i, (wri_join_record *)(void *)recs[i]));
    bool any = false;
    for (uint32_t i = 0; i < j->n; i++) { /* all are looked at before any goes */
        if (recs[i]) removed[i] = ((wri_join_record *)(void *)recs[i])->copies == 0;
        any |= removed[i];
    }
    if (!any) return WR_OK;
    for (uint32_t i = 0; i < j->n; i++) {
        if (!removed[i] || kept[i] == WR_SLOT_NONE) continue;
        uint32_t len;
        const uint8_t *key = wri_key_at(&subkeys, i, &len);
        s->rows->ops->map_remove(s->rows, kept[i], key, len, subkeys.hash[i]);
    }
    return drop_empty_keys(ctx, j, removed);
}

/* ---- looking up ------------------------------------------------------------------------------ */
static wr_status
add_pair(wr_ctx *ctx, wri_join_op *j, uint32_t row, const wri_join_side *other,
         const wr_state_iter *it)
{
    if (j->pair_count == j->pair_cap) {
        const uint32_t cap = j->pair_cap ? j->pair_cap * 2 : 256;
        wri_join_pair *more = wr_arena_alloc(j->range, sizeof *more * cap);
        WR_TRY_ALLOC(ctx, more);
        if (j->pair_count) memcpy(more, j->pairs, sizeof *more * j->pair_count);
        j->pairs = more;
        j->pair_cap = cap;
    }
    wri_join_record *rec = (wri_join_record *)(void *)it->rec;
    wri_join_pair *p = &j->pairs[j->pair_count++];
    *p = (wri_join_pair){
        .row = row, .rec = rec, .copies = rec->copies, .order = rec->order, .passes = true};
    if (other->has_unique) {
        p->bytes = other->rows->ops->blob_get(other->rows, &rec->row);
        p->len = rec->row.len;
    } else {
        p->bytes = it->key;
        p->len = it->key_len;
    }
    return WR_OK;
}

wr_status
wri_join_pairs(wr_ctx *ctx, wri_join_op *j, uint32_t *end)
{
    const wri_join_side *other = &j->side[1 - j->from];
    const wr_state_ops *ops = other->rows->ops;
    const bool nulls = may_have_null_key(j);
    j->pair_count = j->pair_cap = 0;
    uint32_t i = j->at;
    for (; i < j->n && j->pair_count < PAIRS_WANTED; i++) {
        if (nulls && has_null_key(j, wr_batch_row(j->in, i))) continue;
        wr_state_iter it;
        for (bool ok = ops->map_first(other->rows, j->slots[i], &it); ok; ok = ops->map_next(&it))
            WR_TRY(add_pair(ctx, j, i, other, &it));
    }
    *end = i;
    if (!other->ordered) return WR_OK;
    const wri_join_lists lists = {
        .op = &j->op,
        .side = other,
        .pairs = j->pairs,
        .count = j->pair_count,
        .keeps = j->op.node->u.join.ttl_ms[1 - j->from] <= 0,
        .slots = j->slots,
        .keys = j->keys,
        .table_at = offsetof(wri_join_key, table) + (1 - j->from),
        .arena = j->range,
    };
    return wri_join_order(ctx, &lists);
}

/* ---- what was found -------------------------------------------------------------------------- */
/* Numbers the different records of the pairs (pair.at); first[at] = a pair of it. */
static wr_status
number_records(wr_ctx *ctx, wri_join_op *j, uint32_t **first, uint32_t *count)
{
    uint32_t bits = 4;
    while ((1u << bits) < 2 * j->pair_count) bits++;
    uint32_t *cells = wr_arena_zalloc(j->range, sizeof *cells << bits);
    *first = wr_arena_alloc(j->range, sizeof **first * (j->pair_count + 1));
    *count = 0;
    if (!cells || !*first) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < j->pair_count; i++) {
        wri_join_pair *p = &j->pairs[i];
        const uint64_t hash = (uint64_t)(uintptr_t)p->rec * 0x9e3779b97f4a7c15ull;
        uint32_t cell = (uint32_t)(hash >> (64 - bits));
        while (cells[cell] && j->pairs[(*first)[cells[cell] - 1]].rec != p->rec)
            cell = (cell + 1) & ((1u << bits) - 1);
        if (!cells[cell]) {
            (*first)[*count] = i;
            cells[cell] = ++*count;
        }
        p->at = cells[cell] - 1;
    }
    return WR_OK;
}

wr_status
wri_join_decode(wr_ctx *ctx, wri_join_op *j)
{
    const wr_schema *schema = j->side[1 - j->from].schema;
    uint32_t *first, count;
    wr_batch_release(j->found);
    j->found = NULL;
    if (j->pair_count == 0) return WR_OK;
    WR_TRY(number_records(ctx, j, &first, &count));
    if (count > FOUND_MAX) return WR_OK;
    j->found = wr_batch_acquire(j->op.env->pool, schema->count);
    WR_TRY_ALLOC(ctx, j->found);
    if (!wr_batch_init_flat(j->found, schema, count)) return WRI_NOMEM(ctx);
    for (uint32_t i = 0; i < count; i++) {
        const wri_join_pair *p = &j->pairs[first[i]];
        WR_TRY(wr_row_decode(ctx, p->bytes, p->len, j->found->cols, schema->count, i, true,
                             j->found->arena));
    }
    j->found->row_count = count;
    return WR_OK;
}
