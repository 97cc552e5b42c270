/* SPDX-License-Identifier: Apache-2.0 */
/* Sources: scans, watermarks, and ChangelogNormalize where a source's changes are upserts (or may
 * come twice). A ChangelogNormalize stands above every such scan at first; changelog.c takes it out
 * again where the consumer is content with upserts. Calcs and watermarks go below it as far as they
 * may: columns that nobody needs, conditions on the key. Other conditions become its own. */
#include "plan/phys_int.h"
#include "spi/factory.h"

static wr_str
full_name(wri_phys *p, const wr_table_id *id)
{
    wr_str s = wr_arena_printf(p->arena, "%.*s.%.*s.%.*s", WR_STR_ARG(id->catalog),
                               WR_STR_ARG(id->database), WR_STR_ARG(id->name));
    return s.ptr ? s : id->name;
}

static bool
is_upsert(const wr_source_info *info)
{
    return (info->changelog & WR_CL_UA) && !(info->changelog & WR_CL_UB);
}

static bool
may_repeat(const wri_phys *p, const wr_source_info *info)
{
    return info->changelog != WR_CL_I &&
           wr_config_bool(p->env->config, "table.exec.source.cdc-events-duplicate");
}

static wr_status
check_scan(wr_ctx *ctx, wri_phys *p, const wr_rel *rel)
{
    const wr_source_info *info = &rel->u.scan.info;
    const wr_table_desc *table = rel->u.scan.table;
    wr_str name = full_name(p, &table->id);
    if ((info->lookup_keys || info->lookup_only) && !p->looking_up) {
        wr_status status = wr_raise_at(
            ctx, WR_SEMANTIC, rel->span,
            "Cannot generate a valid execution plan for the given query: table '%.*s' cannot be "
            "read, it can only be asked by key",
            WR_STR_ARG(name));
        wr_hint(ctx, "join it FOR SYSTEM_TIME AS OF a processing time attribute of another table");
        return status;
    }
    if (p->batch && !info->bounded)
        return wr_raise_at(ctx, WR_SEMANTIC, rel->span,
                           "Querying an unbounded table '%.*s' in batch mode is not allowed. The "
                           "table source is unbounded.",
                           WR_STR_ARG(name));
    if (p->batch && info->changelog != WR_CL_I)
        return wr_raise_at(ctx, WR_SEMANTIC, rel->span,
                           "Querying a table in batch mode is currently only possible for "
                           "INSERT-only table sources. But the source for table '%.*s' produces "
                           "other changelog messages than just INSERT.",
                           WR_STR_ARG(name));
    if (table->primary_key_count) return WR_OK;
    if (is_upsert(info))
        return wr_raise_at(
            ctx, WR_SEMANTIC, rel->span,
            "Table '%.*s' produces a changelog stream that contains UPDATE_AFTER but no "
            "UPDATE_BEFORE. This requires defining a primary key constraint on the table.",
            WR_STR_ARG(name));
    if (may_repeat(p, info))
        return wr_raise_at(
            ctx, WR_SEMANTIC, rel->span,
            "Configuration 'table.exec.source.cdc-events-duplicate' is enabled which requires the "
            "changelog sources to define a PRIMARY KEY. However, table '%.*s' doesn't have a "
            "primary key.",
            WR_STR_ARG(name));
    return WR_OK;
}

static wr_status
put_normalize(wr_ctx *ctx, wri_phys *p, wr_pnode **node, const uint32_t *keys, uint32_t count,
              wr_expr *cond, bool duplicates)
{
    WR_TRY(wri_phys_exchange(ctx, p, node, WR_DIST_HASH, keys, count));
    wr_pnode *n = wri_phys_node(p, WR_P_CHANGELOG_NORMALIZE, (*node)->schema, node, 1);
    WR_TRY_ALLOC(ctx, n);
    n->u.normalize.keys = wri_phys_cols(p, keys, count);
    WR_TRY_ALLOC(ctx, n->u.normalize.keys);
    n->u.normalize.key_count = count;
    n->u.normalize.cond = cond;
    n->u.normalize.duplicates = duplicates;
    n->u.normalize.ttl_ms = wr_config_int(p->env->config, "table.exec.state.ttl");
    return wri_phys_derive(ctx, p, n, node);
}

wr_status
wri_phys_scan(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    const wr_source_info *info = &rel->u.scan.info;
    WR_TRY(check_scan(ctx, p, rel));
    wr_pnode *n = wri_phys_node(p, WR_P_SCAN, rel->schema, NULL, 0);
    WR_TRY_ALLOC(ctx, n);
    wri_node_of(n)->rel = rel;
    n->u.scan.source = rel->u.scan.source;
    n->u.scan.info = *info;
    n->u.scan.spec = (wr_source_spec){.table = rel->u.scan.table,
                                      .options = rel->u.scan.options,
                                      .columns = rel->schema,
                                      .physical = rel->u.scan.physical,
                                      .metadata = rel->u.scan.metadata,
                                      .filters = rel->u.scan.filters,
                                      .filter_count = rel->u.scan.filter_count,
                                      .limit = rel->u.scan.limit,
                                      .changelog = info->changelog};
    n->row_count = info->row_count;
    WR_TRY(wri_phys_derive(ctx, p, n, out));
    bool duplicates = may_repeat(p, info);
    if (p->batch || (!is_upsert(info) && !duplicates)) return WR_OK;
    const wr_key_set *key = n->upsert_key_count ? &n->upsert_keys[0] : NULL;
    if (!key)
        return wr_raise_at(ctx, WR_INTERNAL, rel->span,
                           "the primary key of table '%.*s' is not read, but its changes need it",
                           WR_STR_ARG(rel->u.scan.table->id.name));
    return put_normalize(ctx, p, out, key->cols, key->count, NULL, duplicates);
}

/* ---- watermarks ------------------------------------------------------------------------------ */

static bool
is_source_watermark(const wr_expr *e)
{
    return e->kind == WR_EX_CALL && wr_str_eq_c(wr_str_c(e->fn->name), "SOURCE_WATERMARK");
}

/* Told when the query runs: views over such a table can be made, and plans shown. */
static wr_status
check_source_watermark(wr_ctx *ctx, const wri_phys *p, const wr_rel *rel, const wr_pnode *from)
{
    while (from->kind != WR_P_SCAN && from->input_count == 1) from = from->inputs[0];
    if (p->env->explain || from->kind != WR_P_SCAN || from->u.scan.info.source_watermark)
        return WR_OK;
    return wr_raise_at(
        ctx, WR_UNSUPPORTED, rel->span,
        "SOURCE_WATERMARK() is a declarative marker function and doesn't have concrete runtime "
        "implementation. It can only be used as a single expression in a WATERMARK FOR clause "
        "in the CREATE TABLE DDL. "
        "The declaration will be pushed down into a table source that implements the "
        "'org.apache.flink.table.connector.source.abilities.SupportsSourceWatermark' interface. "
        "The source will emit system-defined watermarks afterwards. Please check the documentation "
        "whether the connector supports source watermarks.");
}

/* What the table says of its own. on-event: behind every row, whatever the interval; how long a
 * split may be without rows. */
static wr_status
take_options(wr_ctx *ctx, wr_pnode *n, const wr_pnode *from)
{
    wr_option_value v;
    while (from->kind != WR_P_SCAN && from->input_count == 1) from = from->inputs[0];
    if (from->kind != WR_P_SCAN) return WR_OK;
    const wr_options *o = &from->u.scan.spec.options;
    const wr_option *emit = wr_options_find(o, "scan.watermark.emit.strategy");
    if (emit && wr_str_eq_nocase(emit->value, WR_STR("on-event"))) n->u.watermark.interval_ms = 0;
    WR_TRY(wr_options_get(ctx, o, wr_table_options, "scan.watermark.idle-timeout", &v));
    if (v.set) n->u.watermark.idle_ms = v.i;
    return WR_OK;
}

static wr_status
put_watermark(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **node)
{
    wr_pnode *n = wri_phys_node(p, WR_P_WATERMARK, rel->schema, node, 1);
    WR_TRY_ALLOC(ctx, n);
    n->u.watermark.col = rel->u.watermark.col;
    n->u.watermark.expr = rel->u.watermark.expr;
    n->u.watermark.source_watermark = is_source_watermark(rel->u.watermark.expr);
    if (n->u.watermark.source_watermark) WR_TRY(check_source_watermark(ctx, p, rel, n->inputs[0]));
    n->u.watermark.interval_ms = wr_config_int(p->env->config, "pipeline.auto-watermark-interval");
    n->u.watermark.idle_ms = wr_config_int(p->env->config, "table.exec.source.idle-timeout");
    WR_TRY(take_options(ctx, n, *node));
    return wri_phys_derive(ctx, p, n, node);
}

wr_status
wri_phys_watermark(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    wr_pnode *input = NULL;
    WR_TRY(wri_phys_rel(ctx, p, rel->inputs[0], &input));
    *out = input;
    if (p->batch) return WR_OK; /* a bounded input in batch mode needs no event time */
    if (input->kind != WR_P_CHANGELOG_NORMALIZE || input->u.normalize.cond)
        return put_watermark(ctx, p, rel, out);
    *out = input->inputs[0]->inputs[0];
    WR_TRY(put_watermark(ctx, p, rel, out));
    return put_normalize(ctx, p, out, input->u.normalize.keys, input->u.normalize.key_count, NULL,
                         input->u.normalize.duplicates);
}

/* ---- a calc over ChangelogNormalize ---------------------------------------------------------- */

typedef struct split { /* its parts */
    uint32_t width;
    uint64_t *key, *need; /* columns */
    uint32_t *to;         /* column -> column of the narrowed input */
    WR_LIST(wr_expr *) on_key, rest;
} split;

static bool
within(const uint64_t *set, const uint64_t *of, uint32_t width)
{
    for (uint32_t i = 0; i < WR_BIT_WORDS(width); i++)
        if (set[i] & ~of[i]) return false;
    return true;
}

static bool
sort_conjunct(wri_phys *p, split *s, wr_expr *e)
{
    if (!e) return true;
    if (e->kind == WR_EX_AND) {
        for (uint32_t i = 0; i < e->arg_count; i++)
            if (!sort_conjunct(p, s, e->args[i])) return false;
        return true;
    }
    uint64_t *cols = WR_NEW_N(p->arena, uint64_t, WR_BIT_WORDS(s->width) + 1);
    if (!cols) return false;
    wri_phys_mark(e, cols);
    bool low = within(cols, s->key, s->width) && wr_expr_is_deterministic(e);
    if (!low) wri_phys_mark(e, s->need);
    return low ? wr_list_push(p->arena, &s->on_key, e) : wr_list_push(p->arena, &s->rest, e);
}

static wr_status
split_init(wr_ctx *ctx, wri_phys *p, split *s, const wr_pnode *n, wr_expr *cond,
           wr_expr *const *exprs, uint32_t count)
{
    memset(s, 0, sizeof *s);
    s->width = n->schema.count;
    s->key = WR_NEW_N(p->arena, uint64_t, WR_BIT_WORDS(s->width) + 1);
    s->need = WR_NEW_N(p->arena, uint64_t, WR_BIT_WORDS(s->width) + 1);
    s->to = WR_NEW_N(p->arena, uint32_t, s->width + 1);
    WR_TRY_ALLOC(ctx, s->key);
    WR_TRY_ALLOC(ctx, s->need);
    WR_TRY_ALLOC(ctx, s->to);
    for (uint32_t i = 0; i < n->u.normalize.key_count; i++) {
        wr_bit_set(s->key, n->u.normalize.keys[i]);
        wr_bit_set(s->need, n->u.normalize.keys[i]);
    }
    for (uint32_t i = 0; i < count; i++) wri_phys_mark(exprs[i], s->need);
    if (n->u.normalize.cond) wri_phys_mark(n->u.normalize.cond, s->need);
    if (!sort_conjunct(p, s, cond)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    return WR_OK;
}

static void
move_column(void *arg, uint32_t *index)
{
    *index = ((const uint32_t *)arg)[*index];
}

static wr_status
remap(wr_ctx *ctx, wri_phys *p, const split *s, wr_expr **e)
{
    if (!*e) return WR_OK;
    *e = wr_expr_map_columns(p->arena, *e, move_column, s->to);
    WR_TRY_ALLOC(ctx, *e);
    return WR_OK;
}

static wr_status
and_all(wr_ctx *ctx, wri_phys *p, wr_expr **items, uint32_t count, wr_expr **out)
{
    *out = NULL;
    return count ? wr_expr_and(ctx, p->arena, items, count, out) : WR_OK;
}

/* What goes below: the needed columns, the conditions on the key. */
static wr_status
narrow(wr_ctx *ctx, wri_phys *p, split *s, wr_pnode **node)
{
    wr_pnode *in = *node;
    wr_expr *cond = NULL;
    uint32_t n = 0;
    wr_field *fields = WR_NEW_N(p->arena, wr_field, s->width + 1);
    wr_expr **exprs = WR_NEW_N(p->arena, wr_expr *, s->width + 1);
    WR_TRY_ALLOC(ctx, fields);
    WR_TRY_ALLOC(ctx, exprs);
    for (uint32_t i = 0; i < s->width; i++) {
        if (!wr_bit_get(s->need, i)) continue;
        exprs[n] = wr_expr_column(p->arena, i, in->schema.fields[i].type, WR_NO_SPAN);
        WR_TRY_ALLOC(ctx, exprs[n]);
        fields[n] = in->schema.fields[i];
        s->to[i] = n++;
    }
    WR_TRY(and_all(ctx, p, s->on_key.items, s->on_key.count, &cond));
    return wri_phys_calc(ctx, p, node, cond, exprs, (wr_schema){fields, n});
}

wr_status
wri_phys_calc_normalized(wr_ctx *ctx, wri_phys *p, wr_pnode **node, wr_expr *cond, wr_expr **exprs,
                         wr_schema schema)
{
    const wr_pnode *old = *node;
    wr_pnode *below = old->inputs[0]->inputs[0];
    split s;
    wr_expr *mine = NULL, *above = NULL;
    WR_TRY(split_init(ctx, p, &s, old, cond, exprs, schema.count));
    WR_TRY(narrow(ctx, p, &s, &below));
    uint32_t *keys = wri_phys_cols(p, old->u.normalize.keys, old->u.normalize.key_count);
    wr_expr **moved = WR_NEW_N(p->arena, wr_expr *, schema.count + 1);
    WR_TRY_ALLOC(ctx, keys);
    WR_TRY_ALLOC(ctx, moved);
    for (uint32_t i = 0; i < old->u.normalize.key_count; i++) keys[i] = s.to[keys[i]];
    WR_TRY(and_all(ctx, p, s.rest.items, s.rest.count, &mine));
    WR_TRY(remap(ctx, p, &s, &mine));
    if (mine && !wr_expr_is_deterministic(mine)) {
        above = mine;
        mine = NULL;
    }
    if (old->u.normalize.cond) {
        wr_expr *both[2] = {old->u.normalize.cond, mine};
        WR_TRY(remap(ctx, p, &s, &both[0]));
        WR_TRY(and_all(ctx, p, both, mine ? 2 : 1, &mine));
    }
    WR_TRY(put_normalize(ctx, p, &below, keys, old->u.normalize.key_count, mine,
                         old->u.normalize.duplicates));
    for (uint32_t i = 0; i < schema.count; i++) {
        moved[i] = exprs[i];
        WR_TRY(remap(ctx, p, &s, &moved[i]));
    }
    *node = below;
    /* what is left stands above: made here, since wri_phys_calc would push it down again */
    bool same = !above && schema.count == below->schema.count;
    for (uint32_t i = 0; same && i < schema.count; i++)
        same = moved[i]->kind == WR_EX_COLUMN && moved[i]->index == i &&
               wr_str_eq(schema.fields[i].name, below->schema.fields[i].name);
    if (same) return WR_OK;
    wr_pnode *top = wri_phys_node(p, WR_P_CALC, schema, node, 1);
    WR_TRY_ALLOC(ctx, top);
    top->u.calc.cond = above;
    top->u.calc.exprs = moved;
    return wri_phys_derive(ctx, p, top, node);
}
