/* SPDX-License-Identifier: Apache-2.0 */
/* Options: values as Flink's ConfigurationUtils, TimeUtils and MemorySize read them, definitions
 * with
 * '#', secrets, the session's configuration; factories: the texts of FactoryUtil. */
#include "spi/factory.h"
#include "unit/check.h"

static int64_t
duration(const char *text)
{
    wr_ctx ctx;
    int64_t ms = -1;
    wr_ctx_init(&ctx);
    return wr_duration_parse(&ctx, wr_str_c(text), &ms) == WR_OK ? ms : -1;
}

static int64_t
memory(const char *text)
{
    wr_ctx ctx;
    int64_t bytes = -1;
    wr_ctx_init(&ctx);
    return wr_memory_parse(&ctx, wr_str_c(text), &bytes) == WR_OK ? bytes : -1;
}

TEST(durations)
{
    CHECK_EQ_INT(duration("5"), 5);
    CHECK_EQ_INT(duration(" 5 ms "), 5);
    CHECK_EQ_INT(duration("5 s"), 5000);
    CHECK_EQ_INT(duration("2secs"), 2000);
    CHECK_EQ_INT(duration("1 MIN"), 60000);
    CHECK_EQ_INT(duration("3m"), 180000);
    CHECK_EQ_INT(duration("1 h"), 3600000);
    CHECK_EQ_INT(duration("2 days"), 172800000);
    CHECK_EQ_INT(duration("1500 micros"), 1);
    CHECK_EQ_INT(duration("2000000ns"), 2);
    CHECK_EQ_INT(duration("7\xc2\xb5s"), 0);
    CHECK_EQ_INT(duration("5 foo"), -1);
    CHECK_EQ_INT(duration("ms"), -1);
    CHECK_EQ_INT(duration(""), -1);
    CHECK_EQ_INT(duration("-5 s"), -1);
    CHECK_EQ_INT(duration("99999999999999999999"), -1);
    CHECK_EQ_INT(duration("9223372036854775807 d"), -1);
}

TEST(memory_sizes)
{
    CHECK_EQ_INT(memory("5"), 5);
    CHECK_EQ_INT(memory("5b"), 5);
    CHECK_EQ_INT(memory("32 kb"), 32768);
    CHECK_EQ_INT(memory("1m"), 1 << 20);
    CHECK_EQ_INT(memory("2 Gibibytes"), 2ll << 30);
    CHECK_EQ_INT(memory("1 tb"), 1ll << 40);
    CHECK_EQ_INT(memory("1 eb"), -1);
    CHECK_EQ_INT(memory("kb"), -1);
}

static const wr_option_def defs[] = {
    {"flag", WR_OPT_BOOL, "false", NULL, 0, ""},
    {"n", WR_OPT_INT, "7", NULL, 0, ""},
    {"l", WR_OPT_LONG, NULL, NULL, 0, ""},
    {"d", WR_OPT_DOUBLE, "1.5", NULL, 0, ""},
    {"mode", WR_OPT_ENUM, "on-event", "on-event|ON_TIME|Never", 0, ""},
    {"pause", WR_OPT_DURATION, "1 s", NULL, 0, ""},
    {"size", WR_OPT_MEMORY, "1 kb", NULL, 0, ""},
    {"password", WR_OPT_INT, NULL, NULL, WR_OPTF_SECRET, ""},
    {"fields.#.kind", WR_OPT_STRING, "random", NULL, 0, ""},
    {"must", WR_OPT_STRING, NULL, NULL, WR_OPTF_REQUIRED, ""},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

/* The value, or the message. */
static const char *
value(const char *key, const char *text, int64_t *i, double *f)
{
    static wr_ctx ctx;
    wr_option_value v;
    wr_option item = {wr_str_c(key), wr_str_c(text), WR_NO_SPAN};
    wr_options o = {&item, 1};
    wr_ctx_init(&ctx);
    if (wr_options_get(&ctx, &o, defs, key, &v) != WR_OK) return ctx.err.message;
    if (i) *i = v.i;
    if (f) *f = v.f;
    return "";
}

TEST(values_by_type)
{
    int64_t i;
    double f;
    CHECK_EQ_STR(value("flag", "TRUE", &i, NULL), "");
    CHECK_EQ_INT(i, 1);
    CHECK_EQ_STR(value("flag", "maybe", &i, NULL), "Could not parse value 'maybe' for key 'flag'.");
    CHECK_EQ_STR(value("n", "-12", &i, NULL), "");
    CHECK_EQ_INT(i, -12);
    CHECK_EQ_STR(value("n", "2147483648", &i, NULL),
                 "Could not parse value '2147483648' for key 'n'.");
    CHECK_EQ_STR(value("l", "2147483648", &i, NULL), "");
    CHECK_EQ_INT(i, 2147483648);
    CHECK_EQ_STR(value("d", "2.5e3", NULL, &f), "");
    CHECK_EQ_DOUBLE(f, 2500);
    CHECK_EQ_STR(value("d", "x", NULL, &f), "Could not parse value 'x' for key 'd'.");
    CHECK_EQ_STR(value("mode", "ON_EVENT", &i, NULL), "");
    CHECK_EQ_INT(i, 0);
    CHECK_EQ_STR(value("mode", "on-time", &i, NULL), "");
    CHECK_EQ_INT(i, 1);
    CHECK_EQ_STR(value("mode", "never", &i, NULL), "");
    CHECK_EQ_INT(i, 2);
    CHECK_EQ_STR(value("mode", "soon", &i, NULL), "Could not parse value 'soon' for key 'mode'.");
    CHECK_EQ_STR(value("password", "hunter2", &i, NULL),
                 "Could not parse value '******' for key 'password'.");
}

TEST(definitions_with_names)
{
    CHECK(wr_option_def_find(defs, WR_STR("fields.a.kind")) == &defs[8]);
    CHECK(wr_option_def_find(defs, WR_STR("fields.a.b.kind")) == &defs[8]);
    CHECK(wr_option_def_find(defs, WR_STR("fields..kind")) == NULL);
    CHECK(wr_option_def_find(defs, WR_STR("fields.kind")) == NULL);
    CHECK(wr_option_def_find(defs, WR_STR("nope")) == NULL);
}

TEST(secrets)
{
    CHECK(wr_option_is_secret(WR_STR("password")));
    CHECK(wr_option_is_secret(WR_STR("my.Secret.key")));
    CHECK(wr_option_is_secret(WR_STR("s3.access-token")));
    CHECK(wr_option_is_secret(WR_STR("properties.sasl.jaas.config")));
    CHECK(!wr_option_is_secret(WR_STR("path")));
}

TEST(configuration)
{
    wr_option items[] = {{WR_STR("n"), WR_STR("9"), WR_NO_SPAN},
                         {WR_STR("unknown"), WR_STR("text"), WR_NO_SPAN}};
    wr_options set = {items, 2};
    wr_config c = {&set, defs};
    CHECK_EQ_INT(wr_config_int(&c, "n"), 9);
    CHECK_EQ_INT(wr_config_int(&c, "pause"), 1000);
    CHECK_EQ_INT(wr_config_int(&c, "size"), 1024);
    CHECK(!wr_config_bool(&c, "flag"));
    CHECK_EQ_WRSTR(wr_config_str(&c, "unknown"), "text");
    CHECK(wr_config_str(&c, "l").ptr == NULL);
}

/* ---- factories ------------------------------------------------------------------------------- */

static wr_format_ops fake_format = {.name = "csv", .options = NULL};
static wr_source_ops fake_source = {.name = "datagen"};
static wr_sink_ops fake_sink = {.name = "print"};
static const wr_option_def format_defs[] = {{"quote", WR_OPT_BOOL, NULL, NULL, 0, ""},
                                            {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};
static const wr_option_def file_defs[] = {
    {"path", WR_OPT_STRING, NULL, NULL, WR_OPTF_REQUIRED, ""},
    {"format", WR_OPT_STRING, NULL, NULL, WR_OPTF_REQUIRED | WR_OPTF_FORMAT, ""},
    {"interval", WR_OPT_DURATION, NULL, NULL, 0, ""},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

static wr_ctx ctx;

static const char *
validate(const char *const *kv)
{
    wr_option items[16];
    wr_options o = {items, 0};
    fake_format.options = format_defs;
    fake_source.options = file_defs;
    fake_sink.options = file_defs;
    CHECK(wr_register_format(&fake_format) && wr_register_source(&fake_source) &&
          wr_register_sink(&fake_sink));
    for (; kv[0]; kv += 2) items[o.count++] = (wr_option){wr_str_c(kv[0]), wr_str_c(kv[1]), {3, 7}};
    wr_table_desc t = {.id = {WR_STR("c"), WR_STR("d"), WR_STR("t")}, .options = o};
    const wr_source_ops *src;
    wr_ctx_init(&ctx);
    return wr_source_find_checked(&ctx, &t, &o, &src) == WR_OK ? "ok" : ctx.err.message;
}
#define VALIDATE(...) validate((const char *const[]){__VA_ARGS__, NULL})

TEST(options_of_a_table)
{
    CHECK_EQ_STR(VALIDATE("connector", "datagen", "path", "x", "format", "csv", "csv.quote", "true",
                          "scan.watermark.idle-timeout", "1 s"),
                 "ok");
    CHECK_EQ_STR(VALIDATE("connector", "datagen"),
                 "One or more required options are missing.\n\nMissing required options "
                 "are:\n\nformat\npath");
    CHECK_EQ_STR(ctx.err.frame[0], "Unable to create a source for reading table 'c.d.t'.");
    CHECK_EQ_STR(VALIDATE("connector", "datagen", "path", "x", "format", "cvs"),
                 "Could not find any format factory for identifier 'cvs' in the classpath.");
    CHECK_EQ_STR(VALIDATE("connector", "datagen", "path", "x", "format", "avro"),
                 "not supported yet: format 'avro'");
    CHECK_EQ_STR(VALIDATE("connector", "kafka"), "not supported yet: connector 'kafka'");
    CHECK_EQ_STR(VALIDATE("connector", "datagen", "path", "x", "format", "csv", "intervall", "1",
                          "csv.qote", "true"),
                 "Unsupported options found for 'datagen'.\n\nUnsupported options:\n\ncsv.qote\n"
                 "intervall\n\nSupported options:\n\nconnector\ncsv.quote\nformat\ninterval\npath\n"
                 "property-version\nscan.watermark.alignment.group\n"
                 "scan.watermark.alignment.max-drift\nscan.watermark.alignment.update-interval\n"
                 "scan.watermark.emit.strategy\nscan.watermark.idle-timeout");
    CHECK(strstr(ctx.err.candidates, "interval") != NULL);
    CHECK_EQ_UINT(ctx.err.span.start, 3);
    CHECK_EQ_STR(VALIDATE("connector", "datagen", "path", "x", "format", "csv", "csv.quote", "no"),
                 "Could not parse value 'no' for key 'csv.quote'.");
    CHECK_EQ_STR(VALIDATE("connector", "datagen", "path", "x", "format", "csv", "interval", "5 x"),
                 "Could not parse value '5 x' for key 'interval'.");
}

TEST(names_of_connectors)
{
    CHECK_EQ_STR(VALIDATE("path", "x"), "Table options do not contain an option key 'connector' "
                                        "for discovering a connector.");
    CHECK_EQ_STR(VALIDATE("connector", "print"),
                 "Connector 'print' can only be used as a sink. It cannot be used as a source.");
    CHECK_EQ_STR(VALIDATE("connector", "datagn"),
                 "Could not find any factory for identifier 'datagn' that implements "
                 "'org.apache.flink.table.factories.DynamicTableFactory' in the classpath.\n\n"
                 "Available factory identifiers are:\n\ndatagen\nprint");
    CHECK_EQ_STR(ctx.err.candidates, "datagen");
    wr_option item = {WR_STR("connector"), WR_STR("datagen"), WR_NO_SPAN};
    wr_options o = {&item, 1};
    wr_table_desc t = {.id = {WR_STR("c"), WR_STR("d"), WR_STR("t")}, .options = o};
    const wr_sink_ops *sink;
    wr_ctx_init(&ctx);
    wr_source_ops alone = {.name = "alone", .options = file_defs};
    CHECK(wr_register_source(&alone));
    item.value = WR_STR("alone");
    CHECK(wr_sink_find_checked(&ctx, &t, &o, &sink) == WR_OPTION);
    CHECK_EQ_STR(ctx.err.message,
                 "Connector 'alone' can only be used as a source. It cannot be used as a sink.");
}

TEST(shared_objects)
{
    int *a = wr_shared_enter("test", sizeof *a);
    CHECK_FATAL(a != NULL);
    CHECK_EQ_INT(*a, 0);
    *a = 42;
    wr_shared_leave();
    int *b = wr_shared_enter("test", sizeof *b);
    CHECK(a == b);
    CHECK_EQ_INT(*b, 42);
    wr_shared_leave();
}

CHECK_MAIN()
