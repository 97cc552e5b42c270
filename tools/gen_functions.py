#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/reference/functions.md from src/expr/fn_*.def, with an example and its value from the rows that a real Flink
answered (tests/data/flink/flink-functions.tsv). Fails when a function that SQL can call has no test: no row there, none in
tests/data/flink/expressions.tsv, and no mention in tests/corpus or tests/sql.

    tools/gen_functions.py [--check]"""
import glob, os, re, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUT = os.path.join(ROOT, "docs", "reference", "functions.md")
STRING = r'"((?:[^"\\]|\\.)*)"'


def rows():
    """(name, flags, category, signature, doc, kind) in the order of functions.def."""
    order = re.findall(r'#include "expr/(fn_\w+\.def)"', open(os.path.join(ROOT, "src/expr/functions.def")).read())
    for f in order:
        for line in open(os.path.join(ROOT, "src", "expr", f), encoding="utf-8"):
            m = re.match(r"([FPATW])\(" + STRING + r",\s*([^,]*),", line)
            if not m:
                continue
            strings = [s.encode().decode("unicode_escape") if "\\" in s else s for s in re.findall(STRING, line)]
            yield m.group(2).replace('\\"', '"'), m.group(3), strings[-3], strings[-2], strings[-1], m.group(1)


def examples():
    out = {}
    for line in open(os.path.join(ROOT, "tests/data/flink/flink-functions.tsv"), encoding="utf-8"):
        c = line.rstrip("\n").split("\t")
        if line.startswith("#") or len(c) < 7 or not c[5] or c[6].startswith("ERROR"):
            continue
        if c[0] not in out or (out[c[0]][1] in ("", "<NULL>")):
            out[c[0]] = (c[5], c[6])
    return out


def tested_words():
    text = open(os.path.join(ROOT, "tests/data/flink/flink-functions.tsv"), encoding="utf-8").read()
    names = {line.split("\t")[0].upper() for line in text.splitlines()}
    files = glob.glob(os.path.join(ROOT, "tests/corpus/**/*.sql"), recursive=True)
    files += glob.glob(os.path.join(ROOT, "tests/sql/**/*.slt"), recursive=True)
    files += [os.path.join(ROOT, "tests/data/flink/expressions.tsv")]
    for f in files:
        if os.path.exists(f):
            text += open(f, encoding="utf-8", errors="replace").read()
    return names, set(re.findall(r"[A-Z_$][A-Z0-9_$]*", text.upper()))


def cell(s):
    return s.replace("|", "\\|").replace("\n", " ")


def page():
    ex, out, by = examples(), [], {}
    for name, flags, cat, sig, doc, kind in rows():
        if "HIDDEN" in flags or name.startswith("$"):
            continue
        by.setdefault(cat, []).append((name, sig, doc))
    out.append("# Functions\n\nMade by tools/gen_functions.py from the function table. Examples and values: a real Flink 2.3.\n")
    for cat in by:
        out.append("## %s\n\n| function | forms | what it gives | example | value |\n|---|---|---|---|---|" % cat)
        for name, sig, doc in sorted(set(by[cat])):
            e = ex.get(name, ("", ""))
            forms = "<br>".join("`%s`" % cell(x) for x in sig.split("\n") if x)
            out.append("| %s | %s | %s | %s | %s |" % (cell(name), forms, cell(doc), "`%s`" % cell(e[0]) if e[0] else "", cell(e[1])))
        out.append("")
    return "\n".join(out) + "\n"


def main():
    names, words = tested_words()
    untested = sorted({n for n, flags, *_ in rows() if "HIDDEN" not in flags and not n.startswith("$")
                       and n.upper() not in names and not all(w in words for w in re.findall(r"[A-Z_0-9]+", n.upper()) or [n])})
    for n in untested:
        print("function %s has no test" % n)
    text = page()
    if "--check" in sys.argv:
        same = os.path.exists(OUT) and open(OUT, encoding="utf-8").read() == text
        if not same:
            print("docs/reference/functions.md is not up to date: run tools/gen_functions.py")
        return 0 if same and not untested else 1
    with open(OUT, "w", encoding="utf-8") as f:
        f.write(text)
    return 1 if untested else 0


if __name__ == "__main__":
    sys.exit(main())
