/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of GROUP BY that come out before they are over, or again for rows that come late: the
 * options table.exec.emit.*, and what of them is refused. */
#include "plan/phys_int.h"
#include "plan/window.h"

typedef struct emitting {
    wr_ctx *ctx;
    const wr_config *config;
    wr_span span;
} emitting;

static bool
is_set(const emitting *e, const char *key)
{
    return wr_config_str(e->config, key).ptr != NULL;
}

static wr_status
read_delay(const emitting *e, const char *key, const char *name, const char *which, int64_t *out)
{
    *out = is_set(e, key) ? wr_config_int(e->config, key) : -1;
    if (*out >= 0) return WR_OK;
    return wr_raise_at(e->ctx, WR_SEMANTIC, e->span,
                       "%s delay should not be null or negative value whenenable %s emit strategy.",
                       name, which);
}

/* Without a lateness of its own, as long as state is kept. */
static wr_status
read_lateness(const emitting *e, wr_window_emit *out)
{
    const char *own = "table.exec.emit.allow-lateness";
    const char *key = is_set(e, own) ? own : "table.exec.state.ttl";
    out->lateness_ms = wr_config_int(e->config, key);
    if (out->lateness_ms <= 0)
        return wr_raise_at(e->ctx, WR_SEMANTIC, e->span,
                           "The 'AFTER WATERMARK' emit strategy requires set 'allow-lateness' or "
                           "'minIdleStateRetentionTime' in table config.");
    if (out->lateness_ms >= out->late_ms) return WR_OK;
    return wr_raise_at(e->ctx, WR_SEMANTIC, e->span,
                       "Allow-lateness [%lldms] should not be smaller than Late-fire delay "
                       "[%lldms] when enable late-fire emit strategy.",
                       (long long)out->lateness_ms, (long long)out->late_ms);
}

wr_status
wri_phys_window_emit(wr_ctx *ctx, wri_phys *p, const wr_rel *rel, const wr_window_spec *spec,
                     const wr_window_emit **out)
{
    const emitting e = {.ctx = ctx, .config = p->env->config, .span = rel->span};
    const bool early = wr_config_bool(e.config, "table.exec.emit.early-fire.enabled");
    const bool late = wr_config_bool(e.config, "table.exec.emit.late-fire.enabled");
    *out = NULL;
    if (!early && !late) return WR_OK;
    if (!spec->grouped)
        return wr_raise_at(ctx, WR_UNSUPPORTED, rel->span,
                           "Currently, window table function based aggregate doesn't support "
                           "early-fire and late-fire configuration "
                           "'table.exec.emit.early-fire.enabled' and "
                           "'table.exec.emit.late-fire.enabled'.");
    if (spec->kind == WR_WINDOW_SESSION)
        return wr_raise_at(ctx, WR_UNSUPPORTED, rel->span,
                           "Session window doesn't support EMIT strategy currently.");
    wr_window_emit *emit = WR_NEW(p->arena, wr_window_emit);
    WR_TRY_ALLOC(ctx, emit);
    *emit = (wr_window_emit){.early_ms = -1, .late_ms = -1};
    if (early)
        WR_TRY(read_delay(&e, "table.exec.emit.early-fire.delay", "Early-fire", "early-fire",
                          &emit->early_ms));
    if (late) {
        WR_TRY(read_delay(&e, "table.exec.emit.late-fire.delay", "Late-fire", "late-fire",
                          &emit->late_ms));
        WR_TRY(read_lateness(&e, emit));
    }
    if (!spec->rowtime) { /* nothing is late by the clock */
        emit->late_ms = -1;
        emit->lateness_ms = 0;
    }
    if (emit->early_ms >= 0 || emit->late_ms >= 0) *out = emit;
    return WR_OK;
}
