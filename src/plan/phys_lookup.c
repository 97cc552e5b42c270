/* SPDX-License-Identifier: Apache-2.0 */
/* Lookup joins: FOR SYSTEM_TIME AS OF a processing time of the left row, over a table that is asked
 * by key, or lets itself be read whole and kept. */
#include "plan/timed_int.h"

static const wr_pnode *
scan_of(const wr_pnode *right)
{
    return right->kind == WR_P_CALC ? right->inputs[0] : right;
}

static wr_status
check_table(wr_ctx *ctx, const wr_rel *rel, const wr_pnode *right)
{
    const wr_pnode *scan = scan_of(right);
    const wr_source_info *info = &scan->u.scan.info;
    if (scan->kind == WR_P_SCAN && (info->can_lookup || info->lookup_keys) && wri_insert_only(scan))
        return WR_OK;
    if (right->upsert_key_count == 0)
        return wr_raise_at(ctx, WR_SEMANTIC, rel->span,
                           "Temporal Table Join requires primary key in versioned table, but no "
                           "primary key can be found.");
    wr_status status = wr_raise_at(ctx, WR_UNSUPPORTED, rel->span,
                                   "Processing-time temporal join is not supported yet.");
    wr_hint(ctx, "A table of files and a materialized table can be looked up when they are "
                 "declared with 'lookup.cache' = 'FULL'; for versions by event time, join AS OF a "
                 "rowtime attribute.");
    return status;
}

/* The plan of the table, without its watermark, which nobody waits for. */
static wr_status
plan_table(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    if (rel->kind == WR_REL_WATERMARK) return plan_table(ctx, p, rel->inputs[0], out);
    if (rel->kind == WR_REL_PROJECT && rel->inputs[0]->kind == WR_REL_WATERMARK) {
        WR_TRY(wri_phys_rel(ctx, p, rel->inputs[0]->inputs[0], out));
        return wri_phys_calc(ctx, p, out, NULL, rel->u.project.exprs, rel->schema);
    }
    return wri_phys_rel(ctx, p, rel, out);
}

wr_status
wri_phys_lookup(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    wr_pnode *in = NULL, *right = NULL;
    const bool outer = p->looking_up;
    p->looking_up = true;
    const wr_status status = plan_table(ctx, p, rel->inputs[1], &right);
    p->looking_up = outer;
    WR_TRY(status);
    WR_TRY(check_table(ctx, rel, right));
    WR_TRY(wri_phys_rel(ctx, p, rel->inputs[0], &in));
    wr_lookup_spec *spec = WR_NEW(p->arena, wr_lookup_spec);
    wr_pnode *n = wri_phys_node(p, WR_P_LOOKUP_JOIN, rel->schema, &in, 1);
    WR_TRY_ALLOC(ctx, spec);
    WR_TRY_ALLOC(ctx, n);
    const wr_source_info *info = &scan_of(right)->u.scan.info;
    *spec = (wr_lookup_spec){.right = right, .reload = info->reload, .by_key = info->lookup_keys};
    n->u.join.lookup = spec;
    *out = n;
    return WR_OK;
}

/* ---- what is asked by ------------------------------------------------------------------------ */

/* The column of the scan that column `col` of the table is; -1: it is computed. */
static int64_t
scan_column(const wr_pnode *right, uint32_t col)
{
    if (right->kind != WR_P_CALC) return col;
    const wr_expr *e = right->u.calc.exprs[col];
    return e->kind == WR_EX_COLUMN ? (int64_t)e->index : -1;
}

typedef struct asks {
    WR_LIST(uint32_t) cols, pairs;
    WR_LIST(wr_value) values;
} asks;

/* A constant comes before columns; of several columns the last is asked by, as in Flink. */
static wr_status
put_ask(wr_ctx *ctx, wri_phys *p, asks *q, uint32_t col, uint32_t pair, wr_value value)
{
    for (uint32_t i = 0; i < q->cols.count; i++) {
        if (q->cols.items[i] != col) continue;
        if (q->pairs.items[i] != WR_ASK_CONSTANT) q->pairs.items[i] = pair;
        return WR_OK;
    }
    return wr_list_push(p->arena, &q->cols, col) && wr_list_push(p->arena, &q->pairs, pair) &&
                   wr_list_push(p->arena, &q->values, value)
               ? WR_OK
               : wr_raise(ctx, WR_NOMEM, "out of memory");
}

/* column = literal, over the columns of the scan or, from `first` on, of the join. */
static wr_status
take_constant(wr_ctx *ctx, wri_phys *p, asks *q, const wr_pnode *right, const wr_expr *e,
              uint32_t first, bool of_scan)
{
    if (e->kind != WR_EX_CALL || strcmp(e->fn->name, "=") != 0) return WR_OK;
    const wr_expr *a = e->args[0], *b = e->args[1];
    if (a->kind == WR_EX_LITERAL) {
        const wr_expr *t = a;
        a = b;
        b = t;
    }
    if (a->kind != WR_EX_COLUMN || b->kind != WR_EX_LITERAL || a->index < first) return WR_OK;
    if (!wr_type_eq_ignoring_null(a->type, b->type) || b->value.is_null) return WR_OK;
    const int64_t col = of_scan ? (int64_t)a->index : scan_column(right, a->index - first);
    return col < 0 ? WR_OK : put_ask(ctx, p, q, (uint32_t)col, WR_ASK_CONSTANT, b->value);
}

static wr_status
take_constants(wr_ctx *ctx, wri_phys *p, asks *q, const wr_pnode *right, const wr_expr *e,
               uint32_t first, bool of_scan)
{
    if (!e) return WR_OK;
    if (e->kind != WR_EX_AND) return take_constant(ctx, p, q, right, e, first, of_scan);
    for (uint32_t i = 0; i < e->arg_count; i++)
        WR_TRY(take_constants(ctx, p, q, right, e->args[i], first, of_scan));
    return WR_OK;
}

static wr_status
no_key(wr_ctx *ctx, const wr_rel *rel, const wr_pnode *scan)
{
    const wr_table_id *id = &scan->u.scan.spec.table->id;
    return wr_raise_at(ctx, WR_SEMANTIC, rel->span,
                       "Temporal table join requires an equality condition on fields of table "
                       "[%.*s.%.*s.%.*s].",
                       WR_STR_ARG(id->catalog), WR_STR_ARG(id->database), WR_STR_ARG(id->name));
}

static wr_status
choose_keys(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode *n, wr_lookup_spec *spec)
{
    const wr_pnode *right = spec->right;
    const uint32_t left = n->inputs[0]->schema.count;
    asks q = {0};
    for (uint32_t i = 0; i < n->u.join.key_count; i++)
        if (n->u.join.null_equal[i])
            return wr_raise_at(ctx, WR_UNSUPPORTED, rel->span,
                               "LookupJoin doesn't support join condition contains 'a IS NOT "
                               "DISTINCT FROM b' (or alternative '(a = b) or (a IS NULL AND b IS "
                               "NULL)')");
    if (right->kind == WR_P_CALC)
        WR_TRY(take_constants(ctx, p, &q, right, right->u.calc.cond, 0, true));
    WR_TRY(take_constants(ctx, p, &q, right, n->u.join.cond, left, false));
    for (uint32_t i = 0; i < n->u.join.key_count; i++) {
        const int64_t col = scan_column(right, n->u.join.right_keys[i]);
        if (col >= 0)
            WR_TRY(
                put_ask(ctx, p, &q, (uint32_t)col, i, wr_value_null(wr_type_of(WR_T_INT, true))));
    }
    spec->ask_cols = q.cols.items;
    spec->ask_pair = q.pairs.items;
    spec->ask_value = q.values.items;
    spec->ask_count = q.cols.count;
    return q.cols.count ? WR_OK : no_key(ctx, rel, scan_of(right));
}

/* ---- how it is asked ------------------------------------------------------------------------- */

static bool
says(const wr_config *c, const char *key, const char *value)
{
    return wr_str_eq_nocase(wr_config_str(c, key), wr_str_c(value));
}

static void
choose_async(const wri_phys *p, const wr_lookup_hint *hint, wr_lookup_spec *spec)
{
    const wr_config *c = p->env->config;
    spec->async = scan_of(spec->right)->u.scan.info.lookup_async;
    spec->unordered = says(c, "table.exec.async-lookup.output-mode", "ALLOW_UNORDERED");
    spec->key_ordered = wr_config_bool(c, "table.exec.async-lookup.key-ordered-enabled");
    spec->timeout_ms = wr_config_int(c, "table.exec.async-lookup.timeout");
    int64_t capacity = wr_config_int(c, "table.exec.async-lookup.buffer-capacity");
    if (hint && hint->unordered >= 0) spec->unordered = hint->unordered;
    if (hint && hint->timeout_ms >= 0) spec->timeout_ms = hint->timeout_ms;
    if (hint && hint->capacity >= 0) capacity = hint->capacity;
    spec->capacity = (uint32_t)WR_MIN(WR_MAX(capacity, 0), (int64_t)INT32_MAX);
    if (!hint) return;
    spec->retries = hint->retries;
    spec->retry_ms = hint->retry_ms;
    spec->shuffle = hint->shuffle == 1;
}

static wr_status
choose_cache(wr_ctx *ctx, const wr_rel *rel, wr_lookup_spec *spec)
{
    const wr_source_spec *s = &scan_of(spec->right)->u.scan.spec;
    const wr_option_def *defs = scan_of(spec->right)->u.scan.source->options;
    static const char *const keys[] = {
        "lookup.cache", "lookup.partial-cache.max-rows", "lookup.partial-cache.expire-after-write",
        "lookup.partial-cache.expire-after-access", "lookup.partial-cache.cache-missing-key"};
    wr_option_value v[WR_COUNT(keys)];
    for (uint32_t i = 0; i < WR_COUNT(keys); i++) {
        v[i] = (wr_option_value){0};
        if (wr_option_def_find(defs, wr_str_c(keys[i])))
            WR_TRY(wr_options_get(ctx, &s->options, defs, keys[i], &v[i]));
    }
    spec->cached = v[0].set && wr_str_eq_nocase(v[0].text, WR_STR("PARTIAL"));
    spec->cache_rows = v[1].i;
    spec->expire_write_ms = v[2].i;
    spec->expire_access_ms = v[3].i;
    spec->cache_missing = v[4].i != 0;
    if (!spec->cached || v[1].set || v[2].set || v[3].set) return WR_OK;
    return wr_raise_at(ctx, WR_OPTION, rel->span,
                       "'lookup.cache' = 'PARTIAL' needs a bound: one of "
                       "'lookup.partial-cache.max-rows', "
                       "'lookup.partial-cache.expire-after-write' and "
                       "'lookup.partial-cache.expire-after-access'");
}

wr_status
wri_phys_lookup_keys(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode *n)
{
    wr_lookup_spec *spec = (wr_lookup_spec *)(uintptr_t)n->u.join.lookup;
    if (!spec->by_key) return n->u.join.key_count ? WR_OK : no_key(ctx, rel, scan_of(spec->right));
    WR_TRY(choose_keys(ctx, p, rel, n, spec));
    choose_async(p, rel->u.join.lookup, spec);
    WR_TRY(choose_cache(ctx, rel, spec));
    if (!spec->shuffle || n->u.join.key_count == 0) return WR_OK;
    return wri_phys_exchange(ctx, p, &n->inputs[0], WR_DIST_HASH, n->u.join.left_keys,
                             n->u.join.key_count);
}
