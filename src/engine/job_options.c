/* SPDX-License-Identifier: Apache-2.0 */
/* The options of a job: what a state folder adds to them, and which do not go together. Values one
 * by one are looked at by SET (catalog/). */
#include "engine/engine_int.h"

#define STATE_INTERVAL "10 s" /* between checkpoints, unless the script says otherwise */

wr_status
wri_stmt_set_option(wr_ctx *ctx, wri_stmt *st, const char *key, wr_str value)
{
    const wr_options *old = st->config->set;
    wr_options *o = WR_NEW(st->arena, wr_options);
    WR_TRY_ALLOC(ctx, o);
    o->items = WR_NEW_N(st->arena, wr_option, old->count + 1);
    WR_TRY_ALLOC(ctx, o->items);
    for (uint32_t i = 0; i < old->count; i++)
        if (!wr_str_eq_c(old->items[i].key, key)) o->items[o->count++] = old->items[i];
    if (value.ptr)
        o->items[o->count++] =
            (wr_option){.key = wr_str_c(key), .value = value, .span = WR_NO_SPAN};
    st->config->set = o;
    return WR_OK;
}

static bool
is_set(const wr_config *c, const char *key)
{
    return c->set && wr_options_find(c->set, key) != NULL;
}

wr_status
wri_job_defaults(wr_ctx *ctx, wri_stmt *st)
{
    const wri_state_dir *d = st->session->state;
    if (!d || st->eval->batch) return WR_OK;
    const struct {
        const char *key;
        wr_str value;
    } given[] = {
        {"execution.checkpointing.interval", WR_STR(STATE_INTERVAL)},
        {"execution.checkpointing.dir", d->checkpoints},
        {"execution.checkpointing.savepoint-dir", d->savepoints},
        {"execution.checkpointing.externalized-checkpoint-retention",
         WR_STR("RETAIN_ON_CANCELLATION")},
    };
    for (uint32_t i = 0; i < WR_COUNT(given); i++)
        if (!is_set(st->config, given[i].key))
            WR_TRY(wri_stmt_set_option(ctx, st, given[i].key, given[i].value));
    return WR_OK;
}

static wr_status
check_restarts(wr_ctx *ctx, const wr_config *c)
{
    wr_str type = wr_config_str(c, "restart-strategy.type");
    bool exponential = !type.ptr || wr_str_eq_nocase(type, WR_STR("exponential-delay")) ||
                       wr_str_eq_nocase(type, WR_STR("exponentialdelay"));
    if (exponential && wr_config_int(c, "restart-strategy.exponential-delay.initial-backoff") >
                           wr_config_int(c, "restart-strategy.exponential-delay.max-backoff"))
        return wr_raise(ctx, WR_OPTION, "Initial backoff cannot be higher than maximum backoff.");
    return WR_OK;
}

wr_status
wri_job_check_options(wr_ctx *ctx, const wr_config *c)
{
    bool on = is_set(c, "execution.checkpointing.interval");
    wr_str storage = wr_config_str(c, "execution.checkpointing.storage");
    if (wr_str_eq_nocase(storage, WR_STR("filesystem")) &&
        !is_set(c, "execution.checkpointing.dir"))
        return wr_raise(ctx, WR_OPTION,
                        "Cannot create the file system state backend: The configuration does not "
                        "specify the checkpoint directory 'execution.checkpointing.dir'");
    if (on && wr_config_bool(c, "execution.checkpointing.unaligned.enabled") &&
        wr_config_int(c, "execution.checkpointing.max-concurrent-checkpoints") > 1)
        return wr_raise(ctx, WR_OPTION,
                        "maxConcurrentCheckpoints can't be > 1 if UnalignedCheckpoints enabled");
    if (on && is_set(c, "execution.checkpointing.interval-during-backlog")) {
        int64_t backlog = wr_config_int(c, "execution.checkpointing.interval-during-backlog");
        if (backlog && backlog < wr_config_int(c, "execution.checkpointing.interval"))
            return wr_raise(ctx, WR_OPTION,
                            "execution.checkpointing.interval-during-backlog must not be shorter "
                            "than execution.checkpointing.interval");
    }
    return check_restarts(ctx, c);
}
