/* SPDX-License-Identifier: Apache-2.0 */
/* Changelog inference, as Flink's planner does it.
 *
 * Bottom-up: which modifications (insert, update, delete) a node may produce. Top-down: how updates
 * must travel. A consumer that works by an upsert key is content with +U alone; one that has to
 * take back what it got needs -U as well. Where a source gives less than is wanted,
 * ChangelogNormalize makes up for it; where it gives more, DropUpdateBefore drops it. */
#include "plan/phys_int.h"

#define UPDATES (WR_CL_UB | WR_CL_UA)

wr_clmode
wri_kinds_derive(const wr_pnode *n)
{
    wr_clmode all = WR_CL_I;
    for (uint32_t i = 0; i < n->input_count; i++) all |= n->inputs[i]->changelog;
    switch ((wr_pkind)n->kind) {
    case WR_P_SCAN:
        return n->u.scan.info.changelog;
    case WR_P_VALUES:
    case WR_P_SORT:
    case WR_P_HASH_AGG:
    case WR_P_HASH_JOIN:
    case WR_P_NESTED_LOOP_JOIN:
        return WR_CL_I;
    case WR_P_GROUP_AGG:
        return (wr_clmode)(WR_CL_I | UPDATES | (all == WR_CL_I ? 0 : WR_CL_D));
    case WR_P_JOIN:
        return n->u.join.type == WR_JOIN_INNER || n->u.join.type == WR_JOIN_SEMI ? all : WR_CL_ALL;
    case WR_P_SORT_LIMIT:
        return n->bounded && n->u.sort.temporal ? WR_CL_I : WR_CL_ALL;
    case WR_P_LIMIT:
        return all == WR_CL_I ? WR_CL_I : WR_CL_ALL;
    case WR_P_CHANGELOG_NORMALIZE:
    case WR_P_SINK_MATERIALIZE:
        return WR_CL_ALL;
    case WR_P_DROP_UPDATE_BEFORE:
        return (wr_clmode)(all & ~WR_CL_UB);
    case WR_P_CALC:
    case WR_P_WATERMARK:
    case WR_P_EXCHANGE:
    case WR_P_UNION:
    case WR_P_CORRELATE:
    case WR_P_EXPAND:
    case WR_P_SINK:
    case WR_P_COLLECT:
    case WR_P_COUNT:
        return all;
    }
    WR_UNREACHABLE();
}

static wr_status fix(wr_ctx *ctx, wri_phys *p, wr_pnode **slot, wri_updates wanted, bool *ok);

/* The kinds that arrive when updates travel as wanted. */
static wr_clmode
with_updates(wr_clmode m, wri_updates u)
{
    if (!(m & UPDATES)) return m;
    return (wr_clmode)((m & ~UPDATES) | (u == WRI_UPDATES_BOTH ? UPDATES : WR_CL_UA));
}

static wri_updates
or_none(const wr_pnode *n, wri_updates u)
{
    return wri_has_updates(n) ? u : WRI_UPDATES_NONE;
}

/* ---- sources
 * ---------------------------------------------------------------------------------------------------
 */

static wr_status
put_normalize(wr_ctx *ctx, wri_phys *p, wr_pnode **slot, wri_updates wanted)
{
    wr_pnode *scan = *slot;
    const wr_key_set *key = scan->upsert_key_count ? &scan->upsert_keys[0] : NULL;
    if (!key)
        return wr_raise(ctx, WR_SEMANTIC,
                        "the primary key of table '%.*s' is needed to interpret its changes",
                        WR_STR_ARG(scan->u.scan.spec.table->id.name));
    wr_pnode *ex = wri_phys_exchange(p, scan, WR_DIST_HASH, key->cols, key->count);
    WR_TRY_ALLOC(ctx, ex);
    WR_TRY(wri_phys_derive(ctx, p, ex));
    wr_pnode *n = wri_phys_node(p, WR_P_CHANGELOG_NORMALIZE, scan->schema, &ex, 1);
    WR_TRY_ALLOC(ctx, n);
    n->u.normalize.keys = key->cols;
    n->u.normalize.key_count = key->count;
    n->u.normalize.generate_update_before = wanted == WRI_UPDATES_BOTH;
    n->u.normalize.ttl_ms = wr_config_int(p->env->config, "table.exec.state.ttl");
    WR_TRY(wri_phys_derive(ctx, p, n));
    n->changelog =
        with_updates(n->changelog, wanted == WRI_UPDATES_NONE ? WRI_UPDATES_AFTER : wanted);
    *slot = n;
    return WR_OK;
}

static wr_status
fix_scan(wr_ctx *ctx, wri_phys *p, wr_pnode **slot, wri_updates wanted, bool *ok)
{
    wr_pnode *n = *slot;
    wr_clmode given = n->u.scan.info.changelog;
    bool before = given & WR_CL_UB, after = given & WR_CL_UA;
    bool duplicates = given != WR_CL_I && n->u.scan.spec.table->primary_key_count > 0 &&
                      wr_config_bool(p->env->config, "table.exec.source.cdc-events-duplicate");
    n->changelog = given;
    *ok = true;
    if (duplicates) return put_normalize(ctx, p, slot, wanted);
    if (after && !before && wanted == WRI_UPDATES_BOTH) return put_normalize(ctx, p, slot, wanted);
    if (before && wanted == WRI_UPDATES_AFTER) {
        wr_pnode *drop = wri_phys_node(p, WR_P_DROP_UPDATE_BEFORE, n->schema, &n, 1);
        WR_TRY_ALLOC(ctx, drop);
        WR_TRY(wri_phys_derive(ctx, p, drop));
        *slot = drop;
    }
    return WR_OK;
}

/* ---- the nodes
 * ---------------------------------------------------------------------------------------------------
 */

static wr_status
fix_inputs(wr_ctx *ctx, wri_phys *p, wr_pnode *n, wri_updates wanted, bool *ok)
{
    *ok = true;
    for (uint32_t i = 0; i < n->input_count && *ok; i++)
        WR_TRY(fix(ctx, p, &n->inputs[i], or_none(n->inputs[i], wanted), ok));
    return WR_OK;
}

static void
mark_columns(void *arg, uint32_t *index)
{
    uint64_t *bits = arg;
    if (*index < WR_COLUMNS_MAX) wr_bit_set(bits, *index);
}

/* Does the condition look only at columns of an upsert key of the input? Then both halves of an
 * update pass or fail alike. */
static bool
condition_on_key(wri_phys *p, const wr_pnode *n)
{
    uint64_t bits[WR_COLUMNS_MAX / 64] = {0};
    const wr_pnode *in = n->inputs[0];
    if (!wr_expr_map_columns(p->arena, n->u.calc.cond, mark_columns, bits)) return false;
    for (uint32_t k = 0; k < in->upsert_key_count; k++) {
        uint32_t covered = 0, used = 0;
        for (uint32_t c = 0; c < in->schema.count; c++) used += wr_bit_get(bits, c);
        for (uint32_t c = 0; c < in->upsert_keys[k].count; c++)
            covered += wr_bit_get(bits, in->upsert_keys[k].cols[c]);
        if (covered == used) return true;
    }
    return false;
}

static wr_status
fix_calc(wr_ctx *ctx, wri_phys *p, wr_pnode *n, wri_updates wanted, bool *ok)
{
    *ok = false;
    if (n->u.calc.cond && wanted == WRI_UPDATES_AFTER && !condition_on_key(p, n)) return WR_OK;
    WR_TRY(fix_inputs(ctx, p, n, wanted, ok));
    n->changelog = with_updates(n->changelog, wanted);
    return WR_OK;
}

static bool
key_contains_join_key(const wr_pnode *n, uint32_t side)
{
    const wr_pnode *in = n->inputs[side];
    const uint32_t *keys = side ? n->u.join.right_keys : n->u.join.left_keys;
    for (uint32_t i = 0; i < in->upsert_key_count; i++)
        if (wri_cols_contain(in->upsert_keys[i].cols, in->upsert_keys[i].count, keys,
                             n->u.join.key_count))
            return true;
    return false;
}

static wr_status
fix_join(wr_ctx *ctx, wri_phys *p, wr_pnode *n, wri_updates wanted, bool *ok)
{
    *ok = true;
    for (uint32_t i = 0; i < 2 && *ok; i++) {
        wri_updates u = or_none(n->inputs[i],
                                wanted == WRI_UPDATES_AFTER ? WRI_UPDATES_AFTER : WRI_UPDATES_BOTH);
        if (u == WRI_UPDATES_AFTER && !key_contains_join_key(n, i)) {
            *ok = false;
            return WR_OK;
        }
        WR_TRY(fix(ctx, p, &n->inputs[i], u, ok));
    }
    n->changelog =
        with_updates(n->changelog, wanted == WRI_UPDATES_NONE ? WRI_UPDATES_BOTH : wanted);
    n->u.join.generate_update_before = wanted != WRI_UPDATES_AFTER;
    return WR_OK;
}

static wr_status
fix_agg(wr_ctx *ctx, wri_phys *p, wr_pnode *n, wri_updates wanted, bool *ok)
{
    WR_TRY(fix_inputs(ctx, p, n, WRI_UPDATES_BOTH, ok));
    n->u.agg.generate_update_before = wanted != WRI_UPDATES_AFTER;
    n->changelog = with_updates(n->changelog,
                                wanted == WRI_UPDATES_AFTER ? WRI_UPDATES_AFTER : WRI_UPDATES_BOTH);
    return WR_OK;
}

static wr_status
fix_sorted(wr_ctx *ctx, wri_phys *p, wr_pnode *n, wri_updates wanted, bool *ok)
{
    WR_TRY(fix_inputs(ctx, p, n, WRI_UPDATES_BOTH, ok));
    if (n->kind == WR_P_SORT_LIMIT) n->u.sort.generate_update_before = wanted != WRI_UPDATES_AFTER;
    n->changelog = with_updates(n->changelog,
                                wanted == WRI_UPDATES_AFTER ? WRI_UPDATES_AFTER : WRI_UPDATES_BOTH);
    return WR_OK;
}

/* A node that may be reached twice (a shared sub-plan) must satisfy the more demanding consumer:
 * once fixed with both kinds it stays so. */
static wr_status
fix(wr_ctx *ctx, wri_phys *p, wr_pnode **slot, wri_updates wanted, bool *ok)
{
    wr_pnode *n = *slot;
    switch ((wr_pkind)n->kind) {
    case WR_P_SCAN:
        return fix_scan(ctx, p, slot, wanted, ok);
    case WR_P_CALC:
        return fix_calc(ctx, p, n, wanted, ok);
    case WR_P_JOIN:
        return fix_join(ctx, p, n, wanted, ok);
    case WR_P_GROUP_AGG:
        return fix_agg(ctx, p, n, wanted, ok);
    case WR_P_LIMIT:
    case WR_P_SORT_LIMIT:
        return fix_sorted(ctx, p, n, wanted, ok);
    case WR_P_CHANGELOG_NORMALIZE:
    case WR_P_DROP_UPDATE_BEFORE: /* put here by an earlier visit for another consumer */
        *ok = !(wanted == WRI_UPDATES_BOTH && !(n->changelog & WR_CL_UB) &&
                (n->changelog & WR_CL_UA));
        if (!*ok && n->kind == WR_P_CHANGELOG_NORMALIZE) {
            n->u.normalize.generate_update_before = true;
            n->changelog = WR_CL_ALL;
            *ok = true;
        }
        return WR_OK;
    case WR_P_SINK_MATERIALIZE:
        WR_TRY(fix_inputs(ctx, p, n, WRI_UPDATES_BOTH, ok));
        n->changelog = WR_CL_UPSERT;
        return WR_OK;
    case WR_P_WATERMARK:
    case WR_P_EXCHANGE:
    case WR_P_UNION:
    case WR_P_CORRELATE:
    case WR_P_EXPAND:
        WR_TRY(fix_inputs(ctx, p, n, wanted, ok));
        n->changelog = with_updates(n->changelog, wanted);
        return WR_OK;
    case WR_P_VALUES:
    case WR_P_SORT:
    case WR_P_HASH_AGG:
    case WR_P_HASH_JOIN:
    case WR_P_NESTED_LOOP_JOIN:
    case WR_P_SINK:
    case WR_P_COLLECT:
    case WR_P_COUNT:
        return fix_inputs(ctx, p, n, WRI_UPDATES_BOTH, ok);
    }
    WR_UNREACHABLE();
}

wr_status
wri_changelog_fix(wr_ctx *ctx, wri_phys *p, wr_pnode **slot, wri_updates wanted, bool *ok)
{
    return fix(ctx, p, slot, or_none(*slot, wanted), ok);
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
