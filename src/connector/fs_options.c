/* SPDX-License-Identifier: Apache-2.0 */
/* Options of the filesystem connector: Flink's names, types and defaults. */
#include "connector/fs_int.h"

const wr_option_def wri_fs_options[] = {
    {"path", WR_OPT_STRING, NULL, NULL, WR_OPTF_REQUIRED,
     "A file, a folder (everything below it), or a glob."},
    {"format", WR_OPT_STRING, NULL, NULL, WR_OPTF_REQUIRED | WR_OPTF_FORMAT,
     "The format of the files."},
    {"partition.default-name", WR_OPT_STRING, "__DEFAULT_PARTITION__", NULL, 0,
     "The folder name that stands for NULL or an empty text in a partition column."},
    {"partition.time-extractor.kind", WR_OPT_STRING, "default", NULL, 0,
     "How the time of a partition is found: default or custom."},
    {"partition.time-extractor.class", WR_OPT_STRING, NULL, NULL, 0,
     "A class for kind custom; not supported."},
    {"partition.time-extractor.timestamp-pattern", WR_OPT_STRING, NULL, NULL, 0,
     "The time of a partition out of its columns: '$dt $hour:00:00'."},
    {"partition.time-extractor.timestamp-formatter", WR_OPT_STRING, NULL, NULL, 0,
     "Not supported: the pattern of that time."},
    {"source.monitor-interval", WR_OPT_DURATION, NULL, NULL, 0,
     "Look for new files and new lines that often; the source is unbounded then."},
    {"source.path.regex-pattern", WR_OPT_STRING, NULL, NULL, 0,
     "Read only files whose whole path matches."},
    {"source.report-statistics", WR_OPT_ENUM, "ALL", "NONE|ALL", 0,
     "Whether sizes are reported to the planner."},
    {"source.file.stream.io-fetch-size", WR_OPT_MEMORY, "1 mb", NULL, 0,
     "Bytes per read where files are not mapped."},
    {"scan.watermark.per-split", WR_OPT_BOOL, "false", NULL, 0,
     "Each file has a watermark of its own, the lowest counts; else the reader has one, as in "
     "Flink."},
    {"lookup.cache", WR_OPT_ENUM, "NONE", "NONE|PARTIAL|FULL", 0,
     "FULL: lookup joins read the table whole and keep it in memory; they need it."},
#include "connector/full_cache.def"
    {"sink.rolling-policy.file-size", WR_OPT_MEMORY, "128 mb", NULL, 0,
     "A part file is closed when it is as big."},
    {"sink.rolling-policy.rollover-interval", WR_OPT_DURATION, "30 min", NULL, 0,
     "A part file is closed when it is as old."},
    {"sink.rolling-policy.inactivity-interval", WR_OPT_DURATION, "30 min", NULL, 0,
     "A part file is closed when nothing was written for that long."},
    {"sink.rolling-policy.check-interval", WR_OPT_DURATION, "1 min", NULL, 0,
     "How often the two intervals are looked at."},
    {"sink.shuffle-by-partition.enable", WR_OPT_BOOL, "false", NULL, 0,
     "Bring rows of a partition to one subtask."},
    {"sink.partition-commit.trigger", WR_OPT_ENUM, "process-time", "process-time|partition-time", 0,
     "When a partition is complete."},
    {"sink.partition-commit.delay", WR_OPT_DURATION, "0 ms", NULL, 0,
     "How long after its time a partition is complete."},
    {"sink.partition-commit.watermark-time-zone", WR_OPT_STRING, "UTC", NULL, 0,
     "The zone of a partition's time."},
    {"sink.partition-commit.policy.kind", WR_OPT_STRING, NULL, NULL, 0,
     "What happens to a complete partition: success-file."},
    {"sink.partition-commit.policy.class", WR_OPT_STRING, NULL, NULL, 0,
     "A class for kind custom; not supported."},
    {"sink.partition-commit.policy.class.parameters", WR_OPT_LIST, NULL, NULL, 0,
     "Parameters of that class."},
    {"sink.partition-commit.success-file.name", WR_OPT_STRING, "_SUCCESS", NULL, 0,
     "The name of the file that policy success-file writes."},
    {"auto-compaction", WR_OPT_BOOL, "false", NULL, 0,
     "Put small files of a checkpoint together before they become visible."},
    {"compaction.file-size", WR_OPT_MEMORY, NULL, NULL, 0,
     "The size of such files; default: that of the rolling policy."},
    {"sink.parallelism", WR_OPT_INT, NULL, NULL, 0, "Parallelism of the sink."},
    {NULL, WR_OPT_STRING, NULL, NULL, 0, NULL}};

wr_status
wri_fs_path_option(wr_ctx *ctx, const wr_options *o, wr_str *out)
{
    WR_TRY(wri_option_str(ctx, o, wri_fs_options, "path", out));
    const wr_option *path = wr_options_find(o, "path");
    if (out->len) return WR_OK;
    return wr_raise_at(ctx, WR_OPTION, path ? path->span : WR_NO_SPAN, "option 'path' is empty");
}
