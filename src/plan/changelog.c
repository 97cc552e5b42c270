/* SPDX-License-Identifier: Apache-2.0 */
/* Changelog inference, as Flink's planner does it.
 *
 * Bottom-up: which modifications (insert, update, delete) a node may produce. Top-down, from each
 * root: how updates and deletions must travel. A consumer that works by an upsert key is content
 * with +U alone, or with a -D of the key; one that has to take back what it got needs -U and whole
 * rows. A node that cannot pass the cheaper form on refuses, and its consumer asks for the dearer
 * one. Where a source gives less than is wanted, ChangelogNormalize makes up for it; where nobody
 * wants what it makes it goes; where a source gives more, DropUpdateBefore drops it.
 *
 * Templates are not changed: every (node, demand) has its own copy, made once. */
#include "plan/changelog_fn.h"
#include "plan/multi.h"
#include "plan/over.h"
#include "plan/phys_int.h"

#define UPDATES (WR_CL_UB | WR_CL_UA)

wr_clmode
wri_kinds_derive(const wr_pnode *n)
{
    wr_clmode all = WR_CL_I;
    for (uint32_t i = 0; i < n->input_count; i++) all |= n->inputs[i]->changelog;
    if (all & UPDATES) all |= UPDATES;
    switch ((wr_pkind)n->kind) {
    case WR_P_SCAN:
        all = n->u.scan.info.changelog;
        return (wr_clmode)(all & UPDATES ? all | UPDATES : all);
    case WR_P_VALUES:
    case WR_P_SORT:
    case WR_P_HASH_AGG:
    case WR_P_HASH_JOIN:
    case WR_P_NESTED_LOOP_JOIN:
    case WR_P_INTERVAL_JOIN:
    case WR_P_WINDOW_JOIN:
    case WR_P_WINDOW_RANK:
    case WR_P_WINDOW_DEDUPLICATE:
        return WR_CL_I;
    case WR_P_WINDOW_AGG:
        if (n->u.agg.phase == WR_AGG_LOCAL) return all;
        if (!n->u.agg.emit) return WR_CL_I;
        return (wr_clmode)(WR_CL_I | UPDATES | (all == WR_CL_I ? 0 : WR_CL_D));
    case WR_P_GROUP_AGG:
        return (wr_clmode)(WR_CL_I | UPDATES | (all == WR_CL_I ? 0 : WR_CL_D));
    case WR_P_LOOKUP_JOIN:
    case WR_P_TEMPORAL_JOIN: /* rows come out with the left row's kind */
        all = n->inputs[0]->changelog;
        return (wr_clmode)(all & UPDATES ? all | UPDATES : all);
    case WR_P_JOIN:
        return n->u.join.type == WR_JOIN_INNER || n->u.join.type == WR_JOIN_SEMI ? all : WR_CL_ALL;
    case WR_P_MULTI_JOIN:
        for (uint32_t i = 1; i < n->input_count; i++)
            if (n->u.multi->inputs[i].type == WR_JOIN_LEFT) return WR_CL_ALL;
        return all;
    case WR_P_SORT_LIMIT:
        return n->u.sort.strategy == WR_RANK_UNDEFINED || all != WR_CL_I ? WR_CL_ALL : all;
    case WR_P_LIMIT:
        return all == WR_CL_I ? WR_CL_I : WR_CL_ALL;
    case WR_P_CHANGELOG_NORMALIZE:
    case WR_P_SINK_MATERIALIZE:
        return WR_CL_ALL;
    case WR_P_OVER_AGG:
        return wri_over_corrects(n) ? WR_CL_ALL : WR_CL_I;
    case WR_P_CHANGELOG:
        return n->u.changelog->from ? WR_CL_ALL : WR_CL_I;
    case WR_P_RANK:
        return WR_CL_ALL;
    case WR_P_DEDUPLICATE:
        return n->u.dedup.keep_last ? WR_CL_ALL : WR_CL_I;
    case WR_P_WINDOW_TVF:
    case WR_P_MATCH:
    case WR_P_CALC:
    case WR_P_WATERMARK:
    case WR_P_MINI_BATCH:
    case WR_P_EXCHANGE:
    case WR_P_UNION:
    case WR_P_CORRELATE:
    case WR_P_EXPAND:
    case WR_P_DROP_UPDATE_BEFORE:
    case WR_P_SINK:
    case WR_P_COLLECT:
    case WR_P_COUNT:
        return all;
    }
    WR_UNREACHABLE();
}

typedef struct answer { /* a copy being made */
    wr_ctx *ctx;
    wri_phys *p;
    wr_pnode *n;   /* the template */
    wri_demand d;  /* what is wanted of it, within its modifications */
    wr_pnode *out; /* NULL = cannot */
} answer;

/* A demand within what the node may produce: nothing is wanted of changes that do not occur. */
static wri_demand
limited(const wr_pnode *n, wri_demand d)
{
    if (!wri_has_updates(n))
        d.updates = WRI_UPDATES_NONE;
    else if (d.updates == WRI_UPDATES_NONE)
        d.updates = WRI_UPDATES_AFTER;
    if (!(n->changelog & WR_CL_D))
        d.deletes = WRI_DELETES_NONE;
    else if (d.deletes == WRI_DELETES_NONE)
        d.deletes = WRI_DELETES_FULL;
    return d;
}

static wr_status
copy_node(answer *a)
{
    wri_node *c = WR_NEW(a->p->arena, wri_node);
    WR_TRY_ALLOC(a->ctx, c);
    *c = *wri_node_of(a->n);
    memset(c->answers, 0, sizeof c->answers);
    memset(c->asked, 0, sizeof c->asked);
    c->n.inputs = WR_NEW_N(a->p->arena, wr_pnode *, a->n->input_count + 1);
    WR_TRY_ALLOC(a->ctx, c->n.inputs);
    a->out = &c->n;
    return WR_OK;
}

/* Ask input i; the answer is lost when it cannot. */
static wr_status
ask(answer *a, uint32_t i, wri_updates updates, wri_deletes deletes)
{
    if (!a->out) return WR_OK;
    wr_pnode *in = NULL;
    WR_TRY(
        wri_changelog_satisfy(a->ctx, a->p, a->n->inputs[i], (wri_demand){updates, deletes}, &in));
    if (in)
        a->out->inputs[i] = in;
    else
        a->out = NULL;
    return WR_OK;
}

static wr_status
ask_all(answer *a, wri_updates updates, wri_deletes deletes)
{
    for (uint32_t i = 0; i < a->n->input_count; i++) WR_TRY(ask(a, i, updates, deletes));
    return WR_OK;
}

/* The kinds that the copy emits: `whole`: its deletions are whole rows whatever comes in. */
static void
settle(answer *a, bool whole)
{
    wr_pnode *c = a->out;
    if (!c) return;
    c->changelog = (wr_clmode)(a->n->changelog & ~UPDATES);
    if (a->d.updates == WRI_UPDATES_AFTER) c->changelog |= WR_CL_UA;
    if (a->d.updates == WRI_UPDATES_BOTH) c->changelog |= UPDATES;
    c->key_deletes = false;
    for (uint32_t i = 0; !whole && i < c->input_count; i++)
        c->key_deletes |= c->inputs[i]->key_deletes;
}

/* ---- sources --------------------------------------------------------------------------------- */

static wr_status
of_scan(answer *a)
{
    const wr_source_info *info = &a->n->u.scan.info;
    bool before = info->changelog & WR_CL_UB, after = info->changelog & WR_CL_UA;
    a->out = a->n;
    if (a->d.updates == WRI_UPDATES_BOTH && after && !before) a->out = NULL;
    if (a->d.deletes == WRI_DELETES_FULL && info->key_deletes) a->out = NULL;
    if (!a->out) return WR_OK;
    WR_TRY(copy_node(a));
    a->out->changelog = info->changelog;
    a->out->key_deletes = info->key_deletes;
    if (!before || a->d.updates != WRI_UPDATES_AFTER) return WR_OK;
    wr_pnode *drop = wri_phys_node(a->p, WR_P_DROP_UPDATE_BEFORE, a->n->schema, &a->out, 1);
    WR_TRY(wri_phys_derive(a->ctx, a->p, drop, &drop));
    a->out = drop;
    settle(a, false);
    return WR_OK;
}

/* Left out where upserts are as good as a full changelog. */
static wr_status
of_normalize(answer *a)
{
    const wr_pnode *n = a->n;
    bool needed = a->d.updates == WRI_UPDATES_BOTH || a->d.deletes == WRI_DELETES_FULL ||
                  n->u.normalize.cond || n->u.normalize.duplicates;
    if (!needed) return wri_changelog_satisfy(a->ctx, a->p, n->inputs[0]->inputs[0], a->d, &a->out);
    WR_TRY(copy_node(a));
    WR_TRY(ask(a, 0, WRI_UPDATES_AFTER, WRI_DELETES_KEY));
    if (a->out) a->out->u.normalize.generate_update_before = a->d.updates == WRI_UPDATES_BOTH;
    settle(a, true);
    return WR_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Does the condition look only at columns of an upsert key of the input? Then both halves of an
 * update pass or fail alike, and so does a deletion that carries the key alone. */
static bool
condition_on_key(answer *a)
{
    const wr_pnode *in = a->n->inputs[0];
    uint32_t width = in->schema.count;
    uint64_t *bits = WR_NEW_N(a->p->arena, uint64_t, WR_BIT_WORDS(width) + 1);
    if (!bits) return false; /* the dearer way is always right */
    wri_phys_mark(a->n->u.calc.cond, bits);
    uint32_t used = 0;
    for (uint32_t c = 0; c < width; c++) used += wr_bit_get(bits, c);
    for (uint32_t k = 0; k < in->upsert_key_count; k++) {
        uint32_t covered = 0;
        for (uint32_t c = 0; c < in->upsert_keys[k].count; c++)
            covered += wr_bit_get(bits, in->upsert_keys[k].cols[c]);
        if (covered == used) return true;
    }
    return false;
}

static wr_status
of_calc(answer *a)
{
    bool cheap = a->d.updates == WRI_UPDATES_AFTER || a->d.deletes == WRI_DELETES_KEY;
    if (a->n->u.calc.cond && cheap && !condition_on_key(a)) return WR_OK;
    WR_TRY(copy_node(a));
    WR_TRY(ask_all(a, a->d.updates, a->d.deletes));
    settle(a, false);
    return WR_OK;
}

static bool
key_contains_join_key(const wr_pnode *in, const uint32_t *keys, uint32_t key_count)
{
    for (uint32_t i = 0; i < in->upsert_key_count; i++)
        if (wri_cols_contain(in->upsert_keys[i].cols, in->upsert_keys[i].count, keys, key_count))
            return true;
    return false;
}

static wr_status
of_join(answer *a)
{
    bool after = a->d.updates == WRI_UPDATES_AFTER, by_key = a->d.deletes == WRI_DELETES_KEY;
    for (uint32_t i = 0; i < 2; i++) {
        const wr_pnode *in = a->n->inputs[i];
        bool keyed = key_contains_join_key(in, i ? a->n->u.join.right_keys : a->n->u.join.left_keys,
                                           a->n->u.join.key_count);
        if (after && wri_has_updates(in) && !keyed) return WR_OK;
        if (by_key && (in->changelog & WR_CL_D) && (!keyed || a->n->u.join.cond)) return WR_OK;
    }
    WR_TRY(copy_node(a));
    WR_TRY(ask_all(a, after ? WRI_UPDATES_AFTER : WRI_UPDATES_BOTH,
                   by_key ? WRI_DELETES_KEY : WRI_DELETES_FULL));
    if (a->out) a->out->u.join.generate_update_before = !after;
    settle(a, false);
    return WR_OK;
}

static wr_status
of_multi_join(answer *a)
{
    const wr_multi_spec *spec = a->n->u.multi;
    bool after = a->d.updates == WRI_UPDATES_AFTER, by_key = a->d.deletes == WRI_DELETES_KEY;
    bool tests = false;
    for (uint32_t i = 0; i < a->n->input_count; i++) tests |= spec->inputs[i].cond != NULL;
    for (uint32_t i = 0; i < a->n->input_count; i++) {
        const wr_pnode *in = a->n->inputs[i];
        bool keyed = key_contains_join_key(in, spec->inputs[i].keys, spec->key_count);
        if (after && wri_has_updates(in) && !keyed) return WR_OK;
        if (by_key && (in->changelog & WR_CL_D) && (!keyed || tests)) return WR_OK;
    }
    WR_TRY(copy_node(a));
    WR_TRY(ask_all(a, after ? WRI_UPDATES_AFTER : WRI_UPDATES_BOTH,
                   by_key ? WRI_DELETES_KEY : WRI_DELETES_FULL));
    settle(a, false);
    return WR_OK;
}

/* The left side's changes go through, deletions with their time; of the right side upserts will do.
 */
static wr_status
of_temporal_join(answer *a)
{
    if (a->d.deletes == WRI_DELETES_KEY) a->d.deletes = WRI_DELETES_FULL;
    for (uint32_t whole = 0; whole < 2; whole++) { /* a condition on versions needs whole changes */
        WR_TRY(copy_node(a));
        WR_TRY(ask(a, 0, a->d.updates, a->d.deletes));
        WR_TRY(ask(a, 1, whole ? WRI_UPDATES_BOTH : WRI_UPDATES_AFTER,
                   whole ? WRI_DELETES_FULL : WRI_DELETES_KEY));
        if (a->out) break;
    }
    settle(a, true);
    if (a->out) a->out->key_deletes = a->out->inputs[0]->key_deletes;
    return WR_OK;
}

static wr_status
of_agg(answer *a)
{
    WR_TRY(copy_node(a));
    WR_TRY(ask_all(a, WRI_UPDATES_BOTH, WRI_DELETES_FULL));
    if (a->out) a->out->u.agg.generate_update_before = a->d.updates != WRI_UPDATES_AFTER;
    settle(a, true);
    return WR_OK;
}

static wr_status
of_sort_limit(answer *a)
{
    bool fast = a->n->u.sort.sort_upsert_key_count > 0;
    WR_TRY(copy_node(a));
    if (fast) {
        WR_TRY(ask_all(a, WRI_UPDATES_AFTER, WRI_DELETES_FULL));
        if (!a->out) {
            fast = false;
            WR_TRY(copy_node(a));
        }
    }
    if (!fast) WR_TRY(ask_all(a, WRI_UPDATES_BOTH, WRI_DELETES_FULL));
    if (!a->out) return WR_OK;
    bool append = wri_insert_only(a->n->inputs[0]);
    a->out->u.sort.strategy = (uint8_t)(append ? WR_RANK_APPEND_FAST
                                        : fast ? WR_RANK_UPDATE_FAST
                                               : WR_RANK_RETRACT);
    a->out->u.sort.generate_update_before = a->d.updates != WRI_UPDATES_AFTER;
    settle(a, true);
    return WR_OK;
}

static wr_status
of_rank(answer *a)
{
    bool fast = a->n->u.rank.upsert_key_count > 0;
    WR_TRY(copy_node(a));
    if (fast) {
        WR_TRY(ask_all(a, WRI_UPDATES_AFTER, WRI_DELETES_FULL));
        if (!a->out) {
            fast = false;
            WR_TRY(copy_node(a));
        }
    }
    if (!fast) WR_TRY(ask_all(a, WRI_UPDATES_BOTH, WRI_DELETES_FULL));
    if (!a->out) return WR_OK;
    bool append = wri_insert_only(a->n->inputs[0]);
    a->out->u.rank.strategy = (uint8_t)(append ? WR_RANK_APPEND_FAST
                                        : fast ? WR_RANK_UPDATE_FAST
                                               : WR_RANK_RETRACT);
    a->out->u.rank.generate_update_before = a->d.updates != WRI_UPDATES_AFTER;
    settle(a, true);
    return WR_OK;
}

static wr_status
of_over(answer *a)
{
    WR_TRY(copy_node(a));
    WR_TRY(ask_all(a, WRI_UPDATES_BOTH, WRI_DELETES_FULL));
    if (!a->out) return WR_OK;
    wr_over_spec *spec = WR_NEW(a->p->arena, wr_over_spec);
    WR_TRY_ALLOC(a->ctx, spec);
    *spec = *a->n->u.over;
    spec->generate_update_before = a->d.updates != WRI_UPDATES_AFTER;
    a->out->u.over = spec;
    settle(a, true);
    return WR_OK;
}

static wr_status
answer_by_kind(answer *a)
{
    switch ((wr_pkind)a->n->kind) {
    case WR_P_SCAN:
        return of_scan(a);
    case WR_P_CHANGELOG_NORMALIZE:
        return of_normalize(a);
    case WR_P_CALC:
        return of_calc(a);
    case WR_P_JOIN:
        return of_join(a);
    case WR_P_MULTI_JOIN:
        return of_multi_join(a);
    case WR_P_TEMPORAL_JOIN:
        return of_temporal_join(a);
    case WR_P_LOOKUP_JOIN: /* a deletion must bring what is looked up by, */
    case WR_P_CORRELATE:   /* and the value that is expanded */
        if (a->d.deletes == WRI_DELETES_KEY) a->d.deletes = WRI_DELETES_FULL;
        WR_TRY(copy_node(a));
        WR_TRY(ask_all(a, a->d.updates, a->d.deletes));
        settle(a, false);
        return WR_OK;
    case WR_P_GROUP_AGG:
    case WR_P_WINDOW_AGG:
        return of_agg(a);
    case WR_P_SORT_LIMIT:
        return of_sort_limit(a);
    case WR_P_OVER_AGG:
        return of_over(a);
    case WR_P_WATERMARK:
    case WR_P_MINI_BATCH:
    case WR_P_EXCHANGE:
    case WR_P_UNION:
    case WR_P_EXPAND:
    case WR_P_WINDOW_TVF:
        WR_TRY(copy_node(a));
        WR_TRY(ask_all(a, a->d.updates, a->d.deletes));
        settle(a, false);
        return WR_OK;
    case WR_P_SINK_MATERIALIZE: /* what it gets, its sink has decided; see phys_sink.c */
    case WR_P_SINK:
    case WR_P_COLLECT:
    case WR_P_DROP_UPDATE_BEFORE:
    case WR_P_COUNT:
        break;
    case WR_P_RANK:
        return of_rank(a);
    case WR_P_DEDUPLICATE:
        WR_TRY(copy_node(a));
        WR_TRY(ask_all(a, WRI_UPDATES_BOTH, WRI_DELETES_FULL));
        if (a->out) a->out->u.dedup.generate_update_before = a->d.updates != WRI_UPDATES_AFTER;
        settle(a, true);
        return WR_OK;
    case WR_P_CHANGELOG: /* it has both halves of updates, wanted or not */
        WR_TRY(copy_node(a));
        WR_TRY(ask_all(a, WRI_UPDATES_BOTH, WRI_DELETES_FULL));
        settle(a, true);
        if (a->out) a->out->changelog = a->n->changelog;
        return WR_OK;
    case WR_P_WINDOW_JOIN:
    case WR_P_WINDOW_RANK:
    case WR_P_WINDOW_DEDUPLICATE:
    case WR_P_INTERVAL_JOIN:
    case WR_P_MATCH:
    case WR_P_LIMIT:
    case WR_P_VALUES:
    case WR_P_SORT:
    case WR_P_HASH_AGG:
    case WR_P_HASH_JOIN:
    case WR_P_NESTED_LOOP_JOIN:
        WR_TRY(copy_node(a));
        WR_TRY(ask_all(a, WRI_UPDATES_BOTH, WRI_DELETES_FULL));
        settle(a, true);
        return WR_OK;
    }
    WR_UNREACHABLE();
}

wr_status
wri_changelog_satisfy(wr_ctx *ctx, wri_phys *p, wr_pnode *n, wri_demand d, wr_pnode **out)
{
    wri_node *node = wri_node_of(n);
    d = limited(n, d);
    *out = node->answers[d.updates][d.deletes];
    if (node->asked[d.updates][d.deletes]) return WR_OK;
    answer a = {.ctx = ctx, .p = p, .n = n, .d = d};
    WR_TRY(answer_by_kind(&a));
    node->asked[d.updates][d.deletes] = true;
    node->answers[d.updates][d.deletes] = *out = a.out;
    return WR_OK;
}

void
wr_clmode_print(wr_clmode m, wr_text *out)
{
    static const char *const names[] = {"I", "UB", "UA", "D"};
    bool any = false;
    for (uint32_t i = 0; i < 4; i++) {
        if (!(m & 1u << i)) continue;
        if (any) wr_text_putc(out, ',');
        wr_text_puts(out, names[i]);
        any = true;
    }
    if (!any) wr_text_puts(out, "NONE");
}
