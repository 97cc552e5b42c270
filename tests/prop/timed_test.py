#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generated queries over event time and changelogs (tools/gen_timed.py), each answered in many ways.

    tests/prop/timed_test.py [BINARY] [--seed N] [--count N] [--per N] [--jobs N] [--seconds N] [--restarts SHARE] [--only SEED.INDEX]
    FLINK_ORACLE=PROGRAM tests/prop/timed_test.py --vs flink [--seed N] [--count N]

The final content of the stream must be what batch mode says of the rows that are left (where no row is late, and the query says one
thing), the same at parallelism 4 and with mini-batches; with batches of 3 rows the changelog itself is the same; no row is taken
back that was not there; a sink with a key has the same content; a share of the queries runs as a job that is killed behind
checkpoints and goes on. --vs flink: the exact changelog of a real Flink. Ends with "N passed, N failed"; N counts queries."""
import argparse, collections, concurrent.futures, json, os, random, re, shutil, subprocess, sys, tempfile, threading, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
for folder in ("tests", "tools", os.path.join("tests", "crash")):
    sys.path.insert(0, os.path.join(ROOT, folder))
import output  # noqa: E402
from gen_timed import FIRED, Script  # noqa: E402
from run import Server, error_matches, final_rows, split_row  # noqa: E402

MINI = {"table.exec.mini-batch.enabled": "true", "table.exec.mini-batch.allow-latency": "1 s", "table.exec.mini-batch.size": "1000"}


def build(name):
    return os.path.join(os.environ.get("WR_BUILD_" + name.upper(), os.path.join(ROOT, "build", name)), "weir")


class Local(threading.local):
    servers = None


class Servers:
    """A server for each thread and binary."""

    def __init__(self):
        self.local, self.all = Local(), []

    def ask(self, binary, request):
        if self.local.servers is None:
            self.local.servers = {}
        if binary not in self.local.servers:
            self.local.servers[binary] = Server(binary)
            self.all.append(self.local.servers[binary])
        return self.local.servers[binary].ask(request)

    def stop(self):
        for s in self.all:
            s.stop()


def negative(lines):
    """The first line that takes back what was not there; None when there is none."""
    bag = collections.Counter()
    for line in lines:
        kind, row = split_row(line)
        bag[row] += 1 if kind in ("+I", "+U") else -1
        if bag[row] < 0:
            return line
    return None


def short(rows, limit=6):
    return "%d: %s%s" % (len(rows), " ".join(rows[:limit]), " ..." if len(rows) > limit else "")


def differ(want, got):
    w, g = collections.Counter(want), collections.Counter(got)
    return "missing %s | too many %s" % (short(sorted((w - g).elements())), short(sorted((g - w).elements())))


class Totals:
    def __init__(self):
        self.lock = threading.Lock()
        self.passed, self.failures, self.skipped, self.refused, self.ways = 0, [], collections.Counter(), collections.Counter(), collections.Counter()


class Case:
    """One script, asked in every way."""

    def __init__(self, test, seed, count):
        self.t, self.seed, self.script = test, seed, Script(seed, count)
        self.rng = random.Random("timed %d" % seed)
        self.turns = seed % 2 == 0
        self.trouble = {}

    def bad(self, i, way, text):
        self.trouble.setdefault(i, []).append((way, text))

    def ask(self, binary, setup, queries, mode="streaming", **more):
        sql = "\n".join(setup) + "\n" + "".join(q + ";\n" for q in queries)
        answer = self.t.servers.ask(binary, dict({"id": self.seed, "sql": sql, "mode": mode, "keep_going": True, "conf": {}}, **more))
        if "crash" in answer or "error" in answer:
            return [{"kind": "crash", "error": answer.get("crash") or answer.get("error")}] * len(queries), {}
        for s in answer["statements"][:len(setup)]:
            if s["kind"] != "ok":
                raise Exception("seed %d: %s: %s" % (self.seed, s["sql"][:80], s.get("error")))
        return answer["statements"][len(setup):] + [{"kind": "crash", "error": "no answer"}] * (len(queries) - len(answer["statements"]) + len(setup)), answer.get("recorded", {})

    def isolate(self, binary, setup, queries, **more):
        """As ask, but a crash is that of the query alone."""
        got, _ = self.ask(binary, setup, queries, **more)
        if got and got[0]["kind"] == "crash" and len(queries) > 1:
            return [self.ask(binary, setup, [q], **more)[0][0] for q in queries]
        return got

    def lines(self, i, way, s):
        """The changelog of an answer, None when there is none (which is noted)."""
        if s["kind"] == "rows":
            return s["printed"]
        self.bad(i, way, s.get("error", s["kind"]))
        return None

    def base(self):
        """The stream at parallelism 1: indexes that go on, with their changelogs."""
        self.setup = self.script.setup(self.turns)
        answers = self.isolate(self.t.binary, self.setup, [self.script.sql(q) for q in self.script.queries])
        self.answers, out = answers, {}
        for i, s in enumerate(answers):
            text = s.get("error", "")
            if s["kind"] == "error" and refused(text):
                with self.t.totals.lock:
                    self.t.totals.refused[re.sub(r"'[^']*'|c\d+|q\d+|\d+", "_", text)[:110]] += 1
                continue
            lines = self.lines(i, "stream", s)
            if lines is not None:
                out[i] = lines
                if negative(lines) and "taken back" not in self.script.queries[i].odd:
                    self.bad(i, "stream", "takes back what was not there: %s" % negative(lines))
        return out

    def exact(self, i):
        """Is the changelog the same every time, but for the order of what comes at once?"""
        t = self.script.queries[i].tables
        return len(t) == 1 or (self.turns and len(set(t)) == len(t))

    def compare(self, way, wanted, answers, indexes, exact=False):
        for i, s in zip(indexes, answers):
            got = self.lines(i, way, s)
            self.t.totals.ways[way] += 1
            if got is None:
                continue
            w, g = (sorted(wanted[i]), sorted(got)) if exact else (final_rows(wanted[i]), final_rows(got))
            if w != g and exact and FIRED.search(self.script.sql(self.script.queries[i])):
                if self.script.queries[i].arrival:
                    continue
                w, g = final_rows(wanted[i]), final_rows(got)
            if w != g:
                self.bad(i, way, differ(w, g))
            elif negative(got) and "taken back" not in self.script.queries[i].odd:
                self.bad(i, way, "takes back what was not there: %s" % negative(got))

    def others(self, base):
        s, qs = self.script, self.script.queries
        sound = [i for i in base if not s.late(qs[i])]
        text = lambda indexes, batch=False: [s.sql(qs[i], batch) for i in indexes]
        both = [i for i in sound if qs[i].batch and not qs[i].arrival]
        self.compare("batch", base, self.isolate(self.t.binary, s.setup(False, True), text(both, True), mode="batch", parallelism=self.rng.choice([1, 4])), both)
        free = [i for i in sound if not qs[i].arrival]  # other readers of a source may end later than rows come: less is late
        self.compare("p4", base, self.isolate(self.t.binary, self.setup, text(free), parallelism=4), free)
        conf = dict(MINI, **{"table.exec.mini-batch.size": str(self.rng.choice([2, 5, 100]))})
        if self.rng.random() < 0.5:
            conf.update({"table.optimizer.distinct-agg.split.enabled": "true"})
        if self.rng.random() < 0.3:
            conf.update({"table.optimizer.agg-phase-strategy": "ONE_PHASE"})
        mini = [i for i in sound if not qs[i].arrival]
        self.compare("mini-batch", base, self.isolate(self.t.binary, self.setup, text(mini), conf=conf, parallelism=self.rng.choice([1, 4])), mini)
        joins = [i for i in sound if "JOIN" in s.sql(qs[i], False)]
        conf = {"table.optimizer.multi-join.enabled": "true"}
        if joins:
            self.compare("multi-join", base, self.isolate(self.t.binary, self.setup, text(joins), conf=conf), joins)
        if os.path.exists(self.t.tiny):
            exact = [i for i in base if self.exact(i)]
            self.compare("tiny", base, self.isolate(self.t.tiny, self.setup, text(exact)), exact, True)
            if self.rng.random() < 0.3:
                conf = {"state.backend.type": "rocksdb", "weir.state.rocksdb.cache-size": "1 b"}
                self.compare("rocksdb", base, self.isolate(self.t.tiny, self.setup, text(exact), conf=conf), exact, True)
            loose = [i for i in free if i not in exact]
            self.compare("tiny", base, self.isolate(self.t.tiny, self.setup, text(loose)), loose)

    # ---- sinks
    def sink(self, i, options, key=None):
        """DDL and INSERT of a query into a table of its own, None when its columns have no type to write."""
        cols = [re.sub(r" \*\w+\*|\bNOT NULL\b", "", c.partition(" ")[2]) for c in self.answers[i]["columns"]]
        if any("RAW" in c or c.strip() == "NULL" for c in cols) or sum("*ROWTIME*" in c for c in self.answers[i]["columns"]) > 1:
            return None
        names = [c.partition(" ")[0] for c in self.answers[i]["columns"]]
        pk = ", PRIMARY KEY (%s) NOT ENFORCED" % ", ".join(key) if key else ""
        return "CREATE TABLE s%d (%s%s) WITH ('connector' = 'record'%s);" % (i, ", ".join("`%s` %s" % c for c in zip(names, cols)), pk, options), \
            "INSERT INTO s%d %s" % (i, self.script.sql(self.script.queries[i]))

    def upserts(self, base):
        """Sinks with a key: each alone, then those that are taken together."""
        picks = {}
        for i in base:
            q = self.script.queries[i]
            if not q.key or q.arrival or (not self.turns and self.script.late(q) and len(q.tables) > 1) or not base[i]:
                continue
            names = [c.partition(" ")[0] for c in self.answers[i]["columns"]]
            at = [names.index(k) for k in q.key if k in names]
            rows = final_rows(base[i])
            if len(at) == len(q.key) and not any("null" in r for r in base[i]):
                made = self.sink(i, ", 'changelog-mode' = 'upsert'", q.key)
                if made:
                    picks[i] = made + (at, rows)
        if not picks:
            return
        setup = self.setup + [p[0] for p in picks.values()]
        order = list(picks)
        answers, recorded = self.ask(self.t.binary, setup, [picks[i][1] for i in order], parallelism=self.rng.choice([1, 4]))
        good = []
        for i, s in zip(order, answers):
            if s["kind"] == "error":
                with self.t.totals.lock:
                    self.t.totals.refused["INSERT: " + re.sub(r"'[^']*'|c\d+|q\d+|\d+", "_", s["error"])[:150]] += 1
                if not refused(s["error"]):
                    self.bad(i, "upsert", s["error"])
            elif s["kind"] == "crash":
                self.bad(i, "upsert", s["error"])
            else:
                good.append(i)
                self.recorded(i, "upsert", picks, recorded)
        if len(good) > 1:
            block = "EXECUTE STATEMENT SET BEGIN\n" + "".join(picks[i][1] + ";\n" for i in good) + "END"
            answers, recorded = self.ask(self.t.binary, setup, [block])
            if answers[0]["kind"] not in ("ok", "rows"):
                self.bad(good[0], "statement set", answers[0].get("error", answers[0]["kind"]))
            else:
                for i in good:
                    self.recorded(i, "statement set", picks, recorded)

    def recorded(self, i, way, picks, recorded):
        self.t.totals.ways[way] += 1
        got = final_rows(recorded.get("s%d" % i, []), picks[i][2])
        if got != picks[i][3]:
            self.bad(i, way, differ(picks[i][3], got))

    # ---- killed and started again
    def restarts(self, base):
        picks = [i for i in base if base[i] and (not self.script.queries[i].arrival or self.exact(i))]
        picks = self.rng.sample(picks, min(len(picks), 5))
        made = {}
        for i in picks:
            s = self.sink(i, ", 'path' = 'out%d'" % i)
            if s:
                made[i] = s
        if not made:
            return
        folder = tempfile.mkdtemp(prefix="weir-timed-")
        try:
            self.killed(folder, made, base)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def killed(self, folder, made, base):
        rng = self.rng
        setup = [re.sub(r'(\n\[[^\n]*)', lambda m: ("\n{\"sleep\": %d}" % rng.choice([2, 4]) if rng.random() < 0.4 else "") + m.group(1), s) for s in self.setup]
        with open(os.path.join(folder, "job.sql"), "w", encoding="utf-8") as f:
            f.write("\n".join(setup + [m[0] for m in made.values()]) + "\nEXECUTE STATEMENT SET BEGIN\n" + "".join(m[1] + ";\n" for m in made.values()) + "END;\n")
        conf = {"execution.checkpointing.interval": "10 ms", "table.local-time-zone": "UTC", "pipeline.auto-watermark-interval": "0 ms", "restart-strategy.type": "none",
                "state.backend.type": rng.choice(["hashmap", "rocksdb"])}
        log, ended, q = "", False, self.script.queries
        one = rng.random() < 0.5 or any(q[i].arrival or self.script.late(q[i]) for i in made)  # always at parallelism 1
        for turn in range(4):
            env = dict(os.environ)
            if turn < 3:
                env["WEIR_CRASH_AT"] = "%s:%d" % (rng.choice(["after-publish", "snapshot-write", "before-commit", "after-commit"]), rng.randint(1, 4))
            p = subprocess.run([self.t.binary, "run", "--quiet", "--state", "state", "--parallelism", "1" if one else str(rng.randint(1, 4))] + [a for kv in conf.items() for a in ("--set", "%s=%s" % kv)] + ["job.sql"],
                               cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, errors="replace")
            log += p.stdout[-500:]
            if p.returncode == 0:
                ended = True
                break
            if p.returncode != -9:
                break
            self.t.totals.ways["kills"] += 1
        for i in made:
            self.t.totals.ways["restart"] += 1
            if not ended:
                self.bad(i, "restart", "the job ended with %s: %s" % (p.returncode, log[-600:]))
                continue
            got = output.read(folder, output_sink("out%d" % i))
            q = self.script.queries[i]
            exact = one and self.exact(i)
            if not exact and self.script.late(q):
                continue
            w, g = (sorted(base[i]), sorted(got)) if exact else (final_rows(base[i]), final_rows(got))
            if w != g and not q.arrival and FIRED.search(self.script.sql(q)):
                w, g = final_rows(base[i]), final_rows(got)
            if w != g and not (q.arrival and FIRED.search(self.script.sql(q))):
                self.bad(i, "restart", differ(w, g))

    def run(self):
        base = self.base()
        self.others(base)
        if self.rng.random() < self.t.args.sinks:
            self.upserts(base)
        if self.rng.random() < self.t.args.restarts:
            self.restarts(base)
        with self.t.totals.lock:
            self.t.totals.passed += len([i for i in base if i not in self.trouble])
            for i, found in sorted(self.trouble.items()):
                self.t.totals.failures.append((self.seed, i, found))


def output_sink(folder):
    return argparse.Namespace(folder=folder, kind="record", key=None, upsert=False)


# What Flink refuses too, or weir will do later: sentences that were compared with a real Flink (--vs flink does so for each query).
REFUSED = [re.compile(x) for x in (
    r"not supported yet", r"Could not skip to", r"Please explicitly cast default value", r"Optional pattern cannot be preceded by greedy pattern",
    r"Over Agg: Unsupported use of OVER windows", r"The window can only be ordered by a single time column",
    r"has an upsert key that differs from the primary key", r"contains more than one rowtime attribute column", r"is NOT NULL, however, a null value is being written")]


def refused(text):
    return any(p.search(text) for p in REFUSED)


class Test:
    def __init__(self, args):
        self.args, self.totals, self.servers = args, Totals(), Servers()
        self.binary, self.tiny = args.binary or build("asan"), build("tiny")

    def one(self, seed):
        if self.args.until and time.time() > self.args.until:
            return
        try:
            Case(self, seed, self.args.per).run()
        except Exception as e:
            with self.totals.lock:
                self.totals.failures.append((seed, -1, [("harness", repr(e))]))

    def run(self):
        first = self.args.seed
        scripts = (self.args.count + self.args.per - 1) // self.args.per
        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            list(pool.map(self.one, range(first, first + scripts)))
        self.servers.stop()
        t = self.totals
        for seed, i, found in t.failures[:self.args.show]:
            q = Script(seed, self.args.per)
            print("FAILED seed %d query %d: %s" % (seed, i, q.sql(q.queries[i]) if i >= 0 else ""))
            for way, text in found:
                print("  %s: %s" % (way, text[:self.args.width]))
        for text, n in t.refused.most_common():
            print("refused %d: %s" % (n, text))
        print("seeds %d-%d; compared: %s" % (first, first + scripts - 1, ", ".join("%s %d" % w for w in sorted(t.ways.items()))))
        print("%d passed, %d failed" % (t.passed, len(t.failures)))
        return 1 if t.failures else 0


def show(only, per):
    seed, index = (int(x) for x in only.split("."))
    s = Script(seed, per)
    print("\n".join(s.setup(seed % 2 == 0)) + "\n" + s.sql(s.queries[index]) + ";\n-- batch:\n" + "\n".join(s.setup(False, True)) + "\n" + s.sql(s.queries[index], True) + ";")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("binary", nargs="?")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--count", type=int, default=300)
    ap.add_argument("--per", type=int, default=20)
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--seconds", type=float, default=0)
    ap.add_argument("--restarts", type=float, default=0.2)
    ap.add_argument("--sinks", type=float, default=0.4)
    ap.add_argument("--show", type=int, default=20)
    ap.add_argument("--width", type=int, default=500)
    ap.add_argument("--only", help="SEED.INDEX: print the scripts of this query, and run nothing")
    ap.add_argument("--vs", choices=["flink"])
    args = ap.parse_args()
    if args.only:
        return show(args.only, args.per)
    args.until = time.time() + args.seconds if args.seconds else 0
    if args.vs:
        import timed_vs_flink
        return timed_vs_flink.run(Test(args))
    return Test(args).run()


if __name__ == "__main__":
    sys.exit(main())
