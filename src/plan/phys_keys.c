/* SPDX-License-Identifier: Apache-2.0 */
/* Upsert keys: sets of columns by which a consumer may apply +U alone, because at any moment at
 * most one row of the relation has a value of the key, and all its changes arrive in order.
 *
 * An exchange keeps a key only if the key contains the columns it hashes by: otherwise changes of
 * one key may overtake each other on their ways. */
#include "plan/multi.h"
#include "plan/timed_int.h"
#include "plan/window.h"

#define WRI_KEYS_MAX 16

typedef struct key_list {
    wr_key_set items[WRI_KEYS_MAX];
    uint32_t count;
} key_list;

bool
wri_cols_contain(const uint32_t *set, uint32_t set_count, const uint32_t *subset, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        bool found = false;
        for (uint32_t k = 0; k < set_count && !found; k++) found = set[k] == subset[i];
        if (!found) return false;
    }
    return true;
}

bool
wri_keys_within(const wr_pnode *n, const uint32_t *cols, uint32_t count)
{
    for (uint32_t i = 0; i < n->upsert_key_count; i++)
        if (wri_cols_contain(cols, count, n->upsert_keys[i].cols, n->upsert_keys[i].count))
            return true;
    return false;
}

static bool
add_key(wri_phys *p, key_list *list, const uint32_t *cols, uint32_t count)
{
    if (list->count == WRI_KEYS_MAX) return true;
    uint32_t *sorted = wri_phys_cols(p, cols, count);
    if (!sorted) return false;
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t k = i; k > 0 && sorted[k - 1] > sorted[k]; k--) {
            uint32_t t = sorted[k];
            sorted[k] = sorted[k - 1];
            sorted[k - 1] = t;
        }
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].count == count &&
            wri_cols_contain(list->items[i].cols, count, sorted, count))
            return true;
    list->items[list->count++] = (wr_key_set){.cols = sorted, .count = count};
    return true;
}

static bool
keep_all(wri_phys *p, key_list *list, const wr_pnode *in)
{
    for (uint32_t i = 0; i < in->upsert_key_count; i++)
        if (!add_key(p, list, in->upsert_keys[i].cols, in->upsert_keys[i].count)) return false;
    return true;
}

static bool
scan_keys(wri_phys *p, key_list *list, const wr_pnode *n)
{
    const wr_table_desc *t = n->u.scan.spec.table;
    uint32_t cols[64], count = 0;
    if (t->primary_key_count == 0 || t->primary_key_count > WR_COUNT(cols)) return true;
    for (uint32_t k = 0; k < t->primary_key_count; k++) {
        uint32_t at = 0;
        while (at < n->schema.count && !wr_str_eq(n->schema.fields[at].name, t->primary_key[k]))
            at++;
        if (at == n->schema.count) return true; /* a key column is not read */
        cols[count++] = at;
    }
    return add_key(p, list, cols, count);
}

/* How many characters the longest value of the type has as text; 0 = no text that keeps values
 * apart is known. */
static int64_t
longest_text(const wr_type *t)
{
    switch ((int)t->id) {
    case WR_T_BOOLEAN:
        return 5;
    case WR_T_TINYINT:
        return 4;
    case WR_T_SMALLINT:
        return 6;
    case WR_T_INT:
        return 11;
    case WR_T_BIGINT:
        return 20;
    case WR_T_FLOAT:
        return 15;
    case WR_T_DOUBLE:
        return 24;
    case WR_T_DATE:
        return 10;
    case WR_T_TIME:
        return t->precision ? 9 + t->precision : 8;
    case WR_T_TIMESTAMP:
    case WR_T_TIMESTAMP_LTZ:
        return t->precision ? 20 + t->precision : 19;
    case WR_T_CHAR:
    case WR_T_VARCHAR:
        return t->length;
    default:
        return 0;
    }
}

/* A cast that gives different values for different values: those that Flink takes for such. */
static bool
keeps_apart(const wr_type *from, const wr_type *to)
{
    if (wr_type_eq_ignoring_null(from, to)) return true;
    const int64_t text = longest_text(from);
    switch ((int)to->id) {
    case WR_T_SMALLINT:
    case WR_T_INT:
    case WR_T_BIGINT:
        return from->id >= WR_T_TINYINT && from->id <= to->id;
    case WR_T_CHAR: /* padded: what is shorter and ends in blanks would meet it */
        return from->id != WR_T_VARCHAR && text > 0 && to->length >= text;
    case WR_T_VARCHAR:
        return text > 0 && to->length >= text;
    case WR_T_VARBINARY:
        if (wr_type_is_string(from)) return to->length >= WR_MIN(4 * text, INT32_MAX);
        return (from->id == WR_T_BINARY || from->id == WR_T_VARBINARY) &&
               to->length >= from->length;
    case WR_T_BINARY:
        if (wr_type_is_string(from)) return to->length >= WR_MIN(4 * text, INT32_MAX);
        return from->id == WR_T_BINARY && to->length >= from->length;
    case WR_T_TIMESTAMP:
        return from->id == WR_T_TIMESTAMP_LTZ && from->precision == to->precision;
    case WR_T_TIMESTAMP_LTZ:
        return from->id == WR_T_TIMESTAMP && from->precision == to->precision;
    default:
        return false;
    }
}

/* The input column that the expression shows, perhaps in a wider type; UINT32_MAX = none. A cast on
 * the way that keeps values apart need not be undone: the whole counts from below it on. */
static uint32_t
shown_column(const wr_expr *e)
{
    while (e->kind == WR_EX_CAST) {
        const wr_expr *x = e->args[0];
        while (x->kind == WR_EX_CAST && !x->flag && keeps_apart(x->args[0]->type, x->type))
            x = x->args[0];
        const bool same = wr_type_eq_ignoring_null(x->type, e->type);
        if (!same && (e->flag || !keeps_apart(x->type, e->type))) return UINT32_MAX;
        e = x;
    }
    return e->kind == WR_EX_COLUMN ? e->index : UINT32_MAX;
}

typedef struct shown_keys { /* of a calc */
    wri_phys *p;
    key_list *list;
    const wr_pnode *n;
    const wr_expr *cond; /* simplified */
    const wr_key_set *key;
    uint32_t cols[64];
} shown_keys;

/* Every way to write the input key with output columns, from its column `c` on. A column that the
 * condition fixes is a constant in Flink's calc and shows nothing. */
static bool
write_key(shown_keys *s, uint32_t c)
{
    if (c == s->key->count) return add_key(s->p, s->list, s->cols, c);
    for (uint32_t at = 0; at < s->n->schema.count; at++) {
        const wr_expr *e = s->n->u.calc.exprs[at];
        if (shown_column(e) != s->key->cols[c] || wri_fixed_column(s->n, s->cond, e)) continue;
        s->cols[c] = at;
        if (!write_key(s, c + 1)) return false;
        if (s->list->count == WRI_KEYS_MAX) break;
    }
    return true;
}

static wr_status
calc_keys(wr_ctx *ctx, wri_phys *p, key_list *list, const wr_pnode *n)
{
    const wr_pnode *in = n->inputs[0];
    shown_keys s = {.p = p, .list = list, .n = n};
    wr_expr *cond = n->u.calc.cond;
    if (cond && in->upsert_key_count) WR_TRY(wr_expr_simplified(ctx, p->arena, cond, true, &cond));
    s.cond = cond;
    for (uint32_t i = 0; i < in->upsert_key_count; i++) {
        s.key = &in->upsert_keys[i];
        if (s.key->count > WR_COUNT(s.cols)) continue;
        if (!write_key(&s, 0)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    return WR_OK;
}

/* Only keys that contain the sort columns: otherwise a row leaves and comes back by another one's
 * change. */
static bool
sort_keys(wri_phys *p, key_list *list, const wr_pnode *n)
{
    const wr_pnode *in = n->inputs[0];
    for (uint32_t i = 0; i < in->upsert_key_count; i++) {
        const wr_key_set *k = &in->upsert_keys[i];
        bool kept = true;
        for (uint32_t c = 0; c < n->u.sort.key_count; c++)
            kept = kept && wri_cols_contain(k->cols, k->count, &n->u.sort.keys[c].col, 1);
        if (kept && !add_key(p, list, k->cols, k->count)) return false;
    }
    return true;
}

static bool
exchange_keys(wri_phys *p, key_list *list, const wr_pnode *n)
{
    const wr_pnode *in = n->inputs[0];
    for (uint32_t i = 0; i < in->upsert_key_count; i++) {
        const wr_key_set *k = &in->upsert_keys[i];
        bool kept =
            n->u.exchange.dist != WR_DIST_HASH ||
            wri_cols_contain(k->cols, k->count, n->u.exchange.keys, n->u.exchange.key_count);
        if (kept && !add_key(p, list, k->cols, k->count)) return false;
    }
    return true;
}

/* Is some unique key of the input contained in its join columns (each of its rows meets at most one
 * of that side)? */
static bool
join_side_unique(const wr_pnode *in, const uint32_t *keys, uint32_t count)
{
    for (uint32_t i = 0; i < in->upsert_key_count; i++)
        if (wri_cols_contain(keys, count, in->upsert_keys[i].cols, in->upsert_keys[i].count))
            return true;
    return false;
}

static bool
join_pairs(wri_phys *p, key_list *list, const wr_pnode *n, const uint32_t *lk, const uint32_t *rk,
           uint32_t count)
{
    const wr_pnode *l = n->inputs[0], *r = n->inputs[1];
    for (uint32_t i = 0; i < l->upsert_key_count; i++)
        for (uint32_t k = 0; k < r->upsert_key_count; k++) {
            const wr_key_set *a = &l->upsert_keys[i], *b = &r->upsert_keys[k];
            uint32_t cols[64];
            if (a->count + b->count > WR_COUNT(cols)) continue;
            if (!wri_cols_contain(a->cols, a->count, lk, count) ||
                !wri_cols_contain(b->cols, b->count, rk, count))
                continue;
            memcpy(cols, a->cols, a->count * sizeof *cols);
            for (uint32_t c = 0; c < b->count; c++)
                cols[a->count + c] = b->cols[c] + l->schema.count;
            if (!add_key(p, list, cols, a->count + b->count)) return false;
        }
    return true;
}

static bool
join_keys(wri_phys *p, key_list *list, const wr_pnode *n)
{
    const wr_pnode *l = n->inputs[0], *r = n->inputs[1];
    const uint32_t *lk = n->u.join.left_keys, *rk = n->u.join.right_keys;
    uint32_t count = n->u.join.key_count, type = n->u.join.type;
    if (type == WR_JOIN_SEMI || type == WR_JOIN_ANTI) {
        for (uint32_t i = 0; i < l->upsert_key_count; i++) {
            const wr_key_set *k = &l->upsert_keys[i];
            if (wri_cols_contain(k->cols, k->count, lk, count) &&
                !add_key(p, list, k->cols, k->count))
                return false;
        }
        return true;
    }
    bool keeps_left =
        (type == WR_JOIN_INNER || type == WR_JOIN_LEFT) && join_side_unique(r, rk, count);
    bool keeps_right =
        (type == WR_JOIN_INNER || type == WR_JOIN_RIGHT) && join_side_unique(l, lk, count);
    for (uint32_t i = 0; keeps_left && i < l->upsert_key_count; i++) {
        const wr_key_set *k = &l->upsert_keys[i];
        if (wri_cols_contain(k->cols, k->count, lk, count) && !add_key(p, list, k->cols, k->count))
            return false;
    }
    for (uint32_t i = 0; keeps_right && i < r->upsert_key_count; i++) {
        const wr_key_set *k = &r->upsert_keys[i];
        uint32_t cols[64];
        if (k->count > WR_COUNT(cols) || !wri_cols_contain(k->cols, k->count, rk, count)) continue;
        for (uint32_t c = 0; c < k->count; c++) cols[c] = k->cols[c] + l->schema.count;
        if (!add_key(p, list, cols, k->count)) return false;
    }
    return join_pairs(p, list, n, lk, rk, count);
}

/* Join by join, as if the inputs were joined two at a time. */
static bool
multi_keys(wri_phys *p, key_list *list, const wr_pnode *n)
{
    wr_pnode *left = wri_phys_node(p, WR_P_JOIN, n->inputs[0]->schema, NULL, 0);
    if (!left) return false;
    left->upsert_keys = n->inputs[0]->upsert_keys;
    left->upsert_key_count = n->inputs[0]->upsert_key_count;
    for (uint32_t i = 1; i < n->input_count; i++) {
        const wr_multi_input *in = &n->u.multi->inputs[i];
        wr_pnode *pair[2] = {left, n->inputs[i]};
        key_list found = {.count = 0};
        left->schema.count = in->first;
        wr_pnode *join = wri_phys_node(p, WR_P_JOIN, n->schema, pair, 2);
        if (!join) return false;
        join->u.join.type = in->type;
        join->u.join.left_keys = in->equal_left;
        join->u.join.right_keys = in->equal_own;
        join->u.join.key_count = in->equal_count;
        if (!join_keys(p, &found, join)) return false;
        wr_key_set *keys = WR_NEW_N(p->arena, wr_key_set, found.count + 1);
        left = join;
        if (!keys) return false;
        memcpy(keys, found.items, found.count * sizeof *keys);
        left->upsert_keys = keys;
        left->upsert_key_count = found.count;
    }
    return keep_all(p, list, left);
}

/* A left row meets one version at most. */
static bool
temporal_keys(wri_phys *p, key_list *list, const wr_pnode *n)
{
    const wr_pnode *l = n->inputs[0];
    for (uint32_t i = 0; i < l->upsert_key_count; i++)
        if (!add_key(p, list, l->upsert_keys[i].cols, l->upsert_keys[i].count)) return false;
    return true;
}

static bool
agg_keys(wri_phys *p, key_list *list, const wr_pnode *n)
{
    uint32_t count = n->u.agg.key_count;
    uint32_t *cols = WR_NEW_N(p->arena, uint32_t, count + 1);
    for (uint32_t i = 0; cols && i < count; i++) cols[i] = i;
    return cols && add_key(p, list, cols, count);
}

/* The keys with any one of the window's columns; windows that cumulate begin together. */
static bool
window_agg_keys(wri_phys *p, key_list *list, const wr_pnode *n)
{
    const uint32_t count = n->u.agg.key_count;
    uint32_t *cols = WR_NEW_N(p->arena, uint32_t, count + 2);
    for (uint32_t i = 0; cols && i < count; i++) cols[i] = i;
    const bool together = n->windows[0]->spec.kind == WR_WINDOW_CUMULATE;
    for (uint32_t i = 0; cols && i < n->u.agg.prop_count; i++) {
        if (together && n->u.agg.props[i] == WR_WINDOW_START) continue;
        cols[count] = count + n->u.agg.agg_count + i;
        if (!add_key(p, list, cols, count + 1)) return false;
    }
    return cols != NULL;
}

/* With the number: the partition and the number. A single row of a partition: the partition. Else
 * the keys of the input. */
static bool
rank_keys(wri_phys *p, key_list *list, const wr_pnode *n)
{
    if (n->kind == WR_P_DEDUPLICATE) return add_key(p, list, n->u.dedup.keys, n->u.dedup.key_count);
    uint32_t count = n->u.rank.partition_count;
    uint32_t *cols = WR_NEW_N(p->arena, uint32_t, count + 3);
    if (!cols) return false;
    if (count) memcpy(cols, n->u.rank.partition, count * sizeof *cols);
    if (n->kind == WR_P_WINDOW_RANK) { /* the window too */
        cols[count++] = (uint32_t)n->windows[0]->start_col;
        cols[count++] = (uint32_t)n->windows[0]->end_col;
    }
    cols[count] = n->schema.count - 1;
    if (n->u.rank.number) return add_key(p, list, cols, count + 1);
    if (n->u.rank.last_col < 0 && n->u.rank.first == n->u.rank.last)
        return add_key(p, list, cols, count);
    return keep_all(p, list, n->inputs[0]);
}

wr_status
wri_keys_derive(wr_ctx *ctx, wri_phys *p, wr_pnode *n)
{
    key_list list = {.count = 0};
    bool ok = true;
    switch ((wr_pkind)n->kind) {
    case WR_P_SCAN:
        ok = scan_keys(p, &list, n);
        break;
    case WR_P_CALC:
        WR_TRY(calc_keys(ctx, p, &list, n));
        break;
    case WR_P_EXCHANGE:
        ok = exchange_keys(p, &list, n);
        break;
    case WR_P_GROUP_AGG:
    case WR_P_HASH_AGG:
        ok = agg_keys(p, &list, n);
        break;
    case WR_P_JOIN:
    case WR_P_HASH_JOIN:
    case WR_P_NESTED_LOOP_JOIN:
    case WR_P_INTERVAL_JOIN:
    case WR_P_WINDOW_JOIN:
    case WR_P_MULTI_JOIN:
        ok = (n->kind == WR_P_MULTI_JOIN ? multi_keys : join_keys)(p, &list, n);
        break;
    case WR_P_LOOKUP_JOIN:
    case WR_P_TEMPORAL_JOIN:
        if (n->kind == WR_P_TEMPORAL_JOIN ||
            wri_keys_within(n->u.join.lookup->right, n->u.join.right_keys, n->u.join.key_count))
            ok = temporal_keys(p, &list, n);
        break;
    case WR_P_CHANGELOG_NORMALIZE:
        ok = add_key(p, &list, n->u.normalize.keys, n->u.normalize.key_count);
        break;
    case WR_P_WINDOW_TVF: /* a row comes out once */
        ok = n->windows[0]->spec.kind != WR_WINDOW_TUMBLE || keep_all(p, &list, n->inputs[0]);
        break;
    case WR_P_WINDOW_AGG:
        ok = window_agg_keys(p, &list, n);
        break;
    case WR_P_SORT:
    case WR_P_SORT_LIMIT:
        ok = sort_keys(p, &list, n);
        break;
    case WR_P_WATERMARK:
    case WR_P_MINI_BATCH:
    case WR_P_LIMIT:
    case WR_P_DROP_UPDATE_BEFORE:
    case WR_P_OVER_AGG:
        ok = keep_all(p, &list, n->inputs[0]);
        break;
    case WR_P_SINK_MATERIALIZE:
        ok = add_key(p, &list, n->u.materialize.keys, n->u.materialize.key_count);
        break;
    case WR_P_RANK:
    case WR_P_DEDUPLICATE:
    case WR_P_WINDOW_RANK:
        ok = rank_keys(p, &list, n);
        break;
    case WR_P_WINDOW_DEDUPLICATE:
    case WR_P_MATCH:
    case WR_P_CHANGELOG:
    case WR_P_VALUES:
    case WR_P_UNION:
    case WR_P_CORRELATE:
    case WR_P_EXPAND:
    case WR_P_SINK:
    case WR_P_COLLECT:
    case WR_P_COUNT:
        break;
    }
    wr_key_set *keys = WR_NEW_N(p->arena, wr_key_set, list.count + 1);
    WR_TRY_ALLOC(ctx, ok ? keys : NULL);
    memcpy(keys, list.items, list.count * sizeof *keys);
    n->upsert_keys = keys;
    n->upsert_key_count = list.count;
    return WR_OK;
}
