#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random changelogs through random queries: the final content of the stream must be what batch says of the final tables.

    tests/prop/changelog_test.py [BINARY] [--tiny BINARY] [--seeds A-B] [--count N] [--seconds S] [--seed-of-failure N]

A seed makes three tables; each is insert-only, or a retracting changelog (with or without primary key), or an upsert changelog
with a primary key (updates of unknown keys, inserts that are updates, deletes of what is not there, several changes of one key).
Inputs take turns in random steps. Each query of tools/gen_queries.py, with more aggregates and sort-limits, runs over them in
streaming mode at parallelism 1 and 3, on 3-row batches, and with mini-batch of several sizes. Some queries also write into sinks:
a retracting one and an upsert one whose key is the query's own must end with the same rows; an upsert one with another key and
ON CONFLICT DO DEDUPLICATE must end with one of the right rows for every key."""
import argparse, json, os, random, re, sys, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
sys.path.insert(0, os.path.join(ROOT, "tools"))
from gen_queries import Gen, TABLES  # noqa: E402
from run import Server, final_rows, split_cells  # noqa: E402

KEYS = {"t1": "id", "t2": "id", "t3": "k"}
KINDS = ["insert", "retract", "retract", "keyed", "keyed", "upsert", "upsert", "upsert"]


class Changes(Gen):
    """Tables that change, and queries that must follow."""

    def row(self, table, key=None):
        cells = [self.value(c[1]) for c in TABLES[table]]
        if key is not None:
            cells[[c[0] for c in TABLES[table]].index(KEYS[table])] = key
        return cells

    def table(self, name, keep=3):
        """(kind, lines, final rows)"""
        kind, lines = self.r.choice(KINDS), []
        if kind == "insert":
            rows = [self.row(name) for _ in range(self.r.randint(keep, 14))]
            return kind, [("+I", r) for r in rows], rows
        if kind == "retract":
            rows = []
            for _ in range(self.r.randint(8, 40)):
                what = self.r.random()
                if what < 0.5 or len(rows) <= keep:
                    rows.append(self.row(name))
                    lines.append(("+I", rows[-1]))
                elif what < 0.75:
                    lines.append(("-D", rows.pop(self.r.randrange(len(rows)))))
                else:
                    old = rows.pop(self.r.randrange(len(rows)))
                    rows.append(self.row(name))
                    lines += [("-U", old), ("+U", rows[-1])]
            return kind, lines, rows
        rows, domain = {}, list(range(1, 8)) if KEYS[name] == "id" else ["a", "b", "c", "ab", "", "B"]
        for _ in range(self.r.randint(8, 40)):
            key, what = self.r.choice(domain), self.r.random()
            if kind == "keyed":
                if key not in rows:
                    rows[key] = self.row(name, key)
                    lines.append(("+I", rows[key]))
                elif what < 0.3 and len(rows) > keep:
                    lines.append(("-D", rows.pop(key)))
                else:
                    old, rows[key] = rows[key], self.row(name, key)
                    lines += [("-U", old), ("+U", rows[key])]
            elif what < 0.25 and (len(rows) > keep or key not in rows):
                gone = rows.pop(key, None)
                blank = [None if c[0] != KEYS[name] else key for c in TABLES[name]]
                lines.append(("-D", gone if gone and self.r.random() < 0.5 else blank))
            else:
                rows[key] = self.row(name, key) if key not in rows or self.r.random() < 0.9 else rows[key]
                lines.append((self.r.choice(["+I", "+U"]), rows[key]))
        while len(rows) < keep:
            key = self.r.choice(domain)
            rows[key] = self.row(name, key)
            lines.append(("+U" if kind == "upsert" else "+I", rows[key])) if key not in [l[1] for l in lines] else None
        return kind, lines, list(rows.values())

    def aggregate(self, cols):
        k = self.r.randint(0, 14)
        n, t = self.num(cols, 1), self.text(cols, 0)
        more = {8: ("AVG(%s)" % n, "BIGINT"), 9: ("MIN(%s)" % t, "STRING"), 10: ("MAX(%s)" % n, "BIGINT"), 11: ("COUNT(DISTINCT %s)" % t, "BIGINT"),
                12: ("SUM(%s) FILTER (WHERE %s)" % (n, self.cond(cols, 1)), "BIGINT"), 13: ("MIN(DISTINCT %s)" % n, "BIGINT"), 14: ("CARDINALITY(ARRAY_AGG(%s))" % n, "BIGINT")}
        return more[k] if k in more else super().aggregate(cols)

    def query(self):
        while True:  # a global aggregate that sees nothing has a row in batch mode only
            q = self.any_query()
            if "HAVING COUNT(*) >= 0" not in q:
                return q

    def any_query(self):
        r = self.r.random()
        if r < 0.08:
            sql, cols = self.select(1, named=True)
            names = [c[0] for c in cols]
            return "SELECT * FROM (%s) ORDER BY %s LIMIT %d" % (sql, ", ".join("%s %s NULLS LAST" % (n, self.pick("ASC", "DESC")) for n in names), self.r.randint(1, 5))
        if r < 0.16:
            sql, cols = self.select(1, named=True)
            keys = [c[0] for c in cols if c[1] != "DOUBLE"][:2]
            if keys:
                return "SELECT %s, COUNT(*) AS n FROM (%s) GROUP BY %s" % (", ".join(keys), sql, self.pick("ROLLUP (%s)", "CUBE (%s)", "GROUPING SETS ((%s), ())") % ", ".join(keys))
        if r < 0.24:
            sql, cols = self.select(1, named=True)
            more, mcols = self.select(1, named=True)
            op = self.pick("UNION ALL", "UNION", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL")
            same = [i for i in range(min(len(cols), len(mcols))) if cols[i][1] == mcols[i][1]]
            if same:
                i = self.r.choice(same)
                return "SELECT %s FROM (%s) %s SELECT %s FROM (%s)" % (cols[i][0], sql, op, mcols[i][0], more)
        return self.select(2, named=True)[0]


def ddl(tables, g, final):
    """CREATE TABLE statements: the changelogs, or (final) the content at the end as inserts."""
    out, steps = [], random.Random(g.seed)
    for name, (kind, lines, rows) in tables.items():
        key = kind in ("keyed", "upsert")
        cols = ", ".join("%s %s" % c for c in TABLES[name]) + (", PRIMARY KEY (%s) NOT ENFORCED" % KEYS[name] if key else "")
        text, step = [], 1
        for k, row in [("+I", r) for r in rows] if final else lines:
            if not final and steps.random() < 0.08:
                step += steps.randint(1, 3)
                text.append(json.dumps({"step": step}))
            text.append(json.dumps([k] + row))
        mode = ", 'changelog-mode' = 'upsert'" if kind == "upsert" and not final else ""
        out.append("CREATE TABLE %s (%s) WITH ('connector' = 'script'%s, 'rows' = '\n%s')" % (name, cols, mode, "\n".join(text)))
    return out


def columns_of(answer):
    """[(name, type without nullability)]"""
    return [re.match(r"(\S+) (.*?)( NOT NULL)?$", c).groups()[:2] for c in answer["columns"]]


class Runner:
    def __init__(self, args):
        self.main = Server(args.binary)
        self.tiny = Server(args.tiny) if args.tiny and os.path.exists(args.tiny) else None
        self.passed, self.failures, self.args = 0, [], args

    def ask(self, server, statements, mode, p, conf):
        a = server.ask({"id": 0, "sql": "\n;\n".join(statements) + "\n;", "mode": mode, "parallelism": p, "keep_going": True, "conf": conf})
        if "crash" in a or "error" in a:
            return {"statements": [{"kind": "crash", "error": a.get("crash") or a.get("error")}] * len(statements)}
        return a

    def seed(self, seed):
        g = Changes(seed)
        g.seed = seed
        tables = {t: g.table(t) for t in TABLES}
        queries = [g.query() for _ in range(self.args.count)]
        base, live = ddl(tables, g, True), ddl(tables, g, False)
        n = len(base)
        want = self.ask(self.main, base + queries, "batch", 1, {})["statements"][n:]
        size = str(g.r.choice([1, 2, 5, 1000]))
        mini = {"table.exec.mini-batch.enabled": "true", "table.exec.mini-batch.allow-latency": "10 s", "table.exec.mini-batch.size": size}
        ways = [("p1", self.main, 1, {}), ("p3", self.main, 3, {}), ("mini-batch p1", self.main, 1, mini), ("mini-batch p3", self.main, 3, mini)]
        if self.tiny:
            ways += [("tiny", self.tiny, 1, {}), ("tiny p3", self.tiny, 3, {})]
        for way, server, p, conf in ways:
            got = self.ask(server, live + queries, "streaming", p, conf)["statements"][n:]
            for i, q in enumerate(queries):
                if want[i]["kind"] == "rows" and got[i]["kind"] == "rows":
                    a, b = final_rows(want[i]["printed"]), final_rows(got[i]["printed"])
                    self.check(a == b, seed, i, way, q, a, b)
                else:
                    self.check(want[i]["kind"] == got[i]["kind"] == "error" and not want[i].get("sqlstate", "").startswith("XX"), seed, i, way, q,
                               want[i].get("error", want[i]["kind"]), got[i].get("error", got[i]["kind"]))
        self.sinks(seed, g, live, queries, want, ways)

    def sinks(self, seed, g, live, queries, want, ways):
        """Sinks of three kinds for some of the queries."""
        picked = [i for i in range(len(queries)) if want[i]["kind"] == "rows" and want[i]["printed"]]
        for i in g.r.sample(picked, min(2, len(picked))):
            cols, q = columns_of(want[i]), queries[i]
            body = ", ".join("%s %s" % c for c in cols)
            key = cols[0][0]
            rows = final_rows(want[i]["printed"])
            keyed = [r for r in rows if split_cells(r)[0] != "null"]
            plain = ["CREATE TABLE s_all (%s) WITH ('connector' = 'record')" % body, "INSERT INTO s_all %s" % q]
            dedup = ["CREATE TABLE s_dedup (%s, PRIMARY KEY (%s) NOT ENFORCED) WITH ('connector' = 'record', 'changelog-mode' = 'upsert')" % (body, key),
                     "INSERT INTO s_dedup SELECT * FROM (%s) WHERE %s IS NOT NULL ON CONFLICT DO DEDUPLICATE" % (q, key)]
            for way, server, p, conf in ways:
                a = self.ask(server, live + plain + dedup, "streaming", p, conf)
                bad = [s for s in a["statements"] if s["kind"] in ("error", "crash")]
                single = bad and "configured parallelism of 1" in bad[0].get("error", "")
                bad = bad[1:] if single else bad
                if bad:
                    self.check(False, seed, i, way + " sinks", q, "ok", bad[0].get("error"))
                    continue
                if not single:  # a recording sink without key is one task and takes updates of one task only
                    got = final_rows(a.get("recorded", {}).get("s_all", []))
                    self.check(got == rows, seed, i, way + " retract sink", q, rows, got)
                got = final_rows(a.get("recorded", {}).get("s_dedup", []), [0])
                ok = {split_cells(r)[0] for r in got} == {split_cells(r)[0] for r in keyed} and all(r in keyed for r in got)
                self.check(ok and len(got) == len({split_cells(r)[0] for r in got}), seed, i, way + " upsert sink", q, keyed, got)

    def check(self, ok, seed, i, way, q, want, got):
        if ok:
            self.passed += 1
        else:
            self.failures.append((seed, i, way, q, want, got))
            if self.args.verbose:
                self.show(self.failures[-1])

    def show(self, f):
        seed, i, way, q, want, got = f
        print("FAILED seed %d query %d (%s): %s\n  want %s\n  got  %s" % (seed, i, way, q, str(want)[:600], str(got)[:600]), flush=True)


def main():
    build = lambda name: os.path.join(os.environ.get("WR_BUILD_" + name.upper(), os.path.join(ROOT, "build", name)), "weir")
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("binary", nargs="?", default=build("asan"))
    ap.add_argument("--tiny", default=build("tiny"))
    ap.add_argument("--seeds", default="1-1000")
    ap.add_argument("--count", type=int, default=8)
    ap.add_argument("--seconds", type=float, default=45)
    ap.add_argument("--show", type=int, default=10)
    ap.add_argument("--verbose", action="store_true", help="show failures at once")
    ap.add_argument("--script", action="store_true", help="print the tables of the first seed and stop")
    args = ap.parse_args()
    lo, hi = (int(x) for x in args.seeds.split("-"))
    if args.script:
        g = Changes(lo)
        g.seed = lo
        tables = {t: g.table(t) for t in TABLES}
        print(";\n".join(ddl(tables, g, False)) + ";")
        return 0
    runner, began, done = Runner(args), time.time(), 0
    for seed in range(lo, hi + 1):
        if time.time() - began > args.seconds:
            break
        runner.seed(seed)
        done += 1
    runner.main.stop()
    if runner.tiny:
        runner.tiny.stop()
    if not args.verbose:
        for f in runner.failures[: args.show]:
            runner.show(f)
    print("%d seeds" % done)
    print("%d passed, %d failed" % (runner.passed, len(runner.failures)))
    return 1 if runner.failures else 0


if __name__ == "__main__":
    sys.exit(main())
