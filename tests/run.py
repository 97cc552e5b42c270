#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the SQL corpus against weir and compares with expected answers.

Two kinds of files:

tests/corpus/**/X.sql   a script; the answers of a real Flink lie in tests/golden/**/X.streaming.json and X.batch.json
                        (made by tools/oracle.py). In streaming mode the changelog must be equal line by line, in batch
                        mode the rows, whose order counts only below a last ORDER BY. A failing statement must fail here too,
                        with Flink's sentence in the message. Comment directives at the start of the file:
                          -- order: any          only the rows count, not their order
                          -- compare: final      only the final content counts
                          -- error: any          the statements that fail must fail, whatever the text
                          -- alone               do not run the variants (parallelism 4, tiny batches, mini-batch)
                          -- batch: no           a file with a streaming golden alone also runs in batch mode, to the same final
                                                 content where batch mode takes its sources; not this one
                          -- parallel: no        what is late depends on when the subtasks of its sources end: not at parallelism 4
                          -- mini: no            mini-batch gives another content (unknown deletions, ties), here and in Flink
                          -- multi: no           with multi-way joins the content is another, here and in Flink
                          -- conf: key=value     a session option
tests/sql/**/X.slt      statements with their expected result inline, from the standard, PostgreSQL or arithmetic:
                          statement ok | statement error TEXT | query [ordered|changelog] [streaming|batch]
                          SQL lines, then for queries a line ---- and the rows as print writes them, without kind: [1, a]
                          (changelog: with kind). Ends at an empty line. `query` compares the final content of the result.
                          recorded TABLE, ----, rows: the final content of a `record` table (by its primary key).
                        Every .slt runs in streaming and in batch mode; `-- modes: batch` at the start limits that.

Ways: each file runs at parallelism 1 on the sanitized build, and, to the same final content, at parallelism 4, with mini-batch
(bundles of 7 rows; streaming mode), with multi-way joins where there are joins, and on the build with 3-row batches. Builds come from WR_BUILD_ASAN, WR_BUILD_TINY, WR_BUILD_RELEASE (folders).

Ends with a line "N passed, N failed". Arguments: words to select files; --jobs N; --binary FILE (that one only, no variants);
--conf KEY=VALUE (a session option for every file); --verbose; --list-failed.
"""
import argparse, collections, concurrent.futures, difflib, glob, json, os, re, select, subprocess, sys, threading, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TIMEOUT = 90


class Server:
    """One `weir test --serve` process."""

    def __init__(self, binary):
        self.binary, self.proc = binary, None

    def start(self):
        env = dict(os.environ, ASAN_OPTIONS="detect_leaks=1:abort_on_error=0", UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1")
        self.err = open(f"/tmp/weir-test-{os.getpid()}-{id(self)}.err", "w+b")
        self.proc = subprocess.Popen([self.binary, "test", "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     stderr=self.err, env=env)
        self.proc.stdout.readline()

    def ask(self, request):
        if self.proc is None or self.proc.poll() is not None:
            self.start()
        try:
            self.proc.stdin.write((json.dumps(request) + "\n").encode())
            self.proc.stdin.flush()
            buf, until = b"", time.time() + TIMEOUT
            fd = self.proc.stdout.fileno()
            while not buf.endswith(b"\n"):
                left = until - time.time()
                if left <= 0 or not select.select([fd], [], [], left)[0]:
                    self.stop()
                    return {"crash": "no answer in %d s" % TIMEOUT}
                part = os.read(fd, 1 << 16)
                if not part:
                    break
                buf += part
            if buf.endswith(b"\n"):
                return json.loads(buf)
        except (BrokenPipeError, ValueError) as e:
            buf = repr(e).encode()
        self.proc.wait()
        self.err.seek(0)
        text = self.err.read().decode(errors="replace")
        found = re.search(r"(ERROR: .*|runtime error: .*|assert.*)", text)
        self.stop()
        return {"crash": (found.group(1) if found else text[-300:]) or "the process ended"}

    def stop(self):
        if self.proc:
            try:
                self.proc.stdin.close()
            except OSError:
                pass
            self.proc.kill()
            self.proc.wait()
            name = self.err.name
            self.err.close()
            os.unlink(name)
            self.proc = None


class Pool:
    conf = {}  # of all requests

    def __init__(self, binary, jobs):
        self.binary, self.jobs, self.local, self.all = binary, jobs, threading.local(), []

    def ask(self, request):
        if not hasattr(self.local, "server"):
            self.local.server = Server(self.binary)
            self.all.append(self.local.server)
        return self.local.server.ask(dict(request, conf={**self.conf, **request["conf"]}))

    def stop(self):
        for s in self.all:
            s.stop()


def split_row(line):
    m = re.match(r"([+-][IUD])(\[.*\])$", line, re.S)
    return (m.group(1), m.group(2)) if m else ("+I", line)


def final_rows(lines, key=None):
    """The content after all changes: a multiset, or by key columns (positions) when the changelog has no -U."""
    if key is not None:
        table = {}
        for line in lines:
            kind, row = split_row(line)
            cells = split_cells(row)
            k = tuple(cells[i] for i in key if i < len(cells))
            if kind in ("+I", "+U"):
                table[k] = row
            else:
                table.pop(k, None)
        return sorted(table.values())
    bag = collections.Counter()
    for line in lines:
        kind, row = split_row(line)
        bag[row] += 1 if kind in ("+I", "+U") else -1
    return sorted(r for r, n in bag.items() for _ in range(max(n, 0))) + sorted("NEGATIVE " + r for r, n in bag.items() if n < 0)


def split_cells(row):
    cells, depth, cur = [], 0, ""
    for ch in row[1:-1]:
        if ch in "[{(":
            depth += 1
        elif ch in "]})":
            depth -= 1
        if ch == "," and depth == 0:
            cells.append(cur.strip())
            cur = ""
        else:
            cur += ch
    return cells + [cur.strip()]


def upsert_keys(sql):
    """Primary key positions of `record` tables that take upserts."""
    out = {}
    for m in re.finditer(r"CREATE\s+(?:TEMPORARY\s+)?TABLE\s+`?(\w+)`?\s*\((.*?)\)\s*WITH\s*\((.*?)\)\s*;", sql, re.S | re.I):
        name, cols, opts = m.groups()
        if "'record'" not in opts:
            continue
        pk = re.search(r"PRIMARY\s+KEY\s*\(([^)]*)\)", cols, re.I)
        body = re.sub(r"(,?\s*(CONSTRAINT\s+\w+\s+)?PRIMARY\s+KEY\s*\([^)]*\)\s*NOT\s+ENFORCED)", "", cols, flags=re.I)
        names = [re.match(r"\s*`?(\w+)", c).group(1) for c in split_cells("[" + body + "]") if re.match(r"\s*`?\w+", c)]
        inline = [i for i, c in enumerate(split_cells("[" + body + "]")) if re.search(r"PRIMARY\s+KEY", c, re.I)]
        if pk:
            out[name] = [names.index(k.strip(" `")) for k in pk.group(1).split(",") if k.strip(" `") in names]
        elif inline:
            out[name] = inline
    return out


def directives(text):
    d = {"conf": {}}
    for line in text.splitlines():
        m = re.match(r"--\s*([a-z]+)(?::\s*(.*))?$", line.strip())
        if line.strip() and not line.startswith("--"):
            break
        if not m:
            continue
        if m.group(1) == "conf" and m.group(2) and "=" in m.group(2):
            k, v = m.group(2).split("=", 1)
            d["conf"][k.strip()] = v.strip()
        else:
            d[m.group(1)] = m.group(2) or True
    return d


def known_open():
    """tests/known_open.txt: cases that fail today, each with its issue and reason. One that passes must be taken out."""
    path, out = os.path.join(ROOT, "tests", "known_open.txt"), {}
    if os.path.exists(path):
        for line in open(path, encoding="utf-8"):
            case, _, reason = line.rstrip("\n").partition("\t")
            if case and not case.startswith("# "):
                out[case] = reason
    return out


def differences():
    """docs/reference/differences.md: (corpus file, statement) that answer otherwise than Flink on purpose. Their right values
    stand in tests/sql. One that does not differ must be taken out."""
    out, inside = set(), False
    for line in open(os.path.join(ROOT, "docs", "reference", "differences.md"), encoding="utf-8"):
        inside = line.startswith("## Statements of the corpus") or (inside and not line.startswith("## "))
        m = re.match(r"\| `([^`]+)` \| `((?:[^`]|\\`)+)` \|", line) if inside else None
        if m:
            out.add((m.group(1), " ".join(m.group(2).replace("\\|", "|").split())))
    return out


class Report:
    def __init__(self):
        self.passed = self.failed = self.open = 0
        self.failures, self.lock = [], threading.Lock()
        self.known = known_open()
        self.differs = differences()

    def check(self, ok, where, want=None, got=None):
        case = re.sub(r"\.(tiny|p4|mini|multi|as-batch|main)(?=[.# ]|$)", "", where)
        with self.lock:
            if ok:
                self.passed += 1
            elif case in self.known:
                self.open += 1
            else:
                self.failed += 1
                self.failures.append((where, want, got))
        return ok


def plain(text):
    """What counts of an error message: letters and digits, lower case."""
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()


def error_matches(want, got):
    """Flink's text is a chain of causes; weir's sentence must be one of its sentences (or contain its core)."""
    want, got = (re.sub(r"(which is produced by node \w+)\(.*", r"\1", t, flags=re.S) for t in (want, got))  # details: EXPLAIN tests
    w, g = plain(want), plain(got)
    if not g:
        return False
    if g in w:
        return True
    for part in want.split(" <- "):
        core = re.sub(r"^[\w.$]+: ", "", part)
        core = re.sub(r"^(SQL validation failed\.|SQL parse failed\.) *", "", core)
        core = re.sub(r"From line \d+, column \d+ to line \d+, column \d+: *", "", core)
        c = plain(core.split("\n")[0])
        if len(c) > 8 and c in g:
            return True
    return False


def top_ordered(sql):
    s = re.sub(r"'[^']*'", "''", sql)
    depth, last = 0, -1
    for m in re.finditer(r"[()]|\border\s+by\b", s, re.I):
        if m.group() == "(":
            depth += 1
        elif m.group() == ")":
            depth -= 1
        elif depth == 0:
            last = m.start()
    return last >= 0


def compare_golden(report, name, golden, answer, mode, opts, exact, keys, plans=True):
    if "crash" in answer or "error" in answer:
        report.check(False, name, "an answer", answer.get("crash") or answer.get("error"))
        return
    got = answer["statements"]
    for i, want in enumerate(golden["statements"]):
        where = "%s#%d %s" % (name, i + 1, " ".join(want["sql"].split())[:100])
        have = got[i] if i < len(got) else {"kind": "missing"}
        if (name.split(".")[0], " ".join(want["sql"].split())) in report.differs:
            same = want["kind"] == have["kind"] and want.get("printed") == have.get("printed")
            report.check(not same, where, "another answer: it is listed in differences.md", have["kind"])
            continue
        if not plans and want["sql"].lstrip()[:7].upper() == "EXPLAIN":
            continue
        if want["kind"] == "ok":
            if re.match(r"(?i)execute\s+select\b", want["sql"]) and have["kind"] == "rows":
                continue  # the program that asks Flink takes EXECUTE for a DML statement and reads no rows
            if have["kind"] != "ok":
                report.check(False, where, "ok", have.get("error", have["kind"]))
            continue
        if want["kind"] == "error":
            ok = have["kind"] == "error" and (opts.get("error") == "any" or error_matches(want["error"], have["error"]))
            report.check(ok, where, "error: " + want["error"], have.get("error", have["kind"]))
            continue
        if have["kind"] != "rows":
            report.check(False, where, want.get("printed"), have.get("error", have["kind"]))
            continue
        w, h = want["printed"], have["printed"]
        if exact and "columns" in want and want["columns"] != have["columns"]:
            report.check(False, where, want["columns"], have["columns"])
            continue
        if not exact:
            w, h = final_rows(w), final_rows(h)
        elif opts.get("order") == "any" or (mode == "batch" and not top_ordered(want["sql"])):
            w, h = sorted(w), sorted(h)
        report.check(w == h, where, w, h)
    for table, want in golden.get("recorded", {}).items():
        have = answer.get("recorded", {}).get(table, [])
        if not exact:
            want, have = final_rows(want, keys.get(table)), final_rows(have, keys.get(table))
        elif opts.get("order") == "any" or mode == "batch":
            want, have = sorted(want), sorted(have)
        report.check(want == have, "%s recorded %s" % (name, table), want, have)


MULTI_JOIN = {"table.optimizer.multi-join.enabled": "true"}
MINI_BATCH = {"table.exec.mini-batch.enabled": "true", "table.exec.mini-batch.allow-latency": "1 s", "table.exec.mini-batch.size": "7"}

# What depends on the order of arrival, or on the mode itself.
OF_STREAM = re.compile(r"(?i)\b(LISTAGG|FIRST_VALUE|LAST_VALUE|\w*ARRAY_?AGG|LIMIT|FETCH|CURRENT_WATERMARK|DESCRIBE|DESC|SHOW|EXPLAIN)\b")


def compare_batch(report, name, golden, answer, opts):
    """A stream that ends and the batch query have the same content; what batch mode refuses (changing sources) does not count."""
    if "crash" in answer or "error" in answer:
        report.check(False, name, "an answer", answer.get("crash") or answer.get("error"))
        return
    for i, want in enumerate(golden["statements"]):
        have = answer["statements"][i] if i < len(answer["statements"]) else {"kind": "missing"}
        where = "%s#%d %s" % (name, i + 1, " ".join(want["sql"].split())[:100])
        if want["kind"] != "rows" or (have["kind"] == "error" and "in batch mode" in have["error"]) or OF_STREAM.search(want["sql"]):
            continue
        if (name.split(".")[0], " ".join(want["sql"].split())) in report.differs:
            continue
        if have["kind"] != "rows":
            report.check(False, where, want["printed"], have.get("error", have["kind"]))
            continue
        w, h = final_rows(want["printed"]), final_rows(have["printed"])
        if not w and len(h) == 1:
            continue  # a global aggregate of nothing: no row in a stream, one in batch
        report.check(w == h, where, w, h)


def run_corpus_file(report, path, pools):
    sql = open(path, encoding="utf-8").read()
    opts = directives(sql)
    rel = os.path.relpath(path, os.path.join(ROOT, "tests", "corpus"))[:-4]
    keys = upsert_keys(sql)
    seen, modes, goldens = False, [], {}
    for mode in ("streaming", "batch"):
        gpath = os.path.join(ROOT, "tests", "golden", rel + "." + mode + ".json")
        if not os.path.exists(gpath):
            continue
        seen = True
        golden = goldens[mode] = json.load(open(gpath, encoding="utf-8"))
        modes.append(mode)
        req = {"id": rel, "sql": sql, "mode": mode, "keep_going": True, "conf": opts["conf"]}
        compare_golden(report, rel + "." + mode, golden, pools["main"].ask(req), mode, opts, opts.get("compare") != "final", keys)
        if "alone" in opts:
            continue
        if "tiny" in pools:
            compare_golden(report, rel + "." + mode + ".tiny", golden, pools["tiny"].ask(req), mode, opts,
                           mode == "streaming" and opts.get("compare") != "final", keys)
        if pools.get("variants") and opts.get("parallel") != "no":
            compare_golden(report, rel + "." + mode + ".p4", golden, pools["main"].ask(dict(req, parallelism=4)), mode, opts, False, keys)
        if pools.get("variants") and mode == "streaming" and "mini-batch" not in sql and opts.get("mini") != "no":
            answer = pools["main"].ask(dict(req, conf=dict(MINI_BATCH, **opts["conf"])))
            compare_golden(report, rel + "." + mode + ".mini", golden, answer, mode, opts, False, keys, plans=False)
        if pools.get("variants") and mode == "streaming" and "multi-join" not in sql and opts.get("multi") != "no" and re.search(r"(?i)\bJOIN\b", sql):
            answer = pools["main"].ask(dict(req, conf=dict(MULTI_JOIN, **opts["conf"])))
            compare_golden(report, rel + "." + mode + ".multi", golden, answer, mode, opts, False, keys, plans=False)
    if modes == ["streaming"] and "alone" not in opts and opts.get("batch") != "no":
        compare_batch(report, rel + ".as-batch", goldens["streaming"], pools["main"].ask(dict(req, mode="batch")), opts)
    if not seen:
        report.check(False, rel, "a golden file", "none: run tools/oracle.py")


def parse_slt(text):
    """[(kind, flags, sql, expected lines)]"""
    cases, lines, i = [], text.splitlines(), 0
    while i < len(lines):
        line = lines[i].rstrip()
        if not line or line.startswith("--") or line.startswith("#"):
            i += 1
            continue
        head = line.split(" ", 1)
        i += 1
        sql, expect = [], []
        while i < len(lines) and lines[i].strip() and lines[i].rstrip() != "----":
            sql.append(lines[i])
            i += 1
        if i < len(lines) and lines[i].rstrip() == "----":
            i += 1
            while i < len(lines) and lines[i].rstrip():
                expect.append(lines[i].rstrip("\n"))
                i += 1
        cases.append((head[0], head[1] if len(head) > 1 else "", "\n".join(sql).rstrip().rstrip(";"), expect))
    return cases


def run_slt_file(report, path, pools):
    text = open(path, encoding="utf-8").read()
    opts = directives(text)
    rel = os.path.relpath(path, os.path.join(ROOT, "tests", "sql"))
    cases = parse_slt(text)
    modes = [m.strip() for m in str(opts.get("modes", "streaming,batch")).split(",")]
    ways = [(m, w) for m in modes for w in (["main", "p4", "tiny"] if "alone" not in opts else ["main"])]
    for mode, way in ways:
        if (way == "tiny" and "tiny" not in pools) or (way == "p4" and not pools.get("variants")):
            continue
        pool = pools["tiny"] if way == "tiny" else pools["main"]
        statements = [c for c in cases if c[0] != "recorded"]
        script = "\n;\n".join(c[2] for c in statements) + "\n;"
        answer = pool.ask({"id": rel, "sql": script, "mode": mode, "keep_going": True, "conf": opts["conf"],
                           "parallelism": 4 if way == "p4" else 1})
        if "crash" in answer or "error" in answer:
            report.check(False, "%s.%s.%s" % (rel, mode, way), "an answer", answer.get("crash") or answer.get("error"))
            continue
        keys = upsert_keys(script)
        for kind, flags, sql, expect in cases:
            if kind == "recorded":
                rows = final_rows(answer.get("recorded", {}).get(flags, []), keys.get(flags))
                report.check(rows == sorted(expect), "%s.%s.%s recorded %s" % (rel, mode, way, flags), sorted(expect), rows)
        for n, (kind, flags, sql, expect) in enumerate(statements):
            where = "%s.%s.%s#%d %s" % (rel, mode, way, n + 1, " ".join(sql.split())[:100])
            have = answer["statements"][n] if n < len(answer["statements"]) else {"kind": "missing"}
            words = flags.split()
            if kind == "statement" and words[:1] == ["ok"]:
                if have["kind"] == "error":
                    report.check(False, where, "ok", have["error"])
            elif kind == "statement":
                wanted = flags.split(" ", 1)[1] if " " in flags else ""
                report.check(have["kind"] == "error" and plain(wanted) in plain(have["error"]), where, wanted, have.get("error", have["kind"]))
            elif kind == "query":
                if ("streaming" in words and mode != "streaming") or ("batch" in words and mode != "batch"):
                    continue
                if have["kind"] != "rows":
                    report.check(False, where, expect, have.get("error", have["kind"]))
                elif "changelog" in words:
                    if mode == "streaming" and way == "main":
                        report.check(have["printed"] == expect, where, expect, have["printed"])
                elif "ordered" in words and mode == "batch":
                    rows = [split_row(x)[1] for x in have["printed"]]
                    report.check(rows == expect, where, expect, rows)
                else:
                    rows = final_rows(have["printed"])
                    report.check(rows == sorted(expect), where, sorted(expect), rows)
            else:
                report.check(False, where, "statement or query", kind)


def count_cases(files):
    """What the corpus holds: distinct statements per file that have an expected answer, and how many of them a real Flink gave."""
    cases, by_flink, changelogs = set(), set(), set()
    for path in files:
        if path.endswith(".slt"):
            cases |= {(path, kind + " " + flags, sql) for kind, flags, sql, _ in parse_slt(open(path, encoding="utf-8").read())
                      if kind == "query" or flags.startswith("error")}
            continue
        rel = os.path.relpath(path, os.path.join(ROOT, "tests", "corpus"))[:-4]
        for mode in ("streaming", "batch"):
            gpath = os.path.join(ROOT, "tests", "golden", rel + "." + mode + ".json")
            if os.path.exists(gpath):
                golden = json.load(open(gpath, encoding="utf-8"))
                found = {(path, mode, s["sql"]) for s in golden["statements"] if s["kind"] != "ok"}
                found |= {(path, mode, t) for t in golden.get("recorded", {})}
                by_flink |= found
                changelogs |= {c for c in found if mode == "streaming"}
    print("%d distinct cases; %d answered by Flink, %d of them exact changelogs or errors in streaming mode" %
          (len(cases | by_flink), len(by_flink), len(changelogs)))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--binary")
    ap.add_argument("--verbose", action="store_true")
    ap.add_argument("--max-shown", type=int, default=40)
    ap.add_argument("--bless", action="store_true", help="accepted for ./dev bless; goldens come from tools/oracle.py alone")
    ap.add_argument("--count", action="store_true", help="print how many cases there are, and run none")
    ap.add_argument("--conf", action="append", default=[], metavar="KEY=VALUE", help="a session option for every file")
    ap.add_argument("words", nargs="*")
    args = ap.parse_args()
    Pool.conf = dict(c.split("=", 1) for c in args.conf)
    if args.bless:
        print("goldens of the corpus come from a real Flink: tools/oracle.py")
        return 0
    files = sorted(glob.glob(os.path.join(ROOT, "tests", "corpus", "**", "*.sql"), recursive=True))
    files += sorted(glob.glob(os.path.join(ROOT, "tests", "sql", "**", "*.slt"), recursive=True))
    files = [f for f in files if not args.words or any(w in f for w in args.words)]
    if args.count:
        count_cases(files)
        return 0
    pools = {}
    asan = os.environ.get("WR_BUILD_ASAN", os.path.join(ROOT, "build", "asan"))
    tiny = os.environ.get("WR_BUILD_TINY", os.path.join(ROOT, "build", "tiny"))
    pools["main"] = Pool(args.binary or os.path.join(asan, "weir"), args.jobs)
    if not args.binary:
        pools["tiny"] = Pool(os.path.join(tiny, "weir"), args.jobs)
        pools["variants"] = True
    for p in pools.values():
        if isinstance(p, Pool) and not os.path.exists(p.binary):
            print("no binary %s" % p.binary)
            print("0 passed, 1 failed")
            return 1
    report = Report()
    os.chdir(ROOT)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as ex:
        jobs = {ex.submit(run_corpus_file if f.endswith(".sql") else run_slt_file, report, f, pools): f for f in files}
        for j in concurrent.futures.as_completed(jobs):
            try:
                j.result()
            except Exception as e:  # a broken test file is a failure of that file
                report.check(False, jobs[j], None, repr(e))
    for p in pools.values():
        if isinstance(p, Pool):
            p.stop()
    for where, want, got in report.failures[: None if args.verbose else args.max_shown]:
        print("FAILED %s" % where)
        if isinstance(want, list) and isinstance(got, list) and not args.verbose:
            diff = list(difflib.unified_diff(want, got, "want", "got", lineterm="", n=1))[2:]
            print("\n".join("    " + d[:200] for d in diff[:30]))
            continue
        for title, v in (("want", want), ("got ", got)):
            text = "\n       ".join(v) if isinstance(v, list) else str(v)
            print("  %s %s" % (title, text if args.verbose else text[:1200]))
    if report.failures:
        print("rerun: tests/run.py %s" % report.failures[0][0].split("#")[0].split(".")[0])
    if report.open:
        print("%d checks of %d cases are known to fail: tests/known_open.txt" % (report.open, len(report.known)))
    print("%d passed, %d failed" % (report.passed, report.failed))
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
