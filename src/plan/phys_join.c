/* SPDX-License-Identifier: Apache-2.0 */
/* Joins: equi conditions are told from the rest; in streaming one operator does them all, in batch
 * a hash join or, without equi condition, a nested loop. */
#include "plan/temporal_int.h"
#include "plan/timed_int.h"

typedef struct equi { /* equi columns found in a condition */
    WR_LIST(uint32_t) left, right;
    WR_LIST(bool) null_equal;
    WR_LIST(wr_expr *) pairs; /* the conditions themselves */
    WR_LIST(wr_expr *) rest;
} equi;

static bool
is_call(const wr_expr *e, const char *name)
{
    return e->kind == WR_EX_CALL && strcmp(e->fn->name, name) == 0;
}

/* a = b with one column of each side? *full: out of memory. */
static bool
take_equi(wri_phys *p, equi *q, wr_expr *e, uint32_t left_count, bool *full)
{
    bool null_equal = is_call(e, "IS NOT DISTINCT FROM");
    if (!null_equal && !is_call(e, "=")) return false;
    const wr_expr *a = e->args[0], *b = e->args[1];
    if (a->kind != WR_EX_COLUMN || b->kind != WR_EX_COLUMN) return false;
    if (a->index >= left_count) {
        const wr_expr *t = a;
        a = b;
        b = t;
    }
    if (a->index >= left_count || b->index < left_count) return false;
    if (!wr_type_eq_ignoring_null(a->type, b->type)) return false;
    *full = !wr_list_push(p->arena, &q->left, a->index) ||
            !wr_list_push(p->arena, &q->right, b->index - left_count) ||
            !wr_list_push(p->arena, &q->null_equal, null_equal) ||
            !wr_list_push(p->arena, &q->pairs, e);
    return true;
}

static bool
split_condition(wri_phys *p, equi *q, wr_expr *e, uint32_t left_count)
{
    if (!e) return true;
    if (e->kind == WR_EX_AND) {
        for (uint32_t i = 0; i < e->arg_count; i++)
            if (!split_condition(p, q, e->args[i], left_count)) return false;
        return true;
    }
    bool full = false;
    if (take_equi(p, q, e, left_count, &full)) return !full;
    return wr_list_push(p->arena, &q->rest, e);
}

/* A temporal join finds the version by the key of the versions alone, and asks then what else must
 * be equal: by all columns it would find a version that was replaced. */
static wr_status
keep_version_key(wr_ctx *ctx, wri_phys *p, equi *q, const wr_pnode *versions)
{
    const wr_key_set *key = NULL;
    for (uint32_t i = 0; !key && i < versions->upsert_key_count; i++) {
        const wr_key_set *k = &versions->upsert_keys[i];
        if (wri_cols_contain(q->right.items, q->right.count, k->cols, k->count)) key = k;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; key && key->count && i < q->right.count; i++) {
        if (!wri_cols_contain(key->cols, key->count, &q->right.items[i], 1)) {
            if (!wr_list_push(p->arena, &q->rest, q->pairs.items[i]))
                return wr_raise(ctx, WR_NOMEM, "out of memory");
            continue;
        }
        q->left.items[n] = q->left.items[i];
        q->right.items[n] = q->right.items[i];
        q->null_equal.items[n++] = q->null_equal.items[i];
    }
    if (key && key->count) q->left.count = q->right.count = q->null_equal.count = n;
    return WR_OK;
}

/* Behind the first ranks, and without their number, a row comes to its new rank before it has left
 * the old one: for a moment its key is there twice. */
static bool
repeats_keys(const wr_pnode *in)
{
    while (in->input_count == 1 && (in->kind == WR_P_CALC || in->kind == WR_P_EXCHANGE))
        in = in->inputs[0];
    return in->kind == WR_P_RANK && in->u.rank.first > 1 && !in->u.rank.number;
}

void
wri_join_unique_key(const wr_pnode *in, const uint32_t *keys, uint32_t key_count,
                    const uint32_t **unique, uint32_t *count, bool *contained)
{
    if (repeats_keys(in)) return;
    if (in->kind == WR_P_EXCHANGE) in = in->inputs[0]; /* what left one place comes back whole */
    const wr_key_set *best = NULL;
    for (uint32_t i = 0; i < in->upsert_key_count; i++) {
        const wr_key_set *k = &in->upsert_keys[i];
        if (wri_cols_contain(keys, key_count, k->cols, k->count)) { /* one row a key */
            *contained = true;
            best = k;
            break;
        }
        if (!best || k->count < best->count) best = k;
    }
    if (!best) return;
    *unique = best->cols;
    *count = best->count;
}

/* The smallest upsert key of a side, for the layout of its state. */
static void
set_unique_key(wr_pnode *n, uint32_t side)
{
    wri_join_unique_key(n->inputs[side], side ? n->u.join.right_keys : n->u.join.left_keys,
                        n->u.join.key_count, &n->u.join.unique_key[side],
                        &n->u.join.unique_key_count[side], &n->u.join.key_contains_unique[side]);
}

wr_status
wri_phys_right_unique(wr_ctx *ctx, wri_phys *p, const wr_rel *join, bool *out)
{
    wr_pnode *right = NULL;
    equi q;
    memset(&q, 0, sizeof q);
    *out = false;
    if (!split_condition(p, &q, join->u.join.cond, join->inputs[0]->schema.count))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    if (q.rest.count) return WR_OK;
    WR_TRY(wri_phys_rel(ctx, p, join->inputs[1], &right));
    *out = wri_keys_within(right, q.right.items, q.right.count);
    return WR_OK;
}

/* ---- batch: which side is built, and how its rows get there ---------------------------------- */

/* At most one row, by its form. */
static bool
is_single_row(const wr_pnode *n)
{
    while (n->kind == WR_P_CALC || n->kind == WR_P_EXCHANGE) n = n->inputs[0];
    return n->kind == WR_P_HASH_AGG && n->u.agg.key_count == 0;
}

/* The side with fewer bytes, where both may be built; both are whole when an outer join keeps them.
 * In a plan that is run, sizes that are known count. */
static uint8_t
smaller_side(const wri_phys *p, const wr_pnode *l, const wr_pnode *r, uint8_t type, bool keyed)
{
    if (type == WR_JOIN_SEMI || type == WR_JOIN_ANTI) return 1;
    if (!keyed && (type == WR_JOIN_LEFT || type == WR_JOIN_RIGHT)) return type == WR_JOIN_LEFT;
    bool known = l->row_count >= 0 && r->row_count >= 0 && l->row_count != r->row_count;
    if (!p->env->explain && known) return l->row_count > r->row_count;
    return wri_size_bytes(l) > wri_size_bytes(r);
}

/* May the rows of `side` stand at every place? Not if they come out for lack of a match. */
static bool
may_repeat(uint8_t type, uint32_t side)
{
    return type == WR_JOIN_INNER ||
           (side == 0 ? type == WR_JOIN_RIGHT : type != WR_JOIN_RIGHT && type != WR_JOIN_FULL);
}

static void
choose(const wri_phys *p, wr_pnode *const *sides, const equi *q, wr_pnode *n)
{
    uint8_t type = n->u.join.type;
    int64_t most = wr_config_int(p->env->config, "table.optimizer.join.broadcast-threshold");
    bool small[2];
    n->u.join.build = smaller_side(p, sides[0], sides[1], type, q->left.count > 0);
    if (!p->batch) return;
    for (uint32_t i = 0; i < 2; i++)
        if (is_single_row(sides[1 - i]) && may_repeat(type, 1 - i)) {
            n->u.join.build = (uint8_t)(1 - i);
            n->u.join.single_row = true;
            break;
        }
    if (n->u.join.single_row && q->left.count == 0) return;
    n->u.join.single_row = false;
    for (uint32_t i = 0; i < 2; i++)
        small[i] = may_repeat(type, i) && wri_size_bytes(sides[i]) <= (double)most;
    if (q->left.count == 0 || !(small[0] || small[1])) return;
    n->u.join.broadcast = true;
    bool left = small[0] && (!small[1] || wri_size_bytes(sides[0]) < wri_size_bytes(sides[1]));
    n->u.join.build = left ? 0 : 1;
}

/* BROADCAST, SHUFFLE_HASH and NEST_LOOP say which side is built, and how its rows get there,
 * SHUFFLE_MERGE that they are hashed; where that can't be they say nothing. */
static void
follow_hint(wr_pnode *n)
{
    const char *hint = n->u.join.hint;
    uint8_t side = n->u.join.hint_side;
    bool repeats = may_repeat(n->u.join.type, side), equal = n->kind == WR_P_HASH_JOIN;
    bool half = n->u.join.type == WR_JOIN_SEMI || n->u.join.type == WR_JOIN_ANTI;
    if (strncmp(hint, "BROADCAST", 9) == 0 && repeats && equal) {
        n->u.join.broadcast = true;
        n->u.join.build = side;
    } else if (strncmp(hint, "SHUFFLE_HASH", 12) == 0 && equal && !(half && side == 0)) {
        n->u.join.broadcast = false;
        n->u.join.build = side;
    } else if (strncmp(hint, "SHUFFLE_MERGE", 13) == 0 && equal) {
        n->u.join.broadcast = false;
    } else if (strncmp(hint, "NEST_LOOP", 9) == 0 && repeats) {
        n->kind = WR_P_NESTED_LOOP_JOIN;
        n->u.join.broadcast = equal;
        n->u.join.build = side;
    }
}

/* Hash by the equal columns. Without any: streaming joins run at one place; in batch the build side
 * goes to every place of the other, unless its own rows come out for lack of a match. */
static wr_status
put_exchanges(wr_ctx *ctx, wri_phys *p, wr_pnode **sides, const equi *q, const wr_pnode *n)
{
    uint8_t build = n->u.join.build;
    bool repeat = n->u.join.broadcast ||
                  (q->left.count == 0 &&
                   (n->u.join.type == WR_JOIN_INNER || may_repeat(n->u.join.type, build)));
    if (p->batch && repeat)
        return wri_phys_exchange(ctx, p, &sides[build], WR_DIST_BROADCAST, NULL, 0);
    WR_TRY(wri_phys_hash(ctx, p, &sides[0], q->left.items, q->left.count));
    return wri_phys_hash(ctx, p, &sides[1], q->right.items, q->right.count);
}

/* An interval join, if it is one: its bounds, and what else is to be tested in *cond. */
static wr_status
find_interval(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode *const *sides,
              const wr_interval_spec **out, wr_expr **cond)
{
    wr_interval_spec *spec = WR_NEW(p->arena, wr_interval_spec);
    wr_expr *rest = NULL;
    bool found;
    *out = NULL;
    *cond = rel->u.join.cond;
    WR_TRY_ALLOC(ctx, spec);
    WR_TRY(wri_interval_of(ctx, p->env, rel, &found, spec, &rest));
    if (!found) return WR_OK;
    *cond = rest;
    *out = spec;
    return wri_phys_check_interval(ctx, p, rel, sides, spec);
}

/* What no key says, as Flink's optimizer leaves it. */
static wr_status
rest_condition(wr_ctx *ctx, wri_phys *p, const equi *q, wr_expr **cond)
{
    *cond = NULL;
    if (q->rest.count == 0) return WR_OK;
    WR_TRY(wr_expr_and(ctx, p->arena, q->rest.items, q->rest.count, cond));
    return wr_expr_plain(ctx, p->arena, *cond, true, cond);
}

static wr_status
lookup_join(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_expr *cond, wr_pnode **out)
{
    wr_pnode *n = NULL;
    equi q;
    memset(&q, 0, sizeof q);
    WR_TRY(wri_phys_lookup(ctx, p, rel, &n));
    if (!split_condition(p, &q, cond, rel->inputs[0]->schema.count))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    n->u.join.type = rel->u.join.type;
    n->u.join.left_keys = q.left.items;
    n->u.join.right_keys = q.right.items;
    n->u.join.null_equal = q.null_equal.items;
    n->u.join.key_count = q.left.count;
    n->u.join.generate_update_before = true;
    WR_TRY(rest_condition(ctx, p, &q, &n->u.join.cond));
    n->u.join.whole = cond;
    WR_TRY(wri_phys_lookup_keys(ctx, p, rel, n));
    return wri_phys_derive(ctx, p, n, out);
}

wr_status
wri_phys_join(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    wr_pnode *sides[2] = {NULL, NULL};
    const wr_interval_spec *interval = NULL;
    const struct wr_windowing *windows[2] = {NULL, NULL};
    wr_expr *cond = NULL;
    equi q;
    memset(&q, 0, sizeof q);
    const wr_expr *marker = NULL;
    if (rel->u.join.temporal) {
        WR_TRY(wri_temporal_take(ctx, p->arena, rel->u.join.cond, &marker, &cond));
        if (!marker)
            return wr_raise_at(ctx, WR_SEMANTIC, rel->span,
                               "Currently the join key in Temporal Table Join can not be empty.");
        if (marker->args[0]->type->attr == WR_ATTR_PROCTIME)
            return lookup_join(ctx, p, rel, cond, out);
    }
    for (uint32_t i = 0; i < 2; i++) WR_TRY(wri_phys_rel(ctx, p, rel->inputs[i], &sides[i]));
    if (!marker) WR_TRY(wri_phys_join_windows(ctx, p, rel, sides, windows, &cond));
    if (!marker && !windows[0]) WR_TRY(find_interval(ctx, p, rel, sides, &interval, &cond));
    if (!marker && !windows[0] && !interval && wri_multi_wanted(p->env, rel))
        return wri_phys_multi(ctx, p, rel, sides, out);
    if (!split_condition(p, &q, cond, sides[0]->schema.count))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    if (marker) WR_TRY(keep_version_key(ctx, p, &q, sides[1]));
    wr_pkind kind = marker         ? WR_P_TEMPORAL_JOIN
                    : interval     ? WR_P_INTERVAL_JOIN
                    : windows[0]   ? WR_P_WINDOW_JOIN
                    : !p->batch    ? WR_P_JOIN
                    : q.left.count ? WR_P_HASH_JOIN
                                   : WR_P_NESTED_LOOP_JOIN;
    wr_pnode *n = wri_phys_node(p, kind, rel->schema, sides, 2);
    WR_TRY_ALLOC(ctx, n);
    n->u.join.interval = interval;
    for (uint32_t i = 0; i < 2; i++) n->windows[i] = windows[i];
    n->u.join.type = rel->u.join.type;
    n->u.join.hint = rel->u.join.hint;
    n->u.join.hint_side = rel->u.join.hint && strstr(rel->u.join.hint, " right") != NULL;
    choose(p, sides, &q, n);
    if (p->batch && rel->u.join.hint) follow_hint(n);
    WR_TRY(put_exchanges(ctx, p, sides, &q, n));
    for (uint32_t i = 0; i < 2; i++) n->inputs[i] = sides[i];
    n->u.join.left_keys = q.left.items;
    n->u.join.right_keys = q.right.items;
    n->u.join.null_equal = q.null_equal.items;
    n->u.join.key_count = q.left.count;
    n->u.join.null_aware = rel->u.join.null_aware;
    n->u.join.generate_update_before = true;
    WR_TRY(rest_condition(ctx, p, &q, &n->u.join.cond));
    n->u.join.whole = windows[0] ? cond : rel->u.join.cond;
    if (marker) WR_TRY(wri_phys_temporal(ctx, p, rel, marker, cond, sides, n));
    int64_t ttl = wr_config_int(p->env->config, "table.exec.state.ttl");
    for (uint32_t i = 0; i < 2; i++) {
        n->u.join.ttl_ms[i] = rel->u.join.ttl_ms[i] >= 0 ? rel->u.join.ttl_ms[i] : ttl;
        if (kind == WR_P_JOIN) set_unique_key(n, i);
    }
    return wri_phys_derive(ctx, p, n, out);
}
