/* SPDX-License-Identifier: Apache-2.0 */
/* Every option of Flink's datagen, filesystem, print, csv, json and raw is there with Flink's type
 * and default (tests/data/flink/flink-options.tsv), and none that Flink has not, but for those
 * listed. links: format fs */
#include "unit/table_rig.h"

/* Options that only weir has. */
static const char *const own[] = {"scan.watermark.per-split",
                                  "csv.header",
                                  "lookup.cache",
                                  "lookup.full-cache.reload-strategy",
                                  "lookup.full-cache.periodic-reload.interval",
                                  "lookup.full-cache.periodic-reload.schedule-mode",
                                  "lookup.full-cache.timed-reload.iso-time",
                                  "lookup.full-cache.timed-reload.interval-in-days"};

typedef struct factory {
    const char *group, *prefix;
    const wr_option_def *defs;
    uint32_t found;
} factory;

static const char *
type_name(wr_option_type t)
{
    switch (t) {
    case WR_OPT_STRING:
        return "String";
    case WR_OPT_BOOL:
        return "Boolean";
    case WR_OPT_INT:
        return "Integer";
    case WR_OPT_LONG:
        return "Long";
    case WR_OPT_FLOAT:
        return "Float";
    case WR_OPT_DOUBLE:
        return "Double";
    case WR_OPT_DURATION:
        return "Duration";
    case WR_OPT_MEMORY:
        return "MemorySize";
    case WR_OPT_ENUM:
        return "Enum";
    case WR_OPT_LIST:
        return "List<String>";
    case WR_OPT_MAP:
        return "Map";
    }
    return "?";
}

static void
check_option(factory *f, const char *key, const char *type, const char *def)
{
    if (strncmp(key, f->prefix, strlen(f->prefix)) != 0) return;
    const char *name = key + strlen(f->prefix);
    const wr_option_def *d = f->defs;
    while (d->key && strcmp(d->key, name) != 0) d++;
    CHECK_MSG(d->key, "%s: %s is missing", f->group, key);
    if (!d->key) return;
    f->found++;
    CHECK_MSG(strncmp(type, type_name(d->type), strlen(type_name(d->type))) == 0,
              "%s is %s, Flink says %s", key, type_name(d->type), type);
    if (d->type == WR_OPT_ENUM) CHECK_EQ_STR(strchr(type, ' ') + 1, d->values);
    CHECK_EQ_STR(d->def ? d->def : "(none)", def);
}

static char *
cut(char **p)
{
    char *from = *p, *tab = strchr(from, '\t');
    if (tab) *tab = '\0';
    *p = tab ? tab + 1 : from + strlen(from);
    return from;
}

TEST(options_are_flinks)
{
    rig r;
    rig_init(&r);
    factory all[] = {
        {"connector datagen", "", wr_find_source(WR_STR("datagen"))->options, 0},
        {"connector filesystem", "", wr_find_source(WR_STR("filesystem"))->options, 0},
        {"connector print", "", wr_find_sink(WR_STR("print"))->options, 0},
        {"format csv", "csv.", wr_format_csv.options, 0},
        {"format json", "json.", wr_format_json.options, 0},
        {"format raw", "raw.", wr_format_raw.options, 0},
    };
    FILE *f = fopen("tests/data/flink/flink-options.tsv", "rb");
    char line[1024];
    CHECK_FATAL(f != NULL);
    while (fgets(line, sizeof line, f)) {
        char *p = line;
        line[strcspn(line, "\n")] = '\0';
        char *key = cut(&p), *type = cut(&p), *def = cut(&p);
        (void)cut(&p);
        char *group = cut(&p);
        /* A constant of Flink's that its factory refuses: "Unsupported options found" */
        if (strcmp(key, "compaction.parallelism") == 0) continue;
        for (uint32_t i = 0; i < WR_COUNT(all); i++)
            if (strcmp(group, all[i].group) == 0) check_option(&all[i], key, type, def);
    }
    (void)fclose(f);
    for (uint32_t i = 0; i < WR_COUNT(all); i++) {
        uint32_t count = 0;
        for (const wr_option_def *d = all[i].defs; d->key; d++) {
            bool ours = strcmp(d->key, "format") == 0 || strcmp(d->key, "sink.parallelism") == 0;
            wr_str full = wr_arena_printf(r.arena, "%s%s", all[i].prefix, d->key);
            for (uint32_t k = 0; k < WR_COUNT(own); k++) ours = ours || wr_str_eq_c(full, own[k]);
            count += !ours;
            CHECK_MSG(d->doc && d->doc[0], "%s has no description", full.ptr);
        }
        uint32_t parallelism =
            i == 1; /* filesystem's is in its group, print's with the factories */
        CHECK_MSG(count + parallelism == all[i].found, "%s: %u options, Flink has %u", all[i].group,
                  count + parallelism, all[i].found);
    }
    rig_deinit(&r);
}

/* Each table parses its own defaults, and no key occurs twice. */
TEST(tables_are_sound)
{
    rig r;
    rig_init(&r);
    const wr_source_ops *const *sources;
    const wr_sink_ops *const *sinks;
    const wr_option_def *tables[64];
    uint32_t n = 0, count = wr_list_sources(&sources);
    for (uint32_t i = 0; i < count; i++) tables[n++] = sources[i]->options;
    count = wr_list_sinks(&sinks);
    for (uint32_t i = 0; i < count; i++) tables[n++] = sinks[i]->options;
    tables[n++] = wr_format_csv.options;
    tables[n++] = wr_format_json.options;
    tables[n++] = wr_format_raw.options;
    for (uint32_t t = 0; t < n; t++)
        for (const wr_option_def *d = tables[t]; d->key; d++) {
            wr_option_value v;
            for (const wr_option_def *e = tables[t]; e < d; e++) CHECK(strcmp(e->key, d->key) != 0);
            if (d->def)
                CHECK_OK(&r.ctx, wr_option_parse(&r.ctx, d, wr_str_c(d->def), WR_NO_SPAN, &v));
            CHECK((d->type == WR_OPT_ENUM) == (d->values != NULL));
        }
    rig_deinit(&r);
}

/* No method is missing, every vtable has its version. */
TEST(vtables_are_whole)
{
    rig r;
    rig_init(&r);
    const wr_source_ops *const *s;
    const wr_sink_ops *const *k;
    const wr_format_ops *const *f;
    uint32_t n = wr_list_sources(&s);
    for (uint32_t i = 0; i < n; i++)
        CHECK_MSG(s[i]->abi == WR_ABI && s[i]->options && s[i]->describe && s[i]->discover &&
                      s[i]->open && s[i]->add_split && s[i]->no_more_splits && s[i]->poll &&
                      s[i]->snapshot && s[i]->committed && s[i]->close,
                  "source %s", s[i]->name);
    n = wr_list_sinks(&k);
    for (uint32_t i = 0; i < n; i++)
        CHECK_MSG(k[i]->abi == WR_ABI && k[i]->options && k[i]->describe && k[i]->open &&
                      k[i]->write && k[i]->watermark && k[i]->tick && k[i]->flush &&
                      k[i]->prepare && k[i]->commit && k[i]->snapshot && k[i]->restore &&
                      k[i]->finish && k[i]->close,
                  "sink %s", k[i]->name);
    n = wr_list_formats(&f);
    for (uint32_t i = 0; i < n; i++)
        CHECK_MSG(f[i]->abi == WR_ABI && f[i]->options && f[i]->validate && f[i]->decoder_open &&
                      f[i]->decode && f[i]->decode_one && f[i]->skipped && f[i]->decoder_close &&
                      f[i]->encoder_open && f[i]->encode && f[i]->encoder_close,
                  "format %s", f[i]->name);
    rig_deinit(&r);
}

CHECK_MAIN()
