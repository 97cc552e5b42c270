#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The crash campaign can fail: its changelogs are consistent, its comparison sees what is lost, doubled or out of order."""
import collections, os, random, re, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "crash"))
import jobs, output  # noqa: E402
from tables import Table, draw, script_lines, top_level  # noqa: E402

passed, failed = 0, []


def check(ok, what):
    global passed
    if ok:
        passed += 1
    else:
        failed.append(what)


def consistent(table, lines):
    """What is deleted or updated was there; a primary key is there once."""
    bag, keys = collections.Counter(), {}
    for line in lines:
        if not line.startswith("["):
            continue
        cells = top_level(line[1:-1])
        kind, row = cells[0].strip('"'), tuple(cells[1:])
        key = tuple(row[k] for k in table.key)
        if kind in ("-U", "-D"):
            if bag[row] <= 0:
                return "%s %s was not there" % (kind, row)
            bag[row] -= 1
            keys.pop(key, None)
        elif kind == "+U" and table.upsert:
            bag[keys[key]] -= 1
            bag[row] += 1
            keys[key] = row
        else:
            if table.key and key in keys:
                return "key %s twice" % (key,)
            bag[row] += 1
            keys[key] = row
    return ""


def changelogs():
    for f, _ in jobs.corpus():
        tables = [Table(s["sql"]) for s in f.statements if s["kind"] == "ok" and jobs.SCRIPT.search(s["sql"]) and re.match(r"\s*CREATE", s["sql"])]
        tables = [t for t in tables if t.growable()]
        for seed in range(2 if tables else 0):
            steps = draw(tables, random.Random(seed), 120, seed == 0, seed % 2 == 0)
            check(steps == draw(tables, random.Random(seed), 120, seed == 0, seed % 2 == 0), "%s: a seed gives the same twice" % f.name)
            for t in tables:
                before_missing = any(k == "+U" for k, _ in t.rows()) and not any(k == "-U" for k, _ in t.rows()) and not t.upsert
                lines = script_lines(steps, t.name, 5)
                text = "" if before_missing else consistent(t, lines)
                check(not text, "%s %s: %s" % (f.name, t.name, text))
                kinds = {l[2:4] for l in lines if l.startswith("[")}
                check(kinds <= {k for k, _ in t.rows()} | {"+I"}, "%s %s: kinds %s" % (f.name, t.name, kinds))


def comparison():
    s = jobs.Sink("t", "t", "record")
    want = ["+I[1, a]", "-U[1, a]", "+U[1, b]", "+I[2, c]"]
    same = lambda got, exact=True, sink=s: output.compare(sink, want, got, exact, exact)
    check(same(want) == "", "equal")
    check("lost" in same(want[:-1]), "a lost change")
    check("too many" in same(want + want[-1:]), "a doubled change")
    check("order" in same([want[0], want[3]] + want[1:3]), "another order")
    check(same([want[3], want[0]] + want[1:3], False) == "", "content does not care for order")
    check(same(["+I[1, b]", "+I[2, c]"], False) == "", "content is what counts")
    check("lost" in same(want[:-1], False) and "too many" in same(want + want[-1:], False), "content lost or doubled")
    keyed = jobs.Sink("t", "t", "record", key=[0], upsert=True)
    check(output.compare(keyed, ["+I[1, a]", "+U[1, b]"], ["+I[1, a]", "+U[1, b]", "+U[1, b]"], False, False) == "", "upserts may repeat")
    check(output.compare(keyed, ["+I[1, a]", "+U[1, b]"], ["+U[1, b]", "+I[1, a]"], False, False) != "", "an upsert out of order")
    files = jobs.Sink("t", "t", "json")
    check(output.compare(files, ["a", "b"], ["a", "b", "b"], False, False) != "", "a doubled row in files")


def folders():
    with tempfile.TemporaryDirectory() as run:
        s = jobs.Sink("t", "t", "json")
        os.makedirs(os.path.join(run, "t", "p=1"))
        for name, text in (("p=1/part-2", "b\n"), ("part-1", "a\n"), (".part-3.inprogress.x", "c\n"), ("_SUCCESS", "")):
            open(os.path.join(run, "t", name), "w", encoding="utf-8").write(text)
        check(output.read(run, s) == ["b", "a"], "visible lines: %s" % output.read(run, s))
        check([os.path.basename(p) for p in output.orphans(run, s)] == [".part-3.inprogress.x"], "a hidden file is an orphan")
        for name, text in (("job/chk-1/_metadata", "a-1 s-1"), ("job/chk-1/a-1", ""), ("job/chk-1/b-1", ""), ("job/shared/s-1", ""), ("job/shared/s-2", "")):
            os.makedirs(os.path.dirname(os.path.join(run, "c", name)), exist_ok=True)
            open(os.path.join(run, "c", name), "w", encoding="utf-8").write(text)
        check([p.split("/")[-1] for p in output.unnamed(os.path.join(run, "c"))] == ["b-1 (no checkpoint names it)", "s-2 (no checkpoint names it)"],
              "files that no checkpoint names: %s" % output.unnamed(os.path.join(run, "c")))


def clocks():
    check(jobs.lasting("SELECT /*+ STATE_TTL('l' = '600ms', 'r' = '0s') */ a FROM l") == "SELECT /*+ STATE_TTL('l' = '3 h', 'r' = '0s') */ a FROM l", "a brief TTL")
    check(jobs.lasting("SET 'table.exec.state.ttl'='20 s'") == "SET 'table.exec.state.ttl'= '3 h'", "a brief TTL in an option")
    for text in ("SET 'table.exec.state.ttl'='0 ms'", "SET 'table.exec.state.ttl'='1 h'", "CREATE TABLE t (x INT) WITH ('a' = '5 s')"):
        check(jobs.lasting(text) == text, "left as it is: " + text)
    for f, _ in jobs.corpus():
        for s in [s for s in f.statements if "STATE_TTL" in s["sql"]]:
            check(not re.search(r"STATE_TTL\([^)]*'[1-9]\d*\s*(ms|s)'", s["sql"]), "%s: no TTL that passes" % f.name)


changelogs()
clocks()
comparison()
folders()
for what in failed:
    print("FAILED", what)
print("%d passed, %d failed" % (passed, len(failed)))
sys.exit(1 if failed else 0)
