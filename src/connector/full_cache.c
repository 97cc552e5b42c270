/* SPDX-License-Identifier: Apache-2.0 */
/* 'lookup.cache' = 'FULL': the options that say when a table is read again, checked as Flink's
 * PeriodicCacheReloadTrigger and TimedCacheReloadTrigger check them (its sentences). */
#include "connector/connector_int.h"

#define KEY(what) "lookup.full-cache." what
#define DAY_MS    86400000LL

static wr_status
missing(wr_ctx *ctx, const char *key, const char *what)
{
    return wr_raise(ctx, WR_OPTION,
                    "Missing '%s' in the configuration. This option is required to build %s cache "
                    "reload trigger.",
                    key, what);
}

static wr_status
read_periodic(wr_ctx *ctx, const wr_options *options, const wr_option_def *defs, wr_reload *out)
{
    wr_option_value every, mode;
    const bool chosen = wr_options_find(options, KEY("reload-strategy")) != NULL;
    WR_TRY(wr_options_get(ctx, options, defs, KEY("periodic-reload.interval"), &every));
    WR_TRY(wr_options_get(ctx, options, defs, KEY("periodic-reload.schedule-mode"), &mode));
    /* a table of which nothing is said is never read again */
    if (!every.set && !chosen) return WR_OK;
    if (!every.set) return missing(ctx, KEY("periodic-reload.interval"), "Periodic");
    if (every.i <= 0) return wr_raise(ctx, WR_OPTION, "Reload interval must be greater than zero.");
    out->kind =
        wr_str_eq_nocase(mode.text, WR_STR("FIXED_RATE")) ? WR_RELOAD_RATE : WR_RELOAD_DELAY;
    out->every_ms = every.i;
    return WR_OK;
}

/* ---- ISO_TIME -------------------------------------------------------------------------------- */

typedef struct iso_text {
    wr_str text;
    size_t at, failed_at; /* failed_at: where it is no time */
    bool rest;            /* it is one up to there */
    const char *field;    /* that is out of its range, else NULL */
    int32_t value, max;
    bool no_offset; /* an offset that Java cannot add up */
} iso_text;

static bool
take_two(iso_text *t, const char *field, int32_t max, int64_t *out)
{
    const char *s = t->text.ptr + t->at;
    if (t->text.len - t->at < 2 || s[0] < '0' || s[0] > '9' || s[1] < '0' || s[1] > '9') {
        t->failed_at = t->at;
        return false;
    }
    *out = (s[0] - '0') * 10 + (s[1] - '0');
    t->at += 2;
    if (*out > max && field && !t->field) {
        t->field = field;
        t->value = (int32_t)*out;
        t->max = max;
    }
    return true;
}

static bool
take_char(iso_text *t, char c)
{
    if (t->at >= t->text.len || t->text.ptr[t->at] != c) return false;
    t->at++;
    return true;
}

/* HH:mm[:ss[.n]] */
static bool
take_time(iso_text *t, int64_t *ms)
{
    int64_t h = 0, m = 0, s = 0, frac = 0, unit = 100;
    if (!take_two(t, "HourOfDay", 23, &h)) return false;
    if (!take_char(t, ':')) {
        t->failed_at = t->at;
        return false;
    }
    if (!take_two(t, "MinuteOfHour", 59, &m)) return false;
    const size_t minutes = t->at;
    if (take_char(t, ':') && !take_two(t, "SecondOfMinute", 59, &s)) t->at = minutes;
    if (t->at > minutes && take_char(t, '.'))
        for (; t->at < t->text.len && t->text.ptr[t->at] >= '0' && t->text.ptr[t->at] <= '9';
             t->at++, unit /= 10)
            frac += (t->text.ptr[t->at] - '0') * unit;
    *ms = ((h * 60 + m) * 60 + s) * 1000 + frac;
    return true;
}

/* Z, +HH:mm[:ss] or -HH:mm[:ss], to the end. One of more than 18 hours is none: the time is local
 * then, as with Java. */
static bool
take_offset(iso_text *t, int64_t *ms, bool *local)
{
    int64_t h = 0, m = 0, s = 0;
    *ms = 0;
    if (take_char(t, 'Z') || take_char(t, 'z')) return t->at == t->text.len;
    const bool minus = take_char(t, '-');
    if (!minus && !take_char(t, '+')) return false;
    if (!take_two(t, NULL, 0, &h) || !take_char(t, ':') || !take_two(t, NULL, 0, &m)) return false;
    if (take_char(t, ':') && !take_two(t, NULL, 0, &s)) return false;
    t->no_offset = h > 23 || m > 59 || s > 59;
    const int64_t seconds = (h * 60 + m) * 60 + s;
    *local = seconds > 18 * 3600;
    *ms = *local ? 0 : seconds * 1000 * (minus ? -1 : 1);
    return t->at == t->text.len;
}

static wr_status
read_time(wr_ctx *ctx, wr_str text, wr_reload *out)
{
    iso_text t = {.text = text};
    int64_t time = 0, offset = 0;
    bool ok = take_time(&t, &time);
    if (ok && t.at < text.len) {
        const size_t at = t.at;
        ok = take_offset(&t, &offset, &out->local);
        t.rest = !ok;
        if (!ok) t.failed_at = at;
    } else if (ok) {
        out->local = true;
    }
    if (!ok)
        return wr_raise(ctx, WR_OPTION, "Text '%.*s' could not be parsed%s at index %zu",
                        WR_STR_ARG(text), t.rest ? ", unparsed text found" : "", t.failed_at);
    if (t.no_offset)
        return wr_raise(ctx, WR_OPTION,
                        "Text '%.*s' could not be parsed: Value out of range: Hour[0-23], "
                        "Minute[0-59], Second[0-59]",
                        WR_STR_ARG(text));
    if (t.field)
        return wr_raise(ctx, WR_OPTION,
                        "Text '%.*s' could not be parsed: Invalid value for %s (valid values 0 - "
                        "%d): %d",
                        WR_STR_ARG(text), t.field, t.max, t.value);
    out->at_ms = ((time - offset) % DAY_MS + DAY_MS) % DAY_MS;
    return WR_OK;
}

static wr_status
read_timed(wr_ctx *ctx, const wr_options *options, const wr_option_def *defs, wr_reload *out)
{
    wr_option_value at, days;
    WR_TRY(wr_options_get(ctx, options, defs, KEY("timed-reload.iso-time"), &at));
    WR_TRY(wr_options_get(ctx, options, defs, KEY("timed-reload.interval-in-days"), &days));
    if (!at.set) return missing(ctx, KEY("timed-reload.iso-time"), "a Timed");
    WR_TRY(read_time(ctx, at.text, out));
    if (days.i < 1)
        return wr_raise(ctx, WR_OPTION,
                        "Reload interval for Timed cache reload trigger must be at least 1 day.");
    out->kind = WR_RELOAD_TIMED;
    out->every_ms = days.i * DAY_MS;
    return WR_OK;
}

wr_status
wri_full_cache(wr_ctx *ctx, const wr_options *options, const wr_option_def *defs,
               wr_source_info *out)
{
    wr_option_value cache, strategy;
    WR_TRY(wr_options_get(ctx, options, defs, "lookup.cache", &cache));
    if (!wr_str_eq_nocase(cache.text, WR_STR("FULL"))) return WR_OK;
    WR_TRY(wr_options_get(ctx, options, defs, KEY("reload-strategy"), &strategy));
    out->can_lookup = true;
    return wr_str_eq_nocase(strategy.text, WR_STR("TIMED"))
               ? read_timed(ctx, options, defs, &out->reload)
               : read_periodic(ctx, options, defs, &out->reload);
}
