/* SPDX-License-Identifier: Apache-2.0 */
/* STR_TO_MAP: splits as Java's String.split does, by regular expressions, and orders the entries as
 * a java.util.HashMap of them would, so that the printed map is the one Flink prints. */
#include "expr/fn_int.h"
#include "expr/regex_int.h"
#include "expr/str_int.h"

/* One or three strings. */
wr_status
wri_r_str_to_map(wr_ctx *ctx, wr_fn_bind *b)
{
    if (b->arg_count == 2)
        return wr_raise_at(ctx, WR_TYPE, b->span,
                           "Invalid number of arguments to function 'STR_TO_MAP'. Was expecting 1 "
                           "arguments");
    for (uint32_t i = 0; i < b->arg_count; i++)
        if (!wr_type_is_string(b->arg_types[i]) && !wr_type_is(b->arg_types[i], WR_T_NULL))
            return wri_refuse(ctx, b, NULL);
    const wr_type *s = wr_type_string(true);
    const wr_type *t = wr_type_map(b->arena, s, s, true);
    WR_TRY_ALLOC(ctx, t);
    return wri_result_null(ctx, b, t, true);
}

typedef WR_LIST(wr_str) str_list;

typedef struct splitter { /* a delimiter: plain text, or a regular expression */
    wr_str text;
    wri_regex *re;
} splitter;

static wr_status
splitter_init(wr_fn_call *call, splitter *d, wr_str text)
{
    *d = (splitter){.text = text};
    bool plain = text.len == 1 && !strchr("\\[]()|^-+*?{}$.", text.ptr[0]);
    if (!plain) return wri_regex_cache_get(call->ctx, call->state, text, &d->re);
    return WR_OK;
}

/* Next delimiter at or after `from`. */
static wri_regex_status
next_delim(const splitter *d, wr_str s, size_t from, bool *hit, size_t *start, size_t *end)
{
    if (!d->re) {
        *start = wri_find(s, d->text, from);
        *hit = *start != SIZE_MAX;
        *end = *hit ? *start + d->text.len : 0;
        return WRI_REGEX_OK;
    }
    wri_regex_status st = wri_regex_find(d->re, s, from, hit);
    if (st == WRI_REGEX_OK && *hit) *hit = wri_regex_group(d->re, 0, start, end);
    return st;
}

/* String.split(regex, max): max 0 = any number, without trailing empty parts. */
static wr_status
split(wr_fn_call *call, const splitter *d, wr_str s, uint32_t max, str_list *out,
      wri_regex_status *st)
{
    out->count = 0;
    size_t at = 0, from = 0, start = 0, end = 0;
    bool hit = false;
    while (from != SIZE_MAX && (max == 0 || out->count + 1 < max)) {
        *st = next_delim(d, s, from, &hit, &start, &end);
        if (*st != WRI_REGEX_OK) return WR_OK;
        if (!hit) break;
        from = end > start ? end : wri_regex_next(d->re, s);
        if (end == 0) continue; /* nothing before an empty match at the start */
        if (max == 0 && end == start && start == s.len) break;
        wr_str part = {s.ptr + at, start - at};
        if (!wr_list_push(call->arena, out, part)) return WRI_NOMEM(call);
        at = end;
    }
    wr_str rest = {s.ptr + at, s.len - at};
    if (!wr_list_push(call->arena, out, rest)) return WRI_NOMEM(call);
    while (max == 0 && out->count > 1 && out->items[out->count - 1].len == 0) out->count--;
    if (max == 0 && out->count == 1 && out->items[0].len == 0 && s.len > 0) out->count = 0;
    return WR_OK;
}

typedef struct pair {
    wr_str key, value;
    bool has_value;
    uint32_t hash; /* as a HashMap spreads it */
    uint32_t next; /* of its chain, + 1; 0 = last */
} pair;
typedef struct pair_list {
    WR_LIST(pair) pairs; /* in the order of their first sight */
    uint32_t *chains;    /* pair + 1 by hash; 0 = empty */
    uint32_t chain_count;
} pair_list;

/* Chains for twice as many pairs. */
static bool
grow_chains(pair_list *l, wr_arena *a)
{
    const uint32_t n = WR_MAX(l->chain_count * 2, 16u);
    l->chains = WR_NEW_N(a, uint32_t, n);
    if (!l->chains) return false;
    l->chain_count = n;
    for (uint32_t i = 0; i < l->pairs.count; i++) {
        uint32_t *chain = &l->chains[l->pairs.items[i].hash & (n - 1)];
        l->pairs.items[i].next = *chain;
        *chain = i + 1;
    }
    return true;
}

static wr_status
pair_put(wr_fn_call *call, pair_list *l, const str_list *kv)
{
    pair p = {.key = kv->items[0]};
    const uint32_t h = (uint32_t)wri_java_hash(p.key);
    p.hash = h ^ h >> 16;
    if (kv->count > 1) {
        p.value = kv->items[1];
        p.has_value = true;
    }
    if (l->pairs.count >= l->chain_count && !grow_chains(l, call->arena)) return WRI_NOMEM(call);
    uint32_t *chain = &l->chains[p.hash & (l->chain_count - 1)];
    for (uint32_t i = *chain; i; i = l->pairs.items[i - 1].next) {
        pair *same = &l->pairs.items[i - 1];
        if (!wr_str_eq(same->key, p.key)) continue;
        same->value = p.value;
        same->has_value = p.has_value;
        return WR_OK;
    }
    p.next = *chain;
    if (!wr_list_push(call->arena, &l->pairs, p)) return WRI_NOMEM(call);
    *chain = l->pairs.count;
    return WR_OK;
}

/* By bucket of a HashMap of this size, first come first within a bucket: a counting sort. */
static bool
hash_map_order(pair_list *l, wr_arena *a)
{
    const uint32_t n = l->pairs.count;
    uint32_t cap = 16;
    while (n > cap - cap / 4) cap *= 2;
    uint32_t *first = WR_NEW_N(a, uint32_t, cap + 1);
    pair *sorted = WR_NEW_N(a, pair, n + 1);
    if (!first || !sorted) return false;
    for (uint32_t i = 0; i < n; i++) first[(l->pairs.items[i].hash & (cap - 1)) + 1]++;
    for (uint32_t k = 0; k < cap; k++) first[k + 1] += first[k];
    for (uint32_t i = 0; i < n; i++)
        sorted[first[l->pairs.items[i].hash & (cap - 1)]++] = l->pairs.items[i];
    l->pairs.items = sorted;
    return true;
}

static wr_status
put_map(wr_fn_call *call, uint32_t row, const pair_list *l)
{
    uint32_t off = 0;
    WR_TRY(wri_put_list(call, row, l->pairs.count, &off));
    wr_vec *keys = &call->out->child[0], *values = &call->out->child[1];
    for (uint32_t i = 0; i < l->pairs.count; i++) {
        const pair *p = &l->pairs.items[i];
        ((wr_strv *)keys->data)[off + i] = wr_strv_make(p->key.ptr, (uint32_t)p->key.len);
        if (p->has_value)
            ((wr_strv *)values->data)[off + i] = wr_strv_make(p->value.ptr, (uint32_t)p->value.len);
        else if (!wr_vec_set_null(values, off + i, call->arena))
            return WRI_NOMEM(call);
    }
    return WR_OK;
}

static wr_status
bad_delimiter(wr_fn_call *call, uint32_t row, const char *text)
{
    wr_row_err(call->errs, row, WR_DATA, "%s", text);
    wri_null(call, row);
    return WR_OK;
}

static wr_status
map_of_row(wr_fn_call *call, uint32_t row, wr_str s, wr_str list_delim, wr_str kv_delim)
{
    splitter outer = {0}, inner = {0};
    str_list parts = {0}, kv = {0};
    pair_list pairs = {0};
    wri_regex_status st = WRI_REGEX_OK;
    if (s.len > 0) {
        WR_TRY(splitter_init(call, &outer, list_delim));
        if (outer.re && wri_regex_is_bad(outer.re))
            return bad_delimiter(call, row,
                                 "the pair delimiter of STR_TO_MAP is no regular expression");
        WR_TRY(split(call, &outer, s, 0, &parts, &st));
        WR_TRY(splitter_init(call, &inner, kv_delim));
        if (inner.re && wri_regex_is_bad(inner.re))
            return bad_delimiter(call, row,
                                 "the key delimiter of STR_TO_MAP is no regular expression");
    }
    for (uint32_t i = 0; i < parts.count && st == WRI_REGEX_OK; i++) {
        WR_TRY(split(call, &inner, parts.items[i], 2, &kv, &st));
        WR_TRY(pair_put(call, &pairs, &kv));
    }
    if (st != WRI_REGEX_OK) return bad_delimiter(call, row, WRI_REGEX_LIMIT_TEXT);
    if (!hash_map_order(&pairs, call->arena)) return WRI_NOMEM(call);
    return put_map(call, row, &pairs);
}

wr_status
wri_k_str_to_map(wr_fn_call *call)
{
    bool delims = call->arg_count > 1;
    wr_view s = wri_view(call, 0), l = {0}, k = {0};
    if (delims) {
        l = wri_view(call, 1);
        k = wri_view(call, 2);
    }
    WR_FOR_CALL(call, row)
    {
        if (wri_skip(call, row)) continue;
        wr_str outer = delims ? wr_view_str(&l, row) : WR_STR(",");
        wr_str inner = delims ? wr_view_str(&k, row) : WR_STR("=");
        WR_TRY(map_of_row(call, row, wr_view_str(&s, row), outer, inner));
    }
    return WR_OK;
}
