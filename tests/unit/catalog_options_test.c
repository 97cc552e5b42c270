/* SPDX-License-Identifier: Apache-2.0 */
/* Session options: the table against Flink's own list, SET and RESET. */
#include "check.h"

#include "catalog/catalog.h"
#include "os/os.h"

static char notice[512];

static void
take_notice(void *arg, const char *text)
{
    (void)arg;
    (void)snprintf(notice, sizeof notice, "%s", text);
}

static wr_ctx
fresh_ctx(void)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    ctx.notice = take_notice;
    notice[0] = '\0';
    return ctx;
}

static wr_catalogs *
fresh(void)
{
    wr_ctx ctx = fresh_ctx();
    wr_catalogs *cats = NULL;
    if (!wr_catalog_register() || wr_catalogs_create(&ctx, WR_STR(""), &cats) != WR_OK) return NULL;
    return cats;
}

static wr_status
set(wr_ctx *ctx, wr_catalogs *cats, const char *key, const char *value)
{
    wr_ctx_reset(ctx);
    notice[0] = '\0';
    return wr_catalogs_set(ctx, cats, wr_str_c(key), wr_str_c(value), WR_NO_SPAN);
}

TEST(every_default_is_of_its_type)
{
    uint32_t n = 0;
    for (const wr_option_def *d = wr_session_option_defs(); d->key; d++, n++) {
        wr_ctx ctx = fresh_ctx();
        wr_option_value v;
        if (!d->def) continue;
        CHECK_MSG(wr_option_parse(&ctx, d, wr_str_c(d->def), WR_NO_SPAN, &v) == WR_OK, "%s: %s",
                  d->key, ctx.err.message);
    }
    CHECK(n > 700);
}

/* Types and defaults are those of tests/data/flink/flink-options.tsv. */
TEST(options_are_flinks)
{
    wr_ctx ctx = fresh_ctx();
    wr_os_map map;
    CHECK_FATAL(wr_os_map_file(&ctx, "tests/data/flink/flink-options.tsv", &map) == WR_OK);
    const char *p = map.ptr, *end = map.ptr + map.len;
    uint32_t seen = 0;
    while (p < end) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        const char *tab = memchr(p, '\t', (size_t)(end - p));
        if (!nl || !tab || tab > nl) break;
        wr_str key = {p, (size_t)(tab - p)};
        bool table = wr_str_starts(key, WR_STR("table.")) ||
                     wr_str_starts(key, WR_STR("execution.")) ||
                     wr_str_starts(key, WR_STR("pipeline."));
        if (table) {
            CHECK_MSG(wr_option_def_find(wr_session_option_defs(), key) != NULL, "%.*s",
                      WR_STR_ARG(key));
            seen++;
        }
        p = nl + 1;
    }
    CHECK(seen > 150);
    wr_os_unmap(&map);
    const wr_option_def *d =
        wr_option_def_find(wr_session_option_defs(), WR_STR("table.exec.mini-batch.enabled"));
    CHECK_FATAL(d != NULL);
    CHECK(d->type == WR_OPT_BOOL);
    CHECK_EQ_STR(d->def, "false");
}

TEST(set_and_reset)
{
    wr_catalogs *cats = fresh();
    CHECK_FATAL(cats != NULL);
    wr_ctx ctx = fresh_ctx();
    CHECK(wr_config_int(wr_catalogs_config(cats), "table.exec.state.ttl") == 0);
    CHECK_OK(&ctx, set(&ctx, cats, "table.exec.state.ttl", "1 h"));
    CHECK_OK(&ctx, set(&ctx, cats, "parallelism.default", "4"));
    CHECK_EQ_STR(notice, "");
    CHECK_EQ_INT(wr_config_int(wr_catalogs_config(cats), "table.exec.state.ttl"), 3600000);
    CHECK_EQ_INT(wr_config_int(wr_catalogs_config(cats), "parallelism.default"), 4);
    CHECK_EQ_UINT(wr_catalogs_config(cats)->set->count, 2);
    CHECK_EQ_WRSTR(wr_catalogs_config(cats)->set->items[0].key, "parallelism.default");
    CHECK_OK(&ctx, set(&ctx, cats, "parallelism.default", "5"));
    CHECK_EQ_UINT(wr_catalogs_config(cats)->set->count, 2);
    CHECK_OK(&ctx, wr_catalogs_reset(&ctx, cats, WR_STR("parallelism.default"), WR_NO_SPAN));
    CHECK_EQ_INT(wr_config_int(wr_catalogs_config(cats), "parallelism.default"), 1);
    CHECK_OK(&ctx, wr_catalogs_reset(&ctx, cats, WR_STR(""), WR_NO_SPAN));
    CHECK_EQ_UINT(wr_catalogs_config(cats)->set->count, 0);
    wr_catalogs_destroy(cats);
}

TEST(values_are_checked)
{
    wr_catalogs *cats = fresh();
    CHECK_FATAL(cats != NULL);
    wr_ctx ctx = fresh_ctx();
    CHECK(set(&ctx, cats, "table.exec.mini-batch.enabled", "maybe") == WR_OPTION);
    CHECK_EQ_STR(ctx.err.message,
                 "Could not parse value 'maybe' for key 'table.exec.mini-batch.enabled'.");
    CHECK_EQ_STR(ctx.err.hint, "Unrecognized option for boolean: maybe. Expected either true or "
                               "false(case insensitive)");
    CHECK(set(&ctx, cats, "execution.runtime-mode", "sometimes") == WR_OPTION);
    CHECK(set(&ctx, cats, "table.local-time-zone", "Nowhere/City") != WR_OK);
    CHECK(set(&ctx, cats, "table.sql-dialect", "hive") == WR_UNSUPPORTED);
    CHECK(set(&ctx, cats, "parallelism.default", "0") == WR_OPTION);
    CHECK_EQ_STR(ctx.err.message, "parallelism must be between 1 and 1024, but was 0");
    CHECK(set(&ctx, cats, "parallelism.default", "1025") == WR_OPTION);
    CHECK(set(&ctx, cats, "table.exec.resource.default-parallelism", "1025") == WR_OPTION);
    CHECK_EQ_UINT(wr_catalogs_config(cats)->set->count, 0);
    CHECK_OK(&ctx, set(&ctx, cats, "table.exec.resource.default-parallelism", "-1"));
    CHECK_OK(&ctx, set(&ctx, cats, "table.local-time-zone", "Asia/Shanghai"));
    wr_catalogs_destroy(cats);
}

TEST(unknown_keys_are_errors_with_near_names)
{
    wr_catalogs *cats = fresh();
    CHECK_FATAL(cats != NULL);
    wr_ctx ctx = fresh_ctx();
    CHECK(set(&ctx, cats, "paralelism.default", "4") == WR_OPTION);
    CHECK_EQ_STR(ctx.err.message, "unknown option 'paralelism.default'");
    CHECK(strstr(ctx.err.candidates, "parallelism.default") != NULL);
    wr_ctx_reset(&ctx);
    CHECK(wr_catalogs_reset(&ctx, cats, WR_STR("nothing.of.this"), WR_NO_SPAN) == WR_OPTION);
    wr_catalogs_destroy(cats);
}

TEST(unused_keys_are_accepted_with_a_notice)
{
    wr_catalogs *cats = fresh();
    CHECK_FATAL(cats != NULL);
    wr_ctx ctx = fresh_ctx();
    CHECK_OK(&ctx, set(&ctx, cats, "jobmanager.memory.process.size", "1 gb"));
    CHECK(strstr(notice, "jobmanager.memory.process.size") != NULL);
    CHECK_OK(&ctx, set(&ctx, cats, "metrics.reporter.x.factory.class", "y"));
    CHECK_OK(&ctx, set(&ctx, cats, "state.checkpoints.dir", "file:///x")); /* an older name */
    CHECK_EQ_WRSTR(wr_catalogs_config(cats)->set->items[0].key, "execution.checkpointing.dir");
    wr_catalogs_destroy(cats);
}

typedef struct attempt { /* words NULL: it is fine */
    const char *key, *value, *words;
} attempt;

static void
check_all(const attempt *cases, uint32_t count)
{
    wr_catalogs *cats = fresh();
    CHECK_FATAL(cats);
    for (uint32_t i = 0; i < count; i++) {
        wr_ctx ctx = fresh_ctx();
        wr_status status = set(&ctx, cats, cases[i].key, cases[i].value);
        const char *got = status == WR_OK ? "(fine)" : ctx.err.message;
        const char *want = cases[i].words ? cases[i].words : "(fine)";
        CHECK_MSG(strcmp(got, want) == 0, "%s = %s: %s", cases[i].key, cases[i].value, got);
    }
    wr_catalogs_destroy(cats);
}

/* What Flink 2.3 said of each (when the job started; here SET says it). */
TEST(values_without_sense_are_refused_in_flinks_words)
{
    static const attempt cases[] = {
        {"execution.checkpointing.interval", "5 ms",
         "Checkpoint interval must be larger than or equal to 10 ms"},
        {"execution.checkpointing.interval", "0",
         "Checkpoint interval must be larger than or equal to 10 ms"},
        {"execution.checkpointing.interval", "10 ms", NULL},
        {"execution.checkpointing.interval", "-5 s",
         "Could not parse value '-5 s' for key 'execution.checkpointing.interval'."},
        {"execution.checkpointing.timeout", "9 ms",
         "Checkpoint timeout must be larger than or equal to 10 ms"},
        {"execution.checkpointing.interval-during-backlog", "5 ms",
         "Checkpoint interval must be zero or larger than or equal to 10 ms"},
        {"execution.checkpointing.interval-during-backlog", "0", NULL},
        {"execution.checkpointing.max-concurrent-checkpoints", "0",
         "The maximum number of concurrent attempts must be at least one."},
        {"execution.checkpointing.tolerable-failed-checkpoints", "-1",
         "The tolerable failure checkpoint number must be non-negative."},
        {"execution.checkpointing.storage", "foo",
         "Cannot find configured state backend factory class: foo"},
        {"execution.checkpointing.storage", "JobManager", NULL},
        {"execution.checkpointing.dir", "", "Can not create a Path from an empty string"},
        {"execution.state-recovery.path", "", "empty checkpoint pointer"},
        {"state.backend.type", "filesystem",
         "Cannot find configured state backend factory class: filesystem"},
        {"state.backend.type", "HashMap", NULL},
        {"state.backend", "rocksdb", NULL},
        {"restart-strategy.type", "foo", "foo is an unknown value of RestartStrategyType."},
        {"restart-strategy.type", "Fixed-Delay", NULL},
        {"restart-strategy.type", "failurerate", NULL},
        {"restart-strategy", "disable", NULL},
        {"restart-strategy.fixed-delay.attempts", "-1",
         "Maximum number of restart attempts must be at least 0."},
        {"restart-strategy.failure-rate.max-failures-per-interval", "0",
         "Maximum number of restart attempts per time unit must be greater than 0."},
        {"restart-strategy.failure-rate.failure-rate-interval", "0",
         "Failures interval must be greater than 0 ms."},
        {"restart-strategy.exponential-delay.initial-backoff", "0",
         "Initial backoff must be at least 1."},
        {"restart-strategy.exponential-delay.max-backoff", "0",
         "Maximum backoff must be at least 1."},
        {"restart-strategy.exponential-delay.backoff-multiplier", "1",
         "Backoff multiplier must be greater than 1."},
        {"restart-strategy.exponential-delay.jitter-factor", "3",
         "Jitter factor must be >= 0 and <= 1."},
        {"restart-strategy.exponential-delay.jitter-factor", "-1",
         "Jitter factor must be >= 0 and <= 1."},
        {"restart-strategy.exponential-delay.reset-backoff-threshold", "0",
         "Threshold duration for exponential backoff reset must be at least 1."},
        {"restart-strategy.exponential-delay.attempts-before-reset-backoff", "0",
         "The attemptsBeforeResetBackoff must be at least 1."},
    };
    check_all(cases, WR_COUNT(cases));
}

/* Flink 2.3 says so when a job starts; shares below zero it takes. */
TEST(values_of_rocksdb_that_cannot_be)
{
    static const attempt cases[] = {
        {"state.backend.rocksdb.thread.num", "0",
         "Configured value for key: state.backend.rocksdb.thread.num must be larger than 0."},
        {"state.backend.rocksdb.thread.num", "1", NULL},
        {"state.backend.rocksdb.writebuffer.count", "-1",
         "Configured value for key: state.backend.rocksdb.writebuffer.count must be larger than "
         "0."},
        {"state.backend.rocksdb.writebuffer.number-to-merge", "0",
         ("Configured value for key: state.backend.rocksdb.writebuffer.number-to-merge must be "
          "larger than 0.")},
        {"state.backend.rocksdb.log.file-num", "0",
         "Configured value for key: state.backend.rocksdb.log.file-num must be larger than 0."},
        {"state.backend.rocksdb.block.blocksize", "0 b",
         "Configured size for key state.backend.rocksdb.block.blocksize must be larger than 0."},
        {"state.backend.rocksdb.block.cache-size", "0 b",
         "Configured size for key state.backend.rocksdb.block.cache-size must be larger than 0."},
        {"state.backend.rocksdb.writebuffer.size", "0 b",
         "Configured size for key state.backend.rocksdb.writebuffer.size must be larger than 0."},
        {"state.backend.rocksdb.write-batch-size", "0 b", NULL},
        {"state.backend.rocksdb.files.open", "-7", NULL},
        {"state.backend.rocksdb.memory.write-buffer-ratio", "1.5",
         ("'state.backend.rocksdb.memory.write-buffer-ratio' is a share of RocksDB's memory: "
          "between 0 and 1")},
        {"state.backend.rocksdb.memory.high-prio-pool-ratio", "-0.1",
         ("'state.backend.rocksdb.memory.high-prio-pool-ratio' is a share of RocksDB's memory: "
          "between 0 and 1")},
        {"state.backend.rocksdb.memory.write-buffer-ratio", "0.9", NULL},
        {"state.backend.rocksdb.localdir", "a/b", "Relative paths are not supported"},
        {"state.backend.rocksdb.localdir", "/a/b", NULL},
        {"state.backend.rocksdb.log.dir", "a", "Relative paths are not supported"},
    };
    check_all(cases, WR_COUNT(cases));
}

CHECK_MAIN()
