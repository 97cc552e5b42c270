/* SPDX-License-Identifier: Apache-2.0 */
/* ARRAY_... functions: adding, looking for and removing elements, order, slices, set operations.
 * NULL elements equal each other. */
#include "expr/coll_int.h"

static bool
is_array(const wr_type *t)
{
    return wr_type_is(t, WR_T_ARRAY);
}

/* ---- adding ---------------------------------------------------------------------------------- */

wr_status
wri_r_array_append(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *e = NULL;
    bool ok = false, null = b->arg_types[1]->nullable;
    WR_TRY(wri_unify_elem(ctx, b, 1, &e, &ok));
    if (!ok) return wri_refuse_style(ctx, b);
    e = wr_type_nullable(b->arena, e, e->nullable || null);
    WR_TRY_ALLOC(ctx, e);
    return wri_result(ctx, b, wr_type_array(b->arena, e, true));
}

static wr_status
append(wr_fn_call *call, bool at_start)
{
    const wr_vec *v = call->args[0];
    WR_FOR_CALL(call, row)
    {
        if (wri_arg_null(call, 0, row)) {
            wri_null(call, row);
            continue;
        }
        wr_list l = wri_arg_list(call, 0, row);
        uint32_t off = 0, shift = at_start ? 1 : 0;
        WR_TRY(wri_put_list(call, row, l.len + 1, &off));
        for (uint32_t i = 0; i < l.len; i++)
            WR_TRY(wri_copy_child(call, 0, off + shift + i, &v->child[0], l.off + i));
        WR_TRY(wri_copy_child(call, 0, at_start ? off : off + l.len, call->args[1], row));
    }
    return WR_OK;
}

wr_status
wri_k_array_append(wr_fn_call *call)
{
    return append(call, false);
}

wr_status
wri_k_array_prepend(wr_fn_call *call)
{
    return append(call, true);
}

/* All arguments are arrays (maps) of one common type. */
static wr_status
unify_all(wr_ctx *ctx, wr_fn_bind *b, wr_type_id id, const char *name, const wr_type **common)
{
    for (uint32_t i = 0; i < b->arg_count; i++)
        if (!wr_type_is(b->arg_types[i], id) && !wr_type_is(b->arg_types[i], WR_T_NULL)) {
            wr_str why = wr_arena_printf(b->arena, "All arguments requires to be a %s type", name);
            WR_TRY_ALLOC(ctx, why.ptr);
            return wri_invalid_call(ctx, b, why.ptr);
        }
    *common = wri_common(b, 0, b->arg_count);
    if (!*common || !wr_type_is(*common, id)) {
        wr_text t;
        wr_text_init(&t, b->arena);
        wr_text_puts(&t, "Could not find a common type for arguments: [");
        for (uint32_t i = 0; i < b->arg_count; i++) {
            if (i) wr_text_puts(&t, ", ");
            wr_type_print(b->arg_types[i], WR_TYPE_SUMMARY, &t);
        }
        wr_text_puts(&t, "]");
        wr_text_putc(&t, 0);
        if (t.failed) return wr_raise(ctx, WR_NOMEM, "out of memory");
        return wri_invalid_call(ctx, b, t.ptr);
    }
    for (uint32_t i = 0; i < b->arg_count; i++) WR_TRY(wri_cast_arg(ctx, b, i, *common));
    return WR_OK;
}

wr_status
wri_r_array_concat(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = NULL;
    WR_TRY(unify_all(ctx, b, WR_T_ARRAY, "ARRAY", &t));
    return wri_result(ctx, b, t);
}

wr_status
wri_k_array_concat(wr_fn_call *call)
{
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        uint64_t n = 0;
        for (uint32_t i = 0; i < call->arg_count; i++) n += wri_arg_list(call, i, row).len;
        if (n > UINT32_MAX / 2) {
            wr_row_err(call->errs, row, WR_LIMIT, "the result of ARRAY_CONCAT is too long");
            continue;
        }
        uint32_t off = 0;
        WR_TRY(wri_put_list(call, row, (uint32_t)n, &off));
        for (uint32_t i = 0; i < call->arg_count; i++) {
            wr_list l = wri_arg_list(call, i, row);
            for (uint32_t k = 0; k < l.len; k++)
                WR_TRY(wri_copy_child(call, 0, off++, &call->args[i]->child[0], l.off + k));
        }
    }
    return WR_OK;
}

/* ---- looking for, removing ------------------------------------------------------------------- */

static wr_status
r_needle(wr_ctx *ctx, wr_fn_bind *b, wr_type_id result, bool needle_nulls)
{
    const wr_type *e = NULL;
    bool ok = false;
    bool nullable = b->arg_types[0]->nullable || (needle_nulls && b->arg_types[1]->nullable);
    if (is_array(b->arg_types[0]) && wr_type_is_string(WRI_ELEM(b->arg_types[0])) &&
        wr_type_is_string(b->arg_types[1]))
        ok = true; /* compared as they are */
    else
        WR_TRY(wri_unify_elem(ctx, b, 1, &e, &ok));
    if (!ok) return wri_refuse_style(ctx, b);
    const wr_type *t = result == WR_T_ARRAY ? b->arg_types[0] : wr_type_of(result, true);
    return wri_result_null(ctx, b, t, nullable);
}

wr_status
wri_r_array_contains(wr_ctx *ctx, wr_fn_bind *b)
{
    return r_needle(ctx, b, WR_T_BOOLEAN, false);
}

wr_status
wri_r_array_position(wr_ctx *ctx, wr_fn_bind *b)
{
    return r_needle(ctx, b, WR_T_INT, true);
}

wr_status
wri_r_array_remove(wr_ctx *ctx, wr_fn_bind *b)
{
    return r_needle(ctx, b, WR_T_ARRAY, false);
}

/* Position from 1 of the needle (argument 1) in the row's array; 0: none. */
static uint32_t
position(wr_fn_call *call, uint32_t row)
{
    wr_list l = wri_arg_list(call, 0, row);
    const wr_vec *e = &call->args[0]->child[0];
    for (uint32_t i = 0; i < l.len; i++)
        if (wr_vec_entry_peer(e, l.off + i, call->args[1], row)) return i + 1;
    return 0;
}

wr_status
wri_k_array_contains(wr_fn_call *call)
{
    WR_FOR_CALL(call, row)
    {
        if (wri_arg_null(call, 0, row))
            wri_null(call, row);
        else
            WRI_OUT(call, uint8_t)[row] = position(call, row) > 0;
    }
    return WR_OK;
}

wr_status
wri_k_array_position(wr_fn_call *call)
{
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        WRI_OUT(call, int32_t)[row] = (int32_t)position(call, row);
    }
    return WR_OK;
}

wr_status
wri_k_array_remove(wr_fn_call *call)
{
    const wr_vec *e = call->args[0]->phys == WR_PHYS_LIST ? &call->args[0]->child[0] : NULL;
    WR_FOR_CALL(call, row)
    {
        if (wri_arg_null(call, 0, row)) {
            wri_null(call, row);
            continue;
        }
        wr_list l = wri_arg_list(call, 0, row);
        uint32_t off = 0, n = 0;
        WR_TRY(wri_put_list(call, row, l.len, &off));
        for (uint32_t i = 0; i < l.len; i++) {
            if (wr_vec_entry_peer(e, l.off + i, call->args[1], row)) continue;
            WR_TRY(wri_copy_child(call, 0, off + n++, e, l.off + i));
        }
        WRI_OUT(call, wr_list)[row].len = n;
    }
    return WR_OK;
}

/* ---- order ----------------------------------------------------------------------------------- */

wr_status
wri_r_array_same(wr_ctx *ctx, wr_fn_bind *b)
{
    if (!is_array(b->arg_types[0])) return wri_refuse_style(ctx, b);
    return wri_result(ctx, b, b->arg_types[0]);
}

wr_status
wri_k_array_reverse(wr_fn_call *call)
{
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_list l = wri_arg_list(call, 0, row);
        uint32_t off = 0;
        WR_TRY(wri_put_list(call, row, l.len, &off));
        for (uint32_t i = 0; i < l.len; i++)
            WR_TRY(
                wri_copy_child(call, 0, off + l.len - 1 - i, &call->args[0]->child[0], l.off + i));
    }
    return WR_OK;
}

wr_status
wri_r_array_slice(wr_ctx *ctx, wr_fn_bind *b)
{
    bool ok = is_array(b->arg_types[0]);
    for (uint32_t i = 1; i < b->arg_count; i++)
        ok = ok &&
             (wr_type_is_integer(b->arg_types[i]) || wr_type_is(b->arg_types[i], WR_T_NULL)) &&
             !wr_type_is(b->arg_types[i], WR_T_BIGINT);
    if (!ok) return wri_refuse_style(ctx, b);
    return wri_result(ctx, b, b->arg_types[0]);
}

/* Positions from 1, 0 counts as 1, negative ones from the end. */
static int64_t
from_end(int64_t at, int64_t len)
{
    if (at == 0) return 1;
    return at < 0 ? at + len + 1 : at;
}

wr_status
wri_k_array_slice(wr_fn_call *call)
{
    wr_view s = wri_view(call, 1), e = {0};
    bool has_end = call->arg_count > 2;
    if (has_end) e = wri_view(call, 2);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_list l = wri_arg_list(call, 0, row);
        int64_t len = l.len;
        int64_t from = from_end(wri_int(&s, call->args[1]->phys, row), len);
        int64_t to = has_end ? from_end(wri_int(&e, call->args[2]->phys, row), len) : len;
        from = WR_MAX(from, 1);
        to = WR_MIN(to, len);
        uint32_t off = 0, n = to >= from ? (uint32_t)(to - from + 1) : 0;
        WR_TRY(wri_put_list(call, row, n, &off));
        for (uint32_t i = 0; i < n; i++)
            WR_TRY(wri_copy_child(call, 0, off + i, &call->args[0]->child[0],
                                  l.off + (uint32_t)from - 1 + i));
    }
    return WR_OK;
}

/* Scalars but BOOLEAN */
static bool
has_order(const wr_type *t)
{
    wr_family f = wr_type_family(t);
    return f == WR_FAM_EXACT || f == WR_FAM_APPROX || f == WR_FAM_STRING || f == WR_FAM_BINARY ||
           f == WR_FAM_DATETIME || f == WR_FAM_INTERVAL;
}

wr_status
wri_r_array_sort(wr_ctx *ctx, wr_fn_bind *b)
{
    bool ok = is_array(b->arg_types[0]) && has_order(WRI_ELEM(b->arg_types[0]));
    for (uint32_t i = 1; i < b->arg_count; i++)
        ok = ok &&
             (wr_type_is(b->arg_types[i], WR_T_BOOLEAN) || wr_type_is(b->arg_types[i], WR_T_NULL));
    if (!ok) return wri_refuse_style(ctx, b);
    return wri_result(ctx, b, b->arg_types[0]);
}

typedef struct sorting {
    const wr_vec *e;
    bool asc, nulls_first;
} sorting;

static bool
goes_after(const sorting *o, uint32_t a, uint32_t b)
{
    bool an = wr_vec_is_null(o->e, a), bn = wr_vec_is_null(o->e, b);
    if (an || bn) return an != bn && (o->nulls_first ? bn : an);
    int c = wr_vec_entry_order(o->e, a, o->e, b);
    return o->asc ? c > 0 : c < 0;
}

static void
merge_sort(const sorting *o, uint32_t *rows, uint32_t *tmp, uint32_t n)
{
    if (n < 2) return;
    uint32_t half = n / 2, i = 0, j = half, k = 0;
    merge_sort(o, rows, tmp, half);
    merge_sort(o, rows + half, tmp, n - half);
    memcpy(tmp, rows, sizeof *rows * n);
    while (i < half || j < n)
        rows[k++] = j == n || (i < half && !goes_after(o, tmp[i], tmp[j])) ? tmp[i++] : tmp[j++];
}

wr_status
wri_k_array_sort(wr_fn_call *call)
{
    wr_view a = {0}, f = {0};
    if (call->arg_count > 1) a = wri_view(call, 1);
    if (call->arg_count > 2) f = wri_view(call, 2);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_list l = wri_arg_list(call, 0, row);
        sorting o = {.e = &call->args[0]->child[0], .asc = true};
        if (call->arg_count > 1) o.asc = WR_VIEW(&a, uint8_t, row) != 0;
        o.nulls_first = call->arg_count > 2 ? WR_VIEW(&f, uint8_t, row) != 0 : o.asc;
        uint32_t *rows = WR_NEW_N(call->arena, uint32_t, 2 * (size_t)l.len + 1);
        if (!rows) return WRI_NOMEM(call);
        for (uint32_t i = 0; i < l.len; i++) rows[i] = l.off + i;
        merge_sort(&o, rows, rows + l.len, l.len);
        uint32_t off = 0;
        WR_TRY(wri_put_list(call, row, l.len, &off));
        for (uint32_t i = 0; i < l.len; i++) WR_TRY(wri_copy_child(call, 0, off + i, o.e, rows[i]));
    }
    return WR_OK;
}

wr_status
wri_r_array_extreme(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    if (!is_array(t)) return wri_refuse_style(ctx, b);
    if (!has_order(WRI_ELEM(t))) {
        wr_str s = wr_type_str(WRI_ELEM(t), WR_TYPE_SUMMARY, b->arena);
        wr_str why = wr_arena_printf(
            b->arena,
            "Type '%.*s' should support both 'EQUALS' and 'ORDER' comparison with itself.",
            WR_STR_ARG(s));
        WR_TRY_ALLOC(ctx, why.ptr);
        return wri_invalid_call(ctx, b, why.ptr);
    }
    return wri_result_null(ctx, b, WRI_ELEM(t), true);
}

static wr_status
extreme(wr_fn_call *call, int sign)
{
    const wr_vec *e = &call->args[0]->child[0];
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_list l = wri_arg_list(call, 0, row);
        uint32_t best = UINT32_MAX;
        for (uint32_t i = l.off; i < l.off + l.len; i++) {
            if (wr_vec_is_null(e, i)) continue;
            if (best == UINT32_MAX || sign * wr_vec_entry_order(e, i, e, best) > 0) best = i;
        }
        if (best == UINT32_MAX)
            wri_null(call, row);
        else if (!wr_vec_copy_entry(call->out, row, e, best, call->arena))
            return WRI_NOMEM(call);
    }
    return WR_OK;
}

wr_status
wri_k_array_max(wr_fn_call *call)
{
    return extreme(call, 1);
}

wr_status
wri_k_array_min(wr_fn_call *call)
{
    return extreme(call, -1);
}

/* ---- sets ------------------------------------------------------------------------------------ */

wr_status
wri_r_array_pair(wr_ctx *ctx, wr_fn_bind *b)
{
    return wri_r_array_concat(ctx, b);
}

/* Distinct elements of argument 0 that are (not) in argument 1, `in`: 1 = must be, 0 = must not,
 * -1 = there is no argument 1. */
static wr_status
distinct(wr_fn_call *call, int in)
{
    const wr_vec *e = &call->args[0]->child[0];
    wri_elem_set seen, other;
    wri_set_init(&seen, call->arena);
    wri_set_init(&other, call->arena);
    seen.one_zero = in < 0;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        uint32_t at = 0;
        bool added = false;
        wri_set_clear(&seen);
        wri_set_clear(&other);
        if (in >= 0) {
            wr_list r = wri_arg_list(call, 1, row);
            for (uint32_t i = 0; i < r.len; i++)
                if (!wri_set_add(&other, &call->args[1]->child[0], r.off + i, &at, &added))
                    return WRI_NOMEM(call);
        }
        wr_list l = wri_arg_list(call, 0, row);
        for (uint32_t i = l.off; i < l.off + l.len; i++) {
            if (in >= 0 && (wri_set_find(&other, e, i) != UINT32_MAX) != (in == 1)) continue;
            if (!wri_set_add(&seen, e, i, &at, &added)) return WRI_NOMEM(call);
        }
        WR_TRY(wri_put_elems(call, row, seen.list.items, seen.list.count));
    }
    return WR_OK;
}

wr_status
wri_k_array_distinct(wr_fn_call *call)
{
    return distinct(call, -1);
}

wr_status
wri_k_array_except(wr_fn_call *call)
{
    return distinct(call, 0);
}

wr_status
wri_k_array_intersect(wr_fn_call *call)
{
    return distinct(call, 1);
}

wr_status
wri_k_array_union(wr_fn_call *call)
{
    wri_elem_set seen;
    wri_set_init(&seen, call->arena);
    seen.one_zero = true;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wri_set_clear(&seen);
        for (uint32_t k = 0; k < 2; k++) {
            wr_list l = wri_arg_list(call, k, row);
            uint32_t at = 0;
            bool added = false;
            for (uint32_t i = l.off; i < l.off + l.len; i++)
                if (!wri_set_add(&seen, &call->args[k]->child[0], i, &at, &added))
                    return WRI_NOMEM(call);
        }
        WR_TRY(wri_put_elems(call, row, seen.list.items, seen.list.count));
    }
    return WR_OK;
}

/* ---- joining --------------------------------------------------------------------------------- */

wr_status
wri_r_array_join(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0];
    bool ok = is_array(t) && wr_type_is_string(WRI_ELEM(t));
    for (uint32_t i = 1; i < b->arg_count; i++)
        ok = ok && (wr_type_is_string(b->arg_types[i]) || wr_type_is(b->arg_types[i], WR_T_NULL));
    if (!ok) return wri_refuse_style(ctx, b);
    return wri_result(ctx, b, wr_type_string(true));
}

wr_status
wri_k_array_join(wr_fn_call *call)
{
    wr_view d = wri_view(call, 1), n = {0};
    bool has_null = call->arg_count > 2;
    if (has_null) n = wri_view(call, 2);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_list l = wri_arg_list(call, 0, row);
        const wr_vec *e = &call->args[0]->child[0];
        wr_view items = wr_vec_view(e);
        wr_str delim = wr_view_str(&d, row);
        wr_text t;
        wr_text_init(&t, call->arena);
        bool first = true;
        for (uint32_t i = l.off; i < l.off + l.len; i++) {
            bool null = wr_vec_is_null(e, i);
            if (null && !has_null) continue;
            wr_str s = null ? wr_view_str(&n, row) : wr_view_str(&items, i);
            if (!first) wr_text_put(&t, delim.ptr, delim.len);
            first = false;
            wr_text_put(&t, s.ptr, s.len);
        }
        if (t.failed) return wr_text_raise(call->ctx, &t);
        wr_str s = wr_text_str(&t);
        wri_put_ref(call, row, s.ptr, s.len);
    }
    return WR_OK;
}

wr_status
wri_r_map_union(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = NULL;
    WR_TRY(unify_all(ctx, b, WR_T_MAP, "MAP", &t));
    return wri_result(ctx, b, t);
}
