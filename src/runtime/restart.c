/* SPDX-License-Identifier: Apache-2.0 */
/* Options of checkpoints and restarts, and the restart strategies: may a job that failed run again,
 * and when? Keys, defaults and meaning are Flink's. */
#include <stdio.h>

#include "runtime/runtime_int.h"

#define WRI_RATE_MAX INT64_C(1000000) /* failures that are remembered */

static int64_t
duration_ms(const wr_config *c, const char *key)
{
    return WR_MIN(wr_config_int(c, key), WRI_LONGEST_MS);
}

/* ---- strategies ------------------------------------------------------------------------------ */

static void
fixed_delay(const wr_config *c, wri_restart *r)
{
    r->strategy = WRI_RESTART_FIXED;
    r->limit = wr_config_int(c, "restart-strategy.fixed-delay.attempts");
    r->delay_ms = duration_ms(c, "restart-strategy.fixed-delay.delay");
    (void)snprintf(r->text, sizeof r->text,
                   "FixedDelayRestartBackoffTimeStrategy(maxNumberRestartAttempts=%lld, "
                   "backoffTimeMS=%lld)",
                   (long long)r->limit, (long long)r->delay_ms);
}

static wr_status
failure_rate(wr_ctx *ctx, const wr_config *c, wr_arena *a, wri_restart *r)
{
    r->strategy = WRI_RESTART_RATE;
    r->limit = wr_config_int(c, "restart-strategy.failure-rate.max-failures-per-interval");
    r->interval_ms = duration_ms(c, "restart-strategy.failure-rate.failure-rate-interval");
    r->delay_ms = duration_ms(c, "restart-strategy.failure-rate.delay");
    if (r->limit < 1)
        return wr_raise(ctx, WR_OPTION,
                        "Maximum number of restart attempts per time unit must be greater than 0.");
    if (r->limit > WRI_RATE_MAX) {
        (void)wr_raise(ctx, WR_LIMIT,
                       "restart-strategy.failure-rate.max-failures-per-interval is %lld, but at "
                       "most %lld failures are counted",
                       (long long)r->limit, (long long)WRI_RATE_MAX);
        wr_hint(ctx, "'restart-strategy.type' = 'fixed-delay' restarts without such a limit");
        return WR_LIMIT;
    }
    r->times = WR_NEW_N(a, int64_t, r->limit + 1);
    WR_TRY_ALLOC(ctx, r->times);
    (void)snprintf(r->text, sizeof r->text,
                   "FailureRateRestartBackoffTimeStrategy(failuresIntervalMS=%lld,"
                   "backoffTimeMS=%lld,maxFailuresPerInterval=%lld)",
                   (long long)r->interval_ms, (long long)r->delay_ms, (long long)r->limit);
    return WR_OK;
}

static void
exponential_delay(const wr_config *c, wri_restart *r)
{
    r->strategy = WRI_RESTART_EXPONENTIAL;
    r->limit = wr_config_int(c, "restart-strategy.exponential-delay.attempts-before-reset-backoff");
    if (r->limit <= 0) r->limit = INT32_MAX;
    r->delay_ms = duration_ms(c, "restart-strategy.exponential-delay.initial-backoff");
    r->max_delay_ms = duration_ms(c, "restart-strategy.exponential-delay.max-backoff");
    r->reset_ms = duration_ms(c, "restart-strategy.exponential-delay.reset-backoff-threshold");
    r->multiplier = wr_config_double(c, "restart-strategy.exponential-delay.backoff-multiplier");
    r->jitter = wr_config_double(c, "restart-strategy.exponential-delay.jitter-factor");
    r->current_ms = r->delay_ms;
    (void)snprintf(r->text, sizeof r->text,
                   "ExponentialDelayRestartBackoffTimeStrategy(initialBackoffMS=%lld, "
                   "maxBackoffMS=%lld)",
                   (long long)r->delay_ms, (long long)r->max_delay_ms);
}

static bool
ends_in_collect(const wr_job *job)
{
    for (uint32_t i = 0; i < job->plan->node_count; i++)
        if (job->plan->nodes[i]->kind == WR_P_COLLECT) return true;
    return false;
}

wr_status
wri_restart_init(wr_ctx *ctx, wr_job *job, wri_restart *r)
{
    const wr_config *c = job->env.config;
    wr_str type = wr_config_str(c, "restart-strategy.type");
    *r = (wri_restart){.strategy = WRI_RESTART_NONE};
    (void)snprintf(r->text, sizeof r->text, "NoRestartBackoffTimeStrategy");
    /* Rows that a SELECT has given cannot be taken back. */
    if (ends_in_collect(job)) return WR_OK;
    if (!type.len) type = job->coord.options.enabled ? WR_STR("exponential-delay") : WR_STR("none");
    if (wr_str_eq_nocase(type, WR_STR("none")) || wr_str_eq_nocase(type, WR_STR("off")) ||
        wr_str_eq_nocase(type, WR_STR("disable")))
        return WR_OK;
    if (wr_str_eq_nocase(type, WR_STR("fixed-delay")) ||
        wr_str_eq_nocase(type, WR_STR("fixeddelay")))
        return fixed_delay(c, r), WR_OK;
    if (wr_str_eq_nocase(type, WR_STR("failure-rate")) ||
        wr_str_eq_nocase(type, WR_STR("failurerate")))
        return failure_rate(ctx, c, job->arena, r);
    if (wr_str_eq_nocase(type, WR_STR("exponential-delay")) ||
        wr_str_eq_nocase(type, WR_STR("exponentialdelay")))
        return exponential_delay(c, r), WR_OK;
    (void)wr_raise(ctx, WR_OPTION, "Unknown restart strategy %.*s.", WR_STR_ARG(type));
    wr_hint(ctx, "restart-strategy.type is one of none, fixed-delay, failure-rate and "
                 "exponential-delay");
    return WR_OPTION;
}

static bool
rate_allows(wri_restart *r, int64_t now_ms)
{
    uint64_t slots = (uint64_t)r->limit + 1, n = (uint64_t)r->failures;
    r->times[n % slots] = now_ms;
    r->failures++;
    if (n + 1 < slots) return true;
    return now_ms - r->times[(n + 1) % slots] > r->interval_ms;
}

/* A random share of the delay more or less, so that jobs that failed together do not come back
 * together. */
static int64_t
jittered(const wri_restart *r)
{
    uint32_t bits = 0;
    wr_os_random(&bits, sizeof bits);
    double share = ((double)bits / (double)UINT32_MAX * 2.0 - 1.0) * r->jitter;
    int64_t delay = r->current_ms + (int64_t)((double)r->current_ms * share);
    return WR_MAX(WR_MIN(delay, r->max_delay_ms), 0);
}

static int64_t
next_backoff(wri_restart *r, int64_t now_ms)
{
    if (r->failures && now_ms - (r->last_ms + r->current_ms) >= r->reset_ms) {
        r->failures = 0;
        r->current_ms = r->delay_ms;
    } else if (r->failures) {
        double next = (double)r->current_ms * r->multiplier;
        r->current_ms = next < (double)r->max_delay_ms ? (int64_t)next : r->max_delay_ms;
    }
    r->failures++;
    r->last_ms = now_ms;
    return jittered(r);
}

bool
wri_restart_allowed(wri_restart *r, int64_t now_ms, int64_t *delay_ms)
{
    *delay_ms = r->delay_ms;
    switch (r->strategy) {
    case WRI_RESTART_NONE:
        return false;
    case WRI_RESTART_FIXED:
        return ++r->failures <= r->limit;
    case WRI_RESTART_RATE:
        return rate_allows(r, now_ms);
    case WRI_RESTART_EXPONENTIAL:
        *delay_ms = next_backoff(r, now_ms);
        return r->failures <= r->limit;
    }
    WR_UNREACHABLE();
}

/* ---- options --------------------------------------------------------------------------------- */

static uint32_t
at_least(int64_t v, int64_t low)
{
    return (uint32_t)WR_MIN(WR_MAX(v, low), (int64_t)INT32_MAX);
}

wr_status
wri_ckpt_options_read(wr_ctx *ctx, wr_job *job)
{
    const wr_config *c = job->env.config;
    wri_ckpt_options *o = &job->coord.options;
    o->interval_ms = duration_ms(c, "execution.checkpointing.interval");
    o->enabled = o->interval_ms > 0 && !job->plan->batch;
    o->timeout_ms = duration_ms(c, "execution.checkpointing.timeout");
    if (o->timeout_ms <= 0) o->timeout_ms = 600000;
    o->min_pause_ms = duration_ms(c, "execution.checkpointing.min-pause");
    /* As in Flink: several at a time do not begin closer to one another either. */
    o->interval_ms = WR_MAX(o->interval_ms, o->min_pause_ms);
    o->max_concurrent =
        at_least(wr_config_int(c, "execution.checkpointing.max-concurrent-checkpoints"), 1);
    o->tolerable =
        at_least(wr_config_int(c, "execution.checkpointing.tolerable-failed-checkpoints"), 0);
    o->retained = at_least(wr_config_int(c, "execution.checkpointing.num-retained"), 1);
    o->buffer_bytes = at_least(wr_config_int(c, "execution.checkpointing.write-buffer-size"), 512);
    o->incremental = wr_config_bool(c, "execution.checkpointing.incremental");
    o->at_least_once =
        wr_str_eq_nocase(wr_config_str(c, "execution.checkpointing.mode"), WR_STR("AT_LEAST_ONCE"));
    /* Rows that come twice anyway are not recorded. */
    o->unaligned =
        !o->at_least_once && wr_config_bool(c, "execution.checkpointing.unaligned.enabled");
    o->aligned_ms = duration_ms(c, "execution.checkpointing.aligned-checkpoint-timeout");
    if (o->unaligned) o->max_concurrent = 1;
    o->by_region = !wr_str_eq_nocase(wr_config_str(c, "jobmanager.execution.failover-strategy"),
                                     WR_STR("full"));
    wr_str keep = wr_config_str(c, "execution.checkpointing.externalized-checkpoint-retention");
    o->retention = wr_str_eq_nocase(keep, WR_STR("RETAIN_ON_CANCELLATION"))   ? WRI_RETAIN_CANCELED
                   : wr_str_eq_nocase(keep, WR_STR("DELETE_ON_CANCELLATION")) ? WRI_RETAIN_FAILED
                                                                              : WRI_RETAIN_NEVER;
    wr_str storage = wr_config_str(c, "execution.checkpointing.storage");
    if (!wr_str_eq_nocase(storage, WR_STR("jobmanager")))
        o->dir = wr_config_str(c, "execution.checkpointing.dir");
    o->savepoint_dir = wr_config_str(c, "execution.checkpointing.savepoint-dir");
    return wri_restart_init(ctx, job, &job->coord.restart);
}
