#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What fault tolerance costs, and how fast a job is back.

    tests/bench/checkpoints.py --weir build/release/weir [NAME...] [--runs 3] [--scale 1.0] [--json FILE] [--check]

Overhead: q17 of Nexmark, its joins bid x auction and person x auction, COUNT(DISTINCT bidder) by channel, each without
checkpoints, with one every 10 s and with one every second, interleaved in one run on the same events. A figure is the
wall time of the whole process, start-up included; the overhead is the median of the ratios of neighbours (with / without).
Checkpoints are incremental, on the local disk, in a folder that is removed afterwards.

Recovery: the same query is killed behind a checkpoint, started again, and the time until its state is back is compared
with the size of that state. Targets: 10 s at most 5 %, 1 s at most 15 %, recovery at most 0.2 s + 1 s/GB.
"""
import argparse
import glob
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

PERSON = "ROW<id BIGINT, name STRING, emailAddress STRING, creditCard STRING, city STRING, state STRING, " \
         "`dateTime` TIMESTAMP(3), extra STRING>"
AUCTION = "ROW<id BIGINT, itemName STRING, description STRING, initialBid BIGINT, reserve BIGINT, `dateTime` " \
          "TIMESTAMP(3), expires TIMESTAMP(3), seller BIGINT, category BIGINT, extra STRING>"
BID = "ROW<auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, `dateTime` TIMESTAMP(3), extra STRING>"
EVENTS = f"""CREATE TABLE events (event_type INT, person {PERSON}, auction {AUCTION}, bid {BID},
  `dateTime` AS CASE event_type WHEN 0 THEN person.`dateTime` WHEN 1 THEN auction.`dateTime` ELSE bid.`dateTime` END,
  WATERMARK FOR `dateTime` AS `dateTime` - INTERVAL '4' SECOND)
WITH ('connector' = 'nexmark', 'rng' = 'counter', 'events.num' = '{{rows}}', 'first-event.rate' = '10000000',
      'base-time' = '1700000000000');
CREATE VIEW person AS SELECT person.id, person.name, person.city, person.state FROM events WHERE event_type = 0;
CREATE VIEW auction AS SELECT auction.id, auction.itemName, auction.seller, auction.category FROM events
  WHERE event_type = 1;
CREATE VIEW bid AS SELECT bid.auction, bid.bidder, bid.price, bid.channel, `dateTime` FROM events WHERE event_type = 2;
"""
# name: (events, columns of the sink, query)
QUERIES = {
    "q17": (60_000_000,
            "auction BIGINT, `day` STRING, total BIGINT, rank1 BIGINT, rank2 BIGINT, rank3 BIGINT, lo BIGINT, hi BIGINT, "
            "mean BIGINT, s BIGINT, PRIMARY KEY (auction, `day`) NOT ENFORCED",
            "SELECT auction, DATE_FORMAT(`dateTime`, 'yyyy-MM-dd'), COUNT(*), COUNT(*) FILTER (WHERE price < 10000), "
            "COUNT(*) FILTER (WHERE price >= 10000 AND price < 1000000), COUNT(*) FILTER (WHERE price >= 1000000), "
            "MIN(price), MAX(price), AVG(price), SUM(price) FROM bid GROUP BY auction, "
            "DATE_FORMAT(`dateTime`, 'yyyy-MM-dd')"),
    "bid-auction": (20_000_000, "auction BIGINT, bidder BIGINT, price BIGINT, item STRING",
                    "SELECT b.auction, b.bidder, b.price, a.itemName FROM bid b JOIN auction a ON b.auction = a.id"),
    "person-auction": (300_000_000, "name STRING, city STRING, state STRING, id BIGINT",
                       "SELECT p.name, p.city, p.state, a.id FROM auction a JOIN person p ON a.seller = p.id "
                       "WHERE a.category = 10"),
    "distinct": (40_000_000, "channel STRING, n BIGINT, PRIMARY KEY (channel) NOT ENFORCED",
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
    sink = f"CREATE TABLE sink ({columns}) WITH ('connector' = 'blackhole');\n"
    return sets + EVENTS.format(rows=max(int(rows * scale), 1000)) + sink + f"INSERT INTO sink {select};\n"


def timed(weir, name, scale, interval):
    folder = tempfile.mkdtemp(prefix="weir-bench-")
    try:
        path = os.path.join(folder, "job.sql")
        with open(path, "w", encoding="utf-8") as f:
            f.write(script(name, scale, interval, os.path.join(folder, "checkpoints")))
        start = time.monotonic()
        done = subprocess.run([weir, "run", "--quiet", path], capture_output=True, text=True, timeout=3600)
        if done.returncode:
            sys.exit(f"{name} with interval {interval}:\n{done.stderr}")
        return time.monotonic() - start
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def overhead(args, name):
    runs = {key: [] for key in (None, "10 s", "1 s")}
    timed(args.weir, name, args.scale / 20, None)  # warms up the caches
    for _ in range(args.runs):
        for key in runs:
            runs[key].append(timed(args.weir, name, args.scale, key))
    result = {"query": name, "seconds": statistics.median(runs[None])}
    for key, limit in LIMITS.items():
        ratios = [with_ / without for with_, without in zip(runs[key], runs[None])]
        cost = (statistics.median(ratios) - 1) * 100
        result[key] = cost
        result["holds"] = result.get("holds", True) and cost <= limit
        print(f"{name:16} interval {key:>4}: {cost:+6.1f} % (at most {limit:.0f} %), ratios "
              f"{' '.join(f'{r:.3f}' for r in ratios)}, without {result['seconds']:.1f} s", flush=True)
    return result


def published(folder):
    return glob.glob(os.path.join(folder, "*", "chk-*", "_metadata"))


def recovery(args, name):
    """Kill behind the second checkpoint, start again, read what weir says about the restore."""
    folder = tempfile.mkdtemp(prefix="weir-bench-")
    try:
        path, state = os.path.join(folder, "job.sql"), os.path.join(folder, "state")
        with open(path, "w", encoding="utf-8") as f:
            f.write("SET 'execution.checkpointing.interval' = '5 s';\n" + script(name, args.scale * 10, None, None))
        job = subprocess.Popen([args.weir, "run", "--state", state, path], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
        end = time.monotonic() + args.load_seconds
        while time.monotonic() < end and job.poll() is None:
            time.sleep(0.2)
        while job.poll() is None and not published(state) and time.monotonic() < end + 120:
            time.sleep(0.2)
        if job.poll() is None:
            job.send_signal(signal.SIGKILL)
        job.wait()
        again = subprocess.Popen([args.weir, "run", "--state", state, path], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True)
        told = None
        for line in again.stderr:
            told = re.search(r"restored .*?([\d.]+) (bytes|KB|MB|GB) .*?in ([\d.]+) (ms|s)\b", line)
            if told:
                break
        again.send_signal(signal.SIGKILL)
        again.wait()
        if not told:
            sys.exit(f"{name}: weir did not say what it restored")
        scale = {"bytes": 1e-9, "KB": 1e-6, "MB": 1e-3, "GB": 1.0}[told.group(2)]
        size, took = float(told.group(1)) * scale, float(told.group(3)) * (1e-3 if told.group(4) == "ms" else 1)
        limit = 0.2 + size
        print(f"{name:16} recovery of {size:.2f} GB: {took:.2f} s (at most {limit:.2f} s)", flush=True)
        return {"query": name, "state_gb": size, "restore_s": took, "holds": took <= limit}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("names", nargs="*", metavar="NAME")
    p.add_argument("--weir", default=os.path.join(ROOT, "build", "release", "weir"))
    p.add_argument("--runs", type=int, default=3)
    p.add_argument("--scale", type=float, default=1.0)
    p.add_argument("--load-seconds", type=float, default=25)
    p.add_argument("--only", choices=["overhead", "recovery"])
    p.add_argument("--json")
    p.add_argument("--check", action="store_true")
    args = p.parse_args()
    names = [n for n in QUERIES if not args.names or any(w in n for w in args.names)]
    results = []
    for name in names:
        if args.only != "recovery":
            results.append(overhead(args, name))
        if args.only != "overhead":
            results.append(recovery(args, name))
    if args.json:
        with open(args.json, "w", encoding="utf-8") as f:
            json.dump(results, f, indent=1)
    if args.check and not all(r["holds"] for r in results):
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
