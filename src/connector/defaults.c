/* SPDX-License-Identifier: Apache-2.0 */
/* What connectors have in common: methods that do nothing, options, formats, and the registration
 * of the room. */
#include "connector/connector_int.h"

void
wri_committed_nothing(wr_reader *r, uint64_t checkpoint_id)
{
    (void)r;
    (void)checkpoint_id;
}

wr_status
wri_no_more_nothing(wr_ctx *ctx, wr_reader *r)
{
    (void)ctx;
    (void)r;
    return WR_OK;
}

wr_status
wri_discover_single(wr_ctx *ctx, const wr_source_spec *spec, uint32_t parallelism, wr_arena *arena,
                    wr_str **splits_out, uint32_t *count_out, int64_t *recheck_ms)
{
    (void)spec;
    (void)parallelism;
    *splits_out = WR_NEW(arena, wr_str);
    WR_TRY_ALLOC(ctx, *splits_out);
    **splits_out = WR_STR("");
    *count_out = 1;
    *recheck_ms = 0;
    return WR_OK;
}

wr_status
wri_filters_apply(wr_ctx *ctx, const wr_source_spec *spec, wr_batch *fill)
{
    for (uint32_t i = 0; i < spec->filter_count; i++) {
        const wr_pushed_filter *f = &spec->filters[i];
        wr_vec literal, cond;
        uint32_t live = wr_batch_live(fill);
        uint32_t *sel = wr_arena_alloc(fill->arena, sizeof *sel * WR_MAX(fill->row_count, 1u));
        if (!sel || !wr_vec_init_const(&literal, &f->value, fill->arena) ||
            !wr_vec_init_flat(&cond, wr_type_of(WR_T_BOOLEAN, true), WR_MAX(fill->row_count, 1u),
                              fill->arena))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
        WR_TRY(wr_kernel_compare(ctx, f->op, &fill->cols[f->col], &literal, fill->sel, live, &cond,
                                 fill->arena));
        fill->sel_count = wr_kernel_select(&cond, fill->sel, live, sel);
        fill->sel = sel;
    }
    return WR_OK;
}

wr_status
wri_sink_watermark_nothing(wr_ctx *ctx, wr_writer *w, int64_t watermark)
{
    (void)ctx;
    (void)w;
    (void)watermark;
    return WR_OK;
}

wr_status
wri_sink_tick_nothing(wr_ctx *ctx, wr_writer *w, int64_t now_ms, int64_t *next_ms)
{
    (void)ctx;
    (void)w;
    (void)now_ms;
    *next_ms = 0;
    return WR_OK;
}

wr_status
wri_sink_flush_nothing(wr_ctx *ctx, wr_writer *w)
{
    (void)ctx;
    (void)w;
    return WR_OK;
}

wr_status
wri_sink_prepare_nothing(wr_ctx *ctx, wr_writer *w, uint64_t checkpoint_id, wr_arena *a,
                         wr_str *committable)
{
    (void)ctx;
    (void)w;
    (void)checkpoint_id;
    (void)a;
    *committable = WR_STR("");
    return WR_OK;
}

wr_status
wri_sink_snapshot_nothing(wr_ctx *ctx, wr_writer *w, uint64_t checkpoint_id, wr_opstate *out)
{
    (void)ctx;
    (void)w;
    (void)checkpoint_id;
    (void)out;
    return WR_OK;
}

wr_status
wri_sink_restore_nothing(wr_ctx *ctx, wr_writer *w, const wr_opstate *in)
{
    (void)ctx;
    (void)w;
    (void)in;
    return WR_OK;
}

wr_status
wri_sink_commit_nothing(wr_ctx *ctx, const wr_sink_spec *spec, const wr_commit *c)
{
    (void)ctx;
    (void)spec;
    (void)c;
    return WR_OK;
}

wr_status
wri_sink_finish_nothing(wr_ctx *ctx, wr_writer *w)
{
    (void)ctx;
    (void)w;
    return WR_OK;
}

/* ---- options --------------------------------------------------------------------------------- */

wr_status
wri_option_int(wr_ctx *ctx, const wr_options *o, const wr_option_def *defs, const char *key,
               int64_t *out)
{
    wr_option_value v;
    WR_TRY(wr_options_get(ctx, o, defs, key, &v));
    *out = v.set ? v.i : 0;
    return WR_OK;
}

wr_status
wri_option_bool(wr_ctx *ctx, const wr_options *o, const wr_option_def *defs, const char *key,
                bool *out)
{
    int64_t i;
    WR_TRY(wri_option_int(ctx, o, defs, key, &i));
    *out = i != 0;
    return WR_OK;
}

wr_status
wri_option_str(wr_ctx *ctx, const wr_options *o, const wr_option_def *defs, const char *key,
               wr_str *out)
{
    wr_option_value v;
    WR_TRY(wr_options_get(ctx, o, defs, key, &v));
    *out = v.set ? v.text : (wr_str){NULL, 0};
    return WR_OK;
}

wr_status
wri_option_parallelism(wr_ctx *ctx, const wr_table_desc *table, const wr_options *o,
                       const wr_option_def *defs, const char *key, uint32_t *out)
{
    wr_option_value v;
    *out = 0;
    WR_TRY(wr_options_get(ctx, o, defs, key, &v));
    if (!v.set) return WR_OK;
    if (v.i < 1)
        return wr_raise_at(ctx, WR_OPTION, wr_options_find(o, key)->span,
                           "Invalid configured parallelism %lld for table '%.*s.%.*s.%.*s'.",
                           (long long)v.i, WR_STR_ARG(table->id.catalog),
                           WR_STR_ARG(table->id.database), WR_STR_ARG(table->id.name));
    if (v.i > (int64_t)WR_PARALLELISM_MAX)
        return wr_raise_at(ctx, WR_OPTION, wr_options_find(o, key)->span,
                           "option '%s' must be between 1 and %u, but was %lld", key,
                           WR_PARALLELISM_MAX, (long long)v.i);
    *out = (uint32_t)v.i;
    return WR_OK;
}

/* ---- formats --------------------------------------------------------------------------------- */

static bool
in_list(wr_str name, const wr_str *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (wr_str_eq(name, list[i])) return true;
    return false;
}

wr_status
wri_format_schema(wr_ctx *ctx, const wr_table_desc *table, const wr_str *but, uint32_t but_count,
                  wr_arena *a, wr_schema *out)
{
    uint32_t n = table->column_count;
    wr_field *fields = WR_NEW_N(a, wr_field, n ? n : 1);
    WR_TRY_ALLOC(ctx, fields);
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        const wr_column *c = &table->columns[i];
        if (c->kind != WR_COL_PHYSICAL || in_list(c->name, but, but_count)) continue;
        fields[count++] = (wr_field){c->name, c->type, c->comment};
    }
    *out = (wr_schema){fields, count};
    return WR_OK;
}

wr_status
wri_format_check(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options, bool encode,
                 wr_arena *a, const wr_format_ops **out)
{
    wr_options format_options;
    wr_schema schema;
    WR_TRY(wr_format_of(ctx, options, "format", a, out, &format_options));
    WR_TRY(wri_format_schema(ctx, table, table->partition_keys, table->partition_key_count, a,
                             &schema));
    if (encode && !(*out)->can_encode)
        return wr_raise(ctx, WR_UNSUPPORTED, "format '%s' cannot be written", (*out)->name);
    return (*out)->validate(ctx, &schema, &format_options, encode);
}

wr_status
wri_decoder_open(wr_ctx *ctx, const wr_source_spec *spec, const wr_source_env *env,
                 wr_str source_name, const wr_format_ops **format, wr_decoder **out)
{
    const wr_table_desc *t = spec->table;
    wr_decode_spec d = {.source_name = source_name, .eval = env->eval, .arena = env->arena};
    WR_TRY(wr_format_of(ctx, &spec->options, "format", env->arena, format, &d.options));
    WR_TRY(wri_format_schema(ctx, t, t->partition_keys, t->partition_key_count, env->arena,
                             &d.schema));
    int32_t *map = WR_NEW_N(env->arena, int32_t, d.schema.count ? d.schema.count : 1);
    WR_TRY_ALLOC(ctx, map);
    uint32_t physical = 0, field = 0;
    for (uint32_t i = 0; i < t->column_count; i++) {
        if (t->columns[i].kind != WR_COL_PHYSICAL) continue;
        bool partition = in_list(t->columns[i].name, t->partition_keys, t->partition_key_count);
        if (!partition) {
            map[field] = -1;
            for (uint32_t c = 0; c < spec->columns.count; c++)
                if (spec->physical[c] == (int32_t)physical) map[field] = (int32_t)c;
            field++;
        }
        physical++;
    }
    d.out = map;
    const char **keys = WR_NEW_N(env->arena, const char *, spec->columns.count + 1);
    int32_t *outs = WR_NEW_N(env->arena, int32_t, spec->columns.count + 1);
    if (!keys || !outs) return wr_raise(ctx, WR_NOMEM, "out of memory");
    for (uint32_t c = 0; spec->metadata && c < spec->columns.count; c++) {
        if (!spec->metadata[c]) continue; /* keys of the connector's own are not the format's */
        keys[d.metadata_count] = spec->metadata[c];
        outs[d.metadata_count++] = (int32_t)c;
    }
    d.metadata = keys;
    d.metadata_out = outs;
    return (*format)->decoder_open(ctx, &d, out);
}

/* ---- the room -------------------------------------------------------------------------------- */

bool
wr_connectors_register(void)
{
    static const wr_source_ops *const sources[] = {
        &wri_script_source,       &wri_stdin_source,
        &wri_socket_source,       &wri_datagen_source,
        &wri_nexmark_source,      &wri_filesystem_source,
        &wri_savepoint_source,    &wri_savepoint_metadata_source,
        &wri_materialized_source, &wri_lookup_source,
    };
    static const wr_sink_ops *const sinks[] = {
        &wri_print_sink,      &wri_blackhole_sink, &wri_record_sink,       &wri_stdout_sink,
        &wri_filesystem_sink, &wri_savepoint_sink, &wri_materialized_sink,
    };
    for (uint32_t i = 0; i < WR_COUNT(sources); i++)
        if (!wr_register_source(sources[i])) return false;
    for (uint32_t i = 0; i < WR_COUNT(sinks); i++)
        if (!wr_register_sink(sinks[i])) return false;
    return true;
}
