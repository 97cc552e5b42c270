#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generated queries (tools/gen_queries.py): the batch answer must equal the final content of the streaming changelog, at
parallelism 1 and 4. With --postgres DSN the batch answer must also equal PostgreSQL's (psql must be installed).

    tests/prop/generated_test.py [BINARY] [--seeds A-B] [--count N] [--postgres DSN]"""
import argparse, os, re, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
sys.path.insert(0, os.path.join(ROOT, "tools"))
from gen_queries import TABLES, ddl, script  # noqa: E402
from run import Server, final_rows  # noqa: E402

WAYS = [("batch", 1), ("streaming", 1), ("streaming", 4), ("batch", 4)]


def rows_of(statement):
    if statement["kind"] != "rows":
        return "error: " + statement.get("error", statement["kind"])
    return final_rows(statement["printed"])


def postgres(dsn, data, queries):
    """Answers as print lines without kind; None where PostgreSQL refuses."""
    types = {"STRING": "text", "DOUBLE": "float8", "INT": "int", "BIGINT": "bigint", "BOOLEAN": "boolean"}
    sql = ["SET client_min_messages = error; BEGIN;"]
    for t, cols in TABLES.items():
        sql.append("CREATE TEMP TABLE %s (%s);" % (t, ", ".join('%s %s' % (c, types.get(y, y)) for c, y in cols)))
        for r in data[t]:
            sql.append("INSERT INTO %s VALUES (%s);" % (t, ", ".join("NULL" if v is None else "'%s'" % v if isinstance(v, str) else str(v) for v in r)))
    sql.append("COMMIT;")
    for i, q in enumerate(queries):
        sql.append("\\echo @@%d" % i)
        sql.append(q + ";")
    out = subprocess.run(["psql", dsn, "-X", "-A", "-t", "-F", "\x1f", "-P", "null=\x1enull", "-q"], input="\n".join(sql), text=True, capture_output=True).stdout
    answers = {}
    for part in out.split("@@")[1:]:
        head, _, body = part.partition("\n")
        rows = []
        for line in body.split("\n")[:-1]:
            cells = ["null" if c == "\x1enull" else {"t": "true", "f": "false"}.get(c, c) for c in line.split("\x1f")]
            rows.append("[" + ", ".join(cells) + "]")
        answers[int(head)] = sorted(rows)
    return answers


def plain_numbers(rows):
    """1.0 and 1, 1.0E10 and 10000000000 are the same here."""
    def num(m):
        v = float(m.group(0))
        return "%.10g" % v
    return sorted(re.sub(r"-?\d+(\.\d+)?(E-?\d+)?", num, r) for r in rows)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("binary", nargs="?", default=os.path.join(os.environ.get("WR_BUILD_ASAN", os.path.join(ROOT, "build", "asan")), "weir"))
    ap.add_argument("--seeds", default="1000-1024")
    ap.add_argument("--count", type=int, default=20)
    ap.add_argument("--postgres")
    ap.add_argument("--wide", action="store_true", help="more of the standard: sub-queries anywhere, LATERAL, WITH, grouping sets")
    ap.add_argument("--show", type=int, default=20)
    args = ap.parse_args()
    lo, hi = (int(x) for x in args.seeds.split("-"))
    server, passed, failures = Server(args.binary), 0, []
    for seed in range(lo, hi + 1):
        data, queries = script(seed, args.count, args.wide)
        sql = ddl(data) + "\n" + ";\n".join(queries) + ";"
        answers = {}
        for mode, p in WAYS:
            a = server.ask({"id": seed, "sql": sql, "mode": mode, "parallelism": p, "keep_going": True})
            answers[(mode, p)] = a.get("statements", [{"kind": "crash", "error": a.get("crash", "")}])[len(TABLES):]
        want_pg = postgres(args.postgres, data, queries) if args.postgres else {}
        for i, q in enumerate(queries):
            got = {w: rows_of(answers[w][i]) if i < len(answers[w]) else "crash" for w in WAYS}
            base = got[WAYS[0]]
            bad = isinstance(base, str) or any(got[w] != base for w in WAYS)
            if not bad and i in want_pg and plain_numbers(want_pg[i]) != plain_numbers(base):
                bad, got["postgres"] = True, want_pg[i]
            if bad:
                failures.append((seed, i, q, got))
            else:
                passed += 1
    server.stop()
    for seed, i, q, got in failures[: args.show]:
        print("FAILED seed %d query %d: %s" % (seed, i, q))
        for w, rows in got.items():
            print("  %s %s" % (w, str(rows)[:400]))
    print("%d passed, %d failed" % (passed, len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
