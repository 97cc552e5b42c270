#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random change messages of debezium-json, canal-json, maxwell-json and ogg-json: every kind of value in every place, members in any
order, missing or twice, operations that do not exist, lines that are cut. tests/data/cdc/random_*.json are those of seed 5.

    gen_messages.py SEED LINES FOLDER
    gen_messages.py --check               are the kept ones those of their seed?

Canal's arrays have one row: of several Flink mixes up what was different before (docs/reference/differences.md)."""
import json, os, random, sys

KEPT = (5, 160)  # seed, lines
VALUES = {
    "id": [1, 2, "3", None, "x", 1.9, -5, 99999999999, "", True, [1], {}, " 7 ", "1e1", 1e2],
    "name": ["a", "b", None, 5, 5.10, {"x": 1.50, "y": [1, 2]}, True, "", "null", "q\"uo\\te", "\u00e4\u20ac\U0001f600", [1, "z"]],
    "price": [1.5, "2.255", None, "x", 1000, 99999, "1e1", 3, "", -0.005, True, 12345.678],
    "place": [{"x": 1, "y": "p"}, {"y": "q"}, {}, None, 5, {"x": "z"}, {"x": 2, "y": None, "w": 1}],
    "tags": [["a", "b"], [], None, [None], ["a", 5], "a", {"k": 1}],
    "props": [{"k": 1}, {}, None, {"a": 1, "b": None}, {"k": "x"}, [1], 5, "x", True],
    "ts": ["2024-01-01 10:00:00", "2024-01-01 10:00:00.123", "2024-01-01T10:00:00", None, "bad", 5, "2024-01-01 10:00"],
}
OPERATIONS = {"debezium": ["c", "r", "u", "d", "u", "d", "x", None, 5, "C"], "ogg": ["I", "U", "D", "U", "D", "T", None, "i"],
              "canal": ["INSERT", "UPDATE", "DELETE", "UPDATE", "CREATE", "ALTER", None, 5, "insert"],
              "maxwell": ["insert", "update", "delete", "update", "create", "alter", None, 5, "INSERT"]}


def row():
    if random.random() < 0.03:
        return random.choice([None, 5, "x", [], True])
    names = list(VALUES)
    random.shuffle(names)
    return {n: random.choice(VALUES[n][:4] if random.random() < 0.7 else VALUES[n]) for n in names[:random.randint(0, 7)]}


def pair(kind, op):
    changed, gone = op in ("u", "U"), op in ("d", "D")
    if random.random() < 0.9:
        yield "before", row() if changed or gone or random.random() < 0.1 else None
    if random.random() < 0.95:
        yield "after", row() if not gone or random.random() < 0.1 else None
    if random.random() < 0.97:
        yield "op" if kind == "debezium" else "op_type", op
    yield "source", {"db": "x", "ts_ms": 5}


def rows(kind, op):
    def make():
        return row() if kind == "maxwell" or random.random() < 0.03 else [row()]
    yield "data", make()
    if op in ("UPDATE", "update"):
        yield "old", make()
    yield "type", op
    yield "database", random.choice(["d1", "d2"])


def message(kind):
    ops = OPERATIONS[kind]
    op = random.choice(ops) if random.random() < 0.2 else random.choice(ops[:4])
    members = list((pair if kind in ("debezium", "ogg") else rows)(kind, op))
    if random.random() < 0.5:
        random.shuffle(members)
    if random.random() < 0.03:
        members.append(random.choice(members))
    ascii_only = random.random() < 0.5
    text = "{" + ",".join(json.dumps(k) + random.choice([":", ": "]) + json.dumps(v, ensure_ascii=ascii_only) for k, v in members) + "}"
    luck = random.random()
    at = random.randrange(len(text))
    if luck < 0.02:
        return text[:at]
    if luck < 0.03:
        return text + " trailing"
    if luck < 0.04:
        return "[" + text + "]"
    if luck < 0.05:
        return ""
    return text[:at] + random.choice('{}[],:"x') + text[at:] if luck < 0.06 else text


def texts(seed, lines):
    random.seed(seed)
    return {"random_%s.json" % kind: "".join(message(kind) + "\n" for _ in range(lines)) for kind in OPERATIONS}


def main():
    if sys.argv[1:] == ["--check"]:
        folder = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "data", "cdc")
        other = [name for name, text in texts(*KEPT).items() if open(os.path.join(folder, name), encoding="utf-8").read() != text]
        sys.exit("not those of seed %d: %s" % (KEPT[0], ", ".join(other)) if other else 0)
    for name, text in texts(int(sys.argv[1]), int(sys.argv[2])).items():
        with open(os.path.join(sys.argv[3], name), "w", encoding="utf-8") as out:
            out.write(text)


main()
