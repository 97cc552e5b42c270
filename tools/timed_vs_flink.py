# SPDX-License-Identifier: Apache-2.0
"""Generated queries (gen_timed.py) against a real Flink: the exact changelog, or both refuse. FLINK_ORACLE names the program that
answers (as in oracle.py). Its answers are kept in build/flink-generated, so that the next run asks only for what is new."""
import collections, hashlib, json, os, re, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from gen_timed import FIRED, Script, text  # noqa: E402
from run import error_matches, final_rows  # noqa: E402


class Flink:
    def __init__(self):
        self.proc, self.folder = None, os.path.join(ROOT, "build", "flink-generated")
        os.makedirs(self.folder, exist_ok=True)

    def ask(self, seed, sql):
        path = os.path.join(self.folder, hashlib.sha256(sql.encode()).hexdigest()[:24] + ".json")
        if os.path.exists(path):
            return json.load(open(path, encoding="utf-8"))
        if self.proc is None:
            program = os.environ.get("FLINK_ORACLE")
            if not program:
                sys.exit("FLINK_ORACLE is not set: it names the program that answers as a real Flink")
            self.proc = subprocess.Popen([program, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            self.proc.stdout.readline()
        self.proc.stdin.write(json.dumps({"id": seed, "sql": sql, "mode": "streaming", "keep_going": True}) + "\n")
        self.proc.stdin.flush()
        answer = json.loads(self.proc.stdout.readline())["statements"]
        answer = [{k: s[k] for k in ("sql", "kind", "columns", "printed", "error", "timeout") if k in s} for s in answer]
        with open(path, "w", encoding="utf-8") as f:
            json.dump(answer, f)
        return answer

    def end(self):
        if self.proc:
            self.proc.stdin.close()
            self.proc.terminate()


def same_first(w, g):
    """A Top-1 of Flink shows a better row without taking back the one before."""
    kind = lambda rows: {re.sub(r"^..", "", r) for r in rows}
    return kind(w) <= kind(g) and not [x for x in w if x.startswith("-")]


def verdict(query, want, have, late):
    """(class, text): '' when both say the same."""
    if have["kind"] == "crash":
        return "crash", have["error"]
    if want.get("timeout"):
        return "no answer of Flink", ""
    if want["kind"] == "error" and have["kind"] == "error":
        return ("", "") if error_matches(want["error"], have["error"]) else ("another error", "Flink: %s | weir: %s" % (want["error"][:300], have["error"]))
    if want["kind"] == "error":
        return "Flink refuses", want["error"][-300:]
    if have["kind"] == "error":
        return "weir refuses", have["error"]
    if want["columns"] != have["columns"] and not re.search(r", 9\) OVER|GROUPING\(", query.text):  # LAG with a default; grouping sets
        return "columns", "Flink %s | weir %s" % (want["columns"], have["columns"])
    w, g, twice = sorted(want["printed"]), sorted(have["printed"]), len(set(query.tables)) < len(query.tables)
    if w == g or ("first" in query.odd and same_first(w, g)):
        return "", ""
    if final_rows(w) == final_rows(g):
        if twice:
            return "", ""
        return "order" if FIRED.search(query.text) else "sets" if "sets" in query.odd else "changelog", difference(w, g)
    if (query.arrival and FIRED.search(query.text) and len(w) == len(g)) or (twice and late):
        return "order", difference(w, g)
    known = set(query.odd) & {"union", "session", "offset", "by key"} or ("padded" in query.odd and len(g) > len(w)) or ", 9) OVER" in query.text
    return "known" if known else "content", difference(w, g)


PASSES = ("", "order", "sets", "known", "Flink refuses", "no answer of Flink")


def difference(want, got):
    w, g = collections.Counter(want), collections.Counter(got)
    return "missing %s | too many %s" % (sorted((w - g).elements())[:8], sorted((g - w).elements())[:8])


def compare(test, flink, seed, per, found):
    sql = text(seed, per, False)
    want, script = flink.ask(seed, sql), Script(seed, per)
    setup = script.setup(True)
    have = test.servers.ask(test.binary, {"id": seed, "sql": sql, "mode": "streaming", "keep_going": True, "conf": {}})
    statements = have.get("statements", [])[len(setup):]
    for i, q in enumerate(script.queries):
        w = want[len(setup) + i] if len(setup) + i < len(want) else {"kind": "error", "error": "", "timeout": True}
        h = statements[i] if i < len(statements) else {"kind": "crash", "error": have.get("crash", have.get("error", "no answer"))}
        kind, note = verdict(q, w, h, script.late(q))
        found[kind].append((seed, i, script.sql(q), note))


def run(test):
    args, flink, found = test.args, Flink(), collections.defaultdict(list)
    first, scripts = args.seed, (args.count + args.per - 1) // args.per
    for seed in range(first, first + scripts):
        try:
            compare(test, flink, seed, args.per, found)
        except Exception as e:
            found["harness"].append((seed, -1, "", repr(e)))
        print("seed %d: %s" % (seed, {k or "same": len(v) for k, v in found.items()}), flush=True)
    flink.end()
    test.servers.stop()
    for kind, cases in found.items():
        if not kind:
            continue
        by = collections.Counter(re.sub(r"'[^']*'|c\d+|q\d+|\d+", "_", n)[-160:] for _, _, _, n in cases) if kind == "Flink refuses" else {}
        for t, n in getattr(by, "most_common", lambda: [])():
            print("%s %d: %s" % (kind, n, t))
        for seed, i, sql, note in cases[:args.show]:
            print("%s: seed %d query %d: %s\n  %s" % (kind.upper(), seed, i, sql, note[:args.width]))
    failed = sum(len(v) for k, v in found.items() if k not in PASSES)
    print("seeds %d-%d, %s" % (first, first + scripts - 1, {k or "same": len(v) for k, v in found.items()}))
    print("%d passed, %d failed" % (sum(len(found[k]) for k in PASSES if k in found), failed))
    return 1 if failed else 0
