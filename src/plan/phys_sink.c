/* SPDX-License-Identifier: Apache-2.0 */
/* The ends of plans: sinks with changelog adaptation, and the collection of a SELECT's rows. */
#include "plan/phys_int.h"

static void
put_key_names(const wr_pnode *n, const uint32_t *cols, uint32_t count, wr_text *out)
{
    wr_text_putc(out, '[');
    for (uint32_t i = 0; i < count; i++)
        wr_text_printf(out, "%s%.*s", i ? ", " : "", WR_STR_ARG(n->schema.fields[cols[i]].name));
    wr_text_putc(out, ']');
}

/* Flink 2.3: an upsert key that is not the sink's primary key needs an ON CONFLICT clause. */
static wr_status
refuse_upsert_key(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, const wr_pnode *in)
{
    wr_text text;
    const wr_sink_spec *spec = &rel->u.sink.spec;
    const wr_table_id *id = &rel->u.sink.table->id;
    wr_text_init(&text, p->arena);
    wr_text_puts(&text, "Primary key: ");
    wr_text_putc(&text, '[');
    for (uint32_t i = 0; i < spec->primary_key_count; i++)
        wr_text_printf(&text, "%s%.*s", i ? ", " : "",
                       WR_STR_ARG(spec->columns.fields[spec->primary_key[i]].name));
    wr_text_puts(&text, "], upsert key: ");
    if (wri_insert_only(in)) wr_text_puts(&text, "none");
    for (uint32_t i = 0; !wri_insert_only(in) && i < in->upsert_key_count; i++) {
        if (i) wr_text_puts(&text, ", ");
        put_key_names(in, in->upsert_keys[i].cols, in->upsert_keys[i].count, &text);
    }
    return wr_raise_at(ctx, WR_SEMANTIC, rel->span,
                       "The query has an upsert key that differs from the primary key of the sink "
                       "table '%.*s.%.*s.%.*s'. %.*s. This can "
                       "lead to non-deterministic results when multiple records with different "
                       "upsert keys map to the same primary key. "
                       "Please specify an ON CONFLICT clause to define how conflicts should be "
                       "handled: ON CONFLICT DO DEDUPLICATE (update "
                       "to the latest record, state intensive, since we need to keep the entire "
                       "history), or ON CONFLICT DO ERROR (fail on "
                       "conflict), or ON CONFLICT DO NOTHING (keep first record)",
                       WR_STR_ARG(id->catalog), WR_STR_ARG(id->database), WR_STR_ARG(id->name),
                       (int)text.len, text.ptr);
}

static wr_status
refuse_changes(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, const wr_pnode *in, wr_clmode extra)
{
    const wr_table_id *id = &rel->u.sink.table->id;
    wr_text kinds, label;
    wr_text_init(&kinds, p->arena);
    wr_text_init(&label, p->arena);
    bool updates = extra & (WR_CL_UB | WR_CL_UA), deletes = extra & WR_CL_D;
    wr_text_puts(&kinds, updates && deletes ? "update and delete" : updates ? "update" : "delete");
    while (in->kind == WR_P_CALC || in->kind == WR_P_EXCHANGE || in->kind == WR_P_WATERMARK) {
        if (in->inputs[0]->changelog == WR_CL_I) break;
        in = in->inputs[0];
    }
    WR_TRY(wri_label(ctx, p->env, in, WR_EXPR_PREFIX, &label));
    return wr_raise_at(ctx, WR_SEMANTIC, rel->span,
                       "Table sink '%.*s.%.*s.%.*s' doesn't support consuming %.*s changes which "
                       "is produced by node %.*s",
                       WR_STR_ARG(id->catalog), WR_STR_ARG(id->database), WR_STR_ARG(id->name),
                       (int)kinds.len, kinds.ptr, (int)label.len, label.ptr);
}

static bool
str_is(wr_str s, const char *c)
{
    return wr_str_eq_nocase(s, wr_str_c(c));
}

/* ON CONFLICT DO NOTHING and ERROR act on watermarks, so every source needs one. */
static bool
find_unwatermarked(const wr_pnode *n, bool below_watermark, wr_text *names, bool *first)
{
    bool found = false;
    if (n->kind == WR_P_WATERMARK) below_watermark = true;
    if (n->kind == WR_P_SCAN && !below_watermark) {
        const wr_table_id *id = &n->u.scan.spec.table->id;
        wr_text_printf(names, "%s%.*s.%.*s.%.*s", *first ? "" : ", ", WR_STR_ARG(id->catalog),
                       WR_STR_ARG(id->database), WR_STR_ARG(id->name));
        *first = false;
        return true;
    }
    for (uint32_t i = 0; i < n->input_count; i++)
        found |= find_unwatermarked(n->inputs[i], below_watermark, names, first);
    return found;
}

static wr_status
check_conflict_watermarks(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, const wr_pnode *in)
{
    uint8_t c = rel->u.sink.on_conflict;
    if (p->batch || (c != WR_CONFLICT_NOTHING && c != WR_CONFLICT_ERROR)) return WR_OK;
    wr_text names;
    bool first = true;
    wr_text_init(&names, p->arena);
    if (!find_unwatermarked(in, false, &names, &first)) return WR_OK;
    return wr_raise_at(ctx, WR_SEMANTIC, rel->span,
                       "ON CONFLICT DO %s requires all source tables to define watermarks, but the "
                       "following source(s) do "
                       "not: %.*s",
                       c == WR_CONFLICT_NOTHING ? "NOTHING" : "ERROR", (int)names.len, names.ptr);
}

static wr_status
put_materialize(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **io)
{
    const wr_sink_spec *spec = &rel->u.sink.spec;
    wr_pnode *in = *io, *ex = wri_phys_exchange(p, in, WR_DIST_HASH, spec->primary_key,
                                                spec->primary_key_count);
    WR_TRY_ALLOC(ctx, ex);
    WR_TRY(wri_phys_derive(ctx, p, ex));
    wr_pnode *n = wri_phys_node(p, WR_P_SINK_MATERIALIZE, in->schema, &ex, 1);
    WR_TRY_ALLOC(ctx, n);
    n->u.materialize.keys = spec->primary_key;
    n->u.materialize.key_count = spec->primary_key_count;
    n->u.materialize.on_conflict = rel->u.sink.on_conflict;
    if (in->upsert_key_count) {
        n->u.materialize.input_upsert_key = in->upsert_keys[0].cols;
        n->u.materialize.input_upsert_key_count = in->upsert_keys[0].count;
    }
    n->u.materialize.ttl_ms = wr_config_int(p->env->config, "table.exec.state.ttl");
    WR_TRY(wri_phys_derive(ctx, p, n));
    *io = n;
    return WR_OK;
}

/* Is a SinkUpsertMaterializer needed? `upsert_sink`: the sink takes upserts by its primary key. */
static wr_status
decide_materialize(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, const wr_pnode *in,
                   bool upsert_sink, bool *needed)
{
    const wr_sink_spec *spec = &rel->u.sink.spec;
    wr_str mode = wr_config_str(p->env->config, "table.exec.sink.upsert-materialize");
    *needed = false;
    if (p->batch || spec->primary_key_count == 0) return WR_OK;
    bool matches =
        wri_keys_has(in, spec->primary_key, spec->primary_key_count) && !wri_insert_only(in);
    for (uint32_t i = 0; i < in->upsert_key_count && !matches;
         i++) /* a key within the primary key is unique as well */
        matches = wri_cols_contain(spec->primary_key, spec->primary_key_count,
                                   in->upsert_keys[i].cols, in->upsert_keys[i].count);
    if (matches || (wri_insert_only(in) && !upsert_sink)) {
        *needed = str_is(mode, "FORCE");
        return WR_OK;
    }
    if (rel->u.sink.on_conflict == WR_CONFLICT_NONE &&
        wr_config_bool(p->env->config, "table.exec.sink.require-on-conflict") &&
        !str_is(mode, "NONE"))
        return refuse_upsert_key(ctx, p, rel, in);
    WR_TRY(check_conflict_watermarks(ctx, p, rel, in));
    *needed = !str_is(mode, "NONE") &&
              (!wri_insert_only(in) || rel->u.sink.on_conflict != WR_CONFLICT_NONE);
    return WR_OK;
}

static wr_status
describe_sink(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_clmode requested, wr_sink_info *info)
{
    memset(info, 0, sizeof *info);
    return rel->u.sink.sink->describe(ctx, rel->u.sink.table, &rel->u.sink.options, p->env->config,
                                      requested, p->arena, info);
}

static wr_status
fix_updates(wr_ctx *ctx, wri_phys *p, wr_pnode **input, const wr_sink_info *info, bool materialized)
{
    bool ok = true;
    bool wants_before = info->changelog & WR_CL_UB;
    if (!wants_before && !materialized) {
        WR_TRY(wri_changelog_fix(ctx, p, input, WRI_UPDATES_AFTER, &ok));
        if (ok) return WR_OK;
    }
    WR_TRY(wri_changelog_fix(ctx, p, input, WRI_UPDATES_BOTH, &ok));
    return ok ? WR_OK
              : wr_raise(ctx, WR_INTERNAL,
                         "the plan cannot provide the updates that its sink needs");
}

static void
set_enforcers(const wri_phys *p, wr_pnode *n)
{
    const wr_config *c = p->env->config;
    wr_str length = wr_config_str(c, "table.exec.sink.type-length-enforcer");
    n->u.sink.not_null = str_is(wr_config_str(c, "table.exec.sink.not-null-enforcer"), "DROP");
    n->u.sink.length = str_is(length, "TRIM_PAD") ? 1 : str_is(length, "ERROR") ? 2 : 0;
}

wr_status
wri_phys_sink(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, wr_pnode **out)
{
    wr_pnode *input = NULL;
    wr_sink_info info;
    bool materialize = false;
    WR_TRY(wri_phys_rel(ctx, p, rel->inputs[0], &input));
    WR_TRY(describe_sink(ctx, p, rel, input->changelog, &info));
    bool upsert_sink = (info.changelog & WR_CL_UA) && !(info.changelog & WR_CL_UB);
    if (rel->u.sink.on_conflict != WR_CONFLICT_NONE &&
        !(upsert_sink || (info.changelog & WR_CL_UA)))
        return wr_raise_at(ctx, WR_SEMANTIC, rel->span,
                           "ON CONFLICT clause is only allowed for upsert sinks.");
    WR_TRY(decide_materialize(ctx, p, rel, input, upsert_sink, &materialize));
    wr_clmode extra = (wr_clmode)(input->changelog & ~info.changelog);
    if (upsert_sink) extra = (wr_clmode)(extra & ~WR_CL_UB);
    if (extra) return refuse_changes(ctx, p, rel, input, extra);
    if (materialize) WR_TRY(put_materialize(ctx, p, rel, &input));
    WR_TRY(fix_updates(ctx, p, &input, &info, materialize));
    wr_pnode *n = wri_phys_node(p, WR_P_SINK, input->schema, &input, 1);
    WR_TRY_ALLOC(ctx, n);
    n->u.sink.sink = rel->u.sink.sink;
    n->u.sink.spec = rel->u.sink.spec;
    n->u.sink.spec.changelog = input->changelog;
    n->u.sink.info = info;
    n->u.sink.drop_update_before = false;
    set_enforcers(p, n);
    WR_TRY(wri_phys_derive(ctx, p, n));
    *out = n;
    return WR_OK;
}

wr_status
wri_phys_collect(wr_ctx *ctx, wri_phys *p, wr_pnode *input, wr_pnode **out)
{
    bool ok = true;
    WR_TRY(wri_changelog_fix(ctx, p, &input, WRI_UPDATES_BOTH, &ok));
    if (!ok)
        return wr_raise(ctx, WR_INTERNAL,
                        "the plan cannot provide the updates that a SELECT shows");
    wr_pnode *n = wri_phys_node(p, WR_P_COLLECT, input->schema, &input, 1);
    WR_TRY_ALLOC(ctx, n);
    WR_TRY(wri_phys_derive(ctx, p, n));
    *out = n;
    return WR_OK;
}
