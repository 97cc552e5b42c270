/* SPDX-License-Identifier: Apache-2.0 */
/* MAP_... functions. Maps keep the order in which their keys came first. */
#include "expr/coll_int.h"

/* MAP_KEYS, MAP_VALUES, MAP_ENTRIES */
wr_status
wri_r_map_part(wr_ctx *ctx, wr_fn_bind *b)
{
    const wr_type *t = b->arg_types[0], *e = NULL;
    if (!wr_type_is(t, WR_T_MAP)) return wri_refuse_style(ctx, b);
    if (strcmp(b->fn->name, "MAP_KEYS") == 0) {
        e = t->fields[0].type;
    } else if (strcmp(b->fn->name, "MAP_VALUES") == 0) {
        e = t->fields[1].type;
    } else {
        wr_field fields[] = {{.name = WR_STR("key"), .type = t->fields[0].type},
                             {.name = WR_STR("value"), .type = t->fields[1].type}};
        e = wr_type_row(b->arena, fields, 2, true);
        WR_TRY_ALLOC(ctx, e);
    }
    return wri_result(ctx, b, wr_type_array(b->arena, e, false));
}

static wr_status
part(wr_fn_call *call, uint32_t which)
{
    const wr_vec *src = &call->args[0]->child[which];
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_list l = wri_arg_list(call, 0, row);
        uint32_t off = 0;
        WR_TRY(wri_put_list(call, row, l.len, &off));
        for (uint32_t i = 0; i < l.len; i++)
            WR_TRY(wri_copy_child(call, 0, off + i, src, l.off + i));
    }
    return WR_OK;
}

wr_status
wri_k_map_keys(wr_fn_call *call)
{
    return part(call, 0);
}

wr_status
wri_k_map_values(wr_fn_call *call)
{
    return part(call, 1);
}

wr_status
wri_k_map_entries(wr_fn_call *call)
{
    const wr_vec *v = call->args[0];
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_list l = wri_arg_list(call, 0, row);
        uint32_t off = 0;
        WR_TRY(wri_put_list(call, row, l.len, &off));
        wr_vec *entry = &call->out->child[0];
        for (uint32_t i = 0; i < l.len; i++)
            for (uint32_t c = 0; c < 2; c++)
                if (!wr_vec_copy_entry(&entry->child[c], off + i, &v->child[c], l.off + i,
                                       call->arena))
                    return WRI_NOMEM(call);
    }
    return WR_OK;
}

wr_status
wri_r_map_from_arrays(wr_ctx *ctx, wr_fn_bind *b)
{
    if (!wr_type_is(b->arg_types[0], WR_T_ARRAY) || !wr_type_is(b->arg_types[1], WR_T_ARRAY))
        return wri_refuse_style(ctx, b);
    const wr_type *t =
        wr_type_map(b->arena, WRI_ELEM(b->arg_types[0]), WRI_ELEM(b->arg_types[1]), false);
    return wri_result(ctx, b, t);
}

typedef struct map_builder { /* keys in order of arrival, each with its last value */
    wri_elem_set keys;
    WR_LIST(wri_elem) values;
} map_builder;

static bool
map_put(map_builder *m, const wr_vec *keys, uint32_t k, const wr_vec *values, uint32_t v)
{
    uint32_t at = 0;
    bool added = false;
    wri_elem value = {values, v};
    if (!wri_set_add(&m->keys, keys, k, &at, &added)) return false;
    if (added) return wr_list_push(m->keys.arena, &m->values, value);
    m->keys.list.items[at] = (wri_elem){keys, k}; /* -0.0 for 0.0 */
    m->values.items[at] = value;
    return true;
}

static wr_status
map_result(wr_fn_call *call, uint32_t row, const map_builder *m)
{
    uint32_t off = 0, n = m->keys.list.count;
    WR_TRY(wri_put_list(call, row, n, &off));
    for (uint32_t i = 0; i < n; i++) {
        WR_TRY(
            wri_copy_child(call, 0, off + i, m->keys.list.items[i].vec, m->keys.list.items[i].row));
        WR_TRY(wri_copy_child(call, 1, off + i, m->values.items[i].vec, m->values.items[i].row));
    }
    return WR_OK;
}

wr_status
wri_k_map_from_arrays(wr_fn_call *call)
{
    map_builder m = {0};
    wri_set_init(&m.keys, call->arena);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_list k = wri_arg_list(call, 0, row), v = wri_arg_list(call, 1, row);
        if (k.len != v.len) {
            wr_row_err(call->errs, row, WR_DATA,
                       "Invalid function MAP_FROM_ARRAYS call:\nThe length of the keys array %u is "
                       "not equal to the length of the values array %u",
                       k.len, v.len);
            wri_null(call, row);
            continue;
        }
        wri_set_clear(&m.keys);
        m.values.count = 0;
        for (uint32_t i = 0; i < k.len; i++)
            if (!map_put(&m, &call->args[0]->child[0], k.off + i, &call->args[1]->child[0],
                         v.off + i))
                return WRI_NOMEM(call);
        WR_TRY(map_result(call, row, &m));
    }
    return WR_OK;
}

wr_status
wri_k_map_union(wr_fn_call *call)
{
    map_builder m = {0};
    wri_set_init(&m.keys, call->arena);
    m.keys.one_zero = true;
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wri_set_clear(&m.keys);
        m.values.count = 0;
        for (uint32_t a = 0; a < call->arg_count; a++) {
            const wr_vec *v = call->args[a];
            wr_list l = wri_arg_list(call, a, row);
            for (uint32_t i = l.off; i < l.off + l.len; i++)
                if (!map_put(&m, &v->child[0], i, &v->child[1], i)) return WRI_NOMEM(call);
        }
        WR_TRY(map_result(call, row, &m));
    }
    return WR_OK;
}
