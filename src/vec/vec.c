/* SPDX-License-Identifier: Apache-2.0 */
/* Making, growing and filling vectors; validity bitmaps; views. */
#include "vec/vec_int.h"

#include <stdio.h>

#define LIST_ROOM 4u /* elements per row that a fresh LIST or MAP vector has room for */

static uint32_t
kid_count(const wr_type *t)
{
    if (t->phys == WR_PHYS_ROW) return t->field_count;
    return t->phys == WR_PHYS_LIST ? 1 : t->phys == WR_PHYS_MAP ? 2 : 0;
}

/* The type of child `i`. The multiplicity of a MULTISET is an INT. */
static const wr_type *
kid_type(const wr_type *t, uint32_t i)
{
    if (t->id == WR_T_MULTISET && i == 1) return wr_type_of(WR_T_INT, false);
    return t->fields[i].type;
}

static bool init_flat(wr_vec *v, const wr_type *t, uint32_t cap, wr_arena *a, bool zero);

static bool
init_kids(wr_vec *v, const wr_type *t, uint32_t cap, wr_arena *a, bool zero)
{
    const uint32_t count = kid_count(t);
    if (!count) return true;
    v->child = WR_NEW_N(a, wr_vec, count);
    if (!v->child) return false;
    v->child_count = count;
    const bool row = t->phys == WR_PHYS_ROW;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t room = row ? cap : LIST_ROOM;
        if (!init_flat(&v->child[i], kid_type(t, i), room, a, zero)) return false;
        if (!row) wri_vec_set_len(&v->child[i], 0);
    }
    return true;
}

static bool
init_flat(wr_vec *v, const wr_type *t, uint32_t cap, wr_arena *a, bool zero)
{
    memset(v, 0, sizeof *v);
    v->type = t;
    v->phys = t->phys;
    v->form = WR_FORM_FLAT;
    v->len = v->cap = cap;
    const size_t bytes = (size_t)wr_phys_bytes((wr_phys)t->phys) * (cap ? cap : 1);
    if (bytes) {
        zero = zero || t->phys >= WR_PHYS_STR; /* pointers and offsets are never garbage */
        v->data = zero ? wr_arena_zalloc(a, bytes) : wr_arena_alloc(a, bytes);
        if (!v->data) return false;
    }
    return init_kids(v, t, cap, a, zero);
}

bool
wr_vec_init_flat(wr_vec *v, const wr_type *t, uint32_t cap, wr_arena *a)
{
    if (!init_flat(v, t, cap, a, true)) return false;
    return t->phys == WR_PHYS_NONE || wr_vec_ensure_validity(v, a);
}

bool
wri_vec_init_out(wr_vec *v, const wr_type *t, uint32_t cap, wr_arena *a)
{
    return init_flat(v, t, cap, a, false);
}

void
wri_vec_set_len(wr_vec *v, uint32_t len)
{
    v->len = len;
    if (v->phys != WR_PHYS_ROW) return;
    for (uint32_t i = 0; i < v->child_count; i++) wri_vec_set_len(&v->child[i], len);
}

bool
wr_vec_init_const(wr_vec *v, const wr_value *value, wr_arena *a)
{
    if (!wr_vec_init_flat(v, value->type, 1, a)) return false;
    if (!wr_vec_put(v, 0, value, a)) return false;
    v->form = WR_FORM_CONST;
    return true;
}

static bool
grow_validity(wr_vec *v, uint32_t cap, wr_arena *a)
{
    if (!v->validity) return true;
    uint64_t *bits = wri_validity_make(a, cap);
    if (!bits) return false;
    memcpy(bits, v->validity, 8 * WR_BIT_WORDS(v->cap));
    /* the last old word may have undefined bits beyond the old rows */
    if (v->cap & 63) bits[v->cap >> 6] |= ~0ull << (v->cap & 63);
    v->validity = bits;
    return true;
}

bool
wr_vec_reserve(wr_vec *v, uint32_t cap, wr_arena *a)
{
    if (cap <= v->cap) return true;
    WR_KASSERT(v->form == WR_FORM_FLAT);
    const size_t width = wr_phys_bytes((wr_phys)v->phys);
    if (width) {
        char *data = wr_arena_alloc(a, width * cap);
        if (!data) return false;
        if (v->cap && v->data) memcpy(data, v->data, width * v->cap);
        memset(data + width * v->cap, 0, width * (cap - v->cap));
        v->data = data;
    }
    if (!grow_validity(v, cap, a)) return false;
    if (v->phys == WR_PHYS_ROW) {
        for (uint32_t i = 0; i < v->child_count; i++)
            if (!wr_vec_reserve(&v->child[i], cap, a)) return false;
    }
    v->cap = cap;
    return true;
}

bool
wr_vec_child_reserve(wr_vec *v, uint32_t n, wr_arena *a, uint32_t *off)
{
    WR_KASSERT(v->phys == WR_PHYS_LIST || v->phys == WR_PHYS_MAP);
    const uint32_t used = v->child[0].len;
    if (n > UINT32_MAX - used) return false;
    const uint32_t need = used + n;
    *off = used;
    for (uint32_t i = 0; i < v->child_count; i++) {
        wr_vec *c = &v->child[i];
        if (need > c->cap) {
            const uint32_t twice = c->cap > UINT32_MAX / 2 ? UINT32_MAX : c->cap * 2;
            if (!wr_vec_reserve(c, WR_MAX(need, twice), a)) return false;
        }
        wri_vec_set_len(c, need);
    }
    return true;
}

/* ---- validity -------------------------------------------------------------------------------- */
uint64_t *
wri_validity_make(wr_arena *a, uint32_t n)
{
    uint64_t *bits = wr_arena_alloc(a, 8 * WR_BIT_WORDS(n ? n : 1));
    if (bits) memset(bits, 0xff, 8 * WR_BIT_WORDS(n ? n : 1));
    return bits;
}

bool
wr_vec_ensure_validity(wr_vec *v, wr_arena *a)
{
    if (!v->validity) v->validity = wri_validity_make(a, v->cap);
    return v->validity != NULL;
}

bool
wr_vec_set_null(wr_vec *v, uint32_t row, wr_arena *a)
{
    if (v->phys == WR_PHYS_NONE) return true;
    if (!v->has_nulls) {
        if (!wr_vec_ensure_validity(v, a)) return false;
        memset(v->validity, 0xff, 8 * WR_BIT_WORDS(v->cap)); /* was not read until now */
        v->has_nulls = true;
    }
    wr_bit_clear(v->validity, row);
    return true;
}

bool
wri_validity_flat(const wr_vec *v, uint32_t n, wr_arena *a, uint64_t **out)
{
    *out = NULL;
    if (v->phys != WR_PHYS_NONE && !v->has_nulls) return true;
    const bool flat = v->form == WR_FORM_FLAT && v->phys != WR_PHYS_NONE;
    if (flat) {
        *out = v->validity;
        return true;
    }
    uint64_t *bits = wri_validity_make(a, n);
    if (!bits) return false;
    *out = bits;
    if (v->phys == WR_PHYS_NONE || v->form == WR_FORM_CONST) {
        const bool valid = v->phys != WR_PHYS_NONE && (v->validity[0] & 1);
        if (!valid) memset(bits, 0, 8 * WR_BIT_WORDS(n ? n : 1));
        return true;
    }
    for (uint32_t w = 0; w < WR_BIT_WORDS(n); w++) {
        const uint32_t first = w * 64, count = WR_MIN(64u, n - first);
        uint64_t word = 0;
        for (uint32_t i = 0; i < count; i++)
            word |= (uint64_t)wr_bit_get(v->validity, v->dict[first + i]) << i;
        bits[w] = word;
    }
    return true;
}

bool
wri_validity_and(const wr_vec *a, const wr_vec *b, uint32_t n, wr_vec *out, wr_arena *arena)
{
    uint64_t *va, *vb;
    out->has_nulls = false;
    if (!wri_validity_flat(a, n, arena, &va) || !wri_validity_flat(b, n, arena, &vb)) return false;
    if (!va && !vb) return true;
    if (!va) va = vb;
    if (!vb) vb = va;
    if (!out->validity) {
        out->validity = wr_arena_alloc(arena, 8 * WR_BIT_WORDS(WR_MAX(out->cap, 1u)));
        if (!out->validity) return false;
    }
    for (size_t w = 0; w < WR_BIT_WORDS(n); w++) out->validity[w] = va[w] & vb[w];
    out->has_nulls = true;
    return true;
}

const void *
wri_vec_plain(const wr_vec *v, uint32_t n, wr_arena *a, uint32_t *step)
{
    *step = v->form == WR_FORM_FLAT;
    if (v->form != WR_FORM_DICT) return v->data;
    const size_t width = wr_phys_bytes((wr_phys)v->phys);
    char *out = wr_arena_alloc(a, width * (n ? n : 1));
    if (!out) return NULL;
    *step = 1;
    const char *data = v->data;
    switch (width) {
    case 4:
        for (uint32_t i = 0; i < n; i++) memcpy(out + 4 * i, data + 4 * (size_t)v->dict[i], 4);
        break;
    case 8:
        for (uint32_t i = 0; i < n; i++) memcpy(out + 8 * i, data + 8 * (size_t)v->dict[i], 8);
        break;
    default:
        for (uint32_t i = 0; i < n; i++) memcpy(out + width * i, data + width * v->dict[i], width);
    }
    return out;
}

/* ---- storing --------------------------------------------------------------------------------- */
bool
wr_vec_set_str(wr_vec *v, uint32_t row, const char *p, uint32_t len, wr_arena *a)
{
    WR_KASSERT(v->phys == WR_PHYS_STR && row < v->cap);
    if (len > 12) {
        char *copy = wr_arena_alloc(a, len);
        if (!copy) return false;
        memcpy(copy, p, len);
        p = copy;
    }
    ((wr_strv *)v->data)[row] = wr_strv_make(p, len);
    return true;
}

/* ---- views ----------------------------------------------------------------------------------- */
wr_view
wr_vec_view(const wr_vec *v)
{
    static const uint64_t none[1] = {0};
    wr_view w = {.data = v->data, .validity = v->has_nulls ? v->validity : NULL};
    if (v->phys == WR_PHYS_NONE) {
        w.validity = none; /* step 0: every row looks at the one cleared bit */
        return w;
    }
    if (v->form == WR_FORM_DICT)
        w.idx = v->dict;
    else
        w.step = v->form == WR_FORM_FLAT;
    return w;
}

/* ---- row errors ------------------------------------------------------------------------------ */
void
wr_row_err(wr_row_errs *e, uint32_t row, wr_status status, const char *fmt, ...)
{
    const bool lowest = !e->any || row < e->first_row;
    if (e->bits) wr_bit_set(e->bits, row);
    e->any = true;
    if (!lowest) return;
    e->first_row = row;
    e->first_status = status;
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(e->first_message, sizeof e->first_message, fmt, ap);
    va_end(ap);
}
