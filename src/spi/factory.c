/* SPDX-License-Identifier: Apache-2.0 */
/* Finding connectors and formats by name and checking options against their tables. The texts are
 * those of Flink's FactoryUtil. Scratch memory is an arena of the call. */
#include "spi/factory.h"

const wr_option_def wr_table_options[] = {
    {"connector", WR_OPT_STRING, NULL, NULL, 0, "Which connector reads and writes the table."},
    {"property-version", WR_OPT_INT, "1", NULL, 0, "Version of the option names; only 1 exists."},
    {"scan.watermark.alignment.group", WR_OPT_STRING, NULL, NULL, 0,
     "Sources of one group do not run ahead of each other in event time."},
    {"scan.watermark.alignment.max-drift", WR_OPT_DURATION, NULL, NULL, 0,
     "How far ahead of the slowest source of the group one may be."},
    {"scan.watermark.alignment.update-interval", WR_OPT_DURATION, "1 s", NULL, 0,
     "How often the watermarks of the group are compared."},
    {"scan.watermark.emit.strategy", WR_OPT_ENUM, "on-periodic", "on-event|on-periodic", 0,
     "When a watermark is emitted: after each row or periodically."},
    {"scan.watermark.idle-timeout", WR_OPT_DURATION, NULL, NULL, 0,
     "A source without rows for that long holds no watermark back."},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

/* Of materialized tables, whatever their connector; no error lists it, as in Flink. */
static const wr_option_def refresh_options[] = {
    {"partition.fields.#.date-formatter", WR_OPT_STRING, NULL, NULL, 0,
     "Mode FULL: which partition a refresh overwrites, out of its time."},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

typedef WR_LIST(wr_str) name_list;

static void
sort_names(wr_str *names, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        wr_str x = names[i];
        uint32_t k = i;
        for (; k > 0 && wr_str_cmp(x, names[k - 1]) < 0; k--) names[k] = names[k - 1];
        names[k] = x;
    }
}

/* "a\nb\nc" of sorted names, each once. */
static wr_str
join_names(wr_arena *a, wr_str *names, uint32_t count)
{
    wr_text t;
    wr_text_init(&t, a);
    sort_names(names, count);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && wr_str_eq(names[i], names[i - 1])) continue;
        if (i > 0) wr_text_putc(&t, '\n');
        wr_text_put(&t, names[i].ptr, names[i].len);
    }
    return wr_text_str(&t);
}

/* ---- option tables --------------------------------------------------------------------------- */

/* The prefix that the format named by `def` gives its options: "csv.", "key.csv.". */
static wr_str
format_prefix(wr_arena *a, const wr_option_def *def, wr_str format)
{
    wr_str key = wr_str_c(def->key);
    size_t head = key.len >= strlen("format") ? key.len - strlen("format") : 0;
    return wr_arena_printf(a, "%.*s%.*s.", (int)head, key.ptr, WR_STR_ARG(format));
}

typedef struct known { /* what an option key is checked against */
    const wr_option_def *defs;
    uint32_t format_count;
    wr_str prefix[4];
    const wr_format_ops *format[4];
} known;

static wr_status
known_init(wr_ctx *ctx, const wr_options *o, const wr_option_def *defs, wr_arena *a, known *k)
{
    memset(k, 0, sizeof *k);
    k->defs = defs;
    for (const wr_option_def *d = defs; d->key; d++) {
        if (!(d->flags & WR_OPTF_FORMAT) || k->format_count == WR_COUNT(k->format)) continue;
        const wr_option *item = wr_options_find(o, d->key);
        if (!item) continue;
        const wr_format_ops *f;
        WR_TRY(wr_format_find_checked(ctx, item->value, item->span, &f));
        k->format[k->format_count] = f;
        k->prefix[k->format_count] = format_prefix(a, d, item->value);
        WR_TRY_ALLOC(ctx, k->prefix[k->format_count].ptr);
        k->format_count++;
    }
    return WR_OK;
}

/* The definition of a key as written, and the key as the definition knows it. */
static const wr_option_def *
known_find(const known *k, wr_str key)
{
    const wr_option_def *d = wr_option_def_find(k->defs, key);
    if (!d) d = wr_option_def_find(wr_table_options, key);
    if (!d) d = wr_option_def_find(refresh_options, key);
    for (uint32_t i = 0; !d && i < k->format_count; i++)
        if (wr_str_starts(key, k->prefix[i]))
            d = wr_option_def_find(k->format[i]->options, (wr_str){key.ptr + k->prefix[i].len,
                                                                   key.len - k->prefix[i].len});
    return d;
}

static bool
known_list(const known *k, wr_arena *a, name_list *out)
{
    bool ok = true;
    for (const wr_option_def *d = k->defs; ok && d->key; d++)
        ok = wr_list_push(a, out, wr_str_c(d->key));
    for (const wr_option_def *d = wr_table_options; ok && d->key; d++)
        ok = wr_list_push(a, out, wr_str_c(d->key));
    for (uint32_t i = 0; i < k->format_count; i++)
        for (const wr_option_def *d = k->format[i]->options; ok && d && d->key; d++) {
            wr_str key = wr_arena_printf(a, "%.*s%s", WR_STR_ARG(k->prefix[i]), d->key);
            ok = key.ptr && wr_list_push(a, out, key);
        }
    return ok;
}

wr_status
wr_options_unsupported(wr_ctx *ctx, const char *factory, wr_str *bad, uint32_t bad_count,
                       wr_str *good, uint32_t good_count, wr_span span)
{
    wr_arena *a = wr_arena_create(NULL, 4096);
    WR_TRY_ALLOC(ctx, a);
    for (uint32_t i = 0; i < bad_count; i++)
        for (uint32_t g = 0; g < good_count; g++) wr_candidate(ctx, bad[i], good[g]);
    wr_str bads = join_names(a, bad, bad_count), goods = join_names(a, good, good_count);
    wr_status status =
        wr_raise_at(ctx, WR_OPTION, span,
                    "Unsupported options found for '%s'.\n\nUnsupported options:\n\n%.*s\n\n"
                    "Supported options:\n\n%.*s",
                    factory, WR_STR_ARG(bads), WR_STR_ARG(goods));
    wr_arena_destroy(a);
    return status;
}

static wr_status
check_required(wr_ctx *ctx, const wr_options *o, const wr_option_def *defs, wr_arena *a)
{
    name_list missing = {0};
    for (const wr_option_def *d = defs; d->key; d++)
        if ((d->flags & WR_OPTF_REQUIRED) && !wr_options_find(o, d->key) &&
            !wr_list_push(a, &missing, wr_str_c(d->key)))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
    if (missing.count == 0) return WR_OK;
    wr_str names = join_names(a, missing.items, missing.count);
    return wr_raise(ctx, WR_OPTION,
                    "One or more required options are missing.\n\nMissing required options "
                    "are:\n\n%.*s",
                    WR_STR_ARG(names));
}

static bool
has_patterns(const wr_option_def *defs)
{
    for (; defs->key; defs++)
        if (strchr(defs->key, '#')) return true;
    return false;
}

static wr_status
check_keys(wr_ctx *ctx, const char *factory, const wr_options *o, const known *k, wr_arena *a)
{
    name_list bad = {0}, good = {0};
    wr_span span = WR_NO_SPAN;
    if (has_patterns(k->defs)) return WR_OK; /* such a connector knows its keys best */
    for (uint32_t i = 0; i < o->count; i++) {
        if (known_find(k, o->items[i].key)) continue;
        if (bad.count == 0) span = o->items[i].span;
        if (!wr_list_push(a, &bad, o->items[i].key))
            return wr_raise(ctx, WR_NOMEM, "out of memory");
    }
    if (bad.count == 0) return WR_OK;
    if (!known_list(k, a, &good)) return wr_raise(ctx, WR_NOMEM, "out of memory");
    return wr_options_unsupported(ctx, factory, bad.items, bad.count, good.items, good.count, span);
}

static wr_status
check_values(wr_ctx *ctx, const wr_options *o, const known *k, wr_arena *a)
{
    for (uint32_t i = 0; i < o->count; i++) {
        const wr_option *item = &o->items[i];
        const wr_option_def *found = known_find(k, item->key);
        if (!found) continue;
        wr_option_def def = *found;
        def.key = wr_arena_dup(a, item->key.ptr, item->key.len);
        WR_TRY_ALLOC(ctx, def.key);
        wr_option_value v;
        WR_TRY(wr_option_parse(ctx, &def, item->value, item->span, &v));
    }
    return WR_OK;
}

/* A group without a drift, or any of them alone, aligns nothing. */
static wr_status
check_alignment(wr_ctx *ctx, const char *factory, const wr_options *o)
{
    const wr_option *group = wr_options_find(o, "scan.watermark.alignment.group");
    const wr_option *drift = wr_options_find(o, "scan.watermark.alignment.max-drift");
    const wr_option *every = wr_options_find(o, "scan.watermark.alignment.update-interval");
    const wr_option *any = group ? group : drift ? drift : every;
    if (!any || (group && drift)) return WR_OK;
    return wr_raise_at(ctx, WR_OPTION, any->span,
                       "Error configuring watermark for '%s', 'scan.watermark.alignment.group' and "
                       "'scan.watermark.alignment.max-drift' must be set when configuring "
                       "watermark alignment",
                       factory);
}

wr_status
wr_options_validate(wr_ctx *ctx, const char *factory, const wr_options *o,
                    const wr_option_def *defs)
{
    wr_arena *a = wr_arena_create(NULL, 4096);
    WR_TRY_ALLOC(ctx, a);
    known k;
    wr_status status = WR_OK;
    WR_TRY_GOTO(check_required(ctx, o, defs, a), out);
    WR_TRY_GOTO(known_init(ctx, o, defs, a, &k), out);
    WR_TRY_GOTO(check_keys(ctx, factory, o, &k, a), out);
    WR_TRY_GOTO(check_values(ctx, o, &k, a), out);
    WR_TRY_GOTO(check_alignment(ctx, factory, o), out);
out:
    wr_arena_destroy(a);
    return status;
}

wr_status
wr_options_strip(wr_ctx *ctx, const wr_options *options, wr_str prefix, wr_arena *arena,
                 wr_options *out)
{
    out->count = 0;
    out->items = WR_NEW_N(arena, wr_option, options->count ? options->count : 1);
    WR_TRY_ALLOC(ctx, out->items);
    for (uint32_t i = 0; i < options->count; i++) {
        wr_option o = options->items[i];
        if (!wr_str_starts(o.key, prefix) || o.key.len == prefix.len) continue;
        o.key = (wr_str){o.key.ptr + prefix.len, o.key.len - prefix.len};
        out->items[out->count++] = o;
    }
    return WR_OK;
}

wr_status
wr_format_of(wr_ctx *ctx, const wr_options *options, const char *key, wr_arena *arena,
             const wr_format_ops **format, wr_options *format_options)
{
    const wr_option *item = wr_options_find(options, key);
    if (!item)
        return wr_raise(ctx, WR_OPTION,
                        "One or more required options are missing.\n\nMissing required options "
                        "are:\n\n%s",
                        key);
    WR_TRY(wr_format_find_checked(ctx, item->value, item->span, format));
    wr_option_def def = {key, WR_OPT_STRING, NULL, NULL, WR_OPTF_FORMAT, NULL};
    wr_str prefix = format_prefix(arena, &def, item->value);
    WR_TRY_ALLOC(ctx, prefix.ptr);
    return wr_options_strip(ctx, options, prefix, arena, format_options);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Names that Flink knows and weir does not yet: not the same as a misspelt one. */
static const char *const later_formats[] = {"avro", "avro-confluent", "debezium-avro-confluent",
                                            "orc",  "parquet",        "protobuf"};
static const char *const later_connectors[] = {"db2-cdc",
                                               "dynamodb",
                                               "elasticsearch-6",
                                               "elasticsearch-7",
                                               "elasticsearch-8",
                                               "firehose",
                                               "hbase-1.4",
                                               "hbase-2.2",
                                               "hive",
                                               "jdbc",
                                               "kafka",
                                               "kinesis",
                                               "mongodb",
                                               "mongodb-cdc",
                                               "mysql-cdc",
                                               "oceanbase-cdc",
                                               "opensearch",
                                               "oracle-cdc",
                                               "postgres-cdc",
                                               "pulsar",
                                               "savepoint",
                                               "sqlserver-cdc",
                                               "tidb-cdc",
                                               "upsert-kafka",
                                               "vitess-cdc"};

static bool
is_later(const char *const *names, uint32_t count, wr_str name)
{
    for (uint32_t i = 0; i < count; i++)
        if (wr_str_eq_c(name, names[i])) return true;
    return false;
}

wr_status
wr_format_find_checked(wr_ctx *ctx, wr_str name, wr_span span, const wr_format_ops **out)
{
    *out = wr_find_format(name);
    if (*out) return WR_OK;
    if (is_later(later_formats, WR_COUNT(later_formats), name))
        return wr_raise_at(ctx, WR_UNSUPPORTED, span, "not supported yet: format '%.*s'",
                           WR_STR_ARG(name));
    const wr_format_ops *const *all;
    uint32_t count = wr_list_formats(&all);
    for (uint32_t i = 0; i < count; i++) wr_candidate(ctx, name, wr_str_c(all[i]->name));
    return wr_raise_at(ctx, WR_OPTION, span,
                       "Could not find any format factory for identifier '%.*s' in the classpath.",
                       WR_STR_ARG(name));
}

static wr_status
raise_no_connector(wr_ctx *ctx, const wr_option *item)
{
    if (is_later(later_connectors, WR_COUNT(later_connectors), item->value))
        return wr_raise_at(ctx, WR_UNSUPPORTED, item->span, "not supported yet: connector '%.*s'",
                           WR_STR_ARG(item->value));
    wr_arena *a = wr_arena_create(NULL, 4096);
    WR_TRY_ALLOC(ctx, a);
    const wr_source_ops *const *src;
    const wr_sink_ops *const *snk;
    name_list names = {0};
    bool ok = true;
    uint32_t n = wr_list_sources(&src);
    for (uint32_t i = 0; ok && i < n; i++) ok = wr_list_push(a, &names, wr_str_c(src[i]->name));
    n = wr_list_sinks(&snk);
    for (uint32_t i = 0; ok && i < n; i++) ok = wr_list_push(a, &names, wr_str_c(snk[i]->name));
    for (uint32_t i = 0; i < names.count; i++) wr_candidate(ctx, item->value, names.items[i]);
    wr_str list = join_names(a, names.items, names.count);
    wr_status status =
        wr_raise_at(ctx, WR_OPTION, item->span,
                    "Could not find any factory for identifier '%.*s' that implements "
                    "'org.apache.flink.table.factories.DynamicTableFactory' in the classpath.\n\n"
                    "Available factory identifiers are:\n\n%.*s",
                    WR_STR_ARG(item->value), WR_STR_ARG(list));
    wr_arena_destroy(a);
    return status;
}

static wr_status
connector_of(wr_ctx *ctx, const wr_options *options, const wr_option **item)
{
    *item = wr_options_find(options, "connector");
    if (*item) return WR_OK;
    return wr_raise(ctx, WR_OPTION,
                    "Table options do not contain an option key 'connector' for discovering a "
                    "connector.");
}

static void
table_frame(wr_ctx *ctx, const char *what, const wr_table_desc *t)
{
    wr_frame(ctx, "Unable to create a %s table '%.*s.%.*s.%.*s'.", what, WR_STR_ARG(t->id.catalog),
             WR_STR_ARG(t->id.database), WR_STR_ARG(t->id.name));
}

static wr_status
find_source(wr_ctx *ctx, const wr_options *options, const wr_source_ops **out)
{
    const wr_option *item;
    WR_TRY(connector_of(ctx, options, &item));
    *out = wr_find_source(item->value);
    if (!*out && wr_find_sink(item->value))
        return wr_raise_at(
            ctx, WR_OPTION, item->span,
            "Connector '%.*s' can only be used as a sink. It cannot be used as a source.",
            WR_STR_ARG(item->value));
    if (!*out) return raise_no_connector(ctx, item);
    return wr_options_validate(ctx, (*out)->name, options, (*out)->options);
}

static wr_status
find_sink(wr_ctx *ctx, const wr_options *options, const wr_sink_ops **out)
{
    const wr_option *item;
    WR_TRY(connector_of(ctx, options, &item));
    *out = wr_find_sink(item->value);
    if (!*out && wr_find_source(item->value))
        return wr_raise_at(
            ctx, WR_OPTION, item->span,
            "Connector '%.*s' can only be used as a source. It cannot be used as a sink.",
            WR_STR_ARG(item->value));
    if (!*out) return raise_no_connector(ctx, item);
    return wr_options_validate(ctx, (*out)->name, options, (*out)->options);
}

wr_status
wr_source_find_checked(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
                       const wr_source_ops **out)
{
    wr_status status = find_source(ctx, options, out);
    if (status != WR_OK) table_frame(ctx, "source for reading", table);
    return status;
}

wr_status
wr_sink_find_checked(wr_ctx *ctx, const wr_table_desc *table, const wr_options *options,
                     const wr_sink_ops **out)
{
    wr_status status = find_sink(ctx, options, out);
    if (status != WR_OK) table_frame(ctx, "sink for writing", table);
    return status;
}
