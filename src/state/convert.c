/* SPDX-License-Identifier: Apache-2.0 */
/* Rows and keys of a snapshot whose columns have changed since: types became wider, columns came or
 * went. Columns are found by name; one that is new is NULL. What would lose something (a narrower
 * type, a key with other columns) is refused when tables are matched, never in the middle.
 *
 * Same bytes: types whose values are encoded alike (strings that may be longer, decimals that may
 * have more digits within one layout, any NULLability). Wider: integers; decimals of one scale;
 * FLOAT to DOUBLE; TIMESTAMP to more digits. */
#include "state/state_int.h"

#define NOMEM(ctx) wr_raise((ctx), WR_NOMEM, "out of memory")

struct wri_convert {
    const wr_schema *from, *to;
    const uint32_t *source; /* per column of `to`: of `from`; UINT32_MAX: new */
};

/* ---- types ----------------------------------------------------------------------------------- */
static bool
is_integer(const wr_type *t)
{
    return t->id >= WR_T_TINYINT && t->id <= WR_T_BIGINT;
}

/* Values of `old` are values of `now`, encoded alike. */
static bool
same_bytes(const wr_type *old, const wr_type *now)
{
    if (old->phys != now->phys || old->field_count != now->field_count) return false;
    const bool text = wr_type_is_string(old) || wr_type_is_binary(old);
    if (text && wr_type_is_string(old) == wr_type_is_string(now)) {
        const bool fixed = now->id == WR_T_CHAR || now->id == WR_T_BINARY; /* padded */
        return fixed ? old->id == now->id && old->length == now->length
                     : old->length <= now->length;
    }
    if (old->id != now->id) return false;
    for (uint32_t i = 0; i < old->field_count; i++)
        if (!same_bytes(old->fields[i].type, now->fields[i].type)) return false;
    return now->scale == old->scale && now->precision >= old->precision;
}

static bool
is_wider(const wr_type *old, const wr_type *now)
{
    if (is_integer(old) && is_integer(now)) return old->id < now->id;
    if (old->id == WR_T_FLOAT) return now->id == WR_T_DOUBLE;
    if (old->id != now->id || old->precision >= now->precision) return false;
    return old->id == WR_T_TIMESTAMP || old->id == WR_T_TIMESTAMP_LTZ ||
           (old->id == WR_T_DECIMAL && old->scale == now->scale);
}

/* Is every column in its place? */
bool
wri_rows_fit(const wr_schema *old, const wr_schema *now)
{
    if (!wri_types_fit(old, now)) return false;
    for (uint32_t i = 0; i < old->count; i++)
        if (!wr_str_eq(old->fields[i].name, now->fields[i].name)) return false;
    return true;
}

bool
wri_types_fit(const wr_schema *old, const wr_schema *now)
{
    if (old->count != now->count) return false;
    for (uint32_t i = 0; i < old->count; i++)
        if (!same_bytes(old->fields[i].type, now->fields[i].type)) return false;
    return true;
}

/* ---- planning -------------------------------------------------------------------------------- */
uint32_t
wri_column_named(const wr_schema *s, wr_str name)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (wr_str_eq(s->fields[i].name, name)) return i;
    return UINT32_MAX;
}

wr_status
wri_convert_make(wr_ctx *ctx, wr_arena *a, const wr_schema *old, const wr_schema *now,
                 wri_convert_what what, const wri_convert **out)
{
    wri_convert *c = WR_NEW(a, wri_convert);
    uint32_t *source = WR_NEW_N(a, uint32_t, now->count + 1), found = 0;
    if (!c || !source) return NOMEM(ctx);
    *out = NULL;
    for (uint32_t i = 0; i < now->count; i++) {
        const wr_type *t = now->fields[i].type;
        source[i] = wri_column_named(old, now->fields[i].name);
        if (what == WRI_CONVERT_KEY) source[i] = i < old->count ? i : UINT32_MAX;
        if (source[i] == UINT32_MAX) {
            if (!t->nullable || what == WRI_CONVERT_KEY) return WR_OK;
            continue;
        }
        const wr_type *was = old->fields[source[i]].type;
        if (!same_bytes(was, t) && !is_wider(was, t)) return WR_OK;
        found++;
    }
    if (what != WRI_CONVERT_ROW && found != old->count) return WR_OK; /* keys might meet */
    *c = (wri_convert){old, now, source};
    *out = c;
    return WR_OK;
}

/* ---- doing ----------------------------------------------------------------------------------- */
static wr_value
widen(const wr_value *v, const wr_type *to)
{
    wr_value w = {.type = to, .is_null = v->is_null};
    const uint8_t from = v->type->phys;
    if (v->is_null) return w;
    if (from == WR_PHYS_F32)
        w.u.f64 = (double)v->u.f32;
    else if (to->phys == WR_PHYS_I128)
        w.u.i128 = from == WR_PHYS_I128 ? v->u.i128 : (wr_i128)v->u.i;
    else if (to->phys == WR_PHYS_TS)
        w.u.ts = from == WR_PHYS_TS ? v->u.ts : (wr_ts){.ms = v->u.i};
    else
        w.u.i = v->u.i;
    return w;
}

static bool
convert_column(const wri_convert *c, uint32_t i, const wr_vec *old, wr_vec *now, wr_arena *a)
{
    const wr_type *to = c->to->fields[i].type;
    if (!wr_vec_init_flat(now, to, 1, a)) return false;
    if (c->source[i] == UINT32_MAX) return wr_vec_set_null(now, 0, a);
    const wr_vec *v = &old[c->source[i]];
    if (same_bytes(v->type, to)) return wr_vec_copy_entry(now, 0, v, 0, a);
    wr_value value;
    if (!wr_vec_get(v, 0, a, &value)) return false;
    value.type = v->type;
    const wr_value w = widen(&value, to);
    return wr_vec_put(now, 0, &w, a);
}

/* The row as a batch of one row in `a`. */
static wr_status
convert(wr_ctx *ctx, const wri_convert *c, const uint8_t *p, uint32_t len, wr_arena *a,
        wr_batch *out)
{
    wr_vec *old = WR_NEW_N(a, wr_vec, c->from->count + 1);
    wr_vec *now = WR_NEW_N(a, wr_vec, c->to->count + 1);
    if (!old || !now) return NOMEM(ctx);
    for (uint32_t i = 0; i < c->from->count; i++)
        if (!wr_vec_init_flat(&old[i], c->from->fields[i].type, 1, a)) return NOMEM(ctx);
    WR_TRY(wr_row_decode(ctx, p, len, old, c->from->count, 0, false, a));
    for (uint32_t i = 0; i < c->to->count; i++)
        if (!convert_column(c, i, old, &now[i], a)) return NOMEM(ctx);
    memset(out, 0, sizeof *out);
    out->cols = now;
    out->col_count = c->to->count;
    out->row_count = 1;
    return WR_OK;
}

static wr_status
encode(wr_ctx *ctx, const wr_batch *b, const uint32_t *cols, wr_arena *a, const uint8_t **out,
       uint32_t *out_len)
{
    wr_text t;
    wr_text_init(&t, a);
    if (!wr_row_encode_one(b, cols, b->col_count, 0, &t) || t.failed) return NOMEM(ctx);
    *out = (const uint8_t *)t.ptr;
    *out_len = (uint32_t)t.len;
    return WR_OK;
}

static const uint32_t *
count_up(wr_arena *a, uint32_t n)
{
    uint32_t *cols = WR_NEW_N(a, uint32_t, n + 1);
    for (uint32_t i = 0; cols && i < n; i++) cols[i] = i;
    return cols;
}

wr_status
wri_convert_row(wr_ctx *ctx, const wri_convert *c, const uint8_t *p, uint32_t len, wr_arena *a,
                const uint8_t **out, uint32_t *out_len)
{
    wr_batch b;
    const uint32_t *cols = count_up(a, c->to->count);
    if (!cols) return NOMEM(ctx);
    *out = p;
    *out_len = 0;
    if (len == 0) return WR_OK; /* no row */
    WR_TRY(convert(ctx, c, p, len, a, &b));
    return encode(ctx, &b, cols, a, out, out_len);
}

/* A key of one integer is 8 bytes, its value, or none for NULL, and stays as it is; no row of one
 * integer is encoded in 8 bytes. Sub-keys are hashed by their columns or by their bytes: the old
 * hash tells. */
wr_status
wri_convert_key(wr_ctx *ctx, const wri_convert *c, wr_arena *a, const uint8_t **key, uint32_t *len,
                uint64_t *hash)
{
    wr_batch b;
    const bool one = c->from->count == 1 && is_integer(c->from->fields[0].type);
    if (one && (*len == 8 || *len == 0)) return WR_OK;
    const bool by_bytes = wr_hash_bytes(*key, *len, 0) == *hash;
    const uint32_t *cols = count_up(a, c->to->count);
    if (!cols) return NOMEM(ctx);
    WR_TRY(convert(ctx, c, *key, *len, a, &b));
    WR_TRY(encode(ctx, &b, cols, a, key, len));
    if (by_bytes)
        *hash = wr_hash_bytes(*key, *len, 0);
    else
        wr_batch_hash(&b, cols, b.col_count, hash);
    return WR_OK;
}
