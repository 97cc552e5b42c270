/* SPDX-License-Identifier: Apache-2.0 */
/* VARIANT: PARSE_JSON, TRY_PARSE_JSON, access by key and position. The encoding is
 * types/variant.h's affair. */
#include "expr/coll_int.h"
#include "types/variant.h"

static wr_status
parse_json(wr_fn_call *call, bool try_it)
{
    wr_view s = wri_view(call, 0), d = {0};
    bool has_flag = call->arg_count > 1;
    if (has_flag) d = wri_view(call, 1);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        bool duplicates = has_flag && WR_VIEW(&d, uint8_t, row) != 0;
        char why[WR_VARIANT_WHY_MAX] = "";
        wr_text t;
        wr_text_init(&t, call->arena);
        if (wr_variant_from_json(wr_view_str(&s, row), duplicates, &t, why)) {
            if (t.failed) return wr_text_raise(call->ctx, &t);
            wr_str v = wr_text_str(&t);
            wri_put_ref(call, row, v.ptr, v.len);
            continue;
        }
        if (t.failed || !why[0]) return WRI_NOMEM(call);
        if (!try_it) wr_row_err(call->errs, row, WR_DATA, "%s", why);
        wri_null(call, row);
    }
    return WR_OK;
}

wr_status
wri_k_parse_json(wr_fn_call *call)
{
    return parse_json(call, false);
}

wr_status
wri_k_try_parse_json(wr_fn_call *call)
{
    return parse_json(call, true);
}

/* variant[index] or variant['key']; NULL when it is not there. */
wr_status
wri_k_item_variant(wr_fn_call *call)
{
    wr_view v = wri_view(call, 0), k = wri_view(call, 1);
    bool by_key = wr_type_is_string(call->args[1]->type);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str whole = wr_view_str(&v, row), part = {NULL, 0};
        bool fits = wr_variant_kind_of(whole) == (by_key ? WR_VARIANT_OBJECT : WR_VARIANT_ARRAY);
        if (!fits) {
            wr_row_err(call->errs, row, WR_DATA,
                       by_key ? "String key access on variant requires an object variant, but a "
                                "non-object variant was provided."
                              : "Integer index access on variant requires an array variant, but a "
                                "non-array variant was provided.");
            wri_null(call, row);
            continue;
        }
        bool found = by_key ? wr_variant_field(whole, wr_view_str(&k, row), &part)
                            : wr_variant_item(whole, wri_int(&k, call->args[1]->phys, row), &part);
        if (found)
            wri_put_ref(call, row, part.ptr, part.len);
        else
            wri_null(call, row);
    }
    return WR_OK;
}
