#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts how many EXPLAINs of tests/plans/ give Flink's text, section by section.

    plan_survey.py [--binary build/asan/weir] [--flink] [--mode streaming|batch|both] [--diff] [--keep] [WORD...]

tests/plans/tables.sql declares the tables; every other file there holds statements, which are asked of weir in both modes.
Flink's answers are kept in a folder (WEIR_SURVEY, default /tmp/weir-plan-survey) and asked again with --flink (FLINK_ORACLE
names the program, as for tools/oracle.py). --diff shows what differs, most frequent line first with --lines. --keep writes
what is identical to tests/corpus/plan/survey_*.sql with its goldens, so that it stays so."""
import argparse, collections, difflib, glob, json, os, re, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PLANS = os.path.join(ROOT, "tests", "plans")
CONF = {"weir.explain.state": "false"}
SECTIONS = ("== Abstract Syntax Tree ==", "== Optimized Physical Plan ==", "== Optimized Physical Plan With Advice ==", "== Optimized Execution Plan ==", "== Physical Execution Plan ==")


def script(name):
    tables = open(os.path.join(PLANS, "tables.sql"), encoding="utf-8").read()
    return tables + open(os.path.join(PLANS, name + ".sql"), encoding="utf-8").read()


def serve(command, requests):
    proc = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    proc.stdout.readline()
    for request in requests:
        proc.stdin.write(json.dumps(request) + "\n")
        proc.stdin.flush()
        yield request, json.loads(proc.stdout.readline())
    proc.stdin.close()
    proc.terminate()


def renumber(text, pattern):
    """Numbers that Flink counts through a process, counted from 0 here."""
    seen = {}
    return re.sub(pattern, lambda m: m.group(1) + str(seen.setdefault(m.group(2), len(seen))), text)


def answer_text(s):
    if s.get("kind") == "error":
        return "ERROR " + s.get("error", "")
    text = "\n".join(s.get("printed", [])) or s.get("kind", "")
    return renumber(renumber(renumber(text, r"(\$cor)(\d+)"), r"(\[)(\d+)(?=\]:|\]\")"), r"(\"id\" : )(\d+)")


def sections(text):
    """Section name -> its text."""
    out, current = {}, None
    for line in text.removeprefix("+I[").removesuffix("]").split("\n"):
        if line in SECTIONS:
            current = line
            out[current] = []
        elif current:
            out[current].append(line)
        else:
            out.setdefault("other", []).append(line)
    return {k: "\n".join(v).strip() for k, v in out.items()}


def requests(names, modes):
    for name in names:
        for mode in modes:
            yield {"id": name + "." + mode, "sql": script(name), "mode": mode, "keep_going": True, "conf": CONF}


def flink_answers(names, modes, refresh):
    folder = os.environ.get("WEIR_SURVEY", "/tmp/weir-plan-survey")
    os.makedirs(folder, exist_ok=True)
    todo = [r for r in requests(names, modes)
            if refresh or not os.path.exists(os.path.join(folder, r["id"])) or json.load(open(os.path.join(folder, r["id"])))["script"] != r["sql"]]
    if todo:
        if not os.environ.get("FLINK_ORACLE"):
            sys.exit("FLINK_ORACLE is not set: it names the program that answers as a real Flink")
        plain = [dict(r, conf={}) for r in todo]
        for request, answer in serve([os.environ["FLINK_ORACLE"], "--serve"], plain):
            with open(os.path.join(folder, request["id"]), "w", encoding="utf-8") as f:
                json.dump({"script": request["sql"], "statements": answer["statements"]}, f)
    return {r["id"]: json.load(open(os.path.join(folder, r["id"])))["statements"] for r in requests(names, modes)}


def same(want, got):
    if want["kind"] == "error" or got["kind"] == "error":
        return want["kind"] == got["kind"]  # the sentences are compared by other tests
    return answer_text(want) == answer_text(got)


def literally_same(want, got):
    return want.get("printed") == got.get("printed") if want["kind"] == "rows" else want["kind"] == got["kind"]


def keep(name, mode, kept):
    base = "survey_%s_%s" % (name, mode)
    path = os.path.join(ROOT, "tests", "corpus", "plan", base + ".sql")
    with open(path, "w", encoding="utf-8") as f:
        f.write("-- SPDX-License-Identifier: Apache-2.0\n-- Plans of tests/plans/%s.sql that are Flink's to the letter.\n-- modes: %s\n"
                "-- batch: no\n-- conf: weir.explain.state=false\n" % (name, mode))
        for s in kept:
            f.write(s["sql"].strip() + ";\n")
    sys.path.insert(0, os.path.join(ROOT, "tools"))
    from oracle import dump
    answers = [{k: s[k] for k in ("sql", "kind", "columns", "printed", "error") if k in s} for s in kept]
    dump(os.path.join(ROOT, "tests", "golden", "plan", "%s.%s.json" % (base, mode)), {"statements": answers})


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--binary", default=os.path.join(ROOT, "build", "asan", "weir"))
    ap.add_argument("--mode", default="both")
    for flag in ("--flink", "--diff", "--lines", "--keep"):
        ap.add_argument(flag, action="store_true")
    ap.add_argument("words", nargs="*")
    args = ap.parse_args()
    names = sorted(os.path.basename(p)[:-4] for p in glob.glob(os.path.join(PLANS, "*.sql")))
    names = [n for n in names if n != "tables" and (not args.words or n in args.words)]
    modes = ["streaming", "batch"] if args.mode == "both" else [args.mode]
    flink = flink_answers(names, modes, args.flink)
    total, lines, sums = collections.Counter(), collections.Counter(), collections.Counter()
    for request, answer in serve([args.binary, "test", "--serve"], requests(names, modes)):
        mode = request["id"].split(".")[-1]
        kept, good, count, equal = [], 0, 0, 0
        for want, got in zip(flink[request["id"]], answer["statements"]):
            if not want["sql"].lstrip().upper().startswith("EXPLAIN"):
                kept.append(want)  # where it stands: options may be set on the way
                continue
            count += 1
            w, g = sections(answer_text(want)), sections(answer_text(got))
            for key in w if want["kind"] != "error" else ():
                total[mode, key] += 1
                sums[mode, key] += w[key] == g.get(key)
            if want["kind"] != "error" and literally_same(want, got):
                kept.append(want)
                good += 1
            if same(want, got):
                equal += 1
                continue
            if args.diff:
                print("--", request["id"], got["sql"].strip())
            for key in list(w):
                if w[key] == g.get(key) or (key == SECTIONS[3] and w.get(SECTIONS[1]) != g.get(SECTIONS[1])):
                    continue
                for line in difflib.unified_diff(w[key].split("\n"), g.get(key, "(missing) " + str(g)[:300]).split("\n"), lineterm="", n=1):
                    if line.startswith(("---", "+++", "@@")):
                        continue
                    lines[re.sub(r"\W*\w+$", "", line)[:60]] += 1
                    if args.diff:
                        print("    " + line)
        print("%s: %d of %d identical" % (request["id"], equal, count))
        sums[mode, "all"] += equal
        total[mode, "all"] += count
        if args.keep and good:
            keep(request["id"].split(".")[0], mode, kept)
    if args.lines:
        for line, n in lines.most_common(40):
            print("%4d %s" % (n, line))
    for key in total:
        print("%-10s %-45s %d of %d" % (key[0], key[1], sums[key], total[key]))


main()
