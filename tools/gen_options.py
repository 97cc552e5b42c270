#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/catalog/options_flink.def, the table of session options, from tests/data/flink/flink-options.tsv (every option of
Flink 2.3 with type, default and older names), OWN below and the sources: an option counts as used when some file of src/ reads
it. Used ones come first. --check only compares and exits with 1 when the file is not what this makes."""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = os.path.join(ROOT, "tests/data/flink/flink-options.tsv")
TARGET = os.path.join(ROOT, "src/catalog/options_flink.def")

TYPES = {"Boolean": "BOOL", "Integer": "INT", "Long": "LONG", "Float": "FLOAT", "Double": "DOUBLE", "Duration": "DURATION",
         "MemorySize": "MEMORY", "String": "STRING", "Map": "MAP"}

# Groups of the table whose options belong to tables, formats, hints, catalogs or functions, not to a session.
ELSEWHERE = {"LOOKUP hint", "ML_PREDICT CONFIG map", "VECTOR_SEARCH CONFIG map", "catalog generic_in_memory", "catalog store file",
             "lookup cache (connectors)", "table factory (any connector)"}
# Reporter options stand in the table without the reporter's prefix; they are read below FAMILIES.
BARE_GROUPS = {"Metric", "Trace", "Event"}

# Keys with a free part: '#' stands for it.
FAMILIES = ["metrics.reporter.#", "traces.reporter.#", "events.reporter.#", "metrics.scope.#", "external-resource.#", "kubernetes.#", "yarn.#",
            "containerized.#", "security.#", "fs.#", "s3.#", "s3a.#", "oss.#", "flink.hadoop.#", "presto.s3.#", "python.#", "env.#",
            "table.catalog-store.#", "restart-strategy.#", "workflow-scheduler.#", "sql-gateway.#", "state.backend.#"]

# Options of weir itself: key -> (type, default or None, values or None, what it does).
OWN = {
    "weir.explain.state": ("BOOL", "true", None, "EXPLAIN CHANGELOG_MODE ends with a section that tells each node's changes in words, its "
                           "upsert key and how its state grows."),
    "weir.state.rocksdb.cache-size": ("MEMORY", None, None, "Memory for entries at hand of one operator's RocksDB state; without it, "
                                      "half of the managed memory is divided among the operators."),
}

# What the options do that weir acts on.
DOC = {
    "execution.runtime-mode": "Run queries as streams of changes (STREAMING) or to a final result (BATCH); AUTOMATIC takes BATCH when "
                              "every source is bounded.",
    "parallelism.default": "How many tasks work on each operator.",
    "pipeline.auto-watermark-interval": "How often sources emit watermarks; 0 ms emits one after every row.",
    "pipeline.max-parallelism": "Number of key groups, the upper bound of parallelism; -1 takes 128.",
    "pipeline.name": "Name of the job.",
    "pipeline.operator-chaining.enabled": "Run operators that forward to each other in one task.",
    "table.sql-dialect": "Dialect of SQL; there is only the default one.",
    "table.dml-sync": "Whether INSERT waits for the end of its job even over unbounded input.",
    "table.dynamic-table-options.enabled": "Whether OPTIONS hints are allowed.",
    "table.display.max-column-width": "Widest column of the tableau of a streaming result.",
    "table.local-time-zone": "Time zone of the session: TIMESTAMP_LTZ values are shown and computed in it.",
    "table.column-expansion-strategy": "Which columns SELECT * leaves out.",
    "table.builtin-catalog-name": "Name of the catalog a session starts with.",
    "table.builtin-database-name": "Name of the database a session starts with.",
    "table.exec.legacy-cast-behaviour": "Failing casts give NULL (ENABLED) instead of an error.",
    "table.exec.mini-batch.allow-latency": "How long changes may wait to be folded per key.",
    "table.exec.mini-batch.enabled": "Fold the changes of several rows per key before they are emitted.",
    "table.exec.mini-batch.size": "How many rows are folded at most.",
    "table.exec.rank.topn-cache-size": "Rows that Top-N keeps at hand.",
    "table.exec.resource.default-parallelism": "Parallelism of table jobs; -1 takes parallelism.default.",
    "table.exec.sink.not-null-enforcer": "What a NULL in a NOT NULL column of a sink does: fail the job or drop the row.",
    "table.exec.sink.require-on-conflict": "Refuse INSERTs whose upsert key is not the sink's primary key unless ON CONFLICT is said.",
    "table.exec.sink.type-length-enforcer": "What a CHAR, VARCHAR, BINARY or VARBINARY value of the wrong length does at a sink.",
    "table.exec.sink.upsert-materialize": "Whether changes are put in order per primary key before an upsert sink.",
    "table.exec.sink.keyed-shuffle": "Whether rows are distributed by primary key before a sink.",
    "table.exec.source.cdc-events-duplicate": "The source may deliver changes twice: normalise them by primary key.",
    "table.exec.source.idle-timeout": "A source without rows for that long holds no watermark back; 0 ms: it does for ever.",
    "table.exec.state.ttl": "State of a key that was not touched for that long may be dropped; 0 ms: never.",
    "table.exec.sort.default-limit": "LIMIT of an ORDER BY without one; -1: none.",
    "table.exec.disabled-operators": "Operators that batch planning may not use.",
    "table.exec.emit.early-fire.enabled": "Windows of GROUP BY come out before they are over.",
    "table.exec.emit.late-fire.enabled": "Windows of GROUP BY come out again for late rows.",
    "table.exec.emit.early-fire.delay": "How often they do, by processing time; 0 ms: with every row.",
    "table.exec.emit.late-fire.delay": "The same for late rows.",
    "table.exec.emit.allow-lateness": "How long windows of GROUP BY take late rows, with late firing; unset: as long as state is kept.",
    "table.optimizer.agg-phase-strategy": "Aggregate in one or two phases.",
    "table.optimizer.join.broadcast-threshold": "A build side of at most that many bytes is broadcast; -1: never.",
    "table.optimizer.join-reorder-enabled": "Order joins by cost.",
    "table.optimizer.multi-join.enabled": "Streaming inner and left joins of inputs that share a key are one join, which keeps its inputs "
                                          "and nothing in between.",
    "table.optimizer.reuse-sub-plan-enabled": "Compute equal parts of a plan once.",
    "table.rtas-ctas.atomicity-enabled": "CREATE TABLE AS shows the table only when it is filled.",
    "execution.checkpointing.interval": "How often a checkpoint is taken; unset: checkpoints are off. At least 10 ms.",
    "execution.checkpointing.interval-during-backlog": "The same while a source works off what has piled up; 0: none meanwhile.",
    "execution.checkpointing.mode": "EXACTLY_ONCE aligns the barriers of a task's inputs; AT_LEAST_ONCE does not, and rows may count "
                                    "twice after a failure.",
    "execution.checkpointing.timeout": "A checkpoint that takes longer has failed.",
    "execution.checkpointing.min-pause": "Time between the end of a checkpoint and the beginning of the next.",
    "execution.checkpointing.max-concurrent-checkpoints": "How many checkpoints may be under way.",
    "execution.checkpointing.tolerable-failed-checkpoints": "How many checkpoints in a row may fail before the job does.",
    "execution.checkpointing.externalized-checkpoint-retention": "Whether checkpoints stay when the job is cancelled or has failed.",
    "execution.checkpointing.num-retained": "How many complete checkpoints are kept.",
    "execution.checkpointing.dir": "Folder of checkpoints: `<dir>/<job id>/chk-<n>`.",
    "execution.checkpointing.savepoint-dir": "Folder of savepoints that name none of their own.",
    "execution.checkpointing.storage": "`jobmanager` (in memory, gone with the process) or `filesystem`; a folder in "
                                       "execution.checkpointing.dir means the latter.",
    "execution.checkpointing.incremental": "Whether a checkpoint holds only what is new and refers to earlier files for the rest.",
    "execution.checkpointing.unaligned.enabled": "Barriers overtake rows that are on their way, which become part of the checkpoint; in mode "
                                                 "EXACTLY_ONCE.",
    "execution.checkpointing.aligned-checkpoint-timeout": "How long after its trigger an unaligned checkpoint is still an aligned one.",
    "execution.checkpointing.write-buffer-size": "Buffer in front of the files of checkpoints.",
    "execution.state-recovery.path": "Savepoint or checkpoint to start from.",
    "execution.state-recovery.claim-mode": "Whether the files of that savepoint become the job's own (CLAIM) or are left alone (NO_CLAIM).",
    "execution.state-recovery.ignore-unclaimed-state": "Whether state of that savepoint may be dropped when no operator takes it.",
    "restart-strategy.type": "What follows a failure: `none`, `fixed-delay`, `failure-rate` or `exponential-delay`; unset: none without "
                             "checkpoints, exponential-delay with.",
    "restart-strategy.fixed-delay.attempts": "How often the job is started again.",
    "restart-strategy.fixed-delay.delay": "Time before it is.",
    "restart-strategy.failure-rate.max-failures-per-interval": "So many failures in one interval are too many.",
    "restart-strategy.failure-rate.failure-rate-interval": "The interval in which failures are counted.",
    "restart-strategy.failure-rate.delay": "Time before the job is started again.",
    "restart-strategy.exponential-delay.initial-backoff": "Time before the first restart.",
    "restart-strategy.exponential-delay.max-backoff": "Longest time before a restart.",
    "restart-strategy.exponential-delay.backoff-multiplier": "By how much the time grows from restart to restart.",
    "restart-strategy.exponential-delay.reset-backoff-threshold": "After so long without a failure the time is the initial one again.",
    "restart-strategy.exponential-delay.jitter-factor": "Share of the time that chance adds or takes away.",
    "restart-strategy.exponential-delay.attempts-before-reset-backoff": "How many restarts there may be before the job has failed.",
    "jobmanager.execution.failover-strategy": "What is started again after a failure: the part of the job that hangs together (`region`) "
                                              "or all of it (`full`).",
    "state.backend.type": "Where state lives: `hashmap` (memory) or `rocksdb` (memory and local disk).",
    "table.exec.sink.rowtime-inserter": "Whether the rowtime column is written into the sink's records.",
    "state.backend.rocksdb.compression.per.level":
        "Of the files of each level. Without this option: none on levels 0 and 1, LZ4 below.",
    "state.backend.rocksdb.memory.high-prio-pool-ratio": "Only checked: with the write-buffer-ratio at most 1. No part of the cache is kept for indexes.",
    "state.backend.rocksdb.localdir": "Folder for the files of RocksDB; without it, that for temporary files.",
    "state.backend.rocksdb.memory.managed": "RocksDB lives within the managed memory; false: every operator has write buffers and block "
                                            "cache of its own.",
    "state.backend.rocksdb.memory.write-buffer-ratio": "Share of write buffers in the memory of RocksDB; the rest caches blocks.",
    "state.backend.rocksdb.memory.fixed-per-slot": "Memory per slot of state in RocksDB, instead of managed memory.",
    "state.backend.rocksdb.memory.fixed-per-tm": "Memory of the process for state in RocksDB, instead of managed memory.",
    "state.backend.rocksdb.predefined-options": "DEFAULT, SPINNING_DISK_OPTIMIZED, SPINNING_DISK_OPTIMIZED_HIGH_MEM or "
                                                "FLASH_SSD_OPTIMIZED.",
    "state.backend.rocksdb.use-bloom-filter": "Files have filters of keys. Without this option they have.",
    "taskmanager.memory.managed.size": "Memory for state backends outside of their own counting (RocksDB).",
    "taskmanager.memory.managed.fraction": "Share of the process's memory that is managed, where no size is given.",
    "taskmanager.memory.process.size": "What the managed memory is a share of; without it, the machine's or control group's memory.",
    "sql-client.execution.result-mode": "How the shell shows results.",
    "sql-client.execution.max-table-result.rows": "Rows that the result mode TABLE keeps.",
    "sql-client.verbose": "Show the causes of an error.",
    "sql-client.display.print-time-cost": "Show how long a statement took.",
    "sql-client.display.color-schema": "Colours of the shell.",
    "sql-client.display.show-line-numbers": "Number the lines of what is typed.",
}


def c_text(s):
    return "NULL" if s is None else '"' + s.replace("\\", "\\\\").replace('"', '\\"') + '"'


def default_of(text, kind):
    if text == "(none)" or text.startswith("(the ") or (text == "null" and kind == "STRING"):
        return None
    if text in ("''", "[]", "{}"):
        return ""
    return text


def used_keys(table):
    """Keys that stand as a string of their own in the sources."""
    found, read = set(), set()
    for path in glob.glob(os.path.join(ROOT, "src/**/*.[ch]"), recursive=True):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        found |= set(re.findall(r'"([a-z][\w.$-]+)"', text)) & set(table)
        read |= set(re.findall(r'\bwr_config_(?:bool|int|str)\(\s*[^;"]*?"([^"]+)"\s*\)', text))
    return {k for k in found if "." in k}, read


def rows():
    """key -> (type, default, values, older keys)"""
    out = {}
    with open(TABLE, encoding="utf-8") as f:
        lines = f.read().split("\n")[1:]
    for line in lines:
        if not line:
            continue
        key, kind, default, older, group = line.split("\t")
        if group in ELSEWHERE or group.startswith(("connector ", "format ")) or "<" in key or (group in BARE_GROUPS and "." not in key):
            continue
        if group in BARE_GROUPS and key.split(".")[0] in ("factory", "filter", "scope"):
            continue
        values = None
        if kind.startswith("Enum: "):
            values, kind = kind[6:], "ENUM"
        elif kind.startswith("List<"):
            kind = "LIST"
        else:
            kind = TYPES[kind]
        names = [re.sub(r" \(.*\)$", "", o.strip()) for o in older.split(";") if o.strip()]
        if "." not in key and not names and group not in ("Core", "Cluster", "Deployment", "Execution", "StateBackend", "JobManager"):
            continue
        if key not in out:
            out[key] = (kind, default_of(default, kind), values, [n for n in names if "<" not in n and n != key])
    return out


def page():
    table = rows()
    for key, (kind, default, values, _) in OWN.items():
        table[key] = (kind, default, values, [])
    used, read = used_keys(table)
    unknown = sorted(read - set(table))
    if unknown:
        sys.exit(f"tools/gen_options.py: read by the sources but neither Flink's nor in OWN: {unknown}")
    first = sorted(k for k in table if k in used or k in OWN)
    rest = sorted(k for k in table if k not in used and k not in OWN)
    out = ["/* SPDX-License-Identifier: Apache-2.0 */",
           "/* Generated by tools/gen_options.py from tests/data/flink/flink-options.tsv and the sources. Do not edit.",
           " * USED(key, type, default, values, doc): weir acts on it; KNOWN: Flink has it; OLDER(old key, key). */",
           "/* clang-format off */"]
    for key in first:
        kind, default, values, _ = table[key]
        doc = OWN[key][3] if key in OWN else DOC.get(key, "")
        out.append(f"USED({c_text(key)}, {kind}, {c_text(default)}, {c_text(values)}, {c_text(doc)})")
    for key in rest:
        kind, default, values, _ = table[key]
        out.append(f"KNOWN({c_text(key)}, {kind}, {c_text(default)}, {c_text(values)})")
    for key in FAMILIES:
        out.append(f"KNOWN({c_text(key)}, STRING, NULL, NULL)")
    older = sorted((o, k) for k in table for o in table[k][3] if o not in table)
    out += [f"OLDER({c_text(o)}, {c_text(k)})" for o, k in older]
    return "\n".join(out) + "\n"


def main():
    want = page()
    if "--check" in sys.argv[1:]:
        have = open(TARGET, encoding="utf-8").read() if os.path.exists(TARGET) else ""
        if have != want:
            sys.exit("src/catalog/options_flink.def is not what tools/gen_options.py makes: run ./dev bless")
        return
    with open(TARGET, "w", encoding="utf-8") as f:
        f.write(want)


if __name__ == "__main__":
    main()
