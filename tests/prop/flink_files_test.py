#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every row of the three files that a real Flink 2.3 wrote (tests/data/flink): functions with examples and values, the cast
lattice, the options. What differs on purpose is listed in docs/reference/differences*.md: an example that stands there in a code
span may differ, all others must not.

    tests/prop/flink_files_test.py [BINARY] [--show N] [--only WORD]"""
import argparse, glob, json, os, re, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from run import Server, error_matches  # noqa: E402

DATA = os.path.join(ROOT, "tests", "data", "flink")
TABLES = """
CREATE VIEW tv AS SELECT * FROM (VALUES (1, TIMESTAMP '2024-01-01 10:03:00'), (2, TIMESTAMP '2024-01-01 10:06:00'), (3, TIMESTAMP '2024-01-01 10:14:00')) AS t(x, ts);
CREATE TABLE tf (x INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "2024-01-01 10:03:00"]
["+I", 2, "2024-01-01 10:06:00"]
["+I", 3, "2024-01-01 10:14:00"]');
CREATE TABLE tp (x INT, pt AS PROCTIME()) WITH ('connector' = 'script', 'rows' = '
["+I", 1]
["+I", 2]
["+I", 3]');
CREATE TABLE cdc (k INT, v STRING) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "a"]
["-U", 1, "a"]
["+U", 1, "b"]
["-D", 1, "b"]');
CREATE TABLE cdcx (x INT) WITH ('connector' = 'script', 'rows' = '
["+I", 3]
["+I", 1]
["+I", 7]
["-D", 7]
["-D", 3]');
CREATE TABLE rawt (op STRING, k INT, v STRING) WITH ('connector' = 'script', 'rows' = '
["+I", "INSERT", 1, "a"]
["+I", "UPDATE_BEFORE", 1, "a"]
["+I", "UPDATE_AFTER", 1, "b"]
["+I", "DELETE", 1, "b"]');
CREATE TABLE sw (x INT, ts TIMESTAMP(3), WATERMARK FOR ts AS SOURCE_WATERMARK()) WITH ('connector' = 'script', 'rows' = '
["+I", 1, "2024-01-01 10:03:00"]
{"watermark": "2024-01-01 10:03:00"}
["+I", 2, "2024-01-01 10:06:00"]');
"""


def unescape(s):
    return s.replace("\\t", "\t").replace("\\n", "\n").replace("\\0", "\0")


def rows_of(name):
    for line in open(os.path.join(DATA, name), encoding="utf-8"):
        if not line.startswith("#"):
            yield line.rstrip("\n").split("\t")


def differences():
    """The code spans of the pages of differences."""
    out = set()
    for path in glob.glob(os.path.join(ROOT, "docs", "reference", "differences*.md")):
        for m in re.finditer(r"`` ?(.+?) ?``|`([^`]+)`", open(path, encoding="utf-8").read()):
            out.add(" ".join((m.group(1) or m.group(2)).split()))
    return out


def not_yet():
    """Features of later issues: lines `- not yet: FEATURE` of differences.md. A row that needs one must say so."""
    path = os.path.join(ROOT, "docs", "reference", "differences.md")
    text = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
    return set(re.findall(r"^- not yet: (.+)$", text, re.M))


def shown(cells):
    v = ["<NULL>" if c is None else c for c in cells]
    return v[0] if len(v) == 1 else "(" + ", ".join(v) + ")"


def function_cases():
    """(id, sql, mode, check)"""
    seen = set()
    for r in list(rows_of("flink-functions.tsv"))[1:]:
        r += [""] * (9 - len(r))
        name, kind, det, sig, rtype, example, value, printed, nulls = r[:9]
        example, value = unescape(example), unescape(value)
        if not example or (example, value) in seen:
            continue
        seen.add((example, value))
        mode = "batch" if "/* batch */" in example else "streaming"
        query = bool(re.match(r"(?is)^\s*(SELECT|WITH|VALUES|CREATE|INSERT|EXPLAIN|SET|TABLE)\b", example))
        sql = example if query else "SELECT " + example + " AS x"
        yield name, det, rtype, example, sql, mode, query, value, r[6]


def check_function(case, st):
    name, det, rtype, example, sql, mode, query, value, raw = case
    if value.startswith("ERROR"):
        if st["kind"] != "error":
            return "an error: " + value, st.get("rows", st["kind"])
        want = value[6:].strip()
        return None if not want or error_matches(want, st["error"]) else (value, st["error"])
    if st["kind"] != "rows":
        return value, st.get("error", st["kind"])
    if rtype and len(st["columns"]) == 1:
        have = st["columns"][0].split(" ", 1)[1]
        if rtype not in (have, st["columns"][0]):
            return "type " + rtype, "type " + have
    if det != "y" and not re.match(r"^[-+\d(<]", value):
        return None
    if mode == "streaming" and query and not sql.upper().startswith("SET"):
        have = " ".join(r[0] + (shown(r[1:]) if len(r) > 2 else "(" + shown(r[1:]) + ")") for r in st["rows"])
    else:
        have = " ".join(shown(r[1:]) for r in st["rows"])
    if have in (value, raw):
        return None
    if "(plan: " in value:  # an abridged plan
        plan = re.search(r"\(plan: (.*)\)\)$", value).group(1)
        return None if plan in have else (value, have)
    any_order = ("UNION" in sql or mode == "batch") and query and "ORDER BY" not in sql
    parts = [sorted(re.split(r"(?<=\)) (?=[(+-])", x)) for x in (have, value)]
    return None if any_order and parts[0] == parts[1] else (value, have)


def check_cast(r, st):
    frm, to, allowed, example, value, tried = (r + [""] * 6)[:6]
    if value.startswith("ERROR"):
        if st["kind"] != "error":
            return value, shown(st["rows"][0][1:]) if st.get("rows") else st["kind"]
        want = value[6:].strip()
        return None if error_matches(want, st["error"]) else (value, st["error"])
    if st["kind"] != "rows" or not st["rows"]:
        return value, st.get("error", "no row")
    have = shown(st["rows"][0][1:])
    return None if have == value else (value, have)


def option_result(server):
    """SET shows no defaults, so the option table is read through the generated reference page."""
    path = os.path.join(ROOT, "docs", "reference", "options.md")
    known = set(re.findall(r"`([a-z$][\w.\-#<>*]+)`", open(path).read())) if os.path.exists(path) else set()
    return known


def ask(server, sql, mode):
    a = server.ask({"id": 1, "sql": sql, "mode": mode, "keep_going": True, "limit": 1000})
    if "crash" in a:
        return [{"kind": "error", "error": "CRASH " + a["crash"]}]
    return a["statements"]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("binary", nargs="?", default=os.path.join(os.environ.get("WR_BUILD_ASAN", os.path.join(ROOT, "build", "asan")), "weir"))
    ap.add_argument("--show", type=int, default=60)
    ap.add_argument("--only")
    args = ap.parse_args()
    server, passed, failures, known = Server(args.binary), 0, [], differences()
    later, met = not_yet(), set()
    tables = {"streaming": TABLES, "batch": re.sub(r"CREATE TABLE (cdcx?|rawt|sw|tp|tf) .*?;\n", lambda m: m.group(0), TABLES, flags=re.S)}
    for c in function_cases():
        if args.only and args.only not in c[3] and args.only != c[0]:
            continue
        st = ask(server, tables[c[5]] + c[4] + ";", c[5])[-1]
        bad = check_function(c, st)
        listed = " ".join(c[3].split()) in known or c[0] + "(" in known
        wait = re.match(r"not supported yet: (.+)$", st.get("error", "").split("\n")[0])
        if bad and wait and wait.group(1) in later:
            met.add(wait.group(1))
            listed = True
        if bad and not listed:
            failures.append(("function " + c[3], *bad))
        else:
            passed += 1
    for r in rows_of("flink-casts.tsv"):
        if r[0] == "from" or len(r) < 5 or not r[3] or (args.only and args.only not in r[3]):
            continue
        st = ask(server, "SELECT " + unescape(r[3]) + " AS x;", "streaming")[-1]
        r[4] = unescape(r[4])
        bad = check_cast(r, st)
        if not bad and len(r) > 5 and r[5]:
            st = ask(server, "SELECT " + "TRY_" + unescape(r[3]) + " AS x;", "streaming")[-1]
            have = shown(st["rows"][0][1:]) if st.get("rows") else st.get("error", "no row")
            if have != unescape(r[5]) and not (r[5] == "ERROR" and st["kind"] == "error"):
                bad = ("TRY_CAST " + r[5], have)
        if bad and " ".join(r[3].split()) not in known:
            failures.append(("cast " + r[3], *bad))
        else:
            passed += 1
    server.stop()
    if not args.only:
        failures += [("differences.md lists '%s' as not yet, but no row met it" % f, "", "") for f in sorted(later - met)]
    for what, want, got in failures[: args.show]:
        print("FAILED %s\n  want %s\n  got  %s" % (what, str(want)[:300], str(got)[:300]))
    print("%d passed, %d failed" % (passed, len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
