#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/reference/streaming.md keeps its word: every row of the master table names test files that exist, which have five
answered statements and one refusal at least (or the row says "nothing to refuse")."""
import json, os, re, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABLE = os.path.join(ROOT, "docs", "reference", "streaming.md")


def count(name):
    """(answers, refusals) of one named file; None if there is none."""
    golden = os.path.join(ROOT, "tests", "golden", name + ".streaming.json")
    if os.path.exists(os.path.join(ROOT, "tests", "corpus", name + ".sql")) and os.path.exists(golden):
        got = json.load(open(golden, encoding="utf-8"))
        kinds = [s["kind"] for s in got["statements"]]
        return kinds.count("rows") + len(got.get("recorded", {})), kinds.count("error")
    slt = os.path.join(ROOT, "tests", "sql", name + ".slt")
    if os.path.exists(slt):
        text = open(slt, encoding="utf-8").read()
        return len(re.findall(r"(?m)^(?:query|recorded)\b", text)), len(re.findall(r"(?m)^statement error", text))
    if re.match(r"(unit|prop)/", name) and os.path.exists(os.path.join(ROOT, "tests", name)):
        return 0, 0
    return None


def main():
    passed, failures = 0, []
    rows = [l for l in open(TABLE, encoding="utf-8") if l.startswith("| ") and not l.startswith("| Feature |")]
    for row in rows:
        cells = [c.strip() for c in row.strip().strip("|").split("|")]
        if len(cells) != 6:
            failures.append("%s: %d cells" % (cells[0], len(cells)))
            continue
        counts = {name: count(name) for name in re.findall(r"`([^`]+)`", cells[5])}
        missing = [name for name, n in counts.items() if n is None]
        answers = sum(n[0] for n in counts.values() if n)
        refusals = sum(n[1] for n in counts.values() if n)
        if missing:
            failures.append("%s: no file %s" % (cells[0], ", ".join(missing)))
        elif answers < 5:
            failures.append("%s: %d answers" % (cells[0], answers))
        elif refusals < 1 and "nothing to refuse" not in row:
            failures.append("%s: nothing that is refused" % cells[0])
        else:
            passed += 1
    if len(rows) < 30:
        failures.append("only %d rows found in %s" % (len(rows), TABLE))
    for f in failures:
        print("FAILED " + f)
    print("%d passed, %d failed" % (passed, len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
