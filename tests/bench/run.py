#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The benchmarks of weir: what one core does, against the targets of docs/benchmarks.md.

    tests/bench/run.py --weir build/release/weir [NAME...] [--runs 5] [--cpu 0] [--callgrind] [--duckdb] [--check]

Data is made by weir itself, once, in build/bench/ (about 2 GB). weir is pinned to one CPU. A figure is rows, events or
bytes divided by the processor time (user + system) of the whole process, start-up and planning included; the median of
the runs counts. With nothing else running that is the wall-clock time as well; on a busy machine it is what remains
comparable. NAME picks the benchmarks whose name contains one of the words.

--callgrind  counts instructions instead of time: (count of 3n rows - count of n rows) / 2n, so that start-up does not
             matter. Needs valgrind, which offers AVX2 at most. Repeats exactly where time does not.
--duckdb     also runs what can be said in SQL to DuckDB on the same files in one thread (needs its Python package).
--json FILE  the figures as JSON as well.
--check      exit code 1 when a target does not hold.
"""
import argparse
import glob
import json
import os
import pty
import re
import shutil
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(ROOT, "build", "bench")

# ---- statements ------------------------------------------------------------------------------------------------------

PERSON = "ROW<id BIGINT, name STRING, emailAddress STRING, creditCard STRING, city STRING, state STRING, " \
         "`dateTime` TIMESTAMP(3), extra STRING>"
AUCTION = "ROW<id BIGINT, itemName STRING, description STRING, initialBid BIGINT, reserve BIGINT, `dateTime` " \
          "TIMESTAMP(3), expires TIMESTAMP(3), seller BIGINT, category BIGINT, extra STRING>"
BID = "auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, `dateTime` TIMESTAMP(3), extra STRING"
EVENTS = f"event_type INT, person {PERSON}, auction {AUCTION}, bid ROW<{BID}>"
SINK = "CREATE TABLE sink ({}) WITH ('connector' = 'blackhole');\n"
NEXMARK = "('connector' = 'nexmark', 'rng' = '{rng}', 'events.num' = '{rows}', 'first-event.rate' = '10000000', " \
          "'base-time' = '1700000000000')"
SOURCE = f"CREATE TABLE events ({EVENTS}) WITH {NEXMARK};\n"
BIDS = f"""CREATE TABLE events ({EVENTS},
  `dateTime` AS CASE event_type WHEN 0 THEN person.`dateTime` WHEN 1 THEN auction.`dateTime` ELSE bid.`dateTime` END,
  WATERMARK FOR `dateTime` AS `dateTime` - INTERVAL '4' SECOND) WITH {NEXMARK};
CREATE VIEW bid AS SELECT bid.auction, bid.bidder, bid.price, bid.channel, bid.url, `dateTime`, bid.extra
FROM events WHERE event_type = 2;
"""
QUERIES = {
    "q0": ("auction BIGINT, bidder BIGINT, price BIGINT, ts TIMESTAMP(3), extra STRING",
           "SELECT auction, bidder, price, `dateTime`, extra FROM bid"),
    "q1": ("auction BIGINT, bidder BIGINT, price DECIMAL(23, 3), ts TIMESTAMP(3), extra STRING",
           "SELECT auction, bidder, 0.908 * price, `dateTime`, extra FROM bid"),
    "q2": ("auction BIGINT, price BIGINT", "SELECT auction, price FROM bid WHERE MOD(auction, 123) = 0"),
}
FILE = "CREATE TABLE bids ({}) WITH ('connector' = 'filesystem', 'path' = '{}', 'format' = '{}');\n"
BATCH = "SET 'execution.runtime-mode' = 'batch';\n"
NUMBERS = "CREATE TABLE numbers (k BIGINT, v BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = " \
          "'2000000000', 'number-of-rows' = '{rows}', 'fields.k.min' = '0', 'fields.k.max' = '999999');\n"


class Bench:
    """sql has {rows}; figure = amount(rows) / seconds."""

    def __init__(self, name, unit, target, rows, sql, size=None, duck=None):
        self.name, self.unit, self.target, self.rows, self.sql = name, unit, target, rows, sql
        self.size = size    # bytes of input when the unit is GB/s
        self.duck = duck    # the same as a query of DuckDB


def source(rng, target, rows):
    return Bench(f"source-{rng}", "M events/s", target, rows,
                 SOURCE.replace("{rng}", rng) + SINK.format(EVENTS) + "INSERT INTO sink SELECT * FROM events;\n")


def query(name, rng, rows):
    columns, select = QUERIES[name]
    return Bench(f"{name}-{rng}", "M events/s", 10, rows,
                 BIDS.replace("{rng}", rng) + SINK.format(columns) + f"INSERT INTO sink {select};\n")


def bids_files(weir, fmt, rows=2_200_000):
    """The path of about 2 M bids in a format; made when it is not there."""
    path = os.path.join(DATA, f"bids-{fmt}-{rows}")
    if not os.path.exists(os.path.join(path, "_done")):
        shutil.rmtree(path, ignore_errors=True)
        sql = BIDS.replace("{rng}", "java").replace("{rows}", str(rows)) + FILE.format(BID, path, fmt).replace(
            "TABLE bids", "TABLE file") + "INSERT INTO file SELECT * FROM bid;\n"
        run_weir(weir, "make", sql)
        open(os.path.join(path, "_done"), "w", encoding="ascii").close()
    return path


def data_files(path):
    return [f for f in glob.glob(os.path.join(path, "*")) if not os.path.basename(f).startswith("_")]


def decode(weir, fmt, target):
    path = bids_files(weir, fmt)
    names = [c.strip().split()[0].strip("`") for c in BID.split(",")]
    digest = ", ".join(f'bit_xor(hash("{n}"))' for n in names)
    pattern = os.path.join(path, "part-*")
    types = "{" + ", ".join(f"'{n}': '{'BIGINT' if i < 3 else 'TIMESTAMP' if n == 'dateTime' else 'VARCHAR'}'"
                            for i, n in enumerate(names)) + "}"
    reader = f"read_json('{pattern}', format = 'newline_delimited', columns = {types})" if fmt == "json" else \
        f"read_csv('{pattern}', header = false, columns = {types})"
    return Bench(f"decode-{fmt}", "GB/s", target, None,
                 FILE.format(BID, path, fmt) + SINK.format(BID) + "INSERT INTO sink SELECT * FROM bids;\n",
                 size=sum(os.path.getsize(f) for f in data_files(path)),
                 duck=f"SELECT count(*), {digest} FROM {reader}")


def group_by(rows):
    return Bench("group-by", "M rows/s", 30, rows, BATCH + NUMBERS + SINK.format("k BIGINT, c BIGINT") +
                 "INSERT INTO sink SELECT k, COUNT(*) FROM numbers GROUP BY k;\n",
                 duck=f"SELECT count(*), bit_xor(hash(k)), sum(c) FROM (SELECT k, count(*) c FROM (SELECT "
                 f"(hash(range) % 1000000)::BIGINT k FROM range({rows})) GROUP BY k)")


def chain(n, multi):
    """Streaming joins of n inputs by one key, of which each has two rows a key: as joins of two, or as one multi-way join. The figure
    counts rows of one input."""
    tables = "".join(f"CREATE TABLE g{i} (k BIGINT, v BIGINT, s STRING) WITH ('connector' = 'datagen', 'rows-per-second' = "
                     "'2000000000', 'number-of-rows' = '{rows}', 'fields.k.min' = '0', 'fields.k.max' = '249999', "
                     "'fields.s.length' = '10');\n" for i in range(n))
    columns = ", ".join(["k BIGINT"] + [f"s{i} STRING" for i in range(n)])
    return Bench(f"{'multi' if multi else 'chained'}-join-{n}", "M rows/s", None, 500_000,
                 f"SET 'table.optimizer.multi-join.enabled' = '{str(multi).lower()}';\n" + tables + SINK.format(columns) +
                 "INSERT INTO sink SELECT g0.k, " + ", ".join(f"g{i}.s" for i in range(n)) + " FROM g0" +
                 "".join(f" JOIN g{i} ON g0.k = g{i}.k" for i in range(1, n)) + ";\n")


def others():
    """Without a target: to see how they move."""
    yield Bench("group-by-stream", "M rows/s", None, 5_000_000,
                NUMBERS + SINK.format("k BIGINT, c BIGINT, s BIGINT, PRIMARY KEY (k) NOT ENFORCED") +
                "INSERT INTO sink SELECT k, COUNT(*), SUM(v) FROM numbers GROUP BY k;\n")
    yield Bench("join-batch", "M rows/s", None, 10_000_000,
                BATCH + NUMBERS + "CREATE TABLE dim (k BIGINT, s STRING) WITH ('connector' = 'datagen', "
                "'rows-per-second' = '2000000000', 'number-of-rows' = '1000000', 'fields.k.kind' = 'sequence', "
                "'fields.k.start' = '0', 'fields.k.end' = '999999', 'fields.s.length' = '10');\n" +
                SINK.format("k BIGINT, v BIGINT, s STRING") +
                "INSERT INTO sink SELECT n.k, n.v, d.s FROM numbers n JOIN dim d ON n.k = d.k;\n")
    for n in (3, 4):
        yield chain(n, False)
        yield chain(n, True)
    yield Bench("sort-batch", "M rows/s", None, 5_000_000,
                BATCH + NUMBERS + SINK.format("k BIGINT, v BIGINT") +
                "INSERT INTO sink SELECT k, v FROM numbers ORDER BY v, k;\n")


# ---- running ---------------------------------------------------------------------------------------------------------

def script(name, sql):
    path = os.path.join(DATA, f"{name}.sql")
    with open(path, "w", encoding="utf-8") as f:
        f.write(sql)
    return path


def run_weir(weir, name, sql, cpu=None):
    """(user + system seconds, wall seconds, peak MB)"""
    args = [weir, "run", script(name, sql), "--set", "table.dml-sync=true"]
    pin = None if cpu is None else (lambda: os.sched_setaffinity(0, {cpu}))
    start = time.perf_counter()
    with subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=pin) as p:
        out = p.stdout.read()
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = status
    if status:
        sys.exit(f"{name}: weir failed\n{out.decode(errors='replace')[-2000:]}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss / 1024


def instructions(weir, name, sql):
    out = os.path.join(DATA, "callgrind.out")
    args = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", weir, "run", script(name, sql),
            "--set", "table.dml-sync=true"]
    p = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    found = re.search(rb"Collected : (\d+)", p.stderr)
    if p.returncode or not found:
        sys.exit(f"{name}: valgrind failed\n{p.stderr.decode(errors='replace')[-2000:]}")
    return int(found.group(1))


def figure_of(bench, seconds):
    return bench.size / seconds / 1e9 if bench.size else bench.rows / seconds / 1e6


def duckdb_seconds(bench, runs):
    import duckdb  # pylint: disable=import-error,import-outside-toplevel
    con = duckdb.connect()
    con.execute("SET threads = 1")
    times = []
    for _ in range(runs):
        start = time.process_time()
        con.execute(bench.duck).fetchall()
        times.append(time.process_time() - start)
    return statistics.median(times)


def start_up(weir, runs, cpu):
    times = []
    for _ in range(max(runs, 5) * 4):
        start = time.perf_counter()
        subprocess.run([weir, "-c", "SELECT 1"], stdout=subprocess.DEVNULL, check=True,
                       preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def idle_shell(weir):
    """Resident megabytes of a shell at its prompt, on a terminal."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(weir, [weir])
    time.sleep(1.5)
    with open(f"/proc/{pid}/status", encoding="ascii") as f:
        resident = int(re.search(r"VmRSS:\s+(\d+)", f.read()).group(1)) / 1024
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    os.close(terminal)
    return resident


# ---- the table -------------------------------------------------------------------------------------------------------

class Table:
    def __init__(self):
        self.results = []
        print(f"{'benchmark':<17}{'figure':>10} {'unit':<12}{'target':>9}  {'holds':<6}notes", flush=True)

    def add(self, name, figure, unit, target, notes="", most=False):
        holds = None if target is None else figure <= target if most else figure >= target
        word = "-" if holds is None else "yes" if holds else "NO"
        bound = "-" if target is None else f"{'<=' if most else '>='} {target}"
        shown = f"{figure:.0f}" if figure >= 1000 else f"{figure:.2f}" if figure < 10 else f"{figure:.1f}"
        print(f"{name:<17}{shown:>10} {unit:<12}{bound:>9}  {word:<6}{notes}", flush=True)
        self.results.append({"name": name, "figure": figure, "unit": unit, "target": target, "holds": holds})


def time_one(args, bench, table):
    runs = [run_weir(args.weir, bench.name, bench.sql.replace("{rows}", str(bench.rows)), args.cpu)
            for _ in range(args.runs + (1 if bench.size else 0))]
    if bench.size:
        runs = runs[1:]  # the first brings the files into the page cache
    cpu = statistics.median(r[0] for r in runs)
    best, worst = (figure_of(bench, f(r[0] for r in runs)) for f in (min, max))
    notes = f"{worst:.1f}..{best:.1f}; wall {statistics.median(r[1] for r in runs):.2f} s, {runs[0][2]:.0f} MB"
    if args.duckdb and bench.duck:
        theirs = duckdb_seconds(bench, args.runs)
        notes += f"; DuckDB {figure_of(bench, theirs):.2f}, ratio {theirs / cpu:.1f}"
    table.add(bench.name, figure_of(bench, cpu), bench.unit, bench.target, notes)


def count_one(args, bench, table):
    if bench.size:
        count = instructions(args.weir, bench.name, bench.sql)
        table.add(bench.name, count / bench.size, "instr/byte", None)
        return
    n = 2_500_000 if bench.name == "group-by" else min(bench.rows, 400_000)  # all of its groups, in both counts
    few, many = (instructions(args.weir, bench.name, bench.sql.replace("{rows}", str(r))) for r in (n, 3 * n))
    table.add(bench.name, (many - few) / (2 * n), "instr/row", None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weir", required=True)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--cpu", type=int, default=0)
    for flag in ("--callgrind", "--duckdb", "--check"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--json", metavar="FILE")
    args = parser.parse_args()
    args.weir = os.path.abspath(args.weir)
    os.makedirs(DATA, exist_ok=True)

    def wanted(name):
        return not args.names or any(w in name for w in args.names)

    makers = [("source-java", lambda: source("java", 12, 10_000_000)),
              ("source-counter", lambda: source("counter", 40, 40_000_000))]
    makers += [(f"{q}-{rng}", lambda q=q, rng=rng, n=n: query(q, rng, n))
               for rng, n in (("java", 10_000_000), ("counter", 30_000_000)) for q in QUERIES]
    makers += [(f"decode-{fmt}", lambda fmt=fmt: decode(args.weir, fmt, 1.5)) for fmt in ("json", "csv")]
    makers += [("group-by", lambda: group_by(30_000_000))]
    makers += [(b.name, lambda b=b: b) for b in others()]
    table = Table()
    for name, make in makers:
        if wanted(name):
            (count_one if args.callgrind else time_one)(args, make(), table)
    if not args.callgrind and wanted("start"):
        table.add("start", start_up(args.weir, args.runs, args.cpu), "ms", 20, 'weir -c "SELECT 1"', most=True)
    if not args.callgrind and wanted("idle-shell"):
        table.add("idle-shell", idle_shell(args.weir), "MB", 20, "resident", most=True)
    if args.json:
        with open(args.json, "w", encoding="utf-8") as f:
            json.dump(table.results, f, indent=1)
    missed = [r["name"] for r in table.results if r["holds"] is False]
    if args.callgrind:
        return 0
    print("every target holds" if not missed else f"missed: {', '.join(missed)}")
    return 1 if missed and args.check else 0


if __name__ == "__main__":
    sys.exit(main())
