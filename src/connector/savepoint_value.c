/* SPDX-License-Identifier: Apache-2.0 */
/* Columns out of entries: keys, parts of records, maps and lists. */
#include <stdlib.h>

#include "connector/savepoint_int.h"

static wr_status
nomem(wr_ctx *ctx)
{
    return wr_raise(ctx, WR_NOMEM, "out of memory");
}

/* ---- keys ------------------------------------------------------------------------------------ */
static void
put_fixed(wr_vec *v, uint32_t row, uint64_t k)
{
    switch (wr_phys_bytes((wr_phys)v->phys)) {
    case 1:
        ((uint8_t *)v->data)[row] = (uint8_t)k;
        break;
    case 2:
        ((uint16_t *)v->data)[row] = (uint16_t)k;
        break;
    case 4:
        ((uint32_t *)v->data)[row] = (uint32_t)k;
        break;
    default:
        ((uint64_t *)v->data)[row] = k;
        break;
    }
}

/* One integer lies in 8 bytes, none for NULL; everything else is in row encoding. */
static wr_status
put_key(wr_ctx *ctx, wr_str key, wr_vec *vecs, uint32_t n, uint32_t row, wr_arena *a)
{
    const bool integer = n == 1 && vecs[0].phys >= WR_PHYS_BOOL && vecs[0].phys <= WR_PHYS_I64;
    if (n == 0) return WR_OK;
    if (!integer || (key.len != 0 && key.len != 8))
        return wr_row_decode(ctx, (const uint8_t *)key.ptr, key.len, vecs, n, row, true, a);
    if (key.len == 0) return wr_vec_set_null(&vecs[0], row, a) ? WR_OK : nomem(ctx);
    put_fixed(&vecs[0], row, wr_load64(key.ptr));
    return WR_OK;
}

wr_status
wri_state_fill_keys(wr_ctx *ctx, const wri_state_scan *scan, wri_entry_root *const *roots,
                    uint32_t n, wr_vec *vecs, wr_arena *a)
{
    const wr_schema *key = &scan->model.stores[scan->root].info->key;
    for (uint32_t c = 0; c < key->count; c++)
        if (!wr_vec_init_flat(&vecs[c], key->fields[c].type, n, a)) return nomem(ctx);
    for (uint32_t i = 0; i < n; i++)
        WR_TRY(put_key(ctx, roots[i]->entry.key, vecs, key->count, i, a));
    return WR_OK;
}

/* May two values that SQL calls equal have different bytes? Then no key is looked up. */
static bool
is_exact(const wr_type *t)
{
    const uint8_t p = t->phys;
    if (wr_type_is(t, WR_T_CHAR)) return false; /* blanks at the end */
    return (p >= WR_PHYS_BOOL && p <= WR_PHYS_I64) || p == WR_PHYS_I128 || p == WR_PHYS_STR ||
           p == WR_PHYS_TS;
}

static const wr_pushed_filter *
equals(const wri_state_scan *scan, const wr_source_spec *spec, uint32_t key)
{
    for (uint32_t i = 0; i < spec->filter_count; i++) {
        const wr_pushed_filter *f = &spec->filters[i];
        const wri_state_ref *ref = &scan->refs[spec->physical[f->col]];
        if (f->op == WR_CMP_EQ && ref->key == (int32_t)key) return f;
    }
    return NULL;
}

wr_status
wri_state_only_key(wr_ctx *ctx, const wri_state_scan *scan, const wr_source_spec *spec, wr_arena *a,
                   wr_str *out)
{
    const wr_schema *key = &scan->model.stores[scan->root].info->key;
    wr_vec *vecs = WR_NEW_N(a, wr_vec, key->count + 1);
    uint32_t *cols = WR_NEW_N(a, uint32_t, key->count + 1);
    *out = (wr_str){NULL, 0};
    WR_TRY_ALLOC(ctx, vecs);
    WR_TRY_ALLOC(ctx, cols);
    if (key->count == 0) return WR_OK;
    for (uint32_t i = 0; i < key->count; i++) {
        const wr_pushed_filter *f = equals(scan, spec, i);
        if (!f || !is_exact(key->fields[i].type)) return WR_OK;
        cols[i] = i;
        if (!wr_vec_init_flat(&vecs[i], key->fields[i].type, 1, a) ||
            !wr_vec_put(&vecs[i], 0, &f->value, a))
            return nomem(ctx);
    }
    const wr_batch one = {.cols = vecs, .col_count = key->count, .row_count = 1};
    wr_text t;
    wr_text_init(&t, a);
    if (key->count == 1 && vecs[0].phys <= WR_PHYS_I64) {
        const wr_value v = equals(scan, spec, 0)->value;
        uint8_t bytes[8];
        wr_store64(bytes, vecs[0].phys == WR_PHYS_BOOL ? v.u.b : (uint64_t)v.u.i);
        wr_text_put(&t, (const char *)bytes, sizeof bytes);
    } else if (!wr_row_encode_one(&one, cols, key->count, 0, &t)) {
        return nomem(ctx);
    }
    if (t.failed) return nomem(ctx);
    *out = wr_text_str(&t);
    return WR_OK;
}

/* ---- fields ---------------------------------------------------------------------------------- */
static const wri_entry_blob *
blob_at(const wri_entry *e, uint32_t offset)
{
    for (uint32_t i = 0; i < e->blob_count; i++)
        if (e->blobs[i].offset == offset) return &e->blobs[i];
    return NULL;
}

static wr_status
put_columns(wr_ctx *ctx, const wri_state_field *f, const wri_entry *e, wr_vec *v, uint32_t row,
            wr_arena *a)
{
    const wri_entry_blob *b = blob_at(e, f->offset);
    if (!b) return wr_vec_set_null(v, row, a) ? WR_OK : nomem(ctx);
    return wr_row_decode(ctx, (const uint8_t *)b->bytes.ptr, b->bytes.len, v->child, v->child_count,
                         row, true, a);
}

static void
put_number(const wri_state_field *f, const wri_entry *e, wr_vec *v, uint32_t row)
{
    const uint8_t *p = e->record + f->offset;
    int64_t *out = (int64_t *)v->data + row;
    switch (f->bytes) {
    case 1:
        *out = *p;
        break;
    case 2:
        *out = (int64_t)(p[0] | (uint32_t)p[1] << 8);
        break;
    case 4:
        *out = wr_load32(p);
        break;
    default:
        *out = (int64_t)wr_load64(p);
        break;
    }
}

static bool
is_zero(const uint8_t *p, uint32_t n)
{
    uint32_t i = 0;
    while (i < n && p[i] == 0) i++;
    return i == n;
}

/* The bytes, then the blobs in them; a part that can be one blob, full or empty, is that alone. */
static wr_status
put_bytes(wr_ctx *ctx, const wri_state_field *f, const wri_entry *e, wr_vec *v, uint32_t row,
          wr_arena *a)
{
    const uint8_t *p = e->record + f->offset;
    const bool blob = f->bytes == sizeof(wr_blob) && is_zero(p, f->bytes);
    wr_text t;
    wr_text_init(&t, a);
    if (!blob) wr_text_put(&t, (const char *)p, f->bytes);
    for (uint32_t i = 0; i < e->blob_count; i++) {
        const uint32_t at = e->blobs[i].offset;
        if (at < f->offset || at - f->offset >= f->bytes) continue;
        wr_text_put(&t, e->blobs[i].bytes.ptr, e->blobs[i].bytes.len);
    }
    if (t.failed || t.len > UINT32_MAX) return nomem(ctx);
    return wr_vec_set_str(v, row, t.len ? t.ptr : "", (uint32_t)t.len, a) ? WR_OK : nomem(ctx);
}

static wr_status
put_field(wr_ctx *ctx, const wri_state_field *f, const wri_entry *e, wr_vec *v, uint32_t row,
          wr_arena *a)
{
    switch ((wri_part_form)f->form) {
    case WRI_PART_COLUMNS:
        return put_columns(ctx, f, e, v, row, a);
    case WRI_PART_NUMBER:
        put_number(f, e, v, row);
        return WR_OK;
    case WRI_PART_RESULT: /* of roots alone: fill_results */
    case WRI_PART_OPAQUE:
        break;
    }
    return put_bytes(ctx, f, e, v, row, a);
}

/* ---- accumulators ---------------------------------------------------------------------------- */

/* Stands for the table of groups: all that a result asks of it is what a blob holds. */
static const uint8_t *
blob_get(const wr_state_table *t, const wr_blob *blob)
{
    (void)t;
    return (const uint8_t *)(uintptr_t)blob->handle;
}

static const wr_state_ops results_ops = {.abi = WR_ABI, .name = "results", .blob_get = blob_get};

/* The accumulator with its blobs where blob_get finds them. */
static uint8_t *
revive(const wri_state_field *f, const wri_entry *e, wr_arena *a)
{
    uint8_t *rec = wr_arena_alloc(a, (size_t)f->bytes + 16);
    if (!rec) return NULL;
    memcpy(rec, e->record + f->offset, f->bytes);
    for (uint32_t i = 0; i < e->blob_count; i++) {
        const uint32_t at = e->blobs[i].offset;
        if (at < f->offset || at - f->offset + sizeof(wr_blob) > f->bytes) continue;
        const wr_str b = e->blobs[i].bytes;
        const wr_blob blob = {(uint64_t)(uintptr_t)b.ptr, (uint32_t)b.len, (uint32_t)b.len};
        memcpy(rec + (at - f->offset), &blob, sizeof blob);
    }
    return rec;
}

static wr_status
fill_results(wr_ctx *ctx, const wri_state_field *f, const wr_eval_env *eval,
             wri_entry_root *const *roots, uint32_t n, wr_vec *out, wr_arena *a)
{
    wr_state_table table = {.ops = &results_ops};
    uint8_t **recs = wr_arena_alloc(a, sizeof *recs * (n + 1));
    uint32_t *slots = wr_arena_zalloc(a, sizeof *slots * (n + 1));
    WR_TRY_ALLOC(ctx, recs);
    WR_TRY_ALLOC(ctx, slots);
    for (uint32_t i = 0; i < n; i++) {
        recs[i] = revive(f, &roots[i]->entry, a);
        WR_TRY_ALLOC(ctx, recs[i]);
    }
    if (!wr_vec_init_flat(out, f->bound->type, n, a)) return nomem(ctx);
    wr_agg_call call = {.ctx = ctx,
                        .env = eval,
                        .agg = f->bound,
                        .n = n,
                        .recs = recs,
                        .slots = slots,
                        .table = &table,
                        .arena = a,
                        .after = out};
    return f->agg->result(&call);
}

/* ---- maps and lists -------------------------------------------------------------------------- */
static wr_status
put_record(wr_ctx *ctx, const wri_state_store *s, const wri_entry *e, wr_vec *v, uint32_t row,
           wr_arena *a)
{
    if (s->field_count == 0) {
        *((uint8_t *)v->data + row) = 1;
        return WR_OK;
    }
    if (s->field_count == 1) return put_field(ctx, &s->fields[0], e, v, row, a);
    for (uint32_t i = 0; i < s->field_count; i++)
        WR_TRY(put_field(ctx, &s->fields[i], e, &v->child[i], row, a));
    return WR_OK;
}

static wr_status
put_subkey(wr_ctx *ctx, const wri_state_store *s, const wri_entry *e, wr_vec *v, uint32_t row,
           wr_arena *a)
{
    const uint32_t n = s->info->key.count;
    if (n == 0)
        return wr_vec_set_str(v, row, e->key.ptr, (uint32_t)e->key.len, a) ? WR_OK : nomem(ctx);
    return put_key(ctx, e->key, n == 1 ? v : v->child, n, row, a);
}

static int
by_key(const void *a, const void *b)
{
    return wr_str_cmp((*(wri_entry *const *)a)->key, (*(wri_entry *const *)b)->key);
}

/* Files have the entries of an ordered list in any order. */
static wr_status
sort_list(wr_ctx *ctx, wri_entry_list *l, wr_arena *a)
{
    wri_entry **items = WR_NEW_N(a, wri_entry *, (uint64_t)l->count + 1);
    uint32_t n = 0;
    WR_TRY_ALLOC(ctx, items);
    for (wri_entry *e = l->first; e; e = e->next) items[n++] = e;
    qsort(items, n, sizeof(wri_entry *), by_key);
    for (uint32_t i = 0; i < n; i++) items[i]->next = i + 1 < n ? items[i + 1] : NULL;
    l->first = items[0];
    l->last = items[n - 1];
    return WR_OK;
}

static wr_status
put_list(wr_ctx *ctx, const wri_state_store *s, wri_entry_list *l, wr_vec *v, uint32_t row,
         wr_arena *a)
{
    const bool map = s->info->shape == WR_STATE_MAP;
    uint32_t at = 0;
    if (!map && l->count > 1) WR_TRY(sort_list(ctx, l, a));
    if (!wr_vec_child_reserve(v, l->count, a, &at)) return nomem(ctx);
    ((wr_list *)v->data)[row] = (wr_list){at, l->count};
    for (const wri_entry *e = l->first; e; e = e->next, at++) {
        if (map) WR_TRY(put_subkey(ctx, s, e, &v->child[0], at, a));
        WR_TRY(put_record(ctx, s, e, &v->child[map], at, a));
    }
    return WR_OK;
}

wr_status
wri_state_fill(wr_ctx *ctx, const wri_state_scan *scan, const wr_eval_env *eval,
               wri_entry_root *const *roots, uint32_t n, const wri_state_ref *ref, wr_vec *out,
               wr_arena *a)
{
    const wri_state_store *s = &scan->model.stores[ref->store];
    const wri_state_field *f = ref->field >= 0 ? &s->fields[ref->field] : NULL;
    if (f && f->form == WRI_PART_RESULT) return fill_results(ctx, f, eval, roots, n, out, a);
    if (!wr_vec_init_flat(out, ref->type, n, a)) return nomem(ctx);
    for (uint32_t i = 0; i < n; i++)
        WR_TRY(f ? put_field(ctx, f, &roots[i]->entry, out, i, a)
                 : put_list(ctx, s, &roots[i]->below[ref->store], out, i, a));
    return WR_OK;
}
