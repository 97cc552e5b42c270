#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What checkpoints cost a running job.

    tests/bench/checkpoints.py --weir build/release/weir [NAME...] [--runs 3] [--scale 1.0] [--json FILE] [--check]

q17 of Nexmark, its joins bid x auction and person x auction, COUNT(DISTINCT bidder) by channel, each without
checkpoints, with one every 10 s and with one every second, interleaved in one run on the same events. A figure is the
wall time of the whole process, start-up included; the overhead is the median of the ratios of neighbours (with / without).
Beside it stands the same of the processor time of all threads, the snapshot's included: what checkpoints cost where there is
no second core for them. On a machine that does other work, wall time says little, and that of the processor is too high: a
run that takes longer takes more checkpoints.
Runs last some 30 seconds, several intervals: in one that ends just behind its first interval, the one checkpoint is of all the
state, not of what an interval changed, and weighs on less than an interval of work.
Checkpoints are incremental, on the local disk, in a folder that is removed afterwards. Targets: 10 s at most 5 %, 1 s at most
15 %. "task" is the processor time of all threads but the snapshot's: what is lost where each task has a core and snapshots are
written by another.

    tests/bench/checkpoints.py recovery [--scale 1.0] [--parallelism 1]

A job with some GB of state in memory is killed with SIGKILL behind a checkpoint and started again: how long from the start of
the process to its first row, and the processor time until then. Target: 0.2 s + 1 s a GB of state.
"""
import argparse
import json
import mmap
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from run import BIDS, ROOT, SINK

VIEWS = """CREATE VIEW person AS SELECT person.id, person.name, person.city, person.state FROM events WHERE event_type = 0;
CREATE VIEW auction AS SELECT auction.id, auction.itemName, auction.seller, auction.category FROM events
  WHERE event_type = 1;
"""
# name: (events, columns of the sink, query)
QUERIES = {
    "q17": (240_000_000,
            "auction BIGINT, `day` STRING, total BIGINT, rank1 BIGINT, rank2 BIGINT, rank3 BIGINT, lo BIGINT, hi BIGINT, "
            "mean BIGINT, s BIGINT, PRIMARY KEY (auction, `day`) NOT ENFORCED",
            "SELECT auction, DATE_FORMAT(`dateTime`, 'yyyy-MM-dd'), COUNT(*), COUNT(*) FILTER (WHERE price < 10000), "
            "COUNT(*) FILTER (WHERE price >= 10000 AND price < 1000000), COUNT(*) FILTER (WHERE price >= 1000000), "
            "MIN(price), MAX(price), AVG(price), SUM(price) FROM bid GROUP BY auction, "
            "DATE_FORMAT(`dateTime`, 'yyyy-MM-dd')"),
    "bid-auction": (70_000_000, "auction BIGINT, bidder BIGINT, price BIGINT, item STRING",
                    "SELECT b.auction, b.bidder, b.price, a.itemName FROM bid b JOIN auction a ON b.auction = a.id"),
    "person-auction": (1_050_000_000, "name STRING, city STRING, state STRING, id BIGINT",
                       "SELECT p.name, p.city, p.state, a.id FROM auction a JOIN person p ON a.seller = p.id "
                       "WHERE a.category = 10"),
    "distinct": (160_000_000, "channel STRING, n BIGINT, PRIMARY KEY (channel) NOT ENFORCED",
                 "SELECT channel, COUNT(DISTINCT bidder) FROM bid GROUP BY channel"),
}
LIMITS = {"10 s": 5.0, "1 s": 15.0}


def script(name, scale, interval, folder):
    rows, columns, select = QUERIES[name]
    sets = ""
    if interval:
        sets = f"SET 'execution.checkpointing.interval' = '{interval}';\n" \
               f"SET 'execution.checkpointing.incremental' = 'true';\n" \
               f"SET 'execution.checkpointing.dir' = 'file://{folder}';\n"
    events = BIDS.replace("{rng}", "counter").replace("{rows}", str(max(int(rows * scale), 1000)))
    return sets + events + VIEWS + SINK.format(columns) + f"INSERT INTO sink {select};\n"


def thread_seconds(pid, without=()):
    """Processor time of a process's threads, but for those of these names; 0 when it is gone."""
    seconds = 0.0
    try:
        for tid in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{tid}/stat", encoding="ascii", errors="replace") as f:
                comm, rest = f.read().split("(", 1)[1].rsplit(")", 1)
            if comm not in without:
                seconds += sum(int(n) for n in rest.split()[11:13]) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError):
        return 0.0
    return seconds


def process_seconds(pid):
    """Processor time of a process, with that of its threads that have ended; 0 when it is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as f:
            rest = f.read().rsplit(")", 1)[1]
    except OSError:
        return 0.0
    return sum(int(n) for n in rest.split()[11:13]) / os.sysconf("SC_CLK_TCK")


def children_cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(weir, name, scale, interval):
    folder = tempfile.mkdtemp(prefix="weir-bench-")
    try:
        path = os.path.join(folder, "job.sql")
        with open(path, "w", encoding="utf-8") as f:
            f.write(script(name, scale, interval, os.path.join(folder, "checkpoints")))
        start, cpu, task = time.monotonic(), children_cpu(), 0.0
        with open(os.path.join(folder, "errors"), "w+", encoding="utf-8") as errors:
            job = subprocess.Popen([weir, "run", "--quiet", path], stdout=subprocess.DEVNULL, stderr=errors)
            while job.poll() is None:
                task = max(task, thread_seconds(job.pid, ("weir-snapshot", "weir-coord")))
                time.sleep(0.01)
            wall = time.monotonic() - start
            errors.seek(0)
            if job.returncode:
                sys.exit(f"{name} with interval {interval}:\n{errors.read()}")
        return wall, children_cpu() - cpu, task
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def overhead(args, name):
    runs = {key: [] for key in (None, "10 s", "1 s")}
    timed(args.weir, name, args.scale / 20, None)  # warms up the caches
    for _ in range(args.runs):
        for key in runs:
            runs[key].append(timed(args.weir, name, args.scale, key))
    result = {"query": name, "seconds": statistics.median(run[0] for run in runs[None])}
    for key, limit in LIMITS.items():
        cost, cpu, task = ((statistics.median(with_[i] / without[i] for with_, without in zip(runs[key], runs[None])) - 1) * 100
                           for i in range(3))
        result[key], result[key + " processor"], result[key + " task"] = cost, cpu, task
        result["holds"] = result.get("holds", True) and cost <= limit
        taken = statistics.median(run[0] for run in runs[key])
        print(f"{name:16} interval {key:>4}: {cost:+6.1f} % (at most {limit:.0f} %), processor {cpu:+6.1f} %, task "
              f"{task:+6.1f} %; {taken:.1f} s, without {result['seconds']:.1f} s", flush=True)
    return result


# ---- recovery ----------------------------------------------------------------------------------------------------

# Nearly every bid is a group of its own; about one row in 10,000 is printed.
GROUPS = """SET 'execution.checkpointing.interval' = '2 s';
SET 'execution.checkpointing.incremental' = 'true';
SET 'parallelism.default' = '{parallelism}';
{events}CREATE TABLE sink (auction BIGINT, n BIGINT) WITH ('connector' = 'print');
INSERT INTO sink SELECT auction, n FROM (SELECT auction, bidder, price, COUNT(*) AS n, SUM(price) AS s FROM bid
  GROUP BY auction, bidder, price) WHERE MOD(s + n, 10007) = 1;
"""


def folder_bytes(folder):
    return sum(os.path.getsize(os.path.join(at, f)) for at, _, files in os.walk(folder) for f in files if os.path.exists(
        os.path.join(at, f)))


def newest_checkpoint(state):
    """The bytes of all files, once there is a published checkpoint; else 0."""
    return folder_bytes(state) if any("_metadata" in files for _, _, files in os.walk(state)) else 0


def memory_gb(pid):
    with open(f"/proc/{pid}/statm", encoding="ascii") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e9


def start_job(weir, folder, out):
    return subprocess.Popen([weir, "run", "--state", os.path.join(folder, "state"), os.path.join(folder, "job.sql")],
                            stdout=out, stderr=subprocess.STDOUT)


def first_touch(gb):
    """Seconds that this machine takes to hand out so much memory, a small page at a time."""
    size = int(gb * 1e9) // mmap.PAGESIZE * mmap.PAGESIZE
    start = time.monotonic()
    with mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as m:
        m[:: mmap.PAGESIZE] = bytes(size // mmap.PAGESIZE)
    return time.monotonic() - start


def recovery(args):
    folder = tempfile.mkdtemp(prefix="weir-bench-")
    job = None
    try:
        with open(os.path.join(folder, "job.sql"), "w", encoding="utf-8") as f:
            f.write(GROUPS.format(parallelism=args.parallelism, events=BIDS.replace("{rng}", "counter").replace(
                "{rows}", "2000000000")))
        with open(os.path.join(folder, "first"), "wb") as out:
            job = start_job(args.weir, folder, out)
            while newest_checkpoint(os.path.join(folder, "state")) < args.scale * 1e9:
                if job.poll() is not None:
                    sys.exit("the job has ended before its state was big enough")
                time.sleep(0.05)
            job.kill()
            job.wait()
        for run in range(args.runs):
            path = os.path.join(folder, f"again-{run}")
            with open(path, "wb") as out:
                start = time.monotonic()
                job = start_job(args.weir, folder, out)
                while not any(re.match(rb"(\d+> )?\+", line) for line in open(path, "rb")):
                    time.sleep(0.005)
                wall, cpu, gb = time.monotonic() - start, process_seconds(job.pid), memory_gb(job.pid)
                job.kill()
                job.wait()
            print(f"recovery: {gb:.2f} GB in memory; first row after {wall:.2f} s, processor {cpu:.2f} s (at most "
                  f"{0.2 + gb:.2f} s); to touch so much memory for the first time takes {first_touch(gb):.2f} s", flush=True)
    finally:
        if job and job.poll() is None:
            job.kill()
            job.wait()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("names", nargs="*", metavar="NAME")
    p.add_argument("--weir", default=os.path.join(ROOT, "build", "release", "weir"))
    p.add_argument("--runs", type=int, default=3)
    p.add_argument("--scale", type=float, default=1.0)
    p.add_argument("--parallelism", type=int, default=1, help="of the job that recovers")
    p.add_argument("--json")
    p.add_argument("--check", action="store_true")
    args = p.parse_args()
    if args.names == ["recovery"]:
        recovery(args)
        return 0
    results = [overhead(args, n) for n in QUERIES if not args.names or any(w in n for w in args.names)]
    if args.json:
        with open(args.json, "w", encoding="utf-8") as f:
            json.dump(results, f, indent=1)
    if args.check and not all(r["holds"] for r in results):
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
