#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks a real Flink for the answers of corpus files and stores them as goldens, so that everyday tests need no Flink.

    tools/oracle.py [--missing] [--mode streaming|batch|both] FILE.sql...

FLINK_ORACLE names the program to start: it reads requests and writes answers as JSON lines with --serve, the same form as
`weir test --serve` (src/cli/test_serve.c). Goldens: tests/golden/**/X.<mode>.json, with Flink's version. A script whose
golden would hold no row and no error is refused: it would assert nothing. --missing: only files without golden or newer than
theirs. A `-- modes:` directive in the file chooses the modes (default: both; in batch only scripts that Flink accepts there)."""
import argparse, json, os, re, subprocess, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests"))
from run import ROOT, directives  # noqa: E402

VERSION = "2.3.0"


def dump(path, golden):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write('{"flink": "%s",\n"statements": [\n' % VERSION)
        f.write(",\n".join(json.dumps(s, ensure_ascii=False) for s in golden["statements"]))
        f.write("\n]")
        if golden.get("recorded"):
            f.write(',\n"recorded": {\n')
            f.write(",\n".join("%s: %s" % (json.dumps(k), json.dumps(v, ensure_ascii=False)) for k, v in golden["recorded"].items()))
            f.write("\n}")
        f.write("}\n")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--missing", action="store_true")
    ap.add_argument("--mode", default="both")
    ap.add_argument("files", nargs="+")
    args = ap.parse_args()
    program = os.environ.get("FLINK_ORACLE")
    if not program:
        sys.exit("FLINK_ORACLE is not set: it names the program that answers as a real Flink")
    work = []
    for f in args.files:
        sql = open(f, encoding="utf-8").read()
        opts = directives(sql)
        modes = [m.strip() for m in str(opts.get("modes", "streaming,batch")).split(",")]
        rel = os.path.relpath(os.path.abspath(f), os.path.join(ROOT, "tests", "corpus"))[:-4]
        for mode in modes:
            if args.mode not in ("both", mode):
                continue
            path = os.path.join(ROOT, "tests", "golden", rel + "." + mode + ".json")
            if args.missing and os.path.exists(path) and os.path.getmtime(path) >= os.path.getmtime(f):
                continue
            work.append((rel, mode, sql, opts, path))
    if not work:
        return 0
    os.chdir(ROOT)
    proc = subprocess.Popen([program, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    proc.stdout.readline()
    status = 0
    for rel, mode, sql, opts, path in work:
        req = {"id": rel, "sql": sql, "mode": mode, "keep_going": True, "conf": opts["conf"]}
        proc.stdin.write(json.dumps(req) + "\n")
        proc.stdin.flush()
        answer = json.loads(proc.stdout.readline())
        golden = {"statements": [], "recorded": answer.get("recorded", {})}
        for s in answer["statements"]:
            keep = {k: s[k] for k in ("sql", "kind", "columns", "printed", "error") if k in s}
            if s.get("timeout"):
                print("%s %s: timed out: %s" % (rel, mode, s["sql"][:80]))
                status = 1
            golden["statements"].append(keep)
        if not golden["recorded"] and all(s["kind"] == "ok" for s in golden["statements"]):
            print("%s %s: nothing to compare" % (rel, mode))
            status = 1
            continue
        dump(path, golden)
        errors = sum(s["kind"] == "error" for s in golden["statements"])
        print("%s %s: %d statements, %d errors" % (rel, mode, len(golden["statements"]), errors), flush=True)
    proc.stdin.close()
    proc.terminate()
    return status


if __name__ == "__main__":
    sys.exit(main())
