#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Nexmark q0-q23 (tests/nexmark) as running jobs: streaming, changelogs by the row, exactly-once checkpoints, blackhole.

    ./dev bench nexmark [--queries q0,q4] [--events N] [--cores 1|2] [--checkpoint 10s|off] [--vs flink] [--json]

Prints a table, or with --json a line of JSON for each run: query, events, seconds, events_per_s_core and more.
seconds: wall time of the whole process, start and planning included. events_per_s_core: events / seconds / cores, persons and
auctions counted, the generator (rng 'java', 100,000 events a second of event time) inside. events_per_cpu_s divides by the
processor time of all threads instead: what stays comparable when others use the machine.

--backend hashmap|rocksdb   weir's state; default hashmap
--rng counter               weir's own generator instead of the public one's
--hop                       HOP(60 s, 1 s) against TUMBLE(60 s), COUNT(*) and MAX(price), instead of the queries: of all bids, by
                            channel (10,004) and by auction, of which each second brings 6,000 new ones that HOP shows 60 times
--vs flink                  for each query weir, then Flink with hashmap, then with RocksDB, the same way: the program that
                            NEXMARK_FLINK names (it takes --backend, --checkpoint, --cores, --events, --mini-batch and
                            --distinct-split, and prints a line of JSON); mini-batch on, the distinct split off. Its figure
                            leaves out its start and its first seconds; weir's leaves out nothing.
--runs N                    the median of N runs by wall time"""
import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "nexmark"))
from nexmark import ALL, fill, generator, job, text_of, write_side  # noqa: E402

# Events for some seconds of weir on one core.
SIZES = {"q3": 40, "q4": 10, "q5": 20, "q7": 20, "q9": 5, "q11": 10, "q15": 20, "q16": 5, "q17": 20, "q18": 10, "q19": 10,
         "q20": 5, "q23": 3, "q10": 10, "q21": 20}
DEFAULT_SIZE = 40
# Events for Flink where its program's own number, made for the distinct split on, ends before its measuring begins.
FLINK_SIZES = {"q16": 5}
HOP = {
    "hop": "HOP(TABLE bid, DESCRIPTOR(`dateTime`), INTERVAL '1' SECOND, INTERVAL '60' SECOND)",
    "tumble": "TUMBLE(TABLE bid, DESCRIPTOR(`dateTime`), INTERVAL '60' SECOND)",
}
HOP_KEYS = {"all": "", "channel": "channel, ", "auction": "auction, "}
HOP_JOBS = [f"{window}-{key}" for key in HOP_KEYS for window in HOP]
HOP_JOB = """CREATE TABLE sink (${TYPE}num BIGINT, top BIGINT, ws TIMESTAMP(3)) WITH (${SINK});
INSERT INTO sink SELECT ${KEY}COUNT(*), MAX(price), window_start FROM TABLE(${WINDOW}) GROUP BY ${KEY}window_start, window_end;
"""
BLACKHOLE = "'connector' = 'blackhole'"


def number(text):
    unit = {"k": 10**3, "m": 10**6, "g": 10**9}.get(text[-1:].lower())
    return int(float(text[:-1]) * unit) if unit else int(text)


def settings(args, folder):
    sets = {"parallelism.default": args.cores, "state.backend.type": args.backend}
    if args.checkpoint != "off":
        sets.update({"execution.checkpointing.interval": args.checkpoint, "execution.checkpointing.mode": "EXACTLY_ONCE",
                     "execution.checkpointing.incremental": "true",
                     "execution.checkpointing.dir": "file://" + os.path.join(folder, "checkpoints")})
    return "".join(f"SET '{k}' = '{v}';\n" for k, v in sets.items())


def script(args, query, events, folder):
    source = generator(events, args.rate, args.rng)
    if query in HOP_JOBS:
        window, key = query.split("-")
        column = {"all": "", "channel": "channel STRING, ", "auction": "auction BIGINT, "}[key]
        return fill(text_of("tables") + HOP_JOB, SOURCE=source, SINK=BLACKHOLE, WINDOW=HOP[window], KEY=HOP_KEYS[key], TYPE=column)
    side = os.path.join(folder, "side.csv")
    write_side(side)
    return job(query, source, BLACKHOLE, side, os.path.join(folder, "out"))


def run_once(args, query, events):
    folder = tempfile.mkdtemp(prefix="weir-nexmark-", dir=args.dir)
    try:
        path = os.path.join(folder, "job.sql")
        with open(path, "w", encoding="utf-8") as f:
            f.write(settings(args, folder) + script(args, query, events, folder))
        cpus = set(sorted(os.sched_getaffinity(0))[-args.cores:])
        with open(os.path.join(folder, "output"), "w+", encoding="utf-8") as output:
            start = time.monotonic()
            p = subprocess.Popen([args.weir, "run", "--quiet", path, "--set", "table.dml-sync=true"], stdout=output,
                                 stderr=subprocess.STDOUT, preexec_fn=lambda: os.sched_setaffinity(0, cpus))
            _, status, used = os.wait4(p.pid, 0)
            p.returncode = status
            seconds = time.monotonic() - start
            output.seek(0)
            if status:
                return {"query": query, "engine": "weir", "events": events, "error": output.read()[-600:]}
        cpu = used.ru_utime + used.ru_stime
        return {"query": query, "engine": "weir", "backend": args.backend, "events": events, "seconds": round(seconds, 3),
                "events_per_s_core": round(events / seconds / args.cores), "cpu_s": round(cpu, 3),
                "events_per_cpu_s": round(events / cpu), "rss_mb": used.ru_maxrss // 1024, "cores": args.cores,
                "checkpoint": args.checkpoint, "rng": args.rng}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_weir(args, query):
    events = args.events or SIZES.get(query, DEFAULT_SIZE) * 10**6
    runs = sorted((run_once(args, query, events) for _ in range(args.runs)), key=lambda r: r.get("seconds", math.inf))
    return runs[len(runs) // 2] if "error" not in runs[-1] else runs[-1]


def run_flink(args, query, backend):
    call = [args.flink, "--backend", backend, "--checkpoint", args.checkpoint, "--cores", str(args.cores), "--mini-batch", "on",
            "--distinct-split", "off", "--rate", str(args.rate)]
    events = args.events or FLINK_SIZES.get(query, 0) * 10**6
    if events:
        call += ["--events", str(events)]
    p = subprocess.run(call + [query], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    try:
        r = json.loads(p.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        return {"query": query, "engine": "flink", "backend": backend, "error": (p.stderr or p.stdout)[-300:]}
    r.update(engine="flink", events_per_s_core=r.get("steady_events_per_s_core"), events_per_cpu_s=r.get("steady_events_per_cpu_s"),
             rss_mb=r.get("peak_rss_mb"))
    return r


class Report:
    def __init__(self, args):
        self.args, self.ratios, self.failed = args, {}, False
        if not args.json:
            print(f"{'query':15}{'engine':16}{'M events':>9}{'seconds':>9}{'K/s core':>10}{'K/cpu s':>10}{'MB':>7}  ratio (by processor time)", flush=True)

    def add(self, r, weir=None):
        self.failed |= "error" in r
        ratio = None
        if weir and r.get("events_per_s_core") and weir.get("events_per_s_core"):
            ratio = weir["events_per_s_core"] / r["events_per_s_core"]
            self.ratios.setdefault(r["backend"], {})[r["query"]] = ratio
            r["ratio"] = round(ratio, 2)
            if r.get("events_per_cpu_s"):
                r["ratio_cpu"] = round(weir["events_per_cpu_s"] / r["events_per_cpu_s"], 2)
        if self.args.json:
            print(json.dumps(r), flush=True)
            return
        if "error" in r:
            print(f"{r['query']:15}{r['engine']:16} {r['error']}", flush=True)
            return
        events, seconds = r.get("events") or 0, r.get("seconds") or 0
        print(f"{r['query']:15}{r['engine'] + ' ' + r['backend']:16}{events / 1e6:9.2f}{seconds:9.2f}{(r.get('events_per_s_core') or 0) / 1e3:10.0f}"
              f"{(r.get('events_per_cpu_s') or 0) / 1e3:10.0f}{r.get('rss_mb') or 0:7.0f}{'' if ratio is None else f'  {ratio:.1f}'}"
              f"{' (%.1f)' % r['ratio_cpu'] if 'ratio_cpu' in r else ''}",
              flush=True)

    def end(self):
        for backend, ratios in self.ratios.items():
            mean, bound = math.exp(sum(map(math.log, ratios.values())) / len(ratios)), 5 if backend == "rocksdb" else 3
            below = [q for q, r in ratios.items() if r < bound]
            line = {"backend": backend, "geometric_mean": round(mean, 1), "queries": len(ratios), "below_bound": below, "bound": bound}
            print(json.dumps(line) if self.args.json else f"against Flink with {backend}: geometric mean {mean:.1f} of {len(ratios)} "
                  f"queries; below {bound}: {', '.join(below) or 'none'}", flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--weir", default=os.path.join(ROOT, "build", "release", "weir"))
    p.add_argument("--queries", default="all", help="q0,q4 or all")
    p.add_argument("--events", type=number)
    p.add_argument("--cores", type=int, choices=(1, 2), default=1)
    p.add_argument("--checkpoint", default="10s")
    p.add_argument("--backend", choices=("hashmap", "rocksdb"), default="hashmap")
    p.add_argument("--rng", choices=("java", "counter"), default="java")
    p.add_argument("--rate", type=number, default=100_000)
    p.add_argument("--runs", type=int, default=1)
    p.add_argument("--vs", choices=("flink",))
    p.add_argument("--hop", action="store_true")
    p.add_argument("--json", action="store_true")
    p.add_argument("--dir", default=os.environ.get("TMPDIR", "/var/tmp"))
    args = p.parse_args()
    args.flink = os.environ.get("NEXMARK_FLINK")
    if args.vs and not args.flink:
        sys.exit("NEXMARK_FLINK is not set: it names the program that runs the queries on Flink")
    queries = HOP_JOBS if args.hop else ALL if args.queries == "all" else args.queries.split(",")
    unknown = [q for q in queries if q not in ALL and q not in HOP_JOBS]
    if unknown:
        sys.exit(f"no query {', '.join(unknown)}: there are q0 to q23, without q6, which is refused as Flink refuses it")
    report, weir = Report(args), {}
    for query in queries:
        weir[query] = run_weir(args, query)
        report.add(weir[query])
        for backend in ("hashmap", "rocksdb") if args.vs and query in ALL else ():
            report.add(run_flink(args, query, backend), weir[query])
    report.end()
    for key in HOP_KEYS if args.hop and not report.failed else ():
        ratio = weir["hop-" + key]["cpu_s"] / weir["tumble-" + key]["cpu_s"]
        print(f"HOP(60 s, 1 s) costs {ratio:.2f} times TUMBLE(60 s), key: {key}")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
