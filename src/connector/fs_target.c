/* SPDX-License-Identifier: Apache-2.0 */
/* Where a filesystem sink writes and when it commits partitions: its options, read once by each
 * writer and by each commit. */
#include "connector/fs_sink_int.h"

static wr_status
check_policy(wr_ctx *ctx, wr_str kind, wr_span span)
{
    if (wr_str_eq_nocase(kind, WR_STR("success-file"))) return WR_OK;
    if (wr_str_eq_nocase(kind, WR_STR("metastore")))
        return wr_raise_at(ctx, WR_OPTION, span,
                           "Can not configure a 'metastore' partition commit policy for a file "
                           "system table. You can only configure 'metastore' partition commit "
                           "policy for a hive table.");
    wr_hint(ctx, "the policy is success-file; a class of one's own cannot be loaded");
    if (wr_str_eq_nocase(kind, WR_STR("custom")))
        return wr_raise_at(ctx, WR_UNSUPPORTED, span,
                           "not supported: partition commit policy '%.*s'", WR_STR_ARG(kind));
    return wr_raise_at(ctx, WR_OPTION, span, "Unsupported policy: %.*s", WR_STR_ARG(kind));
}

/* sink.partition-commit.policy.kind: a list; success-file is the one there is. */
static wr_status
read_policies(wr_ctx *ctx, const wr_options *o, bool *success)
{
    wr_str kinds;
    const wr_option *item = wr_options_find(o, "sink.partition-commit.policy.kind");
    *success = item != NULL;
    if (!item) return WR_OK;
    WR_TRY(wri_option_str(ctx, o, wri_fs_options, "sink.partition-commit.policy.kind", &kinds));
    do {
        const char *comma = kinds.len ? memchr(kinds.ptr, ',', kinds.len) : NULL;
        wr_str kind = {kinds.ptr, comma ? (size_t)(comma - kinds.ptr) : kinds.len};
        WR_TRY(check_policy(ctx, kind, item->span));
        size_t step = kind.len + (comma ? 1 : 0);
        kinds = (wr_str){kinds.ptr + step, kinds.len - step};
    } while (kinds.len);
    return WR_OK;
}

/* A path below the partition: Flink makes the folders in it. */
static wr_status
check_success_name(wr_ctx *ctx, const wr_options *o)
{
    static const char *const key = "sink.partition-commit.success-file.name";
    const wr_option *item = wr_options_find(o, key);
    if (!item) return WR_OK;
    if (!item->value.len)
        return wr_raise_at(ctx, WR_OPTION, item->span,
                           "Can not create a Path from an empty string (option '%s')", key);
    for (wr_str rest = item->value; rest.ptr;) {
        const char *slash = memchr(rest.ptr, '/', rest.len);
        const wr_str step = {rest.ptr, slash ? (size_t)(slash - rest.ptr) : rest.len};
        if (!step.len || wr_str_eq_c(step, ".") || wr_str_eq_c(step, ".."))
            return wr_raise_at(ctx, WR_OPTION, item->span,
                               "option '%s' must name a file below the partition, not '%.*s'", key,
                               WR_STR_ARG(item->value));
        rest = slash ? (wr_str){slash + 1, rest.len - step.len - 1} : (wr_str){NULL, 0};
    }
    return WR_OK;
}

static wr_status
check_rolling(wr_ctx *ctx, const wr_options *o)
{
    static const char *const keys[] = {"sink.rolling-policy.file-size",
                                       "sink.rolling-policy.rollover-interval",
                                       "sink.rolling-policy.inactivity-interval"};
    for (uint32_t i = 0; i < WR_COUNT(keys); i++) {
        const wr_option *item = wr_options_find(o, keys[i]);
        int64_t value;
        WR_TRY(wri_option_int(ctx, o, wri_fs_options, keys[i], &value));
        if (item && value <= 0)
            return wr_raise_at(ctx, WR_OPTION, item->span, "option '%s' must be greater than 0",
                               keys[i]);
    }
    return WR_OK;
}

static wr_status
check_zone(wr_ctx *ctx, const wr_options *o)
{
    static const char *const key = "sink.partition-commit.watermark-time-zone";
    const wr_option *item = wr_options_find(o, key);
    const wr_tz *zone;
    wr_ctx quiet;
    if (!item) return WR_OK;
    wr_arena *a = wr_arena_create(NULL, 0);
    WR_TRY_ALLOC(ctx, a);
    wr_ctx_init(&quiet);
    const wr_status status = wr_tz_open(&quiet, a, item->value, &zone);
    wr_arena_destroy(a);
    if (status == WR_OK) return WR_OK;
    return wr_raise_at(ctx, WR_OPTION, item->span,
                       "Invalid time zone for '%s'. The value should be a Time Zone Database "
                       "(TZDB) ID such as 'America/Los_Angeles' to include daylight saving time. "
                       "Fixed offsets are supported using 'GMT-03:00' or 'GMT+03:00'. Or use 'UTC' "
                       "without time zone and daylight saving time.",
                       key);
}

wr_status
wri_target_check(wr_ctx *ctx, const wr_options *o)
{
    static const char *const none[] = {"partition.time-extractor.class",
                                       "partition.time-extractor.timestamp-formatter",
                                       "sink.partition-commit.policy.class"};
    wr_str kind;
    bool success;
    const wr_option *extractor = wr_options_find(o, "partition.time-extractor.kind");
    for (uint32_t i = 0; i < WR_COUNT(none); i++) {
        const wr_option *item = wr_options_find(o, none[i]);
        if (item)
            return wr_raise_at(ctx, WR_UNSUPPORTED, item->span, "not supported yet: option '%s'",
                               none[i]);
    }
    WR_TRY(wri_option_str(ctx, o, wri_fs_options, "partition.time-extractor.kind", &kind));
    if (extractor && !wr_str_eq_c(kind, "default")) {
        wr_hint(ctx, "the kind is default; a class of one's own cannot be loaded");
        if (wr_str_eq_nocase(kind, WR_STR("custom")))
            return wr_raise_at(ctx, WR_UNSUPPORTED, extractor->span,
                               "not supported: partition time extractor '%.*s'", WR_STR_ARG(kind));
        return wr_raise_at(ctx, WR_OPTION, extractor->span, "Unsupported extractor kind: %.*s",
                           WR_STR_ARG(kind));
    }
    WR_TRY(check_success_name(ctx, o));
    WR_TRY(check_rolling(ctx, o));
    WR_TRY(check_zone(ctx, o));
    return read_policies(ctx, o, &success);
}

/* auto-compaction; compaction.file-size is the rolling size by default. */
static wr_status
read_compaction(wr_ctx *ctx, const wr_options *o, uint64_t *bytes)
{
    bool on;
    int64_t size = 0;
    *bytes = 0;
    WR_TRY(wri_option_bool(ctx, o, wri_fs_options, "auto-compaction", &on));
    if (!on) return WR_OK;
    WR_TRY(wri_option_int(ctx, o, wri_fs_options, "compaction.file-size", &size));
    if (size <= 0)
        WR_TRY(wri_option_int(ctx, o, wri_fs_options, "sink.rolling-policy.file-size", &size));
    *bytes = (uint64_t)WR_MAX(size, 1);
    return WR_OK;
}

wr_status
wri_target_open(wr_ctx *ctx, const wr_sink_spec *spec, wr_arena *a, wri_target *out)
{
    const wr_options *o = &spec->options;
    wr_option_value trigger;
    wr_str zone;
    *out = (wri_target){0};
    WR_TRY(wri_fs_path_option(ctx, o, &out->path));
    while (out->path.len > 1 && out->path.ptr[out->path.len - 1] == '/') out->path.len--;
    out->fs = wr_find_fs(out->path);
    if (!out->fs)
        return wr_raise(ctx, WR_UNSUPPORTED, "not supported yet: file system of '%.*s'",
                        WR_STR_ARG(out->path));
    WR_TRY(wri_option_str(ctx, o, wri_fs_options, "partition.default-name", &out->default_name));
    WR_TRY(wri_option_str(ctx, o, wri_fs_options, "sink.partition-commit.success-file.name",
                          &out->success_name));
    WR_TRY(read_compaction(ctx, o, &out->compact_bytes));
    WR_TRY(read_policies(ctx, o, &out->success));
    out->success = out->success && spec->partition_count > 0;
    WR_TRY(wr_options_get(ctx, o, wri_fs_options, "sink.partition-commit.trigger", &trigger));
    out->partition_time = trigger.i == 1;
    WR_TRY(wri_option_int(ctx, o, wri_fs_options, "sink.partition-commit.delay", &out->delay_ms));
    WR_TRY(wri_option_str(ctx, o, wri_fs_options, "partition.time-extractor.timestamp-pattern",
                          &out->pattern));
    WR_TRY(
        wri_option_str(ctx, o, wri_fs_options, "sink.partition-commit.watermark-time-zone", &zone));
    return wr_tz_open(ctx, a, zone, &out->zone);
}

wr_status
wri_target_path(wr_ctx *ctx, const wri_target *t, wr_str dir, wr_str name, wr_arena *a, wr_str *out)
{
    *out = wr_arena_printf(a, "%.*s%s%.*s%s%.*s", WR_STR_ARG(t->path), dir.len ? "/" : "",
                           WR_STR_ARG(dir), name.len ? "/" : "", WR_STR_ARG(name));
    return out->ptr ? WR_OK : wr_raise(ctx, WR_NOMEM, "out of memory");
}

/* ---- the time of a partition ----------------------------------------------------------------- */

/* Value number `index` of "k=v/k=v", with its key. */
static wr_status
value_at(wr_ctx *ctx, wr_str dir, uint32_t index, wr_arena *a, wr_str *key, wr_str *value)
{
    wr_str rest = dir;
    for (uint32_t i = 0; rest.len; i++) {
        const char *slash = memchr(rest.ptr, '/', rest.len);
        const wr_str folder = {rest.ptr, slash ? (size_t)(slash - rest.ptr) : rest.len};
        if (i == index) return wri_partition_split(ctx, folder, a, key, value);
        const size_t step = folder.len + (slash ? 1 : 0);
        rest = (wr_str){rest.ptr + step, rest.len - step};
    }
    *key = *value = (wr_str){NULL, 0};
    return WR_OK;
}

/* The pattern with each $key replaced by its value. */
static wr_status
fill_pattern(wr_ctx *ctx, wr_str pattern, wr_str dir, wr_arena *a, wr_str *out)
{
    *out = pattern;
    for (uint32_t i = 0;; i++) {
        wr_str key, value;
        wr_text t;
        WR_TRY(value_at(ctx, dir, i, a, &key, &value));
        if (!key.ptr) return WR_OK;
        wr_text_init(&t, a);
        for (size_t k = 0; k < out->len;) {
            const bool hit = out->ptr[k] == '$' && out->len - k > key.len &&
                             memcmp(out->ptr + k + 1, key.ptr, key.len) == 0;
            if (hit)
                wr_text_put(&t, value.ptr, value.len);
            else
                wr_text_putc(&t, out->ptr[k]);
            k += hit ? key.len + 1 : 1;
        }
        if (t.failed) return wr_text_raise(ctx, &t);
        *out = wr_text_str(&t);
    }
}

static wr_status
partition_time(wr_ctx *ctx, const wri_target *t, wr_str dir, wr_arena *a, int64_t *out)
{
    wr_str text, key;
    wr_ts ts;
    char why[WR_WHY_MAX];
    if (t->pattern.ptr)
        WR_TRY(fill_pattern(ctx, t->pattern, dir, a, &text));
    else
        WR_TRY(value_at(ctx, dir, 0, a, &key, &text));
    if (!wr_ts_parse(text, &ts, why)) {
        wr_status status =
            wr_raise(ctx, WR_DATA, "the time of partition '%.*s' cannot be read from '%.*s'",
                     WR_STR_ARG(dir), WR_STR_ARG(text));
        wr_hint(ctx, "option 'partition.time-extractor.timestamp-pattern' says how it is made of "
                     "the partition's columns, as in '$dt $hour:00:00'");
        return status;
    }
    *out = wr_tz_to_utc(t->zone, ts.ms);
    return WR_OK;
}

wr_status
wri_partition_is_past(wr_ctx *ctx, const wri_target *t, wr_str dir, int64_t watermark, wr_arena *a,
                      bool *out)
{
    int64_t due;
    WR_TRY(partition_time(ctx, t, dir, a, &due));
    if (__builtin_add_overflow(due, t->delay_ms, &due)) due = INT64_MAX;
    *out = watermark > due;
    return WR_OK;
}
