/* SPDX-License-Identifier: Apache-2.0 */
/* Collections: constructors, access by position and key, and the helpers of coll_int.h. */
#include "expr/coll_int.h"

/* ---- sets of entries ------------------------------------------------------------------------- */

#define SMALL_SET 12u

void
wri_set_init(wri_elem_set *s, wr_arena *a)
{
    memset(s, 0, sizeof *s);
    s->arena = a;
}

void
wri_set_clear(wri_elem_set *s)
{
    s->list.count = 0;
    if (s->slots) memset(s->slots, 0, sizeof *s->slots * s->slot_count);
}

static bool
equal(const wri_elem_set *s, const wri_elem *e, const wr_vec *vec, uint32_t row)
{
    return s->one_zero ? wr_vec_entry_peer(e->vec, e->row, vec, row)
                       : wr_vec_entry_eq(e->vec, e->row, vec, row);
}

static bool
is_zero(const wr_vec *vec, uint32_t row)
{
    const uint32_t i = wr_vec_index(vec, row);
    double x = 1;
    if (wr_vec_is_null(vec, row)) return false;
    if (vec->phys == WR_PHYS_F64) x = ((const double *)vec->data)[i];
    if (vec->phys == WR_PHYS_F32) x = (double)((const float *)vec->data)[i];
    return x <= 0 && x >= 0;
}

static uint32_t
probe(const wri_elem_set *s, const wr_vec *vec, uint32_t row, uint32_t *slot)
{
    uint32_t mask = s->slot_count - 1;
    const bool zero = s->one_zero && is_zero(vec, row);
    uint32_t at = zero ? 0 : (uint32_t)wr_vec_entry_hash(vec, row, 0) & mask;
    for (;; at = (at + 1) & mask) {
        uint32_t i = s->slots[at];
        *slot = at;
        if (i == 0) return UINT32_MAX;
        const wri_elem *e = &s->list.items[i - 1];
        if (equal(s, e, vec, row)) return i - 1;
    }
}

uint32_t
wri_set_find(const wri_elem_set *s, const wr_vec *vec, uint32_t row)
{
    uint32_t slot = 0;
    if (s->slots) return probe(s, vec, row, &slot);
    for (uint32_t i = 0; i < s->list.count; i++)
        if (equal(s, &s->list.items[i], vec, row)) return i;
    return UINT32_MAX;
}

static bool
rehash(wri_elem_set *s, uint32_t slots)
{
    uint32_t *grown = WR_NEW_N(s->arena, uint32_t, slots);
    if (!grown) return false;
    s->slots = grown;
    s->slot_count = slots;
    for (uint32_t i = 0; i < s->list.count; i++) {
        uint32_t slot = 0;
        (void)probe(s, s->list.items[i].vec, s->list.items[i].row, &slot);
        s->slots[slot] = i + 1;
    }
    return true;
}

bool
wri_set_add(wri_elem_set *s, const wr_vec *vec, uint32_t row, uint32_t *index, bool *added)
{
    *index = wri_set_find(s, vec, row);
    *added = *index == UINT32_MAX;
    if (!*added) return true;
    *index = s->list.count;
    if (!wr_list_push(s->arena, &s->list, ((wri_elem){vec, row}))) return false;
    if (!s->slots && s->list.count <= SMALL_SET) return true;
    if (s->list.count * 2 > s->slot_count) return rehash(s, s->slot_count ? s->slot_count * 2 : 64);
    uint32_t slot = 0;
    s->list.count--; /* not there yet as far as probe is concerned */
    (void)probe(s, vec, row, &slot);
    s->list.count++;
    s->slots[slot] = s->list.count;
    return true;
}

/* ---- results --------------------------------------------------------------------------------- */

wr_status
wri_copy_child(wr_fn_call *call, uint32_t c, uint32_t at, const wr_vec *src, uint32_t src_row)
{
    if (!wr_vec_copy_entry(&call->out->child[c], at, src, src_row, call->arena))
        return WRI_NOMEM(call);
    return WR_OK;
}

wr_status
wri_put_elems(wr_fn_call *call, uint32_t row, const wri_elem *elems, uint32_t n)
{
    uint32_t off = 0;
    WR_TRY(wri_put_list(call, row, n, &off));
    for (uint32_t i = 0; i < n; i++)
        WR_TRY(wri_copy_child(call, 0, off + i, elems[i].vec, elems[i].row));
    return WR_OK;
}

/* ---- types ----------------------------------------------------------------------------------- */

static bool
is_null_type(const wr_type *t)
{
    return wr_type_is(t, WR_T_NULL);
}

wr_status
wri_unify_elem(wr_ctx *ctx, wr_fn_bind *b, uint32_t at, const wr_type **elem, bool *ok)
{
    const wr_type *array = b->arg_types[0], *e = b->arg_types[at];
    *ok = false;
    if (!wr_type_is(array, WR_T_ARRAY)) return WR_OK;
    const wr_type *have = WRI_ELEM(array);
    if (!is_null_type(e) && !wr_type_can_cast_implicit(e, have)) return WR_OK;
    const wr_type *want = have;
    bool strings = wr_type_is_string(have) && wr_type_is_string(e);
    bool decimals = wr_type_is(have, WR_T_DECIMAL) && wr_type_is(e, WR_T_DECIMAL);
    if (strings || decimals) { /* nothing is cut */
        const wr_type *const both[] = {have, e};
        want = wr_type_common(b->arena, both, 2);
        if (!want) return WR_OK;
    }
    want = wr_type_nullable(b->arena, want, have->nullable);
    WR_TRY_ALLOC(ctx, want);
    const wr_type *t = wr_type_array(b->arena, want, array->nullable);
    WR_TRY_ALLOC(ctx, t);
    WR_TRY(wri_cast_arg(ctx, b, 0, t));
    WR_TRY(wri_cast_arg(ctx, b, at, want));
    *elem = want;
    *ok = true;
    return WR_OK;
}

/* ---- CARDINALITY, ELEMENT -------------------------------------------------------------------- */

wr_status
wri_r_cardinality(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    if (!wr_type_is(t, WR_T_ARRAY) && !wr_type_is(t, WR_T_MAP) && !wr_type_is(t, WR_T_MULTISET) &&
        !is_null_type(t))
        return wri_refuse(ctx, b, NULL);
    return wri_result_id(ctx, b, WR_T_INT);
}

/* Elements of a multiset, each as often as it is there. */
static int64_t
multiset_size(const wr_vec *v, wr_list l)
{
    int64_t n = 0;
    wr_view count = wr_vec_view(&v->child[1]);
    for (uint32_t i = 0; i < l.len; i++) n += wri_int(&count, v->child[1].phys, l.off + i);
    return n;
}

wr_status
wri_k_cardinality(wr_fn_call *call)
{
    const wr_vec *v = call->args[0];
    bool multiset = wr_type_is(v->type, WR_T_MULTISET);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_list l = wri_arg_list(call, 0, row);
        WRI_OUT(call, int32_t)[row] = multiset ? (int32_t)multiset_size(v, l) : (int32_t)l.len;
    }
    return WR_OK;
}

wr_status
wri_r_element(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    if (!wr_type_is(t, WR_T_ARRAY) && !wr_type_is(t, WR_T_MULTISET))
        return wri_refuse(ctx, b, NULL);
    return wri_result_null(ctx, b, WRI_ELEM(t), t->nullable || WRI_ELEM(t)->nullable);
}

wr_status
wri_k_element(wr_fn_call *call)
{
    const wr_vec *v = call->args[0];
    bool multiset = wr_type_is(v->type, WR_T_MULTISET);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_list l = wri_arg_list(call, 0, row);
        int64_t n = multiset ? multiset_size(v, l) : (int64_t)l.len;
        if (n > 1) {
            wr_row_err(call->errs, row, WR_DATA, "%s has more than one element.",
                       multiset ? "Multiset" : "Array");
            wri_null(call, row);
        } else if (n == 0) {
            wri_null(call, row);
        } else if (!wr_vec_copy_entry(call->out, row, &v->child[0], l.off, call->arena)) {
            return WRI_NOMEM(call);
        }
    }
    return WR_OK;
}

/* ---- ITEM ------------------------------------------------------------------------------------ */

static wr_status
r_item_row(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    int64_t i = 0;
    wr_str name;
    uint32_t at = UINT32_MAX;
    if (wri_lit_int(b->args[1], &i)) {
        if (i >= 1 && i <= (int64_t)t->field_count) at = (uint32_t)i - 1;
    } else if (wri_lit_str(b->args[1], &name)) {
        for (uint32_t k = 0; k < t->field_count && at == UINT32_MAX; k++)
            if (wr_str_eq(t->fields[k].name, name)) at = k;
    } else {
        return wri_refuse(ctx, b, NULL);
    }
    if (at == UINT32_MAX)
        return wr_raise_at(ctx, WR_TYPE, wri_arg_span(b, 1),
                           "the row has no such field: fields are counted from 1 to %u or named",
                           t->field_count);
    uint32_t *data = WR_NEW(b->arena, uint32_t);
    WR_TRY_ALLOC(ctx, data);
    *data = at;
    b->data = data;
    const wr_type *f = t->fields[at].type;
    return wri_result_null(ctx, b, f, f->nullable || t->nullable);
}

static wr_status
r_item_array(wr_ctx *ctx, wr_fn_bind *b)
{
    int64_t i = 0;
    if (!wr_type_is_integer(b->arg_types[1]) && !is_null_type(b->arg_types[1]))
        return wri_refuse(ctx, b, NULL);
    if (wri_lit_int(b->args[1], &i) && i < 1)
        return wr_raise_at(ctx, WR_SEMANTIC, wri_arg_span(b, 1),
                           "Array element access needs an index starting at 1 but was %lld.",
                           (long long)i);
    return wri_result_null(ctx, b, WRI_ELEM(b->arg_types[0]), true);
}

/* Keys are compared as they are when both are strings or integers, else cast to the key's type. */
static wr_status
r_item_map(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *key = WRI_ELEM(b->arg_types[0]), *k = b->arg_types[1];
    bool strings = wr_type_is_string(key) && wr_type_is_string(k);
    bool integers = wr_type_is_integer(key) && wr_type_is_integer(k);
    if (!strings && !integers && !is_null_type(k)) {
        bool numbers = wr_type_is_numeric(key) && wr_type_is_numeric(k);
        if (!numbers && !wr_type_can_cast_implicit(k, key)) return wri_refuse(ctx, b, NULL);
        WR_TRY(wri_cast_arg(ctx, b, 1, key));
    }
    return wri_result_null(ctx, b, b->arg_types[0]->fields[1].type, true);
}

wr_status
wri_r_item(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    if (wr_type_is(t, WR_T_ARRAY)) return r_item_array(ctx, b);
    if (wr_type_is(t, WR_T_MAP)) return r_item_map(ctx, b);
    if (wr_type_is(t, WR_T_ROW) || wr_type_is(t, WR_T_STRUCTURED)) return r_item_row(ctx, b);
    if (wr_type_is(t, WR_T_VARIANT)) {
        b->kernel = wri_k_item_variant;
        const wr_type *k = b->arg_types[1];
        if (!wr_type_is_string(k) && !wr_type_is_integer(k) && !is_null_type(k))
            return wri_refuse(ctx, b, NULL);
        return wri_result_null(ctx, b, t, true);
    }
    return wri_refuse(ctx, b, NULL);
}

static wr_status
item_array(wr_fn_call *call)
{
    const wr_vec *v = call->args[0];
    wr_view index = wri_view(call, 1);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_list l = wri_arg_list(call, 0, row);
        int64_t i = wri_int(&index, call->args[1]->phys, row);
        if (i < 1) {
            wr_row_err(call->errs, row, WR_DATA,
                       "Array element access needs an index starting at 1 but was %lld.",
                       (long long)i);
            wri_null(call, row);
        } else if (i > (int64_t)l.len) {
            wri_null(call, row);
        } else if (!wr_vec_copy_entry(call->out, row, &v->child[0], l.off + (uint32_t)i - 1,
                                      call->arena)) {
            return WRI_NOMEM(call);
        }
    }
    return WR_OK;
}

/* Place of the key among the map's, or UINT32_MAX. */
static uint32_t
find_key(const wr_vec *keys, wr_list l, const wr_vec *key, uint32_t row)
{
    bool integers = keys->phys != key->phys; /* of different widths */
    wr_view have = wr_vec_view(keys), want = wr_vec_view(key);
    int64_t k = integers ? wri_int(&want, key->phys, row) : 0;
    for (uint32_t i = l.len; i-- > 0;) {
        uint32_t at = l.off + i;
        if (wr_vec_is_null(keys, at)) continue;
        bool eq =
            integers ? wri_int(&have, keys->phys, at) == k : wr_vec_entry_peer(keys, at, key, row);
        if (eq) return at;
    }
    return UINT32_MAX;
}

static wr_status
item_map(wr_fn_call *call)
{
    const wr_vec *v = call->args[0];
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        uint32_t at = find_key(&v->child[0], wri_arg_list(call, 0, row), call->args[1], row);
        if (at == UINT32_MAX)
            wri_null(call, row);
        else if (!wr_vec_copy_entry(call->out, row, &v->child[1], at, call->arena))
            return WRI_NOMEM(call);
    }
    return WR_OK;
}

wr_status
wri_k_item(wr_fn_call *call)
{
    const wr_vec *v = call->args[0];
    if (wr_type_is(v->type, WR_T_ARRAY)) return item_array(call);
    if (wr_type_is(v->type, WR_T_MAP)) return item_map(call);
    uint32_t field = *(const uint32_t *)call->expr->fn_data;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        if (!wr_vec_copy_entry(call->out, row, &v->child[field], wr_vec_index(v, row), call->arena))
            return WRI_NOMEM(call);
    }
    return WR_OK;
}

/* ---- constructors ---------------------------------------------------------------------------- */

/* Common type of every `step`-th argument from `from`; the arguments are cast to it. */
static wr_status
unify_every(wr_ctx *ctx, wr_fn_bind *b, uint32_t from, uint32_t step, const wr_type **common)
{
    const wr_type **types = WR_NEW_N(b->arena, const wr_type *, b->arg_count + 1);
    WR_TRY_ALLOC(ctx, types);
    uint32_t n = 0;
    for (uint32_t i = from; i < b->arg_count; i += step) types[n++] = b->arg_types[i];
    *common = wr_type_least_restrictive(b->arena, types, n);
    if (!*common) return wr_raise_at(ctx, WR_TYPE, b->span, "Parameters must be of the same type");
    for (uint32_t i = from; i < b->arg_count; i += step) WR_TRY(wri_cast_arg(ctx, b, i, *common));
    return WR_OK;
}

wr_status
wri_r_array(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *e = NULL;
    if (b->arg_count == 0)
        return wr_raise_at(ctx, WR_SEMANTIC, b->span, "Require at least 1 argument");
    WR_TRY(unify_every(ctx, b, 0, 1, &e));
    return wri_result_null(ctx, b, wr_type_array(b->arena, e, false), false);
}

wr_status
wri_k_array(wr_fn_call *call)
{
    WR_FOR_CALL(call, row)
    {
        uint32_t off = 0;
        WR_TRY(wri_put_list(call, row, call->arg_count, &off));
        for (uint32_t i = 0; i < call->arg_count; i++)
            WR_TRY(wri_copy_child(call, 0, off + i, call->args[i], row));
    }
    return WR_OK;
}

wr_status
wri_r_map(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *k = NULL, *v = NULL;
    if (b->arg_count == 0)
        return wr_raise_at(ctx, WR_SEMANTIC, b->span, "Map requires at least 2 arguments");
    if (b->arg_count % 2 != 0)
        return wr_raise_at(ctx, WR_SEMANTIC, b->span, "Map requires an even number of arguments");
    WR_TRY(unify_every(ctx, b, 0, 2, &k));
    WR_TRY(unify_every(ctx, b, 1, 2, &v));
    return wri_result_null(ctx, b, wr_type_map(b->arena, k, v, false), false);
}

wr_status
wri_k_map(wr_fn_call *call)
{
    wri_elem_set keys;
    wri_set_init(&keys, call->arena);
    uint32_t *value = WR_NEW_N(call->arena, uint32_t, call->arg_count + 1);
    if (!value) return WRI_NOMEM(call);
    WR_FOR_CALL(call, row)
    {
        wri_set_clear(&keys);
        for (uint32_t i = 0; i + 1 < call->arg_count; i += 2) {
            uint32_t at = 0;
            bool added = false;
            if (!wri_set_add(&keys, call->args[i], row, &at, &added)) return WRI_NOMEM(call);
            value[at] = i + 1;
        }
        uint32_t off = 0, n = keys.list.count;
        WR_TRY(wri_put_list(call, row, n, &off));
        for (uint32_t i = 0; i < n; i++) {
            WR_TRY(wri_copy_child(call, 0, off + i, keys.list.items[i].vec, row));
            WR_TRY(wri_copy_child(call, 1, off + i, call->args[value[i]], row));
        }
    }
    return WR_OK;
}

wr_status
wri_r_multiset(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *e = NULL;
    if (b->arg_count == 0)
        return wr_raise_at(ctx, WR_SEMANTIC, b->span, "Require at least 1 argument");
    WR_TRY(unify_every(ctx, b, 0, 1, &e));
    return wri_result_null(ctx, b, wr_type_multiset(b->arena, e, false), false);
}

wr_status
wri_k_multiset(wr_fn_call *call)
{
    wri_elem_set set;
    wri_set_init(&set, call->arena);
    int32_t *times = WR_NEW_N(call->arena, int32_t, call->arg_count + 1);
    if (!times) return WRI_NOMEM(call);
    WR_FOR_CALL(call, row)
    {
        wri_set_clear(&set);
        for (uint32_t i = 0; i < call->arg_count; i++) {
            uint32_t at = 0;
            bool added = false;
            if (!wri_set_add(&set, call->args[i], row, &at, &added)) return WRI_NOMEM(call);
            times[at] = added ? 1 : times[at] + 1;
        }
        uint32_t off = 0, n = set.list.count;
        WR_TRY(wri_put_list(call, row, n, &off));
        for (uint32_t i = 0; i < n; i++) {
            WR_TRY(wri_copy_child(call, 0, off + i, set.list.items[i].vec, row));
            ((int32_t *)call->out->child[1].data)[off + i] = times[i];
        }
    }
    return WR_OK;
}
