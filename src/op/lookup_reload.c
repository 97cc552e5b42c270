/* SPDX-License-Identifier: Apache-2.0 */
/* When the table that a lookup join keeps is read again. The times are Flink's: every interval from
 * the opening on, or a time of the day; a table is read then or, when no row comes, with the next
 * row, but the times stay what they are. */
#include "op/lookup_int.h"
#include "types/datetime.h"

#define DAY_MS 86400000LL

/* The first of the times `base` + n * `every` that is later than `now`. */
static int64_t
next_of(int64_t base, int64_t every, int64_t now)
{
    return now < base ? base : base + ((now - base) / every + 1) * every;
}

void
wri_reload_open(wri_reload *r, const wr_reload *spec, const wr_tz *tz, int64_t now_ms)
{
    *r = (wri_reload){.spec = spec, .base_ms = now_ms, .due_ms = now_ms};
    if (spec->kind != WR_RELOAD_TIMED) return;
    /* of today, or of tomorrow when that is past: from there on days of 24 hours */
    const int64_t offset = spec->local ? (int64_t)wr_tz_offset_at(tz, now_ms) * 1000 : 0;
    const int64_t local = now_ms + offset;
    const int64_t today = local - ((local % DAY_MS) + DAY_MS) % DAY_MS + spec->at_ms;
    r->base_ms = (today < local ? today + DAY_MS : today) - offset;
}

bool
wri_reload_due(const wri_reload *r, int64_t now_ms)
{
    return now_ms >= r->due_ms;
}

void
wri_reload_done(wri_reload *r, int64_t began_ms, int64_t ended_ms)
{
    if (r->spec->kind == WR_RELOAD_NEVER) {
        r->due_ms = INT64_MAX;
        return;
    }
    if (r->spec->kind == WR_RELOAD_DELAY) r->base_ms += WR_MAX(ended_ms - began_ms, 0);
    r->due_ms = next_of(r->base_ms, r->spec->every_ms, began_ms);
}
