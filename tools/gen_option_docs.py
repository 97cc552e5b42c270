#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/reference/options.md: every option of tables, connectors, formats, catalogs and sessions, from the option tables
in the sources (wr_option_def) and src/catalog/options_flink.def. --check only compares and exits with 1 when they differ."""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = os.path.join(ROOT, "docs/reference/options.md")
STRING = r'"(?:[^"\\]|\\.)*"'
TOKEN = re.compile(r'\s*(' + STRING + r'|[\w|\s+*()<>-]+?(?=[,}])|[{},])')
TYPES = {"STRING": "string", "BOOL": "boolean", "INT": "integer", "LONG": "long", "FLOAT": "float", "DOUBLE": "double", "DURATION": "duration",
         "MEMORY": "memory size", "ENUM": "one of", "LIST": "list, `;` between", "MAP": "map, `k:v,k:v`"}


FAULT_TOLERANCE = ("execution.checkpointing.", "execution.state-recovery.", "restart-strategy.", "state.", "jobmanager.execution.failover")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def text_of(value):
    """A C initializer of string literals to its text; None for NULL."""
    value = value.strip()
    if value == "NULL":
        return None
    parts = re.findall(STRING, value)
    out = "".join(p[1:-1] for p in parts)
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m.group(1), m.group(1)), out)


def split_fields(body):
    """Top-level commas of one initializer."""
    out, depth, cur, i = [], 0, "", 0
    while i < len(body):
        if body[i] == '"':
            m = re.match(STRING, body[i:])
            cur += m.group(0)
            i += m.end()
            continue
        if body[i] in "({":
            depth += 1
        elif body[i] in ")}":
            depth -= 1
        if body[i] == "," and depth == 0:
            out.append(cur)
            cur = ""
        else:
            cur += body[i]
        i += 1
    return out + [cur]


def tables():
    """name of the C table -> rows (key, type, default, values, flags, doc)"""
    found = {}
    for path in sorted(glob.glob(os.path.join(ROOT, "src/**/*.c"), recursive=True)):
        text = re.sub(r'#include "(connector/\w+\.def)"', lambda m: read("src/" + m.group(1)), read(os.path.relpath(path, ROOT)))
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        for m in re.finditer(r"const wr_option_def (\w+)\[\] = \{(.*?)\};", text, re.S):
            rows = []
            for body in re.findall(r"\{((?:[^{}\"]|" + STRING + r")*)\}", m.group(2)):
                fields = [f.strip() for f in split_fields(body)]
                if len(fields) != 6 or fields[0] == "NULL":
                    continue
                rows.append((text_of(fields[0]), fields[1].replace("WR_OPT_", ""), text_of(fields[2]), text_of(fields[3]), fields[4],
                             text_of(fields[5])))
            if rows:
                found[m.group(1)] = rows
    return found


def owners():
    """(kind, name, C table) of every connector, format and catalog"""
    out = []
    for path in sorted(glob.glob(os.path.join(ROOT, "src/**/*.c"), recursive=True)):
        text = read(os.path.relpath(path, ROOT))
        for m in re.finditer(r"const wr_(source|sink|format|catalog)_ops \w+ = \{(.*?)\};", text, re.S):
            name = re.search(r'\.(?:name|type) = "([^"]+)"', m.group(2))
            options = re.search(r"\.options = (\w+)", m.group(2))
            if name and options:
                out.append((m.group(1), name.group(1), options.group(1)))
    return out


def shown(text):
    return text.replace("|", "\\|").replace("\n", "\\n") if text else ""


def type_text(kind, values):
    if kind == "ENUM":
        return ", ".join("`%s`" % v for v in values.split("|"))
    return TYPES[kind]


def code(text):
    if text is None:
        return ""
    if text == "":
        return "(empty)"
    text = shown(text)
    return "`` %s ``" % text if "`" in text else "`%s`" % text


def table_of(rows, out):
    out += ["| option | type | default | meaning |", "|---|---|---|---|"]
    for key, kind, default, values, flags, doc in rows:
        need = "**required.** " if "WR_OPTF_REQUIRED" in flags else ""
        out.append("| `%s` | %s | %s | %s%s |" % (key, type_text(kind, values), code(default), need, shown(doc)))
    out.append("")


def session_rows():
    text = read("src/catalog/options_flink.def")
    used, known, older = [], [], []
    for line in text.split("\n"):
        m = re.match(r"(USED|KNOWN|OLDER)\((.*)\)$", line)
        if not m:
            continue
        fields = split_fields(m.group(2))
        if m.group(1) == "USED":
            used.append((text_of(fields[0]), fields[1].strip(), text_of(fields[2]), text_of(fields[3]), "0", text_of(fields[4]) or ""))
        elif m.group(1) == "KNOWN":
            known.append(text_of(fields[0]))
        else:
            older.append((text_of(fields[0]), text_of(fields[1])))
    return used, known, older


def page():
    found, out = tables(), []
    out += ["<!-- SPDX-License-Identifier: Apache-2.0 -->",
            "<!-- Generated by tools/gen_option_docs.py from the option tables in src/. Do not edit. -->", "# Options", "",
            "Options are pairs of texts in `WITH ('key' = 'value')`, `/*+ OPTIONS('key' = 'value') */` and `SET 'key' = 'value'`. A key",
            "that does not exist is an error with the nearest names; a value that is not of its type is one, too. Durations are written",
            "`10 s`, `1min`, `250 ms`, sizes `64 mb`, `1gb`. `#` stands for a name: a column in `fields.#.kind`. Values of keys that",
            "contain a word like `password`, `secret` or `token` are shown as `******`.", "",
            "## Every table", ""]
    table_of(found["wr_table_options"], out)
    kinds = {}
    for kind, name, table in owners():
        kinds.setdefault((name, table), []).append(kind)
    for head, group in (("Connectors", ("source", "sink")), ("Formats", ("format",)), ("Catalogs", ("catalog",))):
        out += ["## " + head, ""]
        for (name, table), have in sorted(kinds.items()):
            if not set(have) & set(group):
                continue
            what = "" if head != "Connectors" else " (%s)" % " and ".join(k for k in ("source", "sink") if k in have)
            out += ["### %s%s" % (name, what), ""]
            if head == "Formats":
                out += ["With the prefix `%s.`, or `key.%s.` and `value.%s.` where a connector has a format for each." % (name, name, name), ""]
            if table in found:
                table_of(found[table], out)
            else:
                out += ["No options.", ""]
    used, known, older = session_rows()
    out += ["## Sessions: SET and RESET", "", "These have an effect:", ""]
    table_of(used, out)
    pairs = [pair for pair in older if pair[1] in {u[0] for u in used}]
    if pairs:
        out += ["These older names are accepted for options of today:", "", "| older name | option |", "|---|---|"]
        out += ["| `%s` | `%s` |" % pair for pair in pairs] + [""]
    out += ["%d more options of Flink are accepted with a notice and have no effect: they concern the JVM, Flink's cluster" % len(known),
            "or features that are yet to come. A key that Flink does not have either is an error.", "",
            "## Checkpoints, state and restarts: options without effect", "",
            "Of those, these concern what [fault-tolerance.md](fault-tolerance.md) is about:", ""]
    families = ("state.backend.forst.", "state.backend.rocksdb.metrics.", "state.changelog.", "state.latency-track.", "state.size-track.")
    out += ["- `%s…` (every one)" % f for f in families]
    out += ["- `%s`" % k for k in known if k.startswith(FAULT_TOLERANCE) and "#" not in k and not k.startswith(families)] + [""]
    return "\n".join(out)


def main():
    want = page()
    if "--check" in sys.argv[1:]:
        have = open(TARGET, encoding="utf-8").read() if os.path.exists(TARGET) else ""
        if have != want:
            sys.exit("docs/reference/options.md is not what tools/gen_option_docs.py makes: run ./dev bless")
        return
    with open(TARGET, "w", encoding="utf-8") as f:
        f.write(want)


if __name__ == "__main__":
    main()
