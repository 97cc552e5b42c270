/* SPDX-License-Identifier: Apache-2.0 */
/* Values of session options that are texts of the right type, but not of the right content. Flink
 * looks at them when a job starts; here SET refuses them, in Flink's words, while the text is at
 * hand. What several options say together is looked at when a job starts (engine/).
 * Thread: session's. */
#include "base/limits.h"
#include "catalog/catalog_int.h"
#include "types/datetime.h"

typedef struct bound {
    const char *key;
    int64_t least;
    bool or_zero;
    const char *text;
} bound;

static const bound bounds[] = {
    {"execution.checkpointing.interval", 10, false,
     "Checkpoint interval must be larger than or equal to 10 ms"},
    {"execution.checkpointing.interval-during-backlog", 10, true,
     "Checkpoint interval must be zero or larger than or equal to 10 ms"},
    {"execution.checkpointing.timeout", 10, false,
     "Checkpoint timeout must be larger than or equal to 10 ms"},
    {"execution.checkpointing.max-concurrent-checkpoints", 1, false,
     "The maximum number of concurrent attempts must be at least one."},
    {"execution.checkpointing.tolerable-failed-checkpoints", 0, false,
     "The tolerable failure checkpoint number must be non-negative."},
    {"restart-strategy.fixed-delay.attempts", 0, false,
     "Maximum number of restart attempts must be at least 0."},
    {"restart-strategy.failure-rate.max-failures-per-interval", 1, false,
     "Maximum number of restart attempts per time unit must be greater than 0."},
    {"restart-strategy.failure-rate.failure-rate-interval", 1, false,
     "Failures interval must be greater than 0 ms."},
    {"restart-strategy.exponential-delay.initial-backoff", 1, false,
     "Initial backoff must be at least 1."},
    {"restart-strategy.exponential-delay.max-backoff", 1, false,
     "Maximum backoff must be at least 1."},
    {"restart-strategy.exponential-delay.reset-backoff-threshold", 1, false,
     "Threshold duration for exponential backoff reset must be at least 1."},
    {"restart-strategy.exponential-delay.attempts-before-reset-backoff", 1, false,
     "The attemptsBeforeResetBackoff must be at least 1."},
};

/* Options of RocksDB: their keys behind ROCKSDB, and Flink's sentences about numbers and sizes. */
#define ROCKSDB "state.backend.rocksdb."

static const char *const counts_above_zero[] = {"thread.num", "writebuffer.count",
                                                "writebuffer.number-to-merge", "log.file-num"};
static const char *const sizes_above_zero[] = {"block.blocksize",
                                               "block.metadata-blocksize",
                                               "block.cache-size",
                                               "writebuffer.size",
                                               "compaction.level.target-file-size-base",
                                               "compaction.level.max-size-level-base"};
static const char *const shares[] = {"memory.write-buffer-ratio", "memory.high-prio-pool-ratio"};
static const char *const folders[] = {"localdir", "log.dir"};

/* Words of an option that Flink declares as a text. `wrong`: Flink's sentence around the word. */
typedef struct choice {
    const char *key, *words; /* "a|b", any case */
    const char *before, *behind;
    const char *hint;
} choice;

static const choice choices[] = {
    {"state.backend.type", "hashmap|rocksdb",
     "Cannot find configured state backend factory class: ", "",
     "state.backend.type is hashmap or rocksdb"},
    {"execution.checkpointing.storage", "jobmanager|filesystem",
     "Cannot find configured state backend factory class: ", "",
     "execution.checkpointing.storage is jobmanager or filesystem"},
    {"restart-strategy.type",
     ("none|off|disable|fixed-delay|fixeddelay|failure-rate|failurerate|exponential-delay|"
      "exponentialdelay"),
     "", " is an unknown value of RestartStrategyType.",
     "restart-strategy.type is none, fixed-delay, failure-rate or exponential-delay"},
    {"jobmanager.execution.failover-strategy", "region|full", "Unknown failover strategy: ", "",
     "jobmanager.execution.failover-strategy is region or full"},
};

static bool
one_of(const char *words, wr_str value)
{
    for (const char *w = words; *w;) {
        const char *end = strchr(w, '|');
        size_t len = end ? (size_t)(end - w) : strlen(w);
        if (wr_str_eq_nocase(value, (wr_str){w, len})) return true;
        w += len + (end ? 1 : 0);
    }
    return false;
}

static wr_status
check_choice(wr_ctx *ctx, wr_str key, wr_str value, wr_span span)
{
    for (uint32_t i = 0; i < WR_COUNT(choices); i++) {
        const choice *c = &choices[i];
        if (!wr_str_eq_c(key, c->key) || one_of(c->words, value)) continue;
        wr_status status =
            wr_raise_at(ctx, WR_OPTION, span, "%s%.*s%s", c->before, WR_STR_ARG(value), c->behind);
        wr_hint(ctx, "%s", c->hint);
        return status;
    }
    return WR_OK;
}

static wr_status
check_bound(wr_ctx *ctx, wr_str key, const wr_option_value *v, wr_span span)
{
    for (uint32_t i = 0; i < WR_COUNT(bounds); i++) {
        const bound *b = &bounds[i];
        if (!wr_str_eq_c(key, b->key) || v->i >= b->least || (b->or_zero && v->i == 0)) continue;
        return wr_raise_at(ctx, WR_OPTION, span, "%s", b->text);
    }
    return WR_OK;
}

static wr_status
check_number(wr_ctx *ctx, wr_str key, const wr_option_value *v, wr_span span)
{
    if (wr_str_eq_c(key, "restart-strategy.exponential-delay.backoff-multiplier") && !(v->f > 1))
        return wr_raise_at(ctx, WR_OPTION, span, "Backoff multiplier must be greater than 1.");
    if (wr_str_eq_c(key, "restart-strategy.exponential-delay.jitter-factor") &&
        !(v->f >= 0 && v->f <= 1))
        return wr_raise_at(ctx, WR_OPTION, span, "Jitter factor must be >= 0 and <= 1.");
    return check_bound(ctx, key, v, span);
}

static wr_status
check_parallelism(wr_ctx *ctx, wr_str key, const wr_option_value *v, wr_span span)
{
    const bool for_all = wr_str_eq_c(key, "parallelism.default");
    const bool for_tables = wr_str_eq_c(key, "table.exec.resource.default-parallelism");
    if (!for_all && !for_tables) return WR_OK;
    if (for_tables && v->i <= 0) return WR_OK; /* Flink's way to say: as parallelism.default */
    if (v->i >= 1 && v->i <= WR_PARALLELISM_MAX) return WR_OK;
    return wr_raise_at(ctx, WR_OPTION, span, "parallelism must be between 1 and %u, but was %lld",
                       WR_PARALLELISM_MAX, (long long)v->i);
}

static wr_status
check_path(wr_ctx *ctx, wr_str key, wr_str value, wr_span span)
{
    if (value.len) return WR_OK;
    if (wr_str_eq_c(key, "execution.checkpointing.dir") ||
        wr_str_eq_c(key, "execution.checkpointing.savepoint-dir"))
        return wr_raise_at(ctx, WR_OPTION, span, "Can not create a Path from an empty string");
    if (wr_str_eq_c(key, "execution.state-recovery.path"))
        return wr_raise_at(ctx, WR_OPTION, span, "empty checkpoint pointer");
    return WR_OK;
}

static bool
among(const char *const *list, uint32_t count, wr_str key)
{
    for (uint32_t i = 0; i < count; i++)
        if (wr_str_eq_c(key, list[i])) return true;
    return false;
}

static wr_status
check_rocksdb(wr_ctx *ctx, wr_str key, const wr_option_value *v, wr_span span)
{
    const wr_str prefix = WR_STR(ROCKSDB);
    if (!wr_str_starts(key, prefix)) return WR_OK;
    const wr_str rest = {key.ptr + prefix.len, key.len - prefix.len};
    if (v->i <= 0 && among(counts_above_zero, WR_COUNT(counts_above_zero), rest))
        return wr_raise_at(ctx, WR_OPTION, span,
                           "Configured value for key: %.*s must be larger than 0.",
                           WR_STR_ARG(key));
    if (v->i <= 0 && among(sizes_above_zero, WR_COUNT(sizes_above_zero), rest))
        return wr_raise_at(ctx, WR_OPTION, span,
                           "Configured size for key %.*s must be larger than 0.", WR_STR_ARG(key));
    if (!(v->f >= 0 && v->f <= 1) && among(shares, WR_COUNT(shares), rest))
        return wr_raise_at(ctx, WR_OPTION, span,
                           "'%.*s' is a share of RocksDB's memory: between 0 and 1",
                           WR_STR_ARG(key));
    const bool absolute =
        wr_str_starts(v->text, WR_STR("/")) || wr_str_starts(v->text, WR_STR("file:///"));
    if (!absolute && among(folders, WR_COUNT(folders), rest)) {
        const wr_status status =
            wr_raise_at(ctx, WR_OPTION, span, "Relative paths are not supported");
        wr_hint(ctx, "give '%.*s' the whole path of a folder, from '/' on", WR_STR_ARG(key));
        return status;
    }
    return WR_OK;
}

static wr_status
check_zone(wr_ctx *ctx, wr_arena *a, wr_str value, wr_span span)
{
    const wr_tz *tz;
    wr_status status = wr_tz_open(ctx, a, value, &tz);
    if (status != WR_OK && ctx->err.span.start == UINT32_MAX) ctx->err.span = span;
    return status;
}

wr_status
wri_option_check(wr_ctx *ctx, wr_arena *a, wr_str key, const wr_option_value *v, wr_span span)
{
    wr_str value = v->text;
    if (wr_str_eq_c(key, "table.sql-dialect") && !wr_str_eq_nocase(value, WR_STR("default")))
        return wr_raise_at(ctx, WR_UNSUPPORTED, span, "not supported yet: SQL dialect '%.*s'",
                           WR_STR_ARG(value));
    if (wr_str_eq_c(key, "table.local-time-zone")) return check_zone(ctx, a, value, span);
    WR_TRY(check_choice(ctx, key, value, span));
    WR_TRY(check_path(ctx, key, value, span));
    WR_TRY(check_parallelism(ctx, key, v, span));
    WR_TRY(check_rocksdb(ctx, key, v, span));
    return check_number(ctx, key, v, span);
}
