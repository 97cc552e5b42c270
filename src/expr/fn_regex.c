/* SPDX-License-Identifier: Apache-2.0 */
/* REGEXP and its family. Each call has a small cache of compiled patterns for the task's life; a
 * constant pattern is compiled when the task is prepared, so that the loop finds it ready. */
#include "expr/fn_int.h"
#include "expr/regex_int.h"
#include "expr/str_int.h"

wr_status
wri_p_regex(wr_ctx *ctx, const wr_expr *call, const wr_eval_env *env, wr_arena *arena,
            void **state_out)
{
    (void)env;
    wri_regex_cache *cache = NULL;
    WR_TRY(wri_regex_cache_create(ctx, arena, &cache));
    *state_out = cache;
    wr_str pattern;
    wri_regex *re = NULL;
    if (call->arg_count > 1 && wri_const_str(call, 1, &pattern))
        WR_TRY(wri_regex_cache_get(ctx, cache, pattern, &re));
    return WR_OK;
}

typedef struct regex_loop { /* the strings, and the pattern of the present row */
    wr_view s, p;
    wr_str last;
    wri_regex *re;
} regex_loop;

static void
loop_init(regex_loop *l, wr_fn_call *call)
{
    memset(l, 0, sizeof *l);
    l->s = wri_view(call, 0);
    l->p = wri_view(call, 1);
}

/* l->re = the pattern of `row`. */
static wr_status
loop_row(regex_loop *l, wr_fn_call *call, uint32_t row)
{
    wr_str pattern = wr_view_str(&l->p, row);
    if (l->re && wr_str_eq(pattern, l->last)) return WR_OK;
    WR_TRY(wri_regex_cache_get(call->ctx, call->state, pattern, &l->re));
    l->last = pattern;
    return WR_OK;
}

static bool
limit(wr_fn_call *call, uint32_t row, wri_regex_status st)
{
    if (st == WRI_REGEX_OK) return false;
    wr_row_err(call->errs, row, WR_LIMIT, WRI_REGEX_LIMIT_TEXT);
    wri_null(call, row);
    return true;
}

wr_status
wri_k_regexp(wr_fn_call *call)
{
    regex_loop l;
    loop_init(&l, call);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        WR_TRY(loop_row(&l, call, row));
        bool hit = false;
        if (l.last.len > 0 && !wri_regex_is_bad(l.re) &&
            limit(call, row, wri_regex_find(l.re, wr_view_str(&l.s, row), 0, &hit)))
            continue;
        WRI_OUT(call, uint8_t)[row] = hit;
    }
    return WR_OK;
}

wr_status
wri_k_regexp_replace(wr_fn_call *call)
{
    regex_loop l;
    loop_init(&l, call);
    wr_view r = wri_view(call, 2);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        WR_TRY(loop_row(&l, call, row));
        if (wri_regex_is_bad(l.re)) {
            wri_null(call, row);
            continue;
        }
        wr_str s = wr_view_str(&l.s, row), by = wr_view_str(&r, row);
        wr_text t;
        wr_text_init(&t, call->arena);
        size_t copied = 0, from = 0, start = 0, end = 0;
        bool hit = false, any = false, gave_up = false;
        for (;;) {
            gave_up = limit(call, row, wri_regex_find(l.re, s, from, &hit));
            if (gave_up || !hit || !wri_regex_group(l.re, 0, &start, &end)) break;
            any = true;
            wr_text_put(&t, s.ptr + copied, start - copied);
            wr_text_put(&t, by.ptr, by.len);
            copied = end;
            from = wri_regex_next(l.re, s);
        }
        if (gave_up) continue;
        if (any) wr_text_put(&t, s.ptr + copied, s.len - copied);
        if (t.failed) return wr_text_raise(call->ctx, &t);
        wr_str out = any ? wr_text_str(&t) : s;
        wri_put_ref(call, row, out.ptr, out.len);
    }
    return WR_OK;
}

/* Group `g` of the first match as the result. */
static wr_status
first_group(wr_fn_call *call, bool with_index)
{
    regex_loop l;
    loop_init(&l, call);
    wr_view n = {0};
    if (with_index) n = wri_view(call, 2);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        WR_TRY(loop_row(&l, call, row));
        int64_t g = with_index ? wri_int(&n, call->args[2]->phys, row) : 0;
        wr_str s = wr_view_str(&l.s, row);
        size_t start = 0, end = 0;
        bool hit = false;
        if (wri_regex_is_bad(l.re) || g < 0 || g > wri_regex_groups(l.re)) {
            wri_null(call, row);
            continue;
        }
        if (limit(call, row, wri_regex_find(l.re, s, 0, &hit))) continue;
        if (hit && wri_regex_group(l.re, (uint32_t)g, &start, &end))
            wri_put_ref(call, row, s.ptr + start, end - start);
        else
            wri_null(call, row);
    }
    return WR_OK;
}

wr_status
wri_k_regexp_extract(wr_fn_call *call)
{
    return first_group(call, call->arg_count > 2);
}

wr_status
wri_k_regexp_substr(wr_fn_call *call)
{
    return first_group(call, false);
}

/* All matches of one row into the result's child. */
static wr_status
extract_all(wr_fn_call *call, wri_regex *re, wr_str s, uint32_t g, uint32_t row)
{
    WR_LIST(wr_str) found = {0};
    size_t from = 0, start = 0, end = 0;
    bool hit = false;
    for (;;) {
        if (limit(call, row, wri_regex_find(re, s, from, &hit))) return WR_OK;
        if (!hit) break;
        wr_str part = {NULL, 0};
        if (wri_regex_group(re, g, &start, &end)) part = (wr_str){s.ptr + start, end - start};
        if (!wr_list_push(call->arena, &found, part)) return WRI_NOMEM(call);
        from = wri_regex_next(re, s);
    }
    uint32_t off = 0;
    WR_TRY(wri_put_list(call, row, found.count, &off));
    wr_vec *items = &call->out->child[0];
    for (uint32_t i = 0; i < found.count; i++) {
        wr_str part = found.items[i];
        if (part.ptr)
            ((wr_strv *)items->data)[off + i] = wr_strv_make(part.ptr, (uint32_t)part.len);
        else if (!wr_vec_set_null(items, off + i, call->arena))
            return WRI_NOMEM(call);
    }
    return WR_OK;
}

wr_status
wri_k_regexp_extract_all(wr_fn_call *call)
{
    regex_loop l;
    loop_init(&l, call);
    wr_view n = {0};
    if (call->arg_count > 2) n = wri_view(call, 2);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        WR_TRY(loop_row(&l, call, row));
        int64_t g = call->arg_count > 2 ? wri_int(&n, call->args[2]->phys, row) : 1;
        if (wri_regex_is_bad(l.re) || g < 0 || g > wri_regex_groups(l.re))
            wri_null(call, row);
        else
            WR_TRY(extract_all(call, l.re, wr_view_str(&l.s, row), (uint32_t)g, row));
    }
    return WR_OK;
}

wr_status
wri_k_regexp_count(wr_fn_call *call)
{
    regex_loop l;
    loop_init(&l, call);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        WR_TRY(loop_row(&l, call, row));
        if (wri_regex_is_bad(l.re)) {
            wri_null(call, row);
            continue;
        }
        wr_str s = wr_view_str(&l.s, row);
        int32_t count = 0;
        size_t from = 0;
        bool hit = false, gave_up = false;
        for (;;) {
            gave_up = limit(call, row, wri_regex_find(l.re, s, from, &hit));
            if (gave_up || !hit) break;
            count++;
            from = wri_regex_next(l.re, s);
        }
        if (!gave_up) WRI_OUT(call, int32_t)[row] = count;
    }
    return WR_OK;
}

wr_status
wri_k_regexp_instr(wr_fn_call *call)
{
    regex_loop l;
    loop_init(&l, call);
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        WR_TRY(loop_row(&l, call, row));
        if (wri_regex_is_bad(l.re)) {
            wri_null(call, row);
            continue;
        }
        wr_str s = wr_view_str(&l.s, row);
        size_t start = 0, end = 0;
        bool hit = false;
        if (limit(call, row, wri_regex_find(l.re, s, 0, &hit))) continue;
        int32_t at = 0;
        if (hit && wri_regex_group(l.re, 0, &start, &end))
            at = (int32_t)wri_cp_count((wr_str){s.ptr, start}) + 1;
        WRI_OUT(call, int32_t)[row] = at;
    }
    return WR_OK;
}
