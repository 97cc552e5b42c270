/* SPDX-License-Identifier: Apache-2.0 */
/* The formats of change messages as tables: their members, operations and metadata columns. */
#include "format/cdc_int.h"

static const wri_cdc_meta_def debezium_metadata[] = {
    {"schema", "schema", NULL, WRI_CDC_STRING},
    {"ingestion-timestamp", "ts_ms", NULL, WRI_CDC_TIME3},
    {"source.timestamp", "source", "ts_ms", WRI_CDC_TIME3},
    {"source.database", "source", "db", WRI_CDC_STRING},
    {"source.schema", "source", "schema", WRI_CDC_STRING},
    {"source.table", "source", "table", WRI_CDC_STRING},
    {"source.properties", "source", NULL, WRI_CDC_STRING_MAP},
    {NULL, NULL, NULL, WRI_CDC_STRING}};

const wri_cdc_format wri_cdc_debezium = {
    .title = "Debezium",
    .shape = WRI_CDC_PAIR,
    .first = "before",
    .second = "after",
    .op = "op",
    .inserts = {"c", "r"},
    .update = "u",
    .remove = "d",
    .others = {"source", "ts_ms", "transaction", "ts_us", "ts_ns", "schema"},
    .metadata = debezium_metadata,
};

static const wri_cdc_meta_def canal_metadata[] = {
    {"database", "database", NULL, WRI_CDC_STRING},
    {"table", "table", NULL, WRI_CDC_STRING},
    {"sql-type", "sqlType", NULL, WRI_CDC_INT_MAP},
    {"pk-names", "pkNames", NULL, WRI_CDC_STRINGS},
    {"ingestion-timestamp", "ts", NULL, WRI_CDC_TIME3},
    {"event-timestamp", "es", NULL, WRI_CDC_TIME3},
    {NULL, NULL, NULL, WRI_CDC_STRING}};

const wri_cdc_format wri_cdc_canal = {
    .title = "Canal",
    .shape = WRI_CDC_ARRAYS,
    .first = "data",
    .second = "old",
    .op = "type",
    .inserts = {"INSERT"},
    .update = "UPDATE",
    .remove = "DELETE",
    .ignored = "CREATE",
    .others = {"database", "es", "id", "isDdl", "mysqlType", "pkNames", "sql", "sqlType", "table",
               "ts", "gtid"},
    .metadata = canal_metadata,
};

static const wri_cdc_meta_def maxwell_metadata[] = {
    {"database", "database", NULL, WRI_CDC_STRING},
    {"table", "table", NULL, WRI_CDC_STRING},
    {"primary-key-columns", "primary_key_columns", NULL, WRI_CDC_STRINGS},
    {"ingestion-timestamp", "ts", NULL, WRI_CDC_TIME3},
    {NULL, NULL, NULL, WRI_CDC_STRING}};

const wri_cdc_format wri_cdc_maxwell = {
    .title = "Maxwell",
    .shape = WRI_CDC_ROW,
    .first = "data",
    .second = "old",
    .op = "type",
    .inserts = {"insert"},
    .update = "update",
    .remove = "delete",
    .others = {"database", "table", "ts", "xid", "commit", "xoffset", "position", "gtid",
               "server_id", "thread_id", "primary_key", "primary_key_columns"},
    .metadata = maxwell_metadata,
};

static const wri_cdc_meta_def ogg_metadata[] = {
    {"table", "table", NULL, WRI_CDC_STRING},
    {"primary-keys", "primary_keys", NULL, WRI_CDC_STRINGS},
    {"ingestion-timestamp", "current_ts", NULL, WRI_CDC_TIME6},
    {"event-timestamp", "op_ts", NULL, WRI_CDC_TIME6},
    {NULL, NULL, NULL, WRI_CDC_STRING}};

const wri_cdc_format wri_cdc_ogg = {
    .title = "Ogg",
    .shape = WRI_CDC_PAIR,
    .first = "before",
    .second = "after",
    .op = "op_type",
    .inserts = {"I"},
    .update = "U",
    .remove = "D",
    .others = {"table", "op_ts", "current_ts", "pos", "primary_keys", "tokens"},
    .metadata = ogg_metadata,
};

/* The type a metadata column has, or (`raw`) the one its JSON value is read as. */
static const wr_type *
meta_type(const wri_cdc_meta_def *d, bool raw, wr_arena *a)
{
    switch (d->type) {
    case WRI_CDC_STRING:
        return wr_type_string(true);
    case WRI_CDC_TIME3:
        return raw ? wr_type_of(WR_T_BIGINT, true) : wr_type_time(a, WR_T_TIMESTAMP_LTZ, 3, true);
    case WRI_CDC_TIME6:
        return wr_type_time(a, WR_T_TIMESTAMP_LTZ, 6, true);
    case WRI_CDC_STRINGS:
        return wr_type_array(a, wr_type_string(true), true);
    case WRI_CDC_INT_MAP:
        return wr_type_map(a, wr_type_string(true), wr_type_of(WR_T_INT, true), true);
    case WRI_CDC_STRING_MAP:
        return wr_type_map(a, wr_type_string(true), wr_type_string(true), true);
    }
    return NULL;
}

wr_status
wri_cdc_metadata(wr_ctx *ctx, const wri_cdc_format *f, wr_arena *a, const wr_metadata_col **out)
{
    uint32_t n = 0;
    while (f->metadata[n].key) n++;
    wr_metadata_col *cols = WR_NEW_N(a, wr_metadata_col, n + 1);
    WR_TRY_ALLOC(ctx, cols);
    for (uint32_t i = 0; i < n; i++) {
        cols[i] =
            (wr_metadata_col){f->metadata[i].key, meta_type(&f->metadata[i], false, a), false};
        WR_TRY_ALLOC(ctx, cols[i].type);
    }
    *out = cols;
    return WR_OK;
}

static wr_status
open_meta(wr_ctx *ctx, const wri_cdc_meta_def *d, wr_arena *a, int32_t column, wri_cdc *c,
          wri_cdc_meta *m)
{
    const wr_type *t = meta_type(d, true, a);
    WR_TRY_ALLOC(ctx, t);
    wr_field field = {wr_str_c(d->sub ? d->sub : d->member), t, WR_STR("")};
    const wr_type *holder = wr_type_row(a, &field, 1, true);
    WR_TRY_ALLOC(ctx, holder);
    if (!wri_json_node_init(&m->node, field.name, t, a) ||
        !wri_json_node_init(&m->holder, WR_STR(""), holder, a))
        return wr_raise(ctx, WR_NOMEM, "out of memory");
    m->node.out = column;
    m->sub = d->sub != NULL;
    m->member = 0;
    while (m->member < c->envelope.kid_count &&
           !wr_str_eq_c(c->envelope.kids[m->member].name, d->member))
        m->member++;
    return WR_OK;
}

wr_status
wri_cdc_metas_open(wr_ctx *ctx, const wr_decode_spec *spec, wri_cdc *c)
{
    c->metas = WR_NEW_N(spec->arena, wri_cdc_meta, spec->metadata_count + 1);
    WR_TRY_ALLOC(ctx, c->metas);
    for (uint32_t i = 0; i < spec->metadata_count; i++)
        for (const wri_cdc_meta_def *d = c->format->metadata; d->key; d++)
            if (strcmp(d->key, spec->metadata[i]) == 0)
                WR_TRY(open_meta(ctx, d, spec->arena, spec->metadata_out[i], c,
                                 &c->metas[c->meta_count++]));
    return WR_OK;
}
